"""Requests about records, by rules: what the tasks of a house, a library and a person share."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from palaestra.generators.tools.apps import Deed, Known, carry_out
from palaestra.generators.tools.errands import Asking, ErrandTask
from palaestra.generators.tools.records import RecordWorld, Tables

Values = tuple[int | str | bool, ...]
"""A row: its number first, and then its fields."""

Records = tuple[tuple[str, tuple[Values, ...]], ...]
"""The rows of each table by name."""


def tables_of(records: Records, fields: Mapping[str, Sequence[str]]) -> Tables:
    """The records as tables, with the names of the fields of each table.

    >>> tables_of((("note", ((7, "milk"),)),), {"note": ["text"]})
    {'note': {7: {'text': 'milk'}}}
    """
    return {
        name: {int(row[0]): dict(zip(fields[name], row[1:])) for row in rows}
        for name, rows in records
    }


class RuledRecordsTask(ErrandTask):
    """Requests about records, by rules: a subclass states the types of the policy and the requests,
    the fields of the tables, and what a request needs.
    """

    tags = {"tool-use", "policy", "hidden-state", "apps"}
    hidden = {"records", "seed"}

    fields: ClassVar[Mapping[str, Sequence[str]]]
    """The names of the fields of each table."""

    records: Records
    policy: Any
    requests: tuple[Any, ...]
    seed: int
    busy: int

    @classmethod
    def with_requests(
        cls, records: Records, asking: Asking[Any, Any], actions: Sequence[str], always: str,
        busy: int,
    ) -> Self:  # fmt: skip
        """A task with drawn requests of some types."""
        task = cls(
            records=records,
            policy=asking.policy,
            requests=asking.requests(actions, always),
            seed=asking.rng.getrandbits(32),
            busy=busy,
        )
        return task.prepared(asking.world)

    @abstractmethod
    def deeds(self, known: Known, request: Any) -> list[Deed]:
        """The calls that a request needs, by what is known."""

    def start(self) -> Tables:
        return tables_of(self.records, self.fields)

    def world(self) -> RecordWorld:
        return RecordWorld(self.toolkit(), self.tables, self.seed, self.busy)

    def fulfil(self, world: RecordWorld) -> None:
        for request in self.requests:
            carry_out(world, self.deeds(Known.of(world), request))
