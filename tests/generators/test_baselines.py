"""Players without search."""

from collections.abc import Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.baselines import (
    filled,
    fillings,
    insertion_tour,
    maximal,
    natural_orders,
    nearest_neighbour,
    one_pass,
    pared,
    shortest_edges_tour,
    shuffled,
    stepwise,
)

SIZES = st.lists(st.integers(1, 30), max_size=8)


def distance(u: int, v: int) -> int:
    return abs(u * u - v * v) % 23


@given(SIZES, st.integers(1, 60))
def test_one_pass_leaves_out_nothing_that_would_fit(sizes: list[int], room: int) -> None:
    items = list(enumerate(sizes))

    def fits(chosen: list[tuple[int, int]]) -> bool:
        return sum(size for _, size in chosen) <= room

    chosen = one_pass(items, fits)
    assert fits(chosen)
    assert not any(fits([*chosen, item]) for item in items if item not in chosen)


@given(st.sets(st.integers(1, 30), min_size=1), st.integers(0, 30))
def test_a_pared_choice_needs_each_of_its_items(sizes: set[int], load: int) -> None:
    kept = pared(sizes, lambda chosen: sum(chosen) >= min(load, sum(sizes)))
    assert sum(kept) >= min(load, sum(sizes))
    assert all(sum(kept) - size < load for size in kept)


@given(SIZES, st.randoms(use_true_random=False))
def test_natural_orders_are_orders_of_all_items(sizes: list[int], rng: Random) -> None:
    orders = natural_orders(sizes, rng, {"size": float})
    assert all(sorted(order) == sorted(sizes) for order in orders.values())
    assert orders["least size first"] == sorted(sizes)
    assert orders["greatest size first"] == sorted(sizes, reverse=True)
    assert orders["last listed first"] == sizes[::-1]


def test_ties_of_an_order_are_broken_at_random() -> None:
    orders = [natural_orders("abc", Random(seed), {"size": len}) for seed in range(20)]
    assert len({tuple(order["least size first"]) for order in orders}) > 1


def test_a_stepwise_choice_takes_what_went_before_into_account() -> None:
    def apart(item: int, chosen: list[int]) -> int | None:
        return None if any(abs(item - other) < 2 for other in chosen) else item

    assert stepwise(range(6), Random(0), apart) == [0, 2, 4]
    ties = {tuple(stepwise(range(4), Random(seed), lambda item, _: 0)) for seed in range(20)}
    assert len(ties) > 1


@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_fillings_take_options_that_are_left(cells: int, rng: Random) -> None:
    """Each number once, in cells that each exclude one number."""

    def options(cell: int, numbers: Mapping[int, int]) -> list[int]:
        return [n for n in range(cells) if n != cell and n not in numbers.values()]

    for numbers in fillings(range(cells), options, rng).values():
        assert len({*numbers.values()}) == len(numbers) >= cells - 1
        assert all(number != cell for cell, number in numbers.items())


def test_the_most_constrained_cell_is_filled_first() -> None:
    domains = {"a": [1, 2, 3], "b": [2, 3], "c": [3]}

    def options(cell: str, values: Mapping[str, int]) -> list[int]:
        return [value for value in domains[cell] if value not in values.values()]

    for seed in range(10):
        one_by_one = filled(domains, options, Random(seed), most_constrained=True)
        assert one_by_one == {"a": 1, "b": 2, "c": 3}
    first = [filled(domains, options, Random(seed))["a"] for seed in range(20)]
    assert {*first} == {1, 2, 3}


@given(st.sets(st.integers(0, 20)), st.randoms(use_true_random=False))
def test_a_maximal_choice_can_take_no_other(numbers: set[int], rng: Random) -> None:
    def allowed(chosen: set[int], number: int) -> bool:
        return all(abs(number - other) != 1 for other in chosen)

    chosen = maximal(shuffled(numbers, rng), allowed, first=[30])
    assert 30 in chosen
    assert not any(allowed(chosen, number) for number in numbers - chosen)


@given(st.integers(1, 9), st.randoms(use_true_random=False))
def test_tours_visit_every_node_once(nodes: int, rng: Random) -> None:
    order = rng.sample(range(nodes), nodes)
    for tour in (
        nearest_neighbour(order, order[0], distance),
        insertion_tour(order, distance),
        shortest_edges_tour(order, distance),
    ):
        assert sorted(tour) == list(range(nodes))


def test_tours_are_those_that_their_rules_give() -> None:
    points = [0, 10, 1, 11]

    def between(u: int, v: int) -> int:
        return abs(points[u] - points[v])

    assert nearest_neighbour(range(4), 0, between) == [0, 2, 1, 3]
    for tour in (insertion_tour(range(4), between), shortest_edges_tour(range(4), between)):
        assert sum(between(u, v) for u, v in zip(tour, [*tour[1:], tour[0]])) == 22
