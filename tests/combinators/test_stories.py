"""Tasks in stories: what they keep of the base's prompt, and how they are worded."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest

from palaestra import Address, Episode
from palaestra.combinators import COMBINATORS, stories
from palaestra.combinators.story import StoryPuzzle
from palaestra.envs.algebra.linear_system import LinearSystem
from palaestra.envs.algebra.simultaneous_congruences import SimultaneousCongruences
from palaestra.envs.graphs.critical_path import CriticalPath
from palaestra.envs.graphs.interval_independent_set import IntervalIndependentSet
from palaestra.envs.grids.n_queens import NQueens
from palaestra.envs.numbers.greatest_common_divisor import GreatestCommonDivisor
from palaestra.envs.optimisation.job_shop import JobShop
from palaestra.envs.optimisation.knapsack import Knapsack
from palaestra.envs.planning.water_jugs import WaterJugs
from palaestra.episode import BARE
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import WORDINGS, InvalidAnswer, NoValidTask, Puzzle

DOCS = Path(__file__).parents[2] / "docs" / "combinators.md"
STORIED = stories.names()

MORE = {
    "algebra/linear_system": "coefficients of 1 and -1 are not written in equations",
    "algebra/simultaneous_congruences": "factors of 1 are not written in statements",
    "arithmetic/long_multiplication": "the factors are repeated",
    "graphs/bipartite_matching": "the nodes of both sides are listed, and not all nodes before",
    "graphs/critical_path": "the nodes are listed once, with their days",
    "graphs/edge_colouring": "the number of colours is repeated",
    "graphs/maximum_flow": "the capacity 0 is a word",
    "graphs/shortest_path": "the ends of the path are repeated",
    "grids/n_queens": "the size is repeated",
}
"""Where some numbers occur more or less often than in the base's prompt, and why."""

every_environment = pytest.mark.parametrize("name", STORIED)


@cache
def tasks(name: str) -> tuple[Puzzle, ...]:
    """Two tasks of an environment at each level."""
    levels = range(load(name).Knobs.levels())
    drawn = [Address.of(name, seed, level).task() for level in levels for seed in (1, 2)]
    return tuple(task for task in drawn if isinstance(task, Puzzle))


def texts(name: str) -> Iterable[tuple[Puzzle, str]]:
    """The tasks, each in all stories."""
    for task in tasks(name):
        for number in range(stories.count(load(name))):
            yield task, stories.prompt(task, number)


def numbers_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+", text))


def base_prompt(task: Puzzle, wording: int = 0) -> str:
    """The prompt of a task, in which each edge of a graph occurs once."""
    task = task.model_copy(update={"wording": wording})
    if isinstance(task, GraphPuzzle):
        task = task.model_copy(update={"graph": task.graph._replace(encoding="edges")})
    return task.prompt()


def judged(task: Puzzle, answer: str) -> tuple[float, str]:
    try:
        score = task.verify(answer)
    except InvalidAnswer as error:
        return 0.0, str(error)
    return score.value, score.reason


def test_there_are_enough_of_them() -> None:
    assert len(STORIED) >= 14
    assert all(stories.count(load(name)) >= 2 for name in STORIED)
    assert set(MORE) <= set(STORIED) <= set(names())


@every_environment
def test_numbers_are_those_of_the_task(name: str) -> None:
    for task, text in texts(name):
        both = sum((numbers_of(base_prompt(task, wording)) for wording in (0, 1)), Counter[str]())
        if name in MORE:
            assert set(numbers_of(text)) <= {*both, "1"}
        else:
            assert numbers_of(text) in [numbers_of(base_prompt(task, n)) for n in (0, 1, 2, 3)]


@every_environment
def test_the_prompt_is_a_pure_function_of_the_task(name: str) -> None:
    for task, text in texts(name):
        again = type(task).model_validate(task.model_dump())
        assert text in [stories.prompt(again, number) for number in range(4)]
        assert text == text.strip()
        assert not re.search(r"[{}]|  (?! )|None|\bNetwork\b", text.replace("\n\n", "\n")), text
        assert len(text) < 3 * len(base_prompt(task)) + 1_200


@every_environment
def test_the_number_selects_the_story(name: str) -> None:
    task, number = tasks(name)[0], stories.count(load(name))
    different = [stories.prompt(task, n) for n in range(number)]
    assert len(set(different)) == number
    assert [stories.prompt(task, n) for n in range(WORDINGS)] == [
        different[n % number] for n in range(WORDINGS)
    ]


@every_environment
def test_the_combination_is_the_same_task(name: str) -> None:
    for number in (0, 1, 59):
        task = Address.of(f"{name}+story({number})", 1, 0).task()
        assert isinstance(task, StoryPuzzle)
        base = tasks(name)[0]
        assert task.task == base
        assert task.canonical() == base.canonical()
        assert task.held_out() == base.held_out()
        assert task.answer() == base.answer()
        assert stories.prompt(base, number) in Episode(task, BARE).observation


@every_environment
def test_right_and_wrong_answers_are_those_of_the_base(name: str) -> None:
    top = load(name).Knobs.levels() - 1
    for level in {0, top // 2, top}:
        task, other = (Address.of(f"{name}+story({seed})", seed, level).task() for seed in (1, 2))
        assert isinstance(task, StoryPuzzle)
        assert isinstance(other, StoryPuzzle)
        assert task.verify(task.answer()).value == 1
        for answer in mutants(task.answer(), other.answer()):
            assert judged(task, answer) == judged(task.task, answer)
            if level == 0 and judged(task, answer)[0] == 1:
                assert task.audit(answer) is not False


def mutants(answer: str, foreign: str) -> Iterable[str]:
    """The answer to another task, and answers with a line, a word or a number changed."""
    lines, rng = answer.split("\n"), Random(answer)
    yield from ("", foreign, "\n".join(lines[1:]), "\n".join(reversed(lines)), "(" * 5_000)
    for _ in range(4):
        number = rng.choice([*re.finditer(r"\w+", answer)])
        word = str(int(number[0]) + 1) if number[0].isdecimal() else rng.choice(foreign.split())
        yield f"{answer[: number.start()]}{word}{answer[number.end() :]}"


@every_environment
def test_the_example_is_not_the_answer(name: str) -> None:
    for task, text in texts(name):
        examples = re.findall(r"'([^'\n]{2,})'", text)
        assert all(judged(task, example)[0] < 1 for example in examples)


@every_environment
def test_the_documentation_lists_it(name: str) -> None:
    section = DOCS.read_text("utf-8").partition("## Stories\n")[2].partition("\n## ")[0]
    listed = re.findall(r"`([a-z_]+/[a-z0-9_]+)`", section)
    assert name in listed
    assert len(listed) == len(STORIED)


PLURALS = {
    noun: f"{noun}s"
    for noun in (
        *("token", "crate", "point", "dollar", "soldier", "orange", "minute", "vote", "reader"),
        *("day", "gallon", "millilitre", "pupil", "transmitter"),
    )
} | {"army": "armies"}
ONE = re.compile(rf"(?<![\d/-])\b1 (?:{'|'.join(PLURALS.values())})\b")
MANY = re.compile(rf"\b(?:\d{{2,}}|[02-9]) (?:{'|'.join(PLURALS)})\b")


def test_numbers_agree_with_their_nouns() -> None:
    for name in STORIED:
        for _, text in texts(name):
            assert not ONE.search(text), text
            assert not MANY.search(text), text


def graph_of(*edges: tuple[int, ...], nodes: int = 3) -> Graph:
    return Graph(tuple("ABCDEFGH"[:nodes]), edges, "edges", directed=True)


SMALL: list[tuple[Puzzle, list[str]]] = [
    (
        LinearSystem(left=((1, -1, 0), (2, 0, 1)), right=((0, 0, 1), (0, 1, 0))),
        [
            "A player collects 1 token x, and hands back 1 token y, and has a score of 1 point.",
            "One player collects 2 tokens x, and gets 1 point as a bonus; another collects 1 token",
            "A customer bought 1 crate of x, and returned 1 crate of y. The total is 1 dollar.",
        ],
    ),
    (
        LinearSystem(left=((1, 0, -3), (0, 1, 0)), right=((0, 0, 0), (0, 0, -1))),
        [
            "A player collects 1 token x, and gets 3 points as a penalty, and has a score of 0 ",
            "A customer bought 1 crate of y. The total is -1 dollars.",
        ],
    ),
    (
        LinearSystem(left=((1, 1, 0), (0, 0, 2)), right=((0, 0, 4), (1, -1, 0))),
        [
            "One player gets 2 points as a bonus; another collects 1 token x, and hands back 1 ",
            "One customer paid a fee of 2 dollars; another bought 1 crate of x, and returned 1 ",
        ],
    ),
    (
        LinearSystem(left=((1, 1, 0), (0, 0, 0)), right=((0, 0, 4), (1, -1, 0))),
        ["One player does nothing at all; another", "One customer left without anything; another"],
    ),
    (
        SimultaneousCongruences(congruences=((1, 1, 13), (2, 0, 10))),
        [
            "When 1 army lines up in rows of 13 soldiers, 1 soldier is left over.",
            "When 2 armies line up in rows of 10 soldiers, 0 soldiers are left over.",
            "From 1 crate, with bags of 13 oranges each: 1 orange remained.",
            "From 2 crates, with bags of 10 oranges each: 0 oranges remained.",
        ],
    ),
    (
        CriticalPath(graph=graph_of((0, 1), (1, 2)), days=(1, 2, 1)),
        ["A: 1 day\nB: 2 days\nC: 1 day", "B starts only when A is finished", "B before C"],
    ),
    (
        IntervalIndependentSet(names=("A", "B"), intervals=((0, 1, 1), (1, 2, 2))),
        ["A: from hour 0 to hour 1, 1 dollar", "B: from minute 1 to minute 2, 2 points"],
    ),
    (
        Knapsack(items=((1, 1), (2, 1)), capacity=1),
        ["has 1 minute left", "1: 1 minute, 1 vote\n2: 2 minutes, 1 vote", "has 1 dollar for"],
    ),
    (
        JobShop(jobs=(((0, 1), (1, 2)), ((1, 2), (0, 1)))),
        ["Patient 1: room 1 (1 minute), room 2 (2 minutes)", "Dish 2: cook 2 (2 minutes), cook 1"],
    ),
    (
        WaterJugs(sizes=(1, 3), start=(1, 0), jug=1, amount=1),
        ["A: 1 millilitre, full at the start", "exactly 1 gallon, which must be in barrel B"],
    ),
    (
        NQueens(board=(".Q..", "....", "....", "....")),
        ["1 pupil sits at a desk already", "find a desk for 3 more", "shows 1 transmitter with"],
    ),
    (
        NQueens(board=(".Q..", "...Q", "Q...", "....")),
        ["3 pupils sit at a desk", "find a desk for 1 more", "Add 1 more, so", "3 transmitters"],
    ),
    (
        GreatestCommonDivisor(numbers=(6, 10), what="multiple"),
        ["one for each lamp: 6, 10. After how many", "are possible: 6, 10. What is the smallest"],
    ),
]
"""Tasks with the numbers 0 and 1, and sentences of their stories."""


@pytest.mark.parametrize(("task", "sentences"), SMALL)
def test_small_numbers_are_grammatical(task: Puzzle, sentences: list[str]) -> None:
    both = "\n".join(stories.prompt(task, number) for number in (0, 1))
    assert [each for each in sentences if each not in both] == []


def test_directions_are_stated_where_they_matter() -> None:
    for task, text in texts("graphs/shortest_path"):
        assert isinstance(task, GraphPuzzle)
        assert ("in both directions" in text) != task.graph.directed
        assert ("in the stated direction only" in text) == task.graph.directed


def test_environments_without_stories_are_refused() -> None:
    with pytest.raises(UnknownEnvironment) as error:
        load("algebra/determinant+story(1)")
    assert ", ".join(STORIED) in str(error.value)
    with pytest.raises(UnknownEnvironment, match="stands before all other combinators"):
        load("grids/n_queens+confidence+story")
    with pytest.raises(UnknownEnvironment, match="number is an integer from 0 to 59, not '60'"):
        load("grids/n_queens+story(60)")


@pytest.mark.parametrize("combinator", sorted(set(COMBINATORS) - {"story"}))
def test_each_combinator_that_follows_keeps_the_oracle(combinator: str) -> None:
    for base in ("numbers/greatest_common_divisor", "graphs/critical_path"):
        with suppress(NoValidTask, UnknownEnvironment):
            episode = Episode(Address.of(f"{base}+story(1)+{combinator}", 3, 2).task(), BARE)
            for move in episode.task.solve():
                episode.step(move)
            assert episode.result().value == 1


SCRIPT = """
import sys
from palaestra import Address
for name in sys.argv[1:]:
    print(Address.of(f"{name}+story(1)", 4, 2).task().prompt())
"""


@pytest.mark.slow
def test_other_processes_write_the_same_stories() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *STORIED],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
