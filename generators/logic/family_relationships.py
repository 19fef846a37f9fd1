"""Family trees, and the relations between their members.

People are numbered. Each is a woman or a man, has two parents in the tree or none, and may be
married. Nobody marries a blood relative, so two people are related in at most one way.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

PATHS = {
    "P": ("mother", "father"),
    "PP": ("grandmother", "grandfather"),
    "PPP": ("great-grandmother", "great-grandfather"),
    "C": ("daughter", "son"),
    "CC": ("granddaughter", "grandson"),
    "CCC": ("great-granddaughter", "great-grandson"),
    "S": ("sister", "brother"),
    "PS": ("aunt", "uncle"),
    "PPS": ("great-aunt", "great-uncle"),
    "SC": ("niece", "nephew"),
    "SCC": ("grandniece", "grandnephew"),
    "PSC": ("cousin", "cousin"),
    "PPSCC": ("second cousin", "second cousin"),
    "M": ("wife", "husband"),
    "MP": ("mother-in-law", "father-in-law"),
    "CM": ("daughter-in-law", "son-in-law"),
    "MS": ("sister-in-law", "brother-in-law"),
    "SM": ("sister-in-law", "brother-in-law"),
}
"""The words for a woman and a man by the path to them: parent P, child C, sibling S, spouse M."""

RELATIONS = tuple(dict.fromkeys(name for names in PATHS.values() for name in names))

Relation = tuple[str, int, int]
"""``(word, one, other)`` states that the one is the other's sister, or what the word is."""


class Person(NamedTuple):
    """A member of a family, by number; -1 stands for nobody."""

    woman: bool
    mother: int
    father: int
    spouse: int


Family = tuple[Person, ...]


class Kin:
    """The relations between the members of a family."""

    def __init__(self, family: Sequence[Person]) -> None:
        self.family = family
        self._of: dict[int, dict[int, str]] = {}
        self.children: list[list[int]] = [[] for _ in family]
        for child, person in enumerate(family):
            for parent in {person.mother, person.father} - {-1}:
                self.children[parent].append(child)

    def near(self, step: str, one: int) -> list[int]:
        """The parents, children, siblings or spouse of a person."""
        person = self.family[one]
        if step == "P":
            return [parent for parent in (person.mother, person.father) if parent >= 0]
        if step == "C":
            return self.children[one]
        if step == "M":
            return [person.spouse] if person.spouse >= 0 else []
        return (
            [child for child in self.children[person.mother] if child != one]
            if (person.mother >= 0)
            else []
        )

    def of(self, one: int) -> dict[int, str]:
        """The word for each relative of a person.

        >>> Kin((Person(True, -1, -1, 1), Person(False, -1, -1, 0), Person(True, 0, 1, -1))).of(2)
        {0: 'mother', 1: 'father'}
        """
        if one in self._of:
            return self._of[one]
        relations: dict[int, str] = {}
        reached: dict[str, list[int]] = {"": [one]}
        for path, words in PATHS.items():
            for end in range(1, len(path) + 1):
                if path[:end] not in reached:
                    before = reached[path[: end - 1]]
                    reached[path[:end]] = [
                        n for each in before for n in self.near(path[end - 1], each)
                    ]
            for other in reached[path]:
                if other != one:
                    relations.setdefault(other, words[not self.family[other].woman])
        self._of[one] = relations
        return relations


def random_family(rng: Random, people: int, depth: int) -> Family:
    """A random family with up to ``depth`` generations below its first couple."""
    rows: list[list[int]] = [[1, -1, -1, 1], [0, -1, -1, 0]]
    heights = [0, 0]
    while len(rows) < people:
        couples = [n for n, p in enumerate(rows) if p[3] > n and heights[n] < depth]
        single = [n for n, p in enumerate(rows) if p[3] < 0 and heights[n] < depth]
        if single and rng.random() < 0.4:
            child = rng.choice(single)
            rows[child][3] = len(rows)
            rows.append([1 - rows[child][0], -1, -1, child])
            heights.append(heights[child])
        else:
            # In half of the cases the last couple, which makes long lines of descent likely.
            couple = couples[-1] if rng.random() < 0.5 else rng.choice(couples)
            pair = sorted((couple, rows[couple][3]), key=lambda n: -rows[n][0])
            rows.append([rng.randrange(2), *pair, -1])
            heights.append(heights[couple] + 1)
    return tuple(Person(bool(woman), *rest) for woman, *rest in rows)


def statements(rng: Random, family: Family, indirect: float) -> list[Relation]:
    """Statements that determine a whole family.

    A child is stated as the child of a parent or, with the probability ``indirect``, as the sister
    or brother of an earlier child.
    """
    statements: list[Relation] = []
    for one, person in enumerate(family):
        older = [n for n in range(one) if -1 < person.mother == family[n].mother]
        sex = int(not person.woman)
        if older and rng.random() < indirect:
            statements.append((PATHS["S"][sex], one, rng.choice(older)))
        elif person.mother >= 0:
            statements.append((PATHS["C"][sex], one, rng.choice((person.mother, person.father))))
        if person.spouse > one:
            first, second = rng.sample((one, person.spouse), 2)
            statements.append((PATHS["M"][int(not family[first].woman)], first, second))
    return statements


def deduced(statements: Sequence[Relation], people: int) -> Family:
    """The family that statements describe.

    >>> deduced([("son", 2, 0), ("wife", 0, 1)], 3)[2]
    Person(woman=False, mother=0, father=1, spouse=-1)
    """
    female = {words[0] for words in PATHS.values()}
    woman, spouse = [False] * people, [-1] * people
    for word, one, other in statements:
        woman[one] = word in female
        if word in PATHS["M"]:
            woman[other] = not woman[one]
            spouse[one], spouse[other] = other, one
    parent = [-1] * people
    for _ in statements:  # parents pass along chains of siblings, one statement in a round
        for word, one, other in statements:
            if word in PATHS["C"]:
                parent[one] = other
            elif word in PATHS["S"]:
                parent[one] = parent[other] = max(parent[one], parent[other])
        if sum(p >= 0 for p in parent) == sum(word not in PATHS["M"] for word, _, _ in statements):
            break
    pairs = [(-1, -1) if p < 0 else (p, spouse[p]) if woman[p] else (spouse[p], p) for p in parent]
    return tuple(Person(w, *pair, s) for w, pair, s in zip(woman, pairs, spouse))
