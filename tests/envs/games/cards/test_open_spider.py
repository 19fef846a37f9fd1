"""The patience of runs, against moves of its own on the text of the table, and the readers."""

from itertools import pairwise
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.cards.open_spider import DEAL, OpenSpider, State, run_length
from palaestra.task import InvalidAnswer


def cards(line):
    names = [name for name in line.partition(": ")[2].split() if name != "-"]
    return [(int(name[:-1]), name[-1]) for name in names]


def read_table(text):
    lines = text.splitlines()
    columns = [cards(line) for line in lines if line.startswith("Column")]
    stock = next((cards(line) for line in lines if line.startswith("Stock")), [])
    done = next(int(line.split()[2]) for line in lines if line.startswith("Complete"))
    return columns, stock, done


def after(table, move, ranks):
    """The table after a move by its name, or None where it is not legal."""
    columns, stock, done = table
    columns = [list(column) for column in columns]
    if move == "deal":
        if not stock or not all(columns):
            return None
        for column in columns:
            column.append(stock[0])
            stock = stock[1:]
    else:
        number, start, end = (int(word) for word in move.split() if word.isdigit())
        source, target = columns[start - 1], columns[end - 1]
        moved = source[-number:]
        rest = source[:-number]
        steps = pairwise(moved)
        if len(moved) < number or any(b != (a[0] - 1, a[1]) for a, b in steps) or start == end:
            return None
        if target and target[-1][0] != moved[0][0] + 1:
            return None
        if not target and not rest:
            return None
        columns[start - 1], columns[end - 1] = rest, target + moved
    for n, column in enumerate(columns):
        for suit in "SH":
            if column[-ranks:] == [(rank, suit) for rank in range(ranks, 0, -1)]:
                columns[n], done = column[:-ranks], done + 1
    return columns, stock, done


@pytest.mark.parametrize("seed", range(24))
def test_random_moves_lead_where_the_text_says(seed):
    task, rng = Address.of("games/open_spider", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    number = len(state.columns)
    names = [
        f"move {n} from {a} to {b}"
        for n in range(1, task.ranks + 1)
        for a in range(1, number + 1)
        for b in range(1, number + 1)
    ]
    for _ in range(15):
        table = read_table(rules.show(state))
        legal = {rules.name(state, move) for move in rules.legal(state)}
        mine = {name: after(table, name, task.ranks) for name in [*names, "deal"]}
        possible = {name for name, result in mine.items() if result is not None}
        assert legal <= possible
        # Of several empty columns, one is as good as another, and the first is listed.
        empty = [n + 1 for n, column in enumerate(table[0]) if not column]
        assert {
            n for n in possible - legal if not n.endswith(tuple(f" {e}" for e in empty[1:]))
        } == set()
        if not legal:
            break
        name = rng.choice(sorted(legal))
        state = rules.apply(state, rules.read(state, name))
        assert read_table(rules.show(state)) == mine[name]


@pytest.mark.parametrize("level", range(6))
def test_the_plan_completes_all_runs_in_time(level):
    for seed in range(3):
        task = Address.of("games/open_spider", seed, level).task()
        table = read_table(task.rules().show(task.start()))
        moves = [*task.solve()]
        for move in moves:
            table = after(table, move, task.ranks)
        assert table[2] == task.runs
        assert len(moves) + type(task).Knobs.at(level).spare == task.moves
        assert Episode(task, BARE, moves).score.value == 1


RULES = OpenSpider(3, 2, (2, 4))
TABLE = State(((7, 6, 4), (3, 5), ()), 0, 0)  # 3H 3S 2S, 1H 2H, nothing


def test_sequences_and_empty_columns():
    assert run_length((7, 6, 4)) == 2
    names = {RULES.name(TABLE, move) for move in RULES.legal(TABLE)}
    assert names == {"move 1 from 1 to 3", "move 2 from 1 to 3", "move 1 from 2 to 3"}
    assert DEAL in RULES.legal(State(((7,), (3,), (5,)), 0, 0))
    assert DEAL not in RULES.legal(TABLE)
    complete = RULES.apply(State(((6, 4), (2,), (3, 5)), 0, 1), (1, 1, 0))
    assert complete == State(((), (), (3, 5)), 0, 2)
    assert RULES.distance(complete) == 0


@pytest.mark.parametrize(
    "text",
    ["move 2 from 1 to 3", "Move 2 cards from column 1 to column 3.", "2 from 1 to 3",
     "I move 2 cards from 1 to 3"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(TABLE, text) == (0, 2, 2)


def test_the_number_may_be_missing_where_one_number_is_possible():
    assert RULES.read(TABLE, "2 to 3") == (1, 1, 2)
    assert RULES.read(TABLE, "column 2 -> column 3") == (1, 1, 2)
    assert RULES.read(TABLE, "move a card from 1 to 3") == (0, 1, 2)
    with pytest.raises(InvalidAnswer, match="number of cards"):
        RULES.read(TABLE, "1 to 3")


@pytest.mark.parametrize(
    "text", ["", "deal", "move 3 from 1 to 3", "1 to 2", "move 2 from 1 to 3 or 2"]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(TABLE, text)


def test_the_scene_shows_columns_and_stock():
    rows = RULES.scene(TABLE).rows
    assert [[(card.text, card.mark) for card in row] for row in rows] == [
        [("3", "heart"), ("3", "spade"), ("2", "spade")],
        [("1", "heart"), ("2", "heart")],
        [],
        [("1", "spade"), ("2", "spade")],
    ]
