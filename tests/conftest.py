"""What several test files lean on."""

import gc
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution
from itertools import count
from pathlib import Path
from uuid import uuid4

import httpcore2 as httpcore
import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, settings

from palaestra import registry
from palaestra.workers.pool import workers

pytest_plugins = ["palaestra.testing.plugin", "tests.due"]

# What answers late on a busy machine is no fault either; whatever sets no time of its own has this.
for part in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, part, 120.0)

# Every client reads the certificates of this machine, which takes 30 ms; the tests read them once.
httpcore.default_ssl_context = cache(httpcore.default_ssl_context)

# A busy machine is no fault of the code; speed is the benchmarks' matter.
UNHURRIED = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None, print_blob=True
)
settings.register_profile("fixed", UNHURRIED, derandomize=True)
settings.register_profile("random", UNHURRIED, derandomize=False, max_examples=500)
# The same examples for everybody, so that a change is what makes a difference. New ones are drawn
# at night, by `.ci/nightly`: `pytest --hypothesis-profile=random`.
settings.load_profile("fixed")

STRETCH = 500
"""Tests after which what has come to stay is set aside."""

ran = count(1)


def pytest_configure():
    """Shells start what runs in the background with interrupts ignored, which the programs that are
    started here would inherit, and then not end when they are interrupted.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Three workers for two cores: a third of what tests take is waiting, for servers, browsers and
    programs that run into their time.
    """
    return max(1, 3 * (os.cpu_count() or 1) // 2)


def set_aside():
    """Spare the collector of garbage what stays: thousands of tests, and what caches hold.

    Looking through it takes a second in the end, which then counts as some test's own.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def little_to_collect():
    """For tests that measure what work costs: the collector is not to come with old matter then."""
    set_aside()


def pytest_collection_finish():
    set_aside()


def pytest_runtest_teardown():
    if next(ran) % STRETCH == 0:
        set_aside()


@pytest.fixture
def other_distribution(tmp_path, monkeypatch):
    """Lets a test write environments of another distribution, in a category of its own.

    Call it with a category and ``{file name: source}``; each call adds a distribution of the name
    that it is given, and returns the name of its package.
    """
    points = []
    caches = [each for each in vars(registry).values() if hasattr(each, "cache_clear")]

    def clear():
        # Workers that run already do not know of the test's package, so new ones are started.
        workers().close()
        for function in caches:
            function.cache_clear()

    def install(category, sources, distribution="other"):
        package = f"{category}_of_{distribution}_{tmp_path.name.replace('-', '_')}"
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text('"""Environments of a test."""\n')
        for name, source in sources.items():
            file = folder / f"{name}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        info = tmp_path / f"{distribution}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        (info / "METADATA").write_text(about)
        (info / "entry_points.txt").write_text(f"[palaestra.envs]\n{category} = {package}\n")
        points.extend(Distribution.at(info).entry_points)
        monkeypatch.setattr(registry, "entry_points", lambda group: points)
        clear()
        return package

    yield install
    clear()


HEAVY = '''"""A puzzle of a test."""

import os

from palaestra.task import Puzzle, Score, JudgeError, ladder


class Weight(Puzzle):
    """Say the number."""

    expensive = True
    tags = {"test"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(1, 2, 3)

    number: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(number=rng.randrange(10**6))

    def prompt(self):
        return "?"

    def answer(self):
        return str(self.number)

    def verify(self, answer):
        match answer:
            case "die":
                os._exit(1)
            case "exit":
                raise SystemExit(3)
            case "raise":
                raise ZeroDivisionError(answer)
            case "gold":
                raise JudgeError("the gold is lost", "gold_error")
        while answer == "hang":
            pass
        return Score(answer == self.answer(), f"judged by {os.getpid()}")
'''


@pytest.fixture
def expensive(other_distribution):
    """The name of an environment whose judging goes to worker processes."""
    other_distribution("weights", {"weight": HEAVY})
    return "weights/weight"


def _postgres_programs():
    """Where the programs of a PostgreSQL are, the newest one's."""
    folders = [Path(place).parent for place in [shutil.which("initdb")] if place]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in folders if (place / "initdb").exists()), None)


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL of the tests' own, on a free port of loopback; gives its URL without database.

    It refuses to run as root, so it is run as nobody then.
    """
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    pytest.importorskip("psycopg", reason="no psycopg here: pip install 'palaestra[postgres]'")
    who = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="palaestra-postgres-", dir="/tmp"))
    if who:
        shutil.chown(folder, "nobody", "nogroup")
    data = folder / "data"
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "tester", "--auth=trust", "--no-sync", "-E", "UTF8",
         "--locale=C"],
        check=True, capture_output=True, cwd=folder, **who,
    )  # fmt: skip
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-p", str(port), "-k", folder,
         "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=60"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who,
    )  # fmt: skip
    try:
        url = f"postgresql://tester@127.0.0.1:{port}"
        _wait_for_postgres(url, server)
        yield url
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(300)
        shutil.rmtree(folder)


def _wait_for_postgres(url, server):
    import psycopg

    for _ in range(300):
        assert server.poll() is None, "PostgreSQL did not start"
        with suppress(psycopg.OperationalError), psycopg.connect(f"{url}/postgres"):
            return
        time.sleep(0.1)
    raise AssertionError("PostgreSQL does not answer")


@pytest.fixture
def postgres(postgres_server):
    """The URL of an empty database."""
    import psycopg

    name = f"test_{uuid4().hex}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield f"{postgres_server}/{name}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
