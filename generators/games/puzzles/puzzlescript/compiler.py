"""Compiles a PuzzleScript file to masks.

A state of a level is an array of integers, one for each object: bit ``x * height + y`` states
whether the object is in column ``x`` and row ``y``. Movements are five such integers for each
layer. A pattern is matched in all cells at once, by shifting and combining these masks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from palaestra.generators.games.puzzles.puzzlescript.diagnostics import Diagnostic, Log, Position
from palaestra.generators.games.puzzles.puzzlescript.expansion import expand
from palaestra.generators.games.puzzles.puzzlescript.names import NOWHERE, Names, names_of
from palaestra.generators.games.puzzles.puzzlescript.parser import Level, Source, parse
from palaestra.generators.games.puzzles.puzzlescript.rule_lines import (
    ELLIPSIS,
    Cell,
    Row,
    Rule,
    read_rules,
)

CELLS = 10_000
"""How many cells a level may have."""

RIGID_GROUPS = 30

WAYS = ("up", "down", "left", "right", "action")
_BITS = {way: (number,) for number, way in enumerate(WAYS)} | {"randomdir": (0, 2)}


class Replacement(NamedTuple):
    """What happens to a cell: indices into the array of masks."""

    clear: tuple[int, ...]
    put: tuple[int, ...]
    random_objects: tuple[int, ...]
    random_layers: tuple[int, ...]
    movement_layers: int
    """Five bits for each layer whose movement is set, for rigid rules."""


class Pattern(NamedTuple):
    """What a cell has to have: indices into the array of masks."""

    present: tuple[int, ...]
    absent: tuple[int, ...]
    any_of: tuple[tuple[int, ...], ...]
    replacement: Replacement | None


class Cells(NamedTuple):
    """The cells of a pattern between ellipses, the first of them after ``offset`` cells."""

    offset: int
    patterns: tuple[Pattern, ...]


class Matcher(NamedTuple):
    """A row of cells; it has one more part than it has ellipses."""

    parts: tuple[Cells, ...]
    length: int


class Compiled(NamedTuple):
    """A rule."""

    direction: str
    rows: tuple[Matcher, ...]
    replaces: bool
    commands: tuple[tuple[str, str], ...]
    first: int
    """The index of a mask that is not empty where the rule applies."""
    rigid: int
    """The number of the rigid group, counted from 1; 0 if the rule is not rigid."""


class Group(NamedTuple):
    """Rules that are applied until nothing changes."""

    rules: tuple[Compiled, ...]
    random: bool
    rigid: int


class Phase(NamedTuple):
    """Groups, and where to go back to after the last group of a loop."""

    groups: tuple[Group, ...]
    loops: dict[int, int]


Quantifier = Literal["all", "some", "no"]


class Objects(NamedTuple):
    """Objects of which a cell has any, or has all; without objects, any cell will do."""

    ids: tuple[int, ...]
    every: bool = False


class Condition(NamedTuple):
    """A win condition."""

    quantifier: Quantifier
    one: Objects
    other: Objects


@dataclass(frozen=True)
class Start:
    """A level as it begins."""

    width: int
    height: int
    masks: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Game:
    """A compiled file."""

    source: Source
    names: Names
    early: Phase
    late: Phase
    conditions: tuple[Condition, ...]
    player: Objects
    levels: tuple[Start | str, ...]
    """Levels, and messages between them."""
    warnings: tuple[Diagnostic, ...]
    glyphs: dict[str, tuple[int, ...]]

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.source.prelude.get("title", "")

    def has(self, option: str) -> bool:
        """Whether the prelude has an option."""
        return option in self.source.prelude

    @cached_property
    def layer_objects(self) -> tuple[tuple[int, ...], ...]:
        """The objects of each layer."""
        numbers = self.names.objects
        return tuple(tuple(numbers[name] for name in layer) for layer in self.names.layers)

    @cached_property
    def layer_of(self) -> tuple[int, ...]:
        """The layer of each object."""
        return tuple(self.names.layer_of[name] for name in self.names.objects)

    @property
    def size(self) -> int:
        """The number of masks: objects, movements, and one that is never empty."""
        return len(self.names.objects) + 5 * len(self.names.layers) + 1

    def level(self, rows: Iterable[str]) -> Start:
        """A level from rows of glyphs. Raises ``GameError`` if they are no level."""
        log = Log()
        start = _start(self.names, self.glyphs, Level(tuple(rows), 1), log)
        log.check()
        return start


@lru_cache(maxsize=64)
def compile_game(text: str, lenient: bool = False) -> Game:
    """The game of a file. If ``lenient``, mistakes that the original plays are warnings.

    Raises ``GameError``, whose ``diagnostics`` name lines and columns, if the text has errors.
    """
    log = Log(lenient)
    source = parse(text, log)
    names = names_of(source, log)
    log.check()
    _check_background(names, log)
    written = read_rules(source.rules, names, log)
    log.check()
    rules = expand(written.rules, names, log)
    log.check()
    compiler = _Compiler(names, log)
    early, late = compiler.phases(rules, written.loops)
    conditions = tuple(_conditions(source, names, log))
    glyphs = _glyphs(names)
    levels = tuple(level.message or _start(names, glyphs, level, log) for level in source.levels)
    log.check()
    return Game(
        source, names, early, late, conditions, _objects(names, "player"), levels, log.warnings(),
        glyphs,
    )  # fmt: skip


def _check_background(names: Names, log: Log) -> None:
    if "background" in names.aggregates:
        log.error(NOWHERE, "'background' cannot be defined with 'and'")
    elif len({names.layer_of[name] for name in names.members("background")}) > 1:
        log.error(NOWHERE, "the objects of 'background' are on one layer")


def _objects(names: Names, name: str) -> Objects:
    ids = tuple(names.objects[member] for member in names.members(name))
    return Objects(ids, name in names.aggregates)


def _conditions(source: Source, names: Names, log: Log) -> Iterable[Condition]:
    for line in source.conditions:
        words = [token.text for token in line]
        if words[0] == "any":
            words[0] = "some"
        if words[0] not in {"all", "some", "no"} or len(words) not in {2, 4}:
            log.error(
                line[0].position, "a win condition has the form 'some A', 'no A' or 'all A on B'"
            )
            continue
        if len(words) == 4 and words[2] != "on":
            log.error(line[2].position, "the third word of a win condition is 'on'")
            continue
        unknown = [token for token in line[1::2] if not names.defined(token.text)]
        for token in unknown:
            log.error(token.position, f"{token.text[:40]!r} is not defined")
        if not unknown:
            other = _objects(names, words[3]) if len(words) == 4 else Objects(())
            quantifier: Quantifier = (
                "all" if words[0] == "all" else "no" if words[0] == "no" else "some"
            )
            yield Condition(quantifier, _objects(names, words[1]), other)


# Levels


def _glyphs(names: Names) -> dict[str, tuple[int, ...]]:
    """The objects of each sign of a level."""
    every = [*names.objects, *names.synonyms, *names.aggregates]
    return {
        name: tuple(names.objects[member] for member in names.members(name))
        for name in every
        if len(name) == 1
    }


def _start(names: Names, glyphs: dict[str, tuple[int, ...]], level: Level, log: Log) -> Start:
    rows, width = level.rows, len(level.rows[0])
    masks = [0] * len(names.objects)
    if width * len(rows) > CELLS:
        log.error(Position(level.line, 1), f"a level has at most {CELLS} cells")
        return Start(width, len(rows), tuple(masks))
    for y, row in enumerate(rows):
        if len(row) != width:
            log.warn(Position(level.line + y, 1), "the rows of a level are equally long")
        for x in range(width):
            sign = row[min(x, len(row) - 1)]
            objects = glyphs.get(sign)
            if objects is None:
                reason = "is defined with 'or'" if sign in names.properties else "is not defined"
                log.error(Position(level.line + y, x + 1), f"the sign {sign!r} {reason}")
            for number in objects or ():
                masks[number] |= 1 << (x * len(rows) + y)
    _fill_background(names, masks, width * len(rows))
    return Start(width, len(rows), tuple(masks))


def _fill_background(names: Names, masks: list[int], cells: int) -> None:
    """Put the background into cells without one: that of the first cell with one, if any."""
    default = names.members("background")[0]
    layer = [names.objects[name] for name in names.layers[names.layer_of[default]]]
    covered = 0
    for number in layer:
        covered |= masks[number]
    first = covered & -covered
    chosen = next((number for number in layer if masks[number] & first), names.objects[default])
    masks[chosen] |= ((1 << cells) - 1) & ~covered


# Rules


class _Compiler:
    """Compiles rules to masks."""

    def __init__(self, names: Names, log: Log) -> None:
        self.names, self.log = names, log
        self.count = len(names.objects)

    def phases(self, rules: list[Rule], loops: list[tuple[Position, bool]]) -> tuple[Phase, Phase]:
        """The rules before and after movements."""
        self._check_loops(loops)
        lines = [position.line for position, _ in loops]
        return self._phase(rules, lines, False), self._phase(rules, lines, True)

    def _check_loops(self, loops: list[tuple[Position, bool]]) -> None:
        for number, (position, starts) in enumerate(loops):
            if starts == bool(number % 2):
                self.log.error(position, "'startloop' and 'endloop' alternate")
        if len(loops) % 2:
            self.log.error(loops[-1][0], "a loop has no end")
            loops.pop()

    def _phase(self, rules: list[Rule], lines: list[int], late: bool) -> Phase:
        members = dict[int, list[Rule]]()
        for rule in rules:
            if rule.late == late:
                members.setdefault(rule.group, []).append(rule)
        groups, spans, rigid = list[Group](), list[tuple[int, int]](), 0
        for number in sorted(members):
            own = [rule for rule in members[number] if self._possible(rule)]
            if not own:
                self.log.mistake(members[number][0].position, "this rule can never apply")
                continue
            is_rigid = any(rule.rigid for rule in own)
            rigid += is_rigid
            if rigid > RIGID_GROUPS:
                self.log.error(own[0].position, f"there are more than {RIGID_GROUPS} rigid groups")
            compiled = tuple(self._rule(rule, rigid if rule.rigid else 0) for rule in own)
            groups.append(Group(compiled, own[0].random, rigid if is_rigid else 0))
            spans.append((own[0].position.line, own[-1].position.line))
        return Phase(tuple(groups), self._loops(spans, lines))

    def _loops(self, spans: list[tuple[int, int]], lines: list[int]) -> dict[int, int]:
        """The group after which each loop goes back, and where to."""
        points = dict[int, int]()
        for start, end in zip(lines[::2], lines[1::2]):
            inside = [n for n, (first, _) in enumerate(spans) if start <= first <= end]
            if any(first <= line <= last for first, last in spans for line in (start, end)):
                self.log.mistake(
                    Position(start, 1), "a loop begins or ends within a group of rules"
                )
            if inside:
                points[inside[-1]] = inside[0]
        return points

    def _possible(self, rule: Rule) -> bool:
        """Whether a rule can match: no two objects of a layer in a cell, and not ``X no X``."""
        for row in rule.before:
            for cell in row:
                if cell == ELLIPSIS:
                    continue
                wanted = [name for word, name in cell if word not in {"no", "random"}]
                layers = [self._layer(name) for name in wanted]
                denied = {name for word, name in cell if word == "no"}
                if len({*layers}) < len(layers) or denied & {*wanted}:
                    return False
        return True

    def _layer(self, name: str) -> int:
        if name in self.names.properties:
            layer = self.names.single_layer(name)
            return -1 if layer is None else layer
        return self.names.layer_of[name]

    def _rule(self, rule: Rule, rigid: int) -> Compiled:
        rows = tuple(
            self._row(row, rule.after[n] if rule.after else None, rule)
            for n, row in enumerate(rule.before)
        )
        patterns = (each for row in rows for part in row.parts for each in part.patterns)
        present = [index for pattern in patterns for index in pattern.present]
        moving = [index for index in present if index >= self.count]
        never_empty = self.count + 5 * len(self.names.layers)
        first = (moving or present or [never_empty])[0]
        return Compiled(rule.direction, rows, bool(rule.after), rule.commands, first, rigid)

    def _row(self, before: Row, after: Row | None, rule: Rule) -> Matcher:
        parts, patterns, offset, seen = list[Cells](), list[Pattern](), 0, 0
        for number, cell in enumerate(before):
            if cell == ELLIPSIS:
                parts.append(Cells(offset, tuple(patterns)))
                patterns, offset = [], seen
            else:
                seen += 1
                patterns.append(self._pattern(cell, after[number] if after else None, rule))
        parts.append(Cells(offset, tuple(patterns)))
        return Matcher(tuple(parts), seen)

    def _ids(self, name: str) -> tuple[int, ...]:
        return tuple(self.names.objects[member] for member in self.names.members(name))

    def _ways(self, layer: int, bits: Iterable[int]) -> list[int]:
        return [self.count + 5 * layer + bit for bit in bits]

    def _pattern(self, cell: Cell, after: Cell | None, rule: Rule) -> Pattern:
        present, absent = list[int](), list[int]()
        moves, any_of = list[int](), list[tuple[int, ...]]()
        for word, name in cell:
            if word == "random":
                self.log.error(rule.position, "'random' stands after the arrow alone")
            elif word == "no":
                absent += self._ids(name)
            else:
                layer = self._layer(name)
                if name in self.names.properties:
                    any_of.append(self._ids(name))
                else:
                    present += self._ids(name)
                if word == "stationary":
                    absent += self._ways(layer, range(5))
                else:
                    moves += self._ways(layer, _BITS.get(word, ()))
        replacement = None
        if after is not None:
            replacement = self._replacement(cell, after, present, moves, rule)
        return Pattern((*moves, *present), tuple(absent), tuple(any_of), replacement)

    def _replacement(
        self, before: Cell, after: Cell, present: list[int], moves: list[int], rule: Rule
    ) -> Replacement | None:
        change = _Change()
        for word, name in after:
            self._change(change, word, name, rule)
        if not {*present} <= change.put:
            change.clear |= {*present}
        put_moves = {index for index in change.put if index >= self.count}
        if not {*moves} <= put_moves:
            change.clear |= {*moves}
        for word, name in before:
            if word == "no":
                continue
            layer = self._layer(name)
            if layer not in change.layers:
                change.clear |= {self.names.objects[each] for each in self.names.layers[layer]}
                change.moving.add(layer)
            if name not in self.names.properties and layer not in change.object_layers:
                change.moving.add(layer)
        mask = sum(0x1F << 5 * layer for layer in change.moving)
        for layer in change.moving:
            change.clear |= {*self._ways(layer, range(5))}
        clear = tuple(sorted(change.clear - change.put))
        result = Replacement(
            clear, tuple(sorted(change.put)), tuple(sorted(change.random)),
            tuple(sorted(change.random_layers)), mask,
        )  # fmt: skip
        return result if any(result) else None

    def _change(self, change: "_Change", word: str, name: str, rule: Rule) -> None:
        if word == "random":
            change.random |= {*self._ids(name)}
        elif word == "no":
            change.clear |= {*self._ids(name)}
        else:
            layer = self._layer(name)
            if layer in change.layers:
                self.log.mistake(
                    rule.position, f"{name[:40]!r} shares its layer with another object"
                )
            change.layers.add(layer)
            if word:
                change.moving.add(layer)
            if name not in self.names.properties:
                change.clear |= {self.names.objects[each] for each in self.names.layers[layer]}
                change.put |= {*self._ids(name)}
                change.object_layers.add(layer)
            if word == "randomdir":
                change.random_layers.add(layer)
            elif word != "stationary":
                change.put |= {*self._ways(layer, _BITS.get(word, ()))}


class _Change:
    """What the right side of a rule does to a cell."""

    def __init__(self) -> None:
        self.clear: set[int] = set()
        self.put: set[int] = set()
        self.random: set[int] = set()
        self.random_layers: set[int] = set()
        self.layers: set[int] = set()
        self.object_layers: set[int] = set()
        self.moving: set[int] = set()
