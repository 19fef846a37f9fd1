"""The rules by which sources count, in words and as a decision on what pages state."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, get_args

from palaestra.generators.tools.conflicting_sources.dates import date

Form = Literal["statement", "forecast", "copy", "correction", "retraction"]
Topic = Literal["year", "size", "number"]
Type = Literal["register", "gazette", "newspaper", "almanac", "company", "blog"]
Choice = Literal["latest", "most", "agree"]
Scope = Literal["", "own", "any"]

TYPES: tuple[Type, ...] = get_args(Type)
TOPICS: tuple[Topic, ...] = get_args(Topic)
CHOICES: tuple[Choice, ...] = get_args(Choice)

SCOPES: tuple[Scope, ...] = ("own", "own", "any")
"""What the scope of notices is drawn from."""

PLURALS: Mapping[str, str] = {
    "register": "registers",
    "gazette": "gazettes",
    "newspaper": "newspapers",
    "almanac": "almanacs",
    "company": "companies",
    "blog": "blogs",
}

TOPIC_WORDS: Mapping[Topic, str] = {
    "year": "years",
    "size": "sizes in metres",
    "number": "numbers of things or people",
}

OPTIONAL = ("corrections", "retractions", "forecasts", "cut", "unsigned", "excluded")
"""The rules that a policy may have or not."""


class Claim(NamedTuple):
    """What a page states on a question."""

    address: str
    publisher: str
    type: Type
    day: int
    signed: bool
    form: Form
    value: int
    """The number, or 0 for a retraction."""
    refers: str = ""
    """The address of the page that a copy repeats, or that a notice is about."""


class Policy(NamedTuple):
    """The rules. Those that are empty, or 0, do not exist."""

    tiers: tuple[tuple[Type, ...], ...]
    """The types of publishers by rank, the highest first."""
    choice: Choice
    """Which value wins among pages of the same rank."""
    copies: bool = True
    """Whether pages that repeat others do not count."""
    corrections: Scope = ""
    """Whose corrections have an effect."""
    retractions: Scope = ""
    forecasts: bool = False
    """Whether pages on what is planned do not count."""
    cut: int = 0
    """The day before which pages do not count."""
    unsigned: tuple[Type, ...] = ()
    """The types of publishers whose unsigned pages do not count."""
    excluded: tuple[Type, Topic] | None = None
    """A type of publishers that does not count for a topic."""

    def rules(self) -> list[str]:
        """The rules in words."""
        ranks = "; then ".join(
            " and ".join(PLURALS[each] for each in tier) + (", equally" if tier[1:] else "")
            for tier in self.tiers
        )
        rank = (
            f"Publishers rank in this order: {ranks}. Of the pages that count by the other rules, "
            "only those of the highest rank that has any decide."
        )
        return [
            rank,
            CHOICE_WORDS[self.choice],
            *self._exclusions(),
            "Where no page is left to decide, the answer is unresolved.",
        ]

    def _exclusions(self) -> Iterator[str]:
        if self.copies:
            yield "A page that repeats what another page states, and says so, does not count."
        if self.corrections:
            whose = WHOSE[self.corrections].format("correction")
            yield (
                f"A correction has an effect {whose}: then the page that it corrects does not "
                "count, and the correction counts as a page of its own publisher and date. "
                "A correction without effect does not count. One that is corrected in turn keeps "
                "its effect."
            )
        if self.retractions:
            whose = WHOSE[self.retractions].format("retraction")
            yield (
                f"A retraction has an effect {whose}: then the page that it retracts does not "
                "count, and if that is itself a correction or a retraction, it has no effect."
            )
        if self.forecasts:
            yield "A page that states what is planned or expected does not count."
        if self.cut:
            yield f"A page from before {date(self.cut)} does not count."
        if self.unsigned:
            types = " and ".join(PLURALS[each] for each in self.unsigned)
            yield f"Unsigned pages of {types} do not count."
        if self.excluded:
            publisher, topic = self.excluded
            yield f"Pages of {PLURALS[publisher]} do not count for {TOPIC_WORDS[topic]}."
        if self.corrections or self.retractions:
            yield (
                "Corrections and retractions have their effect on other pages whatever rank, date "
                "and signature they have."
            )

    def rank(self, publisher: Type) -> int:
        """The rank of a type of publishers, where 0 is the highest."""
        return next(n for n, tier in enumerate(self.tiers) if publisher in tier)

    def counting(self, topic: Topic, claims: Sequence[Claim]) -> list[Claim]:
        """The pages that count before ranks are compared."""
        notices = _Notices(self, claims)
        return [each for each in claims if self._counts(topic, each) and notices.leave(each)]

    def _counts(self, topic: Topic, claim: Claim) -> bool:
        """Whether a page counts as far as that does not depend on others."""
        return not (
            claim.form == "retraction"
            or (claim.form == "copy" and self.copies)
            or (claim.form == "forecast" and self.forecasts)
            or claim.day < self.cut
            or (not claim.signed and claim.type in self.unsigned)
            or (claim.type, topic) == self.excluded
        )

    def verdict(self, topic: Topic, claims: Sequence[Claim]) -> int | None:
        """The value that wins, or None where the conflict cannot be resolved."""
        counting = self.counting(topic, claims)
        for tier in self.tiers:
            top = [each for each in counting if each.type in tier]
            if top:
                return self._chosen(top)
        return None

    def _chosen(self, claims: Sequence[Claim]) -> int | None:
        if self.choice == "latest":
            last = max(each.day for each in claims)
            values = {each.value for each in claims if each.day == last}
        elif self.choice == "agree":
            values = {each.value for each in claims}
        else:
            latest = {each.publisher: each for each in sorted(claims, key=lambda each: each.day)}
            votes = Counter(each.value for each in latest.values())
            values = {value for value, number in votes.items() if number == max(votes.values())}
        return min(values) if len(values) == 1 else None

    def relaxed(self) -> Iterator["Policy"]:
        """Policies that lack one of the rules, or choose in another way."""
        yield self._replace(tiers=(tuple(each for tier in self.tiers for each in tier),))
        yield self._replace(copies=False)
        for name in OPTIONAL:
            if getattr(self, name):
                yield self._replace(**{name: Policy._field_defaults[name]})
        for choice in CHOICES:
            if choice != self.choice:
                yield self._replace(choice=choice)


CHOICE_WORDS: Mapping[Choice, str] = {
    "latest": "If the deciding pages state different numbers, the one with the latest date wins. "
    "If several have that date and differ, the answer is unresolved.",
    "most": "If the deciding pages state different numbers, the number that most publishers state "
    "wins, where only the latest of the deciding pages of each publisher is looked at. If two "
    "numbers have equally many, the answer is unresolved.",
    "agree": "If the deciding pages state different numbers, the answer is unresolved.",
}

WHOSE: Mapping[Scope, str] = {
    "own": "only if its publisher is that of the page that it is about",
    "any": "whoever publishes it",
}


class _Notices:
    """Corrections and retractions among pages."""

    def __init__(self, policy: Policy, claims: Sequence[Claim]) -> None:
        self.policy = policy
        self.publishers = {each.address: each.publisher for each in claims}
        self.about: dict[str, list[Claim]] = {}
        for each in claims:
            if each.form in {"correction", "retraction"}:
                self.about.setdefault(each.refers, []).append(each)

    def leave(self, claim: Claim) -> bool:
        """Whether a page counts after all corrections and retractions."""
        if claim.form == "correction" and not self._has_scope(claim):
            return False
        return not any(map(self._has_effect, self.about.get(claim.address, ())))

    def _has_scope(self, notice: Claim) -> bool:
        is_correction = notice.form == "correction"
        scope = self.policy.corrections if is_correction else self.policy.retractions
        return scope == "any" or (
            scope == "own" and self.publishers.get(notice.refers) == notice.publisher
        )

    def _has_effect(self, notice: Claim) -> bool:
        """Whether a notice is allowed and not retracted itself."""
        return self._has_scope(notice) and not any(
            each.form == "retraction" and self._has_effect(each)
            for each in self.about.get(notice.address, ())
        )


def random_policy(rng: Random, rules: int, days: int) -> Policy:
    """A policy with so many optional rules, for pages of so many days."""
    order = rng.sample(TYPES, len(TYPES))
    bounds = sorted(rng.sample(range(1, len(order)), rng.randint(2, 3)))
    tiers = tuple(tuple(order[a:b]) for a, b in zip([0, *bounds], [*bounds, len(order)]))
    chosen = rng.sample(OPTIONAL, rules)
    return Policy(
        tiers,
        rng.choice(CHOICES),
        corrections=rng.choice(SCOPES) if "corrections" in chosen else "",
        retractions=rng.choice(SCOPES) if "retractions" in chosen else "",
        forecasts="forecasts" in chosen,
        cut=rng.randint(days // 5, days // 2) if "cut" in chosen else 0,
        unsigned=tuple(rng.sample(order, 3)) if "unsigned" in chosen else (),
        excluded=(rng.choice(order[:2]), rng.choice(TOPICS)) if "excluded" in chosen else None,
    )
