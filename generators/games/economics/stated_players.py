"""Repeated games of several players who move at the same time, all but one of whom follow stated
rules without chance, so that dynamic programming gives the most points that are possible.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from palaestra.generators.games.solo import SoloGame, SoloRules
from palaestra.generators.search import Plan
from palaestra.generators.states import decoded, encoded
from palaestra.scenes import Cell, Table
from palaestra.task import NoValidTask, Policy, Turn, ladder

LETTERS = "ABCDEF"
"""The names of the other players."""

Moves = tuple[int, ...]
"""The moves of a round, that of the player first."""

Rule = tuple[str, int]
"""The name of the rule that another player follows, and its number."""


class State(NamedTuple):
    """The rounds left, the points of the player, and all rounds so far with some before them."""

    left: int
    points: int
    rounds: tuple[Moves, ...]


@dataclass(frozen=True)
class StatedPlayers(SoloRules[State, int]):
    """Have as many points as possible after a number of rounds."""

    others: tuple[Rule, ...]
    need: int
    """The points that win."""

    memory: ClassVar[int]
    """How many previous rounds the rules of the other players look at."""

    round_name: ClassVar[str] = "round"

    @cached_property
    def search(self) -> "Search":
        """The search of what is possible."""
        return search_of(replace(self, need=0))

    @abstractmethod
    def choices(self) -> range:
        """The moves, which are whole numbers from 0."""

    @abstractmethod
    def reply(self, rule: Rule, seat: int, recent: Sequence[Moves]) -> int:
        """The move of another player, who sits at a seat from 1, after so many previous rounds."""

    @abstractmethod
    def gain(self, left: int, moves: Moves) -> int:
        """The points of the player in a round, with which so many rounds are left."""

    @abstractmethod
    def in_words(self, moves: Moves) -> str:
        """The moves of a round in words."""

    def decode(self, text: str) -> State:
        return State(*decoded(text))

    def legal(self, state: State) -> Sequence[int]:
        return self.choices() if state.left else ()

    def replies(self, recent: Sequence[Moves]) -> Moves:
        """The moves of the other players in the next round."""
        return tuple([self.reply(rule, n, recent) for n, rule in enumerate(self.others, 1)])

    def apply(self, state: State, move: int) -> State:
        moves = (move, *self.replies(state.rounds[-self.memory :]))
        points = state.points + self.gain(state.left, moves)
        return State(state.left - 1, points, (*state.rounds, moves))

    def distance(self, state: State) -> float:
        """The rounds left; infinite where the points can no longer be reached."""
        return float(state.left) if self.most(state) >= self.need else float("inf")

    def most(self, state: State) -> int:
        """The most points that the player can still have in the end."""
        return state.points + self.search.best(state.left, state.rounds[-self.memory :]).points

    def why_lost(self, state: State) -> str:
        if state.left:
            return f"no more than {self.most(state)} points are possible now"
        return f"{state.points} points, of {self.need}"

    def show(self, state: State) -> str:
        title = self.round_name.capitalize()
        lines = []
        for n, moves in enumerate(state.rounds, 1 - self.memory):
            line = f"{title} {n}: {self.in_words(moves)}"
            left = state.left + len(state.rounds) - self.memory - n + 1
            points = f"; {self.gain(left, moves)} points for you" if n > 0 else ""
            lines.append(line + points)
        return "\n".join([*lines, f"Your points: {state.points} of {self.need}."])

    def scene(self, state: State) -> Table:
        rows = tuple(
            tuple(Cell(self.name(state, move), fill="t2" if move else "t0") for move in moves)
            for moves in state.rounds
        )
        left = tuple(str(n - self.memory + 1) for n in range(len(state.rounds)))
        return Table(rows, top=("You", *LETTERS[: len(self.others)]), left=left)


class Best(NamedTuple):
    """The most points of the rounds that are left, and what all plans for them have in common."""

    points: int
    patience: int
    """In how many rounds they give up points both of that round and of that and the next one."""
    changes: int
    """How often they change the move, at least."""
    ways: int
    """The number of these plans."""


class Search:
    """What can be had after all previous rounds that the rules look at, each visited once."""

    def __init__(self, rules: StatedPlayers) -> None:
        self.rules = rules
        self._known: dict[tuple[int, tuple[Moves, ...]], Best] = {}
        self._soon: dict[tuple[int, int, tuple[Moves, ...]], list[int]] = {}

    def best(self, left: int, recent: tuple[Moves, ...]) -> Best:
        """What the player can have in the rounds that are left."""
        if not left:
            return Best(0, 0, 0, 1)
        known = self._known.get((left, recent))
        if known is None:
            ways = list(self.after(left, recent))
            points = max(way.points for way in ways)
            _, patience, changes, numbers = zip(*(way for way in ways if way.points == points))
            known = Best(points, min(patience), min(changes), sum(numbers))
            self._known[left, recent] = known
        return known

    def after(self, left: int, recent: tuple[Moves, ...]) -> Iterator[Best]:
        """What the player can have with each move."""
        rules, replies, last = self.rules, self.rules.replies(recent), recent[-1][0]
        horizons = [self.soon(left, rounds, recent) for rounds in {1, min(left, 2)}]
        for move in rules.choices():
            moves = (move, *replies)
            rest = self.best(left - 1, (*recent, moves)[-rules.memory :])
            yield Best(
                rules.gain(left, moves) + rest.points,
                rest.patience + all(soon[move] < max(soon) for soon in horizons),
                rest.changes + (move != last),
                rest.ways,
            )

    def soon(self, left: int, rounds: int, recent: tuple[Moves, ...]) -> list[int]:
        """The most points of the next one or two of the rounds left, for each move in the first."""
        known = self._soon.get((left, rounds, recent))
        if known is None:
            rules, replies = self.rules, self.rules.replies(recent)
            known = []
            for move in rules.choices():
                moves = (move, *replies)
                after = (*recent, moves)[-rules.memory :]
                later = max(self.soon(left - 1, 1, after)) if rounds > 1 else 0
                known.append(rules.gain(left, moves) + later)
            self._soon[left, rounds, recent] = known
        return known


@lru_cache(maxsize=64)
def search_of(rules: StatedPlayers) -> Search:
    """The search of a game, which all rules that differ in the points that win can share."""
    return Search(rules)


class StatedPlayersGame(SoloGame):
    """A game against players of stated rules, which is won with the most points possible."""

    tags: ClassVar = {"planning", "perfect-information", "game-theory", "economics"}

    class Knobs(SoloGame.Knobs):
        """All of these games have these knobs; a subclass adds those of its game."""

        rounds: int = ladder(4, 5, 6, 7, 8, 8, low=3, high=12)
        others: int = ladder(2, 2, 3, 3, 4, 4, low=2, high=5)
        patience: int = ladder(0, 0, 1, 1, 2, 3, low=0, high=6)  # rounds that give up points
        changes: int = ladder(1, 2, 2, 3, 3, 3, low=0, high=8)  # of the move
        most_chance: float = ladder(0.1, 0.03, 0.01, 1e-3, 3e-4, 1e-4, low=1e-9)

    candidates: ClassVar[int] = 12
    """How many games are looked at for one that is hard enough."""

    others: tuple[Rule, ...]
    need: int

    @classmethod
    @abstractmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """The fields that the rules need, but for the points that win."""

    @classmethod
    @abstractmethod
    def rounds_before(cls, rng: Random, fields: Mapping[str, Any]) -> tuple[Moves, ...]:
        """Random rounds before the first one, as many as the rules look at."""

    @abstractmethod
    def rules(self) -> StatedPlayers:
        """The rules of this game."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The first of the candidates that is as hard as intended, or else the hardest one."""
        hardest, rank = None, (0, 2.0)
        for _ in range(cls.candidates):
            fields = cls.fields_of(rng, knobs)
            before = cls.rounds_before(rng, fields)
            position = encoded(State(knobs.rounds, 0, before))
            task = cls(position=position, moves=knobs.rounds, need=0, **fields)
            best = task.rules().search.best(knobs.rounds, before)
            missing = 3 * max(0, knobs.patience - best.patience)
            missing += max(0, knobs.changes - best.changes)
            chance = best.ways / len(task.rules().choices()) ** knobs.rounds
            if hardest is None or (missing, chance) < rank:
                hardest, rank = task.model_copy(update={"need": best.points}), (missing, chance)
            if not missing and chance <= knobs.most_chance:
                break
        if hardest is None:
            raise NoValidTask("no game is looked at")
        return hardest

    def is_valid(self) -> bool:
        """Whether at most half of all plans have the most points."""
        return self.random_baseline() <= 0.5

    def start(self) -> State:
        return self.rules().decode(self.position)

    def plan(self) -> Plan[int] | None:
        rules, state, moves = self.rules(), self.start(), list[int]()
        while state.left:
            after = {move: rules.apply(state, move) for move in rules.choices()}
            move = next((each for each in after if rules.most(after[each]) >= self.need), None)
            if move is None:
                return None
            state = after[move]
            moves.append(move)
        return Plan(tuple(moves), len(rules.choices()) * len(moves))

    def _best(self) -> Best:
        start = self.start()
        return self.rules().search.best(start.left, start.rounds)

    def random_baseline(self) -> float:
        """The probability that random moves have the most points."""
        return float(self._best().ways / len(self.rules().choices()) ** self.moves)

    def difficulty(self) -> float:
        """The number of games that a player of random moves needs for one with the most points."""
        return 1 / self.random_baseline()

    def rule_lines(self) -> str:
        """The rules of the other players in words, a line for each."""
        rules = enumerate(self.others, 1)
        return "\n".join(f"{LETTERS[n - 1]} {self.rule_words(n, rule)}." for n, rule in rules)

    @abstractmethod
    def rule_words(self, seat: int, rule: Rule) -> str:
        """What another player does, who sits at a seat from 1, from the verb on."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Callable[[State], int]]:
        """Rules of thumb: players who do not search."""

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Callable[[State], int]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                return rules.name(state, choose(state))

            return move

        def soon(rounds: int) -> Callable[[State], int]:
            def choose(state: State) -> int:
                points = rules.search.soon(
                    state.left, min(rounds, state.left), state.rounds[-rules.memory :]
                )
                return points.index(max(points))

            return choose

        thumbs = {**self.thumbs(), "most points of a round": soon(1),
                  "most points of two rounds": soon(2)}  # fmt: skip
        return {name: player(choose) for name, choose in thumbs.items()}
