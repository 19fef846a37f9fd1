"""Tests of tools/long_context_reading."""

import re
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.tools.long_context_reading import LongContextReading
from palaestra.generators.tools.encyclopedia.reader import read
from palaestra.generators.tools.encyclopedia.schema import INVERSES, LISTS, TRAITS, YEARS
from palaestra.task import InvalidAnswer
from palaestra.testing.baselines import baseline_scores
from palaestra.verifiers.reading.labels import numbered

NAME = "tools/long_context_reading"


def instance(seed: int, level: int, **knobs: int) -> LongContextReading:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, LongContextReading)
    return task


def articles(task):
    """The articles of the prompt, read from its text."""
    parts = re.findall(r"^## (.*\n.*)$", task.prompt(), re.MULTILINE)
    return {reading.title: reading for reading in map(read, parts)}


def brute_force(readings, question):
    """The answer by a join over all articles of the prompt."""

    def end_of(chain):
        values = {
            title
            for title, reading in readings.items()
            if re.sub(r" \(.*", "", title) == chain.name
            and reading.type == chain.type
            and (not chain.trait or chain.trait == reading.facts[TRAITS[chain.type][0]])
        }
        assert len(values) == 1
        for step in chain.path:
            if step in INVERSES:
                relation = INVERSES[step].relation
                values = {t for t, each in readings.items() if each.facts.get(relation) in values}
                assert len(values) == 1
            else:
                values = {readings[title].facts.get(step) for title in values} - {None}
        return next(iter(values), None)

    def year(title):
        return int(readings[title].facts.get(YEARS[readings[title].type], 0))

    results = [end_of(chain) for chain in question.chains]
    if None in results:
        return "unknown"
    if question.form == "follow":
        return results[0]
    if question.form == "years":
        return str(abs(int(results[0]) - int(results[1])))
    if question.form == "compare":
        dated = sorted((year(title), title) for title in results)
        return "unknown" if dated[0][0] == 0 else dated[-1 if question.later else 0][1]
    if question.form == "count":
        relation = LISTS[readings[results[0]].type][0]
        years = [year(t) for t, each in readings.items() if each.facts.get(relation) == results[0]]
        assert all(years)
        assert len(years) == len(readings[results[0]].members)
        return str(sum(y > question.bound if question.later else y < question.bound for y in years))
    heads = re.findall(r"([^,]+?) from (\d+)(?:, |$)", readings[results[0]].facts["members"])
    return max((int(y), title) for title, y in heads if int(y) <= int(results[1]))[1]


@pytest.mark.parametrize(("level", "seeds"), [(0, 80), (1, 60), (2, 40), (3, 20), (4, 8), (6, 4)])
def test_the_oracle_wins_and_brute_force_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert task.verify(task.answer()).value == 1
        readings = articles(task)
        for question, gold in zip(task.questions, task.gold, strict=True):
            assert brute_force(readings, question) == gold, question


@pytest.mark.parametrize("level", range(7))
def test_the_text_is_about_as_long_as_the_knob_says(level: int) -> None:
    for seed in range(3):
        task = instance(seed, level)
        assert 0.95 < len("\n\n".join(task.texts)) / 4 / task.tokens < 1.2
        assert len(articles(task)) == len(task.texts)


def test_a_quarter_of_a_million_tokens_is_allowed() -> None:
    task = instance(1, 6, tokens=256_000)
    assert len(task.prompt()) > 1_000_000
    assert task.verify(task.answer()).value == 1


def test_questions_of_all_forms_occur_and_some_have_no_answer() -> None:
    tasks = [instance(seed, 1, questions=1, unanswerable=30) for seed in range(120)]
    assert len({task.questions[0].form for task in tasks}) == 5
    assert 15 < sum("unknown" in task.gold for task in tasks) < 60
    assert all("unknown" not in instance(seed, 0).gold for seed in range(40))


@pytest.mark.parametrize("level", range(5))
def test_other_answers_earn_nothing(level: int) -> None:
    rng = Random(level)
    for seed in range(8):
        task = instance(seed, level)
        titles = [*articles(task)]
        wrong = [*rng.sample(titles, 5), "unknown", "0", f"{task.gold[-1]} or not", "{" * 150]
        for answer in wrong:
            if answer != task.gold[-1]:
                values = [*task.gold[:-1], answer]
                result = task.verify(numbered(values))
                assert result.value == 0
                assert result.parts["progress"] == 1 - 1 / len(values)
        for answer in ("", "x" * 10_000, "1", "9: 3", numbered([*task.gold, "x"])):
            with pytest.raises(InvalidAnswer):
                task.verify(answer)


@pytest.mark.parametrize("form", ["{}", " {} .", '"{}"', "THE {}", "**{}**", "an  {}", "({})"])
def test_answers_are_compared_without_their_dress(form: str) -> None:
    for seed in range(15):
        task = instance(seed, 2)
        for answers in (task.gold, [answer.upper() for answer in task.gold]):
            assert task.verify(numbered(map(form.format, answers))).value == 1


def test_each_article_has_rivals_that_share_its_name() -> None:
    """Namesakes of needed articles stand in the text, so that a name alone is not enough."""
    shared = 0
    for seed in range(10):
        names = [re.sub(r" \(.*", "", title) for title in articles(instance(seed, 4))]
        shared += len(names) - len({*names})
    assert shared > 50


def test_seeds_give_the_same_prompt_again_and_different_ones_others() -> None:
    prompts = [instance(seed, 0).prompt() for seed in range(50)]
    assert len({*prompts}) == 50
    assert prompts == [instance(seed, 0).prompt() for seed in range(50)]


@pytest.mark.parametrize(("level", "limit"), [(1, 0.05), (3, 0.05), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    number = 40 if level < 6 else 20
    assert max(baseline_scores(NAME, level, range(100, 100 + number)).values()) <= limit
