"""Named verifiers over HTTP: batches, golds of a client, limits, scopes, lost workers, clients that
leave.
"""

import json
import re

import httpx2 as httpx
import msgspec
import pytest
from tests.server.examples import line_to, problem

from palaestra.server import judging, verification
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.server.structs import BATCH
from palaestra.verification import judged_chunk
from palaestra.workers.pool import Late, Lost, OutOfMemory

HALVES = [r"It is $\boxed{0.5}$.", r"\boxed{2}", "no idea"]
PROGRAM = {"verifier": "program_asserts", "gold": "assert f() == 1"}
NDJSON, MSGPACK = "application/x-ndjson", "application/msgpack"


def results(http, **body):
    response = http.post("/v1/verify", json=body)
    assert response.status_code == 200, response.text
    return response.json()["results"]


def values(verdicts, *fields):
    return [tuple(one[field] for field in fields) for one in verdicts]


# ------------------------------------------------------------------ what comes back


def test_many_replies_to_one_gold(http):
    verdicts = results(http, verifier="answer", gold="1/2", replies=HALVES)
    assert values(verdicts, "value", "status", "reply") == [
        (1, "scored", 0), (0, "scored", 1), (0, "no_answer", 2),
    ]  # fmt: skip
    assert [one["extracted"] for one in verdicts] == ["0.5", "2", None]
    assert verdicts[1]["reason"]
    assert verdicts[0]["micros"] > 0
    (one,) = results(http, verifier="quantity", gold="90 km/h", options={"relative": 0.1},
                     replies="<answer>26 m/s</answer>", answer_format="tags")  # fmt: skip
    assert (one["value"], one["extracted"]) == (1, "26 m/s")


def test_many_items_with_golds_of_their_own(http):
    verdicts = results(
        http,
        verifier="answer",
        answer_format="tags",
        items=[
            {"gold": "1/2", "replies": ["<answer>0.5</answer>", "<answer>2</answer>"]},
            {"gold": "7", "replies": r"\boxed{7}", "answer_format": "boxed"},
            {"gold": "x", "replies": "<answer>5</answer>", "verifier": "number"},
            {"gold": "5", "replies": "<answer>5</answer>", "verifier": "nubmer"},
            {"gold": 5, "replies": "<answer>5</answer>", "verifier": "number",
             "options": {"digit": 3}},
            {"gold": {"a": PROGRAM | {"gold": 1}}, "replies": "<answer>5</answer>",
             "verifier": "all"},
        ],
    )  # fmt: skip
    assert values(verdicts, "index", "reply", "value", "error", "pointer") == [
        (0, 0, 1, None, None),
        (0, 1, 0, None, None),
        (1, 0, 1, None, None),
        (2, 0, None, "bad-gold", "/items/2/gold"),
        (3, 0, None, "unknown-verifier", None),
        (4, 0, None, "bad-gold", "/items/4/options/digit"),
        (5, 0, None, "bad-gold", "/items/5/gold/a/gold"),
    ]
    assert verdicts[3]["status"] == "gold_error"
    assert results(http, verifier="answer", items=[]) == []


def test_lines_in_and_out(http):
    lines = [
        {"verifier": "number", "gold": "1", "replies": ["1", "2"]},
        {"verifier": "number", "gold": "x", "replies": "1"},
        {"verifier": "number", "gold": "3", "replies": "3"},
    ]
    body = "\n".join([*map(json.dumps, lines), "", "neither", '{"gold": 1}'])
    headers = {"content-type": NDJSON, "accept": NDJSON}
    response = http.post("/v1/verify", content=body, headers=headers)
    assert response.headers["content-type"] == NDJSON
    verdicts = [json.loads(line) for line in response.text.splitlines()]
    assert values(verdicts, "index", "reply", "value", "error") == [
        (0, 0, 1, None), (0, 1, 0, None), (1, 0, None, "bad-gold"), (2, 0, 1, None),
        (3, 0, None, "malformed"), (4, 0, None, "invalid-request"),
    ]  # fmt: skip
    wanted = {"verifier": "number", "gold": "1", "replies": ["1"] * 200, "order": "completion"}
    response = http.post("/v1/verify", json=wanted, headers={"accept": NDJSON})
    verdicts = [json.loads(line) for line in response.text.splitlines()]
    assert sorted(one["reply"] for one in verdicts) == list(range(200))
    assert all(one["correct"] for one in verdicts)


def test_messagepack(http):
    graph = {"nodes": ["A", "B"], "edges": [["A", "B"]], "source": "A", "target": "B"}
    wanted = {"verifier": "path", "gold": graph, "options": {"at_most": 1}, "replies": ["A B"]}
    headers = {"content-type": MSGPACK, "accept": MSGPACK}
    response = http.post("/v1/verify", content=msgspec.msgpack.encode(wanted), headers=headers)
    (one,) = msgspec.msgpack.decode(response.content)["results"]
    assert (one["value"], one["parts"]) == (1, {"cost": 1})
    for odd in (float("nan"), b"x", msgspec.msgpack.Ext(1, b"x")):
        body = msgspec.msgpack.encode({"verifier": "json_equal", "gold": [odd], "replies": "1"})
        document = problem(http.post("/v1/verify", content=body, headers=headers),
                           422, "invalid-request")  # fmt: skip
        assert document["errors"][0]["pointer"] == "/gold"


def test_a_recipe_makes_rewards_of_verdicts(http):
    wanted = {
        "verifier": "answer", "gold": "1/2", "replies": HALVES,
        "recipe": "Truth(partial=0) + 0.5 * SoftOverlong(limit=100, buffer=50)",
        "transcripts": [{"tokens": 75}, {"tokens": 10}, None],
    }  # fmt: skip
    verdicts = results(http, **wanted)
    assert [one.get("reward") for one in verdicts] == [0.75, 0, None]
    assert [one["error"] for one in verdicts] == [None, None, "bad-recipe"]
    problem(http.post("/v1/verify", json=wanted | {"transcripts": [None] * 3}), 422, "bad-recipe")
    problem(http.post("/v1/verify", json=wanted | {"recipe": "Truth("}), 422, "bad-recipe")
    wrong = http.post("/v1/verify", json=wanted | {"transcripts": [None]})
    assert problem(wrong, 422, "invalid-request")["errors"][0]["pointer"] == "/transcripts"


@pytest.mark.slow
def test_programs_and_what_contains_them_run_in_the_sandbox(http):
    right, wrong = "def f(): return 1", "```python\ndef f():\n    return 2\n```"
    verdicts = results(http, **PROGRAM, replies=[right, wrong, "import os; os._exit(0)"])
    assert [one["value"] for one in verdicts] == [1, 0, 0]
    form = {"verifier": "pattern", "gold": "def .*"}
    both = {"form": form, "tests": PROGRAM}
    verdicts = results(http, verifier="all", gold=both, replies=[right, wrong])
    assert [one["value"] for one in verdicts] == [1, 0]
    assert verdicts[0]["parts"] == {"form": 1, "tests": 1, "tests/progress": 1}


def test_the_list_names_what_can_be_asked_for(http):
    rows = http.get("/v1/verifiers").json()["verifiers"]
    names = [row["name"] for row in rows]
    assert {"answer", "sql_result", "program_output", "gate"} <= {*names}
    row = http.get("/v1/verifiers/quantity").json()
    assert row == next(each for each in rows if each["name"] == "quantity")
    assert row["options"]["properties"]["relative"]["exclusiveMaximum"] == 1
    assert (
        "quantity" in problem(http.get("/v1/verifiers/quantty"), 404, "unknown-verifier")["detail"]
    )
    for row in rows:
        if row["runs"] == "worker":
            gold, reply, options = row["example"].values()
            wanted = {"verifier": row["name"], "gold": gold, "options": options}
            (one,) = results(http, **wanted, replies=reply)
            assert one["correct"], (row["name"], one)


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("body", "status", "slug", "pointer"),
    [
        ({"gold": "1", "replies": "1"}, 422, "invalid-request", "/verifier"),
        ({"verifier": "number", "replies": "1"}, 422, "invalid-request", "/gold"),
        ({"verifier": "number", "gold": 1}, 422, "invalid-request", "/replies"),
        ({"verifier": "number", "gold": 1, "replies": []}, 422, "invalid-request", "/replies"),
        ({"verifier": "number", "gold": 1, "replies": 1}, 422, "invalid-request", "/replies"),
        ({"verifier": "number", "gold": 1, "replies": ["1"] * (BATCH + 1)}, 422,
         "invalid-request", "/replies"),
        ({"verifier": "number", "gold": 1, "replies": "1", "items": []}, 422, "invalid-request",
         "/items"),
        ({"verifier": "number", "items": [{"gold": 1, "replies": ["1"] * 600}] * 2}, 422,
         "invalid-request", "/items"),
        ({"verifier": "number", "items": [{"gold": 1, "reply": "1"}]}, 422, "invalid-request",
         "/items/0"),
        ({"verifier": "number", "gold": 1, "replies": "1", "answer_format": "tag"}, 422,
         "invalid-request", "/answer_format"),
        ({"verifier": "number", "gold": 1, "replies": "1", "timeout_ms": 60_001}, 422,
         "invalid-request", "/timeout_ms"),
        ({"verifier": "number", "gold": 1, "replies": "x" * ((1 << 20) + 1)}, 422,
         "invalid-request", "/replies"),
        ({"verifier": "number", "gold": "x", "replies": ["1", "2"]}, 422, "bad-gold", "/gold"),
        ({"verifier": "number", "gold": 1, "options": [], "replies": "1"}, 422, "bad-gold",
         "/options"),
        ({"verifier": "exact", "gold": "x" * (4 << 20), "replies": "1"}, 422, "bad-gold", "/gold"),
        ({"verifier": "format", "gold": ["a"], "replies": "1", "answer_format": "tags"}, 422,
         "bad-gold", "/answer_format"),
        ({"verifier": "nubmer", "gold": 1, "replies": "1"}, 404, "unknown-verifier", None),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_is_named(http, body, status, slug, pointer):
    document = problem(http.post("/v1/verify", json=body), status, slug)
    if pointer is not None:
        assert document["errors"][0]["pointer"].startswith(pointer)


@pytest.mark.parametrize("depth", [300, 5_000])
def test_golds_that_nest_deeply_are_refused(http, depth):
    deep = "[" * depth + "]" * depth
    for body in (
        f'{{"verifier": "json_equal", "gold": {deep}, "replies": "1"}}',
        f'{{"verifier": "all", "gold": {deep}, "replies": "1"}}',
        f'{{"verifier": "number", "gold": 1, "options": {{"x": {deep}}}, "replies": "1"}}',
    ):
        response = http.post(
            "/v1/verify", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code in {400, 422}, response.text
    assert http.get("/livez").status_code == 200


def test_only_posts_are_taken(http):
    assert problem(http.get("/v1/verify"), 405, "http")


def test_scopes(guarded):
    wanted = {"verifier": "number", "gold": 1, "replies": "1"}
    with httpx.Client(base_url=guarded, timeout=60) as http:

        def asked(token, body):
            headers = {"authorization": f"Bearer {token}"}
            return http.post("/v1/verify", json=body, headers=headers)

        problem(http.post("/v1/verify", json=wanted), 401, "unauthorised")
        problem(asked("reader", wanted), 403, "forbidden")
        assert asked("scorer", wanted).json()["results"][0]["correct"]
        program = PROGRAM | {"replies": "def f(): return 1"}
        assert "'programs'" in problem(asked("scorer", program), 403, "forbidden")["detail"]
        inside = {"verifier": "all", "gold": {"a": PROGRAM}, "replies": "1"}
        problem(asked("scorer", inside), 403, "forbidden")
        reader = {"authorization": "Bearer reader"}
        assert http.get("/v1/verifiers", headers=reader).status_code == 200
        problem(http.get("/v1/verifiers", headers={"authorization": "Bearer scorer"}), 403,
                "forbidden")  # fmt: skip


# ------------------------------------------------------------------ in workers


class Pool:
    """Stands for the workers: ends where a reply says so, and notes the sizes of the calls."""

    def __init__(self, fault):
        self.fault, self.calls, self.cpu_s = fault, [], 0.0

    async def acall(self, metered, work, arguments, *, wall_s):
        groups, budget_s = arguments
        replies = [reply for group in groups for reply in group["replies"]]
        self.calls.append((len(replies), wall_s))
        if "end" in replies:
            raise self.fault
        return {"value": judged_chunk(groups, budget_s), "cpu_s": self.cpu_s}


@pytest.fixture
def pool(monkeypatch):
    def of(fault):
        stand_in = Pool(fault)
        monkeypatch.setattr(
            judging.Workers, "acall", lambda _, *args, **options: stand_in.acall(*args, **options)
        )
        return stand_in

    return of


@pytest.mark.parametrize(
    ("fault", "error", "reason"),
    [
        (Late("stopped"), "unscored", "judging took longer than 3 s"),
        (OutOfMemory("too much"), "unscored", "judging needs too much memory"),
        (Lost("it died"), "worker-lost", "was lost"),
    ],
)
def test_a_reply_that_ends_its_worker_is_the_only_one_without_a_verdict(
    http, pool, fault, error, reason
):
    stand_in = pool(fault)
    replies = ["1", "end", "2"]
    verdicts = results(http, verifier="number", gold=1, replies=replies, timeout_ms=3_000)
    assert values(verdicts, "value", "error") == [(1, None), (None, error), (0, None)]
    assert reason in verdicts[1]["reason"]
    assert sorted(stand_in.calls) == [(1, 3), (1, 3), (1, 3), (3, 4)]


def test_a_single_reply_that_cannot_be_judged_is_a_problem(http, pool):
    pool(Lost("it died"))
    response = http.post("/v1/verify", json={"verifier": "number", "gold": 1, "replies": "end"})
    problem(response, 503, "worker-lost")


def test_replies_go_to_workers_in_chunks(http, pool):
    stand_in = pool(Late(""))
    results(http, verifier="number", gold=1, replies=["1"] * 150)
    assert sorted(size for size, _ in stand_in.calls) == [22, 64, 64]
    stand_in.calls.clear()
    verdicts = results(
        http, verifier="number", items=[{"gold": n, "replies": "7"} for n in range(70)]
    )
    assert [one["value"] for one in verdicts] == [n == 7 for n in range(70)]
    assert sorted(size for size, _ in stand_in.calls) == [6, 64]
    stand_in.calls.clear()
    results(http, verifier="exact", gold="x", replies=["y" * 1_000_000] * 5)
    assert sorted(size for size, _ in stand_in.calls) == [1, 2, 2]
    stand_in.calls.clear()
    results(http, **PROGRAM, replies=["```"] * 9)
    assert sorted(stand_in.calls) == [(1, 60), (4, 61), (4, 61)]


def test_what_a_worker_leaves_is_asked_for_again(http, pool, monkeypatch):
    stand_in = pool(Late(""))
    monkeypatch.setattr(verification, "BUDGET_S", -1.0)
    verdicts = results(http, verifier="number", gold=1, replies=["1", "2", "1"])
    assert [one["value"] for one in verdicts] == [1, 0, 1]
    assert [size for size, _ in stand_in.calls] == [3, 2, 1]


def test_a_client_that_leaves_gives_up_its_verdicts(url, slow_judge):
    single = json.dumps({"verifier": "number", "gold": 1, "replies": ["1"] * 100})
    items = json.dumps({"verifier": "number", "items": [{"gold": 1, "replies": "1"}] * 65})
    expected = 0
    for headers, body in (
        ("", single),
        ("", items),
        (f"accept: {NDJSON}\r\n", single),
        (f"accept: {NDJSON}\r\n", items),
    ):
        expected += 2
        with line_to(url) as line:
            about = f"host: x\r\n{headers}content-length: {len(body)}\r\n\r\n"
            line.sendall(f"POST /v1/verify HTTP/1.1\r\n{about}{body}".encode())
            slow_judge.wait_for(expected)
        slow_judge.wait_for_given_up(expected)


def test_deadlines(http):
    wanted = {"verifier": "number", "gold": 1, "replies": ["1", "2"]}
    late = {"x-deadline-ms": "0"}
    problem(http.post("/v1/verify", json=wanted, headers=late), 504, "deadline-passed")
    items = {"verifier": "number", "items": [{"gold": 1, "replies": "1"}]}
    (one,) = http.post("/v1/verify", json=items, headers=late).json()["results"]
    assert (one["value"], one["error"]) == (None, "deadline-passed")


def test_time_of_workers_is_counted_and_so_are_verdicts(pool):
    stand_in = pool(Late(""))
    stand_in.cpu_s = 100.0
    wanted = {"verifier": "number", "gold": 1, "replies": "1"}
    with (
        background_server(build(Settings(("busy cpu_per_minute=1",)))) as url,
        httpx.Client(base_url=url, headers={"authorization": "Bearer busy"}) as http,
    ):
        before = _counted(http)
        assert http.post("/v1/verify", json=wanted).json()["results"][0]["correct"]
        assert _counted(http) == before + 1
        problem(http.post("/v1/verify", json=wanted), 429, "too-many-requests")
        (one,) = results(http, verifier="number", items=[{"gold": 1, "replies": "1"}])
        assert (one["value"], one["error"]) == (None, "too-many-requests")


def _counted(http):
    line = re.search(r'palaestra_verdicts_total{status="scored"} (\S+)', http.get("/metrics").text)
    return float(line[1]) if line else 0
