"""What a case is, and how a class of them is gathered."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from trees import Tree, equal, style, write


@dataclass(frozen=True)
class Case:
    """A gold answer, what was answered, and whether that is right."""

    gold: str | list[str]
    text: Any
    """An answer or a reply: a string, or a list of strings and of recipes to repeat one."""
    correct: bool
    why: str
    rule: str = "section 2"
    kind: str = "same"
    status: str | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)

    def row(self, name: str, number: int) -> dict[str, Any]:
        head = {"id": f"{name.replace(' ', '-')}-{number:03}", "class": name, "kind": self.kind}
        row = head | {"gold": self.gold, "text": self.text, "correct": self.correct}
        if self.status:
            row["status"] = self.status
        if self.policy:
            row["policy"] = dict(self.policy)
        return row | {"rule": self.rule, "why": self.why}


Maker = Callable[[Random], Iterable[Case]]
CLASSES: dict[str, Maker] = {}
"""By the name of the class, what makes its cases."""


def makes(name: str) -> Callable[[Maker], Maker]:
    """Enter the maker of a class of cases."""

    def enter(maker: Maker) -> Maker:
        CLASSES[name] = maker
        return maker

    return enter


def gathered(name: str, seed: str) -> Iterator[dict[str, Any]]:
    """The cases of a class, each once, numbered."""
    seen = set()
    number = 0
    for case in CLASSES[name](Random(f"{seed} {name}")):
        key = repr((case.gold, case.text, case.kind, sorted(case.policy.items())))
        if key in seen or (case.gold == case.text and number):
            continue
        seen.add(key)
        number += 1
        yield case.row(name, number)


def scalar(
    rng: Random, gold: Tree, answer: Tree, right: bool, why: str,
    *, rule: str = "section 2", script: str | None = None,
) -> Case:  # fmt: skip
    """A pair of expressions; the trees are evaluated again, and must bear the label out."""
    assert equal(gold, answer) is right, f"{why}: {write(gold)} and {write(answer)}"
    return Case(write(gold), write(answer, style(rng, script)), right, why, rule)


Others = Iterable[tuple[Tree, str]]
"""Trees, each with why it is equal or not."""


def pairs(
    rng: Random, gold: Tree, equals: Others, others: Others,
    *, rule: str = "section 2", script: str | None = None,
) -> Iterator[Case]:  # fmt: skip
    """Cases of one gold answer: what is equal to it, and what is not."""
    for answer, why in equals:
        yield scalar(rng, gold, answer, True, why, rule=rule, script=script)
    for answer, why in others:
        yield scalar(rng, gold, answer, False, why, script=script)
