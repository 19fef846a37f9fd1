"""A stock of goods, counted by their names."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule, trial, undo

STOCK = Base(
    "which counts pieces of goods by their names",
    (
        ("add(name, n)", "puts n pieces of that name in, and returns how many of it are inside then"),
        ("remove(name, n)", "$remove"),
        ("count(name)", "returns how many pieces of that name are inside (0 if there are none)"),
    ),
    "self.stock = {}",
    """
    def add(self, name, n):
        @packs
        @limit
        if n > 0:
            self.stock[name] = self.stock.get(name, 0) + n
            @put in
        return self.stock.get(name, 0)

    def remove(self, name, n):
        free = self.stock.get(name, 0)
        @free
        @enough
        if n > 0:
            self.stock[name] -= n
            @taken out
        return $result

    def count(self, name):
        return self.stock.get(name, 0)
    """,
    {
        "packs": Rule(
            "add(name, n) is given packs: $a pieces are in each, so that it is about $a times n pieces. All other methods count pieces.",
            hooks={"packs": "n *= $a"},
            ranges=((2, 4),),
        ),
        "ban": Rule(
            "add() puts in no pieces of a name that is banned.",
            (("ban(name)", "bans the name if it is not banned, and lifts the ban if it is; returns True if it is banned then, and False if not"),),
            """
            def ban(self, name):
                if name in self.banned:
                    self.banned.remove(name)
                    return False
                self.banned.append(name)
                return True
            """,
            {"packs": "if name in self.banned:\n    n = 0"},
            "self.banned = []",
        ),
        "most": Rule(
            "There is room for $a pieces of each name. Of what add() is given, it puts in as many pieces as there is room for.",
            hooks={"limit": "n = min(n, $a - self.stock.get(name, 0))"},
            ranges=((4, 9),),
            apart="merge",
        ),
        "room": Rule(
            "There is room for $a pieces in all. Of what add() is given, it puts in as many pieces as there is room for.",
            hooks={"limit": "n = min(n, $a - sum(self.stock.values()))"},
            ranges=((9, 15),),
            apart="whole",
        ),
        "whole": Rule(
            "There is room for $a pieces in all. If there is not room enough for all pieces that add() is given, it puts none of them in.",
            hooks={"limit": "if n > $a - sum(self.stock.values()):\n    n = 0"},
            ranges=((9, 15),),
            apart="room most",
        ),
        "aside": Rule(
            "Pieces that are set aside are still inside and are counted with the others, but remove() treats them as if they were not there.",
            (
                ("reserve(name, n)", "sets n pieces of that name aside and returns True, if so many are inside that are not set aside yet; if not, does nothing and returns False"),
                ("release(name, n)", "has n pieces of that name set aside no longer, or all of them if fewer are; returns how many that makes"),
            ),
            """
            def reserve(self, name, n):
                if n > self.stock.get(name, 0) - self.aside.get(name, 0):
                    return False
                self.aside[name] = self.aside.get(name, 0) + n
                return True

            def release(self, name, n):
                n = min(n, self.aside.get(name, 0))
                if n:
                    self.aside[name] -= n
                return n
            """,
            {"free": "free -= self.aside.get(name, 0)"},
            "self.aside = {}",
            apart="merge undo trial",
        ),
        "least": Rule(
            "remove() leaves $a pieces of each name where they are: it treats them as if they were not there.",
            hooks={"free": "free = max(0, free - $a)"},
            ranges=((1, 3),),
            apart="aside",
        ),
        "names": Rule(
            "",
            (("names()", "returns the list of all names of which there is at least one piece inside, $order"),),
            """
            def names(self):
                names = [name for name in self.stock if self.stock[name]]
                return sorted(names, key=lambda name: $key)
            """,
            versions=({"order": "in alphabetical order", "key": "name"}, {"order": "those with most pieces first, and those with equally many in alphabetical order", "key": "(-self.stock[name], name)"}, {"order": "those with fewest pieces first, and those with equally many in alphabetical order", "key": "(self.stock[name], name)"}),
        ),
        "total": Rule(
            "",
            (("total()", "returns how many pieces are inside in all"),),
            """
            def total(self):
                return sum(self.stock.values())
            """,
        ),
        "moved": Rule(
            "",
            (("moved()", "returns a list of two numbers: how many pieces add() has put in so far, and how many remove() has taken out"),),
            """
            def moved(self):
                return [self.came, self.went]
            """,
            {"put in": "self.came += n", "taken out": "self.went += n"},
            "self.came = 0\nself.went = 0",
            apart="undo trial",
        ),
        "merge": Rule(
            "",
            (("rename(name, other)", "makes all pieces of the first name pieces of the other one, and returns how many there were; does nothing and returns 0 if the two names are the same"),),
            """
            def rename(self, name, other):
                if name == other or not self.stock.get(name, 0):
                    return 0
                n = self.stock.pop(name)
                self.stock[other] = self.stock.get(other, 0) + n
                return n
            """,
            apart="most aside",
            changing="rename",
        ),
        "undo": undo("what is inside", "trial"),
        "trial": trial("what is inside", "undo"),
    },
    changing="add remove",
    kept="stock",
    often="add add add remove remove count",
    versions=(
        {"remove": "takes n pieces of that name out and returns True, if so many are inside; if not, takes none out and returns False", "enough": "if n > free:\n    return False", "result": "True"},
        {"remove": "takes n pieces of that name out, or all of them if fewer are inside; returns how many that makes", "enough": "n = min(n, free)", "result": "n"},
    ),
)  # fmt: skip
