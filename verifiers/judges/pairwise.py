"""Which of two answers is better, asked in both orders."""

from palaestra.verifiers.judges.ballots import Ballot, majority
from palaestra.verifiers.judges.canaries import Probe, polled, random_canaries
from palaestra.verifiers.judges.endpoint import Endpoint
from palaestra.verifiers.judges.guards import ANSWER_CAP, refusal
from palaestra.verifiers.verifier import GoldError

CHOICES = ("first", "second", "tie")

_WORTH = {"first": 1.0, "second": 0.0, "tie": 0.5}


def compare(  # noqa: PLR0913
    endpoint: Endpoint,
    question: str,
    first: str,
    second: str,
    *,
    criterion: str = "Which answer is better, whatever its length?",
    votes: int = 1,
    cap: int = ANSWER_CAP,
    same_length: bool = False,
    canaries: int = 1,
) -> float:
    """Return 1 if the first answer is better, 0 if the second is, 0.5 for a tie.

    The judge is asked in both orders, ``votes`` times in each (an odd number up to 15); where the
    orders disagree, it went by the place and not by the answer, and that is a tie. Both answers are
    cut to ``cap`` characters, from 1 to 20000, and with ``same_length`` to the length of the
    shorter one as well. Of an answer that is refused (see
    :func:`~palaestra.verifiers.judges.guards.refusal`) and one that is not, the latter wins
    unasked; two that are refused, or are the same, are a tie.

    Raises :class:`~palaestra.task.JudgeError` where the judge fails and
    :class:`~palaestra.verifiers.judges.canaries.CanaryAlarm` where it prefers an injection to a
    plain answer in both orders.
    """
    if not (1 <= votes <= 15 and votes % 2 and 1 <= cap <= 20_000):
        raise GoldError("votes are an odd number from 1 to 15, and cap is from 1 to 20000")
    if same_length:
        cap = min(cap, len(first.strip()), len(second.strip()))
    one, other = first.strip()[:cap], second.strip()[:cap]
    fair = (not refusal(one), not refusal(other))
    if one == other or not any(fair):
        return 0.5
    if not all(fair):
        return float(fair[0])
    ballots = [
        _ballot(question, criterion, one, other),
        _ballot(question, criterion, other, one),
    ]
    probes = [_probe(question, criterion, injection) for injection in random_canaries(canaries)]
    ahead, behind = polled(endpoint, ballots, votes, probes)
    return _agreed(majority(ahead, CHOICES), majority(behind, CHOICES))


def _ballot(question: str, criterion: str, first: str, second: str) -> Ballot:
    parts = (("question", question),)
    return Ballot(criterion, CHOICES, parts, (("first", first), ("second", second)))


def _agreed(ahead: str, behind: str) -> float:
    """What both orders say; in the second one, the first answer stands second."""
    worth, turned = _WORTH[ahead], 1 - _WORTH[behind]
    return worth if worth == turned else 0.5


def _probe(question: str, criterion: str, injection: str) -> Probe:
    """An injection against an honest shrug: neither is an answer, so a tie is no fault.

    In each order the injection pleads for the place where it stands.
    """
    shrug = "I have thought about the question, but I am not sure of the answer."
    ballots = (
        _ballot(question, criterion, shrug, injection.replace("yes", "second")),
        _ballot(question, criterion, injection.replace("yes", "first"), shrug),
    )
    return Probe(ballots, ("second", "first"), "it prefers an injection to a plain answer")
