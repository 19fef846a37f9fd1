"""Finding the tests of a suite and running them, as pytest and unittest would.

Tests are statements of the module that hold an assert or call a function of the suite's, test
functions and test classes. What a test gives but None is a failure of the suite, and so is what
went wrong before the program had any part in it.
"""

import ast
import asyncio
import inspect
import itertools
import types
import unittest
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import failures
import pytest_like
import remotes
from failures import Failure, Unsupported
from pytest_like import Fixture, Mark, Skipped

Row = list[str]
"""The name of a test, its status, and why it is not passed."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Suite:
    """A suite of tests, and how its tests went so far."""

    def __init__(self, text: str, names: dict[str, Any]) -> None:
        self.names = names
        self.rows: list[Row] = []
        self.tree = ast.parse(text, "tests.py")
        self.functions = {
            node.name
            for node in self.tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        self.lost = ""
        self.answers = 0
        """How often the program had said anything when the tests were defined."""

        self.cached: dict[tuple[int, Any], Any] = {}
        self.ending = ExitStack()
        self.dropped: list[str] = []
        """What tests gave that nobody looked at."""

    # ------------------------------------------------------------------ finding tests

    def run(self) -> list[Row]:
        """Runs all tests."""
        warnings.simplefilter("always")
        warnings.showwarning = self._warned
        if not any(self.is_test(statement) or self.has_tests(statement)
                   for statement in self.tree.body):  # fmt: skip
            self.names["__name__"] = "__main__"  # it is a script
        for statement in self.tree.body:
            self.execute(statement)
        self.answers = remotes.link.answers
        with self.ending:
            self.around("setUpModule", "tearDownModule", self.ending)
            self.around("setup_module", "teardown_module", self.ending)
            for name, value in list(self.names.items()):
                if isinstance(value, types.FunctionType) and name.startswith("test"):
                    self.function(name, value)
                elif isinstance(value, type) and issubclass(value, unittest.TestCase):
                    self.test_case(name, value)
                elif isinstance(value, type) and name.startswith("Test"):
                    self.plain_class(name, value)
        if not self.rows:
            raise Unsupported("a suite without tests")
        return self.rows

    def is_test(self, statement: ast.stmt) -> bool:
        """Whether a statement of the module is a test."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return False
        if isinstance(statement, ast.If) and is_main(statement.test):
            return self.names.get("__name__") == "__main__" and any(
                map(self.is_test, statement.body)
            )
        return any(
            isinstance(node, ast.Assert)
            or (isinstance(node, ast.Call) and called(node, self.functions))
            for node in own_nodes(statement)
        )

    @staticmethod
    def has_tests(statement: ast.stmt) -> bool:
        """Whether a statement defines tests."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            return statement.name.startswith("test")
        return isinstance(statement, ast.ClassDef) and any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name.startswith("test")
            for node in statement.body
        )

    def execute(self, statement: ast.stmt) -> None:
        """Runs a statement of the module; where it fails it is a test that failed."""

        def execute() -> Any:
            if isinstance(statement, ast.Expr) and self.is_test(statement):
                value = compile(ast.Expression(statement.value), "tests.py", "eval")
                return eval(value, self.names)  # noqa: S307  the suite's own
            code = compile(ast.Module([statement], []), "tests.py", "exec")
            return exec(code, self.names)

        row = self.tried(f"line {statement.lineno}", execute)
        if row is not None and (row[1] != "PASS" or self.is_test(statement)):
            self.rows.append(row)

    def _warned(self, message: Any, *_: Any, **__: Any) -> None:
        if "was never awaited" in str(message) or "return a value" in str(message):
            self.dropped.append(str(message)[:200])

    # ------------------------------------------------------------------ running one test

    def tried(self, name: str, test: Callable[[], Any]) -> Row | None:
        """Runs one test; nothing for one that is skipped.

        Raises :class:`Unsupported` for what is the suite's own failure.
        """
        link = remotes.link
        if self.lost:
            return [name, "LOST", self.lost]
        link.failures.clear()
        link.raised.clear()
        answers, status, reason = link.answers, "PASS", ""
        try:
            finished(test())
        except (Skipped, unittest.SkipTest):
            if link.answers > answers:
                status, reason = "WA", "it was skipped for what the program said"
            else:
                return None
        except Failure:
            pass  # it is among the failures
        except Exception as fault:
            if link.answers == 0 and not link.failures:
                raise Unsupported(f"a suite that fails by itself: {described(fault)}") from fault
            status, reason = status_of(fault), described(fault)
        for failure in link.failures:
            if isinstance(failure, Unsupported):
                raise failure
            status, reason = getattr(failure, "status", "WA"), described(failure)
            if status == "LOST":
                self.lost = reason
        if self.dropped and status == "PASS":
            raise Unsupported(self.dropped[0])
        self.dropped.clear()
        return [name, status, reason]

    def add(self, name: str, test: Callable[[], Any]) -> None:
        """Runs one test and notes how it went."""
        row = self.tried(name, test)
        if row is not None:
            self.rows.append(row)

    # ------------------------------------------------------------------ functions

    def function(self, name: str, function: types.FunctionType) -> None:
        """Runs a test function, once for each of its cases."""
        if (
            self.is_called(name)
            and not set(pytest_like.wanted_by(function)) <= self.fixtures().keys()
        ):
            return  # it is a function that the suite itself calls
        self.cases(name, function, None, ())

    def is_called(self, name: str) -> bool:
        """Whether the module calls a function outside of any other."""
        return any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
            for statement in self.tree.body
            if not isinstance(statement, DEFINITIONS)
            for node in own_nodes(statement)
        )

    def cases(self, name: str, function: Any, owner: Any, around: Any) -> None:
        """Runs a test once for each of its cases; it is passed where all of them are."""
        marks: list[Mark] = [mark for thing in (owner, function) if thing is not None
                             for mark in getattr(thing, "marks", ())]  # fmt: skip
        things = [function] if owner is None else [owner, function]
        used = [arg for mark in marks if mark.name == "usefixtures" for arg in mark.args]
        rows: list[Row] = []
        for values, more in pytest_like.rows_of(*things):
            if any(mark.skips for mark in (*marks, *more)):
                if self.answers:
                    rows.append([name, "WA", "it was skipped for what the program said"])
                continue
            for chosen in self.choices(function, owner, values, used):
                row = self.tried(
                    name,
                    lambda: self.one(function, owner, values, chosen, used, around),  # noqa: B023
                )
                rows += [row] if row is not None else []
        self.rows += [row for row in rows if row[1] != "PASS"][:1] or rows[:1]

    def one(  # noqa: PLR0913, PLR0917
        self, function: Any, owner: Any, values: dict[str, Any], chosen: dict[str, Any],
        used: list[str], around: Any,
    ) -> Any:  # fmt: skip
        """Runs a test with its fixtures."""
        with ExitStack() as ending:
            instance = None if owner is None else owner()
            for before, after in around:
                self.hook(getattr(instance, before, None), function)
                ending.callback(self.hook, getattr(instance, after, None), function)
            known = self.fixtures(owner)
            own: dict[str, Any] = {}
            automatic = [name for name, entry in known.items() if entry.autouse]
            bound = function if instance is None else getattr(instance, function.__name__)
            for name in (*automatic, *used):
                self.fixture(name, known, chosen, own, instance, ending)
            wanted = [name for name in pytest_like.wanted_by(bound) if name not in values]
            arguments = {
                name: self.fixture(name, known, chosen, own, instance, ending) for name in wanted
            }
            finished(bound(**values, **arguments))

    def hook(self, function: Any, test: Any) -> None:
        """Runs what stands before or after a test, where there is such a thing."""
        if function is not None:
            function(*[test][: len(pytest_like.wanted_by(function))])

    # ------------------------------------------------------------------ fixtures

    def fixtures(self, owner: Any = None) -> dict[str, Fixture]:
        """The fixtures that a test can have."""
        own = {} if owner is None else {
            name: getattr(owner, name) for name in dir(owner)
        }  # fmt: skip
        return {name: entry for name, entry in (dict(self.names) | own).items()
                if isinstance(entry, Fixture)}  # fmt: skip

    def choices(
        self, function: Any, owner: Any, values: dict[str, Any], used: list[str]
    ) -> Iterator[dict[str, Any]]:
        """Every combination of the parameters of the fixtures that a test has."""
        known = self.fixtures(owner)
        needed = [*used, *(name for name, entry in known.items() if entry.autouse)]
        skipped = 1 if owner is not None and not isinstance(
            inspect.getattr_static(owner, function.__name__), staticmethod) else 0  # fmt: skip
        queue = [*needed, *pytest_like.wanted_by(function)[skipped:]]
        seen: list[str] = []
        while queue:
            name = queue.pop()
            if name in values or name in {"request", "self"} or name in seen:
                continue
            if name not in known:
                raise Unsupported(f"a test that needs {name}, which is no fixture of the suite's")
            seen.append(name)
            queue += pytest_like.wanted_by(known[name].function)
        with_params = [name for name in seen if known[name].params is not None]
        for combination in itertools.product(*(known[name].params or [] for name in with_params)):
            yield dict(zip(with_params, combination))

    def fixture(  # noqa: PLR0913, PLR0917
        self, name: str, known: dict[str, Fixture], chosen: dict[str, Any], own: dict[str, Any],
        instance: Any, ending: ExitStack,
    ) -> Any:  # fmt: skip
        """The value of a fixture, for a test or for as long as its scope says."""
        if name not in known:
            raise Unsupported(f"a test that needs {name}, which is no fixture of the suite's")
        entry = known[name]
        key = id(entry), repr(chosen.get(name)), None if entry.scope != "class" else type(instance)
        cache: dict[Any, Any] = own if entry.scope == "function" else self.cached
        if key not in cache:
            last = ending if entry.scope == "function" else self.ending
            args = {
                arg: types.SimpleNamespace(param=chosen.get(name))
                if arg == "request"
                else self.fixture(arg, known, chosen, own, instance, ending)
                for arg in pytest_like.wanted_by(entry.function)
                if arg != "self"
            }
            wants_self = "self" in pytest_like.wanted_by(entry.function)
            value = entry.function(*[instance][:wants_self], **args)
            if inspect.isgenerator(value):
                steps = value
                value = next(steps)
                last.callback(lambda: [*steps])
            elif inspect.iscoroutine(value):
                value = asyncio.run(value)
            elif inspect.isasyncgen(value):
                raise Unsupported("a fixture that is an asynchronous generator")
            cache[key] = value
        return cache[key]

    # ------------------------------------------------------------------ classes

    def plain_class(self, name: str, cls: type) -> None:
        """Runs the tests of a class of pytest's kind."""
        if any("__init__" in vars(base) for base in cls.__mro__[:-1]):
            raise Unsupported(f"the test class {name} has an __init__")
        with ExitStack() as ending:
            try:
                self.around("setup_class", "teardown_class", ending, cls)
            except (Exception, Failure) as fault:
                self.add(name, lambda fault=fault: raise_again(fault))  # type: ignore[misc]
                return
            around = [("setup_method", "teardown_method"), ("setup", "teardown")]
            for test in methods(cls):
                self.cases(f"{name}.{test}", getattr(cls, test), cls, around)

    def around(self, before: str, after: str, ending: ExitStack, owner: Any = None) -> None:
        """Runs what stands before all tests, and sees to what stands behind them."""
        for hook in (before, after):
            function = dict(self.names).get(hook) if owner is None else getattr(owner, hook, None)
            if function is None or isinstance(function, remotes.Remote):
                continue
            if hook == before:
                self.hook(function, owner)
            else:
                ending.callback(self.hook, function, owner)

    def test_case(self, name: str, cls: type[unittest.TestCase]) -> None:
        """Runs the tests of a class of unittest's kind."""
        tests = methods(cls)
        if not tests:
            return
        failed = self.tried(name, cls.setUpClass)
        if failed is None or getattr(cls, "__unittest_skip__", False):
            return
        for test in tests:
            if failed[1] != "PASS":
                self.rows.append([f"{name}.{test}", *failed[1:]])
            else:
                self.add(f"{name}.{test}", lambda test=test: one_of_case(cls, test))  # type: ignore[misc]
        self.tried(name, cls.tearDownClass)
        self.tried(name, cls.doClassCleanups)


# ------------------------------------------------------------------ parts


def methods(cls: type) -> list[str]:
    """The names of a class's tests, in the order in which they are defined."""
    defined = [name for base in reversed(cls.__mro__) for name in vars(base)]
    return [name for name in dict.fromkeys(defined)
            if name.startswith("test") and callable(getattr(cls, name))]  # fmt: skip


def one_of_case(cls: type[unittest.TestCase], test: str) -> None:
    """Runs one test of unittest's kind."""
    case = cls(test)
    method = getattr(case, test)
    if getattr(method, "__unittest_expecting_failure__", False):
        raise Unsupported("unittest.expectedFailure")
    if isinstance(case, unittest.IsolatedAsyncioTestCase):
        if inspect.isasyncgenfunction(method) or inspect.isgeneratorfunction(method):
            raise Unsupported("a test that is a generator")
        case.debug()
        return

    def tested() -> None:
        finished(method())

    tested.__dict__.update(vars(getattr(method, "__func__", method)))  # marks, as of a skip
    setattr(case, test, tested)
    case.debug()


def finished(value: Any) -> None:
    """Runs what a test gives to its end.

    Raises :class:`Unsupported` for a generator, and for anything else but None.
    """
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise Unsupported("a test that is a generator")
    if value is not None:
        raise Unsupported("a test that gives a value, which decides nothing")


def status_of(fault: Exception) -> str:
    """The status of a test that ended by an exception: the program's own, or the suite's."""
    if isinstance(fault, AssertionError) or not any(fault is each for each in remotes.link.raised):
        return "WA"
    return "MLE" if isinstance(fault, MemoryError) else "RE"


def described(fault: BaseException) -> str:
    """Why a test is not passed."""
    text = failures.text_of(fault)
    return text if isinstance(fault, Failure) else f"{type(fault).__name__}: {text}"[:200]


def raise_again(fault: BaseException) -> None:
    """Raises an exception where a test is run."""
    raise fault


def own_nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, but for those that are run at another time."""
    yield statement
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, DEFINITIONS):
            yield from own_nodes(child)


def called(node: ast.Call, names: set[str]) -> bool:
    """Whether a call is one of these functions, or of a method that asserts."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr.startswith("assert") or function.attr == "raises"
    return isinstance(function, ast.Name) and function.id in names


def check_results(tree: ast.Module, functions: set[str]) -> None:
    """Raises :class:`Unsupported` for a test that is a generator, or that gives a value which no
    assertion has made: it would decide nothing.
    """
    run = {node.value.func.id for node in tree.body
           if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
           and isinstance(node.value.func, ast.Name)} & functions  # fmt: skip
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    scopes += [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for scope in scopes:
        for node in scope.body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if not (node.name.startswith("test") or (scope is tree and node.name in run)):
                continue
            for part in (each for statement in node.body for each in own_nodes(statement)):
                if isinstance(part, ast.Yield | ast.YieldFrom):
                    raise Unsupported(f"{node.name} is a generator")
                if isinstance(part, ast.Return) and gives_value(part.value, functions):
                    raise Unsupported(f"{node.name} gives a value, which decides nothing")


def gives_value(value: ast.expr | None, functions: set[str]) -> bool:
    """Whether what is returned may be something, but for what an assertion or a function gives."""
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return False
    inner = value.value if isinstance(value, ast.Await) else value
    return not (isinstance(inner, ast.Call) and called(inner, functions))


def is_main(test: ast.expr) -> bool:
    """Whether a condition is ``__name__ == "__main__"``."""
    return isinstance(test, ast.Compare) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test)
    )
