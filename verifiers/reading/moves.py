r"""Moves: directions, columns, moves from one position to another, and moves of several words.

Moves stand one to a line or in a list, in upper or lower case, and in every layout of
:mod:`~palaestra.verifiers.reading.layout`. Each type is read in these forms:

- a direction: ``up``, ``u``, ``move up``, ``upwards``, an arrow;
- a column: ``1``, ``column 1``, ``drop in column 1``;
- from one position to another: ``A -> C``, ``A to C``, ``A, C``, ``A C``, ``(A, C)``,
  ``move the disk from A to C``; ``AC`` where all positions have names of one letter;
- turns of a cube in David Singmaster's notation: ``R U' F2``, ``R -> U' -> F2``;
- several words: ``A up 2``, ``A: up 2``, ``A 2 up``, ``Move car A up by 2 cells``.

Words that say nothing are dropped only where they cannot be names. A move with a word that the
prompt does not know is refused.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import items, plain

_BULLET = re.compile(r"\s*(?:\d{1,4}\s*[.):]\s+|[-*]\s+)?")
_SEPARATORS = re.compile(r"[,;]")
_BETWEEN_LETTERS = re.compile(r"[ \t\r\n,;]+")
_VERBS = (
    r"(?:moves?|goe?s?|slides?|shifts?|push(?:es)?|steps?|walks?|turns?|press(?:es)?|flips?|swipe|rotate|drives?|"
    r"paint|drop)"
)
_VERB = re.compile(_VERBS, re.IGNORECASE)
_LED = re.compile(
    rf"(?<!\w)(?:{_VERBS}[ \t]++(?:the[ \t]++)?(?:(?:tile|button|car)[ \t]++)?|"
    r"(?:tile|button|car|column)[ \t]++)(?=\w|\\)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"the|by|to|towards|in|at|(?:cell|step|square|space|place)s?|block|car|piece|box|tile|column|"
    r"diagonal|moves|slides"
)
_ARROWS = {"\u2191": "up", "\u2193": "down", "\u2190": "left", "\u2192": "right"}
_ARROWS |= {"\u2b06": "up", "\u2b07": "down", "\u2b05": "left", "\u27a1": "right"}
_ARROW_SIGN = re.compile(f"[{''.join(_ARROWS)}]")
_LATEX_ARROW = re.compile(r"\\(up|down|left|right)arrow(?![a-z])")
_SHORT = {"u": "up", "d": "down", "l": "left", "r": "right"}
_DIRECTIONS = _SHORT | {word: word for word in _SHORT.values()} | _ARROWS
_DIRECTIONS |= {
    f"{word}ward{s}": word for word in ("up", "down", "left", "right") for s in ("", "s")
}
_ARROW = re.compile(
    r"[-=]{1,2}>|[\u2192\u21d2]|\\(?:to|rightarrow)(?![a-z])|(?:,\s*+|(?<![\s,])\s++)then\s"
)
_COLUMN = re.compile(
    r"(?:(?:drop|place|put|play|insert|move)\s++(?:(?:a|my|the)\s++)?"
    r"(?:(?:stone|disc|disk|piece|token|checker)\s++)?(?:(?:in|into|on|at|to)\s++)?)?"
    r"(?:the\s++)?(?:column|col|c)?\s*+[:=#]?\s*+(\d{1,3})",
    re.IGNORECASE | re.ASCII,
)
_TO = r"(?:\s*+(?:[-=]{1,4}>|\u2192|\\to(?![a-z])|\\rightarrow(?![a-z])|[-,;])\s*+|\s++to\s++|\s++)"
_PLACE = r"(?:(?:the\s++)?(?:peg|rod|tube|node|tower|pile|stack|block|vertex)\s++)?"
_HOP = re.compile(
    r"(?:(?:move|take|slide|shift|put|transfer|merge)\s++)?"
    r"(?:(?:(?:the|a|one)\s++)?(?:top\s++)?(?:disk|disc|ball|token|piece)\s++"
    r"(?:(\w{1,3})(?::\s*+|,\s*+|\s++)(?!to\s|->))?)?"
    rf"(?:from\s++)?{_PLACE}(?!to\s)(\w{{1,20}}){_TO}{_PLACE}(\w{{1,20}})",
    re.IGNORECASE,
)
_PRIME = re.compile(
    r"\^\s?\{\s?(?:\\prime|-\s?1)\s?\}|\^\s?\\prime(?![a-z])|\^-1|[\u2019\u2032\u00b4`]"
)
_QUOTED_TURN = re.compile("(?<![A-Z2])`([URFDLB]2?['\u2019\u2032\u00b4]?)`")
_LETTERS = re.compile(r"([a-z])([a-z])", re.IGNORECASE)


def steps(text: str, most: int = 2_000) -> list[str]:
    r"""The lines of a plan, without numbers or bullets before them.

    >>> steps("1. move A to table\n\n- move B onto C")
    ['move A to table', 'move B onto C']
    """
    lines = layout.lines(plain(text))
    if len(lines) > most:
        raise InvalidAnswer(f"expected at most {most} lines, got {len(lines)}")
    return [_BULLET.sub("", line, count=1).strip() for line in lines]


def direction(text: str) -> str:
    r"""Read one of the directions up, down, left and right.

    >>> [direction(form) for form in ("U", "move right", "\u2190", "Swipe down.")]
    ['up', 'right', 'left', 'down']
    """
    words = _words(text).rstrip(".! ").split()
    if words and _VERB.fullmatch(words[0]):
        words = [word for word in words[1:] if word not in {"to", "the"}]
    if len(words) != 1 or words[0] not in _DIRECTIONS:
        raise InvalidAnswer("expected one of left, right, up, down")
    return _DIRECTIONS[words[0]]


def directions(text: str, what: str = "a list of the letters U, D, L and R") -> str:
    r"""Read a sequence of directions, and return their first letters as capitals.

    >>> directions("ull d"), directions("up, move left"), directions("1. \u2191\n2. L")
    ('ULLD', 'UL', 'UL')
    """
    letters = _BETWEEN_LETTERS.sub("", plain(text).upper())
    if letters and not letters.strip("UDLR"):
        return letters
    words = items(_LED.sub("", ", ".join(steps(_words(text)))), what)
    if not words or not all(word in _DIRECTIONS for word in words):
        raise InvalidAnswer(f"expected {what}, such as 'ULLD'")
    return "".join(_DIRECTIONS[word][0].upper() for word in words)


def _words(text: str) -> str:
    """A text in lower case, with spaces around arrows."""
    body = plain(text).casefold().replace("\ufe0f", "")
    if "\\" in body:
        body = _LATEX_ARROW.sub(r" \1 ", body)
    if body.isascii():
        return body
    return _ARROW_SIGN.sub(r" \g<0> ", body)


def column(text: str, columns: int) -> int:
    """Read the number of a column, which counts from 1.

    >>> column("3", columns=7), column("Drop in column 3", columns=7)
    (3, 3)
    """
    named = _COLUMN.fullmatch(plain(text).rstrip("."))
    if not named:
        raise InvalidAnswer("expected the number of a column, such as 1")
    if not 1 <= int(named[1]) <= columns:
        raise InvalidAnswer(f"there is no column {int(named[1])}; they go from 1 to {columns}")
    return int(named[1])


def tokens(text: str, known: Collection[str], what: str) -> list[str]:
    """Read words of a vocabulary, in any case, separated by commas, semicolons or spaces.

    Words of one letter need no separator. ``what`` names in the error what was expected.

    >>> tokens("l2; U1", ["L2", "U1"], "a list of shifts"), tokens("ABA", "AB", "buttons")
    (['L2', 'U1'], ['A', 'B', 'A'])
    >>> tokens("turn left, move forward", ["left", "forward"], "actions")
    ['left', 'forward']
    """
    names = {name.casefold(): name for name in known}
    words = [word.casefold() for word in items(text, what)]
    if not all(word in names for word in words):
        words = [word.casefold() for word in items(_sequence(text), what)]
    if all(len(name) == 1 for name in names):
        words = [*"".join(words)]
    if not words or not all(word in names for word in words):
        raise InvalidAnswer(f"expected {what}")
    return [names[word] for word in words]


def turns(text: str, known: Collection[str], what: str) -> list[str]:
    r"""Read turns of the faces of a cube, such as ``R``, ``R'`` and ``R2``, in order.

    Small letters are refused, since they are turns of two layers, and so is ``UR``, which is a
    piece of the cube. ``R2'`` is ``R2``. What stands
    for the prime may be any apostrophe, a backtick, ``\prime`` or an exponent of -1.

    >>> known = ["R", "U'", "F2"]
    >>> turns("1. R\n2. U\u2019\n3. F2'", known, "turns"), turns("R, U', F2", known, "turns")
    (['R', "U'", 'F2'], ['R', "U'", 'F2'])
    """
    body = plain(_PRIME.sub("'", _QUOTED_TURN.sub(r"\1", text))).replace("\u00b2", "2")
    if body[:1] == body[-1:] == "'":  # a whole answer in the marks that turns end in
        body = body[1:-1]
    parts = ", ".join(layout.lines(_ARROW.sub(", ", body.replace("**", ""))))
    words = [word.replace("2'", "2") for word in items(parts, what)]
    if not words or not all(word in known for word in words):
        raise InvalidAnswer(f"expected {what}")
    return words


def numbers(text: str, what: str, length: int | None = None) -> list[int]:
    r"""Read moves that are whole numbers, in order. ``what`` names in the error what was expected.

    >>> numbers("3 -> 2", "flips"), numbers("flip 3, flip 2", "flips"), numbers("1. 3\n2. 2", "x")
    ([3, 2], [3, 2], [3, 2])
    """
    sequence = integers(_sequence(text), length, what)
    if not sequence:
        raise InvalidAnswer(f"expected {what}")
    return sequence


def _sequence(text: str) -> str:
    """Moves in order, separated by commas and without the words before them."""
    # Numbers of lines go only where all lines have one: a lone "3." may be a move.
    return _ARROW.sub(", ", _LED.sub("", ", ".join(layout.lines(plain(text)))))


def words(line: str, fillers: Collection[str]) -> list[str]:
    """The words of a move in lower case, without punctuation at its end and without ``fillers``.

    >>> words("Fill the jug A.", {"the", "jug"})
    ['fill', 'a']
    """
    return [word for word in line.casefold().rstrip(".").split() if word not in fillers]


def hops(text: str, names: Sequence[str], what: str = "moves") -> list[tuple[int, int]]:
    r"""Read moves from one position to another, one per line, as indices of ``names``.

    >>> hops("1. A -> B\nc to a", "ABC"), hops("Move the disk from A to C", "ABC")
    ([(0, 1), (2, 0)], [(0, 2)])
    """
    labelled = labelled_hops(text, names, what)
    if any(label for label, _, _ in labelled):
        raise InvalidAnswer(_one_per_line(what))
    return [(start, end) for _, start, end in labelled]


def labelled_hops(
    text: str, names: Sequence[str], what: str = "moves"
) -> list[tuple[str, int, int]]:
    """Read moves like :func:`hops`, each with the name of what is moved, or "" without a name.

    >>> labelled_hops("Move disk 1 from A to C", "ABC")
    [('1', 0, 2)]
    """
    known = {name.casefold(): n for n, name in enumerate(names)}
    letters = all(len(name) == 1 and name.isalpha() for name in names)
    # Long plans repeat few different lines, so each of those is read once.
    lines = steps(text)
    read = {line: _hops_of(line, known, letters) for line in dict.fromkeys(lines)}
    if not lines or not all(read.values()):
        raise InvalidAnswer(_one_per_line(what))
    return [hop for line in lines for hop in read[line]]


def _one_per_line(what: str) -> str:
    return f"expected one of the {what} per line, such as 'X -> Y'"


def _hops_of(line: str, known: Mapping[str, int], letters: bool) -> list[tuple[str, int, int]]:
    """The moves of a line, which may be separated by commas, or none at all."""
    whole = _hop(line, known, letters)
    parts = [whole] if whole else [_hop(p, known, letters) for p in _SEPARATORS.split(line)]
    return [hop for hop in parts if hop] if all(parts) else []


def _hop(part: str, known: Mapping[str, int], letters: bool) -> tuple[str, int, int] | None:
    part = part.replace("**", "").strip("[]() ").casefold()
    match = _HOP.fullmatch(part)
    if match and match[2] in known and match[3] in known:
        return match[1] or "", known[match[2]], known[match[3]]
    pair = _LETTERS.fullmatch(part) if letters else None
    if pair and pair[1] in known and pair[2] in known:
        return "", known[pair[1]], known[pair[2]]
    return None


def hops_as_text(moves: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    r"""Moves as :func:`hops` reads them.

    >>> hops_as_text([(0, 1), (2, 0)], "ABC")
    'A -> B\nC -> A'
    """
    return "\n".join(f"{names[start]} -> {names[end]}" for start, end in moves)


def orders(text: str, *words: Collection[str], what: str) -> list[tuple[str, ...]]:
    r"""Read moves of several words, one per line or separated by commas, each word from its
    vocabulary. ``what`` names in the error what was expected.

    >>> orders("1. a left\nB up, A left", "AB", ("left", "up"), what="moves")
    [('A', 'left'), ('B', 'up'), ('A', 'left')]
    """
    return [move for line in order_lines(text, *words, what=what) for move in line]


def order_lines(text: str, *words: Collection[str], what: str) -> list[list[tuple[str, ...]]]:
    r"""Read the moves of each line, like :func:`orders`.

    >>> order_lines("Move A left, B up\nA: left", "AB", ("left", "up"), what="moves")
    [[('A', 'left'), ('B', 'up')], [('A', 'left')]]
    """
    known = [{word.casefold(): word for word in each} for each in words]
    # Long plans repeat few different lines, so each of those is read once.
    # The lines as they stand come last, for "Row 1: black" is a move where rows are named.
    for lines in (steps(text), [row for row in plain(text).splitlines() if row.strip()]):
        read = {line: _orders_of(line, known) for line in dict.fromkeys(lines)}
        if lines and all(read.values()):
            return [read[line] for line in lines]
    raise InvalidAnswer(f"expected {what}")


def _orders_of(line: str, known: Sequence[Mapping[str, str]]) -> list[tuple[str, ...]]:
    """The moves of a line, or none at all."""
    whole = _order(line.replace(",", " "), known)
    if whole:
        return [whole]
    moves = [_order(part, known) for part in _SEPARATORS.split(line) if part.strip()]
    return [move for move in moves if move] if all(moves) else []


def _order(part: str, known: Sequence[Mapping[str, str]]) -> tuple[str, ...] | None:
    """The words of one move in the order of their vocabularies, or None for any other text."""
    words = _words(part).replace(":", " ").strip(" []().").split()
    if words and _VERB.fullmatch(words[0]):
        words = words[1:]
    if len(words) > len(known):
        words = [w for w in words if not _FILLER.fullmatch(w) or any(w in names for names in known)]
    if len(words) != len(known):
        return None
    for order in (words, [words[0], *words[:0:-1]]):
        move = [_known_word(word, names) for word, names in zip(order, known)]
        if all(move):
            return tuple(word for word in move if word)
    return None


def _known_word(word: str, names: Mapping[str, str]) -> str | None:
    return names.get(word) or names.get(_DIRECTIONS.get(word, ""))
