"""Scorers of reasoning-gym that evaluate answers, in the sandbox.

The answer is screened there as well: the scorer has readers in place of ``eval`` and SymPy's
``parse_expr``, see ``jail-app/scorer.py``, so that no text of a player's is executed and none can
print a score.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from palaestra.extras import needs
from palaestra.task import JudgeError, Score
from palaestra.verifiers.sandbox import Limits, Sandbox

PACKAGES = ("mpmath", "numpy", "sympy", "yaml")
"""What the scorers import beside their own package."""

SHARED = ("dataset", "utils")
"""Modules of reasoning-gym that scorers use."""

UNUSED = {
    "reasoning_gym": "",
    "reasoning_gym.coaching": (
        "class Unused:\n    def __init__(self, *args, **options): pass\n"
        "def __getattr__(name): return Unused\n"
    ),
    "reasoning_gym.data": "def __getattr__(name): return None\n",
    "reasoning_gym.factory": (
        "from reasoning_gym.dataset import ProceduralDataset\n"
        "def register_dataset(*args, **options): pass\n"
    ),
}
"""What stands in for modules that scorers import and do not use, such as those of curricula."""

LIMITS = Limits(cpu_s=4, memory_mb=2_048)


@cache
def _sandbox() -> Sandbox:
    return Sandbox(packages=PACKAGES)


def jailed_score(module: str, request: Mapping[str, Any]) -> Score:
    """Score an answer. ``request`` has what ``jail-app/scorer.py`` reads beside the sources.

    Raises :class:`~palaestra.task.JudgeError` where the scorer fails, or where there is no sandbox
    with packages.
    """
    sources = bundle(module)
    packages = ["reasoning_gym", module.rpartition(".")[0]]
    message = json.dumps({"sources": sources, "packages": packages, "module": module, **request})
    program = (Path(__file__).parent / "jail-app" / "scorer.py").read_text("utf-8")
    try:
        outcome = _sandbox().run(program, stdin=message, limits=LIMITS)
    except RuntimeError as error:  # no sandbox, or none with packages
        raise JudgeError(f"no sandbox for this scorer: {error}"[:300]) from None
    if outcome.status in {"TLE", "MLE"}:
        return Score(0.0, "reasoning-gym's scorer ran out of time or memory", status="timeout")
    try:
        if outcome.status == "PASS":
            return Score(min(max(float(json.loads(outcome.text)), 0.0), 1.0))
    except ValueError:
        pass
    reason = outcome.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    raise JudgeError(f"reasoning-gym's scorer failed: {outcome.status} {reason}"[:300])


@cache
def bundle(module: str) -> dict[str, str]:
    """The source code of a family's module and of what its scorer uses, by module."""
    with needs("reasoning-gym", "reasoning-gym"):
        spec = find_spec("reasoning_gym")
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError("reasoning_gym", name="reasoning_gym")
    folder = Path(spec.submodule_search_locations[0])
    sources = UNUSED | {module.rpartition(".")[0]: ""}
    sources |= {
        f"reasoning_gym.{name}": (folder / f"{name}.py").read_text("utf-8") for name in SHARED
    }
    parts = module.split(".")[1:]
    sources[module] = folder.joinpath(*parts).with_suffix(".py").read_text("utf-8")
    return sources
