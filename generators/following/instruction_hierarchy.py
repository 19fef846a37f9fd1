"""Orders about a text by people of different ranks, and which of them are in force.

An order is in force unless it conflicts with one of a higher rank that is in force itself. Orders
are generated from a profile of a text: those that it follows are in force, and each other one
conflicts with one of these of a higher rank.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.phrases import WORDS
from palaestra.verifiers.instructions import Instruction, conflicts

Topic = Literal["length", "choice of words", "letters", "punctuation"]
TOPICS: tuple[Topic, ...] = ("length", "choice of words", "letters", "punctuation")

SOURCES = ("author", "client", "editor", "lawyer", "printer", "publisher", "reviewer", "translator")

STOCK = tuple(word for word in WORDS if 4 <= len(word) <= 8)


class Order(NamedTuple):
    """An order of a source, which is an instruction about the text."""

    source: int
    topic: Topic
    rule: str
    values: tuple[tuple[str, int | str | tuple[str, ...]], ...]

    @property
    def instruction(self) -> Instruction:
        """The instruction that can be checked."""
        return _instruction(self.rule, self.values)


@lru_cache(maxsize=4_096)
def _instruction(rule: str, values: tuple[tuple[str, Any], ...]) -> Instruction:
    return Instruction(rule, **dict(values))


class Profile(NamedTuple):
    """What a text is like."""

    words: int
    sentences: int
    commas: int
    first: str
    last: str
    word: str
    times: int
    absent: str
    """A letter that does not occur."""

    case: str
    sign: str


def is_above(one: Order, other: Order, rankings: Mapping[Topic, Sequence[int]]) -> bool:
    """Whether an order has a higher rank than another one about the same topic."""
    if one.topic != other.topic:
        return False
    ranking = rankings[one.topic]
    return ranking.index(one.source) < ranking.index(other.source)


def in_force(
    orders: Sequence[Order], rankings: Mapping[Topic, Sequence[int]], direct: bool = False
) -> list[Order]:
    """The orders in force, in their order.

    If ``direct``, orders of a higher rank count even if they are not in force themselves, which is
    a common mistake.
    """
    ranked = sorted(orders, key=lambda order: rankings[order.topic].index(order.source))
    valid = list[Order]()
    for order in ranked:
        others = orders if direct else valid
        if not any(is_above(o, order, rankings) and clash(o, order) for o in others):
            valid.append(order)
    return [order for order in orders if order in valid]


@lru_cache(maxsize=8_192)
def clash(one: Order, other: Order) -> bool:
    """Whether no text can follow both."""
    return bool(conflicts(one.instruction, other.instruction))


# -------------------------------------------------------------------------------------- writing


def written(orders: Sequence[Order]) -> str:
    """A text that follows all of these orders; empty if none is found."""
    plan = _Plan(orders)
    for shift in range(6):
        text = plan.text(shift)
        if text and all(order.instruction.kept(text) for order in orders):
            return text
    return ""


class _Plan:
    """What orders require of a text."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.bounds = {"words": (1, 400), "sentences": (1, 40), "commas": (0, 60)}
        self.words: dict[str, tuple[int, int]] = {}
        self.letters: dict[str, int] = {}
        self.absent, self.excluded = set[str](), set[str]()
        self.first = self.last = self.case = ""
        self.sign = "."
        for order in orders:
            self.add(order.rule, dict(order.values))

    def add(self, rule: str, values: Mapping[str, Any]) -> None:
        """Take an order into account."""
        measure, _, way = rule.partition("_")
        if measure in self.bounds:
            low, high = self.bounds[measure]
            n = values.get("n", 0)
            most = values.get("high", n if way in {"at_most", "exactly"} else high)
            least = values.get("low", n if way in {"at_least", "exactly"} else low)
            self.bounds[measure] = max(low, least), min(high, most)
        elif rule == "sentences_end_with" or measure in {"first", "last"}:
            setattr(self, {"sentences": "sign"}.get(measure, measure), next(iter(values.values())))
        elif measure == "word":
            low, high = self.words.get(values["word"], (0, 400))
            n = values["n"]
            self.words[values["word"]] = max(low, n), (n if way == "exactly" else high)
        elif rule == "exclude_words":
            self.excluded.update(values["words"])
        elif rule == "no_commas":
            self.bounds["commas"] = (0, 0)
        elif rule == "lipogram":
            self.absent.add(values["letter"])
        elif rule == "letter_at_least":
            self.letters[values["letter"]] = max(values["n"], self.letters.get(values["letter"], 0))
        else:
            self.case = rule

    def text(self, shift: int) -> str:
        """A text with filling words from another part of the stock for each shift."""
        inner = [
            w
            for w, (n, _) in self.words.items()
            for _ in range(n - [self.first, self.last].count(w))
        ]
        ends = [word for word in (self.first, self.last) if word]
        (low, high), (sentences, _) = self.bounds["words"], self.bounds["sentences"]
        commas = self.bounds["commas"][0]
        number = max(low, len(inner) + len(ends), sentences, sentences + commas)
        barred = {*self.words, *self.excluded}
        stock = [w for w in STOCK if w not in barred and not self.absent & set(w)]
        if number > high or not stock:
            return ""
        wanted = "".join(self.letters)
        stock.sort(key=lambda word: -sum(map(word.count, wanted)))
        missing = number - len(inner) - len(ends)
        filling = [stock[(shift * 7 + n) % len(stock)] for n in range(missing)]
        words = [*ends[: bool(self.first)], *inner, *filling, *ends[bool(self.first) :]]
        return self.laid_out(words, sentences, commas)

    def laid_out(self, words: Sequence[str], sentences: int, commas: int) -> str:
        """Words as sentences of about the same length, with commas behind the first ones."""
        starts = [n * len(words) // sentences for n in range(sentences + 1)]
        parts = []
        for start, end in pairwise(starts):
            part = list(words[start:end])
            part[0] = part[0].capitalize()
            for n in range(len(part) - 1):
                if commas:
                    part[n] += ","
                    commas -= 1
            parts.append(" ".join(part) + self.sign)
        text = " ".join(parts)
        return {"lowercase": text.lower(), "uppercase": text.upper()}.get(self.case, text)


# ------------------------------------------------------------------------------------ generation

Maker = Callable[[Random, Profile], Iterator[tuple[str, dict[str, Any]]]]
"""Instructions about one thing that a text of a profile follows."""


def _counted(name: str) -> Maker:
    def instructions(rng: Random, profile: Profile) -> Iterator[tuple[str, dict[str, Any]]]:
        n = getattr(profile, name)
        yield f"{name}_exactly", {"n": n}
        yield f"{name}_at_most", {"n": n + rng.randint(0, 3)}
        if name != "commas":
            yield f"{name}_at_least", {"n": max(1, n - rng.randint(0, 3))}
            low = max(1, n - rng.randint(0, 3))
            yield f"{name}_between", {"low": low, "high": n + rng.randint(1, 3)}
        elif n == 0:
            yield "no_commas", {}

    return instructions


def _words(rng: Random, profile: Profile) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "first_word", {"word": profile.first}
    yield "last_word", {"word": profile.last}
    if profile.times:
        yield "word_exactly", {"word": profile.word, "n": profile.times}
        yield "word_at_least", {"word": profile.word, "n": rng.randint(1, profile.times)}
    else:
        yield "exclude_words", {"words": (profile.word,)}


def _letters(rng: Random, profile: Profile) -> Iterator[tuple[str, dict[str, Any]]]:
    yield profile.case, {}
    yield "lipogram", {"letter": profile.absent}
    present = rng.choice([letter for letter in "aeiorst" if letter != profile.absent])
    yield "letter_at_least", {"letter": present, "n": rng.randint(3, 2 * profile.words // 3 + 3)}


MAKERS: tuple[tuple[Topic, Maker], ...] = (
    ("length", _counted("words")),
    ("length", _counted("sentences")),
    ("choice of words", _words),
    ("letters", _letters),
    ("punctuation", _counted("commas")),
    ("punctuation", lambda rng, profile: iter([("sentences_end_with", {"sign": profile.sign})])),
)


KNOTS = MAKERS[:3] + MAKERS[4:5]
"""Those whose instructions about one thing can conflict in several ways."""


def random_profile(rng: Random, stock: Sequence[str], absent: str) -> Profile:
    """The profile of a text of words without a letter; others use the same stock."""
    first, last, _ = rng.sample(stock, 3)
    sentences = rng.randint(2, 5)
    return Profile(
        words=sentences * rng.randint(4, 7) + rng.randint(0, 3),
        sentences=sentences,
        commas=rng.choice((0, 1, 2, 3, 5)),
        first=first,
        last=last,
        word=stock[0],
        times=rng.choice((0, 1, 2, 3)),
        absent=absent,
        case=rng.choice(("lowercase", "uppercase")),
        sign=rng.choice(".!?"),
    )


class Numbers(NamedTuple):
    """How many orders there are."""

    valid: int
    """Those in force."""

    invalid: int
    """Those that are overruled."""

    barriers: int
    """Those of the overruled ones that would overrule an order in force if they were not."""


def random_orders(
    rng: Random,
    rankings: Mapping[Topic, Sequence[int]],
    numbers: Numbers,
    exceptions: Sequence[Topic] = (),
) -> list[Order]:
    """Orders in random order; there may be fewer, where no others are compatible.

    In each topic of ``exceptions``, where somebody other than the first source has the highest
    rank, an order of theirs overrules one of a source that is above them in all other topics.
    """
    absent = rng.choice("aeiou")
    stock = rng.sample([word for word in STOCK if absent not in word], 5)
    profile = random_profile(rng, stock, absent)

    def other_profile() -> Profile:
        free = [word for word in stock if word not in {profile.first, profile.last}]
        words = [stock[0], *free[-3:], rng.choice(STOCK)]
        return random_profile(rng, words, rng.choice("aeiorst"))

    sources, right, wrong = len(rankings["length"]), list[Order](), list[Order]()
    for topic in exceptions:
        maker = rng.choice([maker for each, maker in MAKERS if each == topic])
        options = list(maker(rng, profile))
        beaten = [option for _ in range(4) for option in maker(rng, other_profile())]
        upset = _upset(rng, topic, options, beaten, rankings[topic][0])
        right += upset[:1]
        wrong += upset[1:]
    for topic, maker in rng.sample(KNOTS, min(numbers.barriers, len(KNOTS))):
        options = list(maker(rng, profile))
        beaten = [option for _ in range(4) for option in maker(rng, other_profile())]
        knot = _knot(rng, topic, options, beaten, rankings[topic])
        right += knot[:2]
        wrong += knot[2:]
    for _ in range(20 * numbers.valid):
        order = _order(rng, sources, profile)
        if len(right) < numbers.valid and order.rule not in {each.rule for each in right}:
            right.append(order)
    for _ in range(60 * numbers.invalid):
        if len(wrong) >= numbers.invalid:
            break
        order = _order(rng, sources, other_profile())
        rivals = (o for o in right if is_above(o, order, rankings))
        if order not in wrong and any(clash(o, order) for o in rivals):
            wrong.append(order)
    return rng.sample(right + wrong, len(right + wrong))


Options = Sequence[tuple[str, dict[str, Any]]]


def _knot(
    rng: Random, topic: Topic, options: Options, beaten: Options, ranking: Sequence[int]
) -> list[Order]:
    """Two orders in force, and one between their ranks that conflicts with both; or none."""
    if len(ranking) < 3 or len(options) < 2:
        return []
    high, middle, low = sorted(rng.sample(range(len(ranking)), 3))
    (one, first), (other, second) = rng.sample(options, 2)
    top = Order(ranking[high], topic, one, tuple(first.items()))
    bottom = Order(ranking[low], topic, other, tuple(second.items()))
    for rule, values in beaten:
        barrier = Order(ranking[middle], topic, rule, tuple(values.items()))
        if clash(top, barrier) and clash(barrier, bottom):
            return [top, bottom, barrier]
    return []


def _upset(rng: Random, topic: Topic, options: Options, beaten: Options, head: int) -> list[Order]:
    """An order of the source with the highest rank in a topic, and one that conflicts with it of a
    source whose rank is higher in general; or none.
    """
    for rule, values in rng.sample(options, len(options)):
        top = Order(head, topic, rule, tuple(values.items()))
        for other, others in beaten:
            below = Order(rng.randrange(head), topic, other, tuple(others.items()))
            if clash(top, below):
                return [top, below]
    return []


def _order(rng: Random, sources: int, profile: Profile) -> Order:
    topic, maker = rng.choice(MAKERS)
    rule, values = rng.choice(list(maker(rng, profile)))
    return Order(rng.randrange(sources), topic, rule, tuple(values.items()))


# -------------------------------------------------------------------------------- second opinion


def follows(order: Order, text: str) -> bool:
    """Whether a plain text follows an order, by simple patterns."""
    values = dict(order.values)
    words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text.casefold())
    parts = re.split(r"(?<=[.!?])\s+", text.strip())
    sentences = [part for part in parts if re.search(r"[^\W_]", part)]
    counts = {"words": len(words), "sentences": len(sentences), "commas": text.count(",")}
    measure, _, way = order.rule.partition("_")
    letters = text.casefold()
    if order.rule == "sentences_end_with":
        return all(part.endswith(str(values["sign"])) for part in sentences)
    if measure in counts:
        n = values.get("n", 0)
        low = values.get("low", 0 if way == "at_most" else n)
        high = values.get("high", 10**6 if way == "at_least" else n)
        return int(str(low)) <= counts[measure] <= int(str(high))
    checks: Mapping[str, Callable[[], bool]] = {
        "first_word": lambda: words[:1] == [values["word"]],
        "last_word": lambda: words[-1:] == [values["word"]],
        "word_exactly": lambda: words.count(str(values["word"])) == values["n"],
        "word_at_least": lambda: words.count(str(values["word"])) >= int(str(values["n"])),
        "exclude_words": lambda: not set(values["words"]) & set(words),  # type: ignore[arg-type]
        "no_commas": lambda: "," not in text,
        "lowercase": lambda: text == text.lower(),
        "uppercase": lambda: text == text.upper(),
        "lipogram": lambda: str(values["letter"]) not in letters,
        "letter_at_least": lambda: letters.count(str(values["letter"])) >= int(str(values["n"])),
    }
    return checks[order.rule]()
