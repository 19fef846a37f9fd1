"""Programs that know the rules of a game, but look ahead by two moves at most."""

from palaestra.generators.programs.game_policy.games import Variant
from palaestra.generators.programs.game_policy.wording import program

_WORTH = {
    "random legal move": "Random(f'{state} {options}').random()",
    "fewest replies": "len(GAME.options(after(option)))",
    "most replies": "-len(GAME.options(after(option)))",
    "smallest numbers left": "sum(after(option))",
    "greatest numbers left": "-sum(after(option))",
    "least exclusive or": "xor(after(option))",
    "win at once, else at random": "(not over(option), Random(f'{option}').random())",
    "no reply that wins at once": (
        "(not over(option), any(over(reply, after(option)) for reply in "
        "GAME.options(after(option))), Random(f'{option}').random())"
    ),
}
"""What a player makes least, as a Python expression, by the name of the player."""

_PLAYER = """from random import Random

{rules}


def move(state):
    state = tuple(state)
    options = GAME.options(state)

    def after(option):
        return GAME.after(state, option)

    def over(option, position=state):
        last = GAME.after(position, option)
        return not GAME.options(last) and not GAME.won(last)

    def xor(numbers):
        total = 0
        for number in numbers:
            total ^= abs(number)
        return total

    return list(min(options, key=lambda option: {worth}))"""


def shallow_policies(variant: Variant) -> dict[str, str]:
    """Programs that choose the move by what is seen at once, by the name of the player."""
    rules = program(variant).partition("\n\n\ndef move")[0]
    return {name: _PLAYER.format(rules=rules, worth=worth) for name, worth in _WORTH.items()}
