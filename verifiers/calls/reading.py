"""Reading tool calls, in the ways that models write them.

- this project's: ``{"tool": "book", "args": {"hour": 9}}``, see :mod:`palaestra.toolbox`;
- those of chat APIs: ``{"name": "book", "arguments": {"hour": 9}}``, where the arguments may be
  JSON text, also as ``{"type": "function", "function": {...}}`` and under ``"tool_calls"`` or
  ``"function_call"``, with ``"input"`` for the arguments, or as ``"action"`` and
  ``"action_input"``;
- after the marks of chat templates, ``[TOOL_CALLS]``, ``<|python_tag|>`` or ``functools``, as
  ``[TOOL_CALLS]book[ARGS]{"hour": 9}``, and as ``{"functionCall": {"name": ..., "args": {...}}}``;
- as a message of an assistant with ``"tool_calls"`` and no content;
- ``Action: book`` and, on the next line, ``Action Input: {"hour": 9}``, below a line
  ``Thought: …`` or none, as often as there are calls;
- ``<function=book>{"hour": 9}</function>``, or with ``<parameter=hour>9</parameter>`` within, also
  between tags of calls;
- JSON objects on lines of their own, one below the other, or with semicolons between them;
- ``<tool_call>{...}</tool_call>`` or the same with ``function_call``, as often as there are calls;
- in the manner of Python: ``book(hour=9)``, a call a line or a list of calls; ``true``, ``false``
  and ``null`` mean there what they do in JSON.

Nothing is ever evaluated: arguments in the manner of Python are literals in a syntax tree.
"""

import ast
import json
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
        calls = [call for block in _blocks(text, tag) for call in _block_calls(block)]
    else:
        body = fenced(text, ("json", "python", "py", "tool_code", "tool_call")).strip()
        body = body[mark.end() :] if (mark := _MARK.match(body)) else body
        calls = _actions(body) or _named_blocks(body) or _tagged_calls(body)
        calls = calls or _untagged_calls(body, order)
    if not calls:
        raise InvalidAnswer("no tool is called")
    if len(calls) > CALLS:
        raise InvalidAnswer(f"{len(calls)} calls, and at most {CALLS} are looked at", "limit")
    return calls


def _block_calls(block: str) -> list[Call]:
    return _tagged_calls(block) or _json_calls(read_json(block))


def _untagged_calls(body: str, order: Order) -> list[Call]:
    lines = list(filter(None, map(str.strip, body.splitlines())))
    if len(lines) > 1 and all(line[0] == "{" and line[-1] == "}" for line in lines):
        return [call for line in lines for call in _json_calls(read_json(line))]
    if body.startswith("{") and _SEMICOLONS.search(body):
        return _separated(body)
    if body.startswith("{") or re.match(r"\[\s*+[{\]]", body):
        return _json_calls(read_json(body))
    return _python_calls(_plain(body), order)


def _separated(body: str) -> list[Call]:
    """The calls of objects between semicolons, which the texts in them may have, too."""
    calls: list[Call] = []
    start = 0
    while start < len(body):
        try:
            _, end = _DECODER.raw_decode(body, start)
        except (ValueError, RecursionError):
            raise InvalidAnswer("expected JSON objects between semicolons") from None
        calls += _json_calls(read_json(body[start:end]))
        gap = _SEMICOLON.match(body, end)
        if gap is None and end < len(body):
            raise InvalidAnswer("expected a semicolon between calls")
        start = gap.end() if gap else end
    return calls


def _actions(body: str) -> list[Call]:
    """Calls of ``Action:`` and ``Action Input:``, each after a thought or none; no calls where the
    text begins with something else.
    """
    starts = [match.start() for match in _ACTION_LINE.finditer(body)]
    if not starts or (starts[0] and not body.startswith("Thought:")):
        return []
    *parts, last = (body[one:end] for one, end in zip(starts, [*starts[1:], len(body)]))
    parts = [*(part.partition("\nThought:")[0].strip() for part in parts), last.strip()]
    calls: list[Call] = []
    for part in parts:
        action = _ACTION.fullmatch(part)
        if action is None:
            return []
        calls.append(_json_call({"action": action[1], "action_input": read_json(action[2])}))
    return calls


def _named_blocks(body: str) -> list[Call]:
    """Calls as ``book[ARGS]{...}`` between marks, of which the first is read already."""
    if not _NAMED_BLOCK.match(body):
        return []
    pairs = [block.partition("[ARGS]") for block in body.split("[TOOL_CALLS]")]
    return [_json_call({"name": name.strip(), "args": read_json(text)}) for name, _, text in pairs]


def _tagged_calls(text: str) -> list[Call]:
    """Calls such as ``<function=book>…</function>``; none where no line begins with such a tag."""
    if not _FUNCTION.search(text):  # within a line, it may be a part of an argument
        return []
    _, *rest = text.split("<function=")
    calls: list[Call] = []
    for each in rest:
        name, opened, block = each.partition(">")
        content, closed, _ = block.partition("</function>")
        if not (opened and closed and _NAME.fullmatch(name)):
            raise InvalidAnswer("the tags <function=name> and </function> do not alternate")
        content = content.strip()
        is_json = content.startswith("{")
        arguments = read_json(content) if is_json else _parameters(content)
        calls.append(_json_call({"name": name, "arguments": arguments}))
    return calls


def _parameters(content: str) -> dict[str, Any]:
    """The arguments in ``<parameter=hour>9</parameter>``: JSON where they are, otherwise texts."""
    arguments: dict[str, Any] = {}
    before, *rest = content.split("<parameter=")
    for each in rest:
        name, opened, block = each.partition(">")
        value, closed, after = block.partition("</parameter>")
        if not (opened and closed and _NAME.fullmatch(name)) or name in arguments or after.strip():
            raise InvalidAnswer("the parameters of a call are not separate values between tags")
        try:
            arguments[name] = read_json(value)
        except InvalidAnswer:
            arguments[name] = value.strip()
    if before.strip():
        raise InvalidAnswer("expected JSON or parameters in a call")
    return arguments


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

_OUTER = ("tool_calls", "function_call", "functionCall")
"""The keys under which calls may stand."""

_MARK = re.compile(r"\[TOOL_CALLS\]\s*+|<\|python_tag\|>\s*+|functools(?=\[)")
"""What chat templates put before calls."""

_FUNCTION = re.compile(r"^[ \t]{0,9}<function=", re.MULTILINE)

_NAME = re.compile(r"[\w.-]{1,200}")

_DECODER = json.JSONDecoder()

_SEMICOLON = re.compile(r"\s*+;\s*+")

_SEMICOLONS = re.compile(r"\}\s*+;\s*+\{")

_NAMED_BLOCK = re.compile(r"[\w.-]{1,200}\[ARGS\]")

_ACTION_LINE = re.compile(r"^Action:", re.MULTILINE)

_ACTION = re.compile(r"Action:[ \t]*+([\w.-]++)[ \t]*+\n\s*+Action Input:(.*)", re.DOTALL)


def _json_calls(value: Any) -> list[Call]:
    if isinstance(value, dict) and value.get("role") == "assistant" and not value.get("content"):
        value = {key: part for key, part in value.items() if key not in ("role", "content")}
    if isinstance(value, dict) and len(value) == 1:
        value = next((value[key] for key in _OUTER if key in value), value)
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
