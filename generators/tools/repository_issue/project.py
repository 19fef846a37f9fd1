"""Drawing a project: a package that works out amounts for items of several categories.

Its layers, from below: helpers for whole numbers, measures of an item, a module for each category
and each amount, a table of categories, a basket, modules that settle, and the desk, which users
call. Functions of sibling categories are nearly alike.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.repository_issue.rules import (
    FIRST,
    ITEM,
    RULES,
    VALUE,
    Used,
    body,
    docstring,
    function,
    indented,
)

ITEMS = {
    "parcel": "parcels", "booking": "bookings", "ticket": "tickets", "repair": "repairs",
    "course": "courses", "rental": "rentals", "sample": "samples", "permit": "permits",
    "lesson": "lessons", "crate": "crates", "survey": "surveys", "voyage": "voyages",
}  # fmt: skip
"""What the project is about, with the plural."""

FIELDS = (
    "weight", "distance", "duration", "volume", "height", "age", "stops", "rooms", "pages",
    "seats", "hours", "visits", "windows", "copies", "floors", "doors",
)  # fmt: skip
MEASURES = ("load", "effort", "spread", "strain", "reach", "burden", "bulk")
AMOUNTS = ("fee", "deposit", "score", "delay", "premium", "toll", "bonus", "quota")
CATEGORIES = (
    "harbour", "island", "garden", "winter", "night", "express", "student", "local", "airport",
    "school", "river", "summer", "market", "castle", "forest", "valley", "museum", "office",
)  # fmt: skip
PARTS = ("base", "extra", "rebate")
LAYERS = ("invoiced", "settled", "charged", "booked")
SYLLABLES = tuple(map("".join, product("bdfgklmnprstvz", "aeiou")))

HELPERS = {
    "rounded_up": ("value, step", "A multiple of a step", "rounded up"),
    "rounded_down": ("value, step", "A multiple of a step", "rounded down"),
    "rounded_near": ("value, step", "A multiple of a step", "rounded near"),
    "parts_begun": ("value, size", "The parts of a value", "parts begun"),
    "full_parts": ("value, size", "The parts of a value", "full parts"),
    "share": ("value, percent", "A share of a value", "share"),
    "share_up": ("value, percent", "A share of a value", "share up"),
}
"""The functions for whole numbers: their parameters, their subject and the rule of each."""

BOUNDS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "least": {"part": (5, 40), "category": (10, 80), "rows": (20, 200)},
    "most": {"part": (60, 200), "category": (200, 600), "rows": (900, 5_000)},
    "less": {"part": (20, 80), "category": (50, 200), "rows": (100, 600)},
}
"""Bounds by what they are about, such that few amounts lie beyond them: they would hide faults."""

_WORD = re.compile(r"[A-Za-z_]\w*")


class Function(NamedTuple):
    """A documented function, or a method where it has an owner."""

    module: str
    name: str
    parameters: str
    subject: str
    rules: tuple[Used, ...]
    owner: str = ""

    def text(self, fields: Sequence[str], documented: bool = True) -> str:
        """The function as it stands in its module, without indentation of a class."""
        rules_of_it = self.rules if documented else ()
        described = docstring(self.subject, rules_of_it) if rules_of_it else f"{self.subject}."
        return function(self.name, self.parameters, described, body(self.rules, fields))


class Module(NamedTuple):
    """A file of the package: what stands before its functions, and what it is about."""

    path: str
    title: str
    head: str = ""


class Plan(NamedTuple):
    """How large a project is."""

    categories: int
    amounts: int
    parts: int
    rules: int
    measures: int
    layers: int
    pages: bool


class Project(NamedTuple):
    """A package with its documentation, without tests."""

    name: str
    item: str
    fields: tuple[str, ...]
    categories: tuple[str, ...]
    amounts: tuple[str, ...]
    modules: tuple[Module, ...]
    functions: tuple[Function, ...]
    pages: bool

    @property
    def items(self) -> str:
        """The plural of the item."""
        return ITEMS[self.item]

    @property
    def item_class(self) -> str:
        """The class of an item."""
        return self.item.capitalize()

    def changed(self, old: Function, new: Function) -> "Project":
        """The project with another function in the place of one."""
        rest = tuple(new if each == old else each for each in self.functions)
        return self._replace(functions=rest)

    def on_page(self, each: Function) -> bool:
        """Whether a function's rules are documented on a page and not in its docstring."""
        return self.pages and each.module.count("/") == 2

    def text(self, each: Function) -> str:
        """A function as it stands in its module, but for the indentation of a class."""
        return each.text(self.fields, not self.on_page(each))

    def files(self, texts: Mapping[str, str]) -> dict[str, str]:
        """All files of the package and its documentation, by path.

        ``texts`` has other texts of functions, by their names.
        """
        homes = {each.name: each.module for each in self.functions if not each.owner}
        homes |= {self.item_class: f"{self.name}/{self.item}.py", "Basket": self.basket}
        homes |= {f"{amount.upper()}_RULES": self.table(amount) for amount in self.amounts}
        files = {"README.md": self.readme()}
        for amount in self.amounts if self.pages else ():
            files[f"docs/{amount}.md"] = self.page(amount)
        for module in self.modules:
            files[module.path] = self._module_text(module, texts, homes)
        return files

    def program(self) -> Iterator[str]:
        """The code of all modules, each after those that it imports, without their imports."""
        for module in self.modules:
            yield module.head
            for each in self.functions:
                if each.module == module.path:
                    yield indented(self.text(each), 4 if each.owner else 0)

    @property
    def basket(self) -> str:
        """The path of the module of the basket."""
        return f"{self.name}/basket.py"

    def table(self, amount: str) -> str:
        """The path of the table of an amount."""
        return f"{self.name}/{amount}/table.py"

    def _module_text(
        self, module: Module, texts: Mapping[str, str], homes: Mapping[str, str]
    ) -> str:
        blocks = [
            indented(text, 4 if each.owner else 0)
            for each in self.functions
            if each.module == module.path
            for text in [texts.get(each.name) or self.text(each)]
        ]
        inside = module.head.startswith("class ")
        code = ("\n\n" if inside else "\n\n\n").join(
            [module.head, *blocks] if module.head else blocks
        )
        imports = "\n".join(_imports(code, module.path, homes))
        return "\n\n".join(filter(None, [f'"""{module.title}."""', imports])) + f"\n\n\n{code}\n"

    def page(self, amount: str) -> str:
        """The page about the rules of an amount."""
        parts = [
            f"## {each.subject}\n\n" + "\n".join(rule.sentence() for rule in each.rules)
            for each in self.functions
            if self.on_page(each) and each.module.split("/")[1] == amount
        ]
        return f"# The rules of the {amount}\n\n" + "\n\n".join(parts) + "\n"

    def readme(self) -> str:
        """What the project is, and what a row is."""
        entries = [each for each in self.functions if each.module.endswith("/desk.py")]
        calls = "\n".join(f"- `{each.name}(rows)`: {each.subject}." for each in entries)
        rules = (
            "The rules of the categories are in `docs/`, the others in the docstrings."
            if self.pages
            else "The rules are in the docstrings."
        )
        return (
            f"# {self.name}\n\n{self.name} works out the {' and the '.join(self.amounts)} of "
            f"{self.items}.\n\nA row is a list of a name, a category, and the "
            f"{', the '.join(self.fields)}, which are whole numbers from 0. Users call "
            f"`{self.name}/desk.py`:\n\n{calls}\n\n{rules} Each function keeps its rules in "
            "their order, each on what the one before gives. The tests are in `tests/`.\n"
        )


def _imports(code: str, path: str, homes: Mapping[str, str]) -> Iterator[str]:
    """The import statements that some code of the package needs."""
    needed: dict[str, list[str]] = {}
    for name in sorted({*_WORD.findall(code)} & homes.keys()):
        if homes[name] != path:
            needed.setdefault(homes[name], []).append(name)
    for home in sorted(needed):
        module = home.removesuffix(".py").replace("/", ".")
        yield f"from {module} import {', '.join(needed[home])}"


class Drawing:
    """Draws the functions of a project."""

    def __init__(self, rng: Random, plan: Plan) -> None:
        self.rng, self.plan = rng, plan
        self.name = "".join(rng.choices(SYLLABLES, k=rng.randint(2, 3)))
        self.item = rng.choice([*ITEMS])
        self.fields = tuple(rng.sample(FIELDS, rng.randint(3, 4)))
        self.categories = tuple(rng.sample(CATEGORIES, plan.categories))
        self.amounts = tuple(rng.sample(AMOUNTS, plan.amounts))
        self.measures = tuple(rng.sample(MEASURES, plan.measures))
        self.modules: list[Module] = []
        self.functions: list[Function] = []

    @cached_property
    def items(self) -> str:
        return ITEMS[self.item]

    def project(self) -> Project:
        """The whole project."""
        self._below()
        for amount in self.amounts:
            self._amount(amount)
        self._above()
        return Project(
            self.name, self.item, self.fields, self.categories, self.amounts,
            tuple(self.modules), tuple(self.functions), self.plan.pages,
        )  # fmt: skip

    def _module(self, path: str, title: str, head: str = "") -> str:
        self.modules.append(Module(f"{self.name}/{path}", title, head))
        return f"{self.name}/{path}"

    def _below(self) -> None:
        """Helpers, measures and the item."""
        path = self._module("amounts.py", "Whole numbers")
        for name, (parameters, subject, rule) in HELPERS.items():
            used = (Used(f"whole.{rule}"),)
            self.functions.append(Function(path, name, parameters, subject, used))
        lines = "\n".join(f"        self.{name} = {name}" for name in self.fields)
        head = (
            f'class {self.item.capitalize()}:\n    """A {self.item} of a category."""\n\n'
            f"    def __init__(self, name, category, {', '.join(self.fields)}):\n"
            f"        self.name = name\n        self.category = category\n{lines}"
        )
        self._module(f"{self.item}.py", f"A {self.item}", head)
        if self.measures:
            path = self._module("measures.py", f"Measures of {self.items}")
        for name in self.measures:
            rules = (self._first(self.fields), self._later(self.fields))
            subject = f"The {name} of a {self.item}"
            self.functions.append(Function(path, name, "item", subject, rules))

    def _amount(self, amount: str) -> None:
        """The modules of an amount: one for each category, and the table of them."""
        before: dict[str, tuple[Used, ...]] = {}
        for category in self.categories:
            title = f"The {amount} of {category} {self.items}"
            path = self._module(f"{amount}/{category}.py", title)
            names = [f"{category}_{part}_{amount}" for part in PARTS[: self.plan.parts]]
            for part, name in zip(PARTS, names, strict=False):
                rules = self._like(before[part]) if part in before else self._rules()
                before[part] = rules
                subject = f"The {part} {amount} of {category} {self.items}"
                self.functions.append(Function(path, name, "item", subject, rules))
            start = "calls.sum" if len(names) == 2 else "calls.sum of three"
            sum_of_parts = Used(start, tuple(zip("xyz", names, strict=False)))
            rules = (sum_of_parts, self._value("category"))
            self.functions.append(Function(path, f"{category}_{amount}", "item", title, rules))
        table = f"{amount.upper()}_RULES"
        pairs = "\n".join(f"    '{each}': {each}_{amount}," for each in self.categories)
        path = self._module(
            f"{amount}/table.py", f"The {amount} by category", f"{table} = {{\n{pairs}\n}}"
        )
        rules = (Used("whole.dispatch", (("x", table),)),)
        subject = f"The {amount} of a {self.item}"
        self.functions.append(Function(path, f"{amount}_of", "item", subject, rules))

    def _above(self) -> None:
        """The basket, what settles, and the desk."""
        rng, items, name = self.rng, self.items, self.item.capitalize()
        head = (
            f'class Basket:\n    """{items.capitalize()} in the order of their rows."""\n\n'
            f"    def __init__(self, rows):\n        self.items = [{name}(*row) for row in rows]"
        )
        path = self._module("basket.py", f"A basket of {items}", head)
        for amount in self.amounts:
            rules: tuple[Used, ...] = (
                Used("calls.all", (("i", items), ("x", f"{amount}_of"))),
                self._many(),
            )
            subject = f"The {amount} of all {items} together"
            total = Function(path, f"total_{amount}", "self", subject, rules, "Basket")
            self.functions.append(total)
        layers = rng.sample(LAYERS, self.plan.layers)
        for number, layer in enumerate(layers):
            path = self._module(f"{layer}.py", f"Amounts that are {layer}")
            for amount in self.amounts:
                below = f"{layers[number - 1]}_{amount}" if number else ""
                rules = (self._start(amount, below), *self._values(1 + (rng.random() < 0.5)))
                subject = f"The {amount} of rows as it is {layer}"
                self.functions.append(Function(path, f"{layer}_{amount}", "rows", subject, rules))
        path = self._module("desk.py", "What users call")
        for amount in self.amounts:
            below = f"{layers[-1]}_{amount}" if layers else ""
            rules = (self._start(amount, below), self._value("rows"))
            subject = f"The quote of the {amount} of rows"
            self.functions.append(Function(path, f"{amount}_quote", "rows", subject, rules))
            for form, words in (
                ("lines", f"The lines about the {amount} of rows"),
                ("ranking", f"The names of rows, ranked by the {amount}"),
                ("overview", f"The overview of the {amount} by category"),
            ):
                rules = (Used(f"whole.{form}", (("x", f"{amount}_of"),)),)
                name = f"{amount}_{form}"
                self.functions.append(Function(path, name, "rows", words, rules))

    def _start(self, amount: str, below: str) -> Used:
        if below:
            return Used("calls.rows", (("x", below),))
        return Used("calls.method", (("x", f"total_{amount}"),))

    # ------------------------------------------------------------------ rules

    def _rules(self) -> tuple[Used, ...]:
        measures = (*self.fields, *self.measures, *self.measures)
        later = [
            self._later(measures) if self.rng.random() < 0.6 else self._value()
            for _ in range(self.plan.rules)
        ]
        return (self._first(measures), *_different(later))

    def _first(self, measures: Sequence[str]) -> Used:
        return self._used("first", self.rng.choice([*FIRST]), measures)

    def _later(self, measures: Sequence[str]) -> Used:
        return self._used("item", self.rng.choice([*ITEM]), measures)

    def _value(self, about: str = "part") -> Used:
        used = self._used("value", self.rng.choice([*VALUE]), ())
        name = used.rule.removeprefix("value.")
        if name not in BOUNDS:
            return used
        bound = str(self.rng.randint(*BOUNDS[name][about]))
        return used._replace(slots=tuple((s, bound if s == "m" else v) for s, v in used.slots))

    def _values(self, number: int) -> tuple[Used, ...]:
        return tuple(_different([self._value("rows") for _ in range(number)]))

    def _many(self) -> Used:
        slots = (("i", self.items), ("n", str(self.rng.randint(2, 5))), self._slot("p"))
        return Used("calls.many", slots)

    def _used(self, group: str, name: str, measures: Sequence[str]) -> Used:
        rule = RULES[f"{group}.{name}"]
        slots = sorted({*re.findall(r"\{([a-z])\}", rule.sentence)})
        values = dict(self._slot(slot) for slot in slots if slot not in "fg")
        if "f" in slots:
            names = self.rng.sample(sorted({*measures}), 2)
            values |= {slot: names[slot == "g"] for slot in slots if slot in "fg"}
        if "u" in slots:
            values["u"] = str(int(values["t"]) + self.rng.randint(3, 20))
        return Used(f"{group}.{name}", tuple(sorted(values.items())))

    def _slot(self, slot: str) -> tuple[str, str]:
        """A number for a slot."""
        low, high = {"t": (4, 25), "p": (5, 40), "s": (3, 10), "m": (20, 120)}.get(slot, (2, 12))
        return slot, str(self.rng.randint(low, high))

    def _like(self, rules: tuple[Used, ...]) -> tuple[Used, ...]:
        """Rules that are nearly the same: of one or two, some numbers differ."""
        chosen = self.rng.sample(range(len(rules)), min(len(rules), self.rng.randint(1, 2)))
        return tuple(
            self._renumbered(rule) if n in chosen else rule for n, rule in enumerate(rules)
        )

    def _renumbered(self, used: Used) -> Used:
        numbers = dict(self._slot(slot) for slot, value in used.slots if value.isdigit())
        if "u" in numbers:
            numbers["u"] = str(int(numbers["t"]) + self.rng.randint(3, 20))
        slots = tuple((slot, numbers.get(slot, value)) for slot, value in used.slots)
        return Used(used.rule, slots)


def _different(rules: Sequence[Used]) -> list[Used]:
    """The rules without those of a kind that is there already."""
    return [*{rule.rule: rule for rule in rules}.values()]


def random_project(rng: Random, plan: Plan) -> Project:
    """A project as large as the plan."""
    return Drawing(rng, plan).project()
