"""Small made-up machines: instructions drawn by chance, what they do in English and in Python.

A machine's program is a text of one instruction a line: a made-up name, then its operands. The
Python is put together to an interpreter, which is the written solution and is run here as well.
"""

# ruff: noqa: E501  (rows of a table are not broken)

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

Family = Literal["stack", "registers", "turtle"]


class Instruction(NamedTuple):
    """What an instruction does. ``operands`` is a sign for each: k a whole number, r and s
    registers, j the number of a line.
    """

    operands: str
    text: str
    python: str
    needs: int = 0
    """How many numbers it takes from the stack."""


POOLS: dict[Family, dict[str, Instruction]] = {
    "stack": {
        "push": Instruction("k", "push k", "s.append(k)"),
        "add": Instruction("", "pop b, pop a, push a + b", "s.append(a + b)", 2),
        "sub": Instruction("", "pop b, pop a, push a - b", "s.append(a - b)", 2),
        "mul": Instruction("", "pop b, pop a, push a * b", "s.append(a * b)", 2),
        "max": Instruction("", "pop b, pop a, push the larger of both", "s.append(max(a, b))", 2),
        "dup": Instruction("", "push the top number once more", "s += [a, a]", 1),
        "drop": Instruction("", "pop a number and forget it", "pass", 1),
        "swap": Instruction("", "exchange the two topmost numbers", "s += [b, a]", 2),
        "over": Instruction("", "push a copy of the number right below the top", "s += [a, b, a]", 2),
        "rot": Instruction("", "move the third number from the top to the top", "s += [b, c, a]", 3),
        "print": Instruction("", "pop a number and print it", "out.append(a)", 1),
        "peek": Instruction("", "print the top number and leave it there", "s.append(a)\nout.append(a)", 1),
        "double": Instruction("", "pop a, push 2 * a + 1", "s.append(2 * a + 1)", 1),
        "bury": Instruction("", "move the top number to the bottom of the stack", "s.insert(0, a)", 1),
        "size": Instruction("", "push how many numbers are on the stack", "s.append(len(s))"),
        "turn": Instruction("", "reverse the order of the whole stack", "s.reverse()"),
        "addk": Instruction("k", "pop a, push a + k", "s.append(a + k)", 1),
        "eq": Instruction("", "pop b, pop a, push 1 if a = b and 0 if not", "s.append(int(a == b))", 2),
        "jump": Instruction("j", "go on with line j", "at = j"),
        "jz": Instruction("j", "pop a; if it is 0, go on with line j", "at = j if a == 0 else at", 1),
        "jnz": Instruction("j", "if the top number is not 0, go on with line j (it stays there)", "s.append(a)\nat = j if a else at", 1),
    },
    "registers": {
        "set": Instruction("rk", "put k into r", "R[r] = k"),
        "inc": Instruction("r", "add 1 to r", "R[r] += 1"),
        "copy": Instruction("rs", "put the content of s into r", "R[r] = R[s]"),
        "add": Instruction("rs", "add the content of s to r", "R[r] += R[s]"),
        "sub": Instruction("rs", "subtract the content of s from r", "R[r] -= R[s]"),
        "mul": Instruction("rs", "multiply r by the content of s", "R[r] *= R[s]"),
        "swap": Instruction("rs", "exchange the contents of r and s", "R[r], R[s] = R[s], R[r]"),
        "print": Instruction("r", "print the content of r", "out.append(R[r])"),
        "max": Instruction("rs", "put the larger one of the contents of r and s into r", "R[r] = max(R[r], R[s])"),
        "times": Instruction("rk", "multiply r by k", "R[r] *= k"),
        "plus": Instruction("rk", "add k to r", "R[r] += k"),
        "less": Instruction("rs", "put 1 into r if its content is less than that of s, and 0 if not", "R[r] = int(R[r] < R[s])"),
        "half": Instruction("r", "halve r, rounding down", "R[r] //= 2"),
        "turn": Instruction("", "move every content one register on, in the order of the registers, and the last one's to the first", "R = dict(zip(R, [[*R.values()][-1], *[*R.values()][:-1]]))"),
        "jump": Instruction("j", "go on with line j", "at = j"),
        "jz": Instruction("rj", "if r holds 0, go on with line j", "at = j if R[r] == 0 else at"),
        "jnz": Instruction("rj", "if r does not hold 0, go on with line j", "at = j if R[r] else at"),
        "djnz": Instruction("rj", "if r does not hold 0, subtract 1 from r and go on with line j", "if R[r]:\n    R[r] -= 1\n    at = j"),
    },
    "turtle": {
        "step": Instruction("k", "move k cells forward", "x, y = (x + k * dx) % W, (y + k * dy) % H"),
        "back": Instruction("k", "move k cells backward, without turning", "x, y = (x - k * dx) % W, (y - k * dy) % H"),
        "right": Instruction("", "turn right by 90 degrees", "dx, dy = -dy, dx"),
        "left": Instruction("", "turn left by 90 degrees", "dx, dy = dy, -dx"),
        "about": Instruction("", "turn round by 180 degrees", "dx, dy = -dx, -dy"),
        "flip": Instruction("", "flip the cell you stand on: unmarked becomes marked, marked becomes unmarked", "marks ^= {(x, y)}"),
        "mark": Instruction("", "mark the cell you stand on", "marks |= {(x, y)}"),
        "wipe": Instruction("", "unmark the cell you stand on", "marks -= {(x, y)}"),
        "print": Instruction("", "print your column, then your row", "out += [x, y]"),
        "count": Instruction("", "print how many cells are marked", "out.append(len(marks))"),
        "trail": Instruction("k", "k times: mark the cell you stand on, then move one cell forward", "for _ in range(k):\n    marks |= {(x, y)}\n    x, y = (x + dx) % W, (y + dy) % H"),
        "home": Instruction("", "go to column 0, row 0 without turning", "x = y = 0"),
        "mirror": Instruction("", "exchange your column and your row, where the column is taken modulo the width and the row modulo the height afterwards", "x, y = y % W, x % H"),
        "sense": Instruction("", "turn right by 90 degrees if the cell you stand on is marked", "dx, dy = (-dy, dx) if (x, y) in marks else (dx, dy)"),
        "row": Instruction("", "print how many cells of your row are marked", "out.append(sum(cell[1] == y for cell in marks))"),
        "jump": Instruction("j", "go on with line j", "at = j"),
        "jm": Instruction("j", "if the cell you stand on is marked, go on with line j", "at = j if (x, y) in marks else at"),
        "ju": Instruction("j", "if the cell you stand on is unmarked, go on with line j", "at = j if (x, y) not in marks else at"),
    },
}  # fmt: skip
"""What machines of each family may be able to do."""

ALWAYS: dict[Family, tuple[str, ...]] = {
    "stack": ("push", "print"),
    "registers": ("set", "print"),
    "turtle": ("step", "print", "flip"),
}
"""Without these nothing happens, or nothing is to be seen of it."""

SHOWN: dict[Family, str] = {"stack": "push", "registers": "print", "turtle": "print"}
"""What is seen in any case, wherever it stands in a program."""

JUMPS = frozenset({"jump", "jz", "jnz", "djnz", "jm", "ju"})

SYLLABLES = (
    *("ba", "da", "fi", "go", "ku", "li", "mo", "nu"),
    *("po", "ra", "si", "tu", "va", "wi", "xo", "ye"),
)


class Machine(NamedTuple):
    """A machine: its instructions by their made-up names, and how it behaves at the edges."""

    family: Family
    names: tuple[str, ...]
    instructions: tuple[str, ...]
    steps: int
    """After so many instructions it stops."""
    modulus: int
    """Numbers are kept from 0 to one below this; the width of a turtle's world."""
    second: int
    """The height of a turtle's world; how many registers there are; 0 for a stack."""
    lenient: bool
    """Whether numbers that are missing on the stack count as 0; else the line does nothing."""
    first_line: int

    def rules(self) -> str:
        """What the machine is, in words."""
        if self.family == "stack":
            lack = (
                "Where the stack holds fewer numbers than an instruction uses, zeros are first put "
                "below all others until it holds as many."
                if self.lenient
                else "An instruction that uses more numbers than the stack holds does nothing at "
                "all: it takes none of them away and does not jump."
            )
            return (
                f"The machine has a stack of numbers, empty at first. Whatever is pushed is reduced "
                f"modulo {self.modulus}, to a number from 0 to {self.modulus - 1}. {lack} "
                "The result is the list [printed, stack] of two lists: the numbers printed, in "
                "order, and the numbers left on the stack, from bottom to top."
            )
        if self.family == "registers":
            return (
                f"The machine has {self.second} registers {', '.join(self.registers())}, which "
                f"all hold 0 at first. After each instruction every register is reduced modulo "
                f"{self.modulus}, to a number from 0 to {self.modulus - 1}. The result is the list "
                "[printed, registers] of two lists: the numbers printed, in order, and the "
                "contents of the registers in their order."
            )
        return (
            f"A turtle walks on a grid of {self.modulus} columns, numbered 0 to "
            f"{self.modulus - 1} from west to east, and {self.second} rows, numbered 0 to "
            f"{self.second - 1} from north to south. Who leaves the grid at one side comes back at "
            "the opposite side of the same row or column. The turtle starts in column 0, row 0, "
            "facing east, and no cell is marked. The result is the list [printed, marked] of two "
            "lists: the numbers printed, in order, and the marked cells as lists [column, row], "
            "sorted by column and then by row."
        )

    def registers(self) -> str:
        return "ABCDEF"[: self.second]

    def manual(self) -> str:
        """The instructions, in words."""
        rows = []
        for name, key in zip(self.names, self.instructions):
            instruction = POOLS[self.family][key]
            rows.append(f"{' '.join([name, *instruction.operands])}: {instruction.text}")
        return "\n".join(rows)

    def operands(self) -> str:
        """What the operands stand for."""
        signs = "".join(POOLS[self.family][key].operands for key in self.instructions)
        meanings = {
            "k": "k stands for a whole number from 0 up",
            "r": "r for a register",
            "s": "s for a register (perhaps the same)",
            "j": f"j for the number of a line, where the first line is line {self.first_line}",
        }
        return f"Here {', '.join(meaning for sign, meaning in meanings.items() if sign in signs)}."

    def python(self) -> str:
        """An interpreter of the machine, the function ``run`` of a program's text."""
        start = {
            "stack": "s = []",
            "registers": f"R = dict.fromkeys({self.registers()!r}, 0)",
            "turtle": f"W, H = {self.modulus}, {self.second}\nx = y = dy = 0\ndx = 1\nmarks = set()",
        }[self.family]
        end = {
            "stack": "return [out, s]",
            "registers": "return [out, list(R.values())]",
            "turtle": "return [out, sorted(map(list, marks))]",
        }[self.family]
        after = {
            "stack": f"s = [number % {self.modulus} for number in s]",
            "registers": f"R = {{r: number % {self.modulus} for r, number in R.items()}}",
            "turtle": "",
        }[self.family]
        branches: list[str] = []
        for name, key in zip(self.names, self.instructions):
            word = "elif" if branches else "if"
            branches += [f"{word} name == {name!r}:", *_indented(self._body(key))]
        loop = [
            "name, *operands = lines[at]",
            "steps, at = steps + 1, at + 1",
            *branches,
            *after.splitlines(),
        ]
        body = [
            "lines = [line.split() for line in program.splitlines()]",
            *start.splitlines(),
            "out = []",
            "steps = at = 0",
            f"while 0 <= at < len(lines) and steps < {self.steps}:",
            *_indented(loop),
            end,
        ]
        return "\n".join(["def run(program):", *_indented(body)])

    def _body(self, key: str) -> list[str]:
        """The statements of one instruction."""
        instruction = POOLS[self.family][key]
        lines = []
        for index, sign in enumerate(instruction.operands):
            less = f" - {self.first_line}" if sign == "j" and self.first_line else ""
            read = f"int(operands[{index}]){less}" if sign in "kj" else f"operands[{index}]"
            lines.append(f"{sign} = {read}")
        work = instruction.python.splitlines()
        if instruction.needs:
            number = instruction.needs
            pops = [f"{letter} = s.pop()" for letter in reversed("abc"[:number])]
            if self.lenient:
                lines += [f"while len(s) < {number}:", "    s.insert(0, 0)", *pops, *work]
            else:
                lines += [f"if len(s) >= {number}:", *_indented([*pops, *work])]
            return lines
        return lines + work

    def program(self, rng: Random) -> str:
        """A random program, which shows what it has come to in most cases."""
        size = rng.randint(1, 4 + 2 * len(self.names))
        lines = [self._line(rng, index, size) for index in range(size)]
        if rng.random() < 0.6:
            lines += [self._line(rng, size, size, "print") for _ in range(rng.randint(1, 3))]
        return "\n".join(lines)

    def straight(self, rng: Random, size: int) -> str:
        """A random program of so many lines without jumps, of which the last show themselves."""
        plain = [key for key in self.instructions if key not in JUMPS]
        keys = rng.choices(plain, k=size - 3) + [SHOWN[self.family]] * 3
        return "\n".join(self._line(rng, n, size, key) for n, key in enumerate(keys))

    def _line(self, rng: Random, index: int, size: int, key: str = "") -> str:
        """A random instruction for a line; jumps go ahead more often than back."""
        if not key:
            basic = rng.random() < 0.35
            key = rng.choice(ALWAYS[self.family] if basic else self.instructions)
        words = [self.names[self.instructions.index(key)]]
        for sign in POOLS[self.family][key].operands:
            if sign == "k":
                words.append(str(rng.randint(0, rng.choice((9, 9, 9, 9, 99, 3 * self.modulus)))))
            elif sign == "j":
                start = index + 1 if rng.random() < 0.7 else 0
                words.append(str(rng.randint(start, size + 1) + self.first_line))
            else:
                words.append(rng.choice(self.registers()))
        return " ".join(words)


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def random_machine(rng: Random, instructions: int, jumps: int) -> Machine:
    """A random machine."""
    family: Family = rng.choice(("stack", "registers", "turtle"))
    pool = POOLS[family]
    plain = [key for key in pool if key not in JUMPS and key not in ALWAYS[family]]
    jumping = [key for key in pool if key in JUMPS]
    keys = [*ALWAYS[family], *rng.sample(jumping, min(jumps, len(jumping)))]
    keys += rng.sample(plain, min(len(plain), max(1, instructions - len(keys))))
    rng.shuffle(keys)
    names = ["".join(rng.sample(SYLLABLES, 2)) for _ in keys]
    while len(set(names)) < len(names):
        names = ["".join(rng.sample(SYLLABLES, 2)) for _ in keys]
    modulus = rng.choice((50, 60, 97, 100, 128, 200, 256, 365, 500, 720, 999, 1_000))
    second = rng.randint(2, 5) if family == "registers" else 0
    if family == "turtle":
        modulus, second = rng.randint(4, 9), rng.randint(3, 8)
    steps = 10 * rng.randint(6, 30)
    lenient = family == "stack" and rng.random() < 0.5
    first_line = rng.randint(0, 1) if jumps else 0
    return Machine(family, tuple(names), tuple(keys), steps, modulus, second, lenient, first_line)


@lru_cache(maxsize=32)
def interpreter(machine: Machine) -> Any:
    """The interpreter of a machine as a function.

    What is executed is put together from the tables above, with whole numbers and the machine's
    names as quoted constants in it: no player's text gets here.
    """
    names: dict[str, Any] = {}
    exec(machine.python(), names)  # noqa: S102
    return names["run"]


@lru_cache(maxsize=32)
def tested(machine: Machine, seed: int, number: int) -> tuple[tuple[str, Any], ...]:
    """Programs for a machine, with what they result in: the empty one and some that go on for
    just as many steps as there may be are among them.
    """
    rng = Random(f"{seed}")
    long = [machine.straight(rng, machine.steps + extra) for extra in (-1, 0, 1, 2)]
    programs = ["", *long, *(machine.program(rng) for _ in range(number - 5))]
    return tuple((program, interpreter(machine)(program)) for program in programs)


def example(machine: Machine) -> tuple[str, Any]:
    """A short program and its result, by which much of the machine is to be seen."""
    cases = tested(machine, -1, 60)[5:]
    short = [case for case in cases if case[0].count("\n") < 9 and len(case[1][0]) < 9]
    return max(short, key=lambda case: len(_names(case[0])) + len(set(case[1][0])))


def _names(program: str) -> set[str]:
    """The names of the instructions in a program."""
    return {line.partition(" ")[0] for line in program.splitlines()}


def uses(machine: Machine, programs: Sequence[str]) -> int:
    """In how many programs the instruction that is in the fewest of them is."""
    used = [_names(program) for program in programs]
    return min(sum(name in words for words in used) for name in machine.names)
