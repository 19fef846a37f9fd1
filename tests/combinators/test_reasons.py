"""What reasons tell a player who keeps to the answers that agree with them."""

import random
import re
from collections import Counter
from itertools import product

import pytest

from palaestra import Address, Episode
from palaestra.combinators.several_replies import GUESSABLE, SeveralReplies, chances
from palaestra.episode import TAGS
from palaestra.registry import load
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle

COUNTED = ("logic/syllogism", "logic/first_order_entailment", "induction/causal_blickets")
"""Environments with few values for each entry, whose reasons count the wrong entries."""

COMBINATORS = ("retry(3,reason)", "retry(10,reason)", "refine(2)", "refine(5)")

POOL = 20_000
WRONG = re.compile(r"(\d+) of the \d+ \w+ (?:is|are) wrong")


def climbed(task: SeveralReplies, values: list[str], rng: random.Random) -> float:
    """What a player earns who answers with what agrees with all counts of wrong entries so far."""
    labels = [line.rpartition(": ")[0] for line in task.task.answer().splitlines()]
    number = len(labels)
    if len(values) ** number <= POOL:
        pool = list(product(values, repeat=number))
    else:
        pool = [tuple(rng.choices(values, k=number)) for _ in range(POOL)]
    rng.shuffle(pool)
    episode = Episode(task, TAGS)
    while episode.score is None:
        guess = pool[0] if pool else tuple(rng.choices(values, k=number))
        answer = "\n".join(f"{label}: {value}" for label, value in zip(labels, guess))
        episode.step(TAGS.write(answer))
        if counted := WRONG.search(episode.observation):
            wrong = int(counted[1])
            pool = [c for c in pool if sum(a != b for a, b in zip(c, guess)) == wrong]
        else:
            pool = pool[1:] + pool[:1]
    return episode.score.value


@pytest.mark.parametrize("base", COUNTED)
def test_who_follows_the_reasons_earns_no_more_than_is_stated(base: str) -> None:
    played = 0
    level = load(base).Knobs.levels() // 2
    answers = [next(iter(Address.of(base, seed, level).task().solve())) for seed in range(90, 100)]
    values = sorted({line.rpartition(": ")[2] for text in answers for line in text.splitlines()})
    for combinator in COMBINATORS:
        earned = stated = 0.0
        for seed in range(40):
            try:
                task = Address.of(f"{base}+{combinator}", seed, level).task()
            except NoValidTask:
                continue
            assert isinstance(task, SeveralReplies)
            played += 1
            stated += task.random_baseline()
            earned += climbed(task, values, random.Random(seed))
        assert stated <= 40 * GUESSABLE
        assert earned <= stated + 3 * stated**0.5, combinator
    assert played >= 40


def test_ten_tries_with_reasons_are_refused_where_the_answers_are_few() -> None:
    for base in COUNTED:
        with pytest.raises(NoValidTask, match="10 guesses that follow the reasons"):
            Address.of(f"{base}+retry(10,reason)", 0, 3).task()
    assert Address.of("logic/syllogism+retry(10,verdict)", 0, 3).task()


@pytest.mark.parametrize("name", [*COUNTED, "geometry/point_in_polygon", "induction/row_rule"])
def test_an_answer_gets_no_more_reasons_than_are_taken_into_account(name: str) -> None:
    """The counts of wrong entries, over answers to other tasks."""
    level = load(name).Knobs.levels() // 2
    task = Address.of(name, 0, level).task()
    assert isinstance(task, Puzzle)
    reasons = Counter[str]()
    for seed in range(1, 120):
        try:
            score = task.verify(next(iter(Address.of(name, seed, level).task().solve())))
        except InvalidAnswer:
            continue
        reasons[score.reason] += not score.correct
    first, second = chances(task, 2, reasons=True)
    assert len(reasons) <= second / first
