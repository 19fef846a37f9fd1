"""Sudoku in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.grids.sudoku import Sudoku

TOKENS = frozenset[str]()

TEXT: dict[Code, str] = {
    "de": (
        "Hier ist ein Sudoku mit {size} Zeilen und {size} Spalten, eingeteilt in Blöcke von "
        "{height} Zeilen mal {width} Spalten. Setze in jede leere Zelle, die als Punkt "
        "dargestellt ist, eine Zahl von 1 bis {size}, sodass jede Zeile, jede Spalte und "
        "jeder Block jede Zahl von 1 bis {size} genau einmal enthält. Die vorgegebenen Zahlen "
        "müssen bleiben. Es gibt genau eine Lösung.\n"
        "\n{board}\n\nAntworte mit dem ganzen Gitter einschließlich der vorgegebenen Zahlen: "
        "{size} Zeilen zu {size} Zahlen, durch Leerzeichen getrennt. Eine Zeile sieht aus wie "
        "„{example}“."
    ),
    "zh": (
        "这是一个{size}行{size}列的数独，分成若干个{height}行{width}列的宫。在每个空格（用点"
        "表示）中填入1到{size}的一个数，使每一行、每一列和每一宫都恰好包含1到{size}的每个数各"
        "一次。已给出的数不能改变。恰好有一种填法。\n"
        "\n{board}\n\n请给出整个方格，包括已给出的数：共{size}行，每行{size}个数，用空格隔开。"
        "一行形如“{example}”。"
    ),
    "es": (
        "Este es un sudoku de {size} filas y {size} columnas, dividido en cajas de {height} "
        "filas por {width} columnas. Pon un número del 1 al {size} en cada casilla vacía, que "
        "se muestra como un punto, de modo que cada fila, cada columna y cada caja contenga "
        "cada número del 1 al {size} exactamente una vez. Los números dados no se cambian. "
        "Hay exactamente una solución.\n\n{board}\n\n"
        "Responde con la cuadrícula entera, incluidos los números dados: {size} líneas de "
        "{size} números separados por espacios. Una línea es como «{example}»."
    ),
    "ar": (
        "هذه شبكة سودوكو عدد صفوفها {size} وعدد أعمدتها {size}، مقسمة إلى أقسام في كل منها "
        "{height} من الصفوف و {width} من الأعمدة. ضع عددًا من 1 إلى {size} في كل خلية فارغة، "
        "وهي المبينة بنقطة، بحيث يحتوي كل صف وكل عمود وكل قسم على كل عدد من 1 إلى {size} مرة "
        "واحدة بالضبط. يجب أن تبقى الأعداد المعطاة كما هي. يوجد حل واحد بالضبط.\n"
        "\n{board}\n\nأجب بالشبكة كاملة مع الأعداد المعطاة: عدد الأسطر {size}، وفي كل سطر "
        "أعداد تفصل بينها مسافات، عددها {size}. يبدو السطر هكذا: «{example}»."
    ),
}


def prompt(task: Sudoku, code: Code) -> str:
    """The task in a language."""
    size = task.height * task.width
    return TEXT[code].format(
        size=size,
        height=task.height,
        width=task.width,
        board=task.board(),
        example=" ".join(map(str, range(size, 0, -1))),
    )
