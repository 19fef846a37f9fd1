"""Tests of programs/small_interpreter."""

from random import Random

import pytest

from palaestra import Address
from palaestra.generators.programs.small_interpreter import machines as tiny_machines
from palaestra.generators.programs.small_interpreter.machines import Machine, interpreter

pytestmark = pytest.mark.usefixtures("jail")


def test_stack_machines_by_hand():
    keys = ("push", "sub", "print", "jnz", "swap", "jz")
    lenient = Machine("stack", keys, keys, 60, 100, 2, True, 1)
    strict = lenient._replace(lenient=False)
    assert interpreter(lenient)("push 3\npush 5\nsub\nprint\nsub") == [[98], [0]]
    assert interpreter(strict)("push 3\nsub\nprint\nprint") == [[3], []]
    assert interpreter(strict)("push 2\npush 1\nsub\njnz 2") == [[], [0]]
    assert interpreter(lenient)("jz 3\npush 9\npush 7") == [[], [7]]
    assert interpreter(strict)("jz 3\npush 9\npush 7") == [[], [9, 7]]
    assert interpreter(strict)("push 1\njnz 1") == [[], [1] * 30]


def test_register_machines_by_hand():
    keys = ("set", "print", "djnz", "sub", "turn")
    machine = Machine("registers", keys, keys, 100, 50, 3, True, 0)
    assert interpreter(machine)("set A 2\nprint A\ndjnz A 1") == [[2, 1, 0], [0, 0, 0]]
    assert interpreter(machine)("set B 3\nsub A B\nturn\nprint B") == [[47], [0, 47, 3]]


def test_turtles_by_hand():
    keys = ("step", "print", "right", "trail", "jm")
    machine = Machine("turtle", keys, keys, 100, 5, 4, True, 0)
    assert interpreter(machine)("step 7\nright\nstep 5\nprint") == [[2, 1], []]
    assert interpreter(machine)("trail 2\nprint") == [[2, 0], [[0, 0], [1, 0]]]
    assert interpreter(machine)("trail 5\njm 3\nprint\nstep 1") == [[], [[n, 0] for n in range(5)]]


def test_programs_tell_the_number_of_steps_and_the_modulus():
    for seed in range(12):
        task = Address.of("programs/small_interpreter", seed, 1).task()
        machine, cases = task.machine, task.cases()
        others = [machine._replace(steps=machine.steps + change) for change in (-1, 1)]
        if machine.family != "turtle":
            others.append(machine._replace(modulus=machine.modulus + 1))
        for other in others:
            assert any(interpreter(other)(program) != result for program, result in cases)


def test_names_of_instructions_are_constants():
    quoted = Machine("stack", ('a"b', "c\\"), ("push", "print"), 60, 50, 0, True, 0)
    assert interpreter(quoted)('a"b 7\nc\\') == [[7], []]


def test_examples_of_machines_are_short_and_varied():
    for seed in range(20):
        program, result = tiny_machines.example(tiny_machines.random_machine(Random(seed), 14, 3))
        assert program.count("\n") < 9
        assert len({line.split()[0] for line in program.splitlines()}) >= 4
        assert len(result[0]) < 9


def test_every_instruction_runs():
    for family, pool in tiny_machines.POOLS.items():
        machine = Machine(family, tuple(pool), tuple(pool), 200, 9, 4, False, 1)
        for program, result in tiny_machines.tested(machine, 1, 200):
            assert len(result) == 2, program
