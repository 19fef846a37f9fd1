"""Reports."""

import dataclasses
import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser

import pytest
from tests.trainers.evaluation.endpoints import SMALL, Endpoint, attempt, done_page, manifest, run

from palaestra import profiles
from palaestra.trainers.evaluation.reports import markdown, report


class Reader(HTMLParser):
    """Holds a page to having every element closed, and nothing from elsewhere."""

    void = {"meta", "wbr"}

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words = [], Counter(), ""

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        for name, value in attrs:
            assert name not in {"href", "src", "onload", "onclick"}, (name, value)
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


HOSTILE = "<script>alert(1)</script>\"'&|`*\n# x"


def test_reports_are_whole_and_quote_what_is_hostile(tmp_path):
    with Endpoint(SMALL, 0.5).serving() as url:
        done = run(url, SMALL, model=HOSTILE, samples=2, seed=1, temperature=0.5)
    attempts = [dataclasses.replace(each) for each in done.attempts]
    attempts[0] = dataclasses.replace(attempts[0], score=None, status="infra_error", reason=HOSTILE)
    done = dataclasses.replace(done, attempts=tuple(attempts), stopped=HOSTILE)
    figures = done.write(tmp_path)
    held = json.loads((tmp_path / "report.json").read_text(), parse_constant=pytest.fail)
    assert held == json.loads(json.dumps(figures))
    (profile,) = profiles.load(tmp_path / "profile.yaml")
    assert profile.model == HOSTILE
    text = (tmp_path / "report.html").read_text()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert "script" not in reader.seen
    assert "<script>alert(1)</script>" in reader.words
    assert "default-src 'none'" in text
    assert not re.search(r"https?://(?!127\.0\.0\.1)", text)
    for heading in ("Success by environment", "Success by level", "pass@k", "How attempts ended",
                    "Tokens", "All figures", "Unscored", "What the numbers mean"):  # fmt: skip
        assert heading in reader.words
    written = (tmp_path / "report.md").read_text()
    assert "<script>" not in written
    lines = written.splitlines()
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")]
    assert len(set(widths)) <= 3  # one for each of three tables
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "profile.yaml", "report.html", "report.json", "report.md",
    ]  # fmt: skip


def test_a_report_says_how_its_numbers_come_about():
    figures = report(manifest(tasks=1), [attempt(1)], 1)
    assert "Clopper and Pearson" in figures["method"]["interval"]
    assert "Chen et al. 2021" in figures["method"]["pass@k"]
    level = figures["environments"][0]["levels"][0]
    assert 0 <= level["no_skill"] < 0.5
    by_hand = report(
        manifest(tasks=1),
        [
            attempt(
                1,
            ),
            dataclasses.replace(attempt(2), cell="level 1, people=9"),
        ],
        1,
    )
    assert [each["no_skill"] for each in by_hand["environments"][0]["levels"]][1] is None
    empty = report(manifest(), [], 3)
    assert empty["overall"] is None
    Reader().feed(done_page(empty))
    assert "0 of 3" in markdown(empty)


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_the_page_fits_the_screen(width, scheme, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with Endpoint(SMALL, 0.5).serving() as url:
        run(url, SMALL, model="m" * 90, samples=4, seed=1).write(tmp_path)
    messages = []
    with playwright.sync_playwright() as web:
        chromium = web.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: messages.append(message.text))
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        narrow = "[...document.querySelectorAll('.plot svg')].map(e => e.clientWidth)"
        assert min(page.evaluate(narrow)) > 100
        chromium.close()
    assert messages == []
