"""The OpenAPI document and the page made of it: what they say holds."""

import re
from functools import cache
from html.parser import HTMLParser

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from palaestra.server.app import build
from palaestra.server.auth import SCOPES, is_public
from palaestra.server.launcher import background_server
from palaestra.server.openapi import EXAMPLES, MEANINGS, scope_of
from palaestra.server.service import Settings

PROTOCOLS = ("", "ors", "nemo-gym")
PUZZLE = "logic/knights_and_knaves?level=1&seed=7"
NAMES = {
    "slug": "logic.knights_and_knaves", "name": "games.mastermind", "session": "x",
    "curriculum": "x", "tool": "x", "verifier": "quantity",
}  # fmt: skip
ROW = {"address": PUZZLE, "response": {"output": []}}
BODIES = EXAMPLES | {
    "/openenv/{name}/step": {"action": {"reply": "x"}},
    "/compat/agentgym/{name}/reset": {"id": "x"},
    "/compat/agentgym/{name}/step": {"id": "x", "action": "x"},
    "/compat/agentgym/{name}/close": {"id": "x"},
    "/{name}/tasks": {"split": "train"},
    "/{name}/num_tasks": {"split": "train"},
    "/{name}/task": {"split": "train", "index": 0},
    "/{name}/task_range": {"split": "train", "start": 0, "stop": 1},
    "/{name}/call": {"name": "answer", "input": {"text": "1"}},
    "/create": {"env_name": "games.mastermind", "split": "train", "index": 0},
    "/verify": ROW, "/seed_session": ROW, "/reset": ROW, "/step": ROW,
    "/aggregate_metrics": {"verify_responses": []},
}  # fmt: skip


@cache
def operations():
    """Every operation of every protocol, with the protocol that it is of.

    Their documents take a second, which is not to pass in processes that run none of these tests.
    """
    seen = {}
    for protocol in PROTOCOLS:
        for path, methods in build(Settings(protocol=protocol)).openapi()["paths"].items():
            for method, operation in methods.items():
                seen.setdefault((method, path), (protocol, operation))
    return [(*key, *rest) for key, rest in seen.items()]


@pytest.fixture(scope="module")
def clients():
    """A client for each protocol, of a service with a key for each scope and for all but it."""
    tokens = []
    for scope in SCOPES:
        others = ",".join(each for each in SCOPES if each not in {scope, "admin"})
        tokens += [f"only-{scope} scopes={scope}", f"but-{scope} scopes={others}"]
    return {
        protocol: TestClient(
            build(Settings(tuple(tokens), protocol=protocol)), raise_server_exceptions=False
        )
        for protocol in PROTOCOLS
    }


def test_operations_ask_for_the_scope_that_they_are_documented_with(clients, subtests):
    for method, path, protocol, operation in operations():
        with subtests.test(msg=f"{method} {path}"):
            _check_scope(clients[protocol], method, path, operation)


def _check_scope(client, method, path, operation):
    scope = scope_of(path)
    parameters = operation.get("parameters", [])
    query = {"address": PUZZLE} if path.endswith("oracle") else {"id": "x"}
    headers = {"x-session-id": "x"} if any(p["in"] == "header" for p in parameters) else {}
    where = path.format_map(NAMES | ({"name": "all"} if path.startswith("/compat") else {}))
    where = where.replace("agentgym/all", "agentgym/games.mastermind")

    def status(token):
        shown = headers | ({"x-api-key": token} if token else {})
        body = BODIES.get(path, {}) if method == "post" else None
        return client.request(method, where, json=body, params=query, headers=shown).status_code

    if is_public(path):
        assert operation["security"] == []
        assert status("") not in {401, 403}
        return
    assert operation["security"][0] == {"bearer": [scope] if scope else []}
    assert status("") == 401
    if scope is None:
        assert status("only-programs") == 200
        return
    assert f"`{scope}`" in operation["description"]
    assert status(f"but-{scope}") == 403
    refused = {401, 403} if path == "/{name}/tasks" else {401, 403, 422}  # it lists no billions
    assert status(f"only-{scope}") not in refused


def test_operations_say_what_they_do_and_take(subtests):
    for method, path, protocol, operation in operations():
        with subtests.test(msg=f"{method} {path}"):
            assert len(operation["summary"]) > 3
            assert operation["description"]
            for parameter in operation.get("parameters", ()):
                assert parameter.get("description"), parameter["name"]
            if method == "post" and path.startswith("/v1/"):
                assert "example" in operation["requestBody"]["content"]["application/json"]
            assert protocol in PROTOCOLS


def test_examples_are_answered():
    app = build(Settings(neighbours=True))
    with background_server(app) as url, httpx.Client(base_url=url, timeout=60) as http:
        opened = http.post("/v1/sessions", json=EXAMPLES["/v1/sessions"]).json()["sessions"]
        begun = http.post("/v1/curricula", json=EXAMPLES["/v1/curricula"]).json()
        names = NAMES | {"session": opened[0]["session"], "curriculum": begun["id"]}
        names["name"] = "logic.knights_and_knaves"
        for path, example in EXAMPLES.items():
            response = http.post(path.format_map(names), json=example)
            assert response.status_code in {200, 201}, (path, response.text)


def test_tokens_are_described():
    document = build().openapi()
    assert {*document["components"]["securitySchemes"]} == {"bearer", "header", "password"}
    assert {*MEANINGS} == {*SCOPES}
    for scope in SCOPES:
        assert f"`{scope}`" in document["info"]["description"]
    free = document["paths"]["/v1/score"]["post"]["security"]
    asked = build(Settings(("sesame",))).openapi()["paths"]["/v1/score"]["post"]["security"]
    assert {} in free
    assert {} not in asked


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.links, self.names = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attributes = dict(attrs)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self.names += [attributes["id"]] if "id" in attributes else []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_reference_needs_nothing_from_elsewhere(protocol):
    client = TestClient(build(Settings(protocol=protocol)))
    response = client.get("/docs")
    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["content-security-policy"]
    page = Page(response.text)
    assert not {"script", "link", "img", "iframe"} & {*page.tags}
    assert not re.search(r"\son\w+=|javascript:", response.text)
    assert {link for link in page.links if not link.startswith("#")} == {"openapi.json"}
    inside = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inside <= {*page.names}
    document = client.get("/openapi.json").json()
    for response in document["paths"].values():
        assert {each["operationId"] for each in response.values()} <= {*page.names}
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= {*page.names}


def test_the_reference_says_what_routes_take():
    html = TestClient(build()).get("/docs").text
    assert "games.mastermind@1" in html
    assert "at most 1048576 characters" in html
    assert "&lt;answer&gt;" in html
    assert TestClient(build()).head("/docs").status_code == 200
