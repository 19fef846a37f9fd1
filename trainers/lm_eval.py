"""Evaluation with lm-evaluation-harness (0.4): a task of a selection, as one file of YAML.

``palaestra export logic/knights_and_knaves --split eval -n 200 --format lm-eval -o tasks/`` writes
the task, and ``lm_eval --include_path tasks/ --tasks palaestra …`` runs it, on any of the harness's
models. Tasks are of one reply: its models are asked once.

The harness reads prompts and addresses from :func:`dataset`, which draws the tasks again from the
selection in the file, and has :func:`process_results` score the replies. There are no answers in
either.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from palaestra.address import SEEDS, Address, Split
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.registry import load
from palaestra.scoring import Item, score_many
from palaestra.task import JudgeError, Puzzle
from palaestra.trainers.parquet import dataset_of
from palaestra.trainers.rows import chosen

GENERATED = 4_096
"""How many tokens a model may generate, unless the command says otherwise; the harness's own
default, 256, is too few to reason.
"""

METRICS = ("score", "correct", "answered", "unscored")

TEMPLATE = """\
# Tasks of {env}, level {level}, drawn and scored by Palaestra {version}:
#   lm_eval --include_path . --tasks {name} --model … --apply_chat_template --log_samples -o results
task: {name}
tag:
{tags}
custom_dataset: !function palaestra.trainers.lm_eval.dataset
dataset_kwargs:
  tasks: {tasks}
  answer_format: {answer_format}
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: ""
process_results: !function palaestra.trainers.lm_eval.process_results
num_fewshot: 0
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: {generated}
metric_list:
{metrics}
metadata:
  version: {task_version}
"""


class SeveralReplies(ValueError):
    """An environment whose tasks take several replies, which the harness cannot give."""

    def __init__(self, env: str) -> None:
        super().__init__(
            f"lm-evaluation-harness asks a model once, and tasks of {env} take several replies; "
            "use palaestra eval or inspect_ai"
        )


def task_name(env: str, level: int | None, split: Split = "eval") -> str:
    """The name of a task of the harness.

    >>> task_name("grids/sudoku", 2)
    'palaestra_grids_sudoku_level2'
    """
    stem = re.sub(r"\W+", "_", f"palaestra_{env}").strip("_").lower()
    marked = f"{stem}_level{level}" if level is not None else f"{stem}_custom"
    return marked if split == "eval" else f"{marked}_{split}"


def task_yaml(
    address: Address,
    seeds: range,
    split: Split = "eval",
    answer_format: AnswerFormat | str = TAGS,
) -> str:
    """The file of a task: the tasks like ``address`` with these seeds, which count from 0 within
    the split.

    Raises :class:`SeveralReplies` for environments that are not settled by one reply, and
    ``ValueError`` for seeds that are out of range.
    """
    import palaestra

    if not issubclass(load(address.env), Puzzle):
        raise SeveralReplies(address.env)
    if not seeds or seeds.step != 1 or not 0 <= seeds.start < seeds.stop <= len(SEEDS[split]):
        raise ValueError(f"seeds count from 0 to {len(SEEDS[split]):,}, not {seeds}")
    base = re.sub(r"[?&]seed=\d+\Z", "", str(address))
    joined = "&" if "?" in base else "?"
    tasks = f"{base}{joined}seeds={seeds.start}:{seeds.stop}&split={split}"
    metrics = "\n".join(
        f"  - metric: {name}\n    aggregation: mean\n"
        f"    higher_is_better: {'false' if name == 'unscored' else 'true'}"
        for name in METRICS
    )
    category = address.env.partition("/")[0]
    return TEMPLATE.format(
        env=address.env,
        level="set by hand" if address.level is None else address.level,
        version=palaestra.__version__,
        name=task_name(address.env, address.level, split),
        tags="\n".join(f"  - {tag}" for tag in ("palaestra", f"palaestra_{category}")),
        tasks=json.dumps(tasks),
        answer_format=answer_format_of(answer_format).name,
        generated=GENERATED,
        metrics=metrics,
        task_version=float(load(address.env).version),
    )


def rows(tasks: str, answer_format: AnswerFormat | str = TAGS) -> list[dict[str, Any]]:
    """The documents of a selection: ``prompt``, ``address``, ``env``, ``level``, ``answer_format``.

    Raises :class:`SeveralReplies`, and what :func:`palaestra.trainers.rows.chosen` does.
    """
    marked = answer_format_of(answer_format).name
    documents = []
    for each in chosen(tasks, answer_format):
        address = each.address
        if address is None:
            raise ValueError(f"a selection of tasks is wanted, not a file of questions: {tasks}")
        if not issubclass(load(address.env), Puzzle):
            raise SeveralReplies(address.env)
        named = {"env": address.env, "level": address.level, "answer_format": marked}
        documents.append({"prompt": each.question, "address": each.label, **named})
    return documents


def dataset(tasks: str, answer_format: str = "tags", **metadata: Any) -> dict[str, Any]:
    """What the harness calls for its data: a ``datasets.Dataset`` under ``test``.

    ``metadata`` is what its command line adds, and is not used.
    """
    return {"test": dataset_of(rows(tasks, answer_format))}


def process_results(document: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The figures of a reply: ``score``, ``correct``, ``answered`` and ``unscored``.

    A reply that could not be scored has ``unscored`` alone, so it is no part of the other means.
    """
    item = Item(document["address"], results[0], document["answer_format"])
    (score,) = score_many([item])
    if isinstance(score, JudgeError):
        return {"unscored": 1.0}
    answered = score.status != "no_answer"
    return {
        "score": score.value,
        "correct": float(score.correct),
        "answered": float(answered),
        "unscored": 0.0,
    }
