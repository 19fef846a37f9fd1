"""Bugs that are to be found lead to one repair, among all that the prompts' kinds of slips allow.

The repairs are listed here once more, by CPython's syntax trees and not by the generators' code.
"""

import ast
from collections import Counter

import pytest

from palaestra.address import Address
from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parse import head, parsed
from palaestra.generators.programs.mini_python.repairs import repairs
from palaestra.generators.programs.mini_python.rewriting import Change, replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import first_failure, killer, trials
from palaestra.generators.programs.repair_the_bug import Bug, passing, relocations, spoilt
from palaestra.task import InvalidAnswer

ARITHMETIC = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
COMPARED = (
    {
        ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    },
    {ast.In: "in", ast.NotIn: "not in"},
    {ast.Is: "is", ast.IsNot: "is not"},
)  # fmt: skip
PAIRS = {
    "min": "max", "any": "all", "upper": "lower", "startswith": "endswith",
    "isalpha": "isdigit", "isupper": "islower",
}  # fmt: skip
PAIRS |= {other: one for one, other in PAIRS.items()}
SIGNS = ("+=", "-=", "*=", "//=", "%=", "=")


def in_expression(node, names, scope):  # noqa: PLR0912
    """The texts that may stand in the place of an expression."""
    text = ast.unparse
    match node:
        case ast.Constant(bool() as value):
            yield f"{not value}"
        case ast.Constant(int() as value):
            yield from (f"{value + 1}", f"{value - 1}")
        case ast.Name(name) if name in scope:
            yield from scope if names[name] > 1 else [other for other in names if other in scope]
        case ast.BinOp(left, _, right):
            yield from (f"({text(left)}) {new} ({text(right)})" for new in ARITHMETIC.values())
        case ast.BoolOp(sign, values):
            yield (" or " if isinstance(sign, ast.And) else " and ").join(
                f"({text(value)})" for value in values
            )
            yield f"not ({text(node)})"
        case ast.UnaryOp(ast.Not(), operand):
            yield text(operand)
        case ast.Compare(left, [sign], [right]):
            family = next(family for family in COMPARED if type(sign) in family)
            yield from (f"({text(left)}) {new} ({text(right)})" for new in family.values())
            yield f"not ({text(node)})"
        case ast.Call(ast.Name("range"), arguments):
            at = min(len(arguments) - 1, 1)
            row = [text(each) for each in arguments]
            for new in (f"{row[at]} + 1", f"{row[at]} - 1"):
                yield f"range({', '.join([*row[:at], new, *row[at + 1 :]])})"
        case ast.Call(ast.Name(name), arguments) if name in PAIRS:
            yield f"{PAIRS[name]}({', '.join(map(text, arguments))})"
        case ast.Call(ast.Attribute(owner, name), arguments):
            if name in PAIRS:
                yield f"{text(owner)}.{PAIRS[name]}({', '.join(map(text, arguments))})"
            if name == "append":
                yield f"{text(owner)}.insert(0, {text(arguments[0])})"
            if name == "pop" and not arguments:
                yield f"{text(owner)}.pop(0)"


def in_statement(node):
    """The texts that may stand in the place of a simple statement."""
    match node:
        case ast.AugAssign(target, _, value) | ast.Assign([ast.Name() as target], value):
            yield from (f"{ast.unparse(target)} {sign} {ast.unparse(value)}" for sign in SIGNS)
        case ast.Break() | ast.Continue():
            yield from ("break", "continue")


def suspects(source):
    """Every line that a player may think of: its number and its text."""
    rows = source.split("\n")
    for function in ast.parse(source).body:
        inside = list(ast.walk(function))
        scope = {n.arg for n in inside if isinstance(n, ast.arg)}
        scope |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for statement in inside:
            if isinstance(statement, ast.stmt):
                yield from ((statement.lineno, text) for text in in_statement(statement))
        for number in range(function.lineno + 1, function.end_lineno + 1):
            row = rows[number - 1]
            here = [n for n in inside if isinstance(n, ast.expr) and n.lineno == number]
            names = Counter(n.id for n in here if isinstance(n, ast.Name))
            for node in here:
                for text in in_expression(node, names, scope):
                    kept = text if isinstance(node, ast.Name | ast.Constant) else f"({text})"
                    line = row[: node.col_offset] + kept + row[node.end_col_offset :]
                    yield number, line.strip()


def fitting(source, examples):
    """The suspects with which a program does what the examples say."""
    for line, text in dict.fromkeys(suspects(source)):
        try:
            program = compiled(replaced(source, line, text))
        except InvalidAnswer:  # such as `for i + 1 in ...`
            continue
        if first_failure(program, examples) is None:
            yield line, text


LEVELS = [(0, 12), (1, 10), (2, 10), (3, 6), (4, 6), (5, 3), (6, 2)]


@pytest.mark.parametrize(("level", "seeds"), LEVELS)
def test_every_repair_that_fits_the_examples_of_a_slip_is_right(level, seeds):
    count = 0
    for seed in range(seeds):
        task = Address.of("programs/find_the_bug", seed, level).task()
        for line, text in fitting(task.source, task.examples):
            assert task.verify(f"{line}: {text}").value == 1, (task.source, line, text)
            count += 1
    assert count >= seeds / 2, "most of the repairs that were meant are among them"


@pytest.mark.parametrize(("level", "seeds"), [(0, 24), (1, 28)])
def test_every_repair_that_fits_the_examples_of_a_bug_is_right(level, seeds):
    for seed in range(seeds):
        task = Address.of("programs/repair_the_bug", seed, level).task()
        assert len(task.bugs) == 1
        wrong, examples = task.broken(), examples_of(task)
        repaired = [replaced(wrong, *repair) for repair in fitting(wrong, examples)]
        moved = relocations(wrong) if task.moved else ()
        repaired += [s for s in moved if first_failure(compiled(s), examples) is None]
        for source in repaired:
            assert all(passing(source, task.name, task.cases())), source


def examples_of(task):
    return task.shown().examples


@pytest.mark.parametrize("level", [2, 4])
def test_every_repair_of_the_last_bug_on_its_line_is_right(level):
    for seed in range(6):
        task = Address.of("programs/repair_the_bug", seed, level).task()
        for bug in task.bugs:
            wrong = spoilt(task.right, [bug])
            for line, text in fitting(wrong, examples_of(task)):
                if line == bug.line:
                    assert all(passing(replaced(wrong, line, text), task.name, task.cases()))


def test_repairs_hold_all_slips():
    """So that the slip which is drawn can be undone."""
    for seed in range(20):
        source = Address.of("programs/find_the_bug", seed, seed % 7).task().source
        assert {(s.line, s.text) for s in slips(source)} <= {
            (r.line, r.text) for r in repairs(source)
        }


def test_a_mutant_that_takes_longer_is_not_a_wrong_one():
    """The judge waits as long for it, so it has to be told apart by what it gives."""
    source = "def f(n):\n    for i in range(n * 40):\n        n += 0\n    return n"
    program = Program("def f(n):\n    for i in range(n):\n        n += 0\n    return n")
    change = Change(2, head("for i in range(n * 40):"))
    (wanted,) = trials(program, ["f(9)"])
    assert compiled(source).call("f(9)").shown == wanted.shown
    assert killer(program, change, [wanted]) is None


def test_lines_move_back():
    source = "def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t"
    for line, way in ((2, "below"), (4, "shallower"), (5, "deeper")):
        try:
            wrong = spoilt(source, [Bug(line, way=way)])
            parsed(wrong)
        except InvalidAnswer:
            continue
        assert source in relocations(wrong), way
