"""Tests of logic/temporal_logic."""

from random import Random

import networkx
import pytest

from palaestra.address import Address
from palaestra.envs.logic.temporal_logic import TemporalLogic
from palaestra.generators.logic.temporal_logic import (
    BRANCHING,
    LINEAR,
    System,
    harmless,
    misreadings,
    random_formula,
    random_system,
    searched,
    truth,
    wording,
)
from palaestra.task import InvalidAnswer

NAME = "logic/temporal_logic"
SUCCESSORS, LABELS = ((1, 2), (1,), (3,), (0,)), ("p", "q", "p", "")
TASK = TemporalLogic(time="branching", successors=SUCCESSORS, labels=LABELS, formula=("AF", ("q",)))


def mask(states):
    return sum(1 << n for n in states)


def along_the_run(formula, system, state):
    """The truth of a formula of linear time, on a run that is long enough to repeat itself."""
    link, *parts = formula
    if not parts:
        return link in system.labels[state]
    run = [state]
    while len(run) < 2 * len(system.labels):
        run.append(system.successors[run[-1]][0])
    values = [[along_the_run(part, system, each) for each in dict.fromkeys(run)] for part in parts]
    match link:
        case "not":
            return not values[0][0]
        case "and":
            return values[0][0] and values[1][0]
        case "or":
            return values[0][0] or values[1][0]
        case "X":
            return along_the_run(parts[0], system, run[1])
        case "F":
            return any(values[0])
        case "G":
            return all(values[0])
    return any(values[1][n] and all(values[0][:n]) for n in range(len(values[1])))


def on_paths(formula, system):
    """The states at which a formula of branching time holds, by networkx."""
    link, *parts = formula
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(system.labels)))
    graph.add_edges_from((n, each) for n, after in enumerate(system.successors) for each in after)
    whole = set(graph)
    if not parts:
        return {n for n in whole if link in system.labels[n]}
    sets = [on_paths(part, system) for part in parts]

    def until(through, goal):
        inside = graph.edge_subgraph([edge for edge in graph.edges if edge[0] in through])
        return {
            n
            for n in whole
            if n in goal or (n in inside and goal & networkx.descendants(inside, n))
        }

    def always(states):
        inside = graph.subgraph(states)
        cyclic = {
            n
            for part in networkx.strongly_connected_components(inside)
            for n in part
            if len(part) > 1 or inside.has_edge(n, n)
        }
        return {n for n in states if n in cyclic or cyclic & networkx.descendants(inside, n)}

    def next_in(states):
        return {n for n in whole if states & set(graph.successors(n))}

    first, last = sets[0], sets[-1]
    match link:
        case "not":
            return whole - first
        case "and":
            return first & last
        case "or":
            return first | last
        case "EX":
            return next_in(first)
        case "AX":
            return whole - next_in(whole - first)
        case "EF":
            return until(whole, first)
        case "AG":
            return whole - until(whole, whole - first)
        case "EG":
            return always(first)
        case "AF":
            return whole - always(whole - first)
        case "EU":
            return until(first, last)
    return whole - until(whole - last, whole - first - last) - always(whole - last)


def test_truth_is_the_same_in_three_ways():
    rng, number = Random(0), 0
    for _ in range(120):
        linear = rng.random() < 0.5
        system = random_system(rng, rng.randint(4, 9), "pq", linear=linear)
        signs = LINEAR if linear else BRANCHING
        formula = random_formula(rng, system, "pq", rng.randint(1, 3), signs)
        if formula is None:
            continue
        number += 1
        states = truth(formula, system).states
        assert 1 < states.bit_count() < len(system.labels) - 1
        assert mask(searched(formula, system)) == states
        if linear:
            right = (n for n in range(len(system.labels)) if along_the_run(formula, system, n))
            assert mask(right) == states
        else:
            assert mask(on_paths(formula, system)) == states
    assert number > 70


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (("EX", ("q",)), {0, 1}), (("AX", ("q",)), {1}), (("EF", ("q",)), {0, 1, 2, 3}),
        (("AF", ("q",)), {1}), (("EG", ("q",)), {1}), (("EG", ("not", ("q",))), {0, 2, 3}),
        (("AG", ("EF", ("p",))), set()), (("EU", ("p",), ("q",)), {0, 1}),
        (("AU", ("p",), ("not", ("p",))), {0, 1, 2, 3}), (("AG", ("q",)), {1}),
    ],
)  # fmt: skip
def test_branching_time(formula, states):
    system = System(SUCCESSORS, LABELS)
    assert truth(formula, system).states == mask(states)
    assert searched(formula, system) == states


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (("X", ("p",)), {2}), (("F", ("q",)), {0, 1, 2, 3}), (("G", ("not", ("q",))), set()),
        (("U", ("p",), ("q",)), {0, 1, 3}), (("U", ("q",), ("p",)), {0, 3}),
        (("F", ("G", ("p",))), set()), (("G", ("F", ("X", ("p",)))), {0, 1, 2, 3}),
    ],
)  # fmt: skip
def test_linear_time(formula, states):
    system = System(((1,), (2,), (3,), (1,)), ("p", "q", "", "p"))
    assert truth(formula, system).states == mask(states)
    assert searched(formula, system) == states


def test_every_state_of_a_random_system_is_reached():
    for seed in range(40):
        for linear in (True, False):
            system = random_system(Random(seed), 4 + seed % 9, "pq", linear=linear)
            graph = networkx.DiGraph(
                (n, each) for n, after in enumerate(system.successors) for each in after
            )
            assert len(networkx.descendants(graph, 0) | {0}) == len(system.labels)
            degrees = [len(each) for each in system.successors]
            assert min(degrees) > 0
            assert (max(degrees) == 1) == linear or not linear
            assert max(degrees) <= 3


def test_misreadings():
    system = System(SUCCESSORS, LABELS)
    sets = misreadings(("AF", ("q",)), system)
    assert sets["some for all"] == mask({0, 1, 2, 3})
    assert sets["one step only"] == mask({1})
    assert sets["first next state only"] == mask({0, 1, 2, 3})
    assert sets["outermost operator left out"] == mask({1})
    assert "until as eventually" not in sets
    assert "all for some" not in sets
    assert harmless(("AF", ("q",)), system) == (3, -4)


def test_misreadings_of_most_tasks_give_other_states():
    same = number = 0
    for level in range(2, TemporalLogic.Knobs.levels(), 2):
        for seed in range(5):
            task = Address.of(NAME, seed, level).task()
            wrong, rest = harmless(task.formula, task.system)
            same += wrong
            number += wrong - rest
    assert same / number < 0.05


def test_wording():
    formula = ("U", ("or", ("p",), ("q",)), ("not", ("G", ("and", ("p",), ("not", ("q",))))))
    assert wording(formula) == "((p or q) U not G(p and not q))"
    formula = ("EU", ("not", ("and", ("p",), ("q",))), ("AX", ("p",)))
    assert wording(formula) == "E(not (p and q) U AX(p))"


def outer_part(formula, number):
    """A formula without its operators that are inside so many others."""
    link, *parts = formula
    if parts and link not in {"not", "and", "or"}:
        if not number:
            return outer_part(parts[-1], 0)
        number -= 1
    return (link, *(outer_part(part, number) for part in parts))


@pytest.mark.parametrize(("level", "number"), [(2, 1), (3, 2), (5, 2), (7, 2)])
def test_the_inner_operators_matter(level, number):
    right = 0
    for seed in range(30):
        task = Address.of(NAME, seed, level).task()
        only = truth(outer_part(task.formula, number), task.system)
        right += only.states == task.truth().states
    assert right <= 3


@pytest.mark.parametrize(
    "answer",
    ["s1", "S1", "{s1}", '["s1"]', "s_1", "$\\{s_{1}\\}$", "s₁", "States: s1", "**States:** s1"],
)
def test_right_answers(answer):
    assert TASK.verify(answer).value == 1


@pytest.mark.parametrize(("answer", "progress"), [("none", 0.75), ("s0, s1", 0.75), ("s2", 0.5)])
def test_wrong_answers(answer, progress):
    score = TASK.verify(answer)
    assert (score.value, score.reason) == (0, "some states are wrong or missing")
    assert score.parts["progress"] == progress
    assert not TASK.audit(answer)


@pytest.mark.parametrize("answer", ["s4", "s-1", "1", "all", "s1, s1", "s" * 9_000, "9" * 9_000])
def test_unreadable_answers(answer):
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer)


def test_the_scene_shows_what_the_prompt_states():
    for seed in range(4):
        task = Address.of(NAME, seed, 4).task()
        scene = task.scene()
        prompt = task.prompt()
        for n, node in enumerate(scene.nodes):
            after = " or ".join(scene.nodes[e.end].name for e in scene.edges if e.start == n)
            label = node.note.replace(" ", ", ") or "none"
            assert f"\n{node.name}: {label}; next: {after}\n" in prompt
        assert {node.tone for node in scene.nodes} == {"paper"}
        marked = [n.name for n in task.solved_scene(task.answer()).nodes if n.tone == "accent"]
        assert ", ".join(marked) == task.answer()
