"""Turns a second of the PuzzleScript engine on a level of 10 by 10 cells with ten rules.

    python -m benchmarks.puzzlescript [--seconds S]

The player moves at random in a level with crates, boulders that fall, switches, doors and ice; most
rules are expanded to four directions. The level starts over after every 200 turns.
"""

from argparse import ArgumentParser
from random import Random
from time import perf_counter

from palaestra.generators.games.puzzles.puzzlescript.compiler import Start, compile_game
from palaestra.generators.games.puzzles.puzzlescript.engine import Play

GAME = """title Ten rules
noaction

OBJECTS
Background .
black

Target o
yellow

Ice i
lightblue

Switch s
green

Spark x
red

Wall #
brown

Door d
orange

OpenDoor e
gray

Boulder b
gray

Crate *
red

Glass g
blue

Player p
pink

LEGEND
Pushable = Crate or Boulder or Glass
Solid = Wall or Door or Pushable

SOUNDS
COLLISIONLAYERS
Background
Target, Ice, Switch
Spark
OpenDoor
Player, Wall, Door, Crate, Boulder, Glass

RULES
[ > Player | Pushable ] -> [ > Player | > Pushable ]
[ > Crate | Crate ] -> [ > Crate | > Crate ]
[ > Glass | Wall ] -> [ | Wall ]
[ > Boulder | Solid ] -> [ Boulder | Solid ]
[ > Player | Door ] [ Crate Switch ] -> [ > Player | OpenDoor ] [ Crate Switch ]
[ > Player Ice | no Solid ] -> [ > Player Ice | ]
late [ Crate Target ] -> [ Crate Target Spark ]
late [ Spark no Crate ] -> [ ]
late [ Player OpenDoor ] -> [ Player ]
late [ Glass Switch ] -> [ Switch ]

WINCONDITIONS
all Target on Crate

LEVELS
##########
#...o...s#
#.*..i.b.#
#..gii...#
#.b.p..*.#
#.*..d...#
#..s..*..#
#..i...go#
#.o..b...#
##########
"""


def main() -> None:
    """Print the rate."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=3)
    seconds = parser.parse_args().seconds
    game = compile_game(GAME)
    start = game.levels[0]
    assert isinstance(start, Start)
    play, rng = Play(game, start), Random(0)
    moves = [rng.choice(["up", "down", "left", "right"]) for _ in range(200)]
    turns, begin = 0, perf_counter()
    while perf_counter() - begin < seconds:
        state = play.first()
        for move in moves:
            state = play.after(state, move)
        turns += len(moves)
    rules = sum(len(g.rules) for g in (*game.early.groups, *game.late.groups))
    rate = turns / (perf_counter() - begin)
    print(
        f"{rate:,.0f} turns a second, {len(game.source.rules)} rules as written, {rules} expanded"
    )


if __name__ == "__main__":
    main()
