"""Combinations are the same in every process."""

import os
import subprocess
import sys
from contextlib import suppress

from tests.combinators.samples import combinations

from palaestra.address import Address
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import NoValidTask

SCRIPT = """
import sys
from hashlib import sha256
from palaestra import Address
digest = sha256()
for address in sys.argv[1:]:
    digest.update(Address.parse(address).task().model_dump_json().encode())
print(digest.hexdigest())
"""


def test_other_processes_draw_the_same_tasks() -> None:
    """The order of a set, which depends on the hash seed, decides nothing."""
    addresses = []
    for name in combinations()[::5]:
        with suppress(UnknownEnvironment, NoValidTask):
            address = Address.of(name, 3, 1)
            if not load(name).expensive and address.task():
                addresses.append(str(address))
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *addresses],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
