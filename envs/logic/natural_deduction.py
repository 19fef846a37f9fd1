"""Proofs in natural deduction: Gerhard Gentzen, "Untersuchungen über das logische Schließen"
(1935), in the form of Frederic Fitch, "Symbolic Logic" (1952).
"""

import re
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from itertools import permutations, product
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.natural_deduction.proofs import Move, Search, short_proof
from palaestra.generators.logic.natural_deduction.rules import (
    SCHEMAS,
    is_proof,
    proof_text,
    rules_text,
)
from palaestra.generators.logic.natural_deduction.sequents import random_sequent
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.proofs.fitch import Line
from palaestra.verifiers.proofs.formulas import Formula, formula, written
from palaestra.verifiers.proofs.natural import NaturalDeduction as Judge
from palaestra.verifiers.proofs.natural import read_proof
from palaestra.verifiers.replies import unwrapped

NAMES = "pqrst"
LINKS = (("and", "if"), ("or",), ("not",), ("iff",))
"""Connectives in the order in which they come in."""

_HEADING = re.compile(r"\A[^\n\w]{0,4}(?:the )?proof\W{0,4}\n", re.IGNORECASE)
_FROM = re.compile(r"(?<=[A-Za-z\])]) from (?:lines? )?(?=\d)")

SEQUENTS = 1_000
"""Sequents that are tried for a task."""

EXAMPLE = """\
1. x -> y   premise
2. ~y   premise
3. | x   assumption
4. | y   ->E 1, 3
5. | false   ~E 2, 4
6. ~x   ~I 3-5"""

Logic = Literal["intuitionistic", "classical"]


class NaturalDeduction(Puzzle):
    """Write a proof of a sequent in natural deduction, with sub-proofs."""

    tags = {"propositional-logic", "proof", "deduction", "search"}

    class Knobs(Puzzle.Knobs):
        logic: Logic = ladder(*("intuitionistic",) * 4, *("classical",) * 4)
        atoms: int = ladder(3, 3, 3, 4, 4, 4, 5, 5, low=2, high=5)
        premises: int = ladder(2, 2, 2, 3, 3, 3, 3, 4, low=0, high=4)
        connectives: int = ladder(1, 2, 2, 2, 3, 3, 4, 4, low=1, high=5)  # of a premise
        sorts: int = ladder(1, 2, 3, 4, 4, 4, 4, 4, low=1, high=4)  # of connectives
        depth: int = ladder(0, 1, 1, 2, 2, 3, 3, 4, high=5)  # of sub-proofs, at least
        lines: int = ladder(4, 7, 10, 14, 18, 24, 32, 42, low=3, high=48)  # of a proof, at least

    premises: tuple[str, ...]
    goal: str
    classical: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A sequent with a short proof of so many lines, or half as many more; or the one that
        comes nearest to that, if no random sequent does. Formulas grow if none does for long.
        """
        links = [link for group in LINKS[: knobs.sorts] for link in group]
        classical = knobs.logic == "classical"
        best, least = None, float("inf")
        for tried in range(SEQUENTS):
            most = knobs.connectives + tried // 300
            sizes = [max(1, most - rng.randrange(2)) for _ in range(knobs.premises)]
            goal_size = rng.randint(1, most) + 2 * (not sizes)
            sequent = random_sequent(rng, NAMES[: knobs.atoms], [*sizes, goal_size], links)
            proof = sequent and short_proof(Search(*sequent, classical))
            if sequent and proof:
                flat = max(0, knobs.depth - max(line.depth for line in proof))
                off = max(0, knobs.lines - len(proof), len(proof) - knobs.lines * 3 // 2 - 1)
                if 5 * flat + off < least:
                    best, least = sequent, 5 * flat + off
                if not least:
                    break
        if best is None:
            raise NoValidTask("no random sequent has a proof")
        premises = tuple(map(written, best.premises))
        return cls(premises=premises, goal=written(best.goal), classical=classical)

    def canonical(self) -> str:
        whole = " ".join([*self.premises, self.goal])
        names = [*filter(whole.count, NAMES)]
        texts = list[str]()
        for order in permutations(names):
            table = str.maketrans("".join(order), NAMES[: len(names)])
            premises = sorted(each.translate(table) for each in self.premises)
            texts.append(f"{premises} {self.goal.translate(table)}")
        return f"{self.classical} {min(texts)}"

    @property
    def sequent(self) -> tuple[list[Formula], Formula]:
        """The premises and the goal as formulas."""
        return [*map(formula, self.premises)], formula(self.goal)

    def prompt(self) -> str:
        listed = "\n".join(self.premises)
        formulas = (
            "Formulas consist of letters, ~ (not), & (and), | (or), -> (if), <-> (if and only if) "
            "and the constant false; parentheses surround each compound part but a negation."
        )
        lines = (
            "A proof is a list of lines. A line has a number, a formula, the rule that yields it, "
            "and the numbers of the lines that the rule uses. The rule premise yields any of the "
            "premises and uses no line. The rule assumption begins a sub-proof with any formula; "
            "each line of the sub-proof has one bar | more before its formula than the lines "
            "around the sub-proof. Sub-proofs may be nested. A sub-proof ends before a line with "
            "fewer bars, or before an assumption with as many bars, which begins another "
            "sub-proof. A rule may use any earlier line, except for lines of sub-proofs that have "
            "ended: these are used as a whole, from the assumption to the last line, written as a "
            "range such as 3-5; and if a sub-proof was inside another one, only as long as that "
            "has not ended. A sub-proof of one line is from a formula to itself, such as 3-3."
        )
        rules = (
            f"Rules, for any formulas A, B and C:\n{rules_text(classical=self.classical)}\n\n"
            "The order of what a rule uses does not matter. There are no other rules."
        )
        task = self.phrase(
            f"{formulas}\n\n{lines}\n\n{rules}\n\nPremises:\n{listed}\n\nProve {self.goal}.",
            f"Derive this formula by natural deduction: {self.goal}\n\nThe premises are:\n{listed}"
            f"\n\n{formulas}\n\n{lines}\n\n{rules}",
        )
        return (
            f"{task} The last line of the proof has to be that formula, without a bar. For "
            f"example, a proof of ~x from the premises x -> y and ~y looks like:\n{EXAMPLE}"
        )

    def answer(self) -> str:
        return proof_text(_proof(self))

    def verify(self, answer: str) -> Score:
        return Judge(self.premises, self.goal, self.classical).verify(_bare(answer))

    def audit(self, answer: str) -> bool:
        """Whether each line is an instance of a schema, from lines that are open to it."""
        try:
            proof = read_proof(unwrapped(_bare(answer)))
        except InvalidAnswer:
            return False
        return is_proof(proof, *self.sequent, classical=self.classical)

    def difficulty(self) -> float:
        """The number of lines of a short proof."""
        return len(_proof(self))

    def shortcuts(self) -> Iterable[str]:
        return [f"1. {self.goal} premise", *self._guesses(), self.goal]

    def _guesses(self) -> Iterable[str]:
        """The premises, and the goal by one rule from all or one of them."""
        number = len(self.premises)
        known = "\n".join(f"{n}. {each} premise" for n, each in enumerate(self.premises, 1))
        cites = [", ".join(str(n + 1) for n in range(number)), *map(str, range(1, number + 1))]
        for schema, cited in product(SCHEMAS.values(), cites):
            yield f"{known}\n{number + 1}. {self.goal} {schema.sign} {cited}".strip()

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """One-rule guesses, and proofs in which each step is forced by the form of a formula."""
        players: dict[str, Set[Move]] = {
            "eliminations": set(),
            "introductions and eliminations": {"intro"},
            "first side of a disjunction": {"intro", "or intro"},
            "case splits": {"intro", "cases"},
            "indirect proofs": {"intro", "indirect"},
        }
        guesses = [*self._guesses()]
        texts = {"one rule": rng.choice(guesses)}
        for name, moves in players.items():
            proof = short_proof(Search(*self.sequent, self.classical, moves))
            texts[name] = proof_text(proof) if proof else rng.choice(guesses)
        return texts

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(atoms=2, premises=2, lines=3)

    def candidates(self) -> Iterable[str]:
        """All proofs of the premises and one more line, or two where the first of them is a part
        of a premise.
        """
        premises, goal = self.sequent
        known = [f"{n}. {each} premise" for n, each in enumerate(self.premises, 1)]
        cites = ("1", "2", "1, 2", "2, 1", "3", "1, 3", "3, 2", "2-3")
        parts = {part for each in (*premises, goal) for part in (each, *each[1:])}
        ends = [
            f"{written(part)} {schema.sign} {cited}"
            for part in sorted(parts)
            for schema in SCHEMAS.values()
            for cited in cites
        ]
        yield from ("\n".join([*known, f"3. {end}"]) for end in ends)
        for part in sorted(parts):
            for end in ends:
                yield "\n".join([*known, f"3. {written(part)} &E 1", f"4. {end}"])
        yield self.answer()


def _bare(answer: str) -> str:
    """A proof without a heading and without the marks of mathematics, code and bold letters."""
    if "```" not in answer:
        answer = answer.replace("`", "")
    answer = answer.replace("$", "").replace("**", "").strip()
    return _FROM.sub(" ", _HEADING.sub("", answer))


@lru_cache(maxsize=64)
def _proof(task: NaturalDeduction) -> tuple[Line, ...]:
    proof = short_proof(Search(*task.sequent, task.classical))
    if proof is None:
        raise ValueError(f"no proof of {task.goal} is short enough to be found")
    return tuple(proof)
