"""Looks, keyboard and screen readers."""

import pytest
from tests.server.playground.browser import KNIGHTS, Page, slow

from palaestra import Address, Episode


def paper(page):
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@slow
def test_light_and_dark(browser, url):
    seen = {}
    for scheme in ("light", "dark"):
        page = Page(browser, url, color_scheme=scheme)
        page.go(wait=".entry")
        seen[scheme] = paper(page)
        for chosen in ("light", "dark"):
            page.keyboard.press("t")
            page.wait("#theme", f"Theme: {chosen}")
            seen[scheme, chosen] = paper(page)
        page.reload()
        page.wait("#theme", "Theme: dark")
        assert paper(page) == seen["light", "dark"]
        page.locator("#theme").click()
        page.wait("#theme", "Theme: system")
        assert paper(page) == seen[scheme]
        page.close()
    assert seen["light"] == seen["light", "light"] == seen["dark", "light"] != seen["dark"]
    assert seen["dark"] == seen["dark", "dark"] == seen["light", "dark"]


PLACES = [
    "",
    "#/graphs/shortest_path@3?level=6&seed=1",
    "#/games/game_2048@2?level=5",
    "#/tools/meeting_desk@2?level=2",
    "#/programs/predict_output@1?level=6",
    "#/grids/sudoku@2?level=6",
    "#/grids/slitherlink?level=6",
    "#/planning/tower_of_hanoi?level=2",
]

OUTSIDE = """() => {
  const nodes = [...document.querySelectorAll("main :is(button, input, textarea, h1, p)")];
  const boxes = nodes
    .filter(node => node.checkVisibility() && !node.closest(".segments, .boardroom"))
    .map(node => [node.outerHTML.slice(0, 200), node.getBoundingClientRect()]);
  return boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([text]) => text);
}"""

NAMELESS = """() => {
  const kinds = "a, button, input, textarea, select, summary, svg[role], section";
  const named = node =>
    node.getAttribute("aria-label") || node.labels?.length || node.textContent.trim();
  return [...document.querySelectorAll(kinds)]
    .filter(node => !named(node)).map(node => node.outerHTML.slice(0, 200));
}"""

DOUBLED = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  return ids.filter((id, n) => ids.indexOf(id) !== n);
}"""

RINGED = """() => {
  const node = document.activeElement;
  if (node === document.body) return "";
  const shown = node.matches(".segments input") ? node.nextElementSibling : node;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return seen ? "" : node.outerHTML.slice(0, 200);
}"""


@slow
@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_sticks_out(browser, url, place, width):
    page = Page(browser, url, viewport={"width": width, "height": 844})
    page.go(place, ".entry, .replying")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    page.close()


@slow
def test_everything_has_a_name(page):
    for place in PLACES:
        page.go(place, ".entry, .replying")
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(DOUBLED) == []
        assert page.locator("h1").count() == page.locator("main").count() == 1


@slow
def test_by_keyboard_alone(page):
    task = Address.of(KNIGHTS, 1, 1).task()
    page.go(wait=".entry")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    page.keyboard.type("knaves")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "entry"
    page.keyboard.press("Enter")
    page.wait("h1", "Knights and knaves")
    page.wait(".replying")
    page.keyboard.press("]")
    page.keyboard.press("n")
    page.hash("level=1", "seed=1")
    page.wait(".snippets code", "seed=1")
    page.expect_text(Episode(task).observation)
    page.locator("h1").focus()
    page.keyboard.press("b")
    page.keyboard.press("i")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.insert_text(task.answer())
    page.keyboard.press("Control+Enter")
    page.wait(".score.right")
    page.keyboard.press("n")  # it is written, for somebody is writing
    page.keyboard.press("Escape")
    assert page.locator(".replying textarea").input_value() == task.answer() + "n"
    page.keyboard.press("?")
    listed = page.wait("dialog").inner_text()
    assert all(word in listed for word in ("Next seed", "Search the catalog", "Change the theme"))
    page.keyboard.press("n")  # a dialog is open
    page.keyboard.press("Escape")
    page.until("!document.querySelector('dialog')")
    page.hash("seed=1")
    for _ in range(60):  # the focus is seen wherever it goes
        page.keyboard.press("Tab")
        assert page.evaluate(RINGED) == ""


@slow
def test_the_search_has_the_focus_before_the_next_key(page):
    page.go(wait=".entry")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))"
    assert page.evaluate(f"{press}, document.activeElement.id") == "search"


@slow
def test_keys_can_be_turned_off(page):
    page.go(f"#/{KNIGHTS}@2?seed=1", ".replying")
    page.locator("#help").click()
    page.get_by_label("Enable keys without Ctrl").uncheck()
    page.get_by_label("Close").click()
    page.keyboard.press("n")
    page.locator("#help").click()
    page.get_by_label("Enable keys without Ctrl").check()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.hash("seed=2")
