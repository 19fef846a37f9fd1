"""English nouns in the singular, by rule and by list.

>>> [singular(word) for word in ("boxes", "houses", "cities", "people", "glass", "potatoes")]
['box', 'house', 'city', 'person', 'glass', 'potato']
"""

_OTHER_WORDS = """
a an and are as at but by for from if in is it nor not of on or plus minus than that them then the
they this to was we were with you per times approximately about exactly only no none true false yes
wrong right correct incorrect maybe perhaps answer
"""
NOT_NOUNS = frozenset(_OTHER_WORDS.split())
"""Words that show a text to be no noun phrase."""

_IRREGULAR = {
    "people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman",
    "teeth": "tooth", "geese": "goose", "mice": "mouse", "oxen": "ox", "dice": "die",
    "vertices": "vertex", "indices": "index", "matrices": "matrix", "leaves": "leaf",
    "loaves": "loaf", "halves": "half", "calves": "calf", "wolves": "wolf", "knives": "knife",
    "lives": "life", "wives": "wife", "shelves": "shelf", "thieves": "thief", "scarves": "scarf",
    "buses": "bus", "gas": "gas", "gases": "gas", "lens": "lens", "lenses": "lens",
    "viruses": "virus", "series": "series", "species": "species", "radii": "radius",
    "cacti": "cactus", "shoes": "shoe", "toes": "toe", "canoes": "canoe", "movies": "movie",
    "cookies": "cookie", "brownies": "brownie", "pies": "pie", "ties": "tie", "zombies": "zombie",
    "calories": "calorie", "selfies": "selfie",
}  # fmt: skip


def singular(word: str) -> str:
    """A noun in the singular; a singular stays as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes", "oes")):
        return word[:-2]
    return word[:-1]
