"""Trades in several goods of different private values, after the negotiations that TextArena by
Leon Guertler and others (2025) and SPIRAL by Bo Liu and others (2025) train models with.

The values are an order of known numbers, and the built-in opponent has a stated policy, so that the
best offers can be computed.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import factorial
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.decisions import judging, right_moves
from palaestra.generators.matches.judged_match import JudgedMatch
from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.resource_trading import (
    ACCEPT,
    PASS,
    Deal,
    Move,
    Negotiations,
    Prospects,
    State,
    agreeing,
    prospects,
    raises,
    sides_of,
)
from palaestra.generators.matches.resource_trading import ResourceTrading as Rules
from palaestra.generators.states import decoded
from palaestra.task import Match, NoValidTask, Policy, Score, Turn, ladder

GOODS = (
    "clay", "cloth", "coal", "corn", "fish", "glass", "grain", "iron", "oil", "ore", "rice",
    "salt", "silk", "spice", "stone", "tea", "timber", "wine", "wood", "wool",
)  # fmt: skip

MOST_SHARE = 0.25
"""The largest share of right moves at the start of a negotiation, if there are several."""

Chooser = Callable[[Prospects, int, State, Sequence[tuple[int, Move, int]]], Move]
"""A player who chooses from the possible offers with a gain, each with this gain and the orders of
the other's values for which it is accepted; knows the orders that are left and the state."""


class ResourceTrading(JudgedMatch[Negotiations]):
    """Trade goods with a player of unknown values for the greatest expected gain."""

    tags = {"two-players", "negotiation", "hidden-state", "chance", "expected-value", "economics"}
    hidden = {"luck"}
    tolerance = 0.001
    unit = "points"
    round_name = "negotiation"
    candidates: ClassVar[int] = 3
    """How many starts of a negotiation are tried for one that is hard enough."""

    class Knobs(Match.Knobs):
        negotiations: int = ladder(1, 1, 2, 3, 3, 4, low=1, high=6)
        offers: int = ladder(1, 2, 2, 3, 4, 3, low=1, high=4)  # of the lone player
        goods: int = ladder(3, 3, 3, 3, 3, 4, low=3, high=4)
        most: int = ladder(2, 2, 3, 3, 3, 3, low=1, high=4)  # pieces in an offer
        pieces: int = ladder(4, 4, 4, 4, 4, 4, low=1, high=8)  # of a player, of each of the goods
        values: int = ladder(9, 9, 9, 12, 12, 12, low=4, high=30)
        most_chance: float = ladder(0.05, 0.01, 0.002, 3e-4, 3e-5, 1e-5, low=1e-9)  # of each

    goods: tuple[str, ...]
    deals: tuple[Deal, ...]
    most: int
    margin: int
    turns: int
    luck: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        seat = rng.randrange(2)
        task = cls(
            goods=tuple(sorted(rng.sample(GOODS, knobs.goods))),
            deals=(),
            most=knobs.most,
            margin=rng.randint(1, 3),
            turns=2 * knobs.offers + seat,  # so that each offer of the lone player has a reply
            luck=(),
            seat=seat,
        )
        deals = tuple(task._hard_deal(rng, knobs) for _ in range(knobs.negotiations))
        luck = tuple(rng.getrandbits(32) for _ in deals)
        return task.model_copy(update={"deals": deals, "luck": luck})

    def _hard_deal(self, rng: Random, knobs: Any) -> Deal:
        """A random start in which random moves are seldom right in a trial; else that of the
        candidates in which they are so most seldom.
        """
        best, least, left = None, 1.0, self.candidates
        for _ in range(20 * self.candidates):
            deal = self._deal(rng, knobs)
            if not self._matters(deal):
                continue
            chance = self._chance(deal, rng.getrandbits(32))
            if best is None or chance < least:
                best, least = deal, chance
            left -= 1
            if least <= knobs.most_chance or not left:
                break
        if best is None:
            raise NoValidTask("no trade with a single best offer")
        return best

    def _deal(self, rng: Random, knobs: Any) -> Deal:
        values = rng.sample(range(1, knobs.values + 1), knobs.goods)
        mine, theirs = (tuple(rng.randint(1, knobs.pieces) for _ in self.goods) for _ in range(2))
        return Deal(mine, theirs, tuple(values))

    def _matters(self, deal: Deal) -> bool:
        """Whether few first moves are right."""
        session = self._negotiations([deal], [0])
        if session.mover != self.seat:
            session.move(PASS)
        expectations = self.expectations(session)
        right = right_moves(expectations, self.tolerance)
        return len(right) <= max(1, MOST_SHARE * len(expectations)) and PASS not in right

    def is_valid(self) -> bool:
        """Whether few first moves are right in each negotiation, which does not depend on luck."""
        return all(map(self._matters, self.deals))

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def rules(self) -> Rules:
        return Rules(self.goods, self.most)

    def session(self) -> Negotiations:
        return self._negotiations(self.deals, self.luck)

    def _negotiations(self, deals: Sequence[Deal], luck: Sequence[int]) -> Negotiations:
        return Negotiations(self.rules(), deals, self.turns, self.seat, tuple(luck))

    def expectations(self, session: Negotiations) -> Mapping[Move, float]:
        return session.possible(self.seat, self.margin)

    def _reply(self, session: Negotiations) -> Move:
        """Accept what raises the value of the own pieces by the margin."""
        offer = session.rules.offer(session.state)
        values = session.values[session.number][session.mover]
        return ACCEPT if offer and raises(offer, values) >= self.margin else PASS

    def _chance(self, deal: Deal, luck: int) -> float:
        """The probability that random moves in a negotiation are as good as the best."""
        chance = 1.0
        for expectations in self._ideal(self._negotiations([deal], [luck])):
            chance *= len(right_moves(expectations, self.tolerance)) / len(expectations)
        return chance

    def random_baseline(self) -> float:
        """The probability that random moves are as good as those of the ideal player."""
        chance = 1.0
        for deal, luck in zip(self.deals, self.luck):
            chance *= self._chance(deal, luck)
        return chance

    def _turn(self, session: Negotiations, seat: int) -> Turn:
        rules, state = session.rules, session.state
        values = session.values[session.number][seat]
        parts = [*session.news[seat], rules.show(state, seat, values)]
        if state.moves:
            parts.append(self._history(rules, state, seat))
        return Turn(
            "\n\n".join([*parts, "Your move?"]),
            legal_moves=[rules.name(state, move) for move in rules.legal(state)],
            state=session.view(seat),
            player=seat,
            scene=partial(rules.scene, state, seat, values),
        )

    @staticmethod
    def _history(rules: Rules, state: State, seat: int) -> str:
        """The moves of the current negotiation."""
        first = state.turn ^ len(state.moves) & 1
        moves = (
            f"{'you' if (first + n) % 2 == seat else 'the other player'}: {rules.name(state, move)}"
            for n, move in enumerate(state.moves)
        )
        return f"Moves of this negotiation so far, in order: {'; '.join(moves)}."

    def _result(self, session: Negotiations, seat: int) -> float:
        return float(session.gains[seat])

    def _outcome(self, session: Negotiations) -> str:
        gain = session.gains[self.seat]
        return f"Your gain is {gain} {'point' if gain == 1 else 'points'}."

    def _by_result(self, session: Negotiations) -> Sequence[Score]:
        first, second = session.gains
        winner = None if first == second else int(second > first)
        return scores(winner, f"gains: first player {first}, second player {second}")

    def introduction(self, seat: int) -> str:
        return self.description(seat)

    def description(self, seat: int) -> str:
        """The rules, and for the lone player the policy of the opponent."""
        number = len(self.deals)
        if number == 1:
            match = "The match is a single negotiation"
        else:
            match = (
                f"The match has {number} negotiations, each with new pieces and new values of "
                "both players"
            )
        order = "You have the first turn" if seat == 0 else "The other player has the first turn"
        together = ", in all negotiations together," if number > 1 else ""
        between = (
            f"whoever has the greater gain{together} wins the match, and equal gains are a draw."
        )
        rules = f"{self.game(seat)}\n\n{match}. {order}{' of each' if number > 1 else ''}."
        if seat != self.seat:
            return f"{rules} {between.capitalize()}"
        return (
            f"{rules}\n\n{self.policy()} {judging(self.tolerance, self.unit)} The value of a "
            "decision is the gain in the negotiation that you can expect. This is how you are "
            f"judged against the built-in opponent; between two other players, {between}"
        )

    def policy(self) -> str:
        """The policy of the built-in opponent in words."""
        points = "point" if self.margin == 1 else "points"
        return self.phrase(
            "The other player may be the built-in opponent. It never makes an offer. It accepts "
            "an offer if and only if the trade raises the value of its pieces, by its own values, "
            f"by {self.margin} {points} or more, and passes otherwise.",
            "If the other seat is the built-in opponent, it accepts exactly those offers after "
            "which its pieces, by its own values, are worth at least "
            f"{self.margin} {points} more than before, and it passes in all other cases; it makes "
            "no offers itself.",
        )

    def game(self, seat: int) -> str:
        """The rules of a negotiation in words, with the form of a move and an example."""
        *others, last = self.goods
        goods, size = f"{', '.join(others)} and {last}", len(self.goods)
        orders, each = factorial(size), f"1 to {self.most}" if self.most > 1 else "1"
        # Of the dearest of the goods for the cheapest, to whoever reads this.
        values = self.session().values[0][seat]
        dear, cheap = (self.goods[values.index(pick(values))] for pick in (max, min))
        example = f"offer 1 {dear} for 1 {cheap}"
        return self.phrase(
            f"Two players trade pieces of these goods: {goods}. A negotiation starts with some "
            "pieces for each player, which both players see. A piece is worth points, and not the "
            f"same to both: the same {size} values belong to the {size} goods for both players, "
            "but each player has them in an order of their own, which the other player does not "
            f"see. All {orders} orders of the other player's values are equally likely, whatever "
            f"your own order is. The players take turns; a negotiation has {self.turns} turns in "
            "all. In a turn, a player makes an offer, or accepts the offer that the other player "
            f"made in the turn before, or passes. An offer gives {each} pieces of one of the "
            f"goods for {each} pieces of another one, and both players must have what they would "
            "give. If the offer is accepted, the pieces change hands at once; if not, it has "
            "been refused and lapses. In the last turn no offer is possible, and if there is "
            "nothing to accept then, the negotiation ends before it. The gain of a player is what "
            "all of the player's pieces are worth to this player at the end, minus what they were "
            "worth at the start. A move is 'accept', 'pass' or an offer of what you give for what "
            f"you get, such as '{example}'.",
            f"You and another player own {goods}, and may exchange pieces of them. Everybody sees "
            "who owns how many. What a piece is worth in points differs: you see your own values. "
            "The other player has the same numbers as values, but assigned to the goods in an "
            f"order that you do not know; each of the {orders} orders has the same probability, "
            "your own order included. The other player does not see your values either. A "
            f"negotiation has {self.turns} turns, in which the players alternate. Whoever has the "
            f"turn writes one move, for example '{example}': this proposes to give the first and "
            f"to get the second, where each number of pieces is {each} and both players have that "
            "many pieces; 'accept' carries out the proposal from the turn just before, if there "
            "was one; 'pass' does neither. A proposal that is not accepted in the next turn is "
            "off. No proposal can be made in the last turn, which is left out if there is no "
            "proposal to accept. At the end, a player's gain is by how many points the player's "
            "pieces are worth more than at the start, by the player's own values.",
        )

    def thumbs(self) -> Mapping[str, Chooser]:
        """Rules of thumb: players who look at single offers, or at two of them."""

        def by(worth: Callable[[int, int, int, int], Any]) -> Chooser:
            """The greatest worth, by the gain, the numbers of orders that accept, all and of turns;
            at random if equal.
            """

            def choose(
                known: Prospects, orders: int, state: State, gains: Sequence[tuple[int, Move, int]]
            ) -> Move:
                size, left = orders.bit_count(), state.left // 2

                def value(each: tuple[int, Move, int]) -> Any:
                    return worth(each[0], (each[2] & orders).bit_count(), size, left)

                best = max(gains, key=value, default=None)
                return best[1] if best and value(best) else PASS

            return choose

        def ahead(depth: int) -> Chooser:
            def choose(known: Prospects, orders: int, state: State, gains: Any) -> Move:
                left = min(depth, state.left // 2)
                expected = known.expectations(orders, sides_of(state)[0], left)
                return max(expected, key=lambda move: expected[move])

            return choose

        return {
            "the greatest gain that may be accepted": by(lambda gain, yes, size, left: gain),
            "the greatest gain that is surely accepted": by(
                lambda gain, yes, size, left: gain * (yes == size)
            ),
            "the greatest gain that is likely accepted": by(
                lambda gain, yes, size, left: gain * (2 * yes >= size)
            ),
            "the likeliest, then the greatest gain": by(lambda gain, yes, size, left: (yes, gain)),
            "halve the orders, at last the best expectation": by(
                lambda gain, yes, size, left: (
                    (-abs(2 * yes - size) if left > 1 else 0, gain * yes) if yes else ()
                )
            ),
            "the best expectation of this offer": ahead(1),
            "the best expectation of two offers": ahead(2),
        }

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Chooser) -> Policy:
            def move(turn: Turn) -> str:
                _, _, values, fields = decoded(turn.state)
                state = State(*fields)
                mine, theirs = sides_of(state)
                totals = tuple(a + b for a, b in zip(mine, theirs))
                known = prospects(values, self.most, self.margin, totals)
                # Against another player who is not built in, nothing is known.
                orders = agreeing(known, state, turn.player) or known.all
                offers = [
                    (-raises(offer, values), offer, known.accepting(offer))
                    for offer in rules.legal(state)
                    if len(offer) == 4
                ]
                gains = [each for each in offers if each[0] > 0 and each[2] & orders]
                rng.shuffle(gains)
                return rules.name(state, choose(known, orders, state, gains))

            return move

        return {name: player(choose) for name, choose in self.thumbs().items()}
