"""Tests of tools/cited_answers."""

import json
from random import Random

import pytest
from tests.envs.tools.playing import caller, score

from palaestra.address import Address
from palaestra.envs.tools.cited_answers import CitedAnswers
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.cited_answers.client import Reporter, read_numbered
from palaestra.generators.tools.cited_answers.world import GLOSSARY, statements
from palaestra.generators.tools.encyclopedia.reader import read
from palaestra.generators.tools.encyclopedia.schema import INVERSES, RELATIONS, TRAITS, YEARS
from palaestra.generators.tools.encyclopedia.world import normalised
from palaestra.generators.tools.engine import BUSY
from palaestra.testing.baselines import baseline_scores
from palaestra.toolbox import call

NAME = "tools/cited_answers"
FORMS = {"follow", "compare", "count", "years", "head"}


def instance(seed: int, level: int, **knobs: int) -> CitedAnswers:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, CitedAnswers)
    return task


def source_of(task):
    return task.world().source


def readings_of(task):
    """What all articles say, read from their texts."""
    source = source_of(task)
    texts = (
        f"{article.title}\n{' '.join(source.sentences(n))}" for n, article in enumerate(source)
    )
    return {reading.title: reading for reading in map(read, texts)}


def brute_force(task):
    """The facts and the answer by a join over the texts of all articles."""
    readings, question = readings_of(task), task.question
    facts, ends = set(), []

    def date(title):
        relation = YEARS[readings[title].type]
        year = readings[title].facts.get(relation)
        if year:
            facts.add((title, relation, year))
        return int(year or 0)

    for chain in question.chains:
        relation = TRAITS[chain.type][0] if chain.trait else ""
        (end,) = (
            title
            for title, reading in readings.items()
            if title.partition(" (")[0] == chain.name
            and reading.type == chain.type
            and (not relation or reading.facts[relation] == chain.trait)
        )
        if relation:
            facts.add((end, relation, chain.trait))
        for step in chain.path:
            if step in INVERSES:
                name = INVERSES[step].relation
                (other,) = (t for t, each in readings.items() if each.facts.get(name) == end)
                facts.add((other, name, end))
            else:
                other = readings[end].facts.get(step)
                if other is not None:
                    facts.add((end, step, other))
            end = other
            if end is None:
                break
        ends.append(end)
    if None in ends:
        return facts, "unknown"
    if question.form == "follow":
        return facts, ends[0]
    if question.form == "years":
        return facts, str(abs(int(ends[0]) - int(ends[1])))
    if question.form == "compare":
        dated = sorted((date(title), title) for title in ends)
        return facts, "unknown" if not dated[0][0] else dated[-1 if question.later else 0][1]
    members = readings[ends[0]].members
    if question.form == "count":
        facts.add((ends[0], "members", str(len(members))))
        years = [date(title) for title in members]
        bound = question.bound
        return facts, str(sum(y > bound if question.later else y < bound for y in years))
    heads = [member.rpartition(" from ") for member in members]
    answer = max((int(y), title) for title, _, y in heads if int(y) <= int(ends[1]))[1]
    return {*facts, (ends[0], "head", answer)}, answer


def citation(claim, article, sentence):
    topic, relation, value = claim
    return call(
        "cite", topic=topic, relation=relation, value=value, article=article, sentence=sentence
    )


@pytest.mark.parametrize(("level", "seeds"), [(0, 80), (1, 60), (2, 40), (3, 30), (4, 15), (6, 8)])
def test_the_oracle_wins_and_brute_force_agrees(level: int, seeds: int) -> None:
    for seed in range(seeds):
        task = instance(seed, level)
        assert score(task, *task.solution).value == 1
        facts, answer = brute_force(task)
        assert answer == task.answer
        paths = {("fact", normalised(t), r, normalised(v)) for t, r, v in facts}
        assert task.goal.keys() == {*paths, ("answer",)}


def test_every_form_of_question_occurs_and_some_have_no_answer() -> None:
    tasks = [instance(seed, 1, unanswerable=30) for seed in range(100)]
    assert {task.question.form for task in tasks} == FORMS
    assert 15 < sum(task.answer == "unknown" for task in tasks) < 50


def test_the_relations_are_explained() -> None:
    assert GLOSSARY.keys() == RELATIONS.keys() | {"head", "members"}
    assert all(f"- {name}: " in instance(0, 0).brief() for name in GLOSSARY)


def test_sentences_state_what_is_read_in_them() -> None:
    task = instance(1, 4)
    source = source_of(task)
    for number, article in enumerate(source):
        sentences = source.sentences(number)
        text = "\n".join([article.title, *(f"{n}. {s}" for n, s in enumerate(sentences, 1))])
        reading = read_numbered(text)
        for n in range(1, len(sentences) + 1):
            stated = statements(source, number, n)
            names = [name for name, sentence in reading.sentences.items() if sentence == n]
            if not names or names == ["members"]:
                assert len(stated) == (len(article.members) + (article.type != "house")) * len(
                    names
                )
            else:
                assert stated == [(article.title, names[0], reading.facts[names[0]])]


@pytest.mark.parametrize("level", range(7))
def test_each_fault_of_a_report_makes_it_worthless(level: int) -> None:
    rng = Random(level)
    for seed in range(5):
        task = instance(seed, level, busy=0)
        source, moves = source_of(task), task.solution
        cites = [n for n, move in enumerate(moves) if '"cite"' in move]
        wrong = call("submit_answer", text="unknown" if task.answer != "unknown" else "7")
        assert score(task, *moves, wrong).value == 0
        assert score(task, moves[-1]).value == (0 if cites else 1)
        number = rng.randrange(len(source))
        title = source[number].title
        claim = statements(source, number, 2)[0]
        fits = ("fact", normalised(claim[0]), claim[1], normalised(claim[2])) in task.goal
        result = score(task, *moves, citation(claim, title, 2))
        assert (result.value, result.parts["damage"]) == ((1, 0) if fits else (0, 1))
        if not cites:
            continue
        n = rng.choice(cites)
        arguments = json.loads(moves[n])["args"]
        for other in (
            {"article": title if title != arguments["article"] else source[0].title},
            {"sentence": arguments["sentence"] % 3 + 1},
            {"value": "Nobody"},
            {"topic": title},
        ):
            changed = call("cite", **(arguments | other))
            if changed != moves[n] and not _supports(task, arguments | other):
                assert score(task, *moves[:n], changed, *moves[n + 1 :]).value == 0
                assert score(task, *moves, changed).parts["damage"] == 1
                back = call("withdraw_citation", citation=len(cites) + 1)
                assert score(task, *moves, changed, back).value == 1
        assert score(task, *moves[:n], *moves[n + 1 :]).value == 0


def _supports(task, arguments):
    """Whether a citation holds, by the text of its sentence."""
    source = source_of(task)
    number = source.numbers[arguments["article"].casefold()]
    sentences = source.sentences(number)
    if arguments["sentence"] > len(sentences):
        return True  # it is refused
    claim = tuple(arguments[name] for name in ("topic", "relation", "value"))
    return claim in statements(source, number, arguments["sentence"])


def test_a_right_citation_withdrawn_loses_and_cited_again_wins() -> None:
    for seed in range(10):
        task = instance(seed, 2, busy=0)
        cites = [move for move in task.solution if '"cite"' in move]
        for n, move in enumerate(cites, 1):
            withdrawn = [*task.solution, call("withdraw_citation", citation=n)]
            assert score(task, *withdrawn).value == 0
            assert score(task, *withdrawn, move).value == 1
            assert score(task, *withdrawn, move, move).value == 1


def test_half_a_surrogate_pair_is_read_like_any_other_text() -> None:
    world = instance(2, 4, busy=0).world()
    title = world.source[0].title
    assert world.use("search(query='\\ud800')") == ("no results\n(page 1 of 1)", 1)
    world.use(
        f"cite(topic='\\ud800', relation='born', value='\\udc00', article={title!r}, sentence=1)"
    )
    assert [path[0] for path in world.changes()] == ["unsupported"]
    assert world.state()


def test_a_list_states_the_membership_of_each() -> None:
    """The same fact may be cited by the article of the member or by that of the guild."""
    both = 0
    for seed in range(60):
        task = instance(seed, 3, busy=0)
        source = source_of(task)
        for n, move in enumerate(task.solution):
            arguments = json.loads(move)["args"]
            if arguments.get("relation") in ("guild", "province"):
                number = source.numbers[arguments["value"].casefold()]
                sentence = source.relations(number).index("members") + 1
                other = arguments | {"article": arguments["value"], "sentence": sentence}
                moves = [*task.solution[:n], call("cite", **other), *task.solution[n + 1 :]]
                assert score(task, *moves).value == 1
                assert score(task, *moves, move).value == 1
                both += 1
    assert both > 10


def test_citing_everything_earns_nothing() -> None:
    for seed in range(20):
        task = instance(seed, 1, calls=250, busy=0)
        source = source_of(task)
        moves = [
            citation(claim, article.title, n)
            for number, article in enumerate(source[:40])
            for n in range(1, len(source.sentences(number)) + 1)
            for claim in statements(source, number, n)[:1]
        ]
        assert score(task, *moves[:80], *task.solution).value == 0


def test_the_oracle_holds_no_world() -> None:
    task = instance(3, 5)
    episode = Episode(task, BARE)
    Reporter(caller(episode)).report(task.question)
    episode.step("done")
    assert episode.score.value == 1


def test_rewards_add_up_to_the_score_and_damage_takes_them_back() -> None:
    task = instance(5, 3)
    source = source_of(task)
    claim = ("Nobody", "teacher", "Nobody Else")
    bad = [citation(claim, source[0].title, 1)] * 3
    for moves in ([*task.solution, "done"], [*task.solution, *bad, "done"], ["?", "done"]):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in moves]
        assert sum(rewards) == pytest.approx(episode.score.value)


def test_the_same_moves_lead_to_the_same_states() -> None:
    task = instance(2, 4)
    runs = []
    for _ in range(2):
        episode = Episode(task, BARE)
        states = []
        for move in task.solution:
            episode.step(move)
            states.append((episode.turn.state, episode.observation))
        runs.append(states)
    assert runs[0] == runs[1]
    assert not any("unsupported" in state for state, _ in runs[0])


def test_errors_and_busy_services_change_nothing() -> None:
    task = instance(2, 6)
    world = task.world()
    title = world.source[0].title
    good = {"topic": "A", "relation": "teacher", "value": "B", "article": title, "sentence": 1}
    for move in (
        *(
            call("cite", **(good | {name: ""}))
            for name in ("topic", "relation", "value", "article")
        ),
        call("cite", **(good | {"sentence": 0})),
        call("cite", **(good | {"sentence": 10**40})),
        call("cite", **(good | {"sentence": True})),
        call("cite", **(good | {"sentence": "1"})),
        call("cite", **(good | {"topic": "x" * 10_000})),
        call("cite", **(good | {"relation": "x" * 10_000})),
        call("cite", **(good | {"value": ["a"]})),
        call("cite", topic="A"),
        call("withdraw_citation", citation=1),
        call("withdraw_citation", citation=-1),
        call("open_article", title="\u0000" * 100),
        call("submit_answer", text="a" * 201),
        "what now?",
        "{" * 10_000,
    ):
        result, number = world.use(move)
        assert number == 1
        assert result.startswith("Error")
        assert not world.changes()
    results = {world.use(call("search", query="zzz"))[0] for _ in range(99)}
    assert results == {BUSY, "no results\n(page 1 of 1)"}


def test_there_are_a_hundred_citations_at_most() -> None:
    world = instance(2, 0).world()
    title = world.source[0].title
    moves = [citation(("A", "teacher", str(n)), title, 1) for n in range(101)]
    results = [world.use(move)[0] for move in moves]
    assert results[99] == "This is citation 100."
    assert results[100].startswith("Error")


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2, busy=0)
    calls = [json.loads(move) for move in task.solution]
    assert score(task, json.dumps(calls)).value == 1
    named = [{"name": each["tool"], "arguments": each["args"]} for each in calls]
    tagged = [f"<tool_call>\n{json.dumps(each)}\n</tool_call>" for each in named]
    assert score(task, *tagged).value == 1
    listed = [
        f"{each['tool']}({', '.join(f'{k}={v!r}' for k, v in each['args'].items())})"
        for each in calls
    ]
    assert score(task, *listed).value == 1


@pytest.mark.parametrize(("level", "limit"), [(1, 0.05), (3, 0.05), (6, 0.05)])
def test_players_without_understanding_earn_little(level: int, limit: float) -> None:
    rng = Random(level)
    values = baseline_scores(NAME, level, range(200, 230))
    assert max(values.values()) <= limit
    for seed in range(20):
        task = instance(seed, level)
        source = source_of(task)
        moves = []
        for _ in range(8):
            number = rng.randrange(len(source))
            title, sentence = source[number].title, rng.randint(1, 3)
            claim = (title, rng.choice([*GLOSSARY]), source[number - 1].title)
            moves += [call("open_article", title=title), citation(claim, title, sentence)]
        assert score(task, *moves, call("submit_answer", text=title)).value == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_opening_does_not_depend_on_the_encyclopaedia(seed):
    task, other = instance(seed, seed), instance(seed + 1, seed)
    swapped = task.model_copy(update={"seed": other.seed, "answer": other.answer})
    assert Episode(swapped).observation == Episode(task).observation
