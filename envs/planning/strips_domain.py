"""Plans in invented domains.

The actions are those of STRIPS (R. Fikes and N. Nilsson, 1971), with negative conditions; half of
the tasks are in the planning domain definition language (D. McDermott and others, "PDDL - The
Planning Domain Definition Language", 1998). PlanBench (K. Valmeekam and others, 2023) renames the
actions of known domains. Here the domain itself is new with each task.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal, Self

from palaestra.generators.planning.strips_domain import (
    Goal,
    Names,
    Problem,
    Step,
    by_name,
    ground,
    grounded,
    in_pddl,
    random_domain,
    random_problem,
    shortest_plan,
    world_in_prose,
)
from palaestra.generators.vocabulary import words
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.planning.plans import Illegal, PlanPuzzle
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.layout import ARROW
from palaestra.verifiers.reading.moves import steps

NOWHERE = Problem(random_domain(Random(0), 3, 3, 3), 0, Goal(0, 0), 0)
"""A problem that is no task: its goal holds at the start."""

_BETWEEN = str.maketrans("(),[]", "     ")


class StripsDomain(PlanPuzzle):
    """Find a plan in an invented domain, whose actions have conditions and effects."""

    tags = {"planning", "search"}
    units = "actions"
    answer_type = "moves"

    class Knobs(PlanPuzzle.Knobs):
        actions: int = ladder(3, 4, 5, 6, 7, 7, 8, low=3, high=10)
        predicates: int = ladder(3, 3, 4, 4, 5, 6, 6, low=3, high=8)
        objects: int = ladder(3, 3, 4, 4, 5, 5, 6, low=3, high=7)
        depth: int = ladder(2, 3, 5, 7, 9, 11, 13, low=1, high=14)  # actions of a shortest plan
        spare: int = ladder(2, 1, 1, 0, 0, 0, 0, high=4)  # actions beyond these
        rendering: Literal["prose", "pddl", "either"] = ladder("either", "either")

    problem: Problem
    names: Names
    spare: int
    is_pddl: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        domain = random_domain(rng, knobs.actions, knobs.predicates, knobs.objects)
        names = words(rng, knobs.actions + knobs.predicates + knobs.objects, 4, 6)
        objects = knobs.actions + knobs.predicates
        problem = random_problem(rng, domain, knobs.depth)
        is_pddl = rng.random() < 0.5 if knobs.rendering == "either" else knobs.rendering == "pddl"
        return cls(
            problem=problem or NOWHERE,
            names=Names(names[: knobs.actions], names[knobs.actions : objects], names[objects:]),
            spare=knobs.spare,
            is_pddl=is_pddl,
        )

    def is_valid(self) -> bool:
        return self.problem.length > 0

    def canonical(self) -> str:
        return repr((self.problem, self.spare))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a plan: a sequence of actions that leads from the first state to the goal.",
            "Which actions, one after the other, reach the goal from the first state?",
        )
        rules = (
            "An action is possible if all of its conditions hold, and changes nothing but what is "
            "stated. The goal has to hold after the last action."
        )
        world = (
            f"{in_pddl(self.problem, self.names)}\n\nDifferent parameters of an action are "
            "different objects."
            if self.is_pddl
            else world_in_prose(self.problem, self.names)
        )
        verb = next(
            name
            for name, schema in zip(self.names.actions, self.problem.domain.schemas)
            if schema.parameters == 2
        )
        example = f"{verb} {self.names.objects[0]} {self.names.objects[1]}"
        return (
            f"{task} {rules}\n\n{world}\n\nUse at most {self.move_limit()} actions. Write one a "
            f"line, the action and then its objects, such as '{example}'."
        )

    def search(self) -> Sequence[Step] | None:
        result = shortest_plan(self.problem)
        return result and result[0]

    def move_limit(self) -> int:
        return self.problem.length + self.spare

    def difficulty(self) -> float:
        """The number of states that the planner visits."""
        result = shortest_plan(self.problem)
        return float(result[1]) if result else 0.0

    def initial(self) -> int:
        return self.problem.initial

    def after(self, state: int, move: Step) -> int:
        domain = self.problem.domain
        if len(move) == 3 and move[1:] not in domain.links:
            raise Illegal("the first object is not linked to the second one")
        step = ground(domain, move)
        if state & step.mask != step.value:
            raise Illegal("a condition of the action does not hold")
        return state & step.keep | step.add

    def violation(self, state: int) -> str:
        return "" if self.problem.goal.holds(state) else "the goal does not hold in the end"

    def distance(self, state: int) -> float:
        """The number of parts of the goal that do not hold."""
        goal = self.problem.goal
        return float(((state ^ goal.value) & goal.mask).bit_count())

    def moves_from(self, state: int) -> Iterable[Step]:
        return (each.step for each in grounded(self.problem.domain))

    def as_text(self, moves: Iterable[Step]) -> str:
        actions, _, objects = self.names
        return "\n".join(
            " ".join([actions[move[0]], *(objects[x] for x in move[1:])]) for move in moves
        )

    def actions_of(self, answer: str) -> list[str]:
        """The actions of a plan, of which several may stand on a line with arrows, commas or
        semicolons between them.
        """
        known, rows = {name.casefold() for name in self.names.actions}, list[str]()
        for line in steps(answer):
            words = ARROW.sub(" ", line).replace(";", " ").replace(",", " ").split()
            for n, word in enumerate(words):
                name = word.strip("[(.").casefold().partition("(")[0]
                if n == 0 or name in known:
                    rows.append(word)
                else:
                    rows[-1] = f"{rows[-1]} {word}"
        return rows

    def read(self, answer: str) -> list[Step]:
        actions, objects = by_name(self.names.actions), by_name(self.names.objects)
        plan = list[Step]()
        for line in self.actions_of(unheaded(answer, ("plan", "actions"))):
            verb, *terms = line.casefold().rstrip(".").translate(_BETWEEN).split() or [""]
            if verb not in actions or not all(term in objects for term in terms):
                raise InvalidAnswer("expected an action on each line, and then its objects")
            parameters = self.problem.domain.schemas[actions[verb]].parameters
            if len(terms) != parameters:
                raise InvalidAnswer(f"an action has {parameters} objects, not {len(terms)}")
            plan.append((actions[verb], *(objects[term] for term in terms)))
        return plan

    def audit(self, answer: str) -> bool:
        """Carry the plan out on the set of what is true, instead of numbers."""
        domain, goal, number = self.problem.domain, self.problem.goal, self.problem.domain.objects
        bits = range(domain.predicates * number)
        true = {divmod(n, number) for n in bits if self.problem.initial >> n & 1}
        plan = self.read(answer)
        for action, *objects in plan:
            schema = domain.schemas[action]
            if len(objects) == 2 and tuple(objects) not in domain.links:
                return False
            conditions = ((each, objects[each.parameter]) for each in schema.conditions)
            if any(((each.predicate, x) in true) != each.positive for each, x in conditions):
                return False
            changes = [
                (each.predicate, objects[each.parameter], each.positive) for each in schema.effects
            ]
            true -= {(p, x) for p, x, positive in changes if not positive}
            true |= {(p, x) for p, x, positive in changes if positive}
        wanted = (n for n in bits if goal.mask >> n & 1)
        reached = all((divmod(n, number) in true) == (goal.value >> n & 1) for n in wanted)
        return reached and len(plan) <= self.move_limit()
