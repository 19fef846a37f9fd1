"""Scenes of logic and optimisation puzzles, compared with their prompts as these are read here."""

import re
from functools import cache

import pytest

import palaestra
from palaestra.scenes import Timeline, from_json, to_json
from palaestra.scenes.layouts import drawing
from palaestra.scenes.shapes import Label, Tile
from palaestra.task import InvalidAnswer

SEEDS = (1, 2, 3)
NAMES = (
    "logic/circuit_logic", "logic/family_relationships", "logic/common_time_slot",
    "logic/zebra_puzzle", "optimisation/job_shop", "optimisation/knapsack",
)  # fmt: skip
SOLVED = [name for name in NAMES if name != "logic/family_relationships"]


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(name).task()).Knobs.levels()
    return [palaestra.Address.of(name, seed, n).task() for n in range(levels) for seed in SEEDS]


def sound(scene):
    assert from_json(to_json(scene)) == scene
    assert drawing(scene).shapes


def texts(grid):
    return [[cell.text for cell in row] for row in grid.cells]


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_json_both_ways_and_drawn(name):
    for task in tasks(name):
        sound(task.scene())
        if name in SOLVED:
            sound(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("answer", ["?", "no idea", "earliest: now"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def test_circuits():
    for task in tasks("logic/circuit_logic"):
        prompt = task.prompt()
        circuit, table = task.scene().scenes
        gates = re.findall(r"^(g\d+) = (\w+)\((.*?)\)$", prompt, re.MULTILINE)
        called = [node.note.removesuffix(" out") or node.name for node in circuit.nodes]
        sorts = {node.note.removesuffix(" out"): node.name for node in circuit.nodes if node.note}
        assert sorts == {gate: sort for gate, sort, _ in gates}
        feeds = {(called[edge.start], called[edge.end]) for edge in circuit.edges}
        assert feeds == {(feed, gate) for gate, _, ends in gates for feed in ends.split(", ")}
        outputs = re.search(r"The outputs are (.*?)\. ", prompt)[1].split(", ")
        assert [n.note for n in circuit.nodes if n.note.endswith("out")] == [
            f"{output} out" for output in outputs
        ]
        assert all(circuit.nodes[e.start].x < circuit.nodes[e.end].x for e in circuit.edges)
        letters = [node.name for node in circuit.nodes if not node.note]
        assert [label for (label,) in table.top] == [*letters, *outputs]
        rows = re.findall(r"^[01]+$", prompt, re.MULTILINE)
        if task.task == "evaluate":
            assert texts(table) == [[*row, *[""] * len(outputs)] for row in rows]
        else:
            wanted = re.search(r"for which they are (\d+)", prompt)[1]
            assert texts(table) == [[*[""] * len(letters), *wanted]]


@pytest.mark.parametrize("digit", ["", "1"])
def test_answers_of_circuits(digit):
    """Right ones, and others of the same form."""
    for task in tasks("logic/circuit_logic"):
        answer = task.answer()
        lines = [digit * len(line) or line for line in answer.split("\n")]
        table = task.solved_scene("\n".join(lines)).scenes[1]
        entered = ["".join(c.text for c in row if c.tone == "accent") for row in table.cells]
        assert entered == lines
        known = task.scene().scenes[1]
        for row, before in zip(table.cells, known.cells):
            assert all(cell == old for cell, old in zip(row, before) if old.text)


def test_families():
    for task in tasks("logic/family_relationships"):
        story = task.prompt().split("\n\n")[1]
        facts = {(a, b, word) for a, b, word in re.findall(r"(\w+) is (\w+)'s ([\w-]+)\.", story)}
        facts |= {
            (a, b, word) for b, word, a in re.findall(r"(\w+) has a ([\w-]+), (\w+)\.", story)
        }
        scene = task.scene()
        called = [node.name for node in scene.nodes]
        assert called == sorted(called)
        assert {(called[e.start], called[e.end], e.text) for e in scene.edges} == facts
        assert scene.directed


def test_families_show_no_more_than_the_statements():
    task = tasks("logic/family_relationships")[-1]
    turned = tuple(person._replace(woman=not person.woman) for person in task.family)
    assert task.model_copy(update={"family": turned}).scene() == task.scene()


def minutes(clock):
    hours, rest = clock.split(":")
    return 60 * int(hours) + int(rest)


def test_calendars():
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    for task in tasks("logic/common_time_slot"):
        scene = task.scene()
        lines = re.findall(r"^(\w+) \((UTC\S*)\) works (.*)\.$", task.prompt(), re.MULTILINE)
        last = re.search(r"from Monday to (\w+):", task.prompt())[1]
        assert scene.captions == tuple(days[: days.index(last) + 1])
        for day, chart in zip(scene.captions, scene.scenes, strict=True):
            assert [*chart.labels] == [f"{name} {zone}" for name, zone, _ in lines]
            for bars, (_, _, text) in zip(chart.rows, lines, strict=True):
                spans = [
                    (own, minutes(start), minutes(end))
                    for own, start, end in re.findall(
                        r"(?:on (\w+) )?from (\d\d:\d\d) to (\d\d:\d\d)", text
                    )
                    if own in {"", day}
                ]
                assert [(bar.start, bar.end) for bar in bars] == [span[1:] for span in spans]
                assert min(bar.start for bar in bars) >= chart.start
                assert max(bar.end for bar in bars) <= chart.end


def test_meetings():
    for task in tasks("logic/common_time_slot"):
        for answer in (task.answer(), "earliest: Monday 00:10\nlatest: Tuesday 23:50"):
            scene = task.solved_scene(answer)
            entered = {
                f"{bar.text}: {day} {int(bar.start) // 60:02}:{int(bar.start) % 60:02}"
                for day, chart in zip(scene.captions, scene.scenes)
                for bar in chart.rows[-1]
            }
            assert entered == set(answer.splitlines())
            sound(scene)


def test_a_meeting_on_another_day_is_left_out():
    task = tasks("logic/common_time_slot")[0]
    answer = "earliest: Monday 10:00\nlatest: Saturday 10:00"
    bars = [bar for chart in task.solved_scene(answer).scenes for bar in chart.rows[-1]]
    assert [bar.text for bar in bars] == ["earliest"]


def test_houses():
    for task in tasks("logic/zebra_puzzle"):
        houses, values = task.scene().scenes
        listed = re.search(r"someone:\n\n(.*?)\n\nClues", task.prompt(), re.DOTALL)[1]
        rows = dict(line.split(": ") for line in listed.splitlines())
        assert [label for (label,) in houses.left] == [*rows]
        assert [", ".join(row) for row in texts(values)] == [*rows.values()]
        assert {text for row in texts(houses) for text in row} == {""}
        for answer in (task.answer(), "\n".join(reversed(task.answer().splitlines()))):
            solved, _ = task.solved_scene(answer).scenes
            columns = ["".join(f", {cell.text}" for cell in col)[2:] for col in zip(*solved.cells)]
            assert columns == answer.splitlines()


def test_jobs():
    for task in tasks("optimisation/job_shop"):
        lines = re.findall(r"^(Job \d+): (.*)$", task.prompt(), re.MULTILINE)
        scene = task.scene()
        assert [label for (label,) in scene.left] == [job for job, _ in lines]
        for row, (_, text) in zip(scene.cells, lines, strict=True):
            operations = re.findall(r"machine (\d+) for (\d+)", text)
            assert [(cell.corner.removeprefix("M"), cell.text) for cell in row] == operations
        table, chart = task.solved_scene(task.answer()).scenes
        assert table == scene
        starts = [list(map(int, line.split(", "))) for line in task.answer().splitlines()]
        expected = {
            (f"M{machine}", f"J{n}", start, start + int(time))
            for n, ((_, text), row) in enumerate(zip(lines, starts), 1)
            for (machine, time), start in zip(re.findall(r"machine (\d+) for (\d+)", text), row)
        }
        bars = {
            (label, bar.text, bar.start, bar.end)
            for label, row in zip(chart.labels, chart.rows)
            for bar in row
        }
        assert bars == expected


def test_other_schedules():
    task = tasks("optimisation/job_shop")[0]
    rows = [len(line.split(",")) for line in task.answer().splitlines()]
    together = task.solved_scene("\n".join(", ".join(["0"] * n) for n in rows))
    sound(together)
    assert sum(map(len, together.scenes[1].rows)) == sum(rows)
    far = task.solved_scene("\n".join(", ".join([f"-{10**390}"] * n) for n in rows))
    sound(far)
    assert sum(map(len, far.scenes[1].rows)) == 0


def test_knapsacks():
    for task in tasks("optimisation/knapsack"):
        prompt, scene = task.prompt(), task.scene()
        listed = re.findall(r"^(\d+): weight (\d+), value (\d+)$", prompt, re.MULTILINE)
        columns = [
            (label, *(cell.text for cell in cells))
            for table in scene.scenes
            for (label,), *cells in zip(table.top, *table.cells)
        ]
        assert columns == listed
        capacity = re.search(r"at most (\d+)|weight of (\d+)", prompt)
        assert scene.captions == (f"weight at most {capacity[1] or capacity[2]}",)
        for answer in (task.answer(), "1, 2, 999"):
            tables = task.solved_scene(answer).scenes
            chosen = {
                label
                for table in tables
                for (label,), cell in zip(table.top, table.cells[0])
                if cell.fill == "accent"
            }
            assert chosen == set(answer.split(", ")) & {number for number, *_ in listed}


def test_timelines_have_ticks_rows_and_texts_where_there_is_room():
    task = tasks("optimisation/job_shop")[0]
    chart = task.solved_scene(task.answer()).scenes[1]
    assert isinstance(chart, Timeline)
    laid = drawing(chart)
    tiles = {shape.name: shape for shape in laid.shapes if isinstance(shape, Tile)}
    assert len(tiles) == sum(map(len, chart.rows))
    labels = {shape.text for shape in laid.shapes if isinstance(shape, Label)}
    assert set(chart.labels) <= labels
    assert {"0", "2", "4"} <= labels
    rows = [tiles[f"bar-{n}-0"].y for n in range(len(chart.rows))]
    assert rows == sorted(set(rows))
