"""Pictures of the states of planning puzzles, and of what a plan makes of the start."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

from palaestra.scenes import Border, Cell, Graph, Grid, Panels, Scene, Stacks
from palaestra.scenes.elements import changed
from palaestra.verifiers.planning.plans import Illegal, PlanPuzzle

TONES = {
    "red": "c3", "green": "c2", "blue": "c0", "yellow": "c6", "white": "white", "black": "black",
    "orange": "c1", "purple": "c8", "pink": "c4", "brown": "c7", "grey": "shade", "gold": "t1",
    "silver": "muted", "cyan": "c5", "violet": "t8", "olive": "c11", "teal": "c9", "beige": "t7",
    "ruby": "c10", "amber": "t6",
}  # fmt: skip
"""The roles of the palette that come closest to colours of prompts."""

WIDE = 1.2
"""How much wider than high a picture is that has another one below it, not beside it."""


class PicturedPlan(PlanPuzzle):
    """A puzzle of a plan whose states can be drawn.

    A new environment of this family defines :meth:`picture`, and :meth:`goal_picture` if its prompt
    states the goal as a state.
    """

    @abstractmethod
    def picture(self, state: Any) -> Scene:
        """What there is to see of a state."""

    def goal_picture(self) -> Scene | None:
        """What there is to see of the goal, if the prompt shows it as a state."""
        return None

    def scene(self) -> Scene:
        start, goal = self.picture(self.initial()), self.goal_picture()
        return start if goal is None else beside((start, goal), ("Start", "Goal"))

    def solved_scene(self, answer: str) -> Scene:
        """The state after the moves of an answer, up to the first illegal one or the limit.

        It stands beside the goal or else, if there is room, the start.
        """
        moves = self.read(answer)
        before = state = self.initial()
        number = 0
        for move in moves[: self.move_limit()]:
            try:
                before, state = state, self.after(state, move)
            except Illegal:
                break
            number += 1
        of = "" if number == len(moves) else f" of {len(moves)}"
        caption = f"After {number}{of} {self.units}"
        end = marked(self.picture(before), self.picture(state))
        goal = self.goal_picture()
        if goal is not None:
            return beside((end, goal), (caption, "Goal"))
        if isinstance(end, Panels):
            return Panels((end,), (caption,))
        return beside((self.picture(self.initial()), end), ("Start", caption))


def marked(before: Scene, after: Scene) -> Scene:
    """A scene with a mark on whatever differs from the scene before, which has the same form.

    >>> grids = (Grid(((Cell("1"), Cell("")),)), Grid(((Cell("1"), Cell("2")),)))
    >>> marked(*grids).last
    ((0, 1),)
    """
    if isinstance(before, Grid) and isinstance(after, Grid):
        rows = enumerate(zip(before.cells, after.cells, strict=True))
        return changed(after, last=tuple((r, c) for r, pair in rows for c in _differing(*pair)))
    if isinstance(before, Stacks) and isinstance(after, Stacks):
        old = before.stacks
        if len(old) != len(after.stacks):  # a stack begins or ends, and the others move aside
            old = tuple(max(old, key=partial(_shared, new)) for new in after.stacks)
            old = tuple(one[: _shared(new, one)] for new, one in zip(after.stacks, old))
        stacks = enumerate(zip(old, after.stacks, strict=True))
        return changed(after, last=tuple((n, k) for n, pair in stacks for k in _moved(*pair)))
    if isinstance(before, Graph) and isinstance(after, Graph):
        nodes = zip(before.nodes, after.nodes, strict=True)
        ends = {n for n, (one, other) in enumerate(nodes) if one != other}
        edges = tuple(
            changed(edge, tone="accent", wide=True) if {edge.start, edge.end} <= ends else edge
            for edge in after.edges
        )
        return changed(after, edges=edges)
    if isinstance(before, Panels) and isinstance(after, Panels):
        pairs = zip(before.scenes, after.scenes, strict=True)
        return changed(after, scenes=tuple(marked(one, other) for one, other in pairs))
    return after


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items two stacks share from the bottom."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))


def _differing(before: Sequence[object], after: Sequence[object]) -> list[int]:
    """The positions at which two rows of equal length differ."""
    return [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]


def _moved(before: Sequence[object], after: Sequence[object]) -> list[int]:
    """The levels of what is new in a stack, or in another order."""
    if len(before) == len(after):
        return _differing(before, after)
    left, new = list(before), list[int]()
    for level, item in enumerate(after):
        if item in left:
            left.remove(item)
        else:
            new.append(level)
    return new


def beside(scenes: Sequence[Scene], captions: Sequence[str]) -> Panels:
    """Scenes of one form with captions: beside each other, or below if they are wide."""
    columns = 1 if _shape(scenes[0]) > WIDE else 2
    return Panels(tuple(scenes), tuple(captions), columns)


def _shape(scene: Scene) -> float:
    """About how many times as wide as high a scene is."""
    if isinstance(scene, Grid):
        return len(scene.cells[0]) / len(scene.cells)
    if isinstance(scene, Stacks):
        items = scene.height or max(map(len, scene.stacks))
        width, height = {"tubes": (1.4, 1.0), "pegs": (3.0, 0.6), "blocks": (2.0, 0.6)}[scene.style]
        return width * len(scene.stacks) / (height * items + 1)
    return 1.0


def tiles(board: Sequence[object], columns: int, coordinates: bool = True) -> Grid:
    """A board of numbered tiles, listed in reading order; 0 is a gap.

    >>> tiles((1, 2, 3, 0), 2).cells[1][1].text
    ''
    """
    cells = [Cell(str(tile)) if tile else Cell(fill="shade") for tile in board]
    rows = (tuple(cells[n : n + columns]) for n in range(0, len(cells), columns))
    return Grid(tuple(rows), coordinates=coordinates)


def outline(cells: Collection[tuple[int, int]]) -> tuple[Border, ...]:
    """A line around cells, which shows where something has to go.

    >>> [border.points for border in outline([(0, 0), (0, 1)])][:2]
    [((0, 0), (0, 1)), ((1, 0), (1, 1))]
    """
    sides = []
    for r, c in sorted(cells):
        ends = {(-1, 0): ((r, c), (r, c + 1)), (1, 0): ((r + 1, c), (r + 1, c + 1)),
                (0, -1): ((r, c), (r + 1, c)), (0, 1): ((r, c + 1), (r + 1, c + 1))}  # fmt: skip
        sides += [line for (y, x), line in ends.items() if (r + y, c + x) not in cells]
    return tuple(Border(line, "accent", 0.14) for line in sides)
