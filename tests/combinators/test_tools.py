"""Tools before the answer: Python, a calculator and a search, through every face."""

import asyncio
import json
from contextlib import suppress

import gymnasium
import httpx2 as httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palaestra.gym  # noqa: F401  registers the environments
from palaestra import Address, Episode, score
from palaestra.combinators import toolkits
from palaestra.combinators.toolkits import calculated, matching_passages, printed, run
from palaestra.episode import BARE, BOXED, TAGS
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.task import InvalidAnswer, JudgeError, NoValidTask
from palaestra.toolbox import call
from palaestra.trainers.episodes import Reply, ToolCall, play_episode
from palaestra.verifiers.sandbox import SandboxUnavailable

SUDOKU = Address.of("grids/sudoku+tools(python,3)", 1, 1)
SUM = Address.of("arithmetic/word_problem+tools(calculator,2)", 1, 2)
FACTS = Address.of("language/fact_retrieval+tools(search,2)", 1, 2)

(SOLUTION,) = SUDOKU.task().solve()


def played(address: Address, *replies: str) -> Episode:
    return Episode(address.task(), BARE, replies)


def test_calls_are_free_up_to_the_budget() -> None:
    for number in range(4):
        calls = [call("python", code=f"print({n} + 1)") for n in range(number)]
        episode = played(SUDOKU, *calls)
        if number:
            assert episode.observation.startswith(f"{number}\n\n")
        assert ("No calls are left" in episode.observation) == (number == 3)
        assert episode.step(SOLUTION) == 1
        assert episode.score is not None
        assert (episode.score.value, episode.score.parts["calls"]) == (1, number)


def test_after_the_budget_only_an_answer_counts() -> None:
    episode = played(SUDOKU, *[call("python", code="print(1)")] * 4)
    assert episode.score is not None
    assert (episode.score.value, episode.score.status) == (0, "malformed")
    assert "instead of an answer" in episode.score.reason
    silent = Episode(SUDOKU.task(), TAGS, ["no tags"] * 4)
    assert silent.score is not None
    assert silent.score.status == "no_answer"


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ('{"tool": "pyhton", "args": {"code": "print(1)"}}', "no tool 'pyhton'; there is python"),
        ('{"tool": "pyhton"}', "no tool 'pyhton'"),
        ('{"tool": "calculator", "args": {"expression": "1"}}', "there is python"),
        ('{"tool": "python"}', "code: Field required"),
        ('{"name": "python", "arguments": {"cod": "1"}}', "cod: Extra inputs"),
        ('{"name": "python", "arguments": "print(1)"}', "Input should be an object"),
        ('{"tool": "python", "args": {"code": 7}}', "should be a valid string"),
        ('{"tool": "python", "args": {"code": "print(1)"}', "Invalid JSON"),
        (call("python", code="x" * 10_001), "at most 10000 characters"),
        (call("python", code="if x"), "SyntaxError"),
        (call("python", code="def f(n):\n    return 1 / n\nf(0)"), "line 2, in line 3\nZeroDiv"),
        (call("python", code="print(5)\nraise SystemExit(3)"), "the code fails\n5"),
        (call("python", code="while True: pass"), "longer than 5 seconds"),
        (call("python", code="x = 'a' * 10**9"), "memory"),
        (call("python", code="print('a' * 10**4)"), "more than 8 kB"),
        ('{"tool": "python", "args": {"code": "print(\'\\ud800\')"}}', "invalid"),
    ],
)
def test_a_wrong_call_is_answered_with_an_error_and_counts(move: str, error: str) -> None:
    episode = played(SUDOKU, move)
    assert episode.observation.startswith("Error: ")
    assert error.casefold() in episode.observation.casefold()
    assert "2 calls are left" in episode.observation
    episode.step(SOLUTION)
    assert episode.score is not None
    assert (episode.score.value, episode.score.parts["calls"]) == (1, 1)


def test_each_call_is_a_new_process_that_draws_the_same_numbers() -> None:
    draws = call("python", code="import random\nx = 1\nprint(random.random(), hash('a'))")
    first, second, third = (
        played(SUDOKU, *moves).observation.partition("\n")[0]
        for moves in ([draws], [draws, draws], [call("python", code="print(2)"), draws])
    )
    assert first == second == third
    assert "NameError" in played(SUDOKU, draws, call("python", code="print(x)")).observation
    writes = call("python", code="open('left', 'w').write('x')")
    listed = call("python", code="import os\nprint(os.listdir('.'))")
    assert played(SUDOKU, writes, listed).observation.startswith("[]\n")


@pytest.mark.parametrize(
    "move",
    [
        SOLUTION,
        f"```\n{SOLUTION}\n```",
        call("answer", text=SOLUTION),
        json.dumps({"name": "answer", "arguments": {"text": SOLUTION}}),
    ],
)
def test_any_other_reply_is_the_answer(move: str) -> None:
    assert score(SUDOKU, move, BARE).value == 1


def test_an_answer_in_json_is_no_call() -> None:
    for move in ('{"name": "Ada"}', '{"args": 1}', "{1, 2}", '{"a": {"tool": "python"}}'):
        episode = played(SUDOKU, move)
        assert episode.score is not None
        assert episode.score.parts["calls"] == 0


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_any_text_is_a_call_or_an_answer(text: str) -> None:
    episode = played(SUM, text)
    assert episode.score is None or episode.score.value <= 1


# What the code of a player can see

SPY = """
import ctypes, glob, os, sys
seen = []
SECRETS = {secrets!r}
TABLE = bytes((n + 7) % 256 for n in range(256))
def look(name, data):
    shifted = data.translate(TABLE)
    if any(secret in shifted for secret in SECRETS):
        seen.append(name)
look("environment", repr(dict(os.environ)).encode())
look("arguments", repr(sys.argv + sys.orig_argv).encode())
for name, module in list(sys.modules.items()):
    if name.startswith("palaestra"):
        seen.append(name)
    for value in list(vars(module).values()):
        if isinstance(value, (str, bytes)) and name != "__main__":
            look(name, value.encode("utf-8", "replace") if isinstance(value, str) else value)
for path in glob.glob("/proc/[0-9]*/*") + glob.glob("/proc/self/*"):
    if path.split("/")[-1] in ("environ", "cmdline", "status", "comm", "stack"):
        try:
            look(path, open(path, "rb").read(1 << 20))
        except OSError:
            pass
for line in open("/proc/self/maps").read().splitlines():
    start, end = (int(part, 16) for part in line.split()[0].split("-"))
    if line.split()[1].startswith("rw") and end - start < 1 << 25:
        look("memory", ctypes.string_at(start, end - start))
for pid in {{os.getppid(), 1, *map(int, filter(str.isdigit, os.listdir("/proc")))}}:
    try:
        maps = open(f"/proc/{{pid}}/maps").read().splitlines()
        memory = open(f"/proc/{{pid}}/mem", "rb", 0)
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            memory.seek(start)
            look(f"memory of {{pid}}", memory.read(min(end - start, 1 << 25)))
    except (OSError, OverflowError, ValueError):
        pass
for folder in ("/work", "/home", "/root", "/tmp", "/var/tmp", "/dev/shm", "/run", "."):
    for place, _, names in os.walk(folder):
        for name in names[:50]:
            try:
                look(os.path.join(place, name), open(os.path.join(place, name), "rb").read(1 << 16))
            except OSError:
                pass
print(sorted(set(seen)) or "nothing")
"""
"""Each byte of the secrets is shifted by 7, so that the program itself does not hold them."""


def spy(*secrets: str) -> str:
    return SPY.format(secrets=[bytes((n + 7) % 256 for n in text.encode()) for text in secrets])


def test_code_cannot_see_the_task() -> None:
    """It looks for the answer and the address in modules, variables, files, processes, memory."""
    address = Address.of("strings/palindrome_building+tools(python,3)", 1_739_204_586, 3)
    (answer,) = address.task().solve()
    assert len(answer) >= 10
    code = spy(answer, "1739204586", "palindrome_building")
    assert printed(run(code)) == "nothing"
    planted = f"planted = 'palindrome'\nplanted += '_building'\n{code}"
    assert printed(run(planted)) == "['memory']", "the code does not see what is there"
    assert played(address, call("python", code=code)).observation.startswith("nothing\n")


def test_the_calls_of_an_episode_have_a_total_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkits, "TOTAL_S", 0.3)
    busy = call("python", code="import time\nt = time.time()\nwhile time.time() < t + 0.2: pass")
    episode = played(SUDOKU, busy, busy)
    assert "Error" not in episode.observation
    episode.step(busy)
    assert episode.observation.startswith("Error: the calls have taken 0.3 seconds")
    assert episode.step(SOLUTION) == 1


def test_without_a_sandbox_there_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(*_: object, **__: object) -> None:
        raise SandboxUnavailable("allow unprivileged user namespaces")

    monkeypatch.setattr(type(toolkits.sandbox()), "run", unavailable)
    with pytest.raises(JudgeError, match="needs the sandbox: allow unprivileged user namespaces"):
        played(SUDOKU, call("python", code="print(1)"))
    assert score(SUDOKU, SOLUTION, BARE).value == 1


# Calculator and search


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", "14"),
        ("(1.5 + 2.25) * 4", "15"),
        ("10 / 4", "5/2 = 2.5"),
        ("-7 mod 3", "2"),
        ("2^100", str(2**100)),
        ("17 // 5", "3"),
    ],
)
def test_the_calculator_is_exact(expression: str, value: str) -> None:
    assert calculated(expression) == value
    episode = played(SUM, call("calculator", expression=expression))
    assert episode.observation == f"{value}\n\n1 call is left."


@pytest.mark.parametrize(
    "expression", ["1 / 0", "__import__('os')", "9^9^9^9", "", "2 +", "x", "(" * 999, "1.2.3"]
)
def test_the_calculator_refuses_what_is_no_arithmetic(expression: str) -> None:
    with pytest.raises(InvalidAnswer):
        calculated(expression)
    assert played(SUM, call("calculator", expression=expression)).observation.startswith("Error: ")


@settings(max_examples=200)
@given(st.text(alphabet="0123456789.+-*/^%()= mod\u00d7x", max_size=40) | st.text(max_size=20))
def test_the_calculator_takes_any_text(text: str) -> None:
    with suppress(InvalidAnswer):
        assert calculated(text)


CALL_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["calculator", "1 + 1", "answer"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["tool", "name", "args", "arguments", "text"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=200)
@given(CALL_LIKE)
def test_any_json_is_a_call_or_an_answer(value: object) -> None:
    episode = played(SUM, json.dumps(value))
    if episode.score is None:
        assert episode.observation.endswith("1 call is left.")
    else:
        assert episode.score.parts["calls"] == 0


def test_the_calculator_starts_no_jail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkits, "sandbox", None)
    assert played(SUM, call("calculator", expression="6 * 7")).observation.startswith("42\n")
    assert not type(SUM.task()).expensive


def test_a_search_gives_passages_of_the_question() -> None:
    question = Episode(FACTS.task(), BARE).observation
    word = "archive"
    episode = played(FACTS, call("search", words=word))
    passages = episode.observation.partition("\n\n")[0].splitlines()
    assert 1 <= len(passages) <= 11
    for passage in passages[:10]:
        assert passage in question
        assert word in passage.casefold()
    assert "no passage" in played(FACTS, call("search", words="xyzzy")).observation
    assert matching_passages("a b.\nA c.", "A C") == "A c."
    with pytest.raises(NoValidTask, match="nothing to search"):
        Address.of("arithmetic/word_problem+tools(search,2)", 0, 0).task()


# Faces

PLAYS = {
    SUDOKU: [("python", {"code": "print('</answer> } \\\\boxed{')"}), ("pyhton", {})],
    SUM: [("calculator", {"expression": "6 * 7"})],
    FACTS: [("search", {"words": "archive"})],
}


@pytest.fixture(scope="module")
def url():
    with background_server(build()) as url:
        yield url


def observations_and_score(episode: Episode) -> tuple[list[str], float | None, dict[str, float]]:
    assert episode.score is not None
    seen = [text for _, text in episode.observations[1:]]
    return seen, episode.score.value, dict(episode.score.parts)


@pytest.mark.parametrize("address", PLAYS, ids=lambda address: address.env)
@pytest.mark.parametrize("answer_format", [TAGS, BOXED], ids=lambda each: each.name)
@pytest.mark.parametrize("right", [True, False])
def test_native_calls_text_calls_and_mcp_give_one_score(url, address, answer_format, right) -> None:
    (solution,) = address.task().solve()
    answer = solution if right else "none of these"
    calls = PLAYS[address]
    known = [each for each in calls if each[0] != "pyhton"]  # MCP has no calls of unknown tools

    def by_text(moves):
        episode = Episode(address.task(), answer_format)
        for name, arguments in moves:
            episode.step(answer_format.write(unmarked(call(name, **arguments))))
        episode.step(answer_format.write(answer))
        return observations_and_score(episode)

    async def by_functions(moves):
        script = iter(
            [Reply("", (ToolCall(name, json.dumps(arguments)),)) for name, arguments in moves]
            + [Reply("", (ToolCall("answer", json.dumps({"text": answer})),))]
        )

        async def ask(messages, tools):
            assert tools
            return next(script)

        result = await play_episode(ask, address, answer_format=answer_format)
        seen = [each["content"] for each in result.messages if each["role"] == "tool"]
        return seen, result.score, dict(result.parts)

    async def by_mcp(moves):
        pytest.importorskip("mcp")
        from mcp import Client

        body = {"address": str(address), "answer_format": answer_format.name}
        (opened,) = httpx.post(f"{url}/v1/sessions", json=body, timeout=60).json()["sessions"]
        async with Client(f"{url}/v1/sessions/{opened['session']}/mcp") as client:
            await client.list_tools()
            results = [await client.call_tool(name, arguments) for name, arguments in moves]
            last = await client.call_tool("answer", {"text": answer})
        scored = last.meta["palaestra/standing"]["score"]
        return [each.content[0].text for each in results], scored["value"], scored["parts"]

    text = by_text(calls)
    assert text[1] == right
    assert text[2]["calls"] == len(calls)
    assert asyncio.run(by_functions(calls)) == text
    assert asyncio.run(by_mcp(known)) == by_text(known)


def unmarked(text: str) -> str:
    """A call in JSON in which the texts have no signs that end the mark around a move."""
    value = json.loads(text)
    for name, argument in value["args"].items():
        value["args"][name] = "".join(f"\0{ord(s):04x}" if s in "<>{}" else s for s in argument)
    return json.dumps(value).replace("\\u0000", "\\u")


def test_gymnasium_plays_the_same_task() -> None:
    env = gymnasium.make("palaestra/Sudoku-v2", level=1, combinators="tools(python,3)")
    _, info = env.reset(seed=1)
    address = Address.parse(info["address"])
    assert address.env == SUDOKU.env
    (solution,) = address.task().solve()
    observation, reward, over, _, _ = env.step(TAGS.write(call("python", code="print(6 * 7)")))
    assert (observation.partition("\n")[0], reward, over) == ("42", 0, False)
    _, reward, over, _, info = env.step(TAGS.write(solution))
    assert (reward, over, info["parts"]["calls"]) == (1, True, 1)


def test_the_service_plays_and_scores_it(url) -> None:
    moves = [TAGS.write(call("python", code="print(6 * 7)")), TAGS.write(SOLUTION)]
    item = {"address": str(SUDOKU), "replies": moves}
    result = httpx.post(f"{url}/v1/score", json=item, timeout=60).json()
    assert (result["value"], result["parts"]["calls"]) == (1, 1)
    opened = httpx.post(f"{url}/v1/sessions", json={"address": str(SUDOKU)}, timeout=60).json()
    (session,) = opened["sessions"]
    assert [tool["function"]["name"] for tool in session["tools"]] == ["python", "answer"]
    path = f"{url}/v1/sessions/{session['session']}/step"
    first = httpx.post(path, json={"step": 0, "move": moves[0]}, timeout=60).json()
    assert first["observation"].startswith("42\n")
    last = httpx.post(path, json={"step": 1, "move": moves[1]}, timeout=60).json()
    assert last["score"]["value"] == 1
