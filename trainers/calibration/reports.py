"""The report of a calibration: estimates for each environment and level, and a mixture."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from palaestra.registry import load
from palaestra.trainers.calibration.curves import Count, Posterior, Span, jeffreys
from palaestra.trainers.calibration.design import DOUBTFUL, FEWEST, Design, Target
from palaestra.trainers.calibration.tokens import Usage
from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.formatting import percent
from palaestra.trainers.evaluation.reports import FAULTS, plain, table
from palaestra.trainers.mixtures import Mixture

REPORT, PAGE, MIXTURE = "calibration.json", "calibration.md", "mixture.yaml"

LIKELY = 0.5
"""Probability above which a level is taken to be in the target, too easy or too hard."""

DIGITS = 4
"""Decimals of estimates in the report."""

METHOD = {
    "success": "An attempt succeeds if its score is 1. The posterior mean of the success rate of a "
    "level, with its 95 % interval: a logistic curve of the level, averaged with separate rates by "
    "their posterior probabilities.",
    "raw": "Right attempts of scored attempts at the level itself, with Jeffreys' 95 % interval.",
    "in target": "The posterior probability that the success rate is within the target.",
    "crossing": "The level at which success crosses the middle of the target: median and 95 % "
    "interval. Half a level outside the ladder stands for higher or lower success at all levels.",
    "irregular": "The posterior probability that the levels follow no logistic curve.",
    "unscored": "Attempts without a score (the endpoint or the judge failed); they are left out.",
}
"""What the figures mean."""

LevelVerdict = Literal["target", "too easy", "too hard", "open"]
Verdict = Literal["suitable", "too easy", "too hard", "too steep", "undecided", "unscored"]

VERDICTS: Mapping[Verdict, str] = {
    "suitable": "a level is probably in the target",
    "too easy": "every level is probably above it",
    "too hard": "every level is probably below it",
    "too steep": "one level is above it and the next one below it",
    "undecided": "more attempts are needed",
    "unscored": "no attempt could be scored",
}


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Estimate(_Plain):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, span: Span) -> "Estimate":
        """Return it from a span, rounded."""
        value, low, high = (round(each, DIGITS) for each in span)
        return cls(value=value, low=low, high=high)


class LevelReport(_Plain):
    """The attempts and estimates at a level."""

    level: int
    attempts: int
    right: int
    scored: int
    raw: Estimate | None
    """Fraction of right attempts; None without scored ones."""

    score: float | None
    """Mean score, in which partial credit counts."""

    success: Estimate
    in_target: float
    verdict: LevelVerdict


class Curve(_Plain):
    """Posterior means of logit p = a - b·z, with z from -1 at the lowest level to 1 at the top."""

    a: float
    b: float


class EnvironmentReport(_Plain):
    """The estimates for an environment."""

    env: str
    ladder: int
    """Number of levels of the environment; those that were not to be tried have no report."""

    verdict: Verdict
    finished: bool
    """Whether the interval of the crossing is narrow enough, or all tasks are tried."""

    attempts: int
    unscored: int
    tokens: int
    """As counted by the endpoint, in attempts that are stored."""

    irregular: float
    curve: Curve | None
    """None if the ladder is probably irregular, or nothing was scored."""

    crossing: Estimate | None
    levels: tuple[LevelReport, ...]


class TokenReport(_Plain):
    """Tokens of all answered requests, those of discarded attempts included."""

    prompt: int
    completion: int
    requests: int
    estimated: int
    """Requests for which the endpoint reported no usage."""

    limit: int | None


class Fault(_Plain):
    """Why attempts could not be scored."""

    reason: str
    attempts: int


class Report(_Plain):
    """A calibration."""

    format: Literal[1] = 1
    model: str
    base_url: str
    palaestra: str
    started: str
    reported: str
    target: tuple[float, float]
    tasks: int
    width: float
    answer_format: str
    settings: dict[str, Any]
    complete: bool
    stopped: str
    tokens: TokenReport
    environments: tuple[EnvironmentReport, ...]
    faults: tuple[Fault, ...]
    fingerprints: dict[str, str]
    method: dict[str, str]

    @property
    def unscored(self) -> int:
        """Number of unscored attempts."""
        return sum(each.unscored for each in self.environments)

    @property
    def left(self) -> tuple[str, ...]:
        """The environments that are not finished."""
        return tuple(each.env for each in self.environments if not each.finished)

    def mixture(self) -> Mixture | None:
        """Return the levels that are probably in the target; None if there is none.

        The weight of an environment is the sum of the probabilities of its levels, so that levels
        have about equal shares, smaller ones if they are less certain.
        """
        chosen = {
            each.env: [level for level in each.levels if level.verdict == "target"]
            for each in self.environments
            if each.verdict == "suitable"
        }
        if not chosen:
            return None
        weights = {
            env: round(sum(level.in_target for level in own), 3) for env, own in chosen.items()
        }
        levels = {env: tuple(level.level for level in own) for env, own in chosen.items()}
        return Mixture(weights, levels, self.answer_format)


def read(folder: Path) -> Report:
    """Return the report in a folder. Raises ``ValueError``, and ``OSError`` for no file."""
    return Report.model_validate_json((folder / REPORT).read_text("utf-8"))


def report(
    manifest: Mapping[str, Any], attempts: Iterable[Attempt], usage: Usage, stopped: str = ""
) -> Report:
    """Return the estimates from some attempts."""
    same, by_env = manifest["same"], defaultdict(list)
    for attempt in attempts:
        by_env[attempt.env].append(attempt)
    design = Design(Target(*same["target"]), manifest["tasks"], same["width"])
    environments = tuple(
        _environment(env, levels, by_env[env], design) for env, levels in same["levels"].items()
    )
    faults = Counter(
        each.reason[:200] for own in by_env.values() for each in own if each.score is None
    )
    return Report(
        model=same["model"],
        base_url=manifest["base_url"],
        palaestra=manifest["palaestra"],
        started=manifest["started"],
        reported=datetime.now(UTC).isoformat(timespec="seconds"),
        target=same["target"],
        tasks=design.tasks,
        width=design.width,
        answer_format=same["answer_format"],
        settings=same["settings"],
        complete=not stopped and all(each.finished for each in environments),
        stopped=stopped,
        tokens=TokenReport(**usage._asdict(), limit=manifest["max_tokens_total"]),
        environments=environments,
        faults=tuple(Fault(reason=why, attempts=n) for why, n in faults.most_common(FAULTS)),
        fingerprints=same["fingerprints"],
        method=METHOD,
    )


def _environment(
    env: str, levels: Sequence[int], attempts: Sequence[Attempt], design: Design
) -> EnvironmentReport:
    by_level: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_level[attempt.level].append(attempt)
    counts = [_count(by_level[level]) for level in range(load(env).Knobs.levels())]
    scored = sum(each.scored for each in counts)
    posterior = Posterior(counts)
    enough = scored >= min(FEWEST, design.tasks)
    regular = scored > 0 and posterior.irregular <= DOUBTFUL
    reports = tuple(
        _level(level, by_level[level], counts[level], posterior, design.target) for level in levels
    )
    a, b = posterior.curve.coefficients()
    crossing = Estimate.of(posterior.curve.crossing(design.target.middle))
    tried = {level: len(by_level[level]) for level in levels}
    return EnvironmentReport(
        env=env,
        ladder=len(counts),
        verdict=_verdict([each.verdict for each in reports]) if enough else _without(attempts),
        finished=not design.next_round(levels, counts, tried),
        attempts=len(attempts),
        unscored=len(attempts) - scored,
        tokens=sum(each.prompt_tokens + each.completion_tokens for each in attempts),
        irregular=round(posterior.irregular, DIGITS),
        curve=Curve(a=round(a, DIGITS), b=round(b, DIGITS)) if regular else None,
        crossing=crossing if regular else None,
        levels=reports,
    )


def _count(attempts: Iterable[Attempt]) -> Count:
    outcomes = [each.correct for each in attempts if each.correct is not None]
    return Count(sum(outcomes), len(outcomes) - sum(outcomes))


def _level(
    level: int, attempts: Sequence[Attempt], count: Count, posterior: Posterior, target: Target
) -> LevelReport:
    scores = [each.score for each in attempts if each.score is not None]
    below, above = posterior.below(level, target.low), 1 - posterior.below(level, target.high)
    inside = posterior.between(level, target.low, target.high)
    shares: dict[LevelVerdict, float] = {"target": inside, "too easy": above, "too hard": below}
    likeliest = max(shares, key=shares.__getitem__)
    return LevelReport(
        level=level,
        attempts=len(attempts),
        right=count.right,
        scored=count.scored,
        raw=Estimate.of(jeffreys(count)) if count.scored else None,
        score=round(fmean(scores), DIGITS) if scores else None,
        success=Estimate.of(posterior.span(level)),
        in_target=round(inside, DIGITS),
        verdict=likeliest if shares[likeliest] > LIKELY else "open",
    )


def _verdict(levels: Sequence[LevelVerdict]) -> Verdict:
    """The verdict on an environment, from those on its levels."""
    verdicts = {*levels}
    if "target" in verdicts:
        return "suitable"
    if "open" in verdicts:
        return "undecided"
    if len(verdicts) > 1:
        return "too steep"
    return "too easy" if "too easy" in verdicts else "too hard"


def _without(attempts: Sequence[Attempt]) -> Verdict:
    """The verdict on an environment with too few scored attempts for another one."""
    return "unscored" if attempts and all(each.score is None for each in attempts) else "undecided"


# ------------------------------------------------------------------ in files and in words


def write(report: Report, folder: Path) -> None:
    """Write a report as JSON and Markdown, and its mixture.

    Without a mixture, that of an earlier report is removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / REPORT, report.model_dump_json(indent=1) + "\n")
    _replace(folder / PAGE, markdown(report))
    mixture = report.mixture()
    if mixture is None:
        (folder / MIXTURE).unlink(missing_ok=True)
    else:
        _replace(folder / MIXTURE, mixture.text(_comment(report)))


def _replace(file: Path, text: str) -> None:
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(text, "utf-8", errors="replace")
    fresh.replace(file)


def _comment(report: Report) -> str:
    """What a mixture is, for its readers."""
    low, high = report.target
    unfinished = "" if report.complete else " The calibration is not complete."
    return (
        f"Levels at which {json.dumps(report.model)} probably succeeds at {low:g} to {high:g} of "
        f"its attempts.{unfinished}\n"
        "  palaestra train mixture.yaml --model NAME --warmup-steps 0 --out runs/NAME"
    )


def rows(report: Report) -> list[list[str]]:
    """Return a row for each environment, suitable ones first; the heads are :data:`HEADS`."""
    order = list(VERDICTS)
    environments = sorted(report.environments, key=lambda each: order.index(each.verdict))
    return [_row(each) for each in environments]


HEADS = ("environment", "verdict", "levels in target", "crossing", "success by level", "attempts")


def _row(environment: EnvironmentReport) -> list[str]:
    suitable = [str(each.level) for each in environment.levels if each.verdict == "target"]
    success = " ".join(f"{100 * each.success.value:.0f}" for each in environment.levels)
    finished = "" if environment.finished else ", unfinished"
    unscored = f", {environment.unscored} unscored" if environment.unscored else ""
    tried = any(level.scored for level in environment.levels)
    return [
        environment.env,
        environment.verdict + finished,
        ", ".join(suitable) or "–",
        _crossing(environment),
        f"{success} %" if tried else "–",
        f"{environment.attempts}{unscored}",
    ]


def _crossing(environment: EnvironmentReport) -> str:
    """A crossing in words; beyond the ends of a ladder there is no number.

    It is unknown if its interval is the whole ladder.
    """
    span, top = environment.crossing, environment.ladder - 1
    if span is None:
        return "irregular" if environment.irregular > DOUBTFUL else "–"
    low, value, high = (
        "below" if each < 0 else "above" if each > top else f"{each:.1f}"
        for each in (span.low, span.value, span.high)
    )
    if (low, high) == ("below", "above"):
        return "unknown"
    return f"{value} [{low}, {high}]" if low != high else value


def summary(report: Report) -> str:
    """Return a report in a sentence or two."""
    verdicts = Counter(each.verdict for each in report.environments)
    counts = ", ".join(f"{verdicts[name]} {name}" for name in VERDICTS if verdicts[name])
    used = report.tokens.prompt + report.tokens.completion
    attempts = sum(each.attempts for each in report.environments)
    text = f"{report.model}: {len(report.environments)} environments: {counts}; "
    return text + f"{attempts:,} attempts, {used:,} tokens"


def markdown(report: Report) -> str:
    """Return a report in Markdown."""
    low, high = report.target
    used = report.tokens.prompt + report.tokens.completion
    limit = f" of {report.tokens.limit:,}" if report.tokens.limit else ""
    guessed = report.tokens.estimated
    facts = {
        "endpoint": report.base_url,
        "target": f"success from {low:g} to {high:g}",
        "tasks": f"at most {report.tasks} for each environment",
        "answer format": report.answer_format,
        "settings": ", ".join(f"{name} {value}" for name, value in report.settings.items()),
        "tokens": f"{used:,}{limit}" + (f", {guessed:,} requests estimated" if guessed else ""),
        "palaestra": report.palaestra,
        "started": report.started,
    }
    lines = [f"# Calibration of {plain(report.model)}", ""]
    lines += [f"- {name}: {plain(value)}" for name, value in facts.items() if value]
    if not report.complete:
        why = f": {plain(report.stopped)}" if report.stopped else ""
        left = f"{len(report.left)} of {len(report.environments)} environments are unfinished"
        lines += ["", f"**Not complete{why}. {left}.**"]
    lines += ["", "## Environments", ""]
    lines += table(HEADS, [[plain(cell) for cell in row] for row in rows(report)])
    lines += ["", *(f"- **{name}**: {meaning}" for name, meaning in VERDICTS.items())]
    lines += ["", "## Levels", "", *_levels(report)]
    if report.faults:
        lines += ["", "## Unscored", ""]
        lines += [f"- {each.attempts} × {plain(each.reason)}" for each in report.faults]
    lines += ["", "## What the numbers mean", ""]
    lines += [f"- **{name}**: {meaning}" for name, meaning in report.method.items()]
    return "\n".join([*lines, ""])


def _levels(report: Report) -> list[str]:
    heads = ["", "verdict", "success", "raw", "right", "scored", "unscored", "in target", "score"]
    body = []
    for environment in report.environments:
        body.append([f"**{plain(environment.env)}**", environment.verdict, *[""] * 7])
        for each in environment.levels:
            counts = [each.right, each.scored, each.attempts - each.scored]
            body.append(
                [
                    f"level {each.level}",
                    each.verdict,
                    spanned(each.success),
                    spanned(each.raw),
                    *map(str, counts),
                    percent(each.in_target),
                    "–" if each.score is None else f"{each.score:.2f}",
                ]
            )
    return table(heads, body)


def spanned(estimate: Estimate | None) -> str:
    """Return a rate with its interval, in percent."""
    if estimate is None:
        return "–"
    return f"{percent(estimate.value)} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
