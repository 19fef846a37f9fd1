"""Random processes and their totals in words."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from palaestra.generators.probability.random_process_expectation.cases import Case, Process
from palaestra.verifiers.reading.values import joined


def described(case: Case) -> tuple[str, str]:
    """The process with what counts, and the number whose expectation is asked for."""
    return _TEXTS[case.process](case)


COLOURS = ("red", "blue", "green")


def _square(case: Case, what: str) -> str:
    return f"the square of {what}" if case.total == "square" else what


def _records(case: Case) -> tuple[str, str]:
    size = len(case.values)
    which = (
        "A card counts if its number is greater than the numbers of all cards turned over before "
        "it; the first card counts."
        if case.limit == 1
        else f"A card counts if fewer than {case.limit} of the cards turned over before it have a "
        "greater number."
    )
    return (
        (
            f"Cards with the numbers from 1 to {size} are shuffled, so that all orders are equally "
            f"likely, and turned over one after the other. {which} The card that is turned over "
            "first, second and so on brings these points if it counts, and none otherwise: "
            f"{joined(case.values)}."
        ),
        _square(case, "the total of the points"),
    )


def _coins(case: Case) -> tuple[str, str]:
    size = len(case.numbers)
    chances = joined([Fraction(number, case.rounds) for number in case.numbers])
    flips = (
        f"{size} coins are flipped one after the other, independently of one another. Their "
        f"probabilities of heads, in this order, are {chances}."
    )
    if case.total == "runs":
        power = "square" if case.limit == 2 else "third power"
        return (
            (
                f"{flips} A run is one or more consecutive flips that are all heads, with no heads "
                f"directly before or after it. Each run brings the {power} of its length as points."
            ),
            "the total of the points",
        )
    return (
        (
            f"{flips} Wherever two consecutive flips differ, points are won: "
            f"{joined(case.values)}, for flips 1 and 2 first, and for flips {size - 1} and {size} "
            "last."
        ),
        _square(case, "the total of the points"),
    )


def _urn(case: Case) -> tuple[str, str]:
    names = COLOURS[: len(case.numbers)]
    *first, last = (f"{number} {name}" for number, name in zip(case.numbers, names))
    balls = f"{', '.join(first)} and {last}"
    added = "another ball" if case.limit == 1 else f"{case.limit} further balls"
    urn = (
        f"An urn holds {balls} balls. {case.rounds} times in a row, a ball is drawn at random and "
        f"put back together with {added} of its colour."
    )
    match case.total:
        case "matches":
            return (
                (
                    f"{urn} From the second draw on, a draw of the same colour as the draw right "
                    f"before it brings points; for draws 2, 3 and so on: {joined(case.values)}."
                ),
                "the total of the points",
            )
        case "colours":
            return urn, "the number of different colours that are drawn"
        case "pairs":
            return (
                f"{urn} A pair is two of the draws, one after the other or not, in no order.",
                "the number of pairs that have the same colour",
            )
    return urn, "the square of the number of red balls that are drawn"


def _coupons(case: Case) -> tuple[str, str]:
    whole = sum(case.numbers)
    chances = joined([Fraction(weight, whole) for weight in case.numbers])
    types = (
        f"Each packet contains one of {len(case.numbers)} types of stickers, independently of all "
        f"other packets. The probabilities of the types, in order, are {chances}."
    )
    if case.total == "all":
        return (
            f"{types} Packets are opened one after the other until each type is there.",
            "the number of packets that are opened",
        )
    which = (
        "A type brings its points if exactly one of the packets contains it"
        if case.total == "once"
        else "A type brings its points, once, if at least one of the packets contains it"
    )
    return (
        (
            f"{types} {case.rounds} packets are opened. {which}. The points of the types, in the "
            f"same order, are {joined(case.values)}."
        ),
        _square(case, "the total of the points"),
    )


def _tree(case: Case) -> tuple[str, str]:
    size = case.rounds
    if case.limit:
        joins = (
            f"is joined to one of the {case.limit} nodes with the next lower numbers, or to one of "
            "all nodes with lower numbers if there are fewer,"
        )
    else:
        joins = "is joined to one of the nodes with lower numbers,"
    tree = (
        f"A tree grows from node 1. One after the other, each of the nodes 2 to {size} {joins} "
        "which becomes its parent; each of these has the same probability, independently of what "
        "happened before."
    )
    listed = f"The points of nodes 1 to {size}, in order, are {joined(case.values)}."
    if case.total == "children":
        number = case.numbers[0]
        noun = "child" if number == 1 else "children"
        return (
            (
                f"{tree} A node is a child of its parent, and a node that has exactly {number} "
                f"{noun} at the end brings its points. {listed}"
            ),
            "the total of the points",
        )
    if case.total == "leaves":
        return (
            f"{tree} A node that is nobody's parent at the end brings its points. {listed}",
            "the total of the points",
        )
    return (
        (
            f"{tree} Each node brings its points multiplied by the number of edges between it and "
            f"node 1. {listed}"
        ),
        "the total of the points",
    )


def _elimination(case: Case) -> tuple[str, str]:
    parents = joined([f"{n}: {p + 1}" for n, p in enumerate(case.numbers[1:], 2)])
    size = len(case.numbers)
    times = (
        "its points multiplied by the number of nodes that are removed with it, itself included"
        if case.total == "sizes"
        else "its points"
    )
    return (
        (
            f"A tree has nodes 1 to {size}, with node 1 as the root. The parents of the other "
            f"nodes are {parents}, where '4: 2' would mean that the parent of node 4 is node 2. As "
            "long as there are nodes, one of those that are left is chosen, each with the same "
            "probability, and removed together with everything below it. A node that is chosen "
            f"brings {times}; nodes that are removed with it are not chosen. The points of nodes 1 "
            f"to {size}, in order, are {joined(case.values)}."
        ),
        "the total of the points",
    )


def _windows(case: Case) -> tuple[str, str]:
    window = (
        "A window is one or more neighbouring positions, and all windows are equally likely, the "
        "long ones as well as the short ones."
    )
    row = f"Here is a row of numbers: {joined(case.numbers)}. {window}"
    if case.total == "overlap":
        return (
            (
                f"{row} Two windows are chosen, independently of each other; they may be the same. "
                "The total is the sum of the numbers at all positions that are in both windows, "
                "and 0 if there are none."
            ),
            "the total",
        )
    what = {
        "greatest": "the greatest number in the window",
        "spread": "the greatest number in the window minus the least number in it",
        "distinct": "the number of different numbers in the window",
    }[case.total]
    return (
        f"{row} One window is chosen.",
        what,
    )


def _lamps(case: Case) -> tuple[str, str]:
    return (
        (
            f"Lamps with the numbers from 1 to {case.limit} are off. {case.rounds} times in a row, "
            f"one of the numbers {joined(case.numbers)} is chosen, each with the same probability "
            "and independently of earlier choices, and every lamp whose number is a multiple of it "
            "is switched over: on if it is off, and off if it is on."
        ),
        "the sum of the numbers of the lamps that are on at the end"
        if case.total == "sum"
        else "the number of lamps that are on at the end",
    )


def _neighbours(case: Case) -> tuple[str, str]:
    what = {
        "products": "the product of the two numbers",
        "differences": "the difference of the two numbers, the greater minus the less",
        "greater": "the greater of the two numbers, or either of them if they are equal",
    }[case.total]
    return (
        (
            f"Cards with these numbers lie in a row: {joined(case.values)}. They are removed one "
            "by one, each time one of those that are left, with the same probability for each. A "
            "removed card pays for each of its neighbours at that time, which are the next cards "
            f"to its left and to its right that are left, if any: {what}."
        ),
        "the total that is paid until all cards are removed",
    )


def _sample(case: Case) -> tuple[str, str]:
    what = {
        "greatest": "the greatest of the chosen numbers",
        "second": "the second greatest of the chosen numbers",
        "spread": "the greatest of the chosen numbers minus the least of them",
        "gaps": "the sum of the squares of the differences between each chosen number and the next "
        "greater chosen one",
    }[case.total]
    return (
        (
            f"{case.rounds} of the numbers {joined(case.numbers)} are chosen, with the same "
            "probability for every choice; none is chosen twice."
        ),
        what,
    )


_TEXTS: Mapping[Process, Callable[[Case], tuple[str, str]]] = MappingProxyType(
    {
        "records": _records, "coins": _coins, "urn": _urn, "coupons": _coupons, "tree": _tree,
        "elimination": _elimination, "windows": _windows, "lamps": _lamps,
        "neighbours": _neighbours, "sample": _sample,
    }
)  # fmt: skip
