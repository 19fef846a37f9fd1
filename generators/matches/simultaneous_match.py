"""Matches of rounds in which both players move at the same time, against a mixed strategy that the
prompt states.

A lone player is judged by the expectation of decisions against that strategy; between two other
players, the results of all rounds decide. The first states of the rounds are chosen for their
decisions, by trial seeds. The seeds of the choices of the built-in opponent are drawn after that
and never chosen, so that these choices are as frequent as the prompt states.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from palaestra.generators.decisions import ROUNDING, best_move, gap, judging, right_moves
from palaestra.generators.matches.hidden_information import HiddenRules
from palaestra.generators.matches.judged_match import JudgedMatch
from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.simultaneous_rounds import SimultaneousRounds
from palaestra.generators.states import decoded, encoded
from palaestra.task import Match, NoValidTask, Policy, Score, Turn, ladder

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Any)

TRIES = 200
"""The most first states that are tried for one with a decision."""

OPPONENTS = 20
"""The most opponents that are tried: against some, no first state has a decision."""

Chooser = Callable[[Any, int, Random], Any]
"""A player without search, who knows the state before a turn and which player it is."""


class SimultaneousRules(HiddenRules[State, Move]):
    """The rules of a game in which both players move at the same time, and nothing else is hidden.

    States have the field ``written``: None, or what player 0 has chosen in this turn, which player
    1 does not know.
    """

    state_type: Any
    """The named tuple of a state."""

    beginning: Any
    """The first state of a game."""

    @abstractmethod
    def choices(self, state: State, player: int) -> Sequence[Move]:
        """The legal moves of a player in a turn."""

    @abstractmethod
    def turned(self, state: State, first: Move, second: Move) -> State:
        """The state after a turn in which the players have chosen these moves."""

    @abstractmethod
    def chances_of(self, state: State, player: int) -> Mapping[Move, float]:
        """The moves that the built-in opponent chooses as this player, with their probabilities."""

    def start(self) -> State:
        state: State = self.beginning
        return state

    def hands(self) -> Sequence[tuple[None, float]]:
        return [(None, 1.0)]

    def dealt(self, hand: None, owner: int, rng: Random) -> State:
        return self.start()

    def chances(self, state: State) -> Sequence[tuple[None, float]]:
        return ()

    def news(self, state: State, event: None) -> str:
        return ""

    def player(self, state: Any) -> int:
        return 0 if state.written is None else 1

    def legal(self, state: Any) -> Sequence[Move]:
        return self.choices(state._replace(written=None), self.player(state))

    def apply(self, state: Any, move: Move) -> Any:
        if state.written is None:
            return state._replace(written=move)
        return self.turned(state._replace(written=None), state.written, move)

    def view(self, state: Any, player: int) -> str:
        return f"{player} {encoded(state._replace(written=None))}"

    def decode(self, text: str) -> State:
        state: State = self.state_type(*decoded(text))
        return state


class SimultaneousResponse:
    """What a player can expect from moves against the built-in opponent, with the best play later.

    Raises :class:`TooManyStates` after ``most_states`` of them.
    """

    def __init__(self, rules: SimultaneousRules[Any, Any], player: int, most_states: int) -> None:
        self.rules = rules
        self.player = player
        self.most_states = most_states
        self._known: dict[Any, Mapping[Any, float]] = {}

    def value(self, state: Any) -> float:
        """What the player wins on average with the best play."""
        outcome = self.rules.outcome(state)
        if outcome is not None:
            return outcome if self.player == 0 else 0.0 - outcome
        return max(self.expectations(state).values())

    def expectations(self, state: Any) -> Mapping[Any, float]:
        """What the player wins on average after each move."""
        if state not in self._known:
            if len(self._known) >= self.most_states:
                raise TooManyStates
            rules, player = self.rules, self.player
            chances = rules.chances_of(state, 1 - player)
            self._known[state] = {
                move: sum(
                    [share * self._after(state, move, theirs) for theirs, share in chances.items()]
                )
                for move in rules.choices(state, player)
            }
        return self._known[state]

    def _after(self, state: Any, mine: Any, theirs: Any) -> float:
        pair = (mine, theirs) if self.player == 0 else (theirs, mine)
        return self.value(self.rules.turned(state, *pair))


class TooManyStates(ValueError):
    """A round has more states than an exact response may visit."""


class SimultaneousMatch(JudgedMatch[SimultaneousRounds]):
    """A match of rounds of simultaneous moves against a known mixed strategy.

    A subclass gives the rules, random first states, and the rules and the strategy in words.
    """

    tags: ClassVar = {"two-players", "simultaneous", "chance", "expected-value"}
    hidden: ClassVar = {"luck"}
    tolerance: ClassVar[float] = 0.001
    unit: ClassVar[str] = "points"
    round_name: ClassVar[str] = "round"
    question: ClassVar[str] = "Your move?"

    class Knobs(Match.Knobs):
        """Every match of simultaneous moves has these; a subclass adds those of its game."""

        rounds: int = ladder(1, 2, 2, 3, 4, 5, low=1, high=8)
        least_decisions: int = ladder(1, 2, 2, 3, 3, 3, low=1, high=12)  # in a trial of each round
        most_gap: float = ladder(2.0, 0.5, 0.3, 0.2, 0.1, 0.05, low=0.001)  # of the first one

    candidates: ClassVar[int] = 8
    """How many first states are tried for one with enough decisions."""

    most_states: ClassVar[int] = 4_000
    """How many states of a round may be visited to solve it."""

    positions: tuple[str, ...]
    """The first state of each round, as :func:`~palaestra.generators.states.encoded` writes it."""

    luck: tuple[int, ...]
    """For each round the seed of the choices of the built-in opponent."""

    @classmethod
    @abstractmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """The fields that the rules need, at random within the knobs."""

    @abstractmethod
    def rules(self) -> SimultaneousRules[Any, Any]:
        """The rules of this match."""

    @classmethod
    @abstractmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random first state; None where there is nothing to decide."""

    @abstractmethod
    def game(self) -> str:
        """The rules of a round in words, with the form of a move and an example."""

    @abstractmethod
    def strategy_text(self) -> str:
        """The strategy of the built-in opponent in words."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Chooser]:
        """Rules of thumb: players who do not search."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        for _ in range(OPPONENTS):
            fields = cls.fields_of(rng, knobs)
            task = cls(positions=(), luck=(), seat=rng.randrange(2), **fields)
            positions = task._hard_openings(rng, knobs)
            if positions:
                luck = tuple(rng.getrandbits(32) for _ in positions)
                return task.model_copy(update={"positions": positions, "luck": luck})
        raise NoValidTask(f"{OPPONENTS} opponents had no round with a decision in {TRIES} tries")

    def _hard_openings(self, rng: Random, knobs: Any) -> tuple[str, ...]:
        """The first states of all rounds; none where no round with a decision turns up."""
        positions = list[str]()
        for _ in range(knobs.rounds):
            opening = self._hard_opening(rng, knobs, positions)
            if opening is None:
                return ()
            positions.append(opening)
        return tuple(positions)

    def _hard_opening(self, rng: Random, knobs: Any, known: Sequence[str]) -> str | None:
        """A new random first state in which the ideal player meets enough decisions in a trial, the
        first of them close enough; else the one that comes nearest, and None where each has none.
        """
        best: tuple[tuple[bool, int, float], str] | None = None
        for attempt in range(TRIES):
            state = self.opening(rng, self.rules(), knobs)
            rank = None if state is None else self._rank(state, rng.getrandbits(32), knobs)
            if rank is not None:
                text = encoded(state)
                ranked = (text in known, *rank), text
                best = ranked if best is None else min(best, ranked)
            if best and (attempt + 1 >= self.candidates or best[0] == (False, 0, knobs.most_gap)):
                break
        return best[1] if best else None

    def _rank(self, state: Any, luck: int, knobs: Any) -> tuple[int, float] | None:
        """How many decisions are missing in a trial, and how close the first one is; None where it
        has no single best move, or the round is too long.
        """
        response = self.trial()
        try:
            if gap(response.expectations(state)) <= self.tolerance:
                return None
        except TooManyStates:
            return None
        ideal = self._ideal(self._rounds([state], [luck]))
        clear = {n: each for n, each in enumerate(ideal) if gap(each) > self.tolerance}
        # The same move over and over must not be right.
        same = len({best_move(each) for each in clear.values()}) < min(2, knobs.least_decisions)
        missing = max(0, knobs.least_decisions - len(clear)) + same
        return missing, max(knobs.most_gap, gap(clear[0]))

    def is_valid(self) -> bool:
        """Whether the first turn of each round has a single best move, which does not depend on
        luck.
        """
        rules, response = self.rules(), self.response()
        return all(
            gap(response.expectations(rules.decode(text))) > self.tolerance
            for text in self.positions
        )

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def session(self) -> SimultaneousRounds:
        """The match before the first move."""
        return self._rounds([*map(self.rules().decode, self.positions)], self.luck)

    def _rounds(self, starts: Sequence[Any], luck: Sequence[int]) -> SimultaneousRounds:
        return SimultaneousRounds(self.rules(), starts, luck, self.round_name)

    @abstractmethod
    def response(self) -> SimultaneousResponse:
        """The best response to the built-in opponent, which episodes share."""

    def trial(self) -> SimultaneousResponse:
        """A response for a first state that may have too many states after it."""
        return type(self.response())(self.rules(), self.seat, self.most_states)

    def expectations(self, session: SimultaneousRounds) -> Mapping[Any, float]:
        return self.response().expectations(session.state._replace(written=None))

    def _reply(self, session: SimultaneousRounds) -> Any:
        state = session.state._replace(written=None)
        chances = self.rules().chances_of(state, session.mover)
        return session.source().choices([*chances], [*chances.values()])[0]

    def _turn(self, session: SimultaneousRounds, seat: int) -> Turn:
        rules, state = session.rules, session.state
        return Turn(
            "\n\n".join([*session.news[seat], rules.show(state, seat), self.question]),
            legal_moves=[rules.name(state, move) for move in rules.legal(state)],
            state=f"{session.number} {session.result:g} {rules.view(state, seat)}",
            player=seat,
            scene=partial(rules.scene, state, seat),
        )

    def _result(self, session: SimultaneousRounds, seat: int) -> float:
        return session.result if seat == 0 else 0.0 - session.result

    def _outcome(self, session: SimultaneousRounds) -> str:
        return " ".join(session.news[self.seat])

    def _by_result(self, session: SimultaneousRounds) -> Sequence[Score]:
        more = abs(session.result)
        if more < ROUNDING:
            return scores(None, f"equal {self.unit} in all rounds")
        unit = self.unit.removesuffix("s") if more == 1 else self.unit
        return scores(int(session.result < 0), f"{more:g} {unit} more in all rounds")

    def introduction(self, seat: int) -> str:
        return self.description(seat)

    def description(self, seat: int) -> str:
        """The rules, and for the lone player the strategy of the opponent."""
        number = len(self.positions)
        rounds = "The match is a single round."
        if number > 1:
            rounds = f"The match has {number} rounds."
        between = (
            f"Between two players, whoever has more {self.unit} after all rounds wins the match; "
            "equal numbers are a draw."
        )
        if seat != self.seat:
            return f"{self.game()}\n\n{rounds} {between}"
        return (
            f"{self.game()}\n\n{rounds}\n\n{self.strategy_text()}\n\n"
            f"{judging(self.tolerance, self.unit)} ({between})"
        )

    def random_baseline(self) -> float:
        """The probability that random moves are as good as those of the ideal player."""
        chance = 1.0
        for expectations in self._ideal(self.session()):
            chance *= len(right_moves(expectations, self.tolerance)) / len(expectations)
        return chance

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Chooser) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.split(" ", 3)[3])
                return rules.name(state, choose(state, turn.player, rng))

            return move

        return {name: player(choose) for name, choose in self.thumbs().items()}


def this_turn(rules: SimultaneousRules[Any, Any], worth: Callable[[Any, int], float]) -> Chooser:
    """The player who maximises the mean worth of the state after this turn, which a state has for a
    player, against the built-in opponent.
    """

    def choose(state: Any, player: int, rng: Random) -> Any:
        means = dict[Any, float]()
        for move in rules.choices(state, player):
            means[move] = 0.0
            for theirs, chance in rules.chances_of(state, 1 - player).items():
                pair = (move, theirs) if player == 0 else (theirs, move)
                means[move] += chance * worth(rules.turned(state, *pair), player)
        return best_move(means)

    return choose
