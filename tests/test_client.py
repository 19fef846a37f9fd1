"""The client: the same as in process, few requests, and what it does when something goes wrong."""

import asyncio
import gzip
import inspect
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import formatdate
from threading import Event
from time import sleep, time

import httpx2 as httpx
import msgspec
import pytest

import palaestra
from palaestra import Address, Episode, JudgeError, Score, client, scoring
from palaestra.client import (
    AsyncClient,
    Client,
    DeadlinePassed,
    InvalidRequest,
    ServiceError,
    StepConflict,
    UnknownSession,
    batches,
    effects,
    sync_client,
)
from palaestra.episode import TAGS
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.verifiers.sandbox import Limits, SandboxUnavailable, sandbox
from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.zstd import ZstdDecompressor

KNIGHTS = "logic/knights_and_knaves"
ADDRESS = Address.of(KNIGHTS, seed=5, level=2)
RIGHT = TAGS.write(ADDRESS.task().answer())
TOKEN = "sesame"


def finished(work):
    """What some work gives; where it hangs, the test fails."""
    return asyncio.run(asyncio.wait_for(work, 60))


class Counting:
    """Keeps what a service was asked, and from which ports."""

    def __init__(self, app):
        self.app, self.asked, self.ports = app, [], set()

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            self.asked.append((scope["method"], scope["path"]))
            self.ports.add(scope["client"][1])
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def service():
    scopes = "read,score,sessions,programs,answers"
    app = build(Settings((f"{TOKEN} scopes={scopes}", "reader scopes=read")))
    counting = Counting(app)
    counting.sessions = app.state.service.sessions
    with background_server(counting) as counting.url:
        yield counting


@pytest.fixture
def there(service):
    with Client(service.url, TOKEN, patience_s=5) as made:
        yield made


class Waiting:
    """An asynchronous client, or a session of one, that is waited for."""

    def __init__(self, runner, made):
        self._runner, self._made = runner, made

    def __getattr__(self, name):
        found = getattr(self._made, name)
        if not callable(found):
            return found

        def call(*args, **named):
            told = found(*args, **named)
            return self._wrapped(self._runner.run(told) if asyncio.iscoroutine(told) else told)

        return call

    def _wrapped(self, told):
        if isinstance(told, list):
            return [*map(self._wrapped, told)]
        return Waiting(self._runner, told) if isinstance(told, client.AsyncSession) else told


@pytest.fixture(params=["threads", "asynchronous"])
def either(request, service):
    """Both clients in turn."""
    if request.param == "threads":
        with Client(service.url, TOKEN, patience_s=5) as made:
            yield made
        return
    with asyncio.Runner() as runner:
        made = AsyncClient(service.url, TOKEN, patience_s=5)
        yield Waiting(runner, made)
        runner.run(made.close())


# ------------------------------------------------------------------ what there is

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


# ------------------------------------------------------------------ the same in process and over it


def told(call):
    """What a call gives, or raises."""
    try:
        result = call()
    except Exception as fault:  # noqa: BLE001
        return type(fault).__name__, str(fault)
    if isinstance(result, list):
        return [told(lambda one=one: one) for one in result]
    if isinstance(result, JudgeError):
        return result.value, result.status, result.reason
    return result


MASTERMIND = Address.of("games/mastermind", seed=3)
MOVES = ["<answer>112</answer>", *map(TAGS.write, MASTERMIND.task().solve())]
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
    here = [told(call) for call in examples(scoring)]
    assert [told(call) for call in examples(either)] == here
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


# ------------------------------------------------------------------ sessions


def views(episode, transcript):
    """Everything that a player may look at."""
    return (
        episode.observation,
        episode.player,
        episode.score,
        episode.result(),
        transcript,
        None
        if episode.score
        else (episode.turn.legal_moves, episode.turn.state, episode.turn.player),
    )


def played(episode, moves):
    """What is seen and earned, move by move."""
    yield views(episode, episode.messages())
    for move in moves:
        earned = episode.step(move)
        yield earned, views(episode, episode.messages())


GAMES = [
    ("games/mastermind?seed=3", None, MOVES),
    ("games/mastermind?seed=3", None, ["nonsense", "<answer>111</answer>"]),
    ("tools/meeting_desk?seed=2", None, ["<answer>?</answer>", "no tag"]),
    ("matches/tic_tac_toe?forced=0&seed=1", [0, 1], ["<answer>b2</answer>", "<answer>a1</answer>"]),
    (str(ADDRESS), None, [RIGHT]),
]


@pytest.mark.parametrize(("address", "seats", "moves"), GAMES)
def test_a_session_is_played_like_an_episode(either, address, seats, moves):
    task = Address.parse(address).task()
    here, there = Episode(task, TAGS, (), seats), either.open(address, "tags", seats)
    assert [*played(there, moves)] == [*played(here, moves)]
    assert there.tools == tuple(task.tools())
    assert there.steps == len(moves)
    assert there.earned == pytest.approx(sum(here.rewards))
    if here.score:
        with pytest.raises(palaestra.EpisodeOver) as over:
            here.step("")
        with pytest.raises(palaestra.EpisodeOver, match=str(over.value)):
            there.step("")


def test_sessions_fork_rewind_and_end(either):
    session = either.open(MASTERMIND)
    session.step(MOVES[0])
    forks = session.fork_many(2)
    assert len({session.id, *(fork.id for fork in forks)}) == 3
    for fork in [*forks, session.fork()]:
        assert (fork.steps, fork.messages()) == (1, session.messages())
    for move in MOVES[1:]:
        forks[0].step(move)
    assert forks[0].score == Score(1)
    assert (forks[1].steps, forks[1].score) == (1, None)
    assert forks[0].rewind(0).observation == either.open(MASTERMIND).observation
    with pytest.raises(InvalidRequest, match="0 steps to go back to"):
        forks[0].rewind(1)
    again = either.session(session.id)
    assert (again.steps, again.observation, again.id) == (1, session.observation, session.id)
    session.delete()
    session.delete()  # which is no error
    for gone in (again.refresh, lambda: again.step("x"), lambda: either.session(session.id)):
        with pytest.raises(UnknownSession):
            gone()


def test_a_session_ends_with_its_block(there, service):
    with there.open(ADDRESS) as session:
        assert repr(session) == f"Session({session.id!r}, {str(ADDRESS)!r}, step=0)"
        assert session.id in service.sessions.active
    assert session.id not in service.sessions.active

    async def run():
        async with AsyncClient(service.url, TOKEN) as made, await made.open(ADDRESS) as session:
            return session.id

    assert finished(run()) not in service.sessions.active


def test_who_plays_a_session_at_the_same_time_is_told(either):
    mine = either.open(MASTERMIND)
    yours = either.session(mine.id)
    mine.step("<answer>111</answer>")
    assert yours.step("<answer>111</answer>") == 0  # the same reply to the same turn is the same
    mine.step("<answer>222</answer>")
    with pytest.raises(StepConflict, match="another move"):
        yours.step("<answer>333</answer>")
    assert yours.refresh().steps == 2
    yours.step("<answer>333</answer>")


def test_many_moves_in_a_few_requests(there, service):
    sessions = there.open_many(MASTERMIND, 100)
    before = len(service.asked)
    assert there.step_many([(one, MOVES[0]) for one in sessions]) == [0] * 100
    assert len(service.asked) - before <= 4
    over, lost, *rest = sessions
    for move in MOVES[1:]:
        over.step(move)
    there.session(lost.id).delete()
    results = there.step_many([(one, MOVES[1]) for one in (over, lost, *rest)])
    assert isinstance(results[0], palaestra.EpisodeOver)
    assert isinstance(results[1], UnknownSession)
    assert len(results[2:]) == 98
    assert all(isinstance(one, float) for one in results[2:])
    assert {one.steps for one in rest} == {2}
    with pytest.raises(ValueError, match="one move at a time"):
        there.step_many([(rest[0], "a"), (rest[0], "b")])


def test_moves_of_many_waiting_callers_go_together(service):
    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            sessions = await made.open_many(MASTERMIND, 300)
            before = len(service.asked)
            await asyncio.gather(*(one.step(MOVES[0]) for one in sessions))
            big = "x" * ((1 << 20) + 1)
            told = await asyncio.gather(
                *(one.step(big if n == 7 else MOVES[1]) for n, one in enumerate(sessions)),
                return_exceptions=True,
            )
            return len(service.asked) - before, told

    asked, results = finished(run())
    assert asked <= 40
    assert [n for n, one in enumerate(results) if isinstance(one, Exception)] == [7]
    assert isinstance(results[7], InvalidRequest)


# ------------------------------------------------------------------ programs


@pytest.fixture
def isolated():
    try:
        return sandbox()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


def verdict(found):
    return found.status, found.fraction, found.passed, [test.status for test in found.per_test]


def test_programs_run_as_in_the_sandbox_of_this_machine(there, isolated):
    double = "print(int(input()) * 2)"
    limits = Limits(cpu_s=2)
    here = isolated.run(double, stdin="21", limits=limits)
    away = there.run(double, stdin="21", limits=limits)
    assert (here.status, here.text, here.exit_code) == (away.status, away.text, away.exit_code)
    assert away.text == "42\n"
    for judge in ("judge_io", "judge_calls", "judge_asserts"):
        told = {
            "judge_io": (double, [("1", "2"), IoTest("3", "5", 3.0)]),
            "judge_calls": (
                "def f(x, y=1): return x + y",
                "f",
                [([1], 2), Case((1,), 3, 2.0, {"y": 2}), (["a"], "b")],
            ),
            "judge_asserts": ("def f(): return 1", "assert f() == 1\nassert f() == 2"),
        }[judge]
        found = getattr(there, judge)(*told, limits=limits)
        assert verdict(found) == verdict(getattr(isolated, judge)(*told, limits=limits))
        assert 0 <= found.fraction < 1


def test_asynchronous_programs(service, isolated):
    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            return (
                await made.run("print(1)"),
                await made.judge_io("print(1)", [("", "1")]),
                await made.judge_calls("def f(): return 1", "f", [([], 1)]),
                await made.judge_asserts("x = 1", "assert x == 1"),
            )

    ran, *verdicts = finished(run())
    assert ran.text == "1\n"
    assert [found.fraction for found in verdicts] == [1, 1, 1]


@pytest.mark.parametrize("value", [(1,), {1}, {1: 2}, float("nan"), [float("inf")], b"x", object()])
def test_values_that_would_change_on_their_way_are_refused(there, value):
    for case in ([[value], 1], [[], value], Case([], 1, 1.0, {"x": [value]})):
        with pytest.raises(TypeError, match="that JSON knows"):
            there.judge_calls("", "f", [case])


def test_what_programs_cannot_be_told_over_http(there):
    with pytest.raises(ValueError, match="no limit stack_mb"):
        there.run("", limits=Limits(stack_mb=1))
    with pytest.raises(ValueError, match="no arguments"):
        there.judge_io("", [IoTest("", "", 1.0, ("x",))])
    with pytest.raises(ValueError, match="cpu_s"):
        there.run("", limits=Limits(cpu_s=300))


# ------------------------------------------------------------------ together in one request


def test_thousands_of_waiting_callers_make_a_few_requests(service):
    replies = [RIGHT if n % 3 else "no" for n in range(2_000)]

    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            return await asyncio.gather(*(made.score(ADDRESS, reply) for reply in replies))

    service.asked.clear()
    service.ports.clear()
    scores = finished(run())
    assert [score.value for score in scores] == [float(reply == RIGHT) for reply in replies]
    assert len(service.asked) <= 12
    assert len(service.ports) <= client.CONNECTIONS


def test_one_caller_waits_for_nobody(there, service):
    service.asked.clear()
    there.score(ADDRESS, RIGHT)
    there.score(ADDRESS, "no")
    assert service.asked == [("POST", "/v1/score")] * 2


def test_a_failing_item_fails_for_its_caller_alone(service):
    items = [
        (ADDRESS, RIGHT),
        ("nothing/here", RIGHT),
        (ADDRESS, ["x"] * 501),  # for which a service refuses the whole batch
        (ADDRESS, [RIGHT, RIGHT]),
        ("x" * 2_001, RIGHT),
        *[(ADDRESS, RIGHT)] * 20,
    ]
    kinds = [Score, palaestra.UnknownEnvironment, InvalidRequest, palaestra.EpisodeOver]
    kinds += [InvalidRequest, *[Score] * 20]

    async def run():
        async with AsyncClient(service.url, TOKEN) as made:
            jobs = (made.score(*item) for item in items)
            return await asyncio.gather(*jobs, return_exceptions=True)

    assert [type(one) for one in finished(run())] == kinds
    with Client(service.url, TOKEN) as made, ThreadPoolExecutor(len(items)) as threads:
        jobs = [threads.submit(made.score, *item) for item in items]
        assert [type(job.exception() or job.result()) for job in jobs] == kinds
        assert [one.value for one in made.score_many(items)] == [
            1.0 if kind is Score else None for kind in kinds
        ]


def scored(request, **more):
    """Answers a request for scores with 1 for each item."""
    wish = msgspec.msgpack.decode(request.content)
    lone = {"value": 1.0, "micros": 5, **more}
    if "items" not in wish:
        return httpx.Response(200, json=lone)
    found = [lone | {"index": n} for n in range(len(wish["items"]))]
    if "ndjson" in request.headers["accept"]:
        return httpx.Response(200, content=b"".join(json.dumps(x).encode() + b"\n" for x in found))
    return httpx.Response(200, json={"results": found})


def number(request):
    return len(msgspec.msgpack.decode(request.content).get("items", [0]))


def over(handler, kind=Client, url="http://localhost", **options):
    """A client whose requests go to a function."""
    made = kind(url, **options)
    http = httpx.Client if kind is Client else httpx.AsyncClient
    made._http = http(transport=httpx.MockTransport(handler), base_url=url)
    return made


def test_threads_go_together():
    gate, sizes = Event(), []

    def handler(request):
        sizes.append(number(request))
        assert gate.wait(120)
        return scored(request)

    with over(handler) as made, ThreadPoolExecutor(64) as threads:
        jobs = [threads.submit(made.score, ADDRESS, RIGHT) for _ in range(64)]
        while sum(sizes) + len(made._slow.waiting) < 64:
            sleep(0.001)
        gate.set()
        assert [job.result() for job in jobs] == [Score(1)] * 64
    assert sum(sizes) == 64
    assert len(sizes) <= 1 + batches.SLOW.at_once + 1


def test_tasks_wait_for_each_other_while_requests_are_under_way(monkeypatch):
    monkeypatch.setattr(batches, "GATHERING_S", 0.3)

    async def run():
        gate, started, sizes = asyncio.Event(), asyncio.Event(), []

        async def handler(request):
            sizes.append(number(request))
            started.set()
            await gate.wait()
            return scored(request)

        async with over(handler, AsyncClient) as made:
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT))]
            await started.wait()
            for _ in range(20):
                jobs.append(asyncio.create_task(made.score(ADDRESS, RIGHT)))
                await asyncio.sleep(0)
            while sum(sizes) < len(jobs):
                await asyncio.sleep(0.001)
            assert sizes == [1, 20]
            # Whatever their number, only so many requests are under way.
            jobs += [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(4_000)]
            await asyncio.sleep(0.01)
            assert len(sizes) == batches.SLOW.at_once
            gate.set()
            assert await asyncio.gather(*jobs) == [Score(1)] * 4_021
            assert len(sizes) <= batches.SLOW.at_once + 4_000 // 256 + 2

    finished(run())


def test_batches_are_cut_by_number_and_by_size():
    sizes = []

    def handler(request):
        sizes.append(number(request))
        return scored(request)

    with over(handler) as made:
        made.score(ADDRESS, RIGHT)  # so that it is known to be quick
        assert made.score_many([(ADDRESS, RIGHT)] * 600) == [Score(1)] * 600
        assert sorted(sizes) == [1, 88, 256, 256]
        long = "x" * (client.BATCH_BYTES // 3)
        assert made.score_many([(ADDRESS, long)] * 5) == [Score(1)] * 5
        assert sorted(sizes[4:]) == [1, 2, 2]


def test_slow_verdicts_do_not_hold_up_quick_ones():
    """Of environments that are slow, or not known yet, each answer comes when it is there."""

    async def run():
        gate = asyncio.Event()

        async def lines():
            yield b'{"value": 1, "micros": 10, "index": 1}\n{"value": 0.5, "mic'
            await gate.wait()
            yield b'ros": 9000000, "index": 0}\n'

        def handler(request):
            if "items" in msgspec.msgpack.decode(request.content) and not gate.is_set():
                return httpx.Response(200, content=lines())
            return scored(request)

        async with over(handler, AsyncClient) as made:
            slow = asyncio.create_task(made.score("a/b@1?seed=1", "x"))
            quick = asyncio.create_task(made.score("c/d@1?seed=1", "x"))
            assert (await quick).value == 1
            assert not slow.done()
            gate.set()
            assert (await slow).value == 0.5
            quick = made._latencies.quick
            return quick("c/d"), quick("a/b"), quick("e/f")

    assert finished(run()) == (True, False, False)


def test_a_caller_that_is_cancelled_takes_nobody_along():
    async def run():
        gate, started, requests, ended = asyncio.Event(), asyncio.Event(), [], []

        async def handler(request):
            requests.append(number(request))
            started.set()
            try:
                await gate.wait()
            except asyncio.CancelledError:
                ended.append("given up")
                raise
            return scored(request)

        async with over(handler, AsyncClient) as made:
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(5)]
            await started.wait()
            late = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(2)]
            await asyncio.sleep(0)
            jobs[0].cancel()
            jobs[4].cancel()
            late[0].cancel()  # it waits to be sent, and never is
            await asyncio.wait([jobs[0], jobs[4], late[0]])
            gate.set()
            told = await asyncio.gather(*jobs, *late, return_exceptions=True)
            left = [isinstance(one, asyncio.CancelledError) for one in told]
            assert left == [True, False, False, False, True, True, False]
            assert {type(one) for one in told} == {asyncio.CancelledError, Score}
            assert requests == [5, 1]
            # When all are cancelled, so is the request; before it began, too.
            gate.clear()
            started.clear()
            jobs = [asyncio.create_task(made.score(ADDRESS, RIGHT)) for _ in range(3)]
            await started.wait()
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            while not ended:
                await asyncio.sleep(0)
            for _ in range(2 * batches.SLOW.at_once):
                job = asyncio.create_task(made.score(ADDRESS, RIGHT))
                while not (made._slow.tasks or made._quick.tasks):
                    await asyncio.sleep(0)
                job.cancel()
                await asyncio.gather(job, return_exceptions=True)
                while made._slow.tasks or made._quick.tasks:
                    await asyncio.sleep(0)
            gate.set()
            assert await made.score(ADDRESS, RIGHT) == Score(1)

    finished(run())


# ------------------------------------------------------------------ trying again


class Steps:
    """Answers one request after the other as it is told to."""

    def __init__(self, *steps):
        self.steps, self.requests = list(steps), []

    def __call__(self, request):
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        if callable(step):
            return step(request)
        status, headers = step if isinstance(step, tuple) else (step, {})
        return httpx.Response(status, headers=headers, json={"detail": "busy"})


@pytest.fixture
def pauses(monkeypatch):
    """Does not really wait; keeps for how long it was to be."""
    slept = []
    monkeypatch.setattr(sync_client, "sleep", slept.append)
    return slept


def test_it_tries_again_with_jitter(pauses, monkeypatch):
    spans = []
    monkeypatch.setattr("random.uniform", lambda low, high: spans.append((low, high)) or low)
    faults = [429, 503, 504, httpx.ConnectError("refused"), httpx.ReadError("reset"), 503, 503]
    handler = Steps(*faults, scored)
    assert over(handler).score(ADDRESS, RIGHT) == Score(1)
    assert [high for _, high in spans] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert pauses == [low for low, _ in spans] == [high / 2 for _, high in spans]
    assert len({request.content for request in handler.requests}) == 1


def test_it_waits_as_long_as_it_is_asked_to(pauses):
    soon = formatdate(time() + 9, usegmt=True)
    headers = [{"retry-after": told} for told in ("2", soon, "never", "-1")]
    handler = Steps(*((503, each) for each in headers), scored)
    assert over(handler).score(ADDRESS, RIGHT) == Score(1)
    assert 2 <= pauses[0] <= 2.1
    assert 7 <= pauses[1] <= 9.2
    assert all(0 <= pause <= 0.8 for pause in pauses[2:])


def test_it_does_not_wait_beyond_its_patience(pauses):
    handler = Steps((503, {"retry-after": "31"}))
    with pytest.raises(ServiceError, match="gave up after 1 tries: it answers 503") as caught:
        over(handler).score(ADDRESS, RIGHT)
    assert (caught.value.status, pauses) == (503, [])
    assert not isinstance(caught.value, DeadlinePassed)
    handler = Steps(httpx.ConnectError("refused"))
    with pytest.raises(ServiceError, match="gave up after 1 tries: refused") as caught:
        over(handler, patience_s=0).tasks(KNIGHTS)
    assert caught.value.status is None


def test_other_refusals_are_final(pauses):
    for status in (401, 403, 404, 500, 502):
        for made in (over(Steps(status)), over(Steps(status))):
            with pytest.raises(ServiceError, match=f"{status}: ") as caught:
                made.score(ADDRESS, RIGHT)
            assert caught.value.status == status
        with pytest.raises(ServiceError, match=f"{status}: "):
            over(Steps(status, status)).score_many([(ADDRESS, RIGHT)] * 2)
    assert pauses == []


def busy(request):
    """Is too busy for the second item."""
    found = [{"value": 1.0, "index": 0}, {"value": None, "index": 1, "error": "overloaded"}]
    assert "ndjson" in request.headers["accept"]
    return httpx.Response(200, content=b"".join(json.dumps(one).encode() + b"\n" for one in found))


def test_only_what_was_not_answered_is_asked_again(pauses):
    def broken(request):
        def lines():
            yield b'{"value": 1, "index": 2}\n{"value": 1, "ind'
            raise httpx.ReadError("reset")

        return httpx.Response(200, content=lines())

    handler = Steps(broken, busy, scored)
    assert over(handler).score_many([(ADDRESS, RIGHT)] * 3) == [Score(1)] * 3
    assert [number(request) for request in handler.requests] == [3, 2, 1]
    assert len(pauses) == 2


def test_it_is_patient_as_long_as_something_comes_of_it(monkeypatch):
    """Forty rounds with a tenth of a second between them, though patience is for one second."""
    now = [0.0]
    monkeypatch.setattr(effects, "monotonic", lambda: now[0])
    monkeypatch.setattr(sync_client, "sleep", lambda s: now.__setitem__(0, now[0] + s))
    monkeypatch.setattr("random.uniform", lambda low, high: high)

    def one_at_a_time(request):
        told = [{"value": 1.0, "index": 0}]
        told += [
            {"value": None, "index": n, "error": "overloaded"} for n in range(1, number(request))
        ]
        return httpx.Response(200, text="\n".join(map(json.dumps, told)))

    with over(Steps(*[one_at_a_time] * 39, scored), patience_s=1) as made:
        assert made.score_many([(ADDRESS, RIGHT)] * 40) == [Score(1)] * 40
    assert now[0] == pytest.approx(3.9)
    all_busy = {"value": None, "index": 0, "error": "overloaded", "reason": "too many"}
    made = over(Steps(*[lambda _: httpx.Response(200, json=all_busy)] * 9), patience_s=1)
    with pytest.raises(ServiceError, match="too many"):
        made.score_many([(ADDRESS, RIGHT)] * 2)


def test_a_group_is_scored_as_a_whole(pauses):
    def group(error):
        results = [{"value": None, "error": error, "reason": "wait"}, {"value": 1.0}]
        return lambda _: httpx.Response(200, json={"results": results})

    scores = over(Steps(group("overloaded"), group("internal"))).score_group(ADDRESS, ["", RIGHT])
    assert [score.value for score in scores.scores] == [None, 1]
    assert len(pauses) == 1


@pytest.mark.parametrize("bombs", [1, 2])
def test_what_kills_workers_is_not_tried_for_ever(pauses, bombs):
    died = {"value": None, "error": "worker-lost", "reason": "it died"}
    problem = {"type": "urn:palaestra:problem:worker-lost", "detail": "it died"}

    def handler(request):
        wish = msgspec.msgpack.decode(request.content)
        requests.append(wish)
        if "items" not in wish:
            return httpx.Response(503, json=problem)
        lines = [
            json.dumps((died if item["replies"] == "bomb" else {"value": 1.0}) | {"index": n})
            for n, item in enumerate(wish["items"])
        ]
        return httpx.Response(200, text="\n".join(lines))

    requests = []
    with over(handler) as made:
        told = made.score_many([(ADDRESS, "bomb")] * bombs + [(ADDRESS, RIGHT)] * (bombs - 1))
        for score in told[:bombs]:
            assert (score.value, score.reason) == (None, "it died")
        assert told[bombs:] == [Score(1)] * (bombs - 1)
        assert len(requests) == client.LOSSES
        with pytest.raises(JudgeError, match="it died"):
            made.score(ADDRESS, "bomb")


@contextmanager
def losing(service, path):
    """A client to whom the first answer from a path is lost."""
    lost, asked = [], []

    class Transport(httpx.HTTPTransport):
        def handle_request(self, request):
            response = super().handle_request(request)
            asked.append(request)
            if request.url.path.endswith(path) and not lost:
                lost.append(response)
                response.close()
                raise httpx.ReadError("reset")
            return response

    with Client(service.url, TOKEN) as made:
        made._http = httpx.Client(
            transport=Transport(), base_url=service.url, headers=made._settings["headers"]
        )
        made.asked, made.lost = asked, lost
        yield made


def test_sessions_are_opened_once_though_the_answer_is_lost(service):
    with losing(service, "/v1/sessions") as made:
        before = len(service.sessions.active)
        session = made.open(MASTERMIND)
        assert made.lost
        assert len(service.sessions.active) == before + 1
        first, second = (request.headers["idempotency-key"] for request in made.asked)
        assert first == second
        assert made.open(MASTERMIND).id != session.id
        mine = [made.open(MASTERMIND, key="mine").id for _ in range(2)]
        assert mine[0] == mine[1]
        with pytest.raises(ServiceError, match="used for another request"):
            made.open(ADDRESS, key="mine")


@pytest.mark.parametrize("path", ["/step", "/rewind", ""])
def test_moves_are_made_once_though_the_answer_is_lost(service, path):
    with losing(service, path or "nothing") as made:
        session = made.open(MASTERMIND)
        session.step(MOVES[0])
        session.rewind(0)
        session.step("<answer>113</answer>")
        assert bool(made.lost) == bool(path)
        assert (session.refresh().steps, len(session.messages())) == (1, 3)


# ------------------------------------------------------------------ deadlines


def test_the_service_is_told_the_deadline():
    handler = Steps(scored, scored, lambda _: httpx.Response(200, json={"tasks": []}))
    made = over(handler)
    made.score(ADDRESS, RIGHT)
    made.score(ADDRESS, RIGHT, deadline_s=20)
    made.tasks(KNIGHTS, deadline_s=1e9)
    told = [request.headers.get("x-deadline-ms") for request in handler.requests]
    assert told[0] is None
    assert 15_000 < int(told[1]) <= 20_000
    assert told[2] == "999999999"
    assert handler.requests[1].extensions["timeout"]["read"] <= 20


def test_there_are_no_tries_after_the_deadline(pauses):
    handler = Steps((503, {"retry-after": "2"}))
    with pytest.raises(TimeoutError, match="gave up after 1 tries"):
        over(handler).score(ADDRESS, RIGHT, deadline_s=1)
    with pytest.raises(DeadlinePassed, match="the deadline passed"):
        over(Steps()).score_group(ADDRESS, [RIGHT], deadline_s=0)
    # With a longer one, it is the deadline that counts, and not the usual patience.
    handler = Steps((503, {"retry-after": "40"}), scored)
    assert over(handler).score(ADDRESS, RIGHT, deadline_s=60) == Score(1)


def test_each_caller_has_a_deadline_of_his_own():
    async def run():
        gate = asyncio.Event()
        told = []

        async def handler(request):
            told.append(request.headers.get("x-deadline-ms"))
            await gate.wait()
            return scored(request)

        async with over(handler, AsyncClient) as made:
            hurried = asyncio.create_task(made.score(ADDRESS, RIGHT, deadline_s=0.01))
            patient = asyncio.create_task(made.score(ADDRESS, RIGHT))
            with pytest.raises(DeadlinePassed):
                await hurried
            assert not patient.done()
            gate.set()
            assert await patient == Score(1)
            # Where all have one, the service is told the latest.
            jobs = [made.score(ADDRESS, RIGHT, deadline_s=wait) for wait in (5, 50)]
            assert await asyncio.gather(*jobs) == [Score(1)] * 2
        assert told[0] is None
        assert 40_000 < int(told[1]) <= 50_000

    finished(run())


def test_scores_that_came_before_the_deadline_are_kept(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(effects, "monotonic", lambda: now[0])
    line = b'{"value": 1, "index": 1}\n'

    def hanging(request):
        def lines():
            yield line
            now[0] += 9
            raise httpx.ReadTimeout("too late")

        return httpx.Response(200, content=lines())

    with over(Steps(hanging)) as made:
        first, second = made.score_many([(ADDRESS, RIGHT)] * 2, deadline_s=5)
        assert isinstance(first, JudgeError)
        assert "deadline" in first.reason.casefold()
        assert second == Score(1)

    async def run():
        async def lines():
            yield line
            await asyncio.Event().wait()

        def handler(request):
            return httpx.Response(200, content=lines())

        async with over(handler, AsyncClient) as made:
            return await made.score_many([(ADDRESS, RIGHT)] * 2, deadline_s=0.1)

    first, second = finished(run())
    assert isinstance(first, JudgeError)
    assert second == Score(1)


# ------------------------------------------------------------------ bodies and ends


def test_large_bodies_are_compressed_on_their_way_to_other_machines(service):
    answer = lambda _: httpx.Response(200, json={"value": 1})  # noqa: E731
    handler = Steps(answer, answer)
    made = over(handler, url="http://example.org")
    made.score(ADDRESS, RIGHT)
    made.score(ADDRESS, "x" * client.COMPRESSED)
    sent = handler.requests
    assert [request.headers.get("content-encoding") for request in sent] == [None, "zstd"]
    assert msgspec.msgpack.decode(ZstdDecompressor().decompress(sent[1].content))["address"] == str(
        ADDRESS
    )
    for url in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"):
        assert not Client(url)._compress
    with Client(service.url, TOKEN, compress=True) as made:
        assert made.score(ADDRESS, "x" * client.COMPRESSED + RIGHT) == Score(1)


def test_large_bodies_are_compressed_without_zstandard(service, monkeypatch):
    monkeypatch.delitem(sys.modules, "palaestra.zstd", raising=False)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    answer = lambda _: httpx.Response(200, json={"value": 1})  # noqa: E731
    handler = Steps(answer)
    over(handler, url="http://example.org").score(ADDRESS, "x" * client.COMPRESSED)
    (request,) = handler.requests
    assert request.headers["content-encoding"] == "gzip"
    assert msgspec.msgpack.decode(gzip.decompress(request.content))["address"] == str(ADDRESS)


def test_what_no_service_of_ours_answers():
    page = lambda _: httpx.Response(200, text="<h1>Log in")  # noqa: E731
    for call in (
        lambda made: made.score(ADDRESS, RIGHT),
        lambda made: made.score_many([(ADDRESS, RIGHT)] * 2),
        lambda made: made.environments(),
    ):
        with pytest.raises(ServiceError, match="cannot be read"):
            call(over(page))


def test_an_answer_that_leaves_items_out_is_no_answer(pauses):
    empty = lambda _: httpx.Response(200, content=b"")  # noqa: E731
    short = lambda _: httpx.Response(200, json={"results": []})  # noqa: E731
    made = over(Steps(empty, scored, short), patience_s=0)
    for first in (True, False):  # from an environment that is not known yet, and from a quick one
        with pytest.raises(ServiceError, match="leaves out answers"):
            made.score_many([(ADDRESS, RIGHT)] * 2)
        if first:
            assert made.score(ADDRESS, RIGHT) == Score(1)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", ""])
def test_a_service_has_a_url(url):
    with pytest.raises(ValueError, match="such as http://host:8000"):
        Client(url)


def test_a_closed_client_says_so():
    gate, sent, jobs = Event(), [], []

    def handler(request):
        sent.append(request)
        assert gate.wait(120)
        return scored(request)

    made = over(handler)
    with ThreadPoolExecutor(40) as threads:
        while not made._slow.waiting:  # one after another, or all may go in the first requests
            before = len(sent)
            jobs.append(threads.submit(made.score, ADDRESS, RIGHT))
            while len(sent) == before and not made._slow.waiting:
                sleep(0.001)
        made.close()
        gate.set()
        told = [job.exception() for job in jobs]
    assert any(isinstance(one, ServiceError) and "closed" in str(one) for one in told)
    with pytest.raises(ServiceError, match="closed"):
        made.score(ADDRESS, RIGHT)

    async def run():
        started = asyncio.Event()

        async def handler(request):
            started.set()
            await asyncio.Event().wait()

        made = over(handler, AsyncClient)
        job = asyncio.create_task(made.score(ADDRESS, RIGHT))
        await started.wait()
        waiting = asyncio.create_task(made.score(ADDRESS, RIGHT))
        await asyncio.sleep(0)
        await made.close()
        return await asyncio.gather(job, waiting, return_exceptions=True)

    for fault in finished(run()):
        assert isinstance(fault, ServiceError)
        assert "closed" in str(fault)


def test_an_asynchronous_client_belongs_to_one_loop(service):
    made = AsyncClient(service.url, TOKEN)

    async def score():
        return await made.score(ADDRESS, RIGHT)

    with asyncio.Runner() as runner:
        assert runner.run(score()) == Score(1)
        with pytest.raises(RuntimeError, match="one event loop"):
            asyncio.run(score())
        runner.run(made.close())
