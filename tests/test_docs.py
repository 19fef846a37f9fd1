"""The README and CONTRIBUTING say what is true, and their code runs as written."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import palaestra
from palaestra.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_code_of_the_readme_runs(capsys):
    shared = {}
    for block in blocks(README, "python"):
        exec(compile(block, "README.md", "exec"), shared)  # noqa: S102  # it is our own
    out = capsys.readouterr().out
    assert str(shared["address"]) in out
    assert f"# {shared['address']}" in README
    assert shared["episode"].score is not None
    assert shared["rewards"] == [0.0] * 8


PAGES = {
    file.relative_to(ROOT).as_posix(): file.read_text()
    for file in sorted(ROOT.glob("docs/**/*.md"))
}


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if "```python" in text])
def test_the_code_of_the_site_runs(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some examples write files
    shared = {}
    for block in blocks(PAGES[page], "python"):
        try:
            exec(compile(block, page, "exec"), shared)  # noqa: S102  # it is our own
        except AssertionError as error:
            del shared["__builtins__"]
            raise AssertionError(f"{block}\n{shared}") from error


def test_the_requests_of_the_readme_are_answered():
    from fastapi.testclient import TestClient

    from palaestra.server.app import build

    calls = re.findall(r"curl -s localhost:8000(\S+) .*?-d '(.*?)'", README, re.DOTALL)
    assert len(calls) >= 2
    for path, body in calls:
        answer = TestClient(build()).post(path, json=json.loads(body))
        assert answer.status_code == 200, answer.text


COMMANDS = [
    line.partition("#")[0].strip()
    for text in (README, CONTRIBUTING)
    for block in blocks(text, "sh")
    for line in block.splitlines()
    if line.startswith("palaestra ")
]
QUICK = [c for c in COMMANDS if c.split()[1] in {"list", "show", "sample"}]


def test_the_commands_of_the_readme_exist(capsys):
    assert len(QUICK) >= 3
    for verb in {command.split()[1] for command in COMMANDS}:
        with pytest.raises(SystemExit) as end:
            main([verb, "--help"])
        assert not end.value.code
        assert verb in capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(set(QUICK)))
def test_the_commands_of_the_readme_run(command, capsys):
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    assert not end.value.code
    assert capsys.readouterr().out


def test_ci_runs_the_test_command_of_the_readme():
    tests = [line for line in README.splitlines() if "--group test" in line]
    assert len(tests) == 1
    assert tests[0].endswith("pytest -n auto")
    assert "grep -m1 -- '--group test' README.md" in (ROOT / ".ci/run").read_text()


@pytest.mark.parametrize(
    "file", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"]
)
def test_links_lead_somewhere(file):
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / file).read_text()):
        assert target.startswith("https://") or (ROOT / target).exists(), target


AVOIDED = ("blanks", "just if", "told", "in the place of", "ours", "theirs")
"""Words that the answer format section of CONTRIBUTING replaces."""


def prose(text):
    """A page without code, links and quotations of what it advises against."""
    text = re.sub(r"(`{3,}|~{3,}).*?\1|`[^`]*`|\]\([^)]*\)", " ", text, flags=re.DOTALL)
    return text.partition("## Style of text")[0]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", *PAGES])
def test_prose_uses_the_readers_words(page):
    words = prose((ROOT / page).read_text())
    assert not [word for word in AVOIDED if re.search(rf"\b{word}\b", words)]


def test_the_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == palaestra.__version__
    assert citation["license"] == "Apache-2.0"


def test_issue_forms_have_what_the_host_requires():
    forms = [f for f in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if f.stem != "config"]
    assert len(forms) == 3
    for form in map(yaml.safe_load, (file.read_text() for file in forms)):
        assert {"name", "description", "body"} <= form.keys()
        names = [field["id"] for field in form["body"]]
        assert len(set(names)) == len(names)
        assert all(field["attributes"]["label"] for field in form["body"])


def test_environments_that_are_named_exist():
    named = set(re.findall(r"\b((?:logic|grids|games|matches|tools)/[a-z_0-9]+)\b", README))
    assert named - {"logic/river_crossing"} <= set(palaestra.names())


# --------------------------------------------------------------------- the same verdict every time

PROPERTY = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_every_number_is_small(number):
    assert number < 1_000
"""

PROFILES = """
from hypothesis import settings
settings.register_profile("random", database=None, print_blob=True)
"""


def test_properties_are_tried_on_the_same_examples_every_time():
    drawn = []

    @given(st.integers(), st.text())
    def draw(number, text):
        drawn.append((number, text))

    draw()
    first, drawn[:] = drawn[:], []
    draw()
    assert drawn == first
    assert len(set(first)) > 10
    assert (settings.default.database, settings.default.deadline) == (None, None)


def test_new_falsifying_examples_are_reported(tmp_path):
    (tmp_path / "test_property.py").write_text(PROPERTY)
    (tmp_path / "conftest.py").write_text(PROFILES)
    report = tmp_path / "report.md"
    done = subprocess.run(
        [ROOT / ".ci/nightly", report, "7", tmp_path / "test_property.py", "-n", "0", "-p",
         "no:cacheprovider"],
        env=os.environ | {"PYTEST": f"{sys.executable} -m pytest", "PYTEST_ADDOPTS": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    text = report.read_text()
    assert "test_property.py::test_every_number_is_small" in text
    assert "number=" in text
    assert "@reproduce_failure(" in text
    assert "--hypothesis-seed=7" in text


def test_the_front_page_shows_what_the_catalog_says():
    """Its counts, its table of categories and its pictures."""
    script = [sys.executable, str(ROOT / "docs/front_page.py")]
    ran = subprocess.run(script, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
