"""Natural deduction: formulas are read as meant, and nothing is proved that does not follow."""

from itertools import product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaestra.generators.logic import propositions
from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.proofs import NaturalDeduction, entails, formula, written
from palaestra.verifiers.proofs.fitch import CLASSICAL, Line, proof_error
from palaestra.verifiers.proofs.formulas import FALSE, TRUE, facts
from palaestra.verifiers.proofs.natural import read_line, read_proof
from palaestra.verifiers.verifier import GoldError

P, Q, R = ("p",), ("q",), ("r",)

# Formulas


def trees(leaves=(P, Q, R, FALSE, TRUE)):
    def larger(parts):
        links = st.sampled_from(["and", "or", "if", "iff"])
        return st.tuples(st.just("not"), parts) | st.tuples(links, parts, parts)

    return st.recursive(st.sampled_from(leaves), larger, max_leaves=8)


@given(trees())
def test_formulas_survive_writing_and_reading(claim):
    assert formula(written(claim)) == claim


@pytest.mark.parametrize(
    "text",
    [
        "~p & q -> r | p",
        "((~p) & q) -> (r | p)",
        "¬p ∧ q → r ∨ p",
        "not p and q implies r or p",
        "NOT p AND q => r || p",
        "!p && q ⊃ r ∨ p",
        r"\lnot p \land q \to r \lor p",
        r"\neg p \wedge q \Rightarrow \left(r \vee p\right)",
        "[~p /\\ q] -> (r \\/ p)",
        "\u200b~p\u00a0& q \u2212> r | p",
    ],
)
def test_notations_mean_the_same(text):
    assert formula(text) == ("if", ("and", ("not", P), Q), ("or", R, P))


def test_grouping():
    assert formula("p -> q -> r") == ("if", P, ("if", Q, R))
    assert formula("p & q & r") == ("and", ("and", P, Q), R)
    assert formula("p <-> q <-> r") == ("iff", ("iff", P, Q), R)
    assert formula("~~p | q") == ("or", ("not", ("not", P)), Q)


@pytest.mark.parametrize(
    "text",
    [
        "", "p q", "p &", "& p", "(p", "p)", "(p]", "()", "~", "p ~ q", "p(q)", "p, q", "p = q",
        "1", "p # q", "р & q", "\u202ep", r"p \xor q", "p -> -> q", "x" * 41, "\ud800",
        "(" * 5_000, "~" * 5_000 + "p", "(" * 1_500 + "p" + ")" * 400, "p & " * 1_500 + "p",
        "p -> " * 500 + "p",
    ],
    ids=range(26),
)  # fmt: skip
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(InvalidAnswer):
        formula(text)


def test_long_names_and_case_are_kept_apart():
    assert formula("Rain & rain") == ("and", ("Rain",), ("rain",))


def of_generators(claim):
    """A tree as the statement of the generators, over p, q, r as facts 0, 1, 2."""
    if len(claim) == 1:
        return ("is", "pqr".index(claim[0]))
    return (claim[0], *map(of_generators, claim[1:]))


@given(trees((P, Q, R)), trees((P, Q, R)))
def test_truth_tables_agree_with_those_of_the_generators(premise, claim):
    left, right = (propositions.column(of_generators(part), 3) for part in (premise, claim))
    assert entails([premise], claim) == (left & ~right == 0)


def test_generated_statements_are_read_back():
    statement = ("iff", ("or", ("is", 0), ("not", ("is", 2))), ("if", ("is", 1), ("is", 0)))
    text = propositions.formula(statement, "pqr")
    assert of_generators(formula(text)) == statement


def test_truth_tables_have_a_limit():
    wide = formula(" | ".join(f"p{number}" for number in range(17)))
    with pytest.raises(ValueError, match="17 facts"):
        entails([], wide)
    assert entails([formula("p1 & p2 & p3 & p4 & p5 & p6 & p7 & p8")], formula("p8"))


# Lines


@pytest.mark.parametrize(
    "text",
    [
        "4. | | q  ->E 1, 3",
        "|| 4) q MP 1,3",
        "4 ││ q → elim 1 3",
        "4: || q; modus ponens, 1, 3",
        "4. || q   (Modus-Ponens: 1, 3)",
        "4. || q [conditional elimination 1,3].",
        "4. || q by \\to E 1,3",
        "4. || q  implies-elimination 1;3",
    ],
)
def test_lines_may_be_written_in_many_ways(text):
    assert read_line(text) == Line(4, 2, Q, "if elim", (1, 3))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("premise", "premise"), ("Assumption", "assumption"), ("R 1", "reiteration"),
        ("∧I 1", "and intro"), ("& elim 1", "and elim"), ("or I 1", "or intro"),
        ("∨E 1", "or elim"), ("⊃I 1", "if intro"), ("CP 1", "if intro"),
        ("↔ I 1", "iff intro"), ("<->E 1", "iff elim"), ("¬I 1", "not intro"),
        ("~E 1", "not elim"), ("⊥I 1", "not elim"), ("⊥E 1", "false elim"),
        ("ex falso 1", "false elim"), ("DNE 1", "double negation"), ("¬¬E 1", "double negation"),
        ("double negation elimination 1", "double negation"), ("RAA 1", "indirect proof"),
        ("⊤I", "true intro"), ("elim ∧ 1", "and elim"), ("negation introduction 1", "not intro"),
    ],
)  # fmt: skip
def test_rules_have_many_names(name, rule):
    assert read_line(f"7. p -> q  {name}").rule == rule
    assert read_line(f"7. p -> q  {name}").claim == ("if", P, Q)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("2. q & p   R 1", ("and", Q, P)),
        ("2. q -> p   R 1", ("if", Q, P)),
        ("2. ~ p   R 1", ("not", P)),
        ("2. q | p   r, 1", ("or", Q, P)),
        ("2. q & x   R 1", ("and", Q, ("x",))),
        ("2. q & a   R 1", ("and", Q, ("a",))),
        ("2. not p  R 1", ("not", P)),
        ("2. q or p  by R 1", ("or", Q, P)),
    ],
)
def test_a_rule_does_not_take_the_end_of_the_formula(text, claim):
    assert read_line(text) == Line(2, 0, claim, "reiteration", (1,))


@pytest.mark.parametrize(
    "text",
    [
        "p premise", "1. p", "1. premise", "1. p sorry", "1. p axiom", "1. p because",
        "1. p & premise", "1. p MP 1,2,3,4", "1. p MP 1-2-3", "1. p MP 99999", "1. p MP -1",
        "12345. p premise", "1. p q R 1", "1. p admit 3", "1. p MP 1.2", "0x1. p premise",
    ],
)  # fmt: skip
def test_unreadable_lines(text):
    with pytest.raises(InvalidAnswer):
        read_line(text)


# The kernel, rule by rule: what is cited (formulas and sub-proofs), right and wrong conclusions

RULES = [
    ("reiteration", ["p"], [], ["p"], ["q", "p | p"]),
    ("and intro", ["p", "q"], [], ["p & q", "q & p"], ["p", "p & p", "p | q", "p & r"]),
    ("and elim", ["p & q"], [], ["p", "q"], ["r", "q & p"]),
    ("and elim", ["p | q"], [], [], ["p", "q"]),
    ("or intro", ["p"], [], ["p | q", "q | p", "p | false"], ["p & q", "q | r", "p"]),
    ("or elim", ["p | q"], [("p", "r"), ("q", "r")], ["r"], ["p", "q"]),
    ("or elim", ["p | q"], [("q", "r"), ("p", "r")], ["r"], ["q"]),
    ("or elim", ["p | q"], [("p", "r"), ("p", "r")], [], ["r"]),
    ("or elim", ["p | q"], [("p", "r"), ("q", "p")], [], ["r", "p"]),
    ("or elim", ["p | q"], [("p", "r")], [], ["r"]),
    ("or elim", ["p & q"], [("p", "r"), ("q", "r")], [], ["r"]),
    ("if intro", [], [("p", "q")], ["p -> q"], ["q -> p", "q", "p", "~p | q"]),
    ("if intro", ["q"], [], [], ["p -> q"]),
    ("if elim", ["p -> q", "p"], [], ["q"], ["p", "r"]),
    ("if elim", ["p", "p -> q"], [], ["q"], ["p -> q"]),
    ("if elim", ["p -> q", "q"], [], [], ["p", "q"]),
    ("if elim", ["p -> q", "r"], [], [], ["q"]),
    ("iff intro", [], [("p", "q"), ("q", "p")], ["p <-> q", "q <-> p"], ["p", "p -> q"]),
    ("iff intro", [], [("p", "q"), ("p", "q")], [], ["p <-> q"]),
    ("iff intro", [], [("p", "q")], [], ["p <-> q"]),
    ("iff elim", ["p <-> q", "p"], [], ["q"], ["p", "r"]),
    ("iff elim", ["q", "p <-> q"], [], ["p"], ["q"]),
    ("iff elim", ["p -> q", "q"], [], [], ["p"]),
    ("not intro", [], [("p", "false")], ["~p"], ["p", "~q"]),
    ("not intro", [], [("p", "q")], [], ["~p"]),
    ("not intro", [], [("~p", "false")], ["~~p"], ["p"]),
    ("not elim", ["p", "~p"], [], ["false"], ["q", "p & ~p"]),
    ("not elim", ["~~p", "~p"], [], ["false"], ["p"]),
    ("not elim", ["p", "~q"], [], [], ["false"]),
    ("false elim", ["false"], [], ["p", "q & ~q"], []),
    ("false elim", ["p"], [], [], ["q"]),
    ("true intro", [], [], ["true"], ["false", "p"]),
    ("double negation", ["~~p"], [], ["p"], ["~p", "q"]),
    ("double negation", ["~p"], [], [], ["p"]),
    ("indirect proof", [], [("~p", "false")], ["p"], ["~~p", "q"]),
    ("indirect proof", [], [("p", "false")], [], ["~p", "p"]),
    ("indirect proof", [], [("~p", "q")], [], ["p"]),
    ("axiom", [], [], [], ["p", "p | ~p"]),
    ("sorry", ["p"], [], [], ["q", "p"]),
]


def proof_by(rule, lines, subproofs, claim):
    """A proof whose premises make all that a rule cites, and its last line the claim."""
    proof, premises = [], list(map(formula, lines))
    cited_lines, cited_subproofs = [], []
    for premise in premises:
        proof.append(Line(len(proof) + 1, 0, premise, "premise"))
        cited_lines.append(len(proof))
    for start, end in subproofs:
        begun, ended = formula(start), formula(end)
        premises.append(ended)
        proof.append(Line(len(proof) + 1, 1, begun, "assumption"))
        proof.append(Line(len(proof) + 1, 1, ended, "premise"))
        cited_subproofs.append((len(proof) - 1, len(proof)))
    cited = tuple(cited_lines), tuple(cited_subproofs)
    return [*proof, Line(len(proof) + 1, 0, formula(claim), rule, *cited)], premises


@pytest.mark.parametrize(("rule", "lines", "subproofs", "right", "wrong"), RULES, ids=range(39))
def test_rules(rule, lines, subproofs, right, wrong):
    for claim in right:
        assert proof_error(*proof_by(rule, lines, subproofs, claim)) == ""
        without = proof_error(*proof_by(rule, lines, subproofs, claim), classical=False)
        assert bool(without) == (rule in CLASSICAL)
    for claim in wrong:
        assert "does not follow" in proof_error(*proof_by(rule, lines, subproofs, claim))


# Scope

CHAIN = """
1. p -> q        premise
2. q -> r        premise
3. | p           assumption
4. | q           ->E 1, 3
5. | r           ->E 2, 4
6. p -> r        ->I 3-5
"""

CASES = """
1. p | q         premise
2. ~p            premise
3. | p           assumption
4. | false       ~E 2, 3
5. | q           falseE 4
6. | q           assumption
7. | q           R 6
8. q             |E 1, 3-5, 6-7
"""

EXCLUDED_MIDDLE = """
1. | ~(p | ~p)     assumption
2. | | p           assumption
3. | | p | ~p      |I 2
4. | | false       ~E 1, 3
5. | ~p            ~I 2-4
6. | p | ~p        |I 5
7. | false         ~E 1, 6
8. p | ~p          IP 1-7
"""


def problem(text, premises=(), classical=True):
    return proof_error(read_proof(text), set(map(formula, premises)), classical)


@pytest.mark.parametrize(
    ("proof", "premises", "message"),
    [
        ("1. | p assumption\n2. p R 1", [], "cannot be cited"),
        ("1. | p assumption\n2. q -> p ->I 1-1\n3. p R 1", [], "does not follow"),
        ("1. | p assumption\n2. p -> p ->I 1-1\n3. p R 1", [], "cannot be cited"),
        ("1. p R 1", [], "cannot be cited"),
        ("1. p R 2\n2. p R 1", [], "cannot be cited"),
        ("1. p R 2\n2. p premise", ["p"], "cannot be cited"),
        ("1. p premise\n1. q premise", ["p", "q"], "higher number"),
        ("2. p premise\n1. p premise", ["p"], "higher number"),
        ("1. q premise", ["p"], "not one of the premises"),
        ("1. p premise", ["p & p"], "not one of the premises"),
        ("1. | p premise", ["p"], "no assumption opened"),
        ("1. | | p assumption", [], "no assumption opened"),
        ("1. p assumption", [], "no assumption opened"),
        ("1. | p assumption\n2. | | p R 1", [], "no assumption opened"),
        # a sub-proof that is still open
        ("1. | p assumption\n2. | p -> p ->I 1-1", [], "cannot be cited"),
        # from an assumption to a line of another sub-proof
        ("1. | p assumption\n2. | q assumption\n3. p -> q ->I 1-2", [], "cannot be cited"),
        # to a line further in
        ("1. | p assumption\n2. | | q assumption\n3. p -> q ->I 1-2", [], "cannot be cited"),
        # a sub-proof inside a sub-proof that is closed
        ("1. | p assumption\n2. | | q assumption\n3. | q -> q ->I 2-2\n4. q -> q ->I 2-2", [],
         "cannot be cited"),
        # not up to its last line
        ("1. | p assumption\n2. | p & p &I 1, 1\n3. p -> p ->I 1-1", [], "cannot be cited"),
        # a line of the sibling
        ("1. | p assumption\n2. | q assumption\n3. | p R 1", [], "cannot be cited"),
        # reopened without an assumption
        ("1. | p assumption\n2. p -> p ->I 1-1\n3. | p R 1", [], "no assumption opened"),
        # a range of lines that is no sub-proof
        ("1. p premise\n2. q premise\n3. p -> q ->I 1-2", ["p", "q"], "cannot be cited"),
    ],
    ids=range(22),
)  # fmt: skip
def test_scope_is_strict(proof, premises, message):
    assert message in problem(proof, premises)


def test_good_proofs_and_intuitionists():
    assert problem(CHAIN, ["p -> q", "q -> r"], classical=False) == ""
    assert problem(CASES, ["p | q", "~p"], classical=False) == ""
    assert problem(EXCLUDED_MIDDLE) == ""
    assert "not allowed" in problem(EXCLUDED_MIDDLE, classical=False)
    assert problem("1. | p assumption\n   |------\n2. p -> p  ->I 1-1") == ""


# The verifier


def test_natural_deduction():
    judge = NaturalDeduction(["p -> q", "q -> r"], "p -> r")
    lines = CHAIN.strip().splitlines()
    right = [CHAIN, f"```\n{CHAIN}```", CHAIN.replace("->", "→"), CHAIN.replace("|", "│")]
    right.append(CHAIN.replace("6. p -> r", "6. (p) -> (r)"))
    wrong = ["\n".join(lines[:index] + lines[index + 1 :]) for index in range(6)]
    wrong += [
        "1. p -> r premise",
        "1. p -> r sorry",
        "1. p -> r axiom",
        "1. p -> r assumption",
        "1. | p -> r assumption",
        "---\n|---",
        CHAIN.replace("p -> r", "p -> q"),  # another statement
        CHAIN + "7. q -> r  R 2",  # goes on after the goal
        CHAIN.replace("6. p -> r", "6. | p -> r"),
        CHAIN.replace("->E 2, 4", "->E 2, 6"),
        CHAIN.replace("1. p -> q        premise", "1. p -> q        assumption"),
        CHAIN.replace("p", "\u0440"),  # a Cyrillic letter
        CHAIN.replace("4.", "3."),
        "p -> r",
        "Proof:\n" + CHAIN,
    ]
    check_verifier(judge, right, wrong, hostile=["1. p premise\n" * 1_000, "1. " + "~" * 9_000])


def test_limits_have_a_status():
    judge = NaturalDeduction(["p"], "p")
    many = "\n".join(f"{number}. p premise" for number in range(1, 502))
    assert judge(many).status == "limit"
    assert judge("1. p").status == "malformed"
    assert judge("1. p premise").correct
    assert judge("1. q premise") == judge("1. q premise")
    assert judge("1. q premise").status == "scored"


@pytest.mark.parametrize(
    ("premises", "goal"),
    [(["p"], "q"), (["p ->"], "p"), (["p"], "p) & q"), ([], "p"), (["p -> q"], "q -> p")],
)
def test_goals_that_do_not_follow_are_refused(premises, goal):
    with pytest.raises(GoldError):
        NaturalDeduction(premises, goal)


def test_intuitionists_need_another_proof():
    judge = NaturalDeduction([], "p | ~p", classical=False)
    assert not judge(EXCLUDED_MIDDLE).correct
    assert NaturalDeduction([], "p | ~p")(EXCLUDED_MIDDLE).correct


# Soundness

PREMISES = [formula(text) for text in ("p -> q", "p | r", "~(q & r)", "r <-> ~p")]
NAMES = sorted({rule for rule, *_ in RULES} | {"premise", "assumption"})


RARE = {"not elim", "not intro", "indirect proof", "or elim", "false elim", "iff elim"}


def standing(proof):
    """Each line with the assumptions it stands under, worked out apart from the kernel."""
    opened = []
    for line in proof:
        keep = line.depth - (line.rule == "assumption")
        opened = opened[:keep] + ([line.claim] if line.rule == "assumption" else [])
        yield line, list(opened)


def from_lines(rng, claims):
    """Lines that follow from others, were it not for scope: rule, citations, claim."""
    for one, a in claims.items():
        yield "reiteration", (one,), (), a
        yield "or intro", (one,), (), ("or", a, rng.choice([P, Q, R]))
        yield from (("and elim", (one,), (), part) for part in a[1:] if a[0] == "and")
        yield from [("false elim", (one,), (), R)] * (a == FALSE)
        yield from [("double negation", (one,), (), a[-1][-1])] * (a[0] == a[-1][0] == "not")
        for other, b in claims.items():
            yield "and intro", (one, other), (), ("and", a, b)
            yield from [("not elim", (one, other), (), FALSE)] * (b == ("not", a))
            yield from [("if elim", (one, other), (), b[-1])] * (b[:2] == ("if", a))
            yield from [("iff elim", (one, other), (), b[-1])] * (b[:2] == ("iff", a))


def from_boxes(claims, boxes):
    """The same, of rules that discharge assumptions."""
    for one, other in product(boxes, repeat=2):
        (a, b), (c, d) = ((claims[first], claims[last]) for first, last in (one, other))
        yield "if intro", (), (one,), ("if", a, b)
        yield from [("not intro", (), (one,), ("not", a))] * (b == FALSE)
        yield from [("indirect proof", (), (one,), a[-1])] * (b == FALSE and a[0] == "not")
        yield from [("iff intro", (), (one, other), ("iff", a, b))] * ((a, b) == (d, c))
        if b == d:
            cases = [number for number, claim in claims.items() if claim == ("or", a, c)]
            yield from (("or elim", (number,), (one, other), b) for number in cases)


def ranges(rng, lines):
    """Where sub-proofs may start and end; most are sub-proofs indeed, open or closed."""
    for index, start in enumerate(lines):
        if start.rule == "assumption":
            ends = [start.number]
            for line in lines[index + 1 :]:
                if line.depth < start.depth or (line.depth, line.rule) == start[1:4:2]:
                    break
                ends += [line.number] * (line.depth == start.depth)
            yield start.number, rng.choice(ends) if rng.randrange(4) == 0 else ends[-1]


def soup(rng, classical, tries=70):
    """A proof of random lines, of which each was kept that the kernel lets pass."""
    proof = []
    for _ in range(tries):
        claims = {line.number: line.claim for line in proof[-12:]}
        boxes = list(ranges(rng, proof[-12:]))
        assumed = rng.choice([P, P, R, R, ("not", P), ("not", ("not", P))])
        known = [("axiom", (), (), P), ("sorry", (), (), P), ("true intro", (), (), TRUE)]
        known += [("premise", (), (), rng.choice([*PREMISES, P]))]
        known += [("assumption", (), (), assumed)]
        known += [*from_lines(rng, claims), *from_boxes(claims, boxes)]
        rules = sorted({rule for rule, *_ in known})
        wanted = rng.choice(rules + [rule for rule in rules if rule in RARE] * 5)
        rule, lines, subproofs, claim = rng.choice([g for g in known if g[0] == wanted])
        if rng.randrange(8) == 0:
            claim = rng.choice([P, Q, R, FALSE, *claims.values()])
        if rng.randrange(8) == 0:
            rule = rng.choice(NAMES)
        depth = proof[-1].depth if proof else 0
        depth += (rule == "assumption") - rng.choice([0, 0, 1] if subproofs else [0, 0, 0, 0, 1])
        line = Line(len(proof) + 1, max(0, depth), claim, rule, lines, subproofs)
        if not proof_error([*proof, line], PREMISES, classical):
            proof.append(line)
    return proof


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_whatever_passes_follows(seed):
    for line, assumed in standing(soup(Random(seed), classical=True)):
        assert entails([*PREMISES, *assumed], line.claim), line


def test_soups_are_rich():
    kept = {line.rule for seed in range(60) for line in soup(Random(seed), classical=True)}
    assert kept == set(NAMES) - {"axiom", "sorry"}


def goedel(claim, world):
    """The value of a formula in the Heyting algebra 0 < 1 < 2, where excluded middle fails."""
    match claim:
        case ("false",):
            return 0
        case ("true",):
            return 2
        case (name,):
            return world[name]
        case ("not", part):
            return 0 if goedel(part, world) else 2
    left, right = (goedel(part, world) for part in claim[1:])
    ways = {"and": min(left, right), "or": max(left, right)}
    ways["if"] = 2 if left <= right else right
    ways["iff"] = 2 if left == right else min(left, right)
    return ways[claim[0]]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**9))
def test_whatever_passes_without_classical_rules_holds_in_a_heyting_algebra(seed):
    for line, assumed in standing(soup(Random(seed), classical=False)):
        for values in product(range(3), repeat=3):
            world = dict(zip("pqr", values))
            least = min(goedel(claim, world) for claim in [*PREMISES, *assumed])
            assert least <= goedel(line.claim, world), line


def test_the_heyting_algebra_tells_classical_rules():
    assert goedel(formula("p | ~p"), {"p": 1}) == 1
    assert goedel(formula("~~p -> p"), {"p": 1}) == 1


GOOD = [
    (CHAIN, ["p -> q", "q -> r"]), (CASES, ["p | q", "~p"]), (EXCLUDED_MIDDLE, [])
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(GOOD), st.integers(0, 10**9), st.integers(1, 3))
def test_mutated_proofs_that_pass_prove_what_follows(good, seed, edits):
    rng = Random(seed)
    text, premises = good
    lines = text.strip().splitlines()
    for _ in range(edits):
        index = rng.randrange(len(lines))
        line = lines[index]
        spot = rng.randrange(len(line))
        swapped = line[:spot] + rng.choice("pqr|~()-123456 ") + line[spot + 1 :]
        lines[index] = rng.choice([swapped, line[:spot] + line[spot + 1 :], rng.choice(lines)])
        if rng.randrange(4) == 0 and len(lines) > 1:
            del lines[index]
    try:
        proof = read_proof("\n".join(lines))
    except InvalidAnswer:
        return
    known = list(map(formula, premises))
    if not proof_error(proof, known):
        for line, assumed in standing(proof):
            if len(facts(line.claim)) < 10:
                assert entails([*known, *assumed], line.claim)


@settings(deadline=None)
@given(st.text("123. |pq~&()->RIE,-premiseassumption\n", max_size=200))
@example("1.\n2.")
@example("|" * 3_000)
def test_no_text_breaks_the_judge(text):
    assert not NaturalDeduction(["p & q"], "q | r")(text).correct


MODUS_TOLLENS = """
1. p -> q      premise
2. ~q          premise
3. | p         assumption
4. | q         ->E 1, 3
5. | false     ~E 2, 4
6. ~p          ~I 3-5
"""


@pytest.mark.parametrize(
    ("rule", "cited"),
    [
        ("->E 1, 3", "->E, lines 1, 3"), ("->E 1, 3", "->E from 1, 3"), ("->E 1, 3", "->E 1 and 3"),
        ("->E 1, 3", "MP on 1, 3"), ("->E 1, 3", "1, 3 ->E"), ("->E 1, 3", "1,3, MP"),
        ("->E 1, 3", "by MP from lines 1 and 3"), ("->E 1, 3", "(1, 3) modus ponens"),
        ("~I 3-5", "~I 3\u20135"), ("~I 3-5", "~I 3\u20145"), ("~I 3-5", "~I 3..5"),
        ("~I 3-5", "~I lines 3 to 5"), ("~I 3-5", "3-5 \u00acI"), ("assumption", "hypothesis"),
        ("premise", "Hyp"),
    ],
)  # fmt: skip
def test_proofs_may_cite_in_many_ways(rule, cited):
    judge = NaturalDeduction(["p -> q", "~q"], "~p")
    assert judge(MODUS_TOLLENS.replace(rule, cited)).correct
    other = cited.replace("3", "2") if "3" in cited else "R 1"
    assert not judge(MODUS_TOLLENS.replace(rule, other)).correct
    lines = MODUS_TOLLENS.strip().splitlines()
    assert judge("\n".join(f"Line {line}" for line in lines)).correct
    assert judge("\n".join(f"({line[0]}) {line[2:]}" for line in lines)).correct


def test_a_hypothesis_outside_of_sub_proofs_is_a_premise():
    judge = NaturalDeduction(["p"], "p | q")
    assert judge("1. p  hypothesis\n2. p | q  |I 1").correct
    assert not judge("1. q  hypothesis\n2. p | q  |I 1").correct
    assert not judge("1. | p  hypothesis\n2. | p | q  |I 1").correct


@pytest.mark.parametrize(
    "form",
    [
        "{0}", "- {0}", "({1}) {0}", "**{0}**", "`{0}`", "{0}.", "Line {0}", "Step {1}: {2}",
        "{2}", "* {2}",
    ],
)  # fmt: skip
def test_lines_may_be_items_of_a_list(form):
    steps = ["p & q premise", "p &E 1", "q &E 1", "q & p &I 3, 2"]
    rows = [form.format(f"{n}. {step}", n, step) for n, step in enumerate(steps, 1)]
    judge = NaturalDeduction(["p & q"], "q & p")
    assert judge("\n".join(rows)).correct
    assert not judge("\n".join(rows).replace("&I 3, 2", "&I 3, 1")).correct


def test_numbers_that_do_not_count_from_1_are_kept():
    judge = NaturalDeduction(["p & q"], "q & p")
    assert judge("3. p & q premise\n5. p &E 3\n8. q &E 3\n9. q & p &I 8, 5").correct
    assert not judge("3. p & q premise\n5. p &E 1\n8. q &E 1\n9. q & p &I 3, 2").correct
    assert judge('["1. p & q premise", "2. p &E 1", "3. q &E 1", "4. q & p &I 3, 2"]').correct
