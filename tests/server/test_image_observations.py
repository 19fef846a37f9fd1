"""Tasks and sessions whose messages have images."""

import json
import sys
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from tests.server.examples import ask, connected, problem
from tests.server.sessions.examples import serving

from palaestra.address import Address
from palaestra.client import Client
from palaestra.episode import TAGS, Episode
from palaestra.observations import View, content, square, text_of, transcript
from palaestra.server.targets import resolved

SUDOKU, CODE, FOUR = "grids/sudoku", "games/mastermind", "matches/connect_four"
MATE = "games/chess_mate"
AWAY = Address.parse("games/game_2048?power=6&lacking=16&seed=3")
"""A task whose moves are made in worker processes."""

WORDS = "logic/knights_and_knaves"
SMALL = {"image_size": 96}


def pixels(part):
    kind, _, data = part["image_url"]["url"].partition(",")
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(BytesIO(b64decode(data, validate=True))))


def episode_of(name, seed=0, level=0):
    return Episode(Address.of(name, seed, level).task())


# ---------------------------------------------------------------------------- tasks


@pytest.mark.parametrize("observation", ["image", "both"])
def test_tasks_have_image_parts(http, observation):
    wish = {"env": SUDOKU, "seeds": [0, 7], "level": 1, "observation": observation, **SMALL}
    response = http.post("/v1/tasks", json=wish)
    assert response.status_code == 200, response.text
    for seed, task in zip([0, 7], response.json()["tasks"], strict=True):
        episode = episode_of(SUDOKU, seed, 1)
        (message,) = task["messages"]
        assert message == {"role": "user", "content": content(episode, View(observation, 96))}
        assert (pixels(message["content"][0]) == square(episode.turn.scene(), 96)).all()
        assert (text_of(message["content"]) == episode.observation) is (observation == "both")


def test_images_have_448_pixels_unless_told_otherwise(http):
    task = http.post("/v1/tasks", json={"env": CODE, "observation": "both"}).json()["tasks"][0]
    assert pixels(task["messages"][0]["content"][0]).shape == (448, 448, 3)


def test_text_is_as_before(http):
    plain = http.post("/v1/tasks", json={"env": SUDOKU}).json()
    assert http.post("/v1/tasks", json={"env": SUDOKU, "observation": "text"}).json() == plain
    assert isinstance(plain["tasks"][0]["messages"][0]["content"], str)


def test_tasks_with_images_come_as_lines(http):
    wish = {"env": SUDOKU, "seeds": {"count": 6}, "observation": "image", **SMALL}
    lines = http.post("/v1/tasks", json=wish, headers={"accept": "application/x-ndjson"}).text
    tasks = [json.loads(line) for line in lines.splitlines()]
    assert [len(task["messages"][0]["content"]) for task in tasks] == [2] * 6


@pytest.mark.parametrize("route", ["tasks", "sessions"])
@pytest.mark.parametrize(
    ("wish", "pointer", "detail"),
    [
        ({"env": WORDS, "observation": "both"}, None, f"no images of {WORDS}"),
        ({"env": SUDOKU, "observation": "picture"}, "/observation", "'text', 'image' or 'both'"),
        ({"env": SUDOKU, "observation": "both", "image_size": 63}, "/image_size", "64"),
        ({"env": SUDOKU, "observation": "both", "image_size": 1_025}, "/image_size", "1024"),
        ({"env": SUDOKU, "observation": "both", "image_size": True}, "/image_size", "whole"),
    ],
)
def test_what_is_refused(http, route, wish, pointer, detail):
    document = problem(http.post(f"/v1/{route}", json=wish), 422, "invalid-request")
    assert detail in document["detail"]
    if pointer:
        assert document["errors"][0]["pointer"] == pointer


def test_many_tasks_with_images_are_lines(http):
    wish = {"env": SUDOKU, "seeds": {"count": 257}, "observation": "both"}
    document = problem(http.post("/v1/tasks", json=wish), 422, "invalid-request")
    assert document["errors"][0]["pointer"] == "/seeds"
    assert "accept application/x-ndjson" in document["detail"]


# ---------------------------------------------------------------------------- sessions


@pytest.mark.parametrize("observation", ["image", "both"])
@pytest.mark.parametrize("name", [SUDOKU, CODE, FOUR, MATE])
def test_sessions_show_what_an_episode_shows(http, name, observation):
    view, episode = View(observation, 96), episode_of(name, level=2)
    wish = {"address": str(Address.of(name, 0, 2)), "observation": observation, **SMALL}
    (state,) = http.post("/v1/sessions", json=wish).json()["sessions"]
    where = f"/v1/sessions/{state['session']}"
    assert state["messages"] == transcript(episode, view)
    for step, move in enumerate(list(episode.task.solve())[:3]):
        assert state["content"] == content(episode, view)
        assert state["observation"] == episode.observation
        episode.step(TAGS.write(move))
        reply = {"step": step, "move": TAGS.write(move)}
        state = http.post(f"{where}/step", json=reply).json()
    assert state["content"] == content(episode, view)
    assert http.get(where).json()["messages"] == transcript(episode, view)


def test_moves_in_worker_processes_have_images_too(http):
    assert resolved(str(AWAY)).is_remote
    view, episode = View("both", 96), Episode(AWAY.task())
    wish = {"address": str(AWAY), "observation": "both", **SMALL}
    (state,) = http.post("/v1/sessions", json=wish).json()["sessions"]
    assert state["messages"] == transcript(episode, view)
    move = TAGS.write(next(iter(episode.task.solve())))
    state = http.post(f"/v1/sessions/{state['session']}/step", json={"step": 0, "move": move})
    episode.step(move)
    assert state.json()["content"] == content(episode, view)


def test_sessions_of_text_have_no_content(http):
    (state,) = http.post("/v1/sessions", json={"env": SUDOKU}).json()["sessions"]
    assert "content" not in state
    assert isinstance(state["messages"][0]["content"], str)


def test_forks_and_batches_of_steps_have_images_too(http):
    wish = {"env": CODE, "level": 2, "observation": "both", **SMALL}
    (state,) = http.post("/v1/sessions", json=wish).json()["sessions"]
    where = f"/v1/sessions/{state['session']}"
    forks = http.post(f"{where}/fork", json={"n": 2}).json()["sessions"]
    assert [fork["content"] for fork in forks] == [state["content"]] * 2
    items = [{"session": fork["session"], "step": 0, "move": "no"} for fork in forks]
    results = http.post("/v1/sessions/step", json={"items": items}).json()["results"]
    assert [len(result["content"]) for result in results] == [2, 2]
    back = http.post(f"/v1/sessions/{forks[0]['session']}/rewind", json={"step": 0}).json()
    assert back["content"] == state["content"]


def test_a_key_belongs_to_its_observation(http):
    wish, key = {"env": CODE, "observation": "both", **SMALL}, {"idempotency-key": "images"}
    first = http.post("/v1/sessions", json=wish, headers=key)
    again = http.post("/v1/sessions", json=wish, headers=key)
    assert first.json() == again.json()
    for other in ({"env": CODE}, {**wish, "image_size": 97}):
        response = http.post("/v1/sessions", json=other, headers=key)
        problem(response, 409, "idempotency-conflict")


def test_a_socket_opens_sessions_with_images(url):
    with connected(url) as line:
        answer = ask(line, op="open", env=FOUR, observation="image", image_size=64)
        (state,) = answer["result"]["sessions"]
        assert pixels(state["content"][0]).shape == (64, 64, 3)
        odd = ask(line, op="open", env=FOUR, observation="image", image_size=5_000)
        assert odd["problem"]["status"] == 422


async def stored(url):
    view, address = View("both", 80), Address.of(CODE, 1, 2)
    async with serving(url) as sessions:
        (opened,) = await sessions.open(address, view=view)
        (plain,) = await sessions.open(address)
    async with serving(url) as sessions:  # another server
        return opened, await sessions.get(opened.session), await sessions.get(plain.session)


def test_another_server_goes_on_with_the_same_observation(tmp_path):
    import asyncio

    opened, later, plain = asyncio.run(stored(f"sqlite:///{tmp_path / 'kept'}"))
    assert later.content == opened.content
    assert pixels(later.content[0]).shape == (80, 80, 3)
    assert isinstance(plain.messages[0]["content"], str)


@pytest.mark.parametrize("name", [CODE, SUDOKU])
def test_without_pillow_there_are_no_images(monkeypatch, http, name):
    """In this process; what is made in worker processes is made by the same function."""
    from palaestra.server.drawings import opened_with_image
    from palaestra.server.problems import ImagesUnavailable

    monkeypatch.setitem(sys.modules, "PIL", None)
    wish = {"env": name, "observation": "both", **SMALL}
    problem(http.post("/v1/sessions", json=wish), 501, "no-images")
    with pytest.raises(ImagesUnavailable):
        opened_with_image(str(Address.of(name)), "tags", "both", 64)


def test_the_tools_of_a_session_with_images_have_a_brief_of_text():
    from palaestra.server.mcp_routes import _brief
    from palaestra.server.records import SessionRecord
    from palaestra.server.session_states import illustrated

    address, view = Address.of(CODE), View("both", 64)
    episode = Episode(address.task())
    record = SessionRecord("x", "", str(address), "tags", None, 0.0, view=view)
    assert _brief(illustrated(record, episode, True)) == episode.observation


# ---------------------------------------------------------------------------- the client


def test_the_client_asks_for_images(url):
    with Client(url) as client:
        (task,) = client.tasks(SUDOKU, [3], observation="image", **SMALL)
        assert task.messages[0]["content"] == content(episode_of(SUDOKU, 3), View("image", 96))
        session = client.open(Address.of(SUDOKU, 3), observation="both", **SMALL)
        assert session.messages()[0]["content"] == content(episode_of(SUDOKU, 3), View("both", 96))
