"""Logic circuits, after Claude Shannon (1938): evaluating them, and finding inputs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Literal, Self

from palaestra.generators.baselines import verdicts
from palaestra.generators.circuits import Gate, circuit, fitting, listed, name, simulated, wires
from palaestra.scenes import Cell, Edge, Graph, Grid, Node, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.grids import grid
from palaestra.verifiers.reading.values import joined


class CircuitLogic(Puzzle):
    """Compute the outputs of a circuit of gates, or find an input with the required outputs."""

    version = 3
    tags = {"deduction", "circuits"}
    answer_type = "digits"

    class Knobs(Puzzle.Knobs):
        inputs: int = ladder(3, 4, 5, 6, 8, 10, 12, low=3, high=12)
        gates: int = ladder(4, 7, 10, 14, 20, 30, 45, low=4, high=60)
        outputs: int = ladder(2, 3, 3, 4, 5, 6, 8, low=2, high=8)
        rows: int = ladder(4, 4, 4, 4, 1, 1, 1, high=8)
        task: Literal["evaluate", "satisfy"] = ladder(
            "evaluate", "evaluate", "evaluate", "evaluate", "satisfy"
        )

    inputs: int
    gates: tuple[Gate, ...]
    outputs: tuple[int, ...]
    """The wires that are outputs."""
    rows: tuple[tuple[bool, ...], ...]
    """The rows of inputs to evaluate; or the required outputs, as the only row."""
    task: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        gates = circuit(rng, knobs.inputs, knobs.gates)
        used = {wire for gate in gates for wire in (gate.one, gate.other)}
        last = list(range(knobs.inputs, knobs.inputs + knobs.gates))
        # Wires that no gate uses become outputs first, so that few gates are useless.
        last.sort(key=lambda wire: (wire in used, -wire))
        outputs = tuple(sorted(last[: knobs.outputs]))
        number = knobs.rows if knobs.task == "evaluate" else 1
        rows = [
            tuple(bool(row >> bit & 1) for bit in range(knobs.inputs))
            for row in rng.sample(range(1 << knobs.inputs), number)
        ]
        if knobs.task == "satisfy":
            on = simulated(gates, rows[0])
            rows = [tuple(on[wire] for wire in outputs)]
        return cls(
            inputs=knobs.inputs, gates=gates, outputs=outputs, rows=tuple(rows), task=knobs.task
        )

    def is_valid(self) -> bool:
        if self.task == "evaluate":
            values = self.answer().split()
            return len(set(values)) > min(2, len(values) - 1)
        return self.random_baseline() <= max(0.03, 0.5 ** min(self.inputs, len(self.outputs)))

    def canonical(self) -> str:
        gates = [(gate, *sorted((one, other))) for gate, one, other in self.gates]
        return repr((self.inputs, gates, self.outputs, sorted(self.rows), self.task))

    def prompt(self) -> str:
        outputs = joined([name(wire, self.inputs) for wire in self.outputs])
        letters = joined([name(wire, self.inputs) for wire in range(self.inputs)])
        setting = self.phrase(
            f"A circuit has the inputs {letters}. Each input is 0 or 1, and so is the output of "
            "each gate:",
            f"This is a circuit with inputs {letters} and gates g1, g2 and so on, all 0 or 1:",
        )
        rules = (
            "AND is 1 if both are 1, OR if at least one is, XOR if exactly one is; NAND and NOR "
            "are the negations of AND and OR, and NOT is the negation of its only input."
        )
        text = f"{setting}\n\n{listed(self.gates, self.inputs)}\n\n{rules}\n\n"
        rows = "\n".join(map(bits, self.rows))
        size = len(self.outputs) if self.task == "evaluate" else self.inputs
        sample = ("01" * 6)[:size]
        if self.task == "evaluate":
            return (
                f"{text}The outputs are {outputs}. What are their values for these inputs? (Each "
                f"row gives the values of {letters}, in this order.)\n\n{rows}\n\nWrite a line "
                f"of {size} digits for each row, with the outputs in the order {outputs}, such as "
                f"'{sample}'."
            )
        return (
            f"{text}The outputs are {outputs}. Find an input for which they are {rows}, in this "
            f"order. Any such input is accepted. Write the values of {letters} as a row of {size} "
            f"digits, such as '{sample}'."
        )

    def scene(self) -> Panels:
        return self.view([])

    def solved_scene(self, answer: str) -> Panels:
        return self.view(self.read(answer))

    def view(self, entered: Sequence[Sequence[bool]]) -> Panels:
        """The circuit from left to right, and a table of inputs and outputs, with some rows."""
        depth = [0] * self.inputs
        for _, one, other in self.gates:
            depth.append(1 + max(depth[one], depth[other]))
        letters = (Node(name(n, self.inputs), x=0.0, tone="t0") for n in range(self.inputs))
        nodes = [*letters]
        edges = []
        for wire, (sort, one, other) in enumerate(self.gates, self.inputs):
            out = wire in self.outputs
            label = name(wire, self.inputs) + (" out" if out else "")
            x = depth[wire] / max(depth)
            nodes.append(Node(sort, "t6" if out else "paper", x, note=label, shape="box"))
            edges += [Edge(feed, wire) for feed in sorted({one, other})]
        return Panels((Graph(tuple(nodes), tuple(edges), True), self.table(entered)), columns=1)

    def table(self, entered: Sequence[Sequence[bool]]) -> Grid:
        """The rows of inputs and outputs, of which those that are asked for may be given."""
        evaluate = self.task == "evaluate"
        wires = [*range(self.inputs), *self.outputs]
        rows = []
        for n, row in enumerate(self.rows):
            known = [Cell(digit, fixed=True) for digit in bits(row)]
            blank = [Cell()] * (len(wires) - len(row))
            other = [Cell(digit, tone="accent") for digit in bits(entered[n])] if entered else blank
            rows.append((*known, *other) if evaluate else (*other, *known))
        sides = tuple((0,) * self.inputs + (1,) * len(self.outputs) for _ in rows)
        top = tuple((name(wire, self.inputs),) for wire in wires)
        return Grid(tuple(rows), top=top, regions=sides)

    def answer(self) -> str:
        if self.task == "satisfy":
            rows = fitting(self.gates, self.inputs, self.outputs, self.rows[0])
            row = (rows & -rows).bit_length() - 1
            return bits([bool(row >> bit & 1) for bit in range(self.inputs)])
        return "\n".join(bits(self._out(row)) for row in self.rows)

    def _out(self, row: Iterable[bool]) -> list[bool]:
        on = simulated(self.gates, list(row))
        return [on[wire] for wire in self.outputs]

    def read(self, answer: str) -> list[list[bool]]:
        """The rows of an answer."""
        evaluate = self.task == "evaluate"
        size, number = (len(self.outputs), len(self.rows)) if evaluate else (self.inputs, 1)
        text = layout.without_inputs(answer, [bits(row) for row in self.rows] if evaluate else ())
        return [[sign == "1" for sign in row] for row in grid(text, number, size, "01")]

    def verify(self, answer: str) -> Score:
        rows = self.read(answer)
        if self.task == "evaluate":
            right = [self._out(row) for row in self.rows]
            wrong = sum(one != other for one, other in zip(rows, right))
            return Score(0, f"{wrong} of the rows are wrong") if wrong else Score(1)
        if tuple(self._out(rows[0])) == self.rows[0]:
            return Score(1)
        return Score(0, "the circuit has other outputs for this input")

    def audit(self, answer: str) -> bool:
        """Look the rows up in the truth table of all inputs."""
        rows = [[digit == "1" for digit in row if digit in "01"] for row in answer.split("\n")]
        tables = wires(self.gates, self.inputs)
        if self.task == "satisfy":
            row = sum(1 << bit for bit, on in enumerate(rows[0]) if on)
            out = tuple(bool(tables[wire] >> row & 1) for wire in self.outputs)
            return len(rows[0]) == self.inputs and out == self.rows[0]
        return bits([x for row in rows for x in row]) == "".join(self.answer().split())

    def difficulty(self) -> float:
        tries = len(self.rows) if self.task == "evaluate" else 2 ** (self.inputs - 3)
        return float(tries * len(self.gates))

    def random_baseline(self) -> float:
        if self.task == "evaluate":
            return 0.5 ** (len(self.outputs) * len(self.rows))
        rows = fitting(self.gates, self.inputs, self.outputs, self.rows[0])
        return float(rows.bit_count() / 2**self.inputs)

    def shortcuts(self) -> Iterable[str]:
        evaluate = self.task == "evaluate"
        size, number = (len(self.outputs), len(self.rows)) if evaluate else (self.inputs, 1)
        for digit in "01":
            yield "\n".join([digit * size] * number)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(inputs=7, gates=12, outputs=4, task="satisfy")

    def candidates(self) -> Iterable[str]:
        return map(bits, product((False, True), repeat=self.inputs))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Digits that are all alike, or random, for all rows or row by row."""
        evaluate = self.task == "evaluate"
        size, number = (len(self.outputs), len(self.rows)) if evaluate else (self.inputs, 1)
        rows = [verdicts("01", size, rng) for _ in range(number)]
        return {player: "\n".join("".join(row[player]) for row in rows) for player in rows[0]}


def bits(row: Iterable[bool]) -> str:
    """Truth values as digits.

    >>> bits([True, False])
    '10'
    """
    return "".join("01"[on] for on in row)
