"""Databases with unhelpful names, and questions that need their documentation."""
