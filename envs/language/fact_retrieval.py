"""Retrieval of facts from a long text, after G. Kamradt's "needle in a haystack" test (2023)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.language.fact_retrieval import Fact, Place, facts, places, twins
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered
from palaestra.verifiers.reading.numbers import numbers_by_name


class FactRetrieval(Puzzle):
    """Find several numbers in a long text of facts about things with similar names."""

    version = 2
    tags = {"reading", "long-context", "unique-solution"}
    calculation = True
    sentences_in_order = True
    independent_sentences = True

    class Knobs(Puzzle.Knobs):
        facts: int = ladder(10, 20, 45, 80, 120, 160, 200, low=6, high=300)
        questions: int = ladder(2, 3, 3, 4, 4, 5, 6, low=2, high=8)
        corrections: int = ladder(0, 2, 5, 10, 20, 30, 40, high=80)
        hops: int = ladder(0, 0, 0, 1, 1, 2, 3, high=4)

    places: tuple[Place, ...]
    facts: tuple[Fact, ...]
    questions: tuple[tuple[int, str, int], ...]
    """The questions: a place, the attribute, and how many times to go to the twin first."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        known = places(rng, max(4, knobs.facts // 3))
        statements = facts(rng, known, knobs.facts, knobs.corrections)
        pairs = twins(rng, known) if knobs.hops else []
        twin = {fact.value: fact.place for fact in pairs}
        pool = []
        # Half of the questions are about corrected facts, if there are enough.
        for fact in sorted(rng.sample(statements, len(statements)), key=lambda f: not f.corrected):
            start, hops = fact.place, knobs.hops if fact.place in twin else 0
            for _ in range(hops):
                start = twin[start]
            pool.append((start, fact.what, hops))
        mixed = list(dict.fromkeys(pool[: knobs.questions // 2] + pool[::-1]))[: knobs.questions]
        rng.shuffle(mixed)
        for pair in pairs:
            statements.insert(rng.randrange(len(statements) + 1), pair)
        return cls(places=known, facts=tuple(statements), questions=tuple(mixed))

    def canonical(self) -> str:
        return repr((sorted(self.facts), self.questions, [each.site for each in self.places]))

    def sentences(self) -> Sequence[Sentence]:
        names = [f"the {site} {name}" for site, name in self.places]
        return [
            Sentence(
                fact.as_text(self.places, self.wording + n),
                {names[fact.place], names[fact.place if fact.what else fact.value]},
            )
            for n, fact in enumerate(self.facts)
        ]

    def prompt(self) -> str:
        text = " ".join(statement.text for statement in self.sentences())
        questions = "\n".join(f"{n}. {self._question(*a)}" for n, a in enumerate(self.questions, 1))
        ask = self.phrase("Find in this text:", "According to this text, what are these?")
        hops = (
            " Follow 'the twin of' step by step; if B is the twin of A, the twin of B need not be "
            "A."
            if any(hops for _, _, hops in self.questions)
            else ""
        )
        return (
            f"{text}\n\n{ask}\n{questions}\n\nNames that differ in a letter are different names, "
            f"and if a number is corrected, the later one counts.{hops} Write one line for "
            "each, with its number, such as '1: 4321'."
        )

    def _question(self, start: int, what: str, hops: int) -> str:
        site, name = self.places[start]
        return f"the {what} of {'the twin of ' * hops}the {site} {name}"

    def right(self) -> list[int]:
        """The answers, from the facts in the order of the text."""
        known = gathered(self.facts)
        values = []
        for start, what, hops in self.questions:
            index = start
            for _ in range(hops):
                index = known[index, ""]
            values.append(known[index, what])
        return values

    def answer(self) -> str:
        return numbered(self.right())

    def verify(self, answer: str) -> Score:
        names = line_numbers(len(self.questions))
        return matched(numbers_by_name(answer, names), dict(zip(names, self.right())))

    def difficulty(self) -> float:
        return float(len(self.facts) * sum(1 + hops for _, _, hops in self.questions))

    def shortcuts(self) -> Iterable[str]:
        """The first numbers of the text."""
        values = [fact.value for fact in self.facts if fact.what]
        yield numbered(values[: len(self.questions)])


@lru_cache(maxsize=64)
def gathered(facts: tuple[Fact, ...]) -> Mapping[tuple[int, str], int]:
    """The value of each attribute of each place; later facts replace earlier ones."""
    return {(fact.place, fact.what): fact.value for fact in facts}
