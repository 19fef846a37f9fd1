"""Syllogisms in other languages."""

from palaestra.combinators.translations.grammar import Code, separated
from palaestra.envs.logic.syllogism import VERDICTS, Syllogism

TOKENS = frozenset[str](VERDICTS)

TEXT: dict[Code, str] = {
    "de": (
        "Die Wörter für Arten von Dingen sind erfunden.\n"
        "\nPrämissen:\n{premises}\n\n{existence} „Einige“ bedeutet mindestens eines und "
        "vielleicht alle. Sonst ist nichts bekannt, und ein Ding kann zu mehreren Arten oder "
        "zu keiner gehören.\n\nSchlüsse:\n{claims}\n"
        "\nGib zu jedem Schluss das Urteil mit dem englischen Wort an: „follows“, wenn er in "
        "jedem Fall wahr ist, in dem die Prämissen wahr sind; „contradicts“, wenn er in jedem "
        "solchen Fall falsch ist; sonst „open“. Schreibe für jeden eine Zeile mit seiner "
        "Nummer, zum Beispiel „1: open“."
    ),
    "zh": (
        "表示事物种类的词是虚构的。\n\n前提：\n{premises}\n"
        "\n{existence}“有些”的意思是至少有一个，也可能是全部。除此之外一无所知，一个事物可以"
        "属于多个种类，也可以不属于任何种类。\n\n结论：\n"
        "{claims}\n\n请用英文单词给出对每个结论的判断：只要前提为真结论就一定为真，写"
        "“follows”；只要前提为真结论就一定为假，写“contradicts”；其他情况写“open”。每个结论写"
        "一行，并写上编号，例如“1: open”。"
    ),
    "es": (
        "Las palabras que designan clases de cosas son inventadas.\n"
        "\nPremisas:\n{premises}\n\n{existence} «Algunos» significa al menos uno y quizá "
        "todos. No se sabe nada más, y una cosa puede pertenecer a varias clases o a ninguna."
        "\n\nConclusiones:\n{claims}\n\nDa el veredicto sobre cada conclusión con la palabra "
        "inglesa: «follows» si es verdadera en todos los casos en que lo son las premisas, "
        "«contradicts» si es falsa en todos esos casos, «open» en cualquier otro caso. "
        "Escribe una línea para cada una, con su número, por ejemplo «1: open»."
    ),
    "ar": (
        "الكلمات الدالة على أنواع الأشياء مخترعة.\n\n"
        "المقدمات:\n{premises}\n\n{existence} كلمة «بعض» تعني واحدًا على الأقل، وربما الكل. "
        "ولا يُعرف شيء غير ذلك، ويجوز أن ينتمي الشيء إلى عدة أنواع أو ألا ينتمي إلى أي نوع.\n"
        "\nالنتائج:\n{claims}\n\nأعطِ الحكم على كل نتيجة بالكلمة الإنجليزية: «follows» إذا "
        "كانت صحيحة في كل حالة تصح فيها المقدمات، و«contradicts» إذا كانت خاطئة في كل حالة من "
        "هذا القبيل، و«open» فيما عدا ذلك. اكتب سطرًا لكل نتيجة مع رقمها، مثل «1: open»."
    ),
}

INHABITED: dict[Code, str] = {
    "de": "Von jeder Art gibt es mindestens ein Ding ({terms}).",
    "zh": "每个种类（{terms}）都至少有一个事物。",
    "es": "Hay al menos una cosa de cada clase ({terms}).",
    "ar": "يوجد شيء واحد على الأقل من كل نوع ({terms}).",
}

MAYBE_EMPTY: dict[Code, str] = {
    "de": (
        "Eine Art kann leer sein: Aussagen mit „alle“ und „keine“ sind wahr, wenn zur ersten "
        "Art nichts gehört."
    ),
    "zh": "一个种类可以是空的：如果第一个种类中没有事物，带“所有”和“没有”的陈述为真。",
    "es": (
        "Una clase puede estar vacía: las afirmaciones con «todos» y con «no hay» son "
        "verdaderas si la primera clase no tiene nada."
    ),
    "ar": (
        "يجوز أن يكون النوع فارغًا: العبارات التي فيها «كل» أو «لا شيء» صحيحة إذا لم يكن في "
        "النوع الأول شيء."
    ),
}

WORDS: dict[Code, dict[str, str]] = {
    "de": {
        "all": "Alle {} sind {}.",
        "no": "Keine {} sind {}.",
        "some": "Einige {} sind {}.",
        "some not": "Einige {} sind keine {}.",
    },
    "zh": {
        "all": "所有{}都是{}。",
        "no": "没有{}是{}。",
        "some": "有些{}是{}。",
        "some not": "有些{}不是{}。",
    },
    "es": {
        "all": "Todos los {} son {}.",
        "no": "No hay {} que sean {}.",
        "some": "Algunos {} son {}.",
        "some not": "Algunos {} no son {}.",
    },
    "ar": {
        "all": "كل ما هو من {} هو من {}.",
        "no": "لا شيء مما هو من {} هو من {}.",
        "some": "بعض ما هو من {} هو من {}.",
        "some not": "بعض ما هو من {} ليس من {}.",
    },
}


def prompt(task: Syllogism, code: Code) -> str:
    """The task in a language."""

    def as_text(form: str, subject: int, predicate: int) -> str:
        return WORDS[code][form].format(task.terms[subject], task.terms[predicate])

    existence = INHABITED if task.inhabited else MAYBE_EMPTY
    return TEXT[code].format(
        premises="\n".join(f"  {as_text(*premise)}" for premise in task.premises),
        existence=existence[code].format(terms=separated(code, task.terms)),
        claims="\n".join(f"{n}. {as_text(*claim)}" for n, claim in enumerate(task.conclusions, 1)),
    )
