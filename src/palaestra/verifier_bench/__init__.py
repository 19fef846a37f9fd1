"""A public test bench for answer verifiers: labelled cases, and what any grader makes of them.

The cases are pairs of answers and whole replies, generated from expression trees and from rules:
answers that are equal, near misses, and hacks. A candidate is any ``f(gold, reply) -> bool``. It
runs in a process of its own, which is killed where it hangs. Replies that people have labelled, in
the layouts of published collections, are read by :func:`load_labelled`.

>>> cases = load_cases()
>>> report = measure(candidate("palaestra.verifier_bench.candidates:exact"), cases[:40])
>>> report.total.fp, report.total.hangs
(0, 0)
"""

from palaestra.verifier_bench.agreement import (
    agreement_markdown,
    agreement_rows,
    agreement_tables,
    agreements,
    disagreements,
)
from palaestra.verifier_bench.candidates import CANDIDATES, Candidate, candidate
from palaestra.verifier_bench.cases import HOME, Case, load_cases
from palaestra.verifier_bench.labelled import Labelled, load_labelled
from palaestra.verifier_bench.reports import (
    NothingMeasured,
    Report,
    Ruling,
    Tally,
    compared,
    markdown,
    mistakes,
    tables,
)
from palaestra.verifier_bench.running import measure

__all__ = [
    "CANDIDATES", "HOME", "Candidate", "Case", "Labelled", "NothingMeasured", "Report", "Ruling",
    "Tally", "agreement_markdown", "agreement_rows", "agreement_tables", "agreements", "candidate",
    "compared", "disagreements", "load_cases", "load_labelled", "markdown", "measure", "mistakes",
    "tables",
]  # fmt: skip
