"""Lindenmayer systems and stack machines, worked by hand."""

from palaestra.envs.machines.lindenmayer_system import grown
from palaestra.envs.machines.stack_machine import ran


def test_small_machines():
    assert grown("a", (("a", "ab"), ("b", "a")), 6) == "abaababaabaababaababa"
    assert ran(("push 7", "push 9", "sub")) == ([98], 3)
    assert ran(("push 2", "repeat 3", "dup", "mul", "end")) == ([56], 11)
    assert ran(("push 1", "repeat 2", "repeat 3", "push 1", "add", "end", "end"))[0] == [7]
    assert ran(("push 1", "push 2", "push 3", "rot"))[0] == [2, 3, 1]
    assert ran(("add",)) is None
