"""Sets, groups and walks of nodes, lists of edges, and values on edges, read from answers.

Nodes are read as the indices of their names. The rules:

- A set is a list in any layout, in brackets of any type, or ``none``.
- An edge is two nodes with a hyphen, a dash, an arrow, "to" or a comma between them, or in
  brackets.
- A walk has arrows, dashes, commas, spaces or "to" between its nodes, one node or one step per
  line, or is a JSON array.
- Groups stand on lines of their own, or each in brackets; a label before a group goes.
- Bullets go. Numbers before lines go if they count from 1 or no node has them as its name.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import items, plain
from palaestra.verifiers.replies import unwrapped

NONE = frozenset({"", "none", "{}", "[]", "()"})
"""Ways to say that a set is empty."""

_GROUP = re.compile(r"\(([^()]*)\)")
_STEP = re.compile(r"\s*(?:[-=]{1,4}>|\u2192|[-,;]|\s)\s*")
_BULLET = re.compile(r"[ \t]*(?:[-*\u2022][ \t]+)?")
_NUMBER = re.compile(
    r"[ \t]*(?:(?:step|stop|edge|move) )?(?:\((\d{1,4})\)|(\d{1,4})[ \t]*[.):])[ \t]+(?=\S)",
    re.ASCII,
)
_LABEL = re.compile(r"([a-z][^:=\n]{0,40})[:=]")
_QUOTES = "\"'`\\"
_ROUND = str.maketrans("[]{}", "()()")
_BETWEEN_SETS = frozenset({"", "and", "\u222a", "cup"})
_JOINT = re.compile(r" ?(?:->|-{1,3}) ?")
_EDGE_WORDS = frozenset({"edge", "from"})
_LATEX_ARROW = re.compile(r"\\(?:to|(?:long)?rightarrow)(?![a-z])")
_BEFORE_EDGE = re.compile(
    r"^([-*\d.) \t]{0,8})(?:edge[ \t]{1,4})?(?:from[ \t]{1,4})?(?=\w)", re.IGNORECASE | re.MULTILINE
)
_TO = re.compile(r"(?<=\w)[ \t]{1,4}to[ \t]{1,4}(?=\w)", re.IGNORECASE)
_UNITS = re.compile(
    r"(?<=\d)[ \t]{1,4}units?(?:[ \t]of[ \t]flow)?(?=[ \t]{0,4}(?:[,;.\n]|$))", re.IGNORECASE
)
_FUNCTION = re.compile(r"\b[a-z]\((\w{1,9})\)(?=\s{0,4}[=:])", re.IGNORECASE)
_NODE = re.compile(r"(?<=[:=])[ \t]{0,9}(?:node|vertex)[ \t]{1,9}(?=\w)", re.IGNORECASE)


def tidy(text: str, names: Iterable[str] = ()) -> str:
    r"""An answer without quotes and without backslashes before brackets, arrows as ``->``.

    Signs that one of the ``names`` has are no quotes.

    >>> tidy(r'["A", "B"]'), tidy(r"\{A \to B\}"), tidy("x' \u2014 y", ["x'"])
    ('[ A ,  B ]', '{A -> B }', "x' - y")
    """
    inside = {sign for name in names for sign in name}
    blanks = {ord(sign): " " for sign in _QUOTES if sign not in inside}
    return layout.ARROW.sub("->", plain(text)).replace("\u2014", "-").translate(blanks).strip()


def matching_text(text: str) -> str:
    r"""A matching with colons in place of arrows, of "to" and of a function, and without nouns
    before nodes.

    >>> matching_text(r"A -> 1, B \mapsto 2"), matching_text("f(A) = Bo, $B$: $node Ada$, C to Dev")
    ('A :  1, B :  2', 'A = Bo, B: Ada, C: Dev')
    """
    text = layout.ARROW.sub(": ", plain(text)).replace("$", "")
    return _NODE.sub(" ", _TO.sub(": ", _FUNCTION.sub(r"\1", text)))


def _without_and(text: str) -> str:
    """A list without the word before its last item."""
    return " ".join(word for word in text.split() if word.casefold() != "and")


def node_set(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """Read different nodes in any order, separated by commas or spaces, with or without brackets.

    >>> node_set("{C, a}", "ABC"), node_set("C and A", "ABC"), node_set("none", "ABC")
    ((2, 0), (2, 0), ())
    """
    text = _without_and(tidy(layout.list_text(plain(text)), names))
    if text.casefold() in NONE:
        return ()
    known = {name.casefold(): node for node, name in enumerate(names)}
    listed = [item.casefold() for item in items(text, "a list of nodes")]
    if not all(name in known for name in listed):
        raise InvalidAnswer("not a list of nodes, such as 'X, Y, Z'")
    nodes = tuple(known[name] for name in listed)
    if len(set(nodes)) < len(nodes):
        twice = next(node for node in nodes if nodes.count(node) > 1)
        raise InvalidAnswer(f"{names[twice]} is listed twice")
    return nodes


def edge_list(text: str, names: Sequence[str]) -> tuple[tuple[int, int], ...]:
    r"""Edges, each as two nodes in brackets, or with a hyphen, an arrow or "to" between them.

    >>> edge_list("A-C, b -> a", "ABC"), edge_list("(A, C) (B, A)", "ABC")
    (((0, 2), (1, 0)), ((0, 2), (1, 0)))
    >>> edge_list("1. A to C\n2. B to A", "ABC"), edge_list("A, C\nB, A", "ABC")
    (((0, 2), (1, 0)), ((0, 2), (1, 0)))
    """
    body = tidy(text, names).casefold().replace("**", "").replace(" and ", ", ")
    if body in NONE:
        return ()
    known = {name.casefold(): node for node, name in enumerate(names)}
    body = "\n".join(_unnumbered(body.splitlines(), known))
    if not body:
        raise InvalidAnswer(_NO_EDGES)
    body = _uncased(body).translate(_ROUND)
    return tuple(_edge(part, known) for part in _parts(body))


def links(text: str, names: Sequence[str], what: str) -> list[tuple[str, str]]:
    """Read pairs of names in the forms of :func:`edge_list`, such as letters and their substitutes.

    Two hyphens are refused, since one of them may be a minus sign. ``what`` names in the error
    what was expected.

    >>> links("a-q, B-r", "abqr", "a renaming"), links("1 -> 2, 3 to 1", "123", "swaps")
    ([('a', 'q'), ('b', 'r')], [('1', '2'), ('3', '1')])
    """
    if "--" in plain(text).replace("-->", "->"):
        raise InvalidAnswer(f"expected {what}")
    try:
        return [(names[one], names[other]) for one, other in edge_list(text, names)]
    except InvalidAnswer:
        raise InvalidAnswer(f"expected {what}") from None


_NO_EDGES = "not a list of edges, such as 'X-Y, Y-Z'"


def _unnumbered(lines: Sequence[str], known: Collection[str]) -> list[str]:
    """Lines that hold something, without bullets, and without numbers that no node has.

    Where they count the lines from 1, numbers go though nodes have them as names.
    """
    bare = [_BULLET.sub("", line, count=1).rstrip(" \t.,;") for line in lines]
    bare = [line for line in bare if line]
    heads = [_NUMBER.match(line) for line in bare]
    numbers = [head and (head[1] or head[2]) for head in heads]
    counted = numbers == [str(number) for number in range(1, len(bare) + 1)]
    return [
        line[head.end() :] if head and (counted or number not in known) else line
        for line, head, number in zip(bare, heads, numbers)
    ]


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
    """The texts of single edges."""
    if "(" in text:
        if _GROUP.sub("", text).strip(", ;\n\t"):
            raise InvalidAnswer(_NO_EDGES)
        return _GROUP.findall(text)
    parts = [part for part in re.split(r"[,;\n]", text) if part.strip()]
    tokens = [_JOINT.sub("-", " ".join(part.split())).split() for part in parts]
    if all(token.strip("-").count("-") == 1 for row in tokens for token in row):
        return [token for row in tokens for token in row]  # also where blanks are between edges
    if all(len(part.replace("-", " ").split()) == 1 for part in parts):
        parts = [part for part in re.split(r"[;\n]", text) if part.strip()]  # a comma in each edge
    return parts


def _edge(part: str, known: Mapping[str, int]) -> tuple[int, int]:
    for sign in ("->", "-", ","):
        part = part.replace(sign, " ")
    ends = part.split()
    if len(ends) > 2 and ends[0] in _EDGE_WORDS - known.keys():
        del ends[0]
    if len(ends) == 3 and ends[1] == "to":
        del ends[1]
    if len(ends) != 2 or not all(end in known for end in ends):
        raise InvalidAnswer(_NO_EDGES)
    return known[ends[0]], known[ends[1]]


def groups(text: str, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    r"""Sets of nodes that share no node, on lines of their own or each in brackets.

    On one line, semicolons or bars may separate sets of which one has several nodes.

    >>> groups("A, C\nB", "ABC"), groups("[[A, C], [B]]", "ABC"), groups("A C; B", "ABC")
    (((0, 2), (1,)), ((0, 2), (1,)), ((0, 2), (1,)))
    """
    body = tidy(text, names).casefold().replace("**", "")
    known = {name.casefold() for name in names}
    lines = [_unlabelled(line, known) for line in _unnumbered(body.splitlines(), known)]
    parts = _sets("\n".join(lines).translate(_ROUND))
    nodes = tuple(node_set(_unlabelled(part, known), names) for part in parts)
    flat = [node for group in nodes for node in group]
    if len(flat) != len(set(flat)):
        raise InvalidAnswer("a node is in two groups")
    return nodes


def _unlabelled(line: str, known: Collection[str]) -> str:
    """A line without a name for its group, such as ``Component 2:``.

    No node stands in the name, but for a number that counts the groups and is a node's, too.
    """
    line = line.strip()
    label = _LABEL.match(line)
    words = label[1].split() if label else []
    if words[1:] and words[-1].isdecimal():
        del words[-1]
    named = len(words) <= 3 and all(
        word.replace("_", "").isalnum() and word not in known for word in words
    )
    return line[label.end() :].strip() if label and named else line


def _sets(text: str) -> list[str]:
    """The texts of single sets of nodes."""
    if "(" not in text and ")" not in text:
        lines = text.splitlines()
        parts = re.split(r"[;|]", text)
        if len(lines) > 1:
            if any(";" in line and "," in line for line in lines):
                raise InvalidAnswer("not lines of nodes, such as 'X, Y, Z'")
            return lines
        several = "|" in text or any(re.search(r"\S[\s,]+\S", part.strip()) for part in parts)
        return [part for part in parts if part.strip()] if several else lines
    if text.startswith("(") and text[1:].lstrip().startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if [word for word in re.split(r"[\s,;]+", _GROUP.sub(" ", text)) if word not in _BETWEEN_SETS]:
        raise InvalidAnswer("not sets of nodes, such as '{X, Y}, {Z}'")
    return _GROUP.findall(text)


def walk(text: str, names: Sequence[str]) -> tuple[int, ...]:
    r"""Read a sequence of nodes, which may repeat, with arrows, hyphens, commas or spaces between
    them.

    They may also stand on numbered lines, or each step for itself.

    >>> walk("A -> C, A", "ABC"), walk(r"\{A \to C\}", "ABC"), walk("A to B, B to C", "ABC")
    ((0, 2, 0), (0, 2), (0, 1, 2))
    >>> walk("A -> B, B -> C", "ABC"), walk("1. A\n2. C", "ABC"), walk(r"$A \to C$", "ABC")
    ((0, 1, 2), (0, 2), (0, 2))
    """
    known = {name.casefold() for name in names}
    lines = _unnumbered(tidy(unwrapped(text), names).casefold().splitlines(), known)
    body = " ".join(lines).strip("[](){},; ")
    if "to" not in known:
        body = body.replace(" to ", " -> ")
    body = _chained(body).translate(_SEPARATING)
    words = [word for word in body.split() if word in known or word not in _WALK_WORDS]
    return tuple(node_path(" ".join(words).strip(",; "), names))


_SEPARATING = str.maketrans("()&", "   ")
_WALK_WORDS = frozenset({"and", "then", "node", "nodes", ">"})


def _chained(text: str) -> str:
    """A walk whose steps are told one by one, such as ``a -> b, b -> c``, as one chain."""
    steps = [[end.strip() for end in step.split("->")] for step in text.split(",")]
    joined = all(len(step) == 2 for step in steps) and steps[1:]
    if not joined or any(one[1] != other[0] for one, other in pairwise(steps)):
        return text
    return "->".join([steps[0][0], *(step[1] for step in steps)])


def node_path(
    text: str,
    names: Sequence[str],
    what: str = "a list of nodes of the graph, such as 'X -> Y -> Z'",
) -> list[int]:
    """Read a path as indices into ``names``, separated by arrows, commas or spaces.

    >>> node_path("A -> c, B", "ABC")
    [0, 2, 1]
    """
    return _nodes(plain(text), _known(names), what)


def _known(names: Sequence[str]) -> dict[str, int]:
    return {name.casefold(): node for node, name in enumerate(names)}


def _nodes(text: str, known: Mapping[str, int], what: str) -> list[int]:
    names = _STEP.split(text.replace("**", "").strip("[]() ").casefold())
    if not all(name in known for name in names):
        raise InvalidAnswer(f"not {what}")
    return [known[name] for name in names]


def arc_values(text: str, names: Sequence[str]) -> dict[tuple[int, int], int]:
    r"""``from -> to: number`` lines.

    >>> arc_values("A -> B: 3\nb->c = 0", "ABC")
    {(0, 1): 3, (1, 2): 0}
    >>> arc_values("Edge A to B: 3 units\nfrom B to C: 1 unit", "ABC")
    {(0, 1): 3, (1, 2): 1}
    """
    values: dict[tuple[int, int], int] = {}
    known, what = _known(names), "lines such as 'X -> Y: 3', from a node to a node of the graph"
    for arc, number in labelled(_as_arrows(plain(text), known)):
        ends = _nodes(arc, known, what) if arc else []
        if len(ends) != 2:
            raise InvalidAnswer(f"not {what}")
        u, v = ends
        if (u, v) in values:
            raise InvalidAnswer(f"{names[u]} -> {names[v]} is listed twice")
        values[u, v] = integer(number, "lines such as 'X -> Y: 3', with whole numbers")
    return values


def _as_arrows(text: str, known: Collection[str]) -> str:
    """Values on edges with arrows in place of words and LaTeX, and without units."""
    text = _LATEX_ARROW.sub("->", text.replace("$", ""))
    if not {"edge", "from", "to"} & {*known}:
        text = _TO.sub(" -> ", _BEFORE_EDGE.sub(r"\1", text))
    return _UNITS.sub("", text)


def edges_violation(
    pairs: Sequence[tuple[int, int]],
    known: Collection[tuple[int, int]],
    names: Sequence[str],
    directed: bool = False,
) -> str:
    """Describe the first edge that does not exist or is listed twice; return ``""`` if there is
    none.

    >>> edges_violation([(0, 1), (1, 0)], {(0, 1)}, "AB")
    'the edge between B and A is listed twice'
    """
    there = set(known) if directed else {(min(edge), max(edge)) for edge in known}
    seen = set()
    for u, v in pairs:
        edge = (u, v) if directed else (min(u, v), max(u, v))
        one, other = ("from", "to") if directed else ("between", "and")
        between = f"{one} {names[u]} {other} {names[v]}"
        if edge not in there:
            return f"there is no edge {between}"
        if edge in seen:
            return f"the edge {between} is listed twice"
        seen.add(edge)
    return ""
