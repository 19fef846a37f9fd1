"""What is asked of the package TextArena itself.

All of this runs in the processes of :mod:`palaestra.importers.processes`. The package draws from
the global generator of its process, whose state is therefore kept with each game.
"""

import json
import random
import re
import sys
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

KEPT = 64
"""Games in progress that a process keeps; any other is played again from its start."""

_WRAPPED = ("-raw", "-train")
"""Ends of names under which a game is registered with other wrappers."""

_games: OrderedDict[tuple[str, int, tuple[str, ...]], "_Game"] = OrderedDict()


class NotForOnePlayer(ValueError):
    """A variant that one player cannot play here, with the reason."""


class _Game:
    """A game in progress, with the state of the generators that it draws from."""

    def __init__(self, variant: str, seed: int) -> None:
        import textarena

        _seed(seed)
        self.env = textarena.make(variant)
        self.env.reset(num_players=1, seed=seed)
        self.is_over = False
        self.observation = self._observed()
        self.generators = _state()

    def step(self, move: str) -> None:
        """Play a move."""
        _restore(self.generators)
        self.is_over, _ = self.env.step(action=move)
        self.observation = "" if self.is_over else self._observed()
        self.generators = _state()

    def _observed(self) -> str:
        _, observation = self.env.get_observation()
        if isinstance(observation, str):
            return observation
        return "\n".join(message for _, message, _ in observation)

    def reward(self) -> float:
        """The reward of the game; 0 before its end."""
        rewards, _ = self.env.close()
        return float((rewards or {}).get(0, 0.0))


def single_player_games() -> dict[str, Any]:
    """The variants of each game of one player by its name, and why others cannot be played."""
    import textarena
    from textarena.envs.registration import ENV_REGISTRY

    games: dict[str, list[str]] = {}
    refused: dict[str, str] = {}
    for variant, spec in ENV_REGISTRY.items():
        if variant.endswith(_WRAPPED):
            continue
        name = name_of(str(spec.entry_point))
        try:
            _seed(1)
            env = textarena.make(variant)
            env.reset(num_players=1, seed=1)
            if type(env.state).__name__ != "SinglePlayerState":
                continue
        except Exception as error:  # noqa: BLE001  the package raises all sorts, even SyntaxError
            refused.setdefault(name, _line(error))
        else:
            games.setdefault(name, []).append(variant)
    return {"games": games, "refused": {n: refused[n] for n in refused if n not in games}}


def name_of(entry_point: str) -> str:
    """The name of a game in lower case, by its class.

    >>> name_of("textarena.envs.Game2048.env:Game2048Env"), name_of("x:FrozenLakeEnv")
    ('game2048', 'frozen_lake')
    """
    name = entry_point.rpartition(":")[2].removesuffix("Env")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def start(variant: str, seed: int) -> dict[str, str]:
    """The first observation of a game, and a digest of its state with what is hidden."""
    game = _Game(variant, seed)
    _keep((variant, seed, ()), game)
    state = json.dumps(_plain(game.env.state.game_state), sort_keys=True)
    hidden = {
        name: value
        for name, value in vars(_inner(game.env)).items()
        if isinstance(value, int | float | str | list | tuple | dict)
    }
    text = f"{game.observation}\n{state}\n{json.dumps(_plain(hidden), sort_keys=True)}"
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
    return {"observation": game.observation, "digest": digest}


def play(variant: str, seed: int, moves: Sequence[str]) -> dict[str, Any]:
    """What follows on some moves: an observation, or the reward of the game if that is its end.

    Raises ``ValueError`` for moves after the end.
    """
    *earlier, last = moves
    game = _games.pop((variant, seed, tuple(earlier)), None)
    if game is None:
        game = _Game(variant, seed)
        for move in earlier:
            if game.is_over:
                raise ValueError("the game ends before these moves")
            game.step(move)
    if game.is_over:
        raise ValueError("the game ends before these moves")
    game.step(last)
    if game.is_over:
        return {"observation": "", "is_over": True, "reward": game.reward()}
    _keep((variant, seed, tuple(moves)), game)
    return {"observation": game.observation, "is_over": False, "reward": 0.0}


def _keep(key: tuple[str, int, tuple[str, ...]], game: _Game) -> None:
    _games[key] = game
    while len(_games) > KEPT:
        _games.popitem(last=False)


def _inner(env: Any) -> Any:
    while hasattr(env, "__dict__") and "env" in vars(env):
        env = env.env
    return env


def _plain(value: Any, depth: int = 12) -> Any:
    """A value in JSON, with the text of what has no other form and no memory address in it."""
    if depth == 0 or value is None or isinstance(value, bool | int | float | str):
        return repr(value) if isinstance(value, float) else value
    if isinstance(value, dict):
        return {str(key): _plain(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, depth - 1) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return type(value).__name__


def _seed(seed: int) -> None:
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed % 2**32)


def _state() -> tuple[Any, Any]:
    numpy = sys.modules.get("numpy")
    return random.getstate(), None if numpy is None else numpy.random.get_state()


def _restore(state: tuple[Any, Any]) -> None:
    random.setstate(state[0])
    if state[1] is not None:
        sys.modules["numpy"].random.set_state(state[1])


def _line(error: Exception) -> str:
    lines = [line.strip(" *\t") for line in str(error).splitlines()]
    return f"{type(error).__name__}: {next(filter(None, lines), '')}"[:200]
