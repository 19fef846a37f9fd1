"""Targets: addresses with all that the service needs to know about their tasks.

A request names its task by the text of an address. The service resolves it once, into a
:class:`Target`, and takes everything else from this one value: the task, its canonical address, its
fingerprint, and the executor that judges the replies.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from palaestra.address import Address
from palaestra.catalog import catalog, recorded_fingerprint
from palaestra.episode import ANSWER_FORMATS
from palaestra.registry import load
from palaestra.server.problems import InvalidRequest
from palaestra.task import InvalidAnswer, Task

Executor = Literal["loop", "worker", "sandbox", "thread"]
"""Where a task is generated and judged: on the event loop; in a worker process; in a worker process
with a sandbox; or, for environments of other distributions, in a thread, by
:func:`palaestra.scoring.score_many`."""

QUICK_DRAW_US, QUICK_VERDICT_US = 1_500, 400
"""Microseconds that generating and judging may take on the event loop, at the middle level and by
the figures of the catalog."""

SHORT = 4_096
"""Characters of replies, or of the moves in them, that are judged on the event loop at most."""

LONG = {name: SHORT if name.startswith("boxed") else 32_768 for name in ANSWER_FORMATS}
"""Characters of replies that are read there at most, to find out whether their moves are short."""

TRANSCRIPT = 4 << 20
"""Characters of all replies of an episode together, at most. In JSON they take up to twelve times
as many bytes, which are sent to a worker.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A resolved address."""

    address: Address

    text: str
    """Its canonical form."""

    fingerprint: str | None
    """The fingerprint of its environment; None for environments of other distributions."""

    executor: Executor
    """Where its task is generated and judged, unless the replies are long."""

    by_hand: bool
    """Whether its knobs are those of no level, so that its cost has not been measured."""

    is_remote: bool
    """Whether single moves of an episode are played in a worker process as well: where their cost
    has not been measured, where it is high, and where they are programs.
    """

    def task(self) -> Task:
        """The task at the address."""
        return self.address.task()

    def executor_for(self, replies: str | list[str], answer_format: str) -> Executor:
        """Where these replies are judged: in a worker process if they are long.

        Raises :class:`InvalidRequest` for more than :data:`TRANSCRIPT` characters.
        """
        length = len(replies) if isinstance(replies, str) else sum(map(len, replies))
        if length > TRANSCRIPT:
            raise InvalidRequest(
                f"the replies have at most {TRANSCRIPT} characters together", "/replies"
            )
        if self.executor != "loop" or length <= SHORT:
            return self.executor
        if length <= LONG[answer_format] and _moves_are_short(replies, answer_format):
            return "loop"
        return "worker"


@lru_cache(maxsize=8_192)
def resolved(text: str) -> Target:
    """The target of an address. Raises what :meth:`Address.parse` does."""
    address = Address.parse(text)
    level = address.level
    executor = _executor(address.env, level)
    fingerprint = recorded_fingerprint(address.env)
    is_slow = executor == "worker" and (level is None or load(address.env).expensive)
    return Target(
        address, str(address), fingerprint, executor,
        by_hand=level is None, is_remote=executor == "sandbox" or is_slow,
    )  # fmt: skip


def _executor(env: str, level: int | None) -> Executor:
    """What runs the tasks of an environment at a level, or with knobs that are those of none."""
    row, task_type = catalog().get(env.partition("+")[0]), load(env)
    if row is None:
        return "thread"
    if "sandboxed" in task_type.tags:
        return "sandbox"
    # How long combinations take is not in the catalog.
    if "+" in env or task_type.expensive or level is None or level > (row["levels"] - 1) // 2 + 1:
        return "worker"
    card = row["measured"]
    quick = card["sample_us"] <= QUICK_DRAW_US and card["verify_us"] <= QUICK_VERDICT_US
    return "loop" if quick else "worker"


def _moves_are_short(replies: str | list[str], answer_format: str) -> bool:
    """Whether the moves in long replies are short; the reasoning around them is not judged."""
    read, length = ANSWER_FORMATS[answer_format].read, 0
    for reply in [replies] if isinstance(replies, str) else replies:
        with suppress(InvalidAnswer):
            length += len(read(reply))
    return length <= SHORT
