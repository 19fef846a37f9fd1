"""Requests in words."""

from collections.abc import Sequence

from palaestra.generators.tools.generated_world.decisions import Description, Request
from palaestra.generators.tools.generated_world.domain import Domain
from palaestra.generators.vocabulary import plural

FRAMES = {
    "advance": (
        "Bring {record} into the {column} '{state}'.",
        "The {column} of {record} should be '{state}' in the end.",
        "Please see to it that {record} gets the {column} '{state}'.",
        "'{state}' is what we need as the {column} of {record}.",
        "Take {record} as far as the {column} '{state}', and no further.",
    ),
    "raise": (
        "Raise the {column} of {record} by {amount}.",
        "The {column} of {record} should be {amount} more than it is.",
        "Add {amount} to the {column} of {record}.",
        "Increase the {column} of {record} by {amount}, please.",
        "We have {amount} more for the {column} of {record}; enter it.",
    ),
    "lower": (
        "Lower the {column} of {record} by {amount}.",
        "The {column} of {record} should be {amount} less than it is.",
        "Take {amount} off the {column} of {record}.",
        "Reduce the {column} of {record} by {amount}, please.",
        "{amount} of the {column} of {record} are gone; enter it.",
    ),
    "assign": (
        "Give {record} to {receiver}.",
        "{receiver} should be the {column} of {record} from now on.",
        "Change the {column} of {record} to {receiver}.",
        "From now on, {record} belongs to {receiver}; enter it.",
        "Make {receiver} the {column} of {record}, please.",
    ),
    "count": (
        "How many {below} of {record} have the {column} '{state}'?",
        "Count the {below} that belong to {record} and whose {column} is '{state}'.",
        "Among the {below} of {record}, for how many is the {column} '{state}'?",
        "I need to know how many {below} with the {column} '{state}' {record} has.",
        "What is the number of {below} of {record} in the {column} '{state}'?",
    ),
}
"""Several ways to put each type of request."""


def requests_in_words(domain: Domain, requests: Sequence[Request], wording: int) -> str:
    """The numbered requests; a wording selects a frame for each."""
    return "\n".join(
        f"Request {number}: {in_words(domain, request, wording // number + number)}"
        for number, request in enumerate(requests, 1)
    )


def in_words(domain: Domain, request: Request, frame: int) -> str:
    """A request in one of the frames for its type."""
    n = request.record.entity
    entity = domain.entities[n + 1 if request.action == "count" else n]
    action: str = request.action
    if action == "adjust":
        action = "raise" if request.amount > 0 else "lower"
    column = {"raise": entity.stock, "lower": entity.stock, "assign": entity.owner}
    frames = FRAMES[action]
    text = frames[frame % len(frames)].format(
        record=_named(domain, request.record),
        receiver=_named(domain, request.receiver) if request.receiver else "",
        column=column.get(action, entity.state),
        state=request.state,
        amount=abs(request.amount),
        below=plural(entity.noun),
    )
    return text[0].upper() + text[1:]


def _named(domain: Domain, record: Description) -> str:
    entity = domain.entities[record.entity]
    text = f"the {entity.noun} with the {entity.label} '{record.label}'"
    if record.trait:
        return f"{text} and the {entity.trait} '{record.trait}'"
    if record.owner:
        above = domain.entities[record.entity - 1]
        return f"{text} whose {entity.owner} is {above.a()} with the {above.label} '{record.owner}'"
    return text
