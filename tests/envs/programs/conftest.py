"""The sandbox, where this machine has one."""

import pytest

from palaestra.verifiers.sandbox import SandboxUnavailable, sandbox


@pytest.fixture(scope="session")
def jail():
    """Skip what needs the sandbox on machines that have none."""
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))
