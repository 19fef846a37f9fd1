"""Named verifiers of numbers and quantities, and of the first error in a solution."""

from typing import Annotated

from pydantic import Field

from palaestra.verifiers.named.entries import Model, Options, ShortText, named
from palaestra.verifiers.quantities.quantity import Number, Quantity
from palaestra.verifiers.steps import FirstError
from palaestra.verifiers.verifier import Judge

Finite = Annotated[float, Field(ge=-1e300, le=1e300)]
Digits = Annotated[int, Field(ge=1, le=50)]


class Tolerances(Options):
    """How far a number may be from the gold."""

    relative: Annotated[float, Field(ge=0, lt=1)] = 0.0
    absolute: Annotated[float, Field(ge=0, le=1e300)] | None = None
    digits: Digits | None = None


@named("number", "a number, within a tolerance", ShortText | Finite, page="values",
       example=("0.25", "25%"))  # fmt: skip
class NumberOptions(Tolerances):
    """How far the number may be from the gold."""

    def build(self, gold: str | float) -> Judge:
        return Number(gold, **self.fields())


@named(
    "quantity",
    "a number with a unit, converted exactly",
    ShortText,
    page="values",
    example=("90 km/h", "25 m/s"),
)
class QuantityOptions(Tolerances):
    """How far the number may be from the gold, and what units are read."""

    unit_required: bool = False
    rare: bool = False

    def build(self, gold: str) -> Judge:
        return Quantity(gold, **self.fields())


class ErrorPosition(Model):
    """The number of the first wrong step, or -1 if all are right, and how many steps there are."""

    error: Annotated[int, Field(ge=-1, le=10_000)]
    steps: Annotated[int, Field(ge=1, le=10_000)]


@named(
    "first_error",
    "the position of the first wrong step of a solution",
    ErrorPosition,
    page="rewards",
    example=({"error": 2, "steps": 5}, "2"),
)
class FirstErrorOptions(Options):
    """There are none."""

    def build(self, gold: ErrorPosition) -> Judge:
        return FirstError(gold.error, gold.steps)
