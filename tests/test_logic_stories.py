"""Stories and logic held against other ways to the same answers, and hand-made examples."""

import re
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators import circuits, quantities
from palaestra.generators.arithmetic import number_format
from palaestra.generators.logic import (
    common_time_slot,
    family_relationships,
    object_counting,
    self_reference,
    shuffled_objects,
    sibling_counts,
)
from palaestra.generators.logic.first_order_entailment import clauses
from palaestra.registry import load
from palaestra.task import Puzzle, Unreadable
from palaestra.verifiers.reading import named_values

SEEDS = st.integers(0, 10**6)


def drawn(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    kind = load(name)
    task = kind.draw(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task


# ------------------------------------------------------------------------------------- arithmetic


def roman_value(text: str) -> int:
    sizes = [dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))[sign] for sign in text]
    return sum(-a if a < b else a for a, b in zip(sizes, [*sizes[1:], 0]))


@given(st.integers(1, 3999))
def test_roman_numerals_add_up(number: int) -> None:
    assert roman_value(number_format.roman(number)) == number


def value_of_words(text: str) -> int:
    total = part = 0
    for word in text.replace("-", " ").split():
        if word in number_format.UNITS:
            part += number_format.UNITS.index(word)
        elif word in number_format.TENS:
            part += 10 * number_format.TENS.index(word)
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + 1000 * part, 0
    return total + part


@given(st.integers(0, 999_999))
def test_words_of_numbers_are_read_back(number: int) -> None:
    assert value_of_words(number_format.in_words(number)) == number


def test_a_story_worked_by_hand() -> None:
    story = [
        quantities.Quantity("given", (), (12,)),
        quantities.Quantity("share", (0,), (3, 4)),
        quantities.Quantity("packs", (1,), (2, 5)),
        quantities.Quantity("average", (2, 1), ()),
    ]
    assert quantities.values(story) == [12, 9, 23, 16]


@settings(max_examples=20)
@given(SEEDS)
def test_bits_are_counted_as_arithmetic_counts_them(seed: int) -> None:
    task = drawn("arithmetic/bit_counting", seed, 6)
    number = task.number  # type: ignore[attr-defined]
    places = [n for n in range(number.bit_length()) if number >> n & 1]
    found = dict(zip(task.asked, map(int, task.answer().split(","))))  # type: ignore[attr-defined]
    assert found["sum"] == sum(places)
    expected = {
        "ones": len(places),
        "changes": ((number ^ number >> 1) & ~(1 << number.bit_length() - 1)).bit_count(),
        "pairs": (number & number >> 1).bit_count(),
        "third": places[2],
    }
    assert all(found[ask] == value for ask, value in expected.items() if ask in found)


def test_an_operation_worked_by_hand() -> None:
    from palaestra.envs.arithmetic.custom_operation import Operation

    made = Operation((3, -1, 0, 2), "a > b", (0, 1, 1, 0), 7)
    assert made.applied(5, 1) == (15 - 1 + 2) % 7
    assert made.applied(2, 6) == (6 + 12) % 7


# ------------------------------------------------------------------------------------------- logic


@settings(max_examples=15)
@given(SEEDS)
def test_what_is_told_of_a_family_is_the_family(seed: int) -> None:
    rng = Random(seed)
    family = family_relationships.drawn(rng, rng.randint(6, 24), 3)
    said = family_relationships.statements(rng, family, 0.6)
    assert family_relationships.deduced(rng.sample(said, len(said)), len(family)) == family


def test_a_family_by_hand() -> None:
    # 0 and 1 have 2 and 3; 2 and 4 have 5; 3 and 6 have 7.
    pairs = [(1, -1, -1, 1), (0, -1, -1, 0), (1, 0, 1, 4), (0, 0, 1, 6), (0, -1, -1, 2)]
    pairs += [(1, 2, 4, -1), (1, -1, -1, 3), (0, 6, 3, -1)]
    kin = family_relationships.Kin(
        [family_relationships.Person(bool(w), *rest) for w, *rest in pairs]
    )
    assert kin.of(5) == {
        2: "mother", 4: "father", 0: "grandmother", 1: "grandfather", 3: "uncle", 7: "cousin",
    }  # fmt: skip
    assert kin.of(4)[0] == "mother-in-law"
    assert kin.of(4)[3] == "brother-in-law"
    assert kin.of(3)[5] == "niece"
    assert 6 not in kin.of(5)


@settings(max_examples=20)
@given(SEEDS)
def test_clauses_against_truth_tables(seed: int) -> None:
    rng = Random(seed)
    rows = [
        tuple(rng.choice((1, -1)) * n for n in rng.sample(range(1, 7), rng.randint(1, 3)))
        for _ in range(rng.randint(1, 14))
    ]
    worlds = [
        {n if on else -n for n, on in enumerate(world, 1)}
        for world in product((False, True), repeat=6)
    ]
    models = [world for world in worlds if all(world & set(row) for row in rows)]
    assert clauses.satisfiable(rows) == bool(models)
    if models:
        for fact in range(1, 7):
            seen = {fact in model for model in models}
            verdict = {(True,): "true", (False,): "false"}.get(tuple(seen), "unknown")
            assert clauses.certain(rows, fact) == verdict


@settings(max_examples=20)
@given(SEEDS)
def test_circuits_are_the_same_row_by_row(seed: int) -> None:
    gates = circuits.circuit(Random(seed), 5, 12)
    tables = circuits.wires(gates, 5)
    for row in range(32):
        on = circuits.simulated(gates, [bool(row >> place & 1) for place in range(5)])
        assert on == [bool(table >> row & 1) for table in tables]


@settings(max_examples=10)
@given(SEEDS)
def test_self_reference_by_brute_force(seed: int) -> None:
    task = drawn("logic/self_reference", seed, 3)
    claims = task.claims  # type: ignore[attr-defined]
    numbers = range(1, len(claims) + 1)
    fits = [
        true
        for size in range(len(claims) + 1)
        for true in combinations(numbers, size)
        if all(
            self_reference.says_so(c, frozenset(true), len(claims)) == (n in true)
            for n, c in zip(numbers, claims)
        )
    ]
    assert [", ".join(map(str, true)) for true in fits] == [task.answer()]


@settings(max_examples=10)
@given(SEEDS)
def test_meetings_minute_by_minute(seed: int) -> None:
    task = drawn("logic/common_time_slot", seed, 3)

    def there(minute: int) -> bool:
        for zone, begin, end, breaks, busy in task.diaries:  # type: ignore[attr-defined]
            day, own = divmod(minute + 60 * zone, 1440)
            blocked = [*breaks, *((a, b) for d, a, b in busy if d == day)]
            away = not (0 <= day < task.days and begin <= own < end)  # type: ignore[attr-defined]
            if away or any(a <= own < b for a, b in blocked):
                return False
        return True

    free = [there(minute) for minute in range(task.days * 1440)]  # type: ignore[attr-defined]
    length = task.length  # type: ignore[attr-defined]
    starts = [n for n in range(len(free)) if all(free[n : n + length]) and n + length <= len(free)]
    first, last = (common_time_slot.moment(starts[place]) for place in (0, -1))
    assert task.answer() == f"earliest: {first}\nlatest: {last}"


def test_lists_of_names_may_come_in_any_order_but_not_twice() -> None:
    assert named_values.name_set("Bo; ada", ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}
    for wrong in ("Ada, Ada", "Ada, Zoe", "", ","):
        with pytest.raises(Unreadable):
            named_values.name_set(wrong, ["Ada", "Bo"])


def test_one_wrong_value_of_several_earns_nothing() -> None:
    task = drawn("logic/object_counting", 1, 2)
    lines = task.answer().splitlines()
    name, _, numbers = lines[0].partition(": ")
    first, *rest = numbers.split(", ")
    wrong = "\n".join([f"{name}: {', '.join([str(int(first) + 1), *rest])}", *lines[1:]])
    score = task.verify(wrong)
    assert score.value == 0
    assert "1 of the" in score.reason
    assert task.verify("\n".join(lines[::-1])).correct


# ---------------------------------------------------------------------- read from the prompt alone


@settings(max_examples=20)
@given(SEEDS)
def test_operations_by_reading_the_prompt(seed: int) -> None:
    """Works the brackets off from within, by what the text defines."""
    task = drawn("arithmetic/custom_operation", seed, 4)
    _, defined, _, asked, _ = task.prompt().split("\n\n")
    signs = {line[2]: line.split(" = ", 1)[1] for line in defined.splitlines()}

    def applied(found: re.Match[str]) -> str:
        a, sign, b = int(found[1]), found[2], int(found[3])
        first, _, rest = signs[sign].partition(" if ")
        test, _, second = rest.partition(", else ")
        holds = {
            "a > b": a > b,
            "a is even": a % 2 == 0,
            "a + b is odd": (a + b) % 2 == 1,
            "b is a multiple of 3": b % 3 == 0,
            "a and b differ by less than 5": abs(a - b) < 5,
            "": True,
        }[test]
        terms, modulus = (first if holds else second).split(" mod ")
        total = 0
        for size, name in re.findall(r"([+-]?\d*)(ab|a|b|)", terms.strip("()").replace(" ", "")):
            if size or name:
                factor = int(size) if size.strip("+-") else int(size + "1")
                total += factor * {"a": a, "b": b, "ab": a * b, "": 1}[name]
        return str(total % int(modulus))

    values = []
    for line in asked.splitlines()[1:]:
        text = f"({line.split('. ')[1]})"
        while "(" in text:
            text = re.sub(r"\((\d+) (\D) (\d+)\)", applied, text)
        values.append(text)
    assert task.verify(", ".join(values)).correct


@settings(max_examples=20)
@given(SEEDS)
def test_notations_by_reading_the_prompt(seed: int) -> None:
    task = drawn("arithmetic/number_format", seed, 3)
    sizes = {}
    for line in task.prompt().split("\n\n")[1].splitlines():
        label, told = line.split(". ", 1)
        number, _, unit = told.replace(",", "").partition(" ")
        if number.rstrip("IVXLCDM") == "":
            sizes[label] = float(roman_value(number))
        elif number[0] == "0" and number[1] in "xob":
            sizes[label] = float(int(number, 0))
        elif "/" in number:
            above, below = number.split("/")
            sizes[label] = int(above) / int(below)
        elif number[0].isdigit():
            scale = {"thousand": 1000, "million": 10**6, "dozen": 12, "": 1}[unit]
            part = 0.01 if number.endswith("%") else 1
            sizes[label] = float(number.rstrip("%")) * scale * part
        else:
            sizes[label] = float(value_of_words(told))
    assert task.verify(" ".join(sorted(sizes, key=lambda label: sizes[label]))).correct


# ------------------------------------------------------------------------------ what was found once


@pytest.mark.parametrize(
    "said", ["1. uncle\n2. Bo and Ada", "**1**: Uncle.\n2) ada, BO.", "2 = Bo; Ada\n1: uncle"]
)
def test_answers_may_be_written_as_lists_and_sentences(said: str) -> None:
    read = named_values.by_name(said, ["1", "2"])
    assert read["1"].casefold() == "uncle"
    assert named_values.name_set(read["2"], ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}


def test_lists_must_name_each_question_once() -> None:
    for wrong in ("1. a", "1. a\n1: a\n2. b", "1. a\n2. b\n3. c", "1.a\n2.b", "1: 1. a"):
        with pytest.raises(Unreadable):
            named_values.by_name(wrong, ["1", "2"])


@pytest.mark.parametrize("said", ["monday 36:30", "Monday 24:00", "Sunday 10:00", "Monday 12.30"])
def test_no_other_time_stands_for_the_right_one(said: str) -> None:
    task = drawn("logic/common_time_slot", 1, 0)
    with pytest.raises(Unreadable):
        task.verify(f"earliest: {said}\nlatest: {said}")


def test_a_time_may_be_told_with_its_zone() -> None:
    task = drawn("logic/common_time_slot", 1, 2)
    first, last = task.answer().splitlines()
    assert task.verify(f"- {last} UTC.\n- {first.upper()} utc").correct
    assert not task.verify(f"earliest: {last.split(': ')[1]}\nlatest: {last.split(': ')[1]}").value


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("logic/common_time_slot", {"people": 12, "days": 2, "busy": 12, "zones": 6, "grain": 30}),
        ("logic/common_time_slot", {"people": 12, "days": 2, "busy": 12, "zones": 0, "grain": 5}),
        ("logic/circuit_logic", {"inputs": 12, "gates": 4, "outputs": 2, "task": "satisfy"}),
        ("logic/circuit_logic", {"inputs": 3, "gates": 4, "rows": 8, "task": "evaluate"}),
        ("logic/object_properties", {"objects": 14, "traits": 2, "events": 200, "kinds": "full"}),
    ],
)
def test_the_corners_of_the_bounds_can_be_drawn(name: str, chosen: dict[str, object]) -> None:
    kind = load(name)
    for seed in range(3):
        task = kind.draw(Random(seed), kind.Knobs(**chosen), tries=200)
        assert task.verify(task.answer()).correct


def test_objects_do_not_all_end_up_alike() -> None:
    for seed in range(20):
        task = drawn("logic/object_properties", seed, 6)
        rows = task.answer().splitlines()
        looks = [row.split(": ")[1] for row in rows]
        assert len(set(looks)) >= 6
        for values in zip(*(look.split(", ") for look in looks)):
            assert len(set(values)) >= 3


def test_claims_and_moves_of_one_text_are_equal() -> None:
    """What a kind has no use for may not make two problems of one."""
    claims = {c for n in range(300) for c in drawn("logic/self_reference", n, n % 7).claims}  # type: ignore[attr-defined]
    assert len(set(map(self_reference.told, claims))) == len(claims)
    moves = {m for n in range(100) for m in drawn("logic/shuffled_objects", n, 3).moves}  # type: ignore[attr-defined]
    names, things = "ABCDEFG", "abcdefg"
    assert len({shuffled_objects.told(move, names, things, 0) for move in moves}) == len(moves)


@settings(max_examples=10)
@given(SEEDS)
def test_events_hold_nothing_that_is_not_told(seed: int) -> None:
    """What a kind of event has no use for may not make two tasks of one."""
    for deal in drawn("logic/object_counting", seed, 6).deals:  # type: ignore[attr-defined]
        used = set(re.findall(r"\{([Qya])\}", object_counting.TOLD[deal.kind][0]))
        assert all(("Q" in used or not deal.other, "y" in used or not deal.second))
        assert "a" in used or not deal.number
    for event in drawn("logic/object_properties", seed, 6).events:  # type: ignore[attr-defined]
        assert event.other == 0 or event.kind in {"swap", "copy"}
        assert event.value == 0 or event.kind not in {"swap", "copy"}


@settings(max_examples=20)
@given(SEEDS)
def test_no_exchange_undoes_the_last(seed: int) -> None:
    task = drawn("logic/shuffled_objects", seed, seed % 7)
    held = [list(range(len(task.names)))]  # type: ignore[attr-defined]
    for move in task.moves:  # type: ignore[attr-defined]
        after = shuffled_objects.moved(held[-1], move)
        if after != held[-1]:
            assert after not in held[-2:]
            held.append(after)


@settings(max_examples=20)
@given(SEEDS)
def test_no_rule_is_told_twice(seed: int) -> None:
    task = drawn("logic/first_order_entailment", seed, 6)
    rules = [(frozenset(g), frozenset(t), link) for g, t, link in task.rules]  # type: ignore[attr-defined]
    assert len(set(rules)) == len(rules)


def test_gates_with_one_input_use_up_no_other() -> None:
    for seed in range(20):
        for sort, one, other in circuits.circuit(Random(seed), 5, 12):
            assert (sort == "NOT") == (one == other)


def test_rows_of_outputs_may_stand_on_one_line() -> None:
    task = drawn("logic/circuit_logic", 2, 1)
    rows = task.answer().split()
    assert task.verify(", ".join(rows)).correct
    assert not task.verify(" ".join(rows[::-1])).correct
    for wrong in ("".join(rows), " ".join(rows[1:]), " ".join([*rows, rows[0]])):
        with pytest.raises(Unreadable):
            task.verify(wrong)


def test_it_is_said_who_stays_and_who_counts() -> None:
    for seed in range(10):
        task = drawn("logic/sibling_counts", seed, 6)
        moving = any(any(group.change) for group in task.groups)  # type: ignore[attr-defined]
        assert ("Nobody who is named below leaves" in task.prompt()) == moving
        assert not re.search(r"\b1 (more|fewer) (\w+ )?\w+s than", task.prompt())
    assert sibling_counts.many(2, "woman") == "2 women"


def test_words_stand_in_the_right_number() -> None:
    for seed in range(60):
        assert not re.search(r"\b1 [a-z]+s\b", drawn("arithmetic/word_problem", seed, 6).prompt())


def test_couples_tell_the_sex_of_both() -> None:
    task = drawn("logic/family_relationships", 1, 3)
    assert "every couple is a wife and her husband" in task.prompt()


def test_ages_in_conditions_differ() -> None:
    for seed in range(100):
        task = drawn("logic/counting_with_conditions", seed, 0)
        (_, one), (_, other) = task.facts[:2]  # type: ignore[attr-defined]
        assert one != other
