"""Pauses between the tries of a request: one schedule for clients, evaluations and judges."""

import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with jitter. All values are seconds.

    Pauses double from ``first_s`` up to ``longest_s``. Half of each is random, so that callers who
    fail together do not return together; for the same reason a pause is added to what a server asks
    for in ``Retry-After``, of which at most ``longest_asked_s`` counts.
    """

    first_s: float
    longest_s: float
    longest_asked_s: float = 600.0

    def pause(self, tries: int, retry_after_s: float | None = None) -> float:
        """The pause after a number of failed tries, counted from 0.

        >>> 2 <= Backoff(1, 20).pause(tries=2) <= 4
        True
        >>> 30.5 <= Backoff(1, 20).pause(tries=0, retry_after_s=30) <= 31
        True
        """
        span = min(self.first_s * 2 ** min(tries, 30), self.longest_s)
        return min(retry_after_s or 0.0, self.longest_asked_s) + random.uniform(span / 2, span)


def retry_after(header: str) -> float | None:
    """The seconds that a ``Retry-After`` header asks for, in either of its forms.

    >>> retry_after("7"), retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), retry_after("soon")
    (7.0, 0.0, None)
    """
    if _SECONDS.fullmatch(header):
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
