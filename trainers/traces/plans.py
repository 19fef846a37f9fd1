"""Traces of plans: a best-first search over states, from the start to the goal.

A line takes a state, and lists its moves with the numbers of the new states that they lead to.
States whose distance to the goal seems least, the moves so far included, are taken first. States
are shown as compact JSON, sets and mappings as sorted lists; puzzles whose states are something
else have no traces.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from heapq import heappop, heappush
from typing import Any, Protocol, runtime_checkable

from palaestra.generators.states import encoded
from palaestra.trainers.traces.steps import Answer, BadTrace, Unfinished

_DEAD = "nothing new"


@runtime_checkable
class Planning(Protocol):
    """A puzzle of a plan, as its rules are used here."""

    def initial(self) -> Any:
        """The state before the first move."""

    def ways(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """The legal moves from a state, and the state after each."""

    def violation(self, state: Any) -> str:
        """Which condition of the goal a state violates, or "" at the goal."""

    def distance(self, state: Any) -> float:
        """How far from the goal a state seems to be."""

    def as_text(self, moves: Sequence[Any]) -> str:
        """Moves as an answer."""


def search(task: Planning) -> Iterator[str]:
    """Yield the states that are taken, and in the end the plan."""
    start = task.initial()
    plain = _plain(start)
    if plain is None:
        return
    seen, plans = {plain}, [list[Any]()]
    queue = [(task.distance(start), 0, start)]
    yield f"state 0: {encoded(plain)}"
    while queue:
        _, number, state = heappop(queue)
        if not task.violation(state):
            yield f"state {number} is the goal"
            yield Answer(task.as_text(plans[number]))
            return
        new = []
        for words, move, after, plain in _ways(task, state):
            if plain in seen:
                continue
            seen.add(plain)
            own = len(plans)
            plans.append([*plans[number], move])
            heappush(queue, (len(plans[own]) + task.distance(after), own, after))
            new.append(f"{words} -> state {own}: {encoded(plain)}")
        yield f"from state {number}: {'; '.join(new) or _DEAD}"


def _ways(task: Planning, state: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """Each legal move in words and as it is, and the state after it, as it is and plain.

    A move without words, with which nothing happens, is left out.
    """
    for move, after in task.ways(state):
        if words := " ".join(task.as_text([move]).split()):
            yield words, move, after, _plain(after)


def _plain(state: Any) -> Any:
    """A state as nested tuples of numbers and texts, which JSON can show; None if it is none."""
    if isinstance(state, int | str):
        return state
    if isinstance(state, Mapping):
        return _sorted((key, state[key]) for key in state)
    if isinstance(state, Set):
        return _sorted(state)
    if not isinstance(state, tuple | list):
        return None
    parts = tuple(map(_plain, state))
    return None if None in parts else parts


def _sorted(parts: Iterable[Any]) -> Any:
    """Parts in an order that does not depend on where they come from."""
    plain = [*map(_plain, parts)]
    return None if None in plain else tuple(sorted(plain, key=encoded))


def check(task: Planning, lines: Sequence[str]) -> str:
    """Return the plan that a trace leads to.

    All moves from a state that lead to new states have to be listed, with these states.
    """
    start = task.initial()
    states, plans, seen = [start], [list[Any]()], {_plain(start)}
    taken = set[int]()
    for n, line in enumerate(lines):
        if n == 0:
            if line != f"state 0: {encoded(_plain(start))}":
                raise BadTrace(n, line, "the start is another one")
            continue
        goal = re.fullmatch(r"state (\d{1,9}) is the goal", line, re.ASCII)
        if goal and int(goal[1]) < len(states) and n == len(lines) - 1:
            if violation := task.violation(states[int(goal[1])]):
                raise BadTrace(n, line, violation)
            return task.as_text(plans[int(goal[1])])
        head = re.match(r"from state (\d{1,9}): ", line, re.ASCII)
        if head is None or int(head[1]) >= len(states) or int(head[1]) in taken:
            raise BadTrace(n, line, "this takes no state that can be taken")
        number = int(head[1])
        taken.add(number)
        new = []
        for words, move, after, plain in _ways(task, states[number]):
            if plain not in seen:
                seen.add(plain)
                new.append(f"{words} -> state {len(states)}: {encoded(plain)}")
                states.append(after)
                plans.append([*plans[number], move])
        if line[head.end() :] != ("; ".join(new) or _DEAD):
            raise BadTrace(n, line, "the moves to new states are others")
    raise Unfinished
