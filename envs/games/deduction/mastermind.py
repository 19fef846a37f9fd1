"""Mastermind, the board game of Mordecai Meirowitz (1970): a hidden code, a hint for each guess.

The strategy to guess any code that fits all hints is E. Shapiro's (1983).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Self

from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move
from palaestra.verifiers.reading.numbers import digit_row

Hint = tuple[int, int]
"""The number of digits in the right position, and of others that are elsewhere in the code."""

Clue = tuple[str, Hint]
"""A guess and its hint."""

NODES = 6_000
"""The most nodes of the solver's search for one guess."""


def compare(guess: str, code: str) -> Hint:
    """The hint for a guess.

    >>> compare("1123", "1344")
    (1, 1)
    """
    exact = sum(g == c for g, c in zip(guess, code))
    shared = sum(min(guess.count(d), code.count(d)) for d in set(code))
    return exact, shared - exact


def fitting(clues: Sequence[Clue], digits: str, length: int) -> str | None:
    """A code that fits all clues; ``None`` if the search takes too many nodes or there is none.

    The search drops a prefix as soon as it has more matches than a clue, or cannot reach those of
    a clue any more. The order of the digits depends on the position and the number of clues, so
    the guesses vary.

    >>> fitting([("112", (1, 1)), ("333", (1, 0))], "123", 3)
    '311'
    """
    nodes = 0

    def extended(prefix: str, due: Sequence[Hint]) -> Iterator[str]:
        nonlocal nodes
        position, left = len(prefix), length - len(prefix) - 1
        for n in range(len(digits)):
            nodes += 1
            digit = digits[(n + position + len(clues)) % len(digits)]
            occurrences = prefix.count(digit)
            after = []
            for (guess, _), (exact, shared) in zip(clues, due):
                exact -= guess[position] == digit  # noqa: PLW2901
                shared -= guess.count(digit) > occurrences  # noqa: PLW2901
                if not (0 <= exact <= left and 0 <= shared <= left):
                    break
                after.append((exact, shared))
            else:
                if nodes <= NODES:
                    yield from extended(prefix + digit, after) if left else (prefix + digit,)

    due = [(exact, exact + misplaced) for _, (exact, misplaced) in clues]
    return next(extended("", due), None)


class Mastermind(Task):
    """Find a hidden code from hints on how close each guess comes."""

    tags = {"deduction", "hidden-state"}
    hidden = {"code"}

    class Knobs(Task.Knobs):
        length: int = ladder(2, 3, 4, 5, 6, 7, high=8)
        digits: int = ladder(8, 6, 6, 8, 8, 8, low=2, high=9)
        guesses: int = ladder(6, 8, 8, 8, 8, 9, low=4, high=20)

    code: str
    clues: tuple[Clue, ...]
    digits: int
    guesses: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        def row() -> str:
            return "".join(str(rng.randint(1, knobs.digits)) for _ in range(knobs.length))

        code = row()
        guesses = (row() for _ in range(rng.randint(1, 2)))
        clues = tuple((guess, compare(guess, code)) for guess in guesses)
        return cls(code=code, clues=clues, digits=knobs.digits, guesses=knobs.guesses)

    def is_valid(self) -> bool:
        known = [guess for guess, _ in self.clues]
        if self.code in known or len(set(known)) < len(known):
            return False
        return self.code in self.solve()

    def play(self) -> Play:
        shape = f"{len(self.code)} digits from 1 to {self.digits}"
        log = [as_text(clue) for clue in self.clues]
        ask = self.phrase(
            f"I have a code of {shape}; a digit may occur more than once.",
            f"There is a hidden code. It has {shape}, not necessarily different ones.",
        )
        observation = (
            f"{ask} You have {self.guesses} guesses to find it. After each I state how many of its "
            "digits are exact, that is, in the right position, and how many are misplaced, "
            "that is, in the code, but in another position; each digit of the code counts for at "
            "most one digit of the guess, and for an exact one first. A guess that does not have "
            "this form is wasted. These guesses have already been made:\n"
            + "\n".join(log)
            + f"\nA guess looks like '{'1' * len(self.code)}'. What is your first guess?"
        )
        for left in reversed(range(self.guesses)):
            state = "; ".join([*log, f"{left + 1} left"])
            try:
                move = yield Turn(
                    observation, state=state, scene=partial(pictured, tuple(log), left)
                )
                guess = read_move(self.guessed, move)
            except InvalidAnswer as error:
                observation = f"That is not a guess: {error}. {left} guesses left."
                continue
            if guess == self.code:
                return Score(1)
            log.append(as_text((guess, compare(guess, self.code))))
            observation = f"{log[-1]}. {left} guesses left."
        return Score(0, "the guesses ran out before the code was found")

    def guessed(self, text: str) -> str:
        """The digits of a guess."""
        return digit_row(text, len(self.code), 1, self.digits)

    def signs(self) -> str:
        """The digits that a code may have."""
        return "123456789"[: self.digits]

    def solve(self) -> list[str]:
        """Always guess a code that fits all hints so far."""
        clues = list(self.clues)
        guesses: list[str] = []
        while self.code not in guesses and len(guesses) < self.guesses:
            guess = fitting(clues, self.signs(), len(self.code))
            if guess is None:
                break
            guesses.append(guess)
            clues.append((guess, compare(guess, self.code)))
        return guesses

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who guess at random, or change one digit of the guess with the best hint."""

        def random_guess(turn: Turn) -> str:
            return "".join(rng.choices(self.signs(), k=len(self.code)))

        def changed(turn: Turn) -> str:
            best = max(clues_of(turn.state), key=lambda clue: 2 * sum(clue[1]) + clue[1][0])[0]
            position = rng.randrange(len(best))
            digit = rng.choice(self.signs().replace(best[position], ""))
            return best[:position] + digit + best[position + 1 :]

        def last_hint(turn: Turn) -> str:
            return fitting(clues_of(turn.state)[-1:], self.signs(), len(self.code)) or ""

        return {
            "random guess": random_guess,
            "one digit changed": changed,
            "fits the last hint": last_hint,
        }

    def difficulty(self) -> float:
        return float(self.digits) ** len(self.code)

    def random_baseline(self) -> float:
        return self.guesses / self.difficulty()


def as_text(clue: Clue) -> str:
    """A guess and its hint in words."""
    guess, (exact, misplaced) = clue
    return f"{guess}: {exact} exact, {misplaced} misplaced"


def clues_of(state: str) -> list[Clue]:
    """The guesses and hints of a turn's state, the reverse of :func:`as_text`.

    >>> clues_of("112: 1 exact, 0 misplaced; 5 left")
    [('112', (1, 0))]
    """
    rows = [text.replace(":", "").split() for text in state.split("; ")[:-1]]
    return [(guess, (int(exact), int(misplaced))) for guess, exact, _, misplaced, _ in rows]


def pictured(log: Sequence[str], left: int) -> Grid:
    """The guesses with their hints, and an empty row for each guess that is left and one more.

    On the right, an E stands for each exact digit and an M for each misplaced one.
    """
    none, hole = Cell(fill="none"), Cell(mark="ring", tone="muted")
    rows = list[tuple[Cell, ...]]()
    for guess, (exact, misplaced) in clues_of("; ".join([*log, ""])):
        pins = [Cell("E", mark="disc", tone="dark")] * exact
        pins += [Cell("M", mark="disc", tone="paper")] * misplaced
        pins += [none] * (len(guess) - len(pins))
        pegs = (Cell(digit, mark="disc", tone=f"c{int(digit) - 1}") for digit in guess)
        rows.append((*pegs, none, *pins))
    length = len(rows[0]) // 2
    rows += [(hole,) * length + (none,) * (length + 1)] * (left + 1)
    last = tuple((len(log) - 1, column) for column in range(length))
    return Grid(tuple(rows), last=last, left=tuple((str(n + 1),) for n in range(len(rows))))
