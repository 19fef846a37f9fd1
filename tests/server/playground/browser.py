"""A browser that drives the playground."""

import re
import shutil
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from palaestra import Address, Episode
from palaestra.episode import TAGS
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

KNIGHTS = "logic/knights_and_knaves"

MASTERMIND = "games/mastermind"


def executable():
    """A Chromium of this machine, or nothing, which is Playwright's own if it has one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Page:
    """A page of the playground, and what went wrong on it."""

    def __init__(self, browser, url, **options):
        self.url = url
        self.context = browser.new_context(
            **({"viewport": {"width": 1280, "height": 900}} | options)
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong, self.asked = [], []
        self.page.on("pageerror", lambda fault: self.wrong.append(str(fault)))
        self.page.on("console", self._logged)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda box: (self.wrong.append(box.message), box.dismiss()))

    def __getattr__(self, name):
        return getattr(self.page, name)

    def _logged(self, line):
        refused = "Failed to load resource" in line.text  # what the service refused, or could not
        if line.type in {"error", "warning"} and not refused:
            self.wrong.append(line.text)

    def go(self, place="", wait="h1"):
        """Opens a place anew, as a link from elsewhere does."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/play{place}")
        self.page.wait_for_selector(wait)

    def wait(self, selector, text=None):
        """The first of what a selector finds, once it is there and has some text."""
        element = self.page.locator(selector, has_text=text).first
        element.wait_for()
        return element

    def until(self, wish, argument=None):
        """Waits for something; Playwright's own way makes code of text, which the policy bars."""
        for _ in range(1_200):
            if self.page.evaluate(wish, argument):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{wish} with {argument!r}, but it is at {self.page.url}")

    def hash(self, *parts):
        """The hash, once all these parts are in it."""
        self.until("parts => parts.every(part => location.hash.includes(part))", list(parts))
        return self.page.evaluate("location.hash")

    def reply(self, text, column=0):
        self.page.locator(".replying textarea").nth(column).fill(text)
        self.page.locator(".replying .primary").nth(column).click()

    def expect_text(self, text):
        """Waits until this is what the task says, word for word."""
        self.wait(".looks")
        self.page.locator(".looks input").check()
        self.until("text => document.querySelector('.stage .raw')?.textContent === text", text)

    def close(self):
        self.context.close()
        paths = {urlsplit(asked).path for asked in self.asked if not asked.startswith("about:")}
        assert all(asked.startswith((self.url, "about:")) for asked in self.asked)
        assert all(re.match(r"/(play|v1)(/|$)", path) for path in paths), paths
        assert self.wrong == []


slow = pytest.mark.slow


def episode(env, seed, level, *moves, split="train", **knobs):
    return Episode(
        Address.of(env, seed, level, split, **knobs).task(), TAGS, map(TAGS.write, moves)
    )


def snippet(page, name):
    page.locator(".snippets .tab", has_text=name).click()
    return page.locator(".snippets code").text_content()


def focused(page):
    return page.evaluate("document.activeElement.dataset.name")


def tab_to(page, selector):
    """Tabulator until an element of a selector has the focus."""
    for _ in range(200):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator never comes to {selector}")


def score_by_keyboard(page):
    tab_to(page, ".replying textarea")
    page.keyboard.press("Control+Enter")
    assert page.wait(".score.right")


@contextmanager
def page_with_answers(browser, **options):
    """A page of a service that shows answers, as one without tokens does to its own machine."""
    with background_server(build(Settings(neighbours=True))) as url:
        page = Page(browser, url, **options)
        yield page
        page.close()
