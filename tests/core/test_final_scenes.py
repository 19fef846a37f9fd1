"""The scene after the end of a game."""

import pytest
from starlette.testclient import TestClient

from palaestra import Address, Episode
from palaestra.episode import TAGS
from palaestra.final_scenes import scene_of
from palaestra.scenes import Cell, Grid
from palaestra.server.app import build

LINE_GAMES = ["matches/connect_four", "matches/tic_tac_toe"]


def finished(env, seed, choose):
    """An episode in which a choice among the legal moves is played to the end."""
    episode = Episode(Address.of(env, seed, 1).task())
    while episode.score is None:
        episode.step(TAGS.write(choose(episode)))
    return episode


def perfect(env, seed):
    moves = Address.of(env, seed, 1).task().solve()
    return finished(env, seed, lambda _: next(moves))


def stones(scene, sign):
    rows = enumerate(scene.cells)
    return {(r, c) for r, row in rows for c, cell in enumerate(row) if cell.text == sign}


@pytest.mark.parametrize("env", LINE_GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_the_last_stone_and_the_winning_line_are_shown(env, seed):
    for episode in (perfect(env, seed), finished(env, seed, lambda e: e.turn.legal_moves[0])):
        before, scene = episode.turn.scene(), scene_of(episode)
        placed = {sign: stones(scene, sign) - stones(before, sign) for sign in "XO"}
        new = placed["X"] | placed["O"]
        assert new == {*scene.last}
        assert len(new) == 1
        if "line" not in episode.score.reason:
            assert scene.lines == ()
            continue
        (line,) = scene.lines
        (r0, c0), (r1, c1) = line.points
        length = max(abs(r1 - r0), abs(c1 - c0))
        down, right = (r1 - r0) // length, (c1 - c0) // length
        squares = {(r0 + n * down, c0 + n * right) for n in range(length + 1)}
        assert length + 1 == episode.task.game().length
        assert any(squares <= stones(scene, sign) for sign in "XO")
        assert new <= squares


def test_a_forfeit_shows_the_last_position():
    episode = finished("matches/tic_tac_toe", 1, lambda _: "9 9")
    assert scene_of(episode).lines == ()
    assert "illegal" in episode.score.reason


class Ending(Address.of("games/mastermind", 1, 0).task().__class__):
    """A task that describes its final scene."""

    def final_scene(self, moves):
        return Grid((tuple(Cell(move) for move in moves),))


def test_a_task_may_describe_its_final_scene():
    plain = Address.of("games/mastermind", 1, 0).task()
    task = Ending.model_validate(plain.model_dump())
    moves = [*plain.solve()]
    episode = Episode(task)
    before = scene_of(episode)
    for move in moves:
        episode.step(TAGS.write(move))
    assert [cell.text for cell in scene_of(episode).cells[0]] == moves
    assert before == plain.play().send(None).scene()


def test_final_scenes_over_http():
    address = str(Address.of("matches/tic_tac_toe", 1, 1))
    with TestClient(build()) as client:
        session = client.post("/v1/sessions", json={"address": address}).json()["sessions"][0]
        path = f"/v1/sessions/{session['session']}"
        for step, move in enumerate(Address.parse(address).task().solve()):
            body = {"step": step, "move": TAGS.write(move)}
            state = client.post(f"{path}/step", json=body).json()
        assert state["done"]
        assert len(client.get(f"{path}/scene").json()["scene"]["lines"]) == 1
