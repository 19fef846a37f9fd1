"""Citations: invented ids, citing everything, false quotations, bare claims, the answer itself."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.task import JudgeError, Score
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.citations import PASSAGES, Cited
from palaestra.verifiers.patterns import Pattern
from palaestra.verifiers.verifier import GoldError

SOURCES = {
    "1": "The Daugava rises in the Valdai Hills. It flows through Riga, “the pearl of the north”.",
    "2": "Riga was founded in 1201 by Bishop Albert; it lies on the Gulf of Riga.",
    "doc-3": "The Gauja is the longest river that flows in Latvia alone – 452 km.",
    "4": "Riga has a zoo, which was opened in 1912, and a botanic garden.",
    "Map": "A map of the Baltic states.",
}
RIVER = Pattern("(?s).*Daugava.*")
RIGHT = "The river of Riga is the Daugava [1]. The city was founded in 1201 [2].\nAnswer: Daugava"


def cited(**options):
    return Cited(**{"sources": SOURCES, "supporting": ["1", "2"], "answer": RIVER} | options)


def test_citations_are_judged():
    check_verifier(
        cited(every_sentence=True),
        right=[
            RIGHT,
            RIGHT.replace("[1]", "[ 1 ]").replace("[2]", "【２】"),
            "It is the Daugava, in a city founded in 1201 [1, 2].",
            "It is the Daugava [1][2].",
            "It \"flows through Riga, 'the pearl of the north'\" [1; 2]. Daugava it is.",
            '"Flows   through\nRiga," says [1] of the Daugava. "founded in 1201" it was, says [2].',
            "The source says of it: “It flows through Riga”. [1] It is old [2]. Answer: Daugava",
        ],
        wrong=[
            "The river of Riga is the Daugava.",
            "The river of Riga is the Daugava [1].",
            "The river of Riga is the Gauja [1] [2].",
            RIGHT + " [4]",
            RIGHT + " [9]",
            RIGHT + " []",
            RIGHT + " [1-2]",
            RIGHT + " [see]",
            RIGHT + " [link](https://example.org)",
            "The Daugava [1][2][doc-3][4][Map].",
            "It was founded in 1201 [2]. Its river is the Daugava. It rises far away [1].",
            'It is the Daugava: "the Daugava rises in the Alps" [1] [2].',
            'It is the Daugava: "founded in 1201 by Bishop Albert" [1]. It is so [2].',
            'It is "the Daugava [1][2].',
            "Answer: the Gauja [1][2], not the Daugava.\nAnswer: Gauja",
        ],
        hostile=["[1][2]", "[1][2] " * 2_000, "Daugava [1][2][а]", '"' * 300 + "[1][2] Daugava"],
    )


def test_citing_everything_is_worth_nothing():
    everything = "Daugava [1][2][doc-3][4][Map]"
    for options in ({}, {"needed": "any"}, {"acceptable": ["4"]}):
        verdict = cited(partial=True, **options)(everything)
        assert verdict.value == 0
        assert verdict.parts["recall"] == 1
        assert verdict.parts["precision"] < 1


@given(st.sets(st.sampled_from(sorted(SOURCES))))
@settings(deadline=None)
def test_partial_credit_is_f1_above_that_of_everything(chosen):
    verdict = cited(partial=True)("Daugava " + "".join(f"[{name}]" for name in sorted(chosen)))
    hits = len(chosen & {"1", "2"})
    f1 = 2 * hits / (len(chosen) + 2)
    everything = 2 * 2 / (5 + 2)
    assert verdict.value == pytest.approx(max(0, (f1 - everything) / (1 - everything)))
    assert verdict.correct == (chosen == {"1", "2"})
    assert (
        cited()("Daugava " + "".join(f"[{n}]" for n in sorted(chosen))).correct == verdict.correct
    )


def test_acceptable_sources_cost_nothing_and_bring_nothing():
    verifier = cited(acceptable=["4"])
    assert verifier(RIGHT + " [4]").correct
    assert verifier(RIGHT).correct
    assert not verifier("Daugava [4]").correct
    assert not verifier("Daugava [1][4]").correct
    assert not verifier(RIGHT + " [doc-3]").correct


def test_one_of_several_sources_may_do():
    verifier = cited(needed="any")
    assert verifier("Daugava [2]").correct
    assert verifier("Daugava [1][2]").correct
    assert not verifier("Daugava [2][4]").correct
    assert not verifier("Daugava [4]").correct


def test_ids_are_taken_in_any_case_and_never_guessed():
    verifier = cited(supporting=["doc-3", "Map"])
    assert verifier("Daugava [DOC-3, map]").correct
    assert verifier("Daugava [doc\u20113][Map]").correct
    assert verifier("Daugava [doc\u200b-3][Map]").correct
    assert "none of the sources" in verifier("Daugava [3][Map]").reason
    assert "none of the sources" in verifier("Daugava [doc-3][Мap]").reason


@pytest.mark.parametrize(
    ("passage", "true"),
    [
        ("It flows through Riga", True),
        ("it  FLOWS\nthrough Riga,", True),
        ("flows through Riga, 'the pearl of", True),
        ("flows through Riga the pearl of", False),
        ("It flows throught Riga", False),
        ("The Daugava rises in Riga", False),
        ("rises in the Valdai Hills. It flows", True),
        ("rises ... through Riga", False),
        ("was founded in 1201", False),
        ("It is 1201!", True),  # too short to be looked at
    ],
)
def test_passages_stand_in_the_source_cited_for_them(passage, true):
    assert cited()(f'As told in "{passage}" [1], it is the Daugava [2].').correct == true


def test_a_passage_without_a_source_is_false():
    assert not cited()('It "flows through Riga, I think". The Daugava [1] [2].').correct
    assert cited()('As [1] says, it "flows through Riga". The Daugava [2].').correct
    assert not cited()('As [2] says, it "flows through Riga". The Daugava [1].').correct
    two = 'It "flows through Riga" [1] and was "founded in 1201 by" a bishop [2]. Daugava.'
    assert cited()(two).correct
    assert not cited()(
        two.replace("[1]", "[0]").replace("[2]", "[1]").replace("[0]", "[2]")
    ).correct


def test_passages_may_be_required_or_ignored():
    required = cited(quotes="require")
    answer = '"The Daugava rises in the Valdai Hills" [1]. "Riga was founded in 1201" [2].'
    assert required(answer).correct
    assert "without a passage" in required(answer.replace('"', "")).reason
    assert not required('"The Daugava rises in" [1]. "1201" is the year [2].').correct
    ignored = cited(quotes="ignore")
    assert ignored('The "river Daugava of the Alps" [1] is 5" deep [2].').correct
    assert cited(shortest=4)('"1201" [2] and the Daugava [1]').correct
    assert not cited(shortest=4)('"1202" [2] and the Daugava [1]').correct
    many = '"a" ' * (PASSAGES + 1)
    assert cited()(many + RIGHT).status == "limit"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (
            "The river is long [1]. Dr. B. Albert built it, e.g. its walls, approx. here [2].",
            0,
        ),
        ("The river is long. [1] The city is old! [2][1]", 0),
        ("It rises in the hills. It is long [1][2].", 1),
        ("- it rises in hills [1]\n- it flows to the sea\n- it is old [2]", 1),
        ("It rises in the hills\n\nand it is long [1][2].", 1),
        ("Here it is: [1][2]\n\nNo more.", 0),
        ("It is 3.5 m deep where 4.2 km are left [1][2].", 0),
        ('He said "it is long. It is deep." [1] The city is old [2].', 0),
        ('The city is old [2]. He said "it is long. [1] It is deep."', 1),
        ("What is the name of it? It is the Daugava [1] [2].", 1),
    ],
)
def test_each_sentence_cites_something_where_asked(text, bare):
    sources = dict(SOURCES, **{"1": "It is long. It is deep. " + SOURCES["1"]})
    judge = Cited(sources, ["1", "2"], RIVER, every_sentence=True, shortest=80)
    verdict = judge(text + "\n\nAnswer: Daugava is the river")
    assert verdict.correct == (not bare), verdict.reason
    assert not bare or verdict.reason == "a sentence cites nothing"


def test_the_answer_is_judged_without_citations():
    exact = cited(answer=Pattern("Daugava"))
    assert exact("Daugava [1] [2]").correct
    assert exact("I read [1].\n**Answer:** Daugava [2]").correct
    assert exact("Answer: Gauja [1]\nanswer: Daugava[2]").correct
    assert not exact("Answer: Daugava [1]\nAnswer: Gauja [2]").correct
    assert exact("Answer: [1][2]").status == "no_answer"
    assert not exact("It is the Daugava [1][2]").correct


def half(answer):
    return Score(0.5 if "Daugava" in answer else 0.0, "half of it is missing")


def out(answer):
    raise JudgeError("the judge is out")


def test_credit_of_the_answer_counts_once():
    assert cited(answer=half)(RIGHT).value == 0.5
    some = cited(answer=half, partial=True)("Daugava [1][2][4]")
    whole = cited(partial=True)("Daugava [1][2][4]")
    assert math.isclose(some.value, whole.value / 2)
    assert cited(answer=half)("Gauja [1][2]").reason == "half of it is missing"
    with pytest.raises(JudgeError):
        cited(answer=out)(RIGHT)


def test_the_reason_does_not_tell_what_is_right():
    for answer in ("Daugava", "Daugava [4]", "Daugava [1]", "Daugava [8]", "Gauja [1][2]"):
        reason = cited()(answer).reason
        assert reason
        assert not any(name in reason for name in SOURCES)


@pytest.mark.parametrize(
    "options",
    [
        {"supporting": []},
        {"supporting": ["5"]},
        {"acceptable": ["5"]},
        {"supporting": list(SOURCES)},
        {"supporting": ["1", "2"], "acceptable": ["doc-3", "4", "Map"]},
        {"sources": {"a": "", "A": "", "b": ""}, "supporting": ["a"]},
        {"sources": {"a,b": "", "c": ""}, "supporting": ["c"]},
        {"sources": {"a]": "", "c": ""}, "supporting": ["c"]},
        {"sources": {"": "", "c": ""}, "supporting": ["c"]},
        {"needed": "most"},
        {"quotes": "maybe"},
        {"shortest": 0},
    ],
)
def test_golds_that_cannot_work_are_refused(options):
    with pytest.raises(GoldError):
        cited(**options)


NAMED = Pattern("Daugava")


@pytest.mark.parametrize(
    "lead", ["Answer:", "Final answer:", "**Final Answer:**", "The answer is:", "## Answer:"]
)
def test_the_last_line_that_gives_an_answer_counts(lead):
    judge = cited(answer=NAMED)
    assert judge(f"It flows there [1, 2].\n{lead} Daugava").correct
    assert judge(f"It flows there [1, 2].\nAnswer: Gauja\n{lead} Daugava").correct
    assert not judge(f"It flows there [1, 2].\nAnswer: Daugava\n{lead} Gauja").correct


def test_a_label_ends_a_sentence_and_an_initial_does_not():
    judge = cited(every_sentence=True)
    assert judge(f"The river was surveyed by J. Smith long ago [1].\n{RIGHT}").correct
    assert not judge(f"All of this was planned as plan B. {RIGHT}").correct
    assert not judge(f"The whole of the city lies in zone A. {RIGHT}").correct
    assert judge(f"The whole of the city lies in zone A [1]. {RIGHT}").correct
