"""Functions that workers run, a pool, and a clock that can be moved."""

from pathlib import Path
from time import monotonic

import pytest

from palaestra.workers import process as worker_process
from palaestra.workers import supervisor
from palaestra.workers.pool import Workers

DEEDS = Path(__file__).parent / "deeds.py"


@pytest.fixture
def deeds(tmp_path, monkeypatch):
    """The name of a module of functions that only this test knows of."""
    name = f"deeds_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(DEEDS.read_text())
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.fixture
def pool():
    with Workers(1, wall_s=30) as pool:
        yield pool


@pytest.fixture
def later(monkeypatch):
    """Lets time pass for the pools of this process: ``later(pool, seconds)``."""
    skew = [0.0]
    for module in (supervisor, worker_process):
        monkeypatch.setattr(module, "monotonic", lambda: monotonic() + skew[0])

    def pass_by(pool, seconds):
        skew[0] += seconds
        pool._supervisor._ring()  # it sleeps until the deadline that it knows of

    return pass_by
