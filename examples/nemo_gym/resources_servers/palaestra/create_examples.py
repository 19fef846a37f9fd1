# Copyright (c) 2026 the contributors of Palaestra
# SPDX-License-Identifier: Apache-2.0
"""Write the example rows and the verifier's fixtures, all of them from the environments.

    python create_examples.py            # beside this file
    python create_examples.py FOLDER     # or into another folder

The replies in the fixtures are those of each environment's own solver, and of none that knows less.
They are for tests of the verifier: rows of a data set never hold any.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from palaestra import Address, score
from palaestra.episode import TAGS
from palaestra.trainers.nemo_gym import nemo_gym_row

PUZZLES = (
    "logic/knights_and_knaves",
    "grids/sudoku",
    "arithmetic/game_of_24",
    "graphs/minimum_spanning_tree",
    "strings/word_sorting",
    "algebra/linear_system",
    "spatial/map_walk",
)
"""Environments of one reply, of several categories."""

EPISODES = ("games/mastermind", "tools/meeting_desk", "games/minesweeper")
"""Environments of several replies."""

LEVEL, SEED = 1, 0
ROWS = 5


def rows(envs: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Rows for an agent: those that ``palaestra export --trainer nemo-gym`` writes."""
    for env in envs[:ROWS]:
        yield nemo_gym_row(Address.of(env, SEED, LEVEL))


def request(env: str, reply: str) -> dict[str, Any]:
    """What an agent sends to ``/verify`` once the model has replied."""
    row = nemo_gym_row(Address.of(env, SEED, LEVEL))
    text = {"type": "output_text", "text": reply, "annotations": []}
    message = {
        "id": "message",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }
    response = {
        "id": "response",
        "created_at": 0.0,
        "model": "fixture",
        "object": "response",
        "output": [message],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    del row["agent_ref"]
    return {**row, "response": response}


def right(env: str, seed: int = SEED) -> str:
    """The reply of the environment's own solver."""
    (move,) = Address.of(env, seed, LEVEL).task().solve()
    return TAGS.write(move)


def wrong(env: str) -> str:
    """A reply of the right form that earns nothing: the right one to another task."""
    address = Address.of(env, SEED, LEVEL)
    replies = [right(env, seed) for seed in range(SEED + 1, SEED + 100)]
    zero = {reply: done for reply in replies if not (done := score(address, reply)).value}
    return next(
        (reply for reply, done in zero.items() if done.status == "scored"), next(iter(zero))
    )


def cases() -> Iterator[dict[str, Any]]:
    """The fixtures: right, wrong and unreadable replies, the same again, and broken requests."""
    for env in PUZZLES:
        name, body = env.replace("/", "_"), request(env, right(env))
        full = {"request": body, "expected_reward": 1.0}
        yield {"name": f"{name}_full", "kind": "full_reward", **full}
        yield {"name": f"{name}_again", "kind": "determinism", **full}
        for label, reply in (("wrong", wrong(env)), ("no_answer", "I do not know.")):
            zero = {"request": request(env, reply), "expected_reward": 0.0}
            yield {"name": f"{name}_{label}", "kind": "zero_reward", **zero}
    yield from malformed()


def malformed() -> Iterator[dict[str, Any]]:
    """Requests that are refused, as what is missing or wrong in them is no reply of a model."""
    whole = request(PUZZLES[0], "I do not know.")
    named = whole["verifier_metadata"]
    without = {name: value for name, value in whole.items() if name != "response"}
    nowhere = {**whole, "verifier_metadata": {**named, "address": "logic/no_such_puzzle?seed=1"}}
    seedless = {**whole, "verifier_metadata": {**named, "address": "logic/knights_and_knaves"}}
    marked = {**whole, "verifier_metadata": {**named, "answer_format": "loud"}}
    broken = (
        ("without_response", without, "response"),
        ("unknown_environment", nowhere, "no environment is called"),
        ("address_without_seed", seedless, "seed"),
        ("unknown_answer_format", marked, "answer_format"),
    )
    for name, body, error in broken:
        expected = {"expected_error": error, "expected_error_type": "ValidationError"}
        yield {"name": name, "kind": "malformed", "request": body, **expected}


def write(folder: Path) -> None:
    """Write all files into a folder, beneath ``data`` and ``tests``."""
    files = {
        "data/example.jsonl": rows(PUZZLES),
        "data/example_turns.jsonl": rows(EPISODES),
        "tests/verifier_cases.jsonl": cases(),
    }
    for name, lines in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
