"""Rebuilding stacks of blocks, in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.planning.blocksworld import COLORS, LETTERS, Blocksworld

TOKENS = frozenset({"move", "onto", "to", "table", *COLORS, *LETTERS})

TEXT: dict[Code, str] = {
    "de": (
        "Es gibt Klötze mit den Namen {names}; jeder liegt auf dem Tisch oder auf einem "
        "anderen Klotz. Ein Zug bewegt einen Klotz, auf dem keiner liegt, entweder auf einen "
        "anderen Klotz, auf dem keiner liegt, oder auf den Tisch, der Platz für alle hat.\n"
        "\nStart:\n{start}\n\nZiel:\n{goal}\n\nGelange vom Start zum Ziel in höchstens "
        "{limit} Zügen. Auf die Reihenfolge der Stapel auf dem Tisch kommt es nicht an. "
        "Schreibe einen Zug pro Zeile, auf Englisch: „move {one} onto {other}“ (bewege {one} "
        "auf {other}) oder „move {one} to table“ (bewege {one} auf den Tisch)."
    ),
    "zh": (
        "有若干块积木，名称是{names}；每块积木要么在桌子上，要么在另一块积木上。一步移动一块"
        "上面没有积木的积木，把它放到另一块上面没有积木的积木上，或者放到桌子上，桌子放得下所"
        "有积木。\n\n起始状态：\n{start}\n\n目标状态：\n"
        "{goal}\n\n请用最多{limit}步从起始状态到达目标状态。桌上各堆积木的顺序无关紧要。每行"
        "写一步，使用英文写法“move {one} onto {other}”（把{one}放到{other}上）或“move {one} "
        "to table”（把{one}放到桌子上）。"
    ),
    "es": (
        "Hay bloques llamados {names}; cada uno está sobre la mesa o sobre otro bloque. Un "
        "movimiento lleva un bloque que no tiene ninguno encima a otro bloque que no tiene "
        "ninguno encima, o a la mesa, donde hay sitio para todos.\n"
        "\nInicio:\n{start}\n\nMeta:\n{goal}\n\nLlega del inicio a la meta en {limit} "
        "movimientos como máximo. El orden de las pilas sobre la mesa no importa. Escribe un "
        "movimiento por línea, en inglés: «move {one} onto {other}» (mueve {one} sobre "
        "{other}) o «move {one} to table» (mueve {one} a la mesa)."
    ),
    "ar": (
        "توجد مكعبات أسماؤها {names}؛ كل منها على الطاولة أو فوق مكعب آخر. النقلة الواحدة "
        "تأخذ مكعبًا ليس فوقه شيء وتضعه فوق مكعب آخر ليس فوقه شيء، أو على الطاولة التي تتسع "
        "للجميع.\n\nالبداية:\n{start}\n\nالهدف:\n{goal}\n"
        "\nانتقل من البداية إلى الهدف، وعدد النقلات لا يزيد على {limit}. ترتيب الأكوام على "
        "الطاولة لا يهم. اكتب نقلة واحدة في كل سطر بالإنجليزية: «move {one} onto {other}» (ضع "
        "{one} فوق {other}) أو «move {one} to table» (ضع {one} على الطاولة)."
    ),
}

STACK: dict[Code, str] = {
    "de": "Stapel {}, von unten nach oben: {}",
    "zh": "第{}堆，从下到上：{}",
    "es": "Pila {}, de abajo arriba: {}",
    "ar": "الكومة {}، من الأسفل إلى الأعلى: {}",
}

ON: dict[Code, str] = {
    "de": "{} liegt auf {}",
    "zh": "{}在{}上",
    "es": "{} está sobre {}",
    "ar": "{} فوق {}",
}

ON_TABLE: dict[Code, str] = {
    "de": "{} liegt auf dem Tisch",
    "zh": "{}在桌子上",
    "es": "{} está sobre la mesa",
    "ar": "{} على الطاولة",
}


def prompt(task: Blocksworld, code: Code) -> str:
    """The task in a language."""
    return TEXT[code].format(
        names=", ".join(sorted(task.names)),
        start=pictured(task, code, task.start),
        goal=pictured(task, code, task.goal),
        limit=task.move_limit(),
        one=task.names[0],
        other=task.names[1],
    )


def pictured(task: Blocksworld, code: Code, stacks: tuple[tuple[int, ...], ...]) -> str:
    """Stacks in words, in the order of the English prompt."""
    if task.form == "stacks":
        listing = sorted(", ".join(task.names[block] for block in stack) for stack in stacks)
        return "\n".join(STACK[code].format(n, row) for n, row in enumerate(listing, 1))
    lines = {}
    for stack in stacks:
        below, *rest = (task.names[block] for block in stack)
        lines[below] = ON_TABLE[code].format(below)
        for name in rest:
            lines[name] = ON[code].format(name, below)
            below = name
    return "\n".join(lines[name] for name in sorted(lines))
