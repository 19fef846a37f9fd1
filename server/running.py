"""Running the service: for good from the command line, or for a while inside another program."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import uvicorn
from fastapi import FastAPI

from palaestra.server.app import build


def serve(host: str, port: int, token_file: Path | None, insecure: bool) -> None:
    """Serve until stopped. Exits with 2 where the service would stand open to others."""
    tokens = read_tokens(token_file) if token_file else frozenset()
    if not (tokens or insecure or is_loopback(host)):
        sys.exit(refusal(host))
    uvicorn.run(build(tokens), host=host, port=port, log_level="info", access_log=False)


def refusal(host: str) -> int:
    """Say why the service does not start; the code to exit with."""
    print(  # noqa: T201
        f"{host} can be reached by others, so give --token-file FILE (a token a line), or "
        "--insecure-no-auth if that is what you want",
        file=sys.stderr,
    )
    return 2


def read_tokens(file: Path) -> frozenset[str]:
    """The tokens of a file, one a line; blank lines and those that start with # do not count."""
    lines = (line.strip() for line in file.read_text("utf-8").splitlines())
    tokens = frozenset(line for line in lines if line and not line.startswith("#"))
    if not tokens:
        raise ValueError(f"{file} holds no token")
    return tokens


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def running(app: FastAPI | None = None) -> Iterator[str]:
    """The service on a free loopback port, in a thread of this process; gives its URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(app or build(), log_level="warning", lifespan="off")
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
