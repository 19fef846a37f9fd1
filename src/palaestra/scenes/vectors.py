"""Scenes as SVG, whose colours are written down or, for web pages, left to style sheets."""

from collections.abc import Sequence
from html import escape

from palaestra.scenes.elements import Scene, Tone
from palaestra.scenes.layouts import drawing
from palaestra.scenes.palette import Theme, colour
from palaestra.scenes.shapes import Disc, Label, Path, Rectangle, Shape, Tile

FONT = "system-ui, 'DejaVu Sans', sans-serif"


def svg(scene: Scene, theme: Theme = "light", unit: int = 32) -> str:
    """A scene as an SVG document in which a cell is ``unit`` pixels wide."""
    laid = drawing(scene)
    width, height = round(laid.width * unit), round(laid.height * unit)
    body = "".join(_element(shape, theme) for shape in laid.shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {laid.width:g} {laid.height:g}" font-family="{FONT}">'
        f'<rect width="100%" height="100%" fill="{colour("back", theme)}"/>{body}</svg>'
    )


def sheet(
    scenes: Sequence[tuple[str, Scene]], columns: int = 3, side: int = 240, theme: Theme = "light"
) -> str:
    """Scenes with captions as one SVG document, each within a square of ``side`` pixels."""
    rows = -(-len(scenes) // columns)
    gap, line = 24, 30
    width, height = columns * (side + gap) + gap, rows * (side + line + gap) + gap
    parts = []
    for n, (caption, scene) in enumerate(scenes):
        x, y = gap + n % columns * (side + gap), gap + n // columns * (side + line + gap)
        laid = drawing(scene)
        body = "".join(_element(shape, theme) for shape in laid.shapes)
        parts.append(
            f'<svg x="{x}" y="{y}" width="{side}" height="{side}" '
            f'viewBox="0 0 {laid.width:g} {laid.height:g}">{body}</svg>'
            f'<text x="{x + side / 2:g}" y="{y + side + 22}" font-size="14" text-anchor="middle" '
            f'fill="{colour("ink", theme)}">{escape(caption)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}">'
        f'<rect width="100%" height="100%" fill="{colour("back", theme)}"/>{"".join(parts)}</svg>'
    )


def _element(shape: Shape | Tile, theme: Theme) -> str:
    if isinstance(shape, Tile):
        inner = "".join(_element(part, theme) for part in shape.shapes)
        return f'<g transform="translate({shape.x:g} {shape.y:g})">{inner}</g>'
    if isinstance(shape, Label):
        bold = ' font-weight="700"' if shape.bold else ""
        return (
            f'<text x="{shape.x:.4g}" y="{shape.y + 0.35 * shape.size:.4g}" '
            f'font-size="{shape.size:.3g}" text-anchor="{shape.anchor}"{bold} '
            f'fill="{_colour(shape.tone, theme)}">{escape(shape.text)}</text>'
        )
    paint = f'fill="{_colour(shape.fill, theme)}"'
    if shape.stroke != "none":
        paint += f' stroke="{_colour(shape.stroke, theme)}" stroke-width="{shape.line:g}"'
    if isinstance(shape, Rectangle):
        corner = f' rx="{shape.radius:g}"' if shape.radius else ""
        return (
            f'<rect x="{shape.x:.4g}" y="{shape.y:.4g}" width="{shape.width:.4g}" '
            f'height="{shape.height:.4g}"{corner} {paint}/>'
        )
    if isinstance(shape, Disc):
        return f'<circle cx="{shape.x:.4g}" cy="{shape.y:.4g}" r="{shape.radius:.3g}" {paint}/>'
    return _path(shape, paint)


def _path(path: Path, paint: str) -> str:
    points = " ".join(f"{x:.4g},{y:.4g}" for x, y in path.points)
    dashes = ' stroke-dasharray="0.15 0.12"' if path.dashed else ""
    tag = "polygon" if path.closed else "polyline"
    return (
        f'<{tag} points="{points}"{dashes} stroke-linejoin="round" stroke-linecap="round" {paint}/>'
    )


def _colour(tone: Tone, theme: Theme) -> str:
    return tone if tone == "none" else colour(tone, theme)
