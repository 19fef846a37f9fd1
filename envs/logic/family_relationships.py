"""Kinship from a story, as in CLUTRR (K. Sinha et al., 2019) and in older riddles."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.logic.family_relationships import (
    RELATIONS,
    Family,
    Kin,
    Relation,
    deduced,
    random_family,
    statements,
)
from palaestra.generators.people import NAMES
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs
from palaestra.verifiers.reading.values import choice, joined
from palaestra.verifiers.reading.words import name_set, names_text

LISTS = {
    "cousins": {"cousin"},
    "aunts and uncles": {"aunt", "uncle"},
    "nieces and nephews": {"niece", "nephew"},
    "grandchildren": {"granddaughter", "grandson"},
    "brothers and sisters": {"sister", "brother"},
    "brothers-in-law and sisters-in-law": {"sister-in-law", "brother-in-law"},
}
"""Groups of relatives that a question may ask for, with the words for them."""

Question = tuple[str, int, int]
"""``("", one, other)`` asks what the other is to the one; ``(group, one, -1)`` for a group of
``LISTS`` of the one.
"""


class FamilyRelationships(Puzzle):
    """Deduce from a few statements about a family how its members are related."""

    version = 3
    tags = {"deduction", "kinship"}
    calculation = True
    independent_sentences = True

    class Knobs(Puzzle.Knobs):
        people: int = ladder(6, 8, 10, 13, 16, 20, 24, low=6, high=24)
        generations: int = ladder(2, 2, 3, 3, 3, 3, 3, low=2, high=3)
        questions: int = ladder(2, 2, 2, 3, 3, 4, 5, high=6)
        lists: int = ladder(0, 1, 1, 1, 2, 2, 3, high=3)
        indirect: int = ladder(0, 20, 30, 40, 50, 60, 70, high=100)

    names: tuple[str, ...]
    family: Family
    statements: tuple[Relation, ...]
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        family = random_family(rng, knobs.people, knobs.generations)
        claims = statements(rng, family, knobs.indirect / 100)
        stated = {(one, other) for _, one, other in claims}
        stated |= {(other, one) for one, other in stated}
        by_word: dict[str, list[Question]] = {}
        kin = Kin(family)
        for one in range(knobs.people):
            for other, word in kin.of(one).items():
                if (one, other) not in stated:
                    by_word.setdefault(word, []).append(("", one, other))
        chosen = rng.sample(list(by_word), min(knobs.questions, len(by_word)))
        questions = [rng.choice(by_word[relation]) for relation in chosen]
        questions += _lists(rng, by_word, knobs.lists)
        rng.shuffle(claims)
        return cls(
            names=tuple(rng.sample(NAMES, knobs.people)),
            family=family,
            statements=tuple(claims),
            questions=tuple(questions),
        )

    def is_valid(self) -> bool:
        return len(self.questions) > 1

    def canonical(self) -> str:
        return repr((self.family, sorted(self.statements), sorted(self.questions)))

    def sentences(self) -> Sequence[Sentence]:
        verb = self.phrase("{0} is {1}'s {2}.", "{1} has a {2}, {0}.")
        return [
            Sentence(
                verb.format(self.names[a], self.names[b], word), {self.names[a], self.names[b]}
            )
            for word, a, b in self.statements
        ]

    def prompt(self) -> str:
        story = [statement.text for statement in self.sentences()]
        questions = "\n".join(
            f"{n}. {self._question(each)}" for n, each in enumerate(self.questions, 1)
        )
        opening = self.phrase(
            "These facts about a family are known:", "Here are some facts about a family:"
        )
        return (
            f"{opening}\n\n{' '.join(story)}\n\nNames do not indicate sex; every couple is a wife "
            "and her husband. Siblings have both parents in common, the children of a "
            "married couple are children of both, and nobody has spouses, parents or children "
            "other than those that follow from this. An aunt or uncle is a sister or brother of a "
            "parent, a niece or nephew a child of a sister or brother; great-aunts and "
            "great-uncles are siblings of a grandparent, grandnieces and grandnephews "
            "grandchildren of a sibling. Cousins are children of siblings, second cousins "
            "children of cousins. A sister-in-law or brother-in-law is the spouse of a sibling or "
            "a sibling of the spouse; the other in-laws are the parents of the spouse and the "
            "spouses of the children. Spouses of aunts and uncles do not count as aunts or "
            f"uncles.\n\n{questions}\n\nChoose relations from: {joined(RELATIONS)}.\n\nWrite one "
            "line for each question with its number, such as '1: uncle', or a list of names in any "
            f"order, such as '2: {', '.join(sorted(self.names)[:2])}'."
        )

    def scene(self) -> Graph:
        """The statements as arrows: the one at the start of an arrow is what its text says to the
        one at its end.
        """
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        at = {person: n for n, person in enumerate(order)}
        nodes = tuple(Node(self.names[person], shape="box") for person in order)
        edges = tuple(Edge(at[one], at[other], word) for word, one, other in self.statements)
        return Graph(nodes, edges, directed=True)

    def _question(self, question: Question) -> str:
        group, one, other = question
        if group:
            return f"Who are {self.names[one]}'s {group}?"
        return self.phrase(
            f"What is {self.names[other]} to {self.names[one]}?",
            f"{self.names[other]} is {self.names[one]}'s what?",
        )

    def right(self, family: Family | None = None) -> dict[str, str]:
        """The answers to the questions, by the statements or for a family."""
        kin = Kin(family) if family else kin_of(self.statements, len(self.names))
        values = []
        for group, one, other in self.questions:
            words = kin.of(one)
            listed = [self.names[n] for n, word in words.items() if word in LISTS.get(group, ())]
            values.append(names_text(listed) if group else words[other])
        return dict(zip(line_numbers(len(values)), values))

    def answer(self) -> str:
        return numbered(self.right().values())

    def verify(self, answer: str) -> Score:
        right = self.right()
        values = pairs(answer, right)
        read = {}
        for (number, value), (group, _, _) in zip(values.items(), self.questions):
            read[number] = (
                names_text(name_set(value, self.names)) if group else choice(value, RELATIONS)
            )
        return matched(read, right)

    def audit(self, answer: str) -> bool:
        """Compare with the sampled family, while ``verify`` uses the statements."""
        right = self.right(self.family)
        lines = dict(line.split(":") for line in answer.splitlines() if line.strip())
        return len(lines) == len(right) and all(
            sorted(re.findall(r"[\w-]+", value.casefold()))
            == sorted(re.findall(r"[\w-]+", right[number.strip()].casefold()))
            for number, value in lines.items()
        )

    def difficulty(self) -> float:
        return float(len(self.statements) * len(self.questions))

    def shortcuts(self) -> Iterable[str]:
        for word in ("cousin", "aunt", "brother"):
            yield numbered(
                names_text(self.names[:2]) if group else word for group, _, _ in self.questions
            )


@lru_cache(maxsize=64)
def kin_of(claims: tuple[Relation, ...], people: int) -> Kin:
    """The relations in the family that statements describe."""
    return Kin(deduced(claims, people))


def _lists(rng: Random, by_word: dict[str, list[Question]], number: int) -> list[Question]:
    """Questions for nonempty lists of different groups."""
    questions: list[Question] = []
    for group in rng.sample(list(LISTS), len(LISTS)):
        of = [one for word in sorted(LISTS[group]) for _, one, _ in by_word.get(word, ())]
        if of and len(questions) < number:
            questions.append((group, rng.choice(of), -1))
    return questions
