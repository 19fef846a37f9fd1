"""What requests need by the rules of a family, from what somebody knows."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.music_library.library import QUEUE, in_text, numbers
from palaestra.generators.tools.music_library.policy import Policy
from palaestra.generators.tools.music_library.requests import Action, Order, Request, Selection
from palaestra.generators.tools.records import Row

Track = tuple[int, Row]


class Desk(NamedTuple):
    """What is known, and the policy."""

    known: Known
    policy: Policy

    def playlist(self, name: str) -> Track:
        """A playlist by name."""
        return self.known.by("playlist", "name")[name][0]

    def tracks(self) -> Mapping[int, Row]:
        """The tracks by number."""
        return dict(self.known.rows("track"))

    def year(self, row: Row) -> int:
        """The year of a track."""
        _, album = self.known.by("album", _song)[row["album"], row["artist"]][0]
        return int(album["year"])

    def selected(self, which: Selection) -> list[Track]:
        """The tracks that meet conditions."""
        artists = {
            row["name"]
            for _, row in self.known.rows("artist")
            if which.artist in ("", row["name"]) and which.genre in ("", row["genre"])
        }
        return [
            (number, row)
            for number, row in self.known.rows("track")
            if row["artist"] in artists
            and row["rating"] >= which.rating
            and row["plays"] >= which.plays
            and (not which.longest or row["seconds"] <= which.longest)
            and self._is_from(row, which)
        ]

    def _is_from(self, row: Row, which: Selection) -> bool:
        """Whether the year of a track is within those of a selection."""
        if not which.since and not which.until:
            return True
        return which.since <= self.year(row) <= (which.until or 9_999)

    def ordered(self, tracks: Iterable[Track], order: Order) -> list[Track]:
        """Tracks in an order; equal ones by number."""
        keys: Mapping[Order, Callable[[Row], int | str]] = {
            "plays": lambda row: -row["plays"],
            "year": self.year,
            "seconds": lambda row: int(row["seconds"]),
            "title": lambda row: str(row["title"]),
        }
        return sorted(tracks, key=lambda track: (keys[order](track[1]), track[0]))

    def preference(self, track: Track) -> tuple[int, int, int]:
        """The lower, the more a version of a song is preferred."""
        number, row = track
        return self.policy.versions.index(row["version"]), -row["plays"], number

    def preferred(self, tracks: Iterable[Track]) -> set[int]:
        """The numbers of the preferred versions of the songs among tracks."""
        best: dict[tuple[str, str], Track] = {}
        for track in sorted(tracks, key=self.preference):
            best.setdefault(_song(track[1]), track)
        return {number for number, _ in best.values()}

    def _is_child(self, owner: str) -> bool:
        members = self.known.by("member", "name").get(owner, ())
        return any(member["role"] == "child" for _, member in members)

    def may_be_added(self, row: Row, owner: str) -> bool:
        """Whether a track may be added to a playlist of an owner, or to the queue for ``""``."""
        policy = self.policy
        return not (
            (policy.has("explicit") and row["explicit"] and self._is_child(owner))
            or (policy.has("live") and row["version"] == "live")
            or (policy.has("short") and row["seconds"] < policy.seconds)
            or (policy.has("banned") and row["artist"] == policy.banned and owner)
            or (policy.has("holiday") and "Holiday" in row["album"])
        )

    def may_be_removed(self, row: Row) -> bool:
        """Whether a track may be removed from a playlist or replaced."""
        policy = self.policy
        return not (
            (policy.has("favourites") and row["rating"] == 5)
            or (policy.has("kept") and row["artist"] == policy.kept)
        )

    def candidates(self, request: Request, present: Container[int] = ()) -> list[Track]:
        """The tracks that may go into a new playlist or the queue, in the wanted order, without
        those that are present.
        """
        tracks = [
            (number, row)
            for number, row in self.selected(request.which)
            if number not in present and self.may_be_added(row, request.member)
        ]
        if self.policy.has("versions"):
            best = self.preferred(tracks)
            tracks = [track for track in tracks if track[0] in best]
        return self.ordered(tracks, request.order)

    def additions(self, number: int, owner: str, length: int, tracks: list[Track]) -> list[Deed]:
        """The calls that add tracks to a playlist with a number of tracks."""
        allowed = [track for track, row in tracks if self.may_be_added(row, owner)]
        if self.policy.has("cap"):
            allowed = allowed[: max(0, self.policy.cap - length)]
        return [Deed("add_to_playlist", {"playlist": number, "track": each}) for each in allowed]


def _song(row: Row) -> tuple[str, str]:
    """What a song or an album is known by: those of several artists may have the same title."""
    return row["title"], row["artist"]


def deeds(known: Known, policy: Policy, request: Request) -> list[Deed]:
    """The calls that a request needs, by what is known."""
    return _DEEDS[request.action](Desk(known, policy), request)


def _playlist(desk: Desk, request: Request) -> list[Deed]:
    policy, seconds, content = desk.policy, 0, list[int]()
    artists = Counter[str]()
    for number, row in desk.candidates(request):
        if policy.has("cap") and len(content) >= policy.cap:
            break
        artists[row["artist"]] += 1
        if policy.has("several") and artists[row["artist"]] > policy.several:
            continue
        if request.minutes and seconds + row["seconds"] > 60 * request.minutes:
            if policy.skips:
                continue
            break
        seconds += row["seconds"]
        content.append(number)
    values = {"name": request.name, "owner": request.member, "tracks": in_text(content)}
    return [Deed("create_playlist", values)] if content else []


def _queue(desk: Desk, request: Request) -> list[Deed]:
    queued = numbers(dict(desk.known.rows("queue"))[QUEUE]["tracks"])
    new = desk.candidates(request, queued)[: request.number]
    return [Deed("add_to_queue", {"track": number}) for number, _ in new]


def _rate(desk: Desk, request: Request) -> list[Deed]:
    keeps = desk.policy.has("favourites")
    return [
        Deed("rate", {"track": number, "rating": request.number})
        for number, row in desk.selected(request.which)
        if row["rating"] != request.number and not (keeps and row["rating"] == 5)
    ]


def _dedupe(desk: Desk, request: Request) -> list[Deed]:
    number, playlist = desk.playlist(request.name)
    rows = desk.tracks()
    tracks = [(each, rows[each]) for each in numbers(playlist["tracks"])]
    best = desk.preferred(tracks)
    return [
        Deed("remove_from_playlist", {"playlist": number, "track": track})
        for track, row in tracks
        if track not in best and desk.may_be_removed(row)
    ]


def _undo(desk: Desk, request: Request) -> list[Deed]:
    number, playlist = desk.playlist(request.name)
    rows, content = desk.tracks(), numbers(playlist["tracks"])
    first: dict[int, str] = {}
    last: dict[int, str] = {}
    changes = [row for _, row in desk.known.rows("history") if row["playlist"] == number]
    for change in sorted(changes, key=lambda row: row["date"]):
        if change["date"] >= request.date:
            last[change["track"]] = change["member"]
            if change["member"] == request.member:
                first.setdefault(change["track"], change["change"])
    own = [track for track in first if last[track] == request.member]
    removed = [
        track
        for track in own
        if first[track] == "added" and track in content and desk.may_be_removed(rows[track])
    ]
    missing = [
        (track, rows[track]) for track in own if first[track] == "removed" and track not in content
    ]
    steps = [
        Deed("remove_from_playlist", {"playlist": number, "track": track}) for track in removed
    ]
    length = len(content) - len(removed)
    return steps + desk.additions(number, playlist["owner"], length, missing)


def _fit(desk: Desk, request: Request) -> list[Deed]:
    number, playlist = desk.playlist(request.name)
    rows, content = desk.tracks(), numbers(playlist["tracks"])
    songs = desk.known.by("track", _song)
    steps = []
    for track in [*content]:
        row = rows[track]
        if not row["explicit"] or not desk.may_be_removed(row):
            continue
        versions = [
            (each, other)
            for each, other in songs[_song(row)]
            if not other["explicit"]
            and each not in content
            and desk.may_be_added(other, playlist["owner"])
        ]
        values = {"playlist": number, "track": track}
        if versions:
            (best,) = desk.preferred(versions)
            content.append(best)
            steps.append(Deed("replace_in_playlist", {**values, "replacement": best}))
        else:
            steps.append(Deed("remove_from_playlist", values))
    return steps


def _append(desk: Desk, request: Request) -> list[Deed]:
    number, playlist = desk.playlist(request.name)
    rows, content = desk.tracks(), numbers(playlist["tracks"])
    others = numbers(desk.playlist(request.other)[1]["tracks"])
    new = [(track, rows[track]) for track in others if track not in content]
    return desk.additions(number, playlist["owner"], len(content), new)


_DEEDS: Mapping[Action, Callable[[Desk, Request], list[Deed]]] = {
    "playlist": _playlist,
    "queue": _queue,
    "rate": _rate,
    "dedupe": _dedupe,
    "undo": _undo,
    "fit": _fit,
    "append": _append,
}
