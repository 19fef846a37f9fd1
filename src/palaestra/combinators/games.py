"""Questions about the positions of games, which the rules of the game answer.

The idea of making questions from the code of games is that of Jingqi Tong et al., "Code2Logic"
(2025). What is asked is a combinator of its own; this module has what they share: one view of the
rules of matches and of one-player games, positions to ask about, and the prompt.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from palaestra.combination import Combination
from palaestra.combinators.combinator import Combinator
from palaestra.generators.game_rules import GameRules, GameTask
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.verifiers.reading.layout import lines, parts

WANDERED = 4
"""How many moves may separate the position of a question from the first one of its game."""

WALKS = 40
"""How many series of random moves are tried for one that suits."""

MOST_MOVES = 40
"""How many moves an answer may list."""


@dataclass(frozen=True)
class Simulator:
    """The game of a task, seen through its rules."""

    task: Any
    """A :class:`~palaestra.generators.game_rules.GameTask`."""

    @cached_property
    def rules(self) -> GameRules[Any, Any]:
        """The rules."""
        rules: GameRules[Any, Any] = self.task.rules()
        return rules

    def shown(self, state: Any) -> str:
        """A position as the prompt has it, with whose turn it is."""
        board = self.rules.show(state)
        mover = "" if self.rules.is_over(state) else self.rules.mover(state)
        return f"{board}\n\n{mover} is to move." if mover else board

    def walk(self, rng: Random, state: Any, length: int) -> list[Any] | None:
        """The states of so many random moves, without the first; None if the game ends before."""
        states = list[Any]()
        for _ in range(length):
            if self.rules.is_over(state):
                return None
            state = self.rules.apply(state, rng.choice(self.rules.legal(state)))
            states.append(state)
        return states

    def wandered(self, rng: Random) -> Any:
        """A position some random moves after the first, in which the game goes on."""
        for _ in range(WALKS):
            states = self.walk(rng, self.task.start(), rng.randint(0, WANDERED))
            if states is not None and not self.rules.is_over(
                state := [self.task.start(), *states][-1]
            ):
                return state
        return self.task.start()

    def played(self, rng: Random, state: Any, length: int) -> tuple[list[str], Any] | None:
        """The names of so many random moves and the state after them, or None as :meth:`walk`."""
        names = list[str]()
        for _ in range(length):
            if self.rules.is_over(state):
                return None
            move = rng.choice(self.rules.legal(state))
            names.append(self.rules.name(state, move))
            state = self.rules.apply(state, move)
        return names, state

    def moved(self, state: Any, names: Sequence[str]) -> Iterator[Any]:
        """The states after each of some moves by name, as long as they are legal."""
        with suppress(InvalidAnswer):
            for name in names:
                if self.rules.is_over(state):
                    return
                state = self.rules.apply(state, self.rules.read(state, name))
                yield state

    def names(self, state: Any) -> list[str]:
        """The names of all legal moves."""
        return [self.rules.name(state, move) for move in self.rules.legal(state)]

    def reachable(self, state: Any, moves: int, most: int) -> list[Any] | None:
        """The positions after exactly so many moves, each once; None if there are more than
        ``most``, also on the way. Games that are over earlier lead to none.
        """
        states = {state: None}
        for _ in range(moves):
            after = dict[Any, None]()
            for each in states:
                for move in () if self.rules.is_over(each) else self.rules.legal(each):
                    after[self.rules.apply(each, move)] = None
                if len(after) > most:
                    return None
            states = after
        return list(states)


class GamePuzzle(Combination, Puzzle):
    """A question about a position of a game."""

    task: Any
    position: str
    """The position, as its rules encode it."""

    @property
    def simulator(self) -> Simulator:
        """The rules of the game."""
        return Simulator(self.task)

    def state(self) -> Any:
        """The position."""
        return self.simulator.rules.decode(self.position)

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording": True, "task": {"wording"}})

    def held_out(self) -> bool:
        held_out: bool = self.task.held_out()
        return held_out

    def scene(self) -> Scene | None:
        return self.simulator.rules.picture(self.state())

    def about(self, question: str) -> str:
        """The prompt of a question: the rules, the position and the question."""
        opening = self.phrase(
            "These are the rules of a game, followed by a question about one of its positions.",
            "Read the rules of this game. A question about a position follows; you do not play.",
        )
        shown = f"The position:\n\n{self.simulator.shown(self.state())}"
        return "\n\n".join((opening, self.task.description(), shown, question))


class AboutGames(Combinator):
    """A combinator that asks about the positions of a game."""

    def refusal(self, base: type[Task]) -> str:
        if not issubclass(base, GameTask):
            return "it is for games and matches with all in view and nothing left to chance"
        return ""

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        tags = {"games", "simulation", self.name}
        return super().class_variables(base) | {"tags": tags, "verbatim": False}


def listed_moves(simulator: Simulator, state: Any, answer: str) -> list[str]:
    """The moves that an answer lists, as texts: one on each line, or several where commas are no
    part of a move. Raises :class:`~palaestra.task.InvalidAnswer` for none or too many.
    """
    commas = any("," in name for name in simulator.names(state))
    moves = [row for row in (lines if commas else parts)(answer) if row]
    if not moves:
        raise InvalidAnswer("expected moves, one on each line")
    if len(moves) > MOST_MOVES:
        raise InvalidAnswer(f"expected at most {MOST_MOVES} moves, not {len(moves)}")
    return moves
