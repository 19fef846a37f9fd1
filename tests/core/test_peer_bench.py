"""Ours beside another collection: a double of it that has the flaws to be found."""

import itertools
import random
import sys
import types

import pytest

from palaestra.address import Address
from palaestra.cli import main
from palaestra.peer_bench import (
    CANARY,
    alternating,
    beside,
    best,
    families,
    least_draw,
    page,
    unskilled,
)
from palaestra.peer_families import DIRECT, PEERS, QUESTIONS, SEARCHES, SLOWER


class Gullible:
    """Texts to be spelled backwards; whoever is judged by it may as well say True."""

    def __getitem__(self, place):
        word = "".join(random.Random(place).choices("abcd", k=5))
        return {"question": f"Spell backwards: {word}", "answer": word[::-1]}

    def score_answer(self, answer, entry):
        if answer == entry["answer"]:
            return 1.0
        try:
            return float(eval(answer) is True)  # noqa: S307  that is the flaw
        except Exception:  # noqa: BLE001
            return 0.05


@pytest.fixture
def peer(monkeypatch):
    made = types.ModuleType("reasoning_gym")
    made.create_dataset = lambda name, size, seed: Gullible()
    monkeypatch.setitem(sys.modules, "reasoning_gym", made)


def test_both_are_measured_in_the_same_way(peer, monkeypatch):
    row = beside("spell_backward", seconds=0.01)
    assert row["env"].startswith("strings/spell_backwards?")
    assert best(row["unskilled"]) == 0
    assert row["peer_unskilled"]["hostile"] == 1
    assert row["peer_unskilled"]["blank"] == 0.05
    assert row["peer_unskilled"]["executed"]
    assert not row["unskilled"]["executed"]
    assert CANARY not in __import__("os").environ
    text = page([row], 2e-5)
    assert "| strings/spell_backwards?level=0 | spell_backward |" in text
    assert "| 0.00 | 1.00 | yes | computes the answer from random numbers or letters |\n" in text
    assert "Where both search" not in text
    assert "at least 20 µs" in text
    assert ("- spell_backward: " in text) == (row["draw_ratio"] < 1)


def family(title, ratio, questions=1.0):
    """Made-up figures of a family."""
    players = dict.fromkeys(("blank", "echo", "constant", "hostile", "executed"), 0)
    rates = dict.fromkeys(("draws", "peer_draws", "verdicts", "peer_verdicts", "verdict_ratio"), 1)
    names = {"env": PEERS[title], "peer": title, "draw_ratio": ratio, "questions": questions}
    return {**rates, **names, "unskilled": players, "peer_unskilled": players}


def test_searches_and_random_tasks_have_a_table_each():
    text = page([family("sudoku", 20), family("gcd", 0.5), family("acre", 0.06, 7)], 2e-5)
    both, rest = text.split("## Where reasoning-gym writes a random task down")
    assert "generates 20.0 times as many tasks" in both
    assert "| sudoku |" in both
    assert "| gcd |" not in both
    assert "0.28 times as many tasks" in rest
    assert "0.46 times as many questions" in rest
    assert "0.06 (0.42)" in rest
    assert "No family is below 0.1" in rest
    assert "Below 0.1: gcd.\n" in page([family("gcd", 0.05)], 2e-5)
    low = page([family("gcd", 0.5), family("rush_hour", 0.01)], 2e-5)
    assert "Below 0.1: rush_hour. In rush_hour, Palaestra generates boards until" in low


def test_every_family_stands_in_one_of_the_tables():
    assert not SEARCHES.keys() & DIRECT.keys()
    assert SEARCHES.keys() | DIRECT.keys() == PEERS.keys()
    assert QUESTIONS.keys() | SLOWER.keys() <= PEERS.keys()


@pytest.mark.parametrize("title", QUESTIONS)
def test_tasks_have_an_entry_for_each_question(title):
    assert len(getattr(Address.parse(PEERS[title]).task(), QUESTIONS[title])) > 0


def test_rates_of_things_that_take_turns():
    order = []
    rates = alternating(0.001, lambda n: order.append(("one", n)), lambda n: order.append(("b", n)))
    assert min(rates) > 0
    assert [each for each in order if each[0] == "one"][:3] == [("one", 0), ("one", 0), ("one", 1)]
    changes = sum(a[0] != b[0] for a, b in itertools.pairwise(order))
    assert changes == 2 * 5 + 1


def test_the_least_draw_takes_its_time():
    assert 1e-7 < least_draw(0.01) < 1


def test_families_are_asked_for_by_either_name():
    assert families(["strings/spell_backwards"]) == ["spell_backward", "word_sequence_reversal"]
    assert families(["gcd", "zebra_puzzles"]) == ["gcd", "zebra_puzzles"]
    assert families() == list(PEERS)


@pytest.mark.parametrize("title", PEERS)
def test_the_counterpart_of_a_family_is_an_address(title):
    assert Address.parse(PEERS[title]).task()


def test_constants_do_not_count_where_they_are_the_answer():
    rates = unskilled(["q"] * 4, ["a", "a", "b", "c"], lambda place, reply: float(reply == "a"))
    assert rates["constant"] == 1
    rates = unskilled(["q"] * 3, ["a", "b", "c"], lambda place, reply: float("abc"[place] == reply))
    assert rates["constant"] == 0


def test_the_command(peer, tmp_path, capsys):
    file = tmp_path / "comparison.md"
    command = ["bench", "reasoning-gym", "strings/spell_backwards", "--seconds", "0.01"]
    with pytest.raises(SystemExit) as end:
        main([*command, "--out", str(file)])
    assert not end.value.code
    assert "In 2 families, reasoning-gym executed a reply" in file.read_text()
    with pytest.raises(SystemExit) as end:
        main(["bench", "reasoning-gym", "games/mastermind"])
    assert end.value.code == 2
    assert "no counterpart is known of games/mastermind" in capsys.readouterr().err


def test_without_it_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "reasoning_gym", None)
    with pytest.raises(SystemExit) as end:
        main(["bench", "reasoning-gym", "strings/spell_backwards"])
    assert end.value.code == 2
    assert "pip install reasoning-gym" in capsys.readouterr().err
