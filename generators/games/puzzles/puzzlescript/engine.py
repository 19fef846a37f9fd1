"""Plays PuzzleScript games: turns, and sessions with undo and restart."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import prod
from typing import NamedTuple

from palaestra.generators.games.puzzles.puzzlescript.compiler import (
    Cells,
    Compiled,
    Game,
    Group,
    Matcher,
    Objects,
    Pattern,
    Phase,
    Replacement,
    Start,
)
from palaestra.generators.games.puzzles.puzzlescript.diagnostics import GameError

GROUP_LOOPS = 200
RIGID_LOOPS = 50
AGAIN = 500
"""How often a turn may be followed by another one without a move of the player."""

MATCHES = 200_000
"""How many matches of a rule of several patterns are tried."""

INPUTS = ("up", "left", "down", "right", "action")
"""The moves, in the order in which recorded games number them."""


class State(NamedTuple):
    """A position of a level. It is immutable and hashable."""

    masks: tuple[int, ...]
    checkpoint: tuple[int, ...]
    """What a restart goes back to."""
    draws: int
    """How many random numbers have been used."""
    won: bool
    message: str
    """The message of the last turn."""


class RandomStream:
    """The random numbers of a seed: RC4 with the seed as its key, and 56 bits for each number."""

    def __init__(self, seed: str) -> None:
        key = seed.encode() or b"\0"
        self.box, self.i, self.j = list(range(256)), 0, 0
        self.numbers: list[float] = []
        j = 0
        for i in range(256):
            j = (j + self.box[i] + key[i % len(key)]) % 256
            self.box[i], self.box[j] = self.box[j], self.box[i]

    def _byte(self) -> int:
        box = self.box
        self.i = (self.i + 1) % 256
        self.j = (self.j + box[self.i]) % 256
        box[self.i], box[self.j] = box[self.j], box[self.i]
        return box[(box[self.i] + box[self.j]) % 256]

    def __getitem__(self, number: int) -> float:
        while len(self.numbers) <= number:
            value = 0
            for _ in range(7):
                value = 256 * value + self._byte()
            self.numbers.append(value / (2**56 - 1))
        return self.numbers[number]


@lru_cache(maxsize=256)
def random_stream(seed: str) -> RandomStream:
    """The random numbers of a seed, which are computed once."""
    return RandomStream(seed)


class Geometry:
    """Shifts and valid first cells of patterns in levels of a size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = width * height
        self.full = (1 << self.cells) - 1
        self.step = {"up": -1, "down": 1, "left": -height, "right": height}
        column, rows = (1 << height) - 1, 0
        for x in range(width):
            rows |= 1 << x * height
        self.blocked = (
            rows, rows << (height - 1), column, column << (width - 1) * height,
        )  # fmt: skip
        self.starts: dict[tuple[str, int], int] = {}

    def first_cells(self, direction: str, length: int) -> int:
        """The cells in which a pattern can begin."""
        key = direction, length
        if key not in self.starts:
            mask = 0
            for cell in range(self.cells):
                if self.room(direction, cell) >= length:
                    mask |= 1 << cell
            self.starts[key] = mask
        return self.starts[key]

    def room(self, direction: str, cell: int) -> int:
        """How many cells there are from a cell on in a direction, itself included."""
        x, y = divmod(cell, self.height)
        return {
            "up": y + 1, "down": self.height - y, "left": x + 1, "right": self.width - x,
        }[direction]  # fmt: skip


@lru_cache(maxsize=256)
def geometry(width: int, height: int) -> Geometry:
    """The geometry of a size."""
    return Geometry(width, height)


class Play:
    """A level in play: computes the states that follow on states."""

    def __init__(self, game: Game, start: Start, seed: str = "0") -> None:
        self.game, self.start = game, start
        self.seed = seed
        self.geometry = geometry(start.width, start.height)
        self.objects = len(game.names.objects)
        self.noaction = game.has("noaction")
        self.compiled: dict[int, _Fast | None] = {}

    def first(self) -> State:
        """The first state, after the rules have been run if the prelude says so."""
        state = State(self.start.masks, self.start.masks, 0, False, "")
        if not self.game.has("run_rules_on_level_start"):
            return state
        turn = _Turn(self, state)
        turn.run("", ignore_win=True)
        return self._again(turn)

    def after(self, state: State, move: str) -> State:
        """The state after a move: ``up``, ``down``, ``left``, ``right``, ``action``, or nothing."""
        turn = _Turn(self, state)
        turn.run(move)
        return self._again(turn)

    def restarted(self, state: State) -> State:
        """The state after a restart by the player."""
        if self.game.has("norestart"):
            return state
        turn = _Turn(self, state)
        turn.restart()
        return turn.state()

    def _again(self, turn: "_Turn") -> State:
        for _ in range(AGAIN):
            if not turn.again:
                break
            message = turn.message
            turn.run("")
            turn.message = turn.message or message
        return turn.state()


class _Fast(NamedTuple):
    """A row without ellipses, as shifts of masks; it looks down or right."""

    present: tuple[tuple[int, int], ...]
    absent: tuple[tuple[int, int], ...]
    any_of: tuple[tuple[tuple[int, ...], int], ...]
    starts: int
    back: int
    """How far a match is shifted back to the first cell of a row that looks up or left."""


def _fast(part: Cells, direction: str, shape: Geometry) -> _Fast:
    """Shifts of the cells of a part, and the cells from which it stays within the level."""
    step = shape.step[direction]
    patterns = part.patterns if step > 0 else part.patterns[::-1]
    size, back = abs(step), (len(patterns) - 1) * abs(step) if step < 0 else 0
    forward = "down" if direction in {"up", "down"} else "right"
    return _Fast(
        tuple((index, n * size) for n, p in enumerate(patterns) for index in p.present),
        tuple((index, n * size) for n, p in enumerate(patterns) for index in p.absent),
        tuple((ids, n * size) for n, p in enumerate(patterns) for ids in p.any_of),
        shape.first_cells(forward, len(patterns)),
        back,
    )


Match = tuple[int, ...]
"""A cell of the board for each cell of a pattern."""


class _Turn:
    """A turn: masks that change, and commands that have been queued."""

    def __init__(self, play: Play, state: State) -> None:
        self.play, self.game, self.shape = play, play.game, play.geometry
        self.masks = [*state.masks, *[0] * (play.game.size - play.objects - 1), 1]
        self.checkpoint = state.checkpoint
        self.draws, self.won, self.message = state.draws, state.won, ""
        self.queue: list[str] = []
        self.again = self.restarting = False
        self.rigid_groups: dict[int, int] = {}
        self.rigid_layers: dict[int, int] = {}

    def state(self) -> State:
        """The state as it is."""
        objects = tuple(self.masks[: self.play.objects])
        return State(objects, self.checkpoint, self.draws, self.won, self.message)

    def run(self, move: str, ignore_win: bool = False, trial: bool = False) -> bool:
        """One turn. Returns whether anything changed; a trial leaves the objects as they are."""
        count = self.play.objects
        before = self.masks[:count]
        self.again, self.message = False, ""
        players = self._start_movement(move) if move else 0
        self._apply_all()
        stayed = players and not players & ~self._cells(self.game.player)
        if stayed and self.game.has("require_player_movement"):
            self.masks[:count] = before
            self.queue, self.message = [], ""
            return False
        return self._commands(before, ignore_win, trial)

    def _start_movement(self, move: str) -> int:
        """Moves the players; returns their cells."""
        cells = self._cells(self.game.player)
        bit = ("up", "down", "left", "right", "action").index(move)
        masks, count = self.masks, self.play.objects
        for number in self.game.player.ids:
            masks[count + 5 * self.game.layer_of[number] + bit] |= masks[number] & cells
        return cells

    def _cells(self, objects: Objects) -> int:
        """The cells that have any or all of some objects."""
        masks = self.masks
        cells = self.shape.full
        if objects.every:
            for number in objects.ids:
                cells &= masks[number]
            return cells
        if objects.ids:
            cells = 0
            for number in objects.ids:
                cells |= masks[number]
        return cells

    def _apply_all(self) -> None:
        """Rules, movements and late rules; again without the rigid groups that did not work out."""
        start, self.queue = self.masks[:], []
        banned = set[int]()
        for _ in range(RIGID_LOOPS):
            self._apply_phase(self.game.early, banned)
            if not self._resolve(banned):
                self._apply_phase(self.game.late, frozenset())
                return
            self.masks = start[:]
            self.queue = []

    # Commands

    def _commands(self, before: list[int], ignore_win: bool, trial: bool) -> bool:
        count, queue = self.play.objects, self.queue
        if "cancel" in queue:
            self.masks[:count] = before
            self.queue = []
            return len(queue) > 1
        if "restart" in queue and not trial:
            self.restart()
        changed = self.masks[:count] != before
        if trial and (changed or "win" in queue or "restart" in queue):
            self.masks[:count] = before
            self.queue = []
            return True
        if not ignore_win and not trial and ("win" in queue or self._conditions_met()):
            self.won = True
        if not self.won:
            if "checkpoint" in queue:
                self.checkpoint = tuple(self.masks[:count])
            if "again" in queue and changed:
                message = self.message
                self.again = self.run("", True, True)
                self.message = message
        self.queue = []
        return changed

    def restart(self) -> None:
        """Goes back to the checkpoint."""
        if self.restarting:
            return
        self.restarting = True
        self.masks[: self.play.objects] = self.checkpoint
        if self.game.has("run_rules_on_level_start"):
            self.run("", ignore_win=True)
        self.queue = []
        self.restarting = False

    def _conditions_met(self) -> bool:
        conditions = self.game.conditions
        return bool(conditions) and all(
            met(quantifier, self._cells(one), self._cells(other))
            for quantifier, one, other in conditions
        )

    def _queue_commands(self, rule: Compiled) -> None:
        names = [name for name, _ in rule.commands]
        if "cancel" in self.queue or ("restart" in self.queue and "cancel" not in names):
            return
        if "cancel" in names or "restart" in names:
            self.queue, self.message = [], ""
        for name, text in rule.commands:
            if name not in self.queue:
                self.queue.append(name)
                if name == "message":
                    self.message = text

    # Rules

    def _apply_phase(self, phase: Phase, banned: set[int] | frozenset[int]) -> None:
        groups, loops = phase
        changed, number, count = False, 0, 0
        while number < len(groups):
            if number not in banned and self._apply_group(groups[number]):
                changed = True
            if changed and number in loops and count < GROUP_LOOPS:
                number, changed, count = loops[number], False, count + 1
            elif changed and number in loops:
                return  # the original leaves all rules at this bound
            else:
                number += 1

    def _apply_group(self, group: Group) -> bool:
        rules = group.rules
        if group.random:
            return self._apply_random(group)
        masks = self.masks
        changed, idle = False, -1
        for _ in range(GROUP_LOOPS):
            again = False
            for rule in rules:
                if masks[rule.first] and self._try(rule):
                    again, idle = True, 0
                else:
                    idle += 1
                if idle == len(rules):
                    break
            if not again:
                return changed
            changed = True
        return changed

    def _try(self, rule: Compiled) -> bool:
        """Apply a rule wherever it matches; returns whether anything changed."""
        if len(rule.rows) == 1 and len(rule.rows[0].parts) == 1:
            return self._try_single(rule, rule.rows[0])
        tuples = self._matches(rule)
        if not tuples:
            return False
        changed = False
        if rule.replaces:
            for number, cells in enumerate(tuples):
                if number == 0 or self._still_matches(rule, cells):
                    changed = self._replace(rule, cells) or changed
        if rule.commands:
            self._queue_commands(rule)
        return changed

    def _try_single(self, rule: Compiled, row: Matcher) -> bool:
        cells = self._row_cells(rule, row)
        if not cells:
            return False
        changed = False
        if rule.replaces:
            step, size = self.shape.step[rule.direction], row.length
            for number, cell in enumerate(self._ordered(cells, rule.direction)):
                match = tuple([cell + n * step for n in range(size)]) if size > 1 else (cell,)
                if number == 0 or self._still_matches(rule, match):
                    changed = self._replace(rule, match) or changed
        if rule.commands:
            self._queue_commands(rule)
        return changed

    def _row_cells(self, rule: Compiled, row: Matcher) -> int:
        return self._part_cells(row.parts[0], rule.direction)

    def _part_cells(self, part: Cells, direction: str) -> int:
        """The cells in which a part without ellipses begins, for all cells at once."""
        cache, key = self.play.compiled, id(part)
        fast = cache.get(key)
        if fast is None:
            fast = cache[key] = _fast(part, direction, self.shape)
        masks, cells = self.masks, fast.starts
        for index, shift in fast.present:
            cells &= masks[index] >> shift
            if not cells:
                return 0
        for ids, shift in fast.any_of:
            union = 0
            for index in ids:
                union |= masks[index]
            cells &= union >> shift
        for index, shift in fast.absent:
            cells &= ~(masks[index] >> shift)
        return cells << fast.back

    def _ordered(self, cells: int, direction: str) -> Iterator[int] | list[int]:
        """Cells in the order in which the original tries them: by column or by row."""
        if not cells & (cells - 1):
            return [cells.bit_length() - 1] if cells else []
        if direction in {"up", "down"}:
            return bits(cells)
        height = self.shape.height
        return sorted(bits(cells), key=lambda cell: (cell % height, cell))

    def _matches(self, rule: Compiled) -> list[Match]:
        """All combinations of matches of the rows of a rule; that of the first row varies first."""
        rows = list[list[Match]]()
        for row in rule.rows:
            matches_of_row = [*self._row_matches(rule, row)]
            if not matches_of_row:
                return []
            rows.append(matches_of_row)
        if prod(map(len, rows)) > MATCHES:
            raise GameError(f"a rule matches in more than {MATCHES} ways")
        result: list[Match] = [()]
        for matches in rows:
            result = [(*match, *more) for more in matches for match in result]
        return result

    def _row_matches(self, rule: Compiled, row: Matcher) -> Iterator[Match]:
        step = self.shape.step[rule.direction]
        if len(row.parts) == 1:
            for cell in self._ordered(self._row_cells(rule, row), rule.direction):
                yield tuple(cell + n * step for n in range(row.length))
            return
        parts = [self._part_cells(part, rule.direction) for part in row.parts]
        starts = self.shape.first_cells(rule.direction, row.length) & parts[0]
        for cell in self._ordered(starts, rule.direction):
            limit = self.shape.room(rule.direction, cell) - row.length + 1
            for gaps in _gaps(len(parts) - 1, limit):
                match = _with_gaps(row, cell, gaps, step, parts)
                if match:
                    yield match

    def _still_matches(self, rule: Compiled, cells: Match) -> bool:
        masks, number = self.masks, 0
        for row in rule.rows:
            for part in row.parts:
                for pattern in part.patterns:
                    if not _fits(masks, pattern, 1 << cells[number]):
                        return False
                    number += 1
        return True

    def _replace(self, rule: Compiled, cells: Match) -> bool:
        changed, number = False, 0
        for row in rule.rows:
            for part in row.parts:
                for pattern in part.patterns:
                    new = pattern.replacement
                    if new is not None and self._replace_cell(rule, new, cells[number]):
                        changed = True
                    number += 1
        return changed

    def _replace_cell(self, rule: Compiled, new: Replacement, cell: int) -> bool:
        clear, put = new.clear, new.put
        if new.random_objects or new.random_layers:
            clear, put = self._random_change(new)
        masks, bit, changed = self.masks, 1 << cell, False
        for index in clear:
            mask = masks[index]
            if mask & bit:
                masks[index] = mask ^ bit
                changed = True
        for index in put:
            mask = masks[index]
            if not mask & bit:
                masks[index] = mask | bit
                changed = True
        if rule.rigid and self._mark_rigid(rule.rigid, new.movement_layers, cell):
            changed = True
        return changed

    def _random_change(self, new: Replacement) -> tuple[tuple[int, ...], tuple[int, ...]]:
        clear, put, count = {*new.clear}, {*new.put}, self.play.objects
        if new.random_objects:
            number = new.random_objects[int(self._random() * len(new.random_objects))]
            layer = self.game.layer_of[number]
            clear |= {
                *self.game.layer_objects[layer],
                *range(count + 5 * layer, count + 5 * layer + 5),
            }
            put.add(number)
        for layer in new.random_layers:
            put.add(count + 5 * layer + int(self._random() * 4))
        return tuple(sorted(clear - put)), tuple(sorted(put))

    def _random(self) -> float:
        value = random_stream(self.play.seed)[self.draws]
        self.draws += 1
        return min(value, 1 - 2**-53)

    def _mark_rigid(self, group: int, layers: int, cell: int) -> bool:
        """Note that a rigid rule has moved layers of a cell; returns whether that is new."""
        spread = sum(group << 5 * layer for layer in range(len(self.game.names.layers)))
        mask = spread & layers
        groups, moved = self.rigid_groups.get(cell, 0), self.rigid_layers.get(cell, 0)
        if mask & ~groups and layers & ~moved:
            self.rigid_groups[cell] = groups | mask
            self.rigid_layers[cell] = moved | layers
            return True
        return False

    def _apply_random(self, group: Group) -> bool:
        matches = [
            (rule, match)
            for rule in group.rules
            if self.masks[rule.first]
            for match in self._matches(rule)
        ]
        if not matches:
            return False
        rule, match = matches[int(self._random() * len(matches))]
        changed = self._replace(rule, match)
        self._queue_commands(rule)
        return changed

    # Movements

    def _resolve(self, banned: set[int]) -> bool:
        """Move what moves until nothing can; returns whether a rigid group has to be undone."""
        masks, count = self.masks, self.play.objects
        moving = 0
        for index in range(count, len(masks) - 1):
            moving |= masks[index]
        if not moving:
            self.rigid_groups, self.rigid_layers = {}, {}
            return False
        occupied = [
            self._cells(Objects(layer)) if layer else 0 for layer in self.game.layer_objects
        ]
        moved = True
        while moved:
            moved = False
            for cell in bits(moving):
                if self._move_cell(cell, occupied):
                    moved = True
        undo = bool(self.rigid_layers) and self._failed_rigid(banned)
        for index in range(count, len(masks) - 1):
            masks[index] = 0
        self.rigid_groups, self.rigid_layers = {}, {}
        return undo

    def _move_cell(self, cell: int, occupied: list[int]) -> bool:
        masks, count, bit, moved = self.masks, self.play.objects, 1 << cell, False
        for layer in range(len(occupied)):
            base, ways = count + 5 * layer, 0
            for number in range(5):
                if masks[base + number] & bit:
                    ways |= 1 << number
            if ways and self._move_layer(cell, layer, ways, occupied):
                for number in range(5):
                    masks[base + number] &= ~bit
                moved = True
        return moved

    def _move_layer(self, cell: int, layer: int, ways: int, occupied: list[int]) -> bool:
        """Move the objects of a layer of a cell; returns whether they could."""
        if ways == 16:
            return True
        if ways not in {1, 2, 4, 8}:  # movements that contradict each other
            return not occupied[layer] >> cell & 1
        number, bit = ways.bit_length() - 1, 1 << cell
        if bit & self.shape.blocked[number]:
            return False
        step = (-1, 1, -self.shape.height, self.shape.height)[number]
        target = 1 << (cell + step)
        if occupied[layer] & target:
            return False
        if occupied[layer] & bit:
            masks = self.masks
            for index in self.game.layer_objects[layer]:
                if masks[index] & bit:
                    masks[index] ^= bit | target
            occupied[layer] ^= bit | target
        return True

    def _failed_rigid(self, banned: set[int]) -> bool:
        """Ban the rigid groups whose movements remain; returns whether there are new ones."""
        undo = False
        for cell, layers in sorted(self.rigid_layers.items()):
            for layer in range(len(self.game.names.layers)):
                base = self.play.objects + 5 * layer
                stuck = any(self.masks[base + number] >> cell & 1 for number in range(5))
                if stuck and layers >> 5 * layer & 0x1F:
                    rigid = self.rigid_groups.get(cell, 0) >> 5 * layer & 0x1F
                    numbers = [n for n, g in enumerate(self.game.early.groups) if g.rigid == rigid]
                    if rigid and numbers and numbers[0] not in banned:
                        banned.add(numbers[0])
                        undo = True
                    break
        return undo


def met(quantifier: str, one: int, other: int) -> bool:
    """Whether a win condition holds for the cells of its two names."""
    if quantifier == "all":
        return not one & ~other
    return bool(one & other) == (quantifier == "some")


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask, from the lowest one on.

    >>> [*bits(0b10110)]
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _fits(masks: list[int], pattern: Pattern, bit: int) -> bool:
    for index in pattern.present:
        if not masks[index] & bit:
            return False
    for index in pattern.absent:
        if masks[index] & bit:
            return False
    return all(any(masks[index] & bit for index in ids) for ids in pattern.any_of)


def _gaps(count: int, limit: int) -> Iterator[tuple[int, ...]]:
    """The lengths of one or two ellipses that sum up to less than a limit."""
    for one in range(limit):
        if count == 1:
            yield (one,)
        else:
            yield from ((one, two) for two in range(limit - one))


def _with_gaps(
    row: Matcher, cell: int, gaps: tuple[int, ...], step: int, parts: list[int]
) -> Match:
    """The cells of a row with ellipses; empty if it does not match."""
    match, gap = list[int](), 0
    for number, part in enumerate(row.parts):
        gap += gaps[number - 1] if number else 0
        first = cell + (part.offset + gap) * step
        if not parts[number] >> first & 1:
            return ()
        match += [first + n * step for n in range(len(part.patterns))]
    return tuple(match)


class Session:
    """A level that is played with undo and restart, as recorded games are."""

    def __init__(self, play: Play, later: Iterable[Start] = ()) -> None:
        self.play = play
        self.later = deque(later)
        """Levels that follow when one is won."""
        self.state = play.first()
        self.past: list[State] = []

    def put(self, moves: Iterable[int | str]) -> State:
        """Play moves: numbers of :data:`INPUTS`, ``undo``, ``restart`` and ``tick``."""
        for move in moves:
            if move == "undo":
                self._undo()
            elif move == "restart":
                self._change(self.play.restarted(self.state))
            else:
                name = "" if move == "tick" else INPUTS[int(move)]
                self._change(self.play.after(self.state, name))
        return self.state

    def _change(self, state: State) -> None:
        if state.masks != self.state.masks:
            self.past.append(self.state)
        self.state = state
        if state.won and self.later:
            self.play = Play(self.play.game, self.later.popleft(), self.play.seed)
            self.state, self.past = self.play.first(), []

    def _undo(self) -> None:
        if self.past and not self.play.game.has("noundo"):
            self.state = self.past.pop()._replace(
                draws=self.state.draws, checkpoint=self.state.checkpoint
            )
