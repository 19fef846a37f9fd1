"""Multiple choice: which options an answer names is known from how it is written."""

import random
from collections.abc import Iterator

from benchmarks.error_rates.cases import Case, joined

from palaestra.verifiers.choices import Choice, Choices

POOLS = [
    ["Paris", "London", "Rome", "Madrid", "Vienna", "Oslo", "Riga", "Athens"],
    ["12", "-12", "1.2", "120", "21", "0", "144", "1/2"],
    ["a dog", "a cat", "the moon", "an apple", "a bee", "the sun", "a door", "an owl"],
    ["It rises.", "It falls.", "It stays the same.", "It cannot be known.", "It doubles."],
    ["oxidation of iron", "reduction of copper", "hydrolysis", "fermentation", "combustion"],
    ["$x^2 + 1$", "$x^2 - 1$", "$2x$", "$\\frac{1}{x}$", "$x$"],
    ["True, because A implies B", "False, because B implies A", "It depends on C", "Neither is"],
]


def naming(label: str, text: str) -> dict[str, str]:
    """Ways to name one option."""
    return {
        "letter": label,
        "small letter": label.lower(),
        "letter with a stop": f"{label}.",
        "letter in brackets": f"({label})",
        "letter with a bracket": f"{label})",
        "bold letter": f"**{label}**",
        "letter in square brackets": f"[{label}]",
        "letter in LaTeX": rf"$\text{{{label}}}$",
        "letter in brackets in LaTeX": rf"$\textbf{{({label})}}$",
        "option": f"Option {label}",
        "choice": f"choice ({label})",
        "answer is": f"The answer is {label}.",
        "correct answer is": f"The correct answer is ({label}).",
        "best answer is, bold": f"The best answer is **{label}**.",
        "correct option": f"The correct option is {label}",
        "answer colon": f"Answer: {label}",
        "final answer colon": f"Final answer: {label}",
        "I choose": f"I choose {label}",
        "is correct": f"{label} is correct.",
        "option is correct": f"Option {label} is correct",
        "it is": f"It is {label}.",
        "so the answer is": f"So the answer is {label}",
        "therefore": f"Therefore, the correct answer is option {label}.",
        "quoted letter": f'"{label}"',
        "letter and text": f"{label}. {text}",
        "bracketed letter and text": f"({label}) {text}",
        "letter, bracket, text": f"{label}) {text}",
        "letter, colon, text": f"{label}: {text}",
        "letter, dash, text": f"{label} \u2013 {text}",
        "bold letter and text": f"**{label}. {text}**",
        "bold letter, text": f"**{label}** {text}",
        "answer is, with text": f"The answer is ({label}) {text}",
        "correct answer, with text": f"The correct answer is {label}: {text}",
        "text": text,
        "bold text": f"**{text}**",
        "text and letter": f"{text} ({label})",
        "letter on its line": f"{label}\n{text}",
    }


def hedges(labels: list[str], texts: list[str], right: int, rng: random.Random) -> dict[str, str]:
    """Answers that name no option, several, or contradict themselves."""
    other = rng.choice([n for n in range(len(labels)) if n != right])
    good, bad = labels[right], labels[other]
    return {
        "two letters": f"{good} or {bad}",
        "two letters with and": f"{good} and {bad}",
        "either": f"Either {good} or {bad}",
        "list of letters": f"{good}, {bad}",
        "letter with another's text": f"{good}) {texts[other]}",
        "text with another's letter": f"{bad}) {texts[right]}",
        "denied letter": f"not {good}",
        "denial in words": f"{good} is wrong",
        "corrected": f"{good}? No, {bad}",
        "letters run together": good + bad,
        "all options": ", ".join(labels),
        "none": "none of the above",
        "another wording": f"I like {texts[right]} but it is {bad}",
        "unlike": f"anything but {good}",
    }


def cases(rng: random.Random) -> Iterator[Case]:
    """One option, and several."""
    while True:
        pool = rng.choice(POOLS)
        texts = rng.sample(pool, rng.randint(3, min(5, len(pool))))
        labels = list("ABCDE"[: len(texts)])
        right = rng.randrange(len(texts))
        verifier = Choice(labels[right], tuple(texts))
        ways = naming(labels[right], texts[right])
        for form in rng.sample(sorted(ways), 5):
            yield Case(form, verifier, ways[form], right=True)
        other = rng.choice([n for n in range(len(texts)) if n != right])
        ways = naming(labels[other], texts[other])
        for form in rng.sample(sorted(ways), 3):
            yield Case("another option", verifier, ways[form], right=False)
        amiss = hedges(labels, texts, right, rng)
        for form in rng.sample(sorted(amiss), 3):
            yield Case(form, verifier, amiss[form], right=False)
        yield from _several(rng, labels, texts)


def _several(rng: random.Random, labels: list[str], texts: list[str]) -> Iterator[Case]:
    gold = set(rng.sample(labels, rng.randint(2, len(labels) - 1)))
    several = Choices(frozenset(gold), tuple(texts))
    for _ in range(4):
        chosen = (
            gold if rng.random() < 0.6 else set(rng.sample(labels, rng.randint(1, len(labels))))
        )
        names = rng.sample(sorted(chosen), len(chosen))
        forms = {
            "letters, commas": ", ".join(names),
            "letters, and": joined(names),
            "letters run together, several": "".join(sorted(names)),
            "letters in brackets": ", ".join(f"({name})" for name in names),
            "letters on lines": "\n".join(names),
            "letters in square brackets": "[" + ", ".join(names) + "]",
            "JSON list": "[" + ", ".join(f'"{name}"' for name in names) + "]",
            "letters and texts on lines": "\n".join(
                f"{name}) {texts[labels.index(name)]}" for name in names
            ),
            "answers are": f"The correct answers are {joined(names)}.",
            "options": f"Options {joined(names)}",
        }
        form, answer = rng.choice(sorted(forms.items()))
        yield Case(form if chosen == gold else "another set", several, answer, chosen == gold)
