"""Word problems in other languages."""

from palaestra.combinators.translations.grammar import Code, Counted, sentences
from palaestra.combinators.translations.things import Things, owned
from palaestra.envs.arithmetic.word_problem import WordProblem

TOKENS = frozenset[str]()

SENTENCES: dict[Code, dict[str, str]] = {
    "de": {
        "given": "{P} hat {ax}.",
        "boxes": "{P} hat {a} Schachteln; in jeder sind {bx}, und andere {x} hat {P} nicht.",
        "hours": "{P} hatte keine {x} und sammelte dann {a} Stunden lang {bx} pro Stunde.",
        "more": "{P} hat {ax} mehr, als {Q} {y} hat.",
        "fewer": "{P} hat {ax} weniger, als {Q} {y} hat.",
        "times": "{P} hat {a}-mal so viele {x}, wie {Q} {y} hat.",
        "part": "Die Anzahl der {x} von {P} ist 1/{a} der Anzahl der {y} von {Q}.",
        "share": "Die Anzahl der {x} von {P} ist {a}/{b} der Anzahl der {y} von {Q}.",
        "gave": "{P} hatte so viele {x}, wie {Q} {y} hat, und hat {a}/{b} davon verschenkt.",
        "percent": "{P} hat {a} % mehr {x}, als {Q} {y} hat.",
        "packs": (
            "{P} hat so viele Tüten, wie {Q} {y} hat; in jeder Tüte sind {ax}, und dazu "
            "kommen {b} lose {x}."
        ),
        "sum": "{P} hat so viele {x}, wie {Q} {y} und {R} {z} zusammen haben.",
        "difference": (
            "{Q} hat mehr {y}, als {R} {z} hat; {P} hat so viele {x}, wie dieser Unterschied "
            "beträgt."
        ),
        "average": (
            "Die Anzahl der {x} von {P} ist der Mittelwert aus der Anzahl der {y} von {Q} und "
            "der Anzahl der {z} von {R}."
        ),
    },
    "zh": {
        "given": "{P}有{ax}。",
        "boxes": "{P}有{a}个盒子，每个盒子里有{bx}，此外没有别的{x}。",
        "hours": "{P}原来没有{x}，后来收集了{a}小时，每小时收集{bx}。",
        "more": "{P}的{x}比{Q}的{y}多{a}{x.measure}。",
        "fewer": "{P}的{x}比{Q}的{y}少{a}{x.measure}。",
        "times": "{P}的{x}数量是{Q}的{y}数量的{a}倍。",
        "part": "{P}的{x}数量是{Q}的{y}数量的1/{a}。",
        "share": "{P}的{x}数量是{Q}的{y}数量的{a}/{b}。",
        "gave": "{P}原来的{x}和{Q}的{y}一样多，后来送出了其中的{a}/{b}。",
        "percent": "{P}的{x}比{Q}的{y}多{a}%。",
        "packs": "{Q}有多少{y.measure}{y}，{P}就有多少袋{x}，每袋{ax}，另外还有零散的{bx}。",
        "sum": "{P}的{x}数量等于{Q}的{y}数量与{R}的{z}数量之和。",
        "difference": "{Q}的{y}比{R}的{z}多，{P}的{x}数量正好等于这个差。",
        "average": "{P}的{x}数量是{Q}的{y}数量与{R}的{z}数量的平均数。",
    },
    "es": {
        "given": "{P} tiene {ax}.",
        "boxes": "{P} tiene {a} cajas con {bx} en cada una, y no tiene más {x}.",
        "hours": "{P} no tenía {x} y luego reunió {bx} por hora durante {a} horas.",
        "more": "{P} tiene {ax} más que {y} tiene {Q}.",
        "fewer": "{P} tiene {ax} menos que {y} tiene {Q}.",
        "times": "{P} tiene {a} veces tant{x.ending} {x} como {y} tiene {Q}.",
        "part": "El número de {x} de {P} es 1/{a} del número de {y} de {Q}.",
        "share": "El número de {x} de {P} es {a}/{b} del número de {y} de {Q}.",
        "gave": "{P} tenía tant{x.ending} {x} como {y} tiene {Q}, y regaló {a}/{b} del total.",
        "percent": "{P} tiene un {a} % más de {x} que {y} tiene {Q}.",
        "packs": (
            "{P} tiene tantas bolsas como {y} tiene {Q}, con {ax} en cada bolsa, y además "
            "{bx} suelt{x.ending}."
        ),
        "sum": (
            "{P} tiene tant{x.ending} {x} como suman {y.with_article} de {Q} y "
            "{z.with_article} de {R}."
        ),
        "difference": (
            "{Q} tiene más {y} que {z} tiene {R}; {P} tiene tant{x.ending} {x} como indica "
            "esa diferencia."
        ),
        "average": (
            "El número de {x} de {P} es la media del número de {y} de {Q} y del número de {z} "
            "de {R}."
        ),
    },
    "ar": {
        "given": "لدى {P} {ax}.",
        "boxes": "لدى {P} {boxes}، وفي كل صندوق {bx}، وليس {P:لديه|لديها} غير ذلك من {x}.",
        "hours": (
            "لم يكن لدى {P} شيء من {x}، ثم {P:جمع|جمعت} {P} {bx_object} في كل ساعة لمدة {hours}."
        ),
        "more": "عدد {x} لدى {P} أكبر من عدد {y} لدى {Q} بمقدار {a}.",
        "fewer": "عدد {x} لدى {P} أصغر من عدد {y} لدى {Q} بمقدار {a}.",
        "times": "عدد {x} لدى {P} يساوي عدد {y} لدى {Q} مضروبًا في {a}.",
        "part": "عدد {x} لدى {P} يساوي 1/{a} من عدد {y} لدى {Q}.",
        "share": "عدد {x} لدى {P} يساوي {a}/{b} من عدد {y} لدى {Q}.",
        "gave": "كان عدد {x} لدى {P} مساويًا لعدد {y} لدى {Q}، ثم {P:أهدى|أهدت} {P} {a}/{b} منها.",
        "percent": "عدد {x} لدى {P} أكبر من عدد {y} لدى {Q} بنسبة {a}%.",
        "packs": (
            "عدد الأكياس لدى {P} يساوي عدد {y} لدى {Q}، وفي كل كيس {ax}، ولدى {P} خارج "
            "الأكياس {bx}."
        ),
        "sum": "عدد {x} لدى {P} يساوي مجموع عدد {y} لدى {Q} وعدد {z} لدى {R}.",
        "difference": "عدد {y} لدى {Q} أكبر من عدد {z} لدى {R}، وعدد {x} لدى {P} يساوي هذا الفرق.",
        "average": "عدد {x} لدى {P} هو متوسط عدد {y} لدى {Q} وعدد {z} لدى {R}.",
    },
}

TEXT: dict[Code, str] = {
    "de": (
        "{story}\n\nWie viele {x} hat {P}? Alle Aussagen gelten gleichzeitig, und zwar jetzt. "
        "Schreibe nur die Zahl, zum Beispiel „57“."
    ),
    "zh": "{story}\n\n{P}有多少{x.measure}{x}？以上所有陈述此刻同时成立。只写数字，例如“57”。",
    "es": (
        "{story}\n\n¿Cuánt{x.ending} {x} tiene {P}? Todas las afirmaciones se cumplen a la "
        "vez, ahora. Escribe solo el número, por ejemplo «57»."
    ),
    "ar": (
        "{story}\n\nكم عدد {x} لدى {P}؟ جميع العبارات صحيحة في الوقت نفسه، الآن. اكتب العدد "
        "وحده، مثل «57»."
    ),
}

BOX = Counted("صندوق", "صندوقان", "صناديق", "صندوقًا")
HOUR = Counted("ساعة", "ساعتان", "ساعات", "ساعةً")


def prompt(task: WordProblem, code: Code) -> str:
    """The task in a language."""
    story = sentences(code, [sentence(task, code, n) for n in task.order])
    return TEXT[code].format(story=story, **owned(code, "P", [task.owners[task.target]]))


def sentence(task: WordProblem, code: Code, n: int) -> str:
    """The sentence of the quantity with this index."""
    operation, sources, numbers = task.story[n]
    first, second = (*numbers, 0, 0)[:2]
    x = Things(code, task.owners[n][1])
    return SENTENCES[code][operation].format(
        a=first,
        b=second,
        ax=x.counted(first, nominative=True),
        bx=x.counted(second, nominative=True),
        bx_object=x.counted(second),
        boxes=BOX.with_number(first, nominative=True),
        hours=HOUR.with_number(first),
        **owned(code, "PQR", [task.owners[each] for each in (n, *sources)]),
    )
