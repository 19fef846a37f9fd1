"""Quantum tic-tac-toe: choices by trying all assignments of marks, wins, texts of moves."""

from itertools import product
from random import Random

import networkx
import pytest

import palaestra
from palaestra.episode import Episode
from palaestra.generators.matches.quantum_tic_tac_toe import (
    LINES,
    Pair,
    QuantumTicTacToe,
    State,
)
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.task import InvalidAnswer

RULES = QuantumTicTacToe()
EMPTY = (0,) * 9


def assignments(state, cell):
    """The boards with a mark of each pair in one of its cells, all in different cells, the last one
    in a given cell.
    """
    for cells in product(*(pair[1:] for pair in state.pairs)):
        if len({*cells}) == len(cells) and cells[-1] == cell:
            board = list(state.marks)
            for pair, end in zip(state.pairs, cells):
                board[end] = pair.number
            yield tuple(board)


def graph_of(pairs):
    graph = networkx.MultiGraph()
    graph.add_edges_from((pair.first, pair.second, pair.number) for pair in pairs)
    return graph


def random_states(number, seed):
    rng = Random(seed)
    for _ in range(number):
        state = RULES.start()
        while RULES.outcome(state) is None:
            yield state
            state = RULES.apply(state, rng.choice(RULES.legal(state)))
        yield state


def test_cycles_are_those_of_graphs_and_choices_decide_what_is_connected():
    choices = 0
    for state in random_states(60, 1):
        graph = graph_of(state.pairs)
        has_cycle = graph.number_of_edges() > 0 and not networkx.is_forest(graph)
        assert RULES.is_choice(state) == has_cycle
        if not has_cycle:
            continue
        choices += 1
        moves = RULES.legal(state)
        assert {*moves} == {(cell,) for cell in state.pairs[-1][1:]}
        connected = networkx.node_connected_component(graph, state.pairs[-1].first)
        for (cell,) in moves:
            after = RULES.apply(state, (cell,))
            assert after.turn == state.turn
            boards = [*assignments(state, cell)]
            assert boards
            for board in boards:
                assert all(after.marks[n] == board[n] for n in connected)
            assert {pair.number for pair in after.pairs} == {
                pair.number for pair in state.pairs if pair.first not in connected
            }
            assert all(after.marks[n] == state.marks[n] for n in {*range(9)} - {*connected})
    assert choices > 60


def test_players_alternate_and_numbers_rise():
    for state in random_states(40, 2):
        used = sorted(
            [mark for mark in state.marks if mark] + [pair.number for pair in state.pairs]
        )
        assert used == [*range(1, len(used) + 1)]
        assert state.turn == (len(used) + RULES.is_choice(state) * 0) % 2
        free = [n for n, mark in enumerate(state.marks) if not mark]
        assert all({pair.first, pair.second} <= {*free} for pair in state.pairs)


def test_games_end_with_a_line_or_a_full_board():
    outcomes = set()
    for state in random_states(300, 3):
        lines = {
            (state.marks[line[0]] % 2, max(state.marks[n] for n in line))
            for line in LINES
            if all(state.marks[n] for n in line) and len({state.marks[n] % 2 for n in line}) == 1
        }
        outcome = RULES.outcome(state)
        if not lines:
            assert outcome == (None if 0 in state.marks else DRAW)
        else:
            assert outcome == (WIN if min(lines, key=lambda each: each[1])[0] else LOSS)
        outcomes.add((outcome, len({odd for odd, _ in lines})))
    assert outcomes == {(None, 0), (DRAW, 0), (WIN, 1), (LOSS, 1), (WIN, 2), (LOSS, 2)}


def test_the_line_whose_last_mark_is_older_wins():
    """X has 1, 3 and 7 in a line and O has 2, 4 and 6: six comes before seven."""
    assert RULES.outcome(State((1, 3, 7, 2, 4, 6, 0, 0, 0), (), 1)) == LOSS
    assert RULES.outcome(State((1, 3, 5, 2, 4, 6, 0, 0, 0), (), 1)) == WIN


def test_counts_of_games():
    """Each of the first two marks has 36 pairs of cells, and the same pair twice is a cycle."""
    assert [perft(RULES, RULES.start(), plies) for plies in (1, 2)] == [36, 36 * 36]
    assert perft(RULES, RULES.start(), 3) == 36 * (35 * 36 + 2)


def test_a_chain_of_choices():
    """o4 closes a cycle with x1 and o2, and x3 hangs on it."""
    pairs = (Pair(1, 0, 1), Pair(2, 1, 2), Pair(3, 2, 8), Pair(4, 0, 2))
    state = State(EMPTY, pairs, 0)
    assert RULES.is_choice(state)
    assert "o4 closed a cycle. Choose its cell: r1c1 or r1c3." in RULES.show(state)
    assert RULES.apply(state, (0,)) == State((4, 1, 2, 0, 0, 0, 0, 0, 3), (), 0)
    assert RULES.apply(state, (2,)) == State((1, 2, 4, 0, 0, 0, 0, 0, 3), (), 0)


def test_the_last_free_cell_takes_a_mark_for_good():
    state = State((1, 2, 3, 4, 6, 5, 7, 8, 0), (), 0)
    assert RULES.legal(state) == ((8,),)
    after = RULES.apply(state, (8,))
    assert after.marks[8] == 9
    assert RULES.outcome(after) is not None or 0 not in after.marks


@pytest.mark.parametrize(
    "text",
    ["r1c1 and r2c3", "r2c3 and r1c1", "r1c1, r2c3", "(1, 1) and (2, 3)", "r1c1-r2c3",
     "My move: r1c1 and r2c3.", "I play r1c1 and r2c3", "**r1c1 and r2c3**",
     "row 1 column 1 and row 2 column 3"],
)  # fmt: skip
def test_pairs_are_read(text):
    assert RULES.read(RULES.start(), text) == (0, 5)


@pytest.mark.parametrize("text", ["", "r1c1", "r1c1 and r1c1", "r1c1 and r4c1", "r1c1, r1c2, r1c3"])
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(RULES.start(), text)


def test_choices_are_read():
    state = State(EMPTY, (Pair(1, 0, 5), Pair(2, 0, 5)), 0)
    for text in "r2c3", "(2, 3)", "I choose r2c3", "row 2, column 3":
        assert RULES.read(state, text) == (5,)
    for text in "r1c2", "r1c1 and r2c3":
        with pytest.raises(InvalidAnswer):
            RULES.read(state, text)


def test_states_are_written_and_read():
    for state in random_states(5, 4):
        assert RULES.decode(RULES.encode(state)) == state


def test_a_game_is_played_to_its_end():
    task = palaestra.Address.of("matches/quantum_tic_tac_toe", 3, 2).task()
    episode = Episode(task, "bare", list(task.solve()))
    assert episode.score.value == 1


def test_scenes_show_each_mark_in_its_cells():
    for state in random_states(5, 5):
        shown = [
            (row // 3 * 3 + column // 3, cell.text)
            for row, line in enumerate(RULES.scene(state, None).cells)
            for column, cell in enumerate(line)
            if cell.text
        ]
        marks = [(cell, mark) for cell, mark in enumerate(state.marks) if mark]
        wanted = [(cell, f"{'OX'[mark % 2]}{mark}") for cell, mark in marks]
        wanted += [
            (end, f"{'ox'[number % 2]}{number}") for number, *ends in state.pairs for end in ends
        ]
        assert sorted(shown) == sorted(wanted)


@pytest.mark.parametrize(
    "text",
    ["x1 in r1c1 and r2c3", "X1 in r1c1 and r2c3", "Place x1 in r1c1 and r2c3.",
     "X plays r1c1 and r2c3", "X: x1 in r1c1 and r2c3", "I place my mark in r1c1 and r2c3",
     "put x1 into r1c1 and r2c3", "mark 1 in r1c1 and r2c3", "the pair r1c1 and r2c3",
     "both r1c1 and r2c3", "r1c1 & r2c3", "r1c1 + r2c3", "r1c1 with r2c3",
     "X places x1 in cells (1, 1) and (2, 3)"],
)  # fmt: skip
def test_pairs_are_read_with_the_mark_and_the_player_before_them(text):
    assert RULES.read(RULES.start(), text) == (0, 5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("o1 in r1c1 and r2c3", "x1"), ("x2 in r1c1 and r2c3", "x1"), ("O plays r1c1 and r2c3", "x1"),
     ("mark 2 in r1c1 and r2c3", "x1"), ("not r1c1 and r2c3", "expected two cells"),
     ("avoid r1c1 and r2c3", "expected two cells"), ("r1c1 and r1c1", "two different cells"),
     ("X1" * 9_000 + "r1c1 and r2c3", "expected two cells"), ("place " * 3_000, "two cells"),
     ("place " * 3_000 + "r1c1 and r2c3", "two cells")],
)  # fmt: skip
def test_reasons_for_pairs_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(RULES.start(), text)


def test_a_reason_names_the_cell_that_is_taken_for_good():
    with pytest.raises(InvalidAnswer, match="r1c1 has a mark for good"):
        RULES.read(State((1, *EMPTY[1:]), (), 1), "r1c1 and r2c3")


def test_choices_are_read_with_the_mark_or_the_player_before_them():
    state = State(EMPTY, (Pair(1, 0, 5), Pair(2, 0, 5)), 0)
    for text in "o2 in r2c3", "O2: r2c3", "X chooses r2c3", "o2 goes to r2c3", "o2 ends up in r2c3":
        assert RULES.read(state, text) == (5,)
    for text in "x1 in r2c3", "o3 in r2c3":
        with pytest.raises(InvalidAnswer, match="o2"):
            RULES.read(state, text)
    with pytest.raises(InvalidAnswer, match="the choice is between r1c1 and r2c3"):
        RULES.read(state, "r1c2")
    with pytest.raises(InvalidAnswer, match="such as r2c3"):
        RULES.read(state, "r1c1 and r2c3")


def wins_at_once(state):
    """Whether a pair closes a cycle of which both choices win for the player who places it."""
    own = WIN if state.turn == 0 else LOSS
    for move in RULES.legal(state):
        after = RULES.apply(state, move)
        if RULES.is_choice(after):
            ends = {RULES.outcome(RULES.apply(after, cell)) for cell in RULES.legal(after)}
            if ends == {own}:
                return True
    return False


def test_wins_at_once_are_those_of_a_plain_search():
    counts = {True: 0, False: 0}
    for state in random_states(150, 6):
        if RULES.outcome(state) is not None or RULES.is_choice(state):
            continue
        if state.marks.count(0) > 1:
            assert RULES.wins_at_once(state) == wins_at_once(state)
            counts[wins_at_once(state)] += 1
    assert min(counts.values()) > 20


def test_wins_that_have_to_take_two_moves_are_not_wins_at_once():
    """The knobs of this level ask for wins in two moves."""
    tasks = [
        palaestra.Address.of("matches/quantum_tic_tac_toe", seed, level=1).task()
        for seed in range(60)
    ]
    assert sum(wins_at_once(task.start()) for task in tasks) <= 1
