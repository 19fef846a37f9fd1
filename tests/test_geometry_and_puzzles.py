"""Plane geometry, and games of boards, tiles and words: held against other ways to work them out,
against cases worked by hand, and against what their prompts say.
"""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.chess_mate import ChessMate
from palaestra.envs.games.mahjong_hand import MahjongHand
from palaestra.envs.games.tetris_placement import TetrisPlacement
from palaestra.envs.geometry.coordinate_areas import CoordinateAreas
from palaestra.envs.geometry.polygon_angles import PolygonAngles
from palaestra.envs.geometry.triangle_centres import TriangleCentres
from palaestra.episode import Episode
from palaestra.generators.games import capture_go, mahjong_hand, tetris_placement, word_guessing
from palaestra.generators.games.chess_mate import moves as chess_moves
from palaestra.generators.games.chess_mate import problems as chess_problems
from palaestra.generators.geometry import lattice, polygon_angles
from palaestra.task import Unreadable
from palaestra.verifiers.linear import solved

SEEDS = st.integers(0, 10_000)


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("split", ["train", "eval"])
@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("geometry/polygon_angles", {"steps": 14, "theorems": 3, "extra": 8}),
        ("geometry/triangle_centres", {"asked": 5, "largest": 5, "points": "all"}),
        ("geometry/coordinate_areas", {"corners": 12, "largest": 6, "about": "points"}),
        ("geometry/point_in_polygon", {"corners": 20, "points": 16, "largest": 8}),
        ("games/mahjong_hand", {"rounds": 12, "tiles": 6, "suits": 2}),
        ("games/capture_go", {"size": 7, "moves": 3, "boards": 2}),
        ("games/chess_mate", {"white": 3, "black": 10, "moves": 1, "boards": 3}),
        ("games/word_guessing", {"length": 8, "listed": 500, "guesses": 4, "real": True}),
        ("games/tetris_placement", {"pieces": 2, "width": 9, "rows": 1}),
    ],
)
def test_knobs_at_the_ends_of_their_bounds_give_tasks(name: str, knobs: dict, split: str) -> None:
    for seed in range(3):
        assert Address.of(name, seed, 0, split, **knobs).task().fair()


# ----------------------------------------------------------------------------------------- geometry


@given(SEEDS, st.integers(3, 9))
@settings(max_examples=40, deadline=None)
def test_picks_theorem_holds_of_polygons_drawn(seed: int, corners: int) -> None:
    polygon = lattice.drawn(Random(seed), corners, 6)
    if not lattice.simple(polygon):
        return
    plane = product(range(-6, 7), repeat=2)
    found = [lattice.inside(point, polygon) for point in plane]
    assert found.count(None) == lattice.boundary(polygon)
    twice = 2 * found.count(True) + found.count(None) - 2
    assert abs(lattice.doubled(polygon)) == twice


def test_two_squares_share_what_is_seen() -> None:
    one = ((0, 0), (4, 0), (4, 4), (0, 4))
    turned = ((2, -2), (6, 2), (2, 6), (-2, 2))
    assert lattice.area(lattice.common(one, turned)) == 16
    moved = ((1, 1), (9, 1), (9, 2), (1, 2))
    assert lattice.area(lattice.common(one, moved)) == 3


@pytest.mark.parametrize("level", range(7))
def test_the_points_of_a_triangle_have_what_defines_them(level: int) -> None:
    drawn = task("geometry/triangle_centres", 3, level)
    corners = [(Fraction(x), Fraction(y)) for x, y in drawn.corners]
    values = drawn.values()

    def far(p, q):
        return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2

    def dot(p, q, r, s):
        return (q[0] - p[0]) * (s[0] - r[0]) + (q[1] - p[1]) * (s[1] - r[1])

    a, b, c = corners
    if "circumcentre" in values:
        assert len({far(values["circumcentre"], corner) for corner in corners}) == 1
    if "orthocentre" in values:
        assert dot(a, values["orthocentre"], b, c) == dot(b, values["orthocentre"], a, c) == 0
    if "nine" in values:
        middles = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in ((a, b), (b, c), (a, c))]
        assert len({far(values["nine"], middle) for middle in middles}) == 1
    if "mirror" in values:
        assert far(values["mirror"], b) == far(a, b)
        assert far(values["mirror"], c) == far(a, c)
        assert values["mirror"] != a


def test_an_angle_fact_leads_on_in_whole_degrees() -> None:
    for kind in polygon_angles.WORDS:
        for seed in range(30):
            fact, more = polygon_angles.continued(Random(seed), kind, [70, 40], 1)
            sizes = dict(enumerate([70, 40, *more], 1))
            if more:
                for terms, total in polygon_angles.equations(fact):
                    assert sum(times * sizes[angle] for angle, times in terms) == total


def test_the_second_opinion_on_areas_agrees_and_can_disagree() -> None:
    opinions = []
    for level in range(6):
        for seed in range(3):
            drawn = task("geometry/coordinate_areas", seed, level)
            other = task("geometry/coordinate_areas", seed + 50, level)
            assert drawn.audit(drawn.answer()) in (True, None)
            if len(other.answer().split(",")) == len(drawn.answer().split(",")):
                opinion = drawn.audit(other.answer())
                assert opinion is None or opinion == (drawn.verify(other.answer()).value == 1)
                opinions.append(opinion)
    assert False in opinions


def test_angles_are_the_same_problem_under_other_numbers() -> None:
    fact = polygon_angles.Fact
    one = PolygonAngles(
        facts=(fact("line", (1, 2)), fact("apex", (2, 3))), given=((1, 80),), asked=3
    )
    two = PolygonAngles(
        facts=(fact("base", (1, 4)), fact("line", (4, 7))), given=((7, 80),), asked=1
    )
    assert one.answer() == two.answer() == "40"
    assert one.canonical() == two.canonical()
    assert one.canonical() != one.model_copy(update={"given": ((1, 70),)}).canonical()


@pytest.mark.parametrize("told", ["{}°", "{} Degrees", "{}^\\circ", " {}.0 ", "{} °"])
def test_degrees_may_be_named(told: str) -> None:
    drawn = task("geometry/polygon_angles", 3, 2)
    assert drawn.verify(told.format(drawn.answer())).value == 1
    assert drawn.verify(told.format("17")).value == 0


@pytest.mark.parametrize("level", range(7))
def test_all_angles_told_of_follow_and_are_within_their_bounds(level: int) -> None:
    drawn = task("geometry/polygon_angles", 1, level)
    sums = [e for fact in drawn.facts for e in polygon_angles.equations(fact)]
    sums += [polygon_angles.Equation(((angle, 1),), size) for angle, size in drawn.given]
    angles = sorted({angle for terms, _ in sums for angle, _ in terms})
    rows = [(*(dict(terms).get(a, 0) for a in angles), total) for terms, total in sums]
    sizes = dict(zip(angles, solved(rows), strict=True))  # there are as many sums as angles
    assert all(size.denominator == 1 and 0 < size < 180 for size in sizes.values())
    assert str(sizes[drawn.asked]) == drawn.answer()


def test_triangles_are_the_same_problem_whichever_corner_is_b() -> None:
    a, b, c = (0, 0), (5, 1), (2, 7)
    for asked in (("foot",), ("centroid", "incentre")):
        one = TriangleCentres(corners=(a, b, c), asked=asked)
        assert one.canonical() == TriangleCentres(corners=(a, c, b), asked=asked).canonical()
        moved = tuple((x + 3, y - 8) for x, y in (b, a, c))
        other = TriangleCentres(corners=moved, asked=asked)
        assert (one.canonical() == other.canonical()) == (asked != ("foot",))


def test_areas_may_be_written_with_blanks_or_thousands() -> None:
    field = CoordinateAreas(about="area", polygons=(((0, 0), (61, 0), (61, 41), (0, 41)),))
    assert field.verify("2,501").value == field.verify("5002 / 2").value == 1
    assert field.verify("2,502").value == 0
    with pytest.raises(Unreadable):
        field.verify("2, 501")
    counted = task("geometry/coordinate_areas", 3, 2)
    area, sides, within = counted.values()
    assert counted.verify(f"{2 * area} / 2, {sides}, {within}").value == 1
    assert counted.verify(f"{area}, {within}, {sides}").value == 0


def test_points_are_in_a_polygon_as_the_angles_seen_from_them_say() -> None:
    for seed in range(8):
        drawn = task("geometry/point_in_polygon", seed, 3)
        assert drawn.audit(drawn.answer())
        names = drawn.answer().split(", ")
        assert drawn.verify(" ".join(reversed(names)).lower()).value == 1
        assert drawn.verify(", ".join(names[1:])).value == 0
        with pytest.raises(Unreadable):
            drawn.verify(", ".join([*names, names[0]]))


# -------------------------------------------------------------------------------------------- games


def perft(signs: chess_moves.Board, white: bool, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        perft(chess_moves.made(signs, move), not white, depth - 1)
        for move in chess_moves.legal(signs, white)
    )


@pytest.mark.parametrize(
    ("rows", "depth", "number"),
    [
        ("rnbqkbnr pppppppp ........ ........ ........ ........ PPPPPPPP RNBQKBNR", 3, 8902),
        # No castling or en passant is possible in this well-known position of promotions.
        ("n.n..... PPPk.... ........ ........ ........ ........ ....Kppp .....N.N", 3, 9483),
    ],
)
def test_as_many_lines_of_play_as_chess_programs_count(rows: str, depth: int, number: int) -> None:
    assert perft(chess_moves.board(rows.split()), True, depth) == number


def test_chess_agrees_with_another_library() -> None:
    chess = pytest.importorskip("chess")
    for seed in range(10):
        for rows in task("games/chess_mate", seed, 3).boards:
            fen = chess_moves.diagram(rows).split("FEN: ")[1].rstrip(")")
            other = chess.Board(fen)
            ours = set(map(str, chess_moves.legal(chess_moves.board(rows), True)))
            assert ours == {move.uci() for move in other.legal_moves}


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_short_cuts_of_chess_leave_no_move_out(seed: int) -> None:
    rng = Random(seed)
    signs = chess_problems.scattered(rng, "KQRBNPP", "qrbnpp")
    for white in (True, False):
        plain = {
            move
            for move in chess_moves._moves(signs, white)
            if not chess_moves.in_check(chess_moves.made(signs, move), white)
        }
        assert set(chess_moves.legal(signs, white)) == plain
        if not chess_moves.in_check(signs, not white):
            after = {move: chess_moves.made(signs, move) for move in plain}
            checks = {move for move in plain if chess_moves.in_check(after[move], not white)}
            assert {move for move, _ in chess_moves.checking(signs, white)} == checks
            for move in checks:
                fled = any(True for _ in chess_moves.legal(after[move], not white))
                assert chess_moves.mated(after[move], not white) == (not fled)


def test_a_pawn_of_whites_may_mate_by_what_it_becomes() -> None:
    rows = [".......k", "....P...", "......K.", *["........"] * 5]
    drawn = ChessMate(boards=(tuple(rows),), moves=1)
    for answer in ("e7e8q", "e7e8r", "E7-E8=Q#", "'e7e8q'"):
        assert drawn.verify(answer).value == 1
        assert drawn.audit(answer.strip("'").casefold())
    for answer in ("e7e8b", "e7e8", "g6f7", "e7e8n"):
        assert drawn.verify(answer).value == 0


def test_all_mates_and_no_other_moves_are_accepted() -> None:
    for seed in range(4):
        drawn = task("games/chess_mate", seed, 3)
        mates = [chess_problems.mate_in_one(rows)[0] for rows in drawn.boards]
        right = drawn.answer().splitlines()
        for n, rows in enumerate(drawn.boards):
            for move in chess_moves.legal(chess_moves.board(rows), True):
                told = "\n".join([*right[:n], str(move), *right[n + 1 :]])
                assert drawn.verify(told).value == (move in mates[n])


def test_a_smothered_mate_is_mate_and_a_stalemate_is_not() -> None:
    smothered = "......rk .....Npp ........ ........ ........ ........ ........ K......."
    assert chess_moves.mated(chess_moves.board(smothered.split()), white=False)
    stalemate = "k....... ..Q..... .K...... ........ ........ ........ ........ ........"
    board = chess_moves.board(stalemate.split())
    assert not chess_moves.mated(board, white=False)
    assert next(chess_moves.legal(board, False), None) is None


def test_mate_in_two_needs_an_answer_to_every_reply() -> None:
    drawn = task("games/chess_mate", 1, 5)
    first, *rest = drawn.answer().splitlines()
    assert drawn.verify(drawn.answer()).value == 1
    assert drawn.verify(first).value == 0
    assert drawn.verify("\n".join([first, *rest[1:]])).value == 0


def test_a_hand_of_mahjong_worked_by_hand() -> None:
    def tiles(text: str) -> list[mahjong_hand.Tile]:
        return [mahjong_hand.Tile("ABC".index(t[0]), int(t[1])) for t in text.split()]

    drawn, offered = tiles("B1 A9"), tiles("B7 B1")
    rounds = [mahjong_hand.Round(*pair) for pair in zip(drawn, offered)]
    course = mahjong_hand.played(tiles("A5 A8 B3 B7 B7 B7 B8"), rounds)
    assert [after.outcome for after in course] == ["peng", "pass"]
    assert [str(tile) for tile in course[-1].hand] == ["A5", "B1", "B3", "B7", "B8"]


@pytest.mark.parametrize("level", range(6))
def test_a_hand_goes_as_the_prompt_says(level: int) -> None:
    for seed in range(6):
        drawn: MahjongHand = task("games/mahjong_hand", seed, level)
        prompt = drawn.prompt()
        hand = re.search(r"hand at first: (.*)", prompt)[1].split()
        said = []
        for new, thrown in re.findall(r"drawn (..), thrown away by the neighbour (..)", prompt):
            hand.append(new)
            suits, equal = Counter(tile[0] for tile in hand), Counter(hand)
            least = min((suits[tile[0]], equal[tile]) for tile in hand)
            hand.remove(max(tile for tile in hand if (suits[tile[0]], equal[tile]) == least))
            runs = ["".join(map(str, range(n, n + 3))) for n in range(1, 8)]
            others = [
                [thrown[0] + n for n in run if n != thrown[1]] for run in runs if thrown[1] in run
            ]
            others = [pair for pair in others if all(tile in hand for tile in pair)]
            pair = [thrown] * 2 if hand.count(thrown) > 1 else next(iter(others), [])
            said.append("pass" if not pair else "peng" if thrown in pair else "chi")
            for tile in pair:
                hand.remove(tile)
        told = f"Hand: {' '.join(reversed(hand)).lower()}\nOutcomes: {', '.join(said).upper()}"
        assert drawn.verify(told).value == 1
        assert drawn.audit(told)
        assert drawn.verify(told.replace("Hand: ", "Hand: b1 ")).value == 0


@pytest.mark.parametrize(("size", "moves"), [(3, 1), (4, 2), (3, 3), (5, 2)])
def test_captures_are_found_as_a_search_without_cuts_finds_them(size: int, moves: int) -> None:
    found = 0
    for seed in range(25):
        board = capture_go.drawn(Random(seed), size, 0.6)
        for target, _ in capture_go.groups(board, size):
            right = capture_go.winning_moves(board, target, moves, size)[0]
            plain = capture_go.plainly(board, target, moves, size, frozenset({board}))
            assert set(right) == set(plain)
            found += len(right)
    assert found > 5


def test_go_is_judged_by_sets_of_moves() -> None:
    drawn = task("games/capture_go", 3, 2)
    rows = drawn.answer().splitlines()
    told = [", ".join(reversed(row.upper().split(", "))) for row in rows]
    assert drawn.verify("\n".join(told)).value == 1
    n = next(n for n, row in enumerate(rows) if row != "none")

    def instead(row: str) -> str:
        return "\n".join([*rows[:n], row, *rows[n + 1 :]])

    assert drawn.verify(instead("none")).value == 0
    assert drawn.verify(instead(f"{rows[n]}, r5c5")).value == 0
    with pytest.raises(Unreadable):
        drawn.verify(instead(f"{rows[n]}, {rows[n]}"))


def test_pieces_fall_and_full_rows_go_away() -> None:
    gap = (0b01111, 0b01111, 0b01111, 0b00111, 0, 0)  # five columns, the last one open
    put = tetris_placement.Placement
    drop = tetris_placement.dropped(gap, "I", put(2, 5), 5, 6)
    assert drop == ((0b10111, 0, 0, 0, 0, 0), 3)
    assert tetris_placement.dropped(gap, "I", put(2, 6), 5, 6) is None  # beside the board
    assert tetris_placement.dropped(gap, "I", put(2, 1), 5, 6) is None  # sticks out above
    assert [len(tetris_placement.turns(piece)) for piece in "IOTSZJL"] == [2, 1, 4, 2, 2, 4, 4]


@pytest.mark.parametrize("level", range(6))
def test_a_tetris_plan_is_judged_as_square_by_square(level: int) -> None:
    drawn = task("games/tetris_placement", 4, level)
    rng = Random(level)
    for _ in range(60):
        plan = [rng.choice([*tetris_placement.options(p, drawn.width)]) for p in drawn.pieces]
        told = "\n".join(f"{p}{w.turn} {w.column}" for p, w in zip(drawn.pieces, plan))
        assert (drawn.verify(told).value == 1) == drawn.audit(told)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_drop_is_the_same_square_by_square(seed: int) -> None:
    rng = Random(seed)
    board = tetris_placement.rubble(rng, rng.randint(1, 5), 6, 7)
    full = {(r, c) for r, row in enumerate(board) for c in range(6) if row >> c & 1}
    piece = rng.choice("IOTSZJL")
    for turn, column in product(range(1, len(tetris_placement.turns(piece)) + 1), range(8)):
        where = tetris_placement.Placement(turn, column)
        drop = tetris_placement.dropped(board, piece, where, 6, 7)
        slow = tetris_placement.dropped_by_squares(full, piece, where, 6, 7)
        assert (drop is None) == (slow is None)
        if drop is not None:
            left = {(r, c) for r, row in enumerate(drop.board) for c in range(6) if row >> c & 1}
            assert (left, drop.cleared) == slow


@pytest.mark.parametrize("level", [0, 1])
def test_the_chance_of_a_random_tetris_plan_is_counted(level: int) -> None:
    drawn = task("games/tetris_placement", 2, level)
    plans = list(product(*(list(tetris_placement.options(p, drawn.width)) for p in drawn.pieces)))
    good = sum(drawn.cleared(plan)[0] >= drawn.goal() for plan in plans)
    assert good > 0
    assert drawn.chance() == pytest.approx(good / len(plans))


def test_a_tetris_board_and_its_mirror_image_are_one_problem() -> None:
    one = TetrisPlacement(board=(0b00111, 0b01111, 0, 0, 0, 0), pieces="JS", width=5)
    two = TetrisPlacement(board=(0b11100, 0b11110, 0, 0, 0, 0), pieces="LZ", width=5)
    assert one.canonical() == two.canonical()
    assert one.canonical() != two.model_copy(update={"pieces": "JS"}).canonical()


@given(st.text("abc", min_size=5, max_size=5), st.text("abc", min_size=5, max_size=5))
@settings(max_examples=80, deadline=None)
def test_hints_on_words_count_each_letter_once(guess: str, word: str) -> None:
    said = word_guessing.hint(guess, word)
    assert [sign == "=" for sign in said] == [g == w for g, w in zip(guess, word)]
    for letter in "abc":
        told = sum(g == letter and sign != "-" for g, sign in zip(guess, said))
        assert told == min(guess.count(letter), word.count(letter))


def test_a_word_off_the_list_costs_a_guess() -> None:
    drawn = task("games/word_guessing", 0, 0)
    episode = Episode(drawn)
    for _ in range(drawn.guesses):
        assert episode.scores is None
        episode.hear("zzzz")
    assert episode.score is not None
    assert episode.score.value == 0


def test_the_way_to_play_finds_the_word_by_what_it_is_told() -> None:
    drawn = task("games/word_guessing", 2, 2)
    left = set(drawn.listed)
    for guess in drawn.solve():
        assert guess in left
        left = {
            w for w in left if word_guessing.hint(guess, w) == word_guessing.hint(guess, drawn.word)
        }
    assert guess == drawn.word
