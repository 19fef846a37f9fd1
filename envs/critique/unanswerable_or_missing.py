"""Questions that their facts may not answer, as in AbstentionBench (P. Kirichenko and others, 2025)
and SelfAware (Z. Yin and others, 2023). Here, two worlds in which the facts hold and the answers
differ are the proof that a question has no answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.critique.unanswerable_or_missing import (
    LINKS,
    Problem,
    World,
    fact_text,
    holds,
    random_problem,
    settled,
    values_by_propagation,
)
from palaestra.generators.people import NAMES
from palaestra.generators.quantities import THINGS
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, numbered, pairs
from palaestra.verifiers.reading.numbers import integer, integers
from palaestra.verifiers.reading.values import joined

_PROBLEM = re.compile(r"^(\W{0,4})problem (?=\d)", re.IGNORECASE | re.MULTILINE)
_OR = re.compile(r"\bor\b|\||/", re.IGNORECASE)

Stated = int | tuple[World, World]
"""A number, or two worlds with different ones."""


class UnanswerableOrMissing(Puzzle):
    """Answer questions about numbers, or show by two worlds that the facts leave them open."""

    tags = {"verification", "arithmetic", "search", "abstention"}

    class Knobs(Puzzle.Knobs):
        problems: int = ladder(2, 3, 3, 4, 4, 5, 6, low=1, high=8)
        people: int = ladder(3, 3, 4, 5, 6, 7, 8, low=2, high=9)
        most: int = ladder(8, 10, 12, 15, 20, 25, 30, low=4, high=40)
        links: int = ladder(2, 3, 4, 4, 4, 4, 4, low=2)  # forms of equations
        limits: int = ladder(4, 4, 5, 6, 7, 7, 7, low=2)  # forms of other facts

    problems: tuple[Problem, ...]
    people: tuple[int, ...]
    """The names."""
    thing: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sorts = [rng.random() < 0.5 for _ in range(knobs.problems)]
        sorts[:2] = [True, False][: knobs.problems] if knobs.problems > 1 else sorts
        rng.shuffle(sorts)
        forms = (knobs.links, knobs.limits)
        return cls(
            problems=tuple(
                random_problem(rng, knobs.people, knobs.most, forms, each) for each in sorts
            ),
            people=tuple(rng.sample(range(len(NAMES)), knobs.people)),
            thing=rng.choice(THINGS),
        )

    def canonical(self) -> str:
        return repr(sorted((p.people, p.most, sorted(p.facts), p.target) for p in self.problems))

    @property
    def names(self) -> list[str]:
        """The people."""
        return [NAMES[n] for n in self.people]

    def prompt(self) -> str:
        names, most = self.names, self.problems[0].most
        in_words = f"{joined(names[:-1])} and {names[-1]}"
        blocks = []
        for number, problem in enumerate(self.problems, 1):
            lines = "\n".join(f"- {fact_text(fact, names)}" for fact in problem.facts)
            question = f"How many {self.thing} has {names[problem.target]}?"
            blocks.append(f"Problem {number}. {question}\n{lines}")
        task = self.phrase(
            f"These problems are about {in_words}, who have some {self.thing}.",
            f"{in_words} collect {self.thing}. Each of the problems below is about their numbers.",
        )
        problems = "\n\n".join(blocks)
        row = [*range(1, len(names) + 1)]
        other = [1 + n % most for n in row]
        example = numbered([1, f"{joined(row)} or {joined(other)}", *[1] * 8][: len(self.problems)])
        return (
            f"{task} In each problem, everybody has a whole number of {self.thing} from 1 to "
            f"{most}. The problems have nothing to do with each other.\n\n{problems}\n\nThe facts "
            "of a problem may leave its question open. Answer with a line for each problem: its "
            "number, and the number that is asked for if it follows from the facts of the problem. "
            "Otherwise, write two cases in which all facts of the problem hold and the number that "
            "is asked for differs: in each case, the numbers of "
            f"{joined(names)}, in this order, with the word 'or' between the cases. The answer "
            f"looks like this:\n{example}"
        )

    def answer(self) -> str:
        rows: list[Stated] = []
        for problem, (one, other, _) in zip(self.problems, _settled(self)):
            assert one is not None
            rows.append(one[problem.target] if other is None else (one, other))
        return numbered(map(as_text, rows))

    def read(self, answer: str) -> list[Stated]:
        """What an answer states for each problem. Raises :class:`InvalidAnswer`."""
        stated: list[Stated] = []
        answer = _PROBLEM.sub(r"\1", answer.replace("$", ""))
        named = re.compile(rf"\b({'|'.join(self.names)}) (?:has )?(?=\d)")
        texts = pairs(answer, line_numbers(len(self.problems))).values()
        for problem, text in zip(self.problems, texts):
            parts = _OR.split(text)
            if len(parts) == 1 and not re.search(r"\d\D+\d", text):
                stated.append(integer(self._number(problem, text)))
                continue
            if len(parts) != 2:
                raise InvalidAnswer("expected one number, or two cases with 'or' between them")
            one, other = (
                tuple(integers(named.sub(r"\1: ", part), names=self.names)) for part in parts
            )
            stated.append((one, other))
        return stated

    def _number(self, problem: Problem, text: str) -> str:
        """The number of an answer such as ``Ada has 4 pens``."""
        name = self.names[problem.target]
        words = rf"\s*(?:{name} has |(?:the )?number is )?(-?\d{{1,4}})(?: {self.thing})?\.?\s*"
        match = re.fullmatch(words, text, re.IGNORECASE)
        return match[1] if match else text

    def verify(self, answer: str) -> Score:
        rows = zip(self.problems, _settled(self), self.read(answer))
        reasons = [_fault(problem, right[:2], stated) for problem, right, stated in rows]
        parts = {"progress": 1 - sum(map(bool, reasons)) / len(reasons)}
        wrong = [f"problem {n}: {reason}" for n, reason in enumerate(reasons, 1) if reason]
        return Score(0, wrong[0], parts) if wrong else Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Propagate the facts, and try what is left."""
        for problem, stated in zip(self.problems, self.read(answer)):
            values = values_by_propagation(problem)
            if isinstance(stated, int):
                if values != {stated}:
                    return False
            elif {world[problem.target] for world in stated} - values or not _is_proof(
                problem, stated
            ):
                return False
        return True

    def difficulty(self) -> float:
        """The numbers that the searches of all problems tried."""
        return float(sum(examined for *_, examined in _settled(self)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who stop at the first world, who use the equations alone, and who guess."""
        rows: dict[str, list[Stated]] = {
            name: []
            for name in ("first world", "equations", "equations, and open", "count", "random")
        }
        for problem, (one, _, _) in zip(self.problems, _settled(self)):
            assert one is not None
            equations = tuple(fact for fact in problem.facts if fact.form in LINKS)
            first, other, _ = settled(problem._replace(facts=equations))
            assert first is not None
            low, high = [1] * problem.people, [2] * problem.people
            open_ = (first, other) if other else (tuple(low), tuple(high))
            rows["first world"].append(one[problem.target])
            rows["equations"].append(open_ if other else first[problem.target])
            rows["equations, and open"].append(open_)
            enough = len(equations) >= problem.people
            rows["count"].append(one[problem.target] if enough else open_)
            guess = rng.randint(1, problem.most)
            rows["random"].append(rng.choice((guess, open_)))
        return {name: numbered(map(as_text, row)) for name, row in rows.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(problems=1, people=2, most=5, links=2, limits=4)

    def candidates(self) -> Iterable[str]:
        """All numbers, and all pairs of worlds of two people."""
        most = self.problems[0].most
        worlds = [*product(range(1, most + 1), repeat=2)]
        numbers = (numbered([n]) for n in range(most + 2))
        yield from numbers
        yield from (numbered([as_text((one, other))]) for one, other in product(worlds, repeat=2))


@lru_cache(maxsize=128)
def _settled(task: UnanswerableOrMissing) -> tuple[tuple[World | None, World | None, int], ...]:
    return tuple(map(settled, task.problems))


def as_text(stated: Stated) -> str:
    """What is stated of a problem, as it is written."""
    if isinstance(stated, int):
        return str(stated)
    return " or ".join(joined(world) for world in stated)


def _is_proof(problem: Problem, worlds: Sequence[World]) -> bool:
    """Whether all facts hold in two worlds, and the numbers asked for differ."""
    for world in worlds:
        if len(world) != problem.people or not all(1 <= n <= problem.most for n in world):
            return False
        if not all(holds(fact, world) for fact in problem.facts):
            return False
    return worlds[0][problem.target] != worlds[1][problem.target]


def _fault(problem: Problem, right: Sequence[World | None], stated: Stated) -> str:
    """What is wrong with what is stated of a problem; empty if it is right."""
    one, other = right
    if isinstance(stated, int):
        if other is not None or one is None or one[problem.target] != stated:
            return "the number does not follow from the facts"
        return ""
    return "" if _is_proof(problem, stated) else "the two cases prove nothing"
