r"""Reading tokens into a tree: recursive descent, from lists down to atoms.

::

    answer    = item { ("," | ";" | "and" | "or") item }
    item      = side { relation side }
    side      = union [ ":" union … ]
    union     = measured { \cup measured | \setminus measured }
    measured  = [ $ ] sum [ % | $ | unit | noun ]
    sum       = term { (+ | - | \pm) term }
    term      = factor { (* | / | beside) factor }
    factor    = atom { ! | ^ exponent | prime | degrees }
"""

from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.amounts import MONEY, SCALES, bare_words, noun, plainly
from palaestra.verifiers.answers.atoms import Atoms
from palaestra.verifiers.answers.formulas import ORDINALS
from palaestra.verifiers.answers.leaves import arithmetic_only, multiplied
from palaestra.verifiers.answers.nodes import Node
from palaestra.verifiers.answers.runs import run_alone
from palaestra.verifiers.quantities.units import unit

_MICRO = Node("variable", (), "mu")
_ARTICLE = Node("variable", (), "a")
_LETTERED = frozenset(["name", "constant"])
_ENDING = frozenset(["separator", "relation", "end"])
_ENDS = frozenset(["", ".", "?", ")", "]", "}", "\\}", ")>", "&", "\\\\"])
"""What stands behind a side."""


def parsed(text: str) -> Node:
    r"""Parse an answer whose characters are normalised, and return its tree.

    Raises :class:`InvalidAnswer`, with status ``limit`` for what is too long or too deep.

    >>> parsed("x = 2").op, parsed(r"\{1, 2\}").op, parsed("[0, 1)").value
    ('relation', 'set', '[)')
    """
    return _Parser(text).whole()


class _Parser(Atoms):
    """Reads whole answers."""

    def whole(self) -> Node:
        node = self.stacked()
        while self.accept(".") or self.accept("?"):
            pass
        if self.position != len(self.tokens) - 1:
            self.fail()
        return node

    def answer(self) -> Node:
        groups = [[self.item()]]
        signs = set()
        while self.ahead.category == "separator":
            while self.ahead.category == "separator":
                sign = self.take().value
                signs.add(sign)
            if sign in {",", ";"} and self.ended():
                break  # a comma at the end separates nothing
            if sign == ";":
                groups.append([])
            groups[-1].append(self.item())
        items = [item for group in groups for item in group]
        if len(items) == 1:
            return items[0]
        if {",", ";"} <= signs and len({len(group) for group in groups}) == 1:
            items = [Node("tuple", tuple(group), "()") for group in groups]  # x=1, y=2; x=3, y=4
        return Node("or" if "or" in signs else "list", tuple(items))

    def ended(self) -> bool:
        return self.ahead.category == "sign" and self.ahead.value in {"", ".", ")", "]", "\\}"}

    def item(self) -> Node:
        self.deeper()
        sides: list[Node] = []
        relations: list[str] = []
        if self.ahead.category == "relation":  # "= 5" is 5, "> 5" is not
            relations.append(self.take().value)
            sides.append(Node("variable", (), ""))
        sides.append(self.side())
        while self.ahead.category == "relation":
            relations.append(self.take().value)
            sides.append(self.side())
        self.depth -= 1
        if relations and sides[0].value == "" and relations[0] in {"=", "~"}:
            del relations[0], sides[0]
        if not relations:
            return sides[0]
        return Node("relation", tuple(sides), tuple(relations))

    def side(self) -> Node:
        if (word := self.lettered()) is not None:
            return word
        first = self.union()
        if not self.sees(":") and not (self.ahead.category == "word" and self.ahead.value == "to"):
            return first
        terms = [first]
        while self.accept(":") or (self.ahead.value == "to" and self.take()):
            terms.append(arithmetic_only(self.union()))
        return Node("ratio", (arithmetic_only(first), *terms[1:]))

    def lettered(self) -> Node | None:
        """Letters that are all of a side, and make a word."""
        tokens, first = self.tokens, self.position
        if tokens[first].category not in _LETTERED or tokens[first + 1].category not in _LETTERED:
            return None
        run = run_alone(self.text, tokens[first].start)
        if run is None:
            return None
        position = first
        while tokens[position].start < run.end() and tokens[position].value:
            position += 1
        if tokens[position].category not in _ENDING and tokens[position].value not in _ENDS:
            return None
        product = self.term()
        if self.position != position:
            self.fail()
        return Node("letters", (product,), run[0].replace(" ", ""))

    def union(self) -> Node:
        sets = [self.measured()]
        while self.sees("cup", "setminus"):
            operator = self.take().value
            other = self.measured()
            if operator == "setminus":
                sets = [Node("less", (_united(sets), other))]
            else:
                sets.append(other)
        return _united(sets)

    def measured(self) -> Node:
        negative = self.ahead.value == "-" and self.tokens[self.position + 1].value in MONEY
        self.position += negative
        money = self.currency()
        node = self.sum()
        if negative:
            node = Node("neg", (node,))
        if not money and self.accept("%"):
            return Node("percent", (arithmetic_only(node),))
        if money := money or self.currency():
            return self.of_unit(node, money)
        if self.ahead.category == "word" and self.ahead.value != "to":
            return self.of_words(node)
        return node

    def currency(self) -> str:
        """Read a currency symbol, if there is one."""
        return MONEY[self.take().value] if self.sees(*MONEY) else ""

    def of_words(self, node: Node) -> Node:
        """An amount with what follows it: a unit, a noun, a scale such as "million"."""
        node = arithmetic_only(node)
        while self.ahead.category == "word" and self.ahead.value.casefold() in SCALES:
            scale = Fraction(SCALES[self.take().value.casefold()])
            node = Node("mul", (node, Node("number", (), scale)))
        if self.ahead.category == "word" and self.ahead.value in ORDINALS:
            self.take()
        start = self.ahead.start
        level = 0
        while self.ahead.value and self.ahead.category not in {"separator", "relation"}:
            level += (self.ahead.value in {"(", "{", "["}) - (self.ahead.value in {")", "}", "]"})
            if level < 0 or self.ahead.value in {"\\}", "\\{", "&", "\\\\", ":", "end", "cup"}:
                break
            if self.ahead.value == "." and self.tokens[self.position + 1].value == "":
                break
            self.take()
        words = self.text[start : self.tokens[self.position - 1].end].strip()
        if not words:
            return node
        if bare_words(words) in {"percent", "per cent", "pct", "percentage"}:
            return Node("percent", (node,))
        return self.of_unit(node, words)

    def of_unit(self, node: Node, words: str) -> Node:
        words = plainly(words)
        if node.op == "mul" and node.of[-1] == _MICRO:  # \mu\text{m}
            node, words = multiplied(list(node.of[:-1])), f"µ{words.strip()}"
        if (known := unit(words)) is not None:
            return Node("quantity", (arithmetic_only(node),), (known, words))
        thing = noun(words)
        if thing is None or node == _ARTICLE:
            raise InvalidAnswer(f"{words[:20]!r} is neither a unit nor a thing that is counted")
        return Node("counted", (arithmetic_only(node),), thing)


def _united(sets: list[Node]) -> Node:
    return sets[0] if len(sets) == 1 else Node("union", tuple(sets))
