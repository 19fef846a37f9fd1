"""What tests of importers lean on."""

import json
import sys

import pytest

from palaestra import registry
from palaestra.cli import main
from palaestra.workers.pool import workers


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in which commands run, with its environments in envs."""
    caches = [each for each in vars(registry).values() if hasattr(each, "cache_clear")]

    def clear():
        workers().close()  # those that run already have another folder of environments
        for function in caches:
            function.cache_clear()
        for name in [name for name in sys.modules if name.startswith(registry.LOCAL)]:
            del sys.modules[name]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALAESTRA_ENVS", str(tmp_path / "envs"))
    clear()
    yield tmp_path
    clear()


@pytest.fixture
def command(folder, capsys):
    """Runs a command; returns its exit code and what it prints on standard output and error."""

    def run(*argv):
        capsys.readouterr()
        try:
            main(list(argv))
        except SystemExit as end:
            code = end.code or 0
        else:
            code = 0
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.fixture
def rows(folder):
    """Writes a file of JSON lines; returns its name."""

    def write(*values, name="questions.jsonl"):
        lines = (each if isinstance(each, str) else json.dumps(each) for each in values)
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return name

    return write
