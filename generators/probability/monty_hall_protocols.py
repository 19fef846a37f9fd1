"""Protocols by which somebody learns about a hidden prize, and what follows from them.

A prize is behind one of several doors, and a contestant has chosen one. In each step of a protocol
something happens whose probability depends on where the prize is: a door is opened, somebody
answers. Doors are numbered from 0.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

Rule = Literal["knowing", "favourite", "blind", "coin", "answer", "name", "offer"]

OPENING: tuple[Rule, ...] = ("knowing", "favourite", "blind", "coin")
"""Rules by which a door is opened that turns out to be empty."""

TALKING: tuple[Rule, ...] = ("answer", "name", "offer")

PROTOCOLS: dict[str, tuple[Rule, ...]] = {
    "uniform": ("knowing",),
    "host": ("knowing", "favourite"),
    "opening": OPENING,
    "all": (*OPENING, *TALKING),
}

Outcome = tuple[str, int]
"""What happens: ``open``, ``prize``, ``yes``, ``no``, ``name`` or ``offer``, with a door."""


class Step(NamedTuple):
    """A rule with up to two chances in percent, the door that a question is about, and the outcome.

    - ``knowing``: one of the closed doors opens that are neither chosen nor hide the prize, each
      with the same probability;
    - ``favourite``: of these, the one with the lowest number opens with probability ``first`` if
      there are several, and otherwise each of the others with the same probability;
    - ``blind``: one of the closed doors opens that are not chosen, each with the same probability;
    - ``coin``: with probability ``first`` as ``knowing``, otherwise as ``blind``;
    - ``answer``: somebody answers whether the prize is behind ``door``, truly with probability
      ``first``;
    - ``name``: somebody names the door of the prize with probability ``first``, and otherwise each
      other closed door with the same probability;
    - ``offer``: something happens with probability ``first`` if the chosen door hides the prize,
      and with probability ``second`` otherwise.
    """

    rule: Rule
    first: int
    second: int
    door: int
    outcome: Outcome


def outcomes(step: Step, prize: int, chosen: int, closed: Sequence[int]) -> dict[Outcome, Fraction]:
    """The probabilities of all outcomes of a step if the prize is behind a door.

    >>> step = Step("knowing", 0, 0, 0, ("", 0))
    >>> outcomes(step, 0, 0, [0, 1, 2])
    {('open', 1): Fraction(1, 2), ('open', 2): Fraction(1, 2)}
    """
    first = Fraction(step.first, 100)
    others = [door for door in closed if door != chosen]
    empty = [door for door in others if door != prize]
    match step.rule:
        case "knowing":
            return {("open", door): Fraction(1, len(empty)) for door in empty}
        case "favourite":
            if len(empty) < 2:
                return {("open", door): Fraction(1) for door in empty}
            rest = (1 - first) / (len(empty) - 1)
            return {("open", door): first if door == empty[0] else rest for door in empty}
        case "blind":
            return {
                ("open" if door != prize else "prize", door): Fraction(1, len(others))
                for door in others
            }
        case "coin":
            result = {
                outcome: (1 - first) * chance
                for outcome, chance in outcomes(
                    step._replace(rule="blind"), prize, chosen, closed
                ).items()
            }
            for outcome in (("open", door) for door in empty):
                result[outcome] += first / len(empty)
            return result
        case "answer":
            true, false = ("yes", "no") if step.door == prize else ("no", "yes")
            return {(true, step.door): first, (false, step.door): 1 - first}
        case "name":
            wrong = [door for door in closed if door != prize]
            named = {("name", door): (1 - first) / len(wrong) for door in wrong}
            return {("name", prize): first, **named}
        case "offer":
            chance = first if prize == chosen else Fraction(step.second, 100)
            return {("offer", chosen): chance, ("none", chosen): 1 - chance}


def left_closed(closed: Sequence[int], outcome: Outcome) -> list[int]:
    """The closed doors after an outcome."""
    return [door for door in closed if outcome != ("open", door)]


def likelihoods(doors: int, chosen: int, steps: Sequence[Step]) -> list[Fraction]:
    """The probability of all that happened, for each door that may hide the prize."""
    result = []
    for prize in range(doors):
        chance, closed = Fraction(1), list(range(doors))
        for step in steps:
            chance *= outcomes(step, prize, chosen, closed).get(step.outcome, Fraction(0))
            if not chance:
                break
            closed = left_closed(closed, step.outcome)
        result.append(chance)
    return result


@lru_cache(maxsize=512)
def posterior(prior: tuple[int, ...], chosen: int, steps: tuple[Step, ...]) -> tuple[Fraction, ...]:
    """The probability of each door after all that happened, which has a positive probability."""
    weights = [w * c for w, c in zip(prior, likelihoods(len(prior), chosen, steps))]
    total = sum(weights, Fraction(0))
    return tuple(weight / total for weight in weights)


def histories(
    prior: Sequence[int], chosen: int, steps: Sequence[Step]
) -> Iterator[tuple[int, tuple[Outcome, ...], Fraction]]:
    """Every course of events: the door of the prize, all outcomes, and the probability.

    A course in which the prize comes to light ends there.
    """
    total = sum(prior)
    stack: list[tuple[int, tuple[Outcome, ...], Fraction, list[int]]] = [
        (prize, (), Fraction(weight, total), list(range(len(prior))))
        for prize, weight in enumerate(prior)
    ]
    while stack:
        prize, seen, chance, closed = stack.pop()
        if len(seen) == len(steps) or (seen and seen[-1][0] == "prize"):
            yield prize, seen, chance
            continue
        for outcome, part in outcomes(steps[len(seen)], prize, chosen, closed).items():
            stack.append((prize, (*seen, outcome), chance * part, left_closed(closed, outcome)))


def random_steps(
    rng: Random, doors: int, chosen: int, number: int, rules: Sequence[Rule]
) -> tuple[Step, ...]:
    """Random steps with outcomes that can happen together, and at least two doors left closed.

    The first step opens a door.
    """
    steps, closed = list[Step](), list(range(doors))
    prize = rng.randrange(doors)
    for n in range(number):
        can_open = len([door for door in closed if door not in {chosen, prize}]) > 1 or not n
        allowed = [
            rule
            for rule in rules
            if (rule in OPENING if not n else can_open or rule not in OPENING)
            and not (rule == "offer" and any(step.rule == "offer" for step in steps))
        ]
        if not allowed:
            break
        rule = rng.choice(allowed)
        first, second = rng.sample(range(10, 95, 5), 2)
        if rule in {"answer", "name"}:
            first = rng.randrange(55, 95, 5)
        step = Step(rule, first, second, rng.choice(closed), ("", 0))
        ways = [
            (outcome, chance)
            for outcome, chance in outcomes(step, prize, chosen, closed).items()
            if outcome[0] not in {"prize", "none"}
        ]
        outcome = rng.choices([way[0] for way in ways], [float(way[1]) for way in ways])[0]
        steps.append(step._replace(outcome=outcome))
        closed = left_closed(closed, outcome)
    return tuple(steps)


# ---------------------------------------------------------------------------------- in words


def rule_text(step: Step, noun: str) -> str:
    """The rule of a step in words."""
    first, second = Fraction(step.first, 100), Fraction(step.second, 100)
    empty = f"a closed {noun} that is not the chosen one and does not hide the prize"
    match step.rule:
        case "knowing":
            return (
                f"The host, who knows where the prize is, opens {empty}; if there are several, "
                "each is equally likely."
            )
        case "favourite":
            return (
                f"The host, who knows where the prize is, opens {empty}. If there are several, it "
                f"is the one with the lowest number with probability {first}, and otherwise each "
                "of the others is equally likely."
            )
        case "blind":
            return (
                "An assistant, who does not know where the prize is, opens a closed "
                f"{noun} other than the chosen one; each of them is equally likely, even the one "
                "that hides the prize."
            )
        case "coin":
            return (
                f"The host tosses a coin that nobody else sees. With probability {first} it shows "
                f"heads, and the host, who knows where the prize is, opens {empty}, each of them "
                f"with the same probability. Otherwise the host opens any closed {noun} other than "
                "the chosen one, each with the same probability, even the one that hides the prize."
            )
        case "answer":
            return (
                f"A witness who knows where the prize is has to answer whether it is in {noun} "
                f"{step.door + 1}. The answer is true with probability {first} and false otherwise."
            )
        case "name":
            return (
                f"A witness who knows where the prize is names one closed {noun}: the one with the "
                f"prize with probability {first}, and otherwise one of the other closed ones, each "
                "with the same probability."
            )
        case "offer":
            return (
                f"A lamp lights up with probability {first} if the chosen {noun} hides the prize, "
                f"and with probability {second} if it does not."
            )


def outcome_text(step: Step, noun: str) -> str:
    """What happens in a step in words."""
    what, door = step.outcome
    return {
        "open": f"{noun.capitalize()} {door + 1} is opened, and the prize is not in it.",
        "yes": "The witness answers yes.",
        "no": "The witness answers no.",
        "name": f"The witness names {noun} {door + 1}.",
        "offer": "The lamp lights up.",
    }[what]
