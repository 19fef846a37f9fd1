"""Figures of points, lines and circles, worked out exactly."""
