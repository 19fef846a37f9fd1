"""The greatest xor of chosen numbers, by Gaussian elimination over the field of two elements."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, product
from random import Random
from typing import Any, Literal, Self, get_args

from palaestra.generators.baselines import one_pass, shuffled
from palaestra.generators.optimisation.listed import ListedOptimum
from palaestra.generators.optimisation.xor_basis import (
    Edge,
    entangled,
    greatest,
    greatest_walk,
    heaviest_independent,
    numbers_of_rank,
    rank,
    spanning_tree,
    toggled,
    total,
)
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Cell, Graph, Grid, Node, Scene
from palaestra.scenes import Edge as Line
from palaestra.task import ladder

Problem = Literal["set", "limit", "independent", "tree", "walk"]
PROBLEMS: tuple[Problem, ...] = get_args(Problem)

LONGEST_WALK = 400
"""Nodes that an answer may list."""


class XorBasis(ListedOptimum):
    """Choose numbers, or a path whose edges have numbers, with the greatest xor."""

    tags = {"optimisation", "bits", "linear-algebra"}
    quantity = "value"

    dashes = True

    class Knobs(ListedOptimum.Knobs):
        size: int = ladder(6, 7, 9, 12, 15, 18, 22, low=6, high=26)  # about that of the problem
        bits: int = ladder(6, 7, 10, 13, 16, 20, 24, low=6, high=28)
        problem: Literal["set", "limit", "independent", "tree", "walk", "any"] = ladder(
            "set", "any"
        )

    problem: Problem
    bits: int
    numbers: tuple[int, ...] = ()
    """The numbers to choose from, for the first three problems."""
    limit: int = 0
    weights: tuple[int, ...] = ()
    """The values of the numbers, where those have to be independent."""
    edges: tuple[Edge, ...] = ()
    """The edges of a tree or a graph, between nodes counted from 0."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        problem = rng.choice(PROBLEMS) if knobs.problem == "any" else knobs.problem
        bits, size = knobs.bits, knobs.size
        if problem in {"tree", "walk"}:
            nodes = 2 * size if problem == "tree" else size // 2 + 3
            number = nodes - 1 if problem == "tree" else nodes + size // 2
            pairs = connected(rng, nodes, number, 3)
            names = rng.sample(range(nodes), nodes)
            edges = [
                (*rng.sample((names[u], names[v]), 2), rng.randrange(1, 1 << bits))
                for u, v in pairs
            ]
            rng.shuffle(edges)
            return cls(problem=problem, bits=bits, edges=tuple(edges))
        dimension = min(bits - 1, size - 1 - size // 6)
        if problem == "independent":
            dimension = min(bits - 2, size * 2 // 3)
        numbers = numbers_of_rank(rng, size, bits, dimension)
        if problem == "independent":
            return cls(
                problem=problem,
                bits=bits,
                numbers=tuple(numbers),
                weights=tuple(entangled(rng, numbers)),
            )
        limit = 0
        if problem == "limit":
            limit = rng.randrange(1 << (bits - 2), 1 << bits)
        return cls(problem=problem, bits=bits, numbers=tuple(numbers), limit=limit)

    def canonical(self) -> str:
        edges = sorted((*sorted(edge[:2]), edge[2]) for edge in self.edges)
        weights = self.weights or (0,) * len(self.numbers)
        return repr((self.problem, sorted(zip(self.numbers, weights)), self.limit, edges))

    def size(self) -> int:
        return len(self.numbers) or 1 + max(max(edge[:2]) for edge in self.edges)

    def noun(self) -> str:
        return "nodes" if self.edges else "numbers"

    def nouns(self) -> Sequence[str]:
        return [*super().nouns(), "walk", "path", "pair"] if self.edges else super().nouns()

    def listed(self) -> str:
        return "nodes" if self.edges else "numbers in front of the colons"

    def binary(self, value: int) -> str:
        """A number as all of its bits."""
        return f"{value:0{self.bits}b}"

    def prompt(self) -> str:
        xor = (
            "The xor of numbers has a 1 at each position where an odd number of them have a 1, and "
            "a 0 elsewhere; the xor of a single number is that number."
        )
        if self.edges:
            listed = "\n".join(f"{u + 1}-{v + 1}: {self.binary(n)}" for u, v, n in self.edges)
            last = self.size()
            head = f"A graph has the nodes 1 to {last}, and these edges with binary numbers:"
            return f"{head}\n{listed}\n\n{self.task()} {xor}\n\n{self.ending()}"
        rows = [f"{n}: {self.binary(value)}" for n, value in enumerate(self.numbers, 1)]
        if self.weights:
            rows = [f"{row}, value {value}" for row, value in zip(rows, self.weights)]
        listed = "\n".join(rows)
        return f"Here are binary numbers:\n{listed}\n\n{self.task()} {xor}\n\n{self.ending()}"

    def task(self) -> str:
        """What to choose."""
        last = self.size()
        if self.problem == "set":
            return self.phrase(
                "Choose one or more of them whose xor is as great as possible.",
                "Which of them have the greatest xor? Choose one or more.",
            )
        if self.problem == "limit":
            return self.phrase(
                "Choose one or more of them whose xor is at most "
                f"{self.binary(self.limit)}, and as great as possible under this condition.",
                f"Which of them have the greatest xor that does not exceed "
                f"{self.binary(self.limit)}? Choose one or more.",
            )
        if self.problem == "independent":
            return self.phrase(
                "Choose numbers of the greatest total value, such that no selection of one or more "
                "of the chosen numbers has the xor 0.",
                "Choose numbers whose values add up to as much as possible. It is forbidden that "
                "some of the chosen numbers, or all of them, have the xor 0.",
            )
        if self.problem == "tree":
            return self.phrase(
                "The graph is a tree: exactly one path joins any two nodes. Choose two different "
                "nodes, such that the xor of the numbers along the path between them is as great "
                "as possible.",
                "Exactly one path joins any two nodes of this graph. Between which two different "
                "nodes is the path whose numbers have the greatest xor?",
            )
        return self.phrase(
            f"Find a walk from node 1 to node {last} such that the xor of the numbers of its edges "
            "is as great as possible.",
            f"Walk from node 1 to node {last} along edges, so that the numbers of the edges that "
            "you pass have the greatest xor.",
        ) + (
            " A walk may pass a node or an edge several times, in either direction; a number "
            "counts as often as its edge is passed."
        )

    def ending(self) -> str:
        """The form of the answer."""
        any_will_do = "If several answers are equally good, any of them will do."
        if self.problem == "tree":
            return f"{any_will_do} Write the two nodes, such as '1, 2'."
        if self.problem == "walk":
            return (
                f"{any_will_do} Write the nodes of the walk in order, at most {LONGEST_WALK}, such "
                f"as '1, 3, 2, {self.size()}'."
            )
        return f"{any_will_do} Write the numbers in front of the colons, such as '1, 2, 4'."

    def scene(self) -> Scene:
        return self.view(())

    def solved_scene(self, answer: str) -> Scene:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Scene:
        """The bits of each number, or the graph, with chosen numbers or nodes marked."""
        if self.edges:
            nodes = [
                Node(str(n + 1), "accent" if n in chosen else "paper") for n in range(self.size())
            ]
            lines = [Line(u, v, self.binary(value)) for u, v, value in self.edges]
            return Graph(tuple(nodes), tuple(lines))
        rows = tuple(
            tuple(Cell(bit, "t0" if bit == "1" else "paper") for bit in self.binary(value))
            for value in self.numbers
        )
        notes = tuple((str(value),) for value in self.weights)
        left = tuple((f"{n + 1}{' *' if n in chosen else ''}",) for n in range(self.size()))
        return Grid(rows, left=left, right=notes)

    def rules(self, solution: Sequence[int]) -> str:
        if self.problem == "walk":
            return self.walk_violation(solution)
        if len(set(solution)) < len(solution):
            return f"one of the {self.noun()} is listed twice"
        if self.problem == "tree":
            return "" if len(solution) == 2 else f"{len(solution)} nodes are listed in place of two"
        if not solution:
            return "no number is chosen"
        values = [self.numbers[n] for n in solution]
        if self.problem == "limit" and total(values) > self.limit:
            return f"the xor is {self.binary(total(values))}, which exceeds the limit"
        if self.problem == "independent" and rank(values) < len(values):
            return "some of the chosen numbers have the xor 0"
        return ""

    def walk_violation(self, walk: Sequence[int]) -> str:
        """Why a list of nodes is no walk from the first node to the last one."""
        if len(walk) > LONGEST_WALK:
            return f"the walk has more than {LONGEST_WALK} nodes"
        if not walk or walk[0] != 0 or walk[-1] != self.size() - 1:
            return f"the walk has to go from node 1 to node {self.size()}"
        known = self.by_ends()
        wrong = next((step for step in pairwise(walk) if step not in known), None)
        return f"there is no edge {wrong[0] + 1}-{wrong[1] + 1}" if wrong else ""

    def by_ends(self) -> dict[tuple[int, int], int]:
        """The number of each edge, from either end."""
        return {ends: n for u, v, n in self.edges for ends in ((u, v), (v, u))}

    def worth(self, solution: Any) -> int:
        if self.problem == "walk":
            known = self.by_ends()
            return total(known[step] for step in pairwise(solution))
        if self.problem == "tree":
            return total(spanning_tree(self.size(), self.edges).way[n] for n in solution)
        if self.problem == "independent":
            return sum(self.weights[n] for n in solution)
        return total(self.numbers[n] for n in solution)

    def search(self) -> SearchResult:
        size = self.size()
        if self.problem == "walk":
            return SearchResult(greatest_walk(size, self.edges), len(self.edges) * self.bits)
        if self.problem == "tree":
            way = spanning_tree(size, self.edges).way
            pair = max(combinations(range(size), 2), key=lambda ends: way[ends[0]] ^ way[ends[1]])
            return SearchResult([*pair], size * self.bits)
        if self.problem == "independent":
            return SearchResult(heaviest_independent(self.numbers, self.weights), size * self.bits)
        limit = self.limit or (1 << self.bits) - 1
        parts = greatest(self.numbers, limit).parts
        return SearchResult([n for n in range(size) if parts >> n & 1], size * self.bits)

    def random_baseline(self) -> float:
        if self.problem == "tree":
            return 2 / (self.size() * (self.size() - 1))
        return 0.5 ** rank(self.numbers) if self.problem in {"set", "limit"} else 0.0

    def naive_solutions(self) -> list[Any]:
        """All numbers, the greatest alone and a greedy choice; a path of the fewest edges."""
        size = self.size()
        if self.problem == "walk":
            return [spanning_tree(size, self.edges).path(size - 1)]
        if self.problem == "tree":
            first, last, _ = max(self.edges, key=lambda edge: edge[2])
            return [[0, size - 1], [first, last]]
        best = min(range(size), key=lambda n: -self.numbers[n])
        falling = sorted(range(size), key=lambda n: -(self.weights or self.numbers)[n])
        single = [n for n in falling if not self.violation([n])][:1] or [best]
        return [[*range(size)], single, self.improving(falling)]

    def baseline(self, best: int) -> int:
        legal = [each for each in self.naive_solutions() if not self.violation(each)]
        return max((worth for each in legal if (worth := self.worth(each)) <= best), default=0)

    def improving(self, order: Iterable[int]) -> list[int]:
        """Each number in turn that increases the worth and breaks no rule."""
        chosen = list[int]()
        for number in order:
            more = [*chosen, number]
            if self.value(more) > self.value(chosen):
                chosen = more
        return chosen

    def value(self, chosen: Sequence[int]) -> int:
        """The worth of a choice for players, who do not see dependences of four and more numbers;
        one that breaks a rule is worth less than nothing.
        """
        if self.problem == "independent":
            few = (part for size in (1, 2, 3) for part in combinations(chosen, size))
            seen = any(total(self.numbers[n] for n in part) == 0 for part in few)
            return -1 if seen else self.worth(chosen)
        xor = self.worth(chosen)
        return -1 if self.limit and xor > self.limit else xor

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Greedy choices and local searches; random walks and paths from likely nodes."""
        size = self.size()
        if self.problem == "walk":
            return {
                "path of fewest edges": self.naive_solutions()[0],
                **{f"random walk {n}": self.random_walk(rng) for n in range(3)},
            }
        if self.problem == "tree":
            return self.tree_players(rng)
        items = range(size)
        keys = self.weights or self.numbers
        falling = sorted(items, key=lambda n: -keys[n])
        players: dict[str, list[int]] = {
            "all": [*items],
            "greatest first if it helps": self.improving(falling),
            "as listed if it helps": self.improving(items),
            "random order if it helps": self.improving(shuffled(items, rng)),
            "local search": toggled(size, self.value, rng),
            "local search from the greatest": toggled(size, self.value, rng, falling[:1]),
            "greatest": falling[:1],
            "greatest two": falling[:2],
        }
        if self.problem == "independent":
            most = rank(self.numbers)
            players["of the greatest values, as many as possible"] = falling[:most]
            players["all xors differ"] = one_pass(falling, lambda chosen: self.value(chosen) >= 0)
        return self.nonempty(players)

    def tree_players(self, rng: Random) -> dict[str, Any]:
        """The best partner of a node, and of that partner."""
        size = self.size()
        way = spanning_tree(size, self.edges).way
        heavy = max(self.edges, key=lambda edge: edge[2])

        def partner(node: int) -> int:
            return max((n for n in range(size) if n != node), key=lambda n: way[n] ^ way[node])

        starts = {"the first node": 0, "a random node": rng.randrange(size)}
        players = {f"best partner of {name}": [n, partner(n)] for name, n in starts.items()}
        players["greatest edge"] = [*heavy[:2]]
        players["best partner of an end of the greatest edge"] = [heavy[0], partner(heavy[0])]
        return players

    def random_walk(self, rng: Random) -> list[int]:
        """A walk along random edges until the last node."""
        beside = {node: [v for u, v in self.by_ends() if u == node] for node in range(self.size())}
        walk = [0]
        while walk[-1] != self.size() - 1 and len(walk) < LONGEST_WALK:
            walk.append(rng.choice(beside[walk[-1]]))
        return walk

    def audit(self, answer: str) -> bool | None:
        """Compare with all sums, made one number after the other; None where there are too many."""
        solution = self.read(answer)
        if self.violation(solution):
            return False
        if self.problem == "tree":
            rows = [self.worth(ends) for ends in combinations(range(self.size()), 2)]
            return self.worth(solution) == max(rows)
        if self.problem == "walk":
            return self.worth(solution) == max(self.walk_values())
        if self.problem == "independent":
            return None if self.size() > 12 else self.worth(solution) == self.heaviest()
        sums = {0}
        for number in self.numbers:
            sums |= {each ^ number for each in sums}
        limit = self.limit or 1 << self.bits
        return self.worth(solution) == max(each for each in sums if each <= limit)

    def walk_values(self) -> set[int]:
        """The xors of all walks to the last node, by a search through nodes and xors."""
        beside: dict[int, list[tuple[int, int]]] = {n: [] for n in range(self.size())}
        for (u, v), value in self.by_ends().items():
            beside[u].append((v, value))
        seen, queue = {(0, 0)}, [(0, 0)]
        for node, value in queue:
            for other, number in beside[node]:
                state = other, value ^ number
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
        return {value for node, value in seen if node == self.size() - 1}

    def heaviest(self) -> int:
        """The greatest total value of a choice without dependences, among all choices."""
        choices = product((0, 1), repeat=self.size())
        parts = ([n for n, taken in enumerate(each) if taken] for each in choices)
        return max(self.worth(part) for part in parts if part and not self.violation(part))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=6, bits=6, problem="any")

    def candidates(self) -> Iterable[str]:
        """All choices of nodes or numbers; for walks, those of at most two cycles."""
        if self.problem == "tree":
            return map(self.as_text, combinations(range(self.size()), 2))
        if self.problem == "walk":
            return [self.answer(), self.as_text(self.naive_solutions()[0])]
        choices = product((0, 1), repeat=self.size())
        return (self.as_text(n for n, b in enumerate(c) if b) for c in choices if any(c))
