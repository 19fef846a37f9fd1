"""Values under keys, with what they were before."""

# ruff: noqa: E501  (rows of tables and texts of programs are not broken)

from palaestra.generators.programs.class_from_specification.parts import (
    Base,
    Rule,
    redo,
    trial,
    undo,
)

RECORD = Base(
    "which holds numbers under keys, and knows how they were before",
    (
        ("set(key, value)", "stores the value under the key, in the place of the one that is there, if any; returns $returns"),
        ("get(key)", "returns the value of the key, and None if it has none"),
    ),
    "self.now = {}",
    """
    def set(self, key, value):
        @locked
        @bound
        old = self.now.get(key)
        self.now[key] = value
        @stored
        return $result

    def get(self, key):
        return self.now.get(key)
    """,
    {
        "bound": Rule(
            "Where set() is given a value greater than $a, it stores $a instead$more.",
            hooks={"bound": "value = $code"},
            ranges=((4, 8),),
            versions=({"more": "", "code": "min($a, value)"}, {"more": ", and where it is given one less than 0, it stores 0", "code": "max(0, min($a, value))"}),
        ),
        "lock": Rule(
            "set() does nothing and returns None if the key is locked. What other methods do without calling set() is done to locked keys as well.",
            (("lock(key)", "locks the key if it is not locked, and unlocks it if it is; returns True if it is locked then, and False if not. A key may be locked before it has a value"),),
            """
            def lock(self, key):
                if key in self.locked:
                    self.locked.remove(key)
                    return False
                self.locked.append(key)
                return True
            """,
            {"locked": "if key in self.locked:\n    return None"},
            "self.locked = []",
        ),
        "delete": Rule(
            "",
            (("delete(key)", "takes the value of the key away, and returns True; returns False if it has none"),),
            """
            def delete(self, key):
                if key not in self.now:
                    return False
                del self.now[key]
                return True
            """,
            changing="delete",
        ),
        "commit": Rule(
            "",
            (
                ("commit()", "remembers all keys with their values as they are now, as a version; returns its number, which is 1 for the first one, 2 for the next one and so on"),
                ("get_at(key, k)", "returns the value that the key has in version k; returns None if it has none there, or if there is no such version"),
            ),
            """
            def commit(self):
                self.versions.append(dict(self.now))
                return len(self.versions)

            def get_at(self, key, k):
                if k > len(self.versions):
                    return None
                return self.versions[k - 1].get(key)
            """,
            start="self.versions = []",
            apart="restore",
        ),
        "restore": Rule(
            "",
            (
                ("commit()", "remembers all keys with their values as they are now, as a version; returns its number, which is 1 for the first one, 2 for the next one and so on"),
                ("restore(k)", "puts all keys and values back as they are in version k, and returns True; does nothing and returns False if there is no such version. All versions stay as they are"),
            ),
            """
            def commit(self):
                self.versions.append(dict(self.now))
                return len(self.versions)

            def restore(self, k):
                if k > len(self.versions):
                    return False
                self.now = dict(self.versions[k - 1])
                return True
            """,
            start="self.versions = []",
            apart="commit",
            changing="restore",
        ),
        "copy": Rule(
            "",
            (("copy(key, other)", "calls set(other, v), where v is the value of the key, and returns True; does nothing and returns False if the key has no value"),),
            """
            def copy(self, key, other):
                if key not in self.now:
                    return False
                self.set(other, self.now[key])
                return True
            """,
        ),
        "increase": Rule(
            "",
            (("increase(key, n)", "calls set(key, v + n), where v is the value of the key, or 0 if it has none; returns what get(key) gives then"),),
            """
            def increase(self, key, n):
                self.set(key, self.now.get(key, 0) + n)
                return self.get(key)
            """,
        ),
        "count": Rule(
            "",
            (("count(value)", "returns how many keys have that value"),),
            """
            def count(self, value):
                return list(self.now.values()).count(value)
            """,
        ),
        "largest": Rule(
            "",
            (("$best()", "returns the key with the $best value, of several the one that is first in alphabetical order; returns None if no key has a value"),),
            """
            def $best(self):
                return $choose(sorted(self.now), key=self.now.get, default=None)
            """,
            versions=({"best": "largest", "choose": "max"}, {"best": "smallest", "choose": "min"}),
        ),
        "keys": Rule(
            "",
            (("keys()", "returns the list of all keys that have a value, $order"),),
            """
            def keys(self):
                return sorted(self.now, key=lambda key: $key)
            """,
            versions=({"order": "in alphabetical order", "key": "key"}, {"order": "those with the largest values first, and those with equal values in alphabetical order", "key": "(-self.now[key], key)"}),
        ),
        "history": Rule(
            "",
            (("history(key)", "returns the list of all values that set() has ever stored under the key, the first one first, also where another method called set(), and whatever has become of them"),),
            """
            def history(self, key):
                return list(self.stored.get(key, []))
            """,
            {"stored": "self.stored.setdefault(key, []).append(value)"},
            "self.stored = {}",
        ),
        "undo": undo("all keys with their values", "redo trial"),
        "redo": redo("all keys with their values", "trial"),
        "trial": trial("all keys with their values", "undo redo"),
    },
    changing="set",
    kept="now",
    often="set set set get get",
    versions=(
        {"returns": "the value that was there, and None if there was none", "result": "old"},
        {"returns": "how many keys have a value then", "result": "len(self.now)"},
        {"returns": "True if the key has another value then than before, or a first one, and False if it has the same one", "result": "value != old"},
    ),
)  # fmt: skip
