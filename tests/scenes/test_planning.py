"""Scenes of planning puzzles, compared with their prompts as these are read here."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

import palaestra
from palaestra.generators.planning.pictures import PicturedPlan, marked
from palaestra.scenes import Cell, Grid, Item, Panels, Plane, Stacks, from_json, to_json
from palaestra.scenes.elements import changed
from palaestra.scenes.layouts import drawing
from palaestra.task import InvalidAnswer
from palaestra.verifiers.planning.plans import Illegal

SEEDS = (1, 2, 3)
LETTERS = {"black": "K"} | {
    name: name[0].upper() for name in ("red", "blue", "green", "yellow", "white", "pink", "orange")
}


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(f"planning/{name}").task()).Knobs.levels()
    return [
        palaestra.Address.of(f"planning/{name}", seed, level).task()
        for level in range(levels)
        for seed in SEEDS
    ]


def rows_of(text):
    """The lines of a text of which each has signs that are separated by spaces."""
    return [line.split() for line in text.splitlines()]


def section(prompt, title):
    """The lines after a title such as "Start:", up to an empty line."""
    return rows_of(prompt.split(f"\n{title}:\n")[1].split("\n\n")[0])


def board(prompt):
    """The paragraph that is a board of signs, one sign for each cell."""
    for paragraph in prompt.split("\n\n"):
        rows = rows_of(paragraph)
        if len(rows) > 1 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            return rows
    raise AssertionError("no board")


def cell(name):
    row, column = re.fullmatch(r"r(\d+)c(\d+)", name).groups()
    return int(row) - 1, int(column) - 1


def texts(grid):
    return [[each.text for each in row] for row in grid.cells]


def items(stacks):
    return [[item.text for item in stack] for stack in stacks.stacks]


def rim(cells):
    """The sides between cells of a set and others, each as its two corners."""
    sides = Counter(
        frozenset(side)
        for r, c in cells
        for side in pairwise([(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c), (r, c)])
    )
    return {side for side, number in sides.items() if number == 1}


def outlined(grid):
    return {frozenset(border.points) for border in grid.borders}


def by_region(grid):
    """The board with the letter of each region in all of its cells, and dots elsewhere."""
    cells = [(r, c) for r, row in enumerate(grid.regions) for c in range(len(row))]
    letters = {grid.regions[r][c]: grid.cells[r][c].text for r, c in cells if grid.cells[r][c].text}
    return [[letters.get(region, ".") for region in row] for row in grid.regions]


# ------------------------------------------------------------------ the scene and the prompt


def ball_sort(prompt, scene):
    tubes = dict(re.findall(r"^([A-L]): (.+)$", prompt, re.MULTILINE))
    assert scene.labels == tuple(tubes)
    listed = [balls.split(", ") if balls != "empty" else [] for balls in tubes.values()]
    assert items(scene) == [[LETTERS[ball] for ball in balls] for balls in listed]
    assert scene.height == int(re.search(r"up to (\d+) balls", prompt)[1])


def blocksworld(prompt, scene):
    assert scene.captions == ("Start", "Goal")
    for title, stacks in zip(scene.captions, scene.scenes, strict=True):
        text = prompt.split(f"{title}:\n")[1].split("\n\n")[0]
        facts = set(re.findall(r"^(\w+) is on (?:the )?(\w+)$", text, re.MULTILINE))
        for names in re.findall(r"bottom to top: (.+)", text):
            facts |= {(one, under) for under, one in pairwise(["table", *names.split(", ")])}
        shown = {pair[::-1] for stack in items(stacks) for pair in pairwise(["table", *stack])}
        assert shown == facts


def box_net(prompt, scene):
    boxes = re.findall(r"^([A-P]): from (\w+) to (\w+)$", prompt, re.MULTILINE)
    broken = re.search(r"move nothing: ([^.]+)\.", prompt)
    for grid, index in zip(scene.scenes, (1, 2), strict=True):
        in_cells = {cell(box[index]): [] for box in boxes}
        for box in boxes:
            in_cells[cell(box[index])].append(box[0])
        shown = {(r, c): text.split() for r, row in enumerate(texts(grid)) for c, text in
                 enumerate(row) if text}  # fmt: skip
        assert shown == in_cells
        off = {(r, c) for r, row in enumerate(grid.cells) for c, each in enumerate(row)
               if each.corner == "off"}  # fmt: skip
        assert off == (set(map(cell, broken[1].split(", "))) if broken else set())


def car_painting(prompt, scene):
    row = [each for line in scene.cells for each in line if each.fill != "none"]
    assert [(each.text, each.corner) for each in row] == re.findall(
        r"(\d+) (red|blue|green|white|black|silver)", prompt
    )


def grid_mission(prompt, scene):
    grid = scene.scenes[0]
    arrows = {"^": "up", ">": "right", "v": "down", "<": "left", "*": "star"}
    for signs, row in zip(board(prompt), grid.cells, strict=True):
        for sign, each in zip(signs, row, strict=True):
            assert (each.fill == "dark") == (sign == "#")
            assert each.text == (sign if sign.isupper() else "")
            assert sign not in arrows or each.mark == arrows[sign]
    legend = re.findall(r"^([A-Z]: .+)$", prompt, re.MULTILINE)
    parts = scene.scenes[1].scenes if len(scene.scenes) > 1 else ()
    assert [line for part in parts for line in part.lines] == legend
    marks = {each.text: each.mark for row in grid.cells for each in row if each.text}
    words = {"key": "key", "ball": "disc", "box": "box", "closed": "door", "locked": "lock"}
    for line in legend:
        shape = re.search(r"box|closed|locked|key|ball", line)[0]
        assert marks[line[0]] == words[shape]


def klotski(prompt, scene):
    signs = [[sign.replace("-", ".") for sign in row] for row in board(prompt)]
    assert by_region(scene) == signs
    covered = re.search(r"covers exactly ([rc\d, ]+)\.", prompt)[1].split(", ")
    assert outlined(scene) == rim(map(cell, covered))


def knight_swap(prompt, scene):
    signs = {"none": "#", "": "-"}
    shown = [
        [each.corner or signs["none" if each.fill == "none" else each.mark] for each in row]
        for row in scene.cells
    ]
    assert shown == board(prompt)
    assert all((each.mark == "knight") == bool(each.corner) for row in scene.cells for each in row)


def nullify(prompt, scene):
    blocks = re.findall(r"^([A-L]): (\S+)$", prompt, re.MULTILINE)
    names = [name for (name,) in scene.top]
    assert list(zip(names, texts(scene)[0], strict=True)) == blocks


def pancake_sorting(prompt, scene):
    stack = re.search(r"from the top to the bottom: ([\d, ]+)", prompt)[1].split(", ")
    assert items(scene)[0][::-1] == stack
    widths = {int(item.text): item.width for item in scene.stacks[0]}
    assert sorted(widths, key=widths.get) == sorted(widths)


def peg_solitaire(prompt, scene):
    signs = {"disc": "o", "ring": ".", "": "#"}
    assert [[signs[each.mark] for each in row] for row in scene.cells] == board(prompt)


def quantum_lock(prompt, scene):
    (display,), (buttons,) = (grid.cells for grid in scene.scenes)
    signs = {"adds": "+", "subtracts": "-", "multiplies the number by": "*"}
    listed = re.findall(r"^([A-H]): (\D+) (\d+), in (\w+) light", prompt, re.MULTILINE)
    assert [name for (name,) in scene.scenes[1].top] == [name for name, *_ in listed]
    assert [(each.text, each.corner) for each in buttons] == [
        (signs[verb] + number, light) for _, verb, number, light in listed
    ]
    number = re.search(r"number (\d+)", prompt)[1]
    wanted = re.search(r"Make the number (-?\d+)", prompt)[1]
    assert [each.text for each in display] == [number, "red", wanted]
    cycle = re.search(r"changes it afterwards, from ([a-z ]+)\.", prompt)[1]
    assert scene.captions[0] == f"Light: {cycle}"


def river_crossing(prompt, scene):
    river, foes = scene.scenes
    weights = re.search(r"in kilograms: (.+)\.\n", prompt)[1].split(", ")
    rowers = set(re.findall(r"the (\w+)", re.search(r"and only (.+?) can\.", prompt)[1]))
    listed = {f"{each}, rows" if each.split()[0] in rowers else each for each in weights}
    left, right = items(river)
    assert (set(left), right) == (listed, [])
    assert river.labels == ("left bank, boat", "right bank")
    clashes = re.search(r"left together: (.+?)\. ", prompt)[1].split("; ")
    names = [node.name for node in foes.nodes]
    edges = {frozenset((names[edge.start], names[edge.end])) for edge in foes.edges}
    assert edges == {frozenset(pair.split(" and ")) for pair in clashes}
    capacity = re.search(r"at most (\d+) kilograms", prompt)[1]
    assert scene.captions == (f"Boat for {capacity} kg", "Not to be left together")


def robot_programming(prompt, scene):
    heading = re.search(r"faces (\w+)", prompt)[1]
    arrows = {"up": "up", "north": "up", "right": "right", "east": "right", "down": "down",
              "south": "down", "left": "left", "west": "left"}  # fmt: skip
    signs = {"muted": ".", "t5": "#", "t6": "S"}
    assert [[signs[each.fill] for each in row] for row in scene.cells] == board(prompt)
    marks = [each.mark for row in scene.cells for each in row if each.mark]
    assert marks == [arrows[heading]]


def start_and_goal(prompt, scene):
    assert scene.captions == ("Start", "Goal")
    for title, grid in zip(scene.captions, scene.scenes, strict=True):
        shown = [[text or "_" for text in row] for row in texts(grid)]
        assert shown == section(prompt, title)


def rubiks_cube(prompt, scene):
    rows = [[text for text in row if text] for row in texts(scene)]
    net = prompt.split("unfolded:\n\n")[1].split("\n\n")[0]
    assert rows == rows_of(net)
    side = len(rows) // 3
    starts = {(0, side): "U", (side, 0): "L", (side, side): "F", (side, 2 * side): "R",
              (side, 3 * side): "B", (2 * side, side): "D"}  # fmt: skip
    shown = {(r, c): each.corner for r, row in enumerate(scene.cells) for c, each in
             enumerate(row) if each.corner}  # fmt: skip
    assert shown == starts


def rush_hour(prompt, scene):
    assert by_region(scene) == board(prompt)
    row = next(r for r, signs in enumerate(board(prompt)) if "X" in signs)
    assert outlined(scene) == rim([(row, 4), (row, 5)])


def sokoban(prompt, scene):
    rows = next(p for p in prompt.split("\n\n") if set(p) <= set("#-@$.*+\n"))
    signs = {
        ("dark", ""): "#", ("paper", ""): "-", ("paper", "person"): "@", ("paper", "box"): "$",
        ("t2", "ring"): ".", ("t2", "box"): "*", ("t2", "person"): "+",
    }  # fmt: skip
    shown = ["".join(signs[each.fill, each.mark] for each in row) for row in scene.cells]
    assert shown == rows.splitlines()
    assert all(
        (each.text or each.corner) == (sign if sign in "*+" else "")
        for row, line in zip(scene.cells, shown, strict=True)
        for each, sign in zip(row, line, strict=True)
    )


def stack_permutation(prompt, scene):
    cards, stacks = scene.scenes
    order, wanted = re.findall(r"[A-Z](?:, [A-Z])+", prompt)[:2]
    shown = [", ".join(card.text for card in row) for row in cards.rows]
    assert shown == [order, wanted]
    assert stacks.height == int(re.search(r"at most (\d+) items", prompt)[1])
    assert not any(stacks.stacks)
    steps = re.findall(r"^- (\w+) moves", prompt, re.MULTILINE)
    assert scene.captions[1] == f"Steps: {', '.join(steps)}"


def tile_rotation(prompt, scene):
    assert texts(scene) == board(prompt.split(".\n\n", 1)[1])
    tile, row, column = re.search(r"tile (\d+) to row (\d+), column (\d+)", prompt).groups()
    kept = re.search(r"the tiles ([\d, ]+) must", prompt)[1].split(", ")
    cells = [each for row in scene.cells for each in row]
    assert [each.text for each in cells if each.corner == "moves"] == [tile]
    assert {each.text for each in cells if each.corner == "stays"} == set(kept)
    assert outlined(scene) == rim([(int(row) - 1, int(column) - 1)])


def token_sliding_on_graph(prompt, scene):
    edges = {frozenset(edge.split("-")) for edge in re.findall(r"\d+-\d+", prompt)}
    tokens = re.findall(r"token (\w) is on node (\d+) and has to be on node (\d+)", prompt)
    for graph, index in zip(scene.scenes, (1, 2), strict=True):
        names = [node.name for node in graph.nodes]
        shown = {frozenset((names[e.start], names[e.end])) for e in graph.edges}
        assert shown == edges
        notes = {node.note: node.name for node in graph.nodes if node.note}
        assert notes == {each[0]: each[index] for each in tokens}


def tower_of_hanoi(prompt, scene):
    for title, stacks in zip(scene.captions, scene.scenes, strict=True):
        pegs = section(prompt, title)
        assert [f"{name}:" for name in stacks.labels] == [row[0] for row in pegs]
        assert items(stacks) == [[disk for disk in row[1:] if disk != "empty"] for row in pegs]


def truck_logistics(prompt, scene):
    parcels = re.findall(r"^p(\d+): from (\w\d) to (\w\d)$", prompt, re.MULTILINE)
    vehicles = re.findall(r"(truck|plane)\w? at (\w\d)", prompt)
    for grid, index in zip(scene.scenes, (1, 2), strict=True):
        names = [[f"{row}{column}" for (column,) in grid.top] for (row,) in grid.left]
        shown = {
            (number, spot)
            for row, spots in zip(grid.cells, names, strict=True)
            for each, spot in zip(row, spots, strict=True)
            for number in each.text.removeprefix("p").split(",")
            if number
        }
        assert shown == {(each[0], each[index]) for each in parcels}
        drives = [
            (vehicle, spot)
            for row, spots in zip(grid.cells, names, strict=True)
            for each, spot in zip(row, spots, strict=True)
            for vehicle in each.corner.split()
        ]
        drives += [("plane", f"{row}0") for (row,), texts in zip(grid.left, grid.right, strict=True)
                   if texts]  # fmt: skip
        assert sorted(drives) == (sorted(vehicles) if index == 1 else [])


def water_jugs(prompt, scene):
    jugs = re.findall(r"^([A-D]): (\d+) litres; it is (full|empty)", prompt, re.MULTILINE)
    walls = [figure for figure in scene.figures if getattr(figure, "sides", ())]
    assert [(wall.sides[3], wall.sides[1]) for wall in walls] == [
        (name, f"{size if full == 'full' else 0} of {size}") for name, size, full in jugs
    ]
    waters = [figure for figure in scene.figures if getattr(figure, "fill", "") == "water"]
    assert [water.points[1][1] for water in waters] == [
        int(size) for _, size, full in jugs if full == "full"
    ]
    jug, amount = re.search(r"Get jug (\w) to hold exactly (\d+)", prompt).groups()
    (line,) = [figure for figure in scene.figures if getattr(figure, "text", "")]
    wall = walls["ABCD".index(jug)]
    assert line.text == f"goal {amount}"
    assert line.points == ((wall.points[0][0], int(amount)), (wall.points[2][0], int(amount)))


READERS = {
    function.__name__: function
    for function in (
        ball_sort, blocksworld, box_net, car_painting, grid_mission, klotski, knight_swap, nullify,
        pancake_sorting, peg_solitaire, quantum_lock, river_crossing, robot_programming,
        rubiks_cube, rush_hour, sokoban, stack_permutation, tile_rotation, token_sliding_on_graph,
        tower_of_hanoi, truck_logistics, water_jugs,
    )
} | dict.fromkeys(("row_column_shift", "sliding_tiles", "twiddle"), start_and_goal)  # fmt: skip

PLANS = sorted(set(READERS) - {"car_painting", "robot_programming"})


def test_every_planning_environment_is_read():
    names = {name for name in palaestra.names() if name.startswith("planning/")}
    assert {f"planning/{name}" for name in READERS} == names - {"planning/strips_domain"}
    assert tasks("strips_domain")[0].scene() is None  # its states are facts about nothing visible


@pytest.mark.parametrize("name", sorted(READERS))
def test_scenes_show_what_the_prompt_states(name):
    for task in tasks(name):
        scene = task.scene()
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        READERS[name](task.prompt(), scene)


# ------------------------------------------------------------------ answers


def cells_of(grid):
    return [each for row in grid.cells for each in row]


def covers_the_outline(grid, shown):
    """Whether what is shown of the board is exactly within its outline."""
    return outlined(grid) == rim(
        [(r, c) for r, row in enumerate(shown) for c, here in enumerate(row) if here]
    )


def faces(net):
    side, colours = len(net.cells) // 3, {}
    for r, row in enumerate(texts(net)):
        for c, text in enumerate(row):
            colours.setdefault((r // side, c // side), set()).add(text)
    return colours.values()


def jug_holds(plane):
    (line,) = [figure for figure in plane.figures if getattr(figure, "text", "")]
    left = line.points[0][0]
    walls = [figure for figure in plane.figures if getattr(figure, "sides", ())]
    (wall,) = [wall for wall in walls if wall.points[0][0] == left]
    return wall.sides[1].split(" of ")[0] == line.text.removeprefix("goal ")


GOALS = {
    "ball_sort": lambda end: all(len(set(tube)) <= 1 for tube in items(end)),
    "grid_mission": lambda end: "star" not in {each.mark for each in cells_of(end.scenes[0])},
    "klotski": lambda end: covers_the_outline(
        end, [[sign == "K" for sign in row] for row in by_region(end)]
    ),
    "nullify": lambda end: "".join(texts(end)[0]) == "+0",
    "pancake_sorting": lambda end: items(end)[0] == sorted(items(end)[0], key=int)[::-1],
    "peg_solitaire": lambda end: [each.mark for each in cells_of(end)].count("disc") == 1,
    "quantum_lock": lambda end: end.scenes[0].cells[0][0].text == end.scenes[0].cells[0][2].text,
    "river_crossing": lambda end: not end.scenes[0].stacks[0],
    "rubiks_cube": lambda end: all(len(face) == 1 for face in faces(end)),
    "rush_hour": lambda end: covers_the_outline(
        end, [[sign == "X" for sign in row] for row in by_region(end)]
    ),
    "sokoban": lambda end: {each.mark for each in cells_of(end) if each.fill == "t2"} == {"box"},
    "stack_permutation": lambda end: not end.scenes[0].rows[0] and not any(end.scenes[1].stacks),
    "tile_rotation": lambda end: covers_the_outline(
        end, [[each.corner == "moves" for each in row] for row in end.cells]
    ),
    "water_jugs": jug_holds,
}
"""Whether a picture is one of the goal, where the prompt does not show the goal as a state."""


def unmarked(scene):
    if isinstance(scene, Grid | Stacks):
        return changed(scene, last=())
    return scene


@pytest.mark.parametrize("name", PLANS)
def test_right_answers_lead_to_the_goal(name):
    for task in tasks(name):
        answer = task.answer()
        scene = task.solved_scene(answer)
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        assert isinstance(scene, Panels)
        number = len(task.read(answer))
        assert f"After {number} {task.units}" in scene.captions
        end = scene.scenes[scene.captions.index(f"After {number} {task.units}")]
        goal = task.goal_picture()
        if name == "truck_logistics":
            assert texts(end) == texts(goal)
        elif name == "token_sliding_on_graph":
            assert end.nodes == goal.nodes
        elif goal is not None:
            assert unmarked(end) == goal
        else:
            assert name == "knight_swap" or GOALS[name](end)


def test_knights_have_exchanged_their_places_in_the_end():
    swapped = {"W": "B", "B": "W", "": ""}
    for task in tasks("knight_swap"):
        start, end = task.solved_scene(task.answer()).scenes
        assert [[swapped[each.corner] for each in row] for row in start.cells] == [
            [each.corner for each in row] for row in end.cells
        ]


@pytest.mark.parametrize("name", PLANS)
def test_wrong_answers_are_drawn_as_far_as_they_go(name):
    for task in tasks(name):
        moves = task.plan()
        first = task.solved_scene(task.as_text(moves[:1]))
        assert f"After 1 {task.units}" in first.captions
        assert drawing(first).shapes
        assert first != task.solved_scene(task.answer())
        state, illegal = task.initial(), []
        for move in task.moves_from(state):
            try:
                task.after(state, move)
            except Illegal:
                illegal.append(move)
        for move in illegal[:1]:
            answer = task.as_text([move, *moves[:1]])
            caption = f"After 0 of {len(task.read(answer))} {task.units}"
            assert caption in task.solved_scene(answer).captions


@pytest.mark.parametrize("name", sorted(READERS))
@pytest.mark.parametrize("answer", ["?!", "I do not know"])
def test_unreadable_answers_are_refused(name, answer):
    with pytest.raises(InvalidAnswer):
        tasks(name)[0].solved_scene(answer)


def test_no_more_moves_are_made_than_the_limit_allows():
    task = tasks("quantum_lock")[0]
    limit = task.move_limit()
    scene = task.solved_scene(", ".join(["A"] * (limit + 500)))
    assert scene.captions == (f"After {limit} of {limit + 500} presses",)


def test_the_last_move_is_marked():
    task = tasks("sliding_tiles")[-1]
    last = task.solved_scene(task.as_text(task.plan()[:1])).scenes[0].last
    start = task.scene().scenes[0]
    assert {start.cells[r][c].text for r, c in last} == {"", str(task.plan()[0])}
    end = task.solved_scene(task.answer()).scenes[0]
    assert {end.cells[r][c].text for r, c in end.last} == {"", str(task.plan()[-1])}
    assert len(end.last) == 2
    task = tasks("tower_of_hanoi")[0]
    stacks = task.solved_scene(task.as_text(task.plan()[:1])).scenes[0]
    assert [peg for peg, _ in stacks.last] == [task.plan()[0][1]]
    task = tasks("token_sliding_on_graph")[0]
    graph = task.solved_scene(task.as_text(task.plan()[:1])).scenes[0]
    assert [{edge.start, edge.end} for edge in graph.edges if edge.wide] == [{*task.plan()[0]}]


def test_marks_follow_a_block_to_a_new_stack():
    def stacks(*words):
        return Stacks(tuple(tuple(map(Item, word)) for word in words))

    assert marked(stacks("AB", "CD"), stacks("AB", "C", "D")).last == ((2, 0),)
    assert marked(stacks("AB", "C", "D"), stacks("AB", "CD")).last == ((1, 1),)
    assert marked(stacks("AB", "CD"), stacks("ABD", "C")).last == ((0, 2),)
    assert marked(stacks("ABC"), stacks("ACB")).last == ((0, 1), (0, 2))
    assert marked(stacks("AA", "A"), stacks("A", "AA")).last == ((1, 1),)
    assert not marked(stacks("AB"), stacks("AB")).last


def test_cargo_is_listed_beside_its_city():
    task = tasks("truck_logistics")[3]
    state = dict(task.initial())
    for n, action in enumerate(task.plan()):
        state = task.after(state, action)
        grid = task.solved_scene(task.as_text(task.plan()[: n + 1])).scenes[0]
        carried = {}
        for labels in grid.right:
            carried |= {label.split(": ")[0]: label.split(": ")[1:] for label in labels}
        assert carried.pop("plane") == [
            " ".join(p for p, spot in state.items() if spot == "plane")
        ] * ("plane" in state.values())
        assert carried == {
            truck: [" ".join(p for p, spot in state.items() if spot == truck)]
            for truck in state.values()
            if truck.startswith("truck")
        }


def test_marks_on_other_scenes():
    one, other = Grid(((Cell("1"),),)), Grid(((Cell("2"),),))
    assert marked(Panels((one, one)), Panels((one, other))).scenes == (
        one, changed(other, last=((0, 0),))
    )  # fmt: skip
    assert marked(Plane(()), Plane(())) == Plane(())


def test_marked_items_of_stacks_look_different():
    plain = Stacks(((Item("A"), Item("B")),), style="blocks")
    for style in ("tubes", "pegs", "blocks"):
        styled = changed(plain, style=style)
        assert drawing(styled) != drawing(changed(styled, last=((0, 1),)))


# ------------------------------------------------------------------ puzzles that are no plans


def test_paths_of_programs_are_drawn():
    for task in tasks("robot_programming"):
        scene = task.solved_scene(task.answer())
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        (line,) = scene.lines
        assert set(line.points) == {
            (r, c) for r, row in enumerate(scene.cells) for c, each in enumerate(row)
            if each.fill != "muted"
        }  # fmt: skip


def test_a_program_that_leaves_the_grid_is_drawn_up_to_the_edge():
    task = tasks("robot_programming")[0]
    scene = task.solved_scene("repeat 50 [F]")
    (line,) = scene.lines
    rows, columns = len(scene.cells), len(scene.cells[0])
    assert line.points[0] == task.start
    assert all(0 <= r < rows and 0 <= c < columns for r, c in line.points)
    assert {0, rows - 1} & {line.points[-1][0]} or {0, columns - 1} & {line.points[-1][1]}
    assert drawing(scene).shapes
    assert drawing(task.solved_scene("L")).shapes


def test_cars_stand_in_the_order_of_the_answer():
    for task in tasks("car_painting"):
        numbers = re.findall(r"\d+", task.answer())
        scene = task.solved_scene(task.answer())
        assert from_json(to_json(scene)) == scene
        assert drawing(scene).shapes
        assert scene.scenes[0] == task.scene()
        row = [each for line in scene.scenes[1].cells for each in line if each.text]
        assert [each.text for each in row] == numbers
        colours = {each.text: each.corner for line in task.scene().cells for each in line}
        assert [each.corner for each in row] == [colours[number] for number in numbers]


def test_an_order_with_a_car_that_does_not_exist_is_drawn_without_it():
    task = tasks("car_painting")[0]
    scene = task.solved_scene(task.answer().replace("1", "99", 1))
    assert "99" not in {each.text for row in scene.scenes[1].cells for each in row}
    assert drawing(scene).shapes


def test_every_plan_puzzle_of_the_category_is_pictured():
    assert {name for name in READERS if isinstance(tasks(name)[0], PicturedPlan)} == set(PLANS)
