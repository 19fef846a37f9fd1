"""TRL's own specs for remote environments play with a service, through the client that TRL uses."""

import json

import pytest
from tests.adapters.trl_runs import Scripted, called

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

GAME = "games/mastermind"
BOARD = "games/minesweeper"
WORLD = "tools/meeting_desk"

pytestmark = [
    pytest.mark.package("trl"),
    pytest.mark.package("openreward"),
    pytest.mark.package("fastapi"),
]

SUITE = """
- environments: [games/mastermind, tools/meeting_desk]
  levels: [0]
  tasks: 1
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    file = tmp_path_factory.mktemp("suite") / "mine.yaml"
    file.write_text(SUITE)
    return str(file)


@pytest.fixture
def quiet(monkeypatch):
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    monkeypatch.setenv("OPENREWARD_DISABLE_UPDATE_CHECK", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def spec_of(quiet, monkeypatch):
    """A function that makes specs of TRL's for the service at a URL."""
    from trl.experimental.openreward import OpenRewardSpec

    def made(url, **options):
        # The client asks at `sessions.HOST` unless it is told, which a numerical host cannot have.
        monkeypatch.setenv("OPENREWARD_SESSION_URL", url)
        return OpenRewardSpec(url, **options)

    return made


@pytest.fixture(scope="module")
def url(suite):
    """A service whose first environment is a game, for those who name none."""
    settings = Settings(protocol="ors", served=(f"{GAME}:level=1", suite))
    with background_server(build(settings)) as where:
        yield where


def tools_of(made):
    return {name for name in dir(type(made)) if not name.startswith("_")} - {"reset"}


def play(made, address):
    """Plays like a perfect player, by the methods that TRL binds."""
    for move in address.task().solve():
        if move == "done" or not move.startswith("{"):
            made.answer(text=move)
        else:
            call = json.loads(move)
            getattr(made, call["tool"])(**call["args"])


def rewarded(spec, made):
    return spec.reward_funcs([made])[0]


def test_a_url_alone_means_the_first_environment(spec_of, url):
    spec = spec_of(url, num_tasks=3)
    addresses = [str(Address.of(GAME, seed, 1)) for seed in range(3)]
    assert spec.train_dataset["address"] == addresses
    made = spec.environment_factory()
    assert tools_of(made) == {"answer"}
    for row in spec.train_dataset:
        address = Address.parse(row["address"])
        assert made.reset(**row) == Episode(address.task(), "bare").observation
        assert rewarded(spec, made) is None  # TRL has no score for those who call nothing
        made.answer(text="no guess")
        assert rewarded(spec, made) == 0.0
        play(made, address)
        assert (rewarded(spec, made), made.finished) == (1.0, True)
        assert "over" in made.answer(text="1")  # and is no reward
        assert rewarded(spec, made) == 1.0
    made._close()


def test_a_name_may_be_given_beside_the_url(spec_of, url):
    spec = spec_of(url, env_name="tools.meeting_desk@2:level=1", indices=[0, 2])
    assert [Address.parse(each).env for each in spec.train_dataset["address"]] == [WORLD] * 2
    made = spec.environment_factory()
    assert {"agenda", "book", "answer"} <= tools_of(made)
    row = spec.train_dataset[1]
    made.reset(**row)
    play(made, Address.parse(row["address"]))
    assert (rewarded(spec, made), sum(made.rewards)) == (1.0, 1.0)
    made._close()
    with pytest.raises(Exception, match="did you mean games/mastermind"):
        _ = spec_of(url, env_name="games.mastermnd", num_tasks=1).train_dataset


def test_a_suite_and_any_selection_are_splits_of_the_hub(spec_of, url):
    spec = spec_of(
        url, env_name="hub", split="mine", indices=[0, 1]
    )  # whose tools are looked for, then
    made = spec.environment_factory()
    assert {"agenda", "book", "answer"} <= tools_of(made)
    assert len(spec.train_dataset) == 2
    for row in spec.train_dataset:
        made.reset(**row)
        play(made, Address.parse(row["address"]))
        assert rewarded(spec, made) == 1.0
    made._close()
    selection = spec_of(
        url, env_name="hub", split=f"{BOARD}?level=1&seeds=3:5"
    )  # all of it, without a number
    addresses = [Address.of(BOARD, seed, 1) for seed in (3, 4)]
    assert selection.train_dataset["address"] == [*map(str, addresses)]


def test_the_last_reward_is_the_score_where_there_was_credit_before(spec_of, url):
    spec = spec_of(url, env_name="hub", split=f"{BOARD}?level=1&seeds=3:4")
    made = spec.environment_factory()
    made.reset(**spec.train_dataset[0])
    address = Address.of(BOARD, 3, 1)
    assert any(0 < each < 1 for each in Episode(address.task(), "bare", _moves(address)).rewards)
    play(made, address)
    assert (rewarded(spec, made), sum(made.rewards)) == (1.0, 1.0)
    made._close()


def _moves(address):
    return [*address.task().solve()]


def test_the_address_of_a_task_decides(spec_of, url):
    """As where a data set of addresses is played, whatever the environment is called."""
    spec = spec_of(url, env_name="hub", split="mine", indices=[0])
    made = spec.environment_factory()
    address = Address.of(BOARD, 7)
    text = made.reset(task_spec={"address": str(address)})
    assert text == Episode(address.task(), "bare").observation
    made._close()


def test_trl_trains_on_a_service(spec_of, url, model, tokenizer, config):
    from trl import GRPOTrainer
    from trl import chat_template_utils as templates

    tokenizer.chat_template = templates.qwen3_chat_template
    model.config.max_position_embeddings = 1 << 16  # TRL stops before; a token is a byte here
    spec = spec_of(url, num_tasks=2)
    plans = {}
    for row in spec.train_dataset:
        task = Address.parse(row["address"]).task()
        moves = [called("answer", text=move) for move in task.solve()]
        plans[Episode(task, "bare").observation] = [*moves, "That is all."]

    def reply(text):
        plan = next(plan for opening, plan in plans.items() if opening in text)
        return plan[text.count("<|im_start|>assistant") - 1]

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_steps=1, max_completion_length=6000),
        train_dataset=spec.train_dataset,
        environment_factory=spec.environment_factory,
        reward_funcs=spec.reward_funcs,
    )
    Scripted(trainer, tokenizer, reply)
    trainer.train()
    for made in trainer._environment_pool[None]:
        made._close()  # TRL keeps its sessions open
    entry = trainer.state.log_history[0]
    assert entry["reward"] == 1.0
    assert entry["tools/failure_frequency"] == 0
