"""Satisfiability: models are checked clause by clause, refutations step by step."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.proofs import SatModel, SatVerdict, Unsat
from palaestra.verifiers.proofs.drat import Step, proof_error, read_proof
from palaestra.verifiers.proofs.sat import read_model
from palaestra.verifiers.verifier import GoldError

SQUARE = ((1, 2), (1, -2), (-1, 2), (-1, -2))
CLAUSES = ((1, 2, -3), (-1, 3), (-2, 4), (-4, -3))


def pigeons(holes):
    """One more pigeon than holes: unsatisfiable, and hard for resolution as it grows."""
    name = {pair: number for number, pair in enumerate(product(range(holes + 1), range(holes)), 1)}
    somewhere = [tuple(name[p, h] for h in range(holes)) for p in range(holes + 1)]
    pairs = combinations(range(holes + 1), 2)
    apart = [(-name[p, h], -name[q, h]) for p, q in pairs for h in range(holes)]
    return (*somewhere, *apart)


def random_clauses(rng, variables=6, number=30, width=3):
    def clause():
        return tuple(v * rng.choice([1, -1]) for v in rng.sample(range(1, variables + 1), width))

    return tuple(clause() for _ in range(number))


def models(clauses):
    """All models of some clauses, by brute force."""
    number = max(abs(literal) for clause in clauses for literal in clause)
    worlds = ({v * s for v, s in enumerate(signs, 1)} for signs in product([1, -1], repeat=number))
    return [world for world in worlds if all(world & set(clause) for clause in clauses)]


# Models


def test_sat_model():
    right = [
        "1 3 -4 -2", "1, 3, -2, -4", "[1, -2, 3, -4]", "v 1 -2 3 -4 0", "v 1 -2\nv 3 -4\nv 0",
        "x1 = true, x2 = F, x3=T, x4 = 0", "x1: 1\nx2: 0\nx3: true\nx4: false", "x1 ¬x2 x3 ~x4",
        "1 -2 3 -4 0", "{1, \u22122, 3, -4}", "-1 -2 -3", "+1 -2 +3 -4", "x_1 !x_2 x_3 -4",
        "-1 -1 -2 -3",
    ]  # fmt: skip
    wrong = [
        "1 2 3 4", "-1", "1 -3", "-1 -2 -3 1", "-1 0 -2 -3", "-1 -2 -3 5", "-1 -2 -3 999999999",
        "0", "x1", "x1 = true", "x1 = maybe", "-x1 = true", "-1 -2 -3 and so on", "-1 -2 -3 0 0",
        "-1.0 -2 -3", "-1 -2 --3", "SAT", "v", "x0", "-1 -2 -3 -x", "all clauses are satisfied",
        "true", "1=0 2=1 3=0 4=0", "1 3 -2",
    ]  # fmt: skip
    check_verifier(SatModel(CLAUSES), right, wrong, hostile=["1 -2 " * 3_000, "= " * 5_000])


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("s SATISFIABLE\nv 1 -2 0", True),
        ("c solved in 0.1 s\ns SATISFIABLE\nv 1 -2\nv 3 0\n", True),
        ("c a comment\nc\nSAT\n1 -2 3 0", True),
        ("SATISFIABLE\nx1=1\nx2=0", True),
        ("SAT\n1, -2", True),
        ("```\ns SATISFIABLE\nv 1 -2 0\n```", True),
        ("x1 \u2227 \u00acx2", True),
        ("x1 & ~x2", True),
        ("1 and -2", True),
        ("x1 := true, x2 := false", True),
        ("x1 -> true, x2 -> false", True),
        ("- x1 = true\n- x2 = false", True),
        ("1. x1 = true\n2. x2 = false", True),
        ("x1: True.\nx2: False.", True),
        ('{"x1": true, "x2": false}', True),
        ("{x1: 1, x2: 0}", True),
        ("x\u2081 = 1, x\u2082 = 0", True),
        ("$x_{1}=1$, $x_{2}=0$", True),
        (r"x_1, \neg x_2", True),
        ("not x2, x1", True),
        ("x1 is true, x2 is false, x3 is false", True),
        ("x1 is true and x2 is false.", True),
        ("- x1 is True\n- x2 is False", True),
        ("x1 is false, x2 is true", False),
        ("x1 is not true, x2 is not false", False),
        ("x1 is x2", False),
        ("not x1, not x2", False),
        ("- x1 = false\n- x2 = false", False),
        ("1. x1 = false\n2. x2 = true", False),
        (r"\neg x_1, x_2", False),
        ("s SATISFIABLE\nv 1 2 0", False),
        ("s SATISFIABLE", False),
        ("s UNSATISFIABLE\nv 1 -2 0", False),
        ("UNSAT\n1 -2", False),
        ("v 1 -2 0\ns SATISFIABLE\nv -1 2 0", False),
        ("s SATISFIABLE\nv 1 -2 0\ns SATISFIABLE", False),
        ("x1 | x2", False),
        ("x1 or ~x2", False),
        ("v 1 0\nv -2 0", False),
    ],
)
def test_models_as_solvers_print_them(answer, right):
    assert SatModel([(1,), (-2,), (1, 3)])(answer).correct == right


@pytest.mark.parametrize(
    "answer", ["1 -1 3", "1 3 5", "1 0 3", "0", "x1=1, x1=0", "one", "1 3 4.0", "1e0 3"]
)
def test_what_is_no_model_is_malformed(answer):
    score = SatModel(CLAUSES)(answer)
    assert score.status in {"malformed", "no_answer"}
    assert not score.value


def test_a_model_may_leave_out_what_does_not_matter():
    judge = SatModel([(1, 2), (1, 3)])
    assert judge("1").correct
    assert judge("2 3").correct
    assert judge("2").parts == {"progress": 0.5}
    assert judge("2").value == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_models_agree_with_brute_force(seed):
    rng = Random(seed)
    clauses = random_clauses(rng, 5, 12)
    judge = SatModel(clauses)
    known = models(clauses)
    for signs in product([1, -1], repeat=5):
        world = [v * sign for v, sign in enumerate(signs, 1)]
        assert judge(" ".join(map(str, world))).correct == (set(world) in known)


@pytest.mark.parametrize(
    "clauses", [[], [()], [(1, 0)], [(1, True)], [(1, 2.0)], [(1,), ()], [("1",)]]
)
@pytest.mark.parametrize("kind", [SatModel, Unsat, SatVerdict])
def test_clauses_that_make_no_sense(kind, clauses):
    with pytest.raises(GoldError):
        kind(clauses)


def test_models_are_read():
    assert read_model("2 1", 2) == {1, 2}
    with pytest.raises(InvalidAnswer):
        read_model("3", 2)


# Refutations


def test_unsat():
    right = [
        "1 0\n0", "-2 0\n0", "c a comment\n1 0\nc\n 0 ", "1 0\nd 1 2 0\n0", "1 0\n0\n2 0",
        "1 0\r\n0\r\n", "```\n1 0\n0\n```", "1 1 0\n0", "1 0\nd 2 1 0\n0", "1 -1 0\n1 0\n0",
        "1 5 0\n1 0\n0",
    ]  # fmt: skip
    wrong = [
        "0", "1 0", "UNSAT", "c 0", "1 0 0", "1\n0", "1 0 -1 0\n0", "d 1 2 0\n1 0\n0", "-0",
        "d 1 2 0\nd 1 -2 0\nd -1 2 0\nd -1 -2 0\n0", "1 0\nd 1 3 0\n0", "1 0\n1.0 0\n0", "3 0\n0",
        "1 0\nd0\n0", "d 0\n0", "1 0\nx 0\n0", "1 0\n99999999 0\n0", "p cnf 2 4\n1 0\n0",
        "1 0\nd 1 2 0\nd 1 2 0\n0", "2 0\nd 2 0\nd -1 2 0\n0",
    ]  # fmt: skip
    check_verifier(Unsat(SQUARE), right, wrong, hostile=["1 0\n" * 25_000, "d " * 9_000 + "0"])


def test_satisfiable_clauses_have_no_refutation():
    for proof in ("0", "1 0\n0", "1 0\n-1 0\n0", "5 0\n-5 0\n0", "5 1 0\n-5 1 0\n1 0\n-1 0\n0"):
        assert not Unsat(CLAUSES)(proof).correct, proof


def test_a_new_unit_and_its_opposite():
    """Each has RAT on a fresh variable alone, but not the second beside the first."""
    assert proof_error(CLAUSES, read_proof("5 0\n0"), 10_000).startswith("step 2")
    assert proof_error(CLAUSES, read_proof("5 0\n-5 0\n0"), 10_000).startswith("step 2")


def test_rat_is_on_the_first_literal():
    """Blocked on 1 but not on 2: resolving on 2 gives 1, which does not follow."""
    clauses = [(-2, 1), (2, 3), (2, 4)]
    blocked = [Step((1, 2)), Step(())]
    assert proof_error(clauses, blocked, 10_000).startswith("step 2")
    clauses = [(-2, 3), (1, 4)]
    assert proof_error(clauses, [Step((1, 2)), Step(())], 10_000).startswith("step 2")
    assert proof_error(clauses, [Step((2, 1)), Step(())], 10_000).startswith("step 1")


def test_rat_is_checked_against_added_clauses_too():
    clauses = [(1, 2)]
    assert proof_error(clauses, [Step((3, 1)), Step((-3,))], 10_000).startswith("step 2")


def test_deleted_clauses_help_no_more():
    proof = "d 1 2 0\n1 0\n0"
    assert proof_error(SQUARE, read_proof(proof), 10_000).startswith("step 2")
    twice = (*SQUARE, (2, 1))
    assert proof_error(twice, read_proof(proof), 10_000) == ""
    assert proof_error(twice, read_proof("d 1 2 0\n" + proof), 10_000).startswith("step 3")
    assert proof_error([(1,), (-1, 2), (-2,)], read_proof("d 1 0\n0"), 10_000).startswith("step 2")
    assert proof_error([(1,), (-1, 2), (-2,)], read_proof("d -1 2 0\n0"), 10_000).startswith(
        "step 2"
    )


def test_deleting_makes_rat_possible_and_stays_sound():
    """With (-1 2) gone, -2 is blocked; the rest is satisfiable, so no refutation follows."""
    clauses = [(1, 2), (-1, 2)]
    assert proof_error(clauses, read_proof("-2 0\n0"), 10_000).startswith("step 1")
    assert proof_error(clauses, read_proof("d 1 2 0\nd -1 2 0\n-2 0\n0"), 10_000).startswith(
        "step 4"
    )


def test_extended_resolution():
    """Cook's definitions for pigeons in holes: new variables for one pigeon and hole fewer."""
    holes, proof = 3, []
    clauses = pigeons(holes)
    name = {pair: n for n, pair in enumerate(product(range(holes + 1), range(holes)), 1)}
    fresh = max(name.values())
    for number in range(holes, 1, -1):
        below = {}
        for p, h in product(range(number), range(number - 1)):
            fresh += 1
            below[p, h] = fresh
            old, last, spare = name[p, h], name[p, number - 1], name[number, h]
            proof += [(fresh, -old), (fresh, -last, -spare), (-fresh, old, last)]
            proof += [(-fresh, old, spare)]
        proof += [tuple(below[p, h] for h in range(number - 1)) for p in range(number)]
        for h, (p, q) in product(range(number - 1), combinations(range(number), 2)):
            proof += [(-below[p, h], -below[q, h], -name[p, h]), (-below[p, h], -below[q, h])]
        name = below
    text = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in proof)
    assert Unsat(clauses)(text + "0").correct
    one_way = "\n".join(line for line in text.splitlines() if not line.startswith("13 "))
    assert not Unsat(clauses)(one_way + "\n0").correct


def solved(clauses, solver):
    """A refutation found by a solver, or None where there is a model."""
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as engine:
        return None if engine.solve() else "\n".join(engine.get_proof())


@pytest.mark.parametrize("solver", ["g3", "lgl", "cd15", "cd19"])
def test_refutations_of_solvers_hold(solver):
    rng, refuted = Random(11), 0
    for _ in range(40):
        clauses = random_clauses(rng, variables=8, number=40)
        proof = solved(clauses, solver)
        if proof is not None:
            refuted += 1
            assert Unsat(clauses)(proof).correct, (clauses, proof)
    assert refuted > 10


@pytest.mark.parametrize("solver", ["g3", "cd15"])
def test_refutations_of_pigeons_hold(solver):
    clauses = pigeons(4)
    proof = solved(clauses, solver)
    assert Unsat(clauses, budget=10_000_000)(proof).correct
    without = "\n".join(line for line in proof.splitlines() if line.startswith("d")) + "\n0"
    assert not Unsat(clauses)(without).correct


def noise(rng, proof, variables):
    """A refutation with something added, dropped or changed."""
    lines = proof.splitlines()
    for _ in range(rng.randint(1, 3)):
        index = rng.randrange(len(lines) + 1)
        literals = rng.sample(range(1, variables + 3), rng.randint(0, 3))
        clause = " ".join(str(v * rng.choice([1, -1])) for v in literals)
        lines.insert(index, f"{rng.choice(['', '', 'd '])}{clause} 0".strip())
        if rng.randrange(2):
            del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9))
def test_nothing_satisfiable_is_refuted(seed):
    """A solver's proof for other clauses, and noise, against clauses that have a model."""
    rng = Random(seed)
    clauses = random_clauses(rng, variables=5, number=24)
    proof = solved(clauses, "cd15")
    if proof is None:
        proof = "0"
    else:
        clauses = tuple(rng.sample(clauses, len(clauses) - rng.randint(0, 4)))
    noisy = noise(rng, proof, 5)
    if Unsat(clauses)(noisy).correct:
        assert not models(clauses), noisy


def rat_soup(rng, variables=4):
    """Random additions and deletions, of which each is kept that is allowed."""
    clauses = random_clauses(rng, variables, rng.randint(3, 9), width=2)
    kept = []
    for _ in range(40):
        literals = rng.sample(range(1, variables + 2), rng.randint(1, 3))
        clause = tuple(v * rng.choice([1, -1]) for v in literals)
        step = Step(clause, deletes=rng.randrange(4) == 0)
        if proof_error(clauses, [*kept, step], 10**6) == "the empty clause is not derived":
            kept.append(step)
    return clauses, kept


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_each_step_keeps_models(seed):
    """If there is a model before a step, there is one after it, RAT or not."""
    clauses, steps = rat_soup(Random(seed))
    bare = [tuple(sorted(clause)) for clause in clauses]
    padding = [(v, -v) for v in range(1, 6)]
    for clause, deletes in steps:
        before = bool(models([*bare, *padding]))
        if deletes:
            bare.remove(tuple(sorted(clause)))
        else:
            bare.append(tuple(sorted(clause)))
            assert bool(models([*bare, *padding])) == before


def allowed(clauses, clause):
    """Whether a clause has RUP, or RAT on its first literal: by the book, without any index."""
    against = [-literal for literal in clause]
    if contradicted(clauses, against):
        return True
    others = [other for other in clauses if clause and -clause[0] in other]
    resolvents = [[-literal for literal in other if literal != -clause[0]] for other in others]
    return bool(clause) and all(contradicted(clauses, against + rest) for rest in resolvents)


def contradicted(clauses, assumed):
    true, grows = set(assumed), True
    while grows:
        grows = False
        for clause in clauses:
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1 and not left <= true:
                true |= left
                grows = True
    return any(-literal in true for literal in true)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_steps_agree_with_a_checker_by_the_book(seed):
    rng = Random(seed)
    clauses, steps = rat_soup(rng)
    known = list(clauses)
    for clause, deletes in steps:
        if deletes:
            known.remove(next(other for other in known if sorted(other) == sorted(clause)))
        else:
            known.append(clause)
    for _ in range(20):
        literals = rng.sample(range(1, 6), rng.randint(0, 3))
        clause = tuple(v * rng.choice([1, -1]) for v in literals)
        message = proof_error(clauses, [*steps, Step(clause)], 10**6)
        assert message.startswith(f"step {len(steps) + 1} ") != allowed(known, clause)


def test_soups_use_rat():
    """Some of the clauses that are let in do not follow, so the test above says something."""
    strange = 0
    for seed in range(30):
        clauses, steps = rat_soup(Random(seed))
        known = list(clauses)
        for clause, deletes in steps:
            if deletes:
                break
            with Solver(name="g3", bootstrap_with=known) as engine:
                strange += engine.solve(assumptions=[-literal for literal in clause])
            known.append(clause)
    assert strange > 30


def test_work_is_bounded():
    clauses = pigeons(4)
    proof = solved(clauses, "g3")
    score = Unsat(clauses, budget=500)(proof)
    assert (score.value, score.status) == (0, "limit")
    chain = [(1,), *((-v, v + 1) for v in range(1, 3_000))]
    assert Unsat(chain)("3001 3000 0\n" * 3_000).status == "limit"
    assert Unsat(SQUARE)("1 0\n" * 26_000).status == "limit"


# Verdicts


def test_sat_verdict():
    sat, unsat = SatVerdict(CLAUSES), SatVerdict(SQUARE)
    check_verifier(
        sat,
        ["SAT\n1 3 -2 -4", "s SATISFIABLE\nv 1 -2 3 -4 0", "Satisfiable:\n-1, -2, -3"],
        ["SAT", "SAT\n", "SAT\n1 2 3 4", "UNSAT\n0", "UNSAT", "UNSAT\n1 0\n0", "-1 -2 -3", "0",
         "SAT\n0", "SAT\nUNSAT\n-1 -2 -3", "not SAT\n-1 -2 -3", "SAT -1 -2 -3", "SAT\n1 -1 3 -2"],
    )  # fmt: skip
    check_verifier(
        unsat,
        ["UNSAT\n1 0\n0", "s UNSATISFIABLE\nc why\n-2 0\n0", "unsat.\n1 0\n0"],
        ["UNSAT", "UNSAT\n0", "UNSAT\nc\n", "SAT\n1 2", "SAT\n1 -1", "1 0\n0", "SAT\n1 0\n0"],
    )


def test_verdicts_agree_with_a_solver():
    rng, seen = Random(2), set()
    for _ in range(40):
        clauses = random_clauses(rng, variables=6, number=26)
        judge = SatVerdict(clauses)
        with Solver(name="cd15", bootstrap_with=CNF(from_clauses=clauses)) as engine:
            satisfiable = engine.solve()
            model = " ".join(map(str, engine.get_model() or [1]))
        seen.add(satisfiable)
        assert judge(f"SAT\n{model}").correct == satisfiable
        assert judge(f"UNSAT\n{solved(clauses, 'cd15') or '0'}").correct != satisfiable
    assert seen == {True, False}


@settings(deadline=None)
@given(st.text("12-0 dcx=SATUN\n", max_size=100))
@example("UNSAT\nd 0")
@example("SAT\n=")
def test_no_text_breaks_the_judge(text):
    assert not SatVerdict(pigeons(3))(text).correct
    assert SatModel(CLAUSES)(text).value in {0, 1}


def test_verdicts_as_solvers_print_them():
    met, unmet = SatVerdict([(1, 2), (-1,)]), SatVerdict([(1, 2), (1, -2), (-1, 2), (-1, -2)])
    assert met("c by a solver\ns SATISFIABLE\nv -1 2 0").correct
    assert met("**SAT**\n-1 2").correct
    assert not met("c by a solver\ns SATISFIABLE\nv 1 2 0").correct
    assert not met("c by a solver").correct
    assert unmet("c by a solver\ns UNSATISFIABLE\n1 0\n0").correct
    assert Unsat(unmet.clauses)("s UNSATISFIABLE\n1 0\n0").correct
    assert not Unsat(unmet.clauses)("s UNSATISFIABLE\n0").correct
    assert not Unsat(unmet.clauses)("s SATISFIABLE\n1 0\n0").correct
    assert not Unsat(unmet.clauses)("s UNSATISFIABLE").correct
