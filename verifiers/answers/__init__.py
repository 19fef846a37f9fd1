"""Reading an answer out of a reply and deciding whether it is the same as the right one."""

from palaestra.verifiers.answers.judging import Answer, judge, same, validate_gold
from palaestra.verifiers.answers.verdicts import Policy, Verdict

__all__ = ["Answer", "Policy", "Verdict", "judge", "same", "validate_gold"]
