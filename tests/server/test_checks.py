"""Checks of answers that may be incomplete."""

import pytest
from starlette.testclient import TestClient

from palaestra import Address
from palaestra.scenes.loops import lines_of
from palaestra.server.app import build
from palaestra.server.partial_answers import Partial, check, checked_at
from palaestra.server.problems import InvalidRequest
from palaestra.server.service import Settings

SUDOKU = "grids/sudoku?level=1&seed=1"


def task_of(env, level=1, seed=1):
    return Address.of(env, seed, level).task()


def checked(task, answer, lines=()):
    return check(Partial(task, answer, lines))


def rows_of(task):
    return [row.split() for row in task.answer().splitlines()]


def written(rows):
    return "\n".join(map(" ".join, rows))


def opened(task):
    """The board with fixed cells only, and the cells to fill in."""
    start = task.entry().start
    board = [[fixed or "." for fixed in row] for row in start]
    cells = [(r, c) for r, row in enumerate(start) for c, fixed in enumerate(row) if not fixed]
    return board, cells


def test_entries_of_the_only_answer_contradict_nothing():
    task = task_of("grids/sudoku")
    board, cells = opened(task)
    solution = rows_of(task)
    for number, (r, c) in enumerate(cells[:-1], 1):
        board[r][c] = solution[r][c]
        verdict, message, elements = checked(task, written(board))
        assert (verdict, elements) == ("possible", ())
        assert f"({number} entr" in message
    assert checked(task, task.answer()).verdict == "right"


def test_each_wrong_entry_is_named_with_the_reason_of_the_verifier():
    task = task_of("grids/sudoku")
    board, cells = opened(task)
    solution = rows_of(task)
    for r, c in cells[:2]:
        board[r][c] = "1" if solution[r][c] != "1" else "2"
    verdict, message, elements = checked(task, written(board))
    assert verdict == "wrong"
    assert elements == [f"r{r + 1}c{c + 1}" for r, c in cells[:2]]
    for name, (r, c) in zip(elements, cells):
        assert f"{name} cannot be {board[r][c]}: " in message
        alone = rows_of(task)
        alone[r][c] = board[r][c]
        assert task.verify(written(alone)).reason in message


def test_many_wrong_entries_are_counted():
    task = task_of("grids/sudoku")
    board, cells = opened(task)
    solution = rows_of(task)
    for r, c in cells[:-1]:
        board[r][c] = "1" if solution[r][c] != "1" else "2"
    _, message, elements = checked(task, written(board))
    assert f"{len(elements) - 5} more differ" in message


def test_a_full_board_is_scored_as_it_stands():
    task = task_of("grids/sudoku")
    board, cells = opened(task)
    for r, c in cells:
        board[r][c] = "1"
    verdict, message, _ = checked(task, written(board))
    assert verdict == "wrong"
    assert task.verify(written(board)).reason in message


class Several(type(task_of("grids/sudoku"))):
    """A sudoku of which it is not claimed that it has one solution."""

    tags = frozenset()


def test_without_a_unique_answer_nothing_is_claimed():
    task = Several.model_validate(task_of("grids/sudoku").model_dump())
    board, cells = opened(task)
    solution = rows_of(task)
    r, c = cells[0]
    board[r][c] = "1" if solution[r][c] != "1" else "2"
    verdict, message, elements = checked(task, written(board))
    assert (verdict, elements) == ("unknown", [f"r{r + 1}c{c + 1}"])
    assert "others may be right" in message


def test_sets_of_nodes():
    task = task_of("graphs/minimum_vertex_cover", 0)
    first, *_ = answer = task.answer().split(", ")
    names = {text: name for name, text in task.graph.elements()}
    other = next(text for text in names if text not in answer)
    assert checked(task, first).verdict == "possible"
    assert checked(task, task.answer()).verdict == "right"
    verdict, message, elements = checked(task, f"{first}, {other}")
    assert (verdict, elements) == ("unknown", [names[other]])
    assert task.verify(f"{first}, {other}").reason in message


def test_paths_are_compared_from_their_start():
    task = task_of("graphs/shortest_path")
    first, *_, last = task.answer().split(" -> ")
    assert checked(task, first).verdict == "possible"
    assert checked(task, last).verdict == "unknown"


def test_edges_have_no_direction():
    task = task_of("graphs/minimum_spanning_tree")
    one, other = task.answer().split(", ")[0].split("-")
    assert checked(task, f"{other}-{one}").verdict == "possible"


@pytest.mark.parametrize("env", ["grids/slitherlink", "grids/masyu"])
def test_lines_of_a_loop(env):
    task = task_of(env)
    loop = lines_of(task.entry(), rows_of(task))
    size = len(rows_of(task))
    wrong = next(
        f"{way}{r}-{c}"
        for way in "hv" for r in range(size - 1) for c in range(size - 1)
        if f"{way}{r}-{c}" not in loop
    )  # fmt: skip
    assert checked(task, "", [min(loop)]).verdict == "possible"
    assert checked(task, task.answer(), [*loop]).verdict == "right"
    verdict, _, elements = checked(task, "", [min(loop), wrong])
    assert (verdict, elements) == ("wrong", [wrong])


def test_plans_are_followed_to_the_first_illegal_move():
    task = task_of("planning/rush_hour")
    first, *_ = task.answer().splitlines()
    verdict, message, _ = checked(task, first)
    assert verdict == "unknown"  # whether the goal can still be reached is not searched
    assert "All 1 move is legal" not in message
    verdict, message, _ = checked(task, f"{first}\nX up 1")
    assert verdict == "wrong"
    assert message.startswith("In move 2, ")
    assert checked(task, task.answer()).verdict == "right"


def test_other_answers_are_scored_as_they_stand():
    task = task_of("logic/knights_and_knaves")
    verdict, message, _ = checked(task, "nonsense")
    assert verdict == "unknown"
    assert message.startswith("Scored as it stands: ")


@pytest.mark.parametrize("answer", ["nonsense", "9 " * 9_999, "1" * 900_000, "\ud7ff\x00", ". . ."])
def test_answers_that_cannot_be_read_are_unknown(answer):
    for env in ("grids/sudoku", "grids/masyu", "graphs/minimum_vertex_cover", "planning/klotski"):
        verdict, message, _ = checked(task_of(env), answer)
        assert verdict == "unknown"
        assert message


def test_unknown_lines_are_no_error():
    assert checked(task_of("grids/slitherlink"), "", ["h999-999"]).verdict == "wrong"


def test_a_task_of_several_turns_has_no_check():
    with pytest.raises(InvalidRequest):
        checked_at("games/mastermind?seed=1", "123")


@pytest.fixture(scope="module")
def neighbour():
    app = build(Settings(neighbours=True))
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 5000)) as client:
        yield client


def test_checks_over_http(neighbour):
    body = {"address": SUDOKU, "answer": Address.parse(SUDOKU).task().answer()}
    assert neighbour.post("/v1/checks", json=body).json()["verdict"] == "right"
    assert "answers" in neighbour.get("/v1").json()["scopes"]
    assert neighbour.post("/v1/checks", json=body | {"lines": ["x"]}).status_code == 422
    other = {"address": "games/mastermind?seed=1", "answer": "123"}
    assert neighbour.post("/v1/checks", json=other).status_code == 422


def test_checks_are_for_those_who_may_see_answers():
    body = {"address": SUDOKU, "answer": "1"}
    with TestClient(build()) as client:
        assert client.post("/v1/checks", json=body).status_code == 403
        assert "answers" not in client.get("/v1").json()["scopes"]
    tokens = ("one", "other scopes=read,answers")
    with TestClient(build(Settings(tokens))) as client:
        for token, status in (("one", 403), ("other", 200)):
            headers = {"authorization": f"Bearer {token}"}
            assert client.post("/v1/checks", json=body, headers=headers).status_code == status
            scopes = client.get("/v1", headers=headers).json()["scopes"]
            assert ("answers" in scopes) == (status == 200)
