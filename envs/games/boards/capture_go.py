"""Capturing problems (tsumego) of go, a Chinese game of more than two thousand years."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED, images
from palaestra.generators.games.boards.capture_go import (
    EMPTY,
    around,
    exhaustive_moves,
    group,
    groups,
    random_board,
    winning_moves,
)
from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.cells import cell_name, cells
from palaestra.verifiers.reading.values import joined, plain

Position = tuple[str, int]
"""A board, and a point of the marked group."""

STONES = {
    "X": Cell("X", mark="disc", tone="black"),
    "O": Cell("O", mark="disc", tone="white"),
    "@": Cell("@", mark="disc", tone="t3"),
    ".": Cell(),
    "new": Cell("X", mark="disc", tone="accent"),
}
"""How the signs of a board are drawn."""


class CaptureGo(Puzzle):
    """Find all moves that capture a marked group of stones by force, on several small boards."""

    version = 3
    tags = {"games", "search", "unique-solution"}
    answer_type = "cells"

    class Knobs(Puzzle.Knobs):
        size: int = ladder(4, 5, 5, 6, 7, 5, low=4, high=7)
        moves: int = ladder(1, 1, 2, 2, 2, 3)  # the most moves of Black
        boards: int = ladder(5, 5, 5, 5, 5, 4, low=2, high=6)

    size: int
    moves: int
    positions: tuple[Position, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        positions = tuple(_position(rng, knobs) for _ in range(knobs.boards))
        return cls(size=knobs.size, moves=knobs.moves, positions=positions)

    def is_valid(self) -> bool:
        """Whether each board has a marked group, and at least one of them can be captured."""
        return all(target >= 0 for _, target in self.positions) and any(self.right())

    def canonical(self) -> str:
        """The boards in the rotation or reflection with the least text."""
        least = []
        for board, target in self.positions:
            stones = group(board, target, self.size)[0]
            signs = [sign.lower() if p in stones else sign for p, sign in enumerate(board)]
            rows = [signs[n : n + self.size] for n in range(0, len(signs), self.size)]
            least.append(min("".join("".join(row) for row in image) for image in images(rows)))
        return f"{self.moves} {sorted(least)}"

    def right(self) -> list[tuple[int, ...]]:
        """The capturing moves, board by board."""
        return [winning_moves(b, t, self.moves, self.size)[0] for b, t in self.positions]

    def prompt(self) -> str:
        number = "one move" if self.moves == 1 else f"at most {self.moves} moves by Black"
        ask = self.phrase(
            f"On each board below it is Black's turn. Which first moves capture the marked white "
            f"group in {number}, whatever White does?",
            f"Black is to move on each board below, and wants to capture the marked white group "
            f"in {number}, whatever White does. Which first moves achieve this?",
        )
        shown = "\n\n".join(
            f"Board {n}:\n{self._shown(position)}" for n, position in enumerate(self.positions, 1)
        )
        examples = ["none", "r2c1, r4c3", "r1c4", "r3c3", "none"][: len(self.positions)]
        example = "\n".join(f"'{line}'" for line in examples)
        return (
            f"{ask} The rules are those of go: Black (X) and White (O, and @ for the marked group) "
            "take turns to place a stone of their own on an empty point (.), or pass. Stones of "
            "one colour that are adjacent in a row or a column belong to one group; the empty "
            "points next to its stones are its liberties. Groups of the other side that have no "
            "liberty after a move are captured and removed; after that, the new stone must "
            "belong to a group with a liberty, or the move is not allowed. A move must not "
            "repeat an earlier board, including the one shown. The group is captured when its "
            f"stones are removed, even if White has extended it.\n\n{shown}\n\n{COUNTED}: r2c1 is "
            "in row 2 and column 1. Answer with one line for each board, in their order: all first "
            "moves by which Black captures in time, separated by commas, or 'none'. It may look "
            f"like this:\n{example}"
        )

    def signs(self, position: Position) -> list[list[str]]:
        """The signs of a board, by row."""
        board, target = position
        stones = group(board, target, self.size)[0]
        signs = ["@" if p in stones else sign for p, sign in enumerate(board)]
        return [signs[n : n + self.size] for n in range(0, len(signs), self.size)]

    def _shown(self, position: Position) -> str:
        return "\n".join(" ".join(row) for row in self.signs(position))

    def scene(self) -> Panels:
        return self.pictured([()] * len(self.positions))

    def solved_scene(self, answer: str) -> Panels:
        """The boards with new stones on the points of an answer."""
        return self.pictured(self.read(answer))

    def pictured(self, moves: Sequence[Collection[int]]) -> Panels:
        """The boards, each with new black stones on some points."""
        boards = list[Grid]()
        for position, points in zip(self.positions, moves, strict=True):
            signs = self.signs(position)
            new = [divmod(point, self.size) for point in sorted(points)]
            for r, c in new:
                signs[r][c] = "new" if signs[r][c] == EMPTY else signs[r][c]
            cells = cells_of(signs, STONES)
            boards.append(Grid(cells, style="points", coordinates=True, last=tuple(new)))
        captions = (f"Board {n}" for n in range(1, len(self.positions) + 1))
        return Panels(tuple(boards), tuple(captions))

    def written(self, moves: Iterable[Iterable[int]]) -> str:
        """The answer that states these moves."""
        lines = (joined([cell_name(*divmod(p, self.size)) for p in row]) for row in moves)
        return "\n".join(line or "none" for line in lines)

    def answer(self) -> str:
        return self.written(self.right())

    def read(self, answer: str) -> list[set[int]]:
        """The points of each line of an answer."""
        lines = layout.lines(plain(answer))
        if len(lines) != len(self.positions):
            raise InvalidAnswer(
                f"{len(self.positions)} lines are required, but the answer has {len(lines)}"
            )
        return [{r * self.size + c for r, c in cells(line, self.size, self.size)} for line in lines]

    def verify(self, answer: str) -> Score:
        positions = self.read(answer)
        wrong = [n for n, (a, b) in enumerate(zip(positions, self.right()), 1) if a != set(b)]
        parts = {"progress": 1 - len(wrong) / len(positions)}
        return (
            Score(0, f"the moves for board {wrong[0]} are wrong", parts)
            if wrong
            else Score(1, "", parts)
        )

    def audit(self, answer: str) -> bool:
        """Compare with an exhaustive search, for small boards."""
        lines = [line.replace(",", " ").split() for line in answer.casefold().splitlines()]
        rows = self.right()
        if self.moves < 3 and self.size < 6:
            rows = [
                tuple(exhaustive_moves(board, target, self.moves, self.size, frozenset({board})))
                for board, target in self.positions
            ]
        names = [[cell_name(*divmod(p, self.size)) for p in row] or ["none"] for row in rows]
        return [sorted(line) for line in lines] == [sorted(row) for row in names]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """One liberty of each group: a random one, or the one with the most or fewest empty points
        beside it; and all liberties of the groups that have no more than Black has moves.
        """
        rows: dict[str, list[list[int]]] = {
            "random liberty": [], "most room": [], "least room": [], "few liberties": [],
        }  # fmt: skip
        for board, target in self.positions:
            liberties = sorted(group(board, target, self.size)[1])
            rng.shuffle(liberties)
            room = {p: sum(board[n] == EMPTY for n in around(self.size)[p]) for p in liberties}
            rows["random liberty"].append(liberties[:1])
            rows["most room"].append([max(liberties, key=room.__getitem__)])
            rows["least room"].append([min(liberties, key=room.__getitem__)])
            rows["few liberties"].append(liberties if len(liberties) <= self.moves else [])
        return {name: self.written(moves) for name, moves in rows.items()}

    def difficulty(self) -> float:
        nodes = [winning_moves(b, t, self.moves, self.size)[1] for b, t in self.positions]
        return float(4 * sum(nodes) + len(self.positions) * self.size**2)

    def shortcuts(self) -> Iterable[str]:
        """All liberties, the first or the last of them, or none."""
        free = [sorted(group(b, t, self.size)[1]) for b, t in self.positions]
        yield from (self.written(free), self.written([row[:1] for row in free]))
        yield from (self.written([row[-1:] for row in free]), self.written([] for _ in free))


def _position(rng: Random, knobs: CaptureGo.Knobs) -> Position:
    """A random board with a group of about as many liberties as Black has moves.

    The number of capturing moves is sampled first, as far as possible, so that no guess is likely.
    """
    number = rng.randint(0, min(knobs.moves, 2))
    board, target = "", -1
    for _ in range(30 * knobs.moves):
        board, target = random_board(rng, knobs.size, rng.uniform(0.45, 0.7)), -1
        spare = knobs.moves == 1 and number == 0
        captured = [p for p, free in groups(board, knobs.size) if free == knobs.moves + spare]
        if not captured:
            continue
        target = rng.choice(captured)
        if len(winning_moves(board, target, knobs.moves, knobs.size)[0]) == number:
            break
    return board, target
