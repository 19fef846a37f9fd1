"""Tests of machines/tape_program."""

from palaestra.generators.machines import tape_program


def test_a_tape_program_that_says_hello() -> None:
    program = (
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------."
        "--------.>>+."
    )
    end = tape_program.run(program, (), 10_000)
    assert bytes(end.printed).decode() == "Hello World!"
    assert end.halted
    assert not tape_program.run("+[]", (), 100).halted
