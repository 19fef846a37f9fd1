"""Which combinators apply to which environments, and what arguments they take."""

from functools import cache
from typing import Any

from palaestra.combinators import COMBINATORS
from palaestra.registry import load, names, summary


@cache
def applicable(name: str) -> tuple[str, ...]:
    """The names of the combinators that apply to an environment, with their default arguments.

    Some of its tasks may not suit, which shows when one is sampled.

    >>> "batch" in applicable("games/mastermind"), "batch" in applicable("grids/sudoku")
    (False, True)
    """
    base = load(name)
    return tuple(each for each, rule in COMBINATORS.items() if not rule().refusal(base))


@cache
def environments_of(combinator: str) -> tuple[str, ...]:
    """The environments that a combinator applies to. The first call imports all environments."""
    return tuple(name for name in names() if combinator in applicable(name))


def described(combinator: str) -> dict[str, Any]:
    """A combinator as plain values: ``name``, ``version``, ``summary``, the ``default`` text form,
    and its ``arguments`` in order, each as a JSON schema with its ``name``.
    """
    rule = COMBINATORS[combinator]
    schemas = rule.model_json_schema().get("properties", {})
    return {
        "name": combinator,
        "version": rule.version,
        "summary": summary(rule),
        "default": str(rule()),
        "arguments": [{"name": name, **schema} for name, schema in schemas.items()],
    }


def listing() -> list[dict[str, Any]]:
    """All combinators as plain values, with the ``environments`` that each applies to."""
    return [described(name) | {"environments": list(environments_of(name))} for name in COMBINATORS]
