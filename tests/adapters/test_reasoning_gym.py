"""Families of reasoning-gym, with the real package."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("reasoning_gym")

import palaestra
from palaestra import registry
from palaestra.address import StaleVersion
from palaestra.cli import main
from palaestra.importers.floors import floor_of
from palaestra.importers.folders import written_class
from palaestra.importers.processes import called
from palaestra.importers.reasoning_gym.files import chosen_families, file_text
from palaestra.importers.reasoning_gym.jail import bundle
from palaestra.rng import Rng
from palaestra.scoring import attempt
from palaestra.task import KnobError

FAMILIES = "palaestra.importers.reasoning_gym.families"
EVALUATING = [
    "binary_matrix", "bitwise_arithmetic", "countdown", "intermediate_integration", "n_queens",
    "number_sorting", "polynomial_multiplication", "puzzle24", "simple_integration",
    "spiral_matrix", "string_insertion",
]  # fmt: skip
HASHED = ["isomorphic_strings", "ransom_note", "word_ladder", "knight_swap"]
"""Families that draw from sets of texts, whose order depends on the hash seed."""

CANARY = "PALAESTRA_IMPORTER_CANARY"
HOSTILE = [
    f"__import__('os').environ.__setitem__('{CANARY}', '1')",
    "oracle_answer",
    "valid_solutions[0]",
    "print(1.0)",
    "exit(0)",
    "(lambda: 0)()",
    "[].__class__",
    "9**9**9**9",
    "Symbol('x').diff",
    "1.0",
    "'''",
    "(" * 500,
    "\ud800",
    "",
]


def task_of(family, seed=0, **chosen):
    """A task with the default configuration of a family."""
    defaults = called(f"{FAMILIES}:described", family, wall_s=300)["defaults"]
    ladders = {name: [value] for name, value in (defaults | chosen).items()}
    about = {"ladders": ladders, "defaults": {}}
    release = palaestra.importers.reasoning_gym._installed()
    text = file_text(family, "rg", release, 1, about, palaestra.importers.floors.Floor())
    task_type = written_class(text, f"rg/{family}")
    return task_type.sample(Rng(f"test {seed}"), task_type.Knobs.at(0), held_out=False)


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder; returns its exit code and what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALAESTRA_ENVS", str(tmp_path / "envs"))
    for name in [name for name in sys.modules if name.startswith(registry.LOCAL)]:
        del sys.modules[name]

    def run(*argv):
        capsys.readouterr()
        try:
            main(list(argv))
        except SystemExit as end:
            code = end.code or 0
        else:
            code = 0
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_the_package_is_not_imported_here():
    code = (
        "import sys, palaestra\n"
        "from palaestra.importers.reasoning_gym.files import chosen_families\n"
        "assert 'gcd' in chosen_families()\n"
        "assert 'reasoning_gym' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_every_family_has_a_level_and_only_these_evaluate_answers():
    families = chosen_families()
    assert len(families) == 105
    assert [name for name in families if called(f"{FAMILIES}:evaluates", name)] == EVALUATING


@pytest.mark.parametrize("family", [*HASHED, "codeio", "acre", "sokoban", "zebra_puzzles"])
def test_tasks_are_equal_in_other_processes(family):
    task = task_of(family)
    code = (
        "import sys, json\n"
        f"from {FAMILIES} import item\n"
        "print(json.dumps(item(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]))))"
    )
    settings = json.dumps(dict(task.settings))
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, family, settings, str(task.source_seed)],
        env=os.environ | {"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    item = json.loads(done.stdout.splitlines()[-1])
    assert item == {"question": task.question, "answer": task.answer()}


@pytest.mark.parametrize(
    "family", [*EVALUATING, "gcd", "sudoku", "zebra_puzzles", "time_intervals"]
)
def test_the_answer_of_the_package_scores_1_and_survives_json(family):
    task = type(first := task_of(family)).model_validate_json(first.model_dump_json())
    assert task == first
    assert task.verify(task.answer()).value == 1
    assert (
        task.answer() not in task.model_dump_json().replace(json.dumps(task.question)[1:-1], "")
        or len(task.answer()) < 3
    )


@pytest.mark.parametrize("family", EVALUATING)
def test_answers_are_not_executed_and_forge_no_score(family):
    os.environ.pop(CANARY, None)
    task = task_of(family)
    for answer in HOSTILE:
        score = attempt(task, [answer], "bare")
        assert score.value is not None, (answer, score)
        assert score.value <= 0.05, (answer, score)
    assert CANARY not in os.environ


def test_arithmetic_is_still_read_where_the_scorer_has_a_reader():
    task = task_of("puzzle24")
    answer = task.answer()
    assert task.verify(f"({answer})").value == 1
    assert task.verify(f"{answer} + 1").value < 0.1
    matrix = task_of("spiral_matrix")
    assert matrix.verify(f"[{', '.join(matrix.answer().split())}]").value == 0.1  # as a list


def test_the_sources_for_the_jail_hold_no_answers():
    sources = bundle("reasoning_gym.games.countdown")
    assert "def score_answer" in sources["reasoning_gym.games.countdown"]
    assert set(sources) == {
        "reasoning_gym", "reasoning_gym.coaching", "reasoning_gym.data", "reasoning_gym.dataset",
        "reasoning_gym.factory", "reasoning_gym.games", "reasoning_gym.games.countdown",
        "reasoning_gym.utils",
    }  # fmt: skip


def test_partial_credit_can_be_refused():
    task = task_of("countdown")
    assert task.verify("1 + 1").value > 0
    type(task).partial_credit = False
    assert task.verify("1 + 1").value == 0


def test_families_without_answers_have_no_solutions():
    task = task_of("propositional_logic")
    assert (task.answer(), list(task.solve())) == ("", [])
    floor = floor_of(type(task))
    assert floor.oracle is None
    assert "It has no solutions." in floor.warning


def test_long_answers_are_read():
    task = task_of("number_sorting", min_numbers=900, max_numbers=900)
    assert len(task.answer()) > 5_000
    assert palaestra.score(task, task.answer(), "bare").correct


def test_floors_are_measured():
    assert floor_of(type(task_of("coin_flip"))).oracle == 1
    high = floor_of(type(task_of("acre")))
    assert high.value > 0.05
    assert "Warning" in high.summary("acre")


def test_families_are_imported_sampled_and_scored(command, tmp_path):
    code, out, err = command("import", "reasoning-gym", "--only", "gcd", "--only", "acre", "--json")
    assert code == 0, err
    rows = {row["name"]: row for row in map(json.loads, out.splitlines())}
    assert rows.keys() == {"rg/gcd", "rg/acre"}
    assert rows["rg/acre"]["warning"]
    assert "Warning" in command("show", "rg/acre")[1]

    address = palaestra.Address.of("rg/gcd", seed=5, level=1)
    assert palaestra.Address.parse(str(address)) == address
    (answer,) = address.task().solve()
    assert palaestra.score(address, f"<answer>{answer}</answer>").correct
    assert not palaestra.score(address, "<answer>0</answer>").correct
    held_out = {palaestra.Address.of("rg/gcd", n, split="eval").task().question for n in range(9)}
    train = {palaestra.Address.of("rg/gcd", n).task().question for n in range(40)}
    assert not held_out & train
    with pytest.raises(KnobError, match="refuses these values"):
        palaestra.Address.of("rg/gcd", min_numbers=4, max_numbers=2).task()
    with pytest.raises(KnobError, match="there is no knob"):
        palaestra.Address.of("rg/gcd", numbers=4)

    code, _, err = command("import", "reasoning-gym", "--only", "gcd")
    assert (code, "--replace writes over it" in err) == (2, True)
    code, _, err = command("import", "reasoning-gym", "--only", "count_down")
    assert (code, "did you mean countdown" in err) == (2, True)


def test_over_http_no_answer_is_served(command):
    from fastapi.testclient import TestClient

    from palaestra.server.app import build

    command("import", "reasoning-gym", "--only", "lcm", "--no-measure")
    with TestClient(build()) as client:
        wish = {"env": "rg/lcm", "seeds": [1], "split": "train"}
        reply = client.post("/v1/tasks", json=wish)
        address = reply.json()["tasks"][0]["address"]
        (answer,) = palaestra.Address.parse(address).task().solve()
        body = {"address": address, "replies": [f"<answer>{answer}</answer>"]}
        assert client.post("/v1/score", json=body).json()["value"] == 1


def test_another_release_is_refused_and_imported_under_a_new_version(command, tmp_path):
    command("import", "reasoning-gym", "--only", "lcm", "--no-measure")
    file = tmp_path / "envs/rg/lcm.py"
    file.write_text(file.read_text().replace('release = "', 'release = "0.0.'))
    sys.modules.pop(f"{registry.LOCAL}.rg.lcm", None)
    registry._environment.cache_clear()
    with pytest.raises(StaleVersion, match="run `palaestra import reasoning-gym --replace`"):
        palaestra.Address.of("rg/lcm", 77).task()
    assert command("import", "reasoning-gym", "--only", "lcm", "--no-measure", "--replace")[0] == 0
    assert "    version = 2\n" in file.read_text()
