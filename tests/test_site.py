"""What the documentation offers to language models: the index llms.txt, and a skill."""

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from palaestra.cli import main

ROOT = Path(__file__).parents[1]
SKILLS = sorted(ROOT.glob("docs/skills/*/SKILL.md"))
CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text())


@pytest.fixture(scope="module")
def site():
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "docs/site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The written pages, and stand-ins for those that are made from the code."""
    folder = tmp_path_factory.mktemp("src")
    shutil.copytree(ROOT / "docs", folder, dirs_exist_ok=True)
    shutil.copy(ROOT / "CHANGELOG.md", folder / "changelog.md")
    for page in ("index", "gallery", "logic/index"):
        file = folder / f"environments/{page}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {page}\n\nThere are some. More.\n")
    return folder


def pages(nav):
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            (value,) = entry.values()
            yield from pages([value] if isinstance(value, str) else value)


def test_llms_txt_lists_the_pages_of_the_navigation(site, sources):
    text = site.llms_txt(CONFIG, sources, ["logic"])
    lines = text.splitlines()
    assert lines[0] == "# Palaestra"
    assert lines[2] == f"> {CONFIG['site_description']}"
    linked = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.MULTILINE)
    wanted = [page for page in pages(CONFIG["nav"]) if not page.startswith("reference/")]
    assert linked == [*wanted, "environments/logic/index.md"]
    assert [line[3:] for line in lines if line.startswith("## ")] == [
        *(title for section in CONFIG["nav"] for title in section if title != "Reference"),
        "Optional",
    ]
    assert "- [Installation](install.md): Palaestra runs on Python 3.11 or later." in lines
    assert "- [logic/index](environments/logic/index.md): There are some." in lines


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("# T\n\nSee [the `page`](a.md),\nor not. More.\n", "See the page, or not."),
        ("---\nname: x\n---\n\n# T\n\nText", "Text"),
        ("# T\n\n<!-- x -->\n\n| a |\n\n![p](p.svg)\n\n- item\n\nText. More.", "Text."),
        ("# T\n\n```python\na = 1\n\nb = 2\n```\n\nText: more.", "Text: more."),
        ("# T\n", ""),
    ],
)
def test_first_sentences(site, page, sentence):
    assert site.first_sentence(page) == sentence


def test_the_links_of_llms_txt_are_files_of_the_site(site, sources, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "catalog", lambda: {"logic/x": {}})
    (sources / "reference").mkdir(exist_ok=True)
    (sources / "reference/index.md").write_text("::: palaestra")
    site.publish_sources(CONFIG, sources, tmp_path)
    text = (tmp_path / "llms.txt").read_text()
    for page in re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.MULTILINE):
        assert (tmp_path / page).is_file(), page
    assert not (tmp_path / "reference").exists()


# ------------------------------------------------------------------ skills


def commands(file):
    blocks = re.findall(r"```sh\n(.*?)```", file.read_text(), re.DOTALL)
    lines = (line.partition(" #")[0].strip() for block in blocks for line in block.splitlines())
    return [shlex.split(line)[1:] for line in lines if line.startswith("palaestra ")]


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_a_skill_has_a_name_a_description_and_a_link(file):
    _, head, _ = file.read_text().split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == file.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert len(fields["name"]) <= 64
    assert 50 < len(fields["description"]) <= 1024
    assert f"]({file.relative_to(ROOT)})" in (ROOT / "CONTRIBUTING.md").read_text()
    assert str(file.relative_to(ROOT / "docs")) in list(pages(CONFIG["nav"]))


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_the_files_that_a_skill_names_exist(file):
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|CONTRIBUTING.md)`", file.read_text())
    assert len(named) > 5
    missing = [name for name in named if "<" not in name and not (ROOT / name).exists()]
    assert set(missing) <= {"category/name"}


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_the_commands_of_a_skill_exist_with_their_options(file, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    listed = commands(file)
    assert {"new", "check", "catalog"} <= {command[0] for command in listed}
    for verb, *words in listed:
        with pytest.raises(SystemExit) as end:
            main([verb, "--help"])
        assert not end.value.code
        helped = capsys.readouterr().out
        for option in (word for word in words if word.startswith("--")):
            assert option in helped, (verb, option)


@pytest.mark.slow
def test_the_commands_of_the_skill_run_outside_of_a_checkout(tmp_path):
    (skill,) = (file for file in SKILLS if file.parent.name == "write-an-environment")
    codes = {}
    for command in commands(skill):
        if command[0] in {"new", "show", "check"} and "--record" not in command:
            done = subprocess.run(
                [sys.executable, "-m", "palaestra", *command],
                cwd=tmp_path, capture_output=True, text=True, check=False,
            )  # fmt: skip
            codes[command[0]] = done.returncode
    # The template fails its check until what is marked in it is replaced.
    assert codes == {"new": 0, "show": 0, "check": 1}
    assert (tmp_path / "envs/logic/river_crossing.py").exists()
