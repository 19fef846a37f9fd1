"""Uniqueness at the top levels, by a SAT solver that shares no code with the generators.

Connectedness is stated lazily: where a model breaks it, a clause that rules this out is added, and
the solver goes on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, count, pairwise, product

import networkx as nx
import pytest
from pysat.card import CardEnc
from pysat.solvers import Cadical153
from tests.envs.sampling import sample

from palaestra.envs.grids.fillomino import Fillomino
from palaestra.envs.grids.hitori import Hitori
from palaestra.envs.grids.light_up import LightUp
from palaestra.envs.grids.masyu import Masyu
from palaestra.envs.grids.nonogram import Nonogram
from palaestra.envs.grids.norinori import Norinori
from palaestra.envs.grids.nurikabe import Nurikabe
from palaestra.envs.grids.slitherlink import Slitherlink
from palaestra.envs.grids.thermometers import Thermometers

Clause = list[int]
Cuts = Callable[[set[int]], list[Clause]]
"""The clauses that a model breaks, given the variables that are true in it."""


def solutions(clauses: Iterable[Clause], shown: Sequence[int], cuts: Cuts) -> Iterator[set[int]]:
    """The models that differ in the variables shown, as those of them that are true."""
    with Cadical153(bootstrap_with=clauses) as solver:
        while solver.solve():
            model = {literal for literal in solver.get_model() if literal > 0}
            broken = cuts(model)
            if not broken:
                yield model & {*shown}
                broken = [[-n if n in model else n for n in shown]]
            for clause in broken:
                solver.add_clause(clause)


def some_of(variables: Sequence[int], allowed: set[int]) -> list[Clause]:
    """Clauses by which the number of true variables is an allowed one."""
    barred = [many for many in range(len(variables) + 1) if many not in allowed]
    return [
        [-n if n in true else n for n in variables]
        for many in barred
        for true in combinations(variables, many)
    ]


def loops_cut(edges: dict[int, tuple], required: Sequence[set[int]]) -> Cuts:
    """Cuts for one loop that has a link of each required set."""

    def cuts(model: set[int]) -> list[Clause]:
        on = {n: pair for n, pair in edges.items() if n in model}
        parts = [*nx.connected_components(nx.Graph(on.values()))]
        if len(parts) == 1:
            return []
        if not parts:
            return [[*edges]]
        clauses = []
        for part in parts:
            inner = {n for n, pair in edges.items() if {*pair} <= part}
            if any(not inner & some for some in required):  # a loop with such a link leads out
                out = [n for n, pair in edges.items() if len({*pair} & part) == 1]
                clauses += [[-n, *out] for n in inner if n in on]
        both = [n for n, pair in on.items() if {*pair} & (parts[0] | parts[1])]
        return clauses or [[-n for n in both]]

    return cuts


def slitherlink(task: Slitherlink) -> Iterator[set[int]]:
    size = len(task.clues)
    corners = nx.grid_2d_graph(size + 1, size + 1)
    number = {frozenset(pair): n for n, pair in enumerate(corners.edges, 1)}
    clauses, required = [], []
    for corner in corners:
        clauses += some_of([number[frozenset((corner, o))] for o in corners[corner]], {0, 2})
    for r, row in enumerate(task.clues):
        for c, sign in enumerate(row):
            ring = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
            around = [number[frozenset((ring[n - 1], ring[n]))] for n in range(4)]
            if sign != ".":
                clauses += some_of(around, {int(sign)})
            if sign not in ".0":
                required.append({*around})
    edges = {n: tuple(pair) for pair, n in number.items()}
    return solutions(clauses, [*edges], loops_cut(edges, required))


def nonogram(task: Nonogram) -> Iterator[set[int]]:
    width, height = len(task.columns), len(task.rows)
    cell = {(r, c): 1 + r * width + c for r in range(height) for c in range(width)}
    fresh = count(width * height + 1)
    clauses = []
    rows = [[cell[r, c] for c in range(width)] for r in range(height)]
    for line, runs in zip([*rows, *zip(*rows)], [*task.rows, *task.columns]):
        starts = [{n: next(fresh) for n in range(len(line) - run + 1)} for run in runs]
        covers: dict[int, list[int]] = {n: [] for n in range(len(line))}
        for some, run in zip(starts, runs):
            clauses += [[*some.values()], *([-a, -b] for a, b in combinations(some.values(), 2))]
            for start, begins in some.items():
                for n in range(start, start + run):
                    covers[n].append(begins)
        for n, some in covers.items():
            clauses += [[-begins, line[n]] for begins in some]
            clauses.append([-line[n], *some])
        for one, other, run in zip(starts, starts[1:], runs):
            clauses += [[-one[a], -other[b]] for a in one for b in other if b <= a + run]
    return solutions(clauses, [*cell.values()], lambda model: [])


def light_up(task: LightUp) -> Iterator[set[int]]:
    free = {
        (r, c): n
        for n, (r, c) in enumerate(nx.grid_2d_graph(*task.shape()), 1)
        if task.board[r][c] == "."
    }
    clauses = []
    for (r, c), lamp in free.items():
        seen = []
        for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            cell = r + down, c + across
            while cell in free:
                seen.append(free[cell])
                cell = cell[0] + down, cell[1] + across
        clauses += [[lamp, *seen], *([-lamp, -other] for other in seen)]
    for r, row in enumerate(task.board):
        for c, sign in enumerate(row):
            if sign.isdecimal():
                beside = [(r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)]
                clauses += some_of([free[cell] for cell in beside if cell in free], {int(sign)})
    return solutions(clauses, [*free.values()], lambda model: [])


def hitori(task: Hitori) -> Iterator[set[int]]:
    size = len(task.numbers)
    board = nx.grid_2d_graph(size, size)
    shaded = {cell: n for n, cell in enumerate(board, 1)}
    clauses = [[-shaded[one], -shaded[other]] for one, other in board.edges]
    for one, other in combinations(board, 2):
        in_line = one[0] == other[0] or one[1] == other[1]
        if in_line and task.numbers[one[0]][one[1]] == task.numbers[other[0]][other[1]]:
            clauses.append([shaded[one], shaded[other]])

    def cuts(model: set[int]) -> list[Clause]:
        white = board.subgraph(cell for cell in board if shaded[cell] not in model)
        parts = [*nx.connected_components(white)]
        walls = [{o for cell in part for o in board[cell]} - part for part in parts]
        return [[-shaded[cell] for cell in wall] for wall in walls] if len(parts) > 1 else []

    return solutions(clauses, [*shaded.values()], cuts)


def masyu(task: Masyu) -> Iterator[set[int]]:
    size = len(task.pearls)
    board = nx.grid_2d_graph(size, size)
    number = {frozenset(pair): n for n, pair in enumerate(board.edges, 1)}
    clauses, required = [], []

    def link(one: tuple[int, int], other: tuple[int, int]) -> list[int]:
        return [number[frozenset((one, other))]] if other in board[one] else []

    for cell in board:
        sign = task.pearls[cell[0]][cell[1]]
        some = [number[frozenset((cell, other))] for other in board[cell]]
        clauses += some_of(some, {".": {0, 2}, "x": {0}}.get(sign, {2}))
        if sign in "oWB":
            required.append({*some})
        axes = []
        for down, across in ((0, 1), (1, 0)):
            ahead, after = (cell[0] + down, cell[1] + across), (cell[0] - down, cell[1] - across)
            near = link(cell, ahead) + link(cell, after)
            far = [
                *(link(ahead, (ahead[0] + down, ahead[1] + across)) if ahead in board else []),
                *(link(after, (after[0] - down, after[1] - across)) if after in board else []),
            ]
            axes.append((near, far))
            if sign == "W":  # straight on, and not straight on in both of the cells beside it
                clauses += some_of(near, {0, 2})
                clauses += [[-n for n in near + far]] if len(near + far) == 4 else []
            if sign == "B":
                clauses += some_of(near, {1})
                for other, further in ((ahead, 1), (after, -1)):
                    beyond = (other[0] + further * down, other[1] + further * across)
                    for first in link(cell, other):
                        clauses.append([-first, *link(other, beyond)])
        if sign == "W":
            clauses.append([n for near, _ in axes if len(near) == 2 for n in near])
    edges = {n: tuple(pair) for pair, n in number.items()}
    return solutions(clauses, [*edges], loops_cut(edges, required))


def nurikabe(task: Nurikabe) -> Iterator[set[int]]:
    size = len(task.numbers)
    board = nx.grid_2d_graph(size, size)
    sea = {cell: n for n, cell in enumerate(board, 1)}
    fresh = count(size * size + 1)
    sizes = {cell: task.numbers[cell[0]][cell[1]] for cell in board}
    islands = {
        home: {cell: next(fresh) for cell in nx.ego_graph(board, home, many - 1)}
        for home, many in sizes.items()
        if many
    }
    clauses = [[island[home]] for home, island in islands.items()]
    for cell in board:
        owners = [island[cell] for island in islands.values() if cell in island]
        clauses += some_of([sea[cell], *owners], {1})
    for home, island in islands.items():
        for one, other in board.edges:
            for a, b in ((one, other), (other, one)):
                if a in island:
                    clauses.append([-island[a], sea[b], *([island[b]] if b in island else [])])
        total = CardEnc.equals([*island.values()], sizes[home], vpool=None, top_id=next(fresh))
        clauses += total.clauses
        fresh = count(max(total.nv, next(fresh)) + 1)
    for r, c in board:
        pool = [(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)]
        if pool[-1] in board:
            clauses.append([-sea[cell] for cell in pool])

    def cuts(model: set[int]) -> list[Clause]:
        broken = []
        for cells, home in [(sea, None), *((island, home) for home, island in islands.items())]:
            own = board.subgraph(cell for cell, n in cells.items() if n in model)
            parts = [*nx.connected_components(own)]
            for part in parts if len(parts) > 1 else []:
                if home not in part:
                    around = {o for cell in part for o in board[cell]} - part
                    ways = [cells[cell] for cell in around if cell in cells]
                    broken.append([-cells[cell] for cell in part] + ways)
        return broken

    return solutions(clauses, [*sea.values()], cuts)


def exactly(literals: Iterable[int], many: int, fresh: Iterator[int]) -> list[Clause]:
    """Clauses by which so many of the literals are true; ``fresh`` counts unused variables."""
    rule = CardEnc.equals([*literals], many, top_id=next(fresh))
    while next(fresh) < rule.nv:
        pass
    return rule.clauses


def norinori(task: Norinori) -> Iterator[set[int]]:
    size = len(task.board)
    board = nx.grid_2d_graph(size, size)
    shaded = {cell: n for n, cell in enumerate(board, 1)}
    fresh = count(size * size + 1)
    clauses = []
    regions: dict[str, list[int]] = {}
    for (r, c), n in shaded.items():
        beside = [shaded[cell] for cell in board[r, c]]
        clauses += [[-n, *beside], *([-n, -a, -b] for a, b in combinations(beside, 2))]
        letter = task.board[r][c]
        regions.setdefault(letter.upper(), []).append(n)
        clauses += [[-n]] if letter.islower() else []
    for region in regions.values():
        clauses += exactly(region, 2, fresh)
    return solutions(clauses, [*shaded.values()], lambda model: [])


def thermometers(task: Thermometers) -> Iterator[set[int]]:
    size = task.size
    fresh = count(size * size + 1)
    clauses = [[-(b + 1), a + 1] for tube in task.tubes for a, b in pairwise(tube)]
    rows = [[*range(n, n + size)] for n in range(1, size * size, size)]
    for line, many in zip([*rows, *zip(*rows)], task.counts):
        clauses += exactly(line, many, fresh) if many >= 0 else []
    return solutions(clauses, range(1, size * size + 1), lambda model: [])


def fillomino(task: Fillomino) -> Iterator[set[int]]:
    size = len(task.givens)
    board = nx.grid_2d_graph(size, size)
    numbers = range(1, task.largest + 1)
    has = {(cell, k): n for n, (cell, k) in enumerate(product(board, numbers), 1)}
    clauses = []
    for r, c in board:
        clauses += some_of([has[(r, c), k] for k in numbers], {1})
        clauses += [[has[(r, c), k]] for k in numbers if k == task.givens[r][c]]

    def cuts(model: set[int]) -> list[Clause]:
        broken = []
        for k in numbers:
            alike = board.subgraph(cell for cell in board if has[cell, k] in model)
            for part in nx.connected_components(alike):
                if len(part) > k:  # so are its first k + 1 cells, in the order of a walk
                    first = [*nx.bfs_tree(alike, min(part))][: k + 1]
                    broken.append([-has[cell, k] for cell in first])
                elif len(part) < k:  # it goes on in a cell beside it
                    around = {o for cell in part for o in board[cell]} - part
                    broken.append(
                        [-has[cell, k] for cell in part] + [has[cell, k] for cell in around]
                    )
        return broken

    return solutions(clauses, [*has.values()], cuts)


REFEREES = [
    (Slitherlink, slitherlink),
    (Masyu, masyu),
    (Nonogram, nonogram),
    (LightUp, light_up),
    (Hitori, hitori),
    (Nurikabe, nurikabe),
]


@pytest.mark.parametrize(("puzzle", "referee"), REFEREES)
def test_a_task_of_the_top_level_has_one_solution(puzzle, referee) -> None:
    top = puzzle.Knobs.levels() - 1
    for seed in range(3):
        assert len([*zip(range(2), referee(sample(puzzle, seed, top)))]) == 1


@pytest.mark.parametrize(
    ("puzzle", "referee"), [(Norinori, norinori), (Thermometers, thermometers)]
)
def test_the_only_shading_is_the_answer(puzzle, referee) -> None:
    for seed in range(3):
        task = sample(puzzle, seed, puzzle.Knobs.levels() - 1)
        signs = task.answer().split()
        on = {n for n, sign in enumerate(signs, 1) if sign == task.signs[0]}
        assert [*referee(task)] == [on]


def test_the_only_filling_of_a_fillomino_is_the_answer() -> None:
    for seed in range(3):
        task = sample(Fillomino, seed, Fillomino.Knobs.levels() - 1)
        numbers = map(int, task.answer().split())
        on = {cell * task.largest + number for cell, number in enumerate(numbers)}
        assert [*fillomino(task)] == [on]


BOUNDS = [
    (Slitherlink, slitherlink),
    (LightUp, light_up),
    (Nonogram, nonogram),
    (Nurikabe, nurikabe),
    (Norinori, norinori),
    (Thermometers, thermometers),
]


@pytest.mark.parametrize(("puzzle", "referee"), BOUNDS)
def test_a_task_of_the_largest_size_has_one_solution(puzzle, referee) -> None:
    size = puzzle.Knobs.model_json_schema()["properties"]["size"]["maximum"]
    task = sample(puzzle, 0, puzzle.Knobs.levels() - 1, size=size)
    assert len([*zip(range(2), referee(task))]) == 1


VAGUE = [
    (Slitherlink(clues=("...",) * 3), slitherlink, 213),  # OEIS A140517
    (Masyu(pearls=("....",) * 4), masyu, 213),
    (Nonogram(search=False, rows=((1,),) * 4, columns=((1,),) * 4), nonogram, 24),
    (LightUp(board=("...",) * 3), light_up, 6),
    (Hitori(numbers=((1, 2, 3), (2, 3, 1), (3, 1, 2))), hitori, 39),
    (Nurikabe(numbers=((2, 0, 0), (0, 0, 0), (0, 0, 2))), nurikabe, 2),
    (Norinori(board=("AAA", "ABB", "BBB")), norinori, 8),
    (Thermometers(size=2, tubes=((0, 1), (2, 3)), counts=(-1, -1, -1, 1)), thermometers, 4),
    (Fillomino(givens=((0, 0), (0, 0)), largest=4), fillomino, 5),
]
"""Tasks with few clues, and how many solutions they have."""


@pytest.mark.parametrize(("task", "referee", "many"), VAGUE)
def test_the_sat_solver_lists_all_solutions(task, referee, many) -> None:
    assert len([*referee(task)]) == many
