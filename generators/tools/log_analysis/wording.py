"""Questions about logs in words."""

from collections.abc import Callable

from palaestra.generators.tools.log_analysis.questions import Question, QuestionForm

FRAMES: dict[QuestionForm, tuple[str, ...]] = {
    "root": (
        "Which service is the main root cause of failures of {requests} received {when}?",
        "{When}, {requests} failed. Which service is the main root cause?",
        "Look at {requests} that were received {when}: what is the main root cause of failures?",
        "Name the service that is the main root cause of failures of {requests} received {when}.",
        "We had failures of {requests} {when}. Find the service that is the main root cause.",
    ),
    "first": (
        "Of {requests} received {when}, which failed first because of the main root cause?",
        (
            "{When}, what is the id of the first one of {requests} that failed because of the main "
            "root cause?"
        ),
        (
            "Give the id of the request that was received first among those of {requests}, "
            "received {when}, that failed because of their main root cause."
        ),
        (
            "Find the main root cause of failures of {requests} received {when}. Which request "
            "was the first to fail because of it?"
        ),
        (
            "Which request is the first, by the time at which it was received, of {requests} "
            "received {when} that failed because of the main root cause?"
        ),
    ),
    "users": (
        "How many users had at least one failed request, out of {requests} received {when}?",
        "{When}, for how many users did one of {requests} fail?",
        "Count the users for whom one or more of {requests}, received {when}, failed.",
        (
            "What is the number of different users affected by failures of {requests} received "
            "{when}?"
        ),
        "Of {requests} received {when}, some failed. How many users does that affect?",
    ),
    "p95": (
        (
            "What is the 95th percentile, in ms, of the durations of {requests} received {when} "
            "that succeeded?"
        ),
        "{When}, what was the p95 of the durations in ms of those of {requests} that succeeded?",
        (
            "Take {requests} received {when}, without those that failed. What is the p95 of their"
            " durations in ms?"
        ),
        "Give the p95 latency in ms of {requests} received {when}; leave out failed ones.",
        (
            "How many ms is the 95th percentile of the latency of successful ones of {requests} "
            "received {when}?"
        ),
    ),
    "deploy": (
        "Failures of {requests} received {when}: which deploy of the main root cause is to blame?",
        "{When}, {requests} failed. Which deploy of the main root cause is to blame?",
        (
            "Name the deploy of the main root cause that is to blame for failures of {requests} "
            "received {when}."
        ),
        (
            "Find the main root cause of failures of {requests} received {when}. Which deploy of "
            "it is to blame?"
        ),
        (
            "We want to know which deploy is to blame for the failures of {requests} received "
            "{when}, as far as they are due to their main root cause."
        ),
    ),
    "recovered": (
        "How many of {requests} received {when} were retried and succeeded?",
        "{When}, how many of {requests} succeeded only with a second attempt?",
        "Count those of {requests}, received {when}, that were saved by a retry.",
        (
            "What is the number of {requests} received {when} whose first attempt failed and that"
            " succeeded in the end?"
        ),
        "Of {requests} received {when}, how many succeeded after a retry?",
    ),
    "share": (
        "How many of {requests} received {when} failed because of their main root cause?",
        "{When}, how many of {requests} failed because of the main root cause of failures?",
        (
            "Find the main root cause of failures of {requests} received {when}, and count those "
            "that failed because of it."
        ),
        (
            "Count the failures of {requests}, received {when}, that their main root cause "
            "brought about."
        ),
        (
            "Of {requests} received {when}, what number failed because of the main root cause of "
            "their failures?"
        ),
    ),
}
"""Several ways to put each form of a question."""

TIMES = (
    "from {start} to {end}",
    "between {start} and {end}",
    "not before {start}, but before {end}",
)

REQUESTS = ("requests to {0}", "calls of {0}", "{0} requests")


def in_words(question: Question, wording: int, moment: Callable[[int], str]) -> str:
    """A question in the frames that a wording selects; ``moment`` puts its times into words."""
    frames = FRAMES[question.form]
    rest = wording // len(frames)
    when = TIMES[rest % len(TIMES)].format(start=moment(question.start), end=moment(question.end))
    name = f"'{question.endpoint}'" if question.endpoint else "any endpoint"
    forms = REQUESTS if question.endpoint else REQUESTS[:2]
    requests = f"the {forms[(rest + wording) % len(forms)].format(name)}"
    return frames[wording % len(frames)].format(
        requests=requests, when=when, When=f"{when[0].upper()}{when[1:]}"
    )
