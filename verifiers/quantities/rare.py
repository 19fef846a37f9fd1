"""Units that are rare in answers, as Pint 0.25.3 defines them.

Written by ``.ci/rare_units.py``. A line reads ``name factor dimension^power …``: the factor
converts to the SI units. Names have a plural in ``s``.
"""

RARE = """
abampere 10 current
abcoulomb 10 current time
aberdeen 45359237/1316736000000 length^-1 mass
abfarad 1000000000 current^2 length^-2 mass^-1 time^4
abhenry 1/1000000000 current^-2 length^2 mass time^-2
abmho 1000000000 current^2 length^-2 mass^-1 time^3
abohm 1/1000000000 current^-2 length^2 mass time^-3
absiemens 1000000000 current^2 length^-2 mass^-1 time^3
abvolt 1/100000000 current^-1 length^2 mass time^-3
are 100 length^2
atm 101325 length^-1 mass time^-2
bag 2131884139/50000000 mass
barad 1/10 length^-1 mass time^-2
barie 1/10 length^-1 mass time^-2
barrie 1/10 length^-1 mass time^-2
baryd 1/10 length^-1 mass time^-2
barye 1/10 length^-1 mass time^-2
baud 1 information time^-1
biot 10 current
blob 8896443230521/50800000000 mass
buckingham 1/2997924580000000000000000000000000000000 current length^2 time
cal 523/125 length^2 mass time^-2
candle 1 luminosity
chain 79200/3937 length
cicero 3/665 length
clausius 523/125 length^2 mass temperature^-1 time^-2
cwt 45359237/1000000 mass
darcy 1/1013250000000 length^2
debye 1/299792458000000000000000000000 current length time
decibelmicrowatt 1/1000000 length^2 mass time^-3
decibelmilliwatt 1/1000 length^2 mass time^-3
decibelwatt 1 length^2 mass time^-3
den 1/9000000 length^-1 mass
denier 1/9000000 length^-1 mass
dgal 220244188543/50000000000000 length^3
didot 1/2660 length
dpi 220244188543/400000000000000 length^3
dqt 220244188543/200000000000000 length^3
drachm 19439673/5000000000 mass
dram 45359237/25600000000 mass
dtex 1/10000000 length^-1 mass
dwt 19439673/12500000000 mass
dyn 1/100000 length mass time^-2
enzymeunit 1/60000000 amount time^-1
eon 31557600000000000 time
faraday 120606665154137523/1250000000000 current time
fermi 1/1000000000000000 length
fifth 473176473/625000000000 length^3
fldr 473176473/128000000000000 length^3
fluidram 473176473/128000000000000 length^3
footpound 3389544870828501/2500000000000000 length^2 mass time^-2
fur 792000/3937 length
galileo 1/100 length time^-2
gamma 1/1000000000 current^-1 mass time^-2
gill 473176473/4000000000000 length^3
gravity 196133/20000 length time^-2
hand 127/1250 length
hogshead 29810117799/125000000000 length^3
hundredweight 45359237/1000000 mass
jig 1419529419/32000000000000 length^3
jute 45359237/1316736000000 length^-1 mass
kat 1 amount time^-1
kayser 100 length^-1
kgf 196133/20000 length mass time^-2
kps 1000 length time^-1
lambda 1/1000000000 length^3
langley 41840 mass time^-2
lbt 58319019/156250000 mass
league 19008000/3937 length
link 792/3937 length
minim 157725491/2560000000000000 length^3
mol 1 amount
molec 1/602214076000000000000000 amount
molecule 1/602214076000000000000000 amount
mps 1 length time^-1
neper 1
nmi 1852 length
oct 1
octave 1
octet 8 information
ozf 8896443230521/32000000000000 length mass time^-2
ozt 19439673/625000000 mass
particle 1/602214076000000000000000 amount
pdl 17281869297/125000000000 length mass time^-2
peck 220244188543/25000000000000 length^3
pennyweight 19439673/12500000000 mass
perch 19800/3937 length
pica 127/30000 length
point 127/360000 length
pole 19800/3937 length
pond 196133/20000000 length mass time^-2
poundal 17281869297/125000000000 length mass time^-2
quad 1055056000000000000 length^2 mass time^-2
quarter 317514659/25000000 mass
rad 1 angle:radian
rads 1/100 length^2 time^-2
reaumur 5/4 temperature
reyn 8896443230521/1290320000 length^-1 mass time^-1
rhe 10 length mass^-1 time
rod 19800/3937 length
scruple 6479891/5000000000 mass
section 40144896000000/15499969 length^2
sft 1200/3937 length
shake 1/100000000 time
shot 1419529419/32000000000000 length^3
slinch 8896443230521/50800000000 mass
slm 1351/800 length^2 mass time^-3
slpm 1351/800 length^2 mass time^-3
slugette 8896443230521/50800000000 mass
smi 6336000/3937 length
statfarad 1/100 length
stathenry 100 length^-1 time^2
statmho 1/100 length time^-1
stere 1 length^3
stilb 10000 length^-2 luminosity
strain 1
svedberg 1/10000000000000 time
sverdrup 1000000 length^3 time^-1
tex 1/1000000 length^-1 mass
thm 105505600 length^2 mass time^-2
thou 127/5000000 length
tlb 58319019/156250000 mass
toe 41868000000 length^2 mass time^-2
townsend 1/1000000000000000000000 current^-1 length^4 mass time^-3
toz 19439673/625000000 mass
watthour 3600 length^2 mass time^-2
zeta 29979245800
"""
