"""Pages and questions in words."""

import re
from collections.abc import Mapping

from palaestra.generators.tools.conflicting_sources.dates import date
from palaestra.generators.tools.conflicting_sources.policy import Form
from palaestra.generators.tools.conflicting_sources.web import Page, Question

QUESTIONS = (
    "What is the {attribute} of {subject}?",
    "Find out the {attribute} of {subject}.",
    "For {subject}, what is the {attribute}?",
    "I need to know the {attribute} of {subject}.",
    "About {subject}: which number is the {attribute}?",
)

SENTENCES: Mapping[Form, tuple[str, ...]] = {
    "statement": (
        "The {attribute} is {value}.",
        "We give the {attribute} as {value}.",
        "{value} is the {attribute}.",
        "As for the {attribute}, it is {value}.",
    ),
    "forecast": (
        "By the plans, the {attribute} will be {value}.",
        "The {attribute} is expected to be {value}.",
        "Once all is done, the {attribute} will be {value}.",
    ),
    "copy": (
        "According to {refers}, the {attribute} is {value}.",
        "We repeat from {refers} that the {attribute} is {value}.",
        "On {refers} we read that the {attribute} is {value}.",
    ),
    "correction": (
        "The page {refers} gives a wrong {attribute}, which is {value}.",
        "This corrects {refers}: the {attribute} is {value}.",
        "There is a mistake on {refers}: the right {attribute} is {value}.",
    ),
    "retraction": (
        "The page {refers} on the {attribute} is retracted.",
        "This retracts {refers} on the {attribute}.",
        "What {refers} states on the {attribute} is taken back.",
    ),
}
"""The sentences of each form of page."""

FILLERS = (
    "The road there is in good order.",
    "Visitors are welcome on market days.",
    "The weather was fine on the day of our visit.",
    "It takes {} hours on foot from the nearest inn.",
    "Repairs of the roof took {} weeks.",
    "There is much to see in the neighbourhood.",
    "The ticket costs {} coins.",
    "Readers sent us {} letters about it.",
)
"""Sentences that do not matter."""

TITLES: Mapping[Form, str] = {"correction": "Correction", "retraction": "Retraction"}
"""The titles of notices, which do not say what they are about."""


def question_in_words(question: Question, wording: int) -> str:
    """A question in the frame that a wording selects."""
    frame = QUESTIONS[wording % len(QUESTIONS)]
    return frame.format(attribute=question.attribute, subject=question.subject)


def title(page: Page) -> str:
    """The title of a page."""
    subject = page.question.subject
    return TITLES.get(page.claim.form, subject[0].upper() + subject[1:])


def heading(page: Page) -> str:
    """A page in a list: its address, title, publisher and date."""
    claim = page.claim
    return f"{claim.address}: {title(page)} ({claim.publisher}, {claim.type}, {date(claim.day)})"


def text(page: Page) -> str:
    """A page in full."""
    claim, style = page.claim, page.style
    frames = SENTENCES[claim.form]
    sentence = frames[style % len(frames)].format(
        attribute=page.question.attribute, value=claim.value, refers=claim.refers
    )
    fillers = [
        FILLERS[(style // 16 + 3 * n) % len(FILLERS)].format(2 + style // 256 % 37 + n)
        for n in range(2)
    ]
    body = [fillers[0], sentence, fillers[1]] if style & 8 else [sentence, *fillers]
    author = page.author or "unsigned"
    return f"{heading(page)}\nAuthor: {author}\n{' '.join(body)}"


def pattern(frame: str) -> re.Pattern[str]:
    """What reads a sentence back."""
    parts = re.escape(frame)
    for name, group in {
        "attribute": r"(?P<attribute>[a-z ]+)",
        "value": r"(?P<value>\d+)",
        "refers": r"(?P<refers>[a-z/\d-]+)",
    }.items():
        parts = parts.replace(rf"\{{{name}\}}", group)
    return re.compile(parts, re.ASCII)
