"""Writes the labelled cases of the bench for answer verifiers; the same bytes each time.

    python tests/data/answers/make.py [FOLDER [SEED]]

With another seed the cases are others of the same kinds, to see whether a reader of answers has
learnt these by heart.

The labels come from trees that are evaluated at 200 digits, from exact fractions, and from the
rules of the contract; no reader of answers has a say.
"""

import json
import sys
from pathlib import Path

import notation
import replies
import structures
import values
from cases import CLASSES, gathered

HOME = Path(__file__).resolve().parents[3] / "verifiers" / "cases"


def main(folder: Path = HOME, seed: str = "palaestra") -> None:
    """Write one file for each module of classes."""
    for module in (values, structures, notation, replies):
        title = module.__name__
        names = [name for name, maker in CLASSES.items() if maker_of(maker) == title]
        rows = (row for name in names for row in gathered(name, seed))
        lines = [json.dumps(row, ensure_ascii=True, separators=(",", ":")) for row in rows]
        (folder / f"{title}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def maker_of(maker: object) -> str:
    return getattr(maker, "__module__", "")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]), *sys.argv[2:3])
