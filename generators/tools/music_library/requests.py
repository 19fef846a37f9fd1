"""Requests about a music library: what they are about, and their wording."""

from typing import Literal, NamedTuple

from palaestra.generators.tools.apps import in_any_order, worded

Action = Literal["playlist", "queue", "rate", "dedupe", "undo", "fit", "append"]
ACTIONS: tuple[Action, ...] = (
    "playlist", "queue", "rate", "dedupe", "undo", "fit", "append",
)  # fmt: skip
"""In the order in which levels add them."""

Order = Literal["plays", "year", "seconds", "title"]
ORDERS: dict[Order, str] = {
    "plays": "the most played one first",
    "year": "the oldest one first",
    "seconds": "the shortest one first",
    "title": "by title from A to Z",
}


class Selection(NamedTuple):
    """The conditions that tracks meet. Empty ones and zeros do not count."""

    artist: str = ""
    genre: str = ""
    """Of the artist."""
    since: int = 0
    until: int = 0
    """Years."""
    rating: int = 0
    plays: int = 0
    """At least."""
    longest: int = 0
    """In seconds."""


class Request(NamedTuple):
    """What is wanted. Each action uses some of the fields."""

    action: Action
    which: Selection = Selection()
    order: Order = "plays"
    name: str = ""
    """Of a playlist."""
    other: str = ""
    """The name of the playlist that tracks are taken from."""
    member: str = ""
    """The owner of a new playlist, or whose changes are undone."""
    minutes: int = 0
    """The longest duration of a new playlist, 0 if it may have any."""
    number: int = 0
    """How many tracks are queued, or a rating."""
    date: str = ""


_FRAMES = {
    "playlist": (
        "make a playlist '{name}' for {member} of the tracks {which}, {order}{limit}.",
        "{member} should own a new playlist '{name}': the tracks {which}, {order}{limit}.",
        "create the playlist '{name}', owned by {member}, with all tracks {which}, {order}{limit}.",
        "for {member}, put the tracks {which} into a new playlist '{name}', {order}{limit}.",
        "the tracks {which} are wanted as a new playlist '{name}' of {member}, {order}{limit}.",
    ),
    "queue": (
        "queue {number} of the tracks {which} that are not queued yet, {order}.",
        "add to the queue {number} tracks {which}, {order}, without those that are in it.",
        "the queue should get {number} more tracks {which}, {order}; those in it do not count.",
        "{number} tracks {which} should be queued that are not in the queue, {order}.",
        "please put {number} of the tracks {which}, {order}, into the queue; none that is in it.",
    ),
    "rate": (
        "give the rating {number} to the tracks {which}.",
        "rate the tracks {which} with {number}.",
        "the rating of all tracks {which} should be {number}.",
        "{number} is the rating for the tracks {which}; set it.",
        "please set the rating of each of the tracks {which} to {number}.",
    ),
    "dedupe": (
        "remove duplicates from the playlist '{name}'.",
        "the playlist '{name}' has several versions of songs; remove the duplicates.",
        "each song should be in the playlist '{name}' once: remove the duplicates.",
        "please clean the playlist '{name}' of duplicates.",
        "no duplicates should be left in the playlist '{name}'.",
    ),
    "undo": (
        "undo what {member} did to the playlist '{name}' from {date} on.",
        "{member} has changed the playlist '{name}'; undo the changes from {date} on.",
        "the changes of {member} to the playlist '{name}' from {date} on should be undone.",
        "from {date} on, {member} should not have touched the playlist '{name}': undo that.",
        "please take back the changes to the playlist '{name}' by {member} from {date} on.",
    ),
    "fit": (
        "make the playlist '{name}' fit for children.",
        "children will hear the playlist '{name}'; make it fit for them.",
        "please see to it that the playlist '{name}' is fit for children.",
        "the playlist '{name}' has to be fit for children.",
        "get the playlist '{name}' fit for children by the rules.",
    ),
    "append": (
        "add the tracks of the playlist '{other}' to the playlist '{name}', in their order.",
        "to the playlist '{name}', add in their order the tracks that '{other}' has.",
        "the playlist '{name}' should get the tracks of '{other}' as well, in the order there.",
        "append the playlist '{other}' to the playlist '{name}'.",
        "take the tracks of the playlist '{other}', and add them in order to '{name}'.",
    ),
}


def in_words(request: Request, wording: int, number: int) -> str:
    """A request as a sentence, which depends on the wording of the task."""
    minutes = f", with a total of at most {request.minutes} minutes" if request.minutes else ""
    return worded(
        _FRAMES[request.action], wording, number,
        which=_in_words(request.which, wording, number), order=ORDERS[request.order],
        name=request.name, other=request.other, member=request.member, limit=minutes,
        number=str(request.number), date=request.date,
    )  # fmt: skip


def _in_words(which: Selection, wording: int, number: int) -> str:
    """The conditions, in an order that depends on the wording."""
    clauses = {
        f"by {which.artist}": which.artist,
        f"by {which.genre} artists": which.genre,
        f"from {which.since} or later": which.since,
        f"from {which.until} or earlier": which.until,
        f"with a rating of {which.rating} or more": which.rating,
        f"played {which.plays} times or more": which.plays,
        f"of at most {which.longest} seconds": which.longest,
    }
    return in_any_order([text for text, value in clauses.items() if value], wording, number)
