"""What is asked of an environment of the verifiers library, in its form with ``load_environment``.

All of this runs in the processes of :mod:`palaestra.importers.processes`. An episode is a rollout
of the library with the replies so far in place of a model.
"""

import asyncio
import json
import random
from functools import lru_cache
from importlib import import_module
from typing import Any

from palaestra.importers.verifiers.messages import text_of


class Unsuitable(ValueError):
    """An environment that cannot be imported, with the reason."""


class _NoReply(Exception):
    """The replies have been used up."""

    def __init__(self, messages: Any) -> None:
        super().__init__("no reply")
        self.messages = messages


def described(module: str, arguments: str) -> dict[str, Any]:
    """The number of rows of an environment. Raises :class:`Unsuitable` for one with tools."""
    environment = _environment(module, arguments)
    if getattr(environment, "tool_defs", None):
        raise Unsuitable(f"{module} has tools, which models call through an API")
    return {"rows": len(environment.get_dataset())}


def opening(module: str, arguments: str, row: int) -> str:
    """The prompt of a row as one text."""
    return text_of(_row(module, arguments, row)["prompt"])


def play(module: str, arguments: str, row: int, replies: list[str]) -> dict[str, Any]:
    """What follows on some replies: an observation, or the reward at the end of the rollout."""
    random.seed(row)
    return asyncio.run(_played(module, arguments, row, replies))


async def _played(module: str, arguments: str, row: int, replies: list[str]) -> dict[str, Any]:
    environment = _environment(module, arguments)
    waiting = list(replies)
    seen = 0

    async def respond(state: Any, prompt: Any, *_: Any, **__: Any) -> Any:
        nonlocal seen
        if not waiting:
            raise _NoReply(list(prompt)[seen:])
        seen = len(list(prompt)) + 1
        return _response(environment, waiting.pop(0))

    environment.get_model_response = respond  # on this object alone
    try:
        state = await environment.rollout(
            dict(_row(module, arguments, row)), _client(environment), "palaestra"
        )
    except _NoReply as stopped:
        return {"is_over": False, "reward": 0.0, "observation": text_of(stopped.messages)}
    if waiting:
        raise ValueError("the rollout ends before these replies")
    if state.get("error") is not None:
        raise RuntimeError(f"the rollout failed: {state['error']}")
    await environment.rubric.score_rollout(state)
    return {"is_over": True, "reward": float(state["reward"]), "observation": ""}


def _response(environment: Any, text: str) -> Any:
    """A reply as the response of a model."""
    types = import_module(f"{_library()}.types")
    message = types.ResponseMessage(content=text, finish_reason="stop", is_truncated=False)
    return types.Response(id="0", created=0, model="palaestra", message=message)


def _client(environment: Any) -> Any:
    """A client that is never asked; its requests would go nowhere."""
    types = import_module(f"{_library()}.types")
    return types.ClientConfig(api_base_url="http://127.0.0.1:9/v1")


def _library() -> str:
    from importlib.util import find_spec

    return "verifiers.legacy" if find_spec("verifiers.legacy") else "verifiers"


def _row(module: str, arguments: str, row: int) -> Any:
    return _environment(module, arguments).get_dataset()[row - 1]


@lru_cache(maxsize=8)
def _environment(module: str, arguments: str) -> Any:
    """The environment that a module loads. Raises :class:`Unsuitable` for one that has none."""
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        raise Unsuitable(f"the module {module} cannot be imported: {error}") from None
    load = getattr(loaded, "load_environment", None)
    if load is None:
        raise Unsuitable(f"the module {module} has no load_environment")
    environment = load(**json.loads(arguments))
    if not hasattr(environment, "rollout") or not hasattr(environment, "get_dataset"):
        raise Unsuitable(f"{module} loads a {type(environment).__name__}, which has no rollouts")
    return environment
