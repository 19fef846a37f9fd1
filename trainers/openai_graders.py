"""Graders of OpenAI's reinforcement fine-tuning, which give the scores of environments.

A grader of type ``python`` is one source text with a function ``grade(sample, item)``, run without
network. :func:`python_grader` makes one that holds the modules of some environments and scores by
the address of a row, so that its verdicts are those of :func:`palaestra.score`, and no answer is
in any row::

    grader = python_grader(["logic/knights_and_knaves"])
    method = {"type": "reinforcement", "reinforcement": {"grader": grader, ...}}

Rows are those of ``palaestra export --trainer openai``.
"""

import json
import lzma
from base64 import b85encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import palaestra
from palaestra.combination import Combination
from palaestra.registry import canonical, is_ours, load, module_name
from palaestra.task import Puzzle
from palaestra.testing.digests import Sources

MOST_BYTES = 256_000
"""The limit on the source of a grader."""

IMAGE_TAG = "2025-05-08"
"""The image of OpenAI's whose packages the grader was written for; it has pydantic 2.10.6."""

SCORER = "palaestra.scoring"
UNPACKED = ("palaestra.combinators", "palaestra.scenes.raster")
"""What scoring a puzzle never imports."""

NEEDS = {"sandboxed", "c", "javascript", "bash"}
"""Tags of environments that run programs, which no grader can contain."""

STAND_IN = '''"""Stands for msgspec, which is not there: scenes are declared and never built."""

from dataclasses import dataclass


class Struct:
    def __init_subclass__(cls, frozen=False, kw_only=False, **options):
        dataclass(frozen=frozen, kw_only=kw_only)(cls)


class json:
    class Encoder:
        def __init__(self, *arguments, **options): ...

    class Decoder(Encoder): ...
'''
"""The module that the elements of scenes are declared with."""

SOURCE = '''"""Scores of tasks of Palaestra {version}, by their addresses (Apache-2.0).

Environments: {environments}.
"""

import atexit
import base64
import json
import lzma
import pathlib
import shutil
import sys
import tempfile

if sys.version_info < (3, 11):
    raise RuntimeError("the environments in this grader require Python 3.11 or newer")

MODULES = (
{archive}
)


FOLDER = tempfile.mkdtemp(prefix="palaestra")
atexit.register(shutil.rmtree, FOLDER, True)


def _unpacked() -> str:
    folder = pathlib.Path(FOLDER)
    files = json.loads(lzma.decompress(base64.b85decode("".join(MODULES))))
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return str(folder)


sys.path.insert(0, _unpacked())

from palaestra.scoring import score


def grade(sample, item):
    """The score of a reply, from 0 to 1. Raises where the judge fails, which is not a 0."""
    reply = sample.get("output_text") or ""
    return float(score(item["address"], reply, item.get("answer_format", "tags")).value)
'''


def python_grader(environments: Sequence[str], name: str = "palaestra") -> dict[str, Any]:
    """A grader of the tasks of some environments, as a JSON object.

    Raises ``ValueError`` for an environment that cannot be packed (of several turns, with programs
    or files, of another distribution, or a combination) and where all of them take more than
    :data:`MOST_BYTES`, and :class:`~palaestra.registry.UnknownEnvironment`.
    """
    if not environments:
        raise ValueError("a grader is of one environment at least")
    names = sorted({canonical(each) for each in environments})
    for each in names:
        _check(each)
    source = SOURCE.format(
        version=palaestra.__version__,
        environments=", ".join(names),
        archive="\n".join(_literals(_packed(_files(names)))),
    )
    size = len(source.encode())
    if size > MOST_BYTES:
        raise ValueError(
            f"a grader of {', '.join(names)} has {size} bytes, and at most {MOST_BYTES} are taken; "
            "train on fewer environments"
        )
    return {"type": "python", "name": name, "source": source, "image_tag": IMAGE_TAG}


def _check(name: str) -> None:
    """Raises ``ValueError`` where an environment cannot be scored by a grader."""
    task_type = load(name)
    if issubclass(task_type, Combination) or "+" in name:
        raise ValueError(f"{name} is a combination, which a grader cannot contain")
    if not is_ours(name):
        raise ValueError(f"{name} is of another distribution, which a grader cannot contain")
    if not issubclass(task_type, Puzzle):
        why = "has several turns, and a grader scores a single reply"
        raise ValueError(f"{name} {why}")  # noqa: TRY004
    if NEEDS & set(task_type.tags):
        raise ValueError(f"{name} runs programs, which a grader cannot contain")


def _files(names: Iterable[str]) -> Mapping[str, str]:
    """The texts of the modules that scoring needs, by their paths.

    Raises ``ValueError`` for modules that cannot be run from their texts alone.
    """
    root = Path(palaestra.__file__).parent
    sources = Sources({"palaestra": root}, UNPACKED)
    files = {"msgspec.py": STAND_IN}
    for module in sorted(sources.reached([*map(module_name, names), SCORER])):
        file = sources.file(module)
        assert file is not None
        text = file.read_text("utf-8")
        if "validate_by_name" in text:
            raise ValueError(f"{module} requires pydantic 2.11, and the image has 2.10")
        in_room = module.startswith(ROOMS)
        if in_room and ("__file__" in text or "importlib.resources" in text):
            raise ValueError(f"{module} reads files, which a grader cannot contain")
        if in_room and "with needs(" in text:
            raise ValueError(f"{module} requires libraries that the image may not have")
        files[f"palaestra/{file.relative_to(root).as_posix()}"] = text
    return files


ROOMS = ("palaestra.envs.", "palaestra.generators.", "palaestra.verifiers.")


def _packed(files: Mapping[str, str]) -> str:
    """Files as one text without line breaks."""
    body = json.dumps(files, ensure_ascii=False, separators=(",", ":")).encode()
    return b85encode(lzma.compress(body, preset=9 | lzma.PRESET_EXTREME)).decode()


def _literals(text: str, width: int = 96) -> Iterator[str]:
    """A text as lines of string literals; its digits have no quotes or backslashes."""
    return (f'    "{text[start : start + width]}"' for start in range(0, len(text), width))
