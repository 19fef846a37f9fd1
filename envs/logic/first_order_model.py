"""Finite models of first-order sentences, which William McCune's program Mace4 (2003) searches for.
Truth is defined as by Alfred Tarski (1933).
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Any, Self

from palaestra.generators.logic.first_order_model.search import Model, find_model
from palaestra.generators.logic.first_order_model.sentences import (
    Atom,
    Formula,
    Signature,
    masks,
    satisfying,
    wording,
)
from palaestra.generators.logic.first_order_model.worlds import (
    plain_structures,
    random_structure,
    tight_sentences,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.values import joined, plain

UNARY, BINARY = "PQ", "RS"
NONE = {"none", "empty", "nothing", "\u2205", "{}", "[]", "()", ""}

_PAIR = re.compile(
    r"[(\[<]? ?([1-9]) ?(?:->|[-\u2013\u2192,])? ?([1-9]) ?[)\]>]?(?![0-9])", re.ASCII
)
_ELEMENT = re.compile(r"([1-9])(?![0-9])", re.ASCII)
_BETWEEN = re.compile(r" ?[,;]? ?(?:and )?", re.ASCII)

Structure = Mapping[Atom, bool]


class FirstOrderModel(Puzzle):
    """Give a finite structure in which sentences with quantifiers are true or false as stated."""

    tags = {"first-order-logic", "model-finding", "search", "constraint-satisfaction"}

    class Knobs(Puzzle.Knobs):
        elements: int = ladder(2, 2, 3, 4, 4, 5, 5, 6, low=2, high=7)
        unary: int = ladder(1, 2, 2, 2, 2, 2, 2, 2, low=1, high=2)  # predicates
        binary: int = ladder(1, 1, 1, 1, 2, 2, 2, 2, low=1, high=2)
        sentences: int = ladder(4, 5, 6, 7, 8, 10, 13, 16, low=2, high=20)
        quantifiers: int = ladder(2, 2, 2, 2, 3, 3, 3, 3, low=1, high=4)  # in one another, at most

    elements: int
    statements: tuple[tuple[Formula, bool], ...]
    """Each with the truth value that it has to have."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Sentences with the truth values that a random structure gives them, and few others do."""
        signature = Signature(UNARY[: knobs.unary], BINARY[: knobs.binary], knobs.elements)
        sentences = tight_sentences(rng, signature, knobs.sentences, knobs.quantifiers)
        return cls(elements=knobs.elements, statements=tuple(sentences))

    @property
    def signature(self) -> Signature:
        """The predicates that occur, and the number of elements."""
        text = "".join(wording(sentence) for sentence, _ in self.statements)
        unary, binary = (
            "".join(filter(lambda name: f"{name}(" in text, names)) for names in (UNARY, BINARY)
        )
        return Signature(unary, binary, self.elements)

    def canonical(self) -> str:
        texts = list[str]()
        for one, other in product(permutations(UNARY), permutations(BINARY)):
            table = str.maketrans(UNARY + BINARY, "".join([*one, *other]))
            rows = (f"{truth} {wording(each)}" for each, truth in self.statements)
            texts.append("\n".join(sorted(row.translate(table) for row in rows)))
        return f"{self.elements} {min(texts)}"

    def prompt(self) -> str:
        texts = [(wording(sentence), truth) for sentence, truth in self.statements]
        listed = "\n".join(
            f"{n}. [{'true' if truth else 'false'}] {text}"
            for n, (text, truth) in enumerate(texts, 1)
        )
        unary, binary, size = self.signature
        elements = f"the elements {joined(range(1, size))} and {size}"
        places = dict.fromkeys(unary, "(x)") | dict.fromkeys(binary, "(x,y)")
        names = joined([name + each for name, each in places.items()])
        rules = (
            "A structure states for each predicate of one place of which elements it is true, and "
            "for each predicate of two places of which pairs, where the order matters: R(1,2) is "
            "not R(2,1), and both places may have the same element. Variables stand for elements, "
            "and different variables may stand for the same one. 'For every x: A' is true if A is "
            "true whichever element x is, and 'for some x: A' if it is for at least one; A goes on "
            "to the end of the sentence or of the parentheses around it. 'x = y' is true if both "
            "are the same element, and 'x \u2260 y' if not. 'A or B' is true if one of them is, or "
            "both; 'A implies B' is false only if A is true and B is false; 'A if and only if B' "
            "is true if both are true or both are false."
        )
        task = self.phrase(
            f"{rules}\n\nFind a structure with {elements} and the predicates {names} in which each "
            f"of these sentences has the truth value that stands before it:\n\n{listed}",
            f"Define the predicates {names} on {elements} so that each of the following sentences "
            f"is true or false as stated in brackets.\n\n{listed}\n\n{rules}",
        )
        return (
            f"{task}\n\nAny such structure is right. Write a line for each predicate, with its "
            "elements or pairs, or the word none. The lines look like:\n"
            f"{self.as_text(self._example())}"
        )

    def _example(self) -> Structure:
        """A structure that is not the answer."""
        signature = self.signature
        for seed in range(50):
            example = random_structure(Random(seed), signature)
            if self.violation(example):
                break
        return example

    def as_text(self, true: Structure) -> str:
        """A structure as an answer."""
        rows = list[str]()
        for name in (*self.signature.unary, *self.signature.binary):
            members = [each for (one, each), value in true.items() if one == name and value]
            texts = ("-".join(map(str, each)) for each in members)
            rows.append(f"{name}: {', '.join(texts) or 'none'}")
        return "\n".join(rows)

    def answer(self) -> str:
        return self.as_text(_model(self).true)

    def read(self, answer: str) -> Structure:
        """The structure of an answer."""
        unary, binary, size = self.signature
        rows = dict[str, str]()
        for label, value in labelled(
            re.sub(r"\$|\\(?=[{}])", "", plain(answer)), [*unary, *binary]
        ):
            name = label.strip().upper()[:1]
            known = _labels(name, name in unary) if name in unary + binary else set()
            if name in rows or label.casefold() not in known:
                raise InvalidAnswer(f"expected one line for each of {', '.join(unary + binary)}")
            rows[name] = value
        true = dict.fromkeys(self.signature.atoms(), False)
        for name in unary + binary:
            if name not in rows:
                raise InvalidAnswer(f"there is no line for {name}")
            for elements in _members(rows[name], 1 if name in unary else 2):
                if max(elements) > size:
                    raise InvalidAnswer(f"the elements are 1 to {size}, not {max(elements)}")
                true[name, elements] = True
        return true

    def violation(self, true: Structure) -> str:
        """What is wrong with a structure; empty if nothing is."""
        worlds = {atom: int(value) for atom, value in true.items()}
        for number, (sentence, truth) in enumerate(self.statements, 1):
            if masks(sentence, worlds, 1, self.elements) != truth:
                return f"sentence {number} is not {'true' if truth else 'false'}"
        return ""

    def verify(self, answer: str) -> Score:
        violation = self.violation(self.read(answer))
        return Score(not violation, violation)

    def audit(self, answer: str) -> bool:
        """Whether the sentences are true by Tarski's definition, from their parts up."""
        try:
            true = self.read(answer)
        except InvalidAnswer:
            return False
        return all(
            bool(satisfying(sentence, [], true, self.elements)) == truth
            for sentence, truth in self.statements
        )

    def difficulty(self) -> float:
        """How many decisions and conflicts the search for a model has."""
        return _model(self).steps

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, plain_structures(self.signature).values())

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Plain structures, random ones, and the best of all of them."""
        structures: dict[str, Structure] = {**plain_structures(self.signature)}
        structures |= {f"random {n}": random_structure(rng, self.signature) for n in range(5)}
        structures["best of these"] = max(structures.values(), key=self._agreement)
        return {name: self.as_text(each) for name, each in structures.items()}

    def _agreement(self, true: Structure) -> int:
        """How many sentences are true or false as they have to be."""
        worlds = {atom: int(value) for atom, value in true.items()}
        return sum(
            masks(sentence, worlds, 1, self.elements) == truth
            for sentence, truth in self.statements
        )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs()

    def candidates(self) -> Iterable[str]:
        atoms = self.signature.atoms()
        for values in product((True, False), repeat=len(atoms)):
            yield self.as_text(dict(zip(atoms, values)))


def _labels(name: str, is_unary: bool) -> set[str]:
    """How a predicate may be written before its elements."""
    places = "(x)" if is_unary else "(x,y)"
    return {name.casefold(), f"{name}{places}".casefold()}


def _members(text: str, places: int) -> list[tuple[int, ...]]:
    """The elements or pairs in a text such as ``1-2, 2-2``."""
    text = " ".join(text.split()).casefold()
    if text in NONE:
        return []
    for opening, closing in ("{}", "[]"):
        text = text.removeprefix(opening).removesuffix(closing).strip()
    pattern, at = (_ELEMENT, _PAIR)[places - 1], 0
    members = list[tuple[int, ...]]()
    while at < len(text):
        match = pattern.match(text, at)
        if not match:
            form = "1-2, 2-2" if places == 2 else "1, 2"
            raise InvalidAnswer(f"not a list such as '{form}': {text[:40]!r}")
        members.append(tuple(map(int, match.groups())))
        joint = _BETWEEN.match(text, match.end())
        at = joint.end() if joint else match.end()
    return members


@lru_cache(maxsize=64)
def _model(task: FirstOrderModel) -> Model:
    sentences: list[tuple[Any, bool]] = list(task.statements)
    model = find_model(sentences, task.signature)
    if model is None:
        raise ValueError("the sentences have no model")
    return model
