"""Boards of planning puzzles, on which a plan is entered move by move.

The legal moves follow from the rules that the prompt states, so anyone may see them. Whether the
goal is reached is left to the score.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from msgspec import to_builtins

from palaestra.scenes import Cell, Graph, Grid, Scene, Stacks
from palaestra.scenes.layouts import MARGIN, drawing
from palaestra.scenes.shapes import Drawing, Rectangle, Tile
from palaestra.task import InvalidAnswer

MOST_MOVES = 300
"""The number of legal moves that are listed."""

DIRECTIONS = frozenset("UDLR")
"""Moves that are steps in a direction."""

NEW_STACK = "stack-new"
"""The element on which an item begins a stack of its own."""

Pairs = list[tuple[str, str]]
"""The element where a move starts and the one where it ends, in every way to show the move."""


@runtime_checkable
class Plan(Protocol):
    """A puzzle of a plan: the part of ``PlanPuzzle`` that is used here."""

    units: str
    longest: int

    def initial(self) -> Any:
        """The state before the first move."""

    def after(self, state: Any, move: Any) -> Any:
        """The state after a move. Raises ``ValueError`` if the rules forbid the move."""

    def ways(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """Each legal move, and the state after it."""

    def read(self, answer: str) -> Sequence[Any]:
        """The moves that an answer lists."""

    def as_text(self, moves: Sequence[Any]) -> str:
        """Moves as an answer."""

    def move_limit(self) -> int | None:
        """How many moves a plan may have, or None for any number."""


@runtime_checkable
class PicturedPlan(Plan, Protocol):
    """A puzzle of a plan whose states can be drawn."""

    def picture(self, state: Any) -> Scene:
        """What there is to see of a state."""

    def goal_picture(self) -> Scene | None:
        """What there is to see of the goal, if the prompt shows it as a state."""


def plan_board(task: PicturedPlan, answer: str | None) -> dict[str, Any]:
    """The board after the moves of an answer, up to the first illegal one, and the legal moves."""
    moves = _read(task, answer)
    state, number, reason = task.initial(), 0, ""
    for move in moves:
        try:
            state = task.after(state, move)
        except ValueError as error:
            reason = f"in {task.units.removesuffix('s')} {number + 1}, {error}"
            break
        number += 1
    before, goal = task.picture(state), task.goal_picture()
    ways = {task.as_text([move]): (move, after) for move, after in _ways(task, state)}
    shown = [pairs(before, task.picture(after), text) for text, (_, after) in ways.items()]
    # Moves that are not shown on the board would be overlooked, and directions have keys.
    is_shown = all(shown) and not (ways and ways.keys() <= DIRECTIONS)
    return {
        "type": "moves",
        "drawing": to_builtins(_with_stacks(before)),
        "goal": goal and to_builtins(drawing(goal)),
        "names": _names(before) if is_shown else [],
        "number": number,
        "limit": task.move_limit(),
        "units": task.units,
        "reason": reason,
        "moves": [
            {
                "text": text,
                "answer": task.as_text([*moves[:number], move]),
                "pairs": each if is_shown else [],
            }
            for (text, (move, _)), each in zip(ways.items(), shown, strict=True)
        ],
    }


def _ways(task: PicturedPlan, state: Any) -> Iterator[tuple[Any, Any]]:
    """Some legal moves, and the states after them."""
    return islice(task.ways(state), MOST_MOVES)


def _read(task: PicturedPlan, answer: str | None) -> list[Any]:
    """The moves of an answer; none if it is empty or cannot be read."""
    if not answer or not answer.strip() or len(answer) > task.longest:
        return []
    try:
        return [*task.read(answer)]
    except InvalidAnswer:
        return []


# ------------------------------------------------------------------ which elements a move joins


def pairs(before: Scene, after: Scene, text: str) -> Pairs:
    """The elements from which and to which a move leads.

    >>> pairs(Grid(((Cell("5"), Cell()),)), Grid(((Cell(), Cell("5")),)), "5")
    [('r1c1', 'r1c2')]
    """
    named = re.findall(r"r\d+c\d+", text) if isinstance(before, Grid) else []
    if len(named) == 2:
        return [(named[0], named[1])]
    if isinstance(before, Grid) and isinstance(after, Grid):
        return _slides(before, after) if before.regions else _swaps(_cells(before), _cells(after))
    if isinstance(before, Stacks) and isinstance(after, Stacks):
        return _transfer(before, after)
    if isinstance(before, Graph) and isinstance(after, Graph):
        return _swaps(_nodes(before), _nodes(after))
    return []


def _slides(before: Grid, after: Grid) -> Pairs:
    """A piece, which is a region, moves as a whole: each of its cells to where that cell gets."""
    old, new = _pieces(before), _pieces(after)
    piece = next((n for n in old if n in new and old[n] != new[n]), None)
    if piece is None:
        return []
    return [
        (_cell_name(*one), _cell_name(*other))
        for one, other in zip(sorted(old[piece]), sorted(new[piece]), strict=True)
    ]


def _pieces(grid: Grid) -> dict[int, list[tuple[int, int]]]:
    pieces: dict[int, list[tuple[int, int]]] = {}
    for r, row in enumerate(grid.regions):
        for c, region in enumerate(row):
            if region >= 0:
                pieces.setdefault(region, []).append((r, c))
    return pieces


def _swaps(before: Mapping[str, Any], after: Mapping[str, Any]) -> Pairs:
    """What stands on one element stands on another one afterwards, and no third one differs."""
    ends = [name for name in before if before[name] != after.get(name)]
    if len(ends) != 2:
        return []
    for one, other in (ends, ends[::-1]):
        if before[one] == after[other] and _is_occupied(before[one]):
            return [(one, other)]
    return []


def _is_occupied(look: Any) -> bool:
    return bool(look.text or look.mark) if isinstance(look, Cell) else look != "paper"


def _cells(grid: Grid) -> dict[str, Cell]:
    rows = enumerate(grid.cells)
    return {_cell_name(r, c): cell for r, row in rows for c, cell in enumerate(row)}


def _nodes(graph: Graph) -> dict[str, str]:
    return {f"node-{n}": node.tone for n, node in enumerate(graph.nodes)}


def _transfer(before: Stacks, after: Stacks) -> Pairs:
    """The top item of one stack goes to another one, or begins a new one."""
    stacks = before.stacks
    for source, stack in enumerate(stacks):
        for target in [*range(len(stacks)), None]:
            if not stack or target == source:
                continue
            moved = [*map(list, stacks), []]
            moved[-1 if target is None else target].append(moved[source].pop())
            if _same(moved, after.stacks, ordered=before.style != "blocks"):
                end = NEW_STACK if target is None else f"stack-{target}"
                return [(f"stack-{source}", end)]
    return []


def _same(one: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]], ordered: bool) -> bool:
    """Whether stacks are the same, of which empty ones count only if they stand in order."""
    left, right = [tuple(stack) for stack in one], [tuple(stack) for stack in other]
    if ordered:
        return left[: len(right)] == right
    return sorted(map(repr, filter(None, left))) == sorted(map(repr, filter(None, right)))


# ------------------------------------------------------------------ elements of a board


def _names(scene: Scene) -> list[tuple[str, str]]:
    """The elements of a board, and what they are called."""
    if isinstance(scene, Grid):
        pieces = {cell: n for n, some in _pieces(scene).items() for cell in some}
        letters = {
            n: next((scene.cells[r][c].text for r, c in some if scene.cells[r][c].text), "")
            for n, some in _pieces(scene).items()
        }
        return [
            (_cell_name(r, c), _labelled(r, c, letters.get(pieces.get((r, c), -1), cell.text)))
            for r, row in enumerate(scene.cells)
            for c, cell in enumerate(row)
            if cell.fill != "none"
        ]
    if isinstance(scene, Stacks):
        named = [
            (f"stack-{n}", f"stack {label}: {', '.join(i.text for i in stack) or 'empty'}")
            for n, (stack, label) in enumerate(zip(scene.stacks, _labels(scene)))
        ]
        return [*named, (NEW_STACK, "table")] if scene.style == "blocks" else named
    if isinstance(scene, Graph):
        return [(f"node-{n}", f"node {node.name}") for n, node in enumerate(scene.nodes)]
    return []


def _labelled(row: int, column: int, text: str) -> str:
    return f"row {row + 1}, column {column + 1}{text and f': {text}'}"


def _labels(scene: Stacks) -> Iterator[str]:
    for n in range(len(scene.stacks)):
        yield scene.labels[n] if n < len(scene.labels) else str(n + 1)


def _cell_name(row: int, column: int) -> str:
    return f"r{row + 1}c{column + 1}"


GAP = 0.4
"""The space between two stacks."""


def _with_stacks(scene: Scene) -> Drawing:
    """The drawing of a scene, in which stacks are elements that can be pointed at."""
    plain = drawing(scene)
    if not isinstance(scene, Stacks) or not scene.stacks:
        return plain
    step = (plain.width - 2 * MARGIN + GAP) / len(scene.stacks)
    names = [f"stack-{n}" for n in range(len(scene.stacks))]
    names += [NEW_STACK] if scene.style == "blocks" else []
    shape = Rectangle(0, 0, round(step - GAP + 0.2, 4), round(plain.height - 0.1, 4))
    left = MARGIN - 0.1
    tiles = (Tile(round(left + n * step, 4), 0.05, (shape,), name) for n, name in enumerate(names))
    width = plain.width + (step if names[-1] == NEW_STACK else 0)
    return Drawing(round(width, 4), plain.height, (*plain.shapes, *tiles))
