"""Folders of tests mirror the rooms: each has the name of what it tests."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOMS = ("envs", "generators", "server", "trainers", "verifiers")


def folders_of_tests(room: str) -> set[Path]:
    """The folders that hold tests, as paths inside the room."""
    return {file.parent.relative_to(TESTS / room) for file in (TESTS / room).rglob("test_*.py")}


@pytest.mark.parametrize("room", ROOMS)
def test_folders_of_tests_are_folders_or_modules_of_the_room(room):
    parts = [TESTS.parent / room / path for path in folders_of_tests(room)]
    assert [
        part for part in parts if not (part.is_dir() or part.with_suffix(".py").is_file())
    ] == []


def test_there_are_tests_of_every_category():
    categories = {file.parent for file in (TESTS.parent / "envs").glob("*/__init__.py")}
    assert {folder.name for folder in categories} <= {
        str(path) for path in folders_of_tests("envs")
    }
