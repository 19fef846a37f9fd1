"""Heads and legs in other languages."""

from collections.abc import Sequence

from palaestra.combinators.translations.grammar import Code, Counted, listed, sentences
from palaestra.envs.arithmetic.leg_counting import LegCounting

TOKENS = frozenset[str]()

GERMAN = (
    "Bein Beine,Auge Augen,Flügel Flügel,Horn Hörner,Schwanz Schwänze,Fleck Flecken,Kralle Krallen"
)
SPANISH = "una pata,un ojo,una ala,un cuerno,una cola,una mancha,una garra"
CHINESE = "条腿,只眼睛,只翅膀,只角,条尾巴,块斑点,只爪子"
ARABIC = (
    Counted("قائمة", "قائمتان", "قوائم", "قائمةً"),
    Counted("عين", "عينان", "عيون", "عينًا", feminine=True),
    Counted("جناح", "جناحان", "أجنحة", "جناحًا"),
    Counted("قرن", "قرنان", "قرون", "قرنًا"),
    Counted("ذيل", "ذيلان", "ذيول", "ذيلًا"),
    Counted("بقعة", "بقعتان", "بقع", "بقعةً"),
    Counted("مخلب", "مخلبان", "مخالب", "مخلبًا"),
)

ANIMAL = Counted("حيوان", "حيوانان", "حيوانات", "حيوانًا")

TEXT: dict[Code, str] = {
    "de": (
        "{kinds}\n\n{facts}\n\nWie viele Tiere gibt es von jeder Art? Schreibe für jede Art "
        "eine Zeile, zum Beispiel „{kind}: 1000“."
    ),
    "zh": "{kinds}\n\n{facts}\n\n每种动物各有多少只？每种写一行，例如“{kind}: 1000”。",
    "es": (
        "{kinds}\n\n{facts}\n\n¿Cuántos animales hay de cada especie? Escribe una línea para "
        "cada especie, por ejemplo «{kind}: 1000»."
    ),
    "ar": "{kinds}\n\n{facts}\n\nكم حيوانًا يوجد من كل نوع؟ اكتب سطرًا لكل نوع، مثل «{kind}: 1000».",
}

KIND: dict[Code, str] = {
    "de": "Ein Tier der Art {} hat {}.",
    "zh": "每只{}{}。",
    "es": "Cada animal de la especie {} tiene {}.",
    "ar": "لكل حيوان من نوع {} {}.",
}

NUMBER: dict[Code, str] = {
    "de": "Auf einer Wiese leben {n} Tiere dieser Arten und keine anderen.",
    "zh": "草地上有{n}只这些种类的动物，没有别的动物。",
    "es": "En un prado hay {n} animales de estas especies y ningún otro.",
    "ar": "في أحد المروج {animals} من هذه الأنواع ولا شيء غيرها.",
}

TOTAL: dict[Code, str] = {
    "de": "Zusammen haben sie {}.",
    "zh": "它们一共{}。",
    "es": "En total tienen {}.",
    "ar": "لها معًا {}.",
}

MORE: dict[Code, str] = {
    "de": "Zusammen haben sie {counted} mehr als {fewer}.",
    "zh": "它们的{more}一共比{fewer}多{n}{measure}。",
    "es": "En total tienen {counted} más que {fewer}.",
    "ar": "عدد {more} لديها معًا أكبر من عدد {fewer} بمقدار {n}.",
}

EQUAL: dict[Code, str] = {
    "de": "Zusammen haben sie genauso viele {one} wie {other}.",
    "zh": "它们的{one}总数与{other}总数相等。",
    "es": "En total tienen el mismo número de {one} que de {other}.",
    "ar": "عدد {one} لديها معًا يساوي عدد {other}.",
}


def prompt(task: LegCounting, code: Code) -> str:
    """The task in a language."""
    kinds = (
        KIND[code].format(name, body(code, row)) for name, row in zip(task.kinds, task.anatomy)
    )
    total = task.facts[0][-1]
    facts = [NUMBER[code].format(n=total, animals=ANIMAL.with_number(total, nominative=True))]
    for part, (row, compared) in enumerate(zip(task.facts[1:], task.compared)):
        facts.append(
            difference(code, part, row[-1])
            if compared
            else TOTAL[code].format(counted(code, part, row[-1]))
        )
    return TEXT[code].format(
        kinds="\n".join(kinds), facts=sentences(code, facts), kind=task.kinds[0]
    )


def plural(code: Code, part: int) -> str:
    """The plural of a part of the body, in Arabic with the article."""
    match code:
        case "de":
            return GERMAN.split(",")[part].split()[1]
        case "zh":
            return CHINESE.split(",")[part][1:]
        case "es":
            return f"{SPANISH.split(',')[part].split()[1]}s"
    return f"ال{ARABIC[part].plural}"


def counted(code: Code, part: int, number: int) -> str:
    """So many parts of the body. In Chinese, it has the verb.

    >>> counted("es", 0, 0), counted("de", 1, 1), counted("zh", 0, 3)
    ('ninguna pata', '1 Auge', '有3条腿')
    """
    match code:
        case "de":
            noun = GERMAN.split(",")[part].split()[number != 1]
            return f"{number or 'keine'} {noun}"
        case "zh":
            noun = CHINESE.split(",")[part]
            return f"有{number}{noun}" if number else f"没有{noun[1:]}"
        case "es":
            article, noun = SPANISH.split(",")[part].split()
            none = "ningún" if article == "un" else "ninguna"
            return f"{number or none} {noun}{'s' * (number > 1)}"
    if not number:
        return f"صفر من {plural('ar', part)}"
    return ARABIC[part].with_number(number, nominative=True)


def body(code: Code, counts: Sequence[int]) -> str:
    """All parts of a body."""
    parts = [counted(code, part, number) for part, number in enumerate(counts)]
    return "，".join(parts) if code == "zh" else listed(code, parts)


def difference(code: Code, part: int, total: int) -> str:
    """By how many the total of a part exceeds that of the part before."""
    if total == 0:
        return EQUAL[code].format(one=plural(code, part), other=plural(code, part - 1))
    more, fewer = (part, part - 1) if total > 0 else (part - 1, part)
    return MORE[code].format(
        n=abs(total),
        counted=counted(code, more, abs(total)),
        measure=CHINESE.split(",")[more][0],
        more=plural(code, more),
        fewer=plural(code, fewer),
    )
