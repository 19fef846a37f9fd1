"""Tests of tools/conflicting_sources."""

import json
import re
from collections import Counter
from random import Random

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.conflicting_sources import ConflictingSources
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.conflicting_sources.client import answering, read
from palaestra.generators.tools.conflicting_sources.dates import date, day_of
from palaestra.generators.tools.conflicting_sources.policy import OPTIONAL, TYPES, random_policy
from palaestra.generators.tools.conflicting_sources.web import DAYS, TOPIC_OF
from palaestra.generators.tools.conflicting_sources.wording import text
from palaestra.generators.tools.engine import BUSY, acting
from palaestra.testing.baselines import baseline_scores
from palaestra.toolbox import call

NAME = "tools/conflicting_sources"


def instance(seed: int, level: int, **knobs: int) -> ConflictingSources:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, ConflictingSources)
    return task


class Reader:
    """The rules as a reader of their text understands them, who goes over all pages."""

    def __init__(self, task):
        self.rules = re.search(r"Rules:\n(.*?)\n\n", task.brief(), re.DOTALL)[1]
        order = re.search(r"rank in this order: (.*?)\. Of", self.rules)[1]
        singular = {f"{each}s": each for each in TYPES} | {"companies": "company"}
        self.tiers = [
            {singular[word] for word in re.findall(r"\w+", part) if word in singular}
            for part in order.split("; then ")
        ]
        assert sum(map(len, self.tiers)) == len(TYPES)
        unsigned = re.search(r"Unsigned pages of (.*?) do not", self.rules)
        self.unsigned = {singular[w] for w in unsigned[1].split(" and ")} if unsigned else set()
        cut = re.search(r"A page from before (.*?) does not", self.rules)
        self.cut = day_of(cut[1]) if cut else 0
        excluded = re.search(r"Pages of (\w+) do not count for (\w+)", self.rules)
        self.excluded = (singular[excluded[1]], excluded[2][:-1]) if excluded else None
        self.pages = {}
        for page in task.pages:
            attribute, claim = read(text(page))
            self.pages[claim.address] = (page.question.subject, attribute, claim)

    def scope(self, noun, notice):
        """Whether a notice may have an effect."""
        stated = re.search(rf"A {noun} has an effect (.*?):", self.rules)
        if not stated:
            return False
        return (
            stated[1].startswith("whoever")
            or self.pages[notice.refers][2].publisher == notice.publisher
        )

    def left(self, subject, attribute):
        """The pages that are left when all others are crossed out."""
        claims = {
            address: claim
            for address, (each, name, claim) in self.pages.items()
            if (each, name) == (subject, attribute)
        }
        effective = {
            each.address
            for each in claims.values()
            if each.form in ("correction", "retraction") and self.scope(each.form, each)
        }
        # Later notices come first, as nothing is about a page that comes after it.
        for each in sorted(claims.values(), key=lambda claim: -claim.day):
            if each.address in effective and each.form == "retraction":
                effective.discard(each.refers)
        void = {claims[address].refers for address in effective}
        crossed = (
            lambda each: each.address in void,
            lambda each: each.form in ("copy", "retraction"),
            lambda each: each.form == "correction" and not self.scope("correction", each),
            lambda each: each.form == "forecast" and "planned or expected" in self.rules,
            lambda each: each.day < self.cut,
            lambda each: each.type in self.unsigned and not each.signed,
            lambda each: self.excluded == (each.type, TOPIC_OF[attribute]),
        )
        return [each for each in claims.values() if not any(test(each) for test in crossed)]

    def answer(self, subject, attribute):
        left = self.left(subject, attribute)
        rank = min((n for n, t in enumerate(self.tiers) for c in left if c.type in t), default=None)
        if rank is None:
            return "unresolved"
        left = [each for each in left if each.type in self.tiers[rank]]
        if "the latest date wins" in self.rules:
            latest = max(left, key=lambda each: each.day).day
            values = {each.value for each in left if each.day == latest}
        elif "most publishers state" in self.rules:
            votes = Counter()
            for publisher in {each.publisher for each in left}:
                own = [each for each in left if each.publisher == publisher]
                votes[max(own, key=lambda each: each.day).value] += 1
            ranked = votes.most_common()
            values = {value for value, number in ranked if number == ranked[0][1]}
        else:
            values = {each.value for each in left}
        return str(values.pop()) if len(values) == 1 else "unresolved"


@pytest.mark.parametrize(("level", "seeds"), [(0, 70), (1, 60), (2, 50), (3, 40), (4, 25), (6, 20)])
def test_the_oracle_wins_and_another_reading_of_the_rules_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        assert len(task.solution) * 1.2 < task.calls
        reader = Reader(task)
        answers = [reader.answer(each.subject, each.attribute) for each in task.questions]
        assert answers == [*task.goal.values()]


def gathered(task, question, has_notices):
    """The numbers on the pages that a reader collects who sees what tools show, by address."""
    world, numbers, wanted = task.world(), {}, re.escape(question.attribute)

    def use(tool, **arguments):
        result = BUSY
        while result == BUSY:
            result, _ = world.use(call(tool, **arguments))
        return result

    def listed(text, title):
        return re.findall(rf"^(\S+): (?:{title}) \(", text, re.MULTILINE | re.IGNORECASE)

    left, page, last = [], 1, 1
    while page <= last:
        text = use("search", query=question.subject, page=page)
        page, last = page + 1, int(text.rpartition(" of ")[2].strip(")"))
        left += listed(text, question.subject)
    while left:
        address = left.pop()
        *_, body = use("open_page", address=address).splitlines()
        sentence = next((each for each in body.split(". ") if re.search(wanted, each)), None)
        if sentence:
            stated = re.search(r"(?<![\d/])\d+", re.sub(r"[a-z-]+/\d+", "", sentence))
            numbers[address] = int(stated[0]) if stated else 0
            if has_notices:
                left += listed(use("links_to", address=address), "correction|retraction")
    return numbers


@pytest.mark.parametrize("level", range(7))
def test_who_searches_and_follows_links_finds_all_pages_on_a_question(level: int) -> None:
    for seed in range(8):
        task = instance(seed, level)
        reader = Reader(task)
        has_notices = "orrections and retractions" in reader.rules
        for question in task.questions:
            on_it = {
                address: claim.value
                for address, (subject, attribute, claim) in reader.pages.items()
                if (subject, attribute) == (question.subject, question.attribute)
            }
            assert gathered(task, question, has_notices) == on_it


def test_some_conflicts_are_unresolved_and_all_rules_occur() -> None:
    tasks = [instance(seed, 2) for seed in range(100)]
    answers = Counter(value for task in tasks for value in task.goal.values())
    assert 0.1 < answers["unresolved"] / answers.total() < 0.3
    assert answers.most_common(2)[1][1] < 0.05 * answers.total()
    for name in OPTIONAL:
        assert 10 < sum(bool(getattr(task.rules, name)) for task in tasks) < 90
    assert len({task.rules.choice for task in tasks}) == 3


@pytest.mark.parametrize("level", range(7))
def test_rules_matter_for_each_question(level: int) -> None:
    traps = type(instance(0, 0)).Knobs.at(level).traps
    for seed in range(6):
        task = instance(seed, level)
        for question, value in zip(task.questions, task.goal.values(), strict=True):
            topic = TOPIC_OF[question.attribute]
            claims = [page.claim for page in task.pages if page.question == question]
            others = [policy.verdict(topic, claims) for policy in task.rules.relaxed()]
            assert sum(str(each or "unresolved") != value for each in others) >= traps


def test_pages_are_read_as_they_are_meant() -> None:
    for seed in range(5):
        for page in instance(seed, 6).pages:
            assert read(text(page)) == (page.question.attribute, page.claim)


def test_there_are_namesakes_and_other_numbers_of_the_same_things() -> None:
    for seed in range(10):
        task = instance(seed, 4)
        for question in task.questions:
            titles = {page.question for page in task.pages if page.question.name == question.name}
            assert any(each.region != question.region for each in titles)
            assert any(each.attribute != question.attribute for each in titles)


def test_dates() -> None:
    assert [day_of(date(day)) for day in range(0, 4_000, 7)] == [*range(0, 4_000, 7)]


@pytest.mark.parametrize("level", range(7))
def test_wrong_answers_earn_nothing_and_the_last_one_counts(level: int) -> None:
    for seed in range(5):
        task = instance(seed, level, busy=0)
        number = len(task.questions)
        right = task.goal["answer", str(number)]
        others = {"unresolved", "0", "123456", str(int(right) + 1) if right.isdecimal() else "1"}
        for wrong in sorted(others - {right}):
            move = call("submit_answer", question=number, value=wrong)
            back = call("submit_answer", question=number, value=right)
            assert score(task, *task.solution, move).value == 0
            assert score(task, *task.solution, move, back).value == 1
        assert score(task, *task.solution[:-1]).value == 0


@pytest.mark.parametrize(
    "form", ["{}", " {} .", '"{}"', "`{}`", "**{}**", "{} metres", "({})", "{} m", "{}.0"]
)
def test_answers_are_compared_without_their_dress(form: str) -> None:
    for seed in range(12):
        task = instance(seed, 2, busy=0)
        moves = []
        for (_, number), value in task.goal.items():
            dressed = form.format(value) if value.isdecimal() else value.upper()
            moves.append(call("submit_answer", question=int(number), value=dressed))
        assert score(task, *moves).value == 1


def test_the_oracle_holds_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    play = acting(answering(task.rules, task.questions))
    while episode.scores is None:
        episode.step(play(episode.turn))
    assert episode.score.value == 1


def test_rewards_add_up_to_the_score() -> None:
    task = instance(5, 3)
    wrong = call("submit_answer", question=1, value="77")
    for moves in ([*task.solution, "done"], [*task.solution, wrong, wrong, "done"], ["?", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_the_same_moves_lead_to_the_same_states() -> None:
    task = instance(2, 4)
    runs = []
    for _ in range(2):
        episode = Episode(task, BARE)
        runs.append(
            [(episode.step(m), episode.turn.state, episode.observation) for m in task.solution]
        )
    assert runs[0] == runs[1]


def test_errors_and_busy_services_change_nothing() -> None:
    task = instance(2, 6)
    world = task.world()
    address = task.pages[0].claim.address
    for move in (
        call("submit_answer", question=0, value="1"),
        call("submit_answer", question=9, value="1"),
        call("submit_answer", question=10**40, value="1"),
        call("submit_answer", question=True, value="1"),
        call("submit_answer", question=1, value=1),
        *(
            call("submit_answer", question=1, value=value)
            for value in ("", "-3", "12 or 13", "1.5", "9" * 10_000, "four", "1" * 25, "3 4", "٣")
        ),
        call("open_page", address="nowhere/1"),
        call("open_page", address=["a"]),
        call("links_to", address="x" * 10_000),
        call("search", query=""),
        call("search", query="x" * 10_000),
        call("search", query="x", page=0),
        call("search", query="x", page=10**30),
        call("no_such_tool"),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error"), move[:90]
        assert not world.changes()
    results = {world.use(call("open_page", address=address.upper()))[0] for _ in range(99)}
    assert results == {BUSY, text(task.pages[0])}


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    calls = [json.loads(move) for move in task.solution]
    named = [{"name": each["tool"], "arguments": each["args"]} for each in calls]
    assert score(task, *(json.dumps(calls[n : n + 20]) for n in range(0, 99, 20))).value == 1
    tagged = [f"<tool_call>\n{json.dumps(each)}\n</tool_call>" for each in named]
    assert score(task, *tagged).value == 1
    listed = [
        f"{each['tool']}({', '.join(f'{k}={v!r}' for k, v in each['args'].items())})"
        for each in calls
    ]
    assert score(task, *listed).value == 1


def test_policies_are_worded_without_repetition() -> None:
    rng = Random(1)
    seen = set()
    for _ in range(300):
        rules = random_policy(rng, rng.randint(0, 6), DAYS).rules()
        assert len({*rules}) == len(rules)
        seen.add(tuple(rules))
    assert len(seen) == 300


def test_seeds_give_different_tasks() -> None:
    assert len({instance(seed, 0).canonical() for seed in range(200)}) == 200


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_no_rule_of_thumb_wins_in_more_than_one_of_20_tasks(level: int) -> None:
    """Players who read all pages on each question, and decide nothing."""
    guesses = {
        "unresolved": lambda claims: "unresolved",
        "first": lambda claims: claims[0].value,
        "latest": lambda claims: max(claims, key=lambda each: each.day).value,
        "oldest": lambda claims: min(claims, key=lambda each: each.day).value,
        "commonest": lambda claims: Counter(each.value for each in claims).most_common()[0][0],
        "rarest": lambda claims: Counter(each.value for each in claims).most_common()[-1][0],
        "largest": lambda claims: max(each.value for each in claims),
        "smallest": lambda claims: min(each.value for each in claims),
    }
    wins = Counter[str]()
    for seed in range(400, 700):
        task = instance(seed, level)
        pages = [
            [each.claim for each in task.pages if each.question == question and each.claim.value]
            for question in task.questions
        ]
        for name, guess in guesses.items():
            wins[name] += [str(guess(claims)) for claims in pages] == [*task.goal.values()]
    assert max(wins.values()) <= 15


@pytest.mark.parametrize(("level", "limit"), [(1, 0.06), (3, 0.06), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    rng = Random(level)
    values = baseline_scores(NAME, level, range(300, 340))
    assert max(values.values()) <= limit
    earned = 0.0
    for seed in range(20):
        task = instance(seed, level)
        moves = [call("open_page", address=rng.choice(task.pages).claim.address) for _ in range(5)]
        for number in range(1, len(task.questions) + 1):
            value = str(rng.choice(task.pages).claim.value)
            moves.append(call("submit_answer", question=number, value=value))
        earned += score(task, *moves).value / 20
    assert earned <= 0.05


@pytest.mark.parametrize("level", range(7))
def test_the_opening_does_not_depend_on_the_pages(level):
    task, other = instance(0, level), instance(1, level)
    swapped = task.model_copy(update={"pages": other.pages})
    assert Episode(swapped).observation == Episode(task).observation
