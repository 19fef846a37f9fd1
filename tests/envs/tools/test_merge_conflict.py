"""Tests of tools/merge_conflict."""

import re
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.tools.merge_conflict import NAMES, MergeConflict
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.merge_conflict.functions import Mapped, text_of, value_of
from palaestra.generators.tools.merge_conflict.judging import cases, program_of
from palaestra.generators.tools.merge_conflict.merging import (
    OURS,
    THEIRS,
    chunks,
    conflicts,
    marked,
    resolved,
)
from palaestra.task import InvalidAnswer, Score

NAME = "tools/merge_conflict"


def instance(seed: int, level: int, **knobs: int) -> MergeConflict:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, MergeConflict)
    return task


def graded(task: MergeConflict, answer: str) -> Score:
    try:
        return task.verify(answer)
    except InvalidAnswer as error:
        return Score(0, str(error))


def test_the_oracle_wins() -> None:
    for seed in range(70):
        task = instance(seed, seed % 7)
        assert task.verify(task.answer()).value == 1
        assert len(task.parts) > conflicts(task.parts) >= 1 + (seed % 7 > 1)


def test_what_is_wanted_is_what_the_merged_text_does() -> None:
    """The texts, run here, return what the data say: an independent computation of the goal."""
    for seed in range(140):
        branches = instance(seed, seed % 7).branches
        for program in branches[:4]:
            names: dict = {}
            exec("\n".join(text_of(program)), names)  # noqa: S102  our own program, no reply
            for arguments, wanted in cases(program, seed):
                assert names[arguments[0]](*arguments[1:]) == wanted


def test_sides_and_their_unions_fail() -> None:
    for seed in range(28):
        task = instance(seed, seed % 7)
        for name, answer in task.baselines(Random(seed)).items():
            result = graded(task, answer)
            assert result.value == 0, (seed, name)
            assert result.parts.get("progress", 0) < 1


@pytest.mark.parametrize("level", [2, 4, 6])
def test_each_conflict_and_each_broken_use_matters(level: int) -> None:
    """Right but for one conflict, or but for what the merge left wrong without markers."""
    for seed in range(3):
        task = instance(seed, level)
        merged = task.branches.merged
        for n, function in enumerate(merged):
            for side in (task.branches.ours, task.branches.theirs):
                other = next((each for each in side if each.name == function.name), None)
                if other is None or other == function:
                    continue
                if isinstance(other, Mapped) and other._replace(style="loop") == function._replace(
                    style="loop"
                ):
                    continue
                answer = "\n".join(text_of((*merged[:n], other, *merged[n + 1 :])))
                assert graded(task, answer).value == 0
        if level > 2:
            text = "\n".join(resolved(task.parts, ["ours"]))
            assert any(line.startswith("new function") for line in task.branches.messages[1])
            assert graded(task, text).value == 0


def test_right_answers_of_another_form_are_accepted() -> None:
    task = instance(3, 3)
    right = task.answer()
    assert graded(task, f"The merge:\n```python\n{right}```\n").value == 1
    assert graded(task, right.replace("\n", "\r\n")).value == 1
    assert graded(task, f"import math\n\n{right}\n\nUNUSED = 1").value == 1
    other = [
        function._replace(style="loop") if isinstance(function, Mapped) else function
        for function in reversed(task.branches.merged)
    ]
    assert graded(task, "\n".join(text_of(tuple(other)))).value == 1
    assert task.audit(right)


def test_hostile_answers_earn_nothing() -> None:
    task = instance(1, 1)
    text = "\n".join(marked(task.parts, NAMES, with_base=False))
    name = task.branches.merged[0].name
    for answer in (
        "", "done", "def f(", text, "x = 1", f"def {name}(*a):\n    return 0",
        "import os\nx = 1\nos._exit(0)", "x = 1\nwhile True: pass", "x = [0] * 10**10",
        f"class A(list):\n    def __eq__(self, o): return True\ndef {name}(*a): return A()",
        "x = \ud800", "(" * 5_000 + "x = 1", "```\nx = 1\n```\n```\ny = 2\n```",
    ):  # fmt: skip
        result = graded(task, answer)
        assert result.value == 0
        assert result.reason


def test_markers_are_refused_before_anything_runs() -> None:
    with pytest.raises(InvalidAnswer, match="markers"):
        program_of(f"def f():\n{OURS}main\n    pass\n{THEIRS}feature")


def test_chunks_hold_all_lines_and_merge_what_only_one_branch_changes() -> None:
    base, ours, theirs = "abcdef", "abXdef", "abcdefY"
    parts = chunks(base, ours, theirs)
    assert not conflicts(parts)
    assert "".join(resolved(parts, [])) == "abXdefY"
    rng = Random(1)
    for _ in range(300):
        texts = [[rng.choice("abcd") for _ in range(rng.randrange(8))] for _ in range(3)]
        parts = chunks(*texts)
        for n, side in enumerate(("base", "ours", "theirs")):
            assert [line for part in parts for line in getattr(part, side)] == texts[n]
        same = chunks(texts[0], texts[1], texts[0])
        assert resolved(same, []) == texts[1]


def test_the_prompt_tells_both_branches_and_not_the_merge() -> None:
    for seed in range(14):
        task = instance(seed, seed % 7)
        prompt = task.prompt()
        lines = [line for message in task.branches.messages for line in message]
        assert all(line in prompt for line in lines)
        assert ("||||||| base" in prompt) == bool(task.base)
        assert task.answer() not in prompt
    assert len({instance(seed, 2).prompt().split("\n")[0] for seed in range(60)}) == 5


def test_values_are_bounded_and_ordered_as_the_prompt_says() -> None:
    function = Mapped("f", "loop", 0, 2, 1, floor=5, cap=9, order="descending", first=3)
    assert function.result([-1, 0, 1, 3, 4, 10]) == [9, 9, 7]
    assert value_of((function,), "f", [1], 0) == [5]


def test_the_reward_is_the_score() -> None:
    task = instance(2, 2)
    for answer, value in ((task.answer(), 1), ("x = 1", 0)):
        episode = Episode(task, BARE, [answer])
        assert episode.rewards == [episode.score.value] == [value]


RULES = {
    "least": r"skip values below (-?\d+), no|smallest value that counts is (-?\d+) and",
    "multiple": r"multiples of (\d+)|divisible by (\d+)",
    "factor": r"multiply by (\d+) in|the factor is (\d+)",
    "term": r"add (-?\d+) in place|number that is added is (-?\d+)",
    "floor": r"raise results below (\d+)|no result is less than (\d+)",
    "cap": r"lower results above (\d+)|no result is more than (\d+)",
    "first": r"the first (\d+) results|no more than (\d+) results",
    "order": r"(ascending|descending)",
}
TEXTS = {
    "least": r"value >= (-?\d+)", "multiple": r"value % (\d+)", "factor": r"value \* (\d+)",
    "term": r"value \* \d+ \+ (-?\d+)", "floor": r"max\(.*?, (\d+)\)", "cap": r", (\d+)\)+",
    "first": r"\[:(\d+)\]", "shift": r"\(values, (\w+)\)",
}  # fmt: skip


def read(text: str) -> dict[str, str]:
    """What a function of the module does, by its text."""
    numbers = {name: re.search(pattern, text) for name, pattern in TEXTS.items()}
    values = {name: match[1] for name, match in numbers.items() if match}
    if "cap" in values and "min(" not in text:
        del values["cap"]
    if "sorted(" in text:
        values["order"] = "descending" if "reverse" in text else "ascending"
    return values


def changed(values: dict[str, str], message: str) -> dict[str, str]:
    """What it does after a commit."""
    for name, pattern in RULES.items():
        if match := re.search(pattern, message):
            return values | {name: next(filter(None, match.groups()))}
    raise AssertionError(message)


def written(name: str, do: dict[str, str]) -> str:
    """A function as a loop of single statements."""
    lines = [f"def {name}(values{', ' + do['shift'] if 'shift' in do else ''}):", "    out = []"]
    lines += ["    for value in values:", f"        if value < {do['least']}: continue"]
    if "multiple" in do:
        lines.append(f"        if value % {do['multiple']} == 0: continue")
    lines.append(f"        n = value * {do['factor']} + {do['term']} + {do.get('shift', 0)}")
    lines += [f"        n = max(n, {do['floor']})"] if "floor" in do else []
    lines += [f"        n = min(n, {do['cap']})"] if "cap" in do else []
    lines.append("        out.append(n)")
    lines += [f"    out.sort(reverse={do['order'] == 'descending'})"] if "order" in do else []
    return "\n".join([*lines, f"    return out[:{do.get('first', '')}]"])


def merged_by_messages(prompt: str) -> str:
    """The module of a prompt, with main's side of each conflict and what the commits say."""
    ours, theirs, module = re.search(
        r"Commits on main:\n(.*?)\n\nCommits on feature:\n(.*?)\n\nThe module:\n\n(.*)\n\nAnswer",
        prompt,
        re.DOTALL,
    ).groups()
    new = r"- new function (\w+): the sum of what (\w+) returns, and (\d+)"
    added = {name: (callee, number) for name, callee, number in re.findall(new, theirs)}
    side = re.sub(r"(?ms)^(\|{7} base$.*?)?^=======$.*?^>>>>>>> feature$", "", module)
    done = []
    for text in re.split(r"(?m)^(?=def )", side)[1:]:
        name = re.match(r"def (\w+)", text)[1]
        about = [line for line in theirs.split("\n") if line.startswith(f"- {name}: ")]
        if name in added:
            continue
        if "sum(" in text:
            done.append(text.replace("<<<<<<< main", ""))
            continue
        do = read(text)
        for line in about:
            do = changed(do, line)
        done.append(written(name, do))
    names = dict(re.findall(r"- (\w+) is now called (\w+)", ours))
    shifts = dict(re.findall(r"- (\w+): new parameter .* of their own pass (\d+)", ours))
    for name, (callee, number) in added.items():
        last = f", {shifts[callee]}" if callee in shifts else ""
        call = f"{names.get(callee, callee)}(values{last})"
        done.append(f"def {name}(values):\n    return sum({call}) + {number}")
    return "\n\n".join(done)


def test_what_the_commits_say_makes_the_merge() -> None:
    for seed in range(28):
        task = instance(seed + 300, seed % 7)
        assert graded(task, merged_by_messages(task.prompt())).value == 1, seed


def test_articles_are_right() -> None:
    text = "".join(instance(seed, 6).prompt() for seed in range(20))
    assert "an offset" in text
    assert not re.search(r"\ba offset|\ban (?!offset)[b-df-hj-np-tv-z]", text)
