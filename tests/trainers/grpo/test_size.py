"""The size of the reference trainer, which is to be read from beginning to end."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

GRPO = Path(__file__).parents[3] / "trainers/grpo"
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip
"""Tokens that do not count as code."""


def lines_of_code(source: str) -> int:
    """Lines of a program without blank lines, comments, and strings that are statements."""
    strings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            lines |= {*range(token.start[0], token.end[0] + 1)}
    return len(lines - strings)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([], 0),
        (['"""A module."""', "", "X = 1  # one", '"""About X,', 'in two lines."""'], 1),
        (["# a comment", "x = [", "    1,", "", "    # two", "    2,", "]"], 4),
        (["def f():", '    """Nothing."""', "    return '''a", "", "b'''"], 4),
    ],
)
def test_lines_of_code_are_counted(lines, number):
    assert lines_of_code("".join(f"{line}\n" for line in lines)) == number


def test_the_trainer_has_fewer_than_1500_lines_of_code():
    counts = {
        str(file.relative_to(GRPO)): lines_of_code(file.read_text("utf-8"))
        for file in GRPO.rglob("*.py")
    }
    assert sum(counts.values()) < 1500, counts


def test_no_file_of_the_trainer_is_longer_than_600_lines():
    lengths = {file.name: len(file.read_text("utf-8").splitlines()) for file in GRPO.rglob("*.py")}
    assert max(lengths.values()) <= 600, lengths
