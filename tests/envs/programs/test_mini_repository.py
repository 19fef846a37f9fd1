"""Tests of programs/mini_repository."""

import csv
import datetime
from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.episode import BARE, Episode
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
from palaestra.toolbox import call
from palaestra.verifiers.programs import mini_repository
from palaestra.verifiers.programs.mini_repository import graded_repository, outcomes
from palaestra.verifiers.sandbox import Limits

SEEDS = st.integers(0, 10**6)


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


SMALL = Repository(("money", "words", "orders"), (("orders.FROM", 2_000),), (Slip("money", 0),))


def trials(each=3):
    cases = repository_trials.hidden(SMALL, 5, each)
    return [((c.module, c.function, c.args), wanted) for c, wanted in cases]


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
    messages = outcomes(SMALL.files(), calls)
    assert messages[0] == "it gives 105, not 150"
    assert messages[1].startswith("it raises ValueError: ")
    strange = "class O: pass\ndef parse_price(text):\n    raise KeyError(O())\n"
    messages = outcomes(SMALL.files() | {"money.py": strange}, calls)
    assert messages[0] == messages[1]
    assert "0x" not in messages[0].replace("0x>", "")


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
        episode.step(move)
        assert answer in episode.observation
    episode.step("done")
    assert (episode.score.value, episode.score.reason) == (0, "nothing is changed")


def test_an_edit_that_breaks_a_module_is_told_by_the_tests(jail):
    task, episode = desk_episode()
    (slip,) = task.slips
    wrong, _ = mended(slip.module, slip)
    episode.step(call("edit", file=f"{slip.module}.py", old=wrong, new="("))
    episode.step(call("run_tests"))
    assert "Error:" in episode.observation
    assert "not a Python program" in episode.observation


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
