"""Names of a PuzzleScript file: objects, synonyms, aggregates (``and``) and properties (``or``),
and the layers that objects belong to.
"""

from dataclasses import dataclass, field

from palaestra.generators.games.puzzles.puzzlescript.diagnostics import Log, Position
from palaestra.generators.games.puzzles.puzzlescript.parser import Source, Token

MEMBERS = 2_000
"""How many objects an entry of the legend may stand for."""

OBJECTS = 1_000
"""How many objects a file may have."""

NOWHERE = Position()


@dataclass
class Names:
    """What each name stands for. Objects are numbered layer by layer."""

    objects: dict[str, int] = field(default_factory=dict)
    synonyms: dict[str, str] = field(default_factory=dict)
    aggregates: dict[str, list[str]] = field(default_factory=dict)
    properties: dict[str, list[str]] = field(default_factory=dict)
    layer_of: dict[str, int] = field(default_factory=dict)
    layers: list[list[str]] = field(default_factory=list)

    def defined(self, name: str) -> bool:
        """Whether a name stands for anything."""
        return (
            name in self.layer_of
            or name in self.synonyms
            or name in self.aggregates
            or name in self.properties
        )

    def members(self, name: str) -> list[str]:
        """The objects that a name stands for."""
        name = self.synonyms.get(name, name)
        return self.aggregates.get(name) or self.properties.get(name) or [name]

    def single_layer(self, name: str) -> int | None:
        """The layer of all objects of a property; None if they are on several."""
        layers = {self.layer_of[member] for member in self.properties[name]}
        return layers.pop() if len(layers) == 1 else None


def names_of(source: Source, log: Log) -> Names:
    """The names of a file."""
    names = Names(layer_of=dict.fromkeys(source.objects, -1))
    if len(source.objects) > OBJECTS:
        log.error_out(f"the file has {len(source.objects)} objects; at most {OBJECTS} are allowed")
    for entry in source.objects.values():
        if not entry.colours:
            log.mistake(entry.position, f"the object {entry.title[:40]!r} has no colours")
    for synonym, target in source.synonyms:
        _define(names, (synonym, target), log)
    for line in source.legend:
        _define(names, line, log)
    _flatten(names)
    _assign_layers(names, source, log)
    for wanted in ("player", "background"):
        if not names.defined(wanted):
            log.error(NOWHERE, f"nothing is called {wanted!r}")
    return names


def _define(names: Names, line: tuple[Token, ...], log: Log) -> None:
    """Add an entry of the legend: a name, and words of which every other one is a name."""
    (name, position), values, words = line[0], line[1::2], {word.text for word in line[2::2]}
    if names.defined(name):
        log.warn(position, f"the name {name[:40]!r} is in use; the first definition counts")
        return
    unknown = [token for token in values if not names.defined(token.text)]
    for token in unknown:
        log.error(token.position, f"{token.text[:40]!r} is not defined, or only further below")
    if unknown:
        return
    if not words:
        _define_synonym(names, name, values[0].text)
    elif words == {"and"}:
        _define_aggregate(names, name, values, log)
    elif words == {"or"}:
        _define_property(names, name, values, log)
    else:
        log.error(line[2].position, "an entry of the legend has 'and' or 'or' between its names")


def _define_synonym(names: Names, name: str, target: str) -> None:
    target = names.synonyms.get(target, target)
    if target in names.aggregates:
        names.aggregates[name] = names.aggregates[target]
    elif target in names.properties:
        names.properties[name] = names.properties[target]
    else:
        names.synonyms[name] = target


def _define_aggregate(names: Names, name: str, values: tuple[Token, ...], log: Log) -> None:
    members = list[str]()
    for text, position in values:
        if text in names.properties:
            log.error(position, f"{text[:40]!r} is defined with 'or', so 'and' cannot contain it")
            return
        members += names.members(text)
        if len(members) > MEMBERS:
            log.error(position, f"{name[:40]!r} has more than {MEMBERS} parts")
            return
    names.aggregates[name] = list(dict.fromkeys(members))


def _define_property(names: Names, name: str, values: tuple[Token, ...], log: Log) -> None:
    """The first two names are replaced with their objects where they stand; from the third on, the
    objects of a property move to the end. The order decides that of rules.
    """
    members, later = list[str](), list[str]()
    for number, (text, position) in enumerate(values):
        if text in names.aggregates:
            log.error(position, f"{text[:40]!r} is defined with 'and', so 'or' cannot contain it")
            return
        parts = names.members(text)
        (later if number > 1 and text in names.properties else members).extend(parts)
        if len(members) + len(later) > MEMBERS:
            log.error(position, f"{name[:40]!r} has more than {MEMBERS} objects")
            return
    names.properties[name] = [*members, *later]


def _flatten(names: Names) -> None:
    for table in (names.properties,):
        for name, members in table.items():
            table[name] = list(dict.fromkeys(members))


def _assign_layers(names: Names, source: Source, log: Log) -> None:
    """Number layers and objects; an object that is on several layers is on the last one alone."""
    for line in source.layers:
        layer = list[str]()
        for text, position in line:
            if not names.defined(text):
                log.error(position, f"{text[:40]!r} is not defined")
            elif text in names.aggregates:
                log.error(position, f"{text[:40]!r} is defined with 'and'; its objects need layers")
            else:
                layer += names.members(text)
        names.layers.append(list(dict.fromkeys(layer)))
    for number, layer in enumerate(names.layers):
        for name in layer:
            if names.layer_of[name] >= 0:
                position = source.objects[name].position
                log.warn(position, f"{name[:40]!r} is on several layers; the last one counts")
            names.layer_of[name] = number
    names.layers = [
        [name for name in layer if names.layer_of[name] == number]
        for number, layer in enumerate(names.layers)
    ]
    order = (name for layer in names.layers for name in layer)
    names.objects = {name: number for number, name in enumerate(order)}
    for name, entry in source.objects.items():
        if names.layer_of[name] < 0:
            log.error(entry.position, f"the object {entry.title[:40]!r} is on no collision layer")
