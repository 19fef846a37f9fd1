"""The uncapacitated facility location problem, after Michel Balinski (1965)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.optimisation.facility_location import cheapest_sites, total_cost
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined

Point = tuple[int, int]


@lru_cache(maxsize=64)
def distances(customers: Sequence[Point], sites: Sequence[Point]) -> Sequence[Sequence[int]]:
    """The distance of each customer to each site, along the axes."""
    return [[abs(x - a) + abs(y - b) for a, b in sites] for x, y in customers]


class FacilityLocation(Optimum):
    """Choose which sites to open, so that opening them and serving all customers costs least."""

    tags = {"optimisation", "search", "arithmetic", "geometry"}
    quantity = "cost"

    class Knobs(Optimum.Knobs):
        sites: int = ladder(8, 9, 10, 11, 12, 13, 14, low=4, high=16)
        customers: int = ladder(9, 10, 12, 14, 16, 19, 22, low=4, high=40)
        width: int = ladder(8, 10, 12, 14, 16, 18, 20, low=6, high=40)  # of the square map

    opening: tuple[int, ...]
    sites: tuple[Point, ...]
    customers: tuple[Point, ...]
    width: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Sites and customers on different points; opening a site costs about as much as it saves
        if some sites are open already.
        """
        points = rng.sample(range(knobs.width**2), knobs.sites + knobs.customers)
        cells = [(point // knobs.width + 1, point % knobs.width + 1) for point in points]
        usual = knobs.width * knobs.customers // 14
        opening = [max(2, usual + rng.randint(-usual // 3, usual // 3)) for _ in range(knobs.sites)]
        return cls(
            opening=tuple(opening),
            sites=tuple(cells[: knobs.sites]),
            customers=tuple(cells[knobs.sites :]),
            width=knobs.width,
        )

    @property
    def serving(self) -> Sequence[Sequence[int]]:
        """For each customer, the distance to each site."""
        return distances(self.customers, self.sites)

    def canonical(self) -> str:
        return repr((sorted(zip(self.sites, self.opening)), sorted(self.customers)))

    def prompt(self) -> str:
        sites = "\n".join(
            f"site {number}: at ({x}, {y}), opening it costs {cost}"
            for number, ((x, y), cost) in enumerate(zip(self.sites, self.opening), 1)
        )
        customers = ", ".join(f"({x}, {y})" for x, y in self.customers)
        task = self.phrase(
            "Decide which sites to open, one or more. Each customer is served by the nearest open "
            "site. Make the total cost as small as possible: the opening costs of the chosen sites "
            "plus the distances of all customers to the sites that serve them.",
            "A company opens some of the possible sites below, at least one, and then serves each "
            "of its customers from the open site that is closest. Choose the sites with the least "
            "total cost: the opening costs of the chosen sites plus the distances of all customers "
            "to the sites that serve them.",
        )
        return (
            f"{task} The distance of (a, b) and (c, d) is |a - c| + |b - d|.\n\n{sites}\n\n"
            f"customers at: {customers}\n\nIf several choices are equally good, any of them will "
            f"do. Write the numbers of the sites to open, such as '1, {len(self.sites)}'."
        )

    def scene(self) -> Grid:
        return self.view(())

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Grid:
        """The map: sites by their numbers, customers as dots; x to the right, y upwards."""
        cells = dict.fromkeys(self.customers, Cell("•"))
        for n, point in enumerate(self.sites):
            cells[point] = Cell(str(n + 1), "accent" if n in chosen else "shade")
        size = range(1, self.width + 1)
        rows = tuple(tuple(cells.get((x, y), Cell("")) for x in size) for y in size[::-1])
        numbers = tuple((str(n),) for n in size)
        return Grid(rows, bottom=numbers, left=numbers[::-1])

    def read(self, answer: str) -> list[int]:
        """The sites, counted from 0."""
        numbers = numbers_of(answer, ("site", "sites"), "a list of numbers of sites")
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([n + 1 for n in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= n < len(self.sites) for n in solution):
            return f"the sites have numbers from 1 to {len(self.sites)} only"
        if len(set(solution)) < len(solution):
            return "a site is listed twice"
        return "" if solution else "no site is open"

    def worth(self, solution: Any) -> int:
        return total_cost(self.opening, self.serving, solution)

    def search(self) -> SearchResult:
        return SearchResult(*cheapest_sites(self.opening, self.serving))

    def naive_solutions(self) -> list[Any]:
        """Sites that are added or closed as long as the cost falls, each single site, all sites."""
        sites = range(len(self.sites))
        return [self.added([]), self.closed([*sites]), *([n] for n in sites), [*sites]]

    def added(self, chosen: list[int], most: int = 99) -> list[int]:
        """The site that lowers the cost most, added again and again."""
        while len(chosen) < min(most, len(self.sites)):
            rest = [n for n in range(len(self.sites)) if n not in chosen]
            best = min(rest, key=lambda n: self.worth([*chosen, n]))
            if chosen and self.worth([*chosen, best]) >= self.worth(chosen):
                break
            chosen = [*chosen, best]
        return sorted(chosen)

    def closed(self, chosen: list[int]) -> list[int]:
        """The site whose closing lowers the cost most, closed again and again."""
        while len(chosen) > 1:
            options = [[n for n in chosen if n != gone] for gone in chosen]
            best = min(options, key=self.worth)
            if self.worth(best) >= self.worth(chosen):
                break
            chosen = best
        return chosen

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """A few sites by one key, and sites that are added for a fixed number."""
        nearest = [min(range(len(self.sites)), key=row.__getitem__) for row in self.serving]
        keys: Mapping[str, Callable[[int], float]] = {
            "opening cost": self.opening.__getitem__,
            "customers nearest": nearest.count,
            "sum of distances": lambda n: sum(row[n] for row in self.serving),
        }
        orders = natural_orders([*range(len(self.sites))], rng, keys)
        some = max(2, len(self.sites) // 3)
        return {
            **{f"{name}, {some} sites": order[:some] for name, order in orders.items()},
            "added until a third is open": self.added([], some),
            "nearest site of every customer": sorted(set(nearest)),
            "closed, then added": self.added(self.closed([*range(len(self.sites))])),
        }

    def audit(self, answer: str) -> bool:
        """Whether no other set of sites costs less."""
        sites = range(len(self.sites))
        sets = (each for size in sites for each in combinations(sites, size + 1))
        chosen = self.read(answer)
        return not self.violation(chosen) and self.worth(chosen) == min(map(self.worth, sets))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(sites=5, customers=6, width=8)

    def candidates(self) -> Iterable[str]:
        sites = range(len(self.sites))
        return (self.as_text(each) for n in sites for each in combinations(sites, n + 1))
