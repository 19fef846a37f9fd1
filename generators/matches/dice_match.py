"""Matches with dice and perfect information: rules, exact chances to win, and judged decisions.

A lone player is judged by the expectation of decisions, which does not depend on luck. Between two
other players, the games won decide.

The openings of a match are chosen for their decisions, by trial seeds. The seeds of the dice that a
task gets are drawn after that choice and never chosen, so that the dice are as frequent as the
prompt states.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from palaestra.generators.decisions import ROUNDING, gap, judging, right_moves
from palaestra.generators.matches.judged_match import JudgedMatch
from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.rules import WIN, Rules
from palaestra.generators.states import encoded
from palaestra.task import Match, NoValidTask, Policy, Score, Turn, ladder

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Any)


class DiceRules(Rules[State, Move]):
    """The rules of a game for two players in which dice are rolled.

    In each state without an outcome, either a player moves or dice are rolled. Positions may
    repeat where :meth:`win_chance` knows all chances to win.
    """

    @abstractmethod
    def chances(self, state: State) -> Sequence[tuple[Any, float]]:
        """The rolls that are possible, each with its probability, where dice are rolled; else
        nothing. Then there are no legal moves, and :meth:`apply` takes a roll.
        """

    def win_chance(self, state: State) -> float | None:
        """The probability that player 0 wins if both play perfectly, where a method of the game's
        own computes it; else None.
        """
        return None

    @abstractmethod
    def news(self, state: State, event: Any) -> str:
        """A sentence that states a roll."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        """Rules of thumb: players who do not search."""


class WinChances(Generic[State, Move]):
    """The exact chances to win of a game, each state visited once."""

    def __init__(self, rules: DiceRules[State, Move]) -> None:
        self.rules = rules
        self._values: dict[State, float] = {}

    def value(self, state: State) -> float:
        """The probability that player 0 wins if both play perfectly."""
        known = self._values.get(state)
        if known is not None:
            return known
        worth = self.rules.win_chance(state)
        if worth is None:
            worth = self._searched(state)
        self._values[state] = worth
        return worth

    def _searched(self, state: State) -> float:
        rules, value = self.rules, self.value
        over = rules.outcome(state)
        if over is not None:
            return over / WIN
        events = rules.chances(state)
        if events:
            return sum(chance * value(rules.apply(state, event)) for event, chance in events)
        best = max if rules.player(state) == 0 else min
        return best(value(rules.apply(state, move)) for move in rules.legal(state))

    def expectations(self, state: State) -> dict[Move, float]:
        """The probability to win of the player to move, after each legal move."""
        rules, first = self.rules, self.rules.player(state) == 0
        worths = {move: self.value(rules.apply(state, move)) for move in rules.legal(state)}
        return worths if first else {move: 1 - worth for move, worth in worths.items()}


@lru_cache(maxsize=16)
def win_chances(rules: DiceRules[Any, Any], start: str) -> WinChances[Any, Any]:
    """The chances of the game from a first state, which its episodes share."""
    return WinChances(rules)


class Path(NamedTuple):
    """What an ideal player meets in a game."""

    decisions: int
    """The decisions with a single best move, which is better than all others by the tolerance."""
    traits: int
    """The number of different traits of the best moves in these decisions."""
    first: Any
    """The trait of the best move of the first decision, if that has a single one; else None."""
    gap: float
    """How much worse the second-best move is in the closest of these decisions."""
    random_score: float
    """The probability that a player of random moves makes no mistake."""


class Session:
    """A match in progress: the state of the current game, the games won, and what is to be
    reported.
    """

    def __init__(
        self, rules: DiceRules[Any, Any], starts: Sequence[Any], luck: Sequence[int]
    ) -> None:
        self.rules = rules
        self.starts = starts
        self.luck = luck
        self.number = 0
        self.ply = 0
        self.won = [0, 0]
        self.news: list[list[str]] = [[], []]
        """Sentences for each seat that it has not read yet."""
        self.state: Any = None
        self.last: Any = None
        """The last move of the current game."""
        self._begin()

    @property
    def over(self) -> bool:
        """Whether all games have been played."""
        return self.number == len(self.starts)

    @property
    def mover(self) -> int:
        """The seat of the player to move."""
        return self.rules.player(self.state)

    def source(self) -> Random:
        """The source of the next roll, or of a choice among equally good moves."""
        return Random(f"{self.luck[self.number]} {self.ply}")

    def move(self, move: Any) -> None:
        """Make a legal move, and play on to the next one."""
        sign = self.rules.signs[self.mover]
        self.news[1 - self.mover].append(f"{sign} played {self.rules.name(self.state, move)}.")
        self.state, self.last = self.rules.apply(self.state, move), move
        self.ply += 1
        self._settle()

    def _report(self, sentence: str) -> None:
        for news in self.news:
            news.append(sentence)

    def _begin(self) -> None:
        self.state, self.last, self.ply = self.starts[self.number], None, 0
        if len(self.starts) > 1:
            self._report(f"Game {self.number + 1} of {len(self.starts)}.")
        self._settle()

    def _settle(self) -> None:
        """Roll dice where they are due, and go on to the next game at the end of one."""
        rules = self.rules
        while (over := rules.outcome(self.state)) is None:
            chances = rules.chances(self.state)
            if not chances:
                return
            events, weights = zip(*chances)
            event = self.source().choices(events, weights)[0]
            self._report(rules.news(self.state, event))
            self.state, self.ply = rules.apply(self.state, event), self.ply + 1
        winner = 0 if over == WIN else 1
        self.won[winner] += 1
        so_far = ", ".join(f"{sign} {won}" for sign, won in zip(rules.signs, self.won))
        total = f" Games won so far: {so_far}." if len(self.starts) > 1 else ""
        self._report(f"{rules.signs[winner]} has won the game.{total}")
        self.number += 1
        if not self.over:
            self._begin()


class DiceMatch(JudgedMatch[Session]):
    """A match of several games with dice against a perfect opponent.

    A subclass gives the rules, random openings in which a player is to move, and the rules in
    words.
    """

    tags: ClassVar = {"two-players", "perfect-information", "chance", "dice", "expected-value"}
    hidden: ClassVar = {"luck"}

    class Knobs(Match.Knobs):
        """Every match with dice has these; a subclass adds those of its game."""

        games: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=8)
        # Both in a trial of each game; with the luck of the task there may be fewer decisions.
        least_decisions: int = ladder(1, 2, 2, 2, 3, 3, low=1, high=20)
        most_gap: float = ladder(1.0, 0.1, 0.05, 0.03, 0.02, 0.01, low=0.001)  # of the closest one

    candidates: ClassVar[int] = 12
    """How many openings are tried for one with enough decisions."""

    tolerance: ClassVar[float] = 0.005
    unit: ClassVar[str] = "of the probability to win"
    round_name: ClassVar[str] = "game"

    positions: tuple[str, ...]
    """The first state of each game, as :meth:`Rules.encode` writes it."""

    luck: tuple[int, ...]
    """The seed of the dice of each game, and of the opponent's choices."""

    @classmethod
    def fields_of(cls, knobs: Any) -> dict[str, Any]:
        """The fields that a task takes over from its knobs: those of the same name."""
        return {name: value for name, value in knobs if name in cls.model_fields}

    @abstractmethod
    def rules(self) -> DiceRules[Any, Any]:
        """The rules of this match."""

    @classmethod
    @abstractmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any, turn: int) -> Any | None:
        """A random state in which the player ``turn`` is to move; None where nothing is to be
        decided.
        """

    @classmethod
    def trait(cls, move: Any) -> Any:
        """What the best first moves of the games of a match differ in, as far as possible."""
        return move

    @abstractmethod
    def game(self) -> str:
        """The rules of a game in words, with the form of a move and an example."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        task = cls(positions=(), luck=(), seat=rng.randrange(2), **cls.fields_of(knobs))
        firsts, positions = Counter[Any](), list[str]()
        for _ in range(knobs.games):
            first, position = task._hard_opening(rng, knobs, firsts)
            firsts[first] += 1
            positions.append(position)
        luck = tuple(rng.getrandbits(32) for _ in positions)
        return task.model_copy(update={"positions": tuple(positions), "luck": luck})

    def _hard_opening(self, rng: Random, knobs: Any, firsts: Counter[Any]) -> tuple[Any, str]:
        """The trait of the best first move, and a random opening.

        In a trial, the ideal player meets enough decisions in it, one of them close enough; without
        such an opening, it is the one that comes nearest.

        The trait is one that the best moves had as rarely as possible in the games before, which
        ``firsts`` counts, or the same moves over and over would be right too often.
        """
        best: dict[Any, tuple[tuple[int, float], str]] = {}
        for attempt in range(20 * self.candidates):
            state = self.opening(rng, self.rules(), knobs, self.seat)
            path = None if state is None else self._path(state, rng.getrandbits(32))
            if path is not None and path.decisions:
                rank = self._rank(path, knobs)
                if path.first not in best or rank < best[path.first][0]:
                    best[path.first] = rank, encoded(state)
            if best.keys() - {None} and attempt + 1 >= self.candidates:
                break
        if not best:
            raise NoValidTask(f"no game with a decision in {20 * self.candidates} openings")
        known = sorted(best.keys() - {None}) or [None]
        fewest = min(firsts[move] for move in known)
        first = rng.choice([move for move in known if firsts[move] == fewest])
        return first, best[first][1]

    @staticmethod
    def _rank(path: Path, knobs: Any) -> tuple[int, float]:
        """How far a trial is from what the knobs want, and its closest decision."""
        # The same move over and over must not be right.
        same = path.traits < min(2, knobs.least_decisions)
        missing = max(0, knobs.least_decisions - path.decisions)
        return missing + same, max(knobs.most_gap, path.gap)

    def is_valid(self) -> bool:
        """Whether the first decision of each game has a single best move.

        That does not depend on luck, so that luck is not chosen here.
        """
        starts = zip(self.starts(), self.luck)
        return all(self._path(start, luck).first is not None for start, luck in starts)

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def starts(self) -> list[Any]:
        """The first state of each game."""
        return [*map(self.rules().decode, self.positions)]

    def session(self) -> Session:
        """The match before the first move."""
        return Session(self.rules(), self.starts(), self.luck)

    def solution(self, start: Any) -> WinChances[Any, Any]:
        """The exact chances to win of a game."""
        return win_chances(self.rules(), encoded(start))

    def expectations(self, session: Session) -> Mapping[Any, float]:
        """The probability to win of the player to move, after each legal move."""
        return self.solution(session.starts[session.number]).expectations(session.state)

    def _reply(self, session: Session) -> Any:
        """The move of the built-in opponent, at random among equally good ones."""
        return session.source().choice(right_moves(self.expectations(session), ROUNDING))

    def _names(self, session: Session) -> Sequence[str]:
        return (self.rules().signs[session.mover],)

    def _turn(self, session: Session, seat: int) -> Turn:
        rules, state = session.rules, session.state
        sign = rules.signs[seat]
        won = "-".join(map(str, session.won))
        return Turn(
            "\n\n".join([*session.news[seat], rules.show(state), f"You are {sign}. Your move?"]),
            legal_moves=sorted(rules.name(state, move) for move in rules.legal(state)),
            state=f"{session.number} {won} {encoded(state)}",
            player=seat,
            scene=partial(rules.scene, state, session.last),
        )

    def _result(self, session: Session, seat: int) -> float:
        return float(session.won[seat])

    def _outcome(self, session: Session) -> str:
        return f"You have won {session.won[self.seat]} of {len(self.luck)}."

    def _by_result(self, session: Session) -> Sequence[Score]:
        first, second = session.won
        winner = None if first == second else int(second > first)
        return scores(winner, f"games won: X {first}, O {second}")

    def introduction(self, seat: int) -> str:
        return self.description(seat)

    def description(self, seat: int) -> str:
        """The rules, and for the lone player how a match is judged."""
        match = "The match is a single game."
        if len(self.positions) > 1:
            match = f"The match has {len(self.positions)} games, which do not affect each other."
        sign = self.rules().signs[self.seat]
        rules = (
            f"{self.game()}\n\n{match} The first position of a game, with a roll that it shows, is "
            "chosen and not random; the rolls after it are random."
        )
        between = "whoever wins more games wins the match, and equal numbers are a draw."
        if seat != self.seat:
            return f"{rules} {between.capitalize()}"
        return (
            f"{rules} {judging(self.tolerance, self.unit)} "
            "The value of a decision is the probability to win the game in which it is made. "
            f"This is how {sign} is judged against the built-in opponent, which plays perfectly; "
            f"between two other players, {between}"
        )

    def _path(self, start: Any, luck: int) -> Path:
        gaps, traits, firsts, chance = list[float](), set[Any](), list[Any](), 1.0
        for expectations in self._ideal(Session(self.rules(), [start], [luck])):
            right = right_moves(expectations, self.tolerance)
            chance *= len(right) / len(expectations)
            single = (size := gap(expectations)) > self.tolerance
            firsts.append(self.trait(right[0]) if single else None)
            if single:
                traits.add(self.trait(right[0]))
                gaps.append(size)
        first = firsts[0] if firsts else None
        return Path(len(gaps), len(traits), first, min(gaps, default=float("inf")), chance)

    def random_baseline(self) -> float:
        """The probability that random moves are as good as those of the ideal player."""
        chance = 1.0
        for start, luck in zip(self.starts(), self.luck):
            chance *= self._path(start, luck).random_score
        return chance

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Callable[[Any, Random], Any]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.split(" ", 2)[2])
                return rules.name(state, choose(state, rng))

            return move

        return {name: player(choose) for name, choose in rules.thumbs().items()}
