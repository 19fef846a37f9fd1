"""The parts that the score of a task has within the score of a combination."""

from palaestra.task import Score


def parts_of(score: Score, value: float) -> dict[str, float]:
    """The parts of a task's score where the combination's score has another value.

    ``progress`` is 1 exactly if the combination is solved: where the task itself is solved, it is
    the combination's value, and so it is where that is partial credit.

    >>> parts_of(Score(1, parts={"progress": 1}), 0.5)
    {'progress': 0.5}
    """
    parts = dict(score.parts)
    if 0 < value < 1 or (score.correct and "progress" in parts):
        parts["progress"] = min(parts.get("progress", value), value)
    return parts
