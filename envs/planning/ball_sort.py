"""Sorting balls by colour between tubes, a phone game of the 2020s.

Takehiro Ito and others show that it is NP-complete (2022); plans are found by best-first search.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import Self

from palaestra.generators.search import Plan, a_star
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import Illegal, hops, simulated

Tube = tuple[int, ...]
"""The colours of its balls from the bottom to the top."""
Tubes = tuple[Tube, ...]
Move = tuple[int, int]

COLOURS = ("red", "blue", "green", "yellow", "white", "black", "pink", "orange")
LETTERS = "ABCDEFGHIJKL"


def breaks(tubes: Tubes) -> float:
    """How many balls lie on one of another colour, or on the bottom of a tube they must leave."""
    wrong = sum(a != b for tube in tubes for a, b in pairwise(tube))
    bottoms = [tube[0] for tube in tubes if tube]
    return wrong + len(bottoms) - len(set(bottoms))


@lru_cache(maxsize=256)
def solved(tubes: Tubes, height: int) -> Plan[Move] | None:
    """Moves that sort the balls, few but not always fewest, within a budget."""

    def ways(state: Tubes) -> Iterator[tuple[Move, Tubes]]:
        for a, b in permutations(range(len(state)), 2):
            one, other = state[a], state[b]
            if not one or len(other) == height or (other and other[-1] != one[-1]):
                continue
            if not other and len(set(one)) == 1:
                continue  # nothing is won by moving what is alone already
            after = list(state)
            after[a], after[b] = one[:-1], (*other, one[-1])
            yield (a, b), tuple(after)

    return a_star(tubes, ways, lambda state: 3 * breaks(state), budget=400)


class BallSort(Puzzle):
    """Sort coloured balls into tubes, moving the top ball of a tube at a time."""

    tags = {"planning", "search", "sorting"}

    class Knobs(Puzzle.Knobs):
        colours: int = ladder(3, 3, 4, 5, 6, 7, 8, low=3)
        height: int = ladder(3, 4, 4, 4, 4, 4, 4, low=3, high=5)  # of a tube, in balls
        spare: int = ladder(6, 6, 4, 4, 2, 2, 0)  # moves beyond those of the solver

    tubes: Tubes
    height: int
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        balls = list(range(knobs.colours)) * knobs.height
        rng.shuffle(balls)
        full = [tuple(balls[n : n + knobs.height]) for n in range(0, len(balls), knobs.height)]
        return cls(tubes=(*full, (), ()), height=knobs.height, spare=knobs.spare)

    def plan(self) -> Plan[Move]:
        """What the solver finds."""
        solution = solved(self.tubes, self.height)
        assert solution is not None, "a fair task is solved within the budget"
        return solution

    def limit(self) -> int:
        """How many moves there may be."""
        return len(self.plan().moves) + self.spare

    def is_valid(self) -> bool:
        return solved(self.tubes, self.height) is not None and breaks(self.tubes) > self.height

    def canonical(self) -> str:
        first: dict[int, int] = {}  # colours in the order in which they come up
        tubes = [[first.setdefault(ball, len(first)) for ball in tube] for tube in self.tubes]
        return repr((tubes, self.spare))

    def prompt(self) -> str:
        rows = "\n".join(
            f"{LETTERS[n]}: {', '.join(COLOURS[ball] for ball in tube) or 'empty'}"
            for n, tube in enumerate(self.tubes)
        )
        task = self.phrase(
            f"Balls of {len(self.tubes) - 2} colours lie in tubes, one on top of the other.",
            f"Tubes hold balls of {len(self.tubes) - 2} colours, one ball on top of another.",
        )
        return (
            f"{task} A tube holds up to {self.height} balls. From the bottom to the top:\n\n"
            f"{rows}\n\nA move takes the top ball of a tube and puts it on top in another tube, "
            "which must not be full, and must be empty or have a ball of the same colour on top. "
            "Sort the balls, so that no tube holds balls of different colours and no colour is in "
            f"more than one tube, in at most {self.limit()} moves. Write one move per line, the "
            "tube that the ball leaves and the tube it goes to, such as 'A -> B'."
        )

    def answer(self) -> str:
        return "\n".join(f"{LETTERS[a]} -> {LETTERS[b]}" for a, b in self.plan().moves)

    def verify(self, answer: str) -> Score:
        def after(tubes: Tubes, move: Move) -> Tubes:
            a, b = move
            if a == b:
                raise Illegal("the ball stays where it is")
            if not tubes[a]:
                raise Illegal(f"tube {LETTERS[a]} is empty")
            if len(tubes[b]) == self.height:
                raise Illegal(f"tube {LETTERS[b]} is full")
            if tubes[b] and tubes[b][-1] != tubes[a][-1]:
                raise Illegal(f"the top ball of tube {LETTERS[b]} has another colour")
            new = list(tubes)
            new[a], new[b] = tubes[a][:-1], (*tubes[b], tubes[a][-1])
            return tuple(new)

        def flaw(tubes: Tubes) -> str:
            return "the balls are not sorted in the end" if breaks(tubes) else ""

        moves = hops(answer, LETTERS[: len(self.tubes)])
        return simulated(moves, self.tubes, after, flaw, self.limit())

    def audit(self, answer: str) -> bool:
        """Pours between lists, and looks for a tube to each colour."""
        piles = [list(tube) for tube in self.tubes]
        moves = hops(answer, LETTERS[: len(self.tubes)])
        for a, b in moves:
            if a == b or not piles[a] or piles[b][-1:] not in ([], piles[a][-1:]):
                return False
            piles[b].append(piles[a].pop())
            if len(piles[b]) > self.height:
                return False
        colours = len(self.tubes) - 2
        full = sorted(pile for pile in piles if pile) == [[c] * self.height for c in range(colours)]
        return full and len(moves) <= self.limit()

    def difficulty(self) -> float:
        return float(len(self.plan().moves) * len(self.tubes) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield "A -> " + LETTERS[len(self.tubes) - 1]
