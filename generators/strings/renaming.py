"""Texts up to a renaming of letters."""

from string import ascii_lowercase


def renaming(text: str) -> dict[int, int]:
    """A table for :meth:`str.translate` that renames letters to a, b, c in order of occurrence.

    Texts that differ only in the names of their letters become equal. Other characters stay.

    >>> "moon, room".translate(renaming("moon, room"))
    'abbc, dbba'
    """
    letters = "".join([character for character in dict.fromkeys(text) if character.isalpha()])
    return str.maketrans(letters, ascii_lowercase[: len(letters)])
