"""Assigning people to days by rules, which many assignments satisfy.

Open tasks of this sort are the subject of AutoLogi (Q. Zhu and others, 2025).
"""

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.logic.day_assignment import DAYS, Days, makers, sentence
from palaestra.generators.logic.placements import PlacementPuzzle, Rule, random_rules
from palaestra.generators.people import NAMES
from palaestra.scenes import Cell, Table
from palaestra.task import ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined


class DayAssignment(PlacementPuzzle):
    """Choose a day for each person, so that all rules are satisfied."""

    tags = {"deduction", "constraints", "search", "scheduling"}
    baseline_note = (
        "'best single changes' compares all exchanges and moves before each of its steps, which is "
        "a search; players who place each person once fail"
    )

    class Knobs(PlacementPuzzle.Knobs):
        people: int = ladder(4, 5, 6, 8, 10, 13, 16, low=3, high=16)
        days: int = ladder(3, 3, 3, 4, 4, 5, 6, low=2, high=6)
        rules: int = ladder(4, 6, 9, 14, 19, 26, 32, low=2, high=50)
        forms: int = ladder(3, 4, 6, 8, 10, low=2, high=10)  # of the ten forms of a rule

    days: int
    most: int
    """How many people may come on a day."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        most = -(-knobs.people // knobs.days) + rng.randint(0, 1)
        days = Days(knobs.people, knobs.days, min(1, knobs.people // knobs.days), most)
        rules = random_rules(rng, days, makers(days, knobs.forms), knobs.rules)
        names = tuple(rng.sample(NAMES, knobs.people))
        return cls(names=names, rules=tuple(rules), days=knobs.days, most=most)

    def slots(self) -> Days:
        people = len(self.names)
        return Days(people, self.days, min(1, people // self.days), self.most)

    def canonical(self) -> str:
        return repr((self.days, self.most, len(self.names), sorted(self.rules)))

    def prompt(self) -> str:
        days = joined(DAYS[: self.days])
        least = "at least one person and " if self.slots().least else ""
        setting = self.phrase(
            f"{joined(self.names)} come to a workshop, each of them on one of these days: {days}. "
            f"Every day, {least}at most {self.most} come.",
            f"A workshop takes place on these days: {days}. {joined(self.names)} come, each of "
            f"them on one of the days. Every day, {least}at most {self.most} come.",
        )
        rules = "\n".join(
            f"- {sentence(rule, self.names, n + self.wording)}" for n, rule in enumerate(self.rules)
        )
        return (
            f"{setting} Choose a day for each person, so that all of these rules are satisfied:\n\n"
            f"{rules}\n\nIf several choices satisfy the rules, any of them will do. Write a line "
            f"for each person with the name and the day, such as '{self.names[0]}: "
            f"{DAYS[self.days - 1]}'."
        )

    def read(self, answer: str) -> list[int]:
        days = [day.casefold() for day in DAYS]
        stated = pairs(answer, self.names, [*DAYS[: self.days]])
        return [days.index(stated[name].casefold()) for name in self.names]

    def as_text(self, solution: Sequence[int]) -> str:
        return "\n".join(f"{name}: {DAYS[day]}" for name, day in zip(self.names, solution))

    def imbalance(self) -> str:
        return f"a day has nobody, or more than {self.most} people"

    def audit(self, answer: str) -> bool:
        """Check the rules on the sets of people of the days."""
        solution = self.read(answer)
        groups = [{p for p, day in enumerate(solution) if day == n} for n in range(self.days)]
        sizes = [*map(len, groups)]
        fits = max(sizes) <= self.most and min(sizes) >= self.slots().least
        return fits and all(_is_kept(rule, groups) for rule in self.rules)

    def scene(self) -> Table:
        return self._view([[] for _ in range(self.days)])

    def solved_scene(self, answer: str) -> Table:
        solution = self.read(answer)
        return self._view(
            [
                [name for name, day in zip(self.names, solution) if day == n]
                for n in range(self.days)
            ]
        )

    def _view(self, groups: Sequence[Sequence[str]]) -> Table:
        """A column for each day with the people who come."""
        rows = tuple(
            tuple(Cell(group[n] if n < len(group) else "") for group in groups)
            for n in range(self.most)
        )
        return Table(rows, DAYS[: self.days])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=4, days=3, rules=4, forms=3)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product(range(self.days), repeat=len(self.names)))


def _is_kept(rule: Rule, groups: Sequence[set[int]]) -> bool:
    a, b, c = ([*rule.people] + [-1] * 2)[:3]
    (with_a,) = (group for group in groups if a in group)
    listed = [groups[n] for n in rule.numbers[:1]] + [
        groups[n] for n in rule.numbers[1:] if rule.form != "exactly"
    ]
    earlier = set().union(*groups[: groups.index(with_a)])
    checks = {
        "before": lambda: b not in with_a | earlier,
        "same": lambda: b in with_a,
        "different": lambda: b not in with_a,
        "day after": lambda: b in (groups[groups.index(with_a) + 1 :] or [set()])[0],
        "not on": lambda: a not in listed[0],
        "one of days": lambda: a in listed[0] | listed[1],
        "if on": lambda: not (a in listed[0] and b not in listed[1]),
        "if and only if": lambda: sum([a in listed[0], b in listed[1]]) == 1,
        "one with": lambda: len(with_a & {b, c}) == 1,
        "exactly": lambda: len(listed[0] & {a, b, c}) == rule.numbers[1],
    }
    return checks[rule.form]()
