"""Traces of shortest paths: Dijkstra's algorithm, node by node.

A line visits the nearest node that is left, and lists the nodes that become nearer by it.
"""

import re
from collections.abc import Iterator, Sequence

from palaestra.envs.graphs.shortest_path import ShortestPath
from palaestra.trainers.traces.steps import Answer, BadTrace, Unfinished

_VISIT = re.compile(r"visit (\S+) at (\d{1,18}): (.*)", re.ASCII)
_NONE = "nothing is nearer"


def search(task: ShortestPath) -> Iterator[str]:
    """Yield the visits, and in the end the path."""
    names, lengths = task.graph.names, task.graph.lengths()
    best, before, done = {0: 0}, dict[int, int](), set[int]()
    while True:
        node = min(best.keys() - done, key=lambda each: (best[each], each))
        done.add(node)
        if node == task.target:
            break
        nearer = []
        for other, length in sorted(lengths[node].items()):
            if other not in done and best[node] + length < best.get(other, 1 << 60):
                best[other], before[other] = best[node] + length, node
                nearer.append(f"{names[other]} {best[other]}")
        yield f"visit {names[node]} at {best[node]}: {', '.join(nearer) or _NONE}"
    path = [task.target]
    while path[-1]:
        path.append(before[path[-1]])
    words = " ".join(names[node] for node in reversed(path))
    yield f"visit {names[task.target]} at {best[task.target]}: the target, by {words}"
    yield Answer(task.as_text(path[::-1]))


def check(task: ShortestPath, lines: Sequence[str]) -> str:
    """Return the path that a trace leads to.

    Nodes are visited once each and in the order of their distances, and whatever is stated of
    others is a shorter way by the visited node.
    """
    names, lengths = task.graph.names, task.graph.lengths()
    numbers = {name: node for node, name in enumerate(names)}
    ways, done = {0: (0, [0])}, set[int]()
    for n, line in enumerate(lines):
        visit = _VISIT.fullmatch(line)
        node = numbers.get(visit[1], -1) if visit else -1
        if visit is None or node not in ways or node in done:
            raise BadTrace(n, line, "this visits no node that can be visited next")
        distance, path = ways[node]
        if int(visit[2]) != distance or distance > min(ways[u][0] for u in ways.keys() - done):
            raise BadTrace(n, line, "this is not the nearest node, at its distance")
        done.add(node)
        if node == task.target:
            if visit[3] != f"the target, by {' '.join(names[each] for each in path)}":
                raise BadTrace(n, line, "the path is another one")
            if n < len(lines) - 1:
                raise BadTrace(n + 1, lines[n + 1], "the target is reached already")
            return task.as_text(path)
        nearer = {
            other: distance + length
            for other, length in lengths[node].items()
            if other not in done and (other not in ways or distance + length < ways[other][0])
        }
        words = ", ".join(f"{names[other]} {nearer[other]}" for other in sorted(nearer))
        if visit[3] != (words or _NONE):
            raise BadTrace(n, line, f"nearer are {words or 'none'}")
        ways |= {other: (length, [*path, other]) for other, length in nearer.items()}
    raise Unfinished
