"""Statements in other languages are read back: they state the task's own facts.

The readers have their own patterns, so that an error in a template shows. Each makes a task of what
it reads, which has the facts of the original and is solved alike.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.combinators.reading import (
    CODES,
    COLON,
    facts,
    only,
    regex,
    slots_in,
    split_sentences,
    words,
)

from palaestra import Address
from palaestra.combinators import translations
from palaestra.combinators.translations.grammar import Code
from palaestra.envs.arithmetic.leg_counting import LegCounting
from palaestra.envs.logic.knights_and_knaves import KnightsAndKnaves
from palaestra.envs.logic.shuffled_objects import ShuffledObjects
from palaestra.envs.logic.syllogism import Syllogism
from palaestra.generators.logic.shuffled_objects import Move
from palaestra.generators.logic.syllogism import Categorical
from palaestra.registry import load
from palaestra.task import Puzzle

# Knights and knaves

CONNECTIVES: dict[Code, dict[str, str]] = {
    "de": {
        "not": "es trifft nicht zu: ",
        "iff": " gilt genau dann, wenn gilt: ",
        "and": " und ",
        "or": " oder ",
    },
    "zh": {"not": "并非", "iff": "当且仅当", "and": "并且", "or": "或者"},
    "es": {
        "not": "no se cumple lo siguiente: ",
        "iff": " si y solo si ",
        "and": " y | e ",
        "or": " o | u ",
    },
    "ar": {
        "not": "ليس صحيحًا ما يلي: ",
        "iff": " إذا وفقط إذا ",
        "and": " و(?: (?=[A-Z(])|(?=أنا))",
        "or": " أو ",
    },
}

ROLES: dict[Code, str] = {
    "de": r"(?P<who>ich bin|[A-Z][a-z]+ ist) ein (?:(?P<knight>Ritter)|Schurke)",
    "zh": r"(?P<who>我|[A-Z][a-z]+)是(?:(?P<knight>骑士)|无赖)",
    "es": r"(?P<who>yo soy|[A-Z][a-z]+ es) (?:(?P<knight>caballero)|bribón)",
    "ar": r"(?P<who>أنا|[A-Z][a-z]+) (?:(?P<knight>فارسة?)|محتالة?)",
}


class ClaimReader:
    """Reads statements about roles by recursive descent; what is nested is in brackets."""

    def __init__(self, code: Code, names: list[str], speaker: int, text: str) -> None:
        self.code, self.names, self.speaker, self.rest = code, names, speaker, text

    def take(self, pattern: str) -> re.Match[str] | None:
        match = re.match(pattern, self.rest)
        self.rest = self.rest[match.end() :] if match else self.rest
        return match

    def statement(self) -> Any:
        if self.take(CONNECTIVES[self.code]["not"]):
            return ("not", self.part())
        left = self.part()
        for link in ("iff", "and", "or"):
            if self.take(CONNECTIVES[self.code][link]):
                return (link, left, self.part())
        return left

    def part(self) -> Any:
        if self.take("[(（]"):
            inside = self.statement()
            assert self.take("[)）]"), self.rest
            return inside
        atom = self.take(ROLES[self.code])
        assert atom, self.rest
        name = re.match("[A-Z][a-z]+", atom["who"])
        fact = ("is", self.names.index(name[0]) if name else self.speaker)
        return fact if atom["knight"] else ("not", fact)


def read_knights(code: Code, text: str) -> KnightsAndKnaves:
    lines = [re.split(COLON, line, maxsplit=1) for line in text.split("\n\n")[1].split("\n")]
    names = [name for name, _ in lines]
    claims = []
    for speaker, (_, quoted) in enumerate(lines):
        assert (quoted[0], quoted[-1]) == {"de": ("„", "“"), "zh": ("“", "”")}.get(code, ("«", "»"))
        claim = quoted[1].lower() + quoted[2:-1] if quoted[1] in "EI" else quoted[1:-1]
        if any(claim.startswith(name.lower()) for name in names):
            claim = quoted[1:-1]
        reader = ClaimReader(code, names, speaker, claim)
        claims.append(reader.statement())
        assert not reader.rest, claim
    return KnightsAndKnaves(names=tuple(names), claims=tuple(claims))


# Shuffled objects

MOVES: dict[Code, dict[str, str]] = {
    "de": {
        "people": "{P} und {Q} tauschen.",
        "holder": "Wer {x} hält, tauscht mit {Q}.",
        "things": "Wer {x} hält, tauscht mit der Person, die {y} hält.",
        "pass": "Alle geben, was sie halten, an ihren rechten Nachbarn weiter.",
        "back": "{P} tauscht mit der Person, die hält, was {Q} ganz am Anfang hatte.",
        "reverse": "Die erste Person tauscht mit der letzten, die zweite mit der vorletzten und so "
        "weiter bis zur Mitte.",
        "condition": "Wenn {R} jetzt {z} hält, tauschen {P} und {Q}, sonst niemand.",
    },
    "zh": {
        "people": "{P}和{Q}交换。",
        "holder": "拿着{x}的人和{Q}交换。",
        "things": "拿着{x}的人和拿着{y}的人交换。",
        "pass": "所有人都把手中的东西传给自己右边的邻座。",
        "back": "{P}和此刻拿着{Q}最初那件东西的人交换。",
        "reverse": "第一个人和最后一个人交换，第二个人和倒数第二个人交换，依此类推，直到中间。",
        "condition": "如果{R}此刻拿着{z}，{P}和{Q}就交换，否则谁也不交换。",
    },
    "es": {
        "people": "{P}{and}{Q} hacen un intercambio.",
        "holder": "Quien tiene {x} hace un intercambio con {Q}.",
        "things": "Quien tiene {x} hace un intercambio con quien tiene {y}.",
        "pass": "Cada persona pasa lo que tiene a su vecino de la derecha.",
        "back": "{P} hace un intercambio con quien tiene lo que {Q} tenía al principio.",
        "reverse": "La primera persona hace un intercambio con la última, la segunda con la "
        "penúltima, y así sucesivamente hasta el centro.",
        "condition": "Si {R} tiene ahora {z}, {P}{and}{Q} hacen un intercambio; si no, nadie lo "
        "hace.",
    },
    "ar": {
        "people": "{verb} {P} و {Q}.",
        "holder": "من يحمل {x} يتبادل مع {Q}.",
        "things": "من يحمل {x} يتبادل مع من يحمل {y}.",
        "pass": "يمرّر كل شخص ما يحمله إلى جاره الأيمن.",
        "back": "{verb} {P} مع من يحمل ما كان مع {Q} في البداية.",
        "reverse": "يتبادل الأول مع الأخير، والثاني مع ما قبل الأخير، وهكذا حتى الوسط.",
        "condition": "إذا {verb1} {R} {verb2} {z} الآن، {verb3} {P} و {Q}، وإلا فلا يتبادل أحد.",
    },
}


def read_shuffled_objects(code: Code, text: str) -> ShuffledObjects:
    _, start, story, _ = text.split("\n\n")
    names, nouns, things = [], [], []
    for line in start.split("\n"):
        match = re.fullmatch(rf"(\w+){COLON}(.+?) ?[(（](\w+)[)）]", line)
        assert match, line
        names.append(match[1])
        nouns.append(re.sub("^der ", "den ", match[2]) if code == "de" else match[2])
        things.append(match[3])
    slots = dict.fromkeys("PQR", "|".join(names)) | dict.fromkeys("xyz", "|".join(nouns))
    slots |= {"v": "يتبادل|تتبادل|كان|كانت|يحمل|تحمل", "a": " y | e "}
    patterns = {kind: regex(form, **slots) for kind, form in MOVES[code].items()}
    moves = []
    for sentence in split_sentences(code, re.split(COLON, story, maxsplit=1)[1]):
        kind, read = only(patterns, sentence)
        where = {**{n: i for i, n in enumerate(names)}, **{n: i for i, n in enumerate(nouns)}}
        slot = {key: where[value] for key, value in read.items() if key in "PQRxyz"}
        if kind == "back":
            assert slot["P"] == slot.pop("Q")
        if kind == "condition":
            assert slot["R"] == slot["z"]
        one = slot.get("P", slot.get("x", 0))
        moves.append(Move(kind, one, slot.get("Q", slot.get("y", 0)), slot.get("R", 0)))  # type: ignore[arg-type]
    return ShuffledObjects(names=tuple(names), things=tuple(things), moves=tuple(moves))


# Syllogisms

FORMS: dict[Code, dict[str, str]] = {
    "de": {
        "all": "Alle {s} sind {p}.",
        "no": "Keine {s} sind {p}.",
        "some": "Einige {s} sind {p}.",
        "some not": "Einige {s} sind keine {p}.",
    },
    "zh": {
        "all": "所有{s}都是{p}。",
        "no": "没有{s}是{p}。",
        "some": "有些{s}是{p}。",
        "some not": "有些{s}不是{p}。",
    },
    "es": {
        "all": "Todos los {s} son {p}.",
        "no": "No hay {s} que sean {p}.",
        "some": "Algunos {s} son {p}.",
        "some not": "Algunos {s} no son {p}.",
    },
    "ar": {
        "all": "كل ما هو من {s} هو من {p}.",
        "no": "لا شيء مما هو من {s} هو من {p}.",
        "some": "بعض ما هو من {s} هو من {p}.",
        "some not": "بعض ما هو من {s} ليس من {p}.",
    },
}


def read_syllogism(code: Code, text: str) -> Syllogism:
    patterns = {form: regex(words, s="[a-z]+", p="[a-z]+") for form, words in FORMS[code].items()}
    _, premises, existence, conclusions, _ = text.split("\n\n")
    statements: dict[str, list[tuple[str, str, str]]] = {}
    for paragraph in (premises, conclusions):
        for line in paragraph.split("\n")[1:]:
            form, read = only(patterns, re.sub(r"^(?:  |[0-9]+\. )", "", line))
            statements.setdefault(paragraph, []).append((form, read["s"], read["p"]))
    both = statements[premises] + statements[conclusions]
    terms = sorted({term for _, *pair in both for term in pair})
    listed = re.search(r"[(（]([a-z]+(?:(?:, |، |、)[a-z]+)+)[)）]", existence)
    if listed:
        terms = re.split(", |، |、", listed[1])

    def numbered(some: list[tuple[str, str, str]]) -> tuple[Categorical, ...]:
        return tuple(Categorical(f, terms.index(s), terms.index(p)) for f, s, p in some)  # type: ignore[arg-type]

    return Syllogism(
        terms=tuple(terms),
        premises=numbered(statements[premises]),
        conclusions=numbered(statements[conclusions]),
        inhabited=bool(listed),
    )


# Heads and legs

BODY: dict[Code, list[str]] = {
    "de": words("Beine? Augen? Flügel H(?:orn|örner) Schw(?:anz|änze) Flecke?n? Krallen?"),
    "zh": words("条?腿 只?眼睛 只?翅膀 只?角 条?尾巴 块?斑点 只?爪子"),
    "es": words("patas? ojos? alas? cuernos? colas? manchas? garras?"),
    "ar": words(
        "(?:ال)?(?:قائمة|قائمةً|قائمتان|قوائم) (?:ال)?(?:عين|عينًا|عينان|عيون) "
        "(?:ال)?(?:جناح|جناحًا|جناحان|أجنحة) (?:ال)?(?:قرن|قرنًا|قرنان|قرون) "
        "(?:ال)?(?:ذيل|ذيلًا|ذيلان|ذيول) (?:ال)?(?:بقعة|بقعةً|بقعتان|بقع) "
        "(?:ال)?(?:مخلب|مخلبًا|مخلبان|مخالب)"
    ),
}

CREATURES: dict[Code, dict[str, str]] = {
    "de": {
        "kind": "Ein Tier der Art {kind} hat {body}.",
        "number": "Auf einer Wiese leben {n} Tiere dieser Arten und keine anderen.",
        "total": "Zusammen haben sie {counted}.",
        "more": "Zusammen haben sie {counted} mehr als {part}.",
        "equal": "Zusammen haben sie genauso viele {part} wie {part2}.",
    },
    "zh": {
        "kind": "每只{kind}{body}。",
        "number": "草地上有{n}只这些种类的动物，没有别的动物。",
        "total": "它们一共{counted}。",
        "more": "它们的{part1}一共比{part}多{n}{measure}。",
        "equal": "它们的{part}总数与{part2}总数相等。",
    },
    "es": {
        "kind": "Cada animal de la especie {kind} tiene {body}.",
        "number": "En un prado hay {n} animales de estas especies y ningún otro.",
        "total": "En total tienen {counted}.",
        "more": "En total tienen {counted} más que {part}.",
        "equal": "En total tienen el mismo número de {part} que de {part2}.",
    },
    "ar": {
        "kind": "لكل حيوان من نوع {kind} {body}.",
        "number": "في أحد المروج {n} {animals} من هذه الأنواع ولا شيء غيرها.",
        "total": "لها معًا {counted}.",
        "more": "عدد {part1} لديها معًا أكبر من عدد {part} بمقدار {n}.",
        "equal": "عدد {part} لديها معًا يساوي عدد {part2}.",
    },
}

NONE = "keine|没有|ningún|ninguna|صفر من"


def read_counted(code: Code, text: str) -> tuple[int, int]:
    """A number of parts of the body, and which ones."""
    number = re.search("[0-9]+", text)
    assert number or re.search(NONE, text), text
    noun = re.sub(rf"(?:{NONE}|有|واحدة?|[0-9()])|(?<![^ ]) | (?![^ ])", "", text).strip()
    return int(number[0]) if number else 0, part_of(code, noun)


def part_of(code: Code, noun: str) -> int:
    fits = [n for n, form in enumerate(BODY[code]) if re.fullmatch(form, noun)]
    assert len(fits) == 1, noun
    return fits[0]


def read_leg_counting(code: Code, text: str) -> LegCounting:
    listing, facts, _ = text.split("\n\n")
    slots = {"k": "[a-z]+", "b": ".+", "c": ".+", "p": r"[^\W\d]+", "m": "[条只块]", "a": "[^ ]+"}
    forms = {name: regex(form, **slots) for name, form in CREATURES[code].items()}
    separator = {
        "de": ", | und ",
        "zh": "，",
        "es": ", | y ",
        "ar": r" و(?!احد)(?=[0-9]|\w+ \(|\w+ واحد|صفر)",
    }
    kinds, anatomy = [], []
    for line in listing.split("\n"):
        read = slots_in(forms["kind"], line)
        body = [read_counted(code, each) for each in re.split(separator[code], read["body"])]
        assert [part for _, part in body] == list(range(len(body)))
        kinds.append(read["kind"])
        anatomy.append(tuple(number for number, _ in body))
    first, *rest = split_sentences(code, facts)
    rows: list[tuple[int, ...]] = [
        (1,) * len(kinds) + (int(slots_in(forms["number"], first)["n"]),)
    ]
    compared = []
    columns = list(zip(*anatomy))
    del forms["kind"], forms["number"]
    for part, sentence in enumerate(rest):
        fits = {name: m.groupdict() for name, f in forms.items() if (m := f.fullmatch(sentence))}
        name = next(each for each in ("equal", "more", "total") if each in fits)
        read, column = fits[name], columns[part]
        compared.append(name != "total")
        if name == "total":
            total, counted = read_counted(code, read["counted"])
            assert counted == part
        elif name == "equal":
            total = 0
            assert {part_of(code, read["part"]), part_of(code, read["part2"])} == {part, part - 1}
        else:
            total, more = (
                read_counted(code, read["counted"])
                if "counted" in read
                else (int(read["n"]), part_of(code, read["part1"]))
            )
            assert {more, part_of(code, read["part"])} == {part, part - 1}
            total = total if more == part else -total
        before = columns[part - 1] if compared[-1] else (0,) * len(kinds)
        rows.append((*(a - b for a, b in zip(column, before)), total))
    return LegCounting(
        kinds=tuple(kinds), anatomy=tuple(anatomy), facts=tuple(rows), compared=tuple(compared)
    )


READERS: dict[str, Callable[[Code, str], Puzzle]] = {
    "arithmetic/leg_counting": read_leg_counting,
    "logic/knights_and_knaves": read_knights,
    "logic/shuffled_objects": read_shuffled_objects,
    "logic/syllogism": read_syllogism,
}

RENUMBERED = {"logic/syllogism"}
"""Where the prompt does not show in which order a task numbers its terms."""


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", READERS)
def test_statements_are_those_of_the_task(name: str, code: Code) -> None:
    for level in range(load(name).Knobs.levels() - 1):
        for seed in range(3):
            task = Address.of(name, seed, level).task()
            assert isinstance(task, Puzzle)
            read = READERS[name](code, translations.prompt(task, code))
            if name not in RENUMBERED:
                assert facts(read) == facts(task)
            assert read.answer() == task.answer()
