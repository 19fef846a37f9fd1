"""Pairs of answers compared in a CPU second, beside Math-Verify's rate in the same run.

    python benchmarks/verifiers.py [EVERY]

The pairs are those of the bench for verifiers, or every so many-th of them. The two take turns, so
that a noisy machine is noisy for both; what each starts and imports first is not counted.
"""

import sys

from palaestra.verifier_bench import CANDIDATES, Report, compared, load_cases, measure
from palaestra.verifier_bench.cases import plain

TURNS = 4
NAMES = ("palaestra", "math-verify")


def main(every: int = 1) -> None:
    """Print a table in Markdown, and the ratio of the two rates turn by turn."""
    pairs = plain(load_cases())[::every]
    turns = [[measure(CANDIDATES[name], pairs[n::TURNS]) for name in NAMES] for n in range(TURNS)]
    if absent := [report.absent for report in turns[0] if report.absent]:
        raise SystemExit(f"both are needed: {absent[0]}")
    print("| candidate | pairs | right | pairs a CPU second | p99 | ratio |")
    print("|---|---|---|---|---|---|")
    for row in compared([joined(reports) for reports in zip(*turns)]):
        rate, p99 = f"{row['per_cpu_second']:,.0f}", f"{row['p99_ms']:.2f} ms"
        cells = (row["candidate"], row["cases"], f"{row['accuracy']:.1%}", rate, p99)
        print(f"| {' | '.join(map(str, cells))} | {row['ratio']:.1f} |")
    ratios = [f"{compared(reports)[0]['ratio']:.0f}" for reports in turns]
    print(f"\nratios of the {TURNS} turns: {', '.join(ratios)}")


def joined(reports: tuple[Report, ...]) -> Report:
    """The reports of one candidate as one."""
    return Report(reports[0].name, tuple(ruling for one in reports for ruling in one.rulings))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
