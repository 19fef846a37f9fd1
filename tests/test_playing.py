"""`palaestra play`, in a terminal and from a pipe."""

import io
import os
import select
import sys
import time
from contextlib import suppress

import pytest

from palaestra import Address
from palaestra.cli import main, playing, terminal
from palaestra.cli.playing import written
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
