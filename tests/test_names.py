"""The public face has the field's names: those that they replaced stand nowhere in it."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from typer.main import get_command

import palaestra
from palaestra.catalog import catalog
from palaestra.cli import options
from palaestra.episode import ANSWER_FORMATS
from palaestra.server import structs
from palaestra.server.app import build
from palaestra.server.tables import schema
from palaestra.task import Turn
from palaestra.trainers.grpo.config import Config

ROOT = Path(__file__).parents[1]

REPLACED = {
    "Unreadable": "InvalidAnswer",
    "Unscored": "JudgeError",
    "NoFairTask": "NoValidTask",
    "Style": "AnswerFormat",
    "hear": "step",
    "says": "observation",
    "heard": "observations",
    "fair": "is_valid",
    "lazy": "shortcuts",
    "chance": "random_baseline",
    "effort": "difficulty",
    "heavy": "expensive",
    "style": "answer_format",
    "reserved": "held_out",
    "draw": "sample",
    "picture": "image",
    "draw_us": "sample_us",
}
"""Names that were replaced, each with the one that stands for it."""

OTHERWISE = {
    ("src/palaestra/scenes/elements.py", "style"),
    ("server/plan_boards.py", "picture"),
}
"""Names that mean something else elsewhere: how an element is drawn, the scene of a state."""

FILES = [
    file
    for folder in ("src/palaestra", "server", "trainers")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if not any(
        file.is_relative_to(ROOT / "src/palaestra" / room)
        for room in ("envs", "generators", "verifiers", "server", "trainers")
    )
]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(name: str) -> bool:
    return not name.startswith("_")


def names_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The public names of a module with their lines: of classes and functions, of what classes
    have, and of the parameters of functions.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and public(node.name):
            yield node.lineno, node.name
            yield from names_of(node)
            yield from own(node)
        elif isinstance(node, Function) and (public(node.name) or node.name == "__init__"):
            yield node.lineno, node.name
            spec = node.args
            every = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
            yield from ((each.lineno, each.arg) for each in every)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            yield from ((each.lineno, each.id) for each in targets if isinstance(each, ast.Name))


def own(kind: ast.ClassDef) -> Iterator[tuple[int, str]]:
    """What the methods of a class assign to ``self``."""
    for node in ast.walk(kind):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if isinstance(node.value, ast.Name) and node.value.id == "self" and public(node.attr):
            yield node.lineno, node.attr


def test_replaced_names_are_seen():
    source = """
class Game:
    style: str
    def __init__(self, seed): self.heard = seed
    def play(self, *, draw=None): draw = [draw]
    def _fair(self, lazy): return lazy
"""
    assert {name for _, name in names_of(ast.parse(source))} & REPLACED.keys() == {
        "style", "heard", "draw",
    }  # fmt: skip


def test_classes_and_functions():
    old = [
        f"{file.relative_to(ROOT)}:{line}: {name} is now called {REPLACED[name]}"
        for file in FILES
        for line, name in names_of(ast.parse(file.read_text("utf-8")))
        if name in REPLACED and (str(file.relative_to(ROOT)), name) not in OTHERWISE
    ]
    assert old == []


@pytest.mark.parametrize("room", ["envs", "generators", "verifiers"])
def test_methods_of_tasks(room):
    """What a task overrides: a method of an old name would not be called by anything."""
    methods = {"fair", "lazy", "chance", "effort", "reserved", "heavy", "says", "hear"}
    old = []
    for file in sorted((ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            for part in node.body:
                named = getattr(part, "name", None) or getattr(
                    getattr(part, "target", None), "id", ""
                )
                arguments = len(part.args.args) if isinstance(part, Function) else 0
                if named in methods and arguments < 2:
                    old.append((str(file.relative_to(ROOT)), part.lineno, REPLACED[named]))
    assert not old


def test_fields_of_turns():
    assert [*Turn.__dataclass_fields__] == [
        "observation", "reward", "legal_moves", "state", "player", "scene",
    ]  # fmt: skip


def test_the_package():
    assert not REPLACED.keys() & {*dir(palaestra)}
    module = importlib.import_module("palaestra.episode")
    assert {"AnswerFormat", "ANSWER_FORMATS"} <= {*dir(module)}


def test_keys_of_the_catalog():
    for row in catalog().values():
        assert not REPLACED.keys() & {*row, *row["measured"]}
        assert {"image", "measured"} <= {*row}
        assert {"random_baseline", "sample_us", "verify_us"} <= {*row["measured"]}


def test_columns_of_the_store():
    columns = {column.name for table in schema.tables.values() for column in table.columns}
    assert "answer_format" in columns
    assert not REPLACED.keys() & columns


def test_commands_and_options():
    from palaestra.cli import app

    def words(command) -> Iterator[str]:
        for option in command.params:
            yield from (text.lstrip("-").replace("-", "_") for text in option.opts)
        for name, below in getattr(command, "commands", {}).items():
            yield name
            yield from words(below)

    names = {*words(get_command(app))}
    assert {"sample", "answer_format"} <= names
    assert not REPLACED.keys() & names


def test_fields_and_paths_of_the_openapi_document():
    document = build().openapi()
    fields = {
        name
        for schema in document["components"]["schemas"].values()
        for name in schema.get("properties", {})
    }
    assert {"observation", "legal_moves", "answer_format"} <= fields
    assert not REPLACED.keys() & fields
    segments = {part for path in document["paths"] for part in path.split("/")}
    assert "image" in segments
    assert not REPLACED.keys() & segments


VAGUE = {"told", "found", "said", "flaw"}
"""Names that say how a value came about, and not what it is."""


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that a module binds, with their lines: variables, parameters, functions, and those of
    imports, exceptions and patterns.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name
            case ast.MatchStar(name=str(name)) | ast.alias(asname=str(name)):
                yield node.lineno, name


def test_vague_names_are_seen():
    source = """
import json as said
def told(found, *more):
    found = [said for said in more]
    try: pass
    except ValueError as told: told.found = said
    match more:
        case [_, *said]: pass
"""
    names = [(line, name) for line, name in bound_names(ast.parse(source)) if name in VAGUE]
    assert sorted(names) == [
        (2, "said"), (3, "found"), (3, "told"), (4, "found"), (4, "said"), (6, "told"), (8, "said"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "folder",
    [".ci", "benchmarks", "deploy", "docs", "envs", "examples", "generators", "server", "src",
     "tests", "trainers", "verifiers"],
)  # fmt: skip
def test_variables_are_named_by_what_they_hold(folder):
    offenders = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, name in bound_names(ast.parse(file.read_text("utf-8")))
        if name in VAGUE
    ]
    assert not offenders


GENERAL = {"place", "kind", "given", "made", "drawn", "asked"}
"""Names that fit any value, in place of a noun of the subject."""

ALLOWED = {
    "generators/language/fact_retrieval.py": {"place"},  # the index of one of the text's places
    "server/app.py": {"kind"},  # a parameter of the URL: the catalog's column
    "src/palaestra/catalog.py": {"kind"},  # puzzle, task or match
    "src/palaestra/cli/listing.py": {"kind"},  # the option --kind
    "src/palaestra/verifier_bench/cases.py": {"kind"},  # a field of the files of cases
    "verifiers/instructions/instruction.py": {"kind"},  # a field of the rows of instructions
    "verifiers/named/texts.py": {"kind"},  # a field of the golds of instructions
    "verifiers/sandbox/exploits.py": {"kind"},  # a field of the files of exploits
}
"""General names that are the subject's own noun, or that files, URLs and options contain."""


def assigned_attributes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def general_names(tree: ast.AST) -> list[tuple[int, str]]:
    """What a module binds under a general name: variables, parameters, attributes and fields."""
    names = [*bound_names(tree), *assigned_attributes(tree)]
    return sorted(each for each in names if each[1] in GENERAL)


def test_general_names_are_seen():
    source = """
class Task:
    kind: str
    class Knobs:
        asked: int = 1
    def place(self, given): self.made = drawn = given
"""
    assert general_names(ast.parse(source)) == [
        (3, "kind"), (5, "asked"), (6, "drawn"), (6, "given"), (6, "made"), (6, "place"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "folder",
    [".ci", "benchmarks", "deploy", "docs", "envs", "examples", "generators", "server", "src",
     "trainers", "verifiers"],
)  # fmt: skip
def test_names_are_nouns_of_the_subject(folder):
    offenders = [
        f"{path}:{line}: {name}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for path in [str(file.relative_to(ROOT))]
        for line, name in general_names(ast.parse(file.read_text("utf-8")))
        if name not in ALLOWED.get(path, ())
    ]
    assert not offenders


def test_allowed_names_are_those_that_modules_bind():
    for path, names in ALLOWED.items():
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        assert {name for _, name in general_names(tree)} == names, path


def test_answer_formats_have_the_same_names_everywhere():
    known = set(ANSWER_FORMATS)
    assert set(get_args(structs.AnswerFormat)) == known
    assert {answer_format.value for answer_format in options.AnswerFormat} == known
    trained = get_args(Config.model_fields["answer_format"].annotation)
    assert set(trained) == known | {"silent"}
    page = (ROOT / "server/play/route.js").read_text()
    named = page.partition("ANSWER_FORMATS = [")[2].partition("]")[0]
    assert {name.strip(' "\n') for name in named.split(",")} - {""} == known
    widest = schema.tables["sessions"].columns["answer_format"].type.length
    assert max(map(len, known)) <= widest
