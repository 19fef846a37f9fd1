"""Boards that are played on: by mouse, and by keyboard alone."""

import pytest
from tests.server.playground.browser import Page, focused, score_by_keyboard, tab_to

from palaestra import Address
from palaestra.episode import Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

pytestmark = pytest.mark.slow

STEPS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}


def cells(answer):
    """The name of each cell with its symbol."""
    for r, row in enumerate(answer.splitlines()):
        for c, symbol in enumerate(row.split()):
            yield f"r{r + 1}c{c + 1}", symbol


def walk_to(page, name):
    """Arrow keys from the focused cell to another one."""
    row, column = map(int, name[1:].split("c"))
    for _ in range(200):
        r, c = map(int, focused(page)[1:].split("c"))
        if (r, c) == (row, column):
            return
        if r != row:
            key = "ArrowDown" if r < row else "ArrowUp"
        else:
            key = "ArrowRight" if c < column else "ArrowLeft"
        page.keyboard.press(key)
    raise AssertionError(f"arrow keys do not lead to {name}")


def test_a_sudoku_by_mouse_and_by_keyboard(page):
    task = Address.of("grids/sudoku", 1, 1).task()
    wanted = dict(cells(task.answer()))
    place = "#/grids/sudoku?level=1&seed=1"
    page.go(place, ".board-entry .element")
    empty = [
        node.get_attribute("data-name")
        for node in page.locator(".board-entry .element:not(.fixed)").all()
    ]
    for name in empty:
        page.locator(".symbols button", has_text=wanted[name]).first.click()
        page.locator(f".element[data-name='{name}']").click()
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")
    page.go(place, ".board-entry .element")
    tab_to(page, ".element")
    for name in empty:
        walk_to(page, name)
        page.keyboard.press(wanted[name])
    score_by_keyboard(page)


def test_a_set_of_nodes_by_mouse_and_by_keyboard(page):
    task = Address.of("graphs/minimum_vertex_cover", 1, 0).task()
    elements = {text: name for name, text in task.graph.elements()}
    nodes = [elements[text] for text in task.answer().split(", ")]
    place = "#/graphs/minimum_vertex_cover?level=0&seed=1"
    page.go(place, ".board-entry .element")
    for node in nodes:
        page.locator(f".element[data-name='{node}']").click()
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")
    page.go(place, ".board-entry .element")
    tab_to(page, ".element")
    assert visit(page, dict.fromkeys(nodes, "Enter")) == {*nodes}
    score_by_keyboard(page)


def test_words_are_put_in_order_by_mouse_and_by_keyboard(page):
    task = Address.of("strings/word_sorting", 1, 1).task()
    place = "#/strings/word_sorting?level=1&seed=1"
    page.go(place, ".symbols [data-word]")
    first = task.answer().split()[0]
    for word in task.answer().split():
        page.locator(f".symbols [data-word='{word}']").click()
    assert page.locator(f".symbols [data-word='{first}']").is_disabled()
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")
    page.go(place, ".symbols [data-word]")
    for word in task.answer().split():
        page.locator(f".symbols [data-word='{word}']").press("Enter")
    score_by_keyboard(page)


def visit(page, wanted):
    """Press a key on each of some elements, on a walk with arrow keys over all there are."""
    seen, trail = {focused(page)}, []
    chosen = set()
    while True:
        if focused(page) in wanted.keys() - chosen:
            chosen.add(focused(page))
            page.keyboard.press(wanted[focused(page)])
        if chosen == {*wanted}:
            return chosen
        for key, (down, right) in STEPS.items():
            here = focused(page)
            page.keyboard.press(key)
            if focused(page) not in seen:
                seen.add(focused(page))
                trail.append((down, right))
                break
            if focused(page) != here:
                back = next(k for k, step in STEPS.items() if step == (-down, -right))
                page.keyboard.press(back)
        else:
            if not trail:
                return chosen
            down, right = trail.pop()
            page.keyboard.press(next(k for k, step in STEPS.items() if step == (-down, -right)))


def test_undo_and_clear_take_back_what_was_entered(page):
    page.go("#/grids/sudoku?level=1&seed=1", ".board-entry .element")
    box = page.locator(".replying textarea")
    first, second, *_ = page.locator(".board-entry .element:not(.fixed)").all()
    first.click()
    one = box.input_value()
    second.click()
    assert box.input_value() != one
    page.get_by_role("button", name="Undo").click()
    assert box.input_value() == one
    page.get_by_role("button", name="Clear").click()
    assert box.input_value() == ""


def test_giving_up_shows_a_perfect_answer_drawn_in(browser):
    """Where the service has no tokens and this machine alone can reach it."""
    with background_server(build(Settings(neighbours=True))) as url:
        page = Page(browser, url)
        give_up(page)
        page.close()


def test_answers_are_for_those_who_may_see_them(page):
    page.go("#/grids/sudoku?level=1&seed=1", ".board-entry .element")
    page.get_by_role("button", name="Give up").click()
    assert "answers" in page.wait(".solution .problem").inner_text()


def give_up(page):
    task = Address.of("grids/sudoku", 1, 1).task()
    page.go("#/grids/sudoku?level=1&seed=1", ".board-entry .element")
    page.get_by_role("button", name="Give up").click()
    page.wait(".solution .scene")
    assert page.locator(".solution pre").inner_text().split() == task.answer().split()
    shown = page.locator(".solution .scene text").all_text_contents()
    assert shown == task.answer().split()


def test_connect_four_by_mouse_and_by_keyboard(page):
    place = "#/matches/connect_four?level=1&seed=2"
    page.go(place, ".stage .element")
    column = page.locator(".stage .element").first
    move = column.get_attribute("aria-label")
    assert move in Episode(Address.of("matches/connect_four", 2, 1).task()).turn.legal_moves
    column.click()
    assert page.wait(".replied mark").inner_text() == move
    page.go(place, ".stage .element")
    tab_to(page, ".stage .element")
    page.keyboard.press("Enter")
    assert page.wait(".replied mark").inner_text() == move
