"""Questions about positions of games: right and wrong answers, held against plain replays."""

from collections import defaultdict
from random import Random

import pytest

from palaestra import Address, Episode
from palaestra.applicability import environments_of
from palaestra.combinators.games import Simulator
from palaestra.registry import load
from palaestra.task import InvalidAnswer, NoValidTask
from palaestra.verifiers.reading.boards import compared_boards

QUESTIONS = (
    "next_state",
    "legal_moves",
    "illegal_move",
    "moves_between",
    "reachable",
    "best_move",
    "what_changed",
)
GAMES = environments_of("next_state")


def tasks(name, seeds=range(3), levels=(1, 3)):
    """Tasks of a combination; levels whose positions do not suit are left out."""
    for level in levels:
        for seed in seeds:
            try:
                yield Address.of(name, seed, level).task()
            except NoValidTask:
                continue


def positions(name, level=2, seed=1):
    """The shown positions of random games, with the states that they show."""
    simulator = Simulator(Address.of(name, seed, level).task())
    by_text = defaultdict(set)
    for n in range(20):
        rng = Random(n)
        states = [simulator.task.start()]
        while len(states) < 12 and not simulator.rules.is_over(states[-1]):
            states += [after for _, after in simulator.played(rng, states[-1], 1)]
        for state in states:
            if simulator.rules.is_over(state):  # whose turn it would be makes no difference
                continue
            by_text[simulator.shown(state)].add(simulator.rules.encode(state))
    return simulator, by_text


def test_they_apply_to_games_on_the_shared_protocol():
    assert {"matches/othello", "games/flood_fill"} <= {*GAMES}
    assert {*environments_of("best_move")} < {*GAMES}
    with pytest.raises(LookupError, match="shared protocol"):
        load("games/minesweeper+next_state")
    with pytest.raises(LookupError, match="solved"):
        load("games/flood_fill+best_move")


@pytest.mark.parametrize(
    ("name", "question"),
    [(name, each) for name in GAMES for each in QUESTIONS if name in environments_of(each)],
)
def test_the_answer_is_right_and_shortcuts_are_not(name, question):
    for task in tasks(f"{name}+{question}"):
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer()) is not False
        episode = Episode(task)
        episode.step(f"Let me see.\n<answer>\n{task.answer()}\n</answer>")
        assert episode.score.value == 1
        for answer in task.shortcuts():
            if answer != task.answer():
                assert task.verify(answer).value < 1
        assert task.task.description() in task.prompt()


@pytest.mark.parametrize("name", GAMES)
def test_positions_that_look_alike_are_alike(name):
    """What the player sees determines the position, and so do its words unless spaces count."""
    simulator, by_text = positions(name)
    assert all(len(states) == 1 for states in by_text.values())
    boards = {text.partition("\n\nX is")[0].partition("\n\nO is")[0] for text in by_text}
    if simulator.rules.spaces_count:
        return
    words = [tuple(tuple(line.split()) for line in board.splitlines()) for board in boards]
    assert len({*words}) == len(words)


def test_boards_without_coordinates_are_read():
    right = "   1 2\n1  X .\n2  . O\n\nX has 1 disc, O has 1."
    assert compared_boards("X .\n. O\nX has 1 disc, O has 1.", right).value == 1
    assert compared_boards("```\n  1 2\n1 X .\n2 . O\n\nX has 1 disc, O has 1.\n```", right).value
    assert compared_boards("X .\nO .\nX has 1 disc, O has 1.", right).value == 0
    assert compared_boards("X .\n. O", right).value == 0
    with pytest.raises(InvalidAnswer):
        compared_boards("\n", right)


def test_gaps_of_lines_count_in_dots_and_boxes():
    assert compared_boards("+---+   +\n|       |", "+---+   +\n|       |", True).value == 1
    assert compared_boards("+---+   +\n|   |", "+---+   +\n|       |", True).value == 0
    for task in tasks("matches/dots_and_boxes+next_state(4)"):
        shown = f"  {task.answer()}".replace("\n", "\n  ")
        assert task.verify(shown).value == 1
        assert (
            task.verify(task.answer().replace("|", " ", 1)).value == 0 or "|" not in task.answer()
        )


def test_all_legal_moves_and_no_others():
    for task in tasks("matches/othello+legal_moves"):
        moves = task.answer().splitlines()
        assert task.verify(", ".join(reversed(moves))).value == 1
        assert task.verify("\n".join(f"{n}. {m}" for n, m in enumerate(moves, 1))).value == 1
        fewer = task.verify("\n".join(moves[1:]))
        assert fewer.value == 0
        assert 0 < fewer.parts["progress"] < 1
        illegal = next(
            f"r{r}c{c}" for r in range(1, 5) for c in range(1, 5) if f"r{r}c{c}" not in moves
        )
        assert "not a legal move" in task.verify("\n".join([*moves, illegal])).reason
        with pytest.raises(InvalidAnswer):
            task.verify(illegal)


@pytest.mark.parametrize("name", ["matches/othello", "matches/kalah", "games/falling_groups"])
def test_the_illegal_move_is_the_only_one(name):
    for task in tasks(f"{name}+illegal_move(5)", range(5)):
        number = int(task.answer())
        simulator, state = task.simulator, task.state()
        for n, move in enumerate(task.moves, 1):
            if n == number:
                with pytest.raises(InvalidAnswer):
                    simulator.rules.read(state, move)
            else:
                assert not simulator.rules.is_over(state)
                state = simulator.rules.apply(state, simulator.rules.read(state, move))
        assert task.random_baseline() == 1 / 4


def test_any_moves_that_lead_there_are_right():
    other_ways = 0
    for task in tasks("matches/dots_and_boxes+moves_between(2)", range(8)):
        first, second = task.answer().splitlines()
        swapped = task.verify(f"{second}\n{first}").value
        states = [*task.simulator.moved(task.state(), [second, first])]
        reached = len(states) == 2 and task.simulator.shown(states[-1]) == task.shown_later()
        assert swapped == reached
        other_ways += reached
        with pytest.raises(InvalidAnswer, match="2 moves"):
            task.verify(first)
    assert other_ways


def test_reachable_positions_are_counted_once():
    for task in tasks("matches/nim+reachable(2)"):
        heaps, _ = task.state()
        after = {(*heaps[:n], left, *heaps[n + 1 :])
                 for n, size in enumerate(heaps) for left in range(size)}  # fmt: skip
        twice = {(*each[:n], left, *each[n + 1 :])
                 for each in after if any(each) for n, size in enumerate(each)
                 for left in range(size)}  # fmt: skip
        assert task.answer() == str(len(twice))


def test_the_number_of_positions_of_a_game_of_placements_is_not_asked():
    with pytest.raises(NoValidTask, match="follows from"):
        Address.of("matches/hex+reachable", 1, 1).task()


def test_questions_that_would_take_long_are_refused():
    """Kayles at the top has some sixty moves, and three of them lead to too many positions."""
    for question in ("moves_between(3)", "reachable(3)"):
        with pytest.raises(NoValidTask, match="too many"):
            Address.of(f"matches/kayles+{question}", 1, 4).task()


def test_the_line_with_the_player_to_move_may_stand_below_a_board():
    for task in tasks("matches/othello+next_state(2)"):
        mover = task.simulator.rules.mover(task.last())
        other = "XO".replace(mover, "")
        assert task.verify(f"{task.answer()}\n\n{mover} is to move.").value == 1
        assert task.verify(f"{task.answer()}\n\n{other} is to move.").value == 0


def test_every_winning_move_is_right():
    for task in tasks("matches/nim+best_move"):
        heaps, _ = task.state()
        for move in task.task.rules().legal(task.state()):
            name = task.task.rules().name(task.state(), move)
            assert (task.verify(name).value == 1) == (name in task.winning())
        assert 0 < task.random_baseline() < 1
        assert sum(heaps)


@pytest.mark.parametrize(
    "name", ["alquerque", "connect_four", "lines_of_action", "mill_game", "tower_climbing"]
)
def test_games_that_end_with_the_last_move_have_a_next_state(name):
    """At level 1 these last three moves at most, after which the positions still differ."""
    answers = {task.answer() for task in tasks(f"matches/{name}+next_state", range(4), (1,))}
    assert len(answers) == 4


def test_the_one_last_position_of_a_game_is_not_asked():
    for task in tasks("matches/nim+next_state(2)", range(8), (0, 1)):
        assert not task.simulator.rules.is_over(task.last())


@pytest.mark.parametrize("name", environments_of("what_changed"))
def test_the_changes_turn_one_board_into_the_other(name):
    for task in tasks(f"{name}+what_changed", range(2), (2,)):
        before, after = task.boards()
        assert all(len(row) == len(before[0]) for row in before)
        shown = task.simulator.rules.show(task.state()).split()
        assert all(content in shown for row in before for content in row)
        for line in task.answer().splitlines():
            cell, _, contents = line.partition(": ")
            row, column = map(int, cell[1:].split("c"))
            old, new = contents.split(" -> ")
            assert before[row - 1][column - 1] == old != new
            before[row - 1][column - 1] = new
        assert before == after


def test_a_single_change_in_all_forms():
    task = next(tasks("matches/connect_four+what_changed(1)", (0,)))
    line = task.answer()
    assert len(line.splitlines()) == 1
    assert line.endswith((": . -> X", ": . -> O"))
    row, column = (int(part) for part in line[1:].partition(":")[0].split("c"))
    sign = line[-1]
    for text in (
        f"r{row}c{column}: . → {sign}",
        f"- r{row}c{column}: '.' -> '{sign}'",
        f"row {row}, column {column}: . => {sign}",
        f"({row}, {column}): `.` -> `{sign}`",
    ):
        assert task.verify(text).value == 1, text
    other = "XO".replace(sign, "")
    for text in (
        f"r{row}c{column}: . -> {other}",
        f"r{row}c{column}: {sign} -> .",
        f"{line}\nr1c1: X -> O",
        f"r{row}c{column % 5 + 1}: . -> {sign}",
    ):
        assert task.verify(text).value == 0, text
    for text in (
        "",
        "none",
        f"r{row}c{column}",
        "r1c1: X",
        f"{line}\n{line}",
        "r99c1: X -> O",
        "r1c1: X -> O -> X",
        "r1c1: X O -> X",
        "\n".join([line] * 500),
        "->" * 50_000,
    ):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_a_lost_full_stop_is_no_mistake():
    for task in tasks("matches/breakthrough+what_changed(2)"):
        lines = sorted(task.answer().splitlines(), key=lambda line: line.endswith("."))
        assert lines[-1].endswith("-> .")
        assert task.verify("\n".join(lines)[:-1].rstrip()).value == 1
        assert 0 < task.verify(lines[0]).parts["progress"] < 1


def test_what_changed_is_for_boards_of_cells():
    for name in ("matches/nim", "matches/notakto", "games/open_solitaire", "games/minesweeper"):
        with pytest.raises(LookupError, match=r"grid of cells|shared protocol"):
            load(f"{name}+what_changed")
