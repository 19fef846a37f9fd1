"""An endpoint at which no model answers but the tasks' own solvers, right or wrong as asked for.

It shows whether an evaluation measures what is there, and it lets anything that wants an endpoint
be tried without a model::

    python -m palaestra.trainers.evaluation.oracle examples/suite.yaml --port 8001 --errors 0.25
    python -m palaestra.trainers.evaluation.oracle "games/mastermind?level=1&seeds=0:50"

It answers whole or, with ``stream: true``, in server-sent events as OpenAI's endpoint does, down to
``stream_options.include_usage``. Whether it is right is decided by a digest of the opening and the
request's ``seed``, so the same requests always fare the same.
"""

import argparse
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode, answer_format_of
from palaestra.extras import needs
from palaestra.task import InvalidAnswer, Task
from palaestra.toolbox import Call
from palaestra.trainers.evaluation.suites import Suite
from palaestra.trainers.rows import selected

if TYPE_CHECKING:
    from fastapi import FastAPI, Request, Response

WRONG = "?"
"""A move that is wrong in any task."""

_WORD = re.compile(r"\s*\S+|\s+\Z")


class _Known(NamedTuple):
    task: Task
    answer_format: AnswerFormat
    errors: float


class Oracle:
    """Plays the tasks of a suite, or some addresses with the answer formats in which answers are
    marked.

    ``errors`` is the share, from 0 to 1, of attempts that it gets wrong, or a function that returns
    it for an address.
    """

    def __init__(
        self,
        tasks: Suite | Iterable[tuple[Address, AnswerFormat | str]],
        errors: float | Callable[[Address], float] = 0.0,
    ) -> None:
        self.known: dict[str, _Known] = {}
        for address, named in _of_suite(tasks) if isinstance(tasks, Suite) else tasks:
            task, answer_format = address.task(), answer_format_of(named)
            share = errors(address) if callable(errors) else errors
            if not 0 <= share <= 1:
                raise ValueError(f"a share of errors lies between 0 and 1, not at {share}")
            known = _Known(task, answer_format, share)
            self.known[Episode(task, answer_format).observation] = known
        self._stripped = {opening.strip(): opening for opening in self.known}

    def errs(self, opening: str, seed: object = None) -> bool:
        """Whether the task that opens so is gotten wrong in the attempt of that seed."""
        digest = blake2b(f"{seed} {opening}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.known[opening].errors * 2**64

    def message(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """The message that answers a request. Raises ``LookupError`` for a chat of no task."""
        messages = wish["messages"]
        question = next((_text(each["content"]) for each in messages if each["role"] == "user"), "")
        opening = question if question in self.known else self._stripped.get(question.strip())
        if opening is None:
            raise LookupError("none of the oracle's tasks opens like this")
        task, answer_format, _ = self.known[opening]
        if self.errs(opening, wish.get("seed")):
            return {"role": "assistant", "content": answer_format.write(WRONG)}
        number = sum(max(1, len(m.get("tool_calls") or ())) for m in messages if _is_reply(m))
        moves = list(task.solve())
        move = moves[number] if number < len(moves) else "done"
        if wish.get("tools") and (called := _called(move, number)):
            return {"role": "assistant", "content": None, "tool_calls": [called]}
        return {"role": "assistant", "content": answer_format.write(move)}

    def completion(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """The same as a whole answer, with about the tokens that it would have.

        Raises ``ValueError`` for options that no oracle has: several choices of one request.
        """
        if wish.get("n") not in {None, 1}:
            raise ValueError(f"the oracle gives one choice, not n={wish['n']!r}; vary the seed")
        message = self.message(wish)
        calls = "tool_calls" in message
        read = sum(len(_text(each.get("content"))) for each in wish["messages"])
        wrote = len(json.dumps(message.get("tool_calls")) if calls else message["content"])
        finish_reason = "tool_calls" if calls else "stop"
        return {
            **_head(wish, "chat.completion"),
            "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
            "usage": {
                "prompt_tokens": read // 4 + 1,
                "completion_tokens": wrote // 4 + 1,
                "total_tokens": read // 4 + wrote // 4 + 2,
            },
        }

    def chunks(self, wish: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The same answer in parts, whose deltas put together are the message.

        With ``stream_options.include_usage`` each part has ``usage``, which is null in all but a
        last one without choices. Raises what :meth:`completion` does.
        """
        whole = self.completion(wish)
        with_usage = bool((wish.get("stream_options") or {}).get("include_usage"))
        (choice,) = whole["choices"]
        ends: list[tuple[dict[str, Any], str | None]] = [
            *((delta, None) for delta in _deltas(choice["message"])),
            ({}, choice["finish_reason"]),
        ]
        head = _head(wish, "chat.completion.chunk") | ({"usage": None} if with_usage else {})
        parts = [
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}
            for delta, finish_reason in ends
        ]
        return parts + ([{**head, "choices": [], "usage": whole["usage"]}] if with_usage else [])


def _of_suite(suite: Suite) -> Iterator[tuple[Address, AnswerFormat | str]]:
    return ((address, cell.answer_format) for cell in suite.cells for address in cell.addresses())


def _head(wish: Mapping[str, Any], object_type: str) -> dict[str, Any]:
    """What all answers begin with. An oracle has no clock, so that the same are always equal."""
    model = wish.get("model", "oracle")
    return {"id": "chatcmpl-oracle", "object": object_type, "created": 0, "model": model}


def _text(content: object) -> str:
    """The text of a message, be it one text, several parts, or none."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A message in parts: its role, then a word at a time, or a call and then its arguments."""
    if (text := message["content"]) is not None:
        yield {"role": message["role"], "content": ""}
        yield from ({"content": word} for word in _WORD.findall(text))
        return
    yield {"role": message["role"], "content": None}
    for index, call in enumerate(message["tool_calls"]):
        arguments = call["function"]["arguments"]
        opened = {**call["function"], "arguments": ""}
        yield {"tool_calls": [{"index": index, **call, "function": opened}]}
        for word in _WORD.findall(arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": word}}]}


def _is_reply(message: Mapping[str, Any]) -> bool:
    return bool(message["role"] == "assistant")


def _called(move: str, number: int) -> dict[str, Any] | None:
    """A move as the call of a function, where it is one."""
    try:
        call = Call.model_validate_json(move)
    except (ValueError, InvalidAnswer):
        return None
    function = {"name": call.tool, "arguments": json.dumps(call.args)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def events(chunks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Parts of an answer as server-sent events, and the one that ends them."""
    for chunk in chunks:
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"


def build(oracle: Oracle) -> "FastAPI":
    """The endpoint as an application."""
    with needs("server", "FastAPI"):
        from fastapi import FastAPI
        from fastapi.responses import JSONResponse, StreamingResponse

    app = FastAPI(title="The oracle of a suite")

    async def complete(request: "Request") -> "Response":
        try:
            wish = await request.json()
            if wish.get("stream"):
                return StreamingResponse(
                    iter(list(events(oracle.chunks(wish)))), media_type="text/event-stream"
                )
            return JSONResponse(oracle.completion(wish))
        except (LookupError, ValueError, TypeError, AttributeError) as failure:
            error = {"message": str(failure), "type": "invalid_request_error", "code": 400}
            return JSONResponse({"error": error}, 400)

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
    with needs("server", "uvicorn"):
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
    with needs("server", "uvicorn"):
        import uvicorn

    parser = argparse.ArgumentParser("palaestra.trainers.evaluation.oracle", description=__doc__)
    parser.add_argument(
        "tasks",
        nargs="+",
        help="suites (files), or selections such as 'games/mastermind?level=1&seeds=0:50'",
    )
    parser.add_argument(
        "--answer-format", default="tags", help="how answers to selections are marked"
    )
    parser.add_argument("--errors", type=float, default=0.0, help="which share it gets wrong")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=8001, help="the port to listen on")
    options = parser.parse_args(argv)
    oracle = Oracle(list(_named(options.tasks, options.answer_format)), options.errors)
    uvicorn.run(build(oracle), host=options.host, port=options.port, log_level="warning")


def _named(
    tasks: Sequence[str], answer_format: str
) -> Iterator[tuple[Address, AnswerFormat | str]]:
    """The tasks of suites and of selections, several of which may stand in one text."""
    for text in tasks:
        file = Path(text)
        if file.suffix in {".yaml", ".yml"} or file.is_file():
            yield from _of_suite(Suite.load(file))
        else:
            yield from (
                (address, answer_format) for wish in text.split() for address in selected(wish)
            )


if __name__ == "__main__":
    main()
