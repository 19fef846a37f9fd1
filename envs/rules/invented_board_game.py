"""Games that are explained in the prompt, from a grammar of rules, as in general game playing (M.
Genesereth, N. Love and B. Pell, 2005) and in the games of Ludii (E. Piette and others, 2020).
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from string import ascii_lowercase
from typing import NamedTuple, Self

from palaestra.generators.rules.invented_board_game import (
    FIRST,
    WAYS,
    Board,
    Engine,
    Game,
    Move,
    Position,
    Shape,
    careless_games,
    engine,
    played,
    random_game,
    random_position,
)
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, numbered, pairs
from palaestra.verifiers.reading.layout import list_text
from palaestra.verifiers.reading.nodes import edge_list
from palaestra.verifiers.reading.values import joined, opened

CAPTURES: Mapping[str, str] = {
    "replace": (
        "A piece may also move to a cell with a piece of the other player, which is removed. It "
        "cannot pass over pieces on the way, except where its way of moving jumps."
    ),
    "jump": (
        "Pieces move to empty cells only. In addition, every piece may jump over a piece of the "
        "other player that is on one of the eight cells around it to the next cell in the same "
        "direction, if that is empty; the piece that it jumped over is removed. If a piece could "
        "reach the same cell by its way of moving, its move is such a jump all the same, and "
        "removes the piece in between."
    ),
    "custodial": (
        "Pieces move to empty cells only. After a move, each piece of the other player that stands "
        "directly between the moved piece and another piece of the same player, in a row or in a "
        "column, is removed."
    ),
}

GOALS: Mapping[str, str] = {
    "royal": "the other player has no piece {first}",
    "row": "one of its own pieces {first} stands on the last row in its forward direction",
    "line": (
        "three of its pieces, of any sort, stand on three cells next to each other in a row, in a "
        "column or in a diagonal"
    ),
    "few": "the other player has fewer than two pieces",
}

EXTRAS: Mapping[str, str] = {
    "freeze": (
        "A piece cannot move as long as a piece {first} of the other player stands on the cell "
        "above, below, left or right of it."
    ),
    "change": (
        "A piece that removes a piece by its move changes its letter when it arrives: {cycle}."
    ),
    "marsh": (
        "The cells {marsh} are marshes. A piece that moves over several empty cells cannot move "
        "on beyond a marsh, but may stop there."
    ),
    "cylinder": (
        "The left and the right edge of the board are joined: the cells to the left of column a "
        "are those of column {last}, and the other way round. This applies to everything in these "
        "rules."
    ),
    "must": (
        "If a player has a move that removes a piece, only moves that remove a piece are legal."
    ),
}


class Answers(NamedTuple):
    """The legal moves, the pieces after the line, and the winning moves on each board."""

    legal: frozenset[Move]
    end: Board
    wins: tuple[frozenset[Move], ...]


class InventedBoardGame(Puzzle):
    """List legal moves, replay a line and find the winning move in a game that is new each time."""

    tags = {"games", "rules", "search", "simulation"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(4, 4, 4, 5, 5, 5, 6, low=4, high=6)  # of the board
        sorts: int = ladder(2, 2, 2, 3, 3, 3, 4, low=2, high=5)  # of pieces
        extras: int = ladder(0, 1, 2, 1, 2, 3, 3, low=0, high=3)  # rules
        pieces: int = ladder(2, 3, 3, 3, 3, 4, 4, low=2, high=5)  # of each player
        boards: int = ladder(1, 1, 2, 1, 2, 2, 2, low=1, high=3)  # with winning moves
        line: int = ladder(2, 3, 4, 5, 6, 7, 8, low=2, high=8)  # moves to be replayed
        moves: int = ladder(1, 1, 1, 2, 2, 2, 2, high=2)  # of the winner

    game: Game
    position: Position
    depth: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        game = random_game(rng, knobs.size, knobs.sorts, knobs.extras)
        shape = Shape(knobs.pieces, knobs.line, knobs.boards, knobs.moves)
        position = random_position(rng, game, shape)
        return cls(game=game, position=position or Position((), ()), depth=knobs.moves)

    def is_valid(self) -> bool:
        """Whether there is a position."""
        return bool(self.position.boards)

    @property
    def engine(self) -> Engine:
        """The rules at work."""
        return engine(self.game)

    def cell(self, number: int) -> str:
        """A cell by its column and row, such as b3."""
        row, column = divmod(number, self.game.columns)
        return f"{ascii_lowercase[column]}{row + 1}"

    def sign(self, value: int) -> str:
        """The letter of a piece: large for the first player."""
        letter = self.game.letters[abs(value) - 1]
        return letter if value > 0 else letter.lower()

    def rules(self) -> str:
        """The rules in words."""
        game = self.game
        letters, first = game.letters, game.letters[0]
        board = (
            f"The board has {game.rows} rows, numbered from 1 at the bottom, and {game.columns} "
            f"columns, a to {ascii_lowercase[game.columns - 1]} from left to right. Two players, "
            "North and South, move one of their own pieces in turn. South has the capital letters, "
            "and its forward direction is up, to rows with greater numbers; North has the small "
            "letters, and its forward direction is down."
        )
        lines = [f"- {board}"]
        lines += [
            f"- A piece {letter} moves {WAYS[way].text}." for letter, way in zip(letters, game.ways)
        ]
        cycle = ", ".join(
            f"{one} becomes {other}" for one, other in zip(letters, [*letters[1:], first])
        )
        words = {
            "first": first,
            "cycle": cycle if len(letters) > 1 else f"{first} stays {first}",
            "marsh": joined(list(map(self.cell, game.marsh))),
            "last": ascii_lowercase[game.columns - 1],
        }
        lines += [f"- {CAPTURES[game.capture]}"]
        lines += [f"- {EXTRAS[extra].format(**words)}" for extra in game.extras]
        lines.append(
            f"- A player wins if, after a move of its own, {GOALS[game.goal].format(**words)}. A "
            "player who is to move and has no legal move loses at once. What is stated of a letter "
            "applies to pieces of both players."
        )
        return "\n".join(lines)

    def diagram(self, board: Board) -> str:
        """A board, with a point for an empty cell."""
        columns = self.game.columns
        rows = []
        for row in reversed(range(self.game.rows)):
            cells = board[row * columns : (row + 1) * columns]
            rows.append(f"{row + 1} " + " ".join(self.sign(v) if v else "." for v in cells))
        return "\n".join([*rows, "  " + " ".join(ascii_lowercase[:columns])])

    def prompt(self) -> str:
        opening = self.phrase(
            "These are the rules of an invented board game:",
            "A new game for two players, North and South, has these rules:",
        )
        line = ", ".join(map(self.move_text, self.position.line))
        goal = (
            "Which moves of South win at once in position {}?"
            if self.depth == 1
            else "Which moves can South play in position {} to win at once, or to win with its "
            "next move after that, whatever North does in between?"
        )
        first, *others = self.position.boards
        boards = [f"Position 1, in which South is to move:\n{self.diagram(first)}"]
        boards += [
            f"Position {n}, in which South is to move:\n{self.diagram(board)}"
            for n, board in enumerate(others, 2)
        ]
        replay = (
            f"Suppose that South and North play these moves in turn in position 1: {line}. Where "
            "do all pieces stand then?"
        )
        questions = [
            "Which moves are legal for South in position 1?",
            replay,
            *(f"{goal.format(n)} List all of them." for n in self.numbers),
        ]
        shown = "\n\n".join(boards)
        return (
            f"{opening}\n{self.rules()}\n\n{shown}\n\nQuestions:\n{numbered(questions)}\n\nAnswer "
            "with a line for each question. Write a move as the two cells between which the piece "
            "moves, a piece as its letter (small for North) and its cell, and separate items by "
            f"commas. The answer looks like this:\n{self._example()}"
        )

    @property
    def numbers(self) -> range:
        """The numbers of the positions."""
        return range(1, len(self.position.boards) + 1)

    def _example(self) -> str:
        """An answer with moves of no piece."""
        letters = self.game.letters
        pieces = f"{letters[0]}b2, {letters[-1].lower()}a4"
        return numbered(["a1-a2, b1-c1", pieces, *["c1-c2" for _ in self.numbers]])

    def move_text(self, move: Move) -> str:
        """A move such as a1-b3."""
        return f"{self.cell(move[0])}-{self.cell(move[1])}"

    def scene(self) -> Panels:
        """The boards; marshes are shaded."""
        names = tuple(f"Position {n}" for n in self.numbers)
        return Panels(tuple(map(self._pictured, self.position.boards)), names)

    def _pictured(self, board: Board) -> Grid:
        rows = []
        for row in reversed(range(self.game.rows)):
            cells = range(row * self.game.columns, (row + 1) * self.game.columns)
            rows.append(
                tuple(
                    Cell(
                        self.sign(board[n]) if board[n] else "",
                        "shade" if n in self.game.marsh else "paper",
                    )
                    for n in cells
                )
            )
        left = tuple((str(row),) for row in range(self.game.rows, 0, -1))
        bottom = tuple((letter,) for letter in ascii_lowercase[: self.game.columns])
        return Grid(tuple(rows), left=left, bottom=bottom)

    def text(self, legal: Iterable[Move], board: Board, wins: Iterable[Iterable[Move]]) -> str:
        """Answers as text."""
        pieces = [f"{self.sign(v)}{self.cell(n)}" for n, v in enumerate(board) if v]
        lists = [joined([self.move_text(move) for move in moves]) for moves in (legal, *wins)]
        return numbered([lists[0], joined(pieces), *lists[1:]])

    def answer(self) -> str:
        moves = self.engine.moves(self.position.board, FIRST)
        return self.text(moves, _end(self), _wins(self)[0])

    def read(self, answer: str) -> Answers:
        """The answers to the questions. Raises :class:`InvalidAnswer`."""
        number = 2 + len(self.position.boards)
        legal, end, *wins = pairs(answer, line_numbers(number)).values()
        winning = tuple(map(self._moves, wins))
        return Answers(self._moves(legal), self._board(end), winning)

    def _moves(self, text: str) -> frozenset[Move]:
        names = [self.cell(n) for n in range(self.game.rows * self.game.columns)]
        signs = {names[n]: self.sign(v) for n, v in enumerate(self.position.board) if v}
        text = _MOVE.sub(lambda move: _plain_move(move, signs), text)
        try:
            moves = edge_list(text, names)
        except InvalidAnswer:
            raise InvalidAnswer("expected moves on the board, such as 'a1-a2, b1-c1'") from None
        if len({*moves}) < len(moves):
            raise InvalidAnswer("a move is listed twice")
        return frozenset(moves)

    def _board(self, text: str) -> Board:
        cells = [0] * (self.game.rows * self.game.columns)
        names = {self.cell(n): n for n in range(len(cells))}
        values = {self.sign(v): v for n in range(len(self.game.letters)) for v in (n + 1, -n - 1)}
        for item in re.split(r"[,;]", opened(list_text(text))):
            match = _PIECE.fullmatch(item)
            if not match or match[1] not in values or match[2].casefold() not in names:
                raise InvalidAnswer("expected pieces of the game with their cells, such as 'Xa1'")
            cell = names[match[2].casefold()]
            if cells[cell]:
                raise InvalidAnswer("two pieces stand on one cell")
            cells[cell] = values[match[1]]
        return tuple(cells)

    def verify(self, answer: str) -> Score:
        stated = self.read(answer)
        legal = {*self.engine.moves(self.position.board, FIRST)}
        reasons = [
            "the list of legal moves is wrong" if stated.legal != legal else "",
            "the pieces do not stand like this" if stated.end != _end(self) else "",
            *(
                "" if moves == {*right} else "the list of winning moves is wrong"
                for moves, right in zip(stated.wins, _wins(self)[0])
            ),
        ]
        parts = {"progress": 1 - sum(map(bool, reasons)) / len(reasons)}
        wrong = [f"question {n}: {reason}" for n, reason in enumerate(reasons, 1) if reason]
        return Score(0, wrong[0], parts) if wrong else Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Try each legal move on each board, with a search of its own."""
        stated, rules = self.read(answer), self.engine
        if stated.legal != {*rules.moves(self.position.board, FIRST)} or stated.end != _end(self):
            return False
        return all(
            moves
            == {
                move
                for move in rules.moves(board, FIRST)
                if _forced(rules, rules.after(board, FIRST, move), self.depth - 1)
            }
            for board, moves in zip(self.position.boards, stated.wins)
        )

    def difficulty(self) -> float:
        """The moves that the search for wins and the replayed line had to consider, times the rules
        that decide on each: those of moving, of capturing and of winning, and the additional ones.
        """
        rules, board, player, total = self.engine, self.position.board, FIRST, 0
        for move in self.position.line:
            total += len(rules.moves(board, player))
            board, player = rules.after(board, player, move), -player
        return float((total + _wins(self)[1]) * (3 + len(self.game.extras)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who overlook a rule, or do not look ahead."""
        legal, end = self.engine.moves(self.position.board, FIRST), _end(self)
        choices: dict[str, list[list[Move]]] = {"random move": [], "captures": []}
        choices |= {"fewest replies": [], "wins at once": [], "random moves": []}
        for board in self.position.boards:
            moves = self.engine.moves(board, FIRST)
            taking = [move for move in moves if self.engine.captured(board, FIRST, move)]
            after = [self.engine.after(board, FIRST, move) for move in moves]
            replies = [len(self.engine.moves(each, -FIRST)) for each in after]
            few = [move for move, number in zip(moves, replies) if number == min(replies)]
            at_once = [*self.engine.wins(board, FIRST, 1)]
            choices["random move"].append([rng.choice(moves)])
            choices["captures"].append(taking or moves)
            choices["fewest replies"].append(few)
            choices["random moves"].append(rng.sample(moves, rng.randint(1, len(moves) // 2)))
            if self.depth > 1:
                choices["wins at once"].append(at_once or few)
            else:
                choices["wins at once"].append(taking[:1] or moves[:1])
        players = {name: self.text(legal, end, wins) for name, wins in choices.items()}
        for name, game in careless_games(self.game).items():
            if game == self.game:
                continue
            other = engine(game)
            moves = other.moves(self.position.board, FIRST) or legal
            wins = [
                [*other.wins(board, FIRST, self.depth)] or moves[:1]
                for board in self.position.boards
            ]
            players[name] = self.text(moves, played(game, self.position), wins)
        return players

    def shortcuts(self) -> Iterable[str]:
        """The position as it stands, with the first legal move."""
        legal = self.engine.moves(self.position.board, FIRST)
        wins = [legal[:1] for _ in self.numbers]
        yield self.text(legal[:1], self.position.board, wins)


_MOVE = re.compile(r"\b([A-Z]?)([a-h]\d)([- \u2013x\u2192]?)([a-h]\d)\b")


def _plain_move(move: re.Match[str], signs: Mapping[str, str]) -> str:
    """A move without the letter of the piece, if that is right, and with a hyphen."""
    sign, start, _, end = move.groups()
    if sign and sign != signs.get(start):
        return move[0]
    return f"{start}-{end}"


_PIECE = re.compile(
    r"\s*+([A-Za-z])[ \t]*+(?:(?:on|at|:|=|-)[ \t]*+)?([A-Za-z]\d)\s*+\.?", re.ASCII
)


@lru_cache(maxsize=64)
def _wins(task: InventedBoardGame) -> tuple[list[list[Move]], int]:
    """The winning moves on each board, and how many moves the search examined."""
    rules = Engine(task.game)
    rows = [[*rules.wins(board, FIRST, task.depth)] for board in task.position.boards]
    return rows, rules.examined


@lru_cache(maxsize=64)
def _end(task: InventedBoardGame) -> Board:
    return played(task.game, task.position)


def _forced(rules: Engine, board: Board, moves: int) -> bool:
    """Whether the first player, who has just moved, has won or wins after each reply."""
    if rules.has_won(board, FIRST):
        return True
    replies = [rules.after(board, -FIRST, move) for move in rules.moves(board, -FIRST)]
    if not replies or not moves:
        return not replies
    return all(
        not rules.has_won(reply, -FIRST)
        and any(
            _forced(rules, rules.after(reply, FIRST, move), moves - 1)
            for move in rules.moves(reply, FIRST)
        )
        for reply in replies
    )
