"""Queens on a chessboard, in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.grids.n_queens import QUEEN, NQueens
from palaestra.verifiers.reading.values import joined

TOKENS = frozenset({QUEEN})

TEXT: dict[Code, str] = {
    "de": (
        "Stelle {size} Damen auf ein Brett mit {size} Zeilen und {size} Spalten, sodass in "
        "jeder Zeile und jeder Spalte genau eine Dame steht und auf keiner Diagonale, ob lang "
        "oder kurz und in welcher Richtung auch immer, mehr als eine. {queens} davon stehen "
        "schon da und dürfen nicht versetzt werden. „Q“ ist eine Dame und ein Punkt ein "
        "leeres Feld. Es gibt genau eine Lösung.\n\n"
        "{board}\n\nAntworte mit der Spalte der Dame in jeder Zeile, einschließlich der "
        "vorgegebenen, von der obersten Zeile bis zur untersten: {size} Zahlen, durch Kommas "
        "getrennt, wobei 1 die Spalte ganz links ist, zum Beispiel „{example}“ für Damen "
        "entlang einer Diagonale."
    ),
    "zh": (
        "在{size}行{size}列的棋盘上放{size}个皇后，使每一行和每一列都恰好有一个皇后，并且任何"
        "一条斜线（不论长短和方向）上都不超过一个皇后。其中{queens}个已经放好，不能移动。“Q”"
        "表示皇后，点表示空格。恰好有一种放法。\n\n{board}\n"
        "\n请从最上面一行到最下面一行，依次给出每行皇后所在的列（包括已放好的）：共{size}个数，"
        "用英文逗号隔开，最左边的列是1，例如皇后都在一条对角线上时写“{example}”。"
    ),
    "es": (
        "Coloca {size} damas en un tablero de {size} filas y {size} columnas de modo que en "
        "cada fila y en cada columna haya exactamente una dama, y en ninguna diagonal, larga "
        "o corta y en cualquier dirección, más de una. {queens} de ellas ya están puestas y "
        "no se mueven. «Q» es una dama y un punto, una casilla vacía. Hay exactamente una "
        "solución.\n\n{board}\n\nResponde con la columna de la dama de cada fila, incluidas "
        "las dadas, de la fila de arriba a la de abajo: {size} números separados por comas, "
        "donde 1 es la columna de más a la izquierda, por ejemplo «{example}» para damas a lo "
        "largo de una diagonal."
    ),
    "ar": (
        "ضع وزراء عددهم {size} على رقعة عدد صفوفها {size} وعدد أعمدتها {size}، بحيث يكون في "
        "كل صف وفي كل عمود وزير واحد بالضبط، ولا يكون على أي خط قطري، طويلًا كان أو قصيرًا وفي "
        "أي اتجاه، أكثر من وزير واحد. {queens} منهم موضوعون من قبل ولا يجوز تحريكهم. «Q» وزير "
        "والنقطة خانة فارغة. يوجد حل واحد بالضبط.\n\n"
        "{board}\n\nأجب برقم عمود الوزير في كل صف، بما في ذلك الموضوعون من قبل، من الصف "
        "الأعلى إلى الصف الأسفل: أعداد تفصل بينها الفاصلة اللاتينية (,) وعددها {size}، حيث 1 "
        "هو العمود في أقصى اليسار، مثل «{example}» لوزراء على طول خط قطري."
    ),
}


def prompt(task: NQueens, code: Code) -> str:
    """The task in a language."""
    size = len(task.board)
    return TEXT[code].format(
        size=size,
        queens=sum(row.count(QUEEN) for row in task.board),
        board="\n".join(map(" ".join, task.board)),
        example=joined(range(1, size + 1)),
    )
