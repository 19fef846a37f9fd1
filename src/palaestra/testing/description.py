"""Checks of how an environment is described: its class, its levels and its knobs."""

import sys
from itertools import pairwise
from typing import Any, Literal, get_origin

from palaestra.address import Address
from palaestra.episode import BARE
from palaestra.registry import canonical, class_name, load, summary
from palaestra.scoring import score
from palaestra.task import KnobError, Match, Task


def check_described(name: str) -> None:
    """The class says in one line what to do, is tagged, and its file names its source."""
    task_type = load(name)
    expected = class_name(canonical(name))
    assert task_type.__name__ == expected, f"the class is called {expected}"
    assert summary(task_type).endswith("."), "the docstring's first line is one full sentence"
    assert len(summary(task_type)) <= 100, "which fits a table"
    assert task_type.tags, "a few tags to find it by"
    texts = [sys.modules[task_type.__module__].__doc__ or "", summary(task_type), *task_type.tags]
    assert not any("TODO" in text for text in texts), (
        "the docstrings and tags of the template are to be replaced, see TODO"
    )
    assert sys.modules[task_type.__module__].__doc__, (
        "the file's docstring says where it comes from"
    )
    assert all(field in task_type.model_fields for field in task_type.hidden), (
        "hidden fields are fields"
    )


def check_levels(name: str) -> None:
    """There are three levels at least, each with other knobs than the one below, all bounded."""
    knobs = load(name).Knobs
    rungs = [knobs.at(level) for level in range(knobs.levels())]
    assert len(rungs) >= 3, "three levels at least"
    assert all(low != high for low, high in pairwise(rungs)), "two levels are the same"
    for knob, field in knobs.model_fields.items():
        assert knobs.ladders()[knob], f"knob {knob} is a ladder"
        if field.annotation is bool:
            continue
        if field.annotation in (int, float):
            outside: Any = -(10**9)
        else:
            assert get_origin(field.annotation) is Literal, f"knob {knob} of words is a Literal"
            outside = "no such word"
        assert knob in refusal(knobs, knob, outside), f"knob {knob} takes {outside!r}"


def refusal(knobs: type[Task.Knobs], knob: str, value: Any) -> str:
    """What is said when a knob is set to a value; nothing where it is taken."""
    try:
        knobs.at(0, **{knob: value})
    except KnobError as error:
        return str(error)
    return ""


def check_bounds(name: str) -> None:
    """At both ends of what a knob may be set to by hand there are tasks, and they are solved."""
    knobs = load(name).Knobs
    for knob, schema in knobs.model_json_schema()["properties"].items():
        ends = [schema[end] for end in ("minimum", "maximum") if end in schema]
        for value in schema.get("enum", ends):
            instance = Address.of(name, 0, 0, **{knob: value}).task()
            solved = (
                isinstance(instance, Match) or score(instance, instance.solve(), BARE).value == 1
            )
            assert solved, f"with {knob}={value} the oracle is wrong"
