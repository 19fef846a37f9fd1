"""The page of the combinators lists the environments that some of them apply to."""

import re
from pathlib import Path

import pytest

from palaestra.applicability import environments_of

PAGE = Path(__file__).parents[2] / "docs" / "combinators.md"


@pytest.mark.parametrize(
    ("heading", "combinator"),
    [
        ("Languages", "language"),
        ("Unanswerable", "unanswerable"),
        ("Solutions with a slip", "locate"),
    ],
)
def test_environments_are_listed(heading: str, combinator: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^`[a-z].*`[,.]$", section, re.MULTILINE)
    named = re.findall(r"`([a-z_]+/[a-z_0-9]+)`", "\n".join(listed))
    assert named == sorted(environments_of(combinator))
