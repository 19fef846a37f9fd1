"""Questions in words."""

from palaestra.generators.tools.encyclopedia.questions import Chain, Form, Question
from palaestra.generators.tools.encyclopedia.schema import phrases_of, target_of
from palaestra.generators.tools.encyclopedia.world import UNKNOWN

RULES = (
    "An answer is a number in digits, or the exact title of an article, with what stands in "
    "brackets if it has that. The number of years between two is their difference, and a head "
    "leads a house from the year in its list on, until the next one does. Where the articles lack "
    f"a fact that is needed, the answer is {UNKNOWN}."
)
"""What an answer is."""

FRAMES: dict[Form, tuple[str, ...]] = {
    "follow": (
        "What is {0}?",
        "Please find out {0}.",
        "I need to know {0}.",
        "Name {0}.",
        "Look this up for me: {0}.",
    ),
    "compare": (
        "Which has the {order} year of birth, foundation or publication: {0}, or {1}?",
        (
            "Compare the years of birth, foundation or publication of two articles: {0}, and {1}. "
            "Which of the two has the {order} one?"
        ),
        (
            "There are two candidates, {0}, and {1}. Name the one with the {order} year of birth, "
            "foundation or publication."
        ),
        "Take {0}, and take {1}. Whose year of birth, foundation or publication is {order}?",
        (
            "Whose year of birth, foundation or publication is the {order} one: that of {0}, or "
            "that of {1}?"
        ),
    ),
    "count": (
        "How many {members} of {0} {date}?",
        "Count those {members} of {0} that {date}.",
        "Of the {members} of {0}, how many {date}?",
        "What is the number of {members} of {0} that {date}?",
        "I want to know how many of the {members} that the article on {0} lists {date}.",
    ),
    "years": (
        "How many years lie between {0} and {1}?",
        "What is the difference, in years, between {0} and {1}?",
        "Take {0} and {1}. How many years are they apart?",
        "Count the years between {0} and {1}.",
        "By how many years do {0} and {1} differ?",
    ),
    "head": (
        "Who led {0} in {1}?",
        "Name the head of {0} in {1}.",
        "In {1}, who was the head of {0}?",
        "I am looking for the person who was at the head of {0} in {1}.",
        "Which person led {0} in {1}?",
    ),
}
"""Several ways to put each form of a question."""


def in_words(question: Question, wording: int) -> str:
    """A question in the frames that a wording selects."""
    frames = FRAMES[question.form]
    phrases = [
        described(chain, wording // len(frames) + 2 * n) for n, chain in enumerate(question.chains)
    ]
    order = "later" if question.later else "earlier"
    members = date = ""
    if question.form == "count":
        happened, members = _members(question.chains[0])
        date = f"{happened} {'after' if question.later else 'before'} {question.bound}"
    return frames[wording % len(frames)].format(*phrases, order=order, members=members, date=date)


def _members(chain: Chain) -> tuple[str, str]:
    """What happened to the members of the article at the end of a chain, and what they are."""
    end = target_of(chain.path[-1]) if chain.path else chain.type
    return ("were founded", "towns") if end == "province" else ("were born", "members")


def described(chain: Chain, frame: int) -> str:
    """A chain as a noun phrase.

    >>> described(Chain("town", "Ulor", "", ("builder", "birthplace")), 0)
    'the town of birth of the builder of the bridge of the town Ulor'
    """
    text = named(chain)
    for n, step in enumerate(chain.path):
        phrases = phrases_of(step)
        text = phrases[(frame + n * n) % len(phrases)].format(text)
    return text


def named(chain: Chain) -> str:
    """The first article of a chain as a noun phrase.

    >>> named(Chain("town", "Ulor", "salt", ()))
    'the town Ulor (the one known for its salt)'
    """
    if chain.type == "person":
        return f"the {chain.trait} {chain.name}" if chain.trait else chain.name
    if chain.type == "town":
        which = f" (the one known for its {chain.trait})" if chain.trait else ""
        return f"the town {chain.name}{which}"
    if chain.type == "book":
        return f"the book '{chain.name}'" + (f" (the one on {chain.trait})" if chain.trait else "")
    return chain.name if chain.type == "house" else f"the {chain.name}"
