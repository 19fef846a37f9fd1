r"""Mathematical notation as plain ASCII text, which the readers of expressions have a grammar for.

Models write the same expression in LaTeX, with signs of Unicode, or as in a program. The rules:

- ``·``, ``\cdot`` and ``\times`` are ``*``; ``÷`` and ``\div`` are ``/``; ``\bmod`` is
  ``mod``. All minus signs are ``-``.
- ``\frac{a}{b}`` is ``(a/b)`` for whole numbers, and ``((a)/(b))`` for anything else.
- ``x^{2}``, ``x²`` and ``x^2`` are the same. Braces and square brackets are round brackets.
- ``\left``, ``\right``, spaces of LaTeX, and the marks of a formula (``$``, ``\(``) go; so do
  commas and spaces of LaTeX between thousands.
- ``\sin``, ``\cos``, ``\exp``, ``\mathrm{e}`` and the like are the names without a backslash.

A number directly before a fraction of numbers is a mixed number to some and a product to others,
and is refused; so is any other command. All of it is linear in the length of the text.
"""

import re
from enum import Enum

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

_SIGNS = str.maketrans(
    dict.fromkeys("×·⋅∙•∗✕✖＊", "*")
    | dict.fromkeys("÷∕⁄／", "/")
    | {"＋": "+", "＝": "=", "（": "(", "）": ")", "［": "[", "］": "]", "ˆ": "^"}
)
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+"))
_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_RAISED_BEFORE_DIGIT = re.compile("([⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])(?=[0-9])")
_GROUP = re.compile(r"(?<=[0-9])(?:\{,\}|\\[,;:! ])(?=[0-9]{3}(?![0-9]))")
_SHORT_FRACTION = re.compile(r"(\\[dtc]?frac)\s*+([0-9])\s*+([0-9])")
_FRACTION = re.compile(
    r"\\[dtc]?frac\s*+\{\s*+([+-]?[0-9]++)\s*+\}\s*+\{\s*+([0-9]++)\s*+\}", re.ASCII
)
_MIXED = re.compile(r"[0-9]\s*+\\[dtc]?frac\s*+\{\s*+[0-9]++\s*+\}\s*+\{\s*+[0-9]++\s*+\}")
_POWER = re.compile(r"\^\s*+\{\s*+([+-]?[0-9]++)\s*+\}(?!\s*[0-9])")
_PIECE = re.compile(r"\\([A-Za-z]++)\s*+|\\(.)|([{}\[\]$])|([^\\{}\[\]$]++)", re.DOTALL)
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac"})
_NAMING = frozenset({"mathrm", "operatorname", "text", "textrm", "mathbf", "mathit", "textbf"})
_COMMANDS = {
    "times": "*", "cdot": "*", "ast": "*", "div": "/", "bmod": " mod ", "mod": " mod ",
    "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "displaystyle": "",
    "quad": " ", "qquad": " ", "sin": "sin", "cos": "cos", "exp": "exp", "lbrack": "(",
    "rbrack": ")", "approx": "≈", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠",
}  # fmt: skip


class _Brace(Enum):
    """What an open brace or bracket belongs to."""

    GROUP = ")"
    NAME = ""
    ABOVE = ")/("
    BELOW = "))"


def lowered(text: str) -> str:
    """A text with its raised digits written behind a ``^``.

    >>> lowered("10⁻³ m²")
    '10^-3 m^2'
    """
    return _RAISED_RUN.sub(lambda run: "^" + "".join(_RAISED[sign] for sign in run[0]), text)


def in_ascii(text: str) -> str:
    r"""A text of mathematics without LaTeX and with ASCII signs.

    Raises :class:`InvalidAnswer` for other commands of LaTeX, for braces that do not match, and for
    a number directly before a fraction of numbers.

    >>> in_ascii(r"2 \cdot \left(x^{2} - 3\right) ÷ \frac{1}{2}")
    '2 *(x^2 - 3) / (1/2)'
    >>> in_ascii(r"\frac{x+1}{2} + [3 · 4]²"), in_ascii(r"e^{3x}\sin\left(x\right)")
    ('((x+1)/(2)) + (3 * 4)^2', 'e^(3x)sin(x)')
    """
    body = plain(text)
    if not body.isascii():
        body = lowered(_RAISED_BEFORE_DIGIT.sub(r"\1 ", body.translate(_SIGNS)))
    if "\\" in body or "{" in body:
        body = _SHORT_FRACTION.sub(r"\1{\2}{\3}", _GROUP.sub("", body))
        if _MIXED.search(body):
            raise InvalidAnswer(
                "a number directly before a fraction is a mixed number or a product; write one "
                "fraction, or put '*' between them"
            )
        body = _POWER.sub(r"^\1", _FRACTION.sub(r"(\1/\2)", body))
    if any(sign in body for sign in "\\{}[]$"):
        body = _without_commands(body)
    return body.strip()


def _without_commands(text: str) -> str:
    """A text without commands of LaTeX, braces and square brackets."""
    parts: list[str] = []
    opened: list[_Brace] = []
    pending = _Brace.GROUP  # what the next brace belongs to
    for command, escaped, bracket, rest in _PIECE.findall(text):
        if pending is not _Brace.GROUP and bracket != "{":
            if rest.isspace():
                continue
            raise InvalidAnswer("a command of LaTeX without its braces")
        if command in _FRACTIONS:
            parts.append("((")
            pending = _Brace.ABOVE
        elif command in _NAMING:
            pending = _Brace.NAME
        elif command:
            parts.append(_meaning(command))
        elif bracket == "{" or escaped == "{":
            parts.append("(" if pending is _Brace.GROUP else "")
            opened.append(pending)
            pending = _Brace.GROUP
        elif bracket == "}" or escaped == "}":
            if not opened:
                raise InvalidAnswer("a brace is closed that is not open")
            closed = opened.pop()
            parts.append(closed.value)
            pending = _Brace.BELOW if closed is _Brace.ABOVE else _Brace.GROUP
        elif bracket:
            parts.append({"[": "(", "]": ")"}.get(bracket, ""))
        else:
            parts.append(rest or ("%" if escaped == "%" else " " * (escaped in ",;: !")))
    if opened or pending is not _Brace.GROUP:
        raise InvalidAnswer("a brace is not closed")
    return "".join(parts)


def _meaning(command: str) -> str:
    meaning = _COMMANDS.get(command)
    if meaning is None:
        raise InvalidAnswer(f"the command \\{command[:20]} of LaTeX is not part of this answer")
    return meaning
