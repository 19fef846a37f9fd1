"""Scoring one, many and groups."""

import os

import pytest

import palaestra
from palaestra import Address, EpisodeOver, Item, JudgeError, Puzzle, Score
from palaestra.episode import ANSWER_FORMATS, BARE, TAGS, Episode
from palaestra.scoring import (
    addresses,
    attempt,
    judged_at,
    opening,
    score_group,
    score_many,
    tasks,
)
from palaestra.workers.pool import workers

KNIGHTS = "logic/knights_and_knaves"
ADDRESS = Address.of(KNIGHTS, seed=5, level=2)
RIGHT = TAGS.write(ADDRESS.task().answer())


def test_a_task_goes_by_itself_its_address_or_its_text():
    for task in (ADDRESS, str(ADDRESS), ADDRESS.task()):
        assert palaestra.score(task, RIGHT) == Score(1)
        assert palaestra.score(task, [RIGHT]) == Score(1)


def test_replies_that_stop_short_score_0_and_too_many_are_an_error():
    short = palaestra.score("games/mastermind?seed=1", ["<answer>1</answer>"])
    assert (short.value, short.status) == (0, "no_answer")
    with pytest.raises(EpisodeOver):
        palaestra.score(ADDRESS, [RIGHT, RIGHT])


def test_no_more_replies_are_taken_than_show_that_there_are_too_many():
    endless = iter(lambda: RIGHT, None)
    with pytest.raises(EpisodeOver, match="after 1 replies"):
        palaestra.score(ADDRESS, endless)
    assert palaestra.score(ADDRESS, iter([RIGHT])) == Score(1)
    assert palaestra.score(ADDRESS, iter([])).status == "no_answer"


def outcomes(task, reply, answer_format):
    """What each way to score says of a reply: value, status, reason, parts and the move."""
    row = judged_at(task, reply, answer_format.name)
    yield tuple(row[name] for name in ("value", "status", "reason", "parts", "extracted"))
    (here,) = score_many([Item(task, [reply], answer_format)], workers=0)
    for result in (attempt(task, reply, answer_format), here):
        yield result.value, result.status, result.reason, result.parts, row["extracted"]


def played(task, reply, answer_format):
    """The same where the puzzle is put into words and the reply is a step of the episode."""
    try:
        episode = Episode(task, answer_format, [reply])
    except JudgeError as fault:
        return fault.value, fault.status, fault.reason, {}, None
    score = episode.result()
    return score.value, score.status, score.reason, score.parts, episode.moves[-1][:2_000]


JUNK = (
    *("", " ", "no", "{}", "[1, 2]", "$\\frac12$", "1\n2", "```\n```", "0" * 5_000, "[" * 3_000),
    *("\ud800", "<answer>1</answer><answer>2</answer>", "<answer>", "\\boxed{", "<think>1"),
)


@pytest.mark.parametrize("category", sorted({name.partition("/")[0] for name in palaestra.names()}))
def test_puzzles_are_judged_as_if_they_were_played(category):
    """One reply to a puzzle is judged without its question; it comes to the same."""
    right = 0
    puzzles = [
        (name, palaestra.load(name))
        for name in palaestra.names()
        if name.startswith(f"{category}/") and issubclass(palaestra.load(name), Puzzle)
    ]
    for name, kind in puzzles:
        if "sandboxed" in kind.tags:
            continue
        task = Address.of(name, seed=3).task()
        other = Address.of(name, seed=4, level=1).task().answer()
        answer, long = task.answer(), "x" * (task.longest + 1)
        for answer_format in ANSWER_FORMATS.values():
            for move in (answer, f"${answer}$", f"{answer}.", other, long, *JUNK):
                for reply in {move, answer_format.write(move)}:
                    expected = played(task, reply, answer_format)
                    for result in outcomes(task, reply, answer_format):
                        assert result == expected, (name, answer_format.name, reply[:80])
                    right += expected[0] == 1
    assert right >= 3 * sum("sandboxed" not in kind.tags for _, kind in puzzles)


def test_a_puzzle_is_scored_without_its_question(monkeypatch):
    """In every way to score, those of the adapters for trainers among them."""
    from palaestra.trainers import openrlhf, trl, verl

    def prompt(_):
        raise AssertionError("the question was put")

    monkeypatch.setattr(palaestra.load(KNIGHTS), "prompt", prompt)
    text = str(ADDRESS)
    assert palaestra.score(text, RIGHT).value == attempt(ADDRESS, [RIGHT]).value == 1
    assert [result.value for result in score_many([(text, RIGHT), (text, "no")])] == [1, 0]
    assert score_group(text, [RIGHT, "no"], transforms=["mean"]).transforms == {"mean": 0.5}
    assert judged_at(text, RIGHT, "tags")["value"] == 1
    assert verl.compute_score("palaestra/x", RIGHT, text)["score"] == 1
    assert trl.reward([RIGHT, "no"], address=[text] * 2) == [1, 0]
    assert [score.value for score in openrlhf._scored([Item(text, RIGHT)])] == [1]


def test_styles():
    bare = ADDRESS.task().answer()
    assert (
        palaestra.score(ADDRESS, bare, "bare") == palaestra.score(ADDRESS, bare, BARE) == Score(1)
    )
    assert palaestra.score(ADDRESS, f"\\boxed{{{bare}}}", "boxed") == Score(1)


def test_a_failing_item_does_not_fail_the_others():
    results = score_many(
        [(ADDRESS, RIGHT), ("nothing/here", RIGHT), Item(ADDRESS, "no"), (ADDRESS, RIGHT, "loud")]
    )
    assert [result.value for result in results] == [1, None, 0, None]
    assert "no environment" in results[1].reason
    assert isinstance(results[3], JudgeError)
    assert score_many([]) == []


UNFAIR = '''"""A puzzle of a test."""

from palaestra.task import Puzzle, Score, ladder


class Never(Puzzle):
    """It is never fair, and at the second level it cannot even be drawn."""

    tags = {"test"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(1, 2, 3)

    @classmethod
    def generate(cls, rng, knobs):
        return cls(wording=knobs.size // 2 * 1_000)

    def is_valid(self):
        return False

    def prompt(self):
        return "?"

    def answer(self):
        return "!"

    def verify(self, answer):
        return Score(1)
'''


def test_a_task_that_cannot_be_drawn_does_not_fail_the_others(other_distribution):
    other_distribution("unfair", {"never": UNFAIR})
    items = [("unfair/never", "x"), ("unfair/never?level=1", "x"), (ADDRESS, RIGHT)]
    invalid, broken, fine = score_many(items)
    assert "no valid task" in invalid.reason
    assert isinstance(broken, JudgeError)
    assert fine.value == 1


class Broken(Puzzle):
    """A puzzle whose verifier is at fault."""

    unscored: bool = False

    @classmethod
    def generate(cls, rng, knobs):
        return cls()

    def prompt(self):
        return "?"

    def answer(self):
        return "!"

    def verify(self, answer):
        if self.unscored:
            raise JudgeError("the gold cannot be read", "gold_error")
        raise ZeroDivisionError(answer)


def test_a_fault_of_ours_is_never_a_0():
    fault = attempt(Broken(), "1", BARE)
    assert isinstance(fault, JudgeError)
    assert fault.reason == "ZeroDivisionError: 1"
    assert attempt(Broken(unscored=True), "1", BARE).status == "gold_error"
    with pytest.raises(JudgeError):
        palaestra.score(Broken(unscored=True), "1", BARE)


def pid_of(result):
    """The process that judged, as the heavy environment of these tests says."""
    return int(result.reason.removeprefix("judged by "))


def test_heavy_environments_are_judged_by_worker_processes(expensive):
    task = palaestra.load(expensive)(number=7)
    results = score_many([Item(task, str(n % 10), BARE) for n in range(40)], workers=2)
    assert [result.value for result in results] == [float(n % 10 == 7) for n in range(40)]
    judges = {pid_of(result) for result in results}
    assert os.getpid() not in judges
    assert len(judges) <= 2
    here = score_many([Item(task, "7", BARE)], workers=0)
    assert pid_of(here[0]) == os.getpid()


@pytest.mark.parametrize("answer_format", ["tags", "boxed", "bare", TAGS])
def test_heavy_replies_are_read_over_there_as_here(expensive, answer_format):
    address = Address.of(expensive, seed=3)
    text = Episode(address.task(), answer_format).answer_format.write(address.task().answer())
    items = [Item(address, reply, answer_format) for reply in (text, [text], "\ud800", "", [])]
    away, here = score_many(items), score_many(items, workers=0)
    assert [result.value for result in away] == [1, 1, 0, 0, 0]
    assert [(a.value, a.status) for a in away] == [(h.value, h.status) for h in here]
    assert pid_of(away[0]) != os.getpid()


def test_a_style_or_class_that_others_cannot_find_is_judged_here(expensive, monkeypatch):
    task = palaestra.load(expensive)(number=7)
    own = BARE._replace(name="own", read=lambda reply: reply.strip("*"))
    (result,) = score_many([Item(task, "*7*", own)])
    assert (result.value, pid_of(result)) == (1, os.getpid())
    monkeypatch.setattr(type(task), "__module__", "__main__")
    (result,) = score_many([Item(task, "7", BARE)])
    assert (result.value, pid_of(result)) == (1, os.getpid())


def test_faults_over_there_are_unscored_as_here(expensive):
    task = palaestra.load(expensive)(number=7)
    raised, gold, exited, endless = score_many(
        [Item(task, reply, BARE) for reply in ("raise", "gold", "exit", "7")]
    )
    assert (raised.value, raised.reason) == (None, "ZeroDivisionError: raise")
    assert (gold.value, gold.reason, gold.status) == (None, "the gold is lost", "gold_error")
    assert (exited.value, exited.reason) == (None, "SystemExit: 3")
    assert endless.value == 1
    (over,) = score_many([Item(task, ["7", "7"], BARE)])
    assert over.reason.startswith("EpisodeOver")


@pytest.mark.parametrize("fault", ["die", "hang"])
def test_a_lost_worker_fails_only_its_own_reply(fault, expensive, monkeypatch):
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 3)
    task = palaestra.load(expensive)(number=7)
    items = [Item(task, fault if n == 70 else "7", BARE) for n in range(120)]
    results = score_many(items, workers=2)
    assert [n for n, result in enumerate(results) if result.value != 1] == [70]
    assert isinstance(results[70], JudgeError)
    assert results[70].status == "infra_error"
    assert "try again" in results[70].reason
    assert score_many(items[:3], workers=2)[0].value == 1


def test_a_worker_that_hangs_is_killed(expensive, monkeypatch):
    task = palaestra.load(expensive)(number=7)
    (first,) = score_many([Item(task, "7", BARE)])
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 0.5)
    (hung,) = score_many([Item(task, "hang", BARE)])
    assert isinstance(hung, JudgeError)
    workers().close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid_of(first), 0)


def test_groups():
    group = score_group(
        ADDRESS,
        [RIGHT, "no", [RIGHT], "no"],
        transforms=["mean", "best", "pass@2", "leave_one_out"],
    )
    assert [score.value for score in group.scores] == [1, 0, 1, 0]
    assert group.transforms["mean"] == 0.5
    assert group.transforms["best"] == 1
    assert group.transforms["pass@2"] == pytest.approx(5 / 6)
    assert group.transforms["leave_one_out"] == pytest.approx([2 / 3, -2 / 3, 2 / 3, -2 / 3])


@pytest.mark.parametrize("name", ["pass@0", "pass@3", "pass@x", "pass", "median", "", "mean@2"])
def test_unknown_transforms_are_told(name):
    with pytest.raises(ValueError, match="a transform is"):
        score_group(ADDRESS, [RIGHT, "no"], transforms=[name])


def test_transforms_that_go_by_the_answers():
    worded = f"I think so: {RIGHT}"
    group = score_group(
        ADDRESS, [RIGHT, worded, "no", [RIGHT]], transforms=["majority", "distinct", "diversity"]
    )
    assert group.transforms == {
        "majority": 1.0,
        "distinct": 1,
        "diversity": [1 / 3, 1 / 3, 0.0, 1 / 3],
    }


def test_drawing():
    drawn = tasks(KNIGHTS, range(3), level=1, split="eval", answer_format="boxed", people=4)
    assert [Address.parse(task.address).seed for task in drawn] == [2**31 + n for n in range(3)]
    assert all("people=4" in task.address for task in drawn)
    assert drawn[0].messages[0]["content"].endswith("\\boxed{}.")
    tools = opening(Address.of("tools/meeting_desk")).tools
    assert {"type", "function"} == tools[0].keys()
    assert [address.seed for address in addresses(KNIGHTS, [4, 2])] == [4, 2]
