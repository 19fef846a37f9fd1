"""Finding a time for a meeting, in other languages."""

from palaestra.combinators.translations.grammar import Code, Name, separated
from palaestra.envs.logic.common_time_slot import CommonTimeSlot

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

TOKENS = frozenset({"earliest", "latest", "UTC", *DAYS})

TEXT: dict[Code, str] = {
    "de": (
        "Diese Personen planen ein Treffen in den Tagen von Montag bis {last}:\n"
        "\n{people}\n\nArbeitszeiten und Pausen sind an jedem Tag dieselben. Tage und "
        "Uhrzeiten jeder Person gelten nach deren eigener Uhr: UTC+3 ist UTC 3 Stunden "
        "voraus, UTC-3 ist 3 Stunden hinter UTC. Gebraucht wird ein Treffen von {length} "
        "Minuten ohne Unterbrechung. Während des ganzen Treffens müssen alle bei der Arbeit "
        "sein und dürfen weder Pause haben noch beschäftigt sein; das Treffen darf genau dann "
        "beginnen, wenn eine Pause oder Beschäftigung endet, und genau dann enden, wenn eine "
        "beginnt. Wann kann es frühestens und wann spätestens beginnen, in UTC? Schreibe zwei "
        "Zeilen, „earliest“ für die früheste und „latest“ für die späteste Zeit, mit den "
        "englischen Wochentagen {days}, zum Beispiel:\n"
        "{example}"
    ),
    "zh": (
        "这些人打算在周一到{last}之间开一次会：\n\n{people}\n"
        "\n每天的工作时间和休息时间都相同。每个人的日期和时间以其本人的时钟为准：UTC+3比UTC快"
        "3小时，UTC-3比UTC慢3小时。他们需要一次不间断的{length}分钟会议。会议期间所有人都必须"
        "在工作时间内，不能在休息，也不能有事；会议可以正好在休息或有事的时段结束时开始，也可"
        "以正好在这类时段开始时结束。会议最早和最晚可以在什么时间开始（按UTC）？写两行，"
        "“earliest”表示最早，“latest”表示最晚，星期用英文：{days}。例如：\n"
        "{example}"
    ),
    "es": (
        "Estas personas planean una reunión en los días de lunes a {last}:\n"
        "\n{people}\n\nEl horario de trabajo y las pausas son iguales todos los días. Los "
        "días y las horas de cada persona son los de su propio reloj: UTC+3 va 3 horas por "
        "delante de UTC, y UTC-3 va 3 horas por detrás. Hace falta una reunión de {length} "
        "minutos sin interrupción. Durante toda la reunión, todas las personas deben estar en "
        "su horario de trabajo, sin pausa ni compromiso; la reunión puede empezar justo "
        "cuando termina una pausa o un compromiso, y terminar justo cuando empieza uno. ¿A "
        "qué hora puede empezar como muy pronto y como muy tarde, en UTC? Escribe dos líneas, "
        "«earliest» para la hora más temprana y «latest» para la más tardía, con los días de "
        "la semana en inglés: {days}. Por ejemplo:\n"
        "{example}"
    ),
    "ar": (
        "يخطط هؤلاء الأشخاص لاجتماع في الأيام من الاثنين إلى {last}:\n"
        "\n{people}\n\nساعات العمل والاستراحات واحدة في كل الأيام. أيام كل شخص وأوقاته بحسب "
        "ساعته هو: UTC+3 يسبق UTC بمقدار 3 ساعات، و UTC-3 يتأخر عنه بمقدار 3 ساعات. المطلوب "
        "اجتماع واحد مدته {length} دقيقة دون انقطاع. يجب أن يكون الجميع طوال الاجتماع في "
        "ساعات العمل، لا في استراحة ولا في انشغال؛ ويجوز أن يبدأ الاجتماع لحظة انتهاء استراحة "
        "أو انشغال، وأن ينتهي لحظة بدء أحدهما. ما أبكر وقت وما آخر وقت يمكن أن يبدأ فيه "
        "بتوقيت UTC؟ اكتب سطرين، «earliest» لأبكر وقت و«latest» لآخر وقت، مع أيام الأسبوع "
        "بالإنجليزية: {days}. مثال:\n{example}"
    ),
}

WEEKDAYS: dict[Code, str] = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
    "zh": "周一 周二 周三 周四 周五 周六",
    "es": "lunes martes miércoles jueves viernes sábado",
    "ar": "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
}

PERSON: dict[Code, dict[str, str]] = {
    "de": {
        "works": "{P} ({zone}) arbeitet von {begin} bis {end} Uhr",
        "break": "hat von {begin} bis {end} Uhr Pause",
        "busy": "ist am {day} von {begin} bis {end} Uhr beschäftigt",
    },
    "zh": {
        "works": "{P}（{zone}）的工作时间是{begin}至{end}",
        "break": "{begin}至{end}休息",
        "busy": "{day}{begin}至{end}有事",
    },
    "es": {
        "works": "{P} ({zone}) trabaja de {begin} a {end}",
        "break": "hace una pausa de {begin} a {end}",
        "busy": "tiene un compromiso el {day} de {begin} a {end}",
    },
    "ar": {
        "works": "{P:يعمل|تعمل} {P} ({zone}) من {begin} إلى {end}",
        "break": "{P:لديه|لديها} استراحة من {begin} إلى {end}",
        "busy": "{P:ينشغل|تنشغل} يوم {day} من {begin} إلى {end}",
    },
}


def prompt(task: CommonTimeSlot, code: Code) -> str:
    """The task in a language."""
    days = WEEKDAYS[code].split()
    gloss = "{}（{}）" if code == "zh" else "{} ({})"
    last = DAYS[task.days - 1]
    return TEXT[code].format(
        last=days[task.days - 1],
        people="\n".join(diary(task, code, n) for n in range(len(task.names))),
        length=task.length,
        days=separated(code, [gloss.format(*pair) for pair in zip(DAYS, days)]),
        example=f"earliest: Monday 06:15\nlatest: {last} 21:05",
    )


def diary(task: CommonTimeSlot, code: Code, n: int) -> str:
    """The working hours, breaks and busy times of a person."""
    mine, words, days = task.diaries[n], PERSON[code], WEEKDAYS[code].split()
    spans = [("works", 0, mine.begin, mine.end)]
    spans += [("break", 0, *times) for times in mine.breaks]
    spans += [("busy", *times) for times in mine.busy]
    texts = [
        words[activity].format(
            P=Name(task.names[n]),
            zone=f"UTC{mine.zone:+}" if mine.zone else "UTC",
            day=days[day],
            begin=clock(begin),
            end=clock(end),
        )
        for activity, day, begin, end in spans
    ]
    semicolon = {"zh": "；", "ar": "؛ "}.get(code, "; ")
    return semicolon.join(texts) + ("。" if code == "zh" else ".")


def clock(minute: int) -> str:
    """A time of day from its minute.

    >>> clock(65)
    '01:05'
    """
    return f"{minute // 60:02}:{minute % 60:02}"
