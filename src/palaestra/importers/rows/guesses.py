"""What is wrong with the tests of a program before any program is written.

Suites of assertions are read as syntax trees. They are executed in the sandbox alone.
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from palaestra.syntax import parse
from palaestra.verifiers.sandbox.judging import IoTest

MOST_NAMES = 50
"""A stub defines at most so many functions."""


def contradiction(tests: Sequence[IoTest]) -> str:
    """Why no program can pass the tests, or nothing.

    >>> contradiction([IoTest("1", "2"), IoTest("1", "3")])
    'tests 1 and 2 expect different outputs for the same input'
    """
    seen: dict[tuple[str, tuple[str, ...]], tuple[int, str]] = {}
    for number, test in enumerate(tests, 1):
        wanted = test.stdout.strip()
        earlier, other = seen.setdefault((test.stdin, tuple(test.args)), (number, wanted))
        if other != wanted:
            return f"tests {earlier} and {number} expect different outputs for the same input"
    return ""


def same_output(tests: Sequence[IoTest]) -> bool:
    """Whether several tests all expect the same output."""
    return len(tests) > 1 and len({test.stdout.strip() for test in tests}) == 1


def parsed(suite: str) -> ast.Module:
    """The syntax tree of a suite. Raises ``ValueError`` for one that is not Python."""
    try:
        return parse(suite)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the tests are not Python: {error}"[:200]) from None
    except (RecursionError, MemoryError):
        raise ValueError("the tests are nested too deeply") from None


def same_value(suite: ast.Module) -> str:
    r"""The value that all assertions expect of one function, as Python text, or nothing.

    Only suites of two assertions or more count, each of the form ``assert f(…) == LITERAL``,
    ``assert f(…)`` or ``assert not f(…)``, or ``assert same(f(…), LITERAL, …)`` with a function
    ``same`` of the suite.

    >>> same_value(parsed("assert is_odd(3)\nassert is_odd(5) == True"))
    'True'
    >>> same_value(parsed("assert is_odd(3)\nassert not is_odd(4)"))
    ''
    """
    own = {each.name for each in ast.walk(suite) if isinstance(each, ast.FunctionDef)}
    tests = [each.test for each in ast.walk(suite) if isinstance(each, ast.Assert)]
    expected = {_expected(test, own) for test in tests}
    if len(tests) < 2 or len(expected) != 1:
        return ""
    ((name, value),) = expected
    return value if name else ""


def _expected(test: ast.expr, own: AbstractSet[str]) -> tuple[str, str]:
    """The function that an assertion calls, and the value that it expects of it."""
    match test:
        case ast.Call(func=ast.Name(id=name), args=[ast.Call(func=called), wanted, *_]):
            return (ast.unparse(called), _literal(wanted)) if name in own else (name, "True")
        case ast.Call(func=ast.Name(id=name)) if name not in own:
            return name, "True"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id=name))):
            return ("", "") if name in own else (name, "False")
        case ast.Compare(
            left=ast.Call(func=ast.Name(id=name)), ops=[ast.Eq() | ast.Is()], comparators=[wanted]
        ) if name not in own:
            return name, _literal(wanted)
    return "", ""


def _literal(value: ast.expr) -> str:
    """A literal as text; nothing for an expression that depends on a name."""
    names = any(isinstance(each, ast.Name) for each in ast.walk(value))
    return "" if names else ast.unparse(value)


def stub(suite: ast.Module) -> str:
    r"""A program without thought: each function that a suite tests returns None.

    >>> print(stub(parsed("def check(candidate):\n    assert candidate(1)\ncheck(add)")))
    def add(*values, **named): return None
    """
    names = sorted(set(_tested(suite)) - {"Solution"})[:MOST_NAMES]
    return "\n".join(f"def {name}(*values, **named): return None" for name in names) or "pass"


def _tested(suite: ast.Module) -> Iterator[str]:
    """The names that a suite reads and does not define, and those of the module ``solution``."""
    nodes = list(ast.walk(suite))
    bound = {name for each in nodes for name in _bound(each)} | set(dir(builtins))
    for each in nodes:
        match each:
            case ast.Name(id=name, ctx=ast.Load()) if name not in bound:
                yield name
            case ast.Attribute(value=ast.Name(id="solution"), attr=name):
                yield name


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node defines."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in names)
