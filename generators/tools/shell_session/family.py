"""What a family of requests consists of, and names for what stands in their trees."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from shlex import quote
from typing import NamedTuple

from palaestra.generators.tools.shell.trees import Entry

Terms = Mapping[str, str]
"""What a request names, by slot."""

Use = Callable[[str], list[str]]
"""Runs a command, and gives the lines of its output."""

STEMS = (
    "plan", "note", "draft", "budget", "recipe", "letter", "poem", "menu", "guide", "survey",
    "invoice", "journal", "sketch", "agenda", "memo", "quiz", "roster", "trip", "lease", "minutes",
    "offer", "review", "outline", "summary", "ledger", "permit", "claim",
    "notice", "brief", "quote",
)  # fmt: skip
ADJECTIVES = (
    "early", "final", "second", "short", "long", "spare", "shared", "local", "annual", "weekly",
    "rough", "clean", "joint", "northern", "southern", "inner", "outer", "plain", "full", "late",
)  # fmt: skip
WORDS = (
    "amber", "birch", "cedar", "delta", "ember", "flint", "grove", "haven", "iris", "jade",
    "lotus", "maple", "onyx", "pearl", "quartz", "river", "slate", "tulip", "umber", "willow",
)  # fmt: skip
FOLDERS = (
    "inbox", "drafts", "team", "shared", "misc", "old", "2023", "2024", "east", "west", "core",
    "extra", "public", "staff", "temp",
)  # fmt: skip


FORMS = ("{0}-{1}", "{1}{3}", "{1}_{2}", "{0} {1}", "{1} ({3})", "{2}'s {1}")
"""Names by an adjective, a noun, a word and a number; those behind the third are odd."""


class Draft(NamedTuple):
    """The tree of a request as it is and as it is wanted, and what the request names."""

    tree: dict[str, Entry]
    wanted: dict[str, Entry]
    terms: dict[str, str]


class Names:
    """New names, of which no two are equal. The ``odd`` ones may have blanks and quotes."""

    def __init__(self, rng: Random, odd: bool) -> None:
        self.rng, self.odd = rng, odd
        self.used: set[str] = set()

    def stem(self) -> str:
        """A new name without its extension."""
        rng = self.rng
        while True:
            form = rng.randrange(6 if self.odd else 3)
            name = FORMS[form].format(
                rng.choice(ADJECTIVES), rng.choice(STEMS), rng.choice(WORDS), rng.randint(1, 99)
            )
            if name not in self.used:
                self.used.add(name)
                return name

    def folders(self, area: str, number: int) -> list[str]:
        """An area and directories in it and below."""
        names = self.rng.sample(FOLDERS, min(number, len(FOLDERS)))
        folders = [area]
        for name in names:
            folders.append(f"{self.rng.choice(folders[:3])}/{name}")
        return folders


class Family(NamedTuple):
    """A family of requests, each about an area of its own, which is a directory at the top."""

    areas: tuple[str, ...]
    frames: tuple[str, ...]
    """Wordings with the slots ``{area}`` and those of the terms."""

    rule: str
    """What every wording leaves open, in the same slots."""

    draw: Callable[[Random, str, int, bool], Draft]
    """Draws the tree of an area with about so many files, whose names may be odd."""

    fulfil: Callable[[Use, str, Terms], None]
    """A client that knows what the request names, and looks at the rest."""

    careless: Callable[[str, Terms], str]
    """A command that shares many words with the request."""


def roles(rng: Random, size: int, right: int, traps: Sequence[str], others: str) -> list[str]:
    """What each of some files is: so many right ones, each trap, and more of all, in random
    order.
    """
    chosen = ["right"] * right + list(traps)
    while len(chosen) < size:
        chosen.append(rng.choice([others, others, "right", *traps]))
    rng.shuffle(chosen)
    return chosen


def quoted(paths: Sequence[str]) -> str:
    """Paths as the arguments of a command."""
    return " ".join(map(quote, paths))


def awk(area: str, pattern: str, program: str) -> str:
    """A command that runs a program on all files below an area whose names fit a pattern."""
    return f"find {quote(area)} -type f -name {quote(pattern)} -exec awk {quote(program)} {{}} +"


def sentence(rng: Random) -> str:
    """A line of text that means nothing."""
    return f"The {rng.choice(ADJECTIVES)} {rng.choice(STEMS)} of {rng.choice(WORDS)} is ready."
