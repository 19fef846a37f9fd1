"""The quickstart and version commands."""

import typer

import palaestra


def quickstart() -> None:
    """Take a short tour: sample tasks, play them well and badly, score them here and over HTTP."""
    from palaestra.quickstart import run

    run()


def print_version(wanted: bool) -> None:
    """Print the version and end, where that is wanted."""
    if wanted:
        version()
        raise typer.Exit


def version() -> None:
    """Print the version."""
    print(palaestra.__version__)
