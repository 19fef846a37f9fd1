"""The interpreter of small Python, compared with CPython, and its limits."""

import ast
import copy
import sys
import warnings
from random import Random
from time import process_time
from tokenize import generate_tokens

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.envs.programs.timing import count_to_millions

from palaestra.generators.programs.mini_python.cuts import cuts
from palaestra.generators.programs.mini_python.draw import program
from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parameters import literal, random_call
from palaestra.generators.programs.mini_python.parse import head, length, parsed, tokens
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import battery, killer, trials
from palaestra.generators.programs.mini_python.walk import walked
from palaestra.generators.programs.mini_python.writing import written
from palaestra.generators.programs.minimise_program import padded
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


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
    return made, [parameter.sample(rng) for parameter in made.signature]


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_drawn_programs_and_their_slips_do_what_python_does(seed):
    (source, name, _), values = drawn(seed)
    agree(source, name, values)
    mutants = slips(source)
    for slip in Random(seed).sample(mutants, min(12, len(mutants))):
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
    targets = ("q", "q", "a, b", "q, (a, b)")
    drains = ("any", "all", "sum", "max", "min", "sorted", "list", "tuple", "''.join")

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
            lambda: f"[{e()} for {pick(self.targets)} in {self.many(depth + 1)} if {e()}]",
            lambda: f"{pick(self.drains)}({e()} for {pick(self.targets)} in {self.many(depth)})",
            lambda: f"({e()} {pick(('in', 'not in'))} {pick(('set', 'list'))}({e()}))",
            lambda: f"({e()} in {self.passing(depth + 1)})",
            lambda: f"sum({e()}, {e()})",
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
        first = pick((f"if {e(1)}:", f"for {pick(('q', 'q, m', 'q, (m, n)'))} in {self.many()}:"))
        if kind == 9:
            first = f"while {e(1)}:"
        body = self.block(indent + 4, loop or not first.startswith("if"))
        last = [f"{space}else:", *self.block(indent + 4, loop)] if first.startswith("if") else []
        return [space + first, *body, *last]

    def program(self):
        rows = ["def g(n, m):", *self.block(4), "    return m", "", "def f(n, xs, s, d, t):"]
        rows += ["    m = 3", "    ys = xs", *self.block(4), "    return n, m, xs, ys, s, d, t"]
        return "\n".join(rows)


@settings(max_examples=250, deadline=None)
@example(519)
@example(1250)
@given(SEEDS)
def test_senseless_programs_do_what_python_does(seed):
    rng = Random(seed)
    source = Rough(rng).program()
    values = (rng.randint(-3, 9), [2, 0, 5][: rng.randrange(4)], "abca", {"a": 1, 2: [1]}, (1, "b"))
    try:
        compiled(source)
    except InvalidAnswer:
        return  # too long a line, or a loop over what may only be looped over elsewhere
    agree(source, "f", values)
    for row in source.split("\n"):
        if row.strip():
            assert head(written(head(row.strip()))) == head(row.strip())


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
    "x = (y for y in z)", "x = sum(y for y in z for w in y)", "x = g(y for y in z)",
    "x = max((y for y in z), 1)", "x = sorted(y for y in z, reverse=True)", "x = [set(y)]",
    "x = sum(zip(y, z) for y in z)", "for w in (y for y in z):", "x.extend(y for y in z)",
    "x, (y, 1) = z", "x = __file__", "x = sorted(reverse=True, y)", "x = sorted(y, key=z)",
)  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_not_in_the_subset_is_refused(line):
    with pytest.raises(InvalidAnswer):
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
    "n = ['x' * 1999] * 1999", "n = [['x' * 1999] * 40] * 40",
    "n = 'a' * 2000\n    m = 'a' * 500 + 'b' + 'a' * 499\n    while True:\n        "
    + " or ".join(["m in n"] * 18),
    "n = [k * 2305843009213693951 for k in range(1900)]\n    while True:\n        len(set(n))",
    "n = {}\n    for k in range(499):\n        n[k * 2305843009213693951] = k\n    while True:\n"
    "        k = " + " + ".join(["n[k]"] * 20),
    "while not any(i > 2000 for i in range(2000)):\n        pass",
    "n = sum([[0] * 1000 for i in range(50)], [])",
    "n = range(2000)\n    while True:\n        " + " or ".join(["(1,) in n"] * 10),
)  # fmt: skip


@pytest.mark.parametrize("body", LIMITS)
def test_what_costs_too_much_ends_soon(body):
    start = process_time()
    outcome = compiled(f"def f(n):\n    {body}\n    return n").call("f(2)")
    assert process_time() - start < 5 * count_to_millions()
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
@example(18534)
@given(SEEDS)
def test_drawn_programs_use_what_they_have(seed):
    (source, _, _), _ = drawn(seed)
    for function in ast.parse(source).body:
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        turns = {
            node.target.id
            for node in ast.walk(function)
            if isinstance(node, ast.For) and ast.unparse(node.iter).startswith("range(")
        }
        assert stored - turns <= used, source
        assert {each.arg for each in function.args.args} <= used, source


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_a_battery_shows_up_what_many_inputs_show_up(seed):
    (source, name, signature), _ = drawn(seed)
    chosen, running, rng = battery(source, name, signature), Program(source), Random(seed)
    many = trials(running, [random_call(rng, name, signature) for _ in range(60)])
    missed = [
        slip
        for slip in slips(source)
        if not killer(running, slip, chosen) and killer(running, slip, many)
    ]
    assert len(missed) <= 0.05 * len(slips(source)) + 1, (source, [slip.text for slip in missed])


def test_literals():
    assert literal("[1, ('a', -2), {'b': True}, None]") == [1, ("a", -2), {"b": True}, None]
    for text in ("[x]", "1 + 1", "f(1)", "{[]: 1}", "[1", "--1", "-True", ""):
        with pytest.raises(InvalidAnswer):
            literal(text)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_a_short_circuit_stops_a_generator(seed):
    rng = Random(seed)
    xs = [rng.randint(0, 3) for _ in range(5)]
    source = (
        "def g(xs):\n    xs.append(len(xs))\n    return xs[-1]\n\ndef f(xs, n):\n"
        "    row, x = [], 9\n    one = any(g(row) > n for x in xs)\n"
        "    two = all(6 // x for x in xs if x != n)\n    return one, two, row, x"
    )
    agree(source, "f", (xs, rng.randint(-1, 6)))


@settings(max_examples=40, deadline=None)
@given(SEEDS)
@example(132)  # programs of one line, which few kinds of padding fit
@example(216)
@example(1212)  # whose one line loops over what passes
def test_padding_changes_nothing_but_the_length(seed):
    made, values = drawn(seed)
    short, long = padded(Random(seed), made, 1 + seed % 12, seed % 3)
    assert length(short) < length(long)
    agree(long, made.name, values)
    for _ in range(4):
        assert compiled(short).apply(made.name, values) == compiled(short).apply(made.name, values)
        shown = {compiled(text).apply(made.name, values).shown for text in (short, long, made[0])}
        assert len(shown) == 1, long
        values = [parameter.sample(Random(seed)) for parameter in made.signature]


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_tokens_are_those_of_python(seed):
    (source, _, _), _ = drawn(seed)
    lexemes = generate_tokens(iter(source.splitlines(keepends=True)).__next__)
    mine = [token for line in source.split("\n") for token in tokens(line)]
    assert mine == [token.string for token in lexemes if token.string.strip()]


def test_a_generator_expression_stays_one():
    """Whatever is changed in it, it is still the argument of what uses it up."""
    source = "def f(xs):\n    return sum(x * 2 for x in xs if x > 1)"
    for change in (*slips(source), *cuts(source)):
        text = replaced(source, 2, change.text)
        assert text.count("sum(") == 0 or " for x in " in text
        agree(text, "f", ([1, 2, 3],))
