"""Tests of tools/repository_issue."""

import ast
import json
import re
from random import Random

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.repository_issue import RepositoryIssue
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.repository_issue.client import Client
from palaestra.generators.tools.repository_issue.mending import code_of
from palaestra.generators.tools.repository_issue.project import Plan, random_project
from palaestra.generators.tools.repository_issue.rules import RULES, read_rules
from palaestra.generators.tools.repository_issue.wording import BUGS
from palaestra.generators.tools.repository_issue.wording import RULES as FRAMES
from palaestra.toolbox import call

NAME = "tools/repository_issue"


def instance(seed: int, level: int, **knobs: int) -> RepositoryIssue:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, RepositoryIssue)
    return task


def module(task: RepositoryIssue, name: str = "desk") -> str:
    return f"{task.package}/{name}.py"


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level):
    for seed in range(22):
        task = instance(seed + 100, level)
        assert score(task, *task.solution).value == 1, seed


def test_faults_fail_at_first_and_hidden_tests_are_many():
    for seed in range(10):
        task = instance(seed, 3)
        world = task.world()
        assert all(world.outcomes(task.failing))
        assert not any(world.outcomes(task.passing))
        assert len(task.failing) >= 4
        assert not any(world.outcomes(task.visible))


def test_visible_tests_show_the_fault_at_the_lowest_level():
    tasks = [instance(seed, 0, missing=0) for seed in range(8)]
    assert all(any(task.world().outcomes(task.visible)) for task in tasks)


def test_nobody_earns_without_a_right_edit():
    task = instance(1, 2)
    assert score(task).value == 0
    assert score(task, *task.solution[:-1]).value == 0
    edit = call("edit", path="README.md", old=f"# {task.package}\n", new="# another\n")
    assert score(task, edit).value == 0
    assert score(task, *task.solution, edit).value == 1  # it changes no behaviour


def test_other_changes_are_damage():
    for seed in range(6):
        task = instance(seed, 3)
        amounts = module(task, "amounts")
        old = "return value * percent // 100"
        text = dict(task.files)[amounts]
        assert text.count(old) <= 1
        if old in text:
            broken = call("edit", path=amounts, old=old, new="return value * percent // 99")
            result = score(task, *task.solution, broken)
            assert result.value == 0
            assert result.parts["damage"] > 0
        tests = next(path for path, _ in task.files if path.startswith("tests/"))
        edited = call("replace_lines", path=tests, start=2, end=2, text="# changed")
        result = score(task, *task.solution, edited)
        assert (result.value, result.parts["damage"]) == (0, 1)


def test_a_repair_of_one_symptom_alone_is_not_enough():
    """An answer that is written for the rows of the issue fails the other hidden tests."""
    for seed in range(6):
        task = instance(seed, 2, missing=0)
        issue = task.issues[0]
        trial = next(t for t in task.failing if json.loads(t.arguments) == [json.loads(issue.rows)])
        path = trial.module
        text = dict(task.files)[path]
        head = re.search(rf'def {trial.function}\(rows\):\n    """.*?"""\n', text, re.DOTALL)[0]
        special = f"    if rows == {json.loads(issue.rows)!r}:\n        return {issue.wanted}\n"
        edit = call("edit", path=path, old=head, new=head + special)
        result = score(task, edit)
        assert result.value == 0
        assert 0 < result.parts["goal"] < 1
        assert result.parts["damage"] == 0


def test_hostile_code_ends_as_a_score_of_0():
    task = instance(2, 1)
    path = module(task)
    for text in (
        "import os\nos._exit(0)",
        "while True: pass",
        "def fee_quote(rows: return",
        "\0",
        "x = '" + "a" * 15_000 + "'",
        "class Any(int):\n    def __eq__(self, other):\n        return True\n",
        "import sys\nsys.modules['json'] = None\nraise SystemExit",
    ):
        lines = dict(task.files)[path].count("\n") + 1
        move = call("replace_lines", path=path, start=1, end=lines, text=text)
        assert score(task, move).value == 0


def test_objects_that_equal_everything_are_no_results():
    task = instance(3, 1, missing=0)
    path = module(task)
    text = dict(task.files)[path]
    trick = (
        "\n\nclass Any(int):\n    def __eq__(self, other):\n        return True\n"
        "    __hash__ = None\n\n\ndef any_result(rows):\n    return Any()\n\n\n"
    )
    names = re.findall(r"^def (\w+)\(rows\)", text, re.MULTILINE)
    whole = trick + "\n".join(f"{name} = any_result" for name in names)
    move = call("replace_lines", path=path, start=1, end=text.count("\n") + 1, text=whole)
    assert score(task, move).value == 0


def test_errors_change_nothing():
    task = instance(2, 6, busy=0)
    world = task.world()
    path = module(task)
    for move in (
        call("read_file", path="../../etc/passwd"),
        call("read_file", path="/etc/passwd"),
        call("read_file", path=path, start=-1),
        call("read_file", path=path, start=10**9),
        call("read_file", path=path, start=9, end=2),
        call("read_file", path=3),
        call("search", text=" "),
        call("edit", path=path, old="", new="x"),
        call("edit", path=path, old="no such text", new="x"),
        call("edit", path=path, old="\n", new="x"),
        call("edit", path="new.py", old="a", new="b"),
        call("replace_lines", path=path, start=0, end=1, text=""),
        call("replace_lines", path=path, start=1, end=10**30, text=""),
        call("replace_lines", path=path, start=1, end=1, text="x" * 20_001),
        call("run_tests", path="tests/none.py"),
        call("list_files", extra=1),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error"), move
        assert not world.edits()


def test_busy_services_change_nothing_and_the_client_repeats_its_calls():
    task = instance(2, 6)
    world = task.world()
    results = {world.use(call("show_history", path="README.md"))[0] for _ in range(99)}
    assert BUSY in results
    assert len(results) == 2


def test_calls_in_any_dialect_do_the_same():
    task = instance(4, 2)
    arguments = {"text": "value", "below": task.package}
    named = json.dumps({"name": "search", "arguments": arguments})
    forms = [
        call("search", **arguments),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        f"search('value', below='{task.package}')",
        f"Action: search\nAction Input: {json.dumps(arguments)}",
    ]
    results = {task.world().use(form) for form in forms}
    assert len(results) == 1
    assert not next(iter(results))[0].startswith("Error")


def test_tools_show_the_repository():
    task = instance(5, 3, busy=0)
    world = task.world()
    path = module(task)
    text = dict(task.files)[path]
    assert f"{path} ({text.count(chr(10))} lines)" in world.use(call("list_files"))[0]
    shown = world.use(call("read_file", path=path, start=2, end=4))[0]
    assert shown == "\n".join(f"{n}: {text.split(chr(10))[n - 1]}" for n in (2, 3, 4))
    results = world.use(call("run_tests"))[0]
    assert results == f"{len(task.visible)} of {len(task.visible)} tests pass"
    history = world.use(call("show_history"))[0].split("\n")
    assert len(history) == len(task.history)
    assert "First commit" in history[-1]


def test_replayed_calls_give_the_same_states():
    task = instance(6, 5)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in task.solution:
        for episode in episodes:
            episode.step(move)
        assert episodes[0].observation == episodes[1].observation
        assert episodes[0].turn.state == episodes[1].turn.state


def test_rewards_add_up_to_the_score():
    task = instance(7, 1)
    for moves in ([*task.solution, "done"], ["nonsense", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_milestones_are_files_opened_and_faults_mended_and_damage_takes_them_back():
    tasks = (instance(seed, 4, busy=0) for seed in range(30))
    task = next(task for task in tasks if len({repair.path for repair in task.repairs}) == 2)
    episode = Episode(task, BARE)
    one, two = task.repairs
    first = call("read_file", path=one.path, start=1, end=1)
    assert episode.step(call("list_files")) == 0
    assert episode.step(first) == 0.125
    assert episode.step(first) == 0
    assert episode.step(call("read_file", path=two.path, start=10**6)) == 0
    tests = next(path for path, _ in task.files if path.startswith("tests/"))
    line = dict(task.files)[tests].split("\n")[1]
    edit = call("replace_lines", path=tests, start=2, end=2, text="# x")
    undone = call("replace_lines", path=tests, start=2, end=2, text=line)
    assert (episode.step(edit), episode.step(undone)) == (-0.125, 0.125)
    edits = [move for move in task.solution if '"edit"' in move or "replace_lines" in move]
    assert [episode.step(move) for move in edits if json.loads(move)["tool"] == "edit"] == [
        0.125
    ] * 2
    assert episode.step(call("read_file", path=two.path)) == 0.125
    for move in edits:
        if json.loads(move)["tool"] == "replace_lines":
            episode.step(move)
    episode.step("done")
    assert episode.rewards[-1] == 0.5
    episode = Episode(task, BARE)
    for move in (first, "done"):
        episode.step(move)
    assert episode.rewards == [0.125, -0.125]


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "-" * 20_000, "def f(a):\n" + "a" * 19_000, "\ud800"]
)
def test_any_text_has_a_code(text):
    assert code_of(text, "g") == ""
    assert code_of("def f(): return 1\ndef f(): return 1", "f") == ""


def test_issues_are_plain_english():
    texts = [instance(seed, seed % 3).issues_in_words() for seed in range(150)]
    assert any("list of lines" in text for text in texts)
    for text in texts:
        assert not re.search(r"(?<!list of )lines about|rows \[.*\] gives", text)
        assert not re.search(r"(Hello|Dear team), [A-Z]", text)


def test_calls_that_do_not_reach_a_fault_need_not_be_made():
    """Leaving them out is what makes generation fast; here all of them are made."""
    for seed in range(4):
        task = instance(seed, 4)
        results = task.world().outcomes([*task.failing, *task.passing])
        assert all(results[: len(task.failing)])
        assert not any(results[len(task.failing) :])


def test_the_client_holds_no_world():
    """It has the issues in words and a function from a call to what a player reads."""
    task = instance(3, 5)
    episode = Episode(task, BARE)

    def use(tool, arguments):
        episode.step(call(tool, **arguments))
        return episode.observation

    Client(use, BUSY).mend(episode.observation)
    episode.step("done")
    assert episode.score.value == 1


@pytest.mark.parametrize("level", [3, 6])
def test_players_without_understanding_earn_nothing(level):
    totals = dict.fromkeys(instance(0, 0).baselines(Random(0)), 0.0)
    for seed in range(20):
        task = instance(seed + 500, level)
        for name, player in task.baselines(Random(seed)).items():
            episode = Episode(task, BARE)
            while episode.scores is None:
                episode.step(player(episode.turn))
            totals[name] += episode.score.value
    assert max(totals.values()) / 20 <= 0.05


def test_random_calls_earn_nothing():
    rng = Random(1)
    for seed in range(10):
        task = instance(seed, 2)
        paths = [path for path, _ in task.files if path.startswith(task.package)]
        moves = []
        for _ in range(task.calls):
            path, line = rng.choice(paths), rng.randint(1, 30)
            text = rng.choice(["", "    value += 1", "    return value"])
            moves.append(call("replace_lines", path=path, start=line, end=line, text=text))
        assert score(task, *moves).value == 0


def test_code_is_written_as_it_is_unparsed_so_that_changed_functions_look_like_others():
    for seed in range(6):
        project = random_project(Random(seed), Plan(4, 2, 3, 3, 3, 3, False))
        for each in project.functions:
            text = project.text(each)
            assert ast.unparse(ast.parse(text)) == text


def test_sentences_of_rules_are_read_back():
    for seed in range(6):
        project = random_project(Random(seed), Plan(4, 2, 3, 3, 3, 3, False))
        for each in project.functions:
            rules = [rule._replace(slots=tuple(sorted(rule.slots))) for rule in each.rules]
            assert read_rules(project.text(each)) == rules


def test_there_are_frames_enough():
    assert min(len(BUGS), len(FRAMES)) >= 5
    assert len(RULES) > 25
    wordings = {instance(seed, 1).issues_in_words()[:40] for seed in range(40)}
    assert len(wordings) > 10


# ------------------------------------------------------------------------------- a second opinion

SENTENCES = {
    r"It is (\d+) times the (\w+)\.": lambda v, m, a, f: int(a) * m(f),
    r"It is (\d+), and (\d+) more for each of the (\w+)\.": lambda v, m, a, b, f: (
        int(a) + int(b) * m(f)
    ),
    r"It is (\d+) up to (\d+) of the (\w+), and (\d+) above that\.": lambda v, m, a, t, f, b: (
        int(a) if m(f) <= int(t) else int(b)
    ),
    r"It is (\d+) for each part of (\d+) of the (\w+) that has begun\.": lambda v, m, a, s, f: (
        int(a) * len(range(0, m(f), int(s)))
    ),
    r"It is (\d+) for each full part of (\d+) of the (\w+), and (\d+) besides\.": (
        lambda v, m, a, s, f, b: int(a) * (m(f) // int(s)) + int(b)
    ),
    r"It is the larger one of (\d+) times the (\w+) and (\d+) times the (\w+)\.": (
        lambda v, m, a, f, b, g: sorted([int(a) * m(f), int(b) * m(g)])[1]
    ),
    r"It is (\d+) below (\d+) of the (\w+), (\d+) from \d+ to (\d+), and (\d+) above \d+\.": (
        lambda v, m, a, t, f, b, u, c: int([a, b, c][(m(f) >= int(t)) + (m(f) > int(u))])
    ),
    r"It is (\d+) for each of the (\w+) and (\d+) for each of the (\w+)\.": (
        lambda v, m, a, f, b, g: int(a) * m(f) + int(b) * m(g)
    ),
    r"It is (\d+) more from (\d+) of the (\w+) on\.": lambda v, m, a, t, f: (
        v + (int(a) if m(f) >= int(t) else 0)
    ),
    r"It is (\d+) less below (\d+) of the (\w+)\.": lambda v, m, a, t, f: (
        max(0, v - int(a)) if m(f) < int(t) else v
    ),
    r"It is (\d+) more for each of the (\w+) beyond (\d+)\.": lambda v, m, a, f, t: (
        v + int(a) * len(range(int(t), m(f)))
    ),
    r"It is (\d+) percent more if the (\w+) is over (\d+) and the (\w+) is under (\d+)\.": (
        lambda v, m, p, f, t, g, u: (
            v + v * int(p) // 100 if not (m(f) <= int(t) or m(g) >= int(u)) else v
        )
    ),
    r"It is (\d+) more if the (\w+) is from (\d+) to (\d+)\.": lambda v, m, a, f, t, u: (
        v + int(a) * (m(f) in range(int(t), int(u) + 1))
    ),
    r"It is (\d+) percent less if the (\w+) is at least (\d+) or the (\w+) is at least (\d+)\.": (
        lambda v, m, p, f, t, g, u: v if m(f) < int(t) and m(g) < int(u) else v - v * int(p) // 100
    ),
    r"It is at least (\d+)\.": lambda v, m, b: max(v, int(b)),
    r"It is at most (\d+)\.": lambda v, m, b: min(v, int(b)),
    r"It is rounded up to a multiple of (\d+)\.": lambda v, m, s: v + (-v) % int(s),
    r"It is rounded down to a multiple of (\d+)\.": lambda v, m, s: v - v % int(s),
    r"It is rounded to the nearest multiple of (\d+)\.": lambda v, m, s: (
        v - v % int(s) + (int(s) if 2 * (v % int(s)) >= int(s) else 0)
    ),
    r"It is (\d+) percent less if it is over (\d+)\.": lambda v, m, p, b: (
        v - v * int(p) // 100 if v > int(b) else v
    ),
    r"It is (\d+) more unless it is 0\.": lambda v, m, a: v and v + int(a),
    r"It is (\d+) percent more\.": lambda v, m, p: v - v * -int(p) // 100,
}
"""What each sentence about items and values means, another way than in the code of rules."""


class Reader:
    """Works out amounts of rows from the documentation and the issues alone."""

    def __init__(self, task):
        texts = dict(task.files)
        self.fields = task.fields
        self.rules = {}
        for path, text in texts.items():
            if path.startswith("docs/"):
                for section in text.split("\n## ")[1:]:
                    subject, _, sentences = section.partition("\n\n")
                    self.rules[subject] = sentences.strip().split("\n")
        self.names = {}
        for path, text in texts.items():
            if path.startswith(task.package):
                for name, doc in re.findall(r'def (\w+)\(\w+\):\n +"""(.*?)"""', text, re.DOTALL):
                    lines = [line.strip() for line in doc.strip().split("\n")]
                    subject = lines[0].removesuffix(".")
                    self.names[name] = subject
                    self.rules.setdefault(subject, lines[2:])
        for issue in task.issues:
            if issue.rule:
                self.rules[issue.subject] = [*self.rules[issue.subject], issue.rule]

    def value(self, name, row):
        measures = dict(zip(self.fields, row[2:], strict=True))

        def measure(field):
            return measures[field] if field in measures else self.value(field, row)

        value = None
        for sentence in self.rules[self.names[name]]:
            parts = re.findall(r"`(\w+)`", sentence)
            if len(parts) > 1:
                one, *rest = (self.value(part, row) for part in parts)
                value = one + rest[0] if len(rest) == 1 else max(one + rest[0] - rest[1], 0)
            else:
                (result,) = (
                    meaning(value, measure, *match.groups())
                    for pattern, meaning in SENTENCES.items()
                    if (match := re.fullmatch(pattern, sentence))
                )
                value = result
        return value


@pytest.mark.parametrize("level", range(7))
def test_hidden_tests_are_what_the_documentation_says(level):
    compared = 0
    for seed in range(8):
        task = instance(seed + 900, level)
        reader = Reader(task)
        for trial in (*task.failing, *task.passing, *task.visible):
            if trial.form == "item" and not trial.function.endswith("_of"):
                row = json.loads(trial.arguments)
                assert reader.value(trial.function, row) == json.loads(trial.wanted)
                compared += 1
    assert compared > 100
