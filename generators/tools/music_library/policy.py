"""The rules of a family on its music, in words; :mod:`.decisions` applies them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, Self

Rule = Literal[
    "explicit", "favourites", "live", "versions", "short", "banned", "several", "cap", "holiday",
    "kept",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "explicit", "favourites", "live", "versions", "short", "banned", "several", "cap", "holiday",
    "kept",
)  # fmt: skip
"""In the order in which levels add them."""

VERSIONS = ("studio", "remaster", "acoustic", "live")


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    versions: tuple[str, ...]
    """The types of versions, the preferred one first."""
    skips: bool
    """Whether tracks that fit are taken after one that does not."""
    seconds: int
    """The length of short tracks."""
    banned: str
    kept: str
    """Names of artists."""
    several: int
    """How many tracks of an artist a new playlist has at most."""
    cap: int
    """How many tracks a playlist has at most."""

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def without_rules(self) -> Self:
        """What always holds."""
        return self._replace(rules=())

    def text(self) -> str:
        """All rules with their numbers."""
        lines = (f"Rule {n}: {_TEXTS[rule](self)}" for n, rule in enumerate(self.rules, 1))
        return "\n".join([_general(self), *lines])


def _general(policy: Policy) -> str:
    rest = (
        "is left out, and later ones that still fit are taken"
        if policy.skips
        else "ends the playlist, and no later one is taken"
    )
    return f"""\
- A song is a title of an artist; its tracks are its versions. The preferred version is, in this \
order: {", ".join(policy.versions)}; of two of the same type the one with more plays, and of equal \
ones that with the lower id. The year of a track is that of its album.
- Where an order is wanted and tracks are equal in it, the lower id comes first. If a new playlist \
has a longest duration, take tracks in the wanted order; the first one with which the total would \
be longer {rest}. Rules that keep tracks out of it come before that.
- To remove duplicates from a playlist, remove all versions of a song from it but the preferred \
one of those that are in it.
- To undo what somebody did to a playlist from a date on: look at the first change of this person \
to each track from then on. A track that was added is removed, if it is in the playlist; one that \
was removed is added at the end, if it is not there; the one that was changed first comes first. \
If somebody else has changed the track in the playlist later than this person, leave it as it is.
- To make a playlist fit for children, take its tracks in their order, and replace each explicit \
one, in its position, by the preferred version of the song that is not explicit, may be added by \
the rules, and is in the library and not in the playlist; if there is none, remove the track.
- Tracks that are added to a playlist or to the queue come at the end. None is there twice. A \
track that a rule keeps out is passed over, and the next one that is wanted takes its position. \
If fewer tracks than wanted are left, all of them are added."""


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "explicit": lambda p: "Explicit tracks are not added to playlists that a child owns.",
    "favourites": lambda p: (
        "A track that is rated 5 is not removed from a playlist or replaced, and keeps its rating."
    ),
    "live": lambda p: (
        "Live versions are added to nothing, neither to playlists, new ones included, nor to the "
        "queue."
    ),
    "versions": lambda p: (
        "If several versions of a song might go into a new playlist or into the queue, only the "
        "preferred one does; those that the request does not name, that another rule keeps out or "
        "that are in it already do not count."
    ),
    "short": lambda p: (
        f"Tracks of less than {p.seconds} seconds are added to nothing, neither to playlists nor "
        "to the queue."
    ),
    "banned": lambda p: f"Tracks of {p.banned} are added to no playlist; the queue may have them.",
    "several": lambda p: (
        f"Of each artist, only the first {p.several} tracks in the wanted order that no other rule "
        "keeps out may go into a new playlist."
    ),
    "cap": lambda p: (
        f"A playlist with {p.cap} tracks or more gets no further ones at its end, and a new one "
        f"has {p.cap} tracks at most."
    ),
    "holiday": lambda p: (
        "Tracks of albums with 'Holiday' in the title are added to nothing, neither to playlists "
        "nor to the queue."
    ),
    "kept": lambda p: f"Tracks of {p.kept} are not removed from a playlist or replaced.",
}


def random_policy(rng: Random, rules: int, artists: Sequence[str]) -> Policy:
    """The first rules of the list in random order, with random values."""
    banned, kept = rng.sample(artists, 2)
    return Policy(
        rules=tuple(rng.sample(RULES[:rules], rules)),
        versions=tuple(rng.sample(VERSIONS, len(VERSIONS))),
        skips=rng.random() < 0.5,
        seconds=rng.choice((60, 90, 100)),
        banned=banned,
        kept=kept,
        several=rng.choice((2, 3)),
        cap=rng.choice((9, 10, 11)),
    )
