r"""Pairs by hand: one thing in other notations, and beside each tolerance what it must not take.

A table holds a gold, then what is the same, then what is not; every label was thought out from the
meaning of the two texts.
"""

from collections.abc import Iterable, Iterator
from random import Random

from cases import Case, makes

# ruff: noqa: E501

Row = tuple[str, Iterable[str], Iterable[str]]


def table(
    name: str, rule: str, why: tuple[str, str], rows: Iterable[Row], kind: str = "same"
) -> None:
    """Enter a class: golds, each with right answers and wrong ones, and why they are."""

    def make(rng: Random) -> Iterator[Case]:
        for gold, right, wrong in rows:
            for text in right:
                yield Case(gold, text, True, why[0], rule, kind)
            for text in wrong:
                yield Case(gold, text, False, why[1], rule, kind)

    makes(name)(make)


table("words of letters", "section 2", ("the same word", "other letters, or another order"), [
    ("DNA", ["$DNA$", r"\text{DNA}", r"\mathrm{DNA}", "D N A", '"DNA"', "DNA."],
     ["AND", "NAD", "DAN", r"\text{AND}", "A N D", "RNA", "DN", "x = AND"]),
    ("RGB", ["R G B"], ["BGR", "GRB", "B G R", "RG", "RGBR", "R, G, B"]),
    ("HTH", [r"\text{HTH}", "H T H"], ["HHT", "THH", "HT", "H^2T", "HTHH"]),
    ("HHT, HTH", ["HTH, HHT", "HHT and HTH"], ["HTH, THH", "HHT, THH", "HHT"]),
    (r"\{HT, TH\}", [r"\{TH, HT\}"], [r"\{HT, HT\}", r"\{HT\}", r"\{HH, TT\}"]),
    ("(HT, TH)", ["(HT,TH)"], ["(TH, HT)"]),
    ("BA", ["B A", r"\text{BA}"], ["AB", "A B"]),
    ("ABCD", ["A, B, C, D", r"\text{ABCD}"], ["DCBA", "D, C, B, A", "ABDC", "ABC"]),
    ("AB", [r"\text{AB}", "A and B"], ["BA", "B, A", "A"]),
    ("ACD", ["A, C, D", "A C D"], ["DCA", "A, C", "ABCD"]),
    ("A, C", ["C, A", "AC", "A and C", "(A), (C)"], ["CA", "A, B", "A"]),
    ("VI", [r"\mathrm{VI}"], ["IV", "VII"]),
    ("AAB", [r"\text{AAB}"], ["ABA", "BAA", "A^2B"]),
    ("iv", [r"\text{iv}"], ["vi", "v"]),
    ("A-B-C-D", ["A - B - C - D"], ["A-C-B-D", "D-C-B-A", "A-B-C"]),
    ("1-2-3-4", ["1 - 2 - 3 - 4"], ["1-3-2-4", "4-3-2-1"]),
    ("saw", [r"\text{saw}", "Saw"], ["was", "aws"]),
    ("tap", [r"\text{tap}"], ["pat", "apt"]),
    ("eat", [r"\text{eat}"], ["tea", "ate"]),
    ("aba", [r"\text{aba}"], ["aab", "baa"]),
    ("NaF", [r"\mathrm{NaF}"], ["FNa", "NaCl"]),
    ("Aa", [r"\text{Aa}"], ["AA", "aa"]),
    ("x = DNA", ["DNA"], ["AND", "x = AND"]),
    ("AB = 5", ["5", "BA = 5", "|AB| = 5"], ["CD = 5", "AB = 6"]),
    ("AB = CD", ["CD = AB"], ["AC = BD", "AB = AD"]),
])  # fmt: skip

table("products of letters", "section 2", ("the same product", "another product"), [
    ("2AB", ["2BA", r"2A \cdot B", "AB + AB"], ["AB", "3AB", "2AC"]),
    ("A*B", ["B*A", "BA", "AB"], ["A+B", "AC"]),
    ("xyz", ["zyx", r"x \cdot y \cdot z"], ["xy", "x+y+z"]),
    ("ab", ["ba", "a*b"], ["a+b", "ac"]),
    ("AB^2", ["B^2A"], ["A^2B", "AB"]),
    (r"\frac{AB}{CD}", [r"\frac{BA}{DC}"], [r"\frac{CD}{AB}", r"\frac{AC}{BD}"]),
    ("PV = nRT", ["nRT = PV", "VP = nRT"], ["PV = nR", "P = nRTV"]),
    ("AB + BC", ["BC + AB", "BC + BA"], ["AB + AC", "AB"]),
    ("IR", [r"I \cdot R"], ["RI", "IV"]),
    ("mgh", ["m*g*h", "hgm"], ["mg", "m+g+h"]),
])  # fmt: skip

table("nested sets", "section 2", ("the same set", "a set is not its member"), [
    (r"\emptyset", [r"\{\}", r"\varnothing", "∅"], [r"\{\emptyset\}", r"\{\{\}\}", r"\{0\}"]),
    (r"\{\emptyset\}", [r"\{\{\}\}", r"\{\varnothing\}"], [r"\emptyset", r"\{\{\emptyset\}\}"]),
    (r"\{1, 2\}", [r"\{2, 1\}", r"\{1, 2, 1\}"], [r"\{\{1, 2\}\}", r"\{\{1\}, \{2\}\}"]),
    (r"\{\{1\}, 2\}", [r"\{2, \{1\}\}"], [r"\{1, 2\}", r"\{1, \{2\}\}", r"\{\{1, 2\}\}"]),
    (r"\{\{1, 2\}, \{3\}\}", [r"\{\{3\}, \{2, 1\}\}"],
     [r"\{\{1\}, \{2, 3\}\}", r"\{1, 2, 3\}", r"\{\{1, 2\}, 3\}"]),
    (r"\{\emptyset, \{1\}\}", [r"\{\{1\}, \emptyset\}"], [r"\{\{1\}\}", r"\{\emptyset, 1\}"]),
    ("{{1}, {2}}", [r"\{\{1\}, \{2\}\}", "{{2}, {1}}"], [r"\{1, 2\}", "{1, 2}"]),
    ("{1, 2}", [r"\{2, 1\}"], ["{{1}, {2}}"]),
    (r"\{\{1\}\}", [r"\{ \{ 1 \} \}"], [r"\{1\}", "1", r"\{\{\{1\}\}\}"]),
    (r"(\{1\}, 2)", [r"(\{1\},2)"], ["(1, 2)", r"(1, \{2\})"]),
])  # fmt: skip

table("units of one letter", "R23", ("the unit may be missing", "another unit, number or name"), [
    *((f"5 {unit}", ["5", "5.0", f"5{unit}", rf"5\text{{ {unit}}}"], ["6", f"6 {unit}", "5 cd", "5x"])
      for unit in "msNVAJLhgWKT"),
    ("5", ["5 m", "5 s", "5 N", r"5\,\Omega"], ["5m", "5x", "6 m", "5 n"]),
    ("5 m", ["500 cm", "5 meters", "0.005 km"], ["5 cm", "5 s", "5 m^2", "5 m/s", "5 kg"]),
    ("5m", ["5 m", "m*5"], ["5", "5n", "5 cm"]),
    ("5x", ["x*5"], ["5", "5 m"]),
    ("-5 m", ["-5", r"-5\text{ m}"], ["5", "5 m"]),
    ("5 m/s", ["5", r"5\ \mathrm{m/s}", "18 km/h"], ["5 m", "5 s", "5 km/h"]),
    ("5 m^2", ["5", "5 m²"], ["5 m", "5 m^3"]),
    ("2 h", ["2", "120 min", "7200 s"], ["2 min", "120"]),
    ("3 N + 4", ["4 + 3N"], ["3", "7"]),
    ("6/15 m", ["0.4 m", "2/5", r"\frac{2}{5}\text{ m}"], ["15/6 m", "0.4 s"]),
    ("81/6 m/s^2", [r"13.5\text{ m/s}^2", "13.5"], ["13.5 m/s", "81 m/s^2"]),
    (r"2\pi m", [r"2\pi", r"2\pi\text{ m}"], ["2", r"2\pi s"]),
])  # fmt: skip

table("units in Greek and with powers", "R23", ("the same unit", "another unit"), [
    ("5 ohm", ["5 Ω", r"5\,\Omega", r"5~\Omega", "5 ohms", "5"], ["5 V", "6 Ω", r"5\,\text{k}\Omega"]),
    (r"10\ \Omega", ["10 ohm", "10 Ω", "10"], ["10 A", "1 ohm"]),
    ("5 kΩ", ["5000 ohm", r"5\,k\Omega", r"5\text{ k}\Omega", "5000 Ω"], ["5 Ω", "500 Ω", "5 MΩ"]),
    ("5 µm", ["5 μm", r"5\,\mu\text{m}", r"5\ \mu\mathrm{m}", "0.005 mm"], ["5 mm", "5 nm"]),
    (r"9.8\text{ m/s}^2", [r"9.8\,\mathrm{m/s^2}", "9.8 m/s^2", r"9.8\text{ m/s}^{2}", "9.8"],
     ["9.8 m/s", "9.8 m^2/s^2", r"9.8\text{ m/s}^3"]),
    (r"9.8\,\mathrm{m/s^2}", [r"9.8\text{ m/s}^2", r"9.8\ \mathrm{m/s}^2"], [r"9.8\text{ m/s}"]),
    (r"12\text{ cm}^2", [r"12\,\mathrm{cm}^2", r"12\text{ cm}^{2}"], [r"12\text{ cm}", r"12\text{ cm}^3"]),
    (r"3\text{ kg/m}^3", [r"3\,\mathrm{kg/m^3}"], [r"3\,\mathrm{kg/m^2}"]),
])  # fmt: skip

table("amounts in several units", "R23", ("together the same", "another amount"), [
    ("1 h 30 min", ["90 min", "1.5 h", "1 hour 30 minutes", "1 hour and 30 minutes", "5400 s"],
     ["1 h 20 min", "130 min", "1.3 h", "1 h 30 s", "1.5", "90", "1"]),
    ("90 min", ["1 h 30 min", r"1\text{ h }30\text{ min}", "1h 30min"], ["1 h 20 min", "2 h 30 min"]),
    ("2 hours and 15 minutes", ["135 minutes", "2 h 15 min", "2.25 hours"], ["2 hours", "215 minutes"]),
    ("5 ft 3 in", ["63 in", "5 feet 3 inches", "5 feet, 3 inches", "5.25 ft"], ["53 in", "5.3 ft"]),
    ("3 m 20 cm", ["3.2 m", "320 cm"], ["3.02 m", "3 m"]),
    ("3.2 m", ["3 m 20 cm"], ["3 m, 20 cm", "3 m 2 cm"]),
    ("5 lb 4 oz", ["84 oz", "5.25 lb"], ["5.4 lb", "80 oz"]),
    ("2 days 3 hours", ["51 hours"], ["23 hours", "2 days"]),
])  # fmt: skip

table("numbers in other spellings", "section 2", ("the same number", "another number"), [
    (r"3 \times 10^8", ["3 x 10^8", "3x10^8", "3 X 10^{8}", "300000000"], ["3 x 10^7", "3 x 10"]),
    ("3 x 10^8", [r"3\times10^8", "3e8", "3*10^8"], ["3 x 10^9", "30^8"]),
    ("6.02 x 10^{23}", [r"6.02\cdot 10^{23}"], ["6.02 x 10^{22}"]),
    ("3x + 10^2", ["100 + 3x"], ["300", "3 x 10^2"]),
    ("1234567", ["1'234'567", "1’234’567", "1,234,567"], ["1'234'576", "1234,567"]),
    ("12345.5", ["12'345.5"], ["12'345'5", "12'354.5"]),
    (r"\frac{1}{3}", ["0.(3)", r"0.\overline{3}"], ["0.3", "0.(4)", "0.(33)1", "0.33"]),
    ("0.(3)", ["1/3", r"0.\overline{3}", "0.(33)"], ["0.3", "0.(03)"]),
    (r"\frac{1}{6}", ["0.1(6)"], ["0.(16)", "0.16"]),
    (r"\frac{1}{7}", ["0.(142857)"], ["0.(142875)", "0.142857"]),
    (r"\frac{16}{3}", ["5.(3)"], ["5.3", "15"]),
    ("3+4i", ["3+i4", "4i+3", "i4+3"], ["3-i4", "4+i3", "3+4"]),
    ("3 + i4", ["3+4i"], ["3-4i", "7i"]),
    (r"{n \choose k}", [r"\binom{n}{k}", r"\dbinom{n}{k}", r"\binom{n}{n-k}"], [r"\binom{k}{n}", r"\frac{n}{k}"]),
    (r"\binom{n}{2}", [r"{n \choose 2}", r"\frac{n(n-1)}{2}"], [r"\frac{n(n+1)}{2}", "n^2"]),
    (r"{5 \choose 2}", ["10", r"\binom{5}{3}"], ["20", "5/2", r"\frac{5}{2}"]),
    (r"5 \choose 2", ["10"], ["2.5"]),
])  # fmt: skip

table("free names", "section 2", ("what is free may be called so", "not the same for all values"), [
    ("x^2 + C", ["x^2 + c", "x^2 + K", "C + x^2", "x^2 + C_1"],
     ["x^2", "x^2 + y", "x^3 + c", "x^2 + 2", "x^2 + x", "x^2 + cx"]),
    ("x^2 + c", ["x^2 + C"], ["x^2 + b", "x^2 - 1", "x^2 + m"]),
    (r"y = \sin x + C", [r"y = \sin x + c"], [r"y = \cos x + c"]),
    (r"\frac{9}{5}C + 32", [r"32 + \frac{9}{5}C"], [r"\frac{9}{5}K + 32", r"\frac{9}{5}c + 32"]),
    ("Ax + By = C", ["By + Ax = C"], ["Ax + By = D", "Ax - By = C"]),
    ("5C", ["C*5"], ["5K", "5c"]),
    ("C_1e^x + C_2e^{-x}", ["c_1e^x + c_2e^{-x}"], ["c_1e^x + c_1e^{-x}", "c_1e^x"]),
    (r"\frac{\pi}{4} + n\pi", [r"\frac{\pi}{4} + k\pi", r"\frac{\pi}{4} + \pi m", r"k\pi + \frac{\pi}{4}"],
     [r"\frac{\pi}{4} + 2k\pi", r"\frac{\pi}{3} + k\pi", r"\frac{\pi}{4} + x\pi", r"\frac{\pi}{4}"]),
    (r"x = \frac{\pi}{6} + 2k\pi", [r"x = \frac{\pi}{6} + 2n\pi"], [r"x = \frac{\pi}{6} + n\pi"]),
    (r"30^\circ + 360^\circ n", [r"30^\circ + 360^\circ k"], [r"30^\circ + 180^\circ k", r"30^\circ"]),
    (r"n\pi, n \in \mathbb{Z}", [r"k\pi, k \in \mathbb{Z}", r"n\pi", r"k\pi \text{ where } k \in \mathbb{Z}"],
     [r"2k\pi, k \in \mathbb{Z}", r"\pi"]),
    (r"2n + 1, n \in \mathbb{Z}", [r"2k + 1, k \in \mathbb{Z}", "2n + 1"], [r"2k, k \in \mathbb{Z}", "2k + 1"]),
    ("2n + 1", ["1 + 2n"], ["2k + 1", "2n - 1"]),
    (r"\pi r^2", [r"r^2\pi"], [r"\pi k^2", r"\pi R^2"]),
])  # fmt: skip

table("approximations and reasons", "R22", ("what follows the answer is true and adds nothing", "another answer, a hedge, or false"), [
    (r"\frac{\pi}{4}", [r"\frac{\pi}{4} \approx 0.785", r"\frac{\pi}{4} \approx 0.7854", "π/4 ≈ 0.79"],
     [r"\frac{\pi}{4} \approx 0.9", r"\frac{\pi}{3} \approx 1.047", "0.785", r"\frac{\pi}{2} \approx 0.785"]),
    (r"\sqrt{2}", [r"x = \sqrt{2} \approx 1.41", r"\sqrt{2} \approx 1.414"],
     [r"\sqrt{3} \approx 1.73", r"\sqrt{2} \approx 1.5", "1.414"]),
    (r"x = \sqrt{2}", [r"x = \sqrt{2} \approx 1.414"], [r"x = \sqrt{3} \approx 1.732"]),
    (r"\frac{5}{7}", [r"\frac{5}{7} \approx 71.4\%", r"\frac{5}{7} \approx 0.714"], [r"\frac{5}{7} \approx 0.8"]),
    (r"\pi", [r"\pi \approx 3.14"], [r"\frac{22}{7} \approx \pi", r"\frac{22}{7} \approx 3.14"]),
    ("0.785", [r"\frac{\pi}{4} \approx 0.785"], [r"\frac{\pi}{3} \approx 1.047"]),
    ("5", [r"\frac{10}{2} = 5"], [r"5 \approx 5.4", r"4 \approx 5"]),
    ("7", ["7 (since 3+4=7)", "7, because 3+4=7", "7 since 3+4=7.", r"7 \text{ (since } 3+4=7)",
           "7 (by symmetry)", "7 (since f(3)=7)"],
     ["8 (since 7+1=8)", "7 (or 8)", "7 (not 8)", "7 (since it is not 8)", "3+5 (since 3+4=7)"]),
    ("yes", ["Yes, because 2 < 3", "yes (since 2 < 3)"], ["no, because yes is odd", "no (since 2 < 3)"]),
    (r"\frac{1}{2}", [r"\frac{1}{2} (since \frac{2}{4} = \frac{1}{2})"], [r"\frac{1}{3} (since 1/2 < 1)"]),
])  # fmt: skip

table("dates", "section 2", ("the same day", "another day, or less than asked"), [
    ("4 July 1776", ["July 4, 1776", "July 4th, 1776", "4th of July, 1776", "1776-07-04", "04.07.1776",
                     "4 Jul 1776", "Thursday, July 4, 1776", r"\text{July 4, 1776}", "on July 4, 1776"],
     ["5 July 1776", "4 June 1776", "4 July 1777", "4 July", "July 1776", "Friday, July 4, 1776",
      "1776-04-07", "7/4/1776", "1776"]),
    ("2024-02-29", ["29 February 2024", "February 29, 2024"], ["1993", "28 February 2024", "2024-02-28"]),
    ("July 4", ["4 July", "July 4th", "the 4th of July"], ["July 5", "June 4", "7"]),
    ("July 1776", ["Jul 1776", "July, 1776"], ["June 1776", "July 1777"]),
    ("15 March 44 BC", ["March 15, 44 BC", "15 March 44 BCE"], ["15 March 44", "15 March 44 AD"]),
    ("13/07/1776", ["13 July 1776", "July 13, 1776"], ["12 July 1776", "13 June 1776"]),
    ("Monday, 4 May", ["Monday, May 4", "Mon, 4 May"], ["4 May", "Tuesday, May 4"]),
])  # fmt: skip

table("times of day", "section 2", ("the same time", "another time, or a number"), [
    ("15:45", ["3:45 pm", "3:45 p.m.", "3:45PM", "15:45:00", "15:45 hours"],
     ["3:45", "3:45 am", "15:54", "15.75", "1:3", "45:15", "15:46"]),
    ("3:45 pm", ["15:45", "3:45 P.M."], ["3:45 am", "3:54 pm", "3.75"]),
    ("12:00", ["noon", "12 noon", "12 pm", "12:00 pm"], ["midnight", "12 am", "1:00", "24:00"]),
    ("0:00", ["midnight", "12 am", "24:00", "00:00"], ["noon", "12:00", "0:01"]),
    ("7:00", ["7 am", "7:00 a.m.", "07:00"], ["7 pm", "19:00"]),
    ("9 pm", ["21:00", "9:00 pm"], ["9:00", "9 am"]),
    ("2:3", ["4:6", "2 to 3"], ["3:2", "2:30"]),
])  # fmt: skip

table("chemistry", "section 2", ("the same formula", "another formula"), [
    ("H_2O", [r"\ce{H2O}", "H2O", "H₂O", r"\mathrm{H_2O}", r"\text{H}_2\text{O}", r"\mathrm{H}_2\mathrm{O}"],
     ["OH_2", "H_2O_2", "HO_2", r"\ce{H3O}", "H_3O", "HO"]),
    (r"\ce{CO2}", ["CO_2", "CO2", "CO₂"], ["CO", "C_2O", "O_2C", "Co2"]),
    ("CO", [r"\ce{CO}", r"\mathrm{CO}"], ["Co", "OC", "CO_2"]),
    ("Co", [r"\ce{Co}", r"\text{Co}"], ["CO"]),
    ("NaCl", [r"\ce{NaCl}", r"\mathrm{NaCl}"], ["ClNa", "NaCl_2", "KCl"]),
    ("C_6H_{12}O_6", ["C6H12O6", r"\ce{C6H12O6}"], ["C_6H_{10}O_6", "C_{12}H_6O_6"]),
    ("Ca(OH)_2", [r"\ce{Ca(OH)2}", "Ca(OH)2"], ["CaOH_2", "Ca(OH)_3"]),
    (r"SO_4^{2-}", [r"\ce{SO4^2-}", r"\mathrm{SO}_4^{2-}"], [r"SO_4^{2+}", "SO_4", r"SO_3^{2-}", r"SO_4^-"]),
    ("Na^+", [r"\ce{Na+}", r"\mathrm{Na}^+", "Na^{+}"], ["Na", "Na^-", "Na^{2+}", "K^+"]),
    (r"Fe^{3+}", [r"\ce{Fe^3+}", "Fe^{+3}"], [r"Fe^{2+}", "Fe"]),
    (r"2H_2 + O_2 \to 2H_2O", [r"\ce{2H2 + O2 -> 2H2O}", r"O_2 + 2H_2 \rightarrow 2H_2O"],
     [r"H_2 + O_2 \to H_2O", r"2H_2O \to 2H_2 + O_2", r"2H_2 + O_2 \to 2H_2O_2"]),
    (r"CuSO_4 \cdot 5H_2O", [r"\ce{CuSO4*5H2O}", "CuSO4·5H2O"], ["CuSO_4", r"CuSO_4 \cdot 4H_2O"]),
    ("O_2", ["O2", r"\ce{O2}"], ["O", "O_3", "2O"]),
    ("P_2V_2", ["V_2P_2"], ["P_2V_1", "P_2"]),
])  # fmt: skip

table("units behind a box", "R15", ("what stands right behind it fits", "it is another unit"), [
    ("5 cm", [r"\boxed{5} cm", r"$\boxed{5}$ cm.", r"\boxed{5}\text{ cm}", r"$\boxed{5}\,\mathrm{cm}$",
              r"\boxed{5}", r"\boxed{5} in total", r"\boxed{5} is the length.", r"\boxed{0.05} m",
              r"\boxed{5} A nice number.", "\\boxed{5}\nkm and miles are other units."],
     [r"\boxed{5} km", r"$\boxed{5}$ km.", r"\boxed{5}\text{ km}", r"$\boxed{5}\,\mathrm{kg}$",
      r"\(\boxed{5}\) kg", r"**\boxed{5}** m", r"\boxed{5} km is the length.", r"$$\boxed{5}$$ km",
      r"\boxed{5} kilograms, of course", r"\boxed{5}~s", r"\boxed{50} cm", r"\boxed{5}km"]),
    ("5", [r"\boxed{5} km", r"\boxed{5}!", r"$\boxed{5}$ - that is it", r"\boxed{5} (see above)",
           r"$\boxed{5} = 2 + 3$", r"\boxed{5} \qquad (1)", r"\boxed{5} QED"],
     [r"\boxed{5}x", r"$\boxed{5}\sqrt{2}$", r"$\boxed{5} \times 10^3$", r"\boxed{5} or 7.",
      r"$\boxed{5}\pi$", r"$\boxed{5} + 2i$"]),
    ("5", [r"\boxed{5}, 3 of them red", r"\boxed{5}."],
     [r"\boxed{5}00", r"\boxed{5}.5", r"\boxed{5},000", r"$\boxed{5}0\%$", r"-\boxed{5}1"]),
    ("5,500", [r"\boxed{5},500", r"\boxed{5}500", r"\boxed{55}00"], [r"\boxed{5},5"]),
    ("5000", [r"$\boxed{5} \times 10^3$", r"\boxed{5 \times 10^3}"], [r"\boxed{5}"]),
    (r"3\sqrt{2}", [r"$\boxed{3}\sqrt{2}$"], [r"\boxed{3}", r"$\boxed{3}\sqrt{3}$"]),
    ("12 hours", [r"\boxed{12} hours.", r"\boxed{12} as asked", r"\boxed{12} or so"],
     [r"\boxed{12} hours and 5 minutes.", r"\boxed{12} hours 5 minutes", r"\boxed{12} or 13"]),
    ("5 ft 3 in", [r"\boxed{5 ft 3 in}", r"\boxed{5} feet, 3 inches."], [r"\boxed{5} feet."]),
    ("6 s", [r"\boxed{6} s in total.", r"$\boxed{6}$ s at most", r"\boxed{6} seconds as asked"],
     [r"\boxed{6} h in total.", r"$\boxed{6}$ min at most"]),
    ("x^2 + C", [r"\boxed{x^2} + C", r"\boxed{x^2 + C}"], [r"\boxed{x^2}"]),
    ("50 °C", [r"$\boxed{50}$ °C", r"$\boxed{50}^\circ$C"], [r"$\boxed{50}$ °F", r"\boxed{50} K"]),
    (r"\$5", [r"$\$\boxed{5}$", r"\boxed{5} dollars", r"\boxed{5}"], [r"€\boxed{5}", r"\boxed{5} euros"]),
    ("€5", [r"€\boxed{5}", r"\boxed{5} euros"], [r"$\$\boxed{5}$", r"\boxed{5} dollars"]),
    ("5 m^2", [r"\boxed{5}\text{ m}^2", r"$\boxed{5}$ m^2"], [r"\boxed{5}\text{ m}^3", r"\boxed{5} m"]),
    ("5 pears", [r"\boxed{5} pears.", r"\boxed{5}"], [r"\boxed{5} apples.", r"\boxed{6} pears."]),
    ("B", [r"\boxed{B} is right", r"\boxed{B} m"], [r"\boxed{A} is right"]),
], "judge")  # fmt: skip

table("headings and displays", "R7", ("it stands under the heading", "another answer, or none"), [
    ("42", ["### Final answer\n\n42", "## Answer\n42", "**Final Answer**\n\n42", "#### Final answer\n\n42",
            "**Answer:**\n\n42", "Final Answer\n\n$42$", "# Answer\n\n**42**", "Answer：42", "Final answer：42",
            "The answer is：42", "The answer is:\n$$42$$", "The answer is:\n\n$$\n42\n$$\n", "The answer is\n\n42",
            "The answer is:\n\\[\n42\n\\]", "The answer is:\n\n\\[ x = 42 \\]\n\nDone.",
            "### Answer\n\n41\n\n### Final answer\n\n42"],
     ["### Final answer\n\n41", "I like the answer\n\n42", "### Final answer\n\nI do not know: 42?",
      "### Answer\n\n42\n\n### Final answer\n\n41", "Answer：41", "The answer is:\n$$41$$", "### Result of it\n\n42",
      "So I have no answer\n42", "The answer is:\n\\[\n41\n\\]"]),
    (r"\frac{1}{2}", ["The answer is\n\\[\\frac{1}{2}\\]", "### Final answer\n\n$\\frac{1}{2}$"],
     ["The answer is\n\\[\\frac{1}{3}\\]"]),
], "judge")  # fmt: skip


@makes("many alternatives")
def alternatives(rng: Random) -> Iterator[Case]:
    many = " or ".join(f"x=e^{n}" for n in range(1, 151))
    yield Case("x=e^3", many, False, "a hundred and fifty alternatives for one", "R4")
    yield Case("x=e", many, False, "a hundred and fifty alternatives for one", "R4")
    turned = " or ".join(f"x=e^{n}" for n in range(150, 0, -1))
    yield Case(many, turned, True, "the same alternatives from the last on", "R4")
    other = turned.replace("e^75 ", "e^{0.75} ")
    yield Case(many, other, False, "one of them is another", "R4")
    for gold, right, wrong in (
        ("x=1 or x=2", ("x=2 or x=1", "x=2 or x=1 or x=1", "x=1, x=2", "1 or 2"),
         ("x=2 or x=1 or x=3", "x=1", "x=1 or x=3", "x=1 or y=2")),
        (r"x=\sqrt{2} \text{ or } x=-\sqrt{2}", (r"x=\pm\sqrt{2}", r"x=-\sqrt{2} \text{ or } x=\sqrt{2}"),
         (r"x=\sqrt{2}", r"x=\pm\sqrt{3}", r"x=\sqrt{2} \text{ or } x=\sqrt{2}")),
        ("1 or 3", ("3 or 1", "x=1 or x=3", r"\{1, 3\}"), ("1 or 2", "1", "1 or 3 or 5", "13")),
        ("x<1 or x>2", ("x>2 or x<1", r"(-\infty,1)\cup(2,\infty)"), ("x<2 or x>1", "x<1 and x>3", "x<1")),
    ):  # fmt: skip
        for text in right:
            yield Case(gold, text, True, "the same alternatives", "R4")
        for text in wrong:
            yield Case(gold, text, False, "other alternatives", "R4")
