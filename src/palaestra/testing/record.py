"""Which environments need all their checks, and which have passed them as they are.

``checks.txt`` lists environments with the digest (see :mod:`palaestra.testing.digests`) at which
they passed every check. It is written only by runs of the checks. A run makes all checks of an
environment whose digest is not listed. For every other environment it makes the cheap checks, and a
sample of the others that the commit's hash determines: a digest that someone entered without a pass
is found in a later run.
"""

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

FILE = "checks.txt"

HEAD = """\
# Written by the checks; do not edit. Each environment with the digest at which it passed them all.
# Enter what has changed: pytest -n auto tests/test_environments.py --record
"""

SAMPLE = 16
"""One costly check in so many is made of listed environments in each run.

Checks are drawn, and not environments with all their checks, so that no run is much longer than
another one.
"""

Reason = Literal["new", "all", "listed"]
"""Why an environment gets all checks, or ``listed`` where it gets the cheap ones and a sample."""

Listed = Mapping[str, frozenset[str]]
"""The digests of each environment; after a merge there may be several, of which one is current."""

Item = TypeVar("Item")

_LINE = re.compile(r"([a-z0-9_]+(?:/[a-z0-9_]+)+(?:\.py)?) ([0-9a-f]{16})")


class Plan(NamedTuple):
    """Which environments get all checks, and why; and the key of the sample of the others.

    Test files are recorded in the same way, and their tests sampled.
    """

    digests: dict[str, str]
    reasons: dict[str, Reason]
    key: str = ""

    def of(self, reason: Reason) -> list[str]:
        """The environments with this reason."""
        return [name for name, each in self.reasons.items() if each == reason]

    def samples(self, item: str, one_in: int = SAMPLE) -> bool:
        """Whether the sample has a check of a listed environment, or the tests of a listed file."""
        return is_sampled(item, self.key, one_in)


def listed(file: Path) -> Listed:
    """The digests in a record; none where there is no such file.

    Raises ``ValueError`` for a line that the checks did not write.
    """
    digests: dict[str, frozenset[str]] = {}
    for number, line in enumerate(file.read_text("utf-8").splitlines() if file.exists() else (), 1):
        if line.startswith("#") or not line:
            continue
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise ValueError(f"{file}, line {number}: not a name and a digest: {line[:80]!r}")
        name, digest = parts.groups()
        digests[name] = digests.get(name, frozenset()) | {digest}
    return digests


def enter(
    file: Path,
    digests: Mapping[str, str],
    passed: Iterable[str],
    failed: Iterable[str] = (),
) -> list[str]:
    """Write a record: the environments that passed all checks, and those that are listed already
    with their current digest, but for those that failed. Gives the names that it lists.

    ``digests`` are the current ones of all environments; lines with another one are dropped. The
    comments that the record begins with stay.
    """
    before = listed(file)
    known = {name for name, digest in digests.items() if digest in before.get(name, ())}
    names = sorted((known | set(passed)) - set(failed))
    lines = (f"{name} {digests[name]}\n" for name in names)
    file.write_text(_comments(file) + "".join(lines), "utf-8")
    return names


def _comments(file: Path) -> str:
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    return "".join(takewhile(lambda line: line.startswith("#"), lines)) or HEAD


def conclude(
    file: Path, plan: Plan, now: Mapping[str, str], passed: Iterable[str], failed: Iterable[str]
) -> str:
    """Enter what passed in a run, and give a sentence on it.

    An environment whose digest is another one ``now`` than when the run began was edited during the
    run, so nobody knows what passed; it is left out.
    """
    passed = sorted(passed)
    same = [name for name in passed if plan.digests[name] == now.get(name)]
    lines = enter(file, now, same, failed)
    sentence = f"{file.name} lists {len(lines)} of {len(now)}, {len(same)} from this run"
    edited = [name for name in passed if name not in same]
    return sentence + (
        f"; edited during the run and left out: {', '.join(edited)}" if edited else ""
    )


def plan(
    digests: Mapping[str, str], record: Listed, everything: bool = False, key: str = ""
) -> Plan:
    """Which environments get all checks.

    ``key`` determines the sample of the others: the hash of the commit, see :func:`sample_key`.
    """
    reasons: dict[str, Reason] = {}
    for name, digest in digests.items():
        if everything:
            reasons[name] = "all"
        elif digest not in record.get(name, ()):
            reasons[name] = "new"
        else:
            reasons[name] = "listed"
    return Plan(dict(digests), reasons, key)


def is_sampled(name: str, key: str, one_in: int = SAMPLE) -> bool:
    """Whether something that is listed is in the sample, one case of so many."""
    number = blake2b(f"{key} {name}".encode(), digest_size=8).digest()
    return int.from_bytes(number) % one_in == 0


def sample_key(root: Path, record: Path) -> str:
    """What determines the sample: the hash of the commit that is checked out at ``root``.

    Where there is no repository, as in an unpacked archive, it is a digest of the record.
    """
    command = ["git", "-C", str(root), "rev-parse", "--show-toplevel", "HEAD"]
    try:
        answer = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        answer = None
    if answer is not None:
        top, commit = answer.stdout.split("\n")[:2]
        if Path(top).resolve() == root.resolve():  # and not a repository that the archive is in
            return commit
    return blake2b(record.read_bytes() if record.exists() else b"", digest_size=20).hexdigest()


def everything(value: str) -> bool:
    """What ``CHECKS`` asks for: ``all`` or, unless it is set, ``due``. Raises ``ValueError``."""
    if value not in {"", "due", "all"}:
        raise ValueError(f"CHECKS is 'all', or 'due' for what has changed, not {value!r}")
    return value == "all"


def shard(items: Sequence[Item], part: str) -> list[Item]:
    """The items of one part, such as ``2/8``; all of them for an empty text.

    >>> shard("abcdefg", "2/3")
    ['b', 'e']

    Raises ``ValueError`` for a text of another form.
    """
    if not part:
        return list(items)
    numbers = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", part)
    number, parts = map(int, numbers.groups()) if numbers else (0, 0)
    if not 1 <= number <= parts:
        raise ValueError(f"SHARD is a part of a whole such as '2/8', not {part!r}")
    return list(items[number - 1 :: parts])
