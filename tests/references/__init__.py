"""Reference implementations, written from the papers, that the trainer's recipes are held to."""
