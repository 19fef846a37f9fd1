"""The rules of finding false coins on a balance, by weighings with prices and against an adversary.

Without prices, twelve coins and three weighings are a problem of the 1940s (Howard Grossman, "The
twelve-coin problem", 1945).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import log2
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.games.deduction.adversary import AdversaryRules
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

Case = Literal["one", "two", "mixed"]
"""Which coins are false: one that is heavy or light, two heavy ones, or a heavy and a light one."""

RESULTS = ("balance", "left heavier", "right heavier")

Coins = tuple[int, ...]
"""The numbers of coins in ascending order, from 1."""

Fact = tuple[Coins, Coins]
"""The heavy coins and the light coins, if nothing else is false."""

_AGAINST = re.compile(r" (?:against|versus|vs|with) ")
_FILLERS = frozenset(
    ("i", "weigh", "compare", "put", "coin", "coins", "number", "numbers", "left", "right", "on",
     "the", "pan", "side", "in", "of", "and", "to", "a", "weighing", "balance")
)  # fmt: skip
"""Words of a weighing that say nothing."""

_STATED = frozenset(
    ("i", "the", "coin", "coins", "number", "numbers", "is", "are", "both", "false", "and", "too",
     "that", "state", "one", "ones", "final", "statement", "say")
)  # fmt: skip
"""Words of a statement that say nothing."""

_WEIGHTS = {"heavy": "heavy", "heavier": "heavy", "light": "light", "lighter": "light"}
_BREAKS = str.maketrans({"|": " against ", "+": " ", "&": " ", "#": " "})


class Move(NamedTuple):
    """A weighing of coins on the left against coins on the right, or a statement."""

    is_weighing: bool
    one: Coins
    """The coins on the left, or those that are heavy."""
    other: Coins
    """The coins on the right, or those that are light."""


class State(NamedTuple):
    """The weighings so far, the cents that are left, and what has been stated: 1 where it is right
    whatever is possible, -1 where it is not, and 0 where nothing has been.
    """

    log: tuple[tuple[Coins, Coins, int], ...]
    """The coins on the left and on the right, and the number of the result."""
    coins: int
    """What is left to pay with, in cents."""
    stated: int


@dataclass(frozen=True)
class CoinWeighing(AdversaryRules[State, Move]):
    """State which coins are false when a single possibility is left."""

    prices: tuple[int, ...]
    """The price of each coin, in cents. That of a weighing is the sum over its coins."""

    case: Case
    most: int
    """The most coins on a side."""

    state_type = State

    @property
    def number(self) -> int:
        """The number of coins."""
        return len(self.prices)

    def price_of(self, move: Move) -> int:
        """The price of a weighing."""
        return sum(self.prices[coin - 1] for coin in (*move.one, *move.other))

    def is_won(self, state: State) -> bool:
        return state.stated == 1

    def legal(self, state: State) -> Sequence[Move]:
        if state.stated:
            return ()
        return [*self.weighings(state), *self.statements()]

    def useful(self, state: State) -> Sequence[Move]:
        facts = self.possible(state)
        if facts.bit_count() == 1:
            return [self.statements()[facts.bit_length() - 1]]
        return self.weighings(state)

    def weighings(self, state: State) -> Sequence[Move]:
        """All weighings that can be paid, the cheapest first."""
        return [move for cost, move in _priced(self) if cost <= state.coins]

    def statements(self) -> Sequence[Move]:
        """A statement of each possibility."""
        return _statements(self.number, self.case)

    def possible(self, state: State) -> int:
        """The possibilities that agree with all weighings, as bits."""
        return _possible(self.number, self.case, state.log)

    def answers(self, state: State, move: Move) -> Mapping[str, State]:
        facts = self.possible(state)
        if not move.is_weighing:
            right = facts == 1 << self.statements().index(move)
            return {"right" if right else "wrong": state._replace(stated=1 if right else -1)}
        parts = split(self.number, self.case, move)
        left = state.coins - self.price_of(move)
        return {
            RESULTS[n]: State((*state.log, (move.one, move.other, n)), left, 0)
            for n, part in enumerate(parts)
            if facts & part
        }

    def weight(self, state: State) -> float:
        return float(self.possible(state).bit_count())

    def needed(self, state: State) -> float:
        if state.stated:
            return 0.0 if state.stated == 1 else float("inf")
        return float(cents_of(self, self.possible(state)))

    def left(self, state: State) -> float:
        return state.coins

    def hardest(self, state: State, move: Move) -> list[str]:
        """Of the answers after which the player needs the most cents, those that leave the most
        possibilities.
        """
        after = self.answers(state, move)
        answers = super().hardest(state, move)
        most = max(self.weight(after[answer]) for answer in answers)
        return [answer for answer in answers if self.weight(after[answer]) == most]

    def name(self, state: State, move: Move) -> str:
        return name_of(move)

    def read(self, state: State, text: str) -> Move:
        body = phrase(text).translate(_BREAKS)
        if any(word in _WEIGHTS for word in body.split()):
            return self._statement(body)
        sides = [[word for word in side.split() if word not in _FILLERS] for side in _sides(body)]
        if len(sides) != 2 or not all(side and all(map(_is_number, side)) for side in sides):
            example = "weigh 1 against 2" if self.most == 1 else "weigh 1 2 against 3 4"
            raise InvalidAnswer(
                f"expected a weighing such as '{example}', or a statement such as "
                f"'{name_of(self.statements()[0])}'"
            )
        one, other = (sorted(map(int, side)) for side in sides)
        self._check(one, other)
        move = Move(True, tuple(one), tuple(other))
        if self.price_of(move) > state.coins:
            raise InvalidAnswer(
                f"this weighing costs {self.price_of(move)} cents, and you have {state.coins}"
            )
        return move

    def _check(self, one: Sequence[int], other: Sequence[int]) -> None:
        """Refuse a weighing that is not legal."""
        for coin in (*one, *other):
            if not 1 <= coin <= self.number:
                raise InvalidAnswer(f"there is no coin {coin}; they go from 1 to {self.number}")
        if len({*one, *other}) < len(one) + len(other):
            raise InvalidAnswer("a coin is on the balance twice")
        if len(one) != len(other):
            raise InvalidAnswer("the two sides have different numbers of coins")
        if len(one) > self.most:
            raise InvalidAnswer(f"a side holds at most {self.most} coins")

    def _statement(self, body: str) -> Move:
        """The statement of a text such as "coin 1 is heavy and coin 2 is light", or with the
        weights before the coins.
        """
        words = [word for word in body.split() if word not in _STATED]
        if words and words[0] not in _WEIGHTS:
            words.reverse()
        coins: dict[str, list[int]] = {"heavy": [], "light": []}
        weight, known = "", bool(words) and words[-1] not in _WEIGHTS
        for word in words:
            if word in _WEIGHTS:
                weight = _WEIGHTS[word]
            elif weight and _is_number(word):
                coins[weight].append(int(word))
            else:
                known = False
        move = Move(False, tuple(sorted(coins["heavy"])), tuple(sorted(coins["light"])))
        if not known or move not in self.statements():
            raise InvalidAnswer(f"expected a statement such as '{name_of(self.statements()[0])}'")
        return move

    def show(self, state: State) -> str:
        lines = [
            f"{n}. {_numbers(one)} against {_numbers(other)}: {RESULTS[result]}"
            for n, (one, other, result) in enumerate(state.log, 1)
        ]
        log = "\n".join(["Weighings so far:", *lines]) if lines else "No weighings so far."
        return f"{log}\nCents left: {state.coins}"

    def scene(self, state: State) -> Cards:
        rows, labels = list[tuple[Card, ...]](), list[str]()
        for n, (one, other, result) in enumerate(state.log, 1):
            for side, coins in (("left", one), ("right", other)):
                heavier = RESULTS[result].startswith(side)
                rows.append(tuple(Card(str(coin), shape="coin") for coin in coins))
                labels.append(f"{n} {side}{' (heavier)' if heavier else ''}")
        rows.append(tuple(Card(str(coin), shape="coin") for coin in range(1, self.number + 1)))
        return Cards(tuple(rows), (*labels, "All coins"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def by(value: Callable[[int, Move], float]) -> Callable[[State, Random], Move]:
            def choose(state: State, rng: Random) -> Move:
                facts = self.possible(state)
                options = [
                    move
                    for move in self.weighings(state)
                    if self._largest(facts, move) < facts.bit_count()
                ]
                if not options:
                    return self.statements()[facts.bit_length() - 1]
                rng.shuffle(options)
                return min(options, key=lambda move: (value(facts, move), self.price_of(move)))

            return choose

        def ruled_out(facts: int, move: Move) -> float:
            return -(facts.bit_count() - self._largest(facts, move)) / self.price_of(move)

        def information(facts: int, move: Move) -> float:
            return -log2(facts.bit_count() / self._largest(facts, move)) / self.price_of(move)

        def cheap(facts: int, move: Move) -> float:
            return float(self._largest(facts, move) > 0.5 * facts.bit_count())

        return {
            "the smallest largest class": by(self._largest),
            "the smallest classes on average": by(self._squares),
            "the cheapest weighing that splits": by(lambda facts, move: 0.0),
            "the cheapest weighing that leaves at most half": by(cheap),
            "the most ruled out for a cent": by(ruled_out),
            "the most thirds for a cent": by(information),
        }

    def _largest(self, facts: int, move: Move) -> float:
        return max((facts & part).bit_count() for part in split(self.number, self.case, move))

    def _squares(self, facts: int, move: Move) -> float:
        """The mean number of possibilities that are left, times the number of them."""
        return sum((facts & part).bit_count() ** 2 for part in split(self.number, self.case, move))


def _sides(body: str) -> list[str]:
    """The parts of a weighing, one for each side if it is one.

    >>> _sides("weigh 1 against 2"), _sides("1 on the left and 2 on the right"), _sides("left: 1")
    (['weigh 1', '2'], ['1 on the', 'and 2 on the'], ['left: 1'])
    """
    parts = _AGAINST.split(f" {body} ")
    words = body.split()
    if len(parts) == 1 and words.count("left") == words.count("right") == 1:
        left, right = words.index("left"), words.index("right")
        first, second = sorted((left, right))
        if first and any(map(_is_number, words[:first])):  # the sides are named after the coins
            parts = [" ".join(words[:first]), " ".join(words[first + 1 : second])]
            parts += [" ".join(words[second + 1 :])] * any(map(_is_number, words[second + 1 :]))
        else:
            parts = [" ".join(words[first + 1 : second]), " ".join(words[second + 1 :])]
        if right < left:
            parts.reverse()
    return [part.strip() for part in parts]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= 2


def name_of(move: Move) -> str:
    """A move as the prompt writes it.

    >>> name_of(Move(True, (1, 2), (3, 4))), name_of(Move(False, (1,), (3,)))
    ('weigh 1 2 against 3 4', 'coin 1 is heavy and coin 3 is light')
    >>> name_of(Move(False, (1, 2), ())), name_of(Move(False, (), (5,)))
    ('coins 1 and 2 are heavy', 'coin 5 is light')
    """
    if move.is_weighing:
        return f"weigh {_numbers(move.one)} against {_numbers(move.other)}"
    if len(move.one) == 2:
        return f"coins {move.one[0]} and {move.one[1]} are heavy"
    heavy = [f"coin {coin} is heavy" for coin in move.one]
    return " and ".join([*heavy, *(f"coin {coin} is light" for coin in move.other)])


def _numbers(coins: Coins) -> str:
    return " ".join(map(str, coins))


@lru_cache(maxsize=32)
def _statements(coins: int, case: Case) -> tuple[Move, ...]:
    every = range(1, coins + 1)
    facts: Iterator[Fact]
    if case == "one":
        facts = (fact for coin in every for fact in (((coin,), ()), ((), (coin,))))
    elif case == "two":
        facts = ((pair, ()) for pair in combinations(every, 2))
    else:
        facts = (((one,), (other,)) for one in every for other in every if one != other)
    return tuple(Move(False, *fact) for fact in facts)


@lru_cache(maxsize=32)
def _weighings(coins: int, most: int) -> tuple[Move, ...]:
    """All weighings, but for those that differ only in which side is which."""
    return tuple(
        Move(True, one, other)
        for number in range(1, min(most, coins // 2) + 1)
        for one in combinations(range(1, coins + 1), number)
        for other in combinations([n for n in range(one[0] + 1, coins + 1) if n not in one], number)
    )


@lru_cache(maxsize=8_192)
def split(coins: int, case: Case, move: Move) -> tuple[int, int, int]:
    """The possibilities with each of :data:`RESULTS` of a weighing, as bits."""
    parts = [0, 0, 0]
    for n, fact in enumerate(_statements(coins, case)):
        excess = sum((coin in move.one) - (coin in move.other) for coin in fact.one)
        excess -= sum((coin in move.one) - (coin in move.other) for coin in fact.other)
        parts[0 if excess == 0 else 1 if excess > 0 else 2] |= 1 << n
    return parts[0], parts[1], parts[2]


@lru_cache(maxsize=4_096)
def _possible(coins: int, case: Case, log: tuple[tuple[Coins, Coins, int], ...]) -> int:
    facts = (1 << len(_statements(coins, case))) - 1
    for one, other, result in log:
        facts &= split(coins, case, Move(True, one, other))[result]
    return facts


@lru_cache(maxsize=256)
def _priced(rules: CoinWeighing) -> tuple[tuple[int, Move], ...]:
    """All weighings with their prices, the cheapest first."""
    moves = ((rules.price_of(move), move) for move in _weighings(rules.number, rules.most))
    return tuple(sorted(moves))


@lru_cache(maxsize=256)
def _splits(rules: CoinWeighing) -> tuple[tuple[int, tuple[int, int, int]], ...]:
    """The price and the possible results of each weighing, the cheapest first."""
    return tuple((cost, split(rules.number, rules.case, move)) for cost, move in _priced(rules))


@lru_cache(maxsize=65_536)
def cents_of(rules: CoinWeighing, facts: int) -> int:
    """The cents that the best strategy needs in the worst case to leave a single possibility."""
    if facts.bit_count() == 1:
        return 0
    best, least, tried = 10**6, 0, set[tuple[int, int, int]]()
    for cost, (balance, left, right) in _splits(rules):
        if cost >= best:
            break
        # The results may be exchanged with one another.
        parts = sorted((facts & balance, facts & left, facts & right), key=int.bit_count)
        small, middle, large = parts
        if large == facts or (small, middle, large) in tried:
            continue
        # Weighings that split a part split the whole as well, and the first one is the cheapest.
        least = least or cost
        if cost + least * thirds(large.bit_count()) >= best:
            continue
        tried.add((small, middle, large))
        worst = 0
        for part in (large, middle, small):
            if cost + worst < best and part:
                worst = max(worst, cents_of(rules, part))
        best = min(best, cost + worst)
    return best


@lru_cache(maxsize=256)
def thirds(number: int) -> int:
    """The weighings that so many possibilities need at least, as each has three results.

    >>> [thirds(number) for number in (1, 2, 3, 4, 9, 10)]
    [0, 1, 1, 2, 2, 3]
    """
    return next(n for n in range(number + 1) if 3**n >= number)
