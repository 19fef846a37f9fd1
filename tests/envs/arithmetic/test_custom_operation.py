"""Tests of arithmetic/custom_operation."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

SEEDS = st.integers(0, 10**6)


def test_an_operation_worked_by_hand() -> None:
    from palaestra.envs.arithmetic.custom_operation import Operation

    operation = Operation((3, -1, 0, 2), "a > b", (0, 1, 1, 0), 7)
    assert operation.applied(5, 1) == (15 - 1 + 2) % 7
    assert operation.applied(2, 6) == (6 + 12) % 7


@settings(max_examples=20)
@given(SEEDS)
def test_operations_by_reading_the_prompt(seed: int) -> None:
    """Evaluate the innermost brackets first, by the definitions of the prompt."""
    task = sampled("arithmetic/custom_operation", seed, 4)
    _, defined, _, expressions, _ = task.prompt().split("\n\n")
    signs = {line[2]: line.split(" = ", 1)[1] for line in defined.splitlines()}

    def applied(match: re.Match[str]) -> str:
        a, sign, b = int(match[1]), match[2], int(match[3])
        first, _, rest = signs[sign].partition(" if ")
        test, _, second = rest.partition(", else ")
        holds = {
            "a > b": a > b,
            "a is even": a % 2 == 0,
            "a + b is odd": (a + b) % 2 == 1,
            "b is a multiple of 3": b % 3 == 0,
            "a and b differ by less than 5": abs(a - b) < 5,
            "": True,
        }[test]
        terms, modulus = (first if holds else second).split(" mod ")
        total = 0
        for size, name in re.findall(r"([+-]?\d*)(ab|a|b|)", terms.strip("()").replace(" ", "")):
            if size or name:
                factor = int(size) if size.strip("+-") else int(size + "1")
                total += factor * {"a": a, "b": b, "ab": a * b, "": 1}[name]
        return str(total % int(modulus))

    values = []
    for line in expressions.splitlines()[1:]:
        text = f"({line.split('. ')[1]})"
        while "(" in text:
            text = re.sub(r"\((\d+) (\D) (\d+)\)", applied, text)
        values.append(text)
    assert task.verify(", ".join(values)).correct
