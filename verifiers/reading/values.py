"""Reading answers into plain values: numbers, fractions, rows, grids, choices, named values.

Every reader takes what people write for the same thing, is linear in the length of the text, and
raises :class:`InvalidAnswer` with what was expected for everything else.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from fractions import Fraction

from palaestra.task import InvalidAnswer

DIGITS = 400
"""How many digits a number may have; no task asks for more, and arithmetic stays instant."""

_INTEGER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?", re.ASCII)
_FRAC = re.compile(r"([+-]?)\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_LAST_DIGITS = re.compile(
    r"(?:\.{3}|\u2026)?(?:\d+(?: \d+)*|\d{1,3}(?:,\d{3})+|\d(?:[,;] ?\d)+)", re.ASCII
)
_PARTED = re.compile(r"\d\s++(?!\d{3}(?!\d))\d")
_NEGATED = re.compile(r"[\s*]*-(?=\w)")
_SEPARATORS = re.compile(r"[\s,;]+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


def plain(text: str) -> str:
    """A text in ASCII signs where those mean the same: digits of any script, minus signs, blanks.

    >>> plain("\u2212\uff14\u0662")
    '-42'
    """
    if text.isascii():
        return text.strip()
    return "".join(_plain_sign(sign) for sign in text).strip()


def _plain_sign(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    if sign in "\u2212\u2010\u2011\u2012\u2013\uff0d":
        return "-"
    if sign in "\u200b\u200c\u200d\u2060\ufeff":
        return ""
    return " " if sign.isspace() else sign


def unspaced(text: str) -> str:
    """A plain text without its blanks, which may part digits only where they part thousands.

    >>> unspaced("2x + 10 000")
    '2x+10000'
    """
    body = plain(text)
    if _PARTED.search(body):
        raise InvalidAnswer("not plain: there is a blank between two digits")
    return "".join(body.split())


def integer(text: str, what: str = "a whole number") -> int:
    """A whole number, thousands separated or not.

    >>> integer("-1,024")
    -1024
    """
    body = plain(text)
    if len(body) > DIGITS or not _INTEGER.fullmatch(body):
        raise InvalidAnswer(f"not {what}")
    return int(body.replace(",", ""))


def rational(text: str, what: str = "a number") -> Fraction:
    r"""A whole number, a fraction or a finite decimal, exactly.

    >>> [str(rational(text)) for text in ("3/6", "0.25", "-\\frac{1}{3}", "2")]
    ['1/2', '1/4', '-1/3', '2']
    """
    body = plain(text)
    if len(body) > 2 * DIGITS:
        raise InvalidAnswer(f"not {what}")
    if framed := _FRAC.fullmatch(body):
        body = f"{framed[1]}{framed[2]}/{framed[3]}"
    above, slash, below = body.partition("/")
    if not slash:
        return _decimal(above, what)
    bottom = integer(below, what)
    if bottom == 0:
        raise InvalidAnswer("a fraction over zero")
    return Fraction(integer(above, what), bottom)


def _decimal(text: str, what: str) -> Fraction:
    if not any(sign.isdigit() for sign in text) or not _DECIMAL.fullmatch(text):
        raise InvalidAnswer(f"not {what}")
    return Fraction(text.replace(",", ""))


def opened(text: str) -> str:
    """What stands inside one pair of brackets, or the text itself where there is none.

    >>> opened("[1, 2]"), opened("(1) (2)")
    ('1, 2', '(1) (2)')
    """
    body = text.strip()
    if len(body) > 1 and _BRACKETS.get(body[0]) == body[-1]:
        inner = body[1:-1]
        if body[0] not in inner and body[-1] not in inner:
            return inner
    return body


def items(text: str, what: str = "a list", most: int = 10_000) -> list[str]:
    """The parts of a list, separated by commas, semicolons or blanks, in brackets or not.

    >>> items("[a, b; c d]")
    ['a', 'b', 'c', 'd']
    """
    parts = [item for item in _SEPARATORS.split(opened(plain(text))) if item]
    if len(parts) > most:
        raise InvalidAnswer(f"not {what}: it has {len(parts)} parts")
    return parts


def integers(
    text: str, length: int | None = None, what: str = "a list of whole numbers"
) -> list[int]:
    """Whole numbers in a row; ``length`` of them, where that is given.

    >>> integers("(3, -1 4)", length=3)
    [3, -1, 4]
    """
    numbers = [integer(item, what) for item in items(text, what)]
    if length is not None and len(numbers) != length:
        raise InvalidAnswer(f"not {what}: {length} were asked for, {len(numbers)} are given")
    return numbers


def digit_row(text: str, length: int, lowest: int, highest: int) -> str:
    """A row of digits, whatever separates them.

    >>> digit_row("1, 3 - 2", length=3, lowest=1, highest=4)
    '132'
    """
    row = "".join(sign for sign in plain(text) if sign.isalnum())
    if not (row.isascii() and row.isdigit()):
        raise InvalidAnswer("not a row of digits")
    if len(row) != length:
        raise InvalidAnswer(f"{len(row)} digits long")
    if not all(lowest <= int(digit) <= highest for digit in row):
        raise InvalidAnswer("a row with digits out of range")
    return row


def last_digits(text: str, length: int) -> str:
    """So many digits with which a number ends: as they stand, one by one, or in groups.

    What would make another number of them, such as a sign, a point or a percent sign, is refused.

    >>> last_digits("...0512", 4), last_digits("0, 5, 1, 2", 4), last_digits("0512 3748", 8)
    ('0512', '0512', '05123748')
    """
    body = opened(plain(text))
    if len(body) > 4 * DIGITS or not _LAST_DIGITS.fullmatch(body):
        raise InvalidAnswer("not a row of digits")
    row = "".join(sign for sign in body if sign.isdigit())
    if len(row) != length:
        raise InvalidAnswer(f"{len(row)} digits long")
    return row


def choice(text: str, options: Collection[str]) -> str:
    """One of several options, in any case.

    >>> choice("Unknown", ["true", "false", "unknown"])
    'unknown'
    """
    known = {option.casefold(): option for option in options}
    words = " ".join(text.casefold().split())
    if words not in known:
        raise InvalidAnswer(f"not one of {', '.join(options)}")
    return known[words]


def pairs(
    text: str,
    names: Collection[str],
    values: Collection[str] | None = None,
    variables: bool = False,
) -> dict[str, str]:
    r"""``name: value`` lines, one for each name, in any order and case.

    The values are taken from ``values`` where those are given, and as they stand otherwise. Where
    the names are ``variables``, a dash right in front of one is a minus sign and not a bullet.

    >>> pairs("bo : Knave\nADA = knight", names=["Ada", "Bo"], values=["knight", "knave"])
    {'Ada': 'knight', 'Bo': 'knave'}
    """
    bare = (line.strip().strip("'\"`") for line in _lines(text))
    lines = [line if ":" in line else line.replace("=", ":", 1) for line in bare]
    by_name: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        key = name.lstrip(" \t-*").rstrip().casefold()
        if not colon or key in by_name or (variables and _NEGATED.match(name)):
            raise InvalidAnswer("not exactly one line 'name: value' for each name")
        by_name[key] = value.strip()
    known_names = {name.casefold(): name for name in names}
    if by_name.keys() != known_names.keys():
        raise InvalidAnswer("not exactly one line 'name: value' for each name")
    if values is not None:
        known_values = {value.casefold(): value for value in values}
        if any(value.casefold() not in known_values for value in by_name.values()):
            raise InvalidAnswer(f"a value other than {', '.join(values)}")
        by_name = {key: known_values[value.casefold()] for key, value in by_name.items()}
    return {name: by_name[key] for key, name in known_names.items()}


def grid(text: str, rows: int, columns: int, signs: Collection[str]) -> list[list[str]]:
    r"""A grid of cells, a line for each row, the cells separated by blanks, commas or not at all.

    Each cell is one of ``signs``, in any case.

    >>> grid("1 2\n21", rows=2, columns=2, signs="12")
    [['1', '2'], ['2', '1']]
    """
    known = {sign.casefold(): sign for sign in signs}
    compact = all(len(sign) == 1 for sign in known)
    lines = _lines(plain(text))
    if len(lines) != rows:
        raise InvalidAnswer(f"not a grid of {rows} rows: there are {len(lines)}")
    grid_rows = []
    for number, line in enumerate(lines, 1):
        cells = [c for c in re.split(r"[\s,;|\[\]]+", line.casefold()) if c]
        if compact and len(cells) != columns:
            cells = [sign for cell in cells for sign in cell]
        if len(cells) != columns:
            raise InvalidAnswer(f"not {columns} cells in row {number}")
        if not all(cell in known for cell in cells):
            raise InvalidAnswer(f"row {number} has a cell other than {' '.join(signs)}")
        grid_rows.append([known[cell] for cell in cells])
    return grid_rows


def _lines(text: str, most: int = 1_000) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > most:
        raise InvalidAnswer(f"{len(lines)} lines long")
    return lines


def rows_of_integers(text: str) -> list[list[int]]:
    r"""Lines of whole numbers.

    >>> rows_of_integers("1 2\n3, 4")
    [[1, 2], [3, 4]]
    """
    return [integers(line) for line in _lines(plain(text))]


def joined(values: Sequence[object]) -> str:
    """Values as a list in a sentence or an answer.

    >>> joined([1, 2])
    '1, 2'
    """
    return ", ".join(map(str, values))
