"""PuzzleScript games as games for one player: what is shown, read and looked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, digits, punctuation

from palaestra.generators.games.puzzles.puzzlescript.compiler import (
    Game,
    Objects,
    Start,
    compile_game,
)
from palaestra.generators.games.puzzles.puzzlescript.engine import Play, State, bits, geometry, met
from palaestra.generators.games.puzzles.puzzlescript.library import moves_of
from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid, Scene
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.moves import direction

_MARKS = {
    "player": "person", "crate": "box", "target": "ring", "exit": "door", "key": "key",
    "door": "lock", "gem": "diamond", "bomb": "mine",
}  # fmt: skip


@lru_cache(maxsize=256)
def signs(game: Game) -> dict[str, str]:
    """A sign for each object: its own one-letter name, or else a letter that is free."""
    taken, result = {"."}, dict[str, str]()
    own = {target: name for name, target in reversed([*game.names.synonyms.items()])
           if len(name) == 1}  # fmt: skip
    default = game.names.members("background")[0]
    for name in game.names.objects:
        letters = (own.get(name, ""), name if len(name) == 1 else "", *name, *name.upper())
        free = (each for each in (*letters, *ascii_letters, *digits, *punctuation) if each)
        sign = "." if name == default else next((s for s in free if s not in taken), name)
        taken.add(sign)
        result[name] = sign
    return result


@lru_cache(maxsize=256)
def play_of(text: str, width: int, height: int) -> Play:
    """A game in a level of a size, whose states are given elsewhere."""
    game = compile_game(text)
    return Play(game, Start(width, height, (0,) * len(game.names.objects)))


@dataclass(frozen=True)
class PuzzleRules(SoloRules[tuple[object, ...], str]):
    """The rules of a file in a level of a size. States are those of the engine, as tuples."""

    text: str
    width: int
    height: int

    @property
    def play(self) -> Play:
        """The game in play."""
        return play_of(self.text, self.width, self.height)

    def legal(self, state: tuple[object, ...]) -> Sequence[str]:
        return moves_of(self.play.game)

    def apply(self, state: tuple[object, ...], move: str) -> tuple[object, ...]:
        return self.play.after(State(*state), move)  # type: ignore[arg-type]

    def distance(self, state: tuple[object, ...]) -> float:
        return 0 if State(*state).won else 1  # type: ignore[arg-type]

    def name(self, state: tuple[object, ...], move: str) -> str:
        return move

    def read(self, state: tuple[object, ...], text: str) -> str:
        moves = moves_of(self.play.game)
        if "action" in moves:
            word = text.casefold().strip(" .!*`'\"\n")
            if word in {"action", "act", "x", "use", "use action", "do action"}:
                return "action"
        try:
            return direction(text)
        except InvalidAnswer:
            raise InvalidAnswer(f"expected one of {', '.join(moves)}") from None

    def cells(self, state: tuple[object, ...]) -> list[list[list[str]]]:
        """The names of the objects of each cell, without a background that all cells share."""
        game, masks = self.play.game, State(*state).masks  # type: ignore[arg-type]
        grid = [[list[str]() for _ in range(self.width)] for _ in range(self.height)]
        default = game.names.members("background")[0]
        for name, number in game.names.objects.items():
            for cell in bits(masks[number]) if name != default else ():
                x, y = divmod(cell, self.height)
                grid[y][x].append(name)
        return grid

    def show(self, state: tuple[object, ...]) -> str:
        letters = signs(self.play.game)
        rows = [
            ["".join(letters[name] for name in reversed(cell)) or "." for cell in row]
            for row in self.cells(state)
        ]
        width = max(len(text) for row in rows for text in row)
        message = State(*state).message  # type: ignore[arg-type]
        board = "\n".join(" ".join(text.ljust(width) for text in row).rstrip() for row in rows)
        return f"{message}\n\n{board}".strip() if message else board

    def scene(self, state: tuple[object, ...]) -> Scene:
        letters = signs(self.play.game)
        return Grid(
            tuple(tuple(_cell(names, letters) for names in row) for row in self.cells(state))
        )

    def judgement(self, state: tuple[object, ...]) -> float:
        """How few objects the win conditions still miss, and how near they and the player are to
        where these should be.
        """
        position = State(*state)  # type: ignore[arg-type]
        if position.won:
            return 1e6
        value = 0.0
        player = _union(position, self.play.game.player)
        for quantifier, one, other in self.play.game.conditions:
            here, there = _union(position, one), _union(position, other)
            there = there if other.ids else geometry(self.width, self.height).full
            if met(quantifier, here, there):
                continue
            missing = here & ~there if quantifier == "all" else here & there
            value -= 100 * max(1, missing.bit_count())
            value -= self._gap(missing, there) if quantifier == "all" else 0
            value -= 0.1 * self._gap(player, missing or here)
        return value

    def _gap(self, some: int, others: int) -> int:
        """The sum of the distances of cells from the nearest of others, in steps."""
        targets = [divmod(cell, self.height) for cell in bits(others)]
        if not targets:
            return 0
        cells = (divmod(cell, self.height) for cell in bits(some))
        return sum(min(abs(x - a) + abs(y - b) for a, b in targets) for x, y in cells)


def _union(state: State, objects: Objects) -> int:
    mask = -1 if objects.every else 0
    for number in objects.ids:
        mask = mask & state.masks[number] if objects.every else mask | state.masks[number]
    return mask


def _cell(names: list[str], letters: dict[str, str]) -> Cell:
    if not names:
        return Cell()
    if names == ["wall"]:
        return Cell(fill="dark")
    top, fill = names[-1], "shade" if len(names) > 1 else "paper"
    corner = "".join(letters[name] for name in names[:-1])
    for word, mark in _MARKS.items():
        if word == top:
            return Cell(mark=mark, fill=fill, corner=corner)  # type: ignore[arg-type]
    return Cell(text=letters[top], fill=fill, corner=corner)
