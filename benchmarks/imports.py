"""What `import palaestra` costs: CPU milliseconds in a fresh process, less those of Python itself.

python benchmarks/imports.py
"""

import subprocess
import sys
from statistics import median

CODE = "import time; start = time.process_time(); {}; print(time.process_time() - start)"


def cost_ms(statement: str, times: int = 15) -> float:
    """The median CPU milliseconds of a statement in a process of its own."""
    runs = (
        subprocess.run(
            [sys.executable, "-c", CODE.format(statement)],
            capture_output=True,
            check=True,
            text=True,
        )
        for _ in range(times)
    )
    return median(float(run.stdout) for run in runs) * 1e3


if __name__ == "__main__":
    for statement in (
        "import palaestra",
        "import palaestra; palaestra.names()",
        "import palaestra; palaestra.Address.of('games/mastermind').task()",
        "import palaestra.gym",
        "import numpy",
    ):
        print(f"{cost_ms(statement):8.1f} ms  {statement}")
