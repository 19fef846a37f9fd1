"""Named verifiers that combine others; each member is a named verifier with a gold of its own."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from palaestra.verifiers import composites
from palaestra.verifiers.named.entries import (
    BadField,
    JsonObject,
    Model,
    Name,
    Options,
    built,
    named,
)
from palaestra.verifiers.verifier import Judge


class Member(Model):
    """A named verifier inside another one."""

    verifier: Name
    gold: Any
    options: JsonObject = {}


def member(wanted: Member, pointer: str) -> Judge:
    """The verifier of a member. Raises :class:`BadField` with where it stands in the gold."""
    try:
        return built(
            wanted.verifier, json.dumps(wanted.gold), json.dumps(wanted.options), bare=True
        )
    except BadField as error:
        raise BadField(str(error), f"{pointer}{error.pointer}") from None
    except LookupError as error:
        raise BadField(str(error), f"{pointer}/verifier") from None


Members = Annotated[dict[Name, Member], Field(min_length=1, max_length=50)]


def _inner(gold: Any) -> Iterator[Any]:
    """The members in a gold."""
    if isinstance(gold, dict):
        yield from gold.values()


def judges_of(gold: dict[str, Member]) -> dict[str, Judge]:
    """The verifiers of the members of a gold."""
    return {
        name: member(each, "/gold/" + name.replace("~", "~0").replace("/", "~1"))
        for name, each in gold.items()
    }


_TWO = {
    "value": {"verifier": "quantity", "gold": "5 km"},
    "form": {"verifier": "pattern", "gold": "[0-9]+ km"},
}
_SHARED: dict[str, Any] = {"page": "rewards", "inner": _inner, "example": (_TWO, "5 km")}


@named("all", "an answer that every member accepts", Members, **_SHARED)
class AllOptions(Options):
    """There are none."""

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.All(judges_of(gold))


@named("any", "an answer that is worth what its best member gives", Members, **_SHARED)
class AnyOptions(Options):
    """There are none."""

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.Any(judges_of(gold))


@named("least", "an answer that is worth what its worst member gives", Members, **_SHARED)
class LeastOptions(Options):
    """There are none."""

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.Least(judges_of(gold))


@named("product", "an answer that is worth the product of its members", Members, **_SHARED)
class ProductOptions(Options):
    """There are none."""

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.Product(judges_of(gold))


@named("sum", "an answer that is worth the weighted mean of its members", Members, **_SHARED)
class SumOptions(Options):
    """The weight of each member by name; all weigh 1 if there are none."""

    weights: dict[Name, Annotated[float, Field(ge=0, le=1e6)]] | None = None

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.Sum(judges_of(gold), self.weights)


@named("lexicographic", "an answer whose first member decides, and further ones break ties",
       Members, **_SHARED)  # fmt: skip
class LexicographicOptions(Options):
    """How finely each member is divided."""

    steps: Annotated[int, Field(ge=1, le=10_000)] = 100

    def build(self, gold: dict[str, Member]) -> Judge:
        return composites.Lexicographic(judges_of(gold), self.steps)


class Gated(Model):
    """A member that an answer has to pass, and the member that then decides."""

    gate: Member
    inner: Member


@named(
    "gate",
    "an answer that is worth what one member gives if another one accepts it",
    Gated,
    page="rewards",
    inner=_inner,
    example=({"gate": _TWO["form"], "inner": _TWO["value"]}, "5 km"),
)
class GateOptions(Options):
    """There are none."""

    def build(self, gold: Gated) -> Judge:
        gate, inner = member(gold.gate, "/gold/gate"), member(gold.inner, "/gold/inner")
        return composites.Gate(gate, inner)
