"""Palaestra: procedurally generated environments and verifiers for language models.

>>> import palaestra
>>> address = palaestra.Address.of("logic/knights_and_knaves", seed=7, level=1)
>>> palaestra.score(address, "<answer>I do not know.</answer>").value
0.0
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palaestra.address import Address as Address
    from palaestra.address import BadAddress as BadAddress
    from palaestra.address import StaleVersion as StaleVersion
    from palaestra.catalog import environments as environments
    from palaestra.episode import Episode as Episode
    from palaestra.episode import EpisodeOver as EpisodeOver
    from palaestra.registry import UnknownEnvironment as UnknownEnvironment
    from palaestra.registry import load as load
    from palaestra.registry import names as names
    from palaestra.scoring import Item as Item
    from palaestra.scoring import addresses as addresses
    from palaestra.scoring import score as score
    from palaestra.scoring import score_group as score_group
    from palaestra.scoring import score_many as score_many
    from palaestra.scoring import tasks as tasks
    from palaestra.task import InvalidAnswer as InvalidAnswer
    from palaestra.task import JudgeError as JudgeError
    from palaestra.task import KnobError as KnobError
    from palaestra.task import Match as Match
    from palaestra.task import NoValidTask as NoValidTask
    from palaestra.task import Play as Play
    from palaestra.task import Puzzle as Puzzle
    from palaestra.task import Score as Score
    from palaestra.task import Task as Task
    from palaestra.task import Turn as Turn
    from palaestra.task import ladder as ladder

__version__ = "0.1.0"

_HOME = {
    "address": ("Address", "BadAddress", "StaleVersion"),
    "catalog": ("environments",),
    "episode": ("Episode", "EpisodeOver"),
    "registry": ("UnknownEnvironment", "load", "names"),
    "scoring": ("Item", "addresses", "score", "score_group", "score_many", "tasks"),
    "task": (
        "InvalidAnswer", "JudgeError", "KnobError", "Match", "NoValidTask", "Play", "Puzzle",
        "Score", "Task", "Turn", "ladder",
    ),
}  # fmt: skip
_MODULE = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that ``import palaestra`` itself stays instant."""
    if name not in _MODULE:
        raise AttributeError(f"module 'palaestra' has no attribute {name!r}")
    value = getattr(import_module(f"palaestra.{_MODULE[name]}"), name)
    globals()[name] = value  # so that this is not asked again
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE})
