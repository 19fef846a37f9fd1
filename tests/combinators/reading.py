"""What readers of translated prompts share: sentences with slots as patterns."""

import re
from collections.abc import Mapping
from typing import Any, get_args

from palaestra.combinators.translations.grammar import Code
from palaestra.task import Puzzle

CODES: tuple[Code, ...] = get_args(Code)
COLON = "[:：] ?"


def words(text: str) -> list[str]:
    return text.split()


def regex(sentence: str, **slots: str) -> re.Pattern[str]:
    """A sentence as a pattern, with a group for each slot such as ``{n}``.

    A slot is a number unless it is given a pattern by its letter.
    """
    fixed, names = re.split(r"\{\w+\}", sentence), re.findall(r"\{(\w+)\}", sentence)
    groups = [f"(?P<{name}>{slots.get(name[0], '[0-9]+')})" for name in names] + [""]
    return re.compile("".join(re.escape(a) + b for a, b in zip(fixed, groups, strict=True)))


def only(patterns: Mapping[str, re.Pattern[str]], text: str) -> tuple[str, dict[str, str]]:
    """The name of the only pattern that a text has, and what is in its slots."""
    fits = [(name, m.groupdict()) for name, p in patterns.items() if (m := p.fullmatch(text))]
    assert len(fits) == 1, (text, [name for name, _ in fits])
    return fits[0]


def slots_in(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    match = pattern.search(text)
    assert match, text
    return match.groupdict()


def split_sentences(code: Code, text: str) -> list[str]:
    return re.findall(r"[^。]+。", text) if code == "zh" else re.split(r"(?<=\.) ", text)


def facts(task: Puzzle) -> dict[str, Any]:
    """The fields of a task that its prompt states."""
    return task.model_dump(exclude={"wording", "least"})
