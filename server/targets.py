"""What an address comes to in this service: which task, under which name, and where it is judged.

A request names its task by a text. That is resolved once, into a :class:`Target`, and all that
follows, from the first look at its replies to the score, goes by this one value.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from palaestra.address import Address
from palaestra.catalog import catalog
from palaestra.episode import ANSWER_FORMATS
from palaestra.registry import load
from palaestra.server.problems import InvalidRequest
from palaestra.task import InvalidAnswer, Task

Executor = Literal["loop", "worker", "sandbox", "thread"]
"""What runs the work with a task: the event loop; a worker process; one that has a sandbox; or,
for environments of other distributions, a thread, which leaves it to
:func:`palaestra.scoring.score_many`."""

QUICK_DRAW_US, QUICK_VERDICT_US = 1_500, 400
"""What may be drawn and judged on the event loop, by the catalog's figures at the middle level."""

SHORT = 4_096
"""Characters of replies, or of the moves in them, that are judged on the event loop."""

LONG = {"tags": 32_768, "bare": 32_768, "boxed": SHORT}
"""Characters of replies that are read there, to see whether the moves in them are that short."""

TRANSCRIPT = 4 << 20
"""How many characters the replies of an episode may have together. In JSON they are up to twelve
times as many bytes, which have to go over to a worker.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """An address, resolved."""

    address: Address

    text: str
    """Its canonical form."""

    fingerprint: str | None
    """That of its environment; none for environments of other distributions."""

    executor: Executor
    """What runs the drawing and judging of its task."""

    by_hand: bool
    """Whether its knobs are those of no level, so that nobody has measured what it costs."""

    is_remote: bool
    """Whether even single moves of an episode are made in a worker process: where nobody has
    measured how long they take, where they take long, and where they are programs.
    """

    def task(self) -> Task:
        """The task that lives there."""
        return self.address.task()

    def executor_for(self, replies: str | list[str], answer_format: str) -> Executor:
        """What judges these replies, which a worker process does where they are long.

        Raises :class:`InvalidRequest` where they are too long.
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
    fingerprint: str | None = catalog().get(address.env, {}).get("fingerprint")
    is_slow = executor == "worker" and (level is None or load(address.env).expensive)
    return Target(
        address, str(address), fingerprint, executor,
        by_hand=level is None, is_remote=executor == "sandbox" or is_slow,
    )  # fmt: skip


def _executor(env: str, level: int | None) -> Executor:
    """What runs the tasks of an environment at a level, or with knobs that are those of none."""
    row, environment = catalog().get(env), load(env)
    if row is None:
        return "thread"
    if "sandboxed" in environment.tags:
        return "sandbox"
    if environment.expensive or level is None or level > (row["levels"] - 1) // 2 + 1:
        return "worker"
    card = row["measured"]
    quick = card["sample_us"] <= QUICK_DRAW_US and card["verify_us"] <= QUICK_VERDICT_US
    return "loop" if quick else "worker"


def _moves_are_short(replies: str | list[str], answer_format: str) -> bool:
    """Whether little is left of long replies once they are read; thoughts cost nothing to judge."""
    read, length = ANSWER_FORMATS[answer_format].read, 0
    for reply in [replies] if isinstance(replies, str) else replies:
        with suppress(InvalidAnswer):
            length += len(read(reply))
    return length <= SHORT
