"""Judging repairs: builds from nothing in the sandbox, with the data that is there and with other
data, compared with what the project as it should be builds.
"""

import re
from collections.abc import Mapping
from random import Random

from palaestra.generators.tools.failing_build.project import Files, random_table
from palaestra.generators.tools.failing_build.reference import reference
from palaestra.generators.tools.shell.jail import Snapshot, executed
from palaestra.generators.tools.shell.trees import Entry, Tree, whole
from palaestra.task import Score

BUILT = ("out/", "dist/")
"""Where artefacts are."""

PROTECTED = ("build.py", "VERSION", "docs/", "tests/", "tools/")
"""What a repair must leave alone."""

BUILD = "rm -rf out dist; find . -name __pycache__ -prune -exec rm -r {} +; python3 -B build.py"


def snapshot_of(files: Mapping[str, str]) -> Snapshot:
    """A tree of files."""
    return Snapshot(whole({path: Entry("file", text) for path, text in sorted(files.items())}))


def artefacts(files: Mapping[str, str]) -> Files | None:
    """What a build makes of files; nothing where it fails."""
    result = executed(snapshot_of(files), "", BUILD)
    if result.fault or result.code:
        return None
    tree = result.snapshot.tree
    return {path: each.text for path, each in tree.items() if _is_artefact(path, each)}


def _is_artefact(path: str, entry: Entry) -> bool:
    return entry.category == "file" and path.startswith(BUILT)


def other_data(right: Mapping[str, str], seed: int) -> Files:
    """Other rows for all tables of a right project, by their names and columns, with values on both
    sides of each limit.
    """
    rng, tables = Random(seed), dict[str, str]()
    limits = [int(value) for value in re.findall(r"--at-least (\d+)", right["build.cfg"])]
    edges = [value for limit in limits for value in (limit - 1, limit)]
    for path, text in sorted(right.items()):
        if path.startswith("data/"):
            columns = text.partition("\n")[0].split(",")[1:]
            rows = text.count("\n") - 1
            tables[path] = random_table(rng, columns, rows, rng.sample(edges, len(edges)))
    return tables


def damaged(right: Mapping[str, str], tree: Tree) -> list[str]:
    """The protected files that a repair has changed or deleted, and new ones beside them."""
    kept = [path for path in right if path.startswith(PROTECTED)]
    new = [path for path in tree if path.startswith(PROTECTED) and path not in right]
    return [path for path in kept if not _is_text(tree.get(path), right[path])] + [
        path for path in new if tree[path].category != "directory" and "__pycache__" not in path
    ]


def _is_text(entry: Entry | None, text: str) -> bool:
    return entry is not None and entry.category == "file" and entry.text == text


def _is_table_right(path: str, text: str, tree: Tree) -> bool:
    return path in tree and tree[path].text.rstrip() == text.rstrip()


def judged_repair(right: Mapping[str, str], tree: Tree, seed: int) -> Score:
    """1 if the builds of a repaired tree make the right artefacts and nothing is damaged."""
    harm = damaged(right, tree)
    parts = {"damage": float(len(harm)), "builds": 0.0}
    if harm:
        return Score(0, f"files that must not be changed have changed: {len(harm)}", parts)
    tables = [(path, text) for path, text in right.items() if path.startswith("data/")]
    if not all(_is_table_right(path, text, tree) for path, text in tables):
        return Score(0, "a table in data does not have the rows that it should have", parts)
    files = {
        path: entry.text
        for path, entry in tree.items()
        if entry.category == "file" and not _is_artefact(path, entry) and "__pycache__" not in path
    }
    built = artefacts(files)
    if built is None:
        return Score(0, "the build fails from a clean state", parts)
    if built != reference(right):
        return Score(0, "the build makes other artefacts than the documentation says", parts)
    parts["builds"] = 0.5
    data = other_data(right, seed)
    if artefacts({**files, **data}) != reference({**right, **data}):
        return Score(0, "the build makes wrong artefacts of other data", parts)
    return Score(1, parts={**parts, "builds": 1.0})
