"""What goes over the wire: requests with their limits, and answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

REPLY_CHARACTERS = 1 << 20
REPLIES = 500
BATCH = 1_024
TASKS = 10_000
BODY_BYTES = 32 << 20

Reply = Annotated[str, Field(max_length=REPLY_CHARACTERS)]
Style = Literal["tags", "boxed", "bare"]
Text = Annotated[str, Field(max_length=2_000)]


class Model(BaseModel):
    """A request says nothing beyond what is known."""

    model_config = ConfigDict(extra="forbid")


class Range(Model):
    """Seeds in a row."""

    start: int = Field(0, ge=0)
    count: int = Field(1, ge=1, le=TASKS)


class Wish(Model):
    """A wish for tasks: of which environment, how hard, which seeds of which split."""

    env: Text
    level: int = Field(0, ge=0, le=1_000)
    knobs: dict[Text, int | float | bool | Text] = {}
    seeds: Annotated[list[int], Field(min_length=1, max_length=TASKS)] | Range = Range()
    split: Literal["train", "eval"] = "train"
    style: Style = "tags"


class Drawn(BaseModel):
    """A task as its player meets it."""

    address: str
    messages: list[dict[str, str]]
    tools: list[dict[str, Any]] = []


class Tasks(BaseModel):
    """The tasks that were wished for."""

    tasks: list[Drawn]


class Scoring(Model):
    """A task, by its address, and all that was replied to it."""

    address: Text
    replies: Annotated[list[Reply], Field(max_length=REPLIES)] | Reply
    style: Style = "tags"


class Batch(Model):
    """Many of them, of any environments."""

    items: list[Scoring] = Field(max_length=BATCH)


class Grouping(Model):
    """Several responses to one task."""

    address: Text
    responses: list[Annotated[list[Reply], Field(max_length=REPLIES)] | Reply] = Field(
        min_length=1, max_length=BATCH
    )
    style: Style = "tags"
    transforms: list[Text] = Field([], max_length=20)


class Result(BaseModel):
    """A score. ``value`` is null where it is our fault that there is none; ``error`` says why."""

    value: float | None
    correct: bool | None
    status: str
    reason: str
    parts: dict[str, float] = {}
    extracted: str | None = None
    address: str
    fingerprint: str | None = None
    micros: int = 0
    error: str | None = None


class Results(BaseModel):
    """The scores of a batch, in the order of its items."""

    results: list[Result]


class GroupResult(Results):
    """The scores of a group, and what is made of them together."""

    transforms: dict[str, Any] = {}


class Page(BaseModel):
    """Cards of environments, and where the next ones start."""

    environments: list[dict[str, Any]]
    next: str | None = None
