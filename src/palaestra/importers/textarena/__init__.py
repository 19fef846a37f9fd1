"""The games of one player of the package TextArena, as environments of several turns.

``palaestra import textarena`` writes a file for each game that the installed release can play
here. The variants that the package registers are the levels, in its order. The package runs in
other processes, see :mod:`palaestra.importers.processes`; each episode has a game of its own.
"""

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, ClassVar, Self

from palaestra.address import StaleVersion
from palaestra.importers.processes import Raised, WorkerFault, called, installed
from palaestra.importers.rewards import bounded
from palaestra.task import InvalidAnswer, JudgeError, NoValidTask, Play, Score, Task, Turn

EXTRA = "textarena"

MOST_MOVES = 1_000
"""Moves after which a game ends with 0, for variants without a limit of their own."""

TRIES = 200
"""Games that are generated until one is on the side of the split that is wanted."""

_GAMES = "palaestra.importers.textarena.games"


class TextArenaGame(Task):
    """A game of TextArena. Subclasses name the release, and the variants in ``Knobs.variant``.

    The score is the reward of the package where it is above 0. It has no solution.
    """

    verbatim: ClassVar[bool] = True
    expensive: ClassVar[bool] = False  # what takes long runs in other processes already

    release: ClassVar[str]
    """The release that the file was written for."""

    variant: str
    game_seed: int
    opening: str
    position: str
    """A digest of the first state with what is hidden in it."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The game of a seed from ``rng``.

        Raises :class:`~palaestra.task.NoValidTask` where the package cannot set it up, and
        :class:`~palaestra.address.StaleVersion` for another release of it.
        """
        check_release(cls.release)
        seed = rng.getrandbits(31)
        try:
            begun = called(f"{_GAMES}:start", knobs.variant, seed)
        except WorkerFault as error:
            raise NoValidTask(f"TextArena set up no game: {error}"[:500]) from None
        return cls(
            variant=knobs.variant,
            game_seed=seed,
            opening=begun["observation"],
            position=begun["digest"],
        )

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = TRIES
    ) -> Self:
        """Generate until a game is on the side of the split.

        Some variants have one game for all seeds, which is on one side alone. Raises
        :class:`~palaestra.task.NoValidTask` for the other side.
        """
        try:
            return super().sample(rng, knobs, held_out, min(tries, TRIES))
        except NoValidTask as error:
            side = "evaluation" if held_out else "training"
            raise NoValidTask(f"{knobs.variant} has no game for {side}: {error}"[:500]) from None

    def canonical(self) -> str:
        """The variant and the digest of the first state."""
        return f"{self.variant} {self.position}"

    def play(self) -> Play:
        """Hand moves to the package until the game is over."""
        check_release(self.release)
        moves: list[str] = []
        observation = self.opening
        while len(moves) < MOST_MOVES:
            try:
                move = yield Turn(observation)
            except InvalidAnswer as error:
                move = f"({error})"[:200]  # the package refuses it in its own way
            moves.append(move)
            after = self._after(moves)
            if after["is_over"]:
                return bounded(float(after["reward"]), "TextArena")
            observation = after["observation"]
        return Score(0.0, f"the game is not over after {MOST_MOVES} moves", status="limit")

    def _after(self, moves: list[str]) -> dict[str, Any]:
        try:
            after: dict[str, Any] = called(f"{_GAMES}:play", self.variant, self.game_seed, moves)
        except Raised as error:
            raise JudgeError(f"TextArena failed at a move: {error}"[:300]) from None
        except WorkerFault as error:
            raise JudgeError(f"TextArena: {error}"[:300]) from None
        return after

    def solve(self) -> Iterable[str]:
        """Nothing: the package has no solutions."""
        return ()


def check_release(release: str) -> None:
    """Raise :class:`~palaestra.address.StaleVersion` unless that release is installed."""
    if (there := _installed()) != release:
        raise StaleVersion(
            f"the game was imported from TextArena {release}, and {there} is installed; "
            "run `palaestra import textarena --replace` for the games of this release"
        )


@cache
def _installed() -> str:
    return installed("textarena", EXTRA)
