"""Reading answers about graphs: lists and sets of nodes, lists of edges, groups of nodes.

Nodes and edges are told by names and read as the places of those names.
"""

import re
from collections.abc import Collection, Sequence

from palaestra.task import Unreadable
from palaestra.verifiers.certificates import node_path, steps
from palaestra.verifiers.reading import items, plain

NONE = frozenset({"", "none", "{}", "[]", "()"})
"""Ways to say that a set is empty."""

_GROUP = re.compile(r"\(([^()]*)\)")
_ARROW = re.compile(r"\\(?:to|(?:long)?rightarrow|mapsto)(?![a-z])|[\u2192\u21a6\u21d2]")
_NO_SIGNS = str.maketrans("\"'`\\", "    ")
_ROUND = str.maketrans("[]{}", "()()")


def tidy(text: str) -> str:
    r"""An answer without quotes and without backslashes before brackets, arrows as ``->``.

    >>> tidy(r'["A", "B"]'), tidy(r"\{A \to B\}")
    ('[ A ,  B ]', '{A -> B }')
    """
    return _ARROW.sub("->", plain(text)).translate(_NO_SIGNS).strip()


def _without_and(text: str) -> str:
    """A list without the word before its last item."""
    return " ".join(word for word in text.split() if word.casefold() != "and")


def node_set(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """Different nodes in any order, separated by commas or blanks, in brackets or not.

    >>> node_set("{C, a}", "ABC"), node_set("C and A", "ABC"), node_set("none", "ABC")
    ((2, 0), (2, 0), ())
    """
    text = _without_and(tidy(text))
    if text.casefold() in NONE:
        return ()
    known = {name.casefold(): node for node, name in enumerate(names)}
    told = [item.casefold() for item in items(text, "a list of nodes")]
    if not all(name in known for name in told):
        raise Unreadable("not a list of nodes, such as 'X, Y, Z'")
    found = tuple(known[name] for name in told)
    if len(set(found)) < len(found):
        twice = next(node for node in found if found.count(node) > 1)
        raise Unreadable(f"{names[twice]} is listed twice")
    return found


def edge_list(text: str, names: Sequence[str]) -> tuple[tuple[int, int], ...]:
    r"""Edges, each as two nodes with a hyphen or an arrow between them, or in brackets.

    >>> edge_list("A-C, b -> a", "ABC"), edge_list("(A, C) (B, A)", "ABC")
    (((0, 2), (1, 0)), ((0, 2), (1, 0)))
    """
    told = tidy(text).casefold().replace(" and ", ", ")
    if told in NONE:
        return ()
    told = _uncased(told).translate(_ROUND)
    known = {name.casefold(): node for node, name in enumerate(names)}
    return tuple(_edge(part, known) for part in _parts(told))


def _uncased(text: str) -> str:
    """A list of edges without the brackets around all of it.

    >>> _uncased("[[a, b], [b, c]]"), _uncased("{a, b}, {b, c}"), _uncased("(a-b, b-c)")
    ('[a, b], [b, c]', '{a, b}, {b, c}', 'a-b, b-c')
    """
    inner = text[1:-1].strip()
    if text[0] + text[-1] not in {"[]", "{}", "()"}:
        return text
    nested = inner[:1] in {"[", "{", "("}
    pair = text[0] == "(" and "-" not in inner
    return inner if nested or not (pair or set(inner) & set("[]{}()")) else text


def _parts(text: str) -> list[str]:
    if "(" not in text:
        return [part for part in re.split(r"[,;\n]", text) if part.strip()]
    if _GROUP.sub("", text).strip(", ;\n\t"):
        raise Unreadable("not a list of edges, such as 'X-Y, Y-Z'")
    return _GROUP.findall(text)


def _edge(part: str, known: dict[str, int]) -> tuple[int, int]:
    for sign in ("->", "\u2192", "-", ","):
        part = part.replace(sign, " ")
    ends = part.split()
    if len(ends) != 2 or not all(end in known for end in ends):
        raise Unreadable("not a list of edges, such as 'X-Y, Y-Z'")
    return known[ends[0]], known[ends[1]]


def groups(text: str, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    r"""Sets of nodes, one on each line, that share no node.

    >>> groups("A, C\nB", "ABC")
    ((0, 2), (1,))
    """
    found = tuple(node_set(line, names) for line in steps(text))
    flat = [node for group in found for node in group]
    if len(flat) != len(set(flat)):
        raise Unreadable("a node stands in two lines")
    return found


def walk(text: str, names: Sequence[str]) -> tuple[int, ...]:
    r"""Nodes in a row, which may come back, with arrows, hyphens, commas or blanks between them.

    >>> walk("A -> C, A", "ABC"), walk(r"\{A \to C\}", "ABC")
    ((0, 2, 0), (0, 2))
    """
    told = _without_and(tidy(text)).strip("[](){},; ")
    return tuple(node_path(told, names))


def edges_flaw(
    told: Sequence[tuple[int, int]],
    known: Collection[tuple[int, int]],
    names: Sequence[str],
    directed: bool = False,
) -> str:
    """Whether an edge is told that is not there, or one is told twice.

    >>> edges_flaw([(0, 1), (1, 0)], {(0, 1)}, "AB")
    'the edge between B and A is given twice'
    """
    there = set(known) if directed else {(min(edge), max(edge)) for edge in known}
    seen = set()
    for u, v in told:
        edge = (u, v) if directed else (min(u, v), max(u, v))
        one, other = ("from", "to") if directed else ("between", "and")
        between = f"{one} {names[u]} {other} {names[v]}"
        if edge not in there:
            return f"there is no edge {between}"
        if edge in seen:
            return f"the edge {between} is given twice"
        seen.add(edge)
    return ""
