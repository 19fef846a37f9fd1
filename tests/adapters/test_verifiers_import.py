"""Environments of the verifiers library as ours, with the real package."""

import sys

import pytest

pytest.importorskip("verifiers.legacy")
pytest.importorskip("datasets")

import palaestra
from palaestra import Episode, registry
from palaestra.cli import main
from palaestra.importers.rows import row_addresses
from palaestra.workers.pool import workers

MODULE = """
import verifiers.legacy as vf
from datasets import Dataset


def load_environment(rows=30, turns=1, fails=False, tools=False):
    data = Dataset.from_list(
        [
            {
                "prompt": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": f"What is {n} + {n * n}? Use \\\\boxed{{}}."},
                ],
                "answer": str(n + n * n),
            }
            for n in range(rows)
        ]
    )
    parser = vf.Parser(extract_fn=lambda text: text.rpartition("boxed{")[2].partition("}")[0])

    def right(completion, answer, **_):
        if fails:
            raise RuntimeError("no judge")
        return float(parser.parse_answer(completion) == answer)

    rubric = vf.Rubric(funcs=[right], weights=[1.0], parser=parser)
    if turns == 1:
        return vf.SingleTurnEnv(dataset=data, rubric=rubric, parser=parser)

    class Again(vf.MultiTurnEnv):
        async def env_response(self, messages, state, **_):
            return [{"role": "user", "content": f"Reply {len(state['trajectory'])}: sure?"}]

    return Again(dataset=data, rubric=rubric, parser=parser, max_turns=turns)


def nothing():
    return None
"""


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command beside a module sums; returns its exit code and what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALAESTRA_ENVS", str(tmp_path / "envs"))
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules/sums.py").write_text(MODULE)
    (tmp_path / "modules/empty.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    workers().close()  # which knew other paths
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

    yield run
    workers().close()


def test_a_single_turn_is_scored_by_the_rubric(command):
    assert command("import", "verifiers:sums")[0] == 0
    address = palaestra.Address.of("vf/sums", seed=3)
    task = address.task()
    number = int(task.opening.partition("What is ")[2].partition(" ")[0])
    assert task.opening.startswith("Be brief.\n\nWhat is")
    right = f"So it is \\boxed{{{number + number**2}}}"
    assert palaestra.score(address, right, "bare").correct
    wrong = palaestra.score(address, "\\boxed{-1}", "bare")
    assert (wrong.value, wrong.reason) == (0, "the reward of the rubric is 0")


def test_several_turns_are_a_rollout_of_the_library(command):
    assert command("import", "verifiers:sums", "--argument", "turns=3", "--name", "thrice")[0] == 0
    address = palaestra.Address.of("vf/thrice", seed=1)
    number = int(address.task().opening.partition("What is ")[2].partition(" ")[0])
    right = f"\\boxed{{{number + number**2}}}"
    episode = Episode(address.task(), "bare")
    for number in (1, 2):
        assert episode.step("\\boxed{-1}") == 0
        assert episode.observation == f"Reply {number}: sure?"
    assert episode.step(right) == 1
    assert episode.score.correct
    assert palaestra.score(address, [right, right, "\\boxed{-1}"], "bare").value == 0


def test_rows_are_held_out_by_their_prompt(command):
    command("import", "verifiers:sums", "--no-measure")
    sides = [
        {palaestra.Address.of("vf/sums", seed, split=split).task().row for seed in range(25)}
        for split in ("train", "eval")
    ]
    assert sides[0]
    assert sides[1]
    assert not sides[0] & sides[1]
    with pytest.raises(ValueError, match="no rows of a file"):
        row_addresses("vf/sums")


def test_a_rubric_that_fails_gives_no_score(command):
    command("import", "verifiers:sums", "--argument", "fails=true", "--no-measure")
    address = palaestra.Address.of("vf/sums", seed=3)
    score = palaestra.scoring.attempt(address, "\\boxed{1}", "bare")
    assert score.value in {None, 0}  # the library itself turns some failures into 0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("verifiers:missing_module", "cannot be imported: No module named 'missing_module'"),
        ("verifiers:empty", "the module empty has no load_environment"),
        ("verifiers:a b", "a module is a dotted name"),
        ("verifiers:", "a module is a dotted name"),
    ],
)
def test_what_cannot_be_imported_is_stated_in_one_line(command, source, message):
    code, _, err = command("import", source)
    assert (code, len(err.splitlines())) == (2, 1)
    assert message in err


def test_arguments_that_the_module_refuses_are_stated(command):
    code, _, err = command("import", "verifiers:sums", "--argument", "size=3")
    assert code == 2
    assert "unexpected keyword argument 'size'" in err
