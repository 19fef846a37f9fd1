"""One episode for an agent that may know nothing but what its player sees.

    python -m palaestra.server.single_episode task.json --log episode.json

``task.json`` is a JSON object with the ``address`` of the task. The only route is ``/mcp``: a
server of the Model Context Protocol whose tools are those of the environment, as at
``/v1/sessions/{id}/mcp`` of the service. In contrast to that, it has no routes that start the
episode anew, take moves back or show rewards, and its results contain neither the address, nor a
reward, nor the score or its reason. The replies are written to the log after each step, so that
whoever can read the file scores them.

It needs ``palaestra[mcp]``.
"""

import asyncio
import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from palaestra.extras import needs

with needs("mcp", "the server of one episode"):
    import mcp  # noqa: F401
    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route
    from starlette.types import Receive, Scope, Send

from palaestra.address import Address
from palaestra.episode import BARE, Episode, EpisodeOver
from palaestra.server.launcher import OPTIONS
from palaestra.server.mcp_routes import Outcome, move, protocol_server, respond
from palaestra.server.request_bodies import BodyLimitMiddleware
from palaestra.server.structs import REPLIES, SessionState
from palaestra.server.targets import TRANSCRIPT

BODY = TRANSCRIPT + (1 << 20)
"""The most bytes of a request."""

OVER = "The episode is over."
"""What the last step returns: the reason of the score would state whether the task is solved."""


class EpisodeFull(ValueError):
    """An episode has as many replies, or characters in them, as it may have."""


class SingleEpisode:
    """An episode that is played through ``/mcp``, and whose replies are logged."""

    def __init__(self, address: Address, log: Path) -> None:
        self.address, self.log = address, log
        self.episode = Episode(address.task(), BARE)
        self.lock = asyncio.Lock()
        first = self.episode.turn.observation
        self.state = SessionState(
            session="",
            address="",
            step=0,
            done=False,
            player=self.episode.player,
            observation=first,
            reward=0.0,
            earned=0.0,
            messages=[{"role": "user", "content": first}],
            tools=[dict(tool) for tool in self.episode.task.tools()],
        )
        self._write()

    async def play(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        """Make the move of a call, and return what the player observes after it.

        Raises :class:`~palaestra.server.mcp_routes.InvalidCall` for a call that is no move,
        :class:`~palaestra.episode.EpisodeOver` after the end, and :class:`EpisodeFull`.
        """
        reply = move(self.state, tool, arguments, BARE.name)
        async with self.lock:
            replies = self.episode.replies
            if self.episode.scores is not None:
                raise EpisodeOver("the episode is over")
            if len(replies) >= REPLIES or len(reply) + sum(map(len, replies)) > TRANSCRIPT:
                raise EpisodeFull(
                    f"an episode has at most {REPLIES} replies of {TRANSCRIPT} characters together"
                )
            before = [*replies]
            try:
                await asyncio.to_thread(self.episode.step, reply)
            except BaseException:
                self.episode = await asyncio.to_thread(Episode, self.address.task(), BARE, before)
                raise
            self._write()
            over = self.episode.scores is not None
            return (OVER if over else self.episode.observations[-1][1]), None

    def _write(self) -> None:
        """Replace the log as a whole, so that it is complete whenever it is read."""
        part = self.log.with_name(f"{self.log.name}.part")
        part.write_text(json.dumps({"replies": self.episode.replies}), "utf-8")
        part.replace(self.log)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of the protocol."""
        if scope["method"] != "POST":
            raise HTTPException(405, headers={"allow": "POST"})
        server = protocol_server("palaestra", self.state, self.play, _detail)
        await respond(server, scope, receive, send)


def _detail(fault: Exception) -> str:
    """What an agent reads of a call that failed; of a fault of the environment, nothing else."""
    if isinstance(fault, EpisodeOver | EpisodeFull):
        return str(fault)
    return "the environment could not take this step; try again"


def application(address: Address, log: Path) -> Any:
    """The ASGI application of an episode. Raises what drawing its task does."""
    routes = [Route("/mcp", SingleEpisode(address, log))]
    return BodyLimitMiddleware(Starlette(routes=routes), BODY)


def main(arguments: list[str] | None = None) -> None:
    """Serve the episode of a file until stopped."""
    about = (__doc__ or "").partition("\n")[0]
    parser = ArgumentParser("python -m palaestra.server.single_episode", description=about)
    parser.add_argument("task", type=Path, help="JSON file with the address of the task")
    parser.add_argument("--log", type=Path, required=True, help="file for the replies")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on")
    options = parser.parse_args(arguments)
    try:
        fields = json.loads(options.task.read_text("utf-8"))
        app = application(Address.parse(fields["address"]), options.log)
    except (OSError, ValueError, LookupError, TypeError) as error:
        sys.exit(f"{options.task}: {error}")
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning", **OPTIONS)


if __name__ == "__main__":
    main()
