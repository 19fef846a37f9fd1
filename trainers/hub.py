"""Data sets for the Hugging Face Hub: Parquet files, a manifest, and a dataset card.

``palaestra export logic/knights_and_knaves -n 5000 --format hub -o folder`` writes a folder that
``hf upload`` takes as it is, and ``palaestra generate mixture.yaml --card …`` adds a card to a data
set of many environments. The rows hold prompts and addresses, and no answers; the card says how
they are scored, and by which versions of the environments.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import palaestra
from palaestra.address import Address, Split
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.trainers.exports import ALL, columns_of
from palaestra.trainers.manifests import (
    MANIFEST,
    cell_entry,
    described,
    write_manifest,
    write_whole,
)
from palaestra.trainers.parquet import write_parquet

CARD = "README.md"

ROWS_OF_A_FILE = 50_000

SPLITS: Mapping[str, str] = {"train": "train", "eval": "test"}
"""What our splits are called on the Hub."""

SUBJECTS = ("rl-environment", "reinforcement-learning", "synthetic", "palaestra")

FRAMEWORKS = ("trl", "verl", "openrlhf", "verifiers", "inspect-ai", "skyrl")
"""Those that read rows with all columns, or the selection that the card names."""

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
"""The Hub's words for numbers of rows, below each bound; ``1M<n<10M`` from there on."""

LABELS: Mapping[str, str] = {
    "address": 'row["address"]',
    "label": 'row["label"]',
    "ground_truth": 'row["ground_truth"]',
    "reward_model": 'row["reward_model"]["ground_truth"]',
    "reward_spec": 'row["reward_spec"]["ground_truth"]',
    "conversations": 'row["conversations"][1]["value"]',
    "verifier_metadata": 'row["verifier_metadata"]["address"]',
}
"""Where a row has the address of its task, by the columns that hold it."""

COLUMNS: Mapping[str, str] = {
    "prompt": "the chat to send to a model, a list of messages; `messages` is the same",
    "address": "the task: environment, version, knobs and seed; also as `label`, `ground_truth` "
    "and the names that trainers have for it",
    "env": "the environment",
    "level": "its level, from 0; null if the knobs were set by hand",
    "seed": "the seed of the task",
    "answer_format": "how the answer is marked in a reply",
    "tools": "tools as JSON, where the task has some",
    "images": "the task as an image, where it was exported as one",
}


class NotForTheHub(ValueError):
    """What may not be uploaded, or a folder that holds something else."""


def write_hub(  # noqa: PLR0913
    rows: Iterable[dict[str, Any]],
    folder: Path,
    first: Address,
    seeds: range,
    *,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    trainer: str = ALL,
) -> dict[str, Any]:
    """Write the rows of an environment as a data set for the Hub, and return its manifest.

    ``first`` is the address of the first row, whose knobs are those of all, and ``seeds`` are
    within the split. Raises :class:`NotForTheHub` for a folder with files in it that are not those
    of an earlier data set.
    """
    _emptied(folder)
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    write_manifest(folder, {"unfinished": True})  # so that a run which is cut off can be repeated
    name = SPLITS[split]
    files, count = {}, 0
    for number, part in enumerate(_parts(rows)):
        file = data / f"{name}-{number:05}.parquet"
        write_parquet(part, file)
        count += len(part)
        files[f"data/{file.name}"] = described(file, len(part))
    manifest = {
        "palaestra": palaestra.__version__,
        "rows": count,
        "split": split,
        "answer_format": answer_format_of(answer_format).name,
        "trainer": trainer,
        "format": "parquet",
        "solutions": "none",
        "cells": [
            cell_entry(first.env, first.level, first.knobs, count, (seeds.start, seeds.stop))
        ],
        "files": files,
    }
    write_manifest(folder, manifest)
    write_card(folder, manifest)
    return manifest


def _emptied(folder: Path) -> None:
    """Remove the files of an earlier data set. Raises :class:`NotForTheHub` for any others."""
    if folder.is_file():
        raise NotForTheHub(f"{folder} is a file; a data set for the Hub is a folder")
    if not folder.exists():
        return
    ours = {folder / CARD, folder / MANIFEST, *(folder / "data").glob("*-*.parquet")}
    others = [file for file in sorted(folder.rglob("*")) if file.is_file() and file not in ours]
    others = [file for file in others if ".git" not in file.parts and file.name != ".gitattributes"]
    unknown = others or [file for file in ours if file.exists()]
    if others or (unknown and not (folder / MANIFEST).exists()):
        raise NotForTheHub(
            f"{unknown[0]} is no part of a data set of Palaestra: choose another folder"
        )
    for file in ours:
        file.unlink(missing_ok=True)


def _parts(rows: Iterable[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """The rows of each file."""
    source = iter(rows)
    while part := list(islice(source, ROWS_OF_A_FILE)):
        yield part


def write_card(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the card of a data set into its folder. Raises what :func:`card` does."""
    write_whole(folder / CARD, card(manifest).encode())


def card(manifest: Mapping[str, Any]) -> str:
    """The card of a data set, from its manifest.

    Raises :class:`NotForTheHub` for one with files of answers, or without rows.
    """
    if manifest["solutions"] != "none":
        raise NotForTheHub(
            "a data set with --solutions is not for the Hub: whoever trains on it would have the "
            "answers to its tasks"
        )
    cells: Sequence[Mapping[str, Any]] = [cell for cell in manifest["cells"] if cell["rows"]]
    if not cells:
        raise NotForTheHub("a data set without rows has no card")
    envs = list(dict.fromkeys(cell["env"] for cell in cells))
    title = envs[0] if len(envs) == 1 else f"{len(envs)} environments"
    sections = chain(
        (_head(manifest, f"Palaestra: {title}"), f"# Palaestra: {title}\n", _about(manifest, envs)),
        (_table(cells), _use(manifest, cells), _provenance(manifest)),
    )
    return "\n".join(sections)


def _head(manifest: Mapping[str, Any], title: str) -> str:
    """The part of the card that the Hub reads."""
    form = manifest["format"]
    folder = "data/" if any(name.startswith("data/") for name in manifest["files"]) else ""
    stem = SPLITS[manifest["split"]] if folder else "rows"
    frameworks = FRAMEWORKS if manifest["trainer"] == ALL else (manifest["trainer"],)
    size = next((word for bound, word in SIZES if manifest["rows"] < bound), "1M<n<10M")
    tags = "\n".join(f"- {tag}" for tag in (*SUBJECTS, *frameworks))
    return f"""\
---
license: apache-2.0
language:
- en
pretty_name: {json.dumps(title)}
task_categories:
- text-generation
size_categories:
- {json.dumps(size)}
tags:
{tags}
configs:
- config_name: default
  data_files:
  - split: {SPLITS[manifest["split"]]}
    path: "{folder}{stem}-*.{form}"
---
"""


def _about(manifest: Mapping[str, Any], envs: Sequence[str]) -> str:
    held_out = (
        "The seeds are those that Palaestra reserves for evaluation: do not train on them."
        if manifest["split"] == "eval"
        else "The seeds are for training; held-out tasks have seeds of their own."
    )
    named = f"the environment `{envs[0]}`" if len(envs) == 1 else f"{len(envs)} environments"
    return f"""\
{manifest["rows"]:,} tasks of {named} of Palaestra: procedurally generated environments for
reinforcement learning of language models, with verifiers that judge by the rules.

**There are no answers in the rows.** A task is a pure function of its address (environment,
version, knobs, seed), and so is the verdict on a reply: `pip install palaestra` scores it.
{held_out}
"""


def _table(cells: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        "## Tasks\n",
        "| environment | version | level | knobs | rows | seeds | fingerprint |",
        "|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        knobs = ", ".join(f"{name}={value}" for name, value in cell["knobs"].items())
        level = "by hand" if cell["level"] is None else cell["level"]
        first, end = cell["seeds"]
        digest = f"`{cell['fingerprint']}`" if cell["fingerprint"] else ""
        fields = (f"`{cell['env']}`", cell["version"], level, knobs.replace("|", "\\|"))
        more = (f"{cell['rows']:,}", f"{first} … {end - 1}", digest)
        lines.append(f"| {' | '.join(map(str, (*fields, *more)))} |")
    lines.append(
        "\nSeeds count from the first one of the split. A fingerprint is a digest of an "
        "environment's first tasks: an installation with the same one draws the same tasks.\n"
    )
    return "\n".join(lines)


def _use(manifest: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> str:
    split, marked = SPLITS[manifest["split"]], manifest["answer_format"]
    read = columns_of(manifest["trainer"]) or tuple(LABELS)
    label = next(LABELS[column] for column in LABELS if column in read)
    columns = "\n".join(f"| `{name}` | {what} |" for name, what in COLUMNS.items())
    table = f"| column | |\n|---|---|\n{columns}\n" if manifest["trainer"] == ALL else ""
    level = "" if cells[0]["level"] is None else f"level={cells[0]['level']}&"
    reserve = "&split=eval" if manifest["split"] == "eval" else ""
    selection = f"{cells[0]['env']}?{level}seeds=0:100{reserve}"
    return f"""\
## Use

```python
from datasets import load_dataset

import palaestra

rows = load_dataset("USER/NAME", split="{split}")  # or the path of this folder
row = rows[0]
reply = "…"  # of your model
score = palaestra.score({label}, reply, "{marked}")
print(score.value, score.reason)
```

{table}
| framework | |
|---|---|
| TRL | `dataset` and `reward` of `palaestra.trainers.trl` |
| veRL | `data.train_files`, `reward.custom_reward_function.path=pkg://palaestra.trainers.verl` |
| OpenRLHF | `--data.input_key prompt --data.label_key label`, and `palaestra serve` |
| verifiers, inspect_ai | the selection `{selection}`, without these files |
| NeMo Gym | `palaestra export … --trainer nemo-gym` |

Tasks of several turns have to be played: their rows have the first message.
"""


def _provenance(manifest: Mapping[str, Any]) -> str:
    return f"""\
## Provenance

Generated by Palaestra {manifest["palaestra"]} without data of third parties. `{MANIFEST}` has the
knobs, the seeds, and the size and digest of each file.
"""
