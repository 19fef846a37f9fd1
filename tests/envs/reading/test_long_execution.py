"""Tests of reading/long_execution."""

import re

import pytest

from palaestra.address import Address
from palaestra.envs.reading.long_execution import LongExecution
from palaestra.generators.reading.long_execution import Checkpoint, Order

# Each order as a program on the counters v.
PROGRAMS = {
    r"add (\d+) to (\w+)": "v[{1}] += {0}",
    r"(\w+) goes up by (\d+)": "v[{0}] += {1}",
    r"take (\d+) from (\w+)": "v[{1}] -= {0}",
    r"(\w+) goes down by (\d+)": "v[{0}] -= {1}",
    r"take (\d+) from (\w+) and add \d+ to (\w+)": "v[{1}] -= {0}; v[{2}] += {0}",
    r"(\w+) goes down by (\d+), and (\w+) up by \d+": "v[{0}] -= {1}; v[{2}] += {1}",
    r"add the value of (\w+) to (\w+)": "v[{1}] += v[{0}]",
    r"(\w+) goes up by the value of (\w+)": "v[{0}] += v[{1}]",
    r"swap the values of (\w+) and (\w+)": "v[{0}], v[{1}] = v[{1}], v[{0}]",
    r"(\w+) and (\w+) exchange their values": "v[{0}], v[{1}] = v[{1}], v[{0}]",
    r"set (\w+) to the value of (\w+)": "v[{0}] = v[{1}]",
    r"(\w+) takes the value of (\w+), which keeps it": "v[{0}] = v[{1}]",
    r"if (\w+) is even, add (\d+) to (\w+); otherwise, take \d+ from \w+": (
        "v[{2}] += (-1) ** v[{0}] * {1}"
    ),
    r"(\w+) goes up by (\d+) if (\w+) is even, and down by \d+ if \w+ is odd": (
        "v[{0}] += (-1) ** v[{2}] * {1}"
    ),
    r"if (\w+) is larger than (\w+), take (\d+) from \w+; otherwise, add \d+ to \w+": (
        "big = v[{0}] > v[{1}]; v[{0}] -= {2} * big; v[{1}] += {2} * (not big)"
    ),
    r"(\w+) goes down by (\d+) if it is larger than (\w+); otherwise \w+ goes up by \d+": (
        "big = v[{0}] > v[{2}]; v[{0}] -= {1} * big; v[{2}] += {1} * (not big)"
    ),
}


def program(text):
    for pattern, code in PROGRAMS.items():
        if match := re.fullmatch(pattern, text):
            return code.format(*(g if g.isdigit() else repr(g) for g in match.groups()))
    raise AssertionError(text)


def answers_from(prompt):
    """The answers to a prompt by its text alone, from Python programs."""
    values = dict(re.findall(r"^([A-Z]\w+): (\d+)$", prompt, re.MULTILINE))
    v = {name: int(value) for name, value in values.items()}
    body = re.split(r"What are these values|State these values", prompt)
    questions = re.findall(r"^\d+: (\w+) after order (\d+)$", body[1], re.MULTILINE)
    programs, results = {}, {}
    for number, text in re.findall(r"Order (\d+): ([^.]+)\.", body[0]):
        repeat = re.fullmatch(r"(?:carry out|repeat) orders (\d+) to (\d+)(?: once more)?", text)
        run = range(int(repeat[1]), int(repeat[2]) + 1) if repeat else [int(number)]
        programs[int(number)] = None if repeat else program(text)
        for each in run:
            exec(programs[each], {"v": v})  # noqa: S102
            v.update({name: value % 100 for name, value in v.items()})
        results[number] = dict(v)
    return [results[number][name] for name, number in questions]


@pytest.mark.parametrize("level", range(LongExecution.Knobs.levels()))
def test_the_text_alone_gives_the_answers(level):
    for seed in range(4):
        task = Address.of("reading/long_execution", seed, level).task()
        assert answers_from(task.prompt()) == task.right


@pytest.mark.parametrize("tokens", [8_000, 32_000, 128_000])
def test_long_texts(tokens):
    task = Address.of("reading/long_execution", 3, 6, tokens=tokens).task()
    prompt = task.prompt()
    assert 0.95 * tokens < len(prompt) / 4 < 1.1 * tokens
    assert answers_from(prompt) == task.right


TASK = LongExecution(
    initial=(98, 10),
    orders=(
        Order("add", 0, 1, 5),
        Order("even", 0, 1, 4),
        Order("repeat", 0, 1, 0),
        Order("larger", 0, 1, 3),
    ),
    checkpoints=(Checkpoint(0, 0), Checkpoint(1, 1), Checkpoint(2, 1), Checkpoint(3, 1)),
    seed=1,
    tokens=300,
)


def test_a_case_by_hand():
    # 98 + 5 is 3, which is odd: 10 - 4 = 6. Again: 8 is even, 6 + 4 = 10. 8 is not larger: 13.
    assert TASK.right == [3, 6, 10, 13]


def test_no_counter_has_its_first_value_at_a_checkpoint():
    for seed in range(30):
        task = Address.of("reading/long_execution", seed, 3).task()
        pairs = zip(task.right, task.checkpoints)
        assert all(value != task.initial[each.counter] for value, each in pairs)


def test_the_first_error_is_located():
    score = TASK.verify("1: 3\n2: 6\n3: 99\n4: 1")
    assert (score.value, score.reason) == (0, "value 3 is the first that is wrong")
    assert score.parts == {"progress": 0.5}
    assert TASK.verify("1: 3\n2: 6\n3: 10\n4: 13").value == 1
