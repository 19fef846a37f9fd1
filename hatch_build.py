"""The build step that compiles the catalog and the profiles to JSON that is read at run time."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the JSON into ``src/palaestra``, for wheels and for editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile both before files are collected."""
        root = Path(self.root)
        module = runpy.run_path(str(root / "src/palaestra/catalog_file.py"))
        for name in ("catalog", "profiles"):
            content = module["compiled"]((root / f"{name}.yaml").read_bytes())
            module["write"](root / f"src/palaestra/{name}.json", content)
