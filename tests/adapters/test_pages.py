"""The code of the trainers' pages runs as written, where the package is that a page is about."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from palaestra.trainers.exports import TRAINERS
from palaestra.trainers.verifiers import there

FOLDER = Path(__file__).parents[2] / "docs/trainers"
PAGES = {file.stem: file.read_text() for file in sorted(FOLDER.glob("*.md"))}
CODE = {
    name: re.findall(r"```python[^\n]*\n(.*?)```", text, re.DOTALL) for name, text in PAGES.items()
}


@pytest.mark.parametrize("page", [page for page, blocks in CODE.items() if blocks])
def test_the_code_of_a_page_runs(page, request, tmp_path, monkeypatch):
    for package in re.findall(r"<!-- needs: (\S+) -->", PAGES[page]):
        if not there(package):
            pytest.skip(f"no {package} here: .ci/adapters runs this where it is")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    if '"my-model"' in PAGES[page]:
        request.getfixturevalue("model").save_pretrained("my-model")
        request.getfixturevalue("tokenizer").save_pretrained("my-model")
    if page == "inspect_ai":
        request.getfixturevalue("counting_offline")
    shared = {"__name__": "page"}
    for block in CODE[page]:
        exec(compile(block, page, "exec"), shared)  # noqa: S102  it is our own


IMPORTERS = (FOLDER.parent / "importers.md").read_text()
SECTIONS = re.findall(
    r"```sh\n([^`]*)```(?:(?!```).)*?<!-- needs: (\S+) -->\n```python[^\n]*\n(.*?)```",
    IMPORTERS,
    re.DOTALL,
)


@pytest.mark.parametrize(
    ("shell", "package", "code"), SECTIONS, ids=[package for _, package, _ in SECTIONS]
)
def test_the_page_of_importers_runs(shell, package, code, tmp_path):
    if not there(package):
        pytest.skip(f"no {package} here: .ci/adapters runs this where it is")
    (tmp_path / "page.py").write_text(code)
    lines = [line for line in shell.splitlines() if line.startswith("palaestra ")]
    assert lines
    for line in (*lines, "page.py"):
        argv = ["page.py"] if line == "page.py" else ["-m", *shlex.split(line)]
        subprocess.run(
            [sys.executable, *argv],
            cwd=tmp_path, env=os.environ | {"PALAESTRA_ENVS": "envs"}, check=True,
        )  # fmt: skip


def test_every_page_is_in_the_table_and_says_what_was_tested():
    for page, text in PAGES.items():
        if page != "index":
            assert f"({page}.md)" in PAGES["index"], page
            assert "## What was tested" in text, page


def test_every_trainer_of_the_exports_is_on_the_page_of_files():
    page = PAGES["files"].lower().replace(" ", "-")
    listed = {name for name in TRAINERS if name not in {"trl", "verl", "openrlhf"}}
    assert not [name for name in listed if name not in page]
