"""Helpers of the tests of sessions."""

import asyncio
from contextlib import asynccontextmanager

from palaestra.address import Address
from palaestra.episode import TAGS
from palaestra.server.judging import Judge
from palaestra.server.sessions import Sessions
from palaestra.server.store import Store

CODE = Address.of("games/mastermind", seed=1, level=2)

MOVES = [TAGS.write(move) for move in CODE.task().solve()]

assert len(MOVES) >= 4

WRONG = TAGS.write("no")

STRANGE = "a\x00b \ud800 \udfff \U0001f600 ' \\ \" %s :x ? \u2028"


@asynccontextmanager
async def serving(url, **options):
    """The sessions of a server of its own."""
    store, judge = Store(url), Judge()
    try:
        yield Sessions(store, judge, **options)
    finally:
        judge.close()
        await asyncio.to_thread(store.close)
