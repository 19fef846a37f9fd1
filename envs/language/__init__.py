"""Texts under rules that can be checked by counting."""
