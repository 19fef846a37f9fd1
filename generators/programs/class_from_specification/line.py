"""Numbers in a line, such as a queue or a stack."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule, undo

LINE = Base(
    "which holds whole numbers",
    (
        ("add(x)", "puts the number x in, also if it is inside already, and returns True"),
        ("take()", "takes out the number that $first, and returns it; returns None if nothing is inside"),
        ("size()", "returns how many numbers are inside"),
    ),
    "self.items = []",
    """
    def add(self, x):
        @alter
        @refuse
        @room
        self.items.append(x)
        @added
        return True

    def take(self):
        @closed
        if not self.items:
            return None
        @taken
        return self.items.pop(self._place())

    def size(self):
        return len(self.items)

    def _place(self):
        @other end
        return $place
    """,
    {
        "alter": Rule(
            "add(x) does not put x in but $made instead, and all that is said of the x of add holds for that number. The arguments of other methods stay as they are.",
            hooks={"alter": "x = $code"},
            ranges=((3, 6),),
            versions=(
                {"made": "the remainder of x on division by $a (a number from 0 to $a - 1, also for negative x)", "code": "x % $a"},
                {"made": "the absolute value of x - $a", "code": "abs(x - $a)"},
                {"made": "x or $a, whichever is less,", "code": "min(x, $a)"},
            ),
        ),
        "refuse": Rule(
            "add(x) does nothing and returns False if x $is.",
            hooks={"refuse": "if $test:\n    return False"},
            ranges=((2, 5),),
            versions=(
                {"is": "is a multiple of $a (as 0 is)", "test": "x % $a == 0"},
                {"is": "is greater than $a", "test": "x > $a"},
                {"is": "is less than the number inside that was put in last", "test": "self.items and x < self.items[-1]"},
                {"is": "differs by less than $a from the number inside that was put in last", "test": "self.items and abs(x - self.items[-1]) < $a"},
            ),
            apart="turn",
        ),
        "once": Rule(
            "If x is inside already, add(x) does nothing and returns False.",
            hooks={"refuse": "if x in self.items:\n    return False"},
            apart="again",
        ),
        "again": Rule(
            "If x is inside already, add(x) takes it out first, and then puts x in as the newest number; so no room is needed for it, and it is never inside twice.",
            hooks={"room": "if x in self.items:\n    self.items.remove(x)"},
            apart="once full",
        ),
        "full": Rule(
            "There is room for $a numbers. While so many are inside, add(x) does nothing and returns False.",
            hooks={"refuse": "if len(self.items) == $a:\n    return False"},
            ranges=((2, 4),),
            apart="again push",
        ),
        "push": Rule(
            "There is room for $a numbers. If x is to be put in and so many are inside, the number inside that $goes is thrown out first to make room; add(x) returns True then, too.",
            hooks={"room": "if len(self.items) == $a:\n    $throw"},
            ranges=((2, 4),),
            versions=(
                {"goes": "was put in first", "throw": "del self.items[0]"},
                {"goes": "was put in last", "throw": "del self.items[-1]"},
                {"goes": "is smallest (of equal ones the one put in first)", "throw": "self.items.remove(min(self.items))"},
            ),
            apart="full",
        ),
        "closed": Rule(
            "At first it is open. While it is closed, add(x) does nothing and returns False, and take() does nothing and returns None; all else works as it always does.",
            (("switch()", "closes it if it is open and opens it if it is closed; returns True if it is open then, and False if not"),),
            """
            def switch(self):
                self.open = not self.open
                return self.open
            """,
            {"refuse": "if not self.open:\n    return False", "closed": "if not self.open:\n    return None"},
            "self.open = True",
        ),
        "other end": Rule(
            "",
            (("flip()", "from now on take() takes out the number that $last instead, until flip() is called once more and everything is as before, and so on; returns None"),),
            """
            def flip(self):
                self.flipped = not self.flipped
            """,
            {"other end": "if self.flipped:\n    return $other"},
            "self.flipped = False",
        ),
        "peek": Rule(
            "",
            (("peek()", "returns the number inside that is next for take(), without taking it out; returns None if nothing is inside"),),
            """
            def peek(self):
                return self.items[self._place()] if self.items else None
            """,
        ),
        "drop": Rule(
            "",
            (("drop(x)", "takes out one x, of several the one that was put in first, and returns True; returns False if there is none inside"),),
            """
            def drop(self, x):
                if x not in self.items:
                    return False
                self.items.remove(x)
                return True
            """,
            changing="drop",
        ),
        "figure": Rule(
            "",
            (("$figure()", "returns $what"),),
            """
            def $figure(self):
                return $value
            """,
            versions=(
                {"figure": "total", "what": "the sum of all numbers inside (0 if there is none)", "value": "sum(self.items)"},
                {"figure": "spread", "what": "the largest number inside minus the smallest (0 if nothing is inside)", "value": "max(self.items) - min(self.items) if self.items else 0"},
                {"figure": "different", "what": "how many different numbers are inside", "value": "len(set(self.items))"},
                {"figure": "listed", "what": "a list of all numbers inside, in the order in which they were put in", "value": "list(self.items)"},
            ),
        ),
        "drain": Rule(
            "",
            (("drain(k)", "calls take() until it has been called k times or has returned None, and returns the list of all numbers that it returned"),),
            """
            def drain(self, k):
                taken = []
                for _ in range(k):
                    x = self.take()
                    if x is None:
                        break
                    taken.append(x)
                return taken
            """,
        ),
        "turn": Rule(
            "",
            (("turn()", "reverses the order of all numbers inside, so that the one that was put in first counts as put in last, and so on; returns None"),),
            """
            def turn(self):
                self.items.reverse()
            """,
            apart="refuse",
            changing="turn",
        ),
        "tally": Rule(
            "",
            (("tally()", "returns a list of two numbers: how many calls of add() have returned True so far, and how many calls of take() have returned a number"),),
            """
            def tally(self):
                return [self.adds, self.takes]
            """,
            {"added": "self.adds += 1", "taken": "self.takes += 1"},
            "self.adds = 0\nself.takes = 0",
        ),
        "undo": undo("what is inside (with the order in which it was put in)", "push again"),
    },
    changing="add take",
    kept="items",
    often="add add add take",
    versions=(
        {"first": "was put in first of those inside", "place": "0", "last": "was put in last of those inside", "other": "-1"},
        {"first": "was put in last of those inside", "place": "-1", "last": "was put in first of those inside", "other": "0"},
        {"first": "is the smallest inside (of equal ones the one put in first)", "place": "self.items.index(min(self.items))", "last": "is the largest inside (of equal ones the one put in first)", "other": "self.items.index(max(self.items))"},
        {"first": "is the largest inside (of equal ones the one put in first)", "place": "self.items.index(max(self.items))", "last": "is the smallest inside (of equal ones the one put in first)", "other": "self.items.index(min(self.items))"},
    ),
)  # fmt: skip
