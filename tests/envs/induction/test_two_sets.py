"""Tests of induction/two_sets."""

from itertools import combinations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.induction.two_sets import FORMS, TwoSets
from palaestra.generators.induction.two_sets import (
    Atom,
    Search,
    Term,
    as_text,
    atoms,
    is_true_by_pairs,
    masked,
    negated,
    parsed,
    random_rule,
    satisfies,
    size,
)
from palaestra.task import InvalidAnswer

SIZES = (2, 2)
EVERY_ROW = [row for n in (1, 2, 3) for row in product(product(range(2), repeat=2), repeat=n)]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_rules_mean_the_same_in_all_evaluations(number):
    rng = Random(number)
    for _ in range(100):
        rule = random_rule(rng, atoms(SIZES, FORMS[3]), number)
        again = parsed(as_text(rule), SIZES, FORMS[3])
        assert as_text(again) == as_text(rule)
        for row in rng.sample(EVERY_ROW, 6):
            truth = satisfies(rule, row)
            assert truth == is_true_by_pairs(rule, row) == satisfies(again, row)
            assert truth != satisfies(negated(rule), row)


def naive_search(terms, scenes, wanted):
    """The fewest atoms of a rule, from all rules of up to three terms."""
    masks = [each.mask for each in terms]
    everything = (1 << scenes) - 1
    if wanted in masks:
        return 1
    pairs = {a & b for a, b in combinations(masks, 2)} | {a | b for a, b in combinations(masks, 2)}
    if wanted in pairs:
        return 2
    triples = any(wanted in (a & b & everything, a | b) for a in masks for b in pairs)
    return 3 if triples else None


def test_the_search_finds_the_shortest_rule():
    sizes_seen = set()
    for seed in range(50):
        rng = Random(seed)
        rows = rng.sample(EVERY_ROW, 7)
        wanted = rng.randrange(1, 127)
        terms = masked(rows, SIZES, FORMS[1])
        rule = Search(terms, 7, wanted).rule(3)
        number = None if rule is None else size(rule)
        assert number == naive_search(terms, 7, wanted)
        sizes_seen.add(number)
        if rule is not None:
            assert [satisfies(rule, row) for row in rows] == [wanted >> n & 1 for n in range(7)]
    assert {1, 2, 3} <= sizes_seen


@pytest.mark.parametrize("level", range(TwoSets.Knobs.levels()))
def test_no_rule_with_fewer_atoms_separates_the_sets(level):
    for seed in range(3):
        task = Address.of("induction/two_sets", seed, level).task()
        rule = task.read(task.answer())
        assert size(rule) == task.most
        assert all(is_true_by_pairs(rule, row) for row in task.first)
        assert not any(is_true_by_pairs(rule, row) for row in task.second)
        if task.most > 1:
            for atom in atoms(task.sizes, FORMS[task.forms - 1]):
                assert task.violation(Term(atom, True))
                assert task.violation(Term(atom, False))


RED, BLUE = (0, 0), (1, 0)
TASK = TwoSets(
    first=((RED, BLUE), (RED, RED, BLUE), (RED, (1, 1))),
    second=((BLUE, RED), (RED, RED), (BLUE, BLUE)),
    sizes=(2, 2),
    forms=3,
    most=1,
)


def test_scores():
    # The colours of a task with two of them are red and green.
    assert TASK.verify("before(red, green)").value == 1
    assert TASK.verify("NEXT(Red,Green).").value == 1
    assert TASK.verify("not not before(red, green)").value == 1
    assert TASK.verify("count(red) ≥ 1").reason == (
        "the rule is false of 0 in the first set and true of 2 in the other"
    )
    assert TASK.verify("count(red) >= 1 and count(green) >= 1").reason == (
        "the rule has 2 atoms, and at most 1 are allowed"
    )
    assert TASK.audit("before(red, green)")
    assert not TASK.audit("count(red) >= 1")


@pytest.mark.parametrize(
    "text",
    [
        "", "before(red)", "before(red, blue)", "count(red) >= 2 and", "count(red green) >= 1",
        "red", "count() >= 1", "count(red) >= -1", "(" * 90 + "count(red) >= 1" + ")" * 90,
        "count(red) >= 1 or " * 200 + "count(red) >= 1", "__import__('os')",
        # Not among the atoms of the level, or of other properties or numbers than it states.
        "count(red) > count(green)", "before(red circle, green)", "count(red) >= 4",
        "count(red) >= 0",
    ],
)  # fmt: skip
def test_what_is_no_rule(text):
    with pytest.raises(InvalidAnswer):
        TASK.verify(text)


@pytest.mark.parametrize("level", range(TwoSets.Knobs.levels()))
def test_atoms_that_the_level_does_not_list_are_malformed(level):
    task = Address.of("induction/two_sets", 0, level).task()
    red, circle = "red", "circle"
    texts = {
        "before": f"before({red}, {circle})",
        "next": f"next({red}, {circle})",
        "more": f"count({red}) > count({circle})",
    }
    listed = FORMS[task.forms - 1]
    for form, text in texts.items():
        if form in listed:
            assert task.verify(text).value in (0, 1)
            continue
        with pytest.raises(InvalidAnswer) as refusal:
            task.verify(text)
        for other in texts:
            word = "count(A) >" if other == "more" else f"{other}("
            assert (word in str(refusal.value)) == (other in listed)


def any_atom(sizes, forms, objects):
    """All atoms that the prompt allows, by its words."""
    single = [(n, v) for n, size in enumerate(sizes) for v in range(size)]
    every = [(one,) for one in single] + [
        (one, other) for one, other in combinations(single, 2) if one[0] != other[0]
    ]

    def as_property(values):
        return tuple(dict(values).get(n, -1) for n in range(len(sizes)))

    yield from (("count", as_property(p), n) for p in every for n in (1, 2, 3))
    for form in forms:
        if form != "count":
            for one, other in product(single, repeat=2):
                yield (form, as_property((one,)), as_property((other,)))


def test_the_search_knows_each_atom_that_the_prompt_allows():
    for sizes in ((2, 2), (3, 2, 2)):
        language = {(a.form, a.one, a.other or a.number) for a in atoms(sizes, FORMS[3])}
        allowed = {a for a in any_atom(sizes, FORMS[3], 4) if a[0] != "more" or a[1] != a[2]}
        assert allowed == language


@pytest.mark.parametrize(
    "text",
    [
        "Rule: before(red, green)",
        "**Rule:** before(red, green)",
        "The rule is before(red, green).",
        '{"rule": "before(red, green)"}',
        '{"answer": "before(red, green)"}',
        "[before(red, green)]",
        "!!before[red, green]",
    ],
)
def test_other_ways_to_write_a_rule(text):
    assert TASK.verify(text).value == 1


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("count(red circles) \\geq 2", "count(red circle) >= 2"),
        ("!count(red)>=2 && count(circle) \u2265 1", "not count(red) >= 2 and count(circle) >= 1"),
        ("\u00acnext(red, green) || count(red) >= 1", "not next(red, green) or count(red) >= 1"),
    ],
)
def test_signs_of_logic(text, meaning):
    assert as_text(TASK.read(text)) == meaning


@pytest.mark.parametrize("level", range(2, TwoSets.Knobs.levels()))
def test_no_pair_of_allowed_atoms_separates_where_three_are_asked_for(level):
    task = Address.of("induction/two_sets", 1, level).task()
    rows, scenes = task.first + task.second, len(task.first) + len(task.second)
    everything, wanted = (1 << scenes) - 1, (1 << len(task.first)) - 1
    masks = set()
    for form, one, other in any_atom(task.sizes, FORMS[task.forms - 1], 9):
        atom = Atom(form, one, (), other) if form == "count" else Atom(form, one, other)
        mask = sum(is_true_by_pairs(Term(atom, True), row) << n for n, row in enumerate(rows))
        masks |= {mask, everything & ~mask}
    if task.most == 3:
        above = [m for m in masks if m & wanted == wanted]
        below = [m for m in masks if not m & ~wanted]
        assert not any(a & b == wanted for a in above for b in above)
        assert not any(a | b == wanted for a in below for b in below)
    assert wanted not in masks
