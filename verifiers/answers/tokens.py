r"""Cutting an answer into tokens: numbers, names, functions, words, signs.

LaTeX and plain ASCII are read alike. Spacing and sizing commands are dropped here, so that the
parser never meets them.
"""

import re
from typing import Literal, NamedTuple

from palaestra.task import InvalidAnswer

TOKENS = 1_000
"""An answer with more tokens is over the limit."""

FUNCTIONS = frozenset(
    [
        *("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth"),
        *("arcsin", "arccos", "arctan", "arccot", "arsinh", "arcosh", "artanh"),
        *("ln", "log", "lg", "exp", "gcd", "lcm", "min", "max", "floor", "ceil", "abs"),
    ]
)
ALIASES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "acot": "arccot", "asinh": "arsinh",
    "acosh": "arcosh", "atanh": "artanh", "arcsinh": "arsinh", "arccosh": "arcosh",
    "arctanh": "artanh", "ctg": "cot", "tg": "tan", "arctg": "arctan", "ceiling": "ceil",
    "Abs": "abs", "Max": "max", "Min": "min", "sen": "sin",
}  # fmt: skip
CONSTANTS = {"pi": "pi", "infty": "inf", "infinity": "inf", "oo": "inf", "inf": "inf"}
RELATIONS = {
    "=": "=", "==": "=", ":=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "!=": "!=",
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=",
    "lt": "<", "gt": ">", "ne": "!=", "neq": "!=", "in": "in", "approx": "~", "simeq": "~",
    "equiv": "=", "sim": "~", "to": "->", "rightarrow": "->", "mapsto": "->", "->": "->",
    "=>": "->", "implies": "->", "Rightarrow": "->", "coloneqq": "=", "notin": "not in",
}  # fmt: skip
GREEK = frozenset(
    [
        *(
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "varepsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
        ),
        *("vartheta", "kappa", "lambda", "mu", "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi"),
        *("varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma"),
        *("Upsilon", "Phi", "Psi", "Omega", "Pi", "ell", "hbar", "aleph"),
    ]
)
_SPELLINGS = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "lbrace": "\\{", "rbrace": "\\}", "{": "\\{", "}": "\\}", "lparen": "(", "rparen": ")",
    "lbrack": "[", "rbrack": "]", "|": "|", "vert": "|", "lvert": "|", "rvert": "|", "mid": "|",
    "%": "%", "$": "$", "&": "&", "cdot": "*", "times": "*", "ast": "*", "div": "/", "colon": ":",
    "backslash": "setminus", "varnothing": "emptyset", "degree": "circ", "lor": "or", "vee": "or",
    "land": "and", "wedge": "and", "langle": "<(", "rangle": ")>", "prime": "'", "R": "reals",
    "ldots": "dots", "cdots": "dots", "\\": "\\\\", "newline": "\\\\", "cr": "\\\\",
    "textdollar": "$", "imath": "i", "jmath": "j", "lnot": "not", "neg": "not", "bigcup": "cup",
}  # fmt: skip

_SPACE = (
    r"\s+|~|\\[,;:!> ]|\\(?:q?quad|(?:display|text|script)style|[bB]igg?[lrm]?|limits|mathstrut"
    r"|bf|rm|it|boldsymbol|nonumber|noindent|hfill)(?![a-zA-Z])|\\(?:left|right|middle)"
    r"(?![a-zA-Z])\.?|\\hline|\\[hv]space\*?\{[^{}]*\}"
)
_NUMBER = (
    r"(?:\d{1,3}(?:(?: ?\{, ?\}|,\\! ?|\\[,!;: ]|[ ~'])\d{3})+(?!\d)|\d+(?:,\d+)*|(?=\.\d))"
    r"(?:\.\d+|\.(?=\s*\\(?:overline|dot|bar)|\(\d+\)))?(?:[eE][+-]?\d{1,6}(?![\d.]))?"
)
_TEXT = (
    r"\\(?:text(?:bf|it|rm|sf|tt|normal|up)?|mbox|hbox|math(?:rm|bf|it|sf|tt)|operatorname\*?"
    r"|emph|bold|underline)(?![a-zA-Z])\s*(?=\{)"
)
_WITH_BASE = r"(?:\d[0-9A-Z]{0,24}|[A-Z]{1,24}\d[0-9A-Z]{0,24}|[A-F]{2,24})_(?:\d|\{\s*\d\d?\s*\})"
_TOKEN = re.compile(
    rf"(?P<space>{_SPACE})|(?P<based>{_WITH_BASE})|(?P<number>{_NUMBER})"
    rf"|\\(?P<edge>begin|end)\s*\{{(?P<env>[a-zA-Z]+)\*?\}}|(?P<text>{_TEXT})"
    r"|\\math(?P<board>bb|cal)\s*\{?\s*(?P<field>[A-Z])\s*\}?"
    r"|\\(?P<command>[a-zA-Z]+|[^a-zA-Z0-9])|(?P<letters>[a-zA-Z]+)"
    r"|(?P<sign>\*\*|<=|>=|!=|==|:=|->|=>|[-+*/^_(){}\[\]|,;:=<>!&%'.$?\"`€£¥₹])",
    re.DOTALL,
)
_SEPARATOR = re.compile(r"[^\d.eE+-]+")
_BASED = re.compile(r"([0-9A-Z]{1,20})_\{?\s*(\d\d?)\s*\}?")

Category = Literal[
    "number", "decimal", "name", "constant", "function", "command", "sign", "relation", "separator",
    "begin", "end", "word", "based", "field", "over",
]  # fmt: skip


class Token(NamedTuple):
    """A token of an answer and its position."""

    category: Category
    value: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    r"""Split an answer with normalised characters into tokens.

    Raises :class:`InvalidAnswer` at a sign that no answer holds, and with status ``limit`` at more
    than :data:`TOKENS`.

    >>> [token.value for token in tokens(r"\dfrac{1}{2} \le 1{,}000x")]
    ['frac', '{', '1', '}', '{', '2', '}', '<=', '1000', 'x']
    """
    return _Cutter(text).cut()


class _Cutter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Token] = []
        self.depth = 0
        self.spaced = ", " in text
        self.money = text.count("$") % 2 == 1 or "\\$" in text

    def cut(self) -> list[Token]:
        text, tokens, position, size = self.text, self.found, 0, len(self.text)
        match = _TOKEN.match
        while position < size:
            token = match(text, position)
            if token is None or token.end() == position:
                raise InvalidAnswer(f"{text[position : position + 1]!r} has no meaning here")
            position = self.take(token, token.lastgroup or "")
            if len(tokens) > TOKENS:
                raise InvalidAnswer(f"more than {TOKENS} tokens long", "limit")
        return tokens

    def add(self, category: Category, value: str, token: re.Match[str]) -> None:
        self.found.append(Token(category, value, token.start(), token.end()))

    def take(self, token: re.Match[str], group: str) -> int:
        """Add the token of a match, and return where to continue."""
        if group == "space":
            return token.end()
        if group == "number":
            return self.number(token)
        if group == "sign":
            self.sign(token, token[0])
        elif group == "letters":
            self.letters(token[0], token.start())
        elif group == "command":
            self.command(token, token["command"])
        elif group == "text":
            return self.wording(token)
        elif group == "env":
            self.add("begin" if token["edge"] == "begin" else "end", token["env"], token)
        elif group == "field":
            self.add("field", token["field"], token)
        else:
            return self.based(token)
        return token.end()

    def number(self, token: re.Match[str]) -> int:
        digits, end = token[0], token.end()
        if "," in digits and "{" not in digits and "\\" not in digits:
            digits, end = self.with_commas(digits, token.start(), end)
        category: Category = (
            "decimal" if "." in digits or "e" in digits or "E" in digits else "number"
        )
        if category == "number" and not digits.isdecimal():
            digits = "".join(filter(str.isdecimal, digits))
        elif category == "decimal":
            digits = _SEPARATOR.sub("", digits)
        self.found.append(Token(category, digits, token.start(), end))
        return end

    def with_commas(self, digits: str, start: int, end: int) -> tuple[str, int]:
        """Commas between digits group them by threes, or separate: in brackets without blanks,
        or where the groups are not of three, they separate.
        """
        *groups, last = digits.partition(".")[0].split(",")
        head = groups[0]
        grouped = len(head) <= 3 and all(len(group) == 3 for group in (*groups[1:], last))
        if grouped and not head.startswith("0") and (not self.depth or self.spaced):
            return digits.replace(",", ""), end
        for group in groups:
            self.found.append(Token("number", group, start, start + len(group)))
            start += len(group) + 1
            self.found.append(Token("separator", ",", start - 1, start))
        return digits.rpartition(",")[2], end

    def sign(self, token: re.Match[str], sign: str) -> None:
        if sign in "([":
            self.depth += 1
        elif sign in ")]":
            self.depth -= 1
        if sign == "$" and not self.money:
            return
        if sign in RELATIONS:
            self.add("relation", RELATIONS[sign], token)
        elif sign in {",", ";"}:
            self.add("separator", sign, token)
        elif sign not in {'"', "`"}:
            self.add("sign", "^" if sign == "**" else sign, token)

    def command(self, token: re.Match[str], name: str) -> None:
        if name in RELATIONS:
            self.add("relation", RELATIONS[name], token)
            return
        name = _SPELLINGS.get(name, name)
        if name in FUNCTIONS or name in ALIASES:
            self.add("function", ALIASES.get(name, name), token)
        elif name in CONSTANTS:
            self.add("constant", CONSTANTS[name], token)
        elif name in GREEK or (len(name) == 1 and name.isalpha()):
            self.letters(name, token.start()) if name in {"i", "j"} else self.add(
                "name", name, token
            )
        elif name in {"and", "or"}:
            self.add("separator", name, token)
        elif name in {"\\{", "\\}"}:
            self.depth += 1 if name == "\\{" else -1
            self.add("sign", name, token)
        elif len(name) == 1 or name in {"<(", ")>", "\\\\"}:
            self.add("sign", name, token)
        else:
            self.add("over" if name in {"over", "choose"} else "command", name, token)

    def wording(self, token: re.Match[str]) -> int:
        r"""Read ``\text{...}``: a function or constant by its name, a number, a character, or
        words.
        """
        start = token.end() + 1
        end = _closing(self.text, token.end())
        inner = self.text[start : end - 1].strip()
        bare = inner.strip(" ,").lower()
        if bare in {"and", "or"}:
            self.found.append(Token("separator", bare, token.start(), end))
        elif (inner in FUNCTIONS or inner in ALIASES) and not self.minutes(inner):
            self.found.append(Token("function", ALIASES.get(inner, inner), token.start(), end))
        elif inner in {"e", "i", "d"} or (
            len(inner) == 1 and inner.isalpha() and not self.counts()
        ):
            self.letters(inner, start)
        elif not any(sign.isalpha() for sign in inner) and "\\" not in inner:
            inside = _Cutter(inner)
            self.found += inside.cut()
        elif inner:
            self.found.append(Token("word", inner, token.start(), end))
        return end

    def minutes(self, run: str) -> bool:
        """Whether "min" is the unit and not the function."""
        return run == "min" and self.counts()

    def counts(self) -> bool:
        """Return whether a number or a closed bracket comes before, so that a unit may follow."""
        last = self.found[-1] if self.found else None
        return last is not None and (
            last.category in {"number", "decimal"} or last.value in {"}", ")", "^", "circ"}
        )

    def is_product(self, run: str, start: int) -> bool:
        """Whether letters side by side are multiplied: those of no word, or Ax beside a sign."""
        if len(run) > 3:
            return False
        if len(run) == 2 and run[1] in "xyz" and run[0].isupper():
            before = self.text[max(0, start - 3) : start].rstrip()[-1:]
            return before in {"+", "-", "="} or _OPERATOR.match(self.text, start + 2) is not None
        return not _is_word(run)

    def based(self, token: re.Match[str]) -> int:
        """Read a number with its base as subscript, as 1011₂; otherwise only the number."""
        number = _BASED.fullmatch(token[0])
        if number is not None:
            digits, base = number[1], int(number[2])
            if 2 <= base <= 36 and all(int(digit, 36) < base for digit in digits):
                self.add("based", f"{digits}_{base}", token)
                return token.end()
        rest = _TOKEN.match(self.text, token.start(), token.start() + _leading(token[0]))
        assert rest is not None
        return self.take(rest, rest.lastgroup or "")

    def letters(self, run: str, start: int) -> None:
        """Letters side by side: a word that is known, a word, or names to be multiplied."""
        end = start + len(run)
        before = self.text[start - 1 : start]
        if len(run) == 1:
            constant = run in {"e", "i"}
            self.found.append(Token("constant" if constant else "name", run, start, end))
        elif (run in FUNCTIONS or run in ALIASES) and not self.minutes(run):
            self.found.append(Token("function", ALIASES.get(run, run), start, end))
        elif run in CONSTANTS or run == "Infinity":
            self.found.append(Token("constant", CONSTANTS.get(run, "inf"), start, end))
        elif run in {"and", "or"}:
            self.found.append(Token("separator", run, start, end))
        elif run in {"sqrt", "emptyset"}:  # sqrt 50 takes all of the number, as √50 does
            self.found.append(Token("command", "surd" if run == "sqrt" else run, start, end))
        elif run[:-1] in FUNCTIONS or run[:-1] in ALIASES:  # sinx
            self.letters(run[:-1], start)
            self.letters(run[-1], end - 1)
        elif len(run) == 3 and run[:2] == "pi":
            self.letters("pi", start)
            self.letters(run[-1], end - 1)
        elif self.is_product(run, start) and not (before.isspace() and self.counts()):
            for position, letter in enumerate(run, start):
                self.letters(letter, position)
        else:
            self.found.append(Token("word", run, start, end))


_OPERATOR = re.compile(r"\s?[-+=]")


_WORDS = frozenset(
    [
        *(
            "yes",
            "no",
            "not",
            "odd",
            "even",
            "red",
            "one",
            "two",
            "six",
            "ten",
            "all",
            "any",
            "few",
        ),
        *(
            "is",
            "it",
            "if",
            "to",
            "of",
            "by",
            "at",
            "on",
            "he",
            "she",
            "her",
            "him",
            "the",
            "an",
            "up",
        ),
        *(
            "DNE",
            "dne",
            "nil",
            "day",
            "big",
            "low",
            "sum",
            "cat",
            "dog",
            "boy",
            "man",
            "Bob",
            "Ann",
        ),
        *(
            "cm",
            "mm",
            "km",
            "kg",
            "mg",
            "ml",
            "mL",
            "hr",
            "ft",
            "lb",
            "oz",
            "mph",
            "min",
            "sec",
            "usd",
        ),
        *("USD", "EUR", "GBP", "May", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "am", "pm"),
    ]
)


def _is_word(run: str) -> bool:
    capitalised = run[0].isupper() and run[1:].islower()
    return capitalised or run in _WORDS or run.casefold() in _WORDS


def _leading(text: str) -> int:
    """How many digits, or letters, a text starts with."""
    digits = text[0].isdigit()
    return next(position for position, sign in enumerate(text) if sign.isdigit() != digits)


_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def _closing(text: str, start: int) -> int:
    depth = 0
    for mark in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return mark.end()
    raise InvalidAnswer("a brace is not closed")
