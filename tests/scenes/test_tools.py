"""Scenes of tool worlds, which show what observations and the player's own calls have shown."""

import json
import re

import pytest
from tests.scenes.reading import drawable, leaves, tasks

from palaestra.episode import Episode
from palaestra.generators.tools.sightings import Sightings, around, shortened, table
from palaestra.scenes import Cell, Table, Text, Timeline
from palaestra.toolbox import call

NAMES = (
    "tools/meeting_desk", "tools/smart_home", "tools/spreadsheet_desk", "tools/table_repair",
)  # fmt: skip
OWN = {"?", "", "No sheet has been read", "No row has been read", "=", "taken", "off", "meeting"}
"""What pictures say by themselves."""


def episode_of(task):
    return Episode(task, "bare")


def ask(episode, tool, **arguments):
    """The result of a call, repeated while the service is busy."""
    while True:
        episode.step(call(tool, **arguments))
        if not episode.turn.observation.startswith("Error: the service is busy"):
            return episode.turn.observation


def turns(task):
    """The turns of the oracle's episode, each with all that has been read and written before."""
    episode = episode_of(task)
    transcript = [episode.turn.observation]
    yield episode.turn, "\n".join(transcript)
    for move in task.solve():
        episode.step(move)
        if episode.score:
            return
        transcript += [move, episode.turn.observation]
        yield episode.turn, "\n".join(transcript)


def texts(scene):
    """All texts of the tables and timelines of a scene, without captions and names of rows."""
    for leaf in leaves(scene):
        if isinstance(leaf, Table):
            yield from (cell.text for row in leaf.rows for cell in row)
        elif isinstance(leaf, Timeline):
            yield from (bar.text for row in leaf.rows for bar in row)
        else:
            assert isinstance(leaf, Text)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_has_a_scene(name):
    for task in tasks(name):
        shown = list(turns(task))
        scenes = [turn.scene() for turn, _ in shown]
        assert len(scenes) > 3
        assert drawable(scenes[0])
        assert drawable(scenes[len(scenes) // 2])
        assert drawable(scenes[-1])


@pytest.mark.parametrize("name", NAMES)
def test_scenes_show_nothing_that_has_not_been_read_or_written(name):
    for task in tasks(name)[::2]:
        for turn, transcript in list(turns(task))[::5]:
            for text in texts(turn.scene()):
                beginning = text.removesuffix("..")
                known = beginning in transcript or text in OWN
                assert known or is_derived(text, transcript), (text, turn.state)


def is_derived(text, transcript):
    """Whether a text of a picture stands for something that has been read in another form."""
    tenths = re.fullmatch(r"(\d+)\.(\d)", text)  # of a degree
    if tenths and f'"temperature": {tenths[1]}{tenths[2]}' in transcript:
        return True
    if text in {"open", "shut"}:
        return '"window_open"' in transcript
    if text in {"at home", "away"}:
        return '"at_home"' in transcript
    if text in {"on", "off"}:
        return '"active"' in transcript
    parts = text.split(" held by ") if " held by " in text else [text]
    return all(
        part.removeprefix("held by ") in transcript
        if part not in {"offline", "reported"}
        else '"online": false' in transcript
        for part in parts
    )


@pytest.mark.parametrize("name", NAMES)
def test_scenes_of_earlier_turns_stay_as_they_are(name):
    task = tasks(name)[6]
    shown = [turn for turn, _ in turns(task)]
    at_once = [turn.scene() for turn, _ in turns(task)]
    assert [turn.scene() for turn in shown] == at_once
    assert [turn.scene() for turn in reversed(shown)] == at_once[::-1]


OTHER = {
    "tools/meeting_desk": ("people", "rooms"),
    "tools/smart_home": ("records", "seed"),
    "tools/spreadsheet_desk": ("sheets", "seed"),
    "tools/table_repair": ("rows", "clean", "merged", "lost", "seed", "reference"),
}


@pytest.mark.parametrize("name", NAMES)
def test_hidden_fields_do_not_change_the_first_scene(name):
    some = tasks(name)
    for task, other in zip(some[0::3], some[1::3], strict=True):
        hidden = {field: getattr(other, field) for field in OTHER[name]}
        assert set(hidden) <= type(task).hidden
        if name == "tools/meeting_desk":
            hidden["people"] = tuple(reversed(task.people))
        twin = task.model_copy(update=hidden)
        assert episode_of(twin).turn.scene() == episode_of(task).turn.scene()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("move", ["nonsense", call("no_such_tool"), call("list_rooms", page=-5)])
def test_errors_show_nothing(name, move):
    episode = episode_of(tasks(name)[0])
    before = episode.turn.scene()
    for _ in range(3):
        episode.step(move if name != "tools/meeting_desk" else "nonsense")
        assert episode.turn.observation.startswith("Error: ")
        assert episode.turn.scene() == before


def test_a_move_that_is_no_answer_leaves_the_calendar():
    episode = episode_of(tasks("tools/meeting_desk")[0])
    before = episode.turn.scene()
    episode.step("  ")
    assert episode.turn.scene() == before
    episode.step("done")
    assert episode.score is not None


# ------------------------------------------------------------------ the meeting


def spans(text):
    """Spans of a result by day, in half-hours from 08:00."""
    by_day = {}
    for day, *clock in re.findall(r"(\w{3}) (\d\d):(\d\d)-(\d\d):(\d\d)", text):
        h, m, hh, mm = map(int, clock)
        by_day.setdefault(day, set()).add((2 * h + m // 30 - 16, 2 * hh + mm // 30 - 16))
    return by_day


def test_calendar_has_the_spans_of_the_results():
    tones = {"agenda": "c3", "room_bookings": "c1"}
    for task in tasks("tools/meeting_desk"):
        episode = episode_of(task)
        for move in task.solve():
            tool, arguments = json.loads(move).values() if move != "done" else ("done", {})
            episode.step(move)
            if tool not in tones:
                continue
            name = next(iter(arguments.values()))
            stated = spans(episode.turn.observation)
            scene = episode.turn.scene()
            for day, line in zip(scene.captions, scene.scenes, strict=True):
                (row,) = (
                    row
                    for label, row in zip(line.labels, line.rows, strict=True)
                    if label.split(" ")[0] == name
                )
                shown = {(bar.start, bar.end) for bar in row if bar.tone == tones[tool]}
                assert shown == stated.get(day, set())


def test_rows_that_nobody_has_asked_for_are_unknown():
    task = tasks("tools/meeting_desk")[-1]
    scene = episode_of(task).turn.scene()
    for line in scene.scenes:
        assert line.labels == task.names
        assert all(bar.text == "?" for row in line.rows for bar in row)


def test_booked_meetings_are_shown_until_they_are_moved():
    task = tasks("tools/meeting_desk")[-1]
    episode = episode_of(task)
    for day, start, room in ((0, "08:30", 0), (1, "10:00", 1)):
        name = task.rooms[room].name
        days = episode.turn.scene().captions
        episode.step(call("book", room=name, day=days[day], start=start))
        meetings = [
            (shown, label, bar.start, bar.end)
            for shown, line in zip(days, episode.turn.scene().scenes, strict=True)
            for label, row in zip(line.labels, line.rows, strict=True)
            for bar in row
            if bar.tone == "c2"
        ]
        half = {"08:30": 1, "10:00": 4}[start]
        assert meetings == [(days[day], name, half, half + task.length)]


# ------------------------------------------------------------------ the house


def test_rooms_have_the_devices_of_the_results():
    for task in tasks("tools/smart_home"):
        devices = {}
        episode = episode_of(task)
        for move in task.solve():
            episode.step(move)
            if episode.score:
                break
            if '"list_devices"' in move or '"set_device"' in move:
                rows = [json.loads(line) for line in episode.turn.observation.splitlines()
                        if line.startswith("{")]  # fmt: skip
                devices |= {row["id"]: row for row in rows}
                scene = episode.turn.scene()
                last = rows[-1]["room"] if rows else None
                if last is None:
                    continue
                table = dict(zip(scene.captions, scene.scenes, strict=True))[last]
                shown = [[cell.text for cell in row][:3] for row in table.rows]
                assert shown == [
                    [str(row["id"]), row["name"], str(row["level"])]
                    for row in devices.values()
                    if row["room"] == last
                ]


def test_levels_that_were_set_are_marked():
    set_ = 0
    for task in tasks("tools/smart_home"):
        episode = episode_of(task)
        for move in task.solve():
            episode.step(move)
            if episode.score or '"set_device"' not in move:
                continue
            if not episode.turn.observation.startswith("{"):
                continue
            row = json.loads(episode.turn.observation)
            cells = [
                line for leaf in leaves(episode.turn.scene()) for line in leaf.rows
                if line[0].text == str(row["id"]) and line[1].text == row["name"]
            ]  # fmt: skip
            assert [(line[2].text, line[2].tone) for line in cells] == [
                (str(row["level"]), "accent")
            ]
            set_ += 1
    assert set_ > 10


def test_few_tables_are_drawn_of_a_large_house():
    task = tasks("tools/smart_home")[-1]
    most = max(len(getattr(turn.scene(), "scenes", ())) for turn, _ in turns(task))
    assert most == 6


# ------------------------------------------------------------------ the workbook


def sheet(scene):
    """The texts of a sheet by cell, its name, and the cells of the last move."""
    cells, last = {}, set()
    for leaf in leaves(scene):
        for r, (row, line) in enumerate(zip(leaf.left, leaf.rows, strict=True)):
            for c, (column, cell) in enumerate(zip(leaf.top, line, strict=True)):
                cells[f"{column}{row}"] = cell.text if cell.fill != "muted" else None
                if (r, c) in leaf.last:
                    last.add(f"{column}{row}")
    return scene.captions[0], cells, last


def first_sheet(episode):
    """The name and the last cell of the first sheet, which is listed."""
    name, used = ask(episode, "list_sheets").splitlines()[0].split(": ")
    return name, used


def workbook():
    episode = episode_of(tasks("tools/spreadsheet_desk")[3])
    name, used = first_sheet(episode)
    ask(episode, "read_range", sheet=name, range=used)
    return episode, name


def test_sheet_has_the_cells_of_a_result():
    for task in tasks("tools/spreadsheet_desk"):
        episode = episode_of(task)
        name, used = first_sheet(episode)
        ask(episode, "read_range", sheet=name, range=used)
        head, *lines = [line.split(" | ") for line in episode.turn.observation.splitlines()]
        shown, cells, _ = sheet(episode.turn.scene())
        assert shown == name
        for row, *values in lines[:18]:
            for column, value in zip(head[1:], values, strict=True):
                expected = value if len(value) <= 18 else value[:16] + ".."
                assert cells[f"{column}{row}"] == ("" if value == "(empty)" else expected)


def test_cells_that_were_not_read_are_unknown():
    episode = episode_of(tasks("tools/spreadsheet_desk")[3])
    name, _ = first_sheet(episode)
    ask(episode, "read_range", sheet=name, range="B2:C3")
    _, cells, _ = sheet(episode.turn.scene())
    assert {cell for cell, text in cells.items() if text is not None} == {"B2", "B3", "C2", "C3"}


def test_written_cells_and_moved_rows_are_followed():
    episode, name = workbook()
    _, before, _ = sheet(episode.turn.scene())
    ask(episode, "set_cell", sheet=name.upper(), cell="b3", content="17.50")
    shown, cells, last = sheet(episode.turn.scene())
    assert (shown, cells["B3"], last) == (name, "17.5", {"B3"})
    ask(episode, "insert_row", sheet=name, row=3)
    _, moved, last = sheet(episode.turn.scene())
    assert moved["B4"] == "17.5"
    assert moved["A2"] == before["A2"]
    assert moved["A5"] == before["A4"]
    assert {moved[cell] for cell in last} == {""}
    ask(episode, "delete_row", sheet=name, row=3)
    _, back, _ = sheet(episode.turn.scene())
    assert back["B3"] == "17.5"
    assert back["A4"] == before["A4"]


def test_cells_whose_contents_nobody_has_seen_are_unknown_again():
    episode, name = workbook()
    _, before, _ = sheet(episode.turn.scene())
    ask(episode, "sort_rows", sheet=name, first_row=2, last_row=4, column="A")
    _, cells, _ = sheet(episode.turn.scene())
    assert [cells[f"A{row}"] for row in (2, 3, 4)] == [None] * 3
    assert cells["A5"] == before["A5"]
    ask(episode, "copy_row", sheet=name, row=5, to_sheet=name, to_row=1)
    _, cells, _ = sheet(episode.turn.scene())
    assert cells["A1"] is None


def test_formulas_are_shown_where_no_value_is_known():
    episode, name = workbook()
    ask(episode, "set_row", sheet=name, cell="A2", contents="=1+1|x| y ")
    _, cells, last = sheet(episode.turn.scene())
    assert [cells[each] for each in ("A2", "B2", "C2")] == ["=1+1", "x", "y"]
    assert last == {"A2", "B2", "C2"}
    ask(episode, "copy_formula", sheet=name, cell="A2", target="A4:A3")
    _, cells, last = sheet(episode.turn.scene())
    assert (cells["A3"], cells["A4"], last) == ("=", "=", {"A3", "A4"})
    ask(episode, "read_range", sheet=name, range="A2:A4", formulas=True)
    _, cells, _ = sheet(episode.turn.scene())
    assert cells["A3"].startswith("=")
    assert len(cells["A3"]) > 1
    ask(episode, "read_range", sheet=name, range="A2:A4")
    _, cells, _ = sheet(episode.turn.scene())
    assert [cells[f"A{row}"] for row in (2, 3, 4)] == ["2"] * 3
    ask(episode, "read_range", sheet=name, range="A2:A4", formulas=True)
    _, cells, _ = sheet(episode.turn.scene())
    assert cells["A2"] == "2"


def test_emptied_cells_are_known_to_be_empty():
    episode, name = workbook()
    ask(episode, "set_cell", sheet=name, cell="B3", content="")
    assert sheet(episode.turn.scene())[1]["B3"] == ""
    ask(episode, "set_cell", sheet=name, cell="B3", content="empty")
    assert sheet(episode.turn.scene())[1]["B3"] == "empty"


def test_hits_of_a_search_are_shown():
    episode, _ = workbook()
    _, cells, _ = sheet(episode.turn.scene())
    fresh = episode_of(tasks("tools/spreadsheet_desk")[3])
    ask(fresh, "find_text", text=cells["A2"])
    hit = re.search(r"^(.+)!([A-Z]\d+): (.+)$", fresh.turn.observation, re.MULTILINE)
    shown, hits, _ = sheet(fresh.turn.scene())
    assert (shown, hits[hit[2]]) == (hit[1], hit[3])


# ------------------------------------------------------------------ the table


def rows_of(scene):
    """The cells of a table by row, a label without its sign, and column."""
    cells = {}
    for leaf in leaves(scene):
        for label, line in zip(leaf.left, leaf.rows, strict=True):
            for column, cell in zip(leaf.top, line, strict=True):
                cells[int(label.split(" ")[0]), column] = cell
    return cells


def test_rows_are_those_of_the_results():
    for task in tasks("tools/table_repair"):
        episode = episode_of(task)
        ask(episode, "read_rows", first=3, last=9)
        head, *lines = [line.split(" | ") for line in episode.turn.observation.splitlines()]
        cells = rows_of(episode.turn.scene())
        expected = {
            (int(row), name): "" if text == "(empty)" else text
            for row, *values in lines
            for name, text in zip(head[1:], values, strict=True)
        }
        shown = {where: cell.text for where, cell in cells.items() if cell.text != "?"}
        assert {where: text for where, text in shown.items() if not text.endswith("..")} == {
            where: text for where, text in expected.items() if len(text) <= 18
        }
        assert all(cell.fill == "muted" for cell in cells.values() if cell.text == "?")


def repaired():
    task = tasks("tools/table_repair")[3]
    episode = episode_of(task)
    ask(episode, "read_rows", first=1, last=10)
    return episode, episode.turn.observation.splitlines()[0].split(" | ")[1:]


def test_repaired_cells_are_marked():
    episode, columns = repaired()
    role, header = next(
        each for each in tasks("tools/table_repair")[3].table_schema.columns if each[0] == "rate"
    )
    ask(episode, "set_cell", row=4, column=f" {header.upper()} ", value=33)
    assert episode.turn.observation == f"{header} of row 4 is now '33'.", role
    cell = rows_of(episode.turn.scene())[4, header]
    assert (cell.text, cell.tone) == ("33", "accent")
    last = [
        (leaf.left[row], leaf.top[column])
        for leaf in leaves(episode.turn.scene())
        for row, column in leaf.last
    ]
    assert last == [("4", header)]
    assert header in columns


def labels(scene):
    return [label for leaf in leaves(scene) for label in leaf.left]


def test_merged_and_marked_rows_have_a_sign():
    episode, _ = repaired()
    ask(episode, "merge_rows", keep=2, remove=5)
    assert "5 in 2" in labels(episode.turn.scene())
    assert all(cell.fill == "muted" for (row, _), cell in rows_of(episode.turn.scene()).items()
               if row == 5)  # fmt: skip
    ask(episode, "mark_row", row=3)
    assert "3 !" in labels(episode.turn.scene())
    ask(episode, "mark_row", row=3, undo=True)
    assert "3" in labels(episode.turn.scene())


def test_a_merge_fills_cells_that_are_known_to_be_empty():
    for task in tasks("tools/table_repair"):
        empty = [(n, row) for n, row in enumerate(task.rows, 1) if "" in row and n < 12]
        if not empty:
            continue
        number, row = empty[0]
        other = number + 1 if number < 10 else number - 1
        episode = episode_of(task)
        column = task.table_schema.columns[row.index("")][1]
        ask(episode, "read_rows", first=number, last=number)
        assert rows_of(episode.turn.scene())[number, column].text == ""
        ask(episode, "merge_rows", keep=number, remove=other)
        assert rows_of(episode.turn.scene())[number, column].text == "?"
        again = episode_of(task)
        ask(again, "read_rows", first=min(number, other), last=max(number, other))
        ask(again, "merge_rows", keep=number, remove=other)
        text = task.rows[other - 1][row.index("")]
        assert rows_of(again.turn.scene())[number, column].text == shortened(text)
        return
    pytest.fail("no table has an empty cell")


# ------------------------------------------------------------------ parts


def test_sightings_are_worked_out_for_any_number_of_calls():
    seen = Sightings(list, lambda known, each, result: known.append((each, result)))
    for n in range(4):
        seen.add(f"call {n}", f"result {n}")
        seen.add("call", "Error: none")
    assert len(seen) == 4
    for number in (2, 4, 1, 3, 0):
        assert seen.after(number) == [(f"call {n}", f"result {n}") for n in range(number)]


def test_wide_tables_are_split_into_some_of_equal_width():
    top = [f"column {n}" for n in range(15)]
    rows = [[Cell("x" * 12) for _ in top] for _ in range(3)]
    parts = leaves(table(top, ["1", "2", "3"], rows, [(1, 0), (2, 14)]))
    assert [name for part in parts for name in part.top] == top
    sizes = [len(part.top) for part in parts]
    assert len(parts) == 3
    assert max(sizes) - min(sizes) <= 1
    assert [part.last for part in parts] == [((1, 0),), (), ((2, sizes[2] - 1),)]
    assert isinstance(table(["a"], ["1"], [[Cell("b")]]), Table)


@pytest.mark.parametrize("last", [1, 5, 30])
def test_windows_of_rows_hold_the_row_in_question(last):
    for row in range(1, last + 1):
        rows = around(row, last, 10)
        assert row in rows
        assert len(rows) == min(10, last)
        assert 1 <= rows[0] <= rows[-1] <= last
