"""Forms in which models write numbers, expressions, polynomials, probabilities, times and dates."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction

from palaestra.verifiers.expressions import second_opinion

Forms = Iterator[tuple[str, str]]

_FRACTION = re.compile(r"-?\d+/[1-9]\d*", re.ASCII)
_CHANCE = re.compile(r"(\d+)(?:/([1-9]\d*))?", re.ASCII)
_CLOCK = re.compile(r"\d+:\d\d(?::\d\d)?", re.ASCII)
_QUOTIENT = re.compile(r"(?<![\w/)])(\d+)/(\d+)(?![\w/(])", re.ASCII)
_POWER = re.compile(r"\^(\d+)", re.ASCII)
_WEEKDAY_AND_DATE = re.compile(r"([A-Z][a-z]+day) (\d{4})-(\d\d)-(\d\d)", re.ASCII)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def of(answer_type: str, answer: str) -> Forms:
    """Forms of an answer of one of the types that this module has forms for."""
    if forms := _BY_TYPE.get(answer_type):
        yield from forms(answer)


def equal_values(text: str) -> Forms:
    """Forms of a fraction with an equal or a rounded value behind it, and of a mixed number."""
    if not _FRACTION.fullmatch(text) or (value := Fraction(text)).denominator == 1:
        return
    if len(decimal := finite_decimal(value)) < 12:
        yield "equal decimal", f"{text} = {decimal}" if decimal else text
    yield "equal fraction", f"{2 * value.numerator}/{2 * value.denominator} = {text}"
    if abs(value) < 10**6:
        yield "rounded", f"{text} \u2248 {float(value):.4f}"
        yield "LaTeX rounded", f"{text} \\approx {float(value):.4f}"
    if abs(value) > 1:
        whole, rest = divmod(abs(value), 1)
        sign = "-" * (value < 0)
        yield "mixed number", f"{sign}{whole} {rest}"
        frac = f"\\frac{{{rest.numerator}}}{{{rest.denominator}}}"
        yield "LaTeX mixed number", f"{sign}{whole}{frac}"


def finite_decimal(value: Fraction) -> str:
    """A fraction as a decimal, or "" where that has no end.

    >>> finite_decimal(Fraction(-3, 8)), finite_decimal(Fraction(1, 3))
    ('-0.375', '')
    """
    for places in range(1, 12):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled)).rjust(places + 1, "0")
            return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"
    return ""


def expressions(text: str) -> Forms:
    """Forms of expressions of numbers."""
    yield "cross", text.replace("*", "\u00d7")
    yield "dot", text.replace("*", "\u00b7")
    yield "LaTeX cross", text.replace("*", "\\times").replace("/", "\\div")
    yield "LaTeX dot", text.replace("*", "\\cdot")
    yield "division sign", text.replace("/", "\u00f7")
    yield "minus sign", text.replace("-", "\u2212")
    yield "LaTeX brackets", text.replace("(", "\\left(").replace(")", "\\right)")
    yield "square brackets", text.replace("(", "[").replace(")", "]")
    yield "LaTeX fractions", _QUOTIENT.sub(r"\\frac{\1}{\2}", text)
    yield "value behind", "\n".join(map(_with_value, text.split("\n")))


def _with_value(line: str) -> str:
    """An expression with its value behind an equals sign; any other line as it is."""
    result = second_opinion(line.partition(": ")[2] or line)
    return line if result is None else f"{line} = {result.value}"


def polynomials(text: str) -> Forms:
    """Forms of polynomials and functions of x."""
    yield "braces", _POWER.sub(r"^{\1}", text)
    yield "two stars", text.replace("^", "**")
    yield "raised digits", _POWER.sub(lambda power: power[1].translate(_RAISED), text)
    yield "LaTeX dot", text.replace("*", " \\cdot ")
    yield "LaTeX cross", text.replace("*", " \\times ")
    yield "dot", text.replace("*", "\u00b7")
    yield "minus sign", text.replace("-", "\u2212")
    yield "LaTeX fractions", _QUOTIENT.sub(r"\\frac{\1}{\2}", text)
    names = re.sub(r"(exp|sin|cos)\(", r"\\\1\\left(", text)
    yield "LaTeX functions", names.replace(")", "\\right)") if names != text else text
    if "\n" not in text:
        yield "named", f"F(x) = {text}"
        yield "named y", f"y = {text}"


def products(text: str) -> Forms:
    """Forms of factorisations."""
    yield "braces", _POWER.sub(r"^{\1}", text)
    yield "two stars", text.replace("^", "**")
    yield "raised digits", _POWER.sub(lambda power: power[1].translate(_RAISED), text)
    for name, sign in {"cross": "\u00d7", "dot": "\u00b7", "LaTeX cross": "\\times"}.items():
        yield name, text.replace("*", sign)
    yield "LaTeX dot and braces", _POWER.sub(r"^{\1}", text).replace("*", "\\cdot")
    yield "no spaces", text.replace(" ", "")
    if (result := second_opinion(text)) is not None:
        yield "number in front", f"{result.value} = {text}"
        yield "number behind", f"{text} = {result.value}"


def probabilities(text: str) -> Forms:
    """Forms of probabilities."""
    match = _CHANCE.fullmatch(text)
    if not match:
        return
    above, below = match.groups()
    yield "in", f"{above} in {below or 1}"
    yield "out of", f"{above} out of {below or 1}"
    yield "named", f"P = {text}"
    yield "event", f"P(A) = {text}"
    value = Fraction(text)
    yield "rounded percentage", f"{text} \u2248 {100 * float(value):.4f}%"
    yield "rounded in brackets", f"{text} (\u2248 {float(value):.4f})"
    percent = str(100 * value) if (100 * value).denominator == 1 else finite_decimal(100 * value)
    if percent:
        yield "percentage", f"{percent}%"
        yield "LaTeX percentage", f"{percent}\\%"
        yield "equal percentage", f"{text} = {percent}%"
        yield "percentage in brackets", f"{text} ({percent}%)"


def durations(text: str) -> Forms:
    """Forms of durations."""
    if not _CLOCK.fullmatch(text):
        return
    hours, minutes, *seconds = (int(part) for part in text.split(":"))
    for name, units in {
        "words": (" hours", " minutes", " seconds"),
        "short": (" h", " min", " s"),
        "letters": ("h", "m", "s"),
    }.items():
        values = (hours, minutes, *seconds)
        parts = [f"{value}{unit}" for value, unit in zip(values, units)]
        yield name, " ".join(parts)
        yield f"{name} with commas", ", ".join(parts)
        yield f"{name} with and", f"{' '.join(parts[:-1])} and {parts[-1]}"
    yield "hours", f"{text} hours"
    if not seconds:
        yield "no seconds", f"{text}:00"


def dates(text: str) -> Forms:
    """Forms of a weekday with a date."""
    match = _WEEKDAY_AND_DATE.fullmatch(text)
    if not match:
        return
    weekday, year, iso = match[1], match[2], text.removeprefix(f"{match[1]} ")
    month, day = f"{date(2000, int(match[3]), 1):%B}", int(match[4])
    yield "weekday in brackets", f"{iso} ({weekday})"
    yield "weekday behind", f"{iso}, {weekday}"
    yield "comma", f"{weekday}, {iso}"
    yield "slashes", f"{weekday} {iso.replace('-', '/')}"
    yield "words", f"{weekday}, {day} {month} {year}"
    yield "month first", f"{weekday}, {month} {day}, {year}"
    yield "ordinal", f"{weekday} the {day}th of {month} {year}"
    yield "short names", f"{weekday[:3]} {day} {month[:3]} {year}"
    yield "labels", f"Date: {iso}\nWeekday: {weekday}"
    yield "capitals", text.upper()


def matrices(text: str) -> Forms:
    """Forms of a matrix of numbers."""
    rows = [line.split() for line in text.split("\n")]
    if len(rows) < 2:
        return
    for name, left, right in (("round", "(", ")"), ("braces", "{", "}")):
        inner = ", ".join(f"{left}{', '.join(row)}{right}" for row in rows)
        yield f"nested {name}", f"{left}{inner}{right}"
    yield "semicolons in brackets", f"[{'; '.join(' '.join(row) for row in rows)}]"
    yield "named", f"A = [{', '.join(f'[{chr(44).join(row)}]' for row in rows)}]"
    latex = " \\\\ ".join(" & ".join(row) for row in rows)
    yield "LaTeX rows", latex
    yield "named LaTeX", f"AB = \\begin{{bmatrix}} {latex} \\end{{bmatrix}}"
    yield "bars around", "\n".join(f"|{' '.join(row)}|" for row in rows)


_BY_TYPE: dict[str, Callable[[str], Forms]] = {
    "expression": expressions,
    "polynomial": polynomials,
    "product": products,
    "probability": probabilities,
    "duration": durations,
    "date": dates,
    "matrix": matrices,
}
