"""Rules that explain facts: inductive logic programming (S. Muggleton, 1991), with recursion, and
with predicates that have to be invented as in meta-interpretive learning (S. Muggleton, D. Lin and
A. Tamaddoni-Nezhad, 2015).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.bitsets import ones
from palaestra.generators.induction.relational_rules import (
    FORMS,
    Algebra,
    Names,
    Program,
    Relation,
    Search,
    Step,
    Structure,
    facts_of,
    random_program,
    random_structure,
    random_task,
    rules_text,
)
from palaestra.generators.solutions import Feasibility, SearchResult, search_result
from palaestra.generators.vocabulary import words
from palaestra.scenes import Edge, Graph, Node, Panels
from palaestra.scenes.elements import Tone
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.induction.relational_rules import (
    ATOMS,
    RULES,
    VARIABLES,
    Rule,
    derived,
    parsed,
)
from palaestra.verifiers.reading.layout import code_lines
from palaestra.verifiers.reading.values import joined

OTHERS = 5
"""How many worlds are not shown."""

TONES: tuple[Tone, ...] = ("c0", "c1", "c2")

HELPERS = ("helper", "other")


class RelationalRules(Feasibility):
    """Write rules that derive a relation from others, in the worlds shown and in all others."""

    tags = {"induction", "logic-programming", "program-synthesis", "search"}
    answer_type = "code-lines"
    hidden = {"others"}

    class Knobs(Feasibility.Knobs):
        form: Literal["rule", "union", "closure", "linear", "sandwich", "helper", "helpers"] = (
            ladder("rule", "union", "closure", "linear", "sandwich", "helper", "helpers")
        )
        relations: int = ladder(2, 2, 2, 2, 2, 2, 3, low=2, high=3)  # between individuals
        properties: int = ladder(0, 0, 1, 1, 1, 1, 1, low=0, high=1)
        size: int = ladder(5, 6, 6, 7, 8, 8, 9, low=5, high=10)  # individuals of a world
        worlds: int = ladder(4, 3, 3, 3, 2, 2, 2, low=2, high=5)  # shown

    shown: Structure
    others: Structure
    wanted: Relation
    """The relation in the worlds shown."""
    names: Names

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        unary = (False,) * knobs.relations + (True,) * knobs.properties
        result = random_task(rng, knobs.form, unary, knobs.size, (knobs.worlds, OTHERS))
        if result is None:
            empty = Structure((), (), unary)
            return cls(shown=empty, others=empty, wanted=(), names=Names((), "", HELPERS))
        shown, others, wanted = result
        *relations, target = words(rng, len(unary) + 1, 4, 5)
        names = Names(tuple(relations), target, HELPERS)
        return cls(shown=shown, others=others, wanted=wanted, names=names)

    def is_valid(self) -> bool:
        """Whether there is a relation, and its name is none of the others."""
        return bool(self.wanted) and not {*self.names.relations, self.names.target} & {*HELPERS}

    def canonical(self) -> str:
        return repr((self.shown, self.wanted))

    def prompt(self) -> str:
        names, unary, target = self.names, self.shown.unary, self.names.target
        blocks = []
        for world, size in enumerate(self.shown.sizes):
            lines = [f"World {world + 1}, with the individuals 1 to {size}:"]
            for name, relation, single in zip(names.relations, self.shown.relations, unary):
                pairs = self.shown.pairs(relation, world)
                listed = [str(a) if single else f"{a}-{b}" for a, b in pairs]
                lines.append(f"{name}: {joined(listed) or 'none'}")
            pairs = self.shown.pairs(self.wanted, world)
            lines.append(f"{target}: {joined([f'{a}-{b}' for a, b in pairs]) or 'none'}")
            blocks.append("\n".join(lines))
        worlds = "\n\n".join(blocks)
        first = names.relations[0]
        known = [n + ("(X)" if single else "(X, Y)") for n, single in zip(names.relations, unary)]
        task = self.phrase(
            f"In each world, the relation {target} follows from the other ones by the same rules. "
            "Find these rules.",
            f"Write rules that derive the relation {target} from the other ones in every world.",
        )
        note = (
            f" For {names.relations[-1]}, which is a property, it lists the individuals that have "
            "it."
            if unary[-1]
            else ""
        )
        return (
            f"{task} A list such as '{first}: 1-2, 3-1' states that {first} holds from 1 to 2 and "
            f"from 3 to 1, in this direction, and for no other pair.{note}\n\n{worlds}\n\n"
            "Write one rule on each line. A rule has the form 'head :- atom, atom, ... .' and "
            "states that the head holds whenever all atoms behind ':-' hold. Atoms are "
            f"{joined(known)}, {target}(X, Y), and predicates of your own with one or two "
            "arguments, whose names begin with a small letter. Arguments are variables, which "
            "begin with a capital letter; they stand for any individuals of the same world, and "
            "two of them may stand for the same one. The names of individuals cannot be used, and "
            f"there is no negation. The head is {target} or a predicate of your own, and its "
            "variables have to occur behind ':-'. A rule may use its own head, and predicates may "
            "use each other: what holds is what can be derived by applying the rules as often as "
            f"you like. There may be up to {RULES} rules, with up to {ATOMS} atoms and "
            f"{VARIABLES} variables in each. The rules have to give exactly the pairs of {target} "
            "in the worlds above, and in other worlds of the same sort that are not shown. The "
            f"answer looks like this:\n{self._example()}"
        )

    def _example(self) -> str:
        """Rules that are wrong, since what they derive is symmetric or too small."""
        first = self.names.relations[0]
        return (
            f"{self.names.target}(X, Y) :- {first}(X, Y), mark(Y).\n"
            f"mark(X) :- {first}(X, X), {first}(X, Y)."
        )

    def scene(self) -> Panels:
        """Each world as two graphs: the relations that are known, and the one to be explained."""
        graphs, captions = [], []
        for world, size in enumerate(self.shown.sizes):
            marked = {
                a
                for relation, single in zip(self.shown.relations, self.shown.unary)
                if single
                for a, _ in self.shown.pairs(relation, world)
            }
            nodes = tuple(
                Node(str(n), "t1" if n in marked else "paper") for n in range(1, size + 1)
            )
            edges = [
                Edge(a - 1, b - 1, name, tone)
                for name, relation, single, tone in zip(
                    self.names.relations, self.shown.relations, self.shown.unary, TONES + TONES
                )
                if not single
                for a, b in self.shown.pairs(relation, world)
            ]
            wanted = [Edge(a - 1, b - 1) for a, b in self.shown.pairs(self.wanted, world)]
            graphs += [Graph(nodes, tuple(edges), True), Graph(nodes, tuple(wanted), True)]
            captions += [f"World {world + 1}", f"{self.names.target} in world {world + 1}"]
        return Panels(tuple(graphs), tuple(captions), columns=2)

    def read(self, answer: str) -> list[Rule]:
        known = zip(self.names.relations, self.shown.unary)
        predicates = {name: 1 if single else 2 for name, single in known}
        return parsed(code_lines(_one_per_line(answer)), predicates, self.names.target)

    def as_text(self, solution: Any) -> str:
        return solution if isinstance(solution, str) else "\n".join(self._rules(solution))

    def _rules(self, program: Program) -> list[str]:
        return rules_text(program, self.names, self.shown.unary)

    def search(self) -> SearchResult:
        search = Search(self.shown, self.wanted)
        return SearchResult(next(search.programs(FORMS)), search.examined)

    def violation(self, solution: Any) -> str:
        missing, wrong = self._difference(solution, self.shown, self.wanted)
        if missing or wrong:
            return (
                f"in the worlds shown, {missing} pairs of {self.names.target} cannot be derived, "
                f"and {wrong} other pairs can"
            )
        if any(self._difference(solution, self.others, _right(self))):
            return "the rules are right in the worlds shown, but not in others"
        return ""

    def _difference(
        self, rules: Sequence[Rule], structure: Structure, wanted: Relation
    ) -> tuple[int, int]:
        """How many pairs are missing, and how many are wrong."""
        rows = derived(rules, facts_of(structure, self.names))[self.names.target]
        pairs = {(n, other) for n, row in enumerate(wanted) for other in ones(row)}
        return len(pairs - rows), len(rows - pairs)

    def audit(self, answer: str) -> bool:
        """Compare the rules with the program of the search in many more worlds."""
        sizes = [self.shown.sizes[0] + n for n in (0, 1, 2, 3, 3, 4)]
        more = random_structure(Random(1), sizes, self.shown.unary)
        wanted = Algebra(more).value(search_result(self).solution)
        rules = self.read(answer)
        return not any(self._difference(rules, more, wanted)) and not self.violation(rules)

    def difficulty(self) -> float:
        """The programs that the search compared, from the simplest on."""
        return float(search_result(self).examined)

    def naive_solutions(self) -> Iterable[Any]:
        return ()

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Players who take the steps that fit best, all that fit, or one of them repeatedly."""
        search = Search(self.shown, self.wanted)
        inside = sorted(search.inside, key=lambda s: -self._pairs(search, s))
        best = max(search.steps, key=lambda s: self._overlap(search, s))
        top = inside[0] if inside else best
        form = next(f for f in FORMS if f == search_result(self).solution.form)
        players = {
            "best step": Program("rule", (best,)),
            "largest step inside": Program("rule", (top,)),
            "closure of the largest step inside": Program("closure", (top,)),
            "closure of the best step": Program("closure", (best,)),
            "two largest steps inside": Program("union", tuple(inside[:2]) or (best, best)),
            "random program of the form": random_program(rng, form, self.shown.unary),
        }
        texts = {name: "\n".join(self._rules(each)) for name, each in players.items()}
        every = [self._rules(Program("rule", (step,)))[0] for step in inside[:RULES]]
        return {**texts, "all steps inside": "\n".join(every) or texts["best step"]}

    @staticmethod
    def _pairs(search: Search, step: Step) -> int:
        return sum(row.bit_count() for row in search.algebra.step(step))

    def _overlap(self, search: Search, step: Step) -> float:
        """The share of pairs that a step and the relation have in common."""
        rows = [*zip(search.algebra.step(step), self.wanted)]
        common = sum((a & b).bit_count() for a, b in rows)
        return common / (sum((a | b).bit_count() for a, b in rows) or 1)


def _one_per_line(answer: str) -> str:
    """Rules on lines of their own, without comments, a heading and marks of mathematics."""
    answer = answer.replace("$", "").replace("\u2227", ",").replace("\\land", ",")
    rows = [row for row in answer.splitlines() if not re.match(r"[ \t]*(?:%|#|//)", row)]
    if rows and "(" not in rows[0] and rows[0].rstrip(" *").endswith(":"):
        rows = rows[1:]
    text = re.sub(r"(:-|,)[ \t]*\n[ \t]*", r"\1 ", "\n".join(rows))
    return re.sub(r"\)[ \t]?\.[ \t]{1,4}(?=\w)", ").\n", text)


@lru_cache(maxsize=64)
def _right(task: RelationalRules) -> Relation:
    """The relation in the other worlds."""
    program = search_result(task).solution
    if not isinstance(program, Program):
        raise InvalidAnswer("there is no program")
    return Algebra(task.others).value(program)
