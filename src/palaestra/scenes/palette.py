"""Colours by role, light and dark; the categorical ones can be told apart by colour-blind people.

The first eight are those of Okabe and Ito (Color Universal Design, 2008), the others of Paul Tol's
muted scheme. Neighbouring numbers differ in lightness as well as in hue.
"""

from functools import cache
from typing import Literal

Theme = Literal["light", "dark"]

THEMES: tuple[Theme, ...] = ("light", "dark")

COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#8c564b",
    "#332288", "#44aa99", "#882255", "#999933",
)  # fmt: skip
"""``c0`` to ``c11``."""

_ROLES: dict[Theme, dict[str, str]] = {
    "light": {
        "back": "#ffffff", "paper": "#fdfcf9", "muted": "#d9d6cf", "shade": "#6b6862",
        "dark": "#2b2a28", "ink": "#1f1e1c", "line": "#a8a49b", "accent": "#0b6fb8",
        "good": "#00805c", "bad": "#c03b12", "water": "#8cc4ea", "last": "#ffe38a",
        "white": "#ffffff", "black": "#181716",
    },
    "dark": {
        "back": "#191715", "paper": "#26231f", "muted": "#4a463f", "shade": "#9a958b",
        "dark": "#d8d3c8", "ink": "#f1ece2", "line": "#6d685f", "accent": "#6cb6f2",
        "good": "#36c498", "bad": "#ff8a5c", "water": "#2f6f9f", "last": "#6b5a12",
        "white": "#ffffff", "black": "#181716",
    },
}  # fmt: skip

TINT = {"light": 0.3, "dark": 0.42}
"""How much of a colour is in its tint."""


@cache
def colour(tone: str, theme: Theme = "light") -> str:
    """The colour of a role as ``#rrggbb``; ``on-ROLE`` is what is legible on the role.

    Raises ``KeyError`` for a role that does not exist.
    """
    if tone.startswith("on-"):
        ground = "back" if tone == "on-none" else tone[3:]
        return "#1f1e1c" if luminance(colour(ground, theme)) > 0.18 else "#ffffff"
    roles = _ROLES[theme]
    if tone in roles:
        return roles[tone]
    if tone[:1] in {"c", "t"} and tone[1:].isdecimal() and int(tone[1:]) < len(COLOURS):
        strong = COLOURS[int(tone[1:])]
        return strong if tone[0] == "c" else mixed(strong, roles["paper"], TINT[theme])
    raise KeyError(f"no colour {tone!r}; there are none, {', '.join(roles)}, c0 to c11, t0 to t11")


def mixed(one: str, other: str, share: float) -> str:
    """A mixture with ``share`` of the first colour."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2, from 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in _channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def css() -> str:
    """All roles as custom properties of a style sheet, ``--scene-ROLE``, light and dark."""
    names = [*_ROLES["light"], *(f"{letter}{n}" for letter in "ct" for n in range(len(COLOURS)))]
    roles = [*(role for name in names for role in (name, f"on-{name}")), "on-none"]
    lines = [
        f"  --scene-{role}: light-dark({colour(role, 'light')}, {colour(role, 'dark')});\n"
        for role in roles
    ]
    return ":root {\n" + "".join(lines) + "}\n"
