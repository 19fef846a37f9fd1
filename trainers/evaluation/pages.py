"""The report of an evaluation as one page that needs nothing else: no script, font or network.

Plots are inline SVG in shares of their width, so that texts stay readable on a telephone.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from palaestra.trainers.evaluation.figures import ENDINGS
from palaestra.trainers.evaluation.formatting import percent, spanned, users_in_words
from palaestra.trainers.evaluation.parts import RATES

Figures = Mapping[str, Any]

QUARTERS = (0, 25, 50, 75, 100)
FEW = 12
"""Up to so many environments have a line of their own among the curves of pass@k."""

_HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{css}</style>
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse"
 patternTransform="rotate(45)"><path class="hatch" d="M0 0V6"/></pattern></defs></svg>
"""


def page(report: Figures) -> str:
    """The page of a report."""
    css = Path(__file__).with_name("page.css").read_text("utf-8")
    title = f"{report['model']} on {report['suite']}"
    parts = [_HEAD.format(title=escape(title), css=css), _opening(report)]
    overall = report["overall"]
    if overall is not None:
        parts += [
            _headline(report, overall),
            _glance(report),
            _levels(report),
            _passing(report, overall),
        ]
        parts += [_ended(report, overall), _calibration(overall), _rates(report)]
        parts += [_tokens(report), _table(report, overall)]
    parts += [_faults(report), _meaning(report)]
    # A number and its sign stay together.
    return "\n".join(filter(None, parts)).replace(" %", "\N{NO-BREAK SPACE}%") + "\n</html>\n"


def _opening(report: Figures) -> str:
    """Who was evaluated on what, and whether that is all of it."""
    settings = [f"{name} {value}" for name, value in report["settings"].items()]
    facts = [
        report["base_url"],
        *settings,
        f"started {report['started'][:16].replace('T', ' ')} UTC",
    ]
    facts += [f"palaestra {report['palaestra']}"]
    if users := users_in_words(report.get("users")):
        facts += [f"users: {users}"]
    listed = "".join(f"<li>{escape(str(fact))}</li>" for fact in facts if fact)
    banner = ""
    if not report["complete"]:
        done = report["overall"]["attempts"] if report["overall"] else 0
        why = f" {escape(report['stopped'])}." if report["stopped"] else ""
        banner = (
            f'<p class="banner"><strong>Not complete:</strong> {done:,} of {report["planned"]:,} '
            f"attempts.{why} The same command goes on where this one stopped.</p>"
        )
    return (
        f'<header><p class="eyebrow">Palaestra · {escape(report["suite"])}</p>'
        f"<h1>{escape(report['model'])}</h1>"
        f'<ul class="facts">{listed}</ul>{banner}</header>'
    )


def _headline(report: Figures, overall: Figures) -> str:
    """The figures that a reader looks for first."""
    success, score = overall["success"], overall["score"]
    tasks = f"{overall['tasks']:,} tasks in {_count(len(report['environments']), 'environment')}"
    boxes = [("first", "solved", percent(success and success["value"]), _between(success))]
    last = list(overall["pass_at_k"])[-1]
    if last != "1" and (passed := overall["pass_at_k"][last]):
        few = passed["tasks"] < overall["tasks"]
        over = f"; {passed['tasks']:,} of the tasks" if few else ""
        boxes.append(("", f"pass@{last}", percent(passed["value"]), _between(passed) + over))
    boxes.append(("", "mean score", percent(score and score["value"]), _between(score)))
    boxes.append(("", "attempts", f"{overall['attempts']:,}", tasks))
    if overall["unscored"]:
        low, high = overall["success_if_unscored"]
        span = f"solved lies from {percent(low)} to {percent(high)} with them"
        boxes.append(("", "unscored", f"{overall['unscored']:,}", span))
    spread = overall["tokens"]["per_attempt"]
    if spread:
        total = f"{_short(overall['tokens']['completion'])} written in all"
        boxes.append(("", "tokens an attempt", _short(spread["median"]), f"median; {total}"))
    attempts = (
        f'<div class="{css_class}"><dt>{name}</dt><dd>{value}<small>{more}</small></dd></div>'
        for css_class, name, value, more in boxes
    )
    return f'<dl class="sheet headline">{"".join(attempts)}</dl>'


def _between(interval: Figures | None) -> str:
    return (
        ""
        if interval is None
        else f"95 %: {100 * interval['low']:.1f} – {100 * interval['high']:.1f}"
    )


def _name(env: str) -> str:
    """A name that may be broken where a reader would."""
    return escape(env).replace("/", "/<wbr>").replace("_", "_<wbr>")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _short(number: float) -> str:
    """A number of up to four signs.

    >>> [_short(n) for n in (7, 950.4, 12_345, 1_234_567, 2.5e9)]
    ['7', '950', '12.3k', '1.23M', '2.5G']
    """
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size * 9.995 or (number >= size and unit != "k"):
            return f"{number / size:.3g}{unit}"
    return f"{number:,.0f}"


# ------------------------------------------------------------------ success


def _glance(report: Figures) -> str:
    """Environments, the best first, each with its interval."""
    known = [env for env in report["environments"] if env["success"]]
    if len(known) < 2:
        return ""
    known.sort(key=lambda env: -env["success"]["value"])
    rows = "".join(
        f'<span class="name">{_name(env["env"])}</span>'
        f'<span class="plot">{_track(env["env"], env["success"], None, 20)}</span>'
        f'<span class="num">{_number(env["success"])}</span>'
        for env in known
    )
    scale = f'<span class="name"></span><span class="plot">{_scale()}</span><span></span>'
    note = "All levels together. The dot is the share of attempts that solved their task; the bar, "
    note += "its 95 % interval."
    return _section("Success by environment", note, f'<div class="sheet rows">{rows}{scale}</div>')


def _levels(report: Figures) -> str:
    """A card for each environment, with a row for each level."""
    cards = []
    for env in report["environments"]:
        rows = "".join(
            f'<span class="name">{escape(level["cell"])}</span>'
            f"<span>{_track(level['cell'], level['success'], level['no_skill'], 16)}</span>"
            f'<span class="num">{_number(level["success"])}</span>'
            for level in env["levels"]
        )
        number = f"{_count(env['tasks'], 'task')}, {_count(env['attempts'], 'attempt')}"
        cards.append(
            f'<article class="sheet"><div class="head"><h3>{_name(env["env"])}</h3>'
            f'<span class="num soft">{number}</span></div>'
            f'<div class="rows tight">{rows}<span></span>{_scale()}<span></span></div></article>'
        )
    note = "Levels count from 0, the easiest. The upright stroke is what is earned without skill: "
    note += "by the best of several players who do not think, or by a blind guess."
    return _section("Success by level", note, f'<div class="cards">{"".join(cards)}</div>')


def _track(name: str, share: Figures | None, no_skill: float | None, height: int) -> str:
    """A share and its interval, on a track from 0 to 100 %."""
    middle, thick = height / 2, 6
    parts = [
        f'<rect class="track" width="100%" y="{middle - thick / 2}" height="{thick}" rx="3"/>',
        *(f'<line class="grid" x1="{x}%" x2="{x}%" y1="1" y2="{height - 1}"/>' for x in QUARTERS),
    ]
    if share is not None:
        low, high = 100 * share["low"], 100 * share["high"]
        parts.append(
            f'<rect class="span" x="{low:.2f}%" width="{high - low:.2f}%" '
            f'y="{middle - thick / 2}" height="{thick}" rx="3"/>'
        )
    if no_skill is not None:
        x = f"{100 * no_skill:.2f}%"
        parts.append(f'<line class="skill" x1="{x}" x2="{x}" y1="2" y2="{height - 2}"/>')
    if share is not None:
        parts.append(
            f'<circle class="dot" cx="{100 * share["value"]:.2f}%" cy="{middle}" r="4.5"/>'
        )
    label = f"{name}: {spanned(share)}"
    return _svg(height, label, parts)


def _svg(height: int, label: str, parts: Iterable[str]) -> str:
    return (
        f'<svg width="100%" height="{height}" role="img" aria-label="{escape(label)}">'
        f"<title>{escape(label)}</title>{''.join(parts)}</svg>"
    )


def _scale() -> str:
    marks = "".join(f"<span>{quarter}{' %' if quarter else ''}</span>" for quarter in QUARTERS)
    return f'<span class="scale">{marks}</span>'


def _number(share: Figures | None) -> str:
    if share is None:
        return '<span class="soft">not scored</span>'
    low, high = round(100 * share["low"]), round(100 * share["high"])
    value = f"{100 * share['value']:.0f} %"
    return f'{value} <span class="soft">{low} – {high}</span>'


# ------------------------------------------------------------------ pass@k


def _passing(report: Figures, overall: Figures) -> str:
    """The chance of success in several attempts, as a curve."""
    ks = [int(k) for k in overall["pass_at_k"] if overall["pass_at_k"][k]]
    if len(ks) < 2:
        return ""
    places = {k: 100 * math.log2(k) / math.log2(ks[-1]) for k in ks}
    curve = overall["pass_at_k"]
    lines = [f'<line class="grid" x1="0" x2="100" y1="{y}" y2="{y}" {_STILL}/>' for y in QUARTERS]
    upper = [(places[k], curve[str(k)]["high"]) for k in ks]
    lower = [(places[k], curve[str(k)]["low"]) for k in reversed(ks)]
    lines.append(f'<polygon class="band" points="{_points([*upper, *lower])}"/>')
    if 1 < len(report["environments"]) <= FEW:
        lines += [_line(env, ks, places) for env in report["environments"]]
    whole = [(places[k], curve[str(k)]["value"]) for k in ks]
    lines.append(f'<polyline class="line" points="{_points(whole)}" {_STILL}/>')
    lines += [
        f'<path class="point" d="M{x:.2f} {100 - 100 * y:.2f}h.01" {_STILL}/>' for x, y in whole
    ]
    labels = [f'<span class="y" style="bottom:{y}%">{y} %</span>' for y in QUARTERS]
    labels += [f'<span class="x" style="left:{places[k]:.1f}%">k = {k}</span>' for k in ks]
    for n, (x, y) in enumerate(whole):
        anchor = "begin" if n == 0 else "last" if n == len(whole) - 1 else ""
        style = f"left:{x:.1f}%;bottom:{100 * y:.1f}%"
        labels.append(f'<span class="at {anchor}" style="{style}">{percent(y)}</span>')
    svg = (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" '
        f'aria-label="pass@k for k up to {ks[-1]}">{"".join(lines)}</svg>'
    )
    note = "The chance that one of k attempts at a task solves it, by the unbiased estimator of "
    note += "Chen et al. 2021, with its 95 % interval."
    if 1 < len(report["environments"]) <= FEW:
        note += " Thin lines are environments; their numbers are in the table below."
    return _section(
        "pass@k",
        note,
        f'<div class="sheet"><div class="curve">{svg}{"".join(labels)}</div></div>',
    )


_STILL = 'vector-effect="non-scaling-stroke"'


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{100 - 100 * y:.2f}" for x, y in places)


def _line(env: Figures, ks: Sequence[int], places: Mapping[int, float]) -> str:
    known = [k for k in ks if env["pass_at_k"][str(k)]]
    points = _points([(places[k], env["pass_at_k"][str(k)]["value"]) for k in known])
    return (
        f'<polyline class="other" points="{points}" {_STILL}>'
        f"<title>{escape(env['env'])}</title></polyline>"
    )


# ------------------------------------------------------------------ endings, tokens


def _ended(report: Figures, overall: Figures) -> str:
    """How attempts ended, as bars that are parted."""
    known = [name for name in ENDINGS if name in overall["endings"]]
    key = "".join(
        f'<li><svg width="12" height="12"><rect class="{name}" width="12" height="12" rx="2"/>'
        f"</svg>{name.replace('_', ' ')} {overall['endings'][name]:,}</li>"
        for name in known
    )
    rows = "".join(
        f'<span class="name">{_name(env["env"])}</span>'
        f'<span class="plot">{_bar(env)}</span><span class="num soft">{env["attempts"]:,}</span>'
        for env in report["environments"]
    )
    note = "No answer: nothing was marked as one. Malformed: an answer that cannot be read. Limit: "
    note += (
        "too long, or too many turns. Unscored: the endpoint or the judge failed; such attempts "
    )
    note += "are in none of the other figures."
    if overall["truncated"]:
        cut = _count(overall["truncated"], "attempt")
        note += f" In {cut}, a reply was cut off where its tokens ran out."
    body = f'<ul class="key">{key}</ul><div class="sheet rows">{rows}</div>'
    return _section("How attempts ended", note, body)


def _bar(env: Figures) -> str:
    """The endings of an environment's attempts, side by side."""
    parts, at = [], 0.0
    for name in ENDINGS:
        if number := env["endings"].get(name, 0):
            share = 100 * number / env["attempts"]
            parts.append(
                f'<rect class="{name}" x="{at:.3f}%" width="{share:.3f}%" height="16">'
                f"<title>{name.replace('_', ' ')}: {number:,}</title></rect>"
            )
            at += share
    label = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in env["endings"].items())
    return _svg(16, f"{env['env']}: {label}", parts)


def _calibration(overall: Figures) -> str:
    """How often answers of each confidence are right."""
    calibrated = overall.get("calibration")
    if not calibrated:
        return ""
    rows = "".join(
        f'<span class="name">{100 * row["low"]:.0f} – {100 * row["high"]:.0f} %</span>'
        f'<span class="plot">{_track("correct", row["correct"], row["confidence"], 20)}</span>'
        f'<span class="num">{_number(row["correct"])} '
        f'<span class="soft">of {_count(row["attempts"], "attempt")}</span></span>'
        for row in calibrated["bins"]
    )
    scale = f'<span class="name"></span><span class="plot">{_scale()}</span><span></span>'
    note = "Rows are bins of stated confidences. The dot is the share of right answers, with its "
    note += "95 % interval; the upright stroke is the mean confidence, which it is equal to if "
    note += f"confidences are calibrated. Calibration error {percent(calibrated['error'])}, Brier "
    note += f"score {spanned(calibrated['brier'])}, mean confidence "
    note += f"{percent(calibrated['confidence'])}, correct {spanned(calibrated['correct'])}."
    if calibrated["unstated"]:
        note += f" {_count(calibrated['unstated'], 'attempt')} without a confidence."
    return _section("Calibration", note, f'<div class="sheet rows">{rows}{scale}</div>')


def _rates(report: Figures) -> str:
    """How often answers are right and texts follow their rules, apart and together."""
    constrained = [env for env in report["environments"] if env.get("constrained")]
    if not constrained:
        return ""
    cards = []
    for env in constrained:
        rows = "".join(
            f'<span class="name">{name}</span>'
            f"<span>{_track(name, env['constrained'][name], None, 16)}</span>"
            f'<span class="num">{_number(env["constrained"][name])}</span>'
            for name in RATES
        )
        number = _count(env["constrained"]["attempts"], "attempt")
        cards.append(
            f'<article class="sheet"><div class="head"><h3>{_name(env["env"])}</h3>'
            f'<span class="num soft">{number}</span></div>'
            f'<div class="rows tight">{rows}<span></span>{_scale()}<span></span></div></article>'
        )
    note = "The shares of right answers, of texts that follow all rules, of rules that are "
    note += "followed, and of attempts with both a right answer and such a text."
    return _section("Answers with a text", note, f'<div class="cards">{"".join(cards)}</div>')


def _tokens(report: Figures) -> str:
    """How much was written for an attempt."""
    known = [env for env in report["environments"] if env["tokens"]["per_attempt"]]
    if not known:
        return ""
    most = max(env["tokens"]["per_attempt"]["p90"] for env in known) or 1
    rows = []
    for env in known:
        spread = env["tokens"]["per_attempt"]
        middle, ninth = (100 * spread[key] / most for key in ("median", "p90"))
        parts = [
            '<rect class="track" width="100%" y="4" height="8" rx="2"/>',
            f'<rect class="span" width="{middle:.2f}%" y="4" height="8" rx="2"/>',
            f'<line class="whisker" x1="{middle:.2f}%" x2="{ninth:.2f}%" y1="8" y2="8"/>',
            f'<line class="whisker" x1="{ninth:.2f}%" x2="{ninth:.2f}%" y1="4" y2="12"/>',
        ]
        label = f"{env['env']}: median {spread['median']:,.0f}, p90 {spread['p90']:,.0f} tokens"
        rows.append(
            f'<span class="name">{_name(env["env"])}</span>'
            f'<span class="plot">{_svg(16, label, parts)}</span>'
            f'<span class="num">{_short(spread["median"])} '
            f'<span class="soft">– {_short(spread["p90"])}</span></span>'
        )
    whole = report["overall"]["tokens"]
    note = "Written for an attempt, all turns together, as the endpoint counts them: the bar is "
    note += "the median, the stroke reaches to what nine tenths do not exceed. In all, "
    note += f"{whole['prompt']:,} tokens were read and {whole['completion']:,} written"
    note += f", {whole['reasoning']:,} of them as thoughts." if whole["reasoning"] else "."
    return _section("Tokens", note, f'<div class="sheet rows">{"".join(rows)}</div>')


# ------------------------------------------------------------------ tables and words


def _table(report: Figures, overall: Figures) -> str:
    """Every figure, for those who look one up."""
    ks = [k for k in overall["pass_at_k"] if k != "1"]
    heads = ["", "success", "mean score", *(f"pass@{k}" for k in ks)]
    heads += ["tasks", "attempts", "unscored", "turns", "tokens", "seconds", "no skill"]
    rows = [_row("env", "all", overall, ks)]
    for env in report["environments"]:
        rows.append(_row("env", env["env"], env, ks))
        rows += [_row("", level["cell"], level, ks) for level in env["levels"]]
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    note = "Intervals are in brackets. Tokens and seconds are medians of an attempt."
    return _section("All figures", note, f'<div class="sheet wide" tabindex="0">{body}</div>')


def _row(css_class: str, name: str, row: Figures, ks: Sequence[str]) -> str:
    spread, seconds = row["tokens"]["per_attempt"], row["seconds"]
    cells = [spanned(row["success"]), spanned(row["score"])]
    cells += [spanned(row["pass_at_k"][k]) for k in ks]
    cells += [f"{row[key]:,}" for key in ("tasks", "attempts", "unscored")]
    cells.append("–" if row["turns"] is None else f"{row['turns']:.1f}")
    cells.append(f"{spread['median']:,.0f}" if spread else "–")
    cells.append(f"{seconds['median']:.2f}" if seconds else "–")
    cells.append(percent(row["no_skill"]) if "no_skill" in row else "")
    row_cells = "".join(f"<td>{cell}</td>" for cell in cells)
    head = f'<td class="{"" if css_class else "cell"}">{escape(name)}</td>'
    return f'<tr class="{css_class}">{head}{row_cells}</tr>'


def _faults(report: Figures) -> str:
    """Why attempts could not be scored."""
    if not report["faults"]:
        return ""
    rows = "".join(
        f'<li><span class="num">{fault["attempts"]:,} ×</span>{escape(fault["reason"])}</li>'
        for fault in report["faults"]
    )
    note = "None of these counts as a failure of the model."
    return _section("Unscored", note, f'<ul class="sheet faults">{rows}</ul>')


def _meaning(report: Figures) -> str:
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>"
        for name, meaning in report["method"].items()
    )
    return _section("What the numbers mean", "", f'<dl class="sheet meaning">{rows}</dl>')


def _section(title: str, note: str, body: str) -> str:
    intro = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{title}</h2>{intro}{body}</section>"
