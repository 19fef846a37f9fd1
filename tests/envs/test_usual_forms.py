"""Right answers in forms that models use, in environments whose prompts show another form."""

import re
from collections.abc import Callable

import pytest

from palaestra import Address, Puzzle
from palaestra.episode import BARE
from palaestra.scoring import score

CELL = re.compile(r"r(\d+)c(\d+)")


def spelt(form: str) -> Callable[[str], str]:
    """A rewriting of the names of cells."""
    return lambda move: CELL.sub(lambda name: form.format(name[1], name[2]), move)


def labelled(word: str, answer: str) -> str:
    """The lines of an answer, each with a word and its number before it."""
    return "\n".join(f"{word} {n}: {line}" for n, line in enumerate(answer.split("\n"), 1))


FORMS: dict[str, list[Callable[[str], str]]] = {
    "games/game_2048": [
        lambda move: f"move {move}",
        lambda move: move[0],
        lambda move: {"up": "\u2191", "down": "\u2193", "left": "\u2190", "right": "\u2192"}[move],
    ],
    "games/minesweeper": [
        spelt("({0}, {1})"),
        spelt("row {0} column {1}"),
        lambda move: move.removeprefix("open "),
    ],
    "games/circle_the_cat": [spelt("({0}, {1})"), spelt("Row {0}, Column {1}"), str.upper],
    "matches/connect_four": [
        lambda move: f"column {move}",
        lambda move: f"Drop in column {move}",
        lambda move: f"drop a stone into column {move}.",
    ],
    "matches/tic_tac_toe": [
        lambda move: f"({move.replace(' ', ', ')})",
        lambda move: "row {} column {}".format(*move.split()),
        lambda move: "r{}c{}".format(*move.split()),
        lambda move: "R{}, C{}".format(*move.split()),
        lambda move: f"[{move.replace(' ', ',')}]",
    ],
    "planning/tower_of_hanoi": [
        lambda plan: plan.replace("->", "to"),
        lambda plan: plan.replace(" -> ", " "),
        lambda plan: plan.replace(" -> ", ""),
        lambda plan: re.sub(r"(\w) -> (\w)", r"Move the disk from \1 to \2.", plan),
        lambda plan: re.sub(r"(\w) -> (\w)", r"move the top disk from peg \1 to peg \2", plan),
    ],
    "planning/ball_sort": [
        lambda plan: plan.replace("->", "to"),
        lambda plan: plan.replace(" -> ", ""),
        lambda plan: re.sub(r"(\w) -> (\w)", r"Move the ball from tube \1 to tube \2", plan),
    ],
    "planning/rush_hour": [
        lambda plan: re.sub(r"(?m)^", "Move ", plan),
        lambda plan: re.sub(r"(?m)^(\w) (\w+) (\d)$", r"\1 \3 \2", plan),
        lambda plan: re.sub(r"(?m)^(\w) (\w+) (\d)$", r"Move car \1 \2 by \3 cells", plan),
    ],
    "planning/klotski": [
        lambda plan: re.sub(r"(?m)^(\w) (\w+)$", r"Move block \1 \2", plan),
        lambda plan: re.sub(r"(?m)^(\w) (\w)\w*$", r"\1 \2", plan),
    ],
    "planning/knight_swap": [spelt("({0}, {1})"), lambda plan: plan.replace("->", "to")],
    "planning/peg_solitaire": [spelt("[{0}, {1}]"), spelt("row {0} column {1}")],
    "planning/sokoban": [
        ", ".join,
        lambda plan: "\n".join(f"{n}. {step}" for n, step in enumerate(plan, 1)),
        lambda plan: " ".join({"U": "up", "D": "down", "L": "left", "R": "right"}[s] for s in plan),
    ],
    "planning/pancake_sorting": [
        lambda plan: plan.replace(", ", " -> "),
        lambda plan: f"flip {plan.replace(', ', ', flip ')}",
    ],
    "planning/sliding_tiles": [
        lambda plan: plan.replace(", ", " -> "),
        lambda plan: "\n".join(f"Move tile {tile}" for tile in plan.split(", ")),
    ],
    "planning/quantum_lock": [
        lambda plan: plan.replace(", ", ""),
        lambda plan: plan.replace(", ", " -> "),
        lambda plan: f"press {plan.replace(', ', ', then press ')}",
    ],
    "planning/grid_mission": [
        lambda plan: plan.replace(", ", " -> "),
        lambda plan: re.sub(r"left|right", r"turn \g<0>", plan).replace("forward", "go forward"),
    ],
    "planning/row_column_shift": [lambda plan: plan.replace(", ", " \u2192 ")],
    "planning/river_crossing": [
        lambda plan: labelled("Crossing", plan),
        lambda plan: plan.replace(", ", " and the "),
    ],
    "grids/n_queens": [
        lambda answer: labelled("Row", answer.replace(", ", "\n")),
        lambda answer: labelled("Row", re.sub(r"(\d+),? ?", r"column \1\n", answer).strip()),
    ],
    "games/mastermind": ["guess: {}".format, "My guess is {}.".format, " ".join],
    "games/word_guessing": ["My guess is {}.".format, str.upper],
    "planning/water_jugs": [
        lambda plan: re.sub(r"\b([A-D])\b", r"jug \1", plan),
        lambda plan: plan.replace("into", "to").upper(),
    ],
    "planning/blocksworld": [
        lambda plan: plan.replace("move", "put the block").replace("onto", "on the block"),
        lambda plan: plan.replace("to table", "to the table"),
        lambda plan: re.sub(r"move (\w+) (?:onto|to) ", r"\1 -> ", plan),
    ],
    "planning/truck_logistics": [
        lambda plan: re.sub(r"(load p\d+) ", r"\1 into ", plan),
        lambda plan: re.sub(r"((?:drive|fly) \w+) ", r"\1 to ", plan),
    ],
    "planning/box_net": [lambda plan: re.sub(r"(\w) (up|down|left|right)", r"move \1 \2", plan)],
    "grids/shikaku": [spelt("({0}, {1})"), lambda answer: answer.replace("-", " to ")],
    "grids/word_search": [spelt("({0}, {1})"), lambda answer: answer.replace("-", " -> ")],
    "grids/bridges": [spelt("({0}, {1})"), spelt("row {0}, column {1}")],
    "grids/minesweeper_deduction": [spelt("({0}, {1})"), spelt("R{0}, C{1}")],
    "grids/pattern_copying": [
        lambda answer: re.sub(r"(?m)^(\w+ \d+) ", r"\1: ", answer),
        lambda answer: re.sub(r"(?m)^", "paint ", answer),
    ],
    "games/tetris_placement": [
        lambda answer: answer.replace(" ", ", "),
        lambda answer: answer.replace(" ", " in column "),
        lambda answer: answer.replace(" ", ": "),
    ],
    "games/capture_go": [
        spelt("({0}, {1})"),
        spelt("row {0} column {1}"),
        lambda answer: labelled("Board", answer),
    ],
    "games/chess_mate": [
        lambda answer: labelled("Position", answer),
        lambda answer: answer.upper(),
        lambda answer: re.sub(r"(\w\d)(\w\d)", r"\1-\2", answer),
    ],
    "spatial/compass_bearings": [
        lambda answer: "east: {}\nnorth: {}".format(*answer.split(", ")),
        lambda answer: f"({answer})",
    ],
    "planning/robot_programming": [
        lambda program: program.replace("[", "{").replace("]", "}").replace(" F", "; F"),
        lambda program: re.sub(r"repeat (\d+)", r"Repeat \1 times", program),
        lambda program: program.replace(" ", ""),
    ],
    "planning/rubiks_cube": [
        lambda plan: plan.replace(" ", " -> ").replace("'", "\u2032"),
        lambda plan: "\n".join(f"{n}. {turn}" for n, turn in enumerate(plan.split(), 1)),
    ],
    "strings/edit_script": [
        lambda script: re.sub(r"(delete|replace|at) (\d)", r"\1 position \2", script),
        lambda script: re.sub(r"(by|insert) (\w)", r"\1 the letter '\2'", script),
    ],
    "logic/circuit_logic": [
        lambda rows: ", ".join(rows.split("\n")),
        lambda rows: re.sub(r"(?m)^(.*)$", lambda row: f"({', '.join(row[1])})", rows),
    ],
    "machines/bracket_errors": [
        lambda answer: re.sub(r"(\d+) (\w+)", r"(\1, \2)", answer),
        lambda answer: labelled("Row", answer.replace(", ", "\n")),
    ],
    "spatial/ascii_banner": ["-".join, ", ".join, str.lower],
    "geometry/triangle_centres": [
        lambda answer: re.sub(r"\((.+), (.+)\)", r"[\1; \2]", answer),
    ],
}


@pytest.mark.parametrize("name", FORMS)
def test_the_form_is_read(name: str) -> None:
    for seed in range(2):
        task = Address.of(name, seed, 0).task()
        moves = list(task.solve())
        for n, form in enumerate(FORMS[name]):
            result = score(task, [form(move) for move in moves], BARE)
            assert result.value == 1, (n, [form(move) for move in moves], result.reason)


WRONG: dict[str, list[Callable[[str], str]]] = {
    "planning/tower_of_hanoi": [
        lambda plan: plan.replace("->", "from"),
        lambda plan: plan.replace(" -> ", " and "),
        lambda plan: re.sub(r"(\w) -> (\w)", r"Move disk 9 from \1 to \2", plan),
        lambda plan: re.sub(r"(\w) -> (\w)", r"\2 -> \1", plan),
    ],
    "planning/rush_hour": [
        lambda plan: re.sub(r" \d", "", plan),
        lambda plan: re.sub(r"(\d)", r"-\1", plan),
    ],
    "planning/sokoban": [lambda plan: plan.replace("U", "north "), lambda plan: f"{plan}, undo"],
    "grids/shikaku": [
        spelt("({1}, {0})"),
        lambda answer: CELL.sub(lambda c: f"({int(c[1]) - 1}, {int(c[2]) - 1})", answer),
        lambda answer: CELL.sub(lambda c: f"{c[1]}{c[2]}", answer),
    ],
    "grids/word_search": [spelt("r{1}c{0}"), spelt("{0}{1}")],
    "planning/robot_programming": [
        lambda program: re.sub(r"repeat (\d+)", r"repeat 1\1", program),
        lambda program: program.replace("]", ""),
        lambda program: program.replace("repeat ", ""),
    ],
    "planning/rubiks_cube": [str.lower, lambda plan: plan.replace(" ", "")],
    "machines/bracket_errors": [
        lambda answer: re.sub(r"(\d+) (\w+)", r"\2 \1", answer),
        lambda answer: re.sub(r"\d+ ", "", answer),
    ],
    "planning/peg_solitaire": [spelt("({1}, {0}, 1)"), lambda plan: plan.replace("->", "from")],
}


@pytest.mark.parametrize("name", WRONG)
def test_another_answer_stays_wrong(name: str) -> None:
    task = Address.of(name, 0, 2).task()
    assert isinstance(task, Puzzle)
    for form in WRONG[name]:
        text = form(task.answer())
        assert text != task.answer()
        assert score(task, [text], BARE).value == 0, text


def test_a_named_disk_is_the_one_that_moves() -> None:
    task = Address.of("planning/tower_of_hanoi", 0, 0).task()
    assert isinstance(task, Puzzle)
    state, lines = task.start, []
    for source, target in task.plan():
        disk = state.index(source)
        lines.append(f"Move disk {disk + 1} from {'ABCD'[source]} to {'ABCD'[target]}")
        state = (*state[:disk], target, *state[disk + 1 :])
    assert task.verify("\n".join(lines)).value == 1
    lines[0] = re.sub(r"disk (\d)", lambda disk: f"disk {int(disk[1]) + 1}", lines[0])
    result = score(task, ["\n".join(lines)], BARE)
    assert result.value == 0
    assert result.reason.startswith("move 1 takes disk")
