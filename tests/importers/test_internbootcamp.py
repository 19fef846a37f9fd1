"""Bootcamps in the shape that InternBootcamp publishes, which cannot be installed here."""

import json

import pytest

import palaestra
from palaestra.address import StaleVersion
from palaestra.task import JudgeError
from palaestra.workers.pool import workers

BASE = """
class Basebootcamp:
    @classmethod
    def verify_score(cls, model_output, identity, format_score=0):
        score = 0.0
        try:
            solution = cls.extract_output(model_output)
            if solution is None:
                return score
            score = float(cls._verify_correction(solution, identity))
        except Exception:
            pass
        return score
"""

CAMPS = """
import random
import re
import subprocess

from internbootcamp.base import Basebootcamp


class WordSumbootcamp(Basebootcamp):
    def __init__(self, size=3, most=9, span=None, hard=False):
        self.size = size
        self.least, self.most = span or (1, most)

    def case_generator(self):
        if self.size > 50:
            raise ValueError("too many")
        numbers = [random.randint(self.least, self.most) for _ in range(self.size)]
        return {"numbers": tuple(numbers), "sum": sum(numbers)}

    @staticmethod
    def prompt_func(case):
        wish = random.choice(["Add up", "Sum"])
        return f"{wish} {' '.join(map(str, case['numbers']))}: [answer]…[/answer]\\n"

    @staticmethod
    def extract_output(output):
        marked = re.findall(r"\\[answer\\](.*?)\\[/answer\\]", output, re.DOTALL)
        return int(marked[-1]) if marked else None

    @classmethod
    def _verify_correction(cls, solution, identity):
        assert type(identity["numbers"]) is list  # cases are stored as JSON
        return solution == identity["sum"]


class Freebootcamp(WordSumbootcamp):
    def __init__(self):
        super().__init__()


class Seededbootcamp(WordSumbootcamp):
    def __init__(self, seed=42, level=3, levels=9, most=float("inf")):
        super().__init__()
        random.seed(seed)


class Brokenbootcamp(WordSumbootcamp):
    @classmethod
    def verify_score(cls, model_output, identity):
        raise RuntimeError("no judge")


class Endlessbootcamp(WordSumbootcamp):
    @classmethod
    def _verify_correction(cls, solution, identity):
        while solution:
            pass
        return False


def value_of(text):
    return eval(text)


class Evaluatingbootcamp(WordSumbootcamp):
    @staticmethod
    def extract_output(output):
        return value_of(output)


class Checker:
    def right(self, solution):
        return subprocess.run(solution)


class Runningbootcamp(WordSumbootcamp):
    @classmethod
    def _verify_correction(cls, solution, identity):
        return Checker().right(solution)


class Emptybootcamp(WordSumbootcamp):
    def case_generator(self):
        raise ValueError("nothing to draw")
"""


@pytest.fixture
def package(folder, monkeypatch):
    """A package that is laid out as the published one, on the path of all processes."""
    modules = folder / "modules"
    about = modules / "internbootcamp-0.1.0.dist-info"
    for each in (modules / "internbootcamp", about):
        each.mkdir(parents=True)
    (modules / "internbootcamp/base.py").write_text(BASE)
    (modules / "internbootcamp/camps.py").write_text(CAMPS)
    (modules / "internbootcamp/__init__.py").write_text("from .camps import *\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: internbootcamp\nVersion: 0.1.0\n")
    monkeypatch.syspath_prepend(str(modules))
    forget()
    yield modules / "internbootcamp"
    forget()


def forget():
    from palaestra.importers.internbootcamp import files, release_of

    workers().close()
    files._camps.cache_clear()
    release_of.cache_clear()
    palaestra.address._drawn.cache_clear()


def right(address):
    numbers = address.task().question.partition(":")[0].split()
    return sum(int(each) for each in numbers if each.isdigit())


def test_a_bootcamp_draws_and_judges(package, command):
    code, out, err = command("import", "internbootcamp", "--only", "word_sum", "--json")
    assert code == 0, err
    (row,) = map(json.loads, out.splitlines())
    assert (row["name"], row["levels"], row["floor"]) == ("bootcamp/word_sum", 1, 0)
    assert "no solutions" in row["warning"]
    address = palaestra.Address.of("bootcamp/word_sum", seed=3)
    reply = f"So [answer]{right(address)}[/answer]"
    assert palaestra.score(address, reply, "bare").correct
    wrong = palaestra.score(address, "[answer]0[/answer]", "bare")
    assert (wrong.value, wrong.reason) == (0, "the reward of WordSumbootcamp is 0")
    assert palaestra.score(address, "[answer]x[/answer]", "bare").value == 0
    assert "sum" not in json.loads(address.task().model_dump_json())


def test_tasks_are_equal_in_other_processes(package, command):
    command("import", "internbootcamp", "--only", "word_sum", "--no-measure")
    addresses = [palaestra.Address.of("bootcamp/word_sum", seed) for seed in range(6)]
    before = [address.task().question for address in addresses]
    forget()
    assert [address.task().question for address in reversed(addresses)] == before[::-1]
    assert len({*before}) == 6
    assert palaestra.Address.of("bootcamp/word_sum", 1, size=3, most=9).task().question


def test_names_of_addresses_are_no_knobs(package, command):
    """And a bootcamp that has a seed of its own is given that of the task."""
    assert command("import", "internbootcamp", "--only", "seeded", "--no-measure")[0] == 0
    assert [*palaestra.load("bootcamp/seeded").Knobs.ladders()] == ["variant"]
    addresses = [palaestra.Address.of("bootcamp/seeded", seed) for seed in range(3)]
    assert len({address.task().question for address in addresses}) == 3


def test_the_published_lists_of_arguments_are_levels(package, command, folder):
    configs = folder / "all_configs"
    configs.mkdir()
    lists = [{"size": 2}, {"size": 4, "span": [70, 99], "verbose": 1}, {"size": 99}]
    (configs / "WordSum_train.json").write_text(json.dumps(lists))
    options = ("--only", "word_sum", "--only", "free", "--configs", str(configs), "--no-measure")
    assert command("import", "internbootcamp", *options)[0] == 0
    environment = palaestra.load("bootcamp/word_sum")
    assert environment.configs == ({"size": 2}, {"size": 4, "span": [70, 99]})
    assert environment.Knobs.levels() == 2
    numbers = [
        [int(each) for each in words.partition(":")[0].split() if each.isdigit()]
        for words in (
            palaestra.Address.of("bootcamp/word_sum", 1, n).task().question for n in (0, 1)
        )
    ]
    assert [len(each) for each in numbers] == [2, 4]
    assert min(numbers[1]) >= 70
    address = palaestra.Address.of("bootcamp/word_sum", 1, 1)
    assert palaestra.score(address, f"[answer]{right(address)}[/answer]", "bare").correct
    assert palaestra.load("bootcamp/free").Knobs.levels() == 1
    code, _, err = command("import", "textarena", "--configs", str(configs))
    assert (code, "--configs is for internbootcamp" in err) == (2, True)


def test_judges_that_run_replies_are_not_imported(package, command):
    code, out, err = command("import", "internbootcamp", "--no-measure", "--json")
    assert code == 0
    names = {json.loads(line)["name"] for line in out.splitlines()}
    assert names == {
        f"bootcamp/{name}" for name in ("word_sum", "free", "seeded", "broken", "endless")
    }
    shown = " ".join(err.split())
    assert "evaluating cannot be imported: its judge calls eval" in shown
    assert "running cannot be imported: its judge calls run" in shown
    assert "empty cannot be imported: it draws no case: ValueError: nothing to draw" in shown
    code, _, err = command("import", "internbootcamp", "--only", "running", "--replace")
    assert code == 2
    assert "its judge calls run" in err


def test_a_judge_that_fails_gives_no_score(package, command):
    command("import", "internbootcamp", "--only", "broken", "--no-measure")
    address = palaestra.Address.of("bootcamp/broken", seed=3)
    score = palaestra.scoring.attempt(address, "[answer]1[/answer]", "bare")
    assert isinstance(score, JudgeError)
    assert "no judge" in score.reason


@pytest.mark.slow
def test_a_judge_that_takes_long_gives_no_score(package, command):
    """Though it catches all exceptions, and would give 0."""
    command("import", "internbootcamp", "--only", "endless", "--no-measure")
    address = palaestra.Address.of("bootcamp/endless", seed=3)
    score = palaestra.scoring.attempt(address, "[answer]1[/answer]", "bare")
    assert isinstance(score, JudgeError)
    assert "3 seconds" in score.reason
    assert palaestra.score(address, "[answer]0[/answer]", "bare").value == 0


def test_a_bootcamp_that_has_changed_is_refused_until_it_is_imported_again(package, command):
    """The published package has the version 0.1.0 whatever it holds."""
    command("import", "internbootcamp", "--only", "word_sum", "--no-measure")
    address = palaestra.Address.of("bootcamp/word_sum", seed=3)
    address.task()
    (package / "camps.py").write_text(CAMPS.replace("Add up", "Add"))
    forget()
    with pytest.raises(StaleVersion, match="--replace"):
        address.task()
    options = ("--only", "word_sum", "--no-measure")
    assert command("import", "internbootcamp", *options)[0] == 2
    assert command("import", "internbootcamp", *options, "--replace")[0] == 0
    assert palaestra.Address.of("bootcamp/word_sum", seed=3).version == 2


def test_what_is_not_there_is_stated_in_one_line(package, command):
    code, _, err = command("import", "internbootcamp", "--only", "wordsum")
    assert (code, "did you mean word_sum?" in err) == (2, True)


def test_without_the_package_the_command_says_how_to_install_it(command):
    code, _, err = command("import", "internbootcamp")
    assert code == 2
    assert "pip install git+https://github.com/InternLM/InternBootcamp" in " ".join(err.split())
