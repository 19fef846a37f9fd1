"""Rollouts that a service recorded, scored anew, to see whether their rewards are still the same.

A service that is run with ``--record`` keeps what it scores. An environment that was mended since
may judge the same replies otherwise, and a data set made of the old scores is wrong then.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import isclose
from typing import Any

from palaestra.address import Address, StaleVersion
from palaestra.episode import Episode
from palaestra.scoring import Item, opening, score_many
from palaestra.server.store import Rollout, Store
from palaestra.task import JudgeError, NoValidTask, Score

CHUNK, CHARACTERS = 256, 16 << 20
"""How many rollouts are scored together, and how many characters of replies in them, unless a
single one has more."""

_VERSION = re.compile(r"@\d+")


@dataclass(frozen=True, slots=True)
class Replayed:
    """A rollout, and what it is scored now. ``address`` is that of the installed version."""

    rollout: Rollout
    address: str
    now: Score | JudgeError

    @property
    def same(self) -> bool:
        """Whether it earns what it did."""
        then, now = self.rollout.value, self.now.value
        return then is not None and now is not None and isclose(then, now, abs_tol=1e-9)

    def __str__(self) -> str:
        where = self.rollout.address
        if self.address not in {"", where}:
            where = f"{where} as {self.address}"
        then = "no value" if self.rollout.value is None else f"{self.rollout.value:g}"
        if isinstance(self.now, JudgeError):
            return f"{where}: {then}, and now {self.now.reason}"
        return (
            f"{where}: {then} ({self.rollout.status}), now {self.now.value:g} ({self.now.status})"
        )


def recorded(url: str, env: str = "") -> Iterator[Rollout]:
    """The rollouts in a store, of one environment or of all."""
    store = Store(url)
    try:
        yield from store.rollouts(env)
    finally:
        store.close()


def replayed(rollouts: Iterable[Rollout]) -> Iterator[Replayed]:
    """What the installed versions say of rollouts, in their order."""
    for some in _chunks(rollouts):
        named = [_named(one) for one in some]
        plain = [
            index
            for index, (one, score) in enumerate(zip(some, named))
            if isinstance(score, Address) and one.seats is None
        ]
        items = [Item(str(named[n]), some[n].replies, some[n].answer_format) for n in plain]
        scores = dict(zip(plain, score_many(items)))
        for index, (one, score) in enumerate(zip(some, named)):
            if isinstance(score, JudgeError):
                yield Replayed(one, "", score)
            else:
                now = scores[index] if index in scores else _seated(score, one)
                yield Replayed(one, str(score), now)


def _chunks(rollouts: Iterable[Rollout]) -> Iterator[list[Rollout]]:
    """Rollouts in lists of which none is large."""
    some: list[Rollout] = []
    size = 0
    for one in rollouts:
        some.append(one)
        size += sum(map(len, one.replies))
        if len(some) >= CHUNK or size >= CHARACTERS:
            yield some
            some, size = [], 0
    if some:
        yield some


def _named(rollout: Rollout) -> Address | JudgeError:
    """Where the task lives in the installed version, if it does."""
    try:
        try:
            return Address.parse(rollout.address)
        except StaleVersion:
            return Address.parse(_VERSION.sub("", rollout.address, count=1))
    except (LookupError, ValueError) as gone:
        return JudgeError(str(gone))


def _seated(address: Address, rollout: Rollout) -> Score | JudgeError:
    """The score of an episode that was played from seats of the client's choice."""
    try:
        return Episode(
            address.task(), rollout.answer_format, rollout.replies, rollout.seats
        ).result()
    except JudgeError as fault:
        return fault
    except Exception as fault:  # noqa: BLE001  whatever it is, it is no reward
        return JudgeError(f"{type(fault).__name__}: {fault}"[:500])


def row(rollout: Rollout, now: Replayed | None = None) -> dict[str, Any]:
    """A rollout as a row of a data set: what was asked, what was replied, what that earned."""
    record = asdict(rollout)
    record["seats"] = None if rollout.seats is None else list(rollout.seats)
    record["replies"] = list(rollout.replies)
    record["prompt"] = _prompt(rollout)
    if now is not None:
        record |= {"value_now": now.now.value, "status_now": now.now.status, "same": now.same}
    return record


def _prompt(rollout: Rollout) -> list[dict[str, str]]:
    try:
        turn = opening(Address.parse(rollout.address), rollout.answer_format)
    except (LookupError, ValueError, NoValidTask, JudgeError):
        return []  # there is no such task any more
    return [dict(message) for message in turn.messages]
