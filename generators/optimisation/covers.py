"""Weighted set covers by branch and bound: the rarest element first, bounded by shared costs."""

from collections.abc import Sequence
from fractions import Fraction


def cheapest_cover(sets: Sequence[int], costs: Sequence[int], whole: int) -> tuple[list[int], int]:
    """The numbers of the sets of a cheapest cover, and how many partial covers were examined.

    Sets are bit masks, and together cover ``whole``. Each element costs at least the least share
    of a set that contains it, where a set divides its cost by the number of elements that it adds.
    """
    order = sorted(range(len(sets)), key=lambda n: (costs[n], n))
    best_cost, best, examined = sum(costs) + 1, list[int](), 0

    def bound(left: int) -> Fraction:
        shares: dict[int, Fraction] = {}
        for n in order:
            useful = sets[n] & left
            if useful:
                share = Fraction(costs[n], useful.bit_count())
                rest = useful
                while rest:
                    bit = rest & -rest
                    if bit not in shares or share < shares[bit]:
                        shares[bit] = share
                    rest ^= bit
        return sum(shares.values(), Fraction(0))

    def extend(left: int, allowed: int, cost: int, chosen: list[int]) -> None:
        nonlocal best_cost, best, examined
        examined += 1
        if not left:
            if cost < best_cost:
                best_cost, best = cost, sorted(chosen)
            return
        if cost + bound(left) >= best_cost:
            return
        options = min(
            (
                [n for n in order if allowed >> n & 1 and sets[n] >> bit & 1]
                for bit in range(whole.bit_length())
                if left >> bit & 1
            ),
            key=len,
        )
        for n in sorted(options, key=lambda n: costs[n] / (sets[n] & left).bit_count()):
            allowed &= ~(1 << n)  # each cover is looked for once: with n here, without it later
            extend(left & ~sets[n], allowed, cost + costs[n], [*chosen, n])

    extend(whole, (1 << len(sets)) - 1, 0, [])
    return best, examined
