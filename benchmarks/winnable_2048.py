"""How often 2048 is won without foresight, level by level, by players that see the board only.

python benchmarks/winnable_2048.py                        # 100 games of each level
python benchmarks/winnable_2048.py --games 20 --plies 1 2 3 --levels 5 6

The games are drawn with the knobs of the level before the environment discards any, so that a share
of games won is the chance to win on tiles that nobody selected. The player searches so many own
moves with the mean over the new tiles between them (expectimax); with two it is the one that gives
the solutions of the environment, which therefore discards the share of games that it loses.
"""

import argparse
from random import Random

from palaestra.envs.games.arcade.game_2048 import Game2048
from palaestra.generators.games.arcade.game_2048.boards import best, slides, with_new_tile
from palaestra.generators.games.arcade.game_2048.expectimax import player


def moves_to_win(task: Game2048, plies: int) -> int | None:
    """The moves that the player takes to win, or ``None`` if the game is lost."""
    board = task.board
    for number, luck in enumerate(task.lucks(), 1):
        after = slides(board)
        if not after:
            return None
        board = after[player(len(board)).move(board, plies)]
        if best(board) >= task.target:
            return number
        board = with_new_tile(board, luck)
    return None


def line(level: int, games: int, plies: list[int]) -> str:
    """The shares of games won at a level, as a row of a table."""
    tasks = [
        Game2048.generate(Random(f"{level} {n}"), Game2048.Knobs.at(level)) for n in range(games)
    ]
    size, target = len(tasks[0].board), tasks[0].target
    cells = []
    for number in plies:
        lengths = [moves_to_win(task, number) for task in tasks]
        cells.append(f"{sum(length is not None for length in lengths) / games:.2f}")
    return f"| {level} | {size} by {size} | {target} | {tasks[0].moves} | {' | '.join(cells)} |"


def main() -> None:
    """Print a table with a row for each level and a column for each player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--plies", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--levels", type=int, nargs="+", default=[*range(Game2048.Knobs.levels())])
    options = parser.parse_args()
    plies = " | ".join(f"{number} own moves" for number in options.plies)
    print(f"| level | board | target | moves | {plies} |")
    for level in options.levels:
        print(line(level, options.games, options.plies), flush=True)


if __name__ == "__main__":
    main()
