"""Reading JSON strictly, and comparing what was read.

A document is taken as it stands: nothing in it is repaired or normalised. Its size and depth are
known before it is parsed, so that reading takes linear time and never recurses deeply.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from palaestra.task import InvalidAnswer

DEPTH = 32
"""How deeply lists and objects may be nested."""

DIGITS = 300
"""How many characters a number may have; any such whole number has a float beside it."""

SMALLEST = 1_000
"""The highest negative power of ten that a number may begin at."""

JSON_TAGS = ("json", "json5", "jsonc", "javascript", "js")
"""What a fenced block of JSON may be tagged as."""

_INLINE = re.compile(r"\s*`([^`]*)`\s*")
_MARKS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def fenced(text: str, languages: Collection[str] = JSON_TAGS) -> str:
    r"""Return the content of the one fenced block of an answer, or the answer if it has none.

    A pair of single backticks goes as well.

    Around the block there may be prose, but no brackets: a second document is a hedge.

    >>> fenced("Here it is:\n```json\n[1]\n```").strip(), fenced("[2]")
    ('[1]', '[2]')
    """
    before, fence, rest = text.partition("```")
    if not fence and (code := _INLINE.fullmatch(text)):
        return code[1]
    if not fence or before.strip()[:1] in ("{", "[", '"'):
        return text
    inside, fence, after = rest.rpartition("```")
    if not fence:
        raise InvalidAnswer("a fenced block is not closed")
    if any(sign in before + after for sign in "[]{}"):
        raise InvalidAnswer("there is text outside the fenced block")
    word = re.match(r"\w*+", inside, re.ASCII)
    named = word[0] if word else ""
    return inside[len(named) :] if named.casefold() in languages else inside


def read_json(text: str, exact: bool = False) -> Any:
    """The one JSON document that a text is.

    Where ``exact`` is on, numbers with a point or an exponent come as :func:`exact_number` has
    them, and as floats otherwise.

    Raises :class:`InvalidAnswer` for anything else: two documents, an object with the same key
    twice, ``NaN`` and infinities (also ``1e999``), numbers of more than 300 characters, more than
    32 levels, half a surrogate pair.

    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_exact_decimal if exact else _decimal,
            parse_constant=_constant,
        )
        if "\\u" in text or not text.isascii():
            json.dumps(value, ensure_ascii=False, default=str).encode()
    except json.JSONDecodeError as error:
        what = "more than one document" if error.msg == "Extra data" else error.msg
        raise InvalidAnswer(f"not JSON: {what} (at character {error.pos})") from None
    except UnicodeEncodeError:
        raise InvalidAnswer("not JSON: half a surrogate pair") from None
    return value


def check_depth(text: str, most: int = DEPTH) -> None:
    """Raise :class:`InvalidAnswer` if brackets outside of strings are nested too deeply."""
    depth = 0
    for mark in _MARKS.finditer(text):
        sign = mark[0]
        if sign in "[{":
            depth += 1
            if depth > most:
                raise InvalidAnswer(f"more than {most} levels deep", "limit")
        elif sign in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise InvalidAnswer(f"the key {twice[:40]!r} occurs twice in one object")
    return mapping


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise InvalidAnswer("a number too long", "limit")
    return int(digits)


def _decimal(digits: str) -> float:
    """A float, or the whole number that is written, where a float cannot tell it from others."""
    value = float(digits) if len(digits) <= DIGITS else math.inf
    if not math.isfinite(value):
        raise InvalidAnswer("a number too long or too large", "limit")
    if value.is_integer() and (exact := _exact_decimal(digits)) != exact_number(value):
        if isinstance(exact, int):
            return exact
        raise InvalidAnswer("a number with more digits than a float tells apart", "limit")
    return value


def _exact_decimal(digits: str) -> int | Fraction:
    try:
        if len(digits) > DIGITS or not math.isfinite(float(digits)):
            raise InvalidAnswer("a number too long or too large", "limit")
        decimal = Decimal(digits)
    except InvalidOperation:
        raise InvalidAnswer("a number out of range", "limit") from None
    if decimal and decimal.adjusted() < -SMALLEST:
        raise InvalidAnswer("a number too small", "limit")
    return exact_number(Fraction(decimal) if decimal else 0)


def exact_number(number: float | Fraction) -> int | Fraction:
    """A number so that equal is equal: exact if it is whole, else the decimal of its float.

    >>> exact_number(1e20) == 10**20, exact_number(0.1), exact_number(Fraction(1, 3)) == 1 / 3
    (True, Fraction(1, 10), False)
    """
    fraction = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    if fraction.denominator == 1:
        return fraction.numerator
    near = float(fraction)
    return fraction if near.is_integer() else Fraction(repr(near))


def exact_json(value: Any) -> Any:
    """A JSON value with its numbers as :func:`exact_number` has them."""
    if isinstance(value, dict):
        return {name: exact_json(part) for name, part in value.items()}
    if isinstance(value, list):
        return [exact_json(part) for part in value]
    return exact_number(value) if isinstance(value, float) else value


def _constant(name: str) -> Any:
    raise InvalidAnswer(f"{name} is no JSON")


def check_json(value: Any, depth: int = DEPTH) -> None:
    """Raise ``ValueError`` for what no document can say: other types, giants, too many levels."""
    if isinstance(value, dict | list):
        if not depth:
            raise ValueError(f"it is more than {DEPTH} levels deep")
        if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
            raise ValueError("the keys of an object are texts")
        for part in value.values() if isinstance(value, dict) else value:
            check_json(part, depth - 1)
    elif isinstance(value, int | float):
        if not (math.isfinite(value) if isinstance(value, float) else abs(value) < 10**DIGITS):
            raise ValueError(f"{value!r:.40} is no number of JSON")
    elif value is not None and not isinstance(value, str):
        raise ValueError(f"{type(value).__name__} is no type of JSON")


def same_scalar(one: Any, other: Any) -> bool:
    """Whether two scalars are the same: 1 and 1.0 are, ``True`` and 1 or "1" and 1 are not.

    >>> same_scalar(1, 1.0), same_scalar(True, 1), same_scalar("1", 1)
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


Same = Callable[[Any, Any], bool]


def difference(gold: Any, value: Any, same: Same = same_scalar, path: str = "$") -> str:
    """Return the path of the first difference of two values; an empty text if they are equal.

    >>> difference({"a": [1, 2]}, {"a": [1.0, 3]}), difference([True], [True])
    ('$.a[1]', '')
    """
    if isinstance(gold, dict) and isinstance(value, dict):
        if gold.keys() != value.keys():
            return path
        parts = ((gold[key], value[key], f"{path}.{key}") for key in gold)
    elif isinstance(gold, list) and isinstance(value, list):
        if len(gold) != len(value):
            return path
        parts = ((one, two, f"{path}[{n}]") for n, (one, two) in enumerate(zip(gold, value)))
    else:
        return "" if same(gold, value) else path
    return next(filter(None, (difference(one, two, same, where) for one, two, where in parts)), "")


def same_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, to any depth; see :func:`same_scalar`."""
    return not difference(one, other)


def json_key(value: Any, ordered: bool = True) -> Hashable:
    """A key that is equal for the same values, or for those that differ in the order of lists.

    >>> json_key([1, [2, 3]], ordered=False) == json_key([[3.0, 2], 1], ordered=False)
    True
    """
    if isinstance(value, dict):
        return "object", frozenset((name, json_key(part, ordered)) for name, part in value.items())
    if isinstance(value, list):
        keys = tuple(json_key(part, ordered) for part in value)
        return "list", keys if ordered else frozenset(Counter(keys).items())
    return ("bool", value) if isinstance(value, bool) else value


def pairing(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a maximum matching, where ``fits[i]`` are the possible partners of ``i``.

    The augmenting paths of H. W. Kuhn (1955), in ``O(sides * fits)``. Greedy choices would
    miss some.

    >>> pairing([[0, 1], [0]])
    {0: 1, 1: 0}
    """
    taken: dict[int, int] = {}

    def match(one: int, seen: set[int]) -> bool:
        for other in fits[one]:
            if other not in seen:
                seen.add(other)
                if other not in taken or match(taken[other], seen):
                    taken[other] = one
                    return True
        return False

    for one in range(len(fits)):
        match(one, set())
    return dict(sorted((one, other) for other, one in taken.items()))
