"""What players without skill earn in an environment that was imported."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from palaestra.episode import Episode
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import JudgeError, NoValidTask, Puzzle, Task

HIGH = 0.05
"""A floor above this is stated as a warning."""

TASKS, OTHERS = 16, 48
"""Tasks that are played, and other tasks whose commonest answer is tried."""

EPISODES, REPEATS = 8, 60
"""Episodes of several turns that are played, and the replies of each."""

TEXTS = ("0", "1", "2", "yes", "no", "True", "False", "None", "A", "[]", "{}", "?", "1 2 3")
"""Constant answers that are tried in every environment."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The highest mean score of a player without skill, and that player."""

    value: float = 0.0
    player: str = ""
    oracle: float | None = 1.0
    """The mean score of the environment's own answers; None where it has none."""

    @property
    def is_measured(self) -> bool:
        """Whether any player has been tried."""
        return bool(self.player)

    @property
    def warning(self) -> str:
        """What a user should know, or nothing."""
        parts = []
        if not self.is_measured:
            parts.append("What players without skill earn was not measured.")
        if self.value > HIGH:
            parts.append(f"Warning: {self.player} scores {self.value:.2f} on average.")
        if self.oracle is None:
            parts.append("It has no solutions.")
        elif self.oracle < 1:
            parts.append(f"Warning: its own answers score {self.oracle:.2f} on average.")
        return " ".join(parts)

    def summary(self, title: str) -> str:
        """The first line of a docstring, with the warning."""
        text = f"{title}. {self.warning}".strip()
        return text.replace("\\", "\\\\").replace('"', '\\"')


def floor_of(task_type: type[Puzzle], level: int | None = None) -> Floor:
    """Measure players on tasks of a level, the middle one by default.

    They answer with nothing, with the prompt, with :data:`TEXTS`, and with the commonest answer of
    other tasks. A judge that fails counts as 0.
    """
    own = task_type.Knobs.levels()
    knobs = task_type.Knobs.at(own // 2 if level is None else level)
    tasks = list(_tasks(task_type, knobs, TASKS, "played"))
    if not tasks:
        return Floor()
    others = [task.answer() for task in _tasks(task_type, knobs, OTHERS, "other")]
    commonest, _ = Counter(others).most_common(1)[0] if others else ("", 0)
    solved = [(task, answer) for task in tasks if (answer := task.answer())]
    answers = {"an empty answer": "", f"the constant answer {_shown(commonest)}": commonest}
    answers |= {f"the constant answer {_shown(text)}": text for text in TEXTS}
    earned = {
        player: mean(_value(task, text) for task in tasks) for player, text in answers.items()
    }
    earned["the prompt as an answer"] = mean(_value(task, task.prompt()) for task in tasks)
    player = max(earned, key=lambda name: earned[name])
    oracle = mean(_value(*each) for each in solved) if solved else None
    return Floor(earned[player], player, oracle)


def floor_of_episodes(task_type: type[Task], constants: Sequence[str]) -> Floor:
    """What the best of some players earns who repeat one reply, on tasks of the first level.

    A judge that fails counts as 0, and so does an episode that is not over after
    :data:`REPEATS` replies.
    """
    knobs = task_type.Knobs.at(0)
    tasks = [task_type.sample(Rng(f"played {seed}"), knobs) for seed in range(EPISODES)]
    earned = {reply: mean(_repeated(task, reply) for task in tasks) for reply in constants}
    best = max(earned, key=lambda reply: earned[reply])
    return Floor(earned[best], f"the constant reply {_shown(best)}")


def _repeated(task: Task, reply: str) -> float:
    """The score of a player who repeats a reply until the end."""
    episode = Episode(task, "bare")
    try:
        for _ in range(REPEATS):
            if episode.score is not None:
                break
            episode.step(reply)
    except JudgeError:
        return 0.0
    return 0.0 if episode.score is None else episode.score.value


def _tasks(
    task_type: type[Puzzle], knobs: Puzzle.Knobs, number: int, label: str
) -> Iterator[Puzzle]:
    """Tasks of the training split, fewer where the environment has no more."""
    for seed in range(number):
        try:
            yield task_type.sample(Rng(f"{label} {seed}"), knobs, held_out=False, tries=50)
        except NoValidTask:
            return


def _value(task: Puzzle, answer: str) -> float:
    try:
        return score(task, [answer], "bare").value
    except JudgeError:
        return 0.0


def _shown(text: str) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= 30 else f"{shown[:30]}…")
