"""Real clients of other protocols.

They need packages that are no dependency of ours. Each is looked for in the interpreter that
``PALAESTRA_CLIENTS`` names, then in this one, and else put into an environment of its own.
"""

import json
import os
import subprocess
import sys
from textwrap import dedent

import pytest
from tests.server.compat.examples import (
    BASE,
    CALLS,
    GAME,
    GUESSES,
    MASTERMIND,
    PUZZLE,
    RIGHT,
    WORLD,
    earned,
)

from palaestra import Address
from palaestra.cli.openenv_report import WARNINGS, report
from palaestra.episode import Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

COMPILED_ONCE = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Several processes import the same packages, which are compiled when the first one does."""


def interpreter(tmp_path, module, *packages):
    """A Python that has a client: one that is named, this one, or a new one."""
    find = f"import sys, importlib.util as u; sys.exit(u.find_spec({module!r}) is None)"
    for known in filter(None, (os.environ.get("PALAESTRA_CLIENTS"), sys.executable)):
        if subprocess.run([known, "-c", find], capture_output=True, check=False).returncode == 0:
            return known
    made = tmp_path / "client"
    python = made / ("Scripts" if os.name == "nt" else "bin") / "python"
    # The pip at hand serves for it as well, and what is not imported need not be compiled.
    steps = [[sys.executable, "-m", "venv", "--without-pip", made]]
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile"]
    steps += [[*pip, *package.split()] for package in packages]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"NO REAL CLIENT: {' and '.join(packages)}: {done.stderr[-500:]}")
    return str(python)


def run(python, script, *arguments):
    """What a script prints as its last line, in JSON."""
    done = subprocess.run(
        [python, "-c", dedent(script), *arguments],
        capture_output=True, text=True, timeout=600, check=False, env=COMPILED_ONCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4_000:]
    return json.loads(done.stdout.splitlines()[-1])


OPENRLHF = """
    import asyncio, importlib.util, json, sys, types
    from pathlib import Path

    # Its package imports torch and much else, which its actors' own module does not need.
    root = Path(importlib.util.find_spec("openrlhf").submodule_search_locations[0])
    for name in ("openrlhf", "openrlhf.utils"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    good, closed, label, reply = sys.argv[1:]


    class Tokens(list):
        def tolist(self):
            return list(self)


    class Tokenizer:
        def __call__(self, text, **_):
            return {"input_ids": [Tokens(map(ord, text))]}

        def decode(self, tokens, **_):
            return "".join(map(chr, tokens))


    class Engine:
        def __init__(self, reply):
            self.reply = reply

        async def generate(self, *_, **__):
            told = list(map(ord, self.reply))
            made = types.SimpleNamespace(token_ids=told, finish_reason="stop", logprobs=None)
            return types.SimpleNamespace(outputs=[made])


    async def rollout(url, label, reply):
        params = types.SimpleNamespace(max_tokens=100, logprobs=None)
        prompt = "Put it between <answer> and </answer>."
        made = await SingleTurnAgentExecutor([url]).execute(
            prompt, label, params, 4096, Tokenizer(), Engine(reply)
        )
        return made["reward"], made["scores"], made["extra_logs"]


    async def main():
        return await asyncio.gather(
            rollout(good, label, reply + "<|im_end|>"),
            rollout(good, label, "no"),
            rollout(good, "logic/nothing", reply),
            rollout(closed, label, reply),
        )


    print()
    print(json.dumps(asyncio.run(main())))
"""


@pytest.mark.slow
def test_the_client_of_openrlhf(tmp_path):
    python = interpreter(tmp_path, "openrlhf", "aiohttp", "--no-deps openrlhf>=0.8")
    with background_server(build(Settings(("sesame",)))) as url:
        path = "compat/openrlhf/logic.knights_and_knaves@2/get_reward"
        good = f"{url.replace('//', '//trainer:sesame@')}/{path}"
        results = run(python, OPENRLHF, good, f"{url}/{path}", str(PUZZLE), RIGHT)
    right, wrong, unknown, closed = results
    assert right == [[1], [1], {"correct": [1], "answered": [1]}]
    assert wrong == [[0], [0], {"correct": [0], "answered": [0]}]
    assert unknown == closed == [None, None, {}]  # which is no reward, and no 0


ORS = """
    import json, sys
    from ors.client import ORS
    from ors.client._types import ToolCallError

    url, env, guesses, world, calls = sys.argv[1:]
    client = ORS(base_url=url, api_key="sesame")
    game = client.environment(env)
    told = {
        "splits": game.list_splits(),
        "number": game.num_tasks("train-1"),
        "range": [task.task_spec["address"] for task in game.get_task_range("train", 2, 4)],
        "tools": [tool.name for tool in game.list_tools()],
        "openai": game.list_tools(format="openai")[0]["parameters"]["required"],
    }
    task = game.get_task("train-1", 3)
    told["address"] = task.task_spec["address"]
    with game.session(task=task) as session:
        told["prompt"] = session.get_prompt()[0].text
        told["task_tools"] = [tool.name for tool in session.list_tools()]
        results = [session.call_tool("answer", {"text": g}) for g in json.loads(guesses)]
        told["rewards"] = [one.reward for one in results]
        told["finished"] = [one.finished for one in results]
        try:
            session.call_tool("dance", {})
        except ToolCallError as error:
            told["error"] = str(error)
    desk = client.environment("tools.meeting_desk@2")
    from ors.client._types import Task
    with desk.session(task=Task("tools.meeting_desk@2", {"address": world})) as session:
        rewards = []
        for call in json.loads(calls):
            one = session.call_tool(call["tool"], call["args"])
            rewards.append(one.reward)
        one = session.call_tool("answer", {"text": "done"})
        told["world"] = [sum(rewards) + one.reward, one.finished, one.metadata["score"]]
    client.close()
    print()
    print(json.dumps(told))
"""


@pytest.mark.slow
def test_the_client_of_the_open_reward_standard(tmp_path):
    python = interpreter(tmp_path, "ors.client.session", "ors-sdk>=0.1,<0.2")
    calls = json.dumps([json.loads(move) for move in CALLS[:-1]])
    with background_server(build(Settings(("sesame",), protocol="ors"))) as url:
        report = run(python, ORS, url, "games.mastermind@1", json.dumps(GUESSES), str(WORLD), calls)
    assert {"train", "test", "train-1"} <= {*report["splits"]}
    assert report["number"] == 2**31
    assert report["range"] == [str(Address.of(MASTERMIND, n)) for n in (2, 3)]
    assert report["tools"] == report["task_tools"] == ["answer"]
    assert report["openai"] == ["text"]
    assert report["address"] == str(GAME)
    assert report["prompt"] == Episode(GAME.task(), "bare").observation
    assert report["rewards"] == earned(GAME, GUESSES)[1]
    assert report["finished"] == [False] * (len(GUESSES) - 1) + [True]
    assert "no tool 'dance'" in report["error"]
    assert report["world"] == [pytest.approx(1), True, 1]


OPENENV = """
    import asyncio, json, sys
    from types import SimpleNamespace

    from openenv.core.generic_client import GenericEnvClient
    from openenv.core.mcp_client import MCPToolClient

    url, guesses, calls = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    base = f"{url}/openenv/games.mastermind@1:level=1:answer_format=bare"
    desk = "tools.meeting_desk@2"
    wish = {
        "headers": {"Authorization": "Bearer sesame"},
        "connect_timeout_s": 300, "message_timeout_s": 300, "websocket_ping_timeout_s": None,
    }
    told = {}
    with GenericEnvClient(base_url=base, **wish).sync() as env:
        first = env.reset(seed=3, episode_id="mine")
        told["address"] = first.observation["address"]
        results = [env.step({"reply": guess}) for guess in guesses]
        told["rewards"] = [one.reward for one in results]
        told["done"] = [one.done for one in results]
        told["score"] = results[-1].observation["score"]["value"]
        told["state"] = [env.state()[name] for name in ("episode_id", "step_count")]
        try:
            env.step({"reply": "111"})
        except RuntimeError as error:
            told["error"] = str(error)
        told["again"] = env.reset(seed=4).done


    async def tools():
        async with MCPToolClient(base_url=f"{url}/openenv/{desk}", **wish) as env:
            await env.reset(seed=1)
            names = [tool.name for tool in await env.list_tools()]
            for call in calls:
                said = await env.call_tool(call["tool"], **call["args"])
                assert isinstance(said, str), said
            await env.call_tool("answer", text="done")
            return names, (await env.state()).step_count


    told["tools"] = asyncio.run(tools())
    print()
    print(json.dumps(told))
"""

VALIDATION = """
    import json, subprocess, sys
    from types import SimpleNamespace

    from openenv.validation.graders.runtime import basic
    from openenv.validation.graders.runtime.basic import (
        ObservationSchemaGrader, RewardWellFormedGrader, StateContractGrader,
    )
    from openenv.validation.runtime.collector import collect_runtime_evidence
    from openenv.validation.runtime.contracts import RuntimePlan, RuntimeReset

    # The grader of observations gives the process that it starts five seconds to end.
    patient = lambda command, **options: subprocess.run(command, **options | {"timeout": 300})
    basic.subprocess = SimpleNamespace(run=patient, TimeoutExpired=subprocess.TimeoutExpired)

    url, guesses = sys.argv[1], json.loads(sys.argv[2])
    plan = RuntimePlan(
        plan_schema_version="1", reset=RuntimeReset(episode_id="mine", seed=3),
        actions=[{"reply": guess} for guess in guesses],
    )
    found = collect_runtime_evidence(url, plan, episode_timeout_s=300)
    manifest = SimpleNamespace(reward=SimpleNamespace(range=(0, 1)))
    subject = SimpleNamespace(runtime_evidence=found, manifest=manifest)
    told = {"failure": found.failure_reason, "exchanges": len(found.exchanges)}
    for grader in (ObservationSchemaGrader(), RewardWellFormedGrader(), StateContractGrader()):
        result = grader.run(subject)
        told[result.check_id] = [result.status.value, result.evidence]
    print()
    print(json.dumps(told))
"""


@pytest.mark.slow
def test_the_clients_and_the_validator_of_openenv(tmp_path, url):
    python = interpreter(tmp_path, "openenv.core.generic_client", "openenv>=0.10,<0.11")
    calls = json.dumps([json.loads(move) for move in CALLS[:-1]])
    with background_server(build(Settings(("sesame",)))) as guarded:
        results = run(python, OPENENV, guarded, json.dumps(GUESSES), calls)
    assert results["address"] == str(GAME)
    assert results["rewards"] == earned(GAME, GUESSES)[1]
    assert results["done"] == [False] * (len(GUESSES) - 1) + [True]
    assert results["score"] == 1
    assert results["state"] == ["mine", len(GUESSES)]
    assert "the episode is over" in results["error"]
    assert results["again"] is False
    names, steps = results["tools"]
    assert {"agenda", "book", "answer"} <= {*names}
    assert steps == len(CALLS)

    results = run(python, VALIDATION, f"{url}{BASE}", json.dumps(GUESSES))
    assert results.pop("failure") is None
    assert results.pop("exchanges") == 2 * (len(GUESSES) + 1)
    verdicts = {name: verdict for name, (verdict, _) in results.items()}
    assert verdicts == dict.fromkeys(results, "pass"), results
    assert len(results) == 3

    command = [python, "-m", "openenv.cli", "validate", "--json", "--url", f"{url}{BASE}"]
    command += ["--timeout", "300"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=COMPILED_ONCE)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["passed"]
    assert report["mode"] == "simulation"
    assert report["standard_profile"] == "openenv-http/1.x"
    assert not report["summary"]["failed_criteria"]


SANDBOX_FUSION = """
    import asyncio, json, sys
    from base64 import b64encode

    from sandbox_fusion import RunCodeRequest, run_code, run_code_async, set_endpoint

    set_endpoint(sys.argv[1])


    def asked(code, language="python", **more):
        return RunCodeRequest(code=code, language=language, **more)


    def told(result):
        run = result.run_result
        return [result.status.value, run.status.value, run.return_code, run.stdout]


    numbers = b64encode(b"40 2").decode()
    reading = asked("print(sum(map(int, open('a.txt').read().split())))", files={"a.txt": numbers})
    endless = asked("import time\\nwhile time.time(): pass", run_timeout=1)
    results = [told(run_code(each)) for each in (asked("print(input())", stdin="x"), reading,
                                                 asked("exit(3)"), endless)]
    results.append(told(asyncio.run(run_code_async(asked("print(6 * 7)")))))
    try:
        run_code(asked("x", "go"), max_attempts=1)
    except Exception as error:
        results.append(str(error))
    print()
    print(json.dumps(results))
"""


@pytest.mark.slow
def test_the_client_of_sandbox_fusion(tmp_path):
    packages = ("sandbox-fusion>=0.3.7,<0.4", "requests", "aiohttp", "tenacity", "pydantic>=2")
    python = interpreter(tmp_path, "sandbox_fusion", *packages)
    with background_server(build(Settings(("sesame",)))) as url:
        results = run(python, SANDBOX_FUSION, url.replace("//", "//any:sesame@"))
    assert results.pop().startswith("Sandbox responded with error: no language 'go' here")
    assert results == [
        ["Success", "Finished", 0, "x\n"],
        ["Success", "Finished", 0, "42\n"],
        ["Failed", "Finished", 3, ""],
        ["Failed", "TimeLimitExceeded", None, ""],
        ["Success", "Finished", 0, "42\n"],
    ]


REPORTS = """
    import json, sys
    from openenv.validation.policy import apply_policy, load_policy
    from openenv.validation.report import ValidationReport
    from openenv.validation.types import Lane

    policy, verdicts = load_policy("v2"), []
    for line in open(sys.argv[1]):
        report = ValidationReport.model_validate_json(line)
        assert report.policy_version == policy.policy_version
        ids = [result.check_id for result in report.results]
        assert sorted(ids) == sorted(entry.check_id for entry in policy.entries)
        assert report.manifest.reward.floor_margin >= policy.bounds.min_floor_margin
        timeout = report.manifest.resources.episode_timeout_s
        assert timeout <= policy.bounds.max_episode_timeout_s
        verdict = apply_policy(report.results, policy, Lane.HUB)
        verdicts.append([verdict.value, report.verdict.value])
    mild = sorted(e.check_id for e in policy.entries if e.severity.value != "fail")
    print(json.dumps([verdicts, mild]))
"""


@pytest.mark.slow
def test_openenv_reads_our_reports(tmp_path):
    python = interpreter(tmp_path, "openenv.validation", "openenv==0.10.0")
    file = tmp_path / "reports.jsonl"
    faults = ({}, {"check_oracle": "it scores 0"}, {"check_baselines": "they earn 0.9"})
    file.write_text("".join(json.dumps(report(MASTERMIND, each)) + "\n" for each in faults))
    verdicts, mild = run(python, REPORTS, str(file))
    assert verdicts == [["warn", "warn"], ["fail", "fail"], ["warn", "warn"]]
    assert mild == sorted(WARNINGS)
