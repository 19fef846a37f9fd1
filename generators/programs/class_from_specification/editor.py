"""A text with a cursor."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule, redo, undo

EDITOR = Base(
    "which holds a text and a cursor between two of its letters or at one of its ends; at first the text is empty",
    (
        ("type(s)", "$types; then the cursor stands right behind s. Returns the text"),
        ("erase(n)", "deletes the n letters right before the cursor, or all that there are before it if they are fewer, and returns the text"),
        ("move(m)", "moves the cursor by m letters towards the end, or by -m towards the start if m is negative, but not beyond the ends of the text; returns how many letters are before the cursor then"),
    ),
    "self.text = ''\nself.place = 0",
    """
    def type(self, s):
        @alter
        self.text = self.text[:self.place] + s + self.text[$rest:]
        self.place += len(s)
        @typed
        return self.text

    def erase(self, n):
        start = max(0, self.place - n)
        self.text = self.text[:start] + self.text[self.place:]
        self.place = start
        return self.text

    def move(self, m):
        self.place = max(0, min(len(self.text), self.place + m))
        return self.place
    """,
    {
        "alter": Rule(
            "type(s) treats s as if it were $made.",
            hooks={"alter": "s = $code"},
            versions=({"made": "s written backwards", "code": "s[::-1]"}, {"made": "s in capitals", "code": "s.upper()"}, {"made": "s with each of its letters written twice in a row", "code": "''.join(c + c for c in s)"}, {"made": "the first letter of s", "code": "s[:1]"}),
        ),
        "limit": Rule(
            "The text has at most $a letters: type(s) cuts off the end of s as far as the text would be longer than that (perhaps all of s).",
            hooks={"alter": "s = s[:$a - $used]"},
            ranges=((5, 9),),
        ),
        "cut": Rule(
            "",
            (("cut(n)", "deletes the n letters right behind the cursor, or all that there are behind it if they are fewer; returns the letters that it has deleted, as a string"),),
            """
            def cut(self, n):
                gone = self.text[self.place:self.place + n]
                self.text = self.text[:self.place] + self.text[self.place + n:]
                return gone
            """,
            changing="cut",
        ),
        "copy": Rule(
            "",
            (
                ("copy(n)", "remembers the n letters right before the cursor, or all that there are before it if they are fewer, instead of what was remembered; returns them as a string"),
                ("paste()", "calls type() with what is remembered (an empty string if copy() was not called yet), and returns what that returns"),
            ),
            """
            def copy(self, n):
                self.held = self.text[max(0, self.place - n):self.place]
                return self.held

            def paste(self):
                return self.type(self.held)
            """,
            start="self.held = ''",
        ),
        "find": Rule(
            "",
            (("find(c)", "moves the cursor right behind the first letter c that is behind it, and returns how many letters are before it then; does nothing and returns None if there is no such letter"),),
            """
            def find(self, c):
                place = self.text.find(c, self.place)
                if place < 0:
                    return None
                self.place = place + 1
                return self.place
            """,
        ),
        "swap": Rule(
            "",
            (("swap()", "exchanges the letter right before the cursor and the one right behind it, leaves the cursor where it is, and returns True; does nothing and returns False if there is no letter before it or none behind it"),),
            """
            def swap(self):
                if not 0 < self.place < len(self.text):
                    return False
                one, other = self.text[self.place - 1], self.text[self.place]
                self.text = self.text[:self.place - 1] + other + one + self.text[self.place + 1:]
                return True
            """,
            changing="swap",
        ),
        "replace": Rule(
            "",
            (("replace(c, d)", "makes every letter c of the text a letter d, and returns how many letters c there were"),),
            """
            def replace(self, c, d):
                count = self.text.count(c)
                self.text = self.text.replace(c, d)
                return count
            """,
            changing="replace",
        ),
        "count": Rule(
            "",
            (("count(c)", "returns how many letters c there are $where"),),
            """
            def count(self, c):
                return $part.count(c)
            """,
            versions=({"where": "in the text", "part": "self.text"}, {"where": "before the cursor", "part": "self.text[:self.place]"}, {"where": "behind the cursor", "part": "self.text[self.place:]"}),
        ),
        "ends": Rule(
            "",
            (("ends()", "moves the cursor to the end of the text if it is not there, and to the start if it is at the end; returns how many letters are before it then"),),
            """
            def ends(self):
                self.place = 0 if self.place == len(self.text) else len(self.text)
                return self.place
            """,
        ),
        "typed": Rule(
            "",
            (("typed()", "returns how many letters type() has put in so far, in all calls together"),),
            """
            def typed(self):
                return self.letters
            """,
            {"typed": "self.letters += len(s)"},
            "self.letters = 0",
        ),
        "undo": undo("the text and the cursor", "redo"),
        "redo": redo("the text and the cursor"),
    },
    changing="type erase",
    kept="text place",
    often="type type type move move erase",
    versions=(
        {"types": "puts the string s in where the cursor is", "rest": "self.place", "used": "len(self.text)"},
        {"types": "writes the letters of the string s over those behind the cursor, one over each, and puts the rest of s at the end of the text if there are not so many", "rest": "self.place + len(s)", "used": "self.place"},
    ),
)  # fmt: skip
