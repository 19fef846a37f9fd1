"""Crossing a river, in other languages."""

from palaestra.combinators.translations.grammar import Code, listed
from palaestra.envs.planning.river_crossing import CARGO, ROWERS, RiverCrossing

TOKENS = frozenset((*ROWERS, *CARGO))

NOUNS: dict[Code, str] = {
    "de": (
        "der Bauer,der Müller,der Jäger,der Schmied,der Weber,der Wolf,die Ziege,der Kohl,der "
        "Fuchs,die Gans,das Korn,der Hund,die Katze,die Maus,der Käse,die Schlange,der "
        "Frosch,der Löwe,das Schaf,das Heu"
    ),
    "zh": (
        "农夫,磨坊主,猎人,铁匠,织工,狼,山羊,卷心菜,狐狸,鹅,谷物,狗,猫,老鼠,奶酪,蛇,青蛙,狮子,"
        "绵羊,干草"
    ),
    "es": (
        "el granjero,el molinero,el cazador,el herrero,el tejedor,el lobo,la cabra,la col,el "
        "zorro,el ganso,el maíz,el perro,el gato,el ratón,el queso,la serpiente,la rana,el "
        "león,la oveja,el heno"
    ),
    "ar": (
        "الفلاح,الطحان,الصياد,الحداد,النساج,الذئب,العنزة,الملفوف,الثعلب,الإوزة,الذرة,الكلب,القط,الفأر,الجبن,الأفعى,الضفدع,الأسد,الخروف,التبن"
    ),
}
"""Those who can row and the others in the order of their English names, with an article."""

TEXT: dict[Code, str] = {
    "de": (
        "Sie alle sind am linken Ufer eines Flusses und müssen ans rechte Ufer; dahinter "
        "stehen der englische Name und das Gewicht in Kilogramm:\n"
        "{weights}\n\nEs gibt ein einziges Boot, das höchstens {capacity} Kilogramm trägt und "
        "zu Beginn am linken Ufer liegt. Es fährt nicht von selbst: Mindestens einer, der "
        "rudern kann, muss darin sein, und {crew}. Diese Paare dürfen nicht zusammen "
        "zurückbleiben: {clashes}. Das heißt: Wenn das Boot ein Ufer verlassen hat, darf kein "
        "solches Paar an diesem Ufer sein, außer wenn dort auch jemand ist, der rudern kann. "
        "Im Boot und an dem Ufer, an dem es anlegt, sorgt {alone} für Frieden.\n"
        "\nBringe alle in höchstens {limit} Überfahrten ans rechte Ufer, Rückfahrten "
        "mitgezählt. Schreibe eine Überfahrt pro Zeile, mit den englischen Namen aller, die "
        "im Boot sind, zum Beispiel „{example}“; die erste Überfahrt geht nach rechts, die "
        "zweite zurück nach links und so weiter."
    ),
    "zh": (
        "下列成员都在河的左岸，必须全部到达右岸；后面是英文名称和以千克为单位的重量：\n"
        "{weights}\n\n只有一条船，最多承载{capacity}千克，开始时在左岸。船不会自己过河：船上"
        "至少要有一个会划船的，而{crew}。下列各对不能被留在一起：{clashes}。也就是说，船离开"
        "一岸之后，该岸上不能有这样的一对，除非那里还有会划船的。在船上以及在船靠岸的那一岸，"
        "{alone}会维持秩序。\n\n请用最多{limit}次渡河（包括返回）把全部带到右岸。每行写一次渡"
        "河，写出船上所有成员的英文名称，例如“{example}”；第一次渡河向右，第二次向左返回，依"
        "此类推。"
    ),
    "es": (
        "Todos están en la orilla izquierda de un río y deben pasar a la derecha; detrás van "
        "el nombre inglés y el peso en kilogramos:\n"
        "{weights}\n\nHay una sola barca, que carga como máximo {capacity} kilogramos en "
        "total y está al principio en la orilla izquierda. No cruza sola: debe ir en ella al "
        "menos uno que sepa remar, y {crew}. Estas parejas no deben quedarse juntas: "
        "{clashes}. Es decir, cuando la barca ha dejado una orilla, ninguna de esas parejas "
        "puede estar en ella, salvo que allí también haya alguien que sepa remar. En la "
        "barca, y en la orilla a la que llega, {alone} mantiene la paz.\n"
        "\nLleva a todos a la orilla derecha en {limit} travesías como máximo, contando las "
        "de vuelta. Escribe una travesía por línea, con los nombres ingleses de todos los que "
        "van en la barca, por ejemplo «{example}»; la primera travesía va hacia la derecha, "
        "la segunda vuelve hacia la izquierda, y así sucesivamente."
    ),
    "ar": (
        "كل هؤلاء على الضفة اليسرى لنهر ويجب نقلهم إلى الضفة اليمنى؛ يلي كلًا منهم اسمه "
        "الإنجليزي ووزنه بالكيلوغرام:\n{weights}\n\n"
        "يوجد قارب واحد لا يحمل أكثر من {capacity} كيلوغرامًا في المجموع، وهو في البداية "
        "عند الضفة اليسرى. لا يعبر القارب وحده: يجب أن يكون فيه واحد على الأقل يستطيع "
        "التجديف، و {crew}. هذه الأزواج لا يجوز تركها معًا: {clashes}. أي أنه إذا غادر القارب "
        "ضفة، فلا يجوز أن يكون أي من هذه الأزواج على تلك الضفة إلا إذا كان هناك أيضًا من "
        "يستطيع التجديف. وفي القارب، وعلى الضفة التي يرسو عندها، يحفظ {alone} السلام.\n"
        "\nانقل الجميع إلى الضفة اليمنى، وعدد الرحلات لا يزيد على {limit} بما فيها رحلات "
        "العودة. اكتب رحلة واحدة في كل سطر بالأسماء الإنجليزية لكل من في القارب، مثل «"
        "{example}»؛ الرحلة الأولى نحو اليمين، والثانية عودة نحو اليسار، وهكذا."
    ),
}

CREW: dict[Code, tuple[str, str]] = {
    "de": ("das kann nur {}", "das können nur {}"),
    "zh": ("只有{}会划船", "只有{}会划船"),
    "es": ("solo sabe {}", "solo saben {}"),
    "ar": ("لا يستطيع ذلك إلا {}", "لا يستطيع ذلك إلا {}"),
}
"""That only one can row, or several."""

WHOEVER_ROWS: dict[Code, str] = {
    "de": "jeder, der rudern kann,",
    "zh": "会划船的",
    "es": "quien sabe remar",
    "ar": "من يستطيع التجديف",
}


def prompt(task: RiverCrossing, code: Code) -> str:
    """The task in a language."""
    nouns = dict(zip((*ROWERS, *CARGO), NOUNS[code].split(",")))
    line = "{}（{}）：{}" if code == "zh" else "{} ({}): {}"
    crew = [nouns[name] for name in task.names[: task.rowers]]
    clashes = [listed(code, [nouns[task.names[a]], nouns[task.names[b]]]) for a, b in task.clashes]
    semicolon = {"zh": "；", "ar": "؛ "}.get(code, "; ")
    return TEXT[code].format(
        weights="\n".join(
            line.format(nouns[name], name, weight) for name, weight in zip(task.names, task.weights)
        ),
        capacity=task.capacity,
        crew=CREW[code][task.rowers > 1].format(listed(code, crew)),
        clashes=semicolon.join(clashes),
        alone=crew[0] if task.rowers == 1 else WHOEVER_ROWS[code],
        limit=task.move_limit(),
        example=f"{task.names[0]}, {task.names[task.rowers]}",
    )
