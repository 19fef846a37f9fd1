"""Tools whose arguments are the contents of cells, which are numbers or texts."""

from collections.abc import Mapping
from typing import Any

from palaestra.generators.tools.engine import Arguments, Tool

CONTENTS = ("content", "text", "value")
"""The parameters that are contents of cells."""

LARGEST = 1e12
"""Which numbers are too large to stand for texts."""


def number_text(value: float) -> str:
    """A number without needless zeros, with 6 digits after the point at most.

    >>> number_text(12.0), number_text(1 / 3)
    ('12', '0.333333')
    """
    if value == (whole := int(value)):
        return str(whole)
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class CellTool(Tool):
    """A tool whose contents of cells may be numbers or texts."""

    def line(self) -> str:
        """The tool in the list that a player reads."""
        line = super().line()
        for name in CONTENTS:
            line = line.replace(f"{name}: str", f"{name}: str | number")
        return line

    def schema(self) -> dict[str, Any]:
        """The tool as a function in the form of chat APIs."""
        schema = super().schema()
        properties = schema["function"]["parameters"]["properties"]
        for name in CONTENTS:
            if name in properties:
                properties[name]["type"] = ["string", "number"]
        return schema


def typed(tool: Tool | None, arguments: Arguments) -> Mapping[str, Any]:
    """The arguments with numbers in the place of short digits, and texts in that of numbers, where
    a tool wants them.
    """
    values = dict(arguments)
    for name, expected in tool.parameters.items() if tool else ():
        value = values.get(name)
        if expected is str and type(value) in (int, float) and abs(value or 0) < LARGEST:
            values[name] = number_text(value or 0)
        elif expected is int and isinstance(value, str) and len(value) < 5:
            values[name] = int(value) if value.isascii() and value.isdecimal() else value
    return values
