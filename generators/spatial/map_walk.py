"""Moves on a map with walls, ice, arrows and portals."""

Cell = tuple[int, int]

STEP: dict[str, Cell] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
ARROWS = {"^": "up", "v": "down", "<": "left", ">": "right"}
WALL, ICE, COIN, FREE = "#", "~", "*", "."
PORTALS = "ABC"


def moved(board: tuple[str, ...], start: Cell, move: str) -> list[Cell]:
    """The cells that a move enters, in order; an empty list if it is blocked.

    >>> moved(("..~.", "#..."), (0, 1), "right"), moved(("..", "#."), (0, 0), "down")
    ([(0, 2), (0, 3)], [])
    """
    size, path, cell = len(board), list[Cell](), start
    while len(path) < 4 * size:
        row, column = cell[0] + STEP[move][0], cell[1] + STEP[move][1]
        inside = 0 <= row < size and 0 <= column < len(board[0])
        if not inside or board[row][column] == WALL:
            break
        cell, sign = (row, column), board[row][column]
        path.append(cell)
        if sign in PORTALS:
            path.append(other_end(board, cell))
        if sign != ICE and sign not in ARROWS:
            break
        move = ARROWS.get(sign, move)
    return path


def other_end(board: tuple[str, ...], portal: Cell) -> Cell:
    """The other cell of a pair of portals."""
    letter = board[portal[0]][portal[1]]
    ends = [(r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign == letter]
    return ends[ends.index(portal) - 1]
