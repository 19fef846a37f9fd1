"""Pages without findings of axe-core, in both themes and at the width of a phone."""

import pytest
from tests.server.playground.browser import Page, page_with_answers
from tests.server.playground.test_compare_page import files, load

pytestmark = pytest.mark.slow

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
assert files  # a fixture

ROUTES = {
    "catalog": ("", ".entry"),
    "puzzle": ("#/graphs/shortest_path?level=2&seed=1", ".board-entry"),
    "cells": ("#/grids/sudoku?level=2&seed=1", ".board-entry"),
    "loop": ("#/grids/slitherlink?level=2&seed=1", ".board-entry .line"),
    "plan": ("#/planning/rush_hour?level=2&seed=1", ".board-entry .panel"),
    "stacks": ("#/planning/ball_sort?level=2&seed=1", ".board-entry .panel"),
    "game": ("#/games/game_2048?level=2&seed=1", ".ways"),
    "match": ("#/matches/connect_four?level=1&seed=2", ".stage .element"),
    "tools": ("#/tools/meeting_desk?level=1&seed=1", ".toolbox"),
}


def findings(page):
    """The rules that a page breaks, and where."""
    result = axe.Axe().run(page.page)
    return {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]]
        for violation in result.response["violations"]
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(browser, scheme, width):
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with page_with_answers(browser, **options) as page:
        broken = {}
        for name, (route, selector) in ROUTES.items():
            page.go(route, selector)
            page.wait_for_timeout(300)
            broken |= {name: rules} if (rules := findings(page)) else {}
        assert broken == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens_later(browser, scheme):
    with page_with_answers(browser, color_scheme=scheme) as page:
        page.go("#/grids/sudoku?level=1&seed=1", ".board-entry .element")
        for name in ("Check so far", "Give up", "Score"):
            page.get_by_role("button", name=name).click()
        page.wait(".solution .scene")
        page.wait(".attempts .score")
        assert findings(page) == {}
        page.keyboard.press("Escape")
        page.locator("h1").focus()
        page.keyboard.press("?")
        page.wait("dialog")
        assert findings(page) == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_on_the_comparison(browser, url, files, scheme, width):
    page = Page(browser, url, color_scheme=scheme, viewport={"width": width, "height": 900})
    page.go("#/compare", ".files")
    assert findings(page) == {}
    load(page, files)
    for n in (0, 1, 4):
        page.locator(".task-item").nth(n).click()
        assert findings(page) == {}
    page.close()
