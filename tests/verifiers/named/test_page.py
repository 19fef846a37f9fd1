"""The page of named verifiers lists those that there are, as the registry describes them."""

import re
from pathlib import Path

from palaestra.verification import listing

PAGE = (Path(__file__).parents[3] / "docs/verifiers/named.md").read_text("utf-8")


def test_the_table_is_that_of_the_registry():
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) \| \[\w+\]\((\w+)\.md\) \| (.*?) ?\|$", PAGE, re.MULTILINE
    )
    expected = {
        row["name"]: (
            row["judges"],
            row["page"].removeprefix("verifiers/"),
            " ".join(
                [
                    *(["sandbox"] if row["runs"] == "sandbox" else []),
                    *([f"`{row['extra']}`"] if row["extra"] else []),
                ]
            ),
        )
        for row in listing()
    }
    assert {name: tuple(rest) for name, *rest in rows} == expected
    assert len(rows) == len(expected)


def test_every_page_that_an_entry_names_is_there():
    folder = Path(__file__).parents[3] / "docs"
    assert not [row["page"] for row in listing() if not (folder / f"{row['page']}.md").exists()]
