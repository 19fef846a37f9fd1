"""Tests of graphs/degree_sequence."""

from palaestra.envs.graphs.degree_sequence import DegreeSequence


def test_degrees_by_hand():
    task = DegreeSequence(names=tuple("ABCD"), degrees=(2, 2, 1, 1), shut=((0, 1),))
    assert task.verify("A-C, A-D, B-C, B-D").reason == "C has 2 edges"
    path = task.model_copy(update={"degrees": (1, 2, 2, 1)})
    assert path.verify("A-C, C-B, B-D").value == 1
    assert path.verify("A-B, B-C, C-D").reason == "A and B must not be joined"
    assert path.verify("A-A, B-C, B-D").reason == "A is joined to itself"
