"""Suites of tests, and what is not believed of the programs they test."""

import pytest

from palaestra.verifiers.sandbox import Limits, Sandbox
from palaestra.verifiers.sandbox.canaries import tried

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]
QUICK = Limits(cpu_s=2, wall_s=20, memory_mb=256)


@pytest.fixture(scope="module", params=BACKENDS)
def jail(request):
    with Sandbox(request.param, slots=1) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def native():
    with Sandbox(BACKENDS[0], slots=1) as sandbox:
        yield sandbox


def judged(jail, source, suite, **options):
    return jail.judge_asserts(source, suite, limits=QUICK, **options)


ADD = "def add(a, b):\n    return a + b\n"
FORMS = {
    "a loop of the module": "for n in range(3):\n    assert add(n, 1) == n + 1",
    "with and raises": "import pytest\nwith pytest.raises(TypeError):\n    add(1, 'x')",
    "what the main guard runs": "def check():\n    assert add(1, 1) == 2\n"
    "if __name__ == '__main__':\n    check()",
    "fixtures": """
import pytest

@pytest.fixture
def one():
    return 1

@pytest.fixture(params=[2, 3])
def more(request, one):
    yield request.param + one

def test_add(one, more):
    assert add(one, more) == 1 + more

class TestAdd:
    @pytest.fixture(autouse=True)
    def number(self):
        self.number = 5

    def test_number(self, one):
        assert add(self.number, one) == 6
""",
    "parameters": """
import pytest

@pytest.mark.parametrize("c", [1, 2])
@pytest.mark.parametrize(("a", "b"), [pytest.param(1, 2, id="x"), (3, 4)])
def test_add(a, b, c):
    assert add(add(a, b), c) == a + b + c

@pytest.mark.slow
@pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.skip(reason="no")), 2])
def test_marks(a):
    assert add(a, a) == 4
""",
    "raises with a match": """
import pytest

def test_it():
    with pytest.raises(TypeError, match=r"unsupported operand .*'int' and 'str'") as caught:
        add(1, "x")
    assert "unsupported" in str(caught.value)
    assert isinstance(pytest.raises(TypeError, add, 1).value, TypeError)
""",
    "set-ups of unittest": """
import unittest

class TestAdd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.one = add(0, 1)

    def setUp(self):
        self.two = add(self.one, 1)

    def test_sum(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(add(self.two, n), 2 + n)

    def test_wrong(self):
        with self.assertRaisesRegex(TypeError, "unsupported"):
            add(1, "x")

    @unittest.skip("not here")
    def test_skipped(self):
        self.fail()

if __name__ == "__main__":
    unittest.main()
""",
    "set-ups of classes": """
class TestAdd:
    @classmethod
    def setup_class(cls):
        cls.one = add(0, 1)

    def setup_method(self, method):
        self.two = add(self.one, 1)

    def test_sum(self):
        assert self.two == 2
""",
    "set-ups of the module": "def setup_module():\n    global one\n    one = add(0, 1)\n"
    "def test_one():\n    assert one == 1",
    "coroutines": """
import asyncio, unittest

async def test_async():
    await asyncio.sleep(0)
    assert add(1, 1) == 2

class TestPlain(unittest.TestCase):
    async def test_async(self):
        self.assertEqual(add(1, 1), 2)

class TestIsolated(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.two = 2

    async def test_async(self):
        self.assertEqual(add(1, 1), self.two)
""",
    "nothing that is printed matters": "print('x' * 3_000_000)\nassert add(1, 1) == 2",
}  # fmt: skip


@pytest.mark.parametrize("suite", FORMS.values(), ids=FORMS)
def test_forms(jail, suite):
    verdict = judged(jail, ADD, suite)
    assert (verdict.fraction, verdict.integrity) == (1, "strong"), verdict
    assert judged(jail, "def add(a, b):\n    return 'neither'", suite).fraction == 0


HONEST = {
    "callbacks": """
def twice(f, x):
    return [f(y) for y in x] + [*map(f, x)]
# the suite
def test():
    assert twice(lambda y: y + 1, [1]) == [2, 2]
    assert twice(str, (n for n in [3])) == ['3']
    seen = []
    twice(seen.append, [5])
    assert seen == [5, 5]
""",
    "callbacks that call back": """
def apply(f, n):
    return f(n)
# the suite
def test():
    assert apply(lambda n: n and apply(lambda m: m * 2, n - 1), 4) == 6
""",
    "errors of callbacks": """
def safe(f):
    try:
        return f()
    except ValueError as e:
        return str(e)
# the suite
def bad():
    raise ValueError('no')
def test():
    assert safe(bad) == 'no'
""",
    "a class with a length, items and a text": """
class Row:
    def __init__(self, *n): self.n = [*n]
    def add(self, x): self.n.append(x)
    def __len__(self): return len(self.n)
    def __iter__(self): return iter(self.n)
    def __getitem__(self, k): return self.n[k]
    def __str__(self): return str(self.n)
    def __contains__(self, x): return x in self.n
# the suite
def test():
    row = Row(1, 2)
    assert len(row) == 2 and list(row) == [1, 2]
    row.add(3)
    assert row[-1] == 3 and str(row) == '[1, 2, 3]' and 3 in row
    assert sorted(row) == [*row] and [*reversed(row)] == [3, 2, 1] and row[1:] == [2, 3]
""",
    "values of the standard library": """
from collections import Counter, deque
from fractions import Fraction
from decimal import Decimal
from datetime import date
def f(): return Counter('aab'), deque([1]), Fraction(1, 3), Decimal('0.1'), date(2000, 1, 2)
# the suite
from fractions import Fraction
from decimal import Decimal
def test():
    c, d, f_, m, day = f()
    assert c == {'a': 2, 'b': 1} and c.most_common(1)[0][0] == 'a'
    assert d[0] == 1 and f_ * 3 == 1 and m + m == Decimal('0.2') and day.year == 2000
""",
    "values of derived types": """
from collections import namedtuple
from enum import IntEnum
class E(IntEnum):
    A = 3
P = namedtuple('P', 'x y')
def f(): return P(1, 2), E.A
# the suite
def test():
    p, e = f()
    assert p == (1, 2) and p.x == 1 and e == 3 and e + 1 == 4
""",
    "lists that are changed in place": """
def rotate(m):
    m[:] = [list(r) for r in zip(*m[::-1])]
# the suite
def test():
    m = [[1, 2], [3, 4]]
    rotate(m)
    assert m == [[3, 1], [4, 2]]
""",
    "exceptions of the program's own": """
class Empty(LookupError):
    def __init__(self, n):
        super().__init__(f'{n} left')
        self.n = n
def take(n):
    raise Empty(n)
# the suite
import pytest
from solution import Empty
def test():
    with pytest.raises(Empty, match='3 left') as e:
        take(3)
    assert e.value.n == 3
def test_base():
    try:
        take(1)
    except LookupError as e:
        assert isinstance(e, Empty)
""",
    "generators of the program": """
def count():
    n = 0
    while True:
        yield n
        n += 1
# the suite
from itertools import islice
def test():
    c = count()
    assert next(c) == 0
    assert [*islice(c, 3)] == [1, 2, 3]
""",
    "linked lists": """
class Node:
    def __init__(self, v, n=None): self.v, self.n = v, n
def build(x):
    return Node(x[0], build(x[1:])) if x else None
# the suite
def test():
    node, seen = build([1, 2]), []
    while node is not None:
        seen.append(node.v)
        node = node.n
    assert seen == [1, 2]
    assert build([]) == None and build([1]) != None
""",
    "coroutines of the program": """
import asyncio
async def f(n):
    await asyncio.sleep(0)
    return n
# the suite
import asyncio
async def test():
    assert await f(1) == 1
    assert await asyncio.gather(f(2), f(3)) == [2, 3]
def test_run():
    assert asyncio.run(f(4)) == 4
""",
    "texts that are evaluated": """
def f(): return '(1 + 2) * x'
# the suite
def test():
    assert eval(f(), {'x': 4}) == 12 and eval('f()') == '(1 + 2) * x'
""",
    "long whole numbers": """
def f(): return 10**5000
# the suite
assert f() == 10**5000
""",
}
"""Programs, and behind them the suites that they pass."""


@pytest.mark.parametrize("both", HONEST.values(), ids=HONEST)
def test_honest_programs(jail, both):
    verdict = judged(jail, *both.split("# the suite"))
    assert (verdict.fraction, verdict.integrity) == (1, "strong"), verdict


REFUSED = [
    "",
    "x = 1",
    "def test_it():\n    yield\n    assert add(1, 1) == 3",
    "def test_it():\n    return add(1, 1) == 3",
    "async def test_it():\n    yield",
    "async def check():\n    assert add(1, 1) == 3\ndef test_it():\n    check()",
    "def check(f):\n    yield f(1, 1) == 3\ncheck(add)",
    "import unittest\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        yield",
    "import unittest\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        return 1",
    "def test_it():\n    return print(add(1, 1))",
    "def check(f):\n    return print(f(1, 1))\ncheck(add)",
    "import numpy\nassert add(1, 1) == 2",
    "from elsewhere import add\nassert add(1, 1) == 2",
    "def test_it(capsys):\n    assert add(1, 1) == 2",
    "import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert add(1, 1) == 2",
    "import pytest\ndef test_it():\n    with pytest.warns(UserWarning):\n        add(1, 1)",
    "from unittest.mock import patch\n@patch('builtins.print')\ndef test_it(p):\n    add(1, 1)",
    "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    assert add(1, 1)",
    "class Own:\n    pass\ndef test_it():\n    assert add(Own(), 1)",
    "def test_it():\n    assert 1 == 2",
    "def test_it(:",
    "x = 1 / 0\nassert add(1, 1) == 2",
]


@pytest.mark.parametrize("suite", REFUSED)
def test_what_cannot_be_run_is_our_failure(native, suite):
    verdict = judged(native, ADD, suite)
    assert (verdict.fraction, verdict.status) == (None, "JUDGE_ERROR"), verdict


def test_what_is_refused_by_reading_does_not_start_the_program(native):
    verdict = judged(native, "while True: pass", "import numpy\nassert f() == 1")
    assert verdict.status == "JUDGE_ERROR"
    assert "numpy" in verdict.per_test[0].reason


@pytest.mark.parametrize(("number", "status"), [(2_000, "PASS"), (6_000, "OLE")])
def test_functions_of_a_suite_are_called_so_often_at_the_most(native, number, status):
    """Each such call passes the judge, whom a program is not to keep busy."""
    source = "def each(f, n):\n    return [f(k) for k in range(n)]\n"
    suite = f"assert each(lambda k: k + 1, {number}) == list(range(1, {number + 1}))"
    limits = Limits(cpu_s=60, wall_s=240)
    assert native.judge_asserts(source, suite, limits=limits).status == status


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("def f():\n    while True: pass", "TLE"),
        ("import time\ndef f(): time.sleep(60)", "TLE"),
        ("def f(): return bytearray(1 << 30)", "MLE"),
        ("def f():\n    while True: print('x' * 1000)", "OLE"),
        ("def f(): return 'x' * (3 << 20)", "OLE"),
        ("import ctypes\ndef f(): ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("def f(): return 1 / 0", "RE"),
        ("import os\ndef f(): os._exit(0)", "RE"),
        ("def f(): return 2", "WA"),
        ("g = 1", "RE"),
    ],
)
def test_statuses_are_those_of_the_program(jail, source, status):
    limits = Limits(cpu_s=0.5, wall_s=2, memory_mb=256)
    verdict = jail.judge_asserts(source, "def test(): assert f() == 1", limits=limits)
    assert (verdict.status, verdict.fraction) == (status, 0), verdict
    if "ctypes" not in source or jail.level == "namespaces":
        assert jail.judge_calls(source, "f", [([], 1)], limits=limits).status == status


LIAR = """
class Liar:
    def __init__(self): self.looks = 0
    def __len__(self): return 3
    def __iter__(self):
        self.looks += 1
        return iter([3, 1, 2] if self.looks % 2 else [1, 2, 3])
    def __getitem__(self, key): return [1, 2, 3][key]
    def __contains__(self, thing): return True
    def __eq__(self, other): return True
    def __str__(self): self.looks += 1; return "ab" if self.looks % 2 else "ba"
    def startswith(self, *_): return True
    isdigit = issubset = startswith
def f(*_): return Liar()
"""


@pytest.mark.parametrize(
    "test",
    [
        "r = f(); assert list(r) == sorted(r) and sorted(r) == [1, 2, 3]",
        "r = f(); assert [r[i] for i in range(3)] == sorted(r) and [*r] == [3, 1, 2]",
        "r = f(); assert str(r) == str(r)[::-1]",
        "assert 7 in f()",
        "assert f() == [1, 2, 3]",
        "assert f() != 4",
        "assert not f() == 4",
        "assert f() not in [1, 2]",
        "assert f() not in {1, 2}",
        "assert f().startswith('x')",
        "assert f().isdigit()",
        "assert f().issubset({1})",
        "assert f() == f()",
        "try:\n        assert f() == 4\n    except BaseException: pass",
    ],
)
def test_objects_are_not_believed(native, test):
    assert judged(native, LIAR, f"def test():\n    {test}").fraction == 0


def test_a_length_is_that_of_the_items(native):
    source = "class C:\n    def __len__(self): return 5\n    def __iter__(self): return iter([1])\n"
    assert judged(native, source + "f = C", "assert len(f()) == 5").fraction == 0


def test_kinds_are_the_programs_word(native):
    source = """
class Meta(type):
    def __instancecheck__(self, thing): return True
class Shape(metaclass=Meta): pass
class Other: pass
"""
    verdict = judged(native, source, "assert isinstance(Other(), Shape)")
    assert verdict.fraction == 0
    verdict = judged(native, source, "assert isinstance(Shape(), Shape)")
    assert (verdict.fraction, verdict.integrity) == (1, "weak")


def test_what_changes_while_nobody_acts_is_not_believed(native):
    source = "n = [1]\nclass C:\n    def __iter__(self): return iter([*n])\ndef g(): n.append(2)"
    suite = "def test():\n    c = C()\n    assert [*c] == [1]\n    g()\n    assert [*c] == [1, 2]"
    assert judged(native, source, suite).fraction == 0
    verdict = judged(native, source, suite, trusting=True)
    assert (verdict.fraction, verdict.integrity) == (1, "weak")
    source = "class A: n = 0\ndef pay(a): a.n += 1"
    suite = "def test():\n    a = A()\n    assert a.n == 0\n    pay(a)\n    assert a.n == 1"
    assert judged(native, source, suite).integrity == "strong"


def test_a_text_does_not_name_what_the_suite_has(native):
    suite = "def test():\n    wanted = 24\n    assert eval(f()) == wanted"
    assert judged(native, "def f(): return 'wanted'", suite).fraction == 0
    assert judged(native, "def f(): return '4 * 6'", suite).fraction == 1


def test_a_word_that_is_taken_is_weak(native):
    source = "class C:\n    def __lt__(self, other): return True\ndef f(): return C()"
    assert judged(native, source, "assert f() < 3").fraction == 0
    verdict = judged(native, source, "assert f() < 3", trusting=True)
    assert (verdict.fraction, verdict.integrity) == (1, "weak")


EVALUATED = [
    "__import__('os').write(3, b'report')",
    "().__class__.__base__.__subclasses__()",
    "[f for f in ()]",
    "(lambda: 1)()",
    "f'{1}'",
    "exec('1')",
]
RUNS = [
    "exec(f())",
    "import builtins; builtins.eval(f())",
    "exec(compile(f(), '', 'eval'))",
    "import timeit; timeit.timeit(f(), number=1)",
]


@pytest.mark.parametrize("text", EVALUATED)
def test_no_text_of_the_programs_is_run(native, text):
    source = f"def f(): return {text!r}"
    assert judged(native, source, "def test():\n    assert eval(f()) or True").fraction == 0
    for run in RUNS:
        verdict = judged(native, source, f"def test():\n    {run}")
        assert verdict.status == "JUDGE_ERROR", (run, verdict)


@pytest.mark.parametrize(
    ("source", "suite"),
    [
        ("class f(Exception): pass", "def test(): assert f(3) != 4"),
        ("class f(Exception): pass", "def test(): assert f(3) == 4"),
        ("class f(Exception): pass", "def test(): assert f(3)"),
        ("f = ValueError", "def test(): assert f(3) != 4"),
        ("f = KeyboardInterrupt", "def test(): assert f(3)"),
        (
            "def f(n): 1 / (n - 2)\n",
            "async def g(x): pass\nasync def test():\n    first = g(f(1))\n    await g(f(2))",
        ),
        ("def f(n): return [[]] * 10**6", "def test(): assert f(1) == 2"),
        ("def f(n):\n    x = []\n    for _ in range(99): x = [x]\n    return x",
         "def test(): assert f(1) == 2"),
        ("f = 3", "def test(): assert f(1) == 2"),
        ("f = {1: 2}", "def test(): assert f[2] == 2"),
        ("class f:\n    def __init__(self, n): raise SystemExit", "def test(): assert f(1) == 2"),
    ],
)  # fmt: skip
def test_a_program_cannot_make_its_failure_ours(native, source, suite):
    """And a class of exceptions is not a function whose results are unequal to everything."""
    verdict = judged(native, source, suite)
    assert verdict.fraction == 0, verdict


def test_a_skip_is_not_the_programs_choice(native):
    skip = (
        "import pytest, solution\ndef test_a():\n    if not hasattr(solution, 'g'): pytest.skip()\n"
    )
    verdict = judged(native, "def f(): return 1", skip + "def test_b(): assert f() == 1")
    assert verdict.fraction == 0.5


def test_nothing_is_said_before_it_is_asked_for(jail):
    source = "import os\nfor _ in range(9): os.write(3, b'{\"value\": 7}\\n')\ndef f(): return 1"
    assert jail.judge_calls(source, "f", [([], 7), ([], 1)], limits=QUICK).passed == 1
    assert judged(jail, source, "assert f() == 7").fraction == 0
