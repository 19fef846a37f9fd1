"""Scenes of pencil puzzles, from masyu to word search, against their prompts and answers.

What a scene has to show is read from the text of the prompt, and what an answer adds from the text
of the answer, not from the fields of the task.
"""

import re
from functools import cache
from itertools import pairwise, product

import pytest

import palaestra
from palaestra.registry import load
from palaestra.scenes import Panels, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.raster import rgb
from palaestra.scenes.shapes import Disc
from palaestra.task import InvalidAnswer

CELL = re.compile(r"r(\d+)c(\d+)")
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
COURSES = {"-": "LR", "I": "UD", "F": "RD", "7": "LD", "L": "UR", "J": "UL", "x": ""}

NAMES = (
    "masyu", "minesweeper_deduction", "n_queens", "nonogram", "norinori", "numberlink", "numbrix",
    "numeral_bricks", "nurikabe", "pattern_copying", "pipes", "shikaku", "skyscrapers", "slant",
    "slide_covering", "slitherlink", "star_battle", "sudoku", "survo", "tents", "thermometers",
    "word_crossing", "word_search",
)  # fmt: skip


@cache
def task_of(name, level, seed):
    return palaestra.Address.of(f"grids/{name}", seed, level).task()


@cache
def answer_of(name, level, seed):
    return task_of(name, level, seed).answer()


EVERY_LEVEL = [
    (name, level) for name in NAMES for level in range(load(f"grids/{name}").Knobs.levels())
]


def board(scene):
    """The grid of a scene, beside which there may be words."""
    return scene.scenes[0] if isinstance(scene, Panels) else scene


def after(scene):
    """The last grid of a scene."""
    return scene.scenes[-1]


def rows(text):
    return [line.split() for line in text.splitlines()]


def table(prompt, number=1):
    """A paragraph of a prompt as rows of signs, without its heading."""
    lines = prompt.split("\n\n")[number].splitlines()
    return [line.split() for line in lines if not line.endswith(":")]


def listed(prompt, start):
    """The words of a line after its colon."""
    (line,) = (line for line in prompt.splitlines() if line.startswith(start))
    return line.partition(": ")[2].split()


def cells_in(text):
    return [(int(r) - 1, int(c) - 1) for r, c in CELL.findall(text)]


def signs(scene, sign_of):
    return [[sign_of(cell) for cell in row] for row in board(scene).cells]


def texts(scene, empty="."):
    return signs(scene, lambda cell: cell.text or empty)


def labels(side):
    return [[text for text in label if text] for label in side]


def groups(entries):
    """The sets of cells with the same entry."""
    members = {}
    for r, row in enumerate(entries):
        for c, entry in enumerate(row):
            members.setdefault(entry, set()).add((r, c))
    return {frozenset(some) for some in members.values()}


def courses(scene):
    """The sides by which lines leave each cell, as sorted letters."""
    exits = [[set() for _ in row] for row in board(scene).cells]
    for line in board(scene).lines:
        ((r, c),) = {point for point in line.points if point == tuple(map(int, point))}
        for row, column in line.points:
            if (row, column) != (r, c):
                step = (2 * (row - r), 2 * (column - c))
                exits[int(r)][int(c)] |= {side for side, way in STEPS.items() if way == step}
    return [["".join(sorted(sides)) for sides in row] for row in exits]


# ------------------------------------------------------------------ what prompts show


def shown_masyu(prompt, scene):
    marks = {"dot": "o", "cross": "x", "": "."}
    assert signs(scene, lambda cell: cell.text or marks[cell.mark]) == table(prompt)
    assert {cell.tone for row in scene.cells for cell in row if cell.text == "B"} <= {"black"}


def shown_minesweeper_deduction(prompt, scene):
    cells = signs(scene, lambda cell: "?" if cell.fill == "muted" else cell.text or "0")
    assert cells == table(prompt)
    total = re.search(r"There are (\d+) mines in all", prompt)
    assert isinstance(scene, Panels) == bool(total)
    assert not total or scene.captions == (f"mines: {total[1]}",)


def shown_n_queens(prompt, scene):
    assert signs(scene, lambda cell: "Q" if cell.mark == "queen" else ".") == table(prompt)


def shown_nonogram(prompt, scene):
    for side, line in ((scene.left, "Row"), (scene.top, "Column")):
        count = len(re.findall(rf"^{line} \d+:", prompt, re.MULTILINE))
        assert labels(side) == [listed(prompt, f"{line} {n}:") for n in range(1, count + 1)]
    assert {cell for row in texts(scene) for cell in row} == {"."}


def shown_norinori(prompt, scene):
    letters = table(prompt)
    assert groups(scene.regions) == groups([[c.upper() for c in row] for row in letters])
    assert signs(scene, lambda cell: cell.mark == "cross") == [
        [letter.islower() for letter in row] for row in letters
    ]


def shown_numberlink(prompt, scene):
    assert texts(scene) == table(prompt)
    letters = {cell.text: cell.tone for row in scene.cells for cell in row if cell.text}
    assert len({*letters.values()}) >= min(9, len(letters))


def shown_numbers(prompt, scene):
    assert texts(scene) == table(prompt)


def shown_numeral_bricks(prompt, scene):
    assert texts(scene) == table(prompt, 1)
    assert signs(scene, lambda cell: cell.corner or ".") == table(prompt, 2)
    assert all((cell.fill == "paper") == (not cell.corner) for row in scene.cells for cell in row)


def shown_pattern_copying(prompt, scene):
    assert signs(scene, lambda cell: "#" if cell.fill == "dark" else ".") == table(prompt)
    size = len(scene.cells)
    ends = diagonal_ends(scene)
    if "falling" not in prompt:
        assert not ends
        return
    assert len(ends) == 2 * (2 * size - 1)
    for number in range(1, 2 * size):
        # "'falling 1' is the bottom left corner alone, 'rising 1' the top left corner alone"
        assert ends[f"\\{number}"] == (min(size, 2 * size - number) - 1, min(size, number) - 1)
        assert ends[f"/{number}"] == (max(0, number - size), min(size, number) - 1)


def diagonal_ends(grid):
    """The cell beside which each diagonal has its name."""
    last = len(grid.cells) - 1
    sides = (
        (grid.top, lambda n: (0, n)), (grid.bottom, lambda n: (last, n)),
        (grid.left, lambda n: (n, 0)), (grid.right, lambda n: (n, last)),
    )  # fmt: skip
    return {
        text: cell_of(n)
        for side, cell_of in sides
        for n, names in enumerate(side)
        for text in names
        if text and not text.isdecimal()
    }


def shown_pipes(prompt, scene):
    tiles = [["".join(sorted(tile)) for tile in row] for row in table(prompt)]
    assert courses(scene) == tiles
    assert signs(scene, lambda cell: cell.mark == "disc") == [
        [len(tile) == 1 for tile in row] for row in tiles
    ]


def shown_skyscrapers(prompt, scene):
    assert texts(scene) == table(prompt, 3)
    for side in ("left", "top", "right", "bottom"):
        seen = [text or "-" for (text,) in getattr(scene, side)]
        assert seen == listed(prompt, f"Seen from the {side}:")


def shown_slant(prompt, scene):
    assert [[text or "." for text in row] for row in scene.corners] == table(prompt, 2)
    assert {cell.mark for row in scene.cells for cell in row} == {""}
    assert len(scene.cells) == len(scene.corners) - 1


def shown_slide_covering(prompt, scene):
    wall = {"dark": "#", "paper": "."}
    assert signs(scene, lambda cell: cell.text or wall[cell.fill]) == table(prompt)


def shown_slitherlink(prompt, scene):
    assert texts(scene) == table(prompt)
    assert scene.style == "dots"
    assert not scene.borders


def shown_star_battle(prompt, scene):
    assert groups(scene.regions) == groups(table(prompt))


def shown_sudoku(prompt, scene):
    shown_numbers(prompt, scene)
    height, width = re.search(r"(\d+) rows by (\d+) columns", prompt).groups()
    side = range(int(height) * int(width))
    boxes = [[(r // int(height), c // int(width)) for c in side] for r in side]
    assert groups(scene.regions) == groups(boxes)


def shown_survo(prompt, scene):
    shown_numbers(prompt, scene)
    assert [text for (text,) in scene.right] == listed(prompt, "Sums of the rows")
    assert [text for (text,) in scene.bottom] == listed(prompt, "Sums of the columns")


def shown_tents(prompt, scene):
    assert signs(scene, lambda cell: "T" if cell.mark == "tree" else ".") == table(prompt)
    assert [text for (text,) in scene.left] == listed(prompt, "Tents in the rows")
    assert [text for (text,) in scene.top] == listed(prompt, "Tents in the columns")


def shown_thermometers(prompt, scene):
    tubes = [cells_in(line) for line in prompt.split("\n\n")[1].splitlines()[1:]]
    assert [[*line.points] for line in scene.lines] == tubes
    assert all(line.round_end for line in scene.lines)
    assert [text for (text,) in scene.left] == listed(prompt, "Filled cells in the rows")
    assert [text for (text,) in scene.top] == listed(prompt, "Filled cells in the columns")


def shown_word_crossing(prompt, scene):
    assert signs(scene, lambda cell: "#" if cell.fill == "none" else ".") == table(prompt)
    words = prompt.partition("Words:\n")[2].splitlines()[0].split(", ")
    assert ", ".join(scene.scenes[1].lines).split(", ") == words


def shown_word_search(prompt, scene):
    assert texts(scene) == table(prompt)
    words = next(line for line in prompt.splitlines() if line.startswith("Words: "))
    assert [*scene.scenes[1].lines] == words.removeprefix("Words: ").split(", ")


SHOWN = {
    "masyu": shown_masyu,
    "minesweeper_deduction": shown_minesweeper_deduction,
    "n_queens": shown_n_queens,
    "nonogram": shown_nonogram,
    "norinori": shown_norinori,
    "numberlink": shown_numberlink,
    "numbrix": shown_numbers,
    "numeral_bricks": shown_numeral_bricks,
    "nurikabe": shown_numbers,
    "pattern_copying": shown_pattern_copying,
    "pipes": shown_pipes,
    "shikaku": shown_numbers,
    "skyscrapers": shown_skyscrapers,
    "slant": shown_slant,
    "slide_covering": shown_slide_covering,
    "slitherlink": shown_slitherlink,
    "star_battle": shown_star_battle,
    "sudoku": shown_sudoku,
    "survo": shown_survo,
    "tents": shown_tents,
    "thermometers": shown_thermometers,
    "word_crossing": shown_word_crossing,
    "word_search": shown_word_search,
}


@pytest.mark.parametrize(("name", "level"), EVERY_LEVEL)
def test_a_scene_shows_what_the_prompt_shows(name, level):
    for seed in (1, 2, 3):
        task = task_of(name, level, seed)
        scene = task.scene()
        SHOWN[name](task.prompt(), scene)
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        assert not any(
            cell.tone == "accent" for row in board(scene).cells for cell in row if cell.text
        )


# ------------------------------------------------------------------ what answers add


def same_signs(sign_of):
    """A check that each cell has the sign that the answer has."""

    def check(answer, scene, prompt):
        assert signs(scene, sign_of) == rows(answer)

    return check


def added_masyu(answer, scene, prompt):
    assert courses(scene) == [["".join(sorted(COURSES[s])) for s in row] for row in rows(answer)]


def added_minesweeper_deduction(answer, scene, prompt):
    mines, safe = map(cells_in, answer.splitlines())
    marks = {
        (r, c): cell.mark
        for r, row in enumerate(board(scene).cells)
        for c, cell in enumerate(row)
        if cell.mark
    }
    assert marks == dict.fromkeys(mines, "flag") | dict.fromkeys(safe, "dot")


def added_n_queens(answer, scene, prompt):
    for row, clues, column in zip(scene.cells, table(prompt), answer.split(", "), strict=True):
        cell = row[int(column) - 1]
        assert cell.mark == "queen"
        clue = clues[int(column) - 1] == "Q"
        assert (cell.tone == "dark") == clue
        assert sum(other.mark == "queen" for other in row) == (
            2 if "Q" in clues and not clue else 1
        )


def added_numberlink(answer, scene, prompt):
    letters = signs(scene, lambda cell: cell.corner or cell.text)
    assert letters == rows(answer)
    size = range(len(letters))
    beside = {
        frozenset(((r, c), (r + down, c + 1 - down)))
        for r, c, down in product(size, size, (0, 1))
        if max(r + down, c + 1 - down) in size and letters[r][c] == letters[r + down][c + 1 - down]
    }
    ends = {frozenset((round(r), round(c)) for r, c in line.points) for line in scene.lines}
    assert ends == beside


def added_numbrix(answer, scene, prompt):
    assert texts(scene) == rows(answer)
    cells = {int(n): (r, c) for r, row in enumerate(rows(answer)) for c, n in enumerate(row)}
    joined = {frozenset((round(r), round(c)) for r, c in line.points) for line in scene.lines}
    assert joined == {
        frozenset((cell, cells[n + 1]))
        for n, cell in cells.items()
        if n + 1 in cells and sum(abs(a - b) for a, b in zip(cell, cells[n + 1])) == 1
    }


def added_numeral_bricks(answer, scene, prompt):
    assert signs(scene, lambda cell: cell.corner) == rows(answer)
    strong = signs(scene, lambda cell: cell.fill[0] == "c")
    assert strong == [
        [clue == sign for clue, sign in zip(*pair)] for pair in zip(table(prompt, 2), rows(answer))
    ]


def added_pattern_copying(answer, scene, prompt):
    size = len(table(prompt))
    colours = [["paper"] * size for _ in range(size)]
    last = [[""] * size for _ in range(size)]
    for number, stroke in enumerate(answer.splitlines(), 1):
        direction, line, colour = stroke.split()
        n = int(line) - 1
        for r, c in product(range(size), range(size)):
            if (
                n
                == {"row": r, "column": c, "falling": c - r + size - 1, "rising": r + c}[direction]
            ):
                colours[r][c] = "dark" if colour == "black" else "paper"
                last[r][c] = str(number)
    assert [[cell.fill for cell in row] for row in after(scene).cells] == colours
    assert [[cell.text for cell in row] for row in after(scene).cells] == last


def added_pipes(answer, scene, prompt):
    assert courses(scene) == [["".join(sorted(tile)) for tile in row] for row in rows(answer)]
    assert {line.tone for line in scene.lines} == {"accent"}


def added_shikaku(answer, scene, prompt):
    boxes = []
    for border in scene.borders:
        (top, left), (bottom, right) = min(border.points), max(border.points)
        boxes.append([(top, left), (bottom - 1, right - 1)])
    assert boxes == [cells_in(line) for line in answer.splitlines()]


def added_slant(answer, scene, prompt):
    marks = {"slash": "/", "backslash": "\\"}
    assert signs(scene, lambda cell: marks[cell.mark]) == rows(answer)
    assert [[text or "." for text in row] for row in scene.corners] == table(prompt, 2)


def added_slide_covering(answer, scene, prompt):
    cells = table(prompt)
    ((r, c),) = ((r, c) for r, row in enumerate(cells) for c, sign in enumerate(row) if sign == "S")
    stops, covered = [(r, c)], set()
    for move in answer:
        down, across = STEPS[move]
        while (
            0 <= r + down < len(cells)
            and 0 <= c + across < len(cells)
            and cells[r + down][c + across] == "."
            and (r + down, c + across) not in covered
        ):
            r, c = r + down, c + across
            covered.add((r, c))
        if (r, c) == stops[-1]:
            break
        stops.append((r, c))
    (path,) = scene.lines or (None,)
    assert (path.points if path else tuple(stops)) == tuple(stops)
    filled = signs(scene, lambda cell: cell.fill == "t0")
    assert {(r, c) for r, row in enumerate(filled) for c, sign in enumerate(row) if sign} == covered


def added_slitherlink(answer, scene, prompt):
    inside = rows(answer)
    size = len(inside)
    framed = [["-"] * (size + 2), *(["-", *row, "-"] for row in inside), ["-"] * (size + 2)]
    loop = {
        ((r, c), (r, c + 1)) for r in range(size + 1) for c in range(size)
        if framed[r][c + 1] != framed[r + 1][c + 1]
    } | {
        ((r, c), (r + 1, c)) for r in range(size) for c in range(size + 1)
        if framed[r + 1][c] != framed[r + 1][c + 1]
    }  # fmt: skip
    assert {border.points for border in scene.borders} == loop
    assert len(scene.borders) == len(loop)
    assert texts(scene) == table(prompt)


def added_thermometers(answer, scene, prompt):
    filled = [[sign == "#" for sign in row] for row in rows(answer)]
    assert signs(scene, lambda cell: cell.fill == "t3") == filled
    tubes = [cells_in(line) for line in prompt.split("\n\n")[1].splitlines()[1:]]
    mercury = [line.points for line in scene.lines if line.tone == "c3"]
    expected = [(tube[0],) for tube in tubes if filled[tube[0][0]][tube[0][1]]]
    expected += [
        pair for tube in tubes for pair in pairwise(tube) if all(filled[r][c] for r, c in pair)
    ]
    assert sorted(mercury) == sorted(expected)


def added_word_crossing(answer, scene, prompt):
    written = texts(scene, "")
    for line in answer.splitlines():
        slot, word = line.split(": ")
        ((row, column),) = cells_in(slot)
        down = slot.endswith("down")
        length = int(re.search(rf"^{slot}, (\d+) letters", prompt, re.MULTILINE)[1])
        for n, letter in enumerate(word[:length]):
            assert letter in written[row + n * down][column + n * (not down)].split("/")


def added_word_search(answer, scene, prompt):
    for border, line in zip(board(scene).borders, answer.splitlines(), strict=True):
        ends = cells_in(line)
        # The four corners about either end of a frame lie around its cell.
        middles = [
            tuple(sum(values) / 4 for values in zip(*border.points[start : start + 4]))
            for start in (0, 4)
        ]
        for (row, column), (r, c) in zip(middles, ends):
            assert abs(row - r - 0.5) < 0.5 > abs(column - c - 0.5)


ADDED = {
    "nonogram": same_signs(lambda cell: "#" if cell.fill == "accent" else "-"),
    "norinori": same_signs(lambda cell: "#" if cell.fill == "accent" else "-"),
    "nurikabe": same_signs(lambda cell: "#" if cell.fill == "water" else "-"),
    "skyscrapers": same_signs(lambda cell: cell.text),
    "star_battle": same_signs(lambda cell: "*" if cell.mark == "star" else "-"),
    "sudoku": same_signs(lambda cell: cell.text),
    "survo": same_signs(lambda cell: cell.text),
    "tents": same_signs(lambda cell: {"tent": "A", "tree": "T"}.get(cell.mark, "-")),
    "masyu": added_masyu,
    "minesweeper_deduction": added_minesweeper_deduction,
    "n_queens": added_n_queens,
    "numberlink": added_numberlink,
    "numbrix": added_numbrix,
    "numeral_bricks": added_numeral_bricks,
    "pattern_copying": added_pattern_copying,
    "pipes": added_pipes,
    "shikaku": added_shikaku,
    "slant": added_slant,
    "slide_covering": added_slide_covering,
    "slitherlink": added_slitherlink,
    "thermometers": added_thermometers,
    "word_crossing": added_word_crossing,
    "word_search": added_word_search,
}


def turned(answer):
    """The lines of an answer in the reverse order, or the words of its only line."""
    lines = answer.splitlines()
    return "\n".join(lines[::-1]) if len(lines) > 1 else ", ".join(answer.split(", ")[::-1])


def values_moved(answer):
    """The values of labelled lines, each of them at the next label."""
    labels, values = zip(*(line.split(": ") for line in answer.splitlines()))
    return "\n".join(map(": ".join, zip(labels, (*values[1:], values[0]))))


def tree_lines_kept(answer):
    """The signs of each line in the reverse order, but for trees, which stay."""
    turned_rows = []
    for row in rows(answer):
        rest = [sign for sign in row if sign != "T"]
        turned_rows.append(" ".join("T" if sign == "T" else rest.pop() for sign in row))
    return "\n".join(turned_rows)


WRONG = {
    "minesweeper_deduction": values_moved,
    "word_crossing": values_moved,
    "word_search": values_moved,
    "shikaku": lambda answer: "\n".join([*answer.splitlines()[1:], "r1c1-r2c2"]),
    "slide_covering": lambda answer: (
        answer[:-1] + {"U": "L", "L": "D", "D": "R", "R": "U"}[answer[-1]]
    ),
    "tents": tree_lines_kept,
}
"""For each environment, another answer that can be read; by default, lines in another order."""


@pytest.mark.parametrize(("name", "level"), EVERY_LEVEL)
def test_answers_are_drawn_right_or_wrong(name, level):
    wrong = 0
    for seed in (1, 2, 3):
        task, answer = task_of(name, level, seed), answer_of(name, level, seed)
        other = WRONG.get(name, turned)(answer)
        wrong += task.verify(other).value < 1
        for reply in (answer, other):
            scene = task.solved_scene(reply)
            ADDED[name](reply, scene, task.prompt())
            assert from_json(to_json(scene)) == scene
            assert drawing(scene).shapes
    assert wrong


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_read_is_not_drawn(name):
    task = task_of(name, 0, 1)
    for reply in ("", "nothing", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"):
        with pytest.raises(InvalidAnswer):
            task.verify(reply)
        with pytest.raises(InvalidAnswer):
            task.solved_scene(reply)


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_painted_light_and_dark(name):
    task = task_of(name, 1, 1)
    for scene in (task.scene(), task.solved_scene(answer_of(name, 1, 1))):
        light, dark = (rgb(scene, 224, theme) for theme in ("light", "dark"))
        assert light.shape == dark.shape
        assert max(light.shape) <= 224
        assert light.mean() > dark.mean()


# ------------------------------------------------------------------ cases worked by hand


def test_answers_that_replace_clues_are_drawn_beside_them_or_in_their_place():
    queens = task_of("n_queens", 0, 1)
    columns = answer_of("n_queens", 0, 1).split(", ")
    row = next(n for n, signs_ in enumerate(queens.board) if "Q" in signs_)
    columns[row] = str(int(columns[row]) % 8 + 1)
    cells = queens.solved_scene(", ".join(columns)).cells[row]
    assert sorted(cell.tone for cell in cells if cell.mark) == ["accent", "dark"]

    tents = task_of("tents", 0, 1)
    felled = answer_of("tents", 0, 1).replace("T", "A", 1)
    r, c = divmod("".join(tents.board).index("T"), len(tents.board))
    assert (
        tents.solved_scene(felled).cells[r][c].mark,
        tents.solved_scene(felled).cells[r][c].tone,
    ) == ("tent", "bad")
    gone = answer_of("tents", 0, 1).replace("T", "-", 1)
    assert (
        tents.solved_scene(gone).cells[r][c].mark,
        tents.solved_scene(gone).cells[r][c].tone,
    ) == ("tree", "bad")


def test_columns_that_do_not_exist_are_left_out():
    queens = task_of("n_queens", 0, 1)
    scene = queens.solved_scene("9, 9, 9, 9, 9, 9, 9, 99")
    assert scene == queens.scene()


def test_letters_of_words_that_disagree_share_the_cell():
    task = task_of("word_crossing", 0, 1)
    names = task.names()
    scene = task.solved_scene(
        "\n".join(f"{name}: {'xy'[n % 2] * 20}" for n, name in enumerate(names))
    )
    crossings = [cell.text for row in board(scene).cells for cell in row if "/" in cell.text]
    assert crossings
    assert {*crossings} <= {"x/y", "y/x"}


def test_cells_listed_as_mines_and_as_safe_are_crossed():
    task = task_of("minesweeper_deduction", 0, 1)
    scene = task.solved_scene("mines: r1c1, r1c2\nsafe: r1c2")
    assert [cell.mark for cell in board(scene).cells[0][:3]] == ["flag", "cross", ""]


def test_numbers_at_outer_corners_are_not_cut_off():
    scene = task_of("slant", 0, 1).scene()
    picture = drawing(scene)
    discs = [shape for shape in picture.shapes if isinstance(shape, Disc)]
    assert len(discs) == sum(bool(text) for row in scene.corners for text in row)
    for disc in discs:
        assert disc.radius <= disc.x <= picture.width - disc.radius
        assert disc.radius <= disc.y <= picture.height - disc.radius


@pytest.mark.parametrize(
    "name",
    ["nonogram", "norinori", "nurikabe", "star_battle", "tents", "thermometers"],
)
def test_how_a_sign_looks_does_not_depend_on_the_clues(name):
    looks = {task_of(name, level, seed).entry().looks for level in (0, 2) for seed in (1, 2, 3)}
    assert len(looks) == 1
    on, off = looks.pop()
    assert on != off
    assert (on.text, off.text) == ("", "")
