"""A second implementation of the counts of
:mod:`palaestra.verifiers.language.constrained_text.constraints`, character by character.

It shares no code with the first one: it splits texts in one pass, without regular expressions.
"""

from collections import Counter
from collections.abc import Callable, Sequence

Sentences = list[list[str]]
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def split(raw: str) -> tuple[Sentences, list[str]]:
    """The complete and incomplete sentences of a text in lowercase, and all of its words.

    >>> split("Go on. Now")
    ([['go', 'on'], ['now']], ['go', 'on', 'now'])
    """
    sentences: Sentences = [[]]
    word = ""
    for character in raw.lower() + ".":
        if character in LETTERS:
            word += character
            continue
        if word:
            sentences[-1].append(word)
            word = ""
        if character in ".!?":
            sentences.append([])
    full = [sentence for sentence in sentences if sentence]
    return full, [word for sentence in full for word in sentence]


def _blocks(raw: str) -> list[int]:
    """The numbers of lines of the paragraphs."""
    blocks = [0]
    for line in raw.splitlines():
        if line.isspace() or not line:
            blocks.append(0)
        else:
            blocks[-1] += 1
    return [block for block in blocks if block]


def _rises(values: Sequence[int] | Sequence[str]) -> bool:
    return list(values) == sorted(values)


def _styled(raw: str) -> bool:
    """Whether exactly the first letters of the sentences are capitals."""
    opening = True
    for character in raw:
        if character.lower() in LETTERS:
            if character.isupper() != opening:
                return False
            opening = False
        elif character in ".!?":
            opening = True
    return True


def _numbers(raw: str) -> list[str]:
    return "".join(character if character in "0123456789" else " " for character in raw).split()


RECOUNTS: dict[str, Callable[..., bool]] = {
    "words": lambda raw, ss, ws, n: sum(map(len, ss)) == n,
    "words between": lambda raw, ss, ws, low, high: len(ws) in range(low, high + 1),
    "sentences": lambda raw, ss, ws, n: sum(1 for _ in ss) == n,
    "sentences as letters": lambda raw, ss, ws, word: not ss[len(word) :] and not word[len(ss) :],
    "acrostic": lambda raw, ss, ws, word: [s[0][:1] for s in ss] == list(word),
    "backward acrostic": lambda raw, ss, ws, word: [s[0][:1] for s in reversed(ss)] == list(word),
    "sentence words": lambda raw, ss, ws, n: {len(s) for s in ss} <= {n},
    "sentence range": lambda raw, ss, ws, a, b: {len(s) for s in ss} <= {*range(a, b + 1)},
    "growing": lambda raw, ss, ws, n: all(len(s) == len(ss[0]) + n * i for i, s in enumerate(ss)),
    "lengths": lambda raw, ss, ws, n, *ls: [list(map(len, s)) for s in ss[n - 1 : n]] == [[*ls]],
    "lines": lambda raw, ss, ws, n: sum(_blocks(raw)) == n,
    "paragraphs": lambda raw, ss, ws, n: len(_blocks(raw)) == n,
    "contains": lambda raw, ss, ws, word, n: Counter(ws)[word] == n,
    "order": lambda raw, ss, ws, a, b: [w for w in dict.fromkeys(ws) if w in {a, b}] == [a, b],
    "starts": lambda raw, ss, ws, word: next(iter(ws), "") == word,
    "ends": lambda raw, ss, ws, word: next(reversed(ws), "") == word,
    "round": lambda raw, ss, ws: len(ws) > 1 and next(reversed(ws)) == next(iter(ws)),
    "counted": lambda raw, ss, ws: bool(ss) and len(ss[-1][-1]) == len(ss),
    "echo": lambda raw, ss, ws: bool(ss) and len(ss[0][0]) == len(ss[0]),
    "position": lambda raw, ss, ws, n, word: dict(enumerate(ws, 1)).get(n) == word,
    "avoids": lambda raw, ss, ws, letter: all(letter not in word for word in ws),
    "letter count": lambda raw, ss, ws, letter, n: Counter("".join(ws))[letter] == n,
    "initial count": lambda raw, ss, ws, letter, n: Counter(w[:1] for w in ws)[letter] == n,
    "final letter": lambda raw, ss, ws, letter: {s[-1][-1:] for s in ss} <= {letter},
    "linked": lambda raw, ss, ws: [s[0] for s in ss[1:]] == [s[-1] for s in ss[:-1]],
    "alphabetical": lambda raw, ss, ws: all(map(_rises, ss)),
    "rising": lambda raw, ss, ws: all(_rises([len(w) for w in s]) for s in ss),
    "distinct": lambda raw, ss, ws: max(Counter(ws).values(), default=0) < 2,
    "longest": lambda raw, ss, ws, n: max(map(len, ws), default=0) <= n,
    "shortest": lambda raw, ss, ws, n: min(map(len, ws), default=n) >= n,
    "lowercase": lambda raw, ss, ws: not any(character.isupper() for character in raw),
    "capitals": lambda raw, ss, ws: _styled(raw),
    "commas": lambda raw, ss, ws, n: len(raw.split(",")) == n + 1,
    "questions": lambda raw, ss, ws, n: len(raw.split("?")) == n + 1,
    "digits": lambda raw, ss, ws, n: len("".join(_numbers(raw))) == n,
    "stated": lambda raw, ss, ws: _numbers(raw) == [str(len(ws))],
}  # fmt: skip
"""The check of each constraint, as a function of the text, its sentences, its words and values."""


def recount(name: str, values: Sequence[int | str], raw: str) -> bool:
    """Whether a text satisfies a constraint.

    >>> recount("words", (3,), "No means no.")
    True
    """
    sentences, words = split(raw.strip())
    return RECOUNTS[name](raw.strip(), sentences, words, *values)
