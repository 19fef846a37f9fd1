"""Claims about flips of coins that may be biased, and their exact probabilities."""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.counting.bounds import Bound, bound

Statistic = Literal["heads", "run", "changes", "early"]


class Claim(NamedTuple):
    """The claim that a statistic of the flips satisfies a bound."""

    statistic: Statistic
    bound: Bound

    def as_text(self, flips: int) -> str:
        """The claim in words, for a number of flips.

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
                    f"if none does) has {relation} {number} {'flip' if one else 'flips'}"
                )
            case "changes":
                verb, them = ("flip shows", "it") if one else ("flips show", "them")
                return (
                    f"{relation} {number} {verb} a different side from the flip just before {them}"
                )
        verb = "shows" if one else "show"
        return f"{relation} {number} of the first {flips // 2} flips {verb} heads"


State = tuple[int, int, int, int, int]
"""The flips so far, without the number of heads: the length of the current run of heads, that of
the longest run, the number of changes, of early heads, and the last flip (-1 for none). Statistics
that occur in no claim keep their initial values.
"""


def fitting_bound(rng: Random, statistic: Statistic, flips: int) -> Bound:
    """A random bound on a statistic of a number of flips."""
    return bound(rng, flips // 2 if statistic == "early" else flips - 1)


def statistic(row: tuple[int, ...], claim: Claim) -> int:
    """The value of a claim's statistic for flips, where 1 is heads."""
    if claim.statistic == "heads":
        return sum(row)
    if claim.statistic == "early":
        return sum(row[: len(row) // 2])
    if claim.statistic == "changes":
        return sum(a != b for a, b in pairwise(row))
    return max(map(len, "".join(map(str, row)).split("0")))


@lru_cache(maxsize=256)
def chances(
    coins: tuple[tuple[int, int], ...], flips: int, claims: tuple[Claim, ...], event: int
) -> tuple[Fraction, Fraction]:
    """The probability that the first ``event`` claims hold, with and without the others as a
    condition; 0 for both if the condition is impossible.
    """
    used = {claim.statistic for claim in claims}
    # The ways for all numbers of heads are the digits of one large integer for each state: a flip
    # that shows heads shifts them by one digit.
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
    known = overall = both = total = 0
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
            total += ways
            known += ways * all(truths[event:])
            overall += ways * all(truths[:event])
            both += ways * all(truths)
    return (Fraction(both, known), Fraction(overall, total)) if known else (Fraction(0),) * 2


def _flipped(state: State, flip: int, used: set[Statistic], first: bool) -> State:
    """The state after another flip."""
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
