"""What calls a request needs, worked out from the documentation and its words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from palaestra.generators.tools.function_calls.interfaces import (
    Function,
    Limit,
    Parameter,
    RecordType,
)
from palaestra.generators.tools.function_calls.meanings import AXES, ROLES
from palaestra.generators.tools.function_calls.values import Json, encoded, read_quantity


class Mention(NamedTuple):
    """What a request says of a role, in words."""

    role: str
    text: str


class Ask(NamedTuple):
    """One thing that a request wants done.

    With ``again`` it is the same as the one before it, with what it mentions in place of that.
    """

    action: int
    noun: int
    trait: str
    label: str
    """The name or number of the record; empty where the request does not say it."""
    mentions: tuple[Mention, ...]
    again: bool = False


class Due(NamedTuple):
    """A call that is due: the values that the request states, by the names of the arguments."""

    function: Function
    values: Mapping[str, Json]


class Verdict(NamedTuple):
    """What a request comes to."""

    calls: tuple[Due, ...]
    missing: tuple[str, ...] = ()
    """Required arguments that the request does not state."""
    possible: bool = True
    """Whether there is a function for each thing that it wants."""


def resolved(
    types: Sequence[RecordType], functions: Sequence[Function], asks: Sequence[Ask]
) -> Verdict:
    """The calls that a request needs, or what keeps it from being fulfilled."""
    calls: list[Due] = []
    missing: list[str] = []
    for ask in completed(asks):
        function = next((each for each in functions if fits(types, each, ask)), None)
        values = stated(function, ask) if function else None
        if function is None or values is None:
            return Verdict((), (), possible=False)
        calls.append(Due(function, values))
        missing += [p.name for p in function.parameters if p.required and p.name not in values]
    return Verdict(tuple(calls), tuple(dict.fromkeys(missing)))


def completed(asks: Sequence[Ask]) -> Iterator[Ask]:
    """The things wanted, each with all that is said of it."""
    mentions: dict[str, str] = {}
    action = 0
    for ask in asks:
        own = {mention.role: mention.text for mention in ask.mentions}
        mentions = {**mentions, **own} if ask.again else own
        action = action if ask.again else ask.action
        yield ask._replace(action=action, mentions=tuple(map(Mention._make, mentions.items())))


def fits(types: Sequence[RecordType], function: Function, ask: Ask) -> bool:
    """Whether a function does what is wanted."""
    record = types[function.record]
    return (
        (function.action, record.noun) == (ask.action, ask.noun)
        and ask.trait in AXES[record.axis].requests[record.side]
        and all(_within(limit, ask) for limit in function.limits)
    )


def _within(limit: Limit, ask: Ask) -> bool:
    family = ROLES[limit.role].family
    values = [read_quantity(family, text) for role, text in ask.mentions if role == limit.role]
    return any((value > read_quantity(family, limit.bound)) == limit.above for value in values)


def stated(function: Function, ask: Ask) -> dict[str, Json] | None:
    """The arguments that are stated; None where one of them cannot be in the form wanted."""
    by_role = {parameter.role: parameter for parameter in function.parameters}
    subject = by_role[""]
    values: dict[str, Json] = {}
    if ask.label:
        values[subject.name] = int(ask.label) if subject.form == "number" else ask.label
    for role, text in ask.mentions:
        value = _value(by_role[role], text) if role in by_role else None
        if value is None:
            return None
        values[by_role[role].name] = value
    return values


def _value(parameter: Parameter, text: str) -> Json | None:
    return encoded(ROLES[parameter.role], parameter.form, parameter.codes, text)
