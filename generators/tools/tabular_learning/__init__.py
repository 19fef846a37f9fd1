"""Tables from random processes, a sandbox to learn from them, and a method that learns from all."""
