"""The button that checks the entries so far."""

import pytest
from tests.server.playground.browser import page_with_answers

from palaestra import Address

pytestmark = pytest.mark.slow

SUDOKU = "#/grids/sudoku?level=1&seed=1"


def open_cells(task):
    """The name of each cell to fill in, and its symbol in the answer."""
    rows = [row.split() for row in task.answer().splitlines()]
    for r, row in enumerate(task.entry().start):
        for c, fixed in enumerate(row):
            if not fixed:
                yield f"r{r + 1}c{c + 1}", rows[r][c]


def enter(page, name, symbol):
    page.locator(".symbols button", has_text=symbol).first.click()
    page.locator(f".element[data-name='{name}']").click()


def test_entries_are_checked_before_the_board_is_full(browser):
    cells = [*open_cells(Address.of("grids/sudoku", 1, 1).task())]
    (first, right), (second, other) = cells[:2]
    wrong = "1" if other != "1" else "2"
    with page_with_answers(browser) as page:
        page.go(SUDOKU, ".board-entry .element")
        check = page.get_by_role("button", name="Check so far")
        check.click()
        page.wait(".check-result", "Nothing is entered yet")
        enter(page, first, right)
        check.click()
        page.wait(".check-result.possible", "Nothing contradicts the rules")
        enter(page, second, wrong)
        assert page.locator(".check-result").count() == 0  # it was about another board
        page.locator("h1").focus()
        page.keyboard.press("c")
        text = page.wait(".check-result.wrong").inner_text()
        assert f"{second} cannot be {wrong}: " in text
        marked = page.locator(".contradicting").evaluate_all("all => all.map(n => n.dataset.name)")
        assert marked == [second]
        page.get_by_role("button", name="Undo").click()
        assert page.locator(".contradicting").count() == 0
        for name, symbol in cells[1:]:
            enter(page, name, symbol)
        check.click()
        page.wait(".check-result.right", "This is a right answer")
        assert page.locator(".attempts .score").count() == 0  # nothing was submitted


def test_the_answer_may_be_typed_with_its_marks(browser):
    answer = Address.of("grids/sudoku", 1, 1).task().answer()
    with page_with_answers(browser) as page:
        page.go(SUDOKU, ".board-entry .element")
        page.locator(".replying textarea").fill(f"So: <answer>{answer}</answer>")
        page.get_by_role("button", name="Check so far").click()
        page.wait(".check-result.right")


def test_without_answers_there_is_no_check(page):
    page.go(SUDOKU, ".board-entry .element")
    page.wait_for_timeout(300)
    assert page.get_by_role("button", name="Check so far").count() == 0
    page.keyboard.press("c")
    page.wait_for_timeout(300)
    assert page.locator(".check-result").count() == 0
