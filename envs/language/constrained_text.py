"""Constrained writing, after the Oulipo (founded by Queneau and Le Lionnais, 1960).

As in IFEval (Zhou et al., 2023) and its successors, constraints are combined, depend on one another
or on a condition, and are checked by counting.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random
from typing import Self

from pydantic import ConfigDict, Field

from palaestra.generators.language.constrained_text import (
    SPECIFIC,
    branch,
    features,
    read,
    satisfied_rules,
    written,
)
from palaestra.generators.phrases import WORDS
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.language.constrained_text.constraints import (
    DEFINITIONS,
    GROUND_RULES,
    KINDS,
    Branch,
    Rule,
    Text,
    as_text,
    forbidden_character,
    kept,
    violation,
)
from palaestra.verifiers.language.constrained_text.second_count import recount


class ConstrainedText(Puzzle):
    """Write a text that follows rules about its words, letters, sentences and layout."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    version = 2
    tags = {"instruction-following", "writing"}
    hidden = {"example"}
    verbatim = True

    class Knobs(Puzzle.Knobs):
        rules: int = ladder(2, 3, 4, 4, 5, 6, 7, low=1, high=8)
        chained: int = ladder(0, 0, 0, 1, 1, 2, 3)
        branches: int = ladder(0, 0, 1, 1, 2, 2, 3)
        sentences: int = ladder(1, 2, 3, 3, 4, 5, 6, low=1, high=8)

    demands: tuple[Rule | Branch, ...]
    example: str = Field(alias="sample")

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        planted = features(rng, knobs.chained, knobs.rules // 2)
        sample = written(rng, knobs.sentences, frozenset(planted))
        text = Text.of(sample)
        rules = [read(rng, feature, text) for feature in planted[: knobs.chained]]
        demands: list[Rule | Branch] = [rule for rule in rules if rule]
        families = {KINDS[rule.constraint].family for rule in rules if rule}
        plain = list(basis(rng, text, families))
        plain += [r for feature in planted[knobs.chained :] if (r := read(rng, feature, text))]
        plain = list({KINDS[rule.constraint].family: rule for rule in reversed(plain)}.values())[
            ::-1
        ]
        families |= {KINDS[rule.constraint].family for rule in plain}
        plain += satisfied_rules(rng, text, families)
        other = Text.of(written(rng, knobs.sentences, planted))
        contrary = [rule for rule in satisfied_rules(rng, other, ()) if not kept(rule, text)]
        demands += plain[: knobs.rules]
        for rule, against in zip(plain[knobs.rules :][: knobs.branches], contrary):
            demands.append(branch(rng, rule, against))
        complete = len(demands) == knobs.rules + knobs.chained + knobs.branches
        rng.shuffle(demands)
        return cls(demands=tuple(demands) if complete else (), example=sample)

    def is_valid(self) -> bool:
        if not self.demands or violation(Text.of(self.example)):
            return False
        # No line of the prompt may be a right answer.
        copies = map(Text.of, self.prompt().splitlines())
        return not any(all(kept(rule, copy) for rule in self.active()) for copy in copies)

    def canonical(self) -> str:
        return repr(sorted(map(repr, self.demands)))

    def prompt(self) -> str:
        ask = self.phrase(
            "Write a text that follows all of these rules:",
            "Invent a text of which all of the following is true:",
        )
        return f"{ask}\n\n{self.rules()}\n\nAnswer with the text alone."

    def rules(self) -> str:
        """The rules, with those that hold for every text and what their words mean."""
        rules = "\n".join(f"{n}. {sentence(demand)}" for n, demand in enumerate(self.demands, 1))
        return f"{rules}\n\n{GROUND_RULES} The text need not make sense. {DEFINITIONS}"

    def answer(self) -> str:
        return self.example

    def active(self) -> list[Rule]:
        """The rules that apply, with the branches resolved."""
        return [each.active() if isinstance(each, Branch) else each for each in self.demands]

    def verify(self, answer: str) -> Score:
        raw = answer.strip().replace("\r\n", "\n")
        if character := forbidden_character(raw):
            raise InvalidAnswer(f"the text has a character that is not allowed, {character!r}")
        text = Text.of(raw)
        parts = {f"rule {n}": float(kept(r, text)) for n, r in enumerate(self.active(), 1)}
        broken = [name for name, fits in parts.items() if not fits]
        reason = violation(text)
        parts["progress"] = 1 - (len(broken) + bool(reason)) / (len(parts) + 1)
        if broken:
            return Score(0, f"the text breaks {', '.join(broken)}", parts)
        if reason:
            return Score(0, reason, parts)
        return Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Check the rules with the second implementation."""
        words = answer.lower()
        for character in words:
            words = words if "a" <= character <= "z" else words.replace(character, " ")
        most = max(map(words.split().count, words.split()), default=0)
        kept_all = all(recount(rule.constraint, rule.values, answer) for rule in self.active())
        return kept_all and most <= 3 and answer.rstrip()[-1:] in {".", "!", "?"}

    def difficulty(self) -> float:
        return float(len(self.demands) * len(Text.of(self.example).words))

    def shortcuts(self) -> Iterable[str]:
        """Only the words that rules mention, or one word repeated."""
        mentioned = [v for rule in self.active() for v in rule.values if isinstance(v, str)]
        yield " ".join(mentioned) + "."
        for word in (*mentioned[:2], "word"):
            for number in (5, 10, 20):
                yield " ".join([word] * number) + "."

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Words that rules mention among random ones: in any order, in that of the alphabet."""
        mentioned = [v for rule in self.active() for v in rule.values if isinstance(v, str)]
        words = [*mentioned, *rng.sample(WORDS, 12)]
        rng.shuffle(words)
        return {
            "words at random": " ".join(words) + ".",
            "words in order": " ".join(sorted(words)) + ".",
            "short sentences": " ".join(f"{one} {other}." for one, other in pairwise(words)),
        }


def sentence(demand: Rule | Branch) -> str:
    """A demand as a sentence."""
    clause = demand.as_text() if isinstance(demand, Branch) else as_text(demand)
    return clause[0].upper() + clause[1:] + "."


def basis(rng: Random, text: Text, families: Iterable[str]) -> Iterable[Rule]:
    """A rule about the number of words and one about a certain word, which texts rarely satisfy.

    Their families are none of ``families``.
    """
    excluded = set(families)
    for kinds in (("words", "words between"), SPECIFIC):
        free = [name for name in kinds if KINDS[name].family not in excluded]
        if rule := read(rng, rng.choice(free), text):
            yield rule
