"""An endpoint at which no model answers but the tasks' own solvers, right or wrong as asked for.

It shows whether an evaluation measures what is there, and it lets anything that wants an endpoint
be tried without a model::

    python -m palaestra.trainers.evaluation.oracle examples/suite.yaml --port 8001 --errors 0.25

Whether it is right is decided by a digest of the opening and the request's ``seed``, so the same
requests always fare the same.
"""

import argparse
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from palaestra.episode import Episode, Style, style_of
from palaestra.task import Task, Unreadable
from palaestra.toolbox import Call
from palaestra.trainers.evaluation.suites import Suite

if TYPE_CHECKING:
    from fastapi import FastAPI, Request, Response

WRONG = "?"
"""A move that is wrong in any task."""


class _Known(NamedTuple):
    task: Task
    style: Style


class Oracle:
    """Plays the tasks of a suite, of which ``errors`` is the share that it gets wrong."""

    def __init__(self, suite: Suite, errors: float = 0.0) -> None:
        if not 0 <= errors <= 1:
            raise ValueError(f"a share of errors lies between 0 and 1, not at {errors}")
        self.errors = errors
        self.known: dict[str, _Known] = {}
        for cell in suite.cells:
            style = style_of(cell.style)
            for address in cell.addresses():
                task = address.task()
                self.known[Episode(task, style).says] = _Known(task, style)

    def errs(self, opening: str, seed: object = None) -> bool:
        """Whether the task that opens so is gotten wrong in the attempt of that seed."""
        digest = blake2b(f"{seed} {opening}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.errors * 2**64

    def message(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """The message that answers a request. Raises ``LookupError`` for a chat of no task."""
        messages = wish["messages"]
        opening = next(each["content"] for each in messages if each["role"] == "user")
        if opening not in self.known:
            raise LookupError("no task of the suite opens like this")
        task, style = self.known[opening]
        if self.errs(opening, wish.get("seed")):
            return {"role": "assistant", "content": style.write(WRONG)}
        made = sum(max(1, len(m.get("tool_calls") or ())) for m in messages if _is_reply(m))
        moves = list(task.solve())
        move = moves[made] if made < len(moves) else "done"
        if wish.get("tools") and (called := _called(move, made)):
            return {"role": "assistant", "content": None, "tool_calls": [called]}
        return {"role": "assistant", "content": style.write(move)}

    def completion(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """The same as a whole answer, with about the tokens that it would have."""
        message = self.message(wish)
        calls = "tool_calls" in message
        read = sum(len(str(each.get("content") or "")) for each in wish["messages"])
        wrote = len(json.dumps(message.get("tool_calls")) if calls else message["content"])
        return {
            "id": "oracle",
            "object": "chat.completion",
            "model": wish.get("model", "oracle"),
            "choices": [
                {
                    "index": 0,
                    "message": message,
                    "finish_reason": "tool_calls" if calls else "stop",
                }
            ],
            "usage": {
                "prompt_tokens": read // 4 + 1,
                "completion_tokens": wrote // 4 + 1,
                "total_tokens": read // 4 + wrote // 4 + 2,
            },
        }


def _is_reply(message: Mapping[str, Any]) -> bool:
    return bool(message["role"] == "assistant")


def _called(move: str, number: int) -> dict[str, Any] | None:
    """A move as the call of a function, where it is one."""
    try:
        told = Call.model_validate_json(move)
    except (ValueError, Unreadable):
        return None
    function = {"name": told.tool, "arguments": json.dumps(told.args)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def build(oracle: Oracle) -> "FastAPI":
    """The endpoint as an application."""
    from fastapi import FastAPI
    from fastapi.responses import JSONResponse

    app = FastAPI(title="The oracle of a suite")

    async def complete(request: "Request") -> "Response":
        try:
            return JSONResponse(oracle.completion(await request.json()))
        except (LookupError, ValueError, TypeError, AttributeError, StopIteration) as flaw:
            return JSONResponse({"error": {"message": str(flaw), "code": 400}}, 400)

    async def models(_: "Request") -> "Response":
        return JSONResponse({"object": "list", "data": [{"id": "oracle", "object": "model"}]})

    app.add_route("/v1/chat/completions", complete, ["POST"])
    app.add_route("/v1/models", models, ["GET"])
    return app


@contextmanager
def serving(app: Any, host: str = "127.0.0.1") -> Iterator[str]:
    """Serves an application on a free port while the block runs; gives its base URL.

    Raises ``RuntimeError`` where it does not start.
    """
    import uvicorn

    with socket.create_server((host, 0)) as line:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([line],), daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise RuntimeError("the endpoint did not start")
                time.sleep(0.01)
            yield f"http://{host}:{line.getsockname()[1]}/v1"
        finally:
            server.should_exit = True
            thread.join(30)


def main(argv: Sequence[str] | None = None) -> None:
    """Serve a suite's oracle."""
    import uvicorn

    parser = argparse.ArgumentParser("palaestra.trainers.evaluation.oracle", description=__doc__)
    parser.add_argument("suite", type=Path, help="the suite whose tasks it plays")
    parser.add_argument("--errors", type=float, default=0.0, help="which share it gets wrong")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=8001, help="the port to listen on")
    told = parser.parse_args(argv)
    oracle = Oracle(Suite.load(told.suite), told.errors)
    uvicorn.run(build(oracle), host=told.host, port=told.port, log_level="warning")


if __name__ == "__main__":
    main()
