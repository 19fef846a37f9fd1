"""Model checking of temporal formulas: Amir Pnueli (1977) for linear time; Edmund Clarke and Allen
Emerson (1981) for branching time; Clarke, Orna Grumberg and Doron Peled, "Model Checking" (1999).
"""

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.temporal_logic import (
    BRANCHING,
    LINEAR,
    Formula,
    System,
    Truth,
    harmless,
    misreadings,
    random_formula,
    random_system,
    searched,
    truth,
    wording,
)
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import node_set
from palaestra.verifiers.reading.values import joined, plain

PROPOSITIONS = "pqrs"

LABEL = re.compile(r"\A\W{0,8}(?:the )?(?:states?|answer)\b[ :*]{1,6}", re.IGNORECASE)
"""Words before the states of an answer."""

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

INDEX = re.compile(r"\bs_(?:\{(\d{1,3})\}|(\d{1,3}))", re.IGNORECASE)
"""A state as it may be written in mathematics, such as ``s_{1}``."""

SYSTEMS = 200
"""Systems that are tried for a task."""

CHOICES = 6
"""Formulas of which the one is taken that is hardest to misread."""

RULES = {
    "linear": (
        "A formula holds at a state if it is true of the run from that state on. X(f): f holds at "
        "the next state. F(f): f holds at this state or at some later one. G(f): f holds at this "
        "state and at all later ones. (f U g): g holds at this state or at some later one, and f "
        "holds at every state from this one up to, but not necessarily at, the first at which g "
        "holds."
    ),
    "branching": (
        "A path is an infinite sequence of states, each followed by one of its next states. EX(f) "
        "holds at a state if f holds at some next state, and AX(f) if f holds at all next states. "
        "EF(f): some path from this state has a state at which f holds. AF(f): every path from "
        "this state has one. EG(f): on some path from this state, f holds at every state. AG(f): "
        "on every path from this state, f holds at every state. E(f U g): some path from this "
        "state has a state at which g holds, and f holds at all states of the path before that. "
        "A(f U g): every path from this state is like that. Paths from a state begin with that "
        "state itself."
    ),
}

Time = Literal["linear", "branching"]


class TemporalLogic(Puzzle):
    """List the states of a transition system at which a temporal formula holds."""

    tags = {"temporal-logic", "model-checking", "graphs", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        time: Literal["linear", "branching", "either"] = ladder("linear", "either")
        states: int = ladder(6, 6, 7, 8, 9, 11, 13, 16, low=4, high=20)
        operators: int = ladder(1, 2, 3, 4, 5, 6, 7, 9, low=1, high=12)  # inside each other
        propositions: int = ladder(2, 2, 2, 3, 3, 3, 4, 4, low=1, high=4)

    time: Time
    successors: tuple[tuple[int, ...], ...]
    """The next states of each state, counted from 0."""
    labels: tuple[str, ...]
    """The propositions that hold at each state."""
    formula: Formula

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A random system, and a formula that holds at some states, but not at all of them, and
        whose misreadings hold at others.
        """
        time: Time = "linear" if knobs.time == "linear" else "branching"
        if knobs.time == "either":
            time = rng.choice(("linear", "branching"))
        names = PROPOSITIONS[: knobs.propositions]
        signs = LINEAR if time == "linear" else BRANCHING
        tasks = list[tuple[tuple[int, int], Self]]()
        for tried in range(SYSTEMS):
            system = random_system(rng, knobs.states, names, linear=time == "linear")
            operators = max(1, knobs.operators - tried * knobs.operators // 150)
            formula = random_formula(rng, system, names, operators, signs)
            if formula is None:
                continue
            task = cls(
                time=time, successors=system.successors, labels=system.labels, formula=formula
            )
            tasks.append((harmless(formula, system), task))
            if len(tasks) == CHOICES or not tasks[-1][0][0]:
                break
        if not tasks:
            raise NoValidTask("no random formula holds at some states only")
        return min(tasks, key=lambda each: each[0])[1]

    @property
    def system(self) -> System:
        """The transition system."""
        return System(self.successors, self.labels)

    @property
    def names(self) -> list[str]:
        """The names of the states."""
        return [f"s{n}" for n in range(len(self.labels))]

    def truth(self) -> Truth:
        """Where the formula holds."""
        return truth(self.formula, self.system)

    def prompt(self) -> str:
        names = self.names
        rows = [
            f"{name}: {joined(label) or 'none'}; next: {' or '.join(names[n] for n in after)}"
            for name, label, after in zip(names, self.labels, self.successors)
        ]
        listed = "\n".join(rows)
        used = joined(sorted({sign for label in self.labels for sign in label}))
        branches = "one of the states" if self.time == "branching" else "the state"
        system = (
            f"A system is in one of the states {names[0]} to {names[-1]} at any time and goes on "
            f"to {branches} listed as next, for ever. Each state is listed with the propositions "
            f"among {used} that hold there."
        )
        rules = (
            f"{RULES[self.time]} 'f and g', 'f or g' (which includes both) and 'not f' have their "
            "usual meaning, and not belongs to what directly follows it."
        )
        formula = wording(self.formula)
        task = self.phrase(
            f"{system}\n\n{listed}\n\n{rules}\n\nAt which states does this formula hold?\n"
            f"{formula}",
            f"Find all states at which the temporal formula {formula} holds.\n\n{system}\n\n"
            f"{listed}\n\n{rules}",
        )
        example = next(each for each in (0b1010, 0b101) if each != self.truth().states)
        return f"{task}\n\nList the states in any order, such as '{self.as_text(example)}'."

    def as_text(self, states: int) -> str:
        """A set of states as an answer."""
        return joined([name for n, name in enumerate(self.names) if states >> n & 1]) or "none"

    def answer(self) -> str:
        return self.as_text(self.truth().states)

    def read(self, answer: str) -> int:
        """The states of an answer, as a mask."""
        text = INDEX.sub(
            r"s\1\2", LABEL.sub("", plain(answer.translate(SUBSCRIPTS)).replace("$", " "))
        )
        return sum(1 << n for n in node_set(text, self.names))

    def verify(self, answer: str) -> Score:
        wrong = self.read(answer) ^ self.truth().states
        shares = {"progress": 1 - wrong.bit_count() / len(self.labels)}
        if not wrong:
            return Score(1, parts=shares)
        return Score(0, "some states are wrong or missing", shares)

    def audit(self, answer: str) -> bool:
        """Whether a search for paths from each state gives these states."""
        return self.read(answer) == sum(1 << n for n in searched(self.formula, self.system))

    def difficulty(self) -> float:
        """The rounds of all fixpoints."""
        return self.truth().rounds

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text(self.system.every), "none", *self.names]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Misreadings of operators, and the states of one proposition."""
        system = self.system
        sets = {**misreadings(self.formula, system)}
        for proposition in PROPOSITIONS:
            sets[f"where {proposition} holds"] = system.holding(proposition)
            sets[f"where {proposition} does not hold"] = system.every ^ system.holding(proposition)
        sets["random"] = rng.randrange(system.every + 1)
        return {name: self.as_text(states) for name, states in sets.items()}

    def scene(self) -> Graph:
        return self.view(0)

    def solved_scene(self, answer: str) -> Graph:
        return self.view(self.read(answer))

    def view(self, states: int) -> Graph:
        """The system, with a set of states marked."""
        nodes = tuple(
            Node(name, "accent" if states >> n & 1 else "paper", note=" ".join(label))
            for n, (name, label) in enumerate(zip(self.names, self.labels))
        )
        edges = tuple(Edge(n, each) for n, after in enumerate(self.successors) for each in after)
        return Graph(nodes, edges, directed=True)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(states=5, operators=2)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, range(self.system.every + 1))
