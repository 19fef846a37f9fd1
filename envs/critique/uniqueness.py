"""Another solution problems: Takayuki Yato and Takahiro Seta (2003)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from string import ascii_uppercase
from typing import Self

from palaestra.generators.critique.uniqueness import (
    TEXTS,
    System,
    random_system,
    searched,
    solutions,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines, listed
from palaestra.verifiers.reading.labels import matched, numbered
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import NOBODY, name_set

UNIQUE = "unique"
SYNONYMS = frozenset({UNIQUE, "only one", "no other", "no other solution"})

Values = tuple[bool, ...]


_TRUE = re.compile(r"[ \t]{1,9}(?:is|are)[ \t]{1,9}true\.?$", re.IGNORECASE)


class Uniqueness(Puzzle):
    """Find another solution than the known one of each of several systems, or that none exists."""

    tags = {"logic", "search", "uniqueness", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        systems: int = ladder(2, 3, 3, 4, 4, 5, 6, low=2, high=8)
        variables: int = ladder(4, 5, 6, 7, 8, 10, 12, low=4)
        distance: int = ladder(2, 2, 3, 3, 4, 5, 6)  # in which solutions differ, at least

    systems: tuple[System, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        distance = min(knobs.distance, knobs.variables - 1)
        twins = [True, False, *(rng.random() < 0.5 for _ in range(knobs.systems - 2))]
        rng.shuffle(twins)
        return cls(
            systems=tuple(random_system(rng, knobs.variables, distance, unique) for unique in twins)
        )

    @property
    def names(self) -> str:
        """The variables."""
        return ascii_uppercase[: self.systems[0].variables]

    def prompt(self) -> str:
        blocks = []
        for number, system in enumerate(self.systems, 1):
            lines = "\n".join(
                f"- {TEXTS[each.sort].format(self.literals(each.literals))}"
                for each in system.conditions
            )
            known = self.as_text(system.known)
            blocks.append(f"System {number}. Known solution: {known}\n{lines}")
        task = self.phrase(
            f"Each of these systems is about the statements {joined(self.names)}, each of which is "
            "true or false. One solution of each system is known.",
            f"Below are systems of conditions on the statements {joined(self.names)}, which are "
            "true or false, each with one of its solutions.",
        )
        systems = "\n\n".join(blocks)
        example = numbered([UNIQUE, self.example(), *[UNIQUE] * 8][: len(self.systems)])
        return (
            f"{task} A solution is given by the statements that are true in it; all others are "
            "false. In the conditions, 'not A' is true if A is false.\n\n"
            f"{systems}\n\nDoes each system have another solution, one that differs from the known "
            f"one? Answer with a line for each system: its number, and the word {UNIQUE} if there "
            "is no other solution, or otherwise the statements that are true in another solution "
            f"(or {NOBODY} if none is). The answer looks like this:\n{example}"
        )

    def example(self) -> str:
        """Statements of the known solution of the second system, but for one."""
        known = self.systems[1].known
        return self.as_text((not known[0], *known[1:]))

    def literals(self, literals: Sequence[int]) -> str:
        """Statements and negations as a list."""
        return joined(
            [
                self.names[abs(each) - 1] if each > 0 else f"not {self.names[-each - 1]}"
                for each in literals
            ]
        )

    def as_text(self, values: Values | None) -> str:
        """The statements that are true, or the word for no other solution."""
        if values is None:
            return UNIQUE
        return joined([name for name, value in zip(self.names, values) if value]) or NOBODY

    def others(self) -> list[Values | None]:
        """Another solution of each system, or none."""
        return list(_others(self))

    def answer(self) -> str:
        return numbered(map(self.as_text, self.others()))

    def read(self, answer: str) -> list[Values | None]:
        """The solution that an answer states for each system. Raises :class:`InvalidAnswer`."""
        texts = answer_lines(answer, len(self.systems), ["system"])
        rows: list[Values | None] = []
        for text in texts:
            if text.casefold().strip(" .") in SYNONYMS:
                rows.append(None)
            else:
                true = name_set(self.as_list(text), self.names)
                rows.append(tuple(name in true for name in self.names))
        return rows

    def as_list(self, text: str) -> str:
        """Names with commas between them, without "are true" behind them."""
        names = listed(_TRUE.sub("", text))
        return ", ".join(names) if len(names) > 1 and {*names} <= {*self.names} else names

    def verify(self, answer: str) -> Score:
        return matched(dict(enumerate(self.read(answer))), dict(enumerate(self.others())))

    def audit(self, answer: str) -> bool:
        """Search for all solutions, one variable after another."""
        stated = zip(self.systems, self.read(answer))
        return all(set(searched(s)[0]) - {s.known} == {row} - {None} for s, row in stated)

    def difficulty(self) -> float:
        """The steps of a search for all solutions."""
        return float(sum(searched(system)[1] for system in self.systems))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not look for solutions, or only next to the known one."""
        complements = [tuple(not value for value in each.known) for each in self.systems]
        near = [_near(system) for system in self.systems]
        guesses = [rng.choice((None, each)) for each in complements]
        rows: dict[str, list[Values | None]] = {
            "complements": [*complements],
            "flips of one or two": near,
            "unique or the complement, at random": guesses,
        }
        return {player: numbered(map(self.as_text, row)) for player, row in rows.items()}

    def shortcuts(self) -> Iterable[str]:
        return [numbered([UNIQUE] * len(self.systems))]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(systems=2, variables=4, distance=2)

    def candidates(self) -> Iterable[str]:
        every: list[Values | None] = [None, *product((False, True), repeat=4)]
        return (numbered(map(self.as_text, row)) for row in product(every, repeat=2))


@lru_cache(maxsize=256)
def _others(task: Uniqueness) -> tuple[Values | None, ...]:
    rows = []
    for system in task.systems:
        other = [each for each in solutions(system) if each != system.known]
        rows.append(other[0] if other else None)
    return tuple(rows)


def _near(system: System) -> Values | None:
    """A solution that differs from the known one in one or two variables."""
    numbers = range(system.variables)
    for some in [(n, n) for n in numbers] + [(n, m) for n in numbers for m in numbers if m > n]:
        row = tuple(value != (n in some) for n, value in enumerate(system.known))
        if all(condition.holds(row) for condition in system.conditions):
            return row
    return None
