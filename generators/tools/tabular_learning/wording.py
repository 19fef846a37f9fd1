"""The task in words."""

OPENINGS = (
    "Learn from a table to predict the column '{target}' of another one.",
    "Predict '{target}' for the rows of a test table, after a training table that has it.",
    (
        "A training table has the result '{target}' and a test table does not: predict "
        "what is missing."
    ),
    (
        "For each row of a test table '{target}' is wanted; a training table shows how it "
        "depends on the other columns."
    ),
    "Build a predictor of '{target}' from a training table, and apply it to a test table.",
)

LEAKS = (
    (
        "In the training table '{leak}' was filled in after '{target}' was known; in the "
        "test table its values tell nothing."
    ),
    (
        "Beware of '{leak}': in the training table it was entered after '{target}' was known, "
        "and in the test table it belongs to other rows."
    ),
    (
        "In the test table '{leak}' has been shuffled; in the training table it was derived from "
        "'{target}'."
    ),
)


def opening(target: str, leak: str, wording: int) -> str:
    """What is to be predicted, and what must not be relied on."""
    text = OPENINGS[wording % 5].format(target=target)
    if leak:
        text += f" {LEAKS[wording // 5 % 3].format(leak=leak, target=target)}"
    return text
