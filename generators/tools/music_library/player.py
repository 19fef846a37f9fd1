"""The tools of a music library, which do not know the rules of the family."""

from collections.abc import Callable

from palaestra.generators.tools.apps import equal, lister, listing, shown
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.music_library.library import QUEUE, in_text, numbers
from palaestra.generators.tools.records import RecordWorld
from palaestra.task import InvalidAnswer

LONGEST = 100
"""How many characters the name of a playlist may have, and how many tracks its list."""


def _show(table: str, argument: str) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that lists the tracks of a playlist or of the queue in their order."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        number = arguments[argument] if argument else QUEUE
        tracks = numbers(world.row(table, number)["tracks"])
        return listing(world, [(n, world.row("track", n)) for n in tracks], arguments["page"])

    return run


def _history(world: RecordWorld, arguments: Arguments) -> str:
    number, page = arguments.values()
    world.row("playlist", number)
    rows = [each for each in world.rows("history") if each[1]["playlist"] == number]
    return listing(world, rows, page)


def _create_playlist(world: RecordWorld, arguments: Arguments) -> str:
    name, owner, text = arguments.values()
    name = " ".join(name.split()).strip("'\"")
    owners = {row["name"].casefold(): row["name"] for _, row in world.rows("member")}
    if not name or len(name) > LONGEST:
        raise InvalidAnswer(f"a name has 1 to {LONGEST} characters")
    if any(row["name"].casefold() == name.casefold() for _, row in world.rows("playlist")):
        raise InvalidAnswer("there is a playlist of this name")
    if owner.strip().casefold() not in owners:
        raise InvalidAnswer(f"there is no member {owner[:40]!r}")
    words = text.strip(" []").replace(",", " ").split()
    if len(words) > LONGEST or not all(each.isdecimal() and len(each) < 9 for each in words):
        raise InvalidAnswer(f"tracks are listed as '12, 7': up to {LONGEST} ids in order")
    tracks = [*map(int, words)]
    for track in tracks:
        world.row("track", track)
    if len({*tracks}) < len(tracks):
        raise InvalidAnswer("a track is listed twice")
    number = world.add(
        "playlist", name=name, owner=owners[owner.strip().casefold()], tracks=in_text(tracks)
    )
    return shown(number, world.row("playlist", number))


def _delete_playlist(world: RecordWorld, arguments: Arguments) -> str:
    world.remove("playlist", arguments["playlist"])
    return "The playlist is gone."


def _content(world: RecordWorld, playlist: int, track: int, is_in: bool) -> list[int]:
    """The tracks of a playlist. Raises where it has a track or lacks it, other than wanted."""
    content = numbers(world.row("playlist", playlist)["tracks"])
    world.row("track", track)
    if (track in content) != is_in:
        raise InvalidAnswer(f"the playlist {'does not have it' if is_in else 'has it already'}")
    return content


def _store(world: RecordWorld, playlist: int, content: list[int]) -> str:
    world.update("playlist", playlist, tracks=in_text(content))
    return shown(playlist, world.row("playlist", playlist))


def _add_to_playlist(world: RecordWorld, arguments: Arguments) -> str:
    playlist, track = arguments.values()
    content = _content(world, playlist, track, is_in=False)
    return _store(world, playlist, [*content, track])


def _remove_from_playlist(world: RecordWorld, arguments: Arguments) -> str:
    playlist, track = arguments.values()
    content = _content(world, playlist, track, is_in=True)
    return _store(world, playlist, [each for each in content if each != track])


def _replace_in_playlist(world: RecordWorld, arguments: Arguments) -> str:
    playlist, track, replacement = arguments.values()
    _content(world, playlist, replacement, is_in=False)
    content = _content(world, playlist, track, is_in=True)
    return _store(world, playlist, [replacement if each == track else each for each in content])


def _change_queue(adds: bool) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that adds a track to the queue, or removes one."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        track = arguments["track"]
        world.row("track", track)
        content = numbers(world.row("queue", QUEUE)["tracks"])
        if (track in content) == adds:
            raise InvalidAnswer(f"the queue {'has it already' if adds else 'does not have it'}")
        content = [*content, track] if adds else [each for each in content if each != track]
        world.update("queue", QUEUE, tracks=in_text(content))
        return f"The queue: {in_text(content)}."

    return run


def _rate(world: RecordWorld, arguments: Arguments) -> str:
    track, rating = arguments.values()
    if not 0 <= rating <= 5:
        raise InvalidAnswer("ratings go from 0 to 5")
    world.update("track", track, rating=rating)
    return shown(track, world.row("track", track))


_BOTH = {"playlist": int, "track": int}

TOOLS = (
    Tool(
        "list_artists", "List artists, of a genre or all, ten a page.", {"genre": str, "page": int},
        lister("artist", equal("genre")), {"genre": "", "page": 1},
    ),
    Tool(
        "list_albums", "List albums with their years, of an artist or all, ten a page.",
        {"artist": str, "page": int}, lister("album", equal("artist")),
        {"artist": "", "page": 1},
    ),
    Tool(
        "list_tracks", "List tracks by artist, album and title, ten a page.",
        {"artist": str, "album": str, "title": str, "page": int},
        lister("track", equal("artist"), equal("album"), equal("title")),
        {"artist": "", "album": "", "title": "", "page": 1},
    ),
    Tool(
        "list_members", "List the members of the family, ten a page.", {"page": int},
        lister("member"), {"page": 1},
    ),
    Tool(
        "list_playlists", "List the playlists by name, with the ids of their tracks, ten a page.",
        {"name": str, "page": int}, lister("playlist", equal("name")),
        {"name": "", "page": 1},
    ),
    Tool(
        "show_playlist", "List the tracks of a playlist in their order, ten a page.",
        {"playlist": int, "page": int}, _show("playlist", "playlist"), {"page": 1},
    ),
    Tool(
        "playlist_history", "List the changes to a playlist in no special order, ten a page.",
        {"playlist": int, "page": int},
        _history, {"page": 1},
    ),
    Tool(
        "show_queue", "List the tracks of the queue in their order, ten a page.", {"page": int},
        _show("queue", ""), {"page": 1},
    ),
    Tool(
        "create_playlist",
        "Create a playlist of a member with tracks in order, listed by ids such as '12, 7'.",
        {"name": str, "owner": str, "tracks": str}, _create_playlist,
    ),
    Tool("delete_playlist", "Delete a playlist.", {"playlist": int}, _delete_playlist),
    Tool("add_to_playlist", "Add a track at the end of a playlist.", _BOTH, _add_to_playlist),
    Tool("remove_from_playlist", "Remove a track from a playlist.", _BOTH, _remove_from_playlist),
    Tool(
        "replace_in_playlist", "Put another track in the position of a track of a playlist.",
        {"playlist": int, "track": int, "replacement": int}, _replace_in_playlist,
    ),
    Tool(
        "add_to_queue", "Add a track at the end of the queue.", {"track": int},
        _change_queue(adds=True),
    ),
    Tool(
        "remove_from_queue", "Remove a track from the queue.", {"track": int},
        _change_queue(adds=False),
    ),
    Tool("rate", "Set the rating of a track, 0 to 5.", {"track": int, "rating": int}, _rate),
)  # fmt: skip
