r"""Words, lists of words, sets of names and rows of letters, read from answers.

The rules:

- Upper and lower case are the same, and words consist of letters only.
- Words have spaces, commas, semicolons or arrows between them, or are a list in any other layout:
  one per line with numbers or bullets, a JSON array, in quotes, "and" before the last.
- The letters of a row may have spaces between them, or commas if each stands for itself.
"""

from collections.abc import Collection

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.values import items, plain

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
        parts = items(row, what) if "," in row else row.split()
        if "," in row and any(len(part) > 1 for part in parts):
            parts = [row]
        row = "".join(parts)
    if not row or not all(symbol in known for symbol in row):
        raise InvalidAnswer(f"expected {what} of the characters {' '.join(sorted(symbols))}")
    return "".join(known[symbol] for symbol in row)


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
