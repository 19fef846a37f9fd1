"""The files that the catalog and the profiles are read from at run time: JSON, compiled from
``catalog.yaml`` and ``profiles.yaml``.

A wheel contains the JSON alone, which the build compiles (``hatch_build.py``). A checkout contains
the YAML as well, and compiles it again where the digest in the JSON is another one. This module
imports the standard library alone, because the build runs it by its path.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any


def compiled(source: bytes) -> bytes:
    """The content of the JSON for that of the YAML. Requires PyYAML."""
    import yaml

    rows = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    document = {"source": sha256(source).hexdigest(), "content": rows}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def read(folder: Path, name: str = "catalog") -> dict[str, Any]:
    """The content of a file in a folder: each environment's row, by name, for the catalog.

    Raises ``ModuleNotFoundError`` where the YAML changed and PyYAML is not installed.
    """
    target = folder / f"{name}.json"
    try:
        source = (folder / f"{name}.yaml").read_bytes()
    except FileNotFoundError:  # installed from a wheel
        document = json.loads(target.read_bytes())
    else:
        document = _current(target, source)
    content: dict[str, Any] = document["content"]
    return content


def _current(target: Path, source: bytes) -> Any:
    """The content of ``catalog.json``, compiled again where it is not that of the source."""
    with suppress(FileNotFoundError, ValueError, LookupError):  # not compiled yet, or cut off
        document = json.loads(target.read_bytes())
        if document["source"] == sha256(source).hexdigest() and "content" in document:
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
