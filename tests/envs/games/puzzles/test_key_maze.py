"""Errands in rooms with locked doors, against rules that are written another way."""

import re
from collections import deque
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.puzzles.key_maze import KeyMaze, explored
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.key_maze import (
    COLOURS,
    DOORS,
    SIGNS,
    House,
    Knowledge,
    as_text,
    explorer_move,
    from_text,
    read,
    visible,
)
from palaestra.task import InvalidAnswer
from palaestra.testing.move_formats import direction

WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Building:
    """The whole house in dictionaries by (row, column), and rules of its own."""

    def __init__(self, task):
        width = task.columns * (task.size + 1) + 1
        signs, items, cell, hand = from_text(task.world)
        self.signs = {divmod(n, width): sign for n, sign in enumerate(signs)}
        self.items = {divmod(n, width): (sort, colour) for n, sort, colour in items}
        self.cell, self.hand = divmod(cell, width), hand
        self.task, self.width = task, width
        self.seen = set()
        self.look()

    def in_sight(self, cell):
        """Whether a cell is in sight: no row or column of walls lies strictly between the two."""
        pitch = self.task.size + 1
        for a, b in zip(self.cell, cell):
            between = range(min(a, b) + 1, max(a, b))
            if abs(a - b) > self.task.sight or any(n % pitch == 0 for n in between):
                return False
        return True

    def look(self):
        self.seen |= {cell for cell in self.signs if self.in_sight(cell)}

    def move(self, name):
        """Whether a move is allowed; it is carried out if so."""
        row, column = self.cell
        here = self.items.get(self.cell)
        if name in WAYS:
            target = row + WAYS[name][0], column + WAYS[name][1]
            if self.signs[target] not in "./":
                return False
            self.cell = target
            self.look()
        elif name == "pick up":
            if here is None or here[0] == "box" or self.hand:
                return False
            self.hand = self.items.pop(self.cell)
        elif name == "drop":
            wins = self.hand == ("ball", self.task.ball) and here == ("box", self.task.box)
            if not self.hand or (here and not wins):
                return False
            if wins:
                return "won"
            self.items[self.cell], self.hand = self.hand, ()
        elif name == "open":
            around = [(row + a, column + b) for a, b in WAYS.values()]
            doors = [cell for cell in around if self.signs[cell].isupper()]
            if not doors or self.hand != ("key", DOORS[self.signs[doors[0]]]):
                return False
            self.signs[doors[0]] = "/"
        return True

    def copy(self):
        other = object.__new__(Building)
        other.__dict__ = self.__dict__ | {"signs": dict(self.signs), "items": dict(self.items)}
        other.seen = set(self.seen)
        return other

    def known(self):
        """What the player knows."""
        signs = "".join(sign if cell in self.seen else "?" for cell, sign in self.signs.items())
        things = [(*cell, *thing) for cell, thing in self.items.items() if cell in self.seen]
        items = tuple(sorted((r * self.width + c, sort, colour) for r, c, sort, colour in things))
        row, column = self.cell
        return Knowledge(signs, items, row * self.width + column, tuple(self.hand))


@pytest.mark.parametrize("seed", range(24))
def test_games_go_by_the_rules(seed):
    """The explorer's moves with random ones between them."""
    task = Address.of("games/key_maze", seed, seed % 6).task()
    assert isinstance(task, KeyMaze)
    rng, building, episode = Random(seed), Building(task), Episode(task, BARE)
    for _ in range(120):
        known = from_text(episode.turn.state.rpartition(" ")[0])
        assert known == building.known()
        legal = set(episode.turn.legal_moves)
        names = [*WAYS, "pick up", "drop", "open", "map"]
        assert legal == {name for name in names if building.copy().move(name)}
        move = explorer_move(task.house(), known, task.goal(), task.sight)
        if rng.random() < 0.3:
            move = rng.choice(sorted(legal))
        won = building.move(move) == "won"
        episode.step(move)
        if episode.score is not None:
            assert episode.score.value == won
            break
        assert not won


@pytest.mark.parametrize("level", range(6))
def test_the_explorer_wins_nine_games_of_ten(level):
    """It knows what it has seen only, so that tasks can be solved without knowing the house."""
    knobs = KeyMaze.Knobs.at(level)
    tasks = [KeyMaze.generate(Random(f"explorer {seed}"), knobs) for seed in range(60)]
    assert sum(task.is_valid() for task in tasks) >= 0.9 * len(tasks)


@pytest.mark.parametrize("sight", [1, 2, 5])
def test_every_house_can_be_explored_to_the_end(sight):
    for seed in range(40):
        knobs = KeyMaze.Knobs.at(3, locks=seed % 6, sight=sight, others=seed % 8)
        task = KeyMaze.generate(Random(seed), knobs)
        texts = task.known, task.world
        assert explored(task.house(), task.sight, task.goal(), texts, 3_000)


def test_the_player_does_not_know_what_it_has_not_seen():
    task = Address.of("games/key_maze", 4, 5).task()
    world = from_text(task.world)
    house, episode = task.house(), Episode(task, BARE)
    moves = [*task.solve()][:25]
    for move in moves:
        episode.step(move)
    known = from_text(episode.turn.state.rpartition(" ")[0])
    unseen = [cell for cell, sign in enumerate(known.signs) if sign == "?"]
    assert unseen
    signs = "".join("." if known.signs[n] == "?" else sign for n, sign in enumerate(world.signs))
    seen_items = tuple(item for item in world.items if item[0] not in unseen)
    other = task.model_copy(
        update={"world": as_text(world._replace(signs=signs, items=seen_items))}
    )
    again = Episode(other, BARE, moves)
    assert again.observations == episode.observations
    assert again.rewards == episode.rewards
    assert again.turn.state == episode.turn.state
    assert again.turn.legal_moves == episode.turn.legal_moves
    assert again.turn.scene() == episode.turn.scene()
    in_view = {*visible(house, known.cell, task.sight)}
    rows = [
        line.split()[1:]
        for line in again.turn.observation.splitlines()[3:]
        if line[:3].strip().isdecimal()
    ]
    assert 0 < sum(sign != "?" for row in rows for sign in row) <= len(in_view)


def test_the_map_shows_all_that_was_seen():
    task = Address.of("games/key_maze", 2, 3).task()
    episode = Episode(task, BARE)
    for move in [*[*task.solve()][:20], "map"]:
        episode.step(move)
    known = from_text(episode.turn.state.rpartition(" ")[0])
    house = task.house()
    lines = episode.turn.observation.split("\n\n")[1].splitlines()[1:-1]
    for row, line in enumerate(lines):
        for column, sign in enumerate(line.split()[1:]):
            cell = row * house.width + column
            if cell == known.cell:
                assert sign == "@"
            elif sign in SIGNS.values():
                assert cell in {item[0] for item in known.items}
            else:
                assert sign == known.signs[cell]
    assert f"Moves left: {task.moves - 21}." in episode.turn.observation


def reachable(task, opened=()):
    """The cells that can be reached through doors of these colours, by flooding."""
    width = task.columns * (task.size + 1) + 1
    signs, items, cell, _ = from_text(task.world)
    waiting, cells = deque([cell]), set()
    while waiting:
        here = waiting.popleft()
        passable = signs[here] == "." or DOORS.get(signs[here]) in opened
        if here in cells or not passable:
            continue
        cells.add(here)
        waiting.extend((here - 1, here + 1, here - width, here + width))
    return cells, items, signs


@pytest.mark.parametrize("level", range(6))
def test_houses_are_as_described(level):
    for seed in range(20):
        task = KeyMaze.generate(Random(seed), KeyMaze.Knobs.at(level))
        opened = set()
        while True:
            cells, items, signs = reachable(task, opened)
            keys = {colour for cell, sort, colour in items if sort == "key" and cell in cells}
            if keys <= opened:
                break
            opened |= keys
        assert len([sign for sign in signs if sign.isupper()]) == task.locks == len(opened)
        floor = {n for n, sign in enumerate(signs) if sign == "." or sign.isupper()}
        assert cells == floor, "all rooms can be reached with the keys"
        assert len({item[0] for item in items}) == len(items)
        assert len({item[1:] for item in items}) == len(items)
        assert {("ball", task.ball), ("box", task.box)} <= {item[1:] for item in items}


HOUSE = House(1, 2, 3)
SIGNS_OF_HOUSE = "##########...#...##...R...##...#...##########"


def known_at(row, column, items=(), hand=()):
    return Knowledge(SIGNS_OF_HOUSE, tuple(items), row * 9 + column, hand)


@pytest.mark.parametrize("way", WAYS)
def test_directions_are_read(way):
    for _, text in [("bare", way), ("go", f"go {way}"), ("walk", f"Walk {way}."), *direction(way)]:
        if "**" not in text:
            assert read(HOUSE, known_at(2, 2), text) == way


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("pick up", "pick up"), ("Pick up.", "pick up"), ("pickup", "pick up"),
        ("pick-up", "pick up"), ("pick up the red key", "pick up"), ("take key", "pick up"),
        ("grab it", "pick up"), ("drop", "drop"), ("drop it", "drop"),
        ("Drop the key here", "drop"), ("put down", "drop"), ("open", "open"),
        ("open the door", "open"), ("unlock the red door with the red key", "open"),
        ("map", "map"), ("show the map", "map"),
    ],
)  # fmt: skip
def test_other_moves_are_read(text, move):
    items, hand = [(2 * 9 + 3, "key", "red")], ("key", "red")
    known = known_at(2, 3, (), hand) if move == "open" else known_at(2, 3, items)
    assert read(HOUSE, known, text) == move


@pytest.mark.parametrize(
    "text",
    ["", "sideways", "pick up the blue key", "pick up the ball", "open the green door", "up left",
     "pick", "do not open", "open up", "drop the blue ball", "map left", "up up", "take a step up"],
)  # fmt: skip
def test_nonsense_is_refused(text):
    if text in {"pick", "open up"}:  # short for the move
        assert read(HOUSE, known_at(2, 3), text)
        return
    with pytest.raises(InvalidAnswer):
        read(HOUSE, known_at(2, 3, [(2 * 9 + 3, "key", "red")]), text)


def test_illegal_moves_end_the_game():
    episode = Episode(Address.of("games/key_maze", 1, 1).task(), BARE)
    for _ in range(4):
        assert episode.score is None
        episode.step("drop")
    assert episode.score.value == 0
    assert episode.score.status == "malformed"


def test_a_lost_game_pays_the_credit_back():
    task = Address.of("games/key_maze", 5, 3).task()
    episode = Episode(task, BARE)
    for move in [*task.solve()][:-1]:
        episode.step(move)
    assert sum(episode.rewards) > 0
    while episode.score is None:
        episode.step("map")
    assert sum(episode.rewards) == pytest.approx(0) == episode.score.value
    assert episode.score.reason == "the moves ran out"


def test_both_wordings_name_the_errand():
    task = Address.of("games/key_maze", 1, 2).task()
    for wording in (0, 1):
        text = Episode(task.model_copy(update={"wording": wording}), BARE).turn.observation
        assert re.search(f"{task.ball} ball .*{task.box} box", text)
        assert all(colour in text for colour in COLOURS)
