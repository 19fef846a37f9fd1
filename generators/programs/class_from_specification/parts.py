"""What bases and rules are, and rules that suit several bases."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from collections.abc import Mapping
from typing import NamedTuple

Version = Mapping[str, str]
"""What may stand for names in texts."""

PLAIN: tuple[Version, ...] = ({},)


class Rule(NamedTuple):
    """Something that holds beyond what the base says. Texts have ``$a`` and ``$b`` for numbers."""

    text: str = ""
    methods: tuple[tuple[str, str], ...] = ()
    """New methods, as they are called, and what they do."""
    code: str = ""
    hooks: Mapping[str, str] = {}
    """Lines for the marked places of the base."""
    start: str = ""
    """State that it adds."""
    ranges: tuple[tuple[int, int], ...] = ()
    versions: tuple[Version, ...] = PLAIN
    apart: str = ""
    """Rules that it does not go together with."""
    changing: str = ""
    """New methods whose work can be undone."""
    kept: str = ""
    """State that comes back with that."""


class Base(NamedTuple):
    """What a class is about."""

    text: str
    methods: tuple[tuple[str, str], ...]
    start: str
    code: str
    rules: Mapping[str, Rule]
    changing: str
    kept: str
    often: str
    """Methods that are called more often than the others."""
    ranges: tuple[tuple[int, int], ...] = ()
    versions: tuple[Version, ...] = PLAIN


def undo(what: str, apart: str = "") -> Rule:
    """A method that takes calls back, one after the other."""
    return Rule(
        methods=(
            (
                "undo()",
                f"puts {what} back into the state right before the last call of $changing (also by another method) that changed this state and has not been undone yet, and returns True; does nothing and returns False if there is no such call",
            ),
        ),
        code="""
        def undo(self):
            if not self.past:
                return False
            $restore = self.past.pop()
            return True
        """,
        start="self.past = []",
        apart=apart,
    )


def redo(what: str, apart: str = "") -> Rule:
    """The same, with a method that takes that back."""
    undone = undo(what, apart)
    return undone._replace(
        methods=(
            *undone.methods,
            (
                "redo()",
                f"takes back the last undo() that returned True and was not taken back yet, puts {what} into the state right before it, and returns True; does nothing and returns False if there is no such call, or if since then $changing has changed this state",
            ),
        ),
        code="""
        def undo(self):
            if not self.past:
                return False
            before = self.past.pop()
            self.undone.append([$saved, before])
            $restore = deepcopy(before)
            return True

        def redo(self):
            if not self.undone:
                return False
            after, before = self.undone.pop()
            self.past.append(before)
            $restore = after
            return True
        """,
        start="self.past = []\nself.undone = []",
        apart=f"{apart} undo".strip(),
    )


def trial(what: str, apart: str = "") -> Rule:
    """Methods that try changes out and give them up."""
    return Rule(
        methods=(
            ("begin()", f"remembers the state of {what}, beside all that was remembered before; returns how many such memories there are then"),
            ("cancel()", f"puts {what} back into the state of the last memory, forgets that memory, and returns True; does nothing and returns False if there is none"),
            ("keep()", "forgets the last memory, changes nothing else, and returns True; does nothing and returns False if there is none"),
        ),
        code="""
        def begin(self):
            self.begun.append($saved)
            return len(self.begun)

        def cancel(self):
            if not self.begun:
                return False
            $restore = self.begun.pop()
            return True

        def keep(self):
            if not self.begun:
                return False
            self.begun.pop()
            return True
        """,
        start="self.begun = []",
        apart=apart,
    )  # fmt: skip
