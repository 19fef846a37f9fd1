r"""Words, lists of words, sets of names and rows of letters, read from answers.

The rules:

- Upper and lower case are the same, and words consist of letters only.
- Words have spaces, commas, semicolons or arrows between them, or are a list in any other layout:
  one per line with numbers or bullets, a JSON array, in quotes, "and" before the last.
- The letters of a row may have spaces between them, or commas if each stands for itself; they may
  be a list in any layout.
- A number and a word that belong together have spaces, commas, a colon or an arrow between them, or
  are in brackets, on lines of their own, or have labels.
"""

import re
from collections.abc import Collection, Sequence

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import items, plain

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))", re.ASCII)
_BETWEEN = str.maketrans(dict.fromkeys("\\()[]{}*`\"'\u201c\u201d|:;,=", " "))
_FILLERS = frozenset({"and", "in", "after", "with", "at", "step", "steps", "letters", "position"})

NOBODY = "none"
"""The text for an empty set of names."""


def word_list(
    text: str, number: int | None = None, what: str = "a list of words", most: int = 10_000
) -> list[str]:
    """Read words in lower case.

    If their ``number`` is known, "and" before the last one may be a word of the list itself.
    ``what`` names in the error what was expected.

    Raises :class:`InvalidAnswer` for no words, for more than ``most``, and for anything else.

    >>> word_list("Sun, rain and snow"), word_list("sun -> rain")
    (['sun', 'rain', 'snow'], ['sun', 'rain'])
    >>> word_list("sun and rain", number=3)
    ['sun', 'and', 'rain']
    """
    body = layout.ARROW.sub(", ", plain(text).casefold())
    listed = items(body, what, most)
    if number is not None and len(listed) < number:
        listed = items(body.replace(" and ", ", and, "), what, most)
    if not listed:
        raise InvalidAnswer(f"expected {what}", "no_answer")
    if not all(map(str.isalpha, listed)):
        raise InvalidAnswer(f"expected {what}, written in letters only")
    return listed


def letters(text: str, symbols: Collection[str], what: str = "a row of letters") -> str:
    """Read a row of known symbols, in upper or lower case.

    Returns the row in the case of ``symbols``. ``what`` names in the error what was expected.

    >>> letters("abBa", "ab"), letters("ab ba", "ab"), letters("a, b, b, a", "ab")
    ('abba', 'abba', 'abba')
    """
    known = {symbol.casefold(): symbol for symbol in symbols}
    row = plain(text).casefold()
    if not all(symbol in known for symbol in row):
        one_by_one = "," in row or row.startswith("[")
        parts = items("\n".join(layout.lines(row)), what)
        if one_by_one and any(len(part) > 1 for part in parts):
            parts = [row]
        row = "".join(parts)
    if not row or not all(symbol in known for symbol in row):
        raise InvalidAnswer(f"expected {what} of the characters {' '.join(sorted(symbols))}")
    return "".join(known[symbol] for symbol in row)


def numbers_and_words(text: str, what: str, word_first: bool = False) -> list[tuple[int, str]]:
    r"""Read a list of whole numbers, each with a word behind it, in lower case.

    The word stands before its number if ``word_first``.

    ``what`` names in the error what was expected.

    >>> numbers_and_words("7 stray, 0 fine", "errors"), numbers_and_words("7 (Stray)", "errors")
    ([(7, 'stray'), (0, 'fine')], [(7, 'stray')])
    >>> numbers_and_words("Row 1: 7 stray\nRow 2: 0 fine", "errors")
    [(7, 'stray'), (0, 'fine')]
    """
    body = layout.ARROW.sub(" ", plain(text).casefold())
    body = _THOUSANDS.sub("", body) if "," in body else body
    # The text as it stands comes last, for "1: stray" is a number with its word.
    for rows in (layout.lines(body), [body]):
        parts = " ".join(rows).translate(_BETWEEN).split()
        if len(parts) > 2:
            parts = [part for part in parts if part not in _FILLERS]
        first, second = parts[::2], parts[1::2]
        numbers, words = (second, first) if word_first else (first, second)
        if words and len(numbers) == len(words) and all(map(str.isalpha, words)):
            return [(integer(number, what), word) for number, word in zip(numbers, words)]
    raise InvalidAnswer(f"expected {what}")


def number_and_word(
    text: str, names: Sequence[str], what: str, word_first: bool = False
) -> tuple[int, str]:
    """Read a whole number and a word in lower case, like :func:`numbers_and_words`.

    ``names`` are the labels that the two may have, in their order; with labels, an answer may have
    them in any order.

    >>> number_and_word("12 aba", ["steps", "text"], "a number and a text")
    (12, 'aba')
    >>> number_and_word("text: aba, steps: 12", ["steps", "text"], "a number and a text")
    (12, 'aba')
    """
    body = plain(text).casefold()
    if ":" in body or "=" in body:
        values = dict(labelled(body, names))
        if values.keys() == set(names):
            body = " ".join(values[name] for name in names)
    read = numbers_and_words(body, what, word_first)
    if len(read) != 1:
        raise InvalidAnswer(f"expected {what}")
    return read[0]


def name_set(text: str, known: Collection[str]) -> frozenset[str]:
    """Read a set of known names, in any order, each once; ``none`` is the empty set.

    >>> sorted(name_set("bo and Ada", ["Ada", "Bo", "Cleo"])), name_set("none", ["Ada"])
    (['Ada', 'Bo'], frozenset())
    """
    if text.strip().casefold() == NOBODY:
        return frozenset()
    by_key = {name.casefold(): name for name in known}
    names = [item.casefold() for item in items(text, "a list of names")]
    names = [item for item in names if item != "and"]
    if not names or not by_key.keys() >= set(names):
        raise InvalidAnswer(f"expected a list of names from the question, or '{NOBODY}'")
    if len(set(names)) < len(names):
        raise InvalidAnswer("a name is listed twice")
    return frozenset(by_key[key] for key in names)


def names_text(names: Collection[str]) -> str:
    """Write a set of names as an answer.

    >>> names_text({"Bo", "Ada"}), names_text(())
    ('Ada, Bo', 'none')
    """
    return ", ".join(sorted(names)) or NOBODY
