"""Tests of rules/invented_board_game: rules are read from prompts, and played by another engine."""

import re
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.rules.invented_board_game import InventedBoardGame
from palaestra.generators.rules.invented_board_game import (
    FIRST,
    SECOND,
    WAYS,
    Engine,
    Game,
    Position,
    random_board,
    random_game,
)
from palaestra.task import InvalidAnswer

NAME = "rules/invented_board_game"

SIDES = [(0, 1), (0, -1), (1, 0), (-1, 0)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
MOVES = {  # by words of the prompt: directions of (columns, rows), how far
    "one cell up, down": (SIDES, 1),
    "one cell diagonally": (CORNERS, 1),
    "one cell in any": (SIDES + CORNERS, 1),
    "one cell forward": ([(-1, 1), (0, 1), (1, 1)], 1),
    "exactly two cells up": ([(2 * x, 2 * y) for x, y in SIDES], 1),
    "exactly two cells diagonally": ([(2 * x, 2 * y) for x, y in CORNERS], 1),
    "two cells up": ([(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)],
                     1),
    "three cells up": ([(x, y) for x in (-3, -1, 1, 3) for y in (-3, -1, 1, 3) if abs(x) != abs(y)],
                       1),
    "up to three cells up": (SIDES, 3),
    "up to three cells diagonally": (CORNERS, 3),
}  # fmt: skip


class Reading:
    """The game of a prompt: boards are dictionaries from cells such as b3 to letters."""

    def __init__(self, prompt):
        self.prompt = prompt
        rules = prompt.split("\n\n")[0]
        self.rows, self.columns = map(int, re.search(r"(\d+) rows.* (\d+) columns", rules).groups())
        self.ways = {}
        for letter, text in re.findall(r"^- A piece ([A-Z]) moves (.+)\.$", rules, re.MULTILINE):
            (way,) = (way for words, way in MOVES.items() if text.startswith(words))
            self.ways[letter] = way
        self.replaces = "which is removed. It" in rules
        self.jumps = "it jumped over is removed" in rules
        self.sandwiches = "another piece of the same player" in rules
        self.frozen = re.search(r"as long as a piece (\w) of", rules)
        self.cycle = dict(re.findall(r"(\w) becomes (\w)", rules))
        marsh = re.search(r"The cells (.+) are marshes", rules)
        self.marsh = set(marsh[1].split(", ")) if marsh else set()
        self.round = "edge of the board are joined" in rules
        self.must = "only moves that remove a piece are legal" in rules
        self.goal = re.search(r"after a move of its own, (.+?)\.", rules)[1]

    def cell(self, x, y):
        if self.round:
            x %= self.columns
        if 0 <= x < self.columns and 0 <= y < self.rows:
            return f"{'abcdefghij'[x]}{y + 1}"
        return None

    def near(self, cell, dx, dy):
        return self.cell("abcdefghij".index(cell[0]) + dx, int(cell[1:]) - 1 + dy)

    def boards(self):
        for block in self.prompt.split("\n\n"):
            if block.startswith("Position "):
                board = {}
                for line in block.splitlines()[1:-1]:
                    row, *signs = line.split()
                    for x, sign in enumerate(signs):
                        if sign != ".":
                            board[self.cell(x, int(row) - 1)] = sign
                yield board

    def enemy(self, sign, south):
        return sign is not None and sign.islower() == south

    def own(self, sign, south):
        return sign is not None and sign.isupper() == south

    def legal(self, board, south):
        moves, taking = set(), set()
        for cell, sign in board.items():
            if not self.own(sign, south):
                continue
            if self.frozen and any(
                self.enemy(board.get(self.near(cell, *side)), south)
                and board[self.near(cell, *side)].upper() == self.frozen[1]
                for side in SIDES
            ):
                continue
            directions, far = self.ways[sign.upper()]
            for dx, dy in directions:
                here = cell
                for _ in range(far):
                    here = self.near(here, dx, dy if south else -dy)
                    if here is None:
                        break
                    if here in board:
                        if self.replaces and self.enemy(board[here], south):
                            moves.add((cell, here))
                        break
                    moves.add((cell, here))
                    if here in self.marsh:
                        break
            for dx, dy in SIDES + CORNERS if self.jumps else ():
                over = self.near(cell, dx, dy)
                to = over and self.near(over, dx, dy)
                if to and self.enemy(board.get(over), south) and to not in board:
                    moves.add((cell, to))
        taking = {m for m in moves if len(self.played(board, m, south)) < len(board)}
        return taking if self.must and taking else moves

    def played(self, board, move, south):
        start, to = move
        new = {cell: sign for cell, sign in board.items() if cell not in move}
        new[to] = board[start]
        gone = {to} & board.keys()
        for dx, dy in SIDES + CORNERS if self.jumps else ():
            over = self.near(start, dx, dy)
            if over and self.near(over, dx, dy) == to and self.enemy(board.get(over), south):
                gone.add(over)
        for dx, dy in SIDES if self.sandwiches else ():
            middle = self.near(to, dx, dy)
            end = middle and self.near(middle, dx, dy)
            if end and self.enemy(new.get(middle), south) and self.own(new.get(end), south):
                gone.add(middle)
        for cell in gone - {to}:
            del new[cell]
        if gone and self.cycle:
            letter = self.cycle[board[start].upper()]
            new[to] = letter if south else letter.lower()
        return new

    def won(self, board, south):
        signs = [*board.values()]
        others = [sign for sign in signs if self.enemy(sign, south)]
        if "has no piece" in self.goal:
            return self.goal[-1] not in "".join(others).upper()
        if "fewer than two" in self.goal:
            return len(others) < 2
        if "last row" in self.goal:
            letter = re.search(r"pieces (\w) stands", self.goal)[1]
            row = self.rows if south else 1
            sign = letter if south else letter.lower()
            return any(board.get(f"{x}{row}") == sign for x in "abcdefghij"[: self.columns])
        for cell, sign in board.items():
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                two = self.near(cell, dx, dy)
                three = two and self.near(two, dx, dy)
                if three and all(
                    self.own(s, south) for s in (sign, board.get(two), board.get(three))
                ):
                    return True
        return False

    def wins(self, board, south, moves):
        """The moves that win within so many moves."""
        result = set()
        for move in self.legal(board, south):
            after = self.played(board, move, south)
            replies = self.legal(after, not south)
            if self.won(after, south) or not replies:
                result.add(move)
            elif moves > 1:
                ends = [self.played(after, reply, not south) for reply in replies]
                if all(not self.won(end, not south) and self.wins(end, south, moves - 1)
                       for end in ends):  # fmt: skip
                    result.add(move)
        return result


def moves_of(text):
    return {tuple(each.split("-")) for each in text.split(", ")}


@pytest.mark.parametrize("level", range(7))
def test_answers_are_those_of_another_engine(level):
    for seed in range(6 if level < 5 else 3):
        task = Address.of(NAME, seed, level).task()
        prompt = task.prompt()
        game = Reading(prompt)
        boards = [*game.boards()]
        lines = [line.split(": ")[1] for line in task.answer().splitlines()]
        assert moves_of(lines[0]) == game.legal(boards[0], True)
        board, south = boards[0], True
        for move in re.search(r"in turn in position 1: (.+?)\.", prompt)[1].split(", "):
            start, to = move.split("-")
            assert (start, to) in game.legal(board, south)
            board, south = game.played(board, (start, to), south), not south
            assert not game.won(board, not south)
        assert {each[1:]: each[0] for each in lines[1].split(", ")} == board
        depth = 1 if "win at once in position" in prompt else 2
        for each, line in zip(boards, lines[2:], strict=True):
            assert moves_of(line) == game.wins(each, True, depth)


def test_all_rules_occur():
    rng, known = Random(1), set()
    for _ in range(200):
        game = random_game(rng, 5, 3, 2)
        known |= {*game.ways, game.capture, game.goal, *game.extras}
    assert known == {*WAYS, "replace", "jump", "custodial", "royal", "row", "line", "few",
                     "freeze", "change", "marsh", "cylinder", "must"}  # fmt: skip


def test_boards_have_the_first_piece_of_both_players():
    rng = Random(3)
    for _ in range(30):
        board = random_board(rng, random_game(rng, 4, 2, 0), 3)
        assert FIRST in board
        assert SECOND in board
        assert sum(value > 0 for value in board) == sum(value < 0 for value in board) == 3


# A game by hand on a board of four rows and four columns, where a1 is cell 0.
GAME = Game(4, 4, ("K", "T"), ("side", "rook"), "replace", "royal", (), ())


def board_of(**cells):
    values = {"K": 1, "T": 2, "k": -1, "t": -2}
    board = [0] * 16
    for cell, sign in cells.items():
        board["abcd".index(cell[0]) + 4 * (int(cell[1]) - 1)] = values[sign]
    return tuple(board)


BOARD = board_of(a1="K", b1="T", b4="k", d4="t")
TASK = InventedBoardGame(game=GAME, position=Position((BOARD,), ((1, 3),)), depth=1)
LEGAL = "a1-a2, b1-c1, b1-d1, b1-b2, b1-b3, b1-b4"


def test_a_game_worked_by_hand():
    assert TASK.answer() == f"1: {LEGAL}\n2: Ka1, Td1, kb4, td4\n3: b1-b4"
    assert TASK.verify(f"1: {LEGAL}\n2: td4, kb4, K a1 and T on d1\n3: b1 -> b4").correct
    assert TASK.verify(f"1: {LEGAL}\n2: td4, kb4, Ka1, Td1\n3: b1-b3").reason == (
        "question 3: the list of winning moves is wrong"
    )
    assert TASK.verify(f"1: {LEGAL}\n2: Td4, kb4, Ka1, Td1\n3: b1-b4").reason == (
        "question 2: the pieces do not stand like this"
    )
    assert TASK.verify(f"1: {LEGAL}, a1-b2\n2: td4, kb4, Ka1, Td1\n3: b1-b4").reason == (
        "question 1: the list of legal moves is wrong"
    )


@pytest.mark.parametrize("form", [r"\1\2", r"\1x\2", r"\1 \2"])
def test_other_notations_of_moves(form):
    answer = TASK.answer()
    assert TASK.verify(re.sub(r"(\w\d)-(\w\d)", form, answer)).correct
    pieces = {"a1": "K", "b1": "T"}
    lettered = re.sub(r"(\w\d)-", lambda match: f"{pieces[match[1]]}{match[1]}-", answer)
    assert TASK.verify(lettered).correct
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer.replace("b1-", "Kb1-"))


@pytest.mark.parametrize(
    "answer",
    [
        "1: a1-e2\n2: Ka1\n3: b1-b4", "1: a1-a2, a1-a2\n2: Ka1\n3: b1-b4",
        "1: a1-a2\n2: Xa1\n3: b1-b4",
        "1: a1-a2\n2: Ka1, Ta1\n3: b1-b4", "1: a1-a2\n2: K\n3: b1-b4", "1: a1-a2\n2: Ka9\n3: b1-b4",
        "1: a1-a2\n2: Ka1", "1: \n2: Ka1\n3: a1-a2 wins",
    ],
)  # fmt: skip
def test_answers_that_cannot_be_read(answer):
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer)


def engine_of(**rules):
    return Engine(GAME._replace(**rules))


def test_additional_rules_worked_by_hand():
    freeze = engine_of(extras=("freeze",))
    assert freeze.moves(board_of(a1="K", a2="k", c1="T"), FIRST)[0][0] == 2  # only from c1
    must = engine_of(extras=("must",))
    assert must.moves(BOARD, FIRST) == [(1, 13)]
    marsh = engine_of(extras=("marsh",), marsh=(5,))
    assert (1, 9) not in marsh.moves(BOARD, FIRST)
    assert (1, 5) in marsh.moves(BOARD, FIRST)
    change = engine_of(extras=("change",))
    assert change.after(BOARD, FIRST, (1, 13))[13] == 1  # T becomes K
    assert change.after(BOARD, FIRST, (1, 5))[5] == 2
    round_ = engine_of(columns=4, extras=("cylinder",))
    assert (0, 3) in round_.moves(BOARD, FIRST)


def test_captures_worked_by_hand():
    jump = engine_of(capture="jump")
    board = board_of(a1="K", b2="k", c1="T", c2="t")
    assert jump.after(board, FIRST, (0, 10)) == board_of(c3="K", c1="T", c2="t")
    assert (2, 10) in jump.moves(board, FIRST)
    assert (0, 5) not in jump.moves(board, FIRST)
    custodial = engine_of(capture="custodial")
    board = board_of(a1="K", b1="k", c4="T", d2="t", a3="t")
    assert custodial.after(board, FIRST, (14, 2)) == board_of(a1="K", c1="T", d2="t", a3="t")
    assert custodial.after(board, SECOND, (8, 12)) == board_of(
        a1="K", b1="k", c4="T", d2="t", a4="t"
    )
