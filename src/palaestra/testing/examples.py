"""The check that a prompt shows an example of an answer, which is well-formed and not the answer.

An example stands in quotation marks or backticks behind "such as", "for example" or "looks like",
or on the lines behind one that ends with one of these and a colon. It is an example of a whole
answer, or of one of its lines.
"""

import re
from collections.abc import Iterator, Sequence

from palaestra.combination import Combination
from palaestra.episode import BARE, Episode, read
from palaestra.registry import load
from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.testing.players import FLOOR, judged, levels, played, slack, task

TASKS = 12
"""How many tasks of a level are looked at. Their prompts have different wordings."""

GIBBERISH = "\u00acq\u00ac"
"""A reply that no reader takes for a move."""

_INTRODUCTION = r"(?:such as|for example|for instance|looks? like|in the form of|example|e\.g\.)"
_INLINE = re.compile(
    rf"\b{_INTRODUCTION}(?: this)?[,:]?[^\n'\"`]{{0,60}}"
    r"(?:'([^\n]{1,400}?)'(?!\w)|\"([^\n\"]{1,400})\"|`([^\n`]{1,400})`)",
    re.IGNORECASE,
)
_BLOCK = re.compile(
    rf"\b{_INTRODUCTION}(?: this)?:\s*\n(?:```\w*\n)?((?:(?!```)[^\n]+\n?)+)", re.IGNORECASE
)


def check_example(name: str) -> None:
    """Every prompt shows an example of an answer, which reads and is right no more often than a
    random guess.

    An example of one line is put in place of one line of a right answer and has to read there.
    Programs and texts have none: their prompts state what has to be in them. Combinations have that
    of their base environment.
    """
    task_type = load(name)
    if issubclass(task_type, Combination):
        return
    if task_type.verbatim or getattr(task_type, "answer_type", "").startswith("code"):
        return
    for level in levels(name):
        number = 5 if task_type.expensive else TASKS
        instances = [task(name, seed, level) for seed in range(number)]
        shown = [_shown(each) for each in instances]
        for each, example in zip(instances, shown):
            assert example, f"level {level}: no example of an answer in {_opening(each)[-400:]!r}"
        bound = max(FLOOR, sum(each.random_baseline() for each in instances) / number)
        earned = sum(map(_is_right, instances, shown)) / number
        assert earned <= bound + slack(bound, number), f"level {level}: the example is the answer"


def examples(prompt: str) -> Iterator[str]:
    r"""The examples in a prompt.

    >>> list(examples("Write the word, such as 'abc'."))
    ['abc']
    >>> list(examples("Write a line for each, such as:\na: 1"))
    ['a: 1']
    """
    for match in _BLOCK.finditer(prompt):
        yield match[1].strip()
    for match in _INLINE.finditer(prompt):
        yield next(filter(None, match.groups()))


def _opening(instance: Task) -> str:
    return Episode(instance, BARE).observations[0][1].rpartition("\n\n")[0]


def _shown(instance: Task) -> str:
    """The first example of the opening that reads; an empty text without one."""
    reads = _answer_reads if isinstance(instance, Puzzle) else _move_reads
    for example in examples(_opening(instance)):
        if reads(instance, example):
            return example
    return ""


def _move_reads(instance: Task, move: str) -> bool:
    """Whether a move has the shape of a legal one, or another effect than gibberish has."""
    legal = Episode(instance, BARE).turn.legal_moves or ()
    shapes = {_shape(each) for each in legal}
    return _shape(move) in shapes or _effect(instance, move) != _effect(instance, GIBBERISH)


def _shape(move: str) -> str:
    """A move with a sign for each number and each word.

    >>> _shape("r10c2"), _shape("move up")
    ('a0a0', 'a a')
    """
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", move.casefold()))


def _effect(instance: Task, move: str) -> tuple[str, object]:
    episode = played(instance, [move])
    return episode.observation, episode.score


def _answer_reads(instance: Task, example: str) -> bool:
    """Whether a puzzle can read an example as an answer, or in place of a line of an answer."""
    assert isinstance(instance, Puzzle)
    if _reads(instance, example):
        return True
    right = instance.answer().split("\n")
    return len(right) > 1 and all(
        any(_reads(instance, each) for each in _replaced(right, line))
        for line in example.split("\n")
    )


def _replaced(lines: Sequence[str], line: str) -> Iterator[str]:
    """Several lines with another in place of each of them."""
    for n in range(len(lines)):
        yield "\n".join([*lines[:n], line, *lines[n + 1 :]])


def _reads(instance: Puzzle, answer: str) -> bool:
    try:
        instance.verify(read(instance, BARE, answer))
    except InvalidAnswer:
        return False
    return True


def _is_right(instance: Task, example: str) -> bool:
    return isinstance(instance, Puzzle) and judged(instance, example).value == 1
