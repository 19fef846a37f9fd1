"""Questions of several steps on documents that disagree, an original environment.

MuSiQue (H. Trivedi and others, "MuSiQue: Multihop Questions via Single-hop Question Composition",
2022) composes questions over paragraphs. Here the world is fictional, documents contradict each
other, rules that are new with each task state which ones count, and the documents that prove a
step belong to the answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.fiction import CHARACTERS, LONGEST, reports, world
from palaestra.generators.reading.many_documents import (
    ATTRIBUTES,
    PLURALS,
    RANKS,
    Claim,
    Documents,
    Fact,
    Judge,
    Names,
    Policy,
    Question,
    careless_judges,
    claims_by_fact,
    day_in_words,
    followed,
    other_documents,
    proper_judge,
    random_documents,
    random_policy,
    shown,
    town_names,
)
from palaestra.rng import Rng
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines, number_list
from palaestra.verifiers.reading.labels import matched, numbered
from palaestra.verifiers.reading.values import joined

Proof = tuple[int, ...]
"""A value, and the number of the document that counts on each step."""

WORDS = ("documents no.", "document no.", "document", "no.")
"""Words that may stand before a number."""


class ManyDocuments(Puzzle):
    """Answer questions of several steps by documents that disagree, and state what proves it."""

    tags = {"reading", "long-context", "multi-hop", "conflicting-evidence", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        tokens: int = ladder(500, 1_000, 1_800, 2_800, 4_000, 6_000, 8_000, high=LONGEST)
        hops: int = ladder(1, 2, 2, 3, 3, 4, 5, high=5)  # steps of a question
        conflicts: int = ladder(2, 2, 3, 3, 4, 4, 5, low=2, high=6)  # wrong claims on a fact
        rules: int = ladder(0, 1, 2, 3, 4, 4, 4, high=4)  # besides that of dates
        towns: int = ladder(4, 4, 5, 5, 6, 6, 7, low=4, high=9)
        questions: int = ladder(1, 1, 2, 2, 2, 2, 3, high=4)

    documents: Documents
    policy: Policy
    names: Names
    questions: tuple[Question, ...]
    seed: int
    """Of the documents about other towns, and of sentences without a bearing on the questions."""
    tokens: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        towns = max(knobs.towns, knobs.hops + 1)
        people = world(seed).people[: 3 + knobs.rules]
        policy = random_policy(rng, knobs.rules, len(people))
        size = towns, knobs.hops, knobs.questions
        documents, questions = random_documents(rng, policy, size, knobs.conflicts, len(people))
        return cls(
            documents=documents,
            policy=policy,
            names=Names(town_names(rng, towns), people),
            questions=questions,
            seed=seed,
            tokens=knobs.tokens,
        )

    def is_valid(self) -> bool:
        """Whether the questions differ."""
        return len({*self.questions}) == len(self.questions)

    def canonical(self) -> str:
        return repr((sorted(self.documents), self.policy, self.questions))

    @cached_property
    def text(self) -> str:
        """The documents in random order."""
        rng, known = Rng(f"{self.seed} text"), world(self.seed)
        others = reports(rng, known)
        texts = [shown(each, self.names, rng, others) for each in self.documents]
        rest = CHARACTERS * self.tokens - sum(len(text) + 2 for text in texts)
        size = rest, self.policy.rules
        texts += other_documents(rng, known, self.names, self.documents, size)
        rng.shuffle(texts)
        return "\n\n".join(texts)

    def rules(self) -> list[str]:
        """The rules by which documents count, in words."""
        policy = self.policy
        ranks = joined([PLURALS[each] for each in policy.ranks])
        author, since = self.names.authors[policy.author], day_in_words(policy.since)
        texts = [
            "The latest document counts on a fact.",
            (
                f"Documents have ranks by their types, the highest first: {ranks}. On a fact, the "
                "latest document of the highest rank counts."
            ),
            (
                "A document that another one revokes does not count. A revocation has its effect "
                "whatever the ranks of the two, but none if the document with it does not count "
                "itself: if C revokes B, and B revokes A, then A counts."
            ),
            (
                f"Documents that {author} wrote on {since} or later do not count, and revoke "
                "nothing."
            ),
            (
                "On a fact about a town, documents that were written in that town are above all "
                "others, whatever their ranks; among them, rank and date decide as before."
            ),
        ]
        return texts[min(policy.rules, RANKS) : policy.rules + 1]

    def in_words(self, question: Question) -> str:
        """A question as a noun phrase."""
        steps = "".join(f"the {ATTRIBUTES[each]} of " for each in reversed(question.path))
        return f"{steps}{self.names.towns[question.town]}"

    def prompt(self) -> str:
        opening = self.phrase(
            "Answer questions by documents that contradict each other.",
            "Some documents disagree. Find out by the rules below what is true.",
            "Settle what these documents dispute, by the rules that follow.",
        )
        example = [4321, 512, 870, 1206, 345, 2233][: 1 + len(self.questions[0].path)]
        ask = self.phrase("Find these numbers:", "What are these numbers?")
        return (
            f"{opening} Names that differ in a letter are different names, and nobody revokes a "
            f"document of a later day.\n\nRules:\n{numbered(self.rules())}\n\nDocuments:\n\n"
            f"{self.text}\n\n{ask}\n{numbered(map(self.in_words, self.questions))}\n\nWrite one "
            "line for each, with its number: what is asked for, and behind it the number of the "
            "document that counts on each step, from the first step to the last, separated by "
            f"commas, such as '1: {joined(example)}'. The first step starts from the town that is "
            "named."
        )

    def proof(self, question: Question, judge: Judge) -> Proof:
        """What a judge comes to."""
        value, numbers = followed(self.claims, question, judge)
        return value, *numbers

    @cached_property
    def claims(self) -> Mapping[Fact, Sequence[Claim]]:
        """The claims on each fact."""
        return claims_by_fact(self.documents)

    @cached_property
    def right(self) -> list[Proof]:
        """The answers with the documents that prove them."""
        judge = proper_judge(self.documents, self.policy)
        return [self.proof(question, judge) for question in self.questions]

    def written(self, judge: Judge) -> str:
        """The answers of a judge as text."""
        return numbered(joined(self.proof(question, judge)) for question in self.questions)

    def answer(self) -> str:
        return self.written(proper_judge(self.documents, self.policy))

    def read(self, answer: str) -> list[Proof]:
        """The value and the documents that each line of an answer states."""
        proofs = list[Proof]()
        lines = answer_lines(answer, len(self.questions))
        for text, question in zip(lines, self.questions):
            numbers = number_list(text, WORDS)
            if len(numbers) != 1 + len(question.path):
                raise InvalidAnswer("expected a number, and then one document for each step")
            proofs.append(tuple(numbers))
        return proofs

    def verify(self, answer: str) -> Score:
        return matched(dict(enumerate(self.read(answer))), dict(enumerate(self.right)))

    def difficulty(self) -> float:
        """The documents that bear on the towns of the questions, times the steps."""
        return float(len(self.documents) * sum(len(question.path) for question in self.questions))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who go by one rule, or leave one out."""
        judges = careless_judges(self.documents, self.policy)
        return {name: self.written(judge) for name, judge in judges.items()}

    def shortcuts(self) -> Iterable[str]:
        yield numbered(joined([1] * (1 + len(each.path))) for each in self.questions)
