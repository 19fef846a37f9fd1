"""The constraints of a table in words."""

from collections.abc import Iterator

from palaestra.generators.tools.table_repair.schema import WEEKDAYS, Schema

OPENINGS = (
    "Clean a table of {title} with tools.",
    "A table of {title} has been entered carelessly. Repair it.",
    "These {title} come from several systems, and the table of them is dirty. Bring it in order.",
    "The table of {title} goes to auditors tomorrow: find what is wrong in it and repair it.",
    "Before the {title} can be loaded, all errors in their table have to be repaired.",
)

RULES = (
    (
        "Repair each row by changing as few of its cells as possible so that all constraints hold; "
        "there is exactly one way. A value that is unusual but breaks no constraint is right."
    ),
    (
        "All constraints have to hold in the end. In each row, the repair with the fewest changed "
        "cells is the right one, and no other has as few. Values that only look odd are right."
    ),
    (
        "Of all ways to satisfy the constraints in a row, the right one changes the fewest "
        "cells and is unique. Do not touch what breaks no constraint, however odd it looks."
    ),
)

MERGES = (
    (
        "Rows that have the same {same} once they are repaired are about the same thing: merge the "
        "later one into the earlier one, whose empty cells it fills."
    ),
    (
        "Two rows with equal {same} (after repair) are duplicates. Keep the one that comes first "
        "and merge the other into it so that its empty cells are filled."
    ),
    (
        "If {same} agree in two rows, as repaired, they are one thing. The later row is merged "
        "into the earlier one and fills its empty cells."
    ),
)

LOST = (
    (
        "Where neither a constraint nor a duplicate determines what a cell should be, mark the row "
        "as irreparable and change no cell of it."
    ),
    (
        "Mark a row as irreparable, and leave its cells alone, if it lacks a value that can be "
        "derived neither by the constraints nor from a duplicate."
    ),
    (
        "A row is irreparable if a cell cannot be worked out from the constraints or a duplicate. "
        "Such a row is marked, and otherwise left as it is."
    ),
)


def task_in_words(schema: Schema, wording: int) -> str:
    """The task and the constraints; a wording selects the frames."""
    opening = OPENINGS[wording % 5].format(title=schema.words.title)
    heads = schema.headers
    same = [heads[role] for role in ("party", "date", "item", "quantity") if role in heads]
    last = " and ".join([", ".join(same[:-1]), same[-1]])
    constraints = [f"- {each}" for each in _constraints(schema)]
    shift = wording // 5 % len(constraints)
    rules = [
        RULES[wording % 3],
        MERGES[wording // 3 % 3].format(same=last),
        LOST[wording // 2 % 3],
    ]
    turned = "\n".join(constraints[shift:] + constraints[:shift])
    return f"{opening} The constraints are:\n{turned}\n\n{' '.join(rules)}"


def _constraints(schema: Schema) -> Iterator[str]:
    heads, words = schema.headers, schema.words
    yield (
        f"{heads['key']} is {words.prefix}-, followed by four digits; it goes up by one from row "
        "to row of the table as it is now, duplicates included."
    )
    yield (
        f"{heads['party']}, {heads['name']} and {heads['city']} are those of one line of the "
        f"reference table '{words.parties}'."
    )
    yield (
        f"{heads['state']} is one of {', '.join(words.states)}; any other text is a misspelling of "
        "the one that is most like it."
    )
    yield f"{heads['trace']} may be any text; no other column determines it."
    yield "No cell is empty."
    if "due" in heads:
        yield (
            f"{heads['date']} and {heads['due']} are in the format YYYY-MM-DD; {heads['weekday']} "
            f"is the weekday of {heads['date']}, as {', '.join(WEEKDAYS)}; {heads['due']} is "
            f"{heads['date']} plus the terms in days of the line in '{words.parties}'."
        )
    else:
        yield f"{heads['date']} is in the format YYYY-MM-DD."
    if "net" in heads:
        yield (
            f"{heads['item']}, {heads['price']} and {heads['rate']} are those of one line of the "
            f"reference table '{words.items}'."
        )
        yield (
            f"{heads['net']} = {heads['quantity']} * {heads['price']}; {heads['tax']} = "
            f"{heads['net']} * {heads['rate']} / 100, rounded to cents, half up; {heads['gross']} "
            f"= {heads['net']} + {heads['tax']}."
        )
        yield (
            f"{heads['price']}, {heads['net']}, {heads['tax']} and {heads['gross']} are in the "
            f"format 1234.50, without a currency; {heads['quantity']} and {heads['rate']} are "
            "whole numbers in digits, without a unit."
        )
