"""Questions for an exact probability, in other languages: bounds, events and conditions."""

from collections.abc import Sequence

from palaestra.combinators.translations.grammar import Code

BOUNDS: dict[Code, dict[str, str]] = {
    "de": {"exactly": "genau", "at least": "mindestens", "at most": "höchstens"},
    "zh": {"exactly": "恰好", "at least": "至少", "at most": "至多"},
    "es": {"exactly": "exactamente", "at least": "al menos", "at most": "como máximo"},
    "ar": {"exactly": "بالضبط", "at least": "على الأقل", "at most": "على الأكثر"},
}
"""That a number is exact, the least or the most; in Arabic, the words follow the number."""

AND: dict[Code, str] = {"de": " und dass ", "zh": "，并且", "es": ", y además ", "ar": "، و"}

CONDITION: dict[Code, str] = {
    "de": (
        "Es ist bekannt, dass {}. Wie groß ist unter dieser Bedingung die Wahrscheinlichkeit, "
        "dass {}?"
    ),
    "zh": "已知{}。在此条件下，{}的概率是多少？",
    "es": (
        "Se sabe lo siguiente: {}. Con esa condición, ¿cuál es la probabilidad de que se "
        "cumpla lo siguiente: {}?"
    ),
    "ar": "من المعروف ما يلي: {}. بهذا الشرط، ما احتمال أن يتحقق ما يلي: {}؟",
}

QUESTION: dict[Code, str] = {
    "de": "Wie groß ist die Wahrscheinlichkeit, dass {}?",
    "zh": "{}的概率是多少？",
    "es": "¿Cuál es la probabilidad de que se cumpla lo siguiente: {}?",
    "ar": "ما احتمال أن يتحقق ما يلي: {}؟",
}

SHAPE: dict[Code, str] = {
    "de": (
        "Gib die exakte Wahrscheinlichkeit als Bruch an, zum Beispiel „5/13“, in beliebiger "
        "gleichwertiger Form; eine Dezimalzahl zählt nur, wenn sie exakt ist."
    ),
    "zh": "请用分数给出精确的概率，例如“5/13”，任何相等的形式都可以；小数只有在精确时才算对。",
    "es": (
        "Da la probabilidad exacta como fracción, por ejemplo «5/13», en cualquier forma "
        "equivalente; un decimal solo vale si es exacto."
    ),
    "ar": (
        "أعطِ الاحتمال الدقيق على شكل كسر مثل «5/13» بأي صورة مكافئة؛ ولا يُقبل العدد العشري "
        "إلا إذا كان دقيقًا."
    ),
}


def question(code: Code, experiment: str, event: Sequence[str], known: Sequence[str]) -> str:
    """A prompt from the random experiment, the claims that make up the event and the condition.

    Claims are clauses: after "dass" in German, main clauses in the other languages.
    """
    both = [AND[code].join(claims) for claims in (known, event) if claims]
    ask = (CONDITION if known else QUESTION)[code].format(*both)
    return f"{experiment}\n\n{ask}\n\n{SHAPE[code]}"
