"""One-player games of chance: rules, exact expectimax, and episodes that judge decisions.

The chance events of an episode follow from the task's seed and from what happened before, so that
replays and forks agree. The score does not depend on luck, as
:mod:`palaestra.generators.decisions` describes.

Each task is a sequence of rounds, which are games of their own by the same rules. Openings are
chosen for their decisions, by trial seeds. The seeds of the chance events that a task gets are
drawn after that choice and never chosen, so that events are as frequent as the prompt states. The
number of decisions therefore varies.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from palaestra.generators.decisions import (
    ILLEGAL_MOVES,
    Decisions,
    best_move,
    gap,
    judging,
    right_moves,
)
from palaestra.generators.states import decoded, encoded
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, NoValidTask, Play, Policy, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Hashable)


class TooManyStates(ValueError):
    """A game has more states than an exact solution may visit."""


class ChanceRules(ABC, Generic[State, Move]):
    """The rules of a game of chance for one player.

    States are named tuples of integers, texts and tuples. In each state either the player moves, or
    chance decides, or the game is over. Every game ends after a bounded number of moves. Subclasses
    are immutable and hashable.
    """

    state_type: ClassVar[type[Any]]
    """The named tuple of a state."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """The legal moves; none where chance decides, or where the game is over."""

    @abstractmethod
    def chances(self, state: State) -> Sequence[tuple[Move, float]]:
        """What may happen, each event with its probability, where chance decides; else nothing."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after a legal move or a chance event."""

    @abstractmethod
    def payoff(self, state: State) -> float:
        """What the player has won, in a state in which the game is over."""

    def solved(self, state: State) -> float | None:
        """The expectation of a state, where a method of its own computes it; else None."""
        return None

    @abstractmethod
    def name(self, state: State, move: Move) -> str:
        """A legal move as the prompt writes it."""

    @abstractmethod
    def read(self, state: State, text: str) -> Move:
        """The legal move that a text names. Raises :class:`~palaestra.task.InvalidAnswer`."""

    @abstractmethod
    def show(self, state: State) -> str:
        """The state as text."""

    @abstractmethod
    def news(self, state: State, event: Move) -> str:
        """A sentence that states a chance event."""

    @abstractmethod
    def end(self, state: State) -> str:
        """A sentence that states how a game ended."""

    @abstractmethod
    def scene(self, state: State) -> Scene:
        """What there is to see."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        """Rules of thumb: players who do not search."""

    def decode(self, text: str) -> State:
        state: State = self.state_type(*decoded(text))
        return state


class Expectimax(Generic[State, Move]):
    """The exact expectations of a game, each state visited once.

    Raises :class:`TooManyStates` after ``most_states`` of them.
    """

    def __init__(self, rules: ChanceRules[State, Move], most_states: int = 200_000) -> None:
        self.rules = rules
        self.most_states = most_states
        self._values: dict[State, float] = {}

    def value(self, state: State) -> float:
        """The expectation of an ideal player, who does not foresee chance events."""
        known = self._values.get(state)
        if known is not None:
            return known
        worth = self.rules.solved(state)
        if worth is None:
            worth = self._searched(state)
        if len(self._values) >= self.most_states:
            raise TooManyStates(f"the game has more than {self.most_states} states")
        self._values[state] = worth
        return worth

    def _searched(self, state: State) -> float:
        rules, value = self.rules, self.value
        moves = rules.legal(state)
        if moves:
            return max(value(rules.apply(state, move)) for move in moves)
        events = rules.chances(state)
        if events:
            return sum(chance * value(rules.apply(state, event)) for event, chance in events)
        return rules.payoff(state)

    def expectations(self, state: State) -> dict[Move, float]:
        """The expectation of each legal move, with ideal play afterwards."""
        rules = self.rules
        return {move: self.value(rules.apply(state, move)) for move in rules.legal(state)}


@lru_cache(maxsize=16)
def expectimax(rules: ChanceRules[Any, Any], most_states: int, start: str) -> Expectimax[Any, Any]:
    """The solution of one game, which its episodes share.

    ``start`` is its first state, or empty where games of several first states share a solution.
    """
    return Expectimax(rules, most_states)


class Path(NamedTuple):
    """What an ideal player meets in a round."""

    decisions: int
    """The decisions with a single best move, which is better than all others by the tolerance."""

    moves: int
    """The number of different moves that are best in these decisions."""

    first: Any
    """The best move of the first decision, if that has a single best move; else None."""

    gap: float
    """How much worse the second-best move is in the closest of these decisions."""

    random_score: float
    """The probability that a player of random moves makes no mistake."""


@dataclass
class Table:
    """An episode in progress."""

    news: list[str] = field(default_factory=list)
    """Sentences that the player has not read yet."""
    won: float = 0.0
    number: int = 1
    """The number of the next decision."""
    illegal: int = 0


class ChanceGame(Task):
    """A sequence of games of chance, which is solved by decisions of the best expectation."""

    tags: ClassVar = {"chance", "planning", "expected-value"}
    hidden: ClassVar = {"luck"}

    class Knobs(Task.Knobs):
        """Every game of chance has these; a subclass adds those of its rules."""

        rounds: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=12)
        # Both in a trial of each round; with the luck of the task there may be fewer decisions.
        least_decisions: int = ladder(1, 1, 2, 2, 2, 3, low=1, high=20)
        most_gap: float = ladder(1.0, 0.5, 0.3, 0.2, 0.15, 0.1, low=0.01)  # of the closest decision

    most_states: ClassVar[int] = 20_000
    """How many states of a round may be visited to solve it."""

    one_solution: ClassVar[bool] = False
    """Whether all rounds share a solution. The states of all rounds that the knobs allow have to
    be fewer than ``most_states``, or the tasks would depend on what was solved before."""

    lucks: ClassVar[int] = 1
    """How many trial seeds of chance events are tried with each opening."""

    balanced: ClassVar[bool] = False
    """Whether all moves that may be best at first have equal chances to be so."""

    candidates: ClassVar[int] = 12
    """How many rounds are tried for one with enough decisions."""

    tolerance: ClassVar[float] = 0.001
    """The expectation that the decisions of an episode may give away in sum."""

    unit: ClassVar[str] = "points"
    """What payoffs are measured in."""

    round_name: ClassVar[str] = "Round"

    positions: tuple[str, ...]
    """The first state of each round, as :func:`~palaestra.generators.states.encoded` writes it."""

    luck: tuple[int, ...]
    """The seed of the chance events of each round."""

    @classmethod
    @abstractmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """The fields that the rules need, at random within the knobs."""

    @abstractmethod
    def rules(self) -> ChanceRules[Any, Any]:
        """The rules of this task."""

    @classmethod
    @abstractmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random first state; None where there is nothing to decide."""

    @abstractmethod
    def description(self) -> str:
        """The rules in words, with the form of a move and an example."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        task = cls(positions=(), luck=(), **cls.fields_of(rng, knobs))
        rules = task.rules()
        rounds = [task._hard_opening(rng, rules, knobs) for _ in range(knobs.rounds)]
        positions, luck = zip(*rounds)
        return task.model_copy(update={"positions": positions, "luck": luck})

    def _hard_opening(self, rng: Random, rules: Any, knobs: Any) -> tuple[str, int]:
        """A random opening with new chance events.

        It is the first one in which the ideal player meets enough decisions in a trial, one of them
        close enough; where none is like that, the one with the most decisions, or the closest one.
        If the first best moves are to be balanced, it is the best one with a random such move.
        """
        best: dict[Any, tuple[tuple[int, float], str]] = {}
        # With balanced moves, more openings are tried only while none has a decision.
        tries = range(20 * self.candidates)
        for attempt, (state, path) in zip(tries, self._trials(rng, rules, knobs)):
            if path is not None:
                rank = self._rank(path, knobs)
                move = path.first if self.balanced else None
                if move not in best or rank < best[move][0]:
                    best[move] = rank, encoded(state)
                if rank == (0, knobs.most_gap) and not self.balanced:
                    break
            if self.balanced and best.keys() - {None} and attempt + 1 >= self.candidates:
                break
        if not best:
            raise NoValidTask(f"no round with a decision in {20 * self.candidates} tries")
        moves = sorted(best.keys() - {None}) or [None]
        return best[rng.choice(moves)][1], rng.getrandbits(32)

    def _trials(self, rng: Random, rules: Any, knobs: Any) -> Iterator[tuple[Any, Path | None]]:
        """Random openings, each with some trial seeds and what the ideal player meets with them;
        None for an opening without decisions, or with too many states.
        """
        while True:
            state = self.opening(rng, rules, knobs)
            for _ in range(self.lucks):
                try:
                    path = None if state is None else self._path(rules, state, rng.getrandbits(32))
                except TooManyStates:
                    path = None
                yield state, path

    @staticmethod
    def _rank(path: Path, knobs: Any) -> tuple[int, float]:
        """How far a trial is from what the knobs want, and its closest decision."""
        # The same move over and over must not be right.
        same = path.moves < min(2, knobs.least_decisions)
        missing = max(0, knobs.least_decisions - path.decisions)
        unclear = 10 * (path.first is None)
        return missing + same + unclear, max(knobs.most_gap, path.gap)

    def starts(self) -> Iterator[tuple[Any, int]]:
        """The first state of each round, with the seed of its chance events."""
        return zip(map(self.rules().decode, self.positions), self.luck)

    def is_valid(self) -> bool:
        """Whether the first decision of each round has a single best move.

        That does not depend on luck where the player moves first, so that luck is not chosen here.
        """
        return all(path.first is not None for path in self.paths())

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def solution(self, rules: ChanceRules[Any, Any], start: Any) -> Expectimax[Any, Any]:
        """The exact expectations of a round."""
        return expectimax(rules, self.most_states, "" if self.one_solution else encoded(start))

    def event(self, rules: ChanceRules[Any, Any], state: Any, history: str) -> Any:
        """The chance event of a state, by the history: the seed, and all moves and events."""
        rng = Random(history)
        events, weights = zip(*rules.chances(state))
        return rng.choices(events, weights)[0]

    def _settled(
        self, rules: ChanceRules[Any, Any], state: Any, history: str
    ) -> tuple[Any, str, list[str]]:
        """The next state in which the player moves or the round is over, with the history and the
        chance events up to it.
        """
        news = list[str]()
        while not rules.legal(state) and rules.chances(state):
            event = self.event(rules, state, history)
            if sentence := rules.news(state, event):
                news.append(sentence)
            state, history = rules.apply(state, event), f"{history} {event}"
        return state, history, news

    def play(self) -> Play:
        rules, record, table = self.rules(), Decisions(self.tolerance, self.unit), Table()
        table.news.append(self.description())
        for number, (start, luck) in enumerate(self.starts(), 1):
            table.news.append(f"{self.round_name} {number} of {len(self.positions)}.")
            end = yield from self._play_round(rules, start, luck, record, table)
            if end is None:
                return record.score(table.won, illegal=True)
            table.news.append(rules.end(end))
            table.won += rules.payoff(end)
        return record.score(table.won, outcome=" ".join(table.news))

    def _play_round(
        self, rules: Any, start: Any, luck: int, record: Decisions, table: "Table"
    ) -> Generator[Turn, str, Any]:
        """Play a round, and return its last state; None after too many illegal moves."""
        solution = self.solution(rules, start)
        state, history, events = self._settled(rules, start, str(luck))
        table.news += events
        while rules.legal(state):
            try:
                text = yield self._turn(rules, state, table)
                move = read_move(partial(rules.read, state), text)
            except InvalidAnswer as error:
                left = ILLEGAL_MOVES - table.illegal
                table.illegal += 1
                if not left:
                    return None
                table.news = [
                    f"That is not a legal move: {error}. Illegal moves still allowed: {left - 1}."
                ]
                continue
            record.add(solution.expectations(state), move, f"decision {table.number}")
            table.number += 1
            history = f"{history} {rules.name(state, move)}"
            state, history, table.news = self._settled(rules, rules.apply(state, move), history)
        return state

    def _turn(self, rules: ChanceRules[Any, Any], state: Any, table: "Table") -> Turn:
        parts = [*table.news, rules.show(state), f"This is decision {table.number}. Your move?"]
        return Turn(
            "\n\n".join(parts),
            legal_moves=[rules.name(state, move) for move in rules.legal(state)],
            state=f"{table.number} {encoded(state)}",
            scene=partial(rules.scene, state),
        )

    def judging(self) -> str:
        """The sentences that state how rounds begin, and how decisions are judged."""
        name = self.round_name.casefold()
        begin = (
            f"What is visible at the start of a {name} is chosen and not random; what is hidden "
            "then or comes later is random, as stated. "
        )
        if len(self.positions) > 1:
            begin += f"Nothing of a {name} carries over to the next one. "
        return begin + judging(self.tolerance, self.unit)

    def solve(self) -> Iterable[str]:
        """The moves of the ideal player, who does not foresee chance events."""
        rules = self.rules()
        for start, luck in self.starts():
            for state, expectations in self._ideal(rules, start, luck):
                best = best_move(expectations)
                yield rules.name(state, best)

    def _ideal(
        self, rules: ChanceRules[Any, Any], start: Any, luck: int
    ) -> Iterator[tuple[Any, dict[Any, float]]]:
        """The states in which the ideal player moves in a round, each with all expectations."""
        solution = self.solution(rules, start)
        state, history, _ = self._settled(rules, start, str(luck))
        while rules.legal(state):
            expectations = solution.expectations(state)
            yield state, expectations
            best = best_move(expectations)
            history = f"{history} {rules.name(state, best)}"
            state, history, _ = self._settled(rules, rules.apply(state, best), history)

    def _path(self, rules: ChanceRules[Any, Any], start: Any, luck: int) -> Path:
        gaps, moves, firsts, chance = list[float](), set[Any](), list[Any](), 1.0
        for _, expectations in self._ideal(rules, start, luck):
            right = right_moves(expectations, self.tolerance)
            chance *= len(right) / len(expectations)
            single = (size := gap(expectations)) > self.tolerance
            firsts.append(right[0] if single else None)
            if single:
                moves.add(right[0])
                gaps.append(size)
        first = firsts[0] if firsts else None
        return Path(len(gaps), len(moves), first, min(gaps, default=float("inf")), chance)

    def paths(self) -> list[Path]:
        """What an ideal player meets in each round."""
        rules = self.rules()
        return [self._path(rules, start, luck) for start, luck in self.starts()]

    def random_baseline(self) -> float:
        """The probability that random moves are as good as those of the ideal player."""
        chance = 1.0
        for path in self.paths():
            chance *= path.random_score
        return chance

    def difficulty(self) -> float:
        """The number of games that a player of random moves needs for one without a mistake."""
        return 1 / self.random_baseline()

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Callable[[Any, Random], Any]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.partition(" ")[2])
                return rules.name(state, choose(state, rng))

            return move

        return {name: player(choose) for name, choose in rules.thumbs().items()}
