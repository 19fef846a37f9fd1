"""Evaluations whose requests have images, against an endpoint that looks at them."""

import asyncio
import json
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.trainers.evaluation.endpoints import command, run

from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.observations import NoImages, View, content, square, text_of
from palaestra.trainers.episodes import play_episode
from palaestra.trainers.evaluation import Evaluation, OtherEvaluation, Suite, evaluate
from palaestra.trainers.evaluation.attempts import MANIFEST
from palaestra.trainers.evaluation.oracle import serving

SUDOKU, CODE = "grids/sudoku", "games/mastermind"
WORDS, CIPHER = "logic/knights_and_knaves", "ciphers/caesar_and_vigenere"
SUITE = Suite.of([SUDOKU, CODE], levels=[1], tasks=3)


def image_in(part):
    media_type, _, data = part["image_url"]["url"].partition(",")
    assert media_type == "data:image/png;base64"
    return Image.open(BytesIO(b64decode(data, validate=True)))


class LookingEndpoint:
    """Knows a task by its image alone, checks the texts, and answers as the solver does."""

    def __init__(self, suite, view):
        self.view, self.tasks, self.sizes, self.turns = view, {}, [], 0
        for cell in suite.cells:
            for address in cell.addresses():
                episode = Episode(address.task())
                pixels = square(episode.turn.scene(), view.size)
                self.tasks[pixels.tobytes()] = episode

    def reply(self, messages):
        users = [message["content"] for message in messages if message["role"] == "user"]
        images = [image_in(parts[0]) for parts in users]
        self.sizes += [image.size for image in images]
        assert all([part["type"] for part in parts] == ["image_url", "text"] for parts in users)
        episode = self.tasks[np.asarray(images[0]).tobytes()]
        assert users[0] == content(episode, self.view)
        moves = list(episode.task.solve())
        self.turns = max(self.turns, len(users))
        return TAGS.write(moves[len(users) - 1])

    async def answer(self, request):
        wish = await request.json()
        message = {"role": "assistant", "content": self.reply(wish["messages"])}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return JSONResponse({"choices": [choice], "usage": {}})

    def serving(self):
        route = Route("/v1/chat/completions", self.answer, methods=["POST"])
        return serving(Starlette(routes=[route]))


@pytest.mark.parametrize("observation", ["image", "both"])
def test_the_command_sends_images(observation, tmp_path, capsys):
    endpoint = LookingEndpoint(SUITE, View(observation, 128))
    suite, out = tmp_path / "suite.yaml", tmp_path / "out"
    suite.write_text(json.dumps([{"env": [SUDOKU, CODE], "levels": 1, "tasks": 3}]))
    with endpoint.serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite), "--out", str(out)]
        argv += ["--observation", observation, "--image-size", "128"]
        assert command(*argv) == 0, capsys.readouterr().err
    assert {*endpoint.sizes} == {(128, 128)}
    assert endpoint.turns > 1
    done = Evaluation.load(out)
    assert [attempt.score for attempt in done.attempts] == [1.0] * 6
    same = json.loads((out / MANIFEST).read_text())["same"]
    assert (same["observation"], same["image_size"]) == (observation, 128)


def test_a_folder_holds_one_observation(tmp_path):
    async def reply(messages, tools):
        return "no"

    def played(**options):
        return asyncio.run(evaluate(reply, SUITE, out=tmp_path, **options))

    plain = played()
    assert "observation" not in plain.manifest["same"]  # as in folders of earlier versions
    assert played(observation="text").complete
    with pytest.raises(OtherEvaluation, match="observation"):
        played(observation="both", image_size=64)


def test_environments_without_images_are_refused_before_any_request(tmp_path, capsys):
    suite = Suite.of([WORDS, SUDOKU, CIPHER])
    with pytest.raises(NoImages, match=f"no images of {WORDS}, {CIPHER};"):
        run("http://127.0.0.1:9/v1", suite, observation="both")
    file = tmp_path / "suite.yaml"
    file.write_text(json.dumps([WORDS]))
    argv = ["eval", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--suite", str(file)]
    out = tmp_path / "out"
    assert command(*argv, "--observation", "image", "--out", str(out)) == 2
    assert f"no images of {WORDS}" in capsys.readouterr().err
    assert not out.exists()


def played(name, level=1, **options):
    chats = []

    async def reply(messages, tools):
        chats.append(messages)
        moves = list(Address.of(name, 1, level).task().solve())
        return TAGS.write(moves[len(chats) - 1])

    address = Address.of(name, 1, level)
    return asyncio.run(play_episode(reply, address, image_size=64, **options)), chats


def test_one_episode_has_the_image_of_each_turn():
    result, chats = played(CODE, level=3, observation="both")
    assert result.score == 1
    live = Episode(Address.of(CODE, 1, 3).task())
    for chat, reply in zip(chats, result.replies, strict=True):
        assert chat[-1]["content"] == content(live, View("both", 64))
        live.step(reply)
    assert len(chats) > 2


def test_text_is_as_before():
    result, chats = played(CODE, level=3)
    assert chats[0][0]["content"] == Episode(Address.of(CODE, 1, 3).task()).observation
    assert all(isinstance(message["content"], str) for message in result.messages)


def test_an_episode_without_a_scene_is_refused():
    with pytest.raises(NoImages, match=WORDS):
        played(WORDS, observation="image")


def test_images_count_for_no_text():
    """Where an endpoint counts no tokens, the text of a chat is what its length is estimated by."""
    text = text_of(content(Episode(Address.of(CODE, 1, 3).task()), View("both", 64)))
    room = len(text) // 4 + 400
    assert played(CODE, level=3, observation="both", max_context=room)[0].score == 1
    assert (
        played(CODE, level=3, observation="both", max_context=len(text) // 8)[0].status == "limit"
    )
