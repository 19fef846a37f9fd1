"""Fixtures of evaluation."""

import pytest
import yaml
from tests.trainers.evaluation.endpoints import SMALL


@pytest.fixture
def suite_file(tmp_path):
    file = tmp_path / "small.yaml"
    cells = [{"env": c.env, "levels": c.level, "tasks": c.tasks} for c in SMALL.cells]
    file.write_text(yaml.safe_dump(cells))
    return file
