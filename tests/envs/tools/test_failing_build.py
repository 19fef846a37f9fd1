"""Tests of tools/failing_build."""

import ast
import builtins
import json
import re
from collections.abc import Callable
from random import Random

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.failing_build import FailingBuild
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.failing_build.faults import FAULTS, broken
from palaestra.generators.tools.failing_build.judging import artefacts, other_data
from palaestra.generators.tools.failing_build.mending import features
from palaestra.generators.tools.failing_build.project import random_project
from palaestra.generators.tools.failing_build.reference import reference
from palaestra.generators.tools.shell.busy import UNAVAILABLE
from palaestra.toolbox import call

NAME = "tools/failing_build"


def instance(seed: int, level: int, **knobs: int) -> FailingBuild:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, FailingBuild)
    return task


@pytest.mark.parametrize(
    ("level", "seeds"), [(0, 24), (1, 16), (2, 8), (3, 6), (4, 4), (5, 3), (6, 3)]
)
def test_the_oracle_wins(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solve()).value == 1, (seed, level)


def test_each_fault_alone_stops_the_build_or_changes_its_output() -> None:
    for n, (name, (_, fault)) in enumerate(FAULTS.items()):
        for seed in range(3):
            rng = Random(seed + 10 * n)
            result = None
            while result is None:
                project = random_project(rng, 3, 8)
                result = fault(rng, project)
            files = result[0].whole() | result[1]
            right = artefacts(project.whole())
            assert right
            if name == "drift":
                assert artefacts(files)
                data = other_data(project.whole(), seed)
                assert artefacts(files | data) != artefacts(project.whole() | data)
            else:
                assert artefacts(files) is None, name


def test_several_faults_have_different_types() -> None:
    names, project = broken(Random(1), random_project(Random(1), 5, 10), 5, 2)
    assert len(set(names)) == len(names) == 5
    assert project != random_project(Random(1), 5, 10)


def test_the_reference_agrees_with_builds() -> None:
    for seed in range(40):
        files = dict(instance(seed, seed % 7).repaired)
        files |= other_data(files, seed)
        assert artefacts(files) == reference(files), seed


@pytest.mark.parametrize(
    "extra",
    [
        "rm -r tests",
        "echo 'def test_x(): pass' > tests/test_data.py",
        "echo \"print('build succeeded')\" > build.py",
        "echo 9.9.9 > VERSION",
        "echo >> docs/BUILD.md",
        "echo >> tools/pack.py",
        "rm data/*-*.csv",
        "echo Rome,1,2,3 >> $(ls data/*.csv | grep -v -e - | head -n 1)",
        "sed -i 's/LIMIT = ./LIMIT = 1/' src/*/settings.py",
    ],
)
def test_damage_and_wrong_repairs_earn_nothing(extra: str) -> None:
    for seed in range(2):
        task = instance(seed, 2)
        *moves, done = task.solve()
        assert score(task, *moves, extra, done).value == 0


def test_artefacts_that_are_written_without_a_build_earn_nothing() -> None:
    task = instance(3, 1)
    right = artefacts(dict(task.repaired))
    commands = [f"mkdir -p out dist\ncat > {p} <<'END'\n{text}END" for p, text in right.items()]
    assert score(task, *commands).value == 0


def test_each_single_repair_of_several_earns_nothing() -> None:
    task = instance(1, 3)
    moves = [move for move in task.solve() if "sed -i" in move]
    assert len(moves) >= 2
    for n in range(len(moves)):
        assert score(task, *(moves[:n] + moves[n + 1 :])).value == 0


def test_other_repairs_are_as_good() -> None:
    """Whole files as they should be, with leftovers of the build and of an editor beside them."""
    task = instance(2, 3)
    commands = [
        f"cat > {path} <<'END'\n{text}END"
        for path, text in task.repaired
        if dict(task.files).get(path) != text
    ]
    result = score(task, *commands, "python3 build.py", "touch src/x.orig build.cfg~", "done")
    assert result.value == 1
    assert result.parts["builds"] == 1


def test_commands_in_several_dialects_and_hostile_ones() -> None:
    task = instance(4, 2)
    command = "python3 build.py | tail -n 1"
    named = json.dumps({"name": "bash", "arguments": {"command": command}})
    forms = [
        command, call("bash", command=command), named, f"<tool_call>{named}</tool_call>",
        f"```bash\n{command}\n```",
    ]  # fmt: skip
    results = {task.world().use(form) for form in forms}
    assert len(results) == 1
    assert next(iter(results))[0].startswith("build failed\n")
    world = task.world()
    for move in ("sleep 99", call("bash", command=1), call("build"), "", "ok then", "\0"):
        assert world.use(move)[0].startswith("Error")
        assert not world.changes()


def test_hostile_repairs_are_judged() -> None:
    task = instance(5, 1)
    package = next(path for path, _ in task.files if path.endswith("/lines.py"))
    for text in ("while True: pass", "import os; os._exit(0)", "x = 'a' * 10**9", "import amberx"):
        assert score(task, f'echo "{text}" > {package}').value == 0
    assert score(task, "rm -rf *").value == 0
    assert score(task, "ln -sf /etc/passwd build.cfg").value == 0


def test_rewards_add_up_to_the_score_and_replays_are_equal() -> None:
    task = instance(5, 3)
    runs = []
    for moves in ([*task.solve()], [*task.solve()], ["rm -r tests", "done"]):
        episode = Episode(task, BARE)
        states = []
        for move in moves:
            episode.step(move)
            states.append(episode.turn.state)
        assert sum(episode.rewards) == pytest.approx(episode.score.value)
        runs.append((episode.observations, states))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("level", [3, 6])
def test_careless_players_earn_nothing(level: int) -> None:
    for seed in range(4):
        task = instance(seed, level)
        for name, policy in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(policy(episode.turn))
            assert episode.score.value == 0, name


def configuration(document: str, version: str) -> str:
    """The file build.cfg as the documentation has it, without a look at the one that is there."""
    steps = []
    for line in document.splitlines():
        if line.startswith("- "):
            name, text = re.match(r"- (\S+) (.*)\. Its output is", line).groups()
            output = re.search(r"Its output is (\S+)\.$", line)[1]
            paths = re.findall(r"(?:data|out)/[\w./-]+", text)
            steps.append((name, text, paths, output))
    makers = {output: name for name, _, _, output in steps}
    parts = [f"[project]\npackage = {document.split()[2]}\nversion = {version}"]
    for name, text, paths, output in steps:
        column = re.search(r"the column (\w+)", text)
        least = re.search(r"\d+$|\d+(?= or more)", text)
        title = re.search(r"under the title (\S+)", text)
        module = re.search(r"runs the module (\S+)", text)
        flags = f"--column {column[1]} --at-least {least[0]}" if column else ""
        flags = f"--title {title[1]}" if title else flags
        run = "tools/extract.py" if column else "tools/pack.py"
        lines = [f"[step {name}]", f"run = {module[1] if module else run}"]
        lines += [f"input = {' '.join(paths)}", f"output = {output}"]
        lines += [f"flags = {flags}"] if flags else []
        lines.append(f"needs = {' '.join(makers[path] for path in paths if path in makers)}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def table(text: str) -> str:
    """A table with commas and one row for each name."""
    rows: dict[str, str] = {}
    for line in text.replace(";", ",").splitlines():
        rows.setdefault(line.partition(",")[0], line)
    return "\n".join(rows.values()) + "\n"


def module(path: str, text: str, modules: dict[str, str]) -> str:
    """A module that imports its free names, within a function where they would be circular."""
    package = path.split("/")[1]
    if path.endswith("/settings.py"):
        text = text.replace(f"from {package}.clip import clip\n", "").replace("    \n", "")
    nodes = [*ast.walk(ast.parse(text))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    known = {node.id for node in nodes if isinstance(node, ast.Name) and "Store" in str(node.ctx)}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)} | {*dir(builtins)}
    known |= {a.asname or a.name for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    where = {"accumulate": "itertools", "isqrt": "math", "bisect_left": "bisect"}
    where |= {name: f"{package}.{name}" for name in modules}
    where |= {"LIMIT": f"{package}.settings", "read_lines": f"{package}.lines"}
    for name in sorted(names - known - {"__version__"}):
        line = f"from {where[name]} import {name}\n"
        if path.endswith("/settings.py"):
            text = text.replace("    return", f"    {line}    return")
        else:
            head, rest = text.split("\n", 1)
            text = f"{head}\n\n{line}{rest}"
    return text


def by_the_book(show: Callable[[str], str]) -> list[str]:
    """Commands that write every file anew, from the documentation and the texts of the files."""
    parts = show('for f in VERSION docs/BUILD.md; do echo "@@ $f"; cat $f; done')
    texts = dict(part.split("\n", 1) for part in parts.split("@@ ")[1:])
    for folder in ("data", "src/*"):
        listing = show(f'for f in {folder}/*; do echo "@@ $f"; cat $f; done').rstrip() + "\n"
        assert "left out" not in listing
        texts |= dict(part.split("\n", 1) for part in listing.split("@@ ")[1:])
    version = texts["VERSION"].strip()
    modules = {path.rpartition("/")[2][:-3]: text for path, text in texts.items()}
    new = {"build.cfg": configuration(texts["docs/BUILD.md"], version)}
    for path, text in texts.items():
        if path.endswith("__init__.py"):
            new[path] = f'__version__ = "{version}"\n'
        elif path.startswith("src/"):
            new[path] = module(path, text, modules)
        elif path.startswith("data/"):
            new[path] = table(text)
    changed = {path: text for path, text in new.items() if text != texts.get(path)}
    return [f"cat > {path} <<'END'\n{text}END" for path, text in changed.items()]


@pytest.mark.parametrize("level", range(7))
def test_a_project_written_anew_by_its_documentation_is_right(level: int) -> None:
    for seed in range(200, 203):
        task = instance(seed, level, busy=0)
        world = task.world()
        moves = by_the_book(lambda text, use=world.use: use(text)[0].rpartition("[exit code")[0])
        episode = Episode(task, BARE)
        for move in moves:
            episode.step(move)
        assert sum(episode.rewards) == pytest.approx(0.5), seed
        episode.step("done")
        assert episode.score.value == 1, seed


def test_milestones_are_mended_faults_and_damage_takes_them_back() -> None:
    task = instance(1, 5, busy=0)
    right = dict(task.repaired)
    paths = [path for path, text in task.files if right[path] != text]
    assert len(paths) > 1
    episode = Episode(task, BARE)
    write = [f"cat > {path} <<'END'\n{right[path]}END" for path in paths]
    first = episode.step(write[0])
    assert 0 < first < 0.5
    assert episode.step(write[0]) == 0
    assert episode.step("echo x >> tests/test_data.py") == -first
    assert episode.step("echo y > tests/test_more.py") == 0
    repair = (
        "head -n -1 tests/test_data.py > t; cat t > tests/test_data.py; rm t tests/test_more.py"
    )
    assert episode.step(repair) == first
    assert sum(episode.step(move) for move in write[1:]) == pytest.approx(0.5 - first)
    assert episode.step("done") == 0.5
    episode = Episode(task, BARE)
    for move in [write[0], "done"]:
        episode.step(move)
    assert sum(episode.rewards) == pytest.approx(0)


def test_a_file_beside_the_tests_earns_nothing() -> None:
    task = instance(2, 1)
    *moves, done = task.solve()
    assert score(task, *moves, "echo > tests/test_more.py", done).value == 0
    assert score(task, *moves, "cp build.cfg /tmp/work/old.cfg", done).value == 1


@pytest.mark.parametrize(
    "text", ["(" * 90_000, "-" * 90_000, "a." * 9_000 + "a = 1", "x" * 90_000, "\udcff = 1", "é("]
)
def test_any_text_of_a_module_has_features(text: str) -> None:
    assert set(features("src/a/b.py", text)) == {
        ("src/a/b.py", "imports"),
        ("src/a/b.py", "version"),
    }


def test_a_busy_machine_is_stated_and_the_oracle_repeats() -> None:
    assert UNAVAILABLE not in instance(0, 1).brief()
    for seed in range(3):
        task = instance(seed, 1, busy=30)
        assert UNAVAILABLE in task.brief()
        moves = [*task.solve()]
        assert len(moves) <= task.calls
        assert score(task, *moves).value == 1
