"""Running the service: for good from the command line, or for a while inside another program."""

import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import deepcopy
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from palaestra.extras import UnsupportedPlatform, needs

with needs("server", "the HTTP service"):
    import uvicorn
    from fastapi import FastAPI

from palaestra.server.app import build, settings_in_environment
from palaestra.server.auth import parsed
from palaestra.server.http_protocol import LimitedHttpProtocol
from palaestra.server.service import Settings
from palaestra.server.store import Store
from palaestra.server.tables import StoreError

DRAINING_S = 30
"""How long a service that is told to stop finishes what it has begun."""

OPTIONS: dict[str, Any] = {
    "http": LimitedHttpProtocol,
    "access_log": False,
    "proxy_headers": False,  # nothing here goes by who sends a request
    "backlog": 4_096,
    "limit_concurrency": 16_384,
    "timeout_graceful_shutdown": DRAINING_S,
    "ws_per_message_deflate": False,
    "ws_max_queue": 2,  # frames that wait to be read, of 16 MiB each
    "server_header": False,
}
"""How uvicorn is run."""


def serve(
    host: str, port: int, settings: Settings, *, insecure: bool = False, workers: int = 1
) -> None:
    """Serve until stopped. Exits with 2 where the service would stand open to others.

    Raises :class:`StoreError` where sessions cannot be kept, before anything is started.
    """
    _refuse_windows()
    if not (settings.tokens or insecure or is_loopback(host)):
        sys.exit(refusal(host))
    Store(settings.store).close()
    _many_files()
    with ExitStack() as ending:
        ending.enter_context(settings_in_environment(settings))
        if workers > 1:  # each counts for itself, and whoever is asked adds them up
            folder = ending.enter_context(tempfile.TemporaryDirectory(prefix="palaestra"))
            os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", folder)
        uvicorn.run(
            "palaestra.server.app:from_environment",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            log_level="info",
            log_config=_logging(),
            **OPTIONS,
        )


def _refuse_windows() -> None:
    if sys.platform == "win32":
        raise UnsupportedPlatform("the HTTP service runs on Linux; use WSL or a container")


def _logging() -> dict[str, Any]:
    """Uvicorn's own, and beside it our lines of JSON as they are."""
    config = deepcopy(uvicorn.config.LOGGING_CONFIG)
    config["formatters"]["plain"] = {"format": "%(message)s"}
    config["handlers"]["plain"] = {"class": "logging.StreamHandler", "formatter": "plain"}
    config["loggers"]["palaestra"] = {"handlers": ["plain"], "level": "INFO", "propagate": False}
    return config


def _many_files() -> None:
    """Lets the process have as many connections as the system allows it."""
    with suppress(ImportError, ValueError, OSError):
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit

        soft, hard = getrlimit(RLIMIT_NOFILE)
        setrlimit(RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))


def refusal(host: str) -> int:
    """Say why the service does not start; the code to exit with."""
    print(  # noqa: T201
        f"{host} can be reached by others, so give --token-file FILE (a token a line), or "
        "--insecure-no-auth if that is what you want",
        file=sys.stderr,
    )
    return 2


def read_tokens(file: Path) -> tuple[str, ...]:
    """The lines of a token file; blank ones and those that start with # do not count.

    Raises ``ValueError`` for a file without a token, or with a line that cannot be understood.
    """
    lines = (line.strip() for line in file.read_text("utf-8").splitlines())
    tokens = tuple(line for line in lines if line and not line.startswith("#"))
    if not tokens:
        raise ValueError(f"{file} contains no token")
    for line in tokens:
        parsed(line)
    return tokens


def default_store() -> str:
    """The URL of the database that sessions are kept in unless told otherwise.

    Raises :class:`StoreError` where its folder cannot be made.
    """
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(state, "palaestra")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StoreError(f"sessions cannot be kept in {folder}: {fault.strerror}") from None
    return f"sqlite:///{folder / 'sessions.sqlite'}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def background_server(app: FastAPI | None = None) -> Iterator[str]:
    """The service on a free loopback port, in a thread of this process; gives its URL."""
    _refuse_windows()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(app or build(), log_level="warning", **OPTIONS)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        deadline = monotonic() + 30
        while not server.started:
            if not thread.is_alive() or monotonic() > deadline:
                raise RuntimeError("the service did not start")
            sleep(0.01)
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join(10)
