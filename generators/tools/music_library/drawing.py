"""Random requests that change something in a music library."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.errands import Asking, Wanted
from palaestra.generators.tools.music_library.decisions import Desk, deeds
from palaestra.generators.tools.music_library.library import FIELDS, numbers
from palaestra.generators.tools.music_library.player import TOOLS
from palaestra.generators.tools.music_library.policy import Policy
from palaestra.generators.tools.music_library.requests import ORDERS, Request, Selection
from palaestra.generators.tools.records import RecordWorld, Row
from palaestra.generators.tools.ruled_records import Records, tables_of

NEW = (
    "Harvest", "Sunday", "Long drive", "Quiet hour", "First light", "Blue hour", "Old friends",
    "Wild cards", "Lanterns", "Tea time",
)  # fmt: skip
"""Names of new playlists."""


class MusicAsking(Asking[Request, Policy]):
    """Draws requests about a library; ``conditions`` is the number of those that tracks meet."""

    most = 9
    single = frozenset({"playlist"})

    def __init__(
        self, rng: Random, records: Records, policy: Policy, wanted: Wanted, conditions: int
    ) -> None:
        world = RecordWorld(TOOLS, tables_of(records, FIELDS))
        super().__init__(rng, world, policy, wanted)
        self.conditions = conditions

    def ask(self, action: str) -> Request:
        return _DRAW[action](self)

    def deeds(self, known: Known, policy: Policy, request: Request) -> list[Deed]:
        return deeds(known, policy, request)

    def row(self, table: str) -> Row:
        """A random row of a table."""
        return self.rng.choice([*self.known.rows(table)])[1]

    def selection(self) -> Selection:
        """Conditions that a random track meets, about one artist or one genre."""
        rng, track = self.rng, self.row("track")
        artist = next(row for _, row in self.known.rows("artist") if row["name"] == track["artist"])
        year = Desk(self.known, self.policy).year(track)
        source: dict[str, Any] = {"artist": artist["name"]}
        if rng.randrange(3):
            source = {"genre": artist["genre"]}
        conditions: list[dict[str, Any]] = [
            {"since": year - rng.randint(0, 20)},
            {"until": year + rng.randint(0, 20)},
            {"rating": rng.randint(1, max(1, track["rating"]))},
            {"plays": rng.randint(1, max(1, track["plays"]))},
            {"longest": track["seconds"] + rng.randint(0, 120)},
        ]
        for condition in rng.sample(conditions, rng.randint(1, self.conditions)):
            source |= condition
        return Selection(**source)


def _playlist(asking: MusicAsking) -> Request:
    rng = asking.rng
    taken = {row["name"] for _, row in asking.known.rows("playlist")}
    return Request(
        "playlist", asking.selection(), rng.choice([*ORDERS]),
        name=rng.choice([name for name in NEW if name not in taken]),
        member=asking.row("member")["name"],
        minutes=rng.choice((0, rng.randint(8, 40), rng.randint(8, 40))),
    )  # fmt: skip


def _queue(asking: MusicAsking) -> Request:
    rng = asking.rng
    order, number = rng.choice([*ORDERS]), rng.randint(2, 4)
    return Request("queue", asking.selection(), order, number=number)


def _rate(asking: MusicAsking) -> Request:
    return Request("rate", asking.selection(), number=asking.rng.randint(1, 5))


def _named(asking: MusicAsking) -> Row:
    """A playlist."""
    return asking.row("playlist")


def _dedupe(asking: MusicAsking) -> Request:
    return Request("dedupe", name=_named(asking)["name"])


def _undo(asking: MusicAsking) -> Request:
    """Somebody's changes from the day of one of them on."""
    change = asking.row("history")
    playlists = dict(asking.known.rows("playlist"))
    name, member = playlists[change["playlist"]]["name"], change["member"]
    return Request("undo", name=name, member=member, date=change["date"][:10])


def _fit(asking: MusicAsking) -> Request:
    return Request("fit", name=_named(asking)["name"])


def _append(asking: MusicAsking) -> Request:
    """A playlist that has tracks, and another one."""
    one, other = asking.rng.sample([row for _, row in asking.known.rows("playlist")], 2)
    one, other = (one, other) if numbers(other["tracks"]) else (other, one)
    return Request("append", name=one["name"], other=other["name"])


_DRAW: Mapping[str, Callable[[MusicAsking], Request]] = {
    "playlist": _playlist,
    "queue": _queue,
    "rate": _rate,
    "dedupe": _dedupe,
    "undo": _undo,
    "fit": _fit,
    "append": _append,
}
