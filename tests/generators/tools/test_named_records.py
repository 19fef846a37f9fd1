"""Tests of generators/tools/named_records.py."""

from palaestra.generators.tools.named_records import matching
from palaestra.generators.tools.records import RecordWorld

ROWS = {
    3: {"item": "Wood glue", "site": "Ashford"},
    5: {"item": "wood glue large", "site": "Foxhill"},
    9: {"item": "hinges", "site": "Ashford"},
}


def numbers(**texts):
    return [number for number, _ in matching(RecordWorld((), {"lot": ROWS}), "lot", **texts)]


def test_rows_contain_all_texts_in_any_case():
    assert numbers() == numbers(item=" ", site="") == [3, 5, 9]
    assert numbers(item=" WOOD ") == [3, 5]
    assert numbers(item="glue", site="fox") == [5]
    assert numbers(item="hinges", site="Foxhill") == []


def test_changed_rows_are_seen():
    world = RecordWorld((), {"lot": ROWS})
    world.update("lot", 9, item="glued hinges")
    world.remove("lot", 3)
    new = world.add("lot", item="Glue", site="Ashford")
    assert [number for number, _ in matching(world, "lot", item="glue")] == [5, 9, new]
