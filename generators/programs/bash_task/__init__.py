"""Tasks on trees of files: what a script has to do, and trees that show whether it does."""
