"""Suites: folders of tasks of Harbor, with a manifest that states the address of each."""

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from palaestra import __version__
from palaestra.address import Address
from palaestra.trainers.harbor.files import Options, files

MANIFEST = "manifest.json"
CONTENT = "palaestra tasks for harbor"


class BadSuite(ValueError):
    """A folder that contains something other than a suite."""


def export(addresses: Iterable[Address], folder: Path, options: Options | None = None) -> list[str]:
    """Write a folder for each task into a suite, and return their names in order.

    The suite may exist: tasks are added to it, and those that it has keep their names and are
    written anew. A name is that of the environment with a number, and does not contain the seed.

    Raises :class:`BadSuite` for a folder with anything else, and what drawing a task does.
    """
    options = options or Options()
    tasks = _tasks_in(folder)
    known = {address: name for name, address in tasks.items()}
    names: list[str] = []
    try:
        for address in addresses:
            name = known.get(str(address)) or _free(address.env, tasks)
            _write(folder, name, files(name, address, options))
            tasks[name], known[str(address)] = str(address), name
            names.append(name)
    except OSError as error:
        raise BadSuite(f"{folder} cannot be written to: {error.strerror}") from None
    finally:
        if names:
            _save(folder, tasks)
    return names


def _free(env: str, tasks: Mapping[str, str]) -> str:
    """The next name for a task of an environment."""
    stem = "".join(sign if sign.isalnum() else "-" for sign in env.lower()).strip("-")
    taken = (name.rpartition("-") for name in tasks)
    return f"{stem}-{1 + max((int(end) for begin, _, end in taken if begin == stem), default=0):04}"


def _tasks_in(folder: Path) -> dict[str, str]:
    """The addresses of the tasks in a suite, by name; none for a folder that is new or empty."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        tasks: dict[str, str] = manifest["tasks"]
        known = manifest["content"] == CONTENT
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise BadSuite(f"{folder} exists and is not a suite of tasks for Harbor")
    return tasks


def _write(folder: Path, name: str, texts: dict[str, str]) -> None:
    """Write the files of a task beside its folder, and move them there once all are written."""
    part = folder / f".{name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for path, text in texts.items():
        file = part / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="\n")
        if path.endswith(".sh"):
            file.chmod(0o755)
    shutil.rmtree(folder / name, ignore_errors=True)
    part.rename(folder / name)


def _save(folder: Path, tasks: dict[str, str]) -> None:
    manifest: dict[str, Any] = {"content": CONTENT, "palaestra": __version__, "tasks": tasks}
    part = folder / f"{MANIFEST}.part"
    part.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    part.replace(folder / MANIFEST)
