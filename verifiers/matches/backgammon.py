"""Plays of backgammon in the usual notation, such as ``8/5 6/5``, ``bar/20`` and ``4/off``.

The steps of a play stand in any order. A checker that plays several dice may name the points in
between or leave them out: ``8/5/3``, ``8/3``. A hit may have an asterisk, and equal steps a number:
``8/5*``, ``6/5(2)``. Words are read as well: ``8 to 5, 6 to 5``, ``bear off 4``, ``enter on 20``.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.values import plain

Step = tuple[int, int]
Result = TypeVar("Result", bound=Hashable)

LONGEST = 200
"""The most characters of a play."""

EXPECTED = (
    "expected a step for each die, such as '4/2 3/2', or with 'bar' or 'off' in place of a point"
)

_MARKS = re.compile(r"[*_`\"'\u2019\u201c\u201d$]|\((?:hit|hitting|hits)\)|(?<!\w)hit(?:ting|s)?\b")
_ARROW = re.compile(r"\s*(?:[-=]{1,2}>|[\u2192\u21d2]|\\to\b|\\rightarrow\b)\s*")
_BULLET = re.compile(r"^(?:[-\u2022]|\d[.)])\s+")
_LEAD = re.compile(
    r"(?:i (?:(?:will|would|ll|d) )?(?:(?:like|want|choose) to )?(?:play|move|choose)s?:? "
    r"|(?:my |the )?(?:best |next )?(?:move|play)(?: is| would be)?:? (?:to )?(?:play )?)"
)
_SIGN = re.compile(r"([xo])(?: ?: ?| (?:plays?|moves?|from) )")
_DICE = re.compile(r"([1-9]) ?[-, ]? ?([1-9]) ?: ?")
_NUMBERS = {"a": "1", "one": "1", "two": "2", "both": "2", "three": "3", "four": "4"}
_OF_BEARING = re.compile(
    r"bear(?:ing)? (?:(?:a|one|my) )?(?:checker )?off (?:from |on )?(?:the |points? )*"
    r"(\d{1,2}(?:(?:,? and |, ?)(?:the )?\d{1,2}(?! ?[/\d-]| to| off))*)"
)
_OF_ENTERING = re.compile(
    r"enter(?:ing)? (?:(?:from|on) (?:the )?bar )?(?:on |at |to |onto )?(?:the |point )*(\d{1,2})"
)
_OF_SEVERAL = re.compile(
    r"(a|one|two|both|three|four|[1-4]) checkers? (?:from )?(\d{1,2})(/\d{1,2})"
)
_FILLER = re.compile(
    r"\b(?:the|points?|from|move|play|a checker|another checker|another|one checker|checker|my)\b ?"
)
_TO = re.compile(r"(?<=\d) ?(?:/|-|to(?= )|onto(?= )) ?(?=\d)")
_BETWEEN = re.compile(r"[\s,;&+]+|\b(?:and|then)\b")
_ITEM = re.compile(r"(\d{1,2}(?:/\d{1,2})+)(?: ?\(x?([1-4])x?\)|x([1-4]))?")


def play_name(play: Sequence[Step], bar: int) -> str:
    """A play as a prompt writes it, where ``bar`` is the number of the bar.

    >>> play_name(((25, 20), (6, 5), (6, 5), (3, 0)), 25)
    'bar/20 6/5(2) 3/off'
    """
    names = []
    for start, end in dict.fromkeys(play):
        number = play.count((start, end))
        times = f"({number})" if number > 1 else ""
        names.append(f"{'bar' if start == bar else start}/{end or 'off'}{times}")
    return " ".join(names)


def read_play(
    text: str, results: Mapping[tuple[Step, ...], Result], bar: int, sign: str, dice: Sequence[int]
) -> Result:
    """The result of the play that a text names.

    ``results`` are those of all legal plays, ``sign`` is the player, and ``dice`` are the roll,
    which the text may name first. Raises :class:`~palaestra.task.InvalidAnswer` for other texts,
    for plays that are not legal, and for those that leave open which of several results they have.

    >>> results = {((8, 5), (5, 3)): "no hit", ((8, 6), (6, 3)): "a hit"}
    >>> read_play("6/3, 8/6", results, 25, "X", (3, 2))
    'a hit'
    """
    steps = _steps(_body(text, sign, dice), bar)
    wanted = {result: None for play, result in results.items() if _covers(play, steps)}
    if not wanted:
        raise InvalidAnswer(f"{text[:40]!r} is not a legal play of {'-'.join(map(str, dice))}")
    if len(wanted) > 1:
        raise InvalidAnswer("name the point in between, as the result depends on it")
    return next(iter(wanted))


def _body(text: str, sign: str, dice: Sequence[int]) -> str:
    """The play in lower case, without a lead-in, the player and the roll."""
    if len(text) > LONGEST:
        raise InvalidAnswer(f"a play has at most {LONGEST} characters")
    lines = [_BULLET.sub("", line, count=1) for line in layout.lines(plain(text).casefold())]
    body = _MARKS.sub(" ", _ARROW.sub("/", ", ".join(lines)))
    body = " ".join(body.split()).rstrip(" .!").replace(" (", "(")
    lead = _LEAD.match(body)
    body = body[lead.end() if lead else 0 :]
    if player := _SIGN.match(body):
        if player[1] != sign.casefold():
            raise InvalidAnswer(f"the player to move is {sign}")
        body = body[player.end() :]
    if roll := _DICE.match(body):
        if sorted([int(roll[1]), int(roll[2])]) != sorted(dice):
            raise InvalidAnswer(f"the dice show {'-'.join(map(str, dice))}")
        body = body[roll.end() :]
    return body


def _steps(body: str, bar: int) -> list[Step]:
    """The pairs of points of a play, which may be several steps of one checker."""
    body = _OF_BEARING.sub(_borne_off, _OF_ENTERING.sub(rf"{bar}/\1", body))
    body = re.sub(r"\b(?:the )?bar\b|\bb(?=/)", str(bar), body)
    body = re.sub(r" ?(?:(?:/|-|\bto\b) ?)?\boff\b(?: the board)?", "/0", body)
    several = _OF_SEVERAL.sub(
        lambda match: f"{match[2]}{match[3]}x{_NUMBERS.get(match[1], match[1])}",
        _TO.sub("/", body),
    )
    steps = list[Step]()
    for item in _BETWEEN.split(_TO.sub("/", _FILLER.sub("", several))):
        if not item:
            continue
        named = _ITEM.fullmatch(item)
        if not named or len(steps) > 4:
            raise InvalidAnswer(EXPECTED)
        points = [int(point) for point in named[1].split("/")]
        steps += [*pairwise(points)] * int(named[2] or named[3] or 1)
    if not steps:
        raise InvalidAnswer(EXPECTED)
    return steps


def _borne_off(match: re.Match[str]) -> str:
    """The steps of "bear off 4 and 3"."""
    return " ".join(f"{point}/0" for point in re.findall(r"\d+", match[1]))


def _covers(play: Sequence[Step], steps: Sequence[Step]) -> bool:
    """Whether the steps of a text, each of one or more dice, are those of a play."""
    if not steps or not play:
        return not steps and not play
    (start, end), *others = steps
    for number, (leaves, enters) in enumerate(play):
        if leaves != start or enters < end:
            continue
        rest = [*play[:number], *play[number + 1 :]]
        further: Iterable[Step] = [] if enters == end else [(enters, end)]
        if _covers(rest, [*further, *others]):
            return True
    return False
