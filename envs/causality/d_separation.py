"""Separation in directed acyclic graphs: Judea Pearl, "Probabilistic Reasoning" (1988)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, permutations, product
from random import Random
from typing import NamedTuple, Self

from palaestra.generators.causality.graphs import names_of, skeleton_path, without_members
from palaestra.generators.dags import (
    Edge,
    edges,
    is_adjacent,
    is_open,
    is_separated,
    is_separated_morally,
    open_path,
    random_parents,
)
from palaestra.generators.random_graphs import FORMS, Form, written
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered, pairs
from palaestra.verifiers.reading.nodes import tidy, walk
from palaestra.verifiers.reading.values import joined

SEPARATED = "separated"
_SEPARATED = re.compile(
    r"(?:they|the nodes|the two nodes|these nodes|both)?(?: ?are |no open path[;,:] ?)?"
    r"(?:(?:d-|conditionally )?(?:separated|independent)|blocked)[.!]?",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(^|[,;{\n])([ \t*\u2022-]{0,8}\"?)(?:pair|question|#)[ \t]?#?(?=\d)", re.IGNORECASE
)
_PATH = re.compile(r"(?:an? )?(?:open )?path(?: is)?[ \t]?[:=]?[ \t]+", re.IGNORECASE)
_BOTH = re.compile(r"\s?(?:<-{1,3}>|\u2194|\\leftrightarrow(?![a-z]))\s?", re.IGNORECASE)
_SIGN = re.compile(r"[ \t]*(<?-{1,3}>?|,|;|[ \t])[ \t]*")
LEFT = re.compile(
    r"\s?(?:\u2190|\u27f5|\\(?:long)?leftarrow(?![a-z])|<-{1,3}(?!>))\s?", re.IGNORECASE
)
"""Arrows to the left."""

DRAWS = 40
"""Sets that are tried for one question."""


class Question(NamedTuple):
    """Two nodes and the known ones."""

    one: int
    other: int
    known: tuple[int, ...]


class DSeparation(Puzzle):
    """Find open paths between nodes of a directed acyclic graph, or state that there are none."""

    tags = {"causality", "graphs", "deduction"}

    class Knobs(Puzzle.Knobs):
        nodes: int = ladder(6, 7, 8, 10, 12, 15, 20, low=5, high=24)
        density: float = ladder(1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, low=1.0, high=2.0)
        questions: int = ladder(2, 3, 4, 4, 5, 6, 8, high=10)
        known: int = ladder(2, 2, 2, 3, 3, 4, 5, low=0)  # at most, of a question

    parents: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    arcs: tuple[Edge, ...]
    form: Form
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        parents = random_parents(rng, knobs.nodes, 4, knobs.density, window=6)
        arcs = edges(parents)
        questions = [
            _question(rng, parents, knobs.known, rng.random() < 0.5) for _ in range(knobs.questions)
        ]
        return cls(
            parents=parents,
            names=names_of(rng, knobs.nodes),
            arcs=tuple(rng.sample(arcs, len(arcs))),
            form=rng.choice(FORMS),
            questions=tuple(questions),
        )

    def is_valid(self) -> bool:
        """Whether some nodes are separated, others are not, and no rule without colliders works."""
        separated = [is_separated(self.parents, *question) for question in self.questions]
        different = len({(frozenset(q[:2]), q.known) for q in self.questions})
        if different < len(separated) or all(separated) or not any(separated):
            return False
        players = (
            self.shortest,
            self.without_colliders,
            self.shortest_if_open,
            self.without_known_if_open,
        )
        return not any(
            all(self.is_right(question, player(question)) for question in self.questions)
            for player in players
        )

    def paths(self) -> list[list[int]]:
        """An open path for each question, or none."""
        return [open_path(self.parents, *question) for question in self.questions]

    def shortest(self, question: Question) -> list[int]:
        """A shortest path in any directions, whether it is open or not."""
        return skeleton_path(self.parents, question.one, question.other, ())

    def without_colliders(self, question: Question) -> list[int]:
        """A shortest path without known nodes, as if there were no colliders."""
        return skeleton_path(self.parents, *question)

    def shortest_if_open(self, question: Question) -> list[int]:
        """One of the shortest paths that is open; none if all are blocked, as if there were no
        longer ones.
        """
        path = open_path(self.parents, *question)
        return path if len(path) == len(self.shortest(question)) else []

    def without_known_if_open(self, question: Question) -> list[int]:
        """A shortest path without known nodes if it is open, otherwise none."""
        path = self.without_colliders(question)
        return path if path and is_open(self.parents, path, question.known) else []

    def canonical(self) -> str:
        return f"{self.parents} {sorted((*sorted(q[:2]), q.known) for q in self.questions)}"

    def prompt(self) -> str:
        lines = []
        for question in self.questions:
            known = joined([self.names[node] for node in question.known]) or "none"
            one, other = self.names[question.one], self.names[question.other]
            lines.append(f"{one} and {other}; known: {known}")
        rules = (
            "A path follows edges in either direction and visits no node twice. One of its inner "
            "nodes is a collider if both of its edges on the path point to it. A path is open if "
            "no node on it is known, except for colliders, and each of its colliders is known or "
            "has a known descendant. Two nodes are separated if no path between them is open."
        )
        graph = written(self.names, self.arcs, self.form, directed=True)
        example = " - ".join(self.names[node] for node in (1, 0, 2))
        text = self.phrase(
            f"This directed graph has no directed cycle.\n\n{graph}\n\n{rules}\n\nFind for each of "
            "these pairs an open path between the two nodes, or state that they are separated:",
            f"{rules}\n\nThese are the edges of a causal diagram.\n\n{graph}\n\nWhich of these "
            "pairs of nodes are separated (d-separated) by the known nodes? Give an open path for "
            "each of the others:",
        )
        return (
            f"{text}\n{numbered(lines)}\n\nAnswer with a line for each pair, with its number "
            "and the word separated, or the nodes of an open path in order, such as:\n"
            f"1: separated\n2: {example}"
        )

    def answer(self) -> str:
        return numbered(self.as_text(path) for path in self.paths())

    def as_text(self, path: Sequence[int]) -> str:
        """A path, or the word for none."""
        return " - ".join(self.names[node] for node in path) or SEPARATED

    def read(self, answer: str) -> list[tuple[int, ...]]:
        """The path that an answer states for each question, or none."""
        values = pairs(_PAIR.sub(r"\1\2", answer), line_numbers(len(self.questions)))
        return [self.read_path(text) for text in values.values()]

    def read_path(self, text: str) -> tuple[int, ...]:
        """A path, or none for two nodes that are separated."""
        text = _BOTH.sub(" - ", text.replace("$", "")).strip()
        if _SEPARATED.fullmatch(text):
            return ()
        if label := _PATH.match(text):
            text = text[label.end() :]
        self.check_arrows(text)
        path = walk(undirected(text), self.names)
        if len(path) < 2:
            raise InvalidAnswer(f"expected the word {SEPARATED}, or a path of nodes")
        return path

    def check_arrows(self, text: str) -> None:
        """Refuse arrows of a path that contradict the graph; hyphens state no direction.

        Raises :class:`InvalidAnswer`.
        """
        parts = _SIGN.split(tidy(LEFT.sub("<-", text)).strip("[](){} ."))
        known = {name.casefold(): node for node, name in enumerate(self.names)}
        nodes = [known.get(part.casefold()) for part in parts[::2]]
        for one, sign, other in zip(nodes, parts[1::2], nodes[1:]):
            if one is None or other is None or not is_adjacent(self.parents, one, other):
                continue
            for start, end, head in ((one, other, sign[-1:] == ">"), (other, one, sign[:1] == "<")):
                if head and start not in self.parents[end]:
                    raise InvalidAnswer(
                        f"there is no edge from {self.names[start]} to {self.names[end]}, as the "
                        "arrow on the path has it"
                    )

    def verify(self, answer: str) -> Score:
        right = dict.fromkeys(range(len(self.questions)), True)
        stated = enumerate(zip(self.questions, self.read(answer)))
        return matched({n: self.is_right(question, path) for n, (question, path) in stated}, right)

    def is_right(self, question: Question, path: Sequence[int]) -> bool:
        """Whether nodes are separated, if there is no path, or otherwise the path is open."""
        if not path:
            return is_separated(self.parents, *question)
        return self.is_path(question, path) and is_open(self.parents, path, question.known)

    def is_path(self, question: Question, path: Sequence[int]) -> bool:
        """Whether there is a path between the two nodes of a question along these nodes."""
        ends = {path[0], path[-1]} == {question.one, question.other}
        steps = all(is_adjacent(self.parents, u, v) for u, v in pairwise(path))
        return ends and steps and len(set(path)) == len(path)

    def audit(self, answer: str) -> bool:
        """Test separation in moral graphs of ancestors (Lauritzen et al., 1990)."""
        return all(
            self.is_right(question, path) if path else is_separated_morally(self.parents, *question)
            for question, path in zip(self.questions, self.read(answer))
        )

    def difficulty(self) -> float:
        """The number of edges, for each question and each known node."""
        return float(len(self.arcs) * sum(1 + len(question.known) for question in self.questions))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who do not know of colliders, or of blocked paths."""
        shortest = [self.shortest(question) for question in self.questions]
        unknown = [self.without_colliders(question) for question in self.questions]
        if_open = [self.shortest_if_open(question) for question in self.questions]
        avoiding = [self.without_known_if_open(question) for question in self.questions]
        coin = [path if rng.random() < 0.5 else [] for path in shortest]
        return {
            name: numbered(map(self.as_text, paths))
            for name, paths in {
                "all joined": shortest,
                "no colliders": unknown,
                "shortest path if open": if_open,
                "path without known nodes if open": avoiding,
                "coin": coin,
            }.items()
        }

    def shortcuts(self) -> list[str]:
        return [numbered([SEPARATED] * len(self.questions))]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=1.0, questions=2, known=1)

    def candidates(self) -> Iterable[str]:
        """The word or any path between the right ends, for each question."""
        nodes = range(len(self.parents))
        ways = []
        for question in self.questions:
            inside = without_members(nodes, (question.one, question.other))
            middles = [m for size in range(4) for m in permutations(inside, size)]
            paths = [[question.one, *middle, question.other] for middle in middles]
            ways.append([SEPARATED, *map(self.as_text, paths)])
        return map(numbered, product(*ways))


def undirected(text: str) -> str:
    """A path with arrows to the left as hyphens, since its order alone matters.

    >>> undirected("A <- B -> C")
    'A - B -> C'
    """
    return tidy(LEFT.sub(" - ", text))


def _question(
    rng: Random, parents: Sequence[tuple[int, ...]], most: int, separated: bool
) -> Question:
    """Two nodes that are not adjacent, and known nodes that separate them or not, if possible.

    Where they do not, two in three questions have an open path that is longer than the shortest
    one in any directions, so that one look at the graph does not find it.
    """
    hidden = not separated and rng.random() < 2 / 3
    nodes = range(len(parents))
    question = Question(0, 0, ())
    for _ in range(DRAWS):
        one, other, *known = rng.sample(nodes, 2 + rng.randint(0, min(most, len(parents) - 2)))
        if is_adjacent(parents, one, other):
            continue
        question = Question(one, other, tuple(known))
        shortest = skeleton_path(parents, one, other, ())
        if not shortest or is_separated(parents, *question) != separated:
            continue
        if not hidden or len(open_path(parents, *question)) > len(shortest):
            break
    return question
