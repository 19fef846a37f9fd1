"""What `import palaestra` costs: CPU milliseconds in a fresh process, less those of Python itself.

python benchmarks/imports.py          with the environments that there are
python benchmarks/imports.py 1200     beside a copy with so many, which are names and rows alone
"""

import json
import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from statistics import median

import yaml

from palaestra.catalog import catalog, dump
from palaestra.registry import source_path

PACKAGE = Path(__file__).parents[1] / "src/palaestra"

CODE = "import time; start = time.process_time(); {}; print(time.process_time() - start)"

STATEMENTS = (
    "import palaestra",
    "import palaestra; palaestra.names()",
    "import palaestra; palaestra.environments()",
    "import palaestra; palaestra.Address.of('games/mastermind').task()",
    "import palaestra.gym",
    "import numpy",
)


def cost_ms(statement: str, path: Path) -> float:
    """The CPU milliseconds of a statement in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", CODE.format(statement)],
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(path)},
    )
    return float(run.stdout) * 1e3


def grown(folder: Path, size: int) -> Path:
    """A copy of the package in which environments are repeated under other names."""
    package = folder / "palaestra"
    package.mkdir()
    for entry in PACKAGE.iterdir():
        if entry.name not in {"catalog.json", "catalog.yaml", "envs", "__pycache__"}:
            (package / entry.name).symlink_to(entry.resolve())
    rows = dict(catalog())
    copies = (f"{name}_{n}" for n in count(2) for name in catalog())
    rows |= {name: rows[name.rpartition("_")[0]] for name in islice(copies, size - len(rows))}
    for name in rows:
        file = package / "envs" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        source = PACKAGE / source_path(name) if name in catalog() else None
        file.write_bytes(source.read_bytes() if source else b"")
        (file.parent / "__init__.py").touch()
    rows = json.loads(json.dumps(rows))  # or YAML would refer from each copy to the first
    text = dump(rows).encode()
    document = {"source": sha256(text).hexdigest(), "environments": rows}
    (package / "catalog.yaml").write_bytes(text)
    (package / "catalog.json").write_text(json.dumps(document), "utf-8")
    code = "import palaestra; print(len(palaestra.names()), len(palaestra.environments()))"
    python = {"env": os.environ | {"PYTHONPATH": str(folder)}, "capture_output": True, "text": True}
    seen = subprocess.run([sys.executable, "-c", code], check=True, **python).stdout
    if seen.split() != [str(size)] * 2:
        raise SystemExit(f"the copy has {seen.strip()} environments, not {size}")
    return folder


def reading_ms(content: bytes, statement: str, times: int = 5) -> float:
    """The CPU milliseconds of parsing a catalog."""
    from time import process_time

    parse = {"json": json.loads, "yaml": lambda text: yaml.load(text, yaml.CSafeLoader)}[statement]
    costs = []
    for _ in range(times):
        start = process_time()
        parse(content)
        costs.append(process_time() - start)
    return median(costs) * 1e3


def main(sizes: list[int], times: int = 9) -> None:
    """Print a table, with a column for each number of environments."""
    with tempfile.TemporaryDirectory() as scratch:
        paths = [PACKAGE.parent]
        for size in sizes:
            folder = Path(scratch, str(size))
            folder.mkdir()
            paths.append(grown(folder, size))
        print(f"{'':64}" + "".join(f"{size:>9}" for size in (len(catalog()), *sizes)))
        for statement in STATEMENTS:  # in turn, so that a busy machine is busy for all
            costs = zip(*([cost_ms(statement, path) for path in paths] for _ in range(times)))
            print(f"{statement:64}" + "".join(f"{median(column):6.1f} ms" for column in costs))
        for form in ("json", "yaml"):
            files = [path / "palaestra" / f"catalog.{form}" for path in paths]
            costs_ms = [reading_ms(file.read_bytes(), form) for file in files]
            print(f"{f'parsing catalog.{form}':64}" + "".join(f"{ms:6.1f} ms" for ms in costs_ms))


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
