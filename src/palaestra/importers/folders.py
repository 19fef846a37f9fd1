"""Folders of environments, as an import writes them."""

import importlib
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from palaestra import address, registry
from palaestra.registry import LOCAL, class_name, is_ours, names

_RELEASE = re.compile(r'^    (?:release|digest) = "([^"\n]{1,80})"$', re.MULTILINE)
_VERSION = re.compile(r"^    version = (\d{1,6})$", re.MULTILINE)


def chosen(only: Collection[str], known: Iterable[str], missing: str) -> list[str]:
    """The known names, all or only some of them, in their order.

    Raises ``ValueError`` with near matches for one that is not known; ``missing`` begins the
    message, as in "reasoning-gym has no family".

    >>> chosen(["b"], ["a", "b"], "there is no letter"), chosen([], ["a", "b"], "")
    (['b'], ['a', 'b'])
    """
    names = list(known)
    for name in only:
        if name not in names:
            near = get_close_matches(name, names, 3, 0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise ValueError(f"{missing} {name[:60]!r}{hint}")
    return [name for name in names if not only or name in only]


def written_class(text: str, name: str) -> Any:
    """The environment of a file that an import wrote, by its name with the category."""
    namespace: dict[str, Any] = {"__name__": "palaestra.importers.written"}
    exec(compile(text, f"<{name}>", "exec"), namespace)  # noqa: S102  it is our own text
    return namespace[class_name(name)]


class BadTarget(ValueError):
    """A folder or a name that an import cannot write to."""


def checked_category(category: str) -> str:
    """A category that environments of others may have.

    Raises :class:`BadTarget` for one of Palaestra, and for what is no name.
    """
    if not re.fullmatch(r"[a-z]\w{0,60}", category, re.ASCII):
        raise BadTarget(f"a category is a name in lower case such as rg, not {category[:60]!r}")
    if any(is_ours(name) for name in names() if name.startswith(f"{category}/")):
        raise BadTarget(f"the category {category!r} is one of palaestra; choose another one")
    return category


def existing(folder: Path, category: str, name: str) -> str:
    """The text of an environment's file, or nothing where there is none."""
    file = folder / category / f"{name}.py"
    return file.read_text("utf-8") if file.is_file() else ""


def next_version(text: str, release: str) -> int:
    r"""The version of an environment that replaces a file: one more where its release, or the
    digest of its data, differs.

    >>> next_version('    version = 3\n    release = "1.0"', "1.1")
    4
    """
    version, before = _VERSION.search(text), _RELEASE.search(text)
    number = int(version[1]) if version else 1
    return number + 1 if before and before[1] != release else number


def write_category(
    folder: Path, category: str, summary: str, files: Mapping[str, str], replace: bool = False
) -> list[Path]:
    """Write the files of a category, by the names of its environments; return their paths.

    Raises :class:`BadTarget` for a file that exists, unless ``replace``, before any is written.
    """
    package = folder / checked_category(category)
    paths = {package / f"{name}.py": text for name, text in files.items()}
    if not replace and (taken := [path for path in paths if path.exists()]):
        more = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
        raise BadTarget(f"{taken[0]}{more} already exists; --replace writes over it")
    package.mkdir(parents=True, exist_ok=True)
    init = package / "__init__.py"
    if not init.exists():
        init.write_text(f'"""{summary}"""\n', "utf-8")
    for path, text in paths.items():
        path.write_text(text, "utf-8")
        # Python tells a replaced source by its second and size: both may be as they were.
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
    _forget(category, files)
    return list(paths)


def _forget(category: str, names: Iterable[str]) -> None:
    """Have this process find environments that were written, and read those again that were
    replaced.
    """
    for module_name in (category, *(f"{category}.{name}" for name in names)):
        sys.modules.pop(f"{LOCAL}.{module_name}", None)
    importlib.invalidate_caches()
    for module in (registry, address):
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()
