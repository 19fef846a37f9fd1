"""The page on judges runs."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/verifiers/judges.md"


def test_the_page_runs(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    shared = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(compile(block, "judges.md", "exec"), shared)  # noqa: S102  # it is our own
    assert shared
