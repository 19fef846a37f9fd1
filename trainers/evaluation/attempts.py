"""What is kept of an evaluation: a line for each attempt, and what all of them have in common.

A folder holds ``manifest.json`` (model, suite, settings) and ``attempts.jsonl``, to which one line
is appended as soon as an attempt is over. So whatever ends the process, all that was done is kept,
and a line that was being written when it ended is dropped. Each line has the ``address``, the
``replies`` and the ``answer_format``, and can be fed to ``palaestra score`` to judge it again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from palaestra.address import Address
from palaestra.trainers.episodes import EpisodeResult

ATTEMPTS, MANIFEST = "attempts.jsonl", "manifest.json"
CONTENT = "an evaluation"
"""What a folder holds whose manifest states nothing else."""

LONGEST = 1_000_000
"""How many signs of a reply are kept; no answer has a fiftieth of that."""

Key = tuple[str, str, int]
"""Address, answer format, and number of the sample: what makes an attempt."""


class OtherEvaluation(ValueError):
    """A folder that holds an evaluation of something else."""


class BrokenLog(ValueError):
    """A line, other than the last one, that is not an attempt."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One episode of an evaluation, as it is kept."""

    address: str
    env: str
    level: int
    cell: str
    """The level in words, with the knobs that are set by hand."""

    sample: int
    """Which of several attempts at the same task it is; they count from 0."""

    problem: str
    """A digest of the task's canonical form, the same for seeds that give the same problem."""

    score: float | None
    status: str
    reason: str = ""
    answer_format: str = "tags"
    replies: tuple[str, ...] = ()
    rewards: tuple[float, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)
    turns: int = 0
    finish_reasons: tuple[str | None, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    seconds: float = 0.0
    native_tools: bool = False
    cut: bool = False
    """Whether a reply was longer than what is kept of it."""

    user_words: tuple[Mapping[str, Any], ...] = ()
    """The words of the task's user, where an endpoint spoke in its place: the fields of
    :class:`~palaestra.trainers.spoken_users.Words`. The lines of other attempts lack them.
    """

    @classmethod
    def of(cls, result: EpisodeResult, cell: str, level: int, sample: int = 0) -> Self:
        """What is kept of an episode."""
        address = Address.parse(result.address)
        return cls(
            address=result.address,
            env=address.env,
            level=level,
            cell=cell,
            sample=sample,
            problem=problem_of(address),
            score=result.score,
            status=result.status,
            reason=result.reason[:2_000],
            answer_format=result.answer_format,
            replies=tuple(reply[:LONGEST] for reply in result.replies),
            rewards=result.rewards,
            parts=result.parts,
            turns=len(result.finish_reasons),
            finish_reasons=result.finish_reasons,
            prompt_tokens=result.prompt_tokens,
            completion_tokens=result.completion_tokens,
            reasoning_tokens=result.reasoning_tokens,
            seconds=round(result.seconds, 3),
            native_tools=result.native_tools,
            cut=any(len(reply) > LONGEST for reply in result.replies),
            user_words=tuple(map(asdict, result.user_words)),
        )

    @property
    def key(self) -> Key:
        """What makes it this attempt."""
        return self.address, self.answer_format, self.sample

    @property
    def correct(self) -> bool | None:
        """Whether the task was solved; None where that could not be told."""
        return None if self.score is None else self.score == 1

    def line(self) -> str:
        """It as a line of JSON."""
        values = asdict(self)
        if not self.user_words:
            del values["user_words"]
        return json.dumps(values, allow_nan=False) + "\n"

    @classmethod
    def read(cls, line: str | bytes) -> Self:
        """An attempt from its line. Raises ``ValueError`` where it is none."""
        values = json.loads(line)
        names = {each.name for each in fields(cls)}
        if not isinstance(values, dict) or not {"address", "sample", "score"} <= values.keys():
            raise ValueError("no attempt")
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
            if name in names
        }
        try:
            attempt = cls(**known)
        except TypeError as error:
            raise ValueError(str(error)) from None
        if not (isinstance(attempt.address, str) and type(attempt.sample) is int):
            raise ValueError("no attempt")
        if not (attempt.score is None or 0 <= float(attempt.score) <= 1):
            raise ValueError("no score")
        return attempt


def problem_of(address: Address) -> str:
    """A digest of the problem at an address."""
    return blake2b(address.task().canonical().encode(), digest_size=8).hexdigest()


class Log:
    """The folder of an evaluation, open for one process that adds attempts to it."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        """Opens a folder, new or with attempts in it.

        ``manifest`` is what all attempts have in common. Its ``content`` states what they are made
        for, an evaluation by default. Under ``same`` stands what must not differ from what the
        folder holds: raises :class:`OtherEvaluation` where it does, where another process writes
        there, and :class:`BrokenLog`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._file: IO[bytes] = (folder / ATTEMPTS).open("ab")
        try:
            _lock(self._file, folder)
            self.manifest = _agreed(folder, manifest)
            self._repair()
            self.held = {each.key: each for each in attempts_in(folder)}
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, attempt: Attempt) -> None:
        """Keep an attempt. It is there for whoever reads the file as soon as this is over."""
        self._file.write(attempt.line().encode())
        self._file.flush()
        self.held[attempt.key] = attempt

    def close(self) -> None:
        """Let the folder go."""
        if not self._file.closed:
            os.fsync(self._file.fileno())
            self._file.close()

    def _repair(self) -> None:
        """Drops what is left of a line that was not written to its end."""
        file = self.folder / ATTEMPTS
        with file.open("r+b") as held:
            end = held.seek(0, os.SEEK_END)
            torn = _tail(held, end)
            if not torn:
                return
            try:
                Attempt.read(torn)
            except ValueError:
                held.truncate(end - len(torn))
            else:
                held.write(b"\n")  # only its end is missing


def _tail(held: IO[bytes], end: int) -> bytes:
    """What stands behind the last end of a line."""
    tail = b""
    while end > 0 and b"\n" not in tail:
        size = min(end, 65_536)
        end -= size
        held.seek(end)
        tail = held.read(size) + tail
    held.seek(0, os.SEEK_END)
    return tail.rpartition(b"\n")[2]


def attempts_in(folder: Path) -> Iterator[Attempt]:
    """The attempts that a folder holds, in the order in which they were kept.

    What was tried again comes twice; the later one counts.
    """
    file = folder / ATTEMPTS
    if not file.exists():
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield Attempt.read(line)
            except (ValueError, RecursionError):
                if not line.endswith(b"\n"):
                    return  # another process is writing it
                reason = f"line {number} of {file} is not an attempt; mend or remove it"
                raise BrokenLog(reason) from None


def manifest_in(folder: Path, content: str = CONTENT) -> dict[str, Any]:
    """What the attempts in a folder have in common.

    Raises :class:`OtherEvaluation` where the folder holds something other than the ``content``.
    """
    try:
        held: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
        other = held.get("content", CONTENT)
    except (OSError, ValueError, AttributeError):
        raise OtherEvaluation(f"{folder} holds no {content.rsplit(maxsplit=1)[-1]}") from None
    if other != content:
        raise OtherEvaluation(f"{folder} holds {other}, not {content}")
    return held


def _agreed(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What the folder holds an evaluation of, which is what was asked for.

    What may change from one start to the next is brought up to date.
    """
    file, stored = folder / MANIFEST, dict(manifest)
    if file.exists():
        try:
            held = json.loads(file.read_text("utf-8"))
            was, started = held["same"], held["started"]
        except (ValueError, LookupError, TypeError):
            raise OtherEvaluation(f"{file} is not an evaluation's; choose another folder") from None
        content = stored.get("content", CONTENT)
        if (other := held.get("content", CONTENT)) != content:
            raise OtherEvaluation(f"{folder} holds {other}, not {content}; choose another folder")
        for name, now in json.loads(json.dumps(stored["same"])).items():
            if was.get(name) != now:
                reason = f"{folder} holds {content} with {_difference(name, was.get(name), now)}"
                raise OtherEvaluation(f"{reason}; choose another folder")
        stored["started"] = started
        stored["samples"] = max(stored["samples"], held.get("samples", 1))
    elif (folder / ATTEMPTS).stat().st_size:
        raise OtherEvaluation(f"{folder} has attempts, but no {MANIFEST}; choose another folder")
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    fresh.replace(file)
    return stored


def _difference(name: str, was: Any, now: Any) -> str:
    """How a setting differs from that of the folder; of a mapping, its first entry that does.

    >>> _difference("levels", {"a/b": [0, 1]}, {"a/b": [0]})
    'levels of a/b [0, 1], not [0]'
    """
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        key = next(key for key in (*was, *now) if was.get(key) != now.get(key))
        name, was, now = f"{name} of {key}", was.get(key), now.get(key)
    return f"{name} {was!r}, not {now!r}"


def _lock(file: IO[bytes], folder: Path) -> None:
    """Keeps other processes from writing there; it ends with this process, however that ends."""
    try:
        import fcntl
    except ImportError:  # there is none on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        reason = f"another process is writing to {folder}; wait for it or choose another folder"
        raise OtherEvaluation(reason) from None
