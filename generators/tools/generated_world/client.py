"""A player that reads the records of a domain through its tools alone."""

import re
from collections.abc import Callable, Sequence

from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.generated_world.decisions import (
    Description,
    Request,
    Step,
    decide,
)
from palaestra.generators.tools.generated_world.domain import Domain
from palaestra.generators.tools.generated_world.tables import Row

_PAGES = re.compile(r"(.*) \(page \d+ of (\d+)\)", re.ASCII)


class Client:
    """Knows the documentation and the requests, and calls tools through ``use``: a function from a
    tool and its arguments to the result that a player reads.
    """

    def __init__(self, domain: Domain, use: Callable[[str, dict[str, int | str]], str]) -> None:
        self.domain, self.use = domain, use
        self.rows: dict[tuple[int, int], Row] = {}

    def fulfil(self, requests: Sequence[Request]) -> None:
        """Carry out the requests one after the other."""
        for number, request in enumerate(requests, 1):
            for step in decide(self.domain, self, request, number):
                self._call(step)
            self.rows.clear()  # calls have changed some of them

    def _call(self, step: Step) -> str:
        result = BUSY
        while result == BUSY:
            result = self.use(step.tool, step.arguments)
        return result

    def _list(self, tool: str, arguments: dict[str, int | str]) -> list[int]:
        """The ids on all pages."""
        numbers: list[int] = []
        page = last = 1
        while page <= last:
            if page > 1:
                arguments = arguments | {"page": page}
            match = _PAGES.fullmatch(self._call(Step(tool, arguments)))
            assert match
            numbers += [int(each) for each in re.findall(r"\d+", match[1], re.ASCII)]
            page, last = page + 1, int(match[2])
        return numbers

    def row(self, entity: int, number: int) -> Row:
        """The record with an id, looked up once for each request."""
        if (entity, number) not in self.rows:
            details = self.domain.entities[entity].details
            values = self._call(Step(details, {"id": number})).split("; ")
            label, trait, stock, state, owner = (
                value.rpartition(": ")[2] for value in [*values, "0"][:5]
            )
            self.rows[entity, number] = Row(number, label, trait, int(stock), state, int(owner))
        return self.rows[entity, number]

    def find(self, description: Description) -> Row:
        """The record that a description names."""
        entity = self.domain.entities[description.entity]
        numbers = self._list(entity.find, {entity.label: description.label})
        rows = [self.row(description.entity, number) for number in numbers]
        rows = [row for row in rows if description.fits(row)]
        if description.owner:
            above = description.entity - 1
            rows = [row for row in rows if self.row(above, row.owner).label == description.owner]
        (row,) = rows
        return row

    def owned(self, entity: int, owner: int) -> Sequence[int]:
        """The ids of the records of a type that an owner has."""
        return self._list(self.domain.entities[entity].owned, {"id": owner})
