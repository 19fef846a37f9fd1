"""A small typed language of operations on plain values, with descriptions in English.

A function is a sequence of stages, each applied to the result of the previous stage. A stage is one
operation, a choice between two sequences of operations, a map over the parts of a value, or a
combination of two results. Each operation has two phrasings in English and one expression in Python,
which is both executed here and used in the reference solution.

>>> Stage("evens").as_text(0), run([Stage("evens"), Stage("sum")], [1, 2, 4])
(['Keep only the even numbers.'], 6)
"""

# ruff: noqa: E501  (rows of a table are not broken)

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.programs.specifications.values import Kind, random_value


class Operation(NamedTuple):
    """An operation on a value ``v``, with a number ``k`` if it takes one."""

    takes: Kind
    gives: Kind
    texts: tuple[str, str]
    python: str
    numbers: tuple[int, ...] = (0,)


_TABLE: dict[tuple[Kind, Kind], str] = {
    ("numbers", "numbers"): """
evens | keep only the even numbers | remove every odd number | [x for x in v if x % 2 == 0]
odds | keep only the odd numbers | remove every even number | [x for x in v if x % 2]
above | keep only numbers greater than {k} | remove all numbers that are {k} or less | [x for x in v if x > {k}] | -2 0 2 4
below | keep only numbers less than {k} | remove all numbers that are {k} or more | [x for x in v if x < {k}] | 1 3 5 7
negatives | keep only numbers less than zero | remove all numbers that are zero or positive | [x for x in v if x < 0]
add | add {k} to each number | increase every number by {k} | [x + {k} for x in v] | 1 2 3 5 8
times | multiply each number by {k} | replace every number by {k} times itself | [x * {k} for x in v] | 2 3 4 -2
negate | change the sign of each number | multiply each number by -1 | [-x for x in v]
square | square each number | replace each number by its square | [x * x for x in v]
absolute | replace each number by its absolute value | drop the minus sign of each negative number | [abs(x) for x in v]
half | halve each number, rounding down (so that -3 gives -2) | divide each number by 2, rounding towards minus infinity (so that -3 gives -2) | [x // 2 for x in v]
remainder | replace each number by its remainder on division by {k}, which is from 0 to {top} even for negative numbers | reduce each number modulo {k}, to a value from 0 to {top} | [x % {k} for x in v] | 3 4 5 7
ascending | sort from smallest to largest | put the numbers into ascending order | sorted(v)
descending | sort from largest to smallest | put the numbers into descending order | sorted(v, reverse=True)
reverse | reverse the order of the list | turn the list round, so that the last number comes first | v[::-1]
distinct | remove every number that occurred earlier in the list | of equal numbers keep only the first occurrence | list(dict.fromkeys(v))
squeeze | remove every number that equals the one right before it in the list | of each run of equal neighbours keep only one | [x for n, x in enumerate(v) if n == 0 or v[n - 1] != x]
repeated | keep only the numbers that occur more than once in the list, each as often as it occurs | remove every number that occurs exactly once in the list | [x for x in v if v.count(x) > 1]
unique | keep only the numbers that occur exactly once in the list | remove all occurrences of every number that occurs more than once in the list | [x for x in v if v.count(x) == 1]
take | keep only the first {k} number{s} (all, if there are fewer) | cut the list off after its first {k} number{s} (if it has as many) | v[:{k}] | 2 3 4
drop | remove the first {k} number{s} (all, if there are fewer) | leave out the first {k} number{s} (all, if there are fewer) | v[{k}:] | 1 2 3
last | keep only the last {k} number{s} (all, if there are fewer) | remove all numbers but the last {k} (if there are as many) | v[-{k}:] | 2 3 4
cut | remove the last {k} number{s} (all, if there are fewer) | leave out the last {k} number{s} (all, if there are fewer) | v[:-{k}] | 1 2 3
rotate | move the first number to the end of the list (do nothing if the list is empty) | rotate the list one place to the left, so that its first number becomes the last (do nothing if it is empty) | v[1:] + v[:1]
back | move the last number to the front of the list (do nothing if the list is empty) | rotate the list one place to the right, so that its last number becomes the first (do nothing if it is empty) | v[-1:] + v[:-1]
swap | exchange the first and the last number (do nothing if there are fewer than two) | let the first and the last number trade places (do nothing if there are fewer than two) | v[-1:] + v[1:-1] + v[:1] if len(v) > 1 else v
sums | replace each number by the sum of all numbers up to and including it | replace the list by its running totals | list(accumulate(v))
steps | replace the list by the differences of neighbours, each number minus the one before it (empty if there are fewer than two) | for each number but the first, give it minus the number right before it, and nothing else | [b - a for a, b in zip(v, v[1:])]
highest | replace each number by the largest of all numbers up to and including it | replace the list by its running maximum | list(accumulate(v, max))
lowest | replace each number by the smallest of all numbers up to and including it | replace the list by its running minimum | list(accumulate(v, min))
positions | add to each number its position in the list, counted from 1 | increase the first number by 1, the second by 2, the third by 3 and so on | [x + n for n, x in enumerate(v, 1)]
weights | multiply each number by its position in the list, counted from 1 | multiply the first number by 1, the second by 2, the third by 3 and so on | [x * n for n, x in enumerate(v, 1)]
alternate | keep only the 1st, 3rd, 5th number and so on | remove the 2nd, 4th, 6th number and so on | v[::2]
other | keep only the 2nd, 4th, 6th number and so on | remove the 1st, 3rd, 5th number and so on | v[1::2]
signs | change the sign of the 2nd, 4th, 6th number and so on | multiply every second number by -1, beginning with the second one | [-x if n % 2 else x for n, x in enumerate(v)]
not max | remove the largest number, wherever it occurs | remove every number that equals the maximum of the list | [x for x in v if x != max(v)]
not min | remove the smallest number, wherever it occurs | remove every number that equals the minimum of the list | [x for x in v if x != min(v)]
total | put the sum of the list at its end (0 if it is empty) | append the sum of all numbers (0 if there are none) | v + [sum(v)]
length | put the length of the list in front of it | insert the number of its elements at the start of the list | [len(v)] + v
mirror | append the reversed list to the list | follow the list by itself in reverse order | v + v[::-1]
clamp | replace each number greater than {k} by {k} and each number less than -{k} by -{k} | limit each number to the range from -{k} to {k} | [max(-{k}, min({k}, x)) for x in v] | 3 5 6
by last digit | sort by the last digit of the absolute value, ascending, keeping the order of numbers with the same last digit | order the numbers by the last digit of their absolute values, smallest first; those with equal last digits stay in the order they are in | sorted(v, key=lambda x: abs(x) % 10)
rises | keep only the numbers that are greater than the number right before them (the first number is never kept) | remove the first number and every number that is not greater than its predecessor in the list | [b for a, b in zip(v, v[1:]) if b > a]
counts | replace each number by how often it occurs in the list | for each number give the count of its occurrences in the list | [v.count(x) for x in v]
ranks | replace each number by how many numbers in the list are smaller than it | for each number give the count of smaller numbers in the list | [sum(y < x for y in v) for x in v]
evens first | put all even numbers before all odd ones, otherwise keeping their order | move the odd numbers behind the even ones; both groups keep their order | [x for x in v if x % 2 == 0] + [x for x in v if x % 2]
pair sums | replace the list by the sums of neighbours, first and second, second and third and so on (empty if there are fewer than two) | for each number but the last, give the sum of it and the number right after it, and nothing else | [a + b for a, b in zip(v, v[1:])]
no multiples | remove every multiple of {k} (0 is one) | keep only the numbers that are not divisible by {k} | [x for x in v if x % {k}] | 3 4 5
""",
    ("numbers", "number"): """
sum | take the sum of the list (0 if it is empty) | add all numbers up (0 if there are none) | sum(v)
size | take the length of the list | count the numbers in the list | len(v)
max | take the largest number (0 if the list is empty) | take the maximum of the list (0 if it is empty) | max(v, default=0)
min | take the smallest number (0 if the list is empty) | take the minimum of the list (0 if it is empty) | min(v, default=0)
range | take the largest number minus the smallest (0 if the list is empty) | take the difference of the maximum and the minimum (0 if the list is empty) | max(v, default=0) - min(v, default=0)
count above | count the numbers greater than {k} | take how many numbers are greater than {k} | sum(x > {k} for x in v) | 0 2 3
count odd | count the odd numbers | take how many numbers are odd | sum(x % 2 for x in v)
count distinct | count the different values in the list | take how many numbers there are if equal ones count once | len(set(v))
alternating | take the alternating sum: the first number minus the second plus the third and so on (0 if the list is empty) | add the 1st, 3rd, 5th number and so on and subtract the 2nd, 4th, 6th and so on (0 if the list is empty) | sum(v[::2]) - sum(v[1::2])
climbs | count the numbers that are greater than the number right before them | count how often a number in the list is greater than its predecessor | sum(b > a for a, b in zip(v, v[1:]))
second | take the second largest of the different values (0 if there are fewer than two) | take the largest number that is less than the maximum (0 if there is none) | sorted(set(v))[-2] if len(set(v)) > 1 else 0
mode | take the number that occurs most often, the smallest of them if there are several (0 if the list is empty) | take the most frequent number; among equally frequent ones the smallest (0 if the list is empty) | max(sorted(v), key=v.count, default=0)
median | take the number in the middle of the sorted list, the lower one of the two if the length is even (0 if the list is empty) | sort the list and take its middle number, the smaller of two middle ones (0 if the list is empty) | sorted(v)[(len(v) - 1) // 2] if v else 0
peak | take the position of the first occurrence of the largest number, counted from 1 (0 if the list is empty) | take the place where the maximum first occurs, the first place being 1 (0 if the list is empty) | v.index(max(v)) + 1 if v else 0
longest run | take the length of the longest run of equal neighbours (0 if the list is empty) | take how many times in succession the same number stands in the list at most (0 if it is empty) | max((len(list(g)) for _, g in groupby(v)), default=0)
squares | take the sum of the squares (0 if the list is empty) | square each number and add the squares up (0 if there are none) | sum(x * x for x in v)
best slice | take the largest sum of any stretch of neighbouring numbers, where the empty stretch counts as 0 | take the maximum of 0 and the sums of all contiguous stretches of the list | max(accumulate(v, lambda best, x: max(0, best + x), initial=0))
""",
    ("numbers", "lists"): """
chunks | split the list into pieces of {k} numbers each; the last piece may be shorter | cut the list into lists of {k} numbers, from the start; what is left over forms a shorter one | [v[n:n + {k}] for n in range(0, len(v), {k})] | 2 3
runs | split the list into runs: a new list begins wherever a number differs from the one before it | group equal neighbours together into lists | [list(g) for _, g in groupby(v)]
climbing | split the list into pieces: a new piece begins at every number that is less than the one before it | cut the list right before each number that is smaller than its predecessor | [v[a:b] for a, b in pairwise([n for n in range(len(v)) if n == 0 or v[n] < v[n - 1]] + [len(v)])]
prefixes | replace the list by the list of its beginnings: its first number alone, its first two, and so on up to the whole list | give the list of all non-empty beginnings of the list, the shortest first | [v[:n + 1] for n in range(len(v))]
windows | replace the list by the list of all stretches of {k} neighbouring numbers, from left to right (none if there are fewer numbers) | give every contiguous stretch of exactly {k} numbers, in order of where it begins (none if the list is shorter) | [v[n:n + {k}] for n in range(len(v) - {k} + 1)] | 2 3
""",
    ("lists", "numbers"): """
concatenated | join the lists into one list | string all the lists together, in order | [x for part in v for x in part]
lengths | replace each list by its length | for each list, give how many numbers it has | [len(part) for part in v]
part sums | replace each list by its sum (0 for an empty one) | for each list, give the sum of its numbers (0 for an empty one) | [sum(part) for part in v]
heads | take the first number of each list that is not empty | replace the lists by their first numbers, leaving out empty lists | [part[0] for part in v if part]
tails | take the last number of each list that is not empty | replace the lists by their last numbers, leaving out empty lists | [part[-1] for part in v if part]
longest | take the longest list, the first of them if there are several (the empty list if there is none) | keep only the list with the most numbers; the earliest one wins a tie (the empty list if there is none) | max(v, key=len, default=[])
spreads | replace each list by its largest number minus its smallest (0 for an empty one) | for each list, give the difference of its maximum and minimum (0 for an empty one) | [max(part, default=0) - min(part, default=0) for part in v]
""",
    ("lists", "lists"): """
by sum | sort the lists by their sums, smallest first, keeping the order of lists with equal sums | order the lists by ascending sum; lists of the same sum stay in the order they are in | sorted(v, key=sum)
by length | sort the lists by length, longest first, keeping the order of lists of equal length | order the lists by descending length; lists of the same length stay in the order they are in | sorted(v, key=len, reverse=True)
turned | reverse the order of the lists, but not the lists themselves | put the last list first and so on, leaving each list as it is | v[::-1]
long | keep only the lists with more than {k} number{s} | remove the lists that have {k} number{s} or fewer | [part for part in v if len(part) > {k}] | 1 2
each reversed | reverse each of the lists, but not their order | turn each of the lists round, leaving them where they are | [part[::-1] for part in v]
each sorted | sort each of the lists from smallest to largest | put the numbers of each list into ascending order | [sorted(part) for part in v]
""",
    ("lists", "number"): """
number of lists | count the lists | take how many lists there are | len(v)
longest length | take the length of the longest list (0 if there is none) | take the largest length of a list (0 if there is none) | max(map(len, v), default=0)
""",
    ("number", "number"): """
plus | add {k} | increase the number by {k} | v + {k} | 1 3 7 10
product | multiply by {k} | replace the number by {k} times itself | v * {k} | 2 3 5 -1
digit sum | take the sum of the decimal digits of the absolute value | add up the digits of the number, ignoring its sign | sum(map(int, str(abs(v))))
modulo | take the remainder on division by {k}, from 0 to {top} even for a negative number | reduce the number modulo {k}, to a value from 0 to {top} | v % {k} | 7 9 10 13
power | square the number | multiply the number by itself | v * v
size of number | take the absolute value | drop the minus sign, if there is one | abs(v)
turned digits | reverse the decimal digits, keeping the sign (so that -120 gives -21) | write the digits in reverse order, without leading zeros and with the same sign (so that -120 gives -21) | int(str(abs(v))[::-1]) * (-1 if v < 0 else 1)
ones | count the ones in the binary form of the absolute value | take how many digits 1 the absolute value has when it is written in binary | bin(abs(v)).count("1")
collatz | halve the number if it is even, otherwise triple it and add 1 | if the number is odd, multiply it by 3 and add 1; if it is even, divide it by 2 | 3 * v + 1 if v % 2 else v // 2
""",
    ("number", "numbers"): """
digits | take the list of the decimal digits of the absolute value, from left to right | split the number into its decimal digits, the leading one first, ignoring its sign | [int(d) for d in str(abs(v))]
bits | take the list of the binary digits of the absolute value, the last one first (for 0 the list [0]) | list the binary digits of the absolute value from right to left (for 0 the list [0]) | [int(d) for d in bin(abs(v))[:1:-1]]
""",
    ("text", "text"): """
reversed | reverse the string | write the string backwards | v[::-1]
no vowels | remove the vowels a, e, i, o and u | delete every a, e, i, o and u | "".join(c for c in v if c not in "aeiou")
no repeats | of each character keep only its first occurrence | remove every character that occurred earlier in the string | "".join(dict.fromkeys(v))
collapsed | of each run of equal neighbouring characters keep only one | remove every character that equals the one right before it in the string | "".join(c for c, _ in groupby(v))
shifted | replace each letter from a to z by the one {k} place{s} later in the alphabet, going on from z to a, and leave other characters as they are | shift every letter a-z by {k} in the alphabet, with a following z; all other characters stay | "".join(chr((ord(c) - 97 + {k}) % 26 + 97) if "a" <= c <= "z" else c for c in v) | 1 2 3 13
sorted letters | sort the characters by their code points (a space comes before all letters) | put the characters into ascending order of their code points, spaces first | "".join(sorted(v))
doubled | write every character twice | double each character | "".join(c + c for c in v)
start | keep only the first {k} character{s} (all, if there are fewer) | cut the string off after its first {k} character{s} (if it has as many) | v[:{k}] | 3 4 5
end | remove the first {k} character{s} (all, if there are fewer) | leave out the first {k} character{s} (all, if there are fewer) | v[{k}:] | 1 2 3
every second | keep only the 1st, 3rd, 5th character and so on | remove the 2nd, 4th, 6th character and so on | v[::2]
no blanks | remove all spaces | delete every space | v.replace(" ", "")
dashes | replace each space by a hyphen '-' | write a hyphen '-' instead of every space | v.replace(" ", "-")
run lengths | replace each run of equal characters by the character followed by the length of the run (so that aab gives a2b1) | encode runs: each run of equal characters becomes the character and then how often it stands there (so that aab gives a2b1) | "".join(c + str(len(list(g))) for c, g in groupby(v))
capitals | turn the 2nd, 4th, 6th character and so on into upper case | turn the characters at even positions (counted from 1) into upper case | "".join(c.upper() if n % 2 else c for n, c in enumerate(v))
halves | move the first half to the end, where the first half is one character shorter than the second if the length is odd | exchange the two halves of the string; with an odd length the middle character belongs to the second half | v[len(v) // 2:] + v[:len(v) // 2]
palindrome | append the string reversed | follow the string by itself written backwards | v + v[::-1]
""",
    ("text", "number"): """
characters | take the length of the string | count the characters | len(v)
vowels | count the vowels a, e, i, o and u | take how many characters are one of a, e, i, o, u | sum(c in "aeiou" for c in v)
alphabet | count the different characters (a space is one) | take the number of characters if equal ones count once (a space is a character) | len(set(v))
equal neighbours | count the places where a character equals the one right before it | count how often two neighbouring characters are equal | sum(a == b for a, b in zip(v, v[1:]))
text run | take the length of the longest run of equal characters (0 if the string is empty) | take how many times in succession the same character stands at most (0 for the empty string) | max((len(list(g)) for _, g in groupby(v)), default=0)
""",
    ("text", "words"): """
split | split the string into its words at spaces; there are no empty words | take the list of words, which are separated by one or more spaces | v.split()
pieces | cut the string into pieces of {k} characters; the last one may be shorter | split the string into strings of {k} characters, from the start; what is left over forms a shorter one | [v[n:n + {k}] for n in range(0, len(v), {k})] | 2 3
""",
    ("text", "numbers"): """
places | replace each letter from a to z by its place in the alphabet (a is 1) and leave out all other characters | list the places in the alphabet, counted from 1, of all letters a-z, ignoring other characters | [ord(c) - 96 for c in v if "a" <= c <= "z"]
""",
    ("words", "text"): """
joined | join the strings with a hyphen '-' between them | write the strings one after the other, separated by hyphens '-' | "-".join(v)
initials | join the first characters of the strings (empty strings are left out) | make a string of the first character of each string that is not empty | "".join(w[:1] for w in v)
longest word | take the longest string, the first of them if there are several (the empty string if the list is empty) | take the string with the most characters; the earliest one wins a tie (the empty string if the list is empty) | max(v, key=len, default="")
first word | take the string that comes first when they are ordered by code points (the empty string if the list is empty) | take the smallest string in the order of code points (the empty string if the list is empty) | min(v, default="")
""",
    ("words", "words"): """
alphabetical | sort the strings alphabetically (by code points) | put the strings into ascending order of their code points | sorted(v)
by size | sort the strings by length, shortest first, keeping the order of strings of equal length | order the strings by ascending length; those of the same length stay in the order they are in | sorted(v, key=len)
words reversed | reverse the order of the strings, but not the strings themselves | put the last string first and so on, leaving each string as it is | v[::-1]
different words | remove every string that occurred earlier in the list | of equal strings keep only the first occurrence | list(dict.fromkeys(v))
longer | keep only the strings with more than {k} characters | remove the strings of {k} characters or fewer | [w for w in v if len(w) > {k}] | 2 3
each backwards | reverse each of the strings, but not their order | write each string backwards, leaving them where they are | [w[::-1] for w in v]
with vowel | keep only the strings that begin with a vowel (a, e, i, o or u) | remove the strings that do not begin with one of a, e, i, o, u | [w for w in v if w[:1] in tuple("aeiou")]
word twins | keep only the strings that occur more than once in the list, each as often as it occurs | remove every string that occurs exactly once in the list | [w for w in v if v.count(w) > 1]
""",
    ("words", "numbers"): """
word lengths | replace each string by its length | for each string, give how many characters it has | [len(w) for w in v]
vowel counts | replace each string by how many vowels (a, e, i, o, u) it has | for each string, count the characters a, e, i, o and u | [sum(c in "aeiou" for c in w) for w in v]
""",
    ("words", "number"): """
number of words | count the strings | take how many strings there are | len(v)
letters in all | take the total length of all strings | count the characters of all strings together | sum(map(len, v))
""",
    ("grid", "grid"): """
transposed | transpose the grid, so that its first column becomes its first row and so on | swap rows and columns: row n of the new grid is column n of the old one | [list(column) for column in zip(*v)]
flipped | reverse the order of the rows | turn the grid upside down | v[::-1]
mirrored | reverse each row | mirror the grid from left to right | [row[::-1] for row in v]
turned right | rotate the grid by a quarter turn clockwise | turn the grid 90 degrees to the right | [list(column) for column in zip(*v[::-1])]
raised | add {k} to every number of the grid | increase each cell by {k} | [[x + {k} for x in row] for row in v] | 1 2 5
rows shifted | move the first row to the bottom | rotate the rows upwards by one, so that the first row becomes the last | v[1:] + v[:1]
running rows | replace each number by the sum of all numbers up to and including it in its row | replace each row by its running totals, from left to right | [list(accumulate(row)) for row in v]
chequered | change the sign of every number whose row and column numbers, counted from 1, add up to an odd number | multiply by -1 each cell for which row number plus column number (both counted from 1) is odd | [[-x if (r + c) % 2 else x for c, x in enumerate(row)] for r, row in enumerate(v)]
""",
    ("grid", "numbers"): """
row sums | replace each row by its sum | take the list of the sums of the rows, from top to bottom | [sum(row) for row in v]
column sums | take the sum of each column, from left to right | take the list of the sums of the columns, the leftmost first | [sum(column) for column in zip(*v)]
flat | read the grid row by row into one list | join the rows into one list, from top to bottom | [x for row in v for x in row]
row maxima | replace each row by its largest number | take the largest number of each row, from top to bottom | [max(row) for row in v]
column minima | take the smallest number of each column, from left to right | take the minimum of every column, the leftmost first | [min(column) for column in zip(*v)]
diagonal | take the numbers on the diagonal that goes from the top left corner down to the right, as far as it reaches | take the first number of the first row, the second of the second row and so on, as long as there are such | [v[n][n] for n in range(min(len(v), len(v[0])))]
snake | read the grid row by row into one list, the first row from left to right, the second from right to left, and so on in turns | join the rows into one list, reversing the 2nd, 4th, 6th row and so on | [x for n, row in enumerate(v) for x in (row[::-1] if n % 2 else row)]
""",
    ("grid", "lists"): """
sorted rows | sort each row from smallest to largest | put the numbers of each row into ascending order | [sorted(row) for row in v]
even rows | keep only the rows whose sum is even | remove every row with an odd sum | [row for row in v if sum(row) % 2 == 0]
""",
    ("grid", "number"): """
cells above | count the numbers greater than {k} in the grid | take how many cells hold a number greater than {k} | sum(x > {k} for row in v for x in row) | 2 4
grid sum | take the sum of all numbers in the grid | add up all cells | sum(map(sum, v))
row peaks | count the cells whose number is the largest of its row as well as the largest of its column (equal numbers elsewhere do not matter) | count the cells that are not exceeded by any other cell of their row or of their column | sum(x == max(row) == max(column) for row in v for x, column in zip(row, zip(*v)))
""",
}  # fmt: skip


_SLIPPED = """
half | [int(x / 2) for x in v]
remainder | [abs(x) % {k} for x in v]
remainder | [x - int(x / {k}) * {k} for x in v]
distinct | sorted(set(v))
squeeze | list(dict.fromkeys(v))
repeated | list(dict.fromkeys(x for x in v if v.count(x) > 1))
unique | list(dict.fromkeys(v))
not max | v[:v.index(max(v))] + v[v.index(max(v)) + 1:] if v else v
not min | v[:v.index(min(v))] + v[v.index(min(v)) + 1:] if v else v
by last digit | sorted(v, key=lambda x: x % 10)
by last digit | sorted(v, key=lambda x: (abs(x) % 10, x))
rises | [b for a, b in zip(v, v[1:]) if b >= a]
rises | v[:1] + [b for a, b in zip(v, v[1:]) if b > a]
ranks | [sorted(set(v)).index(x) for x in v]
counts | [v[:n].count(x) for n, x in enumerate(v, 1)]
evens first | sorted(v, key=lambda x: (x % 2, x))
no multiples | [x for x in v if x % {k} or x == 0]
swap | v[-1:] + v[1:-1] + v[:1]
clamp | [min({k}, x) for x in v]
negatives | [x for x in v if x <= 0]
max | max([0, *v])
min | min([0, *v])
climbs | sum(b >= a for a, b in zip(v, v[1:]))
second | sorted(v)[-2] if len(v) > 1 else 0
mode | max(v, key=v.count, default=0)
mode | max(sorted(v, reverse=True), key=v.count, default=0)
median | sorted(v)[len(v) // 2] if v else 0
peak | len(v) - v[::-1].index(max(v)) if v else 0
longest run | max(map(v.count, v), default=0)
best slice | max((sum(v[a:b]) for b in range(len(v) + 1) for a in range(b)), default=0)
count odd | sum(x % 2 for x in v if x > 0)
chunks | [v[n:n + {k}] for n in range(0, len(v) - {k} + 1, {k})]
runs | [[x] * v.count(x) for x in dict.fromkeys(v)]
climbing | [v[a:b] for a, b in pairwise([n for n in range(len(v)) if n == 0 or v[n] <= v[n - 1]] + [len(v)])]
windows | [v[n:n + {k}] for n in range(0, len(v) - {k} + 1, {k})]
heads | [part[0] if part else 0 for part in v]
tails | [part[-1] if part else 0 for part in v]
longest | max(v[::-1], key=len, default=[])
by sum | sorted(v, key=lambda part: (sum(part), part))
by length | sorted(v, key=len)[::-1]
turned digits | int(str(abs(v))[::-1])
ones | bin(v).count("1") if v > 0 else 0
digits | [int(d) for d in str(abs(v))[::-1]]
bits | [int(d) for d in bin(abs(v))[2:]]
no repeats | "".join(c for c, _ in groupby(v))
collapsed | "".join(dict.fromkeys(v))
run lengths | "".join(c + str(v.count(c)) for c in dict.fromkeys(v))
capitals | "".join(c if n % 2 else c.upper() for n, c in enumerate(v))
halves | v[(len(v) + 1) // 2:] + v[:(len(v) + 1) // 2]
sorted letters | "".join(sorted(v.replace(" ", "")))
alphabet | len(set(v) - {{" "}})
text run | max(map(v.count, v), default=0)
split | v.split(" ")
pieces | [v[n:n + {k}] for n in range(0, len(v) - {k} + 1, {k})]
places | [ord(c) - 96 for c in v if c != " "]
initials | "".join(w[:1] for w in dict.fromkeys(v))
longest word | max(v[::-1], key=len, default="")
alphabetical | sorted(v, key=lambda w: (len(w), w))
by size | sorted(v, key=lambda w: (len(w), w))
different words | sorted(set(v))
with vowel | [w for w in v if any(c in "aeiou" for c in w)]
word twins | list(dict.fromkeys(w for w in v if v.count(w) > 1))
turned right | [list(column) for column in zip(*v)][::-1]
chequered | [[x if (r + c) % 2 else -x for c, x in enumerate(row)] for r, row in enumerate(v)]
snake | [x for n, row in enumerate(v) for x in (row if n % 2 else row[::-1])]
row peaks | sum(x == max(row) == max(column) and row.count(x) == column.count(x) == 1 for row in v for x, column in zip(row, zip(*v)))
"""  # fmt: skip


def _read_table() -> dict[str, Operation]:
    operations: dict[str, Operation] = {}
    for (takes, gives), rows in _TABLE.items():
        for row in rows.strip().splitlines():
            name, one, other, python, *numbers = row.split(" | ")
            choices = tuple(map(int, numbers[0].split())) if numbers else (0,)
            assert name not in operations, name
            operations[name] = Operation(takes, gives, (one, other), python, choices)
    return operations


OPERATIONS = _read_table()
"""All operations, by name."""


def _read_slips() -> dict[str, list[str]]:
    by_operation: dict[str, list[str]] = {}
    for row in _SLIPPED.strip().splitlines():
        name, python = row.split(" | ")
        by_operation.setdefault(name, []).append(python)
    assert by_operation.keys() <= OPERATIONS.keys(), by_operation.keys() - OPERATIONS.keys()
    return by_operation


SLIPS = _read_slips()
"""Misreadings of operations; tests contain inputs on which they give wrong results."""

TESTS: dict[str, tuple[Kind, str, str]] = {
    "many": ("numbers", "the list has more than {k} number{s}", "len(v) > {k}"),
    "even sum": ("numbers", "the sum of the list is even (that of the empty list is)", "sum(v) % 2 == 0"),
    "falls": ("numbers", "the list is not empty and its first number is greater than its last", "v[:1] > v[-1:]"),
    "has negative": ("numbers", "some number in the list is less than zero", "min(v, default=0) < 0"),
    "all different": ("numbers", "no number occurs twice in the list", "len(set(v)) == len(v)"),
    "even": ("number", "the number is even", "v % 2 == 0"),
    "large": ("number", "the number is greater than {k}", "v > {k}"),
    "long text": ("text", "the string has more than {k} character{s}", "len(v) > {k}"),
    "starts with vowel": ("text", "the string begins with a, e, i, o or u", 'v[:1] in tuple("aeiou")'),
    "has blank": ("text", "the string contains a space", '" " in v'),
    "many words": ("words", "the list has more than {k} string{s}", "len(v) > {k}"),
    "ordered words": ("words", "the strings are in ascending order of their code points, equal neighbours allowed", "v == sorted(v)"),
    "tall": ("grid", "the grid has more rows than columns", "len(v) > len(v[0])"),
    "even grid": ("grid", "the sum of all numbers in the grid is even", "sum(map(sum, v)) % 2 == 0"),
    "several lists": ("lists", "there are more than {k} list{s}", "len(v) > {k}"),
}  # fmt: skip
"""Conditions of a choice: the type of the value, the English, the Python."""

LINKS: dict[str, tuple[Kind, str, str]] = {
    "difference": ("number", "A minus B", "a - b"),
    "product of both": ("number", "A times B", "a * b"),
    "larger": ("number", "the larger one of A and B", "max(a, b)"),
    "pair": ("numbers", "the list of the two numbers A and B, in this order", "[a, b]"),
    "distance": ("number", "the absolute value of A minus B", "abs(a - b)"),
    "after": ("numbers", "A followed by B, as one list", "a + b"),
    "sum of pairs": ("numbers", "the list of the sums of the numbers at the same positions of A and B, as long as the shorter one of them", "[x + y for x, y in zip(a, b)]"),
    "common": ("numbers", "the numbers of A that also occur in B, in the order of A", "[x for x in a if x in b]"),
}  # fmt: skip
"""Combinations of two results A and B: the type of the result, the English, the Python."""

_LISTS = {"after", "sum of pairs", "common"}
_LINKED: dict[str, Kind] = {name: "numbers" if name in _LISTS else "number" for name in LINKS}
"""The type of A and B."""

_EACH: dict[Kind, tuple[Kind, str]] = {
    "lists": ("numbers", "list"),
    "words": ("text", "string"),
    "numbers": ("number", "number"),
}
"""The type of the parts of a value, and what a part is called."""

_WHOLE: dict[Kind, Kind] = {part: whole for whole, (part, _) in _EACH.items()}


class Step(NamedTuple):
    """An operation and its number, which is 0 if it takes none."""

    name: str
    number: int = 0

    @property
    def operation(self) -> Operation:
        return OPERATIONS[self.name]

    def as_text(self, way: int) -> str:
        """The step in words."""
        return _filled(self.operation.texts[way % 2], self.number)

    def python(self) -> str:
        """The step as an expression of ``v``."""
        return _filled(self.operation.python, self.number)

    def __call__(self, value: Any) -> Any:
        return expression(self.operation.python, self.number)(value)


def _filled(text: str, k: int) -> str:
    """English or Python with its number, the one below it, and the ending of a plural."""
    return text.format(k=k, top=k - 1, s="" if k == 1 else "s")


@cache
def expression(python: str, number: int) -> Callable[[Any], Any]:
    """An expression of ``v`` as a function.

    Only the expressions of the tables above are evaluated, with an integer inserted. Text of a
    player never reaches this function; a task from JSON contains names that are looked up.
    """
    names = {name: getattr(itertools, name) for name in ("accumulate", "groupby", "pairwise")}
    function: Callable[[Any], Any] = eval(f"lambda v: {_filled(python, int(number))}", names)  # noqa: S307
    return function


class Stage(NamedTuple):
    """One stage of a function. Its ``name`` is that of an operation, a test, a link, or "each"."""

    name: str
    number: int = 0
    inner: tuple[Step, ...] = ()
    other: tuple[Step, ...] = ()

    def as_text(self, way: int) -> list[str]:
        """The stage in words, a line each; the steps that it holds begin with a hyphen."""
        inner, other = _listed(self.inner, way), _listed(self.other, way)
        if self.name in OPERATIONS:
            return [_sentence(Step(self.name, self.number).as_text(way))]
        if self.name in TESTS:
            test = _filled(TESTS[self.name][1], self.number)
            return [f"If {test}:", *inner, "Otherwise:", *other]
        if self.name in LINKS:
            end = f"The result of this step is {LINKS[self.name][1]}."
            head = "Work out two things, A and B, both from the value as it is before this step."
            return [head, "For A:", *inner, "For B:", *other, end]
        part = _EACH[_WHOLE[self.inner[0].operation.takes]][1]
        return [f"Replace each {part} by what comes of it alone when you do this to it:", *inner]

    def python(self) -> list[str]:
        """The stage as statements that change ``v``."""
        if self.name in OPERATIONS:
            return [f"v = {Step(self.name, self.number).python()}"]
        inner, other = (
            [f"v = {step.python()}" for step in row] for row in (self.inner, self.other)
        )
        if self.name in TESTS:
            test = _filled(TESTS[self.name][2], self.number)
            return [f"if {test}:", *_indented(inner), "else:", *_indented(other)]
        if self.name in LINKS:
            link = LINKS[self.name][2]
            return ["before = v", *inner, "a = v", "v = before", *other, "b = v", f"v = {link}"]
        body = [*inner, "found.append(v)"]
        return ["parts, found = v, []", "for v in parts:", *_indented(body), "v = found"]

    def __call__(self, value: Any) -> Any:
        if self.name in OPERATIONS:
            return Step(self.name, self.number)(value)
        if self.name in TESTS:
            test = expression(TESTS[self.name][2], self.number)
            return run(self.inner if test(value) else self.other, value)
        if self.name in LINKS:
            link = expression(f"(lambda a, b: {LINKS[self.name][2]})(*v)", 0)
            return link((run(self.inner, value), run(self.other, value)))
        return [run(self.inner, part) for part in value]


Program = tuple[Stage, ...]


def _listed(steps: Sequence[Step], way: int) -> list[str]:
    return [f"- {_sentence(step.as_text(way + n))}" for n, step in enumerate(steps)]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def run(program: Sequence["Stage | Step"], value: Any) -> Any:
    """The result of a function for a value."""
    for stage in program:
        value = stage(value)
    return value


def solution(program: Sequence[Stage], entry: str) -> str:
    r"""A function in Python, as a program.

    >>> print(solution([Stage("sum")], "solve"))
    def solve(v):
        v = sum(v)
        return v
    """
    body = _indented([line for stage in program for line in stage.python()])
    used = [name for name in ("accumulate", "groupby", "pairwise") if name in "".join(body)]
    head = [f"from itertools import {', '.join(used)}", "", ""] if used else []
    return "\n".join([*head, f"def {entry}(v):", *body, "    return v"])


# ---------------------------------------------------------------------------------------- drawing


@cache
def _steps_from(takes: Kind) -> tuple[Step, ...]:
    """All operations on a type, without numbers."""
    return tuple(Step(name) for name, op in OPERATIONS.items() if op.takes == takes)


def random_step(rng: Random, takes: Kind, gives: Kind | None = None) -> Step:
    """A random operation on a type, with a given result type if ``gives`` is set."""
    steps = [s for s in _steps_from(takes) if gives is None or s.operation.gives == gives]
    step = rng.choice(steps)
    return Step(step.name, rng.choice(step.operation.numbers))


def random_program(rng: Random, takes: Kind, stages: int, nested: int) -> Program:
    """A random function of ``stages`` stages, of which ``nested`` contain sequences of operations.

    Each stage is drawn anew, a few times, where it makes a dozen values much alike, or something
    in the stages so far does not matter any more.
    """
    deep = set(rng.sample(range(stages), min(nested, stages)))
    values = results = [random_value(rng, takes) for _ in range(12)]
    program: Program = ()
    for index in range(stages):
        before, known = takes, results
        for _ in range(8):
            stage, takes = (_nested if index in deep else _flat)(rng, before)
            results = [run([stage], value) for value in known]
            if _commonest(results) <= 3 and _counts((*program, stage), [*zip(values, results)]):
                break
        program += (stage,)
    return program


def _commonest(values: Sequence[Any]) -> int:
    """The number of occurrences of the most frequent value."""
    return max(map(values.count, values))


def _flat(rng: Random, takes: Kind) -> tuple[Stage, Kind]:
    step = random_step(rng, takes)
    return Stage(*step), step.operation.gives


def _nested(rng: Random, takes: Kind) -> tuple[Stage, Kind]:
    """A choice, two results put together, or something done to each part."""
    ways = ["test", "link"] + ["each"] * (takes in _EACH)
    if takes == "number":
        ways = ["test"]
    way = rng.choice(ways)
    if way == "each":
        part = _EACH[takes][0]
        inner = _row(rng, part, part, 2)
        return Stage("each", 0, inner), takes
    if way == "test":
        name = rng.choice([name for name, test in TESTS.items() if test[0] == takes])
        gives = rng.choice([takes, rng.choice(_steps_from(takes)).operation.gives])
        inner, other = _row(rng, takes, gives, 2), _row(rng, takes, gives, 1)
        return Stage(name, rng.randint(1, 6), inner, other), gives
    links = [n for n, both in _LINKED.items() if any(_reach(takes, both))]
    name = rng.choice(links)
    inner, other = (_row(rng, takes, _LINKED[name], 2) for _ in range(2))
    return Stage(name, 0, inner, other), LINKS[name][0]


def _reach(takes: Kind, goal: Kind) -> Iterator[Kind]:
    """The types from which one more operation leads to a type, the given one or one after it."""
    after = {takes, *(step.operation.gives for step in _steps_from(takes))}
    return (
        each for each in sorted(after) if any(s.operation.gives == goal for s in _steps_from(each))
    )


def _row(rng: Random, takes: Kind, goal: Kind, longest: int) -> tuple[Step, ...]:
    """One or more operations that lead from one type to another."""
    direct = any(step.operation.gives == goal for step in _steps_from(takes))
    if direct and (longest < 2 or rng.random() < 0.5):
        return (random_step(rng, takes, goal),)
    middle = rng.choice(list(_reach(takes, goal)) if not direct else [takes])
    if middle == takes and not direct:
        return (random_step(rng, takes, goal),)
    return random_step(rng, takes, middle), random_step(rng, middle, goal)


def given_type(program: Program) -> Kind:
    """The result type of a function, determined by its last stage that has one."""
    type_name: Kind | None = None
    for stage in program:
        if stage.name in OPERATIONS:
            type_name = OPERATIONS[stage.name].gives
        elif stage.name in LINKS:
            type_name = LINKS[stage.name][0]
        elif stage.name in TESTS:
            type_name = stage.inner[-1].operation.gives
        else:
            type_name = _WHOLE[stage.inner[-1].operation.gives]
    assert type_name is not None
    return type_name


def is_lively(program: Program, cases: Sequence[tuple[Any, Any]]) -> bool:
    """Whether a function returns plain values of moderate size, with many distinct results, and
    every stage matters.
    """
    if any(stage.other and stage.inner == stage.other for stage in program):
        return False
    wanted = [repr(result) for _, result in cases]
    if max(map(len, wanted)) > 400 or any(_is_huge(result) for _, result in cases):
        return False
    unchanged = sum(value == result for value, result in cases)
    return max(unchanged, _commonest(wanted)) <= len(cases) / 4 and _counts(program, cases)


def _counts(program: Program, cases: Sequence[tuple[Any, Any]]) -> bool:
    """Whether every part of a function affects the result for more than a few inputs."""
    return all(differs(less, cases, len(cases) // 8) for less in shortened(program))


def differs(other: Sequence[Stage | Step], cases: Sequence[tuple[Any, Any]], few: int) -> bool:
    """Whether another function returns another result for more than a number of inputs."""
    for value, wanted in cases:
        few -= _tried(other, value) != wanted
        if few < 0:
            return True
    return False


def _is_huge(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_is_huge, value))
    return isinstance(value, int) and abs(value) > 10**12


def shortened(program: Program) -> Iterator[tuple[Stage | Step, ...]]:
    """The function without one or two of its stages, with one of the rows of a stage in its place,
    and without one or two of the steps of such a row.
    """
    yield from _without(program)
    for index, stage in enumerate(program):
        before, after = program[:index], program[index + 1 :]
        if stage.other:
            yield (*before, *stage.inner, *after)
            yield (*before, *stage.other, *after)
        yield from ((*before, stage._replace(inner=row), *after) for row in _without(stage.inner))
        yield from ((*before, stage._replace(other=row), *after) for row in _without(stage.other))


def _without(row: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """A row without one of its members, and without two neighbours, which may cancel out."""
    for size in (1, 2):
        yield from (row[:n] + row[n + size :] for n in range(len(row) + 1 - size))


def _tried(program: Sequence[Stage | Step], value: Any) -> Any:
    """The result of a function for a value, or ``None`` if the value has the wrong type."""
    try:
        return run(program, value)
    except (TypeError, ValueError, IndexError, AttributeError):
        return None


# ---------------------------------------------------------------------------- chains from a menu


def staged(steps: Sequence[Step]) -> Program:
    """A chain of steps as stages."""
    return tuple(Stage(*step) for step in steps)


def typed_menu(
    rng: Random, takes: Kind, steps: int, size: int
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """A menu of different steps in alphabetical order, and a chain of some of them.

    The others are of the types that the chain goes through, so that they could stand in it.
    """
    chain = [Step(stage.name, stage.number) for stage in random_program(rng, takes, steps, 0)]
    kinds = [takes, *(step.operation.gives for step in chain)]
    menu = dict.fromkeys(chain)
    pool = [step for each in sorted({*kinds[:-1]}) for step in _steps_from(each)]
    rng.shuffle(pool)
    for step in pool:
        if len({each.name for each in menu}) >= size:
            break
        if step.name not in {each.name for each in menu}:
            menu[Step(step.name, rng.choice(step.operation.numbers))] = None
    return tuple(sorted(menu)), tuple(chain)


def chains(
    menu: Sequence[Step], longest: int, argument: Kind, values: Sequence[Any], wanted: Sequence[Any]
) -> tuple[list[tuple[Step, ...]], int]:
    """All chains of up to ``longest`` steps that turn some values into those that are wanted.

    Chains that give the same on these values are followed up together; each is spelt out in the
    end. The number of values that were made is given beside them.
    """
    start = repr((argument, list(values)))
    reached: dict[str, tuple[Kind, list[Any]]] = {start: (argument, list(values))}
    edges: dict[str, list[tuple[str, Step]]] = {}
    goals: set[str] = set()
    known = dict(reached)
    looked_at = 0
    for left in reversed(range(longest)):
        fresh: dict[str, tuple[Kind, list[Any]]] = {}
        for source, (takes, inputs) in reached.items():
            for step in menu:
                if step.operation.takes != takes:
                    continue
                looked_at += 1
                if left == 0 and step(inputs[0]) != wanted[0]:
                    continue
                results = [step(value) for value in inputs]
                goal = repr((step.operation.gives, results))
                edges.setdefault(goal, []).append((source, step))
                if results == wanted:
                    goals.add(goal)
                if goal not in known and len(goal) < 4_000:
                    known[goal] = fresh[goal] = (step.operation.gives, results)
        reached = fresh
    programs: list[tuple[Step, ...]] = []
    for goal in sorted(goals):
        programs += _spelt(goal, start, edges, longest)
    return programs, looked_at


def _spelt(
    goal: str, start: str, edges: dict[str, list[tuple[str, Step]]], left: int
) -> list[tuple[Step, ...]]:
    """The chains of up to so many steps that lead from the start to a goal."""
    programs: list[tuple[Step, ...]] = [()] if goal == start else []
    if left:
        for source, step in edges.get(goal, ()):
            programs += [(*chain, step) for chain in _spelt(source, start, edges, left - 1)]
    return programs
