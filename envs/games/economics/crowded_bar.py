"""The El Farol bar problem with visitors of stated rules.

The problem is that of W. Brian Arthur, "Inductive Reasoning and Bounded Rationality" (1994).
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from palaestra.generators.games.economics.crowded_bar import GO, GOES, NUMBERED, STAY
from palaestra.generators.games.economics.crowded_bar import CrowdedBar as Rules
from palaestra.generators.games.economics.stated_players import (
    LETTERS,
    Moves,
    Rule,
    State,
    StatedPlayersGame,
)
from palaestra.task import ladder


class CrowdedBar(StatedPlayersGame):
    """Go to a bar when it is not crowded, while the other visitors follow stated rules."""

    class Knobs(StatedPlayersGame.Knobs):
        rounds: int = ladder(6, 7, 8, 10, 11, 12, low=3, high=16)
        others: int = ladder(2, 3, 3, 4, 4, 5, low=2, high=6)
        patience: int = ladder(0, 0, 1, 1, 1, 2, low=0, high=6)  # weeks that give up points
        changes: int = ladder(2, 2, 2, 3, 3, 4, low=0, high=12)  # of the move

    candidates = 40

    seats: int
    good: int
    crowded: int
    home: tuple[int, ...]

    @classmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """Rules of different names, and about half as many seats as people. What an evening at home
        is worth changes from week to week, so that the best plan follows no simple pattern.
        """
        people = knobs.others + 1
        seats = max(1, people // 2 + rng.choice((-1, 0, 0)) + (people % 2) * rng.randrange(2))
        first = rng.choice([name for name in GOES if name not in {"follow", "avoid"}])
        names = [first, *rng.sample([name for name in GOES if name != first], knobs.others - 1)]
        tops = {name: people * (1 + (name == "few in both")) for name in NUMBERED}
        others = tuple(
            (name, rng.randint(1, tops[name] - 1) if name in tops else 0) for name in names
        )
        crowded = rng.randint(2, 5)
        good = crowded + rng.randint(3, 8)
        home = tuple(rng.randint(crowded + 1, good - 1) for _ in range(knobs.rounds))
        return {"others": others, "seats": seats, "good": good, "crowded": crowded, "home": home}

    @classmethod
    def rounds_before(cls, rng: Random, fields: Mapping[str, Any]) -> tuple[Moves, ...]:
        seats = range(len(fields["others"]) + 1)
        return tuple(tuple(rng.randrange(2) for _ in seats) for _ in range(2))

    def rules(self) -> Rules:
        return Rules(self.others, self.need, self.seats, self.good, self.crowded, self.home)

    def rule_words(self, seat: int, rule: Rule) -> str:
        name, number = rule
        people = f"{number} people" if number != 1 else "1 person"
        before = LETTERS[seat - 2]
        return {
            "few": f"goes if at most {people} went in the previous week",
            "many": f"goes if at least {people} went in the previous week",
            "few before": f"goes if at most {people} went two weeks before",
            "few in both": f"goes if the numbers of people of the two previous weeks add up to at "
            f"most {number}",
            "fewer": "goes if fewer people went in the previous week than in the week before that",
            "more": "goes if more people went in the previous week than in the week before that",
            "copy": "goes if you went in the previous week",
            "late copy": "goes if you went two weeks before",
            "opposite": "goes if you stayed at home in the previous week",
            "alternate": "goes if it stayed at home in the previous week",
            "habit": f"does what it did in the previous week if at most {people} went then, and "
            "otherwise the opposite",
            "follow": f"goes if {before} went in the previous week",
            "avoid": f"goes if {before} stayed at home in the previous week",
            "rest": "goes if it stayed at home in both of the two previous weeks",
        }[name]

    def thumbs(self) -> Mapping[str, Callable[[State], int]]:
        seats = self.seats

        def last(state: State) -> Moves:
            return state.rounds[-1]

        return {
            "always stay": lambda state: STAY,
            "always go": lambda state: GO,
            "go in every other week": lambda state: 1 - last(state)[0],
            "go after a week with few people": lambda state: int(sum(last(state)) <= seats),
            "go after a week with many people": lambda state: int(sum(last(state)) > seats),
            "go if two weeks before few went": lambda state: int(sum(state.rounds[-2]) <= seats),
        }

    def evenings(self) -> str:
        """The worth of an evening at home in each week, in words."""
        return ", ".join(f"{points} points in week {n}" for n, points in enumerate(self.home, 1))

    def description(self) -> str:
        number = len(self.others)
        names = f"{', '.join(LETTERS[: number - 1])} and {LETTERS[number - 1]}"
        few = f"{self.seats} people or fewer are" if self.seats > 1 else "only 1 person is"
        aim = (
            f"Have {self.need} points or more after {self.moves} weeks, which is the most that is "
            "possible."
        )
        return self.phrase(
            f"In every week, you and {number} others, {names}, each decide whether to go to the "
            "same bar for an evening, at the same time and without an agreement. An evening at the "
            f"bar is worth {self.good} points to you if {few} there, you included, and "
            f"{self.crowded} points if it is more crowded. An evening at home is worth "
            f"{self.evenings()}. The others follow these rules, and otherwise stay at home:\n"
            f"{self.rule_lines()}\nNumbers of people include you. Weeks -1 and 0 are those before "
            f"the first one; they count for the rules, but give no points. {aim} As soon as this "
            "is out of reach, the game is lost. A move is 'go' or 'stay', so it looks like 'stay'.",
            f"A bar is pleasant as long as no more than {self.seats} of {number + 1} people go "
            f"there: you and {names}. Each week all decide at once. You get {self.good} "
            "points for going if the bar is pleasant then, with you counted, and "
            f"{self.crowded} points for going if it is not. Staying at home gives you "
            f"{self.evenings()}. The others do not choose "
            "freely. Each of them stays at home in a week, unless the following rule makes it "
            f"go:\n{self.rule_lines()}\nYou are counted wherever a rule counts people. The list "
            "begins with two weeks, -1 and 0, that are over and give no points; rules refer to "
            f"them as well. {aim} The game ends as lost when that can no longer be reached. Reply "
            "with 'go' or 'stay', for example 'stay'.",
        )
