"""Statements about times, places and plans in other languages are read back, as the task has them.

The readers have their own patterns, so that an error in a template shows. Each makes a task of what
it reads, which has the facts of the original and is solved alike.
"""

import re
from collections.abc import Callable

import pytest
from tests.combinators.reading import CODES, COLON, facts, only, regex, slots_in, words

from palaestra import Address
from palaestra.combinators import translations
from palaestra.combinators.translations.grammar import Code
from palaestra.envs.logic.common_time_slot import CommonTimeSlot
from palaestra.envs.planning.blocksworld import Blocksworld
from palaestra.envs.planning.river_crossing import RiverCrossing
from palaestra.envs.planning.water_jugs import WaterJugs
from palaestra.envs.spatial.compass_bearings import CompassBearings
from palaestra.generators.logic.common_time_slot import Diary
from palaestra.registry import load
from palaestra.task import Puzzle

# Meetings

WEEKDAYS: dict[Code, list[str]] = {
    "de": words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
    "zh": words("周一 周二 周三 周四 周五 周六"),
    "es": words("lunes martes miércoles jueves viernes sábado"),
    "ar": words("الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت"),
}

DIARIES: dict[Code, dict[str, str]] = {
    "de": {
        "works": "{name} (UTC{zone}) arbeitet von {from} bis {to} Uhr",
        "break": "hat von {from} bis {to} Uhr Pause",
        "busy": "ist am {day} von {from} bis {to} Uhr beschäftigt",
        "days": "in den Tagen von Montag bis {day}:",
        "length": "ein Treffen von {minutes} Minuten",
    },
    "zh": {
        "works": "{name}（UTC{zone}）的工作时间是{from}至{to}",
        "break": "{from}至{to}休息",
        "busy": "{day}{from}至{to}有事",
        "days": "在周一到{day}之间",
        "length": "一次不间断的{minutes}分钟会议",
    },
    "es": {
        "works": "{name} (UTC{zone}) trabaja de {from} a {to}",
        "break": "hace una pausa de {from} a {to}",
        "busy": "tiene un compromiso el {day} de {from} a {to}",
        "days": "en los días de lunes a {day}:",
        "length": "una reunión de {minutes} minutos",
    },
    "ar": {
        "works": "{verb} {name} (UTC{zone}) من {from} إلى {to}",
        "break": "{owns} استراحة من {from} إلى {to}",
        "busy": "{verb} يوم {day} من {from} إلى {to}",
        "days": "في الأيام من الاثنين إلى {day}:",
        "length": "اجتماع واحد مدته {minutes} دقيقة",
    },
}


def read_common_time_slot(code: Code, text: str) -> CommonTimeSlot:
    slots = {"n": "[A-Z][a-z]+", "z": "(?:[+-][0-9]+)?", "d": "|".join(WEEKDAYS[code])}
    slots |= {"f": "[0-9:]{5}", "t": "[0-9:]{5}", "v": "[يت][^ ]+", "o": "لديها?"}
    forms = {name: regex(form, **slots) for name, form in DIARIES[code].items()}
    days = WEEKDAYS[code].index(slots_in(forms.pop("days"), text)["day"]) + 1
    length = int(slots_in(forms.pop("length"), text)["minutes"])
    names, diaries = [], []
    for line in text.split("\n\n")[1].split("\n"):
        parts = [only(forms, part) for part in re.split("[;；؛] ?", re.sub("[.。]$", "", line))]
        times = [tuple(map(minute, (read["from"], read["to"]))) for _, read in parts]
        assert parts[0][0] == "works"
        names.append(parts[0][1]["name"])
        breaks = [span for (kind, _), span in zip(parts, times) if kind == "break"]
        busy = [
            (WEEKDAYS[code].index(read["day"]), *span)
            for (kind, read), span in zip(parts, times)
            if kind == "busy"
        ]
        zone = int(parts[0][1]["zone"] or 0)
        diaries.append(Diary(zone, *times[0], tuple(breaks), tuple(busy)))  # type: ignore[arg-type]
    return CommonTimeSlot(names=tuple(names), diaries=tuple(diaries), days=days, length=length)


def minute(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


# Bearings

BEARINGS: dict[Code, dict[str, str]] = {
    "de": {
        "north": "{n} km nördlich",
        "east": "{n} km östlich",
        "south": "{n} km südlich",
        "west": "{n} km westlich",
        "claim": "{One} liegt {ways} von {Two}.",
        "middle": "{One} liegt genau in der Mitte zwischen {Two} und {Third}.",
        "ask": "Wie weit ist es von {Two} nach {One}?",
    },
    "zh": {
        "north": "以北{n}千米",
        "east": "以东{n}千米",
        "south": "以南{n}千米",
        "west": "以西{n}千米",
        "claim": "{One}位于{Two}{ways}处。",
        "middle": "{One}正好位于{Two}和{Third}的中点。",
        "ask": "从{Two}到{One}有多远？",
    },
    "es": {
        "north": "{n} km al norte",
        "east": "{n} km al este",
        "south": "{n} km al sur",
        "west": "{n} km al oeste",
        "claim": "{One} está {ways} de {Two}.",
        "middle": "{One} está exactamente en el punto medio entre {Two}{and}{Third}.",
        "ask": "¿Qué distancia hay de {Two} a {One}?",
    },
    "ar": {
        "north": "{n} كم شمالًا",
        "east": "{n} كم شرقًا",
        "south": "{n} كم جنوبًا",
        "west": "{n} كم غربًا",
        "claim": "يقع {One} على بعد {ways} من {Two}.",
        "middle": "يقع {One} في المنتصف تمامًا بين {Two} و {Third}.",
        "ask": "كم يبعد {One} عن {Two}؟",
    },
}


def read_compass_bearings(code: Code, text: str) -> CompassBearings:
    place = "[A-Z][a-z]+"
    slots = {"O": place, "T": place, "w": "[^A-Z]+", "a": " y | e "}
    forms = {name: regex(form, **slots) for name, form in BEARINGS[code].items()}
    points = {name: forms.pop(name) for name in ("north", "east", "south", "west")}
    ask = slots_in(forms.pop("ask"), text)
    numbers: dict[str, int] = {}

    def number(name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    claims, middles = [], []
    for line in text.split("\n\n")[1].split("\n"):
        kind, read = only(forms, line)
        ends = number(read["One"]), number(read["Two"])
        if kind == "middle":
            middles.append((*ends, number(read["Third"])))
            continue
        separator = {"de": " und ", "zh": "再", "es": " y ", "ar": " و"}[code]
        parts = [only(points, way) for way in read["ways"].split(separator)]
        claims.append((ends[0], tuple((int(way["n"]), point) for point, way in parts), ends[1]))
    endpoints = (number(ask["One"]), number(ask["Two"]))
    return CompassBearings(
        names=tuple(numbers), claims=tuple(claims), middles=tuple(middles), endpoints=endpoints
    )


# Rivers and jugs

RIVER: dict[Code, dict[str, str]] = {
    "de": {"load": "höchstens {n} Kilogramm", "row": "und das (?:kann|können) nur (.+?)\\."},
    "zh": {"load": "最多承载{n}千克", "row": "而只有(.+?)会划船"},
    "es": {"load": "como máximo {n} kilogramos", "row": "y solo saben? (.+?)\\."},
    "ar": {"load": "أكثر من {n} كيلوغرامًا", "row": "ولا يستطيع ذلك إلا (.+?)\\."},
}


def read_river_crossing(code: Code, text: str) -> RiverCrossing:
    listing = re.findall(rf"^(.+?) ?[(（]([a-z]+)[)）]{COLON}([0-9]+)$", text, re.MULTILINE)
    nouns = [noun for noun, _, _ in listing]
    separator = {"de": " und ", "zh": "和", "es": " y ", "ar": " و"}[code]
    rowers = re.search(RIVER[code]["row"], text)
    assert rowers
    crew = rowers[1].split(separator)
    assert crew == nouns[: len(crew)]
    pairs = []
    for one in nouns:
        for other in nouns:
            joined = f"{one}{separator}{other}"
            if re.search(rf"(?:{COLON}|[;；؛] ?){re.escape(joined)}[;；؛.。]", text):
                pairs.append((nouns.index(one), nouns.index(other)))
    limit = min(int(n) for n in re.findall("[0-9]+", text.split("\n\n")[2]))
    return RiverCrossing(
        names=tuple(name for _, name, _ in listing),
        weights=tuple(int(weight) for _, _, weight in listing),
        rowers=len(crew),
        clashes=tuple(pairs),
        capacity=int(slots_in(regex(RIVER[code]["load"]), text)["n"]),
        least=limit,
    )


JUGS: dict[Code, dict[str, str]] = {
    "de": {
        "full": "voll",
        "empty": "leer",
        "goal": "dass Krug {J} am Ende genau {n} Liter enthält",
    },
    "zh": {"full": "满", "empty": "空", "goal": "使水罐{J}最后恰好装有{n}升水"},
    "es": {
        "full": "llena",
        "empty": "vacía",
        "goal": "que la jarra {J} contenga al final exactamente {n} litro",
    },
    "ar": {
        "full": "ممتلئة",
        "empty": "فارغة",
        "goal": "اجعل الجرة {J} تحتوي في النهاية على {litres} بالضبط",
    },
}


def read_water_jugs(code: Code, text: str) -> WaterJugs:
    lines = [line for line in text.split("\n") if re.match(rf"[A-D]{COLON}", line)]
    sizes = [int(slots_in(regex("{n}"), line)["n"]) for line in lines]
    full = [JUGS[code]["full"] in line for line in lines]
    assert [JUGS[code]["empty"] in line for line in lines] == [not each for each in full]
    goal = slots_in(regex(JUGS[code]["goal"], J="[A-D]", l=".+?"), text)
    amount = re.search("[0-9]+", goal.get("n", goal.get("litres", "")))
    assert amount
    return WaterJugs(
        sizes=tuple(sizes),
        start=tuple(size * held for size, held in zip(sizes, full)),
        jug="ABCD".index(goal["J"]),
        amount=int(amount[0]),
    )


# Blocks

BLOCKS: dict[Code, dict[str, str]] = {
    "de": {
        "stack": "Stapel {n}, von unten nach oben: {row}",
        "on": "{Upper} liegt auf {Lower}",
        "table": "{Upper} liegt auf dem Tisch",
    },
    "zh": {
        "stack": "第{n}堆，从下到上：{row}",
        "on": "{Upper}在{Lower}上",
        "table": "{Upper}在桌子上",
    },
    "es": {
        "stack": "Pila {n}, de abajo arriba: {row}",
        "on": "{Upper} está sobre {Lower}",
        "table": "{Upper} está sobre la mesa",
    },
    "ar": {
        "stack": "الكومة {n}، من الأسفل إلى الأعلى: {row}",
        "on": "{Upper} فوق {Lower}",
        "table": "{Upper} على الطاولة",
    },
}


def read_stacks(code: Code, paragraph: str) -> tuple[str, list[list[str]]]:
    """The form of a description, and the blocks of each stack from the bottom to the top."""
    slots = {"r": "[A-Za-z, ]+", "U": "[A-Za-z]+", "L": "[A-Za-z]+"}
    forms = {name: regex(form, **slots) for name, form in BLOCKS[code].items()}
    lines = [only(forms, line) for line in paragraph.split("\n")[1:]]
    if lines[0][0] == "stack":
        return "stacks", sorted(read["row"].split(", ") for _, read in lines)
    above = {read["Lower"]: read["Upper"] for _, read in lines if "Lower" in read}
    stacks = [[read["Upper"]] for name, read in lines if name == "table"]
    for stack in stacks:
        while stack[-1] in above:
            stack.append(above[stack[-1]])
    return "facts", sorted(stacks)


@pytest.mark.parametrize("code", CODES)
def test_stacks_are_those_of_the_task(code: Code) -> None:
    for level in range(load("planning/blocksworld").Knobs.levels()):
        for seed in range(4):
            task = Address.of("planning/blocksworld", seed, level).task()
            assert isinstance(task, Blocksworld)
            start, goal = translations.prompt(task, code).split("\n\n")[1:3]
            for paragraph, stacks in ((start, task.start), (goal, task.goal)):
                named = sorted([task.names[block] for block in stack] for stack in stacks)
                assert read_stacks(code, paragraph) == (task.form, named)


READERS: dict[str, Callable[[Code, str], Puzzle]] = {
    "logic/common_time_slot": read_common_time_slot,
    "planning/river_crossing": read_river_crossing,
    "planning/water_jugs": read_water_jugs,
    "spatial/compass_bearings": read_compass_bearings,
}

RENUMBERED = {"spatial/compass_bearings"}
"""Where the prompt does not show in which order a task numbers its places."""


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
