"""Steps a second of games and matches in one process, beside OpenSpiel where that is installed.

    python -m benchmarks.games [NAME ...] [--level N] [--seconds S]

``rules`` are the moves a second of random play by the rules alone: the legal moves, a choice, the
next state and whether it is the end. ``episode`` are the replies a second of
:class:`palaestra.Episode` in random play, which renders each observation as text and reads each
reply. For the games that ``pyspiel`` (``pip install open_spiel``) has as well, its random play of
the same kind from Python is measured in the same run, and both are to have the same numbers of
games after a few plies. Where ``textarena`` is installed, the comparison of
:mod:`benchmarks.textarena_games` follows.
"""

from argparse import ArgumentParser
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.textarena_games import SHARED
from benchmarks.textarena_games import compare as compare_with_textarena

import palaestra
from palaestra.address import Address
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.matches.board_match import BoardMatch
from palaestra.generators.matches.rules import perft
from palaestra.registry import load, names
from palaestra.task import Puzzle

SPIEL = {
    "matches/breakthrough": "breakthrough(rows=8,columns=8)",
    "matches/checkers": "checkers",
    "matches/othello": "othello",
}
"""The games that are compared, as OpenSpiel names them."""


def playout(name: str, level: int) -> Callable[[Random], int] | None:
    """Plays a random game by the rules alone, and returns its moves; None without such rules."""
    task = Address.of(name, 0, level).task()
    if isinstance(task, BoardMatch):
        rules, start = task.rules(), task.start()

        def play(rng: Random) -> int:
            state, moves = start, 0
            while rules.outcome(state) is None:
                state = rules.apply(state, rng.choice(rules.legal(state)))
                moves += 1
            return moves

        return play
    if isinstance(task, SoloGame):
        solo, first, limit = task.rules(), task.start(), task.moves

        def walk(rng: Random) -> int:
            state, moves = first, 0
            while moves < limit and (legal := solo.legal(state)):
                state = solo.apply(state, rng.choice(legal))
                moves += 1
            return moves

        return walk
    return None


def rate(play: Callable[[Random], int], seconds: float) -> float:
    """Moves a second."""
    rng, moves, start = Random(0), 0, perf_counter()
    while perf_counter() - start < seconds:
        moves += play(rng)
    return moves / (perf_counter() - start)


def episode(name: str, level: int) -> Callable[[Random], int]:
    """Plays a random episode, in a match against the built-in opponent, and returns its replies."""
    tasks = [Address.of(name, seed, level).task() for seed in range(4)]

    def play(rng: Random) -> int:
        one = palaestra.Episode(rng.choice(tasks), "bare")
        while one.score is None:
            one.step(rng.choice(one.turn.legal_moves or ["1"]))
        return len(one.replies)

    return play


def spiel_playout(game: Any) -> Callable[[Random], int]:
    """Plays a random game of OpenSpiel."""

    def play(rng: Random) -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def spiel_perft(state: Any, depth: int) -> int:
    """The number of games of so many plies from a state of OpenSpiel."""
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    return sum(spiel_perft(state.child(action), depth - 1) for action in state.legal_actions())


def compare(name: str, spelling: str, seconds: float) -> None:
    """Print the ratio to OpenSpiel on a game from its first position, and compare the counts."""
    import pyspiel

    task = Address.of(name, 0, 0).task()
    assert isinstance(task, BoardMatch)
    game = pyspiel.load_game(spelling)
    rules = _first_rules(name)
    ours = [perft(rules, rules.start(), depth) for depth in range(1, 5)]
    theirs = [spiel_perft(game.new_initial_state(), depth) for depth in range(1, 5)]
    assert ours == theirs, f"{name}: {ours} games after 1 to 4 plies, and {theirs} in OpenSpiel"

    def play(rng: Random) -> int:
        state, moves = rules.start(), 0
        while rules.outcome(state) is None:
            state = rules.apply(state, rng.choice(rules.legal(state)))
            moves += 1
        return moves

    one, other = rate(play, seconds), rate(spiel_playout(game), seconds)
    print(f"{name:24} {one:10,.0f} moves/s, OpenSpiel {other:10,.0f}: ratio {one / other:.2f}")


def _first_rules(name: str) -> Any:
    """The rules of a game on the board that OpenSpiel has."""
    from palaestra.generators.matches.breakthrough import Breakthrough
    from palaestra.generators.matches.checkers import Checkers
    from palaestra.generators.matches.othello import Othello

    return {
        "matches/breakthrough": lambda: Breakthrough(8, 8),
        "matches/checkers": Checkers,
        "matches/othello": lambda: Othello(8),
    }[name]()


def main() -> None:
    """Print a line for each game, and the medians."""
    parser = ArgumentParser(description=__doc__)
    games = [
        name
        for name in names()
        if name.startswith(("games/", "matches/")) and not issubclass(load(name), Puzzle)
    ]
    parser.add_argument("names", nargs="*", default=sorted(games))
    parser.add_argument("--level", type=int)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    by_rules, by_episode = [], []
    for name in options.names:
        level = load(name).Knobs.levels() // 2 if options.level is None else options.level
        play = playout(name, level)
        rules = rate(play, options.seconds) if play else None
        by_rules += [] if rules is None else [rules]
        by_episode.append(rate(episode(name, level), options.seconds))
        shown = "-" if rules is None else f"{rules:,.0f}"
        print(f"{name:24} rules {shown:>10} episode {by_episode[-1]:10,.0f} a second")
    print(f"median: rules {median(by_rules):,.0f}, episode {median(by_episode):,.0f} a second")
    if find_spec("pyspiel"):
        for name, spelling in SPIEL.items():
            if name in options.names:
                compare(name, spelling, options.seconds)
    if find_spec("textarena"):
        for name in sorted(SHARED.keys() & options.names):
            compare_with_textarena(name)


if __name__ == "__main__":
    main()
