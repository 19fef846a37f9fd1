"""Spans of time in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.arithmetic.time_intervals import TimeIntervals

TOKENS = frozenset({"UTC"})

TEXT: dict[Code, str] = {
    "de": (
        "Dies sind Zeitspannen:\n\n{spans}\n\nUhren gehen von 00:00 bis 23:59; die Tage sind "
        "nummeriert. {zones}{ask} {shape}"
    ),
    "zh": (
        "以下是一些时间段：\n\n{spans}\n\n时钟从00:00走到23:59；各天按顺序编号。{zones}{ask}{shape}"
    ),
    "es": (
        "Estos son intervalos de tiempo:\n\n{spans}\n"
        "\nLos relojes van de 00:00 a 23:59; los días están numerados. {zones}{ask} {shape}"
    ),
    "ar": (
        "هذه فترات زمنية:\n\n{spans}\n\nتسير الساعات من 00:00 إلى 23:59؛ والأيام مرقمة. "
        "{zones}{ask} {shape}"
    ),
}

SPAN: dict[Code, str] = {
    "de": "{number}. Tag {day}, {begin} bis Tag {last}, {end}",
    "zh": "{number}. 第{day}天{begin}至第{last}天{end}",
    "es": "{number}. día {day}, {begin} a día {last}, {end}",
    "ar": "{number}. من اليوم {day}، {begin} إلى اليوم {last}، {end}",
}

ZONES: dict[Code, str] = {
    "de": (
        "Eine mit UTC+3 bezeichnete Zeit ist von Uhren abgelesen, die UTC 3 Stunden voraus "
        "sind, eine mit UTC-3 bezeichnete von Uhren, die 3 Stunden hinter UTC sind, und so "
        "weiter; Tag 1 ist überall dasselbe Datum, Tag 0 das Datum davor. "
    ),
    "zh": (
        "标有UTC+3的时间取自比UTC快3小时的时钟，标有UTC-3的时间取自比UTC慢3小时的时钟，依此类"
        "推；第1天在各地是同一个日期，第0天是它的前一天。"
    ),
    "es": (
        "Una hora marcada con UTC+3 se lee en relojes que van 3 horas por delante de UTC, una "
        "marcada con UTC-3 en relojes que van 3 horas por detrás de UTC, y así sucesivamente; "
        "el día 1 es la misma fecha en todas partes, y el día 0 la fecha anterior. "
    ),
    "ar": (
        "الوقت المعلَّم بالرمز UTC+3 مقروء من ساعات تسبق UTC بمقدار 3 ساعات، والمعلَّم بالرمز "
        "UTC-3 من ساعات تتأخر عن UTC بمقدار 3 ساعات، وهكذا؛ واليوم 1 هو التاريخ نفسه في كل "
        "مكان، واليوم 0 هو التاريخ الذي قبله. "
    ),
}

ASK: dict[Code, dict[str, str]] = {
    "de": {
        "total": (
            "Wie lang sind diese Zeitspannen insgesamt? Wenn sich Zeitspannen überschneiden, "
            "zählt jede voll."
        ),
        "covered": (
            "Wie lange läuft mindestens eine dieser Zeitspannen? Zeit, die in mehreren liegt, "
            "zählt einmal."
        ),
        "twice": (
            "Wie lange laufen mindestens zwei dieser Zeitspannen gleichzeitig? Auch Zeit, die "
            "in drei oder mehr liegt, zählt einmal."
        ),
    },
    "zh": {
        "total": "这些时间段的总长度是多少？时间段如有重叠，各自全部计入。",
        "covered": "至少有一个时间段在进行的时间一共有多长？同时属于几个时间段的时间只计一次。",
        "twice": (
            "至少有两个时间段同时在进行的时间一共有多长？属于三个或更多时间段的时间也只计一次。"
        ),
    },
    "es": {
        "total": (
            "¿Cuánto duran en total estos intervalos? Si hay intervalos que se solapan, cada "
            "uno cuenta entero."
        ),
        "covered": (
            "¿Durante cuánto tiempo transcurre al menos uno de estos intervalos? El tiempo "
            "que está en varios cuenta una sola vez."
        ),
        "twice": (
            "¿Durante cuánto tiempo transcurren a la vez al menos dos de estos intervalos? El "
            "tiempo que está en tres o más también cuenta una sola vez."
        ),
    },
    "ar": {
        "total": "ما الطول الإجمالي لهذه الفترات؟ إذا تداخلت الفترات حُسبت كل واحدة كاملة.",
        "covered": (
            "كم من الوقت تجري فيه فترة واحدة على الأقل من هذه الفترات؟ الوقت الواقع في عدة "
            "فترات يُحسب مرة واحدة."
        ),
        "twice": (
            "كم من الوقت تجري فيه فترتان على الأقل من هذه الفترات معًا؟ الوقت الواقع في ثلاث "
            "فترات أو أكثر يُحسب مرة واحدة أيضًا."
        ),
    },
}

SHAPE: dict[Code, tuple[str, str]] = {
    "de": (
        "Gib Stunden und Minuten an, zum Beispiel „207:05“; es dürfen mehr als 24 Stunden sein.",
        (
            "Gib Stunden, Minuten und Sekunden an, zum Beispiel „207:05:09“; es dürfen mehr "
            "als 24 Stunden sein."
        ),
    ),
    "zh": (
        "请给出小时和分钟，例如“207:05”；小时数可以超过24。",
        "请给出小时、分钟和秒，例如“207:05:09”；小时数可以超过24。",
    ),
    "es": (
        "Da horas y minutos, por ejemplo «207:05»; las horas pueden ser más de 24.",
        "Da horas, minutos y segundos, por ejemplo «207:05:09»; las horas pueden ser más de 24.",
    ),
    "ar": (
        "أعطِ الساعات والدقائق، مثل «207:05»؛ ويجوز أن تزيد الساعات على 24.",
        "أعطِ الساعات والدقائق والثواني، مثل «207:05:09»؛ ويجوز أن تزيد الساعات على 24.",
    ),
}
"""The shape of an answer without and with seconds."""


def prompt(task: TimeIntervals, code: Code) -> str:
    """The task in a language."""
    zones = any(zone for _, _, *both in task.spans for zone in both)
    spans = []
    for number, (begin, end, *shifts) in enumerate(task.spans, 1):
        (day, start), (last, stop) = (
            moment(second, zone, task.seconds)
            for second, zone in zip((begin, end), shifts, strict=True)
        )
        if zones:
            bracketed = "{}（UTC{:+}）" if code == "zh" else "{} (UTC{:+})"
            start, stop = (bracketed.format(*pair) for pair in zip((start, stop), shifts))
        spans.append(SPAN[code].format(number=number, day=day, begin=start, last=last, end=stop))
    return TEXT[code].format(
        spans="\n".join(spans),
        zones=ZONES[code] if zones else "",
        ask=ASK[code][task.what],
        shape=SHAPE[code][task.seconds],
    )


def moment(second: int, zone: int, seconds: bool) -> tuple[int, str]:
    """The number of the day and the time of a second in a time zone.

    >>> moment(90_000, -2, seconds=False)
    (1, '23:00')
    """
    day, rest = divmod(second + 3600 * zone, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}"
    return day + 1, f"{clock}:{rest % 60:02}" if seconds else clock
