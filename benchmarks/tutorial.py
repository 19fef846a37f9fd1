"""The tutorial of the documentation, carried out: its files are written and its commands run.

    python -m benchmarks.tutorial [--folder DIR] [--out docs/images]

Prints the seconds that each block of commands takes, draws the learning curve, and prints what was
reached. Needs palaestra[server,train].
"""

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"

BLOCK = re.compile(r'^```(\w+)(?: title="(.*?)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """What the page has the reader do, in order: files by name, and commands without one.

    Blocks of ``bash`` install Palaestra, and blocks of ``text`` are output.
    """
    for language, title, content in BLOCK.findall(page):
        if title or language == "sh":
            yield title, content


def write(folder: Path, name: str, content: str) -> None:
    """Write a file of the page."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")


def run(folder: Path, commands: str) -> str:
    """Run a block of commands as a shell does, with this installation; return what they print.

    Raises ``CalledProcessError`` for a command that fails.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=folder, env=os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def carry_out(folder: Path) -> None:
    """Do what the page says in a folder, and print the seconds that each block takes."""
    for name, content in blocks(PAGE.read_text("utf-8")):
        if name:
            write(folder, name, content)
            continue
        start = perf_counter()
        run(folder, content)
        print(f"{perf_counter() - start:6.1f} s  {content.partition(chr(10))[0]}", flush=True)


def main() -> None:
    """Carry the tutorial out, draw its curve and print what was reached."""
    from benchmarks.learning_curve import draw

    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--out", type=Path, default=PAGE.parent / "images")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        carry_out(folder)
        log = (folder / "runs" / "garden" / "log.jsonl").read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    draw(lines, options.out / "tutorial_curve.svg")
    scores = [line["eval_score"] for line in lines if "eval_score" in line]
    print("score on held-out tasks:", " ".join(f"{score:.2f}" for score in scores))


if __name__ == "__main__":
    main()
