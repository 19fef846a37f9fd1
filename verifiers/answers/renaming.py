r"""Names that an answer is free to choose: constants of integration, integer parameters.

What a gold calls x^2 + C may be x^2 + c, and \frac{\pi}{4} + n\pi may be \frac{\pi}{4} + k\pi.
"""

from collections.abc import Iterator

from palaestra.verifiers.answers.nodes import Node, variables

_CONSTANTS = frozenset(["C", "c", "K", "k", "D", "C_0", "C_1", "c_0", "c_1"])
"""How a constant of integration may be called where the other answer calls it C."""
_PARAMETERS = frozenset(["n", "k", "m", "l", "j", "p", "N", "K"])
"""How an integer may be called that counts periods."""
_CASES = ({"C_1", "C_2"}, {"c_1", "c_2"})


def renamed(gold: Node, answer: Node) -> Iterator[Node]:
    r"""The answer with the gold's names for what may be called anything, in each way that fits.

    >>> from palaestra.verifiers.answers.grammar import parsed
    >>> [len(list(renamed(parsed(a), parsed(b)))) for a, b in (("x^2+C", "x^2+c"), ("5C", "5c"))]
    [1, 0]
    """
    if not (known := variables(gold)) or not (used := variables(answer)):
        return
    missing, foreign = known - used, used - known
    if len(missing) != len(foreign) or not missing:
        return
    if len(missing) == 1:
        (name,), (other,) = missing, foreign
        if _is_constant(gold, name, other) and _is_added(answer, other):
            yield with_names(answer, {other: name})
        elif known == missing and used == foreign and _counts_periods(gold, name, other):
            turned = with_names(answer, {other: name})
            yield turned
            yield _negated(turned, name)
    elif any(missing >= names for names in _CASES) and _swapped(missing) == foreign:
        yield with_names(answer, {_swap(name): name for name in missing})


def _is_constant(gold: Node, name: str, other: str) -> bool:
    """Whether a name is that of a constant of integration: added to what has another variable."""
    usual = {name, other} <= _CONSTANTS and ("C" in {name, other} or other == _swap(name))
    return usual and len(variables(gold)) > 1 and _is_added(gold, name)


def _is_added(node: Node, name: str) -> bool:
    """Whether a name stands in a sum once, as a term."""
    if node.op != "add":
        return False
    terms = [term for term in node.of if name in variables(term)]
    return len(terms) == 1 and terms[0].op == "variable"


def _counts_periods(gold: Node, name: str, other: str) -> bool:
    """Whether a name counts periods: a factor beside pi or degrees in a sum or a product."""
    if not {name, other} <= _PARAMETERS:
        return False
    if any(piece.op in {"call", "pow", "abs"} and name in variables(piece)
           for piece in gold.within()):  # fmt: skip
        return False
    terms = gold.of if gold.op == "add" else (gold,)
    counting = [term for term in terms if name in variables(term)]
    return len(counting) == 1 and any(
        piece.op == "degrees" or (piece.op == "constant" and piece.value == "pi")
        for piece in counting[0].within()
    )


def with_names(node: Node, names: dict[str, str]) -> Node:
    """An expression with some of its variables called otherwise."""
    if node.op == "variable":
        return node._replace(value=names.get(node.value, node.value))
    return node.changed(lambda part: with_names(part, names)) if node.of else node


def _negated(node: Node, name: str) -> Node:
    """The same with the negative of a variable, which runs through the same integers."""
    if node.op == "variable" and node.value == name:
        return Node("neg", (node,))
    return node.changed(lambda part: _negated(part, name)) if node.of else node


def _swap(name: str) -> str:
    return name.swapcase()


def _swapped(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_swap, names))
