"""Balls drawn from an urn, in other languages."""

from palaestra.combinators.translations.chances import BOUNDS, question
from palaestra.combinators.translations.grammar import Code, listed
from palaestra.envs.counting.urn_probability import UrnProbability

TOKENS = frozenset[str]()

EXPERIMENT: dict[Code, str] = {
    "de": (
        "In einer Urne sind {balls}. Daraus werden {n} Kugeln zufällig gezogen, eine nach der "
        "anderen, und keine wird zurückgelegt. Jede Kugel, die noch in der Urne ist, ist mit "
        "gleicher Wahrscheinlichkeit die nächste."
    ),
    "zh": (
        "一个罐子里有{balls}。从中随机地一个接一个抽出{n}个球，抽出的球不放回。罐中剩下的每个"
        "球下一次被抽到的可能性相同。"
    ),
    "es": (
        "En una urna hay {balls}. Se extraen al azar {n} bolas, una tras otra, sin devolver "
        "ninguna. Cada bola que queda en la urna tiene la misma probabilidad de ser la "
        "siguiente."
    ),
    "ar": (
        "في صندوق كرات ملونة: {balls}. تُسحب منه عشوائيًا كرات عددها {n}، واحدة بعد الأخرى، ولا "
        "تُعاد أي منها. ولكل كرة باقية في الصندوق الاحتمال نفسه لأن تكون التالية."
    ),
}

COLOURS: dict[Code, str] = {
    "de": "rot blau grün weiß schwarz",
    "zh": "红 蓝 绿 白 黑",
    "es": "roja azul verde blanca negra",
    "ar": "حمراء زرقاء خضراء بيضاء سوداء",
}

BALLS: dict[Code, str] = {
    "de": "{n} {colour}e",
    "zh": "{n}个{colour}球",
    "es": "{n} {plural}",
    "ar": "عدد الكرات ال{colour} {n}",
}

ORDINALS: dict[Code, str] = {
    "de": "erste zweite dritte vierte fünfte sechste siebte achte",
    "zh": "一 二 三 四 五 六 七 八",
    "es": "primera segunda tercera cuarta quinta sexta séptima octava",
    "ar": "الأولى الثانية الثالثة الرابعة الخامسة السادسة السابعة الثامنة",
}

CLAIMS: dict[Code, dict[str, tuple[str, str]]] = {
    "de": {
        "place": ("die {ordinal} gezogene Kugel {colour} ist",) * 2,
        "count": (
            "{bound} {n} der gezogenen Kugeln {colour} ist",
            "{bound} {n} der gezogenen Kugeln {colour} sind",
        ),
        "kinds": (
            "unter den gezogenen Kugeln {bound} {n} Farbe vorkommt",
            "unter den gezogenen Kugeln {bound} {n} verschiedene Farben vorkommen",
        ),
        "same": (
            (
                "{bound} {n} der gezogenen Kugeln dieselbe Farbe hat wie die unmittelbar "
                "davor gezogene"
            ),
            (
                "{bound} {n} der gezogenen Kugeln dieselbe Farbe haben wie die jeweils "
                "unmittelbar davor gezogene"
            ),
        ),
    },
    "zh": {
        "place": ("抽出的第{ordinal}个球是{colour}色",) * 2,
        "count": ("抽出的球中{bound}有{n}个是{colour}色",) * 2,
        "kinds": ("抽出的球中{bound}有{n}种不同的颜色",) * 2,
        "same": ("抽出的球中{bound}有{n}个与紧接在它之前抽出的球颜色相同",) * 2,
    },
    "es": {
        "place": ("la {ordinal} bola extraída es {colour}",) * 2,
        "count": (
            "{bound} {n} de las bolas extraídas es {colour}",
            "{bound} {n} de las bolas extraídas son {plural}",
        ),
        "kinds": (
            "entre las bolas extraídas hay {bound} {n} color",
            "entre las bolas extraídas hay {bound} {n} colores distintos",
        ),
        "same": (
            "{bound} {n} de las bolas extraídas tiene el mismo color que la extraída justo antes",
            "{bound} {n} de las bolas extraídas tienen el mismo color que la extraída justo antes",
        ),
    },
    "ar": {
        "place": ("الكرة المسحوبة {ordinal} {colour}",) * 2,
        "count": ("عدد الكرات ال{colour} بين الكرات المسحوبة هو {n} {bound}",) * 2,
        "kinds": ("عدد الألوان المختلفة بين الكرات المسحوبة هو {n} {bound}",) * 2,
        "same": ("عدد الكرات التي لونها كلون الكرة المسحوبة قبلها مباشرة هو {n} {bound}",) * 2,
    },
}
"""A claim about one ball or colour, and about any other number."""


def prompt(task: UrnProbability, code: Code) -> str:
    """The task in a language."""
    colours, ordinals = COLOURS[code].split(), ORDINALS[code].split()
    balls = [
        BALLS[code].format(n=n, colour=colour, plural=plural(colour))
        for n, colour in zip(task.balls, colours)
    ]
    if code == "es":
        balls[0] = balls[0].replace(" ", " bolas ", 1)
    urn = listed(code, balls) + " Kugeln" * (code == "de")
    event, known = (
        [
            CLAIMS[code][claim.statistic][claim.bound.number != 1].format(
                bound=BOUNDS[code][claim.bound.relation],
                n=claim.bound.number,
                ordinal=ordinals[claim.position],
                colour=colours[claim.colour],
                plural=plural(colours[claim.colour]),
            )
            for claim in claims
        ]
        for claims in (task.event, task.known)
    )
    return question(code, EXPERIMENT[code].format(balls=urn, n=task.draws), event, known)


def plural(colour: str) -> str:
    """The plural of a Spanish adjective.

    >>> plural("azul"), plural("roja")
    ('azules', 'rojas')
    """
    return f"{colour}es" if colour.endswith("l") else f"{colour}s"
