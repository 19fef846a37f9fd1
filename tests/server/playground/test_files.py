"""The files of the playground: names, types, caching, security headers."""

import re
from importlib.resources import files

import pytest
from fastapi.testclient import TestClient

from palaestra.server import playground
from palaestra.server.app import build
from palaestra.server.service import Settings


@pytest.fixture(scope="module")
def http():
    return TestClient(build())


def test_the_page_and_its_files_are_served(http):
    assert http.get("/play").headers["content-type"] == "text/html; charset=utf-8"
    for name, file in playground.read().items():
        served = http.get(f"/play/{name}")
        assert served.content == file.body
        assert served.headers["x-content-type-options"] == "nosniff"
    assert http.get("/play/nothing.js").json()["status"] == 404
    assert http.get("/play/..%2fapp.py").status_code == 404
    assert http.head("/play").status_code == 200
    moved = http.get("/play/", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, "../play")


def test_all_of_it_is_small():
    assert 20_000 < sum(len(file.body) for file in playground.read().values()) < 200_000


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(http):
    policy = http.get("/play").headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy
    for name, file in playground.read().items():
        text = file.body.decode()
        outside = set(re.findall(r"\bhttps?://[^\s\"'`)]+", text))
        assert outside <= {"http://www.w3.org/2000/svg"}, name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    page = playground.read()[playground.PAGE].body.decode()
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|<script(?! (type=\"module\" )?src=)", page)


def test_every_file_that_a_file_names_is_there():
    page = playground.read()
    named = {
        name
        for file in page.values()
        for name in re.findall(r'(?:from "\./|play/)([\w.]+\.\w+)"', file.body.decode())
    }
    assert named | {"index.html"} == page.keys()


def test_files_are_kept_and_asked_for_again(http):
    first = http.get("/play")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = http.get("/play", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert http.get("/play", headers={"if-none-match": '"other"'}).status_code == 200
    assert tag != http.get("/play/main.js").headers["etag"]


def test_the_page_needs_no_token():
    http = TestClient(build(Settings(("sesame",))))
    assert http.get("/play").status_code == http.get("/play/main.js").status_code == 200
    assert http.get("/v1/environments").status_code == 401


def test_the_files_are_packaged():
    folder = files("palaestra.server").joinpath("play")
    assert {each.name for each in folder.iterdir()} == playground.read().keys()


AVOIDED = {"place", "made", "heard", "drawn", "asked", "told", "found", "given", "said"}


def test_variables_are_nouns_of_the_subject():
    for file in files("palaestra.server").joinpath("play").iterdir():
        if not file.name.endswith(".js"):
            continue
        code = re.sub(
            r"/\*.*?\*/|(?<!:)//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        code = re.sub(r'"(?:[^"\\\n]|\\.)*"', "", code)  # texts, but not the code in templates
        names = set(re.findall(r"(?<![\w-])[A-Za-z_]\w*", code))
        assert not names & AVOIDED, file.name
