"""Additions to the OpenAPI document: tokens, scopes and examples."""

from typing import Any

from palaestra.server.auth import SCOPES, is_public

SCHEMES: dict[str, Any] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of the service, as `Authorization: Bearer TOKEN`.",
    },
    "header": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "The same token in a separate header.",
    },
    "password": {
        "type": "http",
        "scheme": "basic",
        "description": "The same token as the password of an arbitrary user, for clients that "
        "accept only a URL.",
    },
}
"""Ways to present a token."""

MEANINGS = {
    "read": "environments and tasks",
    "score": "scoring replies",
    "sessions": "sessions and curricula, in every protocol",
    "programs": "running programs in the sandbox",
    "answers": "the moves of perfect players, and checks of partial answers",
    "admin": "everything",
}
"""What each scope permits."""

_ASKED: tuple[tuple[str, str], ...] = (
    ("/v1/environments/{slug}/oracle", "answers"),
    ("/v1/environments", "read"),
    ("/v1/combinators", "read"),
    ("/v1/tasks", "read"),
    ("/v1/scenes", "read"),
    ("/v1/checks", "answers"),
    ("/v1/score", "score"),
    ("/v1/verifiers", "read"),
    ("/v1/verify", "score"),
    ("/v1/sessions", "sessions"),
    ("/v1/curricula", "sessions"),
    ("/v1/programs", "programs"),
    ("/compat/openrlhf", "score"),
    ("/compat/slime", "score"),
    ("/compat/agentgym", "sessions"),
    ("/compat/open_instruct", "programs"),
    ("/run_code", "programs"),
    ("/openenv/{name}/health", "read"),
    ("/openenv/{name}/metadata", "read"),
    ("/openenv/{name}/schema", "read"),
    ("/openenv", "sessions"),
    *((f"/{{name}}/{name}", "sessions") for name in ("prompt", "task_tools", "call")),
    *((f"/{{name}}/{name}", "read") for name in ("tools", "splits", "task", "num_tasks")),
    ("/list_environments", "read"),
    *((f"/{name}", "sessions") for name in ("ping", "create", "delete", "seed_session", "reset")),
    ("/step", "sessions"),
    ("/{tool}", "sessions"),
    ("/verify", "score"),
    ("/aggregate_metrics", "score"),
)
"""The scopes that paths ask for, by how they begin; the first that fits."""

PARAMETERS = {
    "slug": "An environment, as `games.mastermind` or with its version, `games.mastermind@1`.",
    "name": "An environment and how its tasks are drawn, as `games.mastermind@1:level=2`.",
    "session": "The name of a session, as it was given when that was opened.",
    "curriculum": "The name of a curriculum, as it was given when that was begun.",
    "verifier": "The name of a verifier, such as `quantity`.",
    "tool": "The name of a tool of the world that is played.",
    "category": "Environments of this category alone, such as `logic`.",
    "tag": "Environments with this tag alone.",
    "kind": "Environments of this kind alone: `puzzle`, `game`, `match` or `tools`.",
    "q": "Words that the name or the summary has.",
    "cursor": "Cards that come after this name; `next` of the page before.",
    "limit": "How many cards a page has.",
    "address": "The address of a task.",
    "idempotency-key": "The same key for the same request gives the same sessions.",
    "session_id": "The session that is meant, for clients without cookies.",
    "id": "The number of the environment that was created.",
    "env_idx": "The same under the name that other clients use.",
    "x-session-id": "The session that is meant.",
}
"""What the parameters of routes mean."""

_PUZZLE, _GAME = "logic/knights_and_knaves?level=1&seed=7", "games/mastermind?level=0&seed=7"
_GUESS = "<answer>123</answer>"
EXAMPLES: dict[str, Any] = {
    "/v1/scenes": {"address": "grids/sudoku?level=1&seed=7"},
    "/v1/checks": {"address": "graphs/minimum_vertex_cover?level=0&seed=1", "answer": "Finn"},
    "/v1/tasks": {"env": "logic/knights_and_knaves", "level": 1, "seeds": [7, 8]},
    "/v1/score": {"address": _PUZZLE, "replies": "I think that <answer>neither</answer>"},
    "/v1/score/batch": {
        "items": [{"address": _PUZZLE, "replies": "?"}, {"address": _GAME, "replies": [_GUESS]}]
    },
    "/v1/score/group": {
        "address": _PUZZLE,
        "responses": ["<answer>neither</answer>", "no idea"],
        "transforms": ["leave_one_out"],
    },
    "/v1/verify": {
        "verifier": "answer",
        "items": [
            {"gold": "1/2", "replies": ["It is $\\boxed{0.5}$.", "It is $\\boxed{2}$."]},
            {"gold": "{1, 2}", "replies": "Answer: {2, 1}"},
        ],
    },
    "/v1/sessions": {"env": "games/mastermind", "level": 0, "seed": 7},
    "/v1/sessions/{session}/step": {"step": 0, "move": _GUESS},
    "/v1/sessions/step": {"items": [{"session": "NAME", "step": 0, "move": _GUESS}]},
    "/v1/sessions/{session}/fork": {"n": 4},
    "/v1/sessions/{session}/rewind": {"step": 0},
    "/v1/programs": {"source": "print(int(input()) + 1)", "stdin": "41"},
    "/v1/curricula": {"strategy": "frontier", "environments": ["logic/knights_and_knaves"]},
    "/v1/curricula/{curriculum}/next": {"n": 8},
    "/v1/curricula/{curriculum}/feedback": {"results": [{"address": _PUZZLE, "value": 1.0}]},
    "/compat/openrlhf/{name}/get_reward": {"query": ["?"], "labels": [_PUZZLE]},
    "/compat/slime/{name}": {"response": "?", "label": _PUZZLE},
    "/run_code": {"code": "print(int(input()) + 1)", "language": "python", "stdin": "41"},
    "/compat/open_instruct/test_program": {
        "program": "def double(x): return 2 * x",
        "tests": ["assert double(2) == 4"],
    },
    "/compat/open_instruct/test_program_stdio": {
        "program": "print(int(input()) + 1)",
        "tests": [{"input": "41", "output": "42"}],
    },
    "/compat/open_instruct/execute": {"code": "print(6 * 7)"},
}
"""A request for each route of ours that takes one."""


def scope_of(path: str) -> str | None:
    """The scope that a path asks for; nothing where any token will do.

    >>> scope_of("/v1/score/batch"), scope_of("/metrics")
    ('score', None)
    """
    return next((scope for start, scope in _ASKED if path.startswith(start)), None)


def complete(document: dict[str, Any], is_guarded: bool) -> None:
    """Adds to a document how tokens are shown and what for, examples, and what parameters mean.

    A service that is not guarded asks for no token.
    """
    document["components"]["securitySchemes"] = SCHEMES
    document["info"]["description"] = _about()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            _said(operation, path, is_guarded)


def _about() -> str:
    scopes = "\n".join(f"- `{name}`: {MEANINGS[name]}" for name in SCOPES)
    return (
        "Tasks for language models, and scores for their replies. A task is identified by its "
        "address, an episode by its address and the replies so far.\n\nScopes of tokens:\n" + scopes
    )


def _said(operation: dict[str, Any], path: str, is_guarded: bool) -> None:
    """What there is to say of one operation."""
    scope = scope_of(path)
    if is_public(path):
        operation["security"] = []
    else:
        shown = [{name: [scope] if scope else []} for name in SCHEMES]
        operation["security"] = shown if is_guarded else [*shown, {}]
    first, _, rest = operation.get("description", "").partition(". ")
    if operation["summary"].istitle() and first:
        operation["summary"] = first.rstrip(".")
        operation["description"] = rest
    requirement = f"Requires the scope `{scope}`." if scope else ""
    description = " ".join(filter(None, (operation.get("description", ""), requirement)))
    operation["description"] = description or operation["summary"] + "."
    for parameter in operation.get("parameters", ()):
        if meaning := PARAMETERS.get(parameter["name"].lower()):
            parameter.setdefault("description", meaning)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None and path in EXAMPLES:
        body["example"] = EXAMPLES[path]
