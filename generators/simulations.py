"""Puzzles about the result of a simulation: a start and rules, carried out step by step."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from palaestra.task import Puzzle, Score
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integer, integers
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.values import joined


class Simulation(Puzzle):
    """A puzzle that asks for the result of a simulation, which is one list of values.

    A new environment of this family defines

    - its fields, :class:`Knobs`, ``generate`` and ``prompt``, as every puzzle does: the start, the
      rules, and how many steps to take or when to stop;
    - :meth:`result`, which carries out the rules;
    - :attr:`item` or :attr:`labels`, for reasons;
    - :meth:`read` and :meth:`as_text`, unless the values are whole numbers in a list.

    Use :class:`SimulationReport` if an answer has one line for each value.
    """

    calculation = True

    item: ClassVar[str] = "number"
    """What a reason calls one of the values if they have no labels."""

    labels: ClassVar[Sequence[str]] = ()
    """The names of the values, if there is a fixed number of them."""

    @abstractmethod
    def result(self) -> Sequence[Any]:
        """The values that the prompt asks for."""

    def read(self, answer: str) -> Sequence[Any]:
        """The values that an answer states. Raises :class:`InvalidAnswer` if it states none."""
        return integers(answer, len(self.labels) or None)

    def as_text(self, values: Sequence[Any]) -> str:
        """Values as an answer."""
        return joined(values)

    def answer(self) -> str:
        return self.as_text(self.result())

    def verify(self, answer: str) -> Score:
        values, result = self.read(answer), self.result()
        if not self.labels:
            return compared(values, result, self.item)
        parts = {label: float(a == b) for label, a, b in zip(self.labels, values, result)}
        wrong = [label for label, part in parts.items() if not part]
        parts["progress"] = 1 - len(wrong) / len(parts)
        return Score(float(not wrong), f"wrong: {joined(wrong)}" if wrong else "", parts)


class SimulationReport(Simulation):
    """A simulation whose answer has a line ``label: value`` for each of :attr:`labels`."""

    def read_value(self, label: str, text: str) -> Any:
        """The value after a label, here a whole number."""
        return integer(text, f"a whole number after '{label}:'")

    def value_text(self, value: Any) -> str:
        """A value as text."""
        return str(value)

    def read(self, answer: str) -> list[Any]:
        lines = pairs(answer, names=self.labels)
        return [self.read_value(label, text) for label, text in lines.items()]

    def as_text(self, values: Sequence[Any]) -> str:
        lines = zip(self.labels, map(self.value_text, values))
        return "\n".join(f"{label}: {value}" for label, value in lines)
