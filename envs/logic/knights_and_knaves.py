"""Knights and knaves, after Raymond Smullyan, "What Is the Name of This Book?" (1978)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import and_
from random import Random
from typing import Self

from palaestra.generators.baselines import verdicts
from palaestra.generators.bitsets import bits
from palaestra.generators.exchanges import exchanges
from palaestra.generators.logic.propositions import Statement, english, holds, negate, statement
from palaestra.generators.people import NAMES
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import pairs

World = tuple[bool, ...]
"""Who is a knight, in the order of the names."""


class KnightsAndKnaves(Puzzle):
    """Find out who is a knight, who never lies, and who a knave, who always lies."""

    version = 2
    tags = {"deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        people: int = ladder(2, 3, 4, 7, 8, 9, 10)
        depth: int = ladder(1, 1, 1, 2, 2, 2, 3)  # at 0, the opposite roles fit, too

    names: tuple[str, ...]
    claims: tuple[Statement, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = tuple(rng.sample(NAMES, knobs.people))
        world = [rng.random() < 0.5 for _ in names]
        statements = [statement(rng, range(knobs.people), knobs.depth) for _ in names]
        claims = (
            s if holds(s, world) == knight else negate(s) for s, knight in zip(statements, world)
        )
        return cls(names=names, claims=tuple(claims))

    def is_valid(self) -> bool:
        return len(self.worlds()) == 1

    def canonical(self) -> str:
        return repr(self.claims)

    def worlds(self) -> list[World]:
        """All assignments of roles that fit the claims."""
        return [w for w in product((False, True), repeat=len(self.names)) if self.fits(w)]

    def fits(self, world: World) -> bool:
        """Whether all claims of knights are true, and none of knaves."""
        return all(holds(claim, world) == knight for claim, knight in zip(self.claims, world))

    def sentences(self) -> Sequence[Sentence]:
        return [Sentence(self.speech(who)) for who in range(len(self.names))]

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two claims change places, or one is negated."""
        negated = [
            [negate(claim) if n == who else claim for n, claim in enumerate(self.claims)]
            for who in range(len(self.claims))
        ]
        every = [*negated, *exchanges(self.claims, rng)]
        for claims in rng.sample(every, len(every)):
            yield self.model_copy(update={"claims": tuple(claims)})

    def refutation(self, altered: Self) -> float | None:
        """The number of all assignments of roles. It takes a glance to see that a claim contradicts
        itself, or, among more than three people, that two claims contradict each other.
        """
        size = len(self.names)
        worlds = [fitting(claim, who, size) for who, claim in enumerate(altered.claims)]
        if reduce(and_, worlds):
            return None
        pairs = combinations(worlds, 2) if size > 3 else ()
        obvious = not all(worlds) or not all(one & other for one, other in pairs)
        return 0.0 if obvious else 2.0**size

    def prompt(self) -> str:
        listing = "\n".join(self.speech(who) for who in range(len(self.names)))
        rules = self.phrase(
            "On an island every inhabitant is either a knight, whose every statement is true, "
            "or a knave, whose every statement is false.",
            "Everyone in this village is either a knight, who makes only true statements, or a "
            "knave, who makes only false statements.",
        )
        return (
            f"{rules}\n\n{listing}\n\nWho is a knight, and who is a knave? Write one line for each "
            f"of them, such as '{self.names[0]}: knight' or '{self.names[0]}: knave'."
        )

    def speech(self, speaker: int) -> str:
        """The claim of a person, in words."""

        def atom(who: int, knight: bool) -> str:
            subject = "I am" if who == speaker else f"{self.names[who]} is"
            return f"{subject} a {'knight' if knight else 'knave'}"

        return f'{self.names[speaker]}: "{english(self.claims[speaker], atom)}"'

    def answer(self) -> str:
        (world,) = self.worlds()
        return self.as_text(world)

    def as_text(self, world: World) -> str:
        """The answer that states a world."""
        roles = ("knight" if knight else "knave" for knight in world)
        return "\n".join(f"{name}: {role}" for name, role in zip(self.names, roles))

    def verify(self, answer: str) -> Score:
        roles = pairs(answer, names=self.names, values=["knight", "knave"])
        world = tuple(roles[name] == "knight" for name in self.names)
        return Score(1) if self.fits(world) else Score(0, "the claims contradict these roles")

    def random_baseline(self) -> float:
        return 0.5 ** len(self.names)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=4, depth=1)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product((False, True), repeat=len(self.names)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Everyone alike, at random, and what the claims say where those before are believed."""
        size = len(self.names)
        players = verdicts(["knight", "knave"], size, rng)
        world = [True] * size
        for speaker, claim in enumerate(self.claims):
            world[speaker] = holds(claim, world)
        players["claims checked once, one by one"] = ["knight" if k else "knave" for k in world]
        return {
            player: self.as_text(tuple(role == "knight" for role in roles))
            for player, roles in players.items()
        }


@lru_cache(maxsize=4_096)
def fitting(claim: Statement, speaker: int, people: int) -> int:
    """The assignments of roles that fit a claim, as the bits of an integer.

    >>> bin(fitting(("is", 1), 0, 2))
    '0b1001'
    """
    worlds = enumerate(product((False, True), repeat=people))
    return bits(n for n, world in worlds if holds(claim, world) == world[speaker])
