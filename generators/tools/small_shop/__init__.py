"""A shop with orders and customers, and its policy."""
