"""The registry of named verifiers: what an entry is, and how a verifier is built from JSON."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from palaestra.verifiers.verifier import GoldError, Judge

GOLD_CHARACTERS = 4 << 20
"""How many characters of JSON a gold and its options may have together."""

Runs = Literal["worker", "sandbox"]
"""Where a verifier runs in a service: a worker process, or one that has a sandbox."""

Reads = Literal["answer", "reply", "raw"]
"""What a verifier judges: an answer, which the answer format extracts from a reply; a whole reply,
whose answer it finds by itself unless an answer format is named; or a reply as it is, with its
reasoning.
"""

Text = Annotated[str, Field(max_length=20_000)]
ShortText = Annotated[str, Field(max_length=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Texts = Annotated[list[Text], Field(min_length=1, max_length=1_000)]
Share = Annotated[float, Field(ge=0, le=1)]
JsonObject = dict[str, Any]


class UnknownVerifier(LookupError):
    """There is no verifier of that name; the message names similar ones."""


class BadField(GoldError):
    """A gold or an option is not as its schema requires, or no verifier can be built from it.

    ``pointer`` is a JSON Pointer to it, such as ``/options/relative``.
    """

    def __init__(self, message: str, pointer: str) -> None:
        super().__init__(message)
        self.pointer = pointer


class Model(BaseModel):
    """A part of a gold: it has no unknown fields, and values have the type that JSON gives them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Options(Model):
    """The options of a verifier, all of which have defaults."""

    def build(self, gold: Any) -> Judge:
        """The verifier. Raises :class:`GoldError` for what makes no sense together."""
        raise NotImplementedError

    def build_bare(self, gold: Any) -> Judge:
        """The verifier of answers that an answer format has extracted."""
        return self.build(gold)

    def fields(self) -> dict[str, Any]:
        """The options by name, as arguments of a verifier."""
        return {name: getattr(self, name) for name in type(self).model_fields}


class Example(NamedTuple):
    """A gold, a reply that is right, and options."""

    gold: Any
    reply: str
    options: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Entry:
    """A named verifier."""

    name: str
    judges: str
    """What it judges, in a few words."""

    gold_type: Any
    options: type[Options]
    page: str
    """The page of the documentation, below ``docs/verifiers``."""

    example: Example

    runs: Runs = "worker"
    reads: Reads = "answer"
    extra: str = ""
    """The extra of the package that it requires, if any."""

    inner: Callable[[Any], Iterator[Any]] | None = None
    """The verifiers inside a gold, which is plain JSON that nobody has checked."""

    @cached_property
    def gold(self) -> TypeAdapter[Any]:
        """What reads its gold."""
        config = None if _is_model(self.gold_type) else ConfigDict(strict=True, allow_inf_nan=False)
        return TypeAdapter(self.gold_type, config=config)

    def described(self) -> dict[str, Any]:
        """The entry as a JSON object, with the schemas of its gold and its options."""
        return {
            "name": self.name,
            "judges": self.judges,
            "reads": self.reads,
            "runs": self.runs,
            "extra": self.extra or None,
            "page": f"verifiers/{self.page}",
            "example": self.example._asdict() | {"options": dict(self.example.options)},
            "gold": self.gold.json_schema(),
            "options": self.options.model_json_schema(),
        }

    def takes_text(self) -> bool:
        """Whether a plain text is a gold."""
        schema = self.gold.json_schema()
        members = [schema, *schema.get("anyOf", ())]
        return any(each.get("type") == "string" for each in members)


ENTRIES: dict[str, Entry] = {}
"""All named verifiers."""

Registered = TypeVar("Registered", bound=type[Options])


def named(
    name: str, judges: str, gold: Any, *, example: Sequence[Any], **settings: Any
) -> Callable[[Registered], Registered]:
    """Register options under the name of a verifier; a decorator. The rest is as in an entry."""

    def register(options: Registered) -> Registered:
        ENTRIES[name] = Entry(name, judges, gold, options, example=Example(*example), **settings)
        return options

    return register


def entry_of(name: str) -> Entry:
    """The entry of a name. Raises :class:`UnknownVerifier`."""
    if name not in ENTRIES:
        near = get_close_matches(name.lower().replace("-", "_")[:100], ENTRIES, 3, 0.6)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise UnknownVerifier(f"there is no verifier {name[:80]!r}{hint}")
    return ENTRIES[name]


@lru_cache(maxsize=64)
def built(name: str, gold: str, options: str = "{}", bare: bool = False) -> Judge:
    """The verifier of a name, from JSON texts.

    ``bare`` says that answers have been extracted by an answer format. Raises
    :class:`UnknownVerifier`, :class:`BadField`, and
    :class:`~palaestra.extras.MissingExtra` where a library is not installed.
    """
    entry = entry_of(name)
    if len(gold) + len(options) > GOLD_CHARACTERS:
        most = f"a gold and its options have at most {GOLD_CHARACTERS} characters of JSON"
        raise BadField(most, "/gold")
    wanted = _validated(entry.options.model_validate_json, options, "/options")
    value = _validated(entry.gold.validate_json, gold, "/gold")
    try:
        judge: Judge = wanted.build_bare(value) if bare else wanted.build(value)
    except BadField:
        raise
    except (ValueError, OverflowError, RecursionError) as error:
        raise BadField(str(error)[:500] or "no verifier can be built from this", "/gold") from None
    return judge


def _validated(read: Callable[[str], Any], text: str, pointer: str) -> Any:
    try:
        return read(text)
    except ValidationError as error:
        keys, message = _first_fault(error, text)
        path = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
        where = f"{'.'.join(keys)[:200]}: " if keys else ""
        raise BadField(f"{where}{message}"[:500], f"{pointer}{path}"[:500]) from None


def _first_fault(error: ValidationError, text: str) -> tuple[list[str], str]:
    """Where a document is at fault, and why: of several faults, which the members of a union have
    as well, the one deepest inside.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    located = [(_located(fault["loc"], document), fault["msg"]) for fault in faults]
    deepest, _ = max(located, key=lambda fault: len(fault[0]))
    messages = dict.fromkeys(message for keys, message in located if keys == deepest)
    return deepest, ", or ".join([*messages][:4])


def _located(location: Iterable[int | str], document: Any) -> list[str]:
    """The keys of a location, without the names of types that a union has in between."""
    keys: list[str] = []
    for key in location:
        if isinstance(document, list) and isinstance(key, int):
            keys.append(str(key))
            document = document[key] if key < len(document) else None
        elif isinstance(document, dict) and isinstance(key, str):
            keys.append(key)
            document = document.get(key)
    return keys


def requirements(name: str, gold: Any) -> frozenset[Runs]:
    """Where a verifier and those inside it have to run; ``gold`` is plain JSON.

    Raises :class:`UnknownVerifier`, and :class:`BadField` for verifiers nested too deeply.
    """
    return frozenset(_requirements(name, gold, 0))


def _requirements(name: str, gold: Any, depth: int) -> Iterator[Runs]:
    entry = entry_of(name)
    yield entry.runs
    if entry.inner is None:
        return
    if depth == NESTED:
        raise BadField(f"verifiers nest at most {NESTED} deep", "/gold")
    for part in entry.inner(gold):
        if isinstance(part, dict) and isinstance(inside := part.get("verifier"), str):
            yield from _requirements(inside, part.get("gold"), depth + 1)


NESTED = 4
"""How deep verifiers may nest in the golds of others."""


def _is_model(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, BaseModel)
