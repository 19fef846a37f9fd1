"""The versions that a verdict may depend on, and that installers agree about them."""

import subprocess
import sys
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from palaestra.server.app import build
from palaestra.verifiers.versions import LIBRARIES, fingerprint, versions

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def required(name, extra):
    """The bounds that the project sets for a library, dependencies and an extra together."""
    packaging = pytest.importorskip("packaging.requirements")
    lines = PROJECT["dependencies"] + PROJECT["optional-dependencies"][extra]
    (one,) = [r for r in map(packaging.Requirement, lines) if r.name == name]
    return one.specifier


def test_installers_can_only_agree_about_the_algebra_system():
    """Math-Verify alone takes SymPy 1.12 beside mpmath 1.4, and any SymPy with any mpmath."""
    sympy, mpmath = required("sympy", "maths"), required("mpmath", "maths")
    assert "1.14" in sympy
    assert not any(old in sympy for old in ("1.12", "1.13.3"))
    assert "1.3.0" in mpmath
    assert not any(mpmath.contains(new, prereleases=True) for new in ("1.4.0a5", "1.4.0", "1.5"))


def test_the_installed_versions_are_among_those_asked_for():
    packaging = pytest.importorskip("packaging.requirements")
    pytest.importorskip("sympy")
    assert version("sympy") in required("sympy", "maths")
    assert version("mpmath") in required("mpmath", "maths")
    theirs = [packaging.Requirement(line) for line in requires("sympy") or ()]
    (bound,) = [one.specifier for one in theirs if one.name == "mpmath" and not one.marker]
    assert version("mpmath") in bound


def test_every_library_of_the_verifiers_is_named():
    packaging = pytest.importorskip("packaging.requirements")
    extras = PROJECT["optional-dependencies"]
    (named,) = map(packaging.Requirement, extras["verifiers"])
    lines = [line for extra in named.extras for line in extras[extra]]
    libraries = {packaging.Requirement(line).name for line in lines}
    assert {"sympy", "z3-solver", "duckdb"} < libraries
    assert libraries | {"google-re2", "sqlglot"} <= set(LIBRARIES)


def test_versions_are_those_that_are_installed():
    installed = versions()
    assert installed["palaestra"] == version("palaestra")
    assert installed["mpmath"] == version("mpmath")
    installed["mpmath"] = "0"
    assert versions()["mpmath"] == version("mpmath")


def test_finding_versions_imports_no_library():
    code = (
        "import sys; from palaestra.verifiers.versions import versions; versions();"
        "print(*sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sympy", "mpmath", "math_verify", "scipy", "z3", "pint"} & set(out.stdout.split())


@pytest.mark.parametrize("name", ["sympy", "mpmath", "palaestra", "python"])
def test_a_fingerprint_changes_with_any_version(name, monkeypatch):
    before, others = fingerprint(), tuple((versions() | {name: "0.1"}).items())
    monkeypatch.setattr("palaestra.verifiers.versions._versions", lambda: others)
    assert fingerprint() != before


def test_the_service_names_them():
    response = TestClient(build()).get("/version").json()
    assert response["name"] == "palaestra"
    assert response["libraries"] == versions()
    assert response["fingerprint"] == fingerprint()
