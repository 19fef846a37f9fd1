"""Repositories of several files with a fault or a missing rule, and an issue about its symptom."""
