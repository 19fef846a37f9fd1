"""Scenes over HTTP, and who may see answers."""

from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from palaestra import Address
from palaestra.scenes import from_json
from palaestra.server.app import build
from palaestra.server.service import Settings

ADDRESS = "grids/sudoku?level=1&seed=7"
ORACLE = f"/v1/environments/grids.sudoku/oracle?address={quote(ADDRESS)}"


@pytest.fixture(scope="module")
def http():
    with TestClient(build()) as client:
        yield client


def test_a_scene_is_that_of_the_task_and_its_answer_is_drawn_in(http):
    task = Address.parse(ADDRESS).task()
    plain = http.post("/v1/scenes", json={"address": ADDRESS}).json()
    assert plain["reason"] == ""
    assert plain["entry"]["type"] == "cells"
    solved = http.post("/v1/scenes", json={"address": ADDRESS, "answer": task.answer()}).json()
    texts = [cell.get("text") for row in solved["scene"]["cells"] for cell in row]
    assert texts == task.answer().split()
    assert solved["drawing"] != plain["drawing"]


@pytest.mark.parametrize("answer", ["", "nonsense", "9 " * 9_999, "1" * 900_000, "\ud7ff\x00"])
def test_answers_that_cannot_be_read_leave_the_bare_task_and_a_reason(http, answer):
    plain = http.post("/v1/scenes", json={"address": ADDRESS}).json()
    bad = http.post("/v1/scenes", json={"address": ADDRESS, "answer": answer})
    assert bad.status_code == 200
    assert bad.json()["reason"]
    assert bad.json()["drawing"] == plain["drawing"]


def test_what_is_all_words_has_no_scene(http):
    reply = http.post("/v1/scenes", json={"address": "logic/knights_and_knaves?seed=1"}).json()
    assert (reply["scene"], reply["drawing"], reply["entry"]) == (None, None, None)


def test_sessions_have_the_scene_of_their_state(http):
    address = "games/minesweeper?seed=3"
    session = http.post("/v1/sessions", json={"address": address}).json()["sessions"][0]
    (move, *_) = Address.parse(address).task().solve()
    path = f"/v1/sessions/{session['session']}"
    before = http.get(f"{path}/scene").json()["scene"]
    http.post(f"{path}/step", json={"step": 0, "move": f"<answer>{move}</answer>"})
    assert http.get(f"{path}/scene").json()["scene"] != before
    assert from_json(http.get(f"{path}/scene").content.partition(b',"drawing"')[0][9:])


@pytest.mark.parametrize(
    ("client", "host", "status"),
    [
        ("127.0.0.1", "localhost:8000", 200),
        ("127.0.0.1", "127.0.0.1:8000", 200),
        ("127.0.0.1", "203.0.113.5", 403),  # as a proxy on this machine passes it on
        ("203.0.113.9", "127.0.0.1:8000", 403),
    ],
)
def test_answers_without_tokens_are_for_this_machine_alone(client, host, status):
    app = build(Settings(neighbours=True))
    with TestClient(app, base_url=f"http://{host}", client=(client, 5000)) as http:
        assert http.get(ORACLE).status_code == status
    with TestClient(build(), base_url=f"http://{host}", client=(client, 5000)) as http:
        assert http.get(ORACLE).status_code == 403
