"""The report of an evaluation: all figures as plain values, in Markdown, and as a page."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from palaestra.catalog import catalog
from palaestra.trainers import spoken_users
from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.figures import ENDINGS, METHOD, figures, ks_of
from palaestra.trainers.evaluation.formatting import percent, spanned, users_in_words
from palaestra.trainers.evaluation.pages import page
from palaestra.trainers.evaluation.parts import METHOD_OF_CALIBRATION, METHOD_OF_RATES, RATES

FAULTS = 12
"""How many reasons for unscored attempts are listed."""


def report(
    manifest: Mapping[str, Any], attempts: Iterable[Attempt], planned: int, stopped: str = ""
) -> dict[str, Any]:
    """All figures: of the whole, of each environment, and of each of its levels."""
    finished = sorted(attempts, key=lambda each: (each.env, each.level, each.cell, each.key))
    ks = ks_of(int(manifest["samples"]))
    overall = figures(finished, ks) if finished else None
    same = manifest["same"]
    return {
        "format": 1,
        "model": same["model"],
        "suite": manifest["suite"],
        "suite_digest": same["suite"],
        "base_url": manifest["base_url"],
        "settings": {**same["settings"], **_unusual_settings(same)},
        "scaffold": scaffold_of(manifest),
        "fingerprints": same.get("fingerprints", {}),
        "samples": manifest["samples"],
        "palaestra": manifest["palaestra"],
        "started": manifest["started"],
        "reported": datetime.now(UTC).isoformat(timespec="seconds"),
        "planned": planned,
        "complete": len(finished) >= planned,
        "stopped": stopped,
        **_of_users(same, finished),
        "overall": overall,
        "environments": [_environment(env, own, ks) for env, own in _by(finished, "env").items()],
        "faults": _faults(finished),
        "method": METHOD | _method_of_parts(overall or {}),
    }


def _method_of_parts(overall: Mapping[str, Any]) -> dict[str, str]:
    """What those figures mean that only some environments have."""
    calibrated = METHOD_OF_CALIBRATION if overall.get("calibration") else {}
    return calibrated | (METHOD_OF_RATES if overall.get("constrained") else {})


def _of_users(same: Mapping[str, Any], attempts: Sequence[Attempt]) -> dict[str, Any]:
    """Who spoke in the place of users, and how often; nothing where nobody did."""
    if not same.get("speaker"):
        return {}
    reasons = (words["reason"] for attempt in attempts for words in attempt.user_words)
    return {"users": {**same["speaker"], **spoken_users.summary(reasons)}}


def _unusual_settings(same: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the settings that are not as they usually are."""
    usual = {
        "tools": "auto",
        "answer_format": None,
        "system": "",
        "max_context": None,
        "max_turns": 256,
    }
    return {name: same[name] for name, value in usual.items() if same.get(name, value) != value}


def scaffold_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The answer formats and the combinators of an evaluation's tasks."""
    cells = manifest.get("cells", ())
    override = manifest["same"].get("answer_format")
    formats = {override or cell.get("answer_format", "tags") for cell in cells}
    combinators = {cell["env"].partition("+")[2] for cell in cells} - {""}
    return {"answer_formats": sorted(formats), "combinators": sorted(combinators)}


def _by(attempts: Sequence[Attempt], name: str) -> dict[str, list[Attempt]]:
    parted: dict[str, list[Attempt]] = {}
    for each in attempts:
        parted.setdefault(getattr(each, name), []).append(each)
    return parted


def _environment(env: str, attempts: Sequence[Attempt], ks: Sequence[int]) -> dict[str, Any]:
    levels = [
        {
            "cell": cell,
            "level": own[0].level,
            "no_skill": _no_skill(env, cell, own[0].level),
            **figures(own, ks),
        }
        for cell, own in _by(attempts, "cell").items()
    ]
    return {"env": env, **figures(attempts, ks), "levels": levels}


def _no_skill(env: str, cell: str, level: int) -> float | None:
    """What is earned at a level without skill; unknown where knobs are set by hand."""
    card = catalog().get(env, {}).get("measured", {})
    if cell.partition(",")[0] != cell or level >= len(card.get("floor", ())):
        return None
    return float(max(card["floor"][level], card["random_baseline"][level]))


def _faults(attempts: Iterable[Attempt]) -> list[dict[str, Any]]:
    """Why attempts could not be scored, the commonest reason first."""
    reasons = Counter(each.reason[:200] for each in attempts if each.score is None)
    return [{"reason": reason, "attempts": n} for reason, n in reasons.most_common(FAULTS)]


def write(report: Mapping[str, Any], folder: Path) -> None:
    """Write a report in its three forms."""
    folder.mkdir(parents=True, exist_ok=True)
    forms = {
        "json": json.dumps(report, indent=1) + "\n",
        "md": markdown(report),
        "html": page(report),
    }
    for suffix, text in forms.items():
        fresh = folder / f".report.{suffix}.new"
        fresh.write_text(text, "utf-8", errors="replace")
        fresh.replace(folder / f"report.{suffix}")


# ------------------------------------------------------------------ in words


def summary(report: Mapping[str, Any]) -> str:
    """A report in a line."""
    overall = report["overall"]
    if overall is None:
        return "nothing was attempted"
    number = f"{overall['attempts']:,} of {report['planned']:,} attempts"
    unscored = f", {overall['unscored']:,} of them unscored" if overall["unscored"] else ""
    solved = f"{report['model']}: {spanned(overall['success'])} solved; {number}{unscored}"
    if calibrated := overall.get("calibration"):
        solved += f"; calibration error {percent(calibrated['error'])}"
        solved += f", Brier score {percent(calibrated['brier']['value'])}"
    if rates := overall.get("constrained"):
        named = (f"{name} {percent(rates[name]['value'])}" for name in RATES)
        solved += f"; with a text: {', '.join(named)}"
    return solved


def plain(text: Any) -> str:
    """A text that is no Markdown, on one line."""
    shown = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\`*_[]|#" else sign for sign in shown)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown, whose first column is text and the others numbers."""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return [f"| {' | '.join(row)} |" for row in (heads, rule, *rows)]


def markdown(report: Mapping[str, Any]) -> str:
    """A report in Markdown."""
    lines = [f"# {plain(report['model'])} on {plain(report['suite'])}", ""]
    settings = ", ".join(f"{name} {value}" for name, value in report["settings"].items())
    facts = {
        "endpoint": report["base_url"],
        "settings": settings or "the endpoint's own",
        "suite": report["suite_digest"],
        "combinators": ", ".join(report["scaffold"]["combinators"]),
        "palaestra": report["palaestra"],
        "started": report["started"],
        "users": users_in_words(report.get("users")),
    }
    lines += [f"- {name}: {plain(value)}" for name, value in facts.items() if value]
    overall = report["overall"]
    if not report["complete"]:
        done = overall["attempts"] if overall else 0
        why = f": {plain(report['stopped'])}" if report["stopped"] else ""
        lines += ["", f"**Not complete: {done:,} of {report['planned']:,} attempts{why}.**"]
    if overall is None:
        return "\n".join([*lines, ""])
    ks = list(overall["pass_at_k"])
    heads = ["", "success", "score", *(f"pass@{k}" for k in ks if k != "1")]
    heads += ["tasks", "attempts", "unscored", "no skill"]
    rows = [_row("**all**", overall, ks)]
    for env in report["environments"]:
        rows.append(_row(f"**{env['env']}**", env, ks))
        rows += [_row(plain(level["cell"]), level, ks) for level in env["levels"]]
    lines += ["", "## Success", "", *table(heads, rows)]
    lines += ["", "## How attempts ended", "", *_endings(report)]
    if overall.get("calibration"):
        lines += ["", "## Calibration", "", *_calibration(report), "", *_reliability(overall)]
    if overall.get("constrained"):
        lines += ["", "## Answers with a text", "", *_rates(report)]
    lines += ["", "## Tokens", "", *_tokens(report)]
    if report["faults"]:
        lines += ["", "## Unscored", ""]
        lines += [f"- {fault['attempts']} × {plain(fault['reason'])}" for fault in report["faults"]]
    lines += ["", "## What the numbers mean", ""]
    lines += [f"- **{name}**: {meaning}" for name, meaning in report["method"].items()]
    return "\n".join([*lines, ""])


def _row(name: str, row: Mapping[str, Any], ks: Sequence[str]) -> list[str]:
    passes = [spanned(row["pass_at_k"][k]) for k in ks if k != "1"]
    counts = [f"{row[key]:,}" for key in ("tasks", "attempts", "unscored")]
    no_skill = percent(row.get("no_skill")) if "no_skill" in row else ""
    return [name, spanned(row["success"]), spanned(row["score"]), *passes, *counts, no_skill]


def _endings(report: Mapping[str, Any]) -> list[str]:
    known = [name for name in ENDINGS if name in report["overall"]["endings"]]
    rows = [
        [env["env"], *(str(env["endings"].get(name, 0)) for name in known), str(env["truncated"])]
        for env in report["environments"]
    ]
    return table(["", *(name.replace("_", " ") for name in known), "cut by max_tokens"], rows)


def _calibration(report: Mapping[str, Any]) -> list[str]:
    """The figures of calibration, of all environments and of each that has them."""
    rows = []
    for name, row in _rows_with(report, "calibration"):
        shares = [percent(row["confidence"]), spanned(row["correct"])]
        counts = [f"{row['stated']:,}", f"{row['unstated']:,}"]
        rows.append([name, *shares, percent(row["error"]), spanned(row["brier"]), *counts])
    heads = ["", "mean confidence", "correct", "calibration error", "Brier score"]
    return table([*heads, "stated", "not stated"], rows)


def _reliability(overall: Mapping[str, Any]) -> list[str]:
    """The mean confidence and the share of right answers in each bin of confidences."""
    rows = [
        [
            f"{100 * row['low']:.0f} – {100 * row['high']:.0f} %",
            percent(row["confidence"]),
            spanned(row["correct"]),
            f"{row['attempts']:,}",
        ]
        for row in overall["calibration"]["bins"]
    ]
    return table(["confidence", "mean", "correct", "attempts"], rows)


def _rates(report: Mapping[str, Any]) -> list[str]:
    """The rates of constrained answers, of all environments and of each that has them."""
    rows = [
        [name, *(spanned(row[rate]) for rate in RATES), f"{row['attempts']:,}"]
        for name, row in _rows_with(report, "constrained")
    ]
    return table(["", *RATES, "attempts"], rows)


def _rows_with(report: Mapping[str, Any], figure: str) -> list[tuple[str, Mapping[str, Any]]]:
    """A figure that only some environments have, by their names, and that of all of them."""
    environments = [(env["env"], env[figure]) for env in report["environments"] if env[figure]]
    return [("**all**", report["overall"][figure]), *environments]


def _tokens(report: Mapping[str, Any]) -> list[str]:
    rows = []
    for env in ({"env": "**all**", **report["overall"]}, *report["environments"]):
        tokens, spread = env["tokens"], env["tokens"]["per_attempt"] or {}
        row = [f"{tokens['prompt']:,}", f"{tokens['completion']:,}"]
        row += [f"{spread[key]:,.0f}" if spread else "–" for key in ("median", "p90")]
        row += [
            "–" if tokens[key] is None else f"{tokens[key]:,.0f}"
            for key in ("per_solved", "per_unsolved")
        ]
        rows.append([env["env"], *row, "–" if env["turns"] is None else f"{env['turns']:g}"])
    heads = ["", "prompt", "completion", "median", "p90", "if solved", "if not", "turns"]
    return table(heads, rows)
