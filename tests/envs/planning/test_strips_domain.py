"""Tests of planning/strips_domain."""

import re

import networkx
import pytest

from palaestra.address import Address
from palaestra.envs.planning.strips_domain import StripsDomain
from palaestra.generators.planning.strips_domain import (
    Domain,
    Goal,
    Literal,
    Names,
    Problem,
    Schema,
    ground,
    grounded,
)
from palaestra.task import InvalidAnswer

LEVELS = range(StripsDomain.Knobs.levels())


def sampled(seed, level, **knobs):
    return Address.of("planning/strips_domain", seed, level, **knobs).task()


@pytest.mark.parametrize("level", LEVELS[:4])
def test_no_plan_is_shorter(level):
    for seed in range(6):
        task = sampled(seed, level)
        graph, queue = networkx.DiGraph(), [task.initial()]
        graph.add_node(task.initial())
        while queue:
            state = queue.pop()
            for _, after in task.ways(state):
                if after not in graph:
                    queue.append(after)
                graph.add_edge(state, after)
        lengths = networkx.single_source_shortest_path_length(graph, task.initial())
        goals = [n for state, n in lengths.items() if task.problem.goal.holds(state)]
        assert min(goals) == len(task.plan()) == task.problem.length


def sexpression(text):
    """Nested lists of a PDDL text."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token)
    return stack[0]


def part(expression, name):
    return next(each[1:] for each in expression if each[:1] == [name])


def holds(literal, true, binding):
    wanted = literal[0] != "not"
    atom = literal if wanted else literal[1]
    return (tuple(binding.get(term, term) for term in atom) in true) == wanted


@pytest.mark.parametrize("level", LEVELS)
def test_a_plan_is_right_by_the_pddl_alone(level):
    for seed in range(4):
        task = sampled(seed, level, rendering="pddl")
        text = task.prompt()
        domain, problem = sexpression(text[text.index("(define") : text.rindex("\n\nDifferent")])
        actions = {each[1]: each[2:] for each in domain if each[:1] == [":action"]}
        true = {tuple(atom) for atom in part(problem, ":init")}
        for line in task.answer().splitlines():
            name, *objects = line.split()
            _, parameters, _, condition, _, effect = actions[name]
            binding = dict(zip(parameters, objects, strict=True))
            assert all(holds(literal, true, binding) for literal in condition[1:])
            atoms = [literal if literal[0] != "not" else literal[1] for literal in effect[1:]]
            bound = [tuple(binding.get(term, term) for term in atom) for atom in atoms]
            for literal, atom in zip(effect[1:], bound):
                (true.discard if literal[0] == "not" else true.add)(atom)
        assert all(holds(literal, true, {}) for literal in part(problem, ":goal")[0][1:])


# Lifting needs something clean that is not high; it makes it high and no longer clean. Passing
# needs a link, and makes the second thing clean for the first one that is high.
DOMAIN = Domain(
    schemas=(
        Schema(
            1,
            (Literal(0, 0, True), Literal(1, 0, False)),
            (Literal(0, 0, False), Literal(1, 0, True)),
        ),
        Schema(2, (Literal(1, 0, True),), (Literal(0, 1, True), Literal(1, 0, False))),
    ),
    predicates=2,
    objects=3,
    links=((0, 1), (1, 2)),
)
TASK = StripsDomain(
    problem=Problem(DOMAIN, 0b000001, Goal(0b100000, 0b100000), 5),
    names=Names(("lift", "pass"), ("clean", "high"), ("udor", "binop", "zakan")),
    spare=0,
    is_pddl=False,
)
PLAN = "lift udor\npass udor binop\nlift binop\npass binop zakan\nlift zakan"


def test_a_plan_by_hand():
    assert len(grounded(DOMAIN)) == 5
    assert ground(DOMAIN, (1, 0, 1)).add == 0b000010
    assert TASK.answer() == PLAN
    assert TASK.verify(PLAN).value == 1
    assert TASK.verify("(lift udor)\npass(udor, binop)\n" + "\n".join(PLAN.split("\n")[2:])).value


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("lift binop", "in action 1, a condition of the action does not hold"),
        (
            "lift udor\npass udor zakan",
            "in action 2, the first object is not linked to the second one",
        ),
        ("lift udor", "the goal does not hold in the end"),
        ("lift udor\n" * 6, "6 actions exceed the limit of 5"),
    ],
)
def test_wrong_plans(plan, reason):
    assert TASK.verify(plan).reason == reason
    assert not TASK.audit(plan)


@pytest.mark.parametrize(
    ("plan", "message"),
    [("jump udor", "an action on each line"), ("pass udor", "an action has 2 objects, not 1")],
)
def test_what_is_no_plan(plan, message):
    with pytest.raises(InvalidAnswer, match=message):
        TASK.verify(plan)


def test_both_renderings_state_the_same():
    prose = TASK.prompt()
    assert "- lift X: possible if X is clean, X is not high. Afterwards, X is not clean" in prose
    assert "Links, which hold in one direction: udor to binop, binop to zakan." in prose
    pddl = TASK.model_copy(update={"is_pddl": True}).prompt()
    assert "(:action lift\n    :parameters (?x)" in pddl
    assert ":precondition (and (clean ?x) (not (high ?x)))" in pddl


def test_a_plan_on_one_line_or_behind_a_heading():
    right = TASK.answer()
    actions = right.splitlines()
    assert len(actions) > 1
    for text in (
        f"Plan: {', '.join(actions)}",
        f"Plan:\n{right}",
        "; ".join(actions),
        " -> ".join(actions),
        ", ".join(actions),
    ):
        assert TASK.verify(text).value == 1, text
        assert TASK.audit(text)
