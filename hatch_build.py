"""The build step that compiles ``catalog.yaml`` to the JSON that is read at run time."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes ``src/palaestra/catalog.json``, for wheels and for editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalog before files are collected."""
        root = Path(self.root)
        module = runpy.run_path(str(root / "src/palaestra/catalog_file.py"))
        content = module["compiled"]((root / "catalog.yaml").read_bytes())
        module["write"](root / "src/palaestra/catalog.json", content)
