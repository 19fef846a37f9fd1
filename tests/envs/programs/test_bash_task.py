"""Tests of programs/bash_task."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.generators.programs.bash_task import tasks as file_tasks
from palaestra.generators.programs.bash_task.filters import Filter
from palaestra.generators.programs.bash_task.operations import DEEDS
from palaestra.generators.programs.bash_task.sufficient import slips
from palaestra.generators.programs.bash_task.tasks import (
    Step,
    after,
    baited,
    gives,
    hidden,
    random_step,
)
from palaestra.generators.programs.bash_task.trees import Clash, drawn_files
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.programs.bash_task import runner as stage
from palaestra.verifiers.programs.bash_task import scripts as trees
from palaestra.verifiers.programs.bash_task.scripts import (
    graded_script,
    left_behind,
    progress,
    ran,
    script_of,
)
from palaestra.verifiers.sandbox import Limits, Outcome
from palaestra.verifiers.sandbox.slots import Job

SEEDS = st.integers(0, 10**6)


FILES = (
    ("a.log", "INFO jade 7\nWARN iris 2\nINFO jade 5\n"),
    ("docs/b.txt", "amber\ncedar amber\namber\n"),
    ("docs/old/c.csv", "iris,Oslo,3\niris,Bonn,2\n"),
    ("empty.md", ""),
)


def changed(*steps):
    return {
        path: text if kind == "file" else kind
        for path, (kind, text) in after(steps, FILES).items()
        if ("file", text) != (kind, dict(FILES).get(path)) and path not in {"docs", "docs/old"}
    }


def every(deed, first="", second="", *filters):
    return Step(deed, filters, first, second)


@pytest.mark.parametrize(
    ("step", "result"),
    [
        (every("sums", "", "s", Filter("suffix", ".log")), {"s": "iris 2\njade 12\n"}),
        (every("frequent", "2", "f", Filter("below", "docs")), {"f": "3 amber\n1 cedar\n"}),
        (every("folders", "", "f"), {"f": "2 .\n1 docs\n1 docs/old\n"}),
        (every("csv cities", "", "c", Filter("suffix", ".csv")), {"c": "Bonn,1\nOslo,1\n"}),
        (every("largest", "", "l"), {"l": "a.log\n"}),
        (every("matches", "amber", "m"), {"m": "\n".join(f"docs/b.txt:{n}" for n in (
            "1:amber", "2:cedar amber", "3:amber\n"))}),
        (every("shared", "", "s", Filter("suffix", ".log")), {"s": "INFO jade 5\nINFO jade 7\n"
                                                                   "WARN iris 2\n"}),
        (every("how many", "", "n", Filter("larger", "20")), {"n": "3\n"}),
        (every("behead", "", "", Filter("inside", "docs")), {"docs/b.txt": "cedar amber\namber\n"}),
        (every("replace", "amber", "fern", Filter("word", "cedar")),
         {"docs/b.txt": "fern\ncedar fern\nfern\n"}),
        (every("log above", "4", "", Filter("suffix", ".log")), {"a.log": "INFO jade 7\n"
                                                                          "INFO jade 5\n"}),
        (every("companion", ".n", "", Filter("repeating")), {"docs/b.txt.n": "3\n"}),
        (every("split", "p", "", Filter("suffix", ".log")),
         {"p": "directory", "p/iris.txt": "WARN iris 2\n",
          "p/jade.txt": "INFO jade 7\nINFO jade 5\n"}),
        (every("link", "here", "", Filter("deep")), {"here": "directory", "here/c.csv": "link"}),
        (every("spare", "~", "", Filter("first", "a")), {"docs/b.txt~": dict(FILES)["docs/b.txt"]}),
        (every("pathed", "__", "", Filter("deep")), {"docs__old__c.csv": FILES[2][1]}),
        (every("csv sort", "", "", Filter("deep")),
         {"docs/old/c.csv": "iris,Bonn,2\niris,Oslo,3\n"}),
    ],
)  # fmt: skip
def test_steps_by_hand(step, result):
    assert changed(step) == result


def test_links_are_told_with_their_targets_and_prune_keeps_what_is_used():
    linked = after([every("link", "here", "", Filter("deep"))], FILES)
    assert linked["here/c.csv"] == ("link", "../docs/old/c.csv")
    moved = after([every("into", "x", "", Filter("below", "docs")), Step("prune")], FILES)
    assert sorted(moved) == ["a.log", "empty.md", "x", "x/b.txt", "x/c.csv"]


def test_what_cannot_be_done_is_a_clash():
    for step in (
        every("sums", "", "s"),
        every("into", "empty.md"),
        every("paths", "", "docs"),
        every("up"),
        every("headed"),
        every("paths", "", "p", Filter("word", "kobold")),
    ):
        with pytest.raises(Clash):
            after([step], FILES)


def example(deed):
    """A step of a kind, on a tree with strange names and near misses, that changes something."""
    rng = Random(deed)
    before = (every("into", "store", "", Filter("below", "docs")),) if deed == "prune" else ()
    while True:
        step = random_step(rng, 2, 2)
        if step.deed == deed:
            files = baited(rng, drawn_files(rng, 12, 2), (step,), 0)
            if file_tasks.alive((*before, step), files):
                return (*before, step), files


@pytest.mark.parametrize("deed", sorted(DEEDS))
def test_the_shell_does_what_our_python_does(deed, jail):
    program, files = example(deed)
    tree, why = left_behind(ran(file_tasks.script(program) + "\n", files))
    assert tree == after(program, files), (program, why)


TASK = (every("delete", "", "", Filter("suffix", ".log")), every("added", ".old"))
WANTED = after(TASK, FILES)
RIGHT = file_tasks.script(TASK) + "\n"
FORGED = json.dumps({"code": 0, "tree": {path: list(what) for path, what in WANTED.items()}})


def graded(script):
    return graded_script(script, [(FILES, WANTED)], trees.LIMITS)


BESIDES = [
    RIGHT,
    f"exit_code=3\n{RIGHT}exit 3\n",
    f"kill -9 1; kill -STOP 1; kill -INT 1; kill -9 $PPID\n{RIGHT}",
    f"{RIGHT}kill -9 -1\n",
    f"{RIGHT}kill -9 $$\n",
    f"trap '' TERM INT HUP; (sleep 60) & {RIGHT}",
    f"echo '{FORGED[:40]}'; {RIGHT}",
]


@pytest.mark.parametrize("script", BESIDES)
def test_what_a_script_does_besides_changes_nothing(script, jail):
    assert graded(script).value == 1


NOTHING = {
    "it prints the answer": f"echo '{FORGED}'",
    "on any descriptor": f"for n in 0 1 2 3 4 5 6 7 9 10 100 120; do echo '{FORGED}' >&$n; done",
    "in any place": f"for f in /dev/fd/1 /dev/stdout /proc/1/fd/1; do echo '{FORGED}' > $f; done",
    "it works when it is too late": f"(sleep 0.3; {RIGHT}) &",
    "in a session of its own": "setsid nohup bash -c 'sleep 0.3; rm -f *.log' > /dev/null &",
    "it ends the judge": "kill -9 1; kill -9 -1; touch x",
    "it takes the judge's files away": "prlimit --pid 1 --nofile=3:3; rm a.log",
    "and memory": "prlimit --pid 1 --as=1:1; rm a.log",
    "and time": "prlimit --pid 1 --cpu=1:1; rm a.log",
    "it moves the tree": f"{RIGHT}mv ../tree ../other; ln -s other ../tree",
    "it removes the tree": "rm -rf ../tree ../*",
    "it deletes everything": "rm -rf ./* ; find . -delete",
    "it hides in a directory": f"{RIGHT}mkdir shut; touch shut/x; chmod 0 shut",
    "it leaves a large file": f"{RIGHT}head -c 900000 /dev/zero > docs/b.txt.old",
    "a deep tree": f"{RIGHT}for n in {{1..40}}; do mkdir a; cd a; done",
    "many files": f"{RIGHT}for n in {{1..60}}; do touch ${{n}}_{{1..40}}; done",
    "a pipe for a file": f"{RIGHT}rm docs/b.txt.old; mkfifo docs/b.txt.old",
    "names that are no text": f"{RIGHT}mv docs/b.txt.old docs/$'\\xff\\n'",
    "links for files": f"{RIGHT}mv docs/b.txt.old /tmp/b; ln -s /tmp/b docs/b.txt.old",
    "modules of its own": "echo 'raise SystemExit(0)' > json.py; cp json.py ../os.py; touch x.py",
    "it overwrites the judge": "cp -f /bin/true /usr/bin/bash; cp /bin/true /bin/sh; touch x",
    "nothing": "mv a.log a.log",
}  # fmt: skip


@pytest.mark.parametrize("script", NOTHING.values(), ids=NOTHING)
def test_attacks_and_trifles_earn_nothing(script, jail):
    result = graded(f"{script}\n")
    kept = {"it hides in a directory", "a pipe for a file", "names that are no text"}
    some = {NOTHING[name] for name in (*kept, "links for files", "it leaves a large file")}
    assert result.value <= (0.5 if script in some else 0)
    assert result.reason


@pytest.mark.parametrize(("level", "seed"), [(3, 1), (4, 0), (5, 3)])
def test_no_directory_is_made_for_lines_of_empty_files(level, seed, jail):
    task = Address.of("programs/bash_task", seed, level).task()
    assert task.verify(task.answer()).value == 1


def test_scripts_without_end_are_ended(jail, monkeypatch):
    monkeypatch.setattr(trees, "LIMITS", Limits(cpu_s=0.1, wall_s=0.5, output_kb=64))
    for script in ("while :; do :; done\n", "f() { f | f & }; f; sleep 9\n", "exec sleep 9\n"):
        result = graded(script)
        assert result.value == 0
        assert result.reason


def test_progress_is_counted_from_the_better_of_two_trifles():
    state = {path: ("file", text) for path, text in FILES}
    assert progress(FILES, WANTED, WANTED) == 1
    assert progress(FILES, WANTED, state) == 0
    assert progress(FILES, WANTED, {}) == 0
    # Of three files that are wanted under other names, one is there: 3 things to do, 2 left.
    part = {"empty.md.old": ("file", "")}
    assert progress(FILES, WANTED, part) == pytest.approx(1 / 3)
    folders = {"sorted": ("directory", "")}
    assert progress(FILES, WANTED, state | folders) == 0


def test_half_the_work_earns_less_than_half(jail):
    result = graded(RIGHT.replace(".log'", ".md'"))
    assert 0 < result.value < 0.5
    assert "not what" in result.reason or "missing" in result.reason


def test_the_least_of_the_trees_counts(jail):
    other = (("b.log", "x\n"), ("c.txt", ""), ("d.txt", "y\n"))
    pairs = [(FILES, WANTED), (other, after(TASK, other))]
    shown_only = "rm a.log; for f in docs/b.txt docs/old/c.csv empty.md; do mv $f $f.old; done\n"
    assert graded_script(shown_only, pairs[:1]).value == 1
    assert graded_script(shown_only, pairs).value == 0


@pytest.mark.parametrize(
    "reply",
    ["", "yes", "echo hello", "ls -l", "I would use the command line.", "rm x\0", "rm \ud800", "0",
     "```bash\nrm a\n```\n```bash\nrm b\n```"],
)  # fmt: skip
def test_replies_that_are_no_scripts(reply):
    with pytest.raises(InvalidAnswer):
        script_of(reply)


def test_scripts_may_be_fenced():
    assert script_of("Here it is:\n```bash\nrm -f *.log\n```\n") == "rm -f *.log\n"
    assert script_of("#!/bin/bash\r\nmv a b\r\n") == "#!/bin/bash\nmv a b\n"


@pytest.mark.parametrize(
    "outcome", [Outcome("JUDGE_ERROR"), Outcome("RE", exit_code=stage.NO_PROCESS)]
)
def test_where_no_script_can_run_there_is_no_reward(outcome, monkeypatch):
    class Broken:
        def prepared(self, *_):
            return Job(b"", args=("bash", "main.sh"))

        def run(self, *_, **__):
            return outcome

    monkeypatch.setattr(trees, "sandbox", Broken)
    with pytest.raises(JudgeError):
        graded("rm a.log\n")


def test_what_is_told_of_a_tree(tmp_path):
    top = tmp_path / "tree"
    (top / "d").mkdir(parents=True)
    (top / "d" / "f").write_bytes(b"a\r\n\xff")
    (top / "l").symlink_to("d")
    (top / "big").write_bytes(bytes(stage.BYTES + 1))
    entries = stage.tree_of(str(top))
    assert entries == {
        "d": ["directory", ""],
        "d/f": ["file", "a\r\n\udcff"],
        "l": ["link", "d"],
        "big": ["other", ""],
    }
    with pytest.raises(NotADirectoryError):
        stage.tree_of(str(top / "l"))
    with pytest.raises(FileNotFoundError):
        stage.tree_of(str(top / "none"))


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_hidden_trees_have_something_for_each_step(seed):
    task = Address.of("programs/bash_task", seed, 3).task()
    for files, wanted in task.trees(2):
        assert file_tasks.alive(task.program, files)
        assert files != task.shown
        assert after(task.program, files) == wanted


def test_hidden_trees_show_what_a_filter_may_be_mistaken_for():
    made = missed = 0
    for seed in range(60):
        task = Address.of("programs/bash_task", seed, 3).task()
        left = file_tasks.mistakes(task.program)
        made += len(left)
        for files, _ in task.judging():
            left = file_tasks.hidden(left, task.program, files)
        missed += len(left)
    assert missed < 0.06 * made


def test_no_task_of_the_lowest_level_comes_often():
    kind = Address.of("programs/bash_task").task().__class__
    drawn = [kind.generate(Random(seed), kind.Knobs.at(0)).canonical() for seed in range(400)]
    assert max(map(drawn.count, drawn)) < 12


def test_process_substitution_is_not_promised_and_not_denied(jail):
    prompt = Address.of("programs/bash_task", 1, 0).task().prompt()
    assert "which process substitution needs, may be empty" in prompt
    outcome = ran("cat <(echo here) > there\n", FILES)
    tree, _ = left_behind(outcome)
    assert tree.get("there") in {("file", "here\n"), ("file", "")}


@pytest.mark.parametrize("level", range(7))
def test_programs_that_begin_alike_are_judged_as_if_they_ran_from_the_start(level: int) -> None:
    for seed in range(3):
        task = Address.of("programs/bash_task", seed, level).task()
        others = slips(task.program)
        for files, wanted in task.judging()[:3]:
            whole = [other for other in others if gives(other, files, wanted)]
            assert hidden(others, task.program, files) == whole
