"""Sorting pancakes, in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.planning.pancake_sorting import PancakeSorting
from palaestra.verifiers.reading.values import joined

TOKENS = frozenset({"k"})

TEXT: dict[Code, str] = {
    "de": (
        "{size} Pfannkuchen der Größen 1 bis {size} liegen in einem Stapel. Sortiere sie so, "
        "dass der kleinste oben und der größte unten liegt. Ein Wenden nimmt die obersten k "
        "Pfannkuchen und dreht sie zusammen um, sodass ihre Reihenfolge umgekehrt wird.\n"
        "\nDer Stapel von oben nach unten: {stack}\n"
        "\nWende höchstens {limit} Mal. Antworte mit der Zahl k jedes Wendens der Reihe nach, "
        "zum Beispiel „3, 5, 2“."
    ),
    "zh": (
        "大小为1到{size}的{size}张煎饼叠成一摞。请把它们排好，使最小的在最上面，最大的在最下"
        "面。一次翻转把最上面的k张煎饼一起翻过来，使它们的顺序颠倒。\n"
        "\n这一摞从上到下是：{stack}\n\n最多翻转{limit}次。请依次写出每次翻转的k，用英文逗号"
        "隔开，例如“3, 5, 2”。"
    ),
    "es": (
        "Hay una pila de {size} tortitas de tamaños 1 a {size}. Ordénalas de modo que la más "
        "pequeña quede arriba y la más grande abajo. Una vuelta toma las k tortitas de más "
        "arriba y las voltea juntas, de modo que su orden se invierte.\n"
        "\nLa pila, de arriba abajo: {stack}\n\nUsa como máximo {limit} vueltas. Responde con "
        "el número k de cada vuelta, en orden, por ejemplo «3, 5, 2»."
    ),
    "ar": (
        "توجد كومة من {cakes} مقاساتها من 1 إلى {size}. رتّبها بحيث يكون الأصغر في الأعلى "
        "والأكبر في الأسفل. القلبة الواحدة تأخذ الفطائر العليا وعددها k وتقلبها معًا، فينعكس "
        "ترتيبها.\n\nالكومة من الأعلى إلى الأسفل: {stack}\n"
        "\nعدد القلبات لا يزيد على {limit}. أجب بالعدد k لكل قلبة بالترتيب، مثل «3, 5, 2»."
    ),
}


def prompt(task: PancakeSorting, code: Code) -> str:
    """The task in a language."""
    size = len(task.stack)
    return TEXT[code].format(
        size=size,
        cakes=f"{size} فطائر" if size <= 10 else f"{size} فطيرةً",
        stack=joined(task.stack),
        limit=task.move_limit(),
    )
