"""Puzzles put to z3 from the text of their prompts alone, by rules written down a second time.

Each function adds the rules of one environment to a solver. None uses the project's code.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import z3

CELL = re.compile(r"r(\d+)c(\d+)")

Cells = list[list[z3.ArithRef]]


def board(prompt: str) -> list[list[str]]:
    """The first block of a prompt whose lines have equally many signs."""
    for block in prompt.split("\n\n"):
        rows = [line.split() for line in block.splitlines()]
        signs = {len(sign) <= 3 for row in rows for sign in row}
        if len(rows) > 1 and len({*map(len, rows)}) == 1 and signs == {True}:
            return rows
    raise AssertionError("no board in the prompt")


def margins(prompt: str) -> tuple[list[str], list[str]]:
    """The numbers of the rows and of the columns, ``?`` included."""
    rows, columns = (
        re.search(rf" {lines}, from [^:]*: (.*)$", prompt, re.MULTILINE)
        for lines in ("the rows", "the columns")
    )
    assert rows
    assert columns
    return rows[1].split(), columns[1].split()


def listed(line: str) -> list[tuple[int, int]]:
    """The cells that a line names, counted from 0."""
    return [(int(row) - 1, int(column) - 1) for row, column in CELL.findall(line)]


def integers(solver: z3.Solver, rows: int, columns: int, low: int, high: int) -> Cells:
    cells = [[z3.Int(f"r{r}c{c}") for c in range(columns)] for r in range(rows)]
    solver.add([z3.And(low <= cell, cell <= high) for row in cells for cell in row])
    return cells


def givens(solver: z3.Solver, cells: Cells, signs: Sequence[Sequence[str]]) -> None:
    for row, line in zip(cells, signs):
        solver.add([cell == int(sign) for cell, sign in zip(row, line) if sign.isdecimal()])


def latin(solver: z3.Solver, prompt: str) -> Cells:
    signs = board(prompt)
    cells = integers(solver, len(signs), len(signs), 1, len(signs))
    givens(solver, cells, signs)
    solver.add([z3.Distinct(line) for line in (*cells, *zip(*cells))])
    return cells


def boxed(solver: z3.Solver, prompt: str) -> Cells:
    cells = latin(solver, prompt)
    shape = re.search(r"(\d+) rows by (\d+) columns", prompt)
    assert shape
    height, width = map(int, shape.groups())
    for top in range(0, len(cells), height):
        for left in range(0, len(cells), width):
            solver.add(
                z3.Distinct([c for r in cells[top : top + height] for c in r[left:][:width]])
            )
    return cells


def sums(solver: z3.Solver, cells: Cells, prompt: str) -> None:
    for lines, totals in zip((cells, [*zip(*cells)]), margins(prompt)):
        solver.add([z3.Sum(line) == int(n) for line, n in zip(lines, totals) if n != "?"])


def sudoku(solver: z3.Solver, prompt: str) -> None:
    boxed(solver, prompt)


def killer_sudoku(solver: z3.Solver, prompt: str) -> None:
    cells = boxed(solver, prompt)
    for total, names in re.findall(r"^\w+ = (\d+): (.*)$", prompt, re.MULTILINE):
        cage = [cells[r][c] for r, c in listed(names)]
        solver.add(z3.Distinct(cage) if len(cage) > 1 else True, z3.Sum(cage) == int(total))


def futoshiki(solver: z3.Solver, prompt: str) -> None:
    cells = latin(solver, prompt)
    for line in prompt.partition("Inequalities:")[2].splitlines():
        if " < " in line:
            (a, b), (c, d) = listed(line)
            solver.add(cells[a][b] < cells[c][d])


def kropki(solver: z3.Solver, prompt: str) -> None:
    cells = latin(solver, prompt)
    size = range(len(cells))
    across = [((r, c), (r, c + 1)) for r in size for c in size[:-1]]
    down = [((r, c), (r + 1, c)) for r in size[:-1] for c in size]
    for name, names in re.findall(r"^Pairs of cells where ([^:]*): (.*)$", prompt, re.MULTILINE):
        pairs = {tuple(listed(pair)) for pair in names.split(", ")}
        for pair in (*across, *down):
            one, other = (cells[r][c] for r, c in pair)
            holds = {
                "the two numbers differ by 1": z3.Or(one - other == 1, other - one == 1),
                "one number is twice the other": z3.Or(one == 2 * other, other == 2 * one),
                "the two numbers add up to 5": one + other == 5,
                "the two numbers add up to 10": one + other == 10,
            }[name]
            solver.add(holds == (pair in pairs))


def survo(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    rows, columns = len(signs), len(signs[0])
    cells = integers(solver, rows, columns, 1, rows * columns)
    givens(solver, cells, signs)
    solver.add(z3.Distinct([cell for row in cells for cell in row]))
    sums(solver, cells, prompt)


def magic_square(solver: z3.Solver, prompt: str) -> None:
    signs, numbers = board(prompt), [*map(int, re.findall(r"\d+", prompt.partition("\n\n")[0]))]
    size = len(signs)
    total = numbers[-1]  # the last number of the rules
    low = (total * 2 // size - size * size + 1) // 2
    cells = integers(solver, size, size, low, low + size * size - 1)
    givens(solver, cells, signs)
    solver.add(z3.Distinct([cell for row in cells for cell in row]))
    slopes = [[cells[n][n] for n in range(size)], [cells[n][-1 - n] for n in range(size)]]
    solver.add([z3.Sum(line) == total for line in (*cells, *zip(*cells), *slopes)])


def binairo(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    size = len(signs)
    cells = integers(solver, size, size, 0, 1)
    givens(solver, cells, signs)
    for lines in (cells, [*zip(*cells)]):
        for number, line in enumerate(lines):
            solver.add(z3.Sum(line) == size // 2)
            for n in range(size - 2):
                solver.add(z3.Sum(line[n : n + 3]) != 0, z3.Sum(line[n : n + 3]) != 3)
            for other in lines[:number]:
                solver.add(z3.Or([a != b for a, b in zip(line, other)]))


def kakurasu(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    cells = integers(solver, len(signs), len(signs), 0, 1)
    for row, line in zip(cells, signs):
        solver.add([cell == int(sign == "#") for cell, sign in zip(row, line) if sign != "."])
    for lines, totals in zip((cells, [*zip(*cells)]), margins(prompt)):
        for line, total in zip(lines, totals):
            solver.add(z3.Sum([n * cell for n, cell in enumerate(line, 1)]) == int(total))


def kakuro(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    cells = integers(solver, len(signs), len(signs), 1, 9)
    givens(solver, cells, signs)
    runs = re.findall(r"^(r\d+c\d+ to r\d+c\d+): (\d+)$", prompt, re.MULTILINE)
    for ends, total in runs:
        (top, left), (bottom, right) = listed(ends)
        run = [cells[r][c] for r in range(top, bottom + 1) for c in range(left, right + 1)]
        solver.add(z3.Distinct(run), z3.Sum(run) == int(total))


def n_queens(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    (queens,) = integers(solver, 1, len(signs), 0, len(signs) - 1)
    solver.add([queens[r] == row.index("Q") for r, row in enumerate(signs) if "Q" in row])
    for step in (-1, 0, 1):
        solver.add(z3.Distinct([queen + step * row for row, queen in enumerate(queens)]))


def aquarium(solver: z3.Solver, prompt: str) -> None:
    signs = board(prompt)
    cells = integers(solver, len(signs), len(signs), 0, 1)
    flat = [(sign, r, cells[r][c]) for r, row in enumerate(signs) for c, sign in enumerate(row)]
    for tank, row, cell in flat:
        solver.add([other >= cell for name, r, other in flat if name == tank and r >= row])
    sums(solver, cells, prompt)


def thermometers(solver: z3.Solver, prompt: str) -> None:
    size = len(margins(prompt)[0])
    cells = integers(solver, size, size, 0, 1)
    for line in re.findall(r"^\w+: (r\d+c\d+.*)$", prompt, re.MULTILINE):
        tube = [cells[r][c] for r, c in listed(line)]
        solver.add([one >= other for one, other in pairwise(tube)])
    sums(solver, cells, prompt)


def cryptarithm(solver: z3.Solver, prompt: str) -> None:
    words = next(re.findall(r"[A-Z]+", line) for line in prompt.splitlines() if " = " in line)
    digits = {letter: z3.Int(letter) for letter in "".join(words)}
    solver.add(z3.Distinct([*digits.values()]))
    solver.add([z3.And(digit >= 0, digit <= 9) for digit in digits.values()])
    solver.add([digits[word[0]] > 0 for word in words])
    known = re.search(r"It is known that ([^.]*)\.", prompt)
    for letter, digit in re.findall(r"([A-Z]) = (\d)", known[1] if known else ""):
        solver.add(digits[letter] == int(digit))
    *parts, total = (
        z3.Sum([digits[letter] * 10**power for power, letter in enumerate(reversed(word))])
        for word in words
    )
    solver.add(z3.Sum(parts) == total)


REFUTERS: dict[str, Callable[[z3.Solver, str], None]] = {
    f"grids/{rules.__name__}": rules
    for rules in (
        *(aquarium, binairo, futoshiki, kakurasu, kakuro, killer_sudoku, kropki, magic_square),
        *(n_queens, sudoku, survo, thermometers),
    )
} | {"arithmetic/cryptarithm": cryptarithm}


def solvable(name: str, prompt: str) -> bool:
    """Whether z3 finds a solution of a puzzle of one of these environments."""
    solver = z3.Solver()
    REFUTERS[name](solver, prompt)
    result = solver.check()
    assert result != z3.unknown
    return bool(result == z3.sat)
