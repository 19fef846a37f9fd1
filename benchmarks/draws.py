"""Tasks drawn and replies judged a second, beside reasoning-gym's where that is installed.

The same as ``palaestra bench``, at the middle level and at the lowest.

    python benchmarks/draws.py [SECONDS]
"""

import sys

import palaestra
from palaestra.bench import rates, summarise


def main(seconds: float) -> None:
    """Print a table in Markdown for each of the two levels."""
    for title, level in (("middle", None), ("lowest", 0)):
        rows = [rates(name, level, seconds) for name in palaestra.names()]
        print(f"\n{title} level: {summarise(rows)}\n")
        print("| environment | draws/s | moves judged/s | reasoning-gym's | draws/s | ratio |")
        print("|---|---|---|---|---|---|")
        for rate in rows:
            theirs = f"{rate['peer']} | {rate['peer_draws']:,.0f} | {rate['ratio']:.1f}"
            ours = f"{rate['env']} | {rate['draws']:,.0f} | {rate['verdicts']:,.0f}"
            print(f"| {ours} | {theirs if rate['peer'] else ' | | '} |")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.3)
