"""The rules of dividing goods with a counterpart of one of several known types."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from string import ascii_uppercase
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Panels, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

ASK = -1
"""The move by which the player asks what the counterpart wants most; others are numbers of
bundles."""

NOTHING = -2
"""No proposal and no question; no bundle."""

YES, NO = -3, -4
"""Chance events: the counterpart accepts or refuses. Other events are the goods that it names."""

_ASKS = frozenset(("ask", "ask what it wants", "ask what it wants most", "ask a question",
                   "question", "ask the counterpart"))  # fmt: skip
_VERB = re.compile(
    r"(?:my )?(?:proposal )?(?:i )?(?:(?:propose|offer|want) to |propose )?(?:only )?"
    r"(?:(?:keep|take|get|want) )?(?:only )?"
)
_PART = re.compile(r"(\d{1,2}) ?([a-z]*)", re.ASCII)

Bundle = tuple[int, ...]
"""How many pieces of each of the goods."""


class State(NamedTuple):
    """How many pieces there are of each of the goods, what one of each is worth to the player, the
    round from 0 on, the types of the counterpart that are possible, as bits, the proposal to
    decide on, :data:`ASK` or :data:`NOTHING`, and what the player got, once it is over.
    """

    counts: Bundle
    mine: tuple[int, ...]
    round: int
    types: int
    pending: int
    got: int


@dataclass(frozen=True)
class GoodsDivision(ChanceRules[State, int]):
    """Propose what to keep, or ask; each round later costs points."""

    goods: tuple[str, ...]
    """The names of the goods, as plurals."""

    values: tuple[tuple[int, ...], ...]
    """What a piece of each of the goods is worth to each type of counterpart."""

    wants: tuple[int, ...]
    """The percentage of the worth of all goods that the counterpart wants at least, by round."""

    cost: int
    """The points that each round before the agreement costs."""

    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if state.pending != NOTHING or state.round == len(self.wants):
            return ()
        # A question, and to keep all, are the plainest ways to wait for a later round.
        keep = range(len(bundles(state.counts)) - 1, -1, -1)
        return [ASK, *keep] if state.round < len(self.wants) - 1 else keep

    def possible(self, state: State) -> list[int]:
        """The types that are possible."""
        return [n for n in range(len(self.values)) if state.types >> n & 1]

    def accepts(self, counts: Bundle, number: int, profile: int, kept: Bundle) -> bool:
        """Whether a type of counterpart accepts in a round that the player keeps a bundle."""
        worth = self.values[profile]
        whole = sum(value * count for value, count in zip(worth, counts))
        left = whole - sum(value * count for value, count in zip(worth, kept))
        return 100 * left >= self.wants[number] * whole

    def favourite(self, profile: int) -> int:
        """What a type names when it is asked: the goods with the most worth a piece, the first of
        several.
        """
        return self.values[profile].index(max(self.values[profile]))

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if state.pending == NOTHING:
            return ()
        possible = state.types.bit_count()
        if state.pending == ASK:
            counts = Counter(map(self.favourite, self.possible(state)))
            return [(event, counts[event] / possible) for event in sorted(counts)]
        share = self.agreeing(state, state.pending).bit_count() / possible
        return [event for event in ((YES, share), (NO, 1 - share)) if event[1] > 0]

    def apply(self, state: State, move: int) -> State:
        if state.pending == NOTHING:
            return state._replace(pending=move)
        if move == YES:
            kept = bundles(state.counts)[state.pending]
            got = sum(value * count for value, count in zip(state.mine, kept))
            got = max(0, got - self.cost * state.round)
            return state._replace(round=len(self.wants), pending=NOTHING, got=got)
        if move == NO:
            types = state.types & ~self.agreeing(state, state.pending)
        else:
            named = (profile for profile in self.possible(state) if self.favourite(profile) == move)
            types = sum(1 << profile for profile in named)
        return state._replace(round=state.round + 1, types=types, pending=NOTHING)

    def agreeing(self, state: State, bundle: int) -> int:
        """The possible types that accept that the player keeps a bundle, as bits."""
        return _agreeing(self, state.counts, state.round)[bundle] & state.types

    def payoff(self, state: State) -> float:
        return float(state.got)

    def solved(self, state: State) -> float | None:
        if state.pending == NOTHING and state.round < len(self.wants):
            return _worth(self, state.counts, state.mine, state.round, state.types)
        return None  # over, or a step away from such a state

    def name(self, state: State, move: int) -> str:
        if move == ASK:
            return "ask"
        kept = zip(bundles(state.counts)[move], self.goods)
        return f"keep {', '.join(amount(count, name) for count, name in kept)}"

    def read(self, state: State, text: str) -> int:
        body = phrase(text).replace(" and ", " ").replace(" no ", " 0 ")
        legal = self.legal(state)
        if body in _ASKS and ASK in legal:
            return ASK
        verb = _VERB.match(body)
        body = body[verb.end() if verb else 0 :]
        parts = _PART.findall(body)
        if "".join(f"{count}{name}" for count, name in parts) != body.replace(" ", ""):
            raise InvalidAnswer(self._expected())
        kept = self._counts(parts)
        if kept not in bundles(state.counts):
            have = ", ".join(map(amount, state.counts, self.goods))
            raise InvalidAnswer(f"there are {have} to keep")
        return bundles(state.counts).index(kept)

    def _expected(self) -> str:
        example = ", ".join(amount(1, name) for name in self.goods)
        return f"expected how much you keep of all goods, such as 'keep {example}', or 'ask'"

    def _counts(self, parts: Sequence[tuple[str, str]]) -> Bundle:
        """The numbers of all goods, either by their names or in their order."""
        names = [name for _, name in parts]
        if len(parts) != len(self.goods):
            raise InvalidAnswer(self._expected())
        if not any(names):
            return tuple(int(count) for count, _ in parts)
        named = {name.rstrip("s"): int(count) for count, name in parts}
        if named.keys() != {name.rstrip("s") for name in self.goods}:
            raise InvalidAnswer(self._expected())
        return tuple(named[name.rstrip("s")] for name in self.goods)

    def show(self, state: State) -> str:
        goods = "\n".join(
            f"{amount(count, name)}, {'each ' * (count > 1)}worth {value} to you"
            for count, name, value in zip(state.counts, self.goods, state.mine)
        )
        types = ", ".join(ascii_uppercase[profile] for profile in self.possible(state))
        return (
            f"Goods:\n{goods}\n\nRound {state.round + 1} of {len(self.wants)}. Types that the "
            f"counterpart may be, after its answers so far: {types}."
        )

    def news(self, state: State, event: int) -> str:
        if event == YES:
            return "The counterpart accepts."
        if event == NO:
            return "The counterpart refuses."
        return f"The counterpart says: of all goods, I value {self.goods[event]} most."

    def end(self, state: State) -> str:
        return f"You get {state.got} points."

    def scene(self, state: State) -> Panels:
        top = ("", *self.goods)
        counts = (Cell("pieces"), *(Cell(str(count)) for count in state.counts))
        mine = (Cell("you"), *(Cell(str(value), fill="t4") for value in state.mine))
        rows = tuple(
            (
                Cell(
                    ascii_uppercase[profile], fill="t2" if state.types >> profile & 1 else "shade"
                ),
                *(Cell(str(value)) for value in values),
            )
            for profile, values in enumerate(self.values)
        )
        wants = tuple(
            Cell(f"{want}%", fill="t4" if n == state.round else "paper")
            for n, want in enumerate(self.wants)
        )
        rounds = tuple(f"round {n + 1}" for n in range(len(self.wants)))
        return Panels(
            (Table((counts, mine, *rows), top=top), Table((wants,), top=rounds)),
            ("Worth of a piece", "Least share"),
            columns=1,
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def worth(state: State, bundle: int) -> int:
            kept = bundles(state.counts)[bundle]
            return sum(value * count for value, count in zip(state.mine, kept))

        def share(state: State, bundle: int) -> float:
            return self.agreeing(state, bundle).bit_count() / state.types.bit_count()

        def best(state: State, least: float) -> int:
            """The best proposal that so many of the possible types accept."""
            every = range(len(bundles(state.counts)))
            return max(every, key=lambda n: (share(state, n) >= least, worth(state, n)))

        def at_once(state: State, rng: Random) -> int:
            """The proposal with the best expectation, if it were the last round."""
            every = range(len(bundles(state.counts)))
            return max(every, key=lambda n: worth(state, n) * share(state, n))

        def ask_first(state: State, rng: Random) -> int:
            several = len({self.favourite(profile) for profile in self.possible(state)}) > 1
            return ASK if several and ASK in self.legal(state) else at_once(state, rng)

        return {
            "as if it were the last round": at_once,
            "ask first": ask_first,
            "what all types accept": lambda state, rng: best(state, 1.0),
            "what half of the types accept": lambda state, rng: best(state, 0.5),
            "what any type accepts": lambda state, rng: best(state, 0.01),
        }


def amount(count: int, name: str) -> str:
    """So many pieces of goods.

    >>> amount(1, "hats"), amount(0, "hats")
    ('1 hat', '0 hats')
    """
    return f"{count} {name.removesuffix('s') if count == 1 else name}"


@lru_cache(maxsize=256)
def bundles(counts: Bundle) -> tuple[Bundle, ...]:
    """All bundles that can be kept of so many pieces."""
    return tuple(product(*(range(count + 1) for count in counts)))


@lru_cache(maxsize=256)
def _agreeing(rules: GoodsDivision, counts: Bundle, number: int) -> tuple[int, ...]:
    """For each bundle the types that accept in a round that the player keeps it, as bits."""
    return tuple(
        sum(
            1 << profile
            for profile in range(len(rules.values))
            if rules.accepts(counts, number, profile, kept)
        )
        for kept in bundles(counts)
    )


@lru_cache(maxsize=256)
def _best_by_types(
    rules: GoodsDivision, counts: Bundle, mine: tuple[int, ...], number: int
) -> dict[int, int]:
    """The most that the player can keep, for each set of types that accept it in a round."""
    best: dict[int, int] = {}
    for kept, types in zip(bundles(counts), _agreeing(rules, counts, number)):
        worth = sum(value * count for value, count in zip(mine, kept))
        best[types] = max(worth, best.get(types, 0))
    return best


@lru_cache(maxsize=1 << 14)
def _worth(
    rules: GoodsDivision, counts: Bundle, mine: tuple[int, ...], number: int, types: int
) -> float:
    """The expectation of an ideal player before a round, where some types are possible."""
    if number == len(rules.wants):
        return 0.0
    possible, worth = types.bit_count(), 0.0
    for accepting, kept in _best_by_types(rules, counts, mine, number).items():
        yes, no = accepting & types, types & ~accepting
        if yes:
            now = max(0, kept - rules.cost * number) * yes.bit_count()
            later = _worth(rules, counts, mine, number + 1, no) * no.bit_count() if no else 0.0
            worth = max(worth, (now + later) / possible)
    if number < len(rules.wants) - 1:
        named: dict[int, int] = {}
        for profile in range(len(rules.values)):
            favourite = rules.favourite(profile)
            named[favourite] = named.get(favourite, 0) | types & 1 << profile
        later = sum(
            _worth(rules, counts, mine, number + 1, each) * each.bit_count()
            for each in named.values()
            if each
        )
        worth = max(worth, later / possible)
    return worth
