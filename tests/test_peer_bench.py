"""Ours beside another collection: a double of it that has the flaws to be found."""

import random
import sys
import types

import pytest

from palaestra.address import Address
from palaestra.bench import PEERS
from palaestra.cli import main
from palaestra.peer_bench import CANARY, beside, best, families, least_draw, page, unskilled


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
    told = beside("spell_backward", seconds=0.01)
    assert told["env"].startswith("strings/spell_backwards?")
    assert best(told["unskilled"]) == 0
    assert told["peer_unskilled"]["hostile"] == 1
    assert told["peer_unskilled"]["blank"] == 0.05
    assert told["peer_unskilled"]["executed"]
    assert not told["unskilled"]["executed"]
    assert CANARY not in __import__("os").environ
    text = page([told], 2e-5)
    assert "| strings/spell_backwards?level=0 | spell_backward |" in text
    assert "| 0.00 | 1.00 | yes |\n" in text
    assert "at least 20 µs" in text
    assert ("- spell_backward: " in text) == (told["draw_ratio"] < 1)


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
    told = unskilled(["q"] * 4, ["a", "a", "b", "c"], lambda place, reply: float(reply == "a"))
    assert told["constant"] == 1
    told = unskilled(["q"] * 3, ["a", "b", "c"], lambda place, reply: float("abc"[place] == reply))
    assert told["constant"] == 0


def test_the_command(peer, tmp_path, capsys):
    file = tmp_path / "comparison.md"
    command = ["bench", "reasoning-gym", "strings/spell_backwards", "--seconds", "0.01"]
    with pytest.raises(SystemExit) as end:
        main([*command, "--out", str(file)])
    assert not end.value.code
    assert "in 2 of theirs a reply was executed" in file.read_text()
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
