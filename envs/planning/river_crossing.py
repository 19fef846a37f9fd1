"""Crossing a river with passengers that cannot be left alone, after Alcuin of York (about 800).

With weights, several who can row, and any conflicts it is a case of the ferry problem of Lampis and
Mitsou (2009).
"""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.planning.river_crossing import (
    Ferry,
    State,
    crossed,
    members,
    parties,
    shortest,
)
from palaestra.scenes import Edge, Graph, Item, Node, Panels, Stacks
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.moves import steps, words

ROWERS = ("farmer", "miller", "hunter", "smith", "weaver")
CARGO = (
    "wolf", "goat", "cabbage", "fox", "goose", "corn", "dog", "cat", "mouse", "cheese", "snake",
    "frog", "lion", "sheep", "hay",
)  # fmt: skip


class RiverCrossing(PicturedPlan):
    """Take everyone across a river in a small boat, leaving none alone with its enemy."""

    tags = {"planning", "search", "graphs"}
    baseline_note = (
        "with one place that holds no clash, a player who never returns to a position is led "
        "to the goal by the few crossings that are legal"
    )
    units = "crossings"

    class Knobs(PicturedPlan.Knobs):
        cargo: int = ladder(3, 4, 5, 6, 6, 7, low=3, high=8)
        rowers: int = ladder(1, 1, 1, 1, 2, 2)
        clashes: int = ladder(2, 3, 4, 5, 7, 9, low=1, high=12)
        least: int = ladder(5, 5, 7, 7, 9, 9, low=3)  # crossings that are needed

    names: tuple[str, ...]
    weights: tuple[int, ...]
    rowers: int
    clashes: tuple[tuple[int, int], ...]
    capacity: int
    least: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cargo = max(knobs.cargo, knobs.least - 3)  # few passengers need few crossings
        size = knobs.rowers + cargo
        weights = tuple(sorted(rng.randint(6, 9) for _ in range(knobs.rowers))) + tuple(
            sorted(rng.randint(1, 9) for _ in range(cargo))
        )
        pairs = list(combinations(range(knobs.rowers, size), 2))
        clashes = tuple(sorted(rng.sample(pairs, min(knobs.clashes, len(pairs) - 1))))
        names = (*rng.sample(ROWERS, knobs.rowers), *rng.sample(CARGO, cargo))
        return cls(
            names=names,
            weights=weights,
            rowers=knobs.rowers,
            clashes=clashes,
            capacity=rng.randint(max(weights) + 6, max(weights) + 14),
            least=knobs.least,
        )

    def ferry(self) -> Ferry:
        """The boat and its passengers, as the solver takes them."""
        return Ferry(self.weights, self.rowers, self.clashes, self.capacity)

    def search(self) -> tuple[int, ...] | None:
        return shortest(self.ferry())

    def is_valid(self) -> bool:
        plan = self.search()
        return plan is not None and len(plan) >= self.least

    def canonical(self) -> str:
        return repr((self.weights, self.rowers, self.clashes, self.capacity))

    def prompt(self) -> str:
        crew = " and ".join(f"the {name}" for name in self.names[: self.rowers])
        weights = ", ".join(f"{name} {weight}" for name, weight in zip(self.names, self.weights))
        clashes = "; ".join(f"{self.names[a]} and {self.names[b]}" for a, b in self.clashes)
        task = self.phrase(
            "All of these are on the left bank of a river and have to get to the right bank",
            "All of these must be taken from the left bank of a river to the right one",
        )
        alone = "whoever rows" if self.rowers > 1 else crew
        example = f"{self.names[0]}, {self.names[self.rowers]}"
        return (
            f"{task}, with their weights in kilograms: {weights}.\n\nThere is one boat, which "
            f"carries at most {self.capacity} kilograms in all and is on the left bank to begin "
            f"with. It does not cross by itself: at least one who can row must be in it, and only "
            f"{crew} can. These pairs must not be left together: {clashes}. That is, when the boat "
            "has left a bank, no such pair may be on that bank unless someone who can row is "
            f"there too. In the boat, and on the bank where the boat lands, {alone} keeps the "
            f"peace.\n\nGet everyone to the right bank in at most {self.move_limit()} "
            "crossings, including those back. Write one crossing per line, with the names of "
            f"all who are in the boat, such as '{example}'; the first crossing goes to the right, "
            "the second back to the left, and so on."
        )

    def picture(self, state: State) -> Panels:
        banks = [
            [n for n in range(len(self.names)) if state[0] >> n & 1 != bank] for bank in (0, 1)
        ]
        stacks = tuple(tuple(map(self.passenger, reversed(bank))) for bank in banks)
        labels = ["left bank", "right bank"]
        labels[state[1]] += ", boat"
        river = Stacks(stacks, tuple(labels), height=len(self.names))
        foes = sorted({n for pair in self.clashes for n in pair})
        graph = Graph(
            tuple(Node(self.names[n], "t3", shape="box") for n in foes),
            tuple(Edge(foes.index(a), foes.index(b)) for a, b in self.clashes),
        )
        captions = (f"Boat for {self.capacity} kg", "Not to be left together")
        return Panels((river, graph), captions, columns=1)

    def passenger(self, number: int) -> Item:
        """A passenger with the weight, and with a sign if the passenger can row."""
        name = f"{self.names[number]} {self.weights[number]}"
        rows = number < self.rowers
        return Item(f"{name}, rows" if rows else name, "t1" if rows else "t0")

    def as_text(self, moves: Iterable[int]) -> str:
        return "\n".join(", ".join(self.names[n] for n in members(party)) for party in moves)

    def read(self, answer: str) -> list[int]:
        """The passengers of each crossing, as bits."""
        number = {name: n for n, name in enumerate(self.names)}
        parties = []
        for line in steps(answer):
            party = words(line.replace(",", " "), {"and", "the", "&", "+"})
            if any(name not in number for name in party) or len(set(party)) < len(party):
                raise InvalidAnswer(
                    "expected one crossing per line, with the names of those in the boat"
                )
            parties.append(sum(1 << number[name] for name in party))
        return parties

    def initial(self) -> State:
        return self.ferry().everyone(), 0

    def after(self, state: State, move: int) -> State:
        return crossed(self.ferry(), state, move, self.names)

    def moves_from(self, state: State) -> Iterable[int]:
        return parties(self.ferry())

    def distance(self, state: State) -> float:
        """The passengers on the left bank."""
        return state[0].bit_count()

    def violation(self, state: State) -> str:
        return "somebody is still on the left bank in the end" if state[0] else ""

    def audit(self, answer: str) -> bool:
        """Keeps the two banks as sets of names."""
        rowers, weigh = set(self.names[: self.rowers]), dict(zip(self.names, self.weights))
        clashes = [{self.names[a], self.names[b]} for a, b in self.clashes]
        near, far = set(self.names), set[str]()
        boats = self.read(answer)
        for boat in boats:
            party = {name for n, name in enumerate(self.names) if boat >> n & 1}
            alone = near - party
            if not (party <= near and party & rowers) or sum(map(weigh.get, party)) > self.capacity:  # type: ignore[arg-type]
                return False
            if not alone & rowers and any(pair <= alone for pair in clashes):
                return False
            near, far = far | party, alone
        right_bank = near if len(boats) % 2 else far
        return len(right_bank) == len(self.names) and len(boats) <= len(self.plan())

    def difficulty(self) -> float:
        return float(len(self.plan()) * 2 ** len(self.names))

    def shortcuts(self) -> Iterable[str]:
        """The first rower takes the others across one by one."""
        trips = []
        for name in self.names[1:]:
            trips += [f"{self.names[0]}, {name}", self.names[0]]
        yield "\n".join(trips[:-1])
