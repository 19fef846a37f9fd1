"""Settings with tokens in them go to server processes, and stay nowhere."""

import json
import os
import subprocess
import sys

import pytest

from palaestra.server import app
from palaestra.server.service import Settings

SERVER = """
import os, signal, subprocess, sys
from palaestra.server.app import settings_in_environment
from palaestra.server.service import Settings

with settings_in_environment(Settings(tokens=("secret",))):
    reading = "import os; from pathlib import Path; path = os.environ['PALAESTRA_SETTINGS']; "
    command = [sys.executable, "-c", reading + "print(Path(path).read_text())"]
    for _ in range(2):  # a process that dies is replaced, and the next one reads them again
        print(subprocess.run(command, capture_output=True, text=True).stdout, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_server_leaves_no_settings(tmp_path):
    code = SERVER.replace("PALAESTRA_SETTINGS", app.SETTINGS_VARIABLE)
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = result.stdout.split("\n")
    assert [json.loads(line)["tokens"] for line in lines if line] == [["secret"]] * 2, result.stderr
    assert result.returncode == -9
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lacking", ["memfd_create", "proc"])
def test_settings_are_handed_over_without_files_in_memory(tmp_path, monkeypatch, lacking):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if lacking == "proc":
        monkeypatch.setattr(os, "getpid", lambda: 1 << 30)
    else:
        monkeypatch.delattr(os, lacking)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with app.settings_in_environment(Settings(protocol="ors")):
        assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
        assert "/create_session" in app.from_environment().openapi()["paths"]
    assert not list(tmp_path.iterdir())
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
