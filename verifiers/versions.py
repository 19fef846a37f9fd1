"""The versions of what a verdict may depend on: Python, and the libraries that verifiers lean on.

Environments judge by the standard library alone, so that their fingerprints hold for any of these.
Verifiers may lean on more: how an answer is worked out depends on mpmath, and where the computer
algebra system is asked on SymPy. Who compares verdicts of two machines compares these first.
"""

import hashlib
import platform
import sqlite3
from functools import cache
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = (
    "palaestra",
    *("mpmath", "sympy", "math-verify", "latex2sympy2-extended"),  # answers
    *("jsonschema", "lark", "google-re2", "rapidfuzz", "sacrebleu"),
    *("duckdb", "sqlglot", "z3-solver"),
)


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    known = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for name in LIBRARIES:
        try:
            known[name] = version(name)
        except PackageNotFoundError:
            continue
    return tuple(known.items())


def versions() -> dict[str, str]:
    """The installed version of each library by name, without those that are absent.

    Nothing is imported to find them.

    >>> sorted({"python", "palaestra", "mpmath"} - versions().keys())
    []
    """
    return dict(_versions())


def fingerprint() -> str:
    """Eight bytes in hexadecimal digits, the same wherever all of these versions are the same.

    >>> len(fingerprint())
    16
    """
    text = "\n".join(f"{name} {number}" for name, number in _versions())
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
