"""Pieces that are moved on the board: dragged, clicked, and by keyboard alone."""

import pytest
from tests.server.playground.browser import focused, score_by_keyboard, tab_to

from palaestra import Address
from palaestra.server.plan_boards import plan_board

pytestmark = pytest.mark.slow

STEPS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")


def moves_of(env, level=1, seed=1):
    """The moves of a perfect player: their text, and where each starts and ends on the board."""
    task = Address.of(env, seed, level).task()
    so_far = []
    for move in task.plan():
        board = plan_board(task, task.as_text(so_far) if so_far else None)
        text = task.as_text([move])
        (known,) = [each for each in board["moves"] if each["text"] == text]
        so_far.append(move)
        yield text, known["pairs"][0] if known["pairs"] else None, task.as_text(so_far)


def element(page, name):
    return page.locator(f".panel:first-child .element[data-name='{name}']")


def go(page, env):
    page.go(f"#/{env}?level=1&seed=1", ".board-entry .panel")


def expect_answer(page, text):
    page.until("text => document.querySelector('.replying textarea').value === text", text)


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*centre(start))
    page.mouse.down()
    page.mouse.move(*centre(end), steps=6)
    page.mouse.up()


PIECES = ["planning/rush_hour", "planning/klotski", "planning/ball_sort", "planning/tower_of_hanoi"]


@pytest.mark.parametrize("env", PIECES)
def test_pieces_are_dragged_to_a_right_answer(page, env):
    go(page, env)
    element(page, next(moves_of(env))[1][0]).scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('.panel').offsetTop - 90)")
    for _, (start, end), answer in moves_of(env):
        drag(page, element(page, start), element(page, end))
        expect_answer(page, answer)
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")


@pytest.mark.parametrize(
    "env", ["planning/rush_hour", "planning/blocksworld", "planning/peg_solitaire"]
)
def test_pieces_are_chosen_and_then_where_they_go(page, env):
    go(page, env)
    for _, (start, end), answer in moves_of(env):
        element(page, start).click()
        if page.locator(".panel .chosen").count():  # else this was the only element to go to
            assert "target" in element(page, end).get_attribute("class")
            element(page, end).click()
        expect_answer(page, answer)
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")


def test_a_tile_beside_the_gap_is_moved_by_one_click(page):
    go(page, "planning/sliding_tiles")
    for _, (start, _), answer in moves_of("planning/sliding_tiles"):
        element(page, start).click()
        expect_answer(page, answer)


@pytest.mark.parametrize("env", ["planning/ball_sort", "planning/rush_hour"])
def test_pieces_are_moved_by_keyboard_alone(page, env):
    go(page, env)
    tab_to(page, ".panel .element")
    for _, (start, end), answer in moves_of(env):
        for name in (start, end):
            walk(page, name)
            page.keyboard.press("Enter")
        expect_answer(page, answer)
    score_by_keyboard(page)


def walk(page, name):
    """Arrow keys from the focused element to another one: columns first, then rows."""
    position = "name => { const m = document.querySelector(`.panel .element[data-name='${name}']`)"
    position += ".transform.baseVal.consolidate().matrix; return [m.e, m.f]; }"
    for _ in range(40):
        here = focused(page)
        if here == name:
            return
        (x, y), (x1, y1) = (page.evaluate(position, each) for each in (here, name))
        if abs(x - x1) > 0.1:
            page.keyboard.press("ArrowRight" if x < x1 else "ArrowLeft")
        else:
            page.keyboard.press("ArrowDown" if y < y1 else "ArrowUp")
    raise AssertionError(f"arrow keys do not lead to {name}")


def test_directions_are_arrow_keys(page):
    keys = dict(zip("UDLR", STEPS))
    go(page, "planning/sokoban")
    for text, _, answer in moves_of("planning/sokoban"):
        page.keyboard.press(keys[text])
        expect_answer(page, answer)
    page.keyboard.press("u")
    *_, (_, _, before), _ = moves_of("planning/sokoban")
    expect_answer(page, before)


def test_a_piece_that_is_dropped_elsewhere_stays(page):
    env = "planning/rush_hour"
    go(page, env)
    _, (start, _), _ = next(moves_of(env))
    piece = element(page, start)
    piece.scroll_into_view_if_needed()
    drag(page, piece, page.locator(".puzzle h2"))
    assert page.locator(".ghost").count() == 0
    assert page.locator(".replying textarea").input_value() == ""


def test_undo_and_clear_show_the_state_before(page):
    env = "planning/ball_sort"
    go(page, env)
    picture = "document.querySelector('.panel svg').textContent"
    states = [page.evaluate(picture)]
    answers = [""]
    for _, (start, end), answer in [*moves_of(env)][:2]:
        element(page, start).click()
        element(page, end).click()
        expect_answer(page, answer)
        answers.append(answer)
        states.append(page.evaluate(picture))
    page.wait(".board-entry .hint", "2 of at most")
    page.get_by_role("button", name="Undo").click()
    expect_answer(page, answers[1])
    assert page.evaluate(picture) == states[1]
    page.get_by_role("button", name="Clear").click()
    expect_answer(page, "")
    assert page.evaluate(picture) == states[0]
