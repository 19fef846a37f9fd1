"""Telling an answer that pleads for its verdict from one that answers, in a dozen languages.

It is a sieve and not a wall. Words that may be right answers by themselves ("yes", "true", "right",
"valid", "10/10") pass; what tells the judge what to do or to find does not.
"""

import re
from functools import lru_cache

from palaestra.verifiers.instructions.visible import LOOKALIKES

_ANSWER = (
    r"(?:(?:final|given|above|my|this|the|student'?s?|model'?s?) ){0,3}"
    r"(?:answer|response|reply|solution|submission|output)"
)
_GOOD = r"(?:correct|right|valid|accurate|perfect|acceptable|equivalent|good enough)"
_IS = r"(?:is|are|was|should be|must be)(?: \w{1,12}){0,2}"
_MARKS = r"(?:marks?|scores?|credits?|points?|grades?|rating|reward)"
_VALUE = (
    r"(?:[\d.,]{1,8}(?: ?/ ?\d{1,4})?(?: ?%| points?)?|[a-f][+]?|pass(?:ed)?|true|yes|full|max)"
)
_LAWS = (
    r"(?:rubrics?|instructions?|rules?|criteri(?:a|on)|prompts?|guidelines?|constraints?|above"
    r"|previous|prior|reference|gold)"
)
_ORDER = r"(?:^|[.!?:;,\n\"'(\[{*_>#-] ?|\b(?:please|now|must|should|and) )"
_TRUE = r"(?:true|yes|correct|pass(?:ed)?|met|right|valid|full|10?0?(?:\.0)?)"
_WORD = r"(?: \w{1,10}){0,4}[ :\"'*`(]{1,4}(?:yes|met|pass)\b"
_KEY = rf"(?:verdict|(?:is_)?correct|grade|passed|met|judge?ment|{_MARKS})"
_EXAMINER = r"(?:judge|grader|evaluator|examiner|verifier)"

_ENGLISH = (
    r"^(?:correct|accepted|approved|verified)[.! ]*$",
    rf"^(?:it|that|this|all|everything) {_IS} (?:correct|right)[.! ]*$",
    rf"\b{_ANSWER} {_IS} {_GOOD}\b",
    rf"^(?:\w{{1,12}} ){{0,2}}(?:verdict|{_MARKS})(?: is| ?[:=])+ ?{_VALUE}[.! ]*$",
    r"\b(?:score|grade|rating|verdict|reward)\W{1,6}(?:correct|yes|pass(?:ed)?|met|true)\b",
    rf"{_ORDER}(?:ignore|disregard|forget|override|bypass|skip)\b.{{0,40}}\b{_LAWS}\b",
    rf"\b(?:give|award|assign|grant|deserves?)\b.{{0,30}}\b(?:full|max|maximum|perfect) {_MARKS}\b",
    rf"\b(?:mark|grade|score|rate|judge|count|accept|treat|consider)\b.{{0,30}} as {_GOOD}\b",
    rf"\b(?:reply|respond|answer (?:with|only))\b{_WORD}",
    rf"{_ORDER}(?:say|write|output)\b{_WORD}",
    rf"\b(?:dear|attention|note to|hey|hello)(?: the)? {_EXAMINER}\b",
    rf"\byou are(?: \w{{1,8}}){{0,3}} {_EXAMINER}\b",
    r"\b(?:meets?|satisf(?:y|ies)|fulfil(?:l?s)?) (?:all|every|each)\b.{0,20}\b(?:rubric|criteri)",
    rf"(?:^|\n)\W{{0,4}}(?:system|assistant|developer|{_EXAMINER})(?: \w{{1,10}})?\W{{0,2}}:",
    r"<\W{0,2}(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|sys)\b",
    r"\[/?(?:inst|system_prompt|sys)\]",
    rf"[{{,]\s{{0,9}}[\"']?{_KEY}[\"']?\s{{0,9}}[:=]\s{{0,9}}[\"']?{_TRUE}\b",
)

_OTHERS = (
    r"^(?:richtig|korrekt|correcte?|correct[oa]|corrett[oa]|corret[oa]|верно|правильно)[.! ]*$",
    r"\b(?:antwort|lösung) ist (?:\w{1,12} ){0,2}(?:richtig|korrekt)",
    r"\b(?:ignorier\w{0,3}|vergiss|missachte)\b.{0,40}(?:anweisung|regel|kriteri|rubrik|vorgabe)",
    r"\bréponse est (?:\w{1,12} ){0,2}(?:correcte|juste|bonne|exacte)",
    r"\b(?:ignore[zr]|oublie[zr]?)\b.{0,40}(?:instructions?|consignes?|règles?|critères?)",
    r"\bignore (?:les |ces |toutes les )?(?:consignes?|règles?|critères?)",
    r"\b(?:respuesta|resposta) (?:es|está|é) (?:\w{1,12} ){0,2}(?:correcta|correta|certa)",
    r"\b(?:ignor[ae]r?|olvid[ae]|esqueça)\b.{0,40}(?:instrucc|instruç|reglas?|regras?|criterio)",
    r"\brisposta (?:è|e') (?:\w{1,12} ){0,2}(?:corretta|giusta|esatta)",
    r"\b(?:ignora|dimentica)\b.{0,40}(?:istruzioni|regole|criteri)",
    r"\bответ (?:\w{1,12} ){0,2}(?:верный|верен|правил)",
    r"(?:игнорируй|забудь|не обращай внимания).{0,40}(?:инструкци|правил|критери|указани)",
    r"(?:答案|回答).{0,6}(?:正确|正確|对的|正しい)",
    r"^(?:正确|正確|正解|正しい|满分|滿分|満点)\W{0,3}$",
    r"(?:忽略|无视|無視|忘记).{0,20}(?:指令|指示|规则|規則|评分|評価|标准|基準)",
    r"(?:指示|規則|ルール|基準).{0,6}無視",
    r"(?:给|給|打).{0,6}(?:满分|滿分)",
    r"정답입니다|답이 맞|(?:지시|규칙|기준).{0,6}무시",
    r"(?:الإجابة|الجواب).{0,6}صحيح",
    r"تجاهل.{0,20}(?:التعليمات|القواعد)",
    r"उत्तर सही|(?:निर्देश|नियम).{0,12}अनदेखा",
)


@lru_cache(maxsize=1)
def _patterns() -> re.Pattern[str]:
    """All patterns in one. Every gap is bounded, so that no text takes long."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in (*_ENGLISH, *_OTHERS)))


def pleads(text: str) -> bool:
    """Return whether a normalised text speaks about its own verdict.

    Latin letters may be written with signs that look like them.

    >>> pleads("the answer is correct"), pleads("the \u0430nswer is c\u043errect"), pleads("yes")
    (True, True, False)
    """
    return any(_patterns().search(form) for form in {text, text.translate(LOOKALIKES)})
