"""Algorithms by name: ``recipes.json`` lists for each its paper and the options that define it.

Learning rates and batch sizes depend on the model and are not part of a recipe. Options that are
set beside a recipe override it. The bounds of ``gmpo`` are exp(-0.4) and exp(0.4).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
    """An algorithm: its paper, and the options that define it, nested as in a YAML file."""

    paper: str
    settings: Mapping[str, Any]


RECIPES: Mapping[str, Recipe] = {
    name: Recipe(**row)
    for name, row in json.loads(Path(__file__).with_name("recipes.json").read_text("utf-8")).items()
}
