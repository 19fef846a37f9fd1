"""Commands of authors, as they are used outside a checkout: new, play, check, catalog."""

import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from palaestra.cli import development
from palaestra.testing.sampling import yardstick

NAME = "logic/sum_of_numbers"


@pytest.fixture
def palaestra(tmp_path):
    """Runs a command in an empty folder."""

    def run(*argv, text=""):
        return subprocess.run(
            [sys.executable, "-m", "palaestra", *argv],
            cwd=tmp_path, input=text, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def complete(folder):
    """Complete the template as an author would."""
    file = Path(folder, "envs", f"{NAME}.py")
    source = file.read_text().replace("TODO: name the source", "Folklore")
    file.write_text(source.replace("TODO: state", "State").replace("TODO", "arithmetic"))


def test_a_new_environment_is_found_at_once_and_fails_its_check_until_it_is_completed(
    palaestra, tmp_path
):
    created = palaestra("new", NAME)
    assert created.returncode == 0
    assert f"palaestra check {NAME}" in created.stdout
    assert "What is the sum of" in palaestra("show", NAME).stdout
    assert f"not in the catalog, from the folder envs: {NAME}" in palaestra("list", "logic").stderr

    checked = palaestra("check", NAME)
    assert checked.returncode == 1
    assert "check_described: the docstrings and tags of the template" in checked.stdout
    assert len(checked.stdout.splitlines()) == 2  # and nothing else is wrong

    complete(tmp_path)
    checked = palaestra("check", NAME)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "checks passed" in checked.stdout


def test_an_environment_of_a_folder_replaces_none_that_is_installed(palaestra, tmp_path):
    palaestra("new", NAME)
    forged = Path(tmp_path, "envs", NAME).with_suffix(".py").read_text()
    Path(tmp_path, "envs", "logic", "knights_and_knaves.py").write_text(forged)
    shown = palaestra("show", "logic/knights_and_knaves").stdout
    assert "who is a knight" in shown
    assert "What is the sum of" not in shown


def test_folders_of_other_things_are_not_taken_for_environments(palaestra, tmp_path):
    for category, source in (("prod", "import os\n"), ("classic", "class CartPole: pass\n")):
        folder = Path(tmp_path, "envs", category)
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "settings.py").write_text(source)
    listed = palaestra("list", "logic")
    assert listed.returncode == 0
    assert listed.stderr == ""
    assert palaestra("show", "prod/settings").returncode == 2


def test_only_the_environments_that_are_named_are_measured(palaestra, tmp_path):
    palaestra("new", NAME)
    complete(tmp_path)
    done = palaestra("catalog", "--write", NAME)
    assert (done.returncode, done.stderr) == (0, "")
    text = Path(tmp_path, "catalog.yaml").read_text()
    assert f"\n{NAME}:" in text
    assert "\nlogic/knights_and_knaves:" in text
    assert done.stdout.startswith(f"{NAME}: measured on 12 tasks of each level")
    # The card ends where the next one begins; the bundled ones may be measured on few tasks, too.
    assert re.split(r"\n(?=\S)", text.partition(f"\n{NAME}:")[2])[0].count("tasks: 12") == 1


def test_a_light_environment_is_measured_within_five_seconds(palaestra):
    palaestra("new", NAME)
    before = os.times()
    done = palaestra("catalog", "--write", NAME)
    after = os.times()
    assert done.returncode == 0
    spent = sum(after[2:4]) - sum(before[2:4])  # CPU time of processes that have ended
    assert spent < 5 * max(1, sorted(yardstick() for _ in range(3))[1])


def test_the_variable_names_another_folder(tmp_path):
    source = "import palaestra; print(palaestra.load('logic/own_thing'))"
    folder = tmp_path / "logic"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "own_thing.py").write_text("import palaestra\nOwnThing = 'loaded'\n")
    env = os.environ | {"PALAESTRA_ENVS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", source], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "loaded\n"


def test_a_check_that_does_not_end_is_named(monkeypatch, capsys):
    """Where ``generate`` never ends for some knobs, the check would show nothing."""
    monkeypatch.setattr(development, "SLOW_S", 0.0)
    printed = Event()

    class Errors:
        text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            printed.set()

    errors = Errors()
    monkeypatch.setattr(development.sys, "stderr", errors)

    def check_endless(name):
        assert printed.wait(60)

    assert list(development._faults("arithmetic/bit_counting", [check_endless])) == []
    assert (
        "arithmetic/bit_counting: check_endless has not ended after 0 s. It is at " in errors.text
    )
    assert ", in " in errors.text
