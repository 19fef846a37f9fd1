"""Questions about the positions of games, which the rules of the game answer.

The idea of making questions from the code of games is that of Jingqi Tong et al., "Code2Logic"
(2025). What is asked is a combinator of its own; this module has what they share: one view of the
rules of matches and of one-player games, positions to ask about, and the prompt.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Self

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import Combinator
from palaestra.generators.game_rules import GameRules, GameTask
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.verifiers.reading.layout import lines, parts

WANDERED = 4
"""How many moves may separate the position of a question from the first one of its game."""

WALKS = 10
"""How many positions of a task are tried for one that suits."""

MOST_SERIES = 3_000
"""How many moves are made at most to find what is a few moves away."""

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

    def played(self, rng: Random, state: Any, length: int) -> list[tuple[str, Any]] | None:
        """So many random moves by name, each with the state after it; None if the game ends before
        the last of them.
        """
        line = list[tuple[str, Any]]()
        for _ in range(length):
            if self.rules.is_over(state):
                return None
            move = rng.choice(self.rules.legal(state))
            name, state = self.rules.name(state, move), self.rules.apply(state, move)
            line.append((name, state))
        return line

    def wandered(self, rng: Random) -> Any:
        """A position up to :data:`WANDERED` random moves after the first, where the game goes on;
        the first one if the moves ended it.
        """
        start = self.task.start()
        line = self.played(rng, start, rng.randint(0, WANDERED))
        end = line[-1][1] if line else start
        return start if self.rules.is_over(end) else end

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

    def reachable(self, state: Any, moves: int) -> dict[Any, float]:
        """The positions after exactly so many moves, each once, with the chance that random moves
        lead there. Games that are over earlier lead to none.

        Raises :class:`~palaestra.combination.Unsuitable` for more than :data:`MOST_SERIES` moves.
        """
        chances, steps = {state: 1.0}, 0
        for _ in range(moves):
            after = dict[Any, float]()
            for each, chance in chances.items():
                legal = () if self.rules.is_over(each) else self.rules.legal(each)
                steps += len(legal)
                if steps > MOST_SERIES:
                    raise Unsuitable(f"too many positions are {moves} moves away")
                for move in legal:
                    new = self.rules.apply(each, move)
                    after[new] = after.get(new, 0.0) + chance / len(legal)
            chances = after
        return chances


class GamePuzzle(Combination, Puzzle):
    """A question about a position of a game."""

    task: Any
    position: str
    """The position, as its rules encode it."""

    unsuitable: ClassVar[str]
    """Why no question can be asked, if none can."""

    @classmethod
    def around(cls, task: Any, rng: Random, another: Sampler) -> Self:
        simulator = Simulator(task)
        for state in cls.positions(simulator, rng):
            puzzle = cls.posed(simulator, rng, state)
            if puzzle is not None:
                return puzzle
        raise Unsuitable(cls.unsuitable)

    @classmethod
    def positions(cls, simulator: Simulator, rng: Random) -> Iterator[Any]:
        """The positions to ask about, of which the first one that suits is taken."""
        return (simulator.wandered(rng) for _ in range(WALKS))

    @classmethod
    @abstractmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        """A question about a position in which the game goes on; None if it does not suit."""

    @property
    def simulator(self) -> Simulator:
        """The rules of the game."""
        return Simulator(self.task)

    def state(self) -> Any:
        """The position."""
        return self.simulator.rules.decode(self.position)

    def canonical(self) -> str:
        return f"{self.task.canonical()} {self.model_dump_json(exclude={'wording', 'task'})}"

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
            return "it is for games on the shared protocol of rules, such as matches/othello"
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
