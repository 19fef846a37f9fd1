"""Stand-ins for containers, made of namespaces: a root of their own, and a network without any.

They understand as much of a Dockerfile as exported tasks have. The files of their images are those
of this machine: system folders and a Python, in which Palaestra is if the image installs it.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import palaestra

SYSTEM = [folder for folder in ("/usr", "/bin", "/lib", "/lib64", "/etc") if Path(folder).exists()]
ENTER = """set -e
for folder in $MOUNTED; do mkdir -p "$ROOT$folder"; mount --rbind "$folder" "$ROOT$folder"; done
if [ -n "$HOSTS" ]; then mount --bind "$HOSTS" "$ROOT/etc/hosts"; fi
mkdir -p "$ROOT/tmp" "$ROOT/app"
exec chroot "$ROOT" /usr/bin/env -i "PATH=$INSIDE:/usr/bin:/bin" HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 "$@" /bin/sh -c 'cd "$0" && eval "$1"' "$FOLDER" "$COMMAND"
"""
LOOPBACK = """
import fcntl, socket, struct, sys
with socket.socket() as one:
    fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
print("up", flush=True)
sys.stdin.read()
"""


@cache
def refusal():
    """Why there are no namespaces here; blank where there are."""
    try:
        ran = subprocess.run(
            [*unshared("-m", "-n"), "true"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        return str(error)
    return ran.stderr or ("" if ran.returncode == 0 else "unshare fails")


def require_namespaces():
    if why := refusal():
        pytest.skip(f"no namespaces here: {why}")


def unshared(*flags):
    return ["unshare", *flags, *([] if os.geteuid() == 0 else ["-U", "-r"])]


class Network:
    """A network of some containers, from which nothing else can be reached."""

    def __init__(self, names):
        self.hosts = "127.0.0.1 localhost " + " ".join(names) + "\n"
        self.process = subprocess.Popen(
            [*unshared("-n"), sys.executable, "-c", LOOPBACK],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout.readline() == "up\n"

    def entered(self):
        user = [] if os.geteuid() == 0 else ["-U", "--preserve-credentials"]
        return ["nsenter", "-t", str(self.process.pid), "-n", *user, "unshare", "-m"]

    def close(self):
        self.process.communicate()


class Container:
    """A container of an image whose Dockerfile is in ``context``, in an empty folder ``root``."""

    def __init__(self, root: Path, context: Path, network: Network):
        self.root, self.network = root, network
        self.workdir, self.entry, self.has_palaestra = "/", None, False
        root.mkdir(parents=True)
        (root / "hosts").write_text(network.hosts)
        self.mounted = [*SYSTEM, "/proc", "/dev", sys.base_prefix]
        self.inside = str(Path(sys.base_prefix, "bin"))
        for line in (context / "Dockerfile").read_text().splitlines():
            self._build(*line.split(maxsplit=1), context)

    def _build(self, instruction, value, context):
        if instruction == "WORKDIR":
            self.workdir = value
            self.path(value).mkdir(parents=True, exist_ok=True)
        elif instruction == "COPY":
            *sources, target = value.split()
            ignore = context / ".dockerignore"
            assert not (ignore.exists() and ignore.read_text() == "*\n"), "there is nothing to copy"
            for source in sources:
                self.upload(context / source, target + (source if target.endswith("/") else ""))
        elif instruction == "RUN" and value.startswith("pip install"):
            (requirement,) = [word for word in shlex.split(value) if "palaestra" in word]
            assert requirement.endswith(f"=={palaestra.__version__}")
            self.has_palaestra = True
            package = Path(palaestra.__file__).resolve().parent
            source = package.parents[1] if package.parent.name == "src" else package.parent
            self.mounted += [sys.prefix, str(source)]
            self.inside = f"{Path(sys.prefix, 'bin')}:{self.inside}"
        elif instruction == "RUN":
            assert self.run(value).returncode == 0
        elif instruction == "CMD":
            self.entry = shlex.join(json.loads(value))
        else:
            assert instruction in {"FROM", "EXPOSE"}

    def path(self, inside):
        """Where a path of the container is on this machine."""
        return self.root / inside.lstrip("/")

    def upload(self, source, inside):
        target = self.path(inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
        else:
            shutil.copy(source, target, follow_symlinks=False)

    def _command(self, command, cwd, env):
        values = [f"{name}={value}" for name, value in (env or {}).items()]
        entered = [*self.network.entered(), "sh", "-c", ENTER, "sh", *values]
        settings = {
            "ROOT": str(self.root),
            "MOUNTED": " ".join(dict.fromkeys(self.mounted)),
            "HOSTS": str(self.root / "hosts"),
            "INSIDE": self.inside,
            "FOLDER": cwd or self.workdir,
            "COMMAND": command,
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        }
        return entered, settings

    def run(self, command, cwd=None, env=None, timeout=120):
        """Run a command of the shell to its end."""
        entered, settings = self._command(command, cwd, env)
        return subprocess.run(
            entered, env=settings, capture_output=True, text=True, timeout=timeout, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def start(self):
        """Start what the image is for; the process."""
        entered, settings = self._command(f"exec {self.entry}", None, None)
        return subprocess.Popen(entered, env=settings, stdin=subprocess.DEVNULL)


class Trial:
    """The containers of a task: that of the agent, and beside it that of a server if it has one."""

    def __init__(self, task: Path, folder: Path):
        self.task, self.folder = task, folder
        environment = task / "environment"
        self.network = Network(["palaestra"])
        self.main = Container(folder / "main", environment, self.network)
        self.service = self.process = None
        if (environment / "docker-compose.yaml").exists():
            self.service = Container(folder / "service", environment / "palaestra", self.network)
            self.process = self.service.start()
            self._await(environment / "docker-compose.yaml")

    def _await(self, compose):
        import yaml

        services = yaml.safe_load(compose.read_text())["services"]
        verb, *words = services["palaestra"]["healthcheck"]["test"]
        assert verb == "CMD"
        while self.service.run(shlex.join(words)).returncode:
            assert self.process.poll() is None, "the server of the episode has ended"

    def close(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
        self.network.close()
