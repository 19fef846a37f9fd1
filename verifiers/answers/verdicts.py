"""How answers may be judged, and what is said of one."""

import re
from dataclasses import dataclass
from typing import Literal

FORM = re.compile(r"value|closed|simplified|factored|decimal\(\d{1,2}\)")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a task asks of an answer beyond being right. The names R1 to R28 are those of the docs.

    Raises ``ValueError`` for options that there are not.
    """

    mode: Literal["lenient", "strict"] = "lenient"
    """Lenient takes a box, an answer tag or an anchored line; strict only what ``mark`` names."""

    mark: Literal["box", "tag", "line"] = "box"
    """Where a strict answer stands."""

    form: str = "value"
    """``value`` for anything equal; ``closed`` for no decimals; ``simplified`` for nothing left to
    work out; ``factored`` for at least as many factors as the gold has; ``decimal(n)`` for a
    number written with exactly n decimals."""

    rounding: Literal["auto", "exact"] = "auto"
    """``auto`` takes a closed form that rounds to a decimal gold of three significant digits or
    more; ``exact`` takes only equal values."""

    relative: float = 0.0
    """How far from the gold a number may be, as a share of the gold."""

    absolute: float = 0.0
    """How far from the gold a number may be."""

    units: Literal["optional", "required"] = "optional"
    """Whether an answer may leave out the unit that the gold has."""

    percent: Literal["either", "value"] = "either"
    """``either`` takes 50 % for 0.5 and for 50; ``value`` only for 0.5."""

    order: Literal["any", "given"] = "any"
    """Whether plain lists are taken in any order. Tuples and points always keep theirs."""

    accept_truncated: bool = False
    """Whether a last box or answer tag that is never closed counts."""

    several: Literal["usual", "last", "same"] = "usual"
    """Of several answers that differ: ``last`` takes the last and ``same`` refuses all. ``usual``
    is ``last`` for boxes and ``same`` for tags."""

    question: str = ""
    """The task's question; an answer that only restates an expression of it is refused."""

    fallback: bool = True
    """Whether a worker with a computer algebra system may be asked, by the rule of layer 4."""

    def __post_init__(self) -> None:
        known = {
            "mode": ("lenient", "strict"),
            "mark": ("box", "tag", "line"),
            "rounding": ("auto", "exact"),
            "units": ("optional", "required"),
            "percent": ("either", "value"),
            "order": ("any", "given"),
            "several": ("usual", "last", "same"),
        }
        for name, options in known.items():
            if getattr(self, name) not in options:
                option = getattr(self, name)
                raise ValueError(f"{name} is one of {', '.join(options)}, not {option!r}")
        if not FORM.fullmatch(self.form):
            raise ValueError(
                f"form is value, closed, simplified, factored or decimal(n), not {self.form!r}"
            )
        if not (0 <= self.relative < 1 and 0 <= self.absolute < float("inf")):
            raise ValueError("tolerances are finite and not negative, and relative ones below 1")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right, and how that was found."""

    correct: bool
    status: str = "scored"
    """``scored``; ``no_answer``, ``conflicting_answer_tags``, ``malformed``, ``limit``,
    ``timeout`` for what the player did; ``gold_error``, ``infra_error`` for faults of ours."""

    extracted: str | None = None
    """The answer that was found, at most 200 characters of it."""

    layer: str = ""
    """What decided: ``extract``, ``string``, ``choice``, ``words``, ``exact``, ``numeric``,
    ``structure``, ``form``, ``read`` or ``worker``."""

    reason: str = ""
    """In a sentence, why it is not right."""

    def __bool__(self) -> bool:
        return self.correct
