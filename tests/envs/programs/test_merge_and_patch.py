"""Tests of programs/merge_and_patch."""

import difflib
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.programs.merge_and_patch import MergeAndPatch
from palaestra.generators.programs.merge_and_patch import (
    Hunk,
    applied,
    as_diff,
    merged,
    merged_texts,
    patched,
    random_patch,
    rival_patch,
)
from palaestra.verifiers.patches import PatchSimilarity, changes

LINES = ("a", "b", "c", "d", "e", "f")


def random_pair(seed):
    rng = Random(seed)
    fresh = (f"x{n}" for n in range(1_000))
    length = rng.randint(4, 12)
    lines = tuple(f"line {n}" for n in range(length))
    ours = random_patch(rng, length, 4, fresh)
    return lines, ours, rival_patch(rng, length, ours, fresh)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ((Hunk(1, 1, ("x",)),), (Hunk(3, 1, ("y",)),), "a x c y e f"),
        ((Hunk(1, 1, ("x",)),), (Hunk(2, 1, ("y",)),), "a <<<<<<< x c ======= b y >>>>>>> d e f"),
        ((Hunk(1, 1, ("x",)),), (Hunk(2, 0, ("y",)),), "a <<<<<<< x ======= b y >>>>>>> c d e f"),
        ((Hunk(1, 1, ("x",)),), (Hunk(3, 0, ("y",)),), "a x c y d e f"),
        ((Hunk(1, 1, ("x",)),), (Hunk(1, 1, ("x",)),), "a x c d e f"),
        ((Hunk(0, 0, ("x",)),), (Hunk(6, 0, ("y",)),), "x a b c d e f y"),
        ((Hunk(1, 3, ()),), (Hunk(2, 1, ("y",)),), "a <<<<<<< ======= b y d >>>>>>> e f"),
        (
            (Hunk(1, 1, ("x",)), Hunk(4, 1, ("z",))),
            (Hunk(2, 2, ("y",)),),
            "a <<<<<<< x c d z ======= b y e >>>>>>> f",
        ),
    ],
)
def test_merges_by_hand(ours, theirs, expected):
    assert " ".join(merged(LINES, ours, theirs)) == expected
    texts = patched(LINES, ours), patched(LINES, theirs)
    assert " ".join(merged_texts(LINES, *texts)) == expected


@pytest.mark.parametrize("seed", range(200))
def test_both_ways_to_merge_agree(seed):
    lines, ours, theirs = random_pair(seed)
    texts = patched(lines, ours), patched(lines, theirs)
    assert merged(lines, ours, theirs) == merged_texts(lines, *texts)


@pytest.mark.parametrize("seed", range(50))
def test_diffs_are_those_of_difflib(seed):
    lines, ours, _ = random_pair(seed)
    text = patched(lines, ours)
    diff = as_diff(lines, ours)
    assert applied(lines, diff) == text
    expected = difflib.unified_diff(lines, text, "a/notes.txt", "b/notes.txt", n=0, lineterm="")
    assert changes(diff + "\n") == changes("\n".join(expected) + "\n")


def test_a_diff_is_like_itself():
    pytest.importorskip("rapidfuzz")
    diff = as_diff(LINES, (Hunk(1, 2, ("x",)), Hunk(5, 0, ("y",))))
    assert diff.split("\n")[2] == "@@ -2,2 +2,1 @@"
    assert diff.split("\n")[6] == "@@ -5,0 +5,1 @@"
    assert PatchSimilarity(diff + "\n")(diff + "\n").value == 1


def test_scores():
    task = MergeAndPatch(
        lines=LINES,
        history=((Hunk(0, 1, ()),),),
        ours=(Hunk(0, 1, ("x",)),),
        theirs=(Hunk(0, 1, ("y",)),),
    )
    right = ["<<<<<<<", "x", "=======", "y", ">>>>>>>", "c", "d", "e", "f"]
    assert task.answer() == "\n".join(right)
    assert task.verify("\n".join(f"{n}. `{line}`" for n, line in enumerate(right, 1))).value == 1
    assert task.verify("\n".join(right[:4])).reason == "wrong number of lines: 4"
    swapped = ["<<<<<<<", "y", "=======", "x", *right[4:]]
    assert task.verify("\n".join(swapped)).reason == "line 2 is wrong"


def test_most_tasks_have_conflicts():
    texts = [Address.of("programs/merge_and_patch", seed, 3).task().answer() for seed in range(40)]
    assert sum("=======" in text for text in texts) > 25
