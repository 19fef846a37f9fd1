"""Answers that differ from a right one in a sign, a blank or a letter, and tasks solved at once."""

from collections import Counter

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer
from palaestra.verifiers.algebra.monomials import expanded
from palaestra.verifiers.gaussian import gaussian
from palaestra.verifiers.reading import labels, numbers


def test_a_space_between_digits_makes_no_number():
    for text in ("2 5", "x + 1 0892", "1\u00a00x", "12\n5"):
        with pytest.raises(InvalidAnswer):
            numbers.unspaced(text)
    assert numbers.unspaced("x ^ 2 + 10 000 x - 3 / 4") == "x^2+10000x-3/4"
    for read in (expanded, gaussian):
        with pytest.raises(InvalidAnswer):
            read("2 5")
    assert expanded("6x^2 + 25 x + 25") == {2: 6, 1: 25, 0: 25}


def test_a_minus_sign_before_a_variable_is_no_bullet():
    for text in ("-x = -4\ny = 7", "- x = 4\n-y = 7", "x = 4\n*-y = 7"):
        with pytest.raises(InvalidAnswer):
            labels.pairs(text, names="xy", variables=True)
    assert labels.pairs("- x = -4\n* y: 7", names="xy", variables=True) == {"x": "-4", "y": "7"}
    assert labels.pairs("-Ada: knight", names=["Ada"]) == {"Ada": "knight"}


@pytest.mark.parametrize(
    "name", ["ball_sort", "knight_swap", "nullify", "peg_solitaire", "tower_of_hanoi"]
)
def test_puzzles_without_a_graph_speak_of_none(name):
    task = Address.of(f"planning/{name}", 1, 0).task()
    for reply in ("Q -> W", "A -> 99", "nonsense", "A -> B -> Q"):
        with pytest.raises(InvalidAnswer) as refused:
            task.verify(reply)
        assert "graph" not in str(refused.value)
        assert "such as" in str(refused.value)
    graph = Address.of("graphs/shortest_path", 1, 0).task()
    with pytest.raises(InvalidAnswer, match="nodes"):
        graph.verify("Q9 -> W9")


@pytest.mark.parametrize("sign", ["-{}", "{}%", "~{}", "!{}", ".{}", "<{}", "{}?", "\u2212{}"])
def test_circuits_put_out_bits_without_signs(sign):
    for seed in range(4):
        task = Address.of("logic/circuit_logic", seed, 2).task()
        answer = task.answer()
        assert task.verify(answer).value == 1
        assert task.verify(" ".join(answer)).value == 1
        with pytest.raises(InvalidAnswer):
            task.verify(sign.format(answer))


def test_antiderivatives_may_have_a_constant():
    for seed in range(8):
        task = Address.of("algebra/antiderivative", seed, seed % 7).task()
        answer = task.answer()
        for end in (" + C", "+c", " - C", " + 7", ""):
            assert task.verify(answer + end).value == 1, answer + end
            assert task.audit(answer + end)
        for end in (" C", "*C", " + 2*C", " + C*x", " + C + C", " + x", " + D"):
            reply = f"{answer}{end}"
            try:
                assert task.verify(reply).value == 0, reply
            except InvalidAnswer:
                continue


def test_locks_do_not_show_the_target_at_first():
    for seed in range(400):
        task = Address.of("planning/quantum_lock", seed, seed % 6).task()
        assert task.target != task.start


def test_letters_are_not_all_absent():
    for level in range(6):
        for seed in range(100):
            answer = Address.of("strings/letter_counting", seed, level).task().answer()
            assert sum(count != "0" for count in answer.split()) > 1


def test_no_last_digits_are_common():
    """Powers whose exponent has a factor 2 or 5 end in few ways, such as 201.

    The lowest level asks for two digits, which forty numbers have at the end of a power.
    """
    for level, most in ((0, 15), (1, 6), (2, 6)):
        tasks = [Address.of("arithmetic/power_digits", seed, level).task() for seed in range(300)]
        (_, often), *_ = Counter(task.answer() for task in tasks).most_common(1)
        assert often <= most


@pytest.mark.parametrize("level", range(4))
def test_some_group_is_captured(level):
    for seed in range(60):
        answer = Address.of("games/capture_go", seed, level).task().answer()
        assert set(answer.split()) != {"none"}


def test_second_opinions_read_what_judges_read():
    task = Address.of("arithmetic/game_of_24", 11, 0).task()
    reply = task.answer().replace(":", " =")
    assert task.verify(reply).value == 1
    assert task.audit(reply)
    for name in ("logic/propositional_entailment", "games/mahjong_hand"):
        task = Address.of(name, 11, 0).task()
        reply = task.answer().replace(":", " =")
        assert task.verify(reply).value == 1
        assert task.audit(reply)
    puzzle = Address.of("algebra/arithmetic_puzzle", 11, 0).task()
    reply = puzzle.answer().replace(" ", ", ")
    assert puzzle.verify(reply).value == 1
    assert puzzle.audit(reply)
