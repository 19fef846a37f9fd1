"""Short proofs in natural deduction, by a search for normal proofs.

The search takes eliminations without sub-proofs whenever they apply, since they never do harm.
What remains is a choice: an introduction of the goal, a case split, the antecedent of an
implication as a lemma, or an indirect proof. Choices are nested up to a limit, which is raised
until there is a proof, as in the intercalation calculus of Wilfried Sieg and John Byrnes, "Normal
Natural Deduction Proofs (in classical logic)" (1998).

A set of formulas is an integer whose bits are the numbers of the formulas.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from palaestra.verifiers.proofs.fitch import Line
from palaestra.verifiers.proofs.formulas import FALSE, Formula

Move = Literal["intro", "or intro", "cases", "lemma", "explosion", "indirect"]
MOVES: frozenset[Move] = frozenset({"intro", "or intro", "cases", "lemma", "explosion", "indirect"})
"""Ways to prove a goal that no elimination yields."""

DEEPEST = 14
"""The most choices inside each other."""

EFFORT = 3_000
"""The most goals that a search considers."""

_INTROS = {"if": "if intro", "not": "not intro", "iff": "iff intro"}


class Elimination(NamedTuple):
    """A rule that yields a formula from others, without sub-proofs."""

    needed: int
    """The set of the formulas that it cites."""
    result: int
    rule: str
    cited: tuple[int, ...]


class Use(NamedTuple):
    """A use of a formula that needs a choice: a case split, or a part that has to be proved."""

    move: str
    number: int
    parts: list[int]
    done: int
    """The set of formulas each of which makes it needless."""


class Plan(NamedTuple):
    """How to prove a goal: a move, the formulas that it is about, and the plans of its parts.

    Without a move, eliminations alone yield the goal.
    """

    cost: int
    """The number of lines, about."""
    move: str = ""
    formulas: tuple[int, ...] = ()
    parts: tuple["Plan", ...] = ()


@dataclass
class Search:
    """The formulas that a proof may need, and what follows from which."""

    premises: Sequence[Formula]
    goal: Formula
    classical: bool = True
    moves: Set[Move] = MOVES
    formulas: list[Formula] = field(default_factory=list)
    numbers: dict[Formula, int] = field(default_factory=dict)
    considered: int = 0

    def __post_init__(self) -> None:
        self.false = self._number(FALSE)
        for each in (*self.premises, self.goal):
            self._number(each)
        if self.classical:
            for each in list(self.formulas):
                if each[0] != "not" and each != FALSE:
                    self._number(("not", each))
        self.parts = [[self.numbers[part] for part in each[1:]] for each in self.formulas]
        self.eliminations = list(self._eliminations())
        self.uses = list(self._all_uses())
        self._closed = dict[int, int]()
        self._plans = dict[tuple[int, int, int], Plan | None]()

    def _number(self, formula: Formula) -> int:
        """The number of a formula, all parts of which are numbered too."""
        if formula not in self.numbers:
            for part in formula[1:]:
                self._number(part)
            self.numbers[formula] = len(self.formulas)
            self.formulas.append(formula)
        return self.numbers[formula]

    def _eliminations(self) -> Iterator[Elimination]:
        def one(rule: str, result: int, *cited: int) -> Elimination:
            return Elimination(sum(1 << each for each in cited), result, rule, cited)

        for formula, n in self.numbers.items():
            parts = self.parts[n]
            match formula[0]:
                case "and":
                    yield from (one("and elim", part, n) for part in parts)
                case "if":
                    yield one("if elim", parts[1], n, parts[0])
                case "iff":
                    yield one("iff elim", parts[1], n, parts[0])
                    yield one("iff elim", parts[0], n, parts[1])
                case "not":
                    yield one("not elim", self.false, n, parts[0])
                    if self.classical and self.formulas[parts[0]][0] == "not":
                        yield one("double negation", self.parts[parts[0]][0], n)

    def _all_uses(self) -> Iterator[Use]:
        """The uses of all formulas that need a choice."""
        for n, (link, parts) in enumerate(zip((each[0] for each in self.formulas), self.parts)):
            if link == "or" and "cases" in self.moves:
                yield Use("cases", n, parts, sum(1 << part for part in set(parts)))
            elif link in {"if", "iff"} and "lemma" in self.moves:
                yield Use("lemma", n, parts, 1 << parts[0] | 1 << parts[1])
                if link == "iff":
                    yield Use("lemma", n, parts[::-1], 1 << parts[0] | 1 << parts[1])
            elif link == "not" and "lemma" in self.moves:
                yield Use("refuted", n, parts, 1 << parts[0])

    def closed(self, known: int) -> int:
        """A set of formulas with all that eliminations yield."""
        closure = self._closed.get(known)
        if closure is None:
            closure, before = known, -1
            while closure != before:
                before = closure
                for needed, result, _, _ in self.eliminations:
                    if closure & needed == needed:
                        closure |= 1 << result
            self._closed[known] = closure
        return closure

    def plan(self, deepest: int = DEEPEST) -> Plan | None:
        """A plan for the goal, with as few choices inside each other as possible; None where the
        limits are too low, or where there is no proof.
        """
        known = sum(1 << self.numbers[each] for each in set(self.premises))
        for depth in range(deepest + 1):
            plan = self._plan(known, self.numbers[self.goal], depth)
            if plan or self.considered > EFFORT:
                return plan
        return None

    def _plan(self, known: int, goal: int, depth: int) -> Plan | None:
        """The shortest plan for a goal, with at most so many choices inside each other."""
        if known >> goal & 1:
            return Plan(0)
        full = self.closed(known)
        if full >> goal & 1:
            return Plan(1)
        if full >> self.false & 1:
            return Plan(2, "explosion", (), (Plan(1),))
        if not depth or self.considered > EFFORT:
            return None
        key = full, goal, depth
        if key not in self._plans:
            self.considered += 1
            self._plans[key] = min(
                self._options(full, goal, depth - 1), key=lambda plan: plan.cost, default=None
            )
        return self._plans[key]

    def _options(self, known: int, goal: int, depth: int) -> Iterator[Plan]:
        """A plan for each move that proves a goal, given more depth for its parts."""
        formula, parts = self.formulas[goal], self.parts[goal]
        link = formula[0]
        if "intro" in self.moves and link in {"and", *_INTROS}:  # whatever has a proof has this one
            if link == "and":
                yield from self._joined("and intro", (), 1, *((known, n, depth + 1) for n in parts))
            else:
                ends = [self.false] if link == "not" else parts[1:]
                pairs = [(parts[0], *ends), (parts[-1], parts[0])][: 1 + (link == "iff")]
                goals = ((known | 1 << start, end, depth) for start, end in pairs)
                yield from self._joined(_INTROS[link], (), 1 + len(pairs), *goals)
            return
        if link == "or" and "or intro" in self.moves:
            for part in parts:
                yield from self._joined("or intro", (part,), 1, (known, part, depth))
        yield from self._uses(known, goal, depth)
        if self.classical and link not in {"not", "false"} and "indirect" in self.moves:
            opposite = 1 << self.numbers["not", formula]
            if not known & opposite:
                yield from self._joined("indirect", (), 2, (known | opposite, self.false, depth))

    def _uses(self, known: int, goal: int, depth: int) -> Iterator[Plan]:
        """A plan for each known formula whose use needs a choice."""
        for move, n, parts, done in self.uses:
            if not known >> n & 1 or known & done:
                continue
            if move == "cases":
                goals = ((known | 1 << part, goal, depth) for part in parts)
                yield from self._joined(move, (n,), 3, *goals)
            elif move == "lemma":
                one, other = parts
                steps = (known, one, depth), (known | 1 << one, goal, depth)
                yield from self._joined(move, (one, other), 0, *steps)
            elif goal == self.false:
                yield from self._joined(move, (parts[0],), 1, (known, parts[0], depth))
        if goal != self.false and "explosion" in self.moves:
            yield from self._joined("explosion", (), 1, (known, self.false, depth))

    def _joined(
        self, move: str, formulas: tuple[int, ...], cost: int, *goals: tuple[int, int, int]
    ) -> Iterator[Plan]:
        """The plan of a move, if there is one for each of its goals."""
        plans = list[Plan]()
        for goal in goals:
            plan = self._plan(*goal)
            if plan is None:
                return
            plans.append(plan)
        yield Plan(cost + sum(plan.cost for plan in plans), move, formulas, tuple(plans))


class Proof:
    """The lines of a proof that follows a plan."""

    def __init__(self, search: Search, plan: Plan) -> None:
        self.search = search
        self.lines = list[Line]()
        self._scopes = [dict[int, int]()]
        for each in search.premises:
            self._add(search.numbers[each], "premise")
        self._last(search.numbers[search.goal], plan)

    @property
    def _known(self) -> dict[int, int]:
        """The line of each formula that can be cited."""
        return {n: line for scope in self._scopes for n, line in scope.items()}

    def _add(self, n: int, rule: str, *lines: int, ranges: Sequence[tuple[int, int]] = ()) -> int:
        number, depth = len(self.lines) + 1, len(self._scopes) - 1
        line = Line(number, depth, self.search.formulas[n], rule, lines, tuple(ranges))
        self.lines.append(line)
        self._scopes[-1].setdefault(n, number)
        return number

    def _last(self, goal: int, plan: Plan) -> None:
        """Prove a goal so that it is on the last line, in the innermost sub-proof."""
        number = self._prove(goal, plan)
        if number < len(self.lines) or self.lines[-1].depth < len(self._scopes) - 1:
            self._add(goal, "reiteration", number)

    def _prove(self, goal: int, plan: Plan) -> int:
        """Write the lines of a plan; returns the number of the line of the goal."""
        known = self._known
        if goal in known:
            return known[goal]
        parts = self.search.parts[goal]
        match plan.move:
            case "and intro":
                return self._add(goal, "and intro", *map(self._prove, parts, plan.parts))
            case "or intro":
                return self._add(goal, "or intro", self._prove(plan.formulas[0], plan.parts[0]))
            case "explosion":
                return self._add(goal, "false elim", self._prove(self.search.false, plan.parts[0]))
            case "lemma":
                self._prove(plan.formulas[0], plan.parts[0])
                return self._prove(goal, plan.parts[1])
            case "refuted":
                self._prove(plan.formulas[0], plan.parts[0])
        if plan.move in {"", "refuted"}:
            return self._eliminate(goal)
        return self._discharge(goal, plan, parts)

    def _discharge(self, goal: int, plan: Plan, parts: Sequence[int]) -> int:
        """Prove a goal by a rule with sub-proofs."""
        false = self.search.false
        cited = list[int]()
        match plan.move:
            case "cases":
                (split,) = plan.formulas
                starts = self.search.parts[split]
                cited.append(self._eliminate(split))
                rule, pairs = "or elim", [(start, goal) for start in starts]
            case "indirect":
                opposite = self.search.numbers["not", self.search.formulas[goal]]
                rule, pairs = "indirect proof", [(opposite, false)]
            case "not intro":
                rule, pairs = plan.move, [(parts[0], false)]
            case _:
                rule, pairs = plan.move, [(parts[0], parts[1]), (parts[1], parts[0])]
        ranges = [self._subproof(start, end, part) for (start, end), part in zip(pairs, plan.parts)]
        return self._add(goal, rule, *cited, ranges=ranges)

    def _subproof(self, start: int, end: int, plan: Plan) -> tuple[int, int]:
        """Prove a formula from an assumption; returns the first and the last line."""
        self._scopes.append({})
        first = self._add(start, "assumption")
        self._last(end, plan)
        self._scopes.pop()
        return first, len(self.lines)

    def _eliminate(self, goal: int) -> int:
        """Write the eliminations that yield a goal; returns the number of its line."""
        known = self._known
        ways = dict[int, Elimination]()
        reached, before = set(known), 0
        while goal not in reached and len(reached) > before:
            before = len(reached)
            for each in self.search.eliminations:
                if each.result not in reached and reached.issuperset(each.cited):
                    ways.setdefault(each.result, each)
            reached.update(ways)

        def line(n: int) -> int:
            if n not in known:
                way = ways[n]
                known[n] = self._add(n, way.rule, *map(line, way.cited))
            return known[n]

        return line(goal)


def short_proof(search: Search, deepest: int = DEEPEST) -> list[Line] | None:
    """The lines of a short proof; None where the search finds none.

    >>> sequent = [("if", ("p",), ("q",)), ("not", ("q",))], ("not", ("p",))
    >>> [line.rule for line in short_proof(Search(*sequent))]
    ['premise', 'premise', 'assumption', 'if elim', 'not elim', 'not intro']
    """
    plan = search.plan(deepest)
    return Proof(search, plan).lines if plan else None
