"""What every environment must stand up to.

Each check takes an environment's name and raises ``AssertionError`` on the first fault, saying
what is wrong. They are public, so that environments in other distributions can be held to the
same: ``palaestra check category/name`` runs them all.
"""

from collections.abc import Callable

from palaestra.testing import hostile
from palaestra.testing.baselines import baseline_scores, check_baselines
from palaestra.testing.description import check_bounds, check_described, check_levels
from palaestra.testing.episodes import (
    check_hidden,
    check_oracle,
    check_replay,
    check_rewards,
    check_round_trip,
    check_solvable,
    check_turns,
)
from palaestra.testing.examples import check_example
from palaestra.testing.formats import check_formats
from palaestra.testing.judging import (
    check_hostile,
    check_mutants,
    check_reasons,
    check_secret,
    check_small,
)
from palaestra.testing.ladders import check_ladder
from palaestra.testing.players import FLOOR, judged, task, words
from palaestra.testing.record import Plan
from palaestra.testing.sampling import (
    check_processes,
    check_quick,
    check_seeded,
    check_split,
    check_threads,
    check_varied,
    duplicates,
    transcript,
)
from palaestra.testing.unskilled import check_unskilled, floor

Check = Callable[[str], None]

HOSTILE = tuple(r.text for r in hostile.replies() if r.category not in {"shortcuts", "monsters"})
"""Replies that try to break a judge."""

MONSTERS = tuple(reply.text for reply in hostile.replies("monsters"))
"""The same, of up to a megabyte."""

CHECKS: tuple[Check, ...] = (
    check_described,
    check_example,
    check_levels,
    check_bounds,
    check_seeded,
    check_threads,
    check_processes,
    check_split,
    check_varied,
    check_ladder,
    check_round_trip,
    check_replay,
    check_turns,
    check_rewards,
    check_hidden,
    check_solvable,
    check_oracle,
    check_quick,
    check_small,
    check_mutants,
    check_hostile,
    check_formats,
    check_reasons,
    check_secret,
    check_unskilled,
    check_baselines,
)

CHEAP: tuple[Check, ...] = (
    check_described,
    check_levels,
    check_seeded,
    check_solvable,
    check_formats,
    check_secret,
)
"""The checks that every run makes of every environment: that its seeds give tasks which can be
described, solved and scored on this machine. See :mod:`palaestra.testing.record` for when the
others are made.
"""

COSTLY = frozenset(CHECKS) - frozenset(CHEAP)
"""The checks that take most of the time."""


def due_checks(name: str, plan: Plan) -> tuple[Check, ...]:
    """The checks that a run makes of an environment: all of them, or, where it is listed, the cheap
    ones and a sample of the others.
    """
    if plan.reasons[name] != "listed":
        return CHECKS
    return tuple(
        check for check in CHECKS if check in CHEAP or plan.samples(f"{name} {check.__name__}")
    )


__all__ = [
    "CHEAP",
    "CHECKS",
    "COSTLY",
    "FLOOR",
    "HOSTILE",
    "MONSTERS",
    "Check",
    "baseline_scores",
    "check_baselines",
    "check_bounds",
    "check_described",
    "check_example",
    "check_formats",
    "check_hidden",
    "check_hostile",
    "check_ladder",
    "check_levels",
    "check_mutants",
    "check_oracle",
    "check_processes",
    "check_quick",
    "check_reasons",
    "check_replay",
    "check_rewards",
    "check_round_trip",
    "check_secret",
    "check_seeded",
    "check_small",
    "check_solvable",
    "check_split",
    "check_threads",
    "check_turns",
    "check_unskilled",
    "check_varied",
    "duplicates",
    "floor",
    "hostile",
    "judged",
    "task",
    "transcript",
    "words",
]
