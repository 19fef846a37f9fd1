"""Equational proofs: one axiom, one place, each step; and nothing false in a model is proved."""

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.proofs import EquationalProof, equation, term
from palaestra.verifiers.proofs.equations import read_chain
from palaestra.verifiers.proofs.rewriting import follows, symbols
from palaestra.verifiers.verifier import GoldError

X, Y = ("x",), ("y",)

GROUP = {
    "unit": "e * x = x",
    "inverse": "x' * x = e",
    "assoc": "(x * y) * z = x * (y * z)",
}

RIGHT_INVERSE = """
x * x'
= e * (x * x')                  by unit right-to-left
= (x'' * x') * (x * x')         by inverse reversed at 1
= x'' * (x' * (x * x'))         by assoc
= x'' * ((x' * x) * x')         by axiom assoc <- at 2
= x'' * (e * x')                by inverse at 2.1
= x'' * x'                      by unit left-to-right at position 2
= e                             by inverse at top
"""

# Terms


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("x * y * x", ("*", ("*", X, Y), X)),
        ("x + y * x", ("+", X, ("*", Y, X))),
        ("-x * y'", ("*", ("-", X), ("'", Y))),
        ("-x'", ("-", ("'", X))),
        ("(-x)'", ("'", ("-", X))),
        ("x^-1 · y", ("*", ("'", X), Y)),
        ("x - -y", ("-", X, ("-", Y))),
        ("f(x, g(y), 0)", ("f", X, ("g", Y), ("0",))),
        ("~(x ∧ y) | x", ("|", ("~", ("&", X, Y)), X)),
        ("x ∘ [y ∘ x]", ("∘", X, ("∘", Y, X))),
        (r"x \cdot \left(y\right)", ("*", X, Y)),
    ],
)
def test_terms(text, tree):
    assert term(text) == tree


@pytest.mark.parametrize(
    "text",
    [
        "", "x y", "x *", "* x", "f(", "f()", "f(x", "f(x,)", "f(,x)", "(x, y)", "x, y", "f)x(",
        "x''' *", "f(x)[y]", "2x", "x^2", "х * y", "f(x]", "(" * 4_000, "-" * 4_000 + "x",
        "f(" * 1_000 + "x" + ")" * 1_000, "x" + "'" * 500, "x * " * 800 + "x", "9" * 5_000,
    ],
    ids=range(24),
)  # fmt: skip
def test_what_is_no_term_is_refused(text):
    with pytest.raises(InvalidAnswer):
        term(text)


@pytest.mark.parametrize("text", ["x", "x = y = x", "x =", "x == y"])
def test_what_is_no_equation_is_refused(text):
    with pytest.raises(InvalidAnswer):
        equation(text)


# The kernel

COMMUTES = "x * y = y * x"


@pytest.mark.parametrize(
    ("before", "after", "axiom", "place", "right"),
    [
        ("a * b", "b * a", COMMUTES, None, True),
        ("c * (a * b)", "c * (b * a)", COMMUTES, None, True),
        ("c * (a * b)", "(a * b) * c", COMMUTES, None, True),
        ("c * (a * b)", "(b * a) * c", COMMUTES, None, False),  # two uses
        ("(a * b) * (a * b)", "(b * a) * (b * a)", COMMUTES, None, False),  # two places
        ("a * b", "b * a", COMMUTES, (), True),
        ("a * b", "b * a", COMMUTES, (1,), False),
        ("c * (a * b)", "c * (b * a)", COMMUTES, (2,), True),
        ("c * (a * b)", "c * (b * a)", COMMUTES, (1,), False),
        ("c * (a * b)", "d * (b * a)", COMMUTES, (2,), False),
        ("c * (a * b)", "c + (b * a)", COMMUTES, (2,), False),
        ("a * b", "b * a", COMMUTES, (3,), False),
        ("a * b", "b * a", COMMUTES, (0,), False),
        ("a * b", "b * a", COMMUTES, (1, 1), False),
        ("c * (a * a)", "c * (a * a)", COMMUTES, (2,), True),
        ("a * a", "a", "x * x = x", None, True),
        ("a * b", "a", "x * x = x", None, False),  # one variable, two values
        ("f(a) * f(a)", "f(a)", "x * x = x", None, True),
        ("f(a) * f(b)", "f(a)", "x * x = x", None, False),
        ("e", "b' * b", "e = x' * x", None, True),  # a variable on the right only
        ("e", "b' * a", "e = x' * x", None, False),
        ("a", "b", "x = y", None, True),
        ("x * y", "y * x", COMMUTES, None, True),  # the variables of a goal are constants
        ("x", "y", "x * e = x", None, False),
        ("e", "a", "e = f(e)", None, False),
        ("f(a)", "f(a, a)", "f(x) = f(x, x)", None, True),
        ("g(a)", "f(a, a)", "f(x) = f(x, x)", None, False),
        ("f(a, b)", "a", "f(x) = x", None, False),
        ("f(a)", "a", "f(x, y) = x", None, False),
    ],
    ids=range(29),
)
def test_one_step(before, after, axiom, place, right):
    assert follows(term(before), term(after), equation(axiom), "xyz", place) == right


def test_names_are_variables_only_where_they_are_said_to_be():
    axiom = equation("x * e = x")
    assert follows(term("a * e"), term("a"), axiom, ["x"])
    assert not follows(term("a * b"), term("a"), axiom, ["x"])
    assert follows(term("a * b"), term("a"), axiom, ["x", "e"])
    assert not follows(term("a * e"), term("a"), axiom, [])


# The verifier


def test_equational_proof():
    judge = EquationalProof(GROUP, "x * x' = e")
    lines = RIGHT_INVERSE.strip().splitlines()
    unguided = RIGHT_INVERSE.replace(" right-to-left", "").replace(" reversed at 1", "")
    unguided = unguided.replace(" <- at 2", "").replace(" left-to-right at position 2", "")
    backwards = "\n".join(
        [
            "e = x'' * x' by inverse",
            "x'' * x' = x'' * (e * x') by unit",
            "= x'' * ((x' * x) * x') by inverse",
            "= x'' * (x' * (x * x')) by assoc",
            "= (x'' * x') * (x * x') by assoc",
            "= e * (x * x') by inverse",
            "= x * x' by unit",
        ]
    )
    right = [RIGHT_INVERSE, unguided, backwards, f"```\n{RIGHT_INVERSE}```"]
    right += ["\n".join([f"{lines[0]} {lines[1]}", *lines[2:]]), RIGHT_INVERSE.replace("*", "·")]
    wrong = ["\n".join(lines[:index] + lines[index + 1 :]) for index in range(8)]
    wrong += [
        "x * x' = e by inverse",
        "x * x' = e by goal",
        RIGHT_INVERSE.replace("= x'' * (e * x') ", "x'' * x' = x'' * (e * x') "),
        "x * x' = e by sorry",
        "x * x' = e by axiom",
        "x * x' = e",
        "x * x'",
        "e",
        "x' * x = e by inverse",  # another statement
        "y * y' = e by inverse",
        RIGHT_INVERSE.replace("assoc\n", "assoc at 1\n"),
        RIGHT_INVERSE.replace("right-to-left", "left-to-right"),
        RIGHT_INVERSE.replace("at position 2", "at position 1"),
        RIGHT_INVERSE.replace("at position 2", "at position 2.9"),
        RIGHT_INVERSE.replace("at position 2", "at the end"),
        RIGHT_INVERSE.replace("by unit", "by Unit of groups"),
        RIGHT_INVERSE.replace("e * (x * x')", "f(e) * (x * x')", 1),
        RIGHT_INVERSE.replace("x", "\u0445"),  # a Cyrillic letter
        RIGHT_INVERSE + "= x' * x by inverse",
        "e = e * e by unit\n= x' * x by inverse\n" + RIGHT_INVERSE,
    ]
    check_verifier(judge, right, wrong, hostile=["= e by unit\n" * 1_000, "x * x'\n= e by unit"])


def test_axioms_have_names_of_words_in_any_case():
    judge = EquationalProof({"Left  Identity": "e * x = x", "at": "f(x) = x"}, "f(e * a) = a")
    assert judge("f(e*a) = e*a by at at top\n= a by LEFT identity left-to-right").correct
    assert judge("f(e*a) = e*a by at\n= a by left identity (ltr)").correct
    assert not judge("f(e*a) = e*a by at\n= a by left identity rtl").correct
    assert judge("f(e*a) = e*a by at at 1.1.1\n= a by left identity").status == "scored"


def test_unknown_symbols_are_refused():
    judge = EquationalProof(GROUP, "x' * x = y' * y")
    assert judge("x' * x = e by inverse\n= y' * y by inverse").correct
    detour = "x' * x = e by inverse\n= {0}' * {0} by inverse\n= e by inverse\n= y' * y by inverse"
    assert judge(detour.format("z")).correct
    assert "not known" in judge(detour.format("a")).reason
    assert "not known" in judge(detour.format("f(x)")).reason


def test_long_chains_are_too_much():
    judge = EquationalProof(GROUP, "e * x = x")
    there_and_back = "= e * x by unit\n= x by unit\n"
    assert judge("x\n" + there_and_back * 100 + "= e * x by unit").correct
    assert judge("x\n" + there_and_back * 200).status == "limit"


@pytest.mark.parametrize(
    ("axioms", "goal"),
    [
        ({"a": "x * = x"}, "x = y"),
        ({"a": "x = x * x"}, "x"),
        ({"a": "x = x * x"}, "x = x"),
        ({"a": "x = x * x", "A": "x = x"}, "x = y"),
        ({" ": "x = x * x"}, "x = y"),
    ],
)
def test_golds_that_make_no_sense(axioms, goal):
    with pytest.raises(GoldError):
        EquationalProof(axioms, goal)


@settings(deadline=None)
@given(st.text("xe*'()= \nbyunitas-><.12", max_size=150))
@example("= = by")
@example("x by y")
def test_no_text_breaks_the_judge(text):
    assert not EquationalProof(GROUP, "x * x' = e")(text).correct


# Soundness: whatever is proved holds in every finite model of the axioms


def value(term, model, world):
    """The value of a term: operations are tables, by symbol and number of arguments."""
    if term in world:
        return world[term]
    return model[term[0], len(term) - 1][tuple(value(part, model, world) for part in term[1:])]


def holds(sides, model, size):
    leaves = {(name,) for side in sides for name, arity in symbols(side) if not arity}
    leaves = sorted(leaf for leaf in leaves if (leaf[0], 0) not in model)
    return all(
        value(sides[0], model, world) == value(sides[1], model, world)
        for values in product(range(size), repeat=len(leaves))
        for world in [dict(zip(leaves, values))]
    )


THEORIES = {
    "groups": GROUP,
    "semilattices": {
        "assoc": "(x * y) * z = x * (y * z)",
        "swap": "x * y = y * x",
        "twice": "x * x = x",
    },
    "bands": {"assoc": "(x * y) * z = x * (y * z)", "left": "x * y = x", "back": "x'' = x"},
    "rackets": {"turn": "x * (x * y) = y", "prime": "(x * y)' = y' * x'"},
}


def models(theory, size, tries, seed):
    """Random algebras, and those of a group, in which the axioms of a theory hold."""
    rng = Random(seed)
    axioms = [equation(text) for text in THEORIES[theory].values()]
    everything = range(size)
    candidates = [
        {
            ("*", 2): {(a, b): (a + b) % size for a, b in product(everything, repeat=2)},
            ("'", 1): {(a,): -a % size for a in everything},
            ("e", 0): {(): 0},
        },
        {
            ("*", 2): {(a, b): min(a, b) for a, b in product(everything, repeat=2)},
            ("'", 1): {(a,): a for a in everything},
            ("e", 0): {(): size - 1},
        },
    ]
    for _ in range(tries):
        table = {pair: rng.randrange(size) for pair in product(everything, repeat=2)}
        image = {(a,): rng.randrange(size) for a in everything}
        candidates.append({("*", 2): table, ("'", 1): image, ("e", 0): {(): rng.randrange(size)}})
    return [model for model in candidates if all(holds(a, model, size) for a in axioms)]


def permutations_of_three():
    """The smallest group that does not commute."""
    elements = list(permutations(range(3)))
    number = {element: index for index, element in enumerate(elements)}
    pairs = product(enumerate(elements), repeat=2)
    return {
        ("*", 2): {(i, j): number[tuple(a[b[k]] for k in range(3))] for (i, a), (j, b) in pairs},
        ("'", 1): {
            (i,): number[tuple(a.index(k) for k in range(3))] for i, a in enumerate(elements)
        },
        ("e", 0): {(): number[0, 1, 2]},
    }


MODELS = {
    name: [(model, size) for size in (2, 3) for model in models(name, size, 4_000 // size**2, 1)]
    for name in THEORIES
}
MODELS["groups"].append((permutations_of_three(), 6))


def test_there_are_models():
    assert all(holds(equation(axiom), *MODELS["groups"][-1]) for axiom in GROUP.values())
    assert not holds(equation("x * y = y * x"), *MODELS["groups"][-1])
    assert all(len(models) >= 2 for models in MODELS.values()), {
        n: len(m) for n, m in MODELS.items()
    }


def terms(rng, depth):
    if depth == 0 or rng.randrange(4) == 0:
        return (rng.choice("xyze"),)
    if rng.randrange(4) == 0:
        return ("'", terms(rng, depth - 1))
    return ("*", terms(rng, depth - 1), terms(rng, depth - 1))


def filled(rng, pattern, bound):
    """A pattern with what its variables stand for; those without a value get one."""
    if len(pattern) == 1 and pattern[0] in "xyz":
        return bound.setdefault(pattern, terms(rng, 1))
    return (pattern[0], *(filled(rng, part, bound) for part in pattern[1:]))


def bindings(pattern, term, bound):
    if len(pattern) == 1 and pattern[0] in "xyz":
        return bound.setdefault(pattern, term) == term
    same = len(pattern) == len(term) and pattern[0] == term[0]
    return same and all(bindings(p, f, bound) for p, f in zip(pattern[1:], term[1:]))


def rewritten(rng, before, axioms):
    """A term made from another by an axiom somewhere, or by a blunder."""
    index = rng.randrange(1, len(before)) if len(before) > 1 and rng.randrange(3) else 0
    if index:
        inner = rewritten(rng, before[index], axioms)
        return (*before[:index], inner, *before[index + 1 :])
    left, right = rng.choice(axioms)[:: rng.choice([1, -1])]
    bound = {}
    if not bindings(left, before, bound):
        return before
    if rng.randrange(4) == 0:
        bound.pop(rng.choice([("x",), ("y",)]), None)
    return filled(rng, right, bound)


@pytest.mark.parametrize("theory", THEORIES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_whatever_follows_by_an_axiom_holds_in_its_models(theory, seed):
    rng = Random(seed)
    axioms = [equation(text) for text in THEORIES[theory].values()]
    before = terms(rng, 3)
    after = rewritten(rng, before, axioms)
    if rng.randrange(3) == 0:
        after = rewritten(rng, after, axioms)
    for axiom in axioms:
        for way in (axiom, axiom[::-1]):
            if follows(before, after, way, "xyz"):
                for model, size in MODELS[theory]:
                    assert holds((before, after), model, size)


@pytest.mark.parametrize("theory", THEORIES)
def test_real_steps_are_found(theory):
    rng, count = Random(5), 0
    axioms = [equation(text) for text in THEORIES[theory].values()]
    for _ in range(300):
        before = terms(rng, 3)
        after = rewritten(rng, before, axioms)
        ways = [way for axiom in axioms for way in (axiom, axiom[::-1])]
        count += before != after and any(follows(before, after, way, "xyz") for way in ways)
    assert count > 50


def test_mutated_chains_that_pass_hold_in_groups():
    rng, passed = Random(3), 0
    lines = RIGHT_INVERSE.strip().splitlines()
    for _ in range(400):
        mutant = list(lines)
        index = rng.randrange(len(mutant))
        line = mutant[index]
        spot = rng.randrange(len(line))
        mutant[index] = line[:spot] + rng.choice("xye*'()= 12") + line[spot + 1 :]
        try:
            start, steps = read_chain("\n".join(mutant))
            end = steps[-1].result if steps else start
            judge = EquationalProof(GROUP, "=".join(map(written, (start, end))))
        except (InvalidAnswer, GoldError):
            continue
        if judge("\n".join(mutant)).correct:
            passed += 1
            assert all(holds((start, end), *model) for model in MODELS["groups"])
    assert passed > 20


def written(term):
    if len(term) == 1:
        return term[0]
    parts = [f"({written(part)})" for part in term[1:]]
    return f"{parts[0]}'" if len(parts) == 1 else "*".join(parts)


# Right proofs by a rewriter of its own


def ground(rng, height, signs):
    """A random term without variables."""
    if not height or rng.random() < 0.2:
        return (rng.choice("abce"),)
    sign = rng.choice(sorted(signs))
    return (sign, *(ground(rng, height - 1, signs) for _ in range(signs[sign])))


def instance(pattern, values):
    if len(pattern) == 1:
        return values.get(pattern[0], pattern)
    return (pattern[0], *(instance(part, values) for part in pattern[1:]))


def put(whole, place, part):
    if not place:
        return part
    parts = list(whole)
    parts[place[0]] = put(parts[place[0]], place[1:], part)
    return tuple(parts)


def places(whole):
    yield (), whole
    for number, part in enumerate(whole[1:], 1):
        yield from (((number, *place), inner) for place, inner in places(part))


def unified(pattern, term, values):
    if len(pattern) == 1 and pattern[0] in "uvwxyz":
        return values.setdefault(pattern[0], term) == term
    return (
        pattern[0] == term[0]
        and len(pattern) == len(term)
        and all(unified(p, f, values) for p, f in zip(pattern[1:], term[1:]))
    )


def text_of(term):
    match term:
        case (name,):
            return name
        case ("'", inner):
            return f"({text_of(inner)})'"
        case (sign, left, right):
            return f"({text_of(left)} {sign} {text_of(right)})"
    raise AssertionError(term)


LAWS = {
    "unit": "e * x = x", "inverse": "x' * x = e", "assoc": "(x * y) * z = x * (y * z)",
    "swap": "x * y = y * x", "idem": "x + x = x", "spread": "x * (y + z) = (x * y) + (x * z)",
}  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_right_proofs_are_accepted(seed):
    """Also steps that change nothing, at any place."""
    rng = Random(seed)
    start = now = ground(rng, 4, {"*": 2, "+": 2, "'": 1})
    lines = [text_of(start)]
    for _ in range(rng.randrange(1, 8)):
        options = []
        for name, law in LAWS.items():
            for way, sides in (("left-to-right", equation(law)), ("reversed", equation(law)[::-1])):
                for place, part in places(now):
                    values = {}
                    if unified(sides[0], part, values):
                        options.append((name, way, place, sides[1], values))
        name, way, place, side, values = rng.choice(options)
        values = {name: values.get(name, ground(rng, 1, {"*": 2})) for name in "uvwxyz"}
        now = put(now, place, instance(side, values))
        if len(text_of(now)) > 1_500:
            return
        spot = ".".join(map(str, place)) or "top"
        reason = f"{name} {way}" * rng.randrange(2) or name
        lines.append(f"= {text_of(now)} by {reason}" + f" at {spot}" * rng.randrange(2))
    if now != start:
        judge = EquationalProof(LAWS, f"{text_of(start)} = {text_of(now)}")
        score = judge("\n".join(lines))
        assert score.correct, (score.reason, lines)


def test_a_step_that_changes_nothing_is_one_use_of_an_axiom():
    judge = EquationalProof({"swap": "x * y = y * x", "unit": "x * e = x"}, "(b * b) * e = b * b")
    assert judge("(b * b) * e\n= (b * b) * e by swap\n= b * b by unit").correct
    assert judge("(b * b) * e\n= (b * b) * e by swap at 1\n= b * b by unit").correct
    assert not judge("(b * b) * e\n= (b * b) * e by swap at top\n= b * b by unit").correct
    other = EquationalProof({"swap": "x * y = y * x", "unit": "x * e = x"}, "(a * b) * e = a * b")
    assert not other("(a * b) * e\n= (a * b) * e by swap\n= a * b by unit").correct


@pytest.mark.parametrize(
    "form",
    [
        "{} by {}", "{} (by {})", "{} [by {}]", "{}, by {}", "{} by ({})", "{} by {}.",
        "{} using {}",
        "{} by the axiom {}", "{} by axiom {}", "{} by equation {}", "{} by the rule {}",
        "{} by `{}`", "{} by **{}**", '{} by "{}"',
        "{} -- by {}", "{}   {{by {}}}", "${}$ by {}", "1. {} by {}", "{} by {} at the top",
        "{} by {} (left to right)", "{} by {}, left-to-right", "{}; by {}", "{} # by {}",
    ],
)  # fmt: skip
def test_reasons_may_be_given_in_many_ways(form):
    axioms = {"unit": "x * e = x", "swap": "x * y = y * x", "left unit": "e * x = x"}
    judge = EquationalProof(axioms, "e * a = a")
    proof = [("e * a = a * e", "Swap"), ("= a", "unit")]
    assert judge("\n".join(form.format(*step) for step in proof)).correct
    assert judge(form.format("e * a = a", "left unit")).correct
    assert not judge(form.format("e * a = a", "unit")).correct
    assert not judge(form.format("e * a = a", "left")).correct
    assert not judge("\n".join(form.format(*step) for step in [proof[0], ("= a", "swap")])).correct


def test_names_of_axioms_may_begin_with_such_a_word():
    judge = EquationalProof({"Axiom 1": "x * e = x", "rule 2": "x * y = y * x"}, "e * a = a")
    assert judge("e * a = a * e by rule 2\n= a by axiom 1").correct
    assert judge("e * a = a * e by 2\n= a by 1").correct
    with pytest.raises(GoldError, match="names that differ"):
        EquationalProof({"axiom 1": "x * e = x", "rule 1": "e * x = x"}, "e * a = a")


def test_a_direction_in_words_is_kept():
    judge = EquationalProof({"unit": "e * x = x"}, "e * a = a")
    assert judge("a = e * a by unit, right to left").correct
    assert judge("a = e * a by unit (reversed) at top").correct
    assert not judge("a = e * a by unit left to right").correct
