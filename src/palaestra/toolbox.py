"""Worlds that a player acts on through tools: typed functions, called with JSON."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from inspect import Parameter, getdoc, signature
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, create_model

from palaestra.task import InvalidAnswer, Turn

Method = TypeVar("Method", bound=Callable[..., Any])


class Call(BaseModel, extra="forbid"):
    """A move in a tool world."""

    tool: str = Field(max_length=200, validation_alias=AliasChoices("tool", "name"))
    args: dict[str, Any] = Field({}, validation_alias=AliasChoices("args", "arguments"))


def call(tool: str, /, **args: Any) -> str:
    """The move that calls a tool.

    >>> call("book", hour=9)
    '{"tool": "book", "args": {"hour": 9}}'
    """
    return json.dumps({"tool": tool, "args": args})


def tool(method: Method) -> Method:
    """Mark a method of a :class:`World` as one that the player may call."""
    method._is_tool = True  # type: ignore[attr-defined]
    return method


class World:
    """What a session acts on. A subclass keeps the state, and marks its :func:`tool` methods.

    The tools' names, types and docstrings are all that the player is told. A call that is misspelt,
    ill-typed or refused (by raising :class:`InvalidAnswer`) changes nothing and is answered with
    what was wrong, so a session goes on whatever the player says.
    """

    toolkit: ClassVar[Mapping[str, "Tool"]] = {}
    """The tools by name, those of a base class first."""

    def __init_subclass__(cls) -> None:
        names = {name: None for base in reversed(cls.__mro__) for name in vars(base)}
        methods = {name: getattr(cls, name) for name in names}
        cls.toolkit = {n: Tool.of(m) for n, m in methods.items() if hasattr(m, "_is_tool")}

    def state(self) -> str:
        """A canonical name of all that the player has brought about; see ``Turn.state``."""
        return ""

    def progress(self) -> float:
        """How far the task is done, from 0 to 1, where that can be told step by step."""
        return 0.0

    def use(self, move: str) -> str:
        """Carry out a move and tell what came of it."""
        try:
            wish = Call.model_validate_json(move)
            if wish.tool not in self.toolkit:
                known = ", ".join(self.toolkit)
                raise InvalidAnswer(f"there is no tool {wish.tool!r}; there is {known}")
            chosen = self.toolkit[wish.tool]
            arguments = chosen.arguments.model_validate(wish.args)
            return str(
                chosen.method(self, **{name: getattr(arguments, name) for name in wish.args})
            )
        except ValidationError as invalid:
            where = (
                (".".join(map(str, error["loc"]))[:80] or "call", error["msg"][:200])
                for error in invalid.errors(include_input=False)[:5]
            )
            return "Error: " + "; ".join(f"{location}: {message}" for location, message in where)
        except InvalidAnswer as error:
            return f"Error: {error}"

    def session(self, brief: str, calls: int) -> Generator[Turn, str, None]:
        """Answer the player's calls until it says ``done`` or has none left."""
        observation = (
            f"{brief}\n\nYou have {calls} calls, one a turn, of these tools:\n{manual(type(self))}"
            f"\n\nA call looks like {call('tool_name', argument='value')}. "
            "When finished, answer: done"
        )
        before = self.progress()
        earned = 0.0
        for left in reversed(range(calls)):
            try:
                move = yield Turn(observation, reward=earned, state=f"{left} {self.state()}")
            except InvalidAnswer as error:
                observation, earned = f"Error: {error}", 0.0
                continue
            if move.strip().casefold() == "done":
                return
            observation = self.use(move)
            now = self.progress()
            earned, before = now - before, now


class Tool(NamedTuple):
    """A tool, and what is told of it."""

    method: Callable[..., Any]
    arguments: type[BaseModel]
    line: str
    schema: Mapping[str, Any]

    @classmethod
    def of(cls, method: Callable[..., Any]) -> "Tool":
        """The tool that a method is."""
        parameters = list(signature(method, eval_str=True).parameters.values())[1:]
        fields: dict[str, Any] = {p.name: (p.annotation, _default(p)) for p in parameters}
        name, about = method.__name__, " ".join((getdoc(method) or "").split())
        arguments = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
        schema = {"name": name, "description": about, "parameters": arguments.model_json_schema()}
        line = f"- {name}({', '.join(str(_plain(p)) for p in parameters)}): {about}"
        return cls(method, arguments, line, {"type": "function", "function": schema})


def _default(parameter: Parameter) -> Any:
    return ... if parameter.default is Parameter.empty else parameter.default


def _plain(parameter: Parameter) -> Parameter:
    """The parameter with its type as one says it, without the bounds that the schema tells."""
    if get_origin(parameter.annotation) is not Annotated:
        return parameter
    return parameter.replace(annotation=get_args(parameter.annotation)[0])


def manual(world: type[World]) -> str:
    """The tools in words."""
    return "\n".join(each.line for each in world.toolkit.values())


def schemas(world: type[World]) -> Sequence[Mapping[str, Any]]:
    """The tools as functions in the form that chat APIs take."""
    return [each.schema for each in world.toolkit.values()]
