"""A player who knows the rules and the requests, and reads everything else through the tools."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.apps import MOST_CALLS, Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.music_library.decisions import deeds
from palaestra.generators.tools.music_library.library import QUEUE, in_text
from palaestra.generators.tools.music_library.policy import Policy
from palaestra.generators.tools.music_library.requests import Action, Request


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    steps: int = MOST_CALLS
    """How many of the calls that a request needs it makes."""
    skipped: str = ""
    """A type of request that it leaves out."""


CAREFUL = Habits()


def fulfil(policy: Policy, requests: Sequence[Request], habits: Habits = CAREFUL) -> Client:
    """Read what each request is about, and do what it needs."""
    for request in requests:
        if request.action == habits.skipped:
            continue
        reader = _Reader(habits)
        yield from reader.list("member", "list_members")
        yield from _READ[request.action](reader, request)
        try:
            steps = deeds(reader.known, policy, request)
        except (StopIteration, KeyError):
            continue  # a lazy client has not read enough to know
        yield from calling(steps[: habits.steps])


class _Reader:
    """What is known for one request."""

    def __init__(self, habits: Habits) -> None:
        self.habits, self.known = habits, Known()

    def list(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list."""
        self.known.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))

    def playlist(self, name: str) -> Reading:
        """Read a playlist with its tracks."""
        yield from self.list("playlist", "list_playlists", name=name)
        for number, row in self.known.rows("playlist"):
            if row["name"] == name:
                yield from self.list("track", "show_playlist", playlist=number)


def _selected(reader: _Reader, request: Request) -> Reading:
    """Read all tracks of the artists that a request is about, and the years of their albums."""
    which = request.which
    yield from reader.list("artist", "list_artists", genre=which.genre)
    artists = [row["name"] for _, row in reader.known.rows("artist")]
    for artist in artists:
        if which.artist in ("", artist):
            yield from reader.list("track", "list_tracks", artist=artist)
            if which.since or which.until or request.order == "year":
                yield from reader.list("album", "list_albums", artist=artist)


def _queue(reader: _Reader, request: Request) -> Reading:
    yield from _selected(reader, request)
    queued = yield from listed("show_queue", most=reader.habits.rows)
    reader.known.note("queue", [{"id": QUEUE, "tracks": in_text([row["id"] for row in queued])}])


def _one(reader: _Reader, request: Request) -> Reading:
    yield from reader.playlist(request.name)


def _undo(reader: _Reader, request: Request) -> Reading:
    """Read the history of a playlist; tracks that are no longer there are looked up by lists of
    all tracks.
    """
    yield from reader.playlist(request.name)
    for number, _ in [*reader.known.rows("playlist")]:
        yield from reader.list("history", "playlist_history", playlist=number)
    known = {number for number, _ in reader.known.rows("track")}
    changes = (row for _, row in reader.known.rows("history"))
    if any(row["change"] == "removed" and row["track"] not in known for row in changes):
        yield from reader.list("track", "list_tracks")


def _fit(reader: _Reader, request: Request) -> Reading:
    """Read a playlist and the other versions of its explicit songs."""
    yield from reader.playlist(request.name)
    for _, row in [*reader.known.rows("track")]:
        if row["explicit"]:
            song = {"title": row["title"], "artist": row["artist"]}
            yield from reader.list("track", "list_tracks", **song)


def _append(reader: _Reader, request: Request) -> Reading:
    yield from reader.playlist(request.name)
    yield from reader.playlist(request.other)


_READ: Mapping[Action, Callable[[_Reader, Request], Reading]] = {
    "playlist": _selected,
    "queue": _queue,
    "rate": _selected,
    "dedupe": _one,
    "undo": _undo,
    "fit": _fit,
    "append": _append,
}
