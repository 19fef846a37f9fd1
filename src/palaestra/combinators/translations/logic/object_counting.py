"""Counting possessions, in other languages."""

from palaestra.combinators.translations.grammar import Code, listed, sentences, separated
from palaestra.combinators.translations.things import Things, owned
from palaestra.envs.logic.object_counting import ObjectCounting
from palaestra.verifiers.reading.values import joined

TOKENS = frozenset[str]()

TEXT: dict[Code, str] = {
    "de": (
        "Am Anfang:\n{start}\n\nDann geschieht der Reihe nach Folgendes:\n"
        "{story}\n\nWie viele Dinge jeder Art hat jede Person am Ende? Schreibe für jede "
        "Person eine Zeile mit den Anzahlen in dieser Reihenfolge: {things}. Eine Zeile sieht "
        "zum Beispiel so aus: „{example}“."
    ),
    "zh": (
        "一开始：\n{start}\n\n然后依次发生了以下事情：\n"
        "{story}\n\n最后每个人每种物品各有多少？每人写一行，按以下顺序写出数量：{things}。例"
        "如“{example}”。"
    ),
    "es": (
        "Al principio:\n{start}\n\nDespués ocurre lo siguiente, en este orden:\n"
        "{story}\n\n¿Cuántas cosas de cada tipo tiene cada persona al final? Escribe una "
        "línea para cada persona con las cantidades en este orden: {things}. Por ejemplo, «"
        "{example}»."
    ),
    "ar": (
        "في البداية:\n{start}\n\nثم يحدث ما يلي بهذا الترتيب:\n"
        "{story}\n\nكم يصبح لدى كل شخص من كل نوع في النهاية؟ اكتب سطرًا لكل شخص فيه الأعداد "
        "بهذا الترتيب: {things}. مثال: «{example}»."
    ),
}

HAS: dict[Code, str] = {
    "de": "{} hat {}.",
    "zh": "{}有{}。",
    "es": "{} tiene {}.",
    "ar": "لدى {} {}.",
}

DEALS: dict[Code, dict[str, str]] = {
    "de": {
        "buys": "{P} kauft {ax}.",
        "loses": "{P} verliert {ax}.",
        "gives": "{P} gibt {Q} {ax}.",
        "half": (
            "{P} gibt {Q} die Hälfte der eigenen {x} (bei ungerader Anzahl den kleineren Teil)."
        ),
        "doubles": "Die Anzahl der {x} von {P} verdoppelt sich.",
        "trade": "{P} und {Q} tauschen alle ihre {x} miteinander.",
        "match": "{P} kauft so viele {x}, wie {Q} jetzt {y} hat.",
        "all": "{P} gibt {Q} alle eigenen {x}.",
    },
    "zh": {
        "buys": "{P}买了{ax}。",
        "loses": "{P}丢了{ax}。",
        "gives": "{P}给了{Q} {ax}。",
        "half": "{P}把自己一半的{x}给了{Q}（数量为奇数时，给较少的那一份）。",
        "doubles": "{P}的{x}数量翻倍。",
        "trade": "{P}和{Q}互换各自全部的{x}。",
        "match": "{P}买了{x}，数量与{Q}此时拥有的{y}相同。",
        "all": "{P}把自己全部的{x}给了{Q}。",
    },
    "es": {
        "buys": "{P} compra {ax}.",
        "loses": "{P} pierde {ax}.",
        "gives": "{P} da {ax} a {Q}.",
        "half": (
            "{P} da a {Q} la mitad de sus propi{x.ending} {x} (si el número es impar, la "
            "parte menor)."
        ),
        "doubles": "El número de {x} de {P} se duplica.",
        "trade": "{P} y {Q} intercambian tod{x.ending} sus {x}.",
        "match": "{P} compra tant{x.ending} {x} como {y} tiene {Q} en ese momento.",
        "all": "{P} da a {Q} tod{x.ending} sus {x}.",
    },
    "ar": {
        "buys": "{P:يشتري|تشتري} {P} {ax}.",
        "loses": "{P:يفقد|تفقد} {P} {ax}.",
        "gives": "{P:يقدّم|تقدّم} {P} {ax} إلى {Q}.",
        "half": (
            "{P:يقدّم|تقدّم} {P} نصف ما {P:لديه|لديها} من {x} إلى {Q} (وإن كان العدد فرديًا "
            "فالجزء الأصغر)."
        ),
        "doubles": "يصبح عدد {x} لدى {P} ضعف ما كان عليه.",
        "trade": "{P:يتبادل|تتبادل} {P} و {Q} كل ما لديهما من {x}.",
        "match": "{P:يشتري|تشتري} {P} عددًا من {x} يساوي عدد {y} لدى {Q} في تلك اللحظة.",
        "all": "{P:يقدّم|تقدّم} {P} كل ما {P:لديه|لديها} من {x} إلى {Q}.",
    },
}


def prompt(task: ObjectCounting, code: Code) -> str:
    """The task in a language."""
    things = [Things(code, thing) for thing in task.things]
    start = [
        HAS[code].format(
            name, listed(code, [x.counted(n, nominative=True) for n, x in zip(row, things)])
        )
        for name, row in zip(task.names, task.start)
    ]
    return TEXT[code].format(
        start="\n".join(start),
        story=sentences(code, [sentence(task, code, n) for n in range(len(task.deals))]),
        things=separated(code, list(map(str, things))),
        example=f"{task.names[0]}: {joined(range(3, 3 + len(things)))}",
    )


def sentence(task: ObjectCounting, code: Code, n: int) -> str:
    """The deal with this index."""
    deal = task.deals[n]
    people = [task.names[deal.one], task.names[deal.other]]
    sorts = [task.things[deal.thing], task.things[deal.second]]
    counted = Things(code, sorts[0]).counted(deal.number)
    slots = owned(code, "PQ", list(zip(people, sorts)))
    return DEALS[code][deal.action].format(ax=counted, **slots)
