"""Scenes of rules to infer, compared with their prompts as these are read here."""

import re

import pytest
from tests.scenes.reading import accented, drawable, tasks, texts

import palaestra
from palaestra.task import InvalidAnswer

ALL = sorted(name for name in palaestra.names() if name.startswith("induction/"))
RULES = ("induction/two_sets", "induction/relational_rules")
NAMES = [name for name in ALL if name not in RULES]
"""Those whose answers are drawn, which a rule is not."""


def test_all_environments_are_here():
    assert len(NAMES) == 7
    assert len(ALL) == 9


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.scene())
        assert drawable(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", ["?!", "it depends"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


# ------------------------------------------------------------------ grids


def joined(grid):
    return ["".join(row) for row in texts(grid)]


def test_grids_are_those_of_the_prompt():
    for task in tasks("induction/grid_transformation"):
        stated = [part.split() for part in re.findall(r"(?:^\d+\n?)+", task.prompt(), re.MULTILINE)]
        *grids, last = task.scene().scenes
        assert [joined(grid) for grid in grids] == stated
        assert {sign for row in joined(last) for sign in row} == {"?"}
        assert len(grids) == 2 * len(task.inputs) + 1


def test_colours_of_grids_belong_to_their_digits():
    for task in tasks("induction/grid_transformation"):
        for grid in task.scene().scenes[:-1]:
            for row in grid.cells:
                assert all(c.fill == (f"c{c.text}" if c.text != "0" else "paper") for c in row)


def test_answered_grids_stand_last():
    for task in tasks("induction/grid_transformation"):
        side = len(task.answer().splitlines())
        for answer in (task.answer(), "\n".join(["3" * side] * side)):
            *shown, last = task.solved_scene(answer).scenes
            assert joined(last) == answer.splitlines()
            assert tuple(shown) == task.scene().scenes[:-1]


def test_marks_are_those_of_the_prompt():
    signs = {("dark", ""): "x", ("paper", ""): "o", ("muted", "?"): "?"}
    for task in tasks("induction/modulo_grid"):
        scene = task.scene()
        shown = ["".join(signs[cell.fill, cell.text] for cell in row) for row in scene.cells]
        assert shown == task.prompt().split("\n\n")[1].splitlines()
        assert scene.coordinates


def test_entered_marks_are_in_hidden_cells_only():
    for task in tasks("induction/modulo_grid"):
        shown = task.prompt().split("\n\n")[1].splitlines()
        for answer in (task.answer(), "\n".join("x" * len(row) for row in shown)):
            cells = task.solved_scene(answer).cells
            for row, line, signs in zip(cells, shown, answer.splitlines(), strict=True):
                for cell, sign, entered in zip(row, line, signs, strict=True):
                    assert (cell.tone == "accent") == (sign == "?")
                    if sign == "?":
                        assert cell.mark == {"x": "square", "o": "dot"}[entered]


# ------------------------------------------------------------------ strips, lists and sequences


def rows_of(scene):
    """The rows of numbers, by their labels; those of results belong to the row above."""
    pairs = []
    for (label,), row in zip(scene.left, scene.cells, strict=True):
        numbers = [cell.text for cell in row if cell.fill != "none"]
        if label == "->":
            pairs[-1] = (*pairs[-1], numbers)
        elif label:
            pairs.append((label, numbers))
    return pairs


@pytest.mark.parametrize("name", ["strip_transformation", "list_functions"])
def test_rows_are_those_of_the_prompt(name):
    for task in tasks(f"induction/{name}"):
        prompt = task.prompt().split("Examples:\n")[1]
        split = list if name == "strip_transformation" else lambda text: text[1:-1].split(", ")
        examples = re.findall(r"^(\[.+\]|\d+) -> (\[.+\]|\d+)$", prompt, re.MULTILINE)
        new = re.findall(r"^(?:\d+\. )?(\[[-\d, ]+\]|\d{8,})$", prompt, re.MULTILINE)
        shown = rows_of(task.scene())
        expected = [(str(n), split(a), split(b)) for n, (a, b) in enumerate(examples, 1)]
        expected += [("ABCD"[n], split(numbers), ["?"]) for n, numbers in enumerate(new)]
        assert shown == expected
        assert len(new) == len(task.new)


def test_entered_strips_stand_below_the_new_ones():
    for task in tasks("induction/strip_transformation"):
        for answer in (task.answer(), re.sub(r"\d", "7", task.answer())):
            shown = rows_of(task.solved_scene(answer))
            results = ["".join(result) for *_, result in shown[-len(task.new) :]]
            assert results == answer.splitlines()


def test_entered_lists_stand_below_the_new_ones():
    for task in tasks("induction/list_functions"):
        for answer in (task.answer(), "\n".join(["[1, -2, 3]"] * len(task.new))):
            shown = rows_of(task.solved_scene(answer))
            lists = [f"[{', '.join(result)}]" for *_, result in shown[-len(task.new) :]]
            assert lists == answer.splitlines()


def test_terms_are_those_of_the_prompt():
    for task in tasks("induction/number_sequence"):
        lines = re.findall(r"^(?:\d+\. )?(-?\d+(?:, -?\d+){5,})$", task.prompt(), re.MULTILINE)
        assert texts(task.scene()) == [[*line.split(", "), "?", "?", "?"] for line in lines]
        numbers = re.findall(r"-?\d+", task.answer())
        entered = accented(task.solved_scene(task.answer()))
        assert entered == [number[:10] for number in numbers]


# ------------------------------------------------------------------ panels and trials

THINGS = {
    "disc": "circles", "square": "squares", "star": "stars", "dot": "dots", "horizontal": "lines",
    "cross": "crosses", "ring": "rings", "right": "arrows", "heart": "hearts",
    "triangle": "triangles",
}  # fmt: skip


def listed(panel):
    """The numbers and things of a panel, in reading order."""
    cells = [cell for row in panel.cells for cell in row]
    pairs = zip(cells[::2], cells[1::2], strict=True)
    return [f"{number.text} {THINGS[thing.mark]}" for number, thing in pairs if thing.mark]


def test_panels_are_those_of_the_prompt():
    for task in tasks("induction/row_rule"):
        stated = re.findall(r"^row \d, panel \d: (.+)$", task.prompt(), re.MULTILINE)
        *panels, last = task.scene().scenes
        assert [", ".join(listed(panel)) for panel in panels] == stated[:-1]
        assert texts(last) == [["?"]]
        assert stated[-1] == "?"


def test_answered_panels_have_the_order_of_the_task():
    for task in tasks("induction/row_rule"):
        for answer in (task.answer(), ", ".join(str(n) for n in range(len(task.names)))):
            *_, last = task.solved_scene(answer).scenes
            numbers = dict(zip(task.names, answer.split(", "), strict=True))
            shown = [line.split(" ") for line in listed(last)]
            assert {thing: number for number, thing in shown} == numbers
            assert sorted(accented(last)) == sorted(numbers.values())


SHAPES = {
    "cube": "square", "ball": "disc", "cone": "triangle", "ring": "ring", "star": "star",
    "disc": "dot",
}  # fmt: skip


def test_trials_are_those_of_the_prompt():
    for task in tasks("induction/causal_blickets"):
        scene = task.scene()
        names = [" ".join(label) for label in scene.top[:-1]]
        stated = re.findall(r"^\d+\. (.+): it (.+)$", task.prompt(), re.MULTILINE)
        assert len(scene.cells) == len(stated)
        for row, (objects, result) in zip(scene.cells, stated, strict=True):
            on = [name for name, cell in zip(names, row, strict=False) if cell.mark]
            assert sorted(on) == sorted(objects.split(", "))
            for name, cell in zip(names, row, strict=False):
                assert cell.mark in ("", SHAPES[name.split()[1]])
            assert row[-1].text == {"lights up": "lit", "stays dark": "dark"}[result]
        assert len({cell.tone for row in scene.cells for cell in row if cell.mark}) <= 4


def test_statuses_stand_below_the_objects():
    signs = {"blicket": "yes", "not": "no", "undetermined": "?"}
    for task in tasks("induction/causal_blickets"):
        wrong = "\n".join(f"{name}: not" for name in reversed(task.names))
        for answer in (task.answer(), wrong):
            scene = task.solved_scene(answer)
            status = dict(line.split(": ") for line in answer.splitlines())
            names = [" ".join(label) for label in scene.top[:-1]]
            shown = dict(zip(names, texts(scene)[-1], strict=False))
            assert shown == {name: signs[each] for name, each in status.items()}


# ------------------------------------------------------------------ two sets of scenes


def test_scenes_of_both_sets_are_those_of_the_prompt():
    colours = {"red": "c3", "green": "c2", "blue": "c0", "white": "white"}
    shapes = {"circle": "disc", "square": "square", "triangle": "triangle", "star": "star"}
    sizes = {"large": "L", "small": "s", "": ""}
    for task in tasks("induction/two_sets"):
        assert task.solved_scene(task.answer()) is None
        assert drawable(task.scene())
        for title, grid in zip(("first", "second"), task.scene().scenes, strict=True):
            text = task.prompt().split(f"The {title} set:\n")[1].split("\n\n")[0]
            lines = [re.sub(r"^\d+[.:] ", "", line) for line in text.splitlines()]
            assert len(lines) == len(grid.cells)
            for line, row in zip(lines, grid.cells, strict=True):
                words = [thing.split() for thing in re.split(r", | and ", line)]
                expected = [
                    (colours[word[-2]], shapes[word[-1]], sizes[word[0] if word[2:] else ""])
                    for word in words
                ]
                cells = [cell for cell in row if cell.mark]
                assert [(cell.tone, cell.mark, cell.corner) for cell in cells] == expected


# ------------------------------------------------------------------ relations in worlds


def test_graphs_of_worlds_have_the_pairs_of_the_prompt():
    for task in tasks("induction/relational_rules"):
        assert task.solved_scene(task.answer()) is None
        assert drawable(task.scene())
        blocks = [b for b in task.prompt().split("\n\n") if b.startswith("World ")]
        graphs = iter(task.scene().scenes)
        for block in blocks:
            known, wanted = next(graphs), next(graphs)
            head, *lines = block.splitlines()
            assert len(known.nodes) == len(wanted.nodes) == int(re.search(r"(\d+):$", head)[1])
            *rows, last = [line.split(": ") for line in lines]
            stated = {
                (name, pair) for name, listed in rows for pair in listed.split(", ") if "-" in pair
            }
            assert {(e.text, f"{e.start + 1}-{e.end + 1}") for e in known.edges} == stated
            pairs = [f"{e.start + 1}-{e.end + 1}" for e in wanted.edges]
            assert pairs == last[1].split(", ")
            marked = [node.name for node in known.nodes if node.tone != "paper"]
            single = [n for _, listed in rows for n in listed.split(", ") if n.isdigit()]
            assert marked == single
        assert next(graphs, None) is None
