"""Facility location without capacities: which sites to open, by all sets of sites."""

from collections.abc import Iterable, Sequence


def total_cost(
    opening: Sequence[int], serving: Sequence[Sequence[int]], chosen: Iterable[int]
) -> int:
    """What open sites cost, and each customer at the cheapest of them.

    ``serving`` has for each customer the cost at each site. ``chosen`` has one site at least.
    """
    sites = [*chosen]
    return sum(opening[n] for n in sites) + sum(min(row[n] for n in sites) for row in serving)


def cheapest_sites(
    opening: Sequence[int], serving: Sequence[Sequence[int]]
) -> tuple[list[int], int]:
    """The sites of least total cost, and how many sets of sites were examined.

    Branch and bound over the sites: the bound serves each customer from the best of the sites that
    are open or undecided.
    """
    size = len(opening)
    best_cost = min(total_cost(opening, serving, [n]) for n in range(size))
    best = [min(range(size), key=lambda n: total_cost(opening, serving, [n]))]
    examined = 0

    far = sum(map(max, serving)) + best_cost  # more than any bound that is of use
    later = [[min(row[n:], default=far) for row in serving] for n in range(size + 1)]
    columns = [[row[n] for row in serving] for n in range(size)]

    def decide(n: int, chosen: list[int], spent: int, served: list[int]) -> None:
        """Go on from site n; ``served`` has what each customer costs at the sites open so far."""
        nonlocal best_cost, best, examined
        examined += 1
        cost = spent + sum(map(min, served, later[n]))
        if cost >= best_cost:
            return
        if n == size:
            best_cost, best = cost, [*chosen]
            return
        decide(n + 1, [*chosen, n], spent + opening[n], [*map(min, served, columns[n])])
        decide(n + 1, chosen, spent, served)

    decide(0, [], 0, [far] * len(serving))
    return best, examined
