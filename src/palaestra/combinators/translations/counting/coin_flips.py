"""Flips of coins in other languages."""

from palaestra.combinators.translations.chances import BOUNDS, question
from palaestra.combinators.translations.grammar import Code, Counted, separated
from palaestra.envs.counting.coin_flips import CoinFlips

COINS = "ABC"
TOKENS = frozenset(COINS)

TIMES = Counted("مرة", "مرتان", "مرات", "مرةً")

ONE_COIN: dict[Code, str] = {
    "de": (
        "Eine Münze zeigt mit der Wahrscheinlichkeit {share} Kopf und sonst Zahl. Sie wird "
        "{n}-mal geworfen. Die Würfe beeinflussen einander nicht."
    ),
    "zh": "一枚硬币以{share}的概率出现正面，否则出现反面。把它抛{n}次。各次抛掷互不影响。",
    "es": (
        "Una moneda muestra cara con probabilidad {share} y cruz en otro caso. Se lanza {n} "
        "veces. Los lanzamientos no influyen unos en otros."
    ),
    "ar": (
        "تظهر قطعة نقد صورةً باحتمال {share} وكتابةً فيما عدا ذلك. تُرمى {times}. ولا تؤثر "
        "الرميات بعضها في بعض."
    ),
}

SEVERAL_COINS: dict[Code, str] = {
    "de": (
        "Mehrere Münzen zeigen jeweils mit ihrer eigenen Wahrscheinlichkeit Kopf und sonst "
        "Zahl: {shares}. Sie werden insgesamt {n}-mal geworfen, eine nach der anderen in der "
        "Reihenfolge {order}. Die Würfe beeinflussen einander nicht."
    ),
    "zh": (
        "几枚硬币各以自己的概率出现正面，否则出现反面：{shares}。一共抛{n}次，按{order}的顺序"
        "一枚接一枚地抛。各次抛掷互不影响。"
    ),
    "es": (
        "Cada una de varias monedas muestra cara con su propia probabilidad y cruz en otro "
        "caso: {shares}. Se lanzan {n} veces en total, una tras otra en el orden {order}. Los "
        "lanzamientos no influyen unos en otros."
    ),
    "ar": (
        "لكل قطعة من عدة قطع نقد احتمالها الخاص لإظهار الصورة، وإلا أظهرت الكتابة: {shares}. "
        "تُرمى {times} في المجموع، واحدة بعد الأخرى بالترتيب {order}. ولا تؤثر الرميات بعضها "
        "في بعض."
    ),
}

SHARE: dict[Code, str] = {
    "de": "{} mit der Wahrscheinlichkeit {}",
    "zh": "{}的概率是{}",
    "es": "{} con probabilidad {}",
    "ar": "{} باحتمال {}",
}

CLAIMS: dict[Code, dict[str, tuple[str, str]]] = {
    "de": {
        "heads": ("Kopf {bound} {n}-mal fällt", "Kopf {bound} {n}-mal fällt"),
        "run": (
            (
                "die längste Serie von Kopf (Würfe nacheinander, die alle Kopf zeigen; ihre "
                "Länge ist 0, wenn keiner Kopf zeigt) {bound} {n} Wurf lang ist"
            ),
            (
                "die längste Serie von Kopf (Würfe nacheinander, die alle Kopf zeigen; ihre "
                "Länge ist 0, wenn keiner Kopf zeigt) {bound} {n} Würfe lang ist"
            ),
        ),
        "changes": (
            "{bound} {n} Wurf eine andere Seite zeigt als der Wurf unmittelbar davor",
            "{bound} {n} Würfe eine andere Seite zeigen als der jeweilige Wurf unmittelbar davor",
        ),
        "early": (
            "{bound} {n} der ersten {first} Würfe Kopf zeigt",
            "{bound} {n} der ersten {first} Würfe Kopf zeigen",
        ),
    },
    "zh": {
        "heads": ("正面{bound}出现{n}次", "正面{bound}出现{n}次"),
        "run": (
            "最长的一串正面（连续若干次抛掷都是正面；如果没有正面，其长度为0）的长度{bound}为{n}",
            "最长的一串正面（连续若干次抛掷都是正面；如果没有正面，其长度为0）的长度{bound}为{n}",
        ),
        "changes": (
            "{bound}有{n}次抛掷的结果与紧接在前的一次不同",
            "{bound}有{n}次抛掷的结果与紧接在前的一次不同",
        ),
        "early": (
            "前{first}次抛掷中{bound}有{n}次是正面",
            "前{first}次抛掷中{bound}有{n}次是正面",
        ),
    },
    "es": {
        "heads": ("sale cara {bound} {n} vez", "sale cara {bound} {n} veces"),
        "run": (
            (
                "la racha más larga de caras (lanzamientos seguidos que muestran todos cara; "
                "su longitud es 0 si ninguno la muestra) tiene {bound} {n} lanzamiento"
            ),
            (
                "la racha más larga de caras (lanzamientos seguidos que muestran todos cara; "
                "su longitud es 0 si ninguno la muestra) tiene {bound} {n} lanzamientos"
            ),
        ),
        "changes": (
            (
                "{bound} {n} lanzamiento muestra un lado distinto del que muestra el "
                "inmediatamente anterior"
            ),
            (
                "{bound} {n} lanzamientos muestran un lado distinto del que muestra el "
                "inmediatamente anterior"
            ),
        ),
        "early": (
            "de los primeros {first} lanzamientos, {bound} {n} muestra cara",
            "de los primeros {first} lanzamientos, {bound} {n} muestran cara",
        ),
    },
    "ar": {
        "heads": (
            "عدد مرات ظهور الصورة هو {n} {bound}",
            "عدد مرات ظهور الصورة هو {n} {bound}",
        ),
        "run": (
            (
                "طول أطول سلسلة من الصور (رميات متتالية تظهر كلها الصورة؛ وطولها 0 إذا لم "
                "تظهرها أي رمية) هو {n} {bound}"
            ),
            (
                "طول أطول سلسلة من الصور (رميات متتالية تظهر كلها الصورة؛ وطولها 0 إذا لم "
                "تظهرها أي رمية) هو {n} {bound}"
            ),
        ),
        "changes": (
            "عدد الرميات التي تظهر وجهًا غير وجه الرمية السابقة لها مباشرة هو {n} {bound}",
            "عدد الرميات التي تظهر وجهًا غير وجه الرمية السابقة لها مباشرة هو {n} {bound}",
        ),
        "early": (
            "عدد مرات ظهور الصورة في الرميات الأولى، وعددها {first}، هو {n} {bound}",
            "عدد مرات ظهور الصورة في الرميات الأولى، وعددها {first}، هو {n} {bound}",
        ),
    },
}
"""A claim about one, and about any other number."""


def prompt(task: CoinFlips, code: Code) -> str:
    """The task in a language."""
    event, known = (
        [
            CLAIMS[code][name][bound.number != 1].format(
                bound=BOUNDS[code][bound.relation], n=bound.number, first=task.flips // 2
            )
            for name, bound in claims
        ]
        for claims in (task.event, task.known)
    )
    return question(code, flipping(task, code), event, known)


def flipping(task: CoinFlips, code: Code) -> str:
    """The coins and the order in which they are flipped."""
    shares = [f"{above}/{below}" for above, below in task.coins]
    times = TIMES.with_number(task.flips)
    if len(shares) == 1:
        return ONE_COIN[code].format(share=shares[0], n=task.flips, times=times)
    names = COINS[: len(shares)]
    return SEVERAL_COINS[code].format(
        shares=separated(code, [SHARE[code].format(*pair) for pair in zip(names, shares)]),
        n=task.flips,
        times=times,
        order=" ".join((names * task.flips)[: task.flips]),
    )
