"""Scenes of spatial puzzles, compared with their prompts as these are read here."""

import re
from itertools import pairwise

import pytest
from tests.scenes.reading import drawable, leaves, tasks, texts

import palaestra
from palaestra.scenes.palette import THEMES, colour
from palaestra.task import InvalidAnswer

NAMES = sorted(name for name in palaestra.names() if name.startswith("spatial/"))
SOLVED = [name for name in NAMES if name != "spatial/rectangle_counting"]
ARROWS = {
    "north": "up", "south": "down", "east": "right", "west": "left", "north-east": "up-right",
    "north-west": "up-left", "south-east": "down-right", "south-west": "down-left",
    "clockwise": "right", "anticlockwise": "left", "inward": "down", "outward": "up",
    "down to the left": "down-left", "down to the right": "down-right", "up": "up",
}  # fmt: skip


def test_all_environments_are_here():
    assert len(NAMES) == 6


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.scene())
        if name in SOLVED:
            assert drawable(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("answer", ["?!", "..."])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def test_rectangles_are_not_drawn_into():
    task = tasks("spatial/rectangle_counting")[0]
    assert task.solved_scene(task.answer()) is None


# ------------------------------------------------------------------ banners


def test_banner_has_the_dots_of_the_prompt():
    for task in tasks("spatial/ascii_banner"):
        rows = task.prompt().split("\n\n")[1].splitlines()
        ink = task.ink[0]
        shown = [[cell.fill == "dark" for cell in row] for row in task.scene().cells]
        assert shown == [[sign == ink for sign in row] for row in rows]
        assert not any(cell.text for row in task.scene().cells for cell in row)


def test_letters_of_an_answer_are_drawn_as_large_as_those_of_the_picture():
    for task in tasks("spatial/ascii_banner"):
        picture, read = task.solved_scene("I" * task.letters).scenes
        wide, high = task.size
        assert picture == task.scene()
        assert len(read.cells) == 7 * high
        inked = [cell.fill == "accent" for cell in read.cells[3 * high]]
        assert sum(inked) == task.letters * wide  # an I has one dot in its middle row


# ------------------------------------------------------------------ bearings


def test_edges_are_the_claims():
    for task in tasks("spatial/compass_bearings"):
        scene, claims, middles = task.scene(), set(), set()
        names = [node.name for node in scene.nodes]
        for edge in scene.edges:
            start, end = names[edge.start], names[edge.end]
            if edge.dashed:
                middles.add((start, end))
            else:
                claims.add((start, edge.text, end))
        stated = re.findall(r"^(\w+) is (.+) of (\w+)\.$", task.prompt(), re.MULTILINE)
        expected = {
            (other, " ".join(re.findall(r"\d+ km [nesw]", parts)), one)
            for one, parts, other in stated
        }
        assert {(a, text, b) for a, text, b in claims} == {
            (a, text.replace(" km ", "").upper(), b) for a, text, b in expected
        }
        middle = r"^(\w+) lies .* between (\w+) and (\w+)\.$"
        between = re.findall(middle, task.prompt(), re.MULTILINE)
        assert middles == {(end, one) for one, *ends in between for end in ends}


def test_nodes_of_bearings_are_not_where_the_places_are():
    for task in tasks("spatial/compass_bearings"):
        assert all(node.x is None and node.y is None for node in task.scene().nodes)


def test_a_wrong_way_is_drawn_as_well():
    for task in tasks("spatial/compass_bearings"):
        _, plane = task.solved_scene("-3, 7/2").scenes
        way, point, start = plane.figures
        assert way.points[0] == (0, 0)
        assert way.points[-1] == (point.x, point.y) == (-3, 3.5)
        asked = re.search(r"How far is it from (\w+) to (\w+)\?", task.prompt())
        assert (start.name, point.name) == asked.groups()


# ------------------------------------------------------------------ cubes


def faces(grid):
    return {cell.corner: cell.text for row in grid.cells for cell in row if cell.corner}


def test_net_has_the_colours_of_the_start():
    for task in tasks("spatial/cube_rotation"):
        colours = "red|blue|green|yellow|white|black|pink|grey|brown|orange|violet"
        sides = "top|bottom|front|back|left|right"
        stated = re.findall(rf"\b({sides}) ({colours})\b", task.prompt())
        assert len(stated) == 6
        assert faces(task.scene()) == dict(stated)


def test_colours_of_faces_that_touch_in_the_net_touch_on_the_cube():
    opposite = {frozenset(pair) for pair in (("top", "bottom"), ("left", "right"))}
    cells = tasks("spatial/cube_rotation")[0].scene().cells
    for row in cells:
        for one, other in pairwise(row):
            if one.corner and other.corner:
                assert frozenset((one.corner, other.corner)) not in opposite
    assert [row[1].corner for row in cells] == ["top", "front", "bottom"]


def test_answered_cubes_stand_below_the_start():
    for task in tasks("spatial/cube_rotation"):
        start, end = task.solved_scene(task.answer()).scenes
        answer = dict(line.split(": ") for line in task.answer().splitlines())
        assert start == task.scene()
        assert faces(end) == answer
        wrong = dict(zip(answer, [*answer.values()][::-1], strict=True))
        text = "\n".join(f"{face}: {colour}" for face, colour in wrong.items())
        assert faces(task.solved_scene(text).scenes[1]) == wrong


# ------------------------------------------------------------------ walks


def test_walk_has_the_steps_and_words_of_the_prompt():
    for task in tasks("spatial/lattice_walk"):
        cards, blind = task.scene().scenes
        first = re.search(r"with the word (\w+)\.", task.prompt())[1]
        steps = re.findall(
            r"You go ([a-z -]+?) and find (?:again )?the word (\w+)\.", task.prompt()
        )
        shown = [(card.mark, card.text) for row in cards.rows for card in row]
        assert shown == [("", first), *((ARROWS[step], word) for step, word in steps)]
        walks = re.findall(r"^\d+\. ([a-z, -]+)$", task.prompt(), re.MULTILINE)
        marks = [[cell.mark for cell in row if cell.mark] for row in blind.cells]
        assert marks == [[ARROWS[step] for step in walk.split(", ")] for walk in walks]
        assert not blind.right


def test_words_of_an_answer_stand_beside_the_walks():
    for task in tasks("spatial/lattice_walk"):
        for words in (task.answer().split(", "), [task.things[0]] * len(task.blind)):
            _, blind = task.solved_scene(", ".join(words)).scenes
            assert blind.right == tuple((word,) for word in words)


def test_map_has_the_signs_and_moves_of_the_prompt():
    for task in tasks("spatial/map_walk"):
        board, moves = task.scene().scenes
        rows = [row.split() for row in task.prompt().split("\n\n")[1].splitlines()]
        row, column = map(int, re.search(r"starts at r(\d+)c(\d+)", task.prompt()).groups())
        looks = {
            ("paper", "", ""): ".", ("dark", "", ""): "#", ("water", "", "~"): "~",
            ("paper", "disc", ""): "*", ("t1", "up", ""): "^", ("t1", "down", ""): "v",
            ("t1", "left", ""): "<", ("t1", "right", ""): ">", ("paper", "person", ""): "start",
        }  # fmt: skip
        looks |= {("paper", "disc", portal): portal for portal in "ABC"}
        shown = [[looks[cell.fill, cell.mark, cell.text] for cell in row] for row in board.cells]
        assert shown[row - 1][column - 1] == "start"
        assert rows[row - 1][column - 1] == "."
        shown[row - 1][column - 1] = "."
        assert shown == rows
        listed = re.search(r"The moves are: ([a-z, ]+)\.", task.prompt())[1].split(", ")
        assert [cell.mark for row in moves.cells for cell in row if cell.mark] == listed


def test_end_of_a_walk_has_a_flag():
    for task in tasks("spatial/map_walk"):
        end = re.search(r"end: r(\d+)c(\d+)", task.answer())
        for row, column in (tuple(map(int, end.groups())), (1, 2)):
            answer = f"end: r{row}c{column}\ncoins: 3\nblocked: 4"
            scene = task.solved_scene(answer)
            (board,) = leaves(scene)
            flags = [
                (r, c)
                for r, line in enumerate(board.cells, 1)
                for c, cell in enumerate(line, 1)
                if cell.mark == "flag"
            ]
            assert flags == [(row, column)]
            assert board.last == ((row - 1, column - 1),)
            assert "3" in scene.captions[0]
            assert "4" in scene.captions[0]


# ------------------------------------------------------------------ rectangles


def test_lines_run_along_the_characters_of_the_drawing():
    for task in tasks("spatial/rectangle_counting"):
        rows = task.prompt().split("\n\n")[1].splitlines()
        scene = task.scene()
        assert len(scene.cells) + 1 == len(rows)
        assert len(scene.cells[0]) + 1 == len(rows[0])
        across, down = set(), set()
        for border in scene.borders:
            (r, c), (s, d) = border.points
            assert (r == s) != (c == d)
            spots = {(y, x) for y in range(r, s + 1) for x in range(c, d + 1)}
            (across if r == s else down).update(spots)
        for r, row in enumerate(rows):
            for c, sign in enumerate(row):
                assert ((r, c) in across) == (sign in "-+")
                assert ((r, c) in down) == (sign in "|+")


def test_letters_of_a_map_are_no_texts_of_free_ground():
    for task in tasks("spatial/map_walk"):
        board, _ = task.scene().scenes
        assert {text for row in texts(board) for text in row} <= {"", "~", "A", "B", "C"}


def test_white_and_black_are_the_same_in_both_themes():
    looks = {cell.text: cell.fill for task in tasks("spatial/cube_rotation")
             for row in task.scene().cells for cell in row if cell.corner}  # fmt: skip
    for name, rim in (("white", "#ffffff"), ("black", "#181716")):
        assert {colour(looks[name], theme) for theme in THEMES} == {rim}
