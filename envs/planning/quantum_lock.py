"""A number lock whose buttons depend on a light that every press switches on.

A search problem over pairs of a number and a light, as Edward F. Moore's breadth-first search
(1959) solves it.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import TONES, PicturedPlan
from palaestra.generators.planning.quantum_lock import (
    BOUND,
    Button,
    State,
    pressed,
    share,
    shortest,
)
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import ladder
from palaestra.verifiers.reading.moves import tokens
from palaestra.verifiers.reading.values import joined

LIGHTS = ("red", "green", "blue")
NAMES = "ABCDEFGH"


class QuantumLock(PicturedPlan):
    """Press as few buttons as possible to reach a number; a light decides what they do."""

    version = 4
    tags = {"planning", "search", "arithmetic"}
    baseline_note = (
        "the number shown is a guide, and few buttons act in each light; more lights and "
        "presses mislead a player who only goes nearer to the target"
    )
    units = "presses"

    class Knobs(PicturedPlan.Knobs):
        buttons: int = ladder(6, 4, 4, 6, 6, 7, low=3, high=7)
        lights: int = ladder(2, 2, 2, 3, 3, 3)
        presses: int = ladder(3, 4, 5, 6, 7, 9)
        largest: int = ladder(9, 9, 12, 20, 20, 30, low=5)  # operand of + and -

    buttons: tuple[Button, ...]
    lights: int
    start: int
    target: int
    presses: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        buttons = list[Button]()
        for n in range(knobs.buttons):
            sign = "*" if n == 0 else rng.choice("+-")
            operand = rng.randint(2, 3) if sign == "*" else rng.randint(1, knobs.largest)
            colour = rng.randrange(knobs.lights) if rng.random() < 0.75 else -1
            buttons.append((sign, operand, colour))
        rng.shuffle(buttons)
        start = rng.randint(0, 20)
        state = start, 0
        for _ in range(knobs.presses):
            state = pressed(state, rng.choice(buttons), knobs.lights)
        return cls(
            buttons=tuple(buttons),
            lights=knobs.lights,
            start=start,
            target=state[0],
            presses=knobs.presses,
        )

    def is_valid(self) -> bool:
        """Whether the light matters, and the target is neither shown at first nor reached sooner or
        by a single button.
        """
        if len({light for _, _, light in self.buttons}) == 1:
            return False
        if self.target == self.start or abs(self.target) > BOUND // 5:
            return False
        if len(set(self.buttons)) < len(self.buttons):
            return False
        plan = self.search()
        if plan is None or len(plan) < self.presses:
            return False
        return not any(self.verify(shortcut).correct for shortcut in self.shortcuts())

    def search(self) -> tuple[int, ...] | None:
        return shortest(self.buttons, self.lights, self.start, self.target, self.presses)

    def move_limit(self) -> int:
        return self.presses

    def canonical(self) -> str:
        return repr((sorted(self.buttons), self.lights, self.start, self.target))

    def prompt(self) -> str:
        lights = LIGHTS[: self.lights]
        names = {"+": "adds", "-": "subtracts", "*": "multiplies the number by"}
        buttons = "\n".join(
            f"{NAMES[n]}: {names[sign]} {operand}, "
            + ("in any light" if light < 0 else f"in {lights[light]} light only")
            for n, (sign, operand, light) in enumerate(self.buttons)
        )
        task = self.phrase(
            f"A lock shows the number {self.start}, and has buttons and a light.",
            f"The number {self.start} is shown on a lock with some buttons and a light.",
        )
        cycle = " to ".join([*lights, lights[0]])
        return (
            f"{task} The light is red to begin with, and each press of any button changes it "
            f"afterwards, from {cycle}. The effect of each button on the "
            f"number:\n{buttons}\n\nPressed in another light, a button leaves the number as it "
            "is, but the press counts, and the light changes all the same.\n\nMake the number "
            f"{self.target} with at most {self.presses} presses, the number being {self.target} "
            "after the last one. Answer with the buttons in order, such as "
            f"'{joined([NAMES[0]] * self.presses)}'."
        )

    def picture(self, state: State) -> Panels:
        number, light = state
        name = LIGHTS[light]
        display = (
            Cell(str(number), corner="number"),
            Cell(name, TONES[name], corner="light"),
            Cell(str(self.target), "muted", corner="wanted"),
        )
        cells = (button_picture(*button) for button in self.buttons)
        names = tuple((name,) for name in NAMES[: len(self.buttons)])
        buttons = Grid((tuple(cells),), top=names)
        cycle = " to ".join([*LIGHTS[: self.lights], LIGHTS[0]])
        return Panels((Grid((display,)), buttons), (f"Light: {cycle}", "Buttons"), columns=1)

    def read(self, answer: str) -> list[int]:
        presses = tokens(answer, NAMES[: len(self.buttons)], "a list of buttons, such as 'A, B, A'")
        return [NAMES.index(name) for name in presses]

    def as_text(self, moves: Sequence[int]) -> str:
        return joined([NAMES[n] for n in moves])

    def initial(self) -> State:
        return self.start, 0

    def after(self, state: State, move: int) -> State:
        return pressed(state, self.buttons[move], self.lights)

    def moves_from(self, state: State) -> Iterable[int]:
        return range(len(self.buttons))

    def distance(self, state: State) -> float:
        return abs(state[0] - self.target)

    def violation(self, state: State) -> str:
        return "" if state[0] == self.target else f"the number is {state[0]} in the end"

    def audit(self, answer: str) -> bool:
        """Lists the lights in advance."""
        presses, number = self.read(answer), self.start
        lights = [n % self.lights for n in range(len(presses))]
        for (sign, operand, colour), light in zip([self.buttons[n] for n in presses], lights):
            if colour in {-1, light}:
                number = (
                    number * operand if sign == "*" else number + operand * (1 - 2 * (sign == "-"))
                )
        return number == self.target and len(presses) <= self.presses

    def difficulty(self) -> float:
        return float(len(self.buttons) ** self.presses)

    def random_baseline(self) -> float:
        return share(self.buttons, self.lights, self.start, self.target, self.presses)

    def shortcuts(self) -> Iterable[str]:
        return [joined([name] * self.presses) for name in NAMES[: len(self.buttons)]]


def button_picture(sign: str, operand: int, light: int) -> Cell:
    """A button with the light in which it works."""
    name = LIGHTS[light] if light >= 0 else "any"
    fill = TONES[name].replace("c", "t") if light >= 0 else "paper"
    return Cell(f"{sign}{operand}", fill, corner=name)
