"""A shortest path as a hike between huts, or as the way of a parcel."""

from palaestra.combinators.stories.networks import Network
from palaestra.envs.graphs.shortest_path import ShortestPath

HIKE = (
    "A hiker wants to walk from hut {source} to hut {target}. These are the huts of the region: "
    "{nodes}.\n\n{way}. The length of each trail is stated:\n{links}\n\nFind a route from hut "
    "{source} to hut {target} whose trails are as short as possible in total. If several routes "
    "are equally short, any of them will do. Write all huts of the route in order, from first to "
    "last, such as '{example}'."
)
PARCEL = (
    "A carrier has these depots: {nodes}. A parcel has to get from depot {source} to depot "
    "{target} as fast as possible.\n\n{way}. The minutes that a van takes are stated, and changing "
    "vans takes no time:\n{links}\n\nThrough which depots should the parcel go, so that it is on "
    "the way for as few minutes as possible? If several ways take equally long, any of them will "
    "do. Write all depots of the way in order, from first to last, such as '{example}'."
)

STORIES = (
    (
        Network(HIKE, "{a} and {b}: {n} km"),
        "Trails join these pairs of huts, and can be walked in both directions",
    ),
    (
        Network(PARCEL, "{a} and {b}: {n} min"),
        "Vans go between these pairs of depots, in both directions",
    ),
)
ONE_WAY = (
    (
        Network(HIKE, "from {a} to {b}: {n} km"),
        "Trails lead from one hut to another, and can be walked in the stated direction only",
    ),
    (
        Network(PARCEL, "from {a} to {b}: {n} min"),
        "Vans go from one depot to another, in the stated direction only",
    ),
)


def prompt(task: ShortestPath, number: int) -> str:
    """The task in a story."""
    story, way = (ONE_WAY if task.graph.directed else STORIES)[number % len(STORIES)]
    return story.written(
        task.graph,
        way=way,
        source=task.graph.names[0],
        target=task.graph.names[task.target],
        example=task.as_text([2, 3, 1]),
    )
