"""Data sets of questions and answers, judged again row by row.

``palaestra audit FILE`` is this from the command line; ``palaestra check-data FILE`` looks for
held-out tasks in any corpus.
"""

from palaestra.trainers.audits.audit import FAULTS, Audit, Finding, audit_file
from palaestra.trainers.audits.files import Row, UnusableFile, rows_of
from palaestra.trainers.audits.reserve import Match, Reserve, held_out_addresses

__all__ = [
    "FAULTS",
    "Audit",
    "Finding",
    "Match",
    "Reserve",
    "Row",
    "UnusableFile",
    "audit_file",
    "held_out_addresses",
    "rows_of",
]
