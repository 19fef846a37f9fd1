"""Scenes of puzzles about graphs, compared with their prompts as these are read here."""

import re
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest

import palaestra
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, NodeSet, Walk
from palaestra.generators.graphs.scenes import MOST_PER_NODE, Look, network, numbered
from palaestra.registry import names
from palaestra.scenes import Cards, Grid, Panels, Timeline, from_json, to_json
from palaestra.scenes import Graph as Network
from palaestra.scenes.layouts import drawing
from palaestra.task import InvalidAnswer

ALL = [name for name in names() if name.startswith("graphs/")]
OTHERS = {
    f"graphs/{name}"
    for name in (
        "degree_sequence", "graph_from_distances", "interval_independent_set", "graph_isomorphism",
        "lowest_common_ancestor", "tree_from_pruefer_code", "traversal_order",
        "tree_from_traversals", "path_queries", "tree_from_leaf_distances",
        "minimum_cost_flow", "subgraph_isomorphism", "construct_with_property",
    )
}  # fmt: skip
"""Those whose scene is not one graph, or has texts of its own on the edges."""

SEEDS = (1, 2, 3)
LABELS = re.compile(r"[A-Za-z]+|\d+")


@cache
def tasks(name):
    """Tasks of every level."""
    levels = type(palaestra.Address.of(name).task()).Knobs.levels()
    return [palaestra.Address.of(name, seed, n).task() for n in range(levels) for seed in SEEDS]


def each(selection):
    return pytest.mark.parametrize("name", sorted(selection))


# ------------------------------------------------------------------ graphs in prompts


def edges_in(text, directed):
    """The edges that a text describes in any encoding: names of both ends, and the number or ''."""
    lines = text.splitlines()
    head = next(n for n, line in enumerate(lines) if line.startswith(("Nodes:", "Places", "The m")))
    body = lines[head + 1 :]
    if lines[head].startswith("The matrix has a row"):
        return incidences(body, directed)
    if lines[head].startswith("Places"):
        return sentences(" ".join(body[1:]))
    if body[0].startswith("Edges"):
        rows = (
            re.fullmatch(r"(\w+) -+>? (\w+)(?:: (\d+))?", line) for line in until_empty(body[1:])
        )
        return {(row[1], row[2], row[3] or "") for row in rows}
    if body[0].startswith("For each node"):
        edges = set()
        for line in until_empty(body[1:]):
            here, near = line.split(": ")
            for item in near.split(", ") if near != "none" else ():
                there, number = re.fullmatch(r"(\w+)(?: \((\d+)\))?", item).groups()
                edges.add((here, there, number or ""))
        return edges
    if body[0].startswith("The matrix"):
        weighted = "has a 1 for an edge" not in body[0]
        return matrix(until_empty(body[1:]), weighted)
    return sentences(body[0])


def until_empty(lines):
    return lines[: lines.index("")] if "" in lines else lines


def matrix(lines, weighted):
    columns = lines[0].split()
    edges = set()
    for line in lines[1:]:
        here, *cells = line.split()
        for there, cell in zip(columns, cells, strict=True):
            if cell != ".":
                edges.add((here, there, cell if weighted else ""))
    return edges


def incidences(lines, directed):
    rows = {line.split()[0]: line.split()[1:] for line in until_empty(lines)}
    numbers = [rows.pop(key) for key in [*rows] if key in {"length", "cost", "weight", "capacity"}]
    edges = set()
    for column in range(len(next(iter(rows.values())))):
        ends = {name: row[column] for name, row in rows.items() if row[column] != "."}
        order = sorted(ends, key=lambda name: int(ends[name])) if directed else [*ends]
        edges.add((*order, numbers[0][column] if numbers else ""))
    return edges


def sentences(text):
    edges = set()
    for sentence in text.split("."):
        number = re.search(r" of (?:length|cost|weight|capacity) (\d+)", sentence)
        ends = re.search(
            r"from (\w+) to (\w+)|joins (\w+) and (\w+)|(\w+) and (\w+) are joined", sentence
        )
        if ends:
            one, other = filter(None, ends.groups())
            edges.add((one, other, number[1] if number else ""))
    return edges


def both_ways(edges):
    return {edge for u, v, text in edges for edge in ((u, v, text), (v, u, text))}


# ------------------------------------------------------------------ graphs in scenes


def unwrapped(scene):
    """The graph or table of a scene: a table of a directed graph has a caption."""
    return scene.scenes[0] if isinstance(scene, Panels) else scene


def shown(scene, directed):
    """The edges of a scene: names of both ends, and the text."""
    scene = unwrapped(scene)
    if isinstance(scene, Network):
        assert scene.directed == directed
        called = [node.name for node in scene.nodes]
        edges = {(called[e.start], called[e.end], e.text) for e in scene.edges}
        assert len(edges) == len(scene.edges)
    else:
        called = [label for (label,) in scene.left]
        assert scene.top == scene.left
        assert [row[n].text for n, row in enumerate(scene.cells)] == called
        edges = {
            (u, v, cell.text)
            for u, row in zip(called, scene.cells)
            for v, cell in zip(called, row)
            if u != v and (cell.text or cell.mark)
        }
    return edges if directed else both_ways(edges)


def named(scene):
    scene = unwrapped(scene)
    return (
        [node.name for node in scene.nodes]
        if isinstance(scene, Network)
        else [label for (label,) in scene.left]
    )


def chosen_nodes(scene, tones=("accent",)):
    scene = unwrapped(scene)
    if isinstance(scene, Network):
        return {node.name for node in scene.nodes if node.tone in tones}
    return {row[n].text for n, row in enumerate(scene.cells) if row[n].fill in tones}


def chosen_edges(scene, directed=False):
    scene = unwrapped(scene)
    called = named(scene)
    if isinstance(scene, Network):
        edges = {(called[e.start], called[e.end]) for e in scene.edges if e.wide}
    else:
        edges = {
            (u, v)
            for u, row in zip(called, scene.cells)
            for v, cell in zip(called, row)
            if u != v and ("accent" in (cell.fill, cell.tone) or cell.mark == "cross")
        }
    return edges if directed else edges | {(v, u) for u, v in edges}


def sound(scene):
    assert from_json(to_json(scene)) == scene
    assert drawing(scene).shapes


# ------------------------------------------------------------------ questions


@each(ALL)
def test_scenes_are_json_both_ways_and_drawn(name):
    for task in tasks(name):
        sound(task.scene())
        sound(task.solved_scene(task.answer()))


@each(set(ALL) - OTHERS)
def test_the_scene_shows_the_edges_of_the_prompt(name):
    for task in tasks(name):
        directed = task.graph.directed
        edges = edges_in(task.prompt(), directed)
        assert len(edges) >= len(task.graph.edges)
        assert shown(task.scene(), directed) == (edges if directed else both_ways(edges))
        assert sorted(
            named(task.scene()), key=lambda n: (len(n) if n.isdigit() else 0, n)
        ) == named(task.scene())


def test_the_picture_does_not_depend_on_the_numbers_of_nodes():
    """These may be those of a solution, such as a topological order."""
    rng = Random(1)
    for nodes, edges in ((6, 8), (9, 35)):
        pairs = rng.sample(list(combinations(range(nodes), 2)), edges)
        order = rng.sample(range(nodes), nodes)
        names = "ABCDEFGHI"[:nodes]
        moved = tuple("".join(names[order.index(n)] for n in range(nodes)))
        one = Graph(tuple(names), tuple(pairs), "edges", directed=True)
        other = one._replace(names=moved, edges=tuple((order[u], order[v]) for u, v in pairs))
        assert network(one) == network(other)


def test_graphs_with_many_edges_are_tables():
    pairs = tuple(combinations(range(12), 2))
    few = int(MOST_PER_NODE * 12)
    graph = Graph(tuple("ABCDEFGHIJKL"), pairs, "edges")
    assert isinstance(network(graph), Grid)
    assert isinstance(network(graph._replace(edges=pairs[:few])), Network)
    assert isinstance(network(graph._replace(directed=True)), Panels)


@each(["graphs/shortest_path", "graphs/cheapest_path_with_few_edges", "graphs/maximum_flow"])
def test_the_ends_of_a_path_are_marked(name):
    for task in tasks(name):
        start, end = re.search(
            r"from (\w+) to (\w+)(?: along| among|[.?:])",
            task.prompt().split("\n\n")[-1 if "flow" not in name else 2],
        ).groups()
        scene = unwrapped(task.scene())
        assert chosen_nodes(scene, ("t6",)) == {start, end}
        if isinstance(scene, Network):
            notes = {node.note: node for node in scene.nodes if node.note}
            assert (notes["from"].name, notes["to"].name) == (start, end)
            assert (notes["from"].x, notes["to"].x) == (0, 1)
        else:
            notes = dict(zip(named(scene), scene.right))
            assert (notes[start], notes[end]) == (("from",), ("to",))


def test_terminals_and_roots_are_marked():
    for task in tasks("graphs/steiner_tree"):
        ends = re.search(r"(?:the nodes|Connect) (.*?) (?:with one|by a)", task.prompt())[1]
        assert chosen_nodes(task.scene(), ("t6",)) == set(ends.split(", "))
    for task in tasks("graphs/lowest_common_ancestor"):
        root = re.search(r"(\w+) is its root|by (\w+), its root", task.prompt())
        assert chosen_nodes(task.scene(), ("t6",)) == {root[1] or root[2]}


def test_sides_of_a_bipartite_graph_are_columns():
    for task in tasks("graphs/bipartite_matching"):
        left = re.search(r"one of the nodes (.*?) with", task.prompt())[1].split(", ")
        nodes = task.scene().nodes
        assert {node.name for node in nodes if node.x == 0} == set(left)
        assert {node.x for node in nodes} == {0, 1}
        assert len({(node.x, node.y) for node in nodes}) == len(nodes)


def test_days_of_jobs():
    for task in tasks("graphs/critical_path"):
        days = dict(re.findall(r"^(\w+): (\d+)$", task.prompt().split("takes:")[1], re.MULTILINE))
        assert {node.name: node.note for node in task.scene().nodes} == {
            name: f"{number} d" for name, number in days.items()
        }


def test_degrees_and_pairs_that_must_not_be_joined():
    for task in tasks("graphs/degree_sequence"):
        scene, prompt = task.scene(), task.prompt()
        degrees = re.findall(r"^(\w+): (\d+)$", prompt, re.MULTILINE)
        assert [(one, number) for (one,), (number,) in zip(scene.left, scene.right)] == degrees
        assert scene.right == scene.bottom
        shut = re.search(r"not be joined: (.*?)\.", prompt)[1].split(", ")
        pairs = {tuple(pair.split(" and ")) for pair in shut}
        crossed = {
            (u, v)
            for (u, _), row in zip(degrees, scene.cells)
            for (v, _), cell in zip(degrees, row)
            if cell.mark == "cross"
        }
        assert crossed == pairs | {(v, u) for u, v in pairs}


def test_tables_of_distances():
    for task in tasks("graphs/graph_from_distances"):
        rows = [line.split() for line in task.prompt().split("\n\n")[1].splitlines()]
        scene = task.scene()
        assert [label for (label,) in scene.left] == rows[0]
        for n, (row, cells) in enumerate(zip(rows[1:], scene.cells)):
            texts = [cell.text for cell in cells]
            assert texts == [*row[1 : n + 1], row[0], *row[n + 2 :]]


def test_intervals():
    for task in tasks("graphs/interval_independent_set"):
        lines = re.findall(
            r"^(\w+): from (\d+) to (\d+), weight (\d+)$", task.prompt(), re.MULTILINE
        )
        scene = task.scene()
        charts = [scene] if isinstance(scene, Timeline) else scene.scenes
        bars = [
            (label, str(bar.start), str(bar.end), note)
            for chart in charts
            for (bar,), label, note in zip(chart.rows, chart.labels, chart.notes)
        ]
        assert bars == lines


def test_codes():
    for task in tasks("graphs/tree_from_pruefer_code"):
        scene = task.scene()
        assert isinstance(scene, Cards)
        code = re.search(r"The code is: (.*)", task.prompt())[1]
        assert ", ".join(card.text for row in scene.rows for card in row) == code


@each(["graphs/graph_isomorphism", "graphs/subgraph_isomorphism"])
def test_two_graphs(name):
    for task in tasks(name):
        texts = task.prompt().split("The second graph:")
        for scene, text in zip(task.scene().scenes, texts, strict=True):
            assert shown(scene, directed=False) == both_ways(edges_in(text, directed=False))


def test_pairs_of_descendants():
    for task in tasks("graphs/lowest_common_ancestor"):
        tree, table = task.scene().scenes
        assert shown(tree, directed=False) == both_ways(edges_in(task.prompt(), directed=False))
        pairs = re.findall(r"^(\d+)\. (\w+) and (\w+)$", task.prompt(), re.MULTILINE)
        rows = [
            (label, *(cell.text for cell in row)) for (label,), row in zip(table.left, table.cells)
        ]
        assert rows == [(*pair, "") for pair in pairs]


# ------------------------------------------------------------------ answers


def names_of(base):
    return [name for name in ALL if isinstance(tasks(name)[0], base)]


@each(names_of(NodeSet))
def test_chosen_nodes_are_marked(name):
    for task in tasks(name):
        for answer in (task.answer(), task.example(4)):  # the second one is hardly ever right
            assert chosen_nodes(task.solved_scene(answer)) == set(answer.split(", "))


def test_edges_that_chosen_nodes_mark():
    """Those within a clique or core, between the parts of a cut, and those of what is left."""
    rules = {
        "maximum_clique": lambda u, v: u and v,
        "k_core": lambda u, v: u and v,
        "minimum_cut": lambda u, v: u != v,
        "feedback_vertex_set": lambda u, v: not u and not v,
    }
    for name, rule in rules.items():
        for task in tasks(f"graphs/{name}"):
            chosen = set(task.answer().split(", "))
            edges = {(u, v) for u, v, _ in shown(task.scene(), directed=False)}
            right = {(u, v) for u, v in edges if rule(u in chosen, v in chosen)}
            assert chosen_edges(task.solved_scene(task.answer())) == right


@each(names_of(EdgeSet))
def test_chosen_edges_are_marked(name):
    for task in tasks(name):
        directed = task.graph.directed
        pairs = {tuple(re.findall(r"\w+", edge)) for edge in task.answer().split(", ")}
        scene = task.solved_scene(task.answer())
        assert chosen_edges(scene, directed) == (
            pairs if directed else pairs | {(v, u) for u, v in pairs}
        )


@each([name for name in names_of(EdgeSet) if not tasks(name)[0].graph.directed])
def test_edges_that_do_not_exist_are_dashed(name):
    for task in tasks(name):
        edges = {(u, v) for u, v, _ in shown(task.scene(), directed=False)}
        pairs = combinations(named(task.scene()), 2)
        u, v = next(pair for pair in pairs if pair not in edges)
        scene = task.solved_scene(f"{u}-{v}")
        sound(scene)
        assert chosen_edges(scene) == {(u, v), (v, u)}
        if isinstance(scene, Network):
            assert [e.tone for e in scene.edges if e.dashed] == ["bad"]
        else:
            assert sum(cell.fill == "bad" for row in scene.cells for cell in row) == 2


WALKS = [
    name
    for name in names_of(Walk)
    if name not in {"graphs/topological_order", "graphs/travelling_salesman"}
]


@each(WALKS)
def test_walks_are_marked(name):
    for task in tasks(name):
        directed = task.graph.directed
        for answer in (task.answer(), " -> ".join(reversed(task.answer().split(" -> ")))):
            steps = list(pairwise(answer.split(" -> ")))
            scene = task.solved_scene(answer)
            edges = chosen_edges(scene, directed)
            assert edges == set(steps) | (set() if directed else {(v, u) for u, v in steps})
            if not task.graph.measure and isinstance(scene, Network):
                called = named(scene)
                numbers = {
                    frozenset((called[e.start], called[e.end])): e.text
                    for e in scene.edges
                    if e.wide
                }
                assert numbers == {frozenset(step): str(n) for n, step in enumerate(steps, 1)}


def test_an_edge_that_is_used_twice_has_both_numbers():
    assert numbered([(0, 1), (1, 0)]) == {(0, 1): "1,2"}
    assert numbered([(0, 1), (1, 0)], directed=True) == {(0, 1): "1", (1, 0): "2"}


def test_orders_and_round_trips():
    for task in tasks("graphs/topological_order"):
        order = task.answer().split(", ")
        scene = task.solved_scene(task.answer())
        assert [node.note for node in sorted(scene.nodes, key=lambda n: order.index(n.name))] == [
            str(n) for n in range(1, len(order) + 1)
        ]
    for task in tasks("graphs/travelling_salesman"):
        trip = task.answer().split(" -> ")
        table, tour = task.solved_scene(task.answer()).scenes
        steps = {frozenset(step) for step in pairwise([*trip, trip[0]])}
        assert {frozenset(edge) for edge in chosen_edges(table)} == steps
        assert {frozenset(edge) for edge in chosen_edges(tour)} == steps
        lengths = {frozenset((u, v)): text for u, v, text in shown(task.scene(), directed=False)}
        assert all(lengths[frozenset((u, v))] == text for u, v, text in shown(tour, directed=False))


def test_flows():
    for task in tasks("graphs/maximum_flow"):
        flows = re.findall(r"^(\w+) -> (\w+): (\d+)$", task.answer(), re.MULTILINE)
        limits = {(u, v): text for u, v, text in shown(task.scene(), directed=True)}
        texts = {
            (u, v): text for u, v, text in shown(task.solved_scene(task.answer()), directed=True)
        }
        for u, v, flow in flows:
            assert texts.pop((u, v)) == f"{flow}/{limits[u, v]}"
        assert all(text == f"0/{limits[edge]}" for edge, text in texts.items())


def test_flows_with_costs():
    for task in tasks("graphs/minimum_cost_flow"):
        limits = edges_in(task.prompt().split("\n\nThe cost of a unit")[0] + "\n\n", True)
        names, rates = task.graph.names, task.rates()
        costs = {(names[u], names[v]): cost for (u, v), cost in rates.items()}
        assert shown(task.scene(), directed=True) == {
            (u, v, f"{limit} at {costs[u, v]}") for u, v, limit in limits
        }
        flows = dict(re.findall(r"^(\w+ -> \w+): (\d+)$", task.answer(), re.MULTILINE))
        assert shown(task.solved_scene(task.answer()), directed=True) == {
            (u, v, f"{flows.get(f'{u} -> {v}', 0)}/{limit} at {costs[u, v]}")
            for u, v, limit in limits
        }
        source = re.search(r"from (\w+) to (\w+)[ .]", task.prompt().split("\n\n")[3]).groups()
        assert chosen_nodes(task.scene(), ("t6",)) == {*source}


def test_flows_in_tables():
    names = tuple("ABCDEFGHIJKL")
    pairs = list(combinations(range(12), 2))
    graph = Graph(names, tuple((u, v, 5) for u, v in pairs), "edges", True, "capacity")
    look = Look(texts=dict.fromkeys(pairs, "0/5") | {(0, 1): "3/5"}).with_edges([(0, 1)])
    cells = unwrapped(network(graph, look)).cells
    assert (cells[0][1].text, cells[0][1].fill) == ("3/5", "accent")
    assert (cells[0][2].text, cells[0][2].fill) == ("0/5", "paper")
    assert cells[1][0].text == ""


def test_times_of_jobs():
    for task in tasks("graphs/critical_path"):
        times = dict(re.findall(r"^(\w+): (\d+, \d+)$", task.answer(), re.MULTILINE))
        graph, chart = task.solved_scene(task.answer()).scenes
        assert dict(zip(chart.labels, chart.notes)) == times
        critical = {name for name, both in times.items() if len(set(both.split(", "))) == 1}
        assert chosen_nodes(graph) == critical


def test_times_far_away_are_left_out():
    task = tasks("graphs/critical_path")[0]
    answer = "\n".join(f"{name}: {10**390}, -{10**390}" for name in task.graph.names)
    graph, chart = task.solved_scene(answer).scenes
    sound(chart)
    assert not any(chart.rows)
    assert len(chart.notes) == len(graph.nodes)


def test_colourings():
    for task in tasks("graphs/graph_coloring"):
        colours = dict(re.findall(r"^(\w+): (\w+)$", task.answer(), re.MULTILINE))
        scene = task.solved_scene(task.answer())
        notes = (
            {node.name: node.note for node in scene.nodes}
            if isinstance(scene, Network)
            else {u: note for u, (note,) in zip(named(scene), scene.right)}
        )
        assert notes == {name: colour[0] for name, colour in colours.items()}
        sound(task.solved_scene("\n".join(f"{name}: red" for name in colours)))
    for task in tasks("graphs/edge_colouring"):
        colours = re.findall(r"^(\w+)-(\w+): (\d)$", task.answer(), re.MULTILINE)
        scene = task.solved_scene(task.answer())
        assert shown(scene, directed=False) == both_ways(colours)
        assert all(edge.tone == f"c{int(edge.text) - 1}" for edge in scene.edges)


def test_certificates():
    """Orders, cycles, disjoint paths, separators, rotations, subdivisions and strategies."""
    for task in tasks("graphs/perfect_elimination"):
        label, listed = task.answer().split(": ")
        nodes, scene = listed.split(", "), task.solved_scene(task.answer())
        if label == "cycle":
            steps = {frozenset(step) for step in pairwise([*nodes, nodes[0]])}
            assert {frozenset(edge) for edge in chosen_edges(scene)} == steps
        elif isinstance(scene, Network):
            assert {node.name: node.note for node in scene.nodes} == {
                name: str(n) for n, name in enumerate(nodes, 1)
            }
    for task in tasks("graphs/connectivity"):
        scene = task.solved_scene(task.answer())
        if task.asks == "separator":
            assert chosen_nodes(scene) == {*task.answer().split(", ")}
        else:
            paths = [line.split(" -> ") for line in task.answer().splitlines()]
            steps = {frozenset(step) for path in paths for step in pairwise(path)}
            assert {frozenset(edge) for edge in chosen_edges(scene)} == steps
    for task in tasks("graphs/planarity"):
        head, *rows = task.answer().splitlines()
        scene = task.solved_scene(task.answer())
        if head == "not planar":
            steps = {frozenset(step) for row in rows for step in pairwise(row.split(" -> "))}
            assert {frozenset(edge) for edge in chosen_edges(scene)} == steps
        elif isinstance(scene, Network):
            around = {node.name: node.note for node in scene.nodes}
            assert around == {
                name: near.replace(",", "") for name, near in (row.split(": ") for row in rows)
            }
    for task in tasks("graphs/game_on_graph"):
        wins, moves = (line.split(": ")[1] for line in task.answer().splitlines())
        scene = task.solved_scene(task.answer())
        assert chosen_nodes(scene) == {*wins.split(", ")}
        steps = {tuple(move.split("->")) for move in moves.split(", ") if move != "none"}
        assert chosen_edges(scene, directed=True) == steps
        own = re.search(r"Nodes of player 1: (.*)\.", task.prompt())[1].split(", ")
        assert chosen_nodes(task.scene(), ("t6",)) == {*own}


def test_other_answers():
    for task in tasks("graphs/strongly_connected_components"):
        parts = [set(line.split(", ")) for line in task.answer().splitlines()]
        nodes = task.solved_scene(task.answer()).nodes
        assert [
            {n.name for n in nodes if n.note == str(k)} for k in range(1, len(parts) + 1)
        ] == parts
    for task in tasks("graphs/bridges_and_articulation_points"):
        bridges, nodes = (line.split(": ")[1].split(", ") for line in task.answer().splitlines())
        scene = task.solved_scene(task.answer())
        assert chosen_nodes(scene) == set(nodes)
        assert {frozenset(edge) for edge in chosen_edges(scene)} == {
            frozenset(bridge.split("-")) for bridge in bridges
        }
    for task in tasks("graphs/eccentricity_and_centre"):
        lines = dict(line.split(": ") for line in task.answer().splitlines())
        scene = task.solved_scene(task.answer())
        assert chosen_nodes(scene) == set(lines.pop("centre").split(", "))
        assert {node.name: node.note for node in scene.nodes} == lines
    for task in tasks("graphs/graph_isomorphism"):
        lines = dict(line.split(": ") for line in task.answer().splitlines())
        first, second = task.solved_scene(task.answer()).scenes
        assert {node.name: node.note for node in first.nodes} == lines
        assert second == task.scene().scenes[1]
    for task in tasks("graphs/subgraph_isomorphism"):
        lines = dict(line.split(": ") for line in task.answer().splitlines())
        first, second = task.solved_scene(task.answer()).scenes
        assert {node.name: node.note for node in first.nodes} == lines
        assert chosen_nodes(second) == {*lines.values()}
        assert len(chosen_edges(second)) == 2 * len(task.graph.edges)
    for task in tasks("graphs/lowest_common_ancestor"):
        _, table = task.solved_scene(task.answer()).scenes
        assert [row[2].text for row in table.cells] == task.answer().split(", ")


def test_constructed_graphs():
    for task in tasks("graphs/degree_sequence"):
        scene = task.solved_scene(task.answer())
        assert chosen_edges_of_table(scene) == pairs_of(task.answer())
        u, v = (task.names[node] for node in task.shut[0])
        wrong = task.solved_scene(f"{u}-{v}")
        assert sum(cell.fill == "bad" for row in wrong.cells for cell in row) == 2
    for task in tasks("graphs/graph_from_distances"):
        table, graph = task.solved_scene(task.answer()).scenes
        assert chosen_edges_of_table(table) == pairs_of(task.answer())
        assert {frozenset(edge) for edge in chosen_edges(graph)} == pairs_of(task.answer())
    for task in tasks("graphs/tree_from_pruefer_code"):
        code, tree = task.solved_scene(task.answer()).scenes
        assert code == task.scene()
        assert {frozenset(edge) for edge in chosen_edges(tree)} == pairs_of(task.answer())


def test_graphs_with_properties():
    for task in tasks("graphs/construct_with_property"):
        assert isinstance(task.scene(), Network)
        assert not task.scene().edges
        drawn = shown(task.solved_scene(task.answer()), directed=False)
        assert {frozenset((u, v)) for u, v, _ in drawn} == pairs_of(task.answer())
        degrees = {node.name: node.note for node in task.scene().nodes if node.note}
        assert len(degrees) == len(task.degrees)


def chosen_edges_of_table(table):
    return {frozenset(edge) for edge in chosen_edges_in_rows(table)}


def chosen_edges_in_rows(table):
    called = [label for (label,) in table.left]
    for u, row in zip(called, table.cells):
        for v, cell in zip(called, row):
            if u != v and "accent" in (cell.fill, cell.tone):
                yield u, v


def pairs_of(answer):
    return {frozenset(edge.split("-")) for edge in answer.split(", ")}


def test_chosen_intervals():
    for task in tasks("graphs/interval_independent_set"):
        for answer in (task.answer(), ", ".join(task.names[:3])):
            scene = task.solved_scene(answer)
            charts = [scene] if isinstance(scene, Timeline) else scene.scenes
            chosen = {
                label
                for chart in charts
                for (bar,), label in zip(chart.rows, chart.labels)
                if bar.tone == "accent"
            }
            assert chosen == set(answer.split(", "))


@each(ALL)
def test_unreadable_answers_are_refused(name):
    for task in tasks(name)[:: len(SEEDS)]:
        for answer in ("", "no idea, sorry", "Zzz-Qqq: 1"):
            if answer or name not in NONE_IS_AN_ANSWER:
                with pytest.raises(InvalidAnswer):
                    task.solved_scene(answer)


NONE_IS_AN_ANSWER = {
    *(name for name in ALL if isinstance(tasks(name)[0], NodeSet | EdgeSet)),
    *(
        f"graphs/{name}"
        for name in (
            "interval_independent_set", "degree_sequence", "graph_from_distances", "maximum_flow",
            "minimum_cost_flow", "construct_with_property",
            "strongly_connected_components",
            "tree_from_pruefer_code",
        )
    ),
}  # fmt: skip
"""Where an empty answer is an empty set."""


def test_looks_do_not_change_one_another():
    look = Look(nodes={0: "t6"})
    more = look.with_nodes([1]).with_edges([(0, 1)]).with_notes({0: "x"})
    assert look == Look(nodes={0: "t6"})
    assert (more.nodes, more.edges) == ({0: "t6", 1: "accent"}, {(0, 1): "accent"})
