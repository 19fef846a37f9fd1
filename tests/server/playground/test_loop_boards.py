"""Loops that are drawn line by line: by mouse, and by keyboard alone."""

import pytest
from tests.server.playground.browser import focused, page_with_answers, score_by_keyboard, tab_to

from palaestra import Address
from palaestra.scenes.loops import lines_of

pytestmark = pytest.mark.slow

ARROWS = {(-1, 0): "ArrowUp", (1, 0): "ArrowDown", (0, -1): "ArrowLeft", (0, 1): "ArrowRight"}


def loop_of(env):
    task = Address.of(env, 1, 1).task()
    return task, lines_of(task.entry(), [row.split() for row in task.answer().splitlines()])


def nodes_of(line):
    """The two nodes that a line joins."""
    row, column = map(int, line[1:].split("-"))
    return (row, column), (row + (line[0] == "v"), column + (line[0] == "h"))


def tour(lines):
    """The nodes of a loop in order, from one of them back to it."""
    near = {}
    for line in lines:
        one, other = nodes_of(line)
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    start = min(near)
    path = [start, near[start][0]]
    while path[-1] != start:
        path.append(next(node for node in near[path[-1]] if node != path[-2]))
    return path


def go(page, env):
    page.go(f"#/{env}?level=1&seed=1", ".board-entry .line")


def line(page, name):
    return page.locator(f".line[data-name='{name}']")


@pytest.mark.parametrize("env", ["grids/slitherlink", "grids/masyu"])
def test_a_loop_by_mouse_and_by_keyboard(page, env):
    task, lines = loop_of(env)
    go(page, env)
    for name in sorted(lines):
        line(page, name).click()
    assert page.locator(".replying textarea").input_value().split() == task.answer().split()
    page.get_by_role("button", name="Score").click()
    assert page.wait(".score.right")
    go(page, env)
    tab_to(page, ".node")
    here, *path = tour(lines)
    row, column = here
    for key in ["ArrowDown"] * row + ["ArrowRight"] * column:
        page.keyboard.press(key)
    assert focused(page) == f"{row} {column}"
    for node in path:
        page.keyboard.press(f"Shift+{ARROWS[node[0] - here[0], node[1] - here[1]]}")
        here = node
    score_by_keyboard(page)


def test_a_line_is_drawn_crossed_out_and_removed(page):
    go(page, "grids/slitherlink")
    one = line(page, "h0-0")
    label = one.get_attribute("aria-label")
    for state in ("on", "crossed", ""):
        one.click()
        assert one.get_attribute("class").split()[2:] == state.split()
    assert one.get_attribute("aria-label") == label
    page.get_by_role("button", name="Undo").click()
    assert "crossed" in one.get_attribute("class")
    page.get_by_role("button", name="Clear").click()
    assert one.get_attribute("class") == "element line"


def test_arrow_keys_draw_while_the_pen_is_on(page):
    go(page, "grids/slitherlink")
    tab_to(page, ".node")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    assert page.locator(".line.on").evaluate_all("all => all.map(n => n.dataset.name)") == ["h0-0"]
    assert focused(page) == "1 1"


def test_the_answer_is_written_once_the_loop_is_closed(page):
    go(page, "grids/slitherlink")
    box = page.locator(".replying textarea")
    for name in ("h0-0", "v0-0", "v0-1"):
        line(page, name).click()
        assert box.input_value() == ""
        assert "not closed" in page.locator(".board-entry .hint").inner_text()
    line(page, "h1-0").click()
    assert box.input_value().splitlines() == ["# - - -", *["- - - -"] * 3]


def test_lines_are_compared_with_the_only_loop(browser):
    _, lines = loop_of("grids/slitherlink")
    wrong = next(name for name in ("h0-0", "h0-1", "h2-0", "v1-1") if name not in lines)
    with page_with_answers(browser) as page:
        go(page, "grids/slitherlink")
        line(page, min(lines)).click()
        page.get_by_role("button", name="Check so far").click()
        page.wait(".check-result.possible", "Nothing contradicts the rules")
        line(page, wrong).click()
        page.get_by_role("button", name="Check so far").click()
        page.wait(".check-result.wrong", "1 line is not part of the only right answer")
        marked = page.locator(".contradicting").evaluate_all("all => all.map(n => n.dataset.name)")
        assert marked == [wrong]
