"""Patterns and grammars: linear time, whole matches, and lark as the referee of grammars."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.patterns import STEPS, Grammar, Pattern, linear_regex
from palaestra.verifiers.verifier import GoldError

ROBOT = r"""
start: step (";" step)*
step: "go" WAY | "turn" ("left" | "right") | "repeat" NUMBER "{" start "}"
WAY: "north" | "east" | "south" | "west"
%import common.INT -> NUMBER
%ignore /[ \t]+/
"""
ARITHMETIC = r"""
start: product (("+" | "-") product)*
product: factor (("*" | "/") factor)*
factor: NUMBER | "-" factor | "(" start ")" | NAME "(" [start ("," start)*] ")"
%import common.NUMBER
%import common.CNAME -> NAME
%ignore /[ \t]+/
"""
REFEREED = {
    "arithmetic": (ARITHMETIC, "1(+*-) a,"),
    "ambiguous": ('start: start start | "a" | "(" start ")"', "a()"),
    "right": ('start: "a" start | "b"', "ab"),
    "nullable": ('start: x y x "c"\nx: y y\ny: "a"? | x?', "ac"),
    "both sides": ('start: "a" start "b" |\n', "ab"),
    "hidden left": ('start: x start "b" | "b"\nx: "a"?', "ab"),
    "case": ('start: "if"i NAME\nNAME: /[a-z]+/\n%ignore " "', ["if", "IF", "i", " "]),
    "ignored": ('start: "a" "b"\n%ignore "#"\n%ignore /x+/', "ab#x"),
    "longest": ("start: A A\nA: /a+b?/", "ab"),
}


def test_patterns():
    check_verifier(
        Pattern(r"[A-Z]{2}-[0-9]{4}"),
        right=["AB-1234", "AB-1234\n"],
        wrong=[
            "  AB-1234\n",
            "AB-12345",
            "xAB-1234",
            "AB-1234\nAB-1234",
            "AB-１２３４",
            "ab-1234",
            "AB-123\u200b4",
        ],
        hostile=["А" + "B-1234", "AB-1234 " * 900],
    )
    check_verifier(
        Pattern("hello (world|there)", whole=False, ignore_case=True),
        right=["Well, HELLO World!"],
        wrong=["hell o world", "hello"],
    )


@pytest.mark.parametrize(
    ("regex", "answer"),
    [
        ("(a+)+$", "a" * 19_999 + "b"),
        ("(x+x+)+y", "x" * 20_000),
        (r"([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@)", "a" * 20_000),
        ("(.*)(.*)(.*)(.*)(.*)z", "x" * 20_000),
        (r"(\s*a*\s*)*b", " a" * 10_000),
    ],
)
def test_catastrophic_patterns_are_harmless(regex, answer):
    assert Pattern(regex)(answer).status == "scored"
    assert Pattern(regex, whole=False)(answer).value == 0


def test_a_partial_match_counts_only_where_asked():
    assert not Pattern("[0-9]+")("about 42").correct
    assert Pattern("[0-9]+", whole=False)("about 42").correct
    assert not Pattern("4|42")("421").correct
    assert Pattern("4|42")("42").correct  # the alternatives are not tried in vain


@pytest.mark.parametrize(
    "regex", ["(?=a)b", r"(a)\1", "(", "a{2000}", "((a{100}){100}){100}", "\ud800", r"\Z"]
)
def test_patterns_that_re2_does_not_read_are_refused(regex):
    with pytest.raises(GoldError, match="expression"):
        Pattern(regex)


def test_a_search_that_finds_itself_everywhere_is_refused():
    with pytest.raises(GoldError, match="any answer"):
        Pattern("a*", whole=False)


def test_half_a_surrogate_pair_is_malformed():
    assert Pattern(".*")("a\ud800").status == "malformed"
    assert Grammar("start: /.+/")("a\ud800").status == "malformed"


@settings(deadline=None)
@given(st.text("ab|*()", max_size=8), st.text("ab", min_size=1, max_size=8))
def test_patterns_agree_with_the_regex_of_python(regex, answer):
    import re

    try:
        expected = re.fullmatch(regex, answer) is not None
    except re.error:
        return
    try:
        assert Pattern(regex)(answer).correct == expected
    except GoldError:  # RE2 and Python differ on what may be repeated
        assert "**" in regex or "(*" in regex or "|*" in regex or regex.startswith("*")


def test_grammars():
    check_verifier(
        Grammar(ROBOT),
        right=["go north", "repeat 3 { go east; turn left }", "  turn  right "],
        wrong=[
            *("go", "go up", "repeat { go east }"),
            *("repeat 3 { go east; }", "go north go south"),
        ],
        hostile=["repeat 3 { " * 300, "repeat 1 { " * 300 + "go up" + " }" * 300, "go ｎorth"],
    )


@pytest.mark.parametrize("name", REFEREED)
def test_recognition_agrees_with_lark(name):
    from lark import Lark
    from lark.exceptions import LarkError

    grammar, signs = REFEREED[name]
    referee = Lark(grammar, parser="earley", ambiguity="forest", maybe_placeholders=False)
    verifier = Grammar(grammar)
    verdicts = set()

    @given(st.lists(st.sampled_from(signs), min_size=1, max_size=10).map("".join))
    @settings(max_examples=150, derandomize=True, deadline=None)
    def check(text):
        text = text.strip()
        if not text:
            return
        try:
            referee.parse(text)
            right = True
        except LarkError:
            right = False
        verdicts.add(right)
        assert verifier(text).correct == right

    check()
    assert verdicts == {True, False}, "the texts show nothing"


def test_long_texts_are_recognised_or_limited():
    left, right = Grammar('start: start "a" | "a"'), Grammar('start: "a" start | "a"')
    ambiguous = Grammar('start: start start | "a"')
    assert left("a" * 4_000).correct
    assert right("a" * 200).correct
    assert ambiguous("a" * 60).correct
    assert ambiguous("a" * 4_000).status == "limit"
    assert right("a" * 4_000).status == "limit"
    assert left("a" * 4_001).status == "limit"
    assert STEPS <= 100_000


def test_deep_nesting_is_recognised_without_recursion():
    nested = Grammar('start: "(" start ")" | "x"')
    assert nested("(" * 1_500 + "x" + ")" * 1_500).correct
    assert not nested("(" * 1_500 + "x" + ")" * 1_499).correct


def test_terminals_cannot_backtrack():
    assert not Grammar("start: /(a+)+b/")("a" * 4_000).correct


def test_the_reason_tells_the_place_in_characters():
    grammar = Grammar('start: "é"+ "!"')
    assert "character 4 on" in grammar("ééé?").reason
    assert "ends before" in grammar("ééé").reason


@pytest.mark.parametrize(
    "grammar",
    [
        "",
        "start: x",
        "start: start",
        'start: "a" (',
        "start: /a*/",
        "start: /[/",
        "start: /(?<!x)a/",
        "%import common.ESCAPED_STRING\nstart: ESCAPED_STRING",
        "%declare A\nstart: A",
        'start: x "b"\nx: "a" x',
    ],
)
def test_grammars_that_cannot_work_are_refused(grammar):
    with pytest.raises(GoldError):
        Grammar(grammar)


def test_another_start():
    grammar = 'start: "a"\nother: "b"'
    assert Grammar(grammar, "other")("b").correct
    assert not Grammar(grammar, "other")("a").correct
    with pytest.raises(GoldError):
        Grammar(grammar, "third")


def test_patterns_are_told_apart_and_compiled_once():
    assert linear_regex("a+") is linear_regex("a+")
    assert pickle.loads(pickle.dumps(Pattern("a+"))) == Pattern("a+") != Pattern("a+", whole=False)


BLANKS = [" {}", "{} ", "\t{}", "{}\t", "\n{}", " {} ", "{}\n\n", "{} \n", "\u00a0{}", "{}\x0b"]


@pytest.mark.parametrize("around", BLANKS, ids=ascii)
def test_blanks_around_an_answer_are_part_of_it(around):
    assert not Pattern("[A-Z]{2}")(around.format("AB")).correct
    assert not Grammar('start: "a" "b"')(around.format("ab")).correct
    assert Pattern("[A-Z]{2}", whole=False)(around.format("AB")).correct
    assert Pattern(r"(?s)\s*[A-Z]{2}.*")(around.strip("\u00a0").format("AB")).correct


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_last_line_end_is_none_of_the_answer(end):
    assert Pattern("[A-Z]{2}")(f"AB{end}").correct
    assert Grammar('start: "a" "b"')(f"ab{end}").correct
