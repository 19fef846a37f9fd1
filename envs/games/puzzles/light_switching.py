"""Lights out (Tiger Electronics, 1995), press by press, on rectangles and tori, in few presses.

The presses are the solution of linear equations modulo the number of states: Marlow Anderson and
Todd Feil, "Turning Lights Out with Linear Algebra" (1998).
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.cells import images, in_rows
from palaestra.generators.games.puzzles.light_switching import LightSwitching as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class LightSwitching(SoloGame):
    """Turn off all lamps of a panel, each of which switches its neighbours too, in few presses."""

    tags = {"grid", "linear-algebra", "perfect-information", "planning"}
    answer_type = "cells"
    tries: ClassVar[int] = 20
    """How often presses are chosen until no fewer turn the same lamps off."""

    class Knobs(SoloGame.Knobs):
        rows: int = ladder(3, 4, 4, 5, 5, 6, 6, low=3, high=7)
        columns: int = ladder(4, 4, 5, 5, 6, 6, 7, low=3, high=7)
        states: int = ladder(2, 2, 2, 2, 3, 3, 3, low=2, high=3)  # of a lamp
        wraps: bool = ladder(False, True, False, False, True, False, True)
        presses: int = ladder(3, 4, 7, 11, 16, 22, 28, low=2, high=98)  # of a shortest plan
        spare: int = ladder(2, 1, 1, 0, 0, 0, 0, low=0, high=40)  # moves beyond a shortest plan

    rows: int
    columns: int
    states: int
    wraps: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The lamps that random presses turn off, where no fewer do; else those that need the most
        presses of some tries.
        """
        rules = Rules(knobs.rows, knobs.columns, knobs.states, knobs.wraps)
        dark = (0,) * (knobs.rows * knobs.columns)
        buttons = [lamp for lamp in range(len(dark)) for _ in range(knobs.states - 1)]
        best, most = dark, 0.0
        for _ in range(cls.tries):
            lamps = dark
            for lamp in rng.sample(buttons, min(knobs.presses, len(buttons))):
                for _ in range(knobs.states - 1):  # which one press more undoes
                    lamps = rules.apply(lamps, lamp)
            if (least := rules.distance(lamps)) > most:
                best, most = lamps, least
            if most >= knobs.presses:
                break
        return cls(
            position=encoded(best),
            moves=int(most) + knobs.spare if most else 0,
            rows=knobs.rows,
            columns=knobs.columns,
            states=knobs.states,
            wraps=knobs.wraps,
        )

    def rules(self) -> Rules:
        return Rules(self.rows, self.columns, self.states, self.wraps)

    def canonical(self) -> str:
        """The same for all mirror images and turns of a panel."""
        symmetric = images(in_rows(self.start(), self.columns))
        return f"{self.states} {self.wraps} {self.moves} {min(map(encoded, symmetric))}"

    def plan(self) -> Plan[int] | None:
        """The lamps in reading order, each as often as it is pressed."""
        presses = self.rules().presses(self.start())
        if presses is None:
            return None
        moves = [lamp for lamp, times in enumerate(presses) for _ in range(times)]
        return Plan(tuple(moves), self.states * len(presses))

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who press what leaves the least to do, or lit lamps, or chase the lights from row
        to row.
        """
        rules, known = self.rules(), set[tuple[int, ...]]()

        def lamps(turn: Turn) -> tuple[int, ...]:
            state: tuple[int, ...] = rules.decode(turn.state.rpartition(" ")[0])
            return state

        def least(judgement: Callable[[tuple[int, ...]], float]) -> Policy:
            def move(turn: Turn) -> str:
                state = lamps(turn)
                known.add(state)
                after = {press: rules.apply(state, press) for press in rules.legal(state)}
                fresh = [press for press in after if after[press] not in known] or [*after]
                rng.shuffle(fresh)
                return rules.name(state, max(fresh, key=lambda press: judgement(after[press])))

            return move

        def press(turn: Turn) -> str:
            state = lamps(turn)
            return rules.name(state, rng.choice([n for n, lamp in enumerate(state) if lamp]))

        def chase(turn: Turn) -> str:
            state = lamps(turn)
            first = next(n for n, lamp in enumerate(state) if lamp)
            below = first + self.columns
            return rules.name(state, below if below < len(state) else first)

        return {
            "fewest lit lamps": least(lambda state: state.count(0)),
            "fewest steps until all are dark": least(rules.judgement),
            "a lit lamp": press,
            "lights chased from the top": chase,
        }

    def description(self) -> str:
        cycle = "dark (0) and lit (1)" if self.states == 2 else "dark (0), dim (1) and bright (2)"
        step = (
            "A dark lamp becomes lit, and a lit one dark."
            if self.states == 2
            else "A dark lamp becomes dim, a dim one bright, and a bright one dark."
        )
        edge = (
            " The panel has no edge: the first row is below the last one, and the first column to "
            "the right of the last one, so that each lamp has four neighbours."
            if self.wraps
            else " Lamps at the edge have fewer neighbours."
        )
        return self.phrase(
            f"A panel has {self.rows} rows and {self.columns} columns of lamps, which are also "
            f"buttons. The states of a lamp are {cycle}. In each move you press a lamp; it and its "
            "neighbours directly above, below, to the left and to the right then change their "
            f"states. {step}{edge} Make all lamps dark. A move is a lamp by its row and column, "
            "counted from 1 at the top left, such as 'r2c3'.",
            f"Turn off all lamps of this panel of {self.rows} by {self.columns}. A number is the "
            f"state of a lamp: {cycle}. Pressing a lamp switches that lamp and those that share "
            "a side with it. "
            f"{step}{edge} You press one lamp a turn, which you name by row and column, counted "
            "from 1 at the top left, for example 'r2c3'.",
        )
