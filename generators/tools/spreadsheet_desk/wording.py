"""Requests about a workbook in words."""

from collections.abc import Sequence

from palaestra.generators.tools.spreadsheet_desk.requests import Condition, Request

FRAMES = {
    "repair": (
        ("On the sheet {sheet}, one row of '{column}' is not computed like the others. Repair it."),
        (
            "Somebody has spoilt a formula: a cell in '{column}' on {sheet} differs from the rest "
            "of its column. Put it right."
        ),
        (
            "In '{column}' on {sheet}, one cell has something else than the formula of the column. "
            "Please correct that cell."
        ),
        "Make the column '{column}' of {sheet} consistent: one of its cells is wrong.",
        (
            "The sheet {sheet} has one wrong entry in its computed column '{column}'; restore the "
            "formula."
        ),
    ),
    "total": (
        "Beside '{label}' on the sheet {summary}, enter a formula for {total}.",
        "We need {total}, as a formula next to '{label}' on {summary}.",
        "On {summary}, the cell to the right of '{label}' should compute {total}.",
        (
            "Please add a formula that gives {total}; its cell is the one beside '{label}' on "
            "{summary}."
        ),
        "{total}: have that computed right of '{label}' on {summary}.",
    ),
    "column": (
        (
            "Add a column '{column}' to {sheet}, directly right of the last one, with a formula in "
            "each row that gives {result}."
        ),
        (
            "{sheet} gets a new last column with the header '{column}'; for each row it computes "
            "{result}."
        ),
        (
            "Right after the last column of {sheet}, put one called '{column}' whose formula gives "
            "{result} of the same row."
        ),
        (
            "For every row of {sheet} we want {result}, by formula, in a new column '{column}', "
            "after the last one."
        ),
        "Extend the table on {sheet} to the right by '{column}'; each row has to compute {result}.",
    ),
    "insert": (
        (
            "On {sheet}, insert a row directly below the one of {key}, with {row}. All formulas "
            "of the table continue in it."
        ),
        "A row is missing on {sheet}, right below {key}: {row}. Insert it, formulas included.",
        (
            "Directly after the row of {key}, {sheet} needs a new row with {row}; its computed "
            "columns are like those of the other rows."
        ),
        (
            "Insert, with the formulas that all rows have, a row into {sheet} that has {row}. Its "
            "position is directly below {key}."
        ),
        (
            "New entry for {sheet}, in a row of its own just below {key}: {row}. Computed columns "
            "have their formulas there, too."
        ),
    ),
    "set": (
        "On {sheet}, set '{column}' to {value} in all rows where {conditions}.",
        "The '{column}' of every row on {sheet} where {conditions} should be {value}.",
        "Enter {value} as '{column}' for each row of {sheet} where {conditions}.",
        "Wherever on {sheet} {conditions}, change '{column}' to {value}.",
        "Rows of {sheet} where {conditions} get the '{column}' {value}.",
    ),
    "move": (
        "Move all rows of {sheet} where {conditions} to the end of the sheet {target}.",
        "The rows where {conditions} leave {sheet}: append them to {target}.",
        (
            "To {target}, below its last row, move whatever rows of {sheet} there are where "
            "{conditions}."
        ),
        "Wherever on {sheet} {conditions}, the row has to go to the end of {target}.",
        "Take the rows where {conditions} from {sheet} and append them to the table on {target}.",
    ),
    "delete": (
        "Delete all rows of {sheet} where {conditions}.",
        "Remove from {sheet} each row where {conditions}.",
        "The rows where {conditions} are not needed on {sheet} any more; delete them.",
        "Wherever on {sheet} {conditions}, delete the row.",
        "{sheet} should have no row left where {conditions}; remove those.",
    ),
    "sort": (
        "Sort the rows of {sheet} by '{column}', {order}.",
        "On {sheet}, bring the rows into the order of '{column}', {order}.",
        "Order the table on {sheet} by its column '{column}', {order}.",
        "The rows of {sheet} should stand by '{column}', {order}.",
        "By '{column}', {order}: sort the rows of {sheet} that way.",
    ),
}
"""Several ways to put each type of request."""

FUNCTIONS = {
    "SUM": "the sum of '{column}' over all rows of {sheets}",
    "AVERAGE": "the average of '{column}' over all rows of {sheets}",
    "MAX": "the largest '{column}' of all rows of {sheets}",
    "MIN": "the smallest '{column}' of all rows of {sheets}",
    "COUNTIF": "the number of rows of {sheets} where {conditions}",
    "SUMIF": "the sum of '{column}' over the rows of {sheets} where {conditions}",
}

RESULTS = {
    "+": "'{0}' plus '{1}'",
    "-": "'{0}' minus '{1}'",
    "*": "'{0}' times '{1}'",
    "IF": "the text {2} if '{0}' is {1} or more, and otherwise the text {3}",
}


def requests_in_words(requests: Sequence[Request], summary: str, wording: int) -> str:
    """The numbered requests; a wording selects a frame for each."""
    return "\n".join(
        f"Request {number}: {in_words(request, summary, wording // number + number)}"
        for number, request in enumerate(requests, 1)
    )


def in_words(request: Request, summary: str, frame: int) -> str:
    """A request in one of the frames for its type."""
    frames = FRAMES[request.action]
    conditions = conditions_in_words(request.conditions)
    text = frames[frame % len(frames)].format(
        sheet=request.sheet,
        column=request.column,
        label=request.label,
        summary=summary,
        key=request.key,
        value=f"'{request.value}'",
        target=request.target,
        conditions=conditions,
        total=_total(request, conditions),
        result=_result(request),
        row=", ".join(f"'{name}' {value}" for name, value in request.row),
        order="from high to low" if request.descending else "from low to high",
    )
    return text[0].upper() + text[1:]


def conditions_in_words(conditions: Sequence[Condition]) -> str:
    """Conditions on a row."""
    texts = []
    for column, operator, value in conditions:
        if operator == "is":
            texts.append(f"'{column}' is '{value}'")
        else:
            texts.append(f"'{column}' is {operator} {value}")
    return " and ".join(texts)


def _total(request: Request, conditions: str) -> str:
    if request.action != "total":
        return ""
    sheets = " and ".join(request.sheets)
    if len(request.sheets) > 1:
        sheets += " together"
    return FUNCTIONS[request.function].format(
        column=request.column, sheets=sheets, conditions=conditions
    )


def _result(request: Request) -> str:
    if request.action != "column":
        return ""
    words = request.value.split("/") if request.value else ("", "")
    return RESULTS[request.function].format(*request.operands, *words)
