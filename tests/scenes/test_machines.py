"""Scenes of puzzles about machines, compared with their prompts as these are read here."""

import re
from functools import cache

import pytest

import palaestra
from palaestra.scenes import Text, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.task import InvalidAnswer

SEEDS = (1, 2, 3)
NAMES = (
    "cellular_automaton", "game_of_life", "game_of_life_fate", "lindenmayer_system",
    "stack_machine", "tape_program", "turing_machine",
)  # fmt: skip
SOLVED = ("cellular_automaton", "game_of_life", "stack_machine", "turing_machine")


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(f"machines/{name}").task()).Knobs.levels()
    return [
        palaestra.Address.of(f"machines/{name}", seed, level).task()
        for level in range(levels)
        for seed in SEEDS
    ]


def sound(scene):
    assert from_json(to_json(scene)) == scene
    assert drawing(scene).shapes


def texts(grid):
    return ["".join(cell.text for cell in row) for row in grid.cells]


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_json_both_ways_and_drawn(name):
    for task in tasks(name):
        sound(task.scene())
        if name in SOLVED:
            sound(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("answer", ["?", "no idea", "tape: x"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def test_automata():
    for task in tasks("cellular_automaton"):
        prompt = task.prompt()
        rules, rows = task.scene().scenes
        listed = re.findall(r"^([01]{3}) -> ([01])$", prompt, re.MULTILINE)
        assert [(label, cell.text) for (label,), cell in zip(rules.top, *rules.cells)] == listed
        (row,) = re.findall(r"^[01]{4,}$", prompt, re.MULTILINE)
        number = re.search(r"after (\d+) steps", prompt)
        blank = [""] * int(number[1] if number else 1)
        before = "before this step" in prompt
        assert texts(rows) == ([*blank, row] if before else [row, *blank])
        for answer in (task.answer(), "01" * (len(row) // 2), "0" * (len(row) + 1)):
            _, solved = task.solved_scene(answer).scenes
            assert texts(solved) == ([answer, row] if before else [row, *blank[1:], answer])
            entered = solved.cells[0 if before else -1]
            assert all((cell.fill == "accent") == (cell.text == "1") for cell in entered)


@pytest.mark.parametrize("name", ["game_of_life", "game_of_life_fate"])
def test_boards_of_life(name):
    for task in tasks(name):
        rows = re.findall(r"^[#-]+$", task.prompt(), re.MULTILINE)
        assert living(task.scene(), "dark") == rows
        if name == "game_of_life":
            for answer in (task.answer(), "\n".join(rows)):
                assert living(task.solved_scene(answer), "accent") == answer.splitlines()


def living(grid, fill):
    return ["".join("#" if cell.fill == fill else "-" for cell in row) for row in grid.cells]


def test_rules_of_growth():
    for task in tasks("lindenmayer_system"):
        prompt, scene = task.prompt(), task.scene()
        rows = dict(zip(scene.labels, ("".join(card.text for card in row) for row in scene.rows)))
        assert rows.pop("start") == re.search(r"the text is (\w+)", prompt)[1]
        listed = re.findall(r"^(\w -)> (\w+)$", prompt, re.MULTILINE)
        assert rows == {f"{left}>": right for left, right in listed}


def test_stacks():
    for task in tasks("stack_machine"):
        program = task.prompt().split("The program is:\n")[1].split("\n\n")[0]
        *columns, stack = task.scene().scenes
        assert all(isinstance(column, Text) for column in columns)
        assert [line for column in columns for line in column.lines] == program.splitlines()
        assert stack.stacks == ((),)
        for answer in (task.answer(), "1, 2"):
            *_, solved = task.solved_scene(answer).scenes
            assert ", ".join(item.text for item in solved.stacks[0]) == answer
        *_, tall = task.solved_scene(", ".join(["7"] * 500)).scenes
        assert len(tall.stacks[0]) < 50


def test_tape_programs():
    for task in tasks("tape_program"):
        prompt, scene = task.prompt(), task.scene()
        assert "".join(texts(scene.scenes[0])) == prompt.split("\n\n")[1]
        inputs = re.search(r"The input is: (.*)\.", prompt)
        cards = [card.text for row in scene.scenes[1].rows for card in row] if inputs else []
        assert cards == (inputs[1].split(", ") if inputs else [])
        assert len(scene.scenes) == 1 + bool(inputs)


def test_turing_machines():
    for task in tasks("turing_machine"):
        prompt = task.prompt()
        tape, rules = task.scene().scenes
        assert (
            " ".join(cell.text for cell in tape.cells[0])
            == (re.search(r"hold ([\d ]+) at the start", prompt)[1])
        )
        assert tape.bottom[0] == ("A",)
        assert set(tape.bottom[1:]) == {("",)}
        listed = re.findall(
            r"^(\w), (\d): (?:write (\d), move (\w), go to (\w)|halt)$", prompt, re.MULTILINE
        )
        cells = [
            (state, symbol, *(cell.text.split() if cell.text != "halt" else ("", "", "")))
            for (state,), row in zip(rules.left, rules.cells)
            for (symbol,), cell in zip(rules.top, row)
        ]
        assert cells == listed


def test_tapes_that_are_left():
    for task in tasks("turing_machine"):
        lines = dict(line.split(": ") for line in task.answer().splitlines())
        tape, rules = task.solved_scene(task.answer()).scenes
        assert rules == task.scene().scenes[1]
        assert " ".join(cell.text for cell in tape.cells[0]) == lines["tape"]
        assert tape.top[0] == (lines["first"],)
        heads = [number for (number,), (text,) in zip(tape.top, tape.bottom) if text]
        outside = int(lines["head"]) not in range(
            int(lines["first"]), int(lines["first"]) + len(tape.top)
        )
        assert heads == ([] if outside else [lines["head"]])


def test_long_tapes_far_away_are_cut():
    task = tasks("turing_machine")[0]
    answer = f"tape: {'1' * 5000}\nfirst: -{10**300}\nhead: {10**300}\nsteps: 1"
    tape, _ = task.solved_scene(answer).scenes
    assert len(tape.cells[0]) < 100
    sound(tape)
