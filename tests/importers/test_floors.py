"""What an import states about players without skill."""

from types import SimpleNamespace

from palaestra.cli.importing import _packaged, _print_packaged
from palaestra.importers import folders
from palaestra.importers.floors import Floor, floor_of
from palaestra.registry import load


def test_a_floor_that_was_not_measured_is_not_stated_as_0(folder, monkeypatch, capsys):
    from palaestra.importers.textarena import files

    floors = {"measured": Floor(0.0, "the constant reply ''"), "unknown": Floor()}
    monkeypatch.setattr(files, "chosen_games", lambda only: [*floors])
    monkeypatch.setattr(
        files,
        "imported_games",
        lambda *_: (
            SimpleNamespace(name=name, text="", floor=floor, levels=1)
            for name, floor in floors.items()
        ),
    )
    monkeypatch.setattr(folders, "write_category", lambda *_: None)
    rows = _packaged("textarena", folder, "", (), False, False)
    assert [row["floor"] for row in rows] == [0.0, None]
    assert [row["warning"] for row in rows] == [
        "",
        "What players without skill earn was not measured.",
    ]
    _print_packaged(rows, as_json=False)
    assert "not measured" in " ".join(capsys.readouterr().out.split())


def test_a_measured_floor_names_its_player():
    floor = floor_of(load("logic/knights_and_knaves"), 0)
    assert floor.is_measured
    assert "not measured" not in floor.warning
