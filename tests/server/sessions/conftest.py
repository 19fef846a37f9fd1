"""Fixtures."""

import pytest

from palaestra.server import clock


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request, tmp_path):
    """The URL of an empty database of each kind."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")
    return "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path / 'kept'}"


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
def shared(request, tmp_path):
    """One that several servers can share."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")
    return f"sqlite:///{tmp_path / 'kept'}"


@pytest.fixture
def later(monkeypatch):
    """Lets time pass for sessions: ``later(seconds)``."""
    return lambda seconds: monkeypatch.setattr(clock, "_BEGAN", clock._BEGAN + seconds)
