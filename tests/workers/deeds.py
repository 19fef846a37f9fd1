"""What workers do in the tests: each test has a copy of its own, under a name of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

KEPT = []


def note_down(note, pid):
    """All at once, since whoever sees the file may end this process before it could be filled."""
    Path(note + ".part").write_text(str(pid))
    Path(note + ".part").replace(note)


def hang(note=None):
    if note:
        note_down(note, os.getpid())
    while True:
        pass


def hang_in_c():
    sum(range(10**14))


def hang_deaf():
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGPROF):
            signal.signal(number, signal.SIG_IGN)
    hang()


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)


def burst(megabytes):
    return len(bytearray(megabytes << 20))


def burst_by_and_by():
    grown = []
    while True:
        grown.append(bytearray(1 << 20))


def keep(megabytes):
    KEPT.append(b"x" * (megabytes << 20))
    return os.getpid()


def pid_after(seconds):
    time.sleep(seconds)
    return os.getpid()


def spawn(note, fork):
    if not fork:
        child = subprocess.Popen([sys.executable, "-c", "while True: pass"]).pid
    elif not (child := os.fork()):
        hang()
    note_down(note, child)
    hang()


def orphan(note):
    if not (child := os.fork()):
        hang()
    note_down(note, child)
    os._exit(7)


def wait_for(note, value="done"):
    Path(note + ".begun").touch()
    while not Path(note).exists():
        time.sleep(0.001)
    return value


def touch(note):
    Path(note).touch()


def chatter(text):
    print(text)  # noqa: T201
    sys.stdout.write(text)
    sys.stdout.flush()
    os.write(1, text.encode())
    os.write(2, text.encode())
    subprocess.run(["echo", text], check=False)
    return sys.stdin.read()


def text(length):
    return "x" * length


class Loud(Exception):
    def __str__(self):
        return "!" * 10_000_000


class Mute(Exception):
    def __str__(self):
        raise SystemExit(2)


class Odd(BaseException):
    def __init__(self, one, two):
        self.lock = threading.Lock()

    def __str__(self):
        return "\ud800 is half a pair"


def fail(how):
    def deep():
        deep()

    match how:
        case "plain":
            raise ValueError("no")
        case "loud":
            raise Loud
        case "mute":
            raise Mute
        case "odd":
            raise Odd(1, 2)
        case "exit":
            sys.exit("bye")
        case "interrupt":
            raise KeyboardInterrupt
        case "generator":
            raise GeneratorExit
        case "deep":
            deep()


def strange(what):
    looped = []
    looped.append(looped)
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return {
        "nan": float("nan"),
        "inf": [float("inf")],
        "set": {1},
        "bytes": b"x",
        "object": object(),
        "long": 10**5_000,
        "loop": looped,
        "deep": nested,
        "keys": {(1, 2): 3},
    }[what]


def alarm():
    """What Math-Verify does."""

    def ring(*_):
        raise TimeoutError("alarm")

    signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        hang()
    except TimeoutError:
        return "rang"


def lines():
    """All open descriptors but the standard ones; the pool's can have any number."""
    return [line for line in (int(entry.name) for entry in Path("/dev/fd").iterdir()) if line > 2]


def shut():
    for line in lines():
        with suppress(OSError):
            os.close(line)
    hang()


def babble():
    for line in lines():
        with suppress(OSError):
            os.write(line, b"\xff" * 100)


def environment(name):
    return os.environ.get(name)
