"""Sampling tasks and scoring replies: one reply, many, or a group of replies to one task.

:class:`palaestra.client.Client` has the same functions as methods, for scoring on another machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple, TypeGuard

from palaestra.address import Address, Split
from palaestra.combination import Combination
from palaestra.episode import ANSWER_FORMATS, TAGS, AnswerFormat, Episode, answer_format_of, read
from palaestra.registry import load
from palaestra.task import InvalidAnswer, JudgeError, NoValidTask, Puzzle, Score, Task
from palaestra.verifiers.groups import transform
from palaestra.workers.pool import Failed, WorkerFault
from palaestra.workers.pool import workers as shared_workers
from palaestra.workers.worker import function

PATIENCE_S = 60.0
"""Seconds that a worker process may take to judge one episode, before that is a
:class:`~palaestra.task.JudgeError`."""

Named = Task | Address | str
"""A task, its address, or the text of its address."""


class Item(NamedTuple):
    """A task, the reply or replies to it, and the answer format of these."""

    address: Named
    replies: str | Sequence[str]
    answer_format: AnswerFormat | str = TAGS


@dataclass(frozen=True, slots=True)
class TaskOpening:
    """A task as a player receives it: its address, the first messages of the chat, its tools."""

    address: str
    messages: tuple[Mapping[str, str], ...]
    tools: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """The scores of several responses to one task, and transforms of them as a group."""

    scores: tuple[Score | JudgeError, ...]
    transforms: Mapping[str, Any] = field(default_factory=dict)


def resolve(task: Named) -> Task:
    """The task itself. Raises what :meth:`Address.parse <palaestra.address.Address.parse>` does."""
    if isinstance(task, str):
        task = Address.parse(task)
    return task.task() if isinstance(task, Address) else task


def addresses(
    env: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    **knobs: Any,
) -> Iterator[Address]:
    """The addresses of seeds that count from 0 within the split.

    Raises what :meth:`Address.of <palaestra.address.Address.of>` does.
    """
    return (Address.of(env, seed, level, split, **knobs) for seed in seeds)


def tasks(
    env: str,
    seeds: Iterable[int] = range(1),
    level: int = 0,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    **knobs: Any,
) -> list[TaskOpening]:
    """Sample tasks, as messages for a model. The arguments are those of :func:`addresses`."""
    return [
        opening(address, answer_format) for address in addresses(env, seeds, level, split, **knobs)
    ]


def any_task(env: str) -> Task:
    """A task at the lowest level that has any, which of a combination may not be the first.

    Raises :class:`~palaestra.task.NoValidTask` where no level has one.
    """
    *lower, top = (Address.of(env, level=level) for level in range(load(env).Knobs.levels()))
    for address in lower:
        with suppress(NoValidTask):
            return address.task()
    return top.task()


def opening(address: Address, answer_format: AnswerFormat | str = TAGS) -> TaskOpening:
    """A task as a player receives it."""
    episode = Episode(address.task(), answer_format)
    return TaskOpening(str(address), tuple(episode.messages()), tuple(address.task().tools()))


def score(
    task: Named, replies: str | Iterable[str], answer_format: AnswerFormat | str = TAGS
) -> Score:
    """The score of an episode: of one reply, or of all replies in their order.

    It is 0, with the status ``no_answer``, where the replies stop before the end. Raises
    :class:`~palaestra.episode.EpisodeOver` where they go on after it,
    :class:`~palaestra.task.JudgeError` where the judge fails, ``ValueError`` for an unknown answer
    format, and what :meth:`Address.parse <palaestra.address.Address.parse>` does.
    """
    return judged(resolve(task), answer_format_of(answer_format), replies)[0]


def attempt(
    task: Named, replies: str | Iterable[str], answer_format: AnswerFormat | str = TAGS
) -> Score | JudgeError:
    """The same, but returns a :class:`~palaestra.task.JudgeError` where :func:`score` raises."""
    try:
        return score(task, replies, answer_format)
    except JudgeError as error:
        return error
    except Exception as error:  # noqa: BLE001  whatever it was, it must not become a reward
        return JudgeError(f"{type(error).__name__}: {error}"[:500])


def judged_at(address: Named, replies: str | Sequence[str], answer_format: str) -> dict[str, Any]:
    """The score of an episode as JSON values, with the last move (at most 2,000 characters) and the
    time in microseconds.

    For worker processes and the HTTP service. Raises what :func:`score` does, except that a failure
    of the judge is a result whose ``value`` is None.
    """
    start = perf_counter()
    task = resolve(address)
    score: Score | JudgeError
    moves: Sequence[str] = ()
    try:
        score, moves = judged(task, ANSWER_FORMATS[answer_format], replies)
    except JudgeError as error:
        score = error
    return {
        "value": score.value,
        "correct": score.correct,
        "status": score.status,
        "reason": score.reason,
        "parts": dict(score.parts),
        "extracted": moves[-1][:2_000] if moves else None,
        "micros": round((perf_counter() - start) * 1e6),
        "error": "unscored" if isinstance(score, JudgeError) else None,
    }


def is_single_turn(task: Task) -> TypeGuard[Puzzle]:
    """Whether one reply settles a task."""
    return type(task).play is Puzzle.play  # `isinstance` takes pydantic a microsecond


def judged(
    task: Task, answer_format: AnswerFormat, replies: str | Iterable[str]
) -> tuple[Score, Sequence[str]]:
    """The score of an episode, and the moves that were read. All scoring takes this path.

    The reply to a single-turn task is judged without rendering its prompt, which often takes longer
    than judging. The result is that of an :class:`~palaestra.episode.Episode`. Raises what
    :func:`score` does.
    """
    if is_single_turn(task):
        # A second reply is one too many, so no further ones are taken.
        replies = (replies,) if isinstance(replies, str) else tuple(islice(replies, 2))
        if len(replies) == 1:
            return _judged_alone(task, answer_format, replies[0])
    episode = Episode(task, answer_format, [replies] if isinstance(replies, str) else replies)
    return episode.result(), episode.moves


def _judged_alone(
    puzzle: Puzzle, answer_format: AnswerFormat, reply: str
) -> tuple[Score, Sequence[str]]:
    """The same for the single reply to a puzzle."""
    move = ""
    try:
        move = read(puzzle, answer_format, reply)
        if not move.strip():
            raise InvalidAnswer("no answer", "no_answer")
        return puzzle.verify(move), (move,)
    except InvalidAnswer as error:
        return Score(0, str(error), status=error.status), (move,)


def opened_at(address: str, answer_format: str) -> dict[str, Any]:
    """A task as a player receives it, as JSON values."""
    return asdict(opening(Address.parse(address), answer_format))


def score_many(
    items: Iterable[Item | tuple[Any, ...]], workers: int | None = None
) -> list[Score | JudgeError]:
    """The scores of many episodes, in their order; a failing one never fails the others.

    Environments that are heavy to judge go to worker processes, at most ``workers`` at a time (as
    many as :func:`~palaestra.workers.pool.workers` has unless told otherwise, 0 for none).
    All others are scored here, where sending them away would cost more than it saves.
    """
    batch = [item if isinstance(item, Item) else Item(*item) for item in items]
    if workers == 0:
        return [attempt(*item) for item in batch]
    results: dict[int, Score | JudgeError] = {}
    away: dict[int, tuple[Any, ...]] = {}
    for index, item in enumerate(batch):
        errand = _errand(item)
        if errand is None:
            results[index] = attempt(*item)
        else:
            away[index] = errand
    results |= zip(away, _sent_away(away.values(), workers) if away else ())
    return [results[index] for index in range(len(batch))]


def score_group(
    task: Named,
    responses: Sequence[str | Sequence[str]],
    answer_format: AnswerFormat | str = TAGS,
    transforms: Iterable[str] = (),
) -> Group:
    """The scores of several responses to one task, with the transforms asked for.

    They are those of :func:`palaestra.verifiers.groups.transform`: ``pass@4`` is the unbiased
    estimate that one of four responses is right, ``leave_one_out`` each score less the mean of the
    others. JudgeError responses are left out of all of them. ``majority``, ``distinct`` and
    ``diversity`` go by the answers as the answer format reads them.
    """
    scores = tuple(score_many(Item(task, response, answer_format) for response in responses))
    values = [score.value for score in scores]
    answers = [answer_of(response, answer_format) for response in responses]
    return Group(scores, {name: transform(name, values, answers) for name in transforms})


def answer_of(response: str | Sequence[str], answer_format: AnswerFormat | str) -> str:
    """What a response comes down to: the last move that can be read, or else its text."""
    last = response if isinstance(response, str) else next(reversed(response), "")
    try:
        return answer_format_of(answer_format).read(last)
    except InvalidAnswer:
        return last


def _errand(item: Item) -> tuple[Any, ...] | None:
    """What a worker process is told to score an item; nothing where it is scored here.

    That is where it is not expensive, and where another process could not find its class or its
    answer format. The task itself is sent, so that it is not sampled again over there.
    """
    try:
        task, answer_format = resolve(item.address), answer_format_of(item.answer_format)
        if not task.expensive:
            return None
        task_type = type(task)
        name = f"{task_type.__module__}:{task_type.__qualname__}"
        if isinstance(task, Combination):
            name = task.name
        elif task_type.__module__ == "__main__" or function(name) is not task_type:
            return None
        if ANSWER_FORMATS.get(answer_format.name) is not answer_format:
            return None
        replies = [item.replies] if isinstance(item.replies, str) else list(item.replies)
        return name, task.model_dump_json(), replies, answer_format.name
    except Exception:  # noqa: BLE001  `attempt` meets it again and says what is wrong
        return None


def _sent_away(
    errands: Iterable[tuple[Any, ...]], at_once: int | None
) -> Iterator[Score | JudgeError]:
    """Score items in worker processes. Where one dies or hangs, that item is unscored."""
    pool = shared_workers()
    judge = f"{__name__}:{judged_away.__name__}"
    for outcome in pool.map(judge, errands, wall_s=PATIENCE_S, at_once=at_once):
        if isinstance(outcome, Failed):
            yield JudgeError(str(outcome)[:500])
        elif isinstance(outcome, WorkerFault):
            yield JudgeError(f"the worker that scored this was lost ({outcome}); try again")
        else:
            yield JudgeError(**outcome) if outcome.pop("unscored") else Score(**outcome)


def judged_away(name: str, task: str, replies: list[str], answer_format: str) -> dict[str, Any]:
    """Score an episode in a worker process, for the one that sent it there."""
    task_type: Any = load(name) if "+" in name else function(name)
    result = attempt(task_type.model_validate_json(task), replies, answer_format)
    if isinstance(result, JudgeError):
        return {"unscored": True, "reason": result.reason, "status": result.status}
    return {"unscored": False} | asdict(result)
