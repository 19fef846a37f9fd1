"""Which letters side by side are a word: "DNA" and "saw", but neither xyz nor the AB of 2AB."""

import re

_CAPITALS = re.compile(r"[A-Z](?: ?[A-Z])+(?![a-zA-Z0-9_])")
_SMALL = re.compile(r"[a-z]{2,3}(?![a-zA-Z0-9_])")

_ROMAN = re.compile(r"x{0,3}(?:i[xv]|v?i{0,3})")

_WORDS = """
ace act add ado age ago aid aim air ale ape apt arc are ark arm art ash ask ate awe axe bad bag
ban bar bat bay bed bee beg bet bid bin bit bow box bud bug bun bus but buy cab can cap car cow
cry cub cue cup cut dab dad dam den dew did die dig dim dip dot dry due dug ear eat ebb eel egg
ego elf elk elm end era eve ewe eye fan far fat fed fee fig fin fir fit fix fly fog for fox fry
fun fur gap gas gel gem get gin god got gum gun gut guy gym had ham has hat hay hen hid hip his
hit hog hop hot how hub hue hug hut ice ill imp ink inn ion ire its ivy jam jar jaw jet job jog
joy jug key kid kin kit lab lad lag lap law lay lea led leg let lid lie lip lit lot low mad map
mar mat men met mid mix mob mop mud mug nab nag nap nat net new nib nip nit nod nor nos now nun
nut oak oar oat odd off oil old opt orb ore our out owe owl own pad pal pan pap par pat paw pay
pea peg pen pet pie pig pin pit ply pod pop pot pro pub pun pup put rag ram ran rap rat raw ray
rib rid rig rim rip rob rod rot row rub rug run rut rye sac sad sag sap sat saw say sea see set
sew shy sir sit ski sky sly sob son sow soy spa spy sub sue sun tab tag tap tar tax tea ten tie
tin tip toe ton too top tow toy try tub tug two urn use van vat vet via vow wag war was wax way
web wed wet who why wig win wit woe wok won wry yam yap yes yet you zip zoo
"""
_ENGLISH = frozenset(_WORDS.split())
"""Words of three letters; those of two that matter are words wherever they stand."""


def run_alone(text: str, start: int) -> re.Match[str] | None:
    """Return the letters at a position that form a word if the expression has no others.

    Two capital letters or more are, and small letters where one comes twice, or that are a word of
    English or a Roman number. Products are written as xyz, A*B or 2AB; a word of which the order
    does not count would make "AND" as good as "DNA".

    >>> [bool(run_alone(text, 0)) for text in ("DNA", "H T H", "saw", "aba", "xyz", "aB", "AB_1")]
    [True, True, True, True, False, False, False]
    """
    if capitals := _CAPITALS.match(text, start):
        return capitals
    small = _SMALL.match(text, start)
    if small is None:
        return None
    run = small[0]
    word = len(set(run)) < len(run) or run in _ENGLISH or _ROMAN.fullmatch(run)
    return small if word else None
