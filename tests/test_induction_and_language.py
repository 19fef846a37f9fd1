"""Environments of induction and language, and binary_alternation, held against other ways."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.induction import (
    grid_transformation,
    list_programs,
    modulo_grid,
    number_sequence,
    row_rule,
    strip_transformation,
)
from palaestra.generators.language import corrupted_table
from palaestra.registry import load
from palaestra.task import Puzzle, Unreadable

SEEDS = st.integers(0, 10**6)


def drawn(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    kind = load(name)
    task = kind.draw(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task


# --------------------------------------------------------------------------------------- induction


@settings(max_examples=20)
@given(SEEDS)
def test_blickets_by_all_sets(seed: int) -> None:
    task = drawn("induction/causal_blickets", seed, seed % 4)
    names, trials, rule = task.names, task.trials, task.rule  # type: ignore[attr-defined]
    least = {"one": 1, "two": 2}[rule]
    fits = [
        blickets
        for size in range(len(names) + 1)
        for blickets in map(set, combinations(range(len(names)), size))
        if all((len(blickets & set(t.objects)) >= least) == t.lit for t in trials)
    ]
    for n, line in enumerate(task.answer().splitlines()):
        seen = {n in blickets for blickets in fits}
        status = "undetermined" if len(seen) == 2 else "blicket" if True in seen else "not"
        assert line == f"{names[n]}: {status}"


@pytest.mark.parametrize("rule", ["one", "two", "odd"])
def test_blickets_at_the_ends_of_all_knobs(rule: str) -> None:
    kind = load("induction/causal_blickets")
    for objects, trials, blickets in product((5, 14), (3, 20), (1, 7)):
        knobs = kind.Knobs(objects=objects, trials=trials, blickets=blickets, rule=rule)
        for reserved in (False, True):
            assert kind.draw(Random(1), knobs, reserved, tries=3000).fair()


@settings(max_examples=10)
@given(SEEDS)
def test_sequences_by_all_rules(seed: int) -> None:
    terms = number_sequence.drawn(Random(seed), "second", 8)
    found = {
        number_sequence.extended("second", [(p, q, 0, s)], terms, 2)[-2:]
        for p, q in product(range(-3, 4), repeat=2)
        for s in range(-30, 31)
        if number_sequence.extended("second", [(p, q, 0, s)], terms[:2], 6) == terms
    }
    assert number_sequence.continuations("second", terms, 2) == found
    assert found


def test_fibonacci_and_two_woven_sequences() -> None:
    assert number_sequence.continuations("second", (1, 1, 2, 3, 5, 8, 13, 21), 2) == {(34, 55)}
    assert number_sequence.continuations("woven", (1, 9, 2, 7, 4, 5, 8, 3, 16, 1), 2) == {(32, -1)}


def test_marks_by_remainders() -> None:
    masks = modulo_grid.masks("lines", 3, 2, 2)
    diagonal = 0b1001  # (r + c) mod 2 = 0
    assert diagonal in masks
    assert modulo_grid.drawn(diagonal, [], 2, 2) == ["xo", "ox"]


def test_a_rule_of_zeros_marks_all_cells() -> None:
    """Where only marks are shown, all cells may be marked: n = 0*r + 0*c leaves 0."""
    shown_all, board = (1 << 25) - 1, sum(1 << n for n in range(0, 25, 2))
    assert shown_all in modulo_grid.masks("lines", 3, 5, 5)
    task = load("induction/modulo_grid")(
        rows=5,
        columns=5,
        marked=board,
        hidden_cells=tuple(range(1, 25, 2)),
        modulus=3,
        rules="lines",
    )
    assert sorted(task.solutions()) == [board, shown_all]  # type: ignore[attr-defined]


@settings(max_examples=25)
@given(SEEDS)
def test_squares_turn_as_squares_do(seed: int) -> None:
    given_ = grid_transformation.square(Random(seed), 5, 4)
    step = {name: grid_transformation.GridStep(name, 12) for name in grid_transformation.TOLD}
    run = list_programs.run
    assert run([step["turn right"]] * 4, given_) == given_
    assert run([step["turn right"], step["turn left"]], given_) == given_
    assert run([step["transpose"], step["mirror"]], given_) == step["turn right"].applied(given_)
    assert run([step["mirror"], step["flip"]], given_) == step["half turn"].applied(given_)
    assert sorted(step["fall"].applied(given_)) == sorted(given_)
    for name, each in step.items():
        assert len(each.applied(given_)) == 25, name


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("fill", "2002033", "2222033"),
        ("hollow", "2220330", "2020330"),
        ("grow", "0120300", "0122330"),
        ("grow left", "0010023", "0110223"),
        ("shrink", "2220330", "0220030"),
        ("single", "1022030", "0022000"),
        ("longest", "1102203", "1102200"),
        ("starts", "2220330", "2000300"),
        ("pack", "0102030", "1230000"),
        ("fold", "1234567", "1234321"),
    ],
)
def test_strips_step_by_step(name: str, before: str, after: str) -> None:
    made = strip_transformation.StripStep(name, 10).applied(tuple(map(int, before)))
    assert "".join(map(str, made)) == after


def test_strips_are_fair_as_the_whole_search_finds_them() -> None:
    kind = load("induction/strip_transformation")
    rng = Random(5)
    for _ in range(60):
        task = kind.generate(rng, kind.Knobs.at(4))
        found = task.search()  # type: ignore[attr-defined]
        settled = len(found.outcomes) == 1 and found.shortest == 3
        strips = (*task.inputs, *task.new)  # type: ignore[attr-defined]
        outputs = [list_programs.run(task.program, xs) for xs in strips]  # type: ignore[attr-defined]
        assert not (settled and task.doubtful(outputs))  # type: ignore[attr-defined]
        assert settled or not task.fair()


def test_row_rules_by_hand() -> None:
    thirds, every = row_rule.thirds, row_rule.RULES
    assert thirds(((1, 2, 3), (3, 1, 2), (2, 3, 0)), every) == {1}
    assert thirds(((1, 2, 3), (3, 1, 2), (1, 2, 0)), every) == set()
    assert thirds(((3, 5, 7), (0, 2, 4), (5, 7, 0)), every) == {9}
    assert thirds(((2, 2, 4), (1, 3, 4), (2, 5, 0)), ["sum", "same"]) == {7}


FITS: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "same": lambda row: len(set(row)) == 1,
    "sum": lambda row: row[2] == row[0] + row[1],
    "difference": lambda row: row[2] + row[1] == row[0],
    "larger": lambda row: row[2] == max(row[0], row[1]),
    "smaller": lambda row: row[2] == min(row[0], row[1]),
    "apart": lambda row: row[2] in {row[0] - row[1], row[1] - row[0]} and row[2] >= 0,
    "remainder": lambda row: f"{row[0] * row[1]}"[-1] == f"{row[2]}",
}


@settings(max_examples=20)
@given(SEEDS)
def test_row_rules_by_trying_all_last_numbers(seed: int) -> None:
    rng = Random(seed)
    rule = rng.choice(list(row_rule.RULES))
    first, second, third = row_rule.drawn(rng, rule)

    def fits(rule: str, rows: list[tuple[int, ...]]) -> bool:
        if rule == "three":
            one = len({frozenset(row) for row in rows}) == 1 and len(set(rows[0])) == 3
            return one and len(set(rows)) == 3
        if rule == "step":
            steps = {b - a for row in rows for a, b in pairwise(row)}
            return len(steps) == 1 and steps != {0}
        return all(map(FITS[rule], rows))

    for name in row_rule.RULES:
        found = {n for n in range(10) if fits(name, [first, second, (*third[:2], n)])}
        assert row_rule.thirds((first, second, third), [name]) == found
    assert third[2] in row_rule.thirds((first, second, third), [rule])


# -------------------------------------------------------------------------- languages and strings


@settings(max_examples=15)
@given(SEEDS)
def test_every_damage_is_undone_by_one_of_its_kind(seed: int) -> None:
    rng = Random(seed)
    table = tuple(tuple(rng.randint(1, 50) for _ in range(4)) for _ in range(3))
    for damage in corrupted_table.TOLD:
        shown = corrupted_table.damaged(rng, table, damage)
        assert table in corrupted_table.variants(shown, damage)


TOLD = (
    r"The (?P<what>.+) of the \w+ (?P<name>\w+) is (?P<value>\d+)",
    r"It is (?P<value>\d+) that is given as the (?P<what>.+) of the \w+ (?P<name>\w+)",
    r"As for the \w+ (?P<name>\w+), its (?P<what>.+) is (?P<value>\d+)",
    r"At the \w+ (?P<name>\w+), (?P<value>\d+) is the (?P<what>.+)",
    r"Correction: the (?P<what>.+) of the \w+ (?P<name>\w+) is not what .* but (?P<value>\d+)",
    r"This must be put right: the \w+ (?P<name>\w+) has (?P<value>\d+) as its (?P<what>.+), not.*",
    r"The (?P<what>twin) of the \w+ (?P<name>\w+) is the \w+ (?P<value>\w+)",
    r"For its (?P<what>twin), the \w+ (?P<name>\w+) has the \w+ (?P<value>\w+)",
)


@settings(max_examples=10)
@given(SEEDS, st.integers(0, 6))
def test_facts_are_found_by_reading_the_prompt(seed: int, level: int) -> None:
    """Reads the text alone, sentence by sentence, as a player does."""
    task = drawn("language/fact_retrieval", seed, level)
    text, questions = task.prompt().split("\n\n")[:2]
    known = {}
    for sentence in text.removesuffix(".").split(". "):
        (said,) = filter(None, (re.fullmatch(told, sentence) for told in TOLD))
        known[said["what"], said["name"]] = said["value"]
    found = []
    for line in questions.splitlines()[1:]:
        what, *twins = line.split(". the ")[1].split(" of the ")
        name = twins.pop().split()[1]
        for _ in twins:
            name = known["twin", name]
        found.append(known[what, name])
    assert task.verify("\n".join(f"{n}: {value}" for n, value in enumerate(found, 1))).correct


def test_long_texts_are_not_too_long() -> None:
    lengths = [len(drawn("language/fact_retrieval", seed, 6).prompt()) for seed in range(30)]
    assert min(lengths) > 18_000
    assert max(lengths) <= 20_000


@settings(max_examples=20)
@given(SEEDS)
def test_fewest_swaps_by_search(seed: int) -> None:
    for swaps in ("any", "neighbours"):
        task = drawn("strings/binary_alternation", seed, 0, size=8, swaps=swaps)
        row, goals, steps = task.row, set(task.targets()), 0  # type: ignore[attr-defined]
        seen = reached = {row}
        while not reached & goals:
            pairs = [(a, b) for a, b in combinations(range(8), 2) if swaps == "any" or b == a + 1]
            reached = {
                r[:a] + r[b] + r[a + 1 : b] + r[a] + r[b + 1 :] for r in reached for a, b in pairs
            } - seen
            seen = seen | reached
            steps += 1
        assert len(task.answer().split(",")) == steps


def test_swaps_that_are_not_the_fewest_earn_nothing() -> None:
    task = drawn("strings/binary_alternation", 3, 1)
    assert task.verify(task.answer()).correct
    assert task.verify(task.answer().replace("-", " - ")).correct
    assert task.verify(task.answer().replace("-", " \u2013").replace(", ", "\n")).correct
    assert task.verify(task.answer() + ", 1-2, 1-2").value == 0
    for wrong in ("0-1", "1-1", "1-999", "1", "1-2-3", "1-", "1 2", "-"):
        with pytest.raises(Unreadable):
            task.verify(wrong)


@settings(max_examples=15)
@given(SEEDS)
def test_the_words_of_a_phrase_stand_together(seed: int) -> None:
    task = drawn("language/sentence_reordering", seed, 4)
    words = [w for w in task.answer().split() if w[-1] in "aoeiu"]
    ends = [word[-1] for word in words]
    assert sum(a != b for a, b in pairwise(ends)) == len(set(ends)) - 1
    assert not task.verify(" ".join(reversed(task.answer().split()))).correct
    with pytest.raises(Unreadable):
        task.verify(task.answer() + " extra")


def test_as_many_twists_as_the_knob_says() -> None:
    for twists in range(6):
        for seed in range(20):
            task = drawn("language/sentence_reordering", seed, 3, twists=twists)
            rules = [line for line in task.prompt().splitlines() if line[:1].isdigit()]
            assert len(rules) == 4 + twists


def test_shuffled_words_are_not_yet_in_order() -> None:
    tasks = [drawn("language/sentence_reordering", seed, 0) for seed in range(150)]
    assert not any(task.verify(reply).correct for task in tasks for reply in task.lazy())


def rows_of(prompt: str) -> Iterator[tuple[str, list[str]]]:
    """Each class of words, and its stems."""
    for line in prompt.partition("without endings:\n")[2].partition("\n\n")[0].splitlines():
        name, _, stems = line.partition("s: ")
        yield name, [stem.removesuffix("-") for stem in stems.split(", ")]


@settings(max_examples=40)
@given(SEEDS, st.integers(0, 6))
def test_sentences_by_the_rules_as_they_are_told(seed: int, level: int) -> None:
    task = drawn("language/sentence_reordering", seed, level)
    prompt = task.prompt()
    words = prompt.split("\n\n")[4].split()
    kinds = {stem: name for name, stems in rows_of(prompt) for stem in stems}
    role = dict(re.findall(r"-(\w) in the (\w+)", prompt))
    first, last, verb = [], [], re.findall(r"verb '(\w+)'", prompt)
    at = 0
    for line in re.findall(r"^\d\. (.*)$", prompt, re.MULTILINE):
        named = re.findall(r"If the word '(\w+)'", line)
        if "phrases come in this order" in line:
            order = line.rstrip(".").split(": ")[1].split(", ")
        elif "In a phrase" in line:
            classes = line.rstrip(".").split(": ")[1].split(", ")
            made = {
                name: sorted(
                    (w for w in words if w[:-1] in kinds and role[w[-1]] == name),
                    key=lambda w: classes.index(kinds[w[:-1]]),
                )
                for name in order
            }
        elif "after phrase number" in line:
            at = int(line.split("number ")[1][0])
        elif line.startswith("A phrase of"):
            made = {k: v[::-1] if len(v) >= int(line.split()[3]) else v for k, v in made.items()}
        elif line.startswith("If the object"):
            if len(made["object"]) < len(made["subject"]):
                one, other = order.index("object"), order.index("subject")
                order[one], order[other] = order[other], order[one]
        elif named and named[0] in words:
            if "first" in line:
                first, order = named, order[::-1]
            elif "last" in line:
                last, at = named, 0
            else:
                verb += named
    rows = [made[name] for name in order]
    rows.insert(at, verb)
    told = [*first, *(word for row in rows for word in row), *last]
    assert task.verify(" ".join(told)).correct
