"""What goes over the wire on all but the hot routes: requests with their limits, and answers."""

from typing import Annotated, Any, Literal, Self

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from palaestra.observations import LARGEST, SIZE, SMALLEST
from palaestra.server.structs import BATCH, REPLIES, REPLY_CHARACTERS, AnswerFormat

TASKS = 10_000
ILLUSTRATED = 256
"""How many tasks with images one response has at most; a stream of lines has no such limit."""

Observation = Literal["text", "image", "both"]

Reply = Annotated[str, Field(max_length=REPLY_CHARACTERS)]
Text = Annotated[str, Field(max_length=2_000)]
Task = Annotated[str, Field(max_length=2_000, examples=["games/mastermind?level=1&seed=7"])]
"""An address."""

Env = Annotated[str, Field(max_length=2_000, examples=["logic/knights_and_knaves"])]


def _whole(value: Any) -> Any:
    """A whole number that is written like 5.0, as JSON Schema allows it, for what it is. True is no
    number.
    """
    if isinstance(value, bool):
        raise ValueError("this is a whole number, and not true or false")  # noqa: TRY004
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
Int = Annotated[int, WHOLE]


class RequestModel(BaseModel):
    """A request says nothing beyond what is known, and says it as it is: "1" is no 1."""

    model_config = ConfigDict(extra="forbid", strict=True)


ImageSize = Annotated[Int, Field(ge=SMALLEST, le=LARGEST)]
"""The width and height of images in pixels."""


class SeedRange(RequestModel):
    """Seeds in a row."""

    start: Int = Field(0, ge=0)
    count: Int = Field(1, ge=1, le=TASKS)


class TasksRequest(RequestModel):
    """A wish for tasks: of which environment, how hard, which seeds of which split."""

    env: Env
    level: Int = Field(0, ge=0, le=1_000)
    knobs: dict[Text, int | float | bool | Text] = {}
    seeds: Annotated[list[Int], Field(min_length=1, max_length=TASKS)] | SeedRange = SeedRange()
    split: Literal["train", "eval"] = "train"
    answer_format: AnswerFormat = "tags"
    observation: Observation = "text"
    image_size: ImageSize = SIZE


class TaskOpening(BaseModel):
    """A task as its player meets it. With images, the content of a message is a list of parts."""

    address: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = []


class TasksResponse(BaseModel):
    """The tasks that were wished for."""

    tasks: list[TaskOpening]


Count = Annotated[Int, Field(ge=0, le=1 << 30)]
Recipe = Annotated[str, Field(max_length=1_000, examples=["Format() * Truth()"])]


class ResponseTranscript(RequestModel):
    """What a recipe may want to know of how the last reply was given."""

    tokens: Count | Annotated[list[Count], Field(max_length=1 << 18)] | None = None
    limit: Count | None = None
    target: Count | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


class GroupRequest(RequestModel):
    """Several responses to one task; ``transcripts`` say how each of them was given."""

    address: Task
    responses: list[Annotated[list[Reply], Field(max_length=REPLIES)] | Reply] = Field(
        min_length=1, max_length=BATCH
    )
    answer_format: AnswerFormat = "tags"
    transforms: list[Text] = Field([], max_length=20)
    recipe: Recipe | None = None
    transcripts: Annotated[list[ResponseTranscript | None], Field(max_length=BATCH)] | None = None

    @model_validator(mode="after")
    def _has_as_many_transcripts(self) -> Self:
        if self.transcripts is not None and len(self.transcripts) != len(self.responses):
            raise ValueError("there are as many transcripts as responses, null for one not known")
        return self


class SceneRequest(RequestModel):
    """A task whose scene is wanted, with an answer to draw in, without the marks of its format."""

    address: Task
    answer: Reply | None = None


class CheckRequest(RequestModel):
    """A task with an answer that may be incomplete, without the marks of its format."""

    address: Task
    answer: Reply = ""
    lines: list[Annotated[str, Field(pattern=r"^[hv][0-9]{1,3}-[0-9]{1,3}$")]] = Field(
        default_factory=list, max_length=4_000
    )
    """The lines of a loop that is drawn so far; see ``entry`` of the scene."""


SessionName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class SessionRequest(RequestModel):
    """A wish for sessions of one task: by its address, or by environment, level and seed."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": [name], "properties": {name: {"type": "string"}}}
                for name in ("address", "env")
            ]
        }
    )

    address: Task | None = None
    env: Env | None = None
    level: Int = Field(0, ge=0, le=1_000)
    knobs: dict[Text, int | float | bool | Text] = {}
    seed: Int = Field(0, ge=0)
    split: Literal["train", "eval"] = "train"
    answer_format: AnswerFormat = "tags"
    n: Int = Field(1, ge=1, le=512)
    seats: Annotated[list[Int], Field(min_length=1, max_length=16)] | None = None
    recipe: Recipe | None = None
    observation: Observation = "text"
    image_size: ImageSize = SIZE

    @model_validator(mode="after")
    def _names_a_task(self) -> Self:
        if (self.address is None) == (self.env is None):
            raise ValueError("a task is named by its address, or by its env, level and seed")
        return self


class ForkRequest(RequestModel):
    """How many forks are wished for."""

    n: Int = Field(1, ge=1, le=512)


class RewindRequest(RequestModel):
    """How many replies are to be left."""

    step: Int = Field(ge=0, le=REPLIES)


class GroupScore(BaseModel):
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
    reward: float | None = None
    """What the recipe gives, where one was told."""


class GroupResult(BaseModel):
    """The scores of a group, and what is made of them together."""

    results: list[GroupScore]
    transforms: dict[str, Any] = {}


class EnvironmentPage(BaseModel):
    """Cards of environments, and where the next ones start."""

    environments: list[dict[str, Any]]
    next: str | None = None
