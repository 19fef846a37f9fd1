"""What the verifier of an exported task makes of what an agent left."""

import json
import os

import pytest

from palaestra.address import Address
from palaestra.cli import main as palaestra_command
from palaestra.task import JudgeError, Score
from palaestra.trainers.harbor import scoring

PUZZLE = Address.of("logic/knights_and_knaves", 3)
GAME = Address.of("games/mastermind", 3)


@pytest.fixture
def verify(tmp_path):
    """Runs the verifier on a task; the exit code, the reward and the attempt."""

    def run(**task):
        (tmp_path / "task.json").write_text(json.dumps(task))
        out = tmp_path / "logs"
        code = scoring.main(["--task", str(tmp_path / "task.json"), "--out", str(out)])
        files = [out / "reward.json", out / "attempt.json"]
        return code, *(json.loads(f.read_text()) if f.exists() else None for f in files)

    return run


def solution(address):
    return list(address.task().solve())


def test_a_right_answer_with_a_line_break_at_its_end(tmp_path, verify):
    (tmp_path / "answer.txt").write_text(solution(PUZZLE)[0] + "\n")
    code, reward, attempt = verify(address=str(PUZZLE), answer=str(tmp_path / "answer.txt"))
    assert (code, reward) == (0, {"reward": 1.0, "correct": 1})
    assert attempt["value"] == 1
    assert attempt["address"] == str(PUZZLE)


def test_a_partial_score_is_the_reward(tmp_path, verify, monkeypatch):
    monkeypatch.setattr(scoring, "attempt", lambda *_: Score(0.25, "some of it", {"rows": 0.5}))
    code, reward, attempt = verify(address=str(PUZZLE), answer=str(tmp_path / "answer.txt"))
    assert (code, reward) == (0, {"reward": 0.25, "correct": 0})
    assert (attempt["reason"], attempt["parts"]) == ("some of it", {"rows": 0.5})


def left_nothing(file):
    pass


def left_a_folder(file):
    file.mkdir()


def left_a_pipe(file):
    os.mkfifo(file)


def left_a_link(file):
    file.with_name("solution.txt").write_text(solution(PUZZLE)[0])
    file.symlink_to(file.with_name("solution.txt"))


def left_bytes(file):
    file.write_bytes(b"\xff\xfe\x00" * 100)


def left_much(file):
    file.write_text("a" * 3_000_000)


@pytest.mark.parametrize(
    "leave", [left_nothing, left_a_folder, left_a_pipe, left_a_link, left_bytes, left_much]
)
def test_anything_but_an_answer_earns_0(leave, tmp_path, verify):
    leave(tmp_path / "answer.txt")
    code, reward, attempt = verify(address=str(PUZZLE), answer=str(tmp_path / "answer.txt"))
    assert (code, reward) == (0, {"reward": 0.0, "correct": 0})
    assert attempt["status"] in {"no_answer", "malformed", "limit", "scored"}
    assert len(attempt["replies"]) <= scoring.LONGEST


def test_the_replies_of_an_episode(tmp_path, verify):
    log = tmp_path / "episode.json"
    log.write_text(json.dumps({"replies": solution(GAME)}))
    assert verify(address=str(GAME), episode=str(log))[1]["reward"] == 1
    log.write_text(json.dumps({"replies": []}))
    code, reward, attempt = verify(address=str(GAME), episode=str(log))
    assert (code, reward["reward"], attempt["status"]) == (0, 0, "no_answer")


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"replies": 3}', '{"replies": [3]}'])
def test_without_a_log_there_is_no_reward(text, tmp_path, verify, capsys):
    if text is not None:
        (tmp_path / "episode.json").write_text(text)
    assert verify(address=str(GAME), episode=str(tmp_path / "episode.json")) == (1, None, None)
    assert "no log of an episode" in capsys.readouterr().err


def test_a_judge_that_fails_gives_no_reward(tmp_path, verify, monkeypatch, capsys):
    monkeypatch.setattr(scoring, "attempt", lambda *_: JudgeError("out of memory"))
    (tmp_path / "answer.txt").write_text("x")
    assert verify(address=str(PUZZLE), answer=str(tmp_path / "answer.txt")) == (1, None, None)
    assert "out of memory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "task", [{}, {"address": "no/such?seed=1", "answer": "x"}, {"answer": "x"}]
)
def test_a_task_that_cannot_be_scored_gives_no_reward(task, verify):
    assert verify(**task) == (1, None, None)


def test_the_attempt_can_be_scored_again(tmp_path, verify, monkeypatch, capsys):
    (tmp_path / "answer.txt").write_text(solution(PUZZLE)[0])
    verify(address=str(PUZZLE), answer=str(tmp_path / "answer.txt"))
    capsys.readouterr()
    with (tmp_path / "logs/attempt.json").open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        with pytest.raises(SystemExit) as end:
            palaestra_command(["score"])
    assert not end.value.code
    assert json.loads(capsys.readouterr().out)["value"] == 1
