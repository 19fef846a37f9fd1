"""Runs in the sandbox: one scorer of reasoning-gym, with readers in place of ``eval``.

Standard input holds JSON: the source files of the package that the scorer needs, by module; the
family's module, class and configuration; the entry; and the answer. The score is printed as JSON.

The scorer's ``eval`` reads literals alone, and ``parse_expr`` arithmetic with the functions of
:data:`NAMES`. Any other text raises, as a text that is no expression does.
"""

import ast
import json
import re
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAMES = frozenset(
    (
        "sin cos tan cot sec csc asin acos atan acot asec acsc sinh cosh tanh asinh acosh atanh "
        "exp log ln sqrt cbrt Abs abs sign pi E oo erf Integer Rational Float Symbol factorial"
    ).split()
)
"""Names of more than one letter that an expression may contain."""

TOKEN = re.compile(
    r"\s*(?:(\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})|([A-Za-z]\w*)|(\*\*|[-+*/^(),!]))"
)
LONGEST, LONGEST_LITERAL = 5_000, 100_000

request = json.loads(sys.stdin.read())


class Sources(MetaPathFinder, Loader):
    """Finds the modules that the request contains, and packages without their own code."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name in request["sources"]:
            return ModuleSpec(name, self, is_package=name in request["packages"])
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(request["sources"][module.__name__], module.__name__, "exec"), module.__dict__)


def texts_in(value: Any) -> Any:
    """All texts in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


def literal(text: Any, *_: Any) -> Any:
    """In place of ``eval``, which remains for texts of the entry that are not the answer."""
    if text != request["answer"] and text in texts_in(request["entry"]):
        return eval(text)  # noqa: S307  a calculation that the package itself wrote
    if len(text) > LONGEST_LITERAL:
        raise ValueError("too long")
    return ast.literal_eval(text)


def checked(text: Any) -> str:
    """An expression of numbers, letters, operators and known functions; raises for any other."""
    expression = str(text).strip()
    if len(expression) > LONGEST:
        raise ValueError("too long")
    position, before = 0, ["", ""]
    while position < len(expression):
        token = TOKEN.match(expression, position)
        if token is None or (token[2] and len(token[2]) > 1 and token[2] not in NAMES):
            raise ValueError("not an expression")
        if token[3] in {"**", "^"} and before[0] in {"**", "^"}:
            raise ValueError("a power of a power")
        before = [before[1], token[3] or ""]
        position = token.end()
    return expression


def main() -> None:
    """Score the answer."""
    import sympy
    from sympy.parsing import sympy_parser

    parse = sympy_parser.parse_expr

    def parse_expr(text: Any, *args: Any, **options: Any) -> Any:
        return parse(checked(text), *args, **options)

    sympy.parse_expr = sympy_parser.parse_expr = parse_expr
    sympy.sympify = sympy.S = None
    sys.meta_path.insert(0, Sources())
    __import__(request["module"])
    module = sys.modules[request["module"]]
    module.__dict__["eval"] = literal
    dataset_class = getattr(module, request["class"])
    config = getattr(module, request["config_class"])(**request["config"])
    dataset = object.__new__(dataset_class)
    dataset.config = config
    score = dataset.score_answer(request["answer"], request["entry"])
    sys.stdout.write(json.dumps(float(score)))


main()
