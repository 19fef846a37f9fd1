"""The files of environments that ``palaestra import textarena`` writes."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.floors import Floor, floor_of_episodes
from palaestra.importers.folders import chosen, existing, next_version, written_class
from palaestra.importers.processes import called, installed
from palaestra.importers.textarena import EXTRA
from palaestra.registry import class_name

SUMMARY = "Games of one player of TextArena, written by `palaestra import textarena`."

SETUP_S = 300.0
"""Seconds in which all variants are set up once."""

CONSTANTS = ("", "0", "[0]", "[1]", "[A]", "[up]", "[right]", "[stand]", "[accept]", "[red]")
"""Moves that are repeated until the end of a game."""


class ImportedGame(NamedTuple):
    """A game with the text of its file, and what a player without skill earns."""

    name: str
    text: str
    floor: Floor
    levels: int


def chosen_games(only: Sequence[str] = ()) -> list[str]:
    """The games of one player that the installed release can set up here, all or some of them.

    Raises ``ValueError`` for any other, with the reason or with near matches, and
    :class:`~palaestra.extras.MissingExtra` without the package.
    """
    installed("textarena", EXTRA)
    known, refused = _games()["games"], _games()["refused"]
    for name in only:
        if name in refused:
            raise ValueError(f"{name} cannot be set up for one player here: {refused[name]}")
    return chosen(only, known, "TextArena has no game of one player")


@cache
def _games() -> dict[str, Any]:
    games: dict[str, Any] = called(
        "palaestra.importers.textarena.games:single_player_games", wall_s=SETUP_S
    )
    return games


def imported_games(
    games: Sequence[str], folder: Path, category: str, measure: bool = True
) -> Iterator[ImportedGame]:
    """The files of games, with their floors measured unless ``measure`` is false."""
    release = installed("textarena", EXTRA)
    for name in games:
        variants = _games()["games"][name]
        version = next_version(existing(folder, category, name), release)
        text = game_text(name, category, release, version, variants, Floor())
        floor = Floor()
        if measure:
            floor = floor_of_episodes(written_class(text, f"{category}/{name}"), CONSTANTS)
            text = game_text(name, category, release, version, variants, floor)
        yield ImportedGame(name, text, floor, len(variants))


def game_text(  # noqa: PLR0913, PLR0917
    name: str, category: str, release: str, version: int, variants: Sequence[str], floor: Floor
) -> str:
    """The text of the file of a game."""
    rungs = ", ".join(f'"{variant}"' for variant in variants)
    note = f"    baseline_note = {floor.warning!r}\n" if floor.warning else ""
    return (
        f'"""{name} of TextArena {release}."""\n\n'
        "from typing import Literal\n\n"
        "from palaestra.importers.textarena import TextArenaGame\n"
        "from palaestra.task import ladder\n\n\n"
        f"class {class_name(f'{category}/{name}')}(TextArenaGame):\n"
        f'    """{floor.summary(f"{name} of TextArena")}"""\n\n'
        f"    version = {version}\n"
        f'    release = "{release}"\n'
        f'    tags = frozenset({{"textarena"}})\n{note}\n'
        "    class Knobs(TextArenaGame.Knobs):\n"
        f"        variant: Literal[{rungs}] = ladder({rungs})\n"
    )
