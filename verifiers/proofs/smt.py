"""Satisfiability modulo theories: values that satisfy constraints, and valid claims.

The author of the task writes the constraints in SMT-LIB 2; they are trusted. An answer gives a
value for each constant in them, one per line or separated by commas::

    x = -3
    y = 1/2
    even = true
    mask = #x0f

Answers are parsed here and reach Z3 as numbers, never as SMT-LIB text. Each call has its own Z3
context, so threads do not interfere, and a limit on Z3's resource count, which unlike a time limit
is the same on every machine. If Z3 gives up, the answer is unscored.
"""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.reading.values import opened, plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

if TYPE_CHECKING:
    import z3

RLIMIT = 2_000_000
"""The resource limit of one query in Z3's units: about one second of work."""

Sort = Literal["Int", "Real", "Bool"] | int
"""The sort of a constant; a number is the width of a bit vector."""

Value = Fraction | bool | int

_NAME = "[A-Za-z_][A-Za-z0-9_.!]*"
_IS = r"(?::=|[=:]|[-=]>|\u2192|is\b)"
_NEXT = re.compile(rf"[\n;]|(?:,|\band\b)(?=\s*[\"'`]?{_NAME}[\"'`]?\s*{_IS})", re.ASCII)
_GIVEN = re.compile(
    rf"(?:[-*\u2022]\s+|[0-9]{{1,3}}[.)]\s+)?[\"'`]*({_NAME})[\"']?\s*{_IS}\s*(.*)",
    re.ASCII | re.DOTALL,
)
_SAT = re.compile(r"\s*sat(?:isfiable)?[.:]?\s*(?:\n|\Z)", re.IGNORECASE)
_VALID = re.compile(r"(?:(?:the|this|it)(?: claim| formula)? is )?valid[.!]*")
_DECLARED = re.compile(r"\(\s*(?:declare-const\s+([^\s()]+)|declare-fun\s+([^\s()]+)\s*\(\s*\))")
_BITS = re.compile(r"#b([01]{1,512})|#x([0-9a-f]{1,128})", re.ASCII | re.IGNORECASE)
_SORT = r"(?:Int|Real|Bool|\(_ BitVec [0-9]{1,4}\))"
_DEFINED = re.compile(
    rf"\(define-fun ({_NAME}) \(\) {_SORT} ([^()]+|\([^()]*(?:\([^()]*\)[^()]*)*\)) ?\)", re.ASCII
)
_NEGATED = re.compile(r"\(- ([^()]+|\([^()]*\))\)")
_RATIO = re.compile(r"\(/ (\(- [^() ]+\)|[^() ]+) ([^() ]+)\)")
_NUMBERED_BITS = re.compile(r"\(_ bv([0-9]{1,160}) [0-9]{1,4}\)", re.ASCII)


def _z3() -> Any:
    with needs("smt", "Z3"):
        import z3

    return z3


def read_values(text: str, sorts: Mapping[str, Sort]) -> dict[str, Value]:
    r"""Read a value for each constant, in any order.

    ``sat`` may precede them; a model in the format of solvers is accepted, too.

    >>> read_values("n = 12, even=True", {"n": "Int", "even": "Bool"})
    {'n': Fraction(12, 1), 'even': True}
    >>> read_values("v = #x0f\nw: -1", {"v": 8, "w": 4})
    {'v': 15, 'w': 15}
    >>> read_values("sat ((define-fun n () Int (- 7)))", {"n": "Int"})
    {'n': Fraction(-7, 1)}
    """
    values: dict[str, Value] = {}
    for name, value in _given(plain(text)):
        if name not in sorts:
            raise InvalidAnswer("not lines such as 'x = 3', one for each constant")
        if name in values:
            raise InvalidAnswer(f"{name} is listed twice")
        values[name] = _value(value, sorts[name], name)
    if values.keys() != sorts.keys():
        raise InvalidAnswer("not every constant has a value")
    return values


def _given(text: str) -> list[tuple[str, str]]:
    """Names and what is said that they are."""
    if "define-fun" in text:
        return _defined(" ".join(text.split()))
    text = _SAT.sub("", text, count=1) if _SAT.match(text) else text
    text = opened(text)
    matches = [
        _GIVEN.fullmatch(part.strip()) for part in _NEXT.split(text) if part.strip(" \t\r,.")
    ]
    if not all(matches):
        raise InvalidAnswer("not lines such as 'x = 3', one for each constant")
    return [(match[1], match[2].rstrip(".,` \t\r").strip("\"'")) for match in matches if match]


def _defined(text: str) -> list[tuple[str, str]]:
    """The values in a model as solvers print it, in the language of SMT-LIB."""
    text = text.replace("( ", "(").replace(" )", ")")
    if re.sub(r"\(model\b|\bsat\b|[() ]", "", _DEFINED.sub("", text)):
        raise InvalidAnswer("not a model of plain values")
    return [(match[1], _written_plainly(match[2].strip())) for match in _DEFINED.finditer(text)]


def _written_plainly(value: str) -> str:
    """A value of SMT-LIB in the usual notation: ``(- (/ 1 2))`` as ``-1/2``."""
    if bits := _NUMBERED_BITS.fullmatch(value):
        return bits[1]
    if negated := _NEGATED.fullmatch(value):
        inner = _written_plainly(negated[1])
        return inner[1:] if inner.startswith("-") else f"-{inner}"
    if ratio := _RATIO.fullmatch(value):
        above, below = (_written_plainly(part).removesuffix(".0") for part in ratio.groups())
        return f"{above}/{below}"
    return value


def _value(text: str, sort: Sort, name: str) -> Value:
    if sort == "Bool":
        if text.casefold() not in {"true", "false", "t", "f"}:
            raise InvalidAnswer(f"the value of {name} is neither true nor false")
        return text.casefold() in {"true", "t"}
    if isinstance(sort, int):
        return _bits(text, sort, name)
    number = rational(text, f"a number for {name}")
    if sort == "Int" and number.denominator != 1:
        raise InvalidAnswer(f"the value of {name} is not a whole number")
    return number


def _bits(text: str, width: int, name: str) -> int:
    """The bits of a vector, written out with its width or as a number, signed or not."""
    match = _BITS.fullmatch(text)
    if match:
        digits, bits = (match[1], 1) if match[1] else (match[2], 4)
        if len(digits) * bits != width:
            raise InvalidAnswer(f"the value of {name} does not have {width} bits")
        return int(digits, base=1 << bits)
    number = rational(text, f"bits for {name}")
    if number.denominator != 1 or not -(2 ** (width - 1)) <= number < 2**width:
        raise InvalidAnswer(f"the value of {name} does not fit into {width} bits")
    return int(number % 2**width)


@lru_cache(maxsize=256)
def constants(script: str) -> dict[str, Sort]:
    """The constants of a script that its constraints speak of; raises :class:`GoldError`.

    >>> constants("(declare-const x Int) (declare-const v (_ BitVec 8)) (assert (> x 0))"
    ...           "(assert (= v #x00))")
    {'v': 8, 'x': 'Int'}
    """
    sorts: dict[str, Sort] = {}
    for name, constant in _parsed(script)[1].items():
        if not re.fullmatch(_NAME, name, re.ASCII):
            raise GoldError(f"{name!r} is not a plain name")
        sorts[name] = _sort(constant)
    declared = {one or other for one, other in _DECLARED.findall(re.sub(";.*", "", script))}
    if idle := sorted(declared - sorts.keys()):
        raise GoldError(f"no constraint speaks of {', '.join(idle)}")
    return sorts


def _sort(constant: "z3.ExprRef") -> Sort:
    z3, sort = _z3(), constant.sort()
    # By number: Z3 writes names with one printer, which threads share and disturb.
    plain_sorts: dict[int, Sort] = {
        z3.Z3_INT_SORT: "Int",
        z3.Z3_REAL_SORT: "Real",
        z3.Z3_BOOL_SORT: "Bool",
    }
    if sort.kind() in plain_sorts:
        return plain_sorts[sort.kind()]
    if z3.is_bv(constant):
        return int(sort.size())
    raise GoldError(f"{constant} has the sort {sort}, which has no values that can be read")


def _parsed(script: str) -> "tuple[z3.AstVector, dict[str, z3.ExprRef]]":
    """The constraints of a script, in a context of their own, and its constants by name."""
    z3 = _z3()
    try:
        constraints = z3.parse_smt2_string(script, ctx=z3.Context())
    except z3.Z3Exception as slip:
        raise GoldError(f"the constraints are unreadable: {str(slip)[:200]}") from None
    values: dict[str, Any] = {}
    waiting, seen = list(constraints), set()
    while waiting:
        part = waiting.pop()
        if part.get_id() not in seen:
            seen.add(part.get_id())
            waiting.extend(part.children())
            if z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                values[part.decl().name()] = part
    return constraints, dict(sorted(values.items()))


@dataclass(frozen=True, slots=True)
class _Constrained(Verifier):
    """A verifier for constraints in SMT-LIB 2 over integers, reals, Booleans and bit vectors.

    Raises :class:`GoldError` if the script cannot be parsed or declares a constant that no
    constraint mentions, and ``ImportError`` without Z3.
    """

    script: str
    rlimit: int = RLIMIT

    def __post_init__(self) -> None:
        if self.rlimit < 1:
            raise GoldError("Z3 can do nothing within such a limit")
        if not len(constants(self.script)):
            raise GoldError("there is nothing to give a value to")

    @abstractmethod
    def _judged(self, answer: str) -> Score:
        """The score, where Z3 is there and does not fail."""

    def verify(self, answer: str) -> Score:
        try:
            z3 = _z3()
        except ImportError as missing:
            raise JudgeError(str(missing)) from None
        try:
            return self._judged(unwrapped(answer))
        except z3.Z3Exception as failure:
            raise JudgeError(f"Z3 fails: {str(failure)[:200]}") from None

    def _claims(self, answer: str) -> "list[z3.BoolRef]":
        """The constraints with the values of an answer substituted for the constants."""
        z3 = _z3()
        values = read_values(answer, constants(self.script))
        constraints, defects = _parsed(self.script)
        swaps = [(part, _literal(values[name], part)) for name, part in defects.items()]
        return [z3.simplify(z3.substitute(claim, *swaps)) for claim in constraints]

    def _possible(self, claims: "list[z3.BoolRef]") -> bool:
        """Whether all claims can hold at once."""
        z3 = _z3()
        solver = z3.Solver(ctx=claims[0].ctx)
        solver.set("rlimit", self.rlimit)
        solver.add(*claims)
        verdict = solver.check()
        if verdict == z3.unknown:
            raise JudgeError(f"Z3 gives up: {solver.reason_unknown()}")
        return bool(verdict == z3.sat)


def _literal(value: Value, constant: "z3.ExprRef") -> "z3.ExprRef":
    """A value as Z3 has it, of the same sort and in the same context as a constant."""
    z3 = _z3()
    if isinstance(value, bool):
        return z3.BoolVal(value, constant.ctx)
    if z3.is_bv(constant):
        return z3.BitVecVal(value, constant.sort().size(), constant.ctx)
    literal = z3.IntVal if z3.is_int(constant) else z3.RealVal
    return literal(str(value), constant.ctx)


@dataclass(frozen=True, slots=True)
class SmtModel(_Constrained):
    """Score 1 if the values of all constants satisfy all constraints, otherwise 0.

    Z3 chooses the functions that a script declares. A script that divides should exclude zero as a
    divisor: in SMT-LIB, a division by zero may have any value.

    >>> judge = SmtModel("(declare-const x Int) (assert (= (* x x) 49)) (assert (< x 0))")
    >>> judge("x = -7").correct, judge("x = 7").reason
    (True, 'constraint 2 does not hold')
    """

    def _judged(self, answer: str) -> Score:
        claims = self._claims(answer)
        for number, claim in enumerate(claims, 1):
            if _z3().is_false(claim):
                return Score(0, f"constraint {number} does not hold")
        if not self._possible(claims):
            return Score(0, "the constraints do not hold together")
        return Score(1)


@dataclass(frozen=True, slots=True)
class SmtValid(_Constrained):
    """Score ``valid`` if the claim is true for all values, or a counterexample if it is not.

    If the answer is ``valid``, Z3 has to prove the claim; a counterexample is checked by
    substitution. ``valid`` is easy to guess, so use this verifier where most claims are false, or
    subtract the random baseline.

    >>> judge = SmtValid("(declare-const v (_ BitVec 8)) (assert (bvule v (bvadd v #x01)))")
    >>> judge("v = 255").correct, judge("v = 7").reason
    (True, 'the claim holds for these values')
    """

    def _judged(self, answer: str) -> Score:
        z3 = _z3()
        if _VALID.fullmatch(" ".join(plain(answer).casefold().strip("*\"'`").split())):
            if self._possible([z3.Not(z3.And(*_parsed(self.script)[0]))]):
                return Score(0, "the claim does not always hold")
        elif not self._possible([z3.Not(z3.And(*self._claims(answer)))]):
            return Score(0, "the claim holds for these values")
        return Score(1)
