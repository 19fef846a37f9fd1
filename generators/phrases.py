"""Common English words, for texts without meaning, such as plaintexts and lists to sort."""

from random import Random

_LIST = """
able about above across after again air all almost alone along always among animal answer apple
arrive ask autumn baby back bake ball bank basket beach bear beautiful become bed before begin
behind believe bell below best better between big bird birthday black blanket blue board boat body
bone book both bottle bottom bowl box boy branch brave bread break breakfast bridge bright bring
brother brown brush build burn bus busy butter button buy cake call camp candle car card careful
carry castle cat catch chair chalk change cheap cheese child choose circle city clean clear climb
clock close cloth cloud coat coffee cold colour come cook cool copy corner cotton country cousin
cover cow cross crowd cry cup curtain cut dance dark daughter day deep desert desk dinner dirty
distant doctor dog door double down draw dream dress drink drive drop dry duck dust each ear early
earth east easy eat edge egg eight empty end enough evening every eye face fall family famous far
farm fast father feather feed feel fence field fight fill find finger finish fire first fish five
flag flat floor flour flower fly fold follow food foot forest forget fork four fox free fresh
friend frog front fruit full funny garden gate gentle girl give glad glass glove goat gold good
grain grandmother grass great green grey ground grow guess guest guitar hair half hall hammer hand
happy harbour hard hat have head hear heart heavy help hen here hide high hill hold hole holiday
home honey hope horse hospital hot hour house how hundred hungry hurry ice idea inside iron island
jacket jar job join journey jump keep kettle key kind king kitchen kite knee knife know ladder
lake lamp large last late laugh leaf learn leather leave left leg lemon lesson letter library
light like line lion listen little live long look loud love low lunch machine make many map market
master meadow meal meat meet middle milk mill minute mirror money monkey month moon morning mother
mountain mouse mouth move much music nail name narrow near neck need needle neighbour nest never
new next night nine noise north nose nothing now number nurse oak ocean off often oil old once
onion only open orange other out outside oven over owl page paint pair paper park part pass path
pay pear pen people pepper picture piece pig pillow plain plant plate play please plough pocket
point polite pond poor potato pour present pretty prince pull push put quarter queen question
quick quiet rabbit race rain reach read ready red remember rest rice rich ride right ring river
road roof room root rope rose round row rule run sad sail salt same sand sandwich save say school
scissors sea season second seed sell send seven shade shadow shake sharp sheep shelf shell ship
shirt shoe shop short shoulder shout show silver simple sing sister sit six skirt sky sleep slow
small smell smile smoke snow soap soft some song soon sound soup south spade speak spoon spring
square stairs stamp stand star start station stay step stick still stone stop storm story straight
strange street string strong student sugar summer sun supper sweet swim table tail take talk tall
taste tea teach tell ten tent thank thick thin thing think thirsty thousand thread three throw
ticket tie tiger time tired today together tomorrow tongue tooth top touch towel tower town toy
train travel tree trousers true trust try turn twelve twenty twice uncle under until upon useful
valley vegetable very village visit voice wait wake walk wall want warm wash watch water wave
weather week well west wet wheat wheel when where white wide wild wind window wing winter wise
wolf woman wonder wood wool word work world write wrong yard year yellow yesterday young
"""

WORDS = tuple(sorted(_LIST.split()))
"""Several hundred words of three to eleven letters, in alphabetical order."""


def phrase(rng: Random, words: int) -> tuple[str, ...]:
    """Different words in a row.

    >>> phrase(Random(1), 3) == phrase(Random(1), 3)
    True
    """
    return tuple(rng.sample(WORDS, words))
