"""Matches of several hands of a game of hidden information.

A lone player meets an opponent whose mixed strategy the prompt states, and is judged by the
expectation of decisions; the ideal player is the exact best response. Between two other players,
chips decide.

The hands of the lone player are chosen for their decisions, by trial seeds. What is hidden from
that player, and what the opponent does, follows from seeds that are drawn after that choice and
never chosen, so that both are as frequent as the prompt states.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from palaestra.generators.decisions import best_move, gap, judging, right_moves
from palaestra.generators.matches.cfr import equilibrium
from palaestra.generators.matches.hidden_information import (
    CHANCE,
    HiddenRules,
    Response,
    Strategy,
    best_response,
    game_tree,
)
from palaestra.generators.matches.judged_match import JudgedMatch
from palaestra.generators.matches.line_games import scores
from palaestra.task import Match, Policy, Score, Turn, ladder

Chooser = Callable[[str, Sequence[Any], Random], Any]
"""A player without search, who chooses one of the legal moves by the view."""


class Solution(NamedTuple):
    """The strategy of a built-in opponent, and what is best against it."""

    strategy: Strategy
    responses: tuple[Response, Response]
    """The best responses of the first and of the second player of a hand."""


@lru_cache(maxsize=32)
def _solution(
    task_type: "type[HandsMatch]", rules: HiddenRules[Any, Any], table: tuple[tuple[int, ...], ...]
) -> Solution:
    tree, strategy = game_tree(rules), task_type.strategy(rules, table)
    return Solution(strategy, (best_response(tree, strategy, 0), best_response(tree, strategy, 1)))


class Hand(NamedTuple):
    """The own hand of the lone player, and the seed of all that is hidden or random in it."""

    mine: Any
    luck: int


class Decision(NamedTuple):
    """A decision with a single best move."""

    view: str
    gap: float
    """How much worse the second-best move is."""
    best: str


class Session:
    """A match in progress: the state of the current hand, the chips, and what is to be reported."""

    def __init__(
        self, rules: HiddenRules[Any, Any], hands: Sequence[Hand], seat: int, role: int = 0
    ) -> None:
        self.rules = rules
        self.hands = hands
        self.seat = seat
        """The seat of the lone player, who is player ``role`` of the first hand."""
        self._shift = seat ^ role
        self.number = 0
        self.chips = [0.0, 0.0]
        self.news: list[list[str]] = [[], []]
        """Sentences for each seat that it has not read yet."""
        self.state: Any = None
        self.history = ""
        self.log: list[tuple[int, str]] = []
        """The moves of the current hand, each with the seat of its player."""
        self._deal()

    @property
    def over(self) -> bool:
        """Whether all hands have been played."""
        return self.number == len(self.hands)

    @property
    def mover(self) -> int:
        """The seat of the player to move."""
        return self.seat_of(self.rules.player(self.state))

    def role(self, seat: int) -> int:
        """The player of the current hand who sits at a seat: 0 acts first."""
        return (seat ^ self._shift ^ self.number) & 1

    def seat_of(self, role: int) -> int:
        """The seat of a player of the current hand."""
        return (role ^ self._shift ^ self.number) & 1

    def view(self, seat: int) -> str:
        """What the player at a seat knows of the current hand."""
        return self.rules.view(self.state, self.role(seat))

    def source(self) -> Random:
        """The source of the next random event or choice."""
        return Random(f"{self.hands[self.number].luck} {self.history}")

    def move(self, move: Any) -> None:
        """Make a legal move, and play on to the next one."""
        name, mover = self.rules.name(self.state, move), self.mover
        self.news[1 - mover].append(f"Your opponent: {name}.")
        self.log.append((mover, name))
        self.history += f" {name}"
        self.state = self.rules.apply(self.state, move)
        self._settle()

    def _deal(self) -> None:
        hand, role = self.hands[self.number], self.role(self.seat)
        self.state = self.rules.dealt(hand.mine, role, Random(f"{hand.luck} deal"))
        self.history, self.log = "", []
        for seat, news in enumerate(self.news):
            order = "first" if self.role(seat) == 0 else "second"
            news.append(f"Hand {self.number + 1} of {len(self.hands)}. You act {order}.")
        self._settle()

    def _settle(self) -> None:
        """Let chance decide where it has to, and go on to the next hand at the end of one."""
        rules = self.rules
        while (outcome := rules.outcome(self.state)) is None:
            if rules.player(self.state) != CHANCE:
                return
            events, weights = zip(*rules.chances(self.state))
            event = self.source().choices(events, weights)[0]
            for news in self.news:
                news.append(rules.news(self.state, event))
            self.state, self.history = rules.apply(self.state, event), f"{self.history} {event}"
        for seat, news in enumerate(self.news):
            role = self.role(seat)
            self.chips[seat] += outcome if role == 0 else -outcome
            news.append(rules.end(self.state, role))
        self.number += 1
        if not self.over:
            self._deal()

    def moves_so_far(self, seat: int) -> str:
        """The moves of the current hand, as the player at a seat reads them."""
        moves = (f"{'you' if mover == seat else 'opponent'} {name}" for mover, name in self.log)
        return f"Moves of this hand: {', '.join(moves) or 'none'}"


class HandsMatch(JudgedMatch[Session]):
    """A match of several hands against an opponent whose mixed strategy is known."""

    tags: ClassVar = {"two-players", "hidden-information", "chance", "expected-value"}
    hidden: ClassVar = {"luck"}

    class Knobs(Match.Knobs):
        """Every match of hands has these; a subclass adds those of its game."""

        hands: int = ladder(1, 2, 4, 6, 8, 10, low=1, high=20)
        least_decisions: int = ladder(1, 1, 1, 1, 1, 1, low=1, high=4)  # in a trial of each hand
        most_gap: float = ladder(2.0, 0.8, 0.5, 0.4, 0.3, 0.2, low=0.01)  # of a hand's closest move

    candidates: ClassVar[int] = 24
    """How many hands are tried for one with a decision that is close enough."""

    tolerance: ClassVar[float] = 0.001
    unit: ClassVar[str] = "chips"
    round_name: ClassVar[str] = "hand"

    iterations: ClassVar[int] = 200
    """The iterations of CFR+ behind the player of an equilibrium."""

    mine: tuple[Any, ...]
    """The hands of the player at :attr:`seat`, who acts first in the first hand and every other
    one."""

    luck: tuple[int, ...]
    """For each hand the seed of what is hidden from that player, and of the opponent's choices."""

    table: tuple[tuple[int, ...], ...]
    """The strategy of the built-in opponent in percent, as the prompt states it."""

    @abstractmethod
    def rules(self) -> HiddenRules[Any, Any]:
        """The rules of a hand."""

    @classmethod
    @abstractmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """The fields that the rules need, and the table."""

    @classmethod
    @abstractmethod
    def strategy(cls, rules: Any, table: Sequence[Sequence[int]]) -> Strategy:
        """The strategy of a table, as either player of a hand."""

    @abstractmethod
    def game(self) -> str:
        """The rules of a hand in words, with the form of a move and an example."""

    @abstractmethod
    def table_text(self) -> str:
        """The strategy of the built-in opponent in words."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Chooser]:
        """Rules of thumb: players who do not search."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        fields = cls.fields_of(rng, knobs)
        task = cls(mine=(), luck=(), seat=rng.randrange(2), **fields)
        known = {role: Counter[Any]() for role in (0, 1)}
        mine = list[Any]()
        for number in range(knobs.hands):
            mine.append(task._new_hand(rng, number, known[number & 1], knobs))
            known[number & 1][mine[-1]] += 1
        luck = tuple(rng.getrandbits(32) for _ in mine)
        return task.model_copy(update={"mine": tuple(mine), "luck": luck})

    def _new_hand(self, rng: Random, number: int, known: Counter[Any], knobs: Any) -> Any:
        """A random own hand, as new as possible in its role, which in a trial has enough decisions,
        one of them close enough; else the hand that comes nearest. ``known`` counts the hands that
        the player had in this role.

        All moves that may be best at first have equal chances to be so in the trials, or the same
        moves over and over would be right too often.
        """
        best: dict[str, tuple[tuple[int, int, float], Any]] = {}
        own, weights = zip(*self.rules().hands())
        fewest = min(known[hand] for hand in own)
        for _ in range(self.candidates):
            hand = Hand(rng.choices(own, weights)[0], rng.getrandbits(32))
            decisions = self._decisions(hand, number)
            closest = min((decision.gap for decision in decisions), default=float("inf"))
            missing = max(0, knobs.least_decisions - len(decisions))
            rank = known[hand.mine] - fewest, missing, max(knobs.most_gap, closest)
            move = decisions[0].best if decisions else ""
            if move not in best or rank < best[move][0]:
                best[move] = rank, hand.mine
        newest = min(rank[0] for rank, _ in best.values())
        moves = sorted(move for move, (rank, _) in best.items() if rank[0] == newest)
        return best[rng.choice([move for move in moves if move] or moves)][1]

    def _decisions(self, hand: Hand, number: int) -> list[Decision]:
        """The decisions of the ideal player in a hand that have a single best move."""
        session = Session(self.rules(), [hand], self.seat, role=number & 1)
        decisions = list[Decision]()
        for expectations in self._ideal(session):
            if (size := gap(expectations)) > self.tolerance:
                best = session.rules.name(session.state, best_move(expectations))
                decisions.append(Decision(session.view(self.seat), size, best))
        return decisions

    def is_valid(self) -> bool:
        """Whether each hand has a decision with a single best move."""
        hands = enumerate(map(Hand, self.mine, self.luck))
        return all(self._decisions(hand, number) for number, hand in hands)

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def session(self) -> Session:
        """The match before the first move."""
        return Session(self.rules(), [*map(Hand, self.mine, self.luck)], self.seat)

    def solution(self) -> Solution:
        """The built-in opponent, and what is best against it."""
        return _solution(type(self), self.rules(), self.table)

    def expectations(self, session: Session) -> Mapping[Any, float]:
        seat = session.mover
        response = self.solution().responses[session.role(seat)]
        return response.expectations.get(session.view(seat), {})

    def _reply(self, session: Session) -> Any:
        chances = self.solution().strategy[session.view(session.mover)]
        return session.source().choices(session.rules.legal(session.state), chances)[0]

    def _turn(self, session: Session, seat: int) -> Turn:
        rules, state, role = session.rules, session.state, session.role(seat)
        shown = f"{rules.show(state, role)}\n{session.moves_so_far(seat)}"
        return Turn(
            "\n\n".join([*filter(None, session.news[seat]), shown, "Your move?"]),
            legal_moves=[rules.name(state, move) for move in rules.legal(state)],
            state=f"{session.number} {role} {session.chips[seat]:g} {session.view(seat)}",
            player=seat,
            scene=partial(rules.scene, state, role),
        )

    def _result(self, session: Session, seat: int) -> float:
        return session.chips[seat]

    def _outcome(self, session: Session) -> str:
        return " ".join(filter(None, session.news[self.seat]))

    def _by_result(self, session: Session) -> Sequence[Score]:
        first, second = session.chips
        winner = None if first == second else int(second > first)
        return scores(winner, f"the winner's chips of all hands: {max(first, second):g}")

    def introduction(self, seat: int) -> str:
        return self.description(seat)

    def description(self, seat: int) -> str:
        """The rules, and for the lone player the strategy of the opponent."""
        hands = f"The match has {len(self.mine)} hands; the players take turns to act first."
        if len(self.mine) == 1:
            hands = "The match has a single hand."
        chips = "Between two players, whoever has won more chips after all hands wins the match."
        if seat != self.seat:
            repeats = "The hands of your opponent are chosen, and repeat as rarely as possible."
            return f"{self.game()}\n\n{hands} {chips} {repeats}"
        return (
            f"{self.game()}\n\n{hands} If the other seat is the built-in opponent, it decides at "
            f"random, with fixed probabilities in percent:\n{self.table_text()}\n\n"
            f"{judging(self.tolerance, 'chips')} ({chips})"
        )

    def random_baseline(self) -> float:
        """The probability that random moves are as good as those of the ideal player."""
        chance = 1.0
        for expectations in self._ideal(self.session()):
            chance *= len(right_moves(expectations, self.tolerance)) / len(expectations)
        return chance

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Rules of thumb, and the player of an equilibrium, who does not know the opponent."""
        rules = self.rules()

        def player(choose: Chooser) -> Policy:
            def move(turn: Turn) -> str:
                view = turn.state.split(" ", 3)[3]
                return str(choose(view, list(turn.legal_moves or ()), rng))

            return move

        def balanced(view: str, legal: Sequence[Any], rng: Random) -> Any:
            return rng.choices(legal, equilibrium(rules, self.iterations)[view])[0]

        players = {name: player(choose) for name, choose in self.thumbs().items()}
        return {**players, "equilibrium": player(balanced)}
