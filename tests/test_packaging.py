"""The distribution: its extras, what is said without them, and the catalog in its wheel."""

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from palaestra import catalog_file
from palaestra.catalog import catalog
from palaestra.cli import main
from palaestra.extras import MissingExtra, UnsupportedPlatform, needs
from palaestra.server.launcher import background_server
from palaestra.verifiers.sandbox import Sandbox, SandboxUnavailable

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
SOURCES = [
    *ROOT.glob("src/palaestra/*.py"),
    *ROOT.glob("src/palaestra/cli/*.py"),
    *ROOT.glob("src/palaestra/client/*.py"),
    *(
        file
        for room in ("envs", "generators", "server", "trainers", "verifiers")
        for file in ROOT.glob(f"{room}/**/*.py")
    ),
]

RUN_ORACLE = "from palaestra.trainers.evaluation.oracle import serving; serving(None).__enter__()"
EXACT = "from palaestra.verifiers.answers.values import context; context()"
DUCKDB = "from palaestra.verifiers.sql.engine import _duckdb; _duckdb('', '', 1, 1.0)"
SUITE = str(ROOT / "examples/suite.yaml")
EVAL = ["eval", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--suite", SUITE]


def requirements(extra):
    """The requirements of an extra, with those of the extras that it names."""
    for requirement in EXTRAS[extra]:
        if named := re.fullmatch(r"palaestra\[(.+)\]", requirement):
            for other in named[1].split(","):
                yield from requirements(other)
        else:
            yield requirement


def run(code, *hidden):
    """The outcome of a program in a process where some modules are not installed."""
    hide = f"import sys; sys.modules |= dict.fromkeys({hidden!r})\n"
    return subprocess.run(
        [sys.executable, "-c", hide + code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("code", "module", "extra"),
    [
        ("import palaestra.gym", "gymnasium", "gym"),
        ("import palaestra.gym", "numpy", "gym"),
        ("import palaestra.zoo", "pettingzoo", "matches"),
        ("import palaestra.zoo", "gymnasium", "matches"),
        ("import palaestra.server.app", "fastapi", "server"),
        ("import palaestra.server.launcher", "uvicorn", "server"),
        ("import palaestra.server.http_protocol", "httptools", "server"),
        ("import palaestra.server.metrics", "prometheus_client", "server"),
        ("import palaestra.server.store", "sqlalchemy", "server"),
        ("import palaestra.replay", "sqlalchemy", "server"),
        ("import palaestra.quickstart", "fastapi", "server"),
        (RUN_ORACLE, "uvicorn", "server"),
        (EXACT, "mpmath", "maths"),
        (DUCKDB, "duckdb", "sql"),
        ("from palaestra.verifiers.texts import _in_common as f; f('', '')", "rapidfuzz", "text"),
        ("from palaestra.verifiers.translations import gleu; gleu('', '')", "sacrebleu", "text"),
        ("from palaestra.scenes.raster import rgb; rgb(None)", "PIL", "pictures"),
        ("from palaestra.catalog import dump; dump({})", "yaml", "yaml"),
    ],
)
def test_a_missing_extra_is_named_by_imports(code, module, extra):
    done = run(code, module)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("palaestra.extras.MissingExtra: ")
    assert last.endswith(f"is not installed: pip install 'palaestra[{extra}]'")


@pytest.mark.parametrize(
    ("arguments", "module", "extra"),
    [
        (["serve"], "fastapi", "server"),
        (["quickstart"], "uvicorn", "server"),
        (["replay"], "sqlalchemy", "server"),
        (["sample", "games/mastermind", "--format", "parquet", "-o", "x"], "pyarrow", "parquet"),
        (EVAL, "yaml", "yaml"),
    ],
)
def test_a_missing_extra_is_named_by_the_command(arguments, module, extra):
    done = run(f"from palaestra.cli import main; main({arguments!r})", module)
    assert done.returncode == 2
    assert done.stderr.startswith("palaestra: ")
    assert f"pip install 'palaestra[{extra}]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


WINDOWS = """
import sys
sys.modules |= dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios", "uvloop"))
import asyncio, multiprocessing, subprocess, sysconfig, tempfile
sysconfig.get_config_vars()  # all of these look at the platform first
sys.platform = "win32"
"""
"""An imitation: the modules that Windows does not have are missing, and code that asks is told."""


def test_environments_are_imported_on_windows():
    code = "import palaestra; print(len([palaestra.load(name) for name in palaestra.names()]))"
    assert run(WINDOWS + code).stdout == f"{len(catalog())}\n"


def test_the_sandbox_names_linux(monkeypatch):
    with Sandbox() as sandbox:
        monkeypatch.setattr(sys, "platform", "darwin")
        with pytest.raises(SandboxUnavailable, match="runs programs on Linux only"):
            sandbox.run("print(1)")


def test_the_service_names_linux(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(UnsupportedPlatform, match="runs on Linux"):
        background_server().__enter__()
    with pytest.raises(SystemExit) as end:
        main(["serve"])
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("palaestra: the HTTP service runs on Linux")


def test_modules_of_our_own_are_no_extra():
    with pytest.raises(ModuleNotFoundError) as fault, needs("server", "the HTTP service"):
        import palaestra.no_such_module  # noqa: F401
    assert not isinstance(fault.value, MissingExtra)


def test_extras_that_are_named_exist():
    named = {
        extra
        for file in SOURCES
        for extra in re.findall(r'needs\("(\w+)"|palaestra\[(\w+)\]', file.read_text("utf-8"))
        for extra in extra
        if extra
    }
    assert named <= EXTRAS.keys()
    assert {"client", "gym", "maths", "schema", "server", "smt", "sql", "text", "yaml"} <= named


def test_all_is_everything_but_training_and_importers():
    every = {requirement for extra in EXTRAS for requirement in requirements(extra)}
    apart = ("train", "reasoning-gym", "textarena")  # the latter two are for importers alone
    others = {requirement for extra in apart for requirement in EXTRAS[extra]}
    others -= set(requirements("all"))
    assert every - set(requirements("all")) == others - {"palaestra[yaml]"}


def test_extras_are_documented():
    page = (ROOT / "docs/install.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == EXTRAS.keys()


# ------------------------------------------------------------------ the catalog


ROWS = {"games/chess": {"version": 1, "floor": [0.5, 1e-3], "summary": "Ein Läufer."}}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "catalog.yaml").write_text(yaml.safe_dump(ROWS, allow_unicode=True), "utf-8")
    return tmp_path


def test_the_catalog_is_that_of_the_yaml():
    assert catalog() == yaml.safe_load((ROOT / "catalog.yaml").read_text("utf-8"))


def test_a_catalog_is_compiled_once(folder, monkeypatch):
    assert catalog_file.read(folder) == ROWS
    assert json.loads((folder / "catalog.json").read_bytes())["content"] == ROWS
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert catalog_file.read(folder) == ROWS


@pytest.mark.parametrize("content", [b"", b'{"source": ', b"{}", b'{"source": "0"}'])
def test_a_stale_catalog_is_compiled_again(folder, content):
    (folder / "catalog.json").write_bytes(content)
    assert catalog_file.read(folder) == ROWS
    assert json.loads((folder / "catalog.json").read_bytes())["content"] == ROWS
    assert [file.name for file in sorted(folder.iterdir())] == ["catalog.json", "catalog.yaml"]


def test_a_wheel_needs_no_yaml(folder, monkeypatch):
    catalog_file.read(folder)
    (folder / "catalog.yaml").unlink()
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert catalog_file.read(folder) == ROWS


def test_an_empty_catalog(folder):
    (folder / "catalog.yaml").write_text("# nothing\n")
    assert catalog_file.read(folder) == {}


# ------------------------------------------------------------------ the image


def test_the_image_installs_what_the_project_requires():
    packaging = pytest.importorskip("packaging.requirements")
    lock = (ROOT / "deploy/requirements.lock").read_text("utf-8")
    pins = dict(re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", lock, re.MULTILINE))
    assert lock.count("--hash=sha256:") > len(pins)
    lines = set(PROJECT["dependencies"])
    lines |= {
        line for extra in ("mcp", "postgres", "server", "verifiers") for line in requirements(extra)
    }
    for line in lines:
        requirement = packaging.Requirement(line)
        name = requirement.name.lower().replace("_", "-").replace(".", "-")
        assert requirement.specifier.contains(pins[name]), line


def test_the_bill_of_materials_lists_what_is_pinned():
    script = runpy.run_path(str(ROOT / ".ci/sbom.py"))
    digest = "0" * 64
    lock = (
        f"a-b==1.0 \\\n    --hash=sha256:{digest}\nc==2 ; x == 'y' \\\n    --hash=sha256:{digest}\n"
    )
    first, second = script["components"](lock)
    assert first["purl"] == "pkg:pypi/a-b@1.0"
    assert (second["name"], second["version"]) == ("c", "2")
    assert first["hashes"] == second["hashes"] == [{"alg": "SHA-256", "content": digest}]
    whole = (ROOT / "deploy/requirements.lock").read_text("utf-8")
    assert len(script["document"](whole)["components"]) == len(
        re.findall("^[a-z].*==", whole, re.MULTILINE)
    )


def test_kubernetes_runs_what_the_image_provides():
    manifests = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text("utf-8")))
    assert [one["kind"] for one in manifests] == ["Service", "PodDisruptionBudget", "Deployment"]
    service, _, deployment = manifests
    template = deployment["spec"]["template"]
    assert service["spec"]["selector"] == template["metadata"]["labels"]
    (container,) = template["spec"]["containers"]
    start = (ROOT / "deploy/start.sh").read_text("utf-8")
    assert all(variable["name"] in start for variable in container["env"])
    assert "/run/secrets/tokens" in start
    dockerfile = (ROOT / "deploy/Dockerfile").read_text("utf-8")
    assert f"--uid {template['spec']['securityContext']['runAsUser']} " in dockerfile
