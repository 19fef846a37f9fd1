"""Logs of made-up services, and questions about incidents in them."""
