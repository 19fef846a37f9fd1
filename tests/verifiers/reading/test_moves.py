"""Readers of moves: every usual form, and no move that is not written."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.testing import move_formats
from palaestra.verifiers.reading import moves
from palaestra.verifiers.replies import unwrapped

WAYS = ("up", "down", "left", "right")
LENGTHS = ("1", "2", "3", "4")
pytestmark = pytest.mark.hypothesis


@given(st.sampled_from(WAYS))
def test_a_direction_is_read_in_every_form(way):
    for form, text in move_formats.direction(way):
        assert moves.direction(unwrapped(text)) == way, f"{form}: {text!r}"


@pytest.mark.parametrize("text", ["", "north", "right left", "rightt", "move", "1", "up 2", "x up"])
def test_no_direction(text):
    with pytest.raises(InvalidAnswer, match="expected one of left, right, up, down"):
        moves.direction(text)


@given(st.text("UDLR", min_size=1, max_size=12))
def test_directions_are_read_in_every_form(letters):
    for form, text in move_formats.directions(letters):
        assert moves.directions(unwrapped(text)) == letters, f"{form}: {text!r}"


@pytest.mark.parametrize("text", ["", "UX", "move", "up, move", "5", "3U", "north", "U. D"])
def test_no_directions(text):
    with pytest.raises(InvalidAnswer, match="expected a list of the letters U, D, L and R"):
        moves.directions(text)


@given(st.integers(1, 9))
def test_a_column_is_read_in_every_form(number):
    for form, text in move_formats.column(number):
        assert moves.column(unwrapped(text), 9) == number, f"{form}: {text!r}"


@pytest.mark.parametrize(
    "text", ["", "0", "8", "-1", "1.5", "1 2", "column", "row 1", "one", "column 1 or 2", "r1c1"]
)
def test_no_column(text):
    with pytest.raises(InvalidAnswer, match=r"expected the number of a column|there is no column"):
        moves.column(text, 7)


HOPS = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda hop: hop[0] != hop[1])


@given(st.lists(HOPS, min_size=2, max_size=8))
def test_hops_are_read_in_every_form(plan):
    for names in ("ABCD", ["1", "2", "12", "21"], ["left", "right", "mid", "top"]):
        for form, text in move_formats.hops([(names[a], names[b]) for a, b in plan]):
            assert moves.hops(unwrapped(text), names) == plan, f"{form}: {text!r}"


def test_the_article_is_no_name():
    assert moves.hops("Move a disk from a to c", "ABC") == [(0, 2)]
    assert moves.hops("move a to c", "ABC") == [(0, 2)]
    assert moves.hops("AC\ncb", "ABC") == [(0, 2), (2, 1)]


@pytest.mark.parametrize(
    "text",
    [
        *("", "A", "A -> D", "A -> B -> C", "A, B, C, A", "move A", "AD", "ABC", "A to", "to A"),
        *("B from A", "A and B", "Move disk 1 from A to C", "A -> B\nX", "A -> B, C"),
    ],
)
def test_no_hops(text):
    with pytest.raises(InvalidAnswer, match="expected one of the moves per line, such as 'X -> Y'"):
        moves.hops(text, "ABC")


def test_numbers_without_a_sign_are_no_hop():
    with pytest.raises(InvalidAnswer):
        moves.hops("12", ["1", "2"])


ORDERS = st.tuples(st.sampled_from("ABDU"), st.sampled_from(WAYS), st.sampled_from(LENGTHS))


@given(st.lists(ORDERS, min_size=2, max_size=8))
def test_orders_are_read_in_every_form(plan):
    for form, text in move_formats.orders(plan):
        read = moves.orders(unwrapped(text), "ABDU", WAYS, LENGTHS, what="moves")
        assert read == plan, f"{form}: {text!r}"
    short = [move[:2] for move in plan]
    for form, text in move_formats.orders(short):
        read = moves.orders(unwrapped(text), "ABDU", WAYS, what="moves")
        assert read == short, f"{form}: {text!r}"


@pytest.mark.parametrize(
    "text", ["", "A up", "up A 2", "A up two", "A up 2 3", "C up 2", "A up 9", "A up 2 right", "A"]
)
def test_no_orders(text):
    with pytest.raises(InvalidAnswer, match="expected moves such as 'A up 2'"):
        moves.orders(text, "AB", WAYS, LENGTHS, what="moves such as 'A up 2'")


def test_a_list_of_words():
    actions = ("left", "right", "forward")
    for text in (
        "left, forward",
        "1. turn left\n2. move forward",
        '["left", "forward"]',
        "Turn left; go forward.",
        "left and forward",
    ):
        assert moves.tokens(unwrapped(text), actions, "actions") == ["left", "forward"]
    assert moves.tokens("ABA", "AB", "buttons") == ["A", "B", "A"]
    for text in ("", "turn, forward", "left forward turn", "back", "leftforward"):
        with pytest.raises(InvalidAnswer, match="expected actions"):
            moves.tokens(text, actions, "actions")


def test_lines_of_a_plan():
    assert moves.steps("1. a\n2) b\n- c\n* d\ne") == ["a", "b", "c", "d", "e"]
    with pytest.raises(InvalidAnswer, match="at most 2000 lines, got 2001"):
        moves.steps("a\n" * 2_001)


def test_a_list_of_numbers():
    for text in ("3, 12", "3 -> 12", "1. 3\n2. 12", "flip 3, then flip 12", "[3, 12]", "3 12"):
        assert moves.numbers(unwrapped(text), "flips") == [3, 12]
    for text in ("", "flip", "3, x", "-> x", "3 - 12", "three"):
        with pytest.raises(InvalidAnswer, match="flips"):
            moves.numbers(text, "a list of flips")
    for text in ("1. 5\n2. 4\n3. \n4. 6", "- 5\n-\n- 6"):  # a number of a line is no move
        with contextlib.suppress(InvalidAnswer):
            assert moves.numbers(text, "flips") != [5, 4, 3, 6]
    with pytest.raises(InvalidAnswer, match="expected 3 whole numbers, got 2"):
        moves.numbers("3, 12", "flips", 3)


READERS = [
    lambda text: moves.numbers(text, "flips"),
    moves.direction,
    moves.directions,
    lambda text: moves.column(text, 7),
    lambda text: moves.hops(text, "ABC"),
    lambda text: moves.orders(text, "AB", WAYS, what="moves"),
    lambda text: moves.tokens(text, WAYS, "moves"),
]


def refusal(reader, text):
    """The reason for which a reader refuses a text, or nothing where it reads it."""
    try:
        reader(text)
    except InvalidAnswer as refused:
        return str(refused)
    return None


@on_hostile_texts
def test_hostile_text_is_read_or_refused(text):
    for read in READERS:
        reason = refusal(read, text)
        assert reason is None or 0 < len(reason) < 200


@pytest.mark.parametrize("part", ["move ", "a", "A ", "from ", "(", "A->", "up ", "the ", "\u2192"])
def test_long_texts_end(part):
    for read in READERS:
        with pytest.raises(InvalidAnswer):
            read(f"{part * (100_000 // len(part))} x")
