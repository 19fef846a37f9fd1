"""Environments of several categories at the bounds of their knobs."""

import pytest

from palaestra.address import Address
from palaestra.registry import load
from palaestra.task import KnobError, Puzzle

CORNERS = [
    ("arithmetic/cryptarithm", {"letters": 10, "length": 3, "addends": 4, "known": 0}),
    ("arithmetic/cryptarithm", {"letters": 10, "length": 4, "addends": 3, "known": 0}),
    ("arithmetic/decimal_chain_sum", {"steps": 60, "digits": 1, "places": 9, "rounding": "down"}),
    ("algebra/simultaneous_congruences", {"congruences": 10, "modulus": 12, "shared": True}),
    ("algebra/simultaneous_congruences", {"congruences": 10, "modulus": 20, "shared": True}),
    ("algorithms/sorting_trace", {"method": "shell"}),
]
"""Knobs that are far from those of the levels, where fair tasks were rare."""


@pytest.mark.parametrize(("name", "knobs"), CORNERS)
def test_a_corner_of_the_knobs_has_fair_tasks(name, knobs):
    if name.endswith("decimal_chain_sum"):
        knobs = {**knobs, "products": _bound(name, "products", "le")}
    if name.endswith("sorting_trace"):
        knobs = {**knobs, "size": _bound(name, "size", "ge")}
    task = Address.of(name, 1, 0, split="eval", **knobs).task()
    assert task.verify(task.answer()).correct


def _bound(name, knob, end):
    """The end of a knob's range."""
    field = load(name).Knobs.model_fields[knob]
    return next(getattr(bound, end) for bound in field.metadata if hasattr(bound, end))


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("strings/string_insertion", {"length": 6, "letters": 3, "rules": 7, "rounds": 4}),
        ("strings/ab_rewriting", {"letters": 2, "rules": 8, "length": 20, "steps": 3}),
        ("strings/burrows_wheeler", {"length": 5, "letters": 2}),
        ("strings/longest_common_subsequence", {"length": 8, "letters": 3}),
        ("strings/longest_common_subsequence", {"length": 8, "letters": 8}),
        ("strings/palindrome_building", {"length": 7, "letters": 3, "apart": 1, "banned": 1}),
        ("strings/spell_backwards", {"words": 1, "letters": 3, "alphabet": 3, "way": "both"}),
        ("machines/lindenmayer_system", {"letters": 2, "steps": 3, "longest": 2, "positions": 9}),
        ("machines/turing_machine", {"states": 2, "symbols": 2, "cells": 20, "steps": 200}),
        ("planning/klotski", {"rows": 3, "columns": 3, "free": 4, "least": 16}),
        ("planning/klotski", {"rows": 3, "columns": 3, "free": 6, "least": 16}),
        ("planning/klotski", {"rows": 3, "columns": 4, "free": 6, "least": 16}),
    ],
)
def test_there_are_tasks_at_the_bounds_for_training_and_evaluation(name, knobs):
    for split in ("train", "eval"):
        task = Address.of(name, seed=1, split=split, **knobs).task()
        assert task.verify(task.answer()).value == 1


@pytest.mark.parametrize(
    ("name", "knob", "value"),
    [
        ("strings/ab_rewriting", "steps", 2),
        ("strings/burrows_wheeler", "length", 4),
        ("strings/longest_common_subsequence", "length", 7),
        ("strings/longest_common_subsequence", "letters", 10),
        ("strings/palindrome_building", "length", 6),
        ("strings/palindrome_building", "apart", 0),
        ("strings/palindrome_building", "banned", 0),
        ("strings/spell_backwards", "letters", 2),
        ("strings/spell_backwards", "alphabet", 2),
        ("machines/lindenmayer_system", "steps", 2),
    ],
)
def test_knobs_that_leave_too_few_tasks_are_refused(name, knob, value):
    with pytest.raises(KnobError):
        Address.of(name, **{knob: value})


@pytest.mark.parametrize("split", ["train", "eval"])
@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("ciphers/emoji_code", {"codes": 3, "listed": 8, "shortest": 3, "longest": 9}),
        ("machines/tape_program", {"blocks": 8, "depth": 3, "steps": 10, "inputs": 3}),
        ("machines/bracket_completion", {"pairs": 4, "kinds": 2, "gaps": 16, "anywhere": True}),
        ("machines/game_of_life_fate", {"size": 12, "settles": 2}),
        (
            "algebra/partial_fractions",
            {"linear": 5, "repeated": 3, "quadratics": 2, "largest": 12, "whole": False},
        ),
        ("numbers/recurrence", {"order": 1, "modulus": 12, "digits": 1, "constant": False}),
        ("geometry/polygon_angles", {"steps": 14, "theorems": 3, "extra": 8}),
        ("geometry/triangle_centres", {"centres": 5, "largest": 5, "points": "all"}),
        ("geometry/coordinate_areas", {"corners": 12, "largest": 6, "about": "points"}),
        ("geometry/point_in_polygon", {"corners": 20, "points": 16, "largest": 8}),
        ("games/mahjong_hand", {"rounds": 12, "tiles": 6, "suits": 2}),
        ("games/capture_go", {"size": 7, "moves": 3, "boards": 2}),
        ("games/chess_mate", {"white": 3, "black": 10, "moves": 1, "boards": 3}),
        ("games/word_guessing", {"length": 8, "listed": 500, "guesses": 4, "real": True}),
        ("games/tetris_placement", {"pieces": 2, "width": 9, "rows": 1}),
    ],
)
def test_knobs_at_the_ends_of_their_bounds_give_tasks(name: str, knobs: dict, split: str) -> None:
    for seed in range(3):
        task = Address.of(name, seed, 0, split, **knobs).task()
        assert task.is_valid()
        assert not isinstance(task, Puzzle) or task.verify(task.answer()).value == 1
