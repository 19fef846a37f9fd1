"""Scenes of pencil puzzles, from aquarium to magnets, against their prompts and answers.

What a scene has to show is read from the text of the prompt, not from the fields of the task.
"""

import re
from functools import cache

import pytest

import palaestra
from palaestra.scenes import Cell, Panels, from_json, to_json
from palaestra.scenes.layouts import cell_shapes, drawing
from palaestra.scenes.raster import rgb
from palaestra.scenes.shapes import Label, Path
from palaestra.task import InvalidAnswer

CELL = re.compile(r"r(\d+)c(\d+)")


@cache
def task_of(name, level, seed):
    return palaestra.Address.of(f"grids/{name}", seed, level).task()


def levels(name):
    return type(task_of(name, 0, 1)).Knobs.levels()


def board(scene):
    """The grid of a scene, which may stand above the lengths of ships."""
    return scene.scenes[0] if isinstance(scene, Panels) else scene


def rows(text):
    return [line.split() for line in text.splitlines()]


def blocks(prompt):
    """The tables of a prompt: paragraphs in which all lines have the same number of tokens, once
    a heading is left out.
    """
    tables = []
    for paragraph in prompt.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if not line.endswith(":")]
        table = [line.split() for line in lines]
        if len(table) > 1 and len({len(row) for row in table}) == 1 and len(table[0]) > 1:
            tables.append(table)
    return tables


def numbers_after(prompt, start):
    (line,) = (line for line in prompt.splitlines() if line.startswith(start))
    return line.rpartition(":")[2].split()


def cells_in(text):
    return [(int(r) - 1, int(c) - 1) for r, c in CELL.findall(text)]


def texts(scene):
    return [[cell.text for cell in row] for row in board(scene).cells]


def filled(table, empty="."):
    return [["" if sign == empty else sign for sign in row] for row in table]


def grouped(table):
    """The sets of cells with the same entry."""
    groups = {}
    for r, row in enumerate(table):
        for c, sign in enumerate(row):
            groups.setdefault(sign, set()).add((r, c))
    return {frozenset(group) for group in groups.values()}


def single(labels):
    return [label for (label,) in labels]


def signed(scene, sign_of):
    return [[sign_of(cell) for cell in row] for row in board(scene).cells]


# ------------------------------------------------------------------ what prompts show


def aquarium(prompt, scene):
    (letters,) = (table for table in blocks(prompt) if "A" in table[0])
    assert grouped(scene.regions) == grouped(letters)
    names = {cell.corner: (r, c) for r, row in enumerate(scene.cells) for c, cell in enumerate(row)}
    for name, (r, c) in names.items():
        assert not name or letters[r][c] == name
    assert {*names} - {""} == {letter for row in letters for letter in row}
    assert single(scene.left) == numbers_after(prompt, "Wet cells in the rows")
    assert single(scene.top) == numbers_after(prompt, "Wet cells in the columns")


COMPASS = {
    "N": "up", "S": "down", "E": "right", "W": "left", "NE": "up-right", "NW": "up-left",
    "SE": "down-right", "SW": "down-left", "*": "",
}  # fmt: skip


def arrow_maze(prompt, scene):
    arrows, givens = blocks(prompt)
    assert signed(scene, lambda cell: cell.mark) == [[COMPASS[a] for a in row] for row in arrows]
    assert texts(scene) == filled(givens)


def battleships(prompt, scene):
    assert isinstance(scene, Panels)
    (table,) = blocks(prompt.partition("Some cells")[2])
    signs = {("water", "disc"): "#", ("water", ""): "-", ("paper", ""): "."}
    assert signed(scene, lambda cell: signs[cell.fill, cell.mark]) == table
    grid, fleet = scene.scenes
    assert single(grid.left) == numbers_after(prompt, "Ship cells in the rows")
    assert single(grid.top) == numbers_after(prompt, "Ship cells in the columns")
    lengths = re.findall(r"(\d+) of length (\d+)", prompt)
    ships = [length for many, length in lengths for _ in range(int(many))]
    assert fleet.lines == (f"Ships: {' '.join(ships)}",)


def binairo(prompt, scene):
    (table,) = blocks(prompt)
    assert texts(scene) == filled(table)


def built(text):
    """The bridges that lines such as ``r1c2-r1c4: 2`` state."""
    return {tuple(cells_in(line)): int(line[-1]) for line in text.splitlines() if CELL.match(line)}


def bridges_drawn(scene):
    counts = {}
    for line in scene.lines:
        (top, left), (bottom, right) = line.points
        down, across = bottom - top > 1e-6, right - left > 1e-6
        assert down != across
        islands = (
            (round(top - 0.38 * down), round(left - 0.38 * across)),
            (round(bottom + 0.38 * down), round(right + 0.38 * across)),
        )
        counts[islands] = counts.get(islands, 0) + 1
    return counts


def bridges(prompt, scene):
    (table,) = (table for table in blocks(prompt) if "r" not in table[0][0])
    assert texts(scene) == filled(table)
    assert {cell.mark for row in scene.cells for cell in row if cell.text} == {"disc"}
    known = prompt.partition("Already known")[2].partition("Answer with")[0]
    assert bridges_drawn(scene) == {link: many for link, many in built(known).items() if many}
    assert scene.coordinates


def cages_in(prompt):
    """The target and the cells of each cage that a prompt lists."""
    lines = re.findall(r"^\w+ = (\S+): (.*)$", prompt, re.MULTILINE)
    return [(target, cells_in(cells)) for target, cells in lines]


def corners(scene):
    cells = ((r, c, cell.corner) for r, row in enumerate(scene.cells) for c, cell in enumerate(row))
    return {(r, c): corner for r, c, corner in cells if corner}


def calcudoku(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    cages = cages_in(prompt)
    assert corners(scene) == {min(cells): target for target, cells in cages}
    assert grouped(scene.regions) == {frozenset(cells) for _, cells in cages}


def dashed_sides(scene):
    """The sides of cells along which the dashed lines run, as a cell and a direction."""
    sides = set()
    for border in scene.borders:
        assert border.dashed
        (y0, x0), (y1, x1) = border.points
        y, x = (y0 + y1) / 2, (x0 + x1) / 2
        cell = int(y), int(x)
        if y0 == y1:
            sides.add((cell, (-1 if y % 1 < 0.5 else 1, 0)))
            assert min(y % 1, 1 - y % 1) < 0.1
        else:
            assert x0 == x1
            sides.add((cell, (0, -1 if x % 1 < 0.5 else 1)))
            assert min(x % 1, 1 - x % 1) < 0.1
    return sides


def killer_sudoku(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    cages = cages_in(prompt)
    assert corners(scene) == {min(cells): target for target, cells in cages}
    ways = ((-1, 0), (1, 0), (0, -1), (0, 1))
    assert dashed_sides(scene) == {
        ((r, c), (y, x))
        for _, cells in cages
        for r, c in cells
        for y, x in ways
        if (r + y, c + x) not in cells
    }
    height, width = map(int, re.search(r"boxes of (\d) rows by (\d) columns", prompt).groups())
    cells = [(r, c) for r in range(height * width) for c in range(height * width)]
    boxes = {}
    for r, c in cells:
        boxes.setdefault((r // height, c // width), set()).add((r, c))
    assert grouped(scene.regions) == {frozenset(box) for box in boxes.values()}


def dominosa(prompt, scene):
    (table,) = blocks(prompt)
    assert texts(scene) == table
    known = prompt.partition("Dominoes already known:")[2].partition("\n")[0]
    pairs = {frozenset(cells_in(pair)) for pair in known.split(",") if "r" in pair}
    dark = {
        (r, c)
        for r, row in enumerate(scene.cells)
        for c, cell in enumerate(row)
        if cell.fill == "muted"
    }
    assert dark == {cell for pair in pairs for cell in pair}
    assert {group for group in grouped(scene.regions) if group & dark} == pairs


def fillomino(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    assert not scene.regions


LESSER_FIRST = {"chevron-left": True, "chevron-up": True, "chevron-right": False,
                "chevron-down": False}  # fmt: skip


def beside(sign):
    """The two cells between which a sign stands."""
    first = sign.row, sign.column
    right = sign.side == "right"
    return first, (sign.row + (not right), sign.column + right)


def futoshiki(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    listed = re.findall(r"^(r\d+c\d+) < (r\d+c\d+)$", prompt, re.MULTILINE)
    shown = set()
    for sign in scene.between:
        one, other = beside(sign)
        assert sign.side == ("right" if sign.mark in {"chevron-left", "chevron-right"} else "down")
        shown.add((one, other) if LESSER_FIRST[sign.mark] else (other, one))
    assert shown == {tuple(cells_in(" ".join(pair))) for pair in listed}


def hitori(prompt, scene):
    assert texts(scene) == blocks(prompt)[0]
    assert {cell.fill for row in scene.cells for cell in row} == {"paper"}


def kakurasu(prompt, scene):
    (table,) = blocks(prompt.partition("Some cells")[2])
    signs = {("dark", ""): "#", ("paper", "cross"): "-", ("paper", ""): "."}
    assert signed(scene, lambda cell: signs[cell.fill, cell.mark]) == table
    assert single(scene.right) == numbers_after(prompt, "Sums of the rows")
    assert single(scene.bottom) == numbers_after(prompt, "Sums of the columns")
    assert scene.coordinates
    assert not scene.left + scene.top


def kakuro(prompt, scene):
    (table,) = (table for table in blocks(prompt) if "to" not in table[0])
    shown = signed(scene, lambda cell: "#" if cell.fill == "dark" else cell.text)
    assert shown == filled(table)
    parts = prompt.partition("Runs down:")
    for text, down in ((parts[0], True), (parts[2], False)):
        sums = {}
        for line in text.splitlines():
            if match := re.fullmatch(r"(r\d+c\d+) to r\d+c\d+: (\d+)", line):
                ((r, c),) = cells_in(match[1])
                sums[r, c] = match[2]
        labels = scene.left if down else scene.top
        seen = {(n, 0) if down else (0, n): text for n, (text,) in enumerate(labels) if text}
        for r, row in enumerate(scene.cells):
            for c, cell in enumerate(row):
                if cell.halves and cell.halves[down]:
                    seen[(r, c + 1) if down else (r + 1, c)] = cell.halves[down]
        assert seen == sums


def kropki(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    lists = [
        (relation, {tuple(cells_in(pair)) for pair in pairs.split(", ") if pair != "none"})
        for relation, pairs in re.findall(
            r"^Pairs of cells where (.*): (.*)$", prompt, re.MULTILINE
        )
    ]
    looks = {
        "the two numbers differ by 1": ("", "disc", "white"),
        "one number is twice the other": ("", "disc", "black"),
        "the two numbers add up to 5": ("V", "", ""),
        "the two numbers add up to 10": ("X", "", ""),
    }
    signs = {}
    for sign in scene.between:
        signs.setdefault((sign.text, sign.mark, sign.tone), set()).add(beside(sign))
    for relation, pairs in lists:
        assert signs.pop(looks[relation], set()) == pairs
    both = lists[0][1] & lists[-1][1] if len(lists) == 2 else set()
    assert signs == ({("", "plus", "white"): both} if both else {})


def light_up(prompt, scene):
    shown = signed(scene, lambda cell: (cell.text or "#") if cell.fill == "dark" else ".")
    assert shown == blocks(prompt)[0]


def lights_out(prompt, scene):
    shown = signed(scene, lambda cell: {"c6": "#", "shade": "-"}[cell.tone])
    assert shown == blocks(prompt)[0]
    assert not any(map(any, texts(scene)))


def magic_square(prompt, scene):
    assert texts(scene) == filled(blocks(prompt)[0])
    total = re.search(r"add up to (\d+)|same sum, (\d+)", prompt)
    assert {*scene.right, *scene.bottom} == {(total[1] or total[2],)}


def magnets(prompt, scene):
    assert grouped(scene.regions) == grouped(blocks(prompt)[0])
    for sign, name, labels in (
        ("+", "Plus poles in the rows", scene.left),
        ("+", "Plus poles in the columns", scene.top),
        ("-", "Minus poles in the rows", scene.right),
        ("-", "Minus poles in the columns", scene.bottom),
    ):
        assert single(labels) == [sign + number for number in numbers_after(prompt, name)]


SHOWN = {
    test.__name__: test
    for test in (
        aquarium, arrow_maze, battleships, binairo, bridges, calcudoku, dominosa, fillomino,
        futoshiki, hitori, kakurasu, kakuro, killer_sudoku, kropki, light_up, lights_out,
        magic_square, magnets,
    )
}  # fmt: skip
EVERY = [(name, level) for name in SHOWN for level in range(levels(name))]
SEEDS = (1, 2, 3)


def is_drawn(scene):
    """Whether a scene survives JSON and lies within its bounds once it is drawn."""
    laid = drawing(from_json(to_json(scene)))
    return laid == drawing(scene) and laid.width > 1 and laid.height > 1


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_scenes_show_what_prompts_state(name, level):
    for seed in SEEDS:
        task = task_of(name, level, seed)
        scene = task.scene()
        assert is_drawn(scene)
        SHOWN[name](task.prompt(), scene)


# ------------------------------------------------------------------ answers


def pairs_of(signs):
    """The dominoes of an answer, which points from each half to the other."""
    steps = {">": (0, 1), "v": (1, 0)}
    return {
        frozenset({(r, c), (r + steps[sign][0], c + steps[sign][1])})
        for r, row in enumerate(signs)
        for c, sign in enumerate(row)
        if sign in steps
    }


def entered(name, scene):
    """What an answer entered into a scene, as the signs of the answer."""
    if name in {"aquarium", "hitori", "kakurasu"}:
        on = {"aquarium": {"water"}, "hitori": {"dark"}, "kakurasu": {"dark", "accent"}}[name]
        return signed(scene, lambda cell: "#" if cell.fill in on else "-")
    if name == "battleships":
        return signed(scene, lambda cell: "#" if cell.mark == "disc" else "-")
    if name == "kakuro":
        return signed(scene, lambda cell: "#" if cell.fill == "dark" else cell.text)
    if name == "light_up":
        return signed(
            scene,
            lambda cell: "*" if cell.mark == "bulb" else "#" if cell.fill == "dark" else "-",
        )
    if name == "lights_out":
        return signed(scene, lambda cell: cell.text or "-")
    if name == "magnets":
        signs = {"plus": "+", "minus": "-", "": "o"}
        return signed(scene, lambda cell: signs[cell.mark])
    return texts(scene)


@pytest.mark.parametrize(("name", "level"), EVERY)
def test_right_answers_are_drawn_in(name, level):
    for seed in SEEDS:
        task = task_of(name, level, seed)
        answer = task.answer()
        scene = task.solved_scene(answer)
        assert is_drawn(scene)
        assert scene != task.scene()
        cells = [cell for row in board(scene).cells for cell in row]
        assert "bad" not in {cell.tone for cell in cells}
        if name == "bridges":
            assert bridges_drawn(scene) == built(answer)
        elif name == "dominosa":
            assert grouped(scene.regions) == pairs_of(rows(answer))
            assert not scene.lines
        else:
            assert entered(name, scene) == rows(answer)
        if name == "light_up":
            assert {cell.fill for cell in cells} == {"dark", "t6"}
        if name == "fillomino":
            assert all(
                {scene.cells[r][c].text for r, c in group} == {str(len(group))}
                for group in grouped(scene.regions)
            )


NUMBERS = (
    "arrow_maze", "binairo", "calcudoku", "fillomino", "futoshiki", "killer_sudoku", "kropki",
    "magic_square", "kakuro",
)  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_entered_numbers_differ_from_the_given_ones_and_replaced_ones_are_red(name):
    task = task_of(name, 1, 1)
    start = board(task.scene()).cells
    right = board(task.solved_scene(task.answer())).cells
    lines = "\n".join(" ".join("1" for _ in row) for row in start)
    wrong = board(task.solved_scene(lines)).cells
    assert {cell.text for row in wrong for cell in row} == {"1"}
    replaced = 0
    for before, solved, ones in zip(start, right, wrong, strict=True):
        for given, cell, one in zip(before, solved, ones, strict=True):
            if given.fill == "dark":
                assert one.tone == "bad"
            elif given.text:
                assert (given.tone, given.fixed, cell) == ("", True, given)
                assert one.tone == ("" if given.text == "1" else "bad")
                replaced += one.tone == "bad"
            else:
                assert (cell.tone, cell.fixed) == ("accent", False)
                assert one.tone == "accent"
    assert replaced


@pytest.mark.parametrize("name", ["aquarium", "battleships", "hitori", "kakurasu", "light_up"])
@pytest.mark.parametrize("on", [True, False])
def test_wrong_shadings_are_drawn(name, on):
    task = task_of(name, 1, 1)
    sign = task.signs[not on]
    size = len(board(task.scene()).cells)
    walls = dict.fromkeys(task.fixed_cells(), "#")
    signs = [[walls.get(r * size + c, sign) for c in range(size)] for r in range(size)]
    scene = task.solved_scene("\n".join(" ".join(row) for row in signs))
    assert is_drawn(scene)
    assert entered(name, scene) == signs


def test_lamps_that_light_each_other_are_red_and_moved_walls_are_shown():
    task = task_of("light_up", 1, 1)
    cells = board(task.scene()).cells
    answer = "\n".join(" ".join("#" if c.fill == "dark" else "*" for c in row) for row in cells)
    shown = task.solved_scene(answer)
    lamps = [cell for row in shown.cells for cell in row if cell.mark == "bulb"]
    assert "bad" in {lamp.tone for lamp in lamps}
    walls = task.solved_scene("\n".join(" ".join("#" for _ in row) for row in cells))
    fills = {"dark": "dark", "paper": "muted"}
    assert [[cell.fill for cell in row] for row in walls.cells] == [
        [fills[cell.fill] for cell in row] for row in cells
    ]


def test_dominoes_that_cannot_lie_become_arrows():
    task = task_of("dominosa", 1, 1)
    rows_, columns = len(task.numbers), len(task.numbers[0])
    scene = task.solved_scene("\n".join([" ".join(">" * columns)] * rows_))
    assert is_drawn(scene)
    assert len(scene.lines) == rows_ * columns
    assert all(line.arrow and line.points[1][1] - line.points[0][1] == 0.5 for line in scene.lines)
    assert grouped(scene.regions) == {
        frozenset((r, c) for r in range(rows_) for c in range(columns))
    }


def test_wrong_bridges_magnets_and_presses_are_drawn():
    task = task_of("bridges", 1, 1)
    link = "r1c1-r1c3: 2"
    assert bridges_drawn(task.solved_scene(link)) == built(link)
    assert {line.tone for line in task.solved_scene(link).lines} == {"accent"}
    for name, sign, count in (("magnets", "+", "plus"), ("lights_out", "x", "x")):
        task = task_of(name, 1, 1)
        cells = task.scene().cells
        scene = task.solved_scene("\n".join(" ".join(sign for _ in row) for row in cells))
        assert {cell.text or cell.mark for row in scene.cells for cell in row} == {count}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("answer", ["", "I give up", "1", "r9c9-r1c1: 7"])
def test_what_cannot_be_read_is_not_drawn(name, answer):
    task = task_of(name, 1, 1)
    if (name, answer) == ("bridges", ""):  # no bridges, as nothing is written for pairs without
        assert not bridges_drawn(task.solved_scene(answer))
        return
    with pytest.raises(InvalidAnswer):
        task.solved_scene(answer)


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_images_are_drawn_and_change_with_the_answer(name, theme):
    task = task_of(name, 0, 1)
    before, after = rgb(task.scene(), 224, theme), rgb(task.solved_scene(task.answer()), 224, theme)
    assert before.shape == after.shape
    assert (before != after).any()


def test_cells_of_the_vocabulary_that_these_puzzles_need():
    """A sum on each side of a diagonal, and an arrow beside a text."""
    wall = cell_shapes(Cell(fill="dark", halves=("12", "7")), "cells")
    labels = {shape.text: (shape.x, shape.y) for shape in wall if isinstance(shape, Label)}
    assert labels["12"][0] < 0.5 < labels["12"][1]
    assert labels["7"][1] < 0.5 < labels["7"][0]
    assert [shape.text for shape in cell_shapes(Cell(halves=("", "7")), "cells")[2:]] == ["7"]
    assert len(cell_shapes(Cell(halves=("", "")), "cells")) == len(cell_shapes(Cell(), "cells"))

    alone, both = cell_shapes(Cell(mark="up"), "cells"), cell_shapes(Cell("9", mark="up"), "cells")
    (label,) = (shape for shape in both if isinstance(shape, Label))
    arrow = [point for shape in both if isinstance(shape, Path) for point in shape.points]
    assert max(label.x, label.y) < min(x for x, _ in arrow)
    wide = [point for shape in alone if isinstance(shape, Path) for point in shape.points]
    assert max(y for _, y in wide) - min(y for _, y in wide) > max(y for _, y in arrow) - min(
        y for _, y in arrow
    )
