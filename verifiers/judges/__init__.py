"""Judge models: what they are asked, how they are guarded, and what their verdicts are worth."""

from palaestra.verifiers.judges.batch import judge_all
from palaestra.verifiers.judges.canaries import CANARIES, CanaryAlarm
from palaestra.verifiers.judges.endpoint import Endpoint
from palaestra.verifiers.judges.guards import fenced, refusal
from palaestra.verifiers.judges.pairwise import compare
from palaestra.verifiers.judges.rubric import Criterion, Equivalent, Rubric
from palaestra.verifiers.judges.tournament import Standings, bradley_terry, tournament

__all__ = [
    "CANARIES",
    "CanaryAlarm",
    "Criterion",
    "Endpoint",
    "Equivalent",
    "Rubric",
    "Standings",
    "bradley_terry",
    "compare",
    "fenced",
    "judge_all",
    "refusal",
    "tournament",
]
