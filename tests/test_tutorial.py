"""The tutorial: its files and commands, as the page has them, with a shorter training."""

import re
import runpy
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks/tutorial.py")))
PAGE = TUTORIAL.PAGE.read_text("utf-8")
BLOCKS = [*TUTORIAL.blocks(PAGE)]

SHORT = {"warmup_steps": 2, "steps": 2, "groups": 4, "eval_every": 1, "eval_tasks": 8}
"""Options of a training that only has to run."""


def shortened(settings):
    """The settings of the page with a smaller number of steps and tasks."""
    for option, value in SHORT.items():
        settings, count = re.subn(
            rf"^{option}: \d+", f"{option}: {value}", settings, flags=re.MULTILINE
        )
        assert count == 1, option
    return settings


def carried_out(folder, blocks):
    """What the commands of some blocks print, on another port than that of the page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    printed = ""
    for name, content in blocks:
        if name:
            TUTORIAL.write(folder, name, shortened(content) if "yaml" in name else content)
        else:
            printed += TUTORIAL.run(folder, content.replace("8000", port))
    return printed


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a shell")
def test_the_commands_before_the_training_run_as_written(tmp_path):
    blocks = [each for each in BLOCKS if "palaestra train" not in each[1]]
    printed = carried_out(tmp_path, blocks)
    assert "planning/walled_garden: 26 of 26 checks passed" in printed
    assert "planning/walled_garden@1?length=150&side=5&walls=30&seed=7 0.0 the path" in printed
    assert '"status":"scored"' in printed.replace(" ", "")


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a shell")
def test_the_training_runs_as_written(tmp_path):
    pytest.importorskip("torch")
    needed = re.compile("palaestra (new|train) ")
    carried_out(tmp_path, [each for each in BLOCKS if each[0] or needed.search(each[1])])
    assert len(Path(tmp_path, "runs", "garden", "log.jsonl").read_text().splitlines()) == 3
    assert Path(tmp_path, "runs", "garden", "last.pt").exists()


def test_the_page_has_all_steps():
    """No block is left out because it is written in another way."""
    titles = [title for title, _ in BLOCKS if title]
    assert titles == ["envs/planning/walled_garden.py", "reward.py", "garden.yaml"]
    commands = "".join(content for title, content in BLOCKS if not title)
    for verb in ["new", "show", "check", "play", "serve", "train"]:
        assert f"palaestra {verb} " in commands
    assert PAGE.count("```") == 2 * len(TUTORIAL.BLOCK.findall(PAGE))
