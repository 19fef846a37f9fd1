"""Selecting people by conditions: the algebra of classes, after George Boole (1854)."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.logic.counting_with_conditions import (
    TRAITS,
    VALUES,
    Fact,
    described,
    worded,
)
from palaestra.generators.logic.propositions import Statement, english, holds, statement
from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs
from palaestra.verifiers.reading.words import name_set, names_text

Person = tuple[int, ...]
"""The age, and the index of the value of each trait."""


class CountingWithConditions(Puzzle):
    """List all people, described in prose, who satisfy each of several conditions."""

    version = 2
    tags = {"deduction", "reading"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        people: int = ladder(5, 7, 9, 12, 15, 19, 24, 40, low=4, high=60)
        traits: int = ladder(2, 3, 4, 5, 6, 7, 8, low=2, high=8)
        conditions: int = ladder(2, 2, 2, 3, 3, 3, 4, low=1, high=6)
        depth: int = ladder(1, 1, 1, 2, 2, 2, 3, low=0, high=3)

    names: tuple[str, ...]
    people: tuple[Person, ...]
    traits: tuple[str, ...]
    facts: tuple[Fact, ...]
    conditions: tuple[Statement, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        traits = tuple(rng.sample(list(TRAITS), knobs.traits))
        # With few values of each trait, several people satisfy a condition.
        values = [rng.sample(range(len(VALUES[trait])), 3) for trait in traits]
        facts = [("age", str(age)) for age in rng.sample(range(25, 66), 2)]
        facts += [(t, VALUES[t][v]) for t, vs in zip(traits, values) for v in vs[:2]]
        conditions = tuple(
            statement(rng, range(len(facts)), knobs.depth) for _ in range(knobs.conditions)
        )
        people = (
            (rng.randint(18, 75), *(rng.choice(vs) for vs in values)) for _ in range(knobs.people)
        )
        return cls(
            names=tuple(rng.sample(NAMES + MORE_NAMES, knobs.people)),
            people=tuple(people),
            traits=traits,
            facts=tuple(facts),
            conditions=conditions,
        )

    def is_valid(self) -> bool:
        answers = set(self.right().values())
        trivial = {names_text(()), names_text(self.names)}
        return len(answers) == len(self.conditions) and not answers & trivial

    def canonical(self) -> str:
        return repr((sorted(self.people), self.traits, self.facts, self.conditions))

    def prompt(self) -> str:
        story = " ".join(self._described(person) for person in range(len(self.names)))
        lines = "\n".join(
            f"{n}. {english(condition, lambda fact, yes: worded(self.facts[fact], yes))}"
            for n, condition in enumerate(self.conditions, 1)
        )
        ask = self.phrase(
            "For each of these conditions, list everyone for whom it is true:",
            "For whom is each of these conditions true? List all of them:",
        )
        return (
            f"{story}\n\n{ask}\n{lines}\n\n'they' is the person in question, 'or' means one or "
            "the other or both, and 'if and only if' that both parts are true or both false. "
            "Ages are in years. Write one line for each condition with its number and the names "
            f"in any order, such as '1: {', '.join(sorted(self.names)[:2])}', or '2: none' if "
            "it is true of nobody."
        )

    def _described(self, person: int) -> str:
        age, *values = self.people[person]
        traits = [(t, VALUES[t][v]) for t, v in zip(self.traits, values)]
        return described(self.names[person], age, traits, self.wording + person)

    def right(self) -> dict[str, str]:
        """The people who satisfy each of the conditions."""
        fits = fitting(self.people, self.traits, self.facts, self.conditions)
        lists = [names_text([self.names[person] for person in people]) for people in fits]
        return dict(zip(line_numbers(len(lists)), lists))

    def answer(self) -> str:
        return numbered(self.right().values())

    def verify(self, answer: str) -> Score:
        right = self.right()
        values = pairs(answer, right)
        return matched({n: names_text(name_set(v, self.names)) for n, v in values.items()}, right)

    def audit(self, answer: str) -> bool:
        """Compute with the sets of people for whom the facts hold."""
        lines = dict(line.split(":") for line in answer.splitlines() if line.strip())
        words = [re.findall(r"\w+", lines[str(n)]) for n in range(1, len(self.conditions) + 1)]
        return all(
            sorted(name.casefold() for name in names)
            == sorted(self.names[person].casefold() for person in self._set(condition))
            for names, condition in zip(words, self.conditions)
        )

    def _set(self, condition: Statement) -> frozenset[int]:
        everyone = frozenset(range(len(self.names)))
        match condition:
            case ("is", fact):
                worlds = [world(person, self.traits, self.facts) for person in self.people]
                return frozenset(person for person in everyone if worlds[person][fact])
            case ("not", part):
                return everyone - self._set(part)
            case (link, left, right):
                one, other = self._set(left), self._set(right)
        if link == "iff":
            return everyone - (one ^ other)
        return one & other if link == "and" else one | other

    def difficulty(self) -> float:
        depth = max(len(repr(condition)) for condition in self.conditions)
        return float(len(self.people) * len(self.conditions) * depth)

    def shortcuts(self) -> Iterable[str]:
        yield numbered(names_text(self.names) for _ in self.conditions)
        yield numbered(names_text(()) for _ in self.conditions)
        yield numbered(names_text(self.names[:1]) for _ in self.conditions)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=4, traits=2, conditions=1, depth=1)

    def candidates(self) -> Iterable[str]:
        for mask in range(1 << len(self.names)):
            names = [name for n, name in enumerate(self.names) if mask >> n & 1]
            yield numbered([names_text(names)])


def world(person: Person, traits: Sequence[str], facts: Iterable[Fact]) -> list[bool]:
    """Which of the facts hold for a person.

    >>> world((30, 1), ["pet"], [("age", "30"), ("pet", "dog")])
    [False, True]
    """
    age, *values = person
    own = {trait: VALUES[trait][value] for trait, value in zip(traits, values)}
    return [age > int(value) if t == "age" else own[t] == value for t, value in facts]


@lru_cache(maxsize=64)
def fitting(
    people: tuple[Person, ...],
    traits: tuple[str, ...],
    facts: tuple[Fact, ...],
    conditions: tuple[Statement, ...],
) -> tuple[tuple[int, ...], ...]:
    """For each condition, the people for whom it holds."""
    worlds = [world(person, traits, facts) for person in people]
    return tuple(
        tuple(person for person, own in enumerate(worlds) if holds(condition, own))
        for condition in conditions
    )
