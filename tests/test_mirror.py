"""Folders of tests mirror the rooms: each has the name of the folder that it tests."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOMS = ("envs", "generators", "server", "trainers", "verifiers")


def folders_of_tests(room: str) -> set[Path]:
    """The folders that hold tests, as paths inside the room."""
    return {file.parent.relative_to(TESTS / room) for file in (TESTS / room).rglob("test_*.py")}


@pytest.mark.parametrize("room", ROOMS)
def test_folders_of_tests_are_folders_of_the_room(room):
    missing = [path for path in folders_of_tests(room) if not (TESTS.parent / room / path).is_dir()]
    assert missing == []


def test_there_are_tests_of_every_category():
    categories = {file.parent for file in (TESTS.parent / "envs").glob("*/__init__.py")}
    assert {folder.name for folder in categories} <= {
        str(path) for path in folders_of_tests("envs")
    }
