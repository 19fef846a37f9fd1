"""Our interpreter against CPython's, its limits, and what the environments on it accept."""

import ast
import copy
import sys
import warnings
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.programs.complete_the_hole import CompleteTheHole
from palaestra.envs.programs.find_the_bug import FindTheBug
from palaestra.envs.programs.predict_input import PredictInput
from palaestra.envs.programs.predict_output import PredictOutput
from palaestra.envs.programs.tests_that_kill import TestsThatKill
from palaestra.envs.programs.trace_variable import TraceVariable
from palaestra.generators.mini_python.draw import program
from palaestra.generators.mini_python.mutate import replaced, slips
from palaestra.generators.mini_python.parameters import Parameter, drawn_call, literal
from palaestra.generators.mini_python.parse import head, parsed
from palaestra.generators.mini_python.run import Program, compiled
from palaestra.generators.mini_python.syntax import written
from palaestra.generators.mini_python.trials import battery, first_failure, first_to_tell, trials
from palaestra.generators.mini_python.walk import walked
from palaestra.task import Unreadable

SEEDS = st.integers(0, 10**6)


# ----------------------------------------------------------------------------------- the referee


class TooLong(BaseException):
    """The referee has run for long enough."""


def referee(source, name, values):
    """What CPython shows, or the name of its exception."""
    lines = 0

    def count(frame, event, argument):
        nonlocal lines
        lines += 1
        if lines > 20_000:
            raise TooLong
        return count

    space: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(source, "drawn", "exec"), space)  # noqa: S102
    before = sys.gettrace()
    sys.settrace(count)
    try:
        return repr(space[name](*copy.deepcopy(values)))
    except (TooLong, RecursionError, MemoryError):
        return "Limit"
    except NameError:
        return "NameError"
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    finally:
        sys.settrace(before)


def agree(source, name, values):
    """Whether both give the same, where ours gives anything; both of ours do in any case."""
    mine = compiled(source).apply(name, values)
    again = walked(parsed(source), name, copy.deepcopy(values))
    if "Limit" not in {mine.shown, again}:
        assert mine.shown == again, source
    if mine.shown != "Limit":
        theirs = referee(source, name, values)
        assert theirs in {mine.shown, "Limit"}, f"{source}\n{values}: {mine.shown}, not {theirs}"


def drawn(seed):
    rng = Random(seed)
    made = program(rng, 1 + seed % 4, seed // 4 % 4, 6)
    return made, [parameter.drawn(rng) for parameter in made.signature]


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_drawn_programs_and_their_slips_do_what_python_does(seed):
    (source, name, _), values = drawn(seed)
    agree(source, name, values)
    found = slips(source)
    for slip in Random(seed).sample(found, min(12, len(found))):
        agree(replaced(source, slip.line, slip.text), name, values)


class Rough:
    """Draws programs without sense, in which everything meets everything."""

    names = ("n", "m", "xs", "ys", "s", "d", "t", "q", "nope")
    atoms = ("0", "1", "3", "-1", "True", "None", "'ab'", "''", "[]", "{}", "()", "'b'", "7")
    one = ("abs", "all", "any", "bool", "chr", "len", "ord", "int", "list", "sorted", "str",
           "tuple", "max", "min", "sum", "range")  # fmt: skip
    no_more = ("isalpha", "upper", "sort", "pop", "split", "copy", "reverse", "strip", "clear")
    with_one = ("append", "count", "extend", "find", "index", "join", "remove", "startswith", "get")
    with_two = ("insert", "replace", "setdefault", "get", "pop")

    def __init__(self, rng):
        self.rng = rng

    def expr(self, depth=0):
        pick, e = self.rng.choice, lambda: self.expr(depth + 1)
        if depth > 2 or self.rng.random() < 0.25:
            return pick((*self.names, *self.names, *self.atoms))
        name, sign = pick(self.names), pick(("+", "-", "*", "//", "%", "**"))
        test = pick(("<", "<=", ">", "==", "!=", "in", "not in"))
        return pick((
            lambda: f"{e()} {sign} {e()}",
            lambda: f"({e()}) {sign} ({e()})",
            lambda: f"({e()} {test} {e()})",
            lambda: f"({e()} < {e()} == {e()})",
            lambda: f"({e()} {pick(('and', 'or'))} {e()})",
            lambda: f"(not {e()})",
            lambda: f"-{name}",
            lambda: f"({e()} if {e()} else {e()})",
            lambda: f"{name}[{e()}]",
            lambda: f"{name}[{e()}:{e()}]",
            lambda: f"{name}[::{e()}]",
            lambda: f"[{e()}, {e()}]",
            lambda: f"({e()}, {e()})",
            lambda: f"{{{e()}: {e()}, 'a': {e()}}}",
            lambda: f"[{e()} for {pick(('q', 'a, b'))} in {self.many(depth + 1)} if {e()}]",
            lambda: f"{pick(self.one)}({e()})",
            lambda: f"{pick(('max', 'min', 'g'))}({e()}, {e()})",
            lambda: f"sorted({e()}, reverse={e()})",
            lambda: f"{pick(('len', 'sorted', 'sum'))}(set({e()}))",
            lambda: f"{pick(('list', 'sorted', 'tuple', 'max'))}({self.passing(depth + 1)})",
            lambda: f"{name}.{pick(self.no_more)}()",
            lambda: f"{name}.{pick(self.with_one)}({e()})",
            lambda: f"{name}.{pick(self.with_two)}({e()}, {e()})",
        ))()  # fmt: skip

    def passing(self, depth):
        one, other = self.expr(depth), self.expr(depth)
        name = self.rng.choice(self.names)
        return self.rng.choice((
            f"zip({one}, {other})", f"enumerate({one})", f"reversed({one})", f"{name}.items()",
            f"{name}.values()",
        ))  # fmt: skip

    def many(self, depth=0):
        if self.rng.random() < 0.3:
            return self.passing(depth)
        return self.rng.choice((self.rng.choice(self.names), f"range({self.expr(depth + 1)})"))

    def block(self, indent, loop=False):
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(indent, loop)
        return lines

    def statement(self, indent, loop):
        pick, space, e = self.rng.choice, " " * indent, self.expr
        name, other = pick(self.names), pick(self.names)
        kind = self.rng.randrange(7 if indent > 11 else 10)
        if kind < 7:
            simple = (
                f"{name} = {e(1)}", f"{name} {pick('+-*%')}= {e(1)}", f"{name}[{e(2)}] = {e(1)}",
                f"{name}[{e(2)}] += {e(1)}", f"{name}, {other} = {e(1)}, {e(1)}",
                f"{name}, {other} = {e(1)}", pick(("break", "continue")) if loop else e(),
            )  # fmt: skip
            return [space + simple[kind]]
        first = pick((f"if {e(1)}:", f"for {pick(('q', 'q, m'))} in {self.many()}:"))
        if kind == 9:
            first = f"while {e(1)}:"
        body = self.block(indent + 4, loop or not first.startswith("if"))
        last = [f"{space}else:", *self.block(indent + 4, loop)] if first.startswith("if") else []
        return [space + first, *body, *last]

    def program(self):
        rows = ["def g(n, m):", *self.block(4), "    return m", "", "def f(n, xs, s, d, t):"]
        rows += ["    m = 3", "    ys = xs", *self.block(4), "    return n, m, xs, ys, s, d, t"]
        return "\n".join(rows)


@settings(max_examples=400, deadline=None)
@given(SEEDS)
def test_senseless_programs_do_what_python_does(seed):
    rng = Random(seed)
    source = Rough(rng).program()
    values = (rng.randint(-3, 9), [2, 0, 5][: rng.randrange(4)], "abca", {"a": 1, 2: [1]}, (1, "b"))
    try:
        compiled(source)
    except Unreadable:
        return  # too long a line, or a loop over what may only be looped over elsewhere
    agree(source, "f", values)
    for row in source.split("\n"):
        if row.strip():
            assert head(written(head(row.strip()))) == head(row.strip())


# -------------------------------------------------------------------------------- what is refused


REFUSED = (
    "import os", "x = lambda: 0", "x = __import__('os')", "x = eval('1')", "x = open('f')",
    "x = ().__class__", "x = 'a'.format(1)", "x = 1.5", "x = 0x1f", "x = 1_000", "x = f'{y}'",
    "x = 'a\\n'", "x = [y for y in x for z in x]", "x = zip(y, y)", "x = set(y)", "x = y.items()",
    "x = max(set(y), set(y))", "x: int = 0", "x = y = 0", "x = (y := 0)", "del x", "global x",
    "def g(): pass", "x = sum", "sum = 3", "len(x, x)", "x.append()", "x = nosuch(1)", "f = 3",
    "x = " + "(" * 60 + ")" * 60, "x = 1" + "0" * 50, "x = y if z", "if x: y = 1", "x = *y",
    "x = y is z",
    "x = 1 if", "for x.y in z:", "for x in y", "else:", "return return", "break", "x =", "\tx = 1",
    "x = '\u00e9'", "x = 010", "try:", "with x:", "yield x", "assert x", "raise x", "class X:",
)  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_not_in_the_subset_is_refused(line):
    with pytest.raises(Unreadable):
        parsed(f"def f(x, y, z):\n    {line}\n    return x")


LIMITS = (
    "while True:\n        n += 1", "while True:\n        pass",
    "n = 9\n    while True:\n        n *= n",
    "n = 'ab'\n    while True:\n        n += n", "n = [0] * 10 ** 30", "n = list(range(10 ** 9))",
    "n = 'a'.replace('', 'b' * 2000).replace('b', 'c' * 2000)", "n = 10 ** 10 ** 10",
    "n = (1,)\n    for i in range(99):\n        n = (n, n)\n    n = {n: 1}", "return f(n)",
    "n = []\n    n.append(n)\n    n = n == [n]",
    "n = 'x' * 1999\n    n = [n] * 1999\n    n = ''.join(n)",
    "n = [1]\n    for i in n:\n        n.append(i)", "n = '%99999999d' % 1",
    "n = sum(range(10 ** 12))",
    "n = [[0] * 1000 for i in range(1000)]\n    n = str(n)", "n = -(2 ** -1)",
)  # fmt: skip


@pytest.mark.parametrize("body", LIMITS)
def test_what_costs_too_much_ends_soon(body):
    outcome = compiled(f"def f(n):\n    {body}\n    return n").call("f(2)")
    assert (outcome.shown, outcome.fault) == ("Limit", True)
    assert outcome.why


def test_a_program_of_known_results():
    source = """\
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def f(xs):
    rows = [xs] * 2
    rows[0][0] += 5
    row, turned = rows[1], xs[::-1]
    counts = {}
    for c in 'banana':
        counts[c] = counts.get(c, 0) + 1
    while row and row[-1] > 2:
        row.pop()
    return fib(10), xs, turned, counts, -7 // 2, -7 % 3, 'a' < 'b' <= 'b', not xs is None"""
    shown = "(55, [6, 2], [4, 3, 2, 6], {'b': 1, 'a': 3, 'n': 2}, -4, 2, True, True)"
    assert compiled(source).call("f([1, 2, 3, 4])").shown == shown


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_drawn_programs_use_what_they_have(seed):
    (source, _, _), _ = drawn(seed)
    for function in ast.parse(source).body:
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        counters = {
            node.target.id
            for node in ast.walk(function)
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
        }
        assert stored - counters <= used, source
        assert {each.arg for each in function.args.args} <= used, source


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_a_battery_shows_up_what_many_inputs_show_up(seed):
    (source, name, signature), _ = drawn(seed)
    chosen, running, rng = battery(source, name, signature), Program(source), Random(seed)
    many = trials(running, [drawn_call(rng, name, signature) for _ in range(60)])
    missed = [
        slip
        for slip in slips(source)
        if not first_to_tell(running, slip, chosen) and first_to_tell(running, slip, many)
    ]
    assert len(missed) <= 0.05 * len(slips(source)) + 1, (source, [slip.text for slip in missed])


def test_literals():
    assert literal("[1, ('a', -2), {'b': True}, None]") == [1, ("a", -2), {"b": True}, None]
    for text in ("[x]", "1 + 1", "f(1)", "{[]: 1}", "[1", "--1", "-True", ""):
        with pytest.raises(Unreadable):
            literal(text)


# ------------------------------------------------------------------------------ the environments

XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


def total_gone_wrong():
    wrong = replaced(TOTAL, 2, "total = 1")
    shown = trials(compiled(TOTAL), ["f([1, 2, 3])", "f([0, 0, 0])"])
    return FindTheBug(
        source=wrong, name="f", signature=(XS,), line=2, right="total = 0", examples=tuple(shown),
        told=True,
    )  # fmt: skip


def test_any_repair_that_works_is_right():
    task = total_gone_wrong()
    for answer in (
        task.answer(),
        "line 2:  total = 1 - 1",
        "5: return total - 1",
        "5: return sum(xs)",
    ):
        assert task.verify(answer).value == 1, answer
        assert task.audit(answer)


def test_repairs_that_do_not_work():
    task = total_gone_wrong()
    for answer in ("2: total = 1", "4: total += x - 1", "2: pass", "3: while False:",
                   "5: return 6 if xs[0] else 0", "4: total = total"):  # fmt: skip
        score = task.verify(answer)
        assert score.value == 0, answer
        assert score.reason
    for answer in ("total = 0", "9: total = 0", "0: total = 0", "2: total = 0\n3: pass",
                   "2: import os",
                   "2: total = 0; x = 1", "x: total = 0", "3: total = 0", "1: pass"):  # fmt: skip
        with pytest.raises(Unreadable):
            task.verify(answer)


def test_a_table_of_the_examples_is_no_repair():
    task = total_gone_wrong()
    score = task.verify("5: return {3: 6}.get(max(xs), 0)")
    assert score.reason == "the examples are right, but not all other inputs"


def hole():
    shown = trials(compiled(TOTAL), ["f([1, 2, 3])", "f([0, 0, 0])", "f([9, 1, 1])"])
    return CompleteTheHole(
        source=replaced(TOTAL, 4, "total += ____"), name="f", signature=(XS,),
        blanks=((4, "total += ____"),), right=("total += x",), examples=tuple(shown),
    )  # fmt: skip


def test_holes_are_filled_and_nothing_else_is_changed():
    task = hole()
    for answer in ("total += x", "total+=0 + x", "total += (x)", "total += x if x else 0"):
        assert task.verify(answer).value == 1, answer
    for answer in ("total += 1", "total = total + x", "total -= -x", "total += xs"):
        assert task.verify(answer).value == 0, answer
    assert task.verify("x").reason == "more than the hole of line 4 is changed"
    for answer in ("total += ", "total += x\ntotal += x", "total += y()", "total += x +"):
        with pytest.raises(Unreadable):
            compiled(task.filled(task._lines(answer)))


def test_any_input_within_bounds_is_right():
    task = PredictInput(source=TOTAL, name="f", signature=(XS,), wanted="12", found="f([4, 4, 4])")
    for answer in ("f([3, 9, 0])", "f( [0,0, 3, 9] )", "f([4,4,4,])"):
        assert task.verify(answer).value == 1
        assert task.audit(answer)
    assert task.verify("f([1, 2, 3])").reason == "that returns 6"
    for answer in ("f([12])", "f([10, 1, 1])", "f([6, 6])", "f((4, 4, 4))", "[4, 4, 4]",
                   "g([4, 4, 4])",
                   "f([4, 4, 4], 1)", "f(xs)", "f([True, 9, 2])", "f([4, 4, 2 + 2])"):  # fmt: skip
        with pytest.raises(Unreadable):
            task.verify(answer)


def test_values_are_compared_as_python_shows_them():
    source = "def f(n):\n    return (n > 2, [n, str(n)])"
    task = PredictOutput(source=source, calls=("f(1)", "f(3)"))
    assert task.verify("(False, [1, '1'])\n True,[3,\"3\"]").value == 1
    assert task.verify("f(1) -> (False, [1, '1'])\nf(3) -> (True, [3, '3'])").value == 1
    assert task.verify("(0, [1, '1'])\n(True, [3, '3'])").parts == {"call 1": 0, "call 2": 1}
    assert task.verify("[False, [1, '1']]\n(True, [3, '3'])").value == 0
    with pytest.raises(Unreadable):
        task.verify("(False, [1, '1'])")


def test_a_trace_is_of_values_at_that_time():
    source = (
        "def f(n):\n    row = []\n    for i in range(n):\n        row = row + [i]\n    return row"
    )
    task = TraceVariable(source=source, call="f(3)", line=4, variable="row")
    assert task.answer() == "[[0], [0, 1], [0, 1, 2]]"
    assert task.verify("[[0], [0, 1]]").reason == "the line is carried out more times"
    assert task.verify("[[0], [1], [0, 1, 2]]").reason == "value 2 of the list is another one"


def killing():
    slips_ = ((4, "total += x if x != 7 else 1"), (4, "total += x if total != 5 else 1"))
    return TestsThatKill(source=TOTAL, name="f", signature=(XS,), slips=slips_, tests=2)


def test_the_first_kill_earns_nothing():
    task = killing()
    assert task.verify("f([7, 0, 0])\nf([5, 2, 0])").value == 1
    assert task.verify("f([5, 7, 2])").value == 1
    score = task.verify("f([7, 0, 0])")
    assert (score.value, score.reason[:22]) == (0, "version 2 of the list ")
    assert task.verify("f([0, 0, 0])\nf([1, 1, 1])").value == 0
    with pytest.raises(Unreadable):
        task.verify("f([7, 0, 0])\nf([5, 2, 0])\nf([0, 0, 0])")


@pytest.mark.parametrize("level", [0, 3, 6])
def test_examples_lead_to_one_repair(level):
    """Every slip that the examples allow is right, or nearly every one."""
    ambiguous = 0
    for seed in range(8):
        task = Address.of("programs/find_the_bug", seed, level).task()
        running = Program(task.source)
        for slip in slips(task.source):
            if not first_to_tell(running, slip, task.examples):
                ambiguous += task.verify(f"{slip.line}: {slip.text}").value < 1
        assert first_failure(compiled(task.source), task.examples), "nothing is wrong"
    assert ambiguous <= 1
