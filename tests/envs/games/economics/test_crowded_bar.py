"""The El Farol bar, by its rules in words and by trying all plans."""

import re
from itertools import product

import pytest

import palaestra
from palaestra.address import Address
from palaestra.envs.games.economics.crowded_bar import CrowdedBar
from palaestra.generators.games.economics.crowded_bar import GOES
from palaestra.generators.games.economics.stated_players import State
from palaestra.generators.states import encoded
from palaestra.task import InvalidAnswer
from palaestra.testing.baselines import baseline_scores


def goes(words, who, weeks):
    """Whether a visitor goes, by the sentence of its rule; weeks are sets of those who went."""
    early, last = weeks[-2:]
    number = int((re.search(r"\d+", words) or [0])[0])
    if words.startswith("does what it did"):
        return (who in last) == (len(last) <= number)
    conditions = {
        r"at most \d+ (people|person) went in the previous week": len(last) <= number,
        r"at least \d+ (people|person) went in the previous week": len(last) >= number,
        r"at most \d+ (people|person) went two weeks before": len(early) <= number,
        r"the numbers of people of the two .* add up to at most \d+": (
            len(early) + len(last) <= number
        ),
        r"fewer people went in the previous week than .*": len(last) < len(early),
        r"more people went in the previous week than .*": len(last) > len(early),
        r"you went in the previous week": "you" in last,
        r"you went two weeks before": "you" in early,
        r"you stayed at home in the previous week": "you" not in last,
        r"it stayed at home in the previous week": who not in last,
        r"it stayed at home in both of the two previous weeks": who not in last | early,
        r"[A-F] went in the previous week": words[8:9] in last,
        r"[A-F] stayed at home in the previous week": words[8:9] not in last,
    }
    words = words.removeprefix("goes if ")
    (holds,) = [holds for pattern, holds in conditions.items() if re.fullmatch(pattern, words)]
    return holds


def played(task, plan):
    """The points of a plan, by the text of the first observation alone."""
    text = palaestra.Episode(task).observation
    good = int(re.search(r"(\d+) points (?:to you if|for going if the)", text)[1])
    crowded = int(re.search(r"(\d+) points (?:if it is more|for going if it)", text)[1])
    home = [int(points) for points, _ in re.findall(r"(\d+) points in week (\d+)", text)]
    seats = int(re.search(r"if (?:only )?(\d+) p|no more than (\d+)", text).expand(r"\1\2"))
    rules = dict(re.findall(r"^([A-F]) ((?:goes|does) .*)\.$", text, re.MULTILINE))
    weeks = [
        {*re.findall(r"you|\b[A-F]\b", line.partition(":")[2].partition(" at the")[0])}
        for line in re.findall(r"^Week -?\d+: .*$", text, re.MULTILINE)
    ]
    assert (len(weeks), len(rules)) == (2, len(task.others))
    points = 0
    assert len(home) == len(plan)
    for evening, move in zip(home, plan, strict=True):
        there = {who for who, words in rules.items() if goes(words, who, weeks)}
        weeks.append(there | ({"you"} if move == "go" else set()))
        points += evening if move == "stay" else good if len(weeks[-1]) <= seats else crowded
    return points


@pytest.mark.parametrize("level", range(6))
def test_the_plan_has_the_points_by_the_words_of_the_prompt(level):
    for seed in range(12):
        task = Address.of("games/crowded_bar", seed, level).task()
        plan = [*task.solve()]
        assert len(plan) == task.moves
        assert played(task, plan) == task.need


@pytest.mark.parametrize("seed", range(8))
def test_no_plan_has_more_points(seed):
    task = Address.of("games/crowded_bar", seed, level=1).task()
    points = [played(task, plan) for plan in product(("go", "stay"), repeat=task.moves)]
    assert max(points) == task.need
    assert points.count(task.need) / len(points) == pytest.approx(task.random_baseline())


@pytest.mark.parametrize("name", GOES)
def test_each_rule_is_as_its_words_say(name):
    for seed in range(20):
        before = tuple(tuple((seed >> (n + 3 * r)) & 1 for n in range(3)) for r in range(2))
        task = CrowdedBar(
            position=encoded(State(5, 0, before)), moves=5, need=1,
            others=(("late copy", 0), (name, 2)), seats=2, good=9, crowded=1, home=(4, 2, 8, 3, 4),
        )  # fmt: skip
        plan, rules = [("stay", "go")[(seed * 13 + 7 * n) % 3 % 2] for n in range(5)], task.rules()
        state = task.start()
        for move in plan:
            state = rules.apply(state, rules.read(state, move))
        assert state.points == played(task, plan), (name, before, plan)


def test_players_without_search():
    middle, top = (baseline_scores("games/crowded_bar", level, range(60)) for level in (3, 5))
    assert len(middle) > 7
    assert max(middle.values()) <= 0.15
    assert max(top.values()) <= 0.05


@pytest.mark.parametrize(
    ("text", "move"),
    [("go", 1), ("Stay.", 0), ("I go to the bar", 1), ("stay at home", 0), ("**GO**", 1),
     ("I'll stay home", 0), ("my decision is to go", 1)],
)  # fmt: skip
def test_decisions_are_read(text, move):
    task = Address.of("games/crowded_bar", 1, level=3).task()
    assert task.rules().read(task.start(), text) == move


@pytest.mark.parametrize("text", ["", "go or stay", "maybe", "1", "go " * 200])
def test_other_texts_are_refused(text):
    task = Address.of("games/crowded_bar", 1, level=3).task()
    with pytest.raises(InvalidAnswer):
        task.rules().read(task.start(), text)


def test_the_picture_shows_all_decisions():
    task = Address.of("games/crowded_bar", 2, level=3).task()
    rules, state = task.rules(), task.start()
    for move in (0, 1, 1):
        state = rules.apply(state, move)
    table = rules.scene(state)
    assert [[int(cell.text == "go") for cell in row] for row in table.rows] == [
        [*moves] for moves in state.rounds
    ]
    assert table.left == ("-1", "0", "1", "2", "3")
