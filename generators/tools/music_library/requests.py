"""Requests about a music library: what they are about, and their wording."""

from typing import Literal, NamedTuple

from palaestra.generators.tools.apps import in_random_order, worded

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
        "make a new playlist '{name}', owned by {member}, of the tracks {which}, {order}{limit}.",
        "{member} should own a new playlist '{name}': the tracks {which}, {order}{limit}.",
        "create the playlist '{name}', owned by {member}, with all tracks {which}, {order}{limit}.",
        "put the tracks {which} into a new playlist '{name}' of {member}, {order}{limit}.",
        "a new playlist '{name}' that {member} owns should get the tracks {which}, {order}{limit}.",
    ),
    "queue": (
        (
            "go through the tracks {which}, {order}, and queue the first {number} that are not in "
            "the queue yet."
        ),
        (
            "{number} tracks should be queued: of the tracks {which}, {order}, the first {number} "
            "that are not in the queue."
        ),
        (
            "the queue should get {number} more tracks. Take the tracks {which}, {order}, pass "
            "over those that are in it, and add the first {number} of the others."
        ),
        (
            "of the tracks {which}, take those that are not in the queue, {order}, and queue the "
            "first {number}."
        ),
        (
            "please add to the queue, of the tracks {which}, {order}, the first {number} that it "
            "does not have yet."
        ),
    ),
    "rate": (
        "give the rating {number} to the tracks {which}.",
        "give each of the tracks {which} the rating {number}.",
        "the rating of all tracks {which} should be {number}.",
        "the tracks {which} should all have the rating {number}.",
        "please set the rating to {number} for each of the tracks {which}.",
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
        "{member} has changed the playlist '{name}'; undo what {member} did to it from {date} on.",
        "the changes that {member} made to the playlist '{name}' from {date} on should be undone.",
        "from {date} on, {member} should not have touched the playlist '{name}': undo that.",
        "please take back the changes that {member} made to the playlist '{name}' from {date} on.",
    ),
    "fit": (
        "make the playlist '{name}' fit for children.",
        "children will hear the playlist '{name}'; make it fit for them.",
        "please see to it that the playlist '{name}' is fit for children.",
        "the playlist '{name}' has to be fit for children.",
        "please make the playlist '{name}' one that is fit for children.",
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
    """The conditions, in an order that depends on the wording. Several are a list after "that are",
    so that each is about the tracks and not about the words before it.
    """
    clauses = {
        f"by {which.artist}": which.artist,
        f"by {which.genre} artists": which.genre,
        _years(which): which.since or which.until,
        f"rated {which.rating} or more": which.rating,
        f"played {which.plays} times or more": which.plays,
        f"no longer than {which.longest} seconds": which.longest,
    }
    texts = in_random_order([text for text, value in clauses.items() if value], wording, number)
    if len(texts) < 2:
        return "".join(texts)
    return f"that are {', '.join(texts[:-1])} and {texts[-1]}"


def _years(which: Selection) -> str:
    """The condition on the year, with both bounds in one clause."""
    if which.since and which.until:
        is_one = which.since == which.until
        return f"from {which.since}" if is_one else f"from {which.since} to {which.until}"
    return f"from {which.since} or later" if which.since else f"from {which.until} or earlier"
