"""Tests of graphs/minimum_cost_flow."""

from itertools import product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.minimum_cost_flow import MinimumCostFlow
from palaestra.generators.graphs.minimum_cost_flow import cheapest_flow, has_cheaper_cycle
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/minimum_cost_flow"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


def networkx_flow(task):
    """The flow of least cost that networkx computes."""
    graph, rates = nx.DiGraph(), task.rates()
    graph.add_node(0, demand=-task.amount)
    graph.add_node(task.sink, demand=task.amount)
    for u, v, capacity in task.graph.edges:
        graph.add_edge(u, v, capacity=capacity, weight=rates[u, v])
    flows = nx.min_cost_flow(graph)
    return {(u, v): amount for u, beside in flows.items() for v, amount in beside.items()}


@settings(max_examples=25, deadline=None)
@given(SEEDS, LEVELS)
def test_the_cost_is_that_of_networkx(seed, level):
    task = sampled(NAME, seed, level)
    theirs = networkx_flow(task)
    assert task.worth(task.read(task.answer())) == task.worth(theirs)
    assert task.verify(task.as_text(theirs)).value == 1
    assert task.audit(task.as_text(theirs))


def test_the_cheapest_flow_by_trying_all():
    rng = Random(3)
    edges = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    for _ in range(40):
        limits = {edge: rng.randint(1, 3) for edge in edges}
        costs = {edge: rng.randint(0, 5) for edge in edges}
        best: dict[int, int] = {}
        for numbers in product(*(range(limits[edge] + 1) for edge in edges)):
            flow = dict(zip(edges, numbers))
            if flow[0, 1] != flow[1, 2] + flow[1, 3] or flow[0, 2] + flow[1, 2] != flow[2, 3]:
                continue
            sent = flow[0, 1] + flow[0, 2]
            cost = sum(flow[edge] * costs[edge] for edge in edges)
            best[sent] = min(cost, best.get(sent, cost))
            expected = has_cheaper_cycle(limits, costs, flow)
            assert expected == (cost > min_cost(limits, costs, sent))
        for sent, cost in best.items():
            assert min_cost(limits, costs, sent) == cost


def min_cost(limits, costs, amount):
    flow = cheapest_flow(limits, costs, 3, amount).solution
    return sum(number * costs[edge] for edge, number in flow.items())


@pytest.mark.parametrize("level", range(7))
def test_the_cheapest_paths_have_to_be_given_up(level):
    """By construction: few tasks have to be discarded since the greedy flow is optimal."""
    knobs, rng = MinimumCostFlow.Knobs.at(level), Random(level)
    tasks = [MinimumCostFlow.generate(rng, knobs) for _ in range(60)]
    solved = 0
    for task in tasks:
        greedy = cheapest_flow(
            task.graph.weights(), task.rates(), task.sink, task.amount, undo=False
        ).solution
        best = task.worth(task.search().solution)
        solved += not task.violation(greedy) and task.worth(greedy) == best
    assert solved <= 10


def test_the_amount_can_be_sent():
    for level, seed in product(range(7), range(8)):
        task = Address.of(NAME, seed, level).task()
        assert not task.violation(task.read(task.answer()))
        assert task.amount > 0


SQUARE = MinimumCostFlow(
    graph=Graph(
        names=tuple("SXYT"),
        edges=((0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1)),
        encoding="edges",
        directed=True,
        measure="capacity",
    ),
    costs=(1, 5, 1, 5, 1),
    amount=2,
)


def test_flow_by_hand():
    """The cheapest path S-X-Y-T has to be given up."""
    assert SQUARE.answer() == "S -> X: 1\nS -> Y: 1\nX -> T: 1\nY -> T: 1"
    score = SQUARE.verify(SQUARE.answer() + "\nTotal cost: 12")
    assert (score.value, score.parts["cost"]) == (1, 12)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("S -> X: 2\nX -> T: 2", "the edge from S to X cannot carry 2"),
        ("S -> X: 1\nX -> Y: 1\nY -> T: 1", "the flow sent is 1, not 2"),
        ("S -> X: 1", "1 comes into X, but 0 goes out"),
        ("T -> S: 1", "there is no edge from T to S"),
        ("S -> X: -1", "the edge from S to X cannot carry -1"),
    ],
)
def test_reasons(answer, reason):
    score = SQUARE.verify(answer)
    assert (score.value, score.reason) == (0, reason)


def test_a_dearer_flow_is_wrong():
    task = Address.of(NAME, 2, 3).task()
    short = task.naive_solutions()[1]
    score = task.verify(task.as_text(short))
    assert score.value == 0
    assert "a better solution exists" in score.reason
    assert not task.audit(task.as_text(short))


@pytest.mark.parametrize("answer", ["S -> X", "S -> X: 1.5", "S -> X: 1\ns->x: 1", "Q -> X: 1"])
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        SQUARE.verify(answer)


def test_prompts_state_all_costs():
    for seed in range(20):
        task = Address.of(NAME, seed, 2).task()
        costs = task.prompt().split("The cost of a unit")[1].split("\n\n")[0]
        numbers = [word.rstrip(",)") for word in costs.split() if word.rstrip(",)").isdecimal()]
        if task.graph.encoding != "matrix":
            for (u, v), cost in task.rates().items():
                assert f"{task.graph.names[u]} -> {task.graph.names[v]}: {cost}" in costs
        else:
            for cost in task.costs:
                assert str(cost) in numbers


@pytest.mark.parametrize(
    "answer",
    [
        "S to X: 1\nS to Y: 1\nX to T: 1\nY to T: 1",
        "From S to X: 1 unit\nFrom S to Y: 1 unit\nFrom X to T: 1 unit\nFrom Y to T: 1 unit",
        "- Edge S -> X: 1\n- Edge S -> Y: 1\n- Edge X -> T: 1\n- Edge Y -> T: 1",
        "$S \\to X$: 1\n$S \\to Y$: 1\n$X \\rightarrow T$: 1\n$Y \\to T$: 1",
        "S -> X: 1 units of flow, S -> Y: 1, X -> T: 1, Y -> T: 1 unit",
    ],
)
def test_words_and_latex_for_arrows(answer):
    assert SQUARE.verify(answer).value == 1


@pytest.mark.parametrize("answer", ["S <-> X: 1", "S to X: 1 or 0", "X <- S: 1"])
def test_other_arrows_are_refused(answer):
    with pytest.raises(InvalidAnswer):
        SQUARE.verify(answer)
