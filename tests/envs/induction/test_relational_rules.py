"""Tests of induction/relational_rules: rules are applied by trying all individuals."""

import re
from itertools import product
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.induction.relational_rules import RelationalRules
from palaestra.generators.bitsets import ones
from palaestra.generators.induction.relational_rules import (
    FORMS,
    Algebra,
    Names,
    Search,
    closed,
    composed,
    facts_of,
    inverse,
    random_program,
    random_structure,
    rules_text,
    steps,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.induction.relational_rules import STEPS, derived, parsed

NAME = "induction/relational_rules"
NAMES = Names(("p", "q", "u"), "t", ("helper", "other"))
UNARY = (False, False, True)
PREDICATES = {"p": 2, "q": 2, "u": 1}


def by_trial(program, facts, individuals):
    """What follows by rules, by trying all individuals for all variables again and again."""
    known = {name: set(rows) for name, rows in facts.items()}
    while True:
        new = set()
        for head, body in program:
            variables = sorted({v for atom in body for v in atom.variables})
            for values in product(individuals, repeat=len(variables)):
                bound = dict(zip(variables, values, strict=True))
                if all(tuple(bound[v] for v in atom.variables) in known.get(atom.name, ())
                       for atom in body):  # fmt: skip
                    new.add((head.name, tuple(bound[v] for v in head.variables)))
        before = sum(map(len, known.values()))
        for name, row in new:
            known.setdefault(name, set()).add(row)
        if sum(map(len, known.values())) == before:
            return known


@pytest.mark.parametrize("form", FORMS)
def test_values_of_programs_are_those_of_their_rules(form):
    rng = Random(form)
    for _ in range(4):
        structure = random_structure(rng, [4, 3], UNARY)
        program = random_program(rng, form, UNARY)
        relation = Algebra(structure).value(program)
        pairs = {(n, other) for n, row in enumerate(relation) for other in ones(row)}
        rules = parsed(rules_text(program, NAMES, UNARY), PREDICATES, "t")
        facts = facts_of(structure, NAMES)
        assert derived(rules, facts)["t"] == pairs
        assert by_trial(rules, facts, range(7)).get("t", set()) == pairs


@pytest.mark.parametrize(
    "lines",
    [
        ["t(X, Y) :- p(X, Y), t(Y, Y)", "t(X, X) :- u(X)"],
        ["t(X, Y) :- odd(X, Y)", "odd(X, Y) :- p(X, Y)", "odd(X, Y) :- even(X, Z), p(Z, Y)",
         "even(X, Y) :- odd(X, Z), p(Z, Y)"],
        ["t(X, Y) :- u(X), u(Y)"],
        ["t(X, X) :- p(X, Y), q(Z, X), mark(Y)", "mark(X) :- q(X, X)",
         "mark(X) :- p(A, X), q(B, X)"],
        ["t(A, B) :- t(B, A)", "t(X, Y) :- p(X, Z), p(Y, Z), q(Z, W), u(W)"],
    ],
)  # fmt: skip
def test_other_rules(lines):
    rng = Random(len(lines))
    for _ in range(4):
        structure = random_structure(rng, [5], UNARY)
        facts = facts_of(structure, NAMES)
        rules = parsed(lines, PREDICATES, "t")
        expected = by_trial(rules, facts, range(5))
        assert {k: v for k, v in derived(rules, facts).items() if v} == {
            k: v for k, v in expected.items() if v
        }


def test_operations_on_relations():
    rng = Random(6)
    for _ in range(20):
        structure = random_structure(rng, [7], (False, False))
        graphs = [nx.DiGraph([(n, o) for n, row in enumerate(r) for o in ones(row)])
                  for r in structure.relations]  # fmt: skip
        for graph in graphs:
            graph.add_nodes_from(range(7))

        def pairs(relation):
            return {(n, other) for n, row in enumerate(relation) for other in ones(row)}

        one, other = structure.relations
        assert pairs(inverse(one)) == {(b, a) for a, b in graphs[0].edges}
        assert pairs(composed(one, other)) == {
            (a, c) for a, b in graphs[0].edges for d, c in graphs[1].edges if b == d
        }
        assert pairs(closed(one)) == {*nx.transitive_closure(graphs[0], reflexive=False).edges}


def test_searches_list_the_planted_program():
    rng = Random(2)
    for form in FORMS:
        structure = random_structure(rng, [6, 6], UNARY)
        program = random_program(rng, form, UNARY)
        wanted = Algebra(structure).value(program)
        if not any(wanted):
            continue
        known = [*Search(structure, wanted).programs([form])]
        assert all(Algebra(structure).value(each) == wanted for each in known)
        texts = [{*rules_text(each, NAMES, UNARY)} for each in known]
        assert {*rules_text(program, NAMES, UNARY)} in texts


def test_steps_are_different():
    texts = [rules_text(p, NAMES, UNARY)[0] for p in map(as_rule, steps(UNARY))]
    assert len({*texts}) == len(texts) == 4 + 16 + 8 + 6


def as_rule(step):
    return random_program(Random(0), "rule", UNARY)._replace(steps=(step,))


@pytest.mark.parametrize(
    "lines",
    [
        [], ["t(X, Y)"], ["t(X, Y) :-"], ["t(X, Y) :- p(X, Y) q(X, Y)"], ["t(X, Y) :- p(X, Z)"],
        ["p(X, Y) :- q(X, Y)"], ["t(X) :- u(X)"], ["t(X, Y) :- r(X, Y)"],
        ["t(X, Y) :- p(X, 1), u(Y)"], ["t(X, Y) :- not p(X, Y)"], ["t(X, Y) :- u(X, Y)"],
        ["help(X, Y) :- p(X, Y)"],
        ["t(X, Y) :- p(X, Y)."] * 11, ["t(X, Y) :- " + "p(X, Y), " * 5 + "p(X, Y)"],
        ["t(X, Y) :- p(X, Y), p(A, B), p(C, D), p(E, F)"], ["t(X, Y) :- p(X, Y), X != Y"],
        ["t(X, Y, Z) :- p(X, Y), p(Y, Z)"], ["t(x, y) :- p(x, y)"], ["t(X,Y):-p(X,Y).q(X,Y)."],
    ],
)  # fmt: skip
def test_texts_that_are_no_programs(lines):
    with pytest.raises(InvalidAnswer):
        parsed(lines, PREDICATES, "t")


@pytest.mark.parametrize(
    "line",
    [
        "t(X,Y):-p(X,Z),q(Z,Y)", "t( X , Y ) <- p(X, Z) and q(Z, Y) .",
        "t(A, B) if p(A, C); q(C, B)..",
    ],
)  # fmt: skip
def test_spellings(line):
    facts = {"p": {(1, 2)}, "q": {(2, 3)}, "u": set()}
    assert derived(parsed([line], PREDICATES, "t"), facts)["t"] == {(1, 3)}


def test_evaluations_are_bounded():
    facts = {"p": {(a, b) for a in range(40) for b in range(40)}, "q": set(), "u": set()}
    rules = parsed(["t(A, F) :- p(A, B), p(C, D), p(E, F)."], PREDICATES, "t")
    assert STEPS < 40**6
    with pytest.raises(InvalidAnswer, match="too many steps"):
        derived(rules, facts)


def worlds_of(prompt):
    """The relations of each world, by their names."""
    for block in prompt.split("\n\n"):
        if block.startswith("World "):
            head, *lines = block.splitlines()
            size = int(re.search(r"1 to (\d+)", head)[1])
            facts = {}
            for line in lines:
                name, _, listed = line.partition(": ")
                rows = [] if listed == "none" else listed.split(", ")
                facts[name] = {tuple(map(int, row.split("-"))) for row in rows}
            yield size, facts


@pytest.mark.parametrize("level", range(7))
def test_answers_explain_the_worlds_of_the_prompt(level):
    for seed in range(2):
        task = Address.of(NAME, seed, level).task()
        rules = task.read(task.answer())
        target = task.names.target
        for size, facts in worlds_of(task.prompt()):
            wanted = facts.pop(target)
            expected = by_trial(rules, facts, range(1, size + 1)) if level < 4 else None
            assert derived(rules, facts)[target] == wanted
            assert expected is None or expected[target] == wanted
        assert task.audit(task.answer())


def test_unrolled_rules_fail_in_other_worlds():
    failed = 0
    for seed in range(6):
        task = Address.of(NAME, seed, 2).task()
        assert isinstance(task, RelationalRules)
        (rule, again) = task.answer().splitlines()
        body = rule.split(" :- ")[1].rstrip(".")
        step = again.split(" :- ")[1].rsplit(", ", 2)[0]
        target = task.names.target
        rows = [f"{target}(X, Y) :- {body}.", f"{target}(X, Y) :- {step}, one(V, Y)."]
        rows.append(f"one(X, Y) :- {body}.")
        score = task.verify("\n".join(rows))
        failed += score.value == 0
        assert task.verify(f"1. {again}\n2. `{rule}`").correct
    assert failed >= 5


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", " "),
        lambda text: "Rules:\n" + text,
        lambda text: "% the rules\n" + text,
        lambda text: text.replace(":-", ":-\n   "),
        lambda text: text.replace("), ", ") \u2227 "),
        lambda text: "\n".join(f"${row}$" for row in text.split("\n")),
    ],
    ids=["one line", "heading", "comment", "wrapped", "wedges", "mathematics"],
)
def test_other_layouts_of_rules(change):
    for seed in range(3):
        task = Address.of(NAME, seed, 3).task()
        assert task.verify(change(task.answer())).correct
