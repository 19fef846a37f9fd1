"""Multiple choice: letters, texts, hedges."""

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.choices import LETTERS, Choice, Choices
from palaestra.verifiers.verifier import GoldError

CITIES = ("Rome", "Paris", "Oslo", "a dog")

FORMS = [
    "{}", "({})", "{}.", "{})", "[{}]", "{{{}}}", "{}:", " {} \n", "**{}**", "**({})**", "`{}`",
    '"{}"', "${}$", r"\text{{{}}}", r"$\textbf{{({})}}$", "Option {}", "option ({})", "choice {}.",
    "Answer: {}", "The answer is {}", "The correct answer is ({}).", "So, the best option is {}.",
    "The answer is option {}", "I choose {}", "We pick option {}", "Answer {}",
    "It is {}.", "It's {}", "I think the answer is {}.", "Hence {}", "Thus, {}.", "Select {}.",
    "The answer would be {}.", "{} is correct.", "Option {} is the right answer.", "#### {}",
    r"\boxed{{{}}}", r"The answer is $\boxed{{{}}}$.", "Letter {}", "I believe that it is {}.",
    "**Answer:** {}", "**The answer is:** ({})", "{}!", "{};",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("label", ["B", "b"])
def test_forms_of_a_label(form, label):
    verifier = Choice("B", CITIES)
    assert verifier(form.format(label)).correct
    other = verifier(form.format("C" if label.isupper() else "c"))
    assert (other.value, other.status) == (0, "scored")


NUMBERS = ("12", "-12", "0.5", "-.5")

PUNCTUATED = [
    # answer, and the option that it names, if any
    ("A!", 0), ("A;", 0), ("A,", 0), ("(A)!", 0), ("(A);", 0), ("**A**!", 0), ("**A!**", 0),
    ("A\u2026", 0), ("12!", None), ("12;", 0), ("A: 12", 0), ("A - 12", 0), ("A \u2014 12", 0),
    ("A) 12!", None), ("A/ 12", 0), ("B: -12", 1), ("B) -12", 1), ("B. \u221212", 1),
    ("B - -12", 1),
    ("B -12", 1), ("B, -12", 1), ("(B) -12;", 1), ("D: -.5", 3), ("-12", 1), ("-12!", None),
    ("*A*", 0),
    ("**Answer:** A", 0), ("**Final answer:** (A)", 0), ("**Answer**: A", 0),
    ("A: -12", None), ("A) -12", None), ("A. -12", None), ("A, -12", None), ("A \u2014 -12", None),
    ("A -12", None), ("(A) \u221212", None), ("B: 12", None), ("B) 12", None), ("B - 12", None),
    ("C: -0.5", None), ("C -.5", None), ("D: .5", None), ("A?", None), ("A?!", None),
    ("A / B", None), ("-12 (A)", None), ("-12 (B)", 1), ("12, option B", None), ("A!B", None),
    ("A; B", None), ("A, B", None), ("!A", None), ("A!!! no", None),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "named"), PUNCTUATED)
def test_punctuation_ends_an_answer_and_a_minus_belongs_to_its_number(answer, named):
    right = [label for label in "ABCD" if Choice(label, NUMBERS)(answer).correct]
    assert right == ([] if named is None else ["ABCD"[named]])


def test_an_exclamation_mark_may_be_a_factorial():
    factorials = ("5!", "5", "n", "n!", "Paris")
    for option, text in enumerate(factorials):
        for form in ("{}", "{};", "{}.", "$" + "{}$"):
            answer = form.format(text)
            right = [x for x in "ABCDE" if Choice(x, factorials)(answer).correct]
            assert right == ["ABCDE"[option]], answer
    assert not Choice("A", ("5", "7", "n"))("5!").correct
    assert not Choice("C", ("5", "7", "n"))("n!").correct
    assert Choice("E", factorials)("Paris!").correct
    assert Choice("B", factorials)("b!").correct
    assert not Choice("A", ("n", "7"))("N!").correct
    assert not Choice("1", ("n", "7"), labels="12")("1!").correct
    assert Choices({"A", "C"}, ("5", "7", "n"))("A, C!").correct
    assert Choices({"A", "C"}, ("5", "7", "n"))("A; C;").correct


@pytest.mark.parametrize(
    "form",
    [
        *(
            "{0}) {1}",
            "{0}. {1}",
            "({0}) {1}",
            "{0}: {1}",
            "{0} - {1}",
            "{0} \u2014 {1}",
            "{0} {1}",
        ),
        *("**{0})** {1}", "**{0}) {1}**", "{0}) **{1}**", "{0}\n{1}", "{0}, {1}", "{0} ({1})"),
        *("{1} ({0})", "{1}, option {0}", "{1} (option {0})", "{0} -> {1}", "{0} \u2014 {1}."),
        *("{0} = {1}", "{0} | {1}", "The answer is **{0}. {1}**", "**Answer:** {0}) {1}"),
        *("Option {0}: {1}.", "The answer is ({0}) {1}.", r"\textbf{{({0})}}\ {1}"),
    ],
)
def test_a_label_with_its_text(form):
    verifier = Choice("B", CITIES)
    assert verifier(form.format("B", "Paris")).correct
    assert verifier(form.format("C", "Oslo")).status == "scored"
    for label, text in (("B", "Rome"), ("A", "Paris"), ("B", "London")):
        score = verifier(form.format(label, text))
        assert (score.value, score.status) == (0, "malformed"), form.format(label, text)


def test_one_choice():
    check_verifier(
        Choice("A", CITIES),
        ["A", "a", "\uff21", "Rome", "rome.", "**Rome**", '"Rome"', "A) Rome", "\u200bA"],
        ["B", "Paris", "D", "a dog", "A dog"],
        [
            *("A or B", "A, B", "A/B", "A and B", "A B", "AB", "A & B", "A; B", "A\nB", "A, not B"),
            *("either A or B", "A (or B)", "**A** or **B**", "A) Rome, B) Paris", "Rome or Paris"),
            *("A dog barked", "A city", "Apple", "A because of B"),
            *("not A", "maybe A", "A?", "neither", "none of them", "all of them", "E", "Z", "1"),
            *("Rome, Paris", "Roma", "Rome Paris", "\u0410", "\u0391", "A) Paris", "A. Oslo", "AA"),
        ],
    )


def test_labels_may_be_digits():
    verifier = Choice("2", ("4", "8", "16"), labels="123")
    assert verifier("2").correct
    assert verifier("(2) 8").correct
    assert verifier("8").correct
    assert not verifier("2) 4").correct
    assert not verifier("1").correct


def test_a_label_goes_before_a_text_of_one_letter():
    blood = Choice("A", ("B", "A", "AB", "O"))
    assert blood("A").correct
    assert blood("A) B").correct
    assert not blood("B").correct
    assert not blood("B) A").correct
    assert blood("A, B").status == "malformed"
    assert not blood("AB").correct
    assert blood("O").status == "scored"


def test_signs_of_texts_count():
    verifier = Choice("A", ("-3", "3", "1.5", "15", "mW", "MW"))
    assert verifier("-3").correct
    assert verifier("\u22123").correct
    for text in ("3", "1.5", "15", "mW", "MW"):
        assert verifier(text).status == "scored", text
    assert verifier("mw").status == "malformed"  # either of two


def test_blank_texts_leave_the_labels():
    verifier = Choice("C", ("",) * 4)
    assert verifier("(C)").correct
    assert verifier("C) something").status == "malformed"


@pytest.mark.parametrize(
    ("gold", "options", "labels"),
    [
        ("E", CITIES, LETTERS),
        ("Rome", CITIES, LETTERS),
        ("", CITIES, LETTERS),
        ("A", ("one",), LETTERS),
        ("A", (), LETTERS),
        ("A", ("same", "same"), LETTERS),
        ("A", ("**same**", "same"), LETTERS),
        ("A", ("x",) * 27, LETTERS),
        ("A", ("x", "y"), "Aa"),
    ],
)
def test_golds_that_make_no_sense(gold, options, labels):
    with pytest.raises(GoldError):
        Choice(gold, options, labels)


def test_several_choices():
    check_verifier(
        Choices(frozenset("AC"), CITIES),
        [
            *(
                "A, C",
                "C, A",
                "AC",
                "A and C",
                "a & c",
                "(A), (C)",
                "[A, C]",
                "{A,C}",
                "A C",
                "A; C",
            ),
            *("A\nC", "- A\n- C", "A) Rome\nC) Oslo", "A) Rome, C) Oslo", "Oslo, Rome"),
            *("Rome and Oslo", "Rome; C", "The answers are A and C.", "**A**, **C**", "A, and C"),
        ],
        ["A", "A, B", "A, B, C", "ABCD", "B, D", "A, B, C, D", "Rome", "Rome, Paris"],
        [
            *("A, A, C", "A or C", "A/C", "A, C or B", "all", "all of the above", "A, C, E", "ac"),
            *("A, Rome, C", "not A, C", "A, not C", "A) Oslo, C) Rome", "A..C", "A-C", ", ,"),
        ],
    )


def test_golds_of_several_choices():
    assert Choices({"A", "C"}, CITIES) == Choices(frozenset("CA"), CITIES)
    for gold in ((), {"E"}, {"A", "E"}):
        with pytest.raises(GoldError):
            Choices(frozenset(gold), CITIES)


def answers(size):
    labels = LETTERS[:size]
    return chain.from_iterable(combinations(labels, count) for count in range(1, size + 1))


@settings(deadline=None)
@given(st.integers(2, 6), st.data())
def test_partial_credit_cannot_be_farmed(size, data):
    options = tuple(f"text {number}" for number in range(size))
    gold = data.draw(st.frozensets(st.sampled_from(LETTERS[:size]), min_size=1))
    verifier = Choices(gold, options, partial=True)
    scores = {labels: verifier(", ".join(labels)).value for labels in answers(size)}
    everything = scores[tuple(LETTERS[:size])]
    assert everything == (1 if len(gold) == size else 0)
    for labels, value in scores.items():
        assert (value == 1) == (set(labels) == gold)
        hits, slips = len(gold & set(labels)), len(set(labels) - gold)
        assert value > 0 or hits == 0 or slips > 0
        for more in set(LETTERS[:size]) - gold - set(labels):
            assert scores[tuple(sorted({*labels, more}))] <= value
    if size > len(gold):
        lone = next(label for label in LETTERS[:size] if label not in gold)
        assert scores[(lone,)] == 0


def test_partial_credit_is_opt_in():
    assert Choices({"A", "C"}, CITIES)("A").value == 0
    assert Choices({"A", "C"}, CITIES, partial=True)("A").value == 0.5


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(["", "A ", "B) ", "A, ", " B", " or B", "\nC"]))
def test_nothing_that_names_two_options_is_right(text, addition):
    """Adding a second option to any text never makes it right."""
    verifier = Choice("A", CITIES)
    for other in ("B", "Paris", "(C)", "D) a dog"):
        answer = f"{text}{addition}\n{other}"
        assert not verifier(answer).correct or "Rome" in answer


def test_a_minus_sign_within_an_option_is_no_bullet() -> None:
    rivals = Choices({"A", "B"}, ("$x^2 - 1$", "$2x$", "$x$"))
    assert rivals("A) $x^2 - 1$\nB) $2x$").correct
    assert rivals("- A) $x^2 - 1$\n- B) $2x$").correct
