"""Digging for gems below stones that fall, after computer games of the mid-1980s."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.arcade.falling_stones import FallingStones as Rules
from palaestra.generators.games.arcade.falling_stones import Mine, State
from palaestra.generators.games.solo import SoloGame, plan_of
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class FallingStones(SoloGame):
    """Collect all gems in the earth without being crushed by stones that lose their support."""

    tags = {"planning", "perfect-information", "spatial", "simulation"}
    search_budget = 800
    tries: ClassVar[int] = 20
    """How many mines are looked at for one in which stones are in the way enough."""

    class Knobs(SoloGame.Knobs):
        mines: int = ladder(1, 2, 3, 3, 4, 4, low=1, high=6)
        height: int = ladder(4, 4, 4, 5, 5, 5, low=4, high=8)
        width: int = ladder(4, 5, 5, 5, 5, 6, low=4, high=8)
        stones: int = ladder(3, 6, 8, 10, 10, 13, low=0, high=24)
        gems: int = ladder(2, 2, 2, 3, 3, 4, low=1, high=6)
        least_detour: int = ladder(0, 1, 2, 2, 4, 4, low=0, high=12)  # moves that stones cost
        spare: int = ladder(3, 1, 1, 0, 0, 0, low=0, high=20)  # moves beyond a shortest plan

    rows: int
    columns: int
    mines: tuple[Mine, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        mines = tuple(cls._hard_mine(rng, knobs) for _ in range(knobs.mines))
        task = cls(
            position=encoded(State(*mines[0][1:])),
            moves=0,
            rows=knobs.height,
            columns=knobs.width,
            mines=mines,
        )
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    @classmethod
    def _hard_mine(cls, rng: Random, knobs: Knobs) -> Mine:
        """A mine with a plan that is long enough beside the way without stones and earth; else the
        one with the longest detour.
        """
        best, most = cls._mine(rng, knobs), -1.0
        for _ in range(cls.tries):
            mine = cls._mine(rng, knobs)
            rules = Rules(knobs.height, knobs.width, (mine,))
            plan = plan_of(rules, rules.begin(0), cls.search_budget)
            if plan is None:
                continue
            detour = len(plan.moves) - rules.distance(rules.begin(0))
            if detour > most:
                best, most = mine, detour
            if most >= knobs.least_detour:
                break
        return best

    @classmethod
    def _mine(cls, rng: Random, knobs: Knobs) -> Mine:
        size = knobs.height * knobs.width
        cells = rng.sample(range(size), size)
        walls, space = size // 10, size // 8
        stones = max(0, min(knobs.stones, size - walls - space - knobs.gems - 2))
        start, layers = cells.pop(), list[int]()
        for number in (walls, space, stones, knobs.gems, len(cells)):
            layers.append(sum(1 << cell for cell in cells[:number]))
            del cells[:number]
        mine = Mine(layers[0], start, layers[4], layers[2], layers[3])
        rules = Rules(knobs.height, knobs.width, (mine,))
        # Stones fall before the first move, which crushes nobody.
        return mine._replace(stones=rules.settled(rules.begin(0)).stones)

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns, self.mines)

    def plan(self) -> Plan[int] | None:
        """A plan for each mine, one after the other."""
        moves, visited = list[int](), 0
        for mine in self.mines:
            rules = Rules(self.rows, self.columns, (mine,))
            part = plan_of(rules, rules.begin(0), self.search_budget)
            if part is None:
                return None
            moves += part.moves
            visited += part.visited
        return Plan(tuple(moves), visited)

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def move(turn: Turn) -> str:
            state = rules.decode(turn.state.rpartition(" ")[0])
            return rules.name(state, rng.choice(rules.to_the_nearest_gem(state)))

        return {**super().baselines(rng), "to the nearest gem, but not below a stone": move}

    def description(self) -> str:
        one = len(self.mines) == 1
        mines = (
            ""
            if one
            else f" There are {len(self.mines)} mines. After the last gem of one, you are in the "
            "next one, which is not visible before; all moves count together."
        )
        return self.phrase(
            "You are '@' in a mine, seen from the side ('#' is a wall, 'O' a stone, '*' a gem, ':' "
            "earth, '.' empty). In each move, you go one cell up, down, left or right. You can "
            "enter empty cells, earth, which you dig away so that the cell becomes empty, and "
            "gems, which you collect. You can also go left or right into a stone if the cell "
            "behind it is empty: that pushes the stone by one cell. Walls, the edges of the board, "
            "and other stones stop you. After each move, stones fall: a stone that has an empty "
            "cell below it falls straight down until there is a wall, the edge, earth, a gem, "
            "another stone or you below it. A stone that falls and stops on top of you crushes "
            "you, and the game is lost. A stone that already rests on you does no harm as long as "
            "it does not fall: if you then go down, it falls after you, and if you go aside, it "
            "falls past you. Gems and earth never fall. Collect all gems; you have won with the "
            f"last one, unless a stone crushes you in the same move.{mines} The game is "
            "also lost when you have no legal move left. A move is 'up', 'down', 'left' or "
            "'right'; it looks like 'left'.",
            "Collect every gem ('*') of this mine, which is a vertical section: up is up. You are "
            "'@', ':' is earth, '.' an empty cell, 'O' a stone and '#' a wall. You move one cell "
            "at a time in one of the four directions, as if there were no gravity for you. Earth "
            "disappears when you enter it. A gem is yours when you enter its cell. A stone beside "
            "you can be pushed to the left or to the right, by moving towards it, if the next cell "
            "in that direction is empty; stones are never pushed up or down, nor two at once. When "
            "you have moved, all stones without support drop at once: each falls vertically "
            "through empty cells and comes to rest on whatever is below, be it a wall, the bottom, "
            "earth, a gem, another stone, or you. If it has dropped by at least one cell and rests "
            "on you, you are crushed and have lost, even if you have just taken the last gem. A "
            "stone that lies on you without having dropped is harmless, but it drops as soon as "
            "you leave: onto you if you have moved down."
            f"{mines} If no move is possible before you have all gems, the game ends and is lost. "
            "Write 'up', 'down', 'left' or 'right', "
            "for example 'left'.",
        )
