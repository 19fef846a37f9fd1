"""Scenes of arithmetic, algebra and algorithms, compared with their prompts as read here."""

import re

import pytest
from tests.scenes.reading import accented, drawable, leaves, tasks, texts

from palaestra.scenes import Grid, Timeline
from palaestra.task import InvalidAnswer

SOLVED = (
    "arithmetic/game_of_24", "arithmetic/countdown", "arithmetic/cryptarithm",
    "algorithms/sort_six", "algorithms/sorting_trace",
    "algebra/matrix_product", "algebra/linear_system",
)  # fmt: skip
NAMES = (*SOLVED, "arithmetic/time_intervals", "algebra/determinant")


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.scene())
        if name in SOLVED:
            assert drawable(task.solved_scene(task.answer()))
        else:
            assert task.solved_scene(task.answer()) is None


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("answer", ["?!", "who knows"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


@pytest.mark.parametrize("name", SOLVED)
def test_answers_are_no_part_of_the_question(name):
    for task in tasks(name):
        assert not any(
            cell.tone == "accent"
            for leaf in leaves(task.scene())
            if isinstance(leaf, Grid)
            for row in leaf.cells
            for cell in row
        )


# ------------------------------------------------------------------ cards


def cards(scene):
    return [[card.text for card in row] for row in scene.rows]


def test_hands_are_those_of_the_prompt():
    for task in tasks("arithmetic/game_of_24"):
        scene = task.scene()
        hands = re.findall(r"^(\d+): (\d+(?:, \d+)+)$", task.prompt(), re.MULTILINE)
        target = re.search(r"Make (\d+) of|with the value (\d+),", task.prompt())
        assert cards(scene) == [
            [target[1] or target[2]], *(hand.split(", ") for _, hand in hands)
        ]  # fmt: skip
        assert scene.labels == ("make", *(name for name, _ in hands))


def test_expressions_stand_below_the_hands():
    for task in tasks("arithmetic/game_of_24"):
        sums = "\n".join(f"{n}: {'+'.join(map(str, h))}" for n, h in enumerate(task.hands, 1))
        for answer in (task.answer(), sums):
            hands, lines = task.solved_scene(answer).scenes
            assert hands == task.scene()
            assert lines.lines == tuple(answer.splitlines())


def test_numbers_are_those_of_the_prompt():
    for task in tasks("arithmetic/countdown"):
        target = re.search(r"with the value (\d+)\.", task.prompt())[1]
        numbers = re.search(r"numbers(?: are|:) (\d+(?:, \d+)+)", task.prompt())[1].split(", ")
        assert cards(task.scene()) == [[target], numbers]


def test_expressions_stand_below_the_numbers_with_their_values():
    for task in tasks("arithmetic/countdown"):
        wrong = f"{task.numbers[0]} * 2 / 4"
        value = f"{task.numbers[0] / 2:g}" if task.numbers[0] % 2 == 0 else f"{task.numbers[0]}/2"
        for answer, result in ((task.answer(), str(task.target)), (wrong, value)):
            _, lines = task.solved_scene(answer).scenes
            assert lines.lines == (answer, f"= {result}")


# ------------------------------------------------------------------ sums of letters


def sums(scene):
    """The rows of a sum without signs."""
    return ["".join(row[1:]) for row in texts(scene)]


def test_letters_are_those_of_the_prompt():
    for task in tasks("arithmetic/cryptarithm"):
        scene = task.scene()
        line = re.search(r"^([A-Z]+(?: \+ [A-Z]+)+) = ([A-Z]+)$", task.prompt(), re.MULTILINE)
        assert sums(scene) == [*line[1].split(" + "), line[2]]
        assert [row[0] for row in texts(scene)][-2:] == ["+", "="]
        assert all(row[-1].text for row in scene.cells)  # the last digits stand below each other
        stated = re.search(r"It is known that ([A-Z =\d,]+)\.", task.prompt())
        known = dict(re.findall(r"([A-Z]) = (\d)", stated[1] if stated else ""))
        assert len(known) == len(task.known)
        for row in scene.cells:
            for cell in row[1:]:
                assert cell.corner == (known.get(cell.text, "") if cell.text else "")


def test_digits_stand_in_the_place_of_letters():
    for task in tasks("arithmetic/cryptarithm"):
        wrong = "\n".join(f"{letter} = 7" for letter in task.letters)
        for answer in (task.answer(), wrong):
            scene = task.solved_scene(answer)
            digits = dict(line.split(" = ") for line in answer.splitlines())
            expected = ["".join(digits[x] for x in word) for word in (*task.words, task.total)]
            assert sums(scene) == expected
            corners = ["".join(cell.corner for cell in row) for row in scene.cells]
            assert corners == [*task.words, task.total]


# ------------------------------------------------------------------ spans of time


def test_spans_are_those_of_the_prompt():
    moment = r"day (\d+), (\d\d):(\d\d)(?::(\d\d))?(?: \(UTC([+-]\d+)\))?"
    drawn = set()
    for task in tasks("arithmetic/time_intervals"):
        stated = re.findall(rf"^\d+\. {moment} to {moment}$", task.prompt(), re.MULTILINE)
        assert len(stated) == len(task.spans)
        scene = task.scene()
        drawn.add(type(scene))
        if isinstance(scene, Grid):
            assert texts(scene) == [[part for part in parts if part] for parts in stated]
            continue
        bars, lines = scene.scenes
        assert isinstance(bars, Timeline)
        for (bar,), parts in zip(bars.rows, stated, strict=True):
            for hours, (day, hour, minute, second) in zip(
                (bar.start, bar.end), (parts[:4], parts[5:9]), strict=True
            ):
                seconds = int(day) * 86_400 + int(hour) * 3600 + int(minute) * 60 + int(second or 0)
                assert hours * 3600 + 86_400 == pytest.approx(seconds)
        assert all(line in task.prompt() for line in lines.lines)
        assert len(lines.lines) == len(stated)
    assert len(drawn) == 2


# ------------------------------------------------------------------ lists


def flat(grid):
    return [text for row in texts(grid) for text in row if text]


def test_lists_to_sort_are_those_of_the_prompt():
    for task in tasks("algorithms/sort_six"):
        numbers = re.search(r": (\d+(?: \d+){5,})(?:\n|$)", task.prompt())[1].split()
        assert flat(task.scene()) == numbers
        for answer in (task.answer(), " ".join(numbers)):
            start, order = task.solved_scene(answer).scenes
            assert start == task.scene()
            assert flat(order) == accented(order) == answer.split()


def test_list_of_a_trace_is_that_of_the_prompt():
    for task in tasks("algorithms/sorting_trace"):
        numbers = re.search(r"The list: ([\d ]+)\n", task.prompt())[1].split()
        cells = [cell for row in task.scene().cells for cell in row if cell.text]
        assert [cell.text for cell in cells] == numbers
        assert [cell.corner for cell in cells] == [str(n + 1) for n in range(len(numbers))]


def test_passes_stand_below_the_list_with_marks_on_changes():
    for task in tasks("algorithms/sorting_trace"):
        rows = [line.split() for line in task.answer().splitlines()]
        scene = task.solved_scene(task.answer())
        start = [str(number) for number in task.numbers]
        assert texts(scene) == [start, *rows]
        changed = {
            (n, place)
            for n, (one, other) in enumerate(zip([start, *rows], rows, strict=False), 1)
            for place in range(len(start))
            if one[place] != other[place]
        }
        assert set(scene.last) == changed


def test_long_answers_are_drawn_in_part():
    task = tasks("algorithms/sorting_trace")[0]
    scene = task.solved_scene("\n".join([" ".join(["1" * 30] * len(task.numbers))] * 900))
    assert len(scene.cells) == 65
    assert max(len(cell.text) for row in scene.cells for cell in row) == 10


# ------------------------------------------------------------------ matrices


def matrices(prompt):
    blocks = [block.splitlines() for block in prompt.split("\n\n")[1:-1]]
    return [[line.split() for line in block] for block in blocks]


def test_determinants_are_those_of_the_prompt():
    for task in tasks("algebra/determinant"):
        assert [texts(task.scene())] == matrices(task.prompt())
        size = len(task.rows)
        assert {border.points for border in task.scene().borders} == {
            ((0, 0), (size, 0)), ((0, size), (size, size)),
        }  # fmt: skip


def test_factors_are_those_of_the_prompt():
    for task in tasks("algebra/matrix_product"):
        assert [texts(grid) for grid in task.scene().scenes] == matrices(task.prompt())


def test_products_stand_after_the_factors():
    for task in tasks("algebra/matrix_product"):
        zeros = re.sub(r"-?\d+", "0", task.answer())
        for answer in (task.answer(), zeros):
            *factors, product = task.solved_scene(answer).scenes
            assert tuple(factors) == task.scene().scenes
            assert texts(product) == [
                [number[:10] for number in line.split()] for line in answer.splitlines()
            ]


def side(text):
    """The coefficients of a side of an equation by unknown; that of a number has no name."""
    terms = re.findall(r"([+-]?) ?(\d*)\*?([a-z]?)", text)
    numbers = {}
    for sign, digits, name in terms:
        if digits or name:
            numbers[name] = f"{'-' if sign == '-' else ''}{digits or '1'}"
    return numbers


def test_coefficients_are_those_of_the_prompt():
    for task in tasks("algebra/linear_system"):
        scene = task.scene()
        names = [name for (name,) in scene.top]
        lines = [
            line for line in task.prompt().splitlines() if re.fullmatch(r"[^=]+ = [^=']+", line)
        ]
        lines = [line for line in lines if not line.startswith("Write")]
        assert len(lines) == len(scene.cells)
        cut = texts(scene)[0].index("=")
        for line, row in zip(lines, texts(scene), strict=True):
            assert row[cut] == "="
            for text, part in zip(
                line.split(" = "), (slice(0, cut), slice(cut + 1, None)), strict=True
            ):
                shown = zip(names[part], row[part], strict=True)
                assert {name: number for name, number in shown if number} == side(text)


def test_values_stand_below_their_unknowns():
    for task in tasks("algebra/linear_system"):
        wrong = "\n".join(f"{name} = -7/3" for name in task.names)
        for answer in (task.answer(), wrong):
            scene = task.solved_scene(answer)
            values = dict(line.split(" = ") for line in answer.splitlines())
            for (name,), cell in zip(scene.top, scene.cells[-1], strict=True):
                assert cell.text == (values[name][:10] if name else "")
            assert scene.cells[:-1] == task.scene().cells
