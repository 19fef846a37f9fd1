"""Samples, solves and scores a task of every environment at each end of its ladder of levels.

Run where the core is installed without extras (`.ci/core`). Fails where an optional dependency can
be imported, because then nothing would be shown, and where a solution does not score 1.
"""

from importlib.util import find_spec

import palaestra

OPTIONAL = (
    *("duckdb", "fastapi", "gymnasium", "jsonschema", "lark", "math_verify", "mpmath", "numpy"),
    *("pettingzoo", "prometheus_client", "rapidfuzz", "sqlalchemy", "sympy", "uvicorn", "yaml"),
    *("backports.zstd", "z3"),
)


def is_there(module: str) -> bool:
    """Whether a module can be imported."""
    package = module.partition(".")[0]
    return find_spec(package) is not None and find_spec(module) is not None


def visit(name: str) -> None:
    """Sample, solve and score the easiest and the hardest task of seed 0."""
    top = palaestra.load(name).Knobs.levels() - 1
    for level in (0, top):
        address = palaestra.Address.of(name, seed=0, level=level)
        score = palaestra.score(address, list(address.task().solve()), "bare")
        if not score.correct:
            raise SystemExit(f"{address}: its solution scores {score.value:g}: {score.reason}")


def main() -> None:
    """Visit all environments."""
    if there := [module for module in OPTIONAL if is_there(module)]:
        raise SystemExit(f"not the core alone: {', '.join(there)}")
    for name in palaestra.names():
        visit(name)
    print(f"{len(palaestra.names())} environments sampled, solved and scored in the core alone.")


if __name__ == "__main__":
    main()
