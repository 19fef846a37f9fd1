"""Small machine languages, and programs in them."""
