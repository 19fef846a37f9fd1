"""Interfaces of documented functions whose names are made up."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.function_calls.meanings import (
    ACTIONS,
    AXES,
    NOUNS,
    QUANTITIES,
    ROLES,
)
from palaestra.generators.tools.function_calls.values import (
    FORMS,
    INVERTED,
    UNITS,
    Json,
    encoded,
    phrased,
    quantity,
)
from palaestra.generators.vocabulary import VOWELS, plural, word


class RecordType(NamedTuple):
    """A type of records with a made-up name: the things of a noun on one side of an axis."""

    name: str
    noun: int
    axis: int
    side: int
    numbered: bool
    """Whether its records have numbers; otherwise they have names."""

    def gloss(self) -> str:
        """What the type is."""
        return f"{article(NOUNS[self.noun].gloss)} {AXES[self.axis].glosses[self.side]}"


class Parameter(NamedTuple):
    """An argument of a function. That of the record has no role, and comes first."""

    name: str
    role: str
    form: str
    required: bool = True
    default: int | str | bool | None = None
    """What an argument that is left out is taken for; it may be None only for want of one."""
    codes: tuple[int | str, ...] = ()
    """What stands for each option of a choice."""

    def type_name(self) -> str:
        """The JSON type."""
        family = ROLES[self.role].family if self.role else ""
        if family in QUANTITIES or self.form.startswith("minutes"):
            return "integer"
        if family == "choice":
            return "integer" if isinstance(self.codes[0], int) else "string"
        if not self.role:
            return "integer" if self.form == "number" else "string"
        return {"list": "array of strings", "flag": "boolean"}.get(family, "string")


class Limit(NamedTuple):
    """The cases that a function is for: those where a quantity is above a bound, or not above."""

    role: str
    bound: str
    above: bool


class Function(NamedTuple):
    """A function: an action on records of a type."""

    name: str
    action: int
    record: int
    parameters: tuple[Parameter, ...]
    limits: tuple[Limit, ...] = ()

    def documentation(self, types: Sequence[RecordType]) -> str:
        """What a player reads of the function."""
        record = types[self.record].name
        signature = ", ".join(f"{each.name}: {each.type_name()}" for each in self.parameters)
        lines = [f"{self.name}({signature})", f"  {self.purpose(types)}"]
        lines += [f"  {each.name}: {described(each, record)}" for each in self.parameters]
        return "\n".join(lines)

    def purpose(self, types: Sequence[RecordType]) -> str:
        """What the function does, and in which cases."""
        text = f"{ACTIONS[self.action].gloss.format(a=article(types[self.record].name))}."
        for limit in self.limits:
            relation = "more than" if limit.above else "at most"
            text += f" Only for cases in which {ROLES[limit.role].gloss} is {relation} "
            text += f"{limit.bound}."
        return text


def article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[0] in VOWELS else 'a'} {noun}"


def described(parameter: Parameter, record: str) -> str:
    """The documentation of an argument."""
    if not parameter.role:
        return f"The {parameter.form} of the {record}. Required."
    role = ROLES[parameter.role]
    text = role.gloss[0].upper() + role.gloss[1:]
    if role.family == "choice":
        text += ": " + ", ".join(
            f"{json.dumps(code)} if {first} (also called {second})"
            for code, (first, second) in zip(parameter.codes, role.options)
        )
    elif role.family == "flag":
        true, false = role.gloss.split("|")[:: -1 if parameter.form == INVERTED else 1]
        text = f"True if {true}, false if {false}"
    elif parameter.form:
        by = {"date": " as", "time": " as" if ":" in parameter.form else " in", "list": ","}
        text += f"{by.get(role.family, ', in')} {parameter.form}"
    if parameter.required:
        return f"{text}. Required."
    if parameter.default is None:
        return f"{text}. Optional."
    return f"{text}. Optional; the default is {json.dumps(parameter.default)}."


DEFAULTS = QUANTITIES | {"choice", "flag", "time"}
"""The families whose optional arguments may have a default."""

Roles = Sequence[tuple[str, bool]]
"""The roles of a function's arguments, and whether each is required."""


def fresh_names(rng: Random) -> Iterator[str]:
    """Made-up words without end, none of them twice."""
    seen: set[str] = set()
    while True:
        name = word(rng, rng.randint(4, 7))
        if name not in seen and plural(name) not in seen:
            seen.add(name)
            yield name


class Builder:
    """Makes functions of an interface, whose names are all different."""

    def __init__(self, rng: Random, nouns: int, arguments: int) -> None:
        self.rng, self.arguments = rng, arguments
        self.names = fresh_names(rng)
        self.types = self._types(nouns)
        self.verbs = [next(self.names) for _ in ACTIONS]

    def _types(self, nouns: int) -> tuple[RecordType, ...]:
        """Two types for each of so many nouns, of which those of 2n and 2n + 1 belong together."""
        types: list[RecordType] = []
        for noun in self.rng.sample(range(len(NOUNS)), nouns):
            axis, numbered = self.rng.randrange(len(AXES)), self.rng.random() < 0.5
            sides = self.rng.sample((0, 1), 2)
            types += [RecordType(next(self.names), noun, axis, side, numbered) for side in sides]
        return tuple(types)

    def roles(self) -> Roles:
        """Random roles, the first of them required."""
        number = max(min(1, self.arguments), self.rng.randint(self.arguments - 1, self.arguments))
        roles = self.rng.sample([*ROLES], number)
        return [(role, n == 0 or self.rng.random() < 0.5) for n, role in enumerate(roles)]

    def function(self, action: int, record: int, roles: Roles, suffix: bool = False) -> Function:
        """A function with arguments of some roles, in random order."""
        rng, name = self.rng, f"{self.verbs[action]}_{self.types[record].name}"
        if suffix:
            name += f"_{next(self.names)}"
        form = "number" if self.types[record].numbered else "name"
        parameters = [self._parameter(role, required) for role, required in roles]
        rng.shuffle(parameters)
        subject = Parameter(next(self.names), "", form)
        return Function(name, action, record, (subject, *parameters))

    def _parameter(self, key: str, required: bool) -> Parameter:
        rng, role = self.rng, ROLES[key]
        form = rng.choice(FORMS[role.family])
        codes: tuple[int | str, ...] = ()
        if role.family == "choice":
            number = len(role.options)
            numeric = rng.random() < 0.3
            codes = tuple(rng.sample(range(1, 50), number) if numeric else self._words(number))
        default: Json | None = None
        if not required and role.family in DEFAULTS and rng.random() < 0.8:
            default = encoded(role, form, codes, phrased(rng, role, form, convert=False))
        assert not isinstance(default, list)
        return Parameter(next(self.names), key, form, required, default, codes)

    def _words(self, number: int) -> list[str]:
        return [next(self.names) for _ in range(number)]

    def split(self, action: int, record: int, roles: Roles) -> list[Function]:
        """Two functions that differ in the cases they are for, or none without a suitable role."""
        rng = self.rng
        suitable = [role for role, required in roles if required and _has_units(role)]
        if not suitable or sum(required for _, required in roles) < 2:
            return []
        key = rng.choice(suitable)
        pair = [self.function(action, record, roles, suffix=True) for _ in range(2)]
        form = next(each.form for each in pair[0].parameters if each.role == key)
        unit = next(unit for unit in UNITS[ROLES[key].family] if unit.plural == form)
        bound, above = quantity(rng.randint(8, 25), unit), rng.random() < 0.5
        limits = (Limit(key, bound, above), Limit(key, bound, not above))
        return [each._replace(limits=(limit,)) for each, limit in zip(pair, limits)]


def _has_units(role: str) -> bool:
    return ROLES[role].family in QUANTITIES
