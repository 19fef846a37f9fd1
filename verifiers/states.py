"""Judging what became of a world: what was to change has changed, and nothing else.

A world is nested mappings and lists of JSON values. Places in it are named by JSON Pointers
(RFC 6901), such as ``/orders/7/status``.

>>> before = {"orders": {"7": {"status": "packed"}, "8": {"status": "packed"}}, "log": []}
>>> after = {"orders": {"7": {"status": "sent"}, "8": {"status": "packed"}}, "log": ["sent 7"]}
>>> sorted(state_difference(before, after))
['/log/0', '/orders/7/status']
>>> compare(before, after, goal={"/orders/7/status": "sent"}, allowed=["/log"]).correct
True
>>> compare(before, after, goal={"/orders/7/status": "sent"}).reason
'/log/0 has changed, which it should not'

Comparing the state in the end, not the steps, is how S. Yao and others judge in "tau-bench" (2024).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from palaestra.task import JudgeError, Score
from palaestra.verifiers.json.reading import fenced, read_json, same_json
from palaestra.verifiers.verifier import GoldError, Verifier

PLACES = 1_000_000
"""How many places a state may have."""


class Missing(Enum):
    """The value of a path that does not exist."""

    MISSING = "missing"


MISSING = Missing.MISSING


class Change(NamedTuple):
    """The old and the new value of a path; lists and objects are represented by empty ones."""

    before: Any
    after: Any


Goal = Mapping[str, Any]
"""By pointer, the value that is to be there, :data:`MISSING`, or a predicate on it."""

Policy = Callable[[Any, Any], str]
"""Says of the state before and after what was done that may not be done; an empty text if nothing.
"""


def pointer(*keys: str | int) -> str:
    """The JSON Pointer to a place.

    >>> pointer("orders", 7, "a/b")
    '/orders/7/a~1b'
    """
    return "".join("/" + _escaped(key) for key in keys)


def _escaped(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def state_difference(before: Any, after: Any) -> dict[str, Change]:
    """What has changed from one state to another, by pointer, value by value.

    Lists are compared place by place, so that an element put in front changes all that follow:
    worlds had better keep things by their names.

    >>> state_difference({"a": [1, 2]}, {"a": [1], "b": {}})
    {'/a/1': Change(before=2, after=<Missing.MISSING: 'missing'>), \
'/b': Change(before=<Missing.MISSING: 'missing'>, after={})}
    """
    old, new = _places(before), _places(after)
    return {
        path: Change(old.get(path, MISSING), new.get(path, MISSING))
        for path in old | new
        if path not in old or path not in new or not same_json(old[path], new[path])
    }


def _places(state: Any) -> dict[str, Any]:
    """All places of a state with their values; lists and objects stand as empty ones."""
    leaves: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = [("", state)]
    while waiting:
        path, value = waiting.pop()
        if path in leaves or len(leaves) == PLACES:
            raise JudgeError("the state has too many places, or one twice")
        parts = _parts(value)
        leaves[path] = value if parts is None else {} if isinstance(value, Mapping) else []
        waiting += [(f"{path}/{_escaped(key)}", part) for key, part in reversed(parts or [])]
    return leaves


def _parts(value: Any) -> list[tuple[str | int, Any]] | None:
    """The keys and parts of a value, if it has any; numbers as keys stand for their digits."""
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list | tuple) else None


def value_at(state: Any, path: str) -> Any:
    """Return the value at a path of a state, or :data:`MISSING`.

    >>> value_at({"a": [{"b": 1}]}, "/a/0/b"), value_at([], "/0")
    (1, <Missing.MISSING: 'missing'>)
    """
    for step in path.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        matching = [part for key, part in _parts(state) or () if str(key) == name]
        state = matching[-1] if matching and _escaped(name) == step else MISSING
    return state


def compare(
    before: Any, after: Any, goal: Goal, allowed: Collection[str] = (), **options: Any
) -> Score:
    """How well a state was brought about; the options are those of :class:`StateChange`.

    For worlds that are played in, whose states never were a model's text.
    """
    return StateChange(before, goal, allowed, **options).judge(after)


@dataclass(frozen=True, slots=True)
class StateChange(Verifier):
    """A state in which the goal is reached, and which is otherwise as before: 1 or 0.

    As a verifier it reads the state afterwards as JSON; :meth:`judge` takes it as it is.

    - ``goal``: by pointer, the value to be there, :data:`MISSING`, or a predicate on the value,
      which is not met where nothing stands. What is below the place belongs to it.
    - ``allowed``: places that may change, with all that is below them; ``*`` is any one key. Any
      other change, also a removal, is collateral damage, and the value is 0.
    - ``forbidden``: places that may not change even if a goal or ``allowed`` covers them.
    - ``policies``: functions of the state before and after that tell what was breached; any
      breach makes the value 0.
    - ``partial``: the value is the share of the goals made, of those that did not hold from the
      start; ``parts["progress"]`` is it in any case, and 0 after damage.

    Doing nothing is worth 0: raises :class:`GoldError` where all of the goal holds before, where
    a pointer is none, or where a goal is forbidden. To be pickled, predicates and policies must
    be functions of a module.
    """

    before: Any
    goal: Goal
    allowed: Collection[str] = ()
    forbidden: Collection[str] = ()
    policies: Sequence[Policy] = ()
    partial: bool = False

    def __post_init__(self) -> None:
        for path in (*self.goal, *self.allowed, *self.forbidden):
            if path and not path.startswith("/"):
                raise GoldError(f"{path[:80]!r} is no JSON Pointer")
        if isinstance(self.allowed, str) or isinstance(self.forbidden, str):
            raise GoldError("allowed and forbidden paths are collections of strings, not a string")
        try:
            _places(self.before)
        except JudgeError as error:
            raise GoldError(error.reason) from None
        if not self._pending():
            raise GoldError("the initial state already satisfies the goal")
        if any(_covers(barred, path) for barred in self.forbidden for path in self.goal):
            raise GoldError("a goal is forbidden")

    def verify(self, answer: str) -> Score:
        return self.judge(read_json(fenced(answer)))

    def judge(self, after: Any) -> Score:
        """The score of a state."""
        pending = self._pending()
        unmet = [path for path in self.goal if not self._met(path, after)]
        progress = 1 - len(pending.intersection(unmet)) / len(pending)
        changes = state_difference(self.before, after)
        damage = self._damage(changes, after)
        if not (damage or unmet):
            return Score(1.0, "", {"progress": 1})
        honest = not damage and pending.issuperset(unmet)
        reason = damage or "not all that was to be done is done"
        for path in () if damage else unmet:
            if any(_covers(path, each) for each in changes):
                reason = f"{path[:100] or 'the state'} is not as it was to be"
        parts = {"progress": progress if honest else 0.0}
        return Score(parts["progress"] if self.partial else 0.0, reason, parts)

    def _damage(self, changes: Mapping[str, Change], after: Any) -> str:
        """What was done that may not be done, or that nothing was done."""
        if not changes:
            return "nothing was done"
        for path, change in changes.items():
            if not self._may(path, change):
                return f"{path[:100] or 'the state'} has changed, which it should not"
        breaches = (_breach(policy, self.before, after) for policy in self.policies)
        return next(filter(None, breaches), "")

    def _pending(self) -> set[str]:
        """The goals that do not hold from the start."""
        return {path for path in self.goal if not self._met(path, self.before)}

    def _met(self, path: str, state: Any) -> bool:
        due, value = self.goal[path], value_at(state, path)
        if due is MISSING or value is MISSING:
            return due is value
        if not callable(due):
            return not state_difference(due, value)
        try:
            return bool(due(value))
        except _SHAPE_ERRORS:
            return False

    def _may(self, path: str, change: Change) -> bool:
        """Whether a place may change as it did."""
        if any(_covers(barred, path) for barred in self.forbidden):
            return False
        free = (*self.goal, *self.allowed)
        if any(_covers(each, path) for each in free):
            return True
        # What has to be there before a free place can be: an empty object or list.
        return (
            change.before in (MISSING, None)
            and change.after in ({}, [])
            and any(_covers(path, each) for each in free)
        )


_SHAPE_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What functions raise on a state which is not in the shape that they were written for."""


def _breach(policy: Policy, before: Any, after: Any) -> str:
    """What a policy has against a state."""
    try:
        return policy(before, after)
    except _SHAPE_ERRORS:
        return "the state is not in the shape that the policy is about"


def _covers(pattern: str, path: str) -> bool:
    """Whether a place is one that a pattern names, or below it.

    >>> _covers("/log", "/log/3"), _covers("/*/status", "/7/status"), _covers("/log", "/logs")
    (True, True, False)
    """
    if "*" not in pattern:
        return path == pattern or path.startswith(pattern + "/")
    steps, names = pattern.split("/"), path.split("/")
    return len(steps) <= len(names) and all(s in ("*", t) for s, t in zip(steps, names))
