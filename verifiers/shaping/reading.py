"""Recipes as text, written as in Python, for configurations and for HTTP.

``Format() * Truth(partial=0) + 0.5 * SoftOverlong(limit=8192)`` is read by a reader of its own,
which knows the recipes of :mod:`palaestra.verifiers.shaping`, numbers, texts, ``+`` and ``*``, and
nothing else; nothing is ever evaluated.
"""

import ast
import re
from functools import lru_cache
from typing import Any

from palaestra.syntax import parse_expression
from palaestra.verifiers.shaping.calibration import Confidence
from palaestra.verifiers.shaping.formats import Format
from palaestra.verifiers.shaping.lengths import (
    CosineLength,
    L1Exact,
    L1Max,
    LaserStep,
    SoftOverlong,
)
from palaestra.verifiers.shaping.recipe import Clip, Gated, Recipe
from palaestra.verifiers.shaping.repetition import NGramRepetition
from palaestra.verifiers.shaping.transcript import RecipeError
from palaestra.verifiers.shaping.truth import Reward, Truth

KNOWN: dict[str, Any] = {
    recipe_type.__name__: recipe_type
    for recipe_type in (
        *(Clip, Confidence, CosineLength, Format, Gated, L1Exact, L1Max, LaserStep),
        *(NGramRepetition, Reward, SoftOverlong, Truth),
    )
}
"""What may stand in a recipe."""

_PLAIN = re.compile(r"""[\w\s.,()\[\]=+*'"-]*""", re.ASCII)
# Numbers with letters behind them Python reads only under protest, which would go to the log.
_ODD = re.compile(r"(?<!\w)[0-9][0-9_eE]*[a-df-zA-DF-Z]", re.ASCII)


@lru_cache(maxsize=256)
def read(text: str) -> Reward:
    """The reward that a recipe gives, which has to keep the order of right and wrong unless it says
    that it does not: ``Reward(Truth() + LaserStep(target=900), allow_order_change=True)``.

    Raises :class:`RecipeError`.

    >>> read("Truth(partial=0) + 0.5 * SoftOverlong(limit=8192)").low
    -0.5
    """
    if not _PLAIN.fullmatch(text) or _ODD.search(text):
        raise RecipeError("a recipe is made of names, numbers, texts, brackets, + and *")
    try:
        value = _made(parse_expression(text.strip()))
        return value if isinstance(value, Reward) else Reward(_recipe(value))
    except RecipeError:
        raise
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise RecipeError(f"a recipe is written as in Python: {error}"[:300]) from None
    except (TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise RecipeError(f"a recipe cannot be made of this: {error}"[:300]) from None


def _recipe(value: Any) -> Recipe:
    if not isinstance(value, Recipe):
        raise RecipeError("a recipe is made of recipes, such as Truth()")
    return value


def _made(node: ast.expr) -> Any:
    """What a part of a recipe is."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if name in KNOWN:
            named = {word.arg: _made(word.value) for word in words if word.arg}
            if len(named) < len(words):
                raise RecipeError("options go by their names")
            arguments = [*map(_made, args)]
            if name == "Reward" and arguments:
                arguments[0] = _recipe(arguments[0])
            return KNOWN[name](*arguments, **named)
        case ast.Call(func=ast.Name(id=name)):
            raise RecipeError(f"there is no recipe {name[:80]!r}; there are {', '.join(KNOWN)}")
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _recipe(_made(left)) + _recipe(_made(right))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factor, recipe = _made(left), _recipe(_made(right))
            is_weight = isinstance(factor, int | float)
            return factor * recipe if is_weight else _recipe(factor) * recipe
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Constant(value=bool() | int() | float() | str() | None as plain):
            return plain
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(map(_made, parts))
    raise RecipeError(f"a recipe has no {type(node).__name__} in it")
