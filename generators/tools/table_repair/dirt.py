"""How clean rows become dirty, so that the redundancy of the table determines the repair."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.table_repair.schema import (
    WEEKDAYS,
    Reference,
    Row,
    Schema,
    amounts,
    cents,
    dates,
    key_of,
    random_reference,
    random_row,
    random_schema,
)

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class Settings(NamedTuple):
    """How large a table is and how dirty."""

    groups: int
    rows: int
    errors: int
    duplicates: int
    lost: int
    """How many rows cannot be repaired."""
    near: int
    """How many rows are nearly like another one, and right."""
    double: int
    """The percentage of dirty rows with an error in two groups of columns."""


class Draft(NamedTuple):
    """A dirty table, and what it should be."""

    schema: Schema
    reference: Reference
    rows: tuple[tuple[str, ...], ...]
    clean: tuple[tuple[str, ...], ...]
    """The rows when they are repaired; those that are removed or lost stay as they are."""
    merged: tuple[tuple[int, int], ...]
    """Pairs of a row, by its number from 1 on, and the one that it is merged into."""
    lost: tuple[int, ...]


class Spot(NamedTuple):
    """A row that an error changes."""

    rng: Random
    schema: Schema
    reference: Reference
    row: Row


Error = Callable[[Spot], None]


# ------------------------------------------------------------------ errors


def _dressed_date(rng: Random, text: str) -> str:
    day = date.fromisoformat(text)
    return rng.choice(
        (
            f"{day.day} {MONTHS[day.month - 1]} {day.year}",
            f"{MONTHS[day.month - 1][:3]} {day.day}, {day.year}",
            f"{day.year}/{day.month:02}/{day.day:02}",
            f"{day.year}{day.month:02}{day.day:02}",
        )
    )


def _dressed_amount(rng: Random, text: str) -> str:
    whole, _, rest = text.partition(".")
    grouped = f"{int(whole):,}.{rest}"
    return rng.choice((f"{text} EUR", f"EUR {grouped}", f"€{text}", f"{grouped} €"))


def _format_of_date(spot: Spot) -> None:
    role = spot.rng.choice([role for role in ("date", "due") if role in spot.row])
    spot.row[role] = _dressed_date(spot.rng, spot.row[role])


def _format_of_amount(spot: Spot) -> None:
    role = spot.rng.choice(("price", "net", "tax", "gross"))
    spot.row[role] = _dressed_amount(spot.rng, spot.row[role])


def _format_of_quantity(spot: Spot) -> None:
    text = spot.row["quantity"]
    spot.row["quantity"] = spot.rng.choice((f"{text} pcs", f"{text}.0", f"x{text}"))


def _slip(rng: Random, text: str) -> str:
    """A word with one letter left out or doubled, or two that have changed places."""
    at = rng.randrange(1, len(text) - 1)
    if rng.random() < 0.4 and text[at] != text[at + 1]:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + text[at + 1 :] if rng.random() < 0.5 else text[:at] + text[at] + text[at:]


def _state(spot: Spot) -> None:
    text = spot.row["state"]
    spot.row["state"] = spot.rng.choice((_slip(spot.rng, text), f" {text.upper()}", text.title()))


def _key(spot: Spot) -> None:
    prefix, _, number = spot.row["key"].partition("-")
    near = f"{int(number) + spot.rng.choice((-1, 1)):04}"
    spot.row["key"] = spot.rng.choice(
        (f"{prefix.lower()} {number}", f"{prefix}-{int(number)}", f"{prefix}-{near}", "")
    )


def _party(spot: Spot) -> None:
    """The code, the name or the city of a party with another city."""
    role = spot.rng.choice(("party", "name", "city"))
    others = [each for each in spot.reference.parties if each.city != spot.row["city"]]
    other = spot.rng.choice(others)
    spot.row[role] = {"party": other.code, "name": other.name, "city": other.city}[role]


def _party_missing(spot: Spot) -> None:
    spot.row[spot.rng.choice(("party", "name", "city"))] = ""


def _name(spot: Spot) -> None:
    text = spot.row["name"]
    spot.row["name"] = spot.rng.choice(
        (_slip(spot.rng, text), text.upper(), text.replace(" ", "  "))
    )


def _date(spot: Spot) -> None:
    """The date, the weekday or the due date alone; a wrong date has another weekday."""
    role, row, rng = spot.rng.choice(("date", "date", "weekday", "due")), spot.row, spot.rng
    if role == "weekday":
        row[role] = rng.choice([each for each in WEEKDAYS if each != row[role]])
        return
    days = rng.choice((-20, -12, -10, -2, -1, 1, 2, 3, 9, 10, 20))
    row[role] = (date.fromisoformat(row[role]) + timedelta(days=days)).isoformat()


def _date_missing(spot: Spot) -> None:
    roles = spot.rng.choice((("date",), ("due",), ("weekday",), ("date", "weekday")))
    spot.row.update(dict.fromkeys(roles, ""))


def _amount(spot: Spot) -> None:
    """One amount is wrong by some digits."""
    role = spot.rng.choice(("price", "net", "net", "tax", "gross"))
    value = int(spot.row[role].replace(".", ""))
    others = [value * 10, value + 100, value + 900, max(1, value - 100), value + 9]
    others += [int(str(value)[::-1]) or 1]
    spot.row[role] = cents(spot.rng.choice([each for each in others if each != value]))


def _quantity(spot: Spot) -> None:
    value = int(spot.row["quantity"])
    others = [each for each in (value + 1, value * 10, value - 1, value + 10) if each > 0]
    spot.row["quantity"] = str(spot.rng.choice(others))


def _item(spot: Spot) -> None:
    others = [each.code for each in spot.reference.items if each.code != spot.row["item"]]
    spot.row["item"] = spot.rng.choice(others)


def _amount_missing(spot: Spot) -> None:
    roles = spot.rng.choice(
        (("net",), ("tax",), ("gross",), ("quantity",), ("price",), ("item",), ("rate",),
         ("net", "gross"), ("quantity", "tax"), ("price", "net"), ("tax", "gross"))
    )  # fmt: skip
    spot.row.update(dict.fromkeys(roles, ""))


def _rate(spot: Spot) -> None:
    others = [each for each in ("5", "7", "10", "19", "20") if each != spot.row["rate"]]
    spot.row["rate"] = spot.rng.choice(others)


ERRORS: dict[str, tuple[Error, ...]] = {
    "other": (_state, _key),
    "party": (_party, _party_missing, _name),
    "amounts": (_amount, _amount, _quantity, _item, _rate, _amount_missing, _format_of_amount,
                _format_of_quantity),
    "dates": (_date, _date, _date_missing, _format_of_date),
}  # fmt: skip
"""The errors in each group of columns."""


def _lose(spot: Spot) -> None:
    """Empty cells that nothing determines."""
    groups = [("trace",), ("party", "name", "city")]
    if "due" in spot.row:
        groups.append(("date", "due"))
    else:
        groups.append(("date",))
    if "net" in spot.row:
        groups.append(("quantity", "net", "tax", "gross"))
    spot.row.update(dict.fromkeys(spot.rng.choice(groups), ""))


# ------------------------------------------------------------------ tables


def identity(row: Row) -> tuple[str, ...]:
    """What is equal in two rows exactly if they are about the same."""
    return tuple(row.get(role, "") for role in ("party", "date", "item", "quantity"))


def random_draft(rng: Random, settings: Settings) -> Draft:
    """A dirty table whose repair is unique."""
    return _Drawing(rng, settings).draft()


class _Drawing:
    def __init__(self, rng: Random, settings: Settings) -> None:
        self.rng, self.settings = rng, settings
        self.schema = random_schema(rng, settings.groups)
        size = 4 + settings.rows // 6
        self.reference = random_reference(rng, min(24, size + 2), min(16, size))

    def draft(self) -> Draft:
        rng, settings, schema = self.rng, self.settings, self.schema
        clean = self._clean_rows()
        rng.shuffle(clean)
        keepers = self._keepers(clean)
        copies = [dict(clean[n]) for n in keepers]
        positions = sorted(rng.sample(range(len(clean) // 2, len(clean)), len(copies)))
        pairs = [*zip(keepers, copies)]
        first = rng.randint(1, 4_000)
        rows, origins = self._placed(clean, pairs, positions)
        for number, row in enumerate(rows, 1):
            row["key"] = key_of(schema, number, first)
        dirty = [dict(row) for row in rows]
        kept = {n: origin for n, origin in enumerate(origins) if origin is not None}
        self._dirty_pairs(dirty, kept)
        busy = {*kept, *kept.values()}
        free = [n for n in range(len(rows)) if n not in busy]
        chosen = rng.sample(free, min(len(free), settings.lost + settings.errors))
        lost, wrong = chosen[: settings.lost], chosen[settings.lost :]
        for n in lost:
            _lose(self._spot(dirty[n]))
        for order, n in enumerate(wrong):
            self._spoil(dirty[n], rows[n], order)
        wanted = [dirty[n] if n in lost or n in kept else rows[n] for n in range(len(rows))]
        return Draft(
            schema,
            self.reference,
            self._texts(dirty),
            self._texts(wanted),
            tuple((n + 1, origin + 1) for n, origin in kept.items()),
            tuple(sorted(n + 1 for n in lost)),
        )

    def _texts(self, rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(row[role] for role in self.schema.roles) for row in rows)

    def _spot(self, row: Row) -> Spot:
        return Spot(self.rng, self.schema, self.reference, row)

    def _clean_rows(self) -> list[Row]:
        """Rows about different things; some differ from another one in the date or the quantity."""
        rows: dict[tuple[str, ...], Row] = {}
        number = self.settings.rows - self.settings.duplicates
        while len(rows) < number - self.settings.near:
            row = random_row(self.rng, self.schema, self.reference)
            rows.setdefault(identity(row), row)
        while len(rows) < number:
            model = self.rng.choice([*rows.values()])
            row = random_row(self.rng, self.schema, self.reference)
            same = ["party", "name", "city"]
            if "item" in row:
                same += ["item", "price", "rate"]
                row |= self._amounts_near(model)
            row |= {role: model[role] for role in same}
            row |= self._dates_of(row, model)
            rows.setdefault(identity(row), row)
        return [*rows.values()]

    def _amounts_near(self, model: Row) -> Row:
        item = next(each for each in self.reference.items if each.code == model["item"])
        return amounts(item, int(model["quantity"]) + self.rng.choice((0, 0, 1)))

    def _dates_of(self, row: Row, model: Row) -> Row:
        party = next(each for each in self.reference.parties if each.code == model["party"])
        day = date.fromisoformat(model["date"]) + timedelta(days=self.rng.choice((0, 1, 7)))
        return {role: text for role, text in dates(day, party.terms).items() if role in row}

    def _keepers(self, rows: Sequence[Row]) -> list[int]:
        """Rows in the first half that have a copy."""
        half = range(len(rows) // 2)
        return sorted(self.rng.sample(half, min(len(half), self.settings.duplicates)))

    @staticmethod
    def _placed(
        clean: Sequence[Row], pairs: Sequence[tuple[int, Row]], positions: Sequence[int]
    ) -> tuple[list[Row], list[int | None]]:
        """The rows with copies put in before some positions, and for each the row it copies."""
        rows: list[Row] = []
        origins: list[int | None] = []
        waiting = dict(zip(positions, pairs))
        for n, row in enumerate(clean):
            if n in waiting:
                origin, copy = waiting[n]
                rows.append(copy)
                origins.append(origin)
            rows.append(row)
            origins.append(None)
        return rows, origins

    def _dirty_pairs(self, dirty: Sequence[Row], kept: Mapping[int, int]) -> None:
        """Most rows that stay lack a value that their copies have; copies look different."""
        for n, origin in kept.items():
            if self.rng.random() < 0.7:
                dirty[origin]["trace"] = ""
            elif self.rng.random() < 0.5:
                dirty[n]["trace"] = ""
            if self.settings.groups > 1 and self.rng.random() < 0.6:
                dirty[n]["net"] = _dressed_amount(self.rng, dirty[n]["net"])
            if self.settings.groups > 2 and self.rng.random() < 0.6:
                dirty[n]["date"] = _dressed_date(self.rng, dirty[n]["date"])

    def _spoil(self, row: Row, clean: Row, order: int) -> None:
        """Change a row in a group of columns, or in two."""
        names = ["other", "party"]
        names += ["amounts", "amounts"] if self.settings.groups > 1 else []
        names += ["dates"] if self.settings.groups > 2 else []
        first = "amounts" if order == 0 and "amounts" in names else self.rng.choice(names)
        groups = [first]
        if self.rng.random() * 100 < self.settings.double:
            groups.append(self.rng.choice([each for each in names if each != first]))
        for group in groups:
            errors = ERRORS[group][:1] if order == 0 and group == "amounts" else ERRORS[group]
            before = dict(row)
            while row in (before, clean):
                row.update(before)
                self.rng.choice(errors)(self._spot(row))
