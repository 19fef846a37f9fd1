"""Rules in two languages: a sentence of documentation and the lines of code that it stands for.

A function of a repository is documented by a subject and one sentence for each of its rules, and
its body is the code of these rules in the same order. The code is in the form that ``ast.unparse``
writes, so that a function that was changed looks like the others.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

Values = Mapping[str, str]
"""What stands in the slots of a sentence, by the name of the slot."""


class Rule(NamedTuple):
    """A sentence and its code, with the same slots.

    The slots ``f`` and ``g`` are measures of an item; in code they stand in capitals for the
    expression of the measure.
    """

    sentence: str
    code: str


FIRST: Mapping[str, Rule] = {
    "times": Rule("It is {a} times the {f}.", "value = {a} * {F}"),
    "plus": Rule("It is {a}, and {b} more for each of the {f}.", "value = {a} + {b} * {F}"),
    "two": Rule(
        "It is {a} up to {t} of the {f}, and {b} above that.",
        "value = {a} if {F} <= {t} else {b}",
    ),
    "begun": Rule(
        "It is {a} for each part of {s} of the {f} that has begun.",
        "value = {a} * parts_begun({F}, {s})",
    ),
    "full": Rule(
        "It is {a} for each full part of {s} of the {f}, and {b} besides.",
        "value = {a} * full_parts({F}, {s}) + {b}",
    ),
    "larger": Rule(
        "It is the larger one of {a} times the {f} and {b} times the {g}.",
        "value = max({a} * {F}, {b} * {G})",
    ),
    "three": Rule(
        "It is {a} below {t} of the {f}, {b} from {t} to {u}, and {c} above {u}.",
        "if {F} < {t}:\n    value = {a}\nelif {F} <= {u}:\n    value = {b}\nelse:\n    value = {c}",
    ),
    "both": Rule(
        "It is {a} for each of the {f} and {b} for each of the {g}.",
        "value = {a} * {F} + {b} * {G}",
    ),
}
"""Rules that a function of an item begins with."""

ITEM: Mapping[str, Rule] = {
    "from": Rule("It is {a} more from {t} of the {f} on.", "if {F} >= {t}:\n    value += {a}"),
    "below": Rule(
        "It is {a} less below {t} of the {f}.",
        "if {F} < {t}:\n    value = max(value - {a}, 0)",
    ),
    "beyond": Rule(
        "It is {a} more for each of the {f} beyond {t}.",
        "value += {a} * max({F} - {t}, 0)",
    ),
    "percent": Rule(
        "It is {p} percent more if the {f} is over {t} and the {g} is under {u}.",
        "if {F} > {t} and {G} < {u}:\n    value += share(value, {p})",
    ),
    "within": Rule(
        "It is {a} more if the {f} is from {t} to {u}.",
        "if {t} <= {F} <= {u}:\n    value += {a}",
    ),
    "either": Rule(
        "It is {p} percent less if the {f} is at least {t} or the {g} is at least {u}.",
        "if {F} >= {t} or {G} >= {u}:\n    value -= share(value, {p})",
    ),
}
"""Rules of items that come later."""

VALUE: Mapping[str, Rule] = {
    "least": Rule("It is at least {m}.", "value = max(value, {m})"),
    "most": Rule("It is at most {m}.", "value = min(value, {m})"),
    "up": Rule("It is rounded up to a multiple of {s}.", "value = rounded_up(value, {s})"),
    "down": Rule("It is rounded down to a multiple of {s}.", "value = rounded_down(value, {s})"),
    "near": Rule(
        "It is rounded to the nearest multiple of {s}.", "value = rounded_near(value, {s})"
    ),
    "less": Rule(
        "It is {p} percent less if it is over {m}.",
        "if value > {m}:\n    value -= share(value, {p})",
    ),
    "more": Rule("It is {a} more unless it is 0.", "if value != 0:\n    value += {a}"),
    "levy": Rule("It is {p} percent more.", "value += share_up(value, {p})"),
}
"""Rules that look at the value alone."""

CALLS: Mapping[str, Rule] = {
    "sum": Rule("It starts from `{x}` plus `{y}`.", "value = {x}(item) + {y}(item)"),
    "sum of three": Rule(
        "It starts from `{x}` plus `{y}`, minus `{z}`, and is never below 0.",
        "value = max({x}(item) + {y}(item) - {z}(item), 0)",
    ),
    "rows": Rule("It starts from `{x}` of the same rows.", "value = {x}(rows)"),
    "method": Rule("It starts from `{x}` of a basket of the rows.", "value = Basket(rows).{x}()"),
    "all": Rule(
        "It starts from the sum of `{x}` over all {i}.",
        "value = 0\nfor item in self.items:\n    value += {x}(item)",
    ),
    "many": Rule(
        "It is {p} percent less for {n} {i} or more.",
        "if len(self.items) >= {n}:\n    value -= share(value, {p})",
    ),
}
"""Rules that use functions of the repository."""

WHOLE: Mapping[str, Rule] = {
    "dispatch": Rule(
        "It is that of the category in `{x}`, and 0 for a category that is not there.",
        "chosen = {x}.get(item.category)\nreturn chosen(item) if chosen else 0",
    ),
    "lines": Rule(
        "Each has its name, a colon, a space and its `{x}`, in the order of the rows.",
        "lines = []\nfor item in Basket(rows).items:\n"
        "    lines.append(item.name + ': ' + str({x}(item)))\nreturn lines",
    ),
    "ranking": Rule(
        "The highest `{x}` comes first, and equal ones are in alphabetical order.",
        "items = sorted(Basket(rows).items, key=lambda item: (-{x}(item), item.name))\n"
        "return [item.name for item in items]",
    ),
    "overview": Rule(
        "Each category has its name and the sum of `{x}`, in alphabetical order.",
        "sums = {{}}\nfor item in Basket(rows).items:\n"
        "    sums[item.category] = sums.get(item.category, 0) + {x}(item)\n"
        "return [[name, sums[name]] for name in sorted(sums)]",
    ),
    "rounded up": Rule(
        "It is the least multiple of the step that is not below the value.",
        "return -(-value // step) * step",
    ),
    "rounded down": Rule(
        "It is the greatest multiple of the step that is not above the value.",
        "return value // step * step",
    ),
    "rounded near": Rule(
        "It is the nearest multiple of the step; halves go up.",
        "return (2 * value + step) // (2 * step) * step",
    ),
    "parts begun": Rule(
        "It counts the parts of a size that a value has begun, the last one included.",
        "return (value + size - 1) // size",
    ),
    "full parts": Rule(
        "It counts the parts of a size that a value has filled.", "return value // size"
    ),
    "share": Rule(
        "It is so many percent of the value, rounded down.", "return value * percent // 100"
    ),
    "share up": Rule(
        "It is so many percent of the value, rounded up.", "return -(-value * percent // 100)"
    ),
}
"""Whole bodies of functions."""

RULES: Mapping[str, Rule] = {
    f"{group}.{name}": rule
    for group, rules in (
        ("first", FIRST), ("item", ITEM), ("value", VALUE), ("calls", CALLS), ("whole", WHOLE),
    )
    for name, rule in rules.items()
}  # fmt: skip

_SLOT = re.compile(r"\{(\w)\}")


class Used(NamedTuple):
    """A rule with what stands in its slots."""

    rule: str
    slots: tuple[tuple[str, str], ...] = ()

    def sentence(self) -> str:
        """The rule as it is documented."""
        return RULES[self.rule].sentence.format(**dict(self.slots))

    def code(self, fields: Sequence[str]) -> str:
        """The rule as lines of code; a measure that is no field is a function of the item."""
        slots = dict(self.slots)
        for slot in "fg":
            if slot in slots:
                name = slots[slot]
                slots[slot.upper()] = f"item.{name}" if name in fields else f"{name}(item)"
        return RULES[self.rule].code.format(**slots)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _pattern(rule.sentence)) for name, rule in RULES.items())


def _pattern(sentence: str) -> re.Pattern[str]:
    """The sentences of a rule. Each slot is one word."""
    seen: set[str] = set()
    pattern = ""
    for index, part in enumerate(_SLOT.split(sentence)):
        if index % 2 == 0:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={part})" if part in seen else rf"(?P<{part}>\w+)"
            seen.add(part)
    return re.compile(pattern)


def read_rules(text: str) -> list[Used]:
    """The rules whose sentences stand in a text, in its order."""
    used = [
        (match.start(), Used(name, tuple(sorted(match.groupdict().items()))))
        for name, pattern in _patterns()
        for match in pattern.finditer(text)
    ]
    return [rule for _, rule in sorted(used)]


def body(rules: Sequence[Used], fields: Sequence[str]) -> str:
    """The code of a function with these rules, without indentation."""
    lines = "\n".join(rule.code(fields) for rule in rules)
    return lines if rules[-1].rule.startswith("whole.") else f"{lines}\nreturn value"


def indented(text: str, spaces: int = 4) -> str:
    """A text with its lines moved to the right; empty lines stay empty."""
    return "\n".join(" " * spaces + line if line else line for line in text.split("\n"))


def function(name: str, parameters: str, docstring: str, code: str) -> str:
    """The text of a function."""
    return f'def {name}({parameters}):\n    """{docstring}"""\n{indented(code)}'


def docstring(subject: str, rules: Sequence[Used]) -> str:
    """The docstring of a function whose rules are documented there."""
    sentences = "\n".join(rule.sentence() for rule in rules)
    return f"{subject}.\n\n{indented(sentences)}\n    "
