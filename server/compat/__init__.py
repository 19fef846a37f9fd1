"""The service as others' clients know theirs: trainers and agents that speak a protocol already.

Each protocol is a file, and a thin one: what it asks for becomes scores of the judge and steps of
sessions, so that a reward is the same whoever asks for it. Where a protocol has no word for "could
not be scored", the answer is an error of HTTP, for 0 would be a lie.
"""

from collections.abc import Callable, Mapping

from fastapi import FastAPI

from palaestra.server.compat import (
    agentgym,
    nemo_gym,
    open_instruct,
    openenv,
    ors,
    rewards,
    sandbox_fusion,
)

EVERYWHERE: Mapping[str, Callable[[FastAPI], None]] = {
    "openrlhf": rewards.openrlhf,
    "slime": rewards.slime,
    "openenv": openenv.route,
    "agentgym": agentgym.route,
    "sandbox-fusion": sandbox_fusion.route,
    "open-instruct": open_instruct.route,
}
"""Protocols whose routes have a prefix, and are always there."""

AT_THE_ROOT: Mapping[str, Callable[[FastAPI], None]] = {
    "ors": ors.route,
    "nemo-gym": nemo_gym.route,
}
"""Protocols whose clients look for them at the root of a server, so that there can be one only."""


def install(app: FastAPI, protocol: str = "") -> None:
    """Adds the routes, with those of the one protocol that is wished for at the root."""
    if protocol and protocol not in AT_THE_ROOT:
        raise ValueError(
            f"the root path can serve {' or '.join(AT_THE_ROOT)}, not {protocol[:40]!r}"
        )
    for add in EVERYWHERE.values():
        add(app)
    if protocol:
        AT_THE_ROOT[protocol](app)


def spoken(protocol: str = "") -> list[str]:
    """The names of the protocols that an application speaks then."""
    return [*EVERYWHERE, *([protocol] if protocol else [])]
