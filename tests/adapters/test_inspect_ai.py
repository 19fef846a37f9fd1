"""inspect_ai evaluates a model on our tasks, from Python and by its command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.scoring import opening
from palaestra.task import JudgeError
from palaestra.trainers import stepwise
from palaestra.trainers.inspect_ai import evaluation, outcome_of, scorer
from palaestra.trainers.rows import selected

ROOT = Path(__file__).parents[2]
WISH = "games/mastermind?level=2&split=eval&seeds=3:5 logic/knights_and_knaves?seeds=0:1"

pytestmark = pytest.mark.package("inspect_ai")


@pytest.fixture(autouse=True)
def offline(counting_offline):
    """No model of this file counts tokens."""


def plans(wish):
    for part in wish.split():
        for address in selected(part):
            asked = opening(address).messages[0]["content"]
            moves = Address.parse(str(address)).task().solve()
            yield asked, [ANSWER_FORMATS["tags"].write(move) for move in moves]


def player(known):
    """A mock model that plays as it is told, by how often it has spoken."""
    from inspect_ai.model import ModelOutput, get_model

    def reply(messages, tools, choice, config):
        turn = sum(message.role == "assistant" for message in messages)
        asked = next(message for message in messages if message.role == "user").text
        plan = known.get(asked, [])
        return ModelOutput.from_content("mockllm/model", plan[turn] if turn < len(plan) else "no")

    return get_model("mockllm/model", custom_outputs=reply)


def evaluated(task, model, tmp_path):
    from inspect_ai import eval as run

    (log,) = run(task, model=model, display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    return log


def mean_of(log):
    return log.results.scores[0].metrics["mean"].value


def test_a_perfect_player_scores_one(tmp_path):
    log = evaluated(evaluation(WISH), player(dict(plans(WISH))), tmp_path)
    assert mean_of(log) == 1.0
    assert len(log.samples) == 3
    turns = [sample.scores["palaestra_score"].metadata["turns"] for sample in log.samples]
    assert turns == [len(plan) for _, plan in plans(WISH)]
    assert log.samples[0].id.startswith("games/mastermind@1?")
    # No answer is written down: only what was asked, said and earned.
    assert not any(str(sample.target) for sample in log.samples)


def test_an_endpoint_words_what_users_say(tmp_path, user):
    wish = "tools/small_shop?seeds=3:5"
    log = evaluated(evaluation(wish, user=user.options), player(dict(plans(wish))), tmp_path)
    assert mean_of(log) == 1.0
    assert user.seen
    for sample in log.samples:
        words = sample.store["palaestra"]["user_words"]
        assert words
        assert not any(each["reason"] for each in words)
        read = "".join(str(message.content) for message in sample.messages)
        assert all(each["spoken"] in read for each in words)
    with pytest.raises(ValueError, match="both a base URL and a model"):
        evaluation(wish, user={"model": "user"})


def test_a_player_who_knows_nothing_scores_nothing(tmp_path):
    log = evaluated(evaluation(WISH, max_turns=2), player({}), tmp_path)
    assert mean_of(log) == 0.0
    scores = [sample.scores["palaestra_score"] for sample in log.samples]
    assert [score.metadata["turns"] for score in scores] == [2, 2, 1]
    assert scores[0].metadata["status"] == "limit"
    assert [score.metadata["outcome"] for score in scores] == ["limit", "limit", "unreadable"]
    assert [score.reason for score in scores] == ["limit", "limit", "invalid_response_format"]


def test_limits_of_inspect_leave_an_episode_unfinished(tmp_path):
    task = evaluation(WISH, message_limit=4)
    log = evaluated(task, player({}), tmp_path)
    assert mean_of(log) == 0.0


def test_what_cannot_be_scored_is_no_part_of_the_mean(tmp_path, monkeypatch):
    monkeypatch.setattr(stepwise, "score_many", lambda items: [JudgeError("the judge is away")])
    known = dict(plans(WISH))
    log = evaluated(evaluation(WISH), player(known), tmp_path)
    assert mean_of(log) == 1.0  # of the two games
    (fault,) = (s for s in log.samples if s.id.startswith("logic"))
    score = fault.scores["palaestra_score"]
    assert (score.reason, score.explanation) == ("scoring_failed", "unscored: the judge is away")
    assert score.metadata["status"] == "infra_error"
    assert log.results.scores[0].unscored_samples == 1


CASES = {
    "right": ("<answer>{}</answer>", "stop", 1.0, None),
    "wrong": ("<answer>{wrong}</answer>", "stop", 0.0, None),
    "unreadable": ("it is {}", "stop", 0.0, "invalid_response_format"),
    "cut": ("it could be <answer>", "max_tokens", 0.0, "truncated"),
    "silent": (" ", "stop", 0.0, "no_response"),
    "refused": ("I will not", "content_filter", 0.0, "refusal"),
}


@pytest.mark.parametrize("word", CASES)
def test_a_score_says_what_came_of_the_reply(word, tmp_path):
    from inspect_ai.model import ModelOutput, get_model

    text, stop, value, reason = CASES[word]
    wish = "arithmetic/game_of_24?seeds=3:4"
    (address,) = selected(wish)
    (right,) = address.task().solve()
    wrong = "\n".join(f"{n}: 1 + 1" for n, _ in enumerate(right.splitlines(), 1))
    reply = text.format(right, wrong=wrong)
    output = ModelOutput.from_content("mockllm/model", reply, stop_reason=stop)
    model = get_model("mockllm/model", custom_outputs=[output])
    (sample,) = evaluated(evaluation(wish), model, tmp_path).samples
    score = sample.scores["palaestra_score"]
    assert (score.metadata["outcome"], score.value, score.reason) == (word, value, reason)
    assert score.explanation.startswith(word)
    assert score.metadata["turns"] == 1
    if word != "right":
        assert right not in score.explanation


def test_parts_of_a_score_are_in_its_metadata(tmp_path):
    wish = "strings/word_ladder?seeds=3:4"
    log = evaluated(evaluation(wish), player(dict(plans(wish))), tmp_path)
    assert log.samples[0].scores["palaestra_score"].metadata["parts"]["progress"] == 1


def test_outcomes_without_a_model():
    assert outcome_of(0.5, "scored") == ("partial", None)
    assert outcome_of(0.0, "timeout") == ("timeout", "timeout")
    assert outcome_of(None, "gold_error") == ("unscored", "scoring_failed")


MATHS = '{"problem": "6 * 7?", "answer": 42}\n{"problem": "Half of 1?", "answer": "1/2"}\n'


def test_a_file_of_questions_is_judged_by_its_golds(tmp_path):
    file = tmp_path / "maths.jsonl"
    file.write_text(MATHS)
    task = evaluation(f"{file} {WISH}", answer_format="boxed")
    known = {sample.input: [r"\boxed{0.5}"] for sample in task.dataset if sample.target}
    assert [sample.target for sample in task.dataset][:3] == ["42", "1/2", ""]
    log = evaluated(task, player(known), tmp_path)
    assert [s.scores["palaestra_score"].value for s in log.samples][:2] == [0.0, 1.0]


def test_targets_of_a_task_of_ones_own_are_judged_by_our_scorer(tmp_path):
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate

    samples = [Sample(input=f"{gold}?", target=gold) for gold in ("1/2", "12 km/h", "41", "1/0")]
    replies = ["Answer: 0.5", r"\boxed{12\text{ km/h}}", r"\boxed{42}", "Answer: 1"]
    known = {sample.input: [reply] for sample, reply in zip(samples, replies)}
    task = Task(dataset=samples, solver=generate(), scorer=scorer())
    log = evaluated(task, player(known), tmp_path)
    assert [s.scores["palaestra_score"].value for s in log.samples][:3] == [1.0, 1.0, 0.0]
    assert log.results.scores[0].unscored_samples == 1


def test_the_command_finds_the_example(tmp_path, counting_offline):
    code = f"{counting_offline}\nfrom inspect_ai._cli.main import main\nmain()"
    done = subprocess.run(
        [
            *(sys.executable, "-c", code),
            *("eval", "examples/inspect_tasks.py", "--model", "mockllm/model"),
            *("-T", "tasks=logic/knights_and_knaves?split=eval&seeds=0:2", "--display", "none"),
            *("--log-dir", tmp_path, "--log-format", "json"),
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stdout + done.stderr
    (file,) = tmp_path.glob("*.json")
    log = json.loads(file.read_text())
    assert log["results"]["total_samples"] == 2
    assert log["results"]["scores"][0]["metrics"]["mean"]["value"] == 0.0
