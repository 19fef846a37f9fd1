# Copyright (c) 2026 the contributors of Palaestra
# SPDX-License-Identifier: Apache-2.0
"""Resources server for Palaestra: procedurally generated tasks, scored by their rules.

A row names its task by an address in ``verifier_metadata``; the task, and how a reply to it is
judged, follow from that address alone. There is no answer key: neither in the rows, nor here.

- ``/verify`` scores tasks of one reply, for ``simple_agent``. Nothing is kept between requests.
- ``/reset`` and ``/step`` play tasks of several turns, for ``gymnasium_agent``.
"""

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseRunRequest,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.config_types import AggregateMetrics, AggregateMetricsRequest
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator
from resources_servers.gymnasium import EnvResetResponse, EnvStepResponse

from palaestra import JudgeError
from palaestra.episode import EpisodeOver, answer_format_of
from palaestra.labels import address_of
from palaestra.trainers.nemo_gym import TURN_AGENT, Rollout, is_verified_once, scored, verdict

try:
    from nemo_gym.verifier_fixture import VerifierFixture
except ImportError:  # releases up to 0.4, which have no fixtures
    VerifierFixture = None


class PalaestraResourcesServerConfig(BaseResourcesServerConfig):
    """The settings of the server, beside those of every server."""

    max_sessions: int = Field(
        default=65_536,
        ge=1,
        description="How many rollouts of several turns are kept; the oldest is given up first.",
    )


class PalaestraMetadata(BaseModel):
    """What the verifier has to know: which task it is, and how its answer is marked."""

    model_config = ConfigDict(extra="allow")

    address: str = Field(max_length=2_000)
    answer_format: str = "tags"

    @field_validator("address")
    @classmethod
    def _names_a_task(cls, value: str) -> str:
        try:
            return str(address_of(value))
        except LookupError as error:  # no such environment; the others are ValueErrors already
            raise ValueError(str(error)) from None

    @field_validator("answer_format")
    @classmethod
    def _is_known(cls, value: str) -> str:
        return answer_format_of(value).name


class PalaestraRunRequest(BaseRunRequest):
    """A row of a data set."""

    model_config = ConfigDict(extra="allow")

    verifier_metadata: PalaestraMetadata


class PalaestraVerifyRequest(PalaestraRunRequest, BaseVerifyRequest):
    """A row with the response of the model."""


class PalaestraVerifyResponse(BaseVerifyResponse):
    """The reward, its parts, and why; see the README for what they mean."""

    model_config = ConfigDict(extra="allow")

    verifier_metadata: PalaestraMetadata
    reward_components: dict[str, float] = Field(default_factory=dict)
    correct: bool = False
    status: str = "scored"
    reason: str = ""
    mask_sample: bool = False
    failure_kind: str | None = None
    failure_reason: str | None = None


class PalaestraVerifier:
    """The verifier by itself, without a server."""

    async def verify(self, body: PalaestraVerifyRequest) -> PalaestraVerifyResponse:
        """Score a reply. A task of several replies is refused, with the agent that plays it."""
        named = body.verifier_metadata
        if not is_verified_once(named.address):
            raise HTTPException(
                422, f"{named.address} takes several replies: its agent is {TURN_AGENT}"
            )
        # Some judges run programs, so this is not for the event loop.
        items = _items(body.response)
        score = await asyncio.to_thread(scored, named.address, items, named.answer_format)
        return PalaestraVerifyResponse(**body.model_dump() | verdict(score))


class PalaestraResourcesServer(PalaestraVerifier, SimpleResourcesServer):
    """The server, which keeps the rollouts of several turns that are in play."""

    config: PalaestraResourcesServerConfig
    _rollouts: OrderedDict[str, Rollout] = PrivateAttr(default_factory=OrderedDict)

    def setup_webserver(self) -> FastAPI:
        """The usual routes, and those of the Gymnasium agent."""
        app = super().setup_webserver()
        app.post("/reset")(self.reset)
        app.post("/step")(self.step)
        return app

    async def reset(self, body: PalaestraRunRequest, request: Request) -> EnvResetResponse:
        """Begin an episode. Its first observation is in the row, and is not repeated."""
        named = body.verifier_metadata
        rollout = await asyncio.to_thread(Rollout, named.address, named.answer_format)
        self._rollouts[request.session[SESSION_ID_KEY]] = rollout
        while len(self._rollouts) > self.config.max_sessions:
            self._rollouts.popitem(last=False)
        is_asked = bool(body.responses_create_params.input)
        return EnvResetResponse(observation=None if is_asked else rollout.steps.observation)

    async def step(self, body: PalaestraVerifyRequest, request: Request) -> EnvStepResponse:
        """Play a response of the model: its calls of tools, or else its text.

        A judge that fails is an error, so that the agent reports no reward: it adds up those of the
        steps, and there is no way to tell it that the sum means nothing.
        """
        session = request.session[SESSION_ID_KEY]
        rollout = self._rollouts.get(session)
        if rollout is None:
            raise HTTPException(409, "this rollout is not known here: reset first")
        try:
            played = await asyncio.to_thread(rollout.play, _items(body.response))
        except EpisodeOver as error:
            raise HTTPException(409, str(error)) from None
        except JudgeError as error:
            self._rollouts.pop(session, None)
            raise HTTPException(500, f"the judge failed: {error}") from None
        if played.terminated:
            self._rollouts.pop(session, None)
        return EnvStepResponse(**played._asdict())

    async def aggregate_metrics(self, body: AggregateMetricsRequest) -> AggregateMetrics:
        """The usual figures, without rollouts that could not be scored; they are counted."""
        scored = [one for one in body.verify_responses if not one.get("mask_sample")]
        metrics = await super().aggregate_metrics(AggregateMetricsRequest(verify_responses=scored))
        metrics.agent_metrics["unscored"] = len(body.verify_responses) - len(scored)
        return metrics


def _items(response: NeMoGymResponse) -> list[dict[str, Any]]:
    """The items of a response as plain values."""
    return [item.model_dump() for item in response.output]


VERIFIER_FIXTURE = VerifierFixture and VerifierFixture(
    server_factory=PalaestraVerifier,
    request_model=PalaestraVerifyRequest,
    cases_path=Path(__file__).parent / "tests" / "verifier_cases.jsonl",
)


if __name__ == "__main__":
    PalaestraResourcesServer.run_webserver()
