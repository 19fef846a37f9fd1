"""Syntax trees that several threads build at once."""

import ast
import gc
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from palaestra.generators.programs.game_policy import rules as game_rules
from palaestra.syntax import TRIES, parse, parse_expression, source_of


@pytest.fixture
def hurried():
    """Threads take turns in the middle of building a tree: whenever garbage is collected."""
    before = gc.get_threshold()
    gc.set_threshold(10)
    gc.callbacks.append(breathe)
    yield
    gc.callbacks.remove(breathe)
    gc.set_threshold(*before)


def breathe(*_):
    time.sleep(0)


def test_threads_do_not_disturb_each_other(hurried):
    source = "[" * 20 + "x(1)" + "]" * 20 + "\n"
    wanted = ast.dump(ast.parse(source * 5))
    with ThreadPoolExecutor(16) as pool:
        assert {ast.dump(tree) for tree in pool.map(parse, [source * 5] * 100)} == {wanted}


def test_a_tree_that_somebody_disturbed_is_built_again(monkeypatch):
    built = []

    def disturbed(source, *given, **named):
        built.append(source)
        if len(built) < TRIES:
            raise SystemError("AST constructor recursion depth mismatch")
        return compile(source, "<unknown>", "eval", ast.PyCF_ONLY_AST)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert ast.dump(parse_expression("7")) == "Constant(value=7)"
    assert len(built) == TRIES
    built.clear()
    monkeypatch.setattr("palaestra.syntax.TRIES", TRIES - 1)
    with pytest.raises(SystemError):
        parse_expression("7")


def test_flaws_are_those_of_the_standard_library():
    with pytest.raises(SyntaxError, match="never closed"):
        parse("(")
    assert source_of(game_rules.Heaps).startswith("class Heaps(Game):")
