"""PuzzleScript: the engine on small games worked by hand, our files, and files of users."""

from contextlib import suppress
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.puzzles.puzzlescript import Puzzlescript, environment, playable
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.puzzlescript.compiler import compile_game
from palaestra.generators.games.puzzles.puzzlescript.diagnostics import GameError
from palaestra.generators.games.puzzles.puzzlescript.engine import Play, RandomStream, Session
from palaestra.generators.games.puzzles.puzzlescript.expansion import expand
from palaestra.generators.games.puzzles.puzzlescript.library import (
    FILES,
    NAMES,
    distances,
    library,
    random_level,
)
from palaestra.task import InvalidAnswer

HEAD = """{prelude}
OBJECTS
Background .
black

Player p
pink

Wall #
brown

Crate *
orange

Stone s
gray

Red r
red

Blue b
blue

Target o
yellow

Mark m
green

LEGEND
Box = Crate or Stone
Thing = Box or Mark
Colour = Red or Blue
x = Crate and Target
q = Player and Target
t = Crate and Mark
{legend}

SOUNDS
sfx0 12345

COLLISIONLAYERS
Background
Target
Mark
Red, Blue
Player, Wall, Crate, Stone

RULES
{rules}

WINCONDITIONS
{win}

LEVELS
{level}
"""


def source(rules, level, win="", prelude="title Test", legend=""):
    return HEAD.format(rules=rules, level=level, win=win, prelude=prelude, legend=legend)


def played(rules, level, moves, seed="0", **options):
    """The rows of the level after some moves, and the session."""
    game = compile_game(source(rules, level, **options))
    play = Play(game, game.levels[0], seed)
    session = Session(play)
    session.put(moves)
    return rows(play, session.state), session


def rows(play, state):
    """The signs of each cell: those of all objects of a cell, the highest layer first."""
    letters = {"player": "p", "wall": "#", "crate": "*", "stone": "s", "red": "r", "blue": "b"}
    letters |= {"target": "o", "mark": "m"}
    names = [*play.game.names.objects]
    height = play.start.height
    return [
        " ".join(
            "".join(
                letters[name]
                for name in reversed(names)
                if name in letters
                and state.masks[play.game.names.objects[name]] >> (x * height + y) & 1
            )
            or "."
            for x in range(play.start.width)
        )
        for y in range(height)
    ]


UP, LEFT, DOWN, RIGHT, ACTION = range(5)
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"


@pytest.mark.parametrize(
    ("rules", "level", "moves", "expected"),
    [
        # pushing one crate, and not two
        (PUSH, "p*..", [RIGHT], ". p * ."),
        (PUSH, "p**.", [RIGHT], "p * * ."),
        (PUSH, "..*p", [LEFT], ". * p ."),
        # a group is applied until nothing changes
        (PUSH + "\n[ > Crate | Crate ] -> [ > Crate | > Crate ]", "p**.", [RIGHT], ". p * *"),
        # without a match, the player moves on its own; the edge and walls stop it
        ("", "p#", [RIGHT], "p #"),
        ("", ".p", [RIGHT], ". p"),
        # directions of rules
        ("left " + PUSH, "p*.", [RIGHT], "p * ."),
        ("horizontal " + PUSH, "p*.", [RIGHT], ". p *"),
        ("vertical " + PUSH, "p*.", [RIGHT], "p * ."),
        ("right [ right Player | Crate ] -> [ Player | right Crate ]", "p*.", [RIGHT], "p . *"),
        # perpendicular, parallel, stationary, moving, action
        ("[ perpendicular Player | Crate ] -> [ perpendicular Player | ]", "p*", [UP], "p ."),
        ("[ perpendicular Player | Crate ] -> [ perpendicular Player | ]", "p*.", [RIGHT], "p * ."),
        ("[ parallel Player | Crate ] -> [ Player | ]", "p*", [RIGHT], "p ."),
        ("[ stationary Crate ] -> [ Stone ]", "p.*", [RIGHT], ". p s"),
        ("[ moving Player ] [ Crate ] -> [ moving Player ] [ moving Crate ]", "p.*.", [RIGHT],
         ". p . *"),
        ("[ action Player ] [ Crate ] -> [ Player ] [ Stone ]", "p*", [ACTION], "p s"),
        ("[ action Player ] [ Crate ] -> [ Player ] [ Stone ]", "p.*", [RIGHT], ". p *"),
        # no
        ("[ > Player | no Crate ] -> [ Player | Mark ]", "p.", [RIGHT], "p m"),
        ("[ > Player | no Thing ] -> [ Player | Mark ]", "ps", [RIGHT], "p s"),
        # properties: kept where they are, or followed to the right side
        ("[ > Player | Box ] -> [ > Player | > Box ]", "ps.", [RIGHT], ". p s"),
        ("right [ Red ] [ Box | ] -> [ ] [ | Box ]", "rs.", [UP], ". . s"),
        # aggregates: all objects of the cell
        ("[ > Player | x ] -> [ Player | ]", "px*", [RIGHT], "p . *"),
        ("[ > Player | x ] -> [ Player | ]", "p*x", [RIGHT], "p * *o"),
        # several rows of cells: every combination
        ("[ Red ] [ Blue ] -> [ Blue ] [ Red ]", "p.", [RIGHT], ". p"),
        ("[ > Player ] [ Crate ] -> [ > Player ] [ > Crate ]", "p.*.*.", [RIGHT], ". p . * . *"),
        # ellipsis
        ("right [ action Player | ... | Crate ] -> [ Player | ... | ]", "p..*", [ACTION],
         "p . . ."),
        ("right [ action Player | ... | Crate ] -> [ Player | ... | Stone ]", "p*.*", [ACTION],
         "p s . *"),
        ("right [ > Player | ... | Crate | ... | Crate ] -> [ Player | ... | Stone | ... | Stone ]",
         "p*.*", [RIGHT], "p s . s"),
        ("left [ action Player | ... | Crate ] -> [ Player | ... | ]", "*..p", [ACTION], ". . . p"),
        # late rules see positions after movements
        ("late [ Player | Crate ] -> [ Player | Stone ]", "p.*", [RIGHT], ". p s"),
        ("[ Player | Crate ] -> [ Player | Stone ]", "p.*", [RIGHT], ". p *"),
        # '+' joins rules to a group, which is repeated as a whole
        ("right [ Mark | no Mark ] -> [ Mark | Red Mark ]\n+ [ Red ] -> [ Blue ]", "pm..", [UP],
         "p m bm bm"),
        # a loop repeats groups
        ("startloop\nright [ Red | no Red ] -> [ Red | Blue ]\n[ Blue ] -> [ Red ]\nendloop",
         "pr..", [UP], "p r r r"),
        ("right [ Red | no Red no Blue ] -> [ Red | Blue ]\n[ Blue ] -> [ Red ]", "pr..", [UP],
         "p r r ."),
        # an object that appears without a movement on a new layer is stationary
        ("[ > Player | Crate ] -> [ > Player | Mark ]", "p*.", [RIGHT], ". pm ."),
        # commands
        ("[ > Player | Crate ] -> cancel", "p*.", [RIGHT], "p * ."),
        ("[ > Player | Crate ] -> [ > Player | > Crate ]\nlate [ Crate Target ] -> restart", "p*o",
         [RIGHT], "p * o"),
        ("late [ Player Target ] -> checkpoint\n[ action Player ] -> restart", "poo.",
         [RIGHT, RIGHT, RIGHT, ACTION], ". o po ."),
        ("right [ Red | no Red ] -> [ | Red ] again", "pr...", [UP], "p . . . r"),
    ],
)  # fmt: skip
def test_turns(rules, level, moves, expected):
    assert played(rules, level, moves)[0] == [expected]


def test_movements_of_a_cell_are_resolved_one_after_the_other():
    """Whoever moves into a cell that is left in the same turn moves in a later pass."""
    rules = "[ > Player ] [ Crate ] -> [ > Player ] [ > Crate ]"
    assert played(rules, "*p.", [RIGHT])[0] == [". * p"]
    assert played(rules, ".p*", [RIGHT])[0] == [". p *"]


@pytest.mark.parametrize(("rigid", "expected"), [("rigid ", "p * s #"), ("", "p * s #")])
def test_what_is_blocked_stays(rigid, expected):
    rules = f"{rigid}[ > Player | Crate | Stone ] -> [ > Player | > Crate | > Stone ]"
    assert played(rules, "p*s#", [RIGHT])[0] == [expected]


def test_a_rigid_rule_that_fails_is_undone_as_a_whole():
    rules = "{}[ > Player ] [ Box ] -> [ > Player ] [ > Box ]"
    level = "p.*.\n..s#"
    assert played(rules.format(""), level, [RIGHT])[0] == [". p . *", ". . s #"]
    assert played(rules.format("rigid "), level, [RIGHT])[0] == [". p * .", ". . s #"]


def test_win_conditions():
    def won(win, level):
        return played("", level, [RIGHT], win=win)[1].state.won

    assert won("all Crate on Target", "p.x")
    assert not won("all Crate on Target", "p.x*")
    assert won("some Player on Target", "po")
    assert not won("some Player on Target", "p.o")
    assert won("no Crate", "p.")
    assert not won("no Crate", "p.*")
    assert won("no Crate on Target", "p.*o")
    assert not won("some Crate\nno Crate", "p.")
    assert not won("", "p.")
    assert won("all Player on q", "po")
    assert played("late [ Player Target ] -> win", "po", [RIGHT])[1].state.won


def test_options_of_the_prelude():
    prelude = "require_player_movement"
    rules = "[ Player ] [ Crate ] -> [ Player ] [ Stone ]"
    assert played(rules, "p#*", [RIGHT], prelude=prelude)[0] == ["p # *"]
    assert played(rules, "p.*", [RIGHT], prelude=prelude)[0] == [". p s"]
    assert played(rules, "p.*", [], prelude="run_rules_on_level_start")[0] == ["p . s"]
    assert played(rules, "p.*", [], prelude="noaction")[0] == ["p . *"]
    assert played("", "p..", [RIGHT, "restart"])[0] == ["p . ."]
    assert played("", "p..", [RIGHT, "restart"], prelude="norestart")[0] == [". p ."]
    assert played("", "p..", [RIGHT, RIGHT, "undo"])[0] == [". p ."]
    assert played("", "p..", [RIGHT, RIGHT, "undo"], prelude="noundo")[0] == [". . p"]
    game = compile_game(source("", "p", prelude="realtime_interval 0.5\nflickscreen 8x5"))
    assert [warning.position.line for warning in game.warnings] == [1, 2]


def test_random_rules_take_one_match():
    rules = "random [ action Player ] [ Crate ] -> [ Player ] [ Stone ]"
    results = {played(rules, "p***", [ACTION], seed=str(seed))[0][0] for seed in range(30)}
    assert results == {"p s * *", "p * s *", "p * * s"}


def test_random_objects_and_directions():
    rules = "[ action Player ] [ Crate ] -> [ action Player ] [ random Colour ]"
    results = {played(rules, "p*", [ACTION], seed=str(seed))[0][0] for seed in range(30)}
    assert results == {"p r", "p b"}
    rules = "[ action Player ] [ Crate ] -> [ action Player ] [ randomdir Crate ]"
    level = "p..\n.*.\n..."
    ends = {tuple(played(rules, level, [ACTION], seed=str(seed))[0]) for seed in range(30)}
    assert len(ends) == 4


def test_random_numbers_are_those_of_the_published_generator():
    """The documentation of the generator states the first value for this seed."""
    stream = RandomStream("Example")
    assert stream[0] * 10 + 40 == pytest.approx(42, abs=1)
    assert stream[1] == pytest.approx(0.7972798995050903)


def test_messages_are_kept():
    session = played("[ > Player | Crate ] -> message Hello (you)!", "p*", [RIGHT])[1]
    assert session.state.message == "Hello (you)!"


def test_endless_rules_stop():
    rules = "[ Red ] -> [ Blue ]\n+ [ Blue ] -> [ Red ]"
    assert played(rules, "pr", [UP])[0]
    assert played("[ Red ] -> [ Blue ] again\n[ Blue ] -> [ Red ] again", "pr", [UP])[0]
    assert played("startloop\n[ Red ] -> [ Blue ]\n[ Blue ] -> [ Red ]\nendloop", "pr", [UP])[0]
    flicker = "[ Red ] -> [ Mark ] again\n[ Blue ] -> [ Red ] again\n[ Mark ] -> [ Blue ] again"
    assert played(flicker, "pr", [UP])[0]


def test_the_sequence_of_a_crate_game():
    """A level of the example that comes with the original, by hand."""
    level = "#######\n#.....#\n#.p*o.#\n#..*..#\n#######"
    moves = [RIGHT, LEFT, DOWN, RIGHT, UP, "undo"]
    assert played(PUSH, level, moves)[0] == [
        "# # # # # # #", "# . . . . . #", "# . . . *o . #", "# . . p * . #", "# # # # # # #",
    ]  # fmt: skip


# Errors


@pytest.mark.parametrize(
    ("rules", "column", "message"),
    [
        ("[ > Player | Grate ] -> [ > Player | > Grate ]", 14, "'grate' is not defined"),
        ("[ > Player | Crate ] [ > Player | > Crate ]", 1, "arrow"),
        ("[ > Player | Crate ] -> [ > Player ]", 1, "same number of cells"),
        ("[ > Player ] [ Crate ] -> [ > Player ]", 1, "same number of brackets"),
        ("> [ Player ] -> [ ]", 1, "relative"),
        ("[ > ] -> [ ]", 5, "needs an object"),
        ("late [ > Player ] -> [ ]", 8, "no movements"),
        ("[ ... | Crate ] -> [ ... | Crate ]", 1, "neither begins nor ends"),
        ("[ Player ] -> [ Box ]", 1, "does not follow"),
        ("[ moving Crate | moving Crate ] -> [ | moving Stone ]", 1, "does not follow"),
        ("[ Player Wall ] -> [ ]", 1, "never apply"),
        ("[ Player ] -> [ Player Wall ]", 1, "shares its layer"),
        ("[ Player ] -> [ Player", 15, "not closed"),
        ("late rigid [ Player ] -> [ ]", 6, "cannot be rigid"),
        ("startloop\n[ Player ] -> [ Mark ]", 1, "no end"),
    ],
)
def test_errors_of_rules_have_positions(rules, column, message):
    text = source(rules, "p")
    line = text.split("\n").index(rules.split("\n", maxsplit=1)[0]) + 1
    with pytest.raises(GameError) as error:
        compile_game(text)
    entry = next(e for e in error.value.diagnostics if message in e.message)
    assert entry.position == (line, column)
    assert f"line {line}, column {column}" in str(error.value)


def test_reading_does_not_stop_at_the_first_error():
    text = source("[ Grate ] -> [ ]\n[ > Player ] -> [\n[ Player -> [ ]", "p")
    with pytest.raises(GameError) as error:
        compile_game(text)
    assert len({entry.position.line for entry in error.value.diagnostics}) >= 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LEGEND", "LEGENDS", "missing"),
        ("Box = Crate or Stone", "Box = Crate or Brick", "'brick' is not defined"),
        ("Box = Crate or Stone", "Box = Crate or x", "is not defined"),
        ("Box = Crate or Stone", "Box = Crate or Stone and Mark", "'and' or 'or'"),
        ("Red, Blue", "Red", "no collision layer"),
        ("title Test", "tittle Test", "no option"),
        ("Player p\npink", "Player p", "no option|no colours|nothing is called|not defined"),
        ("LEVELS\np", "LEVELS\np?", "'?' is not defined"),
        ("LEVELS\np", "LEVELS\np@", "'@' is not defined"),
    ],
)
def test_other_errors(old, new, message):
    with pytest.raises(GameError) as error:
        compile_game(source("", "p").replace(old, new))
    assert any(part in str(error.value) for part in message.split("|"))


def test_comments_are_nested_and_keep_columns():
    text = source("(a (b) c) [ Grate ] -> [ ]", "p")
    with pytest.raises(GameError) as error:
        compile_game(text)
    assert error.value.diagnostics[0].position.column == 13


def chain_of_names(count):
    return "\n".join(f"n{n} = {'Crate' if n == 0 else f'n{n - 1}'} or Stone" for n in range(count))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "x" * 400_000,
        source("", "p", legend=chain_of_names(3_000)),
        source("[ " + "moving Player | " * 30 + "] -> [ " + "| " * 30 + "]", "p"),
        source("[ " + "Thing | " * 30 + "] -> [ " + "| " * 30 + "]", "p"),
        source(
            "\n".join(["[ Thing | Thing | Thing ] [ moving Crate ] -> [ | | ] [ ]"] * 2_000), "p"
        ),
        source("", "\n".join(["p" + "." * 200] * 200)),
    ],
)
def test_hostile_files_are_refused_or_read(text):
    with suppress(GameError):
        compile_game(text)


def test_rules_that_match_everywhere_are_bounded():
    with pytest.raises(GameError, match="ways"):
        played("[ ] [ ] [ ] -> [ ] [ ] [ ]", "\n".join(["p" + "." * 40] * 40), [UP])


def test_expansion_follows_the_order_of_the_original():
    game = compile_game(source("[ > Player | Box ] -> [ > Player | > Box ]", "p"))
    assert [r.direction for r in game.early.groups[0].rules] == ["down", "down", "right", "right"]
    game = compile_game(source("[ Player ] -> [ Mark ]", "p"))
    assert len(game.early.groups[0].rules) == 1
    assert expand([], game.names, None) == []


# Our files


def test_the_names_are_those_of_the_files():
    assert list(NAMES) == sorted(file.stem for file in FILES.glob("*.txt"))
    assert len(NAMES) >= 24


@pytest.mark.parametrize("name", NAMES)
def test_files_compile_without_warnings_and_have_levels(name):
    entry = library(name)
    assert not entry.game.warnings
    assert len(entry.description) > 60
    rng, solvable = Random(name), 0
    for _ in range(60):
        start = random_level(entry, rng, 5, 5)
        solvable += bool(start and distances(Play(entry.game, start), 300))
    assert solvable


@pytest.mark.parametrize("level", range(6))
def test_plans_win_and_are_as_long_as_the_difficulty_says(level):
    for seed in range(6):
        task = Address.of("games/puzzlescript", seed, level).task()
        moves = [*task.solve()]
        episode = Episode(task, BARE, moves)
        assert episode.score.value == 1
        assert int(task.difficulty()) == len(moves) <= task.moves


@pytest.mark.parametrize("name", NAMES)
def test_each_game_can_be_chosen(name):
    task = Puzzlescript.sample(Random(1), Puzzlescript.Knobs.at(1, game=name))
    assert task.game == name
    assert library(name).description in Episode(task, BARE).turn.observation


@pytest.mark.parametrize("text", ["", "sideways", "up up", "up or down", "action?!x", "jump"])
def test_nonsense_is_refused(text):
    task = Puzzlescript.sample(Random(1), Puzzlescript.Knobs.at(1, game="hook"))
    with pytest.raises(InvalidAnswer):
        task.rules().read(task.start(), text)


@pytest.mark.parametrize("text", ["action", "Action.", "x", "**action**", "use action"])
def test_the_action_is_read(text):
    task = Puzzlescript.sample(Random(1), Puzzlescript.Knobs.at(1, game="hook"))
    assert task.rules().read(task.start(), text) == "action"


# Files of users


def test_a_file_of_the_user_is_played(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(source(PUSH, "message Hi\n\np*o.\n\n#p.*o", win="all Target on Crate"))
    task = Puzzlescript.from_file(path, 1)
    assert task.source
    episode = Episode(Puzzlescript.model_validate_json(task.model_dump_json()), BARE)
    assert PUSH in episode.turn.observation
    for move in task.solve():
        episode.step(move)
    assert episode.score.value == 1
    assert len(playable(path.read_text())) == 2
    with pytest.raises(IndexError):
        Puzzlescript.from_file(path, 2)


def test_an_environment_of_a_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(source(PUSH, "p*o.\n\np.*o\n\n#p.*o", win="all Target on Crate"))
    mine = environment(path)
    assert mine.Knobs.levels() == 3
    lengths = [mine.sample(Random(0), mine.Knobs.at(n)).difficulty() for n in range(3)]
    assert [int(length) for length in lengths] == [1, 2, 2]
    path.write_text(path.read_text() + "\n")
    assert environment(path).version != mine.version


def test_a_name_that_is_in_use_keeps_its_first_meaning():
    """The original reports it and goes on, and published games rely on that."""
    game = compile_game(source("", "p", legend="p = Thing"))
    assert ["in use" in warning.message for warning in game.warnings] == [True]
    assert game.glyphs["p"] == (game.names.objects["player"],)


def test_mistakes_that_the_original_plays_can_be_warnings():
    text = source("[ Player Wall ] -> [ Mark ]", "p", prelude="colour_scheme red")
    with pytest.raises(GameError):
        compile_game(text)
    game = compile_game(text, lenient=True)
    assert [warning.position.line > 0 for warning in game.warnings] == [True, True]
    assert not game.early.groups


def test_a_session_goes_on_to_later_levels():
    game = compile_game(source(PUSH, "p*o\n\np..", win="all Target on Crate\nsome Target"))
    session = Session(Play(game, game.levels[0]), game.levels[1:])
    session.put([RIGHT, RIGHT])
    assert rows(session.play, session.state) == [". p ."]


def test_the_picture_has_the_cells_of_the_board() -> None:
    for seed in range(6):
        task = Address.of("games/puzzlescript", seed, 2).task()
        rows = [line.split() for line in task.rules().show(task.start()).splitlines()]
        cells = task.rules().scene(task.start()).cells
        assert [len(row) for row in cells] == [len(row) for row in rows]
        empty = {
            cell for line, row in zip(rows, cells) for text, cell in zip(line, row) if text == "."
        }
        others = {
            cell for line, row in zip(rows, cells) for text, cell in zip(line, row) if text != "."
        }
        assert len(empty) == 1
        assert not empty & others
