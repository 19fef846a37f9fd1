"""What a suite of tests may not do, for it could not be run in this way, or not safely.

The process that runs a suite never runs text that the program gave. ``eval`` of such a text is a
calculator; whatever else would run it is refused by a hook that cannot be taken away.
"""

import ast
import builtins
import importlib.util
import sys
from collections import ChainMap
from collections.abc import Callable, Iterator
from typing import Any

from failures import Unplain, Unsupported

OUTSIDE = {
    "redirect_stdout", "redirect_stderr", "assertLogs", "assertNoLogs", "assertWarns",
    "assertWarnsRegex", "TextTestRunner", "TestLoader", "TestSuite", "defaultTestLoader",
}  # fmt: skip
"""Names of what acts on the process of the suite, where the program is not."""

WITHOUT = {"doctest", "subprocess", "multiprocessing", "hypothesis", "coverage", "pickle"}
"""Modules that suites cannot use."""

COMPILING = ("ast.py", "dataclasses.py", "collections/__init__.py", "typing.py", "enum.py",
             "inspect.py", "linecache.py", "tokenize.py", "harness.py", "suites.py",
             "screening.py")  # fmt: skip
"""Whose text is run that no program gave."""

FUNCTIONS = {
    function.__name__: function
    for function in (abs, bool, complex, dict, divmod, float, int, len, list, max, min, round, set,
                     sorted, str, sum, tuple)
}  # fmt: skip
"""What a text that is evaluated may call."""

SIMPLE = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant,
    ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Call, ast.expr_context, ast.operator,
    ast.unaryop, ast.boolop, ast.cmpop, ast.Subscript, ast.Slice,
)  # fmt: skip


def screen(tree: ast.Module) -> None:
    """Raises :class:`Unsupported` for a suite that cannot be run."""
    optional = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Try)
                for part in ast.walk(node)}  # fmt: skip
    for node in ast.walk(tree):
        for module in imported(node):
            if module in WITHOUT or (module not in known_modules and id(node) not in optional
                                     and not installed(module)):  # fmt: skip
                raise Unsupported(f"a suite that needs the module {module}")
        name = node.attr if isinstance(node, ast.Attribute) else ""
        name = node.name if isinstance(node, ast.alias) else name
        if name in OUTSIDE:
            raise Unsupported(f"a suite that uses {name}")
        if name == "patch" and patches(node):
            raise Unsupported("a suite that patches what the program uses")
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            whole = ast.unparse(node)
            if whole in {"sys.stdin", "sys.stdout", "sys.stderr", "sys.argv"}:
                raise Unsupported(f"a suite that replaces {whole}")


known_modules = {"solution", "pytest"}


def imported(node: ast.AST) -> Iterator[str]:
    """The packages that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        if node.level:
            raise Unsupported("a suite that imports from its own package")
        yield (node.module or "").partition(".")[0]


def installed(module: str) -> bool:
    """Whether there is a module of that name."""
    return module in sys.modules or importlib.util.find_spec(module) is not None


def patches(node: ast.AST) -> bool:
    """Whether this names ``patch`` of ``unittest.mock``."""
    return isinstance(node, ast.alias) or (
        isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"mock", "unittest.mock"}
    )


# ------------------------------------------------------------------ text of the program's


def guard(tree: ast.Module) -> Callable[..., Any]:
    """Sees to it that no text but the suite's own is run from now on; gives its ``eval``."""
    own_eval = builtins.eval
    own = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)
           and isinstance(node.value, str)}  # fmt: skip

    def hook(event: str, details: tuple[Any, ...]) -> None:
        if event == "compile":
            source = details[0]
            if isinstance(source, bytes):
                source = source.decode("utf-8", "replace")
            if isinstance(source, str) and source not in own and not trusted():
                refuse("text that is not its own")
        elif (event in REFUSED or event.startswith(("subprocess.", "ctypes."))) and not trusted():
            refuse(event)

    def refuse(what: str) -> None:
        raise Unsupported(f"a suite that runs {what}")

    def evaluate(text: Any, *spaces: Any) -> Any:
        frame = sys._getframe(1)
        if isinstance(text, str) and text not in own:
            return calculated(text, [space for space in spaces if "__name__" not in space])
        names = spaces or (frame.f_globals, frame.f_locals)
        return own_eval(text, names[0], ChainMap(*reversed(names)))

    sys.addaudithook(hook)
    return evaluate


REFUSED = {"pickle.find_class", "marshal.loads", "os.system", "os.exec", "os.posix_spawn",
           "os.spawn", "os.fork", "code.__new__", "function.__new__"}  # fmt: skip


def trusted() -> bool:
    """Whether the standard library asks for itself, be it to import a module."""
    file = sys._getframe(2).f_code.co_filename
    return file.startswith("<frozen ") or file.endswith(COMPILING)


def calculated(text: str, spaces: Any) -> Any:
    """What an expression of numbers, texts and containers gives.

    It has names for what the suite hands over with it, and not for what the suite has. Raises what
    ``eval`` raises, and fails the test for an expression of another kind.
    """
    import remotes

    tree = ast.parse(text.strip(), mode="eval")
    known: dict[str, Any] = {}
    for node in ast.walk(tree):
        if not isinstance(node, SIMPLE):
            remotes.link.fail(Unplain(f"a text with a {type(node).__name__} is not evaluated"))
        if isinstance(node, ast.Call) and not (
            isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        ):
            remotes.link.fail(Unplain("a text that calls something is not evaluated"))
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS:
            space: Any = next((space for space in reversed(spaces) if node.id in space), {})
            value = space.get(node.id)
            if node.id not in space or type(value) not in (bool, int, float, complex, str):
                raise NameError(f"name {node.id!r} is not defined")
            known[node.id] = value
    code = compile(tree, "tests.py", "eval")
    return eval(code, {"__builtins__": {}} | FUNCTIONS | known)  # noqa: S307  it was read above
