"""Tests of grids/thermometers."""

from random import Random

from palaestra.envs.grids import thermometers


def test_short_thermometers_do_not_keep_a_large_grid_from_being_drawn(monkeypatch):
    laid, layouts = thermometers.laid, []
    monkeypatch.setattr(thermometers, "laid", lambda *some: layouts.append(1) or laid(*some))
    knobs = thermometers.Thermometers.Knobs(size=8, length=3, bent=False, silent=0)
    for seed in range(4):
        thermometers.Thermometers.sample(Random(seed), knobs)
    assert len(layouts) < 500
