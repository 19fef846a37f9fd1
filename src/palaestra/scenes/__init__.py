"""Scenes: what there is to see in a task, described once and drawn everywhere.

A task describes its position with a :data:`Scene`, made of the elements that stand here. From it
come SVG (:func:`palaestra.scenes.vectors.svg`), RGB arrays (:func:`palaestra.scenes.raster.rgb`)
and the shapes that the playground draws (:func:`palaestra.scenes.layouts.drawing`), so that no
picture is guessed from text.

>>> from palaestra.scenes import Cell, Grid, to_json
>>> to_json(Grid(((Cell("5"), Cell(fill="dark")),)))
b'{"type":"grid","cells":[[{"text":"5"},{"fill":"dark"}]]}'
"""

from palaestra.scenes.elements import (
    Bar,
    Between,
    Border,
    Card,
    Cards,
    Cell,
    Corners,
    Curve,
    Edge,
    Graph,
    Grid,
    Hex,
    Hexagons,
    Item,
    Line,
    Node,
    Panels,
    Plane,
    Point,
    Polygon,
    Scene,
    Stacks,
    Table,
    Text,
    Timeline,
    cells_of,
    from_json,
    to_json,
)

__all__ = [
    "Bar",
    "Between",
    "Border",
    "Card",
    "Cards",
    "Cell",
    "Corners",
    "Curve",
    "Edge",
    "Graph",
    "Grid",
    "Hex",
    "Hexagons",
    "Item",
    "Line",
    "Node",
    "Panels",
    "Plane",
    "Point",
    "Polygon",
    "Scene",
    "Stacks",
    "Table",
    "Text",
    "Timeline",
    "cells_of",
    "from_json",
    "to_json",
]
