"""Texts under rules that can be counted and checked."""
