"""Knights and knaves in other languages."""

from collections.abc import Callable
from typing import Any

from palaestra.combinators.translations.grammar import Code, Name, upper
from palaestra.envs.logic.knights_and_knaves import KnightsAndKnaves

TOKENS = frozenset({"knight", "knave"})

TEXT: dict[Code, str] = {
    "de": (
        "Auf einer Insel ist jeder Bewohner entweder ein Ritter, der nur wahre Aussagen "
        "macht, oder ein Schurke, der nur falsche Aussagen macht.\n"
        "\n{claims}\n\nWer ist ein Ritter, und wer ist ein Schurke? Schreibe für jede Person "
        "eine Zeile, mit dem englischen Wort „knight“ für Ritter und „knave“ für Schurke, zum "
        "Beispiel „{name}: knight“ oder „{name}: knave“."
    ),
    "zh": (
        "某个岛上的每个居民要么是骑士，要么是无赖：骑士只说真话，无赖只说假话。\n"
        "\n{claims}\n\n谁是骑士，谁是无赖？每人写一行，骑士用英文单词“knight”，无赖用“knave”，"
        "例如“{name}: knight”或“{name}: knave”。"
    ),
    "es": (
        "En una isla, cada habitante es o bien un caballero, que solo hace afirmaciones "
        "verdaderas, o bien un bribón, que solo hace afirmaciones falsas.\n"
        "\n{claims}\n\n¿Quién es caballero y quién es bribón? Escribe una línea para cada "
        "persona, con la palabra inglesa «knight» para caballero y «knave» para bribón, por "
        "ejemplo «{name}: knight» o «{name}: knave»."
    ),
    "ar": (
        "في إحدى الجزر، كل ساكن إما فارس لا يقول إلا الصدق، وإما محتال لا يقول إلا الكذب.\n"
        "\n{claims}\n\nمن الفارس ومن المحتال؟ اكتب سطرًا لكل شخص، بالكلمة الإنجليزية «knight» "
        "للفارس و«knave» للمحتال، مثل «{name}: knight» أو «{name}: knave»."
    ),
}

SPEECH: dict[Code, str] = {"de": "{}: „{}“", "zh": "{}：“{}”", "es": "{}: «{}»", "ar": "{}: «{}»"}

ATOM: dict[Code, dict[bool, tuple[str, str]]] = {
    "de": {
        True: ("ich bin ein Ritter", "{P} ist ein Ritter"),
        False: ("ich bin ein Schurke", "{P} ist ein Schurke"),
    },
    "zh": {True: ("我是骑士", "{P}是骑士"), False: ("我是无赖", "{P}是无赖")},
    "es": {
        True: ("yo soy caballero", "{P} es caballero"),
        False: ("yo soy bribón", "{P} es bribón"),
    },
    "ar": {
        True: ("أنا {P:فارس|فارسة}", "{P} {P:فارس|فارسة}"),
        False: ("أنا {P:محتال|محتالة}", "{P} {P:محتال|محتالة}"),
    },
}
"""That the speaker, or somebody else, has a role."""

LINKS: dict[Code, dict[str, str]] = {
    "de": {
        "not": "es trifft nicht zu: {}",
        "and": "{} und {}",
        "or": "{} oder {}",
        "iff": "{} gilt genau dann, wenn gilt: {}",
    },
    "zh": {"not": "并非{}", "and": "{}并且{}", "or": "{}或者{}", "iff": "{}当且仅当{}"},
    "es": {
        "not": "no se cumple lo siguiente: {}",
        "and": "{} y {}",
        "or": "{} o {}",
        "iff": "{} si y solo si {}",
    },
    "ar": {
        "not": "ليس صحيحًا ما يلي: {}",
        "and": "{} و {}",
        "or": "{} أو {}",
        "iff": "{} إذا وفقط إذا {}",
    },
}


def prompt(task: KnightsAndKnaves, code: Code) -> str:
    """The task in a language."""
    claims = "\n".join(speech(task, code, speaker) for speaker in range(len(task.names)))
    return TEXT[code].format(claims=claims, name=task.names[0])


def speech(task: KnightsAndKnaves, code: Code, speaker: int) -> str:
    """The claim of a person."""

    def atom(who: int, knight: bool) -> str:
        return ATOM[code][knight][who != speaker].format(P=Name(task.names[who]))

    claim = clause(code, task.claims[speaker], atom)
    return SPEECH[code].format(task.names[speaker], upper(claim) if code == "de" else claim)


def clause(code: Code, claim: tuple[Any, ...], atom: Callable[[int, bool], str]) -> str:
    """A statement, with brackets around each part that is no atom.

    The German "iff" has them around atoms, too, which are main clauses beside its verb.
    """
    match claim:
        case ("is", fact):
            return atom(fact, True)
        case ("not", ("is", fact)):
            return atom(fact, False)
    link, *parts = claim
    brackets = "（{}）" if code == "zh" else "({})"
    bare = link != "iff" or code != "de"
    texts = [
        text if bare and len(part) == 2 else brackets.format(text)
        for part in parts
        for text in [clause(code, part, atom)]
    ]
    return LINKS[code][link].format(*texts)
