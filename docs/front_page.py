"""Writes what the README shows: badges, the counts and the categories of the catalog, six boards.

python docs/front_page.py            # check that README.md and docs/images are up to date
python docs/front_page.py --write    # write them anew
"""

import re
import sys
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from palaestra.address import Address
from palaestra.catalog import catalog
from palaestra.episode import Episode
from palaestra.scenes import Scene
from palaestra.scenes.palette import THEMES
from palaestra.scenes.vectors import sheet
from palaestra.task import Puzzle

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "docs" / "assets"
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"

BOARDS = (
    ("Slitherlink", "grids/slitherlink", 3, 3, True),
    ("Circle the cat", "games/circle_the_cat", 2, 1, False),
    ("Shortest path", "graphs/shortest_path", 1, 4, True),
    ("Rush hour", "planning/rush_hour", 4, 2, False),
    ("Killer sudoku", "grids/killer_sudoku", 3, 1, False),
    ("Rubik's cube", "planning/rubiks_cube", 3, 1, False),
)
"""Captions, environments, levels and seeds, and whether the answer is drawn in."""

EXAMPLES = {
    "algebra": "linear_system, polynomial_roots, symbolic_derivative",
    "games": "minesweeper, mastermind, chess_mate",
    "graphs": "shortest_path, graph_coloring, maximum_flow",
    "grids": "sudoku, slitherlink, nonogram",
    "logic": "knights_and_knaves, zebra_puzzle, syllogism",
    "planning": "sokoban, blocksworld, rubiks_cube",
    "programs": "function_from_specification, find_the_bug, sql_query",
    "tools": "airline_desk, shell_session, encyclopedia_search",
}
"""The environments that stand for a category; the first three of it unless listed."""


def categories() -> dict[str, list[str]]:
    """The names of environments by category, without it."""
    names = defaultdict(list)
    for name in catalog():
        category, _, own = name.partition("/")
        names[category].append(own)
    return names


def table() -> str:
    """A row for each category: what it is about, how many environments, and three of them."""
    lines = ["| category | about | environments | such as |", "|---|---|---:|---|"]
    for category, names in categories().items():
        about = (import_module(f"palaestra.envs.{category}").__doc__ or "").rstrip(".\n")
        shown = EXAMPLES.get(category) or ", ".join(names[:3])
        assert set(shown.split(", ")) <= {*names}, f"{category} lacks one of {shown}"
        examples = ", ".join(f"`{name}`" for name in shown.split(", "))
        lines.append(f"| [{category}](envs/{category}) | {about} | {len(names)} | {examples} |")
    return "\n".join(lines)


def counts() -> str:
    """How many environments there are, and in how many categories."""
    return f"**{len(catalog())} environments in {len(categories())} categories**"


def badges() -> dict[str, tuple[str, str]]:
    """The label and the text of each badge, by the name of its file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    return {
        "licence": ("licence", project["license"]),
        "python": ("python", f"{versions[0]} – {versions[-1]}"),
        "environments": ("environments", str(len(catalog()))),
    }


def badge(label: str, text: str) -> str:
    """A badge as SVG: a label on grey, and a text on blue."""
    left, right = (round(6.6 * len(part)) + 12 for part in (label, text))
    words = "".join(
        f'<text x="{x:g}" y="14">{part}</text>'
        for x, part in ((left / 2, label), (left + right / 2, text))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{label}: {text}"><title>{label}: {text}</title>'
        f'<clipPath id="round"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#round)"><rect width="{left}" height="20" fill="#555"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="#0b6fb8"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" '
        f'font-size="11">{words}</g></svg>\n'
    )


def boards() -> list[tuple[str, Scene]]:
    """The scenes of the picture, with their captions."""
    return [(caption, scene_of(*rest)) for caption, *rest in BOARDS]


def scene_of(name: str, level: int, seed: int, solved: bool) -> Scene:
    """The scene of a task, with its answer if wanted."""
    task = Address.of(name, seed, level).task()
    scene = None
    if solved and isinstance(task, Puzzle):
        scene = task.solved_scene(task.answer())
    scene = scene or Episode(task).turn.scene()
    assert scene is not None, f"{name} has no scene"
    return scene


def files() -> dict[Path, str]:
    """All files that are written, with their texts."""
    text = README.read_text("utf-8")
    for block, content in (("counts", counts()), ("categories", f"\n{table()}\n")):
        pattern = rf"(<!-- {block} -->)[^\0]*?(<!-- /{block} -->)"
        text, count = re.subn(pattern, rf"\g<1>{content}\g<2>", text)
        assert count, f"README.md has no block {block}"
    pictures = {
        IMAGES / f"boards-{theme}.svg": sheet(boards(), columns=3, side=250, theme=theme)
        for theme in THEMES
    }
    signs = {ASSETS / f"{name}.svg": badge(*parts) for name, parts in badges().items()}
    return {README: text, **pictures, **signs}


def main() -> None:
    """Write the files, or fail where one is out of date."""
    written = files()
    if "--write" in sys.argv[1:]:
        for file, text in written.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        return
    stale = [
        f.name for f, text in written.items() if not f.exists() or f.read_text("utf-8") != text
    ]
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `python docs/front_page.py --write`")


if __name__ == "__main__":
    main()
