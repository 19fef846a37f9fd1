"""Mental rotation of a cube, after experiments of Roger Shepard and Jacqueline Metzler.

Their paper is "Mental Rotation of Three-Dimensional Objects", Science (1971).
"""

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Self

from palaestra.generators.simulations import SimulationReport
from palaestra.generators.spatial.cube_rotation import CYCLES, FACES, Cube, Step, ended, turnings
from palaestra.generators.tiles import COLOURS as TONES
from palaestra.generators.tiles import NOTHING
from palaestra.scenes import Cell, Grid, Panels, Scene
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined

COLOURS = (
    "red", "blue", "green", "yellow", "white", "black", "pink", "grey", "brown", "orange", "violet",
)  # fmt: skip

TURNS = {
    "forward": "roll it towards you",
    "backward": "roll it away from you",
    "left": "roll it to the left",
    "right": "roll it to the right",
    "clockwise": "spin it clockwise",
    "anticlockwise": "spin it anticlockwise",
}


class CubeRotation(SimulationReport):
    """Follow a cube through rolls and spins, and state the colour of every face at the end."""

    tags = {"spatial", "simulation", "state-tracking", "unique-solution"}
    labels = FACES

    class Knobs(SimulationReport.Knobs):
        steps: int = ladder(1, 2, 4, 7, 11, 16, 24, high=60)
        phrase: int = ladder(1, 1, 2, 2, 3, 3, 4, high=6)  # turns that a step holds at most
        times: int = ladder(1, 1, 1, 3, 5, 9, 19, high=99)  # that a step is repeated at most

    colours: Cube
    steps: tuple[Step, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        def step() -> Step:
            turns = rng.choices([*CYCLES], k=rng.randint(1, knobs.phrase))
            return tuple(turns), rng.randint(1, knobs.times)

        colours = tuple(rng.sample(COLOURS, 6))
        return cls(colours=colours, steps=tuple(step() for _ in range(knobs.steps)))

    def is_valid(self) -> bool:
        return self.result() != self.colours

    def result(self) -> Cube:
        return ended(self.colours, self.steps)

    def prompt(self) -> str:
        start = joined([f"{face} {colour}" for face, colour in zip(FACES, self.colours)])
        listing = "\n".join(f"{n}. {step_text(step)}" for n, step in enumerate(self.steps, 1))
        rules = self.phrase(
            "A cube lies on a table in front of you. Its faces are painted; at first they are: "
            f"{start}. The front face is the one that faces you. Then the cube is moved; each move "
            "is a quarter turn.",
            f"You look at the front of a painted cube. At the start its colours are {start}. It is "
            "then turned by 90 degrees at a time.",
        )
        return (
            f"{rules} Rolling it towards you brings its top to the front; away from you, its top "
            "to the back; to the left, its top to the left; to the right, its top to the right. "
            "Spinning leaves top and bottom in place and is seen from above: clockwise brings the "
            "front to the left, anticlockwise brings the front to the right. 'Front', 'left' and "
            "so on always mean the sides as you see them, whichever faces are there. The moves "
            f"are, in this order:\n\n{listing}\n\nWhich colour does each face have at the end? "
            "Write six lines, one for each of top, bottom, front, back, left and right, such as "
            f"'top: {self.colours[0]}'."
        )

    def read(self, answer: str) -> list[str]:
        return list(pairs(answer, names=FACES, values=self.colours).values())

    def scene(self) -> Grid:
        return net(self.colours)

    def solved_scene(self, answer: str) -> Scene:
        start, end = net(self.colours), net(tuple(self.read(answer)))
        return Panels((start, end), ("Start", "End"), columns=1)

    def verify(self, answer: str) -> Score:
        faces = tuple(self.read(answer))
        if faces == self.result():
            return Score(1)
        if len({*faces}) < len(FACES):
            return Score(0, "two faces have the same colour")
        if faces not in turnings(self.colours):
            return Score(0, "no rotation of the cube brings the colours to these faces")
        return Score(0, "the colours are not on these faces at the end")

    def difficulty(self) -> float | None:
        return sum(len(turns) * times for turns, times in self.steps)

    def random_baseline(self) -> float:
        return 1 / 720

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text(self.colours)]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(steps=2)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(self.colours))


def net(cube: Cube) -> Grid:
    """The faces of a cube unfolded, around the front; the back is at the right end."""
    faces = {face: Cell(colour, TONES[colour], corner=face) for face, colour in zip(FACES, cube)}
    rows = (("", "top", "", ""), ("left", "front", "right", "back"), ("", "bottom", "", ""))
    return Grid(tuple(tuple(faces.get(face, NOTHING) for face in row) for row in rows))


def step_text(step: Step) -> str:
    """A step in words."""
    turns, times = step
    once = ", then ".join(TURNS[turn] for turn in turns)
    return f"{once}." if times == 1 else f"{once}; do all of this {times} times in a row."
