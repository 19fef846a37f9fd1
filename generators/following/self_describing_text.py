"""Texts with gaps for numbers in words that state how often something occurs in the whole text.

What a claim counts is the sum of what it counts in the fixed words and in each number word. So a
search assigns numbers to gaps, and bounds for each claim what the other gaps can add.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.phrases import WORDS

MOST = 99
"""The largest number that a gap may have."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS, TENS = _UNITS.split(), _TENS.split()

NUMBER_WORDS = (
    *UNITS,
    *(f"{tens}-{unit}" if n else tens for tens in TENS for n, unit in enumerate(UNITS[:10])),
)
"""The numbers from 0 to 99 in words."""

Subject = Literal["letter", "vowels", "letters", "words", "length", "initial", "final", "hyphens"]

COUNTERS: dict[Subject, Callable[[str, str], int]] = {
    "letter": lambda word, value: word.count(value),
    "vowels": lambda word, _: sum(map(word.count, "aeiou")),
    "letters": lambda word, _: len(word) - word.count("-"),
    "words": lambda word, _: 1,
    "length": lambda word, value: len(word) - word.count("-") == NUMBER_WORDS.index(value),
    "initial": lambda word, value: word.startswith(value),
    "final": lambda word, value: word.endswith(value),
    "hyphens": lambda word, _: word.count("-"),
}
"""What a claim counts in a word of small letters."""

NOUNS: dict[Subject, str] = {
    "letter": "letters {}",
    "vowels": "vowels",
    "letters": "letters",
    "words": "words",
    "length": "words with {} letters",
    "initial": "words that begin with {}",
    "final": "words that end with {}",
    "hyphens": "hyphens",
}

VALUES: dict[Subject, list[str]] = {
    "letter": [*"efghinorstuvwxy"],
    "length": ["three", "four", "five", "six", "seven", "nine"],
    "initial": [*"tfesno"],
    "final": [*"enrtyx"],
}

FRAMES = ("The number of {} is {}.", "In this text, the number of {} is {}.", "It has {1} {0}.")


class Claim(NamedTuple):
    """A claim about how many of something the text has."""

    subject: Subject
    value: str
    """A letter, or a length in words; empty for the others."""

    frame: int

    def text(self, number: str) -> str:
        """The sentence with a number in its gap."""
        noun = NOUNS[self.subject].format(self.value)
        return FRAMES[self.frame].format(noun, number)

    def count(self, text: str) -> int:
        """How many there are in a text."""
        return sum(COUNTERS[self.subject](word, self.value) for word in words_of(text))


def words_of(text: str) -> list[str]:
    """The words of a text in small letters: runs of letters and hyphens.

    >>> words_of("It has forty-two vowels.")
    ['it', 'has', 'forty-two', 'vowels']
    """
    return re.findall(r"[a-z]+(?:-[a-z]+)*", text.casefold())


def completed(claims: Sequence[Claim], end: str, numbers: Sequence[str]) -> str:
    """The text with these numbers in its gaps, and a sentence at its end."""
    return " ".join([*(each.text(number) for each, number in zip(claims, numbers)), end])


@lru_cache(maxsize=512)
def shares(subject: Subject, value: str) -> tuple[int, ...]:
    """What a claim counts in each number word."""
    return tuple(int(COUNTERS[subject](word, value)) for word in NUMBER_WORDS)


def fixed_counts(claims: Sequence[Claim], end: str) -> list[int]:
    """What each claim counts in the text without its number words."""
    text = completed(claims, end, [""] * len(claims))
    return [each.count(text) for each in claims]


def is_true(claims: Sequence[Claim], end: str, numbers: Sequence[int]) -> bool:
    """Whether all claims are true, by adding what they count in each word."""
    rows = [shares(each.subject, each.value) for each in claims]
    totals = (
        fixed + sum(row[number] for number in numbers)
        for row, fixed in zip(rows, fixed_counts(claims, end))
    )
    return [*totals] == [*numbers]


class Solved(NamedTuple):
    """Numbers that make all claims true, or none, and how many assignments were tried."""

    numbers: tuple[int, ...]
    examined: int


def solve(claims: Sequence[Claim], end: str, limit: int = 10**9) -> Solved:
    """Numbers that make all claims true, after at most ``limit`` assignments."""
    search = _Search(claims, end, limit)
    every = [range(MOST + 1)] * len(claims)
    numbers = search.extend([None] * len(claims), [list(each) for each in every])
    return Solved(numbers, search.examined)


class _Search:
    """A search through the gaps, the one with fewest possible numbers first."""

    def __init__(self, claims: Sequence[Claim], end: str, limit: int) -> None:
        self.rows = [shares(each.subject, each.value) for each in claims]
        self.fixed = fixed_counts(claims, end)
        self.limit = limit
        self.examined = 0

    def narrowed(self, domains: list[list[int]]) -> list[list[int]] | None:
        """Domains without numbers that cannot be counts; None if one is empty."""
        while True:
            changed = False
            for n, (row, fixed) in enumerate(zip(self.rows, self.fixed)):
                amounts = [[row[number] for number in domain] for domain in domains]
                low, high = fixed + sum(map(min, amounts)), fixed + sum(map(max, amounts))
                fit = [number for number in domains[n] if low <= number <= high]
                if not fit:
                    return None
                if len(fit) < len(domains[n]):
                    domains = [*domains[:n], fit, *domains[n + 1 :]]
                    changed = True
            if not changed:
                return domains

    def extend(self, chosen: list[int | None], domains: list[list[int]]) -> tuple[int, ...]:
        """A solution with these numbers; empty without one."""
        narrowed = self.narrowed(domains)
        if narrowed is None:
            return ()
        open_gaps = [n for n, number in enumerate(chosen) if number is None]
        if not open_gaps:
            return tuple(domain[0] for domain in narrowed)
        n = min(open_gaps, key=lambda gap: len(narrowed[gap]))
        for number in narrowed[n]:
            self.examined += 1
            if self.examined > self.limit:
                return ()
            solution = self.extend(
                [*chosen[:n], number, *chosen[n + 1 :]],
                [*narrowed[:n], [number], *narrowed[n + 1 :]],
            )
            if solution:
                return solution
        return ()


def passes(
    claims: Sequence[Claim], end: str, number: int, start: Sequence[int] = ()
) -> list[tuple[int, ...]]:
    """The counts of the text with empty gaps, or with other numbers, and those that follow.

    Each row holds the counts of the text with the row before it in its gaps.
    """
    fixed = fixed_counts(claims, end)
    tables = [shares(each.subject, each.value) for each in claims]
    rows, row = list[tuple[int, ...]](), tuple(start)
    for _ in range(number):
        totals = zip(tables, fixed)
        row = tuple(min(MOST, base + sum(table[n] for n in row)) for table, base in totals)
        rows.append(row)
    return rows


def passes_in_turn(claims: Sequence[Claim], end: str, number: int) -> list[tuple[int, ...]]:
    """The numbers after each of some passes in which every gap is counted anew after the other,
    with what the gaps before it have become, from the counts of the text with empty gaps on.
    """
    fixed = fixed_counts(claims, end)
    tables = [shares(each.subject, each.value) for each in claims]
    row, rows = [min(MOST, base) for base in fixed], list[tuple[int, ...]]()
    for _ in range(number):
        for n, (table, base) in enumerate(zip(tables, fixed)):
            row[n] = min(MOST, base + sum(table[number] for number in row))
        rows.append(tuple(row))
    return rows


def random_claims(rng: Random, number: int) -> tuple[Claim, ...]:
    """Claims about different things, most of them letters of number words."""
    claims = dict[tuple[Subject, str], Claim]()
    while len(claims) < number:
        subject: Subject = "letter"
        if rng.random() < 0.5:
            subject = rng.choice(("vowels", "letters", "length", "initial", "final", "hyphens"))
        value = rng.choice(VALUES.get(subject, [""]))
        claims.setdefault((subject, value), Claim(subject, value, rng.randrange(len(FRAMES))))
    return tuple(claims.values())


def random_end(rng: Random) -> str:
    """A sentence with a few words that do not matter."""
    first, second, third = rng.sample(WORDS, 3)
    return f"Other words of it are {first}, {second} and {third}."
