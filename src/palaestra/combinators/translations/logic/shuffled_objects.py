"""Tracking exchanged things, in other languages."""

from palaestra.combinators.translations.grammar import Code, Name, sentences
from palaestra.envs.logic.shuffled_objects import THINGS, ShuffledObjects

TOKENS = frozenset(THINGS)

TEXT: dict[Code, str] = {
    "de": (
        "Einige Personen sitzen im Kreis. Der rechte Nachbar jeder Person ist die nächste in "
        "der Liste, der rechte Nachbar der letzten ist die erste. Jede hält einen Gegenstand, "
        "dessen englischer Name in Klammern steht:\n"
        "\n{start}\n\nDann tun sie der Reihe nach Folgendes: {story}\n"
        "\nZwei Personen, die tauschen, geben einander, was sie in diesem Moment halten. Wer "
        "hält am Ende was? Schreibe für jede Person eine Zeile mit dem englischen Namen des "
        "Gegenstands, zum Beispiel „{example}“."
    ),
    "zh": (
        "几个人围坐成一圈，每个人右边的邻座是名单上的下一个人，最后一个人右边的邻座是第一个人。"
        "每人手里拿着一件东西，括号里是它的英文名称：\n"
        "\n{start}\n\n然后他们依次做了以下事情：{story}\n"
        "\n交换的两个人把此刻手中的东西互相交给对方。最后每个人手里拿着什么？每人写一行，用英"
        "文名称，例如“{example}”。"
    ),
    "es": (
        "Varias personas están sentadas en círculo: el vecino de la derecha de cada una es la "
        "siguiente de la lista, y el de la última es la primera. Cada una tiene un objeto, "
        "cuyo nombre inglés va entre paréntesis:\n\n"
        "{start}\n\nDespués hacen lo siguiente, en este orden: {story}\n"
        "\nDos personas que hacen un intercambio se dan la una a la otra lo que tienen en ese "
        "momento. ¿Quién tiene cada objeto al final? Escribe una línea para cada persona, con "
        "el nombre inglés del objeto, por ejemplo «{example}»."
    ),
    "ar": (
        "يجلس عدة أشخاص في دائرة، والجار الأيمن لكل شخص هو التالي في القائمة، والجار الأيمن "
        "للأخير هو الأول. يحمل كل منهم شيئًا واحدًا، واسمه الإنجليزي بين قوسين:\n"
        "\n{start}\n\nثم يفعلون ما يلي بهذا الترتيب: {story}\n"
        "\nإذا تبادل شخصان أعطى كل منهما الآخر ما يحمله في تلك اللحظة. ماذا يحمل كل شخص في "
        "النهاية؟ اكتب سطرًا لكل شخص بالاسم الإنجليزي للشيء، مثل «{example}»."
    ),
}

NOUNS: dict[Code, str] = {
    "de": (
        "der Apfel,der Ball,die Münze,die Trommel,das Ei,die Gabel,der Handschuh,der Hut,das "
        "Glas,der Schlüssel,die Lampe,der Becher,die Nadel,die Orange,der Stift,der Ring,der "
        "Löffel,die Fackel,die Vase,die Pfeife,das Jo-Jo"
    ),
    "zh": (
        "苹果,球,硬币,鼓,鸡蛋,叉子,手套,帽子,罐子,钥匙,灯,杯子,针,橙子,笔,戒指,勺子,火把,花瓶,"
        "哨子,溜溜球"
    ),
    "es": (
        "la manzana,la pelota,la moneda,el tambor,el huevo,el tenedor,el guante,el "
        "sombrero,el frasco,la llave,la lámpara,la taza,la aguja,la naranja,el bolígrafo,el "
        "anillo,la cuchara,la antorcha,el jarrón,el silbato,el yoyó"
    ),
    "ar": (
        "التفاحة,الكرة,العملة,الطبل,البيضة,الشوكة,القفاز,القبعة,الجرة,المفتاح,المصباح,الكوب,الإبرة,البرتقالة,القلم,الخاتم,الملعقة,المشعل,المزهرية,الصفارة,اليويو"
    ),
}
"""The things in the order of their English names, with an article where the language has one."""

MOVES: dict[Code, dict[str, str]] = {
    "de": {
        "people": "{P} und {Q} tauschen.",
        "holder": "Wer {x} hält, tauscht mit {Q}.",
        "things": "Wer {x} hält, tauscht mit der Person, die {y} hält.",
        "pass": "Alle geben, was sie halten, an ihren rechten Nachbarn weiter.",
        "back": "{P} tauscht mit der Person, die hält, was {P} ganz am Anfang hatte.",
        "reverse": (
            "Die erste Person tauscht mit der letzten, die zweite mit der vorletzten und so "
            "weiter bis zur Mitte."
        ),
        "condition": "Wenn {R} jetzt {z} hält, tauschen {P} und {Q}, sonst niemand.",
    },
    "zh": {
        "people": "{P}和{Q}交换。",
        "holder": "拿着{x}的人和{Q}交换。",
        "things": "拿着{x}的人和拿着{y}的人交换。",
        "pass": "所有人都把手中的东西传给自己右边的邻座。",
        "back": "{P}和此刻拿着{P}最初那件东西的人交换。",
        "reverse": "第一个人和最后一个人交换，第二个人和倒数第二个人交换，依此类推，直到中间。",
        "condition": "如果{R}此刻拿着{z}，{P}和{Q}就交换，否则谁也不交换。",
    },
    "es": {
        "people": "{P} y {Q} hacen un intercambio.",
        "holder": "Quien tiene {x} hace un intercambio con {Q}.",
        "things": "Quien tiene {x} hace un intercambio con quien tiene {y}.",
        "pass": "Cada persona pasa lo que tiene a su vecino de la derecha.",
        "back": "{P} hace un intercambio con quien tiene lo que {P} tenía al principio.",
        "reverse": (
            "La primera persona hace un intercambio con la última, la segunda con la "
            "penúltima, y así sucesivamente hasta el centro."
        ),
        "condition": (
            "Si {R} tiene ahora {z}, {P} y {Q} hacen un intercambio; si no, nadie lo hace."
        ),
    },
    "ar": {
        "people": "{P:يتبادل|تتبادل} {P} و {Q}.",
        "holder": "من يحمل {x} يتبادل مع {Q}.",
        "things": "من يحمل {x} يتبادل مع من يحمل {y}.",
        "pass": "يمرّر كل شخص ما يحمله إلى جاره الأيمن.",
        "back": "{P:يتبادل|تتبادل} {P} مع من يحمل ما كان مع {P} في البداية.",
        "reverse": "يتبادل الأول مع الأخير، والثاني مع ما قبل الأخير، وهكذا حتى الوسط.",
        "condition": (
            "إذا {R:كان|كانت} {R} {R:يحمل|تحمل} {z} الآن، {P:يتبادل|تتبادل} {P} و {Q}، وإلا "
            "فلا يتبادل أحد."
        ),
    },
}


def prompt(task: ShuffledObjects, code: Code) -> str:
    """The task in a language."""
    nouns = dict(zip(THINGS, NOUNS[code].split(",")))
    line = "{}：{}（{}）" if code == "zh" else "{}: {} ({})"
    start = (line.format(name, nouns[x], x) for name, x in zip(task.names, task.things))
    things = [accusative(code, nouns[thing]) for thing in task.things]
    return TEXT[code].format(
        start="\n".join(start),
        story=sentences(code, [sentence(task, code, n, things) for n in range(len(task.moves))]),
        example=f"{task.names[0]}: {task.things[-1]}",
    )


def accusative(code: Code, noun: str) -> str:
    """A noun with its article in the accusative, which differs in German masculines only."""
    return f"den {noun[4:]}" if code == "de" and noun.startswith("der ") else noun


def sentence(task: ShuffledObjects, code: Code, n: int, things: list[str]) -> str:
    """The move with this index."""
    action, one, other, third = task.moves[n]
    return MOVES[code][action].format(
        P=Name(task.names[one]),
        Q=Name(task.names[other]),
        R=Name(task.names[third]),
        x=things[one],
        y=things[other],
        z=things[third],
    )
