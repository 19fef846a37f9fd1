"""Stories about owned things in other languages are read back: they state the task's own facts.

The readers have their own vocabulary and patterns, so that an error in a template shows.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_args

import pytest

from palaestra import Address
from palaestra.combinators import translations
from palaestra.combinators.translations.grammar import Code
from palaestra.envs.arithmetic.word_problem import WordProblem
from palaestra.envs.logic.object_counting import ObjectCounting
from palaestra.generators.logic.object_counting import Deal
from palaestra.registry import load

CODES: tuple[Code, ...] = get_args(Code)


def words(text: str) -> list[str]:
    return text.split()


SORTS = words(
    "apples pens marbles stamps shells books coins beads cards stones nails ribbons plums candles "
    "buttons tiles seeds postcards"
)

NOUNS: dict[Code, list[str]] = {
    "de": words(
        "Äpfel Stifte Murmeln Briefmarken Muscheln Bücher Münzen Perlen Karten Steine Nägel "
        "Bänder Pflaumen Kerzen Knöpfe Fliesen Samen Postkarten"
    ),
    "zh": words(
        "苹果 笔 弹珠 邮票 贝壳 书 硬币 珠子 卡片 石头 钉子 丝带 李子 蜡烛 纽扣 瓷砖 种子 明信片"
    ),
    "es": words(
        "manzanas bolígrafos canicas sellos conchas libros monedas cuentas naipes piedras clavos "
        "cintas ciruelas velas botones baldosas semillas postales"
    ),
    "ar": words(
        "التفاحات الأقلام الكرات الطوابع الأصداف الكتب الدراهم الخرزات الأوراق الأحجار المسامير "
        "الأشرطة البرقوقات الشموع الأزرار البلاطات البذور البطاقات"
    ),
}
"""The plurals of the sorts in order, in Arabic with the article."""

MASCULINE = {"bolígrafos", "sellos", "libros", "naipes", "clavos", "botones"}

ARABIC_SINGULARS = words(
    "تفاحة قلم كرة طابع صدفة كتاب درهم خرزة ورقة حجر مسمار شريط برقوقة شمعة زر بلاطة بذرة بطاقة"
)

WOMEN = {*words("Ada Cleo Esme Gita Ines Lena Nia Pia Rosa Tara Vera Wren")}

PERSON = r"([A-Z][a-z]+)"
NOUN = r"([^\W\d]+)"
NUMBER = r"(\d+(?: (?:صن|سا)[\w\u064b]+)?|[^\W\d]+ \(2\))"
AMOUNT = r"(\d+ ?(?!\d)[\w\u064b]+|\w+ \(2\))"


def sort_of(code: Code, noun: str) -> str:
    """The English plural of a plural."""
    return SORTS[NOUNS[code].index(noun)]


def counted(code: Code, text: str, nominative: bool = False) -> tuple[int, str]:
    """The number and the sort in a text such as "5 pens", whose grammar is checked."""
    if code == "ar":
        return counted_in_arabic(text, nominative)
    form = r"(\d+)[个支颗张本枚块条粒](\w+)" if code == "zh" else r"(\d+) (\w+)"
    match = re.fullmatch(form, text)
    assert match, text
    return int(match[1]), sort_of(code, match[2])


def counted_in_arabic(text: str, nominative: bool) -> tuple[int, str]:
    """3 to 10 go with the plural, 11 to 99 with the accusative singular, 2 is a dual, and full
    hundreds go with the singular.
    """
    if match := re.fullmatch(r"(\w+) \(2\)", text):
        ending = "ان" if nominative else "ين"
        assert match[1].endswith(ending), text
        stem = match[1].removesuffix(ending)
        singular = stem.removesuffix("ت") + "ة" if stem not in ARABIC_SINGULARS else stem
        return 2, SORTS[ARABIC_SINGULARS.index(singular)]
    number, noun = re.fullmatch(r"(\d+) ([\w\u064b]+)", text).groups()  # type: ignore[union-attr]
    rest = int(number) % 100
    if 3 <= rest <= 10:
        return int(number), sort_of("ar", f"ال{noun}")
    if rest > 10:
        assert "\u064b" in noun, text
        noun = noun.replace("ةً", "ة").replace("ًا", "")
    return int(number), SORTS[ARABIC_SINGULARS.index(noun)]


DEALS: dict[Code, dict[str, str]] = {
    "de": {
        "buys": "P kauft A.",
        "loses": "P verliert A.",
        "gives": "P gibt Q A.",
        "half": "P gibt Q die Hälfte der eigenen X (bei ungerader Anzahl den kleineren Teil).",
        "doubles": "Die Anzahl der X von P verdoppelt sich.",
        "trade": "P und Q tauschen alle ihre X miteinander.",
        "match": "P kauft so viele X, wie Q jetzt Y hat.",
        "all": "P gibt Q alle eigenen X.",
    },
    "zh": {
        "buys": "P买了A。",
        "loses": "P丢了A。",
        "gives": "P给了Q A。",
        "half": "P把自己一半的X给了Q（数量为奇数时，给较少的那一份）。",
        "doubles": "P的X数量翻倍。",
        "trade": "P和Q互换各自全部的X。",
        "match": "P买了X，数量与Q此时拥有的Y相同。",
        "all": "P把自己全部的X给了Q。",
    },
    "es": {
        "buys": "P compra A.",
        "loses": "P pierde A.",
        "gives": "P da A a Q.",
        "half": "P da a Q la mitad de sus propi[ao]s X (si el número es impar, la parte menor).",
        "doubles": "El número de X de P se duplica.",
        "trade": "P [ye] Q intercambian tod[ao]s sus X.",
        "match": "P compra tant[ao]s X como Y tiene Q en ese momento.",
        "all": "P da a Q tod[ao]s sus X.",
    },
    "ar": {
        "buys": "[يت]شتري P A.",
        "loses": "[يت]فقد P A.",
        "gives": "[يت]قدّم P A إلى Q.",
        "half": "[يت]قدّم P نصف ما لديها? من X إلى Q (وإن كان العدد فرديًا فالجزء الأصغر).",
        "doubles": "يصبح عدد X لدى P ضعف ما كان عليه.",
        "trade": "[يت]تبادل P و Q كل ما لديهما من X.",
        "match": "[يت]شتري P عددًا من X يساوي عدد Y لدى Q في تلك اللحظة.",
        "all": "[يت]قدّم P كل ما لديها? من X إلى Q.",
    },
}

HAS = {"de": r"P hat (.+)\.", "zh": "P有(.+)。", "es": r"P tiene (.+)\.", "ar": r"لدى P (.+)\."}


def pattern(sentence: str) -> re.Pattern[str]:
    """A sentence with slots for people, things and numbers of things, as a pattern."""
    escaped = re.sub(r"[.()]", r"\\\g<0>", sentence)
    slots = {
        "P": PERSON,
        "Q": PERSON,
        "R": PERSON,
        "A": AMOUNT,
        "B": AMOUNT,
        "N": NUMBER,
        "M": NUMBER,
    }
    return re.compile(
        re.sub(r"(?<![a-z])[PQRXYZABNM](?![a-z])", lambda m: slots.get(m[0], NOUN), escaped)
    )


def slots_of(sentence: str, text: str) -> dict[str, str] | None:
    """What stands in the slots of a sentence, if the text is one of its kind."""
    names = re.findall(r"(?<![a-z])[PQRXYZABNM](?![a-z])", sentence)
    match = pattern(sentence).fullmatch(text)
    if match is None:
        return None
    filled = set(zip(names, match.groups(), strict=True))
    return dict(filled) if len(filled) == len(set(names)) else None


def split_sentences(code: Code, text: str) -> list[str]:
    return re.findall(r"[^。]+。", text) if code == "zh" else re.split(r"(?<=\.) ", text)


def read_deal(code: Code, text: str, names: list[str], things: list[str]) -> Deal:
    """The only deal that a sentence can mean."""
    deals = []
    for kind, sentence in DEALS[code].items():
        if (slots := slots_of(sentence, text)) is None:
            continue
        number, sort = counted(code, slots["A"]) if "A" in slots else (0, "")
        sorts = [
            sort or sort_of(code, slots["X"]),
            sort_of(code, slots["Y"]) if "Y" in slots else "",
        ]
        check_agreement(code, text, slots)
        one, other = names.index(slots["P"]), names.index(slots.get("Q", names[0]))
        second = things.index(sorts[1]) if sorts[1] else 0
        deals.append(Deal(kind, one, other, things.index(sorts[0]), second, number))  # type: ignore[arg-type]
    assert len(deals) == 1, (text, deals)
    return deals[0]


def check_agreement(code: Code, text: str, slots: dict[str, str]) -> None:
    """Arabic verbs agree with the person, Spanish quantifiers with the thing."""
    if code == "ar" and text[0] in "يت" and not text.startswith("يصبح"):
        assert (text[0] == "ت") == (slots["P"] in WOMEN), text
        assert ("لديها " in text) <= (slots["P"] in WOMEN), text
    if code == "es" and (match := re.search(r"(?:tod|tant|propi)([ao])s (?!bolsas)", text)):
        assert (match[1] == "o") == (slots["X"] in MASCULINE), text


def read_object_counting(code: Code, text: str) -> ObjectCounting:
    _, start, _, story, request = re.split(r"\n\n|(?<=[:：])\n", text)
    names, rows, things = [], [], list[str]()
    for line in start.split("\n"):
        match = re.fullmatch(HAS[code].replace("P", PERSON), line)
        assert match, line
        separators = {"de": ", | und ", "zh": "、|和", "es": ", | y ", "ar": r" و(?=\d)"}[code]
        amounts = [counted(code, each, True) for each in re.split(separators, match[2])]
        names.append(match[1])
        rows.append(tuple(number for number, _ in amounts))
        assert not things or things == [sort for _, sort in amounts]
        things = [sort for _, sort in amounts]
    order = re.search(r"[:：] ?([^\d:：]+?)[.。]", request)
    assert order
    assert [sort_of(code, noun) for noun in re.split(r"[,،、] ?", order[1])] == things
    deals = [read_deal(code, each, names, things) for each in split_sentences(code, story)]
    return ObjectCounting(names=names, things=things, start=rows, deals=deals)  # type: ignore[arg-type]


SENTENCES: dict[Code, dict[str, str]] = {
    "de": {
        "given": "P hat A.",
        "boxes": "P hat N Schachteln; in jeder sind A, und andere X hat P nicht.",
        "hours": "P hatte keine X und sammelte dann N Stunden lang A pro Stunde.",
        "more": "P hat A mehr, als Q Y hat.",
        "fewer": "P hat A weniger, als Q Y hat.",
        "times": "P hat N-mal so viele X, wie Q Y hat.",
        "share": "Die Anzahl der X von P ist N/M der Anzahl der Y von Q.",
        "gave": "P hatte so viele X, wie Q Y hat, und hat N/M davon verschenkt.",
        "percent": "P hat N % mehr X, als Q Y hat.",
        "packs": "P hat so viele Tüten, wie Q Y hat; in jeder Tüte sind A, und dazu kommen M lose "
        "X.",
        "sum": "P hat so viele X, wie Q Y und R Z zusammen haben.",
        "difference": "Q hat mehr Y, als R Z hat; P hat so viele X, wie dieser Unterschied "
        "beträgt.",
        "average": "Die Anzahl der X von P ist der Mittelwert aus der Anzahl der Y von Q und der "
        "Anzahl der Z von R.",
    },
    "zh": {
        "given": "P有A。",
        "boxes": "P有N个盒子，每个盒子里有A，此外没有别的X。",
        "hours": "P原来没有X，后来收集了N小时，每小时收集A。",
        "more": "P的X比Q的Y多N[个支颗张本枚块条粒]。",
        "fewer": "P的X比Q的Y少N[个支颗张本枚块条粒]。",
        "times": "P的X数量是Q的Y数量的N倍。",
        "share": "P的X数量是Q的Y数量的N/M。",
        "gave": "P原来的X和Q的Y一样多，后来送出了其中的N/M。",
        "percent": "P的X比Q的Y多N%。",
        "packs": "Q有多少[个支颗张本枚块条粒]Y，P就有多少袋X，每袋A，另外还有零散的B。",
        "sum": "P的X数量等于Q的Y数量与R的Z数量之和。",
        "difference": "Q的Y比R的Z多，P的X数量正好等于这个差。",
        "average": "P的X数量是Q的Y数量与R的Z数量的平均数。",
    },
    "es": {
        "given": "P tiene A.",
        "boxes": "P tiene N cajas con A en cada una, y no tiene más X.",
        "hours": "P no tenía X y luego reunió A por hora durante N horas.",
        "more": "P tiene A más que Y tiene Q.",
        "fewer": "P tiene A menos que Y tiene Q.",
        "times": "P tiene N veces tant[ao]s X como Y tiene Q.",
        "share": "El número de X de P es N/M del número de Y de Q.",
        "gave": "P tenía tant[ao]s X como Y tiene Q, [ye] regaló N/M del total.",
        "percent": "P tiene un N % más de X que Y tiene Q.",
        "packs": "P tiene tantas bolsas como Y tiene Q, con A en cada bolsa, y además B "
        "suelt[ao]s.",
        "sum": "P tiene tant[ao]s X como suman l[ao]s Y de Q y l[ao]s Z de R.",
        "difference": "Q tiene más Y que Z tiene R; P tiene tant[ao]s X como indica esa "
        "diferencia.",
        "average": "El número de X de P es la media del número de Y de Q y del número de Z de R.",
    },
    "ar": {
        "given": "لدى P A.",
        "boxes": "لدى P N، وفي كل صندوق A، وليس لديها? غير ذلك من X.",
        "hours": "لم يكن لدى P شيء من X، ثم جمعت? P A في كل ساعة لمدة N.",
        "more": "عدد X لدى P أكبر من عدد Y لدى Q بمقدار N.",
        "fewer": "عدد X لدى P أصغر من عدد Y لدى Q بمقدار N.",
        "times": "عدد X لدى P يساوي عدد Y لدى Q مضروبًا في N.",
        "share": "عدد X لدى P يساوي N/M من عدد Y لدى Q.",
        "gave": "كان عدد X لدى P مساويًا لعدد Y لدى Q، ثم أهدت?ى? P N/M منها.",
        "percent": "عدد X لدى P أكبر من عدد Y لدى Q بنسبة N%.",
        "packs": "عدد الأكياس لدى P يساوي عدد Y لدى Q، وفي كل كيس A، ولدى P خارج الأكياس B.",
        "sum": "عدد X لدى P يساوي مجموع عدد Y لدى Q وعدد Z لدى R.",
        "difference": "عدد Y لدى Q أكبر من عدد Z لدى R، وعدد X لدى P يساوي هذا الفرق.",
        "average": "عدد X لدى P هو متوسط عدد Y لدى Q وعدد Z لدى R.",
    },
}
"""The sentences; "share" is also that of a part."""

QUESTIONS: dict[Code, str] = {
    "de": r"Wie viele X hat P\?",
    "zh": "P有多少[个支颗张本枚块条粒]X？",
    "es": r"¿Cuánt[ao]s X tiene P\?",
    "ar": "كم عدد X لدى P؟",
}

Owned = tuple[str, str]
"""A person and a sort of things."""

VALUES: dict[str, Callable[..., Fraction]] = {
    "given": Fraction,
    "boxes": lambda a, b: Fraction(a * b),
    "hours": lambda a, b: Fraction(a * b),
    "more": lambda a, y: y + a,
    "fewer": lambda a, y: y - a,
    "times": lambda a, y: y * a,
    "share": lambda a, b, y: y * a / b,
    "gave": lambda a, b, y: y * (b - a) / b,
    "percent": lambda a, y: y * (100 + a) / 100,
    "packs": lambda a, b, y: y * a + b,
    "sum": lambda y, z: y + z,
    "difference": lambda y, z: y - z,
    "average": lambda y, z: (y + z) / 2,
}
"""What a quantity is, from the numbers of its sentence and the quantities that it names."""


def read_quantity(code: Code, text: str) -> tuple[Owned, str, list[int], list[Owned]]:
    """The owner of a quantity, its operation, its numbers and its sources."""
    fits = {
        kind: slots
        for kind, sentence in SENTENCES[code].items()
        if (slots := slots_of(sentence, text)) is not None
    }
    assert len(fits) == 1, (text, fits)
    kind, slots = fits.popitem()
    check_agreement(code, text, slots)
    amounts = {slot: counted_any(code, slots[slot]) for slot in "AB" if slot in slots}
    sorts = {sort for _, sort in amounts.values()}
    sorts |= {sort_of(code, slots["X"])} if "X" in slots else set()
    assert len(sorts) == 1, text
    numbers = [int(re.sub(r"\D", "", slots[slot])) for slot in "NM" if slot in slots]
    numbers += [number for number, _ in amounts.values()]
    if kind == "packs" and "M" in slots:
        numbers.reverse()
    sources = [
        (slots[who], sort_of(code, slots[what])) for who, what in ("QY", "RZ") if what in slots
    ]
    return (slots["P"], sorts.pop()), kind, numbers, sources


def counted_any(code: Code, text: str) -> tuple[int, str]:
    """A number of things, in Arabic in either case."""
    dual = code == "ar" and re.fullmatch(r"\w+ان \(2\)", text)
    return counted(code, text, nominative=bool(dual))


def read_word_problem(code: Code, text: str) -> tuple[list[Any], Owned, int]:
    """The quantities of a story, which one is asked for, and its value."""
    story, request = text.split("\n\n")
    quantities = [read_quantity(code, each) for each in split_sentences(code, story)]
    end = {"zh": "？", "ar": "؟"}.get(code, "?")
    slots = slots_of(QUESTIONS[code], request.partition(end)[0] + end)
    assert slots
    asked = (slots["P"], sort_of(code, slots["X"]))
    values: dict[Owned, Fraction] = {}
    for _ in quantities:  # each pass gives at least one more value
        for owner, kind, numbers, sources in quantities:
            if all(source in values for source in sources):
                values[owner] = VALUES[kind](*numbers, *(values[source] for source in sources))
    return quantities, asked, int(values[asked])


@pytest.mark.parametrize("code", CODES)
def test_a_word_problem_states_the_quantities_of_the_task(code: Code) -> None:
    for level in range(load("arithmetic/word_problem").Knobs.levels()):
        for seed in range(12):
            task = Address.of("arithmetic/word_problem", seed, level).task()
            assert isinstance(task, WordProblem)
            quantities, asked, value = read_word_problem(code, translations.prompt(task, code))
            assert str(value) == task.answer()
            assert asked == task.owners[task.target]
            assert quantities == [stated(task, n) for n in task.order]


def stated(task: WordProblem, n: int) -> tuple[Owned, str, list[int], list[Owned]]:
    """A quantity of a task; a part is a share with 1 above the line."""
    operation, sources, numbers = task.story[n]
    part = operation == "part"
    return (
        task.owners[n],
        "share" if part else operation,
        [1, *numbers] if part else [*numbers],
        [task.owners[source] for source in sources],
    )


@pytest.mark.parametrize("code", CODES)
def test_deals_and_stocks_are_those_of_the_task(code: Code) -> None:
    for level in range(load("logic/object_counting").Knobs.levels()):
        for seed in range(4):
            task = Address.of("logic/object_counting", seed, level).task()
            assert isinstance(task, ObjectCounting)
            read = read_object_counting(code, translations.prompt(task, code))
            assert read == task.model_copy(update={"wording": 0})
            assert read.answer() == task.answer()
