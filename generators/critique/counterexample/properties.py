"""Properties of objects, each with the clauses that state it and its negation."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Property(NamedTuple, Generic[T]):
    """A property that an object has or not."""

    positive: str
    """A clause with a verb in the singular, such as "is even"."""

    negative: str
    holds: Callable[[T], bool]
