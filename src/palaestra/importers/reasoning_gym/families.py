"""What is asked of the package reasoning-gym itself.

All of this runs in the processes of :mod:`palaestra.importers.processes`. Arguments and results
are plain JSON values, and no answer of a player's is evaluated.
"""

import ast
import dataclasses
import inspect
import json
import random
import sys
from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from typing import Any

from palaestra.importers.sources import EVALUATING, calls_in, tree_of

Value = int | float | bool

MIXTURES = frozenset({"composite"})
"""Names that are registered for mixtures of other families, without tasks of their own."""

DRAW_S = 2.0
"""Processor seconds that a task of a level may take to generate; higher levels are left out."""


class Refused(ValueError):
    """A configuration that the package refuses, with its reason."""


def families() -> list[str]:
    """The names that the package registers."""
    from reasoning_gym.factory import DATASETS

    return sorted(DATASETS.keys() - MIXTURES)


def described(family: str) -> dict[str, Any]:
    """The parameters of a family, its levels, and whether its scorer evaluates answers.

    ``ladders`` has the values of each parameter level by level, and ``defaults`` those of the
    configuration. Levels are those of the family's curriculum, with all attributes at one level;
    without a curriculum there is one level, the default configuration.
    """
    defaults = _numbers(_configured(family, {}))
    levels = _levels(family) or [defaults]
    names = {name: None for level in levels for name in level} | dict.fromkeys(defaults)
    ladders = {
        name: [level.get(name, defaults.get(name)) for level in levels]
        for name in names
        if all(name in level or name in defaults for level in levels)
    }
    return {"ladders": ladders, "defaults": defaults, "evaluates": evaluates(family)}


def item(family: str, config: Mapping[str, Value], seed: int) -> dict[str, Any]:
    """The question and the answer of a seed; the answer is empty where the package has none.

    Raises what the package does, and ``ValueError`` where its answer is an integral that it could
    not solve.
    """
    entry = _entry(family, _key(config), seed)
    if "integr" in family and "Integral(" in _text(entry["answer"]):
        raise ValueError("the answer of this seed is an unevaluated integral")
    return {"question": str(entry["question"]), "answer": _text(entry["answer"])}


def score(family: str, config: Mapping[str, Value], seed: int, answer: str) -> float:
    """What the family's own scorer gives for an answer. Not for one that evaluates it."""
    if evaluates(family):
        raise RuntimeError(f"the scorer of {family} evaluates answers; it runs in the sandbox")
    entry = _entry(family, _key(config), seed)
    return float(_dataset(family, _key(config), seed).score_answer(answer, entry))


def plain_entry(family: str, config: Mapping[str, Value], seed: int) -> dict[str, Any]:
    """The entry of a seed in JSON, for a scorer that runs elsewhere.

    What JSON does not have becomes a text.
    """
    entry = _entry(family, _key(config), seed)
    plain: dict[str, Any] = json.loads(json.dumps(entry, default=_plain))
    return plain


def scorer(family: str) -> dict[str, str] | None:
    """Where the scorer of a family is defined if it evaluates answers; None if it does not."""
    if not evaluates(family):
        return None
    dataset_class, config_class = _classes(family)
    return {
        "module": dataset_class.__module__,
        "class": dataset_class.__name__,
        "config_class": config_class.__name__,
    }


@lru_cache(maxsize=1_024)
def evaluates(family: str) -> bool:
    """Whether ``score_answer`` of a family, or what it calls of its class and module, executes
    texts, by its source code.
    """
    dataset_class, _ = _classes(family)
    module = inspect.getmodule(dataset_class)
    waiting, seen = ["score_answer"], set[str]()
    while waiting:
        name = waiting.pop()
        target = getattr(dataset_class, name, None) or getattr(module, name, None)
        if name in seen or not inspect.isfunction(target):
            continue
        seen.add(name)
        calls = set(calls_in(tree_of(target)))
        if calls & EVALUATING:
            return True
        waiting += calls
    return False


def _classes(family: str) -> tuple[Any, Any]:
    import reasoning_gym  # registers the families
    from reasoning_gym.factory import DATASETS

    assert reasoning_gym
    classes: tuple[Any, Any] = DATASETS[family]
    return classes


def _configured(family: str, config: Mapping[str, Value], seed: int = 0) -> Any:
    """A configuration. Raises :class:`Refused` for one that the package refuses."""
    _, config_class = _classes(family)
    configured = config_class(**config, seed=seed, size=1)
    try:
        if hasattr(configured, "validate"):
            configured.validate()
    except (AssertionError, ValueError) as error:
        raise Refused(str(error) or "it gives no reason") from None
    return configured


def _key(config: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted(config.items()))


def _dataset(family: str, config: tuple[tuple[str, Value], ...], seed: int) -> Any:
    """The data set of a seed. Loading word lists takes longer than generating a task, so it is a
    copy of one that is kept, unless that would give other tasks.
    """
    kept = _kept(family, config)
    return _fresh(family, config, seed) if kept is None else _copied(kept, seed)


def _fresh(family: str, config: tuple[tuple[str, Value], ...], seed: int) -> Any:
    dataset_class, _ = _classes(family)
    return dataset_class(config=_configured(family, dict(config), seed))


def _copied(dataset: Any, seed: int) -> Any:
    copied = copy(dataset)
    copied.seed = seed
    copied.config = dataclasses.replace(dataset.config, seed=seed)
    return copied


@lru_cache(maxsize=128)
def _kept(family: str, config: tuple[tuple[str, Value], ...]) -> Any:
    """A data set whose copies with other seeds have the tasks of new ones; None where some differ.

    Those differ whose constructors draw from the seed. Data sets that store data in their class
    depend on which of them was constructed last.
    """
    dataset_class, _ = _classes(family)
    if _stores_in_class(dataset_class):
        return None
    kept = _fresh(family, config, 0)
    pairs = ((_copied(kept, seed)[0], _fresh(family, config, seed)[0]) for seed in (11, 5, 2**31))
    return kept if all(repr(one) == repr(other) for one, other in pairs) else None


@lru_cache(maxsize=512)
def _entry(family: str, config: tuple[tuple[str, Value], ...], seed: int) -> Any:
    dataset = _dataset(family, config, seed)
    _seed_global_generators(seed)
    return dataset[0]


def _seed_global_generators(seed: int) -> None:
    """Seed the generators of the process, which some of the package's programs draw from."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed % 2**32)


def _stores_in_class(dataset_class: Any) -> bool:
    """Whether the code of a class assigns to attributes of the class itself."""
    tree = tree_of(dataset_class)
    owners = {dataset_class.__name__, "cls"}
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id in owners
        for node in ast.walk(tree)
    )


def _numbers(config: Any) -> dict[str, Value]:
    """The parameters of a configuration that are numbers or truth values."""
    values = {each.name: getattr(config, each.name) for each in dataclasses.fields(config)}
    return {
        name: value
        for name, value in values.items()
        if name not in {"seed", "size"} and isinstance(value, int | float)
    }


def _levels(family: str) -> list[dict[str, Value]]:
    """The configurations of the levels of a curriculum, up to one whose tasks take too long."""
    from reasoning_gym.factory import CURRICULA

    if family not in CURRICULA:
        return []
    curriculum: Any = CURRICULA[family]()
    most = max((len(each.levels) for each in curriculum.attributes.values()), default=0)
    levels: list[dict[str, Value]] = []
    for level in range(most):
        curriculum.set_global_level(level)
        config = _numbers(curriculum.generate_configuration({"seed": 0, "size": 1}))
        if not _works(family, config):
            break
        if not levels or levels[-1] != config:
            levels.append(config)
    return levels


def _works(family: str, config: Mapping[str, Value]) -> bool:
    """Whether a configuration is valid, and a few of its tasks are generated in time."""
    from signal import ITIMER_PROF, SIGPROF, setitimer, signal
    from time import process_time

    def late(*_: Any) -> None:
        raise TimeoutError

    previous = signal(SIGPROF, late)
    setitimer(ITIMER_PROF, 4 * DRAW_S)
    start = process_time()
    try:
        for seed in range(3):
            _entry(family, _key(config), seed)
    except Exception:  # noqa: BLE001  a level that the package cannot generate is none
        return False
    finally:
        setitimer(ITIMER_PROF, 0)
        signal(SIGPROF, previous)
    return process_time() - start < 3 * DRAW_S


def _text(answer: Any) -> str:
    return "" if answer is None else str(answer)


def _plain(value: Any) -> Any:
    return sorted(value, key=str) if isinstance(value, set | frozenset) else str(value)
