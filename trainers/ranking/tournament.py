"""Tournaments that are kept in a folder, game by game, and can be continued.

A folder has ``tournament.json`` (what it is of), ``games.jsonl`` (a line for each game, appended
when it is over), and, once it is written, the ranking as ``ranking.json`` and ``ranking.md`` with
``ranking.png``.
"""

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from palaestra import __version__
from palaestra.address import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.trainers.evaluation.reports import table
from palaestra.trainers.ranking.games import Game, GameError, games_of, play
from palaestra.trainers.ranking.players import Player
from palaestra.trainers.ranking.plots import FILE, plot
from palaestra.trainers.ranking.ratings import Standing, standings

GAMES, MANIFEST, RANKING, PAGE = "games.jsonl", "tournament.json", "ranking.json", "ranking.md"

HEADS = ("player", "rating", "95 %", "score", "95 %", "games", "wins", "draws", "losses")


class OtherTournament(ValueError):
    """A folder that holds a tournament with other settings, or something else."""


@dataclass(frozen=True)
class Tournament:
    """The games so far. ``failed`` has the reasons of games that could not be played."""

    games: tuple[Game, ...]
    planned: int
    failed: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.games) >= self.planned

    def standings(self) -> list[Standing]:
        """The ranking."""
        return standings(self.games)

    def write(self, folder: Path) -> list[Standing]:
        """Write the ranking into a folder, with a plot where matplotlib is installed; without it,
        a plot of an earlier ranking is deleted.
        """
        rows = self.standings()
        values = {
            "games": len(self.games),
            "planned": self.planned,
            "failed": list(self.failed[:20]),
            "standings": [asdict(row) for row in rows],
        }
        (folder / RANKING).write_text(json.dumps(values, indent=1), "utf-8")
        picture = plot(rows, folder)
        if picture is None:
            (folder / FILE).unlink(missing_ok=True)
        (folder / PAGE).write_text(page(rows, has_plot=picture is not None), "utf-8")
        return rows


def page(rows: Sequence[Standing], *, has_plot: bool = True) -> str:
    """The ranking as a table in Markdown, above its plot."""
    lines = table(HEADS, [cells(row) for row in rows])
    plots = [f"![Ratings]({FILE})", ""] if has_plot else []
    return "\n".join(["# Ranking", "", *lines, "", *plots])


def cells(row: Standing) -> tuple[str, ...]:
    """A standing as texts, one for each of :data:`HEADS`."""
    return (
        row.player,
        f"{row.rating:.1f}",
        f"{row.low:.1f} to {row.high:.1f}",
        f"{row.score:.2f}",
        f"{row.score_low:.2f} to {row.score_high:.2f}",
        *map(str, (row.games, row.wins, row.draws, row.losses)),
    )


class Record:
    """The games of a folder. Opening it again with the same settings continues it.

    Raises :class:`OtherTournament` for a folder of something else.
    """

    def __init__(self, folder: Path, same: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        manifest = folder / MANIFEST
        if manifest.exists():
            _check_same(manifest, same)
        elif any(folder.iterdir()):
            raise OtherTournament(f"{folder} is not empty, and holds no tournament")
        else:
            values = {"content": "a tournament", "same": same, "palaestra": __version__}
            manifest.write_text(json.dumps(values, indent=1), "utf-8")
        self._file = folder / GAMES
        self.games = {game.key: game for game in self._kept()}

    def _kept(self) -> Iterable[Game]:
        """The games of the file, without a line that was being written when its process ended."""
        if not self._file.exists():
            return
        data = self._file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._file.write_bytes(whole)
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                yield Game.of(json.loads(line))
            except (TypeError, ValueError) as fault:
                raise OtherTournament(f"{self._file}, line {number}, is no game: {fault}") from None

    def keep(self, game: Game) -> None:
        """Append a game."""
        self.games[game.key] = game
        with self._file.open("ab") as file:
            file.write(json.dumps(game.plain()).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _check_same(manifest: Path, same: dict[str, Any]) -> None:
    try:
        before = json.loads(manifest.read_text("utf-8"))["same"]
    except (ValueError, KeyError, TypeError):
        raise OtherTournament(f"{manifest} is not that of a tournament") from None
    names = sorted(name for name in same if before.get(name) != same[name])
    if names:
        raise OtherTournament(
            f"{manifest.parent} holds a tournament with other settings: {', '.join(names)}"
        )


async def run_games(  # noqa: PLR0913
    addresses: Sequence[Address],
    players: Sequence[Player],
    *,
    out: Path | None = None,
    concurrency: int = 8,
    answer_format: str = "tags",
    give_up_after: int = 8,
    progress: Callable[[int, int], None] = lambda done, planned: None,
) -> Tournament:
    """Play all games of a tournament, see :func:`~palaestra.trainers.ranking.games.games_of`.

    With ``out``, games are kept in that folder as they end, and those that it has are not played
    again; players may be added. After ``give_up_after`` games in a row that could not be
    scored, no other game begins.

    Raises ``ValueError`` for fewer than two players or two of the same name, and
    :class:`OtherTournament` if ``out`` holds something else.
    """
    names = [each.name for each in players]
    if len(set(names)) < max(2, len(names)):
        raise ValueError("a tournament has two players at least, and their names differ")
    plan = [*games_of(addresses, players)]
    envs = sorted({address.env for address in addresses})
    same = {
        "answer_format": answer_format,
        "fingerprints": {env: recorded_fingerprint(env) or "" for env in envs},
    }
    record = Record(out, same) if out is not None else None
    held = {} if record is None else record.games
    keys = [(str(address), tuple(each.name for each in seats)) for address, seats in plan]
    run = _Run(record, answer_format, give_up_after, progress, len(plan))
    run.games = {key: held[key] for key in keys if key in held}
    waiting = iter([game for game, key in zip(plan, keys) if key not in held])
    progress(len(run.games), len(plan))
    await asyncio.gather(*(run.work(waiting) for _ in range(concurrency)))
    return Tournament(tuple(run.games.values()), len(plan), tuple(run.failed))


class _Run:
    """A tournament under way."""

    def __init__(
        self, record: Record | None, answer_format: str, give_up_after: int,
        progress: Callable[[int, int], None], planned: int,
    ) -> None:  # fmt: skip
        self.record, self.answer_format = record, answer_format
        self.give_up_after, self.progress, self.planned = give_up_after, progress, planned
        self.games: dict[Any, Game] = {}
        self.failed: list[str] = []
        self.in_a_row = 0

    async def work(self, waiting: Iterable[tuple[Address, tuple[Player, ...]]]) -> None:
        """Play games until none is left, or too many have failed."""
        for address, seats in waiting:
            if self.in_a_row >= self.give_up_after:
                return
            try:
                game = await play(address, seats, self.answer_format)
            except GameError as fault:
                self.failed.append(f"{address}: {fault}")
                self.in_a_row += 1
                continue
            self.in_a_row = 0
            self.games[game.key] = game
            if self.record is not None:
                self.record.keep(game)
            self.progress(len(self.games), self.planned)
            await asyncio.sleep(0)
