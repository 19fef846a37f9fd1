"""Random theories in which some conclusion takes many steps."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from random import Random

from palaestra.generators.logic.first_order_entailment.clauses import depths
from palaestra.generators.logic.first_order_entailment.rules import (
    Link,
    Rule,
    ground_clauses,
    literal,
    person_and_trait,
    random_rule,
)

CHAINS = 60
"""How many chains of rules are begun to reach a number of steps."""

PATIENCE = 40
"""How many rules are tried to make a chain one step longer."""


@dataclass(frozen=True)
class Scene:
    """What the rules of a theory are about."""

    world: tuple[set[int], ...]
    """The traits of each person, negative if they do not apply."""

    couples: tuple[tuple[int, int], ...]
    """Pairs of an admirer and the admired."""

    facts: tuple[tuple[int, int], ...]
    """Pairs of a person and a trait."""

    @property
    def traits(self) -> int:
        """The number of traits."""
        return len(self.world[0])

    def depths(self, rules: Iterable[Rule]) -> dict[int, int]:
        """The literals that follow from the facts and rules, each with its number of steps."""
        size = len(self.world), self.traits
        return depths(ground_clauses(*size, rules, self.facts, self.couples))


def theory(rng: Random, scene: Scene, shape: str, most: int, steps: int) -> list[Rule]:
    """Up to ``most`` random rules that hold in the world of a scene.

    Some conclusion takes so many steps, or as many as a few chains of rules reach.
    """
    rules = dict.fromkeys(chain(rng, scene, shape, most, steps) if steps else ())
    longest = max(scene.depths(rules).values())
    for _ in range(10 * most):
        if len(rules) == most:
            break
        rule = random_rule(rng, shape, scene.world, scene.couples)
        if rule is None:
            continue
        if not steps or max(scene.depths((*rules, rule)).values()) >= longest:  # no shortcut
            rules[rule] = None
    return [*rules]


def chain(rng: Random, scene: Scene, shape: str, most: int, steps: int) -> list[Rule]:
    """Up to ``most`` rules by which some literal takes so many steps; if that fails, fewer."""
    best: list[Rule] = []
    longest = 0
    for _ in range(CHAINS):
        rules, length = attempted(rng, scene, shape, most, steps)
        if length > longest:
            best, longest = rules, length
        if longest >= steps:
            break
    return best


def attempted(
    rng: Random, scene: Scene, shape: str, most: int, steps: int
) -> tuple[list[Rule], int]:
    """Rules each of which makes the longest derivation longer, and how many steps it has."""
    rules: list[Rule] = []
    known = scene.depths(())
    longest = tries = 0
    while longest < steps and tries < PATIENCE and len(rules) < most:
        tries += 1
        last = rng.choice([one for one, depth in known.items() if depth == longest])
        rule = next_rule(rng, scene, shape, known, last)
        if rule is None or rule in rules:
            continue
        more = scene.depths((*rules, rule))
        if max(more.values()) > longest:
            rules.append(rule)
            known, longest, tries = more, max(more.values()), 0
    return rules, longest


def next_rule(
    rng: Random, scene: Scene, shape: str, known: Collection[int], last: int
) -> Rule | None:
    """A rule that holds in the world and derives a literal from known ones, ``last`` among them.

    ``None`` where the random choices allow none.
    """
    world, traits = scene.world, scene.traits
    person, trait = person_and_trait(last, traits)
    others = [t for t in sorted(world[person] - {trait}) if literal(person, t, traits) in known]
    condition = [trait]
    if others and shape != "chain" and rng.random() < 0.8:
        condition.append(rng.choice(others))
    link: Link = rng.choice(("self", "admirer", "admired")) if scene.couples else "self"
    ends = [(each, each) for each in range(len(world))]
    if link != "self":
        ends = [(a, b) if link == "admired" else (b, a) for a, b in scene.couples]
    targets = [b for a, b in ends if a == person]
    if not targets:
        return None
    target = rng.choice(targets)
    shared = set.intersection(*(world[b] for a, b in ends if world[a].issuperset(condition)))
    options = [
        t
        for t in sorted(shared)
        if literal(target, t, traits) not in known and abs(t) not in map(abs, condition)
    ]
    return Rule(tuple(sorted(condition)), (rng.choice(options),), link) if options else None
