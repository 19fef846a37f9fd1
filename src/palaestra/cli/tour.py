"""The quickstart and version commands."""

import palaestra


def quickstart() -> None:
    """Take a short tour: sample tasks, play them well and badly, score them here and over HTTP."""
    from palaestra.quickstart import run

    run()


def version() -> None:
    """Print the version."""
    print(palaestra.__version__)
