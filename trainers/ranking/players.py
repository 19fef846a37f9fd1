"""Players of matches: random, built-in and baseline ones, and models behind endpoints."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import Any

from palaestra.episode import Episode
from palaestra.task import Match
from palaestra.trainers.episodes import Ask
from palaestra.trainers.ranking.tree_search import best_move, position_of
from palaestra.trainers.self_play import chat

Reply = Callable[[Episode], Awaitable[str]]
"""The reply of the player whose turn it is."""

NAMES = ("random", "built-in", "baseline", "baseline:N", "mcts", "mcts:N", "MODEL@URL")
"""The forms of a player's name."""

SIMULATIONS, MOST_SIMULATIONS = 200, 100_000
"""The simulations of a move of the player ``mcts``, and the most that ``mcts:N`` takes."""


@dataclass(frozen=True)
class Player:
    """Someone who can play any match. Names of different players differ."""

    name: str
    reply: Reply


def player(name: str) -> Player:
    """The player of a name: ``random`` makes any legal move, ``built-in`` is the opponent of the
    match itself, ``baseline`` the first of its baseline players and ``baseline:2`` the second;
    ``mcts:1000`` searches a tree with a thousand simulations a move, ``mcts`` with 200.

    Raises ``ValueError`` for other names.
    """
    if name == "random":
        return Player(name, _random)
    if name == "built-in":
        return Player(name, _built_in)
    form, _, number = name.partition(":")
    if form == "baseline" and (number or "1").isdecimal() and 0 < int(number or "1") < 100:
        index = int(number or "1") - 1

        async def reply(episode: Episode) -> str:
            return _baseline(episode, index)

        return Player(f"baseline:{index + 1}", reply)
    if form == "mcts" and (number or "1").isdecimal() and len(number) < 10:
        return _searcher(int(number or SIMULATIONS))
    near = get_close_matches(name, NAMES, 2, 0.4)
    hint = f"did you mean {' or '.join(near)}" if near else f"one of {', '.join(NAMES)}"
    raise ValueError(f"there is no player {name[:60]!r} ({hint})")


def endpoint_of(name: str) -> tuple[str, str] | None:
    """The model and the base URL of a name such as ``my-model@http://localhost:8000/v1``.

    >>> endpoint_of("org/m@http://localhost:8000/v1")
    ('org/m', 'http://localhost:8000/v1')
    """
    model, separator, url = name.rpartition("@")
    is_url = url.startswith(("http://", "https://"))
    return (model, url) if separator and model and is_url else None


def endpoint_player(name: str, ask: Ask) -> Player:
    """A player whose replies are those of ``await ask(messages, tools)``, such as an endpoint.

    It reads its own observations, as the chat of its seat.
    """

    async def reply(episode: Episode) -> str:
        answer = await ask([*chat(episode, episode.player)], [])
        return answer if isinstance(answer, str) else answer.text

    return Player(name, reply)


async def _random(episode: Episode) -> str:
    return _written(episode, _any_move(episode))


def _any_move(episode: Episode) -> str:
    """A legal move, chosen by the task and the moves so far."""
    rng = Random(f"{episode.task.canonical()} {' / '.join(episode.moves)}")
    moves = episode.turn.legal_moves
    if not moves:
        raise ValueError("a random player needs the legal moves, which this match does not list")
    return rng.choice(moves)


async def _built_in(episode: Episode) -> str:
    assert isinstance(episode.task, Match)
    # A proof can take seconds, in which the endpoints of other games are to be served.
    move = await asyncio.to_thread(episode.task.opponent, tuple(episode.moves))
    return _written(episode, move)


def _baseline(episode: Episode, index: int) -> str:
    rng = Random(f"{episode.task.canonical()} {len(episode.moves)}")
    policies: Mapping[str, Any] = episode.task.baselines(rng)
    policies = {name: policy for name, policy in policies.items() if callable(policy)}
    if index >= len(policies):
        raise ValueError(f"this match has {len(policies)} baseline players, so no {index + 1}th")
    return _written(episode, [*policies.values()][index](episode.turn))


def _searcher(simulations: int) -> Player:
    if not 1 <= simulations <= MOST_SIMULATIONS:
        raise ValueError(f"mcts takes 1 to {MOST_SIMULATIONS} simulations, not {simulations}")

    async def reply(episode: Episode) -> str:
        rules, state = position_of(episode.task, episode.turn)
        rng = Random(f"{episode.task.canonical()} {' / '.join(episode.moves)}")
        # A search can take seconds, in which the endpoints of other games are to be served.
        move = await asyncio.to_thread(best_move, rules, state, simulations, rng)
        return _written(episode, rules.name(state, move))

    return Player(f"mcts:{simulations}", reply)


def _written(episode: Episode, move: str) -> str:
    return episode.answer_format.write(move)
