"""Digests of all that the checks of an environment depend on.

The digest of an environment covers its own file, the checks, every module that either of them
reaches by imports, and the data files that these modules name. Imports are read from the syntax
trees, inside functions as well as at the top, so nothing has to be imported to know them. A digest
depends on the names and contents of the files alone: it is the same on every machine, and a change
to the documentation, the command line or the server leaves it as it is.

Combinators are no part of it either: an environment by itself uses none, and the tests of the
combinators, which run every time, cover what they make of environments.

The version of Python and the installed packages are no part of it. The nightly run, which makes
every check with each supported version, covers them.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeGuard

from palaestra.registry import module_name, names
from palaestra.syntax import parse

CHECKS = "palaestra.testing"
"""The package of the checks. What it reaches is part of every digest."""

COMBINATORS = ("palaestra.combination", "palaestra.combinators")
"""The modules that no digest covers, although finding and sampling environments reaches them."""

DIGITS = 16

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?=:|\Z)")
"""The module in a text such as ``palaestra.verifiers.sql_engine:run``, by which workers find it."""


class Module(NamedTuple):
    """What a module contributes to a digest."""

    contents: bytes
    """A digest of its file, and of the data files that it names."""

    imports: frozenset[str]
    """The modules of the same packages that it may import."""


class Sources:
    """The modules of some packages, read without importing them. Each file is read once.

    ``packages`` maps the name of each package to its folder. The modules ``without``, and all
    that are in them, are not reached.
    """

    def __init__(self, packages: dict[str, Path], without: tuple[str, ...] = ()) -> None:
        self.packages = packages
        self.without = without
        self._modules: dict[str, Module] = {}
        self._files: dict[str, Path | None] = {}

    def digest(self, names: Iterable[str]) -> str:
        """The digest of all that some modules reach, in 16 hexadecimal digits."""
        total = blake2b(digest_size=DIGITS // 2)
        for name in sorted(self.reached(names)):
            total.update(name.encode() + b"\0" + self.module(name).contents)
        return total.hexdigest()

    def reached(self, names: Iterable[str]) -> set[str]:
        """These modules and all that they import, directly or not, within the packages.

        Raises ``ModuleNotFoundError`` for a name of no module.
        """
        ahead = [part for name in names for part in _with_parents(name) if self.file(part)]
        reached: set[str] = set()
        while ahead:
            name = ahead.pop()
            if name not in reached:
                reached.add(name)
                ahead += self.module(name).imports - reached
        if missing := [name for name in names if name not in reached]:
            raise ModuleNotFoundError(f"no file of a module {missing[0]}")
        return reached

    def module(self, name: str) -> Module:
        """The digest and the imports of one module. Raises ``ModuleNotFoundError`` without one."""
        if name not in self._modules:
            file = self.file(name)
            if file is None:
                raise ModuleNotFoundError(f"no file of a module {name}")
            self._modules[name] = self._read(name, file)
        return self._modules[name]

    def file(self, name: str) -> Path | None:
        """The file of a module, if there is one; that of a package is its ``__init__.py``."""
        if name not in self._files:
            package, *parts = name.split(".")
            file = None
            left_out = any(f"{name}.".startswith(f"{each}.") for each in self.without)
            if package in self.packages and not left_out:
                folder = self.packages[package].joinpath(*parts)
                choice = [folder / "__init__.py", folder.with_name(f"{folder.name}.py")]
                file = next((each for each in choice if each.is_file()), None)
            self._files[name] = file
        return self._files[name]

    def named(self, texts: Iterable[str]) -> Iterable[str]:
        """The modules that the texts of a module name in other ways than by their dotted names."""
        return ()

    def _read(self, name: str, file: Path) -> Module:
        source = _contents(file)
        texts, imported = _mentioned(source, name, file.name == "__init__.py")
        mentioned = {*imported, *_dotted(texts), *self.named(texts)}
        imports = {part for each in mentioned for part in _with_parents(each) if self.file(part)}
        contents = blake2b(source)
        if b"__file__" in source or b"importlib.resources" in source:
            for data in _data_files(file.parent, texts):
                contents.update(data.relative_to(file.parent).as_posix().encode() + b"\0")
                contents.update(blake2b(_contents(data)).digest())
        return Module(contents.digest(), frozenset(imports - {name}))


def _contents(file: Path) -> bytes:
    """The bytes of a file, with the line ends that it has in the repository."""
    return file.read_bytes().replace(b"\r\n", b"\n")


def _with_parents(name: str) -> Iterator[str]:
    """A dotted name and those of the packages that it is in, which an import runs as well."""
    while name:
        yield name
        name = name.rpartition(".")[0]


@cache  # for all objects that read the same modules, one after the other
def _mentioned(source: bytes, name: str, is_package: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The texts in the source of a module, and the modules that it imports."""
    nodes = _nodes(parse(source.decode(), name))
    return frozenset(_texts(nodes)), frozenset(_imported(nodes, name, is_package))


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """All nodes of a tree. ``ast.walk``, which looks each field up, takes several times as long."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:
        for value in vars(node).values():
            if isinstance(value, list):
                nodes += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)
    return nodes


def _is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    }


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The string constants of a module."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _imported(nodes: Sequence[ast.AST], name: str, is_package: bool) -> Iterator[str]:
    """The modules that import statements anywhere in a module may mean; not those that are for type
    checkers alone, which never run.
    """
    unused = {id(node) for each in nodes if _is_for_types(each) for node in each.body}
    for node in nodes:
        if id(node) in unused:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            above = parts[: len(parts) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _dotted(texts: Iterable[str]) -> Iterator[str]:
    """The modules that texts name, as where a worker process is to import one."""
    return (match[0] for text in texts if (match := _DOTTED.match(text)))


def _data_files(folder: Path, texts: Iterable[str]) -> list[Path]:
    """The files that texts name relative to a folder; all files of a folder that one names."""
    named = {part for text in texts for part in text.split("/") if re.fullmatch(r"[\w.-]+", part)}
    files: set[Path] = set()
    for path in (folder / name for name in named - {".", ".."}):
        if path.is_dir():
            files.update(file for file in path.rglob("*") if file.is_file())
        elif path.is_file():
            files.add(path)
    return sorted(file for file in files if "__pycache__" not in file.parts)


class Digests:
    """The digest of each environment, as the files are when they are first read."""

    @cached_property
    def sources(self) -> Sources:
        return Sources({"palaestra": _folder("palaestra")}, COMBINATORS)

    def __getitem__(self, name: str) -> str:
        """The digest of an environment."""
        module = module_name(name)
        package = module.partition(".")[0]
        if package not in self.sources.packages:  # one of another distribution
            self.sources.packages[package] = _folder(package)
        return self.sources.digest([module, CHECKS])


def all_digests() -> dict[str, str]:
    """The digest of every environment, as the files are now."""
    digests = Digests()
    return {name: digests[name] for name in names()}


@cache
def _folder(package: str) -> Path:
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise ModuleNotFoundError(f"no folder of a package {package}")
    return Path(folders[0])
