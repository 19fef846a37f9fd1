"""Issues in a user's words, and the history of a repository."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.tools.repository_issue.faults import Fault
from palaestra.generators.tools.repository_issue.project import Project
from palaestra.generators.tools.repository_issue.workplace import Commit

BUGS = (
    "For {rows} I get {now} as {what}. By the rules it is {wanted}.",
    "{What} is wrong: for {rows} it is {now}, where {wanted} is right.",
    "I expect {wanted} as {what} of {rows}, but {now} comes out.",
    "Could somebody look at this? {What} of {rows} is {now}; by hand I get {wanted}.",
    "With {rows}, {what} is {now} since some update. It should be {wanted}.",
    "A customer complains: we gave {now} as {what} of {rows}. The right answer is {wanted}.",
    "{What} of {rows}: expected {wanted}, got {now}.",
)
RULES = (
    'Please add a rule to {subject}, as its last one: "{rule}" {example}',
    '{Subject} needs one more rule. It comes after all others: "{rule}" {example}',
    'Something new is agreed: "{rule}" It is about {subject}, after all other rules. {example}',
    '{example} The reason is a rule that is missing in {subject}, at its end: "{rule}"',
    'Our office says of {subject}: "{rule}" It is the last step. We lack it so far. {example}',
    '"{rule}" This is to come last in {subject}. {example}',
)
EXAMPLES = (
    "For {rows}, {what} is {now} today and will then be {wanted}.",
    "With it, {what} of {rows} goes from {now} to {wanted}.",
    "So {what} of {rows} will be {wanted} in place of {now}.",
)
OPENINGS = ("", "", "Hello. ", "Hi all! ", "Dear team! ", "Good morning. ", "Hey. ")
CLOSINGS = (
    "", "", "I do not know the code.", "Thank you!", "This is urgent for us.",
    "We rely on it every day.", "I cannot say since when this is so.",
    "Let me know if you need more.", "I use the newest version.",
)  # fmt: skip
EDITS = (
    "Simplify {stem}", "Tidy up {stem}", "Shorter code in {stem}", "Rework {stem}",
    "Clearer names in {stem}", "Speed up {stem}", "Review of {stem}", "Type {stem} again",
)  # fmt: skip


class Issue(NamedTuple):
    """What an issue says: rows, results as JSON, and the rule that is wanted, if any."""

    what: str
    rows: str
    now: str
    wanted: str
    subject: str
    rule: str


def issue_of(fault: Fault) -> Issue:
    """What a user can say of a fault."""
    trial, now = fault.symptom
    amount, _, form = trial.function.partition("_")
    whats = {
        "quote": f"the quote of the {amount}",
        "lines": f"the list of lines about the {amount}",
    }
    (rows,) = json.loads(trial.arguments)
    return Issue(whats[form], json.dumps(rows), now, trial.wanted, fault.subject, fault.rule)


def in_words(issue: Issue, items: tuple[str, str], fields: Sequence[str], rng: Random) -> str:
    """An issue in a wording; ``items`` is the item's noun and its plural."""
    rows = _rows(json.loads(issue.rows), items, fields, rng)
    words = {"what": issue.what, "rows": rows, "now": issue.now, "wanted": issue.wanted}
    if issue.rule:
        words |= {
            "example": _filled(rng.choice(EXAMPLES), words),
            "rule": issue.rule,
            "subject": issue.subject[0].lower() + issue.subject[1:],
        }
    text = _filled(rng.choice(RULES if issue.rule else BUGS), words)
    return f"{rng.choice(OPENINGS)}{text} {rng.choice(CLOSINGS)}".strip()


def _filled(frame: str, words: dict[str, str]) -> str:
    capital = {name.capitalize(): word[0].upper() + word[1:] for name, word in words.items()}
    return frame.format(**words, **capital)


def _rows(rows: list[list[Any]], items: tuple[str, str], fields: Sequence[str], rng: Random) -> str:
    """Rows in words, or as they are written."""
    if len(rows) > 2 or rng.random() < 0.4:
        return f"the rows {json.dumps(rows)}" if len(rows) > 1 else f"the row {json.dumps(rows[0])}"
    parts = []
    for name, category, *measures in rows:
        numbers = ", ".join(f"{f} {m}" for f, m in zip(fields, measures, strict=True))
        parts.append(f"the {category} {items[0]} {name} ({numbers})")
    return " and ".join(parts)


def history_of(rng: Random, project: Project, changed: Sequence[str], edits: int) -> list[Commit]:
    """Commits, the newest first: each module was added, and some were edited.

    The ``changed`` paths are among those edited, in no special order.
    """
    paths = [module.path for module in project.modules]
    others = rng.sample(paths, min(len(paths), edits))
    edited = [*dict.fromkeys([*changed, *others])]
    rng.shuffle(edited)
    added = [(f"Add {_stem(path)}", (path,)) for path in paths]
    later = [(rng.choice(EDITS).format(stem=_stem(path)), (path,)) for path in edited]
    commits = [("First commit", ("README.md",)), *added, *later]
    return [
        Commit(f"{rng.getrandbits(28):07x}", message, touched)
        for message, touched in reversed(commits)
    ]


def _stem(path: str) -> str:
    return " ".join(path.removesuffix(".py").split("/")[1:])
