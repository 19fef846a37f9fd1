"""Limits on the length of the whole reply, in all ways of scoring."""

import io
import json
import sys

import gymnasium
import httpx2 as httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import palaestra.gym  # noqa: F401  registers the environments
from palaestra import Address, Episode, score, score_many
from palaestra.cli import main
from palaestra.combinators import read
from palaestra.combinators.length import Length
from palaestra.episode import ANSWER_FORMATS, BOXED, TAGS, AnswerFormat, EpisodeOver
from palaestra.registry import UnknownEnvironment, load
from palaestra.scoring import judged_at
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.task import NoValidTask

PROBLEM = "arithmetic/word_problem"
WORDS = Address.of(f"{PROBLEM}+length(12)", 1, 2)
CHARACTERS = Address.of(f"{PROBLEM}+length(60,characters)", 1, 2)
PROGRAM = Address.of("programs/stdin_story+length(300)", 1, 0)

(ANSWER,) = WORDS.task().solve()


def test_a_word_is_what_white_space_separates() -> None:
    words = Length(most=9)
    assert words.size("") == words.size(" \n\t ") == 0
    assert words.size("  one two\n\nthree\u00a0four ") == 4
    assert words.size("a" * 20) == 1
    assert words.size("a" * 21) == words.size("a" * 40) == 2
    assert words.size("so-it-is-written-without-any-space-at-all") == 3


@given(st.text(max_size=200))
def test_no_text_hides_more_characters_than_its_words_may_have(text: str) -> None:
    assert len("".join(text.split())) <= 20 * Length().size(text)
    assert len(text.strip()) <= Length(unit="characters").size(text) <= len(text)


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\u3000", "\x1c", " \t"])
def test_no_reasoning_is_written_in_white_space(blank: str) -> None:
    for unit in ("words", "characters"):
        address = Address.of(f"{PROBLEM}+length(60,{unit})", 1, 2)
        assert score(address, f"{blank * 5}{TAGS.write(ANSWER)}{blank * 5}").value == 1
        for reply in (blank * 3_000 + TAGS.write(ANSWER), TAGS.write(ANSWER) + blank * 3_000):
            assert score(address, reply).status == "limit"
    words, blanks = Length(), 20 // len(blank)
    assert words.size(f"a{blank * (blanks - 1)}b") == 2
    assert words.size(f"a{blank * blanks}b") == 3


@pytest.mark.parametrize("address", [WORDS, CHARACTERS], ids=str)
@pytest.mark.parametrize("answer_format", [TAGS, BOXED], ids=lambda each: each.name)
def test_the_limit_is_exact(address: Address, answer_format: AnswerFormat) -> None:
    limit = read(address.env.partition("+")[2])
    assert isinstance(limit, Length)
    reply = answer_format.write(ANSWER)
    pad = "a " if limit.unit == "words" else "a"
    fill = limit.most - limit.size(reply)
    within, beyond = pad * fill + reply, pad * (fill + 1) + reply
    assert limit.size(within) == limit.most
    assert score(address, within, answer_format).value == 1
    assert score(address, f"\n {within} \n", answer_format).value == 1
    late = score(address, beyond, answer_format)
    assert (late.value, late.status) == (0, "limit")
    assert late.reason.startswith(f"the reply has {limit.most + 1} {limit.unit}")


def test_thoughts_are_part_of_the_reply() -> None:
    thought = f"<think>{'so ' * 12}</think>{TAGS.write(ANSWER)}"
    assert score(f"{PROBLEM}?level=2&seed=1", thought).correct
    assert score(WORDS, thought).status == "limit"


def test_a_wrong_answer_within_the_limit_is_wrong() -> None:
    wrong = score(WORDS, TAGS.write("-7"))
    assert (wrong.value, wrong.status) == (0, "scored")


@pytest.mark.parametrize("answer_format", ANSWER_FORMATS)
def test_the_limit_leaves_room_for_a_right_answer(answer_format: str) -> None:
    (answer,) = Address.of("grids/sudoku", 2, 4).task().solve()
    words = len(answer.split())
    task = Address.of(f"grids/sudoku+length({words})", 2, 4).task()
    assert score(task, ANSWER_FORMATS[answer_format].write(answer), answer_format).correct
    with pytest.raises(NoValidTask, match="nothing but a right answer"):
        Address.of(f"grids/sudoku+length({words - 1})", 2, 4).task()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("length(12)+confidence", "the limit comes after it"),
        ("length(12)+batch(2)", "the limit comes after it"),
        ("length(12)+hint", "the limit comes after it"),
        ("length(12)+length(10)", "a limit already"),
        ("length(0)", "an integer from 1 to 10000"),
        ("length(9,tokens)", "one of words, characters"),
    ],
)
def test_what_does_not_go_with_a_limit_is_refused(name: str, hint: str) -> None:
    with pytest.raises(UnknownEnvironment, match=hint):
        Address.of(f"{PROBLEM}+{name}")


@pytest.mark.parametrize("after", ["retry(2,reason)", "refine(2)", "tools(calculator,1)"])
def test_the_limit_is_for_each_of_several_replies(after: str) -> None:
    task = Address.of(f"{PROBLEM}+length(12)+{after}", 1, 2).task()
    long, right = "so " * 20 + TAGS.write(ANSWER), TAGS.write(ANSWER)
    episode = Episode(task, TAGS, [long])
    assert episode.score is None
    assert episode.moves == [""]
    episode.step(right)
    assert episode.score is not None
    assert episode.score.value == (0.5 if "retry" in after else 1)
    assert not load(task.name).expensive  # type: ignore[attr-defined]


# All ways of scoring


@pytest.fixture(scope="module")
def url():
    with background_server(build()) as url:
        yield url


REPLIES = {
    "right": (WORDS, TAGS.write(ANSWER)),
    "wrong": (WORDS, TAGS.write("-7")),
    "long": (WORDS, "so " * 12 + TAGS.write(ANSWER)),
    "long without an answer": (WORDS, "so " * 13),
    "program": (PROGRAM, TAGS.write("print(1)")),
    "long program": (PROGRAM, "so " * 300 + TAGS.write("print(1)")),
}
VALUES = {"right": 1, "wrong": 0, "long": 0, "long without an answer": 0, "long program": 0}


@pytest.mark.parametrize("case", REPLIES)
def test_all_ways_of_scoring_agree(url, case, monkeypatch, capsys) -> None:
    address, reply = REPLIES[case]
    expected = score(address, reply)
    assert expected.value == VALUES.get(case, expected.value)
    assert (expected.status == "limit") == case.startswith("long")

    episode = Episode(address.task(), TAGS, [reply])
    assert episode.score == expected
    with pytest.raises(EpisodeOver):
        episode.step(reply)
    for workers in (0, None):  # programs go to worker processes
        assert score_many([(address, reply)], workers=workers) == [expected]
    row = judged_at(str(address), reply, "tags")
    assert (row["value"], row["status"]) == (expected.value, expected.status)

    item = {"address": str(address), "replies": reply}
    result = httpx.post(f"{url}/v1/score", json=item, timeout=60).json()
    assert (result["value"], result["status"]) == (expected.value, expected.status)
    opened = httpx.post(f"{url}/v1/sessions", json={"address": str(address)}, timeout=60).json()
    path = f"{url}/v1/sessions/{opened['sessions'][0]['session']}/step"
    last = httpx.post(path, json={"step": 0, "move": reply}, timeout=60).json()
    assert (last["score"]["value"], last["score"]["status"]) == (expected.value, expected.status)

    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(item)))
    with pytest.raises(SystemExit):
        main(["score"])
    line = json.loads(capsys.readouterr().out)
    assert (line["value"], line["reason"]) == (expected.value, expected.reason)


def test_gymnasium_scores_the_whole_reply() -> None:
    env = gymnasium.make("palaestra/WordProblem-v2", level=2, combinators="length(12)")
    for case in ("right", "long"):
        _, info = env.reset(seed=1)
        assert info["address"] == str(WORDS)
        _, reward, over, _, info = env.step(REPLIES[case][1])
        assert over
        assert reward == VALUES[case]
        assert info["status"] == ("limit" if case == "long" else "scored")
