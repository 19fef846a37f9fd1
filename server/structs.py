"""What goes over the wire on the hot routes: scores, batches and steps, read by msgspec.

Requests say nothing beyond what is known, and their bounds are part of their types, so that the one
OpenAPI document is made from what is really enforced.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

REPLY_CHARACTERS = 1 << 20
REPLIES = 500
BATCH = 1_024
STEPS = 512
BODY_BYTES = 32 << 20
TIMEOUT_MS = 60_000

Reply = Annotated[
    str, Meta(max_length=REPLY_CHARACTERS, examples=["Why not: <answer>123</answer>"])
]
Text = Annotated[str, Meta(max_length=2_000)]
Task = Annotated[str, Meta(max_length=2_000, examples=["games/mastermind?level=1&seed=7"])]
"""An address."""

AnswerFormat = Literal[
    "tags", "tags-last", "tags-truncated", "tags-last-truncated",
    "boxed", "boxed-same", "boxed-truncated", "boxed-same-truncated",
    "bare",
]  # fmt: skip
Recipe = Annotated[str, Meta(max_length=1_000, examples=["Format() * Truth()"])]


Count = Annotated[int, Meta(ge=0, le=1 << 30)]


class TranscriptInfo(Struct, forbid_unknown_fields=True):
    """What a recipe may want to know of how the last reply was given."""

    tokens: Count | Annotated[list[Count], Meta(max_length=1 << 18)] | None = None
    """The ids of its tokens, or just how many there are."""

    limit: Count | None = None
    """How many it might have had."""

    target: Count | None = None
    """How many its prompt asked for."""

    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    """The probability of being right, where it is known otherwise than from the text."""


class ScoreRequest(Struct, forbid_unknown_fields=True):
    """A task, by its address, and all that was replied to it."""

    address: Task
    replies: Reply | Annotated[list[Reply], Meta(max_length=REPLIES)]
    answer_format: AnswerFormat = "tags"
    timeout_ms: Annotated[int, Meta(ge=1, le=TIMEOUT_MS)] = TIMEOUT_MS
    """How long judging may take, once it has begun."""

    recipe: Recipe | None = None
    """What a reward is to be made of: ``Truth(partial=0) + 0.5 * SoftOverlong(limit=8192)``."""

    transcript: TranscriptInfo | None = None


class BatchRequest(Struct, forbid_unknown_fields=True):
    """Many of them, of any environments."""

    items: Annotated[list[ScoreRequest], Meta(max_length=BATCH)]
    order: Literal["index", "completion"] = "index"
    """Whether the scores come in the order of the items or as they are done; ``index`` says which
    item a score is of."""


class Result(Struct, omit_defaults=False):
    """A score. ``value`` is null where it is our fault that there is none; ``error`` says why."""

    value: float | None
    correct: bool | None
    status: str
    reason: str
    address: str
    parts: dict[str, float] = {}
    extracted: str | None = None
    fingerprint: str | None = None
    micros: int = 0
    error: str | None = None
    index: int | UnsetType = UNSET
    reward: float | UnsetType | None = UNSET
    """What the recipe gives, where one was told."""


class Results(Struct):
    """The scores of a batch."""

    results: list[Result]


class StepRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    """A reply in a session: ``step`` is how many there were before it."""

    step: Annotated[int, Meta(ge=0, le=REPLIES)]
    move: Reply
    transcript: TranscriptInfo | None = None
    """How the reply was given, which the recipe of the session may want to know at its end."""


class SessionStep(StepRequest, forbid_unknown_fields=True, kw_only=True):
    """The same with the session that it is made in."""

    session: Annotated[str, Meta(max_length=64)]


class StepBatch(Struct, forbid_unknown_fields=True):
    """Moves in many sessions, one in each."""

    items: Annotated[list[SessionStep], Meta(max_length=STEPS)]


class SessionState(Struct, omit_defaults=False):
    """Where a session stands: what its player reads, what the last move earned, and in the end the
    score. Only whole transcripts carry ``messages``.
    """

    session: str
    address: str
    step: int
    """How many replies there were."""

    done: bool
    player: int
    observation: str
    reward: float
    """What the last reply earned; ``earned`` is the sum of all."""

    earned: float
    content: list[dict[str, Any]] | UnsetType = UNSET
    """In sessions with images, the observation as the parts of a chat message."""

    legal_moves: list[str] | None = None
    state: str | None = None
    """A canonical name of what its player knows, such as a board; in the end, of what was known
    when the last move was made."""

    score: Result | None = None
    messages: list[dict[str, Any]] | UnsetType = UNSET
    tools: list[dict[str, Any]] | UnsetType = UNSET
    error: str | None = None
    """In batches, why this one move was not made."""

    detail: str | None = None


class OpenedSessions(Struct):
    """Sessions that were opened."""

    sessions: list[SessionState]


class SessionStates(Struct):
    """What came of many moves, in their order."""

    results: list[SessionState]
