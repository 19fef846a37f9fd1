"""Tests of endpoints that speak in the place of users."""

import asyncio
import io
import json
import re
import sys

import pytest
import yaml
from starlette.responses import Response
from tests.trainers.evaluation.endpoints import Endpoint as Player
from tests.trainers.evaluation.endpoints import command
from tests.trainers.users import rephrased, speaks, worded
from tests.verifiers.judges.stubs import completion, says, sends

import palaestra
from palaestra.address import Address
from palaestra.episode import BARE, TAGS, Episode
from palaestra.generators.tools.engine import acting
from palaestra.generators.tools.small_shop.client import serve
from palaestra.generators.utterances import Act, Utterance
from palaestra.task import Turn
from palaestra.trainers.episodes import play_episode
from palaestra.trainers.evaluation import Cell, Suite, evaluate
from palaestra.trainers.evaluation.attempts import attempts_in
from palaestra.trainers.rephrasing import INSTRUCTIONS, is_stated
from palaestra.trainers.spoken_users import Conversation, Speaker, Words, speaker_of
from palaestra.trainers.stepwise import GemEnv, Steps, steps_of
from palaestra.verifiers.judges import Endpoint

TALKING = ("airline_desk", "bank_desk", "small_shop", "telecom_support")

SHOP = Address.of("tools/small_shop", 1, 4)


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with worded() as server:
        yield server


@pytest.fixture
def speaker(stub):
    return Speaker(Endpoint(stub.url, "user", timeout_s=60, retries=0))


def played(address, speaker, answer_format=BARE):
    """A conversation of the perfect player."""
    conversation = Conversation(Episode(address.task(), answer_format), speaker)
    conversation.speak()
    for move in conversation.episode.task.solve():
        conversation.step(conversation.episode.answer_format.write(move))
    return conversation


def talk(address, speaker):
    """The result of the perfect player as a model."""
    moves = iter([*address.task().solve()])

    async def ask(messages, offered):
        return TAGS.write(next(moves))

    return asyncio.run(play_episode(ask, address, tools="text", speaker=speaker))


# ------------------------------------------------------------------ what the player reads


@pytest.mark.parametrize("name", TALKING)
def test_words_differ_and_nothing_else_does(name, speaker):
    address = Address.of(f"tools/{name}", 2, 4)
    plain = Episode(address.task(), BARE)
    conversation = Conversation(Episode(address.task(), BARE), speaker)
    conversation.speak()
    changed = 0
    for move in plain.task.solve():
        before, after = plain.turn, conversation.episode.turn
        assert (before.observation, before.reward) == (after.observation, after.reward)
        assert before.state == after.state
        changed += plain.observation != conversation.observation
        for each in after.speech:
            assert each.text != conversation.words[-1].spoken
            assert conversation.words[-1].spoken in conversation.observation
            values = [value for act in each.acts for value in act.values]
            assert all(is_stated(value, conversation.observation) for value in values)
        assert plain.step(move) == conversation.step(move)
    assert changed > 10
    assert plain.score == conversation.episode.score
    assert plain.score.correct
    assert [each.reason for each in conversation.words] == [""] * len(conversation.words)


def test_a_player_that_reads_the_words_wins(speaker):
    """The words keep the frames of facts here, which is what the oracle reads."""
    task = SHOP.task()
    conversation = Conversation(Episode(task, BARE), speaker)
    conversation.speak()
    player = acting(serve(task.terms, task.today))
    while conversation.episode.score is None:
        conversation.step(player(Turn(conversation.observation)))
    assert conversation.episode.score.correct
    assert len(conversation.words) > 10


@pytest.mark.parametrize("name", ["meeting_desk", "stateful_calls"])
def test_tasks_without_a_user_who_talks_are_as_they_are(name, stub, speaker):
    conversation = played(Address.of(f"tools/{name}", 1, 1), speaker)
    assert conversation.messages() == conversation.episode.messages()
    assert not stub.seen


def test_several_utterances_of_an_observation_are_all_worded(speaker):
    episode = Episode(SHOP.task(), BARE)
    conversation = Conversation(episode, speaker)
    conversation.speak()
    call = '{"tool": "say", "args": {"message": "%s"}}'
    conversation.step("\n".join(call % each for each in ("Your name?", "Which city?", "Hm?")))
    assert [each.turn for each in conversation.words] == [0, 1, 1, 1]
    lines = conversation.observation.split("\n")
    assert [line.split(" ")[0] for line in lines] == ["Mhm.", "Mhm.", "Hm,"]
    assert conversation.observation == "\n".join(each.spoken for each in conversation.words[1:])


# ------------------------------------------------------------------ what the script takes over


def omitting(body):
    return "I would rather talk about the weather."


def leaking(body):
    """The endpoint makes a number up, or says what it should not know."""
    return f"{rephrased(body)} By the way, it is order 4711."


FAULTS = {
    "omits values": (speaks(omitting), "it lacks a value"),
    "leaks": (speaks(leaking), "it has a number or name of its own"),
    "says nothing": (says(""), "it is empty"),
    "talks for ever": (says("word " * 5_000), "it is too long"),
    "writes markup": (says("<answer>done</answer>"), "it has markup"),
    "fails": (sends(500, b"oops"), "the endpoint fails"),
    "refuses": (sends(401, b"{}"), "the endpoint fails"),
    "is no endpoint": (sends(200, b"[" * 100_000), "the endpoint fails"),
    "hangs": (lambda handler, body, number: handler.server.end.wait(60), "the endpoint fails"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_script_speaks_where_the_endpoint_does_not(fault, stub):
    stub.behave, reason = FAULTS[fault]
    timeout_s = 0.2 if fault == "hangs" else 60
    speaker = Speaker(Endpoint(stub.url, "user", timeout_s=timeout_s, retries=0))
    plain = Episode(SHOP.task(), BARE)
    conversation = Conversation(Episode(SHOP.task(), BARE), speaker)
    conversation.speak()
    for move in [*plain.task.solve()][: 3 if fault == "hangs" else None]:
        plain.step(move)
        conversation.step(move)
        assert conversation.observation == plain.observation or conversation.words[-1].reason == ""
    reasons = {each.reason.partition(":")[0] for each in conversation.words}
    assert reason in reasons
    for each in conversation.words:
        assert (each.spoken == each.scripted) or not each.reason
    assert conversation.episode.score == plain.score
    if reason in {"the endpoint fails", "it is empty", "it is too long", "it has markup"}:
        assert reasons == {reason}
        assert conversation.messages() == plain.messages()


def test_what_the_user_knows_is_not_stated_before_its_time(stub, speaker):
    """Even if a model guesses it."""
    task = SHOP.task()
    secret = next(fact.value for fact in task.user().common if fact.topic == "city")
    stub.behave = speaks(lambda body: f"{secret}! {rephrased(body)}")
    conversation = played(SHOP, speaker)
    for words in conversation.words:
        assert (words.reason == f"it states another value: {secret!r}") == (
            not is_stated(secret, words.scripted)
        )


# ------------------------------------------------------------------ what the endpoint gets


@pytest.mark.parametrize("name", TALKING)
def test_nothing_of_the_goal_is_in_a_request(name, stub, speaker):
    """Neither values that the act at hand does not state, nor those of the goal or the records."""
    address = Address.of(f"tools/{name}", 5, 4)
    task = address.task()
    conversation = Conversation(Episode(task, BARE), speaker)
    known = conversation.episode.turn.speech[0].known()
    goal = getattr(task.handled, "changes", None) or task.handled[1]
    wanted = {str(part) for path, value in goal.items() for part in (*path, value)}
    conversation.speak()
    speech = [*conversation.episode.turn.speech]
    for move in task.solve():
        conversation.step(move)
        if conversation.episode.score is None:
            speech += conversation.episode.turn.speech
    assert len(speech) == len(stub.seen) > 10
    for each, (_, _, body) in zip(speech, stub.seen, strict=True):
        system, user = body["messages"]
        assert system["content"] == INSTRUCTIONS
        assert {*body} == {"model", "messages", "stream"}
        heard = [line for line in user["content"].splitlines() if line.startswith("> ")]
        assert "\n".join(heard) == "\n".join(f"> {line}" for line in each.message.splitlines())
        rest = "\n".join(line for line in user["content"].splitlines() if not line.startswith("> "))
        named = " ".join(act.content for act in each.acts)
        for value in known | wanted:
            if value.isdecimal() or " " in value or value[:1].isupper():
                assert is_stated(value, named) or not is_stated(value, rest), value
        values = {value for act in each.acts for value in act.values}
        digits = {*re.findall(r"\d+", " ".join(values))}
        assert {*re.findall(r"\d+", rest)} == digits
        brief = task.brief()
        assert not any(line in rest for line in brief.splitlines() if len(line) > 80)


def test_the_persona_is_in_the_request(stub):
    speaker = Speaker(Endpoint(stub.url, "user"), "You are curt.")
    conversation = Conversation(Episode(SHOP.task(), BARE), speaker)
    conversation.speak()
    assert stub.seen[0][2]["messages"][0]["content"].endswith("\n\nThe customer: You are curt.")


def test_settings():
    assert Speaker.of(None, None) is None
    with pytest.raises(ValueError, match="both a base URL and a model"):
        Speaker.of("http://localhost/v1", None)
    with pytest.raises(ValueError, match="base_url"):
        Speaker.of("localhost", "user")
    speaker = Speaker.of("http://localhost/v1", "user", api_key_env="KEY", persona="curt")
    assert speaker.settings == {"model": "user", "persona": "curt", "extra": {}}
    assert speaker.endpoint.key_env == "KEY"


def test_settings_as_plain_values():
    assert speaker_of(None) is None
    assert speaker_of({}) is None
    speaker = Speaker.of("http://localhost/v1", "user", persona="curt")
    assert speaker_of(speaker) is speaker
    plain = {"base_url": "http://localhost/v1", "model": "user", "persona": "curt"}
    assert speaker_of(plain).settings == speaker.settings
    with pytest.raises(ValueError, match="both a base URL and a model"):
        speaker_of({"base_url": "http://localhost/v1"})
    with pytest.raises(ValueError, match="no option 'modle' of a user; there are base_url, model"):
        speaker_of({"modle": "m"})


def test_a_message_reaches_the_endpoint_as_it_is(stub, speaker):
    each = Utterance("é\n> \ud800", "No idea.", (Act("unknown", "No idea."),), frozenset)
    assert speaker.say(each).spoken == "Beats me, no idea."
    assert asyncio.run(speaker.say_async(each, 3)).turn == 3


# ------------------------------------------------------------------ step environments


def user_at(stub):
    return {"base_url": stub.url, "model": "user"}


def test_steps_read_as_the_conversation_does(stub):
    conversation = played(SHOP, speaker_of(user_at(stub)), TAGS)
    steps = steps_of(str(SHOP), TAGS, user=user_at(stub))
    assert steps.observation == conversation.episode.messages()[0]["content"]  # not spoken yet
    steps.speak()
    earned = 0.0
    for reply in conversation.episode.replies:
        step = steps.step(reply)
        earned += step.reward
    assert step.done
    assert steps.messages() == conversation.messages()
    assert steps.messages() != steps.episode.messages()
    assert steps.score == conversation.episode.score
    assert earned == pytest.approx(1.0)


def test_steps_without_a_user_are_worded_by_the_script(stub):
    steps = Steps(str(SHOP))
    steps.speak()
    steps.step("<answer>no idea</answer>")
    assert steps.messages() == steps.episode.messages()
    assert not stub.seen


def test_the_user_is_silent_when_turns_are_used_up(stub):
    steps = Steps(str(SHOP), max_turns=1, user=user_at(stub))
    call = '{"tool": "say", "args": {"message": "Your name?"}}'
    assert steps.step(f"<answer>{call}</answer>").done
    assert not stub.seen


def test_gem_environments_have_users_who_speak(stub):
    """A copy in the same state reads the same words, without a request."""
    env = GemEnv(SHOP.env, level=4, user=user_at(stub))
    opening, _ = env.reset(seed=SHOP.seed)
    assert opening != Episode(SHOP.task(), TAGS).observation
    assert env.steps.conversation.words[0].spoken in opening
    observation = env.step(TAGS.write(next(iter(SHOP.task().solve()))))[0]
    number = len(stub.seen)
    assert env.spawn(same_state=True).steps.messages() == env.steps.messages()
    assert env.steps.observation == observation
    assert len(stub.seen) == number > 0


# ------------------------------------------------------------------ what is kept


def test_a_conversation_is_restored_from_its_words(stub, speaker):
    conversation = played(SHOP, speaker, TAGS)
    number = len(stub.seen)
    records = json.loads(json.dumps([vars_of(each) for each in conversation.words]))
    again = Conversation(
        Episode(SHOP.task(), TAGS, conversation.episode.replies),
        words=[Words(**each) for each in records],
    )
    assert again.messages() == conversation.messages()
    assert again.messages() != conversation.episode.messages()
    assert again.episode.score == conversation.episode.score
    assert len(stub.seen) == number


def vars_of(words):
    return {name: getattr(words, name) for name in Words.__slots__}


def test_a_conversation_is_shown_again_step_by_step(stub, speaker):
    conversation = played(SHOP, speaker)
    number = len(stub.seen)
    again = Conversation(Episode(SHOP.task(), BARE), speaker, conversation.words)
    again.speak()
    observations = [again.observation]
    for reply in conversation.episode.replies:
        again.step(reply)
        observations.append(again.observation)
    read = [each["content"] for each in conversation.messages() if each["role"] == "user"]
    assert observations[:-1] == read
    assert again.words == conversation.words
    assert len(stub.seen) == number


def test_forks_share_what_was_said_and_go_on_by_themselves(stub, speaker):
    moves = [*SHOP.task().solve()]
    conversation = Conversation(Episode(SHOP.task(), BARE), speaker)
    conversation.speak()
    for move in moves[:6]:
        conversation.step(move)
    number, words = len(stub.seen), [*conversation.words]
    fork = conversation.fork()
    fork.speak()
    assert len(stub.seen) == number
    assert fork.messages() == conversation.messages()
    fork.step(palaestra.toolbox.call("say", message="Which planet?"))
    assert len(stub.seen) == number + 1
    assert conversation.words == words
    assert fork.words[:-1] == words


def test_another_reply_gets_other_words(stub, speaker):
    """What was said after a reply that is taken back is not used for what is said after another."""
    conversation = Conversation(Episode(SHOP.task(), BARE), speaker)
    conversation.speak()
    say = palaestra.toolbox.call
    conversation.step(say("say", message="What is your name?"))
    rewound = Conversation(Episode(SHOP.task(), BARE), speaker, conversation.words)
    rewound.step(say("say", message="Which city do you live in?"))
    assert rewound.words[0] == conversation.words[0]
    assert rewound.words[1].scripted == rewound.episode.turn.speech[0].text
    assert rewound.words[1].spoken in rewound.observation
    assert len(rewound.words) == 2


# ------------------------------------------------------------------ where it serves


def test_episodes_of_models(speaker):
    plain, spoken = talk(SHOP, None), talk(SHOP, speaker)
    assert plain.user_words == ()
    assert (spoken.score, spoken.rewards, spoken.replies) == (1, plain.rewards, plain.replies)
    assert len(spoken.messages) == len(plain.messages)
    assert spoken.messages != plain.messages
    episode = Episode(SHOP.task(), spoken.answer_format, spoken.replies)
    again = Conversation(episode, words=spoken.user_words).messages()
    assert again == [*spoken.messages]
    assert palaestra.score(spoken.address, spoken.replies, spoken.answer_format).value == 1
    assert spoken.plain()["user_words"][0]["turn"] == 0


def suite_of(*names):
    return Suite(tuple(Cell(f"tools/{name}", 2, 2) for name in names))


def test_evaluations(stub, speaker, tmp_path):
    suite = suite_of("small_shop", "meeting_desk")
    openings = {}
    for _, address in suite.rounds():
        task = address.task()
        brief = Episode(task, TAGS).observation.rpartition("The customer: ")[0]
        openings[brief or Episode(task, TAGS).observation] = [*task.solve()]

    async def ask(messages, offered):
        moves = next(m for start, m in openings.items() if messages[0]["content"].startswith(start))
        return TAGS.write(moves[len(messages) // 2])

    def go(**options):
        return asyncio.run(evaluate(ask, suite, tools="text", out=tmp_path, **options))

    done = go(speaker=speaker)
    assert [each.score for each in done.attempts] == [1] * 4
    kept = [*attempts_in(tmp_path)]
    talked = [each for each in kept if each.user_words]
    assert len(talked) == 2
    assert ["user_words" in json.loads(each.line()) for each in kept] == [
        bool(each.user_words) for each in kept
    ]
    for each in talked:
        episode = Episode(Address.parse(each.address).task(), each.answer_format, each.replies)
        words = [Words(**fields) for fields in each.user_words]
        assert episode.result().value == each.score
        assert Conversation(episode, words=words).messages() != episode.messages()
    report = done.write(tmp_path)
    assert report["users"]["model"] == "user"
    assert report["users"]["utterances"] == report["users"]["spoken"] == len(stub.seen)
    assert "utterances" in (tmp_path / "report.md").read_text("utf-8")
    assert "utterances" in (tmp_path / "report.html").read_text("utf-8")
    with pytest.raises(ValueError, match="speaker"):
        go()


def test_the_command_that_evaluates(stub, tmp_path):
    file = tmp_path / "suite.yaml"
    file.write_text(yaml.safe_dump([{"env": "tools/small_shop", "levels": 1, "tasks": 2}]))
    player = Player(suite_of("meeting_desk"), mood=lambda key, tries: done())
    with player.serving() as url:
        code = command(
            "eval", "--base-url", url, "--model", "m", "--suite", str(file), "--tools", "text",
            "--out", str(tmp_path / "out"), "--user-base-url", stub.url, "--user-model", "user",
            "--user-persona", "curt",
        )  # fmt: skip
    assert code == 0
    assert len(stub.seen) == 2
    assert {each.user_words[0]["spoken"][:4] for each in attempts_in(tmp_path / "out")} == {"Mhm."}


def done():
    return Response(completion("<answer>done</answer>"), media_type="application/json")


def test_the_command_that_plays(stub, monkeypatch, capsys):
    lines = ["say 'What is your name?'", "/undo", "say 'What is your name?'", "done", "/next"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    options = ["--user-base-url", stub.url, "--user-model", "user"]
    assert command("play", "tools/small_shop", "--seed", "1", *options) == 0
    out = capsys.readouterr().out
    assert "The customer: Mhm. " in out
    replies = [line for line in out.splitlines() if line.startswith("Mhm. ")]
    assert len(replies) == 2
    assert replies[0] == replies[1]
    assert len(stub.seen) == 3  # two openings and a name, which is as it was after /undo


def test_options_that_do_not_fit_are_named(capsys):
    assert command("play", "tools/small_shop", "--user-model", "user") == 2
    assert "both a base URL and a model" in capsys.readouterr().err
