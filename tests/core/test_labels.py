"""What the label of a row names: a task by its address, or a plain gold answer."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.applicability import applicable
from palaestra.labels import (
    COLUMNS,
    BadLabel,
    GoldAnswer,
    address_of,
    gold_of,
    is_address,
    item_of,
    label_of,
    labels_of,
    task_of,
)
from palaestra.registry import names
from palaestra.scoring import score_many
from palaestra.task import JudgeError
from palaestra.verifiers.answers import judge

GOLDS = [
    *("42", "-3", "0.5", "1/2", "x/y", "km/h", "m/s", "and/or", "n/a", "a/b/c", "TRUE", "A", "(B)"),
    *(r"\frac{1}{2}", "3:4", "50%", "x^2 + 1", "f(x)=2x", "x=3", "[1, 2]", "(1, 2)", r"\{1, 2\}"),
    *("5 cm", "$1,000", "12:30", "no solution", "What?", "me@2", "Paris", "2024-01-31", "O_2"),
]


@pytest.mark.parametrize("name", ["arithmetic/word_problem", "grids/sudoku", "tools/trip_planner"])
def test_addresses_of_combinations_are_labels(name):
    combined = [f"{name}+{each}" for each in applicable(name)]
    assert combined
    for env in (*combined, f"{combined[0]}+language(zh)"):
        text = f"{env}@1?level=0&seed=3"
        assert is_address(text), env
        assert is_address(f" palaestra/{text}"), env
        assert is_address(f"{env.partition('/')[2]}?seed=3"), env
    address = str(Address.of("grids/sudoku+batch(2)+confidence", 3))
    assert str(task_of(address)) == address
    with pytest.raises(BadLabel, match="has no seed"):
        task_of("grids/sudoku+retry(3)")
    with pytest.raises(LookupError, match="retri"):
        task_of("grids/sudoku+retri(3)?seed=3")


@pytest.mark.parametrize("gold", [*GOLDS, "x/y+z", "a/b+c(3)", "km/h+s(2)", "f(x)+g(y)", "a+b(c)?"])
def test_answers_are_not_taken_for_addresses(gold):
    assert not is_address(gold)
    assert task_of(f" {gold} ") == GoldAnswer(gold=(gold,))


@given(st.sampled_from(names()), st.integers(0, 2**32 - 1))
def test_every_address_is_one(name, seed):
    address = Address.of(name, seed)
    assert is_address(str(address))
    assert task_of(str(address)) == task_of(address) == address


@given(st.text(max_size=60))
def test_any_text_is_one_or_the_other_or_refused(text):
    try:
        named = task_of(text)
    except (ValueError, LookupError):
        return
    assert isinstance(named, Address) == is_address(text)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("games/mastermid?seed=3", "did you mean games/mastermind"),
        ("mastermind?seed=3", "did you mean games/mastermind"),
        ("Games/Mastermind?seed=3", "did you mean games/mastermind"),
        ("palaestra/games/mastermind", "did you mean games/mastermind"),
        ("elsewhere/thing?seed=3", "no environment is called 'elsewhere/thing'"),
        ("elsewhere/thing@1", "no environment is called 'elsewhere/thing'"),
        ("logic/no_such_thing", "no environment is called 'logic/no_such_thing'"),
        ("games/mastermind", "has no seed"),
        ("games/mastermind?level=1", "has no seed"),
        ("games/mastermind?seed=x", "whole number"),
        *((nothing, "empty") for nothing in ("", " \n", None)),
        ([], "empty"),
        (["42", ""], "empty"),
        ({"a": 1, "b": 2}, "dict with the keys a, b"),
        (float("nan"), "not nan"),
        (float("inf"), "not inf"),
        (b"42", "not b'42'"),
        (r"It is \boxed{}.", "no final answer"),
    ],
)
def test_what_is_neither_is_an_error_that_says_what_would_be_right(label, message):
    with pytest.raises((ValueError, LookupError), match=message):
        task_of(label)


@pytest.mark.parametrize(
    ("value", "golds"),
    [
        (42, ("42",)),
        (0.1, ("0.1",)),
        (True, ("True",)),
        (10**400, (str(10**400),)),
        (Fraction(1, 3), ("1/3",)),
        (Decimal("1.50"), ("1.50",)),
        (np.int64(7), ("7",)),
        (np.float32(0.1), ("0.1",)),
        (np.array(7), ("7",)),
        (np.array(["7", "seven"], dtype=object), ("7", "seven")),
        (["7", 7], ("7", "7")),
        ("Half of 84.\n#### 42", ("42",)),
        (r"First \boxed{1}, no: $\boxed{42}$", ("42",)),
    ],
)
def test_golds_are_texts_numbers_and_lists_of_which_any_will_do(value, golds):
    assert gold_of(value).gold == golds


def value_of(label, reply, answer_format=None):
    (score,) = score_many([item_of(label, reply, answer_format)])
    return score.value


@pytest.mark.parametrize("gold", [*GOLDS, "1e-7", 0.25, 17])
def test_an_answer_is_judged_as_the_answer_reader_does_however_it_is_marked(gold):
    for reply in (
        rf"So \boxed{{{gold}}}.",
        f"<answer>{gold}</answer>",
        f"Answer: {gold}",
        r"\boxed{18}",
        f"It is {gold}",
    ):
        assert value_of(gold, reply) == judge(str(gold), reply).correct, reply
    assert value_of(gold, rf"\boxed{{{gold}}}", "boxed") == 1.0
    assert value_of(gold, f"<answer>{gold}</answer>", "boxed") == 0.0
    assert value_of(gold, f"<answer>{gold}</answer>", "tags") == 1.0
    assert value_of(gold, f"{gold}", "bare") == 1.0
    with pytest.raises(ValueError, match="an answer format is one of"):
        item_of(gold, "x", "spoken")


def test_hedges_conflicts_and_thoughts_are_read_by_the_contract():
    assert value_of("42", r"\boxed{41} \boxed{42}") == 0.0
    assert value_of("42", "<answer>42</answer><answer>41</answer>") == 0.0
    assert value_of("42", r"<think>\boxed{42}") == 0.0
    assert value_of("42", "x" * 1_000_000) == 0.0
    assert value_of("42", r"\boxed{" + "(" * 5_000) == 0.0


def test_a_gold_that_cannot_be_read_is_unscored_and_no_reward():
    (score,) = score_many([item_of(r"\frac{1}{0}", r"\boxed{1}")])
    assert isinstance(score, JudgeError)
    assert score.status == "gold_error"


def test_a_gold_answer_is_a_task_that_can_be_sent_away():
    task = gold_of(["42", "forty-two"], "6 * 7?")
    assert pickle.loads(pickle.dumps(task)) == task
    assert GoldAnswer.model_validate_json(task.model_dump_json()) == task
    assert task.prompt() == "6 * 7?"
    assert all(task.verify(move).correct for move in task.solve())


def test_columns_are_looked_at_in_their_order():
    assert label_of(dict.fromkeys(COLUMNS, "x") | {"address": "games/mastermind?seed=3"}) == (
        Address.parse("games/mastermind?seed=3")
    )
    for n, column in enumerate(COLUMNS):
        blank = dict.fromkeys(COLUMNS[:n], None)
        assert label_of({**blank, **dict.fromkeys(COLUMNS[n:], "x"), column: "y"}) == "y"
    assert labels_of({"answer": [0, 0.0], "prompts": ["a", "b"], "state": None}, 2) == [0, 0.0]


def test_the_column_of_addresses_holds_nothing_else():
    with pytest.raises(BadLabel, match="separate column"):
        label_of({"address": "42", "answer": "42"})
    with pytest.raises(BadLabel, match="separate column"):
        address_of(42)
