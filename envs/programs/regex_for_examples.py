"""Regular expressions (Stephen Kleene, 1951) for languages that are known by examples.

The examples are a test suite after T. S. Chow (1978), which only one language of an automaton of
the given size passes, so that they settle what is meant.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import Any, Self

from palaestra.generators.programs.regex_for_examples import (
    Acceptor,
    acceptor,
    members,
    probing,
    telling,
)
from palaestra.generators.regexes import derives, generalised, written
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.json.reading import fenced
from palaestra.verifiers.patterns import linear_regex, utf8
from palaestra.verifiers.verifier import GoldError

Cases = tuple[tuple[bytes, bool], ...]
"""Strings, and whether they are in a language."""


@lru_cache(maxsize=32)
def trials(language: Acceptor) -> tuple[Cases, Cases]:
    """The strings that are shown, and the others that an expression is tried on."""
    shown = telling(language)
    others = [each for each in probing(language, Random(repr(language))) if each not in shown]
    return tuple(
        tuple((word.encode(), language.accepts(word)) for word in some) for some in (shown, others)
    )  # type: ignore[return-value]


class RegexForExamples(Puzzle):
    """Write a regular expression for the language that examples show, beyond the examples too."""

    tags = {"code", "regular-expressions", "automata", "induction"}
    verbatim = True
    longest = 1_000
    expensive = True

    class Knobs(Puzzle.Knobs):
        letters: int = ladder(2, 2, 2, 3, 3, 3, high=4)
        states: int = ladder(6, 7, 8, 8, 9, 10, low=5, high=12)  # of the automaton
        depth: int = ladder(3, 3, 3, 4, 4, 4, low=2, high=5)  # of the expression

    letters: str
    pattern: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        letters = "abcd"[: knobs.letters]
        while True:
            text = "".join(rng.choices(letters, k=rng.randint(3, knobs.states)))
            pattern = written(generalised(rng, text, letters, knobs.depth, 0.35))
            if len(pattern) > 60 or not any(sign in pattern for sign in "*+"):
                continue
            size = len(acceptor(pattern, letters).moves)
            if knobs.states - 2 <= size <= knobs.states:
                return cls(letters=letters, pattern=pattern)

    def language(self) -> Acceptor:
        """The language that is meant, as its minimal automaton."""
        return acceptor(self.pattern, self.letters)

    def is_valid(self) -> bool:
        """Both kinds of strings are among the examples, and the language has no end."""
        labels = telling(self.language())
        if not 4 <= sum(labels.values()) <= len(labels) - 4:
            return False
        return max(map(len, members(self.language(), Random(0), 40))) > max(map(len, labels))

    def canonical(self) -> str:
        return repr(self.language())

    def prompt(self) -> str:
        labels = telling(self.language())
        yes, no = (
            ", ".join(word or "(the empty string)" for word in labels if labels[word] == matches)
            for matches in (True, False)
        )
        ask = self.phrase(
            f"A language is a set of strings of the letters {', '.join(self.letters)}. Write a "
            "regular expression for the language that these examples describe.",
            f"Some strings of the letters {', '.join(self.letters)} belong to a language and all "
            "others do not. Find a regular expression for it from these examples.",
        )
        return (
            f"{ask}\n\nIn the language: {yes}\n\nNot in the language: {no}\n\nThe examples "
            "determine the language: of all languages that a deterministic finite automaton with "
            f"at most {len(self.language().moves)} states accepts (dead states, from which nothing "
            "is accepted, are counted), exactly one fits them, and this language is meant. The "
            "expression must match every string of the language as a whole, from its first letter "
            "to its last, and no other string, whether it is shown here or not.\n\nAnswer with the "
            "expression alone, in the syntax of RE2 (no back-references, no look-around), of at "
            f"most {self.longest} characters, such as "
            f"'{self.letters[0]}({self.letters[1]}|{self.letters[0]}{self.letters[1]})*'."
        )

    def answer(self) -> str:
        return self.pattern

    def verify(self, answer: str) -> Score:
        expression = compiled(answer)
        brevity = min(1.0, len(self.pattern) / max(1, len(answer.strip())))
        parts = {"brevity": brevity, "progress": 0.0}
        for part, cases in zip(("shown", "others"), trials(self.language())):
            wrong = [case for case in cases if matches(expression, case[0]) != case[1]]
            parts[part] = 1 - len(wrong) / len(cases)
            parts["progress"] += parts[part] / 2
            if wrong:
                word, label = wrong[0]
                what = "does not match" if label else "matches"
                one = f"'{word.decode()}'" if part == "shown" else "a string that is not shown"
                return Score(0, f"the expression wrongly {what} {one}", parts)
        return Score(1, "", parts)

    def audit(self, answer: str) -> bool:
        """By derivatives of the expression it was drawn from, on other strings."""
        rng = Random(self.pattern)
        samples = ("".join(rng.choices(self.letters, k=rng.randint(0, 24))) for _ in range(300))
        tried = [*samples, *members(self.language(), rng, 100)]
        expression = compiled(answer)
        return all(matches(expression, w.encode()) == derives(self.pattern, w) for w in tried)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who generalise the examples by their ends, letters or shortest strings."""
        yes = [word for word, label in telling(self.language()).items() if label and word]
        first, last = ("".join(sorted({word[n] for word in yes})) for n in (0, -1))
        start, end = _common_start(yes), _common_start([word[::-1] for word in yes])[::-1]
        few = sorted(yes, key=len)[:4]
        return {
            "first and last letters": f"[{first}].*[{last}]",
            "last letters": f".*[{last}]",
            "common start": f"{start}.*",
            "common end": f".*{end}",
            "common start and end": f"{start}.*{end}",
            "repetition of the shortest string": f"(?:{few[0]})*",
            "repetition of short strings": f"(?:{'|'.join(few)})*",
        }

    def difficulty(self) -> float:
        language = self.language()
        return float(len(language.moves) ** 2 * len(language.letters))

    def shortcuts(self) -> Iterable[str]:
        """What matches everything, nothing, or the examples one by one."""
        yes = [word for word, label in telling(self.language()).items() if label]
        return [".*", f"[{self.letters}]+", "a^", "", "|".join(yes), f"^(?:{'|'.join(yes)})$"]


def _common_start(strings: Sequence[str]) -> str:
    """The letters with which all strings start."""
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*strings))
    return "".join(letters[0] for letters in columns)


def matches(expression: Any, word: bytes) -> bool:
    """Whether an expression matches the whole of a string."""
    return expression.fullmatch(word) is not None


@lru_cache(maxsize=64)
def compiled(answer: str) -> Any:
    """An answer's expression for RE2, which takes linear time whatever it is.

    Raises :class:`InvalidAnswer` where RE2 does not read it.
    """
    text = fenced(answer, ("regex", "re", "re2", "text")).strip()
    expression = text.removeprefix("`").removesuffix("`")
    utf8(expression)
    try:
        return linear_regex(expression)
    except GoldError as error:
        raise InvalidAnswer(f"not a valid RE2 expression: {str(error)[:120]}") from None
