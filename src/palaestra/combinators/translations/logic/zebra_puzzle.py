"""The zebra puzzle in other languages."""

from palaestra.combinators.translations.grammar import Code, Name, separated, upper
from palaestra.envs.logic.zebra_puzzle import THEMES, ZebraPuzzle
from palaestra.verifiers.reading.values import joined

TOKENS = frozenset(word for _, _, values in THEMES.values() for word in values.split())

TEXT: dict[Code, str] = {
    "de": (
        "{n} Häuser stehen in einer Reihe und sind von links nach rechts von 1 bis {n} "
        "nummeriert. In jedem wohnt eine Person. Keine zwei von ihnen haben bei einem der "
        "folgenden Merkmale denselben Wert, und jeder Wert gehört zu jemandem; in Klammern "
        "steht der englische Name des Werts:\n\n{columns}\n"
        "\nHinweise:\n{clues}\n\nWer wohnt wo? Schreibe {n} Zeilen, eine für jedes Haus von "
        "links nach rechts, jede in der Form „{form}“, mit den englischen Namen der Werte in "
        "dieser Reihenfolge, zum Beispiel „{example}“."
    ),
    "zh": (
        "{n}所房子排成一排，从左到右编号为1到{n}。每所房子住一个人。对于下列每种属性，任何两"
        "个人的值都不相同，并且每个值都属于某个人；括号里是该值的英文名称：\n"
        "\n{columns}\n\n线索：\n{clues}\n\n谁住在哪里？写{n}行，从左到右每所房子一行，每行的"
        "形式是“{form}”，用各值的英文名称并按此顺序书写，例如“{example}”。"
    ),
    "es": (
        "Hay {n} casas en fila, numeradas del 1 al {n} de izquierda a derecha. En cada una "
        "vive una persona. No hay dos que compartan un valor de ninguna de estas "
        "características, y cada valor corresponde a alguien; entre paréntesis va el nombre "
        "inglés del valor:\n\n{columns}\n\nPistas:\n"
        "{clues}\n\n¿Quién vive dónde? Escribe {n} líneas, una para cada casa de izquierda a "
        "derecha, cada una de la forma «{form}», con los nombres ingleses de los valores en "
        "ese orden, por ejemplo «{example}»."
    ),
    "ar": (
        "توجد منازل في صف واحد عددها {n}، مرقمة من 1 إلى {n} من اليسار إلى اليمين. يسكن في كل "
        "منزل شخص واحد. لا يشترك اثنان منهم في قيمة أي صفة من الصفات التالية، وكل قيمة تخص "
        "أحدهم؛ والاسم الإنجليزي للقيمة بين قوسين:\n"
        "\n{columns}\n\nالأدلة:\n{clues}\n\nمن يسكن أين؟ اكتب أسطرًا عددها {n}، سطرًا لكل منزل "
        "من اليسار إلى اليمين، كل منها على الشكل «{form}»، بالأسماء الإنجليزية للقيم وبهذا "
        "الترتيب، مثل «{example}»."
    ),
}

LABELS: dict[Code, str] = {
    "de": "Name Getränk Haustier Türfarbe Beruf Sport Pflanze Instrument",
    "zh": "姓名 饮料 宠物 门的颜色 职业 运动 植物 乐器",
    "es": "nombre bebida mascota puerta oficio deporte planta instrumento",
    "ar": "الاسم المشروب الحيوان الباب المهنة الرياضة النبات الآلة",
}
"""The attributes in the order of ``THEMES``."""

PERSON: dict[Code, dict[str, str]] = {
    "de": dict.fromkeys(THEMES, "die Person mit {}"),
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
"""The person with a value that is no name."""

VALUES: dict[Code, dict[str, str]] = {
    "de": {
        "drink": "Tee,Kaffee,Milch,Wasser,Saft,Kakao,Apfelwein",
        "pet": "Katze,Hund,Zebra,Papagei,Schnecke,Pferd,Kaninchen",
        "colour": "rot,blau,grün,weiß,gelb,schwarz",
        "job": "Bäcker,Arzt,Maler,Landwirt,Sänger,Pilot,Schneider",
        "sport": "Tennis,Schach,Golf,Judo,Rudern,Skifahren,Polo",
        "plant": "Rosen,Tulpen,Bohnen,Lilien,Kräuter,Farne,Feigen",
        "music": "Flöte,Harfe,Trommel,Cello,Klavier,Banjo,Orgel",
    },
    "zh": {
        "drink": "茶,咖啡,牛奶,水,果汁,可可,苹果酒",
        "pet": "猫,狗,斑马,鹦鹉,蜗牛,马,兔子",
        "colour": "红色,蓝色,绿色,白色,黄色,黑色",
        "job": "面包师,医生,画家,农民,歌手,飞行员,裁缝",
        "sport": "网球,国际象棋,高尔夫,柔道,划船,滑雪,马球",
        "plant": "玫瑰,郁金香,豆子,百合,香草,蕨类,无花果",
        "music": "长笛,竖琴,鼓,大提琴,钢琴,班卓琴,管风琴",
    },
    "es": {
        "drink": "té,café,leche,agua,zumo,cacao,sidra",
        "pet": "el gato,el perro,la cebra,el loro,el caracol,el caballo,el conejo",
        "colour": "roja,azul,verde,blanca,amarilla,negra",
        "job": "panadero,médico,pintor,agricultor,cantante,piloto,sastre",
        "sport": "el tenis,el ajedrez,el golf,el judo,el remo,el esquí,el polo",
        "plant": "rosas,tulipanes,judías,lirios,hierbas,helechos,higos",
        "music": "la flauta,el arpa,la batería,el violonchelo,el piano,el banyo,el órgano",
    },
    "ar": {
        "drink": "الشاي,القهوة,الحليب,الماء,العصير,الكاكاو,شراب التفاح",
        "pet": "القطة,الكلب,الحمار الوحشي,الببغاء,الحلزون,الحصان,الأرنب",
        "colour": "أحمر,أزرق,أخضر,أبيض,أصفر,أسود",
        "job": "الخباز,الطبيب,الرسام,المزارع,المغني,الطيار,الخياط",
        "sport": "التنس,الشطرنج,الغولف,الجودو,التجديف,التزلج,البولو",
        "plant": "الورد,التوليب,الفاصولياء,الزنبق,الأعشاب,السرخس,التين",
        "music": "الناي,القيثارة,الطبل,التشيلو,البيانو,البانجو,الأرغن",
    },
}
"""The values in the order of ``THEMES``; in German without an article, in the nominative."""

DATIVE = {
    "drink": "dem Tee,dem Kaffee,der Milch,dem Wasser,dem Saft,dem Kakao,dem Apfelwein",
    "pet": "der Katze,dem Hund,dem Zebra,dem Papagei,der Schnecke,dem Pferd,dem Kaninchen",
    "colour": (
        "der roten Tür,der blauen Tür,der grünen Tür,der weißen Tür,der gelben Tür,der "
        "schwarzen Tür"
    ),
    "job": (
        "dem Beruf Bäcker,dem Beruf Arzt,dem Beruf Maler,dem Beruf Landwirt,dem Beruf "
        "Sänger,dem Beruf Pilot,dem Beruf Schneider"
    ),
    "sport": (
        "der Sportart Tennis,der Sportart Schach,der Sportart Golf,der Sportart Judo,der "
        "Sportart Rudern,der Sportart Skifahren,der Sportart Polo"
    ),
    "plant": "den Rosen,den Tulpen,den Bohnen,den Lilien,den Kräutern,den Farnen,den Feigen",
    "music": "der Flöte,der Harfe,der Trommel,dem Cello,dem Klavier,dem Banjo,der Orgel",
}
"""The German values after "mit"."""

CLUES: dict[Code, dict[str, str]] = {
    "de": {
        "at": "{A} wohnt in Haus {house}.",
        "not at": "{A} wohnt nicht in Haus {house}.",
        "end": "{A} wohnt an einem Ende der Reihe.",
        "same": "{A} und {B} sind dieselbe Person.",
        "not same": "{A} und {B} sind zwei verschiedene Personen.",
        "next": "{A} und {B} wohnen direkt nebeneinander.",
        "not next": "{A} und {B} wohnen weder im selben Haus noch direkt nebeneinander.",
        "just left": "{A} wohnt direkt links von {b}.",
        "left": "{A} wohnt irgendwo links von {b}.",
        "between": "{A} wohnt irgendwo zwischen {b} und {c}.",
        "either": "{A} ist entweder {B} oder {C}.",
    },
    "zh": {
        "at": "{A}住在{house}号房子里。",
        "not at": "{A}不住在{house}号房子里。",
        "end": "{A}住在这一排的一端。",
        "same": "{A}就是{B}。",
        "not same": "{A}和{B}不是同一个人。",
        "next": "{A}和{B}住在相邻的两所房子里。",
        "not next": "{A}和{B}既不住在同一所房子里，也不住在相邻的两所房子里。",
        "just left": "{A}住在{B}左边紧邻的房子里。",
        "left": "{A}住在{B}左边的某所房子里。",
        "between": "{A}住在{B}和{C}之间的某所房子里。",
        "either": "{A}要么是{B}，要么是{C}。",
    },
    "es": {
        "at": "{A} vive en la casa {house}.",
        "not at": "{A} no vive en la casa {house}.",
        "end": "{A} vive en un extremo de la fila.",
        "same": "{A} es la misma persona que {B}.",
        "not same": "{A} y {B} son dos personas distintas.",
        "next": "{A} y {B} viven en casas contiguas.",
        "not next": "{A} y {B} no viven ni en la misma casa ni en casas contiguas.",
        "just left": "{A} vive justo a la izquierda de {B}.",
        "left": "{A} vive en algún lugar a la izquierda de {B}.",
        "between": "{A} vive en algún lugar entre {B} y {C}.",
        "either": "{A} es o bien {B} o bien {C}.",
    },
    "ar": {
        "at": "{A:يسكن|تسكن} {A} في المنزل {house}.",
        "not at": "لا {A:يسكن|تسكن} {A} في المنزل {house}.",
        "end": "{A:يسكن|تسكن} {A} عند أحد طرفي الصف.",
        "same": "{A} و {B} شخص واحد.",
        "not same": "{A} و {B} شخصان مختلفان.",
        "next": "{A} و {B} يسكنان في منزلين متجاورين.",
        "not next": "{A} و {B} لا يسكنان في المنزل نفسه ولا في منزلين متجاورين.",
        "just left": "{A:يسكن|تسكن} {A} إلى يسار {B} مباشرة.",
        "left": "{A:يسكن|تسكن} {A} في مكان ما إلى يسار {B}.",
        "between": "{A:يسكن|تسكن} {A} في مكان ما بين {B} و {C}.",
        "either": "{A} {A:هو|هي} إما {B} وإما {C}.",
    },
}


def prompt(task: ZebraPuzzle, code: Code) -> str:
    """The task in a language."""
    labels = dict(zip(THEMES, LABELS[code].split()))
    line, gloss = ("{}：{}", "{}（{}）") if code == "zh" else ("{}: {}", "{} ({})")
    columns = []
    for theme, values in zip(task.themes, task.values):
        names = [
            each if theme == "name" else gloss.format(translated(code, theme, each), each)
            for each in sorted(values)
        ]
        columns.append(line.format(labels[theme], separated(code, names)))
    return TEXT[code].format(
        n=len(task.values[0]),
        columns="\n".join(columns),
        clues="\n".join(f"{n}. {sentence(task, code, n)}" for n in range(1, len(task.clues) + 1)),
        form=joined([f"<{labels[theme]}>" for theme in task.themes]),
        example=joined([min(values) for values in task.values]),
    )


def translated(code: Code, theme: str, value: str) -> str:
    """A value in a language."""
    return dict(zip(THEMES[theme][2].split(), VALUES[code][theme].split(",")))[value]


def person(code: Code, theme: str, value: str) -> Name:
    """The person with a value, in German in the nominative."""
    if theme == "name":
        return Name(value)
    if code == "de":
        datives = dict(zip(THEMES[theme][2].split(), DATIVE[theme].split(",")))
        return Name(PERSON[code][theme].format(datives[value]))
    return Name(PERSON[code][theme].format(translated(code, theme, value)))


def sentence(task: ZebraPuzzle, code: Code, number: int) -> str:
    """The clue with this number."""
    relation, items, house = task.clues[number - 1]
    slots = {}
    for letter, item in zip("ABC", items):
        attribute, value = divmod(item, len(task.values[0]))
        slots[letter] = person(code, task.themes[attribute], task.values[attribute][value])
        slots[letter.lower()] = Name(slots[letter].replace("die Person", "der Person"))
    return upper(CLUES[code][relation].format(**slots, house=house + 1))
