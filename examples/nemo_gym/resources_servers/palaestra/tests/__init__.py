"""Tests of the resources server."""
