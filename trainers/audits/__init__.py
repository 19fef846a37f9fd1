"""Data sets of questions and answers, judged again row by row.

``palaestra audit FILE`` is this from the command line.
"""

from palaestra.trainers.audits.audit import FAULTS, Audit, Finding, audit_file
from palaestra.trainers.audits.files import Row, UnusableFile, rows_of

__all__ = ["FAULTS", "Audit", "Finding", "Row", "UnusableFile", "audit_file", "rows_of"]
