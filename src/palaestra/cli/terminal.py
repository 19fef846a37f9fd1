"""The consoles that commands print to."""

from rich.console import Console

out = Console()

err = Console(stderr=True)


def print_faults() -> bool:
    """Report faults of the categories of other distributions; whether there are any."""
    from palaestra.registry import faults

    for fault in (listed := faults()):
        err.print(f"palaestra: {fault}", style="red", highlight=False, soft_wrap=True, markup=False)
    return bool(listed)
