"""Texts, machines, matrices and plans, against referees and examples worked by hand."""

import heapq
import random
from itertools import pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.machines.cellular_automaton import before
from palaestra.envs.machines.cellular_automaton import stepped as automaton
from palaestra.envs.machines.game_of_life import stepped as life
from palaestra.envs.machines.lindenmayer_system import grown
from palaestra.envs.machines.stack_machine import ran
from palaestra.envs.matrices.matrix_moves import MOVES, spiral
from palaestra.envs.matrices.pooling import pooled
from palaestra.envs.planning.pancake_sorting import flipped, plain_plan, shortest
from palaestra.envs.planning.sliding_tiles import shortest as slides
from palaestra.envs.planning.water_jugs import WaterJugs
from palaestra.envs.strings.ab_rewriting import rewritten
from palaestra.envs.strings.burrows_wheeler import restored, transformed
from palaestra.envs.strings.edit_script import EditScript
from palaestra.envs.strings.isomorphic_strings import IsomorphicStrings, clashes
from palaestra.envs.strings.letter_budget import LetterBudget, fits, most
from palaestra.envs.strings.letter_jumble import LetterJumble
from palaestra.envs.strings.longest_common_subsequence import LongestCommonSubsequence
from palaestra.envs.strings.palindrome_building import PalindromeBuilding, built
from palaestra.envs.strings.palindrome_partition import PalindromePartition, cut
from palaestra.envs.strings.repeat_decoding import expanded
from palaestra.envs.strings.string_insertion import StringInsertion, inserted
from palaestra.generators.matrices.mosaics import arrivals, patches
from palaestra.generators.matrices.mosaics import distances as steps_from
from palaestra.generators.strings.alignments import common, distances, is_subsequence, script
from palaestra.generators.strings.phrase_codes import copied, copies, entries, phrased
from palaestra.task import KnobError, Unreadable

short = st.text("abc", max_size=9)
texts = st.text("abc", min_size=1, max_size=40)
grids = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(1, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(texts)
def test_codes_are_undone(text):
    assert restored(transformed(text)) == text
    assert copied(copies(text)) == text
    assert phrased(entries(text)) == text


def test_the_classic_transform():
    assert transformed("banana") == "annb!aa"


@given(short, short)
def test_common_subsequences_are_longest(one, other):
    found = common(one, other)
    assert is_subsequence(found, one)
    assert is_subsequence(found, other)
    # Strike out what is not common: with deletions and insertions alone, that is the distance.
    graph = nx.grid_2d_graph(len(one) + 1, len(other) + 1, create_using=nx.DiGraph)
    graph.remove_edges_from([(a, b) for a, b in graph.edges if a > b])
    nx.set_edge_attributes(graph, 1, "weight")
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            if a == b:
                graph.add_edge((i, j), (i + 1, j + 1), weight=0)
    apart = nx.shortest_path_length(graph, (0, 0), (len(one), len(other)), "weight")
    assert apart == len(one) + len(other) - 2 * len(found)


@given(short, short)
def test_edit_scripts_lead_there_and_are_shortest(one, other):
    edits = script(one, other)
    assert len(edits) == distances(one, other)[-1][-1]
    text = one
    for kind, place, letter in edits:
        text = text[: place - 1] + letter + text[place - (kind == "insert") :]
    assert text == other


def test_edits():
    task = EditScript(first="kitten", second="sitting")
    right = "replace 1 by s\nreplace 5 by i\ninsert g at 7"
    assert task.fewest() == 3
    assert task.verify(right).value == 1
    assert task.audit(right)
    assert task.verify("insert g at 7\nreplace 5 by i\nreplace 1 by s").value == 1
    assert "fewer" in task.verify(right + "\ninsert x at 1\ndelete 1").reason
    assert task.verify("delete 99").value == task.verify("insert x at 0").value == 0
    with pytest.raises(Unreadable):
        task.verify("replace 1 by xx")


@given(st.text("ab", min_size=1, max_size=11))
def test_the_fewest_palindromes(text):
    ways = (_cut(text, way) for way in product((0, 1), repeat=len(text) - 1))
    fewest = min(len(parts) for parts in ways if all(part == part[::-1] for part in parts))
    assert len(cut(text)) == fewest
    assert "".join(cut(text)) == text


def _cut(text, way):
    ends = [0, *(n for n, here in enumerate(way, 1) if here), len(text)]
    return [text[a:b] for a, b in pairwise(ends)]


def test_cuts_that_are_wrong():
    task = PalindromePartition(text="aabaab")
    assert task.verify("aa, baab").value == task.verify("aabaa, b").value == 1
    assert "not the text" in task.verify("aa, bab").reason
    assert "piece 1" in task.verify("aab, aab").reason
    assert "fewer" in task.verify("a, a, baab").reason
    with pytest.raises(Unreadable):
        task.verify("aa | baab")


@given(st.text("abc", min_size=2, max_size=3), st.lists(st.sampled_from(("ab", "aa", "bc"))))
def test_palindromes_are_found_if_there_are_any(half, apart):
    signs, rules = half + half[::-1], tuple(sorted(set(apart)))
    found, _ = built(signs, rules, ())
    task = PalindromeBuilding(signs=signs, apart=rules, banned=())
    some = [t for t in map("".join, permutations(signs)) if not task.flaw(t)]
    assert (found is None) == (not some)
    assert found is None or found in some


def test_rewriting_takes_the_first_rule_and_the_leftmost_place():
    assert rewritten("abab", (("ba", "c"), ("ab", "d")), 9) == ("acb", 1)
    assert rewritten("aba", (("ba", "ab"),), 9) == ("aab", 1)
    assert rewritten("ab", (("ab", "ab"),), 50) is None
    assert inserted("ab", (("b", "x"), ("ab", "y"))) == "abx"
    assert inserted("aab", (("ab", "y"), ("b", "x"), ("a", "b"))) == "ababby"


def test_jumbles_take_any_word_that_fits():
    task = LetterJumble(listed=("ones", "nose", "tone"), jumbles=("seno",), extra=0)
    assert task.verify("ones").value == task.verify("NOSE").value == 1
    assert task.verify("tone").value == task.verify("eons").value == 0
    with pytest.raises(Unreadable):
        task.verify("ones, nose")


def test_both_ways_to_answer_on_renamings():
    task = IsomorphicStrings(pairs=(("egg", "add"), ("foo", "bar")))
    assert clashes(("foo", "bar")) == [(2, 3)]
    for right in ("e-a g-d\n2 3", "g-d e-a\n3 2", "1: e-a g-d\n2: 2 3"):
        assert task.verify(right).value == 1, right
    for wrong in ("e-a g-d\n1 2", "e-d g-a\n2 3", "e-a\n2 3", "1 2\n2 3", "e-a g-d\n2 2"):
        assert task.verify(wrong).value == 0, wrong
    for unreadable in ("e-a g-d", "e-ab g-d\n2 3", "e-a g-d\n1"):
        with pytest.raises(Unreadable):
            task.verify(unreadable)


@settings(max_examples=30)
@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=7, unique=True), texts)
def test_most_words(listed, stock):
    choices = product((0, 1), repeat=len(listed))
    chosen = ([w for w, take in zip(listed, choice) if take] for choice in choices)
    best = max(len(words) for words in chosen if fits(words, stock))
    found, _ = most(tuple(listed), stock)
    assert len(found) == best
    assert fits(found, stock)


def test_partial_credit_begins_above_the_greedy_answers():
    for seed in range(5):
        budget = Address.of("strings/letter_budget", seed, 4).task()
        subsequence = Address.of("strings/longest_common_subsequence", seed, 3).task()
        for task in (budget, subsequence):
            assert all(task.verify(lazy).value == 0 for lazy in task.lazy())
        assert isinstance(budget, LetterBudget)
        assert isinstance(subsequence, LongestCommonSubsequence)
        shorter = subsequence.answer()[1:]
        assert 0 < subsequence.verify(shorter).value < 1


def test_nested_repeats():
    assert expanded("2(a3(bc)2d)e") == ("a" + "bc" * 3 + "dd") * 2 + "e"


# ------------------------------------------------------------------------------------ machines


@settings(max_examples=20)
@given(st.integers(0, 255), st.text("01", min_size=4, max_size=8))
def test_rows_before(rule, row):
    size = len(row)
    some = [p for p in map("".join, product("01", repeat=size)) if automaton(p, rule) == row]
    found, number = before(row, rule)
    assert number == len(some)
    assert found in some or (found is None and not some)


@settings(max_examples=20)
@given(st.lists(st.text("-#", min_size=5, max_size=5), min_size=5, max_size=5))
def test_life_on_a_torus(rows):
    cells = np.array([[sign == "#" for sign in row] for row in rows], dtype=int)
    near = sum(
        np.roll(cells, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)
    )
    alive = (near == 3) | ((cells == 1) & (near == 2))
    told = life(tuple(rows), (3,), (2, 3), True)
    assert [[sign == "#" for sign in row] for row in told] == alive.tolist()


def test_small_machines():
    assert grown("a", (("a", "ab"), ("b", "a")), 6) == "abaababaabaababaababa"
    assert ran(("push 7", "push 9", "sub")) == ([98], 3)
    assert ran(("push 2", "repeat 3", "dup", "mul", "end")) == ([56], 11)
    assert ran(("push 1", "repeat 2", "repeat 3", "push 1", "add", "end", "end"))[0] == [7]
    assert ran(("push 1", "push 2", "push 3", "rot"))[0] == [2, 3, 1]
    assert ran(("add",)) is None


# ------------------------------------------------------------------------------------ matrices


@settings(max_examples=30)
@given(grids, st.integers(0, 1))
def test_moves_of_a_matrix(rows, i):
    array = np.array(rows)
    expected = {
        "right": np.rot90(array, -1),
        "left": np.rot90(array),
        "mirror": np.fliplr(array),
        "flip": np.flipud(array),
        "transpose": array.T,
        "down": np.roll(array, i + 1, 0),
        "along": np.roll(array, i + 1, 1),
    }
    for name, right in expected.items():
        assert MOVES[name][1](rows, i, i) == right.tolist(), name
    assert MOVES["columns"][1](rows, 0, 1)[0][:2] == rows[0][:2][::-1]
    assert sorted(spiral(rows)) == sorted(array.ravel().tolist())


def test_windows():
    matrix = ((1, 5, 2), (7, 3, 9), (4, 8, 6))
    assert pooled(matrix, "largest", 2, 1) == ((7, 9), (8, 9))
    assert pooled(matrix, "median", 2, 1) == ((3, 3), (4, 6))
    assert pooled(matrix, "range", 3, 2) == ((8,),)


@settings(max_examples=30)
@given(grids)
def test_regions_and_arrivals(rows):
    size = len(rows)
    graph = nx.grid_2d_graph(size, size)
    value = {(r, c): rows[r][c] for r in range(size) for c in range(size)}
    alike = graph.edge_subgraph([(a, b) for a, b in graph.edges if value[a] == value[b]]).copy()
    alike.add_nodes_from(graph)
    assert sorted(map(len, patches(rows))) == sorted(map(len, nx.connected_components(alike)))
    sources = [(0, 0), (size - 1, 0)]
    directed = graph.to_directed()
    for a, b in directed.edges:
        directed.edges[a, b]["weight"] = value[b]
    assert arrivals(rows, sources) == nx.multi_source_dijkstra_path_length(directed, {*sources})
    walls = [[-1 if n == 3 else 0 for n in row] for row in rows]
    walls[0][0] = 0
    free = graph.subgraph([cell for cell in graph if walls[cell[0]][cell[1]] == 0])
    assert steps_from(walls, [(0, 0)]) == dict(nx.single_source_shortest_path_length(free, (0, 0)))


# ------------------------------------------------------------------------------------ plans


def test_every_stack_of_five_is_sorted_by_the_fewest_flips():
    done = (1, 2, 3, 4, 5)
    fewest, queue = {done: 0}, [done]
    for stack in queue:
        for number in range(2, 6):
            new = flipped(stack, number)
            if new not in fewest:
                fewest[new] = fewest[stack] + 1
                queue.append(new)
    assert max(fewest.values()) == 5
    assert all(len(shortest(stack)) == number for stack, number in fewest.items())
    assert all(len(plain_plan(stack)) >= number for stack, number in fewest.items())


def test_every_board_of_six_is_solved_in_at_most_21_moves():
    done = (1, 2, 3, 4, 5, 0)
    fewest, queue = {done: 0}, [(0, done)]
    while queue:
        moves, board = heapq.heappop(queue)
        gap = board.index(0)
        for place in (gap - 3, gap + 3, *(p for p in (gap - 1, gap + 1) if p // 3 == gap // 3)):
            if 0 <= place < 6:
                new = list(board)
                new[gap], new[place] = new[place], 0
                if tuple(new) not in fewest:
                    fewest[tuple(new)] = moves + 1
                    heapq.heappush(queue, (moves + 1, tuple(new)))
    assert (len(fewest), max(fewest.values())) == (360, 21)
    for board in random.Random(0).sample(sorted(fewest), 40):
        plan = slides(board, 3)
        assert plan is not None
        assert len(plan) == fewest[board]


def test_jugs():
    task = WaterJugs(sizes=(5, 3), start=(0, 0), jug=0, amount=4)
    right = "fill A\npour A into B\nempty B\npour A into B\nfill A\npour A into B"
    assert len(task.plan()) == 6
    assert task.verify(right).value == 1
    assert task.audit(right)
    assert "more than 6" in task.verify("empty A\n" + right).reason
    assert "holds 5" in task.verify("fill A").reason
    for wrong in ("pour A into A", "fill C", "fill AB", "drink A"):
        with pytest.raises(Unreadable):
            task.verify(wrong)


# ------------------------------------------------------------------------ corners and formats


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("strings/string_insertion", {"length": 6, "letters": 3, "rules": 7, "rounds": 4}),
        ("strings/ab_rewriting", {"letters": 2, "rules": 8, "length": 20, "steps": 3}),
        ("strings/burrows_wheeler", {"length": 5, "letters": 2}),
        ("strings/longest_common_subsequence", {"length": 8, "letters": 3}),
        ("strings/longest_common_subsequence", {"length": 8, "letters": 8}),
        ("strings/palindrome_building", {"length": 7, "letters": 3, "apart": 1, "banned": 1}),
        ("strings/spell_backwards", {"words": 1, "letters": 3, "alphabet": 3, "way": "both"}),
        ("machines/lindenmayer_system", {"letters": 2, "steps": 3, "longest": 2, "asked": 9}),
        ("machines/turing_machine", {"states": 2, "symbols": 2, "cells": 20, "steps": 200}),
        ("planning/klotski", {"rows": 3, "columns": 3, "free": 4, "least": 16}),
        ("planning/klotski", {"rows": 3, "columns": 3, "free": 6, "least": 16}),
        ("planning/klotski", {"rows": 3, "columns": 4, "free": 6, "least": 16}),
    ],
)
def test_there_are_tasks_at_the_bounds_for_training_and_evaluation(name, knobs):
    for split in ("train", "eval"):
        task = Address.of(name, seed=1, split=split, **knobs).task()
        assert task.verify(task.answer()).value == 1


@pytest.mark.parametrize(
    ("name", "knob", "value"),
    [
        ("strings/ab_rewriting", "steps", 2),
        ("strings/burrows_wheeler", "length", 4),
        ("strings/longest_common_subsequence", "length", 7),
        ("strings/longest_common_subsequence", "letters", 10),
        ("strings/palindrome_building", "length", 6),
        ("strings/palindrome_building", "apart", 0),
        ("strings/palindrome_building", "banned", 0),
        ("strings/spell_backwards", "letters", 2),
        ("strings/spell_backwards", "alphabet", 2),
        ("machines/lindenmayer_system", "steps", 2),
    ],
)
def test_knobs_that_leave_too_few_tasks_are_refused(name, knob, value):
    with pytest.raises(KnobError):
        Address.of(name, **{knob: value})


def test_a_text_with_few_patterns_has_few_rules():
    class Same(random.Random):
        """Chance that always draws the first thing there is."""

        def choices(self, population, weights=None, *, cum_weights=None, k=1):
            return [population[0]] * k

    task = StringInsertion.generate(Same(0), StringInsertion.Knobs.at(1))
    assert task.text == "A" * 10
    assert {pattern for pattern, _ in task.rules} <= {"AA", "AAA"}


@pytest.mark.parametrize("level", [0, 2, 5])
@pytest.mark.parametrize("name", ["strings/spell_backwards", "strings/word_sorting"])
def test_capital_letters_are_read(name, level):
    task = Address.of(name, seed=3, level=level).task()
    right = task.answer()
    assert task.verify(right.upper()).value == task.verify(right.title()).value == 1
    assert task.verify(right).value == 1


@pytest.mark.parametrize("name", ["strings/word_sorting", "strings/spell_backwards"])
def test_commas_between_words_are_read(name):
    task = Address.of(name, seed=3, level=2).task()
    words = task.answer().split()
    assert task.verify(", ".join(words)).value == 1
    assert task.verify(", ".join(reversed(words))).value == 0


@pytest.mark.parametrize("bullet", ["{}. ", "{}) ", "- "])
@pytest.mark.parametrize("name", ["induction/list_functions", "strings/group_anagrams"])
def test_numbered_lines_are_read(name, bullet):
    task = Address.of(name, seed=3, level=2).task()
    lines = task.answer().splitlines()
    told = [bullet.format(number) + line for number, line in enumerate(lines, 1)]
    assert task.verify("\n".join(told)).value == 1
