"""What the service resolves an address to: its task, and what judges replies to it."""

import pytest

from palaestra.address import Address, BadAddress
from palaestra.catalog import catalog
from palaestra.registry import UnknownEnvironment, load
from palaestra.server.problems import InvalidRequest
from palaestra.server.targets import LONG, SHORT, TRANSCRIPT, resolved

KNIGHTS = "logic/knights_and_knaves"
QUICK = resolved(str(Address.of(KNIGHTS, seed=3, level=1)))


def test_an_address_is_resolved_once_whichever_way_it_is_written():
    short = resolved(f"{KNIGHTS}?level=1&seed=3")
    assert short.text == QUICK.text == str(Address.of(KNIGHTS, seed=3, level=1))
    assert short.address == QUICK.address
    assert short.fingerprint == catalog()[KNIGHTS]["fingerprint"]
    assert short.task() is QUICK.task() is Address.of(KNIGHTS, seed=3, level=1).task()
    assert resolved(f"{KNIGHTS}?level=1&seed=3") is short


@pytest.mark.parametrize(
    ("text", "error"),
    [("nothing/here", UnknownEnvironment), (f"{KNIGHTS}?seed=-1", BadAddress)],
)
def test_what_is_no_address_is_refused(text, error):
    with pytest.raises(error):
        resolved(text)


def test_what_is_quick_at_levels_that_were_measured_is_judged_on_the_event_loop():
    assert (QUICK.executor, QUICK.by_hand, QUICK.is_remote) == ("loop", False, False)
    top = resolved(str(Address.of(KNIGHTS, level=load(KNIGHTS).Knobs.levels() - 1)))
    assert (top.executor, top.by_hand, top.is_remote) == ("worker", False, False)
    chosen = resolved(str(Address.of(KNIGHTS, people=10)))
    assert (chosen.executor, chosen.by_hand, chosen.is_remote) == ("worker", True, True)


def test_programs_are_judged_in_sandboxes():
    name = next(each for each in catalog() if "sandboxed" in load(each).tags)
    target = resolved(str(Address.of(name)))
    assert (target.executor, target.is_remote) == ("sandbox", True)
    assert target.executor_for("x" * (SHORT + 1), "bare") == "sandbox"


OTHERS = '''"""A puzzle of a test."""

from palaestra.task import Puzzle, Score, ladder


class Guess(Puzzle):
    """Say it."""

    class Knobs(Puzzle.Knobs):
        size: int = ladder(1, 2, 3)

    @classmethod
    def generate(cls, rng, knobs):
        return cls()

    def prompt(self):
        return "?"

    def answer(self):
        return "!"

    def verify(self, answer):
        return Score(answer == "!")
'''


def test_what_other_distributions_bring_is_judged_in_a_thread(other_distribution):
    other_distribution("guesses", {"guess": OTHERS})
    target = resolved("guesses/guess?seed=1")
    assert (target.executor, target.fingerprint, target.is_remote) == ("thread", None, False)


@pytest.mark.parametrize(
    ("replies", "answer_format", "executor"),
    [
        ("x" * SHORT, "bare", "loop"),
        ("x" * (SHORT + 1), "bare", "worker"),
        (["x" * SHORT, "x"], "bare", "worker"),
        ("x" * (SHORT + 1) + "<answer>1</answer>", "tags", "loop"),
        ("x" * (LONG["tags"] + 1) + "<answer>1</answer>", "tags", "worker"),
        ("x" * (SHORT + 1) + "\\boxed{1}", "boxed", "worker"),
        ("<think>" + "x" * SHORT + "</think>1", "bare", "loop"),
    ],
)
def test_long_replies_are_judged_by_workers_unless_little_is_left_of_them(
    replies, answer_format, executor
):
    assert QUICK.executor_for(replies, answer_format) == executor


def test_replies_have_an_end():
    with pytest.raises(InvalidRequest, match="together"):
        QUICK.executor_for(["x" * TRANSCRIPT, "x"], "bare")
