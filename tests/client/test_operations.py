"""The client's operations give what the library gives in process."""

import inspect

import pytest
from tests.client.examples import ADDRESS, KNIGHTS, MASTERMIND, MOVES, RIGHT, outcome_of

import palaestra
from palaestra import Score, client, scoring
from palaestra.client import (
    AsyncClient,
    Client,
    ServiceError,
)

PUBLIC = """ANSWER_S BACKOFF BATCH_BYTES BUSY CLOSED COMPRESSED CONNECTIONS DRAWN ERRORS FLAWED
GATHERING_S JSON LOSSES LOST MSGPACK NDJSON OURS QUICK_US REFUSALS RETRIED AsyncClient AsyncSession
Call Client DeadlinePassed InvalidRequest ServiceError Session StepConflict UnknownSession"""


def test_names_stay_where_they_were():
    assert [*client.__all__] == PUBLIC.split()
    assert all(hasattr(client, name) for name in client.__all__)


def methods_of(kind):
    return {name for name in dir(kind) if callable(getattr(kind, name)) and name[0] != "_"}


@pytest.mark.parametrize(
    ("one", "other"), [(Client, AsyncClient), (client.Session, client.AsyncSession)]
)
def test_both_clients_can_do_the_same(one, other):
    assert methods_of(one) == methods_of(other)
    for name in methods_of(one):
        here, there = getattr(one, name), getattr(other, name)
        assert inspect.signature(here) == inspect.signature(there)
        assert here.__name__ == there.__name__ == name
        assert here.__doc__ == there.__doc__
        assert "Generator" not in str(inspect.signature(here).return_annotation)


ITEMS = [
    (ADDRESS, RIGHT),
    (str(ADDRESS), ["no"]),
    scoring.Item(f"{KNIGHTS}?level=2&seed=5", ADDRESS.task().answer(), "bare"),
    (MASTERMIND, MOVES),
    (MASTERMIND, MOVES[:-1]),
    (ADDRESS, []),
    (ADDRESS, [RIGHT, RIGHT]),
    ("logic/knights", RIGHT),
    (f"{KNIGHTS}@9", RIGHT),
    (f"{KNIGHTS}?people=99", RIGHT),
    (f"{KNIGHTS}?seed=x", RIGHT),
    (ADDRESS, RIGHT, "loud"),
]


def examples(where):
    """The same calls, wherever they are made: in ``palaestra.scoring`` or with a client."""
    yield lambda: where.tasks(KNIGHTS, [3, 1], 2, "eval", "boxed")
    yield lambda: where.tasks("tools/meeting_desk", range(300, 302))
    yield lambda: where.tasks(KNIGHTS, [], 99)
    yield lambda: where.tasks(KNIGHTS, people=6)
    yield lambda: where.tasks(KNIGHTS, peoples=6)
    for item in ITEMS:
        yield lambda item=item: where.score(*item)
    yield lambda: where.score_many(ITEMS)
    yield lambda: where.score_many(iter(ITEMS[:1]))
    yield lambda: where.score_many([])
    yield lambda: where.score_group(ADDRESS, [RIGHT, "no", [RIGHT]], "tags", ["pass@2", "majority"])
    yield lambda: where.score_group(ADDRESS, [RIGHT], transforms=["pass@x"])


def test_the_same_examples_in_process_and_over_http(either):
    here = [outcome_of(call) for call in examples(scoring)]
    assert [outcome_of(call) for call in examples(either)] == here
    assert here[5] == Score(1)
    assert here[12] == ("UnknownEnvironment", here[12][1])


def test_a_task_goes_by_its_address(there):
    for call in (there.score, there.open):
        with pytest.raises(TypeError, match="by its address"):
            call(ADDRESS.task(), RIGHT)


def test_a_text_that_nobody_can_send_is_mended(either):
    broken = f"\ud800{RIGHT} \U0001f600"
    assert either.score(ADDRESS, broken) == Score(1)
    assert [one.value for one in either.score_many([(ADDRESS, [broken]), (ADDRESS, "\ud83d")])] == [
        1,
        0,
    ]


def test_cards_and_answers(either, service):
    assert {card["category"] for card in either.environments(category="logic")} == {"logic"}
    for name in ("games/mastermind", "games.mastermind@1"):
        assert either.environment(name)["knobs_schema"]["properties"]["length"]
    with pytest.raises(palaestra.UnknownEnvironment):
        either.environment("games/nothing")
    assert either.oracle(MASTERMIND) == list(MASTERMIND.task().solve())
    assert either.oracle(f"{KNIGHTS}?level=2&seed=5") == [ADDRESS.task().answer()]
    with (
        Client(service.url, "reader") as reader,
        pytest.raises(ServiceError, match="scope 'answers'") as refused,
    ):
        reader.oracle(MASTERMIND)
    assert (refused.value.status, refused.value.slug) == (403, "forbidden")
