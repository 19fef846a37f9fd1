"""Environments that replace others are the ones that a process gets."""

import os
import sys

import palaestra
from palaestra.importers.folders import write_category

TEXT = '''
from palaestra.task import Puzzle


class Reply(Puzzle):
    """One word."""

    version = {version}
'''


def test_a_file_replaced_within_a_second_by_one_of_its_size_is_read_again(folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    versions = []
    for version in (1, 2):
        files = {"reply": TEXT.format(version=version)}
        (path,) = write_category(folder / "envs", "words", "Words.", files, replace=True)
        os.utime(path, (1_800_000_000, 1_800_000_000))
        versions.append(palaestra.registry.load("words/reply").version)
    assert versions == [1, 2]
