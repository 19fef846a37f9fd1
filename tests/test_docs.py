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


def script(page):
    """The Python blocks of a page as a reader saves them, in one file, at the lines of the page.

    Blocks with a title are files of their own, which other tests run.
    """
    lines, is_code = [], False
    for line in page.splitlines():
        starts = not is_code and line == "```python"
        is_code = starts or (is_code and line != "```")
        lines.append(line if is_code and not starts else "")
    return "\n".join(lines)


@pytest.fixture
def saved(tmp_path):
    """Runs code that is saved to a file, in a process of its own; returns what it prints."""

    def run(code, name):
        file = tmp_path / name
        file.write_text(code, "utf-8")
        done = subprocess.run(
            [sys.executable, "-W", "error", "-W", "ignore::ResourceWarning", file.name],
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")  # processes that it starts fail there
        return done.stdout

    return run


CLAIMS = """
assert episode.score is not None
assert rewards == [0.0] * 8
"""


def test_the_code_of_the_readme_runs(saved):
    out = saved(script(README) + CLAIMS, "readme_page.py")
    (address,) = re.findall(r"print\(address\)  # (.*)", README)
    assert f"{address}\n" in out
    for claim in re.findall(r"print\(\w+\.value\)  # (.*)", README):
        assert f"{claim}\n" in out


PAGES = {
    file.relative_to(ROOT).as_posix(): file.read_text()
    for file in sorted(ROOT.glob("docs/**/*.md"))
}


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if script(text).strip()])
def test_the_code_of_the_site_runs(page, saved):
    saved(script(PAGES[page]), f"{Path(page).stem}_page.py")


def test_blocks_of_pages_are_code_or_have_a_title():
    """No block is left out because its fence is written in another way."""
    for page, text in {"README.md": README, **PAGES}.items():
        fences = re.findall(r"^ *(?:```|~~~) *py.*$", text, re.MULTILINE)
        odd = [each for each in fences if not re.fullmatch(r'```python( title="[\w./]+")?', each)]
        assert not odd, page


def test_the_page_on_levels_lists_all_curricula_and_their_options():
    from palaestra.trainers import curricula

    page = PAGES["docs/choosing_levels.md"]
    rows = re.findall(r"^\| `(\w+)` \| .* \|(.*)\|$", page, re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)`", options)) for name, options in rows}
    for name, strategy in curricula.STRATEGIES.items():
        assert listed[name] == curricula._options(strategy) - {"hints", "split", "forgetting"}


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
