"""Reward endpoints of trainers: one reply in, one number out.

The label of a row is the address of its task, and the only thing that is needed to score a reply
to it; or, where labels may be of any environment, a plain gold answer (:mod:`palaestra.labels`).
Both protocols have numbers only, so whatever could not be scored is an error of HTTP, which their
clients try again.
"""

import asyncio
from time import perf_counter
from typing import Annotated, Any, NamedTuple

from fastapi import FastAPI, Query, Request
from pydantic import BaseModel, Field

from palaestra.address import Address
from palaestra.labels import BadLabel, is_address, item_of
from palaestra.scoring import Item, score_many
from palaestra.server import metrics, recipes
from palaestra.server.auth import require_scope
from palaestra.server.compat.names import Name, answer_format_of, of_one_reply, parse_environment
from palaestra.server.disconnects import cancel_on_disconnect
from palaestra.server.problems import InvalidRequest, refusals
from palaestra.server.service import service_of
from palaestra.server.structs import BATCH, REPLY_CHARACTERS, AnswerFormat, Result, ScoreRequest
from palaestra.server.targets import resolved
from palaestra.task import JudgeError
from palaestra.trainers.queries import PromptNotFound, reply_in, without_tokens
from palaestra.verifiers.shaping.truth import SHORT

ALL = "all"
"""Stands for an environment where labels may be of any."""

Said = Annotated[str, Field(max_length=2 * REPLY_CHARACTERS)]
Label = Annotated[str, Field(max_length=2_000)]

Recipe = Annotated[
    str | None,
    Query(
        max_length=1_000,
        description="a recipe that shapes the score, such as `Truth(wrong=-1)`, with `%2B` for `+`",
        examples=["Truth(wrong=-1)"],
    ),
]

LONG = 100_000
"""Characters of queries that are searched on the event loop."""


class Queries(BaseModel):
    """What OpenRLHF sends: prompts with their replies, the prompts alone, and the labels."""

    query: Annotated[list[Said], Field(max_length=BATCH)]
    prompts: Annotated[list[Said], Field(max_length=BATCH)] = []
    labels: Annotated[list[Label], Field(max_length=BATCH)]


class Rewards(BaseModel):
    """What OpenRLHF reads, a number for each query."""

    rewards: list[float]
    scores: list[float]
    extra_logs: dict[str, list[float]]


class Sample(BaseModel):
    """What slime sends."""

    prompt: Any = None
    response: Said
    label: Label


def openrlhf(app: FastAPI) -> None:
    """Adds the route of ``--reward.remote_url`` (``--remote_rm_url``) of OpenRLHF."""
    app.post(
        "/compat/openrlhf/{name}/get_reward",
        responses=refusals(),
        tags=["compatibility"],
    )(get_reward)


def slime(app: FastAPI) -> None:
    """Adds the route of ``--rm-url`` of slime."""
    app.post(
        "/compat/slime/{name}",
        responses=refusals(),
        tags=["compatibility"],
    )(reward)


async def get_reward(name: Name, body: Queries, request: Request, recipe: Recipe = None) -> Rewards:
    """Score requests of OpenRLHF, whose labels are addresses or gold answers."""
    owner = require_scope(request.scope, "score").name
    number = len(body.query)
    if len(body.labels) != number or len(body.prompts) not in {0, number}:
        raise InvalidRequest(
            "there is a label for each query, and a prompt for each or none", "/labels"
        )
    if sum(map(len, body.query)) <= LONG:
        items = _items(name, body, recipe)
    else:
        items = await service_of(request).judge.in_thread(_items, name, body, recipe)
    done = await _scored(items, request, owner)
    values = [_value(one) for one in done]
    # A trainer puts the logs of many rollouts together, so all have the same ones.
    logs = {
        "correct": [float(one.correct or False) for one in done],
        "answered": [float(one.status != "no_answer") for one in done],
    }
    return Rewards(rewards=values, scores=values, extra_logs=logs)


def _items(name: str, body: Queries, recipe: str | None) -> list["_Asked"]:
    prompts = body.prompts or [""] * len(body.query)
    try:
        replies = [*map(reply_in, body.query, prompts)]
    except PromptNotFound as error:
        raise InvalidRequest(str(error), "/query") from None
    return [_item(name, label, reply, recipe) for label, reply in zip(body.labels, replies)]


class _Golden(NamedTuple):
    """A reply to be compared with a gold answer, for there is no address to score it by."""

    item: Item
    recipe: str | None
    reply: str


_Asked = ScoreRequest | _Golden


def _item(name: str, label: str, reply: str, recipe: str | None) -> _Asked:
    """A reply with the task or the gold answer of its label.

    Raises :class:`InvalidRequest` for a label that a single reply cannot be scored by, and what
    :func:`address_of` does.
    """
    answer_format = answer_format_by(name)
    if name.partition(":")[0] != ALL or is_address(label):
        return ScoreRequest(
            str(address_of(name, label)), reply, answer_format or "tags", recipe=recipe
        )
    if recipe is not None:
        recipes.read(recipe)  # what is wrong with it is said before anything is judged
    try:
        return _Golden(item_of(label, reply, answer_format), recipe, reply)
    except BadLabel as error:
        raise InvalidRequest(str(error), "/label") from None


def _compared(comparison: _Golden) -> Result:
    """The score of a reply to be compared with a gold answer."""
    start = perf_counter()
    (score,) = score_many([comparison.item])
    if score.status == "gold_error":
        raise InvalidRequest(score.reason, "/label")
    done = Result(score.value, score.correct, score.status, score.reason, "", dict(score.parts))
    done.micros = round((perf_counter() - start) * 1e6)
    if comparison.recipe is not None:
        done.reward = recipes.rewarded(
            ScoreRequest("", comparison.reply, recipe=comparison.recipe), done
        )
    return done


async def reward(name: Name, body: Sample, request: Request, recipe: Recipe = None) -> float:
    """Score requests of slime; the response is a bare number."""
    owner = require_scope(request.scope, "score").name
    item = _item(name, body.label, without_tokens(body.response), recipe)
    (done,) = await _scored([item], request, owner)
    return _value(done)


async def _scored(items: list[_Asked], request: Request, owner: str) -> list[Result]:
    judge = service_of(request).judge

    async def judged_one(item: _Asked) -> Result:
        if isinstance(item, ScoreRequest):
            return await judge.judged(item, owner=owner)
        async with judge.turn(None):
            return await judge.in_thread(_compared, item)

    async def judged() -> list[Result]:
        return await asyncio.gather(*map(judged_one, items))

    done = await cancel_on_disconnect(judged(), request.receive)
    metrics.scored(done)
    return done


def _value(one: Result) -> float:
    """What is paid: by the recipe, or else the score, as far as float32 tells it from 1."""
    if one.value is None:
        raise JudgeError(one.reason)
    if isinstance(one.reward, float):
        return one.reward
    return one.value if one.correct else min(one.value, 1 - SHORT)


def answer_format_by(name: str) -> AnswerFormat | None:
    """The answer format that a part of a URL asks for; none where it leaves that open."""
    first, _, rest = name.partition(":")
    if first != ALL:
        return parse_environment(name).answer_format
    if rest and not rest.startswith("answer_format="):
        raise InvalidRequest(f"behind {ALL!r} comes :answer_format=, or nothing")
    return answer_format_of(rest.removeprefix("answer_format=")) if rest else None


def address_of(name: str, label: str) -> Address:
    """The address that a label holds.

    Raises :class:`InvalidRequest` for a task of another environment, and for one that takes several
    replies.
    """
    address = resolved(label).address
    if name.partition(":")[0] != ALL and address.env != parse_environment(name).env:
        raise InvalidRequest(
            f"the label is of {address.env}, not of {parse_environment(name).env}", "/label"
        )
    if not of_one_reply(address.env):
        raise InvalidRequest(
            f"{address.env} takes several replies, but the request has one", "/label"
        )
    return address
