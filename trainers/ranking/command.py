"""``palaestra ladder``: a tournament with a progress bar, which can be interrupted."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palaestra.address import Address
from palaestra.registry import load
from palaestra.task import Match
from palaestra.trainers.evaluation.client import ChatClient
from palaestra.trainers.evaluation.command import INTERRUPTED, cancel_on_sigterm, progress_bar
from palaestra.trainers.evaluation.runner import endpoint_asks
from palaestra.trainers.ranking.players import Player, endpoint_of, endpoint_player, player
from palaestra.trainers.ranking.plots import FILE
from palaestra.trainers.ranking.tournament import HEADS, PAGE, Tournament, cells, run_games


def addresses_of(levels: Mapping[str, Sequence[int]], seeds: range) -> list[Address]:
    """The tasks of a tournament: each match at each of its levels, with each seed.

    Raises ``ValueError`` for an environment that is no match.
    """
    for name in levels:
        if not issubclass(load(name), Match):
            raise ValueError(f"{name} has one player, so nobody can be ranked by it")  # noqa: TRY004
    return [
        Address.of(name, seed, level)
        for name, own in levels.items()
        for level in own
        for seed in seeds
    ]


def run(  # noqa: PLR0913, PLR0917
    addresses: Sequence[Address],
    names: Sequence[str],
    out: Path,
    consoles: tuple[Console, Console],
    client: Mapping[str, Any],
    sampling: Mapping[str, Any],
    options: Mapping[str, Any],
) -> int:
    """Play a tournament, write and print the ranking, and return the exit code.

    ``names`` are those of players, ``client`` holds options of
    :class:`~palaestra.trainers.evaluation.client.ChatClient`, ``sampling`` goes into each request,
    and ``options`` are those of :func:`~palaestra.trainers.ranking.tournament.run_games`. The code
    is 0 if all games were played, 130 after an interruption, and otherwise 1.
    """
    say, err = consoles
    bar = progress_bar(err)
    line = bar.add_task("games", total=None, text="")

    def moved_on(done: int, planned: int) -> None:
        bar.update(line, completed=done, total=planned)

    async def played() -> Tournament:
        cancel_on_sigterm()
        async with AsyncExitStack() as clients:
            players = [await _player(name, clients, client, sampling) for name in names]
            return await run_games(addresses, players, out=out, progress=moved_on, **options)

    try:
        with bar:
            done = asyncio.run(played())
    except (KeyboardInterrupt, asyncio.CancelledError):
        _print(err, "interrupted; the same command goes on from here")
        return INTERRUPTED
    if done.games:
        layout = Table(*HEADS, box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
        for row in done.write(out):
            layout.add_row(*map(Text, cells(row)))  # brackets are no markup
        say.print(layout)
        _print(say, f"{out / PAGE}")
        if not (out / FILE).exists():
            _print(err, "no plot: matplotlib is not installed: pip install 'palaestra[ranking]'")
    if not done.complete:
        _print(err, f"{len(done.games)} of {done.planned} games are played")
        _print(err, done.failed[-1] if done.failed else "")
        _print(err, "the same command goes on from here")
    return int(not done.complete)


async def _player(
    name: str, clients: AsyncExitStack, client: Mapping[str, Any], sampling: Mapping[str, Any]
) -> Player:
    endpoint = endpoint_of(name)
    if endpoint is None:
        return player(name)
    model, url = endpoint
    connected = await clients.enter_async_context(ChatClient(url, **client))
    return endpoint_player(name, endpoint_asks(connected, model, sampling)(0))


def _print(console: Console, text: str) -> None:
    if text:
        console.print(text, highlight=False, markup=False, soft_wrap=True)
