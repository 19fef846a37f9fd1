"""Wrong answers that look like right ones."""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from palaestra.combination import Sampler, Unsuitable
from palaestra.combinators.surface import TOKEN, Form, Prompt, form_of, label_of
from palaestra.task import InvalidAnswer, Puzzle

TRIES = 120
"""How many edits of a text are tried for one that suits."""

SUBSTITUTES = 6
"""How many right answers to other tasks are tried where no edit suits."""

_CHANGES = 10**6
"""Numbers change by less than this."""

_ITEMS = re.compile(r"(, |; |\n| )")


def edits(text: str, rng: Random, number: int, words: Sequence[str] = ()) -> Iterator[str]:
    """Texts of the same form as a text, each with one change, of at most so many tries.

    A value is exchanged with another or replaced by one of ``words``, a number is a little larger
    or smaller, two numbers change by the same amount, items are left out, added or moved, or
    characters are exchanged. Labels, which are what stands before the colon of a line, stay.
    """
    editor = _Editor(text, rng, words)
    for _ in range(number):
        edited = editor.edited()
        if edited != text:
            yield edited


class _Editor:
    """Draws texts that differ from a text in one change."""

    def __init__(self, text: str, rng: Random, words: Sequence[str]) -> None:
        self.text, self.rng = text, rng
        self.ranks = {word: rank for rank, word in reversed(list(enumerate(words)))}
        self.tokens: list[str] = []
        self.columns: dict[int, tuple[bool, int]] = {}
        self.free: list[int] = []
        start = 0
        for line in text.splitlines(keepends=True):
            label = label_of(line)
            self.free += range(start + len(label), start + len(line))
            start += len(line)
            self.tokens += [label] if label else []
            column = 0
            for token in TOKEN.findall(line[len(label) :]):
                if token[0].isalnum():
                    self.columns[len(self.tokens)] = (token.isdecimal(), column)
                    column += 1
                self.tokens.append(token)
        self.numbers = [n for n in self.columns if self._is_number(n)]
        self.lines = [n for n, line in enumerate(text.splitlines()) if line.strip()]
        self.pools = {
            decimal: [each for each in words if each.isdecimal() == decimal and len(each) < 300]
            for decimal in (False, True)
        }
        self.changes = [self._exchange, self._replace, self._characters]
        if self.numbers:
            self.changes += [self._nudge, self._nudge]
        if len(self.numbers) > 1:
            self.changes += [self._shift]
        if len(self.lines) > 1:
            self.changes += [self._exchange_bodies]
        if len(self.columns) > 2:
            self.changes += [self._rename, self._items, self._reverse]

    def _is_number(self, position: int) -> bool:
        token = self.tokens[position]
        return token.isdecimal() and len(token) < 300

    def edited(self) -> str:
        """A text with a change, or the text itself where the change that was tried is none."""
        return self.rng.choice(self.changes)()

    def _joined(self, changes: dict[int, str]) -> str:
        return "".join(changes.get(n, token) for n, token in enumerate(self.tokens))

    def _exchange(self) -> str:
        """Two values exchanged, of one column if there are such."""
        if not self.columns:
            return self._characters()
        one = self.rng.choice(list(self.columns))
        same = [n for n in self.columns if self.columns[n] == self.columns[one] and n != one]
        alike = [n for n in self.columns if self.columns[n][0] == self.columns[one][0]]
        other = self.rng.choice(same if same and self.rng.random() < 0.5 else alike)
        return self._joined({one: self.tokens[other], other: self.tokens[one]})

    def _replace(self) -> str:
        """Another value in place of one."""
        if not self.columns:
            return self._characters()
        one = self.rng.choice(list(self.columns))
        own = [self.tokens[n] for n in self.columns if self.columns[n][0] == self.columns[one][0]]
        pool = self.pools[self.columns[one][0]]
        repeats = not pool or self.rng.random() < 0.4
        return self._joined({one: self.rng.choice(own if repeats else pool)})

    def _rename(self) -> str:
        """Two values exchanged wherever they occur."""
        one, other = (self.tokens[self.rng.choice(list(self.columns))] for _ in range(2))
        exchanged = {one: other, other: one}
        return self._joined({n: exchanged.get(t := self.tokens[n], t) for n in self.columns})

    def _change(self, number: int) -> int:
        largest = min(max(2, number // 8), _CHANGES)
        return self.rng.choice((-1, 1)) * self.rng.randint(1, largest)

    def _nudge(self) -> str:
        """A number that is a little larger or smaller."""
        one = self.rng.choice(self.numbers)
        number = int(self.tokens[one])
        return self._joined({one: str(abs(number + self._change(number)))})

    def _shift(self) -> str:
        """Two numbers changed by the same amount, which keeps their difference or their sum, and
        the zeros that both end in.
        """
        one, other = self.rng.sample(self.numbers, 2)
        if self.rng.random() < 0.5:
            other = self.numbers[-1]
        if one == other:
            return self.text
        numbers = int(self.tokens[one]), int(self.tokens[other])
        unit = 10 ** min(_trailing_zeros(self.tokens[n]) for n in (one, other))
        zeros = 10 ** max(_trailing_zeros(self.tokens[n]) for n in (one, other))
        unit = self.rng.choice((unit, zeros))
        change = unit * self._change(min(numbers) // unit)
        sums = (numbers[0] + change, numbers[1] + self.rng.choice((-1, 1)) * change)
        if min(sums) < 0:
            return self.text
        return self._joined({one: str(sums[0]), other: str(sums[1])})

    def _exchange_bodies(self) -> str:
        """Two lines exchanged, except for their labels."""
        lines = self.text.splitlines()
        one, other = self.rng.sample(self.lines, 2)
        labels = label_of(lines[one]), label_of(lines[other])
        bodies = lines[one][len(labels[0]) :], lines[other][len(labels[1]) :]
        lines[one], lines[other] = labels[0] + bodies[1], labels[1] + bodies[0]
        return "\n".join(lines)

    def _items(self) -> str:
        """An item of a list left out, added or moved."""
        lines = self.text.splitlines()
        if len(lines) > 1 and not any(map(label_of, lines)) and self.rng.random() < 0.7:
            return "\n".join(self._relisted(lines))
        row = self.rng.choice(self.lines)
        label = label_of(lines[row])
        body = lines[row][len(label) :]
        start = body[: len(body) - len(body.lstrip())]
        separator = next((each for each in (", ", "; ", ",", " ") if each in body.strip()), None)
        if separator is None:
            characters = self._relisted(list(body.strip())) if body.strip() else []
            lines[row] = label + start + "".join(characters)
        else:
            lines[row] = (
                label + start + separator.join(self._relisted(body.strip().split(separator)))
            )
        return "\n".join(lines)

    def _relisted(self, items: list[str]) -> list[str]:
        """A list with an item less, a new one, another one, or one elsewhere. If it is in ascending
        order or in that of ``words``, it still is.
        """
        keys = [key for key in self._orders(items) if items == sorted(items, key=key)]
        relisted = list(items)
        position = self.rng.randrange(len(items))
        change = self.rng.choice(("leave out", "add", "replace", "move"))
        if change == "leave out" and len(items) > 1:
            del relisted[position]
        elif change in {"add", "replace"}:
            item = next((new for _ in range(8) if (new := self._another(items)) not in items), "")
            relisted[position : position + (change == "replace")] = [item or items[position]]
        else:
            relisted.insert(self.rng.randrange(len(items)), relisted.pop(position))
        return sorted(relisted, key=keys[0]) if keys else relisted

    def _orders(self, items: list[str]) -> list[Callable[[str], Any]]:
        """The orders that the items of a list may be in."""
        orders: list[Callable[[str], Any]] = [str]
        if all(item.isdecimal() and len(item) < 300 for item in items):
            orders = [int, str]
        if all(item in self.ranks for item in items):
            orders.append(lambda item: self.ranks.get(item, len(self.ranks)))
        return orders

    def _another(self, items: list[str]) -> str:
        """An item of a list with another value in place of one of its values."""
        tokens = TOKEN.findall(self.rng.choice(items))
        values = [n for n, token in enumerate(tokens) if token[0].isalnum()]
        if values:
            one = self.rng.choice(values)
            tokens[one] = self.rng.choice(self.pools[tokens[one].isdecimal()] or [tokens[one]])
        return "".join(tokens)

    def _reverse(self) -> str:
        """Two characters or a run of values in reverse order."""
        positions = list(self.columns)
        one = self.rng.randrange(len(positions) - 1)
        other = min(len(positions) - 1, one + self.rng.randint(1, 4))
        run = positions[one : other + 1]
        return self._joined(dict(zip(run, [self.tokens[n] for n in reversed(run)])))

    def _characters(self) -> str:
        """Two characters exchanged or one in place of another; a palindrome stays one. Where lines
        have several values, these are signs, for a word that is respelt shows.
        """
        characters = list(self.text)
        respells = len(self.columns) <= len(self.lines)
        positions = [
            n
            for n in self.free
            if not characters[n].isspace() and (respells or not characters[n].isalnum())
        ]
        if not positions:
            return self.text
        pairs = [(self.rng.choice(positions), self.rng.choice(positions))]
        if characters == characters[::-1]:
            last = len(characters) - 1
            pairs += [(last - one, last - other) for one, other in pairs]
        replaces = self.rng.random() < 0.5
        source = list(characters)
        for one, other in pairs:
            characters[one] = source[other]
            if not replaces:
                characters[other] = source[one]
        return "".join(characters)


def _trailing_zeros(numeral: str) -> int:
    return len(numeral) - len(numeral.rstrip("0")) if numeral != "0" else 0


def near_miss(task: Puzzle, text: str, taken: set[str], rng: Random, another: Sampler) -> str:
    """A wrong answer in the right form that differs from a text in one change.

    It is none of the ``taken``, which are normal forms, and its :func:`traits` are within the
    range of those of right answers. Where no change is one, it is the right answer to another
    task. Raises :class:`Unsuitable` where that does not suit either.
    """
    form, prompt = form_of(another.base, another.knobs), Prompt(task.prompt())
    right = form.traits(task.answer(), prompt)
    seen = set(taken)
    for candidate in _candidates(text, rng, vocabulary(form, prompt), another):
        if normal(candidate) in seen:
            continue
        seen.add(normal(candidate))
        if form.fits(form.traits(candidate, prompt), right) and is_wrong(task, candidate):
            return candidate
    raise Unsuitable("there are too few wrong answers in the form of a right one")


def _candidates(text: str, rng: Random, words: Sequence[str], another: Sampler) -> Iterator[str]:
    """Edits of a text, and then right answers to other tasks."""
    yield from edits(text, rng, TRIES, words)
    for _ in range(SUBSTITUTES):
        other = another()
        assert isinstance(other, Puzzle)
        yield other.answer()


def vocabulary(form: Form, prompt: Prompt) -> list[str]:
    """The values that may take each other's place in answers to a task: those of a prompt that
    other right answers have, and its other numbers where answers seldom share numbers. Where these
    are few, those that are not in the wording of all prompts and the values of other right answers.
    Those of the prompt are in its order.
    """
    answers = set(form.words)
    own = [each for each in (*prompt.words, *prompt.numbers) if each not in form.common]
    likely = [
        value for value in own if value in answers or (form.own_numbers and value.isdecimal())
    ]
    return likely if len(likely) > 2 else [*own[:200], *form.words[:200]]


def normal(text: str) -> str:
    """A text without spaces and case, in which equal answers are equal."""
    return "".join(text.casefold().split())


def is_wrong(task: Puzzle, answer: str) -> bool:
    """Whether an answer is wrong although it has the right form."""
    if not answer.strip():
        return False
    try:
        score = task.verify(answer)
    except InvalidAnswer:
        return False
    return score.status == "scored" and not score.correct
