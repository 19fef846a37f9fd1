"""Tasks for Harbor: what is in them, and what their scripts do where Harbor would run them."""

import json
import tomllib

import pytest
from tests.trainers.harbor.containers import Container, Network, Trial, require_namespaces

import palaestra
from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import BARE, Episode
from palaestra.scoring import is_single_turn
from palaestra.toolbox import call
from palaestra.trainers.harbor import BadSuite, Options, export
from palaestra.trainers.harbor.files import calls

PUZZLE, GAME, WORLD = "logic/knights_and_knaves", "games/mastermind", "tools/meeting_desk"


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    addresses = [Address.of(name, 12_345, 1) for name in (PUZZLE, GAME, WORLD)]
    names = export(addresses, folder)
    return {a.env: (a, folder / name) for a, name in zip(addresses, names, strict=True)}


# ------------------------------------------------------------------ files


@pytest.mark.parametrize("env", [PUZZLE, GAME, WORLD])
def test_the_address_is_in_no_file_that_an_agent_sees(suite, env):
    address, task = suite[env]
    assert (task / "environment/.dockerignore").read_text() == "*\n"
    assert "COPY" not in (task / "environment/Dockerfile").read_text()
    for path in ("instruction.md", "environment/Dockerfile"):
        text = (task / path).read_text()
        assert "12345" not in text
        assert address.env not in text
    assert "12345" not in task.name
    assert json.loads((task / "tests/task.json").read_text())["address"] == str(address)


@pytest.mark.parametrize("env", [PUZZLE, GAME, WORLD])
def test_the_instruction_is_the_first_observation(suite, env):
    address, task = suite[env]
    text = (task / "instruction.md").read_text()
    assert text.startswith(Episode(address.task(), BARE).turn.observation.rstrip())
    assert ("/app/answer.txt" in text) == (env == PUZZLE)
    assert ("MCP server `palaestra`" in text) == (env != PUZZLE)


def test_the_verifier_has_a_container_of_its_own(suite):
    for env, (_, task) in suite.items():
        config = tomllib.loads((task / "task.toml").read_text())
        assert config["verifier"]["environment_mode"] == "separate"
        assert (task / "tests/Dockerfile").exists()
        (artifact,) = config["artifacts"]
        if env == PUZZLE:
            assert artifact == {"source": "/app/answer.txt"}
        else:
            assert artifact == {"source": "/state/episode.json", "service": "palaestra"}
            assert config["environment"]["mcp_servers"][0]["url"] == "http://palaestra:8000/mcp"


def test_options(tmp_path):
    options = Options("palaestra @ https://host/palaestra.whl", "python@sha256:00", True)
    names = export([Address.of(PUZZLE), Address.of(GAME)], tmp_path / "suite", options)
    puzzle, game = (tmp_path / "suite" / name for name in names)
    assert "'palaestra @ https://host/palaestra.whl'" in (puzzle / "tests/Dockerfile").read_text()
    server = (game / "environment/palaestra/Dockerfile").read_text()
    assert "'palaestra[mcp] @ https://host/palaestra.whl'" in server
    assert server.startswith("FROM python@sha256:00\n")
    config = tomllib.loads((puzzle / "task.toml").read_text())
    assert config["environment"]["network_mode"] == "no-network"
    assert config["verifier"]["environment"]["network_mode"] == "no-network"
    config = tomllib.loads((game / "task.toml").read_text())
    assert config["environment"]["allowed_hosts"] == ["palaestra"]


@pytest.mark.parametrize(
    "options",
    [{"package": "other==1"}, {"package": "palaestra'"}, {"image": "a\nb"}, {"image": " "}],
)
def test_options_that_would_break_a_dockerfile_are_refused(options):
    with pytest.raises(ValueError, match=r"package|image"):
        Options(**options)


# ------------------------------------------------------------------ suites


def test_tasks_are_added_to_a_suite_and_keep_their_names(tmp_path):
    first = export([Address.of(PUZZLE, seed) for seed in (5, 6)], tmp_path)
    again = export([Address.of(PUZZLE, seed) for seed in (6, 7)], tmp_path)
    assert first == ["logic-knights-and-knaves-0001", "logic-knights-and-knaves-0002"]
    assert again == ["logic-knights-and-knaves-0002", "logic-knights-and-knaves-0003"]
    tasks = json.loads((tmp_path / "manifest.json").read_text())["tasks"]
    assert [Address.parse(tasks[name]).seed for name in (*first, again[1])] == [5, 6, 7]
    assert {file.name for file in tmp_path.iterdir()} == {*tasks, "manifest.json"}


def test_another_folder_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadSuite, match="not a suite"):
        export([Address.of(PUZZLE)], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_the_command(tmp_path, capsys):
    suite = tmp_path / "suite"
    with pytest.raises(SystemExit) as end:
        main(["export", PUZZLE, "-n", "2", "--format", "harbor", "-o", str(suite)])
    assert not end.value.code
    assert len(list(suite.glob("*/task.toml"))) == 2
    assert "2 tasks" in capsys.readouterr().out


def test_an_export_that_fails_leaves_no_folder_and_no_traceback(tmp_path, capsys):
    suite = str(tmp_path / "suite")
    (tmp_path / "file").write_text("mine")
    for options in (
        ["--level", "99", "-o", suite],
        ["-o", str(tmp_path / "file")],
        ["-o", str(tmp_path / "file" / "suite")],
    ):
        with pytest.raises(SystemExit) as end:
            main(["export", PUZZLE, "--format", "harbor", *options])
        assert end.value.code == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_what_is_written_before_a_fault_is_in_the_manifest(tmp_path):
    def addresses():
        yield Address.of(PUZZLE, 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(addresses(), tmp_path)
    (name,) = json.loads((tmp_path / "manifest.json").read_text())["tasks"]
    assert (tmp_path / name / "task.toml").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "harbor"], "--out"),
        (["--format", "harbor", "-o", "x", "--answer-format", "tags"], "--answer-format"),
        (["--format", "harbor", "-o", "x", "--trainer", "verl"], "--trainer"),
        (["--format", "harbor", "-o", "x", "--package", "other"], "requirement"),
        (["--no-network"], "--format harbor"),
    ],
)
def test_options_that_do_not_fit(options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["export", PUZZLE, *options])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------ solutions


def test_every_tool_world_is_solved_by_calls_of_its_tools():
    """What each call becomes at the server is what the perfect player replies."""
    from palaestra.server.mcp_routes import reply
    from palaestra.server.structs import SessionState

    for name in palaestra.names():
        if not name.startswith("tools/"):
            continue
        task = Address.of(name, 3).task()
        if is_single_turn(task):
            continue
        tools = [dict(tool) for tool in task.tools()]
        state = SessionState("", "", 0, False, 0, "", 0.0, 0.0, tools=tools)
        known = {tool["function"]["name"] for tool in tools} | {"answer"}
        for one, move in zip(calls(task), task.solve(), strict=True):
            assert one["name"] in known, name
            sent = reply(state, one["name"], one["arguments"], BARE.name)
            assert sent == move or json.loads(sent) == json.loads(move), name


def test_calls_of_tools_are_told_from_texts():
    class Desk:
        def tools(self):
            return [{"function": {"name": "book"}}]

        def solve(self):
            return [call("book", hour=9), call("cancel", hour=9), '["book"]', "done"]

    assert calls(Desk()) == [
        {"name": "book", "arguments": {"hour": 9}},
        {"name": "answer", "arguments": {"text": call("cancel", hour=9)}},
        {"name": "answer", "arguments": {"text": '["book"]'}},
        {"name": "answer", "arguments": {"text": "done"}},
    ]


# ------------------------------------------------------------------ scripts


def verified(trial):
    """Take the artifacts to a new container of the verifier and run its script, as Harbor does."""
    network = Network([])
    try:
        verifier = Container(trial.folder / "verifier", trial.task / "tests", network)
        config = tomllib.loads((trial.task / "task.toml").read_text())
        for artifact in config["artifacts"]:
            source = trial.service if "service" in artifact else trial.main
            if source.path(artifact["source"]).exists():
                verifier.upload(source.path(artifact["source"]), artifact["source"])
        verifier.path("/logs/verifier").mkdir(parents=True)
        ran = verifier.run("(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1")
        assert ran.returncode == 0, verifier.path("/logs/verifier/test-stdout.txt").read_text()
        return json.loads(verifier.path("/logs/verifier/reward.json").read_text())
    finally:
        network.close()


@pytest.mark.slow
@pytest.mark.parametrize("env", [PUZZLE, GAME, WORLD])
def test_the_solution_earns_1_and_nothing_earns_0(suite, env, tmp_path):
    require_namespaces()
    if env != PUZZLE:
        pytest.importorskip("mcp")
    _, task = suite[env]
    for agent, reward in (("oracle", 1), ("nop", 0)):
        trial = Trial(task, tmp_path / agent)
        try:
            missing = trial.main.run("python -c 'import palaestra'")
            assert "ModuleNotFoundError" in missing.stderr
            if agent == "oracle":
                trial.main.upload(task / "solution", "/solution")
                ran = trial.main.run("/solution/solve.sh")
                assert ran.returncode == 0, ran.stderr
            assert verified(trial) == {"reward": reward, "correct": reward}
        finally:
            trial.close()
