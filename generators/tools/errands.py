"""Tasks that are requests to apps, by a policy: how they are drawn, played and judged.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose tasks are judged by what differs between two states of the
records of several apps.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from pydantic import Field

from palaestra.generators.tools.apps import Deed, Known, carry_out, performed
from palaestra.generators.tools.engine import Changes, Client, Tool, judged, manual
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.task import Play, Task
from palaestra.toolbox import call


class Ruled(Protocol):
    """A policy that has numbered rules, besides what always holds."""

    def without_rules(self) -> Self:
        """What always holds."""


Rules = TypeVar("Rules", bound=Ruled)
Ask = TypeVar("Ask", bound=Hashable)
"""A request."""


class Wanted(NamedTuple):
    """What drawn requests should be like, where such requests turn up."""

    number: int
    strict: int
    """The percentage of requests that a rule matters to."""
    steps: int
    """The least number of calls that a request needs, if its type may need several."""


class Asking(ABC, Generic[Ask, Rules]):
    """Draws requests one after the other, each for the records that the earlier ones leave."""

    tries: ClassVar[int] = 24
    """How many requests are drawn for one that is as wanted."""

    most: ClassVar[int] = 8
    """How many calls a request needs at most."""

    single: ClassVar[frozenset[str]] = frozenset()
    """The types of requests that need one call or two."""

    unruled: ClassVar[frozenset[str]] = frozenset()
    """The types of requests that no rule is about."""

    def __init__(self, rng: Random, world: RecordWorld, policy: Rules, wanted: Wanted) -> None:
        self.rng, self.world, self.policy, self.wanted = rng, world, policy, wanted
        self.lawless = policy.without_rules()
        self.known = Known.of(world)

    @abstractmethod
    def ask(self, action: str) -> Ask:
        """A random request of a type, about what is ``known``."""

    @abstractmethod
    def deeds(self, known: Known, policy: Rules, request: Ask) -> list[Deed]:
        """The calls that a request needs by a policy."""

    def requests(self, actions: Sequence[str], always: str = "") -> tuple[Ask, ...]:
        """Requests of these types, of which none occurs twice before all others have occurred; of
        three requests or more one is of the type ``always``.
        """
        number = self.wanted.number
        types = self.rng.sample(actions, len(actions))
        if always in actions and number > 2 and always not in types[:number]:
            types.remove(always)
            types.insert(self.rng.randrange(number), always)
        requests: list[Ask] = []
        for n in range(4 * number):
            request = self._request(types[n % len(types)]) if len(requests) < number else None
            requests += [] if request is None else [request]
        return tuple(requests)

    def _request(self, action: str) -> Ask | None:
        """A request that changes something, and is as wanted if such a one turns up."""
        matters = self.rng.randrange(100) < self.wanted.strict and action not in self.unruled
        least = 1 if action in self.single else self.wanted.steps
        self.known = Known.of(self.world)
        best: tuple[int, Ask, list[Deed]] | None = None
        seen = set[Ask]()
        for _ in range(self.tries):
            request = self.ask(action)
            if request in seen:
                continue
            seen.add(request)
            steps = self.deeds(self.known, self.policy, request)
            if not 0 < len(steps) <= self.most:
                continue
            is_ruled = not matters or self.deeds(self.known, self.lawless, request) != steps
            suits = is_ruled + (len(steps) >= least)
            if best is None or suits > best[0]:
                best = suits, request, steps
            if suits == 2:
                break
        if best is None:
            return None
        carry_out(self.world, best[2])
        return best[1]


class ErrandTask(Task):
    """Requests to apps: a subclass states how the records are drawn, what the requests need, and
    how a client reads the records.
    """

    calls: int = Field(0, ge=0)
    """How many calls the player has."""

    @abstractmethod
    def start(self) -> Tables:
        """The records of the apps at the start."""

    @abstractmethod
    def world(self) -> RecordWorld:
        """The apps at the start."""

    @abstractmethod
    def fulfil(self, world: RecordWorld) -> None:
        """Carry out all requests in a world, by its records and without reading through tools."""

    @abstractmethod
    def client(self) -> Client:
        """The oracle: it sees the policy, the requests and the results of calls alone."""

    @abstractmethod
    def brief(self) -> str:
        """The policy and the requests, without the tools."""

    @classmethod
    @abstractmethod
    def toolkit(cls) -> Sequence[Tool]:
        """The tools of the apps."""

    def prepared(self, world: RecordWorld) -> Self:
        """The task with a number of calls that tells little of how many are needed. The records at
        the start and the goal are taken from the world in which the requests have been drawn.
        """
        vars(self).update(tables=world.start, goal=world.changes())
        number = 20 + len(self.solution) * 8 // 5 // 10 * 10
        return self.model_copy(update={"calls": number})

    @cached_property
    def tables(self) -> Tables:
        """The records of the apps at the start, which no world writes."""
        return self.start()

    @cached_property
    def goal(self) -> Changes:
        """What differs when all requests are fulfilled."""
        world = self.world()
        self.fulfil(world)
        return world.changes()

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of the oracle."""
        return performed(self.world(), self.client())

    def is_valid(self) -> bool:
        """Whether the requests change something."""
        return bool(self.goal)

    def play(self) -> Play:
        world = self.world()
        brief = f"{self.brief()}\n\n{manual(self.toolkit(), self.calls)}"
        yield from world.session(brief, self.calls, self.goal)
        return judged(world.changes(), self.goal)

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in self.toolkit()]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))


def random_calls(
    rng: Random, task: ErrandTask, words: Sequence[str], numbers: Sequence[int] = range(1, 61)
) -> list[str]:
    """As many calls as a task allows, with random arguments of these texts and numbers."""
    moves = []
    for _ in range(task.calls):
        tool = rng.choice(task.toolkit())
        arguments: dict[str, Any] = {}
        for name, each in tool.parameters.items():
            if name in tool.optional and rng.randrange(2):
                continue
            if isinstance(each, tuple):
                arguments[name] = rng.choice(each)
            elif each is bool:
                arguments[name] = bool(rng.randrange(2))
            else:
                arguments[name] = rng.choice(words if each is str else numbers)
        moves.append(call(tool.name, **arguments))
    return moves
