"""What scoring over HTTP costs the service: CPU microseconds a request, beside a bare echo.

Both applications run in processes of their own on loopback, and are asked by the same loop in turn;
their CPU time is read from the process, so what the client spends does not count. The requests are
bounded in number.

    python benchmarks/reward_service.py
"""

import multiprocessing
import os
import socket
from statistics import median
from time import perf_counter, process_time, sleep

import httpx
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

import palaestra
from palaestra.episode import TAGS

REQUESTS, BATCHES, ROUNDS = 300, 30, 5
ADDRESS = palaestra.Address.of("logic/knights_and_knaves", seed=7, level=1)


class Echo(BaseModel):
    """A request like a score's."""

    address: str
    replies: str
    style: str = "tags"


def echo_app() -> FastAPI:
    """The least that FastAPI and pydantic can do."""
    app = FastAPI()
    app.post("/v1/score")(echo)
    return app


def echo(body: Echo) -> Echo:
    """Give back what came."""
    return body


def cpu_s() -> float:
    """The CPU seconds of this process so far."""
    return process_time()


def serve(kind: str, port: int) -> None:
    """Run one of the applications, with a way to ask for its CPU time."""
    from palaestra.server.app import build

    app = echo_app() if kind == "echo" else build()
    app.get("/cpu")(cpu_s)
    uvicorn.run(app, port=port, log_level="error")


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def cost_us(client: httpx.Client, path: str, body: object, times: int) -> tuple[float, float]:
    """CPU microseconds of the service a request, and requests a second of the wall clock."""
    before, start = client.get("/cpu").json(), perf_counter()
    for _ in range(times):
        client.post(path, json=body).raise_for_status()
    wall = perf_counter() - start
    return (client.get("/cpu").json() - before) / times * 1e6, times / wall


def main() -> None:
    """Print the table."""
    context = multiprocessing.get_context("spawn")
    reply = {"address": str(ADDRESS), "replies": TAGS.write(ADDRESS.task().answer())}
    batch = {"items": [reply] * 64}
    clients, running = {}, []
    for kind in ("echo", "palaestra"):
        port = free_port()
        process = context.Process(target=serve, args=(kind, port), daemon=True)
        process.start()
        running.append(process)
        clients[kind] = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
        wait(clients[kind])
    found: dict[str, list[float]] = {"echo": [], "score": [], "batch": []}
    for _ in range(ROUNDS):
        found["echo"].append(cost_us(clients["echo"], "/v1/score", reply, REQUESTS)[0])
        found["score"].append(cost_us(clients["palaestra"], "/v1/score", reply, REQUESTS)[0])
        found["batch"].append(cost_us(clients["palaestra"], "/v1/score/batch", batch, BATCHES)[0])
    for process in running:
        process.terminate()
    echo_us, score_us, batch_us = (median(found[kind]) for kind in found)
    rate = echo_us / score_us
    print(f"{os.cpu_count()} cores")
    print(f"bare FastAPI echo {echo_us:8.0f} CPU µs a request")
    print(f"/v1/score         {score_us:8.0f} CPU µs a request, {rate:.2f} of the echo's rate")
    print(f"/v1/score/batch   {batch_us / 64:8.1f} CPU µs an item, {64e6 / batch_us:,.0f} items/s")


def wait(client: httpx.Client) -> None:
    """Wait until an application answers."""
    for _ in range(200):
        try:
            client.get("/cpu").raise_for_status()
        except httpx.TransportError:
            sleep(0.05)
        else:
            return
    raise RuntimeError("the application did not start")


if __name__ == "__main__":
    main()
