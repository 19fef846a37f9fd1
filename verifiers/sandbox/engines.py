"""Finding a container engine: Docker, or Podman by its socket that speaks the same language."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palaestra.verifiers.sandbox.slots import JailError


@dataclass(frozen=True, slots=True)
class Engine:
    """A container engine, and what our container may use of it."""

    url: str | None = None
    """Where it listens, such as ``unix:///run/podman/podman.sock``; looked for unless given."""

    runtime: str | None = None
    """What runs the container: ``runsc`` for gVisor; the engine's own unless given. Not for Podman,
    whose settings say it."""

    memory_mb: int | None = None
    """Memory of all programs together; three quarters of the machine's unless given."""

    processes: int = 8_192
    """How many processes and threads all programs may have together."""

    relayed: bool = False
    """Whether jobs go through the engine's stream, even where descriptors could be handed over."""


ANY = Engine()
"""Whichever answers, as it comes."""


class EngineError(JailError):
    """No container engine answers, or it will not do what we need; it says what to do."""


def podman() -> str:
    """Where Podman listens."""
    own = f"{os.environ.get('XDG_RUNTIME_DIR', '/run')}/podman/podman.sock"
    paths = [f"unix://{path}" for path in ("/run/podman/podman.sock", own) if Path(path).exists()]
    return os.environ.get("CONTAINER_HOST") or next(iter(paths), "unix:///run/podman/podman.sock")


def places() -> list[str]:
    """Where engines listen here, as far as can be seen."""
    if host := os.environ.get("DOCKER_HOST"):
        return [host]
    own = os.environ.get("XDG_RUNTIME_DIR", "/run")
    paths = ("/var/run/docker.sock", f"{own}/docker.sock")
    sockets = [f"unix://{path}" for path in paths if Path(path).exists()]
    return [*sockets, podman()] if Path(podman().removeprefix("unix://")).exists() else sockets


def connect(engine: Engine) -> tuple[Any, str]:
    """A client of the engine, and where it listens.

    Raises :class:`EngineError` where none answers.
    """
    try:
        import docker
    except ImportError as fault:
        raise EngineError('no library; pip install "palaestra[docker]"') from fault
    why = []
    for url in [engine.url] if engine.url else places():
        if url.startswith("ssh://"):
            why.append(f"{url}: not by ssh; forward its socket")
            continue
        try:
            _answers(url)
            kept = os.environ | {"DOCKER_HOST": url}
            client = docker.from_env(environment=kept, timeout=120)
            client.ping()
        except (docker.errors.DockerException, OSError, ValueError) as fault:
            why.append(f"{url}: {str(fault)[:200]}")
        else:
            return client, url
    why_not = "; ".join(why) or "there is no socket of one"
    raise EngineError(f"no container engine answers ({why_not}); start Docker or Podman's socket")


def _answers(url: str) -> None:
    """Raises ``OSError`` where nobody listens at a socket; the library would leave one open."""
    if url.startswith("unix://"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as attempt:
            attempt.connect(url.removeprefix("unix://"))
