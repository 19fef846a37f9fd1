"""Words that satisfy conditions, counted by automata (Leonidas Guibas and Andrew Odlyzko, 1981)."""

from collections.abc import Sequence
from itertools import groupby
from random import Random
from typing import Literal, NamedTuple

Rule = Literal["avoids", "contains", "times", "remainder", "runs", "hidden", "ends"]
State = int
DEAD: State = -1
"""The state from which no word satisfies the condition."""


class Condition(NamedTuple):
    """A condition on words of letters from A on."""

    rule: Rule
    word: str = ""
    number: int = 0
    modulus: int = 0

    def text(self) -> str:
        """The condition as a clause about "it"."""
        word, number = self.word, self.number
        return {
            "avoids": f"{word} does not occur in it",
            "contains": f"{word} occurs in it at least once",
            "times": f"{word} occurs in it exactly {number} times, where occurrences may overlap",
            "remainder": (
                f"the number of letters {word} in it leaves the remainder {number} after division "
                f"by {self.modulus}"
            ),
            "runs": f"it nowhere has more than {number} equal letters in a row",
            "hidden": (
                f"one cannot get {word} from it by deleting letters, where the other letters keep "
                "their order"
            ),
            "ends": "its first letter differs from its last letter",
        }[self.rule]

    def holds(self, text: str) -> bool:
        """Whether a word satisfies the condition, from its definition.

        >>> Condition("times", "AA", 2).holds("AAAB"), Condition("hidden", "AB").holds("BBA")
        (True, True)
        """
        occurrences = sum(text.startswith(self.word, n) for n in range(len(text)))
        if self.rule == "avoids":
            return occurrences == 0
        if self.rule == "contains":
            return occurrences > 0
        if self.rule == "times":
            return occurrences == self.number
        if self.rule == "remainder":
            return text.count(self.word) % self.modulus == self.number
        if self.rule == "runs":
            return all(len([*run]) <= self.number for _, run in groupby(text))
        if self.rule == "ends":
            return text[0] != text[-1]
        rest = iter(text)
        return not all(letter in rest for letter in self.word)

    def start(self) -> State:
        """The state before the first letter."""
        return 0

    def step(self, state: State, letter: int, letters: int) -> State:
        """The state after one more letter, which counts from 0; ``DEAD`` if there is no hope."""
        word = self.word
        if self.rule in {"avoids", "contains", "times"}:
            times, matched = divmod(state, len(word))
            if self.rule == "contains" and times:
                return state
            matched, full = extended(word, matched, chr(65 + letter))
            times += full
            if times > {"avoids": 0, "contains": 1, "times": self.number}[self.rule]:
                return DEAD
            return times * len(word) + matched
        if self.rule == "remainder":
            return (state + (chr(65 + letter) == word)) % self.modulus
        if self.rule == "runs":
            last, length = divmod(state - 1, self.number) if state else (-1, 0)
            length = length + 1 if last == letter else 0
            return DEAD if length == self.number else 1 + last_state(letter, length, self.number)
        if self.rule == "ends":
            first = (state - 1) // letters if state else letter
            return 1 + first * letters + letter
        state += word[state] == chr(65 + letter)
        return DEAD if state == len(word) else state

    def accepts(self, state: State, letters: int) -> bool:
        """Whether a word that ends in a state satisfies the condition."""
        if self.rule == "contains":
            return state >= len(self.word)
        if self.rule == "times":
            return state // len(self.word) == self.number
        if self.rule == "remainder":
            return state == self.number
        if self.rule == "ends":
            return state > 0 and (state - 1) // letters != (state - 1) % letters
        return True


def last_state(letter: int, length: int, most: int) -> int:
    """The number of a letter and the length of its run, less 1."""
    return letter * most + length


def extended(word: str, matched: int, letter: str) -> tuple[int, bool]:
    """How much of the start of a word a text ends with after another letter, and whether the whole
    word ends there.

    >>> extended("ABA", 2, "A"), extended("ABA", 1, "A")
    ((1, True), (1, False))
    """
    text = word[:matched] + letter
    full = text == word
    longest = min(len(text), len(word) - 1)
    return next(n for n in range(longest, -1, -1) if text.endswith(word[:n])), full


class Automaton(NamedTuple):
    """The reachable states of several conditions at once: the next states, and which accept."""

    steps: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]


def automaton(conditions: Sequence[Condition], letters: int) -> Automaton:
    """The product of the automata of conditions, without the dead state; it starts in state 0."""
    first = tuple(condition.start() for condition in conditions)
    numbers, queue, steps = {first: 0}, [first], list[tuple[int, ...]]()
    for state in queue:
        following = []
        for letter in range(letters):
            after = tuple(c.step(s, letter, letters) for c, s in zip(conditions, state))
            if DEAD in after:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                queue.append(after)
            following.append(numbers[after])
        steps.append(tuple(following))
    accepting = (all(c.accepts(s, letters) for c, s in zip(conditions, each)) for each in queue)
    return Automaton(tuple(steps), tuple(accepting))


def counts(machine: Automaton, longest: int, modulus: int) -> list[int]:
    """The numbers of words of each length up to ``longest``, reduced if the modulus is not 0."""
    ways = [1] + [0] * (len(machine.steps) - 1)
    totals = list[int]()
    for _ in range(longest + 1):
        total = sum(way for way, accepts in zip(ways, machine.accepting) if accepts)
        totals.append(total % modulus if modulus else total)
        after = [0] * len(ways)
        for way, following in zip(ways, machine.steps):
            if way:
                for state in following:
                    after[state] += way
        ways = [way % modulus for way in after] if modulus else after
    return totals


def recurrence(terms: Sequence[int], prime: int) -> list[int]:
    """The shortest linear recurrence of a sequence modulo a prime (Berlekamp and Massey, 1969).

    Each term is the sum of the products of the result with the terms before it, the last one first.

    >>> recurrence([1, 1, 2, 3, 5, 8, 13, 21], 101)
    [1, 1]
    """
    current, previous = list[int](), list[int]()
    fault, since = 0, 0
    for n, term in enumerate(terms):
        gap = (term - sum(c * terms[n - 1 - i] for i, c in enumerate(current))) % prime
        if gap == 0:
            continue
        if not current and fault == 0:
            current, fault, since = [0] * (n + 1), gap, n
            continue
        share = gap * pow(fault, -1, prime) % prime
        update = [0] * (n - since - 1) + [share] + [-share * c % prime for c in previous]
        size = max(len(update), len(current))
        longer = [
            ((current[i] if i < len(current) else 0) + (update[i] if i < len(update) else 0))
            % prime
            for i in range(size)
        ]
        if n - since + len(previous) >= len(current):
            previous, fault, since = current, gap, n
        current = longer
    return current


def far_term(terms: Sequence[int], rule: Sequence[int], index: int, prime: int) -> int:
    """A term of a linear recurrence, by powers of x modulo its characteristic polynomial.

    >>> far_term([1, 1], [1, 1], 30, 10_007) == 1_346_269 % 10_007
    True
    """
    order = len(rule)
    if index < len(terms):
        return terms[index] % prime
    if order == 0:
        return 0

    def product(one: Sequence[int], other: Sequence[int]) -> list[int]:
        long = [0] * (2 * order)
        for i, a in enumerate(one):
            if a:
                for j, b in enumerate(other):
                    long[i + j] += a * b
        for i in range(2 * order - 1, order - 1, -1):
            lead = long[i] % prime
            for j, c in enumerate(rule, 1):
                long[i - j] += lead * c
        return [value % prime for value in long[:order]]

    power = [1] + [0] * (order - 1)
    for bit in f"{index:b}":
        power = product(power, power)
        if bit == "1":
            shifted = [0, *power]
            lead = shifted.pop()
            power = [(s + lead * c) % prime for s, c in zip(shifted, reversed(rule))]
    return sum(a * t for a, t in zip(power, terms)) % prime


def number_of_words(conditions: Sequence[Condition], letters: int, length: int, prime: int) -> int:
    """The number of words of a length that satisfy all conditions; modulo a prime if not 0."""
    machine = automaton(conditions, letters)
    enough = 2 * len(machine.steps) + 2
    if not prime or length <= enough:
        return counts(machine, length, prime)[length]
    terms = counts(machine, enough, prime)
    return far_term(terms, recurrence(terms, prime), length, prime)


def power_count(machine: Automaton, length: int, modulus: int) -> int:
    """The same by powers of the matrix of the automaton, modulo ``modulus``."""
    size = range(len(machine.steps))
    matrix = [[row.count(column) for column in size] for row in machine.steps]
    row = [1] + [0] * (len(size) - 1)
    while length:
        if length & 1:
            row = [sum(row[i] * matrix[i][j] for i in size) % modulus for j in size]
        length >>= 1
        if length:
            columns = [*zip(*matrix)]
            matrix = [
                [sum(a * b for a, b in zip(line, column) if a) % modulus for column in columns]
                for line in matrix
            ]
    return sum(way for way, accepts in zip(row, machine.accepting) if accepts) % modulus


def random_condition(rng: Random, rule: Rule, letters: int, length: int) -> Condition:
    """A condition that many words of the length satisfy, and many do not."""
    names = "ABCD"[:letters]
    size = rng.randint(2, 2 if length < 8 else 3 if length < 12 else 4)
    word = "".join(rng.choices(names, k=size))
    if rule == "remainder":
        modulus = rng.choice((2, 3) if length < 12 else (2, 3, 4))
        return Condition(rule, rng.choice(names), rng.randrange(modulus), modulus)
    if rule == "runs":
        return Condition(rule, number=rng.choice((1, 2) if letters > 2 else (2, 3)))
    if rule == "times":
        return Condition(rule, word, 2 if length < 12 else rng.choice((2, 3)))
    if rule == "hidden":
        return Condition(rule, "".join(rng.choices(names, k=3)))
    return Condition(rule, "" if rule == "ends" else word)
