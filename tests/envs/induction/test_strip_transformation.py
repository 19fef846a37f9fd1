"""Tests of induction/strip_transformation."""

from random import Random

import pytest

from palaestra.generators.induction import list_programs, strip_transformation
from palaestra.registry import load


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("fill", "2002033", "2222033"),
        ("hollow", "2220330", "2020330"),
        ("grow", "0120300", "0122330"),
        ("grow left", "0010023", "0110223"),
        ("shrink", "2220330", "0220030"),
        ("single", "1022030", "0022000"),
        ("longest", "1102203", "1102200"),
        ("starts", "2220330", "2000300"),
        ("pack", "0102030", "1230000"),
        ("fold", "1234567", "1234321"),
    ],
)
def test_strips_step_by_step(name: str, before: str, after: str) -> None:
    result = strip_transformation.StripStep(name, 10).applied(tuple(map(int, before)))
    assert "".join(map(str, result)) == after


def test_strips_are_fair_as_the_whole_search_finds_them() -> None:
    env = load("induction/strip_transformation")
    rng = Random(5)
    for _ in range(60):
        task = env.generate(rng, env.Knobs.at(4))
        search = task.search()  # type: ignore[attr-defined]
        settled = len(search.outcomes) == 1 and search.shortest == 3
        strips = (*task.inputs, *task.new)  # type: ignore[attr-defined]
        outputs = [list_programs.run(task.program, xs) for xs in strips]  # type: ignore[attr-defined]
        assert not (settled and task.is_refuted(outputs))  # type: ignore[attr-defined]
        assert settled or not task.is_valid()
