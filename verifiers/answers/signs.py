r"""One spelling for signs: digits of any script, minus signs, Greek letters, raised digits.

No compatibility normalisation, which would turn 5² into 52. What nobody writes by accident,
bidirectional controls, is refused.
"""

import unicodedata
from functools import lru_cache

from palaestra.task import InvalidAnswer

_RAISED = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁻": "-", "⁺": "+", "ⁿ": "n", "ˣ": "x"}
_RAISED |= {chr(0x2070 + digit): str(digit) for digit in range(4, 10)}
_LOWERED = {chr(0x2080 + digit): str(digit) for digit in range(10)}
_VULGAR = {
    "½": "1 2", "⅓": "1 3", "⅔": "2 3", "¼": "1 4", "¾": "3 4", "⅕": "1 5", "⅖": "2 5", "⅗": "3 5",
    "⅘": "4 5", "⅙": "1 6", "⅚": "5 6", "⅐": "1 7", "⅛": "1 8", "⅜": "3 8", "⅝": "5 8", "⅞": "7 8",
    "⅑": "1 9", "⅒": "1 10",
}  # fmt: skip
_COMMANDS = {
    "×": "times", "⋅": "cdot", "·": "cdot", "∙": "cdot", "∗": "cdot", "÷": "div", "∞": "infty",
    "≤": "le", "≥": "ge", "⩽": "le", "⩾": "ge", "≠": "ne", "≈": "approx", "≡": "equiv", "∪": "cup",
    "∩": "cap", "∅": "emptyset", "ℝ": "R", "±": "pm", "∓": "mp", "°": "degree", "∈": "in",
    "∖": "setminus", "√": "surd", "∫": "int", "∑": "sum", "∏": "prod", "→": "to", "⇒": "to",
    "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "⟨": "langle", "⟩": "rangle",
    "…": "ldots", "∣": "mid", "ℎ": "hbar", "∠": "angle", "△": "triangle", "¬": "neg",
}  # fmt: skip
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Σ": "Sigma",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "Π": "Pi",
}  # fmt: skip
_PLAIN = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "’": "'", "‘": "'", "′": "'", "“": '"',
    "”": '"', "⁄": "/", "∕": "/", "∶": ":", "、": ",", "。": ".", "【": "[", "】": "]",
    "∛": "\\sqrt[3]", "∜": "\\sqrt[4]", "µ": "u",
}  # fmt: skip
_MARKS = (("\1", "\2", "^"), ("\3", "\4", "_"))
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def spelled(text: str) -> str:
    r"""Normalise the characters of a text.

    Raises :class:`InvalidAnswer` for signs that turn the direction of writing.

    >>> spelled("５²·½ ≤ ٤\u200b٢")
    '5^{2}\\cdot \\frac{1}{2} \\le  42'
    """
    if text.isascii():
        return text
    if not _TURNING.isdisjoint(text):
        raise InvalidAnswer("the answer contains characters that change the direction of text")
    spelling = "".join(map(_sign, text))
    for start, end, mark in _MARKS:  # neighbouring raised digits make one exponent
        spelling = spelling.replace(end + start, "").replace(start, mark + "{").replace(end, "}")
    return spelling


@lru_cache(maxsize=4096)
def _sign(sign: str) -> str:
    if sign.isascii():
        return sign if sign not in "\1\2\3\4" else ""
    for known, (start, end, _) in zip((_RAISED, _LOWERED), _MARKS):
        if sign in known:
            return start + known[sign] + end
    if sign in _VULGAR:
        above, below = _VULGAR[sign].split()
        return f"\\frac{{{above}}}{{{below}}}"
    if sign in _COMMANDS or sign in _GREEK:
        return f"\\{_COMMANDS.get(sign) or _GREEK[sign]} "
    if sign in _PLAIN:
        return _PLAIN[sign]
    if "\uff01" <= sign <= "\uff5e":
        return chr(ord(sign) - 0xFEE0)
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    if "\U0001d400" <= sign <= "\U0001d7ff":  # letters of mathematics, in bold, italics, script
        return unicodedata.normalize("NFKC", sign)
    if unicodedata.category(sign) == "Cf":
        return ""
    return " " if sign.isspace() else sign
