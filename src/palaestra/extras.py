"""Optional dependencies, and errors for what is not installed or does not run here.

>>> with needs("smt", "Z3"):
...     import no_such_module
Traceback (most recent call last):
  ...
palaestra.extras.MissingExtra: Z3 is not installed: pip install 'palaestra[smt]'
"""

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtra(ModuleNotFoundError):
    """An optional dependency is not installed. ``extra`` is the extra that installs it."""

    def __init__(self, extra: str, subject: str, module: str | None = None) -> None:
        message = f"{subject} is not installed: pip install 'palaestra[{extra}]'"
        super().__init__(message, name=module)
        self.extra = extra


class UnsupportedPlatform(RuntimeError):
    """A feature that does not run on this operating system; the message names one it runs on."""


@contextmanager
def needs(extra: str, subject: str) -> Iterator[None]:
    """Import optional dependencies in a ``with`` block.

    Raises :class:`MissingExtra` in place of ``ModuleNotFoundError``. ``subject`` is a noun in the
    singular: what the extra provides.
    """
    try:
        yield
    except MissingExtra:
        raise
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "palaestra":
            raise  # a module of ours that does not exist: no extra installs it
        raise MissingExtra(extra, subject, missing.name) from missing
