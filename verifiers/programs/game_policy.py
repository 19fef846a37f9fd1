"""Replies that are functions which play a game: the game and the opponent stay here."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from palaestra.task import Score
from palaestra.verifiers.sandbox import Limits
from palaestra.verifiers.sandbox.callees import Fault, Lost, called

LIMITS = Limits(cpu_s=2.0, sleep_s=0.3, memory_mb=256, output_kb=256)
"""What a policy may use for all games together; perfect ones use a tenth of it."""


HOPELESS = 8
"""Where so many games were played and none was won, the others are not."""

State = tuple[int, ...]
Move = tuple[int, ...]


class Game(Protocol):
    """A two-player game in which an opponent answers each move of a policy."""

    def options(self, state: State) -> Sequence[Move]:
        """The legal moves of the player whose turn it is."""

    def victory(self, state: State, policy: Callable[[State], Move]) -> bool:
        """Whether a policy that moves first wins from a position."""


def read_move(value: Any) -> Move:
    """A move as a policy gives it; an empty one, which no game has, where it is none.

    >>> read_move([0, 2]), read_move((True, 2)), read_move("02")
    ((0, 2), (), ())
    """
    if isinstance(value, list | tuple) and all(type(each) is int for each in value):
        return tuple(value)
    return ()


def graded_policy(
    source: str, entry: str, game: Game, starts: Sequence[State], baseline: Callable[[], float]
) -> Score:
    """Play a game from each start and score the share of wins above that of a random player.

    ``source`` is a Python program and ``entry`` the name of its function from a position to a
    move. ``baseline`` gives how many of the games a random player wins; it is called only where
    the policy loses one. The part ``won`` is the plain share of wins, from 0 to 1.
    """
    won, failure = 0, ""
    with called(source, LIMITS) as callee:

        def policy(state: State) -> Move:
            move = read_move(callee(entry, list(state)))
            if move not in game.options(state):
                raise Fault("Illegal", "")
            return move

        for number, state in enumerate(starts, 1):
            if number > HOPELESS and not won:
                break
            why = "it is lost"
            try:
                if game.victory(state, policy):
                    won += 1
                    continue
            except Fault as fault:
                why = (
                    "the move is illegal" if fault.class_name == "Illegal" else "the function fails"
                )
            except Lost as end:
                failure = failure or f"in game {number} of {len(starts)}, {end}"
                break
            failure = failure or f"in game {number} of {len(starts)}, {why}"
    parts = {"progress": won / len(starts)}
    if won == len(starts):
        return Score(1, "", parts)
    chance = baseline()
    return Score(max(0.0, won - chance) / (len(starts) - chance), failure, parts)
