"""Tasks and moves that tests of other protocols share."""

import json

from palaestra import Address
from palaestra.episode import TAGS, Episode

KNIGHTS, MASTERMIND, DESK = "logic/knights_and_knaves", "games/mastermind", "tools/meeting_desk"

PUZZLE = Address.of(KNIGHTS, seed=5, level=2)

RIGHT = TAGS.write(PUZZLE.task().answer())

GAME = Address.of(MASTERMIND, seed=3, level=1)

GUESSES = ["111", "112", *GAME.task().solve()]

WORLD = Address.of(DESK, seed=1)

CALLS = [*WORLD.task().solve()]


def earned(address, moves):
    """What an episode gives in process: the score, and the reward of each reply."""
    episode = Episode(address.task(), "bare", moves)
    return episode.result().value, episode.rewards


BASE = "/openenv/games.mastermind@1:level=1:answer_format=bare"


def rpc(client, base, method, **params):
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return client.post(f"{base}/mcp", json=body).json()


def events(response):
    """The events of a stream, read as its client reads them."""
    assert response.headers["content-type"].startswith("text/event-stream")
    items, kind, data = [], "", []
    for line in response.text.splitlines():
        if not line:
            items += [(kind, "".join(data))] if kind else []
            kind, data = "", []
        elif not line.startswith(":"):
            field, value = line.split(":", 1)
            if field == "event":
                kind = value.lstrip()
            else:
                data.append(value.lstrip())
    return items


class Ors:
    """A session of the Open Reward Standard."""

    def __init__(self, http, env, **wish):
        self.http, self.env = http, env
        (task, name), _ = events(http.post("/create_session"))
        assert task == "task_id"
        self.headers = {"x-session-id": name}
        self.created = http.post("/create", headers=self.headers, json={"env_name": env} | wish)

    def get(self, what):
        return self.http.get(f"/{self.env}/{what}", headers=self.headers).json()

    def raw(self, tool, **more):
        body = {"name": tool, **more}
        return self.http.post(f"/{self.env}/call", json=body, headers=self.headers)

    def call(self, tool, **arguments):
        stream = events(self.raw(tool, input=arguments))
        assert stream[0][0] == "task_id"
        return json.loads("".join(data for kind, data in stream if kind in {"chunk", "end"}))


def written(*texts):
    return {
        "response": {
            "output": [
                {"type": "message", "role": "assistant",
                 "content": [{"type": "output_text", "text": text}]}
                for text in texts
            ]
        }
    }  # fmt: skip
