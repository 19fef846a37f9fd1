"""Ours beside reasoning-gym's, family by family: rates, and what is earned without any skill.

Theirs is taken at its default settings, ours with cases of about the same size. Both are timed from
a seed to the text of a question. The players without skill are the same for both: they say nothing,
repeat the question, give the answer of another task (the one that earns most), or say what has
fooled judges before. Scores are means over the same number of tasks; the largest over the players
is what counts.
"""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from random import Random
from statistics import mean, median
from typing import Any, Self

from palaestra.address import Address
from palaestra.bench import PEERS, per_second
from palaestra.registry import load
from palaestra.scoring import score
from palaestra.task import Puzzle, Score, Task, Unscored

TASKS, CONSTANTS = 40, 20

CANARY = "PALAESTRA_BENCH_CANARY"
EXECUTES = f"__import__('os').environ.__setitem__('{CANARY}', '1')"
"""A reply that leaves a harmless trace where it is executed."""

FEW = "both take some µs; ours adds the form that finds duplicates, and the evaluation reserve"
ROUNDS = "ours draws rules until a text is rewritten for many steps and comes to an end"
CELLS = "ours asks for more than one number, and draws until they tell something"

PROGRAMS = "ours proves that every program that fits the examples gives the same answer"

SLOWER = {
    "ab": ROUNDS,
    "acre": "ours decides every object by all sets of causes that fit; theirs fills a fixed scheme",
    "aiw": "ours asks several questions, and draws until the tellers' own numbers are wrong",
    "arc_1d": PROGRAMS,
    "arc_agi": (
        "ours proves that every program that fits the examples gives the same answer; theirs "
        "takes one of a fixed set"
    ),
    "binary_matrix": CELLS,
    "boxnet": "ours schedules several boxes, and draws until some have to move at the same time",
    "circuit_logic": "ours asks for several outputs, and draws until they differ",
    "codeio": "ours draws a program of its own, theirs takes one of a fixed set",
    "coin_flip": "ours asks of biased coins, and draws until the denominator is not small",
    "color_cube_rotation": "ours asks for all six faces",
    "course_schedule": "ours draws until the orders by name and as listed are wrong",
    "cryptarithm": "ours proves that only one choice of digits fits",
    "dice": "ours asks of several statistics, and draws until the denominator is not small",
    "emoji_mystery": "ours writes a text around the message, in several ways",
    "family_relationships": "ours asks several questions, of which no two have the same answer",
    "graph_color": (
        "ours proves that fewer colours are not enough, and that no colouring without thought "
        "is right"
    ),
    "group_anagrams": "ours makes more words, many of them nearly anagrams",
    "gsm_symbolic": "ours composes each story; theirs fills one of a hundred templates",
    "isomorphic_strings": "ours asks about several pairs at once, since one is yes or no",
    "jugs": "ours searches all states for tasks that need as many steps as they should",
    "largest_island": CELLS,
    "letter_counting": "ours asks for several counts at once",
    "letter_jumble": "ours finds all words of the list that fit",
    "list_functions": "ours proves that every short function that fits says the same",
    "mahjong_puzzle": "ours draws until the rounds have different outcomes",
    "maze": CELLS,
    "modulo_grid": "ours proves that every rule that fits fills the cells alike",
    "n_queens": "ours draws a board and proves it unique; theirs has all boards beforehand",
    "needle_haystack": (
        "ours asks several questions, with facts beside them that are nearly the same"
    ),
    "number_filtering": "ours draws until each of several conditions matters",
    "number_format": "ours asks for the order of several numbers that are near one another",
    "number_sequence": "ours proves that every rule that fits goes on alike",
    "palindrome_generation": "ours draws rules that forbid most palindromes, and searches for one",
    "palindrome_partitioning": "ours asks for the fewest parts, where greed takes more",
    "path_star": "ours draws until neither the fewest edges nor greed make the shortest path",
    "propositional_logic": "ours decides several claims by all valuations",
    "ransom_note": (
        "ours asks for the most words that can be made, where greed makes fewer; theirs is yes "
        "or no"
    ),
    "rearc": PROGRAMS,
    "rectangle_count": "ours counts four kinds of rectangles, those of overlapping frames included",
    "rotten_oranges": CELLS,
    "rubiks_cube": "ours searches for how few turns are enough",
    "rush_hour": (
        "ours lays out a board and searches all its positions; theirs takes one of a stored list"
    ),
    "self_reference": "ours proves that only one assignment is consistent",
    "sentence_reordering": "ours proves that only one order keeps the grammar",
    "shortest_path": CELLS,
    "simple_geometry": "ours draws facts about many angles, and works out all that follows",
    "string_manipulation": ROUNDS,
    "string_splitting": ROUNDS,
    "string_synthesis": ROUNDS,
    "survo": "ours proves that only one filling fits",
    "syllogism": "ours decides several conclusions by all models",
    "tsumego": "ours searches all lines of play",
}
"""Why ours takes longer to draw; :data:`FEW` is why for all others."""

HOSTILE = (
    "nan", "inf", "-1", "0", "1", "None", "True", "[]", "{}", "()", "''", "a", "1e999", "0/0",
    "[nan, nan]", "6+6+6+6", "Integral(f, x)", "lambda: 0", "<answer></answer>", "\\boxed{}",
    "yes no", "0 1 2 3 4 5 6 7 8 9", "{'answer': 1}", "[[1]]", EXECUTES,
)  # fmt: skip


class _OneNumber(Puzzle):
    """The least that a task can be: a random number to be repeated.

    What it takes to draw it, every draw takes: seeding, wording, canonical form, reserve.
    """

    number: int

    @classmethod
    def generate(cls, rng: Random, knobs: Puzzle.Knobs) -> Self:
        return cls(number=rng.randrange(1_000_000))

    def prompt(self) -> str:
        return f"Repeat {self.number}."

    def answer(self) -> str:
        return str(self.number)

    def verify(self, answer: str) -> Score:
        return Score(float(answer == self.answer()))


def least_draw(seconds: float = 0.2) -> float:
    """How long a draw takes at least, in seconds."""
    return 1 / per_second(lambda n: drawn(_OneNumber, _OneNumber.Knobs(), n), seconds)


def drawn(kind: type[Task], knobs: Task.Knobs, seed: int) -> str:
    """What the task of a seed asks."""
    return _opening(kind.draw(Random(seed), knobs, reserved=False))


def families(names: Sequence[str] = ()) -> list[str]:
    """Those of reasoning-gym's families that are named, or have a counterpart that is; all of them
    where nothing is named. Raises ``ValueError`` for a name of neither.
    """
    ours = {title: address.partition("?")[0] for title, address in PEERS.items()}
    if odd := sorted(set(names) - ours.keys() - set(ours.values())):
        raise ValueError(
            f"no counterpart is known of {odd[0]}; reasoning-gym has {', '.join(PEERS)}"
        )
    return [title for title in PEERS if not names or {title, ours[title]} & set(names)]


def beside(title: str, seconds: float = 0.2) -> dict[str, Any]:
    """All figures of a family of reasoning-gym. Raises ``ModuleNotFoundError`` without it."""
    with redirect_stdout(StringIO()), warnings.catch_warnings():  # some of theirs print
        warnings.simplefilter("ignore")
        return _beside(title, seconds)


def _beside(title: str, seconds: float) -> dict[str, Any]:
    import reasoning_gym

    address = Address.parse(PEERS[title])
    kind, knobs = load(address.env), address.knobs
    data = reasoning_gym.create_dataset(title, size=500, seed=1)
    items = [data[n] for n in range(TASKS)]
    tasks = [kind.draw(Random(seed), knobs, reserved=False) for seed in range(TASKS)]
    moves = [list(task.solve()) for task in tasks]
    told: dict[str, Any] = {
        "env": PEERS[title],
        "peer": title,
        "draws": per_second(lambda n: drawn(kind, knobs, n), seconds),
        "peer_draws": per_second(lambda n: data[n % 500], seconds),
        "verdicts": per_second(lambda n: score(tasks[n % 40], moves[n % 40], "bare"), seconds),
        "peer_verdicts": per_second(lambda n: _theirs(data, items[n % 40]), seconds),
        "unskilled": unskilled(
            [_opening(task) for task in tasks],
            [row[0] for row in moves],
            lambda place, reply: _judged(tasks[place], reply),
        ),
        "peer_unskilled": unskilled(
            [item["question"] for item in items],
            [str(item["answer"]) for item in items],
            lambda place, reply: float(data.score_answer(reply, items[place])),
        ),
    }
    return told | {
        "draw_ratio": told["draws"] / told["peer_draws"],
        "verdict_ratio": told["verdicts"] / told["peer_verdicts"],
    }


def _opening(task: Task) -> str:
    """What is asked, without what a style says about tags."""
    turn = next(task.play())
    return turn if isinstance(turn, str) else turn.says


def _judged(task: Task, reply: str) -> float:
    try:
        return score(task, [reply], "bare").value
    except Unscored:
        return 0.0


def _theirs(data: Any, item: Mapping[str, Any]) -> float:
    return float(data.score_answer(str(item["answer"]), item))


def unskilled(
    questions: Sequence[str], answers: Sequence[str], judge: Callable[[int, str], float]
) -> dict[str, float | bool]:
    """What each player without skill earns, and whether a reply was executed."""
    every = range(len(questions))

    def earned(reply: Callable[[int], str]) -> float:
        return mean(_safely(judge, place, reply(place)) for place in every)

    os.environ.pop(CANARY, None)
    found: dict[str, float | bool] = {
        "blank": earned(lambda place: ""),
        "echo": earned(lambda place: questions[place]),
        "constant": max(
            mean(_safely(judge, place, answer) for place in every if answers[place] != answer)
            if any(each != answer for each in answers) else 1.0
            for answer in dict.fromkeys(answers[:CONSTANTS])
        ),
        "hostile": max(earned(lambda place, reply=reply: reply) for reply in HOSTILE),  # type: ignore[misc]
    }  # fmt: skip
    found["executed"] = CANARY in os.environ
    os.environ.pop(CANARY, None)
    return found


def _safely(judge: Callable[[int, str], float], place: int, reply: str) -> float:
    """A verdict; a judge that fails gives none, which a trainer would see as 0."""
    try:
        return judge(place, reply)
    except Exception:  # noqa: BLE001  it is a peer's, and may raise anything
        return 0.0


def best(told: Mapping[str, float | bool]) -> float:
    """The most that any player without skill earns."""
    return max(float(told[name]) for name in ("blank", "echo", "constant", "hostile"))


def page(found: Sequence[Mapping[str, Any]], least: float) -> str:
    """The comparison in Markdown, where a draw of ours takes ``least`` seconds or more."""
    draws = median(row["draw_ratio"] for row in found)
    ours, theirs = (
        1e6 / median(row[name] for row in found) for name in ("verdicts", "peer_verdicts")
    )
    earned = [[best(row[name]) for row in found] for name in ("unskilled", "peer_unskilled")]
    executed = sum(bool(row["peer_unskilled"]["executed"]) for row in found)
    within = sum(row["peer_draws"] * 3 * least < 1 for row in found)
    told = (
        f"Over {len(found)} families that both have, with cases of about the same size, ours draws "
        f"{draws:.2f} times as many a second in the median. Ours judges an answer by its rules, in "
        f"{ours:.0f} µs in the median; theirs, which mostly compares two texts, in {theirs:.1f} "
        "µs.\n\n"
        f"Every draw of ours takes {1e6 * least:.0f} µs at least, for the seed, the canonical form "
        "that finds duplicates and the evaluation reserve; a draw of theirs takes "
        f"{1e6 / median(row['peer_draws'] for row in found):.0f} µs in the median. A task that "
        "consists of one random number would be drawn three times as fast as theirs in "
        f"{within} of the families.\n\n"
        f"Without skill more than 0.05 is earned in {sum(n > 0.05 for n in earned[0])} of ours, "
        f"{max(earned[0]):.2f} at most, and in {sum(n > 0.05 for n in earned[1])} of theirs, "
        f"{max(earned[1]):.2f} at most; in {executed} of theirs a reply was executed."
    )
    head = (
        "| ours | theirs | draws/s | theirs | ratio | judged/s | theirs | ratio "
        "| unskilled | theirs | executed by theirs |"
    )
    lines = [
        "# Beside reasoning-gym",
        "",
        told,
        "",
        head,
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in found:
        rates = [
            f"{row[name]:,.0f} | {row[f'peer_{name}']:,.0f} | {row[ratio]:.2f}"
            for name, ratio in (("draws", "draw_ratio"), ("verdicts", "verdict_ratio"))
        ]
        theirs = row["peer_unskilled"]
        lines.append(
            f"| {row['env']} | {row['peer']} | {rates[0]} | {rates[1]} "
            f"| {best(row['unskilled']):.2f} | {best(theirs):.2f} "
            f"| {'yes' if theirs['executed'] else ''} |"
        )
    slower = sorted(row["peer"] for row in found if row["draw_ratio"] < 1)
    if slower:
        lines += ["", "Where ours draws fewer a second, and why:", ""]
        lines += [f"- {title}: {SLOWER.get(title, FEW)}." for title in slower]
    return "\n".join([*lines, ""])
