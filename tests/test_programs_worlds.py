"""Scripts on trees of files, repositories to mend, policies for games: referees and attacks."""

import csv
import datetime
import json
from itertools import pairwise, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.envs.programs.game_policy import played
from palaestra.episode import BARE, Episode
from palaestra.generators.programs.bash_task import tasks as file_tasks
from palaestra.generators.programs.bash_task.filters import Filter
from palaestra.generators.programs.bash_task.operations import DEEDS
from palaestra.generators.programs.bash_task.tasks import Step, after, baited, drawn_step
from palaestra.generators.programs.bash_task.trees import Clash, drawn_files
from palaestra.generators.programs.game_policy import (
    games as small_games,
)
from palaestra.generators.programs.game_policy import (
    rules as game_rules,
)
from palaestra.generators.programs.game_policy import (
    wording as game_words,
)
from palaestra.generators.programs.game_policy.games import Drawn, Table
from palaestra.generators.programs.mini_repository import trials as repository_trials
from palaestra.generators.programs.mini_repository.calls import ARGUMENTS, called, entries
from palaestra.generators.programs.mini_repository.parts import PARTS
from palaestra.generators.programs.mini_repository.repositories import (
    Called,
    Running,
    Slip,
    mended,
    needs,
    slips,
    source,
)
from palaestra.generators.programs.mini_repository.trials import Repository
from palaestra.scoring import score
from palaestra.task import Unreadable, Unscored
from palaestra.toolbox import call
from palaestra.verifiers.programs import callees, game_policy, mini_repository
from palaestra.verifiers.programs.bash_task import runner as stage
from palaestra.verifiers.programs.bash_task import scripts as trees
from palaestra.verifiers.programs.bash_task.scripts import (
    graded_script,
    left_behind,
    progress,
    ran,
    script_of,
)
from palaestra.verifiers.programs.mini_repository import graded_repository, outcomes
from palaestra.verifiers.sandbox import Limits, Outcome, SandboxUnavailable, sandbox
from palaestra.verifiers.sandbox.slots import Job

SEEDS = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def jail():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


# ------------------------------------------------------------------------------ trees: the steps

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
        step = drawn_step(rng, 2, 2)
        if step.deed == deed:
            files = baited(rng, drawn_files(rng, 12, 2), (step,), 0)
            if file_tasks.alive((*before, step), files):
                return (*before, step), files


@pytest.mark.parametrize("deed", sorted(DEEDS))
def test_the_shell_does_what_our_python_does(deed, jail):
    program, files = example(deed)
    found, why = left_behind(ran(file_tasks.script(program) + "\n", files))
    assert found == after(program, files), (program, why)


# ------------------------------------------------------------------------------ trees: the judge

TASK = (every("delete", "", "", Filter("suffix", ".log")), every("added", ".old"))
WANTED = after(TASK, FILES)
RIGHT = file_tasks.script(TASK) + "\n"
FORGED = json.dumps({"code": 0, "tree": {path: list(what) for path, what in WANTED.items()}})


def graded(script):
    return graded_script(script, [(FILES, WANTED)])


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
    with pytest.raises(Unreadable):
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
    with pytest.raises(Unscored):
        graded("rm a.log\n")


def test_what_is_told_of_a_tree(tmp_path):
    top = tmp_path / "tree"
    (top / "d").mkdir(parents=True)
    (top / "d" / "f").write_bytes(b"a\r\n\xff")
    (top / "l").symlink_to("d")
    (top / "big").write_bytes(bytes(stage.BYTES + 1))
    told = stage.told(str(top))
    assert told == {
        "d": ["directory", ""],
        "d/f": ["file", "a\r\n\udcff"],
        "l": ["link", "d"],
        "big": ["other", ""],
    }
    with pytest.raises(NotADirectoryError):
        stage.told(str(top / "l"))
    with pytest.raises(FileNotFoundError):
        stage.told(str(top / "none"))


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
    found, _ = left_behind(outcome)
    assert found.get("there") in {("file", "here\n"), ("file", "")}


# ------------------------------------------------------------------- repositories: the modules


def right(module):
    return Running(needs(module), ())


def gives(module, function, *args):
    return right(module).result(Called(module, function, list(args)))


@settings(max_examples=60)
@given(st.dates(datetime.date(1890, 1, 1), datetime.date(2110, 1, 1)), st.integers(0, 900))
def test_dates_as_the_library_has_them(date, days):
    parts = [date.year, date.month, date.day]
    then = date + datetime.timedelta(days)
    assert gives("dates", "later", parts, days) == [then.year, then.month, then.day]
    assert gives("dates", "day_of_year", *parts) == date.timetuple().tm_yday


@settings(max_examples=60)
@given(SEEDS)
def test_spans_as_sets_of_numbers(seed):
    _, _, (spans, start, end) = called("spans", "gaps", Random(seed))
    numbers = {n for left, right in spans for n in range(left, right)}
    assert gives("spans", "length", spans) == len(numbers)
    free = {
        n for left, right in gives("spans", "gaps", spans, start, end) for n in range(left, right)
    }
    assert free == set(range(start, end)) - numbers
    merged = gives("spans", "merged", spans)
    assert {n for left, right in merged for n in range(left, right)} == numbers
    assert all(one[1] < other[0] for one, other in pairwise(merged))


@settings(max_examples=60)
@given(SEEDS)
def test_graphs_as_networkx_has_them(seed):
    _, _, (edges, start) = called("graphs", "distances", Random(seed))
    graph = nx.DiGraph(edges)
    graph.add_node(start)
    known = nx.single_source_shortest_path_length(graph, start)
    assert gives("graphs", "distances", edges, start) == dict(known)
    (forward,) = called("graphs", "layers", Random(seed)).args
    layers = nx.topological_generations(nx.DiGraph(forward))
    assert gives("graphs", "layers", forward) == [sorted(layer) for layer in layers]


@settings(max_examples=60)
@given(SEEDS)
def test_lines_of_csv_and_patches_of_fields(seed):
    (line,) = called("parsing", "fields", Random(seed)).args
    (fields,) = csv.reader([line]) if line else [[""]]
    assert gives("parsing", "fields", line) == fields
    (field,) = called("fields", "largest_patch", Random(seed)).args
    grid = nx.grid_2d_graph(len(field), len(field[0]))
    same = [(u, v) for u, v in grid.edges if field[u[0]][u[1]] == field[v[0]][v[1]]]
    patches = nx.connected_components(nx.Graph(same))
    assert gives("fields", "largest_patch", field) == max(map(len, patches), default=1)
    assert gives("fields", "fences", field) == (grid.number_of_edges() - len(same)) * 4


@pytest.mark.parametrize(
    ("place", "args", "result"),
    [
        ("money.parse_price", ["12.5"], 1250),
        ("money.show_price", [-5], "-0.05"),
        ("money.split_evenly", [10, 3], [4, 3, 3]),
        ("money.percentage", [50, 1], 1),
        ("words.slug", ["It is 7 o'clock, END."], "it-is-7-o-clock-end"),
        ("words.wrap", ["ab cd efghij k", 5], ["ab cd", "efghij", "k"]),
        ("stats.mean", [[1, 2]], 2),
        ("stats.bins", [[0, 10, 11, 30]], [1, 2, 0, 1]),
        ("parsing.minutes", ["2h05m"], 125),
        ("caches.hits", [2, ["a", "b", "a", "c", "b", "a"]], 1),
        ("stock.taken", [{"pen": 2}, "pen", 5], [2, {}]),
        ("league.standings", [[["a", "b", 1, 0], ["c", "d", 3, 0]]], ["c", "a", "b", "d"]),
        ("queues.served", [[["join", "x", 9], ["join", "y", 3], ["serve"], ["serve"], ["serve"]]],
         ["x", "y", None]),
        ("orders.total", [[["pen", 4, 2_500]]], 9_000),
        ("shipping.parcels", [[15, 10, 5, 10]], [20, 20]),
        ("meetings.with_breaks", [[[0, 30], [20, 25]]], [[0, 30], [40, 45]]),
        ("reports.summary", [[4, 1]], "min 1, median 1, mean 3, max 4"),
        ("travel.fare", [[[1, 2], [2, 3], [3, 4]], 1, 4], 170),
        ("accounts.balances", [[["book", "a", 1, 50], ["ask", "a"], ["undo"], ["ask", "a"]]],
         ["0.50", "0.00"]),
        ("payroll.day_wage", ["9h30m", 1_000], 9_500 + 750),
        ("seasons.fixtures", [["a", "b"], [2024, 2, 27]], [["a", "b", [2024, 2, 27]]]),
        ("office.call_back", [[[10, 20]], [10, 10, 30], 0, 40], [0, 20, None]),
    ],
)  # fmt: skip
def test_modules_by_hand(place, args, result):
    assert gives(*place.split("."), *args) == result


@pytest.mark.parametrize("module", PARTS)
def test_every_slip_shows_and_can_be_mended(module):
    """In calls of the module's own functions, of which none fails without a slip."""
    rng = Random(module)
    calls = [called(module, name, rng) for name in entries(module) for _ in range(150)]
    wanted = [right(module).result(each) for each in calls]
    assert not [each for each, want in zip(calls, wanted) if str(want).endswith("\0")]
    for slip in slips(module):
        running = Running(needs(module), (), [slip])
        shown = sum(running.result(each) != want for each, want in zip(calls, wanted))
        assert shown >= 2, slip
        wrong, good = mended(module, slip)
        text = source(module, (), [slip])
        assert text.count(wrong) == 1
        assert text.replace(wrong, good) == source(module, ())


# -------------------------------------------------------------------- repositories: the judge

SMALL = Repository(("money", "words", "orders"), (("orders.FROM", 2_000),), (Slip("money", 0),))


def trials(each=3):
    found = repository_trials.hidden(SMALL, 5, each)
    return [((c.module, c.function, c.args), wanted) for c, wanted in found]


def judged(**changed_texts):
    files = SMALL.files() | {f"{name}.py": text for name, text in changed_texts.items()}
    return graded_repository(files, trials(), repository_trials.start(SMALL, _hidden()))


def _hidden():
    return repository_trials.hidden(SMALL, 5, 3)


CLEAN = source("money", ())


def test_a_repository_in_the_jail_is_what_it_is_here(jail):
    everything = Repository(tuple(PARTS), (), ())
    rng = Random(1)
    here = everything.running(())
    calls = [called(*place.split("."), rng) for place in ARGUMENTS for _ in range(4)]
    wanted = [((c.module, c.function, c.args), here.result(c)) for c in calls]
    assert not any(outcomes(everything.files(), wanted))


def test_any_repair_will_do(jail):
    assert judged(money=CLEAN).value == 1
    other = CLEAN.replace('rest.ljust(2, "0")', '(rest + "0")[:2]')
    assert other != CLEAN
    assert judged(money=other).value == 1


def test_what_is_no_repair(jail):
    wrong = SMALL.files()["money.py"]
    assert judged().value == 0
    assert judged(money=CLEAN.replace("return int(whole)", "return 1 + int(whole)")).value == 0
    broken = judged(money=CLEAN + "\ndef f(:\n")
    assert (broken.value, broken.reason.startswith("money.py: not a Python")) == (0, True)
    table = wrong.replace(
        "    whole, _, rest", '    if text == "3.5":\n        return 350\n    whole, _, rest'
    )
    assert table != wrong
    assert 0 <= judged(money=table).value <= 0.5


SAME = "class Same(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\n"
CHEATS = [
    "import sys\nsys.modules['__main__'].call = lambda *a: 0\n",
    "import os\nos._exit(0)\n",
    "raise SystemExit(0)\n",
    "while True: pass\n",
    "import sys\nfor f in list(sys.meta_path): sys.meta_path.remove(f)\n",
    SAME + "def parse_price(text): return Same()\ndef show_price(c): return Same()\n",
    "import gc\ndef parse_price(text):\n    return [o for o in gc.get_objects() if o == 150]\n",
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_modules_that_cheat(cheat, jail, monkeypatch):
    monkeypatch.setattr(mini_repository, "LIMITS", Limits(cpu_s=0.1))
    result = judged(money=SMALL.files()["money.py"] + cheat)
    assert result.value == 0
    assert result.reason


def test_failing_tests_are_told_with_what_they_gave(jail):
    calls = [(("money", "parse_price", ["1.5"]), 150), (("money", "parse_price", ["x"]), 1)]
    told = outcomes(SMALL.files(), calls)
    assert told[0] == "it gives 105, not 150"
    assert told[1].startswith("it raises ValueError: ")
    strange = "class O: pass\ndef parse_price(text):\n    raise KeyError(O())\n"
    told = outcomes(SMALL.files() | {"money.py": strange}, calls)
    assert told[0] == told[1]
    assert "0x" not in told[0].replace("0x>", "")


def desk_episode(seed=0, level=1):
    task = Address.of("programs/mini_repository", seed, level).task()
    return task, Episode(task, BARE)


def test_the_desk(jail):
    task, episode = desk_episode()
    (slip,) = task.slips
    file = f"{slip.module}.py"
    test = next(name for name in task.desk().tests if slip.module in name)
    for move, answer in (
        (call("edit", file=test, old="def", new="fed"), "tests cannot be edited"),
        (call("edit", file=file, old="def ", new="fed "), "times"),
        (call("edit", file=file, old="", new="x"), "0 times"),
        (call("edit", file="nope.py", old="a", new="b"), "no file"),
        (call("read", file="../secret"), "no file"),
        (call("search", text=" "), "nothing to search"),
        (call("search", text="def "), f"{task.modules[0]}.py:"),
        (call("read", file=test), "assert"),
        (call("edit", file=file, old=mended(slip.module, slip)[0], new="x" * 17_000), "at most"),
        (call("run_tests"), "tests pass\ntest_"),
    ):
        episode.hear(move)
        assert answer in episode.says
    episode.hear("done")
    assert (episode.score.value, episode.score.reason) == (0, "nothing is changed")


def test_an_edit_that_breaks_a_module_is_told_by_the_tests(jail):
    task, episode = desk_episode()
    (slip,) = task.slips
    wrong, _ = mended(slip.module, slip)
    episode.hear(call("edit", file=f"{slip.module}.py", old=wrong, new="("))
    episode.hear(call("run_tests"))
    assert "Error:" in episode.says
    assert "not a Python program" in episode.says


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 6))
def test_each_slip_is_seen_by_some_test_and_by_hidden_ones(seed, level):
    task = Address.of("programs/mini_repository", seed, level).task()
    made = task.repository()
    shown = repository_trials.visible(made, task.telling, task.tests, task.shown)
    hidden = repository_trials.hidden(made, task.seed)
    for slip in task.slips:
        running = made.running([slip])
        for some in (shown, hidden):
            assert any(running.result(trial.call) != trial.wanted for trial in some)
    assert repository_trials.start(made._replace(slips=()), hidden) == len(hidden)


# ------------------------------------------------------------------------------ games: theory


def lost(family, rules, states, lasts=False):
    game = getattr(game_rules, family)(rules, lasts)
    return [state for state in states if not game.wins(state)]


def test_nim_is_lost_where_the_sum_without_carries_is_zero():
    all_of = (tuple(range(1, 8)),) * 3
    states = list(product(range(8), repeat=3))
    assert lost("Heaps", all_of, states) == [s for s in states if s[0] ^ s[1] ^ s[2] == 0]
    misere = [s for s in states if (s[0] ^ s[1] ^ s[2] == 0) == (max(s) > 1)]
    assert lost("Heaps", all_of, states, True) == misere


def test_wythoff_goes_by_the_golden_ratio():
    numbers = tuple(range(1, 16))
    pairs = [(int(n * 1.6180339887), int(n * 2.6180339887)) for n in range(6)]
    states = [(a, b) for a in range(14) for b in range(a, 14)]
    assert lost("Pairs", (numbers, numbers), states) == [p for p in pairs if p[1] < 14]
    queen = ((0, 1, 1, 0, 1, 1), (1,), ())
    assert lost("Tokens", queen, states) == [p for p in pairs if p[1] < 14]


def test_kayles_and_dawson():
    """Kayles on one row is always won, Dawson's Kayles is not (R. Guy and C. Smith, 1956)."""
    kayles = ((0, 1, 2), (0, 1, 2))
    assert lost("Pins", kayles, [(1,) * n for n in range(1, 15)]) == []
    dawson = ((), (0, 1, 2))
    rows = [(1,) * n for n in range(1, 17)]
    assert [len(row) for row in lost("Pins", dawson, rows)] == [1, 5, 9, 15]


def test_chomp():
    bar = ((99,), (0, 0))
    rows = [(a, b) for a in range(1, 9) for b in range(a + 1)]
    assert lost("Bites", bar, rows) == [(a, a - 1) for a in range(1, 9)]
    assert lost("Bites", bar, [(n, *(1,) * (n - 1)) for n in range(2, 5)]) == [
        (n, *(1,) * (n - 1)) for n in range(2, 5)
    ]


@settings(max_examples=60)
@given(SEEDS)
def test_coins_by_looking_at_every_line_of_play(seed):
    rules, top = small_games._coins(Random(seed), 2)
    made = Drawn("Coins", rules, bool(seed % 2), top)
    state = small_games.position(Random(seed), made)

    def leads(mine, theirs, coins):
        """Whether the one whose turn it is wins, by brute force on both purses."""
        if not coins:
            return (mine > theirs) != made.lasts
        ways = [(coins[:n], coins[n:]) for n in rules[0] if n <= len(coins)]
        ways += [(coins[-n:], coins[:-n]) for n in rules[1] if n <= len(coins)]
        return any(not leads(theirs, mine + sum(some), rest) for some, rest in ways)

    assert Table(made).game.wins(state) == leads(state[0], 0, list(state[1:]))


def test_total_by_hand():
    rules = ((1, 2), (4,))
    game = game_rules.Total(rules, False)
    # After 1 + 2 the bound is 1 away, and 1 may follow 2; after 2 + 1 nobody may add another 1.
    assert game.options((3, 2)) == [(1,)]
    assert game.options((3, 1)) == []
    states = [(0, 0), (1, 1), (2, 2), (3, 1), (3, 2), (4, 1)]
    assert [state for state in states if game.wins(state)] == [(0, 0), (2, 2), (3, 2)]


def test_a_cell_that_two_steps_lead_to_is_one_move():
    steps = ((1, 1, 2, 2, 0, 3), (1,), ())
    moves = game_rules.Tokens(steps, False).options((4, 4))
    assert moves == [(0, 3, 3), (0, 2, 2), (0, 1, 1), (0, 0, 0), (0, 4, 1)]


def test_one_counter_is_no_counters():
    pairs = Drawn("Pairs", ((2, 5), (1,)), False, (9, 9))
    assert "2 or 5 counters from one heap, or 1 counter from each" in game_words.told(pairs)
    coins = Drawn("Coins", ((1,), (1, 3)), False, (6, 9))
    assert "exactly 1 coin from the left end or exactly 1 or 3 coins" in game_words.told(coins)


def test_there_are_many_small_games():
    forms = {
        small_games.drawn(Random(seed), 0, 1, lasts=False) for seed in range(1_000)
    }  # fmt: skip
    assert len(forms) > 850


# ------------------------------------------------------------------------------ games: the judge

NIM = Drawn("Heaps", ((1, 2, 3),) * 2, False, (11, 11))
MIRROR = "def move(s):\n    d = (s[0] - s[1]) % 4\n    a, b = s[0] % 4, s[1] % 4\n"
PERFECT = MIRROR + "    return (0, a - b) if a > b else [1, b - a]"


def policy(source, seed=3, number=16):
    return played(source, NIM, seed, number)


def test_a_formula_is_as_good_as_a_table(jail):
    assert policy(PERFECT).value == 1


@pytest.mark.parametrize(
    "source",
    [
        "def move(s): return [0, 1]",
        "def move(s): return [0, 9]",
        "def move(s): return [False, True]",
        "def move(s): return '01'",
        "def move(s): return None",
        "def move(s): return 1 // 0",
        "def move(s): return [0, 1] * 10 ** 6",
        "import os\ndef move(s): os._exit(0)",
        "def move(s):\n    while True: pass",
        "class W(list):\n    __eq__ = lambda s, o: True\ndef move(s): return W([0, 1])",
        SAME + "def move(s): return [Same(0), Same(7)]",
        "def move(s):\n    s.clear()\n    return [0, 1]",
        "def move(s): return [0, 1] if s[0] else [1, 1]",
        "def move(s): return [0, min(3, s[0])] if s[0] else [1, min(3, s[1])]",
        "import random as r\ndef move(s): return [r.randrange(2), r.randint(1, 3)]",
    ],
)
def test_policies_without_skill(source, jail, monkeypatch):
    monkeypatch.setattr(game_policy, "LIMITS", Limits(cpu_s=0.2))
    result = policy(source)
    assert result.value < 0.13
    assert result.reason


PLAIN = """
from functools import lru_cache

FALLS = {falls}

def moves(row):
    for first in range(len(row)):
        for number, parts in enumerate(FALLS, 1):
            last = first + number
            if last <= len(row) and all(row[first:last]):
                left = any(row[max(0, first - 1):first]) + any(row[last:last + 1])
                if left in parts:
                    yield [first, number], row[:first] + (0,) * number + row[last:]

@lru_cache(None)
def wins(row):
    return {lasts} if not any(moves(row)) else any(not wins(left) for _, left in moves(row))

def move(state):
    return next(how for how, left in moves(tuple(state)) if not wins(left))
"""


@pytest.mark.parametrize("seed", [5, 41, 90])
def test_looking_at_every_row_of_pins_is_quick_enough(seed, jail):
    """A player who does not see that blocks may be exchanged has time at the highest level."""
    falls, top = small_games._pins(Random(seed), 6)
    made = Drawn("Pins", falls, bool(seed % 2), top)
    reply = PLAIN.format(falls=falls, lasts=made.lasts)
    assert played(reply, made, seed, 24).value == 1


def test_some_skill_earns_some(jail):
    half = PERFECT.replace("return", "if max(s) > 8: return 0, 1\n    return")
    result = policy(half, number=24)
    assert 0 < result.value < 1
    assert "game" in result.reason


def test_the_opponent_makes_no_mistakes_and_luck_is_rare():
    table, rng = Table(NIM), Random(0)
    for state in small_games.starts(NIM, 3, 16):
        assert table.victory(state, table.game.best)
        for plodder in small_games.plodders(table):
            assert not table.victory(state, plodder)
        losing = [m for m in table.options(state) if table.game.wins(table.game.after(state, m))]
        first = rng.choice(losing)
        assert not table.victory(
            state, lambda s, f=first, o=state: f if s == o else table.game.best(s)
        )
    assert small_games.luck(NIM, 3, 16) < 6


def test_calls_one_by_one(jail):
    source = "n = 0\ndef f(x):\n    global n\n    n += x\n    return n\ndef g(): return f\n"
    with callees.called(source) as callee:
        assert [callee("f", 2), callee("f", 3)] == [2, 5]
        with pytest.raises(callees.Fault) as fault:
            callee("f", "x")
        assert fault.value.kind == "TypeError"
        with pytest.raises(callees.Fault):
            callee("g")
        with pytest.raises(callees.Fault):
            callee("h")
        assert callee("f", 1) == 6
    with callees.called("import os\ndef f(): os._exit(0)") as callee:
        for _ in range(2):
            with pytest.raises(callees.Lost):
                callee("f")


@pytest.mark.parametrize("name", ["bash_task", "mini_repository", "game_policy"])
def test_oracles_of_the_middle_level(name, jail):
    task = Address.of(f"programs/{name}", 11, 3, "eval").task()
    assert score(task, task.solve(), BARE).value == 1
