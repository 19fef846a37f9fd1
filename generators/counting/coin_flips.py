"""Rows of flips of coins that may be biased: counts, runs, and their exact chances."""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.counting.bounds import Bound, bound

Statistic = Literal["heads", "run", "changes", "early"]


class Claim(NamedTuple):
    """That a statistic of the flips keeps within a bound."""

    statistic: Statistic
    bound: Bound

    def as_text(self, flips: int) -> str:
        """The claim in words, of so many flips.

        >>> Claim("changes", Bound("at most", 1)).as_text(6)
        'at most 1 flip shows a different side from the flip just before it'
        """
        relation, number = self.bound
        one = number == 1
        match self.statistic:
            case "heads":
                return f"heads comes up {relation} {'once' if one else f'{number} times'}"
            case "run":
                return (
                    "the longest run of heads (flips in a row that all show heads; its length is 0 "
                    f"where none does) has {relation} {number} {'flip' if one else 'flips'}"
                )
            case "changes":
                verb, them = ("flip shows", "it") if one else ("flips show", "them")
                return (
                    f"{relation} {number} {verb} a different side from the flip just before {them}"
                )
        verb = "shows" if one else "show"
        return f"{relation} {number} of the first {flips // 2} flips {verb} heads"


State = tuple[int, int, int, int, int]
"""What matters of the flips so far beside the number of heads: the length of the run of heads that
is going on, that of the longest run, the changes, the early heads, and the last flip, or -1 for
what no claim is about.
"""


def fitting_bound(rng: Random, statistic: Statistic, flips: int) -> Bound:
    """A bound that a statistic of so many flips may or may not keep."""
    return bound(rng, flips // 2 if statistic == "early" else flips - 1)


def seen(row: tuple[int, ...], claim: Claim) -> int:
    """A statistic of flips, where 1 is heads."""
    if claim.statistic == "heads":
        return sum(row)
    if claim.statistic == "early":
        return sum(row[: len(row) // 2])
    if claim.statistic == "changes":
        return sum(a != b for a, b in pairwise(row))
    return max(map(len, "".join(map(str, row)).split("0")))


@lru_cache(maxsize=256)
def chances(
    coins: tuple[tuple[int, int], ...], flips: int, claims: tuple[Claim, ...], asked: int
) -> tuple[Fraction, Fraction]:
    """The probability of the first claims where the others hold, and wherever they do not, too.

    If the others never hold, both are 0.
    """
    used = {claim.statistic for claim in claims}
    # All numbers of heads are counted at once, as the digits of one large number for each state:
    # a flip that shows heads moves every count up by a digit.
    width = prod(coins[n % len(coins)][1] for n in range(flips)).bit_length()
    shift = width if "heads" in used else 0
    states: dict[State, int] = {(0, 0, 0, 0, -1): 1}
    for n in range(flips):
        above, below = coins[n % len(coins)]
        first = n < flips // 2
        after: dict[State, int] = {}
        for state, ways in states.items():
            head, tail = _flipped(state, 1, used, first), _flipped(state, 0, used, first)
            after[head] = after.get(head, 0) + (ways * above << shift)
            after[tail] = after.get(tail, 0) + ways * (below - above)
        states = after
    known = overall = both = whole = 0
    for (_, longest, changes, early, _), packed in states.items():
        for heads in range(flips + 1 if shift else 1):
            ways = packed >> heads * shift & (1 << width) - 1
            counts: dict[Statistic, int] = {
                "heads": heads,
                "run": longest,
                "changes": changes,
                "early": early,
            }
            truths = [claim.bound.holds(counts[claim.statistic]) for claim in claims]
            whole += ways
            known += ways * all(truths[asked:])
            overall += ways * all(truths[:asked])
            both += ways * all(truths)
    return (Fraction(both, known), Fraction(overall, whole)) if known else (Fraction(0),) * 2


def _flipped(state: State, flip: int, used: set[Statistic], first: bool) -> State:
    """The state after one more flip; what no claim is about stays as it is."""
    run, longest, changes, early, last = state
    if "run" in used:
        run = run + 1 if flip else 0
        longest = max(longest, run)
    if "changes" in used:
        changes += last not in (-1, flip)
        last = flip
    if "early" in used and first:
        early += flip
    return run, longest, changes, early, last
