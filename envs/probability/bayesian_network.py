"""Inference in Bayesian networks: Judea Pearl, "Probabilistic Reasoning" (1988)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.bayesian_networks import (
    MARKOV,
    PRODUCT,
    Claims,
    Network,
    clause,
    conditional,
    dag_of,
    described,
    number_of_worlds,
    numbers,
    sparse_network,
    structure,
    worlds,
)
from palaestra.generators.dags import connected
from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.task import Score, ladder
from palaestra.verifiers.probabilities import fractions, judged
from palaestra.verifiers.reading import probabilities
from palaestra.verifiers.reading.stated_values import stated

WORLDS = 5_000
"""The most assignments that the second opinion goes through."""


class BayesianNetwork(ProbabilityPuzzle):
    """Find the exact probability of an event in a Bayesian network under a condition."""

    tags = {"probability", "fractions", "graphs", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(ProbabilityPuzzle.Knobs):
        nodes: int = ladder(2, 3, 4, 5, 7, 8, 11, 16, high=18)
        parents: int = ladder(1, 2, 2, 2, 2, 2, 3, 3, high=4)  # of a variable at most
        values: int = ladder(2, 2, 2, 3, 3, 3, high=3)  # of a variable at most
        evidence: int = ladder(1, 1, 2, 2, 2, 3, 3, 4)
        event: int = ladder(1, 1, 1, 1, 1, 1, 2)  # variables of the event
        denominator: int = ladder(
            10, 10, 6, 6, 10, 10, low=6, high=20
        )  # of a table, before reducing
        rendering: Literal["tables", "prose", "any"] = ladder("prose", "prose", "tables", "any")

    network: Network
    order: tuple[int, ...]
    rendering: Literal["tables", "prose"]
    event: Claims
    known: Claims

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        network = sparse_network(rng, knobs.nodes, knobs.parents, knobs.values, knobs.denominator)
        number = min(knobs.event + knobs.evidence, knobs.nodes)
        chosen = rng.sample(range(knobs.nodes), number)
        claims = [(node, rng.randrange(len(network[node].values))) for node in chosen]
        cut = min(knobs.event, number - 1)
        form = knobs.rendering
        return cls(
            network=network,
            order=tuple(rng.sample(range(knobs.nodes), knobs.nodes)),
            rendering=rng.choice(("tables", "prose")) if form == "any" else form,
            event=tuple(claims[:cut]),
            known=tuple(sorted(claims[cut:])),
        )

    def is_valid(self) -> bool:
        """Whether each piece of evidence matters, and no value at hand is the probability."""
        dag, known = dag_of(self.network), dict(self.known)
        for node in known:
            others = known.keys() - {node}
            if not any(node in connected(dag, each, others) for each, _ in self.event):
                return False
        value = self.probability()
        return value.denominator > 20 and value not in {
            *self.wrong_values(),
            *numbers(self.network),
        }

    def wrong_values(self) -> Iterable[Fraction]:
        """The probabilities without a condition, with less of it, and of other events."""
        yield conditional(self.network, self.event, ()).value
        yield conditional(self.network, (*self.event, *self.known), ()).value
        yield conditional(self.network, self.known, self.event).value
        for claim in self.known:
            less = tuple(each for each in self.known if each != claim)
            yield conditional(self.network, self.event, less).value

    def canonical(self) -> str:
        return f"{structure(self.network)} {sorted(self.event)} {self.known}"

    def experiment(self) -> str:
        return described(self.network, self.order, self.rendering, self.phrase(MARKOV, PRODUCT))

    def claims(self) -> tuple[list[str], list[str]]:
        event, known = (
            [clause(self.network, node, value) for node, value in claims]
            for claims in (self.event, self.known)
        )
        return event, known

    def probability(self) -> Fraction:
        return conditional(self.network, self.event, self.known).value

    def verify(self, answer: str) -> Score:
        return judged(stated(answer), self.probability())

    def audit(self, answer: str) -> bool | None:
        """Add up the probabilities of all assignments, unless there are too many."""
        if number_of_worlds(self.network) > WORLDS:
            return None
        both = condition = Fraction(0)
        for values, chance in worlds(self.network):
            if all(values[node] == value for node, value in self.known):
                condition += chance
                both += chance * all(values[node] == value for node, value in self.event)
        return probabilities.probability(stated(answer)) == both / condition

    def difficulty(self) -> float:
        """The number of products in the elimination of variables."""
        return float(conditional(self.network, self.event, self.known).work)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who ignore the evidence, confuse event and evidence, or read off a number."""
        prior, joint, inverse = list(self.wrong_values())[:3]
        row = rng.choice(self.network[self.event[0][0]].table)
        return {
            "prior": str(prior),
            "joint": str(joint),
            "inverse": str(inverse),
            "one row": str(Fraction(row[self.event[0][1]], sum(row))),
        }

    def shortcuts(self) -> list[str]:
        return [*map(str, self.wrong_values()), *map(str, sorted(numbers(self.network))[:8])]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=2, parents=1, denominator=6)

    def candidates(self) -> Iterable[str]:
        """All probabilities with denominators of two variables of two values over 6."""
        return map(str, fractions(60))
