"""Questions about data that tools show and nothing changes: answers to them, and ways to play."""

import re
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property
from inspect import GEN_CREATED, getgeneratorstate
from typing import Any, Literal, TypeVar

from palaestra.generators.tools.engine import (
    BUSY,
    Arguments,
    Changes,
    Tool,
    ToolWorld,
    judged,
    manual,
    scripted,
)
from palaestra.task import InvalidAnswer, Play, Policy, Task, Turn
from palaestra.toolbox import call
from palaestra.verifiers.calls.reading import Call

SUBMIT = "submit_answer"
"""The tool that answers a question."""

LONGEST = 4_000
"""How many characters an answer may have."""

LARGEST = 10**15
"""What numbers in answers are below."""

Form = Literal["number", "decimal", "numbers", "text", "texts"]

FORMS: dict[Form, str] = {
    "number": "a number in digits",
    "decimal": "a number, rounded to two decimals",
    "numbers": "a list of numbers, separated by commas, in any order",
    "text": "a name or an identifier as the data spell it",
    "texts": "a list of names, separated by commas, in any order",
}
"""What the answer to a question is, in words."""

T = TypeVar("T")

Use = Callable[..., str]
"""A function from a tool and its arguments, which have names, to the result that a player reads."""

_NUMBER = re.compile(
    r"([-+]?)\s?[$€£]?(\d{1,3}(?:[,_ '\u202f\u00a0]\d{3}){1,4}|\d{1,15})(?:\.(\d{1,20}))?"
    r"(?:\s?[^\W\d_][^\W\d_/ ]{0,30}(?:/[^\W\d_]{1,10})?|\s?%)?",
    re.ASCII,
)
_WRAPPING = "\"'`*_.,;:!?()[]{}<> \t\r\n“”‘’«»"
_SEPARATORS = re.compile(r"[\s,;|\[\](){}\"'`]+")
_WORDS = frozenset({"and", "patient", "patients", "number", "numbers", "none", "no", "the", "id"})
_LABEL = re.compile(r"(?:req|request|deploy|service|id)(?: ?[=:] ?| )", re.ASCII)
_ITEMS = re.compile(r"[,;|\n]| and ")


def read_answer(form: Form, text: str) -> str:
    """The canonical text of an answer. Raises :class:`InvalidAnswer` for one of another form.

    >>> read_answer("number", "1,204 patients"), read_answer("decimal", "5.1 tamol/l")
    ('1204', '5.10')
    >>> read_answer("numbers", "[12, 7 and #5]"), read_answer("texts", '"Ulor", zakan')
    ('5, 7, 12', 'ulor, zakan')
    """
    if len(text) > LONGEST:
        raise InvalidAnswer(f"an answer has at most {LONGEST} characters")
    if form == "numbers":
        return ", ".join(map(str, sorted({*_numbers(text)})))
    if form == "texts":
        items = (read_text(each) for each in _ITEMS.split(text))
        return ", ".join(sorted({item for item in items if item and item != "none"}))
    if form == "text":
        return _LABEL.sub("", read_text(text))
    match = _NUMBER.fullmatch(text.strip().strip("\"'`* "))
    if not match:
        raise InvalidAnswer(f"the answer to this question is {FORMS[form]}")
    sign, digits, decimals = match.groups()
    whole = re.sub(r"\D", "", digits)
    value = Decimal(f"{sign}{whole}.{decimals or 0}")
    return plain(Fraction(value)) if form == "decimal" else _shortest(value)


def read_text(text: str) -> str:
    """A text without case, wrapping and extra spaces."""
    return " ".join(text.casefold().split()).strip(_WRAPPING)


def _shortest(value: Decimal) -> str:
    return str(int(value)) if value == value.to_integral_value() else str(value.normalize())


def _numbers(text: str) -> list[int]:
    """The numbers of a list with any usual separators. Raises :class:`InvalidAnswer`."""
    items = [each.lstrip("#").rstrip(".:") for each in _SEPARATORS.split(text)]
    items = [each for each in items if each and each.casefold() not in _WORDS]
    if not all(each.isascii() and each.isdecimal() and len(each) <= 15 for each in items):
        raise InvalidAnswer(f"the answer to this question is {FORMS['numbers']}")
    return [int(each) for each in items]


def plain(value: Fraction) -> str:
    """A number in digits with two decimals, halves away from 0.

    >>> plain(Fraction(7, 3)), plain(Fraction(4))
    ('2.33', '4.00')
    """
    number = Decimal(value.numerator) / Decimal(value.denominator)
    return str(number.quantize(Decimal("0.01"), ROUND_HALF_UP))


def is_tie(value: Fraction) -> bool:
    """Whether a number is halfway between two that have two decimals."""
    return (value * 100) % 1 == Fraction(1, 2)


def median(values: Sequence[Fraction]) -> Fraction:
    """The value in the middle, or the mean of the two in the middle."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


class DataWorld(ToolWorld):
    """Data that nothing changes, and the last answer to each of several questions.

    ``forms`` are those of the answers. The tools are those of the data; the one that answers is
    added.
    """

    def __init__(self, tools: Sequence[Tool], forms: Sequence[Form], seed: int, busy: int) -> None:
        super().__init__(toolkit(tools), seed, busy)
        self.forms = forms
        self.answers: dict[int, str] = {}

    def changes(self) -> Changes:
        return goal_of(self.answers)

    def result(self, call: Call) -> str:
        """The same as for any tool; a number or a list as the answer is read like a text."""
        value = call.arguments.get("answer")
        if call.name == SUBMIT and type(value) in (int, float, list):
            call = call._replace(arguments={**call.arguments, "answer": _as_text(value)})
        return super().result(call)


def _as_text(value: Any) -> Any:
    """A number, or a list of numbers and texts, as text; anything else as it stands."""
    if isinstance(value, list):
        parts = [each if isinstance(each, str) else _as_text(each) for each in value]
        return ", ".join(parts) if all(isinstance(each, str) for each in parts) else value
    if type(value) not in (int, float) or not abs(value) < LARGEST:
        return value
    return str(value) if type(value) is int else f"{value:.10f}"


def goal_of(answers: dict[int, str]) -> Changes:
    """Answers in canonical form, as values by path; questions count from 1."""
    return {("answer", str(number)): text for number, text in answers.items()}


def _submit(world: DataWorld, arguments: Arguments) -> str:
    number = arguments["question"]
    if not 1 <= number <= len(world.forms):
        raise InvalidAnswer(f"questions go from 1 to {len(world.forms)}")
    world.answers[number] = read_answer(world.forms[number - 1], arguments["answer"])
    return f"The answer to question {number} is noted."


def toolkit(tools: Sequence[Tool]) -> list[Tool]:
    """The tools of some data with the one that answers, in alphabetical order."""
    submit = Tool(
        SUBMIT,
        "Answer a question by its number. A second answer replaces the first.",
        {"answer": str, "question": int},
        _submit,
        {"question": 1},
    )
    return sorted([*tools, submit], key=lambda tool: tool.name)


def numbered(questions: Sequence[str], forms: Sequence[Form]) -> str:
    """Questions with their numbers, each with the form of its answer."""
    return "\n".join(
        f"Question {number}: {text} The answer is {FORMS[form]}."
        for number, (text, form) in enumerate(zip(questions, forms), 1)
    )


def page_of(
    items: Sequence[T], page: int, size: int, head: str = "", show: Callable[[T], str] = str
) -> str:
    """A page of items, a line each, with the numbers of items and pages behind what is said of all.

    Raises :class:`InvalidAnswer` where there is no such page.
    """
    pages = max(1, -(-len(items) // size))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = items[(page - 1) * size : page * size]
    return "\n".join([f"{head}{len(items)} in all (page {page} of {pages})", *map(show, shown)])


_PAGES = re.compile(r"(\d+) in all \(page \d+ of (\d+)\)", re.ASCII)


def pages_in(result: str) -> int:
    """How many pages there are, by a result with a page."""
    match = _PAGES.search(result.partition("\n")[0])
    return int(match[2]) if match else 1


def total_in(result: str) -> int:
    """How many lines all pages have, by a result with a page."""
    match = _PAGES.search(result.partition("\n")[0])
    return int(match[1]) if match else 0


def all_pages(use: Use, tool: str, **arguments: Any) -> list[str]:
    """The lines of all pages that a tool gives, without their heads."""
    result = use(tool, **arguments)
    lines = result.splitlines()[1:]
    for page in range(2, pages_in(result) + 1):
        lines += use(tool, **arguments, page=page).splitlines()[1:]
    return lines


def persistent(use: Callable[[str, dict[str, Any]], str]) -> Use:
    """A function that calls a tool again as long as it is busy."""

    def called(tool: str, **arguments: Any) -> str:
        result = BUSY
        while result == BUSY:
            result = use(tool, arguments)
        return result

    return called


def recorded(world: ToolWorld, play: Callable[[Use], None]) -> tuple[str, ...]:
    """The calls of a client in a world, which it sees through results alone."""
    calls: list[str] = []

    def use(tool: str, arguments: dict[str, Any]) -> str:
        calls.append(call(tool, **arguments))
        return world.use(calls[-1])[0]

    play(persistent(use))
    return tuple(calls)


Moves = Generator[str, str, None]
"""A player as a generator: it yields each call and is sent what it reads."""


def acting(moves: Moves) -> Policy:
    """The policy that makes the moves of a generator."""

    def policy(turn: Turn) -> str:
        is_new = getgeneratorstate(moves) == GEN_CREATED
        try:
            return next(moves) if is_new else moves.send(turn.observation)
        except StopIteration:
            return "done"

    return policy


class DataTask(Task):
    """Questions about data that nothing changes. A subclass has the data, the questions, a player
    who wins, and words.
    """

    hidden = {"seed", "answers"}

    seed: int
    busy: int
    calls: int
    answers: tuple[str, ...]

    @classmethod
    @abstractmethod
    def readers(cls) -> Sequence[Tool]:
        """The tools that read the data."""

    @abstractmethod
    def world(self) -> DataWorld:
        """The world at its start."""

    @abstractmethod
    def answer_all(self, use: Use) -> None:
        """Answer the questions as one who sees the documentation, them and results alone."""

    @abstractmethod
    def opening(self) -> str:
        """What the data are."""

    @abstractmethod
    def conventions(self) -> str:
        """What counts, in lines that begin with a dash."""

    @abstractmethod
    def words(self) -> Sequence[str]:
        """The questions in words."""

    @property
    @abstractmethod
    def forms(self) -> Sequence[Form]:
        """What the answer to each question is."""

    def is_valid(self) -> bool:
        """Whether there are questions."""
        return bool(self.answers)

    @property
    def goal(self) -> Changes:
        """What the world should be like in the end."""
        return goal_of(dict(enumerate(self.answers, 1)))

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the documentation, the questions and results alone."""
        return recorded(self.world(), self.answer_all)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        return judged(world.changes(), self.goal)

    def brief(self) -> str:
        """The documentation and the questions."""
        return (
            f"{self.opening()}\n\nConventions:\n{self.conventions()}\n\n"
            f"{numbered(self.words(), self.forms)}\n\n"
            f"{manual(toolkit(self.readers()), self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def always(self, text: str) -> Policy:
        """A player whose answer to every question is the same."""
        return scripted(
            call(SUBMIT, question=number, answer=text) for number in range(1, len(self.answers) + 1)
        )

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in toolkit(self.readers())]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
