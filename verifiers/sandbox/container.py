"""Jails in a container, for machines whose kernel lets nobody build them outside of one.

One hardened container runs the same engine as ``native``: without network, with a read-only root,
no capabilities, no way to new ones, limits on memory and processes, our seccomp profile, and as an
unprivileged user. Jails are started in it, each for itself, by the agent of ``jail-app``.

Where the engine is on this machine, the judge and each jail share the descriptors that they would
share without a container, and a program costs what it costs without. Elsewhere they are relayed.
"""

import atexit
import contextlib
import json
import os
import secrets
import select
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from palaestra.verifiers.sandbox import images, languages
from palaestra.verifiers.sandbox.engines import Engine, EngineError, connect
from palaestra.verifiers.sandbox.lines import Attached, Handing, Line, Meeting
from palaestra.verifiers.sandbox.relay import Relay, frames
from palaestra.verifiers.sandbox.slots import HIDDEN, READABLE, JailError, Slot, configuration
from palaestra.verifiers.sandbox.users import User, claim

STARTING_S = 60.0
MEETING = "/run/palaestra"
LABEL = "palaestra.sandbox"


class Container:
    """A running container and the line to its agent.

    Raises :class:`EngineError` where it cannot be started.
    """

    def __init__(self, engine: Engine, build: bool) -> None:
        self.engine = engine
        self.client, self.url = connect(engine)
        self.claimed: User | None = None
        self.line: Line | None = None
        self.identity = ""
        self.attached: Attached | None = None
        try:
            self.claimed = claim()
            self.image = images.ensure(self.client, build)
            self._start()
        except images.ImageMissing as fault:
            self.close()
            raise EngineError(str(fault)) from fault
        except BaseException:
            self.close()
            raise

    @property
    def user(self) -> int:
        """Who the agent and all jails are in the container."""
        return images.USER if self.claimed is None else self.claimed.number

    def _start(self) -> None:
        import docker.errors

        meeting = Meeting() if self.url.startswith("unix://") else None
        shown = meeting is not None and not self.engine.relayed
        try:
            try:
                self._launch(meeting, shown)
            except docker.errors.APIError as fault:
                if not shown or "bind" not in str(fault):
                    raise
                self._launch(meeting, shown=False)  # the engine has files of its own
            self._greet(meeting)
        except (docker.errors.DockerException, OSError, frames().Broken) as fault:
            errors = self.attached.errors.decode("utf-8", "replace") if self.attached else ""
            raise EngineError(f"no container could be started: {fault} {errors}".strip()) from fault
        finally:
            if meeting is not None:
                meeting.close()

    def _launch(self, meeting: Meeting | None, shown: bool) -> None:
        api = self.client.api
        container = api.create_container(
            self.image,
            stdin_open=True,
            user=f"{self.user}:{self.user}",
            hostname="jail",
            network_disabled=True,
            labels={LABEL: f"{socket.gethostname()}:{os.getpid()}"},
            host_config=self._hardened(meeting, shown),
        )
        self.identity = container["Id"]
        streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self.attached = Attached(api.attach_socket(self.identity, params=streams))
        api.start(self.identity)

    def _hardened(self, meeting: Meeting | None, shown: bool) -> Any:
        """What the container may not do."""
        from docker.types import Mount, Ulimit

        if self.engine.runtime and self._podman():
            raise EngineError("Podman takes its runtime from containers.conf; set it there")
        info = self.client.info()
        memory = self.engine.memory_mb or max(512, info["MemTotal"] * 3 // 4 >> 20)
        security = ["no-new-privileges", "label=disable", *self._profile(meeting)]
        if any("apparmor" in option for option in info.get("SecurityOptions") or ()):
            security.append("apparmor=unconfined")  # its usual profile forbids mounts to everyone
        limits = {"core": 0, "nofile": 4_096, "nproc": self.engine.processes}
        mounts = []
        if meeting is not None and shown:
            mounts = [Mount(MEETING, meeting.folder, type="bind", read_only=True)]
        held = self.client.api.create_host_config(
            auto_remove=True,
            cap_drop=["ALL"],
            ipc_mode="none",
            log_config={"Type": "none"},
            mem_limit=f"{memory}m",
            memswap_limit=f"{memory}m",
            mounts=mounts,
            network_mode="none",
            pids_limit=self.engine.processes,
            read_only=True,
            runtime=self.engine.runtime,
            security_opt=security,
            # Said in full, for Podman would raise what is not, which needs a capability.
            ulimits=[Ulimit(name=name, soft=most, hard=most) for name, most in limits.items()],
            tmpfs={"/tmp": "size=256m,mode=1777,nosuid,nodev,noexec"},
        )
        # Where parts of /proc are hidden, a jail may not mount one of its own, which shows less.
        return held | {"MaskedPaths": [], "ReadonlyPaths": []}

    def _podman(self) -> bool:
        return "podman" in str(self.client.version().get("Components")).lower()

    def _profile(self, meeting: Meeting | None) -> list[str]:
        """Our seccomp profile: Docker takes its text, and Podman a file on its own machine.

        A Podman that sees no file of ours has its usual profile, which leaves jails with Landlock.
        """
        profile = images.PROFILE.read_text()
        if not self._podman():
            return [f"seccomp={profile}"]
        if meeting is None:
            return []
        file = Path(meeting.folder, "seccomp.json")
        file.write_text(profile)
        return [f"seccomp={file}"]

    def _greet(self, meeting: Meeting | None) -> None:
        """Waits for the agent, which comes through our socket or answers on its streams."""
        assert self.attached is not None
        speech, attached = frames(), self.attached
        wire = speech.Connection(attached.read, attached.write, speech.FROM_AGENT)
        key = secrets.token_hex(16)
        names = sorted({name for chain in languages.TOOLCHAINS.values() for name in chain.tools})
        greeting = {"key": key, "socket": f"{MEETING}/agent", "tools": names}
        wire.send(speech.HELLO, 0, 0, json.dumps(greeting).encode())
        until = time.monotonic() + STARTING_S
        while self.line is None:
            wire.flush()
            if time.monotonic() > until:
                raise EngineError("the container's agent does not answer")
            happened = _waited(attached.socket, *([meeting.listener] if meeting else []))
            if attached.socket.fileno() in happened:
                for _, _, _, payload in list(wire.receive())[:1]:
                    self._hello(json.loads(payload))
                    self.line = Relay(wire, attached.socket.fileno())
            elif meeting is not None and happened and (met := meeting.met(key)) is not None:
                self._hello(met[1])
                self.line = Handing(met[0])

    def _hello(self, hello: dict[str, Any]) -> None:
        self.walls = hello["walls"]
        self.tools: dict[str, list[str]] = hello["tools"]
        if self.walls not in {"namespaces", "landlock"}:
            raise EngineError("in the container there are neither namespaces nor Landlock")

    @property
    def alive(self) -> bool:
        """Whether jails can be started in it."""
        return self.line is not None and self.line.alive

    def tool(self, language: str) -> str:
        """The compiler or the interpreter of a language in the image.

        Raises :class:`~palaestra.verifiers.sandbox.languages.MissingTool` where there is none.
        """
        chain = languages.TOOLCHAINS[language]
        for name in chain.tools:
            if name in self.tools:
                return self.tools[name][not chain.compiled]  # a link's name can be an option
        raise languages.MissingTool(f"{language} needs {chain.tools[0]}, which the image has not")

    def report(self) -> dict[str, str]:
        """What is told of it beside what is told of every backend."""
        handed = isinstance(self.line, Handing)
        return {
            "engine": self.url,
            "image": self.image,
            "runtime": self.engine.runtime or "the engine's own",
            "walls": self.walls,
            "jobs": "handed over" if handed else "relayed",
        }

    def close(self) -> None:
        """Ends the container and everything in it."""
        import docker.errors

        if self.line is not None:
            self.line.close()
        if self.attached is not None:
            self.attached.close()
        if self.identity:
            with contextlib.suppress(docker.errors.DockerException, OSError):
                self.client.api.remove_container(self.identity, force=True)
        self.client.close()
        if self.claimed is not None:
            self.claimed.close()

    def disown(self) -> None:
        """Lets go of it in a forked child: it is the parent's, and ends with the parent."""
        if self.attached is not None:
            self.attached.disown()
        if self.line is not None:
            self.line.disown()


def _waited(*ends: socket.socket) -> set[int]:
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(1_000)}


class ContainerSlot(Slot):
    """A jail in a container. What goes through its sockets is the same as without."""

    def __init__(self, container: Container, whole: bool = False, **changes: Any) -> None:
        self.level = "container"
        self.walls = container.walls
        self.whole = whole
        self.number = 0
        self.failed = False
        self.scratch = self.group = None
        self.owner = container.user if os.getuid() == 0 else None
        self.container = container
        folders = {"readable": list(READABLE), "hidden": list(HIDDEN)}
        config = configuration(container.walls, whole, None, **folders, **changes)
        with ExitStack() as held:
            self.held = held
            self.start(config)
            self.held = held.pop_all()

    def start(self, config: Mapping[str, Any]) -> None:
        """Has the agent start the jail."""
        jobs, control = self.connect()
        self.held.callback(self.end)
        assert self.container.line is not None
        with jobs, control:
            try:
                self.container.line.open(jobs, control, self.errors.fileno(), config)
            except OSError as fault:
                raise JailError(f"the container is gone: {fault}") from fault

    def alive(self) -> bool:
        """Whether the jail has never failed, and anyone in the container holds the other end."""
        poll = select.poll()
        poll.register(self.jobs, 0)
        return not self.failed and self.container.alive and not poll.poll(0)

    def end(self) -> None:
        """Hangs up, whereupon the agent ends the jail."""
        for end in (self.jobs, self.control):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # also for a forked child's copies


# ------------------------------------------------------------------ one for each process


class Shared:
    """The containers of this process, one for each engine."""

    def __init__(self) -> None:
        self.running: dict[Engine, Container] = {}
        self.lock = threading.Lock()

    def get(self, engine: Engine, build: bool) -> Container:
        """The container at an engine, in place of one that was lost."""
        with self.lock:
            running = self.running.get(engine)
            if running is not None and not running.alive:
                self.running.pop(engine).close()
                running = None
            if running is None:
                running = self.running[engine] = Container(engine, build)
            return running

    def close(self) -> None:
        """Ends them all."""
        with self.lock:
            while self.running:
                self.running.popitem()[1].close()

    def disown(self) -> None:
        """In a forked child: they are the parent's, whose threads may have held the lock."""
        self.lock = threading.Lock()
        for container in self.running.values():
            container.disown()
        self.running.clear()


_here = Shared()
os.register_at_fork(after_in_child=_here.disown)
atexit.register(_here.close)


def shared(engine: Engine, build: bool = False) -> Container:
    """The container of this process at an engine, started where there is none.

    Raises :class:`EngineError` where it cannot be; ``build`` allows to make the image first.
    """
    return _here.get(engine, build)


def close() -> None:
    """Ends all containers of this process. They end by themselves when it does."""
    _here.close()
