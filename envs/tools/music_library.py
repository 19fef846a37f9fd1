"""Keeping a music library by the rules of a family, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), one of whose apps has songs and playlists. Libraries, rules and
requests are drawn for each task here.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import Wanted, random_calls
from palaestra.generators.tools.music_library.client import Habits, fulfil
from palaestra.generators.tools.music_library.decisions import deeds
from palaestra.generators.tools.music_library.drawing import MusicAsking
from palaestra.generators.tools.music_library.library import FIELDS, Size, random_library
from palaestra.generators.tools.music_library.player import TOOLS
from palaestra.generators.tools.music_library.policy import Policy
from palaestra.generators.tools.music_library.requests import ACTIONS, Request, in_words
from palaestra.generators.tools.ruled_records import RuledRecordsTask
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder


class MusicLibrary(RuledRecordsTask):
    """Fulfil requests about tracks, playlists and the queue of a family, by its rules."""

    fields = FIELDS
    version = 2

    class Knobs(Task.Knobs):
        actions: int = ladder(3, 4, 5, 6, 7, 7, 7, low=1)  # types of requests, in their order
        requests: int = ladder(1, 2, 3, 3, 4, 5, 6, high=8)
        rules: int = ladder(1, 3, 4, 6, 8, 9, 10, low=0)
        strict: int = ladder(50, 60, 75, 90, 95, 95, 95, low=0, high=100)
        # ^ percentage of requests that a rule matters to, where one can
        steps: int = ladder(1, 1, 2, 2, 2, 2, 3, high=4)  # calls of a request at least, if possible
        conditions: int = ladder(1, 1, 2, 2, 3, 3, 3)  # of the tracks that a request is about
        artists: int = ladder(3, 4, 4, 5, 6, 7, 9, high=12)
        albums: int = ladder(2, 2, 2, 3, 3, 3, 4)  # of each artist, at most
        tracks: int = ladder(4, 4, 5, 5, 6, 6, 6, high=8)  # of each album, at most
        playlists: int = ladder(2, 2, 3, 4, 5, 6, 7, high=8)
        changes: int = ladder(4, 5, 8, 10, 12, 14, 18, high=24)  # in each history, at most
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=30)  # percentage of calls that fail

    policy: Policy
    requests: tuple[Request, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.artists, knobs.albums, knobs.tracks, knobs.playlists, knobs.changes, knobs.rules
        )
        records, policy = random_library(rng, size)
        wanted = Wanted(knobs.requests, knobs.strict, knobs.steps)
        asking = MusicAsking(rng, records, policy, wanted, knobs.conditions)
        return cls.with_requests(records, asking, ACTIONS[: knobs.actions], "playlist", knobs.busy)

    def deeds(self, known: Known, request: Request) -> list[Deed]:
        return deeds(known, self.policy, request)

    def client(self) -> Client:
        return fulfil(self.policy, self.requests)

    def brief(self) -> str:
        work = self.phrase(
            "You keep the music library of a family, by its rules.",
            "Fulfil requests about the music of a family. The family has rules; follow them.",
            "A family has given you access to its music library. You must keep to its rules.",
        )
        wishes = "\n".join(
            f"Request {number}: {in_words(request, self.wording, number)}"
            for number, request in enumerate(self.requests, 1)
        )
        return (
            f"{work}\n\nPolicy:\n"
            "- Handle the requests in their order, each by the library as it is then. Do what a "
            "request and the rules for it ask for, and change nothing else. A request does not "
            "overrule a rule.\n"
            f"{self.policy.text()}\n\n{wishes}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, with one call for each request, or with the other way to
        fill a playlist and the versions in another order.
        """
        lawless = self.policy.without_rules()
        usual = lawless._replace(skips=True, versions=tuple(sorted(self.policy.versions)))
        words = [word for each in self.requests for word in each if isinstance(word, str) and word]
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, words)),
            "no rules": acting(fulfil(lawless, self.requests)),
            "no policy": acting(fulfil(usual, self.requests)),
            "first hits": acting(fulfil(self.policy, self.requests, Habits(rows=1))),
            "one call": acting(fulfil(self.policy, self.requests, Habits(steps=1))),
            "no playlists": acting(fulfil(self.policy, self.requests, Habits(skipped="playlist"))),
        }
