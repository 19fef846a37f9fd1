"""The Tower of Hanoi in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.planning.tower_of_hanoi import LETTERS, TowerOfHanoi

TOKENS = frozenset(LETTERS)

TEXT: dict[Code, str] = {
    "de": (
        "Auf {pegs} Stäben liegen {disks} Scheiben verschiedener Größe, 1 die kleinste und "
        "{disks} die größte. Ein Zug nimmt die oberste Scheibe eines Stabs und legt sie auf "
        "einen anderen; nie darf eine Scheibe auf einer kleineren liegen. Die Scheiben jedes "
        "Stabs sind von unten nach oben aufgeführt.\n"
        "\nStart:\n{start}\n\nZiel:\n{goal}\n\nGelange vom Start zum Ziel in höchstens "
        "{limit} Zügen. Schreibe einen Zug pro Zeile, den Stab, den eine Scheibe verlässt, "
        "und den, auf den sie kommt, zum Beispiel „A -> C“."
    ),
    "zh": (
        "{pegs}根柱子上有{disks}个大小不同的圆盘，1号最小，{disks}号最大。一步取下一根柱子最"
        "上面的圆盘，放到另一根柱子的最上面；圆盘绝不能放在比它小的圆盘上。每根柱子上的圆盘从"
        "下到上列出。\n\n起始状态：\n{start}\n\n目标状态：\n"
        "{goal}\n\n请用最多{limit}步从起始状态到达目标状态。每行写一步，即圆盘离开的柱子和到"
        "达的柱子，例如“A -> C”。"
    ),
    "es": (
        "En {pegs} varillas hay {disks} discos de distinto tamaño, el 1 el más pequeño y el "
        "{disks} el más grande. Un movimiento toma el disco superior de una varilla y lo pone "
        "encima de otra; un disco nunca debe quedar sobre otro menor. Los discos de cada "
        "varilla se enumeran de abajo arriba.\n\nInicio:\n"
        "{start}\n\nMeta:\n{goal}\n\nLlega del inicio a la meta en {limit} movimientos como "
        "máximo. Escribe un movimiento por línea, la varilla que deja un disco y aquella a la "
        "que va, por ejemplo «A -> C»."
    ),
    "ar": (
        "على {pegs} أعمدة توجد أقراص مختلفة الحجم عددها {disks}، القرص 1 هو الأصغر والقرص "
        "{disks} هو الأكبر. النقلة الواحدة تأخذ القرص الأعلى من عمود وتضعه فوق عمود آخر؛ ولا "
        "يجوز أبدًا أن يكون قرص فوق قرص أصغر منه. أقراص كل عمود مذكورة من الأسفل إلى الأعلى.\n"
        "\nالبداية:\n{start}\n\nالهدف:\n{goal}\n\nانتقل من البداية إلى الهدف، وعدد النقلات لا "
        "يزيد على {limit}. اكتب نقلة واحدة في كل سطر: العمود الذي يغادره القرص ثم العمود الذي "
        "يذهب إليه، مثل «A -> C»."
    ),
}

EMPTY: dict[Code, str] = {"de": "leer", "zh": "空", "es": "vacía", "ar": "فارغ"}


def prompt(task: TowerOfHanoi, code: Code) -> str:
    """The task in a language."""
    return TEXT[code].format(
        pegs=task.pegs,
        disks=len(task.start),
        start=pictured(task, code, task.start),
        goal=pictured(task, code, task.goal),
        limit=task.limit,
    )


def pictured(task: TowerOfHanoi, code: Code, state: tuple[int, ...]) -> str:
    """An arrangement in lines of text."""
    line = "{}：{}" if code == "zh" else "{}: {}"
    rows = (
        [str(disk + 1) for disk in reversed(range(len(state))) if state[disk] == peg]
        for peg in range(task.pegs)
    )
    return "\n".join(
        line.format(letter, " ".join(row) or EMPTY[code]) for letter, row in zip(LETTERS, rows)
    )
