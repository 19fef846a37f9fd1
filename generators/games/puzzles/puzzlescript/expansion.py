"""Expands rules: one for each direction, each concrete movement and each object of a property that
cannot stay open. The order of the results is that of the original.
"""

from collections import Counter, deque
from collections.abc import Callable

from palaestra.generators.games.puzzles.puzzlescript.diagnostics import Log
from palaestra.generators.games.puzzles.puzzlescript.names import Names
from palaestra.generators.games.puzzles.puzzlescript.rule_lines import (
    AGGREGATES,
    ELLIPSIS,
    Cell,
    Row,
    Rule,
)

BOUND = 4_000
"""How many rules one line may be expanded to."""

TOTAL = 30_000
"""How many rules a file may be expanded to."""

TURNED = {
    "right": ("up", "down", "left", "right", "horizontal_par", "vertical_perp"),
    "up": ("left", "right", "down", "up", "vertical_par", "horizontal_perp"),
    "down": ("right", "left", "up", "down", "vertical_par", "horizontal_perp"),
    "left": ("down", "up", "right", "left", "horizontal_par", "vertical_perp"),
}
"""What ``^ v < > parallel perpendicular`` mean in a rule of each direction."""

Side = tuple[Row, ...]


def expand(rules: list[Rule], names: Names, log: Log) -> list[Rule]:
    """All concrete rules, without duplicates within a group."""
    result = list[Rule]()
    moved = list[Rule]()
    for rule in rules:
        for direction in rule.directions:
            single = _absolute(rule._replace(directions=(direction,)))
            moved += _concrete_movements(_plain(_reversed(single), names, log), log)
            _check(moved, rule, log)
    for rule in moved:
        result += [_spawned_stationary(each, names) for each in _concrete_objects(rule, names, log)]
        _check(result, rule, log)
    return _without_duplicates(result)


def _check(rules: list[Rule], rule: Rule, log: Log) -> None:
    if len(rules) > TOTAL:
        log.error(rule.position, f"the rules expand to more than {TOTAL}")
        log.check()


def _mapped(side: Side, change: Callable[[Cell], Cell]) -> Side:
    return tuple(tuple(change(cell) for cell in row) for row in side)


def _both(rule: Rule, change: Callable[[Cell], Cell]) -> Rule:
    return rule._replace(before=_mapped(rule.before, change), after=_mapped(rule.after, change))


def _absolute(rule: Rule) -> Rule:
    words = ("^", "v", "<", ">", "parallel", "perpendicular")
    meaning = dict(zip(words, TURNED[rule.direction]))
    return _both(rule, lambda cell: tuple((meaning.get(word, word), name) for word, name in cell))


def _reversed(rule: Rule) -> Rule:
    """A rule that looks down or right in place of one that looks up or left."""
    opposite = {"up": "down", "left": "right"}.get(rule.direction)
    if opposite is None or any(ELLIPSIS in row for row in rule.before):
        return rule
    return rule._replace(
        directions=(opposite,),
        before=tuple(row[::-1] for row in rule.before),
        after=tuple(row[::-1] for row in rule.after),
    )


def _plain(rule: Rule, names: Names, log: Log) -> Rule:
    """A rule with objects and properties alone."""

    def change(cell: Cell) -> Cell:
        items, more = list[tuple[str, str]](), list[tuple[str, str]]()
        for word, name in cell:
            parts = names.aggregates.get(name)
            if parts and word == "no":
                log.error(rule.position, f"'no' cannot stand before {name[:40]!r}, which has 'and'")
            first, *others = parts or [names.synonyms.get(name, name)]
            items.append((word, first))
            more += [(word, other) for other in others]
        return (*items, *more)

    return _both(rule, change)


# Movements


def _concrete_movements(rule: Rule, log: Log) -> list[Rule]:
    """Rules in which every movement on the left has one direction.

    The last cell is expanded first: the original expands all cells in all orders and keeps the last
    one of equal rules.
    """
    result = list[Rule]()
    stack: list[tuple[Rule, tuple[tuple[str, str, int, int, str], ...]]] = [(rule, ())]
    while stack:
        current, chosen = stack.pop()
        cell = _last_open_cell(current.before)
        if cell is None:
            result.append(_movements_after(current, chosen))
        else:
            row, column, word, name = cell
            stack += [
                (_moved(current, cell, way), (*chosen, (word, name, row, column, way)))
                for way in reversed(AGGREGATES[word])
            ]
        if len(result) + len(stack) > BOUND:
            log.error(rule.position, f"this rule expands to more than {BOUND} rules")
            return []
    left = [
        word for each in result for row in each.after for cell in row for word, _ in cell
        if word in AGGREGATES
    ]  # fmt: skip
    if left:
        word = left[0].partition("_")[0]
        log.error(rule.position, f"{word!r} after the arrow does not follow from the left side")
        return []
    return result


def _last_open_cell(side: Side) -> tuple[int, int, str, str] | None:
    for row in reversed(range(len(side))):
        for column in reversed(range(len(side[row]))):
            for word, name in side[row][column]:
                if word in AGGREGATES:
                    return row, column, word, name
    return None


def _moved(rule: Rule, cell: tuple[int, int, str, str], way: str) -> Rule:
    row, column, word, name = cell

    def change(items: Cell) -> Cell:
        return tuple((way, item[1]) if item == (word, name) else item for item in items)

    return _at(rule, row, column, change)


def _at(rule: Rule, row: int, column: int, change: Callable[[Cell], Cell]) -> Rule:
    """A rule with one cell changed on both sides."""

    def changed(side: Side) -> Side:
        cells = side[row]
        new = (*cells[:column], change(cells[column]), *cells[column + 1 :])
        return (*side[:row], new, *side[row + 1 :])

    after = changed(rule.after) if rule.after else rule.after
    return rule._replace(before=changed(rule.before), after=after)


def _movements_after(rule: Rule, chosen: tuple[tuple[str, str, int, int, str], ...]) -> Rule:
    """Movements on the right as the left side has them: those of an object that is named once, and
    those of a word that appears once.
    """
    spots = {(word, name, row, column) for word, name, row, column, _ in chosen}
    objects = Counter((word, name) for word, name, _, _ in spots)
    words = Counter(word for word, *_ in chosen)
    of_object = {(word, name): way for word, name, _, _, way in chosen if objects[word, name] == 1}
    of_word = {word: way for word, *_, way in chosen if words[word] == 1}

    def change(cell: Cell) -> Cell:
        return tuple(
            (of_object.get((word, name)) or of_word.get(word) or word, name) for word, name in cell
        )

    return rule._replace(after=_mapped(rule.after, change))


# Properties


def _concrete_objects(rule: Rule, names: Names, log: Log) -> list[Rule]:
    """Rules in which properties are replaced with objects, except for those on a single layer that
    the right side has in the same cells alone.
    """
    rule = _both(rule, lambda cell: _expanded_no(cell, names))
    unclear = _unclear(rule, names)
    queue: deque[tuple[Rule, tuple[tuple[str, str], ...]]] = deque([(rule, ())])
    result = list[Rule]()
    while queue:
        current, chosen = queue.popleft()
        spot = _first_property(current.before, unclear, names)
        if spot is None:
            result.append(_objects_after(current, chosen))
        else:
            row, column, name = spot
            queue += [
                (_at(current, row, column, _named(name, member)), (*chosen, (name, member)))
                for member in names.properties[name]
            ]
        if len(result) + len(queue) > BOUND:
            log.error(rule.position, f"this rule expands to more than {BOUND} rules")
            return []
    for each in result:
        remaining = _properties(each.after, names) & unclear
        if remaining:
            name = min(remaining)
            log.error(
                rule.position, f"{name[:40]!r} after the arrow does not follow from the left side"
            )
            return []
    return result


def _expanded_no(cell: Cell, names: Names) -> Cell:
    """``no flying`` as ``no cat no bat``."""
    return tuple(
        (word, member)
        for word, name in cell
        for member in (names.properties.get(name, [name]) if word == "no" else [name])
    )


def _cell_properties(cell: Cell, names: Names) -> list[str]:
    return [name for word, name in cell if word != "random" and name in names.properties]


def _properties(side: Side, names: Names) -> set[str]:
    return {name for row in side for cell in row for name in _cell_properties(cell, names)}


def _unclear(rule: Rule, names: Names) -> set[str]:
    """Properties on the right that the same cell does not have on the left."""
    return {
        name
        for left, right in zip(rule.before, rule.after)
        for one, other in zip(left, right)
        for name in _cell_properties(other, names)
        if name not in _cell_properties(one, names)
    }


def _first_property(side: Side, unclear: set[str], names: Names) -> tuple[int, int, str] | None:
    for row, cells in enumerate(side):
        for column, cell in enumerate(cells):
            for name in _cell_properties(cell, names):
                if name in unclear or names.single_layer(name) is None:
                    return row, column, name
    return None


def _named(name: str, member: str) -> Callable[[Cell], Cell]:
    return lambda cell: tuple(
        (word, member) if each == name and word != "random" else (word, each) for word, each in cell
    )


def _objects_after(rule: Rule, chosen: tuple[tuple[str, str], ...]) -> Rule:
    """Properties that were replaced once on the left become the same object on the right."""
    count = Counter(name for name, _ in chosen)
    for name, member in chosen:
        if count[name] == 1:
            rule = rule._replace(after=_mapped(rule.after, _named(name, member)))
    return rule


def _spawned_stationary(rule: Rule, names: Names) -> Rule:
    """Objects that appear on a layer that was not mentioned do not inherit its movement."""
    if rule.late:
        return rule

    def change(one: Cell, other: Cell) -> Cell:
        before = {member for _, name in one if name != "..." for member in names.members(name)}
        layers = {names.layer_of[name] for name in before}
        return tuple(
            ("stationary", name)
            if word == ""
            and name not in names.properties
            and name not in before
            and names.layer_of[name] not in layers
            else (word, name)
            for word, name in other
        )

    after = tuple(
        tuple(change(one, other) for one, other in zip(left, right))
        for left, right in zip(rule.before, rule.after)
    )
    return rule._replace(after=after)


def _without_duplicates(rules: list[Rule]) -> list[Rule]:
    """Of equal rules in a row of one group, the last one stays."""
    kept, seen, group = list[Rule](), set[object](), -1
    for rule in reversed(rules):
        if rule.group != group:
            seen, group = set(), rule.group
        single = all(len(row) == 1 for row in rule.before)
        key = rule._replace(directions=() if single else rule.directions)
        if key not in seen:
            kept.append(rule)
        seen.add(key)
    return kept[::-1]
