"""What other collections have, and what stands for it here: writes docs/parity.md and its parts.

python benchmarks/parity.py
"""

from collections import Counter
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
    "internbootcamp": "InternBootcamp",
    "rlve": "RLVE",
    "reasoning_core": "Reasoning Core",
}
"""The collections, by the names that the data file has for them."""

GAMES = {
    "textarena": "TextArena",
    "korgym": "KORGym",
    "lmgame_bench": "lmgame-Bench",
    "vlm_gym": "VLM-Gym",
    "spiral": "SPIRAL",
    "code2logic": "Code2Logic",
    "puzzlejax": "PuzzleJAX",
    "play_to_generalize": "Play to Generalize",
}
"""The collections of games, whose rows are in a data file of their own."""

LARGE = ("internbootcamp", "rlve", "reasoning_core")
"""Collections with a page of their own."""

KINDS = {
    "full": "the same task is a level or a knob of an environment",
    "partial": "an environment asks about the same objects, but not quite this",
    "unwanted": "left out on purpose",
    "missing": "not here yet",
}

WORDS = {"full": "yes", "partial": "in part", "unwanted": "no", "missing": "not yet"}

HEAD = """# Other collections

This page lists the families of tasks in Reasoning Gym, SynLogic, Enigmata and KORGym, and the
environments of Palaestra that ask for the same. If there is none, if one covers a family in part,
or if Palaestra's differs on purpose, the remark says why. `python benchmarks/parity.py` writes the
tables from `parity.yaml`. Larger collections have pages of their own:
[InternBootcamp](parity_internbootcamp.md), [RLVE](parity_rlve.md) and
[Reasoning Core](parity_reasoning_core.md); [games](parity_games.md) have one as well.
"""

HEAD_OF_GAMES = """# Games of other collections

Games of TextArena, lmgame-Bench, VLM-Gym, SPIRAL, Code2Logic, PuzzleJAX and Play to Generalize, and
the environments of Palaestra that play the same. The remark says why a game is covered in part only
or not at all. [Other collections](parity.md) says what these words mean and lists the rest of
KORGym. `python benchmarks/parity.py` writes the tables from `parity_games.yaml`.
"""


def families(file: str = "parity.yaml") -> list[dict[str, Any]]:
    """The families as a data file has them, each with its kind."""
    held: list[dict[str, Any]] = yaml.safe_load((DOCS / file).read_text("utf-8"))
    for row in held:
        row.setdefault("kind", "full" if row["ours"] else "unwanted")
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


def shares(held: Sequence[Mapping[str, Any]], peers: Mapping[str, str] = PEERS) -> list[str]:
    """How much of each collection is covered, as the lines of a table."""
    lines = ["| collection | families | covered | in part | left out on purpose | not here yet |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for peer, name in peers.items():
        counts = Counter(row["kind"] for row in held if peer in row["peers"])
        cells = (f"{counts[cover]} ({counts[cover] / counts.total():.0%})" for cover in KINDS)
        lines.append(f"| {name} | {counts.total()} | {' | '.join(cells)} |")
    return lines


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each family."""
    lines = ["| family | task | collections | covered | Palaestra | remark |"]
    lines.append("|---|---|---|---|---|---|")
    for row in rows:
        who = ", ".join((PEERS | GAMES)[peer] for peer in row["peers"])
        ours = ", ".join(f"[{name}](environments/{name}.md)" for name in row["ours"])
        name = row["family"].replace("_", " ")
        cells = (name, row["what"], who, WORDS[row["kind"]], ours, row.get("note", ""))
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return lines


def page(held: Sequence[Mapping[str, Any]]) -> str:
    """The page of the smaller collections, with the shares of all."""
    own = [row for row in held if {*row["peers"]} - {*LARGE}]
    meaning = "; ".join(
        f"*{head}*: {KINDS[cover]}"
        for cover, head in zip(KINDS, ("covered", "in part", "left out", "not here yet"))
    )
    lines = [HEAD, *shares(held), "", f"{meaning[0].upper()}{meaning[1:]}.", "", *table(own)]
    return "\n".join([*lines, *table_of_methods(methods()), ""])


def page_of(peer: str, held: Sequence[Mapping[str, Any]]) -> str:
    """The page of a larger collection."""
    own = [row for row in held if peer in row["peers"]]
    counts = Counter(row["kind"] for row in own)
    numbers = ", ".join(
        f"{counts[cover]} {word}"
        for cover, word in zip(KINDS, ("are covered", "in part", "left out on purpose", "not yet"))
    )
    head = (
        f"# {PEERS[peer]}\n\nThe {len(own)} families of {PEERS[peer]}, and the environments of "
        f"Palaestra that ask for the same: {numbers}. [Other collections](parity.md) says what "
        "these words mean. Tasks are described from the names of the families where nothing else "
        "was known.\n"
    )
    return "\n".join([head, *table(own), ""])


def page_of_games(held: Sequence[Mapping[str, Any]]) -> str:
    """The page of games: what each collection has of them, and a line for each game."""
    own = {peer: name for peer, name in GAMES.items() if peer != "korgym"}
    lines = ["| game | collections | covered | Palaestra | remark |", "|---|---|---|---|---|"]
    for row in held:
        who = ", ".join(GAMES[peer] for peer in row["peers"])
        ours = ", ".join(f"[{name}](environments/{name}.md)" for name in row["ours"])
        cells = (row["family"], who, WORDS[row["kind"]], ours, row.get("note", ""))
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join([HEAD_OF_GAMES, *shares(held, own), "", *lines, ""])


def pages() -> dict[str, str]:
    """All pages, by the names of their files."""
    held = families()
    return {
        "parity.md": page(held),
        "parity_games.md": page_of_games(families("parity_games.yaml")),
        **{f"parity_{peer}.md": page_of(peer, held) for peer in LARGE},
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
