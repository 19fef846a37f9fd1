"""Jails on the backends of this machine, and an agent and a relay without a container."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.verifiers.sandbox.agents import Pump, greeted, standing

from palaestra.verifiers.sandbox import Sandbox, images
from palaestra.verifiers.sandbox.canaries import tried
from palaestra.verifiers.sandbox.container import ContainerSlot
from palaestra.verifiers.sandbox.relay import Relay

BACKENDS = [
    backend
    for backend, level in (("native", "namespaces"), ("native-restricted", "landlock"))
    if not tried(level)
]


@pytest.fixture(scope="module", params=BACKENDS)
def jail(request):
    with Sandbox(request.param, slots=2) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def native():
    if "native" not in BACKENDS:
        pytest.skip(tried("namespaces"))
    with Sandbox("native", slots=2) as sandbox:
        yield sandbox


@pytest.fixture
def agent():
    """An agent on this machine, as an ordinary user."""
    python = shutil.which("python3", path="/usr/bin")
    if python is None or tried("namespaces"):
        pytest.skip(f"no agent runs here: {tried('namespaces') or 'there is no /usr/bin/python3'}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(images.HERE / "jail-app", f"{folder}/jail-app")
        user = {"user": 60_998, "group": 60_998, "extra_groups": []} if os.getuid() == 0 else {}
        process = subprocess.Popen(
            [python, "-EsSB", f"{folder}/jail-app/agent.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            **user,
        )
        with process:
            yield process
            process.kill()


@pytest.fixture
def relayed(agent):
    """A slot whose jail stands behind an agent and a relay, and the relay."""
    line, hello = greeted(agent)
    if hello["walls"] != "namespaces":
        pytest.skip(f"an ordinary user builds no jail here, only {hello['walls']}")
    # What is polled for writing too has to be one descriptor, as it is with an engine.
    ours, theirs = socket.socketpair()
    pump = Pump(agent, theirs)
    ours.setblocking(False)
    line.read, line.write = lambda: ours.recv(1 << 16), ours.send
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    yield slot, relay
    slot.close()
    relay.close()
    ours.close()
    pump.join()
