"""Write the tasks of the next stage, drawn from a curriculum of the service, as rows for ROLL.

python examples/roll/stage.py 8192 data/stage.jsonl
"""

import json
import sys
from pathlib import Path

from palaestra.scoring import opening
from palaestra.trainers.exports import TRAINERS
from palaestra.trainers.remote_curricula import named
from palaestra.trainers.rows import row_of


def main(number: int, file: Path) -> None:
    """Write a file of so many rows."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as lines:
        for address in named().sample(number):
            row = row_of(opening(address))
            lines.write(json.dumps({name: row[name] for name in TRAINERS["roll"]}) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
