"""Palindromes of certain letters under rules; the wordplay is ascribed to Sotades of Maroneia."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.words import letters

Fact = str | tuple[int, str]
"""Two adjacent letters, in alphabetical order, or a position and its letter."""


@lru_cache(maxsize=256)
def built(
    signs: str, apart: tuple[str, ...], banned: tuple[tuple[int, str], ...]
) -> tuple[str | None, int]:
    """A palindrome that follows the rules, if there is one, and the dead ends of the search."""
    size, counts = len(signs), Counter(signs)
    middle = next((sign for sign, number in sorted(counts.items()) if number % 2), "")
    alphabet = sorted(counts)
    dead: set[tuple[str, tuple[int, ...]]] = set()

    def fits(half: str, sign: str) -> bool:
        if half and "".join(sorted(half[-1] + sign)) in apart:
            return False
        return not any((n, sign) in banned for n in (len(half), size - 1 - len(half)))

    def search(half: str, left: tuple[int, ...]) -> str | None:
        if len(half) == size // 2:
            return half if fits(half, middle or half[-1]) else None
        state = half[-1:], left
        if state in dead:
            return None
        for n, sign in enumerate(alphabet):
            if left[n] and fits(half, sign):
                rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                if (result := search(half + sign, rest)) is not None:
                    return result
        dead.add(state)
        return None

    half = search("", tuple(counts[sign] // 2 for sign in alphabet))
    return (None if half is None else half + middle + half[::-1]), len(dead)


class PalindromeBuilding(Puzzle):
    """Arrange letters as a palindrome under rules about adjacent letters and positions."""

    version = 3
    baseline_note = (
        "a rule forbids one pair or one position, so that letters fit nearly everywhere, and to "
        "place those of the most rules first leads to a dead end in most tasks, but not in all"
    )
    tags = {"strings", "constraint-satisfaction"}

    class Knobs(Puzzle.Knobs):
        length: int = ladder(7, 9, 12, 24, 30, 36)
        letters: int = ladder(3, 4, 5, 7, 8, 8)
        apart: int = ladder(1, 2, 4, 20, 26, 30)  # pairs that must not be adjacent
        banned: int = ladder(1, 2, 4, 24, 32, 40)  # positions without some letter

    signs: str
    apart: tuple[str, ...]
    banned: tuple[tuple[int, str], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw a palindrome and rules that it follows, but that simple palindromes break."""
        alphabet = "".join(rng.sample("abcdefghijklmnop", knobs.letters))
        palindrome, simple = "", simple_palindromes("")
        while palindrome in simple:
            half = rng.choices(alphabet, k=(knobs.length + 1) // 2)
            if len(set(half)) > 2:
                palindrome = "".join(half + half[::-1][knobs.length % 2 :])
                signs = "".join(rng.sample(palindrome, len(palindrome)))
                simple = simple_palindromes(signs)
        used = sorted(set(palindrome))
        kept = facts(palindrome)
        broken = [{fact: 0 for fact in facts(text) if fact not in kept} for text in simple]
        missing: dict[type, int] = {str: knobs.apart, tuple: knobs.banned}
        chosen: list[Fact] = []
        while broken and (options := [fact for fact in broken[0] if missing[type(fact)]]):
            counts = [sum([fact in each for each in broken]) for fact in options]
            most = max(counts)
            rule = rng.choice([fact for fact, n in zip(options, counts) if n == most])
            missing[type(rule)] -= 1
            chosen.append(rule)
            broken = [each for each in broken if rule not in each]
        pools: list[list[Fact]] = []
        if missing[str]:
            pools.append([a + b for n, a in enumerate(used) for b in used[n:]])
        if missing[tuple]:
            pools.append([(n, s) for n in range(knobs.length) for s in used])
        for pool in pools:
            free = [rule for rule in pool if rule not in kept and rule not in chosen]
            chosen += rng.sample(free, min(missing[type(pool[0])], len(free)))
        return cls(
            signs=signs,
            apart=tuple(sorted([rule for rule in chosen if isinstance(rule, str)])),
            banned=tuple(sorted([rule for rule in chosen if not isinstance(rule, str)])),
        )

    def is_valid(self) -> bool:
        return len(set(self.signs)) > 2 and not any(
            map(self._keeps_rules, simple_palindromes(self.signs))
        )

    def _keeps_rules(self, text: str) -> bool:
        for pair in self.apart:
            if pair in text or pair[::-1] in text:
                return False
        return all(text[position] != sign for position, sign in self.banned)

    def canonical(self) -> str:
        numbers = {sign: self.signs.count(sign) for sign in set(self.signs)}
        rarest = sorted(numbers, key=lambda sign: (numbers[sign], sign))
        order = dict.fromkeys([*(sign for _, sign in self.banned), *rarest])
        names = {sign: name for name, sign in enumerate(order)}
        pairs = sorted([sorted([names[pair[0]], names[pair[1]]]) for pair in self.apart])
        counts = sorted([(names[sign], number) for sign, number in numbers.items()])
        return repr((counts, pairs, [(position, names[s]) for position, s in self.banned]))

    def prompt(self) -> str:
        task = self.phrase(
            "Put these letters in an order in which they read the same from left to right and from "
            "right to left.",
            "Build a palindrome, a text that is the same read backwards, from these letters.",
        )
        rules = [
            f"{pair[0]} and {pair[1]} are never adjacent"
            for pair in self.apart
            if pair[0] != pair[1]
        ]
        rules += [f"no {p[0]} is adjacent to another {p[0]}" for p in self.apart if p[0] == p[1]]
        rules += [f"position {position + 1} is not {sign}" for position, sign in self.banned]
        listed = "\n".join(f"- {rule}" for rule in rules)
        kept = f" The order must follow these rules:\n{listed}\n\n" if rules else "\n\n"
        return (
            f"{task} Use each of them exactly once: {' '.join(self.signs)}\n\n"
            f"Positions count from 1 at the left.{kept}Any such order is accepted. Answer with "
            f"the letters as one word, such as '{''.join(sorted(set(self.signs)))}'."
        )

    def answer(self) -> str:
        palindrome, _ = built(self.signs, self.apart, self.banned)
        assert palindrome is not None, "the palindrome that was sampled follows the rules"
        return palindrome

    def violation(self, text: str) -> str:
        """What is wrong with an order of the letters, or ""."""
        if sorted(text) != sorted(self.signs):
            return "the letters are not those of the task"
        if text != text[::-1]:
            return "the text is not a palindrome"
        for one, other in pairwise(text):
            if one + other in self.apart or other + one in self.apart:
                return f"{one} and {other} are adjacent"
        clash = next(((p, s) for p, s in self.banned if text[p] == s), None)
        return f"position {clash[0] + 1} is {clash[1]}" if clash else ""

    def verify(self, answer: str) -> Score:
        reason = self.violation(letters(answer, set(self.signs)))
        return Score(0, reason) if reason else Score(1)

    def audit(self, answer: str) -> bool:
        text = answer.strip().casefold()
        if sorted(text) != sorted(self.signs) or list(text) != list(reversed(text)):
            return False
        adjacent = any(pair in text or pair[::-1] in text for pair in self.apart)
        return not adjacent and all(text[n] != sign for n, sign in self.banned)

    def difficulty(self) -> float:
        rules = len(self.apart) + len(self.banned)
        return float(len(self.signs) * (1 + rules)) + built(self.signs, self.apart, self.banned)[1]

    def shortcuts(self) -> Iterable[str]:
        return simple_palindromes(self.signs)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=7, letters=3, apart=1, banned=1)

    def candidates(self) -> Iterable[str]:
        return sorted({"".join(order) for order in permutations(self.signs)})

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Place pairs of letters from the ends inwards, and those that the rules allow first."""
        size, counts = len(self.signs), Counter(self.signs)
        middle = "".join(sign for sign, number in counts.items() if number % 2)

        def half(key: Callable[[str, Counter[str]], float]) -> str:
            left = Counter({sign: number // 2 for sign, number in counts.items()})
            text = ""
            while +left:
                free = [
                    sign
                    for sign in +left
                    if not {text[-1:] + sign, sign + text[-1:]} & {*self.apart}
                    and not any((n, sign) in self.banned for n in (len(text), size - 1 - len(text)))
                ]
                sign = min(free or +left, key=lambda each: key(each, left))
                left[sign] -= 1
                text += sign
            return text

        players = {
            "random letters": half(lambda sign, left: rng.random()),
            "letters left most often first": half(lambda sign, left: -left[sign]),
            "letters in most rules first": half(
                lambda sign, left: -sum(sign in pair for pair in self.apart)
            ),
        }
        return {player: text + middle + text[::-1] for player, text in players.items()}


@lru_cache(maxsize=256)
def simple_palindromes(signs: str) -> tuple[str, ...]:
    """Palindromes of the letters in alphabetical order, in reverse order, and as listed.

    >>> simple_palindromes("baabc")
    ('abcba', 'bacab', 'bacab')
    """
    halves = {sign: sign * (signs.count(sign) // 2) for sign in dict.fromkeys(signs)}
    ordered = sorted(halves)
    middle = "".join([sign for sign in ordered if signs.count(sign) % 2])
    upwards = [halves[sign] for sign in ordered]
    texts = ["".join(parts) for parts in (upwards, upwards[::-1], halves.values())]
    return tuple([half + middle + half[::-1] for half in texts])


def facts(text: str) -> dict[Fact, None]:
    """The facts of a text that a rule may forbid: adjacent pairs, and the letter of each position.

    >>> list(facts("cab"))
    ['ac', 'ab', (0, 'c'), (1, 'a'), (2, 'b')]
    """
    pairs = [a + b if a < b else b + a for a, b in pairwise(text)]
    return dict.fromkeys([*pairs, *enumerate(text)])
