"""Relative positions of places, computed from distances and compass directions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Self

from palaestra.generators.spatial.compass_bearings import POINTS, Claim, Spot, bearing, located
from palaestra.generators.vocabulary import words
from palaestra.scenes import Curve, Edge, Graph, Node, Panels, Plane, Point, Scene
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.numbers import rationals

DIRECTIONS = ("east", "north")

FAR = Fraction(10**6)
"""The largest distance of an answer that is drawn."""

LONGEST = 20
"""How many characters of a distance of an answer are drawn at most."""


class CompassBearings(Puzzle):
    """Compute how far one place lies east and north of another from a chain of bearings."""

    version = 2
    tags = {"spatial", "deduction", "arithmetic", "unique-solution"}
    calculation = True
    independent_sentences = True

    class Knobs(Puzzle.Knobs):
        places: int = ladder(3, 4, 6, 9, 12, 16, 22, high=40)
        parts: int = ladder(1, 2, 2, 2, 2, 3, 3)  # largest number of directions in a claim
        longest: int = ladder(9, 9, 12, 20, 40, 60, 99, high=999)
        far: int = ladder(2, 2, 3, 4, 5, 7, 9)  # claims between the two, at least
        middles: int = ladder(
            0, 0, 0, 1, 2, 3, 5, high=8
        )  # places defined as the middle of two others

    names: tuple[str, ...]
    claims: tuple[Claim, ...]
    middles: tuple[tuple[int, int, int], ...]
    """A place that lies in the middle between two others."""

    endpoints: tuple[int, int]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = tuple(name.capitalize() for name in words(rng, knobs.places, 4, 7))
        order = rng.sample(range(knobs.places), knobs.places)
        plain = max(2, knobs.places - knobs.middles)
        depth = [0] * knobs.places
        claims, middles = [], []
        for n in range(1, plain):
            # Most claims refer to the place before, so that chains are long.
            old = n - 1 if rng.random() < 0.8 else rng.randrange(n)
            depth[n] = depth[old] + 1
            pair = rng.sample((order[n], order[old]), 2)
            claims.append((pair[0], bearing(rng, knobs.parts, knobs.longest), pair[1]))
        for n in range(plain, knobs.places):
            one, other = rng.sample(range(n), 2)
            depth[n] = max(depth[one], depth[other]) + 1
            middles.append((order[n], order[one], order[other]))
        far = [n for n in range(knobs.places) if depth[n] >= knobs.far]
        ends = rng.choice(far or [depth.index(max(depth))]), 0
        first, second = rng.sample([order[n] for n in ends], 2)
        rng.shuffle(claims)
        return cls(names=names, claims=claims, middles=middles, endpoints=(first, second))

    def is_valid(self) -> bool:
        """Whether the sum of all distances, whatever they refer to, is wrong."""
        back = self.added()[0] * -1, self.added()[1] * -1
        return any(self.displaced()) and self.displaced() not in (self.added(), back)

    def added(self) -> Spot:
        """The sum of all claims, as if each continued from the last."""
        parts = [POINTS[point] + (far,) for _, some, _ in self.claims for far, point in some]
        return (
            Fraction(sum(x * far for x, _, far in parts)),
            Fraction(sum(y * far for _, y, far in parts)),
        )

    def canonical(self) -> str:
        """The places numbered as the claims name them, with the claims in order of their size."""
        claims = sorted(self.claims, key=lambda claim: (claim[1], claim[0]))
        named: dict[int, int] = {}
        for name in (*self.endpoints, *(p for one, _, other in claims for p in (one, other))):
            named.setdefault(name, len(named))
        sentences = [(named[one], parts, named[other]) for one, parts, other in claims]
        for name, *_ in self.middles:
            named.setdefault(name, len(named))
        middles = [tuple(named[name] for name in some) for some in self.middles]
        return repr((sentences, middles, [named[name] for name in self.endpoints]))

    def displaced(self) -> Spot:
        """How far east and north the first place lies of the second."""
        spots = located(self.claims, self.middles)
        (x, y), (east, north) = (spots[n] for n in self.endpoints)
        return x - east, y - north

    def sentences(self) -> Sequence[Sentence]:
        claims = [
            Sentence(self.claim_text(claim), {self.names[claim[0]], self.names[claim[2]]})
            for claim in self.claims
        ]
        return claims + [
            Sentence(self.middle_text(middle), {self.names[n] for n in middle})
            for middle in self.middles
        ]

    def prompt(self) -> str:
        first, second = (self.names[n] for n in self.endpoints)
        claims = "\n".join(statement.text for statement in self.sentences())
        rules = self.phrase(
            "These places lie on flat land. Distances are in kilometres, and every direction is "
            "exactly along the compass; '3 km north and 2 km west of' means to go both ways, one "
            "after the other.",
            "On a flat map with north at the top and east on the right, the following is known "
            "about some places. Each distance is measured exactly in the compass direction named; "
            "where several are named, they are added up.",
        )
        return (
            f"{rules}\n\n{claims}\n\nHow far is it from {second} to {first}? Give two numbers "
            "separated by a comma: the number of kilometres to the east and the number of "
            f"kilometres to the north. A number is negative if {first} lies to the west or south "
            "instead; write a number that is not whole as a fraction. An answer looks like "
            "'-4, 5/2', for 4 km west and 2.5 km north."
        )

    def claim_text(self, claim: Claim) -> str:
        """A claim in words."""
        one, parts, other = claim
        ways = " and ".join(f"{far} km {point}" for far, point in parts)
        return f"{self.names[one]} is {ways} of {self.names[other]}."

    def middle_text(self, middle: tuple[int, int, int]) -> str:
        """The claim that a place lies in the middle, in words."""
        name, one, other = (self.names[n] for n in middle)
        return f"{name} lies exactly in the middle between {one} and {other}."

    def answer(self) -> str:
        return ", ".join(map(str, self.displaced()))

    def scene(self) -> Graph:
        """The claims as a network, which is not to scale: arrows lead to the place that is located.

        Dashed arrows lead from two places to the one in the middle between them.
        """
        tones = {end: f"t{n}" for n, end in enumerate(self.endpoints)}
        nodes = [
            Node(name, tones.get(n, "paper"), shape="box") for n, name in enumerate(self.names)
        ]
        edges = [
            Edge(other, one, " ".join(f"{far}{point[0].upper()}" for far, point in parts))
            for one, parts, other in self.claims
        ]
        for middle, *ends in self.middles:
            edges += [Edge(end, middle, "mid", dashed=True) for end in ends]
        return Graph(tuple(nodes), tuple(edges), directed=True)

    def solved_scene(self, answer: str) -> Scene:
        read = self.read(answer)
        east, north = (float(min(max(far, -FAR), FAR)) for far in read)
        first, second = (self.names[n] for n in self.endpoints)
        way = Curve(((0, 0), (east, 0), (east, north)), "accent", arrow=True)
        points = Point(east, north, first), Point(0, 0, second, "ink")
        words = " and ".join(f"{str(far)[:LONGEST]} km {d}" for far, d in zip(read, DIRECTIONS))
        return Panels(
            (self.scene(), Plane((way, *points), axes=True)),
            ("", f"{second} to {first}: {words}"),
            columns=1,
        )

    def read(self, answer: str) -> Sequence[Fraction]:
        """The numbers of kilometres to the east and to the north."""
        return rationals(answer, what="two numbers, east and north", names=DIRECTIONS)

    def verify(self, answer: str) -> Score:
        east, north = self.read(answer)
        true = self.displaced()
        if (east, north) == true:
            return Score(1)
        if (east, north) == (-true[0], -true[1]):
            return Score(0, "both signs are wrong: this is the way back")
        wrong = [name for name, a, b in zip(DIRECTIONS, (east, north), true) if a != b]
        return Score(0, f"the distance to the {wrong[0]} is wrong")

    def audit(self, answer: str) -> bool:
        east, north = rationals(answer, names=DIRECTIONS)
        return (east, north) == self.displaced()

    def difficulty(self) -> float | None:
        return len(self.claims) + 2 * len(self.middles)

    def shortcuts(self) -> Iterable[str]:
        x, y = self.added()
        return [f"{x}, {y}", f"{-x}, {-y}"]
