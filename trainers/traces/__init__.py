"""Traces: the search that leads to an answer, written out step by step, dead ends included.

A trace ends in an answer that scores 1, and each of its lines can be checked: what is derived
follows, what is given up has failed. They are for supervised training (K. Gandhi et al., "Stream
of Search (SoS): Learning to Search in Language", 2024). Four families have them: countdown, sudoku,
shortest paths, and puzzles of plans.
"""

from palaestra.trainers.traces.tracing import (
    LONGEST,
    Trace,
    has_traces,
    require,
    trace_of,
    violation_of,
)

__all__ = ["LONGEST", "Trace", "has_traces", "require", "trace_of", "violation_of"]
