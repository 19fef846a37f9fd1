"""An airline with reservations and flights, and its policy."""
