"""Domains with records, tools and a policy whose names and schemas are new with every task."""
