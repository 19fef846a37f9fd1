"""Clues of zebra puzzles in other languages are read back: they state the task's own facts."""

import re
from typing import get_args

import pytest

from palaestra import Address
from palaestra.combinators import translations
from palaestra.combinators.translations.grammar import Code
from palaestra.envs.logic.zebra_puzzle import ZebraPuzzle
from palaestra.generators.logic.zebra_puzzle import Clue
from palaestra.registry import load

CODES: tuple[Code, ...] = get_args(Code)

THEMES: dict[Code, dict[str, str]] = {
    "de": {
        "Name": "name",
        "Getränk": "drink",
        "Haustier": "pet",
        "Türfarbe": "colour",
        "Beruf": "job",
        "Sport": "sport",
        "Pflanze": "plant",
        "Instrument": "music",
    },
    "zh": {
        "姓名": "name",
        "饮料": "drink",
        "宠物": "pet",
        "门的颜色": "colour",
        "职业": "job",
        "运动": "sport",
        "植物": "plant",
        "乐器": "music",
    },
    "es": {
        "nombre": "name",
        "bebida": "drink",
        "mascota": "pet",
        "puerta": "colour",
        "oficio": "job",
        "deporte": "sport",
        "planta": "plant",
        "instrumento": "music",
    },
    "ar": {
        "الاسم": "name",
        "المشروب": "drink",
        "الحيوان": "pet",
        "الباب": "colour",
        "المهنة": "job",
        "الرياضة": "sport",
        "النبات": "plant",
        "الآلة": "music",
    },
}

PEOPLE: dict[Code, dict[str, str]] = {
    "de": {
        "drink": "Person mit de[mr] {}",
        "pet": "Person mit de[mr] {}",
        "colour": "Person mit der {}en Tür",
        "job": "Person mit dem Beruf {}",
        "sport": "Person mit der Sportart {}",
        "plant": "Person mit den {}n?",
        "music": "Person mit de[mr] {}",
    },
    "zh": {
        "drink": "喝{}的人",
        "pet": "养{}的人",
        "colour": "家门是{}的人",
        "job": "{}",
        "sport": "喜欢{}的人",
        "plant": "种{}的人",
        "music": "演奏{}的人",
    },
    "es": {
        "drink": "quien bebe {}",
        "pet": "quien tiene {}",
        "colour": "quien tiene la puerta {}",
        "job": "quien trabaja de {}",
        "sport": "quien practica {}",
        "plant": "quien cultiva {}",
        "music": "quien toca {}",
    },
    "ar": {
        "drink": "من يشرب {}",
        "pet": "من يربي {}",
        "colour": "من بابه {}",
        "job": "{}",
        "sport": "من يمارس {}",
        "plant": "من يزرع {}",
        "music": "من يعزف على {}",
    },
}

CLUES: dict[Code, dict[str, str]] = {
    "de": {
        "at": "die A wohnt in Haus H.",
        "not at": "die A wohnt nicht in Haus H.",
        "end": "die A wohnt an einem Ende der Reihe.",
        "same": "die A und die B sind dieselbe Person.",
        "not same": "die A und die B sind zwei verschiedene Personen.",
        "next": "die A und die B wohnen direkt nebeneinander.",
        "not next": "die A und die B wohnen weder im selben Haus noch direkt nebeneinander.",
        "just left": "die A wohnt direkt links von der B.",
        "left": "die A wohnt irgendwo links von der B.",
        "between": "die A wohnt irgendwo zwischen der B und der C.",
        "either": "die A ist entweder die B oder die C.",
    },
    "zh": {
        "at": "A住在H号房子里。",
        "not at": "A不住在H号房子里。",
        "end": "A住在这一排的一端。",
        "same": "A就是B。",
        "not same": "A和B不是同一个人。",
        "next": "A和B住在相邻的两所房子里。",
        "not next": "A和B既不住在同一所房子里，也不住在相邻的两所房子里。",
        "just left": "A住在B左边紧邻的房子里。",
        "left": "A住在B左边的某所房子里。",
        "between": "A住在B和C之间的某所房子里。",
        "either": "A要么是B，要么是C。",
    },
    "es": {
        "at": "A vive en la casa H.",
        "not at": "A no vive en la casa H.",
        "end": "A vive en un extremo de la fila.",
        "same": "A es la misma persona que B.",
        "not same": "A [ye] B son dos personas distintas.",
        "next": "A [ye] B viven en casas contiguas.",
        "not next": "A [ye] B no viven ni en la misma casa ni en casas contiguas.",
        "just left": "A vive justo a la izquierda de B.",
        "left": "A vive en algún lugar a la izquierda de B.",
        "between": "A vive en algún lugar entre B [ye] C.",
        "either": "A es o bien B o bien C.",
    },
    "ar": {
        "at": "[يت]سكن A في المنزل H.",
        "not at": "لا [يت]سكن A في المنزل H.",
        "end": "[يت]سكن A عند أحد طرفي الصف.",
        "same": "A و ?B شخص واحد.",
        "not same": "A و ?B شخصان مختلفان.",
        "next": "A و ?B يسكنان في منزلين متجاورين.",
        "not next": "A و ?B لا يسكنان في المنزل نفسه ولا في منزلين متجاورين.",
        "just left": "[يت]سكن A إلى يسار B مباشرة.",
        "left": "[يت]سكن A في مكان ما إلى يسار B.",
        "between": "[يت]سكن A في مكان ما بين B و ?C.",
        "either": "A ه[وي] إما B وإما C.",
    },
}
"""Sentences with the persons A, B, C and the house H. German has an article before a person."""


def read_columns(code: Code, text: str) -> dict[str, list[tuple[str, str]]]:
    """For each theme, the values in the language with those in English."""
    columns = {}
    for line in text.split("\n"):
        label, values = re.split("[:：] ?", line)
        pairs = [
            re.fullmatch(r"(.+?)(?: ?[(（]([a-z]+)[)）])?", each)
            for each in re.split("[,،] |、", values)
        ]
        columns[THEMES[code][label]] = [(m[1], m[2] or m[1]) for m in pairs if m]
    return columns


def read_zebra(code: Code, text: str) -> ZebraPuzzle:
    _, listing, clues, _ = text.split("\n\n")
    columns = read_columns(code, listing)
    houses = len(columns["name"])
    people = {  # in German, a name has no article
        (native if theme == "name" else PEOPLE[code][theme].format(native)): item
        for n, (theme, values) in enumerate(columns.items())
        for item, (native, _) in enumerate(values, n * houses)
    }
    anyone = "|".join(sorted(people, key=len, reverse=True))
    forms = {}
    for relation, sentence in CLUES[code].items():
        optional = re.sub("(die|der) (?=[ABC])", r"(?:\1 )?", sentence.replace(".", r"\."))
        numbered = re.sub("H(?![a-z])", "(?P<H>[0-9])", optional)
        forms[relation] = re.compile(
            re.sub("(?<!<)[ABC]", lambda m: f"(?P<{m[0]}>{anyone})", numbered)
        )
    read = []
    for line in clues.split("\n")[1:]:
        text = re.sub(r"^[0-9]+\. ", "", line)
        variants = {text, text[0].lower() + text[1:]}
        fits = [
            (r, m) for r, form in forms.items() for each in variants if (m := form.fullmatch(each))
        ]
        assert len(fits) == 1, text
        relation, match = fits[0]
        slots = [match[slot] for slot in "ABC" if slot in match.groupdict()]
        items = tuple(
            next(item for person, item in people.items() if re.fullmatch(person, slot))
            for slot in slots
        )
        house = int(match["H"]) - 1 if "H" in match.groupdict() else 0
        read.append(Clue(relation, items, house))
    values = tuple(tuple(english for _, english in column) for column in columns.values())
    return ZebraPuzzle(themes=tuple(columns), values=values, clues=tuple(read))


def in_words(task: ZebraPuzzle) -> list[tuple[str, tuple[str, ...], int]]:
    """The clues with values in place of their numbers, which depend on the order of the values."""
    values = [value for column in task.values for value in column]
    return [
        (relation, tuple(values[i] for i in items), house) for relation, items, house in task.clues
    ]


@pytest.mark.parametrize("code", CODES)
def test_clues_are_those_of_the_task(code: Code) -> None:
    for level in range(load("logic/zebra_puzzle").Knobs.levels()):
        for seed in range(3):
            task = Address.of("logic/zebra_puzzle", seed, level).task()
            assert isinstance(task, ZebraPuzzle)
            read = read_zebra(code, translations.prompt(task, code))
            assert read.themes == task.themes
            assert in_words(read) == in_words(task)
            assert read.answer() == task.answer()
