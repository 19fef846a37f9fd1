"""Evaluation on the held-out seeds: suites, attempts that are kept, figures and reports.

``palaestra eval`` does it for a model behind an endpoint. From Python, :func:`evaluate_endpoint` is
the same, and :func:`evaluate` takes anything that replies to messages, such as a model in training.
"""

from palaestra.trainers.evaluation.attempts import Attempt, BrokenLog, OtherEvaluation
from palaestra.trainers.evaluation.client import ChatClient, EndpointError
from palaestra.trainers.evaluation.runner import Refused
from palaestra.trainers.evaluation.running import Evaluation, evaluate, evaluate_endpoint
from palaestra.trainers.evaluation.suites import BadSuite, Cell, Suite

__all__ = [
    "Attempt",
    "BadSuite",
    "BrokenLog",
    "Cell",
    "ChatClient",
    "EndpointError",
    "Evaluation",
    "OtherEvaluation",
    "Refused",
    "Suite",
    "evaluate",
    "evaluate_endpoint",
]
