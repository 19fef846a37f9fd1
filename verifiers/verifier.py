"""What a verifier is: a frozen value that knows what is right, called with an answer.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Even(Verifier):
...     def verify(self, answer: str) -> Score:
...         return Score(answer.strip() in {"0", "2", "4"}, "not an even digit")
>>> Even()("2").correct, Even()(" ").status
(True, 'no_answer')
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from palaestra.task import InvalidAnswer, Score

LONGEST = 20_000
"""How many characters of an answer a verifier looks at, unless it says otherwise."""

Judge = Callable[[str], Score]
"""Anything that is called like a verifier: with an answer, giving its score."""


class GoldError(ValueError):
    """The gold answer or an option of a verifier is invalid or cannot be read."""


class Verifier(ABC):
    """Scores answers from 0 to 1 against a gold answer or rules; 1 is right.

    Subclasses are frozen dataclasses with slots, so that they are pure, picklable, comparable and
    safe in threads. Whoever builds one with a gold answer that makes no sense gets a
    :class:`GoldError` there and then, never a reward later.
    """

    __slots__ = ()

    longest: ClassVar[int] = LONGEST
    """An answer with more characters is not looked at: its status is ``limit``."""

    @abstractmethod
    def verify(self, answer: str) -> Score:
        """Score an answer that is not empty and not too long.

        Raises :class:`~palaestra.task.InvalidAnswer` for one that cannot be read, and
        :class:`~palaestra.task.JudgeError` where the judge itself is at fault.
        """

    def __call__(self, answer: str) -> Score:
        """The score of any text whatever."""
        if not answer.strip():
            return Score(0.0, "there is no answer", status="no_answer")
        if len(answer) > self.longest:
            return Score(0.0, f"longer than {self.longest} characters", status="limit")
        try:
            return self.verify(answer)
        except InvalidAnswer as slip:
            return Score(0.0, str(slip), status=slip.status)
