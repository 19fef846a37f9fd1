"""What a player fitted on solved tasks earns in the tool worlds, without understanding any.

    python -m benchmarks.fitted_player [NAME ...] [--level N] [--train N] [--tasks N]
        [--results FILE] [--page]

The player has the prompts, calls and results of the perfect player for training tasks. For a new
task it takes the training task whose prompt shares most words and makes the calls made there. An
argument is a pattern: where it stood in the prompt or in the result of an earlier call, what stands
there now takes its place, between the same words; other arguments stay as they are. A call that
fails because a service is busy is repeated. So it is a table of patterns that is fitted and not
written by hand. A task that it was fitted on it wins; a world is won by it if requests come in a
few fixed forms and records need not be compared.

The results file has a JSON line for each world and level, written as soon as it is measured; a
rerun measures what is missing there for the version of the world. ``--page`` writes the table of
docs/tool_worlds.md from the results file.
"""

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import palaestra
from palaestra.address import Address
from palaestra.generators.tools.engine import BUSY
from palaestra.registry import load, names
from palaestra.task import Puzzle, Task
from palaestra.toolbox import call

LEFT, RIGHT = 3, 2
"""So many words on each side of an argument are its pattern."""

LONGEST = 12
"""The largest number of words of an argument that is looked for."""

LIMIT = 0.05
"""The most that the player should earn at level 2 and above."""

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "fitted_player.jsonl"
"""Committed, so that a rerun anywhere measures only what is missing or of another version."""
PAGE = ROOT / "docs" / "tool_worlds.md"
BEGIN, END = "<!-- fitted player: begin -->\n", "<!-- fitted player: end -->\n"
"""The marks of the part of the page that is written."""

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
    """Where an argument stood: in which text, between which words, and at which of the places that
    follow these words alike.
    """

    source: int
    left: tuple[str, ...]
    right: tuple[str, ...]
    rank: int
    length: int


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
        episode.step(move)
        if episode.scores is None and BUSY in episode.observation:
            continue  # the perfect player repeats the call
        steps.append(Step(parsed["tool"], arguments, known))
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
                rank = _places(words, left).index(at) if left else 0
                return Pattern(source, tuple(left), tuple(right), rank, len(wanted))
    return None


def _places(words: Sequence[str], left: Sequence[str]) -> list[int]:
    """The positions before which most of some words stand; the nearest one counts most."""
    scores = [0] * (len(words) + 1)
    for distance, word in enumerate(reversed(left)):
        for position, other in enumerate(words, distance + 1):
            if word == other and position < len(words):
                scores[position] += LEFT - distance
    best = max(scores)
    return [n for n, score in enumerate(scores) if score == best] if best else []


def _filled(pattern: Pattern, texts: Sequence[Text], value: Any) -> Any:
    """What stands between the words of a pattern now; the old value where nothing does."""
    if pattern.source >= len(texts):
        return value
    text, words, spans = texts[pattern.source]
    places = _places(words, pattern.left)
    if not places:
        return value
    at = places[min(pattern.rank, len(places) - 1)]
    ends = [at + pattern.length, *range(at + 1, at + LONGEST + 1)]
    fitting = (n for n in ends if tuple(words[n : n + RIGHT]) == pattern.right and n <= len(words))
    end = next(fitting, min(at + 1, len(words)))
    filled = text[spans[at][0] : spans[end - 1][1]]
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
        while episode.score is None and BUSY in episode.observation:
            episode.step(call(step.tool, **values))
        if episode.score is not None:
            return episode.score.value
        texts.append(Text.of(episode.observation))
    while episode.score is None:
        episode.step("done")
    return episode.score.value


class Row(NamedTuple):
    """What the player earns in a world at a level, and from how many solved tasks."""

    name: str
    version: int
    level: int
    train: int
    tasks: int
    mean: float

    @classmethod
    def measured(cls, name: str, level: int, train: int, tasks: int) -> "Row":
        """Measure the player on tasks that it has not been fitted on."""
        examples = [example(Address.of(name, seed, level).task()) for seed in range(train)]
        tests = range(10_000, 10_000 + tasks)
        scores = [earned(Address.of(name, seed, level).task(), examples) for seed in tests]
        return cls(name, load(name).version, level, train, tasks, sum(scores) / tasks)

    def is_current(self) -> bool:
        """Whether it was measured for the present version of the world."""
        return self.version == load(self.name).version


def worlds() -> list[str]:
    """The names of all tool worlds of several turns."""
    every = (name for name in names() if name.startswith("tools/"))
    return sorted(name for name in every if not issubclass(load(name), Puzzle))


def levels(name: str) -> tuple[int, ...]:
    """The levels that are measured: the lowest, the lowest with a limit, and the top."""
    return 0, 2, load(name).Knobs.levels() - 1


def read(file: Path) -> dict[tuple[str, int], Row]:
    """The current rows of a results file by world and level."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    known = set(worlds())
    rows = [row for row in (Row(**json.loads(line)) for line in lines) if row.name in known]
    return {(row.name, row.level): row for row in rows if row.is_current()}


def table(rows: Mapping[tuple[str, int], Row]) -> str:
    """The part of the page: a table, and the worlds above the limit."""
    lines = ["| world | level 0 | level 2 | top level | solved tasks | tests |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for name in worlds():
        measured = [rows.get((name, level)) for level in levels(name)]
        means = " | ".join(f"{row.mean:.3f}" if row else "–" for row in measured)
        counts = " | ".join(_range(getattr(row, key) for row in measured if row) for key in _COUNTS)
        lines.append(f"| `{name.partition('/')[2]}` | {means} | {counts} |")
    above = [f"`{row.name}` at level {row.level}" for row in rows.values() if is_above(row)]
    return "\n".join(
        [*lines, "", f"Above {LIMIT} from level 2 on: {', '.join(above) or 'none'}.", ""]
    )


_COUNTS = ("train", "tasks")


def _range(values: Iterable[int]) -> str:
    return " to ".join(map(str, sorted({*values}))) or "–"


def is_above(row: Row) -> bool:
    """Whether the player earns more than it should."""
    return row.level >= 2 and row.mean > LIMIT


def write_page(rows: Mapping[tuple[str, int], Row], page: Path = PAGE) -> None:
    """Write the table between the marks of the page."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{page.name} lacks the marks {BEGIN.strip()} and {END.strip()}")
    page.write_text(f"{before}{BEGIN}\n{table(rows)}\n{END}{after}", "utf-8")


def main() -> None:
    """Measure what is missing, and print a line for each world and level."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--level", type=int, action="append")
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", action="store_true", help=f"write the table of {PAGE.name}")
    options = parser.parse_args()
    rows = read(options.results)
    for name in options.names or ([] if options.page else worlds()):
        for level in options.level or levels(name):
            if (name, level) not in rows:
                row = rows[name, level] = Row.measured(name, level, options.train, options.tasks)
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row._asdict()) + "\n")
            print(f"{name:32} level {level} {rows[name, level].mean:.3f}", flush=True)
    if options.page:
        write_page(rows)
    above = [f"{row.name} at level {row.level}" for row in rows.values() if is_above(row)]
    print(f"above {LIMIT} from level 2 on: {', '.join(above) or 'none'}")


if __name__ == "__main__":
    main()
