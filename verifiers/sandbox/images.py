"""The image that jails run in where a container engine holds them, and how it is made.

Run as a script, ``python verifiers/sandbox/images.py`` says its name. Imports nothing of ours, so
that this needs no installation.
"""

import hashlib
import io
import sys
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCKERFILE = HERE / "image" / "Dockerfile"
PROFILE = HERE / "image" / "seccomp.json"
USER = 60_999
"""Who the agent, and so every jail, is in the container where the judge is not root."""


class ImageMissing(RuntimeError):
    """The engine has no image for this version of the jail; it says how to make one."""


def contents() -> dict[str, bytes]:
    """What the image is made of, by name."""
    files = {"Dockerfile": DOCKERFILE.read_bytes()}
    for file in sorted((HERE / "jail-app").glob("*.py")):
        files[f"jail-app/{file.name}"] = file.read_bytes()
    return files


@cache
def name() -> str:
    """The image's name. Its tag changes with whatever it is made of."""
    digest = hashlib.sha256()
    for path, content in contents().items():
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return f"palaestra-sandbox:{digest.hexdigest()[:16]}"


def ensure(client: Any, build: bool) -> str:
    """The name of the image, which the engine has; it is built where it may be.

    Raises :class:`ImageMissing` otherwise.
    """
    import docker.errors

    try:
        client.images.get(name())
    except docker.errors.ImageNotFound:
        if not build:
            raise ImageMissing(f"the image {name()} is missing; {HOW}") from None
        _build(client)
    return name()


HOW = (
    'make it with Sandbox("docker").report(), or, where no registry is reachable, with '
    f"{HERE / 'image' / 'make.sh'}"
)


def _build(client: Any) -> None:
    import docker.errors

    try:
        client.images.build(fileobj=_context(), custom_context=True, tag=name(), rm=True)
    except (docker.errors.BuildError, docker.errors.APIError) as fault:
        raise ImageMissing(f"the image {name()} cannot be built ({fault}); {HOW}") from fault


def _context() -> io.BytesIO:
    """What is sent to the engine to build from."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path, content in contents().items():
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    packed.seek(0)
    return packed


if __name__ == "__main__":
    sys.stdout.write(f"{name()}\n")
