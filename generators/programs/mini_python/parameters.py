"""Parameters of programs: types and bounds of arguments, sampling, parsing and validation."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.programs.mini_python.parse import display
from palaestra.generators.programs.mini_python.syntax import (
    Call,
    Const,
    DictOf,
    Expr,
    Keyword,
    ListOf,
    TupleOf,
    Unary,
)
from palaestra.task import InvalidAnswer

Kind = Literal["number", "numbers", "word", "words"]

WIDEST = 2_000
"""The maximum number of characters of a value."""

SHORT, LONG = 2, 4
"""The minimum and maximum number of letters of the words of a list."""


class Parameter(NamedTuple):
    """A parameter of a function, with its type and bounds."""

    name: str
    type_name: Kind
    low: int = 0
    """The least and the greatest number, or number in a list."""
    high: int = 0
    fewest: int = 0
    """The least and the greatest number of items of a list, or of letters of a word."""
    most: int = 0
    letters: str = ""
    """The alphabet of words."""

    def as_text(self) -> str:
        """The bounds in words.

        >>> Parameter("n", "number", 1, 9).as_text()
        'n: a whole number from 1 to 9'
        """
        range_ = f"from {self.low} to {self.high}"
        letters = f"the letters {', '.join(self.letters)}"
        size = f"{self.fewest} to {self.most}"
        kinds = {
            "number": f"a whole number {range_}",
            "numbers": f"a list of {size} whole numbers, each {range_}",
            "word": f"a string of {size} letters, made of {letters} only",
            "words": f"a list of {size} strings, each of {SHORT} to {LONG} letters, made of "
            f"{letters} only",
        }
        return f"{self.name}: {kinds[self.type_name]}"

    def sample(self, rng: Random) -> Any:
        """A value within the bounds."""
        if self.type_name == "number":
            return rng.randint(self.low, self.high)
        size = rng.randint(self.fewest, self.most)
        if self.type_name == "numbers":
            # Now and then all numbers come from a narrow range, so that some are equal.
            low = rng.randint(self.low, self.high - 3) if rng.random() < 0.25 else self.low
            high = min(self.high, low + 3) if low > self.low else self.high
            return [rng.randint(low, high) for _ in range(size)]
        if self.type_name == "word":
            return self._word(rng, size)
        return [self._word(rng, rng.randint(SHORT, LONG)) for _ in range(size)]

    def _word(self, rng: Random, size: int) -> str:
        letters = self.letters if rng.random() < 0.75 else rng.sample(self.letters, 2)
        return "".join(rng.choices(letters, k=size))

    def plain(self) -> Iterator[Any]:
        """Obvious values: the ends of the bounds, equal items, consecutive items.

        >>> list(Parameter("xs", "numbers", 0, 9, 2, 3).plain())[:3]
        [[0, 0], [9, 9], [0, 0, 0]]
        """
        if self.type_name == "number":
            yield from (self.low, self.high, (self.low + self.high) // 2, self.low + 1)
            return
        for size in (self.fewest, self.most):
            if self.type_name == "numbers":
                yield from ([value] * size for value in (self.low, self.high))
            elif self.type_name == "word":
                yield from (letter * size for letter in (self.letters[0], self.letters[-1]))
            else:
                yield from ([letter * SHORT] * size for letter in self.letters[:2])
        yield from (self._row(size) for size in (self.fewest, self.most))
        yield from (self._row(size)[::-1] for size in (self.fewest, self.most))

    def _row(self, size: int) -> Any:
        """Values one after another, from the first there is."""
        if self.type_name == "numbers":
            start = max(self.low, min(1, self.high))
            return [start + n % (self.high - start + 1) for n in range(size)]
        letters = (self.letters * size)[: max(size, LONG + SHORT)]
        if self.type_name == "word":
            return letters[:size]
        return [(self.letters * 2 * size)[n : n + SHORT] for n in range(size)]

    def refused(self, value: Any) -> str:
        """Return why a value is out of bounds, or an empty string.

        >>> Parameter("n", "number", 1, 9).refused(0)
        'n is not a whole number from 1 to 9'
        """
        return (
            "" if self._allows(value) else f"{self.name} is not {self.as_text().partition(': ')[2]}"
        )

    def _allows(self, value: Any) -> bool:
        if self.type_name == "number":
            return type(value) is int and self.low <= value <= self.high
        if self.type_name == "word":
            return self._spelt(value, self.fewest, self.most)
        if type(value) is not list or not self.fewest <= len(value) <= self.most:
            return False
        if self.type_name == "numbers":
            return all(type(each) is int and self.low <= each <= self.high for each in value)
        return all(self._spelt(each, SHORT, LONG) for each in value)

    def _spelt(self, value: Any, fewest: int, most: int) -> bool:
        return type(value) is str and fewest <= len(value) <= most and set(value) <= {*self.letters}


Signature = tuple[Parameter, ...]


def call_of(name: str, values: Sequence[Any]) -> str:
    """A call of a function with these values.

    >>> call_of("mix", [[1, 2], "ab"])
    "mix([1, 2], 'ab')"
    """
    return f"{name}({', '.join(map(repr, values))})"


def random_call(rng: Random, name: str, signature: Signature) -> str:
    """A call with a random value for each parameter."""
    return call_of(name, [parameter.sample(rng) for parameter in signature])


def plain_values(signature: Signature, most: int = 16) -> list[list[Any]]:
    """Obvious arguments: bounds, equal values, sequences.

    >>> plain_values((Parameter("n", "number", 1, 9),))
    [[1], [9], [5], [2]]
    """
    rows = [list(parameter.plain()) for parameter in signature]
    choices = [
        [row[(n + shift * index) % len(row)] for index, row in enumerate(rows)]
        for shift in range(len(rows))
        for n in range(max(map(len, rows)))
    ]
    return choices[:most]


def plain_calls(name: str, signature: Signature, most: int = 16) -> list[str]:
    """The calls with obvious arguments."""
    return [call_of(name, values) for values in plain_values(signature, most)]


def literal(text: str) -> Any:
    """Parse a literal: a number, a string, a Boolean, ``None``, or a collection of these.

    Raises :class:`InvalidAnswer` for anything else.

    >>> literal("[1, ('a', -2)]")
    [1, ('a', -2)]
    """
    return _value(display(text.strip(), WIDEST))


def _value(node: Expr | Keyword) -> Any:
    match node:
        case Const(value):
            return value
        case Unary("-", Const(int(value))) if not isinstance(value, bool):
            return -value
        case ListOf(items):
            return [_value(item) for item in items]
        case TupleOf(items):
            return tuple(_value(item) for item in items)
        case DictOf(keys, values):
            try:
                return {_value(key): _value(value) for key, value in zip(keys, values)}
            except TypeError:
                raise InvalidAnswer("a key that is no key") from None
        case _:
            raise InvalidAnswer("not a value written out")


def arguments(text: str, name: str, signature: Signature) -> list[Any]:
    """The values in a call.

    Raises :class:`InvalidAnswer` if the text is not a call of the function with values in bounds.

    >>> arguments("f(3)", "f", (Parameter("n", "number", 1, 9),))
    [3]
    """
    called = display(text.strip(), WIDEST)
    if not isinstance(called, Call) or called.function != name:
        raise InvalidAnswer(f"not a call of {name}()")
    values = [_value(each) for each in called.arguments]
    if len(values) != len(signature):
        raise InvalidAnswer(f"{name}() takes {len(signature)} arguments")
    for parameter, value in zip(signature, values):
        if violation := parameter.refused(value):
            raise InvalidAnswer(violation)
    return values
