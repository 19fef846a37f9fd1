"""The files of one task of Harbor, as texts by path.

Only ``instruction.md`` and the image of ``environment/Dockerfile`` reach the agent, and neither
depends on the address. It stands in ``tests/task.json``, and for tasks of several turns in
``environment/palaestra/task.json``, which are parts of other images.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palaestra import __version__
from palaestra.address import Address
from palaestra.catalog import card
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.scoring import is_single_turn
from palaestra.task import Task

SCHEMA = "1.4"
"""The version of ``task.toml``."""

ANSWER = "/app/answer.txt"
"""Where an agent writes the answer to a task of one turn."""

EPISODE = "/state/episode.json"
"""Where the server of an episode logs the replies."""

SERVICE = "palaestra"
"""The name of the server of an episode, as a service and as a server of the protocol."""

URL = f"http://{SERVICE}:8000/mcp"


@dataclass(frozen=True)
class Options:
    """What is the same for all tasks of an export.

    ``package`` is the requirement that images of verifiers and of servers install, with the name
    ``palaestra``, by default this version; ``image`` is the image that all of them begin with,
    which has Python 3.11 or newer and pip. ``is_offline`` allows agents no network but the server
    of the episode.
    """

    package: str = f"palaestra=={__version__}"
    image: str = "python:3.12-slim"
    is_offline: bool = False

    def __post_init__(self) -> None:
        for name, value in (("package", self.package), ("image", self.image)):
            if not value.strip() or any(sign in value for sign in "'\n\r\\"):
                raise ValueError(f"the {name} is one line without quotes, not {value[:60]!r}")
        if not self.package.startswith("palaestra"):
            raise ValueError(
                f"the package is a requirement such as palaestra==1.0, not {self.package[:60]!r}"
            )

    def requirement(self, extra: str = "") -> str:
        """The requirement, with an extra.

        >>> Options("palaestra==1.0").requirement("mcp")
        'palaestra[mcp]==1.0'
        """
        rest = self.package.removeprefix("palaestra")
        return f"palaestra[{extra}]{rest}" if extra else self.package


def files(name: str, address: Address, options: Options) -> dict[str, str]:
    """The files of a task with a name such as ``games-mastermind-0001``.

    Raises what :meth:`Address.task <palaestra.address.Address.task>` does.
    """
    task = address.task()
    episode = Episode(task, BARE)
    observation = episode.turn.observation
    if is_single_turn(task):
        own = _single_turn(address, task, observation, options)
    else:
        own = _several_turns(address, task, observation, options)
    common = {
        "task.toml": task_toml(name, address, is_single_turn(task), options),
        "environment/Dockerfile": f"FROM {options.image}\nWORKDIR /app\n",
        "environment/.dockerignore": "*\n",
        "tests/Dockerfile": _verifier(options),
        "tests/test.sh": "#!/bin/sh\nexec python -m palaestra.trainers.harbor.scoring\n",
    }
    return common | own


def _verifier(options: Options) -> str:
    return (
        f"FROM {options.image}\n"
        f"RUN pip install --no-cache-dir '{options.requirement()}'\n"
        "WORKDIR /app\n"
        "COPY test.sh task.json /tests/\n"
    )


# ------------------------------------------------------------------ tasks of one turn

_WRITE = f"""
Write your answer to the file `{ANSWER}`. The file contains the answer and nothing else: no
explanation and no markup.
"""


def _single_turn(
    address: Address, task: Task, observation: str, options: Options
) -> dict[str, str]:
    answers = [*task.solve()]
    if not answers:
        raise ValueError(f"{address} has no solution, which a task for Harbor contains")
    return {
        "instruction.md": f"{observation.rstrip()}\n{_WRITE}",
        "tests/task.json": _json({"address": str(address), "answer": ANSWER}),
        "solution/answer.txt": answers[0],
        "solution/solve.sh": f"#!/bin/sh\ncp /solution/answer.txt {ANSWER}\n",
    }


# ------------------------------------------------------------------ tasks of several turns

_PLAY = f"""
You play through the tools of the MCP server `{SERVICE}`: each call is one step, and its result is
what you observe after it. Steps cannot be taken back. Texts such as answers, moves and `done` are
sent with the tool `answer`.
"""

_COMPOSE = f"""\
services:
  main:
    depends_on:
      {SERVICE}:
        condition: service_healthy
  {SERVICE}:
    build:
      context: ./{SERVICE}
    networks:
      - default
    healthcheck:
      test: [CMD, python, -c, "import socket; socket.create_connection(('127.0.0.1', 8000), 2)"]
      interval: 2s
      timeout: 5s
      retries: 30
"""
"""Networks are named, so that a policy for the network of the agent leaves the service alone."""

_PLAYER = f'''\
"""Plays the reference solution through the server of the episode."""

import json
import sys
from urllib.request import Request, urlopen

URL = sys.argv[1] if len(sys.argv) > 1 else "{URL}"
VERSION = "2025-06-18"


def send(method, **parameters):
    body = {{"jsonrpc": "2.0", "method": method, "params": parameters}}
    if not method.startswith("notifications/"):
        body["id"] = 1
    headers = {{
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
    }}
    with urlopen(Request(URL, json.dumps(body).encode(), headers), timeout=120) as response:
        text = response.read()
    answer = json.loads(text) if text else {{}}
    if "error" in answer:
        sys.exit(f"{{method}}: {{answer['error']}}")
    return answer.get("result")


with open("/solution/calls.json", encoding="utf-8") as file:
    calls = json.load(file)
client = {{"name": "solution", "version": "1"}}
send("initialize", protocolVersion=VERSION, capabilities={{}}, clientInfo=client)
send("notifications/initialized")
for call in calls:
    print(call["name"], call["arguments"], "->", send("tools/call", **call)["content"][0]["text"])
'''


def _several_turns(
    address: Address, task: Task, observation: str, options: Options
) -> dict[str, str]:
    server = (
        f"FROM {options.image}\n"
        f"RUN pip install --no-cache-dir '{options.requirement('mcp')}'\n"
        "RUN mkdir /state\n"
        "COPY task.json /palaestra/task.json\n"
        "EXPOSE 8000\n"
        'CMD ["python", "-m", "palaestra.server.single_episode", "/palaestra/task.json",'
        f' "--log", "{EPISODE}", "--host", "0.0.0.0"]\n'
    )
    where = _json({"address": str(address)})
    return {
        "instruction.md": f"{observation.rstrip()}\n{_PLAY}",
        "environment/docker-compose.yaml": _COMPOSE,
        f"environment/{SERVICE}/Dockerfile": server,
        f"environment/{SERVICE}/task.json": where,
        "tests/task.json": _json({"address": str(address), "episode": EPISODE}),
        "solution/calls.json": _json(calls(task)),
        "solution/play.py": _PLAYER,
        "solution/solve.sh": "#!/bin/sh\nexec python /solution/play.py\n",
    }


def calls(task: Task) -> list[dict[str, Any]]:
    """The moves of the perfect player as calls of tools.

    A call of a single tool of the task is that call; any other move is a text for ``answer``.
    """
    names = {tool["function"]["name"] for tool in task.tools()}
    return [_call(move, names) for move in task.solve()]


def _call(move: str, names: set[str]) -> dict[str, Any]:
    try:
        fields = json.loads(move) if names else None
    except ValueError:
        fields = None
    if isinstance(fields, dict) and fields.keys() == {"tool", "args"} and fields["tool"] in names:
        return {"name": fields["tool"], "arguments": fields["args"]}
    return {"name": "answer", "arguments": {"text": move}}


# ------------------------------------------------------------------ task.toml


def task_toml(name: str, address: Address, is_single: bool, options: Options) -> str:
    """The configuration of a task."""
    summary = card(address.env).get("summary", "")
    isolated: dict[str, Any] = {"network_mode": "no-network"}
    own = isolated if is_single else {"network_mode": "allowlist", "allowed_hosts": [SERVICE]}
    artifact: dict[str, str] = {"source": ANSWER if is_single else EPISODE}
    if not is_single:
        artifact["service"] = SERVICE
    lines = [
        f'schema_version = "{SCHEMA}"',
        f"artifacts = [{_inline(artifact)}]",
        *_table(
            "task",
            {
                "name": f"palaestra/{name}",
                "description": summary,
                "keywords": sorted({address.env.partition("/")[0], *load(address.env).tags}),
            },
        ),
        *_table("metadata", {"environment": address.env, "level": address.level}),
        *_table("agent", {"timeout_sec": 1800.0}),
        *_table("verifier", {"environment_mode": "separate", "timeout_sec": 300.0}),
        *_table("verifier.environment", isolated if options.is_offline else {}),
        *_table("environment", own if options.is_offline else {}),
    ]
    if not is_single:
        server = {"name": SERVICE, "transport": "streamable-http", "url": URL}
        lines += ["", "[[environment.mcp_servers]]", *_pairs(server)]
    return "\n".join(lines) + "\n"


def _table(name: str, values: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *_pairs(values)]


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in values.items() if value is not None]


def _inline(values: Mapping[str, Any]) -> str:
    return f"{{ {', '.join(_pairs(values))} }}"


def _value(value: Any) -> str:
    """A text, number or list of texts in TOML, whose texts are escaped as in JSON.

    >>> _value(["a", 2])
    '["a", 2]'
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value).replace("\x7f", "\\u007f")


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
