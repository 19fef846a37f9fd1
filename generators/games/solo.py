"""One-player games with all in view, played move by move: rules, and the episode around them.

Nothing is left to chance, so that a plan exists that wins; :meth:`SoloGame.solve` finds one by
search from the position alone.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, TypeVar

from palaestra.generators.game_rules import GameRules, GameTask
from palaestra.generators.search import Plan, a_star
from palaestra.generators.states import encoded
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn
from palaestra.verifiers.reading.lead_ins import read_move

ILLEGAL_MOVES = 3
"""The number of illegal moves that a player may make; another one ends the game."""

RANDOM_GAMES = 40
"""The number of games behind the score of a player of random moves."""

CREDIT = 0.5
"""The credit for all of the way to the goal but the last move."""

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move", bound=Hashable)


class SoloRules(GameRules[State, Move]):
    """The rules of a game for one player. States are nested tuples of integers and texts.

    Subclasses are immutable and hashable.
    """

    @abstractmethod
    def distance(self, state: State) -> float:
        """An estimate of the number of moves to the goal: 0 at a goal and nowhere else, and
        infinite where the goal can no longer be reached. Plans are shortest if it is never above
        the truth.
        """

    def is_over(self, state: State) -> bool:
        return self.distance(state) == 0 or not self.legal(state)

    def why_lost(self, state: State) -> str:
        """Why a game is lost in a state from which the goal cannot be reached."""
        return "the goal can no longer be reached"

    def picture(self, state: State) -> Scene | None:
        return self.scene(state)

    def scene(self, state: State) -> Scene | None:
        """What there is to see."""
        return None

    def judgement(self, state: State) -> float:
        """How good a position looks at a glance; by default, how near the goal seems to be."""
        return -self.distance(state)


@lru_cache(maxsize=512)
def plan_of(rules: SoloRules[Any, Any], state: Any, budget: int) -> Plan[Any] | None:
    """A plan from a state to the goal, of the search of so many states; None without success."""

    def ways(here: Any) -> Iterable[tuple[Any, Any]]:
        return ((move, rules.apply(here, move)) for move in rules.legal(here))

    return a_star(state, ways, rules.distance, budget)


class SoloGame(GameTask, Task):
    """A game that is won by a plan within a number of moves.

    A move that brings the goal nearer than ever before earns credit, :data:`CREDIT` in sum, which a
    lost game pays back.
    """

    tags: ClassVar = {"planning", "perfect-information"}

    search_budget: ClassVar[int] = 100_000
    """How many states a search for a plan visits at most."""

    position: str
    """The first position, as :func:`~palaestra.generators.states.encoded` writes it."""

    moves: int
    """How many moves the player has."""

    @abstractmethod
    def rules(self) -> SoloRules[Any, Any]:
        """The rules of this game."""

    def start(self) -> Any:
        return self.rules().decode(self.position)

    def plan(self) -> Plan[Any] | None:
        """A plan that wins."""
        return plan_of(self.rules(), self.start(), self.search_budget)

    def is_valid(self) -> bool:
        """Whether a plan has been found that the number of moves allows."""
        plan = self.plan()
        return plan is not None and 2 <= len(plan.moves) <= self.moves

    def play(self) -> Play:
        rules, state, left = self.rules(), self.start(), self.moves
        whole = nearest = rules.distance(state)
        illegal, reward = 0, 0.0
        event = self.description()
        while left:
            count = f"You have {left} move{'s' * (left > 1)}."
            try:
                text = yield Turn(
                    "\n\n".join(part for part in (event, rules.show(state), count) if part),
                    reward,
                    legal_moves=[rules.name(state, move) for move in rules.legal(state)],
                    state=f"{encoded(state)} {left}",
                    scene=partial(rules.scene, state),
                )
                reward = 0.0
                move = read_move(partial(rules.read, state), text)
            except InvalidAnswer as error:
                reward = 0.0
                illegal += 1
                if illegal > ILLEGAL_MOVES:
                    return Score(0, "too many illegal moves", status="malformed")
                remaining = ILLEGAL_MOVES - illegal
                event = (
                    f"That is not a legal move: {error}. Illegal moves still allowed: {remaining}."
                )
                continue
            state, event, left = rules.apply(state, move), "", left - 1
            distance = rules.distance(state)
            if distance == 0:
                return Score(1)
            if distance == float("inf") or not rules.legal(state):
                return Score(0, rules.why_lost(state))
            if distance < nearest:
                reward = CREDIT * (nearest - distance) / whole
                nearest = distance
        return Score(0, f"the goal was not reached in {self.moves} moves")

    def solve(self) -> Iterable[str]:
        plan, rules, state = self.plan(), self.rules(), self.start()
        for move in plan.moves if plan else ():
            yield rules.name(state, move)
            state = rules.apply(state, move)

    def difficulty(self) -> float:
        """The length of the plan, and, far below it, the number of states of its search."""
        plan = self.plan()
        return len(plan.moves) + plan.visited / self.search_budget if plan else 0.0

    def random_baseline(self) -> float:
        """The share of games that a player of random legal moves wins, in a sample."""
        games = (self._random_game(Random(f"random {n}")) for n in range(RANDOM_GAMES))
        return sum(games) / RANDOM_GAMES

    def _random_game(self, rng: Random) -> bool:
        rules, state = self.rules(), self.start()
        for _ in range(self.moves):
            legal = rules.legal(state)
            if not legal or rules.distance(state) == 0:
                break
            state = rules.apply(state, rng.choice(legal))
        return rules.distance(state) == 0

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who look one or two moves ahead, and do not go back where they have been."""
        rules = self.rules()

        def player(plies: int) -> Policy:
            known = set[Any]()

            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                known.add(state)
                ways = list(rules.legal(state))
                rng.shuffle(ways)
                fresh = [way for way in ways if rules.apply(state, way) not in known] or ways
                best = max(fresh, key=lambda way: _ahead(rules, rules.apply(state, way), plies - 1))
                return rules.name(state, best)

            return move

        return {"what looks best": player(1), "what looks best after two moves": player(2)}


def _ahead(rules: SoloRules[Any, Any], state: Any, plies: int) -> float:
    """The best judgement that can be reached within some moves."""
    here = rules.judgement(state)
    if plies == 0 or rules.distance(state) == 0:
        return here + (1e6 if rules.distance(state) == 0 else 0)
    after: Callable[[Any], float] = lambda move: _ahead(rules, rules.apply(state, move), plies - 1)  # noqa: E731
    return max(map(after, rules.legal(state)), default=here)
