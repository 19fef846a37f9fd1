"""The rooms of a house with the devices that a player has seen, and what else lists have shown."""

import json
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.generators.tools.sightings import PicturedWorld, Sightings
from palaestra.generators.tools.smart_home.home import TOOLS
from palaestra.scenes import Cell, Panels, Scene, Table, Text
from palaestra.verifiers.calls.reading import Call

TABLES = {
    "list_rooms": "room", "list_members": "member", "list_devices": "device",
    "set_device": "device", "list_schedules": "schedule", "switch_schedule": "schedule",
    "move_schedule": "schedule",
}  # fmt: skip
"""The table whose rows the results of a tool are."""

WIDE = 48
"""How many characters a line of a request has at most."""

LISTS = {"room": "Rooms", "member": "Members", "schedule": "Schedules"}
"""What the pictures of the other tables are called."""

DEVICE = ("id", "device", "level", "")
"""The names of the columns of the devices of a room."""

PANELS = 6
"""How many tables are drawn at most."""

MOST = 12
"""How many rows of a table are drawn at most."""


class Seen:
    """The rows of each table by number, as the last result that has each shows it."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[int, Mapping[str, Any]]] = {}
        self.reported: set[int] = set()
        self.changed: set[int] = set()
        """The devices and schedules that the player has set."""
        self.recent: dict[str, None] = {}
        """The rooms and the names of the lists in the order in which they were seen last."""

    def touch(self, name: str) -> None:
        """A room or a list has been seen now."""
        self.recent.pop(name, None)
        self.recent[name] = None


def note(seen: Seen, call: Call, result: str) -> None:
    """Remember the rows that the result of a call shows."""
    if call.name == "report_offline":
        seen.reported.add(int(call.arguments["device"]))
    if call.name not in TABLES:
        return
    table = TABLES[call.name]
    known = seen.rows.setdefault(table, {})
    for line in result.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            known[row["id"]] = row
            seen.touch(row["room"] if table == "device" else LISTS[table])
            if not call.name.startswith("list_"):
                seen.changed.add(row["id"])


def picture(seen: Seen) -> Scene | None:
    """A table for each room with its devices, and one for each list of something else; those that
    have been seen last if there are many.
    """
    rooms: dict[str, list[tuple[Cell, ...]]] = {}
    for number, row in seen.rows.get("device", {}).items():
        rooms.setdefault(row["room"], []).append(_device(seen, number, row))
    tables = {room: Table(tuple(rows), DEVICE) for room, rows in rooms.items()} | _lists(seen)
    names = [*seen.recent][-PANELS:]
    columns = len(names) if len(names) < 3 else 2 if len(names) < 5 else 3
    return Panels(tuple(tables[name] for name in names), tuple(names), columns) if names else None


def _device(seen: Seen, number: int, row: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a device: its number, its name, its level, and what else matters."""
    remark = "" if row["online"] else "reported" if number in seen.reported else "offline"
    held = f"held by {row['held_by']}" if row["held_by"] else ""
    return (
        Cell(str(number)),
        Cell(row["name"]),
        _value(seen, number, str(row["level"]), row["level"] > 0),
        Cell(" ".join(filter(None, (remark, held))), tone="bad"),
    )


def _value(seen: Seen, number: int, text: str, on: bool) -> Cell:
    """A value that the player can set."""
    tone = "accent" if number in seen.changed else ""
    return Cell(text, "t6" if on else "muted", tone=tone)


def _lists(seen: Seen) -> dict[str, Table]:
    """The rooms, the members and the schedules that have been listed."""

    def rows(table: str) -> list[tuple[int, Mapping[str, Any]]]:
        return [*seen.rows.get(table, {}).items()][-MOST:]

    return {
        "Rooms": Table(
            tuple(
                (
                    Cell(row["name"]),
                    Cell(row["floor"]),
                    Cell(f"{row['temperature'] / 10}"),
                    Cell("open" if row["window_open"] else "shut"),
                    Cell(str(row["minutes_since_motion"])),
                )
                for _, row in rows("room")
            ),
            ("room", "floor", "degrees", "window", "motion"),
        ),
        "Members": Table(
            tuple(
                (
                    Cell(str(number)),
                    Cell(row["name"]),
                    Cell(row["role"]),
                    Cell("at home" if row["at_home"] else "away"),
                )
                for number, row in rows("member")
            ),
            ("id", "name", "role", ""),
        ),
        "Schedules": Table(
            tuple(
                (
                    Cell(str(number)),
                    Cell(str(row["device"])),
                    Cell(str(row["time"])),
                    Cell(str(row["level"])),
                    _value(seen, number, "on" if row["active"] else "off", row["active"]),
                )
                for number, row in rows("schedule")
            ),
            ("id", "device", "time", "level", ""),
        ),
    }


def opening(requests: Sequence[str]) -> Text:
    """The requests, which are all that there is to see before a list has been read."""
    numbered = (f"Request {n}: {request}" for n, request in enumerate(requests, 1))
    return Text(tuple(line for request in numbered for line in wrap(request, WIDE)))


class HomeWorld(PicturedWorld, RecordWorld):
    """A house whose turns have pictures."""

    def __init__(
        self, tables: Tables, seed: int, busy: int, requests: Callable[[], Sequence[str]]
    ) -> None:
        super().__init__(TOOLS, tables, seed, busy)
        self.sightings = Sightings(Seen, note)
        self.requests = requests

    def picture(self, number: int) -> Scene:
        """The rooms and devices that have been seen."""
        return picture(self.sightings.after(number)) or opening(self.requests())
