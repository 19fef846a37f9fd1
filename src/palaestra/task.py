"""What an environment is: a kind of task, the knobs that make it harder, and its score.

A subclass of :class:`Task` is an environment; an instance of it is one concrete task. Subclass
:class:`Puzzle` when one reply settles the matter, :class:`Task` when it takes several, and
:class:`Match` when several players take turns.
"""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from palaestra.scenes import Scene
    from palaestra.scenes.entries import Entry

Rung = TypeVar("Rung", bound=int | float | str)
KnobsT = TypeVar("KnobsT", bound="Task.Knobs")

RESERVE = 8
"""One task in so many, told by a digest of its canonical form, is kept for evaluation."""

WORDINGS = 60
"""How many wordings a task may be drawn with; it has a divisor in every small number."""

Status = Literal["scored", "no_answer", "malformed", "limit", "timeout"]
"""How the judging ended. All but ``scored`` are the player's doing and may carry a reward of 0."""

Failure = Literal["gold_error", "infra_error"]
"""What went wrong on our side, which never becomes a reward."""


class InvalidAnswer(ValueError):
    """A reply that cannot be read as a move. Its message tells the player what is missing.

    It may be raised by whatever reads a reply, and is raised at the ``yield`` of a task in play
    where the reply holds no move at all. A task that goes on after a slip catches it; where nobody
    does, the episode ends there with a score of 0.
    """

    def __init__(self, message: str, status: Status = "malformed") -> None:
        super().__init__(message)
        self.status: Status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.status)


class KnobError(ValueError):
    """A knob or a level that an environment does not have, or a value out of its bounds."""


class NoValidTask(RuntimeError):
    """No valid task turns up with these knobs, which are set by hand."""


class JudgeError(RuntimeError):
    """The judge failed, not the player: there is no reward, which is not a reward of 0.

    It is raised where one reply is judged, and stands in the place of the :class:`Score` where
    many are, so that ``[score.value for score in ...]`` has ``None`` there.
    """

    value: None = None
    correct: None = None

    def __init__(self, reason: str, status: Failure = "infra_error") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status: Failure = status
        self.parts: Mapping[str, float] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.status)


_STATUSES = get_args(Status)
_NO_PARTS: Mapping[str, float] = MappingProxyType({})
_set = object.__setattr__  # how the fields of a frozen object are filled


@dataclass(frozen=True, slots=True, init=False)
class Score:
    """How well a task went, from 0 to 1, and why: the verifiable reward, with its reason.

    ``value`` is the truth of the task: 1 is right, and what lies between is honest partial credit.
    ``reason`` says in a sentence what is wrong, and never what would be right. ``parts`` are named
    components, each a finite number.
    """

    value: float
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    status: Status = "scored"

    def __init__(
        self,
        value: float,
        reason: str = "",
        parts: Mapping[str, float] = _NO_PARTS,
        status: Status = "scored",
    ) -> None:
        if not 0 <= value <= 1:
            raise ValueError(f"a score is between 0 and 1, not {value}")
        if status not in _STATUSES:
            raise ValueError(f"a score has no status {status!r}; raise JudgeError instead")
        _set(self, "value", float(value))
        _set(self, "reason", reason)
        _set(self, "parts", _finite(parts) if parts else {})
        _set(self, "status", status)

    @property
    def correct(self) -> bool:
        """Whether the task is solved."""
        return self.value == 1


def _finite(parts: Mapping[str, float]) -> dict[str, float]:
    """The parts of a score, as floats of their own. Raises ``ValueError`` unless all are finite."""
    finite = {name: float(part) for name, part in parts.items()}
    if not all(map(isfinite, finite.values())):
        raise ValueError(f"the parts of a score are finite, not {finite}")
    return finite


def nothing_to_see() -> None:
    """The scene of what is all words."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a task yields when it waits for a move: an observation, as one step returns it."""

    observation: str
    """What the player reads."""

    reward: float = 0.0
    """Dense credit for the last move. It is an advance on the score, never a bonus on it."""

    legal_moves: Sequence[str] | None = None
    """The legal moves, where they can be listed."""

    state: str = ""
    """A canonical name of what the player knows: equal for equal states, silent on hidden ones."""

    player: int = 0
    """Whose turn it is."""

    scene: "Callable[[], Scene | None]" = nothing_to_see
    """Describes what there is to see, or returns None; it shows no more than the player knows."""


Policy = Callable[[Turn], str]
"""A player of a task of several moves: it maps each turn that it sees to its move."""


class Step(NamedTuple):
    """A step of a solution: an expression and its value, as in ``12 * 7 = 84``."""

    expression: str
    value: "int | Fraction | str"


class Sentence(NamedTuple):
    """A sentence of a prompt that states a fact, and the names that it is about."""

    text: str
    names: Set[str] = frozenset()


Derivation = Generator[Step, Any, None]
"""A solution: it yields each step, and is sent the value to go on with."""

Play = Generator[Turn | str, str, Score | Sequence[Score]]
"""A task in play: it yields what the player reads, is sent each move, and returns the score."""


def ladder(*rungs: Rung, low: float | None = None, high: float | None = None) -> Rung:
    """A knob with one value for each level, the easiest first. The last one holds from there on.

    A number may be set by hand from ``low`` to ``high``, which are the ends of the ladder unless
    given. A knob of words is annotated as a ``Literal`` of all that it may be.

    >>> class Knobs(Task.Knobs):
    ...     size: int = ladder(4, 5, 6, 7, 9, high=12)
    >>> Knobs.at(2), Knobs.at(0, size=12)
    (Knobs(size=6), Knobs(size=12))
    """
    numbers = [rung for rung in rungs if not isinstance(rung, str | bool)]
    bounds: dict[str, Any] = {}
    if numbers:
        bounds = {
            "ge": min(numbers) if low is None else low,
            "le": max(numbers) if high is None else high,
        }
    knob: Rung = Field(default=rungs[0], examples=list(rungs), **bounds)
    return knob


_WORDING = {"wording"}
"""The field that canonical forms leave out."""


class Task(BaseModel):
    """A multi-turn environment as a class; as an instance, one concrete task of it.

    A task is complete in itself: immutable, JSON both ways, solvable. :class:`Puzzle` is the
    single-turn environment, :class:`Match` the multi-agent one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    class Knobs(BaseModel):
        """The environment's parameters, which set how hard a task is. Every field is a
        :func:`ladder`: its value level by level, where levels are the steps of a curriculum.
        """

        model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

        @classmethod
        def ladders(cls) -> dict[str, list[Any]]:
            """The values of each knob, level by level."""
            return {name: knob.examples or [] for name, knob in cls.model_fields.items()}

        @classmethod
        def levels(cls) -> int:
            """How many levels there are; they count from 0."""
            return max(len(rungs) for rungs in cls.ladders().values())

        @classmethod
        def at(cls, level: int, **chosen: Any) -> Self:
            """The knobs of a level, which count from 0, except for those chosen by hand.

            Raises :class:`KnobError` for a level, a knob or a value that is not allowed.
            """
            return cls._built(level, chosen) if chosen else _at_level(cls, level)

        @classmethod
        def _built(cls, level: int, chosen: dict[str, Any]) -> Self:
            if not 0 <= level < cls.levels():
                raise KnobError(f"levels go from 0 to {cls.levels() - 1}; {level} does not exist")
            ladders = cls.ladders().items()
            at_level = {name: rungs[min(level, len(rungs) - 1)] for name, rungs in ladders}
            try:
                return cls(**(at_level | chosen))
            except ValidationError as invalid:
                raise KnobError(
                    "; ".join(cls._message(error) for error in invalid.errors())
                ) from None

        @classmethod
        def _message(cls, error: Any) -> str:
            """What is wrong with one knob, and what would be right."""
            name = ".".join(map(str, error["loc"]))
            if error["type"] == "extra_forbidden":
                near = get_close_matches(name, cls.model_fields, 3, 0.5)
                known = f"did you mean {' or '.join(near)}" if near else ", ".join(cls.model_fields)
                return f"there is no knob {name!r} ({known})"
            schema = cls.model_json_schema()["properties"].get(name, {})
            if "enum" in schema:
                allowed = f"one of {', '.join(map(str, schema['enum']))}"
            elif "minimum" in schema:
                allowed = f"{schema['type']} from {schema['minimum']} to {schema['maximum']}"
            else:
                allowed = schema.get("type", "something else")
            return f"knob {name!r} is {allowed}, not {str(error['input'])[:80]!r}"

    version: ClassVar[int] = 1
    """Goes up whenever an old seed gives a new task or an old reply a new score."""

    tags: ClassVar[Set[str]] = frozenset()
    """Words to find it by. ``unique-solution`` is a promise that the checks hold it to."""

    hidden: ClassVar[Set[str]] = frozenset()
    """Fields that the opening and its state must not depend on, such as a code to be found."""

    verbatim: ClassVar[bool] = False
    """Whether a move is taken as it stands, without dropping ``$…$``, fences and a full stop."""

    answer_type: ClassVar[
        Literal[
            "", "code", "code-lines", "digits", "cells", "moves", "expression", "polynomial",
            "product", "probability", "duration", "date", "matrix",
        ]
    ] = ""  # fmt: skip
    """The type of answer for the format check, where the text of an answer does not show it:
    ``"code"``, ``"code-lines"`` for lines of code of which each is an entry of its own,
    ``"digits"`` for rows of digits that are no numbers, ``"cells"`` for cells such as
    r1c2, ``"moves"`` for directions and moves such as ``A -> C`` or ``A up 2``, ``"product"`` for
    products of prime powers, and ``"date"`` for a weekday with a date; the others are as named.
    """

    longest: ClassVar[int] = 20_000
    """How many characters a move may have."""

    expensive: ClassVar[bool] = False
    """Whether judging takes well over a millisecond, so that batches go to worker processes."""

    baseline_note: ClassVar[str] = ""
    """Why baseline players earn more than 0.15 at the middle level or 0.05 at the top, if so."""

    calculation: ClassVar[bool] = False
    """Whether every step to the answer is forced, so that nothing is chosen and no rule of thumb
    exists: evaluation, decoding, simulation. The general players of
    :func:`palaestra.testing.general_players.general_players` play such a task, whose answers are
    numbers, words and lists of the prompt. Any other environment names players in
    :meth:`baselines`.
    """

    wording: int = Field(0, ge=0, lt=WORDINGS)
    """Which of several phrasings the task is put in; see :meth:`phrase`."""

    @classmethod
    @abstractmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """Make a task up. All chance comes from ``rng``, all difficulty from ``knobs``."""

    def is_valid(self) -> bool:
        """Whether it came out well: one solution only, say, or not too easy a start."""
        return True

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = 10_000
    ) -> Self:
        """Generate until the task is valid, and held out for evaluation or not, as wanted.

        ``held_out`` is ``None`` where either will do.

        Raises :class:`NoValidTask` where no such task turns up in so many tries. What
        :meth:`generate` raises passes, with a note of the knobs.
        """
        wording = rng.randrange(WORDINGS)
        for _ in range(tries):
            try:
                task = cls.generate(rng, knobs)
            except Exception as error:
                error.add_note(f"{cls.__name__} with {knobs!r}")
                raise
            # The digest is cheap and `is_valid` may be a search, so they are asked in this order.
            if (held_out is None or task.held_out() == held_out) and task.is_valid():
                return task._worded(wording)
        raise NoValidTask(f"{cls.__name__}: no valid task in {tries} tries with {knobs!r}")

    def _worded(self, wording: int) -> Self:
        """The task in a wording: in place where it is new, for a copy costs as much as the rest of
        drawing a small task; a copy of one that a generator keeps and gives again.
        """
        fields_set = self.__pydantic_fields_set__
        if "wording" in fields_set:
            return self.model_copy(update={"wording": wording})
        self.__dict__["wording"] = wording
        fields_set.add("wording")
        return self

    def canonical(self) -> str:
        """What the task is apart from its dress: equal for tasks that are the same problem.

        Leave out names, order and whatever else changes the words but not the work.
        """
        return self.__pydantic_serializer__.to_json(self, exclude=_WORDING).decode()

    def held_out(self) -> bool:
        """Whether it is kept for evaluation, so that no training seed ever gives it."""
        return blake2b(self.canonical().encode(), digest_size=1).digest()[0] % RESERVE == 0

    def phrase(self, *wordings: str) -> str:
        """One of several ways to say the same, the same one each time the task is asked."""
        return wordings[self.wording % len(wordings)]

    @abstractmethod
    def play(self) -> Play:
        """Run the task: ``move = yield Turn(...)`` gives an observation and receives a move."""

    @abstractmethod
    def solve(self) -> Iterable[str]:
        """The moves of a perfect player, which score 1."""

    def check_reply(self, reply: str) -> None:
        """Refuse a reply for what it is as a whole, with its reasoning, before its move is read.

        Raises :class:`InvalidAnswer`. Any reply will do unless a subclass says otherwise.
        """

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """The functions that the player may call, in the form that chat APIs take."""
        return ()

    def difficulty(self) -> float | None:
        """How hard the task is to solve (nodes searched, length of the plan), where known."""
        return None

    def random_baseline(self) -> float:
        """What a guess among all well-formed answers scores on average, where that is not 0."""
        return 0.0

    def baselines(self, rng: Random) -> Mapping[str, str | Policy]:
        """Players without search, by name: greedy orders, a random maximal choice, one-ply play.

        A player of a :class:`Puzzle` is its answer, one of any other task a policy. They use only
        what a player sees, and measure what a task is worth: :meth:`is_valid` must not discard the
        tasks that one of them solves. Random ones draw from ``rng``.
        """
        return {}

    def shortcuts(self) -> Iterable[str]:
        """Replies that cost no thought and might score all the same; the checks try them."""
        return ()

    @classmethod
    def small(cls) -> Any:
        """Knobs at which :meth:`Puzzle.candidates` can be listed, where there are such."""
        return None


@cache
def _at_level(knobs: type[KnobsT], level: int) -> KnobsT:
    """The knobs of a level. They are immutable, so all tasks of a level share them."""
    return knobs._built(level, {})


class Puzzle(Task):
    """A single-turn environment: a task of one move, which is a question and its answer."""

    @abstractmethod
    def prompt(self) -> str:
        """The question in plain English, down to the shape of the answer."""

    @abstractmethod
    def answer(self) -> str:
        """A right answer, worked out from the question alone."""

    @abstractmethod
    def verify(self, answer: str) -> Score:
        """Judge an answer by the rules of the puzzle, not by comparing it with :meth:`answer`.

        Raises :class:`InvalidAnswer` for one that is not in the shape asked for.
        """

    def candidates(self) -> Iterable[str]:
        """Every well-formed answer to a task of :meth:`small` knobs."""
        return ()

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Puzzles that differ from this one in a detail and look like it, in random order.

        An environment with this method and :meth:`refutation` can be combined with
        ``unanswerable``, which shows one that has no solution in place of some of its tasks.
        """
        return iter(())

    def refutation(self, altered: Self) -> float | None:
        """The effort of a proof that an altered puzzle has no solution, such as steps of a search.

        It is 0 where a glance is enough, and None where there is a solution, or no proof. The
        docstring of an environment's own method states what proves it.
        """
        return None

    def audit(self, answer: str) -> bool | None:
        """A second opinion on an answer, reached in another way than :meth:`verify`'s.

        ``None`` where there is none; needed where answers other than :meth:`answer` are right.
        """
        return None

    def sentences(self) -> Sequence[Sentence]:
        """The facts as the prompt states them: sentences that stand in it one after another.

        An environment with this method can be combined with ``reorder``, unless it sets
        ``sentences_in_order``, and with ``distract`` if it sets ``independent_sentences``. The
        statements must not be numbered for the latter.
        """
        return ()

    sentences_in_order: ClassVar[bool] = False
    """Whether the order of the statements matters."""

    independent_sentences: ClassVar[bool] = False
    """Whether statements about other names, taken from other tasks, change no answer."""

    def derivation(self) -> Derivation:
        """A solution step by step: ``value = yield Step("12 * 7", 84)``; empty where there is none.

        The value that is sent back differs from that of the step where a slip is planted. What
        follows is computed from it.
        """
        yield from ()

    def scene(self) -> "Scene | None":
        """What there is to see in the question, such as its board; None where it is all words."""
        return None

    def solved_scene(self, answer: str) -> "Scene | None":
        """The scene with an answer drawn in.

        Raises :class:`InvalidAnswer` for one that cannot be read; None where it is not drawn.
        """
        return None

    def entry(self) -> "Entry | None":
        """How an answer is written by choosing elements of a scene; None if it has to be typed."""
        return None

    def play(self) -> Play:
        answer = yield Turn(self.prompt(), scene=self.scene)
        if not answer.strip():
            raise InvalidAnswer("no answer", "no_answer")
        return self.verify(answer)

    def solve(self) -> Iterable[str]:
        return [self.answer()]


class Match(Task):
    """A multi-agent environment: a task of several players, with a score for each of them.

    It can be played by all of them, or by one against a built-in opponent, which is part of the
    task: it answers the same moves in the same way each time.
    """

    players: ClassVar[int] = 2

    seat: int = Field(0, ge=0)
    """The seat of a lone player."""

    @abstractmethod
    def opponent(self, moves: Sequence[str]) -> str:
        """What the built-in opponent plays after these moves of all players."""
