"""Random webs: publishers, and pages on what is in dispute."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.conflicting_sources.policy import (
    TOPICS,
    TYPES,
    Claim,
    Form,
    Policy,
    Topic,
    Type,
)
from palaestra.generators.vocabulary import words

DAYS = 3_600
"""The days on which pages are published."""

TRIES = 400
"""How many sets of pages are tried for one that suits."""

UNRESOLVED = 0.15
"""The share of questions that the rules do not resolve."""

BARRED = 0.6
"""How often pages are given up for each rule of thumb that leads to the answer."""

NOUNS: Mapping[str, tuple[str, str, str]] = {
    "Bridge": ("year of opening", "length in metres", "number of arches"),
    "Mine": ("year of opening", "depth in metres", "number of workers"),
    "School": ("year of foundation", "height of the tower in metres", "number of pupils"),
    "Lighthouse": ("year of completion", "height in metres", "number of steps"),
    "Harbour": ("year of opening", "depth in metres", "number of berths"),
    "Theatre": ("year of the first night", "width of the stage in metres", "number of seats"),
}
"""For each noun what may be in dispute: a year, a size and a number."""

TOPIC_OF: Mapping[str, Topic] = {
    attribute: topic
    for attributes in NOUNS.values()
    for attribute, topic in zip(attributes, TOPICS)
}

NAMES: Mapping[Type, tuple[str, ...]] = {
    "register": ("Register of {}", "{} Land Register"),
    "gazette": ("{} Gazette", "Official Gazette of {}"),
    "newspaper": ("The {} Herald", "The {} Courier", "The {} Post"),
    "almanac": ("Almanac of {}", "The {} Almanac"),
    "company": ("{} Company", "{} and Sons"),
    "blog": ("Notes from {}", "{} Diary"),
}


class Question(NamedTuple):
    """What is in dispute."""

    name: str
    region: str
    attribute: str

    @property
    def subject(self) -> str:
        """What it is about, in words."""
        return f"the {self.name} in {self.region}"


class Publisher(NamedTuple):
    """Who publishes pages."""

    name: str
    type: Type
    slug: str
    """The first part of the addresses of its pages."""


class Page(NamedTuple):
    """A page on a question."""

    question: Question
    claim: Claim
    author: str
    style: int
    """What selects its sentences."""


class Size(NamedTuple):
    """How large and how hard a web is."""

    questions: int
    pages: int
    """The pages of each question, without notices."""
    distractors: int
    """How many other things there are pages on."""
    traps: int
    """How many rules matter for each question at the least."""


class _Draft(NamedTuple):
    """Pages on one question in the making, and who may publish them."""

    rng: Random
    policy: Policy
    publishers: Sequence[Publisher]
    topic: Topic
    pages: int

    def claims(self) -> list[Claim]:
        """Random pages and notices on them."""
        values = _values(self.rng, self.topic)
        claims: list[Claim] = []
        for _ in range(self.pages):
            form: Form = self._form()
            if form == "copy" and claims:
                original = self.rng.choice(claims)
                claims.append(self._page(form, original.value, original))
            else:
                form = "statement" if form == "copy" else form
                claims.append(self._page(form, self.rng.choice(values)))
        for each in [*claims]:
            self._add_notices(claims, each, values, 0.45)
        return claims

    def _form(self) -> Form:
        chance = self.rng.random()
        if chance < 0.25:
            return "copy"
        return "forecast" if self.policy.forecasts and chance < 0.45 else "statement"

    def _page(self, form: Form, value: int, about: Claim | None = None, own: bool = False) -> Claim:
        """A page, which is later than the one that it is about."""
        rng, first = self.rng, about.day + 1 if about else 0
        publisher = rng.choice(self.publishers)
        if about and own:
            publisher = next(each for each in self.publishers if each.name == about.publisher)
        day = rng.randrange(first, first + DAYS // 8 if about else DAYS)
        is_notice = form in {"correction", "retraction"}
        signed = is_notice or not self.policy.unsigned or rng.random() < 0.6
        address = f"{publisher.slug}/{rng.randrange(1_000, 10_000)}"
        refers = about.address if about else ""
        return Claim(address, publisher.name, publisher.type, day, signed, form, value, refers)

    def _add_notices(
        self, claims: list[Claim], about: Claim, values: Sequence[int], chance: float
    ) -> None:
        """Perhaps a correction or a retraction of a page, and of that again."""
        forms: list[Form] = []
        if self.policy.corrections and about.form != "retraction":
            forms.append("correction")
        if self.policy.retractions:
            forms.append("retraction")
        if not forms or self.rng.random() >= chance:
            return
        form = self.rng.choice(forms)
        others = [value for value in values if value != about.value]
        value = self.rng.choice(others) if form == "correction" else 0
        claims.append(self._page(form, value, about, self.rng.random() < 0.65))
        self._add_notices(claims, claims[-1], values, chance / 2)


def _values(rng: Random, topic: Topic) -> list[int]:
    """Four near values."""
    first, last = {"year": (410, 690), "size": (21, 880), "number": (30, 960)}[topic]
    value = rng.randint(first, last)
    steps = rng.sample((-20, -10, -3, -2, -1, 1, 2, 3, 10, 20), 3)
    return [value, *(value + step for step in steps)]


def _is_clear(claims: Sequence[Claim]) -> bool:
    """Whether addresses differ, and no publisher has two pages of a day."""
    addresses = {each.address for each in claims}
    days = {(each.publisher, each.day) for each in claims}
    return len(addresses) == len(days) == len(claims)


def _guessed(policy: Policy, claims: Sequence[Claim], value: int | None) -> tuple[bool, ...]:
    """Whether rules of thumb may lead to a value: what is stated last, what the highest rank
    states, and what is stated least often. Copies see to it that it is seldom the commonest.
    """
    stating = [each for each in claims if each.value]
    types = {each.type for each in stating}
    top = next(tier for tier in policy.tiers if not types.isdisjoint(tier))
    numbers = Counter(each.value for each in stating)
    return (
        max(stating, key=lambda each: each.day).value == value,
        any(each.value == value and each.type in top for each in stating),
        any(each == value and n == min(numbers.values()) for each, n in numbers.items()),
    )


def _dispute(draft: _Draft, traps: int, unresolved: bool) -> list[Claim]:
    """Pages on a question for which so many rules matter; none where no such pages turn up."""
    policy, topic = draft.policy, draft.topic
    for _ in range(TRIES):
        claims = draft.claims()
        if not _is_clear(claims):
            continue
        value = policy.verdict(topic, claims)
        if (value is None) != unresolved:
            continue
        guessed = _guessed(policy, claims, value)
        if any(draft.rng.random() < BARRED for is_right in guessed if is_right):
            continue
        matter = 0
        for relaxed in policy.relaxed():
            matter += relaxed.verdict(topic, claims) != value
            if matter >= traps:
                return claims
        if not traps:
            return claims
    return []


def random_publishers(rng: Random, regions: Sequence[str]) -> tuple[Publisher, ...]:
    """Two publishers of each type, or three."""
    names: dict[str, Type] = {}
    for each in TYPES:
        frames = rng.sample(NAMES[each], 2)
        for frame in (*frames, frames[0])[: rng.randint(2, 3)]:
            names[frame.format(rng.choice(regions))] = each
    return tuple(
        Publisher(name, each, name.casefold().replace(" ", "-")) for name, each in names.items()
    )


def random_questions(rng: Random, regions: Sequence[str], number: int) -> list[Question]:
    """Questions on different things, with other questions on namesakes and on the same things
    behind them, so many in all.
    """
    names = [name.title() for name in words(rng, number, 4, 6)]
    questions: list[Question] = []
    for name in names:
        noun = rng.choice([*NOUNS])
        attributes = rng.sample(NOUNS[noun], 2)
        first, second = rng.sample(regions, 2)
        questions += [
            Question(f"{name} {noun}", first, attributes[0]),
            Question(f"{name} {noun}", second, attributes[0]),
            Question(f"{name} {noun}", first, attributes[1]),
        ]
    return questions


def random_web(
    rng: Random, policy: Policy, size: Size
) -> tuple[tuple[Question, ...], tuple[Page, ...]] | None:
    """Questions and pages on them and on other things, in random order; None where none suit."""
    regions = [name.title() for name in words(rng, 4, 5, 6)]
    publishers = random_publishers(rng, regions)
    candidates = random_questions(rng, regions, size.questions + size.distractors)
    groups = [candidates[n : n + 3] for n in range(0, len(candidates), 3)]
    wanted = [group[0] for group in groups[: size.questions]]
    others = [each for group in groups for each in group if each not in wanted]
    pages: list[Page] = []
    for question in [*wanted, *others[: size.distractors]]:
        is_wanted = question in wanted
        number = size.pages if is_wanted else max(2, size.pages // 3)
        draft = _Draft(rng, policy, publishers, TOPIC_OF[question.attribute], number)
        unresolved = rng.random() < UNRESOLVED
        claims = _dispute(draft, size.traps, unresolved) if is_wanted else draft.claims()
        if not claims or not _is_clear(claims):
            return None
        pages += [_page(rng, question, claim) for claim in claims]
    if len({page.claim.address for page in pages}) < len(pages):
        return None
    rng.shuffle(pages)
    return tuple(wanted), tuple(pages)


def _page(rng: Random, question: Question, claim: Claim) -> Page:
    author = " ".join(words(rng, 2, 4, 6)).title() if claim.signed else ""
    return Page(question, claim, author, rng.getrandbits(24))


def careful_calls(questions: Sequence[Question], pages: Sequence[Page]) -> int:
    """How many calls read all pages on the things that questions are about, look for notices on
    those that a question is about, and read and submit the rest, if none fails.
    """
    subjects = {question.subject for question in questions}
    opened = sum(page.question.subject in subjects for page in pages)
    linked = sum(page.question in questions for page in pages)
    return opened + linked + opened // 4 + 3 * len(questions)
