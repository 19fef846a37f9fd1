"""What is known of an answer that is not complete yet, for boards that people play on.

The verifier judges whole answers. An incomplete one is therefore compared with the reference
answer, or completed by it. Each verdict states no more than that proves:

- ``right``: the verifier accepts the answer as it stands.
- ``possible``: a right answer contains all entries.
- ``wrong``: no right answer contains all entries, or the rules forbid a move.
- ``unknown``: neither is known. Some entries differ from the reference answer, and other answers
  may be right as well.

The verdicts depend on the answer, so only a key that may see answers may ask for them.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from palaestra.address import Address
from palaestra.scenes.entries import CellsEntry, ElementsEntry, PairsEntry, WordsEntry
from palaestra.scenes.loops import LoopEntry, lines_of
from palaestra.server.plan_boards import Plan
from palaestra.server.problems import InvalidRequest
from palaestra.task import InvalidAnswer, Puzzle, Score

UNIQUE = "unique-solution"
"""The tag of an environment whose tasks have exactly one right answer."""

MOST_NAMED = 5
"""The number of entries that a message names."""

Verdict = Literal["right", "possible", "wrong", "unknown"]
Rows = list[list[str]]


class Check(NamedTuple):
    """A verdict, the reason for it, and the elements of the board that differ."""

    verdict: Verdict
    message: str
    elements: Sequence[str] = ()


@dataclass(frozen=True)
class Partial:
    """A task with an answer that may be incomplete.

    ``lines`` are the lines of a loop that is drawn; see :class:`LoopEntry`.
    """

    task: Puzzle
    answer: str
    lines: Collection[str] = ()

    @property
    def is_unique(self) -> bool:
        """Whether the task has exactly one right answer."""
        return UNIQUE in self.task.tags

    def score(self, answer: str | None = None) -> Score:
        """The score of an answer, by default of this one; 0 for one that cannot be read."""
        text = self.answer if answer is None else answer
        try:
            if len(text) > self.task.longest:
                raise InvalidAnswer(f"an answer has at most {self.task.longest:,} characters")
            return self.task.verify(text)
        except InvalidAnswer as error:
            return Score(0, str(error), status=error.status)

    def is_right(self, answer: str) -> bool:
        """Whether the verifier accepts an answer."""
        return self.score(answer).value == 1


def checked_at(address: str, answer: str, lines: Sequence[str] = ()) -> dict[str, Any]:
    """The check of a partial answer, as worker processes are asked for it."""
    task = Address.parse(address).task()
    if not isinstance(task, Puzzle):
        raise InvalidRequest("only the answer to a task of one reply can be checked", "/address")
    return check(Partial(task, answer, lines))._asdict()


def check(partial: Partial) -> Check:
    """The verdict on a partial answer."""
    entry = partial.task.entry()
    if isinstance(entry, LoopEntry) and partial.lines:
        return _check_loop(partial, entry)
    if not partial.answer.strip():
        return Check("possible", "Nothing is entered yet.")
    if partial.is_right(partial.answer):
        return Check("right", "This is a right answer.")
    if isinstance(partial.task, Plan):
        return _check_plan(partial, partial.task)
    if isinstance(entry, CellsEntry):
        return _check_cells(partial, entry)
    if isinstance(entry, ElementsEntry | PairsEntry | WordsEntry):
        return _check_list(partial, entry)
    return _as_it_stands(partial)


def _as_it_stands(partial: Partial, verdict: Verdict = "unknown") -> Check:
    """The verifier's reason for the answer as it stands."""
    reason = partial.score().reason or "this is not a right answer"
    return Check(verdict, f"Scored as it stands: {reason}.")


# ------------------------------------------------------------------ boards of cells


def _check_cells(partial: Partial, entry: CellsEntry) -> Check:
    """Complete the entries by the reference answer, and judge the result."""
    rows = _board(entry, partial.answer)
    if rows is None:
        return _as_it_stands(partial)
    filled = {
        (r, c): rows[r][c]
        for r, row in enumerate(entry.start)
        for c, fixed in enumerate(row)
        if not fixed and rows[r][c] != entry.empty
    }
    open_cells = sum(not fixed for row in entry.start for fixed in row) - len(filled)
    if not filled:
        return Check("possible", "Nothing is entered yet.")
    solution = _board(entry, partial.task.answer())
    if solution is None:
        return _as_it_stands(partial)
    differing = {cell: sign for cell, sign in filled.items() if solution[cell[0]][cell[1]] != sign}
    names = [f"r{r + 1}c{c + 1}" for r, c in differing]
    if not open_cells:
        return _as_it_stands(partial, "wrong")._replace(elements=names if partial.is_unique else ())

    def completed(cells: Mapping[tuple[int, int], str]) -> str:
        rows = [
            [cells.get((r, c), sign) for c, sign in enumerate(row)]
            for r, row in enumerate(solution)
        ]
        return "\n".join(map(entry.separator.join, rows))

    if partial.is_right(completed(filled)):
        rest = f"{_count(open_cells, 'cell')} still empty"
        return Check("possible", _possible(partial, _count(len(filled), "entry"), rest))
    if not partial.is_unique:
        reason = partial.score(completed(filled)).reason
        return Check("unknown", _differs(names, f"Completed by it: {reason}."), names)
    reasons = [
        f"{name} cannot be {sign}: {partial.score(completed({cell: sign})).reason}."
        for name, (cell, sign) in [*zip(names, differing.items())][:MOST_NAMED]
    ]
    return Check(
        "wrong",
        " ".join(
            [_contradiction(len(names)), *reasons, *(f"{rest} differ." for rest in _rest(names))]
        ),
        names,
    )


def _board(entry: CellsEntry, text: str) -> Rows | None:
    """The symbols of a board, row by row; None for a text of another shape."""
    rows = [re.split(r"[\s,]+", line.strip()) for line in text.strip().splitlines()]
    known = {*entry.symbols, entry.empty, *(sign for row in entry.start for sign in row)}
    shape = [len(row) for row in entry.start]
    if [*map(len, rows)] != shape or not known.issuperset(sign for row in rows for sign in row):
        return None
    return rows


def _check_loop(partial: Partial, entry: LoopEntry) -> Check:
    """Compare the lines that are drawn with those of the reference answer."""
    if partial.answer and partial.is_right(partial.answer):
        return Check("right", "This is a right answer.")
    solution = _board(entry, partial.task.answer())
    if solution is None:
        return _as_it_stands(partial)
    loop, lines = lines_of(entry, solution), [*dict.fromkeys(partial.lines)]
    others = [line for line in lines if line not in loop]
    if not others:
        rest = f"the whole loop has {_count(len(loop), 'line')}"
        return Check("possible", _possible(partial, _count(len(lines), "line"), rest))
    if not partial.is_unique:
        return Check("unknown", _differs([_count(len(others), "line")], ""), others)
    board = _board(entry, partial.answer)
    closed = board is not None and entry.empty not in {sign for row in board for sign in row}
    reason = f" Scored as it stands: {partial.score().reason}." if closed else ""
    return Check("wrong", f"{_contradiction(len(others), 'line')}{reason}", others)


# ------------------------------------------------------------------ lists


def _check_list(partial: Partial, entry: ElementsEntry | PairsEntry | WordsEntry) -> Check:
    """Compare a list of elements, pairs or words with the reference answer."""
    ours = _parts(entry, partial.answer)
    reference = _parts(entry, partial.task.answer())
    key = _key(entry)
    ordered = isinstance(entry, WordsEntry) or (isinstance(entry, ElementsEntry) and entry.ordered)
    if ordered:
        contained = reference[: len(ours)] == ours
        others = [] if contained else ours
        whole = ours + reference[len(ours) :]
    else:
        known = {key(part) for part in reference}
        others = [part for part in ours if key(part) not in known]
        added = {key(part) for part in ours}
        whole = ours + [part for part in reference if key(part) not in added]
        contained = not others
    if contained or partial.is_right(entry.separator.join(whole)):
        rest = len(whole) - len(ours)
        words = f"a right answer has {rest} more" if rest else "nothing is missing"
        return Check("possible", _possible(partial, _count(len(ours), "entry"), words))
    reason = f"Scored as it stands: {partial.score().reason}."
    names = _elements(entry, others)
    if partial.is_unique and not ordered:
        return Check("wrong", f"{_contradiction(len(others))} {reason}", names)
    if ordered:
        return Check("unknown", f"The known right answer begins differently. {reason}")
    return Check("unknown", _differs(others, reason), names)


def _parts(entry: ElementsEntry | PairsEntry | WordsEntry, text: str) -> list[str]:
    separator = entry.separator.strip()
    parts = text.split(separator) if separator else text.split()
    return [part.strip() for part in parts if part.strip()]


def _key(entry: ElementsEntry | PairsEntry | WordsEntry) -> Callable[[str], object]:
    """What makes two parts of an answer the same: an edge has no direction."""
    if isinstance(entry, PairsEntry) and entry.joined.strip() == "-":
        return lambda part: frozenset(part.split("-"))
    return str.casefold


def _elements(entry: ElementsEntry | PairsEntry | WordsEntry, parts: Collection[str]) -> list[str]:
    """The elements of the board that stand for parts of an answer."""
    if not isinstance(entry, ElementsEntry):
        return []
    return [name for name, text in entry.names if text in parts]


# ------------------------------------------------------------------ plans


def _check_plan(partial: Partial, task: Plan) -> Check:
    """Make the moves of a plan until one is illegal."""
    try:
        moves = task.read(partial.answer)
    except InvalidAnswer:
        return _as_it_stands(partial)
    state = task.initial()
    for number, move in enumerate(moves, 1):
        try:
            state = task.after(state, move)
        except ValueError as error:
            unit = task.units.removesuffix("s")
            return Check("wrong", f"In {unit} {number}, {error}.")
    limit = task.move_limit()
    if limit is not None and len(moves) >= limit:
        return _as_it_stands(partial, "wrong")
    left = "" if limit is None else f", and {limit - len(moves)} are left"
    reason = partial.score().reason
    return Check("unknown", f"All {len(moves)} {task.units} are legal{left}. So far: {reason}.")


# ------------------------------------------------------------------ words


def _count(number: int, unit: str) -> str:
    """A number with its unit in the singular or plural.

    >>> _count(1, "line"), _count(2, "entry")
    ('1 line', '2 entries')
    """
    if number == 1:
        return f"1 {unit}"
    return f"{number} {unit.removesuffix('y')}ies" if unit.endswith("y") else f"{number} {unit}s"


def _possible(partial: Partial, entered: str, rest: str) -> str:
    answer = "the only right answer" if partial.is_unique else "a right answer"
    return f"Nothing contradicts the rules: {answer} contains what is entered ({entered}; {rest})."


def _contradiction(number: int, unit: str = "entry") -> str:
    verb = "is" if number == 1 else "are"
    return f"{_count(number, unit)} {verb} not part of the only right answer."


def _differs(names: Sequence[str], reason: str) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    more = "".join(f" and {rest}" for rest in _rest(names))
    sentence = f"The known right answer does not contain {shown}{more}; others may be right."
    return f"{sentence} {reason}".strip()


def _rest(names: Sequence[str]) -> list[str]:
    """The number of entries that a message does not name, where there are any."""
    return [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
