"""The calendar in other languages."""

from palaestra.combinators.translations.grammar import Code, separated
from palaestra.envs.arithmetic.calendar_arithmetic import CalendarArithmetic

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
TOKENS = frozenset(WEEKDAYS)

CALENDAR: dict[Code, str] = {
    "de": (
        "Alle Daten sind im gregorianischen Kalender, der auch für die Jahre vor seiner "
        "Einführung gilt: Jedes durch 4 teilbare Jahr ist ein Schaltjahr, außer denen, die "
        "durch 100, aber nicht durch 400 teilbar sind. Daten werden als Jahr-Monat-Tag "
        "geschrieben."
    ),
    "zh": (
        "所有日期都按公历（格里高利历）计算，该历法也适用于它启用之前的年份：能被4整除的年份"
        "是闰年，但能被100整除而不能被400整除的年份除外。日期写成“年-月-日”。"
    ),
    "es": (
        "Todas las fechas son del calendario gregoriano, que vale también para los años "
        "anteriores a su introducción: todo año divisible entre 4 es bisiesto, salvo los "
        "divisibles entre 100 pero no entre 400. Las fechas se escriben como año-mes-día."
    ),
    "ar": (
        "جميع التواريخ بالتقويم الميلادي الغريغوري، وهو يسري أيضًا على السنوات السابقة "
        "لاعتماده: كل سنة تقبل القسمة على 4 سنة كبيسة، إلا السنوات التي تقبل القسمة على 100 "
        "ولا تقبلها على 400. تُكتب التواريخ على شكل سنة-شهر-يوم."
    ),
}

KNOWN: dict[Code, str] = {
    "de": " Der 2000-01-01 ist ein Samstag.",
    "zh": "2000-01-01是星期六。",
    "es": " El 2000-01-01 es sábado.",
    "ar": " يوم 2000-01-01 هو السبت.",
}

ASK: dict[Code, dict[str, str]] = {
    "de": {
        "between": "Wie viele Tage nach dem {first} liegt der {second}? {number}",
        "after": "Welcher Wochentag und welches Datum sind {apart} Tage nach dem {first}? {both}",
        "working": (
            "Wie viele Tage vom {first} bis zum {second}, beide eingeschlossen, sind weder "
            "ein Samstag noch ein Sonntag? {number}"
        ),
        "nth": (
            "Wie viele Tage nach dem {first} liegt der {nth} {weekday} im {month} {year}? {number}"
        ),
    },
    "zh": {
        "between": "{second}在{first}之后多少天？{number}",
        "after": "{first}之后{apart}天是星期几，日期是什么？{both}",
        "working": (
            "从{first}到{second}（首尾两天都算在内），有多少天既不是星期六也不是星期日？{number}"
        ),
        "nth": "{year}年{month}的第{nth}个{weekday}是在{first}之后多少天？{number}",
    },
    "es": {
        "between": "¿Cuántos días después del {first} es el {second}? {number}",
        "after": "¿Qué día de la semana y qué fecha son {apart} días después del {first}? {both}",
        "working": (
            "¿Cuántos días del {first} al {second}, ambos incluidos, no son ni sábado ni "
            "domingo? {number}"
        ),
        "nth": (
            "¿Cuántos días después del {first} es el {nth} {weekday} de {month} de {year}? {number}"
        ),
    },
    "ar": {
        "between": (
            "كم عدد الأيام من {first} إلى {second}، إذا لم يُحسب اليوم الأول وحُسب الثاني؟ {number}"
        ),
        "after": "ما يوم الأسبوع وما التاريخ بعد {first} بعدد من الأيام هو {apart}؟ {both}",
        "working": (
            "كم يومًا من {first} إلى {second}، مع احتساب اليومين كليهما، ليس يوم سبت ولا يوم "
            "أحد؟ {number}"
        ),
        "nth": (
            "كم عدد الأيام من {first} إلى يوم {weekday} {nth} من شهر {month} سنة {year}، إذا "
            "لم يُحسب اليوم الأول وحُسب الأخير؟ {number}"
        ),
    },
}

NUMBER: dict[Code, str] = {
    "de": "Gib eine ganze Zahl an, zum Beispiel „1234“.",
    "zh": "请给出一个整数，例如“1234”。",
    "es": "Da un número entero, por ejemplo «1234».",
    "ar": "أعطِ عددًا صحيحًا مثل «1234».",
}

BOTH: dict[Code, str] = {
    "de": (
        "Gib beides an, den Wochentag mit seinem englischen Namen ({weekdays}) und das Datum "
        "als Jahr-Monat-Tag, zum Beispiel „Friday 1987-06-05“."
    ),
    "zh": (
        "两者都要给出：星期用英文名称（{weekdays}），日期写成“年-月-日”，例如“Friday 1987-06-05”。"
    ),
    "es": (
        "Da ambas cosas, el día de la semana con su nombre inglés ({weekdays}) y la fecha "
        "como año-mes-día, por ejemplo «Friday 1987-06-05»."
    ),
    "ar": (
        "أعطِ الاثنين: يوم الأسبوع باسمه الإنجليزي ({weekdays}) والتاريخ على شكل سنة-شهر-يوم، "
        "مثل «Friday 1987-06-05»."
    ),
}

DAYS: dict[Code, str] = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "zh": "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "ar": "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد",
}

MONTHS: dict[Code, str] = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "zh": "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
    "es": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}

NTH: dict[Code, str] = {
    "de": "erste zweite dritte vierte",
    "zh": "一 二 三 四",
    "es": "primer segundo tercer cuarto",
    "ar": "الأول الثاني الثالث الرابع",
}


def prompt(task: CalendarArithmetic, code: Code) -> str:
    """The task in a language."""
    days = DAYS[code].split()
    equals = "{}＝{}" if code == "zh" else "{} = {}"
    weekdays = separated(code, [equals.format(*pair) for pair in zip(WEEKDAYS, days)])
    ask = ASK[code][task.what].format(
        first=task.first.isoformat(),
        second=task.second.isoformat(),
        apart=(task.second - task.first).days,
        nth=NTH[code].split()[(task.second.day - 1) // 7 % 4],
        weekday=days[task.weekday],
        month=MONTHS[code].split()[task.second.month - 1],
        year=task.second.year,
        number=NUMBER[code],
        both=BOTH[code].format(weekdays=weekdays),
    )
    known = "" if task.what == "between" else KNOWN[code]
    return f"{CALENDAR[code]}{known}\n\n{ask}"
