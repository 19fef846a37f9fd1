"""Environment classes for TRL's ``environment_factory``: episodes whose moves are calls of methods.

A class is named after its environment, since TRL names the column of its rewards after the class,
and is pickled by what it was made of, since the asynchronous trainer plays in another process.
"""

import copyreg
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from io import BytesIO
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, cast

from palaestra.address import Address, Split
from palaestra.episode import AnswerFormat
from palaestra.observations import SIZE, TEXT, Observation, View, seen
from palaestra.scoring import addresses, any_task, opening
from palaestra.task import JudgeError, Score, Status
from palaestra.trainers.episodes import ToolCall, move_of
from palaestra.trainers.rewards import ShapedReward
from palaestra.trainers.rows import image_parts, task_row
from palaestra.trainers.spoken_users import Speaker, UserOptions, speaker_of
from palaestra.trainers.stepwise import Steps

if TYPE_CHECKING:
    from datasets import Dataset


CALLING = AnswerFormat(
    "calling",
    "Act by calling the functions that you are given, not by writing calls out.",
    str,
    str,
)
"""How episodes are told of whose moves are calls: a move is what it is, without a mark."""

PLAIN: Mapping[str, Any] = {
    "name": "answer",
    "description": "Make your next move, or give your answer, in the form that was asked for.",
    "parameters": {"properties": {"move": {"type": "string"}}, "required": ["move"]},
}
DONE: Mapping[str, Any] = {
    "name": "done",
    "description": "Say that you are finished.",
    "parameters": {"properties": {}, "required": []},
}
TYPES: Mapping[str, type] = {"integer": int, "number": float, "boolean": bool, "string": str}


class Options(NamedTuple):
    """What a class is made of, beside its environment."""

    user: UserOptions = None
    view: View = TEXT
    rewards: bool = True
    """Whether it has the method that TRL asks for the reward."""


class EnvironmentType(type):
    """The type of environment classes, by which they are pickled."""

    made_of: tuple[str, Options] | None


def _reduced(env_class: EnvironmentType) -> str | tuple[Any, ...]:
    return (
        env_class.__qualname__
        if env_class.made_of is None
        else (environment_class, env_class.made_of)
    )


copyreg.pickle(EnvironmentType, _reduced)


class ToolEnvironment(metaclass=EnvironmentType):
    """What TRL's ``environment_factory`` makes: an episode whose moves are calls of its methods.

    :func:`environment` makes a subclass with the methods of an environment's tools. TRL takes every
    method whose name does not begin with an underscore for a tool, but ``reset`` and
    ``get_reward``.
    """

    made_of = None
    _speaker: ClassVar[Speaker | None] = None
    _view: ClassVar[View] = TEXT
    _tools: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self._steps: Steps | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """An episode is its task and the moves so far, from which it is played again."""
        if self._steps is None:
            return type(self), ()
        moves = [each.reply for each in self._steps.transcripts]
        words = [*self._steps.conversation.words]
        return _resumed, (type(self), self._steps.address, moves, words)

    def reset(self, address: str = "", **_: Any) -> None:
        """Starts the task of a row. The prompt tells of it already."""
        if not address:
            raise ValueError("a row has no address, so a group would play different tasks")
        self._steps = Steps(address, CALLING, user=self._speaker)

    def _result(self) -> Score | JudgeError | None:
        """The score; a world is left as it stands. None before a task is started."""
        if self._steps is None:
            return None
        if self._steps.score is None and self._steps.episode.task.tools():
            self._play("done")
        if self._steps.score is not None:
            return self._steps.score
        status: Status = "limit" if self._steps.turns else "no_answer"
        return Score(0, "the calls stop before the episode is over", status=status)

    def _play(self, move: str) -> Any:
        """What a task says to a move: a text, or with images its parts."""
        if self._steps is None or self._steps.score is not None:
            return "It is over."
        step = self._steps.step(move)
        if step.done or not self._view.has_image:
            return step.observation
        return _parts(self._steps, self._view)

    def _call(self, name: str, arguments: Any) -> None:
        """Calls a tool as TRL does: what is no tool, or has no arguments by name, is no move."""
        if name in self._tools and isinstance(arguments, Mapping):
            getattr(self, name)(**arguments)


def _resumed(
    env_class: type[ToolEnvironment], address: str, moves: Sequence[str], words: Sequence[Any]
) -> ToolEnvironment:
    """An environment after these moves, with what an endpoint said for its users."""
    env = env_class()
    env._steps = Steps(address, CALLING, user=env_class._speaker)
    env._steps.conversation.words = [*words]
    for move in moves:
        env._steps.step(move)
    return env


class ScoredEnvironment(ToolEnvironment):
    """The same with a reward of its own."""

    def get_reward(self) -> float | None:
        """The score; a world is left as it stands. None where it could not be judged."""
        result = self._result()
        return None if result is None else ShapedReward().episode(result, [])


def _parts(steps: Steps, view: View) -> Any:
    from PIL import Image

    text, image = seen(steps.episode, view, steps.observation)
    if image is None:
        return text
    return [
        {"type": "image", "image": Image.open(BytesIO(image))},
        {"type": "text", "text": text},
    ]


_classes: dict[str, type[ToolEnvironment]] = {}
"""The classes by what they are made of, so that an environment has one reward column."""


def environment(
    env: str,
    user: UserOptions = None,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    rewards: bool = True,
) -> type[Any]:
    """An ``environment_factory`` for an environment: its tools, or one method to move with.

    Use :func:`tool_dataset` with it. It brings the reward, so none has to be given; without
    ``rewards``, the reward functions of :func:`~palaestra.trainers.trl.parts.rewards` go with it.
    ``user`` is as for :func:`~palaestra.trainers.trl.rollouts.rollout`. With the observation
    ``"image"`` or ``"both"``, what a task says to a move has an image of ``image_size`` pixels on
    each side.

    The class is named after the environment, can be pickled, and is the same one for the same
    arguments.

    >>> environment("tools/meeting_desk").__name__
    'ToolsMeetingDesk'
    """
    options = Options(user, View(observation, image_size), rewards)
    return environment_class(Address.of(env).env, options)


def environment_class(env: str, options: Options) -> type[ToolEnvironment]:
    """The class for an environment by its canonical name."""
    key = f"{env} {options!r}"
    if key not in _classes:
        _classes[key] = _made(env, options)
    return _classes[key]


def _made(env: str, options: Options) -> type[ToolEnvironment]:
    schemas = [tool["function"] for tool in any_task(env).tools()]
    answers = any(schema["name"] == PLAIN["name"] for schema in schemas)  # and is not ended by done
    offered = schemas if answers else [*schemas, DONE] if schemas else [PLAIN]
    methods = {schema["name"]: _method(schema, bool(schemas)) for schema in offered}
    clashes = methods.keys() & {"reset", "get_reward"}
    if clashes:
        raise ValueError(f"{env} has a tool {min(clashes)!r}, which TRL has another use for")
    members = {
        "__doc__": f"{env} by its tools.",
        "__module__": __name__,
        "made_of": (env, options),
        "_speaker": speaker_of(options.user),
        "_view": options.view,
        "_tools": frozenset(methods),
        **methods,
    }
    base = ScoredEnvironment if options.rewards else ToolEnvironment
    return cast("type[ToolEnvironment]", EnvironmentType(_class_name(env), (base,), members))


def _class_name(env: str) -> str:
    """The name of an environment as that of a class; combinations of the same parts differ in it.

    >>> _class_name("games/mastermind")
    'GamesMastermind'
    """
    words = re.findall(r"[A-Za-z0-9]+", env)
    name = "".join(word[0].upper() + word[1:] for word in words)
    if re.fullmatch(r"\w+/\w+", env):
        return name
    return f"{name[:60]}_{sha256(env.encode()).hexdigest()[:8]}"


# ---------------------------------------------------------------------------- rows and replays


def tool_dataset(  # noqa: PLR0913
    env: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    **knobs: Any,
) -> "Dataset":
    """The training set that goes with :func:`environment`: its prompts ask for calls.

    Rows have columns ``prompt`` and ``address``, and with images ``images``. Raises
    :class:`~palaestra.observations.NoImages` for an environment without scenes.
    """
    from datasets import Dataset

    view = View(observation, image_size)
    named = addresses(env, seeds, level, split, **knobs)
    return Dataset.from_list([tool_row(address, view) for address in named])


def tool_row(address: Address, view: View = TEXT) -> dict[str, Any]:
    """A row whose prompt asks for calls."""
    if not view.has_image:
        task = opening(address, CALLING)
        return {"prompt": [dict(each) for each in task.messages], "address": task.address}
    from PIL import Image

    row = task_row(address, CALLING, view)
    return {
        "prompt": [{**each, "content": image_parts(each["content"])} for each in row["prompt"]],
        "images": [Image.open(BytesIO(image["bytes"])) for image in row["images"]],
        "address": row["address"],
    }


def replayed(address: str, completion: Sequence[Mapping[str, Any]]) -> ToolEnvironment:
    """The environment after the calls of a completion, for those who have its messages alone.

    Calls that were not carried out, as at the limit of turns, have no messages of tools behind
    them, and are none here.
    """
    played = environment_class(Address.parse(address).env, Options())()
    played.reset(address)
    for name, arguments in _calls(completion):
        played._call(name, arguments)
    return played


def _calls(completion: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The calls that were carried out, each with its arguments."""
    for message, following in zip(completion, [*completion[1:], {}]):
        if following.get("role") == "tool":
            for call in message.get("tool_calls") or ():
                yield call["function"]["name"], call["function"].get("arguments", {})


# ---------------------------------------------------------------------------- methods


def _method(schema: Mapping[str, Any], world: bool) -> Callable[..., str]:
    """A method for a tool. Its signature and docstring say what TRL tells the model."""
    name, parameters = schema["name"], schema["parameters"]
    properties, required = parameters["properties"], set(parameters.get("required", ()))

    def method(self: ToolEnvironment, **arguments: Any) -> Any:
        return self._play(_move(name, arguments) if world else str(arguments.get("move", "")))

    method.__name__ = method.__qualname__ = name
    hints = {key: _hint(value) for key, value in properties.items()}
    method.__annotations__ = {**hints, "return": str}
    parameters_of = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters_of += [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hint,
            default=inspect.Parameter.empty if key in required else properties[key].get("default"),
        )
        for key, hint in hints.items()
    ]
    method.__signature__ = inspect.Signature(parameters_of, return_annotation=str)  # type: ignore[attr-defined]
    about = [f"    {key}: {_about(key, value)}" for key, value in properties.items()]
    method.__doc__ = "\n".join(
        [schema["description"] or name, *(["", "Args:"] if about else []), *about]
    )
    return method


def _move(name: str, arguments: Mapping[str, Any]) -> str:
    """The move that a call is."""
    if name == DONE["name"]:
        return "done"
    return move_of(ToolCall(name, json.dumps(arguments, default=str)), CALLING)


def _hint(schema: Mapping[str, Any]) -> Any:
    """The type of an argument, as far as a chat template can tell of it."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if isinstance(schema.get("type"), list):
        return reduce(or_, (_hint({**schema, "type": each}) for each in schema["type"]))
    if schema.get("type") == "array":
        return list[_hint(schema.get("items", {}))]  # type: ignore[misc]
    return TYPES.get(schema.get("type", "string"), dict if schema.get("type") == "object" else str)


def _about(name: str, schema: Mapping[str, Any]) -> str:
    return str(schema.get("description") or schema.get("title") or name)
