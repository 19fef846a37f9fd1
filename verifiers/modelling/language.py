r"""A small language for linear models: variables, an objective, and constraints, one on each line.

>>> model = parse("integer x <= cap\ncontinuous y\nmaximize 3*x + y\n2*x + y <= cap", {"cap"})
>>> program = instance(model, {"cap": 7})
>>> program.names, program.highs[0], program.objective == {"x": 3, "y": 1}
(('x', 'y'), 7, True)

The text is never evaluated as code. Reading takes time in proportion to its length, with limits on
lines, variables, nesting and the size of numbers.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from palaestra.task import InvalidAnswer

LINES = 300
"""How many lines a model may have."""

VARIABLES = 100
"""How many variables it may have."""

TOKENS = 8_000
"""How many numbers, names and signs it may have."""

DEPTH = 20
"""How deeply brackets may be nested."""

BITS = 128
"""How large the numerator and the denominator of a coefficient may be."""

Relation = Literal["<=", ">=", "="]
Sense = Literal["maximize", "minimize", ""]

Number = int | Fraction
"""An exact number; those that are whole are ``int``, which is much faster."""

Form = dict[str, Number]
"""An affine form: coefficients of variables, and the constant under the empty name."""

Code = tuple[Number | str, ...]
"""An expression in postfix order: numbers, names, and the operators ``+ - * / ~`` (negation)."""


class Variable(NamedTuple):
    """A variable with the expressions of its bounds."""

    name: str
    is_integer: bool
    low: Code
    high: Code | None


class Constraint(NamedTuple):
    """Two expressions and how they compare."""

    left: Code
    relation: Relation
    right: Code


class Model(NamedTuple):
    """A model whose coefficients may be expressions of quantities."""

    variables: tuple[Variable, ...]
    sense: Sense
    objective: Code
    constraints: tuple[Constraint, ...]


class Row(NamedTuple):
    """A linear constraint: coefficients by variable, and the right side."""

    coefficients: Mapping[str, Number]
    relation: Relation
    bound: Number


class Program(NamedTuple):
    """A model with numbers for its quantities."""

    names: tuple[str, ...]
    integers: tuple[bool, ...]
    lows: tuple[Number, ...]
    highs: tuple[Number | None, ...]
    sense: Sense
    objective: Mapping[str, Number]
    constant: Number
    rows: tuple[Row, ...]


DOMAINS = {
    "continuous": "continuous", "real": "continuous",
    "integer": "integer", "int": "integer", "integers": "integer",
    "binary": "binary", "bin": "binary", "binaries": "binary",
}  # fmt: skip

SENSES: Mapping[str, Sense] = {
    "maximize": "maximize", "maximise": "maximize", "max": "maximize",
    "minimize": "minimize", "minimise": "minimize", "min": "minimize",
}  # fmt: skip

_TOKEN = re.compile(
    r"\s*+(?:(?P<number>\d++(?:\.\d++)?+)|(?P<name>[A-Za-z_]\w*+)|(?P<sign><=|>=|==|=<|=>|[-+*/()=,:<>]))",
    re.ASCII,
)
_SIGNS = str.maketrans(
    {"≤": "<=", "≥": ">=", "−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "`": ""}
)
_LATEX = re.compile(r"\\(?:(leq?|geq?|cdot|times)(?![A-Za-z])|_)")
_LATEX_SIGNS = {
    "le": "<=", "leq": "<=", "ge": ">=", "geq": ">=", "cdot": "*", "times": "*", None: "_",
}  # fmt: skip
_RELATIONS: Mapping[str, Relation] = {
    "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "=": "=", "==": "=",
}  # fmt: skip
_HEADS = {
    "subject to", "such that", "s.t.", "st", "constraints", "objective", "objective function",
    "variables", "decision variables", "declarations", "bounds", "model", "end",
}  # fmt: skip
"""Lines that other languages put before the parts of a model, or behind it."""

_VARIABLES = {"variable", "variables", "var", "vars"}


def parse(text: str | Sequence[str], quantities: Collection[str]) -> Model:
    """The model that a text states, or lines of one. Names of ``quantities`` stand for numbers.

    Raises :class:`InvalidAnswer`, with the line, for what is not in the language, names that are
    not declared, and models beyond the limits.
    """
    lines = text.splitlines() if isinstance(text, str) else text
    if len(lines) > LINES:
        raise InvalidAnswer(f"the model has more than {LINES} lines", "limit")
    reader, begun = _Reader(quantities), ""
    for number, line in enumerate(lines, 1):
        content = f"{begun} {_plain(line)}".strip()
        begun = content if number < len(lines) and _goes_on(content) else ""
        if content and not begun and content.casefold().rstrip(":") not in _HEADS:
            try:
                reader.read(content)
            except InvalidAnswer as error:
                raise InvalidAnswer(f"line {number}: {error}", error.status) from None
    return reader.model()


def _plain(line: str) -> str:
    """A line in the signs of the language, without its remark and the dollars around it."""
    content = line.strip()
    if content.startswith("//"):  # within a line, these may be a division
        return ""
    content = content.partition("#")[0].translate(_SIGNS)
    if "\\" in content:
        content = _LATEX.sub(lambda match: _LATEX_SIGNS[match[1]], content)
    return content.strip().strip("$").strip()


def _goes_on(content: str) -> bool:
    """Whether a line needs the next one: a sum that is broken, or an objective below its sense."""
    return content.endswith(("+", "-", "*", "/", "(", "=")) or (
        content.casefold().rstrip(": ") in SENSES
    )


class _Reader:
    """What has been read so far."""

    def __init__(self, quantities: Collection[str]) -> None:
        self.quantities = quantities
        self.variables: dict[str, Variable] = {}
        self.sense: Sense = ""
        self.objective: Code = ()
        self.goal = ""
        """The name that the objective has, as ``z`` in ``maximize z = x + y``."""
        self.constraints: list[Constraint] = []
        self.left = TOKENS

    def read(self, line: str) -> None:
        """Read one line."""
        tokens = [*_tokens(line, self.left)]
        self.left -= len(tokens)
        label = _label(tokens)
        if label == len(tokens):  # a heading
            return
        if not self._is_head(tokens[0]):
            tokens = tokens[label:]
        word = tokens[0].casefold()
        if word in DOMAINS and (names := self._declared(tokens)):
            self.declare(DOMAINS[word], names)
        elif word in SENSES:
            self.aim(SENSES[word], tokens[1:])
        else:
            self.constrain(tokens[2:] if tokens[1:2] == [":"] else tokens)

    @staticmethod
    def _is_head(token: str) -> bool:
        return token.casefold() in DOMAINS or token.casefold() in SENSES

    def _declared(self, tokens: Sequence[str]) -> Sequence[str]:
        """The names with their bounds in a declaration; empty for a constraint, as that of a
        variable with the name ``real``, or one with such a label.
        """
        rest = tokens[1:]
        if rest[:1] and rest[0].casefold() in _VARIABLES and (rest[1:2] or [","])[0] != ",":
            rest = rest[1:]
        if rest[:1] == [":"]:
            rest = rest[1:]
            is_list = not rest[1:] or rest[1] in (",", *_RELATIONS)
            return rest if rest and is_list and rest[0] not in self.variables else ()
        return rest if rest and rest[0] not in _RELATIONS else ()

    def aim(self, sense: Sense, tokens: Sequence[str]) -> None:
        """Read an objective, which may have a name: ``x + y``, ``z = x + y``."""
        if self.sense:
            raise InvalidAnswer("there is a second objective")
        self.sense = sense
        if tokens[:1] == [":"]:
            tokens = tokens[1:]
        if tokens[1:2] in (["="], ["=="], [":"]):
            self.goal, tokens = _Expression(tokens).name(), tokens[2:]
        self.objective = _Expression(tokens).whole()

    def declare(self, domain: str, tokens: Sequence[str]) -> None:
        """Declare variables: ``x, y >= 1 <= cap``."""
        expression = _Expression(tokens)
        names = [expression.name()]
        while expression.skips(","):
            names.append(expression.name())
        bounds: dict[str, Code] = {}
        while expression.ahead() in _RELATIONS:
            relation = _RELATIONS[expression.take()]
            if relation == "=" or relation in bounds or domain == "binary":
                raise InvalidAnswer(
                    "a declaration may have one bound with >= and one with <=, binary variables "
                    "have none"
                )
            bounds[relation] = expression.sum()
        expression.end()
        low = bounds.get(">=", (0,))
        high = (1,) if domain == "binary" else bounds.get("<=")
        for name in names:
            if name in self.variables or name in self.quantities:
                raise InvalidAnswer(f"the name {name} is taken")
            self.variables[name] = Variable(name, domain != "continuous", low, high)
        if len(self.variables) > VARIABLES:
            raise InvalidAnswer(f"there are more than {VARIABLES} variables", "limit")

    def constrain(self, tokens: Sequence[str]) -> None:
        """A constraint, a chain such as ``1 <= x <= 5``, or several such as ``x, y >= 1``."""
        expression = _Expression(tokens)
        before, number = [expression.sum()], len(self.constraints)
        while expression.skips(","):
            before.append(expression.sum())
        while expression.ahead() in _RELATIONS:
            relation = _RELATIONS[expression.take()]
            after = expression.sum()
            self.constraints += [Constraint(each, relation, after) for each in before]
            before = [after]
        if expression.ahead() in ("<", ">"):
            raise InvalidAnswer("constraints have <=, >= or =, not < or >")
        expression.end()
        if len(self.constraints) == number:
            raise InvalidAnswer(
                "expected a declaration (continuous, integer, binary), an objective (maximize, "
                "minimize), or a constraint with <=, >= or ="
            )

    def model(self) -> Model:
        """The model, in which every name is known."""
        if not self.variables:
            raise InvalidAnswer("the model declares no variables")
        if self.goal in self.quantities:
            raise InvalidAnswer(f"the name {self.goal} is taken")
        if self.goal in self.variables:
            self.constraints.append(Constraint((self.goal,), "=", self.objective))
        variables = tuple(self.variables.values())
        bounds = [code for each in variables for code in (each.low, each.high) if code]
        for code in bounds:
            if used := next((n for n in _names(code) if n in self.variables), None):
                raise InvalidAnswer(f"a bound in a declaration has the variable {used}")
        sides = [code for each in self.constraints for code in (each.left, each.right)]
        for code in (*bounds, *sides, self.objective):
            for name in _names(code):
                if name not in self.variables and name not in self.quantities:
                    raise InvalidAnswer(f"there is no variable or quantity {name[:40]!r}")
        return Model(variables, self.sense, self.objective, tuple(self.constraints))


def _label(tokens: Sequence[str]) -> int:
    """How many tokens a label has with its colon, as 3 in ``Row 1: x <= 2``; 0 if there is none."""
    end = tokens.index(":") if ":" in tokens else 0
    is_label = all(each[:1].isalnum() or each[:1] == "_" for each in tokens[:end])
    return end + 1 if end and is_label else 0


def _names(code: Code) -> Iterator[str]:
    return (each for each in code if isinstance(each, str) and each not in "+-*/~")


def _tokens(line: str, most: int) -> Iterator[str]:
    """The tokens of a line."""
    position = 0
    while position < len(line):
        match = _TOKEN.match(line, position)
        if match is None:
            if line[position:].isspace():
                return
            raise InvalidAnswer(f"cannot be read at {line[position : position + 20].strip()!r}")
        most -= 1
        if most < 0:
            raise InvalidAnswer(f"the model has more than {TOKENS} numbers and names", "limit")
        token = match[0].strip()
        if len(token) > (24 if match["number"] else 60):
            raise InvalidAnswer("a number or a name is too long", "limit")
        yield token
        position = match.end()


class _Expression:
    """A reader of expressions by recursive descent, which writes postfix code."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def ahead(self) -> str:
        """The next token; empty at the end."""
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        """Read the next token."""
        token = self.ahead()
        self.position += 1
        return token

    def skips(self, *tokens: str) -> str:
        """Read the next token if it is one of these; empty if not."""
        return self.take() if self.ahead() in tokens and self.ahead() else ""

    def end(self) -> None:
        """Raise :class:`InvalidAnswer` unless all has been read."""
        if self.ahead():
            raise InvalidAnswer(f"unexpected {self.ahead()[:20]!r}")

    def name(self) -> str:
        """A name."""
        token = self.take()
        if not (token[:1].isalpha() or token[:1] == "_"):
            raise InvalidAnswer(f"expected the name of a variable, not {token[:20]!r}")
        return token

    def whole(self) -> Code:
        """An expression up to the end."""
        code = self.sum()
        self.end()
        return code

    def sum(self) -> Code:
        """Terms with + and - between them."""
        code: list[Number | str] = []
        self._sum(code)
        return tuple(code)

    def _sum(self, code: list[Number | str]) -> None:
        self._signed(code)
        while sign := self.skips("+", "-"):
            self._signed(code)
            code.append(sign)

    def _signed(self, code: list[Number | str]) -> None:
        negative = False
        while sign := self.skips("+", "-"):
            negative ^= sign == "-"
        self._term(code)
        if negative:
            code.append("~")

    def _term(self, code: list[Number | str]) -> None:
        self._factor(code)
        while True:
            ahead, before = self.ahead(), self.tokens[self.position - 1]
            if sign := self.skips("*", "/"):
                if self.ahead() == "-":
                    self.take()
                    self._factor(code)
                    code.append("~")
                else:
                    self._factor(code)
                code.append(sign)
            elif before[:1].isdigit() and (ahead[:1].isalpha() or ahead == "("):  # 3x, 3(x + y)
                self._factor(code)
                code.append("*")
            else:
                return

    def _factor(self, code: list[Number | str]) -> None:
        token = self.take()
        if token == "(":
            self.depth += 1
            if self.depth > DEPTH:
                raise InvalidAnswer(f"brackets are nested more than {DEPTH} deep", "limit")
            self._sum(code)
            if self.take() != ")":
                raise InvalidAnswer("a bracket is not closed")
            self.depth -= 1
        elif token[:1].isdigit():
            code.append(Fraction(token) if "." in token else int(token))
        elif token[:1].isalpha() or token[:1] == "_":
            code.append(token)
        else:
            problem = f"not {token[:20]!r}" if token else "but the line ends"
            raise InvalidAnswer(f"expected a number or a name, {problem}")


# ---------------------------------------------------------------------------- numbers for names


def instance(model: Model, values: Mapping[str, Number]) -> Program:
    """The model with numbers for its quantities.

    Raises :class:`InvalidAnswer` where an expression is not linear in the variables, divides by 0,
    or has numbers that are too large.
    """
    names = tuple(variable.name for variable in model.variables)
    known: dict[str, Form] = {name: {"": value} for name, value in values.items()}
    for name in names:
        known[name] = {name: 1}
    lows = tuple(_constant(variable.low, known) for variable in model.variables)
    highs = tuple(
        None if variable.high is None else _constant(variable.high, known)
        for variable in model.variables
    )
    rows = []
    for left, relation, right in model.constraints:
        form = _value((*left, *right, "-"), known)
        bound = -form.pop("", 0)
        rows.append(Row({n: c for n, c in form.items() if c}, relation, bound))
    objective = _value(model.objective, known) if model.objective else {}
    constant = objective.pop("", 0)
    integers = tuple(variable.is_integer for variable in model.variables)
    return Program(names, integers, lows, highs, model.sense, objective, constant, tuple(rows))


def _constant(code: Code, known: Mapping[str, Form]) -> Number:
    """The value of an expression without variables."""
    return _value(code, known).get("", 0)


def _value(code: Code, known: Mapping[str, Form]) -> Form:
    """The affine form that postfix code computes."""
    stack: list[Form] = []
    for each in code:
        if not isinstance(each, str):
            stack.append({"": each})
        elif each == "~":
            stack[-1] = {name: -value for name, value in stack[-1].items()}
        elif each in "+-*/":
            other = stack.pop()
            stack[-1] = _OPERATIONS[each](stack[-1], other)
        else:
            stack.append(dict(known[each]))
    return stack[0]


def _added(one: Form, other: Form, sign: int = 1) -> Form:
    """A sum, in the larger of the two."""
    if len(other) > len(one):
        if sign < 0:
            other = {name: -value for name, value in other.items()}
        one, other, sign = other, one, 1
    for name, value in other.items():
        one[name] = _bounded(one.get(name, 0) + sign * value)
    return one


def _scaled(form: Form, factor: Number) -> Form:
    return {name: _bounded(value * factor) for name, value in form.items()}


def _times(one: Form, other: Form) -> Form:
    if not one.keys() <= {""}:
        one, other = other, one
    if not one.keys() <= {""}:
        raise InvalidAnswer("a product of two expressions with variables is not linear")
    return _scaled(other, one.get("", 0))


def _divided(one: Form, other: Form) -> Form:
    if not other.keys() <= {""}:
        raise InvalidAnswer("a division by an expression with variables is not linear")
    divisor = other.get("", 0)
    if not divisor:
        raise InvalidAnswer("a division by 0")
    return _scaled(one, Fraction(1, 1) / divisor)


_OPERATIONS = {
    "+": _added,
    "-": lambda one, other: _added(one, other, -1),
    "*": _times,
    "/": _divided,
}


def _bounded(value: Number) -> Number:
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise InvalidAnswer("the coefficients are too large", "limit")
    return value
