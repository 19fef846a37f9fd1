"""The same task with other names."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.combinators.labels import replacements, words_of
from palaestra.combinators.templates import name_of
from palaestra.task import WORDINGS, Puzzle, Task

NamesOf = Callable[[Any], Iterable[str]]


def _names(task: Any) -> Iterable[str]:
    names: Iterable[str] = task.names
    return names


def _nodes(task: Any) -> Iterable[str]:
    names: Iterable[str] = task.graph.names
    return names


RENAMED: Mapping[str, NamesOf] = {
    "arithmetic/word_problem": lambda task: [name for name, _ in task.owners],
    "graphs/degree_sequence": _names,
    "graphs/graph_from_distances": _names,
    "graphs/graph_isomorphism": lambda task: (*task.graph.names, *task.other.names),
    "graphs/interval_independent_set": _names,
    "language/fact_retrieval": lambda task: [site.name for site in task.places],
    "logic/common_time_slot": _names,
    "logic/counting_with_conditions": _names,
    "logic/family_relationships": _names,
    "logic/first_order_entailment": _names,
    "logic/knights_and_knaves": _names,
    "logic/object_counting": _names,
    "logic/shuffled_objects": _names,
    "logic/sibling_counts": lambda task: (
        *(group.teller for group in task.groups),
        *(name for _, name, *_ in task.questions),
    ),
    "logic/syllogism": lambda task: task.terms,
    "logic/zebra_puzzle": lambda task: task.values[task.themes.index("name")],
    "spatial/compass_bearings": _names,
} | {
    f"graphs/{name}": _nodes
    for name in (
        "bipartite_matching",
        "bridges_and_articulation_points",
        "cheapest_path_with_few_edges",
        "critical_path",
        "dominating_set",
        "eccentricity_and_centre",
        "edge_colouring",
        "eulerian_path",
        "feedback_vertex_set",
        "graph_coloring",
        "hamiltonian_path",
        "k_core",
        "longest_path_in_a_dag",
        "lowest_common_ancestor",
        "maximum_clique",
        "maximum_flow",
        "minimum_cut",
        "minimum_spanning_tree",
        "minimum_vertex_cover",
        "shortest_path",
        "steiner_tree",
        "strongly_connected_components",
        "topological_order",
        "transitive_reduction",
        "travelling_salesman",
        "tree_diameter",
    )
}
"""The environments whose names are labels, and where their tasks have them.

The names stand as they are, and on their own, in the fields of a task, and nowhere else.
"""


def renamed(task: Puzzle, number: int) -> Puzzle:
    """The same task with other names, which its number and the task alone determine.

    Raises :class:`Unsuitable` where there are not enough other names.
    """
    canonical = task.canonical()
    rng = Random(f"{number} {canonical}")
    new = replacements(RENAMED[name_of(type(task))](task), words_of(task.prompt()), rng)
    other = type(task).model_validate(_replaced(task.model_dump(), new))
    if other.canonical() != canonical:
        raise Unsuitable("its names are part of the problem")
    return other


def _replaced(value: Any, new: Mapping[str, str]) -> Any:
    """A value with each string that is a name replaced, at any depth."""
    match value:
        case str():
            return new.get(value, value)
        case dict():
            return {key: _replaced(each, new) for key, each in value.items()}
        case list() | tuple():
            return [_replaced(each, new) for each in value]
    return value


class RenamePuzzle(SameAnswer):
    """A puzzle with other names.

    Its ``task`` has them, too, and so reads answers and gives reasons with the new names alone.
    """

    combinator: ClassVar["Rename"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=renamed(task, cls.combinator.number))

    def prompt(self) -> str:
        return self.task.prompt()


class Rename(Combinator):
    """The names in the task are replaced by others, one of 60 sets by their ``number``.

    The variants of a task have equal canonical forms, and the same right answers but for the
    names. Only environments whose names are labels have such variants: neither their spelling nor
    their order matters.
    """

    name: ClassVar[str] = "rename"
    template: ClassVar[type[Combination]] = RenamePuzzle

    number: int = Field(0, ge=0, lt=WORDINGS)

    def refusal(self, base: type[Task]) -> str:
        if issubclass(base, Combination):
            return "it renames what environments name, so it stands before all other combinators"
        if name_of(base) not in RENAMED:
            return (
                "it has no names, or its answers depend on their spelling or order; there are "
                f"other names for {', '.join(sorted(RENAMED))} only"
            )
        return super().refusal(base)
