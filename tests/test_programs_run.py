"""Environments of programs that are run: hand-worked examples and slow independent solvers."""

from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.envs.programs import stdin_story
from palaestra.generators import specifications, stories, tiny_machines
from palaestra.generators.regexes import matches
from palaestra.generators.regular_languages import acceptor, members, telling, words
from palaestra.generators.specifications import Stage, Step, run
from palaestra.generators.sql_questions import is_told_apart, neighbours
from palaestra.generators.tiny_machines import Machine, interpreter
from palaestra.scoring import Item, score, score_many
from palaestra.task import Unreadable, Unscored
from palaestra.verifiers import programs
from palaestra.verifiers.programs import graded_calls, graded_io
from palaestra.verifiers.sandbox import Limits, SandboxUnavailable, Verdict, sandbox

NAMES = (
    "function_from_specification",
    "program_by_examples",
    "small_interpreter",
    "stdin_story",
    "sql_query",
    "regex_for_examples",
)


@pytest.fixture(scope="module", autouse=True)
def _isolated():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


# ------------------------------------------------------------------------------- the judge

CASES = [([[n, 2]], n + 2) for n in range(10)]


@pytest.mark.parametrize(
    "source",
    [
        "def solve(v):\n    raise SystemExit(0)",
        "import os\ndef solve(v):\n    os._exit(0)",
        "import sys\nsys.exit(0)\ndef solve(v):\n    return sum(v)",
        "class S(int):\n    __eq__ = lambda s, o: True\ndef solve(v):\n    return S(1)",
        "def solve(v):\n    return float(sum(v))",
        "def solve(v):\n    return [sum(v)]",
        "def solve(v):\n    return float('nan')",
        "def solve(v):\n    import gc\n    return [o for o in gc.get_objects() if o == 11][:1]",
        "def solve(v):\n    print('PASS')",
        "def solve(v):\n    return v",
        "def solve(v):\n    return 4",
    ],
)
def test_tricks_and_trifles_earn_nothing(source):
    told = graded_calls(source, "solve", CASES)
    assert told.value == 0
    assert told.reason


def test_partial_credit_is_what_goes_beyond_the_trivial():
    half = "def solve(v):\n    return sum(v) if v[0] < 6 else 0"
    told = graded_calls(half, "solve", CASES)
    assert told.parts == {"passed": 0.6}
    assert told.value == pytest.approx(0.5 * (6 - 1) / (10 - 1))
    assert told.reason == "the answer is wrong on test 7 of 10"
    nearly = "def solve(v):\n    return sum(v) if v[0] < 9 else 0"
    assert graded_calls(nearly, "solve", CASES).value < 0.5
    assert graded_calls("def solve(v):\n    return sum(v)", "solve", CASES).value == 1


def test_reasons_name_exceptions_of_python_alone():
    told = graded_calls("def solve(v):\n    return 1 // 0", "solve", CASES)
    assert told.reason == "the program raises ZeroDivisionError on test 1 of 10"
    spy = "def solve(v):\n    raise type('X%s' % v[0], (Exception,), {})(v)"
    assert graded_calls(spy, "solve", CASES).reason.startswith("the program raises an exception of")


def test_programs_with_input():
    tests = [(f"{n}\n", f"{n * n}") for n in range(4)]
    right = "print(int(input()) ** 2)"
    assert graded_io(right, tests, Limits(cpu_s=1)).value == 1
    assert graded_io("print(int(input()) * 0)", tests, Limits(cpu_s=1)).value == 0
    slow = "n = input()\nwhile True: pass"
    told = graded_io(slow, tests, Limits(cpu_s=0.1))
    assert (told.value, told.reason) == (0, "the program takes too long on test 1 of 4")


def test_a_failure_of_ours_is_no_reward(monkeypatch):
    class Broken:
        def judge_calls(self, *_, **__):
            return Verdict(None, 0, (), "JUDGE_ERROR")

    monkeypatch.setattr(programs, "sandbox", Broken)
    with pytest.raises(Unscored):
        graded_calls("def solve(v):\n    return 1", "solve", CASES)


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        ("```python\ndef f(x):\n    return x\n```", "def f(x):\n    return x"),
        ("Sure:\n```py\nf = abs\n```\nThat is it.", "f = abs"),
        ("python\ndef f(x): return 1.", "def f(x): return 1."),
        ("  def f(x):\n      return x\n", "def f(x):\n      return x"),
        ("class f:\n    pass", None),
        ("def g(x): return x", None),
        ("g(f)", None),
        ("```\nf = 1\n```\n```\nf = 2\n```", None),
        ("def f(:", None),
        ("f = " + "(" * 5_000, None),
        ("f = " + "-" * 15_000 + "1", None),
        ("def f(): '\ud800'", None),
        ("def f(): '\0'", None),
        ("", None),
    ],
)
def test_reading_functions(reply, source):
    if source is None:
        with pytest.raises(Unreadable):
            programs.function(reply, "f")
    else:
        assert programs.function(reply, "f") == source


# --------------------------------------------------------------------------- specifications


@pytest.mark.parametrize(
    ("name", "number", "value", "wanted"),
    [
        ("repeated", 0, [1, 2, 1, 3], [1, 1]),
        ("remainder", 3, [-1, 4], [2, 1]),
        ("half", 0, [-3, 3], [-2, 1]),
        ("squeeze", 0, [1, 1, 2, 1], [1, 2, 1]),
        ("cut", 2, [1], []),
        ("last", 2, [1, 2, 3], [2, 3]),
        ("swap", 0, [1, 2, 3], [3, 2, 1]),
        ("steps", 0, [1, 4, 2], [3, -2]),
        ("signs", 0, [1, 2, 3], [1, -2, 3]),
        ("by last digit", 0, [21, -10, 9, 1], [-10, 21, 1, 9]),
        ("ranks", 0, [5, 1, 5], [1, 0, 1]),
        ("clamp", 3, [-9, 2, 4], [-3, 2, 3]),
        ("second", 0, [3, 3, 1], 1),
        ("mode", 0, [2, 1, 2, 1], 1),
        ("median", 0, [4, 1, 3, 2], 2),
        ("peak", 0, [1, 5, 5], 2),
        ("longest run", 0, [1, 1, 2], 2),
        ("best slice", 0, [-1, 3, -1, 4], 6),
        ("alternating", 0, [5, 2, 1], 4),
        ("chunks", 2, [1, 2, 3], [[1, 2], [3]]),
        ("climbing", 0, [1, 3, 2, 2, 0], [[1, 3], [2, 2], [0]]),
        ("windows", 2, [1, 2, 3], [[1, 2], [2, 3]]),
        ("longest", 0, [[1], [2, 3], [4, 5]], [2, 3]),
        ("spreads", 0, [[1, 4], []], [3, 0]),
        ("turned digits", 0, -120, -21),
        ("bits", 0, 6, [0, 1, 1]),
        ("shifted", 1, "az b", "ba c"),
        ("run lengths", 0, "aab", "a2b1"),
        ("capitals", 0, "abcd", "aBcD"),
        ("halves", 0, "abcde", "cdeab"),
        ("equal neighbours", 0, "aab ", 1),
        ("places", 0, "a c", [1, 3]),
        ("turned right", 0, [[1, 2], [3, 4]], [[3, 1], [4, 2]]),
        ("snake", 0, [[1, 2], [3, 4]], [1, 2, 4, 3]),
        ("chequered", 0, [[1, 2], [3, 4]], [[1, -2], [-3, 4]]),
        ("row peaks", 0, [[5, 1], [2, 3]], 2),
    ],
)
def test_operations_by_hand(name, number, value, wanted):
    assert Step(name, number)(value) == wanted


def test_stages_by_hand():
    even = Stage("even", 0, (Step("plus", 1),), (Step("product", 3),))
    assert [run([even], n) for n in (4, 5)] == [5, 15]
    assert run([Stage("each", 0, (Step("collatz"),))], [3, 4]) == [10, 2]
    assert run([Stage("difference", 0, (Step("max"),), (Step("min"),))], [1, 5]) == 4
    assert "for A, take the largest" in Stage("larger", 0, (Step("max"),), (Step("sum"),)).told(0)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_every_chain_that_fits_is_found(seed, steps):
    rng = Random(seed)
    kind = rng.choice(specifications.KINDS)
    menu, chain = specifications.typed_menu(rng, kind, steps, 6)
    values = [specifications.drawn_value(rng, kind) for _ in range(3)]
    wanted = [run(chain, value) for value in values]
    found, _ = specifications.chains(menu, steps, kind, values, wanted)
    fitting = set()
    for length in range(steps + 1):
        for tried in product(menu, repeat=length):
            kinds = [kind, *(step.operation.gives for step in tried)]
            fits_types = all(k == step.operation.takes for k, step in zip(kinds, tried))
            same_type = kinds[-1] == chain[-1].operation.gives
            if fits_types and [run(tried, value) for value in values] == wanted and same_type:
                fitting.add(tried)
    assert chain in found
    assert {f for f in found if ([kind, *(s.operation.gives for s in f)][-1]) ==
            chain[-1].operation.gives} == fitting  # fmt: skip


# ----------------------------------------------------------------------------------- languages


def every_automaton(states):
    """All complete automata with so many states over a and b."""
    for flat in product(range(states), repeat=2 * states):
        for accepting in product((False, True), repeat=states):
            yield list(zip(flat[::2], flat[1::2])), accepting


def accepted(moves, accepting, word):
    state = 0
    for letter in word:
        state = moves[state]["ab".index(letter)]
    return accepting[state]


@pytest.mark.parametrize("pattern", ["(aa|b)+", "a*b", "(ab)*", "b(a|b)*"])
def test_only_one_language_of_small_automata_fits_the_examples(pattern):
    language = acceptor(pattern, "ab")
    labels = telling(language)
    size = min(3, len(language.moves))
    fitting = {
        tuple(accepted(moves, accepting, word) for word in words("ab", 6))
        for moves, accepting in every_automaton(size)
        if all(accepted(moves, accepting, word) == label for word, label in labels.items())
    }
    wanted = tuple(matches(pattern, word) for word in words("ab", 6))
    assert fitting == ({wanted} if size == len(language.moves) else set())


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_members_are_members(seed):
    task = Address.of("programs/regex_for_examples", seed % 500, 2).task()
    for word in members(task.language(), Random(seed), 10):
        assert matches(task.pattern, word)


@pytest.mark.parametrize("level", [0, 3])
def test_other_expressions_for_the_same_language_are_right(level):
    task = Address.of("programs/regex_for_examples", 5, level).task()
    assert score(task, f"(?:{task.pattern}|{task.pattern})", "bare").value == 1
    assert score(task, f"`^{task.pattern}$`", "bare").value == 1
    other = [word for word, label in telling(task.language()).items() if not label][-1]
    for wrong in (f"{task.pattern}|{other}", "(a", "(?=a)", r"(a)\1", ".*"):
        assert score(task, wrong, "bare").value == 0
    listed = "|".join(word for word, label in telling(task.language()).items() if label)
    told = score(task, listed, "bare")
    assert told.reason == "the expression wrongly does not match a string that is not shown"


# ------------------------------------------------------------------------------------ machines


def test_stack_machines_by_hand():
    keys = ("push", "sub", "print", "jnz", "swap", "jz")
    lenient = Machine("stack", keys, keys, 60, 100, 2, True, 1)
    strict = lenient._replace(lenient=False)
    assert interpreter(lenient)("push 3\npush 5\nsub\nprint\nsub") == [[98], [0]]
    assert interpreter(strict)("push 3\nsub\nprint\nprint") == [[3], []]
    assert interpreter(strict)("push 2\npush 1\nsub\njnz 2") == [[], [0]]
    assert interpreter(lenient)("jz 3\npush 9\npush 7") == [[], [7]]
    assert interpreter(strict)("jz 3\npush 9\npush 7") == [[], [9, 7]]
    assert interpreter(strict)("push 1\njnz 1") == [[], [1] * 30]


def test_register_machines_by_hand():
    keys = ("set", "print", "djnz", "sub", "turn")
    machine = Machine("registers", keys, keys, 100, 50, 3, True, 0)
    assert interpreter(machine)("set A 2\nprint A\ndjnz A 1") == [[2, 1, 0], [0, 0, 0]]
    assert interpreter(machine)("set B 3\nsub A B\nturn\nprint B") == [[47], [0, 47, 3]]


def test_turtles_by_hand():
    keys = ("step", "print", "right", "trail", "jm")
    machine = Machine("turtle", keys, keys, 100, 5, 4, True, 0)
    assert interpreter(machine)("step 7\nright\nstep 5\nprint") == [[2, 1], []]
    assert interpreter(machine)("trail 2\nprint") == [[2, 0], [[0, 0], [1, 0]]]
    assert interpreter(machine)("trail 5\njm 3\nprint\nstep 1") == [[], [[n, 0] for n in range(5)]]


def test_every_instruction_runs():
    for family, pool in tiny_machines.POOLS.items():
        machine = Machine(family, tuple(pool), tuple(pool), 200, 9, 4, False, 1)
        for program, result in tiny_machines.tested(machine, 1, 200):
            assert len(result) == 2, program


# ------------------------------------------------------------------------------------- stories


def numbers_of(text):
    return list(map(int, text.split()[1:]))


def slow_stretches(text, a, b, c):
    v = [x if x % c else 0 for x in numbers_of(text)]
    sums = [sum(v[n : n + a]) for n in range(len(v) - a + 1)]
    return f"{len([s for s in sums if s >= a * b])} {max(sums, default=0)}"


def slow_sections(text, a, b, c):
    n, _, *rest = map(int, text.split())
    v, ends = rest[:n], rest[n:]
    return "\n".join(
        str(len([x for x in v[lo - 1 : hi] if b <= x <= b + c and x % a]))
        for lo, hi in zip(ends[::2], ends[1::2])
    )


def slow_matches(text, a, b, c):
    both = combinations(numbers_of(text), 2)
    return str(len([1 for x, y in both if (x + y - b) % a == 0 and min(x, y) >= c]))


def slow_groups(text, a, b, c):
    n, _, *ends = map(int, text.split())
    group = {x: {x} for x in range(1, n + 1)}
    for x, y in zip(ends[::2], ends[1::2]):
        if (x + y) % c:
            joint = group[x] | group[y]
            group |= dict.fromkeys(joint, joint)
    sizes = [len(g) for g in {frozenset(g) for g in group.values()}]
    large = len([s for s in sizes if s >= a])
    return f"{large} {len([s for s in sizes if not s % (b + 1)])} {max(sizes)}"


def slow_crowd(text, a, b, c):
    ends = numbers_of(text)
    spans = [(s, e) for s, e in zip(ends[::2], ends[1::2]) if e > c]
    at = [sum(s <= t < e for s, e in spans) for t in range(max(ends) + 1)]
    return f"{len([x for x in at if x >= a])} {max(at)} {at.count(b)}"


def slow_playlist(text, a, b, c):
    v = [x for x in numbers_of(text) if x % c]
    best, where = 0, 1
    for i in range(len(v)):
        for j in range(i + 1, len(v) + 1):
            piece = v[i:j]
            if len({*piece}) <= a and max(map(piece.count, piece)) <= b and j - i > best:
                best, where = j - i, i + 1
    return f"{best} {where}"


def slow_boxes(text, a, b, c):
    text = text.strip()
    depth, depths, python = 0, [0], ""
    balls = []
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        depths.append(depth)
        balls += [depth] if sign == "x" else []
        python += {"x": f"+{c}", "(": f"+({a}", "[": f"+(1+{b}*(0", ")": ")", "]": "))"}[sign]
    return f"{eval('0' + python) % 1000003} {max(depths)} {balls.count(max(depths))}"  # noqa: S307


def slow_rising(text, a, b, c):
    v = [x for x in numbers_of(text) if x > b and x % c]
    longest = []
    for n, x in enumerate(v):
        longest.append(1 + max((longest[m] for m in range(n) if v[m] + a <= x), default=0))
    return str(max(longest, default=0))


def slow_overtaken(text, a, b, c):
    v = [x for x in numbers_of(text) if x % c]
    later = [sum(y < x - a for y in v[n + 1 :]) for n, x in enumerate(v)]
    return f"{sum(later)} {len([x for x in later if x >= b])}"


def slow_tolls(text, a, b, c):
    n, _, *rest = map(int, text.split())
    roads = [r for r in zip(rest[::3], rest[1::3], rest[2::3]) if (r[0] + r[1]) % c]
    cost = {(1, 0): 0}
    for _ in range(n * (b + 1)):
        for u, v, t in roads:
            for x, y in ((u, v), (v, u)):
                for used in range(b + 1 - (t >= a)):
                    there = y, used + (t >= a)
                    if (x, used) in cost:
                        cost[there] = min(cost.get(there, 10**9), cost[x, used] + 1)
    times = [cost[n, used] for used in range(b + 1) if (n, used) in cost]
    return f"{min(times, default=-1)} {len({place for place, _ in cost})}"


def slow_machine(text, a, b, c):
    rest = numbers_of(text)
    waiting = [(d, s, n) for n, (s, d) in enumerate(zip(rest[::2], rest[1::2])) if s % c]
    time = total = long = end = 0
    while waiting:
        there = [job for job in waiting if job[1] <= time]
        if not there:
            time += 1
            continue
        d, s, _ = job = min(there)
        waiting.remove(job)
        total, long = total + time - s, long + (time - s > b)
        end = time + d
        time = end + a
    return f"{total} {long} {end}"


def slow_swamp(text, a, b, c):
    rows, columns, *cells = text.split()
    free = {
        (y, x): cells[y][x]
        for y in range(int(rows))
        for x in range(int(columns))
        if cells[y][x] != "#"
    }
    best = {(0, 0): 0}
    for _ in free:
        for (y, x), time in list(best.items()):
            for there in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if there in free:
                    swamp = a + b * (free[y, x] == "~")
                    took = time + (swamp if free[there] == "~" else c)
                    best[there] = min(took, best.get(there, took))
    return str(best.get((int(rows) - 1, int(columns) - 1), -1))


def slow_harvest(text, a, b, c):
    v = numbers_of(text)[:14]
    best = (0, 0)
    for chosen in product((0, 1), repeat=len(v)):
        places = [n for n, on in enumerate(chosen) if on]
        apart = all(q - p > a for p, q in pairwise(places))
        if apart and all((n + 1) % c for n in places):
            best = max(best, (sum(v[n] - b for n in places), -len(places)))
    return f"{best[0]} {-best[1]}"


@pytest.mark.parametrize("family", stories.FAMILIES)
def test_stories_are_solved_by_brute_force_as_well(family):
    rng = Random(family)
    for _ in range(12):
        numbers = tuple(rng.randint(low, high) for low, high in stories.FAMILIES[family].ranges)
        for text, wanted in stories.tested(family, numbers, rng.randrange(10**6), 30)[:7]:
            if family != "harvest" or len(text.split()) < 15:
                assert globals()[f"slow_{family}"](text, *numbers) == wanted, (numbers, text)


def test_a_slow_program_is_too_slow_for_the_long_inputs(monkeypatch):
    monkeypatch.setattr(stdin_story, "LIMITS", Limits(cpu_s=0.5))
    knobs = {"tier": 3, "size": 20_000}
    addresses = (Address.of("programs/stdin_story", seed, 5, **knobs) for seed in range(40))
    task = next(t for a in addresses if (t := a.task()).family == "overtaken")
    a, b, c = task.numbers
    source = (
        f"n, v = input(), [x for x in map(int, input().split()) if x % {c}]\n"
        f"later = [sum(y < x - {a} for y in v[n + 1:]) for n, x in enumerate(v)]\n"
        f"print(sum(later), sum(x >= {b} for x in later))"
    )
    told = task.verify(source)
    assert told.value < 0.5
    assert told.reason.endswith("on test 10 of 11")
    assert task.verify(task.answer()).value == 1


# ----------------------------------------------------------------------------------------- SQL


def test_databases_tell_a_query_from_its_neighbours():
    scripts = ["CREATE TABLE t (n INTEGER); INSERT INTO t VALUES " + v for v in ("(1), (3)", "(5)")]
    assert not is_told_apart("SELECT n FROM t WHERE n > 2", scripts)  # 1 too has the same rows
    scripts.append("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (2), (3), (1), (9)")
    assert is_told_apart("SELECT n FROM t WHERE n > 2", scripts)
    assert "SELECT MIN(n) FROM t" in neighbours("SELECT MAX(n) FROM t")


@pytest.mark.parametrize("level", range(6))
def test_neighbours_of_the_query_are_refused(level):
    task = Address.of("programs/sql_query", 3, level).task()
    assert score(task, f"```sql\n{task.answer()};\n```", "bare").value == 1
    for near in [*neighbours(task.answer())][:5]:
        assert score(task, near, "bare").value == 0
    assert score(task, "DROP TABLE x", "bare").value == 0


# ---------------------------------------------------------------------------------- altogether


@pytest.mark.parametrize("name", NAMES)
def test_batches_are_judged_in_worker_processes(name):
    task = Address.of(f"programs/{name}", 1, 1).task()
    wrong = "def solve(v): return 7\ndef run(v): return 7\ninput"
    told = score_many([Item(task, task.answer(), "bare"), Item(task, wrong, "bare")], workers=1)
    assert [each.value for each in told] == [1, 0], told


@pytest.mark.parametrize("name", NAMES)
def test_answers_stand_further_tests(name):
    for seed in range(2):
        task = Address.of(f"programs/{name}", seed, 1).task()
        assert task.audit(task.answer())
