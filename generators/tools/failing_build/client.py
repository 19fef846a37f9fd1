"""A player that builds, reads what stops the build, and repairs it by the documentation."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from shlex import quote

Use = Callable[[str], list[str]]
"""Runs a command, and gives the lines of its output."""

STANDARD = {"accumulate": "itertools", "isqrt": "math", "bisect_left": "bisect"}
"""Where the standard library has names that are used without an import."""


class Builder:
    """Knows nothing but what commands print."""

    def __init__(self, use: Use) -> None:
        self.use = use
        self.documents: dict[str, str] = {}

    def repair(self, builds: int = 20) -> None:
        """Repair until the build succeeds, and the configuration is what the documentation says."""
        for line in self.use("ls; cat docs/BUILD.md"):
            if line.startswith("- "):
                self.documents[line.split()[1]] = line
        for _ in range(builds):
            lines = self.use("python3 build.py")
            if lines[-1] == "build succeeded":
                break
            self._fix("\n".join(lines))
        if self._set_flags():
            self.use("python3 build.py")

    def _fix(self, output: str) -> None:
        rules = (
            (r"version (\S+) in (\S+), but (\S+) in VERSION", self._version),
            (r"step (\S+): the (input|script) (\S+) does not exist", self._path),
            (r"(data/\S+), line (\d+): the name", self._delete_row),
            (r"(data/\S+), line (\d+): \d+ fields", self._separate),
            (r"NameError: name '(\w+)' is not defined", self._import),
            (r"cannot import name '(\w+)' from partially initialized module '([\w.]+)'", self._cut),
        )
        for pattern, rule in rules:
            if match := re.search(pattern, output):
                rule(output, *match.groups())
                return
        self._set_flags()

    def _version(self, _: str, wrong: str, path: str, right: str) -> None:
        key = "version = " if path == "build.cfg" else "__version__ = "
        self.use(f"sed -i '/^{key}/ s/{wrong}/{right}/' {path}")

    def _path(self, _: str, step: str, role: str, path: str) -> None:
        if path.startswith("out/"):
            maker = path.removeprefix("out/").removesuffix(".txt")
            section = self.use(f"sed -n '/^\\[step {step}\\]/,/^$/p' build.cfg")
            needs = [line for line in section if line.startswith("needs = ")]
            edit = f"s/$/ {maker}/" if needs else f"s/^output/needs = {maker}\\noutput/"
            target = "needs = " if needs else "output"
            self.use(f"sed -i '/^\\[step {step}\\]/,/^$/ {{ /^{target}/ {edit} }}' build.cfg")
            return
        words = re.findall(r"[\w./-]+", self.documents[step])
        right = next(word for word in words if word.startswith("data/"))
        if role == "script":
            right = get_close_matches(path, self.use("ls tools/*"), 1, 0)[0]
        old = path.replace(".", "\\.")
        self.use(f"sed -i '/^\\[step {step}\\]/,/^$/ s#{old}#{right}#' build.cfg")

    def _delete_row(self, _: str, path: str, number: str) -> None:
        self.use(f"sed -i {number}d {path}")

    def _separate(self, _: str, path: str, number: str) -> None:
        self.use(f"sed -i '{number}s/;/,/g' {path}")

    def _import(self, output: str, name: str) -> None:
        path = re.findall(r'File "([^"]+)", line', output)[-1]
        line = f"from {STANDARD[name]} import {name}" if name in STANDARD else ""
        if not line:
            where = self.use(f"grep -rln -e '^def {name}(' -e '^{name} = ' src")[0]
            module = where.removeprefix("src/").removesuffix(".py").replace("/", ".")
            line = f"from {module} import {name}"
        self.use(f"sed -i '1a\\\n\\\n{line}' {quote(path)}")

    def _cut(self, output: str, name: str, module: str) -> None:
        """Move an import to the beginning of the function that needs it."""
        path = re.findall(r'File "([^"]+)", line', output)[-1]
        line = f"from {module} import {name}"
        self.use(f"sed -i '/^{line}$/d; /^def /{{n;s/$/\\n    {line}/}}' {quote(path)}")

    def _set_flags(self) -> bool:
        """Set the flags of the scripts as the documentation says; whether that changes some."""
        before = self.use("cat build.cfg")
        for step, text in self.documents.items():
            title = re.search(r"under the title (\S+)\. Its", text)
            column = re.search(r"the column (\w+)", text)
            least = re.search(r"(?:values below|where it is) (\d+)", text)
            flags = f"--title {title[1]}" if title else ""
            if column and least:
                flags = f"--column {column[1]} --at-least {least[1]}"
            section = f"/^\\[step {step}\\]/,/^$/"
            if flags and f"flags = {flags}" not in before:
                self.use(f"sed -i '{section} s/^flags = .*/flags = {flags}/' build.cfg")
        return self.use("cat build.cfg") != before
