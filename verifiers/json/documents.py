"""Answers that are one JSON document: valid by a schema or a model, or equal to a gold value.

A document stands alone or in one fenced block. It is read strictly, see
:mod:`palaestra.verifiers.json.reading`, before anything looks at it.

>>> schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
>>> JsonSchema(schema)('{"age": 7}').correct, JsonSchema(schema)('{"age": "7"}').reason
(True, "$.age breaks 'type'")
>>> JsonEqual({"tags": ["a", "b"]}, ignore_order=True)('{"tags": ["b", "a"]}').correct
True
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ValidationError

from palaestra.task import Score
from palaestra.verifiers.json.reading import (
    check_json,
    difference,
    exact_json,
    exact_number,
    fenced,
    json_key,
    pairing,
    read_json,
    same_scalar,
)
from palaestra.verifiers.json.schemas import check_schema, schema_violation
from palaestra.verifiers.verifier import GoldError, Verifier

LOOSE = 200
"""How many values an unordered gold may have that is compared with a tolerance."""


@dataclass(frozen=True, slots=True)
class JsonSchema(Verifier):
    """The answer is a JSON document that is valid by a JSON Schema of draft 2020-12: 1 or 0.

    The schema refers to nothing but itself (``#…``) and nothing is ever fetched; ``$id`` stands at
    its top only. Patterns are matched by RE2. ``format`` is not checked, as is the standard's
    default. Raises :class:`GoldError` for a schema that is not valid, accepts everything, refers
    in circles, or has a pattern that RE2 does not read or that stands beside
    ``unevaluatedProperties``.

    The reason names the place and the keyword, never a value. A schema that requires nothing
    is satisfied by ``{}``: say what is required.
    """

    schema: Mapping[str, Any]

    def __post_init__(self) -> None:
        check_schema(self.schema)

    def verify(self, answer: str) -> Score:
        problem = schema_violation(self.schema, read_json(fenced(answer)))
        return Score(not problem, problem)


@dataclass(frozen=True, slots=True)
class JsonModel(Verifier):
    """The answer is a JSON document from which a pydantic model can be built: 1 or 0.

    Values of other types are converted as pydantic does, "7" to 7 for example, unless ``strict``.
    The model is a class that can be imported, so that the verifier can be pickled.
    """

    model: type[BaseModel]
    strict: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.model, type) and issubclass(self.model, BaseModel)):
            raise GoldError("a model is a subclass of pydantic's BaseModel")

    def verify(self, answer: str) -> Score:
        document = fenced(answer)
        read_json(document)
        try:
            built = self.model.model_validate_json(document, strict=self.strict)
        except ValidationError as invalid:
            error = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
            where = "".join(f".{part}" for part in error["loc"])[:100]
            return Score(0.0, f"${where} breaks {error['type']!r}")
        # Where "nan" is converted, it would pass for a number.
        return (
            Score(1.0) if _is_finite(built.model_dump()) else Score(0.0, "a number is not finite")
        )


@dataclass(frozen=True, slots=True)
class JsonEqual(Verifier):
    """The answer is a JSON document equal to a gold value, to any depth: 1 or 0.

    1 equals 1.0, but neither ``true`` nor "1". Whole numbers are compared exactly, whatever their
    size and form, others as floats. Objects have no order; lists have one unless
    ``ignore_order``, and then still count duplicates. A number may differ from the gold's by
    ``tolerance``, or by the share ``relative`` of the gold's, whichever is more. Raises
    :class:`GoldError` for a gold that is no JSON value, a tolerance below 0 or a gold of more
    than 200 values that is compared with a tolerance and without order.
    """

    gold: Any
    ignore_order: bool = False
    tolerance: float = 0.0
    relative: float = 0.0

    def __post_init__(self) -> None:
        if not all(0 <= allowed < math.inf for allowed in (self.tolerance, self.relative)):
            raise GoldError("a tolerance is a finite number from 0")
        try:
            check_json(self.gold)
        except ValueError as error:
            raise GoldError(f"the gold is no JSON value: {error}") from None
        if self._is_loose() and _size(self.gold) > LOOSE:
            raise GoldError(f"a loose gold without order has {LOOSE} values at most")

    def verify(self, answer: str) -> Score:
        gold, value = exact_json(self.gold), read_json(fenced(answer), exact=True)
        if not self.ignore_order:
            where = difference(gold, value, self._close)
            return Score(not where, where and f"{where} differs")
        if self._is_loose():
            right = self._pairs(gold, value)
        else:
            right = json_key(gold, False) == json_key(value, False)
        return Score(right, "" if right else "the value differs, whatever the order of its lists")

    def _is_loose(self) -> bool:
        return self.ignore_order and bool(self.tolerance or self.relative)

    def _close(self, gold: Any, value: Any) -> bool:
        if _is_number(gold) and _is_number(value):
            absolute, share = exact_number(self.tolerance), exact_number(self.relative)
            return bool(abs(value - gold) <= max(absolute, share * abs(gold)))
        return same_scalar(gold, value)

    def _pairs(self, gold: Any, value: Any) -> bool:
        """Whether the parts can be paired, in lists in any way, so that all pairs are close."""
        if isinstance(gold, dict) and isinstance(value, dict):
            return gold.keys() == value.keys() and all(self._pairs(gold[k], value[k]) for k in gold)
        if isinstance(gold, list) and isinstance(value, list):
            if len(gold) != len(value):
                return False
            fits = [[n for n, two in enumerate(value) if self._pairs(one, two)] for one in gold]
            return len(pairing(fits)) == len(gold)
        return self._close(gold, value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _size(value: Any) -> int:
    """How many values there are in a value, itself included."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, parts))
