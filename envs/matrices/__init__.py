"""Work on grids of numbers: moves, windows, regions, distances."""
