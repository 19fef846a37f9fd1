"""Breadth-first search, for comparison with cleverer ones."""

from collections import deque


def distances(start, ways):
    """How many moves each state is away, by breadth-first search."""
    away, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in ways(here):
            if there not in away:
                away[there] = away[here] + 1
                queue.append(there)
    return away


def fewest(start, ways, done):
    """The depth of the nearest state that is wanted, breadth first."""
    queue, depth = deque([start]), {start: 0}
    while queue:
        here = queue.popleft()
        if done(here):
            return depth[here]
        for there in ways(here):
            if there not in depth:
                depth[there] = depth[here] + 1
                queue.append(there)
    return None
