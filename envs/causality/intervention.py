"""Effects of interventions: Judea Pearl, "Causality" (2000), by truncated factorisation."""

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
from palaestra.generators.dags import connected, descendants
from palaestra.generators.probability_puzzle import ProbabilityPuzzle
from palaestra.task import Score, ladder
from palaestra.verifiers.probabilities import fractions, judged
from palaestra.verifiers.reading import probabilities
from palaestra.verifiers.reading.stated_values import stated

WORLDS = 5_000
"""The most assignments that the second opinion goes through."""


AFTERWARDS = " What follows is observed after the intervention."


class Intervention(ProbabilityPuzzle):
    """Find the exact probability of an event in a causal network after an intervention."""

    tags = {"causality", "probability", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(ProbabilityPuzzle.Knobs):
        nodes: int = ladder(3, 4, 5, 6, 7, 10, 14, low=3, high=16)
        parents: int = ladder(2, 2, 2, 2, 3, 3, 3, low=2, high=4)  # of a variable at most
        values: int = ladder(2, 2, 2, 3, 3, 3, high=3)  # of a variable at most
        actions: int = ladder(1, 1, 1, 1, 1, 1, 2)
        evidence: int = ladder(0, 0, 1, 1, 2, 3, 4)
        denominator: int = ladder(8, 6, 6, 6, 10, 10, low=6, high=20)
        rendering: Literal["tables", "prose", "any"] = ladder("prose", "prose", "tables", "any")

    network: Network
    order: tuple[int, ...]
    rendering: Literal["tables", "prose"]
    actions: Claims
    event: Claims
    known: Claims

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        network = sparse_network(rng, knobs.nodes, knobs.parents, knobs.values, knobs.denominator)
        actions = max(1, min(knobs.actions, knobs.nodes - 2))
        # One variable is left over, as otherwise acting would be the same as seeing.
        evidence = max(0, min(knobs.evidence, knobs.nodes - actions - 2))
        chosen = rng.sample(range(knobs.nodes), 1 + actions + evidence)
        claims = tuple((node, rng.randrange(len(network[node].values))) for node in chosen)
        form = knobs.rendering
        return cls(
            network=network,
            order=tuple(rng.sample(range(knobs.nodes), knobs.nodes)),
            rendering=rng.choice(("tables", "prose")) if form == "any" else form,
            event=claims[:1],
            actions=tuple(sorted(claims[1 : 1 + actions])),
            known=tuple(sorted(claims[1 + actions :])),
        )

    def is_valid(self) -> bool:
        """Whether the actions have an effect, and seeing has another one than acting."""
        acted, event = dict(self.actions), self.event[0][0]
        parents = dag_of(self.network)
        dag = [() if node in acted else above for node, above in enumerate(parents)]
        if not all(event in descendants(dag, [node]) for node in acted):
            return False
        known = dict(self.known)
        if not all(node in connected(dag, event, known.keys() - {node}) for node in known):
            return False
        # The tables have no denominators above 20, so that the value is not one of theirs.
        value = self.probability()
        return value.denominator > 20 and value not in self.wrong_values()

    def wrong_values(self) -> Iterable[Fraction]:
        """The probabilities if the actions are observations, do not happen, or with less known."""
        yield conditional(
            self.network, self.event, tuple(sorted((*self.known, *self.actions)))
        ).value
        yield conditional(self.network, self.event, ()).value
        if self.known:
            yield conditional(self.network, self.event, self.known).value
            yield conditional(self.network, (*self.event, *self.known), (), self.actions).value
        for claim in self.known:
            less = tuple(each for each in self.known if each != claim)
            yield conditional(self.network, self.event, less, self.actions).value
        for claim in self.actions if len(self.actions) > 1 else ():
            less = tuple(each for each in self.actions if each != claim)
            yield conditional(self.network, self.event, self.known, less).value

    def canonical(self) -> str:
        return f"{structure(self.network)} {self.event} {self.actions} {self.known}"

    def experiment(self) -> str:
        network = described(self.network, self.order, self.rendering, self.phrase(MARKOV, PRODUCT))
        actions = " and ".join(
            f"{self.network[node].name} is set to {self.network[node].values[value]}"
            for node, value in self.actions
        )
        which = (
            "This variable then no longer depends on its parents"
            if len(self.actions) == 1
            else "These variables then no longer depend on their parents"
        )
        return (
            f"{network}\n\nThe network is causal: the parents of a variable are its direct causes. "
            f"Now {actions} by intervention from outside. {which}, and the tables of all other "
            f"variables still hold.{AFTERWARDS * bool(self.known)}"
        )

    def claims(self) -> tuple[list[str], list[str]]:
        event, known = (
            [clause(self.network, node, value) for node, value in claims]
            for claims in (self.event, self.known)
        )
        return event, known

    def probability(self) -> Fraction:
        return conditional(self.network, self.event, self.known, self.actions).value

    def verify(self, answer: str) -> Score:
        return judged(stated(answer), self.probability())

    def audit(self, answer: str) -> bool | None:
        """Add up the probabilities of all assignments, unless there are too many."""
        if number_of_worlds(self.network) > WORLDS:
            return None
        both = condition = Fraction(0)
        for values, chance in worlds(self.network, dict(self.actions)):
            if all(values[node] == value for node, value in self.known):
                condition += chance
                both += chance * all(values[node] == value for node, value in self.event)
        return probabilities.probability(stated(answer)) == both / condition

    def difficulty(self) -> float:
        """The number of products in the elimination of variables."""
        return float(conditional(self.network, self.event, self.known, self.actions).work)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who observe instead of acting, ignore the action, or read off a number."""
        seen, prior, *_ = self.wrong_values()
        row = rng.choice(self.network[self.event[0][0]].table)
        return {
            "seeing": str(seen),
            "prior": str(prior),
            "one row": str(Fraction(row[self.event[0][1]], sum(row))),
        }

    def shortcuts(self) -> list[str]:
        return [*map(str, self.wrong_values()), *map(str, sorted(numbers(self.network))[:8])]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=3, denominator=6)

    def candidates(self) -> Iterable[str]:
        """All probabilities that a sum of products of two chances over 6 can have."""
        return map(str, fractions(36))
