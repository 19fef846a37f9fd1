"""Constraints on texts: examples worked by hand, and two implementations compared."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.language.constrained_text import ConstrainedText
from palaestra.generators.language.constrained_text import COMMON
from palaestra.task import InvalidAnswer
from palaestra.verifiers.language.constrained_text.constraints import (
    CHAINED,
    CONDITIONS,
    KINDS,
    Branch,
    Rule,
    Text,
    as_text,
    kept,
    violation,
)
from palaestra.verifiers.language.constrained_text.second_count import RECOUNTS, recount

BY_HAND = [
    ("words", (3,), "Go on, 12 now.", "Go on."),
    ("words between", (2, 3), "Go on.", "Go."),
    ("sentences", (2,), "Go... Stop!", "Go, stop."),
    ("sentences as letters", ("ox",), "Go. Stop?", "Go."),
    ("acrostic", ("ox",), "Old. Xylophone.", "Xylophone. Old."),
    ("backward acrostic", ("ox",), "Xylophone. Old.", "Old. Xylophone."),
    ("sentence words", (2,), "Go on. Stop now.", "Go on. Stop."),
    ("sentence range", (1, 2), "Go on. Stop.", "Go on. Stop right now."),
    ("growing", (1,), "Go. Go on. Go on now.", "Go. Go on. Go."),
    ("lengths", (2, 4, 3), "Go. Stop now.", "Go. Now stop."),
    ("lines", (2,), "Go.\n\nStop.", "Go. Stop."),
    ("paragraphs", (2,), "Go.\nOn.\n \nStop.", "Go.\nStop."),
    ("contains", ("go", 2), "Go, go gone.", "Go gone."),
    ("order", ("go", "stop"), "Go, stop, go.", "Stop, go."),
    ("starts", ("go",), "12 Go on.", "Gone."),
    ("ends", ("on",), "Go ON 5.", "Go on now."),
    ("round", (), "No means no.", "No."),
    ("counted", (), "Go on. Go up.", "Go on. Go now."),
    ("echo", (), "Go on. Up.", "Now go. Up."),
    ("position", (2, "on"), "Go on.", "On."),
    ("avoids", ("e",), "Go on.", "GO THERE."),
    ("letter count", ("o", 2), "Go On.", "Go."),
    ("initial count", ("o", 1), "Go on.", "Oh, go on."),
    ("final letter", ("n",), "Go on. I can.", "Go on. I go."),
    ("linked", (), "Go on. On we go.", "Go on. We go on."),
    ("alphabetical", (), "A bee can. A dog.", "A can bee."),
    ("rising", (), "I go now. We run.", "Now go."),
    ("distinct", (), "Go on.", "Go, GO."),
    ("longest", (3,), "Go now.", "Stop."),
    ("shortest", (3,), "Stop now.", "Go."),
    ("lowercase", (), "go on.", "Go on."),
    ("capitals", (), "Go on. Stop.", "Go On."),
    ("commas", (1,), "Go, on.", "Go."),
    ("questions", (1,), "Go?", "Go."),
    ("digits", (3,), "Go 12 of 5.", "Go 12."),
    ("stated", (), "I have 3 cows.", "I have 3 cows 3."),
]


@pytest.mark.parametrize(("name", "values", "good", "bad"), BY_HAND)
def test_constraints_by_hand(name, values, good, bad):
    rule = Rule(name, values)
    assert kept(rule, Text.of(good))
    assert recount(name, values, good)
    assert not kept(rule, Text.of(bad))
    assert not recount(name, values, bad)
    assert as_text(rule)[0].islower()
    assert not as_text(rule).endswith(".")


def test_every_constraint_has_an_example():
    assert KINDS.keys() == RECOUNTS.keys() == {name for name, *_ in BY_HAND}
    assert set(CHAINED) <= KINDS.keys()
    assert len(KINDS) >= 20


PIECES = st.sampled_from(
    [
        "a",
        "go",
        "Go",
        "on",
        "now",
        "stop",
        "Stop",
        "ox",
        "E",
        "12",
        "3",
        ",",
        ".",
        "?",
        "\n",
        "\n\n",
        " ",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25), st.sampled_from([" ", ""]))
def test_both_counts_agree(pieces, between):
    raw = between.join(pieces) + "."
    text = Text.of(raw)
    for name, values, *_ in BY_HAND:
        assert kept(Rule(name, values), text) == recount(name, values, raw), (name, raw)


@pytest.mark.parametrize("level", range(7))
def test_examples_satisfy_every_rule_by_both_implementations(level):
    for seed in range(15):
        task = Address.of("language/constrained_text", seed, level).task()
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        knobs = ConstrainedText.Knobs.at(level)
        chained = [d for d in task.demands if isinstance(d, Rule) and d.constraint in CHAINED]
        assert len(chained) >= knobs.chained
        branches = [d for d in task.demands if isinstance(d, Branch)]
        assert len(branches) == knobs.branches
        for each in branches:
            (other,) = {each.then, each.otherwise} - {each.active()}
            assert not kept(other, Text.of(task.answer())), "the text satisfies the wrong branch"


def test_every_constraint_and_condition_occurs():
    tasks = [
        Address.of("language/constrained_text", s, level).task()
        for s in range(60)
        for level in (2, 6)
    ]
    assert {rule.constraint for task in tasks for rule in task.active()} == KINDS.keys()
    conditions = {
        d.condition.constraint for task in tasks for d in task.demands if isinstance(d, Branch)
    }
    assert conditions == CONDITIONS.keys()


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        (Rule("divisible", (4712, 4)), True),
        (Rule("digit sum", (3008, 11)), False),
        (Rule("before", ("along", "four")), True),
        (Rule("longer", ("four", "along")), False),
        (Rule("vowels", ("queen", 3)), True),
        (Rule("holds", ("queen", "a")), False),
    ],
)
def test_conditions_by_hand(condition, true):
    branch = Branch(condition, Rule("words", (1,)), Rule("words", (2,)))
    assert branch.active().values == (1 if true else 2,)


def test_ground_rules():
    task = ConstrainedText(demands=(Rule("words between", (1, 6)),), example="Go.")
    assert task.verify("Go on").reason == "the text does not end with '.', '!' or '?'"
    assert "three times" in task.verify("go go Go go.").reason
    assert task.verify("go go go.").value == 1
    assert violation(Text.of("...")) == "", (
        "a text without words breaks the task's rules, not these"
    )
    assert task.verify("...").value == 0
    for text in ("Gö.", "Go\u200b.", "<answer>Go.</answer>", "Go\t.", "\u0405o."):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
    assert task.verify("Go.\r\nOn.").value == 1
    assert task.verify("Go go go go").parts == {"rule 1": 1.0, "progress": 0.5}


def test_no_line_of_the_prompt_is_an_answer():
    kite = Rule("contains", ("kite", 1))
    copied = ConstrainedText(demands=(Rule("words", (6,)), kite), example="A kite is in the air.")
    assert copied.verify("2. The word 'kite' occurs exactly 1 time.").value == 1
    assert not copied.is_valid()
    assert ConstrainedText(
        demands=(Rule("words", (5,)), kite), example="A kite is up there."
    ).is_valid()


def test_texts_consist_of_plain_words():
    assert len(set(COMMON)) == len(COMMON) > 400
    assert all(word.isascii() and word.islower() and word.isalpha() for word in COMMON)
