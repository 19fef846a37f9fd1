"""Graphs: paths, colourings and flows, each handed in with its proof."""
