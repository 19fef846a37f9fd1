"""Mill games: published counts, moves and wins by rules that are written another way, readers."""

from random import Random

import pytest

import palaestra
from palaestra.generators.matches.forced_wins import ForcedSearch
from palaestra.generators.matches.mill_game import NONE, MillGame, State, edges, mills, points
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.task import InvalidAnswer

NINE = MillGame(3, 9)
SIX = MillGame(2, 6)

LINES = [
    "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
]  # fmt: skip
"""The sixteen lines of the board of nine men's morris."""


def test_the_board_is_the_usual_one():
    assert {frozenset(NINE.point(n) for n in range(24) if line >> n & 1) for line in mills(3)} == {
        frozenset(line.split()) for line in LINES
    }
    pairs = {frozenset(pair) for line in LINES for pair in zip(line.split(), line.split()[1:])}
    assert {frozenset(map(NINE.point, edge)) for edge in edges(3)} == pairs
    assert len(pairs) == len(edges(3)) == 32


def test_counts_of_games():
    """24, 552, 12,144 and 255,024 placements; with the fifth, 16 * 6 * 420 games close a mill and
    may remove either of two stones: 5,100,480 + 40,320.
    """
    assert [perft(NINE, NINE.start(), plies) for plies in (1, 2, 3)] == [24, 552, 12_144]
    fifth = 0
    for line in LINES:
        stones = [next(n for n in range(24) if NINE.point(n) == name) for name in line.split()]
        state = NINE.start()
        others = [n for n in range(24) if n not in stones]
        for end in (stones[0], others[0], stones[1], others[1]):
            state = NINE.apply(state, (NONE, end, NONE))
        moves = NINE.legal(state)
        closing = [move for move in moves if move[2] != NONE]
        assert {move[:2] for move in closing} == {(NONE, stones[2])}
        assert {move[2] for move in closing} == {others[0], others[1]}
        assert len(moves) == 21
        fifth += 6 * 21 * 20
    assert fifth == 40_320
    assert 24 * 23 * 22 * 21 * 20 + fifth == 5_140_800


def lines_of(rules):
    """The lines of a board, by the names of points."""
    if rules.squares == 3:
        return [line.split() for line in LINES]
    return [line.split() for line in ("a1 c1 e1", "a3 a5 a1", "e1 e3 e5", "a5 c5 e5",
                                      "b2 c2 d2", "b2 b3 b4", "d2 d3 d4", "b4 c4 d4")]  # fmt: skip


def neighbours(rules):
    near = {rules.point(n): set() for n in range(8 * rules.squares)}
    for one, other in edges(rules.squares):
        near[rules.point(one)].add(rules.point(other))
        near[rules.point(other)].add(rules.point(one))
    return near


def owners_of(rules, state):
    return {
        rules.point(n): player
        for n in range(8 * rules.squares)
        for player, stones in enumerate((state.first, state.second))
        if stones >> n & 1
    }


def closed(rules, owners, point):
    """Whether the stone on a point is in a mill."""
    return any(
        point in line and all(owners.get(each) == owners[point] for each in line)
        for line in lines_of(rules)
    )


def moves(rules, owners, player):
    """The names of all moves, with the stones after them."""
    near = neighbours(rules)
    for start in [point for point, owner in owners.items() if owner == player]:
        for end in near[start] - owners.keys():
            after = {point: owner for point, owner in owners.items() if point != start}
            after[end] = player
            if not closed(rules, after, end):
                yield f"{start}-{end}", after
                continue
            theirs = [point for point, owner in owners.items() if owner != player]
            loose = [point for point in theirs if not closed(rules, after, point)]
            for removed in loose or theirs:
                rest = {point: owner for point, owner in after.items() if point != removed}
                yield f"{start}-{end} x {removed}", rest


def random_state(rng, rules, mine, theirs):
    chosen = rng.sample(range(8 * rules.squares), mine + theirs)
    own, other = (sum(1 << n for n in each) for each in (chosen[:mine], chosen[mine:]))
    turn = rng.randrange(2)
    return State(*((other, own) if turn else (own, other)), 0, 0, turn)


@pytest.mark.parametrize("rules", [SIX, NINE])
def test_moves_go_by_the_rules(rules):
    rng, removed = Random(rules.squares), 0
    for _ in range(60):
        state = random_state(rng, rules, rng.randint(3, 6), rng.randint(3, 6))
        known = dict(moves(rules, owners_of(rules, state), state.turn))
        legal = {rules.name(state, move): move for move in rules.legal(state)}
        assert legal.keys() == known.keys()
        assert (rules.outcome(state) is None) == bool(known)
        for name, move in legal.items():
            assert owners_of(rules, rules.apply(state, move)) == known[name]
            removed += "x" in name
            assert rules.read(state, name) == move
    assert removed > 20


def wins(rules, owners, player, left):
    """Whether the player to move wins within so many own moves, by plain search."""
    for _, after in moves(rules, owners, player):
        if [*after.values()].count(1 - player) < 3:
            return True
        replies = [*moves(rules, after, 1 - player)]
        if not replies:
            return True
        if left > 1 and all(
            [*each.values()].count(player) > 2 and wins(rules, each, player, left - 1)
            for _, each in replies
        ):
            return True
    return False


def test_wins_are_those_of_plain_search():
    rng, lengths = Random(3), []
    while len(lengths) < 24:
        state = random_state(rng, SIX, 4, 3)
        owners = owners_of(SIX, state)
        if SIX.outcome(state) is not None:
            continue
        plain = next((n for n in (1, 2) if wins(SIX, owners, state.turn, n)), None)
        assert ForcedSearch(SIX).shortest(SIX.view(state), 2) == plain
        lengths.append(plain)
    assert {1, 2} < {*lengths}


def test_outcomes():
    state = State(0b111, 0b11000, 0, 0, 0)
    assert SIX.outcome(state) == WIN
    assert SIX.outcome(State(0b11, 0b11000, 0, 4, 0)) == LOSS  # two stones and none in hand
    assert SIX.outcome(State(0b11, 0b11000, 2, 4, 0)) is None
    assert SIX.outcome(State(0b111, 0b111000, 0, 0, 0, 0, 0)) == LOSS  # not in time
    assert SIX.outcome(State(0b111, 0b111000, 0, 0, 0, 0, 1)) == WIN


def test_the_opponent_resists_to_the_end():
    for seed in range(4):
        task = palaestra.Address.of("matches/mill_game", seed, 3).task()
        start = task.start()
        assert task.line().moves == (start.left + 1) // 2 == 3
        assert start.hunter == start.turn == task.seat


NAMES = {SIX.point(n): n for n in range(16)}


def stones(text):
    return sum(1 << NAMES[name] for name in text.split())


BOARD = State(stones("a1 c1 e3 b2"), stones("a5 c5 b4"), 0, 0, 0)
"""X closes the mill a1, c1, e1 with e3-e1."""


@pytest.mark.parametrize(
    "text",
    ["e3-e1 x a5", "E3-E1xA5", "e3 to e1, remove a5", "move e3 to e1 and take a5",
     "My move: e3-e1 x a5", "**e3-e1 x a5**", "e3 -> e1 x a5", "I move from e3 to e1, removing a5",
     "e3-e1, capture a5!", "e3 e1 x a5", "move my stone from e3 to e1 and remove the stone on a5"],
)  # fmt: skip
def test_moves_are_read(text):
    assert SIX.read(BOARD, text) == (NAMES["e3"], NAMES["e1"], NAMES["a5"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [("e3-e1", "state the stone"), ("e3-e5 x a5", "closes no mill"), ("e3-a3", "not a legal"),
     ("e3-e1 x e1", "no stone on e1"), ("e3-f4", "not a point"), ("", "expected"),
     ("e3", "expected the points of a move"), ("not e3-e5", "expected"),
     ("e3-e1 x a5 x c5", "expected"),
     ("e3-e5 or e3-d3", "expected"), ("e3-" * 60, "expected")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        SIX.read(BOARD, text)


def test_new_stones_are_read():
    state = SIX.start()
    assert SIX.read(state, "place a stone on a1") == (NONE, NAMES["a1"], NONE)
    assert SIX.read(state, "c1") == (NONE, NAMES["c1"], NONE)


def test_the_board_as_text_and_scene():
    lines = SIX.show(BOARD).splitlines()
    assert lines[0] == "5 O-------O-------."
    assert lines[4] == "3 .---.       .---X"
    assert lines[9] == "  a   b   c   d   e"
    scene = SIX.scene(BOARD, (NAMES["e3"], NAMES["e1"], NONE))
    shown = {
        f"{'abcde'[c]}{5 - r}": cell.text
        for r, row in enumerate(scene.cells)
        for c, cell in enumerate(row)
        if cell.mark
    }
    assert len(shown) == len(points(2)) == 16
    assert {name for name, text in shown.items() if text == "X"} == {"a1", "c1", "e3", "b2"}
    assert scene.last == ((2, 4), (4, 4))


@pytest.mark.parametrize("wording", [0, 1])
@pytest.mark.parametrize("level", [0, 4])
def test_nobody_flies_and_both_wordings_say_so(wording, level):
    task = palaestra.Address.of("matches/mill_game", 1, level).task()
    text = task.model_copy(update={"wording": wording}).description()
    assert "There is no flying" in text
    assert "any free point" not in text
    rules, rng, seen = task.rules(), Random(level), 0
    near = neighbours(rules)
    for _ in range(20):
        state = random_state(rng, rules, 3, 3)
        for start, end, _removed in rules.legal(state):
            assert rules.point(end) in near[rules.point(start)]
            seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    "text",
    ["X: e3-e1 x a5", "e3e1 x a5", '["e3", "e1", "a5"]', "e3:e1 x a5", "e3-e1, a5", "e3-e1 a5",
     "- e3-e1 x a5", "1. e3-e1 x a5", "Next move: **e3-e1 x a5**",
     "e3-e1 x a5 (because it closes a mill)", '{"move": "e3-e1 x a5"}'],
)  # fmt: skip
def test_moves_with_something_around_them_are_read(text):
    assert SIX.read(BOARD, text) == (NAMES["e3"], NAMES["e1"], NAMES["a5"])


@pytest.mark.parametrize("text", ["e3e5", '["e3","e5"]', "e3:e5", "e3-e5 x none", "e3-e5, x none"])
def test_moves_that_remove_nothing_are_read(text):
    assert SIX.read(BOARD, text) == (NAMES["e3"], NAMES["e5"], NONE)


def test_examples_of_an_error_are_legal_moves_of_the_board():
    for text in ("a1", "hello"):
        with pytest.raises(InvalidAnswer, match=r"such as '.*'") as error:
            SIX.read(BOARD, text)
        example = str(error.value).split("'")[1]
        assert example in {SIX.name(BOARD, move) for move in SIX.legal(BOARD)}
    with pytest.raises(InvalidAnswer, match="such as 'a1'"):
        SIX.read(SIX.start(), "hello")


@pytest.mark.parametrize("level", [2, 4])
def test_rules_of_thumb_do_not_begin_a_win(level):
    """Each rule makes moves that are as good as any by its own measure; none of them wins."""
    hits = 0
    for seed in range(6):
        task = palaestra.Address.of("matches/mill_game", seed, level).task()
        rules, start = task.rules(), task.start()
        won = {*task.winning_moves()}
        for value in rules.thumbs().values():
            worth = {move: value(start, move) for move in rules.legal(start)}
            best = {move for move, each in worth.items() if each == max(worth.values())}
            hits += bool(best & won)
    assert hits <= 2  # a task without such a position is possible, but rare
