"""Modules of small repositories with bugs, as texts and as running code.

The modules and their slips are those of
:mod:`palaestra.generators.programs.mini_repository.parts`. They also run in this process: the code
is trusted and always terminates.
"""

import builtins
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache, lru_cache
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from palaestra.generators.programs.mini_repository.parts import text_of

Args = list[Any]

Constants = tuple[tuple[str, int], ...]
"""The values of the constants of the modules, each named ``module.NAME``."""


class Slip(NamedTuple):
    """One of the slips that a module may hold, by its number."""

    module: str
    number: int


class Called(NamedTuple):
    """A call of a function of a module."""

    module: str
    function: str
    args: Args

    def shown(self) -> str:
        """The call as it is written.

        >>> Called("money", "show_price", [5]).shown()
        'show_price(5)'
        """
        return f"{self.function}({', '.join(map(repr, self.args))})"


# ------------------------------------------------------------------------- the texts of modules

_CONSTANT = re.compile(r"^([A-Z]+) = [\d_]+  #= ([\d_ ]+)$", re.MULTILINE)
_IMPORT = re.compile(r"^from (\w+) import (.+)$", re.MULTILINE)
_FUNCTION = re.compile(r"^def (\w+)", re.MULTILINE)


@cache
def constants(module: str) -> Mapping[str, tuple[int, ...]]:
    """The possible values of each constant of a module."""
    assignments = _CONSTANT.findall(text_of(module))
    return {name: tuple(int(value) for value in values.split()) for name, values in assignments}


@cache
def needs(module: str) -> tuple[str, ...]:
    """The modules that a module imports, directly or indirectly, followed by the module itself."""
    modules: dict[str, None] = {}
    for name, _ in _IMPORT.findall(text_of(module)):
        modules.update(dict.fromkeys(needs(name)))
    return (*modules, module)


@cache
def functions(module: str) -> tuple[str, ...]:
    """The functions of a module."""
    return tuple(_FUNCTION.findall(text_of(module)))


@cache
def slips(module: str) -> tuple[Slip, ...]:
    """All possible slips of a module."""
    lines = text_of(module).splitlines()
    return tuple(Slip(module, n) for n in range(sum(_is_slip(line) for line in lines)))


def _is_slip(line: str) -> bool:
    return line.lstrip().startswith("#~ ")


@lru_cache(maxsize=1_024)
def _written(module: str, slipped: tuple[int, ...]) -> str:
    """A module with some of its slips, and its constants as they stand first."""
    kept: list[str] = []
    number = 0
    for line in text_of(module).splitlines():
        if not _is_slip(line):
            kept.append(line.partition("  #= ")[0])
            continue
        if number in slipped:
            space = kept[-1][: len(kept[-1]) - len(kept[-1].lstrip())]
            kept[-1] = space + line.strip().removeprefix("#~ ")
        number += 1
    return "\n".join(kept) + "\n"


def source(module: str, chosen: Constants, slipped: Sequence[Slip] = ()) -> str:
    """The text of a module, with constants and with the slips that are its own."""
    text = _written(module, _numbers(module, slipped))
    for name, value in chosen:
        file, _, constant = name.partition(".")
        if file == module:
            text = re.sub(rf"^{constant} = .*$", f"{constant} = {value}", text, flags=re.MULTILINE)
    return text


def _numbers(module: str, slipped: Sequence[Slip]) -> tuple[int, ...]:
    return tuple(slip.number for slip in slipped if slip.module == module)


@cache
def line_of(slip: Slip) -> int:
    """The number of the line that a slip changes, from 0."""
    wrong = _written(slip.module, (slip.number,)).splitlines()
    right = _written(slip.module, ()).splitlines()
    return next(n for n, (one, other) in enumerate(zip(wrong, right)) if one != other)


def mended(module: str, slip: Slip) -> tuple[str, str]:
    """A piece of a module with one slip that stands only once in it, and the right one.

    >>> wrong, right = mended("money", Slip("money", 0))
    >>> right
    '    cents = int(rest.ljust(2, "0")) if rest else 0'
    """
    wrong = _written(module, (slip.number,)).splitlines()
    right = _written(module, ()).splitlines()
    line = line_of(slip)
    for reach in range(len(wrong)):
        start, end = max(0, line - reach), line + 1 + reach
        piece = "\n".join(wrong[start:end])
        if "\n".join(wrong).count(piece) == 1 and piece.strip():
            break
    return piece, "\n".join(right[start:end])


# --------------------------------------------------------------------------------- running them


class Running:
    """A repository that runs in this process."""

    def __init__(
        self, modules: Sequence[str], chosen: Constants, slipped: Sequence[Slip] = ()
    ) -> None:
        self.modules: dict[str, ModuleType] = {}
        trusted = {**vars(builtins), "__import__": self._imported}
        for module in modules:  # what is imported stands before what imports it
            namespace = ModuleType(module)
            vars(namespace)["__builtins__"] = trusted
            exec(_compiled(module, _numbers(module, slipped)), vars(namespace))  # noqa: S102
            self.modules[module] = namespace
        for name, value in chosen:
            module, _, constant = name.partition(".")
            setattr(self.modules[module], constant, value)

    def _imported(self, name: str, *_: object) -> ModuleType:
        return self.modules[name]

    def result(self, call: Called) -> Any:
        """The result of a call, or its exception as a text that no result equals."""
        try:
            return getattr(self.modules[call.module], call.function)(*deepcopy(call.args))
        except Exception as fault:  # noqa: BLE001
            return f"raises {type(fault).__name__}\0"


@lru_cache(maxsize=1_024)
def _compiled(module: str, slipped: tuple[int, ...]) -> CodeType:
    return compile(_written(module, slipped), f"{module}.py", "exec", dont_inherit=True)
