"""Evaluate a model with inspect_ai on any of palaestra's tasks.

inspect eval examples/inspect_tasks.py --model openai/gpt-4o-mini \
  -T tasks="games/mastermind?split=eval&seeds=0:50"
"""

from typing import Any

from inspect_ai import Task, task

from palaestra.trainers.inspect_ai import evaluation


@task
def palaestra(
    tasks: str = "logic/knights_and_knaves?split=eval&seeds=0:100",
    answer_format: str = "tags",
    max_turns: int | None = None,
    user: dict[str, Any] | None = None,
) -> Task:
    """Play selections of tasks, separated by spaces."""
    return evaluation(tasks, answer_format, max_turns, user)
