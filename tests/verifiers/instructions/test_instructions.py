"""Every kind of instruction is kept and broken; contradictions are found."""

import pickle
import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.testing import HOSTILE, MONSTERS
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.instructions import (
    DEFINITIONS,
    KINDS,
    Instruction,
    Instructions,
    conflicts,
    visible,
)
from palaestra.verifiers.instructions.instructions import LAZY
from palaestra.verifiers.instructions.text import Text, written
from palaestra.verifiers.verifier import GoldError

PAGE = (Path(__file__).parents[3] / "docs/verifiers/instructions.md").read_text()
TWO = "One two. Three four five."
POEM = "Roses are red\nViolets are blue"
TABLE = "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |"
CASES = {
    # kind: values, texts that keep it, texts that break it
    "words_at_least": ({"n": 3}, ["a b c", "a-b c-d e"], ["a b", "a b - ... !"]),
    "words_at_most": ({"n": 2}, ["a b", "don't panic"], ["a b c", "a-b-c-d-e x"]),
    "words_exactly": ({"n": 3}, ["one, two: three!"], ["one two", "one two three four"]),
    "words_between": ({"low": 2, "high": 3}, ["a b", "a b c"], ["a", "a b c d"]),
    "characters_at_least": ({"n": 5}, ["a b c"], ["a    b", "abcd\u200b\u200b"]),
    "characters_at_most": ({"n": 5}, ["  a  b\n\nc "], ["abcdef"]),
    "characters_exactly": ({"n": 3}, ["a b", "日本語"], ["ab", "a  b c"]),
    "characters_between": ({"low": 2, "high": 3}, ["ab", "a b"], ["a", "abcd"]),
    "sentences_at_least": ({"n": 2}, [TWO, "Hm? Ah."], ["Mr. Fox ran.", "... One!"]),
    "sentences_at_most": ({"n": 1}, ["It is 3.14, e.g. pi."], [TWO]),
    "sentences_exactly": ({"n": 2}, [TWO, "# Title\nText."], ["One.", "A b. C d. E f."]),
    "sentences_between": ({"low": 2, "high": 3}, [TWO], ["One.", "So. So. So. So."]),
    "paragraphs_at_least": ({"n": 2}, ["a\n\nb"], ["a\nb", "a\n\n***\n\n---"]),
    "paragraphs_at_most": ({"n": 1}, ["a\nb"], ["a\n \nb"]),
    "paragraphs_exactly": ({"n": 2}, ["a\n\n\n\nb", "a\n***\n\nb"], ["a", "a\n\nb\n\nc"]),
    "paragraphs_between": ({"low": 2, "high": 2}, ["a\n\nb"], ["a", "a\n\nb\n\nc"]),
    "lines_at_least": ({"n": 2}, [POEM], ["a\n\n \u200b\n"]),
    "lines_at_most": ({"n": 2}, [POEM, "a\n\n\nb"], ["a\nb\nc"]),
    "lines_exactly": ({"n": 2}, [POEM, "a\r\nb"], ["a", "a\u2028b\u2028c"]),
    "lines_between": ({"low": 1, "high": 2}, [POEM], ["a\nb\nc"]),
    "sentence_words_at_most": ({"n": 3}, [TWO], ["One two three four.", "..."]),
    "sentence_words_between": ({"low": 2, "high": 3}, [TWO], ["One.", "A b c d."]),
    "paragraph_words_between": ({"low": 2, "high": 3}, ["a b\n\nc d e"], ["a b\n\nc", "a b c d"]),
    "paragraph_sentences_exactly": ({"n": 2}, [TWO + "\n\n" + TWO], [TWO + "\n\nOne."]),
    "line_characters_at_most": ({"n": 16}, [POEM], ["x" * 17]),
    "line_words_exactly": ({"n": 3}, [POEM], [POEM + "\nYes"]),
    "distinct_words_at_least": ({"n": 3}, ["a b c"], ["a b A B", "cop сop СОР"]),
    "palindromes_at_least": ({"n": 2}, ["Anna saw a level."], ["level level", "aaa bbb ccc"]),
    "include_words": ({"words": ["Cat", "dog"]}, ["A dog, a CAT."], ["A dog, cats", "cat d.o.g"]),
    "exclude_words": (
        {"words": ["cat"]},
        ["A dog. Cats!"],
        ["a Cat", "c\u200bat", "саt", "ｃａｔ"],
    ),
    "one_of_words": ({"words": ["yes", "no"]}, ["Yes, yes!"], ["yes and no", "maybe"]),
    "word_at_least": ({"word": "la", "n": 2}, ["La la la"], ["la lala"]),
    "word_at_most": ({"word": "la", "n": 2}, ["la la", "lala"], ["la La LA"]),
    "word_exactly": ({"word": "la", "n": 2}, ["la so La"], ["la", "la la la"]),
    "word_in_each_paragraph": ({"word": "sea"}, ["The sea.\n\nA sea!"], ["Sea.\n\nLand."]),
    "words_in_order": ({"words": ["one", "two"]}, ["one two one"], ["two one two", "one"]),
    "include_phrase": (
        {"phrase": "in the end"},
        ["And in  the\nend."],
        ["In the end", "in the ends"],
    ),
    "exclude_phrase": ({"phrase": "no way"}, ["no ways"], ["No way!", "nо\u200b way"]),
    "first_word": ({"word": "Once"}, ["Once upon", "**once**"], ["Upon once", "Onces"]),
    "last_word": ({"word": "end"}, ["The end!", 'an "END".'], ["the end of it"]),
    "word_at_place": ({"n": 2, "word": "two"}, ["one two"], ["two one", "one"]),
    "unique_words_share": ({"percent": 75}, ["a b c a"], ["a b a", "..."]),
    "no_repeated_word": ({"n": 4}, ["the cat the mice"], ["Mice like mice", "miсe mice"]),
    "longest_word": ({"n": 5}, ["short words"], ["longer words", "!"]),
    "shortest_word": ({"n": 3}, ["all these words"], ["it is so", "?"]),
    "alliteration": ({"letter": "p", "percent": 60}, ["Peter piper ate"], ["Peter ate", "-"]),
    "no_adjacent_initials": ({}, ["one two one"], ["one two three", "one"]),
    "alphabetical_words": ({}, ["A big cat. An egg."], ["A cat bit.", "One."]),
    "alphabetical_sentences": ({"n": 3}, ["Ah. Be so. Ça va."], ["Ah. Be.", "Be. Ah. Ca."]),
    "sentence_acrostic": ({"letters": "hi"}, ["Hello. It is.", "Hé! Ïle?"], ["Hi. He.", "H i"]),
    "line_acrostic": ({"letters": "rv"}, [POEM], [POEM + "\nx", "red", "r\n...\nv"]),
    "bullets_at_least": ({"n": 2}, ["- a\n* b", "• a\n  + b\n- c"], ["- a\n-b", "- a\n---\n- "]),
    "bullets_exactly": ({"n": 2}, ["- a\n- b\n\n* * *"], ["- a", "```\n- a\n- b\n```"]),
    "headings_at_least": ({"n": 1}, ["# a\nb", "###### a"], ["#a", "```py\n# a\n```"]),
    "headings_exactly": ({"n": 1}, ["## a"], ["# a\n# b", "####### a"]),
    "highlights_at_least": ({"n": 1}, ["so **very** so"], ["** **", "*a*", "`**a**`"]),
    "highlights_exactly": ({"n": 1}, ["**a b**"], ["**a** **b**", "***"]),
    "placeholders_at_least": ({"n": 1}, ["Dear [your name],"], ["Dear [ ],", "[a](http://b)"]),
    "placeholders_exactly": ({"n": 1}, ["[name]"], ["[a] [b]", "- [ ] x"]),
    "title": ({}, ["<<My B>>\nText"], ["<<a>>\n<<b>>", "a <<b>> c", "<< >>", "<a>"]),
    "numbered_list": (
        {"n": 2},
        ["1. a\n2. b", "1) a\n\n2) b"],
        ["1. a\n3. b", "2. a\n1. b", "1. a"],
    ),
    "checklist": ({"n": 2}, ["- [ ] a\n- [x] b"], ["- [ ] a", "- a\n- b", "- [ ]\n- [ ]"]),
    "sections": (
        {"name": "Section", "n": 2},
        ["Section 1\na\n\n**SECTION 2:**\nb"],
        ["Section 1\nSection 2\nb", "Section 2\na\nSection 1\nb", "Section 1\na"],
    ),
    "named_headings": ({"names": ["In", "Out"]}, ["# In\na\n## out:\nb"], ["# Out\n# In", "# In"]),
    "json_object": (
        {"keys": ["a", "b"]},
        ['{"a": 1, "b": [null]}', '```json\n{"b": 1,\n"a": 2}\n```'],
        ['{"a": 1}', '{"a": 1, "b": 2, "b": 3}', '{"a": NaN, "b": 1}', "[]", '{"a": 1, "b": 2} ok'],
    ),
    "table": (
        {"rows": 2, "columns": 2},
        [TABLE, "Look:\n\na | b\n--- | ---\n1 | 2\n3 | \\|"],
        [
            TABLE + "\n| 5 | 6 |",
            "| a | b |\n|---|---|\n| | |\n| | |",
            "no | table",
            TABLE + "\n\n" + TABLE,
        ],
    ),
    "wrapped_in_quotes": ({}, ['"So be it."', "“Ja”", "«Oui»"], ['"a', "'a'", '"."', "“a"]),
    "postscript": (
        {"marker": "P.S."},
        ["Dear.\n\nP.S. Call me"],
        ["P.S. a\n\nb", "a\n\nP.S.", "P.S. a"],
    ),
    "separated_parts": ({"n": 2}, ["a\n***\nb"], ["a\n***\n", "a\n----\nb", "a\n***\nb\n***\nc"]),
    "code_block": (
        {"language": "python"},
        ["So:\n```Python\nx = 1\n```"],
        ["```\nx\n```", "```python\n```"],
    ),
    "no_markdown": (
        {},
        ["Plain 2 * 3 text.", "a_b - c"],
        ["# a", "- a", "`a`", TABLE, "so *a*", "1. a"],
    ),
    "commas_exactly": ({"n": 1}, ["a, b"], ["a b", "a，b、c"]),
    "commas_at_most": ({"n": 1}, ["a, b", "ab"], ["a, b, c"]),
    "no_commas": ({}, ["a; b", "a<!-- , -->b"], ["a, b", "a，b", "a&#44; b"]),
    "question_marks_at_least": ({"n": 2}, ["a? b？"], ["a?", "a? <!--?-->"]),
    "question_marks_exactly": ({"n": 1}, ["why?"], ["why??", "why"]),
    "exclamation_marks_at_most": ({"n": 1}, ["oh!"], ["oh!!", "oh！ ah!"]),
    "exclamation_marks_exactly": ({"n": 0}, ["oh."], ["oh!"]),
    "digits_at_least": ({"n": 2}, ["in 42 days"], ["in 4 days", "4<b hidden>2</b>"]),
    "digits_exactly": ({"n": 2}, ["42", "٤٢", "x²³"], ["4", "421"]),
    "no_digits": ({}, ["four"], ["4", "４", "٤", "②", "½"]),
    "capital_words_at_least": ({"n": 2}, ["NASA and ESA"], ["NASA and I", "Nasa Esa"]),
    "capital_words_at_most": ({"n": 1}, ["I like NASA"], ["NASA ESA"]),
    "no_sign": ({"sign": ";"}, ["a: b"], ["a; b", "a；b"]),
    "balanced_brackets": ({}, ["f(a[0], {b})", "none"], ["(", ")", "([)]"]),
    "starts_with": ({"phrase": "Dear all,"}, ["Dear  all, hi"], ["dear all,", "Hi. Dear all,"]),
    "ends_with": ({"phrase": "Bye!"}, ["So long.\nBye! "], ["Bye", "Bye! Really."]),
    "sentences_end_with": ({"sign": "?"}, ["Why? 'How?'"], ["Why? So.", "!!", "Why"]),
    "lowercase": ({}, ["all small, 1"], ["One", "12", "ÉTÉ"]),
    "uppercase": ({}, ["ALL BIG, 1"], ["One", "12", "ß A"]),
    "title_case": ({}, ["All Words Big 12"], ["All words", "12 a", "!"]),
    "sentence_case": ({}, ["Ah. Oh!"], ["Ah. oh!", "1 is one.", "?"]),
    "script": (
        {"name": "Cyrillic", "percent": 90},
        ["Привет, мир! 12"],
        ["Hello", "Привет world", "12"],
    ),
    "script_letters_at_least": ({"name": "Greek", "n": 3}, ["the αβγ"], ["the ab αβ"]),
    "no_script": ({"name": "Han"}, ["かな"], ["漢かな"]),
    "ascii": ({}, ["plain - text"], ["café", "“a”", "a 👍"]),
    "repeat_request": (
        {"request": "Say hi."},
        ["Say hi. Hi!"],
        ["Say hi.", "Hi! Say hi.", "say hi. Hi"],
    ),
    "two_responses": (
        {},
        ["a\n******\nb"],
        ["a\n******\nA", "a\n***\nb", "a ****** b", "******\nb"],
    ),
    "choose_one": (
        {"options": ["My answer is yes.", "No."]},
        ["no", "My answer is yes"],
        ["yes", "No. No."],
    ),
    "first_last_sentence_equal": ({}, ["So it is. Yes. So it is!"], ["So it is.", "A b. C d."]),
    "first_last_word_equal": ({}, ["Time and time", "No means NO!"], ["no", "No, yes"]),
    "paragraph_starts": ({"n": 2, "word": "then"}, ["First.\n\nThen."], ["Then.", "a\n\nb then"]),
    "distinct_sentence_starts": ({}, ["I go. You stay."], ["I go. I stay.", "I go."]),
    "growing_sentences": ({}, ["One. Two is. Three is more."], ["One. Two.", "One."]),
    "chained_sentences": ({}, ["I see you. You see me."], ["I see you. She sees me.", "I see."]),
    "letter_at_least": ({"letter": "e", "n": 2}, ["Été", "eel"], ["one"]),
    "letter_at_most": ({"letter": "e", "n": 1}, ["one"], ["eel", "еel"]),
    "letter_exactly": ({"letter": "e", "n": 2}, ["Eel"], ["one", "eerie"]),
    "lipogram": ({"letter": "e"}, ["A bad day"], ["One", "\u0435vil", "ｅ", "&eacute;t", "12"]),
    "pangram": (
        {},
        ["Sphinx of black quartz, judge my vow."],
        ["Sphinx of black quartz, judge my vo."],
    ),
    "univocalic": ({"vowel": "a"}, ["A bad cat"], ["A bad dog", "shh"]),
}  # fmt: skip


def made(kind):
    return Instruction(kind, **CASES[kind][0])


def test_every_kind_is_tested_and_on_the_page():
    assert len(KINDS) >= 45
    assert CASES.keys() == KINDS.keys()
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_kept_and_broken(kind):
    instruction = made(kind)
    for text in CASES[kind][1]:
        assert instruction.kept(text), f"{text!r}: {instruction.violation(text)}"
    for text in CASES[kind][2]:
        assert not instruction.kept(text), text
        assert instruction.violation(text)[0].islower()


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_put_in_two_ways_that_say_its_values(kind):
    instruction = made(kind)
    texts = {instruction.text(wording) for wording in range(4)}
    assert len(texts) >= 2
    for text in texts:
        assert text[0].isupper() or text.startswith("<")
        assert "{" not in text.replace("{b}", "")
        for _, value in instruction.values:
            shown = map(str, value) if isinstance(value, tuple) else [str(value)]
            assert all(part in text for part in shown), text


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_travels_and_says_the_same(kind):
    instruction = made(kind)
    copy = pickle.loads(pickle.dumps(instruction))
    assert copy == instruction == eval(repr(instruction), {"Instruction": Instruction})  # noqa: S307
    assert hash(copy) == hash(instruction)
    assert conflicts(instruction, copy) == ""


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_judged_by_any_kind(text):
    taken = Text(text)
    for kind in KINDS:
        assert isinstance(made(kind).violation(taken), str)


@pytest.mark.parametrize("part", range(4))
def test_hostile_texts_are_judged_like_any_other(part):
    for text in [*HOSTILE, *MONSTERS][part::4]:
        taken = Text(text[:20_000])
        for kind in KINDS:
            assert isinstance(made(kind).violation(taken), str)


MARKED = st.lists(
    st.sampled_from(
        ["<!--", "-->", "```\n", "~~~", "`", "<b>", "<span hidden>", "</span>", "<script>", "[",
         "]", "](x)", "[a]: b", "\n", "&lt;", "&#8203;", "\u200b", "\u202e", "| ", "# ", "- ",
         "1. ", "***", "<<", ">>", "word", "Mr. ", "3.14", "...", "? ", "\u0915\u093f", "漢", "'",
         "-", "{", "}"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(MARKED)
def test_markup_of_any_kind_can_be_judged(text):
    taken = Text(text)
    for kind in KINDS:
        made(kind).violation(taken)
    seen = visible(text)
    assert not set("\u200b\u202e") & set(seen)
    assert [w for s in taken.sentences for w in written(s)] == written(" ".join(taken.sentences))


@pytest.mark.parametrize(
    ("kind", "values", "why"),
    [
        ("words_atleast", {"n": 3}, "did you mean words_at_least"),
        ("zzzz", {}, "no kind 'zzzz'$"),
        ("words_at_least", {}, "n is a whole number from 1 to 5000, not None"),
        ("words_at_least", {"n": 0}, "from 1 to 5000, not 0"),
        ("words_at_least", {"n": True}, "not True"),
        ("words_at_least", {"n": 2.0}, "not 2.0"),
        ("words_at_least", {"n": 3, "m": 4}, "no value 'm'; it takes n"),
        ("no_commas", {"n": 3}, "it takes none"),
        ("words_between", {"low": 5, "high": 3}, "low is 5, which is more than high, 3"),
        ("include_words", {"words": "cat"}, "different values"),
        ("include_words", {"words": ["cat", "Cat"]}, "different values"),
        ("include_words", {"words": []}, "from 1 to 20"),
        ("include_words", {"words": [3]}, "different values"),
        ("include_words", {"words": 3}, "different values"),
        ("first_word", {"word": "two words"}, "one word"),
        ("first_word", {"word": "x" * 41}, "one word"),
        ("lipogram", {"letter": "E"}, "one small letter"),
        ("lipogram", {"letter": "é"}, "one small letter"),
        ("lipogram", {"letter": "ee"}, "one small letter"),
        ("sentence_acrostic", {"letters": "Hi"}, "small letters a to z"),
        ("sentence_acrostic", {"letters": "h"}, "from 2 to 60"),
        ("include_phrase", {"phrase": "a\nb"}, "one line"),
        ("include_phrase", {"phrase": "a<!-- b -->"}, "visible"),
        ("no_sign", {"sign": "a"}, "no letter, digit or blank"),
        ("no_sign", {"sign": ";;"}, "one sign"),
        ("code_block", {"language": "py thon"}, "letters, digits"),
        ("script", {"name": "Elvish", "percent": 50}, "one of Arabic"),
        ("postscript", {"marker": "PPS"}, "one of P.S."),
    ],
    ids=str,
)
def test_values_out_of_bounds_are_told(kind, values, why):
    with pytest.raises(GoldError, match=re.escape(why).replace(r"\$", "$")):
        Instruction(kind, **values)


I = Instruction  # noqa: E741
CONTRARY = [
    (I("words_at_least", n=10), I("words_at_most", n=9), "words"),
    (I("words_exactly", n=5), I("words_between", low=6, high=9), "words"),
    (I("sentences_at_least", n=10), I("words_at_most", n=9), "words"),
    (I("paragraphs_at_least", n=9), I("characters_at_most", n=8), "characters"),
    (I("paragraphs_exactly", n=9), I("lines_at_most", n=8), "lines"),
    (I("include_words", words=["cat"]), I("exclude_words", words=["Cat"]), "word cat"),
    (I("word_exactly", word="la", n=2), I("word_at_least", word="la", n=3), "word la"),
    (I("word_at_least", word="la", n=8), I("words_at_most", n=7), "words"),
    (I("first_word", word="Cat"), I("first_word", word="dog"), "first word"),
    (I("first_word", word="Cat"), I("word_at_place", n=1, word="dog"), "first word"),
    (I("first_word", word="Cat"), I("paragraph_starts", n=1, word="dog"), "first word"),
    (I("last_word", word="Cat"), I("last_word", word="dog"), "last word"),
    (I("include_words", words=["éel"]), I("lipogram", letter="e"), "letter e"),
    (I("pangram"), I("univocalic", vowel="a"), "letter e"),
    (I("no_commas"), I("commas_exactly", n=1), "commas"),
    (I("no_digits"), I("digits_at_least", n=1), "digits"),
    (I("lowercase"), I("uppercase"), "capital letters"),
    (I("lowercase"), I("capital_words_at_least", n=1), "capital letters"),
    (I("lowercase"), I("title_case"), "capital letters"),
    (I("ascii"), I("script_letters_at_least", name="Greek", n=1), "Greek letters"),
    (I("json_object", keys=["a"]), I("wrapped_in_quotes"), "form of the whole"),
    (I("no_markdown"), I("bullets_exactly", n=2), "bullets"),
    (I("checklist", n=3), I("bullets_exactly", n=2), "bullets"),
    (I("bullets_at_least", n=3), I("lines_at_most", n=2), "lines"),
    (I("script", name="Latin", percent=60), I("script", name="Greek", percent=50), "percent Greek"),
    (I("no_script", name="Latin"), I("script", name="Latin", percent=1), "Latin letters"),
    (I("sentence_acrostic", letters="hello"), I("sentences_exactly", n=4), "sentences"),
    (I("sentences_end_with", sign="?"), I("sentences_end_with", sign="!"), "end of each sentence"),
]


@pytest.mark.parametrize(("one", "other", "name"), CONTRARY, ids=str)
def test_contradictions_are_found_both_ways(one, other, name):
    assert conflicts(one, other).endswith(f"({name})")
    assert conflicts(other, one).endswith(f"({name})")
    with pytest.raises(GoldError, match="cannot both be followed"):
        Instructions([one, I("no_sign", sign=";"), other])


KEPT = [text for _, kept, _ in CASES.values() for text in kept]


@settings(max_examples=120, deadline=None)
@given(st.one_of(MARKED, st.sampled_from(KEPT), st.lists(st.sampled_from(KEPT)).map("\n".join)))
def test_what_one_text_keeps_is_never_in_conflict(text):
    kept = [instruction for instruction in map(made, KINDS) if instruction.kept(text)]
    for one, other in combinations(kept, 2):
        assert not conflicts(one, other)


FOUR = Instructions(
    [
        I("words_between", low=12, high=20),
        I("include_words", words=["harbour", "lantern"]),
        I("sentences_exactly", n=3),
        I("no_commas"),
    ],
)
RIGHT = "The harbour was dark. A lantern swung above the water. Nobody came to see it."
NEARLY = "The harbour was dark, and a lantern swung above the water. Nobody came. To see it."


def test_instructions_stand_up():
    wrong = [NEARLY, "The harbour.", RIGHT + " Not one.", RIGHT + " <!-- x -->,", FOUR.text()]
    check_verifier(FOUR, [RIGHT, RIGHT + "<!-- one, two -->"], wrong)
    check_verifier(Instructions(FOUR.instructions, partial=True), [RIGHT], [NEARLY])


def test_all_or_nothing_unless_asked_for():
    score = FOUR(NEARLY)
    assert score.value == 0
    assert score.parts == {
        "1 words_between": 1,
        "2 include_words": 1,
        "3 sentences_exactly": 1,
        "4 no_commas": 0,
        "progress": 0.75,
    }
    assert score.reason == "1 of 4 instructions are not followed; in number 4, it has a comma"


def test_in_part_only_what_is_above_the_lazy_counts():
    partial = Instructions(FOUR.instructions, partial=True)
    assert 0 < partial(NEARLY).value < 1
    for lazy in (*LAZY, partial.text(), "\n".join(i.text() for i in partial.instructions)):
        assert partial(lazy).value == 0, lazy
    assert partial(RIGHT).value == 1


def test_instructions_that_anything_keeps_pay_nothing_in_part():
    cheap = Instructions([I("no_commas"), I("no_digits")], partial=True)
    assert cheap("a, b").value == 0
    assert cheap("a b").value == 1


def test_a_text_that_cannot_be_seen_is_no_answer():
    for text in ("\u200b", "<!-- words -->", "&nbsp;", "[//]: # (x)"):
        assert FOUR(text).status == "no_answer"


@pytest.mark.parametrize(
    ("given", "why"),
    [([], "from 1 to 100"), ([I("pangram")] * 2, "twice")],
    ids=["none", "twice"],
)
def test_instructions_that_make_no_sense_are_refused(given, why):
    with pytest.raises(GoldError, match=why):
        Instructions(given)


def test_what_is_told_explains_its_words():
    assert FOUR.text().startswith("1. Use from 12 to 20 words.\n2. Use all of the words 'harbour'")
    assert FOUR.text().endswith(DEFINITIONS)
    assert FOUR.text(0) != FOUR.text(1)
    assert "exactly 1 word." in I("words_exactly", n=1).text()


def test_a_json_row_makes_an_instruction():
    row = {"kind": "include_words", "words": ["cat"]}
    assert Instruction(**row) == I("include_words", words=("cat",))


def test_the_page_runs():
    shared = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "instructions.md", "exec"), shared)  # noqa: S102  # it is our own
    assert shared
