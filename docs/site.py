"""Builds the documentation: the pages of this folder, and those that are made from the code.

    python docs/site.py [--out site] [--serve]

Made from the code are a page for each environment, an index for each category, the gallery and the
reference of the Python API. The result needs no network: fonts and scripts are part of it. Beside
the pages there are ``llms.txt``, an index for language models, and the Markdown of each page.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

import palaestra
from palaestra.catalog import Row, card, catalog
from palaestra.cli.openenv_report import report
from palaestra.episode import TAGS, Episode
from palaestra.registry import load, module_name, source_path
from palaestra.scenes import Scene
from palaestra.scenes.palette import THEMES
from palaestra.scenes.vectors import svg
from palaestra.task import Match, Puzzle, Task
from palaestra.testing.digests import all_digests
from palaestra.testing.record import FILE, listed

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build" / "docs"
CONFIG = ROOT / "mkdocs.yml"

RESULT = 500
"""How many characters of a result are shown in a transcript."""

LONG = 6_000
"""How many characters of a prompt are shown."""

REFERENCE = {
    "palaestra": "The package",
    "palaestra.task": "Tasks, knobs and scores",
    "palaestra.address": "Addresses",
    "palaestra.episode": "Episodes",
    "palaestra.scoring": "Scoring",
    "palaestra.catalog": "The catalog",
    "palaestra.scenes.elements": "Elements of scenes",
    "palaestra.scenes.raster": "Scenes as images",
    "palaestra.scenes.vectors": "Scenes as SVG",
    "palaestra.gym": "Gymnasium",
    "palaestra.zoo": "PettingZoo",
    "palaestra.client": "HTTP client",
    "palaestra.testing": "Conformance checks",
    "palaestra.verifiers.answers": "Answers",
    "palaestra.verifiers.quantities.quantity": "Quantities",
    "palaestra.verifiers.sandbox": "Sandbox",
    "palaestra.trainers.trl": "TRL",
    "palaestra.trainers.verl": "veRL",
}
"""The modules of the reference, with the titles of their pages."""


# ------------------------------------------------------------------ pages of environments


def title_of(name: str) -> str:
    """The name of an environment in words."""
    return name.partition("/")[2].replace("_", " ").capitalize()


def environment_page(name: str) -> dict[str, str]:
    """The page of an environment and its pictures, by path below ``environments/``."""
    row = card(name)
    category, _, own = name.partition("/")
    levels = row["levels"]
    shown = sorted({0, levels // 2, levels - 1})
    pictures: dict[str, str] = {}
    tasks = {level: palaestra.Address.of(name, 0, level).task() for level in shown}
    scene = scene_of(tasks[levels // 2])
    for theme in THEMES if scene else ():
        pictures[f"{category}/{own}-{theme}.svg"] = svg(scene, theme)  # type: ignore[arg-type]
    parts = [
        f"# {title_of(name)}",
        f"`{name}` · {row['kind']} · {', '.join(row['tags'])}",
        row["summary"],
        picture(f"{own}", title_of(name)) if scene else "",
        source(name),
        f"```sh\npalaestra play {name}\n```",
        "## Knobs",
        knobs(load(name), row),
        "## Examples",
        *(example(level, task) for level, task in tasks.items()),
        "## Measurements",
        measurements(row),
    ]
    return {f"{category}/{own}.md": "\n\n".join(filter(None, parts)) + "\n"} | pictures


def scene_of(task: Task) -> Scene | None:
    """What there is to see at the start."""
    return Episode(task).turn.scene()


def picture(stem: str, title: str) -> str:
    """A picture in the theme of the page."""
    return "\n".join(f"![{title}]({stem}-{theme}.svg#only-{theme})" for theme in THEMES)


def source(name: str) -> str:
    """Where the code is, and what the module says of the problem."""
    about = (import_module(module_name(name)).__doc__ or "").strip()
    return f"{about}\n\nSource: `{source_path(name)}`"


def knobs(environment: type[Task], row: Row) -> str:
    """The table of knobs: bounds, and the value at each level."""
    schema = environment.Knobs.model_json_schema()
    lines = ["| knob | allowed | value at each level |", "|---|---|---|"]
    for knob, rungs in row["knobs"].items():
        allowed = bounds(schema["properties"][knob], schema.get("$defs", {}))
        lines.append(f"| `{knob}` | {allowed} | {', '.join(map(str, rungs))} |")
    return "\n".join(lines)


def bounds(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """What a knob may be, in words."""
    if "$ref" in field:
        field = definitions[field["$ref"].rpartition("/")[2]]
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "minimum" in field:
        return f"{field['minimum']} to {field['maximum']}"
    return "yes or no" if field.get("type") == "boolean" else str(field.get("type", ""))


def example(level: int, task: Task) -> str:
    """The task of seed 0 at a level, with its solution."""
    prompt = shorten(Episode(task).observation, LONG)
    solution = "\n".join(reference_solution(task))
    body = f"~~~~text\n{prompt}\n~~~~\n\nA perfect reply:\n\n~~~~text\n{solution}\n~~~~"
    return f'??? example "Level {level}"\n\n{indent(body, "    ")}'


def reference_solution(task: Task) -> Iterator[str]:
    """The moves of the perfect player; in worlds with tools, with the results of calls.

    Replies that run programs are shown alone, so that the site can be built without a sandbox.
    """
    if isinstance(task, Puzzle | Match) or "sandboxed" in task.tags or not list(task.tools()):
        yield from map(TAGS.write, task.solve())
        return
    episode = Episode(task, "bare")
    for move in task.solve():
        yield f">>> {move}"
        episode.step(move)
        if episode.scores is not None:
            break
        yield shorten(episode.observation, RESULT)


def shorten(text: str, most: int) -> str:
    """The first characters of a text, with the number of those that are left out."""
    cut = len(text) - most
    return text if cut <= 0 else f"{text[:most]} [… {cut:,} more characters]"


def measurements(row: Row) -> str:
    """The measured card in words."""
    card = row.get("measured", {})
    if not card:
        return "Not measured yet."
    lines = ["| level | " + " | ".join(map(str, range(row["levels"]))) + " |"]
    lines.append("|---|" + "---:|" * row["levels"])
    for key, title in (
        ("difficulty", "difficulty (effort of the solver)"),
        ("random_baseline", "a random guess earns"),
        ("floor", "players without skill earn at most"),
        ("baseline", "the best player without search earns"),
        ("tokens", "tokens of the prompt"),
        ("moves", "moves of a perfect player"),
    ):
        values = card.get(key)
        if isinstance(values, list):
            lines.append(f"| {title} | " + " | ".join(map(str, values)) + " |")
    for model, own in row.get("profiles", {}).items():
        rates = (f"{own[n]['pass_1']:.2f}" if n in own else "–" for n in range(row["levels"]))
        lines.append(f"| success of {model} | " + " | ".join(rates) + " |")
    sentence = (
        f"At the middle level it takes {card.get('sample_us', '?')} µs to generate a task and "
        f"{card.get('verify_us', '?')} µs to judge a reply; {100 * card.get('duplicates', 0):g} % "
        "of 1,000 seeds repeat a task."
    )
    if "tasks" in card:
        sentence += f" Players were measured on {card['tasks']} tasks of each level."
    return "\n".join(lines) + f"\n\n{sentence}"


# ------------------------------------------------------------------ indexes, gallery, reference


def indexes(names: Mapping[str, list[str]], pictured: set[str]) -> dict[str, str]:
    """The index of all environments, one for each category, and the gallery."""
    rows = catalog()
    pages = {}
    whole = ["# Environments", f"{len(rows)} environments in {len(names)} categories."]
    for category, members in names.items():
        about = (import_module(f"palaestra.envs.{category}").__doc__ or "").strip()
        lines = ["| environment | task | levels |", "|---|---|---:|"]
        for name in members:
            link = f"[{title_of(name)}]({name.partition('/')[2]}.md)"
            lines.append(f"| {link} | {rows[name]['summary']} | {rows[name]['levels']} |")
        head = f"# {category.capitalize()}\n\n{about}\n\n"
        pages[f"{category}/index.md"] = head + "\n".join(lines)
        whole += [f"## [{category.capitalize()}]({category}/index.md)", about]
        whole.append(", ".join(f"[{title_of(n)}]({n}.md)" for n in members))
    pages["index.md"] = "\n\n".join(whole)
    pages["gallery.md"] = gallery(names, pictured)
    return pages


def gallery(names: Mapping[str, list[str]], pictured: set[str]) -> str:
    """All environments with a picture, at their middle levels, seed 0."""
    parts = ["# Gallery", f"{len(pictured)} environments describe what there is to see."]
    for category, members in names.items():
        seen = [name for name in members if name in pictured]
        if not seen:
            continue
        parts.append(f"## {category.capitalize()}")
        figures = (
            f'<a class="shot" href="{name}.md">'
            + "".join(
                f'<img loading="lazy" alt="" src="{name}-{theme}.svg#only-{theme}">'
                for theme in THEMES
            )
            + f"<span>{title_of(name)}</span></a>"
            for name in seen
        )
        parts.append('<div class="gallery">\n' + "\n".join(figures) + "\n</div>")
    return "\n\n".join(parts)


def reference() -> dict[str, str]:
    """A page for each module of the reference, and their index."""
    pages = {}
    lines = ["# Reference", "Made from the docstrings.", ""]
    for module, title in REFERENCE.items():
        spec = find_spec(module)
        text = Path(spec.origin).read_text("utf-8") if spec and spec.origin else ""
        first = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
        lines.append(f"- [{title}]({module}.md): `{module}`. {first}")
        pages[f"{module}.md"] = f"# {title}\n\n::: {module}\n"
    return {"index.md": "\n".join(lines)} | pages


# ------------------------------------------------------------------ for language models


def llms_txt(config: Mapping[str, Any], folder: Path, categories: Iterable[str]) -> str:
    """The index of the documentation for language models, in the form of llms.txt.

    It lists the pages of the navigation, which are Markdown in ``folder``, with the first sentence
    of each, and at last the indexes of the categories of environments. The reference is left out,
    as its pages are made of docstrings when the site is built.
    """
    parts = [f"# {config['site_name']}", f"> {config['site_description']}"]
    for section in config["nav"]:
        ((title, entries),) = section.items()
        if title == "Reference":
            continue
        entries = entries if isinstance(entries, list) else [{title: entries}]
        parts.append(f"## {title}\n\n" + "\n".join(_entries(entries, folder)))
    indexes = (f"environments/{category}/index.md" for category in categories)
    parts.append("## Optional\n\n" + "\n".join(_entries(indexes, folder)))
    return "\n\n".join(parts) + "\n"


def _entries(entries: Iterable[Any], folder: Path) -> Iterator[str]:
    """A line for each page of a part of the navigation, nested ones included."""
    for entry in entries:
        title, page = next(iter(entry.items())) if isinstance(entry, dict) else ("", entry)
        if isinstance(page, list):
            yield from _entries(page, folder)
            continue
        text = (folder / page).read_text("utf-8")
        title = title or text.partition("\n")[0].removeprefix("# ")
        about = first_sentence(text)
        yield f"- [{title}]({page})" + (f": {about}" if about else "")


def first_sentence(page: str) -> str:
    """The first sentence of a page as plain text; blank for a page without any."""
    flags = re.DOTALL | re.MULTILINE
    page = re.sub(r"\A---\n.*?\n---\n|^ *(```|~~~~).*?^ *\1$", "", page, flags=flags)
    paragraphs = (" ".join(part.split()) for part in page.split("\n\n"))
    text = next((part for part in paragraphs if part and part[0] not in "#<!|-?"), "")
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("**", "")
    return re.split(r"(?<=[.?])\s", text, maxsplit=1)[0]


def publish_sources(config: Mapping[str, Any], source: Path, out: Path) -> None:
    """Put llms.txt into a site, and the pages in Markdown that it and they link to."""
    for file in source.rglob("*.md"):
        path = file.relative_to(source)
        if path.parts[0] != "reference":
            target = out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    categories = sorted({name.partition("/")[0] for name in catalog()})
    (out / "llms.txt").write_text(llms_txt(config, source, categories), "utf-8")


# ------------------------------------------------------------------ validation


def validation() -> dict[str, str]:
    """The reports of OpenEnv's validation as lines of JSON, and the page with their table.

    They are of the environments that ``checks.txt`` lists with their current digests.
    """
    passed, digests = listed(ROOT / FILE), all_digests()
    reports = [
        report(name, {}, digests[name], recorded=True)
        for name in catalog()
        if digests[name] in passed.get(name, ())
    ]
    lines = ["| environment | passed | skipped | failed | verdict |", "|---|---:|---:|---:|---|"]
    for each in reports:
        statuses = [result["status"] for result in each["results"]]
        counts = " | ".join(str(statuses.count(status)) for status in ("pass", "skip", "fail"))
        lines.append(f"| `{each['target']}` | {counts} | {each['verdict']} |")
    page = (DOCS / "openenv_validation.md").read_text("utf-8")
    table = "\n".join(lines)
    return {
        "openenv_validation.jsonl": "".join(f"{json.dumps(each)}\n" for each in reports),
        "openenv_validation.md": f"{page}\n## Environments\n\n[As lines of JSON]"
        f"(openenv_validation.jsonl), {len(reports)} of {len(catalog())}.\n\n{table}\n",
    }


# ------------------------------------------------------------------ building


def write(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages below a folder."""
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def prepare() -> Path:
    """Write all sources of the site, and the configuration that lists them; return the latter."""
    shutil.rmtree(BUILD, ignore_errors=True)
    own = shutil.ignore_patterns("*.py", "*.yaml", "__pycache__")
    shutil.copytree(DOCS, BUILD / "src", ignore=own)
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8").replace("](docs/", "](")
    (BUILD / "src" / "changelog.md").write_text(changes, "utf-8")
    # The reference is read from a copy, where the links in src/palaestra are folders.
    ignored = shutil.ignore_patterns("__pycache__")
    package = BUILD / "package" / "palaestra"
    shutil.copytree(ROOT / "src" / "palaestra", package, ignore=ignored)
    for folder in package.rglob("*/"):
        (folder / "__init__.py").touch()  # namespace packages are not looked into
    names: dict[str, list[str]] = defaultdict(list)
    for name in catalog():
        names[name.partition("/")[0]].append(name)
    pictured = set()
    with ProcessPoolExecutor() as pool:
        for name, pages in zip(catalog(), pool.map(environment_page, catalog(), chunksize=4)):
            write(BUILD / "src" / "environments", pages)
            if len(pages) > 1:
                pictured.add(name)
    write(BUILD / "src" / "environments", indexes(names, pictured))
    write(BUILD / "src" / "reference", reference())
    write(BUILD / "src", validation())
    config = yaml.load(CONFIG.read_text("utf-8"), yaml.SafeLoader)
    config |= {"docs_dir": "src", "site_dir": "site"}
    _extend(config["nav"], "Environments", _environments(names))
    _extend(config["nav"], "Reference", [f"reference/{module}.md" for module in REFERENCE])
    file = BUILD / "mkdocs.yml"
    file.write_text(yaml.safe_dump(config, sort_keys=False), "utf-8")
    return file


def _environments(names: Mapping[str, list[str]]) -> list[Any]:
    """The part of the navigation that lists environments by category."""
    parts: list[Any] = []
    for category, members in names.items():
        pages = [f"environments/{category}/index.md", *(f"environments/{n}.md" for n in members)]
        parts.append({category.capitalize(): pages})
    return parts


def _extend(nav: list[Any], title: str, pages: list[Any]) -> None:
    section = next(part[title] for part in nav if title in part)
    section += pages


def main() -> None:
    """Build the site, or serve it while it is written."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "site")
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    config = prepare()
    run = partial(subprocess.run, cwd=BUILD, check=False)
    if options.serve:
        sys.exit(run([sys.executable, "-m", "zensical", "serve", "-f", str(config)]).returncode)
    build = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = run([*build, "-f", str(config)])
    if done.returncode:
        sys.exit(done.returncode)
    shutil.rmtree(options.out, ignore_errors=True)
    shutil.copytree(BUILD / "site", options.out)
    own = yaml.load(CONFIG.read_text("utf-8"), yaml.SafeLoader)
    publish_sources(own, BUILD / "src", options.out)


if __name__ == "__main__":
    main()
