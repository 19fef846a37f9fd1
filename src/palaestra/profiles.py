"""Profiles: how often a model solves the tasks of each environment and level.

``profiles.yaml`` contains the profiles of open models that this release brings; it is empty until
somebody measures some with ``palaestra profiles measure``. Evaluations and calibrations write the
same format into their folders. Cards show profiles, and curricula can start from one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from palaestra import catalog_file
from palaestra.extras import needs

FILE = "profiles.yaml"

IN_FOLDER = "profile.yaml"
"""The name of a profile in the folder of an evaluation or a calibration."""

HEAD = """\
# How often models solve the tasks of environments, by level: `pass_1` is the mean success rate of
# an attempt with its 95 % interval, `pass_8` the probability that one of eight attempts succeeds.
# Written by `palaestra profiles`, `palaestra eval` and `palaestra calibrate`.
"""

Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LevelProfile(_Plain):
    """The success of a model at a level: ``samples`` attempts at each of ``tasks`` tasks."""

    tasks: Count
    samples: Count
    pass_1: Rate
    low: Rate
    high: Rate
    pass_8: Rate | None = None
    """None with fewer than eight attempts at a task."""


class EnvironmentProfile(_Plain):
    """The success of a model in an environment, by level."""

    fingerprint: str | None
    """That of the catalog when it was measured; other tasks have another one."""

    levels: dict[Annotated[int, Field(ge=0)], LevelProfile]


class Profile(_Plain):
    """The success of a model in some environments."""

    model: Annotated[str, Field(min_length=1)]
    source: Literal["evaluation", "calibration"]
    """An evaluation plays held-out tasks, a calibration those of the training split."""

    palaestra: str
    """The version of the release that measured it."""

    date: str
    settings: dict[str, Any]
    """Sampling, answer format and whatever else decides how well a model does."""

    environments: dict[str, EnvironmentProfile]

    def rates(self, fingerprints: Mapping[str, str | None]) -> dict[str, dict[int, float]]:
        """Return the success rates by environment and level, of environments whose fingerprint is
        the one in ``fingerprints``.
        """
        return {
            env: {level: own.pass_1 for level, own in each.levels.items()}
            for env, each in self.environments.items()
            if each.fingerprint is not None and fingerprints.get(env) == each.fingerprint
        }

    def merged(self, later: "Profile") -> Self:
        """Return this profile with the levels of a later one, which replace its own.

        Levels of an environment whose fingerprint changed are dropped. Raises ``ValueError`` if
        the two are not of one model, or were not measured in the same way.
        """
        for name in ("model", "source", "settings"):
            if (ours := getattr(self, name)) != (theirs := getattr(later, name)):
                raise ValueError(
                    f"profiles of {self.model} with different {name} cannot be merged: "
                    f"{json.dumps(ours)} and {json.dumps(theirs)}"
                )
        environments = dict(self.environments)
        for env, new in later.environments.items():
            old = environments.get(env)
            kept = old.levels if old is not None and old.fingerprint == new.fingerprint else {}
            levels = dict(sorted({**kept, **new.levels}.items()))
            environments[env] = new.model_copy(update={"levels": levels})
        changes = {
            "environments": dict(sorted(environments.items())),
            "date": max(self.date, later.date),
            "palaestra": later.palaestra,
        }
        return self.model_copy(update=changes)


class _File(_Plain):
    format: Literal[1] = 1
    profiles: tuple[Profile, ...] = ()


@cache
def shipped() -> tuple[Profile, ...]:
    """The profiles of this release."""
    with needs("yaml", f"PyYAML, which reads a changed {FILE},"):
        content = catalog_file.read(Path(__file__).parent, "profiles")
    return _parsed(content, FILE)


def load(file: Path) -> tuple[Profile, ...]:
    """Return the profiles in a file. Raises ``ValueError`` for a file of another content, and
    ``OSError`` for none.
    """
    with needs("yaml", "PyYAML"):
        import yaml

    try:
        content = yaml.safe_load(file.read_text("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is not YAML: {' '.join(str(error).split())[:200]}") from None
    return _parsed(content or {}, str(file))


def of_model(model: str) -> Profile:
    """Return the profile of a model in this release.

    Raises ``ValueError`` for a model without one, with similar names.
    """
    known = {profile.model: profile for profile in shipped()}
    if model in known:
        return known[model]
    similar = get_close_matches(model, known, 2)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"it has {len(known)} profiles"
    raise ValueError(f"this release has no profile of {model[:200]!r}; {hint}")


def find(name: str) -> Profile:
    """Return the profile of a model in this release, or the only one in a file.

    Raises ``ValueError`` for neither, and for a file with another number of profiles.
    """
    if not Path(name).is_file():
        return of_model(name)
    contained = load(Path(name))
    if len(contained) != 1:
        raise ValueError(f"{name} contains {len(contained)} profiles, not one")
    return contained[0]


def of_environment(env: str, fingerprint: str | None) -> dict[str, dict[int, dict[str, Any]]]:
    """Return what this release knows of an environment: the levels of each model with its
    figures, unless its tasks have changed since.
    """
    return {
        profile.model: {
            level: figures.model_dump(exclude_none=True) for level, figures in own.levels.items()
        }
        for profile in shipped()
        if (own := profile.environments.get(env)) is not None and own.fingerprint == fingerprint
    }


def combined(profiles: Iterable[Profile]) -> tuple[Profile, ...]:
    """Return one profile for each model, merged from earlier to later ones.

    Raises ``ValueError`` as :meth:`Profile.merged` does.
    """
    by_model: dict[str, Profile] = {}
    for each in profiles:
        old = by_model.get(each.model)
        by_model[each.model] = each if old is None else old.merged(each)
    return tuple(by_model[model] for model in sorted(by_model))


def dump(profiles: Sequence[Profile]) -> str:
    """Return the content of a file with some profiles: YAML, a line for each level."""
    lines = [HEAD + "format: 1", "profiles:" if profiles else "profiles: []"]
    for profile in profiles:
        facts = profile.model_dump(exclude={"environments"})
        keys = [f"{name}: {json.dumps(value)}" for name, value in facts.items()]
        lines += [f"- {keys[0]}", *(f"  {key}" for key in keys[1:]), "  environments:"]
        if not profile.environments:
            lines[-1] += " {}"
        for env, own in profile.environments.items():
            lines += [
                f"    {json.dumps(env)}:",
                f"      fingerprint: {json.dumps(own.fingerprint)}",
            ]
            lines.append("      levels:" if own.levels else "      levels: {}")
            lines += [
                f"        {level}: {json.dumps(figures.model_dump(exclude_none=True))}"
                for level, figures in own.levels.items()
            ]
    return "\n".join([*lines, ""])


def write(profiles: Sequence[Profile], file: Path) -> None:
    """Write some profiles to a file, replacing it in one step."""
    catalog_file.write(file, dump(profiles).encode())


def _parsed(content: object, name: str) -> tuple[Profile, ...]:
    if not isinstance(content, Mapping):
        reason = "does not contain profiles, which are a mapping"
        raise ValueError(f"{name} {reason}")  # noqa: TRY004  the content is wrong, not the call
    try:
        profiles = _File.model_validate(content).profiles
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise ValueError(f"{name} does not contain profiles: {where}: {first['msg']}") from None
    return profiles
