"""Requests for trips, and their wording."""

from typing import NamedTuple

from palaestra.generators.tools.apps import worded

_FRAMES = (
    "book the trip of {name} from {department} to the {title} in {city}.",
    "{name} ({department}) has to be in {city} for the {title}; book the trip.",
    "for the {title} in {city}, {name} of the department {department} needs a trip.",
    "please get {name}, who works in {department}, to the {title} in {city} and back.",
    "{name} of {department} travels to the {title} in {city}. Arrange the trip.",
    "the department {department} sends {name} to {city} for the {title}. Book what is needed.",
    "a trip to {city} is needed: {name}, department {department}, for the {title}.",
)


class Request(NamedTuple):
    """A trip that is wanted, of an employee to a meeting."""

    name: str
    department: str
    title: str
    city: str


def in_words(request: Request, wording: int, number: int) -> str:
    """A request as a sentence, which depends on the wording of the task."""
    return worded(_FRAMES, wording, number, **request._asdict())
