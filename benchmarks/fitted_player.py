"""What a player fitted on solved tasks earns in the tool worlds, without understanding any.

    python -m benchmarks.fitted_player [NAME ...] [--level N] [--train N] [--tasks N]

The player has the prompts, calls and results of the perfect player for training tasks. For a new
task it takes the training task whose prompt shares most words and makes the calls made there. An
argument is a pattern: where it stood in the prompt or in the result of an earlier call, what stands
there now takes its place, between the same words; other arguments stay as they are. So it is a
table of patterns that is fitted and not written by hand. A world whose requests come in a few fixed
forms, and whose records need not be compared, is won by it.
"""

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import palaestra
from palaestra.address import Address
from palaestra.registry import load, names
from palaestra.task import Puzzle, Task
from palaestra.toolbox import call

LEFT, RIGHT = 3, 2
"""So many words on each side of an argument are its pattern."""

LONGEST = 12
"""The largest number of words of an argument that is looked for."""

_WORD = re.compile(r"\w+|[^\w\s]")


class Text(NamedTuple):
    """A prompt or a result, with the places of its words."""

    text: str
    words: list[str]
    spans: list[tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> "Text":
        """A text as words."""
        matches = [*_WORD.finditer(text[:60_000])]
        return cls(text, [match[0] for match in matches], [match.span() for match in matches])


class Pattern(NamedTuple):
    """Where an argument stood: in which text, and between which words."""

    source: int
    left: tuple[str, ...]
    right: tuple[str, ...]


class Step(NamedTuple):
    """A call of a training task, with the patterns of its arguments."""

    tool: str
    arguments: dict[str, Any]
    patterns: dict[str, Pattern]


class Example(NamedTuple):
    """A solved task."""

    words: Counter[str]
    steps: list[Step]


def example(task: Task) -> Example:
    """The prompt of a task, and how the perfect player solves it."""
    episode = palaestra.Episode(task, "bare")
    texts, steps = [Text.of(episode.observation)], list[Step]()
    for move in task.solve():
        try:
            parsed = json.loads(move)
        except ValueError:
            break
        arguments = parsed["args"]
        patterns = {name: _pattern(texts, value) for name, value in arguments.items()}
        known = {name: each for name, each in patterns.items() if each is not None}
        steps.append(Step(parsed["tool"], arguments, known))
        episode.step(move)
        if episode.scores is not None:
            break
        texts.append(Text.of(episode.observation))
    return Example(Counter(texts[0].words), steps)


def _pattern(texts: Sequence[Text], value: Any) -> Pattern | None:
    """Where a value stands, in the latest text that has it."""
    wanted = _WORD.findall(str(value))
    for source in range(len(texts) - 1, -1, -1):
        words = texts[source].words
        for at in range(len(words) - len(wanted) + 1 if wanted else 0):
            if words[at : at + len(wanted)] == wanted:
                end = at + len(wanted)
                left, right = words[max(0, at - LEFT) : at], words[end : end + RIGHT]
                return Pattern(source, tuple(left), tuple(right))
    return None


def _filled(pattern: Pattern, texts: Sequence[Text], value: Any) -> Any:
    """What stands between the words of a pattern now; the old value where nothing does."""
    if pattern.source >= len(texts):
        return value
    text, words, spans = texts[pattern.source]
    best, at = 0, 0
    for position in range(1, len(words)):
        near = zip(reversed(pattern.left), reversed(words[:position][-LEFT:]))
        score = sum(LEFT - n for n, (one, other) in enumerate(near) if one == other)
        if score > best:
            best, at = score, position
    if not best:
        return value
    ends = range(at + 1, min(len(words), at + LONGEST) + 1)
    end = next((n for n in ends if tuple(words[n : n + RIGHT]) == pattern.right), at + 1)
    filled = text[spans[at][0] : spans[min(end, len(spans)) - 1][1]]
    if isinstance(value, int) and not isinstance(value, bool):
        return int(filled) if re.fullmatch(r"-?\d{1,18}", filled) else value
    return filled if isinstance(value, str) else value


def earned(task: Task, examples: Sequence[Example]) -> float:
    """What the player earns in a task."""
    episode = palaestra.Episode(task, "bare")
    texts = [Text.of(episode.observation)]
    words = Counter(texts[0].words)
    nearest = max(examples, key=lambda each: (each.words & words).total())
    for step in nearest.steps:
        values = {
            name: _filled(step.patterns[name], texts, value) if name in step.patterns else value
            for name, value in step.arguments.items()
        }
        episode.step(call(step.tool, **values))
        if episode.score is not None:
            return episode.score.value
        texts.append(Text.of(episode.observation))
    while episode.score is None:
        episode.step("done")
    return episode.score.value


def main() -> None:
    """Print a line for each world, and those in which the player earns more than 0.05."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--level", type=int, action="append")
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--tasks", type=int, default=40)
    options = parser.parse_args()
    worlds = [n for n in names() if n.startswith("tools/") and not issubclass(load(n), Puzzle)]
    above = []
    for name in options.names or sorted(worlds):
        top = load(name).Knobs.levels() - 1
        for level in options.level or (2, top):
            examples = [
                example(Address.of(name, seed, level).task()) for seed in range(options.train)
            ]
            tests = range(10_000, 10_000 + options.tasks)
            scores = [earned(Address.of(name, seed, level).task(), examples) for seed in tests]
            mean = sum(scores) / len(scores)
            print(f"{name:32} level {level} {mean:.3f}", flush=True)
            if mean > 0.05:
                above.append(f"{name} at level {level}")
    print(f"above 0.05: {', '.join(above) or 'none'}")


if __name__ == "__main__":
    main()
