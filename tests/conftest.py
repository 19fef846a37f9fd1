"""What several test files lean on."""

from importlib.metadata import EntryPoint

import pytest
from hypothesis import settings

from palaestra import registry
from palaestra.verifiers.workers import workers

# A busy machine is no fault of the code; speed is the benchmarks' matter.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture
def other_distribution(tmp_path, monkeypatch):
    """Lets a test write environments of another distribution, in a category of its own.

    Call it with a category and ``{file name: source}``.
    """
    caches = (registry.packages, registry.names, registry._known, registry.load)

    def clear():
        # Workers that run already do not know of the test's package, so new ones are started.
        workers().close()
        for cache in caches:
            cache.cache_clear()

    def install(category, sources):
        package = f"{category}_envs_{tmp_path.name.replace('-', '_')}"
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text('"""Environments of a test."""\n')
        for name, source in sources.items():
            (folder / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        point = EntryPoint(category, package, "palaestra.envs")
        monkeypatch.setattr(registry, "entry_points", lambda group: [point])
        clear()

    yield install
    clear()


HEAVY = '''"""A puzzle of a test."""

import os

from palaestra.task import Puzzle, Score, Unscored, ladder


class Weight(Puzzle):
    """Say the number."""

    heavy = True
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
                raise Unscored("the gold is lost", "gold_error")
        while answer == "hang":
            pass
        return Score(answer == self.answer(), f"judged by {os.getpid()}")
'''


@pytest.fixture
def heavy(other_distribution):
    """The name of an environment whose judging goes to worker processes."""
    other_distribution("weights", {"weight": HEAVY})
    return "weights/weight"
