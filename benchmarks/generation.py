"""How many rows of a data set are generated in a second, and in how much memory.

    python -m benchmarks.generation [NAME ...] [--rows N] [--workers N]

For each environment, at its middle level: the rows a second that ``palaestra generate`` writes,
start of its processes included, and the peak memory of the process that writes them. Without
names, these are environments whose tasks take about as long to sample, by the catalog, as those of
the first quarter, of the half and of three quarters of all environments at most.
"""

import resource
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from palaestra.catalog import catalog
from palaestra.registry import load
from palaestra.trainers.generation import Corpus, generate
from palaestra.trainers.mixtures import Mixture


def typical() -> list[str]:
    """The environments at the quartiles of the time that sampling takes."""
    times = {name: row["measured"]["sample_us"] for name, row in catalog().items()}
    ranked = sorted(times, key=times.__getitem__)
    return [ranked[len(ranked) * quarter // 4] for quarter in (1, 2, 3)]


def measured(name: str, rows: int, workers: int) -> tuple[float, float]:
    """Rows a second, and MB of memory at most, of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.generation", name, "--alone"]
    command += ["--rows", str(rows), "--workers", str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rate, memory = map(float, done.stdout.split())
    return rate, memory


def alone(name: str, rows: int, workers: int) -> None:
    """Generate rows in this process, and print the two figures."""
    level = load(name).Knobs.levels() // 2
    corpus = Corpus(Mixture({name: 1.0}, {name: (level,)}), rows)
    with TemporaryDirectory() as folder:
        start = perf_counter()
        manifest = generate(corpus, Path(folder) / "data", workers)
        seconds = perf_counter() - start
    print(manifest["rows"] / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print a line for each environment."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="what each line is measured by")
    options = parser.parse_args()
    if options.alone:
        alone(options.names[0], options.rows, options.workers)
        return
    print("| environment | sampling, µs | rows | rows a second | memory, MB |")
    for name in options.names or typical():
        rate, memory = measured(name, options.rows, options.workers)
        sampling = catalog()[name]["measured"]["sample_us"]
        print(f"| {name} | {sampling:,} | {options.rows:,} | {rate:,.0f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
