"""Snake: the rules, and a player who sees the board only and keeps a way to its own tail."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from palaestra.generators.games.grid_neighbours import neighbours

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Board(NamedTuple):
    """A square board without walls."""

    size: int

    def after(self, cell: int, way: str) -> int | None:
        """The cell that a step leads to; None off the board."""
        row, column = divmod(cell, self.size)
        down, right = STEPS[way]
        row, column = row + down, column + right
        if not (0 <= row < self.size and 0 <= column < self.size):
            return None
        return row * self.size + column

    def free(self, body: Sequence[int]) -> list[int]:
        """The cells without snake."""
        taken = {*body}
        return [cell for cell in range(self.size**2) if cell not in taken]


class Snake(NamedTuple):
    """The cells of the snake from its head to its tail, and that of the food."""

    body: tuple[int, ...]
    food: int


def moved(board: Board, snake: Snake, way: str) -> tuple[int, ...] | None:
    """The snake's body after a step; None if it leaves the board or hits itself.

    The tail moves on in the same step, so its cell can be entered, unless the snake eats and grows.
    """
    head = board.after(snake.body[0], way)
    if head is None:
        return None
    rest = snake.body if head == snake.food else snake.body[:-1]
    return None if head in rest else (head, *rest)


def ways(board: Board, snake: Snake) -> dict[str, tuple[int, ...]]:
    """The steps that the snake survives, with its body after each of them."""
    bodies = {way: moved(board, snake, way) for way in STEPS}
    return {way: body for way, body in bodies.items() if body is not None}


def steps_to(board: Board, goal: int, taken: Set[int]) -> dict[int, int]:
    """How many steps it takes to a goal from each cell from which it can be reached, around cells
    that are taken.
    """
    around = neighbours(board.size, board.size)
    barred = {*taken} - {goal}
    steps, wave = {goal: 0}, [goal]
    for cell in wave:
        for other in around[cell]:
            if other not in steps and other not in barred:
                steps[other] = steps[cell] + 1
                wave.append(other)
    return steps


def careful_way(board: Board, snake: Snake) -> str | None:
    """The step of a careful player: to the food by a shortest way after which it could still
    follow its tail, else along the longest way to its tail. None where no step is survived.
    """
    options = ways(board, snake)
    safe = {way: body for way, body in options.items() if _follows_tail(board, body)}
    near = steps_to(board, snake.food, {*snake.body[1:-1]})
    to_food = {way: near[body[0]] for way, body in safe.items() if body[0] in near}
    if to_food and _safe_after_food(board, snake, min(to_food, key=lambda way: to_food[way])):
        return min(to_food, key=lambda way: to_food[way])
    if safe:
        return max(safe, key=lambda way: _steps_to_tail(board, safe[way]))
    return next(iter(options), None)


def _follows_tail(board: Board, body: tuple[int, ...]) -> bool:
    """Whether the head can reach the tail."""
    return _steps_to_tail(board, body) >= 0


def _steps_to_tail(board: Board, body: tuple[int, ...]) -> int:
    return steps_to(board, body[-1], {*body[1:-1]}).get(body[0], -1)


def _safe_after_food(board: Board, snake: Snake, first: str) -> bool:
    """Whether the snake can still follow its tail when it has gone to the food by a shortest way
    that begins with a step.
    """
    here, way = snake, first
    for _ in range(board.size**2):
        body = moved(board, here, way)
        if body is None:
            return False
        if body[0] == snake.food:
            return len(body) < 3 or _follows_tail(board, body)
        here = Snake(body, snake.food)
        near = steps_to(board, snake.food, {*body[1:-1]})
        going = {each: near[b[0]] for each, b in ways(board, here).items() if b[0] in near}
        if not going:
            return False
        way = min(going, key=lambda each: going[each])
    return False


def new_food(board: Board, body: Sequence[int], luck: int) -> int | None:
    """The cell of new food, for a random number; None where no cell is free."""
    free = board.free(body)
    return free[luck % len(free)] if free else None
