"""A player that collects all pages on a question, and decides by the rules."""

import re
from collections.abc import Generator, Iterator, Sequence

from palaestra.generators.tools.conflicting_sources.dates import day_of
from palaestra.generators.tools.conflicting_sources.policy import TYPES, Claim, Form, Policy
from palaestra.generators.tools.conflicting_sources.web import TOPIC_OF, Question
from palaestra.generators.tools.conflicting_sources.wording import SENTENCES, pattern
from palaestra.generators.tools.conflicting_sources.world import UNRESOLVED
from palaestra.generators.tools.engine import Client, using

_HEADING = re.compile(
    r"(?P<address>[a-z/\d-]+): (?P<title>.+) "
    rf"\((?P<publisher>[^,()]+), (?P<type>{'|'.join(TYPES)}), (?P<date>[^,()]+)\)",
    re.ASCII,
)
_PAGES = re.compile(r"\(page \d+ of (\d+)\)", re.ASCII)

_PATTERNS: tuple[tuple[Form, re.Pattern[str]], ...] = tuple(
    (form, pattern(frame)) for form, frames in SENTENCES.items() for frame in frames
)

NOTICES = {"correction", "retraction"}


def read(page: str) -> tuple[str, Claim]:
    """What a page states: the attribute, and the claim."""
    heading, author, body = page.split("\n")
    match = _HEADING.fullmatch(heading)
    assert match
    for form, frame in _PATTERNS:
        stated = next(filter(None, (frame.fullmatch(each) for each in _sentences(body))), None)
        if stated:
            groups = stated.groupdict()
            claim = Claim(
                match["address"],
                match["publisher"],
                next(each for each in TYPES if each == match["type"]),
                day_of(match["date"]),
                author != "Author: unsigned",
                form,
                int(groups.get("value", 0)),
                groups.get("refers", ""),
            )
            return groups["attribute"], claim
    raise AssertionError(f"no statement on {match['address']}")


def _sentences(body: str) -> Iterator[str]:
    return (f"{each}." for each in body.removesuffix(".").split(". "))


def titles(listing: str) -> dict[str, str]:
    """The titles of a list of pages by their addresses."""
    matches = filter(None, map(_HEADING.fullmatch, listing.splitlines()))
    return {match["address"]: match["title"] for match in matches}


def answering(policy: Policy, questions: Sequence[Question]) -> Client:
    """Answer all questions by the rules."""
    for number, question in enumerate(questions, 1):
        claims = yield from collected(question, bool(policy.corrections or policy.retractions))
        value = policy.verdict(TOPIC_OF[question.attribute], claims)
        answer = UNRESOLVED if value is None else str(value)
        yield from using("submit_answer", question=number, value=answer)


def collected(question: Question, notices: bool) -> Generator[str, str, list[Claim]]:
    """All pages on a question, with corrections and retractions if wanted."""
    claims: list[Claim] = []
    left = yield from _addresses(question)
    while left:
        attribute, claim = read((yield from using("open_page", address=left.pop(0))))
        if attribute != question.attribute:
            continue
        claims.append(claim)
        if notices:
            links = titles((yield from using("links_to", address=claim.address)))
            left += [each for each, title in links.items() if title.casefold() in NOTICES]
    return claims


def _addresses(question: Question) -> Generator[str, str, list[str]]:
    """The pages with the title that a question asks for."""
    addresses: list[str] = []
    page = last = 1
    while page <= last:
        more = {"page": page} if page > 1 else {}
        query = f"{question.name} {question.region}"
        listing = yield from using("search", query=query, **more)
        match = _PAGES.search(listing)
        fitting = [
            address
            for address, title in titles(listing).items()
            if title.casefold() == question.subject.casefold()
        ]
        addresses += fitting
        page, last = page + 1, int(match[1]) if match and fitting else 0
    return addresses
