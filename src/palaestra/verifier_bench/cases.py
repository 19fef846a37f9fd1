"""The labelled cases, as they are stored: one JSON object a line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

HOME = Path(__file__).resolve().parents[1] / "verifiers" / "cases"
"""The cases that come with the package."""

FIELDS = {"id", "class", "kind", "gold", "text", "correct", "status", "policy", "rule", "why"}


@dataclass(frozen=True, slots=True)
class Case:
    """A gold answer, what was answered, and whether that is right.

    ``kind`` says whether ``text`` is a bare answer (``same``) or a whole reply (``judge``).
    ``policy`` holds what the task asks for beyond the defaults, and ``status`` how the judging has
    to end where that is laid down.
    """

    id: str
    group: str
    kind: Literal["same", "judge"]
    gold: str | tuple[str, ...]
    recipe: Any
    correct: bool
    status: str | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    why: str = ""

    @property
    def text(self) -> str:
        """The answer or reply. A long one is stored as a recipe: parts, some to be repeated."""
        return cooked(self.recipe)

    @property
    def golds(self) -> tuple[str, ...]:
        """The gold answers, one or several."""
        return (self.gold,) if isinstance(self.gold, str) else self.gold


def cooked(recipe: Any) -> str:
    """The text of a recipe.

    >>> cooked(["[", {"repeat": ["ab", 3]}, "]"])
    '[ababab]'
    """
    if isinstance(recipe, str):
        return recipe
    if isinstance(recipe, Mapping):
        text, count = recipe["repeat"]
        return str(text) * int(count)
    return "".join(map(cooked, recipe))


def load_cases(folder: Path | None = None) -> list[Case]:
    """All cases of the ``*.jsonl`` files in a folder, those of the package unless given.

    Raises ValueError for a folder without cases and for a line that is not a case.
    """
    folder = folder or HOME
    cases = [case for file in sorted(folder.glob("*.jsonl")) for case in _read(file)]
    if not cases:
        raise ValueError(f"there are no cases in {folder}")
    return cases


def _read(file: Path) -> Iterator[Case]:
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            yield case_of(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file.name}, line {number} is not a case: {error}") from None


def case_of(row: Mapping[str, Any]) -> Case:
    """The case of a row. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for another row."""
    if unknown := row.keys() - FIELDS:
        raise ValueError(f"no such fields: {', '.join(sorted(unknown))}")
    if row["kind"] not in {"same", "judge"} or not isinstance(row["correct"], bool):
        raise ValueError("'kind' is same or judge, 'correct' is true or false")
    gold = row["gold"] if isinstance(row["gold"], str) else tuple(row["gold"])
    named = {name: row[name] for name in ("status", "policy", "rule", "why") if name in row}
    return Case(row["id"], row["class"], row["kind"], gold, row["text"], row["correct"], **named)


def plain(cases: Sequence[Case]) -> list[Case]:
    """The pairs of bare answers under the default policy, over which rates are compared."""
    return [case for case in cases if case.kind == "same" and not case.policy]
