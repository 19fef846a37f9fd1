"""Counting tokens, and a limit that is not passed."""

import asyncio
from contextlib import suppress

import pytest

from palaestra.trainers.calibration.tokens import (
    JOURNAL,
    REPLY,
    OutOfTokens,
    TokenLimit,
    Usage,
    usage_in,
)
from palaestra.trainers.episodes import Reply, ToolCall

CHAT = [{"role": "user", "content": "x" * 400}]


def replying(prompt=100, completion=20, text="", delay=0.0):
    async def ask(messages, tools):
        await asyncio.sleep(delay)
        return Reply(text, prompt_tokens=prompt, completion_tokens=completion)

    return ask


def test_usage_is_kept_in_the_folder(tmp_path):
    limit = TokenLimit(folder=tmp_path)
    asyncio.run(limit.metered(replying())(CHAT, []))
    asyncio.run(limit.metered(replying(7, 3))(CHAT, []))
    assert limit.usage == usage_in(tmp_path) == Usage(107, 23, 2, 0)
    assert limit.usage.total == 130
    assert TokenLimit(folder=tmp_path).usage.total == 130
    with (tmp_path / JOURNAL).open("a") as file:
        file.write("\n[12, 3")  # as if the process had died while it wrote
    again = TokenLimit(folder=tmp_path)
    asyncio.run(again.metered(replying(1, 1))(CHAT, []))
    assert usage_in(tmp_path) == Usage(108, 24, 3, 0)
    for junk in ("{}", "[1]", '["a", 1, 1, 1]', "\x00", "[" * 5_000, "null"):
        (tmp_path / JOURNAL).write_text(f"\n[1, 2, 1, 0]\n{junk}\n[1, 2, 1, 0]")
        assert usage_in(tmp_path) == Usage(2, 4, 2, 0), junk


def test_what_is_not_reported_is_estimated():
    limit = TokenLimit()

    async def plain(messages, tools):
        return "y" * 40

    async def calling(messages, tools):
        return Reply("", (ToolCall("book", "z" * 80),))

    asyncio.run(limit.metered(plain)(CHAT, []))
    assert limit.usage == Usage(101, 11, 1, 1)
    asyncio.run(limit.metered(calling)(CHAT, []))
    assert limit.usage == Usage(202, 32, 2, 2)


@pytest.mark.parametrize("concurrency", [1, 16])
@pytest.mark.parametrize("bound", [700, 5_000, 12_345])
def test_the_limit_is_not_passed(bound, concurrency):
    limit = TokenLimit(bound, reply_limit=100)
    # The most that such a request may use: a token for each byte, and the longest reply.
    ask = limit.metered(replying(prompt=430, completion=100, delay=0.001))

    async def worker():
        with suppress(OutOfTokens):
            while True:
                await ask(CHAT, [])
                assert limit.usage.total <= bound

    async def go():
        await asyncio.gather(*(worker() for _ in range(concurrency)))

    asyncio.run(go())
    assert limit.exhausted
    assert bound - 700 < limit.usage.total <= bound
    assert limit.pending == 0


def test_requests_wait_for_those_under_way():
    # At most 630 tokens each are reserved, of which 20 are used: 50 fit one after the other.
    limit = TokenLimit(1_640, reply_limit=100)
    ask = limit.metered(replying(prompt=10, completion=10, delay=0.002))

    async def go():
        return await asyncio.gather(*(ask(CHAT, []) for _ in range(50)))

    assert len(asyncio.run(go())) == 50
    assert limit.usage.total == 1_000
    assert not limit.exhausted


def test_without_a_known_maximum_the_longest_reply_is_the_measure():
    limit = TokenLimit(REPLY + 1_000)
    asyncio.run(limit.metered(replying(10, 10))(CHAT, []))
    limit = TokenLimit(100_000)
    asyncio.run(limit.metered(replying(10, 40_000))(CHAT, []))
    with pytest.raises(OutOfTokens):  # another one may have twice as many
        asyncio.run(limit.metered(replying(10, 40_000))(CHAT, []))


def test_templates_that_add_much_are_learned():
    limit = TokenLimit(3_000, reply_limit=10)
    asyncio.run(limit.metered(replying(prompt=2_000, completion=10))(CHAT, []))
    with pytest.raises(OutOfTokens):
        asyncio.run(limit.metered(replying(prompt=2_000, completion=10))(CHAT, []))
    assert limit.usage.total == 2_010


def test_failed_requests_use_nothing_and_release_what_they_reserved():
    limit = TokenLimit(10_000, reply_limit=10)

    async def failing(messages, tools):
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(limit.metered(failing)(CHAT, []))
    assert (limit.pending, limit.usage) == (0, Usage())


def test_limits_that_are_none():
    with pytest.raises(ValueError, match="at least 1"):
        TokenLimit(0)
    assert TokenLimit().fits(10**12)
