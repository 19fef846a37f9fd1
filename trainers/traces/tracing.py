"""Which tasks have traces, and how these are written and checked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from palaestra.envs.arithmetic.countdown import Countdown
from palaestra.envs.graphs.shortest_path import ShortestPath
from palaestra.envs.grids.sudoku import Sudoku
from palaestra.task import Puzzle, Task
from palaestra.trainers.traces import countdown, plans, shortest_path, sudoku
from palaestra.trainers.traces.steps import Answer, BadTrace

LONGEST = 40_000
"""The most characters of a trace, unless another number is asked for."""


class Trace(NamedTuple):
    """A search in lines, and the answer that it leads to."""

    lines: tuple[str, ...]
    answer: str

    @property
    def text(self) -> str:
        """The lines, without the answer."""
        return "\n".join(self.lines)


class _Tracer(NamedTuple):
    """How tasks of a class are traced."""

    search: Callable[[Any], Iterator[str]]
    """Yields the lines of the search, and an :class:`Answer` in the end if there is one."""

    check: Callable[[Any, Sequence[str]], str]
    """Returns the answer of a trace. Raises :class:`BadTrace` for a line that is wrong."""


_TRACERS: tuple[tuple[type, _Tracer], ...] = (
    (Countdown, _Tracer(countdown.search, countdown.check)),
    (Sudoku, _Tracer(sudoku.search, sudoku.check)),
    (ShortestPath, _Tracer(shortest_path.search, shortest_path.check)),
    (plans.Planning, _Tracer(plans.search, plans.check)),
)


def _tracer(task_type: type[Task]) -> _Tracer | None:
    return next((each for base, each in _TRACERS if issubclass(task_type, base)), None)


def has_traces(task_type: type[Task]) -> bool:
    """Return whether tasks of a class have traces; single ones may be too long."""
    return _tracer(task_type) is not None


def require(task_types: Iterable[type[Task]]) -> None:
    """Raise ``ValueError`` if none of some environments has traces."""
    if not any(map(has_traces, task_types)):
        raise ValueError(
            "traces are of arithmetic/countdown, grids/sudoku, graphs/shortest_path and puzzles of "
            "plans, most of which are in planning/"
        )


def trace_of(task: Task, longest: int = LONGEST) -> Trace | None:
    """Return the trace of a task, or None if it has none with at most ``longest`` characters.

    Its answer scores 1. The search stops as soon as its lines are too long.
    """
    tracer = _tracer(type(task))
    if tracer is None or not isinstance(task, Puzzle):
        return None
    lines, size = list[str](), 0
    for line in tracer.search(task):
        lines.append(line)
        size += len(line) + 1
        if size > longest:
            return None
    if not lines or not isinstance(lines[-1], Answer):
        return None
    answer = str(lines.pop())
    if task.verify(answer).value != 1:  # a plan of more moves than are allowed
        return None
    return Trace(tuple(lines), answer)


def violation_of(task: Task, trace: Trace) -> str:
    """Return what is wrong with a trace of a task, or "" for one in which every line is right and
    that leads to its answer.

    >>> from palaestra import Address
    >>> task = Address.of("arithmetic/countdown").task()
    >>> trace = trace_of(task)
    >>> violation_of(task, trace)
    ''
    >>> violation_of(task, Trace(trace.lines[:-1], trace.answer))
    'the trace ends without a solution'
    """
    tracer = _tracer(type(task))
    if tracer is None or not isinstance(task, Puzzle):
        return "tasks of this environment have no traces"
    try:
        answer = tracer.check(task, trace.lines)
    except BadTrace as error:
        return str(error)
    return "" if answer == trace.answer else "the answer is not that of the trace"
