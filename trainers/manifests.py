"""What data sets say of themselves: the cells that they are made of, and digests of their files.

A cell is an environment at a level. Its entry in a manifest has the version and the fingerprint of
the environment, by which somebody else can tell whether an installation draws the same tasks.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from palaestra.catalog import recorded_fingerprint
from palaestra.registry import load
from palaestra.task import Task

MANIFEST = "manifest.json"


def cell_entry(
    env: str,
    level: int | None,
    knobs: Task.Knobs,
    rows: int,
    seeds: Sequence[int],
    **more: Any,
) -> dict[str, Any]:
    """The entry of a cell: ``rows`` of it are written, from ``seeds``, the first and the one after
    the last, within the split.
    """
    return {
        "env": env,
        "version": load(env).version,
        "fingerprint": recorded_fingerprint(env),
        "level": level,
        "knobs": knobs.model_dump(),
        **more,
        "rows": rows,
        "seeds": list(seeds),
    }


def described(file: Path, rows: int) -> dict[str, Any]:
    """The entry of a file: its rows, bytes and digest."""
    with file.open("rb") as stream:
        digest = blake2b(digest_size=16)
        while block := stream.read(1 << 20):
            digest.update(block)
    return {"rows": rows, "bytes": file.stat().st_size, "blake2b": digest.hexdigest()}


def write_whole(file: Path, content: bytes) -> None:
    """Write a file at once, so that there is never half of it under its name."""
    temporary = file.with_name(f"{file.name}.part")
    temporary.write_bytes(content)
    temporary.replace(file)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest into the folder of its data set."""
    write_whole(folder / MANIFEST, json.dumps(manifest, indent=1).encode())
