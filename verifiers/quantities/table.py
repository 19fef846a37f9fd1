"""The units of :mod:`palaestra.verifiers.quantities.units`, each in terms of those above it.

A line reads ``names | symbols | worth | prefixes``. Names are read in any case and with a plural
``s``; symbols as they stand. The worth is a rational number and a unit; ``=x`` is a dimension of
its own. Prefixes are ``si``, ``info`` (kilo and above, and the binary ones) or none.

Where a word has several meanings, one is taken: a year is 365.25 days, a ton 2000 pounds, a
gallon that of the US, a calorie 4.184 J, an acre 43,560 square feet, a dollar that of the US.
Degrees and radians are dimensions of their own, because their ratio is not rational; so are
parsecs, decibels and pH, and every currency. The dalton alone is measured (CODATA 2022), the rest
is exact by definition.
"""

PREFIXES = """\
si 10 30 quetta Q
si 10 27 ronna R
si 10 24 yotta Y
si 10 21 zetta Z
si 10 18 exa E
si 10 15 peta P
si 10 12 tera T
si 10 9 giga G
si 10 6 mega M
si 10 3 kilo k
si 10 2 hecto h
si 10 1 deca deka da
si 10 -1 deci d
si 10 -2 centi c
si 10 -3 milli m
si 10 -6 micro µ u
si 10 -9 nano n
si 10 -12 pico p
si 10 -15 femto f
si 10 -18 atto a
si 10 -21 zepto z
si 10 -24 yocto y
si 10 -27 ronto r
si 10 -30 quecto q
info 1024 1 kibi Ki
info 1024 2 mebi Mi
info 1024 3 gibi Gi
info 1024 4 tebi Ti
info 1024 5 pebi Pi
info 1024 6 exbi Ei
info 1000 1 K
"""
"""For which units, a base and its power, names and symbols; ``info`` takes the large ``si`` too."""

TABLE = """
metre, meter | m | =length | si
gram, gramme | g | 1/1000 =mass | si
second, sec | s | =time | si
ampere, amp | A | =current | si
kelvin, degree kelvin, degrees kelvin, deg k | K, °K | =temperature | si
mole | mol | =amount | si
candela | cd | =luminosity | si
radian | rad | =angle:radian | si
degree, deg, degree of arc, degrees of arc | ° | =angle:degree |
bit | b | =information | info
unit | | =unit |

# time
minute, min | min | 60 s |
hour, hr | h | 60 min |
day | d | 24 h |
week, wk | | 7 d |
fortnight | | 14 d |
year, yr | yr | 365.25 d | si
month | | 1/12 yr |
decade | | 10 yr |
century, centuries | | 100 yr |
millennium, millennia | | 1000 yr |
hertz | Hz | s^-1 | si
becquerel | Bq | s^-1 | si
curie | Ci | 3.7e10 Bq | si

# length
micron | | 1e-6 m |
angstrom, ångström, angström, ångstrom | Å | 1e-10 m |
inch, inches | in | 0.0254 m |
foot, feet, ft | ft | 12 in |
yard, yd | yd | 3 ft |
fathom | | 6 ft |
furlong | | 660 ft |
mile | mi | 5280 ft |
nautical mile | nmi, NM | 1852 m |
astronomical unit | au, AU | 149597870700 m |
light year, lightyear | ly | 9460730472580800 m | si
parsec | pc | =parsec | si

# area and volume
hectare | ha | 1e4 m^2 |
acre | | 43560 ft^2 |
barn | | 1e-28 m^2 |
litre, liter | L, l, ℓ | 1/1000 m^3 | si
cc | | 1 cm^3 |
gallon, gal, us gallon | gal | 231 in^3 |
quart, qt | qt | 1/4 gal |
pint, pt | pt | 1/8 gal |
cup | | 1/16 gal |
fluid ounce, fl oz, floz | | 1/128 gal |
tablespoon, tbsp | | 1/256 gal |
teaspoon, tsp | | 1/768 gal |
imperial gallon, uk gallon | | 4.54609 L |
barrel, bbl | | 42 gal |
bushel | | 2150.42 in^3 |

# mass
tonne, metric ton, metric tonne | t | 1000 kg | si
pound, lb, pound mass, lbm | lb | 0.45359237 kg |
ounce, oz | oz | 1/16 lb |
stone | st | 14 lb |
grain | | 1/7000 lb |
troy ounce | ozt | 480 grain |
ton, short ton, us ton | | 2000 lb |
long ton, imperial ton | | 2240 lb |
carat | | 1/5000 kg |
quintal | | 100 kg |
dalton, atomic mass unit, amu | Da, u | 1.66053906892e-27 kg | si

# speed
mph | | 1 mi/h |
kph, kmh, kmph | | 1 km/h |
fps | | 1 ft/s |
knot | kn, kt | 1 nmi/h |
mpg | | 1 mi/gal |

# force, pressure, energy, power
newton | N | kg m/s^2 | si
dyne | dyn | 1e-5 N | si
pound force, pounds force, lbf | lbf | 4.4482216152605 N |
kilogram force, kilograms force, kilopond | kgf, kp | 9.80665 N |
kip | | 1000 lbf |
slug | | 1 lbf s^2/ft |
pascal | Pa | N/m^2 | si
bar | bar | 1e5 Pa | si
atmosphere, standard atmosphere | atm | 101325 Pa |
torr | Torr | 1/760 atm | si
mmhg, mm hg, millimetre of mercury, millimetres of mercury, millimeter of mercury, \
millimeters of mercury | mmHg | 133.322387415 Pa |
inhg, inches of mercury | inHg | 3386.388640341 Pa |
psi | | 1 lbf/in^2 |
ksi | | 1000 psi |
joule | J | N m | si
newton metre, newton meter | Nm | N m | si
erg | | 1e-7 J | si
calorie | cal | 4.184 J | si
electronvolt, electron volt | eV | 1.602176634e-19 J | si
british thermal unit, btu | BTU | 1055.05585262 J |
therm | | 1e5 btu |
foot pound, ft lb, lb ft, ft lbs, pound foot, pound feet | | 1 ft lbf |
watt | W | J/s | si
watt hour | Wh | W h | si
watt second | Ws | W s | si
horsepower, horse power, hp | hp | 550 ft lbf/s |
poise | P | 1/10 Pa s | si
stokes | St | 1e-4 m^2/s | si

# electricity and magnetism
coulomb | C | A s | si
ampere hour, amp hour | Ah | A h | si
volt | V | W/A | si
volt ampere | VA | W | si
ohm | Ω, ohm, Ohm | V/A | si
siemens | S | A/V | si
mho | ℧ | A/V | si
farad | F | C/V | si
weber | Wb | V s | si
henry, henries | H | Wb/A | si
tesla | T | Wb/m^2 | si
gauss | G | 1e-4 T | si
maxwell | Mx | 1e-8 Wb | si

# light and radiation
steradian | sr | rad^2 | si
lumen | lm | cd sr | si
lux | lx | lm/m^2 | si
nit | | 1 cd/m^2 |
dioptre, diopter | | m^-1 |
jansky, janskys | Jy | 1e-26 W s/m^2 | si
gray | Gy | J/kg | si
sievert | Sv | J/kg | si
rem | rem | 1/100 Sv | si
roentgen, röntgen | | 2.58e-4 C/kg |

# chemistry
molar | M | mol/L | si
molal | | mol/kg |
katal | kat | mol/s | si
ph | pH | =pH |

# temperature
celsius, degree celsius, degrees celsius, degc, deg c, centigrade, degree centigrade, \
degrees centigrade, degree c, degrees c | °C, ℃ | 1 K + 273.15 |
fahrenheit, degree fahrenheit, degrees fahrenheit, degf, deg f, degree f, degrees f | °F, ℉ \
| 5/9 K + 45967/180 |
rankine, degree rankine, degrees rankine | °R, °Ra | 5/9 K |

# angle
arcminute, arc minute, arcmin, minute of arc, minutes of arc | | 1/60 ° |
arcsecond, arc second, arcsec, second of arc, seconds of arc | | 1/3600 ° | si
mas | | 1/1000 arcsecond |
gradian, gon | | 9/10 ° |
revolution, rev, turn | rev | 360 ° |
rpm | | 1 rev/min |
rps | | 1 rev/s |

# information
byte | B | 8 b | info
bps | bps | b/s | info
decibel | dB | =decibel |

# numbers
percent, per cent, pct | % | 1/100 |
permille, per mille | ‰ | 1/1000 |
basis point | | 1/10000 |
ppm | | 1e-6 |
ppb | | 1e-9 |
dozen | | 12 |
hundred | | 100 |
thousand | | 1000 |
million | | 1e6 |
billion | | 1e9 |
trillion | | 1e12 |

# currency
dollar, us dollar, usd | USD, $, US$ | =currency:USD |
cent, penny, pennies, us cent | ¢ | 1/100 USD |
euro, eur | EUR, € | =currency:EUR |
euro cent, eurocent | | 1/100 EUR |
pound sterling, pounds sterling, british pound, gbp, quid | GBP, £ | =currency:GBP |
pence | | 1/100 GBP |
yen, japanese yen, jpy | JPY, ¥ | =currency:JPY |
yuan, renminbi, rmb, cny | CNY, RMB | =currency:CNY |
rupee, indian rupee, inr | INR, ₹ | =currency:INR |
paisa, paise | | 1/100 INR |
won, krw | KRW, ₩ | =currency:KRW |
rouble, ruble, rub | RUB, ₽ | =currency:RUB |
kopeck, kopek | | 1/100 RUB |
swiss franc, franc, chf | CHF | =currency:CHF |
peso, mexican peso, mxn | MXN | =currency:MXN |
brl | BRL, R$ | =currency:BRL |
lira, turkish lira | TRY, ₺ | =currency:TRY |
krona, kronor, sek | SEK | =currency:SEK |
krone, kroner, nok | NOK | =currency:NOK |
canadian dollar, cad | CAD, C$, CA$ | =currency:CAD |
australian dollar, aud | AUD, A$, AU$ | =currency:AUD |
hong kong dollar, hkd | HKD, HK$ | =currency:HKD |
singapore dollar, sgd | SGD, S$ | =currency:SGD |
rand, zar | ZAR | =currency:ZAR |
zloty, pln | PLN | =currency:PLN |
bitcoin, btc | BTC | =currency:BTC |
"""

SLOPPY = {
    "KG": "kg", "Kg": "kg", "KM": "km", "Km": "km", "CM": "cm", "Cm": "cm", "KW": "kW", "Kw": "kW",
    "kw": "kW", "KWH": "kWh", "KWh": "kWh", "Kwh": "kWh", "kwh": "kWh", "KJ": "kJ", "Kj": "kJ",
    "kj": "kJ", "HZ": "Hz", "hz": "Hz", "KHZ": "kHz", "KHz": "kHz", "Khz": "kHz", "khz": "kHz",
    "MHZ": "MHz", "Mhz": "MHz", "GHZ": "GHz", "Ghz": "GHz", "KN": "kN", "KPa": "kPa", "Kpa": "kPa",
    "kpa": "kPa", "Mpa": "MPa", "Gpa": "GPa", "ev": "eV", "kev": "keV", "Mev": "MeV", "Gev": "GeV",
    "db": "dB", "DB": "dB", "KCal": "kcal", "Kcal": "kcal", "kCal": "kcal",
    "mcg": "µg", "KV": "kV", "kv": "kV", "kbit": "kb", "Mbit": "Mb", "Gbit": "Gb", "Rs": "INR",
}  # fmt: skip
"""Symbols in the wrong case, and other spellings, that can mean one thing only."""

OTHERWISE = {
    "C": ("°C",), "F": ("°F",), "pound": ("GBP",), "pounds": ("GBP",), "cent": ("euro cent",),
    "cents": ("euro cent",), "penny": ("pence",), "kt": ("kilotonne",), "¥": ("CNY",),
    "minute": ("arcminute",), "minutes": ("arcminute",), "second": ("arcsecond",),
    "seconds": ("arcsecond",), "$": ("CAD", "AUD", "HKD", "SGD"),
    "dollar": ("CAD", "AUD", "HKD", "SGD"), "dollars": ("CAD", "AUD", "HKD", "SGD"),
}  # fmt: skip
"""Further meanings, taken where the first has another dimension than the one expected."""
