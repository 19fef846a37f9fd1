"""Questions about features, against a solution of its own on the text of the table."""

from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.deduction.feature_questions import FeatureQuestions, State, cost_of
from palaestra.task import InvalidAnswer

RULES = FeatureQuestions(
    ("abu", "ero", "ilk", "osa"), ("red", "round", "old"), (0b0011, 0b0101, 0b1000), (2, 3, 1)
)


def cheapest(text, prices):
    """The coins that settle the object of a table in the worst case."""
    objects = {}
    for line in text.splitlines():
        name, _, features = line.partition(": ")
        objects[name] = {*features.split(", ")}

    @cache
    def need(left):
        if len(left) == 1:
            return 0
        options = [10**6]
        for feature, price in prices.items():
            yes = frozenset(name for name in left if feature in objects[name])
            if yes and yes != left:
                options.append(price + max(need(yes), need(left - yes)))
        return min(options)

    return need(frozenset(objects))


@pytest.mark.parametrize("seed", range(10))
def test_the_coins_are_what_the_best_strategy_needs(seed):
    task = Address.of("games/feature_questions", seed, seed % 4).task()
    prices = dict(zip(task.features, task.costs))
    assert cheapest(task.rules().table(), prices) == task.start().coins


def test_answers_rule_objects_out():
    after = RULES.answers(State(0b1111, 9), 0)
    assert after == {"yes": State(0b0011, 7), "no": State(0b1100, 7)}
    assert [*RULES.answers(State(0b0011, 9), 0)] == ["yes"]
    assert RULES.is_won(State(0b0100, 0))
    assert RULES.legal(State(0b0110, 1)) == [2]
    assert cost_of(RULES, 0b1111) == 5


def test_the_table_lists_features():
    assert RULES.table() == "abu: red, round\nero: red\nilk: round\nosa: old"
    assert FeatureQuestions(("abu",), ("red",), (0,), (1,)).table() == "abu: no feature"


@pytest.mark.parametrize(
    "text",
    [
        "red",
        "Is it red?",
        "Ask red",
        "**Red**",
        "I ask red.",
        "My question: red",
        "I ask whether it is red.",
        "Does the object have the feature red?",
        "I pick red",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.read(State(0b1111, 9), text) == 0


@pytest.mark.parametrize("text", ["", "blue", "red or old", "is it", "abu", "not red"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0b1111, 9), text)


def test_a_question_that_cannot_be_paid_is_refused():
    with pytest.raises(InvalidAnswer, match="coins"):
        RULES.read(State(0b1111, 2), "round")


def test_the_scene_shows_the_table():
    scene = RULES.scene(State(0b0011, 9))
    assert scene.top == ("red (2)", "round (3)", "old (1)")
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["x", "x", ""], ["x", "", ""], ["", "x", ""], ["", "", "x"],
    ]  # fmt: skip
    assert [row[0].fill for row in scene.rows] == ["paper", "paper", "muted", "muted"]
