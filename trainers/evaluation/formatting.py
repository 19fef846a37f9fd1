"""Shares and their confidence intervals as text, for every form of a report."""

from collections.abc import Mapping
from typing import Any


def percent(value: float | None) -> str:
    """A share as a reader wants it.

    >>> percent(0.123), percent(0.9996), percent(1.0)
    ('12.3 %', '99.9 %', '100 %')
    """
    if value is None:
        return "–"
    tenths = round(value * 1000)
    if value not in {0.0, 1.0}:  # nearly all is not all
        tenths = min(999, max(1, tenths))
    return f"{tenths / 10:.1f} %" if tenths not in {0, 1000} else f"{tenths // 10} %"


def spanned(estimate: Mapping[str, Any] | None) -> str:
    """A share and its confidence interval."""
    if estimate is None:
        return "–"
    low, high = (f"{100 * estimate[end]:.1f}" for end in ("low", "high"))
    return f"{percent(estimate['value'])} [{low}, {high}]"


def users_in_words(users: Mapping[str, Any] | None) -> str:
    """Who speaks in the place of users, how often, and why the script does otherwise."""
    if users is None:
        return ""
    number = f"{users['spoken']:,} of {users['utterances']:,} utterances"
    reasons = ", ".join(f"{why} ({n:,})" for why, n in users["scripted"].items())
    return f"{users['model']} in {number}" + (f"; in the others {reasons}" if reasons else "")
