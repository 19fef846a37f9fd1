"""Queries of relational databases, and documents that have to follow a schema."""
