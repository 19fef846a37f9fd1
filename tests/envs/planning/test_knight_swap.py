"""Tests of planning/knight_swap."""

from palaestra.envs.planning.knight_swap import KnightSwap


def test_guarini():
    """On the board of three by three, four knights need sixteen moves."""
    cells = tuple(r * 5 + c for r in range(3) for c in range(3))
    task = KnightSwap(cells=cells, white=(0, 2), black=(10, 12), least=0, spare=0)
    assert len(task.plan()) == 16
