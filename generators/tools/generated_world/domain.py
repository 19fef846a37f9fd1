"""Random domains: entity types with lifecycles and owners, the tools on them, and a policy."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.vocabulary import VOWELS, words

LARGEST = 99
"""The largest stock of a record."""

Action = Literal["advance", "adjust", "assign", "count"]


class Transition(NamedTuple):
    """A tool that takes a record from one state to another."""

    tool: str
    before: str
    after: str
    guard: str
    """The state that the owner has to be in, or nothing."""
    cost: int
    """What it takes from the stock of the record."""


class Entity(NamedTuple):
    """A type of records. Columns, states and tools have made-up names."""

    noun: str
    label: str
    trait: str
    traits: tuple[str, ...]
    stock: str
    state: str
    states: tuple[str, ...]
    transitions: tuple[Transition, ...]
    """One for each state but the first, so that they form a tree."""
    owner: str
    """The column with the owner, a record of the type before; empty for the first type."""
    capacity: int
    """How many records of this type an owner may have at most."""
    find: str
    details: str
    owned: str
    adjust: str
    assign: str

    def a(self) -> str:
        """The noun with its indefinite article."""
        return f"{'an' if self.noun[0] in VOWELS else 'a'} {self.noun}"

    def into(self, state: str) -> Transition | None:
        """The transition that leads into a state."""
        return next((each for each in self.transitions if each.after == state), None)

    def path(self, before: str, after: str) -> list[Transition] | None:
        """The transitions from one state to another, or None where there is no such path."""
        path: list[Transition] = []
        while after != before:
            step = self.into(after)
            if step is None:
                return None
            path.insert(0, step)
            after = step.before
        return path


class Rule(NamedTuple):
    """What must not be done with records of a trait, unless their stock is large enough."""

    entity: int
    action: Action
    after: str
    """The state that is forbidden; empty for other actions."""
    trait: str
    least: int
    """From this stock on the rule does not apply; 0 where it always does."""

    def forbids(self, entity: int, action: Action, after: str, trait: str, stock: int) -> bool:
        """Whether it forbids an action on a record with this trait and this stock."""
        same = (self.entity, self.action, self.after, self.trait) == (entity, action, after, trait)
        return same and not 0 < self.least <= stock


class Domain(NamedTuple):
    """A domain; the owners of records of a type are records of the type before it."""

    entities: tuple[Entity, ...]
    rules: tuple[Rule, ...]
    answer: str
    decline: str

    def policy(self) -> Iterator[str]:
        """The rules in words, in order of their numbers."""
        for number, rule in enumerate(self.rules, 1):
            entity = self.entities[rule.entity]
            what = {
                "advance": f"must not come into the {entity.state} '{rule.after}'",
                "adjust": f"must not have its {entity.stock} changed by {entity.adjust}",
                "assign": f"must not have its {entity.owner} changed",
            }[rule.action]
            but = f", unless its {entity.stock} is {rule.least} or more" if rule.least else ""
            yield (
                f"Rule {number}: {entity.a().capitalize()} whose {entity.trait} is '{rule.trait}' "
                f"{what}{but}."
            )


def random_domain(rng: Random, types: int, states: int, rows: int) -> Domain:
    """A domain without rules, for so many rows of each type. All names are different."""
    count = types * (14 + 2 * states) + 2
    names = iter(words(rng, count, 5, 8))
    entities: list[Entity] = []
    for n in range(types):
        guards = entities[-1].states[1:] if entities else ()
        entity = _entity(rng, names, guards, states, is_first=n == 0)
        entities.append(entity._replace(capacity=rng.randint(3, max(4, rows // 3))))
    return Domain(tuple(entities), (), f"{next(names)}_fact", f"{next(names)}_request")


def _entity(
    rng: Random,
    names: Iterator[str],
    guards: Sequence[str],
    number: int,
    is_first: bool,
) -> Entity:
    noun = next(names)
    states = tuple(next(names) for _ in range(number))
    transitions = [
        Transition(
            f"{next(names)}_{noun}",
            states[rng.randint(max(0, n - 2), n - 1)],
            after,
            rng.choice(guards) if guards and rng.random() < 0.7 else "",
            rng.randint(1, 6) if rng.random() < 0.3 else 0,
        )
        for n, after in enumerate(states)
        if n
    ]
    return Entity(
        noun=noun,
        label=next(names),
        trait=next(names),
        traits=tuple(next(names) for _ in range(4)),
        stock=next(names),
        state=next(names),
        states=states,
        transitions=tuple(transitions),
        owner="" if is_first else next(names),
        capacity=0,
        find=f"{next(names)}_{noun}",
        details=f"{next(names)}_{noun}",
        owned="" if is_first else f"{next(names)}_{noun}",
        adjust=f"{next(names)}_{noun}",
        assign="" if is_first else f"{next(names)}_{noun}",
    )


Deed = tuple[int, Action, str, str]
"""A type, an action, the state that it leads to, and the trait of the record."""


def random_rules(
    rng: Random, domain: Domain, number: int, deeds: Sequence[Deed]
) -> tuple[Rule, ...]:
    """Different rules, half of them about some deeds and the others about any."""
    rules: dict[Deed, Rule] = {}
    while len(rules) < number:
        deed = rng.choice(deeds) if deeds and rng.random() < 0.5 else _random_deed(rng, domain)
        rules.setdefault(deed, Rule(*deed, rng.choice((0, 20, 40, 60))))
    return tuple(rng.sample([*rules.values()], number))


def _random_deed(rng: Random, domain: Domain) -> Deed:
    n = rng.randrange(len(domain.entities))
    entity = domain.entities[n]
    actions: tuple[Action, ...] = ("advance", "advance", "adjust", "assign")
    action = rng.choice(actions if n else actions[:3])
    after = rng.choice(entity.transitions).after if action == "advance" else ""
    return n, action, after, rng.choice(entity.traits)
