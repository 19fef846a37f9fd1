"""Drawing and scoring in one call each: one reply, many, or a group for the same task.

Everything goes by address, as over HTTP: :class:`palaestra.client.Client` has the same functions
as methods, so that scoring on another machine changes one line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field
from functools import cache
from math import comb
from multiprocessing import get_context
from os import cpu_count
from typing import Any, NamedTuple

from palaestra.address import Address, Split
from palaestra.episode import TAGS, Episode, Style
from palaestra.task import Score, Task, Unscored

CHUNK = 16
"""How many replies a worker process takes at a time."""

PATIENCE_S = 60.0
"""How long a chunk may take before its replies are given up as unscored."""

Named = Task | Address | str
"""A task, its address, or the text of its address."""


class UnknownTransform(ValueError):
    """A group transform that there is not."""


class Item(NamedTuple):
    """A task and all that was replied to it."""

    address: Named
    replies: str | Sequence[str]
    style: Style | str = TAGS


@dataclass(frozen=True, slots=True)
class Drawn:
    """A task as its player meets it: where it lives, and the chat that opens it."""

    address: str
    messages: tuple[Mapping[str, str], ...]
    tools: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """The scores of several responses to one task, and what is made of them together."""

    scores: tuple[Score | Unscored, ...]
    transforms: Mapping[str, Any] = field(default_factory=dict)


def resolve(task: Named) -> Task:
    """The task that is meant."""
    if isinstance(task, Task):
        return task
    return (task if isinstance(task, Address) else Address.parse(task)).task()


def addresses(
    env: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    **knobs: Any,
) -> Iterator[Address]:
    """The addresses of some seeds, which count from 0 within the split."""
    return (Address.of(env, seed, level, split, **knobs) for seed in seeds)


def tasks(
    env: str,
    seeds: Iterable[int] = range(1),
    level: int = 0,
    split: Split = "train",
    style: Style | str = TAGS,
    **knobs: Any,
) -> list[Drawn]:
    """Draw tasks, as messages to put to a model."""
    return [opening(address, style) for address in addresses(env, seeds, level, split, **knobs)]


def opening(address: Address, style: Style | str = TAGS) -> Drawn:
    """A task as its player meets it."""
    episode = Episode(address.task(), style)
    return Drawn(str(address), tuple(episode.messages()), tuple(address.task().tools()))


def score(task: Named, replies: str | Iterable[str], style: Style | str = TAGS) -> Score:
    """The score of a whole episode, which is 0 where the replies stop short of its end.

    Raises :class:`~palaestra.episode.EpisodeOver` where they go on after it, and
    :class:`~palaestra.task.Unscored` where the judge is at fault.
    """
    said = [replies] if isinstance(replies, str) else replies
    return Episode(resolve(task), style, said).result()


def attempt(
    task: Named, replies: str | Iterable[str], style: Style | str = TAGS
) -> Score | Unscored:
    """The same, with every fault of ours as an :class:`Unscored` instead of an error."""
    try:
        return score(task, replies, style)
    except Unscored as fault:
        return fault
    except Exception as fault:  # noqa: BLE001  whatever it was, it must not become a reward
        return Unscored(f"{type(fault).__name__}: {fault}"[:500])


def score_many(
    items: Iterable[Item | tuple[Any, ...]], workers: int | None = None
) -> list[Score | Unscored]:
    """The scores of many episodes, in their order; a failing one never fails the others.

    Environments that are heavy to judge go to ``workers`` processes (one for each core unless
    told otherwise, 0 for none), all others are scored here, where sending them away would cost
    more than it saves.
    """
    batch = [item if isinstance(item, Item) else Item(*item) for item in items]
    results: list[Score | Unscored | None] = [None] * len(batch)
    away: list[int] = []
    for place, item in enumerate(batch):
        if workers != 0 and _is_heavy(item):
            away.append(place)
        else:
            results[place] = attempt(*item)
    # The task itself is sent, so that it is not drawn again over there.
    sent = [(p, batch[p]._replace(address=resolve(batch[p].address))) for p in away]
    for places, done in _sent_away(sent, workers or cpu_count() or 1):
        for place, result in zip(places, done):
            results[place] = result
    return [result or Unscored("it was never scored") for result in results]


def score_group(
    task: Named,
    responses: Sequence[str | Sequence[str]],
    style: Style | str = TAGS,
    transforms: Iterable[str] = (),
) -> Group:
    """The scores of several responses to one task, with the transforms asked for.

    ``pass@k`` (as ``pass@4``) is the unbiased estimate that one of k responses is right,
    ``leave_one_out`` each score less the mean of the others, ``mean`` and ``best`` what they say.
    Unscored responses are left out of all of them.
    """
    scores = tuple(score_many(Item(task, response, style) for response in responses))
    return Group(scores, {name: _transform(name, scores) for name in transforms})


def _transform(name: str, scores: Sequence[Score | Unscored]) -> Any:
    values = [score.value for score in scores if score.value is not None]
    match name.partition("@"):
        case ("mean", "", ""):
            return sum(values) / len(values) if values else None
        case ("best", "", ""):
            return max(values, default=None)
        case ("leave_one_out", "", ""):
            return [_against_others(score.value, values) for score in scores]
        case ("pass", "@", k) if k.isascii() and k.isdecimal() and 0 < int(k[:6]) <= len(values):
            wrong = sum(value != 1 for value in values)
            return 1 - comb(wrong, int(k)) / comb(len(values), int(k))
    raise UnknownTransform(
        f"a transform is mean, best, leave_one_out or pass@k with k up to the {len(values)} "
        f"scored responses, not {name[:40]!r}"
    )


def _against_others(value: float | None, values: Sequence[float]) -> float | None:
    if value is None:
        return None
    return value - (sum(values) - value) / (len(values) - 1) if len(values) > 1 else 0.0


def _is_heavy(item: Item) -> bool:
    try:
        return resolve(item.address).heavy
    except Exception:  # noqa: BLE001  `attempt` meets it again and says what is wrong
        return False


@cache
def _pool(workers: int) -> ProcessPoolExecutor:
    # Not by fork: the caller may be threaded, and may hold a GPU.
    return ProcessPoolExecutor(workers, get_context("spawn"))


def _sent_away(
    items: Sequence[tuple[int, Item]], workers: int
) -> Iterator[tuple[list[int], list[Score | Unscored]]]:
    """Score items in worker processes; replies whose worker dies or hangs come back unscored."""
    if not items:
        return
    size = max(1, min(CHUNK, len(items) // workers))
    pool = _pool(workers)
    waiting: list[tuple[list[int], Future[list[Score | Unscored]]]] = []
    for start in range(0, len(items), size):
        chunk = items[start : start + size]
        waiting.append(([place for place, _ in chunk], _submitted(pool, [i for _, i in chunk])))
    for places, future in waiting:
        try:
            yield places, future.result(PATIENCE_S)
        except (BrokenExecutor, CancelledError, Late) as fault:
            _abandon(pool)
            why = f"the worker that scored this was lost ({type(fault).__name__}); try again"
            yield places, [Unscored(why) for _ in places]


def _submitted(
    pool: ProcessPoolExecutor, items: Sequence[Item]
) -> "Future[list[Score | Unscored]]":
    """The future of a chunk; one that has failed already where the pool is no more."""
    try:
        return pool.submit(_chunk, items)
    except RuntimeError as fault:  # it broke, or another thread gave it up
        gone: Future[list[Score | Unscored]] = Future()
        gone.set_exception(BrokenExecutor(str(fault)))
        return gone


def _abandon(pool: ProcessPoolExecutor) -> None:
    """Kill the workers of a pool, one of which is dead or hangs; the next batch gets fresh ones."""
    _pool.cache_clear()
    # Public from Python 3.14 on; None once the pool is shut down.
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _chunk(items: Sequence[Item]) -> list[Score | Unscored]:
    return [attempt(*item) for item in items]
