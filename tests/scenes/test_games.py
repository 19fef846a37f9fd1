"""Scenes of games, compared with what the player reads."""

import re
from functools import cache

import pytest

import palaestra
from palaestra.generators.games.arcade.tetrominoes import SHAPES
from palaestra.scenes import Cell, Hex, Hexagons, from_json, to_json
from palaestra.scenes.elements import changed
from palaestra.scenes.layouts import drawing
from palaestra.task import InvalidAnswer

SEEDS = (1, 2, 3)
PUZZLES = ("capture_go", "chess_mate", "mahjong_hand", "tetris_placement")
GAMES = (
    "circle_the_cat", "falling_groups", "flood_fill", "game_2048", "mastermind", "minesweeper",
    "snake", "word_guessing",
)  # fmt: skip
ELSEWHERE = (
    "puzzlescript", "key_maze", "open_solitaire", "ship_search", "blackjack", "press_your_luck",
    "yacht_dice", "bandit", "secretary", "iterated_dilemma",
    "sealed_bids", "colonel_blotto", "shut_the_box", "slippery_grid", "higher_or_lower",
    "target_betting", "dice_conquest", "stock_ordering", "road_crossing", "ice_sliding",
    "golf_solitaire", "tile_swapping", "dot_chase", "feature_questions", "guessing_with_lies",
    "breaking_point", "bearing_off", "goofspiel", "alternating_offers",
    "noisy_doors", "open_spider", "fifteen_puzzle", "pocket_cube", "goods_division",
    "lane_defence", "hidden_roles", "firework_cards", "tile_pairs", "coin_weighing",
    "letter_guessing", "racetrack", "moving_target", "cargo_offers", "brick_breaking",
    "falling_stones", "light_switching", "pipe_turning",
    "cube_turning", "falling_pieces", "public_goods", "crowded_bar",
)  # fmt: skip
"""Games whose own tests compare what is seen with what is known."""


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(f"games/{name}").task()).Knobs.levels()
    return [
        palaestra.Address.of(f"games/{name}", seed, level).task()
        for level in range(levels)
        for seed in SEEDS
    ]


def rows_of(text):
    return [line.split() for line in text.splitlines()]


def texts(grid):
    return [[each.text for each in row] for row in grid.cells]


def grids(scene):
    """The boards of a scene of one or several."""
    return getattr(scene, "scenes", (scene,))


def drawable(scene):
    return from_json(to_json(scene)) == scene and drawing(scene).shapes


# ------------------------------------------------------------------ the scene and the prompt


def capture_go(prompt, scene):
    boards = re.findall(r"Board \d:\n((?:[XO@. ]+\n)+)", prompt)
    shown = [[[text or "." for text in row] for row in texts(grid)] for grid in scene.scenes]
    assert shown == [rows_of(board) for board in boards]
    assert scene.captions == tuple(f"Board {n}" for n in range(1, len(boards) + 1))


def chess_mate(prompt, scene):
    ranks = re.findall(r"^([1-8]) ([KQRBNPkqrbnp. ]+)$", prompt, re.MULTILINE)
    boards = [ranks[n : n + 8] for n in range(0, len(ranks), 8)]
    assert len(boards) == len(grids(scene))
    marks = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
    for board, grid in zip(boards, grids(scene), strict=True):
        assert [(rank,) for rank, _ in board] == list(grid.left)
        assert "".join(file for (file,) in grid.bottom) == "abcdefgh"
        for (_, line), row in zip(board, grid.cells, strict=True):
            for sign, each in zip(line.split(), row, strict=True):
                assert each.corner == sign.replace(".", "")
                assert each.mark == marks.get(sign.upper(), "")
                assert each.tone == ("" if sign == "." else "white" if sign.isupper() else "black")
        assert grid.cells[7][0].fill != grid.cells[7][1].fill != grid.cells[6][1].fill
        assert grid.cells[7][0].fill != "paper"  # a1 is dark


def mahjong_hand(prompt, scene):
    hand = re.search(r"The hand at the start: (.+)", prompt)[1].split()
    rounds = re.findall(r"draws (\w\d), the neighbour discards (\w\d)", prompt)
    rows = {}
    for label, row in zip(scene.labels, scene.rows, strict=True):
        name = label or name  # noqa: F821 a line without a label continues the one before
        rows[name] = rows.get(name, []) + [card.text for card in row]
    draws, discards = map(list, zip(*rounds, strict=True))
    assert rows == {"Hand": hand, "Draws": draws, "Discards": discards}


def tetris_placement(prompt, scene):
    board, orientations = scene.scenes
    signs = {"paper": ".", "shade": "#"}
    shown = [[signs[each.fill] for each in row] for row in board.cells]
    assert shown == rows_of(re.search(r"empty one:\n((?:[.# ]+\n)+)", prompt)[1])
    assert [label for (label,) in board.bottom] == [str(n + 1) for n in range(len(shown[0]))]
    listed = dict(re.findall(r"^([A-Z]\d):\n((?:[.# ]+\n)+)", prompt, re.MULTILINE))
    assert orientations.captions == tuple(listed)
    for name, grid in zip(orientations.captions, orientations.scenes, strict=True):
        signs = {name[0]: "#", "": "."}
        assert [[signs[text] for text in row] for row in texts(grid)] == rows_of(listed[name])
    pieces = re.search(r"[IOTSZJL](?:, [IOTSZJL])+", prompt)[0]
    assert scene.captions[0] == f"Pieces: {pieces}"


READERS = {
    function.__name__: function
    for function in (capture_go, chess_mate, mahjong_hand, tetris_placement)
}


def test_every_game_is_read():
    names = {name for name in palaestra.names() if name.startswith("games/")}
    assert {f"games/{name}" for name in (*PUZZLES, *GAMES, *ELSEWHERE)} == names


@pytest.mark.parametrize("name", PUZZLES)
def test_scenes_show_what_the_prompt_states(name):
    for task in tasks(name):
        scene = task.scene()
        assert drawable(scene)
        READERS[name](task.prompt(), scene)


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize("name", PUZZLES)
def test_right_answers_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("answer", ["?!", "I do not know"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name)[-3:]:
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def test_new_stones_lie_on_the_points_of_the_answer():
    for task in tasks("capture_go"):
        scene = task.solved_scene(task.answer())
        for line, grid in zip(task.answer().splitlines(), scene.scenes, strict=True):
            names = [
                f"r{r + 1}c{c + 1}"
                for r, row in enumerate(grid.cells)
                for c, each in enumerate(row)
                if each.tone == "accent"
            ]
            assert sorted(names) == sorted(re.findall(r"r\dc\d", line))


def test_points_that_are_taken_keep_their_stones():
    task = tasks("capture_go")[0]
    board = texts(task.scene().scenes[0])
    r, c = next((r, c) for r, row in enumerate(board) for c, text in enumerate(row) if text)
    lines = [f"r{r + 1}c{c + 1}", *["none"] * (len(task.positions) - 1)]
    scene = task.solved_scene("\n".join(lines))
    assert texts(scene.scenes[0]) == board
    assert scene.scenes[0].last == ((r, c),)
    assert drawable(scene)


def test_arrows_show_the_moves_of_the_answer():
    for task in tasks("chess_mate"):
        scene = task.solved_scene(task.answer())
        boards = [part for each in grids(scene) for part in grids(each) if hasattr(part, "cells")]
        moves = task.answer().splitlines()[: len(boards)]
        for move, grid in zip(moves, boards, strict=True):
            (line,) = grid.lines
            names = ["abcdefgh"[c] + str(8 - r) for r, c in line.points]
            assert "".join(names) == move[:4]
        listed = [line for part in grids(scene) for line in getattr(part, "lines", ())
                  if isinstance(line, str)]  # fmt: skip
        assert listed == ([] if task.moves == 1 else task.answer().splitlines()[1:])


def test_illegal_moves_of_chess_are_drawn():
    for task in tasks("chess_mate"):
        lines = ["a1h8"] * (len(task.boards) if task.moves == 1 else 1)
        assert not task.verify("\n".join(lines)).correct
        assert drawable(task.solved_scene("\n".join(lines)))


def test_outcomes_and_the_last_hand_are_those_of_the_answer():
    for task in tasks("mahjong_hand"):
        outcomes, hand = (line.split(": ")[1].split(", ") for line in task.answer().splitlines())
        scene = task.solved_scene(task.answer())
        rows = dict(zip(scene.labels, scene.rows, strict=True))
        assert [card.text for card in rows["Outcome"]] == outcomes
        start = scene.labels.index("Last hand")
        assert [card.text for row in scene.rows[start:] for card in row] == hand
    wrong = task.answer().replace("peng", "pass") + ", Z0"
    assert drawable(task.solved_scene(wrong))


def test_each_piece_has_fallen_onto_the_board():
    for task in tasks("tetris_placement"):
        scene = task.solved_scene(task.answer())
        *falls, end = scene.scenes
        assert len(falls) == len(task.pieces)
        cleared = 0
        for piece, grid in zip(task.pieces, falls, strict=True):
            squares = [text for row in texts(grid) for text in row if text]
            assert squares == [piece] * "".join(SHAPES[piece]).count("#")
            cleared += sum(all(each.fill != "paper" for each in row) for row in grid.cells)
        assert scene.captions == (*task.answer().splitlines(), f"{cleared} cleared")
        assert cleared == task.cleared(task.read(task.answer()))[0]
        full = sum(each.fill != "paper" for row in end.cells for each in row)
        before = sum(each.fill != "paper" for row in task.scene().scenes[0].cells for each in row)
        assert full == before + 4 * len(task.pieces) - task.width * cleared


def test_pieces_beyond_the_wall_end_the_picture():
    task = tasks("tetris_placement")[0]
    answer = "\n".join(f"{piece}1 99" for piece in task.pieces)
    scene = task.solved_scene(answer)
    assert scene.scenes == (task.scene().scenes[0],)
    assert scene.captions == ("0 cleared",)


# ------------------------------------------------------------------ games of several moves


def played(task):
    """The turns of a perfect player, with the move after each."""
    episode = palaestra.Episode(task, "bare")
    turns = []
    for move in task.solve():
        turns.append((episode.turn, move))
        episode.step(move)
    return turns


def circle_the_cat(task, turn, scene):
    signs = {"cat": "C", "dark": "#", "paper": "."}
    lines = turn.state.splitlines()
    shown = {(each.row, each.column): signs[each.cell.mark or each.cell.fill]
             for each in scene.cells}  # fmt: skip
    assert shown == {
        (r, c): sign for r, line in enumerate(lines) for c, sign in enumerate(line.split())
    }
    assert lines[1].startswith(" ") == (scene.shifted == "odd")
    assert scene.left == scene.top == tuple(str(n + 1) for n in range(len(lines)))


def falling_groups(task, turn, scene):
    rows = turn.observation.split("\n\n")[-2].splitlines()[1:]
    shown = [["." if each.fill == "muted" else each.text for each in row] for row in scene.cells]
    assert shown == [row.split()[1:] for row in rows]
    fills = {(each.text, each.fill) for row in scene.cells for each in row}
    assert len(fills) == len({fill for _, fill in fills})
    assert scene.coordinates


def flood_fill(task, turn, scene):
    rows = [line.split() for line in turn.observation.split("\n\n")[-2].splitlines()]
    assert texts(scene) == rows
    waiting, region = [(0, 0)], set()
    while waiting:
        row, column = waiting.pop()
        inside = 0 <= row < len(rows) and 0 <= column < len(rows)
        if inside and (row, column) not in region and rows[row][column] == rows[0][0]:
            region.add((row, column))
            waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    assert set(scene.last) == region


def snake(task, turn, scene):
    rows = [line.split() for line in turn.observation.split("\n\n")[-2].splitlines()]
    parts = [int(part) for part in turn.state.split("/")[0].split()]
    for row, cells in enumerate(scene.cells):
        for column, each in enumerate(cells):
            sign, number = rows[row][column], row * task.size + column
            assert (each.mark == "disc") == (sign == "H") == (number == parts[0])
            assert (each.mark == "diamond") == (sign == "*")
            body = number in parts[1:]
            assert (sign in {"o", "t"}) == body
            assert each.text == (str(parts.index(number)) if body else "")


def game_2048(task, turn, scene):
    assert [[text or "." for text in row] for row in texts(scene)] == [
        line.split() for line in turn.state.splitlines()[:-1]
    ]


def mastermind(task, turn, scene):
    *log, left = turn.state.split("; ")
    rows = [row for row in scene.cells if row[0].text]
    for line, row in zip(log, rows, strict=True):
        guess, exact, misplaced = re.fullmatch(
            r"(\d+): (\d+) exact, (\d+) misplaced", line
        ).groups()
        digits, hints = row[: len(guess)], row[len(guess) :]
        assert "".join(each.text for each in digits) == guess
        assert "".join(each.text for each in hints) == "E" * int(exact) + "M" * int(misplaced)
        assert len({(each.text, each.tone) for each in digits}) == len(set(guess))
    assert len(scene.cells) - len(rows) == int(left.split()[0])


def minesweeper(task, turn, scene):
    looks = {"?": ("", "muted"), "0": ("", "paper")}
    rows = turn.state.splitlines()[:-1]
    for row, line in zip(scene.cells, rows, strict=True):
        for each, sign in zip(row, line.split(), strict=True):
            assert (each.text, each.fill) == looks.get(sign, (sign, "paper"))
    assert scene.coordinates


def word_guessing(task, turn, scene):
    *log, left = turn.state.split("; ")
    rows = [row for row in scene.cells if row[0].text]
    assert ["".join(each.text for each in row) for row in rows] == [line.split()[0] for line in log]
    assert ["".join(each.corner for each in row) for row in rows] == [
        line.split()[1] for line in log
    ]
    fills = {(each.corner, each.fill) for row in rows for each in row}
    assert len(fills) == len({sign for sign, _ in fills}) == len({fill for _, fill in fills})
    assert len(scene.cells) - len(rows) == int(left.split()[0])


@pytest.mark.parametrize(
    "reader",
    [
        circle_the_cat,
        falling_groups,
        flood_fill,
        game_2048,
        mastermind,
        minesweeper,
        snake,
        word_guessing,
    ],
)
def test_scenes_follow_the_state(reader):
    for task in tasks(reader.__name__):
        turns = played(task)
        for turn, _ in turns[:40]:
            scene = turn.scene()
            assert from_json(to_json(scene)) == scene
            reader(task, turn, scene)
        assert drawing(turns[0][0].scene()).shapes
        assert drawing(turns[-1][0].scene()).shapes


@pytest.mark.parametrize(
    ("name", "field", "other"),
    [
        ("game_2048", "chance_seed", lambda task: task.chance_seed + 1),
        ("mastermind", "code", lambda task: task.code[::-1].replace("1", "2")),
        ("minesweeper", "mines", lambda task: task.mines[1:]),
        ("word_guessing", "word", lambda task: task.listed[task.listed[0] == task.word]),
    ],
)
def test_the_opening_does_not_depend_on_what_is_hidden(name, field, other):
    for task in tasks(name):
        assert field in task.hidden
        altered = task.model_copy(update={field: other(task)})
        assert getattr(altered, field) != getattr(task, field)
        first, second = (palaestra.Episode(each).turn.scene() for each in (task, altered))
        assert first == second


def test_last_moves_are_marked():
    for task in tasks("circle_the_cat"):
        (first, move), (second, _) = played(task)[:2]
        assert first.scene().last == ()
        ((row, column),) = second.scene().last
        assert move == f"r{row + 1}c{column + 1}"
    for task in tasks("minesweeper"):
        (first, move), (second, _) = played(task)[:2]
        assert first.scene().last == ()
        ((row, column),) = second.scene().last
        assert move == f"open r{row + 1}c{column + 1}"
    for task in tasks("mastermind"):
        turn, _ = played(task)[-1]
        scene = turn.scene()
        row = max(r for r, row in enumerate(scene.cells) if row[0].text)
        assert scene.last == tuple((row, c) for c in range(len(task.code)))


def test_the_new_tile_of_2048_is_marked():
    for task in tasks("game_2048"):
        (first, _), (second, _) = played(task)[:2]
        assert first.scene().last == ()
        scene = second.scene()
        ((row, column),) = scene.last
        assert scene.cells[row][column].text in {"2", "4"}


@pytest.mark.parametrize("name", GAMES)
def test_replies_without_a_move_leave_the_picture(name):
    task = tasks(name)[0]
    episode = palaestra.Episode(task, "bare")
    before = episode.turn.scene()
    episode.step("?!")
    after = episode.turn.scene()
    if name == "circle_the_cat":  # the cat runs
        assert after.last == ()
        return
    if name in {"mastermind", "word_guessing"}:  # a guess is lost, and with it an empty row
        assert after.cells == before.cells[:-1]
        return
    assert after == before


def test_marked_hexagons_look_different():
    for fill in ("paper", "dark", "t1"):
        board = Hexagons((Hex(0, 0, Cell(fill=fill)),))
        assert drawing(board) != drawing(changed(board, last=((0, 0),)))
