"""One test over every hostile text.

There are more than 600 of them, and an item of pytest for each takes longer than reading it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from palaestra.testing import HOSTILE, MONSTERS

TEXTS = (*HOSTILE, *MONSTERS)


def on_hostile_texts(test: Callable[[str], None]) -> Callable[[], None]:
    """A test that calls another with each hostile text, and names the first that this fails on."""

    @wraps(test)
    def on_all() -> None:
        for number, text in enumerate(TEXTS):
            with _named(number, text):
                test(text)

    del on_all.__wrapped__  # pytest would take its argument for a fixture
    return on_all


@contextmanager
def _named(number: int, text: str) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(f"for hostile text {number}, of {len(text)} characters: {text[:200]!r}")
        raise
