"""Prints the bill of materials of the container image's Python packages, as CycloneDX 1.5.

    python .ci/sbom.py > sbom.cdx.json

It is read from ``deploy/requirements.lock``, from which the image is installed. That of the Debian
packages is made with the image: ``docker buildx build --sbom=true``.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[1] / "deploy/requirements.lock"

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: str) -> list[dict[str, Any]]:
    """A component for each pinned package, with the digests of its files."""
    pins = list(PIN.finditer(lock))
    ends = [pin.start() for pin in pins[1:]] + [len(lock)]
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{pin[1]}@{pin[2]}",
            "name": pin[1],
            "version": pin[2],
            "purl": f"pkg:pypi/{pin[1]}@{pin[2]}",
            "hashes": [
                {"alg": "SHA-256", "content": digest}
                for digest in HASH.findall(lock, pin.start(), end)
            ],
        }
        for pin, end in zip(pins, ends)
    ]


def document(lock: str) -> dict[str, Any]:
    """The bill of materials."""
    image = {"type": "container", "bom-ref": "palaestra", "name": "palaestra"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": image},
        "components": components(lock),
    }


if __name__ == "__main__":
    json.dump(document(LOCK.read_text("utf-8")), sys.stdout, indent=1)
    print()
