"""Sorting balls by colour between tubes, a phone game of the 2020s.

Takehiro Ito and others show that it is NP-complete (2022); plans are found by best-first search.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import TONES, PicturedPlan
from palaestra.generators.search import a_star
from palaestra.scenes import Item, Stacks
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import hops, hops_as_text

Tube = tuple[int, ...]
"""The colours of its balls from the bottom to the top."""
Tubes = tuple[Tube, ...]
Move = tuple[int, int]

COLOURS = ("red", "blue", "green", "yellow", "white", "black", "pink", "orange")
LETTERS = "ABCDEFGHIJKL"


def breaks(tubes: Tubes) -> float:
    """How many balls lie on one of another colour, or at the bottom of a tube they must leave."""
    wrong = sum(a != b for tube in tubes for a, b in pairwise(tube))
    bottoms = [tube[0] for tube in tubes if tube]
    return wrong + len(bottoms) - len(set(bottoms))


@lru_cache(maxsize=256)
def solved(tubes: Tubes, height: int) -> tuple[Move, ...] | None:
    """Moves that sort the balls, few but not always fewest, within a budget."""

    def ways(state: Tubes) -> Iterator[tuple[Move, Tubes]]:
        for a, b in permutations(range(len(state)), 2):
            one, other = state[a], state[b]
            if not one or len(other) == height or (other and other[-1] != one[-1]):
                continue
            if not other and len(set(one)) == 1:
                continue  # moving balls of one colour to an empty tube gains nothing
            after = list(state)
            after[a], after[b] = one[:-1], (*other, one[-1])
            yield (a, b), tuple(after)

    plan = a_star(tubes, ways, lambda state: 3 * breaks(state), budget=400)
    return None if plan is None else plan.moves


class BallSort(PicturedPlan):
    """Sort coloured balls into tubes, moving the top ball of a tube at a time."""

    version = 2
    tags = {"planning", "search", "sorting"}
    answer_type = "moves"

    class Knobs(PicturedPlan.Knobs):
        colours: int = ladder(3, 3, 4, 6, 7, 8, 8, low=3)
        height: int = ladder(3, 4, 4, 5, 5, 5, 6, low=3)  # of a tube, in balls
        spare: int = ladder(6, 6, 3, 0, low=0)  # moves beyond those of the solver

    tubes: Tubes
    height: int
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        balls = list(range(knobs.colours)) * knobs.height
        rng.shuffle(balls)
        full = [tuple(balls[n : n + knobs.height]) for n in range(0, len(balls), knobs.height)]
        return cls(tubes=(*full, (), ()), height=knobs.height, spare=knobs.spare)

    def search(self) -> tuple[Move, ...] | None:
        return solved(self.tubes, self.height)

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def is_valid(self) -> bool:
        return self.search() is not None and breaks(self.tubes) > self.height

    def canonical(self) -> str:
        first: dict[int, int] = {}  # colours in the order of first use
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
            f"more than one tube, in at most {self.move_limit()} moves. Write one move per line, "
            "the tube that the ball leaves and the tube it goes to, such as 'A -> B'."
        )

    def picture(self, state: Tubes) -> Stacks:
        tubes = (
            tuple(Item("K" if ball == "black" else ball[0].upper(), TONES[ball]) for ball in balls)
            for balls in ([COLOURS[n] for n in tube] for tube in state)
        )
        return Stacks(tuple(tubes), tuple(LETTERS[: len(state)]), "tubes", self.height)

    def read(self, answer: str) -> list[Move]:
        return hops(answer, LETTERS[: len(self.tubes)])

    def as_text(self, moves: Sequence[Move]) -> str:
        return hops_as_text(moves, LETTERS)

    def initial(self) -> Tubes:
        return self.tubes

    def after(self, state: Tubes, move: Move) -> Tubes:
        source, target = move
        if source == target:
            raise Illegal("the ball stays where it is")
        if not state[source]:
            raise Illegal(f"tube {LETTERS[source]} is empty")
        if len(state[target]) == self.height:
            raise Illegal(f"tube {LETTERS[target]} is full")
        if state[target] and state[target][-1] != state[source][-1]:
            raise Illegal(f"the top ball of tube {LETTERS[target]} has another colour")
        tubes = list(state)
        tubes[source], tubes[target] = state[source][:-1], (*state[target], state[source][-1])
        return tuple(tubes)

    def moves_from(self, state: Tubes) -> Iterable[Move]:
        return permutations(range(len(state)), 2)

    def distance(self, state: Tubes) -> float:
        return breaks(state)

    def violation(self, state: Tubes) -> str:
        return "the balls are not sorted in the end" if breaks(state) else ""

    def audit(self, answer: str) -> bool:
        """Moves balls between lists, and compares the tubes in use with one of each colour."""
        piles = [list(tube) for tube in self.tubes]
        moves = self.read(answer)
        for a, b in moves:
            if a == b or not piles[a] or piles[b][-1:] not in ([], piles[a][-1:]):
                return False
            piles[b].append(piles[a].pop())
            if len(piles[b]) > self.height:
                return False
        colours = len(self.tubes) - 2
        full = sorted(pile for pile in piles if pile) == [[c] * self.height for c in range(colours)]
        return full and len(moves) <= self.move_limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.tubes) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield "A -> " + LETTERS[len(self.tubes) - 1]
