"""Reading tool calls, in the ways that models write them.

- this project's: ``{"tool": "book", "args": {"hour": 9}}``, see :mod:`palaestra.toolbox`;
- those of chat APIs: ``{"name": "book", "arguments": {"hour": 9}}``, where the arguments may be
  JSON text, also as ``{"type": "function", "function": {...}}`` and under ``"tool_calls"`` or
  ``"function_call"``, with ``"input"`` for the arguments, or as ``"action"`` and
  ``"action_input"``;
- ``<tool_call>{...}</tool_call>`` or the same with ``function_call``, as often as there are calls;
- in the manner of Python: ``book(hour=9)``, a call a line or a list of calls; ``true``, ``false``
  and ``null`` mean there what they do in JSON.

Nothing is ever evaluated: arguments in the manner of Python are literals in a syntax tree.
"""

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any, NamedTuple

from palaestra.syntax import parse
from palaestra.task import InvalidAnswer
from palaestra.verifiers.json.reading import DEPTH, DIGITS, fenced, read_json

CALLS = 64
"""How many calls an answer may make."""


class Call(NamedTuple):
    """A tool and the arguments by name, which are JSON values."""

    name: str
    arguments: Mapping[str, Any]


Order = Callable[[str], Sequence[str]]
"""The names of a tool's arguments in their order, none where it is not known."""


def read_calls(text: str, order: Order = lambda name: ()) -> list[Call]:
    """The calls that an answer makes, in order.

    ``order`` tells what arguments without names mean. Raises :class:`InvalidAnswer` for what is no
    call, or where there are more than 64.

    >>> read_calls('{"tool": "book", "args": {"hour": 9}}')
    [Call(name='book', arguments={'hour': 9})]
    >>> read_calls('book(hour=9, who=["Ada"])') == read_calls(
    ...     '<tool_call>{"name": "book", "arguments": {"hour": 9, "who": ["Ada"]}}</tool_call>'
    ... )
    True
    """
    tag = next((tag for tag in ("tool_call", "function_call") if f"<{tag}>" in text), "")
    if tag:
        calls = [call for block in _blocks(text, tag) for call in _json_calls(read_json(block))]
    else:
        body = fenced(text, ("json", "python", "py", "tool_code", "tool_call")).strip()
        is_json = body.startswith("{") or re.match(r"\[\s*+[{\]]", body)
        calls = _json_calls(read_json(body)) if is_json else _python_calls(_plain(body), order)
    if not calls:
        raise InvalidAnswer("no tool is called")
    if len(calls) > CALLS:
        raise InvalidAnswer(f"{len(calls)} calls, and at most {CALLS} are looked at", "limit")
    return calls


def _blocks(text: str, tag: str) -> Iterator[str]:
    """What stands between call tags. What stands around them is talk."""
    _, *rest = text.split(f"<{tag}>")
    for each in rest:
        block, closed, after = each.partition(f"</{tag}>")
        if not closed or f"</{tag}>" in after:
            raise InvalidAnswer(f"the tags <{tag}> and </{tag}> do not alternate")
        yield block


# JSON


_NAMES = ("tool", "name", "function", "tool_name", "action")
_ARGUMENTS = ("args", "arguments", "parameters", "input", "action_input")
"""The keys of a call's name and arguments, of which there is exactly one each."""


def _json_calls(value: Any) -> list[Call]:
    if isinstance(value, dict) and len(value) == 1:
        value = value.get("tool_calls", value.get("function_call", value))
    return [_json_call(each) for each in (value if isinstance(value, list) else [value])]


def _json_call(value: Any) -> Call:
    if isinstance(value, dict):
        entry = {key: part for key, part in value.items() if key not in ("id", "type")}
        if entry.keys() == {"function"} and isinstance(entry["function"], dict):
            entry = entry["function"]
        name = _only(entry, *_NAMES)
        arguments = _only(entry, *_ARGUMENTS) if len(entry) > 1 else {}
        if isinstance(arguments, str):
            arguments = read_json(arguments)
        if len(entry) <= 2 and isinstance(name, str) and isinstance(arguments, dict):
            return Call(name, arguments)
    raise InvalidAnswer("a call is an object with the name of a tool and its arguments")


def _only(entry: Mapping[str, Any], *keys: str) -> Any:
    """The value under one of several keys, if it is under exactly one."""
    present = [entry[key] for key in keys if key in entry]
    return present[0] if len(present) == 1 else None


# In the manner of Python

_NEITHER = "neither JSON nor calls like tool(argument=1)"
_SIGNS = ("++", "+-", "-+", "--")
_TOKEN = re.compile(
    r"""
    \s++ | [\[\](){},:=+-] | \.(?![\d.])
    | (?: \d[\d_]*+ (?:\.\d*+)?+ | \.\d++ ) (?: [eE][+-]?\d++ )?+ (?!\w)
    | [A-Za-z_]\w*+ (?!['"])
    | "(?: [^"\\\n]++ | \\(?: ['"\\abfnrtv] | x[\da-fA-F]{2} | u[\da-fA-F]{4} ) )*+"
    | '(?: [^'\\\n]++ | \\(?: ['"\\abfnrtv] | x[\da-fA-F]{2} | u[\da-fA-F]{4} ) )*+'
    """,
    re.VERBOSE | re.ASCII,
)


def _python_calls(text: str, order: Order) -> list[Call]:
    _check_tokens(text)
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InvalidAnswer(_NEITHER) from None
    nodes: list[ast.AST] = [s.value if isinstance(s, ast.Expr) else s for s in tree.body]
    if len(nodes) == 1 and isinstance(nodes[0], ast.List):
        nodes = list(nodes[0].elts)
    return [_python_call(node, order) for node in nodes]


def _plain(text: str) -> str:
    """Calls without semicolons behind them."""
    return "\n".join(line.rstrip().removesuffix(";") for line in text.splitlines())


def _check_tokens(text: str) -> None:
    """Let nothing through to the parser but names, literals and brackets, none nested deeply.

    No operators or keywords, no prefixed texts, no comments, no odd escapes that Python warns of.
    """
    position = depth = 0
    before = ""
    while position < len(text):
        token = _TOKEN.match(text, position)
        if not token or (iskeyword(token[0]) and token[0] not in ("True", "False", "None")):
            raise InvalidAnswer(_NEITHER)
        first = token[0][0]
        if (first.isalnum() and token.end() - position > DIGITS) or first + before in _SIGNS:
            raise InvalidAnswer(_NEITHER)
        depth += (first in "([{") - (first in ")]}")
        if depth > DEPTH:
            raise InvalidAnswer(f"more than {DEPTH} levels deep", "limit")
        position, before = token.end(), before if first.isspace() else first


def _python_call(node: ast.AST, order: Order) -> Call:
    if not isinstance(node, ast.Call):
        raise InvalidAnswer("something other than a call")
    name = _dotted(node.func)
    names = order(name)
    if len(node.args) > len(names):
        raise InvalidAnswer(f"an argument of {name[:80]} has no name")
    pairs = list(zip(names, node.args)) + [(word.arg, word.value) for word in node.keywords]
    arguments: dict[str, Any] = {}
    for key, value in pairs:
        if key is None or key in arguments:
            raise InvalidAnswer(f"the arguments of {name[:80]} are not separate values")
        arguments[key] = _literal(value)
    return Call(name, arguments)


def _dotted(node: ast.expr) -> str:
    """A name, which may have dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise InvalidAnswer("something other than a tool is called")
    return ".".join([node.id, *reversed(parts)])


def _literal(node: ast.expr) -> Any:
    """The JSON value that a literal is: tuples become lists."""
    match node:
        case ast.Constant(value=None | bool() | int() | str()):
            return node.value
        case ast.Name(id="true" | "false" | "null" as name):
            return {"true": True, "false": False, "null": None}[name]
        case ast.Constant(value=float(number)) if math.isfinite(number):
            return number
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            number = _literal(node.operand)
            if not isinstance(number, bool):
                return -number if isinstance(node.op, ast.USub) else number
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_literal(part) for part in parts]
        case ast.Dict(keys=keys, values=values):
            names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
            if len(set(names)) == len(names) and all(isinstance(name, str) for name in names):
                return dict(zip(names, map(_literal, values)))
    raise InvalidAnswer("an argument is something other than a literal")
