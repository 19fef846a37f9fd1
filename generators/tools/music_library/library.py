"""Random libraries: songs in versions, covers of the same title, playlists with a history."""

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.people import NAMES
from palaestra.generators.tools.music_library.policy import VERSIONS, Policy, random_policy
from palaestra.generators.tools.ruled_records import Records, Values

ADJECTIVES = ("Amber", "Broken", "Crystal", "Distant", "Electric", "Frozen", "Golden", "Hidden")
NOUNS = ("Anchors", "Birds", "Comets", "Dancers", "Echoes", "Foxes", "Gardens", "Harbours")
WORDS = ("Rain", "River", "Night", "Stone", "Window", "Letter", "Road", "Fire", "Winter", "Mirror")
TITLES = tuple(
    f"{first} {second}" for first in ("Cold", "Slow", "Blue", "Last") for second in WORDS
)
GENRES = ("folk", "rock", "jazz", "soul")
PLAYLISTS = (
    "Road trip", "Kitchen", "Morning run", "Rainy days", "Party", "Homework", "Garden", "Sleep",
)  # fmt: skip
QUEUE = 1
"""The number of the only row of the queue."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "artist": ("name", "genre"),
    "album": ("title", "artist", "year"),
    "track": ("title", "artist", "album", "version", "seconds", "plays", "rating", "explicit"),
    "playlist": ("name", "owner", "tracks"),
    "queue": ("tracks",),
    "history": ("playlist", "date", "member", "change", "track"),
    "member": ("name", "role"),
}
"""The fields of each table. The tracks of a list are their numbers, separated by commas."""


class Size(NamedTuple):
    """How much there is of each."""

    artists: int
    albums: int
    """Of each artist, at most."""
    tracks: int
    """Of each album, at most."""
    playlists: int
    changes: int
    """In the history of each playlist, at most."""
    rules: int


def numbers(tracks: str) -> list[int]:
    """The numbers in a list of tracks.

    >>> numbers("12, 7")
    [12, 7]
    """
    return [*map(int, tracks.split(", "))] if tracks else []


def in_text(tracks: list[int]) -> str:
    """A list of tracks as it is stored.

    >>> in_text([12, 7])
    '12, 7'
    """
    return ", ".join(map(str, tracks))


class _Drawing(NamedTuple):
    """The records so far, and the numbers for others."""

    rng: Random
    size: Size
    numbers: list[int]
    rows: dict[str, list[Values]]

    def add(self, table: str, *values: int | str | bool) -> int:
        """Add a row, and give its number."""
        number = self.numbers.pop()
        self.rows[table].append((number, *values))
        return number


def random_library(rng: Random, size: Size) -> tuple[Records, Policy]:
    """A random library and the rules of the family."""
    unused = rng.sample(range(10, 3_000), 1_000)
    drawing = _Drawing(rng, size, unused, {name: [] for name in FIELDS})
    names = rng.sample([f"{one} {two}" for one in ADJECTIVES for two in NOUNS], size.artists)
    for name in names:
        drawing.add("artist", name, rng.choice(GENRES[: 1 + size.artists // 3]))
        _add_albums(drawing, name)
    people = rng.sample(NAMES, 5)
    for person, role in zip(people, ("adult", "adult", "child", "child", "child")):
        drawing.add("member", person, role)
    _add_playlists(drawing, people)
    tracks = [int(row[0]) for row in drawing.rows["track"]]
    drawing.rows["queue"].append((QUEUE, in_text(rng.sample(tracks, min(6, len(tracks) // 2)))))
    policy = random_policy(rng, size.rules, names)
    return tuple((name, tuple(sorted(rows))) for name, rows in drawing.rows.items()), policy


def _add_albums(drawing: _Drawing, artist: str) -> None:
    """Albums of an artist, with songs that occur in several versions."""
    rng, size = drawing.rng, drawing.size
    titles = rng.sample(TITLES, 4 + size.tracks)
    for n in range(rng.randint(2, size.albums)):
        word = "Holiday" if rng.randrange(6) == 0 else rng.choice(WORDS)
        album = f"{word} {('Songs', 'Sessions', 'Stories', 'Hours')[n % 4]}"
        drawing.add("album", album, artist, rng.randint(1968, 2028))
        for title in rng.sample(titles, rng.randint(3, size.tracks)):
            version = rng.choices(VERSIONS, (5, 2, 1, 2))[0]
            seconds = rng.randint(30, 99) if rng.randrange(8) == 0 else rng.randint(120, 420)
            plays, rating = rng.randint(0, 120), rng.choice((0, 1, 2, 3, 3, 4, 4, 5))
            explicit = rng.randrange(4) == 0
            drawing.add("track", title, artist, album, version, seconds, plays, rating, explicit)


def _add_playlists(drawing: _Drawing, people: list[str]) -> None:
    """Playlists of members of the family, each the outcome of its history."""
    rng, size = drawing.rng, drawing.size
    tracks = [int(row[0]) for row in drawing.rows["track"]]
    for name in rng.sample(PLAYLISTS, size.playlists):
        # Tracks of few artists, so that several versions of a song occur.
        artists = rng.sample([row[1] for row in drawing.rows["artist"]], 2)
        close = [int(row[0]) for row in drawing.rows["track"] if row[2] in artists]
        content = rng.sample(close, min(len(close), rng.randint(5, 8)))
        number = drawing.numbers.pop()
        minutes = sorted(rng.sample(range(30 * 24 * 60), rng.randint(3, size.changes)))
        for minute in minutes:
            if content and rng.randrange(2):
                change, track = "removed", rng.choice(content)
                content.remove(track)
            else:
                change, present = "added", {*content}
                track = rng.choice([each for each in tracks if each not in present])
                content.append(track)
            when = f"{moment(minute)}"
            drawing.add("history", number, when, rng.choice(people[:3]), change, track)
        drawing.rows["playlist"].append((number, name, rng.choice(people), in_text(content)))


def moment(minute: int) -> str:
    """A time in the thirty days of the histories.

    >>> moment(1500)
    '2031-05-02 01:00'
    """
    day = date(2031, 5, 1) + timedelta(minute // 1440)
    return f"{day.isoformat()} {minute // 60 % 24:02}:{minute % 60:02}"
