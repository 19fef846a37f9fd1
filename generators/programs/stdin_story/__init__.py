"""Stories about programs that read standard input, and the inputs that test them."""
