"""The file that the catalog is read from at run time: JSON, compiled from ``catalog.yaml``.

A wheel contains ``catalog.json`` alone, which the build compiles (``hatch_build.py``). A checkout
contains ``catalog.yaml`` as well, and compiles it again where the digest in the JSON is another
one. This module imports the standard library alone, because the build runs it by its path.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any


def compiled(source: bytes) -> bytes:
    """The content of ``catalog.json`` for that of ``catalog.yaml``. Requires PyYAML."""
    import yaml

    rows = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    document = {"source": sha256(source).hexdigest(), "environments": rows}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Each environment's row, by name, from the catalog in a folder.

    Raises ``ModuleNotFoundError`` where ``catalog.yaml`` changed and PyYAML is not installed.
    """
    target = folder / "catalog.json"
    try:
        source = (folder / "catalog.yaml").read_bytes()
    except FileNotFoundError:  # installed from a wheel
        document = json.loads(target.read_bytes())
    else:
        document = _current(target, source)
    rows: dict[str, dict[str, Any]] = document["environments"]
    return rows


def _current(target: Path, source: bytes) -> Any:
    """The content of ``catalog.json``, compiled again where it is not that of the source."""
    with suppress(FileNotFoundError, ValueError, LookupError):  # not compiled yet, or cut off
        document = json.loads(target.read_bytes())
        if document["source"] == sha256(source).hexdigest():
            return document
    content = compiled(source)
    with suppress(OSError):  # a checkout that cannot be written to is compiled each time
        write(target, content)
    return json.loads(content)


def write(target: Path, content: bytes) -> None:
    """Replace a file in one step, so that no other process reads half of it."""
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(target)
