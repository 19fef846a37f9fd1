"""Functions on lists of integers as data: their texts in two styles, and what they return."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Style = Literal["loop", "comprehension"]


class Mapped(NamedTuple):
    """A function that returns a list of one integer for each of some values."""

    name: str
    style: Style
    least: int
    """Smaller values are skipped."""

    factor: int
    term: int
    multiple: int = 0
    """Multiples of it are skipped, unless it is 0."""

    floor: int | None = None
    cap: int | None = None
    order: Literal["", "ascending", "descending"] = ""
    first: int = 0
    """How many results are returned at most, unless it is 0."""

    shift: str = ""
    """The name of a further parameter, which is added to each result."""

    def lines(self) -> list[str]:
        """The text of the function."""
        parameters = f"values, {self.shift}" if self.shift else "values"
        head = [f"def {self.name}({parameters}):", '    """Return a list for values."""']
        if self.style == "comprehension":
            listed = f"[{self._expression()} for value in values if {self._condition()}]"
            return [*head, f"    return {self._ending(listed)}"]
        return [
            *head,
            "    result = []",
            "    for value in values:",
            f"        if {self._condition()}:",
            f"            result.append({self._expression()})",
            f"    return {self._ending('result')}",
        ]

    def _condition(self) -> str:
        multiple = f" and value % {self.multiple} != 0" if self.multiple else ""
        return f"value >= {self.least}{multiple}"

    def _expression(self) -> str:
        text = f"value * {self.factor} + {self.term}" + (f" + {self.shift}" if self.shift else "")
        text = text if self.floor is None else f"max({text}, {self.floor})"
        return text if self.cap is None else f"min({text}, {self.cap})"

    def _ending(self, text: str) -> str:
        reverse = ", reverse=True" if self.order == "descending" else ""
        text = f"sorted({text}{reverse})" if self.order else text
        return f"{text}[:{self.first}]" if self.first else text

    def result(self, values: Sequence[int], shift: int = 0) -> list[int]:
        """What the function returns."""
        term = self.term + (shift if self.shift else 0)
        results = [
            value * self.factor + term
            for value in values
            if value >= self.least and not (self.multiple and value % self.multiple == 0)
        ]
        if self.floor is not None:
            results = [max(number, self.floor) for number in results]
        if self.cap is not None:
            results = [min(number, self.cap) for number in results]
        if self.order:
            results.sort(reverse=self.order == "descending")
        return results[: self.first] if self.first else results


class Summed(NamedTuple):
    """A function that adds up the list of another, which may get an argument for its shift."""

    name: str
    callee: str
    constant: int
    shift: int | None = None

    def lines(self) -> list[str]:
        """The text of the function."""
        argument = "" if self.shift is None else f", {self.shift}"
        return [
            f"def {self.name}(values):",
            '    """Return the sum of a list for values."""',
            f"    return sum({self.callee}(values{argument})) + {self.constant}",
        ]


Function = Mapped | Summed
Program = tuple[Function, ...]


def text_of(program: Program) -> list[str]:
    """The lines of a program."""
    lines = ['"""Lists of integers."""']
    for function in program:
        lines += ["", "", *function.lines()]
    return lines


def value_of(program: Program, name: str, values: Sequence[int], shift: int) -> int | list[int]:
    """What a function of a program returns; ``shift`` is for those that have such a parameter."""
    functions: Mapping[str, Function] = {each.name: each for each in program}
    function = functions[name]
    if isinstance(function, Mapped):
        return function.result(values, shift)
    callee = functions[function.callee]
    assert isinstance(callee, Mapped)
    return sum(callee.result(values, function.shift or 0)) + function.constant
