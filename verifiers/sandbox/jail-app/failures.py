"""How a test of a suite may fail beside by an assertion, and what is known of values and errors."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any


class Failure(BaseException):
    """What fails a test even where the test catches it; ``status`` is that of the test."""

    status = "WA"


class Gone(Failure):
    """The program has ended, so that nothing more can be tested."""

    status = "LOST"


class Missing(Failure):
    """A name that the program does not define."""

    status = "RE"


class Oversized(Failure):
    """A value that is larger than a reply may be."""

    status = "OLE"


class Unplain(Failure):
    """The test would have to take an object's word for what it is."""


class Unsupported(BaseException):
    """A suite that cannot be run in this way; it says nothing of the program."""


class Stopped(Exception):
    """An iterator of the program's is at its end."""


def text_of(fault: BaseException) -> str:
    """What an exception says, if it can be said."""
    try:
        return str(fault)[:300]
    except (ValueError, RecursionError):  # as for a whole number of many digits
        return ""


def take_one(iterator: Iterator[Any]) -> Iterator[Any]:
    """The next item, if there is one."""
    for item in iterator:
        yield item
        return


def global_name(value: Any) -> list[str] | None:
    """The module and the name of a function or a class of the standard library."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not (isinstance(module, str) and isinstance(name, str) and callable(value)):
        return None
    if module.partition(".")[0] not in sys.stdlib_module_names or "." in name:
        return None
    known = getattr(importlib.import_module(module), name, None)
    return [module, name] if known is value else None
