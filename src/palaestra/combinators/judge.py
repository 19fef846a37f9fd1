"""Verification as a task: to judge several claimed answers."""

import re
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.batch import distinct_tasks
from palaestra.combinators.combinator import OfClaims, OfSeveral, OfSeveralTasks
from palaestra.combinators.headers import SEPARATOR, header, uncovered
from palaestra.combinators.yes_no import claimed, verdict
from palaestra.task import InvalidAnswer, Puzzle, Score
from palaestra.verifiers.reading.numbers import integers

_TASK = re.compile(r"(?:Task[ \t]{1,3})?#?(\d{1,2})(?!\d)", re.IGNORECASE | re.ASCII)
_NOUN = re.compile(r"\btasks? |#(?=\d)|\*\*", re.IGNORECASE)
_ARE_WRONG = re.compile(r" (?:(?:is|are) )?(?:wrong|incorrect)[.!]?$", re.IGNORECASE | re.MULTILINE)
_WRONG_ARE = re.compile(
    r"(?:the )?(?:wrong|incorrect)(?: (?:tasks|ones|answers|claims))?(?::| are:?) ", re.IGNORECASE
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_COMMAS = str.maketrans({"&": ",", "\uff0c": ",", "\u3001": ","})
_NONE = re.compile(
    r"none(?: of (?:them|these|(?:the )?(?:claimed )?(?:answers|claims)))?(?: (?:is|are) wrong)?"
    r"|(?:no claimed answer is|no claimed answers are) wrong"
    r"|all (?:of them|(?:the )?(?:claimed )?(?:answers|claims)) are (?:right|correct)",
    re.IGNORECASE,
)


class JudgePuzzle(OfSeveral, Puzzle):
    """Several puzzles, each with a claimed answer that is right or not."""

    combinator: ClassVar["Judge"]

    claims: tuple[str, ...]
    wrong: tuple[int, ...]
    """The numbers of the tasks whose claimed answer is wrong, in ascending order."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        tasks = distinct_tasks(task, another, cls.combinator.n)
        pairs = [claimed(each, rng, another) for each in tasks]
        wrong = tuple(n for n, (_, right) in enumerate(pairs, 1) if not right)
        return cls(tasks=tasks, claims=tuple(claim for claim, _ in pairs), wrong=wrong)

    def prompt(self) -> str:
        tasks = "\n\n".join(
            f"Task {n}:\n{task.prompt()}\n\nClaimed answer to task {n}:\n{claim}"
            for n, (task, claim) in enumerate(zip(self.tasks, self.claims), 1)
        )
        request = self.phrase(
            "Which of the claimed answers are wrong?", "Find the claimed answers that are wrong."
        )
        return (
            f"Here are {len(self.tasks)} tasks, each with a claimed answer. Every claimed answer "
            f"may be right or wrong, independently of the others.\n\n{tasks}\n\n{request} Give the "
            "numbers of their tasks, separated by commas, or 0 if all claimed answers are right. "
            "For example, 2, 3 means that those of the tasks 2 and 3 are wrong and the others "
            "right."
        )

    def answer(self) -> str:
        return ", ".join(map(str, self.wrong)) or "0"

    def verify(self, answer: str) -> Score:
        if read_judgement(answer, len(self.tasks)) == set(self.wrong):
            return Score(1)
        return Score(0, "not all claimed answers are judged as they should be")

    def audit(self, answer: str) -> bool:
        """Judge the claims once more."""
        verdicts = [task.verify(claim).correct for task, claim in zip(self.tasks, self.claims)]
        wrong = {n for n, right in enumerate(verdicts, 1) if not right}
        return read_judgement(answer, len(self.tasks)) == wrong

    def random_baseline(self) -> float:
        return 0.5 ** len(self.tasks)


class Judge(OfClaims, OfSeveralTasks):
    """Answers to several tasks are claimed; the wrong ones among them are to be named.

    Each of the ``n`` claims is right with a chance of one half. The labels are the verdicts of the
    base's ``verify``, and only a reply that judges all claims right scores, so that a guess does
    with a chance of ``1 / 2**n``.
    """

    name: ClassVar[str] = "judge"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = JudgePuzzle

    n: int = Field(5, ge=2, le=12)


def read_judgement(text: str, number: int) -> set[int]:
    r"""The numbers of the tasks, of a ``number`` of them, whose claimed answers are named wrong.

    They are listed, or each of the tasks has a line with a verdict. Raises :class:`InvalidAnswer`
    for another text, and where two verdicts are on one task or none is.

    >>> read_judgement("Tasks 2 and 3 are wrong.", 3) == read_judgement("1: yes\n2: no\n3: no", 3)
    True
    """
    body = uncovered(text)
    if named := _WRONG_ARE.match(body):
        body = body[named.end() :]
    if (verdicts := _verdicts(body)) and not named:
        if sorted(task for task, _ in verdicts) != list(range(1, number + 1)):
            raise InvalidAnswer(f"expected a verdict on each of the tasks 1 to {number}")
        return {task for task, line in verdicts if not verdict(line, "right or wrong")}
    if _NONE.fullmatch(body.strip("()* .!")):
        return set()
    if not body or _OR.search(body):
        raise InvalidAnswer("expected the numbers of tasks, separated by commas")
    numbers = set(integers(_NOUN.sub("", _ARE_WRONG.sub("", body)).translate(_COMMAS)))
    return set() if numbers == {0} else numbers


def _verdicts(text: str) -> list[tuple[int, str]]:
    """The tasks and what the text has to say on each; none where it only lists numbers."""
    verdicts: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        if head := header(line, _TASK, SEPARATOR):
            verdicts.append((int(head.label[1]), head.rest))
        elif verdicts and not verdicts[-1][1]:
            verdicts[-1] = (verdicts[-1][0], line)
        else:
            return []
    return verdicts if all(line for _, line in verdicts) else []
