"""Descriptions of the games in English, and programs that play them."""

from collections.abc import Callable, Sequence

from palaestra.generators.programs.game_policy import rules as game_rules
from palaestra.generators.programs.game_policy.games import Family, Variant
from palaestra.generators.programs.game_policy.rules import Game
from palaestra.syntax import source_of


def program(variant: Variant) -> str:
    """A program that plays the game perfectly."""
    family = getattr(game_rules, variant.family)
    return (
        "State = tuple[int, ...]\nMove = tuple[int, ...]\n\n\n"
        f"{source_of(Game)}\n\n{source_of(family)}\n\n"
        f"GAME = {variant.family}({variant.rules!r}, {variant.lasts!r})\n\n\n"
        "def move(state):\n    return list(GAME.best(tuple(state)))"
    )


def _listed(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def _counted(numbers: Sequence[int], noun: str) -> str:
    """A list of counts with a noun; the last count determines its number."""
    return f"{_listed(numbers)} {noun}{'s' * (numbers[-1] > 1)}"


def as_text(variant: Variant) -> str:
    """The rules of a game, and the formats of positions and moves."""
    end = "wins" if variant.lasts else "loses"
    rules = _DESCRIBED[variant.family](variant)
    if variant.family == "Coins":
        less = "less" if variant.lasts else "more"
        return (
            f"{rules} The game ends when all coins are taken; who has taken coins of {less} value "
            "in all wins (it never comes out equal)."
        )
    return f"{rules} Who cannot move when it is their turn {end}."


def _describe_heaps(variant: Variant) -> str:
    alike = len(set(variant.rules)) == 1
    heaps = (
        "There is one heap of counters."
        if len(variant.top) == 1
        else (f"There are {len(variant.top)} heaps of counters, numbered from 0.")
    )
    may = (
        _counted(variant.rules[0], "counter")
        if alike
        else "; ".join(
            f"{_counted(row, 'counter')} if it is heap {n}" for n, row in enumerate(variant.rules)
        )
    )
    return (
        f"{heaps} A move takes counters from one heap: {may}, as far as it has so many. A position "
        f"is the list of the heaps' sizes, from 0 to {variant.top[0]}; a move is [heap, number]."
    )


def _describe_pairs(variant: Variant) -> str:
    one, two = (_counted(numbers, "counter") for numbers in variant.rules)
    return (
        f"There are {len(variant.top)} heaps of counters, numbered from 0. A move takes either "
        f"{one} from one heap, or {two} from each of two heaps (as many from the one as from the "
        "other), as far as they have so many. A position is the list of the heaps' sizes, from 0 "
        f"to {variant.top[0]}; a move is [heap, number] or, with the smaller heap number first, "
        "[heap, other heap, number]."
    )


_LEFT = {
    0: "nothing",
    1: "one block, on one side of them",
    2: "two blocks, one on each side of them",
}


def _describe_pins(variant: Variant) -> str:
    falls = []
    for number, parts in enumerate(variant.rules, 1):
        pins = "1 pin" if number == 1 else f"{number} pins side by side"
        if len(parts) == len(_LEFT):
            falls.append(f"{pins}, whatever is left of their block")
        elif parts:
            left = " or ".join(_LEFT[part] for part in parts)
            falls.append(f"{pins}, provided that what is left of their block is {left}")
    return (
        "Pins stand in a row, with gaps where pins have fallen; a block is a row of standing pins "
        "side by side, with a gap or an end of the row on either side. A move knocks over one of "
        f"these: {'; '.join(falls)}. A position is a list with 1 for each standing pin and 0 for "
        f"each gap, of at most {variant.top[0]} entries, numbered from 0; a move is [number of the "
        "first pin knocked over, how many pins]."
    )


def _describe_bites(variant: Variant) -> str:
    (most,), *kept = variant.rules
    whole = len(variant.top) * variant.top[0]
    cells = ", ".join(f"row {r} column {c}" for r, c in kept)
    bound = "" if most >= whole else f" A bite takes at most {most} pieces."
    kept_of = "The piece at" if len(kept) == 1 else "The pieces at"
    return (
        "A bar is made of pieces in rows that begin at the left edge; rows count from 0 from the "
        "top, columns from 0 from the left, and no row is longer than the one above it. A move "
        "names a piece that is there, and takes it together with all pieces that are in its row or "
        f"further down and in its column or further to the right.{bound} {kept_of} {cells} may "
        "never be among those taken (where there is such a piece). A position is the list of the "
        f"lengths of the {len(variant.top)} rows, from the top, each at most {variant.top[0]} (0 "
        "is possible); a move is [row, column]."
    )


def _describe_tokens(variant: Variant) -> str:
    steps, (repeated,), closed = variant.rules
    number = len(variant.top) // 2
    ways = "; ".join(f"{r} up and {c} to the left" for r, c in zip(steps[::2], steps[1::2]))
    again = (
        " The same step may be made once or several times in one move, each time onto a cell where "
        "a token may stand."
        if repeated
        else ""
    )
    cells = ", ".join(f"({r}, {c})" for r, c in zip(closed[::2], closed[1::2]))
    shut = (
        f" No token may stand on the cells (row, column) {cells}; a single step goes from its "
        "start to its end at once, over whatever lies between."
        if cells
        else ""
    )
    which = "A token stands" if number == 1 else f"{number} tokens, numbered from 0, stand"
    both = "" if number == 1 else " Several tokens may stand on one cell."
    listed = "[row, column]" if number == 1 else "[row, column, row, column], for token 0 and 1"
    return (
        f"{which} on a board of {variant.top[0]} by {variant.top[0]} cells; rows and columns count "
        f"from 0, from the top left corner. A move takes one token by one of these steps, by rows "
        f"and columns: {ways}. It must stay on the board.{again}{shut}{both} A position is the "
        f"list {listed}; a move is [token, row, column], with the cell that the token goes to"
        f"{', and 0 for the only token' if number == 1 else ''}."
    )


def _describe_total(variant: Variant) -> str:
    numbers, (bound,) = variant.rules
    return (
        f"The players add numbers to a total. A move adds {_listed(numbers)}, but not the number "
        f"that the other player has just added, and the total must not become more than {bound}. "
        "A position is the list [total, number just added], where the latter is 0 if none was; a "
        "move is a list with one number, [number]."
    )


def _describe_coins(variant: Variant) -> str:
    left, right = (_counted(numbers, "coin") for numbers in variant.rules)
    return (
        f"Coins of several values lie in a row. A move takes exactly {left} from the left end "
        f"or exactly {right} from the right end, as far as there are so many. A position is a "
        "list: first by how much the player whose turn it is is ahead of the other in value so far "
        "(below zero if behind), then the values of the coins, from left to right, at most "
        f"{variant.top[0]} of them, each from 1 to {variant.top[1]}; a move is [side, number of "
        "coins], where side 0 is left and 1 is right."
    )


_DESCRIBED: dict[Family, Callable[[Variant], str]] = {
    "Heaps": _describe_heaps,
    "Pairs": _describe_pairs,
    "Pins": _describe_pins,
    "Bites": _describe_bites,
    "Tokens": _describe_tokens,
    "Total": _describe_total,
    "Coins": _describe_coins,
}
