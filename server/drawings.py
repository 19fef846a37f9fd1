"""Scenes as JSON: what there is to see in a task or a session, as elements and as shapes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from msgspec import to_builtins

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.extras import MissingExtra
from palaestra.observations import NoImages, Observation, View, opening_with_images
from palaestra.scenes import Cell, Scene
from palaestra.scenes.entries import CellsEntry, Entry, names_of
from palaestra.scenes.layouts import cell_shapes, drawing
from palaestra.scenes.loops import LoopEntry
from palaestra.server.plan_boards import PicturedPlan, plan_board
from palaestra.server.problems import ImagesUnavailable, InvalidRequest
from palaestra.task import InvalidAnswer, Puzzle

NOTHING: dict[str, Any] = {"scene": None, "drawing": None}


def drawn_at(address: str, answer: str | None) -> dict[str, Any]:
    """The scene of a task, as worker processes are asked for it."""
    task = Address.parse(address).task()
    scene, reason = None, ""
    if answer is not None and isinstance(task, Puzzle):
        try:
            if len(answer) > task.longest:
                raise InvalidAnswer(f"an answer has at most {task.longest:,} characters", "limit")
            scene = task.solved_scene(answer)
        except InvalidAnswer as error:
            reason = str(error)
        else:
            reason = "" if scene else "answers to this task are not drawn"
    fields = fields_of(scene or Episode(task).turn.scene())
    if isinstance(task, PicturedPlan):
        return fields | {"reason": reason, "entry": plan_board(task, answer)}
    entry = task.entry() if isinstance(task, Puzzle) else None
    return fields | {"reason": reason, "entry": entry and entry_fields(entry, fields["drawing"])}


@contextmanager
def image_problems() -> Iterator[None]:
    """Turn errors of images into those that the service reports."""
    try:
        yield
    except NoImages as error:
        raise InvalidRequest(str(error), "/observation") from None
    except MissingExtra:
        raise ImagesUnavailable("this service runs without palaestra[pictures]") from None


def opened_with_image(
    address: str, answer_format: str, observation: Observation, image_size: int
) -> dict[str, Any]:
    """A task as its player receives it, with an image, as JSON values.

    Raises :class:`InvalidRequest` where the environment has no images, and
    :class:`ImagesUnavailable` without Pillow.
    """
    with image_problems():
        view = View(observation, image_size)
        return asdict(opening_with_images(Address.parse(address), answer_format, view))


def entry_fields(entry: Entry, shapes: dict[str, Any] | None) -> dict[str, Any] | None:
    """How an answer is written, with the shapes of symbols that are put into cells.

    None where a drawing lacks an element of the entry, as that of a graph drawn as a matrix does.
    """
    if shapes is None or not {*names_of(entry)} <= {s.get("name") for s in shapes["shapes"]}:
        return None
    fields: dict[str, Any] = to_builtins(entry)
    if isinstance(entry, CellsEntry) and not isinstance(entry, LoopEntry):
        looks = entry.looks or [Cell(symbol, tone="accent") for symbol in entry.symbols]
        fields["shapes"] = [to_builtins(cell_shapes(look, "dots")) for look in looks]
    return fields


def fields_of(scene: Scene | None) -> dict[str, Any]:
    """A scene and its shapes as JSON has them."""
    if scene is None:
        return NOTHING
    return {"scene": to_builtins(scene), "drawing": to_builtins(drawing(scene))}
