"""What other collections have, and what stands for it here: writes docs/parity.md.

python benchmarks/parity.py
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

DOCS = Path(__file__).parents[1] / "docs"
PEERS = {
    "reasoning_gym": "Reasoning Gym",
    "synlogic": "SynLogic",
    "enigmata": "Enigmata",
    "korgym": "KORGym",
}

HEAD = """# Other collections

This page lists the families of tasks in Reasoning Gym, SynLogic, Enigmata and KORGym, and the
environments of Palaestra that ask for the same. If there is none, or if Palaestra's differs on
purpose, the remark says why. `python benchmarks/parity.py` writes the table from `parity.yaml`.
"""


def families() -> list[dict[str, Any]]:
    """The families as the data file has them."""
    held: list[dict[str, Any]] = yaml.safe_load((DOCS / "parity.yaml").read_text("utf-8"))
    return held


def methods() -> list[dict[str, Any]]:
    """Methods of papers with their counterparts."""
    rows: list[dict[str, Any]] = yaml.safe_load((DOCS / "methods.yaml").read_text("utf-8"))
    return rows


METHODS = """## Methods of papers

Methods of training and evaluation that apply to environments of any kind, with what they are here.
Each address is a task that shows it; `palaestra show` and the playground take its name, and
`palaestra.Address.parse` the whole of it. `methods.yaml` has the rows.
"""


def table_of_methods(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The section on methods, as lines."""
    lines = ["", METHODS, "| method | paper | what it is | Palaestra | address |"]
    lines.append("|---|---|---|---|---|")
    for row in rows:
        cells = [row[name] for name in ("method", "paper", "what", "ours")]
        lines.append(f"| {' | '.join(cells)} | `{row['address']}` |")
    return lines


def page(held: Sequence[Mapping[str, Any]]) -> str:
    """The page."""
    done = {peer: [bool(row["ours"]) for row in held if peer in row["peers"]] for peer in PEERS}
    counts = [f"{name} {sum(done[peer])} of {len(done[peer])}" for peer, name in PEERS.items()]
    lines = [HEAD, f"Families with a counterpart: {', '.join(counts)}.", ""]
    lines += ["| family | task | collections | Palaestra | remark |", "|---|---|---|---|---|"]
    for row in held:
        who = ", ".join(PEERS[peer] for peer in row["peers"])
        ours = ", ".join(f"[{name}](environments/{name}.md)" for name in row["ours"])
        cells = (row["family"].replace("_", " "), row["what"], who, ours, row.get("note", ""))
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join([*lines, *table_of_methods(methods()), ""])


if __name__ == "__main__":
    (DOCS / "parity.md").write_text(page(families()), "utf-8")
