"""Players who do not follow a conversation, for its baselines."""

from collections.abc import Iterator, Sequence
from random import Random

from palaestra.generators.tools.stateful_calls.domain import Entity, Row
from palaestra.generators.tools.stateful_calls.requests import Reference, Request
from palaestra.generators.tools.stateful_calls.world import NEXT, REPORT, toolkit
from palaestra.toolbox import call


def random_calls(
    rng: Random, entities: Sequence[Entity], records: Sequence[Sequence[Row]], number: int
) -> list[str]:
    """So many calls of random tools with values that fit them."""
    tools, moves = toolkit(entities), list[str]()
    for _ in range(number):
        tool = rng.choice(tools)
        n = rng.randrange(len(entities))
        row = rng.choice(records[n])
        texts = [row.label, row.trait, rng.choice(entities[n].states), str(row.number)]
        arguments = {
            name: rng.choice(texts) if each is str else rng.choice([row.number, row.number, 5])
            for name, each in tool.parameters.items()
        }
        moves.append(call(tool.name, **arguments))
    return moves


def careless(
    entities: Sequence[Entity], records: Sequence[Sequence[Row]], requests: Sequence[Request]
) -> Iterator[str]:
    """For each request the call that it names, with its amount as it stands, on the first record
    with the label; references mean the first record, undoing and repeating nothing.
    """
    for request in requests:
        yield call(NEXT)
        n, entity = request.entity, entities[request.entity]
        number = _first(records[n], request.target)
        amount = abs(request.amount)
        yield call(entity.tools.open)
        match request.action:
            case "adjust":
                tool = entity.tools.increase if request.amount > 0 else entity.tools.decrease
                yield call(tool, id=number, amount=amount)
            case "transfer":
                receiver = _first(records[n], request.receiver)
                yield call(entity.tools.transfer, id=number, receiver=receiver, amount=amount)
            case "state":
                yield call(entity.tools.advance, id=number, state=request.state)
            case "enter":
                yield call(entity.tools.enter, label=request.label, trait=request.trait)
            case "list" | "count":
                rows = [row for row in records[n] if request.state in {"", row.state}]
                numbers = [row.number for row in rows if request.trait in {"", row.trait}]
                value = ", ".join(map(str, numbers)) if request.action == "list" else len(numbers)
                yield call(REPORT, value=str(value))
            case "look":
                row = next(row for row in records[n] if row.number == number)
                yield call(REPORT, value=row.state if request.state else str(row.stock))
    yield call(NEXT)


def _first(rows: Sequence[Row], reference: Reference | None) -> int:
    """The first record with the label of a reference, or the first of all."""
    labels = [row.number for row in rows if reference and row.label == reference.label]
    return labels[0] if labels else rows[0].number
