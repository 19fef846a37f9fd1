"""Jugs as flasks of a chemist, or as barrels of a winegrower."""

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.planning.water_jugs import NAMES, WaterJugs

CHEMIST = (
    "A chemist has flasks without marks, and a large bottle of alcohol that never runs dry. This "
    "is how much each flask holds, and whether it is full of alcohol now:\n{lines}\n\nIn one step, "
    "the chemist can fill a flask to the brim from the bottle, empty a flask back into the bottle, "
    "or pour from one flask into another, until the first is empty or the second is full.\n\nHow "
    "can the chemist get exactly {amount} into flask {jug}, in at most {limit} steps? What the "
    "other flasks hold in the end does not matter. Write one step per line, such as 'fill A', "
    "'empty B' or 'pour A into B'."
)
VINEYARD = (
    "A winegrower measures wine with a few barrels that have no marks. The wine comes from a vat, "
    "which has more than enough. The barrels, with what each holds when it is "
    "full:\n{lines}\n\nThese steps are possible: fill a barrel completely from the vat; empty a "
    "barrel completely into the vat; pour from one barrel into another until no more goes in or "
    "none is left.\n\nA customer wants exactly {amount}, which must be in barrel {jug} in the end, "
    "while anything may be in the others. Use at most {limit} steps. Write one step per line, such "
    "as 'fill A', 'empty B' or 'pour A into B'."
)
STORIES = ((CHEMIST, "millilitre"), (VINEYARD, "gallon"))


def prompt(task: WaterJugs, number: int) -> str:
    """The task in a story."""
    text, unit = STORIES[number % len(STORIES)]
    lines = (
        f"{name}: {counted(size, unit)}, {'full' if held else 'empty'} at the start"
        for name, size, held in zip(NAMES, task.sizes, task.start)
    )
    return text.format(
        lines="\n".join(lines),
        jug=NAMES[task.jug],
        amount=counted(task.amount, unit),
        limit=task.move_limit(),
    )
