"""A cache, in which keys make room for others."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import Base, Rule

CACHE = Base(
    "which holds values under keys, and has room for $a keys",
    (
        ("put(key, value)", "stores the value under the key. If the key is not inside and there is no room for it, one key is thrown out first with its value, namely the one that $goes. Returns the key that was thrown out, and None if none was"),
        ("get(key)", "returns the value of the key, and None if the key is not inside"),
    ),
    "self.room = $a\nself.values = {}\nself.uses = {}",
    """
    def put(self, key, value):
        @step
        @refuse
        thrown = None
        if key not in self.values and len(self.values) >= self.room:
            @no room
            thrown = self._throw_out()
        @merge
        self.values[key] = value
        @stored
        self._use(key)
        return thrown

    def get(self, key):
        @step
        if key not in self.values:
            @miss
            return None
        @hit
        self._use(key)
        return self.values[key]

    def _use(self, key):
        self.uses[key] = self.uses.get(key, 0) + 1
        @use

    def _throw_out(self):
        keys = list(self.values)
        @choose
        key = $next
        @thrown
        self._forget(key)
        return key

    def _forget(self, key):
        del self.values[key], self.uses[key]
        @forgotten
    """,
    {
        "steps": Rule(
            "Each call of put() or get() is a step. Before anything else in a step, every key is deleted whose value was last stored more than $a steps before (in step n, that is in step n - $a1 or earlier).",
            hooks={"step": "self.step += 1\nfor old in [old for old in self.put_in if self.put_in[old] < self.step - $a]:\n    self._forget(old)", "stored": "self.put_in[key] = self.step", "forgotten": "del self.put_in[key]"},
            start="self.step = 0\nself.put_in = {}",
            ranges=((3, 6),),
        ),
        "refuse": Rule(
            "put(key, value) does nothing and returns False if the value is $is.",
            hooks={"refuse": "if $test:\n    return False"},
            ranges=((2, 4),),
            versions=({"is": "a multiple of $a (as 0 is)", "test": "value % $a == 0"}, {"is": "less than $a", "test": "value < $a"}),
        ),
        "pin": Rule(
            "A pinned key is not thrown out to make room (though it may be deleted); where it would be, the next one in the same order goes that is not pinned. If all keys inside are pinned and there is no room for a new key, put() does nothing and returns False. A key that is deleted is no longer pinned.",
            (("pin(key)", "pins the key if it is inside and not pinned, unpins it if it is pinned; returns True if it is pinned then, and False if not"),),
            """
            def pin(self, key):
                if key in self.values and key not in self.pinned:
                    self.pinned.append(key)
                    return True
                if key in self.pinned:
                    self.pinned.remove(key)
                return False
            """,
            {"no room": "if len(self.pinned) == len(self.values):\n    return False", "choose": "keys = [key for key in keys if key not in self.pinned]", "forgotten": "if key in self.pinned:\n    self.pinned.remove(key)"},
            "self.pinned = []",
            apart="resize order",
        ),
        "merge": Rule(
            "If the key is inside already, put(key, value) stores $sum instead of the value.",
            hooks={"merge": "if key in self.values:\n    value = $code"},
            versions=({"sum": "the sum of the value and the one that is stored", "code": "value + self.values[key]"}, {"sum": "the greater one of the value and the one that is stored", "code": "max(value, self.values[key])"}),
        ),
        "delete": Rule(
            "",
            (("delete(key)", "deletes the key with its value, and returns True; returns False if the key is not inside"),),
            """
            def delete(self, key):
                if key not in self.values:
                    return False
                self._forget(key)
                return True
            """,
            apart="take",
        ),
        "take": Rule(
            "",
            (("take(key)", "deletes the key, and returns the value that it had; returns None if the key is not inside"),),
            """
            def take(self, key):
                if key not in self.values:
                    return None
                value = self.values[key]
                self._forget(key)
                return value
            """,
            apart="delete",
        ),
        "stats": Rule(
            "",
            (("stats()", "returns a list of two numbers: how many calls of get() have returned a value so far, and how many have returned None"),),
            """
            def stats(self):
                return [self.hits, self.misses]
            """,
            {"hit": "self.hits += 1", "miss": "self.misses += 1"},
            "self.hits = 0\nself.misses = 0",
        ),
        "peek": Rule(
            "",
            (("peek(key)", "returns the value of the key, and None if the key is not inside, without changing anything; it is no use of the key"),),
            """
            def peek(self, key):
                return self.values.get(key)
            """,
        ),
        "order": Rule(
            "",
            (("order()", "returns the list of all keys inside, in the order in which they would be thrown out to make room, the next one first; it is no use of them"),),
            """
            def order(self):
                keys = list(self.values)
                return $order
            """,
            apart="pin",
        ),
        "resize": Rule(
            "",
            (("resize(k)", "from now on there is room for k keys; if there are more inside, they are thrown out by the same rule, until there are k; returns the list of those that were, in that order"),),
            """
            def resize(self, k):
                self.room = k
                thrown = []
                while len(self.values) > k:
                    thrown.append(self._throw_out())
                return thrown
            """,
            apart="pin",
        ),
        "lost": Rule(
            "",
            (("lost()", "returns the list of the last $a keys that were thrown out (all of them, if they are fewer), the last one first; a key may be in it several times, and one that was deleted is not in it for that"),),
            """
            def lost(self):
                return self.thrown[::-1][:$a]
            """,
            {"thrown": "self.thrown.append(key)"},
            "self.thrown = []",
            ranges=((2, 4),),
        ),
        "clear": Rule(
            "",
            (("clear()", "deletes all keys, and returns $what"),),
            """
            def clear(self):
                result = $value
                for key in list(self.values):
                    self._forget(key)
                return result
            """,
            versions=({"what": "how many there were", "value": "len(self.values)"}, {"what": "the sum of their values (0 if there was none)", "value": "sum(self.values.values())"}),
        ),
    },
    changing="",
    kept="",
    often="put put put put get get",
    ranges=((2, 3),),
    versions=(
        {"goes": "came in first (storing another value under a key that is inside is no coming in)", "next": "keys[0]", "order": "keys"},
        {"goes": "was used least recently (put() and get() of a key that is inside are uses of it, and so is its coming in)", "next": "keys[0]", "order": "keys", "use": "self.values[key] = self.values.pop(key)"},
        {"goes": "was used least often since it came in, and of those used equally often the one used least recently (put() and get() of a key that is inside are uses of it, and its coming in is the first one)", "next": "min(keys, key=self.uses.get)", "order": "sorted(keys, key=self.uses.get)", "use": "self.values[key] = self.values.pop(key)"},
        {"goes": "has the smallest value, and of those with equal values the one that came in first (storing another value under a key that is inside is no coming in)", "next": "min(keys, key=self.values.get)", "order": "sorted(keys, key=self.values.get)"},
    ),
)  # fmt: skip
