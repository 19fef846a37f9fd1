"""A* search."""

from palaestra.generators.search import a_star


def test_a_star():
    path = a_star((0, 0), lambda p: [((1, 0), (p[0] + 1, p[1])), ((0, 2), (p[0], p[1] + 2))],
                   lambda p: abs(4 - p[0]) + abs(4 - p[1]) / 2, budget=500)  # fmt: skip
    assert len(path.moves) == 6
    assert a_star(0, lambda n: [("+", n + 1)], lambda n: 1, budget=50) is None
    assert a_star(0, lambda n: [], lambda n: 1) is None
