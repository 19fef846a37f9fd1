"""Orders to units: how turns are decided, against all sets of moves that may succeed; the best
response against one by the tree of all orders; readers; the opponent's plans."""

from itertools import combinations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.matches.hidden_information import best_response, game_tree
from palaestra.generators.matches.province_orders.response import (
    Plans,
    chances_of,
    planned,
    province_response,
)
from palaestra.generators.matches.province_orders.rules import (
    NOBODY,
    Order,
    ProvinceOrders,
    State,
    letters,
    members,
    order_sets,
    resolved,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.province_orders import LETTERS, province_orders


def mask(text):
    return sum(1 << LETTERS.index(letter) for letter in text)


def orders(text):
    read = province_orders(text) if text else []
    return tuple(sorted(Order(u, t, NOBODY if ally is None else ally) for u, t, ally in read))


def after(first, second):
    """Where the units of both players are after orders."""
    return tuple(
        "".join(LETTERS[n] for n in members(m)) for m in resolved(orders(first), orders(second))
    )


@pytest.mark.parametrize(
    ("first", "second", "units"),
    [
        ("B to C", "E holds", ("C", "E")),
        ("B to C", "D to C", ("B", "D")),
        ("B to C", "C holds", ("B", "C")),
        ("B to C", "C to D", ("C", "D")),
        ("B to C", "C to B", ("B", "C")),
        ("B to C, D supports B to C", "C holds", ("CD", "")),
        ("B to C, D supports B to C", "C to B", ("CD", "")),
        ("B to C, D supports B to C", "C to E", ("CD", "E")),
        ("B to C, D supports B to C", "E to C", ("CD", "E")),
        # A unit whose move fails has strength 1, and does not help others.
        ("B to C, D supports B to C", "C to E, F to E", ("CD", "F")),
        # A supported unit holds.
        ("B to C, D supports B to C", "C holds, E supports C", ("BD", "CE")),
        # Supports are cut by attacks that fail, also by that of the unit which they attack.
        ("B to C, D supports B to C", "C holds, E to D", ("BD", "CE")),
        ("B to C, D supports B to C", "C to D", ("BD", "C")),
        # A unit that is driven out has cut a support all the same.
        ("B to C, D supports B to C, E to F, G supports E to F", "C holds, F to D", ("BDFG", "C")),
        # Two players of equal strength keep each other out of a province.
        ("B to C, D supports B to C", "E to C, F supports E to C", ("BD", "EF")),
        # A unit between two attacks of equal strength stays.
        ("C holds", "B to C, D supports B to C, E to C, F supports E to C", ("C", "BDEF")),
        # No own unit is driven out, and no own units change places.
        ("B to C, C holds, D supports B to C", "", ("BCD", "")),
        ("B to C, C to B", "", ("BC", "")),
        # Moves in a circle.
        ("B to C, C to D", "D to B", ("CD", "B")),
        ("B to C, C to D", "D to B, E to B", ("BC", "DE")),
        # Moves in a row succeed or fail together.
        ("B to C, C to D, D to E", "", ("CDE", "")),
        ("B to C, C to D, D to E", "E holds", ("BCD", "E")),
    ],
)
def test_turns(first, second, units):
    assert after(first, second) == units


def units_if(success, first, second):
    """Where the units are if exactly these moves succeed, by a list of all units."""
    stay = [[], []]
    for player, mine in enumerate((first, second)):
        for order in mine:
            if order.unit in success:
                stay[player].append(order.target)
            elif not any(o.target == order.unit for o in (*first, *second) if o.unit in success):
                stay[player].append(order.unit)
    return tuple(sum(1 << n for n in each) for each in stay)


def by_sets(first, second):
    """The result by the largest set of moves of which each succeeds, if the others do not."""
    every = {order.unit: order for order in (*first, *second)}
    side = {order.unit: n for n, mine in enumerate((first, second)) for order in mine}
    moving = [o for o in every.values() if o.ally == NOBODY and o.unit != o.target]

    def force(order):
        supports = [o for o in every.values() if o.ally == order.unit]
        cut = {m.target for m in moving for o in supports
               if m.target == o.unit and side[m.unit] != side[o.unit]}  # fmt: skip
        return 1 + sum(o.unit not in cut for o in supports)

    def succeeds(order, success):
        mine = force(order)
        rivals = [o for o in moving if o.target == order.target and o is not order]
        if any(force(o) >= mine for o in rivals):
            return False
        there = every.get(order.target)
        if there is None:
            return True
        if there in moving and there.target == order.unit:
            return side[there.unit] != side[order.unit] and mine > force(there)
        if there.unit in success:
            return True
        defence = 1 if there in moving else force(there)
        return side[there.unit] != side[order.unit] and mine > defence

    for size in range(len(moving), -1, -1):
        for chosen in combinations(moving, size):
            success = {order.unit for order in chosen}
            if all(succeeds(order, success) == (order.unit in success) for order in moving):
                return units_if(success, first, second)
    raise AssertionError("no set of moves agrees with the rules")


def random_map(rng, size):
    neighbours = [0] * size
    for one, other in combinations(range(size), 2):
        if rng.random() < 0.6:
            neighbours[one] |= 1 << other
            neighbours[other] |= 1 << one
    return tuple(neighbours)


def test_turns_against_all_sets_of_moves():
    rng = Random(1)
    for _ in range(400):
        neighbours = random_map(rng, 6)
        where = rng.sample(range(6), 5)
        units = sum(1 << n for n in where[:3]), sum(1 << n for n in where[3:])
        first, second = (rng.choice(order_sets(neighbours, each)) for each in units)
        assert resolved(first, second) == by_sets(first, second), (first, second)


def test_legal_orders():
    """The unit in B has two neighbours, C and D; that in C has B, D and E."""
    neighbours = tuple(map(mask, ("CD", "BDE", "BC", "C")))
    names = {", ".join(map(str, each)) for each in order_sets(neighbours, mask("BC"))}
    expected = [
        *product(("B holds", "B to C", "B to D"), ("C holds", "C to B", "C to D", "C to E")),
        ("B supports C", "C holds"), ("B supports C to D", "C to D"),
        ("B holds", "C supports B"), ("B to D", "C supports B to D"),
    ]  # fmt: skip
    assert names == {", ".join(map(str, orders(", ".join(each)))) for each in expected}
    assert len(order_sets(neighbours, mask("BC"))) == len(expected)


TRIANGLE = tuple(map(mask, ("CD", "BDE", "BC", "C")))
SQUARE = tuple(map(mask, ("CDE", "BDF", "BC", "BF", "CE")))
ARROWS = (2, 4, 1, 0, 1)
TABLE = ((30, 20, 40, 10), (5, 60, 5, 30), (25, 25, 45, 5))


def strategy(rules, plans, player, tree):
    """The chances of all legal orders of a player, by view."""
    chances = {}
    for view, legal in tree.moves.items():
        if tree.owner[view] == player:
            _, first, second, own, other, left = map(int, view.split())
            known = chances_of(rules, plans, State((first, second), (own, other), left), player)
            assert {*known} <= {*legal}
            chances[view] = [known.get(each, 0.0) for each in legal]
    return chances


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("neighbours", "arrows", "units", "left"),
    [
        (TRIANGLE, (2, 3, 1, 1), ("B", "E"), 3),
        (TRIANGLE, (1, 2, 0, 1), ("C", "D"), 3),
        (SQUARE, ARROWS, ("BC", "DF"), 1),
        (SQUARE, ARROWS, ("BE", "C"), 2),
    ],
)
def test_the_best_response(neighbours, arrows, units, left, player):
    first, second = map(mask, units)
    start = State((first, second), (first, 0), left)
    rules = ProvinceOrders(neighbours, mask("BDE"), start)
    plans = Plans(arrows, TABLE)
    tree = game_tree(rules)
    known = best_response(tree, strategy(rules, plans, 1 - player, tree), player)
    response = province_response(rules, plans, player)
    assert response.value(start.units, start.centres, left) == pytest.approx(known.value)
    for view, expected in known.expectations.items():
        _, one, other, mine, theirs, turns = map(int, view.split())
        state = State((one, other), (mine, theirs), turns)
        assert response.expectations(state) == pytest.approx(expected)


def test_plans():
    rules = ProvinceOrders(SQUARE, mask("BDE"))
    advance, with_first, with_last, guard = planned(rules, ARROWS, mask("BC"))
    assert advance == orders("B to D, C to F")
    assert with_first == orders("B to D, C supports B to D")
    assert with_last == orders("B to D, C to F")
    assert guard == orders("B holds, C supports B")
    assert planned(rules, ARROWS, mask("DE"))[3] == orders("D holds, E holds")
    state = State((mask("BC"), mask("F")), (mask("B"), 0), 2)
    chances = chances_of(rules, Plans(ARROWS, TABLE), state, 0)
    assert chances == pytest.approx({advance: 0.7, with_first: 0.25, guard: 0.05})


def test_supply_centres_change_hands():
    rules = ProvinceOrders(SQUARE, mask("BDE"))
    state = State((mask("BC"), mask("E")), (mask("BD"), mask("E")), 2)
    state = rules.apply(rules.apply(state, orders("B holds, C to D")), orders("E to B"))
    assert state == State((mask("BD"), mask("E")), (mask("BD"), mask("E")), 1)
    state = rules.apply(rules.apply(state, orders("B to C, D supports B to C")), orders("E to B"))
    assert state == State((mask("CD"), mask("B")), (mask("D"), mask("BE")), 0)
    assert rules.outcome(state) == -1


def test_a_campaign_ends_without_units():
    rules = ProvinceOrders(SQUARE, mask("BDE"))
    state = State((mask("BD"), mask("C")), (mask("B"), mask("E")), 3)
    assert rules.outcome(state) is None
    state = rules.apply(rules.apply(state, orders("B to C, D supports B to C")), orders("C to F"))
    assert rules.outcome(state) is None
    state = State((mask("BD"), mask("C")), (mask("B"), mask("E")), 3)
    state = rules.apply(rules.apply(state, orders("B to C, D supports B to C")), orders("C holds"))
    assert state.units == (mask("CD"), 0)
    assert rules.outcome(state) == 1


RULES = ProvinceOrders(SQUARE, mask("BDE"))
STATE = State((mask("BC"), mask("F")), (0, 0), 2)


@pytest.mark.parametrize(
    "text",
    [
        "B to D, C supports B to D",
        "C supports B to D; B to D",
        "**B-D, C S B-D**",
        "B moves to D and C supports B to D.",
        "I order B -> D, C supports B -> D",
        "Move B to D, the unit in C supports B to D",
        "My orders: b to d, c supports b to d",
        "B \u2192 D\nC supports B \u2192 D",
    ],
)
def test_natural_orders_are_read(text):
    assert RULES.read(STATE, text) == orders("B to D, C supports B to D")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("B holds, C holds", "B holds, C holds"),
        ("hold B, hold C", "B holds, C holds"),
        ("B H, C S B", "B holds, C supports B"),
        ("C supports B to hold, B stays", "B holds, C supports B"),
        ("B attacks D. C goes to F", "B to D, C to F"),
    ],
)
def test_other_forms_are_read(text, move):
    assert RULES.read(STATE, text) == orders(move)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no order for B, C"),
        ("hold", "expected a province"),
        ("B to D", "no order for C"),
        ("B to D, C holds, C to F", "two orders for C"),
        ("B to D or E, C holds", "expected orders"),
        ("not B to D, C holds", "expected orders"),
        ("B to D, C holds, F holds", "no unit in F"),
        ("B to F, C holds", "'B to F' is not possible"),
        ("B to D, C supports B to E", "'C supports B to E' is not possible"),
        ("B holds, C supports B to D", "a support has to be for the order"),
        ("B supports C, C supports B", "a support has to be for the order"),
        ("B to, C holds", "expected a province"),
        ("B, C holds", "no order for B"),
        ("B to Z, C holds", "expected orders"),
        ("my opponent's F to E", "expected orders"),
    ],
)
def test_other_orders_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(STATE, text)


@pytest.mark.parametrize("level", range(6))
def test_all_legal_orders_are_read(level):
    task = Address.of("matches/province_orders", 1, level).task()
    rules, state = task.rules(), task.state(task.starts[0])
    for each in rules.legal(state):
        assert rules.read(state, rules.name(state, each)) == each


@pytest.mark.parametrize("level", range(6))
def test_starts(level):
    for seed in range(5):
        task = Address.of("matches/province_orders", seed, level).task()
        assert len({start[:2] for start in task.starts}) == len(task.starts)
        for first, second, own, other in task.starts:
            assert first.bit_count() == second.bit_count() == 2
            assert not first & second
            assert not own & other
            assert not (own | other) & ~task.centres
        assert all(sum(row) == 100 and min(row) > 0 for row in task.table)
        assert f"Supply centres: {letters(task.centres)}" in task.description(task.seat)


@pytest.mark.parametrize("seed", range(6))
def test_the_opponent_does_not_know_the_orders_of_the_turn(seed):
    """Whatever the lone player orders in the first turn, the opponent orders the same."""
    task = Address.of("matches/province_orders", seed, 3).task()
    rules, session = task.rules(), task.session()
    moves = [rules.name(session.state, each) for each in rules.legal(session.state)]
    assert len({task.opponent([move] * (1 - task.seat)) for move in moves}) == 1


def test_the_scene_shows_units_and_owners():
    state = State((mask("BC"), mask("F")), (mask("B"), mask("D")), 2)
    scene = RULES.scene(state, 0)
    assert [node.name for node in scene.nodes] == [*"BCDEF"]
    assert [node.note for node in scene.nodes] == ["yours", "", "theirs", "free", ""]
    assert [node.tone for node in scene.nodes] == ["c0", "c0", "paper", "paper", "c1"]
    assert len(scene.edges) == 6


@pytest.mark.parametrize(
    "text", ["- B to C\n- D holds", "1. B to C\n2. D holds", "B to C\nD holds"]
)
def test_lists_of_orders_are_read(text):
    assert province_orders(text) == province_orders("B to C, D holds")


def test_a_unit_does_not_move_to_its_own_province():
    with pytest.raises(InvalidAnswer, match="no neighbour of itself"):
        province_orders("B to C, D to D")


def test_the_last_turn_is_reported_with_its_orders():
    task = Address.of("matches/province_orders", 3, 1).task()
    episode = Episode(task, "bare", task.solve())
    assert "Your orders were: " in episode.score.reason
