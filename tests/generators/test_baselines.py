"""Players without search."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.baselines import (
    insertion_tour,
    natural_orders,
    nearest_neighbour,
    one_pass,
    pared,
    shortest_edges_tour,
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
