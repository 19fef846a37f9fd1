"""Tests of following/instruction_hierarchy: which orders hold, and texts that follow them."""

from itertools import combinations

import pytest

from palaestra.address import Address
from palaestra.envs.following.instruction_hierarchy import InstructionHierarchy
from palaestra.generators.following.instruction_hierarchy import (
    TOPICS,
    Order,
    clash,
    follows,
    in_force,
    written,
)

NAME = "following/instruction_hierarchy"


def by_definition(task):
    """The set of orders that is the set of those that conflict with no higher one in the set.

    Of all subsets exactly one is a fixed point of the rule in the prompt.
    """
    orders = task.orders

    def above(one, other):
        ranking = task.rankings[one.topic]
        higher = ranking.index(one.source) < ranking.index(other.source)
        return one.topic == other.topic and higher and clash(one, other)

    fixed = []
    for size in range(len(orders) + 1):
        for some in combinations(orders, size):
            rule = [o for o in orders if not any(above(other, o) for other in some)]
            if rule == list(some):
                fixed.append(rule)
    (only,) = fixed
    return only


@pytest.mark.parametrize("level", range(4))
def test_orders_in_force_are_those_of_the_rule(level):
    for seed in range(6):
        task = Address.of(NAME, seed, level).task()
        assert task.in_force() == by_definition(task)


@pytest.mark.parametrize("level", range(7))
def test_texts_follow_all_orders_in_force_and_no_other_one(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        text, right = task.answer(), task.in_force()
        assert task.verify(text).correct
        assert task.audit(text)
        assert len(right) < len(task.orders)
        for order in task.orders:
            assert follows(order, text) == order.instruction.kept(text)
            assert order in right or any(clash(order, other) for other in right)


def order(source, rule, topic="length", **values):
    return Order(source, topic, rule, tuple(values.items()))


RANKINGS = dict.fromkeys(TOPICS, (0, 1, 2))
FEW = order(0, "words_at_most", n=5)
MANY = order(1, "words_at_least", n=9)
EXACT = order(2, "words_exactly", n=4)


def test_an_order_that_is_overruled_overrules_no_other_one():
    assert in_force([EXACT, FEW, MANY], RANKINGS) == [EXACT, FEW]
    assert in_force([EXACT, FEW, MANY], RANKINGS, direct=True) == [FEW]
    turned = RANKINGS | {"length": (1, 0, 2)}
    assert in_force([EXACT, FEW, MANY], turned) == [MANY]


def test_scores():
    orders = (EXACT, FEW, MANY, order(2, "first_word", "choice of words", word="lamp"))
    task = InstructionHierarchy(
        sources=("editor", "client", "printer"), exceptions=(("letters", 2),), orders=orders
    )
    assert "highest to the lowest: editor, client, printer. In matters of letters" in task.prompt()
    assert "letters, the printer has the highest rank instead" in task.prompt()
    assert task.verify("Lamp, one two three.").correct
    assert task.verify("Lamp.").reason == "orders in force that are not followed: 1"
    assert task.verify("One two three four five six seven eight nine.").value == 0
    assert task.verify(written(orders) or "nothing").value == 0
    with pytest.raises(ValueError, match="nothing of the text"):
        task.verify("\u200b")


def test_simple_players_follow_overruled_orders():
    for seed in range(6):
        task = Address.of(NAME, seed, 3).task()
        right = task.in_force()
        for chosen in task.simple_choices().values():
            assert not set(chosen) <= set(right)
        assert not task.is_direct()
