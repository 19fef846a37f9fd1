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

FEW = "both take some microseconds; Palaestra adds the canonical form and the held-out split"
ROUNDS = "Palaestra generates rules until a text is rewritten for many steps and terminates"
CELLS = "Palaestra asks for several numbers, and samples until they are informative"
PROGRAMS = "Palaestra proves that all programs that fit the examples give the same answer"

SLOWER = {
    "ab": ROUNDS,
    "acre": (
        "Palaestra decides every object by all sets of causes that fit; reasoning-gym fills "
        "a fixed scheme"
    ),
    "aiw": (
        "Palaestra asks several questions, and samples until the numbers in the text are not "
        "the answers"
    ),
    "arc_1d": PROGRAMS,
    "arc_agi": (
        "Palaestra proves that all programs that fit the examples give the same answer; "
        "reasoning-gym uses a fixed set"
    ),
    "binary_matrix": CELLS,
    "boxnet": (
        "Palaestra schedules several boxes, and samples until some have to move at the same time"
    ),
    "circuit_logic": "Palaestra asks for several outputs, and samples until they differ",
    "codeio": "Palaestra generates the program; reasoning-gym uses a fixed set",
    "coin_flip": ("Palaestra uses biased coins, and samples until the denominator is large enough"),
    "color_cube_rotation": "Palaestra asks for all six faces",
    "course_schedule": (
        "Palaestra samples until the alphabetical order and the listed order are wrong"
    ),
    "cryptarithm": "Palaestra proves that only one choice of digits fits",
    "dice": (
        "Palaestra asks for several statistics, and samples until the denominator is large enough"
    ),
    "emoji_mystery": "Palaestra writes a text around the message and uses several methods",
    "family_relationships": "Palaestra asks several questions with different answers",
    "graph_color": (
        "Palaestra proves that fewer colours are not sufficient and that trivial colourings "
        "are wrong"
    ),
    "group_anagrams": "Palaestra generates more words, many of them almost anagrams",
    "gsm_symbolic": (
        "Palaestra composes each story; reasoning-gym fills one of a hundred templates"
    ),
    "isomorphic_strings": (
        "Palaestra asks about several pairs at once, since one pair is a yes-or-no question"
    ),
    "jugs": ("Palaestra searches all states for tasks that need the required number of steps"),
    "largest_island": CELLS,
    "letter_counting": "Palaestra asks for several counts at once",
    "letter_jumble": "Palaestra finds all words of the list that fit",
    "list_functions": "Palaestra proves that all short functions that fit give the same answer",
    "mahjong_puzzle": "Palaestra samples until the rounds have different outcomes",
    "maze": CELLS,
    "modulo_grid": "Palaestra proves that all rules that fit give the same cells",
    "n_queens": (
        "Palaestra generates a board and proves uniqueness; reasoning-gym computes all "
        "boards in advance"
    ),
    "needle_haystack": "Palaestra asks several questions, with facts that are almost the same",
    "number_filtering": "Palaestra samples until each of several conditions matters",
    "number_format": (
        "Palaestra asks for the order of several numbers that are close to each other"
    ),
    "number_sequence": "Palaestra proves that all rules that fit continue in the same way",
    "palindrome_generation": (
        "Palaestra generates rules that exclude most palindromes, and searches for one"
    ),
    "palindrome_partitioning": "Palaestra asks for the fewest parts; greedy partitions need more",
    "path_star": (
        "Palaestra samples until neither the fewest edges nor greedy steps give the shortest path"
    ),
    "propositional_logic": "Palaestra decides several claims over all valuations",
    "ransom_note": (
        "Palaestra asks for the maximum number of words, where a greedy choice gives fewer; "
        "reasoning-gym asks a yes-or-no question"
    ),
    "rearc": PROGRAMS,
    "rectangle_count": (
        "Palaestra counts four kinds of rectangles, including those of overlapping frames"
    ),
    "rotten_oranges": CELLS,
    "rubiks_cube": "Palaestra searches for the minimum number of turns",
    "rush_hour": (
        "Palaestra generates a board and searches all its positions; reasoning-gym uses a "
        "stored list"
    ),
    "self_reference": "Palaestra proves that only one assignment is consistent",
    "sentence_reordering": "Palaestra proves that only one order satisfies the grammar",
    "shortest_path": CELLS,
    "simple_geometry": "Palaestra generates facts about many angles and derives all consequences",
    "string_manipulation": ROUNDS,
    "string_splitting": ROUNDS,
    "string_synthesis": ROUNDS,
    "survo": "Palaestra proves that only one filling fits",
    "syllogism": "Palaestra decides several conclusions over all models",
    "tsumego": "Palaestra searches all lines of play",
}
"""Why generation takes longer in Palaestra; :data:`FEW` is the reason for all others."""

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
    """The comparison in Markdown; generating a task takes ``least`` seconds or more."""
    draws = median(row["draw_ratio"] for row in found)
    ours, theirs = (
        1e6 / median(row[name] for row in found) for name in ("verdicts", "peer_verdicts")
    )
    earned = [[best(row[name]) for row in found] for name in ("unskilled", "peer_unskilled")]
    executed = sum(bool(row["peer_unskilled"]["executed"]) for row in found)
    within = sum(row["peer_draws"] * 3 * least < 1 for row in found)
    summary = (
        f"The {len(found)} families below exist in both collections and are compared at about the "
        "same size. Rates are tasks generated per second and answers judged per second. In the "
        f"median, Palaestra generates {draws:.2f} times as many tasks as reasoning-gym. It judges "
        f"an answer by rules, in {ours:.0f} µs in the median; reasoning-gym, which mostly compares "
        f"two texts, takes {theirs:.1f} µs.\n\n"
        f"Generating a task takes Palaestra at least {1e6 * least:.0f} µs, for the seed, the "
        "canonical form that detects duplicates, and the held-out split; a task of reasoning-gym "
        f"takes {1e6 / median(row['peer_draws'] for row in found):.0f} µs in the median. A task "
        "that consists of one random number would be generated three times as fast as "
        f"reasoning-gym's in {within} of the families.\n\n"
        f"Players without skill score more than 0.05 in {sum(n > 0.05 for n in earned[0])} "
        f"families of Palaestra (at most {max(earned[0]):.2f}) and in "
        f"{sum(n > 0.05 for n in earned[1])} of reasoning-gym (at most {max(earned[1]):.2f}). In "
        f"{executed} families, reasoning-gym executed a reply."
    )
    head = (
        "| Palaestra | reasoning-gym | tasks/s | r-g | ratio | judged/s | r-g | ratio "
        "| no skill | r-g | executed by r-g |"
    )
    lines = [
        "# Comparison with reasoning-gym",
        "",
        summary,
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
        lines += [
            "",
            "Families in which Palaestra generates fewer tasks per second, and the reason:",
            "",
        ]
        lines += [f"- {title}: {SLOWER.get(title, FEW)}." for title in slower]
    return "\n".join([*lines, ""])
