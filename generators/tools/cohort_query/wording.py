"""Questions about cohorts in words."""

from collections.abc import Sequence

from palaestra.generators.tools.cohort_query.persons import Criterion, CriterionForm, Question

FRAMES: dict[str, Sequence[str]] = {
    "count": (
        "How many persons with {a} {criteria}?",
        "Count those who {criteria}, among all persons with {a}.",
        "Take everyone with {a}. How many of them {criteria}?",
        "For a report on {a}, find out how many persons with it {criteria}.",
        "What is the number of persons who {criteria}, out of those with {a}?",
        "I would like to know how many of the persons with {a} {criteria}.",
    ),
    "list": (
        "Which persons with {a} {criteria}?",
        "A study is open to persons with {a} who {criteria}. Who is eligible?",
        "List all persons who {criteria}, as far as they have {a}.",
        "Of all persons with {a}, name those who {criteria}.",
        "We invite persons with {a}, but only those who {criteria}. Whom do we invite?",
        "Find the persons who have {a} and who {criteria}.",
    ),
    "median": (
        (
            "What is the median of the first {m} on or after the index date, in {unit}, over "
            "persons with {a} who {criteria}?"
        ),
        (
            "Take the persons with {a} who {criteria}. What is the median, in {unit}, of their "
            "first {m} from the index date on?"
        ),
        (
            "In {unit}, what is the median {m} of the persons who {criteria}, out of those with"
            " {a}? Each counts with the first value on or after the index date."
        ),
        (
            "Consider everyone with {a}, but only those who {criteria}. For each, find the "
            "first {m} that is not before the index date; the median of these in {unit} is what"
            " I need."
        ),
        (
            "For persons with {a}, give the median in {unit} of the first {m} on or after the "
            "index date. Take only those who {criteria}."
        ),
    ),
}
"""Several ways to put each type of question."""

PHRASES: dict[CriterionForm, tuple[str, ...]] = {
    "drug_after": (
        "got {name} within {low} days after the index date",
        "within {low} days after the index date were prescribed {name}",
        "have a prescription of {name} within {low} days after the index date",
    ),
    "no_drug_after": (
        "did not get {name} within {low} days after the index date",
        "within {low} days after the index date had no prescription of {name}",
        "were not prescribed {name} within {low} days after the index date",
    ),
    "drug_before": (
        "got {name} in the {low} days before the index date",
        "in the {low} days before the index date were prescribed {name}",
        "have a prescription of {name} in the {low} days before the index date",
    ),
    "never_before": (
        "had no diagnosis of {name} before the index date",
        "before the index date were never diagnosed with {name}",
        "were not diagnosed with {name} at any time before the index date",
    ),
    "also_before": (
        "had a diagnosis of {name} before the index date",
        "before the index date were diagnosed with {name}",
        "were diagnosed with {name} at some time before the index date",
    ),
    "age": (
        "were from {low} to {high} years old on the index date",
        "on the index date were at least {low} and at most {high} years old",
        "had an age of {low} to {high} years on the index date",
    ),
    "sex": (
        "are {name}",
        "are recorded as {name}",
        "have the sex '{name}' in their chart",
    ),
    "survived": (
        "did not die within {low} days after the index date",
        "outlived the first {low} days after the index date",
        "were not dead by the end of day {low} after the index date",
    ),
    "died": (
        "died within {low} days after the index date",
        "within {low} days after the index date died",
        "were dead by the end of day {low} after the index date",
    ),
    "above": (
        "have at least {low} {name} above the reference range, at any time",
        "at some time had {low} or more {name} above the reference range",
        "at any time had a {name} above the reference range, {low} times or more",
    ),
}
"""Several ways to put each criterion, all of them behind 'persons who'."""


def in_words(question: Question, wording: int) -> str:
    """A question in the frames that a wording selects."""
    frames = FRAMES[question.output]
    rest = wording // len(frames)
    phrases = [_phrase(each, rest + n) for n, each in enumerate(question.criteria)]
    criteria = " and ".join(phrases) if len(phrases) < 3 else "; ".join(phrases[:-1])
    if len(phrases) > 2:
        criteria += f"; and {phrases[-1]}"
    return frames[wording % len(frames)].format(
        a=f"'{question.diagnosis}'",
        criteria=criteria,
        m=f"'{question.measurement}' value",
        unit=question.unit,
    )


def _phrase(criterion: Criterion, frame: int) -> str:
    form, name, low, high = criterion
    phrases = PHRASES[form]
    shown = name if form == "sex" else f"'{name}'"
    if form == "above":
        last = frame % len(phrases) == 2
        shown += " value" if last or (low == 1 and frame % len(phrases) == 0) else " values"
    return phrases[frame % len(phrases)].format(name=shown, low=low, high=high)
