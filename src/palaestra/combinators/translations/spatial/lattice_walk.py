"""Walks on lattices in other languages."""

from palaestra.combinators.translations.grammar import Code, sentences, separated
from palaestra.envs.spatial.lattice_walk import LatticeWalk

TOKENS = frozenset[str]()

TEXT: dict[Code, str] = {
    "de": (
        "Du gehst durch eine Welt, in der jeder Ort sein eigenes Wort hat. {ground}\n"
        "\n{way}\n\nVon dort gehst du weiter, ohne die Wörter zu sehen. Jeder Weg in dieser "
        "Liste beginnt, wo der vorige endet:\n{walks}\n"
        "\nWelches Wort steht an dem Ort, an dem jeder Weg endet? Gib für jeden Weg der Reihe "
        "nach ein Wort an, insgesamt {n}, durch Kommas getrennt, zum Beispiel „{example}“."
    ),
    "zh": (
        "你在一个世界里行走，那里每个地点都有自己的单词。{ground}\n"
        "\n{way}\n\n之后你继续行走，但看不到单词。下列每条路线都从上一条路线的终点开始：\n"
        "{walks}\n\n每条路线的终点上是哪个单词？按顺序给出每条路线的单词，共{n}个，用英文逗号"
        "隔开，例如“{example}”。"
    ),
    "es": (
        "Caminas por un mundo en el que cada lugar tiene su propia palabra. {ground}\n"
        "\n{way}\n\nDesde allí sigues sin ver las palabras. Cada recorrido de esta lista "
        "empieza donde terminó el anterior:\n{walks}\n"
        "\n¿Qué palabra hay en el lugar donde termina cada recorrido? Da una palabra para "
        "cada recorrido, en orden, {n} en total, separadas por comas, por ejemplo «{example}»."
    ),
    "ar": (
        "تسير في عالم لكل مكان فيه كلمته الخاصة. {ground}\n"
        "\n{way}\n\nمن هناك تتابع السير دون أن ترى الكلمات. كل مسار في هذه القائمة يبدأ حيث "
        "انتهى السابق:\n{walks}\n\nما الكلمة في المكان الذي ينتهي عنده كل مسار؟ أعطِ كلمة لكل "
        "مسار بالترتيب، وعددها {n}، تفصل بينها الفاصلة اللاتينية (,)، مثل «{example}»."
    ),
}

GROUND: dict[Code, dict[str, str]] = {
    "de": {
        "square": (
            "Die Orte liegen auf einem quadratischen Gitter: Norden und Süden sind "
            "entgegengesetzt, ebenso Osten und Westen; erst nach Norden und dann nach Osten "
            "führt zum selben Ort wie erst nach Osten und dann nach Norden."
        ),
        "triangular": (
            "Die Orte liegen in gleichen Abständen auf einem Dreiecksgitter: Jeder hat sechs "
            "Nachbarn, in den Richtungen Osten, Nordosten, Nordwesten, Westen, Südwesten und "
            "Südosten, je 60 Grad auseinander. Nach Nordosten und dann nach Südosten führt "
            "also zum selben Ort wie nach Osten."
        ),
        "hexagonal": (
            "Die Orte sind die Zellen einer Bienenwabe: Jede Zelle hat sechs Nachbarn, im "
            "Osten, Nordosten, Nordwesten, Westen, Südwesten und Südosten. Ein Schritt nach "
            "Nordwesten und dann einer nach Osten führt also zur selben Zelle wie ein Schritt "
            "nach Nordosten."
        ),
        "ring": (
            "Die Orte liegen auf 3 Ringen, einer im anderen, mit je 7 Orten. Ein Schritt im "
            "Uhrzeigersinn oder gegen den Uhrzeigersinn führt zum nächsten Ort auf demselben "
            "Ring, und nach 7 solchen Schritten ist man zurück. Ein Schritt nach innen oder "
            "außen führt zum Ort in derselben Richtung auf dem nächstkleineren oder "
            "nächstgrößeren Ring."
        ),
        "tree": (
            "Die Orte sind die Kammern eines Baus. Von jeder Kammer führen Gänge hinunter "
            "nach links und hinunter nach rechts, und einer führt hinauf zu der Kammer, von "
            "der aus sie erreicht wird; andere Gänge hat der Bau nicht, sodass man hinunter "
            "nach links und wieder hinauf zurückkommt."
        ),
    },
    "zh": {
        "square": (
            "这些地点位于方形网格上：北与南相反，东与西相反；先向北再向东与先向东再向北到达同"
            "一个地点。"
        ),
        "triangular": (
            "这些地点等距地位于三角形网格上：每个地点有六个邻点，方向是东、东北、西北、西、西"
            "南和东南，彼此相隔60度。因此先向东北再向东南与向东到达同一个地点。"
        ),
        "hexagonal": (
            "这些地点是蜂巢的巢室：每个巢室有六个相邻的巢室，方向是东、东北、西北、西、西南和"
            "东南。因此先向西北一步再向东一步与向东北一步到达同一个巢室。"
        ),
        "ring": (
            "这些地点位于3个一环套一环的圆环上，每个环上有7个地点。顺时针或逆时针一步到达同一"
            "环上的下一个地点，这样走7步就回到原处。向内或向外一步到达相邻的较小或较大的环上"
            "处于同一方位的地点。"
        ),
        "tree": (
            "这些地点是一个洞穴的洞室。每个洞室都有通道通往左下方和右下方，还有一条通道向上通"
            "往到达它的那个洞室；洞穴没有别的通道，因此向左下再向上就回到原处。"
        ),
    },
    "es": {
        "square": (
            "Los lugares forman una cuadrícula: el norte y el sur son opuestos, y también el "
            "este y el oeste; ir al norte y luego al este lleva al mismo lugar que ir al este "
            "y luego al norte."
        ),
        "triangular": (
            "Los lugares forman una red triangular, a distancias iguales: cada uno tiene seis "
            "vecinos, en las direcciones este, noreste, noroeste, oeste, suroeste y sureste, "
            "separadas 60 grados. Así, ir al noreste y luego al sureste lleva al mismo lugar "
            "que ir al este."
        ),
        "hexagonal": (
            "Los lugares son las celdas de un panal: cada celda tiene seis vecinas, al este, "
            "noreste, noroeste, oeste, suroeste y sureste. Así, un paso al noroeste y luego "
            "uno al este llevan a la misma celda que un paso al noreste."
        ),
        "ring": (
            "Los lugares están en 3 anillos, uno dentro de otro, con 7 lugares en cada uno. "
            "Un paso en sentido horario o en sentido antihorario lleva al lugar siguiente del "
            "mismo anillo, y tras 7 de esos pasos se está de vuelta. Un paso hacia dentro o "
            "hacia fuera lleva al lugar en la misma dirección del siguiente anillo menor o "
            "mayor."
        ),
        "tree": (
            "Los lugares son las cámaras de una madriguera. De cada cámara salen túneles "
            "hacia abajo a la izquierda y hacia abajo a la derecha, y uno va hacia arriba a "
            "la cámara desde la que se llega a ella; la madriguera no tiene otros túneles, de "
            "modo que ir hacia abajo a la izquierda y de nuevo hacia arriba lleva de vuelta."
        ),
    },
    "ar": {
        "square": (
            "الأماكن على شبكة مربعة: الشمال والجنوب متقابلان، وكذلك الشرق والغرب؛ والسير "
            "شمالًا ثم شرقًا يؤدي إلى المكان نفسه الذي يؤدي إليه السير شرقًا ثم شمالًا."
        ),
        "triangular": (
            "الأماكن على شبكة مثلثية بمسافات متساوية: لكل مكان ستة جيران، في اتجاهات الشرق "
            "والشمال الشرقي والشمال الغربي والغرب والجنوب الغربي والجنوب الشرقي، بين كل "
            "اتجاهين 60 درجة. ولذلك فالسير إلى الشمال الشرقي ثم إلى الجنوب الشرقي يؤدي إلى "
            "المكان نفسه الذي يؤدي إليه السير شرقًا."
        ),
        "hexagonal": (
            "الأماكن خلايا قرص عسل: لكل خلية ست جارات، في الشرق والشمال الشرقي والشمال الغربي "
            "والغرب والجنوب الغربي والجنوب الشرقي. ولذلك فخطوة إلى الشمال الغربي ثم خطوة شرقًا "
            "تؤديان إلى الخلية نفسها التي تؤدي إليها خطوة إلى الشمال الشرقي."
        ),
        "ring": (
            "الأماكن على 3 حلقات، كل واحدة داخل الأخرى، وعلى كل حلقة 7 أماكن. الخطوة مع عقارب "
            "الساعة أو عكس عقارب الساعة تؤدي إلى المكان التالي على الحلقة نفسها، وبعد 7 من "
            "هذه الخطوات يعود المرء إلى مكانه. والخطوة إلى الداخل أو إلى الخارج تؤدي إلى "
            "المكان في الاتجاه نفسه على الحلقة الأصغر أو الأكبر المجاورة."
        ),
        "tree": (
            "الأماكن غرف جحر. من كل غرفة نفقان نزولًا إلى اليسار ونزولًا إلى اليمين، ونفق صعودًا "
            "إلى الغرفة التي يوصل منها إليها؛ وليس في الجحر أنفاق أخرى، ولذلك فالسير نزولًا "
            "إلى اليسار ثم صعودًا يعيد إلى المكان نفسه."
        ),
    },
}

STEPS = (
    "north,east,south,west,north-east,south-west,north-west,south-east,clockwise,anticlockwise,"
    "inward,outward,left,right,up"
)

STEP: dict[Code, str] = {
    "de": (
        "nach Norden,nach Osten,nach Süden,nach Westen,nach Nordosten,nach Südwesten,nach "
        "Nordwesten,nach Südosten,im Uhrzeigersinn,gegen den Uhrzeigersinn,nach innen,nach "
        "außen,hinunter nach links,hinunter nach rechts,hinauf"
    ),
    "zh": (
        "向北,向东,向南,向西,向东北,向西南,向西北,向东南,顺时针,逆时针,向内,向外,向左下,向右下,向上"
    ),
    "es": (
        "al norte,al este,al sur,al oeste,al noreste,al suroeste,al noroeste,al sureste,en "
        "sentido horario,en sentido antihorario,hacia dentro,hacia fuera,hacia abajo a la "
        "izquierda,hacia abajo a la derecha,hacia arriba"
    ),
    "ar": (
        "شمالًا,شرقًا,جنوبًا,غربًا,إلى الشمال الشرقي,إلى الجنوب الغربي,إلى الشمال الغربي,إلى "
        "الجنوب الشرقي,مع عقارب الساعة,عكس عقارب الساعة,إلى الداخل,إلى الخارج,نزولًا إلى "
        "اليسار,نزولًا إلى اليمين,صعودًا"
    ),
}
"""The steps in the order of ``STEPS``."""

START: dict[Code, str] = {
    "de": "Du beginnst an einem Ort mit dem Wort {}.",
    "zh": "你从单词为{}的地点出发。",
    "es": "Empiezas en un lugar con la palabra {}.",
    "ar": "تبدأ من مكان كلمته {}.",
}

NEW: dict[Code, str] = {
    "de": "Du gehst {} und findest das Wort {}.",
    "zh": "你{}走一步，看到单词{}。",
    "es": "Vas {} y encuentras la palabra {}.",
    "ar": "تسير {} فتجد الكلمة {}.",
}

AGAIN: dict[Code, str] = {
    "de": "Du gehst {} und findest wieder das Wort {}.",
    "zh": "你{}走一步，又看到单词{}。",
    "es": "Vas {} y encuentras otra vez la palabra {}.",
    "ar": "تسير {} فتجد مرة أخرى الكلمة {}.",
}


def prompt(task: LatticeWalk, code: Code) -> str:
    """The task in a language."""
    steps = dict(zip(STEPS.split(","), STEP[code].split(",")))
    first, *rest = task.seen()
    way, met = [START[code].format(first)], {first}
    for step, word in zip(task.walk, rest):
        way.append((AGAIN if word in met else NEW)[code].format(steps[step], word))
        met.add(word)
    walks = (separated(code, [steps[step] for step in path]) for path in task.blind)
    return TEXT[code].format(
        ground=GROUND[code][task.shape],
        way=sentences(code, way),
        walks="\n".join(f"{n}. {walk}" for n, walk in enumerate(walks, 1)),
        n=len(task.blind),
        example=", ".join([task.things[0]] * len(task.blind)),
    )
