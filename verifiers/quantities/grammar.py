r"""How units are written: LaTeX and signs made plain, and the grammar of compounds.

>>> factors("kg m/s^2", {"kg": "KG", "m": "M", "s": "S"}.get)
[('KG', 1), ('M', 1), ('S', -2)]
"""

import re
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from palaestra.verifiers.reading.notation import lowered
from palaestra.verifiers.reading.values import plain

T = TypeVar("T")

Factors = list[tuple[T, int]]
"""Units with their powers."""

POWER = 9
"""The highest power of a unit in a compound."""

MOST = 12
"""How many units a compound may have."""

DEPTH = 8
"""How many brackets a compound may have."""


class NotAUnit(ValueError):
    """A text that is no unit."""


class _Token(NamedTuple):
    sign: str
    touches: bool
    """Whether no blank stands between it and the one before."""


_DRESS = (
    r"\\(?:mathrm|mathsf|mathit|mathbf|text(?:rm|it|bf|sf|normal)?|rm|mbox|operatorname|units?|si"
    r"|left|right|displaystyle|quad|qquad)(?![a-zA-Z])|\\[,;:! ]|~"
)
_FROM_LATEX = [
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"\^?\s?\{?\s?\\(?:circ|degree)(?![a-zA-Z])\s?\}?", "°"),
        (r"\\[dt]?frac(?![a-zA-Z])", "|"),
        (r"\\(?:cdotp?|bullet|ast)(?![a-zA-Z])", "·"),
        (r"\\times(?![a-zA-Z])", "*"),
        (r"\\mu(?![a-zA-Z])", "µ"),
        (r"\\(?:Omega|ohm)(?![a-zA-Z])", "Ω"),
        (r"\\(?:AA|angstrom)(?![a-zA-Z])", "Å"),
        (r"\\ell(?![a-zA-Z])", "ℓ"),
        (r"\\pounds(?![a-zA-Z])", "£"),
        (_DRESS, " "),
        (r"\\(?=[a-zA-Z$%])", " "),
    )
]
_SIGNS = str.maketrans(
    {"μ": "µ", "\u2126": "Ω", "\u212a": "K", "\u212b": "Å", "⋅": "·", "∙": "·", "•": "·", "×": "*"}
    | {"∕": "/", "⁄": "/", "÷": "/", "º": "°", "˚": "°", ".": " "}
    | {"{": "(", "}": ")", "[": "(", "]": ")"}
)
_APART = [
    (re.compile(pattern), joined)
    for pattern, joined in (
        (r"°\s*\(\s*([CFKR])\s*\)", r"°\1"),
        (r"°\s+(?=[CFKR]\b)", "°"),
        (r"µ\s*\(\s*(\w+)\s*\)", r"µ\1"),
        (r"µ\s+", "µ"),
        (r"\(\s*([kMGmnpµ])\s*\)\s*Ω", r"\1Ω"),
    )
]
_PER_CENT = re.compile(r"\bper (cent|mille)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"\s*([A-Z]{0,3}\$|[^\W\d_]+|°[CFKR](?![^\W\d_])|\d+|\*\*|[°|/*^()·+\-%‰€£¥₹₩₽₺¢℃℉℧])"
)
_BEFORE = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_AFTER = {"squared": 2, "cubed": 3}
_ENDS = ("per", *_AFTER)


def made_plain(text: str) -> str:
    r"""Return a text without LaTeX and with normalised characters.

    >>> made_plain(r"\mathrm{kg}\cdot\mathrm{m}^{2}"), made_plain("m s⁻²")
    ('(kg)· (m)^(2)', 'm s^-2')
    """
    text = plain(text)
    if len(text) > 2 and text[0] == text[-1] == "$":
        text = text[1:-1]
    if "\\" in text or "~" in text:
        for pattern, sign in _FROM_LATEX:
            text = pattern.sub(sign, text)
    text = text.translate(_SIGNS).replace("()", "")
    if not text.isascii():
        text = lowered(text)
        for pattern, joined in _APART:
            text = pattern.sub(joined, text)
    return _PER_CENT.sub(r"per\1", text).strip()


def factors(text: str, find: Callable[[str], T | None]) -> Factors[T]:
    """The units in a compound, with their powers.

    ``find`` looks up a word, a phrase or the number in ``litres per 100 km``. Raises
    :class:`NotAUnit` for what is no compound of units.
    """
    return _Parser(_tokens(made_plain(text)), find).whole()


def _tokens(text: str) -> list[_Token]:
    if text.count("(") > DEPTH:
        raise NotAUnit
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise NotAUnit
        tokens.append(_Token(match[1], match.start(1) == position))
        position = match.end()
    return tokens


def _raised(product: Factors[T], power: int) -> Factors[T]:
    return [(one, old * power) for one, old in product]


class _Parser(Generic[T]):
    """Recursive descent; it goes as deep as the brackets do."""

    def __init__(self, tokens: list[_Token], find: Callable[[str], T | None]) -> None:
        self.tokens = [*tokens, _Token("", False)]
        self.find = find
        self.position = 0

    @property
    def next(self) -> str:
        return self.tokens[self.position].sign

    def take(self, *signs: str) -> bool:
        """Skip the next token if it is one of these; return whether it was."""
        if self.next in signs and self.next:
            self.position += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise NotAUnit

    def whole(self) -> Factors[T]:
        parsed = self.quotient()
        if self.next or not 0 < len(parsed) <= MOST:
            raise NotAUnit
        if not all(0 < abs(power) <= POWER for _, power in parsed):
            raise NotAUnit
        return parsed

    def quotient(self) -> Factors[T]:
        """Products between slashes, ``per`` and stars; ``1/s`` and ``per second`` too."""
        if self.next == "1" and self.tokens[self.position + 1].sign in ("/", "per"):
            self.position += 1
        parsed = [] if self.next in ("/", "per") else self.product()
        while self.next in ("/", "per", "*"):
            below = not self.take("*")
            self.position += below
            if below and self.next.isdecimal() and len(self.next) <= 6:
                parsed += [(self.unit_of(self.next), -1)]
                self.position += 1
            parsed += _raised(self.product(), -1 if below else 1)
        return parsed

    def product(self) -> Factors[T]:
        """Units side by side, or joined by a dot or a hyphen."""
        parsed = self.factor()
        while self.take("·", "-") or self.next not in ("", "/", "per", "*", ")"):
            parsed += self.factor()
        return parsed

    def factor(self) -> Factors[T]:
        power = _BEFORE.get(self.next.casefold(), 1)
        self.position += power > 1
        parsed = self.bracket() if self.next in ("(", "|") else self.word()
        return _raised(parsed, power * self.power())

    def bracket(self) -> Factors[T]:
        """Read the content of brackets, or a fraction of two of them."""
        if self.take("|"):
            above = self.bracket()
            return above + _raised(self.bracket(), -1)
        self.expect("(")
        inner = self.quotient()
        self.expect(")")
        return inner

    def word(self) -> Factors[T]:
        """A unit by its symbol or name, which may have up to three words."""
        words, ends = self.ahead()
        for count in range(len(words), 0, -1):
            parsed = self.find(" ".join(words[:count]))
            if parsed is not None:
                self.position = ends[count - 1]
                return [(parsed, 1)]
        if words and words[0][:2] in _BEFORE:  # such as sqft
            self.position += 1
            return [(self.unit_of(words[0][2:]), _BEFORE[words[0][:2]])]
        raise NotAUnit

    def ahead(self) -> tuple[list[str], list[int]]:
        """Return the next words and the position after each; hyphens may separate them."""
        words: list[str] = []
        ends: list[int] = []
        position = self.position
        while len(words) < 3:
            sign = self.tokens[position].sign
            position += 1
            if sign == "-" and words:
                continue
            if not sign or sign[0] in "/*^()·+-|" or sign[0].isdecimal() or sign in _ENDS:
                break
            words.append(sign)
            ends.append(position)
        return words, ends

    def unit_of(self, word: str) -> T:
        parsed = self.find(word)
        if parsed is None:
            raise NotAUnit
        return parsed

    def power(self) -> int:
        """Return the exponent of the last unit, 1 if none is written."""
        if self.next.casefold() in _AFTER:
            self.position += 1
            return _AFTER[self.tokens[self.position - 1].sign.casefold()]
        if self.take("^", "**"):
            if not self.take("("):
                return self.exponent()
            power = self.exponent()
            self.expect(")")
            return power
        return self.exponent() if self.at_exponent() else 1

    def at_exponent(self) -> bool:
        """Whether digits touch the unit, as in ``m2`` and ``s-1``, or a minus touches digits."""
        first = self.tokens[self.position]
        if first.sign.isdecimal():
            return first.touches
        second = self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        return first.sign == "-" and second.touches and second.sign.isdecimal()

    def exponent(self) -> int:
        sign = -1 if self.take("-") else 1
        self.take("+")
        digits = self.next
        if not digits.isdecimal() or len(digits) > 2:
            raise NotAUnit
        self.position += 1
        return sign * int(digits)
