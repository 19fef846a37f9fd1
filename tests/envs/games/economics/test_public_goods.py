"""The public goods game, by its rules in words and by trying all plans."""

import re
from itertools import product

import pytest

import palaestra
from palaestra.address import Address
from palaestra.envs.games.economics.public_goods import PublicGoods
from palaestra.generators.games.economics.public_goods import FOLLOW, LASTING, QUICK
from palaestra.generators.games.economics.stated_players import State
from palaestra.generators.states import encoded
from palaestra.task import InvalidAnswer
from palaestra.testing.baselines import baseline_scores


def number(words):
    return int(re.search(r"\d+", words)[0])


def contribution(words, tokens, letter, rounds):  # noqa: PLR0912  a branch for each rule
    """What the sentence of a rule says; rounds are dicts of contributions by letter."""
    early, last = rounds[-2:]
    total = sum(last.values())
    if words.startswith("contributes the mean contribution"):
        return total // len(last)
    if words.startswith("contributes the mean of your"):
        return (early["you"] + last["you"]) // 2
    if words.startswith("contributes the largest"):
        return max(last.values())
    if words.startswith("contributes the smallest"):
        return min(last.values())
    if words.startswith("contributes as much as you did in"):
        return last["you"]
    if words.startswith("contributes as much as you did two"):
        return early["you"]
    if match := re.match(r"contributes as much as ([A-F]) did", words):
        return last[match[1]]
    if words.startswith("contributes one token more than you"):
        return min(tokens, last["you"] + 1)
    if words.startswith("contributes one token less than you"):
        return max(0, last["you"] - 1)
    if words.startswith("contributes one token more than it"):
        more = last["you"] >= last[letter]
        return min(tokens, last[letter] + 1) if more else max(0, last[letter] - 1)
    assert words.startswith(f"contributes {number(words)}")
    if " if " not in words:
        return number(words)
    assert number(words) == tokens
    condition = words.partition(" if ")[2]
    if condition.startswith("all players"):
        holds = all(last.values())
    elif condition.startswith("you contributed"):
        holds = min(early["you"], last["you"]) >= number(condition)
    elif condition.startswith("the contributions of two rounds before"):
        holds = sum(early.values()) >= number(condition)
    else:
        assert condition.startswith("the contributions of the previous round")
        holds = total >= number(condition)
    return tokens if holds else 0


def played(task, plan):
    """The points of a plan, by the text of the first observation alone."""
    text = palaestra.Episode(task).observation
    keep = [int(points) for points, _ in re.findall(r"(\d+) points in round (\d+)", text)]
    share = int(re.search(r"(\d+) points (?:to each player|for each token in)", text)[1])
    tokens = int(re.search(r"(?:has|gets) (\d+) tokens", text)[1])
    rules = dict(re.findall(r"^([A-F]) (contributes .*)\.$", text, re.MULTILINE))
    rounds = [
        {who: int(n) for who, n in re.findall(r"(you|[A-F]) (\d+)", line.partition(":")[2])}
        for line in re.findall(r"^Round .*$", text, re.MULTILINE)
    ]
    assert len(rounds) == 2
    points = 0
    assert len(keep) == len(plan)
    for worth, move in zip(keep, plan, strict=True):
        others = {a: contribution(words, tokens, a, rounds) for a, words in rules.items()}
        rounds.append({"you": move} | others)
        points += worth * (tokens - move) + share * sum(rounds[-1].values())
    return points


@pytest.mark.parametrize("level", range(6))
def test_the_plan_has_the_points_by_the_words_of_the_prompt(level):
    for seed in range(12):
        task = Address.of("games/public_goods", seed, level).task()
        plan = [int(move.split()[1]) for move in task.solve()]
        assert len(plan) == task.moves
        assert played(task, plan) == task.need


@pytest.mark.parametrize("seed", range(8))
def test_no_plan_has_more_points(seed):
    task = Address.of("games/public_goods", seed, level=0).task()
    points = [played(task, plan) for plan in product(range(task.tokens + 1), repeat=task.moves)]
    assert max(points) == task.need
    assert points.count(task.need) / len(points) == pytest.approx(task.random_baseline())


@pytest.mark.parametrize("name", [*QUICK, *LASTING, FOLLOW])
def test_each_rule_is_as_its_words_say(name):
    first = ("constant", 1)
    for seed in range(20):
        before = tuple(tuple((seed // 3**n + n * r) % 4 for n in range(3)) for r in range(2))
        task = PublicGoods(
            position=encoded(State(4, 0, before)), moves=4, need=1,
            others=(first, (name, 2)), tokens=3, keep=(5, 3, 4, 5), share=2,
        )  # fmt: skip
        plan, rules = [(seed * 7 + n * 5) % 4 for n in range(4)], task.rules()
        state = task.start()
        for move in plan:
            state = rules.apply(state, move)
        assert state.points == played(task, plan), (name, before, plan)


def test_players_without_search():
    middle, top = (baseline_scores("games/public_goods", level, range(40)) for level in (3, 5))
    assert len(middle) > 9
    assert max(middle.values()) <= 0.15
    assert max(top.values()) <= 0.05


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("contribute 2", 2), ("2", 2), ("I contribute 2 tokens.", 2), ("**contribute 0**", 0),
     ("nothing", 0), ("all", 3), ("2 tokens", 2), ("My move is to contribute 1", 1)],
)  # fmt: skip
def test_contributions_are_read(text, tokens):
    task = Address.of("games/public_goods", 1, level=3).task()
    assert task.tokens == 3
    assert task.rules().read(task.start(), text) == tokens


@pytest.mark.parametrize(
    "text", ["", "4", "-1", "1.5", "contribute", "1 or 2", "keep 2", "9" * 500]
)
def test_other_texts_are_refused(text):
    task = Address.of("games/public_goods", 1, level=3).task()
    with pytest.raises(InvalidAnswer):
        task.rules().read(task.start(), text)


def test_the_picture_shows_all_contributions():
    task = Address.of("games/public_goods", 2, level=3).task()
    rules, state = task.rules(), task.start()
    for move in (0, 3, 1):
        state = rules.apply(state, move)
    table = rules.scene(state)
    assert [[int(cell.text.split()[-1]) for cell in row] for row in table.rows] == [
        [*moves] for moves in state.rounds
    ]
    assert table.left == ("-1", "0", "1", "2", "3")
