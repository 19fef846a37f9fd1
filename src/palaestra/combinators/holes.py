"""Numbers in a task that are unknown at first: holes, which answers to other tasks fill."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict

from palaestra.combination import Unsuitable
from palaestra.combinators.batch import judged
from palaestra.task import Puzzle, Task

VALUES = 11
"""How many numbers may be in a hole. As it is a prime, all digits of an answer count."""

SAMPLE = 16
"""How many further tasks show which values a number may have."""

CANDIDATES = 6
"""How many numbers of a task are tried for a hole."""

_INTEGER = re.compile(r"\d{1,6}", re.ASCII)

_SIGNED = re.compile(r"-?\d+", re.ASCII)

_SYMBOLS = ("X", "Y", "Z", "U", "V", "W", "Q", "XX", "YY", "ZZ")

_UNSOLVABLE = (
    ArithmeticError,
    AssertionError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What ``answer`` of a task may raise that has no solution. Only tasks with other numbers than the
environment drew are solved here, and those are left out.
"""

Path = tuple[str | int, ...]


class Hole(BaseModel):
    """A number of a task for which its prompt has a symbol."""

    model_config = ConfigDict(frozen=True)

    number: int
    symbol: str
    values: tuple[int, ...]
    """The numbers that it may be. Each makes another task, with an answer that is wrong for all
    others.
    """

    def punched(self, prompt: str) -> str:
        """The prompt with the symbol in place of the number."""
        return _token(self.number).sub(self.symbol, prompt)


def hole(
    task: Puzzle,
    rng: Random,
    another: Callable[[], Task],
    suits: Callable[[Puzzle], bool] | None = None,
    wanted: Callable[[Puzzle], bool] | None = None,
) -> tuple[Puzzle, Hole]:
    """A number in the text of a task that can be each of a number of values, and the task with one
    of them.

    A field of the task, or a number within one that is a text, is a candidate if it occurs in the
    prompt exactly once, and if the prompt of the task with another value there differs in this
    number only. The values are in the range of those that such fields have in further tasks, which
    ``another`` draws, and each makes a task that ``suits``. The number of the task that is returned
    is a random one of them, so that nothing tells it from the others; only a task for training gets
    none that makes a held-out one. If ``wanted`` is given, it is one that this holds for. Raises
    :class:`Unsuitable` where the task has no such number.
    """
    prompt = task.prompt()
    symbol = next((each for each in _SYMBOLS if not re.search(rf"\b{each}\b", prompt)), None)
    dump = _dumped(task)
    paths = [path for path in _numbers(dump) if _occurs_once(_at(dump, path), prompt)]
    rng.shuffle(paths)
    if symbol and paths:
        ranges = _ranges([dump, *(_dumped(another()) for _ in range(SAMPLE))])
        for path in paths[:CANDIDATES]:
            tasks = _variants(task, path, ranges[_form(path)], rng, suits)
            numbers = [
                n
                for n, each in tasks.items()
                if (task.held_out() or not each.held_out()) and (wanted is None or wanted(each))
            ]
            if len(tasks) == VALUES and numbers:
                chosen = rng.choice(numbers)
                return tasks[chosen], Hole(number=chosen, symbol=symbol, values=tuple(tasks))
    raise Unsuitable(f"no number in its text can be each of {VALUES} values")


def _ranges(dumps: list[Any]) -> dict[Path, range]:
    """The range of the numbers at the paths of each form."""
    numbers: dict[Path, list[int]] = defaultdict(list)
    for dump in dumps:
        for path in _numbers(dump):
            numbers[_form(path)].append(_at(dump, path))
    return {form: range(min(some), max(some) + 1) for form, some in numbers.items()}


def _variants(
    task: Puzzle, path: Path, limits: range, rng: Random, suits: Callable[[Puzzle], bool] | None
) -> dict[int, Puzzle]:
    """The task and others by their numbers at a path, as far as there are enough that suit.

    Their answers have one shape, such as an integer, so that none stands out.
    """
    dump, prompt = _dumped(task), task.prompt()
    number, shape = _at(dump, path), _shape(task.answer())
    tasks = {number: task}
    for value in rng.sample(limits, min(len(limits), 3 * VALUES)):
        if value == number or len(tasks) == VALUES:
            continue
        variant = _variant(task, _with(dump, path, value))
        if variant is None or not _differs(variant, list(tasks.values())):
            continue
        if variant.prompt() != _token(number).sub(str(value), prompt):
            break
        if (
            _shape(variant.answer()) == shape
            and _occurs_once(value, variant.prompt())
            and (suits is None or suits(variant))
        ):
            tasks[value] = variant
    return tasks


def _shape(answer: str) -> str:
    """An answer with 0 in place of each integer."""
    return _SIGNED.sub("0", answer)


def _variant(task: Puzzle, dump: Any) -> Puzzle | None:
    try:
        return type(task).model_validate_json(json.dumps(dump))
    except ValueError:
        return None


def _differs(variant: Puzzle, others: list[Puzzle]) -> bool:
    """Whether a task is solved, and its answer is wrong for the others and theirs for it."""
    try:
        variant.prompt()
        answer = variant.answer()
        if not variant.is_valid() or not judged(variant, answer).correct:
            return False
        return not any(
            judged(each, answer).correct or judged(variant, each.answer()).correct
            for each in others
        )
    except _UNSOLVABLE:
        return False


def _token(number: int) -> re.Pattern[str]:
    """A number that stands for itself, not for a part of another one."""
    return re.compile(rf"(?<![\w.,:/-]){number}(?!\w|[.,:/-]\d)", re.ASCII)


def _occurs_once(number: int, text: str) -> bool:
    return len(_token(number).findall(text)) == 1


def _dumped(task: Task) -> Any:
    """The fields of a task as JSON has them."""
    return json.loads(task.model_dump_json())


def _form(path: Path) -> Path:
    """A path without positions in lists and texts."""
    return tuple(key for key in path if isinstance(key, str))


def _numbers(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to positive integers in the fields of a task. The last entry of a path into a text
    is the position there.
    """
    if isinstance(value, dict):
        for name, each in value.items():
            if path or name != "wording":
                yield from _numbers(each, (*path, name))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from _numbers(each, (*path, n))
    elif isinstance(value, str):
        for match in _INTEGER.finditer(value):
            yield (*path, match.start())
    elif isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1_000_000:
        yield path


def _at(dump: Any, path: Path) -> int:
    """The number at a path."""
    value = dump
    for key in path:
        value = _span(value, key)[0] if isinstance(value, str) else value[key]
    return int(value)


def _with(dump: Any, path: Path, number: int) -> Any:
    """The fields with another number at a path."""
    if not path:
        return number
    key = path[0]
    if isinstance(dump, str):
        old = _span(dump, key)
        return f"{dump[: old.start()]}{number}{dump[old.end() :]}"
    copy: Any = dict(dump) if isinstance(dump, dict) else list(dump)
    copy[key] = _with(dump[key], path[1:], number)
    return copy


def _span(text: str, start: str | int) -> re.Match[str]:
    """The number that begins at a position of a text."""
    number = _INTEGER.match(text, int(start))
    assert number is not None
    return number
