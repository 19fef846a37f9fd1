"""What is asked of the package InternBootcamp itself.

All of this runs in the processes of :mod:`palaestra.importers.processes`. A bootcamp is a class
with ``case_generator``, which draws a case from the generators of its process, ``prompt_func``,
which words it, and ``verify_score``, which judges a reply by the case.
"""

import inspect
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from types import ModuleType
from typing import Any

from palaestra.importers.knobs import Value
from palaestra.importers.sources import EVALUATING, calls_in, tree_of
from palaestra.task import Task

JUDGING = ("verify_score", "extract_output", "_verify_correction")
"""The methods that see a reply."""

EXECUTING = EVALUATING | {
    *("Popen", "call", "check_call", "check_output", "run", "system"),
    *("import_module", "__import__"),
}
"""Functions that run texts or programs."""

OWN = {"internbootcamp", "bootcamp", "libs"}
"""The first names of the package's modules, some of which are imported without the package's."""

TAKEN = {"level", "seed", "seeds", "split"}
"""What an address or a selection says by these names is not a knob."""

DRAW_S = 2.0
"""Processor seconds that a case may take."""


JUDGE_S = 3
"""Processor seconds in which a reply is judged."""


class Unsuitable(ValueError):
    """A bootcamp that cannot be imported, with the reason."""


def camps() -> dict[str, str]:
    """The classes of the bootcamps, by their names as environments."""
    package = _package()
    return {
        name_of(name): name
        for name, each in vars(package).items()
        if inspect.isclass(each) and name.lower().endswith("bootcamp") and _is_complete(each)
    }


def name_of(class_name: str) -> str:
    """The name of a bootcamp in lower case, by its class.

    >>> name_of("Game24bootcamp"), name_of("KorPuzzleWordLadderbootcamp")
    ('game24', 'kor_puzzle_word_ladder')
    """
    stem = class_name[: -len("bootcamp")]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower() or "bootcamp"


def described(class_name: str, configs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The arguments of a bootcamp that are numbers, with their defaults, and its digest.

    Of ``configs``, the package's own lists of arguments, those are kept that draw cases in time,
    without what the bootcamp does not take. Raises :class:`Unsuitable` for a bootcamp that runs
    what it judges, or that draws no case.
    """
    if calls := sorted(executed(_camp(class_name))):
        raise Unsuitable(f"its judge calls {', '.join(calls)}, which may run a reply")
    defaults, kept = _defaults(class_name), list[dict[str, Any]]()
    for config in configs:
        known = {name: config[name] for name in _parameters(class_name) if name in config}
        if known not in kept and not _failure(class_name, known):
            kept.append(known)
    if not kept and (reason := _failure(class_name, defaults)):
        raise Unsuitable(reason)
    return {"configs": kept, "defaults": defaults, "digest": digest(class_name)}


@cache
def digest(class_name: str) -> str:
    """A digest of the modules that define a bootcamp, since the package's version stays 0.1.0."""
    files = {inspect.getsourcefile(each) for each in _camp(class_name).__mro__[:-1]}
    texts = [Path(file).read_bytes() for file in sorted(filter(None, files))]
    return blake2b(b"\0".join(texts), digest_size=6).hexdigest()


def question(class_name: str, arguments: Mapping[str, Any], seed: int) -> str:
    """The prompt of a seed."""
    return _drawn(class_name, _key(arguments), seed)[0]


def score(class_name: str, arguments: Mapping[str, Any], seed: int, reply: str) -> float:
    """What the bootcamp gives for a reply. Raises ``TimeoutError`` where that takes too long."""
    _, case = _drawn(class_name, _key(arguments), seed)
    _seed(seed)
    try:
        with _limited():
            return float(_camp(class_name).verify_score(reply, json.loads(case)))
    except _Late:
        raise TimeoutError(f"its judge takes more than {JUDGE_S} seconds") from None


class _Late(BaseException):
    """No exception, as bootcamps catch all of those."""


@contextmanager
def _limited() -> Iterator[None]:
    """Raise :class:`_Late` after :data:`JUDGE_S`, and again until it is not caught."""
    from signal import ITIMER_PROF, SIGPROF, setitimer, signal

    def late(*_: object) -> None:
        raise _Late

    previous = signal(SIGPROF, late)
    setitimer(ITIMER_PROF, JUDGE_S, 1)
    try:
        yield
    finally:
        setitimer(ITIMER_PROF, 0)
        signal(SIGPROF, previous)


@lru_cache(maxsize=512)
def _drawn(class_name: str, arguments: str, seed: int) -> tuple[str, str]:
    """The prompt and the case of a seed; the case as JSON, as the package stores it."""
    _seed(seed)
    own = {"seed": seed} if "seed" in _parameters(class_name) else {}
    camp = _camp(class_name)(**json.loads(arguments) | own)
    case = camp.case_generator()
    return str(camp.prompt_func(case)).strip(), json.dumps(case)


def executed(camp: Any) -> set[str]:
    """The calls by which a bootcamp's judge, or what it uses of its own package, may run a reply,
    by its source code.
    """
    waiting: list[Any] = [getattr(camp, name, None) for name in JUDGING]
    seen, executing = set[Any](), set[str]()
    while waiting:
        target = waiting.pop()
        target = inspect.unwrap(getattr(target, "__func__", target))
        if inspect.isclass(target):
            waiting += [each for each in vars(target).values() if callable(each)]
        if not inspect.isfunction(target) or target in seen:
            continue
        seen.add(target)
        calls = set(calls_in(tree_of(target)))
        executing |= calls & EXECUTING
        waiting += _targets(camp, target, calls)
    return executing


def _targets(camp: Any, caller: Any, calls: set[str]) -> Iterator[Any]:
    """What calls in a function may mean: methods of the bootcamp, and what its package defines."""
    own = [each for each in caller.__globals__.values() if isinstance(each, ModuleType)]
    for name in calls:
        meant = [getattr(camp, name, None), caller.__globals__.get(name)]
        for target in (*meant, *(getattr(each, name, None) for each in own)):
            module = getattr(target, "__module__", None) or ""
            if target is not camp and module.partition(".")[0] in OWN:
                yield target


def _failure(class_name: str, arguments: Mapping[str, Any]) -> str:
    """Why a few cases cannot be drawn in time, or nothing."""
    from time import process_time

    start = process_time()
    try:
        for seed in range(3):
            _drawn(class_name, _key(arguments), seed)
    except Exception as error:  # noqa: BLE001  a bootcamp may raise anything
        return f"it draws no case: {type(error).__name__}: {error}"[:300]
    return "" if process_time() - start < 3 * DRAW_S else "its cases take too long"


def _defaults(class_name: str) -> dict[str, Value]:
    """The parameters whose defaults are numbers or truth values, and whose names an address and
    knobs can have.
    """
    return {
        name: each.default
        for name, each in _parameters(class_name).items()
        if isinstance(each.default, int | float) and isfinite(each.default)
        if not (name.startswith("_") or name in TAKEN or hasattr(Task.Knobs, name))
    }


def _parameters(class_name: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(_camp(class_name)).parameters


def _is_complete(camp: Any) -> bool:
    return all(
        callable(getattr(camp, name, None))
        for name in ("case_generator", "prompt_func", "verify_score")
    )


@cache
def _package() -> ModuleType:
    import internbootcamp

    package: ModuleType = internbootcamp
    return package


def _camp(class_name: str) -> Any:
    return getattr(_package(), class_name)


def _key(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True)


def _seed(seed: int) -> None:
    """Seed the generators of the process, which bootcamps draw from."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed % 2**32)
