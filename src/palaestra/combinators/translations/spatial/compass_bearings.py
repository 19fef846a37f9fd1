"""Compass bearings in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.spatial.compass_bearings import CompassBearings

TOKENS = frozenset({"km"})

TEXT: dict[Code, str] = {
    "de": (
        "Auf einer ebenen Karte ist Norden oben und Osten rechts. Über einige Orte ist "
        "Folgendes bekannt. Jede Entfernung wird genau in der genannten Himmelsrichtung "
        "gemessen; sind mehrere genannt, so werden sie nacheinander zurückgelegt.\n"
        "\n{claims}\n\nWie weit ist es von {second} nach {first}? Gib zwei Zahlen an, durch "
        "ein Komma getrennt: die Kilometer nach Osten und die Kilometer nach Norden. Eine "
        "Zahl ist negativ, wenn {first} stattdessen im Westen oder Süden liegt; schreibe eine "
        "Zahl, die nicht ganz ist, als Bruch. Eine Antwort sieht aus wie „-4, 5/2“, für 4 km "
        "nach Westen und 2,5 km nach Norden."
    ),
    "zh": (
        "在一张平面地图上，上方为北，右方为东。已知一些地点的位置如下。每个距离都严格沿所说的"
        "方向测量；如果说了几个方向，就依次相加。\n\n"
        "{claims}\n\n从{second}到{first}有多远？给出两个数，用英文逗号隔开：向东的千米数和向"
        "北的千米数。如果{first}在西边或南边，相应的数为负；不是整数的数写成分数。答案形如"
        "“-4, 5/2”，表示向西4千米、向北2.5千米。"
    ),
    "es": (
        "En un mapa plano el norte está arriba y el este a la derecha. De algunos lugares se "
        "sabe lo siguiente. Cada distancia se mide exactamente en el rumbo indicado; si se "
        "indican varios, se recorren uno tras otro.\n"
        "\n{claims}\n\n¿Qué distancia hay de {second} a {first}? Da dos números separados por "
        "una coma: los kilómetros hacia el este y los kilómetros hacia el norte. Un número es "
        "negativo si {first} queda en cambio al oeste o al sur; escribe como fracción un "
        "número que no sea entero. Una respuesta es como «-4, 5/2», para 4 km al oeste y 2.5 "
        "km al norte."
    ),
    "ar": (
        "على خريطة مستوية الشمال في الأعلى والشرق إلى اليمين. المعروف عن بعض الأماكن ما يلي. "
        "تقاس كل مسافة في الاتجاه المذكور تمامًا؛ وإذا ذُكرت عدة اتجاهات قُطعت واحدًا بعد الآخر."
        "\n\n{claims}\n\nكم يبعد {first} عن {second}؟ أعطِ عددين بينهما فاصلة لاتينية (,): عدد "
        "الكيلومترات نحو الشرق وعدد الكيلومترات نحو الشمال. يكون العدد سالبًا إذا كان {first} "
        "في جهة الغرب أو الجنوب بدلًا من ذلك؛ واكتب العدد غير الصحيح كسرًا. شكل الإجابة «-4, "
        "5/2»، أي 4 كم غربًا و 2.5 كم شمالًا."
    ),
}

CLAIM: dict[Code, str] = {
    "de": "{one} liegt {parts} von {other}.",
    "zh": "{one}位于{other}{parts}处。",
    "es": "{one} está {parts} de {other}.",
    "ar": "يقع {one} على بعد {parts} من {other}.",
}

PART: dict[Code, dict[str, str]] = {
    "de": {
        "north": "{} km nördlich",
        "east": "{} km östlich",
        "south": "{} km südlich",
        "west": "{} km westlich",
    },
    "zh": {
        "north": "以北{}千米",
        "east": "以东{}千米",
        "south": "以南{}千米",
        "west": "以西{}千米",
    },
    "es": {
        "north": "{} km al norte",
        "east": "{} km al este",
        "south": "{} km al sur",
        "west": "{} km al oeste",
    },
    "ar": {
        "north": "{} كم شمالًا",
        "east": "{} كم شرقًا",
        "south": "{} كم جنوبًا",
        "west": "{} كم غربًا",
    },
}

MIDDLE: dict[Code, str] = {
    "de": "{} liegt genau in der Mitte zwischen {} und {}.",
    "zh": "{}正好位于{}和{}的中点。",
    "es": "{} está exactamente en el punto medio entre {} y {}.",
    "ar": "يقع {} في المنتصف تمامًا بين {} و {}.",
}

AND: dict[Code, str] = {"de": " und ", "zh": "再", "es": " y ", "ar": " و "}


def prompt(task: CompassBearings, code: Code) -> str:
    """The task in a language."""
    claims = [
        CLAIM[code].format(
            one=task.names[one],
            parts=AND[code].join(PART[code][point].format(far) for far, point in parts),
            other=task.names[other],
        )
        for one, parts, other in task.claims
    ]
    middles = [MIDDLE[code].format(*(task.names[n] for n in some)) for some in task.middles]
    first, second = (task.names[n] for n in task.endpoints)
    return TEXT[code].format(claims="\n".join([*claims, *middles]), first=first, second=second)
