"""Games of questions whose answers are chosen by an adversary: rules, exact solution, episodes.

Nothing is hidden. Each answer fits at least one possibility that is left, and makes it as hard as
possible, so that only a strategy wins that works whatever the answers are. A task gives the player
as much as the best strategy needs in the worst case.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

from palaestra.generators.states import decoded, encoded
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

ILLEGAL_MOVES = 3
"""The number of illegal moves that a player may make; another one ends the game."""

RANDOM_GAMES = 24
"""The number of games behind the score of a player of random moves."""

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Hashable)


class AdversaryRules(ABC, Generic[State, Move]):
    """The rules of a game against an adversary. States are named tuples of integers, texts and
    tuples, which include what the player may still spend. Subclasses are immutable and hashable.
    """

    state_type: ClassVar[type[Any]]
    """The named tuple of a state."""

    @abstractmethod
    def is_won(self, state: State) -> bool:
        """Whether the player has reached the goal."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """The questions that the player may ask; none where the player has lost."""

    def useful(self, state: State) -> Sequence[Move]:
        """The legal questions among which there is a best one."""
        return self.legal(state)

    @abstractmethod
    def answers(self, state: State, move: Move) -> Mapping[str, State]:
        """The answers that are possible, each with the state after it."""

    @abstractmethod
    def weight(self, state: State) -> float:
        """How many possibilities are left, for players without search."""

    @abstractmethod
    def needed(self, state: State) -> float:
        """How much the best strategy needs from a state on, in the worst case."""

    @abstractmethod
    def left(self, state: State) -> float:
        """How much the player has left."""

    @abstractmethod
    def name(self, state: State, move: Move) -> str:
        """A legal question as the prompt writes it."""

    @abstractmethod
    def read(self, state: State, text: str) -> Move:
        """The legal question that a text names. Raises :class:`~palaestra.task.InvalidAnswer`."""

    @abstractmethod
    def show(self, state: State) -> str:
        """What the player may still spend, and what else the state consists of."""

    @abstractmethod
    def scene(self, state: State) -> Scene | None:
        """What there is to see."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        """Rules of thumb: players who do not search."""

    def decode(self, text: str) -> State:
        state: State = self.state_type(*decoded(text))
        return state

    def wins(self, state: State) -> bool:
        """Whether a strategy reaches the goal from a state, whatever the answers are."""
        return self.needed(state) <= self.left(state)

    def keeps(self, state: State, move: Move) -> bool:
        """Whether a question wins, whatever its answer is."""
        return all(map(self.wins, self.answers(state, move).values()))

    def winning(self, state: State) -> list[Move]:
        """The useful questions that win."""
        return [move for move in self.useful(state) if self.keeps(state, move)]

    def hardest(self, state: State, move: Move) -> list[str]:
        """The answers after which the player needs the most."""
        needs = {answer: self.needed(new) for answer, new in self.answers(state, move).items()}
        most = max(needs.values())
        return sorted(answer for answer, number in needs.items() if number == most)

    def worst_weight(self, state: State, move: Move) -> float:
        """How many possibilities the worst answer to a question leaves."""
        return max(map(self.weight, self.answers(state, move).values()))

    def price(self, state: State, move: Move) -> float:
        """What a question costs."""
        return self.left(state) - self.left(next(iter(self.answers(state, move).values())))

    def most_even(self, state: State) -> Move:
        """The question whose worst answer leaves the fewest possibilities."""
        return min(self.legal(state), key=lambda move: self.worst_weight(state, move))

    def cheap(self, state: State) -> Move:
        """The cheapest question whose worst answer leaves at most 70 % of the possibilities, or the
        most even one where there is none.
        """
        most = 0.7 * self.weight(state)
        options = [each for each in self.legal(state) if self.worst_weight(state, each) <= most]
        return min(options or [self.most_even(state)], key=lambda each: self.price(state, each))


class AdversaryGame(Task):
    """Questions to an adversary, with as many of them as the best strategy needs."""

    tags: ClassVar = {"planning", "deduction", "strategy", "search"}
    hidden: ClassVar = {"seed_of_adversary"}

    class Knobs(Task.Knobs):
        """Every game against an adversary has this; a subclass adds those of its rules."""

        least_difficulty: float = ladder(2.0, 20.0, 100.0, 500.0, 2_000.0, 10_000.0, low=1.0)

    tries: ClassVar[int] = 16
    """The number of games to look at for one that is hard enough."""

    position: str
    """The first state, as :func:`~palaestra.generators.states.encoded` writes it."""

    seed_of_adversary: int
    """It decides between equally good answers."""

    @abstractmethod
    def rules(self) -> AdversaryRules[Any, Any]:
        """The rules of this game."""

    @abstractmethod
    def description(self) -> str:
        """The rules in words, with the form of a question and an example."""

    @classmethod
    @abstractmethod
    def candidate(cls, rng: Random, knobs: Any) -> Self:
        """A random game with as much to spend as the best strategy needs."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The first game of some in which random moves are wrong often enough, or else the one in
        which they are so most often.
        """
        best, hardest = cls.candidate(rng, knobs), 0.0
        for _ in range(cls.tries):
            task = cls.candidate(rng, knobs)
            difficulty = task.difficulty() if task.is_valid() else 0.0
            if difficulty > hardest:
                best, hardest = task, difficulty
            if difficulty >= knobs.least_difficulty:
                break
        return best

    def start(self) -> Any:
        return self.rules().decode(self.position)

    def is_valid(self) -> bool:
        """Whether the first question is not the last, and not all first questions win."""
        rules, start = self.rules(), self.start()
        if rules.is_won(start) or not rules.wins(start):
            return False
        return len(rules.winning(start)) < len(rules.legal(start)) and len([*self.solve()]) > 1

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "seed_of_adversary"})

    def play(self) -> Play:
        rules, state = self.rules(), self.start()
        illegal, names = 0, list[str]()
        event = self.description()
        while rules.legal(state):
            try:
                text = yield Turn(
                    f"{event}\n\n{rules.show(state)}".strip(),
                    legal_moves=[rules.name(state, move) for move in rules.legal(state)],
                    state=encoded(state),
                    scene=partial(rules.scene, state),
                )
                move = read_move(partial(rules.read, state), text)
            except InvalidAnswer as error:
                illegal += 1
                if illegal > ILLEGAL_MOVES:
                    return Score(0, "too many illegal moves", status="malformed")
                left = ILLEGAL_MOVES - illegal
                event = f"That is not a legal move: {error}. Illegal moves still allowed: {left}."
                continue
            names.append(rules.name(state, move))
            answer = self._answer(state, move, names)
            event = f"{names[-1]}: {answer}"
            state = rules.answers(state, move)[answer]
            if rules.is_won(state):
                return Score(1, f"{event}. The goal is reached.")
        return Score(0, f"{event}. The goal is not reached.")

    def _answer(self, state: Any, move: Any, names: Sequence[str]) -> str:
        """The adversary's answer, which depends on the moves, not on how they were written."""
        rng = Random(f"{self.seed_of_adversary} {' / '.join(names)}")
        return rng.choice(self.rules().hardest(state, move))

    def final_scene(self, moves: Sequence[str]) -> Scene | None:
        """The scene after all moves."""
        rules, state, names = self.rules(), self.start(), list[str]()
        for text in moves:
            with suppress(InvalidAnswer):
                move = read_move(partial(rules.read, state), text)
                names.append(rules.name(state, move))
                state = rules.answers(state, move)[self._answer(state, move, names)]
        return rules.scene(state)

    def _line(self) -> Iterator[tuple[Any, Any]]:
        """The states in which the best player moves, each with the question."""
        rules, state, names = self.rules(), self.start(), list[str]()
        while not rules.is_won(state):
            move = rules.winning(state)[0]
            yield state, move
            names.append(rules.name(state, move))
            state = rules.answers(state, move)[self._answer(state, move, names)]

    def solve(self) -> Iterable[str]:
        rules = self.rules()
        for state, move in self._line():
            yield rules.name(state, move)

    def difficulty(self) -> float:
        """How many games a player of random moves needs for one without a mistake, against the
        best answers.
        """
        games, rules = 1.0, self.rules()
        for state, _ in self._line():
            legal = rules.legal(state)
            games *= len(legal) / sum(rules.keeps(state, move) for move in legal)
        return games

    def random_baseline(self) -> float:
        """The share of games that a player of random legal moves wins, in a sample."""
        games = (self._random_game(Random(f"random {n}")) for n in range(RANDOM_GAMES))
        return sum(games) / RANDOM_GAMES

    def _random_game(self, rng: Random) -> bool:
        rules, state = self.rules(), self.start()
        while not rules.is_won(state) and (legal := rules.legal(state)):
            move = rng.choice(legal)
            answer = rng.choice(rules.hardest(state, move))
            state = rules.answers(state, move)[answer]
        return rules.is_won(state)

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Callable[[Any, Random], Any]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state)
                return rules.name(state, choose(state, rng))

            return move

        return {name: player(choose) for name, choose in rules.thumbs().items()}
