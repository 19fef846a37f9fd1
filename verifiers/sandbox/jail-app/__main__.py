"""A jail: a warm interpreter behind walls, which forks a fresh process for each program.

Started as ``python -sPS jail JOBS CONTROL CONFIG`` with two inherited sockets. Four processes are
inside: the launcher, which only waits; the warden, pid 1, which alone may mount and owns nothing
but two pipes; the forker; and the spare, a program's process that waits for its job.
"""

import builtins
import gc
import io
import json
import math
import mmap
import os
import random
import resource
import select
import signal
import socket
import struct
import sys
import time
import types
from typing import Any

import cell
import kernel
import program
from emptying import empty

STATUS = struct.Struct("<QiBQQQQ")
"""Job, wait status, what ended it, user and system microseconds, peak kB, wall microseconds."""

ENDED, TIMED_OUT, ABORTED, FAILED, ENDLESS = 0, 1, 2, 3, 4
CPU_OF_PROCESS = 2
"""The kind of clock that tells the processor time of a process and its threads; the rest of its
number is the process's, turned around: clock_getcpuclockid(3).
"""

CORES = os.cpu_count() or 1
SHORTEST_S = 0.005
"""Programs are not looked at more often, in seconds."""

OWN_PID = struct.pack("<I", 0x7A11E57A)
"""What stands for a program's own process in the filter for those without namespaces."""

HARD = {
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_MEMLOCK: 65_536,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 256,
}


class Running:
    """A program that has taken its job."""

    def __init__(self, pipe: int, process: int, pid: int, job: tuple[int, int, int]) -> None:
        self.pipe, self.process, self.pid = pipe, process, pid
        self.number, wall_ms, cpu_ms = job
        self.most_s = cpu_ms / 1000 or math.inf
        self.start = time.monotonic()
        self.end = self.start + wall_ms / 1000
        self.why = ENDED

    def left_s(self) -> float:
        """How long it may go on before it is looked at again, in seconds; none when it is over."""
        left_s = self.end - time.monotonic()
        if self.most_s < math.inf:
            used_s = time.clock_gettime(~self.pid << 3 | CPU_OF_PROCESS)
            soonest_s = max(SHORTEST_S, (self.most_s - used_s) / CORES)
            left_s = min(left_s, soonest_s if used_s < self.most_s else 0.0)
        return max(0.0, left_s)

    def kill(self, why: int) -> None:
        """Ends it; as it is pid 1 of its namespace, all that it has started goes with it."""
        self.why = self.why or why
        self.end, self.most_s = time.monotonic() + 5, math.inf
        signal.pidfd_send_signal(self.process, signal.SIGKILL)


class Jail:
    """The warm interpreter and the programs that it forks."""

    def __init__(self, jobs: int, control: int, config: dict[str, Any]) -> None:
        self.jobs = socket.socket(fileno=jobs)
        self.control = control
        self.config = config
        self.scratch = config.get("scratch", "/tmp")
        self.filters = [bytes.fromhex(text) for text in config["filters"]]
        self.warden: tuple[int, int] | None = None
        self.numbering: int | None = None
        self.main: dict[str, Any] = {}
        self.stillborn = 0
        self.given_up = 0
        self.endless = mmap.mmap(-1, mmap.PAGESIZE)

    def serve(self) -> None:
        """Goes behind the walls and runs programs until the judge is gone."""
        for module in self.config.get("warm", ()):  # modules of this folder, which is out of reach
            __import__(module)
        namespaces = self.config["level"] == "namespaces"
        if namespaces:
            entered = self.config.get("entered", False)
            self.numbering = (cell.begun if entered else cell.enter)(self.config)
        sys.path[:] = [path for path in sys.path if path != sys.path[0]]
        sys.path += self.config.get("packages", [])
        for module in self.config["preload"]:
            __import__(module)
        random.seed(0)
        if namespaces:
            self.split()
        errors = os.dup(2)
        try:
            self.lock_down()
            self.fork_programs()
        except BaseException as fault:
            os.write(errors, f"{type(fault).__name__}: {fault}\n".encode())
            raise

    # ------------------------------------------------------------------ the warden

    def split(self) -> None:
        """Leaves the warden behind, which replaces /tmp after each program."""
        options = f"size={self.config['tmp']},nr_inodes=4096,mode=1777"
        cell.fresh_tmp(options, first=True)
        (request, ask), (report, tell) = os.pipe(), os.pipe()
        if os.fork():
            for descriptor in (ask, report, self.jobs.detach(), self.control):
                os.close(descriptor)
            while os.read(request, 1):
                cell.fresh_tmp(options)
                os.write(tell, b"k")
            os._exit(0)  # pid 1 takes the whole jail with it
        os.close(request)
        os.close(tell)
        self.warden = (ask, report)

    def clean(self) -> None:
        """Leaves nothing of a program's files."""
        if self.warden is not None:
            os.write(self.warden[0], b"x")
            os.read(self.warden[1], 1)
            return
        empty(self.scratch)
        os.utime(self.scratch, (0, 0))

    # ------------------------------------------------------------------ what programs inherit

    def lock_down(self) -> None:
        """Applies here, once, all that a program inherits, so that its fork pays nothing for it."""
        for limit, value in HARD.items():
            resource.setrlimit(limit, (value, value))
        self.open_streams()
        module = types.ModuleType("__main__")
        vars(module)["__builtins__"] = builtins
        sys.modules["__main__"] = sys.modules["solution"] = module
        builtins.exit = builtins.quit = program.leave
        self.main = vars(module)
        os.environ.clear()
        os.environ.update(program.ENVIRONMENT)
        if self.warden is None:
            os.environ.update(HOME=self.scratch, TMPDIR=self.scratch)
        os.chdir("/")  # from a directory of programs, all that the first one writes would be kept
        program.ignore_nothing()
        rules = self.rules()
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0, "dumpable")
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1, "no_new_privs")
        if rules >= 0:
            kernel.landlock(rules)
        kernel.filter_calls(self.filters[0])
        gc.collect()
        gc.freeze()  # or the collector would touch, and so copy, every page

    def rules(self) -> int:
        if self.config["level"] == "none":
            return -1
        if self.warden is None:
            config = self.config
            listed = [*config["readable"], *config.get("packages", ())]
            readable = [*config["readable"], *config.get("shown", ())]
            rules = kernel.landlock_files(listed, readable, config["hidden"], [self.scratch])
            return int(rules)
        return int(kernel.landlock_net()) if self.config.get("landlock", True) else -1

    def open_streams(self) -> None:
        """Standard streams over the descriptors 0 to 2, whatever these will be."""
        empty = os.memfd_create("in")
        reader, writer = os.pipe()
        for number, descriptor in enumerate((empty, writer, writer)):
            os.dup2(descriptor, number)
        for descriptor in (empty, reader, writer):
            os.close(descriptor)
        text: dict[str, Any] = {"encoding": "utf-8", "closefd": False}
        sys.stdin = sys.__stdin__ = open(  # type: ignore[misc]
            0, errors="surrogateescape", **text
        )
        sys.stdout = sys.__stdout__ = open(  # type: ignore[misc]
            1, "w", errors="surrogateescape", **text
        )
        raw = io.FileIO(2, "w", closefd=False)
        sys.stderr = sys.__stderr__ = io.TextIOWrapper(  # type: ignore[misc]
            raw, encoding="utf-8", errors="backslashreplace", line_buffering=True
        )

    # ------------------------------------------------------------------ programs

    def fork_programs(self) -> None:
        """Forks, times, reaps and reports programs, one at a time, with a spare ahead."""
        poll = select.poll()
        poll.register(self.jobs.fileno(), select.POLLHUP)
        poll.register(self.control, select.POLLIN)
        spare = self.spawn()
        poll.register(spare[0], select.POLLIN)
        running: Running | None = None
        if self.config.get("announces"):
            self.jobs.send(STATUS.pack(0, 0, ENDED, 0, 0, 0, 0))
        while True:
            wait = None if running is None else running.left_s() * 1000
            events = poll.poll(wait)
            if not events and running is not None and not running.left_s():
                running.kill(TIMED_OUT)
            for descriptor, _ in events:
                if descriptor == self.jobs.fileno():
                    os._exit(0)  # the judge is gone
                elif descriptor == self.control:
                    self.obey(running)
                elif descriptor == spare[0]:
                    poll.unregister(descriptor)
                    running = self.started(spare) or running
                    if running is not None:
                        poll.register(running.process, select.POLLIN)
                    spare = self.spawn()
                    poll.register(spare[0], select.POLLIN)
                elif running is not None and descriptor == running.process:
                    poll.unregister(descriptor)
                    self.report(running)
                    running = None

    def obey(self, running: Running | None) -> None:
        """Ends the program that the judge has given up."""
        command = os.read(self.control, 8)
        if len(command) < 8:
            os._exit(0)
        (self.given_up,) = struct.unpack("<Q", command)
        if running is not None and self.given_up == running.number:
            running.kill(ABORTED)

    def spawn(self) -> tuple[int, int, int]:
        """A process that waits for its job: the pipe it will report on, its pidfd, its pid."""
        self.renumber()
        reader, writer = os.pipe()
        pid = kernel.clone(signal.SIGCHLD | (kernel.NEWPID if self.warden else 0))
        if pid:
            os.close(writer)
            return reader, os.pidfd_open(pid), pid
        try:
            os.setsid()
            if self.warden is None:
                self.become_another()
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL, "pdeathsig")
            if self.warden is None:
                kernel.filter_calls(
                    self.filters[1].replace(OWN_PID, struct.pack("<I", os.getpid()))
                )
            program.live(self.jobs, writer, self.main, self.scratch, self.endless)
        finally:
            os._exit(126)

    def renumber(self) -> None:
        """Lets the next process have any number, and so one that tells nothing of the others."""
        if self.numbering is not None:
            number = bytearray(os.urandom(5))
            for index, byte in enumerate(number):
                number[index] = ord("0") + byte % 10 if index else ord("1") + byte % 2
            os.pwrite(self.numbering, number, 0)
            number[:] = bytes(4)  # or it could be found in memory, and compared

    def become_another(self) -> None:
        """Without a pid namespace: another user where possible."""
        user = self.config.get("uid")
        if user and os.getuid() == 0:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)

    def started(self, spare: tuple[int, int, int]) -> Running | None:
        """The program that the spare became; None where it died before."""
        pipe, process, pid = spare
        report = os.read(pipe, program.JOB.size)
        if len(report) == program.JOB.size:
            self.stillborn = 0
            running = Running(pipe, process, pid, program.JOB.unpack(report))
            if running.number == self.given_up:  # before it had begun
                running.kill(ABORTED)
            return running
        os.close(pipe)
        os.waitpid(pid, 0)
        os.close(process)
        self.stillborn += 1
        if self.stillborn > 20:
            raise RuntimeError("no program's process lives long enough to take a job")
        return None

    def report(self, running: Running) -> None:
        """Tells the judge how a program ended, once nothing of it is left."""
        wall_us = int((time.monotonic() - running.start) * 1e6)
        _, status, used = os.wait4(running.pid, 0)
        os.close(running.process)
        os.set_blocking(running.pipe, False)
        if os.read(running.pipe, 1) != program.READY:
            running.why = FAILED
        elif self.endless[0] and running.why == ENDED:
            running.why, status = ENDLESS, signal.SIGKILL
        self.endless[:] = bytes(mmap.PAGESIZE)
        os.close(running.pipe)
        self.clean()
        user_us, system_us = int(used.ru_utime * 1e6), int(used.ru_stime * 1e6)
        numbers = (running.number, status, running.why, user_us, system_us, used.ru_maxrss, wall_us)
        self.jobs.send(STATUS.pack(*numbers))


def main() -> None:
    """Builds the jail; what goes wrong goes to standard error, and the slot never serves."""
    jobs, control, config = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    Jail(jobs, control, config).serve()


if __name__ == "__main__":
    main()
