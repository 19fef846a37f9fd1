"""The first process of a container: it starts jails for the judge, and reaps what is left of them.

The judge's word comes in frames on standard input. Where a socket of the judge's can be reached,
each jail is given the judge's own descriptors, and the agent has no part in what follows. Elsewhere
jobs and what comes of them pass through here, in frames. Where the judge is gone the agent ends,
and the container with it.
"""

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import frames  # noqa: E402
import kernel  # noqa: E402
from emptying import empty  # noqa: E402
from frames import Broken, Connection, Sink, Source  # noqa: E402

PATH = "/usr/local/bin:/usr/bin:/bin"
SEAL_ALL = 0xF
ENVIRONMENT = {
    "PATH": PATH,
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


# ------------------------------------------------------------------ what there is


def walls() -> str:
    """What a jail can be built from in here."""
    if _works(_namespaces):
        return "namespaces"
    return "landlock" if kernel.landlock_version() else "none"


def _namespaces() -> None:
    user, group = os.getuid(), os.getgid()
    rest = kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS | kernel.NEWCGROUP
    kernel.unshare(kernel.NEWUSER | kernel.NEWNS | rest)
    for file, text in (("setgroups", "deny"), ("uid_map", f"1000 {user} 1"),
                       ("gid_map", f"1000 {group} 1")):  # fmt: skip
        with open(f"/proc/self/{file}", "w") as out:
            out.write(text)
    kernel.mount("tmpfs", "/tmp", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV)


def _works(attempt: Callable[[], None]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            attempt()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


# ------------------------------------------------------------------ jails


class Jail:
    """A jail's launcher, which ends when the judge's end of ``control`` is closed."""

    def __init__(self, ends: Sequence[int], config: dict[str, Any]) -> None:
        jobs, control, errors = ends
        self.scratch = ""
        if config["level"] == "landlock":
            self.scratch = config["scratch"] = tempfile.mkdtemp(dir="/tmp")
        command = [sys.executable, "-sPSB", HERE, str(jobs), str(control), json.dumps(config)]
        self.process = subprocess.Popen(
            command,
            pass_fds=(jobs, control),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=ENVIRONMENT,
            start_new_session=True,
            preexec_fn=expendable,  # noqa: PLW1509  there is one thread
        )

    def kill(self) -> None:
        """Ends the launcher, and with it the jail."""
        if self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGKILL)

    def ended(self) -> None:
        """Takes note that the launcher was reaped."""
        self.process.returncode = 0
        if self.scratch:
            with contextlib.suppress(OSError):
                empty(self.scratch)
                os.rmdir(self.scratch)


def expendable() -> None:
    """Where memory runs out, programs go first, and the agent with all jails last."""
    with open("/proc/self/oom_score_adj", "w") as score:
        score.write("500")


class Handed:
    """A jail that the judge talks to by itself. All that is kept is one end, to see it hang up."""

    def __init__(self, ends: Sequence[int], config: dict[str, Any]) -> None:
        self.jail = Jail(ends, config)
        for descriptor in (ends[0], ends[2]):
            os.close(descriptor)
        self.control = ends[1]

    def polled(self) -> list[tuple[int, int, Callable[[], None]]]:
        """What to wait for, and what is done then."""
        return [(self.control, 0, self.jail.kill)]

    def ended(self) -> None:
        """Closes what is left, once the launcher was reaped."""
        self.jail.ended()
        os.close(self.control)


class Run:
    """A program in a relayed jail, and the descriptors that it writes to."""

    def __init__(self, jail: "Relayed", number: int, payload: bytes) -> None:
        header, source, stdin, channel = frames.unpacked(payload)
        self.number = number
        address = jail.slot, number, jail.line
        out, out_end = os.pipe()
        errors, errors_end = os.pipe()
        ends = [sealed(source), sealed(stdin), out_end, errors_end]
        self.sources = [Source(out, frames.OUT, *address), Source(errors, frames.ERR, *address)]
        self.sink: Sink | None = None
        if channel:
            ours, theirs = socket.socketpair()
            ends.append(theirs.detach())
            self.sources.append(Source(os.dup(ours.fileno()), frames.SAY, *address))
            self.sink = Sink(ours.detach(), frames.SAY, *address)
        try:
            socket.send_fds(jail.jobs, [header], ends)
        except OSError:
            jail.jail.kill()
        finally:
            for descriptor in ends:
                os.close(descriptor)

    def polled(self) -> list[tuple[int, int, Callable[[], None]]]:
        """What to wait for, and what is done then."""
        flows = [*self.sources, *([self.sink] if self.sink else [])]
        return [(flow.descriptor, flow.wants(), flow.ready) for flow in flows if flow.wants()]

    def finish(self) -> None:
        """Sends what is left of its output; it is dead, with all that it has started."""
        for source in self.sources:
            source.finish()
        self.close()

    def close(self) -> None:
        """Closes what is left open."""
        for flow in [*self.sources, *([self.sink] if self.sink else [])]:
            flow.close()


class Relayed:
    """A jail whose jobs, and what comes of them, pass through the agent."""

    def __init__(self, slot: int, line: Connection, config: dict[str, Any]) -> None:
        self.slot, self.line = slot, line
        self.jobs, jobs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.errors = tempfile.TemporaryFile()
        self.jail = Jail((jobs.fileno(), control.fileno(), self.errors.fileno()), config)
        jobs.close()
        control.close()
        self.run: Run | None = None

    def polled(self) -> list[tuple[int, int, Callable[[], None]]]:
        """What to wait for, and what is done then."""
        waited = self.run.polled() if self.run is not None else []
        return [(self.jobs.fileno(), select.POLLIN, self.reported), *waited]

    def reported(self) -> None:
        """Passes on how a program ended, after the last of what it has written."""
        message = self.jobs.recv(256)
        if not message:
            self.jail.kill()
            return
        number = int.from_bytes(message[:8], "little")
        if self.run is not None and self.run.number == number:
            self.run.finish()
            self.run = None
        self.line.send(frames.STATUS, self.slot, number, message)

    def take(self, frame_type: int, number: int, payload: bytes) -> None:
        """Does what a frame for this jail says."""
        if frame_type == frames.JOB:
            if self.run is not None:
                self.run.close()  # the judge has given it up
            self.run = Run(self, number, payload)
        elif frame_type == frames.ABORT:
            with contextlib.suppress(OSError):
                self.control.send(number.to_bytes(8, "little"))
        elif frame_type == frames.CLOSE:
            self.jail.kill()
        elif self.run is not None and self.run.number == number:
            self.flow(self.run, frame_type, payload)

    def flow(self, run: Run, frame_type: int, payload: bytes) -> None:
        if frame_type == frames.SAY and run.sink is not None:
            run.sink.put(payload)
        elif frame_type == frames.TAKEN:
            stream, count = frames.credit(payload)
            for source in run.sources:
                if source.address[0] == stream:
                    source.window += count

    def ended(self) -> None:
        """Tells the judge what the jail said at its end, once the launcher was reaped."""
        self.errors.seek(0)
        message = self.errors.read(10_000).strip().rpartition(b"\n")[2][:300]
        self.line.send(frames.GONE, self.slot, 0, message)
        if self.run is not None:
            self.run.close()
        self.jail.ended()
        for end in (self.jobs, self.control, self.errors):
            end.close()


def sealed(content: bytes) -> int:
    """A descriptor of an anonymous file that nobody can change any more."""
    descriptor = os.memfd_create("job", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEAL_ALL)
    return descriptor


# ------------------------------------------------------------------ the agent


class Agent:
    """All jails of a container."""

    def __init__(self, line: Connection) -> None:
        self.line = line
        self.judge: socket.socket | None = None
        self.jails: dict[int, Handed | Relayed] = {}
        self.handed = 1 << 31
        self.woken, wake = os.pipe()
        for descriptor in (self.woken, wake):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # pid 1 would ignore it

    def serve(self) -> None:
        """Serves until the judge is gone."""
        while True:
            waiting = [(0, select.POLLIN, self.listen)]
            if self.line.outgoing:
                waiting.append((1, select.POLLOUT, self.line.flush))
            if self.judge is not None:
                waiting.append((self.judge.fileno(), select.POLLIN, self.start))
            for jail in self.jails.values():
                waiting += jail.polled()
            waiting.append((self.woken, select.POLLIN, self.reap))  # closes what the others use
            turn(waiting)
            self.line.flush()

    def listen(self) -> None:
        """Takes in frames of the judge."""
        for frame_type, slot, job, payload in self.line.receive():
            if frame_type == frames.HELLO:
                self.greet(json.loads(payload))
            elif frame_type == frames.OPEN:
                self.jails[slot] = Relayed(slot, self.line, json.loads(payload))
            elif isinstance(jail := self.jails.get(slot), Relayed):
                jail.take(frame_type, job, payload)

    def greet(self, greeting: dict[str, Any]) -> None:
        """Says what there is: through the judge's socket where it can be reached."""
        tools = {name: shutil.which(name, path=PATH) for name in greeting["tools"]}
        hello = {
            "key": greeting["key"],
            "walls": walls(),
            "python": sys.version.split()[0],
            "tools": {name: [at, os.path.realpath(at)] for name, at in tools.items() if at},
        }
        message = json.dumps(hello).encode()
        judge = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            judge.connect(greeting["socket"])
            judge.send(message)
        except OSError:
            judge.close()
            self.line.send(frames.HELLO, 0, 0, message)
        else:
            self.judge = judge

    def start(self) -> None:
        """Starts a jail over descriptors that the judge has sent."""
        assert self.judge is not None
        message, ends, _, _ = socket.recv_fds(self.judge, 1 << 18, 3)
        if not message:
            os._exit(0)
        if len(ends) == 3:
            self.handed += 1
            self.jails[self.handed] = Handed(ends, json.loads(message))

    def reap(self) -> None:
        """Buries the dead: launchers, and whatever they have left to the first process."""
        os.read(self.woken, 4096)
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for slot, jail in list(self.jails.items()):
                if jail.jail.process.pid == pid:
                    del self.jails[slot]
                    jail.ended()


def turn(waiting: Sequence[tuple[int, int, Callable[[], None]]]) -> None:
    """Waits until something can be done, and does it."""
    poll = select.poll()
    for descriptor, events, _ in waiting:
        poll.register(descriptor, events)
    happened = {descriptor for descriptor, _ in poll.poll()}
    for descriptor, _, do in waiting:
        if descriptor in happened:
            do()


def main() -> None:
    """Serves a judge over the standard streams."""
    for descriptor in (0, 1):
        os.set_blocking(descriptor, False)
    line = Connection(lambda: os.read(0, 1 << 16), lambda rest: os.write(1, rest),
                      frames.FROM_JUDGE)  # fmt: skip
    try:
        Agent(line).serve()
    except Broken as fault:
        sys.stderr.write(f"{fault}\n")
    finally:
        os._exit(0)  # what is left in the container ends with its first process


if __name__ == "__main__":
    main()
