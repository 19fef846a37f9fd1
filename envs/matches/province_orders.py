"""Simultaneous orders to few units on a map, after Allan Calhamer's board game Diplomacy (1959).

The rules are simplified: all provinces and units are alike, units that are driven out are lost, and
a support is cut by any attack on the unit that gives it. The built-in opponent chooses one of four
plans at random, with probabilities that the prompt states.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from random import Random
from typing import Any, ClassVar, Self

from palaestra.generators.decisions import best_move, judging, right_moves
from palaestra.generators.matches.judged_match import JudgedMatch
from palaestra.generators.matches.line_games import scores
from palaestra.generators.matches.province_orders.response import (
    PLANS,
    SITUATIONS,
    Plans,
    ProvinceResponse,
    chances_of,
    planned,
    province_response,
)
from palaestra.generators.matches.province_orders.rules import (
    Orders,
    State,
    letters,
    members,
    order_sets,
)
from palaestra.generators.matches.province_orders.rules import ProvinceOrders as Rules
from palaestra.generators.matches.simultaneous_rounds import SimultaneousRounds
from palaestra.task import Match, Policy, Score, Turn, ladder
from palaestra.verifiers.matches.province_orders import LETTERS

STEP = 5
"""Probabilities are multiples of this many percent."""

MOST_LINKS = 4
"""How many neighbours a province has at most."""

UNITS = 2
"""How many units each player has at the start."""

REPORT = "Your orders were: {}. Your opponent's: {}."

Start = tuple[int, int, int, int]
"""The units of both players and the supply centres that they own, as masks of bits."""

Chooser = Callable[[State, Sequence[Orders], int], Orders]
"""A player without search, who knows the state and its legal orders, and which player it is."""


class ProvinceOrders(JudgedMatch[SimultaneousRounds]):
    """Give simultaneous orders for the best expectation against a known mixed strategy."""

    tags = {"two-players", "simultaneous", "chance", "expected-value", "graphs", "planning"}
    hidden = {"luck"}
    tolerance = 0.001
    unit = "supply centres"
    round_name = "campaign"
    baseline_note = (
        "A player who knows the plans, and compares the supply centres, the units and the "
        "distances to further centres after a single turn, is right in all turns of about a sixth "
        "of the tasks at the middle level, and of few at the top."
    )
    candidates: ClassVar[int] = 3
    """How many starts are tried for one in which random orders are seldom right."""

    class Knobs(Match.Knobs):
        campaigns: int = ladder(1, 2, 2, 2, 3, 3, low=1, high=6)
        turns: int = ladder(2, 2, 2, 3, 3, 3, low=1, high=3)
        provinces: int = ladder(5, 5, 6, 6, 6, 8, low=5, high=9)
        links: int = ladder(6, 6, 7, 8, 8, 12, low=5, high=16)  # between provinces
        most_chance: float = ladder(0.1, 0.05, 0.03, 0.01, 0.002, 0.001, low=1e-6)  # of a campaign

    links: tuple[tuple[int, int], ...]
    centres: int
    arrows: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]
    turns: int
    starts: tuple[Start, ...]
    luck: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        size = knobs.provinces
        links = cls._links(rng, size, knobs.links)
        centres = sum(1 << n for n in rng.sample(range(size), (size + 2) // 2))
        empty = cls(
            links=links,
            centres=centres,
            arrows=cls._arrows(rng, links, centres, size),
            table=tuple(cls._row(rng) for _ in SITUATIONS),
            turns=knobs.turns,
            starts=(),
            luck=(),
            seat=rng.randrange(2),
        )
        starts = list[Start]()
        for _ in range(knobs.campaigns):
            starts.append(empty._start(rng, knobs, {start[:2] for start in starts}))
        luck = tuple(rng.getrandbits(32) for _ in starts)
        return empty.model_copy(update={"starts": tuple(starts), "luck": luck})

    @staticmethod
    def _links(rng: Random, size: int, number: int) -> tuple[tuple[int, int], ...]:
        """A random tree, and more links at random, as long as no province has too many."""
        degrees, links = [0] * size, set[tuple[int, int]]()

        def join(one: int, other: int) -> None:
            links.add((min(one, other), max(one, other)))
            degrees[one] += 1
            degrees[other] += 1

        for n in range(1, size):
            join(n, rng.choice([m for m in range(n) if degrees[m] < MOST_LINKS - 1]))
        free = [(a, b) for b in range(size) for a in range(b) if (a, b) not in links]
        rng.shuffle(free)
        for one, other in free:
            if len(links) < number and max(degrees[one], degrees[other]) < MOST_LINKS:
                join(one, other)
        return tuple(sorted(links))

    @staticmethod
    def _arrows(
        rng: Random, links: Sequence[tuple[int, int]], centres: int, size: int
    ) -> tuple[int, ...]:
        """For each province a neighbour, a supply centre if there is one."""
        arrows = list[int]()
        for n in range(size):
            around = [a + b - n for a, b in links if n in {a, b}]
            arrows.append(rng.choice([m for m in around if centres >> m & 1] or around))
        return tuple(arrows)

    @staticmethod
    def _row(rng: Random) -> tuple[int, ...]:
        """Percentages of all plans."""
        cuts = sorted(rng.sample(range(1, 100 // STEP), len(PLANS) - 1))
        return tuple(STEP * (b - a) for a, b in zip((0, *cuts), (*cuts, 100 // STEP)))

    def _start(self, rng: Random, knobs: Any, known: Set[tuple[int, int]]) -> Start:
        """A random start with new units in which random orders are seldom right; else that of the
        candidates in which they are so most seldom.
        """
        best, least = (0, 0, 0, 0), float("inf")
        for _ in range(self.candidates):
            units = self._random_units(rng, known)
            start = *units, *self._random_centres(rng, units)
            chance = self._chance(start, rng.getrandbits(32))
            if chance < least:
                best, least = start, chance
            if least <= knobs.most_chance:
                break
        return best

    def _random_units(self, rng: Random, known: Set[tuple[int, int]]) -> tuple[int, int]:
        """Where the units of both players are, not as in ``known``. There are at least 30 ways."""
        units = next(iter(known), None)
        while units is None or units in known:
            where = rng.sample(range(len(self.arrows)), 2 * UNITS)
            units = sum(1 << n for n in where[:UNITS]), sum(1 << n for n in where[UNITS:])
        return units

    def _random_centres(self, rng: Random, units: tuple[int, int]) -> tuple[int, int]:
        """Who owns which supply centres: those with units on them, and others at random."""
        owned = [0, 0]
        for n in members(self.centres):
            if owner := rng.randrange(3):
                owned[owner - 1] |= 1 << n
        return self.rules().owned((owned[0], owned[1]), units)

    def rules(self) -> Rules:
        neighbours = [0] * len(self.arrows)
        for one, other in self.links:
            neighbours[one] |= 1 << other
            neighbours[other] |= 1 << one
        return Rules(tuple(neighbours), self.centres)

    def state(self, start: Start) -> State:
        """The state before the first turn of a campaign."""
        first, second, own, other = start
        return State((first, second), (own, other), self.turns)

    def response(self) -> ProvinceResponse:
        """The best response to the opponent."""
        return province_response(self.rules(), Plans(self.arrows, self.table), self.seat)

    def session(self) -> SimultaneousRounds:
        return self._rounds(self.starts, self.luck)

    def _rounds(self, starts: Sequence[Start], luck: Sequence[int]) -> SimultaneousRounds:
        states = [*map(self.state, starts)]
        return SimultaneousRounds(self.rules(), states, luck, self.round_name, REPORT)

    def expectations(self, session: SimultaneousRounds) -> Mapping[Orders, float]:
        return self.response().expectations(session.state)

    def _reply(self, session: SimultaneousRounds) -> Orders:
        plans = Plans(self.arrows, self.table)
        chances = chances_of(self.rules(), plans, session.state, session.mover)
        return session.source().choices([*chances], [*chances.values()])[0]

    def _chance(self, start: Start, luck: int) -> float:
        """The probability that random orders in a campaign are as good as the best."""
        chance = 1.0
        for expectations in self._ideal(self._rounds([start], [luck])):
            chance *= len(right_moves(expectations, self.tolerance)) / len(expectations)
        return chance

    def is_valid(self) -> bool:
        """Whether the first orders of each campaign matter, which does not depend on luck."""
        for start in self.starts:
            expectations = self.response().expectations(self.state(start))
            if 2 * len(right_moves(expectations, self.tolerance)) > len(expectations):
                return False
        return True

    def canonical(self) -> str:
        return self.model_dump_json(exclude={"wording", "luck"})

    def random_baseline(self) -> float:
        """The probability that random orders are as good as those of the ideal player."""
        chance = 1.0
        for start, luck in zip(self.starts, self.luck):
            chance *= self._chance(start, luck)
        return chance

    def _turn(self, session: SimultaneousRounds, seat: int) -> Turn:
        rules, state = session.rules, session.state
        return Turn(
            "\n\n".join([*session.news[seat], rules.show(state, seat), "Your orders?"]),
            legal_moves=[rules.name(state, orders) for orders in rules.legal(state)],
            state=f"{session.number} {session.result:g} {rules.view(state, seat)}",
            player=seat,
            scene=partial(rules.scene, state, seat),
        )

    def _result(self, session: SimultaneousRounds, seat: int) -> float:
        return session.result if seat == 0 else 0.0 - session.result

    def _outcome(self, session: SimultaneousRounds) -> str:
        return " ".join(session.news[self.seat])

    def _by_result(self, session: SimultaneousRounds) -> Sequence[Score]:
        if not session.result:
            return scores(None, "equal supply centres in all campaigns")
        more = abs(session.result)
        centres = "supply centre" if more == 1 else "supply centres"
        return scores(int(session.result < 0), f"{more:g} {centres} more in all campaigns")

    def introduction(self, seat: int) -> str:
        return self.description(seat)

    def description(self, seat: int) -> str:
        """The rules, and for the lone player the plans of the opponent."""
        number, turns = len(self.starts), f"{self.turns} turns"
        campaigns = (
            f"The match is a single campaign of {turns}."
            if number == 1
            else f"The match has {number} campaigns of {turns} each on this map."
        )
        between = (
            "Between two players, whoever has more supply centres at the end, summed over all "
            "campaigns, wins the match; equal numbers are a draw."
        )
        game = f"{self.game()}\n\nMap (province: neighbours):\n{self._map()}\n\n{campaigns}"
        if seat != self.seat:
            return f"{game} {between}"
        return (
            f"{game}\n\n{self.plans_text()}\n\n{judging(self.tolerance, self.unit)} The value of "
            "a decision is the number of your supply centres minus that of your opponent's at the "
            f"end of the campaign. ({between})"
        )

    def _map(self) -> str:
        """The neighbours of all provinces, and the supply centres."""
        rows = (f"{LETTERS[n]}: {letters(mask)}" for n, mask in enumerate(self.rules().neighbours))
        return "\n".join([*rows, f"Supply centres: {letters(self.centres)}"])

    def game(self) -> str:
        """The rules of a campaign in words, with the form of a move and an example."""
        return self.phrase(
            "Two players have units in provinces of a map and write orders at the same time. In "
            "each turn, both give one order to each of their own units, without knowing the orders "
            "of the other player in this turn:\n"
            "- 'B holds': the unit in B stays.\n"
            "- 'B to C': the unit in B moves to C, which has to be a neighbour of B.\n"
            "- 'D supports B to C': the unit in D stays and supports another unit of the same "
            "player, which has to get the order 'B to C' in the same turn; C has to be a neighbour "
            "of D.\n"
            "- 'D supports B': the same for a unit that gets the order 'B holds'; B has to be a "
            "neighbour of D.\n"
            "Then all orders are carried out at once. An order has strength 1, and 1 more for each "
            "support of it that is not cut. A support is cut if a unit of the other player gets "
            "the order to move to the province of the supporting unit, even if that move fails. A "
            "unit whose move fails stays in its province and has strength 1 there, whatever "
            "supported its move. A move fails in three cases. (1) Another unit, of either player, "
            "moves to the same province with as much strength or more, even if that move fails "
            "too. (2) The unit in the target province is ordered to move to the province where "
            "this move begins, and it is of the same player or its move has as much strength or "
            "more. (3) The unit in the target province stays there, because it has no order to "
            "move or because its move fails, and it is of the same player or has as much strength "
            "or more. All other moves succeed. So a unit can enter a province that another unit "
            "leaves in the same turn, and units that move around a circle of three or more "
            "provinces all succeed unless case 1 stops one of them. A unit that stays in a "
            "province to which a unit of the other player moves with success is lost. After each "
            "turn, every supply centre with a unit on it belongs to the player of that unit, and "
            "the others belong to whom they belonged before. A campaign ends after its last turn, "
            "or earlier as soon as a player has no units left. Its result is the number of your "
            "supply centres minus that of the other player's. A move contains one order for each "
            "of your units, separated by commas; it looks like 'B to C, D supports B to C'.",
            "A war game on a map, without dice: both players secretly write orders for all of "
            "their units, the orders are shown, and they take effect together. One province holds "
            "at most one unit. Possible orders to a unit in B are: 'B holds' (it stays); 'B to C' "
            "(it moves to the neighbouring province C); 'B supports D to C' (it stays, and helps "
            "another own unit to move from D to C, where C is a neighbour of B); 'B supports D' "
            "(it stays, and helps another own unit to hold D, where D is a neighbour of B). A "
            "support is only allowed for exactly the order that the other unit gets in the same "
            "turn, to move or to hold.\n"
            "How a turn is decided: each move and each unit that stays has a strength of 1, plus "
            "the number of its valid supports. A support is not valid if an enemy unit is ordered "
            "to move into the supporter's province, with or without success. Supports of a move "
            "do not help a unit whose move fails: it stays where it is, with strength 1. A move to "
            "a province P is stopped\n"
            "(1) by any other unit that is ordered to move to P with at least the same strength, "
            "which may be stopped as well;\n"
            "(2) by a unit in P that is ordered to move the opposite way, from P to where the move "
            "starts, if it is an own unit, or if its move is at least as strong;\n"
            "(3) by a unit in P that does not leave, because it has another order or its own move "
            "is stopped, if it is an own unit, or at least as strong as the move.\n"
            "Whatever is not stopped succeeds. Hence units may follow one another, and three or "
            "more units may rotate in a circle unless one of them is stopped by the first rule. An "
            "enemy unit that does not leave a province which is entered is removed from the game. "
            "At the end of a turn, supply centres with units on them become property of the "
            "player of the unit, while empty ones keep their owner. The campaign is over after the "
            "last turn, or when one side has no unit. What counts is your number of supply centres "
            "less the other player's. Write one order for every unit of yours, with commas "
            "between them, for example 'B to C, D supports B to C'.",
        )

    def plans_text(self) -> str:
        """The strategy of the built-in opponent in words."""
        top = f"plan | {' | '.join(f'if it owns {each}' for each in SITUATIONS)}"
        rows = (
            f"{plan} | {' | '.join(str(row[n]) for row in self.table)}"
            for n, plan in enumerate(PLANS)
        )
        arrows = ", ".join(
            f"{LETTERS[n]} -> {LETTERS[target]}" for n, target in enumerate(self.arrows)
        )
        before = (
            "If the other seat is the built-in opponent, it chooses one of four plans for all of "
            "its units in each turn, at random and independently. The probabilities in percent "
            "depend on how many supply centres it owns at the start of the turn, compared with you:"
        )
        after = (
            f"Its units advance along these arrows: {arrows}. The first and the last unit are "
            "those in the first and the last province in alphabetical order.\n"
            "- advance: every unit moves along its arrow.\n"
            "- attack with the first: the first unit moves along its arrow. Each other unit "
            "supports this move if its province is a neighbour of the target, and otherwise moves "
            "along its own arrow.\n"
            "- attack with the last: the same with the last unit in place of the first.\n"
            "- guard: the first unit holds. Each other unit supports it if its province is a "
            "neighbour, and otherwise holds."
        )
        return "\n".join([before, top, *rows, after])

    def thumbs(self) -> Mapping[str, Chooser]:
        """Rules of thumb: players who do not search."""
        rules, plans = self.rules(), Plans(self.arrows, self.table)
        response = self.response()

        def after(state: State, player: int, mine: Orders, theirs: Orders) -> int:
            """The supply centres more than the other player's after a turn."""
            pair = (mine, theirs) if player == 0 else (theirs, mine)
            begun = rules.apply(state._replace(written=None), pair[0])
            centres = rules.apply(begun, pair[1]).centres
            return centres[player].bit_count() - centres[1 - player].bit_count()

        def grab(state: State, legal: Sequence[Orders], player: int) -> Orders:
            """Take most supply centres if the other player only holds."""
            idle = order_sets((0,) * len(self.arrows), state.units[1 - player])[0]
            return max(legal, key=lambda orders: after(state, player, orders, idle))

        def likely(state: State, legal: Sequence[Orders], player: int) -> Orders:
            """The best for this turn against the most likely orders."""
            chances = chances_of(rules, plans, state, 1 - player)
            theirs = max(chances, key=lambda orders: chances[orders])
            return max(legal, key=lambda orders: after(state, player, orders, theirs))

        def this_turn(state: State, legal: Sequence[Orders], player: int) -> Orders:
            """The best expectation of this turn."""
            return best_move(response.expectations(state._replace(left=1)))

        def outlook(state: State, player: int) -> float:
            """Supply centres and half the units more, and how near the own units are to others."""
            mine, theirs = (state.centres[each].bit_count() for each in (player, 1 - player))
            units = [each.bit_count() for each in state.units]
            more = units[player] - units[1 - player]
            goals = self.centres & ~state.centres[player]
            far = sum(_steps(rules.neighbours, n, goals) for n in members(state.units[player]))
            return mine - theirs + more / 2 - far / 10

        def positional(state: State, legal: Sequence[Orders], player: int) -> Orders:
            """The best expectation of centres, units and distances after this turn."""
            chances = chances_of(rules, plans, state, 1 - player)

            def worth(orders: Orders) -> float:
                total = 0.0
                for theirs, chance in chances.items():
                    pair = (orders, theirs) if player == 0 else (theirs, orders)
                    begun = rules.apply(state._replace(written=None), pair[0])
                    total += chance * outlook(rules.apply(begun, pair[1]), player)
                return total

            return max(legal, key=worth)

        def plan(number: int) -> Chooser:
            return lambda state, legal, player: planned(rules, self.arrows, state.units[player])[
                number
            ]

        return {
            "take supply centres": grab,
            "best against the most likely orders": likely,
            "best for this turn": this_turn,
            "best for this turn, with units and distances": positional,
            **{name: plan(number) for number, name in enumerate(PLANS)},
        }

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Chooser) -> Policy:
            def move(turn: Turn) -> str:
                first, second, own, other, left = map(int, turn.state.split()[3:])
                state = State((first, second), (own, other), left)
                legal = order_sets(rules.neighbours, state.units[turn.player])
                return rules.name(state, choose(state, legal, turn.player))

            return move

        return {name: player(choose) for name, choose in self.thumbs().items()}


def _steps(neighbours: Sequence[int], start: int, goals: int) -> int:
    """The fewest moves from a province to one of some provinces; 0 where it cannot be reached."""
    reached, number = 1 << start, 0
    while not reached & goals:
        more = reached
        for n in members(reached):
            more |= neighbours[n]
        if more == reached:
            return 0
        reached, number = more, number + 1
    return number
