"""Snake, after the arcade game Blockade (Gremlin, 1976)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.games.arcade.snake import (
    STEPS,
    Board,
    careful_way,
    moved,
    new_food,
    steps_to,
    ways,
)
from palaestra.generators.games.arcade.snake import (
    Snake as Position,
)
from palaestra.generators.games.solo import ILLEGAL_MOVES
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move
from palaestra.verifiers.reading.moves import direction

CREDIT = 0.5
"""The credit for all of the food but the last piece, which a lost game pays back."""


class Snake(Task):
    """Steer a growing snake to food that appears at random, without hitting itself or the edge."""

    tags = {"planning", "spatial", "chance"}
    answer_type = "moves"
    hidden = {"luck"}
    baseline_note = (
        "A player who always takes a shortest way to the food survives every second game in which "
        "the snake covers a third of the board."
    )

    class Knobs(Task.Knobs):
        size: int = ladder(4, 5, 5, 6, 6, 6, low=4, high=9)
        food: int = ladder(2, 7, 10, 14, 17, 20, low=1, high=40)

    size: int
    body: tuple[int, ...]
    first: int
    """The cell of the first food."""
    food: int
    """How many pieces the snake has to eat."""
    luck: tuple[int, ...]
    """Random numbers that decide where the food after the first appears."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        head, food = rng.sample(range(knobs.size**2), 2)
        return cls(
            size=knobs.size,
            body=(head,),
            first=food,
            food=min(knobs.food, 2 * knobs.size**2 // 3),
            luck=tuple(rng.getrandbits(24) for _ in range(knobs.food)),
        )

    def is_valid(self) -> bool:
        """Whether a careful player who sees the board only eats all of the food."""
        return bool(self.solve())

    def canonical(self) -> str:
        return repr((self.size, self.body, self.first, self.food, self.luck))

    @property
    def moves(self) -> int:
        """How many moves there are: the longer the snake, the more for each piece of food."""
        return 2 * self.size * self.food + self.food * self.food // 2 + self.size

    def board(self) -> Board:
        """The board without the snake."""
        return Board(self.size)

    def play(self) -> Play:
        board, snake, eaten, reward = self.board(), Position(self.body, self.first), 0, 0.0
        illegal = 0
        event = self.description()
        for left in range(self.moves, 0, -1):
            turn, reward = self._turn(event, snake, eaten, left, reward), 0.0
            try:
                way = read_move(direction, (yield turn))
            except InvalidAnswer as error:
                illegal += 1
                if illegal > ILLEGAL_MOVES:
                    return Score(0, "too many illegal moves", status="malformed")
                event = (
                    f"That is not a move: {error}. The snake waits, and the move counts. Illegal "
                    f"moves still allowed: {ILLEGAL_MOVES - illegal}."
                )
                continue
            body = moved(board, snake, way)
            if body is None:
                return Score(0, "the snake left the board or hit itself")
            snake, event = Position(body, snake.food), ""
            if body[0] == snake.food:
                eaten += 1
                food = new_food(board, body, self.luck[eaten - 1])
                if eaten == self.food:
                    return Score(1)
                if food is None:
                    return Score(0, "no cell is free for food")
                snake, event = Position(body, food), "The snake has eaten."
                reward = CREDIT / self.food
        return Score(0, "the moves ran out")

    def _turn(self, event: str, snake: Position, eaten: int, left: int, reward: float) -> Turn:
        shown = self.shown(snake)
        count = f"Eaten: {eaten} of {self.food}. Moves left: {left}."
        return Turn(
            f"{event}\n\n{shown}\n\n{count}".strip(),
            reward,
            legal_moves=[*STEPS],
            state=f"{' '.join(map(str, snake.body))}/{snake.food}/{eaten}/{left}",
            scene=partial(self.pictured, snake),
        )

    def shown(self, snake: Position) -> str:
        """The board as text."""
        signs = ["."] * self.size**2
        signs[snake.food] = "*"
        for part in snake.body[1:]:
            signs[part] = "o"
        signs[snake.body[-1]] = "t"
        signs[snake.body[0]] = "H"
        rows = range(0, self.size**2, self.size)
        return "\n".join(" ".join(signs[row : row + self.size]) for row in rows)

    def pictured(self, snake: Position) -> Grid:
        """What there is to see: the snake's head in another colour, its parts numbered."""
        cells = [Cell()] * self.size**2
        cells[snake.food] = Cell(mark="diamond", tone="c3")
        for number, part in enumerate(snake.body[1:], 1):
            cells[part] = Cell(str(number), fill="t2")
        cells[snake.body[0]] = Cell(fill="t2", mark="disc", tone="c2")
        rows = range(0, self.size**2, self.size)
        return Grid(tuple(tuple(cells[row : row + self.size]) for row in rows))

    def description(self) -> str:
        """The rules in words."""
        size = f"{self.size} by {self.size}"
        return self.phrase(
            f"Snake on a board of {size} cells: H is the snake's head, o its body, t its tail, * "
            "food and a dot an empty cell. Each move is a direction, such as 'up': the "
            "head moves one cell that way, and every part of the body moves to the cell of the "
            "part before it. A snake that eats grows instead: its tail stays where it is, and new "
            "food appears on a random empty cell. The head may enter the cell that the tail leaves "
            "in the same move. If it moves off the board or onto the body, the game "
            f"is lost. Eat {self.food} times within {self.moves} moves. The snake starts with the "
            "head alone.",
            f"You steer a snake on a grid of {size} cells. The signs are: H head, o body, t tail, "
            "* food, . empty. In each turn, give a direction (up, down, left or right) such as "
            "'up'. The head goes one cell in this direction, and the body follows. On food, the "
            "snake becomes one cell longer, as its tail does not move in this turn, and food "
            "appears at random on a free cell. Leaving the board, or running into the "
            "snake's own body, loses the game; the cell that the tail is just leaving is free. "
            f"At first, the snake is only a head. Your goal is to eat {self.food} pieces of food; "
            f"you have {self.moves} moves.",
        )

    def solve(self) -> Iterable[str]:
        """The moves of a careful player who sees the board only; none if that player loses."""
        return played(self.board(), self.body, self.first, self.luck[: self.food], self.moves)

    def difficulty(self) -> float:
        """The share of the board that the snake covers in the end, times its cells."""
        return self.food**2 / self.size**2

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who go to the food and look at the next cell alone, or at the whole way."""
        board = self.board()

        def player(value: Callable[[Position, tuple[int, ...]], float]) -> Policy:
            def move(turn: Turn) -> str:
                body, food, *_ = turn.state.split("/")
                snake = Position(tuple(map(int, body.split())), int(food))
                options = ways(board, snake)
                names = [*options]
                rng.shuffle(names)
                return max(names, key=lambda way: value(snake, options[way]), default="up")

            return move

        def straight(snake: Position, body: tuple[int, ...]) -> float:
            (a, b), (c, d) = divmod(body[0], self.size), divmod(snake.food, self.size)
            return -float(abs(a - c) + abs(b - d))

        def shortest(snake: Position, body: tuple[int, ...]) -> float:
            return -float(steps_to(board, snake.food, {*body[1:-1]}).get(body[0], 99))

        return {"straight to the food": player(straight), "shortest way": player(shortest)}


@lru_cache(maxsize=256)
def played(
    board: Board, body: tuple[int, ...], food: int, luck: tuple[int, ...], moves: int
) -> tuple[str, ...]:
    """The moves of a careful player up to the last food; none if the game is lost."""
    snake, names = Position(body, food), list[str]()
    for number in luck:
        while True:
            way = careful_way(board, snake)
            after = moved(board, snake, way) if way is not None else None
            if way is None or after is None or len(names) >= moves:
                return ()
            names.append(way)
            eaten = after[0] == snake.food
            snake = Position(after, snake.food)
            if eaten:
                break
        next_food = new_food(board, snake.body, number)
        if next_food is None:
            break
        snake = Position(snake.body, next_food)
    return tuple(names)
