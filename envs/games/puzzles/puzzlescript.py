"""Games of PuzzleScript (Stephen Lavelle, 2013), with rule files of our own or of the user."""

from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal, Self

from palaestra.generators.games.puzzles.puzzlescript.compiler import Start, compile_game
from palaestra.generators.games.puzzles.puzzlescript.engine import Play, State
from palaestra.generators.games.puzzles.puzzlescript.library import (
    DEEP,
    NAMES,
    library,
    moves_of,
    position_of_length,
)
from palaestra.generators.games.puzzles.puzzlescript.solo import PuzzleRules, signs
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import NoValidTask, Task, ladder

TRIES = 8
"""How many levels of a game are tried before another game is."""

Name = Literal[
    "any", "deep",
    "beam", "belts", "blast", "bond", "boulders", "chain", "crates", "crumble", "dye", "embers",
    "gates", "gems", "glide", "holes", "hook", "keys", "lamps", "lure", "mirror", "oneway", "pairs",
    "portals", "pull", "slide", "sticky", "swap", "sweep", "team", "topple", "words",
]  # fmt: skip


class Puzzlescript(SoloGame):
    """Win a level of a grid game whose rules are stated: pushing, sliding, toppling and more."""

    version = 2

    class Knobs(SoloGame.Knobs):
        game: Name = ladder("any", "any", "any", "deep", "deep", "deep")
        size: int = ladder(4, 5, 5, 6, 6, 6, low=4, high=8)
        shortest: int = ladder(2, 4, 6, 8, 11, 14, low=2, high=20)  # solution, in moves
        longest: int = ladder(3, 5, 8, 11, 15, 24, low=2, high=30)
        spare: int = ladder(2, 2, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest solution

    game: str
    """The name of a file of ours; empty for a file of the user."""
    source: str = ""
    """The file of the user."""
    width: int
    height: int
    search_budget = 4_000

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        choice = {"any": NAMES, "deep": DEEP}.get(knobs.game, (knobs.game,))
        names = rng.sample(choice, len(choice))
        bounds = knobs.shortest, max(knobs.shortest, knobs.longest)
        tries = TRIES if len(names) > 1 else 5 * TRIES
        position = position_of_length(names, rng, knobs.size, bounds, tries)
        if position is None:
            return cls(game=names[0], width=1, height=1, position=encoded(None), moves=0)
        task = cls._of(position.name, "", position.start, 1)
        plan = task.plan()
        moves = len(plan.moves) + knobs.spare if plan else 0
        return task.model_copy(update={"moves": moves})

    @classmethod
    def _of(cls, name: str, source: str, start: Start, moves: int) -> Self:
        state = State(start.masks, start.masks, 0, False, "")
        return cls(
            game=name, source=source, width=start.width, height=start.height,
            position=encoded(state), moves=moves,
        )  # fmt: skip

    @classmethod
    def from_file(cls, path: str | Path, number: int = 0, spare: int = 20) -> Self:
        """The task of a level of a file, where messages are not counted; see :meth:`from_text`."""
        return cls.from_text(Path(path).read_text("utf-8"), number, spare)

    @classmethod
    def from_text(cls, source: str, number: int = 0, spare: int = 20) -> Self:
        """The task of a level of a text in the format of PuzzleScript.

        Raises ``GameError`` of :mod:`~palaestra.generators.games.puzzles.puzzlescript.diagnostics`
        for a text with errors, ``IndexError`` for a level that it does not have, and
        :class:`~palaestra.task.NoValidTask` if the search finds no solution.
        """
        game = compile_game(source)
        start = playable(source)[number]
        first = Play(game, start).first()
        task = cls._of("", source, Start(start.width, start.height, first.masks), 1)
        plan = task.plan()
        if plan is None:
            raise NoValidTask(f"no solution is found within {cls.search_budget} states")
        return task.model_copy(update={"moves": len(plan.moves) + spare})

    def is_valid(self) -> bool:
        if self.source:
            return self.plan() is not None
        return self.moves > 0 and super().is_valid()

    def text(self) -> str:
        """The rule file."""
        return self.source or library(self.game).text

    def rules(self) -> PuzzleRules:
        return PuzzleRules(self.text(), self.width, self.height)

    def description(self) -> str:
        moves = moves_of(self.rules().play.game)
        names = ", ".join(f"'{move}'" for move in moves[:-1]) + f" and '{moves[-1]}'"
        legend = self._legend()
        rules = library(self.game).description if self.game else self._code()
        return self.phrase(
            f"This is a puzzle on a grid. {rules}\n\nEach cell of the board shows the signs of all "
            f"that is in it: {legend}. The moves are {names}. Reply with one move in each turn, "
            f"such as '{moves[0]}'.",
            f"Win the following grid game. {rules}\n\nThe signs of the board are: {legend}; where "
            f"a cell contains several things, their signs stand side by side. There are these "
            f"moves: {names}. In each turn, answer with a single move, for example '{moves[0]}'.",
        )

    def _legend(self) -> str:
        game = self.rules().play.game
        titles = {name: entry.title for name, entry in game.source.objects.items()}
        parts = [
            f"{sign} {titles[name].lower()}" for name, sign in signs(game).items() if sign != "."
        ]
        return f"{', '.join(parts)}, and . for an empty cell"

    def _code(self) -> str:
        """The sections of a user's file up to the levels."""
        lines = self.source.replace("\r\n", "\n").split("\n")
        last = next((n for n, line in enumerate(lines) if line.strip().lower() == "levels"), None)
        return "Its rules are written in PuzzleScript:\n\n" + "\n".join(lines[:last]).strip()


def playable(source: str) -> list[Start]:
    """The levels of a text, without messages."""
    return [level for level in compile_game(source).levels if isinstance(level, Start)]


def environment(path: str | Path) -> type[Puzzlescript]:
    """An environment whose tasks are the levels of a file.

    A module in the folder of environments that ``PALAESTRA_ENVS`` names can assign the result to
    the name of its class. The version is derived from the content of the file, so that an address
    of another content is not taken for the same task.

    Raises what :meth:`Puzzlescript.from_text` does.
    """
    source = Path(path).read_text("utf-8")
    count = len(playable(source))
    digest = int.from_bytes(blake2b(source.encode(), digest_size=4).digest(), "big")

    class FileGame(Puzzlescript):
        """Win the levels of a file of PuzzleScript."""

        class Knobs(Task.Knobs):
            number: int = ladder(*range(count))

        version: ClassVar[int] = digest

        @classmethod
        def generate(cls, rng: Random, knobs: Any) -> Self:
            return cls.from_text(source, knobs.number)

        def held_out(self) -> bool:
            """Levels of a file are not divided into those for training and for evaluation."""
            return False

    return FileGame
