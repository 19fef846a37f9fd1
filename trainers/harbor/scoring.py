"""The verifier of an exported task: scores what an agent left and writes the reward.

    python -m palaestra.trainers.harbor.scoring [--task /tests/task.json] [--out /logs/verifier]

The file of the task has the ``address``, and the path of what is scored: ``answer``, a file that
the agent wrote, or ``episode``, the log of the server of an episode. ``reward.json`` has the
``reward``, from 0 to 1, and ``correct``, 0 or 1. ``attempt.json`` is one line for ``palaestra
score``, with the address, the replies and the score.

Where the judge fails, or the log of an episode is missing, no reward is written, which Harbor
reports as an error of the trial and not as a reward of 0; the exit code is 1.
"""

import json
import os
import stat
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from palaestra.episode import BARE
from palaestra.scoring import attempt
from palaestra.task import JudgeError

LONGEST = 1_000_000
"""Characters of an answer that are read; no task has one of a fiftieth of that."""


class BadTrial(ValueError):
    """What a trial left cannot be scored, which is no fault of the agent."""


def answer_in(file: Path) -> str:
    """The answer in a file; blank where the agent left no regular file there.

    One line break at the end is not part of the answer, as editors add one.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return ""
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as stream:
        text = stream.read(LONGEST)
    return text.removesuffix("\n")


def replies_in(file: Path) -> list[str]:
    """The replies in the log of an episode. Raises :class:`BadTrial` where there is none."""
    try:
        replies = json.loads(file.read_text("utf-8"))["replies"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTrial(f"{file} is no log of an episode: {error}") from None
    if not (isinstance(replies, list) and all(isinstance(each, str) for each in replies)):
        raise BadTrial(f"{file} is no log of an episode: the replies are not texts")
    return replies


def scored(task: Mapping[str, Any]) -> dict[str, Any]:
    """The attempt at a task, as JSON values.

    Raises :class:`BadTrial` where it cannot be scored.
    """
    replies: str | list[str]
    try:
        address = task["address"]
        if "episode" in task:
            replies = replies_in(Path(task["episode"]))
        else:
            replies = answer_in(Path(task["answer"]))
    except (KeyError, TypeError) as error:
        raise BadTrial(f"the file of the task is incomplete: {error}") from None
    score = attempt(address, replies, BARE)
    if isinstance(score, JudgeError):
        raise BadTrial(score.reason)
    return {
        "address": address,
        "answer_format": BARE.name,
        "replies": replies,
        "value": score.value,
        "status": score.status,
        "reason": score.reason,
        "parts": dict(score.parts),
    }


def main(arguments: list[str] | None = None) -> int:
    """Score a trial; the exit code."""
    parser = ArgumentParser("python -m palaestra.trainers.harbor.scoring")
    parser.add_argument("--task", type=Path, default=Path("/tests/task.json"))
    parser.add_argument("--out", type=Path, default=Path("/logs/verifier"))
    options = parser.parse_args(arguments)
    try:
        result = scored(json.loads(options.task.read_text("utf-8")))
    except (OSError, ValueError) as error:
        print(f"not scored: {error}", file=sys.stderr)  # noqa: T201
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    line = json.dumps(result, ensure_ascii=False, allow_nan=False)
    (options.out / "attempt.json").write_text(f"{line}\n", "utf-8")
    reward = {"reward": result["value"], "correct": int(result["value"] == 1)}
    (options.out / "reward.json").write_text(json.dumps(reward), "utf-8")
    print(f"{result['value']} ({result['status']}) {result['reason']}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
