"""Scenes of words, ciphers, tables and people, compared with their prompts as read here."""

import re
from collections import Counter
from math import hypot

import pytest
from tests.scenes.reading import accented, drawable, tasks, texts, word

from palaestra.task import InvalidAnswer

SOLVED = (
    "strings/letter_jumble", "strings/word_ladder", "strings/group_anagrams",
    "strings/letter_budget", "ciphers/known_plaintext", "logic/shuffled_objects",
)  # fmt: skip
ORDERED = ("strings/word_sorting", "language/sentence_reordering")
NAMES = (*SOLVED, *ORDERED, "language/corrupted_table")


@pytest.mark.parametrize("name", NAMES)
def test_scenes_are_drawn(name):
    for task in tasks(name):
        assert drawable(task.scene())
        if name in SOLVED:
            assert drawable(task.solved_scene(task.answer()))


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("answer", ["?!", "12 & 13"])
def test_unreadable_answers_are_refused(name, answer):
    for task in tasks(name):
        with pytest.raises(InvalidAnswer):
            task.solved_scene(answer)


def words(text):
    return [name for line in text.lines for name in line.split()]


def rows(grid):
    return [word(row) for row in grid.cells]


# ------------------------------------------------------------------ words


def test_jumbles_and_list_are_those_of_the_prompt():
    for task in tasks("strings/letter_jumble"):
        tiles, listed = task.scene().scenes
        jumbles = re.findall(r"^(\d+): ([a-z]+)$", task.prompt(), re.MULTILINE)
        assert rows(tiles) == [jumble for _, jumble in jumbles]
        assert tiles.left == tuple((name,) for name, _ in jumbles)
        assert words(listed) == re.search(r"The list: ([a-z ]+)\n", task.prompt())[1].split()


def test_words_of_an_answer_stand_below_their_jumbles():
    for task in tasks("strings/letter_jumble"):
        for answer in (task.answer().split(", "), ["zzz"] * len(task.jumbles)):
            tiles, _ = task.solved_scene(", ".join(answer)).scenes
            entered = [word(c for c in row if c.tone == "accent") for row in tiles.cells]
            assert [row for row in entered if row] == answer
            assert rows(tiles)[::3] == [*task.jumbles]


@pytest.mark.parametrize("name", ORDERED)
def test_words_to_be_ordered_are_those_of_the_prompt(name):
    for task in tasks(name):
        assert f" {' '.join(words(task.scene()))}" in f" {task.prompt()}".replace("\n", " ")


@pytest.mark.parametrize("name", [*ORDERED, "strings/word_ladder", "strings/letter_jumble"])
def test_right_answers_are_made_of_the_words_that_are_offered(name):
    for task in tasks(name):
        entry = task.entry()
        chosen = task.answer().split(entry.separator)
        assert {*chosen} <= {*entry.words}
        assert entry.repeats or sorted(chosen) == sorted(entry.words)
        assert task.verify(entry.separator.join(chosen)).value == 1


def test_ladder_has_the_words_of_the_prompt():
    for task in tasks("strings/word_ladder"):
        tiles, listed = task.scene().scenes
        ends = re.findall(r"from '([a-z]+)' to '([a-z]+)'", task.prompt())[0]
        assert (rows(tiles)[0], rows(tiles)[-1]) == ends
        assert not any(rows(tiles)[1:-1])
        assert words(listed) == task.prompt().split("\n\n")[1].split()


def test_changes_of_a_ladder_are_marked():
    for task in tasks("strings/word_ladder"):
        ladder, _ = task.solved_scene(task.answer()).scenes
        assert rows(ladder) == task.answer().split(", ")
        assert [row for row, _ in ladder.last] == [*range(1, len(ladder.cells))]
        for row, place in ladder.last:
            assert ladder.cells[row][place].text != ladder.cells[row - 1][place].text


def test_wrong_ladders_are_drawn_up_to_some_length():
    task = tasks("strings/word_ladder")[0]
    assert rows(task.solved_scene("lamp, desk").scenes[0]) == ["lamp", "desk"]
    assert len(task.solved_scene(", ".join(["abc"] * 5_000)).scenes[0].cells) == 64
    assert rows(task.solved_scene(f"{'a' * 500}, b").scenes[0]) == ["a" * 24, "b"]


def columns(grid, size, named):
    """The words of a board in columns from the top down, each with the name before it."""
    step = size + 1 + named
    pairs = []
    for left in range(0, len(grid.cells[0]), step):
        for row in grid.cells:
            cells = row[left : left + size + named]
            if word(cells):
                pairs.append((cells[0].text if named else "", word(cells[named:])))
    return pairs


def test_anagrams_are_those_of_the_prompt():
    for task in tasks("strings/group_anagrams"):
        listed = re.search(r"\n\n([a-z]+(?: [a-z]+)+)\n\n", task.prompt())[1].split()
        assert [each for _, each in columns(task.scene(), len(listed[0]), False)] == listed


def test_groups_have_names_and_colours():
    for task in tasks("strings/group_anagrams"):
        pairs = [" ".join(task.words[n : n + 2]) for n in range(0, len(task.words), 2)]
        for answer in (task.answer(), "\n".join(pairs)):
            scene = task.solved_scene(answer)
            groups = {each: str(n) for n, line in enumerate(answer.splitlines(), 1)
                      for each in line.split()}  # fmt: skip
            shown = columns(scene, len(task.words[0]), True)
            assert {each: name for name, each in shown} == groups
            assert [each for _, each in shown] == [*task.words]


def test_words_that_are_not_listed_are_in_no_group():
    task = tasks("strings/group_anagrams")[0]
    scene = task.solved_scene(f"{task.words[0]} zebra\nquagga")
    assert accented(scene) == ["1", *"0" * (len(task.words) - 1)]


def test_letters_and_list_are_those_of_the_prompt():
    for task in tasks("strings/letter_budget"):
        letters, listed = task.scene().scenes
        stated = re.search(r"Letters: ((?:\d+ [a-z](?:, )?)+)", task.prompt())[1]
        counts = {part.split()[1]: int(part.split()[0]) for part in stated.split(", ")}
        assert Counter("".join(rows(letters))) == counts
        assert words(listed) == re.search(r"Words: ([a-z ]+)\n", task.prompt())[1].split()


def test_used_letters_are_marked():
    for task in tasks("strings/letter_budget"):
        for answer in (task.answer(), task.listed[0], ", ".join((*task.listed, "quagga"))):
            chosen = [each for each in answer.split(", ") if each in task.listed]
            letters, listed = task.solved_scene(answer).scenes
            used = Counter("".join(chosen)) & Counter(task.stock)
            assert Counter(accented(letters)) == used
            assert sorted(words(listed)) == sorted(chosen)


def test_texts_stand_above_their_ciphertexts():
    for task in tasks("ciphers/known_plaintext"):
        known = re.findall(r"^([a-z]+) becomes ([a-z]+)$", task.prompt(), re.MULTILINE)
        wanted = re.search(r"Which text became ([a-z]+)\?", task.prompt())[1]
        shown = [tuple(rows(grid)) for grid in task.scene().scenes]
        assert shown == [*known, ("?" * len(wanted), wanted)]
        for answer in (task.answer(), "abc", "z" * 500):
            *before, last = task.solved_scene(answer).scenes
            assert tuple(before) == task.scene().scenes[:-1]
            assert rows(last) == [answer[: len(wanted)], wanted]


# ------------------------------------------------------------------ tables and people


def test_table_has_the_numbers_and_totals_of_the_prompt():
    for task in tasks("language/corrupted_table"):
        scene, lines = task.scene(), task.prompt().splitlines()
        head = next(n for n, line in enumerate(lines) if line.startswith("town, "))
        months = lines[head].split(", ")[1:]
        assert [name for (name,) in scene.top] == [month[:3] for month in months]
        for (town,), row, line in zip(scene.left, texts(scene), lines[head + 1 :], strict=False):
            assert [town, *row] == line.split(", ")
        totals = [
            [part.split()[1] for part in re.search(rf"by {of}: (.+)", task.prompt())[1].split(", ")]
            for of in ("town", "month")
        ]
        assert [total for (total,) in scene.right] == [f"= {total}" for total in totals[0]]
        assert [total for (_, total) in scene.bottom] == totals[1]


def test_people_hold_what_the_prompt_states_at_the_start():
    for task in tasks("logic/shuffled_objects"):
        start = re.search(r"\n\n((?:\w+: \w+\n)+)", task.prompt())[1].split("\n")[:-1]
        shown = [f"{node.name}: {node.note}" for node in task.scene().nodes]
        assert shown == start
        for answer in (
            task.answer(),
            "\n".join(f"{name}: {task.things[0]}" for name in task.names),
        ):
            solved = task.solved_scene(answer).nodes
            assert [f"{node.name}: {node.note}" for node in solved] == answer.splitlines()


def test_the_next_person_sits_to_the_right_of_one_who_faces_the_middle():
    for task in tasks("logic/shuffled_objects"):
        spots = [(node.x, node.y) for node in task.scene().nodes]
        for (x, y), (nx, ny) in zip(spots, spots[1:] + spots[:1], strict=True):
            ahead = (0.5 - x, 0.5 - y)
            # With y downwards, the right of (a, b) is (-b, a).
            assert (nx - x) * -ahead[1] + (ny - y) * ahead[0] > 0
            assert hypot(*ahead) == pytest.approx(0.5)
