"""The things that people own in stories, in the languages of the translations."""

from typing import NamedTuple

from palaestra.combinators.translations.grammar import Code, Counted, Name


def _table(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


GERMAN = _table(
    """
apples:Äpfel pens:Stifte marbles:Murmeln stamps:Briefmarken shells:Muscheln books:Bücher
coins:Münzen beads:Perlen cards:Karten stones:Steine nails:Nägel ribbons:Bänder plums:Pflaumen
candles:Kerzen buttons:Knöpfe tiles:Fliesen seeds:Samen postcards:Postkarten
"""
)
"""The plural, which is the same in the nominative, the accusative and the genitive."""

SPANISH = _table(
    """
apples:las-manzanas pens:los-bolígrafos marbles:las-canicas stamps:los-sellos shells:las-conchas
books:los-libros coins:las-monedas beads:las-cuentas cards:los-naipes stones:las-piedras
nails:los-clavos ribbons:las-cintas plums:las-ciruelas candles:las-velas buttons:los-botones
tiles:las-baldosas seeds:las-semillas postcards:las-postales
"""
)
"""The plural with its article."""

CHINESE = _table(
    """
apples:个苹果 pens:支笔 marbles:颗弹珠 stamps:张邮票 shells:个贝壳 books:本书 coins:枚硬币
beads:颗珠子 cards:张卡片 stones:块石头 nails:颗钉子 ribbons:条丝带 plums:个李子 candles:支蜡烛
buttons:颗纽扣 tiles:块瓷砖 seeds:粒种子 postcards:张明信片
"""
)
"""The measure word, which is one character, and the noun."""

ARABIC = {
    "apples": Counted("تفاحة", "تفاحتان", "تفاحات", "تفاحةً"),
    "pens": Counted("قلم", "قلمان", "أقلام", "قلمًا"),
    "marbles": Counted("كرة", "كرتان", "كرات", "كرةً"),
    "stamps": Counted("طابع", "طابعان", "طوابع", "طابعًا"),
    "shells": Counted("صدفة", "صدفتان", "أصداف", "صدفةً"),
    "books": Counted("كتاب", "كتابان", "كتب", "كتابًا"),
    "coins": Counted("درهم", "درهمان", "دراهم", "درهمًا"),
    "beads": Counted("خرزة", "خرزتان", "خرزات", "خرزةً"),
    "cards": Counted("ورقة", "ورقتان", "أوراق", "ورقةً"),
    "stones": Counted("حجر", "حجران", "أحجار", "حجرًا"),
    "nails": Counted("مسمار", "مسماران", "مسامير", "مسمارًا"),
    "ribbons": Counted("شريط", "شريطان", "أشرطة", "شريطًا"),
    "plums": Counted("برقوقة", "برقوقتان", "برقوقات", "برقوقةً"),
    "candles": Counted("شمعة", "شمعتان", "شموع", "شمعةً"),
    "buttons": Counted("زر", "زران", "أزرار", "زرًا"),
    "tiles": Counted("بلاطة", "بلاطتان", "بلاطات", "بلاطةً"),
    "seeds": Counted("بذرة", "بذرتان", "بذور", "بذرةً"),
    "postcards": Counted("بطاقة", "بطاقتان", "بطاقات", "بطاقةً"),
}


class Things(NamedTuple):
    """Things of one sort in a template: ``{x}`` is their plural, ``{x.that_many}`` "as many" in
    Spanish, and so on.
    """

    code: Code
    sort: str
    """The English plural, such as ``pens``."""

    def __str__(self) -> str:
        match self.code:
            case "de":
                return GERMAN[self.sort]
            case "zh":
                return CHINESE[self.sort][1:]
            case "es":
                return SPANISH[self.sort][4:]
        return f"ال{ARABIC[self.sort].plural}"

    def __format__(self, _: str) -> str:
        return str(self)

    @property
    def measure(self) -> str:
        """The Chinese measure word."""
        return CHINESE[self.sort][0]

    @property
    def with_article(self) -> str:
        """The Spanish plural with its article."""
        return SPANISH[self.sort].replace("-", " ")

    @property
    def ending(self) -> str:
        """The ending of Spanish words that agree with it."""
        return SPANISH[self.sort][1:3]

    def counted(self, number: int, nominative: bool = False) -> str:
        """A number of 2 or more of these things; the case matters in Arabic."""
        if self.code == "ar":
            return ARABIC[self.sort].with_number(number, nominative)
        if self.code == "zh":
            return f"{number}{self.measure}{self}"
        return f"{number} {self}"


def owned(code: Code, names: str, owners: list[tuple[str, str]]) -> dict[str, Name | Things]:
    """The slots of a template for people and what they own: P has x, Q has y, R has z."""
    slots: dict[str, Name | Things] = {}
    for person, thing, (name, sort) in zip(names, "xyz", owners):
        slots |= {person: Name(name), thing: Things(code, sort)}
    return slots
