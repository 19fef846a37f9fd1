"""Records in prose, and JSON Schemas with units, formats and conditions for the same facts.

A field has a type, a key and options, and each record has a fact for it. From a field and a fact
follow the schema, the sentence and the value, so that none of them is stored.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES

Type = Literal["measure", "date", "time", "code", "choice", "flag", "maybe", "list", "counts"]
Fact = tuple[int | str, ...]
"""The values of a fact: numbers, names or words; it is empty where nothing is stated."""

MEASURES: Mapping[str, tuple[str, str, Mapping[str, int]]] = {
    "weight": ("weighs {}", "weighs {} more than", {"g": 1, "kg": 1000}),
    "length": ("is {} long", "is {} longer than", {"mm": 1, "cm": 10, "m": 1000}),
    "volume": ("holds {}", "holds {} more than", {"ml": 1, "l": 1000}),
    "price": ("costs {}", "costs {} more than", {"cents": 1, "euros": 100}),
    "deposit": (
        "takes a deposit of {}",
        "takes a deposit that is {} higher than that of",
        {"cents": 1, "euros": 100},
    ),
    "repair": ("takes {} to repair", "takes {} longer to repair than", {"minutes": 1, "hours": 60}),
}
DATES = ("bought", "checked", "sold", "due")
TIMES = ("opening", "collection", "delivery")
CODES = ("serial", "shelf", "invoice")
CHOICES: Mapping[str, Mapping[str, str]] = {
    "transport": {
        "A": "travels by air",
        "R": "travels by rail",
        "S": "travels by sea",
        "T": "travels by truck",
    },
    "state": {"N": "is new", "U": "has been used", "D": "is damaged"},
    "owner_type": {
        "P": "belongs to a private person",
        "C": "belongs to a company",
        "M": "belongs to a museum",
    },
}
FLAGS: Mapping[str, tuple[str, str]] = {
    "insured": ("is insured", "has no insurance"),
    "reserved": ("has been reserved", "can still be reserved"),
    "sealed": ("is sealed", "has been opened"),
    "fragile": ("breaks easily", "does not break easily"),
}
PEOPLE: Mapping[str, tuple[str, str]] = {
    "keeper": ("is kept by {}", "has no keeper"),
    "inspector": ("was inspected by {}", "has not been inspected by anyone"),
    "sender": ("was sent by {}", "came without a sender"),
}
LISTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "materials": ("is made of", ("copper", "glass", "leather", "oak", "silk", "steel", "wool")),
    "colours": ("is painted in", ("black", "blue", "green", "orange", "red", "white", "yellow")),
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "parts": ("bolts", "hinges", "knobs", "lamps", "screws", "springs", "wheels"),
    "extras": ("badges", "cables", "covers", "labels", "straps", "tags"),
}
MONTHS = "January February March April May June July August September October November December"


class Field(NamedTuple):
    """A property of the schema."""

    type: Type
    key: str
    options: tuple[str, ...]
    """Units of the schema and of the prose, a format, or an order."""

    path: tuple[str, ...]
    """The objects that the property is in, from the outermost."""

    condition: tuple[str, str] | None = None
    """The property of the same object, and its value as JSON, that this one depends on."""


class Cell(NamedTuple):
    """A fact of a record, and the earlier record that its sentence compares it with."""

    fact: Fact
    reference: int | None = None


# ---------------------------------------------------------------------------- values and schemas


def name(field: Field) -> str:
    """The name of a property in the schema."""
    if field.type == "measure":
        return f"{field.key}_{field.options[0]}"
    return f"{field.key}_{field.type}" if field.type in {"date", "time", "code"} else field.key


def value(field: Field, fact: Fact) -> Any:
    """The JSON value of a fact."""
    first: Any = fact[0] if fact else None
    if field.type == "measure":
        number = Fraction(int(fact[0]), MEASURES[field.key][2][field.options[0]])
        return int(number) if number.denominator == 1 else float(number)
    if field.type == "date":
        day = date.fromordinal(int(fact[0]))
        parts = {"year": day.year, "month": day.month, "day": day.day}
        forms: dict[str, Any] = {"iso": day.isoformat(), "compact": f"{day:%Y%m%d}", "parts": parts}
        return forms[field.options[0]]
    if field.type == "time":
        hours, minutes = divmod(int(fact[0]), 60)
        return f"{hours:02}:{minutes:02}" if field.options[0] == "clock" else fact[0]
    if field.type == "code":
        return f"{str(fact[0]).upper()}-{fact[1]:04}"
    if field.type == "flag":
        return bool(first)
    if field.type == "list":
        words = list(map(str, fact))
        orders = {"alphabetical": sorted(words), "reverse": sorted(words, reverse=True)}
        return orders.get(field.options[0], words)
    if field.type == "counts":
        pairs = dict(zip(map(str, fact[::2]), fact[1::2]))
        if field.options[0] == "object":
            return pairs
        rows = [{"name": noun, "count": number} for noun, number in pairs.items()]
        return sorted(rows, key=lambda row: -int(row["count"]))
    return first


def property_schema(field: Field) -> dict[str, Any]:
    """The schema of a property."""
    option = field.options[0] if field.options else ""
    if field.type == "measure":
        return {"type": "number", "description": f"{field.key} in {option}"}
    if field.type == "date":
        number = {"type": "integer"}
        parts = {"year": number, "month": number, "day": number}
        forms: dict[str, dict[str, Any]] = {
            "iso": {"type": "string", "format": "date"},
            "compact": {
                "type": "string",
                "pattern": "^[0-9]{8}$",
                "description": "year, month and day in digits, without separators",
            },
            "parts": {
                "type": "object",
                "properties": parts,
                "required": [*parts],
                "additionalProperties": False,
            },
        }
        return forms[option]
    if field.type == "time":
        if option == "minutes":
            return {"type": "integer", "description": "minutes after midnight"}
        pattern = "^[0-2][0-9]:[0-5][0-9]$"
        return {"type": "string", "pattern": pattern, "description": "on the 24-hour clock"}
    if field.type == "code":
        pattern = "^[A-Z]{2}-[0-9]{4}$"
        return {
            "type": "string",
            "pattern": pattern,
            "description": "series and number, with zeros before it",
        }
    if field.type == "choice":
        meanings = "; ".join(f"{code}: {text}" for code, text in CHOICES[field.key].items())
        return {"enum": [*CHOICES[field.key]], "description": meanings}
    if field.type == "flag":
        return {"type": "boolean"}
    if field.type == "maybe":
        return {"type": ["string", "null"], "description": "null if there is none"}
    if field.type == "list":
        order = {
            "alphabetical": "in alphabetical order",
            "reverse": "in reverse alphabetical order",
        }.get(option, "in the order of the text")
        return {
            "type": "array",
            "items": {"type": "string"},
            "uniqueItems": True,
            "description": order,
        }
    if option == "object":
        return {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "the number of each",
        }
    row = {"name": {"type": "string"}, "count": {"type": "integer"}}
    items = {
        "type": "object",
        "properties": row,
        "required": [*row],
        "additionalProperties": False,
    }
    return {"type": "array", "items": items, "description": "the greatest count first"}


def schema(fields: Sequence[Field]) -> dict[str, Any]:
    """The schema of an array of records with these fields."""
    return {"type": "array", "items": _object_schema(fields, ())}


def _object_schema(fields: Sequence[Field], path: tuple[str, ...]) -> dict[str, Any]:
    own = [field for field in fields if field.path == path]
    deeper = {
        field.path[len(path)] for field in fields if field.path[: len(path)] == path != field.path
    }
    properties = {name(field): property_schema(field) for field in own}
    properties |= {part: _object_schema(fields, (*path, part)) for part in sorted(deeper)}
    required = [name(field) for field in own if not field.condition] + sorted(deeper)
    result = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    if conditions := [_condition(field) for field in own if field.condition]:
        result["allOf"] = conditions
    return result


def _condition(field: Field) -> dict[str, Any]:
    assert field.condition is not None
    key, text = field.condition
    constant: Any = text == "true" if text in {"true", "false"} else text
    return {
        "if": {"properties": {key: {"const": constant}}, "required": [key]},
        "then": {"required": [name(field)]},
        "else": {"properties": {name(field): False}},
    }


def is_allowed(field: Field, fields: Sequence[Field], row: Sequence[Cell]) -> bool:
    """Whether the condition of a field holds in a record, if it has one."""
    if field.condition is None:
        return True
    key, text = field.condition
    for other, cell in zip(fields, row):
        if name(other) == key and other.path == field.path:
            actual = value(other, cell.fact)
            return text == (str(actual).lower() if isinstance(actual, bool) else actual)
    raise ValueError(f"no field {key}")


def document(fields: Sequence[Field], rows: Sequence[Sequence[Cell]]) -> list[Any]:
    """The records as JSON values."""
    records = []
    for row in rows:
        record: dict[str, Any] = {}
        for field, cell in zip(fields, row):
            inside = record
            for part in field.path:
                inside = inside.setdefault(part, {})
            if is_allowed(field, fields, row):
                inside[name(field)] = value(field, cell.fact)
        records.append(record)
    return records


# ------------------------------------------------------------------------------------- sentences


def clause(field: Field, cell: Cell, rows: Sequence[Sequence[Cell]], column: int) -> str:
    """What the prose states about a record, as a clause with a verb; empty if nothing."""
    fact = cell.fact
    if not fact and field.type != "maybe":
        return ""
    if cell.reference is not None:
        return _comparison(field, cell, rows, column)
    if field.type == "measure":
        return MEASURES[field.key][0].format(_amount(field, int(fact[0])))
    if field.type == "date":
        verb = "is" if field.key == "due" else "was"
        return f"{verb} {field.key} on {_day(date.fromordinal(int(fact[0])))}"
    if field.type == "time":
        return f"has its {field.key} at {_clock(int(fact[0]))}"
    if field.type == "code":
        return f"has the {field.key} number {fact[1]} of the series {str(fact[0]).lower()}"
    if field.type == "choice":
        return CHOICES[field.key][str(fact[0])]
    if field.type == "flag":
        return FLAGS[field.key][0 if fact[0] else 1]
    if field.type == "maybe":
        positive, negative = PEOPLE[field.key]
        return positive.format(fact[0]) if fact else negative
    if field.type == "list":
        return f"{LISTS[field.key][0]} {_listed(list(map(str, fact)))}"
    pairs = [f"{number} {noun}" for noun, number in zip(fact[::2], fact[1::2])]
    return f"comes with {_listed(pairs)} as {field.key}"


def _comparison(field: Field, cell: Cell, rows: Sequence[Sequence[Cell]], column: int) -> str:
    assert cell.reference is not None
    other = rows[cell.reference][column]
    difference = int(cell.fact[0]) - int(other.fact[0])
    which = f"item {cell.reference + 1}"
    if field.type == "measure":
        return f"{MEASURES[field.key][1].format(_amount(field, difference))} {which}"
    verb = "is" if field.key == "due" else "was"
    return f"{verb} {field.key} {difference} days after {which}"


def _amount(field: Field, base: int) -> str:
    unit = field.options[1]
    number = Fraction(base, MEASURES[field.key][2][unit])
    text = f"{float(number):.3f}".rstrip("0").rstrip(".")
    return f"{text} {unit}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS.split()[day.month - 1]} {day.year}"


def _clock(minutes: int) -> str:
    """A time on the 12-hour clock.

    >>> _clock(15), _clock(735)
    ('12:15 am', '12:15 pm')
    """
    hours, rest = divmod(minutes, 60)
    return f"{(hours - 1) % 12 + 1}:{rest:02} {'am' if hours < 12 else 'pm'}"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


# ------------------------------------------------------------------------------------ generation

KEYS: Mapping[Type, tuple[str, ...]] = {
    "measure": tuple(MEASURES),
    "date": DATES,
    "time": TIMES,
    "code": CODES,
    "choice": tuple(CHOICES),
    "flag": tuple(FLAGS),
    "maybe": tuple(PEOPLE),
    "list": tuple(LISTS),
    "counts": tuple(PARTS),
}
EVERY = tuple((each, key) for each, keys in KEYS.items() for key in keys)
FIRST: tuple[Type, ...] = ("measure", "date", "code", "measure")
DEPENDENT: tuple[Type, ...] = ("measure", "date", "time", "code", "list")
OBJECTS = ("details", "history", "storage", "papers")


def random_fields(rng: Random, number: int, depth: int, conditions: int) -> tuple[Field, ...]:
    """Fields with different keys, of which ``conditions`` depend on another field.

    ``depth`` is the number of objects in one another. The field that others depend on is the first
    of its object.
    """
    paths: list[tuple[str, ...]] = [()]
    for part in OBJECTS[: depth - 1]:
        paths.append((*rng.choice(paths), part))
    pool = [*rng.sample(EVERY, len(EVERY))]
    fields = list[Field]()
    for n in range(conditions):
        decider = next(pair for pair in pool if pair[0] in {"choice", "flag"} and pair in pool)
        pool.remove(decider)
        dependent = next(pair for pair in pool if pair[0] in DEPENDENT)
        pool.remove(dependent)
        path = paths[n % len(paths)]
        first = Field(decider[0], decider[1], (), path)
        answer = "true" if decider[0] == "flag" else rng.choice([*CHOICES[decider[1]]])
        fields.append(first)
        options = _options(rng, *dependent)
        fields.append(Field(*dependent, options, path, (name(first), answer)))
    while len(fields) < number or {field.path for field in fields} < set(paths):
        early = [pair for pair in pool if pair[0] in FIRST] if len(fields) < 3 else pool
        pair = (early or pool)[0]
        pool.remove(pair)
        path = paths[len(fields) % len(paths)]
        fields.append(Field(*pair, _options(rng, *pair), path))
    return tuple(fields)


def _options(rng: Random, sort: Type, key: str) -> tuple[str, ...]:
    if sort == "measure":
        return tuple(rng.sample([*MEASURES[key][2]], 2))
    forms: Mapping[Type, tuple[str, ...]] = {
        "date": ("iso", "compact", "parts"),
        "time": ("clock", "minutes"),
        "list": ("alphabetical", "reverse", "text"),
        "counts": ("object", "rows"),
    }
    return (rng.choice(forms[sort]),) if sort in forms else ()


def random_row(
    rng: Random, fields: Sequence[Field], rows: Sequence[Sequence[Cell]], percent: int
) -> tuple[Cell, ...]:
    """The facts of a record; ``percent`` of those that can be are compared with earlier ones."""
    row = list[Cell]()
    for column, field in enumerate(fields):
        cell = Cell(_fact(rng, field))
        if field.type in {"measure", "date"} and rows and rng.random() * 100 < percent:
            reference = rng.randrange(len(rows))
            base = rows[reference][column].fact
            if base:
                step = rng.randint(2, 60)
                if field.type == "measure":
                    step *= _grain(field)
                cell = Cell((int(base[0]) + step,), reference)
        if field.condition and not is_allowed(field, fields, row) and rng.random() < 0.4:
            cell = Cell(())  # often a fact is stated though the schema does not want it
        row.append(cell)
    return tuple(row)


def _grain(field: Field) -> int:
    """The amount of which all others are multiples, so that each is a finite decimal."""
    units = MEASURES[field.key][2]
    return max(1, max(units[unit] for unit in field.options) // 20)


def _fact(rng: Random, field: Field) -> Fact:
    if field.type == "measure":
        return (rng.randint(3, 90) * _grain(field),)
    if field.type == "date":
        return ((date(2015, 1, 1) + timedelta(rng.randrange(4_000))).toordinal(),)
    if field.type == "time":
        return (rng.randrange(5, 24 * 60),)
    if field.type == "code":
        return ("".join(rng.sample("BCDFGHKLMNPRSTVWXZ", 2)), rng.randint(3, 2000))
    if field.type == "choice":
        return (rng.choice([*CHOICES[field.key]]),)
    if field.type == "flag":
        return (rng.randint(0, 1),)
    if field.type == "maybe":
        return (rng.choice((*NAMES, *MORE_NAMES)),) if rng.random() < 0.65 else ()
    if field.type == "list":
        return tuple(rng.sample(LISTS[field.key][1], rng.randint(2, 4)))
    numbers = rng.sample(range(2, 60), rng.randint(2, 4))
    nouns = rng.sample(PARTS[field.key], len(numbers))
    return tuple(part for pair in zip(nouns, numbers) for part in pair)
