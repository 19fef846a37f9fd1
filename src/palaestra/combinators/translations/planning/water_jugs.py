"""Measuring with jugs, in other languages."""

from palaestra.combinators.translations.grammar import Code, Counted
from palaestra.envs.planning.water_jugs import NAMES, WaterJugs

TOKENS = frozenset({"fill", "empty", "pour", "into", *NAMES})

LITRE = Counted("لتر", "لتران", "لترات", "لترًا")

TEXT: dict[Code, str] = {
    "de": (
        "Es gibt Krüge ohne Markierungen und einen Wasserhahn. So viel fasst jeder Krug, wenn "
        "er voll ist:\n{jugs}\n\nEin Schritt ist einer der folgenden: einen Krug am Hahn bis "
        "zum Rand füllen, einen Krug in den Abfluss leeren oder aus einem Krug in einen "
        "anderen gießen, bis der erste leer oder der zweite voll ist.\n"
        "\nErreiche in höchstens {limit} Schritten, dass Krug {jug} am Ende genau {amount} "
        "enthält; was die anderen Krüge enthalten, spielt keine Rolle. Schreibe einen Schritt "
        "pro Zeile, mit den englischen Wörtern „fill A“ (A füllen), „empty B“ (B leeren) oder "
        "„pour A into B“ (aus A in B gießen)."
    ),
    "zh": (
        "有几个没有刻度的水罐和一个水龙头。每个水罐装满时的容量如下：\n"
        "{jugs}\n\n一步是以下操作之一：在水龙头下把一个水罐装满；把一个水罐里的水全部倒进下水"
        "道；把一个水罐里的水倒入另一个水罐，直到前者倒空或后者装满为止。\n"
        "\n请用最多{limit}步，使水罐{jug}最后恰好装有{amount}水；其他水罐里有多少水无关紧要。"
        "每行写一步，使用英文写法“fill A”（装满A）、“empty B”（倒空B）或“pour A into B”（把A"
        "倒入B）。"
    ),
    "es": (
        "Hay jarras sin marcas y un grifo. Esto es lo que cabe en cada jarra cuando está "
        "llena:\n{jugs}\n\nUn paso es uno de estos: llenar una jarra en el grifo hasta el "
        "borde, vaciar una jarra en el desagüe o verter de una jarra a otra hasta que la "
        "primera quede vacía o la segunda llena.\n\n"
        "Consigue que la jarra {jug} contenga al final exactamente {amount}, en {limit} pasos "
        "como máximo; no importa lo que contengan las demás jarras. Escribe un paso por "
        "línea, con las palabras inglesas «fill A» (llenar A), «empty B» (vaciar B) o «pour A "
        "into B» (verter A en B)."
    ),
    "ar": (
        "توجد جرار بلا علامات وصنبور ماء. هذه سعة كل جرة عندما تكون ممتلئة:\n"
        "{jugs}\n\nالخطوة واحدة مما يلي: ملء جرة من الصنبور حتى حافتها، أو تفريغ جرة في "
        "المصرف، أو الصب من جرة في أخرى حتى تفرغ الأولى أو تمتلئ الثانية.\n"
        "\nاجعل الجرة {jug} تحتوي في النهاية على {amount} بالضبط، وعدد الخطوات المسموح به لا "
        "يزيد على {limit}؛ ولا يهم ما تحتويه الجرار الأخرى. اكتب خطوة واحدة في كل سطر "
        "بالكلمات الإنجليزية: «fill A» (ملء A) أو «empty B» (تفريغ B) أو «pour A into B» (صب "
        "A في B)."
    ),
}

JUG: dict[Code, tuple[str, str]] = {
    "de": ("{name}: {size}; am Anfang voll", "{name}: {size}; am Anfang leer"),
    "zh": ("{name}：{size}；开始时是满的", "{name}：{size}；开始时是空的"),
    "es": ("{name}: {size}; al principio está llena", "{name}: {size}; al principio está vacía"),
    "ar": ("{name}: {size}؛ ممتلئة في البداية", "{name}: {size}؛ فارغة في البداية"),
}
"""A jug that is full at the start, and one that is empty."""


def prompt(task: WaterJugs, code: Code) -> str:
    """The task in a language."""
    jugs = (
        JUG[code][not held].format(name=name, size=litres(code, size))
        for name, size, held in zip(NAMES, task.sizes, task.start)
    )
    return TEXT[code].format(
        jugs="\n".join(jugs),
        jug=NAMES[task.jug],
        amount=litres(code, task.amount),
        limit=task.move_limit(),
    )


def litres(code: Code, number: int) -> str:
    """A number of litres.

    >>> litres("es", 1), litres("de", 5)
    ('1 litro', '5 Liter')
    """
    match code:
        case "de":
            return f"{number} Liter"
        case "zh":
            return f"{number}升"
        case "es":
            return f"{number} litro{'s' * (number != 1)}"
    return LITRE.with_number(number)
