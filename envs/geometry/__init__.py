"""Points, lines, circles and polygons, with exact answers."""
