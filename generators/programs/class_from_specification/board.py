"""Points of players, in order."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule, undo

BOARD = Base(
    "which keeps the points of players by their names",
    (
        ("score(name, p)", "gives the player p points more (a player who has not scored before has 0; p may be negative), and returns the points that the player has then"),
        ("points(name)", "returns the points of the player, and None for one who has not scored yet"),
        ("top(k)", "returns the list of the names of the k best players, or of all who have scored if they are fewer: those with most points first, and of those with equal points $ties"),
    ),
    "self.score_of = {}\nself.since = {}\nself.time = 0",
    """
    def score(self, name, p):
        @frozen
        @change
        new = self.score_of.get(name, 0) + p
        @new
        self._put(name, new)
        return new

    def points(self, name):
        return self.score_of.get(name)

    def top(self, k):
        return sorted(self.score_of, key=lambda name: (-self.score_of[name], $tie))[:k]

    def _put(self, name, new):
        self.time += 1
        if self.score_of.get(name) != new:
            self.score_of[name] = new
            self.since[name] = self.time
    """,
    {
        "freeze": Rule(
            "score() does nothing and returns None for a player who is frozen.",
            (("freeze(name)", "freezes the player if not frozen, and unfreezes a frozen one; returns True if the player is frozen then, and False if not. It may be done before the player has scored"),),
            """
            def freeze(self, name):
                if name in self.frozen:
                    self.frozen.remove(name)
                    return False
                self.frozen.append(name)
                return True
            """,
            {"frozen": "if name in self.frozen:\n    return None"},
            "self.frozen = []",
        ),
        "cap": Rule(
            "Where score() is given more than $a points, it counts them as $a.",
            hooks={"change": "p = min(p, $a)"},
            ranges=((3, 6),),
        ),
        "bonus": Rule(
            "Every $which call of score() for the same player counts $times times the points that it would count otherwise.",
            hooks={"change": "self.calls[name] = self.calls.get(name, 0) + 1\nif self.calls[name] % $every == 0:\n    p *= $times"},
            start="self.calls = {}",
            versions=({"which": "second", "every": "2", "times": "2"}, {"which": "third", "every": "3", "times": "2"}, {"which": "second", "every": "2", "times": "3"}, {"which": "third", "every": "3", "times": "3"}),
            apart="undo freeze",
        ),
        "best": Rule(
            "Points are not added up: score() leaves the player with the greater one of the points that the player had (0 before the first call) and those that it counts.",
            hooks={"new": "new = max(self.score_of.get(name, 0), p)"},
            apart="floor medal",
        ),
        "floor": Rule(
            "Points never fall below $b: where they would, they are $b.",
            hooks={"new": "new = max($b, new)"},
            versions=({"b": "0"}, {"b": "-3"}),
            apart="best medal",
        ),
        "medal": Rule(
            "A player who would have $a points or more after score() gets a medal and has 0 points instead; score() returns 0 then.",
            (("medals(name)", "returns how many medals the player has got"),),
            """
            def medals(self, name):
                return self.medals_of.get(name, 0)
            """,
            {"new": "if new >= $a:\n    self.medals_of[name] = self.medals_of.get(name, 0) + 1\n    new = 0"},
            "self.medals_of = {}",
            ranges=((8, 14),),
            apart="undo",
        ),
        "drop": Rule(
            "",
            (("drop(name)", "takes the player off the board, as if the player had not scored yet, and returns True; returns False for one who has not scored yet"),),
            """
            def drop(self, name):
                if name not in self.score_of:
                    return False
                del self.score_of[name], self.since[name]
                return True
            """,
            apart="medal bonus",
            changing="drop",
        ),
        "halve": Rule(
            "",
            (("halve(name)", "halves the points of the player, rounding down (so that 5 gives 2 and -5 gives -3), and returns them; returns None for one who has not scored yet"),),
            """
            def halve(self, name):
                if name not in self.score_of:
                    return None
                self._put(name, self.score_of[name] // 2)
                return self.score_of[name]
            """,
            apart="best floor",
            changing="halve",
        ),
        "rank": Rule(
            "",
            (("rank(name)", "returns the place of the player in the order of top(), which is 1 for the best one, and None for one who has not scored yet"),),
            """
            def rank(self, name):
                if name not in self.score_of:
                    return None
                return self.top(len(self.score_of)).index(name) + 1
            """,
        ),
        "behind": Rule(
            "",
            (("behind(name)", "returns how many players have $than points than this one; None for one who has not scored yet"),),
            """
            def behind(self, name):
                if name not in self.score_of:
                    return None
                return sum(p $sign self.score_of[name] for p in self.score_of.values())
            """,
            versions=({"than": "fewer", "sign": "<"}, {"than": "more", "sign": ">"}),
        ),
        "team": Rule(
            "",
            (
                ("join(name, k)", "puts the player into team k, and so out of any other one; returns the number of the team that the player was in, and None if there was none. It may be done before the player has scored"),
                ("team(k)", "returns the sum of the points of all players in team k (those who have not scored count 0)"),
            ),
            """
            def join(self, name, k):
                before = self.team_of.get(name)
                self.team_of[name] = k
                return before

            def team(self, k):
                return sum(self.score_of.get(name, 0) for name in self.team_of if self.team_of[name] == k)
            """,
            start="self.team_of = {}",
        ),
        "undo": undo("all points (with what decides between equal ones)"),
    },
    changing="score",
    kept="score_of since",
    often="score score score score top",
    versions=(
        {"ties": "those first who come first in alphabetical order", "tie": "name"},
        {"ties": "those first whose points changed last the longest ago (a player's first call of score() changes them in any case, others only if they are different then)", "tie": "self.since[name]"},
        {"ties": "those first whose points changed last most recently (a player's first call of score() changes them in any case, others only if they are different then)", "tie": "-self.since[name]"},
    ),
)  # fmt: skip
