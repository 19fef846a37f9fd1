"""Tests of language/entailment_by_form."""

from itertools import product

import pytest

from palaestra.address import Address
from palaestra.envs.language.entailment_by_form import EntailmentByForm
from palaestra.generators.language.entailment_by_form import (
    QUANTIFIERS,
    Clause,
    Hypothesis,
    Lexicon,
    Names,
    Pair,
    Phrase,
    Premise,
    clause_label,
    including,
    lexicon_lines,
    premise_text,
    relation,
    right_label,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.labels import numbered

SETS = range(16)  # the subsets of four things, as bits
SIGNATURES = ["TF", "FT", "T?", "F?", "?F", "?T", "TT", "FF"]


def is_true(quantifier, things, visited):
    inside = (things & visited).bit_count()
    outside = (things & ~visited).bit_count()
    return {
        "some": inside >= 1,
        "every": outside == 0,
        "no": inside == 0,
        "not every": outside >= 1,
        "at least two": inside >= 2,
        "at most one": inside <= 1,
    }[quantifier]


def truths_of_clause(signatures, negations):
    """The values that the clause below verbs can have, if the sentence is true."""
    possible = set()
    for truths in product((True, False), repeat=len(signatures) + 1):  # of verbs, and the clause
        top = truths[0] != negations[0]
        links = zip(signatures, truths, truths[1:], negations[1:])
        if top and all(
            signature[not above] == "?" or (signature[not above] == "T") == (below != negated)
            for signature, above, below, negated in links
        ):
            possible.add(truths[-1])
    return possible


def facts(lexicon, phrases):
    """What the lexicon states about some phrases: pairs that are within or apart."""
    within, apart = set(), set()
    for phrase in phrases:
        if phrase.adjectives:
            rest = Phrase(phrase.adjectives[1:], phrase.noun)
            use = lexicon.adjectives[phrase.adjectives[0]]
            {0: within, 1: apart}.get(use, set()).add((phrase, rest))
        elif lexicon.wider[phrase.noun] >= 0:
            within.add((phrase, Phrase((), lexicon.wider[phrase.noun])))
    apart |= {(Phrase((), a), Phrase((), b)) for a, b in lexicon.apart}
    return within, apart


def relevant(lexicon, pair):
    clauses = (pair.premise.clause, pair.hypothesis.clause)
    phrases = [p for clause in clauses for p in including(lexicon, clause.phrase)]
    rests = [Phrase(p.adjectives[1:], p.noun) for p in phrases if p.adjectives]
    return list(dict.fromkeys(phrases + rests))


def label_by_models(lexicon, pair):
    phrases = relevant(lexicon, pair)
    within, apart = facts(lexicon, phrases)
    one, other = pair.premise.clause, pair.hypothesis.clause
    signatures = [SIGNATURES[lexicon.verbs[n]] for n in pair.premise.verbs]
    truths = truths_of_clause(signatures, pair.premise.negations)
    results = set()
    for sets in product(SETS, repeat=len(phrases)):
        model = dict(zip(phrases, sets))
        if not model[one.phrase] or not model[other.phrase]:
            continue
        if any(a in model and b in model and model[a] & ~model[b] for a, b in within):
            continue
        if any(a in model and b in model and model[a] & model[b] for a, b in apart):
            continue
        for visited in SETS:
            if is_true(one.quantifier, model[one.phrase], visited) in truths:
                value = is_true(other.quantifier, model[other.phrase], visited)
                results.add(value != pair.hypothesis.negated)
        if len(results) == 2:
            return "open"
    return "follows" if results == {True} else "contradicts"


@pytest.mark.parametrize("level", range(EntailmentByForm.Knobs.levels()))
def test_all_models_agree_with_the_labels(level):
    tested = 0
    for seed in range(4):
        task = Address.of("language/entailment_by_form", seed, level).task()
        for pair in task.pairs:
            if len(relevant(task.lexicon, pair)) <= 3:
                tested += 1
                assert right_label(task.lexicon, pair) == label_by_models(task.lexicon, pair)
    assert tested >= 3


def test_labels_of_clauses():
    for one, other in product(QUANTIFIERS, repeat=2):
        down = clause_label(one, True, "around", other)
        assert clause_label(one, False, "same", one) == "contradicts"
        assert (one, other, down) != ("every", "every", "open")
    assert clause_label("every", True, "around", "every") == "follows"
    assert clause_label("every", True, "within", "every") == "open"
    assert clause_label("some", True, "within", "some") == "follows"
    assert clause_label("no", True, "within", "no") == "open"
    assert clause_label("no", True, "around", "not every") == "follows"
    assert clause_label("at most one", True, "around", "at least two") == "contradicts"
    assert clause_label("every", True, "same", "at least two") == "open"
    assert clause_label("every", True, "same", "some") == "follows"


# Every udor is a binop; no udor is a zakan, which is a binop as well. lumi: kept, pseu: lost.
LEXICON = Lexicon(wider=(1, -1, 1), apart=((0, 2),), adjectives=(0, 1), verbs=(1, 6))
NAMES = Names(("udor", "binop", "zakan"), ("lumi", "pseu"), ("fapo", "rego"))


def test_relations():
    assert relation(LEXICON, Phrase((0,), 0), Phrase((), 1)) == "within"
    assert relation(LEXICON, Phrase((1,), 0), Phrase((), 0)) == "apart"
    assert relation(LEXICON, Phrase((1,), 0), Phrase((), 1)) == "unknown"
    assert relation(LEXICON, Phrase((0, 1), 0), Phrase((), 0)) == "apart"
    assert relation(LEXICON, Phrase((0,), 0), Phrase((), 2)) == "apart"


SOME = Clause("some", Phrase((), 0))
PAIRS = (
    # fapo: whoever does so does not do the thing, and conversely.
    Pair(Premise((0,), (True, False), SOME), Hypothesis(Clause("some", Phrase((), 1)), False)),
    # rego: whoever does so, or does not do so, does the thing, below whatever it stands.
    Pair(Premise((0, 1), (False, False, True), SOME), Hypothesis(SOME, False)),
    Pair(Premise((0,), (True, False), SOME), Hypothesis(Clause("some", Phrase((), 2)), False)),
)
TASK = EntailmentByForm(lexicon=LEXICON, names=NAMES, pairs=PAIRS, people=(0, 1, 2))


def test_cases_by_hand():
    assert TASK.labels() == ["follows", "contradicts", "open"]
    assert premise_text(PAIRS[1].premise, "Ada", NAMES) == (
        "Ada did fapo to rego not to visit some udor."
    )


def test_scores():
    right = numbered(TASK.labels())
    assert TASK.verify(right.upper()).value == 1
    assert TASK.verify("1: follows\n2: open\n3: open").reason == "1 of the 3 values is wrong"


def test_no_verb_makes_everybody_do_everything():
    seen = set()
    for seed in range(6):
        task = Address.of("language/entailment_by_form", seed, 6).task()
        for line, number in zip(
            lexicon_lines(task.lexicon, task.names)[-len(task.names.verbs) :], task.lexicon.verbs
        ):
            affirmed, denied = SIGNATURES[number]
            seen.add(affirmed == denied)
            assert ("if a sentence has this verb" in line) == (affirmed == denied)
            assert ("whoever does not do so" in line) == (affirmed != denied)
    assert seen == {True, False}


def test_articles_stand_before_vowels_too():
    lexicon = Lexicon(wider=(-1, 0, 0), apart=((1, 2),), adjectives=(2, 2), verbs=())
    lines = lexicon_lines(lexicon, Names(("ebub", "amer", "atulo"), ("ogos", "lumi"), ()))
    assert lines == [
        "Every amer is an ebub.",
        "Every atulo is an ebub.",
        "No amer is an atulo.",
        "ogos: an ogos X may be an X or not.",
        "lumi: a lumi X may be an X or not.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "Pair 1: follows\nPair 2: contradicts\nPair 3: open",
        "#1: follows\n#2: contradicts\n#3: open",
        "1: B follows from A\n2: B contradicts A\n3: B is open",
        "1. B follows from A.\n2. B contradicts A.\n3. B is open.",
        '{"1": "follows", "2": "contradicts", "3": "open"}',
    ],
)
def test_labels_in_the_words_of_the_prompt(lines):
    assert TASK.verify(lines).value == 1


@pytest.mark.parametrize(
    "line", ["1: A follows from B", "1: B does not follow from A", "1: B contradicts B", "4: open"]
)
def test_labels_that_say_something_else(line):
    with pytest.raises(InvalidAnswer):
        TASK.verify(f"{line}\n2: contradicts\n3: open")
