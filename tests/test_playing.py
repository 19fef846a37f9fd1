"""`palaestra play`, in a terminal and from a pipe."""

import io
import os
import select
import sys
import time
from contextlib import suppress

import pytest

from palaestra import Address, Episode
from palaestra.cli import main, playing, scenes, terminal
from palaestra.cli.playing import written
from palaestra.final_scenes import scene_of
from palaestra.scenes import (
    Between,
    Border,
    Card,
    Cards,
    Cell,
    Graph,
    Grid,
    Hex,
    Hexagons,
    Item,
    Line,
    Node,
    Panels,
    Stacks,
)
from palaestra.toolbox import call

KNIGHTS = "logic/knights_and_knaves"
DESK = "tools/meeting_desk"

PASTE = "\x1b[200~{}\x1b[201~"
"""How a terminal marks a text that is pasted."""


@pytest.fixture
def played(monkeypatch, capsys):
    """What is printed for the lines of a pipe."""

    def play(lines, *options):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        with suppress(SystemExit):
            main(["play", *options])
        return capsys.readouterr().out

    return play


def test_a_task_without_a_seed_is_a_random_one_whose_address_is_printed(played):
    first, second = (played([], KNIGHTS).splitlines()[0] for _ in range(2))
    assert first != second
    assert Address.parse(first).env == KNIGHTS


BLOCKS = """title Blocks
OBJECTS
Background .
black
Player p
pink
Crate *
orange
Target o
yellow
LEGEND
SOUNDS
COLLISIONLAYERS
Background
Target
Player, Crate
RULES
[ > Player | Crate ] -> [ > Player | > Crate ]
WINCONDITIONS
all Target on Crate
LEVELS
p*o

p.*.o
"""


def test_a_file_of_puzzlescript_is_played_by_its_path(played, tmp_path, capsys):
    path = tmp_path / "blocks.txt"
    path.write_text(BLOCKS)
    out = played(["right", "/next", "right", "right", "/undo", "right", "right"], str(path))
    assert out.startswith(f"{path}, level 0")
    assert f"{path}, level 1" in out
    assert out.count("score 1") == 2
    assert "Levels go from 0 to 1; this is level 1." in played(["/up"], str(path), "--level", "1")
    path.write_text(BLOCKS.replace("| Crate ]", "| Grate ]"))
    with pytest.raises(SystemExit):
        main(["play", str(path)])
    assert "line 18, column 14" in capsys.readouterr().err.replace("\n", " ")
    for other in (("--level", "2"), ("-k", "size=4"), ("--seed", "1")):
        path.write_text(BLOCKS)
        with pytest.raises(SystemExit):
            main(["play", str(path), *other])
        assert capsys.readouterr().err.startswith("palaestra: ")
    with pytest.raises(SystemExit):
        main(["play", str(tmp_path / "none.txt")])
    assert "there is no file" in capsys.readouterr().err.replace("\n", " ")


def test_commands(played):
    address = Address.of(KNIGHTS, 5, 1)
    answer = address.task().answer().replace("\n", "\\n")
    wrong = answer.replace("knight", "knave")
    out = played(
        [wrong, "/undo", "/retry", answer, "more", "/next", "/up", "/up", "/solution"],
        *(KNIGHTS, "--seed", "5", "--level", "1"),
    )
    assert "score 0" in out
    assert "score 1" in out
    assert "The task is over." in out
    assert str(Address.of(KNIGHTS, 6, 1)) in out
    assert str(Address.of(KNIGHTS, 6, 3)) in out
    assert Address.of(KNIGHTS, 6, 3).task().answer() in out
    assert out.count(address.task().prompt()) == 3  # at the start, after /undo and after /retry


def test_levels_have_ends(played):
    out = played(["/down", "/undo", "/tools", "/help", "/quit", "/help"], KNIGHTS)
    assert "Levels go from 0 to 6; this is level 0." in out
    assert "There is no reply to take back." in out
    assert "There are no tools." in out
    assert out.count("/solution") == 1
    assert out.rstrip().endswith("unfinished")


def test_tools_are_called_by_name(played):
    out = played(["list_rooms", "room_bookings room='No Room'", "agenda", "/tools"], DESK)
    assert " holds " in out
    assert "No Room" in out
    assert "person" in out
    assert "book room=… day=… start=…" in out


def test_the_solution_is_shown_as_it_is_typed(played):
    address = Address.of(DESK, 3, 0)
    moves = list(address.task().solve())
    out = played(["/solution"], DESK, "--seed", "3")
    shown = out.partition("A perfect player replies:\n")[2].splitlines()[: len(moves)]
    assert not any("{" in line for line in shown)
    assert [written(line, address.task()) for line in shown] == moves
    assert "score 1" in played(shown, DESK, "--seed", "3")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("room_bookings hall=Oak", "room_bookings has no parameter 'hall'"),
        ("book room=Oak day=Mon stat=13:00", "book has no parameter 'stat'"),
        ("book room=Oak room=Ash", "'room' has two values"),
        ("book room=Oak day=Mon", "book needs a value of start"),
        ("book room='Oak day=Mon", "No closing quotation"),
        ("agenda", "agenda needs a value of person"),
    ],
)
def test_a_call_with_a_mistake_is_explained_and_not_played(line, reason, played):
    out = played([line, "/undo"], DESK)
    assert f"Not played: {reason}" in out
    assert "type it as: " in out
    assert "There is no reply to take back." in out


def test_sentences_that_begin_like_a_call_are_replies():
    task = Address.of(DESK, 3).task()
    assert written("book a room on Tuesday, please", task) == "book a room on Tuesday, please"
    assert written(" agenda", task) == "agenda"
    assert written("list_rooms", task) == call("list_rooms")


def test_a_command_that_is_misspelt_is_no_reply(played):
    out = played(["/undoo", "/solutions", "/undo"], KNIGHTS)
    assert "There is no command /undoo; did you mean /undo?" in out
    assert "did you mean /solution?" in out
    assert "There is no reply to take back." in out


def test_signs_between_colons_and_in_brackets_stay_as_they_are(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(terminal.out, "_file", screen)
    monkeypatch.setattr(terminal.out, "_force_terminal", True)
    playing._say("the key :x: is [bold]")
    assert "the key :x: is [bold]" in screen.getvalue()


SUDOKU = """
 ┏━━━━━━━━━┳━━━━━━━━━┓
 ┃ 6  2  5 ┃ ·  ·  · ┃
 ┃ ·  ·  · ┃ 5  6  2 ┃
 ┣━━━━━━━━━╋━━━━━━━━━┫
 ┃ 4  ·  1 ┃ 2  ·  · ┃
 ┃ ·  5  3 ┃ ·  4  · ┃
 ┣━━━━━━━━━╋━━━━━━━━━┫
 ┃ ·  1  6 ┃ ·  2  5 ┃
 ┃ ·  ·  · ┃ 6  3  1 ┃
 ┗━━━━━━━━━┻━━━━━━━━━┛
"""


@pytest.fixture
def screen(monkeypatch):
    """What a terminal shows, without colours."""
    text = io.StringIO()
    monkeypatch.setattr(terminal.out, "_file", text)
    monkeypatch.setattr(terminal.out, "_force_terminal", True)
    monkeypatch.setattr(terminal.out, "_color_system", None)
    return text


@pytest.mark.parametrize(("option", "is_drawn"), [((), True), (("--no-scene",), False)])
def test_a_terminal_shows_the_scene_below_the_text(option, is_drawn, played, screen):
    played([], "grids/sudoku", "--seed", "3", "--level", "1", *option)
    shown = screen.getvalue()
    assert "6 2 5 . . ." in shown
    assert (SUDOKU in shown) is is_drawn


def test_the_solution_and_the_reply_are_drawn_in(played, screen):
    task = Address.of("grids/sudoku", 3, 1).task()
    solved = "\n".join(plain(task.solved_scene(task.answer())))
    played(["/solution"], "grids/sudoku", "--seed", "3", "--level", "1")
    assert solved in screen.getvalue()
    screen.truncate(0)
    rows = task.answer().splitlines()
    reply = "\n".join([rows[1], rows[0], *rows[2:]])
    played([reply.replace("\n", r"\n")], "grids/sudoku", "--seed", "3", "--level", "1")
    assert "score 0" in screen.getvalue()
    assert "\n".join(plain(task.solved_scene(reply))) in screen.getvalue()


def test_a_reply_that_cannot_be_read_is_not_drawn(played, screen):
    played(["no sudoku"], "grids/sudoku", "--seed", "3", "--level", "1")
    assert screen.getvalue().count("┏") == 1


def test_the_final_position_of_a_game_is_drawn(played, screen):
    task = Address.of("matches/othello", 3, 0).task()
    episode = Episode(task, "bare", list(task.solve()))
    final, before = plain(scene_of(episode)), plain(episode.turn.scene())
    assert final != before
    played(list(task.solve()), "matches/othello", "--seed", "3", "--level", "0")
    shown = [line.rstrip() for line in screen.getvalue().splitlines()]
    assert "\n".join(final) in "\n".join(shown)


def test_a_pipe_shows_no_scene(played):
    assert "┏" not in played([], "grids/sudoku", "--seed", "3", "--level", "1")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_a_pasted_text_is_one_reply_and_reaches_no_shell():
    import pty

    task = Address.of(KNIGHTS, 5, 2).task()
    command = ["play", KNIGHTS, "--seed", "5", "--level", "2"]
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "palaestra", *command])
    _until(terminal, b"\x1b[?2004h")  # pasted texts are to be marked
    os.write(terminal, PASTE.format(task.answer().replace("\n", "\r")).encode())
    os.write(terminal, b"\r\r")
    _until(terminal, b"score 1")
    os.write(terminal, b"/quit\r")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_what_is_typed_after_the_end_reaches_no_shell():
    import pty

    shell = (
        f"{sys.executable} -m palaestra play {KNIGHTS} | cat; echo over; read line; echo got $line"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv("/bin/sh", ["sh", "-c", shell])
    _until(terminal, b"\x1b[?2004h")  # the editor works although standard output is a pipe
    os.write(terminal, b"/quit\rdangerous command\ranother one\r")
    _until(terminal, b"over")
    os.write(terminal, b"harmless\r")
    _until(terminal, b"got harmless")
    os.waitpid(child, 0)


def _until(terminal, wanted):
    """Read what a terminal shows until something stands there, and fail if it never does."""
    shown, until = b"", time.monotonic() + 120
    while wanted not in shown and time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            piece = os.read(terminal, 4_096)
            shown += piece
            if b"\x1b[6n" in piece:  # the program asks where the cursor is
                os.write(terminal, b"\x1b[1;1R")
    assert wanted in shown


# ------------------------------------------------------------------------ scenes in the terminal


def plain(scene, width=80):
    """The lines of a scene without their colours."""
    lines = scenes.lines_of(scene, width)
    return None if lines is None else [line.plain.rstrip() for line in lines]


def test_borders_are_where_regions_meet_and_labels_stand_on_the_rim():
    cells = ((Cell("1"), Cell()), (Cell(), Cell(mark="star")))
    board = Grid(cells, top=(("2",), ("1", "3")), left=(("7",), ()), regions=((0, 1), (0, 0)))
    assert plain(board) == [
        "        1",
        "    2   3",
        "  ┏━━━┳━━━┓",
        "7 ┃ 1 ┃ · ┃",
        "  ┃   ┗━━━┫",
        "  ┃ ·   ★ ┃",
        "  ┗━━━━━━━┛",
    ]


def test_signs_between_cells_have_a_line_of_their_own():
    cells = ((Cell("3"), Cell()), (Cell(), Cell()))
    signs = (
        Between(0, 0, "right", mark="chevron-right"),
        Between(0, 0, "down", mark="chevron-down"),
    )
    assert plain(Grid(cells, between=signs)) == [
        " ┏━━━━━━━┓",
        " ┃ 3 › · ┃",
        " ┃ ∨     ┃",
        " ┃ ·   · ┃",
        " ┗━━━━━━━┛",
    ]


def test_hexagons_stacks_and_cards():
    hexagons = Hexagons((Hex(0, 0), Hex(0, 1, Cell("C")), Hex(1, 0)), left=("1", "2"))
    assert plain(hexagons) == ["1  ·   C", "2    ·"]
    towers = Stacks(((Item("B"), Item("A")), ()), labels=("1", "2"))
    assert plain(towers) == [" A", " B", "━━━ ━━━", " 1   2"]
    pegs = Stacks(((Item("2"), Item("1", width=0.5)), ()), style="pegs")
    assert plain(pegs) == ["  1     │", "  2     │", "━━━━━ ━━━━━"]
    hand = Cards(((Card("7", mark="heart"), Card("Q")),), labels=("Hand",))
    assert plain(hand) == ["Hand   7♥   Q"]


def test_panels_stand_beside_each_other_where_there_is_room():
    one = Grid(((Cell("1"),),))
    both = Panels((one, one), captions=("Start", "Goal"), columns=2)
    assert plain(both)[0] == "Start     Goal"
    assert plain(both)[2] == " ┃ 1 ┃     ┃ 1 ┃"
    assert len(plain(both, 12)) == 2 * len(plain(both)) + 1


@pytest.mark.parametrize(
    "scene",
    [
        Graph((Node("A"), Node("B"))),
        Grid(((Cell(), Cell()),), lines=(Line(((0, 0), (0, 1))),)),
        Grid(((Cell(), Cell()),), borders=(Border(((0.1, 0.1), (0.1, 0.9))),)),
        Grid(((Cell(), Cell()),), between=(Between(0, 0, "right", text="12"),)),
        Panels((Grid(((Cell(),),)), Graph((Node("A"),)))),
        Grid(((Cell("a long text"),) * 9,)),
    ],
)
def test_what_characters_do_not_show_is_not_drawn(scene):
    assert plain(scene) is None


BOARDS = [
    "grids/sudoku",
    "grids/slitherlink",
    "games/chess_mate",
    "matches/connect_four",
    "planning/rush_hour",
    "planning/rubiks_cube",
    "games/circle_the_cat",
    "games/mahjong_hand",
    "planning/sokoban",
    "grids/kakuro",
    "planning/tower_of_hanoi",
    "grids/nonogram",
    "games/minesweeper",
    "planning/ball_sort",
    "games/game_2048",
    "games/tetris_placement",
]


@pytest.mark.parametrize("name", BOARDS)
def test_boards_of_many_kinds_are_drawn(name):
    for level in (0, 2):
        scene = Episode(Address.of(name, 3, level).task()).turn.scene()
        lines = plain(scene, 120)
        assert len(lines) > 2
        assert all(line.isprintable() for line in lines)
