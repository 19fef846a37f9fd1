r"""What may follow an answer without being part of it: a reason, the range of a parameter."""

import re

_REASON = re.compile(
    r"[\s,;]{0,3}(?:\\text\s?\{)?[\s,;]{0,3}(\(?)\s?(?:since|because|as|by|using|from)(?![a-zA-Z])",
    re.IGNORECASE,
)
_OPENER = re.compile(r"since|because|\((?:as|by|using|from)(?![a-zA-Z])", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:or|not|wrong|incorrect|but|unless|maybe|perhaps|if|instead)\b|\\neq?\b", re.IGNORECASE
)
_BEFORE = (
    r"\\q?quad|\\[,;: ]|~|\(|\\text\s?\{\s?(?:where|for|with)\s?\}|where|for(?: any| all)?|with"
)
_INTEGERS = (
    r"\\in\s?\\(?:mathbb|mathbf|Bbb)\s?\{?\s?Z\s?\}?|\\in\s?Z|\\in\s?\\text\s?\{\s?integers\s?\}"
    r"|\\text\s?\{\s?(?:is )?an integer\s?\}|is an(?:y)? integer|an integer"
)
_RANGE = re.compile(
    rf"\s?[,;]?\s?(?:{_BEFORE})?\s?(?:integer |\\text\s?\{{ ?integer ?\}})?\$?([a-zA-Z])\$?\s?"
    rf"(?:{_INTEGERS})\$?\)?\.?"
)


def without_reason(answer: str) -> str:
    r"""An answer without the reason behind it, or as it is; what may take it back stays.

    >>> [without_reason(text) for text in ("7 (since 3+4=7)", "yes, because 2 < 3", "7 (or 8)")]
    ['7', 'yes', '7 (or 8)']
    """
    if "(" not in answer and "ince" not in answer and "ecause" not in answer:
        return answer
    opener = _OPENER.search(answer, 1)
    if opener is None or _DOUBT.search(answer, opener.start()):
        return answer
    first = opener.start()
    for start in range(max(1, first - 12), first + 1):
        reason = _REASON.match(answer, start)
        if reason is not None and reason.end() > first and _stands(reason, answer):
            return answer[:start].rstrip(" ,;\\")
    return answer


def _stands(reason: re.Match[str], answer: str) -> bool:
    """Whether a reason ends the answer: where it opens with a bracket, that is closed last."""
    rest = answer.rstrip(" .}")
    if not reason[1]:
        return "since" in reason[0].casefold() or "because" in reason[0].casefold()
    depth = 0
    for position in range(reason.start(1), len(rest)):
        depth += {"(": 1, ")": -1}.get(rest[position], 0)
        if not depth:
            return position == len(rest) - 1
    return False


def without_range(answer: str) -> tuple[str, str]:
    r"""An answer without "n is an integer" behind it, and the name of that integer or nothing.

    >>> without_range(r"\frac{\pi}{4} + n\pi, n \in \mathbb{Z}")
    ('\\frac{\\pi}{4} + n\\pi', 'n')
    >>> without_range("2n + 1")
    ('2n + 1', '')
    """
    if "Z" not in answer and "integer" not in answer:
        return answer, ""
    for start in range(1, len(answer)):
        if answer[start] in " ,;(\\" and (match := _RANGE.fullmatch(answer, start)):
            return answer[:start].rstrip(" ,;"), match[1]
    return answer, ""
