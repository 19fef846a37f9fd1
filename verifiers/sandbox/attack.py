"""Attacking a sandbox with programs that deserve nothing, and saying what they got.

Each exploit is judged on a problem that it plainly does not solve, beside secrets that it should
not find; whatever it is given for that is a breach, and so is a sandbox that is not as it was
before. Controls, which are honest programs, have to get full marks for the same problems.
"""

import os
import secrets
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaestra.verifiers.sandbox import attack_problems as problems
from palaestra.verifiers.sandbox.exploits import LIMITS, Exploit
from palaestra.verifiers.sandbox.outcomes import Outcome, Status, Verdict
from palaestra.verifiers.sandbox.slots import Job

if TYPE_CHECKING:
    from palaestra.verifiers.sandbox.sandbox import Sandbox

JUDGE_S = 1.0
"""Processor time that one exploit may cost the judge, in seconds."""

SETTLING_S = 2.0
"""How long processes may take to be gone."""


@dataclass(frozen=True, slots=True)
class Result:
    """What an exploit got."""

    exploit: Exploit
    status: Status
    rewarded: bool = False
    """Whether it was given any share of the marks; for a control, whether it was given all."""

    leaked: bool = False
    """Whether it told a secret, or the word that it only prints where it got through."""

    as_expected: bool = True
    """Whether it ended in a status of its header and left the sandbox as it was."""

    seconds: float = 0.0
    note: str = ""
    """What was not as it should be, or else how it ended."""

    @property
    def safe(self) -> bool:
        """Whether nothing is wrong but what is known to be open."""
        leaked = self.leaked and not self.exploit.open
        return self.rewarded == self.exploit.honest and not leaked and self.as_expected


# ------------------------------------------------------------------ what is there to be found


@dataclass(frozen=True, slots=True)
class Plants:
    """Secrets of the judge's."""

    file: Path
    service: socket.socket
    """A socket beside the file that anybody may send to."""

    words: tuple[str, ...]

    def faults(self) -> Iterator[str]:
        """What has happened to them."""
        if not self.file.exists() or self.file.read_text(encoding="utf-8") not in self.words:
            yield "a file of the judge's is gone"
        messages = 0
        with suppress(BlockingIOError):
            while self.service.recv(100):
                messages += 1
        if messages:
            yield f"a service of the judge's was sent {messages} messages"


@contextmanager
def planted() -> Iterator[Plants]:
    """Words in the judge's environment and in a file that anybody may read, and what is wanted."""
    here, there = secrets.token_hex(12), secrets.token_hex(12)
    before = os.environ.get("JUDGE_SECRET")
    os.environ["JUDGE_SECRET"] = here
    try:
        with (
            tempfile.TemporaryDirectory(prefix="judge") as folder,
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service,
        ):
            file = Path(folder, "expected.txt")
            file.write_text(there, encoding="utf-8")
            door = file.with_name("socket")
            service.setblocking(False)
            service.bind(str(door))
            for path, mode in ((file.parent, 0o755), (file, 0o644), (door, 0o666)):
                path.chmod(mode)
            yield Plants(file, service, (here, there, *problems.wanted_words()))
    finally:
        if before is None:
            del os.environ["JUDGE_SECRET"]
        else:
            os.environ["JUDGE_SECRET"] = before


def leaks(reply: str, words: Iterable[str]) -> bool:
    """Whether one of these words was said, be it backwards or in hexadecimal digits.

    >>> leaks("... terces ...", ["secret"]), leaks("nothing", ["secret", ""])
    (True, False)
    """
    both = f"{reply}\n{reply[::-1]}"
    return any(word in both or word.encode().hex() in both for word in words if word)


# ------------------------------------------------------------------ attacking


def attack(sandbox: "Sandbox", exploits: Iterable[Exploit]) -> Iterator[Result]:
    """Tries exploits one after the other, but for those that need more than the sandbox has."""
    result = sandbox.report()
    with planted() as plants:
        for exploit in exploits:
            if exploit.runs_at(result["isolation"], result["groups"]):
                yield attempt(sandbox, exploit, plants)


def attempt(sandbox: "Sandbox", exploit: Exploit, plants: Plants) -> Result:
    """Tries one exploit, and whether the sandbox is as it was before."""
    _await_jails(sandbox)
    strangers = _strangers(sandbox)
    start, used = time.monotonic(), time.thread_time()
    try:
        result = _judged(sandbox, exploit, plants)
    except Exception as fault:  # noqa: BLE001  a judge that falls over is what is looked for
        result = Result(exploit, "JUDGE_ERROR", note=f"the judge raised {fault!r}"[:300])
    seconds, used = time.monotonic() - start, time.thread_time() - used
    faults = [*_changes(sandbox, strangers), *plants.faults()]
    if used > JUDGE_S:
        faults.append(f"it cost the judge {used:.1f} s of processor time")
    if result.status not in exploit.ends(sandbox.level or "none"):
        faults.append(f"it ended as {result.status} ({result.note})")
    note = "; ".join(faults) or result.note
    return replace(result, seconds=seconds, as_expected=not faults, note=note)


def _judged(sandbox: "Sandbox", exploit: Exploit, plants: Plants) -> Result:
    source, limits = exploit.source, exploit.limits
    if exploit.kind == "io":
        verdict = sandbox.judge_io(
            source, problems.IO, language=exploit.language, limits=limits
        )  # fmt: skip
    elif exploit.kind == "calls":
        verdict = sandbox.judge_calls(source, problems.ENTRY, problems.CALLS, limits=limits)
    elif exploit.kind in problems.SUITES:
        verdict = sandbox.judge_asserts(source, problems.SUITES[exploit.kind], limits=limits)
    else:
        return _ran(sandbox, exploit, plants)
    reasons = "\n".join(test.reason for test in verdict.per_test)
    share = verdict.fraction or 0.0
    rewarded = share == 1.0 if exploit.honest else share > 0.0
    leaked = leaks(reasons, (*plants.words, exploit.leak))
    return Result(exploit, verdict.status, rewarded, leaked, note=_note(verdict))


def _note(verdict: Verdict) -> str:
    worst = next((test for test in verdict.per_test if test.status == verdict.status), None)
    share = "no share" if verdict.fraction is None else f"a share of {verdict.fraction:.3g}"
    return f"{share}, integrity {verdict.integrity}, {worst.reason[:200] if worst else ''}"


def _ran(sandbox: "Sandbox", exploit: Exploit, plants: Plants) -> Result:
    word = secrets.token_hex(12)
    if exploit.kind == "run":
        outcome = _run(sandbox, exploit, f"{plants.file}\n{os.getpid()}\n")
    elif exploit.kind == "pair":
        _run(sandbox, exploit, f"leave {word}\n")
        outcome = _run(sandbox, exploit, "find\n")
    else:
        with ThreadPoolExecutor() as threads:
            left = threads.submit(_run, sandbox, exploit, f"leave {word}\n")
            outcome = _run(sandbox, exploit, "find\n")
            left.result()
    out, errors = (text.decode("utf-8", "replace") for text in (outcome.stdout, outcome.stderr))
    words = (*plants.words, word, exploit.leak)
    return Result(
        exploit,
        outcome.status,
        rewarded=exploit.honest and outcome.status == "PASS" and out.endswith("fine\n"),
        leaked=leaks(f"{out}\n{errors}\n{outcome.reason}", words),
        note=outcome.reason or out[-200:].strip(),
    )


def _run(sandbox: "Sandbox", exploit: Exploit, stdin: str) -> Outcome:
    return sandbox.run(
        exploit.source, language=exploit.language, stdin=stdin, limits=exploit.limits
    )  # fmt: skip


# ------------------------------------------------------------------ what is left afterwards


def _changes(sandbox: "Sandbox", strangers: int) -> Iterator[str]:
    """What an exploit has changed for those that come after it."""
    try:
        probe = sandbox.run("print('fine')", limits=LIMITS)
    except Exception as fault:  # noqa: BLE001
        probe = Outcome("JUDGE_ERROR", reason=repr(fault)[:200])
    if probe.stdout != b"fine\n":
        yield f"the next program failed: {probe.status} {probe.reason}"
        _renew(sandbox)
    deadline = time.monotonic() + SETTLING_S
    while (now := _strangers(sandbox)) > strangers and time.monotonic() < deadline:
        time.sleep(0.01)
    if now > strangers:
        yield f"{now - strangers} processes stayed behind"


def _renew(sandbox: "Sandbox") -> None:
    """Ends broken jails, so that each exploit only answers for itself."""
    with sandbox.changed:
        broken, sandbox.free = sandbox.free, []
        sandbox.started -= len(broken)
    for slot in broken:
        with suppress(Exception):
            slot.close()


def _await_jails(sandbox: "Sandbox") -> None:
    """Waits until every jail has all its processes, which is so when it has run a program."""
    sandbox.run_job(Job(b""))
    for slot in list(sandbox.free):  # no program runs meanwhile
        slot.run(Job(b""))


def _strangers(sandbox: "Sandbox") -> int:
    """How many processes descend from this one, but for those that the sandbox's jails are of."""
    jails = sandbox.started + (sandbox._referees.started if sandbox._referees else 0)
    own = jails * (4 if sandbox.level == "namespaces" else 2)
    return len(offspring(os.getpid())) - own


def offspring(ancestor: int) -> set[int]:
    """The processes that descend from one."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                fields = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                parents[int(folder.name)] = int(fields.rpartition(")")[2].split()[1])
    known = {ancestor}
    while more := {pid for pid, parent in parents.items() if parent in known} - known:
        known |= more
    return known - {ancestor}


# ------------------------------------------------------------------ telling


def brief(result: Result) -> dict[str, Any]:
    """A result as plain values."""
    program = {"program": result.exploit.name, "honest": result.exploit.honest}
    shown = {field.name: getattr(result, field.name) for field in fields(result)[1:]}
    return program | shown | {"safe": result.safe}


def table(results: Iterable[Result]) -> str:
    """The results by family, and then every one that is not safe."""
    families: dict[str, list[Result]] = {}
    for result in results:
        families.setdefault(result.exploit.family, []).append(result)
    everything = [result for group in families.values() for result in group]
    head = ("family", "programs", "rewarded", "leaked", "unexpected", "open", "seconds")
    rows = [_row(family, group) for family, group in sorted(families.items())]
    lines = [_COLUMNS.format(*row) for row in (head, *rows, _row("all", everything))]
    bad = [f"{r.exploit.name}: {_breach(r)}; {r.note}" for r in everything if not r.safe]
    return "\n".join([*lines, *(["", *bad] if bad else [])])


_COLUMNS = "{:<14} {:>8} {:>8} {:>8} {:>10} {:>8} {:>8}"


def _row(name: str, results: list[Result]) -> tuple[str, ...]:
    rewarded = sum(result.rewarded and not result.exploit.honest for result in results)
    leaked = sum(result.leaked and not result.exploit.open for result in results)
    known = sum(result.leaked and bool(result.exploit.open) for result in results)
    unexpected = sum(not result.as_expected for result in results)
    seconds = sum(result.seconds for result in results)
    return (
        name,
        str(len(results)),
        str(rewarded),
        str(leaked),
        str(unexpected),
        str(known),
        f"{seconds:.1f}",
    )


def _breach(result: Result) -> str:
    honest = result.exploit.honest
    faults = {
        "rewarded": result.rewarded and not honest,
        "not given full marks": honest and not result.rewarded,
        "leaked": result.leaked,
        "not as expected": not result.as_expected,
    }
    return ", ".join(name for name, so in faults.items() if so)
