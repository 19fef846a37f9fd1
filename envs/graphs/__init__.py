"""Paths, colourings, flows and other graph problems whose answers can be checked directly."""
