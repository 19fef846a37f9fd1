"""Runs of machines by Alan Turing, "On Computable Numbers" (1936)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Self

from palaestra.generators.machines.turing_machine import End, Rule, Table, halted, rerun, run
from palaestra.generators.simulations import SimulationReport
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.values import items, joined

STATES = "ABCDEFGH"
TRIES = 300


class TuringMachine(SimulationReport):
    """Run a small Turing machine until it halts, and state what it leaves on its tape."""

    version = 2
    tags = {"simulation", "automata"}
    labels = ("tape", "first", "head", "steps")

    class Knobs(SimulationReport.Knobs):
        states: int = ladder(2, 2, 3, 3, 4, 5, 6, high=len(STATES))
        symbols: int = ladder(3, 3, 3, 3, 3, 4, 4, low=2, high=5)
        cells: int = ladder(3, 4, 5, 5, 6, 7, 8, high=20)
        steps: int = ladder(5, 9, 16, 28, 45, 70, 110, high=200)  # least number before it halts

    table: Table
    tape: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Run random machines without a halt, and let one halt at a rule that it first uses late.

        This does not change the steps before. If the states are too few for a long run, the machine
        with the longest run is taken; there are only few such machines.
        """
        wanted = min(knobs.steps, 5 * knobs.states * knobs.symbols)
        best: tuple[int, Table, tuple[int, ...]] = (-1, (), ())
        for _ in range(TRIES):
            tape = tuple(rng.randrange(knobs.symbols) for _ in range(knobs.cells))
            table = tuple(
                tuple(_rule(rng, knobs) for _ in range(knobs.symbols)) for _ in range(knobs.states)
            )
            end, uses = run(table, tape, 2 * wanted)
            (state, symbol), steps = max(uses.items(), key=lambda use: use[1])
            if steps > best[0]:
                rows = [list(rules) for rules in table]
                rows[state][symbol] = None
                best = steps, tuple(map(tuple, rows)), tape
            if steps >= wanted and abs(end.head) < wanted:
                break
        _, table, tape = best
        return cls(table=table, tape=tape)

    def is_valid(self) -> bool:
        end = self.result()
        return len(end.tape) > 2 and end.tape != self.tape and end.steps > 2

    def result(self) -> End:
        return halted(self.table, self.tape)[0]

    def canonical(self) -> str:
        """The rules and the states in the order of their first use."""
        names: dict[int, int] = {}
        used = []
        for state, read in halted(self.table, self.tape)[1]:
            rule = self.table[state][read]
            known = [names.setdefault(s, len(names)) for s in (state, rule[2] if rule else state)]
            used.append((known, read, rule and rule[:2]))
        return repr((self.tape, used))

    def prompt(self) -> str:
        symbols = joined(range(len(self.table[0])))
        ask = self.phrase(
            "Run this Turing machine until it halts.",
            "Below is a Turing machine. What is its final state of tape and head when it halts?",
        )
        return (
            f"{ask} Its tape is infinite in both directions, with cells numbered ..., -2, -1, 0, "
            f"1, 2, ..., and each cell holds one of the symbols {symbols}. Cells 0 to "
            f"{len(self.tape) - 1} hold {' '.join(map(str, self.tape))} at the start, all others "
            "0. The head begins at cell 0, in state A.\n\nIn each step the machine looks at the "
            "symbol under its head and follows the rule for its state and that symbol: it writes a "
            "symbol into that cell, moves the head one cell left (L, to the next lower number) or "
            "right (R), and changes to the next state. Where the rule is 'halt', it stops at once: "
            "nothing is written or moved, and this is not counted as a step.\n\nstate, symbol: "
            "what to do\n"
            + "\n".join(self._rules())
            + "\n\nAnswer with four lines: 'tape:' and the symbols at the end, from the first to "
            "the last cell that is not 0, 'first:' and the number of that first cell, 'head:' and "
            "the number of the cell where the head stops, 'steps:' and the number of steps. They "
            "look like 'tape: 1 1 0 1', 'first: -7', 'head: 9', 'steps: 3'."
        )

    def _rules(self) -> Iterator[str]:
        for state, rules in zip(STATES, self.table):
            for symbol, rule in enumerate(rules):
                if rule is None:
                    yield f"{state}, {symbol}: halt"
                else:
                    write, move, after = rule[0], " RL"[rule[1]], STATES[rule[2]]
                    yield f"{state}, {symbol}: write {write}, move {move}, go to {after}"

    def scene(self) -> Panels:
        """The tape, with the state below the head, and a table of the rules."""
        return Panels((tape(self.tape, 0, 0, "A"), self.rules()), columns=1)

    def solved_scene(self, answer: str) -> Panels:
        symbols, first, head, _ = self.read(answer)
        return Panels((tape(symbols, first, head, "head", "accent"), self.rules()), columns=1)

    def rules(self) -> Grid:
        """What to do in each state, by row, and for each symbol, by column."""
        rows = []
        for rules in self.table:
            texts = [
                f"{rule[0]} {' RL'[rule[1]]} {STATES[rule[2]]}" if rule else "halt"
                for rule in rules
            ]
            rows.append(tuple(map(Cell, texts)))
        symbols = tuple((str(symbol),) for symbol, _ in enumerate(self.table[0]))
        return Grid(
            tuple(rows), top=symbols, left=tuple((state,) for state, _ in zip(STATES, rows))
        )

    def value_text(self, value: int | tuple[int, ...]) -> str:
        return str(value) if isinstance(value, int) else " ".join(map(str, value))

    def read_value(self, label: str, text: str) -> int | tuple[int, ...]:
        if label != "tape":
            return int(super().read_value(label, text))
        cells = "".join(items(text))
        if not (cells.isascii() and cells.isdigit()):
            raise InvalidAnswer("the tape must consist of digits")
        return tuple(map(int, cells))

    def audit(self, answer: str) -> bool:
        return tuple(self.read(answer)) == rerun(self.table, self.tape)

    def difficulty(self) -> float:
        return float(self.result().steps)


def tape(symbols: Sequence[int], first: int, head: int, state: str, tone: str = "") -> Grid:
    """The cells of a tape with their numbers, 60 at most, and a text below the head.

    >>> tape((1, 2), 0, 1, "A").bottom
    (('',), ('A',))
    """
    shown = symbols[:60] or (0,)
    numbers = range(first, first + len(shown))
    cells = tuple(Cell(str(symbol), tone=tone) for symbol in shown)
    below = tuple((state if number == head else "",) for number in numbers)
    return Grid((cells,), top=tuple((str(number)[:6],) for number in numbers), bottom=below)


def _rule(rng: Random, knobs: TuringMachine.Knobs) -> Rule:
    return rng.randrange(knobs.symbols), rng.choice((-1, 1)), rng.randrange(knobs.states)
