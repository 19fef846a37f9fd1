"""Syllogisms and chains of them: Aristotle, "Prior Analytics" (about 350 BC)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Literal, Self, get_args

from palaestra.generators.logic.syllogism import (
    Categorical,
    Diagram,
    Verdict,
    connected,
    statements,
)
from palaestra.generators.vocabulary import plural, words
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.labels import pairs

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
PREMISES = 50
"""The most sets of premises to try for one with conclusions of every verdict."""

WORDS = {
    "all": "All {} are {}.",
    "no": "No {} are {}.",
    "some": "Some {} are {}.",
    "some not": "Some {} are not {}.",
}


class Syllogism(Puzzle):
    """Decide whether conclusions follow from premises such as "all A are B", or contradict them."""

    version = 2
    tags = {"deduction", "unique-solution"}
    independent_sentences = True

    class Knobs(Puzzle.Knobs):
        terms: int = ladder(4, 4, 5, 5, 6, 7, low=3)
        premises: int = ladder(3, 4, 5, 6, 7, 9, low=2, high=12)
        conclusions: int = ladder(7, 7, 8, 8, 8, 9, low=3)  # at most
        kinds: Literal["inhabited", "maybe empty", "either"] = ladder("inhabited", "either")
        obvious: bool = ladder(
            True, True, True, False
        )  # whether one premise may settle a conclusion

    terms: tuple[str, ...]
    premises: tuple[Categorical, ...]
    conclusions: tuple[Categorical, ...]
    inhabited: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        inhabited = rng.choice(
            {"inhabited": [True], "maybe empty": [False], "either": [True, False]}[knobs.kinds]
        )
        for _ in range(PREMISES):
            premises = connected(rng, knobs.terms, knobs.premises)
            claims = by_verdict(premises, knobs.terms, inhabited, knobs.obvious)
            if all(claims.values()):
                break
        chosen: list[Categorical] = []
        topics = {premise.topic() for premise in premises}
        for _ in range(20 * knobs.conclusions):
            # The verdict is sampled first, so that all are equally likely.
            claim = rng.choice(claims[rng.choice(VERDICTS)] or premises)
            if (topic := claim.topic()) not in topics:
                chosen.append(claim)
                topics.add(topic)
                if len(chosen) == knobs.conclusions:
                    break
        return cls(
            terms=tuple(map(plural, words(rng, knobs.terms, 4, 6))),
            premises=tuple(rng.sample(premises, len(premises))),
            conclusions=tuple(rng.sample(chosen, len(chosen))),
            inhabited=inhabited,
        )

    def is_valid(self) -> bool:
        return self.diagram().possible() and len(set(self.verdicts())) == len(VERDICTS)

    def diagram(self) -> Diagram:
        """The Venn diagram of the premises."""
        return Diagram(self.premises, len(self.terms), self.inhabited)

    def verdicts(self) -> list[Verdict]:
        """The verdict on each conclusion."""
        diagram = self.diagram()
        return [diagram.verdict(conclusion) for conclusion in self.conclusions]

    def canonical(self) -> str:
        return repr((sorted(self.premises), sorted(self.conclusions), self.inhabited))

    def sentences(self) -> Sequence[Sentence]:
        return [
            Sentence(self.as_text(each), {self.terms[each.subject], self.terms[each.predicate]})
            for each in self.premises
        ]

    def prompt(self) -> str:
        premises = "\n".join(f"  {self.as_text(premise)}" for premise in self.premises)
        claims = "\n".join(f"{n}. {self.as_text(c)}" for n, c in enumerate(self.conclusions, 1))
        existence = (
            f"There is at least one thing of each kind ({', '.join(self.terms)})."
            if self.inhabited
            else "A kind may be empty: 'all' and 'no' are true of a kind that has nothing in it."
        )
        ask = self.phrase(
            "For each conclusion, give its verdict: 'follows' if it is true in every case in which "
            "the premises are, 'contradicts' if it is false in every such case, 'open' otherwise.",
            "State for each conclusion whether it 'follows' (it cannot be false if the premises "
            "are true), 'contradicts' (it cannot be true if they are) or is 'open' (it can be "
            "either).",
        )
        return (
            f"The words for kinds of things are invented.\n\nPremises:\n{premises}\n\n{existence} "
            "'Some' means at least one, and perhaps all. Nothing else is known, and a thing may be "
            f"of several kinds or of none.\n\nConclusions:\n{claims}\n\n{ask} Write one line for "
            "each, with its number, such as '1: open'."
        )

    def as_text(self, claim: Categorical) -> str:
        """A statement in words."""
        return WORDS[claim.form].format(self.terms[claim.subject], self.terms[claim.predicate])

    def answer(self) -> str:
        return listed(self.verdicts())

    def verify(self, answer: str) -> Score:
        right = self.verdicts()
        numbers = [str(n) for n in range(1, len(right) + 1)]
        values = pairs(answer, numbers, VERDICTS)
        wrong = [number for number, verdict in zip(numbers, right) if values[number] != verdict]
        return (
            Score(0, f"{len(wrong)} of the {len(right)} verdicts are wrong") if wrong else Score(1)
        )

    def difficulty(self) -> float:
        return float(len(self.terms) * len(self.premises) * len(self.conclusions))

    def random_baseline(self) -> float:
        # The chance of a player who knows that every verdict occurs.
        claims = len(self.conclusions)
        return 1.0 / int(3**claims - 3 * 2**claims + 3)

    def shortcuts(self) -> Iterable[str]:
        """One verdict for all positive conclusions, and another for all negative ones."""
        for positive, negative in permutations(VERDICTS, 2):
            yield listed(
                positive if claim.form in {"all", "some"} else negative
                for claim in self.conclusions
            )

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(terms=3, premises=3, conclusions=4)

    def candidates(self) -> Iterable[str]:
        return map(listed, product(VERDICTS, repeat=len(self.conclusions)))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All verdicts alike, random ones, and those of the premises that state the conclusion."""
        number = len(self.conclusions)
        labels = {
            **{f"all {verdict}": [verdict] * number for verdict in VERDICTS},
            "random verdicts": rng.choices(VERDICTS, k=number),
            "premises only": [
                next((v for v in VERDICTS[:1] if c in self.premises), VERDICTS[-1])
                for c in self.conclusions
            ],
        }
        return {player: listed(some) for player, some in labels.items()}


def listed(verdicts: Iterable[Verdict]) -> str:
    """The answer that states these verdicts."""
    return "\n".join(f"{number}: {verdict}" for number, verdict in enumerate(verdicts, 1))


def by_verdict(
    premises: Sequence[Categorical], terms: int, inhabited: bool, obvious: bool
) -> dict[Verdict, list[Categorical]]:
    """All possible conclusions by verdict.

    Conclusions that restate or negate a premise are left out; so are those that a single premise
    settles, unless ``obvious`` allows them.
    """
    whole = Diagram(premises, terms, inhabited)
    alone = [] if obvious else [Diagram([premise], terms, inhabited) for premise in premises]
    topics = {premise.topic() for premise in premises}
    claims: dict[Verdict, list[Categorical]] = {verdict: [] for verdict in VERDICTS}
    if whole.possible():
        for claim in statements(terms):
            if claim.topic() in topics:
                continue
            if all(diagram.verdict(claim) == "open" for diagram in alone):
                claims[whole.verdict(claim)].append(claim)
    return claims
