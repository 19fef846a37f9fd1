"""What follows from sentences with quantifiers, modifiers, negation and verbs with complements.

Which complements of verbs are true follows from their signatures, as R. Nairn, C. Condoravdi and
L. Karttunen (2006) compute it. Whether a clause follows from another one is settled by all models.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple, get_args

Label = Literal["follows", "contradicts", "open"]
LABELS: tuple[Label, ...] = get_args(Label)

Relation = Literal["within", "around", "same", "apart", "unknown"]
"""How the things of one noun phrase are related to those of another."""

Quantifier = Literal["some", "every", "no", "not every", "at least two", "at most one"]
QUANTIFIERS: tuple[Quantifier, ...] = get_args(Quantifier)

Truth = bool | None
"""Whether something is true, or None if that is unknown."""

MODIFIERS = ("kept", "lost", "free")
"""What an adjective does: its things belong to those of the noun, they do not, or they may."""

SIGNATURES: tuple[tuple[Truth, Truth], ...] = (
    (True, False), (False, True), (True, None), (False, None), (None, False), (None, True),
    (True, True), (False, False),
)  # fmt: skip
"""The truth of the complement of a verb that is affirmed, and of one that is denied."""

TRIES = 60


class Phrase(NamedTuple):
    """A noun with adjectives before it, the outermost first."""

    adjectives: tuple[int, ...]
    noun: int


class Clause(NamedTuple):
    """That somebody visited so many of some things."""

    quantifier: Quantifier
    phrase: Phrase


class Premise(NamedTuple):
    """A clause below verbs, each of which, like the clause, may have a negation before it."""

    verbs: tuple[int, ...]
    negations: tuple[bool, ...]
    """Whether there is a negation before each verb, and before the clause."""
    clause: Clause


class Hypothesis(NamedTuple):
    """A clause, or its negation."""

    clause: Clause
    negated: bool


class Pair(NamedTuple):
    """A premise and a hypothesis."""

    premise: Premise
    hypothesis: Hypothesis


class Lexicon(NamedTuple):
    """What the words mean."""

    wider: tuple[int, ...]
    """For each noun one whose things include all of its things, or -1."""
    apart: tuple[tuple[int, int], ...]
    """Nouns that have no things in common."""
    adjectives: tuple[int, ...]
    """Indices of :data:`MODIFIERS`."""
    verbs: tuple[int, ...]
    """Indices of :data:`SIGNATURES`."""


def random_lexicon(rng: Random, nouns: int, adjectives: int, verbs: int) -> Lexicon:
    """A tree of nouns, some of which are apart, adjectives of all types, and verbs."""
    wider = [-1, *(rng.randrange(max(0, n - 3), n) for n in range(1, nouns))]
    apart = [
        (a, b)
        for a in range(nouns)
        for b in range(a + 1, nouns)
        if wider[a] == wider[b] and rng.random() < 0.7
    ]
    types = [n % len(MODIFIERS) for n in range(adjectives)]
    signatures = [*range(len(SIGNATURES))]
    rng.shuffle(types)
    rng.shuffle(signatures)
    return Lexicon(tuple(wider), tuple(apart), tuple(types), tuple(signatures[:verbs]))


def including(lexicon: Lexicon, phrase: Phrase) -> Iterator[Phrase]:
    """A phrase, and those whose things include all of its things."""
    yield phrase
    while phrase.adjectives:
        if lexicon.adjectives[phrase.adjectives[0]] != 0:
            return
        phrase = Phrase(phrase.adjectives[1:], phrase.noun)
        yield phrase
    noun = lexicon.wider[phrase.noun]
    while noun >= 0:
        yield Phrase((), noun)
        noun = lexicon.wider[noun]


def _are_apart(lexicon: Lexicon, one: Phrase, other: Phrase) -> bool:
    """Whether the lexicon states that two phrases have no things in common."""
    if not one.adjectives and not other.adjectives:
        return tuple(sorted((one.noun, other.noun))) in lexicon.apart
    for inner, outer in ((one, other), (other, one)):
        if (
            outer.adjectives[1:] == inner.adjectives
            and outer.noun == inner.noun
            and outer.adjectives
        ):
            return lexicon.adjectives[outer.adjectives[0]] == 1
    return False


@lru_cache(maxsize=4096)
def relation(lexicon: Lexicon, one: Phrase, other: Phrase) -> Relation:
    """What the lexicon makes certain about two phrases."""
    if one == other:
        return "same"
    wide, others = [*including(lexicon, one)], [*including(lexicon, other)]
    if other in wide:
        return "within"
    if one in others:
        return "around"
    if any(_are_apart(lexicon, a, b) for a in wide for b in others):
        return "apart"
    return "unknown"


def holds(quantifier: Quantifier, visited: int, others: int) -> bool:
    """Whether a clause is true of things of which so many were visited, and so many were not."""
    match quantifier:
        case "some":
            return visited > 0
        case "every":
            return others == 0
        case "no":
            return visited == 0
        case "not every":
            return others > 0
        case "at least two":
            return visited > 1
        case "at most one":
            return visited < 2


@lru_cache(maxsize=1024)
def clause_label(one: Quantifier, truth: bool, relation: Relation, other: Quantifier) -> Label:
    """Whether a clause follows from the truth or the falsehood of another one.

    All models are tried: the things of the first phrase alone, of both, and of the second alone,
    of which up to two are visited and up to two are not; more make no difference to these
    quantifiers. There are things of both phrases.
    """
    possible = set[bool]()
    none = [(0, 0)]
    some = [*product(range(3), repeat=2)]
    only_one = none if relation in {"within", "same"} else some
    only_other = none if relation in {"around", "same"} else some
    both = none if relation == "apart" else some
    for a, b, c in product(only_one, both, only_other):
        first, second = (a[0] + b[0], a[1] + b[1]), (b[0] + c[0], b[1] + c[1])
        if any(first) and any(second) and holds(one, *first) == truth:
            possible.add(holds(other, *second))
    if len(possible) == 1:
        return "follows" if True in possible else "contradicts"
    return "open"


def complement(signature: tuple[Truth, Truth], truth: Truth) -> Truth:
    """The truth of the complement of a verb, which is affirmed, denied, or neither for certain."""
    affirmed, denied = signature
    if truth is None:
        return affirmed if affirmed == denied else None
    return affirmed if truth else denied


def clause_truth(lexicon: Lexicon, premise: Premise) -> Truth:
    """Whether the clause of a premise is true."""
    truth: Truth = not premise.negations[0]
    for verb, negated in zip(premise.verbs, premise.negations[1:]):
        truth = complement(SIGNATURES[lexicon.verbs[verb]], truth)
        truth = truth if truth is None else truth != negated
    return truth


def opposite(label: Label) -> Label:
    """The label of the negation of a hypothesis."""
    flipped: Mapping[Label, Label] = {"follows": "contradicts", "contradicts": "follows"}
    return flipped.get(label, label)


def label_by(truth: Truth, lexicon: Lexicon, pair: Pair) -> Label:
    """The label of a pair, if the clause of its premise has a truth."""
    if truth is None:
        return "open"
    premise, hypothesis = pair.premise.clause, pair.hypothesis.clause
    how = relation(lexicon, premise.phrase, hypothesis.phrase)
    label = clause_label(premise.quantifier, truth, how, hypothesis.quantifier)
    return opposite(label) if pair.hypothesis.negated else label


def right_label(lexicon: Lexicon, pair: Pair) -> Label:
    """The label of a pair."""
    return label_by(clause_truth(lexicon, pair.premise), lexicon, pair)


def careless_labels(lexicon: Lexicon, pair: Pair) -> Mapping[str, Label]:
    """Labels of players who leave a part of the form out, by name."""
    premise, hypothesis = pair.premise, pair.hypothesis
    odd = sum(premise.negations) % 2 == 1
    affirmative = clause_truth(
        lexicon, premise._replace(negations=(False,) * len(premise.negations))
    )
    same = premise.clause == hypothesis.clause
    how = relation(lexicon, premise.clause.phrase, hypothesis.clause.phrase)
    words: Label = "contradicts" if odd != hypothesis.negated else "follows"
    return {
        "verbs without effect": label_by(not odd, lexicon, pair),
        "negations without effect": label_by(affirmative, lexicon, pair),
        "negations counted": words,
        "same words": words if same else "open",
        "wider things follow": words if how in {"within", "same"} else "open",
        "narrower and wider things alike": words if how not in {"apart", "unknown"} else "open",
    }


class Shape(NamedTuple):
    """How many verbs and adjectives a premise has, and which quantifiers there are."""

    verbs: int
    adjectives: int
    quantifiers: int


def random_phrase(rng: Random, lexicon: Lexicon, adjectives: int) -> Phrase:
    """A noun with up to so many adjectives."""
    number = rng.randint(0, min(adjectives, len(lexicon.adjectives)))
    chosen = rng.sample(range(len(lexicon.adjectives)), number)
    return Phrase(tuple(chosen), rng.randrange(len(lexicon.wider)))


def near_phrase(rng: Random, lexicon: Lexicon, phrase: Phrase) -> Phrase:
    """A phrase that is similar to another one: with an adjective more or less, or another noun."""
    options = [phrase, Phrase((), phrase.noun)]
    if phrase.adjectives:
        options += [Phrase(phrase.adjectives[1:], phrase.noun)] * 2
    unused = [n for n in range(len(lexicon.adjectives)) if n not in phrase.adjectives]
    if unused:
        options.append(Phrase((rng.choice(unused), *phrase.adjectives), phrase.noun))
    base = Phrase((), phrase.noun)
    others = [Phrase((), n) for n in range(len(lexicon.wider)) if n != phrase.noun]
    related = [each for each in others if relation(lexicon, base, each) != "unknown"]
    options += related or others
    return rng.choice(options)


def random_pair(rng: Random, lexicon: Lexicon, shape: Shape) -> Pair:
    """A premise and a hypothesis with similar words."""
    quantifiers = QUANTIFIERS[: shape.quantifiers]
    verbs = tuple(rng.sample(range(len(lexicon.verbs)), shape.verbs))
    negations = tuple(rng.random() < 0.45 for _ in range(shape.verbs + 1))
    phrase = random_phrase(rng, lexicon, shape.adjectives)
    premise = Premise(verbs, negations, Clause(rng.choice(quantifiers), phrase))
    clause = Clause(rng.choice(quantifiers), near_phrase(rng, lexicon, phrase))
    return Pair(premise, Hypothesis(clause, rng.random() < 0.4))


def random_pairs(rng: Random, lexicon: Lexicon, shape: Shape, number: int) -> tuple[Pair, ...]:
    """Different pairs, about as many of each label, most of which careless players get wrong."""
    order = rng.sample(LABELS, len(LABELS))
    labels = [order[n % len(order)] for n in range(number)]
    rng.shuffle(labels)
    pairs = list[Pair]()
    for label in labels:
        best: tuple[int, Pair] | None = None
        hits = 0
        for _ in range(TRIES):
            pair = random_pair(rng, lexicon, shape)
            if right_label(lexicon, pair) != label or pair in pairs:
                continue
            wrong = sum(each != label for each in careless_labels(lexicon, pair).values())
            if best is None or wrong > best[0]:
                best = wrong, pair
            hits += 1
            if hits == 3:
                break
        if best is None:
            return ()
        pairs.append(best[1])
    return tuple(pairs)


class Names(NamedTuple):
    """The words of a lexicon."""

    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]


def _things(phrase: Phrase, names: Names, plural: bool) -> str:
    noun = names.nouns[phrase.noun] + ("s" if plural else "")
    return " ".join([*(names.adjectives[n] for n in phrase.adjectives), noun])


def clause_text(clause: Clause, names: Names) -> str:
    """The object of a clause.

    >>> clause_text(Clause("every", Phrase((0,), 0)), Names(("udor",), ("lumi",), ()))
    'every lumi udor'
    """
    plural = clause.quantifier == "at least two"
    return f"{clause.quantifier} {_things(clause.phrase, names, plural)}"


def premise_text(premise: Premise, person: str, names: Names) -> str:
    """A premise as a sentence."""
    if not premise.verbs:
        visited = f"{person} visited {clause_text(premise.clause, names)}."
        return f"It is not the case that {visited}" if premise.negations[0] else visited
    text = f"{person} did {'not ' if premise.negations[0] else ''}{names.verbs[premise.verbs[0]]}"
    following = [*(names.verbs[n] for n in premise.verbs[1:]), "visit"]
    for verb, negated in zip(following, premise.negations[1:]):
        text += f" {'not ' if negated else ''}to {verb}"
    return f"{text} {clause_text(premise.clause, names)}."


def hypothesis_text(hypothesis: Hypothesis, person: str, names: Names) -> str:
    """A hypothesis as a sentence."""
    text = f"{person} visited {clause_text(hypothesis.clause, names)}."
    return f"It is not the case that {text}" if hypothesis.negated else text


_COMPLEMENTS: Mapping[Truth, str] = {
    True: "does the thing", False: "does not do the thing", None: "may or may not do the thing",
}  # fmt: skip

_ADJECTIVES = (
    "{0}: every {0} X is an X.",
    "{0}: no {0} X is an X.",
    "{0}: {1} X may be an X or not.",
)


def _with_article(word: str) -> str:
    """A noun or an adjective behind "a" or "an".

    >>> _with_article("ebub"), _with_article("lumi")
    ('an ebub', 'a lumi')
    """
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def lexicon_lines(lexicon: Lexicon, names: Names) -> Sequence[str]:
    """What the lexicon states, a line for each word."""
    nouns = names.nouns
    lines = [
        f"Every {noun} is {_with_article(nouns[wide])}."
        for noun, wide in zip(nouns, lexicon.wider)
        if wide >= 0
    ]
    lines += [f"No {nouns[a]} is {_with_article(nouns[b])}." for a, b in lexicon.apart]
    lines += [
        _ADJECTIVES[n].format(name, _with_article(name))
        for name, n in zip(names.adjectives, lexicon.adjectives)
    ]
    lines += [
        f"to {name} to do a thing: {_meaning(*SIGNATURES[number])}."
        for name, number in zip(names.verbs, lexicon.verbs)
    ]
    return lines


def _meaning(affirmed: Truth, denied: Truth) -> str:
    """What becomes of the complement of a verb.

    Where it is the same either way, the verb presupposes its complement. A rule for all people and
    things would then make everybody do everything, so that it holds for what a sentence names.
    """
    if affirmed is not None and affirmed == denied:
        return (
            f"if a sentence has this verb, the person {_COMPLEMENTS[affirmed]} that follows it, "
            "whether the person does so or not"
        )
    return (
        f"whoever does so {_COMPLEMENTS[affirmed]}; whoever does not do so {_COMPLEMENTS[denied]}"
    )
