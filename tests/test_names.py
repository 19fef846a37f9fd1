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


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_classes_and_functions(file):
    tree = ast.parse(file.read_text("utf-8"))
    old = [(line, name, REPLACED[name]) for line, name in names_of(tree) if name in REPLACED]
    assert not old


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
        "observation", "reward", "legal_moves", "state", "player", "image",
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

EXTERNAL = {
    "server/app.py": {"kind"},  # a parameter of the URL: the catalog's column
    "src/palaestra/catalog.py": {"kind"},  # puzzle, task or match
    "src/palaestra/cli/tasks.py": {"kind"},  # the option --kind
    "src/palaestra/verifier_bench/cases.py": {"kind"},  # a field of the files of cases
    "verifiers/instructions/instruction.py": {"kind"},  # a field of the rows of instructions
    "verifiers/language/constrained_text/constraints.py": {"kind"},  # a field of a task
    "verifiers/sandbox/exploits.py": {"kind"},  # a field of the files of exploits
}
"""Names that files, URLs and options of the command line contain."""


def task_fields(tree: ast.AST) -> set[tuple[int, str]]:
    """The annotated fields of classes with their lines: fingerprints and addresses contain those of
    tasks and knobs, so that another name would be another version.
    """
    parts = (
        part for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in node.body
    )
    return {
        (part.target.lineno, part.target.id)
        for part in parts
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }


def assigned_attributes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def general_names(tree: ast.AST, fields: bool) -> list[tuple[int, str]]:
    """What a module binds under a general name; fields of classes only where they count."""
    left_out = set() if fields else task_fields(tree)
    names = [*bound_names(tree), *assigned_attributes(tree)]
    return sorted(each for each in names if each[1] in GENERAL and each not in left_out)


def test_general_names_are_seen():
    source = """
class Task:
    kind: str
    def place(self, given): self.made = drawn = given
"""
    tree = ast.parse(source)
    rest = [(4, "drawn"), (4, "given"), (4, "made"), (4, "place")]
    assert general_names(tree, fields=True) == [(3, "kind"), *rest]
    assert general_names(tree, fields=False) == rest


@pytest.mark.parametrize(
    "folder",
    [".ci", "benchmarks", "deploy", "docs", "envs", "examples", "generators", "server", "src",
     "trainers", "verifiers"],
)  # fmt: skip
def test_variables_are_nouns_of_the_subject(folder):
    offenders = [
        f"{path}:{line}: {name}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for path in [str(file.relative_to(ROOT))]
        for line, name in general_names(
            ast.parse(file.read_text("utf-8")), fields=folder not in {"envs", "generators"}
        )
        if name not in EXTERNAL.get(path, ())
    ]
    assert not offenders


def test_external_names_are_those_that_modules_bind():
    for path, names in EXTERNAL.items():
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        assert {name for _, name in general_names(tree, fields=True)} == names, path


def test_answer_formats_have_the_same_names_everywhere():
    known = set(ANSWER_FORMATS)
    assert set(get_args(structs.AnswerFormat)) == known
    assert {answer_format.value for answer_format in options.AnswerFormat} == known
    trained = get_args(Config.model_fields["answer_format"].annotation)
    assert set(trained) == known | {"silent"}
    page = (ROOT / "server/play/place.js").read_text()
    named = page.partition("ANSWER_FORMATS = [")[2].partition("]")[0]
    assert {name.strip(' "\n') for name in named.split(",")} - {""} == known
    widest = schema.tables["sessions"].columns["answer_format"].type.length
    assert max(map(len, known)) <= widest
