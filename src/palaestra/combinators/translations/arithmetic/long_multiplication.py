"""Long multiplication in other languages."""

from palaestra.combinators.translations.grammar import Code
from palaestra.envs.arithmetic.long_multiplication import LongMultiplication

TOKENS = frozenset[str]()

TEXT: dict[Code, str] = {
    "de": (
        "Berechne durch schriftliche Multiplikation {first} * {second}.\n"
        "\nSchreibe für jede Ziffer von {second}, von der letzten bis zur ersten, das "
        "Teilprodukt: {first} mal den Stellenwert der Ziffer, mit allen Nullen am Ende (für "
        "die Ziffer 4 an der Hunderterstelle ist das {first} mal 400; für die Ziffer 0 ist es "
        "0). Schreibe nach den Teilprodukten das ganze Produkt. Gib diese {numbers} Zahlen in "
        "dieser Reihenfolge an, durch Kommas getrennt und ohne Tausendertrennzeichen, zum "
        "Beispiel „{example}“ für 12 * {factor}."
    ),
    "zh": (
        "用竖式乘法计算 {first} * {second}。\n\n对 {second} 的每一位数字，从最后一位到第一位，"
        "写出部分积：{first} 乘以该数字的位值，末尾的零要全部写出（百位上的数字 4 对应 "
        "{first} 乘以 400；数字 0 对应 0）。写完各部分积之后，写出完整的乘积。按此顺序给出这 "
        "{numbers} 个数，用英文逗号隔开，不加千位分隔符，例如 12 * {factor} 应写成“{example}”。"
    ),
    "es": (
        "Calcula {first} * {second} con el algoritmo de la multiplicación.\n"
        "\nPara cada cifra de {second}, de la última a la primera, escribe el producto "
        "parcial: {first} por el valor posicional de la cifra, con todos los ceros del final "
        "(para la cifra 4 en el lugar de las centenas es {first} por 400; para la cifra 0 es "
        "0). Después de los productos parciales, escribe el producto completo. Da estos "
        "{numbers} números en este orden, separados por comas y sin separadores de millares, "
        "por ejemplo «{example}» para 12 * {factor}."
    ),
    "ar": (
        "احسب {first} * {second} بطريقة الضرب المطوّل.\n"
        "\nلكل رقم من أرقام {second}، من الأخير إلى الأول، اكتب الناتج الجزئي: {first} مضروبًا "
        "في القيمة المنزلية للرقم، مع كل الأصفار في النهاية (للرقم 4 في منزلة المئات يكون ذلك "
        "{first} في 400؛ وللرقم 0 يكون 0). وبعد النواتج الجزئية اكتب الناتج الكامل. أعطِ هذه "
        "الأعداد، وعددها {numbers}، بهذا الترتيب، تفصل بينها الفاصلة اللاتينية (,) ومن غير "
        "فواصل للآلاف، مثل «{example}» للعملية 12 * {factor}."
    ),
}


def prompt(task: LongMultiplication, code: Code) -> str:
    """The task in a language."""
    example = LongMultiplication(first=12, second=int(("43" * task.places)[: task.places]))
    return TEXT[code].format(
        first=task.first,
        second=task.second,
        numbers=task.places + 1,
        example=example.answer(),
        factor=example.second,
    )
