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


def test_there_are_tests_of_every_category_and_family():
    envs = TESTS.parent / "envs"
    folders = {file.parent for file in envs.rglob("__init__.py")}
    with_files = {folder for folder in folders if len([*folder.glob("*.py")]) > 1}
    assert {folder.relative_to(envs) for folder in with_files} <= folders_of_tests("envs")


def test_large_categories_have_families():
    """Past sixty environments, a folder is no longer read at a glance."""
    folders = {file.parent for file in (TESTS.parent / "envs").rglob("__init__.py")}
    assert {str(f): len([*f.glob("*.py")]) for f in folders if len([*f.glob("*.py")]) > 61} == {}
