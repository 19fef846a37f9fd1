"""Counting siblings, as in the "Alice in Wonderland" problems of M. Nezhurina et al. (2024)."""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.sibling_counts import (
    RULES,
    WORDS,
    Clue,
    Group,
    as_text,
    random_group,
)
from palaestra.generators.people import NAMES
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import in_order
from palaestra.verifiers.reading.values import joined

CLUES: dict[str, tuple[Clue, ...]] = {
    "both": ("both",),
    "sums": ("both", "sum"),
    "all": ("sum", "total", "linked"),
}


class SiblingCounts(Puzzle):
    """Count the sisters, brothers, colleagues and friends of several people."""

    version = 2
    tags = {"deduction", "counting", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        groups: int = ladder(1, 2, 2, 3, 4, 5, 6, high=7)
        questions: int = ladder(3, 3, 4, 4, 5, 6, 8, low=3, high=9)
        largest: int = ladder(7, 7, 9, 12, 16, 20, 30, low=7, high=60)
        clues: Literal["both", "sums", "all"] = ladder("both", "both", "sums", "sums", "all")
        changes: bool = ladder(False, False, False, True)

    groups: tuple[Group, ...]
    questions: tuple[tuple[int, str, bool, bool], ...]
    """The questions: the group, a name, whether it is a woman's, and whether to count women."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        names = rng.sample(NAMES, knobs.groups + knobs.questions)
        kinds = CLUES[knobs.clues]
        groups = [
            random_group(rng, names.pop(), rng.choice(kinds), knobs.largest, knobs.changes)
            for _ in range(knobs.groups)
        ]
        questions = []
        for n in range(knobs.questions):
            group = n % knobs.groups
            questions.append((group, names.pop(), rng.random() < 0.5, rng.random() < 0.5))
        return cls(groups=tuple(groups), questions=tuple(questions))

    def is_valid(self) -> bool:
        """Whether the groups have enough members, and the numbers of the speakers are no answer."""
        for index, group in enumerate(self.groups):
            sexes = [woman for at, _, woman, _ in self.questions if at == index] + [
                group.teller_woman
            ]
            if sexes.count(True) > group.women + min(0, group.change[0]):
                return False
            if sexes.count(False) > group.men + min(0, group.change[1]):
                return False
        return self.groups[0].clue != "linked" and self.naive() != self.counts()

    def canonical(self) -> str:
        groups = [group._replace(teller="", setting="") for group in self.groups]
        return repr((groups, [(index, *rest) for index, _, *rest in self.questions]))

    def prompt(self) -> str:
        settings = dict.fromkeys(group.setting for group in self.groups)
        pairs = zip(self.groups, self.groups[-1:] + self.groups)
        story = "\n".join(as_text(group, n, before) for n, (group, before) in enumerate(pairs, 1))
        questions = "\n".join(f"{n}. {self._question(*a)}" for n, a in enumerate(self.questions, 1))
        ask = self.phrase("Then answer:", "These are the questions:")
        sample = joined([12, 0, 7, 3, 5, 14, 2, 8, 6][: len(self.questions)])
        rules = " ".join(RULES[setting] for setting in settings)
        if any(any(group.change) for group in self.groups):
            rules += (
                " Whoever joins a group belongs to it from then on; whoever leaves it no longer "
                "does. Nobody who is named below leaves."
            )
        return (
            f"{rules} Nobody belongs to two of the "
            f"groups.\n\n{story}\n\n{ask}\n{questions}\n\nWrite the {len(self.questions)} numbers "
            f"in order, separated by commas, such as '{sample}'."
        )

    def _question(self, index: int, name: str, woman: bool, women: bool) -> str:
        words = WORDS[self.groups[index].setting]
        person, counted = words[0 if woman else 1], words[2 if women else 3]
        where = words[4].format(index + 1)
        return self.phrase(
            f"{name}, a {person}, is {where} too (there from the start). How many {counted}s does "
            f"{name} have in the end?",
            f"How many {counted}s does {name} have in the end? {name} is a {person}, {where} from "
            "the start.",
        )

    def counts(self) -> list[int]:
        """The answers to the questions."""
        return [
            self.groups[index].others_of(woman)[not women]
            for index, _, woman, women in self.questions
        ]

    def answer(self) -> str:
        return joined(self.counts())

    def verify(self, answer: str) -> Score:
        return in_order(integers(answer, len(self.questions)), self.counts())

    def difficulty(self) -> float:
        return len(self.questions) + sum(
            {"both": 1, "sum": 2, "total": 2, "linked": 3}[g.clue] + any(g.change)
            for g in self.groups
        )

    def shortcuts(self) -> Iterable[str]:
        yield joined(self.naive())

    def naive(self) -> list[int]:
        """The numbers from the speakers' point of view, for every question."""
        groups = [(self.groups[index], women) for index, _, _, women in self.questions]
        return [group.seen(group.teller_woman)[not women] for group, women in groups]
