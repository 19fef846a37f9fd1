"""Numbers with words, results behind their inputs, lines of code, times of the week, turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.testing import formats
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.matrices import lists_of_integers
from palaestra.verifiers.reading.moves import turns
from palaestra.verifiers.reading.times import WEEKDAYS, weekday_time
from palaestra.verifiers.reading.words import letters, number_and_word, numbers_and_words
from palaestra.verifiers.replies import unwrapped

pytestmark = pytest.mark.hypothesis
ENTRIES = st.lists(
    st.tuples(st.integers(0, 999), st.sampled_from(["fine", "stray", "b"])), min_size=2, max_size=5
)


@given(ENTRIES)
def test_numbers_with_words_are_the_same_in_every_layout(entries):
    items = [f"{number} {word}" for number, word in entries]
    for form, text in [*formats.listed(items), *formats.words_and_numbers(items)]:
        assert numbers_and_words(unwrapped(text), "entries") == entries, form


@pytest.mark.parametrize(
    "text",
    [
        "aba 12", "aba: 12", "aba (12)", "steps: 12\ntext: aba", "text = aba, steps = 12",
        '{"text": "aba", "steps": 12}', "**aba** after 12 steps", "1. aba\n2. 12", "aba -> 12",
    ],
)  # fmt: skip
def test_a_number_and_its_word(text):
    read = number_and_word(text, ("text", "steps"), "a text and a number", word_first=True)
    assert read == (12, "aba")


@pytest.mark.parametrize(
    "text",
    [
        "aba",
        "12",
        "aba 1 2",
        "aba - 12",
        "aba 12 bab",
        "a1 12",
        "aba 12.5",
        "12 13",
        "text: aba",
        "12 aba",
        "",
    ],
)
def test_what_is_no_number_with_a_word_is_refused(text):
    with pytest.raises(InvalidAnswer):
        number_and_word(text, ("text", "steps"), "a text and a number", word_first=True)


def test_a_sign_belongs_to_its_number():
    assert number_and_word("-12 aba", ("steps", "text"), "x") == (-12, "aba")
    assert number_and_word("1,024 aba", ("steps", "text"), "x") == (1024, "aba")


@pytest.mark.parametrize("sign", ["->", "=>", " = ", " == ", ": ", " \u2192 ", " returns "])
def test_lines_may_repeat_their_inputs(sign):
    inputs = ["[1, 2]", "[3]"]
    text = f"[1,2]{sign}[4, 5]\n[3]{sign}[6]"
    assert lists_of_integers(text, inputs) == [[4, 5], [6]]
    assert lists_of_integers("1. [4, 5]\n2. [6]", inputs) == [[4, 5], [6]]
    swapped = f"[3]{sign}[6]\n[1, 2]{sign}[4, 5]"
    with pytest.raises(InvalidAnswer):
        lists_of_integers(swapped, inputs)


@pytest.mark.parametrize("text", ["- 'a'\n- (b)", "1. 'a'\n2. (b)", "`'a'`\n`(b)`", "'a'\n\n(b)"])
def test_lines_of_code_keep_their_quotes(text):
    assert layout.code_lines(text) == ["'a'", "(b)"]


@given(st.integers(0, 6), st.integers(0, 23), st.integers(0, 59))
def test_times_of_the_week(weekday, hour, minute):
    label = f"at: {WEEKDAYS[weekday]} {hour:02}:{minute:02}"
    name, _, time = label.partition(": ")
    for form, text in formats.weekday_times([(name, time)]):
        read = weekday_time(text.partition(": ")[2])
        assert read == (weekday, 60 * hour + minute), form


@pytest.mark.parametrize(
    "text",
    [
        "Monday", "06:15", "Monday 24:00", "Monday 6:75", "Monday 06:15 - 07:15", "Mon Tue 06:15",
        "not Monday 06:15", "Monday 06:15 UTC+3", "Monday 13:00 PM", "Monday 0:15 AM",
        "Monday 106:15", "Monday 06:15:30", "Moonday 06:15",
    ],
)  # fmt: skip
def test_no_times_of_the_week(text):
    with pytest.raises(InvalidAnswer):
        weekday_time(text)


TURNS = [face + times for face in "URFDLB" for times in ("", "'", "2")]


@given(st.lists(st.sampled_from(TURNS), min_size=2, max_size=12))
def test_turns_are_the_same_in_every_layout(plan):
    forms = dict(formats.listed(plan))
    for form in ("quoted", "JSON strings"):  # quotes and primes are the same sign
        forms.pop(form)
    forms |= {
        "spaces": " ".join(plan),
        "arrows": " -> ".join(plan),
        "curly primes": " ".join(plan).replace("'", "\u2019"),
        "LaTeX": " ".join(plan).replace("'", "^\\prime"),
        "exponents": " ".join(plan).replace("'", "^{-1}"),
    }
    for form, text in forms.items():
        assert turns(unwrapped(text), TURNS, "turns") == plan, form


@pytest.mark.parametrize("text", ["r u f", "R3", "X", "R U f", "UR", "R-U", "R''", "RU x", "R 2"])
def test_no_turns(text):
    with pytest.raises(InvalidAnswer):
        turns(text, TURNS, "turns")


@pytest.mark.parametrize("text", ["[b, a]", '["b", "a"]', "1. b\n2. a", "'b', 'a'", "b\na"])
def test_letters_may_be_a_list(text):
    assert letters(text, "ab") == "ba"


UNITS = [
    "1 ",
    "a ",
    "1 a ",
    "1:",
    ",",
    "\n",
    "1. ",
    "- ",
    "`",
    "'",
    "R",
    "R'",
    "->",
    "mon 1:00 ",
    "(",
    "1,",
]


@pytest.mark.parametrize("unit", UNITS)
def test_reading_is_linear_in_the_length_of_the_text(unit, linear):
    def read(text):
        for reader in (
            lambda text: number_and_word(text, ("steps", "text"), "x"),
            lambda text: turns(text, TURNS, "turns"),
            lambda text: letters(text, "ab"),
            lambda text: lists_of_integers(text, [text, text]),
            weekday_time,
            layout.code_lines,
        ):
            try:
                reader(text)
            except InvalidAnswer:
                continue

    linear(read, unit)
