"""Boards of planning puzzles: legal moves, and the elements that they join."""

import pytest
from starlette.testclient import TestClient

from palaestra import Address
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.registry import load, names
from palaestra.server import plan_boards
from palaestra.server.app import build
from palaestra.server.plan_boards import plan_board

PLANS = [name for name in names() if issubclass(load(name), PicturedPlan)]

ON_THE_BOARD = {
    "ball_sort", "blocksworld", "klotski", "knight_swap", "peg_solitaire", "rush_hour",
    "sliding_tiles", "token_sliding_on_graph", "tower_of_hanoi",
}  # fmt: skip
"""The puzzles whose moves are shown on the board."""


@pytest.mark.parametrize("env", PLANS)
def test_the_moves_of_a_plan_are_legal_one_after_the_other(env):
    task = Address.of(env, 1, 1).task()
    so_far = None
    for number, move in enumerate(task.plan()[:12]):
        board = plan_board(task, so_far)
        assert (board["number"], board["reason"]) == (number, "")
        elements = {shape.get("name") for shape in board["drawing"]["shapes"]}
        assert elements >= {name for name, _ in board["names"]}
        for each in board["moves"]:
            assert {name for pair in each["pairs"] for name in pair} <= elements
        (known,) = [each for each in board["moves"] if each["text"] == task.as_text([move])]
        so_far = known["answer"]
        assert [*task.read(so_far)] == [*task.plan()[: number + 1]]


def test_boards_are_those_of_the_plans_that_are_drawn():
    tasks = {name: Address.of(name, 1, 0).task() for name in names() if "planning/" in name}
    assert [
        name for name, task in tasks.items() if isinstance(task, plan_boards.PicturedPlan)
    ] == PLANS


@pytest.mark.parametrize("env", PLANS)
def test_moves_that_can_be_shown_have_a_start_and_an_end(env):
    for seed in range(3):
        task = Address.of(env, seed, 1).task()
        moves = plan_board(task, None)["moves"]
        shown = all(move["pairs"] for move in moves)
        assert shown == (env.partition("/")[2] in ON_THE_BOARD)
        if shown:  # a gesture means one move
            gestures = [tuple(pair) for move in moves for pair in move["pairs"]]
            assert len(gestures) == len({*gestures})


def test_an_illegal_move_ends_the_plan_with_its_reason():
    task = Address.of("planning/rush_hour", 1, 1).task()
    first, *_ = task.answer().splitlines()
    board = plan_board(task, f"{first}\nX up 1\n{first}")
    assert board["number"] == 1
    assert board["reason"].startswith("in move 2, ")
    assert all(move["answer"].startswith(f"{first}\n") for move in board["moves"])


@pytest.mark.parametrize("answer", ["", "nonsense", "A" * 900_000, "\ud7ff\x00"])
def test_answers_that_cannot_be_read_have_no_moves(answer):
    for env in PLANS:
        assert plan_board(Address.of(env, 1, 1).task(), answer)["number"] == 0


def test_boards_over_http():
    address = "planning/tower_of_hanoi?level=1&seed=1"
    with TestClient(build()) as client:
        entry = client.post("/v1/scenes", json={"address": address}).json()["entry"]
        assert entry["type"] == "moves"
        assert [name for name, _ in entry["names"]] == ["stack-0", "stack-1", "stack-2"]
        wish = {"address": address, "answer": entry["moves"][0]["answer"]}
        after = client.post("/v1/scenes", json=wish).json()["entry"]
        assert after["number"] == 1
        assert after["goal"] == entry["goal"] is not None
