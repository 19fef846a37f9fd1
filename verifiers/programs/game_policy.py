"""Replies that are functions which play a game: the game and the opponent stay here."""

from typing import Any

from palaestra.generators.programs.game_policy.games import Drawn, luck, starts, table
from palaestra.generators.programs.game_policy.rules import Move, State
from palaestra.task import Score
from palaestra.verifiers.programs.callees import Fault, Lost, called
from palaestra.verifiers.sandbox import Limits

LIMITS = Limits(cpu_s=2.0, memory_mb=256, output_kb=256)
"""What a policy may use for all games together; perfect ones use a tenth of it."""


HOPELESS = 8
"""Where so many games were played and none was won, the others are not."""


def read_move(value: Any) -> Move:
    """A move as a policy gives it; an empty one, which no game has, where it is none.

    >>> read_move([0, 2]), read_move((True, 2)), read_move("02")
    ((0, 2), (), ())
    """
    if isinstance(value, list | tuple) and all(type(each) is int for each in value):
        return tuple(value)
    return ()


def graded_policy(source: str, entry: str, made: Drawn, seed: int, number: int) -> Score:
    """How many of so many games a policy wins that it can win, above what chance would."""
    playing, begun = table(made), starts(made, seed, number)
    won, flaw = 0, ""
    with called(source, LIMITS) as callee:

        def policy(state: State) -> Move:
            move = read_move(callee(entry, list(state)))
            if move not in playing.options(state):
                raise Fault("Illegal", "")
            return move

        for place, state in enumerate(begun, 1):
            if place > HOPELESS and not won:
                break
            why = "it is lost"
            try:
                if playing.victory(state, policy):
                    won += 1
                    continue
            except Fault as fault:
                why = "the move is illegal" if fault.kind == "Illegal" else "the function fails"
            except Lost as end:
                flaw = flaw or f"in game {place} of {len(begun)}, {end}"
                break
            flaw = flaw or f"in game {place} of {len(begun)}, {why}"
    parts = {"won": won / len(begun)}
    if won == len(begun):
        return Score(1, "", parts)
    chance = luck(made, seed, number)
    return Score(max(0.0, won - chance) / (len(begun) - chance), flaw, parts)
