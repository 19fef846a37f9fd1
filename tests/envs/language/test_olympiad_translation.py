"""Tests of language/olympiad_translation: languages are recovered, and solved by brute force."""

import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.language.olympiad_translation import OlympiadTranslation
from palaestra.generators.language.olympiad_translation.grammars import (
    Features,
    Grammar,
    Paradigm,
    Syntax,
    case,
    translated,
    word,
)
from palaestra.generators.language.olympiad_translation.meanings import (
    ADJECTIVES,
    NOUNS,
    VERBS,
    Lexicon,
    Meaning,
    Phrase,
    in_english,
    random_lexicon,
    read_english,
)
from palaestra.generators.language.olympiad_translation.puzzles import (
    Language,
    all_cells,
    determined_pairs,
    is_distinct,
    random_grammar,
    random_meaning,
    readings,
)
from palaestra.generators.language.olympiad_translation.solver import (
    Counter,
    completed,
    paradigms,
    solution,
)

NAME = "language/olympiad_translation"
CLASSES = [
    (Features(False, "plain", False, False, False), (3, 0, 2, 0)),
    (Features(True, "none", True, False, False), (3, 0, 2, 1)),
    (Features(True, "ergative", True, True, False), (4, 2, 2, 1)),
    (Features(True, "split", True, True, True), (4, 2, 2, 1)),
]


def language_of(rng, features, sizes):
    lexicon = random_lexicon(rng, *sizes)
    while True:
        grammar = random_grammar(rng, features, lexicon)
        if is_distinct(grammar):
            return Language(features, lexicon, grammar)


@pytest.mark.parametrize(("features", "sizes"), CLASSES)
def test_languages_are_recovered_from_their_sentences(features, sizes):
    rng, recovered = Random(7), 0
    for _ in range(6):
        language = language_of(rng, features, sizes)
        pairs = determined_pairs(rng, language, 1)
        if pairs is None:
            continue
        every = all_cells(features, language.lexicon)
        grammar = solution(features, pairs, every, Counter())
        assert grammar.syntax == language.grammar.syntax
        for _ in range(40):
            meaning = random_meaning(rng, features, language.lexicon)
            assert translated(features, grammar, meaning) == language.text(meaning)
            assert meaning in readings(language, language.text(meaning))
        recovered += 1
    assert recovered >= 4


def test_a_few_sentences_leave_several_languages():
    rng, open_ = Random(3), 0
    features, sizes = CLASSES[2]
    for _ in range(8):
        language = language_of(rng, features, sizes)
        meanings = [random_meaning(rng, features, language.lexicon) for _ in range(3)]
        pairs = [(each, language.text(each)) for each in meanings]
        every = all_cells(features, language.lexicon)
        open_ += solution(features, pairs, every, Counter()) is None
    assert open_ >= 7


def parts_of(texts, longest):
    return {t[i:j] for t in texts for i in range(len(t) + 1) for j in range(i, len(t) + 1)
            if j - i <= longest}  # fmt: skip


def brute_force(forms, values, elision, every):
    """The forms of all cells by each paradigm that gives these words, from all stems and markers
    that are parts of words, and stems with a vowel behind.
    """
    texts = [*forms.values()]
    markers = sorted(parts_of(texts, 3))
    stems = {part + end for part in parts_of(texts, 99) for end in ("", *"aeiou")}
    lexemes = sorted({cell[0] for cell in forms})
    options = [[("",)] if number == 1 else [*product(markers, repeat=number)] for number in values]
    results = set()
    for geometry, first, second in product(("fgx", "xfg"), *options):
        fitting = []
        for lexeme in lexemes:
            own = [cell for cell in forms if cell[0] == lexeme]
            fitting.append([
                stem for stem in stems
                if len(stem) >= 3
                and all(Paradigm(geometry, {lexeme: stem}, first, second).form(cell, elision)
                        == forms[cell] for cell in own)
            ])  # fmt: skip
        for chosen in product(*fitting):
            paradigm = Paradigm(geometry, dict(zip(lexemes, chosen, strict=True)), first, second)
            results.add(tuple(paradigm.form(cell, elision) for cell in every))
    return results


@pytest.mark.parametrize(
    ("forms", "values", "elision"),
    [
        ({("n1", 0, 0): "tamo", ("n1", 1, 0): "tamok", ("n2", 0, 0): "kila"}, (2, 1), False),
        ({("n1", 0, 0): "tamo", ("n1", 1, 0): "tamis", ("n2", 1, 0): "kilis"}, (2, 1), True),
        ({("n1", 0, 0): "tamu", ("n1", 1, 0): "tamuk", ("n2", 1, 0): "ukil"}, (2, 1), True),
        ({("n1", 0, 0): "tat", ("n1", 1, 0): "tata"}, (2, 1), True),
        ({("n1", 0, 0): "babab", ("n1", 1, 0): "bababa"}, (2, 1), False),
    ],
)
def test_all_paradigms_are_those_of_brute_force(forms, values, elision):
    lexemes = sorted({cell[0] for cell in forms})
    every = [*product(lexemes, range(values[0]), range(values[1]))]
    seen = set()
    for paradigm in paradigms(forms, values, elision, Counter()):
        row = tuple(completed(paradigm, cell, elision) for cell in every)
        seen.add(row)
    expected = brute_force(forms, values, elision, every)
    whole = {row for row in seen if None not in row}
    assert whole <= expected
    # An unknown vowel stands for several paradigms.
    for row in expected - whole:
        assert any(
            all(text is None or text == other for text, other in zip(some, row, strict=True))
            for some in seen - whole
        )


def test_alignments():
    assert [case("accusative", role, 0, True) for role in "SO"] == [0, 1]
    assert [case("ergative", role, 0, True) for role in "SO"] == [1, 0]
    assert case("ergative", "S", 1, False) == 0
    assert [case("ergative past", "S", tense, True) for tense in (0, 1)] == [0, 1]
    assert [case("ergative present", "O", tense, True) for tense in (0, 1)] == [0, 1]


def test_english_is_read_back():
    rng = Random(5)
    lexicon = Lexicon((*range(len(NOUNS)),), (*range(len(ADJECTIVES)),), (*range(8),), (8, 9, 10))
    features = CLASSES[2][0]
    for _ in range(200):
        meaning = random_meaning(rng, features, lexicon)
        assert read_english(in_english(meaning).capitalize() + ".") == meaning
    for text in (
        "",
        "saw",
        "the dog",
        "the dog see the king",
        "a dog sees the king",
        "the dog saw",
    ):
        meaning = read_english(text)
        assert meaning is None or in_english(meaning) == text
    assert len({form for verb in VERBS for form in verb}) == 3 * len(VERBS)


FEATURES = Features(True, "plain", True, True, True)
GRAMMAR = Grammar(
    Syntax("OVS", False, "accusative", True, False),
    Paradigm("xfg", {"n5": "tamo", "n2": "kel", "a0": "bipi"}, ("", "il"), ("a", "")),
    Paradigm("fxg", {"v0": "runo"}, ("", "ke"), ("", "un")),
)


def test_sentences_of_a_language_made_by_hand():
    meaning = Meaning(0, 1, Phrase(5, 1, 0), Phrase(2, 0, -1))
    assert in_english(meaning) == "the old dogs saw the king"
    assert translated(FEATURES, GRAMMAR, meaning) == "kel kerunun tamila bipila"
    assert word(FEATURES, GRAMMAR, ("n5", 0, 0)) == "tama"
    assert word(FEATURES, GRAMMAR, ("n5", 0, 1)) == "tamo"
    by_object = GRAMMAR._replace(syntax=GRAMMAR.syntax._replace(by_object=True, declined=False))
    assert translated(FEATURES, by_object, meaning) == "kel keruno tamila bipi"


@pytest.mark.parametrize("level", range(7))
def test_the_language_gives_the_sentences_of_the_prompt(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        known = dict(re.findall(r"^([a-z ]+) = (the [a-z ]+)$", task.prompt(), re.MULTILINE))
        assert len(known) == len({text for _, text in task.pairs})
        for text, english in known.items():
            assert task.language.text(read_english(english)) == text
        seen = {word for text in known for word in text.split()}
        lines = [line.split(": ")[1] for line in task.answer().splitlines()]
        for line, query in zip(lines, [*map(in_english, task.english), *task.foreign], strict=True):
            foreign = line if query.startswith("the ") else query
            assert {*foreign.split()} - seen  # a form that none of the sentences has


def test_scores():
    task = Address.of(NAME, 0, 2).task()
    assert isinstance(task, OlympiadTranslation)
    right = task.right()
    assert task.verify(f"1: {right['1'].upper()}.\n2: {right['2'].capitalize()}").correct
    swapped = " ".join(right["1"].split()[::-1])
    assert task.verify(f"1: {swapped}\n2: {right['2']}").reason == "1 of the 2 values is wrong"
    assert task.verify(f"1: {right['1']}\n2: {right['2'].replace('the ', '')}").value == 0
