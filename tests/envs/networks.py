"""Bayesian networks as they are read from prompts, and their worlds one by one."""

import re
from fractions import Fraction
from itertools import product

_HEAD = re.compile(r"(\w+) \(([\w, ]+)\); (?:no parents|parents: ([\w, ]+))")
_CELL = re.compile(r"(\w+) with probability (\d+(?:/\d+)?)")


class Network:
    """Variables with values, parents and tables, all by name."""

    def __init__(self):
        self.values = {}
        self.parents = {}
        self.tables = {}

    def row(self, name, parents, values, cells):
        """Add a row of a table."""
        self.parents.setdefault(name, parents)
        assert self.parents[name] == parents
        key = tuple(values)
        table = self.tables.setdefault(name, {})
        assert key not in table
        table[key] = dict(zip(self.values[name], cells, strict=True))
        assert sum(cells) == 1

    def worlds(self, forced=()):
        """All assignments with their probabilities, for forced values of some variables."""
        forced, names = dict(forced), sorted(self.values)
        for values in product(*(self.values[name] for name in names)):
            world = dict(zip(names, values, strict=True))
            if any(world[name] != value for name, value in forced.items()):
                continue
            chance = Fraction(1)
            for name in names:
                if name not in forced:
                    key = tuple(world[parent] for parent in self.parents[name])
                    chance *= self.tables[name][key][world[name]]
            yield world, chance

    def conditional(self, event, known, forced=()):
        """The probability of an event under a condition."""
        above = below = Fraction(0)
        for world, chance in self.worlds(forced):
            if all(world[name] == value for name, value in known):
                below += chance
                above += chance * all(world[name] == value for name, value in event)
        return above / below


def of_prompt(prompt):
    """The network that a prompt states in tables or in sentences."""
    network = Network()
    paragraphs = prompt.split("\n\n")
    if "In the tables" in prompt:
        tables = [each.split("\n") for each in paragraphs]
        tables = [(_HEAD.fullmatch(rows[0]), rows) for rows in tables if _HEAD.fullmatch(rows[0])]
        heads = [head for head, _ in tables]
        for head in heads:
            network.values[head[1]] = head[2].split(", ")
        for head, rows in tables:
            parents = head[3].split(", ") if head[3] else []
            for row in rows[1:]:
                case, _, cells = row.rpartition(": ")
                values = [part.split(" = ")[1] for part in case.split(", ")] if case else []
                assert [part.split(" = ")[0] for part in case.split(", ") if case] == parents
                network.row(head[1], parents, values, [*map(Fraction, cells.split(", "))])
        return network
    sentences = re.findall(
        r"(?:If ([^.]*?), then )?(\w+) is ((?:\w+ with probability [\d/]+(?:, | and )?)+)\.", prompt
    )
    for _, name, cells in sentences:
        network.values.setdefault(name, [value for value, _ in _CELL.findall(cells)])
    for case, name, cells in sentences:
        terms = [term.split(" is ") for term in case.split(" and ")] if case else []
        network.row(
            name,
            [term[0] for term in terms],
            [term[1] for term in terms],
            [Fraction(chance) for _, chance in _CELL.findall(cells)],
        )
    return network


def clauses(text):
    """Variables and values of clauses such as ``Lamp is on and that Fan is off``."""
    return re.findall(r"(\w+) is (\w+)", text)
