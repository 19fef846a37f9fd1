"""Answers that are revised after a reviewer's remarks, and further tries."""

import io
import random
import re
import sys
from collections import Counter
from contextlib import suppress
from itertools import product
from typing import Self

import gymnasium
import httpx2 as httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palaestra.gym  # noqa: F401  registers the environments
from palaestra import Address, Episode, score
from palaestra.cli import main
from palaestra.combinators import COMBINATORS, combine
from palaestra.combinators.near_misses import edits
from palaestra.combinators.refine import RefineTask
from palaestra.combinators.retry import Retry
from palaestra.combinators.several_replies import normal_form
from palaestra.episode import BARE, TAGS
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle, Score, ladder

MULTIPLICATION = "arithmetic/long_multiplication"
WRONG = "1, 2, 3, 4"


def refined(seed: int, answers: int = 2, name: str = MULTIPLICATION) -> RefineTask:
    task = Address.of(f"{name}+refine({answers})", seed, 2).task()
    assert isinstance(task, RefineTask)
    return task


def test_the_last_answer_is_scored_without_a_discount() -> None:
    task = refined(1)
    right = task.task.answer()
    for first, last in ((WRONG, right), (right, right), (right, WRONG), (WRONG, WRONG)):
        episode = Episode(task, BARE, [first, last])
        assert episode.score is not None
        begun, ended = (task.task.verify(each).value for each in (first, last))
        assert episode.score.value == ended
        assert episode.score.correct == (last == right)
        parts = episode.score.parts
        assert (parts["first"], parts["last"]) == (begun, ended)
        assert parts["improved"] == pytest.approx(ended - begun)
        assert sum(episode.rewards) == pytest.approx(ended)


def test_a_right_answer_is_not_known_by_its_remark() -> None:
    """It gets the same remark as a wrong one that is overlooked, which are about a third."""
    remarks = {"right": Counter[str](), "wrong": Counter[str]()}
    for seed in range(200):
        task = refined(seed)
        for name, reply in (("right", task.task.answer()), ("wrong", WRONG)):
            remark = Episode(task, BARE, [reply]).observation
            assert remark.startswith("A reviewer remarks: ")
            assert "right" not in remark.casefold().split()
            remarks[name][remark] += 1
    neutral = set(remarks["right"])
    assert len(neutral) == 2
    overlooked = sum(remarks["wrong"][each] for each in neutral)
    assert 200 / 3 - 3 * (200 * 2 / 9) ** 0.5 < overlooked < 200 / 3 + 3 * (200 * 2 / 9) ** 0.5


def test_what_cannot_be_read_is_never_overlooked() -> None:
    for seed in range(20):
        observation = Episode(refined(seed), TAGS, ["no tags"]).observation
        assert "there is no text between <answer> and </answer>" in observation
    blank = Episode(refined(1), BARE, ["", ""])
    assert blank.score is not None
    assert blank.score.status == "no_answer"


def test_what_the_reviewer_overlooks_is_not_in_the_state() -> None:
    states = {refined(5).model_copy(update={"overlooked": (each,)}) for each in (True, False)}
    assert len({Episode(task, BARE).turn.state for task in states}) == 1


@pytest.mark.parametrize("combinator", ["refine(5)", "retry(3)"])
def test_what_can_be_guessed_is_refused(combinator: str) -> None:
    with pytest.raises(NoValidTask, match=r"a chance of 0\.25"):
        Address.of(f"logic/knights_and_knaves+{combinator}", 0, 0).task()


# Repeated answers


@pytest.mark.parametrize(
    "other",
    ["**1, 2, 3, 4**", "[1, 2, 3, 4]", "1 2 3 4", "1.0; 2; 6/2; 4", "The answer is 1, 2, 3, 4."],
)
def test_an_answer_in_other_words_is_a_repeated_one(other: str) -> None:
    address = f"{MULTIPLICATION}+retry(3,reason)?level=2&seed=1"
    episode = Episode(Address.parse(address).task(), BARE, [WRONG, other])
    assert "given before" in episode.observation
    over = Episode(Address.parse(address).task(), BARE, [WRONG, "5, 6, 7, 8", other])
    assert over.score is not None
    assert over.score.value == 0
    assert over.score.reason == "this answer was given before"


class Comma(Puzzle):
    """A puzzle in which a comma makes the difference."""

    class Knobs(Puzzle.Knobs):
        digit: int = ladder(3, 4, 5)

    digit: int

    @classmethod
    def generate(cls, rng: random.Random, knobs: Knobs) -> Self:
        return cls(digit=knobs.digit)

    def prompt(self) -> str:
        return f"Write {self.digit} and 4 with a comma between them."

    def answer(self) -> str:
        return f"{self.digit},4"

    def verify(self, answer: str) -> Score:
        return Score(1) if answer == self.answer() else Score(0, "the comma is missing")


def test_a_right_answer_is_never_a_repeated_one() -> None:
    """The forms of a wrong answer and a right one may agree."""
    task = combine(Comma, Retry(tries=3)).sample(random.Random(0), Comma.Knobs())
    episode = Episode(task, BARE, ["3 4", "3;4", "3,4"])
    assert episode.observations[2][1].startswith("Your answer is wrong.")
    assert episode.score is not None
    assert (episode.score.parts["solved"], episode.score.parts["tries"]) == (1, 3)


@pytest.mark.parametrize(
    ("one", "other"), [("3-4", "3 4"), ("-3", "3"), ("12 3", "1 23"), ("(1,2),(3)", "(1),(2,3)")]
)
def test_different_answers_have_different_forms(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


@settings(max_examples=50)
@given(st.text(max_size=80))
def test_every_text_has_a_form_which_is_its_own_form(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text) or "/" in normal_form(text)


# Reasons

TOKEN = re.compile(r"\d+|[^\W\d_]+")
LAZY = ("0", "1", "42", "-1", "no", "yes", "A", "none", "1, 2, 3", "0 0 0", "a -> b", "x = 1", "[]")


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text.casefold()))


@pytest.mark.parametrize("shard", range(8))
def test_reasons_do_not_have_the_answer(shard: int) -> None:
    """No reason has a token of the answer that neither the question nor the reply has: not for
    replies without skill, nor for answers with one token changed. A single digit is left out where
    the answer has more, for reasons count rows and items.
    """
    reasons = 0
    for name in sorted(names())[shard::8]:
        task_type = load(name)
        if not issubclass(task_type, Puzzle) or task_type.expensive:
            continue
        level = task_type.Knobs.levels() // 2
        for seed in (1, 2):
            reasons += checked_reasons(name, seed, level)
    assert reasons > 300


@pytest.mark.parametrize(
    "combinator",
    [name for name in sorted(COMBINATORS) if issubclass(COMBINATORS[name].template, Puzzle)],
)
def test_reasons_of_combinations_do_not_have_the_answer(combinator: str) -> None:
    """Others are played in several replies, with the reasons of their bases."""
    reasons = 0
    bases = (MULTIPLICATION, "arithmetic/word_problem", "grids/sudoku", "numbers/recurrence",
             "matches/othello", "matches/kalah")  # fmt: skip
    for base, level in product(bases, (1, 3)):
        with suppress(UnknownEnvironment, NoValidTask):
            reasons += checked_reasons(f"{base}+{combinator}", 3, level)
    assert reasons > 5


def checked_reasons(name: str, seed: int, level: int) -> int:
    """The number of reasons for replies to a task, none of which has a token of the answer."""
    task = Address.of(name, seed, level).task()
    stranger = Address.of(name, seed + 50, level).task()
    assert isinstance(task, Puzzle)
    assert isinstance(stranger, Puzzle)
    answer, reasons = task.answer(), 0
    near = edits(answer, random.Random(seed), 10) if len(answer) < 5_000 else ()
    secret = tokens(answer) - tokens(task.prompt()) - tokens(stranger.answer())
    if len(tokens(answer)) > 1:
        secret = {token for token in secret if len(token) > 1}
    for reply in (*LAZY, task.prompt()[:5_000], stranger.answer(), *near):
        reason = reason_of(task, reply)
        reasons += bool(reason)
        leaked = secret & tokens(reason) - tokens(reply)
        assert not leaked, f"{name}: {reason!r} has {leaked} of {answer[:80]!r}"
    return reasons


def reason_of(task: Puzzle, reply: str) -> str:
    try:
        return task.verify(reply).reason
    except InvalidAnswer as error:
        return str(error)


# Faces


@pytest.fixture(scope="module")
def url():
    with background_server(build()) as url:
        yield url


@pytest.mark.parametrize("combinator", ["refine(2)", "retry(2,reason)"])
def test_all_faces_play_the_same_task(url, combinator, monkeypatch, capsys) -> None:
    address = Address.of(f"{MULTIPLICATION}+{combinator}", 3, 2)
    right = next(iter(address.task().solve()))
    moves = [TAGS.write(WRONG), TAGS.write(right)]
    own = Episode(address.task(), TAGS, moves)
    assert own.score is not None
    expected = own.score.value

    assert score(address, moves).value == expected
    item = {"address": str(address), "replies": moves}
    assert httpx.post(f"{url}/v1/score", json=item, timeout=60).json()["value"] == expected

    opened = httpx.post(f"{url}/v1/sessions", json={"address": str(address)}, timeout=60).json()
    path = f"{url}/v1/sessions/{opened['sessions'][0]['session']}/step"
    for step, move in enumerate(moves):
        state = httpx.post(path, json={"step": step, "move": move}, timeout=60).json()
    assert state["score"]["value"] == expected

    env = gymnasium.make("palaestra/LongMultiplication-v1", level=2, combinators=combinator)
    _, info = env.reset(seed=3)
    assert info["address"] == str(address)
    observation, *_ = env.step(moves[0])
    assert observation == own.observations[1][1]
    _, _, over, _, info = env.step(moves[1])
    assert over
    assert info["score"] == expected

    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{WRONG}\n{right}\n"))
    with pytest.raises(SystemExit):
        main(["play", address.env, "--level", "2", "--seed", "3"])
    assert f"score {expected:g}" in capsys.readouterr().out
