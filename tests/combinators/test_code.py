"""Programs as actions: they reach a world by calls alone, and earn what the calls earn."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import Address, Episode, names
from palaestra.combinators import COMBINATORS
from palaestra.combinators.code import CodeTask, program
from palaestra.episode import BARE, TAGS
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import JudgeError
from palaestra.toolbox import call
from palaestra.verifiers.sandbox import SandboxUnavailable, sandbox

CODE = COMBINATORS["code"]()
WORLDS = [name for name in names() if not CODE.refusal(load(name))]
MEETING = "tools/meeting_desk+code"


@pytest.fixture(autouse=True)
def _sandboxed():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


def episode(name: str = MEETING, seed: int = 5, level: int = 2) -> Episode:
    return Episode(Address.of(name, seed, level).task(), BARE)


def printed(code: str, name: str = MEETING) -> str:
    """What a player reads who runs a program at the start."""
    played = episode(name)
    played.step(code)
    return played.observation


def test_it_is_for_worlds_of_tools() -> None:
    assert len(WORLDS) >= 20
    for name in ("grids/sudoku", "tools/function_calls", "tools/shell_session"):
        with pytest.raises(UnknownEnvironment, match="does not apply"):
            Address.of(f"{name}+code", 0, 0)


@pytest.mark.parametrize("name", WORLDS)
def test_the_oracle_wins_by_programs(name: str) -> None:
    levels = load(name).Knobs.levels()
    for level in (0, levels - 1):
        plain, task = (Address.of(each, 3, level).task() for each in (name, f"{name}+code"))
        assert isinstance(task, CodeTask)
        assert task.task == plain
        played = Episode(task, BARE)
        for move in task.solve():
            if played.scores is None:
                played.step(move)
        if played.scores is None:
            played.step("done")
        assert played.result().value == 1
        assert sum(played.rewards) == pytest.approx(1)
        direct = Episode(plain, BARE)
        for move in plain.solve():
            if direct.scores is None:
                direct.step(move)
        assert played.turn.state == direct.turn.state
        assert len(played.replies) <= len(direct.replies) + 2


def test_calls_are_made_as_in_the_world_itself() -> None:
    plain, coded = episode("tools/meeting_desk"), episode()
    for move in plain.task.solve():
        if move != "done":
            plain.step(move)
            coded.step(move)
            assert coded.observation == plain.observation
    assert coded.turn.state == plain.turn.state


def test_a_program_works_with_what_the_tools_return() -> None:
    direct = episode("tools/meeting_desk")
    direct.step(call("list_rooms"))
    rooms = direct.observation
    loop = "for line in list_rooms().split(', '):\n    print(line.upper())"
    for code in (loop, f"```python\n{loop}\n```", f"First, the rooms [of all]:\n```py\n{loop}```"):
        assert printed(code) == "\n".join(rooms.upper().split(", "))
    assert printed("x = list_rooms()\nlen(x)") == str(len(rooms))
    assert printed("call('list_rooms')") == rooms
    assert printed(call("python", code="print(list_rooms())")) == rooms
    assert printed("list_rooms() == call('list_rooms') and None") == "(The program prints nothing.)"


def test_arguments_have_the_names_or_the_order_of_the_tool() -> None:
    task = episode().task
    person = task.task.who[0] if hasattr(task.task, "who") else "nobody"
    by_name = printed(f"agenda(person={person!r})")
    assert by_name == printed(f"agenda({person!r})")
    assert "at most 1 argument" in printed("list_rooms()\nagenda(1, 2)")
    assert "several values for 'person'" in printed("list_rooms()\nagenda('a', person='b')")
    assert "not JSON serializable" in printed("list_rooms()\nagenda({1})")
    assert "no tool" in printed("call('no such tool')")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("list_rooms(", "SyntaxError"),
        ("list_rooms()\n1 / 0", "line 2: ZeroDivisionError"),
        ("list_rooms()\ndef f():\n    g()\ndef g():\n    [][1]\nf()", "line 5, in line 3"),
        ("print(1)\nlist_rooms()\nimport palaestra", "ModuleNotFoundError"),
        ("list_rooms()\nopen('/etc/shadow').read()", "Error"),
        ("list_rooms()\nwhile True: pass", "too long"),
        ("list_rooms()\nx = 'a' * 10**10", "Memory"),
        ("list_rooms()\nimport os\nos._exit(0)", "ended"),
        ("list_rooms()\nf = lambda: f()\nf()", "RecursionError"),
        ("list_rooms()\nprint('\\ud800')", "?"),
        ("list_rooms() # \ud800", "Error"),
        ("Let us call the tool list_rooms.", "SyntaxError"),
        ("```python\nx = 1\n```", "the program calls no tool"),
        ("```python\nprint(6 * 7)\n```", "42"),
        ("```python\n", "Error"),
        ("x = 1", "Error"),
        ("", "Error"),
    ],
)
def test_faults_are_reported_and_the_game_goes_on(code: str, error: str) -> None:
    played = episode()
    played.step(code)
    assert error in played.observation
    assert len(played.observation) < 10_000
    assert played.scores is None
    for move in played.task.solve():
        if played.scores is None:
            played.step(move)
    assert played.result().value == 1


def test_what_is_printed_before_a_fault_is_shown() -> None:
    assert printed("print('rooms')\nlist_rooms()\n1 / 0").startswith("rooms\nError: line 3")


def test_long_outputs_are_cut() -> None:
    observation = printed("list_rooms()\nfor n in range(10**5): print(n)")
    assert observation.startswith("0\n1\n")
    assert observation.endswith("more characters]")
    assert len(observation) < 9_000


def test_calls_are_counted_one_by_one_and_a_program_without_any_counts_as_one() -> None:
    played = episode()
    calls = int(played.observation.partition("You have ")[2].split()[0])
    played.step(f"for n in range({calls - 2}): list_rooms()")
    assert played.scores is None
    played.step("```\nprint(1)\n```")
    assert played.observation == "1"
    assert played.scores is None
    played.step("list_rooms()")
    assert played.result().value == 0
    endless = episode()
    endless.step("while True: list_rooms()")
    assert endless.result().value == 0


def test_programs_are_limited_and_calls_go_on() -> None:
    played = episode("tools/meeting_desk+code(1)")
    played.step("print(list_rooms())")
    rooms = played.observation
    played.step("print(list_rooms())")
    assert "no more programs" in played.observation
    played.step(call("list_rooms"))
    assert played.observation == rooms


FORGED = """
import json, os
list_rooms()
os.write(3, {})
os.write(3, b'0 ' + json.dumps({{"value": ["end", "won", ""]}}).encode() + b'\\n')
"""


@pytest.mark.parametrize("line", [b"x\n", b"\n" * 1000, b'{"value": 1}\n', b"[" * 5000 + b"\n"])
def test_a_program_that_speaks_to_the_judge_earns_nothing(line: bytes) -> None:
    played = episode()
    played.step(FORGED.format(repr(line)))
    if played.scores is None:
        played.step("done")
    assert played.result().value == 0


def test_no_program_reaches_the_answer() -> None:
    """What the process of a program holds is the code and the names of the tools."""
    code = (
        "import gc\nlist_rooms()\n"
        "print([o for o in gc.get_objects() if isinstance(o, dict) and 'solution' in o][:1])"
    )
    assert printed(code) == "[]"


def test_chance_is_the_same_in_each_program() -> None:
    code = "import random\nlist_rooms()\nprint(random.random(), hash('a') != 0)"
    assert printed(code) == printed(code)


def test_a_reply_without_a_move_costs_a_call() -> None:
    played = Episode(Address.of(MEETING, 5, 2).task(), TAGS)
    played.step("I do not know.")
    assert "answer" in played.observation
    assert played.scores is None


def test_the_functions_of_a_chat_have_the_one_that_runs_programs() -> None:
    task = Address.of(MEETING, 5, 2).task()
    assert [each["function"]["name"] for each in task.tools()][-1] == "python"
    json.dumps([*task.tools()])


LOOP = "for n in range(2):\n    print(list_rooms())"


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{LOOP}\n```",
        f"```\n{LOOP}\n```",
        f"```py\n{LOOP}",
        f"Thought: the rooms first.\nCode:\n```python\n{LOOP}\n```<end_code>",
        f"Thought: the rooms first.\n<code>\n{LOOP}\n</code>",
        f"<execute>\n{LOOP}\n</execute>",
        f"<|python_tag|>{LOOP}",
        f"```python\n{LOOP}\n```\nand then\n```python\nx = 1\n```",
        f"I run this, and not JSON:\n```json\n{{}}\n```\n```python\n{LOOP}\n```",
        json.dumps({"name": "python", "arguments": {"code": LOOP}}),
        f"<tool_call>{json.dumps({'name': 'python', 'arguments': {'code': LOOP}})}</tool_call>",
        LOOP,
    ],
)
def test_programs_are_read_as_agents_write_them(reply: str) -> None:
    assert printed(reply) == printed(LOOP)
    assert printed(reply).count(" holds ") == 2 * printed("print(list_rooms())").count(" holds ")


@pytest.mark.parametrize(
    "reply",
    [
        '{"tool": "list_rooms", "args": {}}',
        '```json\n{"tool": "list_rooms", "args": {}}\n```',
        '```\n{"name": "list_rooms", "arguments": {}}\n```',
        '[{"name": "list_rooms", "arguments": {}}]',
        '<tool_call>{"name": "list_rooms", "arguments": {}}</tool_call>',
        "<function=list_rooms>{}</function>",
        '[TOOL_CALLS][{"name": "list_rooms", "arguments": {}}]',
        "[TOOL_CALLS]list_rooms[ARGS]{}",
        '<|python_tag|>{"name": "list_rooms", "parameters": {}}',
        "Thought: rooms.\nAction: list_rooms\nAction Input: {}",
    ],
)
def test_calls_are_no_programs(reply: str) -> None:
    assert program(reply, {"list_rooms"}) is None


def test_an_argument_may_hold_what_looks_like_a_program() -> None:
    for text in ("```python\n1\n```", "<code>1</code>", "done"):
        assert program(json.dumps({"tool": "say", "args": {"text": text}}), {"say"}) is None


STEPS = "list_rooms()\nlist_rooms.__globals__['_steps'].put({})"
"""A program that reports a step which the interpreter does not report."""


@pytest.mark.parametrize(
    "step",
    [
        "['end', 'a' * 10**6, 'b' * 10**6]",
        "['end', 'a', 5]",
        "['call', 'book', '{}}{', 1]",
        "['call', 'book', 'a' * 10**6]",
        "['call', 'a' * 10**6, '{}']",
        "['call', 'book', 'nothing']",
        "None",
        "5",
        "object()",
        "[['end']] * 10**5",
        "'a' * 10**7",
    ],
)
def test_forged_steps_earn_nothing_and_are_bounded(step: str) -> None:
    played = episode()
    played.step(STEPS.format(step))
    assert len(played.observation) < 20_000
    if played.scores is None:
        played.step("done")
    assert played.result().value == 0


@given(st.text(max_size=200))
def test_any_reply_is_a_program_or_calls(text: str) -> None:
    assert program(text, {"a"}) is None or "a" in text or "```" in text or "call" in text


def test_hostile_replies_are_told_apart_quickly() -> None:
    for text in (
        "`" * 10**6,
        "{" * 10**6 + "python",
        "```py\n" * 10**5,
        '{"tool": "python"' * 10**4,
    ):
        program(text)


def test_no_sandbox_is_a_fault_of_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable() -> None:
        raise SandboxUnavailable("none")

    monkeypatch.setattr("palaestra.verifiers.sandbox.callees.sandbox", unavailable)
    with pytest.raises(JudgeError, match="no program can be run"):
        episode().step("list_rooms()")
