"""Turning the tiles of a pipe network in place, as in FreeNet (Pavils Jurjans) and NetWalk.

To decide whether tiles of this type can be connected is NP-complete (Král', Majerech, Sgall, Tichý
and Woeginger, "It is tough to be a plumber", 2004, for tiles that need not be one network).
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.cells import images, in_rows
from palaestra.generators.games.puzzles.pipe_turning import Move, solved, spanning_tree, walled
from palaestra.generators.games.puzzles.pipe_turning import PipeTurning as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.pipe_tiles import turned, turnings
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder

Fits = Callable[[int], list[str]]
"""The tiles of a cell that agree with what a player has settled."""


class PipeTurning(SoloGame):
    """Turn tiles with pipes, one a move, until all are one network, without a wrong turn."""

    tags = {"connectivity", "grid", "perfect-information", "planning", "unique-solution"}
    answer_type = "cells"
    tries: ClassVar[int] = 30
    """How many networks are looked at for one whose solution takes enough trial."""

    class Knobs(SoloGame.Knobs):
        rows: int = ladder(3, 4, 4, 5, 6, 7, 7, low=3, high=8)
        columns: int = ladder(3, 4, 4, 5, 6, 6, 7, low=3, high=8)
        wraps: bool = ladder(False, False, True)
        least_tries: int = ladder(0, 0, 0, 4, 5, 6, 8, low=0, high=20)  # of a solver's tiles
        spare: int = ladder(3, 2, 1, 0, 0, 0, 0, low=0, high=40)  # moves beyond a shortest plan

    rows: int
    columns: int
    wraps: bool
    walls: tuple[tuple[int, int], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first network of some whose solution takes enough trial, or else the one that takes
        the most; its tiles lie at random.
        """
        board = Rules(knobs.rows, knobs.columns, knobs.wraps)
        best, most = None, -1
        for _ in range(cls.tries):
            tree = spanning_tree(rng, board)
            rules, solutions = walled(board, tree, len(tree))
            if solutions.tiles == (tree,) and solutions.tries > most:
                best, most = (tree, rules), solutions.tries
            if most >= knobs.least_tries:
                break
        if best is None:
            return cls(position=encoded(()), moves=0, rows=0, columns=0, wraps=False, walls=())
        tree, rules = best
        start = tuple(turned(tile, rng.randrange(4)) for tile in tree)
        return cls(
            position=encoded(start),
            moves=int(rules.distance(start)) + knobs.spare,
            rows=rules.rows,
            columns=rules.columns,
            wraps=rules.wraps,
            walls=rules.walls,
        )

    def is_valid(self) -> bool:
        """Whether there is exactly one solution, and at least half of the tiles have to be turned
        for it.
        """
        if not self.moves:
            return False
        solutions = solved(self.rules(), tuple(turnings(tile)[0] for tile in self.start())).tiles
        if solutions is None or len(solutions) != 1:
            return False
        return 2 * self.rules().distance(self.start()) >= self.rows * self.columns

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns, self.wraps, self.walls)

    def canonical(self) -> str:
        """The shapes of the tiles, whose rotation does not matter, the same for mirror images."""
        shapes = [turnings(tile)[0] for tile in self.start()]
        near = self.rules().beside
        signs = [shape + str(len(around)) for shape, around in zip(shapes, near)]
        return f"{self.wraps} {min(map(encoded, images(in_rows(signs, self.columns))))}"

    def plan(self) -> Plan[Move] | None:
        """The tiles that lie otherwise than in the only solution, in reading order."""
        start = self.start()
        solutions = solved(self.rules(), tuple(turnings(tile)[0] for tile in start))
        if not solutions.tiles:
            return None
        pairs = enumerate(zip(start, solutions.tiles[0]))
        moves = [(at, new) for at, (old, new) in pairs if old != new]
        return Plan(tuple(moves), solutions.tries)

    def difficulty(self) -> float:
        """The tiles to turn, and those that the solver tries for a solution."""
        plan = self.plan()
        return len(plan.moves) + float(plan.visited) if plan else 0.0

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who turn the tile that joins the most pipes, or settle one tile after another so
        that each agrees with those that are settled.
        """
        return {
            "most joined pipes": self._greedy(rng),
            "cells in reading order": self._settler(rng, lambda cells, fits: cells[0]),
            "most constrained cell first": self._settler(
                rng, lambda cells, fits: min(cells, key=lambda at: len(fits(at)))
            ),
        }

    def _greedy(self, rng: Random) -> Policy:
        rules, known = self.rules(), set[str]()

        def move(turn: Turn) -> str:
            known.add(turn.state.rpartition(" ")[0])
            state = rules.decode(turn.state.rpartition(" ")[0])
            after = {way: rules.apply(state, way) for way in rules.legal(state)}
            fresh = [way for way in after if encoded(after[way]) not in known] or [*after]
            rng.shuffle(fresh)
            return rules.name(state, max(fresh, key=lambda way: rules.judgement(after[way])))

        return move

    def _settler(self, rng: Random, choose: Callable[[list[int], Fits], int]) -> Policy:
        """Settle cells in an order until one has to be turned, and turn it."""
        rules, settled = self.rules(), dict[int, str]()
        left = list(range(self.rows * self.columns))

        def move(turn: Turn) -> str:
            state = rules.decode(turn.state.rpartition(" ")[0])

            def fits(at: int) -> list[str]:
                return [tile for tile in turnings(state[at]) if rules.fits(at, tile, settled)]

            while left:
                at = choose(left, fits)
                left.remove(at)
                options = fits(at) or [state[at]]
                settled[at] = state[at] if state[at] in options else rng.choice(options)
                if settled[at] != state[at]:
                    return rules.name(state, (at, settled[at]))
            return rng.choice(turn.legal_moves or [""])

        return move

    def description(self) -> str:
        edge = (
            "The board has no edge: the first row is below the last one, and the first column to "
            "the right of the last one, so that a pipe that leaves the board on one side enters it "
            "on the opposite side."
            if self.wraps
            else "No pipe may be open towards the edge of the board."
        )
        lines = "a wall, which is a line, | or ----"
        if self.walls:
            edge += f" No pipe may be open towards {lines}."
        elif not self.wraps:
            edge = f"{edge[:-1]}, which is drawn as lines."
        return self.phrase(
            f"A board of {self.rows} rows and {self.columns} columns is full of tiles with pipes. "
            "The letters of a tile are the sides on which its pipe is open: U for up, R for right, "
            "D for down, L for left. In each move you turn one tile in place, by one, two or three "
            "quarter turns. Turn the tiles until all of them are one connected network without "
            "loops: wherever a pipe is open towards the next tile, that tile's pipe is open "
            f"towards it as well, and there is exactly one way from each tile to any other. "
            f"{edge} There is only one solution. Write the cell, by its row and column counted "
            "from 1 at the top left, and the open sides after the turn, such as 'r2c3 DR'.",
            f"Connect all pipes of this board of {self.rows} by {self.columns} tiles. A tile is "
            "shown as the directions in which its pipe leads: U is up, R right, D down, L left. "
            "A move turns one tile by 90, 180 or 270 degrees; tiles never change places. In the "
            "end every end of a pipe has to meet an end of a pipe of the tile beside it, and the "
            f"pipes have to form a single tree that contains all tiles. {edge} Exactly one "
            "arrangement does this. Name the tile by row and column, which count from 1 at the top "
            "left, and the sides on which it is open after the move, for example 'r2c3 DR'.",
        )
