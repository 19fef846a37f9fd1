"""The command line, and the page of the documentation."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import yaml
from starlette.responses import Response
from tests.trainers.evaluation.endpoints import ROOT, SMALL, Endpoint, command, options

from palaestra.trainers.evaluation.command import folder_of, sampling_of
from palaestra.trainers.evaluation.oracle import Oracle, build, serving


@pytest.mark.parametrize("option", options(), ids=lambda option: option.name)
def test_every_option_is_explained(option, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert command("eval", "--help") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert option.opts[0] in out
    assert len(option.help) > 10
    assert option.help.split(":")[0] in out


def test_options_in_json():
    assert sampling_of(None, temperature=None, max_tokens=5) == {"max_tokens": 5}
    assert sampling_of('{"top_k": 2}', temperature=1.0) == {"top_k": 2, "temperature": 1.0}
    for odd in ("{", "3", "[1]", "[" * 9_000):
        with pytest.raises(ValueError, match="--extra is a JSON object"):
            sampling_of(odd)
    for taken in ('{"n": 2}', '{"model": "x"}', '{"temperature": 1}', '{"seed": 1}'):
        with pytest.raises(ValueError, match="set elsewhere"):
            sampling_of(taken, temperature=0.5)


def test_folders_have_names():
    assert folder_of("../../etc", Path("x.yaml")) == Path("evaluations/etc-x")
    assert folder_of("a b/c", Path("s/t.yaml")) == Path("evaluations/a-b-c-t")


def test_the_command_says_when_something_is_unscored(tmp_path, suite_file, capsys):
    bad = {*[*Endpoint(SMALL).oracle.known][:2]}
    endpoint = Endpoint(SMALL, mood=lambda key, _: Response(b"", 400) if key[0] in bad else None)
    with endpoint.serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        argv += ["--out", str(tmp_path / "out")]
        assert command(*argv) == 1
        shown = capsys.readouterr()
        assert "20 of 20 attempts, 2 of them unscored" in shown.out
        assert "--retry-unscored" in shown.err
        assert command(*argv, "--model", "other") == 2
        assert "choose another folder" in capsys.readouterr().err
        bad.clear()
        assert command(*argv, "--retry-unscored") == 0
        assert "100 % [" in capsys.readouterr().out


def test_a_bar_for_a_person(monkeypatch, tmp_path, suite_file):
    import io

    from rich.console import Console

    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=150)
    monkeypatch.setattr("palaestra.cli.terminal.err", console)
    with Endpoint(SMALL, delay=0.05).serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        assert command(*argv, "--out", str(tmp_path / "out"), "--concurrency", "2") == 0
    assert "m on small.yaml" in screen.getvalue()
    assert "solved" in screen.getvalue()


def test_the_commands_of_the_page_run_as_written(tmp_path):
    text = (ROOT / "docs/evaluation.md").read_text()
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", text.replace("\\\n", " "), re.DOTALL)
        for line in block.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    few = yaml.safe_load((tmp_path / "examples/suite.yaml").read_text())
    for entry in few:  # the same with fewer tasks, for time's sake
        entry["tasks"] = 3
    (tmp_path / "examples/suite.yaml").write_text(yaml.safe_dump(few))
    port = free_port()
    folder = str(Path(sys.executable).parent)
    env = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    served, ran = None, []
    try:
        for line in lines:
            words = line.replace("8001", str(port)).strip()
            if words.endswith("&"):
                argv = shlex.split(words.removesuffix("&"))
                served = subprocess.Popen(argv, cwd=tmp_path, env=env)
                wait_for_port(port, served)
            elif words.startswith(("palaestra", "python")):
                done = subprocess.run(
                    words, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True,
                    check=False,
                )  # fmt: skip
                assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
                ran.append(words)
    finally:
        if served is not None:
            served.terminate()
            served.wait(300)
    assert sum("palaestra eval" in words for words in ran) >= 2
    assert [*tmp_path.glob("evaluations/*/report.html")]


def free_port():
    import socket

    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return line.getsockname()[1]


def wait_for_port(port, process):
    import socket

    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        assert process.poll() is None, "the oracle has ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the oracle does not answer")


def test_the_page_names_every_option():
    text = (ROOT / "docs/evaluation.md").read_text()
    for option in options():
        assert f"`{option.opts[0]}" in text, option.opts[0]


def test_the_oracle_answers_only_for_its_tasks():
    import httpx2 as httpx

    with serving(build(Oracle(SMALL))) as url:
        chats = ([{"role": "user", "content": "hi"}], [], [{"role": "user", "content": {}}], 7)
        bodies = [json.dumps({"messages": chat}).encode() for chat in chats]
        for body in (b"{}", b"[", b"3", *bodies):
            assert httpx.post(f"{url}/chat/completions", content=body).status_code == 400
        assert httpx.get(f"{url}/models").json()["data"][0]["id"] == "oracle"
    with pytest.raises(ValueError, match="between 0 and 1"):
        Oracle(SMALL, 2)
    assert threading.active_count() < 50
