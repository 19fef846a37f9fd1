"""Tests of arithmetic/cryptarithm."""

from itertools import permutations

from palaestra.envs.arithmetic.cryptarithm import Cryptarithm
from palaestra.verifiers.arithmetic.cryptarithm import Columns


def test_cryptarithms_by_brute_force():
    words, total = ("TO", "GO"), "OUT"
    letters = sorted(set("TOGOOUT"))
    solutions = []
    for row in permutations(range(10), len(letters)):
        code = dict(zip(letters, row))
        numbers = [int("".join(str(code[c]) for c in word)) for word in (*words, total)]
        if numbers[0] + numbers[1] == numbers[2] and all(code[w[0]] for w in (*words, total)):
            solutions.append(code)
    assert sorted(map(str, solutions)) == sorted(
        str(dict(sorted(code.items()))) for code in Columns(words, total).solutions()
    )


def test_send_more_money():
    task = Cryptarithm(words=("SEND", "MORE"), total="MONEY", known=())
    assert task.is_valid()
    assert task.verify("O=0 M=1".replace(" ", "\n") + "\nY=2\nE=5\nN=6\nD=7\nR=8\nS=9").correct
    assert "begins" in task.verify("O=1\nM=0\nY=2\nE=5\nN=6\nD=7\nR=8\nS=9").reason
    assert "same" in task.verify("O=1\nM=1\nY=2\nE=5\nN=6\nD=7\nR=8\nS=9").reason
