"""Questions about a database in words."""

from palaestra.generators.tools.database_explorer.data import Theme
from palaestra.generators.tools.database_explorer.questions import Question, QuestionForm
from palaestra.generators.vocabulary import plural

FRAMES: dict[QuestionForm, tuple[str, ...]] = {
    "total": (
        "What is the total {amount}, in {unit}, over {records}?",
        "In {unit}, how much is the {amount} of {records} in all?",
        "Add up the {amount} of {records}. How many {unit} is that?",
        "Give the sum of the {amount} of {records}, converted into {unit}.",
        "Take {records}. What does the {amount} come to in total, in {unit}?",
    ),
    "mean": (
        "What is the mean {amount}, in {unit}, of {records}?",
        "In {unit}, what is the average {amount} of one of {records}?",
        "Take {records}. How large is the {amount} on average, in {unit}?",
        "Give the arithmetic mean of the {amount} of {records}, converted into {unit}.",
        "Find the average {amount} over {records} in {unit}.",
    ),
    "records": (
        "How large is the number of {records}?",
        "Count {records}.",
        "What is the number of {records}?",
        "Take {records}. How many are there?",
        "For a report I need to know how many there are of {records}.",
    ),
    "parties": (
        "How many {parties} have at least one of {records}?",
        "Take {records}. How many different {parties} do they belong to?",
        "Count the {parties} that one or more of {records} are by.",
        "What is the number of different {parties} in {records}?",
        "Find {records}, and count their {parties}, each once.",
    ),
    "top": (
        "Which {party} has the largest total {amount}, over {records}?",
        "Take {records}. Name the {party} with the largest total {amount}.",
        "Name the {party} that comes first by the total {amount} of {records}.",
        "By the sum of the {amount} of {records}, which {party} is the largest?",
        "Add up the {amount} of {records} for each {party}. Whose sum is the largest?",
    ),
    "items": (
        "Which {items} have a total {amount} of {least} {unit} or more, over {records}?",
        "Take {records}. List the {items} whose total {amount} is at least {least} {unit}.",
        "Name all {items} with at least {least} {unit} as the sum of the {amount} of {records}.",
        "Add up the {amount} of {records} for each {item}. Which {items} reach {least} {unit}?",
        "List every {item} that has {least} {unit} or more, by the total {amount} of {records}.",
    ),
}
"""Several ways to put each form of a question."""


def in_words(theme: Theme, question: Question, wording: int) -> str:
    """A question in the frames that a wording selects."""
    frames = FRAMES[question.form]
    rest = wording // len(frames)
    return frames[wording % len(frames)].format(
        records=_records(theme, question, rest),
        amount=theme.amount,
        unit=f"'{question.unit}'",
        least=question.least,
        party=theme.party,
        parties=plural(theme.party),
        item=theme.item,
        items=plural(theme.item),
    )


def _records(theme: Theme, question: Question, frame: int) -> str:
    """The records in question, with the conditions in an order that the frame selects."""
    phrases = []
    if question.region:
        phrases.append(f"by {article(theme.party)} in the region '{question.region}'")
    if question.group:
        phrases.append(f"of any {theme.item} in the group '{question.group}'")
    if question.status:
        phrases.append(f"with the status '{question.status}'")
    if question.start:
        phrases.append(f"from {question.start} to {question.end}")
    turn = frame % len(phrases) if phrases else 0
    return f"the {plural(theme.record)} {', '.join([*phrases[turn:], *phrases[:turn]])}".strip()


def article(noun: str) -> str:
    """A noun with its indefinite article.

    >>> article("order"), article("mill")
    ('an order', 'a mill')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
