"""The logic puzzles, judged a second time from the words of their prompts alone."""

import re
from itertools import permutations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.logic.propositional_entailment import PropositionalEntailment
from palaestra.envs.logic.syllogism import Syllogism
from palaestra.envs.logic.zebra_puzzle import THEMES, WORDS
from palaestra.generators.logic.syllogism import FORMS, Categorical, Diagram
from palaestra.generators.logic.zebra_puzzle import KINDS, different, minimal
from palaestra.generators.logic.zebra_puzzle import Row as Street
from palaestra.task import Unreadable

SEEDS = range(4)

# ------------------------------------------------------------------------------------- zebra puzzle

PHRASES = (
    (r"^(.+) and (.+) are two different people$", lambda n, a, b: a != b),
    (r"^(.+) and (.+) live next door to each other$", lambda n, a, b: a in {b - 1, b + 1}),
    (
        r"^(.+) and (.+) live neither together nor next door to each other$",
        lambda n, a, b: a not in {b - 1, b, b + 1},
    ),
    (r"^(.+) lives directly to the left of (.+)$", lambda n, a, b: a + 1 == b),
    (r"^(.+) lives somewhere to the left of (.+)$", lambda n, a, b: a < b),
    (r"^(.+) lives at one end of the row$", lambda n, a: a in {1, n}),
    (
        r"^(.+) lives somewhere between (.+) and (.+)$",
        lambda n, a, b, c: sorted([a, b, c])[1] == a and len({a, b, c}) == 3,
    ),
    (r"^(.+) either (.+) or (.+)$", lambda n, a, b, c: a in (b, c)),
    (r"^(.+) does not live in house (\d)$", lambda n, a, h: a != h),
    (r"^(.+) lives in house (\d)$", lambda n, a, h: a == h),
)


def houses_of(text, where):
    """The house that an expression stands for."""
    return int(text) if text.isdigit() else where[text.lower()]


def told(line, where, houses):
    """Whether a sentence of the prompt is true of a placing."""
    for pattern, test in PHRASES:
        if found := re.match(pattern, line):
            return test(houses, *(houses_of(part, where) for part in found.groups()))
    (cut,) = [
        cut
        for cut in range(len(line))
        if line[:cut].lower() in where and line[cut + 1 :].lower() in where
    ]
    return where[line[:cut].lower()] == where[line[cut + 1 :].lower()]


def placings(task):
    """Every table, and where it puts every expression of the prompt."""
    for orders in product(permutations(range(1, task.houses + 1)), repeat=len(task.themes)):
        where = {}
        for theme, values, order in zip(task.themes, task.values, orders):
            for value, house in zip(values, order):
                for shape in THEMES[theme][:2]:
                    where[shape.format(value).lower()] = house
        yield orders, where


@pytest.mark.parametrize(("level", "seed"), [*product((0, 1), SEEDS), (2, 0)])
def test_zebra_clues_as_they_are_worded_leave_one_table(level, seed):
    task = Address.of("logic/zebra_puzzle", seed, level).task()
    lines = re.findall(r"^\d+\. (.+)\.$", task.prompt(), re.MULTILINE)
    assert len(lines) == len(task.clues)
    fits = [
        task.table(house - 1 for order in orders for house in order)
        for orders, where in placings(task)
        if all(told(line, where, task.houses) for line in lines)
    ]
    assert fits == [task.answer()]
    for spared in range(len(lines)):
        rest = lines[:spared] + lines[spared + 1 :]
        rivals = (
            1 for _, where in placings(task) if all(told(x, where, task.houses) for x in rest)
        )
        assert sum(rivals) > 1, f"clue {spared + 1} is not needed"


def test_zebra_says_which_clue_fails():
    task = Address.of("logic/zebra_puzzle", 0, 3).task()
    rows = task.answer().splitlines()
    verdict = task.verify("\n".join([rows[1], rows[0], *rows[2:]]))
    assert verdict.value == 0
    assert re.fullmatch(r"clue \d+ does not hold", verdict.reason)
    assert "once" in task.verify("\n".join([rows[0], rows[0], *rows[2:]])).reason
    assert task.verify("\n".join(row.upper().replace(",", " |") for row in rows)).value == 1
    for broken in ("\n".join(rows[:-1]), rows[0], task.answer().replace(",", ", x,", 1)):
        with pytest.raises(Unreadable):
            task.verify(broken)


def test_zebra_words_every_kind_of_clue():
    assert WORDS.keys() == KINDS.keys()
    assert not {"{", "}"} & set("".join(THEMES[t][2] for t in THEMES))


def test_clues_are_minimal_and_propagation_loses_nothing():
    street, places = Street(4, 2), (0, 1, 2, 3) * 2
    clues = minimal(Random(5), ("same", "next", "left", "between"), street, places)
    assert list(street.solutions(clues)) == [places]
    assert len(list(Street(3, 2).solutions([]))) == 36
    assert different((0b011, 0b011, 0b111)) == (0b011, 0b011, 0b100)


# -------------------------------------------------------------------------------------- entailment


def parsed(text):
    """A formula of the prompt as a function of an assignment, by its stated precedence."""
    signs = re.findall(r"<->|->|[~&|()A-Z]", text)
    levels = (
        ("<->", lambda a, b: a == b),
        ("->", lambda a, b: b if a else True),
        ("|", lambda a, b: a or b),
        ("&", lambda a, b: a and b),
    )

    def joined(rule, a, b):
        return lambda world: rule(a(world), b(world))

    def binary(level):
        if level == len(levels):
            return unary()
        sign, rule = levels[level]
        left = binary(level + 1)
        while signs and signs[0] == sign:
            signs.pop(0)
            left = joined(rule, left, binary(level + 1))
        return left

    def unary():
        sign = signs.pop(0)
        if sign == "~":
            inner = unary()
            return lambda world: not inner(world)
        if sign == "(":
            inner = binary(0)
            assert signs.pop(0) == ")"
            return inner
        return lambda world: world[sign]

    formula = binary(0)
    assert not signs
    return formula


@pytest.mark.parametrize("level", range(6))
def test_entailment_as_it_is_printed(level):
    for seed in SEEDS:
        task = Address.of("logic/propositional_entailment", seed, level).task()
        prompt = task.prompt()
        letters = re.findall(r"[A-Z]", prompt.partition("the letters ")[2].partition("stands")[0])
        premises = [parsed(x) for x in re.findall(r"^  (.+)$", prompt, re.MULTILINE)]
        claims = [parsed(x) for x in re.findall(r"^\d+\. (.+)$", prompt, re.MULTILINE)]
        worlds = [dict(zip(letters, row)) for row in product((True, False), repeat=len(letters))]
        models = [world for world in worlds if all(premise(world) for premise in premises)]
        assert len(claims) == len(task.claims)
        assert len(premises) == len(task.premises)
        rows, last = [], []
        for number, claim in enumerate(claims, 1):
            against = [world for world in models if not claim(world)]
            found = ["".join("FT"[w[x]] for x in letters) for w in against] or ["entailed"]
            rows.append(f"{number}: {found[0]}")
            last.append(f"{number} = {', '.join(found[-1]) if against else found[-1].upper()}")
        assert task.verify("\n".join(rows)).value == 1
        assert task.verify("\n".join(last)).value == 1, "any counterexample will do"
        assert task.audit("\n".join(rows))


def test_entailment_by_hand():
    p, q = ("is", 0), ("is", 1)
    task = PropositionalEntailment(
        variables=2, premises=(("if", p, q), p), claims=(q, ("not", p), ("iff", p, q))
    )
    assert task.verify("1: entailed\n2: TT\n3: entailed").value == 1
    assert "not entailed" in task.verify("1: entailed\n2: entailed\n3: entailed").reason
    assert "fit the premises" in task.verify("1: entailed\n2: TF\n3: entailed").reason
    assert "makes it true" in task.verify("1: TT\n2: TT\n3: entailed").reason
    for broken in ("1: entailed", "1: yes\n2: TT\n3: entailed", "1: entailed\n2: T\n3: entailed"):
        with pytest.raises(Unreadable):
            task.verify(broken)


# --------------------------------------------------------------------------------------- syllogism


def truth(sentence, kinds):
    """Whether a sentence is true where each kind is the set of things named."""
    form = re.fullmatch(r"(All|No|Some) (\w+) are (not )?(\w+)\.", sentence)
    one, other = kinds[form[2]], kinds[form[4]]
    return {
        "All": one <= other,
        "No": not one & other,
        "Some": bool(one - other if form[3] else one & other),
    }[form[1]]


def by_enumeration(task):
    """The verdicts, from every way to have or not have a thing of each possible description."""
    prompt, names = task.prompt(), task.terms
    premises = re.findall(r"^  (.+)$", prompt, re.MULTILINE)
    claims = re.findall(r"^\d+\. (.+)$", prompt, re.MULTILINE)
    seen = [set() for _ in claims]
    things = range(2 ** len(names))
    for present in product((False, True), repeat=len(things)):
        world = [thing for thing in things if present[thing]]
        kinds = {name: {x for x in world if x >> n & 1} for n, name in enumerate(names)}
        if "may be empty" not in prompt and not all(kinds.values()):
            continue
        if all(truth(premise, kinds) for premise in premises):
            for values, claim in zip(seen, claims):
                values.add(truth(claim, kinds))
    words = {(True,): "follows", (False,): "contradicts", (False, True): "open"}
    return [words[tuple(sorted(values))] for values in seen]


@pytest.mark.parametrize("kinds", ["inhabited", "maybe empty"])
@pytest.mark.parametrize("obvious", [True, False])
def test_syllogisms_by_enumeration(kinds, obvious):
    for seed in range(12):
        knobs = Syllogism.Knobs(terms=3, premises=3, conclusions=4, kinds=kinds, obvious=obvious)
        task = Syllogism.draw(Random(seed), knobs)
        assert task.verdicts() == by_enumeration(task)


def test_a_syllogism_of_four_terms_by_enumeration():
    task = Address.of("logic/syllogism", 1, 0).task()
    assert len(task.terms) == 4
    assert task.verdicts() == by_enumeration(task)


def test_syllogisms_of_the_schools():
    a, b, c = 0, 1, 2
    barbara = [Categorical("all", a, b), Categorical("all", b, c)]
    for inhabited, some in ((True, "follows"), (False, "open")):
        diagram = Diagram(barbara, 3, inhabited)
        assert diagram.verdict(Categorical("all", a, c)) == "follows"
        assert diagram.verdict(Categorical("some not", a, c)) == "contradicts"
        assert diagram.verdict(Categorical("all", c, a)) == "open"
        assert diagram.verdict(Categorical("some", a, c)) == some, "Barbari needs a member"
    darapti = [Categorical("all", b, a), Categorical("all", b, c)]
    assert Diagram(darapti, 3, inhabited=True).verdict(Categorical("some", a, c)) == "follows"
    assert Diagram(darapti, 3, inhabited=False).verdict(Categorical("some", a, c)) == "open"
    undistributed = [Categorical("all", a, b), Categorical("all", c, b)]
    assert {Diagram(undistributed, 3, True).verdict(Categorical(f, a, c)) for f in FORMS} == {
        "open"
    }
    assert not Diagram([Categorical("all", a, b), Categorical("no", a, b)], 2, True).possible()


def test_no_constant_wins_at_syllogisms():
    tasks = [Address.of("logic/syllogism", seed, 0).task() for seed in range(200)]
    answers = [task.answer() for task in tasks]
    assert max(map(answers.count, answers)) <= 0.05 * len(answers)
    assert all(len(set(task.verdicts())) == 3 for task in tasks)
