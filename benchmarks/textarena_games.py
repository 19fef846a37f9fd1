"""Steps a second of matches that TextArena has as well: the same moves, by both.

    pip install textarena
    python -m benchmarks.textarena_games [--games N] [--repeats K]

Random games from the first position are played by Palaestra, and their moves are replayed by both:
each step reads a move as text, applies it, and renders what the next player observes as text. Of
TextArena these are the environments with their default wrappers, which make that text. Both have to
be over after the same move, which also compares the rules. Everything is measured in one process
and one run.

Games in which the rules differ are left out, such as breakthrough, where men of TextArena go
diagonally only to capture.
"""

import contextlib
import io
import re
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from palaestra.address import Address
from palaestra.generators.matches.nim import Nim
from palaestra.generators.matches.othello import Othello
from palaestra.task import Match


class Shared(NamedTuple):
    """A game that both have."""

    theirs: str
    """The id in TextArena, with its default wrappers."""
    changes: dict[str, Any]
    """The fields of a task of ours that make it the whole game from its first position."""
    translate: Callable[[str], str]
    """A move of ours as TextArena reads it."""


def _numbers(text: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", text)]


def _cell(text: str, columns: int) -> str:
    row, column = _numbers(text)
    return f"[{(row - 1) * columns + column - 1}]"


def _row_and_column(text: str) -> str:
    if text == "pass":
        return text
    row, column = _numbers(text)
    return f"[{row - 1}, {column - 1}]"


def _heap(text: str) -> str:
    return f"[{ord(text[-1]) - ord('A')} {_numbers(text)[0]}]"


othello, nim = Othello(8), Nim((3, 4, 5), False)

SHARED = {
    "matches/tic_tac_toe": Shared(
        "TicTacToe-v0",
        {"size": 3, "length": 3, "mine": 0, "theirs": 0, "seat": 0},
        lambda text: _cell(text, 3),
    ),
    "matches/connect_four": Shared(
        "ConnectFour-v0",
        {"rows": 6, "columns": 7, "mine": 0, "theirs": 0, "seat": 0},
        lambda text: f"[col {int(text) - 1}]",
    ),
    "matches/othello": Shared(
        "Othello-v0",
        {"size": 8, "position": othello.encode(othello.start()), "seat": 0},
        _row_and_column,
    ),
    "matches/nim": Shared(
        "Nim-v0",
        {"misere": False, "position": nim.encode(nim.start()), "seat": 0},
        _heap,
    ),
}


class Move(NamedTuple):
    """A move of a game that was played."""

    player: int
    text: str


def random_game(task: Match, rng: Random) -> list[Move]:
    """The moves of a random game of both players."""
    play, moves = task.play(), list[Move]()
    turn = next(play)
    with contextlib.suppress(StopIteration):
        while True:
            moves.append(Move(turn.player, rng.choice(turn.legal_moves or ())))
            turn = play.send(moves[-1].text)
    return moves


def replay_ours(task: Match, moves: Sequence[Move]) -> int:
    """Replay a game. Returns the number of steps, of which the last one ended it."""
    play, steps = task.play(), 0
    next(play)
    with contextlib.suppress(StopIteration):
        for move in moves:
            steps += 1
            play.send(move.text)
    return steps


def replay_theirs(name: str, moves: Sequence[Move], translate: Callable[[str], str]) -> int:
    """Replay a game in TextArena. Returns the number of its steps."""
    import textarena

    env = textarena.make(name)
    env.reset(num_players=2, seed=0)
    steps, done = 0, False
    for move in moves:
        assert not done, f"{name} is over after {steps} of {len(moves)} moves"
        player, _ = env.get_observation()
        assert player == move.player, f"{name}: it is the turn of another player"
        done, _ = env.step(translate(move.text))
        steps += 1
    assert done, f"{name} goes on after {len(moves)} moves"
    return steps


def steps_a_second(replays: Callable[[], int]) -> float:
    """How fast games are replayed by a function that returns the number of steps."""
    start = perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        steps = replays()
    return steps / (perf_counter() - start)


def compare(name: str, games: int = 40, repeats: int = 3) -> float:
    """Print the rates for a game, the best of some repeats each, and return their ratio."""
    shared, rng = SHARED[name], Random(0)
    task = Address.of(name, 0, 0).task().model_copy(update=shared.changes)
    assert isinstance(task, Match)
    played = [random_game(task, rng) for _ in range(games)]
    ours = theirs = 0.0
    for _ in range(repeats):
        ours = max(ours, steps_a_second(lambda: sum(replay_ours(task, each) for each in played)))
        theirs = max(
            theirs,
            steps_a_second(
                lambda: sum(replay_theirs(shared.theirs, each, shared.translate) for each in played)
            ),
        )
    print(f"{name:24} {ours:10,.0f} steps/s, TextArena {theirs:8,.0f}: ratio {ours / theirs:.1f}")
    return ours / theirs


def main() -> None:
    """Print a line for each game that both have."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for name in SHARED:
        compare(name, options.games, options.repeats)


if __name__ == "__main__":
    main()
