r"""What the label of a row is: the address of a task, or a plain gold answer.

Trainers carry one label along with each prompt. One that is written like an address is one; one
that is not is the right answer to a question of the row's own, such as ``42`` or ``\frac{1}{2}``,
and is judged by :mod:`palaestra.verifiers.answers`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from math import isfinite
from numbers import Real
from random import Random
from typing import Any, ClassVar, Self, TypeGuard

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS, BARE, AnswerFormat, answer_format_of
from palaestra.registry import packages
from palaestra.scoring import Item
from palaestra.task import InvalidAnswer, JudgeError, Puzzle, Score
from palaestra.verifiers.answers import Policy
from palaestra.verifiers.answers.extract import extracted
from palaestra.verifiers.answers.judging import LONGEST, Answer
from palaestra.verifiers.verifier import GoldError

COLUMNS = ("answer", "ground_truth", "gold", "final_answer", "target", "label", "solution")
"""Names of columns that may hold a label, in the order in which they are looked at."""

_COMBINATORS = r"(?:\+[a-z]\w{0,60}(?:\([\w.,: -]{0,200}\))?){0,20}"  # +retry(3)+confidence
_ADDRESS = re.compile(
    # logic/sudoku?seed=1
    rf"(?:palaestra/)?[a-z]\w{{0,60}}/[a-z]\w{{0,60}}{_COMBINATORS}(?:@\d|\?|\Z)|"
    # sudoku?seed=1, which lacks its category
    rf"[a-z][\w/-]{{0,120}}{_COMBINATORS}(?:@\d{{1,9}})?\?[a-z]\w{{0,60}}=",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\\(?:boxed|fbox)(?![a-zA-Z])|^\s{0,8}####", re.MULTILINE)


class BadLabel(ValueError):
    """A label that is neither an address nor a gold answer, or none at all."""


class GoldAnswer(Puzzle):
    """A question of somebody's own with its right answer, or with several, any of which will do.

    >>> GoldAnswer(gold=("1/2",)).verify("0.5").value
    1.0
    """

    verbatim: ClassVar[bool] = True  # the answer reader takes wrappings off itself
    longest: ClassVar[int] = LONGEST

    question: str = ""
    gold: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """Raises ``TypeError``: such a task is given, and cannot be drawn."""
        raise TypeError("a question with a gold answer cannot be sampled")

    def prompt(self) -> str:
        """The question."""
        return self.question

    def answer(self) -> str:
        """The gold answer, or the first of several."""
        return self.gold[0]

    def verify(self, answer: str) -> Score:
        """Judge an answer by :mod:`palaestra.verifiers.answers`.

        Raises :class:`~palaestra.task.JudgeError` where the gold cannot be read.
        """
        try:
            return _judge(self.gold).verify(answer)
        except GoldError as error:
            raise JudgeError(str(error), "gold_error") from None


@lru_cache(maxsize=4096)
def _judge(gold: tuple[str, ...]) -> Answer:
    return Answer(gold)


def _reader(name: str, policy: Policy) -> AnswerFormat:
    """An answer format whose answers are found as the answer contract has it."""
    known = ANSWER_FORMATS.get(name, ANSWER_FORMATS["boxed"])
    rule = known.rule if name in ANSWER_FORMATS else "Give your final answer inside \\boxed{}."
    return AnswerFormat(name, rule, lambda reply: extracted(reply, policy).text, known.write)


def _strict(name: str) -> AnswerFormat:
    """The same for one that marks answers in one way only, with the options in its name."""
    mark, *options = name.split("-")
    policy = Policy(
        mode="strict",
        mark="tag" if mark == "tags" else "box",
        accept_truncated="truncated" in options,
        several="last" if "last" in options else "same" if "same" in options else "usual",
    )
    return _reader(name, policy)


ANY_MARK = _reader("any", Policy())
"""Answers in a box, in an answer tag, or on a line such as "Answer: 42"."""

_READERS = {name: _strict(name) for name in ANSWER_FORMATS if name != BARE.name}


def gold_answer_format(answer_format: AnswerFormat | str | None) -> AnswerFormat:
    """How an answer to be compared with a gold is marked: in any of the usual ways unless an answer
    format is named. Raises ``ValueError`` for an answer format that there is not.
    """
    if answer_format is None or answer_format == ANY_MARK.name:
        return ANY_MARK
    named = answer_format_of(answer_format)
    return _READERS.get(named.name, named)


def is_address(label: object) -> bool:
    """Whether a label is written like an address, be it a right one or not.

    Those are ``category/name`` of a category that there is, and anything with ``@1`` or
    ``?name=value`` behind a name.

    >>> [is_address(one) for one in ("logic/sudoku", "sudoku?seed=3", "km/h", "x/y", "42")]
    [True, True, False, False, False]
    >>> is_address("grids/sudoku+retry(3,verdict)+confidence@2?seed=3"), is_address("x/y+z(3)")
    (True, False)
    """
    if isinstance(label, Address):
        return True
    shape = _ADDRESS.match(label.strip()) if isinstance(label, str) else None
    if shape is None:
        return False
    category = shape[0].partition("/")[0].lower()
    return (
        shape[0].endswith(("?", "=")) or "@" in shape[0] or category in {"palaestra", *packages()}
    )


def gold_of(value: object, question: str = "") -> GoldAnswer:
    r"""The task of finding a gold answer: a text, a number, or a list of which any one will do.

    Of a worked solution, its final answer is the gold: what is boxed, or stands behind ``####``.

    >>> gold_of(r"Twice 21 is \boxed{42}.").gold, gold_of(42).gold, gold_of([0.5, "1/2"]).gold
    (('42',), ('42',), ('0.5', '1/2'))

    Raises :class:`BadLabel` for nothing, and for what is no answer.
    """
    if getattr(value, "ndim", None) == 0 and not isinstance(
        value, Real
    ):  # an array of a single number
        value = value.item()  # type: ignore[attr-defined]
    golds = tuple(map(_gold, value)) if _is_list(value) else (_gold(value),)
    if not golds:
        raise BadLabel("a list of gold answers is empty")
    return GoldAnswer(gold=golds, question=question)


def _is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Whether it is several golds; arrays of numpy are, too."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _gold(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return _final(value.strip())
    if isinstance(value, Real | Decimal) and (isinstance(value, int) or isfinite(value)):
        return str(value)
    if value is None or isinstance(value, str):
        raise BadLabel("the gold answer is empty")
    raise BadLabel(f"a gold answer is a text, a number or a list of them, not {_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{type(value).__name__} with the keys {', '.join(map(str, value))}"[:120]
    return f"{value!r}"[:80]


def _final(text: str) -> str:
    """The final answer of a worked solution, and any other text as it is."""
    if not _MARKED.search(text):
        return text
    try:
        return extracted(text, Policy()).text
    except InvalidAnswer as error:
        raise BadLabel(f"the solution {text[:60]!r} has no final answer: {error}") from None


def task_of(label: object, question: str = "") -> Address | GoldAnswer:
    """What a label names: a task's address where it is written like one, else a gold answer.

    Raises :class:`BadLabel`, and for what is written like an address what
    :meth:`Address.parse <palaestra.address.Address.parse>` does, with names that are near.
    """
    return address_of(label) if is_address(label) else gold_of(label, question)


def address_of(label: object, where: str = "a label") -> Address:
    """The address that a label has to be; ``where`` says where it stands.

    Raises :class:`BadLabel` for what is not even written like one, and for one without a seed, for
    then all rows would name one task; and what :func:`task_of` does.
    """
    if isinstance(label, Address):
        return label
    if not is_address(label):
        raise BadLabel(
            f"{_shown(label)} in {where} is not the address of a task; a plain gold answer goes "
            f"into a separate column, such as {COLUMNS[0]!r} or {COLUMNS[1]!r}"
        )
    text = str(label).strip()
    address = Address.parse(text)
    if "seed=" not in text:
        raise BadLabel(
            f"{text[:80]!r} has no seed, so all rows with it would be the same task; a label is "
            f"a whole address, such as {str(address)[:120]!r}"
        )
    return address


def item_of(
    label: object, replies: str | Sequence[str], answer_format: AnswerFormat | str | None = None
) -> Item:
    """A reply with the task that its label names, ready for :func:`palaestra.scoring.score_many`.

    Without an answer format, or with ``any``, replies to a task of ours are read in tags, and
    answers to be compared with a gold wherever they are marked. Raises what :func:`task_of` does.
    """
    task = label if isinstance(label, GoldAnswer) else task_of(label)
    if isinstance(task, GoldAnswer):
        return Item(task, replies, gold_answer_format(answer_format))
    return Item(task, replies, task_answer_format(answer_format))


def task_answer_format(answer_format: AnswerFormat | str | None) -> AnswerFormat:
    """How moves in a task of ours are marked: in tags unless an answer format is named.

    Raises ``ValueError`` for an answer format that there is not.
    """
    return answer_format_of(
        "tags" if answer_format is None or answer_format == ANY_MARK.name else answer_format
    )


def label_of(row: Mapping[str, Any]) -> object:
    r"""The label of a row: its ``address``, or else the first of :data:`COLUMNS` that it fills.

    >>> label_of({"prompt": "6 * 7?", "answer": None, "solution": r"It is \boxed{42}."})
    'It is \\boxed{42}.'

    Raises :class:`BadLabel` where it has none, with the names of columns that are near.
    """
    if row.get("address"):
        return address_of(row["address"], "the column 'address'")
    for column in COLUMNS:
        value = row.get(column)
        if value is not None and not (isinstance(value, str) and not value.strip()):
            return value
    raise BadLabel(f"a row has neither an address nor a gold answer: {_hint(row)}")


def labels_of(columns: Mapping[str, Any], number: int) -> list[object]:
    """The labels of a batch of so many rows, as :func:`label_of` finds them.

    ``columns`` may hold settings and functions besides, as the reward functions of trainers do.
    Raises :class:`BadLabel` as :func:`label_of` does.
    """
    columns_by_name = {
        name: values
        for name, values in columns.items()
        if isinstance(values, Sequence) and not isinstance(values, str) and len(values) == number
    }
    return [
        label_of({name: values[n] for name, values in columns_by_name.items()})
        for n in range(number)
    ]


def _hint(row: Mapping[str, Any]) -> str:
    """What is wrong with the columns of a row without a label."""
    blank = [column for column in ("address", *COLUMNS) if column in row]
    if blank:
        return f"the gold answer is empty in {', '.join(map(repr, blank))}"
    for column in row:
        for near in get_close_matches(column.lower(), ("address", *COLUMNS), 1, 0.7):
            return f"there is a column {column!r}; rename it to {near!r}"
    known = ", ".join(map(repr, ("address", *COLUMNS)))
    return f"of its columns ({', '.join(map(str, row))[:200]}) none is called {known}"
