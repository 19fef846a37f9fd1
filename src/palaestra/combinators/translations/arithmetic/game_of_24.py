"""The game of 24 in other languages."""

from palaestra.combinators.translations.grammar import Code, separated
from palaestra.envs.arithmetic.game_of_24 import GameOf24
from palaestra.verifiers.reading.values import joined

TOKENS = frozenset({"impossible"})

TEXT: dict[Code, str] = {
    "de": (
        "Finde zu jedem dieser Blätter einen Ausdruck mit dem Wert {target}, oder stelle "
        "fest, dass es keinen gibt:\n\n{hands}\n\nEin Ausdruck verwendet jede Zahl des Blatts "
        "genau einmal (eine Zahl, die zweimal dasteht, zweimal) und keine anderen; Zahlen "
        "dürfen nicht zu längeren Zahlen verbunden werden. Zwischen den Zahlen stehen nur die "
        "Zeichen {signs} und, wo nötig, runde Klammern; nicht alle Zeichen müssen vorkommen."
        "{division} Die Blätter sind voneinander unabhängig.\n"
        "\nSchreibe für jedes Blatt eine Zeile: seine Nummer, einen Doppelpunkt und nur den "
        "Ausdruck, zum Beispiel „1: (9 - 1) * 7 - 3“, oder, wenn kein Ausdruck diesen Wert "
        "hat, das englische Wort „impossible“ (unmöglich), zum Beispiel „1: impossible“."
    ),
    "zh": (
        "为下列每组数找出一个值为{target}的算式，或者说明不存在这样的算式：\n"
        "\n{hands}\n\n算式必须恰好使用该组中的每个数各一次（列出两次的数用两次），不能使用其"
        "他数；不能把几个数拼成更长的数。数与数之间只能用{signs}这些符号，必要时加圆括号；不"
        "必用到所有符号。{division}各组数互不相关。\n"
        "\n每组写一行：组号、英文冒号，然后只写算式，例如“1: (9 - 1) * 7 - 3”；如果没有算式等"
        "于该值，就写英文单词“impossible”（不可能），例如“1: impossible”。"
    ),
    "es": (
        "Para cada una de estas manos, encuentra una expresión con el valor {target}, o "
        "indica que no la hay:\n\n{hands}\n\nUna expresión usa cada número de la mano "
        "exactamente una vez (un número que aparece dos veces, dos veces) y ningún otro; los "
        "números no se pueden unir para formar números más largos. Entre los números solo van "
        "los signos {signs}, con paréntesis donde hagan falta; no es necesario que aparezcan "
        "todos los signos.{division} Las manos son independientes entre sí.\n"
        "\nEscribe una línea para cada mano: su número, dos puntos y solo la expresión, por "
        "ejemplo «1: (9 - 1) * 7 - 3», o bien, si ninguna expresión tiene ese valor, la "
        "palabra inglesa «impossible» (imposible), por ejemplo «1: impossible»."
    ),
    "ar": (
        "لكل مجموعة من هذه المجموعات، جد تعبيرًا حسابيًا قيمته {target}، أو بيّن أنه لا يوجد:\n"
        "\n{hands}\n\nيستخدم التعبير كل عدد من المجموعة مرة واحدة بالضبط (والعدد المذكور "
        "مرتين يُستخدم مرتين) ولا يستخدم غيرها؛ ولا يجوز وصل الأعداد لتكوين أعداد أطول. لا "
        "يوضع بين الأعداد إلا الإشارات {signs} مع أقواس عادية عند الحاجة؛ ولا يلزم أن تظهر كل "
        "الإشارات.{division} المجموعات مستقلة بعضها عن بعض.\n"
        "\nاكتب سطرًا لكل مجموعة: رقمها ثم نقطتين رأسيتين ثم التعبير وحده، مثل «1: (9 - 1) * 7 "
        "- 3»، أو الكلمة الإنجليزية «impossible» (مستحيل)، مثل «1: impossible»، إذا لم يكن "
        "لأي تعبير هذه القيمة."
    ),
}

DIVISION: dict[Code, str] = {
    "de": " Division ist exakt, es können also Brüche entstehen.",
    "zh": "除法是精确的，因此可以出现分数。",
    "es": " La división es exacta, así que pueden aparecer fracciones.",
    "ar": " القسمة دقيقة، ولذلك قد تظهر كسور.",
}

QUOTED: dict[Code, str] = {"de": "„{}“", "zh": "“{}”", "es": "«{}»", "ar": "«{}»"}


def prompt(task: GameOf24, code: Code) -> str:
    """The task in a language."""
    return TEXT[code].format(
        target=task.target,
        hands="\n".join(f"{n}: {joined(hand)}" for n, hand in enumerate(task.hands, 1)),
        signs=separated(code, [QUOTED[code].format(sign) for sign in task.signs]),
        division=DIVISION[code] if "/" in task.signs else "",
    )
