"""Episodes of several replies to one puzzle."""

import re
from collections.abc import Generator, Iterable, Mapping
from fractions import Fraction
from random import Random

from palaestra.combination import Unsuitable
from palaestra.combinators.combinator import OfOne
from palaestra.task import InvalidAnswer, Policy, Puzzle, Score, Turn
from palaestra.verifiers.votes import plainly

GUESSABLE = 0.05
"""What all answers together may earn a player who guesses."""

REASONS = 10
"""How many reasons an answer may get, at least, where what they tell is bounded."""

_SEPARATOR = re.compile(r"[\s,;]+")
_NUMBER = re.compile(r"([-+]?\d{1,50}(?:\.\d{1,50})?)(?:/(\d{1,50}))?", re.ASCII)


class SeveralReplies(OfOne):
    """A puzzle that is played in several replies, of which at least the last is an answer."""

    def answered(self, turn: Turn) -> Generator[Turn, str, tuple[str, Score]]:
        """Yield a turn, and return the answer to it and its score, which is 0 for no answer."""
        move = ""
        try:
            move = yield turn
            if not move.strip():
                raise InvalidAnswer("no answer", "no_answer")
            return move, self.task.verify(move)
        except InvalidAnswer as error:
            return move, Score(0, str(error), status=error.status)

    def check_reply(self, reply: str) -> None:
        self.task.check_reply(reply)

    def solve(self) -> Iterable[str]:
        return [self.task.answer()]

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        return {name: _always(play) for name, play in self.task.baselines(rng).items()}

    def shortcuts(self) -> Iterable[str]:
        return self.task.shortcuts()


def chances(task: Puzzle, answers: int, reasons: bool) -> list[float]:
    """The chances that each of a number of guesses is right, or bounds above them.

    A reason tells how many entries are wrong, or which one is, so that it may tell a further guess
    apart from as many others. Where b reasons are possible, a player who keeps to the answers that
    agree with all earlier ones has at most b times the chance at each further answer.
    """
    outcomes = max(REASONS, 1 + _entries(task.answer())) if reasons else 1
    chance = task.random_baseline()
    return [min(1.0, chance * outcomes**number) for number in range(answers)]


def check_guesses(task: Puzzle, answers: int, reasons: bool) -> None:
    """Raises :class:`Unsuitable` where so many guesses at the answer are right too often.

    ``reasons`` is whether the player reads why each is wrong.
    """
    if sum(chances(task, answers, reasons)) > GUESSABLE:
        which = f"{answers} guesses that follow the reasons" if reasons else f"{answers} guesses"
        raise Unsuitable(
            f"a guess is right with a chance of {task.random_baseline():.2g}, so that {which} may "
            f"be right more often than {GUESSABLE}; use a higher level, or fewer answers"
        )


def _entries(answer: str) -> int:
    """How many words and numbers an answer has, without the labels before a colon."""
    lines = answer.splitlines()
    return sum(len(_SEPARATOR.split(line.rpartition(":")[2].strip())) for line in lines)


def normal_form(answer: str) -> str:
    """An answer without what does not change its meaning in any environment: wrapping, case, the
    separators of a list and its brackets, and how a number is written.

    Equal forms do not prove that answers are equal: a list and a set with the same items agree.

    >>> normal_form("**[1.50,  Ada]**."), normal_form("3/2 ada")
    ('3/2 ada', '3/2 ada')
    """
    tokens = _SEPARATOR.split(_without_brackets(plainly(answer)))
    return " ".join(_number(token) for token in tokens if token)


def _without_brackets(text: str) -> str:
    inner = text[1:-1]
    enclosed = text[:1] + text[-1:] in {"()", "[]", "{}"}
    return inner if enclosed and not set(inner) & set("()[]{}") else text


def _number(token: str) -> str:
    number = _NUMBER.fullmatch(token)
    if number is None or (number[2] is not None and not int(number[2])):
        return token
    return str(Fraction(number[1]) / int(number[2] or 1))


def _always(play: str | Policy) -> Policy:
    return (lambda _: play) if isinstance(play, str) else play
