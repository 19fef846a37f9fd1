"""Moves on a map with walls, ice, arrows and portals."""

Cell = tuple[int, int]

STEP: dict[str, Cell] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
ARROWS = {"^": "up", "v": "down", "<": "left", ">": "right"}
WALL, ICE, COIN, FREE = "#", "~", "*", "."
PORTALS = "ABC"


def moved(board: tuple[str, ...], start: Cell, move: str) -> list[Cell]:
    """The cells that a move enters, in order; none where it is blocked.

    >>> moved(("..~.", "#..."), (0, 1), "right"), moved(("..", "#."), (0, 0), "down")
    ([(0, 2), (0, 3)], [])
    """
    size, path, here = len(board), list[Cell](), start
    while len(path) < 4 * size:
        row, column = here[0] + STEP[move][0], here[1] + STEP[move][1]
        inside = 0 <= row < size and 0 <= column < len(board[0])
        if not inside or board[row][column] == WALL:
            break
        here, sign = (row, column), board[row][column]
        path.append(here)
        if sign in PORTALS:
            path.append(other_end(board, here))
        if sign != ICE and sign not in ARROWS:
            break
        move = ARROWS.get(sign, move)
    return path


def other_end(board: tuple[str, ...], here: Cell) -> Cell:
    """The cell to which a portal leads."""
    letter = board[here[0]][here[1]]
    ends = [(r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign == letter]
    return ends[ends.index(here) - 1]
