"""Work in worker processes with the processor time that it took, which quotas go by."""

from time import process_time
from typing import Any

from palaestra.workers.worker import function


def metered(work: str, arguments: list[Any]) -> dict[str, Any]:
    """What ``package.module:name`` gives for these arguments, and the seconds of the processor."""
    start = process_time()
    value = function(work)(*arguments)
    return {"value": value, "cpu_s": process_time() - start}
