"""A service and a browser."""

import os

import pytest
from tests.server.playground.browser import Page, executable

from palaestra.server.launcher import background_server


@pytest.fixture(scope="module")
def browser():
    missing = "THE PLAYGROUND'S PAGE IS NOT TESTED: {} is missing"
    sync_api = pytest.importorskip("playwright.sync_api", reason=missing.format("playwright"))
    with sync_api.sync_playwright() as started:
        path = executable() or started.chromium.executable_path
        if not os.path.exists(path):  # noqa: PTH110
            pytest.skip(missing.format("a Chromium"))
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = started.chromium.launch(executable_path=path, args=root)
        yield chromium
        chromium.close()


@pytest.fixture
def url():
    """A service of the test's own: the workers that it has may be closed by another one."""
    with background_server() as where:
        yield where


@pytest.fixture
def page(browser, url):
    made = Page(browser, url)
    yield made
    made.close()
