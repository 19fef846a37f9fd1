"""What customers write: sentences by frames, and how they are read again."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

SYMPTOMS: Mapping[str, tuple[str, ...]] = {
    "sign-in problems": (
        "I do not get past the password screen of {}.", "The password for {} is refused again.",
        "My login to {} does not work any more.", "I am locked out of {}.",
        "I enter the right password, and {} does not let me in.",
    ),
    "slow pages": (
        "Every page of {} takes a minute to load.", "It takes ages until {} responds.",
        "We wait forever for each screen of {}.", "The pages of {} crawl.",
        "I could make coffee while {} loads.",
    ),
    "crashes": (
        "A few seconds after the start, {} closes by itself.", "The window of {} just vanishes.",
        "Without any warning, {} quits.", "The program {} falls over again and again.",
        "In the middle of my work, {} disappears from the screen.",
    ),
    "wrong invoices": (
        "The bill for {} has an amount that we never agreed on.",
        "You bill us for more seats of {} than we have.", "The sum on the invoice for {} is off.",
        "There is a mistake in what we are billed for {}.",
        "Our accountant says that the invoice for {} is too high.",
    ),
    "double charges": (
        "Our card was charged twice for {}.", "The same payment for {} was taken two times.",
        "On our bank statement the fee for {} appears twice.",
        "We have paid for {} once, and you have collected it once more.",
        "You have debited the same month of {} a second time.",
    ),
    "lost records": (
        "Entries from last week are gone from {}.", "Half of our records in {} have disappeared.",
        "What I saved in {} yesterday is not there today.", "Whole folders are missing in {}.",
        "Data that we typed into {} has vanished.",
    ),
    "failed exports": (
        "The file that {} exports is empty.", "I cannot get a report out of {}.",
        "Each download of a table from {} ends with an error.", "The export button of {} is dead.",
        "The spreadsheet that comes out of {} cannot be opened.",
    ),
    "failed synchronisation": (
        "The phone and the computer show different things in {}.",
        "Changes in {} do not reach my other devices.", "My devices with {} are out of step.",
        "What I enter in {} on the laptop never arrives on the tablet.",
        "Between our two offices, {} does not stay in step.",
    ),
    "suspicious sign-ins": (
        "Somebody abroad has used our account of {}.", "I see sessions in {} that are not mine.",
        "A stranger seems to be inside our {}.", "We get alerts of unknown devices in {}.",
        "The log of {} lists visits at night by nobody we know.",
    ),
    "questions on use": (
        "How do I add a colleague to {}?", "Where in {} can I change the language?",
        "Is there a way to print from {}?", "Can you explain how filters work in {}?",
        "I would like to know how templates are used in {}.",
    ),
}  # fmt: skip
"""The sentences for each symptom, with a slot for the product."""

IMPACTS: Mapping[str, tuple[str, ...]] = {
    "one person": (
        "It is only me.", "My colleagues do not have this.", "Just one of us is affected.",
        "Everyone else is fine.", "I am the only one, as far as I know.",
    ),
    "several people": (
        "Some of my colleagues have it, too.", "About half of the team is affected.",
        "A handful of us see this.", "Three of us have the same.", "It hits part of the office.",
    ),
    "everybody": (
        "The whole company is affected.", "Not one of us is spared.", "All of us have this.",
        "Every single person here has it.", "Nobody here is without it.",
    ),
}  # fmt: skip
"""How many people are affected, from the least to the most."""

VERSIONS = (
    "We run version {} of it.", "Our version is {} by the way.",
    "It says version {} at the bottom.",
    "This is with version {} here.", "The installed version is {} on all machines.",
)  # fmt: skip
WITHDRAWALS = (
    "It works again, please close this.", "Never mind, we have solved it.",
    "You can close the ticket, it was our mistake.", "No need to do anything any more.",
    "This has settled itself, thank you.",
)  # fmt: skip
CORRECTIONS = (
    "I have to correct myself.", "Sorry, I mixed something up.", "What I wrote was not right.",
    "A correction:", "I looked again, and it is different.",
)  # fmt: skip
UPDATES = (
    "There is news.", "An update:", "Since then it has changed.", "I asked around.",
    "Here is what we know by now.",
)  # fmt: skip
GREETINGS = (
    "Hello,", "Good morning,", "Dear support,", "Hi there,", "To whom it may concern,",
    "Hello team,",
)  # fmt: skip
CLOSINGS = (
    "Thanks in advance.", "Please help.", "Best regards.", "I look forward to your answer.",
    "We need this for our work.", "Kind regards.", "Please be quick.",
)  # fmt: skip
FILLERS = (
    "The weather does not help either.", "I have tried a restart.", "I called last week, too.",
    "Our office moved in spring.", "I am in meetings until noon.", "The manual did not help.",
    "We are otherwise happy with you.", "I hope this is the right address.",
)  # fmt: skip
NOTES = (
    "Internal note. My guess: {}", "Colleague here. I think it is this: {}",
    "From the first line. It sounds like the usual: {}",
)  # fmt: skip
"""What colleagues write, who may be wrong."""


class Facts(NamedTuple):
    """What a ticket is about. What nobody has stated is empty or 0."""

    product: str = ""
    symptom: str = ""
    impact: str = ""
    version: int = 0
    withdrawn: bool = False


def symptom_in_words(rng: Random, symptom: str, product: str) -> str:
    """A sentence for a symptom of a product."""
    return rng.choice(SYMPTOMS[symptom]).format(product)


def message(rng: Random, sentences: Sequence[str], quoted: Sequence[str] = ()) -> str:
    """A message with sentences in random order, between a greeting and a closing."""
    body = [*sentences, *rng.sample(FILLERS, rng.randrange(3))]
    lines = [rng.choice(GREETINGS), " ".join(rng.sample(body, len(body))), rng.choice(CLOSINGS)]
    return "\n".join([*lines, *(f"> {sentence}" for sentence in quoted)])


def opening(rng: Random, facts: Facts, quoted: Sequence[str] = ()) -> str:
    """The first message of a ticket, which may quote another one."""
    sentences = [
        symptom_in_words(rng, facts.symptom, facts.product),
        rng.choice(IMPACTS[facts.impact]),
        rng.choice(VERSIONS).format(facts.version),
    ]
    return message(rng, sentences, quoted)


def reading(facts: Facts, text: str) -> Facts:
    """The facts after a message of a customer, which overrules what was known before."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    for symptom, frames in SYMPTOMS.items():
        if product := _slot(frames, text):
            facts = facts._replace(symptom=symptom, product=product)
    for impact, sentences in IMPACTS.items():
        if any(sentence in text for sentence in sentences):
            facts = facts._replace(impact=impact)
    if version := _slot(VERSIONS, text):
        facts = facts._replace(version=int(version))
    if any(sentence in text for sentence in WITHDRAWALS):
        facts = facts._replace(withdrawn=True)
    return facts


def _slot(frames: Sequence[str], text: str) -> str:
    """What fills the slot of the frame that a text contains; nothing if it contains none."""
    for frame in frames:
        before, after = frame.split("{}")
        start = text.find(before)
        while start >= 0:
            start += len(before)
            end = text.find(after, start)
            value = text[start:end]
            if end > start and value.isalnum():
                return value
            start = text.find(before, start) if before else -1
    return ""
