"""A client that mends a repository through its tools.

It knows how the rules of documentation are written as code, and nothing of the repository or of
the world. It reads the documentation and the code, compares each function with its rules, and
writes those anew that are not what they are documented to be. A rule that an issue asks for is
added to the function whose subject the issue names.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from palaestra.generators.tools.repository_issue.rules import Used, body, indented, read_rules

Use = Callable[..., str]
"""Calls a tool by its name with arguments, and gives what a player reads."""

_FUNCTION = re.compile(
    r'^( *)def (\w+)\(([^\n]*)\):\n +"""([^"]*)"""\n((?:\1    [^\n]*\n|\n(?=\1    ))*)',
    re.MULTILINE,
)
_NAME = re.compile(r"\w+")
_FIELDS = re.compile(r"def __init__\(self, name, category, (.*)\):")


class Source(NamedTuple):
    """A function in a file: where its code is, and what is documented of it."""

    path: str
    name: str
    indent: str
    docstring: str
    code: str


class Client:
    """Mends a repository. ``use`` calls a tool, and ``busy`` is its result where it is to be
    called again.
    """

    def __init__(self, use: Use, busy: str) -> None:
        self.use, self.busy = use, busy

    def call(self, tool: str, **arguments: Any) -> str:
        """The result of a call that is repeated while the service is busy."""
        while (result := self.use(tool, arguments)) == self.busy:
            pass
        return result

    def mend(self, issues: str) -> None:
        """Do what the issues ask for."""
        listed = self.call("list_files").split("\n")
        paths = [line.partition(" (")[0] for line in listed]
        pages = {path: self.read(path) for path in paths if path.startswith("docs/")}
        modules = [p for p in paths if p.endswith(".py") and not p.startswith("tests/")]
        files = {path: self.read(path) for path in modules}
        fields = next(match[1] for text in files.values() for match in _FIELDS.finditer(text))
        homes = {
            each.name: path
            for path, text in files.items()
            for each in sources(path, text)
            if not each.indent
        }
        for path, text in files.items():
            written = [
                self._mended(source, fields.split(", "), "\n".join(pages.values()), issues)
                for source in sources(path, text)
            ]
            self._import("\n".join(written), text, path, homes)

    def read(self, path: str) -> str:
        """The whole text of a file, however many calls it takes."""
        lines: list[str] = []
        more = True
        while more:
            shown = self.call("read_file", path=path, start=len(lines) + 1).split("\n")
            more = shown[-1].startswith("(")
            lines += [line.partition(": ")[2] for line in (shown[:-1] if more else shown)]
        return "\n".join(lines)

    def _mended(self, source: Source, fields: list[str], pages: str, issues: str) -> str:
        """Write a function anew where it is not what it is documented to be, and give the new
        code, if there is any.
        """
        subject = source.docstring.split("\n")[0].strip().removesuffix(".")
        section = pages.partition(f"## {subject}\n")[2].partition("\n## ")[0]
        rules = read_rules(section or source.docstring)
        if not rules:
            return ""
        rules += wanted(issues, subject)
        code = indented(body(rules, fields), len(source.indent) + 4)
        if code == source.code:
            return ""
        head = f'{source.docstring}"""\n'
        self.call("edit", path=source.path, old=head + source.code, new=head + code)
        return code

    def _import(self, code: str, before: str, path: str, homes: dict[str, str]) -> None:
        """Import what new code uses and the file did not."""
        names = {*_NAME.findall(code)} & homes.keys() - {*_NAME.findall(before)}
        lines = [
            f"from {homes[name].removesuffix('.py').replace('/', '.')} import {name}"
            for name in sorted(names)
        ]
        if lines:
            text = "\n".join([before.partition("\n")[0], "", *lines])
            self.call("replace_lines", path=path, start=1, end=1, text=text)


def sources(path: str, text: str) -> Iterator[Source]:
    """The functions of a file that have a docstring."""
    for match in _FUNCTION.finditer(text):
        indent, name, _, docstring, code = match.groups()
        yield Source(path, name, indent, docstring, code.rstrip("\n"))


def wanted(issues: str, subject: str) -> list[Used]:
    """The rules that the issues ask for in a function of this subject."""
    phrase = subject[0].lower() + subject[1:]
    paragraphs = issues.split("\n\n")
    return [
        rule
        for paragraph in paragraphs
        if phrase in paragraph or subject in paragraph
        for rule in read_rules(paragraph)
    ]
